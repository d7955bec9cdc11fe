"""Databases as released versions have written them, kept as readable SQL in ``fixtures/``.

    python -m tests.table.stored NAME

writes ``fixtures/<version>_NAME.sql`` with what the program of today stores: once for each version of the
database and each change of the game's state. What is there already is never written again, for today's
program cannot know any more how that was.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from bot import KANAGAWA
from kanagawa.state import Mode
from table.pace import HOUR
from table.store import Held, Preferences, Seat, open_store
from table.table import Session, Table

FIXTURES = Path(__file__).parent / "fixtures"
ANN, BEN, CAT, DAN = Seat(11, "Ann"), Seat(22, "Ben"), Seat(33, "Cat"), Seat(44, "Dan d'Oro, 北斎")
#: The channels of the games, which are made in this order.
PLAYED, SOLO, LOBBY, ENDED = 101, 102, 103, 104
NOW = 1_800_000_000.0


def version_of(fixture: Path) -> int:
    """The version of the database that a fixture is of."""
    return int(fixture.name[:4])


def load(fixture: Path, path: Path) -> None:
    """Make the database of a fixture, in the journal mode that the store leaves behind."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(f"BEGIN;\n{fixture.read_text('utf-8')}\nCOMMIT;")


def tables(connection: sqlite3.Connection) -> list[str]:
    """The tables of a database, SQLite's own left out."""
    found = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid"
    )
    return [name for (name,) in found]


def dump(path: Path) -> Iterator[str]:
    """A database as SQL, a row a line; states as the text they are."""
    with closing(sqlite3.connect(path)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        yield f"PRAGMA user_version = {version};"
        schema = list(
            connection.execute("SELECT type = 'table', sql FROM sqlite_schema WHERE sql IS NOT NULL")
        )
        yield from (f"{sql};" for is_table, sql in schema if is_table and "sqlite_sequence" not in sql)
        for table in tables(connection):
            for row in connection.execute(f"SELECT * FROM {table}"):
                yield f"INSERT INTO {table} VALUES ({', '.join(map(_literal, row))});"
        # The triggers come last: what they add to other tables is among the rows already.
        yield from (f"{sql};" for is_table, sql in schema if not is_table)


def _literal(value: object) -> str:
    match value:
        case None:
            return "NULL"
        case bytes() if value.startswith(b"{"):
            return f"CAST({_literal(value.decode())} AS BLOB)"
        case bytes():
            return f"X'{value.hex()}'"
        case str():
            return "'" + value.replace("'", "''") + "'"
        case _:
            return repr(value)


async def advance(table: Table, session: Session, turns: int = 10_000) -> Session:
    """So many actions that the apprentice advises, done by the people; or until the game is over."""
    for _ in range(turns):
        seat = session.to_move
        if seat is None:
            break
        action = KANAGAWA.choose(KANAGAWA.view(session.state, seat), KANAGAWA.legal(session.state, seat))
        user, code = session.seats[seat].user, KANAGAWA.code(action)
        session = await table.act(session.id, user, session.version, code)
    return session


async def store_games(path: Path) -> None:
    """A game of three and one against Osahito in the middle of play, a lobby, and a game that is over."""
    async with open_store(path, lambda: NOW) as store:
        table = Table(store, [KANAGAWA], now=lambda: NOW)
        played = await _start(table, PLAYED, ANN, BEN, CAT)
        played = await _order_ahead(table, await _take_back(table, await advance(table, played, 24)))
        await advance(table, await _start(table, SOLO, ANN), 14)
        await table.join((await _open(table, LOBBY, BEN)).id, DAN)
        await advance(table, await _start(table, ENDED, CAT, DAN))
        await store.prefer(BEN.user, Preferences("dm", (22 * 60, 7 * 60), "Asia/Tokyo", (played.id,)))
        await store.hold(Held(played.id, BEN.user, NOW + HOUR))


async def _open(table: Table, channel: int, host: Seat, *, alone: bool = False) -> Session:
    options = {"mode": str(Mode.TABLE), "guild": 7, "pace": "three-days"}
    if alone:
        options |= {"mode": str(Mode.OSAHITO), "seed": "a word"}
    session = await table.open(KANAGAWA.kind, channel, host, options)
    return await table.set_message(session.id, channel * 10)


async def _start(table: Table, channel: int, host: Seat, *others: Seat) -> Session:
    session = await _open(table, channel, host, alone=not others)
    for seat in others:
        session = await table.join(session.id, seat)
    return await table.start(session.id, host.user, seed=channel if others else None)


async def _take_back(table: Table, session: Session) -> Session:
    """Go on until something can be taken back, and take it back."""
    while not await table.can_undo(session, seat := session.line[-1].seat or 0):
        session = await advance(table, session, 1)
    return await table.undo(session.id, session.seats[seat].user, session.version)


async def _order_ahead(table: Table, session: Session) -> Session:
    """Go on until somebody who waits can order something, and order it."""
    while not (
        waiting := [seat for seat in range(len(session.seats)) if KANAGAWA.ahead(session.state, seat)]
    ):
        session = await advance(table, session, 1)
    codes = [KANAGAWA.code(one) for one in KANAGAWA.ahead(session.state, waiting[0])]
    situation = KANAGAWA.situation(session.state)
    return await table.order(session.id, session.seats[waiting[0]].user, situation, codes[:2])


def main() -> None:
    """Write the fixture of today."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite3"
        asyncio.run(store_games(path))
        lines = list(dump(path))
    version = int(lines[0].rstrip(";").split()[-1])
    with (FIXTURES / f"{version:04}_{sys.argv[1]}.sql").open("x", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main()
