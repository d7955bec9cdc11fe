"""Games that are dealt alike, and forgetting a person: what every store and the table must do."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from table.errors import GameOver, NotStarted
from table.game import Options
from table.standings import TABLE
from table.store import LOST, NOBODY, OVER, SECRET_BYTES, Ask, Held, Preferences, Result, Seat, Store, Turn
from table.table import SEED_BITS, Session, Table
from tests.table.counting import COUNTING, Count, new
from tests.table.memory import MemoryStore
from tests.table.test_store import record
from tests.table.test_table import ANN, BEN, CAT, CHANNEL, lobby, mover, started

NO_ONE = Seat(NOBODY, "")


# The store -------------------------------------------------------------------------------------------


async def test_a_secret_is_drawn_once_for_each_name(store: Store) -> None:
    first = await store.secret("seed")
    assert len(first) == SECRET_BYTES
    assert await store.secret("seed") == first
    assert await store.secret("another") != first


async def test_of_the_games_from_a_seed_the_first_that_began_counts(store: Store) -> None:
    lobbied, begun, later = [await store.create(record(channel)) for channel in (5, 6, 7)]
    assert await store.attempt("word x", 11, "11", lobbied) == lobbied
    assert await store.attempt("word x", 11, "11", begun) == begun, "what never began gives way"
    await store.save(begun, Turn(0, None, None), b"state")
    assert await store.attempt("word x", 11, "11", later) == begun
    assert await store.attempt("word x", 22, "22", later) == later, "each person has one"
    assert await store.attempt("word y", 11, "11", later) == later, "of each seed"
    assert [await store.counts(game) for game in (lobbied, begun, later)] == [False, True, True]


async def test_the_attempts_at_a_seed_are_the_results_that_count(store: Store) -> None:
    games = [await store.create(record(channel)) for channel in (5, 6, 7)]
    for user, game in zip((11, 22), games, strict=False):
        await store.attempt("word x", user, str(user), game)
    results = [Result(game, 9, float(-game), (ANN,), ({"points": game},)) for game in games]
    for one in results:
        await store.record(one)
    assert await store.best_tries("word x", None, 9) == [results[1], results[0]]
    assert await store.best_tries("word x", None, 1) == [results[1]]
    assert await store.best_tries("word y", None, 9) == []
    assert [await store.tries(one, None) for one in ("word x", "word y")] == [2, 0]


async def test_who_is_forgotten_is_nobody_in_games_and_results(store: Store) -> None:
    others = [Seat(22, 'B "en" \N{SNOWMAN}'), Seat(2**63 - 1, "Max", apprentice=True, missed=2)]
    game = await store.create(msgspec.structs.replace(record(), seats=(others[0], ANN, others[1])))
    await store.update(game, asks=(Ask(22, friend=11),), finished=OVER)
    asked = await store.create(record(channel=6, host=BEN))
    await store.update(asked, asks=(Ask(22, friend=11),))
    untouched = await store.create(record(channel=7, host=BEN))
    left = msgspec.structs.replace(ANN, apprentice=True)
    await store.save(game, Turn(0, None, None), b"state")
    await store.attempt("word x", 11, "11", game)
    await store.record(Result(game, None, 1.0, (left, BEN), ({"points": 1}, {"points": 2})))
    await store.prefer(11, Preferences("dm"))
    await store.prefer(22, Preferences("off"))
    await store.hold(Held(game, 11, 5.0))
    await store.hold(Held(asked, 22, 5.0))
    await store.forget(11)
    found = await store.find(game)
    assert found is not None
    assert found.seats == (others[0], NO_ONE, others[1])
    assert (found.host, found.asks) == (NOBODY, ())
    assert (await store.find(asked) or record()).asks == ()
    assert await store.find(untouched) == msgspec.structs.replace(record(7, BEN), id=untouched)
    nobody = msgspec.structs.replace(left, user=NOBODY, name="")
    expected = Result(game, None, 1.0, (nobody, BEN), ({"points": 1}, {"points": 2}))
    assert await store.result(game) == expected
    assert await store.best_tries("word x", None, 9) == [expected]
    assert await store.attempt("word x", 11, "11", asked) == game, "the mark remains"
    assert await store.standing(None, TABLE, 11) is None
    assert await store.standing(None, TABLE, 22) is not None
    assert await store.preferences(11) == Preferences()
    assert await store.preferences(22) == Preferences("off")
    assert await store.held(9.0) == [Held(asked, 22, 5.0)]


async def test_forgetting_again_or_a_stranger_changes_nothing(store: Store) -> None:
    game = await store.create(record())
    before = await store.find(game)
    await store.forget(99)
    assert await store.find(game) == before
    await store.forget(11)
    after = await store.find(game)
    await store.forget(11)
    assert await store.find(game) == after


# The table -------------------------------------------------------------------------------------------


async def seeded(table: Table, seed: str | None, channel: int = CHANNEL, host: Seat = ANN) -> Session:
    options = {"least": 1} if seed is None else {"least": 1, "seed": seed}
    game = (await table.open("counting", channel, host, options)).id
    return await table.start(game, host.user)


async def test_the_same_seed_is_the_same_game_and_another_one_another(table: Table, store: Store) -> None:
    first = await seeded(table, "word x", 1)
    second = await seeded(table, "word x", 2, BEN)
    other = await seeded(table, "word y", 3)
    free = await seeded(table, None, 4)
    assert first.state == second.state
    assert len({one.state.seed for one in (first, other, free)}) > 1
    assert [await store.counts(one.id) for one in (first, second, other, free)] == [True, True, True, False]


async def test_another_database_deals_another_game_for_the_same_word() -> None:
    dealt: list[int] = []

    def deal(seed: int, seats: int, options: Options) -> Count:
        dealt.append(seed)
        return new(seed, seats, options)

    for key in (b"a" * SECRET_BYTES, b"b" * SECRET_BYTES):
        store = MemoryStore()
        store.secrets["seed"] = key
        await seeded(Table(store, [replace(COUNTING, new=deal)]), "word x")
    assert dealt[0] != dealt[1]
    assert all(2**64 < one < 2**SEED_BITS for one in dealt)


async def test_who_is_forgotten_leaves_live_games_and_lobbies(table: Table, store: Store) -> None:
    game = await started(table, BEN, CAT, channel=1)
    waiting = await lobby(table, BEN, channel=2)
    alone = await lobby(table, channel=3)
    assert await table.forget(ANN.user) == [game.id, waiting, alone]
    seats = (await table.get(game.id)).seats
    assert ANN.user not in [one.user for one in seats]
    assert [one.apprentice for one in seats if one.user == NOBODY] == [True]
    assert (await table.get(game.id)).record.host in (BEN.user, CAT.user)
    assert [one.user for one in (await table.get(waiting)).seats] == [BEN.user]
    assert (await table.get(alone)).finished
    assert not [one for one in await store.live() if ANN.user in (one.host, *(o.user for o in one.seats))]
    fresh = Table(store, [COUNTING])
    assert (await fresh.get(game.id)).seats == seats


async def test_a_game_goes_on_without_who_was_forgotten_and_others_may_sit_down(table: Table) -> None:
    session = await started(table, BEN)
    await table.forget(ANN.user)
    session = await table.get(session.id)
    assert session.to_move is not None
    assert session.seats[session.to_move].user == BEN.user
    session = await table.take_over(session.id, session.free[0], CAT)
    assert {one.user for one in session.seats} == {BEN.user, CAT.user}


async def test_a_solo_game_of_who_is_forgotten_ends(table: Table) -> None:
    session = await seeded(table, None)
    await table.forget(ANN.user)
    session = await table.get(session.id)
    assert session.finished
    assert session.seats == (msgspec.structs.replace(NO_ONE, apprentice=True),)
    with pytest.raises(GameOver):
        await table.concede(session.id, ANN.user)


async def test_what_somebody_asked_who_is_forgotten_is_not_kept_with_what_is_asked_later(
    table: Table, store: Store
) -> None:
    session = await started(table, BEN, CAT)
    await table.ask_friend(session.id, ANN.user, 77)
    await table.forget(ANN.user)
    await table.ask_friend(session.id, BEN.user, 77)
    kept = await store.find(session.id)
    assert kept is not None
    assert [one.user for one in kept.asks] == [BEN.user]


async def test_whoever_leaves_asks_for_nothing_any_more(table: Table) -> None:
    session = await started(table, BEN, CAT)
    await table.ask_friend(session.id, BEN.user, 77)
    await table.ask_friend(session.id, ANN.user, 77)
    session = await table.concede(session.id, ANN.user)
    assert [one.user for one in session.record.asks] == [BEN.user]
    session = await table.take_over(session.id, session.free[0], Seat(88, "dan"))
    assert [one.user for one in session.record.asks] == [BEN.user]


async def test_what_is_in_memory_of_past_games_is_forgotten_too(table: Table) -> None:
    session = await started(table)
    await table.cancel(session.id, 99, moderator=True)
    await table.forget(ANN.user)
    assert NO_ONE in (await table.get(session.id)).seats


async def test_the_game_of_a_channel_that_is_gone_ends(table: Table, store: Store) -> None:
    session = await started(table)
    await table.lose(99)
    await table.lose(CHANNEL)
    assert (await table.get(session.id)).record.finished == LOST
    await table.lose(CHANNEL)
    assert await store.live() == []


async def test_the_latest_game_of_a_channel_is_the_one_being_played_else_the_last_that_ended(
    table: Table,
) -> None:
    first = await lobby(table)
    with pytest.raises(NotStarted):
        await table.latest(CHANNEL)
    await table.cancel(first, ANN.user)
    session = await started(table, goal=2, least=2)
    while not session.finished:
        session = await table.act(session.id, mover(session), session.version, "add.2")
    assert (await table.latest(CHANNEL)).id == session.id
    game = await lobby(table)
    assert (await table.latest(CHANNEL)).id == session.id, "nobody has played the lobby's yet"
    with pytest.raises(NotStarted):
        await table.concede(game, ANN.user)
