"""The stand-in for Discord, driven by the real client library."""

from __future__ import annotations

import asyncio
import re
import warnings
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import aiohttp
import pytest

from tests.standins.discord.client import Bot, running, wire
from tests.standins.discord.standin import Discord

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the library still imports audioop
    import discord
    from discord import app_commands

pytestmark = pytest.mark.filterwarnings("ignore:'audioop' is deprecated:DeprecationWarning")

OGG = b"OggS" + bytes(60)


@pytest.fixture
def standin(monkeypatch: pytest.MonkeyPatch) -> Iterator[Discord]:
    with Discord(shards=1) as standin:
        wire(standin, monkeypatch)
        yield standin


@pytest.fixture
def room(standin: Discord) -> tuple[str, str]:
    """A channel, and one who writes there."""
    ann = standin.user("ann", locale="de")
    return standin.channel(standin.guild("Band", ann), "studio"), ann


def text_channel(bot: Bot, id_: str) -> discord.TextChannel:
    channel = bot.get_channel(int(id_))
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_a_message_is_heard_and_answered_with_a_file_and_edited(standin: Discord, room: tuple[str, str]) -> None:
    channel, ann = room
    async with running(standin) as bot:
        asked = standin.write(channel, ann, "a song, please", attachments=[("hum.ogg", OGG, "audio/ogg")])
        await standin.until_async(lambda: bot.heard == ["a song, please"])
        message = await text_channel(bot, channel).fetch_message(int(asked))
        assert await message.attachments[0].read() == OGG
        file = discord.File(__file__, filename="song.py", description="a song")
        answer = await message.reply("here  ", file=file, mention_author=False)
        await answer.edit(content="here it is")
        await message.add_reaction("🎵")
    seen = standin.messages(channel)[-1]
    assert [version.content for version in seen.history] == ["here", "here it is"]
    assert (seen.reply_to, seen.attachments[0].name, seen.attachments[0].description) == (asked, "song.py", "a song")
    assert standin.messages(channel)[0].reactions == {"🎵": (standin.application_id,)}
    assert standin.pings == []


async def test_a_private_chat_goes_to_the_first_shard_and_may_be_closed(standin: Discord) -> None:
    ann = standin.user("ann")
    async with running(standin) as bot:
        standin.write(standin.dm(ann), ann, "psst")
        await standin.until_async(lambda: bot.heard == ["psst"])
        user = await bot.fetch_user(int(ann))
        await user.send("hello")
        standin.close_dms(ann)
        with pytest.raises(discord.Forbidden) as refusal:
            await user.send("hello?")
    assert refusal.value.code == 50007
    assert [message.content for message in standin.messages(standin.dm(ann))] == ["psst", "hello"]


async def test_without_the_intent_content_comes_only_with_a_mention(standin: Discord, room: tuple[str, str]) -> None:
    channel, ann = room
    async with running(standin, Bot(message_content=False)) as bot:
        standin.write(channel, ann, "not for you")
        standin.write(channel, ann, f"{standin.mention} for you")
        await standin.until_async(lambda: len(bot.heard) == 2)
    assert bot.heard == ["", f"{standin.mention} for you"]


async def test_an_intent_that_is_not_enabled_ends_the_connection(standin: Discord) -> None:
    standin.set_privileged()
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with Bot() as bot:
            await bot.start(standin.token)


async def test_a_command_is_deferred_followed_up_and_edited(standin: Discord, room: tuple[str, str]) -> None:
    channel, ann = room
    bot = Bot()
    go = asyncio.Event()

    @bot.tree.command(description="Make a song")
    async def song(interaction: discord.Interaction[Any], style: str, hum: discord.Attachment | None = None) -> None:
        await interaction.response.defer()
        await go.wait()
        heard = await hum.read() if hum else b""
        await interaction.followup.send(f"{style} from {len(heard)} for {interaction.locale}")
        await interaction.followup.send("only you", ephemeral=True)
        await interaction.edit_original_response(content="done")

    async with running(standin, bot):
        with pytest.raises(LookupError):
            standin.slash(channel, ann, "sonk", style="jazz")
        with pytest.raises(ValueError, match="requires"):
            standin.slash(channel, ann, "song")
        used = standin.slash(channel, ann, "song", style="jazz", hum=("hum.ogg", OGG))
        await standin.until_async(lambda: standin.messages(channel) and standin.messages(channel)[0].thinking)
        go.set()
        await standin.until_async(lambda: [m.content for m in standin.messages(channel)] == ["done"])
        mine = standin.messages(channel, as_user=ann)
    assert [version.content for version in mine[0].history] == ["", "jazz from 64 for de", "done"]
    assert (mine[1].content, mine[1].ephemeral_to) == ("only you", ann)
    assert mine[0].interaction == used.use
    assert [(ack.interaction, ack.type) for ack in standin.acknowledged] == [(used.id, 5)]


async def test_autocomplete_gives_choices(standin: Discord, room: tuple[str, str]) -> None:
    channel, ann = room
    bot = Bot()

    @bot.tree.command(description="Make a song")
    async def song(interaction: discord.Interaction[Any], style: str) -> None: ...

    @song.autocomplete("style")
    async def offered(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=name, value=name) for name in ("jazz", "waltz") if typed in name]

    async with running(standin, bot):
        choices = await asyncio.to_thread(standin.autocomplete, channel, ann, "song", "style", "wa")
    assert [choice["value"] for choice in choices] == ["waltz"]


async def test_a_menu_a_button_and_a_select_are_used(standin: Discord, room: tuple[str, str]) -> None:
    channel, ann = room
    bot = Bot()

    @bot.tree.context_menu(name="Sing this")
    async def sing(interaction: discord.Interaction[Any], message: discord.Message) -> None:
        view = discord.ui.View()
        view.add_item(Again())
        view.add_item(discord.ui.Button(label="Gone", custom_id="gone", disabled=True))
        view.add_item(Style())
        await interaction.response.send_message(f"la {message.content}", view=view)

    class Again(discord.ui.Button[Any]):
        def __init__(self) -> None:
            super().__init__(label="Again")

        async def callback(self, interaction: discord.Interaction[Any]) -> None:
            await interaction.response.edit_message(content="again")

    class Style(discord.ui.Select[Any]):
        def __init__(self) -> None:
            super().__init__(placeholder="Style", options=[discord.SelectOption(label="Jazz", value="jazz")])

        async def callback(self, interaction: discord.Interaction[Any]) -> None:
            await interaction.response.send_message(self.values[0], ephemeral=True)

    async with running(standin, bot):
        asked = standin.write(channel, ann, "lu")
        standin.context(channel, ann, "Sing this", asked)
        sung = (await standin.until_async(lambda: standin.messages(channel)[1:]))[0]
        assert sung.content == "la lu"
        with pytest.raises(ValueError, match="disabled"):
            standin.click(channel, ann, sung.id, "Gone")
        standin.click(channel, ann, sung.id, "Again")
        await standin.until_async(lambda: standin.messages(channel)[1].content == "again")
        standin.choose(channel, ann, sung.id, "Style", "Jazz")
        await standin.until_async(lambda: standin.messages(channel, as_user=ann)[-1].content == "jazz")
    assert len(standin.messages(channel)) == 2
    assert "[Again] [Gone] (off)" in standin.picture(channel)


async def test_a_modal_is_filled_in(standin: Discord, room: tuple[str, str]) -> None:
    channel, ann = room
    bot = Bot()

    class Words(discord.ui.Modal, title="Your words"):
        first: discord.ui.TextInput[Any] = discord.ui.TextInput(label="First line", max_length=10)

        async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
            await interaction.response.send_message(f"you said {self.first.value}")

    @bot.tree.command(description="Words")
    async def words(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_modal(Words())

    async with running(standin, bot):
        standin.slash(channel, ann, "words")
        modal = await standin.until_async(lambda: standin.modals.get(ann))
        assert modal is not None
        with pytest.raises(ValueError, match="does not take"):
            standin.submit(ann, modal, **{"First line": "far too many words"})
        standin.submit(ann, modal, **{"First line": "love"})
        await standin.until_async(lambda: standin.messages(channel))
    assert standin.messages(channel)[0].content == "you said love"


async def test_an_interaction_answered_too_late_or_twice_is_refused(standin: Discord, room: tuple[str, str]) -> None:
    channel, ann = room
    bot = Bot()

    @bot.tree.command(description="Wait")
    async def wait(interaction: discord.Interaction[Any]) -> None: ...

    async with running(standin, bot):
        late = standin.slash(channel, ann, "wait")
        twice = standin.slash(channel, ann, "wait")
        await standin.until_async(lambda: len(bot.uses) == 2)
        standin.expire(late)
        with pytest.raises(discord.NotFound) as refusal:
            await bot.uses[0].response.defer()
        assert refusal.value.code == 10062
        await bot.uses[1].response.defer()
        url = f"{standin.base}/api/v10/interactions/{twice.id}/{twice.token}/callback"
        async with aiohttp.ClientSession() as session, session.post(url, json={"type": 5}) as again:
            assert (await again.json())["code"] == 40060
    assert standin.unanswered == [late]


async def test_what_is_missed_while_the_gateway_is_cut_is_replayed(standin: Discord, room: tuple[str, str]) -> None:
    channel, ann = room
    async with running(standin) as bot:
        standin.drop_gateway()
        standin.write(channel, ann, "did you hear?")
        await standin.until_async(lambda: bot.heard == ["did you hear?"])
        standin.ask_reconnect()
        await standin.until_async(lambda: standin.resumes == 2)
        standin.repeat("MESSAGE_CREATE")
        await standin.until_async(lambda: len(bot.heard) == 2)
        standin.invalid_session(resumable=False)
        await standin.until_async(lambda: standin.identifies == 2)


async def test_a_silent_gateway_is_left_by_the_client(standin: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    with Discord(heartbeat=0.1) as quick:
        wire(quick, monkeypatch)
        ann = quick.user("ann")
        async with running(quick, Bot(heartbeat_timeout=0.3)) as bot:
            await quick.until_async(lambda: bot.latency < 1)  # endless until the first ack
            quick.zombie()
            quick.write(quick.dm(ann), ann, "hello?")
            await quick.until_async(lambda: bot.heard == ["hello?"])
            assert quick.resumes == 1


async def test_each_guild_is_on_a_shard_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with Discord(shards=2) as standin:
        wire(standin, monkeypatch)
        ann = standin.user("ann")
        guilds = [standin.guild("One", ann), standin.guild("Two", ann)]
        async with running(standin) as bot:
            assert standin.connected == [0, 1]
            assert [guild.shard_id for id_ in guilds if (guild := bot.get_guild(int(id_)))] == [0, 1]
            rooms = [standin.channel(guild, "new") for guild in (*guilds, *guilds)]
            for place in rooms:
                standin.write(place, ann, place)
            await standin.until_async(lambda: set(bot.heard) == set(rooms))
    assert len(bot.heard) == len(rooms)


async def test_a_429_is_waited_out_and_a_rush_is_noted(standin: Discord, room: tuple[str, str]) -> None:
    channel, _ = room
    async with running(standin) as bot:
        standin.fail(rf"POST /channels/{channel}/messages", status=429, retry_after=0.05)
        await text_channel(bot, channel).send("after a while")
        assert standin.exceeded == []  # that one was not the bot's fault
        url = f"{standin.base}/api/v10/channels/{channel}/messages"
        headers = {"Authorization": f"Bot {standin.token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            for _ in range(5):
                async with session.post(url, json={"content": "too fast"}) as answer:
                    body = await answer.json()
        assert (answer.status, "Via" in answer.headers, body["global"]) == (429, True, False)
        assert 4 < body["retry_after"] <= 5
    assert standin.exceeded == [f"POST /channels/{channel}/messages (messages)"]
    statuses = [call.status for call in standin.calls if call.path == f"/channels/{channel}/messages"]
    assert statuses == [429, 200, 200, 200, 200, 200, 429]


async def test_what_discord_refuses_is_refused(standin: Discord) -> None:
    ann = standin.user("ann")
    channel = standin.channel(standin.guild("Small", ann, filesize_limit=100), "studio")
    standin.set_rate_limits(False)
    codes = []
    async with running(standin) as bot:
        studio = text_channel(bot, channel)
        message = await studio.send("hello")
        standin.delete(channel, str(message.id))
        row = discord.ui.View().add_item(discord.ui.Button(label="x" * 81, custom_id="x"))
        tries: list[Callable[[], Awaitable[object]]] = [
            lambda: studio.send("x" * 2001),
            lambda: studio.send("  "),
            lambda: studio.send(embed=discord.Embed(title="x" * 257)),
            lambda: studio.send("row", view=row),
            lambda: studio.send(file=discord.File(__file__)),
            lambda: message.edit(content="gone"),
            lambda: studio.create_thread(name="x" * 101),
            lambda: bot.http.get_channel(1),
        ]
        for attempt in tries:
            with pytest.raises(discord.HTTPException) as refusal:
                await attempt()
            codes.append((refusal.value.status, refusal.value.code))
        standin.deny(channel, "send_messages")
        with pytest.raises(discord.Forbidden) as denied:
            await studio.send("hello")
    form = (400, 50035)
    assert codes == [form, (400, 50006), form, form, (413, 40005), (404, 10008), form, (404, 10003)]
    assert denied.value.code == 50013


async def test_a_mention_that_is_let_through_is_noted(standin: Discord, room: tuple[str, str]) -> None:
    channel, ann = room
    async with running(standin) as bot:
        studio = text_channel(bot, channel)
        asked = await studio.fetch_message(int(standin.write(channel, ann, "a song")))
        silent = discord.AllowedMentions.none()
        await asked.reply(f"@everyone <@{ann}>", allowed_mentions=silent)
        assert standin.pings == []
        await asked.reply(f"<@{ann}>", allowed_mentions=discord.AllowedMentions(everyone=False, replied_user=False))
        await asked.reply("here")
    assert [re.sub(r".*: (.*) in .*", r"\1", ping) for ping in standin.pings] == [f"<@{ann}>", f"<@{ann}> (replied to)"]


async def test_the_same_nonce_is_the_same_message(standin: Discord, room: tuple[str, str]) -> None:
    channel, _ = room
    async with running(standin) as bot:
        studio = text_channel(bot, channel)
        standin.drop(rf"POST /channels/{channel}/messages", after=True)
        with pytest.raises(aiohttp.ClientError):
            await studio.send("once", nonce="17")
        again = await studio.send("once", nonce="17")
    assert [message.id for message in standin.messages(channel)] == [str(again.id)]


async def test_a_voice_message_and_a_thread_of_new_components(standin: Discord, room: tuple[str, str]) -> None:
    channel, ann = room
    async with running(standin) as bot:
        route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
        described = '{"flags": 8192, "attachments": [{"id": 0, "filename": "v.ogg"%s}]}'
        file = {"name": "files[0]", "value": OGG, "filename": "v.ogg", "content_type": "audio/ogg"}

        def form(more: str) -> list[dict[str, Any]]:
            return [{"name": "payload_json", "value": described % more}, file]

        with pytest.raises(discord.HTTPException) as refusal:
            await bot.http.request(route, form=form(""))
        assert refusal.value.code == 50161
        await bot.http.request(route, form=form(', "duration_secs": 1.5, "waveform": "AAEC"'))
        thread = await text_channel(bot, channel).create_thread(
            name="a song", type=discord.ChannelType.public_thread, auto_archive_duration=60
        )
        view = discord.ui.LayoutView()
        view.add_item(discord.ui.Container(discord.ui.TextDisplay("# Song"), discord.ui.File("attachment://v.ogg")))
        await thread.send(view=view, file=discord.File(__file__, filename="v.ogg"))
        standin.write(str(thread.id), ann, "nice")
        await standin.until_async(lambda: bot.heard == ["nice"])
    assert standin.messages(channel)[0].voice
    assert [(found.name, found.owner) for found in standin.threads(channel)] == [("a song", standin.application_id)]
    shown = standin.messages(str(thread.id))[0]
    assert (shown.texts, shown.attachments[0].name) == (("# Song",), "v.ogg")


async def test_commands_that_are_not_well_formed_are_not_registered(standin: Discord) -> None:
    async with running(standin) as bot:
        for command in ({"name": "Song", "description": "x"}, {"name": "song", "description": ""}):
            with pytest.raises(discord.HTTPException) as refusal:
                await bot.http.bulk_upsert_global_commands(int(standin.application_id), [command])
            assert refusal.value.code == 50035
    assert standin.commands == []
