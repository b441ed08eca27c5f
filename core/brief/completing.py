"""Completes what was asked into a Brief: genre, mood and a seed decide what the words left open."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace

from core.brief.arranging import arranged
from core.brief.brief import Ask, Brief, Remark, remark
from core.music.catalogue import Catalogue, Mood, Style
from core.music.chance import generator, weighted
from core.music.form import natural_bars
from core.music.keys import Key, writable
from core.music.meter import QUARTER, Meter, meter

# Genres for requests that name none: what suits nearly any mood or image.
_OPEN_GENRES = {
    "pop": 3, "ballad": 2, "folk": 2, "lo-fi": 3, "cinematic": 2, "ambient": 1, "jazz": 1, "synthwave": 1,
    "bossa-nova": 1, "game": 1, "orchestral": 1,
}  # fmt: skip
_ENSEMBLE_GENRES = {"classical": 4, "folk": 1}
_TONICS = {
    "major": {0: 4, 1: 4, 2: 3, -1: 3, -2: 2, 3: 2, -3: 2, 4: 1},
    "minor": {3: 5, 4: 3, 2: 3, 0: 2, 1: 2, 5: 2, -1: 1, 6: 1},
}
_FEELS = {"swing": 0.64, "shuffle": 0.66, "straight": 0.5}


def complete(text: str, ask: Ask, catalogue: Catalogue, seed: int, locale: str = "en") -> Brief:
    """A complete brief. `asked` holds the names of the fields that the words themselves decided."""

    def rng(purpose: str) -> random.Random:
        return generator(seed, "brief", text, purpose)

    remarks = list(ask.remarks)
    moods = ask.moods
    if not ask.genres and not moods and ask == replace(Ask(), remarks=ask.remarks, title=ask.title):
        moods = (weighted(rng("image"), list(catalogue.moods), [1.0] * len(catalogue.moods)),)
    ask = _with_genre_said_otherwise(ask)
    genre, colour = _genre(ask, rng("genre"))
    style = coloured(catalogue.styles[genre], [catalogue.styles[name] for name in colour])
    if not ask.genres:
        code = "remark-read-as-mood" if moods else "remark-read-as"
        remarks.append(remark(code, genre=genre, moods=", ".join(moods)))
    mood = [catalogue.moods[name] for name in moods]
    key, key_remarks = _key(ask, style, mood, rng("key"))
    time, time_remarks = _meter(ask, style, catalogue, rng("meter"))
    form = ask.form or ("sections" if ask.sections else _pick(style.forms, rng("form")))
    tempo = ask.tempo or _tempo(style, mood, time, rng("tempo"))
    bars, tempo = _length(ask, style, catalogue, form, time, tempo)
    parts, part_remarks = arranged(ask, style, catalogue, rng("parts"))
    asked = _asked(ask)
    return Brief(
        text=text,
        ask=ask,
        genre=genre,
        colour=colour,
        moods=moods,
        key=key,
        tempo=tempo,
        meter=time,
        bars=bars,
        form=form,
        parts=parts,
        ending=ask.ending or _pick(style.harmony.cadences, rng("ending")),  # type: ignore[arg-type]
        feel=ask.feel or "",
        density=ask.density or "",
        title=ask.title or titled(text, ask, catalogue, moods, locale, seed),
        asked=asked,
        remarks=tuple(dict.fromkeys((*remarks, *key_remarks, *time_remarks, *part_remarks))),
    )


def _with_genre_said_otherwise(ask: Ask) -> Ask:
    """A form or a scale may name its genre: "a twelve-bar blues", "a blues in the blues scale"."""
    blues = ask.form == "12-bar blues" or ask.mode == "blues"
    return replace(ask, genres=("blues",)) if blues and not ask.genres else ask


def _asked(ask: Ask) -> frozenset[str]:
    said = {
        "genre": ask.genres, "moods": ask.moods, "key": ask.tonic is not None, "mode": ask.mode,
        "tempo": ask.tempo, "meter": ask.meter, "bars": ask.bars or ask.seconds, "form": ask.form or ask.sections,
        "parts": ask.parts or ask.ensemble or ask.excluded, "ending": ask.ending, "feel": ask.feel,
        "density": ask.density, "title": ask.title,
    }  # fmt: skip
    return frozenset(name for name, value in said.items() if value)


def _pick(weights: Mapping[str, float], rng: random.Random) -> str:
    return weighted(rng, list(weights), list(weights.values()))


def _genre(ask: Ask, rng: random.Random) -> tuple[str, tuple[str, ...]]:
    """The genre and those that colour it: in English the head noun comes last ("folk rock")."""
    if not ask.genres:
        chamber = ask.ensemble not in (None, "band")
        return _pick(_ENSEMBLE_GENRES if chamber else _OPEN_GENRES, rng), ()
    heads = [name for name in ask.genres if name not in _MODIFIERS] or list(ask.genres[:1])
    head = heads[-1]
    return head, tuple(name for name in ask.genres if name != head)


# Words that name a dance or a manner as often as a genre: beside a genre they colour it.
_MODIFIERS = frozenset({"ballad", "waltz", "march", "chorale"})


def coloured(style: Style, colours: list[Style]) -> Style:
    """A style with the meter, tempo and mood of the manners named beside it (a "jazz waltz")."""
    for colour in colours:
        if colour.modifier:
            low, high = max(style.tempo[0], colour.tempo[0]), min(style.tempo[1], colour.tempo[1])
            tempo = (low, high) if low <= high else colour.tempo
            slow = style.tempo[0] > colour.tempo[1]
            style = replace(
                style,
                tempo=tempo,
                meters=style.meters if set(style.meters) & set(colour.meters) else colour.meters,
                forms=style.forms if not slow else colour.forms,
            )
        else:
            style = replace(style, melody=replace(style.melody, instruments=colour.melody.instruments))
    return style


def _key(ask: Ask, style: Style, moods: list[Mood], rng: random.Random) -> tuple[Key, list[Remark]]:
    mode = ask.mode
    if mode is None:
        weights = dict(style.modes)
        if ask.tonic is not None and not moods:  # "in G" is G major to a musician, if the style has it
            usual = "major" if "major" in weights else max(weights, key=lambda name: weights[name])
            weights = {usual: 1.0}
        for mood in moods:
            tinted = {name: weights.get(name, 0.4) * share for name, share in mood.mode.items()}
            weights = tinted if sum(tinted.values()) > 0 else weights
        mode = _pick(weights, rng)
    tonic = ask.tonic
    if tonic is None:
        tonic = int(_pick({str(k): v for k, v in _TONICS["minor" if Key(0, mode).minor else "major"].items()}, rng))
    wanted = Key(tonic, mode)
    key = writable(wanted)
    if key == wanted or ask.tonic is None:
        return key, []
    return key, [remark("remark-respelled", asked=wanted.name, used=key.name)]


def _meter(ask: Ask, style: Style, catalogue: Catalogue, rng: random.Random) -> tuple[Meter, list[Remark]]:
    if ask.meter is None:
        numerator, denominator = _pick(style.meters, rng).split("/")
        return meter(int(numerator), int(denominator)), []
    remarks = []
    for name in ask.genres:
        usual = catalogue.styles[name].meters
        if name in ("waltz",) and ask.meter.name not in ("3/4", "3/8", "6/8"):
            remarks.append(remark("remark-genre-meter", genre=name, usual=", ".join(usual), used=ask.meter.name))
    return ask.meter, remarks


def _tempo(style: Style, moods: list[Mood], time: Meter, rng: random.Random) -> float:
    low, high = style.tempo
    place = sum(mood.tempo for mood in moods) / len(moods) if moods else 0.5
    place = min(1.0, max(0.0, place + rng.randrange(-15, 16) / 100))
    beats = low + place * (high - low)
    # A genre's range counts felt beats; in a compound meter a beat is a dotted quarter.
    return float(round(beats * 1.5 if time.compound else beats))


def _length(ask: Ask, style: Style, catalogue: Catalogue, form: str, time: Meter, tempo: float) -> tuple[int, float]:
    """Bars, and the tempo: moved a little where seconds were asked for and no tempo was."""
    quarters = time.bar / QUARTER
    if ask.bars:
        return ask.bars, tempo
    if ask.seconds:
        exact = ask.seconds * tempo / 60 / quarters
        unit = 4 if exact >= 12 else 2 if exact >= 6 else 1
        if ask.tempo:
            unit = 1
        bars = min(256, max(2 if ask.tempo else 4, round(exact / unit) * unit))
        return bars, tempo if ask.tempo else round(bars * quarters * 60 / ask.seconds, 2)
    if ask.sections:
        return natural_bars(ask.sections), tempo
    if form == "12-bar blues":
        return 24, tempo
    bars = style.bars
    # A default song lasts about one to two minutes, whatever its meter.
    while bars > 16 and bars * quarters * 60 / tempo > 150:
        bars -= 8
    return bars, tempo


_ABOUT_MUSIC = re.compile(
    r"song|music|tune|piece|track|instrumental|vocal|compose|write|make|play|歌|曲|音乐|写|作", re.I
)


def titled(text: str, ask: Ask, catalogue: Catalogue, moods: tuple[str, ...], locale: str, seed: int) -> str:
    """A title in the listener's language: the image itself where the words are one, else from mood, words and seed."""
    if ask == replace(Ask(), remarks=ask.remarks) and 4 <= len(text) <= 44 and not _ABOUT_MUSIC.search(text):
        return text[0].upper() + text[1:].rstrip(".。!！ ")
    rng = generator(seed, "title", text)
    words = catalogue.titles["zh" if locale.startswith("zh") else "en"]
    near = next((_TITLE_MOODS[mood] for mood in moods if mood in _TITLE_MOODS), "any")
    parts = {
        "noun": rng.choice(words["noun"]),
        "place": rng.choice(words["place"]),
        "adjective": rng.choice(words[near]),
    }
    title = rng.choice(words["patterns"]).format(**parts)
    return title[0].upper() + title[1:]


_TITLE_MOODS = {
    "sad": "sad", "melancholic": "sad", "bittersweet": "sad", "nostalgic": "sad", "solemn": "sad",
    "introspective": "calm", "happy": "happy", "uplifting": "happy", "playful": "happy", "warm": "happy",
    "anthemic": "happy", "dark": "dark", "mysterious": "dark", "tense": "dark", "aggressive": "energetic",
    "calm": "calm", "mellow": "calm", "romantic": "calm", "atmospheric": "calm", "energetic": "energetic",
    "passionate": "energetic", "epic": "energetic", "funky": "energetic", "dreamy": "dreamy", "ethereal": "dreamy",
}  # fmt: skip


def swing_of(brief: Brief, style: Style, seed: int) -> float:
    """Where the off-beat falls, .5 straight to .67."""
    if brief.feel in _FEELS:
        return _FEELS[brief.feel]
    low, high = style.feel.swing
    return round(low + (high - low) * generator(seed, "swing").randrange(101) / 100, 3)
