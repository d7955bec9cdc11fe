"""The one path that publishes: bursts, failures of Discord, restarts, mentions, pictures that are kept."""

from __future__ import annotations

import asyncio
import errno
from contextlib import AsyncExitStack
from typing import Any

import aiohttp
import discord
import pytest

import bot
import render
from cogs import board
from cogs.controls import parse_custom_id
from cogs.easel import MADE_AT_ONCE, Rank
from table.errors import DatabaseUnusable
from table.table import Session
from tests.discord.conftest import World, buttons_of, files_shown, text_of
from tests.discord.table_talk import (
    Hands,
    advice,
    controls,
    open_solo,
    open_table,
    person_to_move,
    said,
    table_of,
)

#: Whatever edits the message that shows the game.
EDIT, POST = ("PATCH", "/channels/*/messages/*"), ("POST", "/channels/*/messages")


@pytest.fixture
async def session(world: World) -> Session:
    """A game of ann, ben and cleo whose first player is to choose."""
    return await open_table(world, world.ann, world.ben, world.cleo, seed=9)


async def shown_version(world: World, game: int) -> int:
    """The version that the message of a game shows, by its buttons."""
    message = await world.table_message(game)
    presses = [parse_custom_id(one["custom_id"]) for one in controls(message["components"])]
    versions = {one.version for one in presses if one is not None}
    assert len(versions) == 1
    return versions.pop()


def messages(world: World) -> list[discord.Message]:
    """All messages of the channel, oldest first."""
    return sorted(world.channel.history(), key=lambda one: one.id)


def edits(world: World) -> int:
    """How often the table has been edited."""
    return sum(one.method == "PATCH" and one.path.startswith("/channels/") for one in world.env.http_requests)


# Bursts ----------------------------------------------------------------------------------------------


async def test_a_burst_is_shown_once(world: World, session: Session) -> None:
    person, before = person_to_move(world, session), edits(world)
    table = world.client.table
    await table.act(session.id, person.id, 0, "take.1")
    await asyncio.gather(*(world.client.publisher.publish(session.id) for _ in range(20)))
    assert edits(world) == before + 1
    assert await shown_version(world, session.id) == 1


async def test_publishing_what_is_shown_does_nothing(world: World, session: Session) -> None:
    before = len(world.env.http_requests)
    assert await world.client.publisher.publish(session.id)
    assert len(world.env.http_requests) == before


# Failures of Discord: the move counts ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("POST", "/interactions/*/*/callback", 404, 10062),  # the click has expired
        ("POST", "/interactions/*/*/callback", 400, 40060),  # it was answered already
        ("POST", "/interactions/*/*/callback", 500, 0),
        ("POST", "/webhooks/*", 404, 10015),  # the private answer cannot be delivered
        ("POST", "/webhooks/*", 500, 0),
        ("POST", "/webhooks/*", 401, 50027),
        (*EDIT, 500, 0),
        (*EDIT, 403, 50001),
        (*EDIT, 404, 10003),
        (*EDIT, 400, 50035),
    ],
)
async def test_a_move_counts_whatever_discord_answers(
    world: World, session: Session, method: str, path: str, status: int, code: int
) -> None:
    person, message = person_to_move(world, session), await table_of(world, session.id)
    world.env.inject_error(method, path, status=status, code=code, times=None)
    result = await person.click(message, label="Take 1")
    world.env.backend.faults.clear()
    assert (await world.session()).version == 1
    if (method, path) == EDIT:
        assert "What you did counts" in said(result)
    assert await world.client.publisher.publish(session.id)
    assert await shown_version(world, session.id) == 1


async def test_an_edit_that_is_broken_off_is_sent_again_at_once(
    world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit, broken = discord.PartialMessage.edit, [ConnectionResetError(errno.ECONNRESET, "reset")]

    async def breaking(self: discord.PartialMessage, **changes: Any) -> discord.Message:
        if broken:
            raise aiohttp.ClientOSError(*broken.pop().args)
        return await edit(self, **changes)

    monkeypatch.setattr(discord.PartialMessage, "edit", breaking)
    result = await person_to_move(world, session).click(await table_of(world, session.id), label="Stay")
    assert not broken
    assert "What you did counts" not in said(result)
    assert await shown_version(world, session.id) == 1


async def test_a_failure_is_made_good_by_the_next_move(world: World, session: Session) -> None:
    person = person_to_move(world, session)
    hands = Hands(world, person, session.id)
    world.env.inject_error(*EDIT, status=500, times=None)
    await hands.do("take.1")
    world.env.backend.faults.clear()
    assert await shown_version(world, session.id) == 0
    await hands.do(advice(await world.session()))
    assert await shown_version(world, session.id) == (await world.session()).version


async def test_a_failure_is_made_good_by_itself(world: World, session: Session) -> None:
    """It is tried again after growing delays; the table is shown once, in the message that was there."""
    world.client.publisher.delays = (0.01, 0.02, 0.03)
    old = await table_of(world, session.id)
    world.env.inject_error(*EDIT, status=500, times=3)
    await person_to_move(world, session).click(old, label="Take 1")
    await asyncio.sleep(0.3)
    assert await shown_version(world, session.id) == 1
    before = len(world.env.http_requests)
    await asyncio.sleep(0.1)
    assert len(world.env.http_requests) == before
    assert (await table_of(world, session.id)).id == old.id


async def test_a_closed_bot_tries_nothing_again(world: World, session: Session) -> None:
    world.client.publisher.delays = (0.1,)
    world.env.inject_error(*EDIT, status=500, times=None)
    await world.client.table.act(session.id, person_to_move(world, session).id, 0, "stay")
    assert not await world.client.publisher.publish(session.id)
    await world.client.publisher.stop()
    before = len(world.env.http_requests)
    await asyncio.sleep(0.2)
    assert len(world.env.http_requests) == before


async def test_a_table_that_is_being_posted_again_as_the_bot_is_stopped_is_remembered(
    world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a second one would be posted after a restart."""
    publisher, posting = world.client.publisher, asyncio.Event()
    remember = world.client.table.set_message

    async def slowly(*args: Any) -> Session:
        posting.set()
        await asyncio.sleep(0.1)
        return await remember(*args)

    publisher.delays = (0.01,)
    monkeypatch.setattr(world.client.table, "set_message", slowly)
    world.env.inject_error("POST", "/channels/*/messages", status=500)
    assert not await publisher.publish(session.id, anew=True)
    await (await table_of(world, session.id)).delete()
    await world.client.table.act(session.id, person_to_move(world, session).id, 0, "stay")
    await posting.wait()
    await world.client.close()
    (posted,) = [one.id for one in messages(world) if one.flags.components_v2]
    assert (await world.client.table.get(session.id)).record.message == posted


async def test_a_message_that_cannot_be_remembered_does_not_stay(
    world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the next try would post a second one."""

    async def full(*args: Any, **fields: Any) -> None:
        raise DatabaseUnusable("the disk is full")

    before = [one.id for one in messages(world)]
    with monkeypatch.context() as patch:
        patch.setattr(world.store, "update", full)
        assert not await world.client.publisher.publish(session.id, anew=True)
    assert [one.id for one in messages(world)] == before


async def test_a_game_that_breaks_the_table_does_not_stop_the_others(
    world: World, session: Session, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: Any) -> Any:
        raise ZeroDivisionError

    await world.client.table.act(session.id, person_to_move(world, session).id, 0, "stay")
    monkeypatch.setattr(board, "board", broken)
    await bot.publish_all(world.client)
    assert f"game={session.id} version=1 channel={world.channel.id} not shown" in caplog.text
    caplog.clear()


async def test_a_deleted_table_is_posted_anew(world: World, session: Session) -> None:
    old = await table_of(world, session.id)
    person = person_to_move(world, session)
    hands = Hands(world, person, session.id)
    await hands.do("take.1")
    await (await table_of(world, session.id)).delete()
    await hands.do(advice(await world.session()))
    new = await table_of(world, session.id)
    assert new.id > old.id
    assert await shown_version(world, session.id) == (await world.session()).version
    assert len(new.attachments) == 2


async def test_a_deleted_table_is_posted_anew_after_a_restart(world: World, session: Session) -> None:
    await (await table_of(world, session.id)).delete()
    await world.restart()
    person = person_to_move(world, session)
    await person.slash(world.channel, "kanagawa take", column="1")
    assert await shown_version(world, session.id) == 1


async def test_what_is_not_shown_for_want_of_a_permission_is_named(world: World, session: Session) -> None:
    await (await table_of(world, session.id)).delete()
    me = world.client.user
    assert me is not None
    closed = discord.PermissionOverwrite(send_messages=False)
    channel = world.client.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.set_permissions(channel.guild.me, overwrite=closed)
    result = await person_to_move(world, session).slash(world.channel, "kanagawa take", column="1")
    assert (await world.session()).version == 1
    assert "What you did counts" in said(result)
    assert "Send Messages" in said(result)


async def test_a_picture_that_cannot_be_drawn_does_not_stop_the_game(
    world: World, session: Session, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(view: Any, *args: Any, scale: float) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr(render, "wall", broken)
    await person_to_move(world, session).click(await table_of(world, session.id), label="Take 1")
    message = await table_of(world, session.id)
    assert [one.filename.split("-")[0] for one in message.attachments] == ["school"]
    assert await shown_version(world, session.id) == 1
    assert "the picture wall cannot be drawn" in caplog.text
    caplog.clear()


async def test_a_refused_move_is_not_said_to_count(world: World, session: Session) -> None:
    await world.client.table.act(session.id, person_to_move(world, session).id, 0, "stay")
    world.env.inject_error(*EDIT, status=500, times=None)
    result = await world.dan.click(await table_of(world, session.id), label="Take 1")
    world.env.backend.faults.clear()
    assert "do not sit" in said(result)
    assert "counts" not in said(result)


async def test_a_game_that_cannot_be_read_does_not_stop_the_others(
    world: World, session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    assert not await world.client.publisher.publish(session.id + 1)
    assert "not shown" in caplog.text


async def test_nothing_is_in_the_making_while_something_is_sent(
    world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Discord lets wait in one channel must keep no other game from being shown."""
    slots = world.client.publisher.easel.render_slots
    free: list[int] = []
    edit, send = discord.PartialMessage.edit, discord.Webhook.send

    async def edited(*args: Any, **options: Any) -> Any:
        free.append(slots.free)
        return await edit(*args, **options)

    async def sent(*args: Any, **options: Any) -> Any:
        free.append(slots.free)
        return await send(*args, **options)

    monkeypatch.setattr(discord.PartialMessage, "edit", edited)
    monkeypatch.setattr(discord.Webhook, "send", sent)
    await world.dan.slash(world.channel, "kanagawa look", player="ann")
    await person_to_move(world, session).click(await table_of(world, session.id), label="Stay")
    assert set(free) == {MADE_AT_ONCE}


async def test_only_so_many_messages_are_made_at_once(world: World, session: Session) -> None:
    publisher = world.client.publisher
    async with AsyncExitStack() as others:
        for number in range(MADE_AT_ONCE):
            await others.enter_async_context(publisher.easel.render_slots.take(Rank.PRIVATE, number))
        await world.client.table.act(session.id, person_to_move(world, session).id, 0, "take.1")
        showing = asyncio.create_task(publisher.publish(session.id))
        await asyncio.sleep(0.2)
        assert await shown_version(world, session.id) == 0
    assert await showing
    assert await shown_version(world, session.id) == 1


# After a restart -------------------------------------------------------------------------------------


async def test_a_move_that_was_saved_and_not_shown_is_shown_after_a_start(
    world: World, session: Session
) -> None:
    await world.client.table.act(session.id, person_to_move(world, session).id, 0, "take.1")
    await world.restart()
    before = edits(world)
    await world.client.publisher.publish(session.id)
    assert await shown_version(world, session.id) == 1
    await world.restart()
    await world.client.publisher.publish(session.id)
    assert edits(world) == before + 1, "what the message shows already is not shown again"


async def test_an_end_that_was_saved_and_not_shown_is_shown_by_the_next_press(
    world: World, session: Session
) -> None:
    await world.client.table.cancel(session.id, 0, moderator=True)
    await world.restart()
    pressed = await person_to_move(world, session).click(await table_of(world, session.id), label="Take 1")
    assert "has ended" in said(pressed)
    shown = (await world.table_message(session.id))["components"]
    assert not buttons_of(shown)
    assert "was cancelled" in text_of(shown)


# Pictures --------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("files_in_components")
@pytest.mark.parametrize("restarted", [False, True])
async def test_a_picture_that_did_not_change_is_kept(restarted: bool, world: World, session: Session) -> None:
    hands = Hands(world, person_to_move(world, session), session.id)
    await hands.do("take.1")
    before = files_shown((await world.table_message(session.id))["components"])
    card = (await world.session()).state.players[session.to_move].hand[0]
    if restarted:
        await world.restart()
    await hands.do(f"studio.{card}")
    after = files_shown((await world.table_message(session.id))["components"])
    assert [name.split("-")[0] for name in before] == ["school", "wall"]
    kept = before.keys() & after.keys()
    assert [name.split("-")[0] for name in kept] == ["school"]
    assert all(before[name] == after[name] for name in kept)


async def test_where_a_picture_cannot_be_kept_it_is_sent_again(world: World, session: Session) -> None:
    hands = Hands(world, person_to_move(world, session), session.id)
    await hands.do("take.1")
    before = {one.id for one in (await table_of(world, session.id)).attachments}
    world.env.inject_error(*EDIT, status=400, code=50035, times=1)
    card = (await world.session()).state.players[session.to_move].hand[0]
    await hands.do(f"studio.{card}")
    after = {one.id for one in (await table_of(world, session.id)).attachments}
    assert len(after) == 2
    assert not before & after


async def test_each_picture_is_alone_in_a_gallery_with_its_alt_text(world: World, session: Session) -> None:
    box = (await world.table_message(session.id))["components"][0]
    galleries = [one for one in box["components"] if one["type"] == 12]
    assert [len(one["items"]) for one in galleries] == [1, 1]
    assert galleries[0]["items"][0]["description"].startswith("The School, round 1, row 1.")
    assert "ann: " in galleries[1]["items"][0]["description"]


# Mentions --------------------------------------------------------------------------------------------


async def test_whoever_is_to_move_is_mentioned_once_and_the_older_mention_goes(
    world: World, session: Session
) -> None:
    for _ in range(3):
        person = person_to_move(world, session)
        told = [one for one in messages(world) if "your turn" in one.content]
        assert [one.content.count(f"<@{person.id}>") for one in told] == [1]
        assert f"/{(await table_of(world, session.id)).id})" in told[0].content, "it links to the table"
        await person.slash(world.channel, "kanagawa score")
        await person.click(await table_of(world, session.id), label="Stay")
        session = await world.session()


async def test_nobody_but_the_player_to_move_can_be_pinged(world: World, session: Session) -> None:
    person = person_to_move(world, session)
    await person.click(await table_of(world, session.id), label="Stay")
    pinged: list[int] = []
    for one in world.env.http_requests:
        body = one.json if isinstance(one.json, dict) else {}
        body = body.get("data") or body
        if "allowed_mentions" in body:
            allowed = body["allowed_mentions"]
            assert allowed["parse"] == []
            assert not allowed.get("roles")
            if users := [int(user) for user in allowed.get("users", [])]:
                assert body["content"].count("<@") == 1
                assert f"<@{users[0]}>" in body["content"]
                pinged += users
    assert pinged == [person.id, person_to_move(world, await world.session()).id]


async def test_showing_the_table_again_mentions_nobody_anew(world: World, session: Session) -> None:
    old = await table_of(world, session.id)
    told = [one.id for one in messages(world) if "your turn" in one.content]
    assert "at the bottom" in said(await world.dan.slash(world.channel, "kanagawa table"))
    assert [one.id for one in messages(world) if "your turn" in one.content] == told
    new = await table_of(world, session.id)
    assert new.id > old.id
    assert old.id not in [one.id for one in messages(world)], "the older table is gone"
    await person_to_move(world, session).click(new, label="Take 1")
    assert (await world.session()).version == 1


async def test_who_plays_alone_is_not_mentioned(world: World) -> None:
    session = await open_solo(world)
    await world.ann.click(await table_of(world, session.id), label="Stay")
    assert not [one for one in messages(world) if "<@" in one.content]


# What the message says -------------------------------------------------------------------------------


async def test_the_message_tells_what_happened_since_the_last_persons_turn(
    world: World, session: Session
) -> None:
    first = Hands(world, person_to_move(world, session), session.id)
    await first.do("take.1")
    card = (await world.session()).state.players[session.to_move].hand[0]
    await first.do(f"studio.{card}")
    await first.do("done")
    after = await world.session()
    second = person_to_move(world, after)
    await second.click(await table_of(world, session.id), label="Stay")
    lines = text_of((await world.table_message(session.id))["components"])
    assert f"**{second.name}** stays" in lines
    assert "takes column 1" not in lines, "that was before the last person's turn"
    assert list(buttons_of((await world.table_message(session.id))["components"])) == [
        "Stay",
        "Take 2",
        "Take 3",
        "My table",
    ]


async def test_the_buttons_are_what_is_legal(world: World, session: Session) -> None:
    hands = {one.id: Hands(world, one, session.id) for one in world.people}
    while session.state.round < 3:
        assert session.to_move is not None
        codes = map(session.game.code, session.game.legal(session.state, session.to_move))
        legal = [one for one in codes if one.split(".")[0] in ("stay", "take")]
        shown = controls((await world.table_message(session.id))["components"])
        assert [one["custom_id"].split(":", 3)[3] for one in shown] == [*legal, "?table"]
        await hands[person_to_move(world, session).id].do(advice(session))
        session = await world.session()
