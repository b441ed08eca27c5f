"""Which commands Discord registers."""

from __future__ import annotations

import re

from tests.standins.discord.refusals import Path, Problems, refused
from tests.standins.discord.world import Json

# fmt: off
LOCALES = frozenset({
    "id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no", "pl", "pt-BR",
    "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko",
})
# fmt: on
SLASH, USER_MENU, MESSAGE_MENU = 1, 2, 3
MOST = {SLASH: 100, USER_MENU: 5, MESSAGE_MENU: 5}
SUBCOMMAND, GROUP, STRING, INTEGER, NUMBER = 1, 2, 3, 4, 10
# letters and digits of any script; of these two scripts the signs too
NAME = re.compile(r"[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}")


def check(commands: list[Json]) -> None:
    """Refuse the whole list when one of it is not well formed."""
    problems = Problems()
    seen = set()
    for index, command in enumerate(commands):
        kind = command.get("type", SLASH)
        if (kind, command.get("name")) in seen:
            message = "Application command names must be unique"
            problems.add((index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", message)
        seen.add((kind, command.get("name")))
        _check_command(command, (index,), problems)
    problems.refuse()
    for kind, most in MOST.items():
        if sum(command.get("type", SLASH) == kind for command in commands) > most:
            raise refused("too many commands")


def _check_command(command: Json, path: Path, problems: Problems) -> None:
    if command.get("type", SLASH) == SLASH:
        _check_names(command, path, problems)
        _check_options(command.get("options") or [], path, problems)
        if _size(command) > 8000:
            problems.add(path, "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)")
        return
    problems.length((*path, "name"), command.get("name"), 32, 1)
    for locale, name in (command.get("name_localizations") or {}).items():
        problems.length((*path, "name_localizations", locale), name, 32, 1)
    _check_locales(command, path, problems)
    if command.get("description") or command.get("options"):
        message = "Context menu commands cannot have description or options"
        problems.add((*path, "description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", message)


def _check_names(item: Json, path: Path, problems: Problems) -> None:
    """The name and description of a command or an option, in every language."""
    _check_locales(item, path, problems)
    names = {(*path, "name"): item.get("name")}
    names |= {(*path, "name_localizations", k): v for k, v in (item.get("name_localizations") or {}).items()}
    for place, name in names.items():
        if not isinstance(name, str) or not NAME.fullmatch(name) or name != name.lower():
            message = "Command name is invalid"
            problems.add(place, "APPLICATION_COMMAND_INVALID_NAME", message)
    problems.length((*path, "description"), item.get("description"), 100, 1)
    for locale, text in (item.get("description_localizations") or {}).items():
        problems.length((*path, "description_localizations", locale), text, 100, 1)


def _check_locales(item: Json, path: Path, problems: Problems) -> None:
    for key in ("name_localizations", "description_localizations"):
        for locale in set(item.get(key) or {}) - LOCALES:
            message = f"Value must be one of {sorted(LOCALES)}."
            problems.add((*path, key, locale), "ENUM_TYPE_COERCE", message)


def _check_options(options: list[Json], path: Path, problems: Problems) -> None:
    problems.count((*path, "options"), options, 25)
    names = [option.get("name") for option in options]
    if len(set(names)) < len(names):
        message = "Option names must be unique"
        problems.add((*path, "options"), "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", message)
    optional = False
    for index, option in enumerate(options):
        place = (*path, "options", index)
        _check_names(option, place, problems)
        if option.get("type") in (SUBCOMMAND, GROUP):
            _check_options(option.get("options") or [], place, problems)
            continue
        if option.get("type") not in range(STRING, 12):
            problems.add((*place, "type"), "BASE_TYPE_CHOICES", "Value must be one of 1 to 11.")
        if optional and option.get("required"):
            message = "Required options must be placed before non-required options"
            problems.add(place, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        optional = optional or not option.get("required")
        _check_choices(option, place, problems)


def _check_choices(option: Json, path: Path, problems: Problems) -> None:
    choices = option.get("choices") or []
    problems.count((*path, "choices"), choices, 25)
    if choices and (option.get("autocomplete") or option.get("type") not in (STRING, INTEGER, NUMBER)):
        problems.add((*path, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", "Choices are not allowed here")
    for index, choice in enumerate(choices):
        problems.length((*path, "choices", index, "name"), choice.get("name"), 100, 1)
        _check_locales(choice, (*path, "choices", index), problems)
        for locale, name in (choice.get("name_localizations") or {}).items():
            problems.length((*path, "choices", index, "name_localizations", locale), name, 100, 1)
        if option.get("type") == STRING:
            problems.length((*path, "choices", index, "value"), choice.get("value"), 100)


def _size(item: Json) -> int:
    """The characters of all names, descriptions and values, as Discord counts a command's size."""
    texts = [item.get("name"), item.get("description"), item.get("value")]
    own = sum(len(text) for text in texts if isinstance(text, str))
    return own + sum(_size(part) for key in ("options", "choices") for part in item.get(key) or [])
