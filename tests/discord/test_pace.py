"""Deadlines, reminders, moving on, free seats, lobbies that close: with the time moved by hand."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import simcord

import bot
from cogs.pace import AT_ONCE, OF_ONE_PLACE, RETRY
from table.pace import BEAT, DAY, HOUR, SILENCE
from table.store import Record, Seat
from table.table import Session
from tests.discord.conftest import World, buttons_of, last, text_of
from tests.discord.table_talk import advice, open_table, person_to_move, said, table_of


def mentions(world: World, channel: Any = None) -> list[str]:
    """The notices that stand in the channel."""
    return [one.content for one in (channel or world.channel).history() if "<@" in one.content]


async def shown(world: World, session: Session) -> list[dict[str, Any]]:
    return (await world.table_message(session.id))["components"]


def other(world: World, session: Session) -> simcord.MemberActor:
    mover = person_to_move(world, session)
    return next(one for one in (world.ann, world.ben) if one.id != mover.id)


async def test_half_way_one_reminder_takes_the_place_of_the_notice(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover = person_to_move(world, session)
    (first,) = mentions(world)
    assert mover.mention in first
    assert "it is your turn" in first
    await world.env.advance_time(1.5 * DAY - 60)
    assert mentions(world) == [first]
    await world.env.advance_time(120)
    (second,) = mentions(world)
    assert "half of the time" in second
    assert mover.mention in second
    sent = len(world.channel.history())
    await world.env.advance_time(1.4 * DAY)
    assert len(world.channel.history()) == sent, "one thing is said once"


async def test_the_deadline_shows_and_when_it_is_over_anybody_seated_may_move_on(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    assert f"<t:{int(world.env.now().timestamp() + 3 * DAY)}:R>" in text_of(await shown(world, session))
    assert "Move on" not in buttons_of(await shown(world, session))
    await world.env.advance_time(3 * DAY + 1)
    assert "Move on" in buttons_of(await shown(world, session))
    refused = await world.cleo.click(await table_of(world, session.id), label="Move on")
    assert "do not sit" in said(refused)
    await other(world, session).click(await table_of(world, session.id), label="Move on")
    after = await world.session()
    assert after.to_move != session.to_move
    assert after.seats[session.to_move or 0].missed == 1
    assert "Move on" not in buttons_of(await shown(world, session))


async def test_at_twice_the_deadline_it_moves_on_by_itself_and_the_third_time_the_seat_is_free(
    world: World,
) -> None:
    session = await open_table(world, world.ann, world.ben)
    away = person_to_move(world, session)
    seat, player = session.to_move, other(world, session)
    assert seat is not None
    for missed in (1, 2, 3):
        await world.env.advance_time(6 * DAY + 1)
        session = await world.session()
        assert session.seats[seat].missed == missed
        while session.to_move is not None and session.seats[session.to_move].user == player.id:
            await world.client.table.act(session.id, player.id, session.version, advice(session))
            session = await world.session()
            if session.seats[seat].apprentice:
                break
        await world.client.publisher.publish(session.id)
    assert session.free == (seat,)
    text = text_of(await shown(world, session))
    assert "has left: the apprentice plays on" in text
    assert "Move on" not in buttons_of(await shown(world, session))
    refused = await player.click(await table_of(world, session.id), label="I'm back")
    assert "already" in said(refused)
    refused = await world.cleo.click(await table_of(world, session.id), label="I'm back")
    assert "not free for you" in said(refused)
    assert "I'm back" in said(await away.slash(world.channel, "kanagawa hand"))
    assert "until you press **I'm back**" in said(await away.slash(world.channel, "kanagawa games"))
    await away.click(await table_of(world, session.id), label="I'm back")
    assert "until you press" not in said(await away.slash(world.channel, "kanagawa games"))
    session = await world.session()
    assert not session.free
    assert session.seats[seat].missed == 0
    assert "has left" not in text_of(await shown(world, session))


async def test_somebody_of_the_channel_takes_the_seat_of_who_conceded(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    await world.client.table.concede(session.id, world.ben.id)
    await world.client.publisher.publish(session.id)
    label = next(one for one in buttons_of(await shown(world, session)) if one.startswith("Take over"))
    assert label.endswith("ben)")
    refused = await world.ben.click(await table_of(world, session.id), label=label)
    assert "not free for you" in said(refused)
    await world.cleo.click(await table_of(world, session.id), label=label)
    session = await world.session()
    assert {one.name for one in session.seats} == {"ann", "cleo"}
    assert label not in buttons_of(await shown(world, session))
    assert "You sit in no game" in said(await world.ben.slash(world.channel, "kanagawa games"))


async def test_a_restart_between_reminder_and_deadline_says_nothing_twice(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    await world.env.advance_time(1.5 * DAY + 1)
    sent = [one.id for one in world.channel.history()]
    await world.restart()
    await world.client.publisher.publish(session.id)
    await world.env.advance_time(HOUR)
    assert [one.id for one in world.channel.history()] == sent
    await world.env.advance_time(1.5 * DAY)
    assert "Move on" in buttons_of(await shown(world, session))
    await world.restart()
    await other(world, session).click(await table_of(world, session.id), label="Move on")
    assert (await world.session()).to_move != session.to_move


async def test_a_channel_that_is_gone_stops_no_other_game(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    there = world.guild.create_text_channel("there")
    await world.client.table.move_to(session.id, 1)  # a channel that nobody has
    await world.ann.slash(world.channel, "kanagawa new")
    await world.env.advance_time(1 * DAY + 1)
    assert "within a day" in text_of(
        (await world.message(world.channel.id, last(world.channel).id))["components"]
    )
    await world.env.advance_time(6 * DAY)
    assert (await world.client.table.get(session.id)).to_move != session.to_move
    assert not there.history()


async def test_a_lobby_says_when_it_closes_and_closes_by_itself(world: World) -> None:
    await world.ann.slash(world.channel, "kanagawa new", pace="live")
    message = last(world.channel)
    text = text_of((await world.message(world.channel.id, message.id))["components"])
    assert "10 minutes" in text
    assert f"<t:{int(world.env.now().timestamp() + DAY)}:R>" in text
    await world.env.advance_time(DAY - 1)
    assert (await world.session()).is_lobby
    await world.env.advance_time(2)
    text = text_of((await world.message(world.channel.id, message.id))["components"])
    assert "Nobody started this game within a day" in text


async def test_without_a_limit_no_turn_is_moved_on(world: World) -> None:
    await world.ann.slash(world.channel, "kanagawa new", pace="none")
    await world.ben.click(last(world.channel), label="Join")
    await world.ann.click(last(world.channel), label="Start")
    session = await world.session()
    sent = len(world.channel.history())
    await world.env.advance_time(SILENCE - 60)
    assert len(world.channel.history()) == sent
    assert (await world.session()).version == session.version


# Many games, and time in which nobody could play -------------------------------------------------------


async def overdue(world: World, count: int, place: int, ago: float = 1) -> list[int]:
    """So many lobbies of a server that nobody started in time, behind the back of the loop."""
    deadline = world.env.now().timestamp() - ago
    options = {"mode": "table", "pace": "day", "guild": place}
    return [
        await world.store.create(
            Record(channel, "kanagawa", channel, (Seat(channel, "somebody"),), options, deadline=deadline)
        )
        for channel in range(place, place + count)
    ]


class Service:
    """A pace whose games are served by the test: which are under way, and which are done."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world = world
        self.pace = world.client.pace
        self.go_on = asyncio.Event()
        self.slow: set[int] = set()
        self.broken: set[int] = set()
        self.begun: list[int] = []
        self.done: list[int] = []
        monkeypatch.setattr(self.pace, "_serve_game", self.serve)

    async def serve(self, game: int) -> None:
        self.begun.append(game)
        if game in self.broken:
            raise ValueError("broken")
        if game in self.slow:
            await self.go_on.wait()
        await self.world.client.table.clock(game)
        self.done.append(game)

    async def look(self) -> None:
        await self.pace._look()
        for _ in range(20):
            await asyncio.sleep(0.005)


async def test_a_slow_server_holds_up_no_other_and_no_game_is_served_twice_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(world, monkeypatch)
    slow = await overdue(world, 20, 1000)
    service.slow = set(slow)
    await service.look()
    assert service.begun == slow[:OF_ONE_PLACE]
    others = [
        game for place in range(2000, 2000 + 100 * AT_ONCE, 100) for game in await overdue(world, 1, place)
    ]
    await service.look()
    assert set(service.done) == set(others), "what is newly due is done beside the slow ones"
    assert len(service.begun) == OF_ONE_PLACE + len(others)
    service.go_on.set()
    await service.look()
    assert sorted(service.begun) == sorted([*slow, *others])


async def test_no_more_games_are_served_at_a_time_than_there_are_slots(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(world, monkeypatch)
    games = [
        game
        for place in range(1000, 1000 + 100 * (AT_ONCE + 9), 100)
        for game in await overdue(world, 1, place)
    ]
    service.slow = set(games)
    await service.look()
    assert len(service.begun) == AT_ONCE
    service.go_on.set()
    await service.look()
    assert sorted(service.done) == sorted(games)


async def test_a_game_that_fails_is_tried_again_later_and_later_and_no_other_with_it(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    service = Service(world, monkeypatch)
    (bad, good) = [game for place in (1000, 2000) for game in await overdue(world, 1, place)]
    service.broken = {bad}
    await service.look()
    assert service.done == [good]
    times = service.begun.count(bad)
    await world.env.advance_time(1)
    for wait in (RETRY, 2 * RETRY, 4 * RETRY):
        await world.env.advance_time(wait - 3)
        assert service.begun.count(bad) == times
        await world.env.advance_time(3)
        times += 1
        assert service.begun.count(bad) == times
    service.broken = set()
    await world.env.advance_time(8 * RETRY)
    assert service.done == [good, bad]
    caplog.clear()


async def test_a_stop_waits_for_the_games_that_are_served_and_begins_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(world, monkeypatch)
    games = await overdue(world, OF_ONE_PLACE + 3, 1000)
    service.slow = set(games)
    await service.look()
    closing = asyncio.create_task(world.client.close())
    await asyncio.sleep(0.05)
    assert not closing.done()
    service.go_on.set()
    await closing
    assert service.done == games[:OF_ONE_PLACE]
    assert service.begun == games[:OF_ONE_PLACE]


async def test_after_a_time_in_which_the_bot_was_down_the_table_shows_how_much_is_left(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    await world.env.advance_time(DAY)
    deadline = session.deadline or 0.0
    # As if the process had been killed ten hours ago.
    await world.store.see(world.env.now().timestamp() - 10 * HOUR)
    message = session.record.message
    await world.restart()
    await bot.publish_all(world.client)
    later = f"<t:{int(deadline + 10 * HOUR)}:R>"
    assert later in text_of(await shown(world, session))
    assert (await world.session()).record.message == message, "it stays where it is"
    assert later.removeprefix("<t:") in said(await world.ann.slash(world.channel, "kanagawa games"))
    await world.env.advance_time(2 * DAY + 1)
    assert "Move on" not in buttons_of(await shown(world, session))
    await world.env.advance_time(10 * HOUR)
    assert "Move on" in buttons_of(await shown(world, session))


async def test_a_restart_of_seconds_draws_no_table_anew(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    await world.env.advance_time(DAY / 2)
    await world.store.see(world.env.now().timestamp() - 60)
    await world.restart()
    before = len(world.env.http_requests)
    await bot.publish_all(world.client)
    sent = [one for one in world.env.http_requests[before:] if one.method != "GET"]
    assert not sent
    assert (await world.session()).deadline == (session.deadline or 0.0) + 60


async def test_while_nobody_can_reach_the_bot_nothing_is_due(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, reachable = Service(world, monkeypatch), [False]
    pace, table = world.client.pace, world.client.table
    await table.beat()
    pace.listen(lambda: reachable[0])
    (game,) = await overdue(world, 1, 1000, -2 * HOUR)
    pace.wake()
    await world.env.advance_time(3 * HOUR)
    assert service.begun == []
    reachable[0] = True
    await world.env.advance_time(BEAT)
    await world.env.advance_time(2 * HOUR - 2 * BEAT)
    assert service.done == []
    await world.env.advance_time(3 * BEAT)
    assert service.done == [game]
    pace._longest = DAY


# A pause -----------------------------------------------------------------------------------------------


async def test_a_table_agrees_to_a_pause_which_outlives_a_restart_and_anybody_ends(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    asker = person_to_move(world, session)
    bench = await asker.click(await table_of(world, session.id), label="My table")
    assert bench.response
    noted = await asker.click(bench.response, label="Pause the game")
    assert "asks the others" in said(noted)
    assert "would like to pause" in text_of(await shown(world, session))
    stranger = await world.cleo.click(await table_of(world, session.id), label="Agree to the pause")
    assert "do not sit" in said(stranger)
    await asker.click(await table_of(world, session.id), label="Agree to the pause")
    assert (await world.session()).paused is None, "one person's consent is one"
    await world.restart()
    agreed = await other(world, session).click(await table_of(world, session.id), label="Agree to the pause")
    assert "is paused" in said(agreed)
    text = text_of(await shown(world, session))
    until = int((await world.session()).paused or 0)
    assert f"paused** with everybody's consent, until <t:{until}:f>" in text
    assert f"paused until <t:{until}:f>" in said(await asker.slash(world.channel, "kanagawa games"))
    sent = len(world.channel.history())
    await world.restart()
    await world.env.advance_time(20 * DAY)
    assert len(world.channel.history()) == sent
    assert "Move on" not in buttons_of(await shown(world, session))
    stranger = await world.cleo.click(await table_of(world, session.id), label="Go on")
    assert "do not sit" in said(stranger)
    old = await table_of(world, session.id)
    await other(world, session).click(old, label="Go on")
    assert "Go on" not in buttons_of(await shown(world, session))
    session = await world.session()
    assert session.paused is None
    await world.env.advance_time(3 * DAY + 1)
    assert "Move on" in buttons_of(await shown(world, session))


async def test_a_pause_is_declined_and_a_move_ends_the_question(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    for ending in ("No pause", "Stay"):
        session = await world.session()
        await world.client.table.pause(session.id, person_to_move(world, session).id)
        await world.client.publisher.publish(session.id)
        assert "Agree to the pause" in buttons_of(await shown(world, session))
        person = person_to_move(world, session) if ending == "Stay" else other(world, session)
        await person.click(await table_of(world, session.id), label=ending)
        assert "Agree to the pause" not in buttons_of(await shown(world, session))
        assert (await world.session()).pausing == ()


async def test_the_table_says_no_longer_that_somebody_is_away_once_they_are_back(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    away = next(one for one in (world.ann, world.ben) if one is not person_to_move(world, session))
    await away.slash(world.channel, "kanagawa notify", away="3 hours")
    assert "is away until" in text_of(await shown(world, session))
    await world.env.advance_time(3 * HOUR - 1)
    assert "is away until" in text_of(await shown(world, session))
    await world.env.advance_time(2)
    assert "is away until" not in text_of(await shown(world, session))
