"""Forgetting a person: their choices go, and where they sat a former player did."""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from cogs.client import client_of
from cogs.controls import Lasting
from cogs.group import command_text, kanagawa
from cogs.guard import Interaction, about, defer, delivery, guard, tell, words_for
from cogs.lobby import edit_lobby
from table.errors import Stale, TableError

YES = "kgforget:yes"


@kanagawa.command(name="forget", description=command_text("forget"))
async def forget(interaction: Interaction) -> None:
    """Ask a person whether all that is kept of them is to be forgotten."""
    words, user = words_for(interaction), interaction.user.id
    live = await client_of(interaction).table.live_of(user)
    games = sum(any(seat.user == user and not seat.apprentice for seat in one.seats) for one in live)
    question = ui.View(timeout=None)
    button = ui.Button[Any](label=words("button-forget"), custom_id=YES, style=ButtonStyle.danger)
    question.add_item(ForgetButton(button))
    await tell(interaction, words("forget-question", games=games), question)


class ForgetButton(Lasting, ui.DynamicItem[ui.Button[Any]], template="(?s)kgforget:.*"):
    """The answer yes; whoever presses it is forgotten, and it is shown to nobody but who asked."""

    async def callback(self, interaction: Interaction) -> None:
        async with guard(interaction):
            if self.custom_id != YES:
                raise Stale(f"no answer to being forgotten: {self.custom_id[:100]!r}")
            client = client_of(interaction)
            await defer(interaction)
            changed = await client.table.forget(interaction.user.id)
            with delivery(about(interaction)):
                await interaction.edit_original_response(
                    content=words_for(interaction)("forgotten"), view=None
                )
            for game in changed:
                try:
                    session = await client.table.get(game)
                except TableError:
                    continue  # damaged, and closed by having been looked at
                if session.is_lobby:
                    await edit_lobby(client, session)
                else:
                    await client.publisher.publish(game)
