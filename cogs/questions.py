"""Questions in a channel: whether a step may be taken back, whether a friend sits down.

Each has one message, whose ID the database keeps until it asks nothing any more. What became of a question is
written into its message, without the buttons: by its answer, or when it has lost its sense, at the next
publication or the next start.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from weakref import WeakValueDictionary

import discord

from cogs.controls import ALLOW, NOT_SIT, REFUSE, SIT, Panel
from cogs.guard import Interaction, about, delivery, tell, words_for
from cogs.notice import UNREACHABLE
from cogs.texts import Words, escaped_name, present_name, words_of
from table.consent import steps_back
from table.errors import AlreadyAsked, NoAsk
from table.store import Ask, Question, Seat
from table.table import Session, Table

log = logging.getLogger(__name__)

QUIET = discord.AllowedMentions.none()
#: The answers to each kind of question: the code of a button, and what its text is called.
UNDO_ANSWERS = ((ALLOW, "allow"), (REFUSE, "refuse"))
FRIEND_ANSWERS = ((SIT, "sit"), (NOT_SIT, "not-sit"))


class Questions:
    """Posts the questions of a client's games, and lets each message say what became of its question."""

    def __init__(self, client: discord.Client, table: Table) -> None:
        self._client = client
        self._table = table
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def ask(
        self,
        game: int,
        who: discord.User | discord.Member,
        undo: bool,
        asking: Callable[[], Awaitable[Session]],
    ) -> str | None:
        """Ask by ``asking`` and post the question; return the ID of the text for the person who asks.

        None where nobody had to be asked. Raises AlreadyAsked where the same question is in the channel.
        """
        async with self._lock(game):
            try:
                session = await asking()
            except AlreadyAsked:
                ask = asked_by(await self._table.get(game), who.id, undo)
                if ask is None or await self._is_there(game, ask):
                    raise
                session = await asking()
            ask = asked_by(session, who.id, undo)
            said = None if ask is None else await self._post(session, ask, who)
        await self.settle(game)
        return said

    async def _is_there(self, game: int, ask: Ask) -> bool:
        """Return whether the message of a question is in the channel; one that is gone is forgotten."""
        session = await self._table.get(game)
        assert ask.message is not None
        try:
            await self._message(session.record.channel, ask.message).fetch()
        except discord.NotFound:
            await self._table.set_question(game, ask, None)
            await self._table.store.drop_question(ask.message)
            return False
        except UNREACHABLE as error:
            log.info("%s whether a question is there cannot be seen: %s", session.about, error)
        return True

    async def _post(self, session: Session, ask: Ask, who: discord.User | discord.Member) -> str:
        """Post a question with its answers as buttons; it mentions those alone who are asked, and may be."""
        words = words_of(session)
        view = discord.ui.View(timeout=None)
        button = Panel(session.id, session.version).button
        for code, label in UNDO_ANSWERS if ask.friend is None else FRIEND_ANSWERS:
            view.add_item(button(f"{code}.{who.id}", words(f"button-{label}")))
        people = _asked_people(session, ask)
        mentioned = await self._table.mention(session.id, who.id, people)
        mentions = discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(one) for one in mentioned]
        )
        content = _content(words, ask, escaped_name(present_name(who)), people)
        channel = self._client.get_partial_messageable(session.record.channel)
        with delivery(session.about):
            message = await channel.send(content, view=view, allowed_mentions=mentions)
            await self._table.set_question(session.id, ask, message.id)
            return "ask-sent"
        await self._table.unask(session.id, ask, mentioned)
        return "ask-not-sent"

    # Answers --------------------------------------------------------------------------------------

    async def answer(self, interaction: Interaction, game: int, version: int, code: str, asker: int) -> None:
        """Do what an answer to a question asks for; the message says it, once that is settled."""
        async with self._lock(game):
            before = await self._table.get(game)
            ask = asked_by(before, asker, code in (ALLOW, REFUSE))
            if ask is not None and interaction.message is not None:
                await self._keep_pressed(before, ask, interaction.message.id)
            try:
                session = await self._answer(interaction, game, version, code, asker)
            except NoAsk:
                await self._settle(game)
                await self._strip(interaction)
                raise
            now = asked_by(session, asker, code in (ALLOW, REFUSE))
            if ask is not None and now is not None and now.of == ask.of:
                await self._note(interaction, session, now)
                return
            words, user = words_of(session), interaction.user
            name = next((seat.name for seat in before.seats if seat.user == asker), "")
            what = "withdraw" if user.id == asker else code.removeprefix("?")
            who, whose = escaped_name(present_name(user)), words.person(name)
            await self._end(interaction, ask, words(f"ask-answered-{what}", who=who, whose=whose))

    async def _answer(
        self, interaction: Interaction, game: int, version: int, code: str, asker: int
    ) -> Session:
        user, yes = interaction.user, code in (ALLOW, SIT)
        if code in (SIT, NOT_SIT):
            return await self._table.answer_friend(game, asker, Seat(user.id, present_name(user)), yes)
        return await self._table.answer_undo(game, user.id, version, asker, yes)

    async def _keep_pressed(self, session: Session, ask: Ask, pressed: int) -> None:
        """Keep a pressed message whose ID was not kept, as when the process died after posting it."""
        if ask.message is None:
            await self._table.set_question(session.id, ask, pressed)
        elif ask.message != pressed:
            await self._table.add_question(session, ask, pressed)

    async def _note(self, interaction: Interaction, session: Session, ask: Ask) -> None:
        """Let a question that others are still to answer say who has agreed."""
        words = words_of(session)
        agreed = words.both([n for n, seat in enumerate(session.seats) if seat.user in ask.allowed])
        question = (interaction.message.content if interaction.message else "").split("\n", 1)[0]
        with delivery(about(interaction)):
            await interaction.edit_original_response(
                content=f"{question}\n{words('ask-agreed', who=agreed)}", allowed_mentions=QUIET
            )
        await tell(interaction, words_for(interaction)("ask-waiting"))

    async def _end(self, interaction: Interaction, ask: Ask | None, text: str) -> None:
        """Let the pressed message say how its question was settled, and the kept one if it is another."""
        pressed = interaction.message.id if interaction.message else None
        with delivery(about(interaction)):
            await interaction.edit_original_response(content=text, view=None, allowed_mentions=QUIET)
            if pressed is not None:
                await self._table.store.drop_question(pressed)
        if ask is not None and ask.message not in (None, pressed) and interaction.channel_id is not None:
            await self._edit(interaction.channel_id, ask.message, text, about(interaction))

    async def _strip(self, interaction: Interaction) -> None:
        """Take the buttons off a pressed message that the database does not know, if they are still there."""
        with delivery(about(interaction)):
            if (await interaction.original_response()).components:
                text = words_for(interaction)("ask-ended", why="moved")
                await interaction.edit_original_response(content=text, view=None, allowed_mentions=QUIET)

    # What lost its sense --------------------------------------------------------------------------

    async def settle(self, game: int) -> None:
        """Let each message of a game whose question does not stand any more say so."""
        if await self._table.store.questions(game):
            async with self._lock(game):
                await self._settle(game)

    async def asking(self) -> set[int]:
        """Return the games with messages that ask something, and may have lost their sense."""
        return {one.game for one in await self._table.store.questions()}

    async def _settle(self, game: int) -> None:
        session = await self._table.drop_moot_asks(game)
        standing = {ask.message for ask in session.record.asks}
        for one in await self._table.store.questions(game):
            if one.message not in standing:
                await self._edit(one.channel, one.message, await self._ended(session, one), session.about)

    async def _ended(self, session: Session, question: Question) -> str:
        """Return what became of a question that nobody has answered since it could still be."""
        words, newest = words_of(session), (await self._table.store.turns(session.id))[-1]
        if question.undo and not session.finished and newest.seat == question.seat and steps_back(newest):
            # The last one who had yet to answer has left, and all others had allowed it.
            return words("ask-answered-allow", whose=words.person(session.seats[question.seat].name))
        return words("ask-ended", why=await self._why(session, question))

    async def _why(self, session: Session, question: Question) -> str:
        """Return why a question ended for which nothing was done."""
        if session.finished:
            return "over"
        seat = session.seats[question.seat]
        if seat.apprentice or await self._table.mark(seat.user) != question.mark:
            return "left"
        if asked_by(session, seat.user, question.undo) is not None:
            return "anew"
        return "moved" if question.undo else "withdrawn"

    async def _edit(self, channel: int, message: int | None, text: str, whose: str) -> None:
        """Edit a question that ended; one that is gone has ended as well."""
        if message is None:
            return
        try:
            await self._message(channel, message).edit(content=text, view=None, allowed_mentions=QUIET)
        except discord.NotFound:
            pass
        except UNREACHABLE as error:
            log.warning("%s a question that ended keeps its buttons for now: %s", whose, error)
            return
        await self._table.store.drop_question(message)

    def _message(self, channel: int, message: int) -> discord.PartialMessage:
        return self._client.get_partial_messageable(channel).get_partial_message(message)

    def _lock(self, game: int) -> asyncio.Lock:
        return self._locks.setdefault(game, asyncio.Lock())


def asked_by(session: Session, user: int, undo: bool) -> Ask | None:
    """Return what a person asks at a game: to take back a step, or a friend to sit down."""
    kinds = (one for one in session.record.asks if one.user == user and (one.friend is None) == undo)
    return next(kinds, None)


def _asked_people(session: Session, ask: Ask) -> Sequence[int]:
    if ask.friend is not None:
        return [ask.friend]
    return [one.user for one in session.seats if not one.apprentice and one.user != ask.user]


def _content(words: Words, ask: Ask, who: str, people: Sequence[int]) -> str:
    """Return the text of a question, which tells nothing of the game."""
    text = "ask-undo" if ask.friend is None else "ask-friend"
    return words(text, who=who, others=" ".join(f"<@{one}>" for one in people))
