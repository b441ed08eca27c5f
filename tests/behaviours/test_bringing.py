"""Music that people bring: pasted, or as a file; rendered, shown, and from then on a song like any other."""

from __future__ import annotations

from pathlib import Path

import mido

from core.notation.abc.reader import read_abc
from tests.behaviours.console import chat, last

JIG = """X:1
T:The Rocky Road
R:jig
M:6/8
L:1/8
K:Edor
d|:"Em"eBB "D"dBA|"Em"B2E G2A|"Em"Bee "D"dBA|1 "Bm"BAG F2d:|2 "Em"BAG E3||
|:"Em"e2f gfe|"D"agf "Em"e2d|ede "D"fdB|"G"dBG "A"A3:|
"""


def pitches(path: str, track: int = 1) -> list[int]:
    return [m.note for m in mido.MidiFile(path).tracks[track] if m.type == "note_on" and m.velocity]


def test_a_pasted_tune_is_a_song_that_can_be_changed(tmp_path: Path) -> None:
    found = chat(tmp_path, {"text": JIG}, "in A minor please", "add drums and a bass", "slower", "/undo")
    first, minor, band, slow, back = (last(found, n) for n in range(1, 6))
    assert first["title"] == "The Rocky Road"
    assert "from your ABC" in first["text"]
    assert "/10" not in first["text"]  # no marks for somebody's own tune
    assert (first["brief"]["key"], first["brief"]["meter"]) == ("E dorian", "6/8")
    assert pitches(first["files"]["midi"])[:4] == [74, 76, 71, 71]
    assert minor["brief"]["key"] == "A minor"
    assert (minor["piece"], minor["version"]) == (first["piece"], 2)
    assert {part["role"] for part in band["brief"]["parts"]} == {"melody", "drums", "bass"}
    assert slow["brief"]["tempo"] < first["brief"]["tempo"]
    assert back["version"] == 3
    again = read_abc(Path(first["files"]["abc"]).read_text())
    assert again.score.key.name == "E dorian"


def test_a_file_of_any_kind_comes_back_as_the_same_song(tmp_path: Path) -> None:
    forms = ("midi", "abc", "musicxml")
    made = last(chat(tmp_path, "a rock song in E minor at 132 bpm, 8 bars", formats=",".join(forms)), 1)
    found = chat(tmp_path / "two", *({"files": [made["files"][form]]} for form in forms), formats="midi")
    for message in (1, 2, 3):
        brought = last(found, message)
        assert brought["event"] == "done", brought["text"]
        for name in ("key", "tempo", "meter", "bars"):
            assert brought["brief"][name] == made["brief"][name]
        ours, theirs = (mido.MidiFile(each["files"]["midi"]) for each in (made, brought))
        assert len(ours.tracks) == len(theirs.tracks)
        for number in range(1, len(ours.tracks)):
            assert sorted(pitches(made["files"]["midi"], number)) == sorted(pitches(brought["files"]["midi"], number))


def test_words_beside_a_file_change_it(tmp_path: Path) -> None:
    file = tmp_path / "no-title.abc"
    file.write_text("X:1\nM:4/4\nL:1/4\nK:C\nCDEF|GABc|\n")
    song = last(chat(tmp_path / "data", {"files": [str(file)], "text": "in D, on the clarinet"}), 1)
    assert song["title"] == "no-title"
    assert song["brief"]["key"] == "D major"
    assert song["brief"]["parts"] == [{"role": "melody", "instrument": "clarinet"}]


def test_words_around_a_pasted_tune_change_it(tmp_path: Path) -> None:
    song = last(chat(tmp_path, {"text": f"here is a jig\n\n{JIG}\n\nplease add drums, and in A minor"}), 1)
    assert song["title"] == "The Rocky Road"
    assert song["brief"]["key"] == "A minor"
    assert {part["role"] for part in song["brief"]["parts"]} == {"melody", "drums"}


def test_what_is_wrong_is_said_with_its_place_in_the_listeners_language(tmp_path: Path) -> None:
    bad = "X:1\nT:Bad\nM:4/4\nL:1/4\nK:C\nCDEF|GABcd|c4|]"
    found = chat(tmp_path, {"text": bad}, {"text": bad, "locale": "zh"}, "a waltz")
    english, chinese, song = (last(found, n) for n in (1, 2, 3))
    assert (english["event"], english["code"]) == ("error", "abc-overfull")
    assert "bar 2, line 6, column 6: 5/4 stand in a bar of 4/4: take 1/4 out" in english["text"]
    assert "第 2 小节" in chinese["text"]
    assert song["event"] == "done"


def test_other_files_get_a_sentence(tmp_path: Path) -> None:
    picture, words, gone = tmp_path / "a.png", tmp_path / "message.txt", tmp_path / "gone.mid"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
    words.write_text("a happy jig in G, 8 bars")
    found = chat(tmp_path / "d", {"files": [str(picture)]}, {"files": [str(words)]}, {"files": [str(gone)]})
    seen, song, lost = (last(found, n) for n in (1, 2, 3))
    assert "your picture" in seen["text"]
    assert song["brief"]["key"] == "G major"
    assert lost["code"] == "notation-gone"


def test_a_new_genre_would_lose_the_tune_and_is_not_done(tmp_path: Path) -> None:
    found = chat(tmp_path, {"text": JIG}, "make it a jazz song", "/remake")
    assert "your tune would be lost" in last(found, 2)["text"]
    assert "your tune would be lost" in last(found, 3)["text"]
    assert not any("again" in button["id"] for button in last(found, 1)["buttons"])


def test_a_song_that_changes_its_meter_says_what_cannot_be_done(tmp_path: Path) -> None:
    uneven = "X:1\nT:Uneven\nM:4/4\nL:1/4\nK:C\nCDEF|[M:3/4]GAB|[M:4/4]c4|]"
    found = chat(tmp_path, {"text": uneven}, "make it longer", "in F", "faster", "add a bass")
    assert "changes its meter" in last(found, 2)["text"]
    assert last(found, 3)["brief"]["key"] == "F major"
    assert last(found, 4)["brief"]["tempo"] > 120
    assert "changes its meter" in last(found, 5)["text"]
