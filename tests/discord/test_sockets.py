"""The real program in a process of its own, over real sockets: what no simulation can tell."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import bot
from tests.discord.far_side import TOKEN, FarSide

HERE = Path(bot.__file__).parent
#: The program as it is, but for where Discord is, and for how long it waits to connect again.
PROGRAM = """
import sys, yarl, discord.gateway, discord.http, bot
discord.http.Route.BASE = f"http://127.0.0.1:{sys.argv[1]}/api"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{sys.argv[1]}/gateway")
bot.FIRST_DELAY = 0.1
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
    environment = {
        **{name: value for name, value in os.environ.items() if name not in bot.NAMES.values()},
        "DISCORD_TOKEN": TOKEN,
        "KANAGAWA_DATA": str(data),
        "KANAGAWA_PICTURE_SCALE": "0.5",
    }
    before = far.identified
    with log.open("wb") as written:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PROGRAM, str(far.port), cwd=HERE, env=environment, stderr=written
        )
    try:
        await until(lambda: far.identified > before)
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
