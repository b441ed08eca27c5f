"""The buttons under a song: three at first sight, the rest one tap away.

A button's id is `name:piece:version`, with `:argument` where it has one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.events import Button
from core.library import Version
from core.localisation import Words
from core.messages import Message
from core.music.catalogue import Catalogue

_MOST_CHOICES = 12
_HIGHEST = 2**31 - 1  # number that a database holds
_ENDINGS = ("authentic", "plagal", "half", "deceptive", "cold", "fade")
_FIRST = ("vary", "change", "more")
_MORE = (
    ("down", "up", "slower", "faster"), ("shorter", "longer", "fewer", "busier"),
    ("simpler", "richer", "again", "undo"), ("players", "endings", "versions"),
    ("files", "stems", "voice", "link"), ("like", "dislike", "session", "back"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button's name, its song where it names one, and its argument."""

    name: str
    piece: int | None = None
    version: int | None = None
    argument: str = ""


def pressed(id_: str) -> Pressed:
    match = re.fullmatch(r"([a-z-]+)(?::(\d{1,12}):(\d{1,9}))?(?::(.{1,80}))?", id_, re.DOTALL)
    if match is None:
        return Pressed("")
    piece, version = (min(int(match[n]), _HIGHEST) if match[n] else None for n in (2, 3))
    return Pressed(match[1], piece, version, match[4] or "")


def first(piece: int, version: int, words: Words, locale: str) -> tuple[Button, ...]:
    """What a song's card shows at first sight."""
    return tuple(Button(f"{name}:{piece}:{version}", words.say(locale, f"button-{name}")) for name in _FIRST)


class Menus:
    """Pages of buttons for one version, in a listener's language."""

    def __init__(self, words: Words, catalogue: Catalogue) -> None:
        self._words, self._catalogue = words, catalogue

    def more(self, version: Version, locale: str, message: Message) -> tuple[Button, ...]:
        """What else can be done with a song: in a group its owner may open it to others, and anybody copy it."""
        left_out = set() if version.parent else {"undo"}
        left_out |= set() if "mp3" in version.files and message.external else {"voice"}
        left_out |= set() if message.rooms else {"session"}
        if version.brief.source:
            left_out |= {"again"}
        rows = [[name for name in row if name not in left_out] for row in _MORE]
        if message.group and not message.together:
            rows.insert(-1, ["lock" if version.shared else "unlock", "copy"])  # everybody sees the same buttons
        return tuple(
            self._button(name, version.piece, version.number, locale, row)
            for row, names in enumerate(rows)
            for name in names
        )

    def players(self, version: Version, locale: str) -> tuple[Button, ...]:
        """A button a part: who plays it, or that it is silent."""
        buttons = []
        first = {part.role: part for part in reversed(version.score.parts)}  # others of its kind are changed in words
        for row, part in enumerate(part for part in version.score.parts if first[part.role] is part):
            role = self._words.say(locale, f"role-{part.role}")
            who = self._words.name(locale, "instrument", part.instrument) if part.instrument else ""
            silent = self._words.say(locale, "part-silent") if part.muted else ""
            label = " ".join(each for each in (f"{role}: {who}" if who and not part.drums else role, silent) if each)
            buttons.append(Button(_id("player", version, part.role), label, row // 2))
        return (*buttons, self._back(version, locale))

    def choices(self, version: Version, role: str, locale: str) -> tuple[Button, ...]:
        """The instruments that may take over a role, and silence."""
        part = version.score.part(role)
        names = [] if role == "drums" else self._fitting(role, part.instrument if part else "")
        buttons = [
            Button(_id("play", version, f"{role}.{name}"), self._words.name(locale, "instrument", name), row // 3)
            for row, name in enumerate(names)
        ]
        verb = "unmute" if part is not None and part.muted else "mute"
        last = len(names) // 3 + 1
        mute = Button(_id(verb, version, role), self._words.say(locale, f"button-{verb}"), last)
        return (*buttons, mute, self._button("players", version.piece, version.number, locale, last, "button-back"))

    def _fitting(self, role: str, now: str) -> list[str]:
        """The instruments that styles give this role most."""
        weights: dict[str, float] = {}
        for style in self._catalogue.styles.values():
            group = {"melody": style.melody, "bass": style.bass}.get(role, style.chords)
            for name, weight in getattr(group, "instruments", {}).items():
                weights[name] = weights.get(name, 0.0) + weight
        best = sorted(weights, key=lambda name: (-weights[name], name))
        return [name for name in best if name != now][:_MOST_CHOICES]

    def endings(self, version: Version, locale: str) -> tuple[Button, ...]:
        buttons = [
            Button(_id("end", version, name), self._words.say(locale, f"ending-{name}"), row // 2)
            for row, name in enumerate(_ENDINGS)
            if name != version.brief.ending
        ]
        return (*buttons, self._back(version, locale))

    def versions(self, version: Version, known: list[tuple[int, str, int]], locale: str) -> tuple[Button, ...]:
        """The newest versions: what made them, and how they are liked."""
        buttons = [
            Button(
                f"open:{version.piece}:{number}", f"{number} · {change[:28]}" + (f" · {votes:+d}" if votes else ""), row
            )
            for row, (number, change, votes) in enumerate(reversed(known[-8:]))
        ]
        return (*buttons, self._back(version, locale))

    def _back(self, version: Version, locale: str) -> Button:
        return self._button("more", version.piece, version.number, locale, 99, "button-back")

    def _button(
        self, name: str, piece: int, version: int, locale: str, row: int = 0, label: str | None = None
    ) -> Button:
        return Button(f"{name}:{piece}:{version}", self._words.say(locale, label or f"button-{name}"), row)


def _id(name: str, version: Version, argument: str) -> str:
    return f"{name}:{version.piece}:{version.number}:{argument}"
