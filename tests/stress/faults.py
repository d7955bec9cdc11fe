"""Discord refuses and the disk fails: what was acknowledged stays, games go on, people hear what to do."""

from __future__ import annotations

import asyncio
import logging
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import aiohttp

import bot
from cogs.client import Client
from cogs.controls import MY_TABLE
from cogs.texts import text
from table.errors import (
    DatabaseNewer,
    DatabaseUnusable,
    FolderMissing,
    StoreError,
    UnreadableGame,
)
from table.store import SQLiteStore, open_store
from table.table import Session
from tests.stress.players import Offer, Players, Unplayable, running, versions
from tests.stress.report import Report
from tests.stress.stand_in import Discord, Interaction, controls, failure
from tests.table.test_sqlite import as_nobody

#: So many games at once, so many moves while Discord refuses and while statements fail (in short).
GAMES, MOVES, SHORT = 6, 2000, 60
#: How often a call, and a statement, fails.
REFUSED, FAILED = 0.2, 0.1
#: What Discord answers, by status and code.
ANSWERS = (
    (500, 0),
    (403, 0),
    (404, 0),
    (429, 0),
    (404, 10062),
    (403, 50001),
    (403, 50013),
    (401, 50027),
    (404, 10003),
    (404, 10008),
)
#: How people are told: up to what is different each time.
NOT_SAVED = text("en", "error-not-saved", incident="").partition("(")[0]
INCIDENT = text("en", "error-incident", incident="").partition("incident")[0]
NOT_SHOWN = text("en", "not-shown")
UNREADABLE = text("en", UnreadableGame.id)

ROOT = Path(__file__).parents[2]


class _Log(logging.Handler):
    """What the bot has logged from warnings on."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {self.format(record)}")

    def taken(self) -> list[str]:
        """What has been logged since this was asked last."""
        lines, self.lines = self.lines, []
        return lines


@contextmanager
def _listening() -> Iterator[_Log]:
    log, before = _Log(), logging.root.manager.disable
    logging.disable(logging.NOTSET)
    logging.root.addHandler(log)
    try:
        yield log
    finally:
        logging.root.removeHandler(log)
        logging.disable(before)


class _Trial:
    """Games that are played while something fails, and what came of it."""

    def __init__(self, chance: random.Random, log: _Log) -> None:
        self.chance = chance
        self.log = log
        self.count: Counter[str] = Counter()
        self.broken: list[str] = []
        self.acknowledged: dict[tuple[int, int], str] = {}
        self.made = 0

    def anew(self) -> _Trial:
        """The same for another database: what was acknowledged and how many moves were made begins anew."""
        self.log.taken()
        self.acknowledged = {}
        self.made = 0
        return self

    async def move(self, players: Players) -> bool:
        """Let whoever is to move do something; whether it counts. What they are told of it must be true."""
        session = await players.session()
        offer = players.choice(session, await players.offers(session))
        done = await players.move(session, offer)
        return await self.judge(players, session, offer, done)

    async def judge(self, players: Players, before: Session, offer: Offer, done: Interaction) -> bool:
        after = await _newest(players, before)
        made = after.version - before.version
        for version, code in list(enumerate(offer.codes, before.version + 1))[:made]:
            self.acknowledged[after.id, version] = code.strip("?")
        self.made += made > 0
        self.count["moves that were made all the same"] += made > 0
        if made and NOT_SAVED in done.said:
            self.broken.append(f"game {after.id}: {offer.codes} is said not to have happened, but has")
        return made > 0

    async def verify(self, store: SQLiteStore) -> None:
        """See that what was acknowledged is kept."""
        kept = {
            (game, turn.version): turn.action
            for game in {game for game, _ in self.acknowledged}
            for turn in await store.turns(game)
        }
        lost = {one: code for one, code in self.acknowledged.items() if kept.get(one) != code}
        self.count["acknowledged moves that were lost"] += len(lost)
        self.broken += [
            f"game {game}, version {version}: {code} is lost" for (game, version), code in lost.items()
        ]

    async def shown(self, players: Players) -> None:
        """See that after ``/kanagawa table`` or a move one message shows the newest version, and only one."""
        if self.chance.random() < 0.5:
            await self.move(players)
        else:
            await players.session()
            await players.type(players.people[0], "table")
        session = await players.session()
        places = [
            one
            for one in players.far.messages.values()
            if int(one["channel_id"]) == players.channel
            and (session.id, session.version) in versions(one["components"])
            and not one["flags"] & 64
        ]
        self.count["games that show their newest version afterwards"] += len(places) == 1
        if len(places) != 1:
            self.broken.append(f"game {session.id} shows version {session.version} in {len(places)} messages")


async def _newest(players: Players, session: Session) -> Session:
    """A game as the database has it; asked again while that fails on purpose."""
    while True:
        try:
            return await players.client.table.get(session.id)
        except StoreError:
            continue


# Discord ---------------------------------------------------------------------------------------------


async def _discord(folder: Path, trial: _Trial, moves: int) -> None:
    """Any call is refused now and then, in every way."""
    far, failed, on = Discord(GAMES), set[str](), True

    def fault(method: str, path: str) -> None:
        if on and trial.chance.random() < REFUSED:
            trial.count["calls that Discord refused"] += 1
            failed.update(path.split("/"))
            if trial.chance.random() < 1 / len(ANSWERS):
                raise trial.chance.choice([aiohttp.ServerDisconnectedError(), TimeoutError()])
            raise failure(*trial.chance.choice(ANSWERS))

    async def play(players: Players) -> None:
        while trial.made < moves:
            session = await players.session()
            offer = players.choice(session, await players.offers(session))
            done = await players.move(session, offer)
            if not await trial.judge(players, session, offer, done):
                trial.broken.append(f"game {session.id}: {offer.codes} was not made: {done.said}")
            after = await players.client.table.get(session.id)
            table = far.messages.get(after.record.message or 0, {"components": []})
            if (after.id, after.version) not in versions(table["components"]):
                trial.count["tables that were not shown"] += 1
                if f"t{done.id}" not in failed and NOT_SHOWN not in done.said:
                    trial.broken.append(f"game {after.id} was not shown, and nobody was told: {done.said!r}")
                if not any(f"game={after.id} " in one and "not shown" in one for one in trial.log.lines):
                    trial.broken.append(f"game {after.id} was not shown, and the log does not say so")

    async with open_store(folder / bot.DATABASE) as store, running(store, far) as client:
        games = [Players(far, client, one, trial.chance) for one in far.channels]
        far.fault = fault
        await asyncio.gather(*map(play, games))
        on = False
        for one in games:
            await trial.shown(one)
        await trial.verify(store)
    trial.broken += [one for one in trial.log.taken() if one.startswith(("ERROR", "CRITICAL"))]


# The database ----------------------------------------------------------------------------------------


class _Flaky:
    """A connection of which statements fail now and then, before they have done anything."""

    CODES = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)

    def __init__(self, connection: Any, trial: _Trial) -> None:
        self._connection = connection
        self._trial = trial
        self.failing = True

    def __getattr__(self, name: str) -> Any:
        if name in ("write", "execute_fetchall") and self.failing and self._trial.chance.random() < FAILED:
            self._trial.count["statements that failed"] += 1
            error = sqlite3.OperationalError("a fault on purpose")
            error.sqlite_errorcode = self._trial.chance.choice(self.CODES)
            raise error
        return getattr(self._connection, name)


async def _statements(folder: Path, trial: _Trial, moves: int) -> None:
    """Any statement fails now and then."""
    far = Discord(GAMES)

    async def play(players: Players) -> None:
        while trial.made < moves:
            try:
                session = await players.session()
                offers = await players.offers(session)
            except StoreError:  # ours, looking on
                continue
            offer = players.choice(session, offers)
            done = await players.move(session, offer)
            if await trial.judge(players, session, offer, done):
                continue
            trial.count["moves that were refused"] += 1
            if not any(one in done.said for one in (NOT_SAVED, INCIDENT)):
                trial.broken.append(
                    f"game {session.id}: {offer.codes} was not saved, nobody heard: {done.said!r}"
                )
            if not any(f"game={session.id} " in one and "Error" in one for one in trial.log.lines):
                trial.broken.append(f"game {session.id}: a move was not saved, and the log does not say so")

    async with open_store(folder / bot.DATABASE) as store, running(store, far) as client:
        flaky = _Flaky(store._db, trial)
        store._db = flaky  # type: ignore[assignment]
        games = [Players(far, client, one, trial.chance) for one in far.channels]
        await asyncio.gather(*map(play, games))
        flaky.failing = False
        for one in games:
            await trial.shown(one)
        await trial.verify(store)
    trial.log.taken()


# A database that refuses for a while -----------------------------------------------------------------


@asynccontextmanager
async def _full(store: SQLiteStore, path: Path) -> AsyncIterator[None]:
    """No page more than there are."""
    ((pages,),) = await store._db.execute_fetchall("PRAGMA page_count")
    await store._db.execute_fetchall(f"PRAGMA max_page_count = {pages}")
    yield
    await store._db.execute_fetchall("PRAGMA max_page_count = 1000000000")


@asynccontextmanager
async def _too_large(store: SQLiteStore, path: Path) -> AsyncIterator[None]:
    """The system refuses to let a file grow."""
    size = path.with_name(path.name + "-wal").stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@asynccontextmanager
async def _read_only(store: SQLiteStore, path: Path) -> AsyncIterator[None]:
    await store._db.execute_fetchall("PRAGMA query_only = ON")
    yield
    await store._db.execute_fetchall("PRAGMA query_only = OFF")


@asynccontextmanager
async def _locked(store: SQLiteStore, path: Path) -> AsyncIterator[None]:
    """Another process holds the lock for longer than the bot waits."""
    await store._db.execute_fetchall("PRAGMA busy_timeout = 200")
    code = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "db.execute('BEGIN EXCLUSIVE'); print('locked', flush=True); sys.stdin.read()"
    )
    other = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(path), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert other.stdout
    await other.stdout.readline()
    yield
    await other.communicate(b"")


Trouble = Callable[[SQLiteStore, Path], AbstractAsyncContextManager[None]]
#: What befalls a database while games are played, and what the log says of it.
TROUBLES: dict[str, tuple[Trouble, str]] = {
    "the disk is full": (_full, "the disk is full"),
    "the file cannot grow": (_too_large, "cannot be used"),
    "the file is read-only": (_read_only, "cannot be written"),
    "another process has locked it": (_locked, "another program has locked"),
}


async def _troubles(folder: Path, trial: _Trial) -> None:
    """The database refuses everything for a while, in several ways."""
    far, path = Discord(GAMES), folder / bot.DATABASE
    async with open_store(path) as store, running(store, far) as client:
        games = [Players(far, client, one, trial.chance) for one in far.channels]
        for name, (trouble, cause) in TROUBLES.items():
            for one in games:
                await trial.move(one)
            trial.log.taken()
            async with trouble(store, path):
                for one in games:
                    await _refused(one, name, cause, trial)
            for one in games:
                if not await trial.move(one):
                    trial.broken.append(f"channel {one.channel} does not go on after: {name}")
                await trial.shown(one)
        await trial.verify(store)


async def _refused(players: Players, name: str, cause: str, trial: _Trial) -> None:
    """Move until that is refused: then the person hears it, and the log says of which game, and why."""
    for _ in range(500):
        session = await players.session()
        offer = players.choice(session, await players.offers(session))
        done = await players.move(session, offer)
        if not await trial.judge(players, session, offer, done):
            break
    else:
        trial.broken.append(f"{name}: every move was saved")
        return
    trial.count["moves refused by a database in trouble"] += 1
    if NOT_SAVED not in done.said and INCIDENT not in done.said:
        trial.broken.append(f"{name}: the person was told {done.said!r}")
    if not any(f"game={session.id} " in one and cause in one for one in trial.log.taken()):
        trial.broken.append(f"{name}: the log does not say that game {session.id} was not saved, or why")


# A database that cannot be opened --------------------------------------------------------------------


def _cut(path: Path, chance: random.Random) -> None:
    with path.open("r+b") as file:
        file.truncate(chance.randrange(1, path.stat().st_size - 1024))


def _newer(path: Path, chance: random.Random) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")


def _no_database(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.randbytes(5000))


#: What has befallen a file before the bot starts.
DAMAGES: dict[str, tuple[Callable[[Path, random.Random], None], type[StoreError]]] = {
    "truncated": (_cut, DatabaseUnusable),
    "of a newer version": (_newer, DatabaseNewer),
    "no database": (_no_database, DatabaseUnusable),
}


async def _files(folder: Path, trial: _Trial, times: int) -> None:
    """Open files that cannot be used: it says why, and leaves them as they are."""
    whole = (folder / bot.DATABASE).read_bytes()
    for name, (damage, error) in DAMAGES.items():
        for _ in range(times):
            with tempfile.TemporaryDirectory() as place:
                path = Path(place) / bot.DATABASE
                path.write_bytes(whole)
                damage(path, trial.chance)
                before = path.read_bytes()
                try:
                    async with open_store(path):
                        trial.broken.append(f"{name}: the file was opened")
                except error as refused:
                    trial.count["files refused, with the reason"] += path.name in str(refused)
                if path.read_bytes() != before:
                    trial.broken.append(f"{name}: the bot has changed the file")
    await _unwritable(whole, trial)
    _newer(folder / bot.DATABASE, trial.chance)
    _does_not_start(folder, text("en", DatabaseNewer.id), trial)
    _does_not_start(folder / "nowhere", text("en", FolderMissing.id), trial)


async def _unwritable(whole: bytes, trial: _Trial) -> None:
    """A file that can only be read is refused as the bot starts, not at somebody's move."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / bot.DATABASE
        path.write_bytes(whole)
        path.parent.chmod(0o777)
        path.chmod(0o444)
        try:
            with as_nobody():
                async with open_store(path):
                    trial.broken.append("read-only: the file was opened")
        except DatabaseUnusable as refused:
            trial.count["files refused, with the reason"] += "cannot be written" in str(refused)
        if path.read_bytes() != whole:
            trial.broken.append("read-only: the bot has changed the file")


def _does_not_start(folder: Path, why: str, trial: _Trial) -> None:
    """Start the bot itself: it says why it cannot, and ends with 1."""
    code = "import pathlib, sys, bot; bot.HERE = pathlib.Path(sys.argv[1]); sys.exit(bot.main([]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        cwd=ROOT,
        # With a token, for the local table has a database of its own; it ends before it could connect.
        env={"KANAGAWA_DATA": str(folder), "DISCORD_TOKEN": "no.real.token"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    trial.count["starts refused, with the reason"] += 1
    if done.returncode != 1 or why not in done.stderr:
        trial.broken.append(f"the bot ended with {done.returncode}: {done.stderr[-1000:]}")


# A game that makes no sense --------------------------------------------------------------------------

_LAST = "WHERE game = :game AND version = (SELECT max(version) FROM turn WHERE game = :game)"
_PREVIOUS = "WHERE game = :game AND version = (SELECT max(version) - 1 FROM turn WHERE game = :game)"
#: What can be written into a game's rows that nobody can read.
GARBAGE = (
    "UPDATE game SET seats = 'nonsense' WHERE id = :game",
    "UPDATE game SET seats = '[]' WHERE id = :game",
    "UPDATE game SET kind = 'chess' WHERE id = :game",
    "UPDATE game SET options = '[1' WHERE id = :game",
    "UPDATE game SET asks = x'ff' WHERE id = :game",
    "UPDATE game SET handled = 'soon' WHERE id = :game",
    "UPDATE game SET host = 'nobody' WHERE id = :game",
    f"UPDATE turn SET state = x'00ff' {_LAST}",
    f"UPDATE turn SET state = 'text' {_LAST}",
    f"UPDATE turn SET state = NULL {_LAST}",
    f"UPDATE turn SET state = x'00ff' {_PREVIOUS}",
    f"UPDATE turn SET action = 'nonsense' {_LAST}",
    f"UPDATE turn SET action = 'undo.99' {_LAST}",
    f"UPDATE turn SET action = 'undo.x' {_LAST}",
    f"UPDATE turn SET seat = 'x' {_LAST}",
    f"UPDATE turn SET seat = 9 {_LAST}",
    f"DELETE FROM turn {_PREVIOUS}",
    "INSERT INTO ahead SELECT :game, seat, 'x', 'nonsense' FROM (SELECT 0 AS seat UNION SELECT 1)",
)


async def _rows(folder: Path, trial: _Trial, garbage_of: Sequence[str]) -> None:
    """One game's rows are garbage when the bot starts: either it can be played all the same, or its people
    hear that it is closed, and can begin another; all others go on.
    """
    far, path = Discord(GAMES), folder / bot.DATABASE
    async with open_store(path) as store, running(store, far) as client:
        for channel in far.channels:
            for _ in range(6):
                await trial.move(Players(far, client, channel, trial.chance))
    for number, garbage in enumerate(garbage_of):
        channel = far.channels[number % GAMES]
        async with open_store(path) as store, running(store, far) as client:
            session = await Players(far, client, channel, trial.chance).session()
            for one in far.channels:
                await trial.move(Players(far, client, one, trial.chance))
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(garbage, {"game": session.id})
        trial.log.taken()
        async with open_store(path) as store, running(store, far) as client:
            await bot.publish_all(client)
            await _damaged(far, client, channel, session, garbage, trial)
            for one in far.channels:
                try:
                    if not await trial.move(Players(far, client, one, trial.chance)):
                        trial.broken.append(f"{garbage}: a move in channel {one} was not made")
                except (Unplayable, IndexError) as error:
                    trial.broken.append(f"{garbage}: {error!r}")
                    await client.table.cancel(session.id, 0, moderator=True)
        for one in [one for one in trial.acknowledged if one[0] == session.id]:
            del trial.acknowledged[one]
    async with open_store(path) as store:
        await trial.verify(store)


async def _damaged(
    far: Discord, client: Client, channel: int, before: Session, garbage: str, trial: _Trial
) -> None:
    """Press what the table of a damaged game shows: it is done, or the people hear that it is closed."""
    message = far.messages[before.record.message or 0]
    host = before.seats[0].user
    control = next(one for one in controls(message["components"]) if one["custom_id"].endswith(MY_TABLE))
    done = await far.press(host, message, control["custom_id"]).over()
    record = await client.table.store.find(before.id)
    assert record
    lines = [one for one in trial.log.taken() if f"game={before.id} " in one]
    if record.finished is None:
        trial.count["damaged games that can be played"] += 1
        if INCIDENT in done.said or not versions(done.seen[-1]["components"]):
            trial.broken.append(f"{garbage}: the person was told {done.said!r}; {lines}")
        return
    trial.count["damaged games that are closed"] += 1
    if UNREADABLE not in done.said:
        trial.broken.append(f"{garbage}: the person was told {done.said[:300]!r}")
    if not any("cannot be read" in one for one in lines):
        trial.broken.append(f"{garbage}: the log does not say that game {before.id} is closed, or why")


def run(chance: random.Random, short: bool) -> Report:
    """Let everything fail."""
    moves = SHORT if short else MOVES
    garbage = chance.sample(GARBAGE, 4) if short else GARBAGE
    with _listening() as log, tempfile.TemporaryDirectory() as name:
        trial = _Trial(chance, log)
        folders = [Path(name) / part for part in ("discord", "statements", "troubles", "rows")]
        for folder in folders:
            folder.mkdir()
        asyncio.run(_discord(folders[0], trial.anew(), moves))
        asyncio.run(_statements(folders[1], trial.anew(), moves))
        asyncio.run(_troubles(folders[2], trial.anew()))
        asyncio.run(_rows(folders[3], trial.anew(), garbage))
        asyncio.run(_files(folders[3], trial, 2 if short else 10))
    return Report(trial.count, trial.broken)
