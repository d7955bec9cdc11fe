"""What every command and every button runs inside: no error reaches a person raw, none is lost.

Refusals of the rules, of the table and of this package become a private answer in words; anything else
becomes an apology with an incident number, and a log line with that number, the game and the cause.
The commands of the group run inside :func:`guard`; the callback of a dynamic item opens it itself, for
discord.py only logs what escapes from it. What goes wrong before a command runs reaches :class:`GuardedTree`.

A flood is answered once. What a person sends while the same of theirs is being served, or :data:`AT_ONCE`
of any, is acknowledged, as Discord wants it, and nothing else: no picture is drawn for it, no message sent.
A move may be clicked twice, for the second is to hear that it came too late; but the same refusal is not said
to two at once, nor again and again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import aiohttp
import discord
from discord import app_commands

from cogs import metrics
from cogs.texts import Words, present_name
from kanagawa.errors import RuleError, StateError
from table.errors import StoreError, TableError
from table.table import MAX_SEATS

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]


class Refusal(Exception):
    """Something that Discord's side of the table cannot do, such as starting another person's game.

    ``id`` is the ID of its text in the catalogue, ``values`` what that text names.
    """

    def __init__(self, text_id: str, /, **values: Any) -> None:
        super().__init__(text_id)
        self.id = text_id
        self.values = values


class Uncertain(Exception):
    """The database failed when something of what was asked for had been saved already."""


#: The errors that are answers: each has an ``id`` that is the ID of its text.
REFUSALS: tuple[type[Exception], ...] = (Refusal, RuleError, StateError, TableError)


def words_for(interaction: Interaction) -> Words:
    """The catalogue in the language of the person who clicked or typed."""
    return Words(str(interaction.locale))


def about(interaction: Interaction, game: int | None = None) -> str:
    """How a line of the log begins that is about a game; without one, about that of the channel."""
    return interaction.client.table.about(game, interaction.channel_id)


@contextmanager
def delivery(whose: str) -> Iterator[None]:
    """Around an answer to a person: what was done counts even when the answer cannot be delivered.

    The token may have expired (10062), another answer may have been quicker (40060), Discord may be out
    of order (5xx) or out of reach. ``whose`` is how the line of the log begins that says so.
    """
    try:
        yield
    except (discord.HTTPException, discord.InteractionResponded, aiohttp.ClientError) as error:
        metrics.ERRORS.labels("not-delivered").inc()
        log.warning("%s an answer was not delivered: %s", whose, error)
    except (TimeoutError, OSError) as error:
        metrics.ERRORS.labels("not-delivered").inc()
        log.warning("%s Discord was out of reach for an answer: %r", whose, error)


async def tell(interaction: Interaction, text: str, view: discord.ui.View | None = None) -> None:
    """Answer one person privately, whether or not the interaction has been answered before."""
    options: dict[str, Any] = {"ephemeral": True, "allowed_mentions": discord.AllowedMentions.none()}
    if view is not None:
        options["view"] = view
    with delivery(about(interaction)):
        if interaction.response.is_done():
            await interaction.followup.send(text, **options)
        else:
            await interaction.response.send_message(text, **options)


async def defer(interaction: Interaction, *, thinking: bool = False) -> None:
    """Say within Discord's three seconds that the click arrived; an expired one is no obstacle.

    ``thinking`` announces a private answer to come; without it a click stands silently as done.
    """
    with delivery(about(interaction)):
        if not interaction.response.is_done():
            await interaction.response.defer(ephemeral=True, thinking=thinking)


# Floods ----------------------------------------------------------------------------------------------

#: So many clicks and commands of one person are served at a time: one for each game they may sit in.
AT_ONCE = MAX_SEATS
#: How many interactions of one person start without a wait. Further ones wait for so many seconds at most,
#: enough to leave room for other people and well within the three that Discord gives.
WITHOUT_WAIT, WAIT, LOOK_AGAIN = 3, 1.0, 0.05
#: So often within so many seconds the same refusal of the same click is said.
REFUSALS_SAID, WITHIN = 3, 5.0


#: Of an interaction, whether the same of the same person was being served when it came.
_SECOND = "second"


class Floods:
    """What of each person is being served, and what was refused a moment ago."""

    def __init__(self) -> None:
        self._served: dict[int, list[int]] = {}
        self._waiting: Counter[int] = Counter()
        self._refused: dict[tuple[int, str], list[float]] = {}
        self._turns: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    def turn(self, interaction: Interaction, what: str) -> asyncio.Lock:
        """A lock under which a person's answers of a kind are drawn and uploaded one after the other.

        So one person's many requests wait for each other, and take no more than one upload from others.
        """
        return self._turns.setdefault((interaction.user.id, what), asyncio.Lock())

    async def wait(self, interaction: Interaction) -> None:
        """Let a person's interaction wait a little while several others of theirs are being served."""
        user = interaction.user.id
        self._waiting[user] += 1
        try:
            for _ in range(round(WAIT / LOOK_AGAIN)):
                if len(self._served.get(user, ())) < WITHOUT_WAIT:
                    return
                await asyncio.sleep(LOOK_AGAIN)
        finally:
            self._waiting -= Counter([user])

    def admits(self, interaction: Interaction, alike: int) -> bool:
        """Whether to serve an interaction beside what is under way, of which so many may be like it."""
        user = interaction.user.id
        served = self._served.get(user, [])
        room = len(served) + self._waiting[user] < AT_ONCE
        return room and served.count(_fingerprint(interaction)) < alike

    @contextmanager
    def serving(self, interaction: Interaction) -> Iterator[None]:
        """Around what is done for an interaction."""
        user, what = interaction.user.id, _fingerprint(interaction)
        served = self._served.setdefault(user, [])
        interaction.extras[_SECOND] = what in served
        served.append(what)
        try:
            yield
        finally:
            served.remove(what)
            if not served:
                self._served.pop(user, None)

    def said(self, interaction: Interaction, text: str) -> bool:
        """Whether the same has been refused in the same words often enough; if not, it is said now."""
        now, key = time.monotonic(), (_fingerprint(interaction), text)
        self._refused = {one: at for one, at in self._refused.items() if now - at[-1] < WITHIN}
        times = [at for at in self._refused.get(key, ()) if now - at < WITHIN]
        if len(times) >= (1 if interaction.extras.get(_SECOND) else REFUSALS_SAID):
            return True
        self._refused[key] = [*times, now]
        return False


_floods: WeakKeyDictionary[discord.Client, Floods] = WeakKeyDictionary()


def floods_of(interaction: Interaction) -> Floods:
    """The floods that a client stands in."""
    return _floods.setdefault(interaction.client, Floods())


def _fingerprint(interaction: Interaction) -> int:
    """The same number for the same click or command of the same person."""
    message = interaction.message.id if interaction.message else None
    return hash((interaction.user.id, interaction.channel_id, message, repr(interaction.data)))


async def admitted(interaction: Interaction, alike: int = 1) -> bool:
    """Whether to serve an interaction, and as many alike at a time; one that is not is acknowledged."""
    typing = interaction.type is discord.InteractionType.autocomplete
    floods = floods_of(interaction)
    if typing or floods.admits(interaction, alike):
        await floods.wait(interaction)
        if typing or floods.admits(interaction, alike):
            return True
    await acknowledge(interaction)
    return False


async def acknowledge(interaction: Interaction) -> None:
    """Let Discord know that an interaction arrived, and show nothing for it."""
    await defer(interaction, thinking=interaction.type is not discord.InteractionType.component)
    if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        with delivery(about(interaction)):
            await interaction.delete_original_response()


# Ending in order -------------------------------------------------------------------------------------

#: Seconds that what is under way has to be done where the client closes, and what is broken off to end.
GRACE, BREAKING_OFF = 3.0, 1.0

_under_way: WeakKeyDictionary[discord.Client, set[asyncio.Task[Any]]] = WeakKeyDictionary()


@contextmanager
def under_way(client: discord.Client) -> Iterator[None]:
    """Around what the client waits for before it closes."""
    task, tasks = asyncio.current_task(), _under_way.setdefault(client, set())
    assert task is not None
    tasks.add(task)
    try:
        yield
    finally:
        tasks.discard(task)


async def finish(client: discord.Client) -> None:
    """Wait until what is under way is done; what takes too long is broken off: each move is saved by then."""
    for patience in (GRACE, BREAKING_OFF):
        if not (tasks := _under_way.get(client)):
            return
        _, late = await asyncio.wait(list(tasks), timeout=patience)
        for task in late:
            task.cancel()


# Errors ----------------------------------------------------------------------------------------------


@asynccontextmanager
async def guard(interaction: Interaction, game: int | None = None) -> AsyncIterator[None]:
    """Around the callback of a button or a select: errors become answers.

    A person who goes by another name now gets it at the channel's table.
    """
    with under_way(interaction.client), floods_of(interaction).serving(interaction):
        renamed = await _keep_name(interaction)
        try:
            yield
        except Exception as error:
            await explain(interaction, error, game)
        if renamed is not None:
            await interaction.client.show(renamed)


async def _keep_name(interaction: Interaction) -> int | None:
    """The channel's game, if the person who acts there has another name than it has kept."""
    user, table = interaction.user, interaction.client.table
    # A name that cannot be kept stops nobody; if the database fails the person hears it of what they do.
    with suppress(TableError, StoreError):
        return await table.keep_name(interaction.channel_id or 0, user.id, present_name(user))
    return None


async def explain(interaction: Interaction, error: Exception, game: int | None = None) -> None:
    """Answer an error: a refusal in its own words, anything else with an apology and a log line."""
    words = words_for(interaction)
    if isinstance(error, REFUSALS):
        metrics.ERRORS.labels(error.id).inc()  # type: ignore[attr-defined]
        text = words(error.id, **getattr(error, "values", {}))  # type: ignore[attr-defined]
        if floods_of(interaction).said(interaction, text):
            await acknowledge(interaction)
        else:
            await tell(interaction, text)
        return
    incident = secrets.token_hex(4)
    what = "error-not-saved" if isinstance(error, StoreError) else "error-incident"
    metrics.ERRORS.labels(what).inc()
    log.error("%s incident=%s %r", about(interaction, game), incident, error, exc_info=error)
    await tell(interaction, words(what, incident=incident))


class GuardedTree(app_commands.CommandTree[Any]):
    """The command tree: what goes wrong before a command runs is explained to whoever typed it."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        return await admitted(interaction)

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            # Discord still shows the commands of another version of the bot.
            log.warning("a command that is registered otherwise: %s", error)
            await tell(interaction, words_for(interaction)("error-commands-changed"))
        else:
            await explain(interaction, error)
