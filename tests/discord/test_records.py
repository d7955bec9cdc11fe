"""Statistics and the leaderboard: what is counted, and what people read of it."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.records import RANKED_GAMES, leaderboard, solo_board, tally
from cogs.texts import Words
from kanagawa.scoring import score
from table.errors import DatabaseLocked
from table.store import Result, Seat, SQLiteStore
from table.table import Session
from tests.discord.conftest import World
from tests.discord.table_talk import advice, person_to_move, said

ANN, BEN, CLEO = (Seat(number, name) for number, name in enumerate(("ann", "ben", "cleo"), 1))


def facts(points: int, won: bool = False, **more: Any) -> dict[str, Any]:
    there = {"run": 4, "run_season": "winter", "diplomas": 1, "seasons": {"winter": 3, "storm": 9}}
    return {"points": points, "won": won, **there, **more}


def left(seat: Seat) -> Seat:
    return Seat(seat.user, seat.name, apprentice=True)


def result(*played: tuple[Seat, int], game: int = 1, osahito: int | None = None) -> Result:
    """A result in which the most points have won."""
    points = [one for _, one in played] + ([] if osahito is None else [osahito])
    told = tuple(facts(one, one == max(points)) for one in points)
    return Result(game, 7, float(game), tuple(seat for seat, _ in played), told)


# Counting --------------------------------------------------------------------------------------------


def test_a_person_s_games_are_counted_with_what_was_best_in_them() -> None:
    found = tally([result((ANN, 30), (BEN, 20)), result((ANN, 25), (BEN, 40)), result((BEN, 9))], ANN.user)
    assert (found.games, found.wins, found.left, found.best) == (2, 1, 0, 30)
    assert (found.run, found.run_season, found.diplomas, found.favourite) == (4, "winter", 2, "winter")


def test_a_best_score_may_be_negative() -> None:
    assert tally([result((ANN, -3), (BEN, 5))], ANN.user).best == -3


def test_a_game_that_the_apprentice_played_on_is_neither_won_nor_a_best_score() -> None:
    found = tally([result((left(ANN), 50), (BEN, 20))], ANN.user)
    assert (found.games, found.wins, found.left, found.best, found.favourite) == (0, 0, 1, 0, None)


def test_a_place_on_the_leaderboard_takes_five_games_of_several_people() -> None:
    games = [result((ANN, 30), (BEN, 20), game=number) for number in range(RANKED_GAMES)]
    alone = [result((CLEO, 50), osahito=20, game=90 + number) for number in range(RANKED_GAMES)]
    assert leaderboard(games[1:] + alone) == []
    first, second = leaderboard(games + alone)
    assert (first.name, first.games) == ("ann", RANKED_GAMES)
    assert second.name == "ben"
    assert first.value > second.value


def test_equal_points_are_a_tie_in_the_rating() -> None:
    first, second = leaderboard([result((ANN, 30), (BEN, 30), game=one) for one in range(RANKED_GAMES)])
    assert first.value == pytest.approx(second.value)


def test_whoever_leaves_a_game_is_last_in_it_whatever_the_apprentice_came_to() -> None:
    games = [result((left(ANN), 50), (BEN, 2), game=one) for one in range(RANKED_GAMES)]
    assert [one.name for one in leaderboard(games)] == ["ben", "ann"]


def test_the_rating_is_that_of_the_order_in_which_games_ended() -> None:
    games = [result((ANN, 30), (BEN, 20), game=one) for one in range(6)]
    assert leaderboard(games) == leaderboard(games)
    later = leaderboard([*games, result((ANN, 1), (BEN, 20), game=9)])
    assert later[0].name == "ann"
    assert later[0].value < leaderboard(games)[0].value


def test_solo_games_have_a_board_of_best_scores() -> None:
    games = [result((ANN, 30), osahito=20), result((ANN, 35), osahito=50), result((BEN, 33), osahito=1)]
    assert [(one.name, one.value, one.games) for one in solo_board(games)] == [("ann", 35, 2), ("ben", 33, 1)]
    assert solo_board([result((left(ANN), 30), osahito=20), result((CLEO, 60), (BEN, 1))]) == []


# In Discord ------------------------------------------------------------------------------------------


async def played(world: World, command: str, *others: Any) -> Session:
    """A game that ann opens by a command, played to its end as the apprentice would."""
    await world.ann.slash(world.channel, f"kanagawa {command}")
    if others:
        lobby = world.channel.last_message
        assert lobby
        for one in others:
            await one.click(lobby, label="Join")
        await world.ann.click(lobby, label="Start")
    session = await world.session()
    while session.to_move is not None:
        user = person_to_move(world, session).id
        session = await world.client.table.act(session.id, user, session.version, advice(session))
    return session


async def test_a_game_that_is_over_is_in_the_statistics_of_its_server_alone(world: World) -> None:
    session = await played(world, "new", world.ben)
    (kept,) = await world.client.table.results(world.guild.id)
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
        seated = result((ANN, 30), (evil, 40))
        await world.store.record(Result(session.id, world.guild.id, number, seated.seats, seated.facts))
    text = said(await world.ann.slash(world.channel, "kanagawa stats", show="leaderboard"))
    assert text.index("everyone") < text.index("ann")
    assert "@everyone" not in text
    assert Words("en")("stats-nobody") not in text


async def test_in_a_direct_message_there_are_the_own_games_and_no_board(world: World) -> None:
    await played(world, "solo")
    assert "Against Osahito" in said(await world.ann.user.slash("kanagawa stats"))
    assert "each server" in said(await world.ann.user.slash("kanagawa stats", show="solo"))
    everywhere = await world.ann.slash(world.channel, "kanagawa stats", show="solo", everywhere=True)
    assert "without `everywhere`" in said(everywhere), "not the board of this server instead"


async def test_a_result_that_could_not_be_kept_is_recorded_later_and_once(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def locked(self: SQLiteStore, result: Result) -> None:
        raise DatabaseLocked("for a while")

    with monkeypatch.context() as patched:
        patched.setattr(SQLiteStore, "record", locked)
        session = await played(world, "solo")
    caplog.clear()
    assert await world.store.results() == []
    await world.restart()
    assert [one.game for one in await world.client.table.results()] == [session.id]
    assert len(await world.client.table.results()) == 1
    assert await world.store.unrecorded() == []


async def test_cancelled_and_abandoned_games_do_not_count(world: World) -> None:
    await world.ann.slash(world.channel, "kanagawa solo")
    table = world.client.table
    await table.cancel((await world.session()).id, world.ann.id)
    await world.ann.slash(world.channel, "kanagawa solo")
    await table.concede((await world.session()).id, world.ann.id)
    assert await table.results() == []
