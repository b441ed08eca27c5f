"""Writes THIRD_PARTY.md: what we use, under which licence, from the installed packages' own metadata.

python -m scripts.notices
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HEAD = """# Third-party notice

Tunesmith (MIT) uses these Python packages, installed from their own distributions and not copied into this
repository. Written by `python -m scripts.notices`.

| package | version | licence |
|---|---|---|
"""
TAIL = """
Programs and data used where they are installed, each under its own licence: libfluidsynth (LGPL 2.1), the FluidR3
General MIDI soundfont (MIT), ffmpeg (LGPL or GPL, run as a program), Liberation fonts (OFL), WenQuanYi Micro Hei
(GPL 3 with font exception), the Leland and Bravura music fonts that come with verovio (OFL).

`config/statistics.json` holds counts derived from OpenEWLD lead sheets (public domain), POP909 (MIT) and the folk
tunes of music21's corpus; it holds no song. `config/evaluation/known.bin` holds hashes of runs of those tunes, from
which none can be read back; `config/evaluation/reference.json` percentiles of the lead sheets.
"""


def licence(name: str) -> tuple[str, str]:
    """(version, licence) in the package's own words, in one line."""
    about: Any = metadata(name)
    said = about.get("License-Expression") or about.get("License") or ""
    if not said.strip() or len(said) > 60:
        classifiers = [c.split(" :: ")[-1] for c in about.get_all("Classifier") or [] if c.startswith("License")]
        said = ", ".join(classifiers) or (said.strip().splitlines() or ["see the package"])[0][:60]
    return about["Version"], said.replace("\n", " ")


def main() -> None:
    names = re.findall(r"^([A-Za-z0-9_.-]+)==", (ROOT / "requirements" / "base.txt").read_text(), re.M)
    rows = []
    for name in names:
        try:
            rows.append("| {} | {} | {} |".format(name, *licence(name)))
        except PackageNotFoundError:
            continue  # for another platform or Python
    (ROOT / "THIRD_PARTY.md").write_text(HEAD + "\n".join(rows) + "\n" + TAIL)


if __name__ == "__main__":
    main()
