"""What exists, told in Discord's JSON."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from urllib.parse import quote

from tests.standins.discord.permissions import GRANTED, bits
from tests.standins.discord.world import EPHEMERAL, Channel, File, Guild, Json, Message, Use, User, World

JOINED = "2024-01-01T00:00:00+00:00"


def moment(seconds: float) -> str:
    """A time as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def user_of(user: User) -> Json:
    return {
        "id": user.id,
        "username": user.name,
        "global_name": None,
        "discriminator": "0",
        "avatar": None,
        "bot": user.bot,
        "public_flags": 0,
    }


def member_of(user: User, whole: bool = True) -> Json:
    """A member of a guild; beside a message Discord leaves the user out of it."""
    member: Json = {
        "nick": None,
        "avatar": None,
        "roles": [],
        "joined_at": JOINED,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }
    return {**member, "user": user_of(user)} if whole else member


def channel_of(world: World, channel: Channel) -> Json:
    if channel.recipient:
        recipient = user_of(world.users[channel.recipient])
        return {"id": channel.id, "type": 1, "flags": 0, "last_message_id": None, "recipients": [recipient]}
    return thread_of(world, channel) if channel.parent else text_channel_of(world, channel)


def text_channel_of(world: World, channel: Channel) -> Json:
    denied = {"id": world.bot.id, "type": 1, "allow": "0", "deny": str(bits(channel.denied))}
    return {
        "id": channel.id,
        "type": 0,
        "guild_id": channel.guild,
        "name": channel.name,
        "position": 0,
        "permission_overwrites": [denied] if channel.denied else [],
        "nsfw": False,
        "topic": None,
        "parent_id": None,
        "rate_limit_per_user": 0,
        "last_message_id": None,
        "flags": 0,
    }


def thread_of(world: World, thread: Channel) -> Json:
    started = moment((int(thread.id) >> 22) / 1000 + 1_420_070_400)
    count = len(world.messages_of(thread.id))
    return {
        "id": thread.id,
        "type": 11,
        "guild_id": thread.guild,
        "parent_id": thread.parent,
        "owner_id": thread.owner,
        "name": thread.name,
        "last_message_id": None,
        "message_count": count,
        "total_message_sent": count,
        "member_count": 1,
        "rate_limit_per_user": 0,
        "flags": 0,
        "thread_metadata": {
            "archived": thread.archived,
            "locked": thread.locked,
            "auto_archive_duration": thread.archive_after,
            "archive_timestamp": started,
            "create_timestamp": started,
        },
    }


def guild_of(world: World, guild: Guild) -> Json:
    """A guild as in GUILD_CREATE; of its members only the bot, as without the members intent."""
    everyone = {
        "id": guild.id,
        "name": "@everyone",
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": 0,
        "permissions": str(bits(GRANTED)),
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
    channels = [channel for channel in world.channels.values() if channel.guild == guild.id]
    return {
        "id": guild.id,
        "name": guild.name,
        "owner_id": guild.members[0] if guild.members else world.bot.id,
        "icon": None,
        "features": [],
        "premium_tier": guild.premium_tier,
        "preferred_locale": guild.locale,
        "roles": [everyone],
        "emojis": [],
        "stickers": [],
        "joined_at": JOINED,
        "large": False,
        "member_count": len(guild.members),
        "members": [member_of(world.bot)],
        "channels": [text_channel_of(world, channel) for channel in channels if not channel.parent],
        "threads": [thread_of(world, channel) for channel in channels if channel.parent and not channel.archived],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def file_of(world: World, channel: str, file: File, ephemeral: bool = False) -> Json:
    url = f"{world.base}/attachments/{channel}/{file.id}/{quote(file.name)}"
    payload: Json = {"id": file.id, "filename": file.name, "size": len(file.data), "url": url, "proxy_url": url}
    optional = {
        "content_type": file.content_type,
        "description": file.description,
        "duration_secs": file.seconds,
        "waveform": file.waveform,
        "ephemeral": ephemeral or None,
    }
    return payload | {key: value for key, value in optional.items() if value is not None}


def emoji_of(emoji: str) -> Json:
    name, _, id_ = emoji.partition(":")
    return {"id": id_ or None, "name": name}


def reactions_of(message: Message, me: str) -> list[Json]:
    return [
        {
            "emoji": emoji_of(emoji),
            "count": len(users),
            "me": me in users,
            "me_burst": False,
            "count_details": {"burst": 0, "normal": len(users)},
            "burst_colors": [],
        }
        for emoji, users in message.reactions.items()
    ]


def use_of(world: World, use: Use, private: bool) -> Json:
    """The metadata that a message bears of the interaction it answers."""
    return {
        "id": use.id,
        "type": use.type,
        "user": user_of(world.users[use.user]),
        "authorizing_integration_owners": {"0": "0" if private else "1"},
    }


def resolved_media(node: object, urls: dict[str, str]) -> object:
    """A copy with every `attachment://` replaced by the attachment's own url."""
    if isinstance(node, dict):
        return {key: resolved_media(value, urls) for key, value in node.items()}
    if isinstance(node, list):
        return [resolved_media(value, urls) for value in node]
    if isinstance(node, str) and node.startswith("attachment://"):
        return urls.get(node.removeprefix("attachment://"), node)
    return node


def message_of(world: World, message: Message, referenced: bool = True) -> Json:
    """A message whole, as the API and the gateway give it to one who may read it."""
    channel = world.channels[message.channel]
    author = world.users[message.author]
    files = [file_of(world, channel.id, file, bool(message.ephemeral_to)) for file in message.files]
    urls = {file["filename"]: file["url"] for file in files}
    payload: Json = {
        "id": message.id,
        "channel_id": channel.id,
        "author": user_of(author),
        "content": message.content,
        "timestamp": moment(message.created),
        "edited_timestamp": moment(message.edited) if message.edited else None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [user_of(world.users[id_]) for id_ in message.mentions],
        "mention_roles": [],
        "attachments": files,
        "embeds": resolved_media(copy.deepcopy(message.embeds), urls),
        "components": resolved_media(copy.deepcopy(message.components), urls),
        "pinned": False,
        "type": message.type,
        "flags": message.flags | (EPHEMERAL if message.ephemeral_to else 0),
    }
    if message.reactions:
        payload["reactions"] = reactions_of(message, world.bot.id)
    if message.nonce:
        payload["nonce"] = message.nonce
    if channel.guild:
        payload |= {"guild_id": channel.guild, "member": member_of(author, whole=False)}
    if message.id in world.channels:
        payload["thread"] = thread_of(world, world.channels[message.id])
    return payload | _origin_of(world, message, channel, referenced)


def _origin_of(world: World, message: Message, channel: Channel, referenced: bool) -> Json:
    """The message that it replies to, the interaction that it answers."""
    origin: Json = {}
    if message.use:
        origin |= {"application_id": world.bot.id, "webhook_id": world.bot.id}
        origin["interaction_metadata"] = use_of(world, message.use, not channel.guild)
        if message.use.type == 2:
            user = user_of(world.users[message.use.user])
            origin["interaction"] = {"id": message.use.id, "type": 2, "name": message.use.command, "user": user}
    if message.reply_to:
        origin["message_reference"] = {"type": 0, "channel_id": message.channel, "message_id": message.reply_to}
        if channel.guild:
            origin["message_reference"]["guild_id"] = channel.guild
        if referenced:
            target = world.messages.get(message.reply_to)
            origin["referenced_message"] = message_of(world, target, referenced=False) if target else None
    return origin


def without_content(payload: Json, bot: str) -> Json:
    """A message as a bot without the message content intent is given it."""
    mentioned = any(user["id"] == bot for user in payload["mentions"])
    if "guild_id" in payload and payload["author"]["id"] != bot and not mentioned:
        payload = payload | {"content": "", "attachments": [], "embeds": [], "components": []}
    if payload.get("referenced_message"):
        payload = payload | {"referenced_message": without_content(payload["referenced_message"], bot)}
    return payload
