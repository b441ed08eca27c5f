"""Names and languages of people, songs that others may change or open elsewhere, and who made a version."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    with op.batch_alter_table("pieces") as pieces:
        pieces.add_column(sa.Column("shared", sa.Boolean, nullable=False, server_default=sa.false()))
        pieces.add_column(sa.Column("link", sa.String(40)))
        pieces.create_unique_constraint("uq_pieces_link", ["link"])
    with op.batch_alter_table("versions") as versions:
        versions.add_column(sa.Column("by", sa.String(128), nullable=False, server_default=""))
    with op.batch_alter_table("people") as people:
        people.add_column(sa.Column("name", sa.String(128), nullable=False, server_default=""))
        people.add_column(sa.Column("locale", sa.String(8)))
    op.create_index("ix_deliveries_external", "deliveries", ["external"])


def downgrade() -> None:
    op.drop_index("ix_deliveries_external", "deliveries")
    with op.batch_alter_table("people") as people:
        people.drop_column("locale")
        people.drop_column("name")
    with op.batch_alter_table("versions") as versions:
        versions.drop_column("by")
    with op.batch_alter_table("pieces") as pieces:
        pieces.drop_constraint("uq_pieces_link", type_="unique")
        pieces.drop_column("link")
        pieces.drop_column("shared")
