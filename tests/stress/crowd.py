"""A server full of strangers: whole interactions through the bot, each of them looked at."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import random
import re
import tempfile
import time
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import discord

import bot
from cogs import guard
from cogs.client import Client
from cogs.controls import parse_custom_id
from cogs.easel import Easel
from cogs.group import kanagawa
from cogs.texts import Words, clean_name, escaped_name
from kanagawa import actions, rules
from table.errors import TableError
from table.store import open_store
from table.table import MAX_SEATS, Session
from tests.stress import oddities
from tests.stress.stand_in import EPHEMERAL, PEOPLE, Discord, Interaction, Person, Request, controls, text_of

#: What custom IDs of the bot begin with: with anything else nobody's button was pressed.
OURS = ("kg:", "kglobby:", "kglog:", "kgguide:", "kgforget:", "kgleave:")
#: Codes of those buttons with which also who has no seat may change a game: they sit down.
SITTING_DOWN = ("join", "?over", "?back", "?sit", "?notsit")
#: What the codes of buttons begin with that are under questions, in messages of plain text.
QUESTIONS = ("?concede", "?allow", "?refuse", "?sit", "?notsit")
#: Everything but managing messages: nobody is a moderator.
PERMISSIONS = str(discord.Permissions.all().value & ~discord.Permissions(manage_messages=True).value)
GUESTS = PEOPLE + 100
KEPT = 60


class Here(Executor):
    """Does at once what it is given."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        done = Future[Any]()
        done.set_result(fn(*args, **named))
        return done


class Blank(Easel):
    """Draws nothing, and counts how often each picture was to be drawn."""

    def __init__(self) -> None:
        super().__init__(Here())
        self.drawn: Counter[Any] = Counter()

    def _draw(self, kind: str, shown: Any, args: tuple[Any, ...]) -> bytes:
        self.drawn[kind, tuple(shown) if isinstance(shown, list) else shown, args] += 1
        return b""

    async def _draw_apart(self, views: Sequence[Any]) -> bytes:
        return self._draw("replay", list(views), ())


class Ear(logging.Handler):
    """Hears what is logged as an error or with a traceback."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR or record.exc_info:
            self.heard.append(f"{record.name}: {record.getMessage()} {(record.exc_info or ('', ''))[1]!r}")


@contextmanager
def listening() -> Iterator[Ear]:
    """While it lasts, all that is logged is heard, and nothing shown."""
    root, ear = logging.getLogger(), Ear()
    before, disabled = (root.handlers[:], root.level), root.manager.disable
    root.handlers[:] = [ear]
    root.setLevel(logging.INFO)
    logging.disable(logging.NOTSET)
    try:
        yield ear
    finally:
        root.handlers[:], level = before
        root.setLevel(level)
        logging.disable(disabled)


class Findings:
    """What was counted, and what should not have been, each sort of it once."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self._broken: dict[str, str] = {}

    @property
    def broken(self) -> list[str]:
        return list(self._broken.values())

    def wrong(self, sort: str, told: str) -> None:
        """Note something that should not have been."""
        self.counts[sort] += 1
        self._broken.setdefault(f"{sort} {told[:60]}", f"{sort}: {told[:600]}")


@contextmanager
def counting(findings: Findings) -> Iterator[None]:
    """While it lasts, every error that is explained to somebody is counted by its ID."""
    explain = guard.explain

    async def counted(interaction: guard.Interaction, error: Exception, game: int | None = None) -> None:
        findings.refusals[getattr(error, "id", type(error).__name__)] += 1
        await explain(interaction, error, game)

    guard.explain = counted
    try:
        yield
    finally:
        guard.explain = explain


class Sitting:
    """A server with a game in every state there is, players and strangers with odd names."""

    def __init__(self, far: Discord, client: Client, chance: random.Random) -> None:
        self.far, self.client, self.table, self.chance = far, client, client.table, chance
        self.easel = client.publisher.easel = Blank()
        self.sent: list[Request] = []
        far.heard = self.sent.append
        far.permissions = PERMISSIONS
        self.people = [*range(PEOPLE, PEOPLE + 4), *range(GUESTS, GUESTS + 4)]
        far.names |= {one: oddities.name(chance, one) for one in self.people}
        self.commands = {
            one.name: one.parameters
            for one in kanagawa.walk_commands()
            if isinstance(one, discord.app_commands.Command)
        }

    # What there is ------------------------------------------------------------------------------

    async def fill(self) -> None:
        """Open games and leave them in every state; have every message posted that there is."""
        ann, ben, cleo, dan = range(PEOPLE, PEOPLE + 4)
        playing, lobby, alone, over, late, gone = self.far.channels[:6]
        await self._play(await self._start(over, ann, ben), 10_000)
        await self._play(await self._start(playing, ann, ben, cleo), self.chance.randrange(40))
        await self._command(dan, lobby, "new")
        await self._press(dan, "Join", lobby, by=ann)
        await self._command(ben, alone, "solo")
        game = await self._start(late, dan, cleo, ann, pace="live")
        await self._play(game, self.chance.randrange(30))
        await self.table.concede(game, cleo)
        await self._start(gone, cleo, dan)
        await self.table.cancel((await self.table.at(gone)).id, 0, moderator=True)
        self.ahead += 11 * 60
        await self.table.clock(game)
        for record in await self.table.store.live():
            await self.client.publisher.publish(record.id)
        await self.client.publisher.publish(1)
        await self._command(ann, playing, "concede", friend=Person(GUESTS))
        for name in (
            "help",
            "rules",
            "games",
            "stats",
            "notify",
            "log",
            "hand",
            "cancel",
            "concede",
            "forget",
        ):
            await self._command(ann, playing, name)
        mover = await self._mover(playing)
        await self._command(mover, playing, "hand")
        with suppress(TableError):
            session = await self.table.at(playing)
            await self.table.ask_undo(session.id, mover, session.version)

    ahead = 0.0

    async def _command(self, user: int, channel: int, name: str, **options: Any) -> Interaction:
        return await self.far.command(user, channel, name, **options).over()

    async def _press(self, host: int, label: str, channel: int, *, by: int) -> None:
        record = (await self.table.at(channel)).record
        message = self.far.messages[record.message or 0]
        await self.far.press(by, message, self.far.shows(message, label)).over()

    async def _start(self, channel: int, host: int, *others: int, pace: str = "none") -> int:
        await self._command(host, channel, "new", pace=pace)
        for one in others:
            await self._press(host, "Join", channel, by=one)
        await self._press(host, "Start", channel, by=host)
        return (await self.table.at(channel)).id

    async def _play(self, game: int, moves: int) -> None:
        session = await self.table.get(game)
        while moves and session.to_move is not None:
            code = actions.code(self.chance.choice(rules.legal(session.state, session.to_move)))
            user = session.seats[session.to_move].user
            session = await self.table.act(game, user, session.version, code)
            moves -= 1

    async def _mover(self, channel: int) -> int:
        session = await self.table.at(channel)
        return session.seats[session.to_move or 0].user

    # What somebody sends ------------------------------------------------------------------------

    def anything(self) -> tuple[Interaction, str, str]:
        """Somebody does something: what came of it, which of our custom IDs was pressed, what was typed."""
        user = self.chance.choice(self.people)
        if self.chance.random() < 0.45:
            return self._any_command(user)
        return self._any_press(user)

    def _any_command(self, user: int) -> tuple[Interaction, str, str]:
        chance = self.chance
        name = chance.choice(sorted(self.commands))
        channel, options, typed = chance.choice(self.far.channels), dict[str, Any](), ""
        parameters = self.commands[name]
        for one in parameters:
            if one.required or chance.random() < 0.7:
                options[one.display_name] = self._value(one)
                typed += str(options[one.display_name])
        typing = [one.display_name for one in parameters if one.autocomplete and one.display_name in options]
        # While one types Discord sends text, whatever it is of.
        typing = [one for one in typing if isinstance(options[one], str)]
        writing = typing[0] if typing and chance.random() < 0.4 else ""
        if chance.random() < 0.02:
            options[chance.choice(("other", "column", "friend"))] = oddities.text(chance)
        if chance.random() < 0.02 and not writing:
            name = chance.choice(("gone", "", name.upper(), oddities.text(chance, 32)))
        server = chance.random() < 0.85
        place = channel if server else 7_000_000 + user
        return self.far.command(user, place, name, guild=server, typing=writing, **options), "", typed

    def _value(self, parameter: discord.app_commands.Parameter) -> Any:
        chance, kind = self.chance, parameter.type
        if chance.random() < 0.03:
            return chance.choice((True, 3, 2.5, "text", Person(PEOPLE)))
        if kind is discord.AppCommandOptionType.integer:
            return chance.choice(oddities.NUMBERS)
        if kind is discord.AppCommandOptionType.boolean:
            return chance.random() < 0.5
        if kind is discord.AppCommandOptionType.user:
            return Person(chance.choice([*self.people, 2, 1, 2**63 - 1]))
        if parameter.choices and chance.random() < 0.7:
            return str(chance.choice(parameter.choices).value)
        if chance.random() < 0.5:
            right = ("1", "2", "take.1", "done", "off", "22-7", "Europe/Paris", "UTC", f"q{PEOPLE}z", "tree")
            return oddities.mutated(chance, chance.choice(right))
        odd = oddities.text(chance, chance.choice((6000, 100, 30)))
        # A seed is the one thing that is typed for others to read.
        if parameter.name == "seed":
            return odd[:24] or "x"
        return (oddities.ECHO + odd)[:6000] if chance.random() < 0.5 else odd

    def _any_press(self, user: int) -> tuple[Interaction, str, str]:
        chance = self.chance
        message, control = self._control()
        custom_id = was = str(control["custom_id"])
        values = [str(one["value"]) for one in control.get("options", ())]
        value = chance.choice(values) if values else None
        kind = chance.random()
        if kind < 0.2:
            custom_id = oddities.mutated(chance, custom_id)
        elif kind < 0.4:
            custom_id = self._forged(custom_id)
        elif kind < 0.45:
            custom_id = oddities.ECHO + oddities.text(chance, 100)
        if value is not None and chance.random() < 0.3:
            value = oddities.mutated(chance, value)
        elif value is not None and chance.random() < 0.2:
            value = oddities.ECHO + oddities.text(chance, 100)
        if custom_id != was:
            message = copy.deepcopy(message)
            next(one for one in controls(message["components"]) if one["custom_id"] == was)["custom_id"] = (  # type: ignore[index]
                custom_id
            )
        return self.far.press(user, message, custom_id, value), custom_id, f"{custom_id} {value}"

    def _control(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """A button or a select of any message."""
        while True:
            message = self.far.messages[self.chance.choice(list(self.far.messages))]
            if found := list(controls(message["components"])):
                return message, self.chance.choice(found)

    def _forged(self, custom_id: str) -> str:
        """A custom ID of another game, another version, or for something else."""
        chance = self.chance
        pressed = parse_custom_id(custom_id)
        # A table cannot become the answer to a question, nor that a table.
        question = pressed is None or pressed.code.startswith(QUESTIONS)
        codes = (
            "?concede", f"?allow.{PEOPLE}", f"?refuse.{PEOPLE}", f"?sit.{PEOPLE}", f"?notsit.{PEOPLE}",
            "?allow.x", "?unknown", oddities.text(chance, 70),
        ) if question else (
            "stay", "take.1", "take.3", "done", "pass", "?table", "?bench.display.0", "?bench.new.9", "?undo",
            "?moveon", "?over.0", "?over.1", "?over.9", "?back", "?ask", "?again", "?pick.studio",
            "?order.1-1.take.1", "?order", "studio.T01", "print.T08.2+5", "?unknown",
            oddities.text(chance, 70),
        )  # fmt: skip
        game = chance.choice((*range(9), 10**17, 10**18 - 1))
        if custom_id.startswith("kglobby:"):
            # Nor can a lobby.
            asked = custom_id.endswith("-yes")
            codes = ("cancel-yes", "end-yes", "x") if asked else ("join", "leave", "start", "cancel", "x")
            return f"kglobby:{game}:{chance.choice(codes)}"
        if custom_id.startswith("kglog:"):
            return f"kglog:{game}:{chance.choice((0, 1, 9999, -1))}"
        if custom_id.startswith("kgleave:"):
            whose, what = chance.choice((PEOPLE, GUESTS)), chance.choice(("lobby", "game", "away", "x"))
            return f"kgleave:{whose}:{game}:{chance.choice((1, 2))}.:{what}"
        if custom_id.startswith("kgguide:"):
            return (
                f"kgguide:{chance.choice(('help', 'rules', 'x', ''))}:{chance.choice((0, 6, 7, '٣', 'list'))}"
            )
        same = pressed is not None and chance.random() < 0.5
        version = pressed.version if same and pressed else chance.choice((*range(40), 10**9 - 1))
        return f"kg:{pressed.game if same and pressed else game}:{version}:{chance.choice(codes)}"


# Looking at what came of it --------------------------------------------------------------------------


class Judge:
    """Looks at each interaction: that it was answered, once, and what all that was sent says."""

    def __init__(self, sitting: Sitting, findings: Findings, ear: Ear) -> None:
        self._sitting, self._findings, self._ear = sitting, findings, ear
        names = sitting.far.names.values()
        self._raw = {
            one
            for name in names
            for one in (name, clean_name(name))
            if one not in escaped_name(name) and len(one) > 3
        }
        self._apology = Words("en")("error-incident", incident="").partition("incident")[0]

    async def games(self) -> dict[int, tuple[Any, ...]]:
        """What nobody changes who has no seat: by the game's ID."""
        found = dict[int, tuple[Any, ...]]()
        for record in await self._sitting.table.store.live():
            one: Session = await self._sitting.table.get(record.id)
            row = one.record
            found[one.id] = (one.version, row.seats, row.finished, row.host, row.asks, dict(one.orders))
        return found

    async def look(
        self, done: Interaction, custom_id: str, typed: str, before: Mapping[int, tuple[Any, ...]]
    ) -> None:
        """Judge an interaction that is over."""
        what = f"{custom_id!a} {typed[:80]!a} by {done.user}"
        sent, self._sitting.sent[:] = list(self._sitting.sent), []
        self._answered(done, custom_id, sent, what)
        after = await self.games()
        rows = (*before.values(), *after.values())
        people = {seat.user for row in rows for seat in row[1]} | {
            ask.friend for row in rows for ask in row[4]
        }
        for request in sent:
            self._said(request, typed, people, what)
        for one in self._ear.heard:
            self._findings.wrong("tracebacks", f"{what}: {one}")
        self._ear.heard.clear()
        for task in done.tasks:
            if error := task.exception():
                self._findings.wrong("tracebacks", f"{what}: {error!r}")
        for game, row in before.items():
            if game in after and after[game] != row and not _may(done.user, custom_id, row):
                self._findings.wrong("games changed by strangers", f"{what}: game {game}")

    def _answered(self, done: Interaction, custom_id: str, sent: Sequence[Request], what: str) -> None:
        answers = sum(one.interaction is done and one.path.endswith("/callback") for one in sent)
        expected = 0 if custom_id and not custom_id.startswith(OURS) else 1
        if answers != expected or done.loading:
            self._findings.wrong("not answered once", f"{what}: {answers} answers, waiting: {done.loading}")
        private = {
            one["id"] for one in done.seen if one["flags"] & EPHEMERAL and one["id"] != str(done.source)
        }
        if len(private) > 1:
            self._findings.wrong("answered twice", f"{what}: {done.said!a}")
        if self._apology in done.said:
            self._findings.wrong("incidents", what)
        if Words("en")("error-commands-changed") in done.said:
            self._findings.refusals["error-commands-changed"] += 1
        if any(len(one["name"]) > 100 for one in done.suggested) or len(done.suggested) > 25:
            self._findings.wrong("suggestions too long", what)

    def _said(self, request: Request, typed: str, people: Collection[int], what: str) -> None:
        """That what left pings nobody else, holds no name as it is, and nothing of what was typed."""
        payload = request.payload
        if request.path.endswith("/callback"):
            if payload["type"] not in (4, 7):
                return
            payload = payload["data"]
        if request.method not in ("POST", "PATCH") or not {"content", "components"} & payload.keys():
            return
        self._findings.counts["messages"] += 1
        allowed = payload.get("allowed_mentions")
        if allowed is None or allowed.get("parse") or not {*map(int, allowed.get("users", ()))} <= {*people}:
            self._findings.wrong("pings", f"{what}: {request.method} {request.path} {allowed}")
        elif allowed.get("roles"):
            self._findings.wrong("pings", f"{what}: {allowed}")
        # In code nothing is read as markdown or as a mention.
        said = re.sub(r"```.*?```", "", text_of(payload), flags=re.DOTALL)
        for one in (*self._raw, "@everyone", "@here"):
            if one in said:
                self._findings.wrong("unescaped", f"{what}: {one!a} in {said!a}")
        if oddities.ECHO in typed and oddities.ECHO in json.dumps(payload):
            self._findings.wrong("echoed", f"{what}: {said!a}")


def _may(user: int, custom_id: str, row: tuple[Any, ...]) -> bool:
    """Whether a person can have changed a game: they sit in it, were asked to, or sat down."""
    sits = any(seat.user == user for seat in row[1]) or any(ask.friend == user for ask in row[4])
    return sits or custom_id.split(":")[-1].partition(".")[0] in SITTING_DOWN


# The parts -------------------------------------------------------------------------------------------


class Slow(Discord):
    """Discord as far away as it is, so that what is sent at once is under way at once."""

    async def answer(self, method: str, path: str, body: Mapping[str, Any]) -> Any:
        await asyncio.sleep(0.002)
        return await super().answer(method, path, body)


@asynccontextmanager
async def sitting(
    chance: random.Random, kind: type[Discord] = Discord, channels: int = 8
) -> AsyncGenerator[Sitting]:
    """A server with games in it, and the bot connected to it."""
    begin = time.time()
    made: list[Sitting] = []

    def now() -> float:
        return begin + (made[0].ahead if made else 0)

    with tempfile.TemporaryDirectory() as folder:
        async with open_store(Path(folder) / bot.DATABASE) as store:
            far, client = kind(channels, now), bot.build(store, Here(), 0.5, now)
            await far.connect(client)
            made.append(Sitting(far, client, chance))
            try:
                yield made[0]
            finally:
                await client.close()


async def interactions(chance: random.Random, count: int, findings: Findings, ear: Ear) -> None:
    """So many interactions of anybody with anything."""
    while findings.counts["interactions"] < count:
        async with sitting(chance) as world:
            await world.fill()
            world.sent.clear()
            for one in ear.heard:
                findings.wrong("tracebacks", f"while games are opened: {one}")
            ear.heard.clear()
            judge, kept = Judge(world, findings, ear), deque[Interaction]()
            for _ in range(min(500, count)):
                before = await judge.games()
                done, custom_id, typed = world.anything()
                await done.over()
                await judge.look(done, custom_id, typed, before)
                findings.counts["interactions"] += 1
                kept.append(done)
                if len(kept) > KEPT:
                    world.far.forget(kept.popleft())
                world.ahead += 0.01


#: So often the same is sent at once.
FLOOD = 50


async def floods(chance: random.Random, findings: Findings) -> None:
    """The same click or command many times at once: each is acknowledged, and the flood is answered once."""
    async with sitting(chance, Slow) as world:
        await world.fill()
        ann, ben, dan = PEOPLE, PEOPLE + 1, PEOPLE + 3
        playing, lobby, _, over, *_, empty = world.far.channels
        table = world.far.messages[(await world.table.at(playing)).record.message or 0]
        waiting = world.far.messages[(await world.table.at(lobby)).record.message or 0]
        game = (await world.table.at(playing)).id
        presses = (
            (ann, table, f"kg:{game}:{{}}:{code}") for code in ("?table", "stay", "take.9", "?bench..0")
        )
        sends = [
            *((world.far.command, one) for one in ((ann, playing, "hand"), (ann, playing, "table"))),
            *((world.far.command, one) for one in ((ann, playing, "look"), (GUESTS, playing, "look"))),
            *((world.far.command, one) for one in ((dan, empty, "solo"), (GUESTS, lobby, "new"))),
            *((world.far.command, one) for one in ((ann, over, "poster"), (ben, over, "replay"))),
            *((world.far.command, one) for one in ((ann, playing, "score"), (ann, playing, "stay"))),
            (world.far.press, (GUESTS, waiting, world.far.shows(waiting, "Join"))),
            (world.far.press, (GUESTS + 1, waiting, world.far.shows(waiting, "Start"))),
            *(
                (world.far.press, (user, _with(message, custom_id.format(1)), custom_id.format(1)))
                for user, message, custom_id in presses
            ),
            (world.far.press, (GUESTS, table, world.far.shows(table, "My table"))),
        ]
        for send, given in sends:
            world.sent.clear()
            world.easel.drawn.clear()
            sent = [send(*given) for _ in range(FLOOD)]  # type: ignore[operator]
            await asyncio.gather(*(one.over() for one in sent))
            findings.counts["floods"] += 1
            _answered_once(world, sent, f"{given[0]} {given[2]!r}", findings)


def _with(message: Mapping[str, Any], custom_id: str) -> Mapping[str, Any]:
    """A message with another custom ID on its first button."""
    changed = copy.deepcopy(message)
    next(iter(controls(changed["components"])))["custom_id"] = custom_id  # type: ignore[index]
    return changed


def _answered_once(world: Sitting, sent: Sequence[Interaction], what: str, findings: Findings) -> None:
    private = sum(len({one["id"] for one in done.seen if one["flags"] & EPHEMERAL}) for done in sent)
    posts = [one for one in world.sent if one.method == "POST" and one.path.startswith("/channels")]
    public = sum("components" in one.payload for one in posts)
    again = sorted(picture[0] for picture, times in world.easel.drawn.items() if times > 1)
    if private > 1 or public > 1 or again:
        told = f"{private} private, {public} public messages, drawn again: {', '.join(again)}"
        findings.wrong("floods answered more than once", f"{what}: {told}")
    if not all(one.answered.is_set() and not one.loading for one in sent):
        findings.wrong("floods not acknowledged", what)


async def hoarders(chance: random.Random, findings: Findings) -> None:
    """One person opens a game in every second channel, and joins those in all others."""
    async with sitting(chance, channels=MAX_SEATS + 15) as world:
        for number, channel in enumerate(world.far.channels):
            await world.far.command(GUESTS + number if number % 2 else PEOPLE, channel, "new").over()
        for record in await world.table.live():
            message = world.far.messages[record.message or 0]
            await world.far.press(PEOPLE, message, world.far.shows(message, "Join")).over()
        live = await world.table.live()
        held = sum(seat.user == PEOPLE for one in live for seat in one.seats)
        findings.counts["seats"] = held
        if held != MAX_SEATS:
            findings.wrong("seats", f"a person sits in {held} of {len(live)} games, not in {MAX_SEATS}")
