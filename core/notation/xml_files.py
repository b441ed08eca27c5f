"""MusicXML files as element trees: plain or packed (.mxl), checked before anything is believed."""

from __future__ import annotations

import re
import zipfile
import zlib
from io import BytesIO
from xml.etree import ElementTree

from core.notation.problems import refused

MOST_BYTES = 12_000_000  # of XML, unpacked
_MOST_ENTRIES = 200


def read_tree(data: bytes) -> ElementTree.Element:
    """The root of a MusicXML or MXL file. Raises UnreadableNotation."""
    if data[:2] == b"PK":
        data = _unpacked(data)
    if len(data) > MOST_BYTES:
        raise refused("xml-too-big", expected=f"{MOST_BYTES // 1_000_000} MB")
    if b"<!ENTITY" in data.replace(b"\x00", b""):  # UTF-16 has a zero byte between
        raise refused("xml-entities")
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise refused("xml-broken", line=line, column=column + 1) from None
    except (ValueError, LookupError):  # an encoding that nobody knows
        raise refused("xml-broken", line=1, column=1) from None
    if "}" in root.tag:  # a file with a namespace: the names are the same without it
        for element in root.iter():
            element.tag = element.tag.partition("}")[2] or element.tag
    return root


def _unpacked(data: bytes) -> bytes:
    """The score inside an .mxl archive, as its container names it."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
            if len(names) > _MOST_ENTRIES:
                raise refused("xml-too-big", expected=_MOST_ENTRIES)
            name = None
            if "META-INF/container.xml" in names:
                container = _entry(archive, "META-INF/container.xml", 100_000)
                found = re.search(rb"full-path\s*=\s*[\"']([^\"']+)[\"']", container)
                name = found[1].decode("utf-8", "replace") if found else None
            if name not in names:
                scores = (n for n in names if n.lower().endswith((".xml", ".musicxml")) and "META-INF" not in n)
                name = next(scores, None)
            if name is None:
                raise refused("xml-none")
            return _entry(archive, name, MOST_BYTES)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        raise refused("xml-packed") from None


def _entry(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """An archive may lie about its sizes: no more is unpacked than is allowed."""
    with archive.open(name) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise refused("xml-too-big", expected=f"{most // 1_000_000} MB")
    return content
