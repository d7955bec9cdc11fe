"""What every store must do for the clock, for orders and for people's preferences."""

from __future__ import annotations

from table.store import CANCELLED, Ahead, Held, Preferences, Store, Turn
from tests.table.test_store import played, record


async def test_games_are_due_from_their_deadline_on_and_the_earliest_first(store: Store) -> None:
    first, second, third = [await store.create(record(channel)) for channel in (5, 6, 7)]
    await store.update(first, deadline=20.0)
    await store.update(second, deadline=10.0)
    assert await store.due(9.9) == []
    assert [one.game for one in await store.due(20.0)] == [second, first]
    assert await store.next_due(0.0) == 10.0
    assert await store.next_due(10.0) == 20.0
    assert await store.next_due(20.0) is None
    await store.update(second, finished=CANCELLED)
    assert [one.game for one in await store.due(99.0)] == [first]
    assert (await store.find(third) or record()).deadline is None


async def test_a_held_notice_is_due_too_and_one_for_each_person_and_game(store: Store) -> None:
    game = await store.create(record())
    await store.hold(Held(game, 11, 50.0))
    await store.hold(Held(game, 11, 60.0))
    await store.hold(Held(game, 22, 70.0))
    assert await store.next_due(0.0) == 60.0
    assert await store.held(65.0) == [Held(game, 11, 60.0)]
    await store.release(game, 11)
    assert await store.held(99.0) == [Held(game, 22, 70.0)]


async def test_a_seat_has_one_order(store: Store) -> None:
    game = await store.create(record())
    await store.order(game, 1, Ahead("1-1", ("stay",)))
    await store.order(game, 1, Ahead("1-2", ("take.2", "stay")))
    assert await store.orders(game) == {1: Ahead("1-2", ("take.2", "stay"))}
    await store.order(game, 1, None)
    assert await store.orders(game) == {}


async def test_preferences_are_kept_and_forgotten(store: Store) -> None:
    chosen = Preferences("dm", (1320, 420), "Europe/Berlin", (3, 4))
    await store.prefer(11, chosen)
    assert await store.preferences(11) == chosen
    assert await store.preferences(22) == Preferences()
    await store.prefer(11, None)
    assert await store.preferences(11) == Preferences()


async def test_a_turn_tells_when_it_was_and_who_made_it(store: Store) -> None:
    game = await played(store, versions=1)
    turn = Turn(1, 0, "add.1", 1767225600.25, "apprentice")
    await store.save(game, turn, b"state")
    assert (await store.turns(game))[1] == turn


async def test_a_store_keeps_the_first_application_whose_games_it_has(store: Store) -> None:
    assert await store.application() is None
    await store.keep_application(5)
    await store.keep_application(6)
    assert await store.application() == 5
