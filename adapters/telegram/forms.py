"""Our looks in Telegram's form: keyboards, bold titles, Markdown as entities."""

from __future__ import annotations

import re

import telegram
from telegram import ForceReply, InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity

from core.looks import Look, Rows, utf16

MOST_TEXT, MOST_CAPTION = 4096, 1024  # UTF-16 units
_MOST_DATA = 64  # bytes of what a button sends


def keyboard(rows: Rows) -> InlineKeyboardMarkup | None:
    """None where there are no buttons; one that Telegram would refuse is left out."""
    made = [
        [InlineKeyboardButton(b.label, callback_data=b.id) for b in row if len(b.id.encode()) <= _MOST_DATA]
        for row in rows
    ]
    made = [row for row in made if row]
    return InlineKeyboardMarkup(made) if made else None


def markup(look: Look, group: bool = False) -> InlineKeyboardMarkup | ForceReply | None:
    """In a group a reply can be asked for only of everybody, so it is not."""
    if look.asks and not group:
        return ForceReply()
    return keyboard(look.rows)


def formatted(look: Look, most: int) -> tuple[str, list[telegram.MessageEntity]]:
    """Text and entities. While it streams Markdown is shown as it is: half of it cannot be read."""
    if look.markdown and look.final:
        from telegramify_markdown import convert  # noqa: PLC0415

        text, entities = convert(defused(look.text), latex_escape=False)
        if utf16(text) <= most and text.strip():
            return text, [MessageEntity(**entity.to_dict()) for entity in entities]
    text = defused(look.text)
    first = text.partition("\n")[0]
    if look.title and defused(look.title) in first:
        return text, [MessageEntity(MessageEntity.BOLD, 0, utf16(first))]
    return text, []


def defused(text: str) -> str:
    """Names of people in it call nobody: Telegram notifies whoever is written @so."""
    return re.sub(r"@(?=\w)", "@\u2060", text)
