"""The one loop that does what time asks for: it sleeps until the database's next due moment, never polls."""

from __future__ import annotations

import asyncio
import logging

import discord

from cogs.guard import under_way
from cogs.notice import REMINDER, SILENT, TURN, UNREACHABLE
from cogs.publish import QUIET, Publisher
from table.errors import TableError
from table.pace import DAY, Due
from table.table import OVER, Session, Table

log = logging.getLogger(__name__)

#: Seconds until what failed is tried again, and the longest sleep: a computer's clock can be put right.
RETRY, LONGEST = 300.0, DAY


class Pace:
    """Serves the games whose deadline has come, and the notices that quiet hours held back."""

    def __init__(self, client: discord.Client, table: Table, publisher: Publisher) -> None:
        self._client = client
        self._table = table
        self._publisher = publisher
        self._task: asyncio.Task[None] | None = None
        self._nap: asyncio.Task[None] | None = None
        self._woken = self._stopped = False
        table.alarm = self.wake

    def start(self) -> None:
        """Begin; what fell due while the bot was down is done at once."""
        self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """End the loop when it has done what it is doing: what it has let go of would never be sent."""
        self._stopped = True
        self.wake()

    def wake(self) -> None:
        """Something is due earlier, or at another time, than it was."""
        self._woken = True
        if self._nap is not None:
            self._nap.cancel()

    async def _run(self) -> None:
        while not self._stopped:
            self._woken = False
            with under_way(self._client):
                delay = await self._serve()
            if self._woken:
                continue
            self._nap = asyncio.create_task(asyncio.sleep(delay))
            try:
                await asyncio.wait([self._nap])
            finally:
                self._nap.cancel()
                self._nap = None

    async def _serve(self) -> float:
        """Do everything that is due; how long to sleep then. One failing game stops no other."""
        store, now, failed = self._table.store, self._table.now(), False
        try:
            for game in await store.due(now):
                failed |= not await self._try(game, self._serve_game(game))
            for one in await store.held(now):
                # First let go of it, then send it: it is rather lost than said twice.
                await store.release(one.game, one.user)
                failed |= not await self._try(one.game, self._serve_held(one.game, one.user))
            following = await store.next_due(now)
        except Exception:
            log.exception("what is due cannot be looked up")
            return RETRY
        delay = LONGEST if following is None else min(max(following - self._table.now(), 0.0), LONGEST)
        return min(delay, RETRY) if failed else delay

    async def _try(self, game: int, serving: object) -> bool:
        try:
            await serving  # type: ignore[misc]
        except (TableError, *UNREACHABLE) as error:
            log.warning("%s what was due could not be done: %s", self._table.about(game), error)
        except Exception:
            log.exception("%s what was due could not be done", self._table.about(game))
            return False
        return True

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

    async def _serve_held(self, game: int, user: int) -> None:
        session, notices = await self._table.get(game), self._publisher.notices
        if session.record.finished == OVER:
            await notices.end_held_back(session, user)
            await self._publisher.publish(game)  # what is written in an archived thread opens it
        elif session.to_move is not None and session.seats[session.to_move].user == user:
            await notices.notify(session, TURN)

    async def _close(self, session: Session) -> None:
        """Let a lobby's message say that it has closed by itself."""
        from cogs.lobby import lobby_layout

        if session.record.message is not None:
            channel = self._client.get_partial_messageable(session.record.channel)
            message = channel.get_partial_message(session.record.message)
            await message.edit(view=lobby_layout(session), allowed_mentions=QUIET)
