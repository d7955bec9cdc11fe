"""What every store must do: run on the one of the bot and on one in memory."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from table.errors import ChannelBusy, Stale
from table.standings import SOLO
from table.store import (
    ABANDONED,
    CANCELLED,
    OVER,
    UNDO,
    UNREADABLE,
    Posting,
    Record,
    Result,
    Seat,
    Store,
    Turn,
)

ANN, BEN = Seat(11, "Ann"), Seat(22, "Ben")


def record(channel: int = 5, host: Seat = ANN) -> Record:
    return Record(
        channel=channel, kind="counting", host=host.user, seats=(host,), options={"goal": 3}, locale="de"
    )


async def played(store: Store, versions: int = 5) -> int:
    """A game with so many versions; the state of each says which it is of."""
    game = await store.create(record())
    await store.save(game, Turn(0, None, None), b"state 0")
    for version in range(1, versions):
        await store.save(game, Turn(version, 0, "add.1"), f"state {version}".encode())
    return game


async def test_a_game_is_found_as_it_was_created(store: Store) -> None:
    game = await store.create(record())
    assert await store.find(game) == msgspec.structs.replace(record(), id=game)


async def test_what_is_not_there_is_none(store: Store) -> None:
    assert await store.find(99) is None
    assert await store.turns(99) == []
    assert await store.state(99, 0) is None
    assert await store.live() == []


async def test_fields_change_by_themselves(store: Store) -> None:
    game = await store.create(record())
    seats = (ANN, Seat(22, 'B "en" \N{SNOWMAN}', apprentice=True))
    await store.update(game, seats=seats, host=22)
    await store.update(game, message=2**63 - 1)
    expected = msgspec.structs.replace(record(), id=game, seats=seats, host=22, message=2**63 - 1, revision=2)
    assert await store.find(game) == expected


async def test_live_games_by_id_and_by_channel(store: Store) -> None:
    first, second, third = [await store.create(record(channel)) for channel in (7, 6, 5)]
    await store.update(second, finished=CANCELLED)
    assert [one.id for one in await store.live()] == [first, third]
    assert [one.id for one in await store.live(5)] == [third]
    assert await store.live(6) == []


async def test_a_channel_has_one_live_game(store: Store) -> None:
    game = await store.create(record())
    with pytest.raises(ChannelBusy):
        await store.create(record(host=BEN))
    await store.update(game, finished=OVER)
    assert await store.create(record(host=BEN)) != game


async def test_of_many_created_at_once_in_a_channel_one_is(store: Store) -> None:
    results = await asyncio.gather(*(store.create(record()) for _ in range(20)), return_exceptions=True)
    assert sum(isinstance(result, int) for result in results) == 1
    assert sum(isinstance(result, ChannelBusy) for result in results) == 19


async def test_turns_and_their_states_come_back(store: Store) -> None:
    game = await store.create(record())
    turns = [Turn(0, None, None), Turn(1, 1, "add.2"), Turn(2, 1, UNDO)]
    for turn in turns:
        await store.save(game, turn, bytes([turn.version, 0, 255]))
    assert await store.turns(game) == turns
    assert [await store.state(game, version) for version in range(4)] == [
        b"\x00\x00\xff",
        b"\x01\x00\xff",
        b"\x02\x00\xff",
        None,
    ]


async def test_a_version_is_saved_once(store: Store) -> None:
    game = await played(store)
    with pytest.raises(Stale):
        await store.save(game, Turn(3, 1, "pass"), b"another")
    assert (await store.turns(game))[3] == Turn(3, 0, "add.1")
    assert await store.state(game, 3) == b"state 3"


async def test_of_many_saves_of_one_version_one_wins(store: Store) -> None:
    game = await played(store, versions=1)
    saves = [store.save(game, Turn(1, seat, "add.1"), f"by {seat}".encode()) for seat in range(50)]
    results = await asyncio.gather(*saves, return_exceptions=True)
    assert results.count(None) == 1
    assert sum(isinstance(result, Stale) for result in results) == 49
    winner = results.index(None)
    assert (await store.turns(game))[1:] == [Turn(1, winner, "add.1")]
    assert await store.state(game, 1) == f"by {winner}".encode()


@pytest.mark.parametrize("ending", [OVER, ABANDONED, CANCELLED])
async def test_a_finished_game_keeps_its_actions_and_its_first_and_last_state(
    store: Store, ending: str
) -> None:
    game = await played(store)
    turns = await store.turns(game)
    await store.update(game, finished=ending)
    assert await store.turns(game) == turns
    states = [await store.state(game, version) for version in range(5)]
    assert states == [b"state 0", None, None, None, b"state 4"]


async def test_a_finished_game_of_one_state_keeps_it(store: Store) -> None:
    game = await played(store, versions=1)
    await store.update(game, finished=CANCELLED)
    assert await store.state(game, 0) == b"state 0"


async def test_the_states_of_other_games_stay(store: Store) -> None:
    game = await played(store)
    other = await store.create(record(channel=6))
    for version in range(3):
        await store.save(other, Turn(version, None, None), b"other")
    await store.update(game, finished=OVER)
    assert [await store.state(other, version) for version in range(3)] == [b"other"] * 3


async def test_an_unreadable_game_is_kept_whole(store: Store) -> None:
    game = await played(store)
    await store.update(game, finished=UNREADABLE)
    assert [await store.state(game, version) for version in (1, 2, 3)] == [b"state 1", b"state 2", b"state 3"]
    assert await store.live() == []


async def test_other_changes_drop_no_state(store: Store) -> None:
    game = await played(store)
    await store.update(game, message=1, seats=(ANN, BEN))
    assert await store.state(game, 2) == b"state 2"


async def test_a_result_is_kept_once(store: Store) -> None:
    game = await played(store)
    assert await store.result(game) is None
    result = Result(game, 7, 5.0, (ANN,), ({"points": 3, "seasons": {"winter": 2}},))
    await store.update(game, finished=OVER, result=result)
    await store.record(msgspec.structs.replace(result, at=9.0))
    assert await store.result(game) == result
    assert await store.unrecorded() == []
    standing = await store.standing(7, SOLO, ANN.user)
    assert standing is not None
    assert (standing.games, standing.best, standing.figures.sums["seasons.winter"]) == (1, 3, 2)


async def test_a_game_that_was_played_out_is_untold_until_its_newest_version_was_told(store: Store) -> None:
    game = await played(store, versions=2)
    await store.save(game, Turn(2, 0, "add.1", at=50.0), b"state 2")
    await store.update(game, told=1)
    assert await store.untold(0.0) == []
    await store.update(game, finished=OVER)
    assert [await store.untold(since) for since in (50.0, 50.1)] == [[game], []]
    await store.update(game, told=2)
    assert await store.untold(0.0) == []


async def test_a_post_is_under_way_until_the_message_of_its_game_changes(store: Store) -> None:
    game, other = [await store.create(record(channel)) for channel in (5, 6)]
    first = Posting(game, 5, "11", 1.5)
    await store.begin_posting(first)
    await store.begin_posting(Posting(game, 5, "22", 2.5))
    assert await store.posting(game) == first, "a second try is of the first one's post"
    await store.begin_posting(Posting(other, 6, "33", 3.5))
    await store.update(other, host=22)
    assert [one.game for one in await store.postings()] == [game, other]
    await store.update(game, message=7)
    assert await store.posting(game) is None
    await store.end_posting(other)
    assert await store.postings() == []
