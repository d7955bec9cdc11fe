"""What can be seen of the bot from outside: figures for Prometheus.

They are always counted, which costs next to nothing, and served on the loopback interface alone, where a
port is set for them.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from prometheus_client import Counter, Gauge, Histogram, start_http_server

from table.errors import StoreError
from table.store import UNDO, Store
from table.table import Session

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
#: Seconds between two looks at the event loop, and how many looks there are to one at the store.
LOOK, LOOKS = 0.5, 30

GAMES = Gauge("kanagawa_games", "Live games, lobbies included")
STARTED = Counter("kanagawa_games_started", "Games that started")
ENDED = Counter("kanagawa_games_ended", "Games and lobbies that ended, by how", ["how"])
MOVES = Counter("kanagawa_moves", "Moves saved, by who made them", ["maker"])
PUBLISHED = Counter("kanagawa_published", "Tables to be shown, by whether they were", ["result"])
ERRORS = Counter("kanagawa_errors", "Refusals and failures, by ID", ["id"])
RENDER = Histogram(
    "kanagawa_render_seconds",
    "Time to draw a picture",
    ["picture"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
LAG = Histogram(
    "kanagawa_loop_lag_seconds",
    "How much later than it should the event loop wakes who sleeps",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1),
)


def saved(before: Session, after: Session) -> None:
    """Count what has been saved of a game."""
    if before.is_lobby and not after.is_lobby:
        STARTED.inc()
    elif after.version > before.version:
        forth = len(after.line) > len(before.line)
        MOVES.labels((after.line[-1].maker or "person") if forth else UNDO).inc()
    if after.finished and not before.finished:
        ENDED.labels(after.record.finished).inc()


class Serving:
    """Serves the figures, and takes those that have to be looked for. Raises OSError for a port in use."""

    def __init__(self, port: int, store: Store) -> None:
        self._server, self._thread = start_http_server(port, HOST)
        self._store = store
        self._task: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """The port, also where any free one was asked for."""
        return self._server.server_port

    async def __aenter__(self) -> Serving:
        self._task = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await asyncio.to_thread(self._server.shutdown)
        self._server.server_close()
        self._thread.join()

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                GAMES.set(await self._store.count_live())
            except StoreError as error:
                log.warning("the live games cannot be counted: %s", error)
            for _ in range(LOOKS):
                due = loop.time() + LOOK
                await asyncio.sleep(LOOK)
                LAG.observe(max(0.0, loop.time() - due))
