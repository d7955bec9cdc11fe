"""How people are told that it is their turn: as they chose, and not in their quiet hours."""

from __future__ import annotations

import asyncio
from datetime import datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import discord
import pytest
import simcord

import bot
from cogs.guard import Refusal
from cogs.notice import REMINDER, parse_quiet, quiet_until
from table.pace import DAY, HOUR
from table.store import Held, Preferences
from table.table import Session
from tests.discord.conftest import World, last, text_of
from tests.discord.table_talk import advice, open_table, person_to_move, said, table_of
from tests.discord.test_pace import mentions
from tests.discord.test_threads import archived, in_thread


def at(zone: str, *when: int, fold: int = 0) -> float:
    return datetime(*when, tzinfo=ZoneInfo(zone), fold=fold).timestamp()  # type: ignore[misc, arg-type]


NIGHT = (22 * 60, 7 * 60)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"])
def test_quiet_hours_are_those_of_the_persons_own_clock(zone: str) -> None:
    chosen = Preferences(quiet=NIGHT, zone=zone)
    assert quiet_until(chosen, at(zone, 2026, 5, 5, 21, 59)) is None
    assert quiet_until(chosen, at(zone, 2026, 5, 5, 22, 0)) == at(zone, 2026, 5, 6, 7, 0)
    assert quiet_until(chosen, at(zone, 2026, 5, 6, 6, 59)) == at(zone, 2026, 5, 6, 7, 0)
    assert quiet_until(chosen, at(zone, 2026, 5, 6, 7, 0)) is None


def test_they_end_by_the_clock_when_summer_time_begins_and_ends() -> None:
    berlin = Preferences(quiet=NIGHT, zone="Europe/Berlin")
    spring = at("Europe/Berlin", 2026, 3, 28, 23, 0)
    assert quiet_until(berlin, spring) == spring + 7 * 3600
    autumn = at("Europe/Berlin", 2026, 10, 24, 23, 0)
    assert quiet_until(berlin, autumn) == autumn + 9 * 3600
    short = Preferences(quiet=(60, 150), zone="Europe/Berlin")  # until 2:30, which comes twice
    second = at("Europe/Berlin", 2026, 10, 25, 2, 10, fold=1)
    assert quiet_until(short, second) == second + 20 * 60


def test_quiet_hours_that_end_in_the_hour_that_spring_skips_end_as_it_is_skipped() -> None:
    short = Preferences(quiet=(60, 150), zone="Europe/Berlin")  # until 2:30, which that night does not have
    skipped = at("Europe/Berlin", 2026, 3, 29, 3, 0)
    for before in (1, 30, 59):
        assert quiet_until(short, skipped - before * 60) == skipped
    assert quiet_until(short, skipped) is None


def test_a_zone_that_nobody_knows_any_more_counts_as_utc() -> None:
    gone = Preferences(quiet=NIGHT, zone="Europe/Atlantis")
    assert quiet_until(gone, at("UTC", 2026, 5, 5, 23, 0)) == at("UTC", 2026, 5, 6, 7, 0)


def test_without_quiet_hours_it_is_never_quiet() -> None:
    assert quiet_until(Preferences(), 0) is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("22-7", NIGHT), ("22:30-07:15", (1350, 435)), ("off", None), ("0-24", "refused"), ("late", "refused"),
     ("25-7", "refused"), ("22", "refused"), ("7-7", "refused"), ("22:61-7", "refused"),
     (f"{'9' * 5000}-7", "refused"), ("٢٢-7", "refused"),
      ("22-7:" + "0" * 5000, "refused")],
)  # fmt: skip
def test_quiet_hours_as_typed(typed: str, meant: object) -> None:
    if meant == "refused":
        with pytest.raises(Refusal):
            parse_quiet(typed)
    else:
        assert parse_quiet(typed) == meant


async def test_a_notice_waits_for_the_end_of_the_quiet_hours(world: World) -> None:
    # The simulation begins at midnight UTC.
    for one in (world.ann, world.ben):
        await one.slash(world.channel, "kanagawa notify", quiet="22-7", zone="Europe/London")
    session = await open_table(world, world.ann, world.ben)
    assert mentions(world) == []
    await world.env.advance_time(7 * 3600 - 60)
    assert mentions(world) == []
    await world.env.advance_time(120)
    assert person_to_move(world, session).mention in mentions(world)[0]
    await world.restart()
    await world.env.advance_time(DAY / 2)
    assert len(mentions(world)) == 1


async def test_a_held_notice_outlives_a_restart_and_is_dropped_when_the_turn_has_passed(world: World) -> None:
    for one in (world.ann, world.ben):
        await one.slash(world.channel, "kanagawa notify", quiet="22-7")
    session = await open_table(world, world.ann, world.ben)
    await world.restart()
    mover = person_to_move(world, session)
    await world.client.table.concede(session.id, mover.id)
    await world.env.advance_time(8 * 3600)
    assert not any(mover.mention in one for one in mentions(world))


async def test_who_ends_their_quiet_hours_is_told_of_the_next_turn_once(world: World) -> None:
    for one in (world.ann, world.ben):
        await one.slash(world.channel, "kanagawa notify", quiet="22-7")
    session = await open_table(world, world.ann, world.ben)
    mover = person_to_move(world, session)
    await mover.slash(world.channel, "kanagawa notify", quiet="off")
    for _ in range(2):
        person = person_to_move(world, await world.session())
        await person.click(await table_of(world, session.id), label="Stay")
    assert person_to_move(world, await world.session()) is mover
    told = [one.id for one in world.channel.history()]
    assert mover.mention in mentions(world)[0]
    await world.env.advance_time(7 * HOUR + 1)
    assert [one.id for one in world.channel.history()] == told


async def test_who_is_left_with_the_apprentice_is_told_unless_they_have_just_moved(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    leaves, table = person_to_move(world, session), world.client.table
    stays = world.ben if leaves is world.ann else world.ann
    await table.concede(session.id, leaves.id)
    await world.client.publisher.publish(session.id)
    assert stays.mention in mentions(world)[0]
    since = (await world.session()).since
    while (session := await world.session()).since == since:
        await table.act(session.id, stays.id, session.version, advice(session))
    await world.client.publisher.publish(session.id)
    assert mentions(world) == []
    await world.env.advance_time(6 * DAY + 1)
    assert "it is your turn" in mentions(world)[0], "the turn was missed: there is another"


async def test_what_is_held_back_follows_the_quiet_hours_as_they_are_changed(world: World) -> None:
    for one in (world.ann, world.ben):
        await one.slash(world.channel, "kanagawa notify", quiet="22-7")
    session = await open_table(world, world.ann, world.ben)
    mover = person_to_move(world, session)
    await mover.slash(world.channel, "kanagawa notify", quiet="22-9")
    await world.env.advance_time(8 * HOUR)
    assert mentions(world) == []
    # In Japan the afternoon is half over by then.
    await mover.slash(world.channel, "kanagawa notify", zone="Asia/Tokyo")
    assert mover.mention in mentions(world)[0]
    await world.env.advance_time(2 * HOUR)
    assert len(mentions(world)) == 1


async def test_a_notice_that_is_being_sent_as_the_bot_is_stopped_is_sent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await open_table(world, world.ann, world.ben)
    notices, sending = world.client.publisher.notices, asyncio.Event()
    mention = notices._mention

    async def slowly(*args: Any) -> int | None:
        sending.set()
        await asyncio.sleep(0.1)
        return await mention(*args)

    monkeypatch.setattr(notices, "_mention", slowly)
    await notices._clear(await world.session())
    await world.store.hold(Held(session.id, person_to_move(world, session).id, 0.0))
    world.client.table.alarm()
    await sending.wait()
    await world.client.close()
    assert len(mentions(world)) == 1


async def test_a_reminder_that_a_move_overtakes_mentions_nobody(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    await person_to_move(world, session).click(await table_of(world, session.id), label="Stay")
    (notice,) = mentions(world)
    await world.client.publisher.notices.notify(session, REMINDER)
    assert mentions(world) == [notice]


async def to_two_turns_in_a_row(world: World, session: Session) -> tuple[Session, Session]:
    """Play until somebody ends the round and begins the next: the game before and after that, and show it."""
    while True:
        session = await world.session()
        before, user = session, session.seats[session.to_move or 0].user
        session = await world.client.table.act(session.id, user, session.version, advice(session))
        if session.line[-1].action == "done" and session.to_move == before.to_move:
            break
        await world.env.advance_time(HOUR)
    await world.client.publisher.publish(session.id)
    return before, session


async def test_who_begins_the_round_after_their_own_last_turn_has_its_time_and_no_mention(
    world: World,
) -> None:
    before, session = await to_two_turns_in_a_row(world, await open_table(world, world.ann, world.ben))
    assert session.state.round > before.state.round
    assert session.deadline == world.env.now().timestamp() + 3 * DAY
    assert mentions(world) == []
    await world.env.advance_time(1.5 * DAY)
    (reminder,) = mentions(world)
    assert person_to_move(world, session).mention in reminder


async def test_who_sits_down_for_somebody_who_had_two_turns_in_a_row_is_told_of_the_second(
    world: World,
) -> None:
    _, session = await to_two_turns_in_a_row(world, await open_table(world, world.ann, world.ben))
    await world.env.advance_time(HOUR)
    await person_to_move(world, session).slash(world.channel, "kanagawa concede", friend=world.cleo)
    await world.cleo.click(last(world.channel), label="Sit down")
    (notice,) = mentions(world)
    assert world.cleo.mention in notice


async def test_who_wants_nothing_gets_nothing_and_who_mutes_a_game_nothing_of_that_game(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover = person_to_move(world, session)
    result = await mover.slash(world.channel, "kanagawa notify", mute=True)
    assert "muted" in said(result)
    sent = len(world.channel.history())
    await world.env.advance_time(1.5 * DAY + 1)
    assert len(world.channel.history()) == sent
    result = await mover.slash(world.channel, "kanagawa notify", mute=False, how="off")
    assert "you get **nothing**" in said(result)


async def test_who_wants_a_direct_message_gets_it_and_no_mention(world: World) -> None:
    result = await world.ann.slash(world.channel, "kanagawa notify", how="dm")
    assert "a direct message" in said(result)
    await world.ben.slash(world.channel, "kanagawa notify", how="dm")
    session = await open_table(world, world.ann, world.ben)
    assert mentions(world) == []
    mover = person_to_move(world, session)
    private = [
        one.json["content"]
        for one in world.env.http_requests
        if isinstance(one.json, dict) and "it is your turn" in str(one.json.get("content"))
    ]
    assert any(mover.mention in one for one in private)


async def test_closed_direct_messages_are_refused_when_chosen_and_replaced_by_a_mention_later(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.ben.slash(world.channel, "kanagawa notify", how="dm")
    await world.ann.slash(world.channel, "kanagawa notify", how="dm")

    async def closed(*_: object, **__: object) -> None:
        response = SimpleNamespace(status=403, reason="Forbidden")
        raise discord.Forbidden(response, {"code": 50007, "message": "closed"})  # type: ignore[arg-type]

    monkeypatch.setattr(discord.User, "send", closed)
    monkeypatch.setattr(discord.Member, "send", closed)
    session = await open_table(world, world.ann, world.ben)
    assert person_to_move(world, session).mention in mentions(world)[0]
    result = await world.cleo.slash(world.channel, "kanagawa notify", how="dm")
    assert "cannot write to you" in said(result)
    assert (await world.client.table.store.preferences(world.cleo.id)).how == "mention"


async def test_where_discord_fails_as_direct_messages_are_chosen_nothing_changes(world: World) -> None:
    world.env.inject_error("POST", "/users/@me/channels", status=500, times=None)
    result = await world.ann.slash(world.channel, "kanagawa notify", how="dm")
    assert "not let me write to you" in said(result)
    assert (await world.client.table.store.preferences(world.ann.id)).how == "mention"


async def to_the_last_move(world: World, session: Session) -> Session:
    """Play until one action is left: the session before it."""
    before = session
    while session.to_move is not None:
        before = session
        user = session.seats[session.to_move].user
        session = await world.client.table.act(session.id, user, session.version, advice(session))
    return before


def told_of_the_end(world: World, channel: object = None) -> list[str]:
    return [one for one in mentions(world, channel) if "the game is over" in one]


async def test_at_the_end_the_others_hear_of_it_once_as_they_chose(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo)
    ended = await to_the_last_move(world, session)
    ender = person_to_move(world, ended)
    one, two = (each for each in (world.ann, world.ben, world.cleo) if each.id != ender.id)
    await one.slash(world.channel, "kanagawa notify", how="dm")
    await world.client.publisher.publish(session.id)
    (told,) = told_of_the_end(world)
    assert (two.mention in told, one.mention in told, ender.mention in told) == (True, False, False)
    assert "[To the result](https://discord.com/channels/" in told
    private = [sent for sent in world.env.http_requests if "the game is over" in str(sent.json)]
    assert sum(one.mention in str(sent.json) for sent in private) == 1
    for _ in range(2):
        await world.client.publisher.publish(session.id)
        await world.restart()
    assert len(told_of_the_end(world)) == 1


async def test_an_end_that_a_restart_came_before_is_shown_and_told_after_it(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    await to_the_last_move(world, session)
    await world.restart()
    for _ in range(2):
        await bot.publish_all(world.client)
        assert len(told_of_the_end(world)) == 1
    assert "the game is over" in text_of((await world.table_message(session.id))["components"])


async def test_nobody_is_called_to_a_game_that_ended_long_ago(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    await to_the_last_move(world, session)
    await world.env.advance_time(2 * DAY)
    await world.client.publisher.publish(session.id)
    assert mentions(world) == []


async def test_the_end_waits_for_quiet_hours_and_who_wants_nothing_hears_nothing(world: World) -> None:
    # The simulation begins at midnight UTC.
    thread, session = await in_thread(world, world.ben, world.cleo)
    ended = await to_the_last_move(world, session)
    ender = person_to_move(world, ended)
    one, two = (each for each in (world.ann, world.ben, world.cleo) if each.id != ender.id)
    await one.slash(world.channel, "kanagawa notify", quiet="22-7", zone="UTC")
    await two.slash(world.channel, "kanagawa notify", how="off")
    await world.client.publisher.publish(session.id)
    assert told_of_the_end(world, thread) == []
    await world.env.advance_time(7 * HOUR + 60)
    (told,) = told_of_the_end(world, thread)
    assert (one.mention in told, two.mention in told) == (True, False)
    assert await archived(world, thread)


async def to_the_end_at_night(world: World) -> tuple[Session, simcord.MemberActor]:
    """A game of ann and ben, played out in their quiet hours with every notice held back; who ended it."""
    for one in (world.ann, world.ben):
        await one.slash(world.channel, "kanagawa notify", quiet="22-7", zone="UTC")
    session = await open_table(world, world.ann, world.ben)
    ender = person_to_move(world, session)
    while session.to_move is not None:
        ender = person_to_move(world, session)
        await world.client.publisher.notices.turn_passed(session)
        session = await world.client.table.act(session.id, ender.id, session.version, advice(session))
    return session, ender


async def test_who_ended_the_game_is_not_told_of_it_in_place_of_a_turn_that_was_held_back(
    world: World,
) -> None:
    session, ender = await to_the_end_at_night(world)
    await world.client.publisher.publish(session.id)
    await world.env.advance_time(7 * HOUR + 60)
    (told,) = told_of_the_end(world)
    assert ender.mention not in told


async def test_an_end_that_is_shown_when_the_quiet_hours_are_over_is_told_once(world: World) -> None:
    session, _ = await to_the_end_at_night(world)
    await world.env.advance_time(7 * HOUR + 60)
    await world.client.publisher.publish(session.id)
    assert len(told_of_the_end(world)) == 1


async def test_zones_are_suggested_with_the_time_it_is_there_and_others_refused(world: World) -> None:
    # The simulation begins at midnight UTC, in January.
    suggested = await world.ann.autocomplete(world.channel, "kanagawa notify", "zone", "berl")
    assert suggested == [{"name": "Europe/Berlin · 01:00", "value": "Europe/Berlin"}]
    result = await world.ann.slash(world.channel, "kanagawa notify", zone="Mars/Olympus")
    assert "do not know this time zone" in said(result)
    assert (await world.client.table.store.preferences(world.ann.id)).zone == "UTC"
    for typed, stored, time in (
        ("new york", "America/New_York", "19:00"),
        ("UTC", "UTC", "00:00"),
        ("europe/berlin", "Europe/Berlin", "01:00"),
        ("GMT+2", "UTC+02:00", "02:00"),
        (suggested[0]["name"], "Europe/Berlin", "01:00"),
    ):
        result = await world.ann.slash(world.channel, "kanagawa notify", zone=typed)
        assert f"{stored}, where it is {time} now" in said(result)
        assert (await world.client.table.store.preferences(world.ann.id)).zone == stored


async def test_a_zone_that_can_be_several_is_asked_about_and_changes_nothing(world: World) -> None:
    result = await world.ann.slash(world.channel, "kanagawa notify", zone="CST")
    assert "- America/Chicago · 18:00\n- Asia/Shanghai · 08:00" in said(result)
    assert (await world.client.table.store.preferences(world.ann.id)).zone == "UTC"


async def test_a_zone_in_the_store_that_nobody_knows_loses_no_notice_and_is_spoken_of(world: World) -> None:
    for one in (world.ann, world.ben):
        gone = Preferences(quiet=(60, 120), zone="Europe/Atlantis")
        await world.client.table.store.prefer(one.id, gone)
    session = await open_table(world, world.ann, world.ben)
    assert person_to_move(world, session).mention in mentions(world)[0]
    result = await world.ann.slash(world.channel, "kanagawa notify")
    assert "do not know your time zone Europe/Atlantis any more" in said(result)


# Away --------------------------------------------------------------------------------------------------


async def test_who_says_until_when_they_are_away_is_told_what_was_understood_and_all_see_it(
    world: World,
) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover, other = (
        person_to_move(world, session),
        next(one for one in (world.ann, world.ben) if one is not person_to_move(world, session)),
    )
    until = int(world.env.now().timestamp() + 3 * DAY)
    result = await mover.slash(world.channel, "kanagawa notify", away="3 days")
    assert f"**away** until <t:{until}:F>" in said(result)
    text = text_of((await world.table_message(session.id))["components"])
    assert f"is away until <t:{until}:f>" in text
    assert f"due <t:{until + 3 * int(DAY)}:R>" in text
    assert f"away until <t:{until}:f>" in said(await other.slash(world.channel, "kanagawa games"))
    sent = len(world.channel.history())
    await world.restart()
    await world.env.advance_time(3 * DAY - 60)
    assert len(world.channel.history()) == sent, "and nothing is sent meanwhile"
    assert "**away**" in said(await mover.slash(world.channel, "kanagawa notify"))
    await world.env.advance_time(1.5 * DAY + 120)
    assert "half of the time" in mentions(world)[-1]
    assert "**away**" not in said(await mover.slash(world.channel, "kanagawa notify"))


async def test_a_turn_that_comes_while_somebody_is_away_is_told_of_as_they_come_back(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover = person_to_move(world, session)
    away = world.ben if mover is world.ann else world.ann
    await away.slash(world.channel, "kanagawa notify", away="2 days")
    await mover.click(await table_of(world, session.id), label="Stay")
    assert not any(away.mention in one for one in mentions(world))
    await world.env.advance_time(DAY)
    assert not any(away.mention in one for one in mentions(world))
    result = await away.slash(world.channel, "kanagawa notify", away="off")
    assert "**away**" not in said(result)
    assert any(away.mention in one for one in mentions(world))
    assert "is away until" not in text_of((await world.table_message(session.id))["components"])


async def test_what_is_no_absence_is_refused_and_changes_nothing(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    for typed, why in (("soon", "do not understand until when"), ("40 days", "at most: in any 90 days")):
        result = await world.ann.slash(world.channel, "kanagawa notify", away=typed, how="off")
        assert why in said(result)
    assert (await world.client.table.store.preferences(world.ann.id)).how == "mention"
    assert (await world.session()).deadline == session.deadline
    await world.ann.slash(world.channel, "kanagawa notify", away="30 days")
    await world.env.advance_time(30 * DAY)
    result = await world.ann.slash(world.channel, "kanagawa notify", away="1 day")
    assert "30 of the last 90 days" in said(result)


async def test_absences_are_suggested_with_what_they_mean_in_ones_own_zone(world: World) -> None:
    await world.ann.slash(world.channel, "kanagawa notify", zone="Asia/Tokyo")
    suggested = await world.ann.autocomplete(world.channel, "kanagawa notify", "away", "")
    assert {"name": "3 days · Sun 2026-01-04 09:00", "value": "3 days"} in suggested
    assert "off" not in [one["value"] for one in suggested]
    await world.ann.slash(world.channel, "kanagawa notify", away=suggested[0]["name"])
    suggested = await world.ann.autocomplete(world.channel, "kanagawa notify", "away", "")
    assert suggested[0]["value"] == "off"
