"""``help`` and ``rules``: what one can type, and how the game is played, as two books of short pages."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import discord
from discord import app_commands, ui

from cogs.client import client_of
from cogs.controls import Lasting
from cogs.group import command_text, kanagawa, option_text
from cogs.guard import Interaction, about, delivery, guard, tell, words_for
from cogs.texts import Words
from table.errors import Stale

#: The pages of each book in the order of reading; a page's title is ``guide-<book>-<page>-title``.
BOOKS = {
    "help": ("begin", "play", "long", "away", "look", "mine", "about"),
    "rules": ("aim", "round", "studio", "print", "diplomas", "end", "signs", "solo"),
}

#: The commands that each page of help tells of.
COMMANDS = {
    "begin": ("new", "solo", "rules", "help", "cancel"),
    "play": ("stay", "take", "studio", "print", "brush", "diploma", "done", "undo"),
    "long": ("concede",),
    "away": ("notify",),
    "look": ("table", "hand", "look", "score", "log", "poster", "replay"),
    "mine": ("games", "stats", "forget"),
    "about": (),
}


@kanagawa.command(name="help", description=command_text("help"))
@app_commands.describe(page=option_text("help", "page"))
@app_commands.choices(
    page=[
        app_commands.Choice(name=Words("en")(f"guide-help-{one}-title"), value=one) for one in BOOKS["help"]
    ]
)
async def help_(interaction: Interaction, page: str = "begin") -> None:
    """Say what the bot is for and list its commands; its last page is about the bot itself."""
    await _open(interaction, "help", BOOKS["help"].index(page))


@kanagawa.command(name="rules", description=command_text("rules"))
async def rules(interaction: Interaction) -> None:
    """Show the first page of the rules."""
    await _open(interaction, "rules", 0)


async def _open(interaction: Interaction, book: str, page: int) -> None:
    words, facts = words_for(interaction), await _facts(interaction)
    await tell(interaction, page_text(words, book, page, facts), _turner(words, book, page))


class Facts(NamedTuple):
    """What the bot says about itself: since when it runs, in epoch seconds, and live games in all servers.

    ``latency`` is that of the connection to Discord, in milliseconds; None without one.
    """

    version: str
    started: float
    games: int
    latency: int | None


async def _facts(interaction: Interaction) -> Facts:
    client = client_of(interaction)
    games = await client.table.store.count_live()
    # Until the first heartbeat is answered it is not a number, and without a gateway endless.
    latency = round(client.latency * 1000) if math.isfinite(client.latency) else None
    return Facts(client.version, client.started, games, latency)


def page_text(words: Words, book: str, page: int, facts: Facts) -> str:
    """One page of a book, headed by its title and number."""
    name = BOOKS[book][page]
    title = words(f"guide-{book}-{name}-title")
    head = words("page-head", title=title, page=page + 1, pages=len(BOOKS[book]))
    lines = [head, words(f"guide-{book}-{name}")]
    if name == "about":
        lines.append(_about(words, facts))
    if book == "help":
        lines += [_command(words, command) for command in COMMANDS[name]]
    return "\n".join(lines)


def _about(words: Words, facts: Facts) -> str:
    return words(
        "about",
        version=facts.version,
        since=f"<t:{int(facts.started)}:R>",
        games=facts.games,
        latency="none" if facts.latency is None else str(facts.latency),
    )


def _command(words: Words, command: str) -> str:
    does = words(f"command-{command}")
    return words("page-command", command=f"{kanagawa.name} {command}", does=does)


def _turner(words: Words, book: str, page: int) -> ui.View:
    """Whatever turns the pages: back, on, and a list of all titles."""
    view = ui.View(timeout=None)
    view.add_item(GuidePage(_titles(words, book, page)))
    for label, target in ((words("page-back"), page - 1), (words("page-on"), page + 1)):
        there = 0 <= target < len(BOOKS[book])
        button = ui.Button[Any](label=label, custom_id=f"kgguide:{book}:{target}", disabled=not there)
        view.add_item(GuidePage(button))
    return view


def _titles(words: Words, book: str, page: int) -> ui.Select[Any]:
    options = [
        discord.SelectOption(
            label=words(f"guide-{book}-{name}-title"), value=str(number), default=number == page
        )
        for number, name in enumerate(BOOKS[book])
    ]
    return ui.Select(custom_id=f"kgguide:{book}:list", options=options)


class GuidePage(Lasting, ui.DynamicItem[ui.Button[Any] | ui.Select[Any]], template="(?s)kgguide:.*"):
    """A control that turns to a page of a book, ``kgguide:<book>:<page>``, from before a restart too."""

    async def callback(self, interaction: Interaction) -> None:
        async with guard(interaction):
            words = words_for(interaction)
            book, page = _wanted(interaction, self.custom_id)
            facts = await _facts(interaction)
            with delivery(about(interaction)):
                await interaction.response.edit_message(
                    content=page_text(words, book, page, facts), view=_turner(words, book, page)
                )


def _wanted(interaction: Interaction, custom_id: str) -> tuple[str, int]:
    """The book and page that a click asks for. Raises Stale for what there is not."""
    _, book, page = [*custom_id.split(":", 2), "", ""][:3]
    chosen = (interaction.data or {}).get("values") or [page]
    numbers = map(str, range(len(BOOKS.get(book, ()))))
    if str(chosen[0]) not in numbers:
        raise Stale(f"no page of a guide: {custom_id[:100]!r}")
    return book, int(str(chosen[0]))
