"""The clock, free seats, asking each other: with the tiny game and the time moved by hand, on each store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.errors import (
    AlreadyAsked,
    AlreadySeated,
    Away,
    CannotUndo,
    NoAsk,
    NotAsked,
    NotHost,
    NoTimeLimit,
    NotSeated,
    NotYet,
    OrderLapsed,
    SeatTaken,
    Stale,
)
from table.game import Shown
from table.pace import ABSENCE, BEAT, DAY, GAP, HOUR, MISSED_LIMIT, Due, Span, after
from table.store import ABANDONED, APPRENTICE, EXPIRED, ORDER, Store
from table.table import Session, Table
from tests.table.counting import COUNTING
from tests.table.test_table import ANN, BEN, CAT, DAN, lobby, mover, started

#: The tiny game, in which adding reveals nothing, and a waiting seat may order what to add.
ASKING = replace(
    COUNTING,
    shown=lambda before, action, after: Shown.NOTHING,
    ends=("pass",),
    ahead=lambda state, seat: ("add.1", "add.2") if seat != state.seat else (),
    situation=lambda state: str(state.total // 4),
)


class Clock:
    """The time, moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def timed(store: Store, clock: Clock) -> Table:
    return Table(store, [ASKING], now=clock)


async def paced(table: Table, *others: object) -> Session:
    return await started(table, *(others or (BEN,)), pace="day", goal=60)  # type: ignore[arg-type]


async def turn(table: Table, session: Session, *codes: str) -> Session:
    for code in codes or ("add.1", "pass"):
        session = await table.act(session.id, mover(session), session.version, code)
    return session


def waiting(session: Session) -> int:
    """Somebody who is not to move."""
    return next(one.user for number, one in enumerate(session.seats) if number != session.to_move)


# The clock -------------------------------------------------------------------------------------------


async def test_each_moment_of_a_turn_is_due_once_and_in_its_order(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed)
    assert await store.next_due(0.0) == 1000 + DAY / 2
    assert (await timed.clock(session.id))[1] is None
    for at, due in ((DAY / 2, Due.REMIND), (DAY, Due.LATE), (2 * DAY, Due.MOVE_ON)):
        clock.now = 1000 + at
        assert (await timed.clock(session.id))[1] is due
        assert (await timed.clock(session.id))[1] is None, "and not again"
    session = await timed.get(session.id)
    assert session.line[-1].maker == APPRENTICE
    assert session.began == clock.now


async def test_what_fell_due_while_nobody_looked_is_the_last_of_it_alone(timed: Table, clock: Clock) -> None:
    session = await paced(timed)
    clock.now += 1.2 * DAY
    assert (await timed.clock(session.id))[1] is Due.LATE
    assert (await timed.clock(session.id))[1] is None


async def test_a_clock_that_is_put_back_takes_nothing_from_the_turns_after_it(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed)
    clock.now += DAY
    assert (await timed.clock(session.id))[1] is Due.LATE
    clock.now = began = 500.0
    session = await turn(timed, session)
    assert not session.late
    assert await store.next_due(0.0) == began + DAY / 2
    for at, due in ((DAY / 2, Due.REMIND), (DAY, Due.LATE)):
        clock.now = began + at
        assert (await timed.clock(session.id))[1] is due
    assert (await timed.get(session.id)).late


async def test_moving_within_the_turn_changes_no_deadline_and_the_next_turn_has_its_own(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed)
    clock.now += DAY / 4
    session = await turn(timed, session, "add.1")
    assert session.deadline == 1000 + DAY
    session = await turn(timed, session, "pass")
    assert session.deadline == clock.now + DAY
    assert await store.next_due(0.0) == clock.now + DAY / 2
    fresh = Table(store, [ASKING], now=clock)
    assert (await fresh.get(session.id)).deadline == session.deadline


#: The tiny game, in which the first seat has every turn.
ALONE = replace(
    ASKING, new=lambda seed, seats, options: COUNTING.new(seed, 1, options), ends=frozenset({"pass"})
)


async def test_who_has_two_turns_one_after_the_other_has_all_the_time_for_each(
    store: Store, clock: Clock
) -> None:
    table = Table(store, [ALONE], now=clock)
    session = await paced(table)
    assert await table.tell(session.id)
    clock.now += 0.9 * DAY
    session = await turn(table, session)
    assert session.to_move == 0
    assert session.deadline == clock.now + DAY
    assert await store.next_due(0.0) == clock.now + DAY / 2
    assert session.goes_on, "and knows it"
    fresh = await Table(store, [ALONE], now=clock).get(session.id)
    assert (fresh.deadline, fresh.since, fresh.goes_on) == (session.deadline, session.since, True)
    session = await turn(table, session, "add.1")
    assert not session.goes_on
    assert session.deadline == fresh.deadline


async def test_the_apprentice_plays_the_turn_that_was_missed_and_not_the_next_one(
    store: Store, clock: Clock
) -> None:
    table = Table(store, [ALONE], now=clock)
    session = await paced(table)
    clock.now += 2 * DAY
    session, due = await table.clock(session.id)
    assert due is Due.MOVE_ON
    assert [one.action for one in session.line] == [None, "add.1", "pass"]
    assert session.seats[0].missed == 1
    assert session.deadline == clock.now + DAY
    assert not session.goes_on, "whose turn was played has yet to be told of the next"


async def test_a_turn_that_is_given_back_has_its_time_anew_after_a_restart_too(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed, BEN)
    user = mover(session)
    session = await timed.concede(session.id, waiting(session))
    session = await turn(timed, session)
    clock.now += DAY / 4
    session = await timed.ask_undo(session.id, user, session.version)
    assert session.deadline == clock.now + DAY
    assert (await Table(store, [ASKING], now=clock).get(session.id)).deadline == session.deadline
    assert not session.goes_on


# Time in which nobody could play ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stops", "at"),
    [
        ((), 110.0),
        (((0.0, 50.0),), 110.0),
        (((90.0, 103.0),), 113.0),
        (((103.0, 104.0), (105.0, 107.0)), 113.0),
        (((103.0, 107.0), (105.0, 106.0), (106.0, 108.0)), 115.0),
        (((110.0, 200.0),), 110.0),
        (((109.0, 200.0), (200.0, 300.0)), 301.0),
    ],
)
def test_a_clock_that_stands_still_at_times_needs_so_much_longer(stops: tuple[Span, ...], at: float) -> None:
    assert after(100.0, 10.0, stops) == at
    assert after(100.0, 10.0, reversed(stops)) == at


async def down(table: Table, store: Store, clock: Clock, seconds: float) -> Table:
    """The table of the next process, so long after this one was killed."""
    await table.beat(note=True)
    clock.now += seconds
    fresh = Table(store, [*table._games.values()], now=clock)
    await fresh.beat()
    return fresh


@pytest.mark.parametrize("before", [0.0, 0.4, 0.6, 0.9])
async def test_who_is_to_move_has_the_rest_of_their_time_after_the_bot_was_down(
    timed: Table, store: Store, clock: Clock, before: float
) -> None:
    session = await paced(timed)
    due = [Due.REMIND] if before < 0.5 else []
    clock.now += before * DAY
    await timed.clock(session.id)
    table = await down(timed, store, clock, 30 * DAY)
    session = await table.get(session.id)
    assert session.deadline == pytest.approx(clock.now + (1 - before) * DAY)
    assert (await table.clock(session.id))[1] is None, "nothing fell due meanwhile"
    with pytest.raises(NotYet):
        await table.move_on(session.id, waiting(session), session.version)
    for share, what in ((0.5, Due.REMIND), (1, Due.LATE), (2, Due.MOVE_ON)):
        if what not in due and what is Due.REMIND:
            continue
        at = clock.now + (share - before) * DAY
        clock.now, back = at - 1, clock.now
        assert (await table.clock(session.id))[1] is None
        clock.now = at + 1
        assert (await table.clock(session.id))[1] is what
        clock.now = back
    assert (await table.get(session.id)).seats[session.to_move or 0].missed == 1


async def test_what_fell_due_before_the_bot_went_down_is_not_done_again(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed)
    clock.now += 1.5 * DAY
    assert (await timed.clock(session.id))[1] is Due.LATE
    table = await down(timed, store, clock, DAY)
    session, due = await table.clock(session.id)
    assert (due, session.late) == (None, True)
    clock.now += 0.5 * DAY - 1
    assert (await table.clock(session.id))[1] is None
    clock.now += 2
    assert (await table.clock(session.id))[1] is Due.MOVE_ON


async def test_a_killed_bot_counts_from_its_last_sign_of_life_and_every_fall_counts(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed)
    table, deadline = timed, session.deadline or 0.0
    for _ in range(5):
        await table.beat(note=True)
        clock.now += 40  # it goes on for so long, and is killed
        table = await down(Table(store, [ASKING], now=clock), store, clock, 3600)
        deadline += 3600 + 40
    assert (await table.get(session.id)).deadline == pytest.approx(deadline)


async def test_with_two_turns_by_the_same_seat_the_outage_belongs_to_the_first(
    store: Store, clock: Clock
) -> None:
    table = Table(store, [ALONE], now=clock)
    session = await paced(table)
    clock.now += DAY / 4
    table = await down(table, store, clock, 3 * DAY)
    session = await table.get(session.id)
    assert session.deadline == clock.now + 0.75 * DAY
    session = await turn(table, session)
    assert session.to_move == 0
    assert session.deadline == clock.now + DAY
    assert (await Table(store, [ALONE], now=clock).get(session.id)).deadline == session.deadline


async def test_while_the_bot_runs_a_long_silence_counts_and_a_short_one_does_not(
    timed: Table, store: Store, clock: Clock
) -> None:
    timed.gap = GAP
    session = await paced(timed)
    assert not await timed.beat()
    for _ in range(3):
        clock.now += GAP
        assert not await timed.beat()
    assert session.deadline == (await timed.get(session.id)).deadline
    # The computer sleeps, its clock jumps ahead, or the gateway is lost.
    clock.now += 2 * DAY
    with pytest.raises(NotYet):  # the first press may come before anything else
        await timed.move_on(session.id, waiting(session), session.version)
    assert (await timed.get(session.id)).deadline == (session.deadline or 0.0) + 2 * DAY
    assert not await timed.beat()
    clock.now += 2 * DAY
    assert await timed.beat()
    assert (await timed.clock(session.id))[1] is None


async def test_a_clock_that_jumps_ahead_and_is_put_back_leaves_the_rest_of_the_time(
    timed: Table, store: Store, clock: Clock
) -> None:
    timed.gap = GAP
    session = await paced(timed)
    await timed.beat()
    clock.now += HOUR
    await timed.beat(note=True)
    really = clock.now
    clock.now += 365 * DAY
    assert await timed.beat()
    clock.now = really + GAP + 1
    assert not await timed.beat()
    left = (await timed.get(session.id)).deadline or 0.0
    assert DAY - 2 * HOUR <= left - clock.now <= DAY
    clock.now = really - 5 * DAY  # and further back than the turn began
    table = Table(store, [ASKING], now=clock)
    assert not await table.beat()
    assert (await table.clock(session.id))[1] is None


async def test_a_lobby_is_open_for_as_long_as_people_can_join(
    timed: Table, store: Store, clock: Clock
) -> None:
    game = await lobby(timed, BEN)
    clock.now += HOUR / 2
    table = await down(timed, store, clock, 3 * DAY)
    assert (await table.clock(game))[1] is None
    with pytest.raises(NotHost):  # whose hour is not over
        await table.start(game, BEN.user)
    clock.now += DAY - HOUR
    assert (await table.clock(game))[1] is None
    assert not await table.beat()
    table.gap = GAP
    clock.now += HOUR  # asleep
    assert await table.beat()
    assert (await table.clock(game))[1] is None
    clock.now += HOUR / 2
    assert (await table.clock(game))[1] is Due.CLOSE


async def test_a_sign_of_life_is_written_once_a_minute(timed: Table, store: Store, clock: Clock) -> None:
    for second in range(600):
        clock.now = 1000.0 + second
        await timed.beat()
        assert clock.now - (await store.seen() or 0.0) < BEAT
    written = {await store.seen()}
    clock.now += 1
    await timed.beat(note=True)
    assert await store.seen() not in written


async def test_before_the_deadline_nobody_is_moved_on(timed: Table, clock: Clock) -> None:
    session = await paced(timed)
    with pytest.raises(NotYet):
        await timed.move_on(session.id, waiting(session), session.version)
    clock.now += DAY
    with pytest.raises(NotSeated):
        await timed.move_on(session.id, CAT.user, session.version)
    with pytest.raises(Stale):
        await timed.move_on(session.id, waiting(session), session.version + 1)
    seat = session.to_move
    session = await timed.move_on(session.id, waiting(session), session.version)
    assert session.to_move != seat
    assert session.seats[seat or 0].missed == 1


async def test_missed_turns_in_a_row_free_the_seat_and_an_own_move_starts_the_count_anew(
    timed: Table, clock: Clock
) -> None:
    session = await paced(timed)
    away, seat = mover(session), session.to_move
    assert seat is not None
    for missed in range(1, MISSED_LIMIT):
        clock.now += 2 * DAY
        session, _ = await timed.clock(session.id)
        assert session.seats[seat].missed == missed
        session = await turn(timed, session)
    session = await turn(timed, session)
    assert session.seats[seat].missed == 0
    session = await turn(timed, session)
    for _ in range(MISSED_LIMIT):
        assert not session.free
        assert mover(session) == away
        clock.now += 2 * DAY
        session, _ = await timed.clock(session.id)
        if session.seats[session.to_move or 0].user != away:
            session = await turn(timed, session)
    assert session.free == (seat,)
    session = await timed.take_over(session.id, seat, next(one for one in (ANN, BEN) if one.user == away))
    assert not session.free
    assert session.seats[seat].missed == 0


async def test_who_is_away_is_told_so_whatever_they_do_at_the_table(timed: Table, clock: Clock) -> None:
    session = await paced(timed, BEN, CAT)
    away = mover(session)
    for _ in range(MISSED_LIMIT):
        clock.now += 2 * DAY
        session, _ = await timed.clock(session.id)
        while session.to_move != 0 and not session.free:
            session = await turn(timed, session)
    other = mover(session)
    doings = (
        lambda: timed.act(session.id, away, session.version, "add.1"),
        lambda: timed.ask_friend(session.id, away, DAN.user),
        lambda: timed.answer_undo(session.id, away, session.version, other, True),
    )
    for doing in doings:
        with pytest.raises(Away):
            await doing()


async def test_an_order_that_is_done_is_no_missed_turn(timed: Table, clock: Clock) -> None:
    session = await paced(timed)
    seat = session.to_move
    assert seat is not None
    clock.now += 2 * DAY
    session, _ = await timed.clock(session.id)
    assert session.seats[seat].missed == 1
    situation = session.game.situation(session.state)
    await timed.order(session.id, session.seats[seat].user, situation, ["add.1"])
    session = await turn(timed, session)
    assert session.line[-1].maker == ORDER
    assert session.seats[seat].missed == 0


async def test_when_everybody_misses_their_turns_the_game_is_abandoned(timed: Table, clock: Clock) -> None:
    session = await paced(timed)
    for _ in range(2 * MISSED_LIMIT):
        clock.now += 2 * DAY
        session, _ = await timed.clock(session.id)
    assert session.record.finished == ABANDONED
    assert (await timed.clock(session.id))[1] is None


async def test_a_lobby_closes_by_itself_and_not_before(timed: Table, clock: Clock) -> None:
    game = await lobby(timed, BEN)
    clock.now += DAY - 1
    assert (await timed.clock(game))[1] is None
    clock.now += 1
    session, due = await timed.clock(game)
    assert (session.record.finished, due) == (EXPIRED, Due.CLOSE)


async def test_when_the_host_is_away_another_who_sits_there_starts_and_is_host(
    timed: Table, clock: Clock
) -> None:
    game = await lobby(timed, BEN)
    clock.now += HOUR - 1
    with pytest.raises(NotHost):
        await timed.start(game, BEN.user)
    clock.now += 1
    with pytest.raises(NotHost):
        await timed.start(game, CAT.user)
    session = await timed.start(game, BEN.user)
    assert session.record.host == BEN.user


async def test_who_is_to_move_is_told_once_for_each_turn(timed: Table, store: Store, clock: Clock) -> None:
    session = await paced(timed)
    assert [await timed.tell(session.id) for _ in range(2)] == [True, False]
    session = await turn(timed, session, "add.1")
    assert not await timed.tell(session.id)
    session = await turn(timed, session, "pass")
    assert await timed.tell(session.id)
    assert not await Table(store, [ASKING], now=clock).tell(session.id)


# Seats -----------------------------------------------------------------------------------------------


async def test_only_a_free_seat_is_taken_and_nobody_plays_two(timed: Table) -> None:
    session = await paced(timed, BEN, CAT)
    with pytest.raises(SeatTaken):
        await timed.take_over(session.id, 0, DAN)
    session = await timed.concede(session.id, BEN.user)
    (seat,) = session.free
    with pytest.raises(AlreadySeated):
        await timed.take_over(session.id, seat, CAT)
    with pytest.raises(SeatTaken):  # who left for good does not come back
        await timed.take_over(session.id, seat, BEN)
    session = await timed.take_over(session.id, seat, DAN)
    assert session.seats[seat].user == DAN.user


async def test_who_takes_a_seat_over_inherits_no_order(timed: Table, store: Store) -> None:
    session = await paced(timed, BEN, CAT)
    user = waiting(session)
    seat = session.seat_of(user)
    assert seat is not None
    await timed.order(session.id, user, "0", ["add.2"])
    await timed.concede(session.id, user)
    session = await timed.take_over(session.id, seat, DAN)
    assert timed.ordered(session, seat) == ()
    assert await store.orders(session.id) == {}


async def test_a_friend_who_was_asked_sits_down_and_nobody_else(timed: Table) -> None:
    session = await paced(timed, BEN)
    seat = session.seat_of(BEN.user)
    with pytest.raises(AlreadySeated):
        await timed.ask_friend(session.id, BEN.user, ANN.user)
    await timed.ask_friend(session.id, BEN.user, CAT.user)
    for person in (DAN, ANN, BEN):
        with pytest.raises(NotAsked):
            await timed.answer_friend(session.id, BEN.user, person, True)
    session = await timed.answer_friend(session.id, BEN.user, CAT, True)
    assert session.seat_of(CAT.user) == seat
    assert session.seat_of(BEN.user) is None
    assert session.record.asks == ()
    with pytest.raises(NoAsk):
        await timed.answer_friend(session.id, BEN.user, CAT, True)


async def test_a_friend_may_say_no_and_who_asked_may_take_it_back(timed: Table) -> None:
    session = await paced(timed, BEN)
    for person in (BEN, CAT):
        await timed.ask_friend(session.id, BEN.user, CAT.user)
        session = await timed.answer_friend(session.id, BEN.user, person, False)
        assert session.record.asks == ()
        assert session.seat_of(BEN.user) is not None


# Orders and slips ------------------------------------------------------------------------------------


async def test_an_order_runs_when_the_turn_comes_and_lapses_with_its_situation(timed: Table) -> None:
    session = await paced(timed)
    user, seat = waiting(session), 1 - (session.to_move or 0)
    with pytest.raises(OrderLapsed):
        await timed.order(session.id, user, "7", ["add.2"])
    with pytest.raises(OrderLapsed):
        await timed.order(session.id, mover(session), "0", ["add.2"])
    await timed.order(session.id, user, "0", ["add.2"])
    session = await turn(timed, session)
    assert (session.line[-1].maker, session.line[-1].action, session.line[-1].seat) == (ORDER, "add.2", seat)
    # It is gone: to withdraw it, late, is no mistake.
    assert (await timed.order(session.id, user, "0", ())).version == session.version
    session = await turn(timed, session, "pass", "add.1", "pass")
    assert session.line[-1].maker is None, "it ran once"
    session = await turn(timed, session)
    user = waiting(session)
    await timed.order(session.id, user, timed._games["counting"].situation(session.state), ["add.2"])
    session = await turn(timed, session, "add.2", "add.2", "pass")
    assert session.line[-1].action == "pass", "four more were added since"


async def test_a_slip_is_taken_back_when_all_others_allow_it(timed: Table, store: Store) -> None:
    session = await paced(timed, BEN, CAT)
    user, seat = mover(session), session.to_move
    assert seat is not None
    session = await turn(timed, session, "add.1", "pass", "add.2")
    assert await timed.slip(session, seat) == 2
    with pytest.raises(Stale):
        await timed.ask_undo(session.id, user, session.version - 1)
    session = await timed.ask_undo(session.id, user, session.version)
    others = [one.user for one in session.seats if one.user != user]
    with pytest.raises(NotAsked):
        await timed.answer_undo(session.id, user, session.version, user, True)
    with pytest.raises(NotSeated):
        await timed.answer_undo(session.id, DAN.user, session.version, user, True)
    session = await timed.answer_undo(session.id, others[0], session.version, user, True)
    assert session.to_move != seat
    session = await timed.answer_undo(session.id, others[1], session.version, user, True)
    assert (session.to_move, session.state.total) == (seat, 1)
    assert [one.action for one in session.line] == [None, "add.1"]
    assert (await Table(store, [ASKING]).get(session.id)).state == session.state


async def test_a_slip_is_taken_back_when_who_had_yet_to_allow_it_leaves(timed: Table) -> None:
    session = await paced(timed, BEN, CAT)
    user, seat = mover(session), session.to_move
    session = await turn(timed, session)
    session = await timed.ask_undo(session.id, user, session.version)
    first, second = (one.user for one in session.seats if one.user != user)
    session = await timed.answer_undo(session.id, first, session.version, user, True)
    assert session.to_move != seat
    session = await timed.concede(session.id, second)
    assert (session.to_move, session.line[-1].action) == (seat, "add.1")
    assert session.record.asks == ()


async def test_of_two_slips_the_one_is_taken_back_that_all_who_are_left_allow(timed: Table) -> None:
    session = await paced(timed, BEN, CAT)
    first, seat = mover(session), 1 - (session.to_move or 0)
    session = await timed.ask_undo(session.id, first, (await turn(timed, session)).version)
    second = mover(session)
    session = await timed.ask_undo(session.id, second, (await turn(timed, session)).version)
    assert (session.to_move, seat) == (2, 1)
    await timed.answer_undo(session.id, first, session.version, second, True)
    session = await timed.concede(session.id, mover(session))
    assert (session.to_move, session.line[-1].action) == (seat, "add.1")
    assert session.record.asks == ()


async def test_a_slip_is_taken_back_when_who_had_yet_to_allow_it_misses_too_many_turns(
    timed: Table, clock: Clock
) -> None:
    session = await paced(timed, BEN, CAT)
    for _ in range(MISSED_LIMIT - 1):
        session = await turn(timed, await turn(timed, session))
        clock.now += 2 * DAY
        session, _ = await timed.clock(session.id)
    session = await turn(timed, session)
    user, seat = mover(session), session.to_move
    session = await turn(timed, session)
    session = await timed.ask_undo(session.id, user, session.version)
    await timed.answer_undo(session.id, session.seats[0].user, session.version, user, True)
    clock.now += 2 * DAY
    session, _ = await timed.clock(session.id)
    assert session.free == (2,)
    assert (session.to_move, session.line[-1].action) == (seat, "add.1")


async def test_a_question_that_a_restart_came_before_is_asked_again_and_keeps_who_agreed(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed, BEN, CAT)
    user = mover(session)
    session = await turn(timed, session)
    session = await timed.ask_undo(session.id, user, session.version)
    first, second = (one.user for one in session.seats if one.user != user)
    await timed.answer_undo(session.id, first, session.version, user, True)
    fresh = Table(store, [ASKING], now=clock)
    session = await fresh.ask_undo(session.id, user, session.version)
    (ask,) = session.record.asks
    assert (ask.allowed, ask.message) == ((first,), None), "nobody may have been told of it"
    await fresh.set_question(session.id, ask, 77)
    with pytest.raises(AlreadyAsked):
        await fresh.ask_undo(session.id, user, session.version)
    session = await fresh.answer_undo(session.id, second, session.version, user, True)
    assert (mover(session), session.record.asks) == (user, ())


async def test_who_asks_two_things_withdraws_only_the_one_that_nobody_could_be_told_of(timed: Table) -> None:
    session = await paced(timed)
    user = mover(session)
    session = await timed.ask_friend(session.id, user, CAT.user)
    (friend,) = session.record.asks
    session = await turn(timed, session)
    session = await timed.ask_undo(session.id, user, session.version)
    await timed.unask(session.id, friend)
    (left,) = (await timed.get(session.id)).record.asks
    assert (left.user, left.friend) == (user, None)


async def test_one_refusal_settles_it_and_a_later_move_makes_it_impossible(timed: Table) -> None:
    session = await paced(timed)
    user = mover(session)
    session = await turn(timed, session)
    other = mover(session)
    await timed.ask_undo(session.id, user, session.version)
    await timed.answer_undo(session.id, other, session.version, user, False)
    with pytest.raises(NoAsk):
        await timed.answer_undo(session.id, other, session.version, user, True)
    session = await timed.ask_undo(session.id, user, session.version)
    session = await turn(timed, session)
    session = await turn(timed, session, "add.1")
    with pytest.raises(NoAsk):
        await timed.answer_undo(session.id, other, session.version, user, True)


async def test_past_something_revealed_nothing_is_asked_back(store: Store) -> None:
    table = Table(store, [replace(ASKING, shown=COUNTING.shown)])
    session = await started(table, goal=60)
    user = mover(session)
    session = await turn(table, session)
    assert await table.slip(session, session.seat_of(user) or 0) is None
    with pytest.raises(CannotUndo):
        await table.ask_undo(session.id, user, session.version)


async def test_where_nobody_else_is_left_a_slip_is_taken_back_at_once(timed: Table) -> None:
    session = await paced(timed)
    user = mover(session)
    session = await timed.concede(session.id, waiting(session))
    session = await turn(timed, session)
    assert mover(session) == user, "the apprentice has played"
    session = await timed.ask_undo(session.id, user, session.version)
    assert session.state.total == 1


# Away, on purpose --------------------------------------------------------------------------------------


async def test_while_somebody_is_away_the_clock_of_their_turns_stands_still_in_all_their_games(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed)
    user, other = mover(session), waiting(session)
    clock.now += DAY / 4
    games = await timed.set_absence(user, clock.now + 10 * DAY)
    assert games == [session.id]
    left = clock.now + 10 * DAY + 0.75 * DAY
    for table in (timed, Table(store, [ASKING], now=clock)):
        session = await table.get(session.id)
        assert session.deadline == left
        assert session.absent == ((session.to_move, clock.now + 10 * DAY),)
    assert await store.next_due(0.0) == left - DAY / 2
    clock.now += 9 * DAY
    assert (await timed.clock(session.id))[1] is None
    with pytest.raises(NotYet):
        await timed.move_on(session.id, other, session.version)
    # A move is possible, and ends nothing; the other's turn has its own time.
    session = await turn(timed, session)
    assert session.deadline == clock.now + DAY
    assert timed.absent_until(user)
    session = await turn(timed, session)
    assert session.deadline == clock.now + 2 * DAY
    clock.now += 3.5 * DAY
    session, due = await timed.clock(session.id)
    assert (due, session.absent) == (Due.MOVE_ON, ())


async def test_who_comes_back_earlier_has_the_rest_of_their_time_from_then_on(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed)
    user = mover(session)
    await timed.set_absence(user, clock.now + 10 * DAY)
    clock.now += 2 * DAY
    assert await timed.set_absence(user, None) == [session.id]
    assert timed.absent_until(user) is None
    for table in (timed, Table(store, [ASKING], now=clock)):
        assert (await table.get(session.id)).deadline == clock.now + DAY
    assert await store.next_due(0.0) == clock.now + DAY / 2
    clock.now += DAY / 2
    assert (await timed.clock(session.id))[1] is Due.REMIND


async def test_an_absence_of_one_is_none_of_another_and_helps_no_turn_that_is_late(
    timed: Table, clock: Clock
) -> None:
    session = await paced(timed)
    deadline = session.deadline
    await timed.set_absence(waiting(session), clock.now + DAY)
    assert (await timed.get(session.id)).deadline == deadline
    clock.now += 1.5 * DAY
    assert (await timed.clock(session.id))[1] is Due.LATE
    await timed.set_absence(mover(session), clock.now + DAY)
    session = await timed.get(session.id)
    assert session.late
    assert session.deadline == deadline
    assert (await timed.move_on(session.id, waiting(session), session.version)).to_move != session.to_move


async def test_nobody_holds_the_others_up_for_longer_than_thirty_of_ninety_days(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed)
    user, began = mover(session), clock.now
    for _ in range(60):
        await timed.set_absence(user, clock.now + 365 * DAY)
        clock.now += DAY
    assert (await timed.get(session.id)).deadline == began + ABSENCE + DAY
    assert await timed.longest_absence(user) == clock.now
    clock.now += 40 * DAY
    assert await timed.longest_absence(user) == clock.now + 10 * DAY


async def test_neither_a_restart_nor_being_forgotten_gives_anybody_more_absence(
    timed: Table, store: Store, clock: Clock
) -> None:
    await timed.set_absence(ANN.user, clock.now + 20 * DAY)
    clock.now += 20 * DAY
    await timed.set_absence(ANN.user, clock.now + 5 * DAY)
    await timed.forget(ANN.user)
    assert timed.absent_until(ANN.user) is None
    for table in (timed, Table(store, [ASKING], now=clock)):
        assert await table.longest_absence(ANN.user) == clock.now + 10 * DAY
        assert await table.longest_absence(BEN.user) == clock.now + 30 * DAY


async def test_an_outage_within_an_absence_counts_once(timed: Table, store: Store, clock: Clock) -> None:
    session = await paced(timed)
    until = clock.now + 10 * DAY
    await timed.set_absence(mover(session), until)
    clock.now += 2 * DAY
    table = await down(timed, store, clock, 4 * DAY)
    assert (await table.get(session.id)).deadline == until + DAY
    table = await down(table, store, clock, 6 * DAY)
    assert (await table.get(session.id)).deadline == clock.now + DAY


async def test_who_sits_down_for_somebody_who_is_away_has_what_was_left_of_the_turn(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed)
    user = mover(session)
    clock.now += DAY / 4
    await timed.set_absence(user, clock.now + 20 * DAY)
    clock.now += 5 * DAY
    await timed.ask_friend(session.id, user, CAT.user)
    session = await timed.answer_friend(session.id, user, CAT, True)
    assert mover(session) == CAT.user
    for table in (timed, Table(store, [ASKING], now=clock)):
        assert (await table.get(session.id)).deadline == clock.now + 0.75 * DAY


# A pause -----------------------------------------------------------------------------------------------


async def test_a_game_is_paused_when_everybody_who_sits_there_wants_it_and_nobody_is_moved_on(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed, BEN, CAT)
    users = [one.user for one in session.seats]
    clock.now += DAY / 4
    for user in (users[0], users[0], users[1]):  # one person's consent counts once
        session = await timed.pause(session.id, user)
        assert session.paused is None
    with pytest.raises(NotSeated):
        await timed.pause(session.id, DAN.user)
    session = await timed.pause(session.id, users[2])
    until = clock.now + 30 * DAY
    for table in (timed, Table(store, [ASKING], now=clock)):
        session = await table.get(session.id)
        assert (session.paused, session.pausing, session.deadline) == (until, (), until + 0.75 * DAY)
    clock.now += 29 * DAY
    assert (await timed.clock(session.id))[1] is None
    with pytest.raises(NotYet):
        await timed.move_on(session.id, waiting(session), session.version)
    clock.now = until
    session = await timed.get(session.id)
    assert session.paused is None, "it goes on by itself"
    clock.now += DAY
    assert (await timed.clock(session.id))[1] is Due.LATE


async def test_a_move_ends_a_pause_and_the_wish_for_one_and_so_does_anybody_who_goes_on(
    timed: Table, clock: Clock
) -> None:
    session = await paced(timed)
    for _ in range(2):
        for user in (ANN.user, BEN.user):
            session = await timed.pause(session.id, user)
        assert session.paused
        clock.now += 5 * DAY
        session = await turn(timed, session)
        assert session.paused is None
        assert session.deadline == clock.now + DAY
    session = await timed.pause(session.id, waiting(session))
    assert session.pausing == (session.seat_of(waiting(session)),)
    session = await turn(timed, session, "add.1")
    assert session.pausing == ()
    deadline = session.deadline or 0.0
    for user in (ANN.user, BEN.user):
        session = await timed.pause(session.id, user)
    clock.now += 3 * DAY
    with pytest.raises(NotSeated):
        await timed.go_on(session.id, CAT.user)
    session = await timed.go_on(session.id, waiting(session))
    assert (session.paused, session.deadline) == (None, deadline + 3 * DAY)


async def test_a_newcomer_has_not_consented_to_a_pause(timed: Table, clock: Clock) -> None:
    session = await paced(timed)
    await timed.pause(session.id, BEN.user)
    await timed.ask_friend(session.id, BEN.user, CAT.user)
    await timed.answer_friend(session.id, BEN.user, CAT, True)
    session = await timed.pause(session.id, ANN.user)
    assert session.paused is None
    assert (await timed.pause(session.id, CAT.user)).paused


async def test_a_late_turn_waits_while_the_game_is_paused_and_without_a_limit_there_is_no_pause(
    timed: Table, clock: Clock
) -> None:
    session = await paced(timed)
    clock.now += DAY
    session, _ = await timed.clock(session.id)
    assert session.late
    for user in (ANN.user, BEN.user):
        session = await timed.pause(session.id, user)
    assert not session.late
    with pytest.raises(NotYet):
        await timed.move_on(session.id, waiting(session), session.version)
    clock.now += 10 * DAY
    assert (await timed.clock(session.id))[1] is None
    assert (await timed.go_on(session.id, ANN.user)).late
    unlimited = await started(timed, BEN, channel=9, goal=60)
    with pytest.raises(NoTimeLimit):
        await timed.pause(unlimited.id, ANN.user)


@pytest.mark.parametrize("way", ["concede", "forget", "missed"])
async def test_a_game_is_paused_when_the_last_person_who_had_not_agreed_leaves(
    timed: Table, clock: Clock, way: str
) -> None:
    session = await paced(timed, BEN, CAT)
    gone = session.seats[session.to_move or 0].user
    if way == "missed":
        for _ in range(MISSED_LIMIT - 1):
            clock.now = (await timed.get(session.id)).began + 2 * DAY
            session, _ = await timed.clock(session.id)
            while session.seats[session.to_move or 0].user != gone:
                session = await turn(timed, session)
    for one in session.seats:
        if one.user != gone:
            session = await timed.pause(session.id, one.user)
    assert session.paused is None
    if way == "concede":
        await timed.concede(session.id, gone)
    elif way == "forget":
        await timed.forget(gone)
    else:
        clock.now = session.began + 2 * DAY
        await timed.clock(session.id)
    session = await timed.get(session.id)
    assert len(session.free) == 1
    assert (session.paused, session.pausing) == (clock.now + 30 * DAY, ())


async def test_the_first_press_after_a_crash_moves_no_turn_on_that_has_time_left(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed)
    await timed.beat()
    clock.now += DAY / 2
    await timed.beat()
    clock.now += 5 * DAY
    anew = Table(store, [ASKING], now=clock)
    with pytest.raises(NotYet):
        await anew.move_on(session.id, waiting(session), session.version)
    clock.now += DAY / 2
    assert (await anew.move_on(session.id, waiting(session), session.version)).version > session.version
