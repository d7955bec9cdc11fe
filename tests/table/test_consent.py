"""Questions, consent and who has sat where: with the tiny game and the time moved by hand, on each store."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from table.errors import (
    AlreadyAsked,
    AlreadySeated,
    NoAsk,
    NotYet,
    RefusedBefore,
    SeatTaken,
    TableError,
    TooSoon,
)
from table.pace import DAY, MISSED_LIMIT
from table.store import Ask, Mention, Question, Seat, Store, open_store
from table.table import ASKED_AGAIN, Session, Table
from tests.table.test_clock import ASKING, Clock, paced, turn, waiting
from tests.table.test_table import ANN, BEN, CAT, DAN, mover, started

EVE = Seat(55, "Eve")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def timed(store: Store, clock: Clock) -> Table:
    return Table(store, [ASKING], now=clock)


async def asked(timed: Table, *people: Seat) -> tuple[Session, int, list[int]]:
    """A game in which somebody asks their turn back: it, who asks, and the others."""
    session = await paced(timed, *people)
    user = mover(session)
    session = await turn(timed, session)
    session = await timed.ask_undo(session.id, user, session.version)
    return session, user, [one.user for one in session.seats if one.user != user]


# Consent -----------------------------------------------------------------------------------------------


async def test_the_consent_of_one_person_counts_once(timed: Table) -> None:
    """However often they say yes, from whatever seat."""
    session, user, (first, second) = await asked(timed, BEN, CAT)
    for _ in range(3):
        session = await timed.answer_undo(session.id, first, session.version, user, True)
        assert session.line[-1].action == "pass"
    session = await timed.answer_undo(session.id, second, session.version, user, True)
    assert session.line[-1].action == "add.1"


async def test_a_newcomer_has_consented_to_nothing(timed: Table) -> None:
    session, user, (first, second) = await asked(timed, BEN, CAT)
    await timed.answer_undo(session.id, first, session.version, user, True)
    await timed.ask_friend(session.id, first, DAN.user)
    session = await timed.answer_friend(session.id, first, DAN, True)
    assert session.record.asks[0].allowed == ()
    session = await timed.answer_undo(session.id, second, session.version, user, True)
    assert session.line[-1].action == "pass", "dan has not been asked"
    session = await timed.answer_undo(session.id, DAN.user, session.version, user, True)
    assert session.line[-1].action == "add.1"


async def test_who_comes_back_has_consented_to_nothing(timed: Table, clock: Clock) -> None:
    """Nor does the consent of a person who left count for the seat."""
    session, user, (first, _) = await asked(timed, BEN, CAT)
    await timed.answer_undo(session.id, first, session.version, user, True)
    session = await timed.concede(session.id, first)
    session = await timed.take_over(session.id, session.free[0], DAN)
    (ask,) = session.record.asks
    assert (ask.user, ask.allowed) == (user, ())
    assert session.line[-1].action == "pass"


async def test_consent_to_an_older_question_is_none_to_a_newer_one(timed: Table) -> None:
    """The buttons of the first question are pressed when the second has been asked."""
    session, user, (other,) = await asked(timed, BEN)
    older = session.version
    session = await turn(timed, session, "add.2", "pass")
    session = await turn(timed, session, "add.1", "pass")
    session = await timed.ask_undo(session.id, user, session.version)
    with pytest.raises(NoAsk):
        await timed.answer_undo(session.id, other, older, user, True)
    session = await timed.get(session.id)
    assert [one.allowed for one in session.record.asks] == [()]
    assert session.line[-1].action == "pass"


async def test_who_asks_may_withdraw_the_question(timed: Table) -> None:
    session, user, (first, _) = await asked(timed, BEN, CAT)
    session = await timed.answer_undo(session.id, user, session.version, user, False)
    assert session.record.asks == ()
    with pytest.raises(NoAsk):
        await timed.answer_undo(session.id, first, session.version, user, True)


async def test_stored_consents_of_seats_are_no_consents_of_people(tmp_path: Path) -> None:
    """An older program kept the numbers of seats."""
    async with open_store(tmp_path / "games.sqlite3") as store:
        table = Table(store, [ASKING])
        session = await started(table, BEN, CAT, goal=60)
        old = f'[{{"user":{mover(session)},"version":1,"agreed":[0,1,2],"friend":null}}]'
        await store._db.execute_fetchall("UPDATE game SET asks = ?", (old,))
        (ask,) = (await Table(store, [ASKING]).get(session.id)).record.asks
        assert ask == Ask(mover(session), version=1)


async def test_nobody_moves_a_turn_on_before_its_time_is_over(timed: Table, clock: Clock) -> None:
    """Not at half-time, when the reminder comes, nor a second before the end."""
    session = await paced(timed, BEN)
    assert session.deadline is not None
    length = session.deadline - session.began
    for share in (0.0, length / 2, length / 2 + 1, length - 1):
        clock.now = session.began + share
        session, _ = await timed.clock(session.id)
        assert not session.late
        with pytest.raises(NotYet):
            await timed.move_on(session.id, waiting(session), session.version)
    clock.now = session.began + length
    assert (await timed.move_on(session.id, waiting(session), session.version)).line[-1].action == "pass"


async def test_an_order_is_told_to_its_own_seat_alone(timed: Table) -> None:
    session = await paced(timed, BEN, CAT)
    user = waiting(session)
    session = await timed.order(session.id, user, "0", ["add.2"])
    told = [timed.ordered(session, seat) for seat in range(3)]
    assert told.count(()) == 2
    assert told[session.seat_of(user) or 0] == ("add.2",)
    assert "add.2" not in repr(session)


# Who has sat where -------------------------------------------------------------------------------------


async def _concede(timed: Table, session: Session, user: int) -> None:
    await timed.concede(session.id, user)


async def _hand_on(timed: Table, session: Session, user: int) -> None:
    await timed.ask_friend(session.id, user, EVE.user)
    await timed.answer_friend(session.id, user, EVE, True)


async def _forget(timed: Table, session: Session, user: int) -> None:
    await timed.forget(user)


@pytest.mark.parametrize("leave", [_concede, _hand_on, _forget])
@pytest.mark.parametrize("restart", [False, True])
async def test_who_has_seen_the_cards_of_a_seat_sits_on_no_other(
    timed: Table, store: Store, leave: Callable[..., object], restart: bool
) -> None:
    """Whatever way they left, also once somebody else sits on their seat, and whatever way they come."""
    session = await paced(timed, BEN, CAT)
    seat = session.seat_of(BEN.user)
    assert seat is not None
    await leave(timed, session, BEN.user)  # type: ignore[misc]
    session = await timed.get(session.id)
    if seat in session.free:
        session = await timed.take_over(session.id, seat, DAN)
    table = Table(store, [ASKING]) if restart else timed
    await table.concede(session.id, CAT.user)
    session = await table.get(session.id)
    (free,) = session.free
    with pytest.raises(SeatTaken):
        await table.take_over(session.id, free, BEN)
    with pytest.raises(AlreadySeated):
        await table.ask_friend(session.id, ANN.user, BEN.user)
    assert BEN.user not in [one.user for one in (await table.get(session.id)).seats]


async def test_who_was_asked_before_they_sat_elsewhere_does_not_sit_down(timed: Table) -> None:
    """The question stood when they sat down on another seat, and left it."""
    session = await paced(timed, BEN, CAT)
    await timed.ask_friend(session.id, ANN.user, DAN.user)
    await timed.concede(session.id, BEN.user)
    session = await timed.take_over(session.id, (await timed.get(session.id)).free[0], DAN)
    await timed.concede(session.id, DAN.user)
    session = await timed.get(session.id)
    session = await timed.take_over(session.id, session.free[0], EVE)
    with pytest.raises(SeatTaken):
        await timed.answer_friend(session.id, ANN.user, DAN, True)


async def test_who_is_away_may_come_back_and_a_friend_may_hand_the_seat_back(
    timed: Table, clock: Clock
) -> None:
    session = await paced(timed, BEN)
    await timed.ask_friend(session.id, BEN.user, CAT.user)
    await timed.answer_friend(session.id, BEN.user, CAT, True)
    await timed.ask_friend(session.id, CAT.user, BEN.user)
    session = await timed.answer_friend(session.id, CAT.user, BEN, True)
    assert session.seat_of(BEN.user) is not None
    for _ in range(MISSED_LIMIT):
        while mover(session) != BEN.user:
            session = await turn(timed, session)
        clock.now += 2 * DAY
        session, _ = await timed.clock(session.id)
    (free,) = session.free
    session = await timed.take_over(session.id, free, BEN)
    assert session.seat_of(BEN.user) == free


async def test_a_game_of_an_older_program_knows_its_people_of_today(tmp_path: Path) -> None:
    async with open_store(tmp_path / "games.sqlite3") as store:
        session = await started(Table(store, [ASKING]), BEN, goal=60)
        await store._db.execute_fetchall("DELETE FROM sat")
        table = Table(store, [ASKING])
        await table.get(session.id)
        assert sorted((await store.sat(session.id)).values()) == [0, 1]
        await table.lose(session.record.channel)
        assert await store.sat(session.id) == {}, "it says nothing of a game that is over"


async def test_nobody_plays_two_seats_whatever_happens(store: Store) -> None:
    """Random comings and goings of six people; each is on one seat at most, ever."""
    people = [ANN, BEN, CAT, DAN, EVE, Seat(66, "Fay")]
    for seed in range(12):
        chance, clock = random.Random(seed), Clock()
        table = Table(store, [ASKING], now=clock)
        session = await paced(table, BEN, CAT)
        sat: dict[int, set[int]] = {}
        for _ in range(60):
            session = await table.get(session.id)
            if session.finished:
                break
            for number, one in enumerate(session.seats):
                if one.user and not one.apprentice:
                    sat.setdefault(one.user, set()).add(number)
            person, other = chance.sample(people, 2)
            clock.now += chance.choice([1, 700])
            try:
                match chance.randrange(5):
                    case 0:
                        await table.concede(session.id, person.user)
                    case 1:
                        await table.take_over(session.id, chance.randrange(3), person)
                    case 2:
                        await table.ask_friend(session.id, person.user, other.user)
                    case 3:
                        await table.answer_friend(session.id, person.user, other, True)
                    case _:
                        await table.forget(person.user)
            except TableError:
                pass
        assert all(len(seats) == 1 for seats in sat.values()), (seed, sat)
        if not session.finished:
            await table.lose(session.record.channel)


# Questions ---------------------------------------------------------------------------------------------


async def test_a_friend_is_mentioned_once_in_ten_minutes_however_often_they_are_asked(
    timed: Table, clock: Clock
) -> None:
    session = await paced(timed, BEN)
    for _ in range(3):
        session = await timed.ask_friend(session.id, BEN.user, CAT.user)
        assert await timed.mention(session.id, BEN.user, [CAT.user]) == [CAT.user]
        assert await timed.mention(session.id, BEN.user, [CAT.user]) == []
        await timed.answer_friend(session.id, BEN.user, BEN, False)
        with pytest.raises(TooSoon) as refused:
            await timed.ask_friend(session.id, BEN.user, CAT.user)
        assert refused.value.values == {"when": f"<t:{int(clock.now + ASKED_AGAIN)}:R>"}
        clock.now += ASKED_AGAIN
    assert await timed.mention(session.id, ANN.user, [CAT.user]) == [CAT.user], "another person asks"


async def test_the_limit_holds_across_games_restarts_and_forgetting(
    timed: Table, store: Store, clock: Clock
) -> None:
    session = await paced(timed, BEN)
    await timed.mention(session.id, BEN.user, [CAT.user])
    await timed.forget(BEN.user)
    fresh = Table(store, [ASKING], now=clock)
    await fresh.lose(session.record.channel)
    session = await paced(fresh, BEN)
    with pytest.raises(TooSoon):
        await fresh.ask_friend(session.id, BEN.user, CAT.user)
    assert await fresh.mention(session.id, BEN.user, [CAT.user]) == [], "nor by a question of another kind"
    assert await fresh.mention(session.id, BEN.user, [DAN.user]) == [DAN.user]


async def test_who_has_refused_is_not_asked_again_in_that_game(timed: Table, clock: Clock) -> None:
    session = await paced(timed, BEN)
    await timed.ask_friend(session.id, BEN.user, CAT.user)
    await timed.answer_friend(session.id, BEN.user, CAT, False)
    clock.now += 3 * ASKED_AGAIN
    with pytest.raises(RefusedBefore):
        await timed.ask_friend(session.id, BEN.user, CAT.user)
    await timed.ask_friend(session.id, BEN.user, DAN.user)


async def test_what_could_not_be_posted_counts_as_no_mention(timed: Table) -> None:
    session = await paced(timed, BEN)
    session = await timed.ask_friend(session.id, BEN.user, CAT.user)
    (ask,) = session.record.asks
    await timed.unask(session.id, ask, await timed.mention(session.id, BEN.user, [CAT.user]))
    await timed.ask_friend(session.id, BEN.user, CAT.user)


async def test_a_question_that_is_in_the_channel_is_asked_once_until_it_is_gone(timed: Table) -> None:
    session, user, _ = await asked(timed, BEN)
    (ask,) = session.record.asks
    await timed.set_question(session.id, ask, 77)
    with pytest.raises(AlreadyAsked):
        await timed.ask_undo(session.id, user, session.version)
    await timed.set_question(session.id, ask, None)
    await timed.ask_undo(session.id, user, session.version)


async def test_what_can_be_taken_back_no_more_is_dropped_and_what_can_be_stays(timed: Table) -> None:
    session, _, _ = await asked(timed, BEN)
    session = await turn(timed, session, "add.2")
    assert len((await timed.drop_moot_asks(session.id)).record.asks) == 1
    session = await turn(timed, session, "pass", "add.1")
    assert (await timed.drop_moot_asks(session.id)).record.asks == ()


async def test_a_game_that_is_over_asks_nothing(timed: Table) -> None:
    session, _, _ = await asked(timed, BEN)
    await timed.ask_friend(session.id, waiting(session), CAT.user)
    await timed.lose(session.record.channel)
    assert (await timed.drop_moot_asks(session.id)).record.asks == ()


async def test_the_store_keeps_questions_and_mentions(store: Store, timed: Table) -> None:
    game = (await paced(timed, BEN)).id
    question = Question(message=7, game=game, channel=5, mark="a", seat=1, undo=True)
    await store.add_question(question)
    await store.add_question(question)
    assert await store.questions() == await store.questions(game) == [question]
    assert await store.questions(game + 1) == []
    await store.drop_question(7)
    assert await store.questions() == []
    for at in (1.0, 2.0):
        await store.add_mention(Mention("a", "b", game, at, True))
    assert await store.mentions("a", "b") == [Mention("a", "b", game, 2.0, True)]
    assert await store.mentions("b", "a") == []
    await store.drop_mention("a", "b", game)
    assert await store.mentions("a", "b") == []


async def test_old_mentions_go_but_for_refusals_of_live_games(tmp_path: Path) -> None:
    async with open_store(tmp_path / "games.sqlite3") as store:
        table = Table(store, [ASKING])
        game = (await started(table, BEN, goal=60)).id
        await store.add_mention(Mention("a", "b", game, 1.0))
        await store.add_mention(Mention("a", "c", game, 1.0, True))
        await store.add_mention(Mention("a", "d", game, 2 * DAY))
        assert await store.mentions("a", "b") == []
        assert len(await store.mentions("a", "c")) == 1
        await table.lose((await table.get(game)).record.channel)
        await store.add_mention(Mention("a", "e", game, 2 * DAY))
        assert await store.mentions("a", "c") == []
