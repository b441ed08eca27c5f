"""What a language model may get wrong in ABC: each fault caught, with its code and its place."""

from __future__ import annotations

import pytest

from bot.wiring import Knowledge
from core.notation.abc.reader import check_abc
from core.notation.problems import Problem

HEAD = "X:1\nT:Test\nM:4/4\nL:1/8\nK:C\n"
TWO = "X:1\nT:Two\nM:4/4\nL:1/8\nV:1\nV:2\nK:C\n"


def tune(body: str, head: str = HEAD) -> str:
    return head + body + "\n"


# code, the tune, (voice, bar, line, column) of the fault; 0 where it has no such place
WRONG: list[tuple[str, str, tuple[str, int, int, int]]] = [
    ("abc-empty", "", ("", 0, 0, 0)),
    ("abc-empty", "   \n\n", ("", 0, 0, 0)),
    ("abc-empty", HEAD, ("", 0, 0, 0)),
    ("abc-fenced", "```abc\n" + tune("CDEF GABc|]") + "```", ("", 0, 1, 0)),
    ("abc-fenced", "~~~\n" + tune("CDEF GABc|]") + "~~~", ("", 0, 1, 0)),
    ("abc-many", tune("CDEF GABc|]") + "\n" + tune("CDEF GABc|]"), ("", 0, 8, 0)),
    ("abc-header-missing", "T:x\nM:4/4\nL:1/8\nK:C\nCDEF GABc|]", ("", 0, 1, 0)),
    ("abc-header-missing", "X:1\nM:4/4\nL:1/8\nK:C\nCDEF GABc|]", ("", 0, 1, 0)),
    ("abc-header-missing", "X:1\nT:x\nL:1/8\nK:C\nCDEF GABc|]", ("", 0, 1, 0)),
    ("abc-header-missing", "X:1\nT:x\nM:4/4\nK:C\nCDEF GABc|]", ("", 0, 1, 0)),
    ("abc-header-order", "T:x\nX:1\nM:4/4\nL:1/8\nK:C\nCDEF GABc|]", ("", 0, 1, 0)),
    ("abc-header-missing", "X:1\nM:4/4\nL:1/8\nK:C\nT:x\nCDEF GABc|]", ("", 0, 1, 0)),
    ("abc-header-line", "X:1\nT:x\nHere you are\nM:4/4\nL:1/8\nK:C\nCDEF GABc|]", ("", 0, 3, 1)),
    ("abc-no-key", "X:1\nT:x\nM:4/4\nL:1/8\nCDEF GABc|]", ("", 0, 1, 0)),
    ("abc-key", "X:1\nT:x\nM:4/4\nL:1/8\nK:X\nCDEF GABc|]", ("", 0, 5, 3)),
    ("abc-key", "X:1\nT:x\nM:4/4\nL:1/8\nK:Cfoo\nCDEF GABc|]", ("", 0, 5, 3)),
    ("abc-key", tune("CDEF GABc|[K:Q]CDEF GABc|]"), ("1", 2, 6, 14)),
    ("abc-meter", "X:1\nT:x\nM:4/3\nL:1/8\nK:C\nCDEF GABc|]", ("", 0, 3, 3)),
    ("abc-meter", "X:1\nT:x\nM:four\nL:1/8\nK:C\nCDEF GABc|]", ("", 0, 3, 3)),
    ("abc-meter", "X:1\nT:x\nM:0/4\nL:1/8\nK:C\nCDEF GABc|]", ("", 0, 3, 3)),
    ("abc-unit", "X:1\nT:x\nM:4/4\nL:0\nK:C\nCDEF GABc|]", ("", 0, 4, 3)),
    ("abc-unit", "X:1\nT:x\nM:4/4\nL:eighth\nK:C\nCDEF GABc|]", ("", 0, 4, 3)),
    ("abc-tempo", "X:1\nT:x\nM:4/4\nL:1/8\nQ:fast\nK:C\nCDEF GABc|]", ("", 0, 5, 3)),
    ("abc-tempo", "X:1\nT:x\nM:4/4\nL:1/8\nQ:1/4=9999\nK:C\nCDEF GABc|]", ("", 0, 5, 3)),
    ("abc-program", HEAD + "%%MIDI program 300\nCDEF GABc|]", ("", 0, 6, 1)),
    ("abc-program", HEAD + "%%MIDI channel 0\nCDEF GABc|]", ("", 0, 6, 1)),
    ("abc-token", tune("CDEF GA\\Bc~#d|]"), ("1", 1, 6, 12)),
    ("abc-token", tune("CDEF GAB§c|]"), ("1", 1, 6, 9)),
    ("abc-token", tune("CDEF GABc !|]"), ("1", 1, 6, 11)),
    ("abc-length", tune("CDEF GABc/0|]"), ("1", 1, 6, 9)),
    ("abc-length", tune("C0DEF GABcd|]"), ("1", 1, 6, 1)),
    ("abc-length", tune("CDEF GAz99999999|]"), ("1", 1, 6, 8)),
    ("abc-overfull", tune("CDEF GABc d|CDEF GABc|]"), ("1", 1, 6, 1)),
    ("abc-overfull", tune("CDEF GABc|CDEF GABc>d e|]"), ("1", 2, 6, 11)),
    ("abc-overfull", "X:1\nT:x\nM:7/8\nL:1/8\nK:C\nCDEFGAB|CDEFGABc|]", ("1", 2, 6, 9)),
    ("abc-underfull", tune("CDEF GABc|CDEF GAB|CDEF GABc|]"), ("1", 2, 6, 11)),
    ("abc-underfull", tune("CDEF GABc|CDEF|CDEF GABc|]"), ("1", 2, 6, 11)),
    ("abc-underfull", tune("CDEF GABc|C2 z|]"), ("1", 2, 6, 11)),
    ("abc-empty-bar", tune("CDEF GABc| |CDEF GABc|]"), ("1", 2, 6, 12)),
    ("abc-pickup", tune("G|CDEF GABc|CDEF GABc|]"), ("1", 3, 6, 13)),
    ("abc-pickup", tune("G2|CDEF GABc|CDEF G|]"), ("1", 3, 6, 14)),
    ("abc-tuplet", tune("CDEF GA (3Bcd|(3CDE FG AB (3cd|]"), ("1", 2, 6, 27)),
    ("abc-tuplet", tune("CDEF G2 (3AB|CDEF GABc|]"), ("1", 1, 6, 9)),
    ("abc-tuplet", tune("(3(3CDE FGABc|]"), ("1", 1, 6, 3)),
    ("abc-broken", tune(">CD EF GABc|]"), ("1", 1, 6, 1)),
    ("abc-broken", tune("CDEF GABc>|CDEF GABc|]"), ("1", 1, 6, 10)),
    ("abc-broken", tune("CD><EF GABc|]"), ("1", 1, 6, 4)),
    ("abc-tie", tune("CDEF GAB-c|]"), ("1", 1, 6, 8)),
    ("abc-tie", tune("CDEF GABc-|]"), ("1", 1, 6, 9)),
    ("abc-tie", tune("-CDEF GABc|]"), ("1", 1, 6, 1)),
    ("abc-tie", tune("CDEF GAB-z|]"), ("1", 1, 6, 8)),
    ("abc-tie", tune("[CE]4-[CF]4|]"), ("1", 1, 6, 1)),
    ("abc-chord-open", tune("CDEF [CEG|]"), ("1", 1, 6, 6)),
    ("abc-chord-empty", tune("CDEF [] GABc|]"), ("1", 1, 6, 6)),
    ("abc-chord-unequal", tune("[C2EG]2 CDEFGA|]"), ("1", 1, 6, 1)),
    ("abc-chord-unequal", tune("CDEF GA [cE2]2|]"), ("1", 1, 6, 9)),
    ("abc-chord-symbol", tune('"Slowly"CDEF GABc|]'), ("1", 1, 6, 9)),
    ("abc-chord-symbol", tune('"C"CDEF "Hm7"GABc|]'), ("1", 1, 6, 4)),
    ("abc-quote-open", tune('"CDEF GABc|]'), ("1", 1, 6, 1)),
    ("abc-grace-open", tune("{cCDEF GABc|]"), ("1", 1, 6, 1)),
    ("abc-voice-undeclared", tune("[V:1]CDEF GABc|]\n[V:3]CDEF GABc|]", TWO), ("1", 2, 9, 4)),
    ("abc-voice-undeclared", HEAD + "V:2\nCDEF GABc|]", ("", 0, 6, 3)),
    ("abc-voice-length", tune("[V:1]CDEF GABc|CDEF GABc|]\n[V:2]CDEF GABc|]", TWO), ("2", 1, 0, 0)),
    ("abc-overlay", tune("CDEF GABc & C4 D2|]"), ("1", 1, 6, 13)),
    ("abc-rest-meter", "X:1\nT:x\nM:none\nL:1/8\nK:C\nCDEF|Z2|]", ("1", 2, 6, 6)),
    ("abc-range", tune("CDEF GABc''''''|]"), ("1", 1, 6, 9)),
    ("abc-range", tune("CDEF GABC,,,,|]"), ("1", 1, 6, 9)),
    ("abc-syllables", tune("CDEF GABc|]\nw: one two three"), ("1", 2, 7, 1)),
    ("abc-syllables", tune("C4 E4|]\nw: one two three four"), ("1", 2, 7, 1)),
    ("abc-too-long", HEAD + "CDEF GABc|\n" * 60_000, ("", 0, 0, 0)),
]  # fmt: skip


def test_there_are_enough_of_them() -> None:
    assert len(WRONG) >= 60


@pytest.mark.parametrize(("code", "text", "place"), WRONG, ids=[f"{i}-{row[0]}" for i, row in enumerate(WRONG)])
def test_a_fault_is_caught_with_its_place(code: str, text: str, place: tuple[str, int, int, int]) -> None:
    read, problems = check_abc(text)
    assert read is None
    found = [problem for problem in problems if problem.code == code]
    assert found, [problem.code for problem in problems]
    assert (found[0].voice, found[0].bar, found[0].line, found[0].column) == place


def test_a_length_problem_says_what_was_expected() -> None:
    _, problems = check_abc(tune("CDEF GABc d|CDEF GABc|]"))
    assert problems == (Problem("abc-overfull", "1", 1, 6, 1, "4/4", "9/8", "1/8"),)


def test_every_code_has_its_sentence_in_both_languages(known: Knowledge) -> None:
    for locale in ("en", "zh"):
        for code in {row[0] for row in WRONG}:
            told = known.words.problem(locale, Problem(code, "2", 7, 12, 5, "4/4", "9/8", "1/8"))
            assert code not in told
            assert "12" in told
            assert "{" not in told


@pytest.mark.parametrize(
    "body",
    ["G|CDEF GABc|CDEF GAB|]", "|:CDEF GABc:|", "(3CDE FG AB c2|]", "C>D E<F G2 c2|]", "C8-|C8|]",
     "[CEG]4 [DFA]4|]", '"Am"CDEF "N.C."GABc|]', "{c}CDEF !trill!GABc|]", "C8 & E8|]", "z8|Z|C8|]",
     "CDEF GABc|]\nw: a b c d e f g h"],
)  # fmt: skip
def test_good_abc_has_no_problem(body: str) -> None:
    read, problems = check_abc(tune(body))
    assert problems == ()
    assert read is not None
