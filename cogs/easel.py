"""Drawing: off the event loop, the tables first, and of one person one drawing of a kind at a time.

Replays are drawn in a process of their own (:mod:`render.apart`), so that no table waits for one.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import logging
import sys
from asyncio.subprocess import PIPE
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import discord
import msgspec

import render
from cogs import alt, metrics
from cogs.shelf import Shelf
from cogs.texts import Words
from kanagawa.state import View
from table.table import Session

log = logging.getLogger(__name__)

#: So many messages are made at once, however many games move. Two threads draw, and a third message is
#: being laid out meanwhile; more would let a table wait behind pictures that were begun before it.
MADE_AT_ONCE = 3
#: Where the packages are, for the process that draws replays.
ROOT = Path(render.__file__).parents[1]


# Who comes first -------------------------------------------------------------------------------------


class Rank(IntEnum):
    """What a drawing is for; of those that wait, the lower rank is made first."""

    TABLE = 0
    PRIVATE = 1
    KEEPSAKE = 2


class _Ticket:
    """Somebody's wait for a slot. ``round`` counts how many of their own come before it."""

    def __init__(self, rank: Rank, owner: Hashable, number: int) -> None:
        self.rank, self.owner, self.round = rank, owner, number
        self.admitted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def is_like(self, other: _Ticket) -> bool:
        """Whether both are one owner's drawings of one rank."""
        return (self.rank, self.owner) == (other.rank, other.owner)


class Slots:
    """Places for drawings that are made at the same time.

    The lowest rank is admitted first. Of one rank each owner has one slot at most, and those that wait
    take turns: an owner's second drawing waits until all others who wait have had their first.
    """

    def __init__(self, slots: int) -> None:
        self.free = slots
        self._waiting: list[_Ticket] = []
        self._inside: list[_Ticket] = []
        self._rounds: defaultdict[Rank, int] = defaultdict(int)

    @asynccontextmanager
    async def take(self, rank: Rank, owner: Hashable) -> AsyncGenerator[None]:
        """Wait for a slot and hold it."""
        own = (
            one.round + 1 for one in self._waiting + self._inside if (one.rank, one.owner) == (rank, owner)
        )
        ticket = _Ticket(rank, owner, max(own, default=self._rounds[rank]))
        self._waiting.append(ticket)
        self._admit()
        try:
            await ticket.admitted
            yield
        finally:
            if ticket in self._inside:
                self._inside.remove(ticket)
                self.free += 1
            else:  # cancelled while it waited
                self._waiting.remove(ticket)
            self._admit()

    def _admit(self) -> None:
        while self.free and (ready := [one for one in self._waiting if not self._is_served(one)]):
            first = min(ready, key=lambda one: (one.rank, one.round))  # of equals the one that came first
            self._rounds[first.rank] = first.round
            self._waiting.remove(first)
            self._inside.append(first)
            self.free -= 1
            first.admitted.set_result(None)

    def _is_served(self, ticket: _Ticket) -> bool:
        return any(one.is_like(ticket) for one in self._inside)


# Pictures --------------------------------------------------------------------------------------------


class Picture(NamedTuple):
    """A drawn picture, or another file. Its name holds a digest: the same bytes have the same name."""

    filename: str
    alt: str
    data: bytes

    @property
    def file(self) -> discord.File:
        """The picture as an upload."""
        return discord.File(io.BytesIO(self.data), self.filename, description=self.alt)

    @property
    def shown(self) -> tuple[str, str]:
        """What a layout needs to show the picture: its file name and alt text."""
        return self.filename, self.alt


#: A function of ``render`` by name, and what it takes beside the view.
Drawing = tuple[str, tuple[Any, ...]]


class Easel:
    """Draws pictures in the render executor, never on the event loop.

    Whoever has a message made takes one of the ``render_slots`` first.
    """

    def __init__(self, executor: Executor, scale: float = 2, shelf: Shelf | None = None) -> None:
        self._executor = executor
        self._scale = scale
        self._shelf = shelf
        self.render_slots = Slots(MADE_AT_ONCE)
        self._apart = Slots(1)
        #: What is being made to be kept, by name: who asks for the same meanwhile waits for it, too.
        self._making: dict[str, asyncio.Task[bytes]] = {}

    async def draw(self, session: Session, words: Words, view: View, *wanted: Drawing) -> list[Picture]:
        """The wanted pictures of a view of a game with their alt texts.

        One that cannot be drawn is left out, and the log says why: a table without it can be played.
        """
        loop = asyncio.get_running_loop()
        drawn = await loop.run_in_executor(self._executor, self._files, session.about, view, wanted)
        return [
            Picture(name, getattr(alt, kind)(words, view, *args), png) for (kind, args), name, png in drawn
        ]

    def _files(self, about: str, view: View, wanted: Sequence[Drawing]) -> list[tuple[Drawing, str, bytes]]:
        """Those of the wanted pictures that can be drawn, in one errand: each wakes the event loop."""
        drawn: list[tuple[Drawing, str, bytes]] = []
        for kind, args in wanted:
            try:
                drawn.append(((kind, args), *self._file(kind, "png", view, args)))
            except Exception:
                metrics.ERRORS.labels("not-drawn").inc()
                log.exception("%s the picture %s cannot be drawn", about, kind)
        return drawn

    def _file(
        self, kind: str, ending: str, shown: View | Sequence[View], args: tuple[Any, ...]
    ) -> tuple[str, bytes]:
        """A picture under its name, which is worked out here too: a digest of megabytes takes time."""
        data = self._draw(kind, shown, args)
        return filename(kind, ending, data), data

    def _draw(self, kind: str, shown: View | Sequence[View], args: tuple[Any, ...]) -> bytes:
        with metrics.RENDER.labels(kind).time():
            return getattr(render, kind)(shown, *args, scale=self._scale)

    # What is made once and kept -------------------------------------------------------------------

    async def poster(self, session: Session, words: Words, owner: Hashable = None) -> list[Picture]:
        """The poster of a game that is over; none where it cannot be drawn.

        With an ``owner`` it waits for a slot of the last rank; without one the caller has a slot.
        """
        view: View = session.view(None)

        async def drawn() -> bytes:
            loop = asyncio.get_running_loop()
            if owner is None:
                return await loop.run_in_executor(self._executor, self._draw, "poster", view, ())
            async with self.render_slots.take(Rank.KEEPSAKE, owner):
                return await loop.run_in_executor(self._executor, self._draw, "poster", view, ())

        return await self._kept(session, "poster", "png", drawn, alt.poster(words, view))

    async def replay(
        self,
        session: Session,
        words: Words,
        views: Callable[[], Awaitable[Sequence[View]]],
        owner: Hashable = None,
    ) -> list[Picture]:
        """The animated replay of a game that is over; none where it cannot be drawn.

        ``views`` finds its public views, and is awaited only if the replay has to be drawn. Without an
        ``owner`` it is for the game's own message, and drawn before those that people ask for.
        """
        rank = Rank.TABLE if owner is None else Rank.KEEPSAKE

        async def drawn() -> bytes:
            async with self._apart.take(rank, session.id if owner is None else owner):
                found = await views()
                with metrics.RENDER.labels("replay").time():
                    return await self._draw_apart(found)

        return await self._kept(session, "replay", "gif", drawn, alt.replay(words, session.view(None)))

    async def _kept(
        self, session: Session, kind: str, ending: str, draw: Callable[[], Awaitable[bytes]], said: str
    ) -> list[Picture]:
        """A picture that was kept or is being made for somebody else, or else drawn now."""
        name = f"{kind}-{_key(session, kind, self._scale)}.{ending}"
        try:
            if name not in self._making:
                self._making[name] = asyncio.create_task(self._make(name, draw))
            # Who stops waiting does not stop it for the others.
            return [Picture(name, said, await asyncio.shield(self._making[name]))]
        except Exception:
            metrics.ERRORS.labels("not-drawn").inc()
            log.exception("%s the picture %s cannot be drawn", session.about, kind)
            return []

    async def _make(self, name: str, draw: Callable[[], Awaitable[bytes]]) -> bytes:
        try:
            if self._shelf is None:
                return await draw()
            if (found := await asyncio.to_thread(self._shelf.get, name)) is not None:
                return found
            made = await draw()
            await asyncio.to_thread(self._shelf.put, name, made)
            return made
        finally:
            del self._making[name]

    async def _draw_apart(self, views: Sequence[View]) -> bytes:
        """Draw a replay in a process of its own. Raises OSError or RuntimeError where it cannot."""
        arguments = (sys.executable, "-m", "render.apart", str(self._scale))
        process = await asyncio.create_subprocess_exec(
            *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=ROOT
        )
        try:
            made, said = await process.communicate(msgspec.msgpack.encode(views))
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            raise RuntimeError(said.decode(errors="replace")[-500:])
        if said:
            log.warning("%s", said.decode(errors="replace").strip())
        return made

    async def stop(self) -> None:
        """End what is being made."""
        making = list(self._making.values())
        for task in making:
            task.cancel()
        await asyncio.gather(*making, return_exceptions=True)


def filename(kind: str, ending: str, data: bytes) -> str:
    """Return a name for bytes that holds a digest of them."""
    return f"{kind}-{hashlib.sha256(data).hexdigest()[:16]}.{ending}"


def _key(session: Session, kind: str, scale: object) -> str:
    """A digest of all that makes one game's picture differ from another's.

    It is not the game's number, which after a restored backup may be another game's.
    """
    line = [(turn.seat, turn.action) for turn in session.line]
    said = msgspec.msgpack.encode((kind, str(scale), line, session.game.encode(session.state)))
    return hashlib.sha256(said).hexdigest()[:32]
