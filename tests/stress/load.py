"""Load: 500 channels with games moving at once in one process, beside a bot that only echoes pictures.

People press what the public message and their workbench show, as the apprentice advises; what they think is
taken off the time. A game's moves come one after the other. First thousands of games are played out, each
from two moves before its end on, to see what stays in memory. Then every picture is ready, so that all but
drawing is measured: as fast as it goes, and at half that rate. Then the same games are drawn.
Last, whole games are drawn and what they upload is weighed.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from io import BytesIO
from math import inf
from pathlib import Path
from typing import Any

import discord
from PIL import Image

import bot
import render
from cogs import metrics
from cogs.client import Client
from cogs.easel import Easel
from cogs.lobby import KIND
from cogs.texts import text
from kanagawa import apprentice, rules
from kanagawa.actions import code
from kanagawa.state import Mode, State
from table.store import Seat, open_store
from table.table import OVER, Session
from tests.stress.report import Report
from tests.stress.stand_in import CHANNELS, PEOPLE, Discord, Interaction, Request, controls

#: Pixels to the unit of the pictures, as the bot has it unless it is told otherwise.
SCALE = 2
#: Megabytes by which the memory may grow while the caches fill, and no further.
GROWTH = 24
#: Bytes that a move may upload, on average over whole games.
HEAVY = 700_000
#: Seconds between two looks at the event loop.
LOOK = 0.005
#: What there is to press in the public message; all else is at the workbench.
PUBLIC = ("stay", "take", "claim", "pass")
#: The selects in which actions are found, by what their codes begin with.
SELECTS = {"studio": "studio", "print": "paint", "claim": "claim"}


# Pictures that are ready -----------------------------------------------------------------------------


class Ready(Easel):
    """An easel whose pictures are drawn already: never the same name twice, so that each is uploaded."""

    def __init__(self, executor: Executor) -> None:
        super().__init__(executor, SCALE)
        state = next(one for one in itertools.islice(_played(3, 4), 60, None) if _holding(one) is not None)
        seat = _holding(state)
        view = rules.view(state, seat)
        self.drawn: Mapping[str, bytes] = {
            "school": render.school(view, scale=SCALE),
            "wall": render.wall(view, scale=SCALE),
            "panel": render.panel(view, seat or 0, scale=SCALE),
            "hand": render.hand(view, scale=SCALE),
        }
        self._count = itertools.count()

    def _file(self, kind: str, ending: str, shown: Any, args: tuple[Any, ...]) -> tuple[str, bytes]:
        name, data = super()._file(kind, ending, shown, args)
        return f"{next(self._count)}-{name}", data

    def _draw(self, kind: str, shown: Any, args: tuple[Any, ...]) -> bytes:
        return self.drawn.get(kind, b"")

    async def _draw_apart(self, views: Sequence[Any]) -> bytes:
        return b""


def _played(seed: int, seats: int) -> Iterator[State]:
    """The states of a game as the apprentice plays it, the set-up first."""
    state = rules.new(seed, seats)
    yield state
    while (seat := state.to_move) is not None:
        action = apprentice.choose(rules.view(state, seat), rules.legal(state, seat))
        state, _ = rules.apply(state, action, seat)
        yield state


def _holding(state: State) -> int | None:
    """A seat with cards in hand."""
    return next((seat for seat, one in enumerate(state.players) if one.hand), None)


class Drawing(Easel):
    """The bot's own easel for a time; it keeps what was new, and then leaves it to another."""

    def __init__(self, executor: Executor, after: Easel, seconds: float) -> None:
        super().__init__(executor, SCALE)
        self.after = after
        self.end = time.perf_counter() + seconds
        self.new: dict[bytes, None] = {}

    def _draw(self, kind: str, shown: Any, args: tuple[Any, ...]) -> bytes:
        if time.perf_counter() > self.end:
            return self.after._draw(kind, shown, args)
        made = super()._draw(kind, shown, args)
        self.new[made] = None
        return made


def encoding(pictures: Iterable[bytes]) -> float:
    """Seconds to write the pixels of these pictures as truecolour PNG, level 1, and nothing else."""
    taken = 0.0
    for data in pictures:
        image = Image.open(BytesIO(data)).convert("RGB")
        begin = time.perf_counter()
        image.save(BytesIO(), "PNG", compress_level=1)
        taken += time.perf_counter() - begin
    return taken


# People ---------------------------------------------------------------------------------------------


class Clock:
    """How long things took."""

    def __init__(self) -> None:
        self.begin = time.perf_counter()
        self.moves = 0
        #: From a press to the edited table, each.
        self.waits: list[float] = []
        #: How late the event loop woke who slept, each.
        self.lags: list[float] = []
        #: What people thought, together.
        self.thought = 0.0
        self.uploaded = 0
        self.requests: Counter[str] = Counter()

    @property
    def rate(self) -> float:
        """Moves a second, without what people thought."""
        return self.moves / (time.perf_counter() - self.begin - self.thought)

    async def look(self) -> None:
        """Look at the event loop until cancelled."""
        while True:
            due = time.perf_counter() + LOOK
            await asyncio.sleep(LOOK)
            self.lags.append(time.perf_counter() - due)


class Club:
    """The people of all channels, and the bot they play with."""

    def __init__(self, far: Discord, client: Client, chance: random.Random) -> None:
        self.far = far
        self.client = client
        self.chance = chance
        self.clock = Clock()
        #: When the message that shows a game was last sent or edited, by its ID.
        self.edited: dict[int, float] = {}
        self.broken: list[str] = []
        far.heard = self._heard

    def _heard(self, request: Request) -> None:
        self.clock.uploaded += sum(map(len, request.files))
        parts = request.path.strip("/").split("/")
        self.clock.requests[_sort(request.method, parts[0])] += 1
        if request.method == "PATCH" and parts[0] == "channels" and len(parts) == 4:
            self.edited[int(parts[3])] = time.perf_counter()

    async def open(self, channel: int) -> int:
        """Open and start a game of two to four in a channel, and show it."""
        table = self.client.table
        first = PEOPLE + 4 * (channel - CHANNELS)
        people = range(first, first + self.chance.randint(2, 4))
        seats = [Seat(one, f"person{one}") for one in people]
        options = {"mode": Mode.TABLE.value, "guild": 1, "pace": "day"}
        session = await table.open(KIND, channel, seats[0], options)
        for seat in seats[1:]:
            await table.join(session.id, seat)
        await table.start(session.id, people[0], self.chance.getrandbits(64))
        await self.client.publisher.publish(session.id)
        return session.id

    async def play(self, game: int, until: float = inf, pause: float = 0) -> None:
        """Press one thing after the other in a game until it is over, or a time has come.

        After each move they pause, so long on average.
        """
        person = Person(self, game)
        while time.perf_counter() < until and not (await self.client.table.get(game)).finished:
            if pause:
                await asyncio.sleep(self.chance.expovariate(1 / pause))
            await person.move()
        person.leave()

    async def play_out(self, channel: int) -> None:
        """Play a game of a channel to its end, and let its messages go."""
        game = await self.open(channel)
        await self.play(game)
        record = (await self.client.table.get(game)).record
        if record.finished != OVER:
            self.broken.append(f"a game that was played out is {record.finished}")
        self.far.messages.pop(record.message or 0)
        self.edited.clear()


class Person:
    """Whoever is to move in a game: they press what is there."""

    def __init__(self, club: Club, game: int) -> None:
        self.club = club
        self.game = game
        self.bench: dict[str, Any] | None = None
        self.seat: int | None = None
        self.user = 0
        self.done: list[Interaction] = []

    async def move(self) -> None:
        """Do what the apprentice would do."""
        club = self.club
        session = await club.client.table.get(self.game)
        begin = time.perf_counter()
        wanted = _advice(session)
        if session.to_move != self.seat:
            self.leave()
            self.seat = session.to_move
        assert session.to_move is not None
        self.user = session.seats[session.to_move].user
        club.clock.thought += time.perf_counter() - begin
        if wanted.split(".")[0] in PUBLIC:
            await self._do(self._table(session), wanted)
            return
        if self.bench is None:
            await self._press(self._table(session), "?table")
        if wanted.split(".")[0] not in ("place", "move"):
            await self._do(self.bench, wanted)
        elif (plan := self._plan(wanted)) is not None:
            await self._press(self.bench, "?pick.paint", plan)
        else:
            brush = "new" if wanted.startswith("place") else wanted.split(".")[1]
            await self._press(self.bench, "?pick.brush", f"?bench.{brush}.0")
            await self._do(self.bench, wanted, f"?pick.{brush}")

    def leave(self) -> None:
        """Let the workbench go."""
        for one in self.done:
            self.club.far.forget(one)
        self.done.clear()
        self.bench = None

    def _table(self, session: Session) -> dict[str, Any]:
        return self.club.far.messages[session.record.message or 0]

    def _plan(self, wanted: str) -> str | None:
        assert self.bench is not None
        values = _values(self.bench, "?pick.paint")
        return next((one for one in values if one.split(",")[0] == wanted), None)

    async def _do(self, message: dict[str, Any] | None, wanted: str, select: str = "") -> None:
        """Press the button, or choose the option, that does what is wanted; the table is edited."""
        assert message is not None
        kind = wanted.split(".")[0]
        select = select or (f"?pick.{SELECTS[kind]}" if kind in SELECTS else "")
        while select and wanted not in _values(message, select):
            more = _values(message, select)[-1]
            assert more.startswith("?bench."), f"{wanted} is not offered"
            await self._press(message, select, more)
            assert self.bench is not None
            message = self.bench
        await self._press(message, select or wanted, wanted if select else None)

    async def _press(self, message: dict[str, Any] | None, what: str, value: str | None = None) -> None:
        assert message is not None
        club, begin = self.club, time.perf_counter()
        before = await club.client.table.get(self.game)
        public = before.record.message or 0
        done = club.far.press(self.user, message, _control(message, what), value)
        await done.over()
        for task in done.tasks:
            if not task.cancelled() and task.exception() is not None:
                club.broken.append(repr(task.exception()))
        private = [one for one in done.seen if one["flags"] & discord.MessageFlags.ephemeral.flag]
        if private:
            self.bench = club.far.messages.get(int(private[-1]["id"]))
        self.done.append(done)
        session = await club.client.table.get(self.game)
        if session.version > before.version:
            club.clock.moves += 1
            if public in club.edited and club.edited[public] > begin:
                club.clock.waits.append(club.edited[public] - begin)


def _sort(method: str, place: str) -> str:
    """What a request of the bot is for."""
    if place != "channels":
        return "acknowledged" if place == "interactions" else "private"
    return {"PATCH": "tables", "POST": "notices", "DELETE": "notices removed"}.get(method, "looks below")


def _advice(session: Session) -> str:
    seat = session.to_move
    assert seat is not None
    view = session.game.view(session.state, seat)
    return code(apprentice.choose(view, session.game.legal(session.state, seat)))


def _values(message: Mapping[str, Any], select: str) -> list[str]:
    """What there is to choose in a select of a message; nothing where it has none of that name."""
    for one in controls(message["components"]):
        if one["custom_id"].endswith(f":{select}"):
            return [option["value"] for option in one["options"]]
    return []


def _control(message: Mapping[str, Any], what: str) -> str:
    found = [one["custom_id"] for one in controls(message["components"])]
    return next(one for one in found if one.endswith(f":{what}"))


# The parts ------------------------------------------------------------------------------------------


@asynccontextmanager
async def _club(channels: int, chance: random.Random, executor: Executor) -> AsyncIterator[Club]:
    """The bot with its people in so many channels."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(Path(folder) / bot.DATABASE) as store:
            far = Discord(channels)
            client = bot.build(store, executor, SCALE)
            await far.connect(client)
            client.publisher.easel = Ready(executor)
            try:
                yield Club(far, client, chance)
            finally:
                await client.close()


async def _moving(people: Club, games: Sequence[int], seconds: float, rate: float = 0) -> Clock:
    """All games move at once for so many seconds: as fast as it goes, or at a rate together."""
    people.clock = clock = Clock()
    pause = len(games) / rate if rate else 0
    looking = asyncio.create_task(clock.look())
    await asyncio.gather(*(people.play(game, clock.begin + seconds, pause) for game in games))
    looking.cancel()
    with suppress(asyncio.CancelledError):
        await looking
    return clock


class Echo(discord.ui.View):
    """Answers each click by uploading a picture."""

    def __init__(self, data: bytes) -> None:
        super().__init__(timeout=None)
        self.data = data

    @discord.ui.button(label="Echo", custom_id="echo")
    async def echo(self, interaction: discord.Interaction[Any], _: discord.ui.Button[Any]) -> None:
        """Upload the picture."""
        await interaction.response.edit_message(attachments=[discord.File(BytesIO(self.data), "echo.png")])


async def _echoed(channels: int, picture: bytes, seconds: float) -> float:
    """Clicks a second that a bot answers which does nothing but echo, over the same transport."""
    loop, far = asyncio.get_running_loop(), Discord(channels)
    factory = loop.get_task_factory()
    client = discord.Client(intents=discord.Intents(guilds=True))
    await far.connect(client)
    view = Echo(picture)
    client.add_view(view)
    count, begin = 0, time.perf_counter()

    async def clicks(channel: int) -> None:
        nonlocal count
        sent = await client.get_partial_messageable(channel).send(view=view)
        while time.perf_counter() < begin + seconds:
            done = far.press(PEOPLE, far.messages[sent.id], "echo")
            await done.over()
            far.forget(done)
            count += 1

    await asyncio.gather(*map(clicks, far.channels))
    rate = count / (time.perf_counter() - begin)
    await client.close()
    loop.set_task_factory(factory)
    return rate


async def _without_pictures(people: Club, games: Sequence[int], seconds: float) -> dict[str, object]:
    clock = await _moving(people, games, seconds)
    rate = clock.rate
    paced = await _moving(people, games, seconds, rate / 2)
    moves = max(1, clock.moves)
    size = clock.uploaded // moves
    easel = people.client.publisher.easel
    assert isinstance(easel, Ready)
    wall = easel.drawn["wall"]
    picture = (wall * (size // len(wall) + 1))[:size]
    # In a task of its own, for what discord.py sends answers through belongs to the task that connects.
    echo = await asyncio.create_task(_echoed(len(games), picture, seconds / 2))
    return {
        "ready pictures: moves a second": f"{rate:.0f}",
        "  beside an echo bot's that uploads as much (aim 0.6)": f"{rate / echo:.3f} of {echo:.0f}",
        "  megabytes, requests for a move": f"{size / 1e6:.2f}, {clock.requests.total() / moves:.2f}",
        "  of these": ", ".join(
            f"{count / moves:.2f} {sort}" for sort, count in clock.requests.most_common()
        ),
        "  the event loop's lag, p50 and p99 (aim 50 ms)": _shares(clock.lags),
        "at half that rate: press to edited table, p50 and p99": _shares(paced.waits),
        "  the event loop's lag, p50 and p99 (aim 50 ms)  ": _shares(paced.lags),
    }


async def _with_pictures(
    people: Club, games: Sequence[int], executor: Executor, seconds: float
) -> dict[str, object]:
    ready = people.client.publisher.easel
    people.client.publisher.easel = easel = Drawing(executor, ready, seconds)
    clock = await _moving(people, games, seconds)
    people.client.publisher.easel = ready
    share = encoding(easel.new) / seconds
    rates = f"{clock.moves / seconds:.1f}, {len(easel.new) / seconds:.1f}"
    return {
        "drawn pictures: moves, pictures a second": rates,
        "  beside encoding them alone in truecolour, one by one (aim 1.8)": f"{share:.2f}",
        "  the event loop's lag, p50 and p99": _shares(clock.lags),
    }


async def _whole_games(people: Club, executor: Executor) -> dict[str, object]:
    """Play whole games with the bot's own pictures, every step shown, and weigh what is sent."""
    people.client.publisher.easel = Easel(executor, SCALE)
    people.client.publisher.pause = 0
    people.clock = clock = Clock()
    games = [await people.open(channel) for channel in people.far.channels]
    await asyncio.gather(*map(people.play, games))
    size = clock.uploaded / max(1, clock.moves)
    if size > HEAVY and len(games) > 1:  # the aim is a mean, and one game can be far from it
        people.broken.append(f"a move sends {size / 1e6:.2f} MB")
    return {
        f"whole games, {len(games)}: megabytes of a move (aim 0.7), of a game": (
            f"{size / 1e6:.2f}, {clock.uploaded / len(games) / 1e6:.0f}"
        )
    }


async def _played_out(people: Club, games: int) -> dict[str, object]:
    """Play so many games out, and look at the memory after a fifth of them and after all."""
    table, figures = people.client.table, dict[str, object]()
    ends = [list(_played(people.chance.getrandbits(64), seats))[-3] for seats in (2, 3, 4) for _ in range(3)]
    by_seats = {seats: [one for one in ends if len(one.players) == seats] for seats in (2, 3, 4)}
    table._games = {
        KIND: replace(bot.KANAGAWA, new=lambda seed, seats, _: by_seats[seats][seed % len(by_seats[seats])])
    }
    people.clock = Clock()
    waiting = iter(range(games))
    held: list[float] = []
    begin = time.perf_counter()

    async def one_after_the_other(channel: int) -> None:
        for number in waiting:
            await people.play_out(channel)
            if number + 1 in (games // 5, games):
                gc.collect()
                held.append(_memory())
                figures[f"memory after {number + 1} games"] = f"{held[-1]:.0f} MB"

    await asyncio.gather(*map(one_after_the_other, people.far.channels[:50]))
    figures["  games and texts that are kept"] = f"{len(table._cache)}, {text.cache_info().currsize}"
    if held[-1] - held[0] > GROWTH:
        people.broken.append(f"the memory grew by {held[-1] - held[0]:.0f} MB")
    figures["  games a second"] = f"{games / (time.perf_counter() - begin):.0f}"
    return figures


def _memory() -> float:
    """Megabytes that the process holds."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def _run(chance: random.Random, short: bool) -> Report:
    channels, seconds, ends = (50, 1.0, 100) if short else (500, 15.0, 5000)
    figures: dict[str, object] = {"channels": channels}
    with ThreadPoolExecutor(bot.RENDERERS) as executor:
        async with _club(50, chance, executor) as ending:
            figures |= await _played_out(ending, ends)
        async with _club(channels, chance, executor) as people:
            games = [await people.open(channel) for channel in people.far.channels]
            figures |= await _without_pictures(people, games, seconds)
            figures |= await _with_pictures(people, games, executor, seconds)
        async with _club(1 if short else 6, chance, executor) as weighed:
            figures |= await _whole_games(weighed, executor)
    return Report(figures, ending.broken + people.broken + weighed.broken + _errors())


def _errors() -> list[str]:
    """What the bot itself counted as refused or failed."""
    samples = [one for metric in metrics.ERRORS.collect() for one in metric.samples if one.value]
    return [f"{one.value:.0f} times {one.labels['id']}" for one in samples if one.name.endswith("_total")]


def _shares(times: Sequence[float]) -> str:
    """The median and the 99th percentile."""
    ordered = sorted(times) or [0.0]
    return ", ".join(f"{ordered[int(share * (len(ordered) - 1))] * 1000:.0f} ms" for share in (0.5, 0.99))


def run(chance: random.Random, short: bool) -> Report:
    """Measure all of it."""
    return asyncio.run(_run(chance, short))
