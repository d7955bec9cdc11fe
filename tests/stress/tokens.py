"""The token: whatever Discord answers to a login, and whatever is set, it is in nothing that is written."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import random
import tempfile
import traceback
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from aiohttp import web
from discord.http import Route

import bot
from table.store import open_store
from tests.stress import oddities

SECRET = "MTIzNDU2Nzg5.a-token.that_nobody_may_read"
#: How Discord can refuse a login.
ANSWERS = (401, 403, 404, 400, 429, 500, 502, 503, 200)
#: Requests after which an answer has shown what comes of it: discord.py tries five times.
ENOUGH = 7


@contextmanager
def written() -> Iterator[io.StringIO]:
    """All that is printed and logged, in the bot's own form, everything of every library included."""
    root, out = logging.getLogger(), io.StringIO()
    handlers, level, disabled = root.handlers[:], root.level, root.manager.disable
    logging.disable(logging.NOTSET)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            bot.set_up_logging(bot.Settings(token=SECRET, log_level="DEBUG"))
            for library in ("discord.http", "aiohttp", "asyncio", "aiosqlite"):
                logging.getLogger(library).setLevel(logging.DEBUG)
            yield out
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.disable(disabled)
        for library in ("discord.http", "aiohttp", "asyncio", "aiosqlite"):
            logging.getLogger(library).setLevel(logging.WARNING)


@asynccontextmanager
async def answering(status: int) -> AsyncGenerator[list[str]]:
    """A Discord on the loopback interface that answers everything like that; what was asked for."""
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path)
        # A clumsy server sends back what it got.
        told = {"message": f"refused {request.headers.get('Authorization')}", "code": 0, "retry_after": 0.0}
        return web.json_response(told, status=status)

    application = web.Application()
    application.router.add_route("*", "/{rest:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    base, Route.BASE = Route.BASE, f"http://127.0.0.1:{runner.addresses[0][1]}"
    sleep, asyncio.sleep = asyncio.sleep, _hurried(asyncio.sleep)
    try:
        yield asked
    finally:
        Route.BASE, asyncio.sleep = base, sleep
        await runner.cleanup()


def _hurried(sleep: Callable[..., Any]) -> Any:
    """Nobody wants to see how long is waited before the next try."""
    return lambda delay, *more: sleep(min(delay, 0.001), *more)


async def _log_in(status: int, folder: Path) -> list[str]:
    """What is said of logins that end like that."""
    settings, said = bot.Settings(token=SECRET, data=folder, log_level="DEBUG"), list[str]()
    async with answering(status) as asked:
        with ThreadPoolExecutor(1) as executor:
            async with open_store(folder / bot.DATABASE) as store:
                for attempt in (bot.sync(settings, None), bot.on_discord(settings, store, executor)):
                    before, task = len(asked), asyncio.ensure_future(attempt)
                    for _ in range(500):
                        if task.done() or len(asked) - before >= ENOUGH:
                            break
                        await asyncio.sleep(0.01)
                    task.cancel()
                    (outcome,) = await asyncio.gather(task, return_exceptions=True)
                    said.append(str(outcome))
    return said


def logins() -> tuple[int, list[str]]:
    """Log in with every answer: how many there were, and where the token was found."""
    found: list[str] = []
    for status in ANSWERS:
        with tempfile.TemporaryDirectory() as folder, written() as out:
            said = asyncio.run(_log_in(status, Path(folder)))
        if SECRET in out.getvalue():
            found.append(f"the token is in the log after an answer {status}")
        if SECRET in "".join(said):
            found.append(f"the token is in an error after an answer {status}")
        if not out.getvalue():
            found.append(f"nothing was logged after an answer {status}")
    return len(ANSWERS), found


def odd(chance: random.Random, count: int) -> tuple[int, list[str]]:
    """Settings with odd tokens: how many were refused, and the errors that quote one."""
    refused, found = 0, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(count):
            token = SECRET + oddities.text(chance, 60) + "§"
            try:
                bot.read_settings({"DISCORD_TOKEN": token, "KANAGAWA_DATA": folder}, Path(folder) / ".env")
            except bot.SetupFailure as error:
                refused += 1
                if SECRET in "".join(traceback.format_exception(error)):
                    found.append(f"an error quotes the token {token!a}")
    return refused, found
