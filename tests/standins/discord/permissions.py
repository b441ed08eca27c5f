"""Discord's permissions: their bits, and those that the bot has unless a channel denies them."""

from __future__ import annotations

from collections.abc import Iterable

BITS = {
    "add_reactions": 1 << 6,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "use_application_commands": 1 << 31,
    "manage_threads": 1 << 34,
    "create_public_threads": 1 << 35,
    "create_private_threads": 1 << 36,
    "send_messages_in_threads": 1 << 38,
    "send_voice_messages": 1 << 46,
}
GRANTED = frozenset(BITS) - {"manage_messages", "manage_threads"}


def bits(permissions: Iterable[str]) -> int:
    """The bits of named permissions; an unknown name is a KeyError."""
    return sum(BITS[name] for name in set(permissions))
