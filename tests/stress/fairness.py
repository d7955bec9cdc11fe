"""Fairness: one person asks for as much as they may, while another table is being played.

First the table is played in calm. Then one person has as many requests outstanding as the bot serves: replays
and posters of many games, looks, their hands in games of their own, logs, statistics, and what is suggested
while they type. All pictures are drawn as the bot draws them. From a press to the edited table no more than
twice as long may pass for the others.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import bot
from cogs.guard import AT_ONCE
from cogs.lobby import KIND
from table.store import open_store
from tests.stress.load import SCALE, Clock, Club, _played
from tests.stress.report import Report
from tests.stress.stand_in import PEOPLE, Discord, Interaction

#: Whoever asks for so much; nobody of the club.
GREEDY = PEOPLE + 1_000_000
#: Games that are over, and those that the greedy person plays alone.
PAST, OWN = 25, 5
#: How often calm and greed follow each other.
ROUNDS = 3
#: Times the calm p99 that a table may take meanwhile. The short form sees too few moves for a steady p99, so
#: that it prints the figure and does not judge it.
AIM = 2.0
#: Seconds that an answer or an edit takes at least, as Discord is far away.
AWAY = 0.02


class Far(Discord):
    """Discord as far away as it is."""

    async def answer(self, method: str, path: str, body: Any) -> Any:
        await asyncio.sleep(AWAY)
        return await super().answer(method, path, body)


@asynccontextmanager
async def _club(chance: random.Random, past: int, executor: ThreadPoolExecutor) -> AsyncIterator[Club]:
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(Path(folder) / bot.DATABASE) as store:
            far = Far(1 + past + OWN)
            client = bot.build(store, executor, SCALE)
            await far.connect(client)
            try:
                yield Club(far, client, chance)
            finally:
                await client.close()


async def _fill(people: Club, past: int) -> None:
    """Play games out, each from shortly before its end, and open those of the greedy person."""
    table, kanagawa = people.client.table, bot.KANAGAWA
    ends = itertools.cycle([list(_played(seed, 4))[-3] for seed in range(past)])
    for channel in people.far.channels[1 : 1 + past]:
        table._games = {KIND: replace(kanagawa, people=lambda _: range(4, 5), new=lambda *_: next(ends))}
        people.chance, chance = random.Random(2), people.chance
        people.chance.randint = lambda *_: 4  # type: ignore[method-assign]
        await people.play_out(channel)
        people.chance = chance
    table._games = {KIND: kanagawa}
    for channel in people.far.channels[1 + past :]:
        await people.far.command(GREEDY, channel, "solo").over()
    await asyncio.gather(*people.client.publisher._beside)


def _wishes(people: Club, past: int) -> Iterator[tuple[str, Callable[[], Interaction]]]:
    """Everything that one person can ask for, in turn, without end."""
    far = people.far
    over, own = far.channels[1 : 1 + past], far.channels[1 + past :]

    def wish(channel: int, name: str, **options: Any) -> tuple[str, Callable[[], Interaction]]:
        return name, lambda: far.command(GREEDY, channel, name, **options)

    for number in itertools.count():
        there, mine = over[number % past], own[number % OWN]
        yield wish(there, "replay")
        yield wish(there, "poster")
        yield wish(there, "look", player=str(number % 4 + 1))
        yield wish(there, "look", player=str(number % 4 + 1), round=1)
        yield wish(mine, "hand")
        yield wish(there, "log")
        yield wish(there, "stats")
        yield wish(there, "replay", typing="game", game=f"{number}")
        yield wish(mine, "take", typing="column", column="1")


async def _greedy(people: Club, past: int, answered: Counter[str]) -> None:
    """Have as many requests outstanding as are served, until cancelled."""
    wishes = _wishes(people, past)

    async def one_after_the_other() -> None:
        while True:
            name, send = next(wishes)
            done = await send().over()
            people.far.forget(done)
            answered[name] += 1
            await asyncio.sleep(0)

    await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))


async def _played_for(people: Club, seconds: float) -> Clock:
    """Play at the one table for so long."""
    people.clock = Clock()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        channel = people.far.channels[0]
        live = await people.client.table.store.live(channel)
        await people.play(live[0].id if live else await people.open(channel), end)
    return people.clock


def _add(all_of: Clock, one: Clock) -> None:
    all_of.moves += one.moves
    all_of.waits += one.waits


def _at(times: list[float], share: float) -> float:
    ordered = sorted(times) or [0.0]
    return ordered[int(share * (len(ordered) - 1))]


async def _run(chance: random.Random, short: bool) -> Report:
    past, seconds = (4, 2.0) if short else (PAST, 15.0)
    answered: Counter[str] = Counter()
    calm, busy = Clock(), Clock()
    with ThreadPoolExecutor(bot.RENDERERS) as executor:
        async with _club(chance, past, executor) as people:
            await _fill(people, past)
            await _played_for(people, 2)  # so that what is drawn once is drawn
            # In turn, for what else the computer does changes as well.
            for _ in range(ROUNDS):
                gc.collect()
                _add(calm, await _played_for(people, seconds))
                greedy = asyncio.create_task(_greedy(people, past, answered))
                _add(busy, await _played_for(people, seconds))
                greedy.cancel()
                await asyncio.gather(greedy, return_exceptions=True)
    ratio = _at(busy.waits, 0.99) / max(_at(calm.waits, 0.99), 1e-9)
    broken = list(people.broken)
    if ratio > AIM and not short:
        broken.append(f"one person lets others wait {ratio:.1f} times as long")
    figures: dict[str, object] = {
        "moves in calm, beside one greedy person": f"{calm.moves}, {busy.moves}",
        "requests that are outstanding, answered": f"{AT_ONCE}, {answered.total()}",
        "  of these": ", ".join(f"{count} {name}" for name, count in sorted(answered.items())),
        "press to edited table in calm, p50 and p99": _shares(calm.waits),
        "press to edited table beside them, p50 and p99": _shares(busy.waits),
        f"  times as long (aim {AIM:g})": f"{ratio:.1f}",
    }
    return Report(figures, broken)


def _shares(times: list[float]) -> str:
    return ", ".join(f"{_at(times, share) * 1000:.0f} ms" for share in (0.5, 0.99))


def run(chance: random.Random, short: bool) -> Report:
    """Measure it."""
    return asyncio.run(_run(chance, short))
