"""A game in a thread of its own, and channels and people that go away in the middle of a game."""

from __future__ import annotations

from typing import Any

import discord
import pytest
import simcord

from bot import publish_all
from cogs.controls import parse_custom_id
from table.pace import DAY
from table.store import LOST
from table.table import Session
from tests.discord.conftest import World, buttons_of, last, text_of
from tests.discord.table_talk import (
    advice,
    open_table,
    person_to_move,
    play_out,
    press_raw,
    said,
    table_of,
)


async def in_thread(
    world: World, *others: simcord.MemberActor, channel: simcord.ChannelHandle | None = None
) -> tuple[simcord.ChannelHandle, Session]:
    """A game of ann and others that was started with a thread of its own."""
    above = channel or world.channel
    await world.ann.slash(above, "kanagawa new", thread=True)
    lobby = last(above)
    for one in others:
        await one.click(lobby, label="Join")
    await world.ann.click(lobby, label="Start")
    (thread,) = above.threads
    return thread, await world.session(thread)


async def archived(world: World, thread: simcord.ChannelHandle) -> bool:
    found = await world.client.fetch_channel(thread.id)
    assert isinstance(found, discord.Thread)
    return found.archived


async def test_a_game_with_a_thread_is_played_there_under_its_players_names(world: World) -> None:
    thread, session = await in_thread(world, world.ben)
    assert thread.name in ("Kanagawa: ann and ben", "Kanagawa: ben and ann")
    assert session.record.channel == thread.id
    found = await world.client.fetch_channel(thread.id)
    assert isinstance(found, discord.Thread)
    assert found.auto_archive_duration == 7 * 24 * 60, "turns may take days"
    shown = await table_of(world, session.id)
    assert shown.channel.id == thread.id
    lobby = world.channel.history()[0]
    text = text_of((await world.message(world.channel.id, lobby.id))["components"])
    assert f"played in <#{thread.id}>" in text
    mover = person_to_move(world, session)
    await mover.click(shown, label="Take 1")
    assert (await world.session(thread)).version == session.version + 1
    # The channel is free for another one.
    await world.cleo.slash(world.channel, "kanagawa new")
    assert (await world.session()).is_lobby


async def test_its_thread_is_archived_at_the_end_and_opens_again_for_another_game(world: World) -> None:
    thread, session = await in_thread(world, world.ben)
    assert not await archived(world, thread)
    await play_out(world, session)
    assert await archived(world, thread)
    changed = [one.path for one in world.env.http_requests if one.method == "PATCH"]
    assert changed[-1] == f"/channels/{thread.id}", "the replay is there before: then nothing can be edited"
    assert len((await world.table_message(session.id))["attachments"]) == 3
    assert "Play again" in buttons_of((await world.table_message(session.id))["components"])
    await world.ben.click(await table_of(world, session.id), label="Play again")
    session = await world.session(thread)
    lobby = next(one for one in thread.history() if one.id == session.record.message)
    await world.ann.click(lobby, label="Join")
    await world.ben.click(lobby, label="Start")
    again = await world.session(thread)
    assert again.record.channel == thread.id
    assert [one.id for one in world.channel.threads] in ([], [thread.id]), "no thread within the thread"
    await play_out(world, again)
    assert await archived(world, thread)


async def test_in_a_thread_that_was_archived_meanwhile_the_table_is_posted_anew(world: World) -> None:
    thread, session = await in_thread(world, world.ben)
    old = await table_of(world, session.id)
    # As Discord does it by itself after an hour or a day without a message; edits are refused then.
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50083, times=2)
    result = await person_to_move(world, session).click(old, label="Take 1")
    world.env.backend.faults.clear()
    assert "would not let me" not in said(result)
    new = await table_of(world, session.id)
    assert new.id != old.id
    assert old.id not in [one.id for one in thread.history()]
    taken = buttons_of((await world.table_message(session.id))["components"])["My table"]
    pressed = parse_custom_id(taken["custom_id"])
    assert pressed is not None
    assert pressed.version == 1


async def test_an_old_button_archives_no_thread_in_which_the_next_game_is_played(world: World) -> None:
    thread, session = await in_thread(world, world.ben)
    old, mover = await world.table_message(session.id), person_to_move(world, session)
    await play_out(world, session)
    await world.ben.click(await table_of(world, session.id), label="Play again")
    opened = await world.client.fetch_channel(thread.id)
    assert isinstance(opened, discord.Thread)
    await opened.edit(archived=False)  # as the lobby's message does it in Discord
    take = buttons_of(old["components"])["Take 1"]["custom_id"]
    assert "has ended" in said(await press_raw(world, mover, old, take))
    assert not await archived(world, thread)


async def test_where_no_thread_can_be_made_the_game_stays_in_the_channel(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.ann.slash(world.channel, "kanagawa new", thread=True)
    lobby = last(world.channel)
    await world.ben.click(lobby, label="Join")

    async def refuse(*_: Any, **__: Any) -> None:
        raise discord.Forbidden(FakeResponse(), {"code": 50013, "message": "Missing Permissions"})  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(discord.PartialMessage, "create_thread", refuse)
        await world.ann.click(lobby, label="Start")
    session = await world.session()
    assert session.record.message == lobby.id
    assert "My table" in buttons_of((await world.table_message(session.id))["components"])


class FakeResponse:
    status, reason = 403, "Forbidden"


async def test_a_thread_is_for_channels_of_servers(world: World) -> None:
    thread, _ = await in_thread(world, world.ben)
    attic = await world.client.get_partial_messageable(world.channel.id, guild_id=world.guild.id).send("here")
    made = await attic.create_thread(name="a thread")
    inside = next(one for one in world.channel.threads if one.id == made.id)
    assert thread.id != inside.id
    assert "cannot get a thread of its own" in said(
        await world.ann.slash(inside, "kanagawa new", thread=True)
    )


async def test_the_permission_for_threads_is_asked_for_when_a_game_wants_one(world: World) -> None:
    me = world.client.user
    assert me is not None
    bare = world.guild.create_text_channel(
        "bare", overwrites={me: discord.PermissionOverwrite(create_public_threads=False)}
    )
    refused = await world.ann.slash(bare, "kanagawa new", thread=True)
    assert "Create Public Threads" in said(refused)
    await world.ann.slash(bare, "kanagawa new")
    assert (await world.session(bare)).is_lobby


async def test_a_game_ends_with_its_channel(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    attic = world.guild.create_text_channel("attic")
    thread, other = await in_thread(world, world.cleo, channel=attic)
    world.env.backend.delete_channel(thread.id)
    await world.env.settle()
    assert (await world.client.table.get(other.id)).record.finished == LOST
    assert not (await world.client.table.get(session.id)).finished
    assert "You sit in no game" in said(await world.cleo.slash(world.channel, "kanagawa games"))
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    assert await world.client.table.live() == []
    await world.env.advance_time(9 * DAY)


async def test_a_game_whose_channel_was_deleted_while_the_bot_was_down_ends_at_the_start(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    attic = world.guild.create_text_channel("attic")
    thread, lost = await in_thread(world, world.cleo, channel=attic)
    kept = await open_table(world, world.ann, world.ben)

    async def unheard(channel: int) -> None:
        pass

    with monkeypatch.context() as down:
        down.setattr(world.client.table, "lose", unheard)
        world.env.backend.delete_channel(thread.id)
        await world.env.settle()
    await world.restart()
    world.env.inject_error("GET", "/channels/*/messages/*", status=404, code=10003, times=1)
    await publish_all(world.client)
    assert (await world.client.table.get(lost.id)).record.finished == LOST
    assert not (await world.client.table.get(kept.id)).finished, "one such answer alone ends none"


async def test_who_has_left_the_server_is_moved_on_and_others_take_the_seat(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    gone, seat = person_to_move(world, session), session.to_move
    stays = world.ben if gone is world.ann else world.ann
    assert seat is not None
    world.guild.remove_member(gone)
    await world.env.settle()
    for _ in range(3):
        session = await world.session()
        while session.to_move != seat:
            await world.client.table.act(session.id, stays.id, session.version, advice(session))
            session = await world.session()
        await world.client.publisher.publish(session.id)
        await world.env.advance_time(6 * DAY + 1)
    session = await world.session()
    assert session.free == (seat,)
    buttons = buttons_of((await world.table_message(session.id))["components"])
    label = next(one for one in buttons if one.startswith("Take over"))
    await world.cleo.click(await table_of(world, session.id), label=label)
    assert (await world.session()).seats[seat].user == world.cleo.id
