"""What people do with the bot's commands, buttons, selects and modals."""

from __future__ import annotations

from typing import Any

from tests.standins.discord import commands, modals
from tests.standins.discord.account import Account
from tests.standins.discord.components import BUTTON, LINK, SELECT, SELECTS, walk
from tests.standins.discord.gateway import Gateway
from tests.standins.discord.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, Interaction, Interactions
from tests.standins.discord.modals import Modal
from tests.standins.discord.payloads import channel_of, file_of, member_of, message_of, user_of
from tests.standins.discord.people import guessed
from tests.standins.discord.permissions import GRANTED, bits
from tests.standins.discord.world import Channel, File, Json, Message, World

SLASH, MESSAGE_MENU = 1, 3


class Using:
    def __init__(self, world: World, gateway: Gateway, account: Account, interactions: Interactions) -> None:
        self._world = world
        self._gateway = gateway
        self._account = account
        self._interactions = interactions
        self.uploads: dict[str, File] = {}  # files given as options or in modals

    def slash(self, channel: str, user: str, command: str, /, **options: Any) -> Interaction:
        """Somebody uses a slash command, `name` or `name subcommand`; a file is given as (name, bytes)."""
        with self._world.changed:
            place = self._world.channels[channel]
            name, *path = command.split()
            found = commands.find(self._account.available(place.guild), name, SLASH, not place.guild)
            resolved: Json = {}
            filled = commands.filled(
                commands.leaf(found, path), options, lambda kind, value: self._resolve(kind, value, place, resolved)
            )
            data = self._command_data(found) | {"options": commands.nested(found, path, filled)}
            if resolved:
                data["resolved"] = resolved
            return self._send(COMMAND, place, user, command, data)

    def autocomplete(
        self, channel: str, user: str, command: str, option: str, typed: str, /, seconds: float = 3.0, **options: Any
    ) -> list[dict[str, Any]]:
        """Somebody types into an option; the choices that the bot offers, each with name and value."""
        with self._world.changed:
            place = self._world.channels[channel]
            name, *path = command.split()
            found = commands.find(self._account.available(place.guild), name, SLASH, not place.guild)
            typing = commands.typing(commands.leaf(found, path), option, typed, options)
            data = self._command_data(found) | {"options": commands.nested(found, path, typing)}
            sent = self._send(AUTOCOMPLETE, place, user, command, data)
            self._world.changed.wait_for(lambda: sent.choices is not None, seconds)
            if sent.choices is None:
                raise AssertionError(f"no choices for {typed!r} within {seconds:g} s")
            return sent.choices

    def context(self, channel: str, user: str, command: str, message: str) -> Interaction:
        """Somebody uses a message command from the menu of a message."""
        with self._world.changed:
            place = self._world.channels[channel]
            found = commands.find(self._account.available(place.guild), command, MESSAGE_MENU, not place.guild)
            target = self._seen(channel, user, message)
            resolved = {"messages": {message: message_of(self._world, target)}}
            data = self._command_data(found) | {"target_id": message, "resolved": resolved}
            return self._send(COMMAND, place, user, command, data)

    def click(self, channel: str, user: str, message: str, button: str) -> Interaction:
        """Somebody clicks a button, known by its label, emoji or custom_id; it must be there and enabled."""
        with self._world.changed:
            source = self._seen(channel, user, message)
            found = [part for _, part in walk(source.components) if part.get("type") == BUTTON]
            names = [
                (part.get("label"), part.get("custom_id"), (part.get("emoji") or {}).get("name")) for part in found
            ]
            part = next((part for part, known in zip(found, names, strict=True) if button in known), None)
            if part is None:
                raise LookupError(f"no button {button!r} on message {message}; there are {[n[0] for n in names]}")
            if part.get("disabled") or part.get("style") == LINK:
                raise ValueError(f"the button {button!r} is disabled or a link")
            data = {"component_type": BUTTON, "custom_id": part["custom_id"], "id": part.get("id")}
            return self._use(channel, user, source, data)

    def choose(self, channel: str, user: str, message: str, select: str, *values: str) -> Interaction:
        """Somebody chooses from a select, known by custom_id or placeholder; options by value or label."""
        with self._world.changed:
            source = self._seen(channel, user, message)
            found = [part for _, part in walk(source.components) if part.get("type") in SELECTS]
            part = next((p for p in found if select in (p.get("custom_id"), p.get("placeholder"))), None)
            if part is None:
                raise LookupError(f"no select {select!r} on message {message}")
            if part.get("disabled"):
                raise ValueError(f"the select {select!r} is disabled")
            chosen = [self._option(part, value) for value in values]
            if not part.get("min_values", 1) <= len(chosen) <= part.get("max_values", 1):
                raise ValueError(f"the select {select!r} does not take {len(chosen)} values")
            data = {"component_type": part["type"], "custom_id": part["custom_id"], "values": chosen}
            if part["type"] != SELECT:
                users = {id_: self._world.users[id_] for id_ in chosen if id_ in self._world.users}
                data["resolved"] = {
                    "users": {id_: user_of(found) for id_, found in users.items()},
                    "members": {id_: member_of(found, whole=False) for id_, found in users.items()},
                }
            return self._use(channel, user, source, data)

    def submit(self, user: str, modal: Modal, /, **fields: Any) -> Interaction:
        """The user fills in the modal that is open before them, its fields named by custom_id or label."""
        with self._world.changed:
            if self._interactions.modals.get(user) is not modal:
                raise LookupError("the user does not have that modal before their eyes")
            resolved: Json = {}
            place = self._world.channels[modal.channel]
            filled = modals.filled(
                modal, fields, lambda file: self._resolve(commands.ATTACHMENT, file, place, resolved)
            )
            data: Json = {"custom_id": modal.custom_id, "components": filled}
            if resolved:
                data["resolved"] = resolved
            del self._interactions.modals[user]
            source = self._world.messages.get(modal.source or "")
            return self._send(SUBMIT, place, user, modal.custom_id, data, source)

    def expire(self, interaction: Interaction) -> None:
        """The interaction's time is up, whatever the clock says."""
        with self._world.changed:
            interaction.late = True
            self._world.changed.notify_all()

    def _use(self, channel: str, user: str, source: Message, data: Json) -> Interaction:
        place = self._world.channels[channel]
        return self._send(COMPONENT, place, user, data["custom_id"], data, source)

    def _option(self, select: Json, value: str) -> str:
        if select["type"] != SELECT:
            return value
        for option in select["options"]:
            if value in (option["value"], option["label"]):
                return str(option["value"])
        raise LookupError(f"{value!r} is not offered; there are {[o['label'] for o in select['options']]}")

    def _seen(self, channel: str, user: str, message: str) -> Message:
        """A message that the user has before their eyes."""
        found = self._world.messages.get(message)
        if found is None or found.channel != channel or found.ephemeral_to not in (None, user):
            raise LookupError(f"{self._world.users[user].name} does not see message {message}")
        return found

    def _command_data(self, command: Json) -> Json:
        data = {"id": command["id"], "name": command["name"], "type": command["type"]}
        return data | ({"guild_id": command["guild_id"]} if "guild_id" in command else {})

    def _resolve(self, kind: int, value: Any, place: Channel, resolved: Json) -> str:
        """The id of a user, a channel or a file, with what it stands for put into `resolved`."""
        if kind == commands.ATTACHMENT:
            name, data, *more = value
            file = File(self._world.snowflake(), name, data, more[0] if more else guessed(name))
            self.uploads[file.id] = file
            payload = file_of(self._world, place.id, file, ephemeral=True)
            resolved.setdefault("attachments", {})[file.id] = payload
            return file.id
        if kind == commands.CHANNEL:
            channel = channel_of(self._world, self._world.channels[value])
            resolved.setdefault("channels", {})[value] = channel | {"permissions": str(bits(GRANTED))}
        elif kind in (commands.USER, commands.MENTIONABLE):
            resolved.setdefault("users", {})[value] = user_of(self._world.users[value])
            if place.guild:
                member = member_of(self._world.users[value], whole=False) | {"permissions": str(bits(GRANTED))}
                resolved.setdefault("members", {})[value] = member
        else:
            raise NotImplementedError("guilds here have no roles to choose")
        return str(value)

    def _send(
        self, kind: int, place: Channel, user: str, command: str, data: Json, source: Message | None = None
    ) -> Interaction:
        if place.guild and user not in self._world.guilds[place.guild].members:
            raise LookupError(f"{self._world.users[user].name} is not in the guild of #{place.name}")
        made = Interaction(self._world.snowflake(), kind, user, place.id, command, source.id if source else None)
        if source and kind in (COMPONENT, SUBMIT):
            made.original = source.id
        self._interactions.open(made)
        payload = self._payload(made, place, data, source)
        self._gateway.dispatch("INTERACTION_CREATE", payload, place.guild, human=True)
        return made

    def _payload(self, interaction: Interaction, place: Channel, data: Json, source: Message | None) -> Json:
        user = self._world.users[interaction.user]
        allowed = bits(GRANTED - self._world.denied(place))
        payload: Json = {
            "id": interaction.id,
            "application_id": self._world.bot.id,
            "type": interaction.type,
            "token": interaction.token,
            "version": 1,
            "data": data,
            "channel_id": place.id,
            "channel": channel_of(self._world, place) | {"permissions": str(bits(GRANTED))},
            "locale": user.locale,
            "app_permissions": str(allowed),
            "entitlements": [],
            "entitlement_sku_ids": [],
            "attachment_size_limit": self._world.file_limit(place),
            "authorizing_integration_owners": {"0": place.guild or "0"},
            "context": 0 if place.guild else 1,
        }
        if source:
            payload["message"] = message_of(self._world, source)
        if not place.guild:
            return payload | {"user": user_of(user)}
        guild = self._world.guilds[place.guild]
        member = member_of(user) | {"permissions": str(bits(GRANTED))}
        partial = {"id": guild.id, "locale": guild.locale, "features": []}
        return payload | {"member": member, "guild_id": guild.id, "guild": partial, "guild_locale": guild.locale}
