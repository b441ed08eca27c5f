"""What a person or a program at the console sees."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import mido
import pytest

from tests.behaviours.console import ROOT, chat, events, last, run


def test_one_sentence_becomes_a_song_with_all_its_files(tmp_path: Path) -> None:
    done = run("compose", "a sad lo-fi ballad in A minor at 75 bpm, 8 bars", "--out", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    found = events(done.stdout)
    stages = [(e["stage"], e["state"]) for e in found if e["event"] == "stage"]
    for name in ("harmony", "theory", "melody", "bass", "drums", "review", "rendering"):
        assert stages.index((name, "started")) < stages.index((name, "finished"))
    end = found[-1]
    assert end["event"] == "done"
    assert {"midi", "mp3", "musicxml", "abc", "score", "card"} <= set(end["files"])
    assert all(Path(path).stat().st_size > 100 for path in end["files"].values())
    assert end["brief"]["key"] == "A minor"
    assert end["brief"]["tempo"] == 75
    assert {"genre", "key", "tempo", "bars", "moods"} <= set(end["brief"]["asked"])
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(Path(p).name for p in end["files"].values())


def test_a_chinese_sentence_is_answered_in_chinese_and_kept_to(tmp_path: Path) -> None:
    done = run(
        "compose", "写一首欢快的C大调圆舞曲，十六小节", "--out", str(tmp_path), "--json", "--formats", "midi,abc"
    )
    end = events(done.stdout)[-1]
    assert "小节" in end["text"]
    file = mido.MidiFile(end["files"]["midi"])
    signature = next(m for m in file.tracks[0] if m.type == "time_signature")
    key = next(m for m in file.tracks[0] if m.type == "key_signature")
    assert (signature.numerator, signature.denominator, key.key) == (3, 4, "C")
    assert sum(m.time for m in file.tracks[0]) == 16 * 3 * file.ticks_per_beat
    abc = Path(end["files"]["abc"]).read_text()
    assert "M:3/4" in abc
    assert "\nK:C\n" in abc


def test_the_midi_file_names_tracks_and_gives_each_program_a_channel(tmp_path: Path) -> None:
    done = run(
        "compose", "a rock song at 132 bpm", "--out", str(tmp_path), "--json", "--formats", "midi", "--seed", "3"
    )
    file = mido.MidiFile(events(done.stdout)[-1]["files"]["midi"])
    assert mido.tempo2bpm(next(m.tempo for m in file.tracks[0] if m.type == "set_tempo")) == pytest.approx(
        132, abs=0.01
    )
    channels: list[int] = []
    for track in file.tracks[1:]:
        assert track.name
        used = {m.channel for m in track if m.type == "note_on"}
        assert len(used) == 1
        channels += used
    assert len(set(channels)) == len(file.tracks) - 1
    assert file.tracks[-1].name == "Drums"
    assert channels[-1] == 9


def test_the_same_words_and_seed_give_the_same_bytes_anywhere_and_any_day(tmp_path: Path) -> None:
    ways = {
        "here": (None, {}),
        "there": (
            "import time; now = time.time; time.time = lambda: now() + 9e7",
            {"TZ": "Pacific/Auckland", "PYTHONHASHSEED": "5"},
        ),
    }
    made = {}
    for name, (code, env) in ways.items():
        done = run(
            "compose",
            "bossa nova in D, 8 bars",
            "--seed",
            "11",
            "--out",
            str(tmp_path / name),
            "--formats",
            "midi,abc,musicxml",
            code=code,
            env=env,
        )
        assert done.returncode == 0, done.stderr
        made[name] = {p.name: p.read_bytes() for p in (tmp_path / name).iterdir()}
    assert made["here"] == made["there"]
    assert len(made["here"]) == 3
    run("compose", "bossa nova in D, 8 bars", "--seed", "12", "--out", str(tmp_path / "other"), "--formats", "midi")
    other = next((tmp_path / "other").iterdir()).read_bytes()
    assert other not in made["here"].values()


def test_a_conversation_changes_a_song_step_by_step_and_back(tmp_path: Path) -> None:
    found = chat(
        tmp_path, "a calm waltz with violin and piano in F, 16 bars", "make it faster", "again, in G minor", "/undo",
        "/library", {"text": "/remake", "reply_to": 1}, "with a flute instead", {"text": "no drums", "reply_to": 1},
    )  # fmt: skip
    first, faster, minor, undone, listed, remade, flute, branch = (last(found, i) for i in range(1, 9))
    assert faster["brief"]["tempo"] > first["brief"]["tempo"]
    assert (minor["brief"]["key"], minor["brief"]["tempo"]) == ("G minor", faster["brief"]["tempo"])
    assert (undone["piece"], undone["version"]) == (1, faster["version"])
    assert first["title"] in listed["text"]
    assert remade["brief"]["tempo"] == first["brief"]["tempo"]
    assert Path(remade["files"]["midi"]).read_bytes() == Path(first["files"]["midi"]).read_bytes()
    assert {"role": "melody", "instrument": "flute"} in flute["brief"]["parts"]
    assert branch["brief"]["tempo"] == first["brief"]["tempo"]
    assert "drums" not in [part["role"] for part in branch["brief"]["parts"]]
    assert [v["version"] for v in (first, faster, minor, remade, flute, branch)] == [1, 2, 3, 4, 5, 6]


def test_buttons_and_reactions_are_answered(tmp_path: Path) -> None:
    song = last(chat(tmp_path, "a jig in D"), 1)
    ids = {button["id"].split(":")[0]: button["id"] for button in song["buttons"]}
    found = chat(  # a new process: buttons outlive it
        tmp_path, {"press": ids["up"]}, {"press": ids["vary"]}, {"reaction": "👍", "on": 1}, {"reaction": "", "on": 1},
        {"press": "up:99:1"}, {"reaction": "👍", "on": 77}, {"press": ids["up"], "chat": "elsewhere"},
    )  # fmt: skip
    assert [e for e in found if e.get("chat") == "elsewhere"][-1]["piece"] is None  # another chat's song is not theirs
    assert last(found, 2)["brief"]["tonic"] == "E"
    assert last(found, 3)["brief"]["key"] == song["brief"]["key"]  # a variation of the first version
    assert Path(last(found, 3)["files"]["midi"]).read_bytes() != Path(song["files"]["midi"]).read_bytes()
    assert [last(found, i)["piece"] for i in (4, 5, 6, 7)] == [None] * 4
    assert len({last(found, i)["text"] for i in (4, 5, 6, 7)}) == 4


def test_chats_count_their_own_messages_and_seeds(tmp_path: Path) -> None:
    found = chat(tmp_path, "a jig", {"text": "a jig", "chat": "b"}, "a reel", {"text": "a waltz", "seed": 99})
    mine = [e for e in found if e["event"] == "done" and "chat" not in e]
    theirs = [e for e in found if e["event"] == "done" and e.get("chat") == "b"]
    assert [(e["message"], e["brief"]["seed"]) for e in mine] == [(1, 7), (2, 8), (3, 99)]
    assert [(e["message"], e["brief"]["seed"]) for e in theirs] == [(1, 7)]
    again = chat(tmp_path, "hello")
    assert again[0] == {"event": "accepted", "message": 4, "number": 1}


def test_a_new_conversation_forgets_the_song_but_keeps_it(tmp_path: Path) -> None:
    found = chat(tmp_path, "a jig in D", "/new", "make it faster", "/open 1", "make it faster")
    assert last(found, 3)["piece"] is None
    assert last(found, 4)["piece"] == 1
    assert last(found, 5)["version"] == 2


def test_what_is_not_a_song_gets_a_sentence(tmp_path: Path) -> None:
    lines = (
        "what is a tritone?",
        "hello",
        "/help",
        "谢谢",
        "什么是三全音？",
        "/nonsense",
        {"text": "x", "reply_to": 50},
    )
    found = chat(tmp_path, *lines)
    for number in range(1, len(lines) + 1):
        end = last(found, number)
        assert end["event"] == "done"
        assert end["piece"] is None
        assert len(end["text"]) > 10
        assert not end["text"].startswith(("error-", "remark-"))


def test_a_line_that_cannot_be_read_gets_one_error(tmp_path: Path) -> None:
    lines = (
        "{broken",
        '{"text": "x", "chat": "\\ud800"}',
        "{" + '"a":' * 40000,
        {"text": "x", "on": 2**70},
        {"text": 5},
        {"text": "x", "reply_to": "no"},
        {"text": "   "},
        {"files": "x"},
    )
    found = chat(tmp_path, *lines, "hello")
    assert [last(found, number)["event"] for number in range(1, 9)] == ["error"] * 8
    assert last(found, 9)["event"] == "done"


def test_a_second_process_is_told_who_has_the_data_folder(tmp_path: Path) -> None:
    with (tmp_path / "owner").open("w") as held:
        held.write("4711")
        held.flush()
        fcntl.flock(held, fcntl.LOCK_EX)
        done = run("chat", "--json", "--data", str(tmp_path), text="hello\n")
    assert done.returncode == 1
    assert "4711" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("compose", ""), 2, "no words"),
        (("compose", "   "), 2, "no words"),
        (("compose", "a jig", "--seed", "many"), 2, "many"),
        (("compose", "a jig", "--formats", "midi,ogg"), 2, "ogg"),
        (("compose", "a jig", "--out", "/dev/null/songs"), 2, "/dev/null/songs"),
        (("compose", "一首歌", "--out", "/dev/null/songs"), 2, "无法写入"),
        (("chat", "--json", "--data", "/dev/null/x"), 2, "/dev/null/x"),
    ],
)
def test_a_callers_error_is_one_sentence_and_exit_code_2(arguments: tuple[str, ...], code: int, words: str) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    done = run("compose", "a jig", "--out", str(tmp_path), env={"TUNESMITH_RENDER_WORKERS": "lots"})
    assert done.returncode == 2
    assert "TUNESMITH_RENDER_WORKERS" in done.stderr


@pytest.mark.parametrize("font", ["missing", "broken"])
def test_without_a_soundfont_the_notes_still_arrive_and_the_reason_is_told(tmp_path: Path, font: str) -> None:
    path = tmp_path / f"{font}.sf2"
    if font == "broken":
        path.write_bytes(b"RIFF this is no soundfont")
    out = tmp_path / "out"
    done = run("compose", "a jig, 8 bars", "--out", str(out), "--json", env={"TUNESMITH_SOUNDFONT": str(path)})
    assert done.returncode == 0, done.stderr
    end = events(done.stdout)[-1]
    assert {"midi", "score", "musicxml", "abc", "card"} <= set(end["files"])
    assert "mp3" not in end["files"]
    assert f"{font}.sf2" in end["text"]


def test_without_ffmpeg_the_mp3_comes_without_tags_and_says_so(tmp_path: Path) -> None:
    done = run("compose", "a jig, 8 bars", "--out", str(tmp_path), "--json", env={"PATH": "/nonexistent"})
    end = events(done.stdout)[-1]
    assert Path(end["files"]["mp3"]).stat().st_size > 10_000
    assert "ffmpeg" in end["text"]


def test_a_full_disk_is_said_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    code = (
        "import adapters.workshop.files as f, errno, os; real = os.replace\n"
        "def full(a, b):\n    raise OSError(errno.ENOSPC, 'No space left on device')\n"
        "os.replace = full"
    )
    start = f"exec({code!r})"
    done = run("compose", "a jig, 8 bars", "--out", str(tmp_path), "--formats", "midi,abc", code=start)
    assert done.returncode == 1
    assert "disk is full" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_output_that_nobody_reads_ends_the_program_quietly(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "bot", "compose", "a jig", "--json", "--formats", "midi", "--out", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60, check=False, env=environment
    )
    os.close(writer)
    assert "Traceback" not in done.stderr
    assert done.returncode == 1


def test_every_event_is_one_json_object_a_line(tmp_path: Path) -> None:
    for event in chat(tmp_path, "a jig in D, 8 bars"):
        assert event["event"] in ("accepted", "stage", "text", "done")
        json.dumps(event)


def test_nothing_leaves_the_machine(tmp_path: Path) -> None:
    watch = (
        "import socket, sys\n"
        "def refused(*a, **k): sys.stderr.write('NETWORK'); raise OSError('no network')\n"
        "socket.getaddrinfo = socket.create_connection = refused\n"
        "real = socket.socket.connect\n"
        "socket.socket.connect = lambda s, a: real(s, a) if s.family == socket.AF_UNIX else refused()"
    )
    env = {"LANGSMITH_TRACING": "true", "LANGCHAIN_TRACING_V2": "true", "LANGSMITH_API_KEY": "x"}
    done = run(
        "compose", "a jig, 8 bars", "--out", str(tmp_path), "--formats", "midi", code=f"exec({watch!r})", env=env
    )
    assert done.returncode == 0
    assert "NETWORK" not in done.stderr


def test_a_conversation_ends_without_a_warning_on_the_terminal(tmp_path: Path) -> None:
    done = run("chat", "--json", "--data", str(tmp_path), text="/library\n")
    assert done.returncode == 0
    assert "warn" not in done.stderr.lower()
