"""The routes about the bot itself: who it is, where its gateway is, its commands, its guilds."""

from __future__ import annotations

from tests.standins.discord import registration
from tests.standins.discord.gateway import Gateway
from tests.standins.discord.payloads import channel_of, guild_of, member_of, thread_of, user_of
from tests.standins.discord.refusals import refused
from tests.standins.discord.routes import Answer, Asked, Route, route
from tests.standins.discord.world import Guild, Json, World


class Account:
    def __init__(self, world: World, gateway: Gateway) -> None:
        self._world = world
        self._gateway = gateway
        self.commands: list[Json] = []
        self.guild_commands: dict[str, list[Json]] = {}

    def routes(self) -> list[Route]:
        return [
            route("GET", "/users/@me", lambda asked: user_of(self._world.bot)),
            route("POST", "/users/@me/channels", self._open_private),
            route("GET", "/users/{}", lambda asked: user_of(self._world.user(asked.ids[0]))),
            route("GET", "/gateway", lambda asked: {"url": self._gateway.url}, bot=False),
            route("GET", "/gateway/bot", self._gateway_of_bot),
            route("GET", "/oauth2/applications/@me", self._application),
            route("GET", "/applications/@me", self._application),
            route("GET", "/applications/{}/commands", lambda asked: self.commands),
            route("PUT", "/applications/{}/commands", self._register),
            route("GET", "/applications/{}/guilds/{}/commands", lambda a: self.guild_commands.get(a.ids[1], [])),
            route("PUT", "/applications/{}/guilds/{}/commands", self._register),
            route("GET", "/guilds/{}", lambda asked: guild_of(self._world, self._guild(asked.ids[0]))),
            route("GET", "/guilds/{}/channels", self._channels),
            route("GET", "/guilds/{}/threads/active", self._threads),
            route("GET", "/guilds/{}/members/{}", self._member),
        ]

    def available(self, guild: str | None) -> list[Json]:
        """The commands that people are offered: the guild's own before the global ones."""
        return [*self.guild_commands.get(guild or "", []), *self.commands]

    def _guild(self, id_: str) -> Guild:
        if id_ not in self._world.guilds:
            raise refused("unknown guild")
        return self._world.guilds[id_]

    def _gateway_of_bot(self, asked: Asked) -> Answer:
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        return {"url": self._gateway.url, "shards": self._world.shards, "session_start_limit": limit}

    def _application(self, asked: Asked) -> Answer:
        bot = user_of(self._world.bot)
        return {
            "id": bot["id"],
            "name": bot["username"],
            "description": "",
            "icon": None,
            "bot": bot,
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "",
            "flags": self._gateway.flags,
            "owner": bot,
            "team": None,
        }

    def _open_private(self, asked: Asked) -> Answer:
        user = self._world.user(str(asked.body.get("recipient_id")))
        return channel_of(self._world, self._world.private_with(user.id))

    def _register(self, asked: Asked) -> Answer:
        """Replace all commands; one that was there before keeps its id."""
        guild = self._guild(asked.ids[1]).id if len(asked.ids) > 1 else None
        registration.check(asked.many)
        before = self.guild_commands.get(guild, []) if guild else self.commands
        known = {(command["type"], command["name"]): command["id"] for command in before}
        commands = []
        for command in asked.many:
            kind = command.get("type", 1)
            id_ = known.get((kind, command["name"])) or self._world.snowflake()
            kept = {"description": "", **command, "type": kind, "id": id_, "application_id": self._world.bot.id}
            kept |= {"version": self._world.snowflake(), "default_member_permissions": None}
            commands.append(kept | ({"guild_id": guild} if guild else {}))
        if guild:
            self.guild_commands[guild] = commands
        else:
            self.commands = commands
        return commands

    def _channels(self, asked: Asked) -> Answer:
        guild = self._guild(asked.ids[0])
        found = [channel for channel in self._world.channels.values() if channel.guild == guild.id]
        return [channel_of(self._world, channel) for channel in found if not channel.parent]

    def _threads(self, asked: Asked) -> Answer:
        guild = self._guild(asked.ids[0])
        found = [channel for channel in self._world.channels.values() if channel.guild == guild.id]
        threads = [thread_of(self._world, channel) for channel in found if channel.parent and not channel.archived]
        return {"threads": threads, "members": []}

    def _member(self, asked: Asked) -> Answer:
        guild, user = self._guild(asked.ids[0]), asked.ids[1]
        if user not in guild.members:
            raise refused("unknown member")
        return member_of(self._world.users[user])
