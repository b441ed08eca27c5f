"""Jobs that survive: inbox, jobs, turns, people, deliveries, and files by their content."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    with op.batch_alter_table("versions") as versions:
        versions.add_column(sa.Column("told", sa.JSON, nullable=False, server_default="[]"))
    op.create_table(
        "inbox",
        sa.Column("job", sa.String(160), nullable=False),
        sa.Column("platform", sa.String(32), nullable=False),
        sa.Column("chat", sa.String(128), nullable=False),
        sa.Column("external", sa.String(160), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("user", sa.String(128), nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("request", sa.Integer),
        sa.PrimaryKeyConstraint("job", name="pk_inbox"),
        sa.UniqueConstraint("platform", "chat", "external", name="uq_inbox_platform"),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(160), nullable=False),
        sa.Column("platform", sa.String(32), nullable=False),
        sa.Column("lane", sa.String(300), nullable=False),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("worker", sa.String(64), nullable=False),
        sa.Column("accepted", sa.Float(53), nullable=False),
        sa.Column("started", sa.Float(53)),
        sa.Column("ended", sa.Float(53)),
        sa.Column("bars", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_platform", "jobs", ["platform"])
    op.create_index("ix_jobs_lane", "jobs", ["lane"])
    op.create_index("ix_jobs_state", "jobs", ["state"])
    op.create_table(
        "people",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("platform", sa.String(32), nullable=False),
        sa.Column("user", sa.String(128), nullable=False),
        sa.Column("first", sa.Float(53), nullable=False),
        sa.Column("last", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("platform", "user", name="uq_people_platform"),
    )
    op.create_table(
        "turns",
        sa.Column("job", sa.String(160), nullable=False),
        sa.Column("platform", sa.String(32), nullable=False),
        sa.Column("chat", sa.String(128), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("user", sa.String(128), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("job", name="pk_turns"),
    )
    op.create_table(
        "deliveries",
        sa.Column("job", sa.String(160), nullable=False),
        sa.Column("what", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("external", sa.String(160)),
        sa.PrimaryKeyConstraint("job", "what", name="pk_deliveries"),
    )
    op.create_table(
        "files",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_files"),
    )
    op.create_table(
        "file_uses",
        sa.Column("piece_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("format", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.ForeignKeyConstraint(["piece_id"], ["pieces.id"], name="fk_file_uses_piece_id"),
        sa.ForeignKeyConstraint(["hash"], ["files.hash"], name="fk_file_uses_hash"),
        sa.PrimaryKeyConstraint("piece_id", "number", "format", name="pk_file_uses"),
    )
    op.create_index("ix_file_uses_hash", "file_uses", ["hash"])


def downgrade() -> None:
    op.drop_table("file_uses")
    op.drop_table("files")
    op.drop_table("deliveries")
    op.drop_table("turns")
    op.drop_table("people")
    op.drop_table("jobs")
    op.drop_table("inbox")
    with op.batch_alter_table("versions") as versions:
        versions.drop_column("told")
