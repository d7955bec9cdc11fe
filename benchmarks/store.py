"""The speed of the store: durable saves per second, compared with raw sqlite3 inserts of the same bytes.

    python benchmarks/store.py [folder]

All write the turns of the same games into a new file with the same tables and pragmas, one statement a
turn. A turn is on the disk before the next turn of its game is written. Rounds alternate, so that a machine
that gets slower slows all; medians are compared. The cost of a durable write depends on the disk of
``folder``, which is the system's folder for temporary files if it is not given.

- raw sqlite3: inserts one after the other.
- sqlite3, in a thread: an event loop hands raw inserts to a thread one by one. One game cannot be faster,
  because the loop must not wait for the disk itself. Waking the other thread costs the same for each save, so
  the ratio is higher on a slower disk.
- store, one game: saves one after the other.
- store, many games: 32 games save at the same time, and the store writes their turns to the disk together.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from threading import Thread
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from kanagawa import rules
from kanagawa.actions import code
from kanagawa.state import encode
from table.store import BUSY_TIMEOUT, MIGRATIONS, PRAGMAS, Record, Seat, Turn, open_store

ROUNDS = 7
GAMES = 32
TURNS = 60

INSERT = "INSERT INTO turn (game, version, seat, action, state) VALUES (?, ?, ?, ?, ?)"

Saved = list[tuple[Turn, bytes]]


def game(seed: int) -> Saved:
    """Return the first turns of a random game of three, each with its state, as the table saves them."""
    chance, state = random.Random(seed), rules.new(seed, 3)
    saved = [(Turn(0, None, None), encode(state))]
    while len(saved) < TURNS and (seat := state.to_move) is not None:
        action = chance.choice(rules.legal(state, seat))
        state, _ = rules.apply(state, action)
        saved.append((Turn(len(saved), seat, code(action)), encode(state)))
    return saved


@contextmanager
def prepared(path: Path, games: list[Saved]) -> Generator[sqlite3.Connection]:
    """Open a new database with a row for each game."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_TIMEOUT, check_same_thread=False)
    with closing(connection):
        connection.executescript(PRAGMAS)
        for script in sorted(MIGRATIONS.glob("*.sql")):
            connection.executescript(script.read_text("utf-8"))
        for number in range(len(games)):
            connection.execute(
                "INSERT INTO game (channel, kind, options, locale, host, seats) VALUES (?, ?, ?, ?, ?, ?)",
                (number, "kanagawa", "{}", "en", 1, "[]"),
            )
        yield connection


def inserts(games: list[Saved]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the statement and the values for each turn, game after game."""
    for number, saved in enumerate(games, 1):
        for turn, state in saved:
            yield INSERT, (number, turn.version, turn.seat, turn.action, state)


def raw(path: Path, games: list[Saved]) -> float:
    """Return the inserts per second by sqlite3 alone."""
    with prepared(path, games) as connection:
        begin = time.perf_counter()
        for statement, values in inserts(games):
            connection.execute(statement, values)
        return sum(map(len, games)) / (time.perf_counter() - begin)


async def in_a_thread(path: Path, games: list[Saved]) -> float:
    """Return the inserts per second by sqlite3 in a thread, each awaited."""
    errands = SimpleQueue[tuple[asyncio.Future[None], tuple[str, tuple[Any, ...]]] | None]()
    loop = asyncio.get_running_loop()
    with prepared(path, games) as connection:

        def work() -> None:
            while (errand := errands.get()) is not None:
                connection.execute(*errand[1])
                loop.call_soon_threadsafe(errand[0].set_result, None)

        thread = Thread(target=work)
        thread.start()
        begin = time.perf_counter()
        for insert in inserts(games):
            done = loop.create_future()
            errands.put((done, insert))
            await done
        taken = time.perf_counter() - begin
        errands.put(None)
        thread.join()
        return sum(map(len, games)) / taken


async def ours(path: Path, games: list[Saved], *, at_once: bool) -> float:
    """Return the saves per second by the store, game after game or all games at once."""
    async with open_store(path) as store:
        numbers = [
            await store.create(Record(channel=number, kind="kanagawa", host=1, seats=(Seat(1, "Ann"),)))
            for number in range(len(games))
        ]

        async def save(number: int, saved: Saved) -> None:
            for turn, state in saved:
                await store.save(number, turn, state)

        begin = time.perf_counter()
        if at_once:
            await asyncio.gather(*map(save, numbers, games))
        else:
            for number, saved in zip(numbers, games, strict=True):
                await save(number, saved)
        return sum(map(len, games)) / (time.perf_counter() - begin)


def main() -> None:
    """Measure the speeds and print them with their ratios."""
    folder = sys.argv[1] if len(sys.argv) > 1 else None
    games = [game(seed) for seed in range(GAMES)]
    bare: list[float] = []
    hop: list[float] = []
    one: list[float] = []
    many: list[float] = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(dir=folder) as found:
            place = Path(found)
            bare.append(raw(place / "raw.sqlite3", games))
            hop.append(asyncio.run(in_a_thread(place / "thread.sqlite3", games)))
            one.append(asyncio.run(ours(place / "one.sqlite3", games, at_once=False)))
            many.append(asyncio.run(ours(place / "many.sqlite3", games, at_once=True)))
    size = sum(len(state) for saved in games for _, state in saved) // sum(map(len, games))
    print(f"states of {size} bytes on average; {sum(map(len, games))} saves a round, {ROUNDS} rounds")
    print(f"{'raw sqlite3':20} {median(bare):7.0f} a second")
    for name, rates in (("sqlite3, in a thread", hop), ("store, one game", one), ("store, many games", many)):
        print(f"{name:20} {median(rates):7.0f} a second   ratio {median(rates) / median(bare):.2f}")


if __name__ == "__main__":
    main()
