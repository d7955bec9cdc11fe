"""Two at once: double clicks, two different moves by one person, two bots on one database.

Each time one wins, the other one is told, and no version has two states.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import bot
from cogs.texts import text
from table.errors import DatabaseInUse, GameOver, Stale
from table.store import open_store
from table.table import Session
from tests.stress.players import Offer, Players, running, to_move
from tests.stress.report import Report
from tests.stress.stand_in import Discord

#: So many games at once; so many double clicks and as many pairs of moves, and so many second bots, or fewer.
GAMES, PAIRS, SECONDS = 10, 1000, 5
SHORT_PAIRS, SHORT_SECONDS = 60, 1
#: How the one who was too late is told, at the public table and at their own, or when the game is over.
TOO_LATE = (text("en", Stale.id), text("en", "bench-stale"), text("en", GameOver.id))

ROOT = Path(__file__).parents[2]
#: ``python bot.py`` without the settings of a developer.
SECOND = "import pathlib, sys, bot; bot.HERE = pathlib.Path(sys.argv[1]); sys.exit(bot.main([]))"


class _Count:
    """What has happened, and what should not have."""

    def __init__(self, pairs: int) -> None:
        self.left = Counter({"double clicks": pairs, "pairs of different moves": pairs})
        self.done: Counter[str] = Counter()
        self.broken: list[str] = []

    def following(self) -> str | None:
        """What is to be done next; None if all has been."""
        kind = next((one for one, left in self.left.items() if left), None)
        if kind:
            self.left[kind] -= 1
        return kind


async def _play(players: Players, count: _Count) -> None:
    """Play the games of a channel with every move made twice at once, as long as there is something to do."""
    while kind := count.following():
        while len(pair := await _pair(players, kind)) < 2:
            await players.move(await players.session(), *pair)
        await _both(players, await players.session(), pair, kind, count)


async def _pair(players: Players, kind: str) -> list[Offer]:
    """Two moves that whoever is to move could make now; one, where only one is possible."""
    offers = await players.offers(session := await players.session())
    first = players.choice(session, offers)
    if kind == "double clicks":
        return [first, first]
    others = [one for one in offers if one.codes != first.codes]
    return [first, players.chance.choice(others)] if others else [first]


async def _both(players: Players, session: Session, pair: Sequence[Offer], kind: str, count: _Count) -> None:
    """Press two things before the bot hears of the first, and see what came of it."""
    user, far = to_move(session), players.far
    pressed = [far.press(user, one.message, one.custom_id, one.value) for one in pair]
    for one in pressed:
        await one.over()
    for one in pressed:  # only now, for it makes what was seen the message that the other press edits
        players.after(one)
    after = await players.client.table.get(session.id)
    made = [one.action for one in await players.client.table.store.turns(session.id)][session.version + 1 :]
    won = [number for number, one in enumerate(pair) if made == [code.strip("?") for code in one.codes]]
    late = [any(words in one.said for words in TOO_LATE) for one in pressed]
    count.done[kind] += 1
    count.done["told that they were too late"] += sum(late)
    if after.version != session.version + len(made) or not won or sorted(late) != [False, True]:
        codes = [one.codes for one in pair]
        count.broken.append(f"game {session.id}, {kind} {codes}: {made} was made, too late were {late}")
    elif kind != "double clicks" and late[won[0]]:
        count.broken.append(f"game {session.id}: {made} won and was told to be too late")
    count.broken += [
        f"game {session.id}: {kind}: not answered" for one in pressed if not one.answered.is_set()
    ]


def _second(folder: Path) -> str | None:
    """Start another bot on a database in use; what is wrong with how it ends."""
    run = subprocess.run(
        [sys.executable, "-c", SECOND, str(folder)],
        cwd=ROOT,
        env={"KANAGAWA_DATA": str(folder), "KANAGAWA_LOCAL_PORT": "0"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    if (
        run.returncode != 1
        or text("en", DatabaseInUse.id) not in run.stderr
        or "stop it first" not in run.stderr
    ):
        return f"a second bot ended with {run.returncode}: {run.stdout[-500:]} {run.stderr[-1000:]}"
    return None


async def _run(folder: Path, chance: random.Random, count: _Count, seconds: int) -> None:
    far = Discord(GAMES)
    async with open_store(folder / bot.LOCAL_DATABASE) as store, running(store, far) as client:
        games = [_play(Players(far, client, one, chance), count) for one in far.channels]
        # While these are played, others start bots on the same database.
        starts = asyncio.gather(*(asyncio.to_thread(_second, folder) for _ in range(seconds)))
        await asyncio.gather(*games)
        ends = await starts
    count.broken += filter(None, ends)
    count.done["second bots that refused to start and said why"] = ends.count(None)


def run(chance: random.Random, short: bool) -> Report:
    """Do everything twice at once."""
    count = _Count(SHORT_PAIRS if short else PAIRS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(_run(folder, chance, count, SHORT_SECONDS if short else SECONDS))
        with closing(sqlite3.connect(folder / bot.LOCAL_DATABASE)) as database:
            twice = database.execute(
                "SELECT game, version FROM turn GROUP BY game, version HAVING count(*) > 1"
            ).fetchall()
            gaps = database.execute(
                "SELECT game FROM turn GROUP BY game HAVING count(*) <> max(version) + 1"
            ).fetchall()
    count.done["versions with two states"] = len(twice)
    count.broken += [f"game {game}, version {version} has two states" for game, version in twice]
    count.broken += [f"game {game} lacks versions" for (game,) in gaps]
    return Report(count.done, count.broken)
