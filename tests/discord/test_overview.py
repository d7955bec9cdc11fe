"""The overview: one's games, and the log of a game."""

from __future__ import annotations

import re
from typing import Any

import pytest

import render
from cogs.lobby import KIND
from cogs.overview import PAGE, pages
from kanagawa.events import Dealt, RoundEnded, Stayed
from kanagawa.state import View
from table.store import Seat
from table.table import Session
from tests.discord.conftest import World, answer, text_of
from tests.discord.table_talk import advice, controls, open_solo, open_table, person_to_move, press_raw, said
from tests.discord.test_threads import in_thread


async def moves(world: World, game: int, count: int) -> None:
    """So many actions as the apprentice would do them, below Discord."""
    for _ in range(count):
        session = await world.client.table.get(game)
        if session.to_move is None:
            return
        user = person_to_move(world, session).id
        await world.client.table.act(game, user, session.version, advice(session))


async def test_games_lists_where_a_person_plays_and_whose_turn_it_is(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, seed=4)
    second = world.guild.create_text_channel("attic")
    await world.ben.slash(second, "kanagawa new")
    shown = answer(await world.ben.slash(world.channel, "kanagawa games")).content
    assert f"<#{world.channel.id}>" in shown
    assert f"<#{second.id}>: a lobby" in shown
    assert f"/{world.channel.id}/{session.record.message}" in shown
    assert f"⏳ due <t:{int(session.deadline or 0)}:R>" in shown
    mine = person_to_move(world, session)
    assert "**Your turn**" in answer(await mine.slash(world.channel, "kanagawa games")).content
    other = world.ben if mine is world.ann else world.ann
    assert "**Your turn**" not in answer(await other.slash(second, "kanagawa games")).content
    assert "You sit in no game" in answer(await world.dan.slash(world.channel, "kanagawa games")).content


async def test_a_game_in_direct_messages_is_named_and_linked_as_one(world: World) -> None:
    await world.ann.user.slash("kanagawa solo", challenge="day")
    (record,) = await world.client.table.live()
    shown = answer(await world.ann.slash(world.channel, "kanagawa games")).content
    assert "**Your turn** in our direct messages" in shown
    assert f"(https://discord.com/channels/@me/{record.channel}/{record.message})" in shown
    refused = said(await world.ann.slash(world.channel, "kanagawa solo", challenge="day"))
    assert "You play this already, in our direct messages." in refused


async def test_a_game_in_a_thread_that_discord_has_put_away_is_linked_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread, session = await in_thread(world, world.ben)
    # As with a thread that was archived: Discord lists none of those as the bot connects.
    monkeypatch.setattr(world.client, "get_channel", lambda channel: None)
    shown = answer(await world.ann.slash(world.channel, "kanagawa games")).content
    assert f"channels/{world.guild.id}/{thread.id}/{session.record.message}" in shown


async def test_of_the_games_that_wait_for_a_person_the_most_urgent_comes_first(world: World) -> None:
    table, where = world.client.table, {"mode": "table", "guild": world.guild.id}
    for pace in ("week", "none", "live", "day"):
        channel = world.guild.create_text_channel(pace)
        session = await table.open(KIND, channel.id, Seat(world.ann.id, "ann"), {**where, "pace": pace})
        await table.join(session.id, Seat(world.ben.id, "ben"))
        await table.start(session.id, world.ann.id)
        session = await world.session(channel)
        if session.to_move != session.seat_of(world.ann.id):
            await table.act(session.id, world.ben.id, session.version, "stay")
        await table.set_message(session.id, channel.id)
    names = {one.id: one.name for one in world.client.guilds[0].channels}
    shown = answer(await world.ann.slash(world.channel, "kanagawa games")).content
    listed = [names[int(one)] for one in re.findall(r"<#(\d+)>", shown)]
    assert listed == ["live", "day", "week", "none"]


async def test_all_games_are_listed_in_as_many_messages_as_it_takes(world: World) -> None:
    table, name = world.client.table, "*_~`|<>[]()#:" * 2
    options = {"mode": "table", "guild": world.guild.id}
    for number in range(25):
        channel = world.guild.create_text_channel(f"c{number}")
        session = await table.open(KIND, channel.id, Seat(world.ann.id, name), options)
        await table.join(session.id, Seat(world.ben.id, name))
        await table.start(session.id, world.ann.id)
        await table.set_message(session.id, channel.id)
    shown = await world.ann.slash(world.channel, "kanagawa games")
    assert shown.response is not None
    messages = [one.content for one in (shown.response, *shown.followups)]
    assert len(messages) > 1
    assert all(len(one) <= 2000 for one in messages)
    assert sum(one.count("/channels/") for one in messages) == 25


async def test_log_tells_every_round_and_its_buttons_outlive_a_restart(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, seed=4)
    await moves(world, session.id, 60)
    result = await world.dan.slash(world.channel, "kanagawa log")
    assert result.ephemeral
    last_page = answer(result)
    number, count = map(int, re.findall(r"Page (\d+) of (\d+)", last_page.content)[0])
    assert number == count > 2
    await world.restart()
    turned = await world.dan.click(last_page, label="◀ Back")
    assert f"Page {count - 1} of {count}" in answer(turned).content


async def forged(world: World, session: Session, custom_id: str) -> dict[str, Any]:
    """A game's message with another custom ID in its first button."""
    raw = await world.table_message(session.id)
    next(controls(raw["components"]))["custom_id"] = custom_id
    return raw


@pytest.mark.parametrize("custom_id", ["kglog:1:x", "kglog:99999:0", "kglog:", "kglog:1:0:0"])
async def test_forged_log_buttons_are_answered(world: World, custom_id: str) -> None:
    session = await open_table(world, world.ann, world.ben, seed=4)
    raw = await forged(world, session, custom_id)
    assert said(await press_raw(world, world.cleo, raw, custom_id))


async def test_the_log_of_another_channel_is_not_read_here(world: World) -> None:
    session = await open_solo(world, seed=3)
    attic = world.guild.create_text_channel("attic")
    await world.ben.slash(attic, "kanagawa new")
    raw = await forged(world, await world.session(attic), f"kglog:{session.id}:0")
    result = await press_raw(world, world.ben, raw, f"kglog:{session.id}:0")
    assert "Stay" not in said(result)
    assert "moved on" in said(result)


async def test_log_without_a_game(world: World) -> None:
    assert "no game" in answer(await world.ann.slash(world.channel, "kanagawa log")).content
    await world.ann.slash(world.channel, "kanagawa new")
    assert "started" in answer(await world.ann.slash(world.channel, "kanagawa log")).content


def test_pages_begin_with_a_round_or_when_full() -> None:
    told = [(Stayed(0), "x" * 500)] * 5 + [(RoundEnded(1), "over"), (Dealt(2, 1, ()), "dealt")]
    found = pages(told)
    assert [page.round for page in found] == [1, 1, 2]
    assert all(sum(len(line) + 1 for line in page.lines) <= PAGE + 1 for page in found)
    assert [line for page in found for line in page.lines] == [line for _, line in told]
    assert pages([]) == [(1, ())]


def watched_panels(monkeypatch: pytest.MonkeyPatch) -> list[View]:
    """The views of which panels are drawn from now on; the pictures themselves are none."""
    drawn: list[View] = []

    def panel(view: View, seat: int, *, scale: float) -> bytes:
        drawn.append(view)
        return b"PNG"

    monkeypatch.setattr(render, "panel", panel)
    return drawn


async def test_look_back_at_a_round(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player's picture as it was at the end of a round, with no card that was hidden then."""
    session = await open_table(world, world.ann, world.ben, seed=4)
    await moves(world, session.id, 60)
    drawn = watched_panels(monkeypatch)
    await world.ann.slash(world.channel, "kanagawa look", player="ben", round=1)
    await world.ann.slash(world.channel, "kanagawa look", player="ben")
    then, now = drawn
    assert (then.round, now.round) == (2, (await world.session()).state.round)
    for before, after in zip(then.players, now.players, strict=True):
        assert after.studio[: len(before.studio)] == before.studio
    assert sum(len(one.print) + len(one.studio) for one in then.players) >= 2
    other = then.players[1 - (then.seat or 0)]
    assert not other.secret


async def test_look_back_at_a_game_that_is_over(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await open_table(world, world.ann, world.ben, seed=4)
    await moves(world, session.id, 999)
    drawn = watched_panels(monkeypatch)
    await world.dan.slash(world.channel, "kanagawa look", player="ben", round=2)
    await world.dan.slash(world.channel, "kanagawa look", player="ben")
    assert [one.round for one in drawn] == [3, (await world.client.table.get(session.id)).state.round]
    assert "Say whose picture" in said(await world.dan.slash(world.channel, "kanagawa look", round=2))
    suggested = await world.dan.autocomplete(world.channel, "kanagawa look", "player", "be")
    assert [one["name"].split()[-1] for one in suggested] == ["ben"], "as the refusal promises"
    refused = said(await world.dan.slash(world.channel, "kanagawa look", player="ben", round=36))
    assert f"yet to come: round {drawn[1].round} is the newest" in refused
    assert len(drawn) == 2


async def test_my_table_begins_with_what_the_others_did_since(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo, seed=4)
    me = person_to_move(world, session)

    async def news() -> str:
        shown = text_of(answer(await me.slash(world.channel, "kanagawa hand")).components)
        head, _, rest = shown.partition("**Since your last move**")
        assert not head.strip()
        return rest if rest else ""

    assert "Since your last move" not in text_of(
        answer(await me.slash(world.channel, "kanagawa hand")).components
    )
    mine = session.to_move
    while (session := await world.session()).to_move == mine:
        await moves(world, session.id, 1)
    others: list[str] = []
    while (session := await world.session()).to_move != mine:
        others.append(session.seats[session.to_move or 0].name)
        await moves(world, session.id, 1)
    told = await news()
    for name in set(others):
        assert f"**{name}** takes column" in told or "stay" in str(session.line[-1].action)
    assert f"**{me.name}** takes" not in told
    assert "gets a Brush" not in told, "what was taken, painted and won"
    await moves(world, session.id, 1)
    assert "Since your last move" not in text_of(
        answer(await me.slash(world.channel, "kanagawa hand")).components
    )


async def test_what_was_played_in_a_persons_place_is_told_too(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, seed=4)
    me, seat = person_to_move(world, session), session.to_move
    assert seat is not None
    await world.env.advance_time(6 * 86400 + 1)
    shown = text_of(answer(await me.slash(world.channel, "kanagawa hand")).components)
    log = said(await me.slash(world.channel, "kanagawa log"))
    assert log.count("(by the apprentice)") == 1, "of the turn's moves the first says it"
    made = [turn for turn in (await world.session()).line if turn.maker is not None]
    assert made
    took = any((turn.action or "").startswith("take") for turn in made)
    assert (f"**{me.name}** takes column" in shown) == took
