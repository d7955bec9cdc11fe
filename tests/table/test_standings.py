"""What results count for, and that boards kept as results arrive are those of all results."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from table.errors import AlreadyTrying, NotHost, TableError
from table.standings import RANKED_GAMES, SOLO, TABLE, Played, Standing, counted
from table.store import CANCELLED, OVER, Record, Result, Seat, SQLiteStore, Store, Turn, mark_of, open_store
from table.table import Session, Table
from tests.table.counting import COUNTING, Refused
from tests.table.memory import MemoryStore
from tests.table.test_table import ANN, BEN, CAT, DAN, PEOPLE, act, lobby, mover, started


def played(user: int, points: int | None, *, left: bool = False, won: bool = False) -> Played:
    facts = None if points is None else {"points": points, "won": won, "run": points, "of": f"run {points}"}
    return Played(user, f"p{user}", left, facts)


def after(*games: list[Played]) -> dict[int, Standing]:
    standings: dict[int, Standing] = {}
    for game in games:
        standings |= counted(game, standings)
    return standings


# Counting --------------------------------------------------------------------------------------------


def test_games_are_added_up_and_the_best_of_each_number_is_kept_with_its_texts() -> None:
    found = after([played(1, 3, won=True), played(2, 1)], [played(1, 7), played(2, 9)])[1]
    assert (found.games, found.wins, found.gone, found.best) == (2, 1, 0, 7)
    assert found.figures.sums["run"] == 10
    assert (found.figures.bests["run"].value, found.figures.bests["run"].texts) == (7, {"of": "run 7"})
    assert after([played(1, -3), played(2, 5)])[1].best == -3


def test_a_person_who_left_has_neither_points_nor_a_win_and_is_last() -> None:
    found = after(*[[played(1, 50, left=True, won=True), played(2, 2)]] * RANKED_GAMES)
    assert (found[1].games, found[1].gone, found[1].wins, found[1].best) == (RANKED_GAMES, 5, 0, None)
    first, second = found[2].value(TABLE), found[1].value(TABLE)
    assert first is not None
    assert second is not None
    assert first > second


def test_a_place_takes_rated_games_and_equal_points_are_a_tie() -> None:
    tie = [played(1, 30), played(2, 30)]
    assert after(*[tie] * (RANKED_GAMES - 1))[1].value(TABLE) is None
    found = after(*[tie] * RANKED_GAMES)
    assert found[1].value(TABLE) == pytest.approx(found[2].value(TABLE))


def test_a_game_that_ended_early_is_lost_for_who_had_left_and_nothing_for_others() -> None:
    found = after([played(1, None, left=True), played(2, None), played(3, None)])
    assert [found[one].games for one in (1, 2, 3)] == [1, 0, 0]
    assert [found[one].rated for one in (1, 2, 3)] == [1, 1, 1]
    assert found[1].mu is not None
    assert found[2].mu is not None
    assert found[1].mu < found[2].mu
    for nothing in ([played(1, None), played(2, None)], [played(1, None, left=True)] * 2):
        assert after(nothing)[1].rated == 0, "nobody was better"


# Kept as results arrive ------------------------------------------------------------------------------


async def history(chance: random.Random, *stores: Store) -> None:
    """The same random results in every store: leavers, ties, challenges, early ends, people forgotten."""
    people = [Seat(number, f"p{number}") for number in range(1, 7)]
    for number in range(120):
        seats = tuple(
            msgspec.structs.replace(one, apprentice=chance.random() < 0.2)
            for one in chance.sample(people, chance.choice((1, 1, 2, 3, 4)))
        )
        points = [chance.randrange(5) for _ in (*seats, 0)]
        facts = tuple({"points": one, "won": one == max(points), "sub": {"a": one}} for one in points)
        if len(seats) > 1:
            facts = facts[:-1]
        if chance.random() < 0.1:
            facts = ()
        first = next(iter(seats))
        seed = chance.choice((None, "word x", "word y")) if len(seats) == 1 else None
        guild = chance.choice((None, 7, 8))
        forgotten = chance.choice(people).user if chance.random() < 0.05 else None
        for store in stores:
            channel = 100 + number
            game = await store.create(Record(channel=channel, kind="c", host=first.user, seats=seats))
            counts = True
            if seed is not None:
                mark = f"mark {first.user}"
                counts = await store.attempt(seed, first.user, mark, game) == game
            await store.save(game, Turn(0, None, None), b"state")
            await store.update(
                game, finished=OVER, result=Result(game, guild, float(number), seats, facts, counts)
            )
            if forgotten is not None:
                await store.forget(forgotten)


async def all_boards(store: Store) -> dict[str, Any]:
    """Every board in a form in which two stores can be compared."""
    found: dict[str, Any] = {}
    for guild in (None, 7, 8):
        for sort in (TABLE, SOLO):
            found[f"{guild} {sort}"] = await store.standings(guild, sort, 99)
            found[f"{guild} {sort} each"] = [await store.standing(guild, sort, user) for user in range(7)]
        for seed in ("word x", "word y"):
            best = await store.best_tries(seed, guild, 99)
            found[f"{guild} {seed}"] = [(one.at, one.seats, one.facts) for one in best]
            assert await store.tries(seed, guild) == len(best)
    return found


@pytest.mark.parametrize("seed", range(8))
async def test_boards_kept_as_results_arrive_are_those_of_all_results(path: Path, seed: int) -> None:
    oracle = MemoryStore()
    async with open_store(path) as store:
        await history(random.Random(seed), store, oracle)
        kept = await all_boards(store)
        assert kept == await all_boards(oracle)
        assert kept["None table"]
    async with open_store(path) as store:
        assert await all_boards(store) == kept, "nothing is counted again at a start"


@pytest.mark.parametrize("seed", range(4))
async def test_standings_of_an_older_database_are_made_once_also_in_parts(
    path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.store.COUNTED_AT_ONCE", 7)
    chance = random.Random(seed)
    monkeypatch.setattr(SQLiteStore, "forget", _not)
    async with open_store(path) as store:
        await history(chance, store)
        kept = await all_boards(store)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "DELETE FROM standing; DELETE FROM placing; DELETE FROM tried;"
            "UPDATE attempt SET points = NULL, mark = NULL;"
            "INSERT INTO pending (game) SELECT game FROM result ORDER BY at, game;"
        )
    parts = 0

    async def dies(self: SQLiteStore, work: Any) -> Any:
        nonlocal parts
        parts += 1
        if parts % 3 == 0:
            raise ZeroDivisionError
        return await together(self, work)

    together = SQLiteStore._together
    monkeypatch.setattr(SQLiteStore, "_together", dies)
    for _ in range(30):
        with suppress(ZeroDivisionError):
            async with open_store(path) as store:
                assert await all_boards(store) == kept
                key = await store.secret("people")
                tried = await store._read("SELECT user, mark FROM attempt WHERE user > 0", ())
                assert all(mark == mark_of(key, user) for user, mark in tried)
                break
    else:
        pytest.fail("it never came to its end")
    assert parts > 10


async def _not(self: SQLiteStore, user: int) -> None:
    """Forget nobody."""


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE standing SET figures = '[' WHERE user = 1",
        "UPDATE standing SET games = 'many' WHERE user = 1",
        "UPDATE result SET facts = 'x' WHERE seats LIKE '%p1%'",
    ],
)
async def test_a_damaged_row_breaks_no_board_for_the_others(path: Path, damage: str) -> None:
    async with open_store(path) as store:
        await history(random.Random(1), store)
        before = await store.standings(None, TABLE, 99)
        await store._write(damage, ())
        found = await store.standings(None, TABLE, 99)
        others = [one for one in before if one.user != 1]
        assert [one for one in found if one.user != 1] == others
        assert len(await store.best_tries("word x", None, 99)) <= await store.tries("word x", None)
        game = await store.create(Record(channel=5, kind="c", host=1, seats=(Seat(1, "p1"), Seat(2, "p2"))))
        facts = ({"points": 1}, {"points": 2})
        await store.record(Result(game, None, 1.0, (Seat(1, "p1"), Seat(2, "p2")), facts))
        assert await store.standing(None, TABLE, 1) is not None


@pytest.mark.parametrize("facts", [({"won": True},) * 2, ({"points": "x"},) * 2, ({"points": 1}, {})])
async def test_facts_that_make_no_sense_keep_no_game_from_ending(path: Path, facts: Any) -> None:
    async with open_store(path) as store:
        seats = (ANN, BEN)
        game = await store.create(Record(channel=5, kind="c", host=ANN.user, seats=seats))
        await store.update(game, finished=OVER, result=Result(game, 7, 1.0, seats, facts))
        assert await store.result(game) is not None
        assert await store.standing(7, TABLE, ANN.user) is None


async def test_a_transaction_takes_effect_whole_or_not_at_all(path: Path) -> None:
    def fails(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO secret (name, value) VALUES ('a', x'00')")
        raise ZeroDivisionError

    def works(connection: sqlite3.Connection) -> str:
        connection.execute("INSERT INTO secret (name, value) VALUES ('b', x'00')")
        return "done"

    async with open_store(path) as store:
        for beside in (fails, works):
            with suppress(ZeroDivisionError, sqlite3.IntegrityError):
                assert await store._together(beside) == "done"
        names = [row[0] for row in await store._read("SELECT name FROM secret", ())]
        assert "b" in names
        assert "a" not in names
        assert not await store._db._execute(lambda: store._db.in_transaction)


# What pays and what does not -------------------------------------------------------------------------


def scoring(state: Any) -> list[dict[str, Any]]:
    """The counting game with points: seat 0 wins."""
    return [{"points": state.seats - seat, "won": seat == 0} for seat in range(state.seats)]


@pytest.fixture
async def table(store: Store) -> Table:
    return Table(store, [replace(COUNTING, result=scoring)], now=lambda: 0.0)


async def to_the_end(table: Table, session: Session) -> Session:
    while not session.finished:
        session = await table.act(session.id, mover(session), session.version, "add.2")
    return session


async def standing(table: Table, user: int) -> Standing:
    return await table.standing(None, TABLE, user) or Standing(user, "")


async def test_handing_a_seat_over_counts_as_leaving_and_the_friend_wins_nothing(table: Table) -> None:
    session = await started(table, BEN)
    winner = session.seats[0]
    await table.ask_friend(session.id, winner.user, CAT.user)
    session = await table.answer_friend(session.id, winner.user, CAT, True)
    await to_the_end(table, session)
    loser = BEN if winner == ANN else ANN
    assert ((await standing(table, winner.user)).gone, (await standing(table, winner.user)).wins) == (1, 0)
    assert (await standing(table, CAT.user)) == Standing(CAT.user, "")
    mine, theirs = await standing(table, loser.user), await standing(table, winner.user)
    assert mine.games == 1
    assert (mine.mu or 0) > (theirs.mu or 0), "for the other the game counts as usual"


async def test_whoever_takes_a_winning_seat_over_wins_nothing_by_it(table: Table) -> None:
    session = await started(table, BEN, CAT)
    winner = session.seats[0].user
    session = await table.concede(session.id, winner)
    session = await table.take_over(session.id, 0, DAN)
    await to_the_end(table, session)
    assert await standing(table, DAN.user) == Standing(DAN.user, "")
    assert (await standing(table, winner)).gone == 1


async def test_who_comes_back_to_a_seat_they_gave_away_has_left_all_the_same(
    table: Table, store: Store
) -> None:
    session = await started(table, BEN)
    first = session.seats[0]
    await store.update(session.id, gone={0: first}, notice=None)
    fresh = Table(store, list(table._games.values()), now=lambda: 0.0)
    await to_the_end(fresh, await fresh.get(session.id))
    assert (await standing(fresh, first.user)).gone == 1


async def test_a_last_turn_that_ran_out_counts_as_leaving(table: Table, store: Store) -> None:
    session = await started(table, BEN, goal=3)
    winner = session.seats[0]
    seats = (msgspec.structs.replace(winner, missed=1), session.seats[1])
    await store.update(session.id, seats=seats)
    fresh = Table(store, list(table._games.values()), now=lambda: 0.0)
    session = await fresh.get(session.id)
    while session.to_move == 1:
        session = await act(fresh, session, "add.1")
    result = await fresh._result(session)
    assert result is not None
    assert [one.apprentice for one in result.seats] == [True, False]


async def test_after_somebody_left_the_others_agreement_does_not_save_them(table: Table) -> None:
    session = await started(table, BEN, CAT)
    await table.concede(session.id, CAT.user)
    for one in (ANN, BEN):
        session = await table.cancel(session.id, one.user)
    assert session.record.finished == CANCELLED
    left, stayed = await standing(table, CAT.user), await standing(table, ANN.user)
    assert (left.games, left.gone, stayed.games) == (1, 1, 0)
    assert (left.mu or 0) < (stayed.mu or 0)


async def test_a_moderator_who_has_sat_ends_nothing_neither_as_substitute_nor_forgotten(table: Table) -> None:
    """Ended by a moderator, a game counts for nobody: not even for who has handed their seat over."""
    session = await started(table, BEN)
    game, loser = session.id, session.seats[1]
    await table.ask_friend(game, loser.user, CAT.user)
    await table.answer_friend(game, loser.user, CAT, True)
    await table.concede(game, CAT.user)
    await table.forget(loser.user)
    for one in (CAT, loser):
        with pytest.raises(NotHost):
            await table.cancel(game, one.user, moderator=True)
    session = await table.cancel(game, DAN.user, moderator=True)
    assert session.record.finished == CANCELLED


async def test_a_first_try_stays_the_first_after_being_forgotten(table: Table, store: Store) -> None:
    options = {"least": 1, "seed": "word x"}
    for channel in (1, 2):
        game = (await table.open("counting", channel, ANN, options)).id
        session = await to_the_end(table, await table.start(game, ANN.user))
        assert await table.counts(session) == (channel == 1)
        await table.forget(ANN.user)
    assert await store.tries("word x", None) == 1
    assert await table.standing(None, SOLO, ANN.user) in (None, Standing(ANN.user, ANN.name))


async def test_of_two_tries_that_one_person_starts_at_once_one_is_dealt(table: Table) -> None:
    options = {"least": 1, "seed": "word x"}
    games = [(await table.open("counting", channel, ANN, options)).id for channel in (1, 2)]
    begun = await asyncio.gather(*(table.start(game, ANN.user) for game in games), return_exceptions=True)
    assert sum(isinstance(one, Session) for one in begun) == 1
    assert sum(isinstance(one, AlreadyTrying) for one in begun) == 1
    live = [one.id for one in await table.live()]
    assert len(live) == 1


# Nobody sits who has not pressed ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
async def test_nobody_sits_in_a_started_game_who_pressed_nothing_for_it(seed: int) -> None:
    """Under random interleavings of everything that opens, joins, leaves, starts and hands over."""
    chance, store = random.Random(seed), MemoryStore()
    clock = [0.0]
    table = Table(store, [COUNTING], now=lambda: clock[0])
    people = list(PEOPLE.values())
    pressed: dict[int, set[int]] = {}
    dealt = 0
    for _ in range(500):
        person, other = chance.sample(people, 2)
        game = chance.choice([*list(store.games)[-4:], 0])
        what = chance.choice(
            ("new", "join", "join", "join", "start", "start", "leave", "again", "again", *["act"] * 6, "ask",
             "sit", "over", "concede", "cancel", "forget", "restart", "later")
        )  # fmt: skip
        with suppress(TableError, Refused):
            match what:
                case "new":
                    game = (await table.open("counting", chance.randrange(9), person, {"goal": 3})).id
                    pressed[game] = {person.user}
                case "join":
                    await table.join(game, person)
                    pressed[game].add(person.user)
                case "leave":
                    await table.leave(game, person.user)
                    pressed[game].discard(person.user)
                case "start":
                    await table.start(game, (await table.get(game)).record.host)
                    dealt += 1
                case "again":
                    session, _ = await table.rematch(game, person)
                    pressed.setdefault(session.id, set()).add(person.user)
                case "act":
                    session = await table.get(game)
                    user = person.user if session.to_move is None else mover(session)
                    await table.act(game, user, session.version, chance.choice(("add.2", "pass")))
                case "ask":
                    await table.ask_friend(game, person.user, other.user)
                case "sit":
                    await table.answer_friend(game, other.user, person, True)
                    pressed[game].add(person.user)
                case "over":
                    await table.take_over(game, chance.randrange(3), person)
                    pressed[game].add(person.user)
                case "concede":
                    await table.concede(game, person.user)
                case "cancel":
                    await table.cancel(game, person.user)
                case "forget" if chance.random() < 0.1:
                    await table.forget(person.user)
                case "restart":
                    table = Table(store, [COUNTING], now=lambda: clock[0])
                case "later":
                    clock[0] += 3600
                case _:
                    pass
        for record in store.games.values():
            if store.saved[record.id]:
                sitting = {seat.user for seat in record.seats} - {0}
                assert sitting <= pressed[record.id], what
    assert dealt > 3


async def test_a_rematch_seats_the_presser_alone_and_then_who_presses(table: Table) -> None:
    session = await to_the_end(table, await started(table, BEN, CAT))
    first, is_new = await table.rematch(session.id, BEN)
    assert is_new
    assert first.seats == (BEN,)
    second, is_new = await table.rematch(session.id, ANN)
    assert not is_new
    assert (second.id, second.seats) == (first.id, (BEN, ANN))
    assert await lobby(table, channel=99)
