"""The one path that publishes: whatever changed a game, ``publish(game)`` shows its newest version.

A picture that the message shows already is kept there. The table is shown first: notices, older messages,
threads and the replay of a finished game come after it, and none of them holds it up or fails it. Errors
end here: a move that was saved counts, and the next call shows what this one could not.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

import aiohttp
import discord

from cogs import board, challenges, metrics
from cogs.controls import GO_ON, MOVE_ON, MY_TABLE, TAKE_OVER, WANT_PAUSE, Panel, Press, parse_custom_id
from cogs.easel import Easel, Picture, Rank
from cogs.guard import GRACE, under_way
from cogs.keepsakes import hides_pictures, keepsakes, shown_keepsakes
from cogs.notice import UNREACHABLE, Notices
from cogs.postings import Postings
from cogs.questions import QUIET, Questions
from cogs.reach import THREAD_ARCHIVED, barred, gone, is_gone
from cogs.texts import Words, words_of
from kanagawa.events import Event
from kanagawa.state import View
from table.errors import StoreError, TableError
from table.pace import DAY, HOUR, turn_length
from table.store import ORDER, Turn
from table.table import OVER, Session, Table

log = logging.getLogger(__name__)

#: What Discord answers for a message that is gone.
UNKNOWN_MESSAGE = 10008
#: Games of which it is remembered what their message shows; of others it is asked.
REMEMBERED = 512
#: A message with so many others below it, or so many seconds old, is posted anew at the next change.
BURIED_UNDER, BURIED_AFTER = 20, DAY
#: So many looks within so many seconds are taken at what lies below a message.
LOOKS, LOOKS_WITHIN = 3, 300.0
#: Seconds between two showings of one turn's steps, while its player places card after card.
PAUSE = 2.0
#: Of messages older than this Discord takes so many edits within so many seconds, and lets others wait: one
#: that was edited so often is posted anew.
OLD_AFTER, OLD_EDITS, OLD_WITHIN = HOUR, 3, 20.0
#: Seconds until what could not be shown is tried again, and after each try that fails. Where Discord answers
#: that it is out of order, discord.py has tried for half a minute by then; a broken connection it has not.
RETRIES = (5.0, 30.0, 120.0, 600.0)


# Files of messages -------------------------------------------------------------------------------------


class Present(NamedTuple):
    """A file that a message holds already, as an edit that keeps it names it."""

    filename: str
    id: int

    def to_dict(self) -> dict[str, Any]:
        """What discord.py sends for it."""
        return {"id": self.id, "filename": self.filename}


def present_in(message: discord.Message) -> list[Present]:
    """The files of a message. Discord names those that its components show in these alone."""
    found = {one.id: one.filename for one in message.attachments}
    found |= {one.attachment_id: _name(one) for one in _media(message.components) if one.attachment_id}
    return [Present(filename, number) for number, filename in found.items()]


def _media(components: Iterable[discord.Component]) -> Iterator[discord.UnfurledMediaItem]:
    """What the galleries and files among components show, in order."""
    for one in components:
        if isinstance(one, discord.MediaGalleryComponent):
            yield from (item.media for item in one.items)
        elif isinstance(one, discord.FileComponent):
            yield one.media
        elif isinstance(one, discord.Container):
            yield from _media(one.children)


def _name(media: discord.UnfurledMediaItem) -> str:
    return urlsplit(media.url).path.rsplit("/", 1)[-1]


async def edit_files(
    edit: Callable[..., Awaitable[discord.Message]],
    view: discord.ui.LayoutView,
    pictures: Sequence[Picture],
    present: Sequence[Present],
) -> discord.Message:
    """Edit a message to show these pictures; those that it holds already are not sent again."""
    by_name = {one.filename: one for one in present}

    async def attempt() -> discord.Message:
        files = [by_name.get(one.filename) or one.file for one in pictures]
        return await edit(view=view, attachments=files, allowed_mentions=QUIET)

    try:
        return await attempt()
    except discord.HTTPException as error:
        # What was to be kept may not be there any more: then everything is sent again.
        if error.status != 400 or not any(one.filename in by_name for one in pictures):
            raise
        by_name.clear()
    except aiohttp.ClientConnectionError:
        pass  # broken off while it was sent, which discord.py tries again by itself on some systems only
    return await attempt()


# Publishing ------------------------------------------------------------------------------------------


@dataclass
class _Shown:
    """What the message of a game shows, as far as this process has seen it."""

    version: int = -1
    finished: bool = False
    late: bool = False
    free: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    #: Whether the game is paused, and otherwise which seats' people want it to be.
    paused: bool = False
    pausing: tuple[int, ...] = ()
    #: The moments that it names, in epoch seconds.
    moments: frozenset[int] = frozenset()
    #: The version at which the turn that it shows began, and whether moves are offered there.
    since: int = -1
    offers: bool = True
    #: When a step of that turn was shown last, by the event loop's clock.
    stepped: float | None = None
    #: When it was edited last, in epoch seconds.
    edits: tuple[float, ...] = ()
    present: list[Present] = field(default_factory=list[Present])
    #: The newest look at what lies below the message, and when the last looks began, in epoch seconds.
    look: asyncio.Task[bool] | None = None
    looked: tuple[float, ...] = ()

    @property
    def face(self) -> tuple[object, ...]:
        """All that makes one message of a game differ from the next, but for the moments."""
        pause = (self.paused, self.pausing)
        return self.version, self.finished, self.late, self.free, self.names, pause

    @property
    def buried(self) -> bool:
        """Whether a look that has ended found the message far up in the channel."""
        return self.look is not None and self.look.done() and not self.look.cancelled() and self.look.result()

    def is_step_before(self, other: _Shown) -> bool:
        """Whether the other is one more step of the turn that this shows, which changes no button."""
        steps = replace(self, version=other.version).face == other.face and self.since == other.since
        return steps and not (self.offers or other.offers or other.finished)


class Publisher:
    """Shows games in their channels.

    ``pause`` are the seconds between two showings of the steps of one turn.
    """

    def __init__(self, client: discord.Client, table: Table, easel: Easel, pause: float = PAUSE) -> None:
        self._client = client
        self._table = table
        self.easel = easel
        self.notices = Notices(client, table)
        self.postings = Postings(client, table)
        self.questions = Questions(client, table)
        self.pause = pause
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._telling: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._shown: OrderedDict[int, _Shown] = OrderedDict()
        self._retries: dict[int, asyncio.Task[None]] = {}
        self._later: dict[int, asyncio.Task[None]] = {}
        self._beside: set[asyncio.Task[Any]] = set()
        #: The replays that are being drawn for a game's own message.
        self._replays: WeakValueDictionary[int, asyncio.Task[None]] = WeakValueDictionary()
        self._stopping = asyncio.Event()
        self.delays: Sequence[float] = RETRIES

    async def publish(self, game: int, *, anew: bool = False) -> bool:
        """Show the newest version of a started game, in its message or, ``anew``, in a new one below.

        A burst of calls collapses: those that waited find the newest version shown already, and of the
        steps of one turn the first is shown at once and the others after a pause. A message that is gone
        is posted anew. When the turn has passed, whoever is to move is mentioned once, after the table is
        shown. Returns whether the newest version is shown now or after the pause; if not, the cause is in
        the log, and it is tried again after a while.
        """
        lock = self._locks.setdefault(game, asyncio.Lock())
        where, session, old = self._table.about(game), None, None
        try:
            async with lock:
                session = await self._table.get(game)
                where = session.about
                if session.is_lobby:
                    return True
                old = await self._bring_up_to_date(session, anew)
        except TableError as error:
            log.warning("%s not shown: %s", where, error)
            session = None
        except (StoreError, *UNREACHABLE) as error:
            log.warning("%s not shown: %s", where, error)
            if session is not None:
                await self._let_wait(session, error)
            self._try_again(game)
            session = None
        except Exception:  # of one game, which must not keep others from being shown
            log.exception("%s not shown", where)
            session = None
        metrics.PUBLISHED.labels("shown" if session else "failed").inc()
        if session is None:
            return False
        await self._decorate(session, old)
        return True

    async def adopt(self, game: int) -> None:
        """Take what an earlier process was posting of a game, if it got as far, for the game's message."""
        async with self._locks.setdefault(game, asyncio.Lock()):
            session = await self._table.get(game)
            older = session.record.message
            if await self.postings.find(session) is not None and older is not None:
                await self._strip(session, older)

    async def _bring_up_to_date(self, session: Session, anew: bool) -> _Older | None:
        """Show a game unless its message shows it already, or may wait; the older message, if it was left."""
        if session.id not in self._shown:
            self._remember(session, await self._recall(session))
        before, after = self._shown[session.id], _seen(session, ())
        cut_off, same = session.record.cut_off is not None, before.face == after.face
        if same and _on_time(session, before.moments) and not (anew or cut_off):
            return None
        if (wait := self._wait(before, after)) > 0 and not (anew or cut_off):
            if session.id not in self._later:
                self._later[session.id] = asyncio.create_task(self._show_later(session.id, wait))
            return None
        old = await self._show(session, before, anew, keep_place=same and not cut_off)
        if cut_off:  # once more, for now it can say until when the turn has time
            session = await self._table.set_reached(session.id, True)
            await self._show(session, self._shown[session.id], False, keep_place=True)
        return old

    # What comes after the table -------------------------------------------------------------------

    async def _decorate(self, session: Session, old: _Older | None) -> None:
        """Do what only decorates a table that is shown: each part fails by itself and is logged."""
        lock = self._telling.setdefault(session.id, asyncio.Lock())
        async with lock:
            await self._attempt(session, self._notify(session.id))
        await self._attempt(session, self.questions.settle(session.id))
        if old is not None:
            await self._attempt(session, (self._strip if old.keep else self._delete)(session, old.message))
        if session.finished and session.record.options.get("thread"):
            self._begin(self._attempt(session, self._archive(session)))

    async def _notify(self, game: int) -> None:
        await self.notices.turn_passed(await self._table.get(game))

    async def _attempt(self, session: Session, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (StoreError, *UNREACHABLE) as error:
            log.warning("%s shown, but not all beside it was done: %s", session.about, error)
            self._try_again(session.id)
        except TableError as error:
            log.warning("%s shown, but not all beside it was done: %s", session.about, error)
        except Exception:
            log.exception("%s shown, but not all beside it was done", session.about)

    # Later ----------------------------------------------------------------------------------------

    def _wait(self, before: _Shown, after: _Shown) -> float:
        """Seconds until a step of a turn may be shown: 0 for the first one, and for all else."""
        if before.stepped is None or self._stopping.is_set() or not before.is_step_before(after):
            return 0.0
        return before.stepped + self.pause - asyncio.get_running_loop().time()

    async def _show_later(self, game: int, wait: float) -> None:
        """Show a game after a pause, or at once when the bot stops."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), wait)
        del self._later[game]
        with under_way(self._client):
            await self.publish(game)

    def _try_again(self, game: int) -> None:
        if game not in self._retries:
            self._retries[game] = asyncio.create_task(self._retry(game))

    async def _let_wait(self, session: Session, error: Exception) -> None:
        """End a game whose place is gone for good; let one wait that the bot is kept out of."""
        try:
            channel, server = session.record.channel, session.record.options.get("guild")
            if gone(error) and await is_gone(self._client, channel, server):
                await self._table.lose(channel)
            elif gone(error) or barred(error):
                await self._table.set_reached(session.id, False)
        except StoreError as again:
            log.warning("%s was not saved: %s", session.about, again)

    async def _retry(self, game: int) -> None:
        """Publish a game after a while, a few times: a publication in between leaves nothing to do."""
        try:
            for delay in self.delays:
                await asyncio.sleep(delay)
                with under_way(self._client):
                    if await self.publish(game):
                        return
        finally:
            del self._retries[game]

    async def flush(self) -> None:
        """Show at once what waits for a pause to end: the bot is about to stop."""
        self._stopping.set()
        if self._later:
            await asyncio.wait(list(self._later.values()), timeout=GRACE)

    async def stop(self) -> None:
        """Try nothing again any more."""
        self.delays = ()
        waiting = [*self._retries.values(), *self._later.values(), *self._beside]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await self.easel.stop()

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Do something beside the rest, until the bot stops."""
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
        return task

    # Showing --------------------------------------------------------------------------------------

    async def _show(self, session: Session, before: _Shown, anew: bool, *, keep_place: bool) -> _Older | None:
        """Show a game; the older message that was left for a new one, if there is any."""
        may_move = not (anew or keep_place)
        if may_move:
            self._look_below(session, before)
        async with self.easel.render_slots.take(Rank.TABLE, _mover(session)):
            pictures, view = await self._layout(session)
        message, old = None, session.record.message
        buried = may_move and (self._age(session) > BURIED_AFTER or before.buried)
        worn = may_move and self._worn(session, before)
        if old is not None and not (anew or buried or worn):
            message = await self._edit(session, before, pictures, view)
        if message is not None:
            self._remember(session, _after_edit(session, before, message, self._table.now()))
            left = None
        else:
            message = await self._post(session, pictures, view)
            self._remember(session, _seen(session, present_in(message)))
            left = None if old is None else _Older(old, keep=buried)
        shows_replay = any(one.filename.startswith("replay-") for one in pictures)
        if session.record.finished == OVER and not shows_replay:
            self._replays[session.id] = self._begin(self._add_replay(session))
        return left

    async def _add_replay(self, session: Session) -> None:
        """Draw the replay of a finished game, and show it in the message that is there already."""
        if "replay" not in shown_keepsakes(session, self._table.now()):
            return
        made = await keepsakes(self._table, self.easel, session, "replay")
        async with self._locks.setdefault(session.id, asyncio.Lock()):
            try:
                newest = await self._table.get(session.id)
                before = self._shown.get(session.id) or await self._recall(newest)
                if made and newest.record.message is not None:
                    pictures, view = await self._layout(newest, made)
                    message = await self._edit(newest, before, pictures, view)
                    if message is not None:
                        self._remember(newest, _after_edit(newest, before, message, self._table.now()))
            except (TableError, StoreError, *UNREACHABLE) as error:
                log.warning("%s its replay is not shown: %s", session.about, error)

    async def _archive(self, session: Session) -> None:
        """Close the thread of a game that has ended; whoever writes there opens it again.

        It stays open for the next game that is played in it, and until the replay is in the message, for
        nothing can be edited in a closed one.
        """
        if (replay := self._replays.get(session.id)) is not None:
            await asyncio.wait([replay])
        if await self._table.store.live(session.record.channel):
            return
        thread = await self._client.fetch_channel(session.record.channel)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=True)

    def _remember(self, session: Session, shown: _Shown) -> None:
        self._shown.pop(session.id, None)
        self._shown[session.id] = shown
        while len(self._shown) > REMEMBERED:
            self._shown.popitem(last=False)

    async def _recall(self, session: Session) -> _Shown:
        """What the message of a game shows, by asking Discord; after a start nothing is remembered."""
        unknown = _Shown()
        if session.record.message is None:
            return unknown
        try:
            message = await self._channel(session).fetch_message(session.record.message)
        except UNREACHABLE as error:
            # What it shows decides only what need not be sent again.
            log.info("%s what its message shows cannot be seen: %s", session.about, error)
            return unknown
        presses = _presses_of(message)
        if presses and all(one.version == session.version for one in presses):
            shown = _seen(session, present_in(message))
            codes = {one.code for one in presses}
            shown.finished = MY_TABLE not in codes
            shown.late = MOVE_ON in codes
            shown.free = tuple(seat for seat in range(4) if f"{TAKE_OVER}.{seat}" in codes)
            shown.moments = _moments_of(message)
            wanted = [code.partition(".")[2] for code in codes if code.startswith(f"{WANT_PAUSE}.")]
            shown.pausing = tuple(int(seat) for seat in "".join(wanted) if seat in "0123")
            shown.paused = GO_ON in codes and not wanted
            shown.names = _names_in(message, session)
            return shown
        unknown.present = present_in(message)
        return unknown

    async def _layout(
        self, session: Session, replay: Sequence[Picture] = ()
    ) -> tuple[list[Picture], discord.ui.LayoutView]:
        words = words_of(session)
        public: View = session.view(None)
        if session.record.finished == OVER:
            return await self._final(session, words, public, replay)
        if session.finished:
            # A challenge that was given up tells no more of its cards than one that was finished.
            kinds = () if hides_pictures(session, self._table.now()) else (("wall", ()),)
            pictures = await self.easel.draw(session, words, public, *kinds)
            shown = [one.shown for one in pictures]
            return pictures, board.ended(words, public, str(session.record.finished), shown)
        # What the text tells of is what the picture mounts in gold.
        since = await self._table.view_at(session, recent(session) - 1, None)
        pictures = await self.easel.draw(session, words, public, ("school", ()), ("wall", (since,)))
        shown = [one.shown for one in pictures]
        legal = () if session.to_move is None else session.game.legal(session.state, session.to_move)
        told = await news(self._table, session, recent(session), words)
        seating = board.Seating(
            session.deadline,
            session.late,
            session.free,
            session.away,
            session.absent,
            session.paused,
            session.pausing,
        )
        seed = session.record.options.get("seed")
        challenge = challenges.name(words, seed) if seed else ""
        where = (session.id, session.version)
        return pictures, board.board(words, *where, public, legal, told, shown, seating, challenge)

    async def _final(
        self, session: Session, words: Words, view: View, replay: Sequence[Picture]
    ) -> tuple[list[Picture], discord.ui.LayoutView]:
        files: list[Picture] = []
        for kind in shown_keepsakes(session, self._table.now()):
            # A replay takes seconds; nobody waits for it to see who has won.
            files += replay if kind == "replay" else await keepsakes(self._table, self.easel, session, kind)
        seed, card = session.record.options.get("seed"), ""
        if seed is not None:
            counts = await challenges.how_counted(self._table, session)
            card = challenges.card(words, seed, view, counts=counts)
        panel = Panel(session.id, session.version)
        return files, board.final(words, view, [one.shown for one in files], panel, card)

    def _channel(self, session: Session) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(session.record.channel)

    async def _edit(
        self,
        session: Session,
        before: _Shown,
        pictures: Sequence[Picture],
        view: discord.ui.LayoutView,
    ) -> discord.Message | None:
        """Edit the game's message, or None if it is gone or its thread has been archived meanwhile."""
        assert session.record.message is not None
        message = self._channel(session).get_partial_message(session.record.message)
        try:
            return await edit_files(message.edit, view, pictures, before.present)
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_MESSAGE, THREAD_ARCHIVED):
                raise
            return None

    async def _post(
        self, session: Session, pictures: Sequence[Picture], view: discord.ui.LayoutView
    ) -> discord.Message:
        """Post the game below everything else; what an earlier try has posted there is edited instead."""
        if (stray := await self.postings.find(session)) is not None:
            session = await self._table.get(session.id)
            if edited := await self._edit(session, _Shown(present=present_in(stray)), pictures, view):
                return edited
        files = [one.file for one in pictures]
        message = await self.postings.send(session, view=view, files=files, allowed_mentions=QUIET)
        presses = _presses_of(message)
        if not presses or any(one.version == session.version for one in presses):
            return message
        # Discord has taken it for an earlier try, which it knows by the nonce: it shows an older version.
        session = await self._table.get(session.id)
        return await self._edit(session, _Shown(present=present_in(message)), pictures, view) or message

    def _age(self, session: Session) -> float:
        """How old the game's message is, in seconds."""
        posted = session.record.message
        return 0.0 if posted is None else self._table.now() - discord.utils.snowflake_time(posted).timestamp()

    def _worn(self, session: Session, before: _Shown) -> bool:
        """Whether Discord would let another edit of the game's message wait."""
        lately = [at for at in before.edits if self._table.now() - at < OLD_WITHIN]
        return self._age(session) > OLD_AFTER and len(lately) >= OLD_EDITS

    def _look_below(self, session: Session, before: _Shown) -> None:
        """Begin to look how far up in the channel the game's message is, if nobody has looked lately.

        The table does not wait for the answer: one that comes while it is drawn serves now, a later one
        the next time. A look that fails changes nothing.
        """
        now, message = self._table.now(), session.record.message
        lately = [at for at in before.looked if 0 <= now - at < LOOKS_WITHIN]
        if message is None or len(lately) >= LOOKS or self._age(session) > BURIED_AFTER:
            return  # one of that age is posted anew in any case
        before.looked = (*lately, now)
        before.look = self._begin(self._lies_deep(session, message))

    async def _lies_deep(self, session: Session, message: int) -> bool:
        history = self._channel(session).history(limit=BURIED_UNDER, after=discord.Object(message))
        try:
            return len([one async for one in history]) >= BURIED_UNDER
        except Exception as error:
            log.info("%s what lies below its message cannot be seen: %r", session.about, error)
            return False

    async def _strip(self, session: Session, old: int) -> None:
        """Take the buttons off an older message, so that nobody plays there; its pictures stay."""
        try:
            message = await self._channel(session).fetch_message(old)
            view = discord.ui.LayoutView.from_message(message, timeout=None)
            for item in list(view.walk_children()):
                if isinstance(item, discord.ui.ActionRow) and isinstance(item.parent, discord.ui.Container):
                    item.parent.remove_item(item)
                elif isinstance(item, discord.ui.MediaGallery):
                    item.items = [_attached(one) for one in item.items]
            kept: list[Any] = present_in(message)
            await message.edit(view=view, attachments=kept, allowed_mentions=QUIET)
        except UNREACHABLE as error:
            log.info("%s message=%s keeps its buttons: %s", session.about, old, error)

    async def _delete(self, session: Session, message: int) -> None:
        """Delete a message of ours; that it is gone already, or cannot be reached, is no matter."""
        try:
            await self._channel(session).get_partial_message(message).delete()
        except UNREACHABLE as error:
            log.info("%s message=%s was not deleted: %s", session.about, message, error)


def _attached(item: discord.MediaGalleryItem) -> discord.MediaGalleryItem:
    """A picture of a message that was fetched, as one that is attached to it."""
    return discord.MediaGalleryItem(f"attachment://{_name(item.media)}", description=item.description)


class _Older(NamedTuple):
    """A message that a newer one has replaced: it is deleted, or kept without its buttons."""

    message: int
    keep: bool


def _seen(session: Session, present: Sequence[Present]) -> _Shown:
    """What a message shows that shows a game as it stands."""
    names = tuple(one.name for one in session.seats)
    to_move = session.to_move
    offers = to_move is not None and board.offers_moves(session.game.legal(session.state, to_move))
    return _Shown(
        session.version,
        session.finished,
        session.late,
        session.free,
        names,
        session.paused is not None,
        session.pausing,
        _moments(session),
        session.since,
        offers,
        present=list(present),
    )


def _after_edit(session: Session, before: _Shown, message: discord.Message, now: float) -> _Shown:
    """What a message shows after an edit, and what is known of the message itself."""
    after = _seen(session, present_in(message))
    if before.is_step_before(after):
        after.stepped = asyncio.get_running_loop().time()
    after.edits = (*before.edits, now)[-OLD_EDITS:]
    after.look, after.looked = before.look, before.looked
    return after


def _mover(session: Session) -> object:
    """Return who had a table drawn: the person who moved last or started the game, or the game itself."""
    last = session.line[-1]
    if len(session.line) == 1:
        return session.seats[0].user  # the host, who started it
    if last.seat is None or last.maker is not None or last.seat >= len(session.seats):
        return "game", session.id
    return session.seats[last.seat].user


def _moments(session: Session) -> frozenset[int]:
    """Return the moments that the message of a game is to name."""
    deadline = () if session.deadline is None else (session.deadline,)
    paused = () if session.paused is None else (session.paused,)
    return frozenset(map(int, (*deadline, *paused, *(until for _, until in session.absent))))


def _on_time(session: Session, shown: frozenset[int]) -> bool:
    """Return whether the moments that a message names are right, to a hundredth of a turn.

    They change a little at every restart, and nobody would see it.
    """
    near = (turn_length(session.record.options) or 0.0) / 100
    wanted = sorted(_moments(session))
    return len(wanted) == len(shown) and all(
        abs(one - other) <= near for one, other in zip(wanted, sorted(shown), strict=True)
    )


def _names_in(message: discord.Message, session: Session) -> tuple[str, ...]:
    """The names of a game's people as far as its message shows them."""
    words, text = words_of(session), _text_of(message)
    return tuple(one.name for seat, one in enumerate(session.seats) if words.seat(seat) in text)


def _moments_of(message: discord.Message) -> frozenset[int]:
    """Return the moments that a message of a game names."""
    return frozenset(int(at) for at in re.findall(r"<t:([0-9]+):", _text_of(message)))


def _text_of(message: discord.Message) -> str:
    layout = discord.ui.LayoutView.from_message(message)
    return "\n".join(one.content for one in layout.walk_children() if isinstance(one, discord.ui.TextDisplay))


def _presses_of(message: discord.Message) -> list[Press]:
    """What the controls of a message say."""
    if not message.flags.components_v2:
        return []
    items = discord.ui.LayoutView.from_message(message).walk_children()
    found = [parse_custom_id(str(getattr(item, "custom_id", ""))) for item in items]
    return [one for one in found if one is not None]


# What happened ---------------------------------------------------------------------------------------

#: The actions that end a whole turn.
_ENDS = ("stay", "done", "pass")


def recent(session: Session) -> int:
    """From which turn of the line on the table tells what happened.

    That is all of the last person's whole turn, and what came after it: the moves of computer players
    and the turn that is under way.
    """
    line = session.line
    for end in range(len(line) - 1, 0, -1):
        if line[end].action in _ENDS and not _by_nobody(session, line[end]):
            start = end
            while start > 1 and line[start - 1].action not in _ENDS:
                start -= 1
            return start
    return 1


def _by_nobody(session: Session, turn: Turn) -> bool:
    return turn.seat is None or session.seats[turn.seat].apprentice


async def news(table: Table, session: Session, since: int, words: Words) -> list[str]:
    """What the turns from this one of the line on did: a line for each event, oldest first."""
    happened = await table.happened(session, since)
    return [line for _, _, line in told(words, session, happened)]


def told(
    words: Words, session: Session, happened: Iterable[tuple[Turn, Sequence[Event]]]
) -> Iterator[tuple[Turn, Event, str]]:
    """What turns did, a line for each event.

    A move that is not the person's own says whose it is; of several by the apprentice the first does.
    """
    players, before = session.view(None).players, None
    for turn, events in happened:
        named = turn.maker is not None and (turn.maker == ORDER or before != (turn.seat, turn.maker))
        before = (turn.seat, turn.maker)
        for number, event in enumerate(events):
            line = words.event(event, players)
            if named and number == 0:
                line = words("event-by", event=line, maker=turn.maker)
            yield turn, event, line
