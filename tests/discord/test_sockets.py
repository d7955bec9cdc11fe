"""The real program in a process of its own, over real sockets: what no simulation can tell."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import bot
from tests.discord.far_side import TOKEN, FarSide

HERE = Path(bot.__file__).parent
#: The program as it is, but for where Discord is, and for how long it waits to connect again.
PROGRAM = """
import sys, discord, discord.http, bot, cogs.online
discord.http.Route.BASE = f"http://127.0.0.1:{sys.argv[1]}/api"
cogs.online.FIRST_DELAY = 0.1
async def at_once(*_, **__): pass
discord.Client.before_identify_hook = at_once  # it waits for five seconds between shards
sys.exit(bot.main([]))
"""
#: Seconds for what takes two or three.
PATIENCE = 60


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not happened():  # noqa: ASYNC110 (it is another process that makes it happen)
            await asyncio.sleep(0.01)


@asynccontextmanager
async def running(far: FarSide, data: Path, log: Path) -> AsyncIterator[Process]:
    """The program, connected; killed at the end if it has not ended by then."""
    before = far.identified
    async with started(far, data, log) as process:
        await until(lambda: far.identified > before)
        yield process


@asynccontextmanager
async def started(far: FarSide, data: Path, log: Path) -> AsyncIterator[Process]:
    """The program; killed at the end if it has not ended by then."""
    environment = {
        **{name: value for name, value in os.environ.items() if name not in bot.NAMES.values()},
        "DISCORD_TOKEN": TOKEN,
        "KANAGAWA_DATA": str(data),
        "KANAGAWA_PICTURE_SCALE": "0.5",
    }
    with log.open("wb") as written:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PROGRAM, str(far.port), cwd=HERE, env=environment, stderr=written
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_game_outlives_an_event_that_cannot_be_read_a_kill_and_a_stop(tmp_path: Path) -> None:
    log = tmp_path / "log"
    async with FarSide() as far:
        async with running(far, tmp_path, log) as process:
            await far.command("solo")
            await until(lambda: far.version() == 0)
            await far.event("INTERACTION_CREATE", {})
            await until(lambda: far.identified == 2)
            await far.press()
            await until(lambda: far.version() == 1)
            far.open.clear()
            far.editing.clear()
            await far.press()
            await asyncio.wait_for(far.editing.wait(), PATIENCE)
            process.kill()
        assert far.version() == 1, "killed before the move was shown"
        assert "KeyError" in log.read_text(), "the cause is in the log"
        far.open.set()
        async with running(far, tmp_path, log) as process:
            await until(lambda: far.version() == 2)
            far.open.clear()
            far.editing.clear()
            await far.press()
            await asyncio.wait_for(far.editing.wait(), PATIENCE)
            process.send_signal(signal.SIGTERM)
            await asyncio.sleep(0.2)
            far.open.set()
            assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        assert far.version() == 3, "stopped, it lets what is under way be shown"
        said = log.read_text()
        assert "WARNING" not in said
        assert "ERROR" not in said
        assert TOKEN not in said


@pytest.mark.parametrize("first", [True, False], ids=["before it says hello", "once the bot identified"])
@pytest.mark.parametrize(
    ("code", "said"),
    [
        (4004, "does not accept the token"),
        (4010, "calls a shard of the bot invalid"),
        (4011, "demands more shards than it advised"),
        (4012, "no longer speaks the version"),
        (4013, "its intents"),
        (4014, "Privileged Gateway Intents"),
    ],
)
async def test_a_fatal_close_code_ends_the_start_with_what_to_do(
    tmp_path: Path, code: int, said: str, first: bool
) -> None:
    log = tmp_path / "log"
    async with FarSide() as far:
        (far.closing_first if first else far.closing).append(code)
        async with started(far, tmp_path, log) as process:
            assert await asyncio.wait_for(process.wait(), PATIENCE) == 1
    *_, line = log.read_text().splitlines()
    assert line.startswith("kanagawa: Discord ")
    assert said in line
    assert line.endswith(f"(close code {code})")
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("code", [1001, 4000, 4008, 4009])
async def test_other_close_codes_are_tried_again(tmp_path: Path, code: int) -> None:
    async with FarSide() as far:
        far.closing_first.append(code)
        async with running(far, tmp_path, tmp_path / "log"):
            assert far.identified == 1
    assert "no connection to Discord" in (tmp_path / "log").read_text()


async def test_the_bot_opens_as_many_shards_as_discord_advises_and_more_when_it_has_grown(
    tmp_path: Path,
) -> None:
    async with FarSide() as far:
        far.shards = 3
        async with running(far, tmp_path, tmp_path / "log"):
            await until(lambda: far.identified == 3)
            assert far.seen == [[0, 3], [1, 3], [2, 3]]
            await until(lambda: (tmp_path / "log").read_text().count("connected as") == 3)
            far.shards = 4
            await far.close(4011)
            await until(lambda: far.identified == 7)
            assert far.seen[3:] == [[0, 4], [1, 4], [2, 4], [3, 4]]
    assert "demands more shards" in (tmp_path / "log").read_text()


async def test_the_bot_waits_and_says_so_when_the_sessions_of_a_day_are_used_up(tmp_path: Path) -> None:
    async with FarSide() as far:
        far.spent, far.reset_after = 2, 700
        begun = time.monotonic()
        async with running(far, tmp_path, tmp_path / "log"):
            assert time.monotonic() - begun >= 1.4
    assert (tmp_path / "log").read_text().count("used up the 1000 sessions") == 2


async def test_a_table_that_was_posted_as_the_bot_was_killed_is_found_again(tmp_path: Path) -> None:
    async with FarSide() as far:
        far.answering.clear()
        async with running(far, tmp_path, tmp_path / "log") as process:
            await far.command("solo")
            await asyncio.wait_for(far.posted.wait(), PATIENCE)
            process.kill()
        (strayed,) = far.tables()
        far.answering.set()
        async with running(far, tmp_path, tmp_path / "log"):
            await until(lambda: "was posted by an earlier try" in (tmp_path / "log").read_text())
            assert far.tables() == [strayed]
            await far.press()
            await until(lambda: far.version() == 1)
            assert far.tables() == [strayed]
            # The next one below it, with the older one's buttons still there.
            far.answering.clear()
            far.posted.clear()
            await far.command("table")
            await asyncio.wait_for(far.posted.wait(), PATIENCE)
            assert len(far.tables()) == 2
    async with FarSide() as after:
        after.messages = far.messages
        async with running(after, tmp_path, tmp_path / "log"):
            await until(lambda: len(after.tables()) == 1)
            assert after.tables() != [strayed]
