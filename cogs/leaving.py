"""Leaving any of one's games from anywhere: a select under the list of games, which asks first.

``kgleave:<user>`` is the select, ``kgleave:<user>:<game>:<what>`` the button of its question: what a person
would leave, a lobby, a game, or a seat to which they may come back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from discord import ButtonStyle, SelectOption, ui

from cogs.choices import fit
from cogs.client import Client, client_of
from cogs.controls import MAX_OPTIONS, Lasting
from cogs.guard import Interaction, about, delivery, guard, tell, words_for
from cogs.lobby import edit_lobby
from cogs.notice import place_of
from cogs.publish import QUIET
from cogs.texts import Words
from table.errors import GameOver, NotSeated, Stale
from table.table import Session

LOBBY, GAME, AWAY = "lobby", "game", "away"
#: A message lists so many games at most, so that one select can hold them.
LISTED = MAX_OPTIONS

_CUSTOM_ID = re.compile("kgleave:([0-9]{1,20})(?::([0-9]{1,18}):([a-z]+))?")


class Leave(Lasting, ui.DynamicItem[ui.Button[Any] | ui.Select[Any]], template="(?s)kgleave:.*"):
    """The select of games to leave, or the button that says yes; also from before a restart."""

    async def callback(self, interaction: Interaction) -> None:
        async with guard(interaction):
            found = _CUSTOM_ID.fullmatch(self.custom_id)
            if found is None:
                raise Stale(f"nothing to leave: {self.custom_id[:100]!r}")
            if int(found[1]) != interaction.user.id:
                raise NotSeated(f"user {interaction.user.id} chose from the games of user {found[1]}")
            if found[2] is not None:
                await _leave(interaction, await client_of(interaction).table.get(int(found[2])), found[3])
                return
            (value,) = (interaction.data or {}).get("values") or ("",)
            if not re.fullmatch("[0-9]{1,18}", str(value)):
                raise Stale(f"no game to leave: {str(value)[:100]!r}")
            await _ask(interaction, await client_of(interaction).table.get(int(value)))


def leave_select(interaction: Interaction, words: Words, sessions: Sequence[Session]) -> ui.View:
    """Offer to leave any of these games, at most :data:`LISTED`."""
    select: ui.Select[Any] = ui.Select(
        custom_id=f"kgleave:{interaction.user.id}",
        placeholder=fit(words("leave-which")),
        options=[
            # The number comes first, so that no two rows read alike.
            SelectOption(
                label=fit(words("leave-row", number=number, place=_name(client_of(interaction), words, one))),
                value=str(one.id),
            )
            for number, one in enumerate(sessions, 1)
        ],
    )
    view = ui.View(timeout=None)
    view.add_item(Leave(select))
    return view


def _name(client: Client, words: Words, session: Session) -> str:
    """Return the name of a game's place: a select shows no mention as one."""
    guild = session.record.options.get("guild")
    if guild is None:
        return words("place-private")
    server = client.get_guild(guild)
    channel = server and server.get_channel_or_thread(session.record.channel)
    return words("place-unknown") if not channel else f"#{channel.name} · {channel.guild.name}"


def _what(session: Session, user: int) -> str:
    """Return what a person would leave. Raises GameOver or NotSeated."""
    if session.finished:
        raise GameOver(f"game {session.id} has ended")
    if session.is_away(user):
        return AWAY
    session.sitting(user)
    return LOBBY if session.is_lobby else GAME


async def _ask(interaction: Interaction, session: Session) -> None:
    user, words = interaction.user.id, words_for(interaction)
    what = _what(session, user)
    others = sum(not seat.apprentice and seat.user != user for seat in session.seats)
    if what == GAME:
        challenge = "yes" if session.record.options.get("seed") else "no"
        question = words("concede-question", others=others, challenge=challenge)
    else:
        question = words("leave-question", what=what, others=others)
    yes: ui.Button[Any] = ui.Button(
        label=words("leave-yes", what=what),
        style=ButtonStyle.danger,
        custom_id=f"kgleave:{user}:{session.id}:{what}",
    )
    view = ui.View(timeout=None)
    view.add_item(Leave(yes))
    await tell(
        interaction,
        f"{words('leave-where', place=place_of(words, session))}\n{question}",
        view,
    )


async def _leave(interaction: Interaction, session: Session, what: str) -> None:
    """Leave what the person was asked about, and show it where it is played, if that is possible."""
    client, user = client_of(interaction), interaction.user.id
    if _what(session, user) != what:
        raise Stale(f"user {user} was asked about a {what}, which game {session.id} is not")
    leave = client.table.leave if what == LOBBY else client.table.quit
    session = await leave(session.id, user)
    with delivery(about(interaction)):
        said = words_for(interaction)("leave-done", what=what, over="yes" if session.finished else "no")
        await interaction.response.edit_message(content=said, view=None, allowed_mentions=QUIET)
    if what == LOBBY:
        await edit_lobby(client, session)
    else:
        await client.publisher.publish(session.id)
