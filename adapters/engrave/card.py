"""The card picture: a piano roll over the waveform, with what the song is.

It has a dark background of its own, so that it looks the same in a dark and in a light chat.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from adapters import fonts
from core.audio.loudness import Audio
from core.music.grid import grid
from core.music.score import Part, Score
from core.ports import Face

WIDTH, HEIGHT = 1280, 720
_SCALE = 2  # drawn twice as large, then reduced: smooth edges
_PAPER, _INK, _DIM, _LINE = (20, 22, 31), (240, 238, 230), (150, 154, 170), (44, 48, 62)
_COLOURS = {
    "melody": (255, 196, 87), "counter": (255, 133, 102), "harmony": (222, 120, 190), "chords": (104, 190, 236),
    "pad": (120, 150, 240), "bass": (128, 220, 150), "drums": (176, 178, 196),
}  # fmt: skip
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 1224, 178, 560
_WAVE_TOP, _WAVE_BOTTOM = 590, 676


def card_png(score: Score, face: Face, audio: Audio | None = None) -> bytes:
    """A 256-colour PNG of 1280 × 720."""
    image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), _PAPER)
    draw = ImageDraw.Draw(image, "RGBA")
    _words(draw, face)
    _sections(draw, score, face.sections)
    _roll(draw, score)
    _wave(draw, audio)
    _legend(draw, score)
    small = image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    out = BytesIO()
    small.quantize(256, dither=Image.Dither.NONE).save(out, "PNG", optimize=False)
    return out.getvalue()


def thumbnail_jpeg(card: bytes, size: int = 320) -> bytes:
    """A small JPEG of a card, at most `size` pixels wide: Telegram's thumbnail, the cover of an MP3."""
    image = Image.open(BytesIO(card)).convert("RGB")
    image.thumbnail((size, size))
    out = BytesIO()
    image.save(out, "JPEG", quality=86)
    return out.getvalue()


def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(fonts.text_face()), size * _SCALE)


def _at(*values: float) -> Any:
    """Card coordinates in the pixels that are drawn on."""
    return tuple(round(v * _SCALE) for v in values)


def _words(draw: ImageDraw.ImageDraw, face: Face) -> None:
    size = 52
    while size > 24 and draw.textlength(face.title, _font(size)) > (_RIGHT - _LEFT) * _SCALE:
        size -= 4
    draw.text(_at(_LEFT, 34), face.title, _INK, _font(size))
    draw.text(_at(_LEFT, 104), face.line, _COLOURS["melody"], _font(26))
    width = draw.textlength(face.tail, _font(20)) / _SCALE
    draw.text(_at(_RIGHT - width, 110), face.tail, _DIM, _font(20))


def _x(tick: float, score: Score) -> float:
    return _LEFT + (_RIGHT - _LEFT) * tick / max(1, score.length)


def _sections(draw: ImageDraw.ImageDraw, score: Score, names: tuple[str, ...]) -> None:
    bars = grid(score)
    for i, section in enumerate(score.sections):
        left, right = _x(bars[section.bar].onset, score), _x(bars[section.bar + section.bars - 1].end, score)
        if i % 2 == 0:
            draw.rectangle(_at(left, _TOP, right, _WAVE_BOTTOM), (255, 255, 255, 7))
        draw.line(_at(left, _TOP - 20, left, _WAVE_BOTTOM), _LINE, 2)
        if right - left > 46:
            draw.text(_at(left + 6, _TOP - 26), names[i], _DIM, _font(15))


def _roll(draw: ImageDraw.ImageDraw, score: Score) -> None:
    pitched = [part for part in score.sounding if not part.drums]
    pitches = [note.pitch for part in pitched for note in part.notes] or [60]
    low, high = min(pitches) - 2, max(pitches) + 2
    drums = score.part("drums")
    bottom = _BOTTOM - (34 if drums else 0)
    row = (bottom - _TOP) / (high - low + 1)
    order = sorted(
        pitched,
        key=lambda part: list(_COLOURS).index(part.role) if part.role in _COLOURS else 9,
        reverse=True,
    )
    for part in order:
        colour = (*_COLOURS.get(part.role, _DIM), 255 if part.role == "melody" else 190)
        for note in part.notes:
            y = bottom - (note.pitch - low + 1) * row
            left, right = _x(note.onset, score), _x(note.end, score) - 0.8
            height = max(3.2, row * (1.0 if part.role == "melody" else 0.8))
            draw.rounded_rectangle(_at(left, y, max(right, left + 1.6), y + height), 3, colour)
    if drums:
        _drum_lane(draw, drums, score)


def _drum_lane(draw: ImageDraw.ImageDraw, drums: Part, score: Score) -> None:
    lanes = {36: 2, 38: 1, 37: 1, 39: 1}
    for note in drums.notes:
        y = _BOTTOM - 28 + 10 * lanes.get(note.pitch, 0)
        x = _x(note.onset, score)
        draw.rectangle(_at(x, y, x + 1.8, y + 6), (*_COLOURS["drums"], 110 + 35 * max(-2, min(2, note.accent)) + 30))


def _wave(draw: ImageDraw.ImageDraw, audio: Audio | None) -> None:
    middle = (_WAVE_TOP + _WAVE_BOTTOM) / 2
    if audio is None or audio.size == 0:
        draw.line(_at(_LEFT, middle, _RIGHT, middle), _LINE, 3)
        return
    columns = (_RIGHT - _LEFT) // 3
    size = audio.shape[1] // columns * columns
    blocks = np.abs(audio[0, :size]).reshape(columns, -1) if size else np.zeros((columns, 1))
    level = blocks.max(axis=1)
    level = level / max(1e-6, float(level.max()))
    for i, value in enumerate(level):
        x = _LEFT + 3 * i
        half = 1.2 + float(value) * (_WAVE_BOTTOM - _WAVE_TOP) / 2
        draw.rounded_rectangle(_at(x, middle - half, x + 2, middle + half), 2, (*_COLOURS["melody"], 150))


def _legend(draw: ImageDraw.ImageDraw, score: Score) -> None:
    x = float(_LEFT)
    for part in score.sounding:
        label = part.name
        width = draw.textlength(label, _font(16)) / _SCALE
        if x + width + 30 > _RIGHT:
            break
        draw.ellipse(_at(x, 691, x + 12, 703), _COLOURS.get(part.role, _DIM))
        draw.text(_at(x + 18, 685), label, _DIM, _font(16))
        x += width + 42
