"""Ours beside the plain way, in one run: CPU and wall seconds for the same score, warm.

Plain: music21 builds the score and writes MIDI; `fluidsynth -ni -F a.wav FONT a.mid`; `lame a.wav a.mp3`.
Ours: MIDI by mido, parts balanced and mastered to -14 LUFS by the resident synth, MP3 by lameenc.

    python -m scripts.bench_compose [rounds]
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from adapters.encoding import mp3_bytes
from adapters.synth.fluid import RATE, Fluid
from adapters.synth.playing import play
from adapters.synth.soundfont import soundfont
from bot.wiring import knowledge
from core.audio.loudness import loudness, true_peak
from core.brief.completing import complete
from core.brief.reading import read
from core.composer.once import compose_once
from core.music.score import Score
from core.notation.midi import midi_bytes

TEXT, SEED = "a pop song in C at 100 bpm, 32 bars", 1


def composed() -> Score:
    known = knowledge()
    brief = complete(TEXT, read(TEXT, known.lexicon), known.catalogue, SEED)
    return compose_once(brief, known.catalogue, SEED)


def ours(score: Score, fluid: Fluid, folder: Path) -> None:
    (folder / "ours.mid").write_bytes(midi_bytes(score))
    recording = play(score, fluid)
    (folder / "ours.mp3").write_bytes(mp3_bytes(recording.mix, RATE))


def plain(score: Score, font: Path, folder: Path) -> None:
    from music21 import instrument, note, stream, tempo  # noqa: PLC0415

    made: Any = note.Note
    document: Any = stream.Score()
    for part in score.sounding:
        staff: Any = stream.Part()
        player = instrument.Percussion() if part.drums else instrument.Instrument()
        player.midiProgram = part.program
        staff.insert(0, player)
        staff.insert(0, tempo.MetronomeMark(number=score.tempo))
        for each in part.notes:
            staff.insert(each.onset / 5040, made(each.pitch, quarterLength=each.duration / 5040))
        document.insert(0, staff)
    document.write("midi", fp=folder / "a.mid")
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True}
    subprocess.run(["fluidsynth", "-ni", "-F", folder / "a.wav", font, folder / "a.mid"], **quiet)
    subprocess.run(["lame", folder / "a.wav", folder / "a.mp3"], **quiet)


def timed(work: Callable[[], None]) -> tuple[float, float]:
    """(CPU, wall) seconds, those of child processes included."""
    before, wall = os.times(), time.perf_counter()
    work()
    after = os.times()
    return sum(after[:4]) - sum(before[:4]), time.perf_counter() - wall


def main() -> None:
    missing = [name for name in ("fluidsynth", "lame") if not shutil.which(name)]
    if missing:
        sys.exit(f"The plain way needs {' and '.join(missing)}: apt-get install {' '.join(missing)}")
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    score, font = composed(), soundfont()
    bare = replace(score, effects=False)  # the plain way has no effects either
    fluid = Fluid(font)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ways: dict[str, Callable[[], None]] = {
            "ours": lambda: ours(bare, fluid, folder),
            "effects": lambda: ours(score, fluid, folder),
            "plain": lambda: plain(score, font, folder),
        }
        for way in ways:
            ways[way]()  # warm
        figures: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for _ in range(rounds):
            for way, work in ways.items():
                figures[way].append(timed(work))
    mix = play(score, fluid).mix
    print(f"{score.seconds:.0f} s of music, {len(score.sounding)} parts, {rounds} rounds, medians")
    cpu = {way: statistics.median(c for c, _ in rows) for way, rows in figures.items()}
    wall = {way: statistics.median(w for _, w in rows) for way, rows in figures.items()}
    for way in ways:
        print(f"{way:7} CPU {cpu[way]:.2f} s  wall {wall[way]:.2f} s")
    print(f"with the style's effects / plain: CPU {cpu['effects'] / cpu['plain']:.0%}")
    print(f"ours / plain: CPU {cpu['ours'] / cpu['plain']:.0%}, wall {wall['ours'] / wall['plain']:.0%}")
    print(f"ours: {loudness(mix, RATE):.1f} LUFS, {true_peak(mix):.1f} dBTP")


if __name__ == "__main__":
    main()
