"""Engraves MusicXML as PNG pages: verovio draws, resvg paints."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from adapters import fonts
from core.errors import NoPicture

_OPTIONS = {
    "pageWidth": 2100, "pageHeight": 2970, "adjustPageHeight": True, "font": "Leland", "header": "auto",
    "footer": "none", "svgViewBox": True, "scale": 40, "breaks": "auto",
    "pageMarginTop": 80, "pageMarginLeft": 80, "pageMarginRight": 80, "pageMarginBottom": 80,
    "spacingSystem": 10, "lyricSize": 4.5,
}  # fmt: skip
_SVG = "http://www.w3.org/2000/svg"
WIDTH = 1600  # pixels


@dataclass
class Engraver:
    """A resident toolkit. `pages` of a document, as PNG."""

    def __post_init__(self) -> None:
        import verovio  # noqa: PLC0415

        verovio.enableLog(verovio.LOG_OFF)
        self._toolkit: Any = verovio.toolkit()
        self._toolkit.setOptions(_OPTIONS)
        self._music = [str(path) for path in fonts.music_faces()]

    def pages(self, musicxml: bytes, most: int = 12) -> list[bytes]:
        """PNG pages. Raises NoPicture where the document cannot be drawn."""
        import resvg_py  # noqa: PLC0415

        if not self._toolkit.loadData(musicxml.decode()):
            raise NoPicture(reason="verovio")
        pages = []
        for number in range(1, min(most, self._toolkit.getPageCount()) + 1):
            svg = _readable(self._toolkit.renderToSVG(number))
            pages.append(
                bytes(
                    resvg_py.svg_to_bytes(
                        svg_string=svg, width=WIDTH, background="#ffffff", skip_system_fonts=True,
                        font_files=[*fonts.text_files(), *self._music],
                        font_family="Liberation Serif", serif_family="Liberation Serif",
                    )
                )
            )  # fmt: skip
        return pages


def _readable(svg: str) -> str:
    """The SVG as resvg needs it: no part-name titles, text placed by its own element, families by name."""
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    root = ElementTree.fromstring(svg)
    for parent in root.iter():
        for child in list(parent):
            if child.tag in (f"{{{_SVG}}}title", f"{{{_SVG}}}desc"):
                parent.remove(child)
    for text in root.iter(f"{{{_SVG}}}text"):
        _lift_position(text)
    out = ElementTree.tostring(root, encoding="unicode")
    return re.sub(r'font-family="Times,? ?serif"|font-family="Times"', 'font-family="Liberation Serif"', out)


def _lift_position(text: ElementTree.Element) -> None:
    """Moves x, y and text-anchor from the first nested tspan to the text: resvg wants them there."""
    spans = [span for span in text.iter() if span is not text]
    for name in ("x", "y", "text-anchor"):
        for span in spans:
            value = span.attrib.get(name)
            if value is not None:
                if name not in text.attrib or (name != "text-anchor" and text.attrib[name] == "0"):
                    text.set(name, value)
                break
    first = True
    for span in spans:
        if "x" in span.attrib and first:
            for name in ("x", "y", "text-anchor"):
                span.attrib.pop(name, None)
            first = False
