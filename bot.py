"""Run the bot: ``python bot.py`` connects to Discord, or without a token opens the local table.

    python bot.py                 run; with DISCORD_TOKEN on Discord, without it in the browser
    python bot.py sync [GUILD]    register the commands with Discord, for one server or for all
    python bot.py backup [FILE]   copy the database, also while the bot runs
    python bot.py check           read all of the database through for damage

Settings come from the environment or from a file ``.env`` beside this one; ``.env.example`` has them all.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import re
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import discord

import cogs.play
import cogs.records
import cogs.souvenirs  # noqa: F401 (their commands join the group)
from cogs import challenges, local, metrics, online
from cogs.client import INTENTS, Client
from cogs.controls import Control
from cogs.easel import Easel
from cogs.forget import ForgetButton
from cogs.group import kanagawa
from cogs.guard import GuardedTree
from cogs.guide import GuidePage
from cogs.leaving import Leave
from cogs.lobby import KIND, LobbyButton
from cogs.overview import LogPage
from cogs.pace import Pace
from cogs.places import Places
from cogs.publish import PAUSE, Publisher
from cogs.shelf import Shelf
from cogs.texts import DEFAULT, text
from kanagawa import actions, apprentice, rules, state
from kanagawa.cards import ROWS
from kanagawa.counts import seasons
from kanagawa.scoring import score, winners
from kanagawa.state import Mode
from table.errors import StoreError
from table.game import Game, Options, Shown
from table.store import Store, back_up, check, open_store
from table.table import Table

log = logging.getLogger("kanagawa")

HERE = Path(__file__).parent
#: The rights of the folder that the bot makes: its owner alone looks into it.
PRIVATE_FOLDER = 0o700
#: The database of the bot on Discord; and that of the local table, which must not meddle with it.
DATABASE, LOCAL_DATABASE = "kanagawa.sqlite3", "local.sqlite3"
#: The folder beside the database in which posters and replays are kept.
PICTURES = "pictures"

#: Threads that draw. While one writes its PNG, which needs no interpreter, the other draws.
RENDERERS = 2


class SetupFailure(Exception):
    """The bot cannot start; the message says why and what to do."""


# Settings -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """What can be set, with its defaults; ``.env.example`` explains each."""

    token: str = field(default="", repr=False)
    data: Path = HERE / "data"
    log_level: str = "INFO"
    picture_scale: float = 2.0
    local_port: int = 8000
    metrics_port: int | None = None


#: The name of each setting in the environment.
NAMES = {
    "token": "DISCORD_TOKEN",
    "data": "KANAGAWA_DATA",
    "log_level": "KANAGAWA_LOG_LEVEL",
    "picture_scale": "KANAGAWA_PICTURE_SCALE",
    "local_port": "KANAGAWA_LOCAL_PORT",
    "metrics_port": "KANAGAWA_METRICS_PORT",
}


def read_settings(environment: Mapping[str, str], file: Path) -> Settings:
    """The settings of the environment, then of a ``.env`` file, then the defaults.

    The default data folder is made; one that was named must be there, for it may be a disk that is not
    mounted. Raises SetupFailure for a value that cannot be, and for a name in the file that is none of ours.
    """
    written = _env_file(file)
    for name in written:
        # No more of the line is quoted, for it may hold a token.
        if (meant := re.search("(KANAGAWA|DISCORD)_[A-Z_]*", name)) and name not in NAMES.values():
            raise SetupFailure(f"a line of {file.name} is no setting, {meant[0]}; .env.example has them all")
    found = written | {name: value for name, value in environment.items() if value.strip()}
    values: dict[str, Any] = {}
    for one, name in NAMES.items():
        if typed := found.get(name, "").strip():
            try:
                values[one] = _READERS[one](typed)
            # A number too large, or a home that there is not, are errors of other kinds.
            except (ValueError, OverflowError, RuntimeError) as error:
                raise SetupFailure(f"{name} is wrong: {error}; .env.example explains it") from error
    settings = Settings(**values)
    if settings.data == Settings.data:
        make_folder(settings.data)
    return settings


def make_folder(folder: Path) -> None:
    """Make the bot's own folder, into which its owner alone may look; an older one is closed to others."""
    folder.mkdir(exist_ok=True, mode=PRIVATE_FOLDER)
    with suppress(PermissionError):  # it is another's, who has opened it to us
        folder.chmod(PRIVATE_FOLDER)


def _env_file(file: Path) -> dict[str, str]:
    """The ``NAME=value`` lines of a file; comments, blank lines and quotes round a value are dropped.

    Raises SetupFailure for a file that cannot be read.
    """
    if not file.is_file():
        return {}
    try:
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        # Without the cause: an error of decoding holds all that was read, the token too.
        raise SetupFailure(f"{file.name} cannot be read: {type(error).__name__}; it must be UTF-8") from None
    pairs = (line.partition("=") for line in lines if not line.startswith("#") and "=" in line)
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs}


def _token(value: str) -> str:
    # Checked here because a library that fails on odd characters would quote them in its error.
    if not re.fullmatch(r"[\w.-]*", value, re.ASCII):
        raise ValueError("it has characters that no token has")
    return value


def _log_level(value: str) -> str:
    if value.upper() not in logging.getLevelNamesMapping():
        raise ValueError(f"{value!r} is not one of DEBUG, INFO, WARNING, ERROR")
    return value.upper()


def _port(value: str) -> int:
    if not re.fullmatch("-?[0-9]{1,9}", value, re.ASCII):
        raise ValueError(f"{value!r} is not a whole number")
    return int(_between(0, int(value), 65535))


def _scale(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        raise ValueError(f"{value!r} is not a number, such as 1.5") from None
    return _between(0.5, number, 4)


def _between(least: float, value: float, most: float) -> float:
    if not least <= value <= most:
        raise ValueError(f"{value:g} is not between {least:g} and {most:g}")
    return value


#: How each setting is read from its text; each raises ValueError for one that cannot be.
_READERS: Mapping[str, Callable[[str], Any]] = {
    "token": _token,
    "data": lambda typed: HERE / Path(typed).expanduser(),
    "log_level": _log_level,
    "picture_scale": _scale,
    "local_port": _port,
    "metrics_port": _port,
}


#: The tokens of interactions, by which anybody may answer in the bot's name for a quarter of an hour, in the
#: addresses that they are part of; and what has the shape of a bot's token.
_TOKENS = re.compile(
    r"(?<=/)((?:webhooks|interactions)/[0-9]+)/[^/\s?'\"]+|\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}"
)


class Redacted(logging.Formatter):
    """Formats log lines, tracebacks included, with all tokens blotted out wherever they stand."""

    def __init__(self, token: str) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
        self._token = token

    def format(self, record: logging.LogRecord) -> str:
        line = super().format(record)
        line = line.replace(self._token, "[token]") if self._token else line
        return _TOKENS.sub(lambda found: f"{found[1]}/[token]" if found[1] else "[token]", line)


def set_up_logging(settings: Settings) -> None:
    """Log to standard error; the libraries from warnings on."""
    handler = logging.StreamHandler()
    handler.setFormatter(Redacted(settings.token))
    logging.basicConfig(level=settings.log_level, handlers=[handler], force=True)
    logging.getLogger("discord.shard").addFilter(online.brief)
    for library in ("aiosqlite", "asyncio", "discord.http", "aiohttp", "PIL"):
        logging.getLogger(library).setLevel(logging.WARNING)
    # At DEBUG it would log all that Discord sends, names and tokens too.
    logging.getLogger("discord").setLevel(
        max(logging.INFO, logging.getLevelNamesMapping()[settings.log_level])
    )
    # The bot is never in a voice channel: what is not installed for it is nobody's business.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


# Building -------------------------------------------------------------------------------------------


def _people(options: Options) -> range:
    return range(1, 2) if options["mode"] == Mode.OSAHITO else range(rules.MIN_SEATS, rules.MAX_SEATS + 1)


def _new(seed: int, people: int, options: Options) -> state.State:
    mode = Mode(options["mode"])
    return rules.new(seed, people if mode is Mode.TABLE else people + 1, mode)


def _ahead(position: state.State, seat: int) -> tuple[actions.Action, ...]:
    """What a seat that waits in a choice phase can choose when its turn comes, as far as all can know."""
    if seat not in position.queue[1:] or position.phase is state.Phase.LAST:
        return ()
    columns = tuple(
        actions.Take(number) for number, column in enumerate(position.columns, 1) if column is not None
    )
    may_stay = position.row < ROWS and position.dealt < len(position.deck) and not position.alone
    return (actions.STAY, *columns) if may_stay else columns


def _result(position: state.State) -> tuple[dict[str, object], ...]:
    """What is counted of each seat, Osahito's included."""
    won = winners(position)
    return tuple(
        {
            "points": points.total,
            "won": seat in won,
            "run": points.run_length,
            "run_season": points.run_season,
            "diplomas": len(player.diplomas),
            "seasons": dict(Counter(map(str, seasons(player.tile, player.print)))),
        }
        for seat, (player, points) in enumerate(zip(position.players, score(position), strict=True))
    )


#: Kanagawa as the table plays it.
KANAGAWA = Game(
    kind=KIND,
    people=_people,
    new=_new,
    to_move=lambda state: state.to_move,
    legal=rules.legal,
    apply=rules.apply,
    view=rules.view,
    code=actions.code,
    parse=actions.parse,
    encode=state.encode,
    decode=state.decode,
    choose=apprentice.choose,
    shown=lambda before, action, after: Shown(rules.shown(before, action, after)),
    ahead=_ahead,
    ends=("stay", "done"),
    situation=lambda state: f"{state.round}-{state.row}",
    result=_result,
    in_time=lambda options, began, ended: challenges.in_time(options.get("seed", ""), began, ended),
)


def version() -> str:
    """The version of this program, as pyproject.toml says it."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def build(
    store: Store,
    executor: Executor,
    picture_scale: float,
    now: Callable[[], float] = time.time,
    *,
    shelf: Shelf | None = None,
    pause: float = PAUSE,
) -> Client:
    """The whole bot over a store, not yet connected. Pictures are drawn in the executor.

    ``now`` tells the time in epoch seconds; posters and replays are kept on the ``shelf``, and ``pause`` are
    the seconds between two showings of the steps of one turn.
    """
    table = Table(store, [KANAGAWA], now)
    table.saved = metrics.saved
    client = Client(table, version(), LogPage, LobbyButton, GuidePage, ForgetButton, Leave, Control)
    client.publisher = Publisher(client, table, Easel(executor, picture_scale, shelf), pause)
    client.pace = Pace(client, table, client.publisher)
    client.places = Places(client)
    return client


# On Discord -----------------------------------------------------------------------------------------


async def on_discord(settings: Settings, store: Store, executor: Executor) -> None:
    """Stay connected until cancelled. Raises SetupFailure where Discord refuses until a person helps."""

    def make() -> Client:
        client = build(store, executor, settings.picture_scale, shelf=Shelf(settings.data / PICTURES))
        client.event(client.places.on_shard_ready)
        client.pace.listen(client.reachable)
        return client

    try:
        await online.stay_online(make, settings.token)
    except online.CannotConnect as error:
        raise SetupFailure(str(error)) from error


async def publish_all(client: Client) -> None:
    """Let every lobby and table show its newest version, as after a start."""
    await client.places.show_all()


async def sync(settings: Settings, guild: int | None) -> None:
    """Register the commands with Discord, for one server (seen at once) or for all.

    Raises SetupFailure where Discord refuses.
    """
    if not settings.token:
        raise SetupFailure("to register the commands, set DISCORD_TOKEN")
    client = discord.Client(intents=INTENTS)
    tree = GuardedTree(client)
    server = None if guild is None else discord.Object(guild)
    tree.add_command(kanagawa, guild=server)
    try:
        async with client:
            await client.login(settings.token)
            await tree.sync(guild=server)
    except discord.LoginFailure as error:
        raise SetupFailure(online.BAD_TOKEN) from error
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        # What the other side says is printed, and it knows the token.
        said = online.in_words(error).replace(settings.token, "[token]")
        raise SetupFailure(f"the commands could not be registered: {said}") from error
    print("The commands are registered " + ("everywhere." if guild is None else f"in the server {guild}."))


async def local_table(settings: Settings, store: Store, executor: Executor) -> None:
    """Serve a simulated Discord until it is closed. Raises SetupFailure where it cannot open."""
    # The simulated Discord answers a click when all is shown, so a pause would only hold up the answer.
    client = build(store, executor, settings.picture_scale, shelf=Shelf(settings.data / PICTURES), pause=0)
    try:
        await local.serve(client, settings.local_port, settings.data)
    except local.CannotOpen as error:
        raise SetupFailure(str(error)) from error


# Running --------------------------------------------------------------------------------------------


async def run(settings: Settings) -> None:
    """Run the bot until it is told to stop. Raises SetupFailure or StoreError where it cannot start."""
    _stop_on_terminate()
    where = on_discord if settings.token else local_table
    with ThreadPoolExecutor(RENDERERS, thread_name_prefix="render") as executor:
        database = DATABASE if settings.token else LOCAL_DATABASE
        async with open_store(settings.data / database) as store:
            with suppress(asyncio.CancelledError):
                async with _metrics(settings.metrics_port, store):
                    await where(settings, store, executor)


@asynccontextmanager
async def _metrics(port: int | None, store: Store) -> AsyncIterator[None]:
    """Let what the bot does be seen from outside, where a port is set for it."""
    if port is None:
        yield
        return
    try:
        serving = metrics.Serving(port, store)
    except OSError as error:
        raise SetupFailure(f"the metrics cannot be served: {error}; see KANAGAWA_METRICS_PORT") from error
    async with serving:
        log.info("metrics are at http://%s:%s/metrics", metrics.HOST, serving.port)
        yield


def _stop_on_terminate() -> None:
    """Let SIGTERM, by which services are stopped, close everything in order."""
    task = asyncio.current_task()
    assert task is not None
    # Windows has no such signal handlers.
    with suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


def backup(settings: Settings, file: Path | None) -> None:
    """Copy the database, to the data folder under the present time unless a file is named.

    Raises StoreError where that cannot be done.
    """
    target = file or settings.data / f"kanagawa-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.sqlite3"
    back_up(settings.data / DATABASE, target)
    print(f"The database is copied to {target}.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; 1 where it cannot be done, with the reason on standard error."""
    parser = argparse.ArgumentParser(prog="python bot.py", description="A bot that hosts games of Kanagawa.")
    commands = parser.add_subparsers(dest="command")
    registering = commands.add_parser("sync", help="register the commands with Discord")
    registering.add_argument("guild", type=int, nargs="?", help="the ID of one server; without it, all")
    copying = commands.add_parser("backup", help="copy the database, also while the bot runs")
    commands.add_parser("check", help="read all of the database through for damage")
    copying.add_argument("file", type=Path, nargs="?", help="a new file; without it, one in the data folder")
    options = parser.parse_args(arguments)
    try:
        settings = read_settings(os.environ, HERE / ".env")
        set_up_logging(settings)
        match options.command:
            case "sync":
                asyncio.run(sync(settings, options.guild))
            case "backup":
                backup(settings, options.file)
            case "check":
                check(settings.data / DATABASE)
                print("The database is whole.")
            case _:
                asyncio.run(run(settings))
    except SetupFailure as error:
        print(f"kanagawa: {error}", file=sys.stderr)
        return 1
    except StoreError as error:
        print(f"kanagawa: {text(DEFAULT, error.id)}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
