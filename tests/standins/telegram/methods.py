"""The methods of the Bot API that the stand-in knows; any other is answered with 404."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.standins.telegram import account, editing, limits, sending
from tests.standins.telegram.params import Params
from tests.standins.telegram.values import Refusal
from tests.standins.telegram.world import World

Method = Callable[[World, Params], Any]
POLL = "getUpdates"  # the one that waits

METHODS: dict[str, Method] = {
    "getMe": account.get_me,
    "setWebhook": account.set_webhook,
    "deleteWebhook": account.delete_webhook,
    "getWebhookInfo": account.get_webhook_info,
    "setMyCommands": account.set_my_commands,
    "getMyCommands": account.get_my_commands,
    "deleteMyCommands": account.delete_my_commands,
    "setMyDescription": account.set_my_description,
    "setMyShortDescription": account.set_my_short_description,
    "getChat": account.get_chat,
    "getChatMember": account.get_chat_member,
    "getFile": account.get_file,
    "answerInlineQuery": account.answer_inline_query,
    "sendMessage": sending.send_message,
    "sendAudio": sending.send_audio,
    "sendVoice": sending.send_voice,
    "sendDocument": sending.send_document,
    "sendPhoto": sending.send_photo,
    "sendMediaGroup": sending.send_media_group,
    "sendChatAction": sending.send_chat_action,
    "sendMessageDraft": sending.send_message_draft,
    "editMessageText": editing.edit_message_text,
    "editMessageCaption": editing.edit_message_caption,
    "editMessageMedia": editing.edit_message_media,
    "editMessageReplyMarkup": editing.edit_message_reply_markup,
    "deleteMessage": editing.delete_message,
    "setMessageReaction": editing.set_message_reaction,
    "answerCallbackQuery": editing.answer_callback_query,
    "createForumTopic": editing.create_forum_topic,
    "closeForumTopic": editing.close_forum_topic,
}
_NAMES = {name.lower(): name for name in (*METHODS, POLL)}


def named(written: str) -> str | None:
    """A method's proper name; the service does not mind the case."""
    return _NAMES.get(written.lower())


def perform(world: World, method: str, params: Params) -> Any:
    """A method's result, once the bot was found not to talk too fast."""
    if limits.counted(method):
        _charge(world, method, params)
    return METHODS[method](world, params)


def _charge(world: World, method: str, params: Params) -> None:
    chat = world.reach(params.text("chat_id"), writes=False)
    if not world.limited:
        return
    calls = len(params.json("media") or []) if method == "sendMediaGroup" else 1
    wait = world.rates.charge(chat.id, group=chat.kind != "private", calls=calls, now=world.now())
    if wait is not None:
        world.exceeded.append(f"{world.now():.2f} s: {method} in {chat.title} ({chat.id}), {wait} s too fast")
        raise Refusal(f"Too Many Requests: retry after {wait}", 429, retry_after=wait)
