from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from table.store import PRAGMAS, Connection, SQLiteStore, Store, open_store
from table.table import Table
from tests.table.counting import COUNTING
from tests.table.memory import MemoryStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture(params=["sqlite", "memory"])
async def store(request: pytest.FixtureRequest, path: Path) -> AsyncGenerator[Store]:
    """Each implementation of the protocol in turn."""
    if request.param == "memory":
        yield MemoryStore()
    else:
        async with open_store(path) as opened:
            yield opened


@pytest.fixture
async def table(store: Store) -> Table:
    return Table(store, [COUNTING], now=lambda: 0.0)


@asynccontextmanager
async def second_connection(path: Path) -> AsyncGenerator[SQLiteStore]:
    """Another store on a file that is open already, past the lock that keeps other bots out."""
    connection = Connection(path)
    await connection
    await connection.executescript(PRAGMAS)
    store = SQLiteStore(connection)
    try:
        yield store
    finally:
        await store.close()
