"""Runs the migrations on the database that the caller names, in one transaction: a process that dies in it leaves the
database as it was.
"""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, create_engine, text

from adapters.storage.tables import metadata


def run() -> None:
    url = context.config.get_main_option("sqlalchemy.url")
    assert url is not None
    engine = create_engine(url)
    with engine.connect() as connection:
        if connection.dialect.name == "postgresql":  # processes that start together migrate one after the other
            connection.execute(text("SELECT pg_advisory_lock(1953853029)"))
            connection.commit()
        else:
            _begun(connection)
        context.configure(connection=connection, target_metadata=metadata, render_as_batch=True, transactional_ddl=True)
        with context.begin_transaction():
            context.run_migrations()
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("COMMIT")
    engine.dispose()


def _begun(connection: Connection) -> None:
    """Python's driver would commit before every change of a table: what begins and ends is said by us. An earlier
    release died without a transaction, and left tables that alembic makes on its way.
    """
    connection.connection.dbapi_connection.isolation_level = None  # type: ignore[union-attr]
    connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    left = connection.exec_driver_sql(
        "SELECT name FROM sqlite_master WHERE name LIKE '\\_alembic\\_tmp\\_%' ESCAPE '\\'"
    )
    for (name,) in left.all():
        connection.exec_driver_sql(f'DROP TABLE "{name}"')


run()
