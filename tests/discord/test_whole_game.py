"""Whole games, from the first choice to the final score, by buttons and by slash commands."""

from __future__ import annotations

import re

import pytest

import render
from kanagawa.scoring import score, winners
from table.table import OVER, Session
from tests.discord.conftest import World, text_of
from tests.discord.table_talk import Hands, advice, open_solo, open_table, person_to_move, type_it
from tests.discord.test_pace import mentions


async def by_buttons(world: World, session: Session) -> Session:
    """Play the game to its end as the apprentice would, clicking what is there to be clicked."""
    hands = {one.id: Hands(world, one, session.id) for one in world.people}
    while session.to_move is not None:
        person = person_to_move(world, session)
        before = session.version
        await hands[person.id].do(advice(session))
        session = await world.client.table.get(session.id)
        assert session.version > before
    return session


async def by_commands(world: World, session: Session) -> Session:
    """Play the game to its end as the apprentice would, typing slash commands."""
    while session.to_move is not None:
        before = session.version
        await type_it(world, person_to_move(world, session), advice(session))
        session = await world.client.table.get(session.id)
        assert session.version == before + 1
    return session


async def check_final(world: World, session: Session) -> None:
    """The game is over, and its message shows every score, the winners, and no button."""
    assert session.record.finished == OVER
    message = await world.table_message(session.id)
    shown = text_of(message["components"])
    assert "the game is over" in shown
    for points in score(session.state):
        assert f"**{points.total}** = Print {points.print} · Season {points.season}" in shown
    best = winners(session.state)
    assert ("wins!" if len(best) == 1 else "share the victory!") in shown
    assert str(message["components"]).count("kg:") == 1, "only the button to play again"
    assert [one["filename"].split("-")[0] for one in message["attachments"]] == [
        "poster",
        "replay",
        "kanagawa",
    ]
    # Nobody is left waiting for a turn: the last mention is gone, and the others hear of the end.
    ender = session.line[-1].seat
    others = [seat.user for number, seat in enumerate(session.seats) if number != ender]
    assert [{*re.findall("<@([0-9]+)>", one)} for one in mentions(world)] == [{*map(str, others)}] * bool(
        others
    )


@pytest.fixture
def blank_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of nothing, which take no time: what they show is another test's business."""
    for kind in ("school", "wall", "panel", "hand", "diplomas", "poster", "replay"):
        monkeypatch.setattr(render, kind, lambda view, *args, scale: b"PNG")


async def test_a_whole_game_of_three_by_buttons(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo, seed=1)
    await check_final(world, await by_buttons(world, session))


@pytest.mark.usefixtures("blank_pictures")
async def test_a_whole_game_of_three_by_slash_commands(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo, seed=3)
    await check_final(world, await by_commands(world, session))


async def test_a_whole_solo_game_by_buttons(world: World) -> None:
    await check_final(world, await by_buttons(world, await open_solo(world, seed=1)))


@pytest.mark.usefixtures("blank_pictures")
async def test_a_whole_solo_game_by_slash_commands(world: World) -> None:
    await check_final(world, await by_commands(world, await open_solo(world, seed=2)))
