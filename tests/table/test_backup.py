"""Backups: one moment of the database, made beside a bot that runs, and played on from."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import table.store
from bot import KANAGAWA
from table.errors import NoBackup
from table.store import OVER, Turn, back_up, open_store
from table.table import Table
from tests.table.stored import FIXTURES, NOW, PLAYED, SOLO, advance, load
from tests.table.test_sqlite import RECORD, ROOT, SAVE_UNTIL_KILLED, keep, plain

NEWEST = max(FIXTURES.glob("*.sql"))


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder but those that SQLite has beside an open database."""
    found = (one for one in folder.rglob("*") if not one.name.endswith(("-shm", "-wal", ".lock")))
    return {one.name: one.read_bytes() if one.is_file() else b"" for one in found}


def refusal(path: Path, target: Path) -> str:
    """Why no backup is made; nothing has changed and nothing is left."""
    before = files(path.parent)
    with pytest.raises(NoBackup) as caught:
        back_up(path, target)
    assert files(path.parent) == before
    return str(caught.value)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "copy.sqlite3"


async def test_a_backup_is_one_file_that_holds_everything_and_the_store_goes_on(
    path: Path, target: Path
) -> None:
    async with open_store(path) as store:
        game = await store.create(RECORD)
        await store.save(game, Turn(0, None, None), b"start")
        before = files(path.parent)
        back_up(path, target)
        assert files(path.parent).keys() == {*before, target.name}
        await store.save(game, Turn(1, 0, "add.1"), b"next")
    assert not list(target.parent.glob("copy.sqlite3?*"))
    async with open_store(target) as copy:
        assert await copy.turns(game) == [Turn(0, None, None)]
        assert await copy.state(game, 0) == b"start"


class Saving:
    """Another process that saves one version after another."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def acknowledged(self, count: int) -> int:
        """The newest version of which it says that it is saved, after so many more."""
        assert self.process.stdout
        return [int((await self.process.stdout.readline()).split()[1]) for _ in range(count)][-1]


@asynccontextmanager
async def saving(path: Path) -> AsyncGenerator[Saving]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SAVE_UNTIL_KILLED, path, "1", cwd=ROOT, stdout=subprocess.PIPE
    )
    try:
        yield Saving(process)
    finally:
        process.kill()
        await process.communicate()


async def test_backups_beside_a_process_that_saves_are_whole_and_do_not_hold_it_up(
    path: Path, tmp_path: Path
) -> None:
    async with saving(path) as other:
        for number in range(5):
            acknowledged = await other.acknowledged(20)
            copy = tmp_path / f"copy-{number}.sqlite3"
            await asyncio.to_thread(back_up, path, copy)
            with plain(copy) as connection:
                turns = connection.execute("SELECT version, state FROM turn ORDER BY version").fetchall()
            assert len(turns) > acknowledged
            assert turns == [(version, b"state %d" % version * 100) for version in range(len(turns))]
        assert await other.acknowledged(20)


async def test_a_restored_backup_plays_on(path: Path, target: Path) -> None:
    load(NEWEST, path)
    async with open_store(path) as store:
        games = Table(store, [KANAGAWA], now=lambda: NOW)
        then = await advance(games, await games.at(PLAYED), 5)
        back_up(path, target)
        await advance(games, then)
        await advance(games, await games.at(SOLO))
    path.write_bytes(target.read_bytes())
    async with open_store(path) as store:
        games = Table(store, [KANAGAWA], now=lambda: NOW)
        restored = await games.at(PLAYED)
        assert restored.record.floor > then.version + 999, "no version has the number of a lost one"
        record = msgspec.structs.replace(restored.record, floor=0)
        assert replace(restored, record=record) == then
        for channel in (PLAYED, SOLO):
            assert (await advance(games, await games.at(channel))).record.finished == OVER


async def test_what_a_killed_bot_has_left_in_the_log_is_in_the_backup(path: Path, target: Path) -> None:
    async with saving(path) as other:
        acknowledged = await other.acknowledged(10)
    back_up(path, target)
    with plain(target) as connection:
        assert connection.execute("SELECT max(version) FROM turn").fetchone()[0] >= acknowledged


async def test_what_is_there_is_not_overwritten(path: Path, target: Path) -> None:
    await keep(path)
    target.write_bytes(b"an older backup")
    assert "there already" in refusal(path, target)
    assert "there already" in refusal(path, path)
    assert "there already" in refusal(path, path.parent)


def test_without_a_database_there_is_none_made(path: Path, target: Path) -> None:
    assert "no database" in refusal(path, target)


async def test_a_missing_folder_is_named(path: Path, tmp_path: Path) -> None:
    await keep(path)
    assert str(tmp_path / "none") in refusal(path, tmp_path / "none" / "copy.sqlite3")


def test_what_is_no_database_is_said_to_be_none(path: Path, target: Path) -> None:
    path.write_bytes(b"a poem about waves, and long enough for no header to be missing " * 20)
    assert "not a database" in refusal(path, target)


async def test_of_a_damaged_database_there_is_no_backup(path: Path, target: Path) -> None:
    async with open_store(path) as store:
        game = await store.create(RECORD)
        for version in range(50):
            await store.save(game, Turn(version, 0, "add.1"), bytes(500))
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 64] = b"\xff" * 64
    path.write_bytes(data)
    assert "damaged" in refusal(path, target)


async def test_another_program_s_lock_is_not_waited_for_without_end(
    path: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.store, "BUSY_TIMEOUT", 0.01)
    await keep(path)
    with plain(path) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        assert "locked" in refusal(path, target)


async def test_a_full_disk_is_said_to_be(path: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await keep(path)
    connect = sqlite3.connect

    def connect_to_a_small_disk(file: Any, *arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(file, *arguments, **options)
        if Path(file).name == target.name:
            connection.execute("PRAGMA max_page_count = 2")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_to_a_small_disk)
    assert "disk is full" in refusal(path, target)


async def test_what_cannot_be_put_on_the_disk_leaves_nothing(
    path: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(path)

    def fsync(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)
    assert "No space left" in refusal(path, target)


def test_a_backup_is_one_moment_also_while_much_is_written(path: Path, tmp_path: Path) -> None:
    """What was written together is in the copy together: two tables never differ in it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        made.executescript("PRAGMA journal_mode = WAL; CREATE TABLE a (n); CREATE TABLE z (n);")
        made.executescript("CREATE TABLE filling (x);")
        made.executemany("INSERT INTO filling VALUES (zeroblob(40000))", [()] * 200)
    stop = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=5)) as writer:
            number = 0
            while not stop.is_set():
                number += 1
                writer.executescript(
                    f"BEGIN IMMEDIATE; INSERT INTO a VALUES ({number});"
                    f" INSERT INTO z VALUES ({number}); COMMIT"
                )

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for number in range(4):
            copy = tmp_path / f"copy-{number}.sqlite3"
            back_up(path, copy)
            with closing(sqlite3.connect(copy)) as read:
                first, second = (read.execute(f"SELECT count(*) FROM {name}").fetchone() for name in "az")
            assert first == second
    finally:
        stop.set()
        thread.join()
