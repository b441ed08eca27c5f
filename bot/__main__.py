"""The command line."""

from __future__ import annotations

import asyncio
import locale as system_locale
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot import logs
from config.settings import SettingError, Settings, read_settings
from core.errors import BadRequest, BadSetting, EmptyText, TunesmithError

if TYPE_CHECKING:
    from bot.wiring import Knowledge

app = typer.Typer(
    add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help="Make music by talking."
)
Seed = Annotated[str | None, typer.Option(help="A number: the same words and seed give the same song.")]
Formats = Annotated[str | None, typer.Option(help="midi, mp3, wav, stems, musicxml, abc, score, card: with commas.")]


@app.command()
def compose(
    words: Annotated[list[str], typer.Argument(help='What to compose: "a sad lo-fi ballad in A minor".')],
    seed: Seed = None,
    out: Annotated[Path, typer.Option(help="The folder for the files.")] = Path("songs"),
    formats: Formats = None,
    json: Annotated[bool, typer.Option("--json", help="Events as JSON, one a line.")] = False,
) -> None:
    """Compose one song from a sentence."""
    from bot.composing import compose_one  # noqa: PLC0415
    from bot.wiring import prepared, studio  # noqa: PLC0415

    text = " ".join(words).strip()
    with _told(text) as known:
        settings = _settings()
        if not text:
            raise EmptyText
        prepared(out)  # better said before the band begins than after
        made = studio(known(), settings, _formats(formats))
        _finish(compose_one(known(), made, text, _seed(seed), out.absolute(), settings.locale, json))


@app.command()
def chat(
    json: Annotated[bool, typer.Option("--json", help="For programs: see docs/console.md.")] = False,
    seed: Seed = None,
    data: Annotated[str | None, typer.Option(help="The data folder.")] = None,
    formats: Formats = None,
) -> None:
    """Talk with the band in the terminal."""
    from bot.chatting import converse  # noqa: PLC0415
    from bot.wiring import json_console, service, terminal  # noqa: PLC0415

    with _told("") as known:
        settings = _settings()
        os.umask(0o077)  # songs and conversations are their person's
        made = service(known(), settings, Path(data) if data else settings.data, _formats(formats), _seed(seed))
        code = asyncio.run(converse(json_console() if json else terminal(known(), settings), made))
    leave(code)


@app.command()
def serve(
    data: Annotated[str | None, typer.Option(help="The data folder.")] = None,
    formats: Formats = None,
) -> None:
    """Run the bot: every platform that has a token, and the work."""
    _serve(data, formats)


@app.command()
def worker(
    data: Annotated[str | None, typer.Option(help="The data folder, for files in the making.")] = None,
    formats: Formats = None,
) -> None:
    """Only work, beside `serve`, on one Postgres: any number of them on any number of machines."""
    with _told(""):
        if _settings().database_url is None:
            raise BadSetting(name="TUNESMITH_DATABASE_URL", reason="worker")
    _serve(data, formats, talking=False)


@app.command()
def doctor(data: Annotated[str | None, typer.Option(help="The data folder.")] = None) -> None:
    """Look at everything that has to be there, and say how to mend what is not."""
    from bot.doctor import examine  # noqa: PLC0415
    from bot.wiring import examinations  # noqa: PLC0415

    with _told("") as known:
        settings = _settings()
        folder = Path(data) if data else settings.data
        code = asyncio.run(examine(examinations(settings, folder), known().words, settings.locale or user_locale("")))
    leave(code)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    data: Annotated[str | None, typer.Option(help="The data folder.")] = None,
) -> None:
    """Write a back-up of the data folder, also while it is in use."""
    from bot.wiring import back_up  # noqa: PLC0415

    with _told("") as known:
        settings = _settings()
        if settings.database_url is not None:
            raise BadSetting(name="TUNESMITH_DATABASE_URL", reason="pg_dump")
        os.umask(0o077)
        size = back_up(Path(data) if data else settings.data, file.absolute())
        said = known().words.say(settings.locale or user_locale(""), "backup-done", file=file, size=f"{size / 1e6:.1f}")
        typer.echo(said)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A back-up.")],
    data: Annotated[str | None, typer.Option(help="The data folder, which must be empty.")] = None,
) -> None:
    """Unpack a back-up into a folder that has no data yet."""
    from bot.wiring import restored  # noqa: PLC0415

    with _told("") as known:
        settings = _settings()
        folder = Path(data) if data else settings.data
        os.umask(0o077)
        restored(file, folder)
        typer.echo(known().words.say(settings.locale or user_locale(""), "restore-done", folder=folder))


def _serve(data: str | None, formats: str | None, talking: bool = True) -> None:
    from bot.serving import serve as serving  # noqa: PLC0415
    from bot.wiring import platforms, service  # noqa: PLC0415

    with _told("") as known:
        settings = _settings()

        def say(code: str, **values: object) -> None:
            typer.echo(known().words.say(settings.locale or user_locale(""), code, **values), err=True)

        os.umask(0o077)  # songs and conversations are their people's

        async def run() -> int:
            lost = asyncio.Event()
            folder = Path(data) if data else settings.data
            made = service(known(), settings, folder, _formats(formats), lost=lost.set, patience=300.0, say=say)
            talk = (lambda service: platforms(service, known(), settings, say)) if talking else lambda service: []
            return await serving(made, talk, say, lost)

        code = asyncio.run(run())
    leave(code)


def leave(code: int) -> None:
    """Ends the process now: a stage's thread cannot be stopped, and what it still makes nobody waits for."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


@app.command()
def evaluate(
    what: Annotated[str, typer.Argument(help="music")] = "music",
    every: Annotated[int, typer.Option(min=1, help="Only each n-th request.")] = 1,
) -> None:
    """Judge the composer by its request suite, against real music."""
    from bot.evaluating import evaluate_music  # noqa: PLC0415

    with _told(""):
        if what != "music":
            raise BadSetting(name="evaluate", reason=what)
        code = evaluate_music(every=every)
    if code:
        raise typer.Exit(code)


def _settings() -> Settings:
    try:
        settings = read_settings()
    except SettingError as error:
        raise BadSetting(name=error.name, reason=error.reason) from None
    logs.begin(settings.log_level, settings.secrets)
    return settings


def _helplines() -> Path | None:
    """The operator's table, also where another setting cannot be used and is about to be told."""
    try:
        return read_settings().helplines
    except SettingError:
        return None


def _seed(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.strip().lstrip("+").isdecimal() or len(text.strip()) > 18:
        raise BadSetting(name="--seed", reason=text)
    return int(text)


def _formats(text: str | None) -> tuple[str, ...]:
    from core.ports import DEFAULT_FORMATS, FORMATS  # noqa: PLC0415

    if text is None:
        return DEFAULT_FORMATS
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",") if name.strip()))
    unknown = [name for name in names if name not in FORMATS]
    if unknown or not names:
        raise BadSetting(name="--formats", reason=", ".join(unknown) or "…")
    return names


def _finish(work: Coroutine[Any, Any, int]) -> None:
    code = asyncio.run(work)
    sys.stdout.flush()
    if code:
        raise typer.Exit(code)


class _told:  # noqa: N801
    """Turns what may be wrong into one sentence on standard error and an exit code: 2 for the caller's errors."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: Knowledge | None = None

    def __enter__(self) -> Any:
        return self._knowledge

    def _knowledge(self) -> Knowledge:
        from bot.wiring import knowledge  # noqa: PLC0415

        self._known = self._known or knowledge(_helplines())
        return self._known

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        from core.music.catalogue import CatalogueError  # noqa: PLC0415

        match error:
            case CatalogueError():
                typer.echo(str(error), err=True)
                raise typer.Exit(2) from None
            case TunesmithError():
                typer.echo(self._knowledge().words.say(user_locale(self._text), error.code, **error.values), err=True)
                raise typer.Exit(2 if isinstance(error, BadRequest) else 1) from None
            case KeyboardInterrupt():
                raise typer.Exit(130) from None
            case BrokenPipeError() | BaseExceptionGroup() if _gone(error):  # whoever read our output has gone
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                raise typer.Exit(1) from None
            case _:
                return


def _gone(error: BaseException) -> bool:
    """Whether all that is wrong is that nobody reads our output."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(_gone, error.exceptions))
    return isinstance(error, BrokenPipeError)


def user_locale(text: str) -> str:
    """The language of the words, else of the machine."""
    from core.localisation import locale_of  # noqa: PLC0415

    machine = os.environ.get("LC_ALL") or os.environ.get("LANG") or (system_locale.getlocale()[0] or "")
    return locale_of(text, "zh" if machine.startswith("zh") else "en")


def main() -> None:
    # LangChain's tracer sends what it sees to its makers as soon as the environment asks for it: never from here.
    os.environ["LANGSMITH_TRACING"] = os.environ["LANGCHAIN_TRACING_V2"] = "false"
    os.environ.setdefault("PTB_TIMEDELTA", "1")  # durations as such, and no warning that they will be
    app()


if __name__ == "__main__":
    main()
