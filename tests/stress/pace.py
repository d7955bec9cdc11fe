"""The clock: a slow server holds up no other, and many overdue games are served beside each other."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import bot
from cogs.client import Client
from cogs.lobby import KIND
from kanagawa.state import Mode
from table.pace import DAY
from table.store import Seat, open_store
from tests.stress.report import Report
from tests.stress.stand_in import CHANNELS, PEOPLE, Discord

#: Games of the slow server, and seconds that it takes for each request.
SLOW, SLOWNESS = 20, 2.0
#: Overdue games, in the long and the short form, in servers of so many games; seconds for a request there.
LONG, SHORT, IN_ONE, LATENCY = 1000, 200, 10, 0.05
#: Seconds after which another server's reminder is late, and the share of the time one after the other.
LATE, SHARE = 1.0, 0.25


class Far(Discord):
    """A Discord that takes its time, in some channels more of it; it notes when each was written to."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self.slow: set[int] = set()
        self.reminded: dict[int, float] = {}
        #: Set when every channel was written to.
        self.all = asyncio.Event()

    async def answer(self, method: str, path: str, body: Mapping[str, Any]) -> Any:
        parts = path.strip("/").split("/")
        channel = int(parts[1]) if parts[0] == "channels" else 0
        await asyncio.sleep(SLOWNESS if channel in self.slow else LATENCY)
        answered = await super().answer(method, path, body)
        if method == "POST" and channel:
            self.reminded[channel] = time.perf_counter()
            if len(self.reminded) == len(self.channels):
                self.all.set()
        return answered


def run(chance: random.Random, short: bool) -> Report:
    """Let half of many turns' time be over at once, and look when each person is reminded."""
    many, broken = SHORT if short else LONG, list[str]()
    with ThreadPoolExecutor(1) as executor:
        beside = asyncio.run(_reminded(executor, SLOW + 1, range(SLOW)))
        delay = beside.pop(CHANNELS + SLOW)
        last = max(asyncio.run(_reminded(executor, many, ())).values())
    if len(beside) < SLOW or delay > LATE:
        broken.append(
            f"a reminder waits {delay:.1f} s for a slow server, whose {len(beside)} games are served"
        )
    if last > SHARE * many * LATENCY:
        broken.append(f"{many} overdue games take {last:.1f} s")
    figures = {
        f"seconds until a reminder, beside {SLOW} slow games": f"{delay:.2f}",
        f"seconds until the last of the {SLOW} slow ones": f"{max(beside.values()):.1f}",
        f"seconds for {many:,} overdue games": f"{last:.1f}",
        "of these one after the other, the requests alone": f"{many * LATENCY:.1f}",
    }
    return Report(figures, broken)


async def _reminded(executor: Executor, games: int, slow: range | tuple[int, ...]) -> dict[int, float]:
    """Return after how many seconds the person of each game was reminded, by channel."""
    now = [time.time()]
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(Path(folder) / bot.DATABASE) as store:
            far = Far(games)
            client = bot.build(store, executor, 1, lambda: now[0])
            await far.connect(client)
            for number in range(games):
                await _open(client, number, 1 if number in slow else 2 + number // IN_ONE)
            far.slow = {CHANNELS + number for number in slow}
            now[0] += DAY / 2 + 1
            begin = time.perf_counter()
            client.pace.wake()
            with suppress(TimeoutError):
                await asyncio.wait_for(far.all.wait(), 120)
            await client.close()
    return {channel: at - begin for channel, at in far.reminded.items()}


async def _open(client: Client, number: int, server: int) -> None:
    """Start a game of two people of its own in a channel, unshown."""
    people = [Seat(PEOPLE + 2 * number + one, "somebody") for one in range(2)]
    options = {"mode": Mode.TABLE.value, "guild": server, "pace": "day"}
    session = await client.table.open(KIND, CHANNELS + number, people[0], options)
    await client.table.join(session.id, people[1])
    await client.table.start(session.id, people[0].user)
