"""One damaged row: it costs what it holds, and keeps no other game from being shown and played."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import bot
from table.errors import UnreadableGame
from table.pace import DAY, HOUR
from table.store import Mention, Posting, Question
from table.table import Session
from tests.discord.conftest import World
from tests.discord.table_talk import advice, open_table, person_to_move, said

#: Rows of a game, or of no game at all, with what may be damaged in them; the values are no numbers.
DAMAGE = [
    ("seen", "at", "x"),
    ("outage", "start", "x"),
    ("outage", "stop", "x"),
    ("absence", "start", "x"),
    ("absence", "stop", b"\xff"),
    ("preference", "choices", "x"),
    ("game", "options", '{"guild": "x"}'),
    ("game", "options", '{"guild": [1]}'),
    ("game", "pauses", '[["x", 1]]'),
    ("game", "cut_off", "x"),
    ("turn", "at", "x"),
    ("turn", "seat", "x"),
    ("turn", "version", "x"),
    ("question", "channel", "x"),
    ("question", "seat", "x"),
    ("question", "seat", 99),
    ("mention", "at", "x"),
    ("posting", "channel", "x"),
]


async def two_games(world: World) -> tuple[Session, Session]:
    """A game with something in every table, and another one in another channel."""
    game = await open_table(world, world.ann, world.ben)
    table, store, now = world.client.table, world.store, world.client.table.now()
    await table.beat(note=True)
    await store.add_outage((now - 10 * HOUR, now - 9 * HOUR))
    await table.set_absence(world.ann.id, now + DAY)
    await world.ann.slash(world.channel, "kanagawa notify", how="off")
    await store.add_mention(Mention("x", "y", game.id, now))
    await store.add_question(Question(123, game.id, world.channel.id, "x", 0, True))
    await store.begin_posting(Posting(game.id, world.channel.id, "x", now))
    world.channel = world.guild.create_text_channel("attic")
    return game, await open_table(world, world.cleo, world.dan)


def damage(file: Path, table: str, column: str, value: object) -> None:
    with sqlite3.connect(file, timeout=10) as database:
        (row,) = database.execute(f"SELECT min(rowid) FROM {table}").fetchone()
        assert row is not None, "nothing there"
        database.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, row))
    database.close()


@pytest.mark.parametrize(("table", "column", "value"), DAMAGE)
async def test_a_damaged_row_keeps_no_other_game_from_going_on(
    world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture, table: str, column: str, value: Any
) -> None:
    _, other = await two_games(world)
    damage(tmp_path / bot.DATABASE, table, column, value)
    await world.restart()
    await bot.publish_all(world.client)
    await world.client.table.beat(note=True)
    assert await world.client.pace._look() > 60, "what is due is looked up"
    person = person_to_move(world, other)
    for command in ("notify", "games", "stats", "hand"):
        assert "went wrong" not in said(await person.slash(world.channel, f"kanagawa {command}"))
    moved = await world.client.table.act(other.id, person.id, other.version, advice(other))
    await world.client.publisher.publish(other.id)
    assert await world.table_message(other.id)
    assert moved.version > other.version
    caplog.clear()


async def test_what_is_damaged_in_a_game_itself_closes_it_and_is_named_once(
    world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game, _ = await two_games(world)
    damage(tmp_path / bot.DATABASE, "turn", "at", "x")
    await world.restart()
    with pytest.raises(UnreadableGame):
        await world.client.table.get(game.id)
    await bot.publish_all(world.client)
    assert len([one for one in caplog.records if one.levelno >= logging.ERROR]) == 1
    caplog.clear()
