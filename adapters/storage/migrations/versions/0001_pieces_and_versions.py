"""Chats, pieces, versions, cards and reactions."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "chats",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("platform", sa.String(32), nullable=False),
        sa.Column("chat", sa.String(128), nullable=False),
        sa.Column("last_message", sa.Integer, nullable=False),
        sa.Column("requests", sa.Integer, nullable=False),
        sa.Column("begun", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_chats"),
        sa.UniqueConstraint("platform", "chat", name="uq_chats_platform"),
    )
    op.create_table(
        "pieces",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("chat_id", sa.Integer, nullable=False),
        sa.Column("user", sa.String(128), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pieces"),
        sa.ForeignKeyConstraint(["chat_id"], ["chats.id"], name="fk_pieces_chat_id"),
    )
    op.create_index("ix_pieces_chat_id", "pieces", ["chat_id"])
    op.create_table(
        "versions",
        sa.Column("piece_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("parent", sa.Integer),
        sa.Column("change", sa.String(2000), nullable=False),
        sa.Column("brief", sa.LargeBinary, nullable=False),
        sa.Column("score", sa.LargeBinary, nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("files", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("piece_id", "number", name="pk_versions"),
        sa.ForeignKeyConstraint(["piece_id"], ["pieces.id"], name="fk_versions_piece_id"),
    )
    op.create_table(
        "cards",
        sa.Column("chat_id", sa.Integer, nullable=False),
        sa.Column("message", sa.Integer, nullable=False),
        sa.Column("piece_id", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("chat_id", "message", name="pk_cards"),
        sa.ForeignKeyConstraint(["chat_id"], ["chats.id"], name="fk_cards_chat_id"),
        sa.ForeignKeyConstraint(["piece_id"], ["pieces.id"], name="fk_cards_piece_id"),
    )
    op.create_index("ix_cards_piece_id", "cards", ["piece_id"])
    op.create_table(
        "reactions",
        sa.Column("piece_id", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("user", sa.String(128), nullable=False),
        sa.Column("emoji", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("piece_id", "version", "user", name="pk_reactions"),
        sa.ForeignKeyConstraint(["piece_id"], ["pieces.id"], name="fk_reactions_piece_id"),
    )


def downgrade() -> None:
    for name in ("reactions", "cards", "versions", "pieces", "chats"):
        op.drop_table(name)
