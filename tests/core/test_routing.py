"""What a message wants, with and without a song to speak of."""

from __future__ import annotations

import pytest

from bot.wiring import Knowledge
from core.brief.brief import Brief
from core.brief.reading import read
from core.brief.revising import changes, names_a_song
from core.editing.edits import (
    AddPart,
    AddSection,
    Answer,
    BuildFrom,
    ChangeBars,
    ChangeTempo,
    Density,
    DropSection,
    Edit,
    Mute,
    Redo,
    Register,
    Reharmonise,
    ScaleTempo,
    SetBars,
    SetEnding,
    SetInstrument,
    SetKey,
    SetMeter,
    SetSwing,
    SetTempo,
    SetTitle,
    Transpose,
    Volume,
)  # fmt: skip
from tests.core.test_brief import BriefOf

WITH_A_SONG = {
    "revise": (
        "no drums", "in G minor", "不要鼓", "now without drums", "it's too fast", "太快了", "the drums are too loud",
        "what if it was in A minor?", "play it on violin", "用小提琴演奏", "add strings", "more energetic", "高八度",
        "another one in G", "can you play it slower?", "make it jazz", "now as a waltz", "改成爵士",
        "make it less dark",
        "把速度改成80",
        "把鼓去掉好吗？", "a bit slower", "I don't like it", "换成大提琴",
    ),
    "compose": (
        "a rock song about change and hope", "write a waltz", "a reggae tune for my songs playlist", "写一首爵士乐",
        "可以给我写首华尔兹吗？", "the harbour before the first ferry", "a song about how do i use my time",
        "make me a jig in D", "一首欢快的歌",
        "jazz in F, 32 bars", "rock, 16 bars", "爵士乐，F大调",
    ),
    "question": ("what is a tritone?", "Do you like jazz?", "什么是三全音？", "why is minor sad?"),
    "undo": ("undo", "go back", "撤销"),
    "library": ("my songs", "show my songs", "我的歌"),
    "help": ("help", "what can you do", "你会做什么"),
    "small talk": ("hello", "thanks!", "谢谢", "love it"),
}  # fmt: skip
WITHOUT = {
    "compose": ("a sad song", "lo-fi", "in G minor", "a lighthouse at dusk", "爵士乐"),
    "question": ("what is a chord?", "为什么小调悲伤？"),
    "help": ("help",),
    "small talk": ("hi", "你好"),
}


def intent(known: Knowledge, text: str, brief: Brief | None) -> str:
    musical = not read(text, known.lexicon).empty
    own = names_a_song(text, known.lexicon)
    changing = brief is not None and not own and not changes(text, brief, known.lexicon, known.catalogue).empty
    return known.router.intent(text, brief is not None, musical, changing)


@pytest.mark.parametrize(("wanted", "text"), [(i, t) for i, texts in WITH_A_SONG.items() for t in texts])
def test_a_message_beside_a_song(known: Knowledge, brief_of: BriefOf, wanted: str, text: str) -> None:
    assert intent(known, text, brief_of("a pop song in C at 100 bpm, 16 bars", 1)) == wanted


@pytest.mark.parametrize(("wanted", "text"), [(i, t) for i, texts in WITHOUT.items() for t in texts])
def test_a_message_without_a_song(known: Knowledge, wanted: str, text: str) -> None:
    assert intent(known, text, None) == wanted


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        ("make it 10 bpm faster", (ChangeTempo(10),)),
        ("20% slower", (ScaleTempo(0.8),)),
        ("double the tempo", (ScaleTempo(2),)),
        ("set the tempo to 140", (SetTempo(140),)),
        ("transpose up 5 semitones", (Transpose(5),)),
        ("transpose it up a minor third", (Transpose(3),)),
        ("make it two octaves higher", (Transpose(24),)),
        ("the melody an octave higher", (Register("melody", 1),)),
        ("to the relative minor", (SetKey(3, "minor"),)),
        ("put it in 3/4", (SetMeter(3, 4, (1, 1, 1)),)),
        ("make it 24 bars", (SetBars(24),)),
        ("make it 4 bars longer", (ChangeBars(4),)),
        ("加长到二十四小节", (SetBars(24),)),
        ("shorter please", (ChangeBars(-8),)),
        ("add a bridge", (AddSection("bridge"),)),
        ("drop the chorus", (DropSection("chorus"),)),
        ("add a cello below the melody", (AddPart("cello"),)),
        ("add a flute above, answering", (AddPart("flute", True, "answering"),)),
        ("remove the bass", (Mute("bass"),)),
        ("把鼓去掉", (Mute("drums"),)),
        ("replace the piano with a harp", (SetInstrument("chords", "harp"),)),
        (
            "change the melody to oboe and the chords to harp",
            (SetInstrument("melody", "oboe"), SetInstrument("chords", "harp")),
        ),
        ("make the bass louder", (Volume("bass", 4.0),)),
        ("too many notes", (Density(more=False),)),
        ("richer chords", (Reharmonise("richer"),)),
        ("end on a plagal cadence", (SetEnding("plagal"),)),
        ("把结尾改成淡出", (SetEnding("fade"),)),
        ("let the second half answer the first", (Answer(),)),
        ("build from bar 9", (BuildFrom(9),)),
        ("redo bars 3-4", (Redo(3, 4),)),
        ("重写第五到第八小节", (Redo(5, 8),)),
        ("swing it", (SetSwing(0.64),)),
        ("call it Blue Moon", (SetTitle("Blue Moon"),)),
        ("faster, in C minor, and no drums", (ScaleTempo(1.12), SetKey(0, "minor"), Mute("drums"))),
    ],
)
def test_words_become_edits(known: Knowledge, brief_of: BriefOf, text: str, edits: tuple[Edit, ...]) -> None:
    brief = brief_of("a pop song in C at 100 bpm with violin and piano, 16 bars", 1)
    found = changes(text, brief, known.lexicon, known.catalogue)
    assert set(found.edits) == set(edits)
    assert found.ask is None


def test_a_new_genre_is_composed_anew_and_keeps_what_was_edited(known: Knowledge, brief_of: BriefOf) -> None:
    found = changes("make it jazz, and faster", brief_of("a pop song in C", 1), known.lexicon, known.catalogue)
    assert found.ask is not None
    assert found.ask.genres == ("jazz",)
    assert found.ask.tonic == 0
    assert found.edits == (ScaleTempo(1.12),)
