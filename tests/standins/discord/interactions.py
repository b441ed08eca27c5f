"""Interactions: what people did with the bot's commands and components, and how it answered."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from tests.standins.discord.modals import Modal, modal_of
from tests.standins.discord.refusals import refused
from tests.standins.discord.world import Message, Use, World

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5


@dataclass(frozen=True, slots=True)
class Ack:
    """The first response to an interaction, of a type from 4 to 9."""

    interaction: str
    type: int
    seconds: float  # after the interaction was sent


@dataclass
class Interaction:
    """What one person did, and what came of it; it changes as the bot answers."""

    id: str
    type: int
    user: str
    channel: str
    command: str
    source: str | None = None  # the message whose component was used
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    sent: float = field(default_factory=time.monotonic)
    ack: Ack | None = None
    original: str | None = None  # the message that @original names
    followups: list[str] = field(default_factory=list)
    choices: list[dict[str, Any]] | None = None
    modal: Modal | None = None
    waits: bool = False  # for the first followup, which takes the placeholder's place
    late: bool = False  # nothing is taken any more

    @property
    def use(self) -> Use:
        return Use(self.id, self.type, self.user, self.command)


class Interactions:
    """All interactions, with the deadlines that Discord sets."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.deadline = 3.0  # seconds for the first response
        self.lifetime = 900.0  # seconds that a token is good for
        self.all: dict[str, Interaction] = {}
        self.acknowledged: list[Ack] = []
        self.modals: dict[str, Modal] = {}  # what a user has open

    def open(self, interaction: Interaction) -> Interaction:
        self.all[interaction.id] = interaction
        return interaction

    def unanswered(self) -> list[Interaction]:
        """Those that people were told about: "The application did not respond"."""
        now = time.monotonic()
        return [i for i in self.all.values() if not i.ack and (i.late or now - i.sent > self.deadline)]

    def to_acknowledge(self, id_: str, token: str) -> Interaction:
        """An interaction that can have its first response."""
        found = self.all.get(id_)
        if found is None or found.token != token:
            raise refused("unknown interaction")
        if found.ack:
            raise refused("acknowledged")
        if found.late or time.monotonic() - found.sent > self.deadline:
            raise refused("unknown interaction")
        return found

    def by_token(self, application: str, token: str) -> Interaction:
        """An interaction that was answered and may be followed up."""
        found = next((i for i in self.all.values() if i.token == token), None)
        if application != self._world.bot.id or found is None or not found.ack:
            raise refused("unknown webhook")
        if found.late or time.monotonic() - found.sent > self.lifetime:
            raise refused("webhook token")
        return found

    def acknowledge(self, interaction: Interaction, type_: int) -> None:
        seconds = time.monotonic() - interaction.sent
        interaction.ack = Ack(interaction.id, type_, seconds)
        self.acknowledged.append(interaction.ack)

    def show(self, interaction: Interaction, payload: dict[str, Any]) -> None:
        """Open a modal before the user's eyes."""
        interaction.modal = modal_of(interaction.id, interaction.user, interaction.channel, interaction.source, payload)
        self.modals[interaction.user] = interaction.modal

    def message(self, interaction: Interaction, name: str) -> Message:
        """A message of the interaction's: `@original`, or one by its id."""
        id_ = interaction.original if name == "@original" else name
        own = {interaction.original, *interaction.followups}
        if id_ is None or id_ not in own or id_ not in self._world.messages:
            raise refused("unknown message")
        return self._world.messages[id_]
