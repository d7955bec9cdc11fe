"""The posters and the replays of the past games of a channel, for all to see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import app_commands, ui

from cogs import board, challenges, choices
from cogs.choices import Choice
from cogs.client import client_of
from cogs.controls import layout, picture
from cogs.easel import Picture
from cogs.group import command_text, kanagawa, option_text
from cogs.guard import Interaction, Refusal, about, delivery, floods_of
from cogs.keepsakes import keepsakes, shown_keepsakes
from cogs.publish import QUIET
from cogs.texts import Words, escaped, words_of
from kanagawa.scoring import score
from table.errors import StoreError
from table.table import Session


@kanagawa.command(name="poster", description=command_text("poster"))
@app_commands.describe(game=option_text("poster", "game"))
async def poster(interaction: Interaction, game: str | None = None) -> None:
    """Post the poster of a past game of the channel, the last one unless another is named."""
    await _post(interaction, game, "poster")


@kanagawa.command(name="replay", description=command_text("replay"))
@app_commands.describe(game=option_text("replay", "game"))
async def replay(interaction: Interaction, game: str | None = None) -> None:
    """Post the replay of a past game of the channel, the last one unless another is named."""
    await _post(interaction, game, "replay")


async def _post(interaction: Interaction, typed: str | None, kind: str) -> None:
    client = client_of(interaction)
    session = await _past(interaction, typed)
    private = kind not in shown_keepsakes(session, client.table.now())
    if private:
        # Others here may not have tried it yet: only people whose own try is over see it, by themselves.
        await challenges.require_told(client.table, session, interaction.user.id)
    # Announced before it is drawn, for a replay takes longer than Discord waits; and after what may be
    # refused, for the answer to an announcement that everybody sees is seen by everybody.
    with delivery(about(interaction)):
        await interaction.response.defer(thinking=True, ephemeral=private)
    async with floods_of(interaction).turn(interaction, "keepsake"):
        owner = interaction.user.id
        drawn = await keepsakes(client.table, client.publisher.easel, session, kind, owner=owner)
        if not drawn:
            raise Refusal("error-cannot-draw")
        with delivery(about(interaction)):
            await interaction.edit_original_response(
                view=_layout(words_of(session), session, drawn[0]),
                attachments=[drawn[0].file],
                allowed_mentions=QUIET,
            )


def _layout(words: Words, session: Session, drawn: Picture) -> ui.LayoutView:
    box = ui.Container[Any]()
    box.add_item(ui.TextDisplay(board.result(words, session.view(None))))
    box.add_item(picture(*drawn.shown))
    return layout(box)


async def _past(interaction: Interaction, typed: str | None) -> Session:
    """The past game that is meant. Raises Refusal where there is none, or more than one is meant."""
    assert interaction.channel_id is not None
    ended = await client_of(interaction).table.ended(interaction.channel_id)
    if not ended:
        raise Refusal("error-no-past-game")
    if typed is None:
        return ended[0]
    games = _choices(ended)
    meant = choices.matching(games, typed)
    if len(meant) != 1:
        raise Refusal("error-which-game", choices=choices.listed(meant or games, escaped))
    return ended[games.index(meant[0])]


def _choices(ended: Sequence[Session]) -> list[Choice]:
    """Past games by their place in the list, 1 for the newest."""
    return [_choice(number, session) for number, session in enumerate(ended, 1)]


def _choice(number: int, session: Session) -> Choice:
    """A past game: its players with their points, best first."""
    words = words_of(session)
    totals = [one.total for one in score(session.view(None))]
    order = sorted(range(len(totals)), key=lambda seat: (-totals[seat], seat))
    listed = " · ".join(f"{words.plain(seat)} {totals[seat]}" for seat in order)
    return choices.numbered(words, str(number), f"?game.{session.id}", listed)


async def complete_game(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The past games of the channel, the newest first."""
    try:
        assert interaction.channel_id is not None
        ended = await client_of(interaction).table.ended(interaction.channel_id)
    except StoreError:
        return []
    return choices.suggestions(_choices(ended), typed)


poster.autocomplete("game")(complete_game)
replay.autocomplete("game")(complete_game)
