"""The components of messages: walked through, numbered, checked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from tests.standins.discord.refusals import Path, Problems
from tests.standins.discord.world import Json

ROW, BUTTON, SELECT, INPUT, SECTION, TEXT, THUMBNAIL, GALLERY, FILE = 1, 2, 3, 4, 9, 10, 11, 12, 13
SEPARATOR, CONTAINER, LABEL = 14, 17, 18
SELECTS = frozenset({3, 5, 6, 7, 8})
LINK, PREMIUM = 5, 6  # styles of buttons that send no interaction
TOP_V2 = frozenset({ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER})


def walk(components: list[Json], path: Path = ("components",)) -> Iterator[tuple[Path, Json]]:
    """Every component, parents first, each with its path in the form."""
    for index, component in enumerate(components):
        yield from _walk_one(component, (*path, index))


def _walk_one(component: Json, path: Path) -> Iterator[tuple[Path, Json]]:
    yield path, component
    yield from walk(component.get("components", []), (*path, "components"))
    for single in ("accessory", "component"):
        if isinstance(component.get(single), dict):
            yield from _walk_one(component[single], (*path, single))


def number(components: list[Json]) -> None:
    """Give every component without an id one of its own, as Discord does."""
    found = [component for _, component in walk(components)]
    taken = {component.get("id") for component in found}
    free = (id_ for id_ in count(1) if id_ not in taken)
    for component in found:
        component["id"] = component.get("id") or next(free)


def media(components: list[Json]) -> Iterator[tuple[Path, str]]:
    """The url of everything that components show."""
    for path, component in walk(components):
        items = [("media", component), ("file", component), *(("media", item) for item in component.get("items", []))]
        for key, holder in items:
            if isinstance(holder.get(key), dict):
                yield path, str(holder[key].get("url", ""))


def check(components: list[Json], v2: bool, problems: Problems) -> None:
    """Note what Discord would not take."""
    top = TOP_V2 if v2 else {ROW}
    for index, component in enumerate(components):
        if component.get("type") not in top:
            problems.add(("components", index, "type"), "UNION_TYPE_CHOICES", f"Value must be one of {sorted(top)}.")
    if not v2:
        problems.count(("components",), components, 5)
    seen: set[str] = set()
    for path, component in walk(components):
        _check_one(component, path, problems)
        _check_custom_id(component, path, problems, seen)
    if v2:
        _check_totals(components, problems)


def _check_totals(components: list[Json], problems: Problems) -> None:
    found = [component for _, component in walk(components)]
    if len(found) > 40:
        message = "The maximum number of components is 40."
        problems.add(("components",), "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message)
    if sum(len(component.get("content", "")) for component in found if component.get("type") == TEXT) > 4000:
        message = "The total length of displayable text must not exceed 4000."
        problems.add(("components",), "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)


def _check_one(component: Json, path: Path, problems: Problems) -> None:
    kind = component.get("type")
    if kind == ROW:
        _check_row(component, path, problems)
    elif kind == BUTTON:
        _check_button(component, path, problems)
    elif kind in SELECTS:
        _check_select(component, path, problems)
    elif kind == TEXT:
        problems.length((*path, "content"), component.get("content"), 4000, 1)
    elif kind == SECTION:
        problems.count((*path, "components"), component.get("components", []), 3, 1)
    elif kind == GALLERY:
        problems.count((*path, "items"), component.get("items", []), 10, 1)


def _check_row(row: Json, path: Path, problems: Problems) -> None:
    children = row.get("components", [])
    width = sum(1 if child.get("type") == BUTTON else 5 for child in children)
    if not children or width > 5:
        message = "Must be between 1 and 5 in length." if not children else "The components are too wide for the row."
        problems.add((*path, "components"), "BASE_TYPE_BAD_LENGTH", message)


def _check_button(button: Json, path: Path, problems: Problems) -> None:
    problems.length((*path, "label"), button.get("label"), 80)
    style = button.get("style")
    if style not in range(1, 7):
        problems.add((*path, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}.")
    if style == LINK:
        problems.length((*path, "url"), button.get("url"), 512, 1)
    if style != PREMIUM and not button.get("label") and not button.get("emoji"):
        problems.add(path, "BUTTON_COMPONENT_MUST_HAVE_LABEL_OR_EMOJI", "A button must have a label or an emoji")


def _check_custom_id(component: Json, path: Path, problems: Problems, seen: set[str]) -> None:
    """What sends interactions has a custom_id of at most 100 characters, unlike any other's."""
    kind = component.get("type")
    sends = kind in SELECTS or kind == INPUT or (kind == BUTTON and component.get("style") not in (LINK, PREMIUM))
    if not sends:
        return
    problems.length((*path, "custom_id"), component.get("custom_id"), 100, 1)
    if component.get("custom_id") in seen:
        message = "Component custom id cannot be duplicated"
        problems.add((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", message)
    seen.add(str(component.get("custom_id")))


def _check_select(select: Json, path: Path, problems: Problems) -> None:
    problems.length((*path, "placeholder"), select.get("placeholder"), 150)
    if select.get("type") != SELECT:
        return
    options: list[Any] = select.get("options", [])
    problems.count((*path, "options"), options, 25, 1)
    for index, option in enumerate(options):
        problems.length((*path, "options", index, "label"), option.get("label"), 100, 1)
        problems.length((*path, "options", index, "value"), option.get("value"), 100, 1)
        problems.length((*path, "options", index, "description"), option.get("description"), 100)
    values = [option.get("value") for option in options]
    if len(set(values)) < len(values):
        message = "The specified option value is already used"
        problems.add((*path, "options"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message)
    if sum(bool(option.get("default")) for option in options) > select.get("max_values", 1):
        problems.add((*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "Too many default values")


def check_modal(modal: Json, problems: Problems) -> None:
    """Note what is wrong with a modal."""
    problems.length(("title",), modal.get("title"), 45, 1)
    problems.length(("custom_id",), modal.get("custom_id"), 100, 1)
    components = modal.get("components", [])
    problems.count(("components",), components, 5, 1)
    seen: set[str] = set()
    for index, component in enumerate(components):
        if component.get("type") not in (ROW, TEXT, LABEL):
            problems.add(("components", index, "type"), "UNION_TYPE_CHOICES", "Value must be one of {1, 10, 18}.")
    for path, component in walk(components):
        kind = component.get("type")
        _check_custom_id(component, path, problems, seen)
        if kind in SELECTS:
            _check_select(component, path, problems)
        elif kind == LABEL:
            problems.length((*path, "label"), component.get("label"), 45, 1)
            problems.length((*path, "description"), component.get("description"), 100)
        elif kind == INPUT:
            problems.length((*path, "placeholder"), component.get("placeholder"), 100)
            problems.length((*path, "value"), component.get("value"), 4000)
            label = component.get("label")
            problems.length((*path, "label"), label, 45, 1 if "component" not in path else 0)
