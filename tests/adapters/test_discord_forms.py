"""Our looks in Discord's form obey its limits, whatever they hold; its commands become words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.discord.forms import MOST_DESCRIPTION, MOST_TEXT, commands, components, inert, measure, payload
from adapters.discord.translate import Handle, _slash, fields_of
from adapters.encoding import mp3_bytes, seconds_of, waveform, within
from bot.wiring import Knowledge
from core.events import Button
from core.looks import Look, split

LABELS = st.text(min_size=1, max_size=120)
ROWS = st.lists(st.lists(LABELS, min_size=1, max_size=7), max_size=12)
TEXTS = st.text(st.sampled_from("ab *_`~|>#-@<!\n🎵"), max_size=9000)


def rows_of(labels: list[list[str]]) -> tuple[tuple[Button, ...], ...]:
    return tuple(
        tuple(Button(f"b:{row}:{place}", label) for place, label in enumerate(names))
        for row, names in enumerate(labels)
    )


@settings(max_examples=60, deadline=None)
@given(TEXTS, ROWS, st.booleans())
def test_every_part_of_a_message_obeys_its_own_limit(text: str, labels: list[list[str]], song: bool) -> None:
    most = MOST_DESCRIPTION if song else MOST_TEXT
    first, *_ = split(f"♪ A Song\n{text}" if song else text, most, measure)
    body = payload(Look(first, rows_of(labels), "A Song" if song else "", {}, final=True))
    assert len(body["content"]) <= 2000
    for embed in body["embeds"]:
        assert len(embed["title"]) <= 256
        assert len(embed["description"]) <= 4096
    found = body["components"]
    assert len(found) <= 5
    ids = []
    for row in found:
        assert 1 <= len(row["components"]) <= 5
        for part in row["components"]:
            ids.append(part["custom_id"])
            assert len(part.get("label", "")) <= 80
            options = part.get("options", [])
            assert len(options) <= 25
            assert len({option["value"] for option in options}) == len(options)
    assert len(set(ids)) == len(ids)
    assert body["allowed_mentions"] == {"parse": [], "replied_user": False}


def test_many_buttons_become_a_select_and_the_last_row_stays() -> None:
    found = components(rows_of([["a", "b"]] * 6 + [["back"]]))
    assert [part["type"] for row in found for part in row["components"]] == [3, 2]
    assert [o["label"] for o in found[0]["components"][0]["options"]] == ["a", "b"] * 6


def test_markdown_is_escaped_except_in_what_is_markdown() -> None:
    assert payload(Look("a *b*", final=True))["content"] == r"a \*b\*"
    assert payload(Look("a *b*", markdown=True, final=True))["content"] == "a *b*"
    assert payload(Look("a *b*", markdown=True))["content"] == r"a \*b\*"


def test_the_commands_are_what_discord_takes(known: Knowledge) -> None:
    found = commands(known.words.say)
    assert len({(command["type"], command["name"]) for command in found}) == len(found)
    for command in found:
        if command["type"] == 1:
            assert 1 <= len(command["description"]) <= 100
            assert command["name_localizations"]["zh-CN"] != command["name"]
            assert all(1 <= len(option["description"]) <= 100 for option in command["options"])
    assert {"Remix this", "Render this ABC"} <= {command["name"] for command in found}


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        (
            "compose",
            {"words": "a calm tune", "key": "F", "tempo": 90, "bars": 8},
            "/compose a calm tune, in F, at 90 bpm, 8 bars",
        ),
        ("compose", {"style": "jig", "instrument": "flute"}, "/compose jig, for flute"),
        ("compose", {}, "/compose"),
        ("revise", {"words": "faster"}, "faster"),
        ("open", {"song": "3"}, "/open 3"),
        ("help", {}, "/help"),
    ],
)
def test_options_become_words(name: str, options: dict[str, Any], text: str) -> None:
    given = [{"name": key, "value": value} for key, value in options.items()]
    assert _slash({"name": name, "options": given}) == (text, ())


def test_a_file_comes_with_what_to_do_with_it() -> None:
    file = {"url": "http://x/a", "filename": "a.mid", "size": 3, "content_type": "audio/midi"}
    data = {
        "name": "compose", "options": [{"name": "file", "value": "9"}, {"name": "key", "value": "A"}],
        "resolved": {"attachments": {"9": file}},
    }  # fmt: skip
    text, (attachment,) = _slash(data)
    assert text == "in A"
    assert (attachment.name, attachment.kind, attachment.source) == ("a.mid", "file", "http://x/a")


def test_the_words_of_a_modal_are_found_in_either_form() -> None:
    field = {"type": 4, "custom_id": "words", "value": "in D"}
    assert list(fields_of([{"type": 1, "components": [field]}])) == ["in D"]
    assert list(fields_of([{"type": 18, "component": field}])) == ["in D"]


def test_a_handle_survives_being_written_down() -> None:
    handle = Handle("press", 12, 10_000, "a token")
    assert Handle.of(str(handle)) == handle
    assert Handle.of("") is None


def test_audio_gets_smaller_or_is_given_up(tmp_path: Path) -> None:
    rate = 44_100
    tone = np.sin(np.arange(rate * 8) * 0.05) * np.linspace(0, 0.8, rate * 8)
    path = tmp_path / "a.mp3"
    path.write_bytes(mp3_bytes(np.stack([tone, tone]), rate))
    size = path.stat().st_size
    assert within(path, size) == path
    smaller = within(path, size // 2)
    assert smaller is not None
    assert smaller.stat().st_size <= size // 2
    assert seconds_of(smaller) == pytest.approx(8, abs=0.2)
    assert within(path, 20_000) is None
    wave = waveform(path)
    assert len(wave) == 200
    assert wave[10] < wave[100] < wave[190] <= 255


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("[a](b) [Free Nitro](https://evil.example)", "\\[a\\](b) \\[Free Nitro\\](https://evil.example)"),
        ("https://x|[F](https://e.example)", "https://x\\|\\[F\\](https://e.example)"),
        ("**loud** # no\n# heading\n- list\n1. first", "\\*\\*loud\\*\\* # no\n\\# heading\n\\- list\n1\\. first"),
        ("<@1> <#2> </a:3>", "\\<@1\\> \\<#2\\> \\</a:3\\>"),
    ],
)
def test_what_people_write_is_inert(words: str, shown: str) -> None:
    assert payload(Look(words))["content"] == shown


def test_a_channel_that_we_name_stays_one() -> None:
    assert inert("It is in <#77>. [x](https://e.example)") == "It is in <#77>. \\[x\\](https://e.example)"
