"""The methods about the bot itself, about members and files, and the way of its updates."""

from __future__ import annotations

import re

from tests.standins.telegram import describe, limits
from tests.standins.telegram.params import Params
from tests.standins.telegram.values import Json, bad
from tests.standins.telegram.world import Webhook, World


def get_me(world: World, params: Params) -> Json:
    return describe.me(world)


def set_my_commands(world: World, params: Params) -> bool:
    commands: list[Json] = params.json("commands") or []
    if len(commands) > limits.COMMANDS:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not re.fullmatch(r"[a-z0-9_]{1,32}", command.get("command", "").removeprefix("/")):
            raise bad("BOT_COMMAND_INVALID")
        if not command.get("description", "").strip():
            raise bad("command description must be non-empty")
        if len(command["description"]) > 256:
            raise bad("command description length must not exceed 256")
    if not re.fullmatch(r"(?:[a-z]{2})?", params.text("language_code")):
        raise bad("invalid language code specified")
    found = tuple((c["command"].removeprefix("/"), c["description"]) for c in commands)
    world.commands[params.text("language_code")] = found
    return True


def get_my_commands(world: World, params: Params) -> list[Json]:
    found = world.commands.get(params.text("language_code"), ())
    return [{"command": command, "description": description} for command, description in found]


def delete_my_commands(world: World, params: Params) -> bool:
    world.commands.pop(params.text("language_code"), None)
    return True


def set_my_description(world: World, params: Params) -> bool:
    return _describe(world, params, "description", 512)


def set_my_short_description(world: World, params: Params) -> bool:
    return _describe(world, params, "short_description", 120)


def _describe(world: World, params: Params, name: str, most: int) -> bool:
    if len(params.text(name)) > most:
        raise bad(f"BOT_{name.upper()}_INVALID")
    world.descriptions[name, params.text("language_code")] = params.text(name)
    return True


def get_chat(world: World, params: Params) -> Json:
    return describe.full_chat(world, world.reach(params.text("chat_id")))


def get_chat_member(world: World, params: Params) -> Json:
    chat = world.reach(params.text("chat_id"))
    member = params.number("user_id") or 0
    if member != world.bot and member not in world.people:
        raise bad("user not found")
    return describe.member(world, chat, member)


def get_file(world: World, params: Params) -> Json:
    return world.files.path(params.text("file_id"))


def answer_inline_query(world: World, params: Params) -> bool:
    query = world.queries.get(params.text("inline_query_id"))
    results: list[Json] = params.json("results") or []
    if query is None or query.answered or world.now() - query.at > world.query_seconds:
        raise bad("query is too old and response timeout expired or query ID is invalid")
    if len(results) > 50:
        raise bad("RESULTS_TOO_MUCH")
    if len({r["id"] for r in results}) < len(results):
        raise bad("RESULT_ID_DUPLICATE")
    query.answered = True
    world.inline_answers[params.text("inline_query_id")] = results
    return True


def set_webhook(world: World, params: Params) -> bool:
    url, secret = params.text("url"), params.text("secret_token")
    if not re.fullmatch(r"[A-Za-z0-9_-]{0,256}", secret):
        raise bad("secret token contains unallowed characters")
    _drop(world, params)
    if params.text("allowed_updates"):
        world.updates.asked = tuple(params.json("allowed_updates"))
    world.webhook = Webhook(url, secret, params.number("max_connections") or 40) if url else None
    return True


def delete_webhook(world: World, params: Params) -> bool:
    _drop(world, params)
    world.webhook = None
    return True


def _drop(world: World, params: Params) -> None:
    if params.flag("drop_pending_updates"):
        world.updates.pending.clear()


def get_webhook_info(world: World, params: Params) -> Json:
    hook = world.webhook
    told: Json = {
        "url": hook.url if hook else "",
        "has_custom_certificate": False,
        "pending_update_count": len(world.updates.pending),
    }
    if hook:
        told["max_connections"] = hook.most
    if hook and hook.last_error:
        told |= {"last_error_message": hook.last_error, "last_error_date": hook.last_error_at}
    return told | ({"allowed_updates": list(world.updates.asked)} if world.updates.asked else {})
