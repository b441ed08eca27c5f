"""What somebody may mean while they are still typing: styles and instruments by their names."""

from __future__ import annotations

from collections.abc import Mapping

from core.localisation import Words
from core.music.catalogue import Catalogue


def suggestions(words: Words, catalogue: Catalogue, kind: str, typed: str, locale: str) -> list[tuple[str, str]]:
    """Labels in the person's language, and the words they stand for; what begins so comes first. `kind`: style or
    instrument.
    """
    tables: dict[str, tuple[str, Mapping[str, object]]] = {
        "style": ("genre", catalogue.styles), "instrument": ("instrument", catalogue.instruments),
    }  # fmt: skip
    if kind not in tables:
        return []
    name, table = tables[kind]
    wanted = typed.strip().lower()
    found = []
    for value, entry in table.items():
        spellings = [spelling.lower() for spelling in (*getattr(entry, "en", ()), *getattr(entry, "zh", ()))]
        rank = 0 if any(s.startswith(wanted) for s in spellings) else 1 if any(wanted in s for s in spellings) else 2
        if rank < 2:
            found.append((rank, words.name(locale, name, value), words.name("en", name, value)))
    return [(label, value) for _, label, value in sorted(found)]
