"""The one path that publishes: whatever changed a game, ``publish(game)`` shows its newest version.

Pictures are drawn off the event loop, and one that the message shows already is kept there. Errors end
here: a move that was saved counts, and the next call shows what this one could not.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import logging
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

import aiohttp
import discord

import render
from cogs import alt, board, challenges, metrics
from cogs.controls import MOVE_ON, MY_TABLE, TAKE_OVER, Panel, parse_custom_id
from cogs.guard import under_way
from cogs.notice import UNREACHABLE, Notices
from cogs.reach import THREAD_ARCHIVED, barred, gone, is_gone
from cogs.texts import Words, words_of
from kanagawa import transcript
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
#: So many messages are made at once, however many games move: between them the event loop turns, and whoever
#: clicks is heard in time.
MADE_AT_ONCE = 4
#: A message with so many others below it, or so many seconds old, is posted anew at the next change.
BURIED_UNDER, BURIED_AFTER = 20, DAY
#: Of messages older than this Discord takes so many edits within so many seconds, and lets others wait: one
#: that was edited so often is posted anew.
OLD_AFTER, OLD_EDITS, OLD_WITHIN = HOUR, 3, 20.0
QUIET = discord.AllowedMentions.none()
#: Seconds until what could not be shown is tried again, and after each try that fails. Where Discord answers
#: that it is out of order, discord.py has tried for half a minute by then; a broken connection it has not.
RETRIES = (5.0, 30.0, 120.0, 600.0)


# Pictures --------------------------------------------------------------------------------------------


class Picture(NamedTuple):
    """A drawn picture, or another file. Its name holds a digest: the same bytes have the same name."""

    filename: str
    alt: str
    data: bytes

    @property
    def file(self) -> discord.File:
        """The picture as an upload."""
        return discord.File(io.BytesIO(self.data), self.filename, description=self.alt)

    @property
    def shown(self) -> tuple[str, str]:
        """What a layout needs to show the picture: its file name and alt text."""
        return self.filename, self.alt


#: A function of ``render`` by name, and what it takes beside the view.
Drawing = tuple[str, tuple[Any, ...]]


class Easel:
    """Draws pictures in the render executor, never on the event loop."""

    def __init__(self, executor: Executor, scale: float = 2) -> None:
        self._executor = executor
        self._scale = scale

    async def draw(self, session: Session, words: Words, view: View, *wanted: Drawing) -> list[Picture]:
        """The wanted pictures of a view of a game with their alt texts.

        One that cannot be drawn is left out, and the log says why: a table without it can be played.
        """
        loop = asyncio.get_running_loop()
        drawn = await loop.run_in_executor(self._executor, self._files, session.about, view, wanted)
        return [
            Picture(name, getattr(alt, kind)(words, view, *args), png) for (kind, args), name, png in drawn
        ]

    def _files(self, about: str, view: View, wanted: Sequence[Drawing]) -> list[tuple[Drawing, str, bytes]]:
        """Those of the wanted pictures that can be drawn, in one errand: each wakes the event loop."""
        drawn: list[tuple[Drawing, str, bytes]] = []
        for kind, args in wanted:
            try:
                drawn.append(((kind, args), *self._file(kind, "png", view, args)))
            except Exception:
                metrics.ERRORS.labels("not-drawn").inc()
                log.exception("%s the picture %s cannot be drawn", about, kind)
        return drawn

    async def replay(self, session: Session, words: Words, views: Sequence[View]) -> list[Picture]:
        """The animated replay of a game from its public views; none where it cannot be drawn."""
        loop = asyncio.get_running_loop()
        try:
            name, gif = await loop.run_in_executor(self._executor, self._file, "replay", "gif", views, ())
        except Exception:
            metrics.ERRORS.labels("not-drawn").inc()
            log.exception("%s the replay cannot be drawn", session.about)
            return []
        return [Picture(name, alt.replay(words, views[-1]), gif)]

    def _file(
        self, kind: str, ending: str, shown: View | Sequence[View], args: tuple[Any, ...]
    ) -> tuple[str, bytes]:
        """A picture under its name, which is worked out here too: a digest of megabytes takes time."""
        data = self._draw(kind, shown, args)
        return _filename(kind, ending, data), data

    def _draw(self, kind: str, shown: View | Sequence[View], args: tuple[Any, ...]) -> bytes:
        with metrics.RENDER.labels(kind).time():
            return getattr(render, kind)(shown, *args, scale=self._scale)


def _filename(kind: str, ending: str, data: bytes) -> str:
    return f"{kind}-{hashlib.sha256(data).hexdigest()[:16]}.{ending}"


#: What remains of a finished game, in the order in which its message shows it.
KEEPSAKES = ("poster", "replay", "transcript")


def shown_keepsakes(session: Session, now: float) -> tuple[str, ...]:
    """Those of the :data:`KEEPSAKES` that may be shown where a game was played.

    While others may try a challenge yet, nobody gets its deck; and its pictures are for a direct message.
    """
    if not challenges.keeps_secret(session, now):
        return KEEPSAKES
    return () if session.record.options.get("guild") else ("poster", "replay")


async def keepsakes(table: Table, easel: Easel, session: Session, *kinds: str) -> list[Picture]:
    """What remains of a finished game: those of the :data:`KEEPSAKES` that are asked for.

    A picture that cannot be drawn is left out.
    """
    words = words_of(session)
    kept: list[Picture] = []
    if "poster" in kinds:
        kept += await easel.draw(session, words, session.view(None), ("poster", ()))
    if "replay" in kinds:
        views = [session.game.view(state, None) for state in await table.states(session)]
        kept += await easel.replay(session, words, views)
    if "transcript" in kinds:
        played = [(turn.seat or 0, turn.action or "") for turn in session.line[1:]]
        text = transcript.write(await table.first_state(session), played, session.state)
        kept.append(Picture(_filename("kanagawa", "json", text), words("alt-transcript"), text))
    return kept


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
    #: The moments that it names, in epoch seconds.
    moments: frozenset[int] = frozenset()
    #: When it was edited last, in epoch seconds.
    edits: tuple[float, ...] = ()
    present: list[Present] = field(default_factory=list[Present])

    @property
    def face(self) -> tuple[int, bool, bool, tuple[int, ...], tuple[str, ...]]:
        """All that makes one message of a game differ from the next, but for the moments."""
        return self.version, self.finished, self.late, self.free, self.names


class Publisher:
    """Shows games in their channels."""

    def __init__(self, client: discord.Client, table: Table, easel: Easel) -> None:
        self._client = client
        self._table = table
        self.easel = easel
        self.notices = Notices(client, table)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._shown: OrderedDict[int, _Shown] = OrderedDict()
        self._retries: dict[int, asyncio.Task[None]] = {}
        self.delays: Sequence[float] = RETRIES
        #: Held while a message is made, and never while one is sent.
        self.turnstile = asyncio.Semaphore(MADE_AT_ONCE)

    async def publish(self, game: int, *, anew: bool = False) -> bool:
        """Show the newest version of a started game, in its message or, ``anew``, in a new one below.

        A burst of calls collapses: those that waited find the newest version shown already. A message
        that is gone is posted anew. When the turn has passed, whoever is to move is mentioned once.
        Returns whether the newest version is shown now; if not, the cause is in the log, and it is tried
        again after a while.
        """
        shown = await self._publish(game, anew)
        metrics.PUBLISHED.labels("shown" if shown else "failed").inc()
        return shown

    async def _publish(self, game: int, anew: bool) -> bool:
        lock = self._locks.setdefault(game, asyncio.Lock())
        async with lock:
            where, shown, session = self._table.about(game), False, None
            try:
                session = await self._table.get(game)
                where = session.about
                if session.is_lobby:
                    return True
                before = self._shown.get(game) or await self._recall(session)
                cut_off = session.record.cut_off is not None
                same = before.face == _seen(session, ()).face
                if anew or cut_off or not same or not _on_time(session, before.moments):
                    await self._show(session, before, anew, keep_place=same and not cut_off)
                if cut_off:  # once more, for now it can say until when the turn has time
                    session = await self._table.set_reached(game, True)
                    await self._show(session, self._shown.get(game, before), False, keep_place=True)
                shown = True
                await self.notices.turn_passed(await self._table.get(game))
                if session.finished and session.record.options.get("thread"):
                    await self._archive(session)
            except TableError as error:
                log.warning("%s not shown: %s", where, error)
            except (StoreError, *UNREACHABLE) as error:
                log.warning("%s not shown: %s", where, error)
                if session is not None:
                    await self._let_wait(session, error)
                if game not in self._retries:
                    self._retries[game] = asyncio.create_task(self._retry(game))
            except Exception:  # of one game, which must not keep others from being shown
                log.exception("%s not shown", where)
            return shown

    async def _let_wait(self, session: Session, error: Exception) -> None:
        """End a game whose place is gone for good; let one wait that the bot is kept out of."""
        try:
            if gone(error):
                if await is_gone(self._client, session.record.channel):
                    await self._table.lose(session.record.channel)
            elif barred(error):
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

    async def stop(self) -> None:
        """Try nothing again any more."""
        self.delays = ()
        waiting = list(self._retries.values())
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    async def _show(self, session: Session, before: _Shown, anew: bool, *, keep_place: bool) -> None:
        async with self.turnstile:
            pictures, view = await self._layout(session)
        message, edits = None, (*before.edits, self._table.now())[-OLD_EDITS:]
        buried = not (anew or keep_place) and await self._buried(session)
        anew = anew or (not (buried or keep_place) and self._worn(session, before))
        if session.record.message is not None and not anew and not buried:
            message = await self._edit(session, before, pictures, view)
        if message is None:
            message, edits = await self._post(session, pictures, view, keep=buried), ()
        shown = _seen(session, present_in(message))
        shown.edits = edits
        self._remember(session, shown)

    async def _archive(self, session: Session) -> None:
        """Close the thread of a game that has ended; whoever writes there opens it again.

        It stays open for the next game that is played in it.
        """
        if await self._table.store.live(session.record.channel):
            return
        thread = await self._client.fetch_channel(session.record.channel)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=True)

    def _remember(self, session: Session, shown: _Shown) -> None:
        self._shown.pop(session.id, None)
        if not session.finished:
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
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return unknown
        if _codes_of(message).keys() == {session.version}:
            shown = _seen(session, present_in(message))
            codes = _codes_of(message)[session.version]
            shown.finished = MY_TABLE not in codes
            shown.late = MOVE_ON in codes
            shown.free = tuple(seat for seat in range(4) if f"{TAKE_OVER}.{seat}" in codes)
            shown.moments = _moments_of(message)
            return shown
        unknown.present = present_in(message)
        return unknown

    async def _layout(self, session: Session) -> tuple[list[Picture], discord.ui.LayoutView]:
        words = words_of(session)
        public: View = session.view(None)
        if session.record.finished == OVER:
            return await self._final(session, words, public)
        if session.finished:
            pictures = await self.easel.draw(session, words, public, ("wall", ()))
            shown = [one.shown for one in pictures]
            return pictures, board.ended(words, public, str(session.record.finished), shown)
        # What the text tells of is what the picture mounts in gold.
        since = await self._table.view_at(session, recent(session) - 1, None)
        pictures = await self.easel.draw(session, words, public, ("school", ()), ("wall", (since,)))
        shown = [one.shown for one in pictures]
        legal = () if session.to_move is None else session.game.legal(session.state, session.to_move)
        told = await news(self._table, session, recent(session), words)
        seating = board.Seating(session.deadline, session.late, session.free, session.away)
        seed = session.record.options.get("seed")
        challenge = challenges.name(words, seed) if seed else ""
        where = (session.id, session.version)
        return pictures, board.board(words, *where, public, legal, told, shown, seating, challenge)

    async def _final(
        self, session: Session, words: Words, view: View
    ) -> tuple[list[Picture], discord.ui.LayoutView]:
        kinds = shown_keepsakes(session, self._table.now())
        files = await keepsakes(self._table, self.easel, session, *kinds)
        seed, card = session.record.options.get("seed"), ""
        if seed is not None:
            counts = await self._table.store.counts(session.id)
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
        self, session: Session, pictures: Sequence[Picture], view: discord.ui.LayoutView, *, keep: bool
    ) -> discord.Message:
        """Post the game below everything else; an older message of it goes, or is kept without buttons."""
        files = [one.file for one in pictures]
        message = await self._channel(session).send(view=view, files=files, allowed_mentions=QUIET)
        try:
            await self._table.set_message(session.id, message.id)
        except StoreError:  # the next call posts it again
            await self._delete(session, message.id)
            raise
        if session.record.message is not None:
            await (self._strip if keep else self._delete)(session, session.record.message)
        return message

    def _age(self, session: Session) -> float:
        """How old the game's message is, in seconds."""
        posted = session.record.message
        return 0.0 if posted is None else self._table.now() - discord.utils.snowflake_time(posted).timestamp()

    def _worn(self, session: Session, before: _Shown) -> bool:
        """Whether Discord would let another edit of the game's message wait."""
        lately = [at for at in before.edits if self._table.now() - at < OLD_WITHIN]
        return self._age(session) > OLD_AFTER and len(lately) >= OLD_EDITS

    async def _buried(self, session: Session) -> bool:
        """Whether the game's message is so old, or so far up in the channel, that an edit goes unseen."""
        if session.record.message is None:
            return False
        if self._age(session) > BURIED_AFTER:
            return True
        after = discord.Object(session.record.message)
        history = self._channel(session).history(limit=BURIED_UNDER, after=after)
        return len([one async for one in history]) >= BURIED_UNDER

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


def _seen(session: Session, present: Sequence[Present]) -> _Shown:
    names = tuple(one.name for one in session.seats)
    shown = _Shown(session.version, session.finished, session.late, session.free, names)
    shown.moments = _moments(session)
    shown.present = list(present)
    return shown


def _moments(session: Session) -> frozenset[int]:
    """Return the moments that the message of a game is to name."""
    return frozenset() if session.deadline is None else frozenset({int(session.deadline)})


def _on_time(session: Session, shown: frozenset[int]) -> bool:
    """Return whether the moments that a message names are right, to a hundredth of a turn.

    They change a little at every restart, and nobody would see it.
    """
    near = (turn_length(session.record.options) or 0.0) / 100
    wanted = sorted(_moments(session))
    return len(wanted) == len(shown) and all(
        abs(one - other) <= near for one, other in zip(wanted, sorted(shown), strict=True)
    )


def _moments_of(message: discord.Message) -> frozenset[int]:
    """Return the moments that a message of a game names."""
    layout = discord.ui.LayoutView.from_message(message)
    texts = [one.content for one in layout.walk_children() if isinstance(one, discord.ui.TextDisplay)]
    return frozenset(int(at) for at in re.findall(r"<t:([0-9]+):", "\n".join(texts)))


def _codes_of(message: discord.Message) -> dict[int, set[str]]:
    """The codes in the custom IDs of a message, by the version of the game they belong to."""
    codes: dict[int, set[str]] = {}
    if message.flags.components_v2:
        for item in discord.ui.LayoutView.from_message(message).walk_children():
            if press := parse_custom_id(str(getattr(item, "custom_id", ""))):
                codes.setdefault(press.version, set()).add(press.code)
    return codes


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
