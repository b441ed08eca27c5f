"""Numbers written as words, in English and Chinese, become digits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

MOST_WORDS = 4_000  # characters of a request that are read
_LONG_FIGURE, _HUGE = re.compile(r"\d{7,}"), "999999"  # no number of that size means anything in music
_UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "dozen": 12,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
_WORD = "|".join(sorted((*_UNITS, *_TENS, "hundred"), key=len, reverse=True))
_ENGLISH = re.compile(rf"\b(?:a (?=dozen|hundred))?(?:{_WORD})(?:(?:[ -]and[ -]|[ -])(?:{_WORD}))*\b", re.I)
_CHINESE_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_CHINESE = re.compile("[零〇一二两三四五六七八九十百]+")
# 四三拍 and 三四拍 are 3/4, 八六拍 and 六八拍 6/8: said before figures run together with those beside them.
_TIME_SIGNATURE = re.compile("([二三四五六七八九]|十二)([四八])拍|([四八])([二三五六七九]|十二)拍")


def _time_signature(match: re.Match[str]) -> str:
    beats, unit = (match[1], match[2]) if match[1] else (match[4], match[3])
    if beats == "八" and unit == "四":  # 八四拍 does not exist; 四八 is read the other way
        beats, unit = unit, beats
    return f" {_chinese_number(beats)}/{_chinese_number(unit)} "


def _chinese_number(text: str) -> int:
    return 12 if text == "十二" else _CHINESE_DIGITS[text]


# Fractions that stand before a unit of time. Order matters: the longer phrase first.
_HALVES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"\ba minute and a half\b"), "1.5 minutes"),
    (re.compile(r"(\d{1,6}) and a half\b"), r"\1.5"),
    (re.compile(r"(\d{1,6}) minutes and a half\b"), r"\1.5 minutes"),
    (re.compile(r"\bhalf (?:of )?an? minute\b|\bhalf-minute\b|\b0\.5 a minute\b"), "0.5 minutes"),
    (re.compile(r"\ba (?:quarter|quarter of) (?:of )?a minute\b"), "0.25 minutes"),
    (re.compile(r"\ban? minute\b"), "1 minute"),
    (re.compile(r"\bhalf an hour\b"), "30 minutes"),
    (re.compile(r"\ba quarter of an hour\b"), "15 minutes"),
    (re.compile(r"\b(\d{1,6})[ -]hours?\b|\b(an) hour\b"), lambda m: f"{60 * int(m[1] or 1)} minutes"),
    (re.compile(r"半分钟"), "0.5分钟"),
    (re.compile(r"(\d{1,6})分(?:钟)?半"), r"\1.5分钟"),
    (re.compile(r"(\d{1,6})个半小节"), r"\1.5小节"),
)


def _english(match: re.Match[str]) -> str:
    total, current = 0, 0
    words = re.split(r"[ -]+", match[0].lower())
    for place, word in enumerate(words):
        if word in ("and", "a"):
            continue
        if word == "hundred":
            current = min(max(1, current) * 100, int(_HUGE))
        elif word == "dozen":
            current = min(max(1, current) * 12, int(_HUGE))
        elif word in _TENS and 0 < current < 10:  # "one twenty" is 120
            current = current * 100 + _TENS[word]
        elif word in _TENS:
            current += _TENS[word]
        elif current % 100 and not (current % 100 >= 20 and current % 10 == 0 and _UNITS[word] < 10):
            # "one two three" is a count, not a number: leave it as single digits
            return " ".join([str(_value(w)) for w in words[:place] if w != "and"] + [str(_value(word))])
        else:
            current += _UNITS[word]
    return str(total + current)


def _value(word: str) -> int:
    return _UNITS.get(word, _TENS.get(word, 100))


def _chinese(match: re.Match[str]) -> str:
    text = match[0]
    if not set(text) & set("十百"):
        return "".join(str(_CHINESE_DIGITS[c]) for c in text)
    total, digit = 0, 0
    for character in text:
        if character in "十百":
            total += max(1, digit) * (10 if character == "十" else 100)
            digit = 0
        else:
            digit = _CHINESE_DIGITS[character]
    return str(total + digit)


def normalised(text: str) -> str:
    """One width, digits for number words, case kept: `Twelve bars` → `12 bars`, `十六小节` → `16小节`.

    Of what is longer than MOST_WORDS the beginning.
    """
    text = unicodedata.normalize("NFKC", text[:MOST_WORDS])[:MOST_WORDS].replace("’", "'").replace("–", "-")
    text = _TIME_SIGNATURE.sub(_time_signature, text)
    text = _LONG_FIGURE.sub(_HUGE, _CHINESE.sub(_chinese, _ENGLISH.sub(_english, text)))
    for pattern, replacement in _HALVES:
        text = pattern.sub(replacement, text)
    return re.sub(r"\s+", " ", text).strip()
