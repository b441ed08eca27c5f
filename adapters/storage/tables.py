"""The tables of the application database."""

from __future__ import annotations

from sqlalchemy import (  # fmt: skip
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
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
    Column("moved", String(128)),  # the chat's other name, where it has got one
    UniqueConstraint("platform", "chat"),
)

# Where several people write in a chat: the message that began each one's conversation.
beginnings = Table(
    "beginnings",
    metadata,
    Column("chat_id", ForeignKey("chats.id"), nullable=False),
    Column("user", String(128), nullable=False),
    Column("message", Integer, nullable=False),
    PrimaryKeyConstraint("chat_id", "user"),
)

pieces = Table(
    "pieces",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("chat_id", ForeignKey("chats.id"), nullable=False, index=True),
    Column("user", String(128), nullable=False),
    Column("title", String(200), nullable=False),
    Column("shared", Boolean, nullable=False, default=False),  # whether others in the chat may change it
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
    Column("files", JSON, nullable=False, default=dict),  # format -> where it lies on the machine that rendered it
    Column("told", JSON, nullable=False, default=list),  # what its card says besides the facts
    Column("by", String(128), nullable=False, default=""),  # what whoever asked for it is called
    Column("link", String(40), unique=True),  # what opens it elsewhere; NULL until somebody asks for it
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

# Every update of a platform, once. The job that answers it has the same id.
inbox = Table(
    "inbox",
    metadata,
    Column("job", String(160), primary_key=True),
    Column("platform", String(32), nullable=False),
    Column("chat", String(128), nullable=False),
    Column("external", String(160), nullable=False),  # the platform's own id of the update
    Column("number", Integer, nullable=False),  # the message's number in its chat
    Column("user", String(128), nullable=False),
    Column("message", Text, nullable=False),  # JSON
    Column("request", Integer),  # how many songs were asked for in the chat before it
    UniqueConstraint("platform", "chat", "external"),
    Index("ix_inbox_user", "platform", "user"),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", String(160), primary_key=True),
    Column("platform", String(32), nullable=False, index=True),
    Column("lane", String(300), nullable=False, index=True),
    Column("priority", Integer, nullable=False),
    Column("state", String(16), nullable=False, index=True),  # queued, running, done, failed, cancelled
    Column("seq", Integer, nullable=False, default=0),  # counts the events
    Column("events", Text, nullable=False, default="[]"),  # JSON
    Column("shown", Integer, nullable=False, default=0),  # events that the platform has shown
    Column("attempts", Integer, nullable=False, default=0),
    Column("worker", String(64), nullable=False, default=""),
    Column("accepted", Float(53), nullable=False),  # seconds since 1970
    Column("started", Float(53)),
    Column("ended", Float(53)),
    Column("bars", Integer),  # of the song it made
)

people = Table(
    "people",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("platform", String(32), nullable=False),
    Column("user", String(128), nullable=False),
    Column("first", Float(53), nullable=False),
    Column("last", Float(53), nullable=False),
    Column("name", String(128), nullable=False, default=""),
    Column("locale", String(8)),  # the language they chose
    UniqueConstraint("platform", "user"),
)

# Question and answer, stored together: a conversation without an answer leaves nothing.
turns = Table(
    "turns",
    metadata,
    Column("job", String(160), primary_key=True),
    Column("platform", String(32), nullable=False),
    Column("chat", String(128), nullable=False),
    Column("number", Integer, nullable=False),
    Column("user", String(128), nullable=False),
    Column("question", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("at", Float(53), nullable=False),
)

# What was put on a platform. `what`: bubble, or file:FORMAT; `state`: sending, then sent.
deliveries = Table(
    "deliveries",
    metadata,
    Column("job", String(160), nullable=False),
    Column("what", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("external", String(160), index=True),  # the platform's id of it
    Column("tries", Integer, nullable=False, server_default="0"),  # sendings of which nobody knows whether they arrived
    PrimaryKeyConstraint("job", "what"),
)

files = Table(
    "files",
    metadata,
    Column("hash", String(64), primary_key=True),  # SHA-256 of the content
    Column("size", BigInteger, nullable=False),
)

# Who needs a file: it goes when its last use has gone.
file_uses = Table(
    "file_uses",
    metadata,
    Column("piece_id", ForeignKey("pieces.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("format", String(64), nullable=False),
    Column("hash", ForeignKey("files.hash"), nullable=False, index=True),
    Column("name", String(200), nullable=False),
    PrimaryKeyConstraint("piece_id", "number", "format"),
)
