"""What people send who mean no good, or another version of the bot: forged options, odd IDs, floods."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import pytest

from cogs import guard
from tests.stress.crowd import GUESTS, Sitting, Slow, sitting
from tests.stress.stand_in import EPHEMERAL, PEOPLE, Interaction, controls

ANN, STRANGER = PEOPLE, GUESTS
CHANGED = "This command has changed"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("new", {"pace": "a-year"}),
        ("stats", {"show": "everything"}),
        ("notify", {"how": "loudly"}),
        ("notify", {"mute": "yes"}),
        ("look", {"round": 0}),
        ("look", {"round": 37}),
        ("look", {"round": "three"}),
        ("solo", {"seed": "a" * 25}),
        ("take", {"column": 2}),
        ("take", {}),
        ("concede", {"friend": "ben"}),
        ("gone", {}),
    ],
)
async def test_options_that_this_version_does_not_offer_are_refused(
    name: str, options: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    async with sitting(random.Random(1)) as world:
        done = await world.far.command(ANN, world.far.channels[0], name, **options).over()
        assert CHANGED in done.said
        assert await world.table.live() == []
    assert not [one for one in caplog.records if one.exc_info]


@pytest.mark.parametrize("prefix", ["kg:", "kglobby:", "kglog:", "kgguide:", "kgforget:"])
async def test_a_custom_id_of_ours_is_answered_whatever_follows(prefix: str) -> None:
    async with sitting(random.Random(1)) as world:
        opened = await world.far.command(ANN, world.far.channels[0], "new").over()
        message = deepcopy(world.far.messages[opened.response or 0])
        button = next(iter(controls(message["components"])))
        button["custom_id"] = f"{prefix}1:join\n"  # type: ignore[index]
        done = await world.far.press(STRANGER, message, f"{prefix}1:join\n").over()
        assert done.said


async def flood(world: Sitting, send: Callable[[], Interaction], times: int = 30) -> Sequence[Interaction]:
    """The same at once, many times; every one is acknowledged, and nothing is left to be waited for."""
    world.sent.clear()
    world.easel.drawn.clear()
    sent = [send() for _ in range(times)]
    await asyncio.gather(*(one.over() for one in sent))
    assert all(one.answered.is_set() and not one.loading for one in sent)
    return sent


def told(sent: Sequence[Interaction]) -> int:
    return sum(bool(message["flags"] & EPHEMERAL) for one in sent for message in one.seen)


async def test_the_same_command_many_times_draws_and_answers_once() -> None:
    async with sitting(random.Random(1), Slow) as world:
        channel = world.far.channels[0]
        await world.far.command(ANN, channel, "solo").over()
        sent = await flood(world, lambda: world.far.command(ANN, channel, "hand"))
        assert (told(sent), world.easel.drawn.total()) == (1, 1)
        sent = await flood(world, lambda: world.far.command(ANN, channel, "table"))
        posts = [one for one in world.sent if one.path == f"/channels/{channel}/messages"]
        assert (told(sent), len(posts)) == (1, 1)
        assert told(await flood(world, lambda: world.far.command(ANN, channel, "hand"))) == 1


async def test_one_person_is_served_a_few_at_a_time_and_others_as_ever() -> None:
    async with sitting(random.Random(1), Slow) as world:
        numbers = iter(range(1, 37))
        sent = await flood(
            world,
            lambda: world.far.command(ANN, world.far.channels[0], "look", round=next(numbers)),
        )
        assert told(sent) == guard.AT_ONCE
        people = iter(range(GUESTS, GUESTS + 30))
        sent = await flood(world, lambda: world.far.command(next(people), world.far.channels[0], "help"))
        assert told(sent) == 30


@pytest.mark.parametrize("times", [2, 30])
async def test_of_a_double_click_on_a_move_the_second_hears_and_of_a_flood_one(times: int) -> None:
    async with sitting(random.Random(1), Slow) as world:
        await world.far.command(ANN, world.far.channels[0], "solo").over()
        (record,) = await world.table.live()
        message = world.far.messages[record.message or 0]
        take = world.far.shows(message, "Take 1")
        sent = await flood(world, lambda: world.far.press(ANN, message, take), times)
        assert (await world.table.get(record.id)).version == 1
        assert len([one for one in sent if "moved on" in one.said]) == 1


async def test_a_refusal_is_not_repeated_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    async with sitting(random.Random(1)) as world:
        await world.far.command(ANN, world.far.channels[0], "new").over()
        message = world.far.messages[(await world.table.live())[0].message or 0]
        start = world.far.shows(message, "Leave")

        async def refused() -> int:
            done = await world.far.press(STRANGER, message, start).over()
            assert done.answered.is_set()
            return told([done])

        assert [await refused() for _ in range(5)] == [1, 1, 1, 0, 0]
        # Other words are said at once, and the same ones after a while.
        assert told([await world.far.command(STRANGER, world.far.channels[0], "stay").over()]) == 1
        monkeypatch.setattr(guard, "WITHIN", 0)
        assert await refused() == 1


async def test_a_lobby_that_is_closed_or_moves_pings_nobody() -> None:
    async with sitting(random.Random(1)) as world:
        channel = world.far.channels[0]
        await world.far.command(ANN, channel, "new").over()
        asked = await world.far.command(ANN, channel, "cancel").over()
        question = asked.seen[0]
        world.sent.clear()
        await world.far.press(ANN, question, next(iter(controls(question["components"])))["custom_id"]).over()
        edits = [one.payload for one in world.sent if one.method == "PATCH"]
        assert [one["allowed_mentions"] for one in edits] == [{"parse": []}]
