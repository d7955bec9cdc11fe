"""What a press, a tick and a start cost where 1,000, 10,000 or 100,000 games are stored, a tenth live.

Costs are counted in steps of SQLite's machine, which are the same on every computer; beside them stand
milliseconds. What belongs to one game or one person must not grow with how many games there are.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from table.standings import EVERYWHERE, SOLO, TABLE
from table.store import MAX_SEATS, Result, Seat, SQLiteStore, Turn, open_store
from table.table import Table
from tests.stress.report import Report
from tests.table.counting import COUNTING

SIZES, SHORT = (1_000, 10_000, 100_000), (1_000, 10_000)
#: Of so many games one is live, and as many games stand in one channel.
LIVE, CHANNEL = 10, 50
#: Bytes of a state, and how many times more steps ten times the games may cost.
STATE, MAY_GROW = 2_000, 1.5
NOW = 1_800_000_000.0


class Cost(NamedTuple):
    """What something has cost."""

    steps: int
    milliseconds: float


def run(chance: random.Random, short: bool) -> Report:
    """Fill databases of growing size, and measure the same things in each."""
    sizes, costs = SHORT if short else SIZES, dict[str, list[Cost]]()
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.sqlite3"
            asyncio.run(_made(path))
            _fill(path, size, chance)
            for what, cost in asyncio.run(_measured(path, size)).items():
                costs.setdefault(what, []).append(cost)
    figures = {"games stored": " · ".join(f"{size:,}" for size in sizes)}
    broken: list[str] = []
    for what, each in costs.items():
        figures[what] = " · ".join(f"{one.steps:,} steps {one.milliseconds:.1f} ms" for one in each)
        grown = [after.steps / max(before.steps, 1) for before, after in pairwise(each)]
        if what not in MAY_BE_MORE and max(grown) > MAY_GROW:
            broken.append(f"{what} costs {max(grown):.1f} times as much for ten times the games")
    return Report(figures, broken)


#: What is about all live games.
MAY_BE_MORE = ("go through the live games, a few at a time",)


async def _made(path: Path) -> None:
    async with open_store(path):
        pass


def _fill(path: Path, size: int, chance: random.Random) -> None:
    """Write so many games: finished ones with results, live ones with turns, each of two people."""
    people, live = max(size // 20, 100), size // LIVE
    state = msgspec.json.encode({"filler": "x" * STATE})
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        games, turns = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
        for game in range(1, size + 1):
            is_live = game > size - live
            first = game * 3 % people
            seats = [
                {"user": 10**17 + (first + seat) % people, "name": f"person {seat}"} for seat in range(2)
            ]
            channel = 10**9 + game if is_live else game // CHANNEL
            ended = None if is_live else chance.choice(("over", "over", "cancelled"))
            games.append(
                (game, channel, seats[0]["user"], msgspec.json.encode(seats).decode(), NOW + game, ended)
            )
            # A tenth of what is live are lobbies.
            versions = range(0 if is_live and game % 10 == 0 else 3)
            turns += [(game, version, 0 if version else None, NOW - game, state) for version in versions]
        connection.executemany(
            "INSERT INTO game (id, channel, kind, options, locale, host, seats, deadline, finished)"
            " VALUES (?1, ?2, 'counting', '{\"guild\": 7}', 'en', ?3, ?4, ?5, ?6)",
            games,
        )
        connection.executemany(
            "INSERT INTO turn (game, version, seat, action, at, state) VALUES (?, ?, ?, 'add.1', ?, ?)", turns
        )
        connection.execute(
            "INSERT INTO result (game, guild, at, seats, facts)"
            " SELECT id, 7, deadline, seats, '[]' FROM game WHERE finished = 'over'"
        )
        _fill_boards(connection)
        connection.execute("COMMIT")


def _fill_boards(connection: sqlite3.Connection) -> None:
    """Let everybody with a result stand on the boards, and each result count as a try at one word."""
    for scope in (EVERYWHERE, 7):
        for sort in (TABLE, SOLO):
            connection.execute(
                "INSERT OR IGNORE INTO standing"
                " (scope, sort, user, name, games, gone, wins, best, rated, mu, sigma, value, figures)"
                " SELECT ?, ?, user, 'somebody', 9, 0, 3, user % 80, 9, 25, 8, user % 997, '{}' FROM seat",
                (scope, sort),
            )
        connection.execute(
            "INSERT INTO placing (scope, seed, game, points) SELECT ?, 'word x', game, game % 80 FROM result",
            (scope,),
        )
        connection.execute(
            "INSERT INTO tried (scope, seed, tries) SELECT ?, 'word x', count(*) FROM result", (scope,)
        )


class Meter:
    """Counts the steps that the statements of a store take."""

    def __init__(self, store: SQLiteStore) -> None:
        self._db = store._db
        self._steps = 0

    async def __call__(self, work: Callable[[], Awaitable[Any]]) -> Cost:
        self._steps = 0
        await self._db.set_progress_handler(self._step, 1)
        begin = time.perf_counter()
        await work()
        milliseconds = (time.perf_counter() - begin) * 1000
        await self._db.set_progress_handler(lambda: 0, 0)
        return Cost(self._steps, milliseconds)

    def _step(self) -> int:
        self._steps += 1
        return 0


async def _measured(path: Path, size: int) -> dict[str, Cost]:
    begin = time.perf_counter()
    async with open_store(path, lambda: NOW) as store:
        table = Table(store, [COUNTING], now=lambda: NOW)
        lobby = next(game for game in range(size - 1, 0, -1) if game % 10 == 0)
        await table.at(10**9 + lobby)
        start = Cost(0, (time.perf_counter() - begin) * 1000)
        meter, newcomer = Meter(store), Seat(5, "Newcomer")
        person = 10**17 + size * 3 % max(size // 20, 100)
        costs = {"start until the first press is served": start}
        for what, work in _works(store, table, size, lobby, newcomer, person):
            costs[what] = await meter(work)
        assert len(await store.live_of(newcomer.user)) <= MAX_SEATS
        return costs


def _works(
    store: SQLiteStore, table: Table, size: int, lobby: int, newcomer: Seat, person: int
) -> Iterator[tuple[str, Callable[[], Awaitable[Any]]]]:
    """What is done, each with its name. The store's own calls stand for what every press is made of."""
    live = size - size // LIVE + 1

    async def tick() -> None:
        await store.due(NOW)
        await store.held(NOW)
        await store.next_due(NOW)

    async def open_another() -> None:
        await table.open("counting", 1, newcomer, {"goal": 3})

    async def each() -> None:
        async for _ in table.each_live():
            pass

    yield "the live game of a channel", lambda: store.live(10**9 + live)
    yield "a person joins a lobby", lambda: table.join(lobby, newcomer)
    yield "a person opens a lobby", open_another
    yield "the games of a person", lambda: store.live_of(newcomer.user)
    yield "a move is saved", lambda: store.save(live, Turn(99, 0, "add.1"), b"{}")
    yield "the clock looks what is due", tick
    yield "the past games of a channel", lambda: store.ended(1)
    yield "whether a try counts", lambda: store.counts(1)
    yield "what is to be told after a start", lambda: store.untold(NOW + 10**9)
    yield "what has no result yet", store.unrecorded
    for guild, where in ((7, "a server"), (None, "all servers")):
        for sort, board in ((TABLE, "leaderboard"), (SOLO, "solo board")):
            yield f"stats: the {board} of {where}", partial(table.standings, guild, sort, 15)
        yield f"stats: the board of a challenge, of {where}", partial(table.best_tries, "word x", guild, 10)
        yield f"stats: how many tries at it, of {where}", partial(table.tries, "word x", guild)
        yield f"stats: a person's own games, of {where}", partial(table.standing, guild, TABLE, person)
    seats = (Seat(person, "Person"), Seat(newcomer.user, "Newcomer"))
    facts = ({"points": 3, "won": True}, {"points": 2, "won": False})
    yield "a result is recorded and counted", lambda: store.record(Result(live, 7, NOW, seats, facts))
    yield "a person is forgotten", lambda: table.forget(newcomer.user)
    yield "the figure of live games", store.count_live
    yield "go through the live games, a few at a time", each
