"""Forgetting a person: nothing of them is left in any file, whatever goes on meanwhile."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import struct
from collections.abc import Coroutine
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

import table.store
from table.errors import StoreError, TableError
from table.store import Held, Preferences, Record, Result, Seat, SQLiteStore, Store, Turn, open_store
from table.table import Table
from tests.table.conftest import second_connection
from tests.table.counting import COUNTING
from tests.table.memory import MemoryStore

#: IDs as large as Discord's, some of which SQLite keeps in six bytes; and names that no other text holds.
PEOPLE = [
    Seat(80351110224678912 + 977 * number if number % 2 else 7_031_111_022_467 + number, f"Zoë {number}北")
    for number in range(8)
]


def spellings(person: Seat) -> list[bytes]:
    """How a person can stand in a file: the ID as text, and as SQLite spells numbers; the name."""
    return [
        str(person.user).encode(),
        struct.pack(">q", person.user),
        struct.pack(">q", person.user)[2:],
        varint(person.user),
        person.name.encode(),
        person.name.encode("utf-16-le"),
    ]


def varint(number: int) -> bytes:
    """A number of fewer than 57 bits as SQLite writes the number of a row."""
    parts = [number & 0x7F]
    while number := number >> 7:
        parts.append(number & 0x7F | 0x80)
    return bytes(reversed(parts))


def traces(folder: Path, person: Seat) -> list[tuple[str, bytes]]:
    return [
        (file.name, spelling)
        for file in sorted(folder.iterdir())
        if file.is_file()
        for spelling in spellings(person)
        if spelling in file.read_bytes()
    ]


async def a_life(store: SQLiteStore, chance: random.Random) -> None:
    """Games of all kinds with much coming and going, results, choices and tries."""
    tables = Table(store, [COUNTING])
    game = 0
    for channel in range(60):
        people = chance.sample(PEOPLE, 3)
        with suppress(TableError):
            game = (await tables.open("counting", channel, people[0], {"goal": 3})).id
            for one in people[1:]:
                await tables.join(game, one)
            if channel % 3:
                session = await tables.start(game, people[0].user, seed=channel)
                with suppress(TableError):
                    await tables.ask_friend(game, people[0].user, chance.choice(PEOPLE).user)
                if channel % 3 == 1:
                    await store.record(Result(game, 7, 1.0, session.seats, ({"points": 1},)))
                    await store.update(game, finished="over")
    for one in PEOPLE * 3:
        await store.prefer(one.user, Preferences("dm", zone="Asia/Tokyo" * chance.randrange(40)))
        await store.hold(Held(game, one.user, 5.0))
        await store.attempt(f"word {chance.random()}", one.user, f"{chance.random()}", game)
    for number in range(2_000):  # so that the tables are trees of several pages
        await store.prefer(number, Preferences())


@pytest.mark.parametrize("seed", range(3))
async def test_no_file_holds_a_trace_of_who_is_forgotten(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    async with open_store(path) as store:
        await a_life(store, chance)
        for person in chance.sample(PEOPLE, 4):
            assert traces(path.parent, person)
            await Table(store, [COUNTING]).forget(person.user)
            assert traces(path.parent, person) == []
        stays = [one for one in PEOPLE if await store.live_of(one.user)]
        assert all(traces(path.parent, one) for one in stays)
        assert stays


async def test_an_older_database_is_written_anew_once_for_it_holds_what_was_deleted(path: Path) -> None:
    gone = PEOPLE[1]
    async with open_store(path) as store:
        await a_life(store, random.Random(0))
    with closing(sqlite3.connect(path, isolation_level=None)) as older:
        older.execute("PRAGMA secure_delete = OFF")
        older.execute("INSERT INTO forgotten (user) VALUES (?)", (gone.user,))
        older.execute("PRAGMA application_id = 0")
    assert traces(path.parent, gone)
    async with open_store(path) as store:
        assert traces(path.parent, gone) == []
        assert len(await store.live()) > 10


async def test_a_reader_keeps_the_log_but_holds_up_nobody(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(table.store, "CUT_AGAIN_AFTER", (0.0, 0.0))
    person = PEOPLE[1]
    async with open_store(path) as store:
        await store.prefer(person.user, Preferences())
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM preference").fetchall()
            async with asyncio.timeout(2):
                await store.forget(person.user)
        assert "reads the database" in caplog.text
        await store.forget(person.user)
        assert traces(path.parent, person) == []


# Meanwhile -------------------------------------------------------------------------------------------

ANN, BEN, CAT = PEOPLE[:3]


async def ghosts(store: Store, user: int) -> list[Record]:
    """Live games in which somebody sits who is nobody, or is still known."""
    return [
        one
        for one in await store.live()
        if user in (one.host, *(seat.user for seat in one.seats))
        or any(seat.user == 0 and not seat.apprentice for seat in one.seats)
    ]


async def later(work: Coroutine[Any, Any, Any], steps: int) -> None:
    for _ in range(steps):
        await asyncio.sleep(0)
    with suppress(TableError, StoreError):
        await work


async def at_once_with_forgetting(store: Store, tables: list[Table], chance: random.Random) -> None:
    """Sit down in every way while being forgotten; forgetting again undoes what came after."""
    first, other = tables[0], tables[-1]
    lobby = (await first.open("counting", 1, BEN, {})).id
    waiting = (await first.open("counting", 2, BEN, {})).id
    await first.join(waiting, ANN)
    begun = (await first.open("counting", 3, BEN, {})).id
    await first.join(begun, CAT)
    begun = (await first.start(begun, BEN.user)).id
    await first.concede(begun, CAT.user)
    seat = (await first.get(begun)).free[0]
    asked = (await first.open("counting", 4, BEN, {})).id
    await first.join(asked, CAT)
    await first.start(asked, BEN.user)
    await first.ask_friend(asked, BEN.user, ANN.user)
    works = [
        other.join(lobby, ANN),
        other.join(waiting, CAT),
        other.take_over(begun, seat, ANN),
        other.answer_friend(asked, BEN.user, ANN, yes=True),
        other.open("counting", 5, ANN, {}),
        other.start(waiting, BEN.user),
        first.get(waiting),
    ]
    chance.shuffle(works)
    await asyncio.gather(
        later(first.forget(ANN.user), chance.randrange(30)),
        *(later(work, chance.randrange(30)) for work in works),
    )
    for one in await store.live():
        seated = [seat for seat in one.seats if not seat.apprentice]
        assert seated
        assert one.host in [seat.user for seat in seated]
        assert 0 not in [seat.user for seat in seated]
        for shown in (Table(store, [COUNTING]), *tables):
            with suppress(TableError):
                assert (await shown.get(one.id)).seats == one.seats
    await first.forget(ANN.user)
    assert await ghosts(store, ANN.user) == []
    for shown in tables[:1]:
        for one in await store.live():
            assert ANN.user not in [seat.user for seat in (await shown.get(one.id)).seats]


@pytest.mark.parametrize("seed", range(40))
async def test_whoever_sits_down_while_being_forgotten_leaves_no_ghost(seed: int) -> None:
    store = MemoryStore()
    await at_once_with_forgetting(store, [Table(store, [COUNTING])], random.Random(seed))


@pytest.mark.parametrize("seed", range(40))
async def test_nor_in_the_database(path: Path, seed: int) -> None:
    async with open_store(path) as store:
        await at_once_with_forgetting(store, [Table(store, [COUNTING])], random.Random(seed))


@pytest.mark.parametrize("seed", range(20))
async def test_nor_where_two_tables_share_the_database(path: Path, seed: int) -> None:
    async with open_store(path) as store, second_connection(path) as second:
        tables = [Table(store, [COUNTING]), Table(second, [COUNTING])]
        await ghosts_of_two(store, tables, random.Random(seed))


async def ghosts_of_two(store: Store, tables: list[Table], chance: random.Random) -> None:
    """The other table may still show what it had in memory; but it saves nothing of it."""
    first, other = tables
    games = [(await first.open("counting", channel, BEN, {})).id for channel in range(4)]
    for game in games[:2]:
        await first.join(game, ANN)
    for game in games:
        await other.get(game)
    works = [other.join(game, one) for game in games for one in (ANN, CAT)]
    works += [other.leave(game, BEN.user) for game in games[1:3]]
    chance.shuffle(works)
    await asyncio.gather(
        later(first.forget(ANN.user), chance.randrange(30)),
        *(later(work, chance.randrange(30)) for work in works),
    )
    for one in await store.live():  # one that nobody is left in ends when it is looked at
        with suppress(TableError):
            await Table(store, [COUNTING]).get(one.id)
    for one in await store.live():
        assert one.seats
        assert one.host in [seat.user for seat in one.seats]
        assert 0 not in [seat.user for seat in one.seats]
    await first.forget(ANN.user)
    for game in games:
        with suppress(TableError):
            await other.leave(game, CAT.user)
    assert await ghosts(store, ANN.user) == []


async def test_a_change_of_what_has_changed_since_is_refused(store: Store) -> None:
    game = await store.create(Record(channel=1, kind="counting", host=11, seats=(BEN,)))
    await store.update(game, 0, message=5)
    with pytest.raises(TableError):
        await store.update(game, 0, message=6)
    found = await store.find(game)
    assert found
    assert (found.message, found.revision) == (5, 1)


async def test_nobody_plays_in_more_games_than_one_may_whoever_gives_the_seats(path: Path) -> None:
    async with open_store(path) as store, second_connection(path) as second:
        lobbies = [
            await store.create(Record(channel=channel, kind="counting", host=BEN.user + channel, seats=()))
            for channel in range(40)
        ]
        gives = [
            one.update(game, seats=(ANN,))
            for number, game in enumerate(lobbies)
            for one in ((store, second)[number % 2],)
        ]
        refused = [one for one in await asyncio.gather(*gives, return_exceptions=True) if one]
        assert len(await store.live_of(ANN.user)) == table.store.MAX_SEATS
        assert {type(one).__name__ for one in refused} == {"TooManyGames"}
        with pytest.raises(TableError):
            await store.create(Record(channel=99, kind="counting", host=ANN.user, seats=(ANN,)))
        # Who plays already may go on, and the apprentice's seats do not count.
        game = (await store.live_of(ANN.user))[0].id
        await store.update(game, seats=(Seat(ANN.user, "Ann", apprentice=True),))
        await store.create(Record(channel=99, kind="counting", host=ANN.user, seats=(ANN,)))
        assert len(await store.live_of(ANN.user)) == table.store.MAX_SEATS + 1


# Damaged rows ----------------------------------------------------------------------------------------


async def test_a_damaged_row_spoils_itself_alone_and_is_named_once(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_store(path) as store:
        games = [
            await store.create(Record(channel=channel, kind="counting", host=BEN.user, seats=(BEN,)))
            for channel in range(6)
        ]
        for game in games:
            await store.save(game, Turn(0, None, None), b"")
            await store.record(Result(game, 7, float(game), (BEN,), ({"points": 1},)))
        await store.prefer(BEN.user, Preferences("dm"))
        damage = [
            ("seats", "["),
            ("seats", b"\xff"),
            ("facts", '{"points": 7}'),
            ("at", "yesterday"),
            ("facts", "CAST(x'ff5b' AS TEXT)"),
        ]
        for game, (column, garbage) in zip(games, damage, strict=False):
            value = garbage if str(garbage).startswith("CAST") else "?"
            given = () if value != "?" else (garbage,)
            await store._db.execute_fetchall(
                f"UPDATE result SET {column} = {value} WHERE game = {game}", given
            )
        await store._db.execute_fetchall("UPDATE preference SET choices = '{\"quiet\": 7}'")
        for _ in range(3):
            assert [game for game in games if await store.result(game)] == games[5:]
            assert await store.preferences(BEN.user) == Preferences()
        assert caplog.text.count("damaged row of result") == 5
        assert caplog.text.count("damaged row of preference") == 1


async def test_text_that_is_no_text_hides_no_other_game(path: Path) -> None:
    async with open_store(path) as store:
        games = [
            await store.create(Record(channel=channel, kind="counting", host=BEN.user, seats=(BEN,)))
            for channel in range(3)
        ]
        for column in ("seats", "options", "locale", "deadline"):
            await store._db.execute_fetchall(
                f"UPDATE game SET {column} = CAST(x'c3285b' AS TEXT) WHERE id = {games[1]}"
            )
        assert [one.id for one in await store.live()] == games
        assert [one.id for one in await store.live_of(BEN.user)] == [games[0], games[2]]
        assert await store.due(1e12) == []
        assert await store.next_due(0.0) is None
        await store.forget(BEN.user)
        assert len(await store.live()) == 3


async def test_what_goes_on_in_a_game_of_theirs_is_not_refused_by_forgetting(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = Table(store, [COUNTING])
    game = (await tables.open("counting", 1, BEN, {})).id
    await tables.join(game, ANN)
    update, begun = store.update, asyncio.Event()

    async def slow(*given: Any, **fields: Any) -> None:
        begun.set()
        await asyncio.sleep(0.05)
        await update(*given, **fields)

    monkeypatch.setattr(store, "update", slow)
    joining = asyncio.create_task(tables.join(game, CAT))
    await begun.wait()
    forgetting = asyncio.create_task(tables.forget(ANN.user))
    showing = asyncio.create_task(tables.set_message(game, 7))
    await asyncio.gather(joining, forgetting, showing)
    session = await tables.get(game)
    assert (session.record.message, session.seats) == (7, (BEN, CAT))


async def test_who_could_not_sit_down_has_seen_no_cards(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = Table(store, [COUNTING])
    game = (await tables.open("counting", 1, BEN, {})).id
    await tables.join(game, CAT)
    await tables.start(game, BEN.user)
    seat = (await tables.concede(game, CAT.user)).free[0]
    update = store.update

    async def full(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(store, "update", full)
    with pytest.raises(StoreError):
        await tables.take_over(game, seat, ANN)
    monkeypatch.setattr(store, "update", update)
    assert await tables.mark(ANN.user) not in await store.sat(game)
    # Once they sit there, where they sit is noted at the latest when the game is read again.
    add_sat = store.add_sat
    monkeypatch.setattr(store, "add_sat", full)
    assert (await tables.take_over(game, seat, ANN)).seat_of(ANN.user) == seat
    monkeypatch.setattr(store, "add_sat", add_sat)
    await tables.get(game)
    assert (await store.sat(game))[await tables.mark(ANN.user)] == seat
