"""Buttons act on their own game alone: in its channel, at its position, also after a backup was restored."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import bot
from cogs.controls import parse_custom_id
from table.errors import NoGame
from table.store import back_up
from tests.discord.conftest import World, buttons_of, last
from tests.discord.table_talk import advice, open_table, person_to_move, press_raw, said

Restore = Callable[[], Awaitable[None]]


@pytest.fixture
async def restore(world: World, tmp_path: Path) -> Callable[[], Restore]:
    """Take a backup when it is called; what that returns restores it and starts the bot anew."""

    def take() -> Restore:
        copy = tmp_path / "copy.sqlite3"
        back_up(tmp_path / bot.DATABASE, copy)

        async def put_back() -> None:
            connection = world.store._db
            with closing(sqlite3.connect(copy, check_same_thread=False)) as source:
                await connection._execute(source.backup, connection._conn)
            await world.restart()

        return put_back

    return take


async def press_forged(world: World, person: Any, raw: dict[str, Any], custom_id: str) -> str:
    """Press a button that says something else than those of the message; what the person is told."""
    first = next(iter(buttons_of(raw["components"]).values()))["custom_id"]
    forged = json.loads(json.dumps(raw).replace(json.dumps(first), json.dumps(custom_id)))
    return said(await press_raw(world, person, forged, custom_id))


async def moved_on(world: World, turns: int) -> None:
    """The game of the channel after so many turns, each a little later than the one before."""
    for _ in range(turns):
        session = await world.session()
        seat = session.to_move
        assert seat is not None
        await world.env.advance_time(1.5)
        user = session.seats[seat].user
        await world.client.table.act(session.id, user, session.version, advice(session))


async def test_a_lobby_opened_after_the_backup_has_an_id_that_never_returns(
    world: World, restore: Callable[[], Restore]
) -> None:
    put_back = restore()
    await world.ann.slash(world.channel, "kanagawa new")
    lost = last(world.channel)
    buttons = buttons_of((await world.message(world.channel.id, lost.id))["components"])
    await put_back()
    await world.env.advance_time(2)
    attic = world.guild.create_text_channel("attic")
    await world.cleo.slash(attic, "kanagawa new")
    for label in ("Join", "Leave", "Start", "Cancel the game"):
        message = await world.message(world.channel.id, lost.id)
        if label in buttons:
            result = await press_raw(world, world.dan, message, buttons[label]["custom_id"])
            assert "no game" in said(result).casefold()
    assert [one.user for one in (await world.session(attic)).seats] == [world.cleo.id]
    with pytest.raises(NoGame):
        await world.session()


async def test_a_button_of_another_channel_s_game_is_refused(world: World) -> None:
    await world.ann.slash(world.channel, "kanagawa new")
    here = await world.message(world.channel.id, last(world.channel).id)
    attic = world.guild.create_text_channel("attic")
    await world.cleo.slash(attic, "kanagawa new")
    other = await world.session(attic)
    for code in ("join", "leave", "start", "cancel", "cancel-yes", "end-yes"):
        for person in (world.dan, world.cleo):
            told = await press_forged(world, person, here, f"kglobby:{other.id}:{code}")
            assert "not played in this channel" in told
    assert await world.session(attic) == other


async def test_a_move_for_another_channel_s_game_is_refused(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    attic = world.guild.create_text_channel("attic")
    await world.cleo.slash(attic, "kanagawa new")
    elsewhere = await world.message(attic.id, last(attic).id)
    shown = await world.table_message(session.id)
    for one in buttons_of(shown["components"]).values():
        told = await press_forged(world, person_to_move(world, session), elsewhere, one["custom_id"])
        assert "not played in this channel" in told
    assert (await world.session()).version == session.version


async def test_a_button_of_a_past_that_was_undone_by_a_restore_never_acts(
    world: World, restore: Callable[[], Restore]
) -> None:
    session = await open_table(world, world.ann, world.ben)
    put_back = restore()
    await moved_on(world, 4)
    await world.client.publisher.publish(session.id)
    old = await world.table_message(session.id)
    stays = {label: one["custom_id"] for label, one in buttons_of(old["components"]).items()}
    (version,) = {press.version for one in stays.values() if (press := parse_custom_id(one))}
    assert version == 4
    await put_back()
    assert (await world.session()).version == 0
    for _ in range(6):
        now = await world.session()
        for label, one in stays.items():
            if label != "My table":
                result = await press_raw(world, person_to_move(world, now), old, one)
                assert "moved on" in said(result)
        assert (await world.session()).version == now.version
        await moved_on(world, 1)


async def test_the_table_is_drawn_anew_after_a_restore_under_a_number_that_was_never_shown(
    world: World, restore: Callable[[], Restore]
) -> None:
    session = await open_table(world, world.ann, world.ben)
    put_back = restore()
    await moved_on(world, 1)
    await world.client.publisher.publish(session.id)
    await put_back()
    await moved_on(world, 1)
    await world.client.publisher.publish(session.id)
    session = await world.session()
    assert session.version >= 1000
    after = await world.table_message(session.id)
    assert buttons_of(after["components"])["My table"]["custom_id"].split(":")[2] == str(session.version)
    await moved_on(world, 1)
    assert (await world.session()).version == session.version + 1


async def test_buttons_of_an_older_program_go_on_working(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    message = await world.table_message(session.id)
    await press_forged(world, person_to_move(world, session), message, f"kg:{session.id}:0:take.1")
    session = await world.session()
    assert session.version == 1
    told = await press_forged(world, person_to_move(world, session), message, f"kg:{session.id}:0:take.1")
    assert "moved on" in told


async def test_the_old_message_of_a_lobby_that_went_into_a_thread_says_so(world: World) -> None:
    await world.ann.slash(world.channel, "kanagawa new", thread=True)
    lobby = last(world.channel)
    old = await world.message(world.channel.id, lobby.id)
    await world.ben.click(lobby, label="Join")
    await world.ann.click(lobby, label="Start")
    join = buttons_of(old["components"])["Join"]["custom_id"]
    assert "has started" in said(await press_raw(world, world.cleo, old, join))


async def test_a_question_about_a_game_that_is_a_lobby_again_ends_nothing(
    world: World, restore: Callable[[], Restore]
) -> None:
    await world.ann.slash(world.channel, "kanagawa new")
    put_back = restore()
    message = await world.message(world.channel.id, last(world.channel).id)
    game = (await world.session()).id
    await put_back()
    told = await press_forged(world, world.ann, message, f"kglobby:{game}:end-yes")
    assert "not started" in told
    assert (await world.session()).is_lobby
