"""What released versions have stored goes on: every fixture, from every version, whatever interrupts it."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot import KANAGAWA
from kanagawa import transcript
from kanagawa.state import Player, State
from table.errors import DatabaseNewer, UnreadableGame
from table.standings import TABLE
from table.store import MIGRATIONS, OVER, UNREADABLE, Seat, open_store
from table.table import Table
from tests.table.stored import ENDED, FIXTURES, LOBBY, NOW, PLAYED, SOLO, advance, load, tables, version_of

ROOT = Path(__file__).parents[2]
NEWEST = len(list(MIGRATIONS.glob("*.sql")))
ALL = sorted(FIXTURES.glob("*.sql"))
each = pytest.mark.parametrize("fixture", ALL, ids=lambda fixture: fixture.stem)

Rows = dict[str, list[dict[str, Any]]]


def reading(path: Path) -> sqlite3.Connection:
    """A connection that leaves the file and what a killed process has left beside it as they are."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    return connection


def rows(path: Path) -> Rows:
    with closing(reading(path)) as connection:
        return {
            table: [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY rowid")]
            for table in tables(connection)
        }


def assert_kept(before: Rows, after: Rows) -> None:
    """Every row is still there, in every column that it had."""
    for table, were in before.items():
        assert [
            {name: row[name] for name in old}
            for old, row in zip(were, after[table], strict=table != "secret")
        ] == were


def single(path: Path, query: str) -> Any:
    with closing(reading(path)) as connection:
        return connection.execute(query).fetchone()[0]


def schema(path: Path) -> list[tuple[str, ...]]:
    with closing(reading(path)) as connection:
        return sorted(map(tuple, connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema")))


async def open_once(path: Path) -> None:
    async with open_store(path):
        pass


@pytest.fixture
async def fresh(tmp_path: Path) -> list[tuple[str, ...]]:
    """The schema of a database that today's program has made."""
    path = tmp_path / "fresh.sqlite3"
    await open_once(path)
    return schema(path)


def test_every_version_has_a_fixture_and_so_has_the_state_of_today(path: Path) -> None:
    advice = "write it with: python -m tests.table.stored NAME"
    assert {version_of(fixture) for fixture in ALL} == set(range(1, NEWEST + 1)), advice
    load(ALL[-1], path)
    state = msgspec.json.decode(single(path, "SELECT state FROM turn"))
    assert (*state,) == State.__struct_fields__, advice
    assert (*state["players"][0],) == Player.__struct_fields__, advice


@each
async def test_a_fixture_is_upgraded_and_every_row_is_still_there(
    path: Path, fixture: Path, fresh: list[tuple[str, ...]]
) -> None:
    load(fixture, path)
    before = rows(path)
    assert before["game"]
    assert before["turn"]
    await open_once(path)
    assert single(path, "PRAGMA user_version") == NEWEST
    assert schema(path) == fresh
    assert_kept(before, rows(path))


@each
async def test_the_games_of_a_fixture_go_on_to_their_scores(path: Path, fixture: Path) -> None:
    load(fixture, path)
    async with open_store(path) as store:
        table = Table(store, [KANAGAWA], now=lambda: NOW)
        lobby = await table.at(LOBBY)
        await table.start(lobby.id, lobby.record.host, seed=1)
        for channel in (PLAYED, SOLO, LOBBY):
            session = await table.at(channel)
            told = await table.happened(session, 1)
            assert len(told) == len(session.line) - 1
            session = await advance(table, session)
            assert session.record.finished == OVER
            assert transcript.result(session.state)["winners"]
        (ended,) = await table.ended(ENDED)
        assert (await table.states(ended))[-1] == ended.state
        await table.standings(None, TABLE, 1)
        games = await store._db.execute_fetchall("SELECT id FROM game ORDER BY id")
        assert [await store.result(game) is not None for (game,) in games] == [True] * 4


#: What a state is replaced by, in SQL.
GARBAGE = {
    "nothing": "NULL",
    "noise": "X'ff7b'",
    "half": "CAST(substr(state, 1, length(state) / 2) AS BLOB)",
    "another-shape": """CAST('{"mode": "table", "deck": [], "players": 7}' AS BLOB)""",
    "unknown-cards": "CAST(replace(CAST(state AS TEXT), '\"A0', '\"Z0') AS BLOB)",
}


@each
@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
async def test_a_state_that_cannot_be_read_closes_its_game_and_no_other(
    path: Path, fixture: Path, garbage: str
) -> None:
    load(fixture, path)
    game = single(path, f"SELECT id FROM game WHERE channel = {PLAYED}")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            f"UPDATE turn SET state = {garbage}"
            " WHERE game = ?1 AND version = (SELECT max(version) FROM turn WHERE game = ?1)",
            (game,),
        )
    before = {"turn": turns_of(game, path)}
    async with open_store(path) as store:
        table = Table(store, [KANAGAWA], now=lambda: NOW)
        assert (await table.live())[0].channel == PLAYED
        with pytest.raises(UnreadableGame):
            await table.at(PLAYED)
        assert [record.channel for record in await table.live()] == [SOLO, LOBBY]
        closed = await store.find(game)
        assert closed
        assert closed.finished == UNREADABLE
        assert (await advance(table, await table.at(SOLO))).record.finished == OVER
        await table.open(KANAGAWA.kind, PLAYED, Seat(11, "Ann"), {"mode": "table"})
    assert_kept(before, {"turn": turns_of(game, path)})


def turns_of(game: int, path: Path) -> list[dict[str, Any]]:
    return [row for row in rows(path)["turn"] if row["game"] == game]


@each
async def test_a_program_that_knows_less_refuses_and_changes_nothing(
    path: Path, fixture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(fixture, path)
    before = path.read_bytes()
    older = tmp_path / "migrations"
    older.mkdir()
    for script in sorted(MIGRATIONS.glob("*.sql"))[: version_of(fixture) - 1]:
        (older / script.name).write_bytes(script.read_bytes())
    monkeypatch.setattr("table.store.MIGRATIONS", older)
    with pytest.raises(DatabaseNewer):
        await open_once(path)
    assert path.read_bytes() == before


# Interrupted ----------------------------------------------------------------------------------------

#: Opens copies of a database, each in a process that is killed one statement later than the one before,
#: until one is not.
KILL_AT_EACH_STATEMENT = """
import asyncio, os, shutil, signal, sqlite3, sys
from itertools import count
from pathlib import Path
from table.store import open_store

source, folder = map(Path, sys.argv[1:])
connect = sqlite3.connect

def open_until(left, path):
    def traced(statement):
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
    def connect_traced(*arguments, **options):
        connection = connect(*arguments, **options)
        connection.set_trace_callback(traced)
        return connection
    async def opened():
        async with open_store(path):
            pass
    sqlite3.connect = connect_traced
    asyncio.run(opened())

for statements in count():
    path = folder / f"{statements:03}.sqlite3"
    shutil.copy(source, path)
    process = os.fork()
    if not process:
        try:
            open_until(statements, path)
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitpid(process, 0)[1]
    if not os.WIFSIGNALED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.parametrize("fixture", [None, *ALL], ids=lambda fixture: fixture.stem if fixture else "nothing")
async def test_a_process_killed_at_any_statement_of_an_upgrade_is_made_good_by_the_next_one(
    path: Path, fixture: Path | None, tmp_path: Path, fresh: list[tuple[str, ...]]
) -> None:
    if fixture is None:
        path.touch()
    else:
        load(fixture, path)
    before = rows(path)
    folder = tmp_path / "interrupted"
    folder.mkdir()
    killing = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILL_AT_EACH_STATEMENT, path, folder, cwd=ROOT, stderr=subprocess.PIPE
    )
    _, errors = await killing.communicate()
    assert killing.returncode == 0, errors.decode()
    reached: set[int] = set()
    for interrupted in sorted(folder.glob("*.sqlite3")):
        reached.add(single(interrupted, "PRAGMA user_version"))
        await open_once(interrupted)
        assert single(interrupted, "PRAGMA user_version") == NEWEST
        assert single(interrupted, "PRAGMA integrity_check") == "ok"
        assert schema(interrupted) == fresh
        assert_kept(before, rows(interrupted))
    assert reached == set(range(version_of(fixture) if fixture else 0, NEWEST + 1))
