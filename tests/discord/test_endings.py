"""How games end other than by being played out: places that are gone, silence, and leaving from anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import discord
import pytest
import simcord

import bot
from cogs.leaving import LISTED
from cogs.lobby import KIND
from cogs.online import CannotConnect
from cogs.places import Places
from cogs.reach import barred, gone
from table.pace import CUT_OFF_LIFE, DAY, LAST_CALL, MISSED_LIMIT, SILENCE
from table.store import ABANDONED, CANCELLED, LAPSED, LOST, Seat
from table.table import Session
from tests.discord.conftest import World, answer, last, text_of
from tests.discord.table_talk import advice, controls, open_solo, open_table, person_to_move, press_raw, said
from tests.discord.test_threads import in_thread
from tests.stress.stand_in import failure

POST = ("POST", "/channels/*/messages")
EDIT = ("PATCH", "/channels/*/messages/*")


async def ended(world: World, game: int) -> str | None:
    return (await world.client.table.get(game)).record.finished


async def solo(world: World, person: simcord.MemberActor, channel: Any = None) -> Session:
    """A game against Osahito that a person begins."""
    await person.slash(channel or world.channel, "kanagawa solo")
    return await world.session(channel)


# Places that are gone --------------------------------------------------------------------------------


async def test_the_games_of_a_server_end_at_once_when_it_removes_the_bot(world: World) -> None:
    table, lobby = await open_table(world, world.ann, world.ben), world.guild.create_text_channel("attic")
    await world.cleo.slash(lobby, "kanagawa new")
    thread, in_it = await in_thread(world, world.dan, channel=world.guild.create_text_channel("loft"))
    private = await world.ann.user.slash("kanagawa solo")
    assert said(private)
    waiting = await world.session(lobby)
    world.env.backend.remove_guild(world.guild.id)
    await world.env.settle()
    assert [await ended(world, one.id) for one in (table, waiting, in_it)] == [LOST] * 3
    (left,) = await world.client.table.live()
    assert left.options["guild"] is None, "a direct message is in no server"
    elsewhere = world.env.create_guild("Elsewhere")
    channel = elsewhere.create_text_channel("kanagawa")
    ben = elsewhere.add_member(world.ben.user)
    assert "You sit in no game" in said(await ben.slash(channel, "kanagawa games"))
    assert thread.id


async def test_the_games_of_a_server_that_removed_the_bot_while_it_was_down_end_at_the_start(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await open_table(world, world.ann, world.ben)
    there = world.env.create_guild("Elsewhere")
    channel = there.create_text_channel("kanagawa")
    kept = await solo(world, there.add_member(world.cleo.user), channel)

    async def unheard(self: Any, guild: discord.Guild) -> None:
        pass

    with monkeypatch.context() as down:
        down.setattr(type(world.client), "on_guild_remove", unheard)
        world.env.backend.remove_guild(world.guild.id)
        await world.env.settle()
    assert await ended(world, session.id) is None
    await world.restart()
    # Of a channel Discord says no more than that it may not be seen.
    for method, path in (POST, EDIT, ("GET", "/channels/*"), ("GET", "/channels/*/messages/*")):
        world.env.inject_error(method, path, status=403, code=50001, times=None)
    await bot.publish_all(world.client)
    assert await ended(world, session.id) == LOST
    assert await ended(world, kept.id) is None


async def test_the_token_of_another_bot_ends_no_game(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await open_table(world, world.ann, world.ben)
    own = world.client.application_id
    assert own is not None

    async def left(self: Any, server: int) -> bool:
        return True

    with monkeypatch.context() as another:
        another.setattr(Places, "_is_left", left)
        another.setattr(type(world.client), "guilds", [])
        await bot.publish_all(world.client)
        assert await ended(world, session.id) is None
        assert await world.store.application() is None, "this may be another one"
        another.undo()
        await bot.publish_all(world.client)
        assert await world.store.application() == own
        # Now that the database knows its own, the bot has certainly left.
        another.setattr(Places, "_is_left", left)
        another.setattr(type(world.client), "guilds", [])
        await bot.publish_all(world.client)
        assert await ended(world, session.id) == LOST


async def test_a_bot_does_not_start_on_the_database_of_another(world: World) -> None:
    await world.store.keep_application((world.client.application_id or 0) + 1)
    with pytest.raises(CannotConnect, match="use the token of the same bot"):
        await world.client.setup_hook()


async def test_an_outage_of_a_server_ends_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await open_table(world, world.ann, world.ben)
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id), "unavailable": True})
    await world.env.settle()
    assert await ended(world, session.id) is None
    await world.restart()
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id), "unavailable": True})
    for method, path in (POST, EDIT, ("GET", "/channels/*"), ("GET", "/channels/*/messages/*")):
        world.env.inject_error(method, path, status=503, code=0, times=None)
    await bot.publish_all(world.client)
    # Nor does a list of servers in which it is missing: Discord knows the server when asked.
    monkeypatch.setattr(type(world.client), "guilds", [])
    await bot.publish_all(world.client)
    world.env.inject_error("GET", "/guilds/*", status=503, code=0, times=None)
    await bot.publish_all(world.client)
    world.env.backend.faults.clear()
    assert await ended(world, session.id) is None
    assert (await world.session()).record.cut_off is None


async def test_a_channel_that_was_deleted_takes_the_archived_threads_below_it_along(world: World) -> None:
    attic = world.guild.create_text_channel("attic")
    thread, session = await in_thread(world, world.ben, channel=attic)
    # As of an archived thread: discord.py knows none of those, and Discord tells nothing of them.
    world.client.get_guild(world.guild.id)._remove_thread(thread)  # type: ignore[union-attr, arg-type]
    kept = await open_table(world, world.cleo, world.dan)
    world.env.backend.channels.pop(thread.id)
    world.env.backend.delete_channel(attic.id)
    await world.env.settle()
    assert await ended(world, session.id) == LOST
    assert await ended(world, kept.id) is None


async def test_a_channel_that_is_found_gone_when_a_move_is_shown_ends_its_game(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await open_table(world, world.ann, world.ben)
    monkeypatch.setattr(world.client.table, "live_in", _none)
    with monkeypatch.context() as unheard:
        unheard.setattr(world.client.table, "lose", _none)
        world.env.backend.delete_channel(world.channel.id)
        await world.env.settle()
    await world.client.table.act(session.id, person_to_move(world, session).id, 0, "stay")
    await world.client.publisher.publish(session.id)
    assert await ended(world, session.id) == LOST


async def _none(*_: object) -> list[Any]:
    return []


async def test_a_channel_of_which_nothing_is_known_ends_no_game_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A world that is not there yet, as when the local table opens, or a direct message."""
    session = await open_table(world, world.ann, world.ben)
    await world.client.table.act(session.id, person_to_move(world, session).id, 0, "stay")
    for method, path in (POST, EDIT, ("GET", "/channels/*"), ("GET", "/channels/*/messages/*")):
        world.env.inject_error(method, path, status=404, code=10003, times=None)
    with monkeypatch.context() as unknown:
        unknown.setattr(world.client, "get_guild", lambda server: None)
        await world.client.publisher.publish(session.id)
    assert (await world.session()).record.cut_off is not None
    world.env.backend.faults.clear()
    await world.client.publisher.publish(session.id)
    assert (await world.session()).record.cut_off is None


@pytest.mark.parametrize(
    ("status", "code", "what"),
    [
        (404, 10003, "gone"),
        (404, 10004, "gone"),
        (404, 10008, None),
        (404, 0, None),
        (403, 50001, "barred"),
        (403, 50013, "barred"),
        (403, 50007, "barred"),
        (403, 50278, "barred"),
        (400, 50083, "barred"),
        (400, 160005, "barred"),
        (403, 0, None),
        (401, 0, None),
        (429, 0, None),
        (500, 0, None),
        (400, 50035, None),
    ],
)
def test_what_an_answer_says_of_a_place(status: int, code: int, what: str | None) -> None:
    error = failure(status, code)
    assert (gone(error), barred(error)) == (what == "gone", what == "barred")


# Places out of reach ---------------------------------------------------------------------------------


@contextmanager
def kept_out(world: World, code: int = 50001) -> Iterator[None]:
    """The bot may write nowhere."""
    for method, path in (POST, EDIT):
        world.env.inject_error(method, path, status=403, code=code, times=None)
    try:
        yield
    finally:
        world.env.backend.faults.clear()


async def move_unseen(world: World, game: int) -> None:
    """Somebody moves, and the bot tries to show it."""
    session = await world.client.table.get(game)
    await world.client.table.act(game, person_to_move(world, session).id, session.version, advice(session))
    await world.client.publisher.publish(game)


@pytest.mark.parametrize("code", [50001, 50013, 50007])
async def test_no_time_counts_while_the_bot_is_kept_out_and_the_turn_has_the_rest_of_it_then(
    world: World, code: int
) -> None:
    session = await open_table(world, world.ann, world.ben)
    await world.env.advance_time(DAY)
    with kept_out(world, code):
        await move_unseen(world, session.id)
        await world.env.advance_time(10 * DAY)
        during = await world.session()
        assert during.record.cut_off is not None
        assert during.deadline is None
        assert [seat.missed for seat in during.seats] == [0, 0]
        assert not any(turn.maker for turn in during.line)
        shown = said(await world.ann.slash(world.channel, "kanagawa games"))
        assert "kept out" in shown
    # Whoever manages the server changes a permission, which the bot hears of: nothing is polled.
    payload = {"guild_id": str(world.guild.id), "id": str(world.channel.id), "type": 0, "name": "open"}
    channel = {**payload, "position": 1, "permission_overwrites": [], "nsfw": False, "parent_id": None}
    world.env.backend.emit("CHANNEL_UPDATE", channel)
    await world.env.settle()
    after = await world.session()
    assert after.record.cut_off is None
    now = world.env.now().timestamp()
    assert after.deadline is not None
    assert 1.9 * DAY < after.deadline - now <= 3 * DAY
    assert not any(turn.maker for turn in after.line)
    await world.restart()
    assert (await world.session()).deadline == after.deadline


async def test_a_game_ends_when_its_place_was_out_of_reach_for_too_long_and_can_be_left_meanwhile(
    world: World,
) -> None:
    session = await open_table(world, world.ann, world.ben)
    with kept_out(world):
        await move_unseen(world, session.id)
        await world.env.advance_time(CUT_OFF_LIFE - DAY)
        assert await ended(world, session.id) is None
        before = len(world.env.http_requests)
        await world.env.advance_time(DAY - 60)
        assert len(world.env.http_requests) == before, "nothing is polled"
        await world.env.advance_time(120)
        assert await ended(world, session.id) == LOST
    await world.ann.slash(world.channel, "kanagawa new")


async def test_a_place_is_reached_when_something_was_written_there_and_not_before(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    with kept_out(world):
        assert not await world.client.publisher.publish(session.id, anew=True)
        assert (await world.session()).record.cut_off is not None
        assert not await world.client.publisher.publish(session.id), "although its message shows it"
        assert (await world.session()).record.cut_off is not None
    assert await world.client.publisher.publish(session.id)
    assert (await world.session()).record.cut_off is None


async def test_a_place_that_is_back_at_the_last_moment_goes_on(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    with kept_out(world):
        await move_unseen(world, session.id)
    await world.env.advance_time(CUT_OFF_LIFE + 60)
    after = await world.session()
    assert (after.id, after.finished, after.record.cut_off) == (session.id, False, None)


async def test_a_person_who_takes_no_direct_messages_any_more_blocks_nothing_for_ever(world: World) -> None:
    await world.ann.user.slash("kanagawa solo")
    (record,) = await world.client.table.live()
    with kept_out(world, 50007):
        await move_unseen(world, record.id)
        await world.env.advance_time(CUT_OFF_LIFE + 60)
    assert await ended(world, record.id) == LOST


# Silence ---------------------------------------------------------------------------------------------


async def unlimited(world: World) -> Session:
    await world.ann.slash(world.channel, "kanagawa new", pace="none")
    await world.ben.click(last(world.channel), label="Join")
    await world.ann.click(last(world.channel), label="Start")
    return await world.session()


@pytest.mark.parametrize("alone", [True, False])
async def test_a_game_without_a_limit_reminds_after_a_week_and_ends_after_a_month_without_a_move(
    world: World, alone: bool
) -> None:
    session = await (solo(world, world.ann) if alone else unlimited(world))
    mover, sent = person_to_move(world, session), len(world.channel.history())
    await world.env.advance_time(SILENCE - 60)
    assert len(world.channel.history()) == sent
    await world.env.advance_time(120)
    reminder = last(world.channel).content
    assert mover.mention in reminder
    ends = int(world.env.now().timestamp() + LAST_CALL)
    assert any(f"<t:{ends - late}:R>" in reminder for late in range(-60, 121))
    assert "unless somebody moves" in said(await mover.slash(world.channel, "kanagawa games"))
    await world.env.advance_time(LAST_CALL - 240)
    assert await ended(world, session.id) is None
    await world.env.advance_time(360)
    assert await ended(world, session.id) == LAPSED
    assert "for a month" in text_of((await world.table_message(session.id))["components"])


async def test_a_move_begins_the_silence_anew(world: World) -> None:
    session = await solo(world, world.ann)
    await world.env.advance_time(SILENCE + 60)
    assert (await world.session()).is_silent
    await move_unseen(world, session.id)
    assert not (await world.session()).is_silent
    await world.env.advance_time(SILENCE - 120)
    assert not (await world.session()).is_silent
    await world.env.advance_time(LAST_CALL)
    assert await ended(world, session.id) is None, "it has been reminded of in between"
    await world.env.advance_time(SILENCE + 240)
    assert await ended(world, session.id) == LAPSED


async def test_nobody_is_cut_short_who_could_not_be_reminded_while_the_bot_was_down(world: World) -> None:
    session = await solo(world, world.ann)
    world.client.pace.stop()
    await world.env.advance_time(SILENCE + LAST_CALL + DAY)
    await world.restart()
    sent = len(world.channel.history())
    await world.env.advance_time(SILENCE - 120)
    assert len(world.channel.history()) == sent, "the time in which the bot was down does not count"
    await world.env.advance_time(240)
    assert (await world.session()).id == session.id
    assert world.ann.mention in last(world.channel).content


@contextmanager
def moderator(world: World, person: simcord.MemberActor) -> Iterator[None]:
    role = world.guild.create_role("moderators", permissions=discord.Permissions(manage_messages=True))
    world.env.backend.add_member_role(world.guild.id, person.id, role.id)
    yield


async def cancels(world: World, person: simcord.MemberActor) -> str:
    """A person cancels the game of the channel, and says yes if they are asked."""
    asked = await person.slash(world.channel, "kanagawa cancel")
    if answer(asked).components:
        await person.click(answer(asked), label="Yes, cancel it")
    return said(asked)


async def test_the_solo_game_of_another_is_anybodys_to_end_once_it_is_silent(world: World) -> None:
    session = await solo(world, world.ann)
    assert "for a week" in await cancels(world, world.dan)
    assert "Anybody can" in said(await world.dan.slash(world.channel, "kanagawa new"))
    await world.env.advance_time(SILENCE + 60)
    await cancels(world, world.dan)
    assert await ended(world, session.id) == CANCELLED
    await world.dan.slash(world.channel, "kanagawa new")


async def test_a_silent_game_of_several_is_ended_by_those_who_sit_there_and_no_others(world: World) -> None:
    session = await unlimited(world)
    assert "when they all agree" in await cancels(world, world.ben)
    assert await ended(world, session.id) is None
    await world.env.advance_time(SILENCE + 60)
    assert "Only the host" in await cancels(world, world.dan)
    await cancels(world, world.ben)
    assert await ended(world, session.id) == CANCELLED
    result = await world.store.result(session.id)
    assert result is not None
    assert [seat.apprentice for seat in result.seats] == [number == session.to_move for number in range(2)], (
        "the person whose move it waited for has left it"
    )


# Leaving from anywhere -------------------------------------------------------------------------------


async def pick(world: World, person: Any, where: Any, session: Session) -> simcord.InteractionResult:
    """Choose a game to leave from the list of one's games; what answers."""
    listed = answer(
        await (person.slash(where, "kanagawa games") if where else person.slash("kanagawa games"))
    )
    (select,) = controls(listed.components)
    return await person.select(listed, [str(session.id)], custom_id=select["custom_id"])


async def test_a_lobby_is_left_from_another_channel_and_closes_with_the_last(world: World) -> None:
    attic = world.guild.create_text_channel("attic")
    await world.ann.slash(world.channel, "kanagawa new")
    lobby = last(world.channel)
    await world.ben.click(lobby, label="Join")
    session = await world.session()
    for person, left in ((world.ann, False), (world.ben, True)):
        asked = answer(await pick(world, person, attic, session))
        assert f"<#{world.channel.id}>" in asked.content
        done = await person.click(asked, label="Yes, leave the lobby")
        assert ("nobody is left" in answer(done).content) == left
    assert await ended(world, session.id) == CANCELLED
    message = await world.message(world.channel.id, lobby.id)
    assert "was cancelled" in text_of(message["components"])


async def test_a_started_game_is_left_from_a_direct_message_after_a_restart(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    asked = answer(await pick(world, world.ann.user, None, session))
    assert "apprentice" in asked.content
    await world.restart()
    await world.ann.user.click(asked, label="Yes, leave the game")
    session = await world.session()
    assert session.seat_of(world.ann.id) is None
    assert await ended(world, session.id) is None
    asked = answer(await pick(world, world.ben, world.channel, session))
    assert "last person" in asked.content
    await world.ben.click(asked, label="Yes, leave the game")
    assert await ended(world, session.id) == ABANDONED


async def test_a_game_whose_place_is_out_of_reach_is_left_too(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    attic = world.guild.create_text_channel("attic")
    asked = answer(await pick(world, world.ann, attic, session))
    with kept_out(world):
        await world.ann.click(asked, label="Yes, leave the game")
    assert (await world.client.table.get(session.id)).seat_of(world.ann.id) is None
    assert "You sit in no game" in said(await world.ann.slash(attic, "kanagawa games"))


async def test_a_seat_that_the_apprentice_plays_on_is_given_up_for_good(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo)
    away = person_to_move(world, session)
    for _ in range(MISSED_LIMIT):
        session = await world.session()
        while person_to_move(world, session) is not away:
            await move_unseen(world, session.id)
            session = await world.session()
        await world.env.advance_time(6 * DAY + 1)
    session = await world.session()
    assert session.is_away(away.id)
    asked = answer(await pick(world, away, world.channel, session))
    assert "cannot come back" in asked.content
    await away.click(asked, label="Yes, leave the game")
    assert not (await world.session()).is_away(away.id)
    assert "You sit in no game" in said(await away.slash(world.channel, "kanagawa games"))


async def test_a_solo_game_in_a_direct_message_is_left_from_a_channel(world: World) -> None:
    await world.ann.user.slash("kanagawa solo")
    (record,) = await world.client.table.live()
    session = await world.client.table.get(record.id)
    asked = answer(await pick(world, world.ann, world.channel, session))
    await world.ann.click(asked, label="Yes, leave the game")
    assert await ended(world, session.id) == ABANDONED


async def test_nobody_leaves_for_another_and_nobody_leaves_what_they_were_not_asked_about(
    world: World,
) -> None:
    await world.ann.slash(world.channel, "kanagawa new")
    session = await world.session()
    lobby = last(world.channel)
    await world.ben.click(lobby, label="Join")
    raw = deepcopy(await world.message(world.channel.id, lobby.id))
    for custom_id in (
        f"kgleave:{world.ann.id}",
        f"kgleave:{world.ann.id}:{session.id}:lobby",
        "kgleave:x",
    ):
        next(controls(raw["components"]))["custom_id"] = custom_id
        assert said(await press_raw(world, world.ben, raw, custom_id))
    assert len((await world.session()).seats) == 2
    asked = answer(await pick(world, world.ann, world.channel, session))
    await world.ann.click(lobby, label="Start")
    refused = await world.ann.click(asked, label="Yes, leave the lobby")
    assert "moved on" in said(refused)
    assert (await world.session()).seat_of(world.ann.id) is not None


async def test_every_game_of_a_long_list_can_be_left_and_no_two_rows_read_alike(world: World) -> None:
    table, options = world.client.table, {"mode": "table", "guild": world.guild.id}
    games: set[str] = set()
    for _ in range(LISTED):
        channel = world.guild.create_text_channel("same-name")
        session = await table.open(KIND, channel.id, Seat(world.ann.id, "ann"), options)
        games.add(str(session.id))
    shown = await world.ann.slash(world.channel, "kanagawa games")
    assert shown.response is not None
    selects = [one for part in (shown.response, *shown.followups) for one in controls(part.components)]
    rows = [row for one in selects for row in one["options"]]
    assert {row["value"] for row in rows} == games
    assert len({row["label"] for row in rows}) == len(rows)
    assert all(len(one["options"]) <= 25 for one in selects)


async def test_a_lobby_in_a_direct_message_is_refused_with_what_can_be_done_there(world: World) -> None:
    for options in ({}, {"thread": True}):
        assert "/kanagawa solo" in said(await world.ann.user.slash("kanagawa new", **options))
    assert await world.client.table.live() == []


async def test_a_moderator_ends_any_game_of_the_channel(world: World) -> None:
    session = await open_solo(world)
    with moderator(world, world.dan):
        await cancels(world, world.dan)
    assert await ended(world, session.id) == CANCELLED
