"""What may be taken back at the table, proved on twins over whole random games of Kanagawa.

Each twin differs from the game in what one viewer may not know. All that was done since is done to it too:
where it can be taken back, the viewer must not have been able to tell the two apart.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from bot import KANAGAWA
from kanagawa import actions, rules
from kanagawa.state import Mode, Phase, State
from table.errors import CannotUndo
from table.store import Seat
from table.table import Session, Table
from tests.engine.hidden import shuffled_secrets
from tests.engine.test_taking_back import seen, viewers
from tests.table.memory import MemoryStore

PEOPLE = [Seat(11, "Ann"), Seat(22, "Ben"), Seat(33, "Cat"), Seat(44, "Dan")]


async def started(table: Table, people: int, seed: int) -> Session:
    mode = Mode.OSAHITO if people == 1 else Mode.TABLE
    options: dict[str, Any] = {"mode": str(mode)}
    if people == 1 and seed % 2:
        options["seed"] = "word"  # a challenge
    game = (await table.open("kanagawa", 5, PEOPLE[0], options)).id
    for seat in PEOPLE[1:people]:
        await table.join(game, seat)
    return await table.start(game, PEOPLE[0].user, seed=seed)


def tells(states: Sequence[State], done: Sequence[str], seat: int, chance: random.Random) -> bool:
    """Whether anybody could learn something from what was done, but for what a seat showed first of all."""
    for viewer in viewers(states[0]):
        first = 0
        action = actions.parse(done[0])
        if isinstance(action, actions.PutInStudio | actions.Paint):
            shown_on_purpose = action.card in states[0].players[seat].secret
            first = 1 if shown_on_purpose and viewer != seat else 0
        for _ in range(2):
            state, twin = states[first], shuffled_secrets(states[first], viewer, chance)
            for code in done[first:]:
                action = actions.parse(code)
                if seen(state, action, viewer) != seen(twin, action, viewer):
                    return True
                state, twin = rules.apply(state, action)[0], rules.apply(twin, action)[0]
    return False


def shows_own(before: State, code: str) -> bool:
    action = actions.parse(code)
    placed = isinstance(action, actions.PutInStudio | actions.Paint)
    return placed and action.card in before.players[before.to_move or 0].secret


async def took_back(table: Table, session: Session, seat: int, alone: bool) -> Session:
    """Take a step back by the way that is offered, and by no other."""
    user = session.seats[seat].user
    if alone:
        return await table.undo(session.id, user, session.version)
    with pytest.raises(CannotUndo):
        await table.undo(session.id, user, session.version)
    session = await table.ask_undo(session.id, user, session.version)
    for one in session.seats:
        if one.user != user:
            session = await table.answer_undo(session.id, one.user, session.version, user, True)
    return session


@pytest.mark.parametrize("people", [1, 2, 3, 4])
async def test_nobody_has_learnt_anything_from_what_was_taken_back(people: int) -> None:
    """K2.7: by oneself, by consent, alone and in challenges: 16 whole games of each number of people."""
    found = Counter[str]()
    for seed in range(16):
        chance, table = random.Random(seed), Table(MemoryStore(), [KANAGAWA])
        session = await started(table, people, seed)
        states: list[State] = [session.state]
        for _ in range(2000):
            if session.to_move is None:
                break
            if chance.random() < 0.25 and len(session.line) > 1:
                session = await checked(table, session, states, chance, found)
                del states[len(session.line) :]
                assert session.state == states[-1]
            seat = session.to_move
            assert seat is not None
            legal = rules.legal(session.state, seat)
            action = chance.choice(legal)
            if chance.random() < 0.5:
                action = KANAGAWA.choose(session.view(session.seats[seat].user), legal)
            user = session.seats[seat].user
            session = await table.act(session.id, user, session.version, actions.code(action))
            states.append(session.state)
        assert session.finished
    assert found["alone"] > 50, found
    assert found["never"] > 50, found
    assert found["never, shown"] > 0.7 * found["never"], found
    if people > 1:
        assert found["asked"] > 50, found
        assert found["asked, own"] > 5, found
    else:
        assert found["alone, own"] > 5, found


async def checked(
    table: Table, session: Session, states: list[State], chance: random.Random, found: Counter[str]
) -> Session:
    """Look at what each seat may take back; now and then one does."""
    for seat in range(len(session.seats)):
        index = next((at for at in range(len(session.line) - 1, 0, -1) if session.line[at].seat == seat), 0)
        if not index:
            continue
        done = [turn.action or "" for turn in session.line[index:]]
        before = states[index - 1 :]
        alone, slip = await table.can_undo(session, seat), await table.slip(session, seat)
        told = tells(before, done, seat, chance)
        own, passed = shows_own(before[0], done[0]), len(done) > 1 or done[0] in ("stay", "done")
        if not alone and slip is None:
            found["never"] += 1
            found["never, shown"] += told
            with pytest.raises(CannotUndo):
                await table.ask_undo(session.id, session.seats[seat].user, session.version)
            continue
        assert not told, (done, seat)
        assert alone == (len(session.seats) == 1 or not (own or passed))
        assert (slip is None) == alone
        found[("alone" if alone else "asked") + (", own" if own else "")] += 1
        if chance.random() < 0.2:
            session = await took_back(table, session, seat, alone)
            assert session.state == before[0]
            return session
    return session


def almost_over(seed: int, people: int, options: Any) -> State:
    """A game in which a few cards alone are still to be dealt: then a `done` can deal none."""
    state = KANAGAWA.new(seed, people, options)
    return msgspec.structs.replace(state, dealt=len(state.deck) - seed % 7)


@pytest.mark.parametrize("word", ["", "word"])
async def test_alone_what_shows_nothing_is_taken_back_and_osahito_s_cards_never(word: str) -> None:
    """O2, O3: a `done` may be taken back alone, in the last decision too, unless it showed a card."""
    taken = refused = 0
    for seed in range(70):
        chance = random.Random(seed)
        table = Table(MemoryStore(), [replace(KANAGAWA, new=almost_over)])
        options = {"mode": str(Mode.OSAHITO)} | ({"seed": word} if word else {})
        game = (await table.open("kanagawa", 5, PEOPLE[0], options)).id
        session = await table.start(game, 11, seed=seed)
        while session.to_move is not None:
            before = session
            legal = rules.legal(session.state, 0)
            code = "done" if actions.DONE in legal else actions.code(chance.choice(legal))
            session = await table.act(game, 11, session.version, code)
            if code != "done":
                continue
            number, column = next(
                (n, one) for n, one in enumerate(before.state.columns, 1) if one is not None
            )
            hidden = rules.shown_column(column, number) != column
            shows = hidden or session.state.dealt != before.state.dealt
            assert await table.can_undo(session, 0) is not shows
            assert await table.slip(session, 0) is None, "there is nobody to ask"
            if shows:
                refused += 1
                continue
            assert session.state.phase is Phase.LAST
            back = await table.undo(game, 11, session.version)
            assert back.state == before.state
            taken += 1
            session = await table.act(game, 11, back.version, "done")
    assert taken > 10
    assert refused > 10
