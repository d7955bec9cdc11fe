"""Staying connected to Discord: shards, what Discord's refusals mean, and when to try again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import Shard

log = logging.getLogger(__name__)

#: Seconds until the next try after a connection that failed: the first, and the longest.
FIRST_DELAY, LONGEST_DELAY = 5.0, 300.0
#: What a connection that cannot be made or kept raises.
CONNECTION_LOST = (
    discord.DiscordException,
    ReconnectWebSocket,
    aiohttp.ClientError,
    OSError,
    TimeoutError,
)
BAD_TOKEN = "Discord does not accept the token in DISCORD_TOKEN"
_PORTAL = "https://discord.com/developers/applications"
#: What to do about the close codes of the gateway after which another try would end like the last.
_FATAL = {
    4004: f"{BAD_TOKEN}; copy it anew from {_PORTAL} (Bot, Reset Token)",
    4010: "Discord calls a shard of the bot invalid; update the bot, or report this if it is the newest",
    4011: "Discord demands more shards than it advised; wait a few minutes, then start the bot again",
    4012: "Discord no longer speaks the version of its gateway that the bot uses; update the bot",
    4013: "Discord does not know what the bot asks to be told of (its intents); update the bot",
    4014: f"Discord does not grant the bot's intents; look at Bot, Privileged Gateway Intents at {_PORTAL}",
}
#: Of these, the ones that a bot which was connected may mend by asking how many shards there are now.
_SHARDS = (4010, 4011)


class CannotConnect(Exception):
    """Discord refuses the bot until a person changes something; the message says what."""


class SessionsSpent(Exception):
    """Discord lets the bot begin no session for so many seconds, for it began too many today."""

    def __init__(self, total: int, wait: float) -> None:
        super().__init__(f"the bot has used up the {total} sessions that Discord allows it in a day")
        self.wait = wait


class Sharded(discord.AutoShardedClient):
    """A client with as many shards as Discord advises; what keeps one from connecting ends :meth:`connect`.

    ``connected`` is whether a shard has been ready.
    """

    def __init__(self, **options: Any) -> None:
        # One shard until Discord is asked: the simulated Discord of the local table cannot be.
        super().__init__(shard_count=1, **options)
        self.connected = False

    async def launch_shards(self) -> None:
        """Connect all shards, one after the other. Raises SessionsSpent if Discord does not allow so many."""
        shards, _, limit = await self.http.get_bot_gateway()
        if limit["remaining"] < shards:
            raise SessionsSpent(limit["total"], limit["reset_after"] / 1000)
        # Without a number of its own discord.py takes the number and the address that Discord gives.
        self.shard_count: int | None = None  # pyright: ignore[reportIncompatibleVariableOverride]
        await super().launch_shards()

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect one shard. discord.py's own method would try for ever, whatever the cause."""
        connecting = DiscordWebSocket.from_client(self, initial=initial, gateway=gateway, shard_id=shard_id)
        socket = await asyncio.wait_for(connecting, self.shard_connect_timeout)
        private = vars(self)
        shard = Shard(socket, self, private["_AutoShardedClient__queue"].put_nowait)
        private["_AutoShardedClient__shards"][shard_id] = shard
        shard.launch()


async def stay_online(make: Callable[[], Sharded], token: str) -> None:
    """Keep a client connected until cancelled: one that fails is replaced, after growing delays.

    Raises CannotConnect where another try would fail like the last, as the client's start does.
    """
    delay = FIRST_DELAY
    while True:
        client = make()
        try:
            async with client:
                await _heeding(client.start(token))
        except CannotConnect:
            raise
        except Exception as error:
            if why := _fatal(error, connected=client.connected):
                raise CannotConnect(why) from error
            if client.connected:
                delay = FIRST_DELAY
            # An error nobody foresaw, such as an event that discord.py cannot read, must not end the bot.
            trace = None if isinstance(error, (*CONNECTION_LOST, SessionsSpent)) else error
            wait = max(delay, _asked_to_wait(error))
            said = "no connection to Discord (%s); the next try is in %.0f s"
            log.warning(said, in_words(error), wait, exc_info=trace)
        else:
            wait = delay
            log.warning("the connection to Discord has ended; the next try is in %.0f s", wait)
        await asyncio.sleep(wait)
        delay = min(delay * 2, LONGEST_DELAY)


async def _heeding(work: Coroutine[Any, Any, None]) -> None:
    """Await work that can miss that it is cancelled: in Python 3.11 it does where a time limit just ends."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait([task])
    finally:
        while not task.done():
            task.cancel()
            await asyncio.wait([task], timeout=1)
    task.result()


def _code(error: BaseException) -> int | None:
    """Return the code with which the gateway was closed, if that is the error."""
    if isinstance(error, discord.PrivilegedIntentsRequired):
        return 4014
    return error.code if isinstance(error, discord.ConnectionClosed) else None


def _fatal(error: BaseException, *, connected: bool) -> str | None:
    """Return what a person has to do about an error, or None if trying again may help.

    A bot that was connected has grown when Discord demands more shards; the next try asks how many.
    """
    if isinstance(error, discord.LoginFailure):
        return BAD_TOKEN
    code = _code(error)
    if code not in _FATAL or (connected and code in _SHARDS):
        return None
    return f"{_FATAL[code]} (close code {code})"


def _answered(error: BaseException) -> discord.HTTPException | None:
    """Return the HTTP answer that an error is about, if Discord gave one."""
    cause = error.__cause__ if isinstance(error, discord.GatewayNotFound) else error
    return cause if isinstance(cause, discord.HTTPException) else None


def _asked_to_wait(error: BaseException) -> float:
    """Return for how many seconds Discord wants to hear nothing of the bot."""
    if isinstance(error, SessionsSpent):
        return error.wait
    answer = _answered(error)
    if answer is None or answer.status not in (403, 429):
        return 0.0
    asked = str(answer.response.headers.get("Retry-After", ""))
    return float(asked) if asked.isdecimal() else LONGEST_DELAY


def in_words(error: BaseException) -> str:
    """Say in one line what went wrong with a connection."""
    if (answer := _answered(error)) is not None and answer.status in (403, 429):
        # The answer itself is a page of HTML, by what stands before Discord.
        return f"HTTP {answer.status}: Discord takes no requests from this computer's address for now"
    if isinstance(error, ReconnectWebSocket):
        return "Discord closed the connection, and may be asked for another at once"
    if (code := _code(error)) in _FATAL:
        return f"{_FATAL[code]} (close code {code})"
    cause = error.__cause__ or error if isinstance(error, discord.GatewayNotFound) else error
    # Some errors say nothing but their kind.
    return f"{type(cause).__name__}: {cause}".removesuffix(": ")


def brief(record: logging.LogRecord) -> bool:
    """Let the log say in one line why discord.py connects again; it gives the way through all libraries."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, CONNECTION_LOST):
        record.msg, record.args = f"{record.getMessage()}: %s", (in_words(error),)
        record.exc_info = None
    return True
