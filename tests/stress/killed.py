"""A bot that is killed again and again while games are played: no move that anybody saw is lost.

The bot and those who play are a process of their own. Each move that leaves it, in whatever message, is first
named to this process, which kills it and looks into its database.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import random
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import bot
from cogs.controls import UNDO
from cogs.publish import PAUSE as PAUSE_OF_STEPS
from table.store import open_store
from tests.stress.players import Players, running, versions
from tests.stress.report import Report
from tests.stress.stand_in import Discord, Request

#: So many games at once, so many kills (in short).
GAMES, KILLS, SHORT = 20, 200, 8
#: A life ends at most so many seconds after at most so many moves.
PAUSE, MOVES = 0.1, 30
#: Each so many-th life is the first of its database, and ends while that is being made.
NEWBORN, BIRTH = 8, 0.1
#: How often a step is taken back where it can be.
REGRET = 0.05
#: Makes processes which have read their modules already.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload([__name__])


# The process that is killed --------------------------------------------------------------------------


async def _live(folder: Path, chance: random.Random, moves: int | None, out: Connection) -> None:
    """Run the bot and play all games, for so many moves each or until killed."""
    far = Discord(GAMES)
    asked: dict[tuple[int, int], str] = {}

    def heard(request: Request) -> None:
        """Name the moves that a request shows, before anybody can see them."""
        for game, version in versions(request.payload.get("components") or ()):
            for one in [one for one in asked if one[0] == game and one[1] <= version]:
                out.send((game, one[1], asked.pop(one)))

    async def play(players: Players) -> None:
        made = 0
        while made != moves:
            session = await players.session()
            offers = await players.offers(session)
            back = [one for one in offers if one.codes == (UNDO,) and chance.random() < REGRET]
            offer = back[0] if back else players.choice(session, offers)
            for version, code in enumerate(offer.codes, session.version + 1):
                asked[session.id, version] = code.strip("?")
            await players.move(session, offer)
            made += 1

    far.heard = heard
    async with open_store(folder / bot.DATABASE) as store, running(store, far, PAUSE_OF_STEPS) as client:
        games = [play(Players(far, client, one, chance)) for one in far.channels]
        await asyncio.gather(bot.publish_all(client), *games)


class _Errors(logging.Handler):
    """Names to the other process what is logged as an error."""

    def __init__(self, out: Connection) -> None:
        super().__init__(logging.ERROR)
        self._out = out

    def emit(self, record: logging.LogRecord) -> None:
        self._out.send(self.format(record))


def _child(folder: Path, seed: int, moves: int | None, out: Connection) -> None:
    logging.basicConfig(handlers=[_Errors(out)])
    try:
        asyncio.run(_live(folder, random.Random(seed), moves, out))
    except Exception:
        logging.exception("the bot has ended by itself")


# The process that kills it ---------------------------------------------------------------------------


@dataclass
class _Found:
    """What a database must hold: the moves that were acknowledged, and what was read of each game before."""

    acknowledged: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    #: The states that a game had, one for each turn that was not taken back, and its newest version.
    lines: dict[int, tuple[int, list[Any]]] = field(default_factory=dict[int, tuple[int, list[Any]]])
    lost: int = 0
    broken: list[str] = field(default_factory=list[str])


class _Life:
    """One process of the bot, and what it has said."""

    def __init__(self, folder: Path, chance: random.Random, moves: int | None = None) -> None:
        self._in, out = PROCESSES.Pipe(duplex=False)
        self._process = PROCESSES.Process(target=_child, args=(folder, chance.getrandbits(32), moves, out))
        self._process.start()
        out.close()
        self._said: list[tuple[int, int, str] | str] = []

    def listen(self, most: int | None = None) -> None:
        """Wait until it has said so many things, or has ended."""
        with suppress(EOFError, ConnectionError):
            while most is None or len(self._said) < most:
                self._said.append(self._in.recv())

    def kill(self) -> None:
        """End it as nothing in it can prevent."""
        self._process.kill()

    def end(self, found: _Found, code: int) -> int:
        """Note what it acknowledged, and whatever went wrong in it; how many moves that is."""
        self.listen()
        self._process.join()
        moves = [one for one in self._said if isinstance(one, tuple)]
        found.acknowledged |= {(game, version): action for game, version, action in moves}
        found.broken += [one for one in self._said if isinstance(one, str)]
        if self._process.exitcode != code:
            found.broken.append(f"a bot ended with {self._process.exitcode}")
        return len(moves)


def _examine(path: Path, found: _Found) -> None:
    """Look into a copy of the database of a bot that is dead: what is not as it must be is noted."""
    with tempfile.TemporaryDirectory() as folder:
        for one in path.parent.glob(f"{path.name}*"):
            shutil.copy(one, folder)
        with closing(sqlite3.connect(Path(folder) / path.name)) as database:
            _read(database, found)


def _read(database: sqlite3.Connection, found: _Found) -> None:
    ((integrity,),) = database.execute("PRAGMA integrity_check(1)")
    if integrity != "ok":
        found.broken.append(f"integrity_check: {integrity}")
    ended = {}
    if database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'game'").fetchone():
        ended = dict(database.execute("SELECT id, finished FROM game"))
    kept: dict[tuple[int, int], str] = {}
    for game, over in ended.items():
        turns = database.execute(
            "SELECT version, seat, action, state FROM turn WHERE game = ? ORDER BY version", (game,)
        ).fetchall()
        kept |= {(game, version): action for version, _, action, _ in turns}
        _replay(game, turns, over is not None, found)
    for (game, version), action in found.acknowledged.items():
        if kept.get((game, version)) != action:
            found.lost += 1
            stored = kept.get((game, version))
            found.broken.append(f"game {game}, version {version}: {action} was seen, {stored} is kept")


def _replay(game: int, turns: list[Any], over: bool, found: _Found) -> None:
    """See that each state is what the engine makes of the actions, from where it was seen last."""
    if [turn[0] for turn in turns] != list(range(len(turns))):
        found.broken.append(f"game {game} has the versions {[turn[0] for turn in turns]}")
        return
    known, line = found.lines.get(game, (-1, []))
    rules = bot.KANAGAWA
    for version, seat, action, data in turns[known + 1 :]:
        if version == 0:
            line = [rules.decode(data)]
        elif action == UNDO.strip("?"):
            line = line[:-1]
        else:
            line = [*line, rules.apply(line[-1], rules.parse(action), seat)[0]]
        # Of a game that is over, the states between are dropped.
        if (data is not None or not over) and (data is None or rules.decode(data) != line[-1]):
            found.broken.append(f"game {game}: the state of version {version} is not what {action} makes")
    found.lines[game] = len(turns) - 1, line


def run(chance: random.Random, short: bool) -> Report:
    """Kill the bot at random moments, and look at what is left."""
    kills = SHORT if short else KILLS
    found, moves = _Found(), list[int]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(1, kills + 1):
            if number % NEWBORN == 0:
                _die_young(folder / f"newborn{number}", chance, found)
            else:
                life = _Life(folder, chance)
                life.listen(chance.randrange(MOVES))
                time.sleep(chance.uniform(0, PAUSE))
                life.kill()
                moves.append(life.end(found, code=-9))
                _examine(folder / bot.DATABASE, found)
        gone_on = _last(folder, chance, found)
    return Report(
        {
            "games at once": GAMES,
            "kills with SIGKILL": kills,
            "of these while the database was being made": kills - len(moves),
            "moves that were acknowledged": len(found.acknowledged),
            "moves of a life, on average and at most": f"{sum(moves) / len(moves):.0f}, {max(moves)}",
            "lives without a move": moves.count(0),
            "games begun": len(found.lines),
            "games that went on after the last kill": gone_on,
            "acknowledged moves that were lost": found.lost,
        },
        found.broken,
    )


def _die_young(folder: Path, chance: random.Random, found: _Found) -> None:
    """Kill a bot that makes its database."""
    folder.mkdir()
    life, young = _Life(folder, chance), _Found()
    time.sleep(chance.uniform(0, BIRTH))
    life.kill()
    life.end(young, code=-9)
    if (folder / bot.DATABASE).exists():
        _examine(folder / bot.DATABASE, young)
    found.broken += young.broken


def _last(folder: Path, chance: random.Random, found: _Found) -> int:
    """Let the bot live until each game has gone on, and end in order; how many games did."""
    before = set(found.acknowledged)
    _Life(folder, chance, moves=1).end(found, code=0)
    _examine(folder / bot.DATABASE, found)
    gone_on = {game for game, _ in found.acknowledged.keys() - before}
    if len(gone_on) != GAMES:
        found.broken.append(f"only {len(gone_on)} games went on after the last kill")
    return len(gone_on)
