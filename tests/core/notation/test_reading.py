"""What people send: ABC from anywhere, MIDI from anything, MusicXML from any program; and rubbish."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mido
import music21
import pytest
from music21 import converter

from core.music import pitch
from core.music.meter import QUARTER
from core.music.score import Score
from core.notation.abc.reader import parted, read_abc
from core.notation.midi import midi_bytes
from core.notation.midi_reader import read_midi
from core.notation.musicxml import musicxml_bytes
from core.notation.musicxml_reader import read_musicxml, read_sheet
from core.notation.problems import UnreadableNotation
from core.notation.reading import read_notation

CORPUS = Path(music21.__file__).parent / "corpus"


def abc(body: str, head: str = "M:4/4\nL:1/8\nK:C\n") -> Score:
    return read_abc(f"X:1\nT:x\n{head}{body}\n").score


def names(score: Score, part: int = 0) -> str:
    return " ".join(
        pitch.name(n.tpc) + str(pitch.octave(n.pitch, n.tpc)) for n in score.parts[part].notes
    )  # fmt: skip


def test_all_notes_of_a_repeat_in_the_middle_are_kept() -> None:
    score = abc("|:FEF G2 A::BAB dBG:|", "M:6/8\nL:1/8\nK:G\n")
    assert len(score.parts[0].notes) == 22  # 11, each played twice
    assert score.bars == 4


@pytest.mark.parametrize(
    ("key", "notes"),
    [("ADor", "F#4 C4"), ("A mixolydian", "F#4 C#4"), ("Bb", "F4 C4"), ("F#m", "F#4 C#4"), ("Cb", "Fb4 Cb4"),
     ("none", "F4 C4"), ("D Phr ^f", "F#4 C4"), ("EM", "F#4 C4"), ("Hp", "F#4 C#4")],
)  # fmt: skip
def test_keys_of_every_kind(key: str, notes: str) -> None:
    assert names(abc("F4 C4|]", f"M:4/4\nL:1/8\nK:{key}\n")) == notes


@pytest.mark.parametrize(
    ("body", "notes"),
    [
        ("^FFF=F F2 z2|F8|]", "F#4 F#4 F#4 F4 F4 F4"),  # an accidental lasts to the bar's end
        ("^F4 f4|f8|]", "F#4 F#5 F5"),  # in every octave
        ("^F8-|F4 F4|]", "F#4 F4"),  # a tie carries it over the line, and no further
        ("C>D E<F G2 c2|]", "C4 D4 E4 F4 G4 C5"),
        ("(CDEF) (G2 A2)|]", "C4 D4 E4 F4 G4 A4"),  # a slur is no tuplet
        ("((3CDE) F2 (G2 A2)|]", "C4 D4 E4 F4 G4 A4"),
        ("{gab}c8|]", "C5"),
        ('"^slowly""Am"C4 "_x"D4|]', "C4 D4"),
        ("!trill!C4 ~D4|]", "C4 D4"),
    ],
)
def test_what_real_tunes_contain(body: str, notes: str) -> None:
    assert names(abc(body)) == notes


@pytest.mark.parametrize(
    ("tuplet", "lengths"),
    [("(3CDE", [1680] * 3), ("(2CD", [3780] * 2), ("(4CDEF", [1890] * 4), ("(3:2:4C2DEF", [3360, 1680, 1680, 1680]),
     ("(5CDEFG", [1512] * 5), ("(3C2D2E2", [3360] * 3), ("(6CDEFGA", [840] * 6)],
)  # fmt: skip
def test_tuplets(tuplet: str, lengths: list[int]) -> None:
    meter = "6/8" if tuplet.startswith(("(2", "(4", "(5")) else "4/4"
    score = read_abc(f"X:1\nT:x\nM:{meter}\nL:1/8\nK:C\n{tuplet}|]\n").score
    assert [note.duration for note in score.parts[0].notes] == lengths


def test_endings_are_played_in_their_passes() -> None:
    score = abc("|:C8|1D8:|2E8||F8|]")
    assert names(score) == "C4 D4 C4 E4 F4"
    assert names(abc("|:C8|[1,3 D8:|[2 E8:|[4 F8|]")) == "C4 D4 C4 E4 C4 D4 C4 F4"


def test_a_pickup_is_no_bar_of_its_own() -> None:
    score = abc("G|c2 d2 e2|c4 G:|", "M:3/4\nL:1/8\nK:C\n")
    assert score.pickup == QUARTER // 2
    assert score.even


def test_voices_overlays_lyrics_and_changes_come_through() -> None:
    text = (
        "X:1\nT:All\nM:3/4\nL:1/4\nQ:1/4=90\nV:1 name=\"Flute\"\nV:2 name=\"Cello\" clef=bass\nK:G\n"
        "[V:1]GAB|[K:D][M:4/4][Q:1/4=120]d2f2|]\nw: so long fare-\n[V:2]G,3 & B,,3|[M:4/4]D,4|]\n"
    )  # fmt: skip
    read = read_abc(text)
    assert [part.name for part in read.score.parts] == ["Flute", "Cello", "Cello 2"]
    assert [text for _, text in read.score.parts[0].lyrics][:2] == ["so", "long"]
    change = read.score.changes[0]
    assert (change.onset, change.meter and change.meter.name, change.tempo) == (3 * QUARTER, "4/4", 120)
    assert [problem.code for problem in read.warnings] == ["notation-two-voices"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
def test_any_encoding_and_line_end(encoding: str, end: str) -> None:
    text = end.join(["X:1", "T:Café", "M:4/4", "L:1/8", "K:C", "CDEF GABc|]", ""])
    kind, read = read_notation(text.encode(encoding))
    assert (kind, read.score.title) == ("abc", "Café")
    assert len(read.score.parts[0].notes) == 8


TUNE = "X:1\nT:x\nM:4/4\nL:1/8\nK:C\nCDEF GABc|CDEF GABc|]"


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (TUNE, ""), (TUNE + "\n\nThanks!", "Thanks!"), (TUNE + "\n\nBest, Ed", "Best, Ed"),
        (TUNE + "\n请加上鼓", "请加上鼓"), ("Add drums to this:\n\n" + TUNE, "Add drums to this:"),
        ("```abc\n" + TUNE + "\n```\nadd a bass", "add a bass"),
        ("hear this\n```\n" + TUNE + "\n```", "hear this"), ("> " + TUNE.replace("\n", "\n> "), ""),
        ("    " + TUNE.replace("\n", "\n    "), ""), (TUNE.replace("K:C\n", "K:C\n\n"), ""),
        (TUNE.replace("|CDEF GABc|]", "|\n\nCDEF GABc|]"), ""), ("K:C\nCDEF GABc|CDEF GABc|]", ""),
    ],
)  # fmt: skip
def test_a_tune_is_told_from_the_words_around_it(message: str, words: str) -> None:
    found = parted(message)
    assert found is not None
    assert found[1] == words
    assert len(read_abc(found[0]).score.parts[0].notes) == 16


@pytest.mark.parametrize(
    "message",
    ["make it in K: C please", "a song\nin two lines", "X: the file\nplease", "in F|G", "Dad had a bad egg",
     "write a happy song\nT: Sunny\nK:C\nmake it folk", "Meeting plan\nM: 3 pm\nK: bring Ken\nsee you | there"],
)  # fmt: skip
def test_a_message_is_no_tune(message: str) -> None:
    assert parted(message) is None


# MIDI


def played(*tracks: list[mido.Message | mido.MetaMessage], division: int = 480, kind: int = 1) -> bytes:
    file = mido.MidiFile(type=kind, ticks_per_beat=division)
    for track in tracks:
        file.tracks.append(mido.MidiTrack(track))
    out = io.BytesIO()
    file.save(file=out)
    return out.getvalue()


def note(key: int, length: int, wait: int = 0, channel: int = 0) -> list[mido.Message]:
    return [mido.Message("note_on", note=key, velocity=80, time=wait, channel=channel),
            mido.Message("note_off", note=key, time=length, channel=channel)]  # fmt: skip


def test_a_short_note_leaves_no_ghost_before_its_pitch_returns() -> None:
    read = read_midi(played([*note(60, 1), *note(60, 480, wait=479)]))
    first, second = read.score.parts[0].notes
    assert (first.onset, second.onset) == (0, QUARTER)
    assert first.duration < QUARTER


def test_a_data_byte_out_of_range_is_read_leniently() -> None:
    good = played(note(60, 480))
    bad = good.replace(b"MTrk", b"MTrk", 1)
    at = bad.index(b"MTrk") + 8
    size = int.from_bytes(bad[at - 4 : at], "big")
    bad = bad[: at - 4] + (size + 4).to_bytes(4, "big") + b"\x00\xb0\x07\xff" + bad[at:]
    read = read_midi(bad)
    assert [problem.code for problem in read.warnings] == ["midi-byte"]
    assert len(read.score.parts[0].notes) == 1


def test_tempo_events_of_any_track_hold_for_all() -> None:
    tempo = [mido.MetaMessage("set_tempo", tempo=1_000_000, time=960)]
    read = read_midi(played(note(60, 480), tempo, note(64, 3000)))
    assert [(change.onset, change.tempo) for change in read.score.changes] == [(2 * QUARTER, 60.0)]


def test_drums_are_drums_both_ways(song: Callable[[str, int], Score]) -> None:
    score = song("a rock song, 8 bars, full band", 1)
    data = midi_bytes(score)
    drums = [m for track in mido.MidiFile(file=io.BytesIO(data)).tracks for m in track
             if m.type == "note_on" and m.channel == 9]  # fmt: skip
    part = read_midi(data).score.part("drums")
    assert part is not None
    assert len(drums) == len(part.notes) > 20
    again = read_midi(midi_bytes(read_midi(data).score)).score.part("drums")
    assert again is not None
    assert [(n.onset, n.pitch) for n in again.notes] == [(n.onset, n.pitch) for n in part.notes]


def test_every_instrument_has_a_channel_of_its_own(song: Callable[[str, int], Score]) -> None:
    score = song("a string quartet with flute and oboe", 1)
    tracks = mido.MidiFile(file=io.BytesIO(midi_bytes(score))).tracks[1:]
    channels = [{m.channel for m in track if m.type == "note_on"} for track in tracks]
    assert all(len(each) == 1 for each in channels)
    assert len({min(each) for each in channels}) == len(channels)


def test_a_human_performance_is_put_on_the_nearest_grid() -> None:
    """Eighths a little early and late, then a triplet, all let go too soon."""
    onsets = [3, 236, 484, 715, 962, 1122, 1277, 1438]
    track: list[mido.Message | mido.MetaMessage] = []
    now = 0
    for key, onset in enumerate(onsets, 60):
        track += note(key, 130, wait=onset - now)
        now = onset + 130
    read = read_midi(played(track))
    eighth, third = QUARTER // 2, QUARTER // 3
    assert [n.onset for n in read.score.parts[0].notes] == [
        0, eighth, 2 * eighth, 3 * eighth, 4 * eighth, 4 * eighth + third, 4 * eighth + 2 * third, 6 * eighth,
    ]  # fmt: skip
    assert "midi-straightened" in [problem.code for problem in read.warnings]


def test_hands_that_overlap_become_two_parts() -> None:
    low = mido.Message("note_on", note=48, velocity=70)
    track = [low, *note(72, 480), *note(74, 480), mido.Message("note_off", note=48, time=0)]
    read = read_midi(played(track))
    assert sorted(len(part.notes) for part in read.score.parts) == [1, 2]
    assert "notation-two-voices" in [problem.code for problem in read.warnings]


def test_a_legato_line_that_overlaps_a_little_is_one_line() -> None:
    track: list[mido.Message | mido.MetaMessage] = []
    on = [(i * 480, 1, 60 + i) for i in range(8)] + [(i * 480 + 500, 0, 60 + i) for i in range(8)]
    now = 0
    for tick, kind, key in sorted(on):
        track.append(mido.Message("note_on", note=key, velocity=80 * kind, time=tick - now))
        now = tick
    score = read_midi(played(track)).score
    assert [len(part.notes) for part in score.parts] == [8]
    assert {note.duration for note in score.parts[0].notes[:-1]} == {QUARTER}


def test_a_chord_of_many_lengths_loses_no_note() -> None:
    ons = [mido.Message("note_on", note=60 + i, velocity=80) for i in range(6)]
    offs = [mido.Message("note_off", note=60 + i, time=120) for i in range(6)]
    score = read_midi(played([*ons, *offs, *ons, *offs])).score
    assert sum(len(part.notes) for part in score.parts) == 12


@pytest.mark.parametrize("count", [8, 6])
def test_fast_notes_do_not_fuse(count: int) -> None:
    step = 480 // count
    track: list[mido.Message | mido.MetaMessage] = []
    for i in range(4 * count):
        track += note(60 + i % count, step - 9, wait=9 if i else 2)
    score = read_midi(played(track)).score
    assert len({n.onset for part in score.parts for n in part.notes}) == 4 * count


def test_a_short_first_meter_is_a_pickup_and_a_late_meter_belongs_to_its_bar_line() -> None:
    def signed(numerator: int, wait: int = 0) -> mido.MetaMessage:
        return mido.MetaMessage("time_signature", numerator=numerator, denominator=4, time=wait)

    score = read_midi(played([signed(1), signed(3, 480)], [e for k in range(7) for e in note(60 + k, 480)])).score
    assert (score.meter.name, score.pickup, score.even) == ("3/4", QUARTER, True)
    score = read_midi(played([signed(4), signed(3, 1440)], [e for k in range(9) for e in note(60 + k, 480)])).score
    assert (score.meter.name, score.even, score.bars) == ("3/4", True, 3)
    score = read_midi(played([signed(4), signed(3, 1930)], [e for k in range(10) for e in note(60 + k, 480)])).score
    assert [(c.onset, c.meter and c.meter.name) for c in score.changes] == [(4 * QUARTER, "3/4")]


def test_the_key_of_a_file_without_one_is_found() -> None:
    scale = [62, 64, 66, 67, 69, 71, 73, 74, 69, 66, 62]
    read = read_midi(played([event for key in scale for event in note(key, 480)]))
    assert read.score.key.name == "D major"
    assert {pitch.name(n.tpc) for n in read.score.parts[0].notes} == {"D", "E", "F#", "G", "A", "B", "C#"}


DAMAGED: dict[str, bytes] = {
    "nothing": b"", "zeros": bytes(200), "one byte": b"M", "head alone": played(note(60, 480))[:14],
    "cut short": played(note(60, 480))[:-6], "no notes": played([mido.MetaMessage("track_name", name="x")]),
    "65 tracks": played(*[note(60, 10)] * 65), "no music": b"hello there, how are you" * 10,
    "a delta of 2^28": b"MThd\0\0\0\6\0\0\0\1\1\xe0MTrk\0\0\0\x0c\x81\x80\x80\x80\x00\x90\x40\x40\x00\x80\x40\x40",
    "hours of silence": played(note(60, 480, wait=0x0FFFFFFF)), "a picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "a broken archive": b"PK\x03\x04META-INF" + bytes(60),
    "xml cut short": b"<?xml version='1.0'?><score-partwise><part",
    "no score": b"<?xml version='1.0'?><html></html>", "abc without notes": b"X:1\nT:x\nM:4/4\nK:C\n",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(DAMAGED))
def test_what_is_damaged_is_refused_with_a_typed_error(name: str) -> None:
    with pytest.raises(UnreadableNotation) as refused:
        read_notation(DAMAGED[name])
    assert refused.value.problems


@pytest.mark.parametrize(("division", "code"), [(0, "midi-division"), (0xE728, "midi-smpte")])
def test_a_strange_division_is_read_with_a_warning(division: int, code: str) -> None:
    data = bytearray(played(note(60, 480)))
    data[12:14] = division.to_bytes(2, "big")
    assert code in [problem.code for problem in read_midi(bytes(data)).warnings]


# MusicXML


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_a_packed_score_is_the_same_score(song: Callable[[str, int], Score]) -> None:
    xml = musicxml_bytes(song("a waltz for flute and piano, 8 bars", 1))
    container = b'<container><rootfiles><rootfile full-path="a/song.xml"/></rootfiles></container>'
    packed = zipped({"META-INF/container.xml": container, "a/song.xml": xml})
    assert read_notation(packed)[1].score == read_musicxml(xml).score


def test_a_zip_bomb_and_entities_are_refused_at_once() -> None:
    bomb = zipped({"META-INF/container.xml": b"<x/>", "song.xml": b" " * 200_000_000})
    assert len(bomb) < 300_000
    head, body = b'<?xml version="1.0"?><!DOCTYPE x [', b"]><score-partwise>&a;</score-partwise>"
    lol = head + b'<!ENTITY b "bbbb"><!ENTITY a "&b;&b;&b;">' + body
    outside = head + b'<!ENTITY a SYSTEM "file:///etc/passwd">' + body
    for data, code in ((bomb, "xml-too-big"), (lol, "xml-entities"), (outside, "xml-entities"),
                       (outside.decode().encode("utf-16"), "xml-entities")):  # fmt: skip
        with pytest.raises(UnreadableNotation) as refused:
            read_notation(data)
        assert refused.value.problems[0].code == code


def test_transposing_instruments_sound_where_they_sound() -> None:
    clarinet = b"""<score-partwise>
    <part-list><score-part id="P1"><part-name>Clarinet</part-name></score-part></part-list>
    <part id="P1"><measure number="1"><attributes><divisions>1</divisions><key><fifths>2</fifths></key>
    <time><beats>4</beats><beat-type>4</beat-type></time>
    <transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose></attributes>
    <note><pitch><step>D</step><octave>5</octave></pitch><duration>2</duration></note>
    <note><pitch><step>F</step><alter>1</alter><octave>5</octave></pitch><duration>2</duration></note>
    </measure></part></score-partwise>"""
    score = read_musicxml(clarinet).score
    assert names(score) == "C5 E5"
    assert score.key.name == "C major"


FILES = (
    "bach/bwv66.6.mxl", "bach/bwv1.6.mxl", "mozart/k80/movement1.mxl", "leadSheet/berlinAlexandersRagtime.mxl",
    "schubert/lindenbaum.mxl", "weber/oct9.mxl", "joplin/maple_leaf_rag.mxl", "corelli/opus3no1/1grave.xml",
)  # fmt: skip


@pytest.mark.parametrize("name", [name for name in FILES if (CORPUS / name).exists()])
def test_scores_of_the_corpus_have_the_pitches_that_music21_reads(name: str) -> None:
    sheet, _ = read_sheet((CORPUS / name).read_bytes())
    bars = [bar for voice in sheet.voices for bar in voice.bars]
    symbols = [symbol for bar in bars for line in (bar.symbols, *bar.overlays) for symbol in line]
    stream = converter.parse(CORPUS / name).toSoundingPitch()
    theirs = Counter(
        written.midi
        for each in stream.recurse().notes
        if not each.duration.isGrace and "ChordSymbol" not in each.classes
        for written in each.pitches
    )
    assert Counter(midi for symbol in symbols for midi, _ in symbol.notes) == theirs
    assert sum(theirs.values()) > 50


def test_signs_that_are_not_followed_are_said() -> None:
    read = read_abc("X:1\nT:x\nM:4/4\nL:1/8\nK:C\nCDEF GABc|CDEF GABc!D.C.!|]\n")
    assert [problem.code for problem in read.warnings] == ["notation-jumps"]


def test_a_repeat_inside_of_a_bar_makes_no_silence() -> None:
    score = abc("CDEF GABc|C4:|E4|F8|]")
    onsets = [note.onset for note in score.parts[0].notes]
    assert onsets == sorted(onsets)
    assert score.parts[0].notes[9].onset == score.parts[0].notes[8].end


def test_programs_in_the_header_belong_to_their_voices() -> None:
    head = "X:1\nT:x\nM:4/4\nL:1/8\nV:1\n%%MIDI program 40\nV:2\n%%MIDI program 42\nK:C\n"
    score = read_abc(head + "[V:1]C8|]\n[V:2]E8|]\n").score
    assert [part.program for part in score.parts] == [40, 42]


def test_a_rest_that_begins_a_bar_is_no_pickup() -> None:
    assert replace(abc("z4 C4|]"), title="").pickup == 0
