"""Seats, turns, undo, leaving, looking back: with a tiny game, on each store."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import table.table
from table.errors import (
    AlreadyAsked,
    AlreadySeated,
    AlreadyStarted,
    CannotUndo,
    ChannelBusy,
    DatabaseUnusable,
    GameFull,
    GameOver,
    NoGame,
    NotHost,
    NotOver,
    NotSeated,
    NotStarted,
    NotYourMove,
    Stale,
    StoreError,
    TableError,
    TooFewPlayers,
    TooManyGames,
    UnreadableGame,
)
from table.store import ABANDONED, CANCELLED, OVER, UNDO, UNREADABLE, Seat, Store, Turn, open_store
from table.table import Session, Table
from tests.table.conftest import second_connection
from tests.table.counting import COUNTING, Refused
from tests.table.memory import MemoryStore

ANN, BEN, CAT, DAN = Seat(11, "Ann"), Seat(22, "Ben"), Seat(33, "Cat"), Seat(44, "Dan")
PEOPLE = {seat.user: seat for seat in (ANN, BEN, CAT, DAN)}
CHANNEL = 5


async def lobby(table: Table, *others: Seat, host: Seat = ANN, channel: int = CHANNEL, **options: Any) -> int:
    """A lobby with these people; the game's ID."""
    game = (await table.open("counting", channel, host, options)).id
    for seat in others:
        await table.join(game, seat)
    return game


async def started(table: Table, *others: Seat, channel: int = CHANNEL, **options: Any) -> Session:
    return await table.start(
        await lobby(table, *(others or (BEN,)), channel=channel, **options), ANN.user, seed=7
    )


def mover(session: Session) -> int:
    """The person to act."""
    assert session.to_move is not None
    return session.seats[session.to_move].user


def waiting(session: Session) -> int:
    """A person who is not to act and has not left."""
    return next(
        seat.user
        for number, seat in enumerate(session.seats)
        if number != session.to_move and not seat.apprentice
    )


async def act(table: Table, session: Session, *codes: str) -> Session:
    """Whoever is to act does these one after the other."""
    for code in codes:
        session = await table.act(session.id, mover(session), session.version, code)
    return session


def total(session: Session) -> int:
    return session.view(None)[1]


async def stored(store: Store, game: int) -> list[Turn]:
    return await store.turns(game)


# The lobby -------------------------------------------------------------------------------------------


async def test_a_lobby_opens_with_its_host_in_it(table: Table) -> None:
    session = await table.open("counting", CHANNEL, ANN, {"goal": 4}, locale="de")
    assert session.is_lobby
    assert session.seats == (ANN,)
    assert session.to_move is None
    assert (session.record.host, session.record.locale, session.record.options) == (11, "de", {"goal": 4})
    assert await table.at(CHANNEL) == session
    assert await table.get(session.id) == session
    assert [record.id for record in await table.live()] == [session.id]


async def test_a_channel_has_one_game_at_a_time(table: Table) -> None:
    game = await lobby(table)
    with pytest.raises(ChannelBusy):
        await table.open("counting", CHANNEL, BEN, {})
    await table.cancel(game, ANN.user)
    assert (await table.open("counting", CHANNEL, BEN, {})).id != game


async def test_there_is_no_game_where_none_was_opened(table: Table) -> None:
    with pytest.raises(NoGame):
        await table.at(CHANNEL)
    for call in (table.get(1), table.join(1, ANN), table.act(1, 11, 0, "add.1"), table.undo(1, 11, 0)):
        with pytest.raises(NoGame):
            await call


async def test_a_person_sits_in_a_limited_number_of_games_however_fast_they_are_opened(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.table.MAX_SEATS", 3)
    opened = [table.open("counting", channel, ANN, {}) for channel in range(1, 9)]
    results = await asyncio.gather(*opened, return_exceptions=True)
    assert sum(isinstance(result, Session) for result in results) == 3
    assert sum(isinstance(result, TooManyGames) for result in results) == 5
    await table.open("counting", 20, BEN, {})
    await table.cancel((await table.live())[0].id, ANN.user)
    await table.open("counting", 21, ANN, {})


async def test_no_way_to_a_seat_passes_the_limit(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.table.MAX_SEATS", 2)
    games = [await lobby(table, CAT, channel=channel) for channel in (1, 2)]
    third = await lobby(table, DAN, channel=3, host=BEN)
    with pytest.raises(TooManyGames):
        await table.join(third, CAT)
    await table.start(third, BEN.user)
    await table.ask_friend(third, DAN.user, CAT.user)
    with pytest.raises(TooManyGames):
        await table.answer_friend(third, DAN.user, CAT, True)
    await table.answer_friend(third, DAN.user, CAT, False)
    await table.concede(third, DAN.user)
    (free,) = (await table.get(third)).free
    with pytest.raises(TooManyGames):
        await table.take_over(third, free, CAT)
    await table.leave(games[0], CAT.user)
    await table.take_over(third, free, CAT)


async def test_nobody_sits_twice_and_no_more_than_can_play(table: Table) -> None:
    game = await lobby(table, BEN)
    with pytest.raises(AlreadySeated):
        await table.join(game, Seat(BEN.user, "Ben under another name"))
    await table.join(game, CAT)
    with pytest.raises(GameFull):
        await table.join(game, DAN)
    assert (await table.get(game)).seats == (ANN, BEN, CAT)


async def test_many_joining_at_once_fill_the_seats_once(table: Table) -> None:
    game = await lobby(table)
    results = await asyncio.gather(
        *(table.join(game, seat) for seat in (BEN, CAT, DAN) * 4), return_exceptions=True
    )
    assert sum(isinstance(result, Session) for result in results) == 2
    seats = (await table.get(game)).seats
    assert len(seats) == len({seat.user for seat in seats}) == 3


async def test_a_host_who_leaves_the_lobby_hands_it_on_and_the_last_one_closes_it(table: Table) -> None:
    game = await lobby(table, BEN)
    assert (await table.leave(game, ANN.user)).record.host == BEN.user
    with pytest.raises(NotSeated):
        await table.leave(game, ANN.user)
    with pytest.raises(NotHost):
        await table.start(game, ANN.user)
    session = await table.leave(game, BEN.user)
    assert session.record.finished == CANCELLED
    with pytest.raises(GameOver):
        await table.join(game, CAT)


async def test_another_than_the_host_leaving_changes_no_host(table: Table) -> None:
    game = await lobby(table, BEN)
    session = await table.leave(game, BEN.user)
    assert (session.record.host, session.seats) == (ANN.user, (ANN,))


async def test_only_the_host_starts_and_only_with_enough_people(table: Table) -> None:
    game = await lobby(table)
    with pytest.raises(TooFewPlayers):
        await table.start(game, ANN.user)
    await table.join(game, BEN)
    with pytest.raises(NotHost):
        await table.start(game, BEN.user)
    session = await table.start(game, ANN.user)
    assert (session.version, session.is_lobby, len(session.line)) == (0, False, 1)


async def test_a_started_game_is_no_lobby_any_more(table: Table) -> None:
    session = await started(table)
    for call in (
        table.join(session.id, CAT),
        table.leave(session.id, BEN.user),
        table.start(session.id, ANN.user),
    ):
        with pytest.raises(AlreadyStarted):
            await call


async def test_of_two_starts_at_once_one_counts(table: Table) -> None:
    game = await lobby(table, BEN)
    results = await asyncio.gather(
        *(table.start(game, ANN.user, seed) for seed in range(5)), return_exceptions=True
    )
    assert sum(isinstance(result, Session) for result in results) == 1
    assert sum(isinstance(result, AlreadyStarted) for result in results) == 4


async def test_the_seats_are_drawn(table: Table) -> None:
    """K1.6. That sixty games all seat the host first happens once in 10^18."""
    first = set[int]()
    for channel in range(60):
        session = await started(table, channel=channel)
        first.add(session.seats[0].user)
        await table.cancel(session.id, 99, moderator=True)
    assert first == {ANN.user, BEN.user}


async def test_the_seed_is_drawn_unless_it_is_given(table: Table) -> None:
    seeds = set[int]()
    for channel in range(5):
        session = await table.start(await lobby(table, BEN, channel=channel), ANN.user)
        seeds.add(session.state.seed)
    assert len(seeds) > 1
    assert (await started(table, channel=9)).state.seed == 7


async def test_options_reach_the_game(table: Table) -> None:
    assert (await started(table, goal=42)).state.goal == 42
    alone = await lobby(table, channel=6, least=1)
    assert (await table.start(alone, ANN.user)).to_move == 0


@pytest.mark.parametrize("moderator", [False, True])
async def test_the_host_or_a_moderator_cancels_a_lobby(table: Table, moderator: bool) -> None:
    game = await lobby(table, BEN)
    with pytest.raises(NotHost):
        await table.cancel(game, BEN.user)
    session = await table.cancel(game, CAT.user if moderator else ANN.user, moderator=moderator)
    assert session.record.finished == CANCELLED
    with pytest.raises(NoGame):
        await table.at(CHANNEL)


async def test_a_game_ends_without_a_result_when_all_who_are_seated_agree(table: Table, store: Store) -> None:
    session = await started(table, BEN, CAT)
    session = await table.cancel(session.id, ANN.user)
    assert not session.finished
    assert await table.would_end(session) == [ANN.user]
    with pytest.raises(AlreadyAsked):
        await table.cancel(session.id, ANN.user)
    with pytest.raises(NotHost):
        await table.cancel(session.id, DAN.user)
    session = await act(table, session, "add.1")
    assert await table.would_end(session) == [], "a move takes the question back"
    for one in (BEN, CAT):
        session = await table.cancel(session.id, one.user)
        assert not session.finished
    session = await table.cancel(session.id, ANN.user)
    assert (session.record.finished, session.to_move) == (CANCELLED, None)
    assert await store.result(session.id) is None, "nobody had left"
    with pytest.raises(NoGame):
        await table.at(CHANNEL)
    for call in (
        table.act(session.id, ANN.user, 0, "add.1"),
        table.undo(session.id, ANN.user, 0),
        table.concede(session.id, ANN.user),
        table.cancel(session.id, ANN.user),
    ):
        with pytest.raises(GameOver):
            await call


async def test_the_message_of_a_game_is_remembered(table: Table, store: Store) -> None:
    session = await started(table)
    assert (await table.set_message(session.id, 2**60)).record.message == 2**60
    assert (await Table(store, [COUNTING]).get(session.id)).record.message == 2**60


# Acting ----------------------------------------------------------------------------------------------


async def test_an_act_is_saved_with_the_state_after_it(table: Table, store: Store) -> None:
    session = await started(table)
    seat = session.to_move
    after = await table.act(session.id, mover(session), 0, "add.2")
    assert (after.version, total(after)) == (1, 2)
    assert await stored(store, session.id) == [Turn(0, None, None), Turn(1, seat, "add.2")]
    assert COUNTING.decode(await store.state(session.id, 1) or b"") == after.state
    assert total(session) == 0, "what was returned before is a value and stays as it was"


async def test_a_lobby_takes_no_acts(table: Table) -> None:
    game = await lobby(table, BEN)
    for call in (
        table.act(game, ANN.user, -1, "add.1"),
        table.undo(game, ANN.user, -1),
        table.concede(game, ANN.user),
    ):
        with pytest.raises(NotStarted):
            await call


async def test_refused_acts_change_nothing(table: Table, store: Store) -> None:
    session = await started(table)
    me, other = mover(session), waiting(session)
    for user, version, code, error in (
        (CAT.user, 0, "add.1", NotSeated),
        (other, 0, "add.1", NotYourMove),
        (me, 1, "add.1", Stale),
        (me, -1, "add.1", Stale),
        (me, 0, "pass", Refused),
        (me, 0, "no action", Refused),
    ):
        with pytest.raises(error):
            await table.act(session.id, user, version, code)
    assert await table.get(session.id) == session
    assert len(await stored(store, session.id)) == 1


async def test_an_old_button_is_stale_whoever_pressed_it(table: Table) -> None:
    session = await act(table, await started(table), "add.1")
    for user in (mover(session), waiting(session)):
        with pytest.raises(Stale):
            await table.act(session.id, user, 0, "add.1")


async def test_a_game_that_is_played_out_is_over(table: Table, store: Store) -> None:
    session = await act(table, await started(table, goal=4), "add.2", "pass", "add.1", "add.1")
    assert (session.record.finished, session.finished, session.to_move) == (OVER, True, None)
    with pytest.raises(GameOver):
        await table.act(session.id, ANN.user, session.version, "add.1")
    with pytest.raises(GameOver):
        await table.undo(session.id, ANN.user, session.version)
    states = [await store.state(session.id, version) for version in range(5)]
    assert [state is not None for state in states] == [True, False, False, False, True]
    assert (await table.get(session.id)).record.finished == OVER


async def test_a_viewer_sees_their_own_seat_and_others_the_public_one(table: Table) -> None:
    session = await started(table)
    assert session.view(BEN.user)[0] == session.seat_of(BEN.user)
    assert session.view(None)[0] is None
    assert session.view(CAT.user)[0] is None


async def test_a_session_in_a_log_tells_no_secret(table: Table) -> None:
    session = await started(table)
    assert "seed" in str(session.state)
    assert "seed" not in repr(session)


async def test_games_do_not_wait_for_each_other(table: Table) -> None:
    sessions = [await started(table, channel=channel) for channel in range(5)]
    after = await asyncio.gather(*(act(table, session, "add.1", "add.1", "pass") for session in sessions))
    assert [session.version for session in after] == [3] * 5


# Rivals ----------------------------------------------------------------------------------------------


async def test_of_rival_acts_on_one_version_exactly_one_wins(table: Table, store: Store) -> None:
    session = await started(table, goal=1000)
    for version in range(0, 40, 2):
        acts = [
            table.act(session.id, mover(session), version, code)
            for code in ("add.1", "add.2")
            for _ in range(10)
        ]
        results = await asyncio.gather(*acts, return_exceptions=True)
        assert sum(isinstance(result, Session) for result in results) == 1
        assert sum(isinstance(result, Stale) for result in results) == 19
        session = await act(table, await table.get(session.id), "pass")
    assert [turn.version for turn in await stored(store, session.id)] == list(range(41))


async def test_of_an_act_and_an_undo_on_one_version_exactly_one_wins(table: Table) -> None:
    session = await act(table, await started(table, goal=1000), "add.1")
    for _ in range(10):
        user, version = mover(session), session.version
        results = await asyncio.gather(
            table.undo(session.id, user, version),
            table.act(session.id, user, version, "add.1"),
            return_exceptions=True,
        )
        assert sum(isinstance(result, Session) for result in results) == 1
        assert sum(isinstance(result, Stale) for result in results) == 1
        session = await act(table, await table.get(session.id), "add.2")


async def test_of_rivals_at_two_tables_on_one_file_exactly_one_wins(path: Path) -> None:
    """Neither cache nor lock is shared: the file alone decides, and the loser sees the newest then."""
    async with open_store(path) as one, second_connection(path) as two:
        first, second = Table(one, [COUNTING]), Table(two, [COUNTING])
        session = await started(first, goal=1000)
        for version in range(30):
            assert (await second.get(session.id)).version == version
            acts = [
                table.act(session.id, mover(session), version, "add.1")
                for _ in range(4)
                for table in (first, second)
            ]
            results = await asyncio.gather(*acts, return_exceptions=True)
            assert sum(isinstance(result, Session) for result in results) == 1
            assert sum(isinstance(result, Stale) for result in results) == 7
            # Whichever table lost has dropped what it knew, or else won and knows.
            session, other = await first.get(session.id), await second.get(session.id)
            assert session.version == other.version == version + 1
        assert total(session) == 30


# Taking back -----------------------------------------------------------------------------------------


async def test_steps_are_taken_back_one_by_one_as_far_as_the_rules_allow(table: Table) -> None:
    session = await act(table, await started(table, goal=1000), "add.1", "pass", "add.1", "add.2", "add.2")
    me, other = mover(session), waiting(session)
    assert total(session) == 6
    for version, remaining in ((5, 4), (6, 2), (7, 1)):
        assert await table.can_undo(session, session.seats.index(PEOPLE[me]))
        session = await table.undo(session.id, me, version)
        assert (session.version, total(session)) == (version + 1, remaining)
    assert not await table.can_undo(session, session.seats.index(PEOPLE[me]))
    for user in (me, other):
        with pytest.raises(CannotUndo):
            await table.undo(session.id, user, 8)
    assert [turn.action for turn in session.line] == [None, "add.1", "pass"]


async def test_a_step_taken_back_can_be_done_otherwise_and_taken_back_again(
    table: Table, store: Store
) -> None:
    session = await act(table, await started(table), "add.1", "add.1")
    me = mover(session)
    session = await table.undo(session.id, me, 2)
    session = await act(table, session, "add.2")
    assert (session.version, total(session)) == (4, 3)
    session = await table.undo(session.id, me, 4)
    session = await table.undo(session.id, me, 5)
    assert (session.version, total(session), len(session.line)) == (6, 0, 1)
    with pytest.raises(CannotUndo):
        await table.undo(session.id, me, 6)
    actions = [turn.action for turn in await stored(store, session.id)]
    assert actions == [None, "add.1", "add.1", UNDO, "add.2", UNDO, UNDO]


async def test_only_who_did_it_takes_it_back(table: Table) -> None:
    session = await act(table, await started(table), "add.1")
    assert not await table.can_undo(session, 1 - session.seats.index(PEOPLE[mover(session)]))
    with pytest.raises(CannotUndo):
        await table.undo(session.id, waiting(session), 1)
    with pytest.raises(NotSeated):
        await table.undo(session.id, CAT.user, 1)
    with pytest.raises(Stale):
        await table.undo(session.id, mover(session), 0)


async def test_there_is_nothing_to_take_back_in_a_lobby_or_at_the_start(table: Table) -> None:
    game = await lobby(table, BEN)
    assert not await table.can_undo(await table.get(game), 0)
    session = await table.start(game, ANN.user)
    assert not await table.can_undo(session, 0)


async def test_looking_at_an_older_session_does_no_harm_to_a_game_that_has_ended_since(
    table: Table, store: Store
) -> None:
    """Its states between are gone by then, which is no damage."""
    old = await act(table, await started(table, goal=4), "add.1", "add.1")
    ended = await act(table, old, "add.2")
    assert not await table.can_undo(old, 0)
    assert [events for _, events in await table.happened(old, 1)] == [
        ("0 counted to 1",),
        ("0 counted to 2",),
    ]
    record = await store.find(old.id)
    assert record
    assert record.finished == OVER
    assert await table.get(old.id) == ended


# Leaving ---------------------------------------------------------------------------------------------


async def test_the_apprentice_plays_for_whoever_has_left(table: Table, store: Store) -> None:
    session = await started(table, BEN, CAT, goal=1000)
    leaver = session.seats[1].user
    session = await table.concede(session.id, leaver)
    assert session.version == 0, "it was not the leaver's turn"
    assert session.seats[1].apprentice
    session = await act(table, session, "add.2", "pass")
    assert (session.to_move, session.version, total(session)) == (2, 4, 3)
    assert [(turn.seat, turn.action) for turn in await stored(store, session.id)][1:] == [
        (0, "add.2"),
        (0, "pass"),
        (1, "add.1"),
        (1, "pass"),
    ]


async def test_who_leaves_in_their_own_turn_is_played_on_at_once(table: Table) -> None:
    session = await started(table, goal=1000)
    leaver = mover(session)
    session = await act(table, session, "add.2")
    session = await table.concede(session.id, leaver)
    assert (session.to_move, session.version) == (1, 2)
    assert mover(session) != leaver


async def test_who_has_left_is_not_seated(table: Table) -> None:
    session = await started(table, BEN, CAT)
    await table.concede(session.id, BEN.user)
    for call in (
        table.concede(session.id, BEN.user),
        table.act(session.id, BEN.user, 0, "add.1"),
        table.undo(session.id, BEN.user, 0),
        table.concede(session.id, DAN.user),
    ):
        with pytest.raises(NotSeated):
            await call
    assert (await table.get(session.id)).seat_of(BEN.user) is None


async def test_what_the_apprentice_did_is_not_taken_back(table: Table) -> None:
    session = await started(table, goal=1000)
    session = await table.concede(session.id, mover(session))
    with pytest.raises(CannotUndo):
        await table.undo(session.id, mover(session), session.version)


async def test_a_host_who_leaves_hands_the_game_on(table: Table) -> None:
    session = await started(table, BEN, CAT)
    session = await table.concede(session.id, ANN.user)
    assert session.record.host == next(seat.user for seat in session.seats if not seat.apprentice)
    with pytest.raises(NotHost):
        await table.cancel(session.id, ANN.user)


async def test_when_the_last_person_leaves_the_game_is_abandoned(table: Table, store: Store) -> None:
    session = await started(table, goal=1000)
    await table.concede(session.id, BEN.user)
    version = (await table.get(session.id)).version
    session = await table.concede(session.id, ANN.user)
    assert (session.record.finished, session.version) == (ABANDONED, version)
    assert all(seat.apprentice for seat in session.seats)
    assert await store.live() == []


async def test_the_apprentice_can_end_the_game(table: Table) -> None:
    session = await started(table, goal=3)
    session = await table.concede(session.id, session.seats[1].user)
    session = await act(table, session, "add.2", "pass")
    assert session.record.finished == OVER


# After a restart -------------------------------------------------------------------------------------


async def test_a_game_goes_on_after_a_restart_exactly_where_it_was(path: Path) -> None:
    async with open_store(path) as store:
        table = Table(store, [COUNTING])
        session = await act(table, await started(table, goal=1000), "add.1", "pass", "add.2", "add.2")
        session = await table.undo(session.id, mover(session), 4)
        waiting_lobby = await lobby(table, CAT, channel=6)
    async with open_store(path) as store:
        table = Table(store, [COUNTING])
        assert await table.at(CHANNEL) == session
        assert (await table.at(6)).seats == (ANN, CAT)
        with pytest.raises(Stale):
            await table.act(session.id, mover(session), 4, "add.1")
        assert total(await table.undo(session.id, mover(session), 5)) == 1
        await act(table, await table.at(CHANNEL), "add.2", "pass", "add.1")
        assert await table.start(waiting_lobby, ANN.user)


@pytest.mark.parametrize("cut", range(1, 9))
async def test_a_restart_after_any_turn_changes_nothing(store: Store, cut: int) -> None:
    """The same acts, with everything in memory lost after one of them, lead to the same game."""
    table = Table(store, [COUNTING])
    session = await started(table, goal=1000)
    codes = ["add.1", "add.2", UNDO, "pass", "add.2", UNDO, "add.1", "pass"]
    for index, code in enumerate(codes, 1):
        if code == UNDO:
            session = await table.undo(session.id, mover(session), session.version)
        else:
            session = await act(table, session, code)
        if index == cut:
            table = Table(store, [COUNTING])
            assert await table.get(session.id) == session
    assert (total(session), [turn.action for turn in session.line]) == (
        2,
        [None, "add.1", "pass", "add.1", "pass"],
    )


async def test_a_game_that_died_between_its_last_move_and_its_end_is_over(store: Store) -> None:
    session = await started(Table(store, [COUNTING]), goal=2)
    state, _ = COUNTING.apply(session.state, "add.2", 0)
    await store.save(session.id, Turn(1, 0, "add.2"), COUNTING.encode(state))
    table = Table(store, [COUNTING])
    with pytest.raises(NoGame):
        await table.at(CHANNEL)
    assert (await table.get(session.id)).record.finished == OVER


async def test_such_a_game_does_not_keep_its_channel(store: Store) -> None:
    session = await started(Table(store, [COUNTING]), goal=2)
    state, _ = COUNTING.apply(session.state, "add.2", 0)
    await store.save(session.id, Turn(1, 0, "add.2"), COUNTING.encode(state))
    assert (await Table(store, [COUNTING]).open("counting", CHANNEL, BEN, {})).is_lobby


async def test_an_apprentice_whose_turn_was_cut_off_goes_on(store: Store) -> None:
    session = await started(Table(store, [COUNTING]), goal=1000)
    first = session.seats[0]
    await store.update(session.id, seats=(Seat(first.user, first.name, apprentice=True), session.seats[1]))
    session = await Table(store, [COUNTING]).get(session.id)
    assert (session.to_move, session.version) == (1, 2)


# When things fail ------------------------------------------------------------------------------------


class FailingStore(MemoryStore):
    """Fails to save the versions named, before or after having saved them, and to make changes."""

    def __init__(self) -> None:
        super().__init__()
        self.fails_before: set[int] = set()
        self.cancels_after: set[int] = set()
        self.fails_updates = False

    async def save(self, game: int, turn: Turn, state: bytes) -> None:
        if turn.version in self.fails_before:
            raise DatabaseUnusable("the disk is full")
        await super().save(game, turn, state)
        if turn.version in self.cancels_after:
            raise asyncio.CancelledError

    async def update(self, game: int, revision: int | None = None, **fields: Any) -> None:
        if self.fails_updates:
            raise DatabaseUnusable("the disk is full")
        await super().update(game, revision, **fields)


async def test_a_move_that_could_not_be_saved_has_not_happened() -> None:
    store = FailingStore()
    table = Table(store, [COUNTING])
    session = await started(table)
    store.fails_before = {1}
    with pytest.raises(StoreError):
        await act(table, session, "add.1")
    assert await table.get(session.id) == session
    store.fails_before = set()
    assert total(await act(table, session, "add.2")) == 2


async def test_who_sits_where_is_noted_of_the_start_that_was_saved() -> None:
    """The seats are drawn at each start, so one that was not saved must leave nothing of its own."""
    store = FailingStore()
    table = Table(store, [COUNTING])
    game = await lobby(table, BEN, CAT)
    store.fails_before = {0}
    for _ in range(8):
        with pytest.raises(StoreError):
            await table.start(game, ANN.user)
    store.fails_before = set()
    await table.leave(game, CAT.user)
    session = await table.start(game, ANN.user)
    sat = await store.sat(game)
    assert sat == {await table.mark(one.user): seat for seat, one in enumerate(session.seats)}


async def test_a_change_that_could_not_be_saved_has_not_happened() -> None:
    store = FailingStore()
    table = Table(store, [COUNTING])
    session = await started(table)
    store.fails_updates = True
    for call in (table.cancel(session.id, 99, moderator=True), table.concede(session.id, ANN.user)):
        with pytest.raises(StoreError):
            await call
    assert await table.get(session.id) == session


async def test_a_caller_who_is_cancelled_while_saving_leaves_the_table_as_the_store_has_it() -> None:
    store = FailingStore()
    table = Table(store, [COUNTING])
    session = await started(table)
    store.cancels_after = {1}
    with pytest.raises(asyncio.CancelledError):
        await act(table, session, "add.2")
    assert ((await table.get(session.id)).version, total(await table.get(session.id))) == (1, 2)


async def test_a_move_counts_though_the_apprentice_could_not_be_saved_and_it_tries_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FailingStore()
    table = Table(store, [COUNTING])
    session = await started(table, goal=1000)
    session = await table.concede(session.id, session.seats[1].user)
    store.fails_before = {4}
    session = await act(table, session, "add.2", "pass")
    assert (session.version, session.to_move) == (3, 1)
    assert "could not go on" in caplog.text
    assert f"game={session.id} version=" in caplog.text
    assert (await table.get(session.id)).version == 3
    store.fails_before = set()
    assert (await table.get(session.id)).to_move == 0


async def test_a_move_counts_though_that_somebody_is_back_could_not_be_saved() -> None:
    store = FailingStore()
    session = await started(Table(store, [COUNTING]))
    seats = tuple(msgspec.structs.replace(one, missed=1) for one in session.seats)
    await store.update(session.id, seats=seats)
    table = Table(store, [COUNTING])
    store.fails_updates = True
    assert (await act(table, session, "add.1")).version == 1
    store.fails_updates = False
    session = await act(table, await table.get(session.id), "add.1")
    assert session.seats[0].missed == 0


async def test_a_broken_apprentice_does_not_keep_a_game_from_being_cancelled(store: Store) -> None:
    def choose(view: object, legal: object) -> str:
        raise ZeroDivisionError

    table = Table(store, [replace(COUNTING, choose=choose)])
    session = await started(table)
    session = await table.concede(session.id, mover(session))
    assert session.version == 0
    assert (await table.get(session.id)).version == 0
    host = session.record.host
    assert (await table.cancel(session.id, host)).record.finished == CANCELLED


async def test_a_move_counts_though_the_end_could_not_be_saved_and_the_end_comes_later() -> None:
    store = FailingStore()
    table = Table(store, [COUNTING])
    session = await started(table, goal=2)
    store.fails_updates = True
    session = await act(table, session, "add.2")
    assert (session.version, session.to_move) == (1, None)
    store.fails_updates = False
    assert (await table.get(session.id)).record.finished == OVER


@pytest.mark.parametrize("garbage", [b"", b"{}", b"\xff\x00", b'{"seats": "many"}'])
async def test_a_game_whose_state_is_garbage_is_closed_and_others_go_on(store: Store, garbage: bytes) -> None:
    await started(Table(store, [COUNTING]), channel=6, goal=1000)
    broken = await started(Table(store, [COUNTING]))
    await store.save(broken.id, Turn(1, 0, "add.1"), garbage)
    table = Table(store, [COUNTING])
    for _ in range(2):
        with pytest.raises(UnreadableGame, match="closed"):
            await table.get(broken.id)
    record = await store.find(broken.id)
    assert record
    assert record.finished == UNREADABLE
    assert await store.state(broken.id, 1) == garbage, "it is kept for whoever mends it"
    with pytest.raises(NoGame):
        await table.at(CHANNEL)
    assert total(await act(table, await table.at(6), "add.1")) == 1


async def test_a_channel_of_an_unreadable_game_can_be_used_again_at_once(store: Store) -> None:
    broken = await started(Table(store, [COUNTING]))
    await store.save(broken.id, Turn(1, 0, "add.1"), b"garbage")
    session = await Table(store, [COUNTING]).open("counting", CHANNEL, BEN, {})
    assert session.is_lobby


async def test_a_game_of_a_kind_that_is_no_longer_there_is_closed(store: Store) -> None:
    session = await started(Table(store, [COUNTING]))
    table = Table(store, [])
    with pytest.raises(UnreadableGame, match="counting"):
        await table.get(session.id)
    with pytest.raises(NoGame):
        await table.at(CHANNEL)


async def test_a_damaged_row_closes_its_game_alone(path: Path) -> None:
    async with open_store(path) as store:
        table = Table(store, [COUNTING])
        broken = await started(table)
        healthy = await started(table, channel=6)
        await store._db.execute_fetchall("UPDATE game SET seats = '{' WHERE id = ?", (broken.id,))
        table = Table(store, [COUNTING])
        assert await table.get(healthy.id) == healthy
        with pytest.raises(UnreadableGame):
            await table.at(CHANNEL)
        assert (await table.open("counting", CHANNEL, ANN, {})).is_lobby


@pytest.mark.parametrize(
    "garbage",
    [
        "UPDATE game SET seats = '[]' WHERE id = ?",
        "UPDATE turn SET action = 'undo.99' WHERE game = ? AND version = 1",
        "UPDATE turn SET action = 'undo.x' WHERE game = ? AND version = 1",
    ],
)
async def test_rows_that_contradict_each_other_close_their_game(
    path: Path, garbage: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_store(path) as store:
        session = await act(Table(store, [COUNTING]), await started(Table(store, [COUNTING])), "add.1")
        await store._db.execute_fetchall(garbage, (session.id,))
        with pytest.raises(UnreadableGame):
            await Table(store, [COUNTING]).get(session.id)
        assert f"game={session.id} version=- channel={CHANNEL} cannot be read" in caplog.text
        assert (await Table(store, [COUNTING]).open("counting", CHANNEL, ANN, {})).is_lobby


async def test_an_order_or_a_last_action_that_is_garbage_does_not_keep_a_game_from_going_on(
    path: Path,
) -> None:
    async with open_store(path) as store:
        session = await act(Table(store, [COUNTING]), await started(Table(store, [COUNTING])), "add.1")
        await store._db.execute_fetchall("INSERT INTO ahead VALUES (?, 1, '', '{')", (session.id,))
        await store._db.execute_fetchall("UPDATE turn SET action = 'x' WHERE version = 1")
        table = Table(store, [COUNTING])
        session = await table.get(session.id)
        assert session.to_move is not None
        assert not await table.can_undo(session, session.to_move)
        assert await table.slip(session, session.to_move) is None
        assert (await act(table, session, "pass")).version == 2


# Memory ----------------------------------------------------------------------------------------------


async def test_what_is_kept_in_memory_is_bounded_and_what_is_not_is_read_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.table, "CACHED", 3)
    played = Table(store, [COUNTING])
    sessions = [await act(played, await started(played, channel=channel), "add.1") for channel in range(6)]
    assert list(played._cache) == [session.id for session in sessions[3:]]
    assert await played.get(sessions[3].id) is sessions[3]
    assert await played.get(sessions[0].id) == sessions[0]
    assert list(played._cache) == [sessions[5].id, sessions[3].id, sessions[0].id]
    after = await asyncio.gather(*(act(played, session, "add.1", "pass") for session in sessions))
    assert [session.version for session in after] == [3] * 6
    assert len(played._cache) == 3


async def test_no_lock_outlives_its_use(table: Table) -> None:
    session = await started(table)
    for _ in range(3):
        with contextlib.suppress(TableError):
            await table.act(session.id, CAT.user, 0, "add.1")
        with contextlib.suppress(TableError):
            await table.get(99)
    assert len(table._locks) == 0


# Looking back ----------------------------------------------------------------------------------------


async def test_what_happened_is_told_from_any_turn_on_without_what_was_taken_back(table: Table) -> None:
    session = await act(table, await started(table, goal=1000), "add.1", "add.2")
    session = await table.undo(session.id, mover(session), 2)
    session = await act(table, session, "add.1", "pass", "add.2")
    told = await table.happened(session, 1)
    assert [event for _, events in told for event in events] == [
        "0 counted to 1",
        "0 counted to 2",
        "0 passed",
        "1 counted to 4",
    ]
    assert [turn for turn, _ in told] == list(session.line[1:])
    assert [turn.action for turn, _ in await table.happened(session, 3)] == ["pass", "add.2"]
    assert await table.happened(session, 0) == told
    assert await table.happened(session, 5) == []
    assert await table.happened(session, 99) == []


async def test_what_happened_is_told_of_a_finished_game_and_after_a_restart(store: Store) -> None:
    table = Table(store, [COUNTING])
    session = await act(table, await started(table, goal=4), "add.2", "pass", "add.2")
    for looking in (table, Table(store, [COUNTING])):
        session = await looking.get(session.id)
        assert [events for _, events in await looking.happened(session, 2)] == [
            ("0 passed",),
            ("1 counted to 4",),
        ]
        assert len(await looking.happened(session, 1)) == 3


async def test_nothing_has_happened_in_a_lobby_or_at_the_start(table: Table) -> None:
    game = await lobby(table, BEN)
    assert await table.happened(await table.get(game), 0) == []
    assert await table.happened(await table.start(game, ANN.user), 0) == []


async def test_where_the_rules_have_changed_as_much_is_told_as_they_can_follow(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table(store, [COUNTING])
    session = await act(table, await started(table, goal=1000), "add.1", "add.2", "pass")

    def apply(state: Any, action: str, seat: int) -> Any:
        if action == "add.2":
            raise Refused("not any more")
        return COUNTING.apply(state, action, seat)

    table = Table(store, [replace(COUNTING, apply=apply)])
    session = await table.get(session.id)
    assert [events for _, events in await table.happened(session, 1)] == [("0 counted to 1",)]
    assert [events for _, events in await table.happened(session, 3)] == [("0 passed",)]
    assert "told in part only" in caplog.text
    assert total(await act(table, session, "add.1")) == 4, "a game in play goes on from its stored state"


async def test_a_finished_game_can_be_replayed_from_its_first_state_and_its_line(store: Store) -> None:
    table = Table(store, [COUNTING])
    session = await act(table, await started(table, goal=5), "add.1", "add.1")
    session = await table.undo(session.id, mover(session), 2)
    session = await act(table, session, "pass", "add.2", "add.2")
    assert session.record.finished == OVER
    table = Table(store, [COUNTING])
    session = await table.get(session.id)
    state = await table.first_state(session)
    for turn in session.line[1:]:
        assert turn.action is not None
        assert turn.seat is not None
        state, _ = COUNTING.apply(state, turn.action, turn.seat)
    assert state == session.state


async def test_the_first_state_of_a_live_game_is_for_nobody(table: Table) -> None:
    with pytest.raises(NotOver):
        await table.first_state(await started(table))


async def test_a_closed_lobby_has_no_first_state(table: Table) -> None:
    game = await lobby(table)
    with pytest.raises(NotStarted):
        await table.first_state(await table.cancel(game, ANN.user))
    assert (await table.get(game)).record.finished == CANCELLED


async def test_a_persons_name_follows_what_they_are_called(table: Table, store: Store) -> None:
    session = await started(table, BEN, CAT)
    assert await table.keep_name(CHANNEL, BEN.user, "Ben") is None
    assert await table.keep_name(CHANNEL, DAN.user, "Dan") is None
    assert await table.keep_name(CHANNEL + 1, BEN.user, "Benjamin") is None
    assert await table.keep_name(CHANNEL, BEN.user, "Benjamin") == session.id
    fresh = await Table(store, [COUNTING], now=lambda: 0.0).at(CHANNEL)
    assert sorted(one.name for one in fresh.seats) == ["Ann", "Benjamin", "Cat"]
    assert fresh.version == session.version
    later = Table(store, [COUNTING], now=lambda: 0.0)
    assert await later.keep_name(CHANNEL, BEN.user, "Bob") == session.id, "also before it is in memory"
    await later.cancel(session.id, DAN.user, moderator=True)
    assert await later.keep_name(CHANNEL, BEN.user, "Ben") is None, "what is over stays as it was"
