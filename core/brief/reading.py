"""Reads what a sentence asks for, in English, Chinese or both."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import cast

from core.brief import patterns
from core.brief.brief import Ask, PartAsk, Remark, remark
from core.brief.lexicon import Lexicon, Span
from core.brief.numbers import MOST_WORDS, normalised
from core.music import keys, pitch
from core.music.keys import Key
from core.plain import one_line

TEMPO_LIMITS = (30.0, 300.0)
BAR_LIMITS = (4, 256)
SECOND_LIMITS = (4.0, 900.0)

# Where the reach of a "no" ends.
_CLAUSE_END = re.compile(r"[.;!?,。；！？，、]|\b(?:but|with|then|in|at|for|by|make|please|that)\b|但|带|而|用|的|只")
_LIST_JOINT = re.compile(r"^(?:,|、|or|and|nor|和|或|与|及|any|no|a|the|also|\s)*$", re.I)
# A title in quotes, or its words up to where the request goes on.
_TITLE = re.compile(
    r"(?:called|titled|named|(?<=change the )title to|(?<=, )title[: ]|call it|name it|title it|rename(?: it)?(?: to)?"
    r"|叫做|名为|改名为|改名叫|取名叫|取名为|命名为|标题(?:是|为|:)?|叫)\s{0,3}"
    r"(?:[\"“”'《「](?P<quoted>[^\"“”》」]{1,80})[\"“”'》」]|"
    r"(?P<plain>[^,.;，。；]{1,60}?)"
    r"(?=$|[,.;，。；]| in (?:the key of )?[A-Ga-g](?:$|[ ,#b♯♭])| at \d| with | for \d))",
    re.I,
)


def spans_of(text: str, lexicon: Lexicon) -> list[Span]:
    """The phrases of a normalised text, what is denied marked as such."""
    return _with_negation(text, lexicon.spans(text))


def read(text: str, lexicon: Lexicon) -> Ask:
    """What the words ask for. What they say and we cannot do is in the remarks."""
    long = len(text) > MOST_WORDS
    text = normalised(text)
    title, text = _cut_title(text)
    blank = list(text)
    asked: dict[str, object] = {"title": title}
    remarks: list[Remark] = [remark("remark-words-cut", count=MOST_WORDS)] if long else []

    def consume(start: int, end: int) -> None:
        blank[start:end] = "\0" * (end - start)

    for span in lexicon.spans(text):
        if span.kind == "form" and any(c.isdigit() for c in text[span.start : span.end]):
            asked["form"] = span.value
            consume(span.start, span.end)
    for name, reader in (
        ("key", patterns.keys), ("tempo", patterns.tempos), ("grouping", patterns.groupings),
        ("meter", patterns.meters), ("bars", patterns.bars), ("seconds", patterns.seconds),
    ):  # fmt: skip
        found = reader("".join(blank))
        for place in found:
            consume(place.start, place.end)
        if found:
            asked[name] = found[0].value
            values = list(dict.fromkeys(place.value for place in found))
            if len(values) > 1:
                remarks.append(remark("remark-only-first", what=name))
    rest = "".join(blank)
    spans = spans_of(rest, lexicon)
    ask = _from_figures(asked, remarks)
    return _from_words(rest, spans, ask)


def _cut_title(text: str) -> tuple[str | None, str]:
    match = _TITLE.search(text)
    if not match:
        return None, text
    return one_line(match["quoted"] or match["plain"], 120), text[: match.start()] + " " + text[match.end() :]


_AFTER = frozenset({"去掉", "删掉", "删去", "静音", "移除"})


def _with_negation(text: str, spans: list[Span]) -> list[Span]:
    """Marks what stands within the reach of a "no" with kind `not <kind>`."""
    result: list[Span] = []
    reach, kind, near = -1, "", False
    for span in spans:
        between = text[reach : span.start] if reach >= 0 else ""
        if (
            span.kind == "negation"
            and result
            and text[span.start : span.end] in _AFTER
            and span.start - result[-1].end <= 1
        ):
            result[-1] = replace(result[-1], kind=f"not {result[-1].kind}")  # 把鼓去掉
        elif span.kind == "only":
            reach = -1
            result.append(span)
        elif span.kind == "negation":
            reach, kind = span.end, ""
            near = text[span.start : span.end] == "不"  # 不 denies only what follows at once
        elif near and len(between.strip()) > 1:
            reach, near = -1, False
            result.append(span)
        elif reach >= 0 and (not _CLAUSE_END.search(between) or (span.kind == kind and _LIST_JOINT.match(between))):
            result.append(replace(span, kind=f"not {span.kind}"))
            reach, kind = span.end, span.kind
        else:
            reach = -1
            result.append(span)
    return result


def _from_figures(asked: dict[str, object], remarks: list[Remark]) -> Ask:
    tonic: int | None = None
    mode: str | None = None
    if "key" in asked:
        tonic, mode = cast(tuple[int, str | None], asked["key"])
        written = keys.writable(Key(tonic or 0, mode or "major"))
        if written.tonic != tonic:
            remarks.append(remark("remark-respelled", asked=pitch.pretty(tonic or 0), used=pitch.pretty(written.tonic)))
            tonic = written.tonic
    meter = None
    if "meter" in asked:
        numerator, denominator = cast(tuple[int, int], asked["meter"])
        grouping = cast(tuple[int, ...] | None, asked.get("grouping"))
        meter = patterns.meter_of(numerator, denominator, grouping)
        if meter is None and grouping:
            meter = patterns.meter_of(numerator, denominator, None)
            remarks.append(remark("remark-grouping", meter=f"{numerator}/{denominator}"))
        elif meter is None:
            remarks.append(remark("remark-meter", meter=f"{numerator}/{denominator}"))
    tempo = _within("tempo", asked.get("tempo"), TEMPO_LIMITS, remarks)
    bars = _within("bars", asked.get("bars"), BAR_LIMITS, remarks)
    seconds = _within("seconds", asked.get("seconds"), SECOND_LIMITS, remarks)
    if bars and seconds:
        remarks.append(remark("remark-bars-over-seconds", bars=int(bars)))
        seconds = None
    title, form = asked.get("title"), asked.get("form")
    return Ask(
        tonic=tonic,
        mode=mode,
        tempo=tempo,
        meter=meter,
        bars=None if bars is None else int(bars),
        seconds=seconds,
        form=None if form is None else str(form),
        title=None if title is None else str(title),
        remarks=tuple(remarks),
    )


def _within(what: str, value: object, limits: tuple[float, float], remarks: list[Remark]) -> float | None:
    if value is None:
        return None
    assert isinstance(value, int | float)
    kept = min(max(float(value), limits[0]), limits[1])
    if kept != value:
        remarks.append(remark(f"remark-limit-{what}", asked=f"{value:g}", used=f"{kept:g}"))
    return kept


def _from_words(text: str, spans: list[Span], ask: Ask) -> Ask:
    values: dict[str, list[str]] = {}
    for span in spans:
        values.setdefault(span.kind, []).append(span.value)

    def first(kind: str) -> str | None:
        return values.get(kind, [None])[0]

    def unique(*kinds: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(v for kind in kinds for v in values.get(kind, [])))

    remarks = list(ask.remarks)
    remarks += [remark(f"remark-cannot-{value.replace(' ', '-')}") for value in unique("unsupported", "imitation")]
    tempo = ask.tempo
    if tempo is None and first("tempo_word"):
        tempo = float(first("tempo_word") or 0)
    return replace(
        ask,
        genres=unique("genre"),
        moods=unique("mood"),
        mode=ask.mode or first("mode"),
        tempo=tempo,
        form=ask.form or first("form"),
        sections=_sections(text, spans),
        ensemble=_ensemble(text, spans),
        exact=_exact(text, spans),
        parts=_parts(text, spans),
        excluded=unique("not role", "not instrument", "not section"),
        ending=first("ending"),
        feel="straight" if "swing" in values.get("not feel", []) else first("feel") or _said(values, _FEELS),
        density=first("density") or ("sparse" if "not density" in values else None) or _said(values, _DENSITIES),
        effects=False if "effects off" in values.get("change", []) else None,
        remarks=tuple(remarks),
    )


# Words of change that say something in a first request too.
_FEELS = {"swing it": "swing", "straighten": "straight"}
_DENSITIES = {"fewer": "sparse", "more notes": "dense"}


def _said(values: dict[str, list[str]], meanings: dict[str, str]) -> str | None:
    return next((meanings[word] for word in values.get("change", []) if word in meanings), None)


def _sections(text: str, spans: list[Span]) -> tuple[str, ...]:
    """`intro, 2 verses, chorus` in order; a single mention names no form."""
    named = [span for span in spans if span.kind == "section"]
    order: list[str] = []
    for span in named:
        count = re.search(r"(\d{1,6})\s?(?:x|times|段|个|遍|次)?\s{0,3}$", _before(text, span.start))
        twice = re.match(r"\s{0,3}(?:twice|2 times|两次|2次|2遍)", text[span.end : span.end + _NEAR], re.I)
        order += [span.value] * min(8, int(count[1]) if count else 2 if twice else 1)
    return tuple(order) if len(named) > 1 else ()


def _ensemble(text: str, spans: list[Span]) -> str | None:
    for span in spans:
        if span.kind == "ensemble":
            # "with a guitar solo" wants a soloist in the band, not one line alone
            before = _before(text, span.start).lower()
            if span.value == "solo" and re.search(r"\bwith (?:an? )?(?:[\w-]+ ){0,3}$", before):
                continue
            return span.value
    return None


_NEAR = 60  # characters: what is farther away says nothing of a word
_ROLE_AFTER = re.compile(
    r"\s{0,3}(?:(?:(?:on|playing|plays|takes|for|as|carries|has|the|an?|in|s)\b|演奏|担任|弹|拉|吹|负责|做|的)\s*+)*+"
)
_ROLE_BEFORE = re.compile(
    r"\s{0,3}(?:on|to|换成|改成|改为|by|from|for|played by|with|is|:|由|用|是)\s{0,3}(?:an?|the)?\s{0,3}", re.I
)


def _parts(text: str, spans: list[Span]) -> tuple[PartAsk, ...]:
    """Instruments in the order named; a role or a manner beside an instrument goes with it.

    A role with a manner and no instrument ("the alto has a tune of its own") is kept as well.
    """
    asks: list[PartAsk] = []
    named = [span for span in spans if span.kind in ("instrument", "role", "manner")]
    while named:
        here = named.pop(0)
        there = named[0] if named else None
        between = text[here.end : min(there.start, here.end + _NEAR)] if there else ""
        if here.kind == "role":
            if there and there.kind == "instrument" and _ROLE_BEFORE.fullmatch(between):
                asks.append(PartAsk(named.pop(0).value, here.value))
            else:
                asks.append(PartAsk(None, here.value))
        elif here.kind == "manner":
            if asks:
                asks[-1] = replace(asks[-1], manner=here.value)
        elif there and there.kind == "role" and _ROLE_AFTER.fullmatch(between):
            asks.append(PartAsk(here.value, named.pop(0).value))
        else:
            asks += [PartAsk(here.value, _leading(text, here))] * _count(text, here.start)
    return tuple(asks)


def _before(text: str, place: int) -> str:
    return text[max(0, place - _NEAR) : place]


def _count(text: str, place: int) -> int:
    """`2` before "violins"."""
    match = re.search(r"(?<![\d/.:])([2-8])\s?(?:把|支|架|只|个|台|件)?\s{0,3}$", _before(text, place))
    return int(match[1]) if match else 1


# "for oboe and harp", "music for trumpet, horn and tuba": those, and nobody else.
_EXACT = re.compile(r"(?:\bfor|为)\s{0,3}(?:an?|the|solo|\d)?\s{0,3}$", re.I)
_ONLY = re.compile(r"(?:\bjust|\bonly|nothing but|solely|只有|只要|只用|仅)\s{0,3}(?:an?|the|\d)?\s{0,3}$", re.I)
_PIECE = re.compile(r"\b(?:piece|music|work|study|sonata|invention|etude)\s+for\b", re.I)
_AND = re.compile(r"\s{0,3}(?:,|、|&|\band\b|和|与|及|an?|the|\s)+\s{0,3}", re.I)


def _exact(text: str, spans: list[Span]) -> bool:
    """Whether the players named are all: two instruments or more in a row after "for", any after "only"."""
    row = [span for span in spans if span.kind in ("instrument", "role")]
    if not row:
        return False
    if any(_ONLY.search(_before(text, span.start)) for span in row) or re.match(
        r"\s{0,3}only\b", text[row[-1].end : row[-1].end + _NEAR], re.I
    ):
        return True
    row = [span for span in row if span.kind == "instrument"]
    if not row:
        return False
    before = _before(text, row[0].start)
    if len(row) == 1:
        return bool(_EXACT.search(before) and _PIECE.search(before))
    if not (_EXACT.search(before) or not text[: row[0].start].strip()):
        return False
    return all(_AND.fullmatch(text[a.end : b.start]) for a, b in pairwise(row))


def _leading(text: str, span: Span) -> str | None:
    after = text[span.end : span.end + 12].lower()
    return "melody" if re.match(r"\s{0,3}(?:leads?|solo|sings?|in front|领奏|主奏|独奏)\b", after) else None
