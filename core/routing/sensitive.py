"""Recognises words that must not become a song: of somebody who may harm themselves, or is in danger from others.

The table is config/sensitive.yaml. A look-alike costs a song; a person who is not heard may cost a life: in doubt the
text counts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Matter = Literal["self-harm", "danger", "person"]

_MOST = 20_000  # characters that are read: more than any platform sends in one message
_TRADITIONAL = str.maketrans(
    "殺著義沒還離開這個樓結輕傷殘來會對過覺讓們誰說斷遺書藥燒無麼該脅蹤媽虐強關鎖嚇報後給為樣時處邊實總從進於與別種難當遠頭點見長間靜裡裏係愛氣夢聽話線絕筆鬧閉睜寧願經歡體壓鬱幫護繼親戀婦姪將變樂麻煩擔負團陽臺門窗橋頂僅勵懷憂慮慘痠壞緊點囉捲劃決麗蓋們嗎幾歲兒現買賣賬訴護衛隨綁誘騷擾務誤貼試認識讀論詞課調談請變遲遊運邁達違遺選適遞遼銀錢鐘鐵門閃問閒間闆陳陰陸陣隊階際隱雖雙雜難電頓預領頻題額顏願類風飛餓馬駕驗驚體鬆魚鳥麗麥黃齊齒龍",
    "杀着义没还离开这个楼结轻伤残来会对过觉让们谁说断遗书药烧无么该胁踪妈虐强关锁吓报后给为样时处边实总从进于与别种难当远头点见长间静里里系爱气梦听话线绝笔闹闭睁宁愿经欢体压郁帮护继亲恋妇侄将变乐麻烦担负团阳台门窗桥顶仅励怀忧虑惨酸坏紧点啰卷划决丽盖们吗几岁儿现买卖账诉护卫随绑诱骚扰务误贴试认识读论词课调谈请变迟游运迈达违遗选适递辽银钱钟铁门闪问闲间板陈阴陆阵队阶际隐虽双杂难电顿预领频题额颜愿类风飞饿马驾验惊体松鱼鸟丽麦黄齐齿龙",
)
_LAUGHING = re.compile(r"哈哈|呵呵|\blol\b|\blmao\b|\bhaha|\bxd\b|[😂🤣😆]")


@dataclass(frozen=True, slots=True)
class Helpline:
    """Where help is, in one country (ISO 3166), called `place` by language. `matter`: what it is for; `source`, `seen`:
    who says so, and when it was read.
    """

    country: str
    place: Mapping[str, str]
    name: str
    number: str
    matter: Literal["self-harm", "danger", "emergency"]
    languages: tuple[str, ...]
    source: str
    seen: str


class Sensitive:
    """Reads texts by the table."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        words = table["words"]

        def pattern(language: str, forms: list[str]) -> re.Pattern[str]:
            return re.compile("|".join(f"(?:{form.format(**words[language])})" for form in forms))

        self._innocent = {
            language: re.compile("|".join(f"(?:{form})" for form in forms))
            for language, forms in table["innocent"].items()
        }
        self._story = {language: re.compile(form) for language, form in table["story"].items()}
        self._kinds: list[tuple[Matter, str, str, re.Pattern[str]]] = [
            (kind, where, language, pattern(language, forms))
            for kind, wheres in table["kinds"].items()
            for where, languages in wheres.items()
            for language, forms in languages.items()
        ]
        self._person = [(language, pattern(language, forms)) for language, forms in table["person"].items()]

    def matter(self, text: str) -> Matter | None:
        """What the words are about, None where they are like any others."""
        plain = _plain(text[:_MOST])
        read = {language: form(plain) for language, form in _READINGS.items()}
        rest = {language: self._innocent[language].sub(" ", said) for language, said in read.items()}
        story = any(form.search(read[language]) for language, form in self._story.items())
        laughing = bool(_LAUGHING.search(plain))
        for kind, where, language, form in self._kinds:
            if where == "own" and (story or laughing):
                continue
            if form.search(rest[language]):
                return kind
        if any(form.search(read[language]) for language, form in self._person):
            return "person"
        return None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower().translate(_TRADITIONAL)


_LETTERS = str.maketrans(
    {"’": "", "'": "", "`": "", "‘": "", "@": "a", "$": "s", "0": "o", "1": "i", "3": "e", "!": " "}
)


def _english(text: str) -> str:
    """Words with single spaces between them; "dieeee" is "die", "k*ll" is "k ll"."""
    letters = re.sub(r"(?<=[a-z])[@$013](?=[a-z])", lambda found: found[0].translate(_LETTERS), text)
    letters = re.sub(r"['’‘`]", "", letters)
    return re.sub(r"([a-z])\1{2,}", r"\1", re.sub(r"[^a-z0-9]+", " ", letters)).strip()


def _chinese(text: str) -> str:
    """Without the spaces and dots that are put between characters."""
    return re.sub(r"(?<=[\u4e00-\u9fff])[\s.·…~*_-]+(?=[\u4e00-\u9fff])", "", text)


_READINGS = {"en": _english, "zh": _chinese}


def read_helplines(rows: list[Mapping[str, Any]]) -> tuple[Helpline, ...]:
    """Raises KeyError or TypeError where a row lacks something."""
    return tuple(
        Helpline(
            str(row["country"]), row["place"], row["name"], str(row["number"]), row["for"],
            tuple(row["languages"]), row["source"], str(row["seen"]),
        )
        for row in rows
    )  # fmt: skip


def helplines(known: tuple[Helpline, ...], matter: str, locale: str, country: str | None) -> tuple[Helpline, ...]:
    """Those of the country, with its emergency number; where none is known, those where the language is spoken."""
    there = tuple(line for line in known if line.country == country and line.matter in (matter, "emergency"))
    if there:
        return there
    by_country: dict[str, Helpline] = {}
    for line in known:
        if line.matter == matter and _SPOKEN[locale] & set(line.languages[: 3 if locale == "zh" else 1]):
            by_country.setdefault(line.country, line)
    return tuple(by_country.values())[:_MOST_LINES]


_MOST_LINES = 8  # more are not read by somebody in distress
_SPOKEN = {"en": frozenset({"en"}), "zh": frozenset({"zh", "yue"})}
