"""Fonts for pictures, found on this machine: Latin and Chinese text, and the music font of verovio."""

from __future__ import annotations

import base64
import os
import re
import tempfile
from functools import cache
from io import BytesIO
from pathlib import Path

from platformdirs import user_cache_path

from core.errors import NoPicture

_SERIF = (
    "/usr/share/fonts/truetype/liberation", "/usr/share/fonts/truetype/liberation2",
    "/usr/share/fonts/liberation", "/usr/share/fonts/liberation-serif-fonts", "/usr/share/fonts/TTF",
    "/System/Library/Fonts/Supplemental",
)  # fmt: skip
_SERIF_NAMES = {
    "regular": ("LiberationSerif-Regular.ttf", "Times New Roman.ttf"),
    "bold": ("LiberationSerif-Bold.ttf", "Times New Roman Bold.ttf"),
    "italic": ("LiberationSerif-Italic.ttf", "Times New Roman Italic.ttf"),
}
_CHINESE = (
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc", "/usr/share/fonts/wqy-microhei/wqy-microhei.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf", "/System/Library/Fonts/PingFang.ttc",
    "/System/Library/Fonts/Hiragino Sans GB.ttc",
)  # fmt: skip
_SANS = ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",)


@cache
def serif(style: str = "regular") -> Path:
    """A Latin serif face: `regular`, `bold` or `italic`. Raises NoPicture."""
    for folder in _SERIF:
        for name in _SERIF_NAMES[style]:
            if (path := Path(folder, name)).is_file():
                return path
    raise NoPicture(reason="Liberation Serif")


@cache
def text_face() -> Path:
    """A face with Latin and Chinese glyphs, for cards. Raises NoPicture."""
    for name in (*_CHINESE, *_SANS):
        if Path(name).is_file():
            return Path(name)
    return serif()


@cache
def music_faces(font: str = "Leland") -> tuple[Path, ...]:
    """The SMuFL faces that verovio carries in its stylesheets, as TTF files in the user's cache folder."""
    import verovio  # noqa: PLC0415

    data = Path(verovio.__file__).parent / "data"
    folder = _font_folder(verovio.__version__ if hasattr(verovio, "__version__") else "1")
    return tuple(_unpacked(data / f"{name}.css", folder / f"{name}.ttf") for name in (font, "Bravura"))


def _font_folder(version: str) -> Path:
    try:
        folder = user_cache_path("tunesmith") / f"fonts-{version}"
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="tunesmith-fonts-"))
    return folder


def _unpacked(css: Path, target: Path) -> Path:
    """Moved into place whole: several workers may do this at once."""
    if target.exists():
        return target
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    packed = re.search(r"base64,([A-Za-z0-9+/=]+)", css.read_text())
    if not packed:
        raise NoPicture(reason=css.name)
    face = TTFont(BytesIO(base64.b64decode(packed[1])))
    face.flavor = None
    draft = target.with_suffix(f".{os.getpid()}")
    face.save(draft)
    os.replace(draft, target)
    return target


def text_files() -> list[str]:
    """Every face a score's words may need."""
    files = [str(serif(style)) for style in ("regular", "bold", "italic")]
    return files + [name for name in _CHINESE if Path(name).is_file()][:1]
