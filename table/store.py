"""Where games are kept: the protocol, and SQLite.

Coroutines interleave on the one connection, so none of them leaves a transaction open: a save is one
statement, and a move is durable when ``save`` returns. What waits for the connection's thread at the same
time is put on the disk together.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import math
import os
import secrets
import sqlite3
import sys
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, TypeVar

import aiosqlite
import msgspec

if sys.platform != "win32":
    import fcntl

from table.errors import (
    ChannelBusy,
    DatabaseDamaged,
    DatabaseInUse,
    DatabaseLocked,
    DatabaseNewer,
    DatabaseUnusable,
    FolderMissing,
    NoBackup,
    Stale,
    StoreError,
    TooManyGames,
)
from table.pace import Span
from table.standings import EVERYWHERE, NOBODY, SOLO, TABLE, Played, Standing, counted

log = logging.getLogger(__name__)
_T = TypeVar("_T")
_Row = TypeVar("_Row", bound=msgspec.Struct)
Made = TypeVar("Made")

MIGRATIONS = Path(__file__).parent / "migrations"
#: Seconds that a statement waits for another program's lock.
BUSY_TIMEOUT = 5.0
#: Seconds until the log of what was forgotten is cut again, where a reader kept it.
CUT_AGAIN_AFTER = (0.05, 0.2, 1.0)
#: FULL, for a move that was acknowledged must outlive a power cut, and NORMAL does not promise that.
PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
"""

UNDO = "undo"
#: Who makes a move that is not the person's own: an order they left ahead, or the apprentice.
ORDER, APPRENTICE = "order", "apprentice"

SECRET_BYTES = 32
#: The rights of the database's files: its owner reads and writes them.
PRIVATE = 0o600
#: A database of at most so many bytes is read through at the start.
READ_THROUGH = 1 << 24
#: The application ID of a database in which nothing is left of what was deleted: ``kng1``.
SWEPT = int.from_bytes(b"kng1")
#: Old results whose standings are made in one transaction, so that an interrupted upgrade goes on there.
COUNTED_AT_ONCE = 500

#: Seconds between two lines of the log that tell how far that is.
TELL_EVERY = 5.0

#: How many past games of a channel are listed.
LISTED = 25
#: Live games, lobbies included, in which one person may play at a time; the database holds to it, too.
MAX_SEATS = 25
#: How a game has ended: played out, left by everybody, ended by its host or a moderator, never started,
#: its place out of reach, without a move for too long, or damaged.
OVER, ABANDONED, CANCELLED, EXPIRED, LOST = "over", "abandoned", "cancelled", "expired", "lost"
LAPSED = "lapsed"
UNREADABLE = "unreadable"


class Seat(msgspec.Struct, frozen=True):
    """A seat: the person it belongs to, by ID and display name. The apprentice plays it on if they left.

    ``missed`` counts the turns in a row that others had to end for them.
    """

    user: int
    name: str
    apprentice: bool = False
    missed: int = 0


class Ask(msgspec.Struct, frozen=True):
    """A question of ``user`` at a game, and the ``message`` that shows it, once it is posted.

    It asks the others whether the turn of a version may be taken back, which the people in ``allowed`` have
    allowed; or a ``friend`` whether they sit down for ``user``.
    """

    user: int
    version: int = 0
    allowed: tuple[int, ...] = ()
    friend: int | None = None
    message: int | None = None

    @property
    def of(self) -> tuple[int, int, int | None]:
        """What is asked: the same however many have answered, and wherever it is shown."""
        return self.user, self.version, self.friend


class Question(msgspec.Struct, frozen=True):
    """A message that asks something and has its buttons; ``mark`` and ``seat`` are those of who asks."""

    message: int
    game: int
    channel: int
    mark: str
    seat: int
    undo: bool


class Mention(msgspec.Struct, frozen=True):
    """When somebody was last mentioned in a question of somebody at a game, both by their marks."""

    asker: str
    asked: str
    game: int
    at: float
    refused: bool = False


class Preferences(msgspec.Struct, frozen=True):
    """How a person wants to be notified; ``quiet`` is from and to in minutes of their zone's day."""

    how: str = "mention"
    quiet: tuple[int, int] | None = None
    zone: str = "UTC"
    muted: tuple[int, ...] = ()


class Held(msgspec.Struct, frozen=True):
    """A notice that waits for the end of a person's quiet hours."""

    game: int
    user: int
    due: float


class Overdue(msgspec.Struct, frozen=True):
    """A game whose deadline has come, and where it is played: the ID of its server, else of its channel."""

    game: int
    place: int


class Ahead(msgspec.Struct, frozen=True):
    """An order: what to do when the turn comes, codes in order of preference, in that situation alone."""

    situation: str
    codes: tuple[str, ...]


class Record(msgspec.Struct, frozen=True):
    """A game's row. ``finished`` is None while it is live, then how it ended: over, cancelled, …

    ``deadline`` is the next moment at which time does something to it, ``handled`` the last such moment
    that was dealt with, both in epoch seconds; ``told`` the version at which the last turn began of which
    somebody was notified, by the message ``notice``.
    ``cut_off`` is since when the game's place cannot be reached, ``pauses`` are from when to when the game
    stood still; of what lies before the running turn there may be none.
    ``barred`` are the marks of people whom the host has taken out of the lobby, ``pausing`` those of people
    who want the game to be paused.
    A row that makes no sense has no ``kind`` (an empty one) and no seats.
    """

    channel: int
    kind: str
    host: int
    seats: tuple[Seat, ...]
    options: dict[str, Any] = {}
    locale: str = "en"
    message: int | None = None
    deadline: float | None = None
    finished: str | None = None
    handled: float = 0.0
    told: int = -1
    notice: int | None = None
    asks: tuple[Ask, ...] = ()
    cut_off: float | None = None
    pauses: tuple[Span, ...] = ()
    barred: tuple[str, ...] = ()
    pausing: tuple[str, ...] = ()
    #: The least number that the next version may have.
    floor: int = 0
    id: int = 0
    #: How often the row has been changed.
    revision: int = 0


class Result(msgspec.Struct, frozen=True):
    """What a game has come to.

    ``at`` is the time of its last turn, in epoch seconds; ``seats`` are the people who began it, and
    ``apprentice`` says of each whether they left it. ``facts`` is what the game says of each seat, behind
    the people's also of its own players; it is empty for a game that ended before its end. ``guild`` is None
    for a game outside of servers. One that does not count is kept for its player alone.
    """

    game: int
    guild: int | None
    at: float
    seats: tuple[Seat, ...]
    facts: tuple[dict[str, Any], ...]
    counts: bool = True

    @property
    def sort(self) -> str:
        """Whether it is of a game of several people or of one alone."""
        return SOLO if len(self.seats) == 1 else TABLE

    @property
    def played(self) -> list[Played]:
        """How each seat ended for the person who began it. Raises TypeError for points that are no number."""
        facts = self.facts or (None,) * len(self.seats)
        if any(told is not None and not isinstance(told.get("points"), int | float) for told in facts):
            raise TypeError(f"the result of game {self.game} has a seat without points")
        return [
            Played(seat.user, seat.name, seat.apprentice, told)
            for seat, told in zip(self.seats, facts, strict=False)
        ]


class Posting(msgspec.Struct, frozen=True):
    """A message of a game that is being posted; ``at`` is since when, in epoch seconds."""

    game: int
    channel: int
    nonce: str
    at: float


class Turn(msgspec.Struct, frozen=True):
    """One version of a game without its state: who did what. Version 0 is the set-up, by nobody.

    ``at`` is when, in epoch seconds, and ``maker`` who moved if not the seat's person: ORDER, APPRENTICE.
    """

    version: int
    seat: int | None
    action: str | None
    at: float = 0.0
    maker: str | None = None


class Store(Protocol):
    """What the table needs of a store. Every method is atomic, and durable once it has returned.

    Every method may raise StoreError; then nothing has changed.
    """

    async def create(self, record: Record) -> int:
        """Keep a new game and return its ID, under which no game was known before.

        Raises ChannelBusy if its channel has a live one, or TooManyGames.
        """
        ...

    async def update(
        self,
        game: int,
        revision: int | None = None,
        *,
        result: Result | None = None,
        gone: Mapping[int, Seat] = {},
        **fields: Any,
    ) -> None:
        """Change some of a game's fields, which raises its revision.

        ``finished`` ends it: of its states the first and the last remain, unless it is UNREADABLE. With
        that its result is kept, and who has given up which seat; of several the first, who began it.
        Raises Stale if the game is of another revision than the one that is given, ChannelBusy for a
        channel that has a live game, and TooManyGames for a newcomer who plays in :data:`MAX_SEATS`.
        """
        ...

    async def gone(self, game: int) -> dict[int, Seat]:
        """Return who began the seats of a game that were given up since, by seat."""
        ...

    async def agree_to_end(self, game: int, user: int, version: int) -> None:
        """Note that a person would end a game without a result at a version."""
        ...

    async def would_end(self, game: int, version: int) -> list[int]:
        """Return who would end a game without a result at a version, by ID."""
        ...

    async def find(self, game: int) -> Record | None:
        """A game by ID."""
        ...

    async def live(self, channel: int | None = None) -> list[Record]:
        """The live games, of one channel (at most one) or of all, by ID."""
        ...

    async def live_in(self, server: int) -> list[Record]:
        """Return the live games of a server, which is the option ``guild`` of each, by ID."""
        ...

    async def live_of(self, user: int) -> list[Record]:
        """The live games in which a person has a seat, also one that the apprentice plays on, by ID."""
        ...

    async def live_after(self, game: int, count: int) -> list[Record]:
        """Return the next so many live games after an ID, by ID."""
        ...

    async def count_live(self) -> int:
        """How many games are live."""
        ...

    async def ended(self, channel: int) -> list[Record]:
        """The last :data:`LISTED` games of a channel that were played to their end, the newest first."""
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

    async def due(self, now: float) -> list[Overdue]:
        """Return the live games whose deadline has come, the earliest first."""
        ...

    async def next_due(self, after: float) -> float | None:
        """When, after a moment, the next game's deadline comes or the next held notice is due."""
        ...

    async def seen(self) -> float | None:
        """Return the last moment that was noted by :meth:`see` or ended an outage."""
        ...

    async def see(self, at: float) -> None:
        """Note that the bot is running and connected at a moment; outages cannot be later than that."""
        ...

    async def add_outage(self, outage: Span) -> None:
        """Keep from when to when nobody could play; lobbies stay open for so much longer."""
        ...

    async def outages(self) -> list[Span]:
        """Return when nobody could play, the earliest first."""
        ...

    async def add_absence(self, person: str, absence: Span) -> None:
        """Keep from when to when a person is away, by their mark; an absence under way ends at its start."""
        ...

    async def absences(self, since: float) -> dict[str, tuple[Span, ...]]:
        """Return the absences that lasted beyond a moment, by the marks of people, the earliest first."""
        ...

    async def order(self, game: int, seat: int, order: Ahead | None) -> None:
        """Keep a seat's order in the place of an older one; None withdraws it."""
        ...

    async def orders(self, game: int) -> dict[int, Ahead]:
        """The orders of a game by seat."""
        ...

    async def prefer(self, user: int, preferences: Preferences | None) -> None:
        """Keep a person's preferences; None forgets them."""
        ...

    async def preferences(self, user: int) -> Preferences:
        """A person's preferences, those of everybody where they have none."""
        ...

    async def begin_posting(self, posting: Posting) -> None:
        """Keep that a message of a game is being posted, unless one is already.

        It ends when the game's ``message`` changes.
        """
        ...

    async def posting(self, game: int) -> Posting | None:
        """The message of a game that is being posted."""
        ...

    async def postings(self) -> list[Posting]:
        """The messages that are being posted, by game."""
        ...

    async def end_posting(self, game: int) -> None:
        """Keep that no message of a game is being posted any more."""
        ...

    async def hold(self, held: Held) -> None:
        """Keep a notice back, in the place of an older one to that person about that game."""
        ...

    async def release(self, game: int, user: int) -> None:
        """Keep no notice of a game back from a person any more."""
        ...

    async def held(self, now: float) -> list[Held]:
        """The notices whose quiet hours have ended."""
        ...

    async def record(self, result: Result) -> None:
        """Keep a game's result and count it in the standings; one that is there already changes nothing."""
        ...

    async def unrecorded(self) -> list[int]:
        """Return the games that an older version played to their end without keeping a result, by ID."""
        ...

    async def result(self, game: int) -> Result | None:
        """Return a game's result; None without one, or for one that cannot be read."""
        ...

    async def standing(self, guild: int | None, sort: str, user: int) -> Standing | None:
        """Return what a person has come to in a server, or in all of them (None)."""
        ...

    async def standings(self, guild: int | None, sort: str, limit: int) -> list[Standing]:
        """Return the first of a board, the best first; then those of more games, then by ID."""
        ...

    async def untold(self, since: float) -> list[int]:
        """The games that were played to their end since a moment, and nobody was told that they were."""
        ...

    async def secret(self, name: str) -> bytes:
        """A secret of this store: :data:`SECRET_BYTES` that were drawn when it was first asked for."""
        ...

    async def application(self) -> int | None:
        """Return the ID of the application in Discord whose games these are; None if none was kept."""
        ...

    async def keep_application(self, application: int) -> None:
        """Keep whose games these are, unless that is known."""
        ...

    async def attempt(self, seed: str, user: int, mark: str, game: int) -> int:
        """Let a game be a person's try that counts of the games from a seed; return which game it is.

        That is the first that was begun by whoever has this mark: one without a turn gives way.
        """
        ...

    async def tried(self, seed: str, mark: str) -> int | None:
        """Return the game that is a person's try that counts of the games from a seed, if any."""
        ...

    async def counts(self, game: int) -> bool:
        """Return whether a game is the one that counts of its person's games from its seed."""
        ...

    async def tries(self, seed: str, guild: int | None) -> int:
        """Return how many tries that count the board of a seed holds, of a server or of all."""
        ...

    async def best_tries(self, seed: str, guild: int | None, limit: int) -> list[Result]:
        """Return the best tries that count of the games from a seed, the best first, then by ID.

        Those of a server are of the people who are known there, by a game of any sort.
        """
        ...

    async def add_sat(self, game: int, mark: str, seat: int) -> None:
        """Note that somebody sits on a seat; the first seat of each mark stays."""
        ...

    async def sat(self, game: int) -> dict[str, int]:
        """Return who has sat where in a live game, by mark."""
        ...

    async def add_question(self, question: Question) -> None:
        """Keep a message that asks something."""
        ...

    async def drop_question(self, message: int) -> None:
        """Forget a message that asks nothing any more."""
        ...

    async def questions(self, game: int | None = None) -> list[Question]:
        """Return the messages that ask something, of one game or of all."""
        ...

    async def add_mention(self, mention: Mention) -> None:
        """Keep a mention in the place of an older one of the same people in the same game."""
        ...

    async def drop_mention(self, asker: str, asked: str, game: int) -> None:
        """Forget a mention that was never sent."""
        ...

    async def mentions(self, asker: str, asked: str) -> list[Mention]:
        """Return the mentions of one person by another."""
        ...

    async def forget(self, user: int) -> None:
        """Let a person be :data:`NOBODY` in all games and results, and drop all that is theirs alone.

        They leave their lobbies, and the apprentice plays on their seats in games that have begun.
        """
        ...

    async def close(self) -> None:
        """Let go of the database."""
        ...


_COLUMNS = (
    "id, channel, message, kind, options, locale, host, seats, deadline, finished,"
    " handled, told, notice, asks, cut_off, pauses, barred, pausing, floor, revision"
)
_RESULT = "game, guild, at, seats, facts, counts"
_JSON = {
    "options": dict[str, Any],
    "seats": tuple[Seat, ...],
    "asks": tuple[Ask, ...],
    "pauses": tuple[Span, ...],
    "barred": tuple[str, ...],
    "pausing": tuple[str, ...],
}


#: The server of a game, spelled as in the index ``live_in_server``.
_SERVER = "CASE WHEN json_valid(options) THEN json_extract(options, '$.guild') END"


class _Write:
    """A writing statement; once it has run, the row it inserted, how many it changed, or its error."""

    def __init__(self, statement: str, values: tuple[Any, ...]) -> None:
        self.statement = statement
        self.values = values
        self.row = self.changed = 0
        self.error: Exception | None = None

    def run(self, connection: sqlite3.Connection) -> None:
        cursor = connection.execute(self.statement, self.values)
        self.row, self.changed = cursor.lastrowid or 0, cursor.rowcount

    def run_alone(self, connection: sqlite3.Connection) -> None:
        """Run it where no transaction is open."""
        self.run(connection)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_TIMEOUT)
    # A damaged text must not keep the rows beside it from being read.
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    return connection


class _Work(_Write):
    """Several statements that take effect together or not at all."""

    def __init__(self, work: Callable[[sqlite3.Connection], Any]) -> None:
        super().__init__("", ())
        self.work = work
        self.made: Any = None

    def run(self, connection: sqlite3.Connection) -> None:
        self.made = self.work(connection)

    def run_alone(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        try:
            self.run(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


_Writing = TypeVar("_Writing", bound=_Write)


class Connection(aiosqlite.Connection):
    """aiosqlite's connection, which writes what waits for its thread at the same time together."""

    def __init__(self, path: Path) -> None:
        super().__init__(lambda: _connect(path), iter_chunk_size=64)
        self._waiting = deque[_Write]()

    async def cut_log(self) -> bool:
        """Write the log beside the database into it, and empty the log; False while others read that."""
        return await self._execute(self._cut_log)  # pyright: ignore[reportUnknownMemberType]

    def _cut_log(self) -> bool:
        """In the thread, which must not wait for a reader: others wait for it."""
        self._conn.execute("PRAGMA busy_timeout = 0")
        try:
            busy = self._conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.Error:
            return False
        finally:
            self._conn.execute(f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT * 1000)}")
        return not busy

    async def write(self, statement: str, values: tuple[Any, ...]) -> _Write:
        """Run one writing statement, durably."""
        return await self._written(_Write(statement, values))

    async def transaction(self, work: Callable[[sqlite3.Connection], Made]) -> Made:
        """Run several statements in the connection's thread, durably, all or none; return what work returns.

        Nothing else reads or writes between them. Work may be run again, after what it did was taken back.
        """
        return (await self._written(_Work(work))).made

    async def _written(self, write: _Writing) -> _Writing:
        self._waiting.append(write)
        # Each has an errand of its own, though the first that the thread comes to does the work of all.
        await self._execute(self._write_waiting)  # pyright: ignore[reportUnknownMemberType]
        if write.error is not None:
            raise write.error
        return write

    def _write_waiting(self) -> None:
        """In the thread: write all that waits, with one wait for the disk.

        If anything is wrong with that, each is written by itself, so that each has its own error alone.
        """
        writes = [self._waiting.popleft() for _ in range(len(self._waiting))]
        if len(writes) > 1 and self._written_together(writes):
            return
        for write in writes:
            try:
                write.run_alone(self._conn)
            except Exception as error:  # for whoever waits for this one
                write.error = error

    def _written_together(self, writes: Iterable[_Write]) -> bool:
        """In the thread: one transaction, which has ended in any case when this returns."""
        try:
            self._conn.execute("BEGIN IMMEDIATE")
            for write in writes:
                write.run(self._conn)
            self._conn.execute("COMMIT")
        except Exception:
            if self._conn.in_transaction:
                self._conn.execute("ROLLBACK")
            return False
        return True


_QUESTION = "message, game, channel, mark, seat, undo"


class SQLiteStore:
    """The store in one SQLite file; see :func:`open_store`."""

    def __init__(self, connection: Connection, clock: Callable[[], float] = time.time) -> None:
        self._db = connection
        self._clock = clock
        #: The damaged rows that the log has named.
        self._named: set[tuple[str, object]] = set()

    async def catch_up(self) -> None:
        """Do what an upgrade left for the program, part by part: one that is interrupted goes on there."""
        told, counted = time.monotonic(), 0
        while done := await self._together(_count_pending):
            counted += done
            if time.monotonic() - told >= TELL_EVERY:
                told = time.monotonic()
                log.info("results of older versions are counted for the boards: %s until now", counted)
        key = await self.secret("people")
        while await self._together(lambda connection: _mark_tries(connection, key)):
            pass

    async def create(self, record: Record) -> int:
        # A database that was restored from a backup must not use an ID again that a button in Discord knows.
        with _constraints(record.channel):
            write = await self._write(
                "INSERT INTO game"
                " (id, channel, message, kind, options, locale, host, seats, deadline, finished) VALUES ("
                "max(?, 1 + ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'game'), 0)),"
                " ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    int(self._clock() * 1000),
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
        return write.row

    async def update(
        self,
        game: int,
        revision: int | None = None,
        *,
        result: Result | None = None,
        gone: Mapping[int, Seat] = {},
        **fields: Any,
    ) -> None:
        names = ", ".join(f"{name} = ?" for name in fields)
        values = [_text(value) if name in _JSON else value for name, value in fields.items()]
        statement = (
            f"UPDATE game SET {names}, revision = revision + 1"
            " WHERE id = ? AND revision = ifnull(?, revision)"
        )
        given = (*values, game, revision)

        def update(connection: sqlite3.Connection) -> int:
            changed = connection.execute(statement, given).rowcount
            if changed:
                for seat, one in gone.items():
                    connection.execute(
                        "INSERT OR IGNORE INTO gone (game, seat, user, name) VALUES (?, ?, ?, ?)",
                        (game, seat, one.user, one.name),
                    )
                if result is not None:
                    _record_result(connection, result)
            return changed

        with _constraints(fields.get("channel")):
            if result is None and not gone:
                changed = (await self._write(statement, given)).changed
            else:
                changed = await self._together(update)
        if revision is not None and not changed:
            raise Stale(f"game {game} is not of revision {revision} any more")

    async def gone(self, game: int) -> dict[int, Seat]:
        rows = await self._read("SELECT seat, user, name FROM gone WHERE game = ?", (game,))
        return {seat: Seat(user, name) for seat, user, name in rows}

    async def agree_to_end(self, game: int, user: int, version: int) -> None:
        await self._write("REPLACE INTO ending (game, user, version) VALUES (?, ?, ?)", (game, user, version))

    async def would_end(self, game: int, version: int) -> list[int]:
        rows = await self._read(
            "SELECT user FROM ending WHERE game = ? AND version = ? ORDER BY user", (game, version)
        )
        return [row[0] for row in rows]

    async def find(self, game: int) -> Record | None:
        rows = await self._read(f"SELECT {_COLUMNS} FROM game WHERE id = ?", (game,))
        return _record(rows[0]) if rows else None

    async def live(self, channel: int | None = None) -> list[Record]:
        where, values = ("", ()) if channel is None else (" AND channel = ?", (channel,))
        rows = await self._read(
            f"SELECT {_COLUMNS} FROM game WHERE finished IS NULL{where} ORDER BY id", values
        )
        return [_record(row) for row in rows]

    async def live_in(self, server: int) -> list[Record]:
        rows = await self._read(
            f"SELECT {_COLUMNS} FROM game WHERE finished IS NULL AND {_SERVER} = ? ORDER BY id", (server,)
        )
        return [_record(row) for row in rows]

    async def live_of(self, user: int) -> list[Record]:
        rows = await self._read(
            f"SELECT {_COLUMNS} FROM game"
            " WHERE id IN (SELECT game FROM seat WHERE user = ? AND live) ORDER BY id",
            (user,),
        )
        return [_record(row) for row in rows]

    async def live_after(self, game: int, count: int) -> list[Record]:
        rows = await self._read(
            f"SELECT {_COLUMNS} FROM game WHERE finished IS NULL AND id > ? ORDER BY id LIMIT ?",
            (game, count),
        )
        return [_record(row) for row in rows]

    async def count_live(self) -> int:
        return (await self._read("SELECT number FROM live_games WHERE id = 1", ()))[0][0]

    async def ended(self, channel: int) -> list[Record]:
        rows = await self._read(
            f"SELECT {_COLUMNS} FROM game WHERE channel = ? AND finished = '{OVER}' ORDER BY id DESC LIMIT ?",
            (channel, LISTED),
        )
        return [_record(row) for row in rows]

    async def save(self, game: int, turn: Turn, state: bytes) -> None:
        try:
            await self._write(
                "INSERT INTO turn (game, version, seat, action, at, maker, state)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (game, *msgspec.structs.astuple(turn), state),
            )
        except sqlite3.IntegrityError as error:
            raise Stale(f"game {game} has a version {turn.version}") from error

    async def turns(self, game: int) -> list[Turn]:
        rows = await self._read(
            "SELECT version, seat, action, at, maker FROM turn WHERE game = ? ORDER BY version", (game,)
        )
        return [_made(Turn, *row) for row in rows]

    async def state(self, game: int, version: int) -> bytes | None:
        rows = await self._read("SELECT state FROM turn WHERE game = ? AND version = ?", (game, version))
        return rows[0][0] if rows else None

    async def due(self, now: float) -> list[Overdue]:
        rows = await self._read(
            f"SELECT id, ifnull({_SERVER}, channel) FROM game WHERE finished IS NULL AND deadline <= ?"
            " ORDER BY deadline, id",
            (now,),
        )
        return [Overdue(*row) for row in rows]

    async def next_due(self, after: float) -> float | None:
        rows = await self._read(
            "SELECT min(due) FROM ("
            "SELECT min(deadline) AS due FROM game WHERE finished IS NULL AND deadline > ?1"
            " UNION ALL SELECT min(due) FROM held WHERE due > ?1)",
            (after,),
        )
        # Damage that is no number sorts behind all numbers.
        return rows[0][0] if isinstance(rows[0][0], int | float) else None

    async def seen(self) -> float | None:
        rows = await self._read("SELECT at FROM seen WHERE id = 1", ())
        span = self._sound("seen", 1, _span, rows[0][0], rows[0][0]) if rows else None
        return None if span is None else span[1]

    async def see(self, at: float) -> None:
        await self._write("REPLACE INTO seen (id, at) VALUES (1, ?)", (at,))

    async def add_outage(self, outage: Span) -> None:
        # A trigger does all that follows, in this one statement.
        await self._write("INSERT INTO outage (start, stop) VALUES (?, ?)", outage)

    async def outages(self) -> list[Span]:
        rows = await self._read("SELECT rowid, start, stop FROM outage ORDER BY start", ())
        found = [self._sound("outage", row, _span, start, stop) for row, start, stop in rows]
        return [one for one in found if one is not None and one[1] > one[0]]

    async def add_absence(self, person: str, absence: Span) -> None:
        # A trigger ends the one that is under way, in this one statement.
        await self._write("REPLACE INTO absence (person, start, stop) VALUES (?, ?, ?)", (person, *absence))

    async def absences(self, since: float) -> dict[str, tuple[Span, ...]]:
        found: dict[str, tuple[Span, ...]] = {}
        for person, start, stop in await self._read(
            "SELECT person, start, stop FROM absence WHERE stop > ?", (since,)
        ):
            span = self._sound("absence", (person, start), _span, start, stop)
            if span is not None and span[1] > span[0]:
                found[person] = tuple(sorted((*found.get(person, ()), span)))
        return found

    async def order(self, game: int, seat: int, order: Ahead | None) -> None:
        if order is None:
            await self._write("DELETE FROM ahead WHERE game = ? AND seat = ?", (game, seat))
        else:
            await self._write(
                "REPLACE INTO ahead (game, seat, situation, codes) VALUES (?, ?, ?, ?)",
                (game, seat, order.situation, _text(order.codes)),
            )

    async def orders(self, game: int) -> dict[int, Ahead]:
        rows = await self._read("SELECT seat, situation, codes FROM ahead WHERE game = ?", (game,))
        found = {
            seat: self._sound("ahead", (game, seat), _order, situation, codes)
            for seat, situation, codes in rows
        }
        return {seat: order for seat, order in found.items() if order is not None}

    async def prefer(self, user: int, preferences: Preferences | None) -> None:
        if preferences is None:
            await self._write("DELETE FROM preference WHERE user = ?", (user,))
        else:
            await self._write(
                "REPLACE INTO preference (user, choices) VALUES (?, ?)", (user, _text(preferences))
            )

    async def preferences(self, user: int) -> Preferences:
        rows = await self._read("SELECT choices FROM preference WHERE user = ?", (user,))
        chosen = self._sound("preference", user, _preferences, *rows[0]) if rows else None
        return chosen or Preferences()

    async def begin_posting(self, posting: Posting) -> None:
        await self._write(
            "INSERT OR IGNORE INTO posting (game, channel, nonce, at) VALUES (?, ?, ?, ?)",
            msgspec.structs.astuple(posting),
        )

    async def posting(self, game: int) -> Posting | None:
        rows = await self._read("SELECT game, channel, nonce, at FROM posting WHERE game = ?", (game,))
        return self._sound("posting", game, partial(_made, Posting), *rows[0]) if rows else None

    async def postings(self) -> list[Posting]:
        rows = await self._read("SELECT game, channel, nonce, at FROM posting ORDER BY game", ())
        return self._all_sound("posting", Posting, rows)

    async def end_posting(self, game: int) -> None:
        await self._write("DELETE FROM posting WHERE game = ?", (game,))

    async def hold(self, held: Held) -> None:
        await self._write(
            "REPLACE INTO held (game, user, due) VALUES (?, ?, ?)", msgspec.structs.astuple(held)
        )

    async def release(self, game: int, user: int) -> None:
        await self._write("DELETE FROM held WHERE game = ? AND user = ?", (game, user))

    async def held(self, now: float) -> list[Held]:
        rows = await self._read("SELECT game, user, due FROM held WHERE due <= ? ORDER BY due", (now,))
        return self._all_sound("held", Held, rows)

    async def record(self, result: Result) -> None:
        await self._together(lambda connection: _record_result(connection, result))

    async def unrecorded(self) -> list[int]:
        rows = await self._read("SELECT game FROM unrecorded ORDER BY game", ())
        return [row[0] for row in rows]

    async def result(self, game: int) -> Result | None:
        return next(iter(await self._results(f"SELECT {_RESULT} FROM result WHERE game = ?", (game,))), None)

    async def standing(self, guild: int | None, sort: str, user: int) -> Standing | None:
        return next(iter(await self._standings(_STANDING, (_scope(guild), sort, user))), None)

    async def standings(self, guild: int | None, sort: str, limit: int) -> list[Standing]:
        return await self._standings(
            f"SELECT {_STANDING_COLUMNS} FROM standing"
            " WHERE scope = ? AND sort = ? AND value IS NOT NULL"
            " ORDER BY value DESC, games DESC, user LIMIT ?",
            (_scope(guild), sort, limit),
        )

    async def _standings(self, statement: str, values: tuple[Any, ...]) -> list[Standing]:
        """Return the standings that a statement finds, without those that are damaged."""
        rows = await self._read(statement, values)
        found = (self._sound("standing", row[0], _standing, *row) for row in rows)
        return [one for one in found if one is not None]

    async def untold(self, since: float) -> list[int]:
        rows = await self._read("SELECT game FROM untold WHERE at >= ? ORDER BY at, game", (since,))
        return [row[0] for row in rows]

    async def _results(self, statement: str, values: tuple[Any, ...]) -> list[Result]:
        """Return the results that a statement finds, without those that are damaged."""
        rows = await self._read(statement, values)
        found = (self._sound("result", row[0], _result, *row) for row in rows)
        return [one for one in found if one is not None]

    async def secret(self, name: str) -> bytes:
        await self._write(
            "INSERT OR IGNORE INTO secret (name, value) VALUES (?, ?)",
            (name, secrets.token_bytes(SECRET_BYTES)),
        )
        return (await self._read("SELECT value FROM secret WHERE name = ?", (name,)))[0][0]

    async def application(self) -> int | None:
        rows = await self._read("SELECT number FROM application WHERE id = 1", ())
        return rows[0][0] if rows else None

    async def keep_application(self, application: int) -> None:
        await self._write("INSERT OR IGNORE INTO application (id, number) VALUES (1, ?)", (application,))

    async def attempt(self, seed: str, user: int, mark: str, game: int) -> int:
        await self._write(
            "INSERT INTO attempt (seed, user, mark, game) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET game = excluded.game, user = excluded.user"
            " WHERE NOT EXISTS (SELECT 1 FROM turn WHERE turn.game = attempt.game)",
            (seed, user, mark, game),
        )
        first = await self.tried(seed, mark)
        return game if first is None else first

    async def tried(self, seed: str, mark: str) -> int | None:
        rows = await self._read("SELECT game FROM attempt WHERE seed = ? AND mark = ?", (seed, mark))
        return rows[0][0] if rows else None

    async def counts(self, game: int) -> bool:
        return bool(await self._read("SELECT 1 FROM attempt WHERE game = ?", (game,)))

    async def tries(self, seed: str, guild: int | None) -> int:
        rows = await self._read("SELECT tries FROM tried WHERE scope = ? AND seed = ?", (_scope(guild), seed))
        return rows[0][0] if rows else 0

    async def best_tries(self, seed: str, guild: int | None, limit: int) -> list[Result]:
        return await self._results(
            f"SELECT {_RESULT} FROM placing CROSS JOIN result USING (game)"
            " WHERE scope = ? AND seed = ? ORDER BY points DESC, game LIMIT ?",
            (_scope(guild), seed, limit),
        )

    async def add_sat(self, game: int, mark: str, seat: int) -> None:
        await self._write("INSERT OR IGNORE INTO sat (game, mark, seat) VALUES (?, ?, ?)", (game, mark, seat))

    async def sat(self, game: int) -> dict[str, int]:
        return dict(await self._read("SELECT mark, seat FROM sat WHERE game = ?", (game,)))

    async def add_question(self, question: Question) -> None:
        await self._write(
            "REPLACE INTO question (message, game, channel, mark, seat, undo) VALUES (?, ?, ?, ?, ?, ?)",
            msgspec.structs.astuple(question),
        )

    async def drop_question(self, message: int) -> None:
        await self._write("DELETE FROM question WHERE message = ?", (message,))

    async def questions(self, game: int | None = None) -> list[Question]:
        if game is None:
            rows = await self._read(f"SELECT {_QUESTION} FROM question ORDER BY message", ())
        else:
            rows = await self._read(
                f"SELECT {_QUESTION} FROM question WHERE game = ? ORDER BY message", (game,)
            )
        return self._all_sound("question", Question, [(*row[:-1], bool(row[-1])) for row in rows])

    async def add_mention(self, mention: Mention) -> None:
        await self._write(
            "REPLACE INTO mention (asker, asked, game, at, refused) VALUES (?, ?, ?, ?, ?)",
            msgspec.structs.astuple(mention),
        )

    async def drop_mention(self, asker: str, asked: str, game: int) -> None:
        await self._write(
            "DELETE FROM mention WHERE asker = ? AND asked = ? AND game = ?", (asker, asked, game)
        )

    async def mentions(self, asker: str, asked: str) -> list[Mention]:
        rows = await self._read(
            "SELECT asker, asked, game, at, refused FROM mention WHERE asker = ? AND asked = ?",
            (asker, asked),
        )
        return self._all_sound("mention", Mention, [(*row[:-1], bool(row[-1])) for row in rows])

    async def forget(self, user: int) -> None:
        # A trigger does it all, in this one statement.
        await self._write("INSERT INTO forgotten (user) VALUES (?)", (user,))
        # The rows are overwritten with zeros; older copies of their pages are in the log until it is cut.
        for delay in (*CUT_AGAIN_AFTER, None):
            if await self._db.cut_log():
                return
            if delay is not None:
                await asyncio.sleep(delay)
        log.warning("another program reads the database: what was forgotten leaves its log later")

    async def close(self) -> None:
        await self._db.close()

    def _sound(self, table: str, key: object, read: Callable[..., _T], *values: Any) -> _T | None:
        """Return what a row says; None for a damaged row, which the log names once."""
        try:
            return read(*values)
        except (msgspec.MsgspecError, TypeError, ValueError) as error:
            if (table, key) not in self._named:
                self._named.add((table, key))
                log.error("a damaged row of %s is left out, %s: %s", table, key, error)
            return None

    def _all_sound(self, table: str, kind: type[_Row], rows: Iterable[Sequence[Any]]) -> list[_Row]:
        """Return what rows say, each one field after the other, without those that are damaged."""
        found = (self._sound(table, row[0], partial(_made, kind), *row) for row in rows)
        return [one for one in found if one is not None]

    async def _write(self, statement: str, values: Iterable[Any]) -> _Write:
        """Run one writing statement, durably. A broken constraint is for the caller to tell."""
        try:
            return await self._db.write(statement, tuple(values))
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error as error:
            raise _typed(error) from error

    async def _together(self, work: Callable[[sqlite3.Connection], Made]) -> Made:
        """Run several statements in one transaction."""
        try:
            return await self._db.transaction(work)
        except sqlite3.Error as error:
            raise _typed(error) from error

    async def _read(self, statement: str, values: Iterable[Any]) -> Sequence[Any]:
        try:
            return list(await self._db.execute_fetchall(statement, tuple(values)))
        except sqlite3.Error as error:
            raise _typed(error) from error


@contextmanager
def _constraints(channel: int | None) -> Generator[None]:
    """Around a write to a game: what the database refuses is one of our errors."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        if "too many games" in str(error):
            raise TooManyGames(f"somebody plays in {MAX_SEATS} games") from error
        if "game.channel" in str(error):
            raise ChannelBusy(f"channel {channel} has a live game") from error
        raise


def _typed(error: sqlite3.Error, path: Path | None = None) -> StoreError:
    """SQLite's error as one of ours, saying what to do about it."""
    name = "the database" if path is None else str(path)
    match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF:  # without the finer distinctions
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return DatabaseLocked(f"another program has locked {name}; close it and try again")
        case sqlite3.SQLITE_FULL:
            return DatabaseUnusable(f"the disk is full, so {name} cannot grow; make room")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return DatabaseUnusable(f"{name} or its folder cannot be written ({error}); look at its rights")
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return DatabaseDamaged(f"{name} is not a database, or a damaged one ({error}); restore a backup")
        case _:
            return DatabaseUnusable(f"{name} cannot be used: {error}")


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _record(row: Sequence[Any]) -> Record:
    fields: dict[str, Any] = dict(zip(_COLUMNS.split(", "), row, strict=True))
    try:
        for name, kind in _JSON.items():
            fields[name] = msgspec.json.decode(fields[name], type=kind)
        msgspec.convert(fields["options"].get("guild"), int | None)
        return msgspec.convert(fields, Record)
    except (msgspec.MsgspecError, TypeError):
        # One damaged game must not keep the others from being found.
        return Record(
            id=fields["id"],
            channel=fields["channel"],
            kind="",
            host=0,
            seats=(),
            finished=fields["finished"],
        )


def _made(kind: type[_Row], *row: Any) -> _Row:
    """Return a struct of these fields. Raises ValidationError for a field that is damaged."""
    return msgspec.convert(dict(zip(kind.__struct_fields__, row, strict=True)), kind)


def _span(start: float, stop: float) -> Span:
    """Return a span as it is stored. Raises ValueError or ValidationError for one that is damaged."""
    if not all(map(math.isfinite, span := msgspec.convert((start, stop), Span))):
        raise ValueError("it has no end")
    return span


def _order(situation: str, codes: str) -> Ahead:
    return msgspec.convert(
        {"situation": situation, "codes": msgspec.json.decode(codes, type=tuple[str, ...])}, Ahead
    )


def _preferences(choices: str) -> Preferences:
    return msgspec.json.decode(choices, type=Preferences)


def _result(game: int, guild: int | None, at: float, seats: str, facts: str, counts: int) -> Result:
    fields = {
        "game": game,
        "guild": guild,
        "at": at,
        "seats": msgspec.json.decode(seats),
        "facts": msgspec.json.decode(facts),
        "counts": bool(counts),
    }
    return msgspec.convert(fields, Result)


# Results and standings --------------------------------------------------------------------------------

_STANDING_COLUMNS = "user, name, games, gone, wins, best, rated, mu, sigma, figures"
_STANDING = f"SELECT {_STANDING_COLUMNS} FROM standing WHERE scope = ? AND sort = ? AND user = ?"


def _scope(guild: int | None) -> int:
    return EVERYWHERE if guild is None else guild


def _standing(*row: Any) -> Standing:
    *columns, figures = row
    fields = dict(zip(_STANDING_COLUMNS.split(", "), columns, strict=False))
    return msgspec.convert({**fields, "figures": msgspec.json.decode(figures)}, Standing)


def _undamaged(read: Callable[..., _T], row: Sequence[Any]) -> _T | None:
    """Return what a row says; None for a damaged one, which the log names."""
    try:
        return read(*row)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        log.error("a damaged row is left out, %s: %s", row[0], error)
        return None


def _record_result(connection: sqlite3.Connection, result: Result) -> None:
    """Keep a result and count it, inside a transaction; one that is there already changes nothing."""
    kept = connection.execute(
        "INSERT OR IGNORE INTO result (game, guild, at, seats, facts, counts) VALUES (?, ?, ?, ?, ?, ?)",
        (result.game, result.guild, result.at, _text(result.seats), _text(result.facts), result.counts),
    )
    if kept.rowcount:
        _count(connection, result)


def _count(connection: sqlite3.Connection, result: Result) -> None:
    """Count a result in the standings of its server and of all servers, and on the board of its challenge."""
    try:
        played = result.played
        for scope in {EVERYWHERE, _scope(result.guild)}:
            _count_in(connection, scope, result, played)
        if result.counts and result.facts:
            _place(connection, result.game, result.facts[0]["points"])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        # Facts that make no sense must keep neither their game from ending nor other results from counting.
        log.warning("game=%s its result cannot be counted: %r", result.game, error)


def _count_in(connection: sqlite3.Connection, scope: int, result: Result, played: Sequence[Played]) -> None:
    people = [one.user for one in played if one.user != NOBODY]
    known = [user for user in people if _is_known(connection, scope, user)]
    before: dict[int, Standing] = {}
    for user in people:
        row = connection.execute(_STANDING, (scope, result.sort, user)).fetchone()
        # A damaged one begins anew.
        if row is not None and (standing := _undamaged(_standing, row)) is not None:
            before[user] = standing
    if result.counts:
        after = counted(played, before)
    else:
        # Who plays only what does not count is known all the same in the server.
        after = {
            one.user: Standing(one.user, one.name)
            for one in played
            if one.user != NOBODY and one.user not in before
        }
    for standing in after.values():
        *columns, figures = msgspec.structs.astuple(standing)
        connection.execute(
            f"REPLACE INTO standing (scope, sort, value, {_STANDING_COLUMNS})"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (scope, result.sort, standing.value(result.sort), *columns, _text(figures)),
        )
    for user in people:
        if user not in known:
            rows = connection.execute(
                "SELECT seed, game, points FROM attempt WHERE user = ? AND points IS NOT NULL", (user,)
            )
            for seed, game, points in rows.fetchall():
                _put(connection, scope, seed, game, points)


def _is_known(connection: sqlite3.Connection, scope: int, user: int) -> bool:
    found = connection.execute(
        "SELECT 1 FROM standing WHERE scope = ? AND sort IN (?, ?) AND user = ?", (scope, TABLE, SOLO, user)
    )
    return found.fetchone() is not None


def _place(connection: sqlite3.Connection, game: int, points: float) -> None:
    """Put a game, if it is a try that counts, on the boards of its challenge wherever its person is known."""
    connection.execute("UPDATE attempt SET points = ? WHERE game = ?", (points, game))
    tries = connection.execute("SELECT seed, user FROM attempt WHERE game = ?", (game,))
    for seed, user in tries.fetchall():
        scopes = connection.execute("SELECT DISTINCT scope FROM standing WHERE user = ?", (user,))
        for scope in {EVERYWHERE, *(row[0] for row in scopes)}:
            _put(connection, scope, seed, game, points)


def _put(connection: sqlite3.Connection, scope: int, seed: str, game: int, points: float) -> None:
    """Put a try on the board of its challenge in one scope, once."""
    put = connection.execute(
        "INSERT OR IGNORE INTO placing (scope, seed, game, points) VALUES (?, ?, ?, ?)",
        (scope, seed, game, points),
    )
    if put.rowcount:
        connection.execute(
            "INSERT INTO tried (scope, seed, tries) VALUES (?, ?, 1)"
            " ON CONFLICT DO UPDATE SET tries = tries + 1",
            (scope, seed),
        )


def _count_pending(connection: sqlite3.Connection) -> int:
    """Count some of the results that no standing holds yet, in order; return how many there were."""
    rows = connection.execute(
        "SELECT number, game FROM pending ORDER BY number LIMIT ?", (COUNTED_AT_ONCE,)
    ).fetchall()
    for number, game in rows:
        found = connection.execute(f"SELECT {_RESULT} FROM result WHERE game = ?", (game,))
        if (result := _undamaged(_result, found.fetchone())) is not None:
            _count(connection, result)
        connection.execute("DELETE FROM pending WHERE number = ?", (number,))
    return len(rows)


def mark_of(key: bytes, user: int) -> str:
    """Return a person's sign under a database's key; see :meth:`Table.mark`."""
    return hmac.digest(key, str(user).encode(), "sha256")[:16].hex()


def _mark_tries(connection: sqlite3.Connection, key: bytes) -> int:
    """Mark some of the tries of an older version whose person is known; return how many there were."""
    rows = connection.execute(
        "SELECT seed, user FROM attempt WHERE mark IS NULL AND user > ? LIMIT ?", (NOBODY, COUNTED_AT_ONCE)
    ).fetchall()
    for seed, user in rows:
        connection.execute(
            "UPDATE attempt SET mark = ? WHERE seed = ? AND user = ?", (mark_of(key, user), seed, user)
        )
    return len(rows)


@asynccontextmanager
async def open_store(path: Path, clock: Callable[[], float] = time.time) -> AsyncGenerator[SQLiteStore]:
    """Open the database, making or upgrading it, for this process alone.

    Nobody but the system's user whose process it is may read its files. ``clock`` tells the time in epoch
    seconds. Raises FolderMissing, DatabaseInUse, DatabaseLocked, DatabaseNewer or DatabaseUnusable.
    """
    if not path.parent.is_dir():
        raise FolderMissing(f"the folder {path.parent} does not exist; make it first")
    with _own(path):
        try:
            # A first try without aiosqlite, whose thread outlives a connection that could not be made.
            sqlite3.connect(path).close()
        except sqlite3.Error as error:
            raise _typed(error, path) from error
        connection = Connection(path)
        await connection
        store = SQLiteStore(connection, clock)
        try:
            await _prepare(connection, path)
            await store.catch_up()
            yield store
        finally:
            await store.close()


@contextmanager
def _own(path: Path) -> Generator[None]:
    """Keep other processes out of a database, by whichever of its names they know it.

    A lock in a file beside it is SQLite's, which is the same on every system. Where the system has locks of
    files themselves, one of those is held as well, for a database can have a second name in another
    folder. Both go when this process does. The database itself stays readable, so that it can be copied.
    """
    with ExitStack() as held:
        _lock(path.resolve(), held)
        yield


def _lock(path: Path, held: ExitStack) -> None:
    lock = path.with_name(path.name + ".lock")
    try:
        _tighten(path)
        _make_private(lock)
        owner = held.enter_context(closing(sqlite3.connect(lock, isolation_level=None, timeout=0)))
        owner.execute("BEGIN EXCLUSIVE")
        _make_private(path)
        held.enter_context(_file_lock(path))
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY:
            raise _in_use(path) from error
        raise _typed(error, lock) from error
    except OSError as error:
        name, why = error.filename or path, error.strerror or error
        raise DatabaseUnusable(
            f"{name} or its folder cannot be written ({why}); look at its rights"
        ) from error


def _in_use(path: Path) -> DatabaseInUse:
    return DatabaseInUse(f"another bot is running on {path}; stop it first")


@contextmanager
def _file_lock(path: Path) -> Generator[None]:
    """Hold a lock of the file itself, where there are such locks. Raises DatabaseInUse."""
    if sys.platform == "win32":
        yield
        return
    # It is closed after SQLite has closed its own, for closing any lets go of SQLite's locks, too.
    file = os.open(path, os.O_RDONLY)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise _in_use(path) from error
        yield
    finally:
        os.close(file)


def _make_private(path: Path) -> None:
    """Make an empty file that its owner alone may read, unless there is one. SQLite's others follow it."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))


def _tighten(path: Path) -> None:
    """Take from others the right to read a database of an older program, and all that is beside it."""
    files = [
        one
        for one in path.parent.glob(f"{path.stem}*{path.suffix}*")
        if one.is_file() and not one.is_symlink()
    ]
    for file in sorted(files):
        if os.name == "posix" and file.stat().st_mode & 0o077:
            with suppress(PermissionError):
                file.chmod(PRIVATE)
                log.info("%s can be read by its owner alone from now on", file)


async def _prepare(connection: Connection, path: Path) -> None:
    """Refuse what cannot be used, before anything is written; then set up and migrate.

    Each migration is a transaction of its own, in which the database's version is raised, too.
    """
    scripts = sorted(MIGRATIONS.glob("*.sql"))
    try:
        await _look_over(connection, path)
        version = int(await _value(connection, "PRAGMA user_version"))
        if version > len(scripts):
            raise DatabaseNewer(
                f"{path} is of version {version}, this program knows {len(scripts)}: update it"
            )
        await connection.executescript(PRAGMAS)
        # What can only be read is said now, not at the first move: a write tells, and is taken back.
        await connection.executescript(f"BEGIN IMMEDIATE; PRAGMA user_version = {version}; ROLLBACK;")
        if 0 < version < len(scripts):
            said = (
                "%s (%.0f MB) is upgraded, which may take minutes; interrupted, it goes on at the next start"
            )
            log.info(said, path, _size(path) / 1e6)
        for number, script in list(enumerate(scripts, 1))[version:]:
            if version:
                log.info("upgrade %s of %s: %s", number, len(scripts), script.stem)
            await connection.executescript(
                f"BEGIN IMMEDIATE;\n{script.read_text('utf-8')}\nPRAGMA user_version = {number};\nCOMMIT;"
            )
        if await _value(connection, "PRAGMA application_id") != SWEPT:
            await _sweep(connection, path, bool(version))
    except sqlite3.Error as error:
        raise _typed(error, path) from error


async def _look_over(connection: Connection, path: Path) -> None:
    """Refuse a damaged database: a small one is read through, of a large one the ends of each table.

    Damage in the middle of a large one is met by the game that it is in, and by a backup or ``check``.
    """
    if (size := _size(path)) <= READ_THROUGH:
        damage = await _value(connection, "PRAGMA quick_check(1)")
        if damage != "ok":
            raise DatabaseDamaged(f"{path} is damaged ({damage}); restore a backup")
        return
    # What is still in the log beside the database is no part of the file yet.
    log_is_empty = not _size(path.with_name(path.name + "-wal"))
    pages, each = [int(await _value(connection, f"PRAGMA page_{one}")) for one in ("count", "size")]
    if log_is_empty and size < pages * each:
        raise DatabaseDamaged(f"{path} is damaged (its end is missing); restore a backup")
    tables = await connection.execute_fetchall(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    )
    for (name,) in tables:
        for way in ("ASC", "DESC"):
            await connection.execute_fetchall(f'SELECT * FROM "{name}" ORDER BY rowid {way} LIMIT 1')


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


async def _sweep(connection: Connection, path: Path, is_old: bool) -> None:
    """Write an older database anew, once: it still holds what was deleted from it.

    Where the disk has no room for that the bot runs as it is, and the next start tries again.
    """
    try:
        if is_old:
            log.info("%s is written anew, for it holds what was deleted from it", path)
            await connection.executescript("VACUUM")
        await connection.executescript(f"PRAGMA application_id = {SWEPT}")
        await connection.cut_log()
    except sqlite3.OperationalError as error:
        log.warning("%s still holds what was deleted from it, for it cannot be written anew: %s", path, error)


async def _value(connection: aiosqlite.Connection, query: str) -> Any:
    return next(iter(await connection.execute_fetchall(query)))[0]


def back_up(path: Path, target: Path) -> None:
    """Copy the database to a new file, as it is at one moment, whether or not a bot runs on it.

    The copy has its name only when it is whole and on the disk. Raises NoBackup.
    """
    if not path.is_file():
        raise NoBackup(f"there is no database {path}")
    if not target.parent.is_dir():
        raise NoBackup(f"the folder {target.parent} does not exist; make it first")
    if target.exists():
        raise NoBackup(f"{target} is there already; choose another name")
    try:
        with TemporaryDirectory(prefix=f"{target.name}.", dir=target.parent) as folder:
            part = Path(folder) / target.name
            _make_private(part)
            _copy(path, part, target)
            with part.open("rb+") as file:
                os.fsync(file.fileno())
            part.rename(target)
    except OSError as error:
        raise NoBackup(f"{target} cannot be written: {error.strerror or error}") from error
    # The name, too; Windows writes it by itself.
    with suppress(OSError):
        folder = os.open(target.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


#: In the copy, let no version have a number that the games give after the backup.
NO_NUMBER_RETURNS = """
UPDATE game SET floor = 1000 + abs(random() % 1000000)
    + (SELECT ifnull(max(version), 0) FROM turn WHERE turn.game = game.id)
WHERE finished IS NULL
"""


def check(path: Path) -> None:
    """Read a database through, whether or not a bot runs on it. Raises DatabaseUnusable for a damaged one."""
    if not path.is_file():
        raise DatabaseUnusable(f"there is no database {path}")
    try:
        with closing(_read_from(path)) as connection:
            damage = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        raise _typed(error, path) from error
    if damage != "ok":
        raise DatabaseDamaged(f"{path} is damaged ({damage}); restore a backup")


def _read_from(path: Path) -> sqlite3.Connection:
    """Open a database that is there."""
    # rw, for without it a database would be made where there is none.
    address = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=BUSY_TIMEOUT)


def _copy(path: Path, part: Path, target: Path) -> None:
    """Copy a database to what is to be the target, and look whether all of it can be read there."""
    place = path
    try:
        with (
            closing(_read_from(path)) as source,
            closing(sqlite3.connect(part, isolation_level=None, timeout=BUSY_TIMEOUT)) as copy,
        ):
            # Read from here on, for backup() itself would wait for another program's lock without end.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            place = target
            source.backup(copy)
            if copy.execute("SELECT 1 FROM pragma_table_info('game') WHERE name = 'floor'").fetchone():
                copy.execute(NO_NUMBER_RETURNS)
            # Without a second file beside it, the copy can be moved about and read from anywhere.
            copy.execute("PRAGMA journal_mode = DELETE")
            damage = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        raise NoBackup(str(_typed(error, place))) from error
    if damage != "ok":
        raise NoBackup(f"{path} is damaged ({damage})")
