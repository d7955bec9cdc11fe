"""How fast the store saves: its durable saves a second beside raw sqlite3 inserts of the same bytes.

    python benchmarks/store.py [folder]

Both write the turns of the same games into a new file with the same tables and the same pragmas, one
statement a turn, each on disk before the next. Rounds alternate, so that a machine that slows down slows
both; medians are compared. ``one game`` saves turn after turn, as raw sqlite3 does; ``many games`` has 32
of them waiting for the store at once. The folder (the system's for temporary files, if none is given)
decides what a durable write costs.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

from kanagawa import rules
from kanagawa.actions import code
from kanagawa.state import encode
from table.store import BUSY_TIMEOUT, MIGRATIONS, PRAGMAS, Record, Seat, Turn, open_store

ROUNDS = 7
GAMES = 32
TURNS = 60

Saved = list[tuple[Turn, bytes]]


def game(seed: int) -> Saved:
    """The first turns of a random game of three, each with its state, as the table would save them."""
    chance, state = random.Random(seed), rules.new(seed, 3)
    saved = [(Turn(0, None, None), encode(state))]
    while len(saved) < TURNS and (seat := state.to_move) is not None:
        action = chance.choice(rules.legal(state, seat))
        state, _ = rules.apply(state, action)
        saved.append((Turn(len(saved), seat, code(action)), encode(state)))
    return saved


def raw(path: Path, games: list[Saved]) -> float:
    """Inserts a second by sqlite3 alone."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_TIMEOUT)
    with closing(connection):
        connection.executescript(PRAGMAS)
        for script in sorted(MIGRATIONS.glob("*.sql")):
            connection.executescript(script.read_text("utf-8"))
        for number in range(len(games)):
            connection.execute(
                "INSERT INTO game (channel, kind, options, locale, host, seats) VALUES (?, ?, ?, ?, ?, ?)",
                (number, "kanagawa", "{}", "en", 1, "[]"),
            )
        begin = time.perf_counter()
        for number, saved in enumerate(games, 1):
            for turn, state in saved:
                connection.execute(
                    "INSERT INTO turn (game, version, seat, action, state) VALUES (?, ?, ?, ?, ?)",
                    (number, turn.version, turn.seat, turn.action, state),
                )
        return sum(map(len, games)) / (time.perf_counter() - begin)


async def ours(path: Path, games: list[Saved], *, at_once: bool) -> float:
    """Saves a second by the store, game after game or all games at once."""
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
    """Measure and print."""
    folder = sys.argv[1] if len(sys.argv) > 1 else None
    games = [game(seed) for seed in range(GAMES)]
    bare: list[float] = []
    one: list[float] = []
    many: list[float] = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(dir=folder) as found:
            place = Path(found)
            bare.append(raw(place / "raw.sqlite3", games))
            one.append(asyncio.run(ours(place / "one.sqlite3", games, at_once=False)))
            many.append(asyncio.run(ours(place / "many.sqlite3", games, at_once=True)))
    size = sum(len(state) for saved in games for _, state in saved) // sum(map(len, games))
    print(f"states of {size} bytes on average; {sum(map(len, games))} saves a round, {ROUNDS} rounds")
    print(f"raw sqlite3        {median(bare):9.0f} inserts/s")
    for name, rates in (("one game", one), ("many games", many)):
        print(f"store, {name:10}  {median(rates):9.0f} saves/s   ratio {median(rates) / median(bare):.2f}")


if __name__ == "__main__":
    main()
