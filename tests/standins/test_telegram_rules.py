"""The stand-in's rules about pace and markup, without a server."""

from __future__ import annotations

import pytest

from tests.standins.telegram import limits, markup, text
from tests.standins.telegram.limits import Rates
from tests.standins.telegram.values import Refusal


def test_groups_and_the_whole_bot_have_limits_of_their_own() -> None:
    rates = Rates()
    steady = [rates.charge(1, group=True, calls=1, now=float(n)) for n in range(21)]
    assert steady == [None] * limits.GROUP_CALLS + [40]
    assert rates.charge(1, group=True, calls=1, now=60.0) is None
    assert [rates.charge(n, group=False, calls=1, now=100.0) for n in range(10, 41)] == [None] * 30 + [1]


def test_an_album_leaves_a_debt() -> None:
    rates = Rates()
    assert rates.charge(2, group=True, calls=10, now=0.0) is None
    assert rates.charge(2, group=True, calls=1, now=1.0) == 7
    assert rates.charge(2, group=True, calls=1, now=8.0) is None


@pytest.mark.parametrize(
    ("mode", "written"),
    [
        ("HTML", '🎵 <b>a &lt; b</b> <a href="https://e.org">x</a> <pre><code class="language-abc">K:C</code></pre>'),
        ("MarkdownV2", "🎵 *a < b* [x](https://e.org) ```abc\nK:C```"),
        ("Markdown", "🎵 *a < b* [x](https://e.org) ```abc\nK:C```"),
    ],
)
def test_markup_becomes_entities(mode: str, written: str) -> None:
    plain, entities = markup.parsed(written, mode)
    assert plain == "🎵 a < b x K:C"
    found = {(e["type"], e["offset"], e["length"]) for e in entities}
    assert found >= {("bold", 3, 5), ("text_link", 9, 1), ("pre", 11, 3)}


@pytest.mark.parametrize("written", ["_a *b_ c*", "`a", "```a``", "[a](b", "a - b", "a!", "_a", "||a", "~~~"])
def test_unbalanced_markdown_is_refused(written: str) -> None:
    with pytest.raises(Refusal, match="can't parse entities"):
        markup.parsed(written, "MarkdownV2")


def test_white_space_around_a_text_goes_and_entities_follow() -> None:
    bold = {"type": "bold", "offset": 3, "length": 4}
    assert text.fixed("\n  ab  ", [bold]) == ("ab", [{"type": "bold", "offset": 0, "length": 2}])


def test_a_mention_in_code_is_none() -> None:
    code = {"type": "code", "offset": 0, "length": 8}
    _, entities = text.fixed("@ann_lee @bob_lee", [code])
    assert [(e["type"], e["offset"]) for e in entities] == [("code", 0), ("mention", 9)]
