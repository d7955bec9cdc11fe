"""Opening a game: the lobby with its buttons, the solo game, cancelling.

A lobby is one public message; its buttons work for as long as the lobby lives, restarts included. The
message becomes the table when the game starts.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import ButtonStyle, app_commands, ui

from cogs import challenges
from cogs.client import Client, client_of
from cogs.controls import Lasting, layout, require_here
from cogs.group import command_text, kanagawa, option_text
from cogs.guard import Interaction, Refusal, about, defer, delivery, guard, tell, words_for
from cogs.notice import link_to, place_of
from cogs.permissions import not_shown, require_permissions
from cogs.publish import QUIET
from cogs.texts import Words, escaped_name, language, present_name, words_of
from kanagawa.rules import MAX_SEATS, MIN_SEATS
from kanagawa.state import Mode
from table.errors import AlreadyStarted, AlreadyTrying, GameOver, NotHost, NotStarted, Stale
from table.pace import PACES
from table.store import EXPIRED, Seat
from table.table import Session

#: The game as the store calls it.
KIND = "kanagawa"

#: The pace of a game for which none was chosen.
DEFAULT_PACE = "three-days"

#: The channels in which a message can get a thread. Voice channels, posts of forums and threads have none.
HAS_THREADS = (discord.ChannelType.text, discord.ChannelType.news)

#: The longest time that Discord keeps a thread open in which nobody writes, in minutes.
WEEK_OF_MINUTES = 7 * 24 * 60

#: Of two people who join at once the message shows both, whichever answer Discord takes last; and
#: whoever is late finds the game where it was begun.
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
            ),
            # Apart from the others, so that nobody presses it by mistake.
            ui.ActionRow[Any](
                _button(words, session.id, "cancel", ButtonStyle.danger),
                *([_button(words, session.id, "out", ButtonStyle.secondary)] if seated > 1 else []),
            ),
        )
    )
    return view


def _seated(words: Words, session: Session) -> list[str]:
    return [
        words(
            "lobby-seat",
            number=number,
            name=words.person(seat.name, number),
            host="yes" if seat.user == session.record.host else "no",
        )
        for number, seat in enumerate(session.seats, 1)
    ]


def _button(words: Words, game: int, code: str, style: ButtonStyle, *, disabled: bool = False) -> LobbyButton:
    label = words(f"lobby-{code}")
    return LobbyButton(
        ui.Button(style=style, label=label, disabled=disabled, custom_id=f"kglobby:{game}:{code}")
    )


def _question(words: Words, session: Session) -> ui.View:
    """The one button of the question whether a game is to be cancelled."""
    view = ui.View(timeout=None)
    view.add_item(
        _button(words, session.id, "cancel-yes" if session.is_lobby else "end-yes", ButtonStyle.danger)
    )
    return view


# The commands ---------------------------------------------------------------------------------------


@kanagawa.command(name="new", description=command_text("new"))
@app_commands.describe(pace=option_text("new", "pace"), thread=option_text("new", "thread"))
@app_commands.choices(
    pace=[app_commands.Choice(name=Words("en")("pace", pace=pace), value=pace) for pace in PACES]
)
async def new(interaction: Interaction, pace: str = DEFAULT_PACE, thread: bool = False) -> None:
    """Open a lobby in this channel; its game is played here, or in a thread of its own."""
    if interaction.guild_id is None:
        raise Refusal("error-no-lobby-here")
    if thread and (interaction.channel is None or interaction.channel.type not in HAS_THREADS):
        raise Refusal("error-no-thread-here")
    require_permissions(interaction, thread=thread)
    session = await _open(interaction, Mode.TABLE, pace=pace, **({"thread": True} if thread else {}))
    message = None
    await client_of(interaction).publisher.postings.begin(session)
    with delivery(about(interaction)):
        message = (await interaction.response.send_message(view=lobby_layout(session))).message_id
    if message is None:
        await post_lobby(client_of(interaction), session)
    else:
        await client_of(interaction).table.set_message(session.id, message)


@kanagawa.command(name="solo", description=command_text("solo"))
@app_commands.describe(seed=option_text("solo", "seed"), challenge=option_text("solo", "challenge"))
@app_commands.choices(
    challenge=[
        app_commands.Choice(name=Words("en")(f"stats-show-{kind}"), value=kind)
        for kind in (challenges.DAY, challenges.WEEK)
    ]
)
async def solo(
    interaction: Interaction,
    seed: app_commands.Range[str, 1, challenges.WORD_LENGTH] | None = None,
    challenge: str | None = None,
) -> None:
    """Start a game against Osahito in this channel, dealt as everybody's of the same word or challenge."""
    client = client_of(interaction)
    if seed is not None and challenge is not None:
        raise Refusal("error-seed-or-challenge")
    named = None if seed is None else challenges.of_word(seed)
    if challenge is not None:
        named = challenges.current(challenge, client.table.now())
    require_permissions(interaction)
    session = await _open(interaction, Mode.OSAHITO, **({} if named is None else {"seed": named}))
    try:
        session = await client.table.start(session.id, interaction.user.id)
    except AlreadyTrying as error:
        going_on = await client.table.get(error.game)
        where = place_of(words_for(interaction), going_on)
        raise Refusal("error-challenge-goes-on", channel=where, link=link_to(going_on)) from error
    if named is None:
        await tell(interaction, words_for(interaction)("solo-started"))
    else:
        await tell(interaction, await _challenged(interaction, session, named))
    if not await client.publisher.publish(session.id):
        await not_shown(interaction)


async def _challenged(interaction: Interaction, session: Session, seed: str) -> str:
    """Return what a person is told whose challenge begins: whether it counts, until when, who sees it."""
    until = challenges.counts_until(seed, session.line[0].at)
    return words_for(interaction)(
        "challenge-started",
        name=challenges.name(words_for(interaction), seed),
        counts=await challenges.how_counted(client_of(interaction).table, session),
        until="none" if until is None else f"<t:{int(until)}:f>",
        seen="no" if interaction.guild_id is None else "yes",
    )


async def _open(interaction: Interaction, mode: Mode, **options: Any) -> Session:
    assert interaction.channel_id is not None
    return await client_of(interaction).table.open(
        KIND,
        interaction.channel_id,
        _seat(interaction),
        {"mode": mode.value, "guild": interaction.guild_id, **options},
        _locale(interaction),
    )


def _seat(interaction: Interaction) -> Seat:
    return Seat(interaction.user.id, present_name(interaction.user))


def _locale(interaction: Interaction) -> str:
    """The language of what everybody in the channel reads: the guild's, in a DM the person's."""
    return language(str(interaction.guild_locale or interaction.locale))


@kanagawa.command(name="cancel", description=command_text("cancel"))
async def cancel(interaction: Interaction) -> None:
    """Ask a person who may do so whether this channel's game is to end without a result."""
    assert interaction.channel_id is not None
    await _ask_to_cancel(interaction, await client_of(interaction).table.at(interaction.channel_id))


# The buttons ----------------------------------------------------------------------------------------


class LobbyButton(Lasting, ui.DynamicItem[ui.Button[Any] | ui.Select[Any]], template="(?s)kglobby:.*"):
    """A button or a select of a lobby: ``kglobby:<game>:<code>``, from before a restart too."""

    def alike(self, interaction: Interaction) -> int:
        return 2

    async def callback(self, interaction: Interaction) -> None:
        found = re.fullmatch(r"kglobby:([0-9]{1,18}):([a-z-]+)", self.custom_id)
        game = int(found[1]) if found else None
        async with guard(interaction, game):
            if found is None or found[2] not in _PRESSES:
                raise Stale(f"not a button of a lobby: {self.custom_id[:100]!r}")
            require_here(interaction, await client_of(interaction).table.get(int(found[1])))
            try:
                await _PRESSES[found[2]](interaction, int(found[1]))
            except (AlreadyStarted, GameOver):
                await _catch_up(interaction, int(found[1]))
                raise


async def _join(interaction: Interaction, game: int) -> None:
    await _shown(interaction, await client_of(interaction).table.join(game, _seat(interaction)))


async def _leave(interaction: Interaction, game: int) -> None:
    await _shown(interaction, await client_of(interaction).table.leave(game, interaction.user.id))


async def _start(interaction: Interaction, game: int) -> None:
    client = client_of(interaction)
    session = await client.table.start(game, interaction.user.id)
    async with _showing.setdefault(game, asyncio.Lock()):
        await defer(interaction)
        if session.record.options.get("thread") and not isinstance(interaction.channel, discord.Thread):
            await _into_thread(client, session)
        if not await client.publisher.publish(game):
            await not_shown(interaction)


async def _into_thread(client: Client, session: Session) -> None:
    """Let a game go on in a thread below its lobby's message; where none can be made it stays above."""
    record, words = session.record, words_of(session)
    if record.message is None:
        return
    channel = client.get_partial_messageable(record.channel, guild_id=record.options.get("guild"))
    lobby = channel.get_partial_message(record.message)
    names = words.listed([words.plain(seat) for seat in range(len(session.seats))])
    with delivery(session.about):
        # Discord puts a thread away that nobody writes in: as late as it can, for turns may take days.
        name = words("thread-name", names=names)[:100]
        thread = await lobby.create_thread(name=name, auto_archive_duration=WEEK_OF_MINUTES)
        await client.table.move_to(session.id, thread.id)
        view = layout(ui.Container[Any](ui.TextDisplay(words("lobby-moved", thread=thread.mention))))
        await lobby.edit(view=view, allowed_mentions=QUIET)


async def _cancel(interaction: Interaction, game: int) -> None:
    await _ask_to_cancel(interaction, await client_of(interaction).table.get(game))


async def _ask_to_cancel(interaction: Interaction, session: Session) -> None:
    """Ask a person who may cancel a lobby, or agree to end a game, whether they mean it."""
    user = interaction.user.id
    if not session.may_end(user, moderator=_is_moderator(interaction)):
        raise NotHost(f"user {user} cannot end game {session.id}")
    if session.finished:
        raise Refusal("error-game-over")
    if session.is_lobby:
        what = "lobby"
    elif session.is_silent:
        what = "silent"
    elif session.seat_of(user) is None:
        what = "moderator"
    else:
        what = "alone" if len(session.seats) == 1 else "game"
    await tell(
        interaction,
        words_for(interaction)("cancel-question", what=what),
        _question(words_of(session), session),
    )


async def _cancel_lobby(interaction: Interaction, game: int) -> None:
    # Who was asked about a lobby has not said yes to ending the game that it became.
    if not (await client_of(interaction).table.get(game)).is_lobby:
        raise AlreadyStarted(f"game {game} is no lobby any more")
    await edit_lobby(client_of(interaction), await _cancel_now(interaction, game))


async def _end_game(interaction: Interaction, game: int) -> None:
    """End a game without a result, or tell the others that a person would."""
    # A restored backup may have made a lobby of it again, about which nobody was asked.
    if (await client_of(interaction).table.get(game)).is_lobby:
        raise NotStarted(f"game {game} has not started")
    client, session = client_of(interaction), await _cancel_now(interaction, game)
    if session.finished:
        await client.publisher.publish(game)
        return
    agreed = await client.table.would_end(session)
    missing = sum(not one.apprentice and one.user not in agreed for one in session.seats)
    text = words_of(session)(
        "cancel-wished", who=escaped_name(present_name(interaction.user)), missing=missing
    )
    with delivery(session.about):
        channel = client.get_partial_messageable(session.record.channel)
        await channel.send(text, allowed_mentions=QUIET)


async def _cancel_now(interaction: Interaction, game: int) -> Session:
    client = client_of(interaction)
    session = await client.table.cancel(game, interaction.user.id, moderator=_is_moderator(interaction))
    with delivery(about(interaction)):
        done = words_for(interaction)("cancel-done" if session.finished else "cancel-noted")
        await interaction.response.edit_message(content=done, view=None)
    return session


async def _ask_whom(interaction: Interaction, game: int) -> None:
    """Ask the host, in private, whom to take out of the lobby."""
    session, words = await client_of(interaction).table.get(game), words_for(interaction)
    if session.finished:
        raise GameOver(f"game {game} has ended")
    if not session.is_lobby:
        raise AlreadyStarted(f"game {game} has started")
    if session.record.host != interaction.user.id:
        raise NotHost(f"user {interaction.user.id} is not the host of game {game}")
    # Numbered as in the lobby, for two people can have one name.
    options = [
        discord.SelectOption(
            label=words("lobby-out-line", number=number, name=words.called(seat.name, number)),
            value=str(seat.user),
        )
        for number, seat in enumerate(session.seats, 1)
        if seat.user != interaction.user.id
    ]
    if not options:
        raise Refusal("lobby-nobody-out")
    view = ui.View(timeout=None)
    select = ui.Select[Any](
        custom_id=f"kglobby:{game}:out-whom", placeholder=words("lobby-out-pick"), options=options
    )
    view.add_item(LobbyButton(select))
    await tell(interaction, words("lobby-out-question"), view)


async def _take_out(interaction: Interaction, game: int) -> None:
    """Take whom the host has chosen out of the lobby, and tell them where they read it."""
    client, chosen = client_of(interaction), str(*(interaction.data or {}).get("values", [])[:1])
    if not re.fullmatch("[0-9]{1,20}", chosen):
        raise Stale(f"nobody is called {chosen[:100]!r}")
    session = await client.table.take_out(game, interaction.user.id, int(chosen))
    with delivery(about(interaction)):
        done = words_for(interaction)("lobby-out-done")
        await interaction.response.edit_message(content=done, view=None)
    await show_newest(client, game)
    channel = client.get_partial_messageable(session.record.channel)
    person = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(int(chosen))])
    words = words_of(session)
    with delivery(session.about):
        await channel.send(words("lobby-taken-out", who=f"<@{chosen}>"), allowed_mentions=person)


_PRESSES: Mapping[str, Callable[[Interaction, int], Awaitable[None]]] = {
    "join": _join,
    "leave": _leave,
    "start": _start,
    "out": _ask_whom,
    "out-whom": _take_out,
    "cancel": _cancel,
    "cancel-yes": _cancel_lobby,
    "end-yes": _end_game,
}


def _is_moderator(interaction: Interaction) -> bool:
    return interaction.guild_id is not None and interaction.permissions.manage_messages


async def _catch_up(interaction: Interaction, game: int) -> None:
    """Show what became of a lobby whose buttons are still there."""
    await defer(interaction)
    await show_newest(client_of(interaction), game)


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
        await edit_lobby(client_of(interaction), newest)


async def show_newest(client: Client, game: int) -> bool:
    """Let a lobby, or the table that it has become, show how it stands; whether it could be.

    Whoever starts it now shows it first. Raises as :meth:`Table.get`.
    """
    async with _showing.setdefault(game, asyncio.Lock()):
        session = await client.table.get(game)
        if not session.is_lobby:
            return await client.publisher.publish(game)
        show = post_lobby if session.record.message is None else edit_lobby
        return await show(client, session)


async def edit_lobby(client: Client, session: Session) -> bool:
    """Let a lobby's message show who sits there now, or that it is closed; whether it could be."""
    if session.record.message is None:
        return False
    channel = client.get_partial_messageable(session.record.channel)
    with delivery(session.about):
        message = channel.get_partial_message(session.record.message)
        await message.edit(view=lobby_layout(session), allowed_mentions=QUIET)
        return True
    return False


async def post_lobby(client: Client, session: Session) -> bool:
    """Post a lobby anew at the bottom of its channel, its older message goes; whether it could be."""
    channel, older = client.get_partial_messageable(session.record.channel), session.record.message
    postings = client.publisher.postings
    with delivery(session.about):
        if await postings.find(session) is None:
            await postings.send(session, view=lobby_layout(session))
        elif not await edit_lobby(client, await client.table.get(session.id)):
            return False
        if older is not None:
            with delivery(session.about):
                await channel.get_partial_message(older).delete()
        return True
    return False
