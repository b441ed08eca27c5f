"""The settings of a deployment, read once, from the environment and from a file `.env` in the project's folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from platformdirs import user_data_path
from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT = Path(__file__).resolve().parent.parent


class Settings(BaseSettings):
    """Every setting begins with TUNESMITH_ in the environment."""

    model_config = SettingsConfigDict(env_prefix="TUNESMITH_", env_file=ROOT / ".env", frozen=True, extra="ignore")

    data: Path = Field(default_factory=lambda: user_data_path("tunesmith"))
    # postgresql://…: many processes on one database; None: SQLite in the data folder
    database_url: str | None = Field(default=None, pattern=r"^postgres(ql)?(\+psycopg)?://\S+$", repr=False)
    # s3://bucket/prefix; None: a folder in the data folder
    files_url: str | None = Field(default=None, pattern=r"^s3://[^/\s]+")
    soundfont: str | None = None
    telegram_token: str | None = Field(default=None, repr=False)  # from @BotFather
    telegram_url: str | None = None  # another Bot API server than Telegram's own
    telegram_webhook: str | None = None  # https://…: where Telegram finds us; None: we ask Telegram
    telegram_port: int = Field(default=8443, ge=1, le=65535)  # that the webhook's address leads to
    discord_token: str | None = Field(default=None, repr=False)  # from the developer portal
    discord_url: str | None = None  # another server than Discord's own, for tests
    country: str | None = Field(default=None, pattern="^[A-Z]{2}$")  # where most people there live: whose help is named
    helplines: Path | None = None  # another table than config/helplines.yaml
    locale: Literal["en", "zh"] | None = None  # None: the language of each message
    render_workers: int = Field(default=2, ge=1, le=16)
    max_revisions: int = Field(default=2, ge=0, le=5)
    jobs_at_once: int = Field(default=4, ge=0, le=64)  # that one process works on side by side; 0: only others work
    person_at_once: int = Field(default=5, ge=1)  # requests of one person that are worked on or wait
    person_hourly: int = Field(default=60, ge=1)
    person_music: int = Field(default=60, ge=1)  # minutes of music that one person may have made in an hour
    chat_at_once: int = Field(default=20, ge=1)  # the same of everybody in a chat
    chat_hourly: int = Field(default=240, ge=1)
    queue_most: int = Field(default=500, ge=1)  # requests under way in all
    health_port: int | None = Field(default=None, ge=0, le=65535)  # answers /live and /ready; None: nowhere
    health_host: str = "127.0.0.1"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"

    @model_validator(mode="after")
    def _whole(self) -> Settings:
        """Half a setting is none."""
        if self.telegram_webhook is not None:
            if self.telegram_token is None:
                raise ValueError("TUNESMITH_TELEGRAM_WEBHOOK needs TUNESMITH_TELEGRAM_TOKEN")
            if not re.match(r"https://|http://(?:127\.|localhost)", self.telegram_webhook):
                raise ValueError("TUNESMITH_TELEGRAM_WEBHOOK must begin with https://")
        return self

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no log may hold."""
        return tuple(secret for secret in (self.telegram_token, self.discord_token) if secret)


class SettingError(ValueError):
    """A setting that cannot be used: its name, and why."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name, self.reason = name, reason


def read_settings() -> Settings:
    """Raises SettingError naming the first setting that is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        said = first["msg"].removeprefix("Value error, ")
        if not first["loc"]:  # of several settings together: it names them
            name, _, rest = said.partition(" ")
            raise SettingError(name, rest) from None
        raise SettingError("TUNESMITH_" + "_".join(map(str, first["loc"])).upper(), said) from None
