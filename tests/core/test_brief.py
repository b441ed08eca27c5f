"""What a sentence asks for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.wiring import Knowledge
from core.brief.brief import Ask, Brief, PartAsk
from core.brief.numbers import normalised
from core.brief.reading import read
from core.brief.revising import changes
from core.editing.edits import Mute, ScaleTempo, SetInstrument, SetKey, SetTempo
from core.music import pitch

BriefOf = Callable[[str, int], Brief]


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("twelve bars", "12 bars"),
        ("one hundred and twenty bpm", "120 bpm"),
        ("seventy-five", "75"),
        ("thirty two bars", "32 bars"),
        ("a hundred", "100"),
        ("a dozen bars", "12 bars"),
        ("half a minute", "0.5 minutes"),
        ("two and a half minutes", "2.5 minutes"),
        ("十六小节", "16小节"),
        ("一百二十拍", "120拍"),
        ("二十四", "24"),
        ("半分钟", "0.5分钟"),
        ("一分半", "1.5分钟"),
        ("Ｃｍ７", "Cm7"),
    ],
)
def test_numbers_in_words_become_digits(words: str, digits: str) -> None:
    assert normalised(words) == digits


@pytest.mark.parametrize(
    ("text", "tonic", "mode"),
    [
        ("something in b minor", "B", "minor"),
        ("in C sharp", "C#", None),
        ("in A flat major", "Ab", "major"),
        ("降B大调", "Bb", "major"),
        ("升F小调", "F#", "minor"),
        ("A小调", "A", "minor"),
        ("a tune in Am", "A", "minor"),
        ("F#m please", "F#", "minor"),
        ("Bb major pop", "Bb", "major"),
        ("in the key of g", "G", None),
        ("D dorian", "D", "dorian"),
        ("e phrygian metal", "E", "phrygian"),
        ("E flat mixolydian", "Eb", "mixolydian"),
        ("G harmonic minor", "G", "harmonic minor"),
        ("C♯ minor", "C#", "minor"),
        ("B♭ lydian", "Bb", "lydian"),
        ("a sad song in a minor key", None, "minor"),
        ("a blues", None, None),
        ("a major work of art in F", "F", None),
        ("D五声音阶", "D", "pentatonic"),
        ("I am happy", None, None),
        ("a ballad", None, None),
        ("g minor", "G", "minor"),
    ],
)
def test_the_key_is_read(known: Knowledge, text: str, tonic: str | None, mode: str | None) -> None:
    ask = read(text, known.lexicon)
    assert (None if ask.tonic is None else pitch.name(ask.tonic)) == tonic
    assert ask.mode == mode or (mode is None and ask.mode in (None, "major"))


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("at 75 bpm", "tempo", 75),
        ("tempo 132", "tempo", 132),
        ("每分钟九十拍", "tempo", 90),
        ("dotted quarter = 60", "tempo", 90),
        ("an andante", "tempo", 84),
        ("行板", "tempo", 84),
        ("sixteen bars", "bars", 16),
        ("32-bar song", "bars", 32),
        ("八小节", "bars", 8),
        ("half a minute", "seconds", 30),
        ("1:30 long", "seconds", 90),
        ("two minutes", "seconds", 120),
        ("两分钟", "seconds", 120),
        ("45 seconds", "seconds", 45),
        ("no drums", "excluded", ("drums",)),
        ("without drums or bass", "excluded", ("drums", "bass")),
        ("不要鼓", "excluded", ("drums",)),
        ("without drums and bass, a waltz", "genres", ("waltz",)),
        ("twelve-bar blues", "form", "12-bar blues"),
        ("AABA", "form", "aaba"),
        ("intro, two verses, chorus, outro", "sections", ("intro", "verse", "verse", "chorus", "outro")),
        ("a plagal cadence", "ending", "plagal"),
        ("fade out", "ending", "fade"),
        ("淡出", "ending", "fade"),
        ("drum and bass", "genres", ("drum-and-bass",)),
        ("a sad lo-fi ballad", "genres", ("lo-fi", "ballad")),
        ("忧郁的爵士乐", "genres", ("jazz",)),
        ("a string quartet", "ensemble", "string quartet"),
        ("a duet for flute and cello", "parts", (PartAsk("flute"), PartAsk("cello"))),
        ("小提琴和钢琴", "parts", (PartAsk("violin"), PartAsk("piano"))),
        ("trumpet leads, piano on chords", "parts", (PartAsk("trumpet", "melody"), PartAsk("piano", "chords"))),
        ("the harbour before the first ferry", "genres", ()),
        ("called Red Kite", "title", "Red Kite"),
    ],
)
def test_a_field_is_read(known: Knowledge, text: str, field: str, value: object) -> None:
    assert getattr(read(text, known.lexicon), field) == value


@pytest.mark.parametrize(
    ("text", "name", "grouping"),
    [
        ("7/8 as 2+2+3", "7/8", (2, 2, 3)),
        ("10/8 in 3+3+2+2", "10/8", (3, 3, 2, 2)),
        ("in 5/4", "5/4", (3, 2)),
        ("四三拍", "3/4", (1, 1, 1)),
        ("四分之三拍", "3/4", (1, 1, 1)),
        ("八六拍", "6/8", (3, 3)),
        ("cut time", "2/2", (1, 1)),
        ("12/8 time", "12/8", (3, 3, 3, 3)),
    ],
)
def test_the_meter_is_read_with_its_grouping(known: Knowledge, text: str, name: str, grouping: tuple[int, ...]) -> None:
    found = read(text, known.lexicon).meter
    assert found is not None
    assert (found.name, found.grouping) == (name, grouping)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a song with lyrics", "remark-cannot-vocals"),
        ("999 bpm", "remark-limit-tempo"),
        ("1000 bars", "remark-limit-bars"),
        ("16 bars, one minute", "remark-bars-over-seconds"),
        ("17/16 time", "remark-meter"),
        ("in G sharp major", "remark-respelled"),
        ("in C major and D minor", "remark-only-first"),
        ("7/8 as 3+3+3", "remark-grouping"),
        ("带歌词的歌", "remark-cannot-vocals"),
    ],
)
def test_what_cannot_be_honoured_is_said(known: Knowledge, text: str, code: str) -> None:
    assert code in [remark.code for remark in read(text, known.lexicon).remarks]


def test_every_field_says_whether_it_was_asked_for(brief_of: BriefOf) -> None:
    brief = brief_of("a sad waltz in D", 3)
    assert {"moods", "genre", "key"} <= brief.asked
    assert not {"tempo", "bars", "form", "parts"} & brief.asked


def test_seconds_decide_the_length(brief_of: BriefOf) -> None:
    for text in ("thirty seconds of rock", "90 seconds of jazz", "half a minute, 6/8"):
        brief = brief_of(text, 4)
        length = brief.bars * brief.meter.bar / 5040 * 60 / brief.tempo
        assert abs(length - (brief.ask.seconds or 0)) < 1.0


def test_words_that_say_nothing_musical_become_a_mood_and_the_listener_is_told(brief_of: BriefOf) -> None:
    brief = brief_of("the harbour before the first ferry", 5)
    assert brief.moods
    assert brief.title == "The harbour before the first ferry"
    assert "remark-read-as-mood" in [remark.code for remark in brief.remarks]
    assert brief == brief_of("the harbour before the first ferry", 5)


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        ("make it faster", (ScaleTempo(1.12),)),
        ("慢一点", (ScaleTempo(0.88),)),
        ("again, in G minor", (SetKey(1, "minor"),)),
        ("at 90 bpm", (SetTempo(90),)),
        ("no drums", (Mute("drums"),)),
        ("with a flute instead", (SetInstrument("melody", "flute"),)),
        ("换成大提琴", (SetInstrument("melody", "cello"),)),
    ],
)
def test_a_change_is_read_as_edits(known: Knowledge, brief_of: BriefOf, text: str, edits: tuple[object, ...]) -> None:
    found = changes(text, brief_of("a pop song in C", 1), known.lexicon, known.catalogue)
    assert found.edits == edits
    assert found.ask is None


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=80))
def test_any_text_is_read_without_a_fault(known: Knowledge, text: str) -> None:
    assert isinstance(read(text, known.lexicon), Ask)
