"""Statistics and the leaderboard: what is counted, and what people read of it."""

from __future__ import annotations

from typing import Any

import pytest

from cogs import records
from cogs.texts import Words
from kanagawa.scoring import score
from table.errors import DatabaseLocked
from table.standings import RANKED_GAMES, SOLO
from table.store import Result, Seat, SQLiteStore
from table.table import Session
from tests.discord.conftest import World, answer, last
from tests.discord.table_talk import advice, person_to_move, said

ANN, BEN = Seat(1, "ann"), Seat(2, "ben")


def facts(points: int, won: bool = False, **more: Any) -> dict[str, Any]:
    there = {"run": 4, "run_season": "winter", "diplomas": 1, "seasons": {"winter": 3, "storm": 9}}
    return {"points": points, "won": won, **there, **more}


# In Discord ------------------------------------------------------------------------------------------


async def start(world: World, *others: Any) -> Any:
    """Have ann open a lobby, these people join, and ann start; the message."""
    await world.ann.slash(world.channel, "kanagawa new")
    lobby = last(world.channel)
    for one in others:
        await one.click(lobby, label="Join")
    await world.ann.click(lobby, label="Start")
    return lobby


async def played(world: World, command: str, *others: Any) -> Session:
    """A game that ann opens by a command, played to its end as the apprentice would."""
    if others:
        await start(world, *others)
    else:
        await world.ann.slash(world.channel, f"kanagawa {command}")
    session = await world.session()
    while session.to_move is not None:
        user = person_to_move(world, session).id
        session = await world.client.table.act(session.id, user, session.version, advice(session))
    return session


async def test_a_game_that_is_over_is_in_the_statistics_of_its_server_alone(world: World) -> None:
    session = await played(world, "new", world.ben)
    kept = await world.store.result(session.id)
    assert kept is not None
    assert kept.guild == world.guild.id
    points = [one.total for one in score(session.state)]
    assert [one["points"] for one in kept.facts] == points
    assert [one["won"] for one in kept.facts] == [one == max(points) for one in points]
    assert [sum(one["seasons"].values()) for one in kept.facts] == [
        1 + len(player.print) for player in session.state.players
    ]
    text = said(await world.ben.slash(world.channel, "kanagawa stats"))
    assert "Against others" in text
    assert "one game" in text
    assert "Against Osahito" not in text
    seat = session.seat_of(world.ben.id)
    assert seat is not None
    assert f"Best score {points[seat]}" in text
    other = world.env.create_guild("elsewhere")
    ben = other.add_member(world.ben.user)
    await world.client.tree.sync()
    assert "None of your games" in said(await ben.slash(other.create_text_channel("there"), "kanagawa stats"))


async def test_solo_games_are_shown_apart(world: World) -> None:
    await played(world, "solo")
    text = said(await world.ann.slash(world.channel, "kanagawa stats"))
    assert "Against Osahito" in text
    assert "Against others" not in text
    assert "ann" in said(await world.dan.slash(world.channel, "kanagawa stats", show="solo"))
    assert "Nobody yet" in said(await world.dan.slash(world.channel, "kanagawa stats", show="leaderboard"))


async def test_the_leaderboard_names_people_as_text(world: World) -> None:
    evil = Seat(BEN.user, "**@everyone**")
    for number in range(RANKED_GAMES):
        session = await world.client.table.open("kanagawa", 900 + number, ANN, {"mode": "table"})
        await world.client.table.cancel(session.id, ANN.user)
        told = (facts(30), facts(40, won=True))
        await world.store.record(Result(session.id, world.guild.id, number, (ANN, evil), told))
    text = said(await world.ann.slash(world.channel, "kanagawa stats", show="leaderboard"))
    assert text.index("everyone") < text.index("ann")
    assert "@everyone" not in text
    assert Words("en")("stats-nobody") not in text


async def test_in_a_direct_message_there_are_the_own_games_and_the_boards_of_all_servers(
    world: World,
) -> None:
    await played(world, "solo")
    assert "Against Osahito" in said(await world.ann.user.slash("kanagawa stats"))
    assert "**ann**" in said(await world.ben.user.slash("kanagawa stats", show="solo"))
    other = world.env.create_guild("elsewhere")
    ben = other.add_member(world.ben.user)
    await world.client.tree.sync()
    there = other.create_text_channel("there")
    assert "Nobody yet" in said(await ben.slash(there, "kanagawa stats", show="solo"))
    assert "**ann**" in said(await ben.slash(there, "kanagawa stats", show="solo", everywhere=True))


async def test_a_person_below_the_shown_places_reads_their_own_line(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "PLACES", 1)
    for number, (user, points) in enumerate(((world.ann, 30), (world.ben, 40))):
        session = await world.client.table.open("kanagawa", 900 + number, ANN, {"mode": "osahito"})
        seat = Seat(user.id, user.name)
        told = (facts(points), facts(1))
        await world.store.record(Result(session.id, world.guild.id, number, (seat,), told))
    text = said(await world.ann.slash(world.channel, "kanagawa stats", show="solo"))
    assert "1. **ben** 40" in text
    assert "… **ann** 30" in text
    assert "…" not in said(await world.ben.slash(world.channel, "kanagawa stats", show="solo"))


async def test_a_game_ends_and_its_result_is_kept_together(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def locked(self: SQLiteStore, *args: Any, **fields: Any) -> None:
        if "finished" in fields:
            raise DatabaseLocked("for a while")
        await update(self, *args, **fields)

    update = SQLiteStore.update
    with monkeypatch.context() as patched:
        patched.setattr(SQLiteStore, "update", locked)
        session = await played(world, "solo")
    caplog.clear()
    assert await world.store.result(session.id) is None
    await world.restart()
    assert (await world.client.table.get(session.id)).finished
    assert await world.store.result(session.id) is not None
    standing = await world.client.table.standing(None, SOLO, world.ann.id)
    assert standing is not None
    assert standing.games == 1


async def test_a_solo_game_that_is_given_up_after_a_move_was_left(world: World) -> None:
    table = world.client.table
    for moves, command in ((0, "cancel"), (0, "concede"), (1, "cancel"), (1, "concede")):
        await world.ann.slash(world.channel, "kanagawa solo")
        session = await world.session()
        if moves:
            session = await table.act(session.id, world.ann.id, session.version, advice(session))
        await getattr(table, command)(session.id, world.ann.id)
    text = said(await world.ann.slash(world.channel, "kanagawa stats"))
    assert "2 games, won 0 (2 of them left before the end)" in text
    assert "Best score" not in text
    assert "Nobody yet" in said(await world.ann.slash(world.channel, "kanagawa stats", show="solo"))


async def test_a_game_of_several_is_ended_by_all_of_them_and_by_no_seated_moderator(world: World) -> None:
    lobby = await start(world, world.ben)
    session = await world.session()
    asked = await world.ann.slash(world.channel, "kanagawa cancel")
    assert "when everybody who sits in it agrees" in said(asked)
    await world.ann.click(answer(asked), label="Yes, cancel it")
    assert not (await world.session()).finished
    assert "One player has yet to agree" in last(world.channel).content
    asked = await world.ann.slash(world.channel, "kanagawa cancel")
    again = await world.ann.click(answer(asked), label="Yes, cancel it")
    assert "waits to be answered" in said(again)
    asked = await world.ben.slash(world.channel, "kanagawa cancel")
    await world.ben.click(answer(asked), label="Yes, cancel it")
    assert (await world.client.table.get(session.id)).finished
    assert await world.store.result(session.id) is None
    assert lobby
