"""The tables of the application database."""

from __future__ import annotations

from sqlalchemy import (  # fmt: skip
    JSON,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s", "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s", "pk": "pk_%(table_name)s",
    }
)  # fmt: skip

chats = Table(
    "chats",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("platform", String(32), nullable=False),
    Column("chat", String(128), nullable=False),
    Column("last_message", Integer, nullable=False, default=0),
    Column("requests", Integer, nullable=False, default=0),  # songs asked for
    Column("begun", Integer, nullable=False, default=0),  # the message that began the conversation
    UniqueConstraint("platform", "chat"),
)

pieces = Table(
    "pieces",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("chat_id", ForeignKey("chats.id"), nullable=False, index=True),
    Column("user", String(128), nullable=False),
    Column("title", String(200), nullable=False),
)

versions = Table(
    "versions",
    metadata,
    Column("piece_id", ForeignKey("pieces.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("parent", Integer),  # the number of the version it was made from
    Column("change", String(2000), nullable=False),
    Column("brief", LargeBinary, nullable=False),
    Column("score", LargeBinary, nullable=False),
    Column("rating", Float, nullable=False),
    Column("files", JSON, nullable=False, default=dict),
    PrimaryKeyConstraint("piece_id", "number"),
)

# Which message of a chat shows which version.
cards = Table(
    "cards",
    metadata,
    Column("chat_id", ForeignKey("chats.id"), nullable=False),
    Column("message", Integer, nullable=False),
    Column("piece_id", ForeignKey("pieces.id"), nullable=False, index=True),
    Column("version", Integer, nullable=False),
    PrimaryKeyConstraint("chat_id", "message"),
)

reactions = Table(
    "reactions",
    metadata,
    Column("piece_id", ForeignKey("pieces.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("user", String(128), nullable=False),
    Column("emoji", String(32), nullable=False),
    PrimaryKeyConstraint("piece_id", "version", "user"),
)
