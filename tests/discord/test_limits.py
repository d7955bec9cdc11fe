"""Answers in words keep Discord's limits, whatever people are called and however much there is to tell."""

from __future__ import annotations

import random
from typing import Any

import discord
import pytest

from cogs import challenges, overview, records
from cogs.texts import Words
from kanagawa import apprentice, rules
from table.standings import Standing
from table.store import Result, Seat
from table.table import MAX_SEATS
from tests import strict
from tests.stress.crowd import Sitting, sitting
from tests.stress.stand_in import EPHEMERAL, PEOPLE, Person, controls

#: As long as they can be: each character is escaped, beyond the first 65,536, or joined to the next.
NAMES = ("_" * 32, "𝕎" * 32, "`*|~" * 8, "👩‍👩‍👧‍👦" * 4)
PEOPLE_OF_A_TABLE = range(PEOPLE, PEOPLE + 4)


def fits(text: str, view: discord.ui.View | None = None) -> None:
    """That an answer of this text with these controls can be sent."""
    strict.message({"content": text, "components": view.to_components() if view else []})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sensible", [True, False])
def test_every_page_of_the_log_fits(name: str, sensible: bool) -> None:
    words, told = Words("en", [name] * 4), list[tuple[Any, str]]()
    state, chance = rules.new(7, 4), random.Random(7)
    while (seat := state.to_move) is not None:
        legal = rules.legal(state, seat)
        action = apprentice.choose(rules.view(state, seat), legal) if sensible else chance.choice(legal)
        state, events = rules.apply(state, action)
        told += [(one, words.event(one, state.players)) for one in events]
    pages = overview.pages(told)
    for number in range(len(pages)):
        fits(*overview._opened(words, 10**17, pages, number))


@pytest.mark.parametrize("name", NAMES)
def test_every_board_fits(name: str) -> None:
    words, facts = Words("en"), ({"points": 99, "won": True}, {"points": 99, "won": True})
    tries = [Result(number, None, 0.0, (Seat(number, name),), facts) for number in range(challenges.PLACES)]
    own = Result(99, None, 0.0, (Seat(99, name),), facts)
    word = challenges.of_word("_*" * (challenges.WORD_LENGTH // 2))
    for seeds in (["day 2026-11-30", "day 2026-11-29"], ["week 2026-W49", "week 2026-W48"], [word]):
        boards = [challenges.board(words, seed, tries, 10_000, own, everywhere=True) for seed in seeds]
        fits("\n".join(boards))
    best = [
        Standing(number, name, games=10_000, best=99, rated=10_000, mu=99.9, sigma=0.0)
        for number in range(records.PLACES + 1)
    ]
    for show in ("leaderboard", "solo"):
        fits(records.board(words, show, best[:-1], best[-1]))


async def table_of_four(world: Sitting, channel: int, **options: Any) -> None:
    """A game of four, started."""
    host, *others = PEOPLE_OF_A_TABLE
    await world.far.command(host, channel, "new", **options).over()
    lobby = world.far.messages[(await world.table.at(channel)).record.message or 0]
    for user in others:
        await world.far.press(user, lobby, world.far.shows(lobby, "Join")).over()
    await world.far.press(host, lobby, world.far.shows(lobby, "Start")).over()


async def test_as_many_games_as_a_person_may_sit_in_can_be_listed() -> None:
    async with sitting(random.Random(1), channels=MAX_SEATS) as world:
        world.far.names |= dict(zip(PEOPLE_OF_A_TABLE, NAMES, strict=True))
        for channel in world.far.channels:
            await table_of_four(world, channel)
        for user in PEOPLE_OF_A_TABLE:
            done = await world.far.command(user, world.far.channels[0], "games").over()
            assert f"Your {MAX_SEATS} games" in done.said


async def test_a_thread_of_four_long_names_can_be_made() -> None:
    async with sitting(random.Random(1)) as world:
        world.far.names |= dict.fromkeys(PEOPLE_OF_A_TABLE, NAMES[1])
        channel = world.far.channels[0]
        await table_of_four(world, channel, thread=True)
        made = [one.payload["name"] for one in world.sent if one.path.endswith("/threads")]
        assert [len(one) for one in made] == [100]


async def test_three_questions_can_be_open_at_once_and_answered() -> None:
    async with sitting(random.Random(1)) as world:
        friends = range(PEOPLE + 50, PEOPLE + 53)
        world.far.names |= dict(zip(PEOPLE_OF_A_TABLE, NAMES, strict=True))
        world.far.names |= dict(zip(friends, NAMES, strict=False))
        channel = world.far.channels[0]
        await table_of_four(world, channel)
        for user, friend in zip(PEOPLE_OF_A_TABLE, friends, strict=False):
            await world.far.command(user, channel, "concede", friend=Person(friend)).over()
        asked = [
            one for one in world.far.messages.values() if one["content"] and not one["flags"] & EPHEMERAL
        ]
        questions = [one for one in asked if list(controls(one["components"]))]
        assert len(questions) == 3
        for friend, question, label in zip(friends, questions, ("Sit down", "No", "Sit down"), strict=True):
            await world.far.press(friend, question, world.far.shows(question, label)).over()
        assert not any(list(controls(one["components"])) for one in questions)
