"""What every command and every button runs inside: no error reaches a person raw, none is lost.

Refusals of the rules, of the table and of this package become a private answer in words; anything else
becomes an apology with an incident number, and a log line with that number, the game and the cause.
The commands of the group run inside :func:`guard`; the callback of a dynamic item opens it itself, for
discord.py only logs what escapes from it. What goes wrong before a command runs reaches :class:`GuardedTree`.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import aiohttp
import discord
from discord import app_commands

from cogs import metrics
from cogs.texts import Words
from kanagawa.errors import RuleError, StateError
from table.errors import StoreError, TableError

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


@asynccontextmanager
async def guard(interaction: Interaction, game: int | None = None) -> AsyncIterator[None]:
    """Around the callback of a button or a select: errors become answers."""
    try:
        yield
    except Exception as error:
        await explain(interaction, error, game)


async def explain(interaction: Interaction, error: Exception, game: int | None = None) -> None:
    """Answer an error: a refusal in its own words, anything else with an apology and a log line."""
    words = words_for(interaction)
    if isinstance(error, REFUSALS):
        metrics.ERRORS.labels(error.id).inc()  # type: ignore[attr-defined]
        await tell(interaction, words(error.id, **getattr(error, "values", {})))  # type: ignore[attr-defined]
        return
    incident = secrets.token_hex(4)
    what = "error-not-saved" if isinstance(error, StoreError) else "error-incident"
    metrics.ERRORS.labels(what).inc()
    log.error("%s incident=%s %r", about(interaction, game), incident, error, exc_info=error)
    await tell(interaction, words(what, incident=incident))


class GuardedTree(app_commands.CommandTree[Any]):
    """The command tree: what goes wrong before a command runs is explained to whoever typed it."""

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            # Discord still shows the commands of another version of the bot.
            log.warning("a command that is registered otherwise: %s", error)
            await tell(interaction, words_for(interaction)("error-commands-changed"))
        else:
            await explain(interaction, error)
