"""The overview: one's games everywhere, and the log of a game, round by round."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import discord
from discord import ui

from cogs import challenges
from cogs.client import client_of
from cogs.controls import Lasting
from cogs.group import command_text, kanagawa
from cogs.guard import Interaction, about, delivery, guard, tell, words_for
from cogs.leaving import LISTED, leave_select
from cogs.notice import link_to, place_of
from cogs.publish import told
from cogs.texts import Words
from kanagawa.events import Dealt, Event
from table.errors import Stale, TableError
from table.table import Session, Table

#: A page of the log holds at most so many characters: Discord allows 2000, and the head needs some.
PAGE = 1700
#: A message of the list of games holds at most so many; the next one goes on.
GAMES = 2000


# My games --------------------------------------------------------------------------------------------


@kanagawa.command(name="games", description=command_text("games"))
async def games(interaction: Interaction) -> None:
    """List the live games in which a person sits, those first that wait for them, and not for long."""
    words, table, user = words_for(interaction), client_of(interaction).table, interaction.user.id
    mine: list[Session] = []
    for record in await table.live_of(user):
        try:
            session = await table.get(record.id)
        except TableError:
            continue  # damaged, and closed by having been looked at
        if session.seat_of(user) is not None or session.is_away(user):
            mine.append(session)
    if not mine:
        await tell(interaction, words("games-none"))
        return
    mine.sort(key=lambda session: (not _waits_for(session, user), session.deadline or math.inf))
    text, listed = words("games-head", count=len(mine)), list[Session]()
    for session in mine:
        line = _line(interaction, words, session, await _counts_until(table, session))
        if len(text) + len(line) >= GAMES or len(listed) == LISTED:
            await tell(interaction, text, leave_select(interaction, words, listed))
            text, listed = line, []
        else:
            text += f"\n{line}"
        listed.append(session)
    await tell(interaction, text, leave_select(interaction, words, listed))


def _waits_for(session: Session, user: int) -> bool:
    seat = session.to_move
    return seat is not None and seat == session.seat_of(user)


async def _counts_until(table: Table, session: Session) -> str:
    """Return until when a try at a challenge counts, as Discord writes a time; ``none`` for no limit."""
    seed = session.record.options.get("seed")
    if seed is None or session.is_lobby or not await table.counts(session):
        return "none"
    until = challenges.counts_until(seed, session.line[0].at)
    return "none" if until is None else f"<t:{int(until)}:R>"


def _line(interaction: Interaction, words: Words, session: Session, counts: str) -> str:
    where = {"channel": place_of(words, session), "link": link_to(session)}
    if session.is_lobby:
        return words("games-lobby", players=len(session.seats), **where)
    named = Words(str(interaction.locale), [seat.name for seat in session.seats])
    seat, number = session.to_move, session.view(None).round
    if session.is_away(interaction.user.id):
        return words("games-away", round=number, **where) + _ends(words, session)
    line = words(
        "games-line",
        round=number,
        until="none" if session.deadline is None else f"<t:{int(session.deadline)}:R>",
        mine="yes" if _waits_for(session, interaction.user.id) else "no",
        who="" if seat is None else named.seat(seat),
        counts=counts,
        **where,
    )
    absent = dict(session.absent)
    if session.paused is not None:
        line += " " + words("games-paused", until=f"<t:{int(session.paused)}:f>")
    if seat in absent:
        line += " " + words("games-absent", until=f"<t:{int(absent[seat])}:f>")
    return line + _ends(words, session)


def _ends(words: Words, session: Session) -> str:
    """Say when and why a game will end by itself, if it will."""
    if session.ends is None:
        return ""
    why = "silent" if session.record.cut_off is None else "cut-off"
    return " " + words("games-ends", why=why, ends=f"<t:{int(session.ends)}:R>")


# The log ---------------------------------------------------------------------------------------------


class Page(NamedTuple):
    """A page of the log: which round it tells of, and its lines."""

    round: int
    lines: tuple[str, ...]


@kanagawa.command(name="log", description=command_text("log"))
async def log_(interaction: Interaction) -> None:
    """Show the last page of the log of the channel's game."""
    assert interaction.channel_id is not None
    session = await client_of(interaction).table.latest(interaction.channel_id)
    pages = await _pages(interaction, session)
    text, view = _opened(words_for(interaction), session.id, pages, len(pages) - 1)
    await tell(interaction, text, view)


async def _pages(interaction: Interaction, session: Session) -> list[Page]:
    await challenges.require_told(client_of(interaction).table, session, interaction.user.id)
    words = Words(str(interaction.locale), [seat.name for seat in session.seats])
    happened = await client_of(interaction).table.happened(session, 1)
    return pages([(event, line) for _, event, line in told(words, session, happened)])


def pages(happened: Sequence[tuple[Event, str]]) -> list[Page]:
    """The log in pages: a round begins a new one, and so does what does not fit. There is one at least."""
    found: list[Page] = []
    number, lines = 1, list[str]()
    for event, line in happened:
        begins = isinstance(event, Dealt) and event.round > number
        if begins or sum(len(one) + 1 for one in lines) + len(line) > PAGE:
            found.append(Page(number, tuple(lines)))
            lines = []
        if isinstance(event, Dealt):
            number = event.round
        lines.append(line)
    return [*found, Page(number, tuple(lines))]


def _opened(words: Words, game: int, listed: Sequence[Page], number: int) -> tuple[str, ui.View]:
    page = listed[number]
    head = words("log-head", round=page.round, page=number + 1, pages=len(listed))
    view = ui.View(timeout=None)
    for label, target in (("page-back", number - 1), ("page-on", number + 1)):
        there = 0 <= target < len(listed)
        button = ui.Button[Any](label=words(label), custom_id=f"kglog:{game}:{target}", disabled=not there)
        view.add_item(LogPage(button))
    return "\n".join((head, *(page.lines or (words("log-empty"),)))), view


class LogPage(Lasting, ui.DynamicItem[ui.Button[Any]], template="(?s)kglog:.*"):
    """A button that turns to a page of a game's log, ``kglog:<game>:<page>``, from before a restart too."""

    async def callback(self, interaction: Interaction) -> None:
        async with guard(interaction):
            found = re.fullmatch(r"kglog:([0-9]{1,18}):([0-9]{1,4})", self.custom_id)
            if found is None:
                raise Stale(f"no page of a log: {self.custom_id[:100]!r}")
            session = await client_of(interaction).table.get(int(found[1]))
            if session.record.channel != interaction.channel_id or session.is_lobby:
                raise Stale(f"the log of game {session.id} is not read here")
            listed = await _pages(interaction, session)
            # An undo may have shortened the log since.
            number = min(int(found[2]), len(listed) - 1)
            text, view = _opened(words_for(interaction), session.id, listed, number)
            with delivery(about(interaction)):
                await interaction.response.edit_message(
                    content=text, view=view, allowed_mentions=discord.AllowedMentions.none()
                )
