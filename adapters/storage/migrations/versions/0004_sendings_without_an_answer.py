"""How often something was sent of which nobody knows whether it arrived."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("tries", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("ix_inbox_user", "inbox", ["platform", "user"])
    op.execute("UPDATE deliveries SET tries = 1 WHERE state = 'sending'")


def downgrade() -> None:
    op.drop_index("ix_inbox_user", "inbox")
    with op.batch_alter_table("deliveries") as table:
        table.drop_column("tries")
