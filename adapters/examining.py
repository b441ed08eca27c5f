"""What the doctor looks at: packages, sound, pictures, the database, the folder, the platforms, the clock."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from core.errors import TunesmithError
from core.examination import Examination, Finding

_LEAST_FREE = 1_000_000_000  # bytes: a few hundred songs
_DRIFT = 30.0  # seconds that a clock may be off before tokens and schedules suffer
_ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Means:
    """What a deployment has: the settings that the examinations need."""

    data: Path
    database_url: str | None
    files_url: str | None
    soundfont: str | None
    telegram_token: str | None
    telegram_url: str | None
    discord_token: str | None
    discord_url: str | None


def examinations(means: Means) -> list[Examination]:
    drift: list[float] = []  # seconds that our clock is ahead, by each platform's
    looks: list[tuple[str, Callable[[], Awaitable[Finding]]]] = [
        ("packages", lambda: asyncio.to_thread(_packages)),
        ("soundfont", lambda: asyncio.to_thread(_soundfont, means.soundfont)),
        ("ffmpeg", lambda: asyncio.to_thread(_ffmpeg)),
        ("fonts", lambda: asyncio.to_thread(_fonts)),
        ("folder", lambda: asyncio.to_thread(_folder, means.data)),
        ("database", lambda: _database(means)),
        ("telegram", lambda: _telegram(means, drift)),
        ("discord", lambda: _discord(means, drift)),
        ("clock", lambda: _clock(drift)),
    ]
    return [Examination(name, look) for name, look in looks]


def _packages() -> Finding:
    """Whether what is installed is what stands in the requirements."""
    wanted: dict[str, set[str]] = {}  # several versions, where these depend on Python's
    for line in (_ROOT / "requirements" / "base.txt").read_text().splitlines():
        name, equal, rest = line.partition("==")
        if equal and not line.startswith((" ", "#")):
            wanted.setdefault(name.strip(), set()).add(rest.split()[0])
    found = {name: _installed(name) for name in wanted}
    wrong = [name for name, version in found.items() if version is not None and version not in wanted[name]]
    missing = [name for name in ("dbos", "langgraph", "verovio", "sqlalchemy") if found[name] is None]
    if wrong or missing:
        return Finding(code="doctor-mend-packages", values={"names": ", ".join([*missing, *wrong][:6])})
    return Finding(str(len(wanted)))


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _soundfont(setting: str | None) -> Finding:
    from adapters.synth.fluid import Fluid  # noqa: PLC0415
    from adapters.synth.soundfont import soundfont  # noqa: PLC0415

    try:
        path = soundfont(setting)
        Fluid(path)
    except TunesmithError as error:
        return Finding(code="doctor-mend-soundfont", values={"reason": error.values.get("reason", "")}, needed=False)
    return Finding(str(path))


def _ffmpeg() -> Finding:
    found = shutil.which("ffmpeg")
    return Finding(found) if found else Finding(code="doctor-mend-ffmpeg", needed=False)


def _fonts() -> Finding:
    from adapters.fonts import serif, text_face  # noqa: PLC0415

    missing = []
    try:
        if text_face() == serif():  # what is left where no Chinese face is there
            missing.append("WenQuanYi Micro Hei")
    except TunesmithError:
        missing.append("Liberation Serif")
    if missing:
        return Finding(code="doctor-mend-fonts", values={"names": ", ".join(missing)}, needed=False)
    return Finding("Liberation Serif, WenQuanYi Micro Hei")


def _folder(data: Path) -> Finding:
    """Rights and room, of the folder or of the nearest one that is there."""
    there = next(folder for folder in (data, *data.absolute().parents) if folder.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        return Finding(str(data), "doctor-mend-folder", {"folder": str(there)})
    if there == data and data.stat().st_mode & 0o077:
        return Finding(str(data), "doctor-mend-rights", {"folder": str(data)}, needed=False)
    free = shutil.disk_usage(there).free
    if free < _LEAST_FREE:
        return Finding(str(data), "doctor-mend-space", {"free": f"{free / 1e9:.1f}"}, needed=False)
    return Finding(f"{data} ({free / 1e9:.0f} GB)")


async def _database(means: Means) -> Finding:
    from adapters.storage.database import newest_revision  # noqa: PLC0415

    newest = newest_revision()
    try:
        revision = await asyncio.to_thread(_revision, means)
    except Exception as error:
        return Finding(code="doctor-mend-database", values={"reason": str(error).strip().partition("\n")[0][:200]})
    if revision is None:
        return Finding("–")  # it is made at the first start
    if revision > newest:
        return Finding(revision, "error-database-newer", {"found": revision, "known": newest})
    return Finding(revision if revision == newest else f"{revision} → {newest}")


def _revision(means: Means) -> str | None:
    """The schema's revision; None where there is no database yet."""
    query = "SELECT version_num FROM alembic_version"
    if means.database_url:
        import psycopg  # noqa: PLC0415

        with psycopg.connect(means.database_url.replace("+psycopg", ""), connect_timeout=5) as connection:
            if connection.execute("SELECT to_regclass('alembic_version')").fetchone() == (None,):
                return None
            return str(connection.execute(query).fetchone()[0])  # type: ignore[index]
    path = means.data / "tunesmith.db"
    if not path.exists():
        return None
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        check = file.execute("PRAGMA quick_check(1)").fetchone()[0]
        if check != "ok":
            raise sqlite3.DatabaseError(check)
        return str(file.execute(query).fetchone()[0])


async def _telegram(means: Means, drift: list[float]) -> Finding:
    if not means.telegram_token:
        return Finding("–", "telegram-missing", needed=False)
    base = means.telegram_url or "https://api.telegram.org"
    return await _asked(f"{base}/bot{means.telegram_token}/getMe", {}, "telegram", drift)


async def _discord(means: Means, drift: list[float]) -> Finding:
    if not means.discord_token:
        return Finding("–", "discord-missing", needed=False)
    base = means.discord_url or "https://discord.com"
    headers = {"Authorization": f"Bot {means.discord_token}"}
    return await _asked(f"{base}/api/v10/users/@me", headers, "discord", drift)


async def _asked(url: str, headers: dict[str, str], name: str, drift: list[float]) -> Finding:
    """Who a token belongs to; no token is told."""
    import aiohttp  # noqa: PLC0415

    try:
        limit = aiohttp.ClientTimeout(total=10)
        async with aiohttp.ClientSession(timeout=limit) as session, session.get(url, headers=headers) as answer:
            if "Date" in answer.headers:
                drift.append(time.time() - parsedate_to_datetime(answer.headers["Date"]).timestamp())
            if answer.status in (401, 403, 404):
                return Finding(code=f"mend-{name}")
            if answer.status != 200:
                return Finding(code="doctor-mend-network", values={"reason": str(answer.status)})
            body: dict[str, Any] = await answer.json(content_type=None)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        return Finding(code="doctor-mend-network", values={"reason": type(error).__name__})
    return Finding(f"@{body.get('result', body).get('username', '?')}")


async def _clock(drift: list[float]) -> Finding:
    if not drift:
        return Finding("–")
    off = min(drift, key=abs)
    return Finding(f"{off:+.0f} s", "" if abs(off) <= _DRIFT else "doctor-mend-clock", {"seconds": f"{off:+.0f}"})
