"""The file itself: opening, upgrading, refusing, and what is left after a crash."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Coroutine, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest

import table.store
from table.errors import (
    ChannelBusy,
    DatabaseDamaged,
    DatabaseInUse,
    DatabaseLocked,
    DatabaseNewer,
    DatabaseUnusable,
    FolderMissing,
    Stale,
    StoreError,
    UnreadableGame,
)
from table.store import MIGRATIONS, OVER, Record, Seat, SQLiteStore, Turn, back_up, check, open_store
from table.table import Table
from tests.table.conftest import second_connection
from tests.table.counting import COUNTING

RECORD = Record(channel=5, kind="counting", host=11, seats=(Seat(11, "Ann"),))
ROOT = Path(__file__).parents[2]


@contextmanager
def plain(path: Path) -> Generator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


async def keep(path: Path) -> int:
    """A database with one game of two versions; the game's ID."""
    async with open_store(path) as store:
        game = await store.create(RECORD)
        await store.save(game, Turn(0, None, None), b"start")
        await store.save(game, Turn(1, 0, "add.1"), b"next")
        return game


async def refusal(path: Path, kind: type[StoreError]) -> str:
    """The message with which opening is refused; the file is as it was before."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(kind) as caught:
        async with open_store(path):
            pass
    assert isinstance(caught.value, kind)
    assert (path.read_bytes() if path.is_file() else None) == before
    return str(caught.value)


# Opening ---------------------------------------------------------------------------------------------


async def test_what_was_saved_is_there_after_a_restart(path: Path) -> None:
    game = await keep(path)
    async with open_store(path) as store:
        assert await store.turns(game) == [Turn(0, None, None), Turn(1, 0, "add.1")]
        assert await store.state(game, 1) == b"next"


async def test_saves_are_durable(path: Path) -> None:
    async with open_store(path) as store:
        (mode,) = next(iter(await store._db.execute_fetchall("PRAGMA journal_mode")))
        (synchronous,) = next(iter(await store._db.execute_fetchall("PRAGMA synchronous")))
        (foreign_keys,) = next(iter(await store._db.execute_fetchall("PRAGMA foreign_keys")))
        assert (mode, synchronous, foreign_keys) == ("wal", 2, 1)


async def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert str(tmp_path / "none") in await refusal(tmp_path / "none" / "games.sqlite3", FolderMissing)


async def test_a_folder_in_place_of_the_file_is_refused(path: Path) -> None:
    path.mkdir()
    assert str(path) in await refusal(path, DatabaseUnusable)


async def test_a_lock_file_that_cannot_be_made_is_named(path: Path) -> None:
    path.with_name(path.name + ".lock").mkdir()
    assert ".lock" in await refusal(path, DatabaseUnusable)


async def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"a poem about waves, and long enough for no header to be missing " * 20)
    assert "not a database" in await refusal(path, DatabaseUnusable)


async def test_a_truncated_database_is_refused(path: Path) -> None:
    await keep(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert "damaged" in await refusal(path, DatabaseUnusable)


async def test_a_database_with_a_damaged_page_is_refused_before_a_game_meets_it(path: Path) -> None:
    async with open_store(path) as store:
        game = await store.create(RECORD)
        for version in range(50):
            await store.save(game, Turn(version, 0, "add.1"), bytes(500))
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 64] = b"\xff" * 64
    path.write_bytes(data)
    assert "damaged" in await refusal(path, DatabaseUnusable)


async def test_a_database_of_a_newer_version_is_refused(path: Path) -> None:
    await keep(path)
    with plain(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA user_version = 1000")
    assert "update it" in await refusal(path, DatabaseNewer)


async def test_a_refused_database_can_be_opened_when_the_cause_is_gone(path: Path) -> None:
    path.mkdir()
    await refusal(path, DatabaseUnusable)
    path.rmdir()
    assert await keep(path)


# One bot only ----------------------------------------------------------------------------------------


async def test_a_second_bot_is_kept_out_until_the_first_has_gone(path: Path) -> None:
    async with open_store(path):
        with pytest.raises(DatabaseInUse, match="another bot is running"):
            async with open_store(path):
                pass
    async with open_store(path) as store:
        assert await store.live() == []


OPEN_FROM_OUTSIDE = """
import asyncio, sys
from pathlib import Path
from table.errors import StoreError
from table.store import open_store
async def main():
    async with open_store(Path(sys.argv[1])):
        pass
try:
    asyncio.run(main())
except StoreError as error:
    print(type(error).__name__)
"""


async def test_a_second_process_is_kept_out(path: Path) -> None:
    async with open_store(path):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", OPEN_FROM_OUTSIDE, path, cwd=ROOT, stdout=subprocess.PIPE
        )
        assert (await process.communicate())[0].split() == [b"DatabaseInUse"]


#: Saves one version after another in so many games at once, and says of each that it is saved.
SAVE_UNTIL_KILLED = """
import asyncio, sys
from pathlib import Path
from table.store import Record, Seat, Turn, open_store
async def play(store, channel):
    game = await store.create(Record(channel=channel, kind="counting", host=11, seats=(Seat(11, "Ann"),)))
    for version in range(1_000_000):
        await store.save(game, Turn(version, 0, "add.1"), b"state %d" % version * 100)
        print(game, version, flush=True)
async def main():
    async with open_store(Path(sys.argv[1])) as store:
        await asyncio.gather(*(play(store, channel) for channel in range(int(sys.argv[2]))))
asyncio.run(main())
"""


@pytest.mark.parametrize("games", [1, 8])
async def test_a_killed_process_loses_nothing_that_was_acknowledged_and_lets_go_of_the_file(
    path: Path, games: int
) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SAVE_UNTIL_KILLED, path, str(games), cwd=ROOT, stdout=subprocess.PIPE
    )
    assert process.stdout
    lines = [await process.stdout.readline() for _ in range(30 * games)]
    process.kill()
    lines += (await process.communicate())[0].splitlines(keepends=True)
    assert process.returncode == -signal.SIGKILL
    said = [line.split() for line in lines if line.endswith(b"\n")]
    acknowledged = {int(game): int(version) for game, version in said}
    assert len(acknowledged) == games
    async with open_store(path) as store:
        for game, newest in acknowledged.items():
            versions = [turn.version for turn in await store.turns(game)]
            assert versions == list(range(len(versions)))
            assert versions[-1] >= newest
            assert await store.state(game, versions[-1]) == b"state %d" % versions[-1] * 100


# Many at once ----------------------------------------------------------------------------------------


async def at_once(store: SQLiteStore, *writes: Coroutine[Any, Any, Any]) -> list[Any]:
    """What comes of writes that all wait before the first of them is done."""
    gate = threading.Event()
    held_up = asyncio.create_task(store._db._execute(gate.wait))
    await asyncio.sleep(0)
    waiting = asyncio.gather(*writes, return_exceptions=True)
    await asyncio.sleep(0)
    gate.set()
    await held_up
    return await waiting


async def _in_transaction(store: SQLiteStore) -> bool:
    return await store._db._execute(lambda: store._db.in_transaction)


async def test_what_waits_together_is_put_on_the_disk_together(path: Path) -> None:
    async with open_store(path) as store:
        games = [
            await store.create(msgspec.structs.replace(RECORD, channel=channel)) for channel in range(10)
        ]
        ran: list[str] = []
        await store._db.set_trace_callback(lambda statement: ran.append(statement.split()[0]))
        saves = (store.save(game, Turn(0, None, None), b"start") for game in games)
        assert await at_once(store, *saves) == [None] * 10
        assert ran == ["BEGIN", *["INSERT"] * 10, "COMMIT"]
        with plain(path) as other:
            assert other.execute("SELECT count(*) FROM turn").fetchone() == (10,)


async def test_of_what_waits_together_each_has_its_own_result(path: Path) -> None:
    async with open_store(path) as store:
        game = await store.create(RECORD)
        elsewhere = msgspec.structs.replace(RECORD, channel=6)
        saved, stale, busy, unfit, created, moved = await at_once(
            store,
            store.save(game, Turn(0, None, None), b"start"),
            store.save(game, Turn(0, None, None), b"rival"),
            store.create(RECORD),
            store.update(game, message=2**64),
            store.create(elsewhere),
            store.update(game, channel=7),
        )
        assert saved is moved is None
        assert isinstance(stale, Stale)
        assert isinstance(busy, ChannelBusy)
        assert isinstance(unfit, OverflowError)
        assert not await _in_transaction(store)
        with plain(path) as other:
            assert other.execute("SELECT state FROM turn").fetchall() == [(b"start",)]
            found = other.execute("SELECT id, channel, message FROM game ORDER BY id").fetchall()
            assert found == [(game, 7, None), (created, 6, None)]


async def test_a_disk_that_is_full_for_one_is_not_for_what_waits_beside_it(path: Path) -> None:
    async with open_store(path) as store:
        game = await store.create(RECORD)
        await store._db.execute_fetchall("PRAGMA max_page_count = 1")  # SQLite takes the present size
        large, small = await at_once(
            store,
            store.save(game, Turn(0, None, None), bytes(100_000)),
            store.save(game, Turn(1, None, None), b"start"),
        )
        assert isinstance(large, DatabaseUnusable)
        assert small is None
        assert not await _in_transaction(store)
        assert [turn.version for turn in await store.turns(game)] == [1]


async def test_who_stops_waiting_holds_up_nobody(path: Path) -> None:
    async with open_store(path) as store:
        game = await store.create(RECORD)

        async def impatient() -> None:
            async with asyncio.timeout(0):
                await store.save(game, Turn(0, None, None), b"start")

        given_up, saved = await at_once(store, impatient(), store.save(game, Turn(1, 0, "add.1"), b"next"))
        assert isinstance(given_up, TimeoutError)
        assert saved is None
        assert [turn.version for turn in await store.turns(game)] == [0, 1]


# Others at the same file -----------------------------------------------------------------------------


async def test_a_file_locked_by_another_program_is_said_to_be(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.store, "BUSY_TIMEOUT", 0.01)
    with plain(path) as other:
        other.execute("CREATE TABLE foreign_table (id)")
        other.execute("BEGIN EXCLUSIVE")
        assert "locked" in await refusal(path, DatabaseLocked)


async def test_a_write_that_another_program_blocks_fails_typed_and_succeeds_later(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.store, "BUSY_TIMEOUT", 0.01)
    async with open_store(path) as store:
        game = await store.create(RECORD)
        with plain(path) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(DatabaseLocked):
                await store.save(game, Turn(0, None, None), b"start")
            assert await store.turns(game) == []
        await store.save(game, Turn(0, None, None), b"start")
        assert await store.state(game, 0) == b"start"


async def test_a_full_disk_is_said_to_be_and_what_was_saved_stays(path: Path) -> None:
    async with open_store(path) as store:
        game = await store.create(RECORD)
        await store.save(game, Turn(0, None, None), b"start")
        await store._db.execute_fetchall("PRAGMA max_page_count = 1")  # SQLite takes the present size
        with pytest.raises(DatabaseUnusable, match="disk is full"):
            await store.save(game, Turn(1, 0, "add.1"), bytes(100_000))
        assert await store.turns(game) == [Turn(0, None, None)]
        await store._db.execute_fetchall("PRAGMA max_page_count = 1000000")
        await store.save(game, Turn(1, 0, "add.1"), bytes(100_000))


async def test_a_file_that_can_only_be_read_is_refused_at_once_and_left_as_it_is() -> None:
    with TemporaryDirectory() as place:  # for pytest's own folders are closed to others
        path = Path(place) / "games.sqlite3"
        path.parent.chmod(0o777)
        async with open_store(path) as store:
            await store.create(RECORD)
        path.with_name(path.name + ".lock").unlink()
        path.chmod(0o444)
        before = path.read_bytes()
        with as_nobody(), pytest.raises(DatabaseUnusable, match="cannot be written"):
            async with open_store(path):
                pass
        assert path.read_bytes() == before
        path.chmod(0o644)
        async with open_store(path) as store:
            assert len(await store.live()) == 1


@contextmanager
def as_nobody() -> Generator[None]:
    """Without the rights of root, who may write whatever the file says; others have none to lose."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


async def test_a_file_that_has_become_read_only_is_said_to_be(path: Path) -> None:
    async with open_store(path) as store:
        await store._db.execute_fetchall("PRAGMA query_only = ON")
        with pytest.raises(DatabaseUnusable, match="cannot be written"):
            await store.create(RECORD)


async def test_of_saves_through_many_connections_one_wins_each_version(path: Path) -> None:
    async with open_store(path) as first, second_connection(path) as second, second_connection(path) as third:
        game = await first.create(RECORD)
        for version in range(20):
            saves = [
                store.save(game, Turn(version, seat, "add.1"), b"%d" % seat)
                for seat, store in enumerate((first, second, third) * 3)
            ]
            results = await asyncio.gather(*saves, return_exceptions=True)
            assert results.count(None) == 1
            assert sum(isinstance(result, Stale) for result in results) == 8
            assert await second.state(game, version) == b"%d" % results.index(None)


async def test_of_games_created_through_many_connections_a_channel_has_one(path: Path) -> None:
    async with open_store(path) as first, second_connection(path) as second:
        creations = [store.create(RECORD) for store in (first, second) * 5]
        results = await asyncio.gather(*creations, return_exceptions=True)
        assert sum(isinstance(result, ChannelBusy) for result in results) == 9
        assert len(await first.live()) == 1


# Damaged rows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "garbage"),
    [
        ("seats", "["),
        ("seats", '[{"name": "nobody"}]'),
        ("seats", b"\xff\xfe"),
        ("options", "7"),
        ("host", "the host"),
        ("message", "a message"),
        ("locale", b"\x00"),
    ],
)
async def test_a_damaged_row_shows_without_kind_and_hides_no_other(
    path: Path, column: str, garbage: str | bytes
) -> None:
    game = await keep(path)
    with plain(path) as connection:
        connection.execute(f"UPDATE game SET {column} = ? WHERE id = ?", (garbage, game))
    async with open_store(path) as store:
        healthy = await store.create(Record(channel=6, kind="counting", host=11, seats=(Seat(11, "Ann"),)))
        assert [(one.id, one.kind) for one in await store.live()] == [(game, ""), (healthy, "counting")]
        found = await store.find(game)
        assert found
        assert (found.id, found.channel, found.kind, found.seats) == (game, 5, "", ())


# Migrations ------------------------------------------------------------------------------------------


def scripts() -> list[Path]:
    return sorted(MIGRATIONS.glob("*.sql"))


def test_the_migrations_are_numbered_without_a_gap() -> None:
    assert [int(script.name[:4]) for script in scripts()] == list(range(1, len(scripts()) + 1))


@pytest.fixture
def upgrade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The script of a version to come, still to be written, in a copy of the migrations."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    for script in scripts():
        (folder / script.name).write_bytes(script.read_bytes())
    monkeypatch.setattr(table.store, "MIGRATIONS", folder)
    return folder / f"{len(scripts()) + 1:04}_later.sql"


async def test_a_migration_that_fails_leaves_nothing_of_itself(path: Path, upgrade: Path) -> None:
    game = await keep(path)
    upgrade.write_text("ALTER TABLE game ADD COLUMN pace TEXT; DELETE FROM turn; SELECT * FROM nothing;")
    with pytest.raises(DatabaseUnusable, match="nothing"):
        async with open_store(path):
            pass
    upgrade.write_text("ALTER TABLE game ADD COLUMN pace TEXT;")
    async with open_store(path) as store:
        assert len(await store.turns(game)) == 2
        (version,) = next(iter(await store._db.execute_fetchall("PRAGMA user_version")))
        assert version == len(scripts()) + 1
        await store._db.execute_fetchall("SELECT pace FROM game")


async def test_an_older_program_refuses_what_a_newer_one_has_upgraded(
    path: Path, upgrade: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade.write_text("ALTER TABLE game ADD COLUMN pace TEXT;")
    await keep(path)
    monkeypatch.setattr(table.store, "MIGRATIONS", MIGRATIONS)
    await refusal(path, DatabaseNewer)


# The end of a game -----------------------------------------------------------------------------------


async def test_ending_a_game_and_dropping_its_states_are_one_statement(path: Path) -> None:
    """So that a crash finds both done or neither: another connection never sees one alone."""
    async with open_store(path) as store:
        game = await store.create(RECORD)
        for version in range(4):
            await store.save(game, Turn(version, 0, "add.1"), b"state")
        before = await _changes(store)
        await store.update(game, finished=OVER)
        assert await _changes(store) == before + 7  # game, seat, count of games, two states, two lists to do
        with plain(path) as other:
            found = other.execute("SELECT count(state) FROM turn").fetchone()
            assert found == (2,)


async def _changes(store: SQLiteStore) -> int:
    return next(iter(await store._db.execute_fetchall("SELECT total_changes()")))[0]


# Who may look at it ----------------------------------------------------------------------------------


def rights(folder: Path) -> dict[str, int]:
    return {one.name: one.stat().st_mode & 0o777 for one in folder.iterdir() if one.is_file()}


@pytest.mark.skipif(os.name != "posix", reason="Windows knows no such rights")
async def test_nobody_else_may_read_the_files_whatever_the_umask_is(path: Path, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        async with open_store(path) as store:
            await store.create(RECORD)
            back_up(path, tmp_path / "games-copy.sqlite3")
            found = rights(tmp_path)
    finally:
        os.umask(before)
    assert {one.removeprefix(path.name) for one in found} >= {"", "-wal", "-shm", ".lock"}
    assert set(found.values()) == {0o600}


@pytest.mark.skipif(os.name != "posix", reason="Windows knows no such rights")
async def test_files_of_an_older_program_are_closed_to_others_and_the_log_says_so(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    await keep(path)
    backup, other = path.with_name("games-20260101T000000Z.sqlite3"), path.with_name("notes.txt")
    back_up(path, backup)
    other.touch()
    for one in (path, backup, other, path.with_name(path.name + ".lock")):
        one.chmod(0o644)
    async with open_store(path):
        assert {*rights(path.parent).items()} >= {(path.name, 0o600), (backup.name, 0o600)}
        assert rights(path.parent)[other.name] == 0o644
    assert caplog.text.count("by its owner alone") == 3


@pytest.mark.parametrize("link", ["symbolic", "hard"])
async def test_a_second_bot_is_kept_out_by_another_name_of_the_file_too(
    path: Path, tmp_path: Path, link: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    other = elsewhere / "mine.sqlite3"
    await keep(path)
    if link == "hard":
        other.hardlink_to(path)
    else:
        other.symlink_to(path)
    for held, tried in ((path, other), (other, path)):
        async with open_store(held):
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", OPEN_FROM_OUTSIDE, tried, cwd=ROOT, stdout=subprocess.PIPE
            )
            assert (await process.communicate())[0].split() == [b"DatabaseInUse"]
    assert await keep_nothing(other)


async def keep_nothing(path: Path) -> bool:
    async with open_store(path) as store:
        return bool(await store.live())


# Large databases, and damage that is met later -------------------------------------------------------


async def reading(store: SQLiteStore, game: int) -> type[Exception] | None:
    """How reading all that is kept of a game fails."""
    try:
        await store.turns(game)
        for version in range(10):
            await store.state(game, version)
    except StoreError as error:
        return type(error)
    return None


async def test_damage_in_a_large_database_is_met_by_its_game_alone_and_found_on_demand(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_store(path) as store:
        games = [
            await store.create(msgspec.structs.replace(RECORD, channel=number, host=number, seats=()))
            for number in range(30)
        ]
        for game in games:
            for version in range(10):
                await store.save(game, Turn(version, 0, "add.1"), bytes(1000) + b"%d" % game)
    check(path)
    data = bytearray(path.read_bytes())
    place = data.find(b"%d" % games[15])
    for page in range(place // 4096, place // 4096 + 4):
        data[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(data)
    monkeypatch.setattr(table.store, "READ_THROUGH", 0)
    async with open_store(path) as store:
        found = [await reading(store, game) for game in games]
        assert 0 < found.count(DatabaseDamaged) < 15
        assert found.count(None) + found.count(DatabaseDamaged) == 30
        damaged = games[found.index(DatabaseDamaged)]
        with pytest.raises(UnreadableGame):
            await Table(store, [COUNTING]).get(damaged)
        assert damaged not in [one.id for one in await store.live()], "its channel is free"
        assert await store.create(msgspec.structs.replace(RECORD, channel=99))
    with pytest.raises(DatabaseUnusable, match="damaged"):
        check(path)


async def test_a_large_database_that_is_cut_off_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(path)
    monkeypatch.setattr(table.store, "READ_THROUGH", 0)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert "damaged" in await refusal(path, DatabaseUnusable)


async def test_what_is_no_database_cannot_be_checked(path: Path) -> None:
    with pytest.raises(DatabaseUnusable, match="there is no database"):
        check(path)
    path.write_bytes(b"a poem about waves, and long enough for no header to be missing " * 20)
    with pytest.raises(DatabaseUnusable, match="not a database"):
        check(path)
