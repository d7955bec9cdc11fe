"""Playing: what the buttons, the selects and the slash commands do. All of them take one path.

A press or a command becomes codes; ``_play`` has the table do them, shows the person their own table in
private, and publishes the game. Everything runs inside the guard.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import discord
from discord import ButtonStyle, app_commands, ui

from cogs import board, challenges, choices, orders, workbench
from cogs.choices import Choice
from cogs.client import client_of
from cogs.controls import (
    AGAIN,
    ALLOW,
    ASK,
    BACK,
    CONCEDE,
    GO_ON,
    MOVE_ON,
    MY_TABLE,
    NOT_SIT,
    REFUSE,
    SIT,
    TAKE_OVER,
    UNDO,
    WANT_PAUSE,
    Control,
    Panel,
    Press,
    layout,
    picture,
    require_here,
)
from cogs.easel import Picture, Rank
from cogs.group import command_text, kanagawa, option_text
from cogs.guard import (
    Interaction,
    Refusal,
    Uncertain,
    about,
    defer,
    delivery,
    explain,
    floods_of,
    guard,
    tell,
    words_for,
)
from cogs.lobby import post_lobby, show_newest
from cogs.notice import link_to
from cogs.permissions import not_shown
from cogs.publish import QUIET, edit_files, news, present_in, told
from cogs.texts import CRESTS, Words, escaped, escaped_name, present_name, words_of
from cogs.workbench import Seen, Step
from kanagawa.actions import Action
from kanagawa.counts import count_studio
from kanagawa.errors import IllegalAction, RuleError
from kanagawa.events import DiplomaTaken, Painted, RoundEnded, Took
from kanagawa.state import Phase, View
from table.errors import NotStarted, NotYourMove, Stale, StoreError, TableError
from table.store import NOBODY, Seat
from table.table import Session

#: A choice stands for at most so many codes: two Brushes are placed or moved twice each, then it paints.
MAX_CODES = 6


# Buttons and selects ---------------------------------------------------------------------------------


async def press(interaction: Interaction, pressed: Press | None) -> None:
    """What any button or select of a game does; None stands for one that says nothing we know."""
    async with guard(interaction, pressed.game if pressed else None):
        if pressed is None:
            raise Refusal("error-unknown-control")
        await defer(interaction, thinking=pressed.code == MY_TABLE)
        session = await client_of(interaction).table.get(pressed.game)
        require_here(interaction, session)
        if pressed.code == MY_TABLE:
            await _show(interaction, await _session(interaction, pressed.game))
            return
        if pressed.version > session.version:  # shown before a backup was restored
            await _outdated(interaction, session)
        elif pressed.code == CONCEDE:
            await _concede(interaction, pressed.game)
        elif pressed.code.partition(".")[0] in (WANT_PAUSE, GO_ON):
            await _pause(interaction, pressed)
        elif pressed.code == MOVE_ON:
            await _seat_change(
                interaction,
                client_of(interaction).table.move_on(pressed.game, interaction.user.id, pressed.version),
                pressed.game,
            )
        elif pressed.chosen.startswith(f"{orders.ORDER}."):
            await _order(interaction, pressed)
        elif pressed.code == ASK:
            await _ask_undo(interaction, pressed)
        elif pressed.code == AGAIN:
            await _again(interaction, pressed.game)
        elif (asked := pressed.code.partition("."))[0] in (ALLOW, REFUSE, SIT, NOT_SIT):
            await _answer_ask(interaction, pressed, asked[0], asked[2])
        elif pressed.code == BACK or pressed.code.startswith(f"{TAKE_OVER}."):
            await _sit(interaction, pressed)
        elif pressed.chosen.startswith(workbench.BENCH):
            session = await _session(interaction, pressed.game)
            await _show(interaction, session, Step.parse(pressed.chosen))
        elif pressed.chosen.startswith("?") and pressed.chosen != UNDO:
            raise Refusal("error-unknown-control")
        else:
            await _play(interaction, pressed.game, pressed.version, pressed.chosen.split(","))


Control.on_press = press


# Playing ---------------------------------------------------------------------------------------------


async def _play(interaction: Interaction, game: int, version: int, codes: Sequence[str]) -> None:
    """Do what was chosen at that version and save it; then publish the game and answer the person.

    Neither waits for the other. A refusal is said at once; beside it a table that is behind is shown.
    """
    client = client_of(interaction)
    before = await client.table.get(game)
    try:
        session = await _act(interaction, before, version, codes[:MAX_CODES])
    except Exception as error:
        await asyncio.gather(_refuse(interaction, game, error), client.publisher.publish(game))
        return
    shown, _ = await asyncio.gather(
        client.publisher.publish(game), _answer_move(interaction, before, session, codes)
    )
    if not shown:
        await not_shown(interaction)


async def _refuse(interaction: Interaction, game: int, error: Exception) -> None:
    """Say why a move is not possible. An old workbench shows the newest table instead, and says why."""
    if isinstance(error, Stale) and _is_private(interaction):
        try:
            note = words_for(interaction)("bench-stale")
            await _show(interaction, await client_of(interaction).table.get(game), note=note)
            return
        except Exception as another:
            error = another
    await explain(interaction, error, game)


async def _answer_move(
    interaction: Interaction, before: Session, session: Session, codes: Sequence[str]
) -> None:
    """Answer a move that is saved; an answer that fails undoes nothing and keeps nobody from the table."""
    try:
        try:
            await _answer(interaction, before, session, codes)
        except StoreError as error:
            raise Uncertain("the move is saved") from error
    except Exception as error:
        await explain(interaction, error, session.id)


async def _outdated(interaction: Interaction, session: Session) -> None:
    """Show the newest table to who pressed a button of a past that a restored database does not know."""
    if not _is_private(interaction):
        await client_of(interaction).publisher.publish(session.id)
        raise Stale(f"game {session.id} is at version {session.version}, in another past")
    await _show(interaction, session, note=words_for(interaction)("bench-stale"))


async def _act(interaction: Interaction, before: Session, version: int, codes: Sequence[str]) -> Session:
    """Have the table do the codes one after the other; each is saved by itself."""
    table, user = client_of(interaction).table, interaction.user.id
    session = before
    for code in codes:
        try:
            if code == UNDO:
                session = await table.undo(before.id, user, version)
            else:
                session = await table.act(before.id, user, version, code)
        except IllegalAction as error:
            raise _why(session, user, code, error) from error
        except NotYourMove as error:
            raise _turn_of(interaction, session) from error
        except StoreError as error:
            if session is before:
                raise
            raise Uncertain(f"saved until version {version}") from error
        version = session.version
    return session


def _turn_of(interaction: Interaction, session: Session) -> Refusal:
    """Whose turn it is, for somebody else who would act."""
    assert session.to_move is not None
    return Refusal("error-turn-of", who=_words(interaction, session).seat(session.to_move))


def _why(session: Session, user: int, code: str, error: RuleError) -> Exception:
    """The reason a person can do something about, for an action that is not legal."""
    view: View = session.view(user)
    if view.offered:
        return Refusal("error-decide-first")
    if code == "done" and view.phase is Phase.TURN:
        me = choices.viewer(view)
        keep = count_studio(me.tile, me.studio).hands
        return Refusal("error-too-many-cards", keep=keep, over=len(me.hand) - keep)
    return error


async def _answer(interaction: Interaction, before: Session, session: Session, codes: Sequence[str]) -> None:
    """Show the person their own table after a move, unless the public one says all there is to say.

    That is where a click was made there and leaves them nothing to do.
    """
    seat = session.seat_of(interaction.user.id)
    public = interaction.type is discord.InteractionType.component and not _is_private(interaction)
    if public and (session.to_move != seat or session.state.phase is not Phase.TURN):
        return
    if codes[0] == UNDO:
        note = words_for(interaction)("bench-undone")
    else:
        words = _words(interaction, session)
        since = len(before.line)
        note = board.newest(
            await news(client_of(interaction).table, session, since, words), workbench.NEWS_LENGTH
        )
    await _show(interaction, session, note=note)


async def _show(
    interaction: Interaction, session: Session, step: Step | None = None, *, note: str = ""
) -> None:
    """Show a person their own table: in place at a workbench, else as a new private message."""
    step = step or Step()
    client, user = client_of(interaction), interaction.user.id
    seat = session.sitting(user)
    if session.is_lobby:
        raise NotStarted(f"game {session.id} has not started")
    easel = client.publisher.easel
    async with floods_of(interaction).turn(interaction, "private"):
        async with easel.render_slots.take(Rank.PRIVATE, user):
            made, pictures = await _bench(interaction, session, seat, step, note)
        await _send(interaction, made, pictures)


async def _bench(
    interaction: Interaction, session: Session, seat: int, step: Step, note: str
) -> tuple[ui.LayoutView, list[Picture]]:
    """Make a person's own table, with its pictures."""
    client, words = client_of(interaction), _words(interaction, session)
    view: View = session.view(interaction.user.id)
    if not (note or step.open):
        note = await _since(interaction, session, seat)
    pictures = await client.publisher.easel.draw(session, words, view, *workbench.pictures(view, step))
    seen = Seen(
        session.id,
        session.version,
        view,
        _legal(session, seat),
        await client.table.can_undo(session, seat),
        await client.table.slip(session, seat) is not None,
        () if session.finished else session.game.ahead(session.state, seat),
        client.table.ordered(session, seat),
        session.game.situation(session.state),
        session.deadline is not None and session.paused is None and not session.pausing,
    )
    return workbench.bench(words, seen, step, note, [one.shown for one in pictures]), pictures


async def _since(interaction: Interaction, session: Session, seat: int) -> str:
    """What was taken, painted and won since a person's last own move, by the others or in their place."""
    line = session.line
    own = [index for index, turn in enumerate(line) if turn.seat == seat and turn.maker is None]
    last = own[-1] if own else 1
    words = _words(interaction, session)
    happened = await client_of(interaction).table.happened(session, last)
    lines = [
        line
        for turn, event, line in told(words, session, happened)
        if isinstance(event, Took | Painted | DiplomaTaken) and (event.seat != seat or turn.maker is not None)
    ]
    if not lines:
        return ""
    return words("since", happened=board.newest(lines, workbench.NEWS_LENGTH))


async def _send(interaction: Interaction, view: ui.LayoutView, pictures: Sequence[Picture] = ()) -> None:
    """Answer privately: by editing the private message that was clicked or announced, else by a new one."""
    announced = interaction.response.type in _ANNOUNCED
    clicked = interaction.message if _is_private(interaction) and not announced else None
    with delivery(about(interaction)):
        if clicked or announced:
            present = present_in(clicked) if clicked else ()
            await edit_files(interaction.edit_original_response, view, pictures, present)
        else:
            await interaction.followup.send(
                view=view, files=[one.file for one in pictures], ephemeral=True, allowed_mentions=QUIET
            )


#: An answer of this kind waits to be filled in.
_ANNOUNCED = (discord.InteractionResponseType.deferred_channel_message,)


def _is_private(interaction: Interaction) -> bool:
    """Whether a table was clicked that only this person sees; a question in words cannot become one."""
    flags = interaction.message.flags if interaction.message else discord.MessageFlags()
    return flags.ephemeral and flags.components_v2


def _words(interaction: Interaction, session: Session) -> Words:
    """The words of a game in the language of who reads them."""
    return Words(str(interaction.locale), [seat.name for seat in session.seats])


def _legal(session: Session, seat: int) -> Sequence[Action]:
    return () if session.finished else session.game.legal(session.state, seat)


# The slash commands ----------------------------------------------------------------------------------


async def _session(interaction: Interaction, game: int | None = None) -> Session:
    """The game that was clicked, or that of the channel. Raises NoGame, or NotStarted for a lobby."""
    table = client_of(interaction).table
    assert interaction.channel_id is not None
    session = await (table.at(interaction.channel_id) if game is None else table.get(game))
    if session.is_lobby:
        raise NotStarted(f"game {session.id} has not started")
    return session


Listing = Callable[[Words, View, Sequence[Action]], list[Choice]]
Completion = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


async def _command(interaction: Interaction, codes: str) -> None:
    """A move typed as a command: the codes, done at the newest version."""
    await defer(interaction, thinking=True)
    session = await _session(interaction)
    await _play(interaction, session.id, session.version, codes.split(","))


async def _chosen(interaction: Interaction, listing: Listing, typed: str) -> None:
    """A move whose object was typed: what it means is looked for among what is legal."""
    await defer(interaction, thinking=True)
    session = await _session(interaction)
    try:
        offered = _offered(interaction, session, listing)
    except NotYourMove as error:
        raise _turn_of(interaction, session) from error
    meant = choices.matching(offered, typed)
    if len(meant) == 1:
        await _play(interaction, session.id, session.version, meant[0].value.split(","))
        return
    if not offered:
        raise Refusal("error-nothing-to-choose")
    raise Refusal(
        "error-which" if meant else "error-no-such-choice", choices=choices.listed(meant or offered)
    )


def _offered(interaction: Interaction, session: Session, listing: Listing) -> list[Choice]:
    """What a person can choose from now. Raises NotSeated or NotYourMove."""
    user = interaction.user.id
    seat = session.sitting(user)
    if session.to_move != seat:
        raise NotYourMove(f"seat {session.to_move} is to act in game {session.id}")
    return listing(_words(interaction, session), session.view(user), _legal(session, seat))


def _completion(listing: Listing) -> Completion:
    """The autocompletion of an option: what of the list is meant by what has been typed so far."""

    async def complete(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        try:
            offered = _offered(interaction, await _session(interaction), listing)
        except (TableError, RuleError):
            return []
        return choices.suggestions(offered, typed)

    return complete


def _columns(words: Words, view: View, legal: Sequence[Action]) -> list[Choice]:
    return choices.only(choices.columns(words, view, legal), "take")


def _diplomas(words: Words, view: View, legal: Sequence[Action]) -> list[Choice]:
    return choices.diplomas(words, legal)


@kanagawa.command(name="table", description=command_text("table"))
async def show_table(interaction: Interaction) -> None:
    """Post the table anew at the bottom of the channel."""
    await defer(interaction, thinking=True)
    client = client_of(interaction)
    assert interaction.channel_id is not None
    session = await client.table.at(interaction.channel_id)
    if session.is_lobby:
        shown = await post_lobby(client, session)
    else:
        shown = await client.publisher.publish(session.id, anew=True)
    if shown:
        await tell(interaction, words_for(interaction)("table-shown"))
    else:
        await not_shown(interaction)


@kanagawa.command(name="hand", description=command_text("hand"))
async def hand(interaction: Interaction) -> None:
    """Show the person their own table."""
    await defer(interaction, thinking=True)
    await _show(interaction, await _session(interaction))


@kanagawa.command(name="look", description=command_text("look"))
@app_commands.describe(player=option_text("look", "player"), number=option_text("look", "round"))
@app_commands.rename(number="round")
async def look(
    interaction: Interaction,
    player: str | None = None,
    number: app_commands.Range[int, 1, 36] | None = None,
) -> None:
    """Show one player's picture, large, as it is or as it was at the end of a round.

    There are fewer than 36 rounds, for each takes two cards at least.
    """
    await defer(interaction, thinking=True)
    session = await _seen_here(interaction)
    if session.finished or number is not None:
        await challenges.require_told(client_of(interaction).table, session, interaction.user.id)
    words = _words(interaction, session)
    view: View = session.view(interaction.user.id)
    if number is not None and number > view.round:
        raise Refusal("error-round-to-come", round=view.round)
    if number is not None and number < view.round:
        table = client_of(interaction).table
        view = await table.view_at(session, await _end_of(interaction, session, number), interaction.user.id)
    seat = view.seat if player is None else _seat(words, view, player)
    if seat is None:
        raise _which_player(_seats(words, view))
    box = ui.Container[Any](accent_colour=board.COLOURS[seat])
    past = number is not None and number < session.view(None).round
    box.add_item(ui.TextDisplay(words("look-round", who=words.seat(seat), round=number if past else 0)))
    easel, user = client_of(interaction).publisher.easel, interaction.user.id
    async with floods_of(interaction).turn(interaction, "private"):
        async with easel.render_slots.take(Rank.PRIVATE, user):
            drawn = await easel.draw(session, words, view, ("panel", (seat,)))
        for one in drawn:
            box.add_item(picture(*one.shown))
        await _send(interaction, layout(box), drawn)


async def _seen_here(interaction: Interaction) -> Session:
    """The channel's game, or else its last one that is over. Raises NoGame, or NotStarted for a lobby."""
    assert interaction.channel_id is not None
    return await client_of(interaction).table.latest(interaction.channel_id)


async def _end_of(interaction: Interaction, session: Session, number: int) -> int:
    """Which turn of the line ended a round that is over."""
    told = await client_of(interaction).table.happened(session, 1)
    for index, (_, events) in enumerate(told, 1):
        if RoundEnded(number) in events:
            return index
    raise Refusal("error-no-such-round")


def _seats(words: Words, view: View) -> list[Choice]:
    """The players by number and crest, for two may have the same name."""
    return [
        choices.numbered(
            words,
            str(seat + 1),
            f"?seat.{seat}",
            f"{CRESTS[seat]} {words.plain(seat)}",
            also=words.plain(seat),
        )
        for seat in range(len(view.players))
    ]


def _seat(words: Words, view: View, typed: str) -> int:
    """The seat of the player who is meant. Raises Refusal where it is not sure who."""
    seats = _seats(words, view)
    meant = choices.matching(seats, typed)
    if len(meant) != 1:
        raise _which_player(meant or seats)
    return seats.index(meant[0])


def _which_player(seats: Sequence[Choice]) -> Refusal:
    return Refusal("error-which-player", choices=choices.listed(seats, escaped))


@look.autocomplete("player")
async def complete_player(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The players of the channel's game, by name."""
    try:
        session = await _seen_here(interaction)
    except TableError:
        return []
    seats = _seats(_words(interaction, session), session.view(None))
    return choices.suggestions(seats, typed)


@kanagawa.command(name="score", description=command_text("score"))
async def show_score(interaction: Interaction) -> None:
    """Show everybody's points as they are now."""
    session = await _seen_here(interaction)
    if session.finished:
        await challenges.require_told(client_of(interaction).table, session, interaction.user.id)
    await tell(interaction, board.breakdown(_words(interaction, session), session.view(None)))


@kanagawa.command(name="stay", description=command_text("stay"))
async def stay(interaction: Interaction) -> None:
    """Stay in school (K2.2)."""
    await _command(interaction, "stay")


@kanagawa.command(name="take", description=command_text("take"))
@app_commands.describe(column=option_text("take", "column"))
@app_commands.autocomplete(column=_completion(_columns))
async def take(interaction: Interaction, column: str) -> None:
    """Take a column (K2.2)."""
    await _chosen(interaction, _columns, column)


@kanagawa.command(name="studio", description=command_text("studio"))
@app_commands.describe(card=option_text("studio", "card"))
@app_commands.autocomplete(card=_completion(choices.studio))
async def studio(interaction: Interaction, card: str) -> None:
    """Put a card into the Studio (K3.1)."""
    await _chosen(interaction, choices.studio, card)


@kanagawa.command(name="print", description=command_text("print"))
@app_commands.describe(card=option_text("print", "card"))
@app_commands.autocomplete(card=_completion(choices.paintings))
async def paint(interaction: Interaction, card: str) -> None:
    """Paint a card, with the Brushes placed and moved that this takes (K3.2)."""
    await _chosen(interaction, choices.paintings, card)


@kanagawa.command(name="brush", description=command_text("brush"))
@app_commands.describe(move=option_text("brush", "move"))
@app_commands.autocomplete(move=_completion(choices.brushes))
async def brush(interaction: Interaction, move: str) -> None:
    """Place or move a Brush (K3.5)."""
    await _chosen(interaction, choices.brushes, move)


@kanagawa.command(name="diploma", description=command_text("diploma"))
@app_commands.describe(choice=option_text("diploma", "choice"))
@app_commands.autocomplete(choice=_completion(_diplomas))
async def diploma(interaction: Interaction, choice: str) -> None:
    """Take, decline or claim a Diploma (K4.1, O4)."""
    await _chosen(interaction, _diplomas, choice)


@kanagawa.command(name="done", description=command_text("done"))
async def done(interaction: Interaction) -> None:
    """End the turn (K3.6), or in solo the last decision (O6)."""
    await defer(interaction, thinking=True)
    session = await _session(interaction)
    code = "pass" if session.state.phase is Phase.LAST else "done"
    await _play(interaction, session.id, session.version, [code])


@kanagawa.command(name="undo", description=command_text("undo"))
async def undo(interaction: Interaction) -> None:
    """Take back the last action of the own turn."""
    await _command(interaction, UNDO)


@kanagawa.command(name="concede", description=command_text("concede"))
@app_commands.describe(friend=option_text("concede", "friend"))
async def concede(interaction: Interaction, friend: discord.User | None = None) -> None:
    """Ask whether to leave the game for good, or ask a friend to sit down instead."""
    session = await _session(interaction)
    if friend is not None:
        if friend.bot:
            raise Refusal("error-friend-bot")
        if session.record.options.get("seed") is not None:
            # Who has seen its cards could try it a second time, on another's try that counts.
            raise Refusal("error-friend-challenge")
        if friend.id in [one.user for one in session.seats]:
            raise Refusal("error-friend-seated")
        if not _sees(interaction, friend):
            raise Refusal("error-friend-absent")
        await defer(interaction, thinking=True)
        client, user, game = client_of(interaction), interaction.user, session.id
        said = await client.publisher.questions.ask(
            game, user, False, lambda: client.table.ask_friend(game, user.id, friend.id)
        )
        await tell(interaction, words_for(interaction)(said or "ask-sent"))
        return
    session.sitting(interaction.user.id)
    words = words_for(interaction)
    others = sum(not seat.apprentice for seat in session.seats) - 1
    question = ui.View(timeout=None)
    button = Panel(session.id, session.version).button
    question.add_item(button(CONCEDE, words("button-concede"), style=ButtonStyle.danger))
    challenge = "yes" if session.record.options.get("seed") else "no"
    await tell(interaction, words("concede-question", others=others, challenge=challenge), question)


def _sees(interaction: Interaction, friend: discord.User | discord.Member) -> bool:
    """Return whether a friend can see the channel of a command; where that cannot be known, they may."""
    if not isinstance(friend, discord.Member):
        return False  # in a direct message nobody else is; of a server's members Discord tells more
    allowed, channel = friend.resolved_permissions, interaction.channel
    if allowed is None and isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        allowed = channel.permissions_for(friend)
    return allowed is None or allowed.view_channel


async def _order(interaction: Interaction, pressed: Press) -> None:
    """Order one thing more ahead, or withdraw the order; only the person's own table tells of it."""
    table, user = client_of(interaction).table, interaction.user.id
    session = await _session(interaction, pressed.game)
    seat = session.sitting(user)
    situation, codes = orders.read(pressed.chosen, table.ordered(session, seat))
    session = await table.order(session.id, user, situation, codes)
    note = words_for(interaction)("order-noted" if codes else "order-withdrawn")
    await _show(interaction, session, note=note)


async def _ask_undo(interaction: Interaction, pressed: Press) -> None:
    """Ask the others, in the channel, to let a turn be taken back."""
    client, user, game = client_of(interaction), interaction.user, pressed.game
    said = await client.publisher.questions.ask(
        game, user, True, lambda: client.table.ask_undo(game, user.id, pressed.version)
    )
    if said is None:
        await client.publisher.publish(game)
    await _show(
        interaction, await client.table.get(game), note=words_for(interaction)(said or "bench-undone")
    )


async def _answer_ask(interaction: Interaction, pressed: Press, answer: str, asker: str) -> None:
    """Answer what somebody asked in the channel."""
    if not asker.isascii() or not asker.isdigit():
        raise Refusal("error-unknown-control")
    publisher = client_of(interaction).publisher
    await publisher.questions.answer(interaction, pressed.game, pressed.version, answer, int(asker))
    await publisher.publish(pressed.game)


async def _again(interaction: Interaction, game: int) -> None:
    """Sit down for another game of the people of one that is over, or play alone once more."""
    client, user = client_of(interaction), interaction.user
    session, first = await client.table.rematch(game, Seat(user.id, present_name(user)))
    if len(session.game.people(session.record.options)) == 1:
        await client.table.start(session.id, user.id)
    if not await show_newest(client, session.id):
        await not_shown(interaction)
    elif session.is_lobby and session.record.host != user.id:
        await tell(interaction, words_for(interaction)("again-joined", link=link_to(session)))
    elif first:
        await _invite(interaction, await client.table.get(game))


async def _invite(interaction: Interaction, old: Session) -> None:
    """Tell the people who played a game to its end, with one mention, that they can join another."""
    user = interaction.user
    # A person who left has left.
    others = [one.user for one in old.seats if one.user not in (user.id, NOBODY) and not one.apprentice]
    if not others:
        return
    text = words_of(old)(
        "again-invited",
        who=escaped_name(present_name(user)),
        others=" ".join(f"<@{one}>" for one in others),
    )
    mentions = discord.AllowedMentions(
        everyone=False, roles=False, users=[discord.Object(one) for one in others]
    )
    with delivery(old.about):
        channel = client_of(interaction).get_partial_messageable(old.record.channel)
        await channel.send(text, allowed_mentions=mentions)


async def _sit(interaction: Interaction, pressed: Press) -> None:
    """Take over a free seat, or come back to the own one."""
    table, user = client_of(interaction).table, interaction.user
    if pressed.code == BACK:
        seats = (await table.get(pressed.game)).seats
        seat = next((number for number, one in enumerate(seats) if one.user == user.id), -1)
    else:
        number = pressed.code.partition(".")[2]
        seat = int(number) if number in map(str, range(4)) else -1
    person = Seat(user.id, present_name(user))
    await _seat_change(interaction, table.take_over(pressed.game, seat, person), pressed.game)


async def _pause(interaction: Interaction, pressed: Press) -> None:
    """Want a pause, agree to one, or go on without; the table in the channel shows it."""
    client, user = client_of(interaction), interaction.user.id
    if pressed.code == GO_ON:
        await client.table.go_on(pressed.game, user)
    else:
        session = await client.table.pause(pressed.game, user)
        said = "pause-begun" if session.paused is not None else "pause-wanted"
        await tell(interaction, words_for(interaction)(said))
    if not await client.publisher.publish(pressed.game):
        await not_shown(interaction)


async def _seat_change(interaction: Interaction, change: Coroutine[Any, Any, Session], game: int) -> None:
    """Do what changes who plays, and show it."""
    await change
    if not await client_of(interaction).publisher.publish(game):
        await not_shown(interaction)


async def _concede(interaction: Interaction, game: int) -> None:
    client = client_of(interaction)
    try:
        await client.table.concede(game, interaction.user.id)
        with delivery(about(interaction)):
            await interaction.edit_original_response(
                content=words_for(interaction)("conceded"), view=None, allowed_mentions=QUIET
            )
    finally:
        await client.publisher.publish(game)
