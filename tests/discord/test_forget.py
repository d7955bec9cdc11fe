"""Forgetting a person: asked first, and complete."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import bot
from table.store import Preferences, Seat
from tests.discord.conftest import World, answer, last, text_of
from tests.discord.table_talk import open_table, play_out, said, table_of
from tests.table.test_forgetting import traces


async def test_nothing_of_a_person_is_kept_and_the_others_keep_theirs(world: World, tmp_path: Path) -> None:
    over = await play_out(world, await open_table(world, world.ann, world.ben))
    await world.ann.slash(world.channel, "kanagawa notify", quiet="22-7")
    live = await open_table(world, world.ben, world.ann, world.cleo)
    attic = world.guild.create_text_channel("attic")
    await world.ann.slash(attic, "kanagawa solo", challenge="day")
    question = answer(await world.ann.slash(world.channel, "kanagawa forget"))
    assert "2 games you are in" in question.content
    assert (await world.client.table.get(live.id)).seat_of(world.ann.id) is not None, "it asks first"
    done = await world.ann.click(question, label="Yes, forget me")
    assert "You are forgotten" in said(done)
    live = await world.client.table.get(live.id)
    assert live.seat_of(world.ann.id) is None
    assert len(live.free) == 1
    shown = text_of((await world.table_message(live.id))["components"])
    assert "a former player" in shown
    assert "**ann**" not in shown
    assert await world.store.preferences(world.ann.id) == Preferences()
    with sqlite3.connect(tmp_path / bot.DATABASE) as database:
        dump = "\n".join(database.iterdump())
    assert str(world.ann.id) not in dump
    assert '"ann"' not in dump
    assert str(world.ben.id) in dump
    forgotten, stays = Seat(world.ann.id, "a name"), Seat(world.ben.id, "a name")
    assert traces(tmp_path, forgotten) == []
    assert traces(tmp_path, stays)
    past = await world.client.table.get(over.id)
    assert {one.name for one in past.seats} == {"", "ben"}
    assert past.state == over.state
    board = said(await world.dan.slash(world.channel, "kanagawa poster"))
    assert "ann" not in board
    assert "Against others" in said(await world.ben.slash(world.channel, "kanagawa stats"))
    assert "None of your games" in said(await world.ann.slash(world.channel, "kanagawa stats"))


async def test_a_lobby_loses_who_is_forgotten(world: World) -> None:
    await world.ann.slash(world.channel, "kanagawa new")
    lobby = last(world.channel)
    await world.ben.click(lobby, label="Join")
    question = answer(await world.ann.slash(world.channel, "kanagawa forget"))
    assert "the game you are in" in question.content
    await world.ann.click(question, label="Yes, forget me")
    text = text_of((await world.message(world.channel.id, lobby.id))["components"])
    assert "**ben** · host" in text
    assert "ann" not in text
    # Who comes back is somebody new.
    await world.ann.click(lobby, label="Join")
    assert len((await world.session()).seats) == 2


async def test_a_damaged_game_keeps_no_other_from_being_shown(
    world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    session = await open_table(world, world.ann, world.ben)
    attic = world.guild.create_text_channel("attic")
    await world.ann.slash(attic, "kanagawa new")
    lobby = last(attic)
    await world.dan.click(lobby, label="Join")
    with sqlite3.connect(tmp_path / bot.DATABASE) as database:
        database.execute("UPDATE turn SET state = 'x' WHERE game = ?", (session.id,))
    await world.restart()
    question = answer(await world.ann.slash(attic, "kanagawa forget"))
    assert "You are forgotten" in said(await world.ann.click(question, label="Yes, forget me"))
    assert "ann" not in text_of((await world.message(attic.id, lobby.id))["components"])
    assert "cannot be read and has been closed" in caplog.text
    caplog.clear()


async def test_the_button_outlives_a_restart_and_forgetting_again_does_no_harm(world: World) -> None:
    await open_table(world, world.ann, world.ben)
    await world.ann.slash(world.channel, "kanagawa forget")
    for games in (1, 0):
        question = answer(await world.ann.slash(world.channel, "kanagawa forget"))
        assert ("the game you are in" in question.content) == bool(games)
        await world.restart()
        assert "You are forgotten" in said(await world.ann.click(question, label="Yes, forget me"))
    session = await world.session()
    assert sorted(one.name for one in session.seats) == ["", "ben"]


async def test_the_others_play_on_and_again_without_who_was_forgotten(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo)
    await world.client.table.forget(world.ann.id)
    session = await play_out(world, await world.client.table.get(session.id))
    await world.ben.click(await table_of(world, session.id), label="Play again")
    assert [one.name for one in (await world.session()).seats] == ["ben"]
    assert f"<@{world.cleo.id}>" in last(world.channel).content
