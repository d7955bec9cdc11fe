"""Kanagawa itself at the table: whole games, with restarts, undo and leaving in the middle."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot import KANAGAWA
from kanagawa import rules, transcript
from kanagawa.actions import Action, Done, Stay, code, parse
from kanagawa.errors import IllegalAction, UnknownAction
from kanagawa.state import Mode, Phase, Shown, State
from table.errors import CannotUndo
from table.store import OVER, Seat, open_store
from table.table import Session, Table

PEOPLE = [Seat(11, "Ann"), Seat(22, "Ben"), Seat(33, "Cat"), Seat(44, "Dan")]
CHANNEL = 5


async def started(table: Table, people: int) -> Session:
    mode = Mode.OSAHITO if people == 1 else Mode.TABLE
    game = (await table.open("kanagawa", CHANNEL, PEOPLE[0], {"mode": str(mode)})).id
    for seat in PEOPLE[1:people]:
        await table.join(game, seat)
    return await table.start(game, PEOPLE[0].user, seed=people)


async def play(table: Table, session: Session, chance: random.Random, turns: int = 10_000) -> Session:
    """So many random legal actions, or until the game is over."""
    for _ in range(turns):
        seat = session.to_move
        if seat is None:
            break
        action = chance.choice(rules.legal(session.state, seat))
        session = await table.act(session.id, session.seats[seat].user, session.version, code(action))
    return session


@pytest.mark.parametrize("people", [1, 2, 3, 4])
async def test_a_whole_game_with_a_restart_in_the_middle_and_its_transcript(path: Path, people: int) -> None:
    chance = random.Random(people)
    async with open_store(path) as store:
        table = Table(store, [KANAGAWA])
        before = await play(table, await started(table, people), chance, turns=40)
    async with open_store(path) as store:
        table = Table(store, [KANAGAWA])
        assert await table.at(CHANNEL) == before
        session = await play(table, before, chance)
        assert (session.record.finished, session.state.phase) == (OVER, Phase.OVER)
    async with open_store(path) as store:
        table = Table(store, [KANAGAWA])
        session = await table.get(session.id)
        first = await table.first_state(session)
        written = transcript.write(
            first, [(turn.seat or 0, turn.action or "") for turn in session.line[1:]], session.state
        )
        assert transcript.replay(transcript.read(written)) == transcript.result(session.state)
        told = await table.happened(session, 1)
        assert len(told) == len(session.line) - 1
        assert told[-1][1][-1] == rules.apply(*await _last(table, session))[1][-1]


async def _last(table: Table, session: Session) -> tuple[State, Action]:
    """The state before the last action of a finished game, and that action."""
    state = await table.first_state(session)
    for turn in session.line[1:-1]:
        state, _ = rules.apply(state, parse(turn.action or ""), turn.seat)
    return state, parse(session.line[-1].action or "")


@pytest.mark.parametrize("people", [1, 3])
async def test_undo_leads_back_to_the_very_state_as_far_as_the_rules_allow(path: Path, people: int) -> None:
    """Within a turn, but not over a take that showed a face-down card, nor a card that was secret."""
    chance = random.Random(people)
    taken_back = refused = 0
    async with open_store(path) as store:
        table = Table(store, [KANAGAWA])
        session = await started(table, people)
        for _ in range(60):
            before, seat = session, session.to_move
            assert seat is not None
            session = await play(table, session, chance, turns=1)
            action, user = parse(session.line[-1].action or ""), session.seats[seat].user
            shown = rules.shown(before.state, action, session.state)
            asks_nobody = shown is Shown.NOTHING and not isinstance(action, Stay | Done)
            if asks_nobody or (people == 1 and shown is not Shown.HIDDEN):
                back = await table.undo(session.id, user, session.version)
                assert (back.state, len(back.line)) == (before.state, len(before.line))
                session = await table.act(session.id, user, back.version, code(action))
                taken_back += 1
            else:
                with pytest.raises(CannotUndo):
                    await table.undo(session.id, user, session.version)
                refused += 1
    assert taken_back > 5
    assert refused > 5


async def test_the_apprentice_ends_the_game_of_those_who_have_left(path: Path) -> None:
    async with open_store(path) as store:
        table = Table(store, [KANAGAWA])
        session = await play(table, await started(table, 3), random.Random(1), turns=30)
        for seat in PEOPLE[1:3]:
            session = await table.concede(session.id, seat.user)
        session = await play(table, session, random.Random(2))
        assert session.record.finished == OVER
        assert transcript.result(session.state)["winners"]


async def test_the_engine_s_refusals_come_through_and_change_nothing(path: Path) -> None:
    async with open_store(path) as store:
        table = Table(store, [KANAGAWA])
        session = await started(table, 2)
        user = session.seats[session.to_move or 0].user
        for text, error in (("done", IllegalAction), ("take.4", IllegalAction), ("take.9", UnknownAction)):
            with pytest.raises(error):
                await table.act(session.id, user, 0, text)
        assert await table.get(session.id) == session
