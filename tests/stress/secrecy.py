"""Law 3 end to end: nothing that leaves the process tells a viewer what they may not know.

A game is stopped, and a twin made of it that differs only in what a viewer may not know: the cards that lie
or are held face down, the rest of the deck, what others have ordered ahead. Then the viewer does in both
whatever a person can do, others make moves that show nothing new, and time passes. All that leaves for the
viewer and for the public must be equal byte for byte: requests with their files, the lines of the log, and
what the bot counts. The table and the private answer leave side by side, so of what one press sends only the
order of requests of the same kind to the same place is compared.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import random
import re
import sqlite3
import tempfile
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, patch

from discord import app_commands
from prometheus_client import REGISTRY

import bot
from cogs import controls, orders
from cogs.client import Client
from cogs.controls import parse_custom_id
from cogs.group import kanagawa
from cogs.guard import finish
from cogs.records import SHOWN
from kanagawa.state import State, View
from table.pace import turn_length
from table.store import open_store
from table.table import Session
from tests.engine.hidden import hidden_cards
from tests.stress.report import Report
from tests.stress.stand_in import EPHEMERAL, PEOPLE, Discord, Interaction, Person, Request, failure
from tests.stress.stand_in import controls as controls_of
from tests.stress.twins import SCALE, Clock, Position, Stop, copied, drawn_from, make_twin, open_moves, play

#: Who sits nowhere, and whom somebody asks to sit down for them.
SPECTATOR, FRIEND = PEOPLE + 8, PEOPLE + 9
#: The channel in which the bot and the viewer are alone.
DIRECT = 5
#: Codes of controls that change a game, or ask others to. They are pressed on purpose, not for a look.
CHANGES = {
    controls.UNDO,
    controls.CONCEDE,
    controls.MOVE_ON,
    controls.TAKE_OVER,
    controls.BACK,
    controls.ASK,
    controls.ALLOW,
    controls.REFUSE,
    controls.SIT,
    controls.NOT_SIT,
    controls.AGAIN,
}
#: What the custom IDs of others that change something begin with.
CHANGING = ("kglobby:", "kgforget:")
#: What is typed into every option that completes itself.
TYPED = ("", "t", "1")
#: How often a person opens something, at most, before they have seen enough.
ENOUGH = 120
#: So many moves are made in each world, at most, those that are taken back aside.
MOVES = 3
#: Fewer bits of a seed could be tried out.
SEED_BITS = 128
#: Where the lines of the log are kept, among all that leaves.
LOG = "log"


# What a person does ----------------------------------------------------------------------------------


#: The options of a command that are given, by name.
Options = dict[str, Any]
Part = Callable[["World"], Coroutine[Any, Any, None]]


@dataclass(frozen=True)
class Script:
    """What is done in both worlds, decided before either begins."""

    viewer: int
    #: The viewer's seat, or None.
    seat: int | None
    #: Some of the cards that the viewer may not know.
    guesses: tuple[str, ...]
    #: Moves that show the viewer nothing new, each with who makes it.
    moves: tuple[tuple[int, str], ...]
    #: Chooses in both worlds alike.
    chance: int
    #: What is done, one after the other.
    parts: Sequence[Part]


@dataclass
class Deed:
    """Something that is done, and what leaves meanwhile: by method and path, lines of the log apart."""

    doing: str
    left: dict[str, list[bytes]] = field(default_factory=dict[str, list[bytes]])

    def add(self, where: str, left: bytes) -> None:
        """Keep something that leaves."""
        self.left.setdefault(where, []).append(left)


@dataclass
class World:
    """A bot over one of two databases, with somebody before the screen; all that leaves it is kept."""

    position: Position
    script: Script
    far: Discord
    client: Client
    clock: Clock
    #: What has been done, and what left meanwhile.
    deeds: list[Deed] = field(default_factory=lambda: [Deed("beginning")])
    #: The commands that were sent, each with every option that it was sent with.
    sent: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    #: The controls that were opened.
    opened: set[tuple[str, str | None]] = field(default_factory=set[tuple[str, str | None]])
    #: How many moves were made.
    moved: int = 0

    @property
    def viewer(self) -> int:
        """Who is before the screen."""
        return self.script.viewer

    @property
    def game(self) -> int:
        """The game's ID."""
        return self.position.session.id

    @property
    def channel(self) -> int:
        """Where it is played."""
        return self.position.session.record.channel

    def begin(self, doing: str) -> None:
        """Begin to do something: what leaves from now on belongs to it."""
        self.deeds.append(Deed(doing))

    async def over(self, done: Interaction) -> Interaction:
        """Wait until all has been done for an interaction, also what is done beside its answer."""
        await done.over()
        await asyncio.gather(*self.client.publisher._beside)
        return done

    async def session(self) -> Session:
        """The game as it stands."""
        return await self.client.table.get(self.game)

    async def public(self) -> dict[str, Any]:
        """The message that shows the game."""
        message = (await self.session()).record.message
        assert message is not None
        return self.far.messages[message]

    async def command(
        self, name: str, options: Options | None = None, *, guild: bool = True, typing: str = ""
    ) -> Interaction:
        """The viewer sends a command, or types into one of its options."""
        options = options or {}
        self.begin(f"person {self.viewer} {'types' if typing else 'sends'} /kanagawa {name} {options}")
        if not typing:
            self.sent |= {(name, ""), *((name, option) for option in options)}
        place = self.channel if guild else DIRECT
        return await self.over(
            self.far.command(self.viewer, place, name, guild=guild, typing=typing, **options)
        )

    async def press(
        self, user: int, message: Mapping[str, Any], custom_id: str, value: str | None = None
    ) -> Interaction:
        """Somebody presses a button or chooses in a select; if the message has it not, as if it had."""
        self.begin(f"person {user} presses {custom_id} {value or ''}")
        current = self.far.messages.get(int(message["id"]), message)
        if all(one["custom_id"] != custom_id for one in controls_of(current["components"])):
            button = {"type": 2, "style": 2, "label": "forged", "custom_id": custom_id}
            row = {"type": 1, "components": [button]}
            current = {**current, "components": [*current["components"], row]}
        return await self.over(self.far.press(user, current, custom_id, value))

    def hear(self, request: Request) -> None:
        """Keep what leaves, unless it answers somebody else in private."""
        if request.interaction is None or request.interaction.user == self.viewer:
            # discord.py makes a nonce for every message, by chance alone.
            request.payload.pop("nonce", None)
            where = f"{request.method} {request.path}"
            words = json.dumps([where, request.payload], sort_keys=True)
            self.deeds[-1].add(where, b"\n".join((words.encode(), *request.files)))

    def see(self) -> None:
        """Keep what stands in the channels, for answers to others change public messages as well."""
        public = [one for one in self.far.messages.values() if not one["flags"] & EPHEMERAL]
        self.deeds[-1].add("channels", json.dumps(public, sort_keys=True).encode())


# Looking ---------------------------------------------------------------------------------------------


def recipes(script: Script, session: Session) -> Mapping[str, list[Options]]:
    """What a viewer sends of each command to look: its options, for every time that they send it.

    A command that is not here, and an option that is never given, are reported.
    """
    # Without options a move can be sent for a look only where it is refused.
    refused: list[Options] = [] if session.to_move == script.seat else [{}]
    cards = script.guesses
    return {
        "new": [{}, {"pace": "live"}, {"thread": True}],
        "solo": [{}, {"seed": "hokusai"}, {"challenge": "day"}],
        "cancel": [{}],
        "table": [{}],
        "hand": [{}],
        "look": _every_look(session),
        "score": [{}],
        "games": [{}],
        "log": [{}],
        "stats": [
            {},
            *({"show": one} for one in SHOWN),
            {"seed": "hokusai", "everywhere": True},
            {"share": True},
        ],
        "poster": [{}, {"game": str(session.id)}],
        "replay": [{}, {"game": str(session.id)}],
        "help": [{}, {"page": "about"}],
        "rules": [{}],
        "notify": [
            {},
            {"how": "dm"},
            {"how": "mention", "mute": True},
            {"quiet": "22-7", "zone": "Europe/Berlin"},
            {"away": "3 days"},
            {"away": "off"},
            {"quiet": "soon"},
            {"quiet": "off", "mute": False},
        ],
        "forget": [{}],
        "concede": [{}, {"friend": Person(FRIEND)}, {"friend": Person(PEOPLE)}],
        "stay": refused,
        "done": refused,
        "undo": refused,
        "take": [{"column": "zz"}, {"column": "9"}],
        "studio": [{"card": "zz"}, *({"card": f"studio.{card}"} for card in cards)],
        "print": [{"card": "zz"}, *({"card": f"print.{card}.0"} for card in cards)],
        "brush": [{"move": "zz"}, {"move": "place.20"}],
        "diploma": [{"choice": "zz"}],
    }


def _every_look(session: Session) -> list[Options]:
    """Every player as they are, and every round that is over with one player after the other."""
    view: View = session.view(None)
    players = [str(seat) for seat in range(1, len(view.players) + 1)]
    rounds = zip(range(1, view.round + 1), itertools.cycle(players), strict=False)
    now: list[Options] = [{}, {"player": "zz"}, *({"player": one} for one in players)]
    return [*now, *({"player": one, "round": number} for number, one in rounds)]


async def look(world: World) -> None:
    """Everything that is no move: commands, completions, and whatever can be opened by clicks."""
    for name, sendings in recipes(world.script, await world.session()).items():
        for options in sendings:
            done = await world.command(name, options)
            await open_all(world, done.seen)
    await complete_all(world)
    await world.command("games", guild=False)
    await world.command("stats", guild=False)
    await open_all(world, [await world.public()])


async def complete_all(world: World) -> None:
    """Type something into every option that completes itself."""
    for command in kanagawa.commands:
        assert isinstance(command, app_commands.Command)
        for option in command.parameters:
            for typed in TYPED if option.autocomplete else ():
                name = option.display_name
                await world.command(command.name, {name: typed}, typing=name)


async def open_all(world: World, messages: Iterable[Mapping[str, Any]]) -> None:
    """Press whatever on these messages is a look, and so on in what that shows."""
    waiting = list(messages)
    while waiting and len(world.opened) < ENOUGH:
        message = waiting.pop(0)
        for custom_id, value in _ways(message):
            if (custom_id, value) not in world.opened and is_look(custom_id, value):
                world.opened.add((custom_id, value))
                waiting += (await world.press(world.viewer, message, custom_id, value)).seen


def _ways(message: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    """The controls of a message: each with what can be chosen in it, None for a button."""
    for one in controls_of(message["components"]):
        if not one.get("disabled"):
            for option in one.get("options") or ({},):
                yield str(one["custom_id"]), option.get("value")


def is_look(custom_id: str, value: str | None) -> bool:
    """Whether a control changes no game. Orders ahead count as looks: they are the viewer's own."""
    pressed = parse_custom_id(custom_id)
    if pressed is None:
        leaves = re.fullmatch("kgleave:[0-9]+:.*", custom_id)
        return not leaves and not custom_id.startswith(CHANGING)
    code = value or pressed.code
    return code.startswith("?") and code.partition(".")[0] not in CHANGES


# Trying what is not allowed, and asking --------------------------------------------------------------


async def try_all(world: World) -> None:
    """What is refused: old buttons, forged ones, other people's, cards that somebody might hold."""
    session = await world.session()
    own = session.game.legal(session.state, world.script.seat) if world.script.seat is not None else ()
    allowed = {session.game.code(one) for one in own}
    guessed = [code for card in world.script.guesses for code in (f"studio.{card}", f"print.{card}.0")]
    forged = ["take.1", "take.4", "stay", "done", "pass", "place.0", "move.0.1", "claim.tree-3", *guessed]
    asked = [controls.MOVE_ON, controls.AGAIN, f"{controls.ALLOW}.x", f"{controls.SIT}.x", "?what"]
    asked += [f"{controls.TAKE_OVER}.{seat}" for seat in range(5) if seat not in session.free]
    message = await world.public()
    for code in (*forged, *asked):
        if code not in allowed:
            await world.press(world.viewer, message, f"kg:{session.id}:{session.version}:{code}")
    for custom_id in (
        f"kg:{session.id}:{session.version - 1}:take.1",
        f"kg:{session.id}:{session.version}:{controls.BENCH}.99.0",
        f"kg:{session.id + 1}:0:{controls.MY_TABLE}",
        "kg:x",
        f"kglobby:{session.id}:start",
        f"kglobby:{session.id}:join",
        "kgguide:help:9",
    ):
        await world.press(world.viewer, message, custom_id)
    # A page of the log is turned where one is: a table cannot become one.
    log = (await world.command("log")).seen[-1]
    for custom_id in (f"kglog:{session.id}:99", f"kglog:{session.id + 1}:0"):
        await world.press(world.viewer, log, custom_id)


async def ask(world: World) -> None:
    """Withdraw what was ordered, ask for the last turn back; the others refuse it, a friend the seat."""
    session = await world.session()
    prefix = f"kg:{session.id}:{session.version}:"
    message = await world.public()
    await world.press(world.viewer, message, prefix + orders.spelled(session.game.situation(session.state)))
    # What a person may take back by themselves is taken back at once; the moves are made after it.
    seat = world.script.seat
    alone = seat is not None and await world.client.table.can_undo(session, seat)
    if len(session.seats) > 1 and not alone:
        await world.press(world.viewer, message, prefix + controls.ASK)
    for one in list(world.far.messages.values()):
        for custom_id, _ in _ways(one):
            if controls.REFUSE in custom_id:
                other = next(seat.user for seat in session.seats if seat.user != world.viewer)
                await world.press(other, one, custom_id)
            elif controls.NOT_SIT in custom_id:
                await world.press(FRIEND, one, custom_id)
    world.see()


# Moving, and letting time pass -----------------------------------------------------------------------


async def move(world: World) -> None:
    """Make the moves that show nothing new; after each the viewer looks at what came of it."""
    chance = random.Random(world.script.chance)
    for user, code in world.script.moves:
        session = await world.session()
        if user == world.viewer and code in ("stay", "done") and chance.random() < 0.5:
            await world.command(code)
        else:
            custom_id = f"kg:{session.id}:{session.version}:{code}"
            await world.press(user, await world.public(), custom_id)
        world.moved += (await world.session()).version > session.version
        world.see()
        for name in ("hand", "games", "score"):
            await world.command(name)


async def wait(world: World) -> None:
    """Let half of the turn's time go by, and all of it: somebody is reminded, and the table says so."""
    session = await world.session()
    length = turn_length(session.record.options)
    for part in (0.5, 1.0) if length is not None else ():
        world.clock.now = session.began + part * (length or 0.0) + 1
        world.begin(f"{part} of the time has gone by")
        pace = world.client.pace
        await pace._look()
        await asyncio.gather(*pace._tasks.values())
        await asyncio.gather(*world.client.publisher._beside)
        world.see()
        await world.command("hand")


async def fail(world: World) -> None:
    """Let things fail: Discord, the drawing of pictures, and at last the reading of the database."""
    world.far.fault = _out_of_order
    await world.command("table")
    world.far.fault = lambda method, path: None
    with patch.object(world.client.publisher.easel, "_scale", "small"):
        await world.command("hand")
        await world.command("table")
    session = await world.session()
    world.client.table._cache.clear()
    damaged = session.game.encode(session.state)[:-9]
    with patch.object(world.client.table.store, "state", AsyncMock(return_value=damaged)):
        for name in ("hand", "table", "games", "log"):
            await world.command(name)


def _out_of_order(method: str, path: str) -> None:
    if method in ("POST", "PATCH") and path.startswith("/channels"):
        raise failure(503)


#: All that is done in each world.
EVERYTHING: Sequence[Part] = (look, try_all, ask, move, wait, fail)


# Comparing -------------------------------------------------------------------------------------------


class Lines(logging.Handler):
    """Keeps every line of the log, as it would be written but for the time."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        self.world: World | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self.world is not None:
            self.world.deeds[-1].add(LOG, self.format(record).encode())


@contextmanager
def listening() -> Iterator[Lines]:
    """Log as the bot does at its most talkative, into memory alone."""
    lines, root, disabled = Lines(), logging.getLogger(), logging.root.manager.disable
    logging.disable(logging.NOTSET)
    bot.set_up_logging(bot.Settings(log_level="DEBUG"))
    root.handlers[:] = [lines]
    try:
        yield lines
    finally:
        root.handlers.clear()
        logging.disable(disabled)


def figures() -> dict[str, float]:
    """What is told of the bot from outside: the figures of this process, but for those that measure time."""
    samples = [sample for metric in REGISTRY.collect() for sample in metric.samples]
    return {
        f"{sample.name} {sample.labels}": sample.value
        for sample in samples
        if sample.name.startswith("kanagawa_") and not sample.name.endswith(("_bucket", "_sum", "_created"))
    }


async def live(position: Position, database: Path, script: Script, executor: Executor, lines: Lines) -> World:
    """Do all of the script in one world."""
    clock = Clock(position.now)
    far = position.far.again(clock)
    async with open_store(database, clock) as store:
        # A step that waited for a pause would be shown during another press in each world.
        client = bot.build(store, executor, SCALE, clock, pause=0)
        world = World(position, script, far, client, clock)
        far.heard, lines.world = world.hear, world
        await far.connect(client)
        # Time passes where the script says so, and is served there.
        client.pace.stop()
        await finish(client)
        await bot.publish_all(client)
        before = figures()
        for part in script.parts:
            await part(world)
        grown = {name: value - before.get(name, 0) for name, value in figures().items()}
        # A figure that something earlier counted first is there in both, or in the second alone.
        grown = {name: value for name, value in grown.items() if value}
        world.begin("the figures")
        world.deeds[-1].add("figures", json.dumps(grown, sort_keys=True).encode())
        lines.world = None
        await client.close()
    return world


def difference(one: World, other: World) -> str | None:
    """The first thing in which two worlds differ, in words; None where there is none."""
    nothing = Deed("nothing more")
    for deed, twin in itertools.zip_longest(one.deeds, other.deeds, fillvalue=nothing):
        if deed.doing != twin.doing:
            return f"{deed.doing} becomes {twin.doing}"
        for where in sorted({*deed.left, *twin.left}):
            pairs = itertools.zip_longest(_compared(deed, where), _compared(twin, where), fillvalue=b"")
            for left, instead in pairs:
                if left != instead:
                    return f"{deed.doing}: {_first_difference(left, instead)}"
    return None


def _compared(deed: Deed, where: str) -> list[bytes]:
    """What left in one way, as it is compared: lines of the log come from all that is done side by side."""
    left = deed.left.get(where, [])
    return sorted(left) if where == LOG else left


def _first_difference(left: bytes, instead: bytes) -> str:
    pairs = enumerate(itertools.zip_longest(left, instead))
    at = next(at for at, (mine, theirs) in pairs if mine != theirs)
    part = slice(max(at - 60, 0), at + 60)
    return f"{left[part]!r} becomes {instead[part]!r}"


class Bench:
    """Makes positions, and pairs of worlds of the same position; one after the other."""

    def __init__(self, folder: Path, executor: Executor, lines: Lines, chance: random.Random) -> None:
        self._folder, self._executor, self._lines, self._chance = folder, executor, lines, chance
        self._made = itertools.count()
        #: With how many bits seeds were drawn, and the newest game's seed.
        self.bits: list[int] = []
        self.seed = 0

    def positions(self, people: int, stop: Stop, most: int) -> list[Position]:
        """Positions of a new game, so many at most."""
        database = self._folder / f"game-{next(self._made)}.sqlite3"
        with drawn_from(self._chance) as draws:
            found = asyncio.run(play(people, database, self._executor, self._chance, stop, most))
        self.bits += draws.bits
        (self.seed,) = draws.seeds
        return found

    def pair(
        self, position: Position, viewer: int, parts: Sequence[Part] = EVERYTHING
    ) -> tuple[World, World]:
        """What leaves for a viewer in a position, and in a twin of it."""
        session, chance = position.session, self._chance
        seat = session.seat_of(viewer)
        one, other = (self._folder / f"world-{next(self._made)}.sqlite3" for _ in range(2))
        copied(position.database, one)
        waiting = make_twin(position, seat, other, chance) | set(session.free)
        moves = open_moves(position.state, seat, waiting, chance, MOVES)
        hidden = [*hidden_cards(position.state, seat), *position.state.deck[position.state.dealt :]]
        script = Script(
            viewer,
            seat,
            guesses=tuple(hidden[:1] + hidden[-1:]),
            moves=tuple((session.seats[mover].user, code) for mover, code in moves),
            chance=chance.getrandbits(32),
            parts=parts,
        )
        worlds = [
            asyncio.run(live(position, database, script, self._executor, self._lines))
            for database in (one, other)
        ]
        return worlds[0], worlds[1]


# The part --------------------------------------------------------------------------------------------


@dataclass
class Count:
    """What has been compared so far, and what is broken."""

    pairs: int = 0
    requests: int = 0
    lines: int = 0
    size: int = 0
    moves: int = 0
    differences: int = 0
    sent: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    broken: list[str] = field(default_factory=list[str])

    def add(self, one: World, other: World, seeds: Iterable[bytes]) -> None:
        """Count a pair of worlds, in which the same has been done."""
        self.pairs += 1
        for deed in one.deeds:
            for where, left in deed.left.items():
                self.size += sum(map(len, left))
                if where == LOG:
                    self.lines += len(left)
                else:
                    self.requests += len(left)
        self.moves += one.moved
        self.sent |= one.sent
        people = len(one.position.session.seats)
        if found := difference(one, other):
            self.differences += 1
            self.broken.append(f"game of {people}: {found}")
        if one.moved != len(one.script.moves):
            self.broken.append(f"game of {people}: of {one.script.moves} only {one.moved} could be made")
        for deed in one.deeds:
            if any(seed in left for sent in deed.left.values() for left in sent for seed in seeds):
                self.broken.append(f"game of {people}: {deed.doing}: the seed leaves the process")


def run(chance: random.Random, short: bool) -> Report:
    """Compare what leaves for every viewer in positions of games of one to four people."""
    count = Count()
    games, stops, longest = ((2, 1), 1, 20) if short else ((2, 3, 4, 1) * 2, 2, 130)
    places = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        ThreadPoolExecutor(1) as executor,
        listening() as lines,
    ):
        bench = Bench(Path(folder), executor, lines, chance)
        for people in games:
            chosen = chance.sample(range(longest), stops)
            found = bench.positions(people, lambda number, state, chosen=chosen: number in chosen, stops)
            places += len(found)
            count.broken += kept_seed(found, bench.seed)
            for position in found:
                for viewer in (*(one.user for one in position.session.seats), SPECTATOR):
                    count.add(*bench.pair(position, viewer), spelled(bench.seed))
        noticed = plant_leaks(bench)
    if min(bench.bits) < SEED_BITS:
        count.broken.append(f"a seed of {min(bench.bits)} bits can be guessed")
    count.broken += never_sent(count.sent)
    if noticed < len(LEAKS):
        count.broken.append(f"of {len(LEAKS)} leaks that were planted only {noticed} were noticed")
    report = {
        "games": len(games),
        "positions": places,
        "viewers, each in a position and in its twin": count.pairs,
        "commands and options sent": len(count.sent),
        "moves that show nothing new": count.moves,
        "requests compared": count.requests,
        "lines of the log compared": count.lines,
        "bytes compared": f"{count.size:_}",
        "differences": count.differences,
        "leaks planted on purpose, and noticed": f"{len(LEAKS)}, {noticed}",
        "bits of a seed that is drawn": min(bench.bits),
    }
    return Report(report, count.broken)


def never_sent(sent: set[tuple[str, str]]) -> list[str]:
    """The registered commands and options that were not compared, for no recipe has them."""
    missing: list[str] = []
    for command in kanagawa.commands:
        assert isinstance(command, app_commands.Command)
        names = ("", *(option.display_name for option in command.parameters))
        missing += [
            f"no recipe sends /kanagawa {command.name} {name}".rstrip()
            for name in names
            if (command.name, name) not in sent
        ]
    return missing


# Planted on purpose ----------------------------------------------------------------------------------

#: What hides something, what would hide nothing in its place, and where there is something to hide.
LEAKS: Sequence[tuple[str, Callable[..., Any], Callable[[State], bool]]] = (
    ("_public", lambda player: player, lambda state: any(one.secret for one in state.players)),
    ("shown_column", lambda column, number: column, lambda state: bool(_face_down(state))),
)


def _face_down(state: State) -> list[str]:
    """The cards that lie face down in the School."""
    held = {card for player in state.players for card in player.secret}
    return [card for card in hidden_cards(state, None) if card not in held]


def plant_leaks(bench: Bench) -> int:
    """Let the rules tell what they hide, each time in one way; how many of the :data:`LEAKS` are noticed."""
    noticed = 0
    for name, honest, hides in LEAKS:
        for position in bench.positions(3, lambda number, state, hides=hides: hides(state), 1):
            with patch(f"kanagawa.rules.{name}", honest):
                noticed += difference(*bench.pair(position, SPECTATOR, [look])) is not None
    return noticed


# The seed --------------------------------------------------------------------------------------------


def spelled(seed: int) -> tuple[bytes, bytes]:
    """A seed as it could stand somewhere."""
    return str(seed).encode(), f"{seed:x}".encode()


def kept_seed(positions: Sequence[Position], seed: int) -> list[str]:
    """What is broken where the seed of a game can be read in the database."""
    return [
        "the seed of a game stands in the database"
        for position in positions
        if any(one in _contents(position.database) for one in spelled(seed))
    ]


def _contents(database: Path) -> bytes:
    """All values of a database."""
    with closing(sqlite3.connect(database)) as opened:
        tables = [name for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        values = [
            value for name in tables for row in opened.execute(f'SELECT * FROM "{name}"') for value in row
        ]
    return b"\n".join(one if isinstance(one, bytes) else str(one).encode() for one in values)
