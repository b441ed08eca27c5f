"""The routes by which the bot answers interactions."""

from __future__ import annotations

from typing import Any

from tests.standins.discord import components
from tests.standins.discord.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, Interaction, Interactions
from tests.standins.discord.payloads import message_of
from tests.standins.discord.posting import Posting
from tests.standins.discord.refusals import Path, Problems, refused
from tests.standins.discord.routes import Answer, Asked, Route, route
from tests.standins.discord.world import EPHEMERAL, LOADING, Json, Message, World

MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
ALLOWED = {
    COMMAND: {MESSAGE, DEFERRED, MODAL},
    COMPONENT: {MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, MODAL},
    AUTOCOMPLETE: {CHOICES},
    SUBMIT: {MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE},
}
DATA: Path = ("data",)


class Answering:
    def __init__(self, world: World, posting: Posting, interactions: Interactions) -> None:
        self._world = world
        self._posting = posting
        self._interactions = interactions

    def routes(self) -> list[Route]:
        webhook, one = "/webhooks/{}/{}", "/webhooks/{}/{}/messages/{}"
        return [
            route("POST", "/interactions/{}/{}/callback", self._respond, bot=False),
            route("POST", webhook, self._follow_up, bot=False),
            route("GET", one, lambda asked: message_of(self._world, self._message(asked)), bot=False),
            route("PATCH", one, self._edit, bot=False),
            route("DELETE", one, self._delete, bot=False),
        ]

    def _respond(self, asked: Asked) -> Answer:
        """The first response; whether it comes with an answer is for `with_response` to say."""
        interaction = self._interactions.to_acknowledge(*asked.ids)
        kind, data = asked.body.get("type"), asked.body.get("data") or {}
        from_message = interaction.source is not None
        if kind not in ALLOWED[interaction.type] or (kind in (DEFERRED_UPDATE, UPDATE) and not from_message):
            problems = Problems()
            problems.add(("type",), "INTERACTION_RESPONSE_TYPE_INVALID", "Not an answer to this interaction")
            problems.refuse()
        assert isinstance(kind, int)
        message = self._do(kind, data, interaction, asked)
        self._interactions.acknowledge(interaction, kind)
        if asked.query.get("with_response", "").lower() not in ("1", "true"):
            return None
        return self._response(kind, interaction, message)

    def _do(self, kind: int, data: Json, interaction: Interaction, asked: Asked) -> Message | None:
        if kind == CHOICES:
            self._offer(interaction, data.get("choices") or [])
            return None
        if kind == MODAL:
            self._show(interaction, data)
            return None
        if kind == DEFERRED_UPDATE:
            interaction.original = interaction.source
            return None
        if kind == UPDATE:
            interaction.original = interaction.source
            source = self._interactions.message(interaction, "@original")
            return self._posting.edit(source, data, asked.uploads, DATA)
        channel = self._world.channel(interaction.channel)
        if kind == DEFERRED:
            ephemeral = bool(int(data.get("flags") or 0) & EPHEMERAL)
            message = self._posting.think(channel, interaction.use, ephemeral)
            interaction.waits = True
        else:
            message = self._posting.post(channel, data, asked.uploads, use=interaction.use, root=DATA)
        interaction.original = message.id
        return message

    def _response(self, kind: int, interaction: Interaction, message: Message | None) -> Json:
        told: Json = {"id": interaction.id, "type": interaction.type}
        resource: Json = {"type": kind}
        if message:
            told["response_message_id"] = message.id
            told["response_message_loading"] = bool(message.flags & LOADING)
            told["response_message_ephemeral"] = bool(message.ephemeral_to)
            resource["message"] = message_of(self._world, message)
        return {"interaction": told, "resource": resource}

    def _offer(self, interaction: Interaction, choices: list[dict[str, Any]]) -> None:
        problems = Problems(DATA)
        problems.count(("choices",), choices, 25)
        for index, choice in enumerate(choices):
            problems.length(("choices", index, "name"), choice.get("name"), 100, 1)
            if isinstance(choice.get("value"), str):
                problems.length(("choices", index, "value"), choice["value"], 100)
        problems.refuse()
        interaction.choices = choices

    def _show(self, interaction: Interaction, data: Json) -> None:
        problems = Problems(DATA)
        components.check_modal(data, problems)
        problems.refuse()
        self._interactions.show(interaction, data)

    def _follow_up(self, asked: Asked) -> Answer:
        """A further message; the first one after a deferral takes the placeholder's place."""
        interaction = self._interactions.by_token(*asked.ids)
        if interaction.waits and interaction.original in self._world.messages:
            message = self._fill_placeholder(interaction, asked)
        else:
            channel = self._world.channel(interaction.channel)
            message = self._posting.post(channel, asked.body, asked.uploads, use=interaction.use)
            interaction.followups.append(message.id)
        return message_of(self._world, message)

    def _fill_placeholder(self, interaction: Interaction, asked: Asked) -> Message:
        message = self._posting.edit(self._interactions.message(interaction, "@original"), asked.body, asked.uploads)
        interaction.waits = False
        return message

    def _message(self, asked: Asked) -> Message:
        application, token, name = asked.ids
        return self._interactions.message(self._interactions.by_token(application, token), name)

    def _edit(self, asked: Asked) -> Answer:
        application, token, _ = asked.ids
        interaction = self._interactions.by_token(application, token)
        message = self._posting.edit(self._message(asked), asked.body, asked.uploads)
        if message.id == interaction.original:
            interaction.waits = False
        return message_of(self._world, message)

    def _delete(self, asked: Asked) -> Answer:
        message = self._message(asked)
        if message.author != self._world.bot.id:
            raise refused("another's message")
        self._posting.delete(message)
        return None
