"""Runs the migrations on the database that the caller names."""

from __future__ import annotations

from alembic import context
from sqlalchemy import create_engine, text

from adapters.storage.tables import metadata


def run() -> None:
    url = context.config.get_main_option("sqlalchemy.url")
    assert url is not None
    engine = create_engine(url)
    with engine.connect() as connection:
        if connection.dialect.name == "postgresql":  # processes that start together migrate one after the other
            connection.execute(text("SELECT pg_advisory_lock(1953853029)"))
            connection.commit()
        context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
        with context.begin_transaction():
            context.run_migrations()
    engine.dispose()


run()
