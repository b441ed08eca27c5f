"""Errors a user may see, each with the code of its sentence.

TunesmithError
├── BadRequest        the caller's own error; the command line answers it with exit code 2
│   ├── EmptyText
│   ├── BadSetting
│   ├── DatabaseBroken    the file is no database, or damaged
│   ├── NoData            there is nothing to back up
│   ├── BadBackup         this is no back-up of ours
│   ├── DatabaseNewer     written by a later release
│   ├── UnwritableFolder
│   └── UnreadableChord   in core.music.chord_symbols
├── Unavailable       something outside is missing or broken; the song goes on without it
│   ├── NoSound       no synthesiser, no soundfont, or a broken one
│   ├── NoEncoder     ffmpeg is missing
│   └── NoPicture     engraving or drawing failed
├── DatabaseAway      the database cannot be reached, and stayed away longer than we wait
├── Unreachable       a platform does not answer just now; tried again
│   ├── Flooded       it wants to be left alone for so many seconds
│   └── Unanswered    the call went out, and whether it arrived is unknown
├── Barred            nobody can be reached there any more: blocked, removed, gone
├── Refused           a platform does not let us in: a wrong token, say
├── NotFetched        a file that somebody sent cannot be had from its platform
├── FilesRefused      it does not take these files: too large, or not allowed there
├── MessageGone       a message that was to be edited is not there any more
├── StageStuck        a stage takes longer than any song can
├── WorkerDied        worker processes die of this very task
├── DataInUse         another process holds the data folder
└── DiskFull
"""

from __future__ import annotations

import re


class TunesmithError(Exception):
    """`code` names a sentence in the catalogues; `values` fill it in."""

    code = "error-unknown"

    def __init__(self, **values: object) -> None:
        super().__init__(self.code, values)
        self.values = {key: str(value) for key, value in values.items()}

    def __str__(self) -> str:
        return f"{self.code} {self.values}"

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuilt, (type(self), self.values))


def _rebuilt(kind: type[TunesmithError], values: dict[str, str]) -> TunesmithError:
    return kind(**values)


class BadRequest(TunesmithError):
    code = "error-request"


class EmptyText(BadRequest):
    code = "error-empty"


class BadSetting(BadRequest):
    code = "error-setting"


class DatabaseBroken(BadRequest):
    code = "error-database-broken"


class NoData(BadRequest):
    code = "error-no-data"


class BadBackup(BadRequest):
    code = "error-bad-backup"


class DatabaseNewer(BadRequest):
    code = "error-database-newer"


class UnwritableFolder(BadRequest):
    code = "error-folder"


class Unavailable(TunesmithError):
    code = "error-unavailable"


class NoSound(Unavailable):
    code = "error-no-sound"


class NoEncoder(Unavailable):
    code = "error-no-encoder"


class NoPicture(Unavailable):
    code = "error-no-picture"


class StageStuck(TunesmithError):
    code = "error-stuck"


class WorkerDied(TunesmithError):
    code = "job-given-up"


class DatabaseAway(TunesmithError):
    code = "error-database-away"


class Unreachable(TunesmithError):
    code = "error-unknown"  # nobody is told: the platform is what does not answer


class Flooded(Unreachable):
    def __init__(self, seconds: float) -> None:
        super().__init__(seconds=seconds)
        self.seconds = seconds


class Unanswered(Unreachable):
    """What was sent may be there."""


class Barred(TunesmithError):
    code = "error-unknown"  # nobody is told: there is nobody


class Refused(TunesmithError):
    """`platform`, and what it `said`."""

    code = "error-refused"


class NotFetched(TunesmithError):
    code = "error-not-fetched"


class FilesRefused(TunesmithError):
    code = "error-unknown"  # nobody is told: the message comes without them


class MessageGone(TunesmithError):
    code = "error-unknown"  # nobody is told: somebody deleted the message


class DataInUse(TunesmithError):
    code = "error-data-in-use"


# How databases and stores say that the disk is full.
NO_ROOM = re.compile(r"disk is full|disk I/O|no space left|disk full", re.IGNORECASE)


class DiskFull(TunesmithError):
    code = "error-disk-full"
