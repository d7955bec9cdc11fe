"""Where games are kept: the protocol, and SQLite.

Coroutines interleave on the one connection, so no transaction is ever left open: a save is one
statement, and a move is durable when ``save`` returns.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Generator, Iterable, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Protocol

import aiosqlite
import msgspec

from table.errors import (
    ChannelBusy,
    DatabaseInUse,
    DatabaseLocked,
    DatabaseNewer,
    DatabaseUnusable,
    FolderMissing,
    Stale,
)

MIGRATIONS = Path(__file__).parent / "migrations"
#: Milliseconds that a statement waits for another process's lock, such as a backup's.
BUSY_TIMEOUT = 5000
PRAGMAS = f"""
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA busy_timeout = {BUSY_TIMEOUT};
PRAGMA foreign_keys = ON;
"""

UNDO = "undo"


class Seat(msgspec.Struct, frozen=True):
    """A seat: the person it belongs to, by ID and display name. The apprentice plays it on if they left."""

    user: int
    name: str
    apprentice: bool = False


class Record(msgspec.Struct, frozen=True):
    """A game's row. ``finished`` is None while it is live, then how it ended: over, cancelled, …"""

    channel: int
    kind: str
    host: int
    seats: tuple[Seat, ...]
    options: dict[str, Any] = {}
    locale: str = "en"
    message: int | None = None
    deadline: float | None = None
    finished: str | None = None
    id: int = 0


class Turn(msgspec.Struct, frozen=True):
    """One version of a game without its state: who did what. Version 0 is the set-up, by nobody."""

    version: int
    seat: int | None
    action: str | None


class Store(Protocol):
    """What the table needs of a store. Every method may raise StoreError."""

    async def create(self, record: Record) -> int:
        """Keep a new game and return its ID. Raises ChannelBusy if its channel has a live one."""
        ...

    async def update(self, game: int, **fields: Any) -> None:
        """Change some of a game's fields."""
        ...

    async def find(self, game: int) -> Record | None:
        """A game by ID."""
        ...

    async def live(self, channel: int | None = None) -> list[Record]:
        """The live games, of one channel (at most one) or of all, by ID."""
        ...

    async def save(self, game: int, turn: Turn, state: bytes) -> None:
        """Add a version. Raises Stale if there is one of its number already."""
        ...

    async def turns(self, game: int) -> list[Turn]:
        """All versions of a game in order."""
        ...

    async def state(self, game: int, version: int) -> bytes | None:
        """The state of a version; None if there is none, or it was dropped."""
        ...

    async def finish(self, game: int, reason: str) -> None:
        """Mark a game as ended and drop the states between its first and its last."""
        ...

    async def close(self) -> None:
        """Let go of the database."""
        ...


_COLUMNS = "id, channel, message, kind, options, locale, host, seats, deadline, finished"
_JSON = {"options": dict[str, Any], "seats": tuple[Seat, ...]}


class SQLiteStore:
    """The store in one SQLite file; see :func:`open_store`."""

    def __init__(self, connection: aiosqlite.Connection, owner: sqlite3.Connection) -> None:
        self._db = connection
        self._owner = owner

    async def create(self, record: Record) -> int:
        try:
            return await self._write(
                "INSERT INTO game (channel, message, kind, options, locale, host, seats, deadline, finished)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    record.channel,
                    record.message,
                    record.kind,
                    _text(record.options),
                    record.locale,
                    record.host,
                    _text(record.seats),
                    record.deadline,
                    record.finished,
                ),
            )
        except sqlite3.IntegrityError as error:
            raise ChannelBusy(f"channel {record.channel} has a live game") from error

    async def update(self, game: int, **fields: Any) -> None:
        names = ", ".join(f"{name} = ?" for name in fields)
        values = [_text(value) if name in _JSON else value for name, value in fields.items()]
        await self._write(f"UPDATE game SET {names} WHERE id = ?", (*values, game))

    async def find(self, game: int) -> Record | None:
        rows = await self._read(f"SELECT {_COLUMNS} FROM game WHERE id = ?", (game,))
        return _record(rows[0]) if rows else None

    async def live(self, channel: int | None = None) -> list[Record]:
        rows = await self._read(
            f"SELECT {_COLUMNS} FROM game WHERE finished IS NULL AND channel = ifnull(?, channel)"
            " ORDER BY id",
            (channel,),
        )
        return [_record(row) for row in rows]

    async def save(self, game: int, turn: Turn, state: bytes) -> None:
        try:
            await self._write(
                "INSERT INTO turn (game, version, seat, action, state) VALUES (?, ?, ?, ?, ?)",
                (game, turn.version, turn.seat, turn.action, state),
            )
        except sqlite3.IntegrityError as error:
            raise Stale(f"game {game} has a version {turn.version}") from error

    async def turns(self, game: int) -> list[Turn]:
        rows = await self._read(
            "SELECT version, seat, action FROM turn WHERE game = ? ORDER BY version", (game,)
        )
        return [Turn(*row) for row in rows]

    async def state(self, game: int, version: int) -> bytes | None:
        rows = await self._read("SELECT state FROM turn WHERE game = ? AND version = ?", (game, version))
        return rows[0][0] if rows else None

    async def finish(self, game: int, reason: str) -> None:
        await self._write("UPDATE game SET finished = ?, deadline = NULL WHERE id = ?", (reason, game))
        await self._write(
            "UPDATE turn SET state = NULL WHERE game = ?1 AND version > 0"
            " AND version < (SELECT max(version) FROM turn WHERE game = ?1)",
            (game,),
        )

    async def close(self) -> None:
        await self._db.close()
        self._owner.close()

    async def _write(self, statement: str, values: Iterable[Any]) -> int:
        """Run one writing statement, durably; the ID of the row it inserted."""
        with _translated():
            async with self._db.execute(statement, tuple(values)) as cursor:
                return cursor.lastrowid or 0

    async def _read(self, statement: str, values: Iterable[Any]) -> Sequence[Any]:
        with _translated():
            return list(await self._db.execute_fetchall(statement, tuple(values)))


@contextmanager
def _translated() -> Generator[None]:
    """SQLite's errors as ours; a broken constraint is for the caller to tell."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        raise DatabaseUnusable(f"the database refused: {error}") from error


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _record(row: Sequence[Any]) -> Record:
    fields: dict[str, Any] = dict(zip(_COLUMNS.split(", "), row, strict=True))
    for name, kind in _JSON.items():
        fields[name] = msgspec.json.decode(fields[name], type=kind)
    return Record(**fields)


@asynccontextmanager
async def open_store(path: Path) -> AsyncGenerator[SQLiteStore]:
    """Open the database, making or upgrading it, for this process alone.

    Raises FolderMissing, DatabaseInUse, DatabaseLocked, DatabaseNewer or DatabaseUnusable.
    """
    if not path.parent.is_dir():
        raise FolderMissing(f"the folder {path.parent} does not exist; make it first")
    owner = _own(path)
    try:
        connection = await aiosqlite.connect(path, isolation_level=None)
    except sqlite3.Error as error:
        owner.close()
        raise DatabaseUnusable(f"{path}: {error}") from error
    store = SQLiteStore(connection, owner)
    try:
        await _prepare(connection, path)
        yield store
    finally:
        await store.close()


def _own(path: Path) -> sqlite3.Connection:
    """Keep other processes out: hold a lock, in a file of its own, that goes when this process does.

    The lock is SQLite's, for it is the same on every system; the database itself stays readable, so
    that it can be copied while the bot runs.
    """
    try:
        owner = sqlite3.connect(path.with_name(path.name + ".lock"), isolation_level=None, timeout=0)
        owner.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise DatabaseInUse(f"another bot is running on {path}; stop it first") from error
        raise DatabaseUnusable(f"the folder {path.parent} cannot be written: {error}") from error
    return owner


async def _prepare(connection: aiosqlite.Connection, path: Path) -> None:
    """Set the pragmas and run the migrations that are missing, each in a transaction of its own."""
    scripts = sorted(MIGRATIONS.glob("*.sql"))
    try:
        await connection.executescript(PRAGMAS)
        found = await connection.execute_fetchall("PRAGMA user_version")
        version = int(next(iter(found))[0])
        if version > len(scripts):
            raise DatabaseNewer(
                f"{path} is of version {version}, this program knows {len(scripts)}: update it"
            )
        for number, script in list(enumerate(scripts, 1))[version:]:
            await connection.executescript(
                f"BEGIN IMMEDIATE;\n{script.read_text()}\nPRAGMA user_version = {number};\nCOMMIT;"
            )
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise DatabaseLocked(f"another program has locked {path}") from error
        raise DatabaseUnusable(f"{path} cannot be used: {error}") from error
    except sqlite3.DatabaseError as error:
        raise DatabaseUnusable(f"{path} is not a database, or a damaged one: {error}") from error
