"""Names and languages of people, songs that others may change or open elsewhere, and who made a version."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    with op.batch_alter_table("pieces") as pieces:
        pieces.add_column(sa.Column("shared", sa.Boolean, nullable=False, server_default=sa.false()))
    with op.batch_alter_table("versions") as versions:
        versions.add_column(sa.Column("by", sa.String(128), nullable=False, server_default=""))
        versions.add_column(sa.Column("link", sa.String(40)))
        versions.create_unique_constraint("uq_versions_link", ["link"])
    with op.batch_alter_table("chats") as chats:
        chats.add_column(sa.Column("moved", sa.String(128)))
    op.create_table(
        "beginnings",
        sa.Column("chat_id", sa.Integer, sa.ForeignKey("chats.id", name="fk_beginnings_chat_id"), nullable=False),
        sa.Column("user", sa.String(128), nullable=False),
        sa.Column("message", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("chat_id", "user", name="pk_beginnings"),
    )
    with op.batch_alter_table("people") as people:
        people.add_column(sa.Column("name", sa.String(128), nullable=False, server_default=""))
        people.add_column(sa.Column("locale", sa.String(8)))
    op.create_index("ix_deliveries_external", "deliveries", ["external"])


def downgrade() -> None:
    op.drop_index("ix_deliveries_external", "deliveries")
    with op.batch_alter_table("people") as people:
        people.drop_column("locale")
        people.drop_column("name")
    op.drop_table("beginnings")
    with op.batch_alter_table("chats") as chats:
        chats.drop_column("moved")
    with op.batch_alter_table("versions") as versions:
        versions.drop_constraint("uq_versions_link", type_="unique")
        versions.drop_column("link")
        versions.drop_column("by")
    with op.batch_alter_table("pieces") as pieces:
        pieces.drop_column("shared")
