"""The one loop that does what time asks for: it sleeps until the database's next due moment, never polls.

Games are served beside each other, each in a task of its own: so many in all, few of one server, and never
one game twice at once. While they are served the loop goes on to what is newly due.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any
from weakref import WeakValueDictionary

import discord

from cogs.guard import under_way
from cogs.notice import REMINDER, SILENT, TURN, UNREACHABLE
from cogs.publish import QUIET, Publisher
from table.errors import StoreError, TableError
from table.pace import BEAT, DAY, GAP, HOUR, MINUTE, Due
from table.store import Held
from table.table import OVER, Session, Table

log = logging.getLogger(__name__)

#: Games that are served at a time, in all and of one server: a slow one must not take every place.
AT_ONCE, OF_ONE_PLACE = 24, 4
#: Seconds until a game that failed is tried again, at first and at most; each failure doubles them.
RETRY, LONGEST_RETRY = MINUTE, HOUR
#: The longest sleep: a computer's clock can be put right.
LONGEST = DAY


class Pace:
    """Serves the games whose deadline has come, and the notices that quiet hours held back."""

    def __init__(self, client: discord.Client, table: Table, publisher: Publisher) -> None:
        self._client = client
        self._table = table
        self._publisher = publisher
        self._reachable: Callable[[], bool] = lambda: True
        self._longest = LONGEST
        self._task: asyncio.Task[None] | None = None
        self._nap: asyncio.Task[None] | None = None
        self._woken = self._stopped = False
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._places: WeakValueDictionary[int, asyncio.Semaphore] = WeakValueDictionary()
        #: The games that are served or wait for a slot, and those of them that do not wait any more.
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._served: set[int] = set()
        #: Games that were found due again while they were served.
        self._again: set[int] = set()
        #: Of games that failed: when to try again, in epoch seconds, and how long they waited last.
        self._failed: dict[int, tuple[float, float]] = {}
        table.alarm = self.wake

    def listen(self, reachable: Callable[[], bool]) -> None:
        """Note every minute that people can reach the bot; while they cannot, nothing is due.

        A simulated Discord, which waits for every short sleep, goes without.
        """
        self._reachable, self._longest, self._table.gap = reachable, BEAT, GAP

    def start(self) -> None:
        """Begin; what fell due while the bot was down is done at once."""
        self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """End the loop when it has done what it is doing: what it has let go of would never be sent."""
        self._stopped = True
        for game, task in self._tasks.items():
            if game not in self._served:
                task.cancel()
        self.wake()

    async def stopped(self) -> None:
        """Wait until the loop has ended, after :meth:`stop`."""
        if self._task is not None:
            await asyncio.wait([self._task])

    def wake(self) -> None:
        """Look again: something is due earlier, or at another time, than it was."""
        self._woken = True
        if self._nap is not None:
            self._nap.cancel()

    async def _run(self) -> None:
        while not self._stopped:
            self._woken = False
            with under_way(self._client):
                delay = await self._look() if self._reachable() else BEAT
            if self._woken:
                continue
            self._nap = asyncio.create_task(asyncio.sleep(min(delay, self._longest)))
            try:
                await asyncio.wait([self._nap])
            finally:
                self._nap.cancel()
                self._nap = None
        if self._reachable():
            with under_way(self._client), suppress(StoreError):
                await self._table.beat(note=True)

    async def _look(self) -> float:
        """Begin to serve everything that is due; return how long to sleep then."""
        store, now = self._table.store, self._table.now()
        try:
            earliest = await store.next_due(-math.inf)
            # An outage must not begin before what is done now: it would be due once more after it.
            if await self._table.beat(note=earliest is not None and earliest <= now):
                await self._show_all()
            # Begun as soon as it is read, or what is done meanwhile would be done twice.
            held = await store.held(now)
            for one in held:
                self._begin(one.game, None, lambda one=one: self._serve_held(one))
            due = await store.due(now)
            for game in due:
                self._begin(game.game, game.place, lambda game=game.game: self._serve_game(game))
            over, next_return = self._table.returns()
            for game in over:
                self._begin(game, None, lambda game=game: self._publisher.publish(game))
            waiting = {*over, *(one.game for one in (*due, *held))}
            self._failed = {game: when for game, when in self._failed.items() if game in waiting}
            following = await store.next_due(now)
        except Exception:
            log.exception("what is due cannot be looked up")
            return RETRY
        moments = [until for until, _ in self._failed.values() if until > now]
        moments += [next_return] if following is None else [next_return, following]
        return min(max(min(moments, default=now + LONGEST) - self._table.now(), 0.0), LONGEST)

    def _begin(self, game: int, place: int | None, serve: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Serve a game beside the others, unless it is being served or has just failed."""
        if game in self._tasks:
            self._again.add(game)
        elif self._failed.get(game, (0.0, 0.0))[0] <= self._table.now():
            self._tasks[game] = asyncio.create_task(self._wait_and_serve(game, place, serve))

    async def _wait_and_serve(
        self, game: int, place: int | None, serve: Callable[[], Coroutine[Any, Any, object]]
    ) -> None:
        """Serve a game as soon as there is a slot, in all and of its place."""
        try:
            place = await self._place(game) if place is None else place
            async with self._places.setdefault(place, asyncio.Semaphore(OF_ONE_PLACE)), self._slots:
                self._served.add(game)
                with under_way(self._client):
                    await self._try(game, serve)
        finally:
            del self._tasks[game]
            self._served.discard(game)
            if game in self._again or game in self._failed:
                self._again.discard(game)
                self.wake()

    async def _place(self, game: int) -> int:
        """Return the ID of the server where a game is played, else of its channel."""
        record = await self._table.store.find(game)
        return game if record is None else int(record.options.get("guild") or record.channel)

    async def _try(self, game: int, serve: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Serve one game. What nobody foresaw is tried again after a while, and stops no other game."""
        try:
            await serve()
        except (TableError, *UNREACHABLE) as error:
            log.warning("%s what was due could not be done: %s", self._table.about(game), error)
        except Exception:
            log.exception("%s what was due could not be done", self._table.about(game))
            waited = min(2 * self._failed.get(game, (0.0, RETRY / 2))[1], LONGEST_RETRY)
            self._failed[game] = (self._table.now() + waited, waited)
            return
        self._failed.pop(game, None)

    async def _show_all(self) -> None:
        """Let all games show how much time there is, after one in which nobody could play."""
        from cogs.lobby import show_newest

        async def show(game: int) -> None:
            await show_newest(self._client, game)  # type: ignore[arg-type]

        async for record in self._table.each_live():
            place = int(record.options.get("guild") or record.channel)
            self._begin(record.id, place, lambda game=record.id: show(game))

    async def _serve_game(self, game: int) -> None:
        if (await self._table.get(game)).record.cut_off is not None:
            await self._publisher.publish(game)  # its place may be back, and then the game goes on
        session, due = await self._table.clock(game)
        match due:
            case Due.REMIND:
                await self._publisher.notices.notify(session, REMINDER)
            case Due.SILENT:
                await self._publisher.notices.notify(session, SILENT)
            case Due.LATE | Due.MOVE_ON | Due.LAPSE:
                await self._publisher.publish(game)
            case Due.CLOSE:
                await self._close(session)
            case Due.LOSE | None:
                pass

    async def _serve_held(self, held: Held) -> None:
        # First let go of it, then send it: it is rather lost than said twice.
        await self._table.store.release(held.game, held.user)
        session, notices = await self._table.get(held.game), self._publisher.notices
        if session.record.finished == OVER:
            await notices.end_held_back(session, held.user)
            await self._publisher.publish(held.game)  # what is written in an archived thread opens it
        elif session.to_move is not None and session.seats[session.to_move].user == held.user:
            await notices.notify(session, TURN)

    async def _close(self, session: Session) -> None:
        """Let a lobby's message say that it has closed by itself."""
        from cogs.lobby import lobby_layout

        if session.record.message is not None:
            channel = self._client.get_partial_messageable(session.record.channel)
            message = channel.get_partial_message(session.record.message)
            await message.edit(view=lobby_layout(session), allowed_mentions=QUIET)
