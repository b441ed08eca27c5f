"""Finds a General MIDI soundfont on this machine."""

from __future__ import annotations

from pathlib import Path

from core.errors import NoSound

_FOLDERS = (
    "/usr/share/sounds/sf2",
    "/usr/share/soundfonts",
    "/opt/homebrew/share/soundfonts",
    "/usr/local/share/soundfonts",
)
_PREFERRED = ("FluidR3_GM.sf2", "FluidR3.sf2", "default.sf2", "default-GM.sf2", "TimGM6mb.sf2")


def soundfont(setting: str | None = None) -> Path:
    """The font of the setting, else the best known one. Raises NoSound."""
    if setting:
        path = Path(setting).expanduser()
        if not path.is_file():
            raise NoSound(reason=f"{path}: not there")
        return path
    for name in _PREFERRED:
        for folder in _FOLDERS:
            if (path := Path(folder, name)).is_file():
                return path
    for folder in _FOLDERS:
        if found := sorted(Path(folder).glob("*.sf2")):
            return found[0]
    raise NoSound(reason="no soundfont (.sf2)")
