"""Controls: music that nobody would keep, made from the songs themselves. The table must not let it pass."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from core.music.scorecard import Tune

Control = Callable[[Tune, random.Random], Tune]


def arpeggio(tune: Tune, rng: random.Random) -> Tune:
    """The chords broken in eighths."""
    notes = []
    for i in range(int(tune.bar * tune.bars * 2)):
        chord = tune.chord_at(i / 2)[:3] or (0, 4, 7)
        notes.append((i / 2, 0.5, 60 + sorted(chord)[i % len(chord)]))
    return replace(tune, notes=tuple(notes))


def loop(tune: Tune, rng: random.Random) -> Tune:
    """One bar, again and again."""
    bar = next((b for b in (tune.in_bar(i) for i in range(tune.bars)) if len(b) > 2), [(0.0, 1.0, 60)])
    return replace(
        tune, notes=tuple((i * tune.bar + onset, length, midi) for i in range(tune.bars) for onset, length, midi in bar)
    )


def walk(tune: Tune, rng: random.Random) -> Tune:
    """The song's rhythm on a random walk over the scale."""
    steps = (0, 2, 3, 5, 7, 8, 10) if tune.minor else (0, 2, 4, 5, 7, 9, 11)
    place, notes = 14, []
    for onset, length, _ in tune.notes:
        place = min(20, max(7, place + rng.choice((-2, -1, 0, 1, 2))))
        notes.append((onset, length, 48 + tune.tonic + 12 * (place // 7) + steps[place % 7]))
    return replace(tune, notes=tuple(notes))


def wrong_chords(tune: Tune, rng: random.Random) -> Tune:
    """The song over chords of another key, in another order."""
    classes = [tuple((pc + 6) % 12 for pc in chord) for _, chord in tune.chords]
    rng.shuffle(classes)
    return replace(tune, chords=tuple((onset, chord) for (onset, _), chord in zip(tune.chords, classes, strict=True)))


def shuffled(tune: Tune, rng: random.Random) -> Tune:
    """The song's bars in another order, chords and all."""
    order = list(range(tune.bars))
    rng.shuffle(order)
    notes = [
        (i * tune.bar + onset, length, midi)
        for i, source in enumerate(order)
        for onset, length, midi in tune.in_bar(source)
    ]
    chords = [
        (i * tune.bar + onset - source * tune.bar, chord)
        for i, source in enumerate(order)
        for onset, chord in tune.chords
        if source * tune.bar <= onset < (source + 1) * tune.bar
    ]
    return replace(tune, notes=tuple(sorted(notes)), chords=tuple(sorted(chords)))


CONTROLS: dict[str, Control] = {"arpeggio": arpeggio, "loop": loop, "random walk": walk, "wrong chords": wrong_chords}
