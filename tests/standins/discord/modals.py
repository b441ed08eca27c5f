"""Modals as a user sees them: a title and fields to fill."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.standins.discord.components import INPUT, LABEL, ROW, walk

FIELDS = frozenset({3, INPUT, 5, 6, 7, 8, 19, 21, 22, 23})
UPLOAD, RADIO, CHECKBOX = 19, 21, 23


@dataclass(frozen=True, slots=True)
class Field:
    custom_id: str
    label: str
    type: int
    value: str  # what it is filled with beforehand
    required: bool
    placeholder: str
    least: int
    most: int
    options: tuple[str, ...]  # values


@dataclass(frozen=True, slots=True)
class Modal:
    interaction: str
    user: str
    channel: str
    source: str | None  # the message whose component opened it
    title: str
    custom_id: str
    fields: tuple[Field, ...]
    components: list[dict[str, Any]]


def modal_of(interaction: str, user: str, channel: str, source: str | None, payload: dict[str, Any]) -> Modal:
    """A modal from the bot's payload."""
    components: list[dict[str, Any]] = copy.deepcopy(payload["components"])
    fields = []
    for _, holder in walk(components):
        if holder.get("type") == LABEL:
            fields.append(_field(holder["component"], holder.get("label", "")))
        elif holder.get("type") == ROW:
            fields += [_field(part, part.get("label") or "") for part in holder.get("components", [])]
    return Modal(interaction, user, channel, source, payload["title"], payload["custom_id"], tuple(fields), components)


def _field(component: dict[str, Any], label: str) -> Field:
    text = component.get("type") == INPUT
    least = component.get("min_length", 0) if text else component.get("min_values", 1)
    most = component.get("max_length", 4000) if text else component.get("max_values", 1)
    return Field(
        custom_id=component.get("custom_id", ""),
        label=label,
        type=component.get("type", 0),
        value=component.get("value") or "",
        required=component.get("required", True),
        placeholder=component.get("placeholder") or "",
        least=least,
        most=most,
        options=tuple(option["value"] for option in component.get("options", [])),
    )


Upload = Callable[[Any], str]  # keeps a (name, bytes) and gives its id


def filled(modal: Modal, answers: Mapping[str, Any], upload: Upload) -> list[dict[str, Any]]:
    """The components of a submit; answers are named by custom_id or label, a wrong one is a ValueError."""
    named = {name for field in modal.fields for name in (field.custom_id, field.label)}
    if unknown := set(answers) - named:
        raise ValueError(f"no such field: {sorted(unknown)}; there are {sorted(named)}")
    return [_answered(holder, modal, answers, upload) for holder in modal.components]


def _answered(holder: dict[str, Any], modal: Modal, answers: Mapping[str, Any], upload: Upload) -> dict[str, Any]:
    by_id = {field.custom_id: field for field in modal.fields}

    def answer(component: dict[str, Any]) -> dict[str, Any]:
        field = by_id[component["custom_id"]]
        given = answers.get(field.custom_id, answers.get(field.label))
        base = {"type": field.type, "custom_id": field.custom_id, "id": component.get("id", 0)}
        return base | _value(field, given, upload)

    if holder.get("type") == LABEL:
        return {"type": LABEL, "id": holder.get("id", 0), "component": answer(holder["component"])}
    if holder.get("type") == ROW:
        return {"type": ROW, "components": [answer(part) for part in holder["components"]]}
    return {"type": holder.get("type"), "id": holder.get("id", 0), "content": holder.get("content", "")}


def _value(field: Field, given: Any, upload: Upload) -> dict[str, Any]:
    if field.type == INPUT:
        text = field.value if given is None else str(given)
        if (field.required and not text) or (text and not field.least <= len(text) <= field.most):
            raise ValueError(f"{field.label or field.custom_id} does not take {text!r}")
        return {"value": text}
    if field.type == CHECKBOX:
        return {"value": bool(given)}
    values = [] if given is None else [given] if isinstance(given, str | tuple) else list(given)
    if field.required and not values:
        raise ValueError(f"{field.label or field.custom_id} is required")
    if field.options and set(values) - set(field.options):
        raise ValueError(f"{field.label or field.custom_id} offers {field.options}, not {values}")
    if field.type == UPLOAD:
        return {"values": [upload(value) for value in values]}
    return {"value": values[0] if values else None} if field.type == RADIO else {"values": values}
