"""Every word a user sees, from the Fluent catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from fluent.runtime import FluentBundle, FluentResource

from core.brief.brief import Remark
from core.messages import Message
from core.music import pitch
from core.music.catalogue import Catalogue
from core.music.keys import Key
from core.notation.problems import Problem

LOCALES = ("en", "zh")
_HAN = re.compile(r"[\u4e00-\u9fff]")


def locale_of(text: str, fallback: str = "en") -> str:
    """The language of a message: Chinese where it holds Chinese characters; the fallback where it holds no word."""
    if _HAN.search(text):
        return "zh"
    return "en" if re.search(r"[A-Za-z]{2,}", text) else fallback


def spoken(message: Message, earlier: str | None = None) -> str:
    """The language to answer a message in: the one chosen, else that of its words, of the song it speaks of (`earlier`
    words), or of the person's device.
    """
    if message.locale in LOCALES:
        return message.locale
    if not message.worded:
        message = replace(message, text="")
    device = message.language if message.language in LOCALES else "en"
    # A command's name is the same in every language, and so is what opens a song.
    words = re.sub(r"^/(?:open|delete|compare)\b.*|^/\S*", "", message.text)
    return locale_of(words, device if earlier is None else locale_of(earlier, device))


class Words:
    """Says sentences by their id in one of the LOCALES."""

    def __init__(self, sources: Mapping[str, str], catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._instruments = {i.en[0].title(): name for name, i in catalogue.instruments.items()}
        self._bundles: dict[str, FluentBundle] = {}
        for locale, source in sources.items():
            bundle = FluentBundle([locale], use_isolating=False)
            bundle.add_resource(FluentResource(source))
            self._bundles[locale] = bundle

    def say(self, locale: str, code: str, **values: object) -> str:
        """The sentence; its bare id where the catalogue lacks it, which a test makes sure it does not."""
        bundle = self._bundles[locale if locale in self._bundles else "en"]
        if not bundle.has_message(code):
            return code
        pattern = bundle.get_message(code).value
        return str(bundle.format_pattern(pattern, dict(values))[0]) if pattern else code

    def remark(self, locale: str, told: Remark) -> str:
        values: dict[str, object] = dict(told.values)
        for name in ("genre", "moods"):
            if name in values:
                kind = "genre" if name == "genre" else "mood"
                values[name] = self.names(locale, kind, str(values[name]).split(", "))
        if told.code.startswith("diff-"):
            values = {key: self._part_names(locale, str(value)) for key, value in values.items()}
        if "what" in values:
            values["what"] = self.say(locale, f"field-{values['what']}")
        return self.say(locale, told.code, **values)

    def _part_names(self, locale: str, names: str) -> str:
        """Parts are called by their English instrument; a listener reads them in their own language."""
        if locale != "zh":
            return names
        found = []
        for name in names.split(", "):
            base, number = re.fullmatch(r"(.*?)( \d{1,4})?", name).groups()  # type: ignore[union-attr]
            instrument = self._instruments.get(base)
            word = (
                self.say(locale, "part-drums")
                if name == "Drums"
                else instrument and self.name(locale, "instrument", instrument)
            )
            found.append(f"{word}{number or ''}" if word else name)
        return self.say(locale, "list-joint").join(found)

    def remarks(self, locale: str, told: Iterable[Remark]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.remark(locale, each) for each in told))

    def problem(self, locale: str, problem: Problem) -> str:
        """Where in written music something is wrong, what it is, and how to mend it."""
        places = [("voice", problem.voice and problem.voice != "1"), ("bar", problem.bar)]
        places.append(("column" if problem.column else "line", problem.line))
        values: dict[str, object] = dict(problem.remark.values)
        found = [self.say(locale, f"notation-place-{name}", **values) for name, there in places if there]
        what = self.say(locale, problem.code, **values)
        return self.say(locale, "notation-told", place=", ".join(found), what=what) if found else what

    def name(self, locale: str, kind: str, value: str) -> str:
        """A genre, mood, form or instrument as it is called in the language."""
        tables: dict[str, Mapping[str, object]] = {
            "genre": self._catalogue.styles, "mood": self._catalogue.moods, "form": self._catalogue.forms,
            "instrument": self._catalogue.instruments,
        }  # fmt: skip
        entry = tables[kind].get(value)
        names = getattr(entry, "zh" if locale == "zh" else "en", ()) if entry else ()
        if kind == "form" and locale != "zh":
            return value
        return names[0] if names else value

    def names(self, locale: str, kind: str, values: Iterable[str]) -> str:
        return self.say(locale, "list-joint").join(self.name(locale, kind, v) for v in values if v)

    def key(self, locale: str, key: Key) -> str:
        """`A minor`, `A小调`, `B♭ dorian`."""
        mode = self.say(locale, f"mode-{key.mode.replace(' ', '-')}")
        return self.say(locale, "key-name", tonic=pitch.pretty(key.tonic), mode=mode)
