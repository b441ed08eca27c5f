"""What Discord refuses, with its status, code and words."""

from __future__ import annotations

from typing import Any

TABLE = {
    "unauthorized": (401, 0, "401: Unauthorized"),
    "not found": (404, 0, "404: Not Found"),
    "unknown channel": (404, 10003, "Unknown Channel"),
    "unknown guild": (404, 10004, "Unknown Guild"),
    "unknown member": (404, 10007, "Unknown Member"),
    "unknown message": (404, 10008, "Unknown Message"),
    "unknown user": (404, 10013, "Unknown User"),
    "unknown emoji": (400, 10014, "Unknown Emoji"),
    "unknown webhook": (404, 10015, "Unknown Webhook"),
    "unknown interaction": (404, 10062, "Unknown interaction"),
    "too many commands": (400, 30032, "Maximum number of application commands reached (100)."),
    "too many reactions": (403, 30010, "Maximum number of reactions reached (20)"),
    "request too large": (413, 40005, "Request entity too large"),
    "no history": (403, 160002, "Cannot reply without permission to read message history"),
    "locked": (403, 160005, "Thread is locked"),
    "too large": (413, 40005, "Request entity too large"),
    "acknowledged": (400, 40060, "Interaction has already been acknowledged."),
    "missing access": (403, 50001, "Missing Access"),
    "private channel": (403, 50003, "Cannot execute action on a DM channel"),
    "another's message": (403, 50005, "Cannot edit a message authored by another user"),
    "empty message": (400, 50006, "Cannot send an empty message"),
    "closed private messages": (403, 50007, "Cannot send messages to this user"),
    "missing permissions": (403, 50013, "Missing Permissions"),
    "channel type": (400, 50024, "Cannot execute action on this channel type"),
    "webhook token": (401, 50027, "Invalid Webhook Token"),
    "form": (400, 50035, "Invalid Form Body"),
    "archived": (400, 50083, "Thread is archived"),
    "json": (400, 50109, "The request body contains invalid JSON."),
    "voice with more": (400, 50159, "Voice messages do not support additional content."),
    "voice without audio": (400, 50160, "Voice messages must have a single audio attachment."),
    "voice without metadata": (400, 50161, "Voice messages must have supporting metadata."),
    "voice edit": (400, 50162, "Voice messages cannot be edited."),
    "voice here": (400, 50173, "You cannot send voice messages in this channel."),
    "thread exists": (400, 160004, "A thread has already been created for this message"),
}

Path = tuple[str | int, ...]


class Refused(Exception):
    """An answer other than success."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.body: dict[str, Any] = {"message": message, "code": code}
        if errors:
            self.body["errors"] = errors


def refused(name: str) -> Refused:
    """The refusal of that name in the table."""
    return Refused(*TABLE[name])


class Problems:
    """The faults of one form, each at its path."""

    def __init__(self, root: Path = ()) -> None:
        self.root = root
        self._errors: dict[str, Any] = {}

    def add(self, path: Path, code: str, message: str) -> None:
        place = self._errors
        for step in (*self.root, *path):
            place = place.setdefault(str(step), {})
        place.setdefault("_errors", []).append({"code": code, "message": message})

    def length(self, path: Path, value: object, most: int, least: int = 0) -> None:
        """A text of `least` to `most` characters; an absent one is an empty one."""
        if value is not None and not isinstance(value, str):
            self.add(path, "BASE_TYPE_BAD_TYPE", "Must be a string.")
            return
        size = len(value or "")
        if size < least and not size:
            self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif not least <= size <= most:
            code = "BASE_TYPE_MAX_LENGTH" if not least else "BASE_TYPE_BAD_LENGTH"
            between = f"Must be {most} or fewer in length." if not least else f"Must be between {least} and {most}."
            self.add(path, code, between)

    def count(self, path: Path, value: list[Any], most: int, least: int = 0) -> None:
        """A list of `least` to `most` entries."""
        if not least <= len(value) <= most:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")

    def refuse(self) -> None:
        """Raise when there is any."""
        if self._errors:
            raise Refused(*TABLE["form"], self._errors)
