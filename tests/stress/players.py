"""People who play through the stand-in: they press what the bot's messages offer, and type its commands."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import bot
from cogs.client import Client
from cogs.controls import MY_TABLE, UNDO, parse_custom_id
from cogs.easel import Drawing, Easel, Picture
from cogs.texts import Words
from kanagawa.state import View
from table.errors import NoGame
from table.store import Store
from table.table import Session
from tests.stress.stand_in import EPHEMERAL, PEOPLE, Discord, Interaction, controls

#: How often somebody does not what is best, but anything that is legal.
WHIM = 0.3

#: How often people ask for a table that they do not get.
PATIENCE = 100

Message = Mapping[str, Any]


class Sketches(Easel):
    """Draws nothing: what stands for a picture is a name, so many moves can be made."""

    async def draw(self, session: Session, words: Words, view: View, *wanted: Drawing) -> list[Picture]:
        await asyncio.sleep(0)
        return [Picture(f"{kind}-{hash(view):x}.png", kind, kind.encode()) for kind, _ in wanted]

    async def _kept(
        self, session: Session, kind: str, ending: str, draw: Callable[[], Awaitable[bytes]], said: str
    ) -> list[Picture]:
        return []


@asynccontextmanager
async def running(store: Store, far: Discord, pause: float = 0) -> AsyncIterator[Client]:
    """The real bot over a store, connected to the stand-in; only its pictures are sketches.

    Each step of a turn is shown at once, unless there is to be a ``pause``.
    """
    with ThreadPoolExecutor(1) as executor:
        client = bot.build(store, executor, 0.5, pause=pause)
        client.publisher.easel = Sketches(executor)
        await far.connect(client)
        try:
            yield client
        finally:
            await client.close()


class Unplayable(Exception):
    """People cannot get at their game; the message says what they were told."""


class Offer(NamedTuple):
    """A move that a message offers: the control, the value to choose in it, and the codes it stands for."""

    message: Message
    custom_id: str
    value: str | None
    codes: tuple[str, ...]


class Players:
    """The people of one channel, where there is always a game going on."""

    def __init__(self, far: Discord, client: Client, channel: int, chance: random.Random) -> None:
        self.far = far
        self.client = client
        self.channel = channel
        self.chance = chance
        first = PEOPLE + 10 * far.channels.index(channel)
        self.people = range(first, first + 2 + far.channels.index(channel) % 3)
        self._benches: dict[int, Message] = {}

    async def session(self) -> Session:
        """The game of the channel, started; where there is none these people open one."""
        host, *others = self.people
        while True:
            try:
                session = await self.client.table.at(self.channel)
            except NoGame:
                await self.type(host, "new")
                continue
            if not session.is_lobby:
                return session
            for user in others:
                if session.seat_of(user) is None:
                    await self.press(user, await self.message(), f"kglobby:{session.id}:join")
            await self.press(host, await self.message(), f"kglobby:{session.id}:start")

    async def offers(self, session: Session) -> list[Offer]:
        """All moves that whoever is to move is offered: on the public table or, where there are none
        or the person looks there first, on their own.
        """
        found = list(_offers(await self.message(), session))
        if not found or self.chance.random() < 0.5:
            found = list(_offers(await self.bench(session), session))
        return found

    def choice(self, session: Session, offers: Sequence[Offer]) -> Offer:
        """Which of them it shall be: mostly what the apprentice would do."""
        seat = session.to_move
        assert seat is not None
        if self.chance.random() > WHIM:
            view, legal = session.view(to_move(session)), session.game.legal(session.state, seat)
            best = session.game.code(session.game.choose(view, legal))
            offers = [one for one in offers if one.codes == (best,)] or offers
        return self.chance.choice([one for one in offers if one.codes != (UNDO,)])

    async def message(self) -> Message:
        """The message that shows the channel's game; while there is none, it is asked for."""
        done = None
        for _ in range(PATIENCE):
            session = await self.client.table.at(self.channel)
            if found := self.far.messages.get(session.record.message or 0):
                return found
            done = await self.type(self.people[0], "table")
        raise Unplayable(f"channel {self.channel}: no table is shown: {done and done.said!r}")

    async def bench(self, session: Session) -> Message:
        """The private table, at the newest version, of whoever is to move."""
        user, done = to_move(session), None
        for _ in range(PATIENCE):
            shown = self._benches.get(user)
            if shown and list(_offers(shown, session)):
                return shown
            message = await self.message()
            buttons = [one["custom_id"] for one in controls(message["components"])]
            mine = [one for one in buttons if one.endswith(f":{MY_TABLE}")]
            done = await (self.press(user, message, mine[0]) if mine else self.type(user, "hand"))
        raise Unplayable(f"game {session.id}: no private table is shown: {done and done.said!r}")

    async def press(
        self, user: int, message: Message, custom_id: str, value: str | None = None
    ) -> Interaction:
        """Press a control of a message, and wait until the bot has done all that it does."""
        return self.after(await self.far.press(user, message, custom_id, value).over())

    async def move(self, session: Session, offer: Offer) -> Interaction:
        """Do what is offered."""
        return await self.press(to_move(session), offer.message, offer.custom_id, offer.value)

    async def type(self, user: int, command: str, **options: Any) -> Interaction:
        """Send a command, and wait as well."""
        return self.after(await self.far.command(user, self.channel, command, **options).over())

    def after(self, done: Interaction) -> Interaction:
        """Keep the private table that an interaction showed last in the place of the person's older one."""
        self.far.forget(done)
        shown = next(
            (one for one in reversed(done.seen) if one["flags"] & EPHEMERAL and versions(one["components"])),
            None,
        )
        if shown:
            self.far.messages.pop(int(self._benches.get(done.user, shown)["id"]), None)
            self.far.messages[int(shown["id"])] = self._benches[done.user] = shown
        return done


def to_move(session: Session) -> int:
    """The person who is to move."""
    assert session.to_move is not None
    return session.seats[session.to_move].user


def versions(components: Sequence[Message]) -> set[tuple[int, int]]:
    """Which versions of which games components belong to."""
    presses = (parse_custom_id(str(one["custom_id"])) for one in controls(components))
    return {(one.game, one.version) for one in presses if one}


def _offers(message: Message, session: Session) -> Iterator[Offer]:
    """The moves that a message offers at the newest version of a game."""
    for one in controls(message["components"]):
        press = parse_custom_id(one["custom_id"])
        if not press or press[:2] != (session.id, session.version) or one.get("disabled"):
            continue
        values = [str(option["value"]) for option in one.get("options", ())]
        for chosen in values or [press.code]:
            if chosen == UNDO or not chosen.startswith("?"):
                codes = tuple(chosen.split(","))
                yield Offer(message, one["custom_id"], chosen if values else None, codes)
