"""Work does not grow with what is stored: how SQLite goes about each statement of the store."""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import AsyncGenerator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import table.store
from table.store import open_store

#: The places in which a whole table, or a whole index, may be gone through, and why.
MAY_SCAN = {
    # The few games in which something is asked; only `forget` looks through them.
    ("game", "game_asking"),
    # Every live game is what is asked for, by the local table.
    ("game", "game_live"),
    ("game", "live_in_server"),
    # The posts that are under way: none but for a moment.
    ("posting", None),
    # The messages that ask something and have their buttons; only a start looks through them.
    ("question", None),
    # A row for each table that numbers its rows.
    ("sqlite_sequence", None),
    # Every result is what is asked for.
    ("result", None),
    # The times of the last year in which the bot was not running.
    ("outage", None),
    # Played out, and its result not kept yet: empty but after a crash.
    ("unrecorded", None),
    # Results of an older version that are not counted yet, some at a time.
    ("pending", None),
    # The schema, for a backup.
    ("sqlite_master", None),
}


def statements() -> Iterator[str]:
    """Every statement that the module of the store passes to its database."""
    names = {**vars(table.store), "names": "seats = ?, finished = ?"}
    tree = ast.parse(Path(table.store.__file__).read_text("utf-8"))
    for call in (one for one in ast.walk(tree) if isinstance(one, ast.Call)):
        if passes(call):
            source = compile(ast.Expression(call.args[0]), "store", "eval")
            for where in ("", *choices_of(tree, call)):
                yield eval(source, {**names, "where": where})


def passes(call: ast.Call) -> bool:
    """Whether a call passes a statement to the database, by itself or in a transaction of several."""
    if not isinstance(call.func, ast.Attribute) or not call.args:
        return False
    if call.func.attr in ("_read", "_write", "_results", "_standings"):
        return not isinstance(call.args[0], ast.Name) or call.args[0].id == "_STANDING"
    text = ast.unparse(call.args[0]).lstrip("f'\"")
    return (
        call.func.attr == "execute"
        and re.match("SELECT|INSERT|REPLACE|UPDATE|DELETE|_STANDING", text) is not None
    )


def choices_of(tree: ast.Module, call: ast.Call) -> list[str]:
    """What ``where`` can be where a statement is called, beside nothing."""
    function, *_ = [
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.AsyncFunctionDef | ast.FunctionDef)
        and any(inner is call for inner in ast.walk(one))
    ]
    texts = [one.value for one in ast.walk(function) if isinstance(one, ast.Constant)]
    return [
        one
        for one in texts
        if isinstance(one, str) and re.match(" (WHERE|AND) ", one) and "where" in names_in(call)
    ]


def names_in(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def triggered(connection: sqlite3.Connection) -> Iterator[str]:
    """The statements of all triggers, with a parameter in the place of each value of a row that changes."""
    for (text,) in connection.execute("SELECT sql FROM sqlite_schema WHERE type = 'trigger'"):
        body = re.split(r"\bBEGIN\b", text, maxsplit=1)[1].rsplit("END", 1)[0]
        body = re.sub(r"--[^\n]*", "", body)
        body = re.sub(r"RAISE\([^)]*\)", "1", body)
        yield from (one for one in re.sub(r"\b(NEW|OLD)\.\w+", "?1", body).split(";") if one.strip())


def scans(connection: sqlite3.Connection, statement: str) -> list[tuple[str, str | None]]:
    """The tables that are gone through whole for a statement, each with the index in whose order."""
    values = [None] * 20 if "?" in statement else []
    try:
        plan = connection.execute(
            f"EXPLAIN QUERY PLAN {statement}", values[: parameters(statement)]
        ).fetchall()
    except sqlite3.Error as error:
        raise AssertionError(f"{error}: {statement}") from error
    names = aliases(statement)
    found: list[tuple[str, str | None]] = []
    for *_, step in plan:
        if scan := re.fullmatch(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?", step):
            found.append((names.get(scan[1], scan[1]), scan[2]))
    return [one for one in found if one[0] not in ("CONSTANT", "json_each", "forgotten")]


def parameters(statement: str) -> int:
    """How many values a statement takes."""
    numbered = [int(one) for one in re.findall(r"\?(\d+)", statement)]
    return max(numbered) if numbered else statement.count("?")


def aliases(statement: str) -> dict[str, str]:
    return {alias: name for name, alias in re.findall(r"\b(\w+) AS (\w+)", statement)}


@pytest.fixture
async def connection(path: Path) -> AsyncGenerator[sqlite3.Connection]:
    async with open_store(path):
        pass
    with closing(sqlite3.connect(path)) as opened:
        yield opened


async def test_every_statement_of_the_store_uses_an_index(connection: sqlite3.Connection) -> None:
    found = list(statements())
    assert len(found) > 30
    slow = {one: at for one in found if (at := [*{*scans(connection, one)} - MAY_SCAN])}
    assert not slow


async def test_every_statement_of_a_trigger_uses_an_index(connection: sqlite3.Connection) -> None:
    found = list(triggered(connection))
    assert len(found) > 10
    slow = {one: at for one in found if (at := [*{*scans(connection, one)} - MAY_SCAN])}
    assert not slow


async def test_a_statement_without_an_index_is_noticed(connection: sqlite3.Connection) -> None:
    assert scans(connection, "SELECT id FROM game WHERE ifnull(channel, 0) = ?") == [("game", None)]
    assert scans(connection, "SELECT 1 FROM turn AS t WHERE t.at > ?") == [("turn", None)]
