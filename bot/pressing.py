"""What pressed buttons do that need no composing: pages of further buttons, files, links, likes."""

from __future__ import annotations

from bot.replies import Answering, Replies
from core.events import Button, Done, Event
from core.library import KeptFile, NewVersion
from core.localisation import LOCALES, Words
from core.menus import Menus, Pressed, first
from core.ports import Library, People

LIKES = {"like": "👍", "dislike": "👎"}
# What anybody in a group may do with somebody else's song: it stays as it is.
HARMLESS = frozenset(
    {
        "more", "back", "players", "player", "endings", "files", "stems", "versions", "open", "link", "copy", "like",
        "dislike", "voice", "session",
    }
)  # fmt: skip
_BESIDE = ("musicxml", "abc", "midi", "mp3", "wav", "score", "card")  # what the button “files” gives, in this order


class Presses:
    def __init__(self, library: Library, people: People, menus: Menus, replies: Replies, words: Words) -> None:
        self._library, self._people, self._menus = library, people, menus
        self._replies, self._words = replies, words

    async def settings(self, a: Answering, chosen: str = "") -> Done:
        """Which language somebody is answered in; with `chosen`, from now on that one."""
        message = a.message
        locale = a.locale
        if chosen:
            choice = chosen if chosen in LOCALES else None
            await self._people.choose(message.platform, message.user, choice)
            locale = choice or a.locale
        person = await self._people.person(message.platform, message.user)
        buttons = tuple(
            Button(f"locale:0:0:{name}", ("✓ " if (person.locale or "auto") == name else "") + label)
            for name, label in (("en", "English"), ("zh", "中文"), ("auto", self._words.say(locale, "settings-auto")))
        )
        return self._replies.done(a, self._words.say(locale, "settings"), "page" if chosen else "message", buttons)

    async def answer(self, a: Answering, pressed: Pressed) -> Event | None:
        """None where the button is none of these."""
        version, say = a.version, self._words.say
        match pressed.name:
            case "locale":
                return await self.settings(a, pressed.argument)
            case "songs":
                page, _, words = pressed.argument.partition(" ")
                return await self._replies.listed(
                    a, words, int(page) if page.isdecimal() and len(page) < 6 else 0, "page"
                )
            case _:
                pass
        if version is None:
            return None
        match pressed.name:
            case "back":
                return self._menu(a, first(version.piece, version.number, self._words, a.locale))
            case "more":
                return self._menu(a, self._menus.more(version, a.locale, a.message))
            case "players":
                return self._menu(a, self._menus.players(version, a.locale))
            case "player":
                return self._menu(a, self._menus.choices(version, pressed.argument, a.locale))
            case "endings":
                return self._menu(a, self._menus.endings(version, a.locale))
            case "versions":
                known = await self._library.versions(version.piece, *a.message.place)
                return self._menu(a, self._menus.versions(version, known, a.locale))
            case "change":
                await self._library.show_again(version, *a.message.place, a.message.id)
                return self._replies.done(a, say(a.locale, "change-what", title=version.title), "prompt")
            case "open":
                return await self._replies.shown(a, version)
            case "files":
                return self._replies.files(a, {name: version.files[name] for name in _ordered(version.files)})
            case "voice":
                return self._replies.files(a, {"voice": version.files["mp3"]} if "mp3" in version.files else {})
            case "session" if a.message.rooms:
                link = await self._library.link(version)
                return self._replies.done(a, link, "session", title=version.title)
            case "link":
                link = await self._library.link(version)
                home = a.message.home
                code = "link" if home else "link-token"
                return self._replies.said(a, code, title=version.title, link=home.replace("{}", link) or link)
            case "copy":
                return await self.copied(a)
            case "unlock" | "lock" if version.owner != a.message.user:
                return self.foreign(a)
            case "unlock" | "lock":
                shared = pressed.name == "unlock"
                await self._library.share(version.piece, shared)
                return self._replies.done(a, say(a.locale, "opened-up" if shared else "closed"), "notice")
            case "like" | "dislike":
                await self._library.react(version, a.message.user, LIKES[pressed.name])
                return self._replies.done(a, say(a.locale, "reaction-kept"), "notice")
            case _:
                pass
        return None

    async def copied(self, a: Answering) -> Event:
        """The version as a piece of the person's own, in this chat: its files are the same ones."""
        version = a.version
        assert version is not None
        message = a.message
        new = NewVersion(
            *message.place, message.user, message.id, version.brief, version.score, version.rating,
            version.change, files=version.files, told=version.told, by=message.name,
        )  # fmt: skip
        return self._replies.card(a, await self._library.keep(new), version.told)

    def foreign(self, a: Answering) -> Event:
        """Somebody else's song in a group, which they have not opened: a copy is one tap away."""
        assert a.version is not None
        button = Button(f"copy:{a.version.piece}:{a.version.number}", self._words.say(a.locale, "button-copy"))
        text = self._words.say(a.locale, "not-yours", title=a.version.title)
        if a.message.press:
            return self._replies.done(a, text, "notice")  # the button for a copy is in the menu
        return self._replies.done(a, text, buttons=(button,))

    def _menu(self, a: Answering, buttons: tuple[Button, ...]) -> Done:
        return self._replies.done(a, "", "menu", buttons)


def _ordered(files: dict[str, KeptFile]) -> list[str]:
    order = {name: number for number, name in enumerate(_BESIDE)}
    return sorted((n for n in files if n.split("-")[0] in order), key=lambda n: (order[n.split("-")[0]], n))
