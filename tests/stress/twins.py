"""Positions of games played over the stand-in, and their twins: what a viewer may not know is otherwise."""

from __future__ import annotations

import itertools
import random
import re
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import msgspec

import bot
from cogs.client import Client
from cogs.controls import UNDO
from kanagawa import actions, rules
from kanagawa.cards import CARDS
from kanagawa.state import Shown, State, decode, encode
from table.store import open_store
from table.table import Session
from tests.engine.hidden import exchange, exchanged
from tests.stress.stand_in import PEOPLE, Discord

#: The clock of every game begins here, and stands still but for what moves it.
START = 1_800_000_000.0
#: Small pictures are drawn quickly.
SCALE = 0.5

_CARD = re.compile("|".join(CARDS))


@dataclass
class Clock:
    """A clock that is moved by hand."""

    now: float = START

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True)
class Position:
    """A game where it was stopped: a copy of the database, of Discord, and the time."""

    database: Path
    far: Discord
    now: float
    session: Session

    @property
    def state(self) -> State:
        """All of the game, hidden things included."""
        return self.session.state


@dataclass(frozen=True)
class Draws:
    """What was drawn for games: the seeds that they were dealt from, and how many bits were asked for."""

    seeds: list[int] = field(default_factory=list[int])
    bits: list[int] = field(default_factory=list[int])


@contextmanager
def drawn_from(chance: random.Random) -> Iterator[Draws]:
    """Have seats, seeds and keys drawn from ``chance`` in the place of the system's, and written down."""
    draws, new = Draws(), rules.new

    def randbits(bits: int) -> int:
        draws.bits.append(bits)
        return chance.getrandbits(bits)

    def deal(seed: int, *more: Any) -> State:
        draws.seeds.append(seed)
        return new(seed, *more)

    source = {**vars(secrets), "randbits": randbits, "token_bytes": chance.randbytes}
    with (
        patch("table.table.secrets", SimpleNamespace(**source)),
        patch("table.store.secrets", SimpleNamespace(**source)),
        patch("table.table.random.SystemRandom", lambda: chance),
        patch("kanagawa.rules.new", deal),
    ):
        yield draws


# Playing ---------------------------------------------------------------------------------------------


#: Whether a game is stopped after so many things have happened, in that state.
Stop = Callable[[int, State], bool]


async def play(
    people: int, database: Path, executor: Executor, chance: random.Random, stop: Stop, most: int
) -> list[Position]:
    """Play a game of so many people until it is over or has been stopped so many times."""
    clock = Clock()
    far = Discord(1, clock)
    found: list[Position] = []
    async with open_store(database, clock) as store:
        client = bot.build(store, executor, SCALE, clock)
        await far.connect(client)
        session = await _begun(far, client, people, chance)
        for number in itertools.count():
            if session.to_move is None or len(found) == most:
                break
            if stop(number, session.state):
                await client.publisher.publish(session.id)
                session = await client.table.get(session.id)
                copy = database.with_name(f"{database.stem}-{number}.sqlite3")
                copied(database, copy)
                found.append(Position(copy, far.again(clock), clock.now, session))
            clock.now += chance.uniform(1, 600)
            session = await _something(client, session, chance)
        await client.close()
    return found


async def _begun(far: Discord, client: Client, people: int, chance: random.Random) -> Session:
    """A game that people have opened and started; alone against Osahito, some of them dealt from a word."""
    channel, host, table = far.channels[0], PEOPLE, client.table
    if people == 1:
        if chance.random() < 0.5:
            await far.command(host, channel, "solo", seed="hokusai").over()
        else:
            await far.command(host, channel, "solo").over()
        return await table.at(channel)
    opened = await far.command(host, channel, "new", pace="day").over()
    assert opened.response is not None
    lobby = far.messages[opened.response]
    for guest in range(PEOPLE + 1, PEOPLE + people):
        await far.press(guest, lobby, far.shows(lobby, "Join")).over()
    await far.press(host, lobby, far.shows(lobby, "Start")).over()
    return await table.at(channel)


async def _something(client: Client, session: Session, chance: random.Random) -> Session:
    """One thing that happens in a game: an action, now and then taken back, an order ahead, a farewell."""
    table, game = client.table, session.game
    assert session.to_move is not None
    seat = session.to_move
    user = session.seats[seat].user
    if chance.random() < 0.1 and await table.can_undo(session, seat):
        return await table.undo(session.id, user, session.version)
    for waiting, one in enumerate(session.seats):
        possible = [game.code(action) for action in game.ahead(session.state, waiting)]
        if possible and not one.apprentice and chance.random() < 0.1:
            codes = chance.sample(possible, min(2, len(possible)))
            await table.order(session.id, one.user, game.situation(session.state), codes)
    if len(session.seats) > 2 and not session.free and chance.random() < 0.005:
        return await table.concede(session.id, user)
    legal = game.legal(session.state, seat)
    action = chance.choice(legal)
    if chance.random() < 0.5:
        action = game.choose(game.view(session.state, seat), legal)
    return await table.act(session.id, user, session.version, game.code(action))


def copied(database: Path, copy: Path) -> None:
    """Copy a database that may be in use."""
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)


# Twins -----------------------------------------------------------------------------------------------


def make_twin(position: Position, viewer: int | None, copy: Path, chance: random.Random) -> set[int]:
    """A copy of the database that differs only in what a seat, or the public, may not know.

    That are cards, all through the past of the game, the orders of others, and the secrets of the database
    itself. Returns the seats that have an order in the one or the other.
    """
    copied(position.database, copy)
    fresh = exchange(position.state, viewer, chance)
    session = position.session
    ordering = set(session.orders)
    with closing(sqlite3.connect(copy)) as database, database:
        rows = database.execute("SELECT version, action, state FROM turn WHERE game = ?", (session.id,))
        for version, action, state in rows.fetchall():
            other = encode(exchanged(decode(state), fresh))
            database.execute(
                "UPDATE turn SET action = ?, state = ? WHERE game = ? AND version = ?",
                (action and _respelled(action, fresh), other, session.id, version),
            )
        for name, value in database.execute("SELECT name, value FROM secret").fetchall():
            database.execute(
                "UPDATE secret SET value = ? WHERE name = ?", (chance.randbytes(len(value)), name)
            )
        for seat in range(len(session.seats)):
            possible = [actions.code(one) for one in session.game.ahead(session.state, seat)]
            if seat == viewer or not possible:
                continue
            codes = chance.sample(possible, chance.randint(0, min(2, len(possible))))
            database.execute("DELETE FROM ahead WHERE game = ? AND seat = ?", (session.id, seat))
            if codes:
                ordering.add(seat)
                order = (session.id, seat, session.game.situation(session.state), msgspec.json.encode(codes))
                database.execute("INSERT INTO ahead VALUES (?, ?, ?, CAST(? AS TEXT))", order)
    return ordering


def _respelled(code: str, fresh: Mapping[str, str]) -> str:
    """An action with the cards exchanged: one that was taken back can name a card that is secret again."""
    return _CARD.sub(lambda found: fresh.get(found[0], found[0]), code)


# Moves that reveal nothing ---------------------------------------------------------------------------


def open_moves(
    state: State, viewer: int | None, waiting: set[int], chance: random.Random, most: int
) -> list[tuple[int, str]]:
    """Actions, each with its seat, of which all that a viewer may see is known beforehand.

    No card is dealt, no front shown to the viewer, and the turn comes to none of the ``waiting`` seats.
    """
    moves: list[tuple[int, str]] = []
    for _ in range(most):
        seat = state.to_move
        assert seat is not None
        known = [
            (action, after)
            for action in rules.legal(state, seat)
            if not _reveals(state, seat, action, viewer)
            and (after := rules.apply(state, action)[0]).dealt == state.dealt
            and after.to_move is not None
            and not (after.to_move != seat and after.to_move in waiting)
        ]
        if not known:
            break
        action, after = chance.choice(known)
        moves.append((seat, actions.code(action)))
        if _undone_alone(state, action, after) and chance.random() < 0.3:
            moves.append((seat, UNDO))
        else:
            state = after
    return moves


def _undone_alone(state: State, action: actions.Action, after: State) -> bool:
    """Whether its maker may take an action back without asking anybody, which ends no turn."""
    within = not isinstance(action, actions.Stay | actions.Done)
    return within and rules.shown(state, action, after) is Shown.NOTHING


def _reveals(state: State, seat: int, action: actions.Action, viewer: int | None) -> bool:
    """Whether an action shows the viewer a front that they did not know."""
    if isinstance(action, actions.Take):
        return seat == viewer and rules.shown(state, action, rules.apply(state, action)[0]) is Shown.HIDDEN
    card = action.card if isinstance(action, actions.PutInStudio | actions.Paint) else None
    return seat != viewer and card in state.players[seat].secret
