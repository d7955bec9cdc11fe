"""Telling people that it is their turn: a mention, a DM, or neither, as each has chosen.

One notice of a game stands at a time: the next one takes its place. Quiet hours hold it back.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import aiohttp
import discord
import msgspec
from discord import app_commands

from cogs import when, zones
from cogs.group import command_text, kanagawa, option_text
from cogs.guard import Interaction, Refusal, defer, tell, words_for
from cogs.texts import Words, words_of
from table.errors import TableError
from table.pace import DAY, HOUR, MINUTE
from table.store import NOBODY, Held, Preferences
from table.table import Session, Table

log = logging.getLogger(__name__)

#: What a notice says: the turn has passed, half of its time is over, nobody has moved for long, or
#: the game is over.
TURN, REMINDER, SILENT, ENDED = "notice", "notice-reminder", "notice-silent", "notice-ended"
MENTION, DM, OFF = "mention", "dm", "off"
#: What can go wrong between us and Discord.
UNREACHABLE = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)


def quiet_until(preferences: Preferences, now: float) -> float | None:
    """When a person's quiet hours end, if it is within them now; epoch seconds.

    They are hours of the person's own clock, on days when that is changed too; where an hour is skipped in
    spring and they end within it, they end as it is skipped.
    """
    if preferences.quiet is None or not _is_quiet(preferences, now):
        return None
    minute = now - now % MINUTE
    # No day has more hours than 25, so two days have a minute that is not quiet.
    return next(
        (
            at
            for at in (minute + MINUTE * step for step in range(1, 2 * 24 * 60))
            if not _is_quiet(preferences, at)
        ),
        None,
    )


def _is_quiet(preferences: Preferences, at: float) -> bool:
    start, end = preferences.quiet or (0, 0)
    there = zones.local(preferences.zone, at)
    minute = there.hour * 60 + there.minute
    return start <= minute < end if start <= end else minute >= start or minute < end


def link_to(session: Session) -> str:
    """Where a game's message is; "none" where there is none, or nothing says in which server.

    Discord is not asked, for it tells nothing of a thread that it has archived.
    """
    record = session.record
    if record.message is None or "guild" not in record.options:
        return "none"
    server = record.options["guild"] or "@me"
    return f"https://discord.com/channels/{server}/{record.channel}/{record.message}"


def place_of(words: Words, session: Session) -> str:
    """Where a game is played, in words: Discord shows no name for a channel of direct messages."""
    private = session.record.options.get("guild", session.record.channel) is None
    return words("place-private") if private else f"<#{session.record.channel}>"


def _others(session: Session) -> list[int]:
    """Who played to the end of a game, but for the one who ended it and saw that."""
    last = session.line[-1]
    return [
        seat.user
        for number, seat in enumerate(session.seats)
        if not seat.apprentice and seat.user != NOBODY and (number != last.seat or last.maker is not None)
    ]


class Notices:
    """Sends the notices of all games."""

    def __init__(self, client: discord.Client, table: Table) -> None:
        self._client = client
        self._table = table

    async def turn_passed(self, session: Session) -> None:
        """Tell whoever is to move, once for each turn, and at the end the others that the game is over.

        Who plays alone, or has just moved and is to move again, needs no telling; nor does anybody of a
        game that ended long ago, and is shown once more.
        """
        if session.to_move is None:
            await self._clear(session)
            recently = bool(session.line) and self._table.now() - session.line[-1].at < DAY
            if recently and await self._table.tell(session.id):
                await self.ended(session, _others(session))
        elif await self._table.tell(session.id):
            await self._clear(session)
            if len(session.seats) > 1 and not session.goes_on:
                await self.notify(session, TURN)

    async def notify(self, session: Session, what: str) -> None:
        """Tell whoever is to move in the way they chose. A failure is logged, and none of the table."""
        assert session.to_move is not None
        user = session.seats[session.to_move].user
        if not await self._awaits_mention(session, user, what):
            return
        session = await self._table.get(session.id)
        if session.to_move is None or session.seats[session.to_move].user != user:
            return
        await self._clear(session)
        if (message := await self._mention(session, [user], what)) is not None:
            await self._table.set_notice(session.id, message)

    async def ended(self, session: Session, people: Iterable[int]) -> None:
        """Tell people that a game is over: those who are mentioned in one message, which stays."""
        if mentioned := [one for one in people if await self._awaits_mention(session, one, ENDED)]:
            await self._mention(session, mentioned, ENDED)

    async def end_held_back(self, session: Session, user: int) -> None:
        """Tell a person of the end that their quiet hours held back.

        What they held back may have been a turn, which has passed since; and as long as nobody has been told
        of the end, this person will be with the others.
        """
        if session.record.told == session.version and user in _others(session):
            await self.ended(session, [user])

    async def _awaits_mention(self, session: Session, user: int, what: str) -> bool:
        """Tell a person in the way they chose; whether that is a mention, which is not sent yet."""
        preferences = await self._table.store.preferences(user)
        if preferences.how == OFF or session.id in preferences.muted:
            return False
        quiet, absent = quiet_until(preferences, self._table.now()), self._table.absent_until(user)
        until = max((one for one in (quiet, absent) if one is not None), default=None)
        if until is not None:
            await self._table.store.hold(Held(session.id, user, until))
            self._table.alarm()
            return False
        # What was held back about this game, before the hours were changed, is said with this.
        await self._table.store.release(session.id, user)
        return preferences.how != DM or not await self._dm(session, user, what)

    def _text(self, session: Session, people: Sequence[int], what: str) -> str:
        words = words_of(session)
        crest = "" if session.to_move is None else words.seat(session.to_move).partition(" ")[0]
        mentions = " ".join(f"<@{one}>" for one in people)
        ends = "none" if session.ends is None else f"<t:{int(session.ends)}:R>"
        text = words(what, crest=crest, mention=mentions, link=link_to(session), ends=ends)
        if session.deadline is not None:
            text += " " + words("notice-deadline", until=f"<t:{int(session.deadline)}:R>")
        return text

    async def _mention(self, session: Session, people: Sequence[int], what: str) -> int | None:
        """Mention people in the channel: the message's ID, or None where it cannot be sent."""
        users = [discord.Object(one) for one in people]
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=users)
        channel = self._client.get_partial_messageable(session.record.channel)
        try:
            sent = await channel.send(self._text(session, people, what), allowed_mentions=mentions)
        except UNREACHABLE as error:
            log.warning("%s users=%s were not told: %s", session.about, people, error)
            return None
        return sent.id

    async def _dm(self, session: Session, user: int, what: str) -> bool:
        """Write to a person; False where they take no DMs any more: then a mention serves."""
        try:
            person = self._client.get_user(user) or await self._client.fetch_user(user)
            await person.send(self._text(session, [user], what))
        except (discord.Forbidden, discord.NotFound) as error:
            log.info("%s user=%s takes no direct messages: %s", session.about, user, error)
            return False
        except UNREACHABLE as error:
            log.warning("%s user=%s was not told: %s", session.about, user, error)
        return True

    async def _clear(self, session: Session) -> None:
        """Remove the older notice; that it is gone already is no matter."""
        if session.record.notice is None:
            return
        await self._table.set_notice(session.id, None)
        channel = self._client.get_partial_messageable(session.record.channel)
        try:
            await channel.get_partial_message(session.record.notice).delete()
        except UNREACHABLE as error:
            log.info("%s a notice was not removed: %s", session.about, error)


# The command -----------------------------------------------------------------------------------------


@kanagawa.command(name="notify", description=command_text("notify"))
@app_commands.describe(
    how=option_text("notify", "how"),
    quiet=option_text("notify", "quiet"),
    zone=option_text("notify", "zone"),
    mute=option_text("notify", "mute"),
    away=option_text("notify", "away"),
)
@app_commands.choices(
    how=[
        app_commands.Choice(name=Words("en")("notify-how", how=how), value=how) for how in (MENTION, DM, OFF)
    ]
)
async def notify(
    interaction: Interaction,
    how: str | None = None,
    quiet: str | None = None,
    zone: str | None = None,
    mute: bool | None = None,
    away: str | None = None,
) -> None:
    """Choose how to be told that it is one's turn; without options, show what is chosen."""
    from cogs.client import client_of

    await defer(interaction, thinking=True)
    client, user, words = client_of(interaction), interaction.user, words_for(interaction)
    chosen = before = await client.table.store.preferences(user.id)
    if quiet is not None:
        chosen = msgspec.structs.replace(chosen, quiet=parse_quiet(quiet))
    if zone is not None:
        chosen = msgspec.structs.replace(chosen, zone=_zone(zone, client.table.now()))
    leaves = None if away is None else await _leave(client.table, user.id, away, chosen.zone)
    if mute is not None:
        assert interaction.channel_id is not None
        game = (await client.table.at(interaction.channel_id)).id
        muted = tuple(one for one in chosen.muted if one != game)
        chosen = msgspec.structs.replace(chosen, muted=(*muted, game) if mute else muted)
    if how is not None:
        chosen = msgspec.structs.replace(chosen, how=how)
        if how == DM:
            await _try_dm(user, words)
    if chosen != before:
        await client.table.store.prefer(user.id, chosen)
    games = [] if leaves is None else await client.table.set_absence(user.id, leaves.until)
    if chosen != before or leaves is not None:
        await _look_again(client.table, user.id)
    await tell(interaction, await _summary(words, client.table, interaction, chosen))
    for game in games:
        await client.publisher.publish(game)


async def _try_dm(user: discord.User | discord.Member, words: Words) -> None:
    """Send a person a first direct message. Raises Refusal where it cannot be sent."""
    try:
        await user.send(words("notify-dm-test"))
    except discord.Forbidden as error:
        raise Refusal("error-dms-closed") from error
    except UNREACHABLE as error:
        log.warning("user=%s was not written to: %s", user.id, error)
        raise Refusal("error-dm-failed") from error


class Leave(NamedTuple):
    """Until when a person is to be away, in epoch seconds; None for one who is back."""

    until: float | None


async def _leave(table: Table, user: int, typed: str, zone: str) -> Leave:
    """Read until when a person says to be away. Raises Refusal for no moment, and for one too far off."""
    if typed.strip().casefold() in when.BACK:
        return Leave(None)
    until, now = when.moment(typed, zone, table.now()), table.now()
    if until is None:
        raise Refusal("error-absence")
    longest = await table.longest_absence(user)
    if longest - now < HOUR:
        raise Refusal("error-absence-used-up")
    if until > longest + MINUTE:
        raise Refusal("error-absence-too-long", until=f"<t:{int(longest)}:F>", meant=f"<t:{int(until)}:F>")
    return Leave(until)


async def _look_again(table: Table, user: int) -> None:
    """Let what is held back from a person be told now, or held back by what they have chosen now."""
    mine = [one for one in await table.store.held(math.inf) if one.user == user]
    for one in mine:
        await table.store.hold(msgspec.structs.replace(one, due=table.now()))
    if mine:
        table.alarm()


async def _summary(words: Words, table: Table, interaction: Interaction, chosen: Preferences) -> str:
    muted = "no"
    try:
        if (await table.at(interaction.channel_id or 0)).id in chosen.muted:
            muted = "yes"
    except TableError:
        pass
    lines = [_chosen(words, chosen, muted, table.now())]
    if (until := table.absent_until(interaction.user.id)) is not None:
        lines.append(words("notify-away", until=f"<t:{int(until)}:F>", left=f"<t:{int(until)}:R>"))
    return "\n".join((*lines, words("notify-how-to")))


def _chosen(words: Words, chosen: Preferences, muted: str, now: float) -> str:
    start, end = chosen.quiet or (0, 0)
    return words(
        "notify-chosen",
        how=words("notify-how", how=chosen.how),
        quiet="no" if chosen.quiet is None else "yes",
        start=f"{start // 60:02}:{start % 60:02}",
        end=f"{end // 60:02}:{end % 60:02}",
        zone=chosen.zone,
        known="no" if zones.tz(chosen.zone) is None else "yes",
        time=f"{zones.local(chosen.zone, now):%H:%M}",
        muted=muted,
    )


@notify.autocomplete("away")
async def complete_away(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Until when one can be away, with the moment that each text means; and being back."""
    table, user = interaction.client.table, interaction.user.id
    zone, longest = (await table.store.preferences(user)).zone, await table.longest_absence(user)
    found = [
        app_commands.Choice(name=when.label(text, at, zone), value=text[:100])
        for text, at in when.suggestions(typed, zone, table.now())
        if at <= longest + MINUTE
    ]
    back = [app_commands.Choice(name=when.BACK[0], value=when.BACK[0])] if table.absent_until(user) else []
    return [*back, *found][:25]


@notify.autocomplete("zone")
async def complete_zone(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The time zones that what was typed can mean, with the time it is there."""
    now = interaction.client.table.now()
    found = zones.suggested(typed, now)[:25]
    return [app_commands.Choice(name=zones.label(one, now), value=one) for one in found]


def parse_quiet(typed: str) -> tuple[int, int] | None:
    """Quiet hours such as ``22-7`` or ``22:30-07:00``, in minutes of the day; None for ``off``.

    Raises Refusal for anything else.
    """
    if typed.strip().casefold() == "off":
        return None
    parts = [_minutes(one) for one in typed.replace("–", "-").split("-")]
    start, end = parts if len(parts) == 2 else (None, None)
    if start is None or end is None or start == end:
        raise Refusal("error-quiet-hours")
    return start, end


def _minutes(typed: str) -> int | None:
    found = re.fullmatch(r"([0-9]{1,2})(?::([0-9]{1,2}))?", typed.strip())
    if found is None:
        return None
    hours, minutes = int(found[1]), int(found[2] or 0)
    return (hours % 24) * 60 + minutes if hours <= 24 and minutes < 60 else None


def _zone(typed: str, now: float) -> str:
    """The zone that was typed. Raises Refusal where it means none, or several."""
    found = zones.meant(typed, now)
    if not found:
        raise Refusal("error-time-zone")
    if len(found) > 1:
        listed = "\n".join(f"- {zones.label(one, now)}" for one in found)
        raise Refusal("error-which-zone", choices=listed)
    return found[0]
