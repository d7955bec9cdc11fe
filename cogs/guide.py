"""``help`` and ``rules``: what one can type, and how the game is played, for whoever asks."""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import app_commands, ui

from cogs.group import command_text, kanagawa
from cogs.guard import Interaction, delivery, guard, tell, words_for
from cogs.texts import Words
from table.errors import Stale

#: The pages of the rules, in the order of reading; each is a title and a text of the catalogue.
PAGES = ("aim", "round", "studio", "print", "diplomas", "end", "solo")


@kanagawa.command(name="help", description=command_text("help"))
async def help_(interaction: Interaction) -> None:
    """Say what the bot is for and list its commands."""
    await tell(interaction, help_text(words_for(interaction)))


def help_text(words: Words) -> str:
    """How to begin, and every command of the group with what it does."""
    commands = sorted(kanagawa.walk_commands(), key=lambda one: one.qualified_name)
    lines = [
        words("help-command", command=one.qualified_name, does=words(f"command-{one.name}"))
        for one in commands
        if isinstance(one, app_commands.Command)
    ]
    return "\n".join((words("help-intro"), "", *lines, "", words("help-note")))


@kanagawa.command(name="rules", description=command_text("rules"))
async def rules(interaction: Interaction) -> None:
    """Show the first page of the rules."""
    words = words_for(interaction)
    await tell(interaction, page_text(words, 0), _turner(words, 0))


def page_text(words: Words, page: int) -> str:
    """One page of the rules, headed by its title and number."""
    name = PAGES[page]
    head = words("rules-head", title=words(f"rules-{name}-title"), page=page + 1, pages=len(PAGES))
    return f"{head}\n{words(f'rules-{name}')}"


def _turner(words: Words, page: int) -> ui.View:
    """Whatever turns the pages: back, on, and a list of all titles."""
    view = ui.View(timeout=None)
    view.add_item(RulesPage(_titles(words, page)))
    for label, target in ((words("rules-back"), page - 1), (words("rules-on"), page + 1)):
        there = 0 <= target < len(PAGES)
        button = ui.Button[Any](label=label, custom_id=f"kgrules:{target}", disabled=not there)
        view.add_item(RulesPage(button))
    return view


def _titles(words: Words, page: int) -> ui.Select[Any]:
    options = [
        discord.SelectOption(label=words(f"rules-{name}-title"), value=str(number), default=number == page)
        for number, name in enumerate(PAGES)
    ]
    return ui.Select(custom_id="kgrules:list", options=options)


class RulesPage(ui.DynamicItem[ui.Button[Any] | ui.Select[Any]], template="kgrules:.*"):
    """A control that turns to a page of the rules, from before a restart too."""

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(item)  # type: ignore[arg-type]

    async def callback(self, interaction: Interaction) -> None:
        async with guard(interaction):
            words = words_for(interaction)
            page = _page(interaction, self.custom_id)
            with delivery():
                await interaction.response.edit_message(
                    content=page_text(words, page), view=_turner(words, page)
                )


def _page(interaction: Interaction, custom_id: str) -> int:
    """The page that a click asks for. Raises Stale for one that there is not."""
    chosen = (interaction.data or {}).get("values") or [custom_id.removeprefix("kgrules:")]
    wanted = str(chosen[0])
    if wanted not in map(str, range(len(PAGES))):
        raise Stale(f"no page of the rules: {wanted[:20]!r}")
    return int(wanted)
