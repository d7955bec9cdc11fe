"""Databases of every released version are upgraded, interrupted, damaged, and played on."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from tempfile import TemporaryDirectory

from bot import KANAGAWA
from table.errors import UnreadableGame
from table.store import OVER, UNREADABLE, open_store
from table.table import Table
from tests.stress.report import Report
from tests.table.stored import FIXTURES, LOBBY, NOW, PLAYED, SOLO, advance, load, version_of
from tests.table.test_upgrades import GARBAGE, KILL_AT_EACH_STATEMENT, NEWEST, ROOT, open_once, rows, single

#: The fields of the report, in order.
OPENED, PLAYED_ON, KILLED, GARBAGED, MUTATED = (
    "databases of older versions opened",
    "games of theirs played to the score",
    "processes killed while upgrading, and made good",
    "games with garbage closed, others played on",
    "states with a byte changed: decoded, or the game closed",
)


def run(chance: random.Random, short: bool) -> Report:
    """All fixtures; in short one of them is interrupted and less is damaged."""
    return asyncio.run(_run(chance, short))


async def _run(chance: random.Random, short: bool) -> Report:
    figures, broken = (
        Counter[str](dict.fromkeys((OPENED, PLAYED_ON, KILLED, GARBAGED, MUTATED), 0)),
        list[str](),
    )
    fixtures = sorted(FIXTURES.glob("*.sql"))
    for fixture in fixtures:
        with TemporaryDirectory() as folder:
            await _play_on(fixture, Path(folder) / "games.sqlite3", figures, broken)
    for fixture in chance.sample(fixtures, 1) if short else fixtures:
        with TemporaryDirectory() as folder:
            await _interrupt(fixture, Path(folder), figures, broken)
    for _ in range(2 if short else 40):
        with TemporaryDirectory() as folder:
            await _damage(chance, chance.choice(fixtures), Path(folder) / "games.sqlite3", figures, broken)
    for _ in range(10 if short else 200):
        with TemporaryDirectory() as folder:
            await _mutate(chance, chance.choice(fixtures), Path(folder) / "games.sqlite3", figures, broken)
    return Report(figures, broken)


@asynccontextmanager
async def _table(path: Path) -> AsyncGenerator[Table]:
    async with open_store(path) as store:
        yield Table(store, [KANAGAWA], now=lambda: NOW)


async def _play_on(fixture: Path, path: Path, figures: Counter[str], broken: list[str]) -> None:
    load(fixture, path)
    async with _table(path) as table:
        figures[OPENED] += 1
        lobby = await table.at(LOBBY)
        await table.start(lobby.id, lobby.record.host, seed=1)
        for record in await table.live():
            session = await advance(table, await table.get(record.id))
            figures[PLAYED_ON] += session.record.finished == OVER
            if session.record.finished != OVER:
                broken.append(f"{fixture.name}: game {session.id} did not come to its score")


async def _interrupt(fixture: Path, folder: Path, figures: Counter[str], broken: list[str]) -> None:
    """Kill the upgrade at each of its statements, and open what is left."""
    source, there = folder / "source.sqlite3", folder / "interrupted"
    there.mkdir()
    load(fixture, source)
    turns = rows(source)["turn"]
    killing = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILL_AT_EACH_STATEMENT, source, there, cwd=ROOT, stderr=subprocess.DEVNULL
    )
    if await killing.wait():
        broken.append(f"{fixture.name}: the upgrade itself failed")
    for path in sorted(there.glob("*.sqlite3")):
        await open_once(path)
        figures[KILLED] += 1
        kept = [{name: row[name] for name in old} for old, row in zip(turns, rows(path)["turn"], strict=True)]
        whole = (
            single(path, "PRAGMA integrity_check") == "ok" and single(path, "PRAGMA user_version") == NEWEST
        )
        if not whole or kept != turns:
            broken.append(f"{fixture.name}: not made good after {path.stem} statements")


async def _damage(
    chance: random.Random, fixture: Path, path: Path, figures: Counter[str], broken: list[str]
) -> None:
    """One game's newest state is no state: it closes, and the other one goes on."""
    load(fixture, path)
    _change(path, GARBAGE[chance.choice(sorted(GARBAGE))])
    async with _table(path) as table:
        try:
            await table.at(PLAYED)
            broken.append(f"{fixture.name}: garbage was played on")
        except UnreadableGame:
            figures[GARBAGED] += (await advance(table, await table.at(SOLO), 5)).version > 0
        closed = await table.store.find(single(path, f"SELECT {_GAME}"))
        if closed is None or closed.finished != UNREADABLE:
            broken.append(f"{fixture.name}: a game with garbage was not closed")


async def _mutate(
    chance: random.Random, fixture: Path, path: Path, figures: Counter[str], broken: list[str]
) -> None:
    """One byte of a state is another one: the game goes on or closes, and nothing worse."""
    load(fixture, path)
    state: bytes = single(path, _NEWEST_STATE)
    where = chance.randrange(len(state))
    changed = state[:where] + bytes([chance.randrange(256)]) + state[where + 1 :]
    _change(path, f"X'{changed.hex()}'")
    async with _table(path) as table:
        try:
            await table.at(PLAYED)
        except UnreadableGame:
            pass
        except Exception as error:
            broken.append(f"{fixture.name} version {version_of(fixture)}: {error!r} for {changed!r}")
        figures[MUTATED] += 1


_GAME = f"(SELECT min(id) FROM game WHERE channel = {PLAYED})"
_NEWEST_STATE = f"SELECT state FROM turn WHERE game = {_GAME} ORDER BY version DESC LIMIT 1"


def _change(path: Path, state: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            f"UPDATE turn SET state = {state}"
            f" WHERE game = {_GAME} AND version = (SELECT max(version) FROM turn WHERE game = {_GAME})"
        )
