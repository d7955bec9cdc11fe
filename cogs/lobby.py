"""Opening a game: the lobby with its buttons, the solo game, cancelling.

A lobby is one public message; its buttons work for as long as the lobby lives, restarts included. The
message becomes the table when the game starts.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Self
from weakref import WeakValueDictionary

from discord import ButtonStyle, app_commands, ui

from cogs.client import Client, client_of
from cogs.group import command_text, kanagawa, option_text
from cogs.guard import Interaction, Refusal, about, defer, delivery, guard, tell, words_for
from cogs.permissions import require_permissions
from cogs.texts import Words, escaped_name, language, words_of
from kanagawa.rules import MAX_SEATS, MIN_SEATS
from kanagawa.state import Mode
from table.errors import NotHost, Stale
from table.pace import PACES
from table.store import EXPIRED, Seat
from table.table import Session

#: The game as the store calls it.
KIND = "kanagawa"

#: The pace of a game for which none was chosen.
DEFAULT_PACE = "three-days"

#: Of two people who join at once the message shows both, whichever answer Discord takes last.
_showing: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()


# The messages ---------------------------------------------------------------------------------------


def lobby_layout(session: Session) -> ui.LayoutView:
    """The message of a lobby: who sits there, and the buttons; of a closed one, that it is closed."""
    words = words_of(session)
    view = ui.LayoutView(timeout=None)
    if session.finished:
        why = "expired" if session.record.finished == EXPIRED else "cancelled"
        view.add_item(ui.Container[Any](ui.TextDisplay(words("lobby-closed", why=why))))
        return view
    seated = len(session.seats)
    view.add_item(
        ui.Container[Any](
            ui.TextDisplay(words("lobby-title")),
            ui.TextDisplay("\n".join(_seated(words, session))),
            ui.TextDisplay(words("lobby-waiting", missing=MIN_SEATS - seated, free=MAX_SEATS - seated)),
            ui.TextDisplay(
                words(
                    "lobby-pace",
                    pace=words("pace", pace=str(session.record.options.get("pace", "none"))),
                    closes=f"<t:{int(session.record.deadline or 0)}:R>",
                )
            ),
            ui.ActionRow[Any](
                _button(words, session.id, "join", ButtonStyle.primary, disabled=seated == MAX_SEATS),
                _button(words, session.id, "leave", ButtonStyle.secondary),
                _button(words, session.id, "start", ButtonStyle.success, disabled=seated < MIN_SEATS),
                _button(words, session.id, "cancel", ButtonStyle.danger),
            ),
        )
    )
    return view


def _seated(words: Words, session: Session) -> list[str]:
    return [
        words(
            "lobby-seat",
            number=number,
            name=escaped_name(seat.name),
            host="yes" if seat.user == session.record.host else "no",
        )
        for number, seat in enumerate(session.seats, 1)
    ]


def _button(words: Words, game: int, code: str, style: ButtonStyle, *, disabled: bool = False) -> LobbyButton:
    label = words(f"lobby-{code}")
    return LobbyButton(
        ui.Button(style=style, label=label, disabled=disabled, custom_id=f"kglobby:{game}:{code}")
    )


def _question(words: Words, game: int) -> ui.View:
    """The one button of the question whether a game is to be cancelled."""
    view = ui.View(timeout=None)
    view.add_item(_button(words, game, "cancel-yes", ButtonStyle.danger))
    return view


# The commands ---------------------------------------------------------------------------------------


@kanagawa.command(name="new", description=command_text("new"))
@app_commands.describe(pace=option_text("new", "pace"))
@app_commands.choices(
    pace=[app_commands.Choice(name=Words("en")("pace", pace=pace), value=pace) for pace in PACES]
)
async def new(interaction: Interaction, pace: str = DEFAULT_PACE) -> None:
    """Open a lobby in this channel."""
    session = await _open(interaction, Mode.TABLE, pace=pace)
    message = None
    with delivery(about(interaction)):
        message = (await interaction.response.send_message(view=lobby_layout(session))).message_id
    if message is None:
        await post_lobby(client_of(interaction), session)
    else:
        await client_of(interaction).table.set_message(session.id, message)


@kanagawa.command(name="solo", description=command_text("solo"))
async def solo(interaction: Interaction) -> None:
    """Start a game against Osahito in this channel."""
    session = await _open(interaction, Mode.OSAHITO)
    client = client_of(interaction)
    await client.table.start(session.id, interaction.user.id)
    await tell(interaction, words_for(interaction)("solo-started"))
    await client.publisher.publish(session.id)


async def _open(interaction: Interaction, mode: Mode, **options: str) -> Session:
    assert interaction.channel_id is not None
    require_permissions(interaction)
    return await client_of(interaction).table.open(
        KIND,
        interaction.channel_id,
        _seat(interaction),
        {"mode": mode.value, "guild": interaction.guild_id, **options},
        _locale(interaction),
    )


def _seat(interaction: Interaction) -> Seat:
    return Seat(interaction.user.id, interaction.user.display_name)


def _locale(interaction: Interaction) -> str:
    """The language of what everybody in the channel reads: the guild's, in a DM the person's."""
    return language(str(interaction.guild_locale or interaction.locale))


@kanagawa.command(name="cancel", description=command_text("cancel"))
async def cancel(interaction: Interaction) -> None:
    """Ask the host, or a moderator, whether this channel's game is to end without a result."""
    assert interaction.channel_id is not None
    await _ask_to_cancel(interaction, await client_of(interaction).table.at(interaction.channel_id))


# The buttons ----------------------------------------------------------------------------------------


class LobbyButton(ui.DynamicItem[ui.Button[Any]], template="kglobby:.*"):
    """A button of a lobby: ``kglobby:<game>:<code>``, from before a restart too."""

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(item)  # type: ignore[arg-type]

    async def callback(self, interaction: Interaction) -> None:
        found = re.fullmatch(r"kglobby:([0-9]{1,18}):([a-z-]+)", self.custom_id)
        game = int(found[1]) if found else None
        async with guard(interaction, game):
            if found is None or found[2] not in _PRESSES:
                raise Stale(f"not a button of a lobby: {self.custom_id[:100]!r}")
            await _PRESSES[found[2]](interaction, int(found[1]))


async def _join(interaction: Interaction, game: int) -> None:
    await _shown(interaction, await client_of(interaction).table.join(game, _seat(interaction)))


async def _leave(interaction: Interaction, game: int) -> None:
    await _shown(interaction, await client_of(interaction).table.leave(game, interaction.user.id))


async def _start(interaction: Interaction, game: int) -> None:
    client = client_of(interaction)
    await client.table.start(game, interaction.user.id)
    await defer(interaction)
    await client.publisher.publish(game)


async def _cancel(interaction: Interaction, game: int) -> None:
    await _ask_to_cancel(interaction, await client_of(interaction).table.get(game))


async def _ask_to_cancel(interaction: Interaction, session: Session) -> None:
    if session.record.host != interaction.user.id and not _is_moderator(interaction):
        raise NotHost(f"user {interaction.user.id} is not the host of game {session.id}")
    if session.finished:
        raise Refusal("error-game-over")
    words = words_for(interaction)
    what = "lobby" if session.is_lobby else "game"
    await tell(interaction, words("cancel-question", what=what), _question(words, session.id))


async def _cancel_now(interaction: Interaction, game: int) -> None:
    client = client_of(interaction)
    was_lobby = (await client.table.get(game)).is_lobby
    session = await client.table.cancel(game, interaction.user.id, moderator=_is_moderator(interaction))
    with delivery(about(interaction)):
        done = words_for(interaction)("cancel-done")
        await interaction.response.edit_message(content=done, view=None)
    if was_lobby:
        await _edit_message(interaction, session)
    else:
        await client.publisher.publish(game)


_PRESSES: Mapping[str, Callable[[Interaction, int], Awaitable[None]]] = {
    "join": _join,
    "leave": _leave,
    "start": _start,
    "cancel": _cancel,
    "cancel-yes": _cancel_now,
}


def _is_moderator(interaction: Interaction) -> bool:
    return interaction.guild_id is not None and interaction.permissions.manage_messages


# Showing --------------------------------------------------------------------------------------------


async def _shown(interaction: Interaction, session: Session) -> None:
    """Show a lobby that changed in the message whose button was pressed.

    Where Discord does not take the answer any more the message is edited without it.
    """
    lock = _showing.setdefault(session.id, asyncio.Lock())
    async with lock:
        newest = await client_of(interaction).table.get(session.id)
        if not newest.is_lobby:
            return
        with delivery(about(interaction)):
            await interaction.response.edit_message(view=lobby_layout(newest))
            return
        await _edit_message(interaction, newest)


async def _edit_message(interaction: Interaction, session: Session) -> None:
    if session.record.message is None:
        return
    channel = client_of(interaction).get_partial_messageable(session.record.channel)
    with delivery(about(interaction)):
        await channel.get_partial_message(session.record.message).edit(view=lobby_layout(session))


async def post_lobby(client: Client, session: Session) -> bool:
    """Post a lobby anew at the bottom of its channel, its older message goes; whether it could be."""
    channel = client.get_partial_messageable(session.record.channel)
    with delivery(session.about):
        message = await channel.send(view=lobby_layout(session))
        await client.table.set_message(session.id, message.id)
        if session.record.message is not None:
            with delivery(session.about):
                await channel.get_partial_message(session.record.message).delete()
        return True
    return False
