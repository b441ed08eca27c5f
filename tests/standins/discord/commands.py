"""A person's slash command, checked against what the bot registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.standins.discord.world import Json

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(1, 12)
TYPES: dict[int, tuple[type, ...]] = {STRING: (str,), INTEGER: (int,), BOOLEAN: (bool,), NUMBER: (int, float)}
Resolve = Callable[[int, Any], str]  # an option's type and value, to the id that stands for it


def find(commands: list[Json], name: str, kind: int, private: bool) -> Json:
    """The registered command of a kind that may be used here; a LookupError names those that there are."""
    for command in commands:
        contexts = command.get("contexts")
        here = (1 if private else 0) in contexts if contexts is not None else not private or allowed_in_dm(command)
        if command["type"] == kind and command["name"] == name and here:
            return command
    raise LookupError(f"no command {name!r} here; there are {[c['name'] for c in commands if c['type'] == kind]}")


def allowed_in_dm(command: Json) -> bool:
    return command.get("dm_permission") is not False


def leaf(command: Json, path: list[str]) -> Json:
    """The subcommand that a path of names leads to, the command itself when the path is empty."""
    node = command
    for name in path:
        options = {o["name"]: o for o in node.get("options") or [] if o["type"] in (SUBCOMMAND, GROUP)}
        if name not in options:
            raise LookupError(f"no subcommand {name!r} of {node['name']!r}; there are {sorted(options)}")
        node = options[name]
    if any(option["type"] in (SUBCOMMAND, GROUP) for option in node.get("options") or []):
        raise LookupError(f"{node['name']!r} needs a subcommand")
    return node


def nested(command: Json, path: list[str], options: list[Json]) -> list[Json]:
    """The options of a payload, inside the subcommands that lead to them."""
    if not path:
        return options
    kinds = []
    node = command
    for name in path:
        node = next(option for option in node["options"] if option["name"] == name)
        kinds.append((name, node["type"]))
    for name, kind in reversed(kinds):
        options = [{"name": name, "type": kind, "options": options}]
    return options


def filled(node: Json, given: Mapping[str, Any], resolve: Resolve) -> list[Json]:
    """The options of a payload, each checked as Discord's client would."""
    options = {option["name"]: option for option in node.get("options") or []}
    if unknown := set(given) - set(options):
        raise LookupError(f"no option {sorted(unknown)} of {node['name']!r}; there are {sorted(options)}")
    missing = [name for name, option in options.items() if option.get("required") and name not in given]
    if missing:
        raise ValueError(f"{node['name']!r} requires {missing}")
    return [_one(options[name], value, resolve) for name, value in given.items()]


def _one(option: Json, value: Any, resolve: Resolve) -> Json:
    kind, name = option["type"], option["name"]
    if kind not in TYPES:
        return {"name": name, "type": kind, "value": resolve(kind, value)}
    if not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != BOOLEAN):
        raise ValueError(f"{name} does not take {value!r}")
    choices = option.get("choices") or []
    picked = next((c["value"] for c in choices if value in (c["value"], c["name"])), None)
    if choices and picked is None:
        raise ValueError(f"{name} offers {[choice['name'] for choice in choices]}, not {value!r}")
    size = len(value) if isinstance(value, str) else value
    least, most = ("min_length", "max_length") if kind == STRING else ("min_value", "max_value")
    if not option.get(least, size) <= size <= option.get(most, 6000 if kind == STRING else size):
        raise ValueError(f"{name} does not take {value!r}: out of bounds")
    return {"name": name, "type": kind, "value": picked if choices else value}


def typing(node: Json, option: str, typed: str, given: Mapping[str, Any]) -> list[Json]:
    """The options while one of them is being typed; it need not be valid yet."""
    options = {entry["name"]: entry for entry in node.get("options") or []}
    if not options.get(option, {}).get("autocomplete"):
        raise LookupError(f"{option!r} of {node['name']!r} has no autocomplete")
    before = [{"name": name, "type": options[name]["type"], "value": value} for name, value in given.items()]
    return [*before, {"name": option, "type": options[option]["type"], "value": typed, "focused": True}]
