"""The table: lobbies, seats and turns of any game, saved before anybody sees them.

A game lives under its own lock. Nothing slow happens inside: no picture, no message.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import math
import random
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import msgspec

from table.consent import steps_back, without, without_ask, without_kind
from table.errors import (
    AlreadyAsked,
    AlreadySeated,
    AlreadyStarted,
    AlreadyTrying,
    Away,
    CannotUndo,
    DatabaseDamaged,
    GameFull,
    GameOver,
    MustAsk,
    NoAsk,
    NoGame,
    NotAsked,
    NotHost,
    NoTimeLimit,
    NotOver,
    NotSeated,
    NotStarted,
    NotYet,
    NotYourMove,
    OrderLapsed,
    PlayedAgain,
    RefusedBefore,
    SeatTaken,
    Stale,
    StoreError,
    TableError,
    TakenOut,
    TooFewPlayers,
    TooManyGames,
    TooSoon,
    UnreadableGame,
)
from table.game import Game, Shown
from table.pace import (
    AGAIN_LIFE,
    BEAT,
    CUT_OFF_LIFE,
    DAY,
    HOST_LIFE,
    LAST_CALL,
    LOBBY_LIFE,
    MINUTE,
    MISSED_LIMIT,
    PAUSE,
    SILENCE,
    Due,
    Span,
    after,
    longest_absence,
    moments,
    silence,
    turn_length,
)
from table.standings import Standing
from table.store import (
    ABANDONED,
    APPRENTICE,
    CANCELLED,
    EXPIRED,
    LAPSED,
    LOST,
    MAX_SEATS,
    NOBODY,
    ORDER,
    OVER,
    UNDO,
    UNREADABLE,
    Ahead,
    Ask,
    Mention,
    Question,
    Record,
    Result,
    Seat,
    Store,
    Turn,
    mark_of,
)

log = logging.getLogger(__name__)

#: Games kept in memory; the others are read again when they are needed.
CACHED = 512
#: Their states kept in memory: every look at a table looks back at the last few.
STATES = 16 * CACHED
#: Live games that are read at a time where each of them is looked at.
PAGE = 50
#: ``told`` of a game in whose turn somebody sat down: it was another who was told of it.
ANOTHERS = -1
#: Seconds until a question of the same person may mention the same person again.
ASKED_AGAIN = 10 * MINUTE
#: Bits of a seed: too many to be guessed from what is public.
SEED_BITS = 128


@dataclass(frozen=True, slots=True)
class Session:
    """A game as it stands: its row, the game it is of, its newest version and state.

    A lobby has no state and the version -1. ``line`` are the turns that remain after undos, the set-up
    first; its last one's state is the state.
    """

    record: Record
    game: Game
    version: int = -1
    state: Any = field(default=None, repr=False)  # secret: it must not reach a log
    line: tuple[Turn, ...] = ()
    #: Since when the seat to move is to move, in epoch seconds.
    began: float = 0.0
    #: The version at which it began to be.
    since: int = 0
    #: While the clock of this turn stands still or stood.
    stops: tuple[Span, ...] = field(default=(), compare=False)
    #: Until when the game is paused; None where it is not. The seats whose people want it to be.
    paused: float | None = field(default=None, compare=False)
    pausing: tuple[int, ...] = field(default=(), compare=False)
    #: The seats whose people are away, as they have said, and until when.
    absent: tuple[tuple[int, float], ...] = field(default=(), compare=False)
    #: What waiting seats have ordered ahead: each seat's own business.
    orders: Mapping[int, Ahead] = field(default_factory=dict[int, Ahead], repr=False)

    @property
    def id(self) -> int:
        """The game's ID."""
        return self.record.id

    @property
    def about(self) -> str:
        """How every line of the log that is about this game begins."""
        return _about(self.id, self.version, self.record.channel)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The people, in seat order; in a lobby in the order of joining."""
        return self.record.seats

    @property
    def is_lobby(self) -> bool:
        """Whether the game has not started."""
        return self.version < 0

    @property
    def finished(self) -> bool:
        """Whether the game has ended, in whatever way."""
        return self.record.finished is not None

    @property
    def to_move(self) -> int | None:
        """The seat to act; None in a lobby and when the game has ended."""
        return None if self.is_lobby or self.finished else self.game.to_move(self.state)

    @property
    def deadline(self) -> float | None:
        """Until when the seat to move may take its time, in epoch seconds; None without a limit."""
        length = turn_length(self.record.options)
        if length is None or self.to_move is None or self.record.cut_off is not None:
            return None
        return after(self.began, length, self.stops)

    @property
    def pauses(self) -> tuple[Span, ...]:
        """When this game alone stood still in the turn that is under way."""
        return tuple(one for one in self.record.pauses if one[1] > self.began)

    @property
    def moved(self) -> float:
        """When the newest move was made, in epoch seconds; 0 in a lobby."""
        return self.line[-1].at if self.line else 0.0

    @property
    def is_silent(self) -> bool:
        """Whether the people of a game without a limit were reminded of it, and nobody has moved since."""
        without = turn_length(self.record.options) is None and self.to_move is not None
        return without and self.record.handled >= after(self.moved, SILENCE, self.stops)

    @property
    def ends(self) -> float | None:
        """When the game ends by itself unless something happens, in epoch seconds; None if it does not."""
        if self.to_move is None:
            return self.record.deadline if self.is_lobby and not self.finished else None
        if self.record.cut_off is not None:
            return after(self.record.cut_off, CUT_OFF_LIFE, self.stops)
        return after(self.record.handled, LAST_CALL, self.stops) if self.is_silent else None

    @property
    def late(self) -> bool:
        """Whether the deadline has come, as far as the clock has said so."""
        return self.deadline is not None and self.handled >= self.deadline and self.paused is None

    @property
    def handled(self) -> float:
        """Return the last deadline of this turn that was handled; 0 if none.

        An earlier turn's may be later than this one's, where the computer's clock was put back.
        """
        length = turn_length(self.record.options)
        own = [] if length is None else [at for at, _ in moments(self.began, length, self.stops)]
        return self.record.handled if self.record.handled in own else 0.0

    @property
    def goes_on(self) -> bool:
        """Whether whoever is to move has just ended their last turn, and waited for nobody since.

        What the apprentice plays on a free seat, and what was ordered, is done at once; a turn that is
        missed is not; nor is it who has sat down for them since.
        """
        own = next((turn for turn in reversed(self.line) if turn.maker is None), None)
        return (
            own is not None
            and self.record.told != ANOTHERS
            and own.seat == self.to_move
            and own.action in self.game.ends
            and 0 <= self.began - own.at < MINUTE
        )

    @property
    def away(self) -> bool:
        """Whether somebody whose seat is free may come back to it."""
        return any(self.seats[seat].missed >= MISSED_LIMIT for seat in self.free)

    @property
    def free(self) -> tuple[int, ...]:
        """The seats of those who left a game that goes on: others may take them over."""
        if self.is_lobby or self.finished:
            return ()
        return tuple(number for number, seat in enumerate(self.seats) if seat.apprentice)

    def seat_of(self, user: int) -> int | None:
        """The seat a person plays, or None."""
        for number, seat in enumerate(self.seats):
            if seat.user == user and not seat.apprentice:
                return number
        return None

    def sitting(self, user: int) -> int:
        """The seat a person plays. Raises NotSeated, or Away for one who may come back to a seat."""
        seat = self.seat_of(user)
        if seat is None:
            error = Away if self.is_away(user) else NotSeated
            raise error(f"user {user} does not sit in game {self.id}")
        return seat

    def is_away(self, user: int) -> bool:
        """Whether a person may come back to a seat that the apprentice plays on."""
        return any(
            self.seats[seat].user == user and self.seats[seat].missed >= MISSED_LIMIT for seat in self.free
        )

    def may_end(self, user: int, *, moderator: bool = False) -> bool:
        """Return whether a person may end the game, or ask the others to.

        Those are the host of a lobby, the people who sit in a started game, moderators, and once a game of
        one person has been silent for long, anybody.
        """
        if moderator or (self.is_lobby and user == self.record.host):
            return True
        seated = not self.is_lobby and self.seat_of(user) is not None
        return seated or (self.is_silent and len(self.seats) == 1)

    def view(self, user: int | None) -> Any:
        """What a person, or the public, may know of the game."""
        return self.game.view(self.state, None if user is None else self.seat_of(user))


class _Step(NamedTuple):
    """An action that may be taken back: which turn of the line, and whether the others are asked first."""

    at: int
    asks: bool


class Table:
    """All games of one store, for any number of coroutines at once.

    Every method that names a game raises NoGame, and UnreadableGame for one that cannot be read any
    more and is closed by that. Any may raise StoreError. After an error nothing has changed.
    """

    def __init__(self, store: Store, games: Iterable[Game], now: Callable[[], float] = time.time) -> None:
        self.store = self._store = store
        self.now = now
        #: Called whenever something is due at another time than before.
        self.alarm: Callable[[], None] = lambda: None
        #: Called with a game before and after whatever has been saved of it.
        self.saved: Callable[[Session, Session], None] = lambda before, after: None
        self._games: Mapping[str, Game] = {game.kind: game for game in games}
        self._cache: OrderedDict[int, Session] = OrderedDict()
        #: The live game of each channel, as far as one has been in memory.
        self._played_in: dict[int, int] = {}
        #: The newest states that this process saved, of live games, by game and version.
        self._states: OrderedDict[tuple[int, int], Any] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._seating = asyncio.Lock()
        self._mentioning = asyncio.Lock()
        #: A silence that is longer means that nobody could play; endless where nobody calls beat regularly.
        self.gap = math.inf
        #: When the bot was last known to be running and connected; None until :meth:`beat` was called.
        self._seen: float | None = None
        self._written = 0.0
        self._seeing = asyncio.Lock()
        #: When nobody could play.
        self._outages: tuple[Span, ...] = ()
        #: When people are and were away, by their marks, and the key that these are made with.
        self._absences: dict[str, tuple[Span, ...]] = {}
        self._people_key = b""
        self._recalled = False
        self._trying = asyncio.Lock()
        self._rematching = asyncio.Lock()

    # Finding ------------------------------------------------------------------------------------

    async def get(self, game: int) -> Session:
        """A game by ID, live or ended. Raises NoGame or UnreadableGame."""
        async with self._locked(game) as session:
            return session

    async def at(self, channel: int) -> Session:
        """The live game of a channel. Raises NoGame or UnreadableGame."""
        for record in await self._store.live(channel):
            session = await self.get(record.id)
            if not session.finished:
                return session
        raise NoGame(f"no game in channel {channel}")

    async def latest(self, channel: int) -> Session:
        """The game that is played in a channel, or else the last that was played to its end there.

        Raises NotStarted where there is only a lobby, and as :meth:`at` does.
        """
        try:
            session = await self.at(channel)
        except NoGame:
            ended = await self.ended(channel)
            if not ended:
                raise
            return ended[0]
        if not session.is_lobby:
            return session
        if ended := await self.ended(channel):
            return ended[0]
        raise NotStarted(f"game {session.id} has not started")

    async def keep_name(self, channel: int, user: int, name: str) -> int | None:
        """Keep the name that a person goes by now for their seats in a channel's live game.

        Returns the game whose seats have another name by that. Nothing is written where it is the same.
        """
        session = self._cache.get(self._played_in.get(channel, 0))
        if session is not None and not session.finished and session.record.channel == channel:
            records = [session.record]
        else:
            records = await self._store.live(channel)
        for record in records:
            if any(one.user == user and one.name != name for one in record.seats):
                async with self._live(record.id) as session:
                    seats = [
                        msgspec.structs.replace(one, name=name) if one.user == user else one
                        for one in session.seats
                    ]
                    await self._change(session, seats=tuple(seats))
                    return record.id
        return None

    async def live(self) -> list[Record]:
        """All live games, lobbies included."""
        return await self._store.live()

    async def each_live(self) -> AsyncGenerator[Record]:
        """Go through the live games by ID, a few at a time, so that others are served in between."""
        after = 0
        while page := await self._store.live_after(after, PAGE):
            for record in page:
                yield record
            after = page[-1].id

    async def live_of(self, user: int) -> list[Record]:
        """Return the live games in which a person has a seat, also one that the apprentice plays on."""
        return await self._store.live_of(user)

    async def live_in(self, server: int) -> list[Record]:
        """Return the live games of a server, that of the option ``guild`` of each."""
        return await self._store.live_in(server)

    def about(self, game: int | None, channel: int | None = None) -> str:
        """How a line of the log begins that is about a game, or a channel's: as far as is in memory."""
        session = self._cache.get(self._played_in.get(channel or 0, 0) if game is None else game)
        if session is None or (game is None and (session.finished or session.record.channel != channel)):
            return _about(game, None, channel)
        return session.about

    # The lobby ----------------------------------------------------------------------------------

    async def open(
        self,
        kind: str,
        channel: int,
        host: Seat,
        options: Mapping[str, Any],
        locale: str = "en",
    ) -> Session:
        """Open a lobby in which the host sits alone. Raises ChannelBusy or TooManyGames."""
        async with self._another_seat(host.user):
            record = Record(
                channel=channel,
                kind=kind,
                host=host.user,
                seats=(host,),
                options=dict(options),
                locale=locale,
                deadline=self.now() + LOBBY_LIFE,
            )
            # A game that is over or damaged, which nobody has noticed yet, must not keep the channel.
            with suppress(NoGame, UnreadableGame):
                await self.at(channel)
            game = await self._store.create(record)
        self.alarm()
        return await self.get(game)

    async def rematch(self, game: int, person: Seat) -> tuple[Session, bool]:
        """Sit down in the lobby for another game of the people of one that is over; open it if there is none.

        Nobody else sits there until they press something themselves. Return the lobby, and whether it is the
        first one, which the others are yet to be told of. Raises NotOver, NotSeated, PlayedAgain once such a
        lobby has started or the game has been over for a day, and as :meth:`open` and :meth:`join` do.
        """
        async with self._rematching:
            old = await self.get(game)
            if not old.finished or old.is_lobby:
                raise NotOver(f"game {game} is not over")
            if all(one.user != person.user for one in old.seats):
                raise NotSeated(f"user {person.user} did not sit in game {game}")
            # The same cards once more would be no game.
            options = {name: old.record.options[name] for name in old.record.options if name != "seed"}
            earlier = options.pop("rematch", None)
            if earlier is not None:
                lobby = await self.get(earlier)
                if not lobby.is_lobby:
                    raise PlayedAgain(f"of game {game} has come game {earlier}")
                if not lobby.finished:
                    return await self.join(earlier, person), False
            if self.now() >= old.line[-1].at + AGAIN_LIFE:
                raise PlayedAgain(f"game {game} has been over for long")
            record = old.record
            lobby = await self.open(record.kind, record.channel, person, options, record.locale)
            async with self._locked(game) as old:
                await self._change(old, options={**old.record.options, "rematch": lobby.id})
            return lobby, earlier is None

    async def join(self, game: int, seat: Seat) -> Session:
        """Sit down in a lobby.

        Raises AlreadySeated, GameFull, AlreadyStarted, TooManyGames, or TakenOut.
        """
        async with self._another_seat(seat.user), self._lobby(game) as session:
            await self._require_not_barred(session, seat.user)
            if session.seat_of(seat.user) is not None:
                raise AlreadySeated(f"user {seat.user} sits in game {game}")
            if len(session.seats) >= session.game.people(session.record.options).stop - 1:
                raise GameFull(f"game {game} has {len(session.seats)} players")
            return await self._change(session, seats=(*session.seats, seat))

    async def take_out(self, game: int, host: int, user: int) -> Session:
        """Take somebody out of a lobby for its host; they do not come back to this one.

        Raises NotHost, NotSeated for one who does not sit there or is the host, or AlreadyStarted.
        """
        async with self._lobby(game) as session:
            if session.record.host != host:
                raise NotHost(f"user {host} is not the host of game {game}")
            if user == host or session.seat_of(user) is None:
                raise NotSeated(f"user {user} cannot be taken out of game {game}")
            seats = tuple(seat for seat in session.seats if seat.user != user)
            barred = (*session.record.barred, await self.mark(user))
            return await self._change(session, seats=seats, barred=barred)

    async def _require_not_barred(self, session: Session, user: int) -> None:
        if session.record.barred and await self.mark(user) in session.record.barred:
            raise TakenOut(f"user {user} was taken out of game {session.id}")

    async def leave(self, game: int, user: int) -> Session:
        """Leave a lobby; the next one becomes host, and the last one's leaving cancels it."""
        async with self._lobby(game) as session:
            if session.seat_of(user) is None:
                raise NotSeated(f"user {user} does not sit in game {game}")
            seats = tuple(seat for seat in session.seats if seat.user != user)
            if not seats:
                return await self._change(session, finished=CANCELLED, deadline=None)
            return await self._change(session, seats=seats, host=_host(session.record.host, seats))

    async def start(self, game: int, user: int, seed: int | None = None) -> Session:
        """Start a lobby's game: draw the seats and, unless one is given, the seed.

        Where the host is away for long, another who sits there starts in the host's place, and is host then.
        Games with the same option ``seed``, any text, are dealt alike; the first of them that a person
        starts is the one that counts. Raises NotHost, TooFewPlayers, AlreadyStarted, or AlreadyTrying, which
        closes the lobby, while the one that counts goes on.
        """
        async with self._lobby(game) as session:
            if session.record.host != user:
                if session.seat_of(user) is None or self.now() < self._opened(session) + HOST_LIFE:
                    raise NotHost(f"user {user} is not the host of game {game}")
                session = await self._change(session, host=user)
            if len(session.seats) < session.game.people(session.record.options).start:
                raise TooFewPlayers(f"game {game} has {len(session.seats)} players")
            seats = list(session.seats)
            random.SystemRandom().shuffle(seats)
            session = await self._change(session, seats=tuple(seats))
            word = session.record.options.get("seed")
            seed = await self._seed(word) if seed is None else seed
            state = session.game.new(seed, len(seats), session.record.options)
            # Of two tries that one person starts at once, the second must find the first begun.
            async with nullcontext() if word is None else self._trying:
                if word is not None:
                    await self._try(session, user, word)
                session = await self._save(session, None, None, state, session.line)
            return await self._noted(await self._settle(session))

    async def _try(self, session: Session, user: int, word: str) -> None:
        """Let a game be the person's try that counts, if it is the first. Raises AlreadyTrying.

        Whoever plays another try beside the one that counts knows its cards there.
        """
        first = await self._store.attempt(word, user, await self.mark(user), session.id)
        if first == session.id:
            return
        record = await self._store.find(first)
        if record is not None and record.finished is None:
            await self._change(session, finished=CANCELLED, deadline=None)
            raise AlreadyTrying(f"user {user} plays {word!r} in game {first}", first)

    @staticmethod
    def _opened(lobby: Session) -> float:
        """When a lobby was opened."""
        return (lobby.record.deadline or 0.0) - LOBBY_LIFE

    async def _seed(self, word: str | None) -> int:
        """A seed that nobody can guess; for a word always the same one.

        The key to the words is this database's own, so that a word tells nothing of its cards elsewhere.
        """
        if word is None:
            return secrets.randbits(SEED_BITS)
        key = await self._store.secret("seed")
        digest = hmac.digest(key, word.encode(errors="surrogatepass"), "sha256")
        return int.from_bytes(digest[: SEED_BITS // 8])

    async def mark(self, user: int) -> str:
        """Return a sign of a person that remains after they are forgotten.

        It can be compared with that of another day, but without this database's key nobody can make it.
        """
        self._people_key = self._people_key or await self._store.secret("people")
        return self._marked(user)

    def _marked(self, user: int) -> str:
        return mark_of(self._people_key, user)

    async def cancel(self, game: int, user: int, *, moderator: bool = False) -> Session:
        """End a lobby or a game without a result, as its host, or as a moderator who never sat in it.

        A started game ends so when all who are seated have asked for it at the same version; until then it
        goes on. One that has been silent for long ends at once. Raises NotHost unless
        :meth:`Session.may_end`, or AlreadyAsked for a person who waits for the others.
        """
        async with self._live(game) as session:
            if not session.may_end(user, moderator=moderator):
                raise NotHost(f"user {user} cannot end game {game}")
            if session.is_lobby:
                return await self._change(session, finished=CANCELLED, deadline=None)
            people = {one.user for one in session.seats if not one.apprentice}
            if session.is_silent and (user in people or len(session.seats) == 1):
                return await self._end_silent(session, CANCELLED)
            if user not in people:
                if await self.mark(user) in await self._store.sat(game):
                    raise NotHost(f"user {user} has sat in game {game}")
                return await self._change(session, finished=CANCELLED, deadline=None)
            agreed = await self._store.would_end(game, session.version)
            if not people.issubset({user, *agreed}):
                if user in agreed:
                    raise AlreadyAsked(f"user {user} has asked to end game {game}")
                await self._store.agree_to_end(game, user, session.version)
                return session
            result = await self._early_result(session, session.seats)
            return await self._change(session, result=result, finished=CANCELLED, deadline=None)

    async def _end_silent(self, session: Session, how: str) -> Session:
        """End a game that has been silent for long: the person whose move it waits for has left it."""
        seats = list(session.seats)
        if session.to_move is not None:
            seats[session.to_move] = msgspec.structs.replace(seats[session.to_move], apprentice=True)
        result = await self._early_result(session, seats)
        return await self._change(session, result=result, finished=how, deadline=None)

    async def would_end(self, session: Session) -> list[int]:
        """Return who would end a game without a result as it stands now."""
        return await self._store.would_end(session.id, session.version)

    async def lose(self, channel: int) -> None:
        """End the live game of a channel that is gone, if it had one."""
        with suppress(NoGame, UnreadableGame, GameOver):
            async with self._live((await self.at(channel)).id) as session:
                await self._change(session, finished=LOST, deadline=None)

    async def lose_server(self, server: int) -> list[int]:
        """End the live games of a server that cannot be reached any more; return which."""
        lost = await self.live_in(server)
        for record in lost:
            await self.lose(record.channel)
        return [record.id for record in lost]

    async def set_reached(self, game: int, reached: bool) -> Session:
        """Keep whether the place of a started game can be reached. While it cannot, no time counts."""
        async with self._locked(game) as session:
            cut_off, now = session.record.cut_off, self.now()
            if session.is_lobby or session.finished or (cut_off is None) == reached:
                return session
            if cut_off is None:
                return await self._schedule(await self._change(session, cut_off=now))
            pauses = (*session.pauses, (cut_off, now))
            return await self._schedule(await self._change(session, cut_off=None, pauses=pauses))

    async def set_message(self, game: int, message: int | None) -> Session:
        """Remember which message shows the game."""
        async with self._locked(game) as session:
            return await self._change(session, message=message)

    async def move_to(self, game: int, channel: int) -> Session:
        """Go on in another channel, where nothing shows the game yet. Raises ChannelBusy."""
        async with self._live(game) as session:
            return await self._change(session, channel=channel, message=None)

    async def quit(self, game: int, user: int) -> Session:
        """Leave a lobby, a game, or a seat that the apprentice plays on; without people the game ends.

        Raises NotSeated.
        """
        session = await self.get(game)
        if session.is_lobby:
            return await self.leave(game, user)
        if session.is_away(user):
            return await self._stay_away(game, user)
        return await self.concede(game, user)

    async def _stay_away(self, game: int, user: int) -> Session:
        """Let a person who may come back to a seat come back no more."""
        async with self._live(game) as session:
            for number in session.free:
                if session.seats[number].user == user:
                    session = await self._seat(session, number, missed=0)
            return session

    # Playing ------------------------------------------------------------------------------------

    async def act(self, game: int, user: int, version: int, code: str) -> Session:
        """Do an action as a person who saw that version; then the apprentice moves for whoever has left.

        Raises NotSeated, Stale, NotYourMove, and the game's own errors.
        """
        async with self._playing(game, user, version) as (session, seat):
            if session.to_move != seat:
                raise NotYourMove(f"seat {session.to_move} is to act in game {game}")
            session = await self._apply(session, seat, session.game.parse(code))
            return await self._settle(session, acted=seat)

    async def undo(self, game: int, user: int, version: int) -> Session:
        """Take back the newest action of this person, if they may do so by themselves.

        Raises NotSeated, Stale, CannotUndo, or MustAsk where the others have to allow it.
        """
        async with self._playing(game, user, version) as (session, seat):
            step = await self._last_step(session, seat)
            if step is None:
                raise CannotUndo(f"seat {seat} has nothing to take back in game {game}")
            if step.asks:
                raise MustAsk(f"seat {seat} of game {game} has to ask the others")
            return await self._take_back(session, seat, step.at)

    async def can_undo(self, session: Session, seat: int) -> bool:
        """Return whether a seat may take back its newest action by itself."""
        step = await self._last_step(session, seat)
        return step is not None and not step.asks

    async def _last_step(self, session: Session, seat: int) -> _Step | None:
        """Return the newest action of a seat, if it may be taken back with everybody's consent.

        The action itself may have shown what its maker alone knew. What came after it has shown nothing.
        """
        if session.finished or session.is_lobby:
            return None
        game, line, after = session.game, session.line, session.state
        for index in range(len(line) - 1, 0, -1):
            before = await self._find_state(session, line[index - 1].version)
            if before is None:  # the game has ended since this session, and its states between are dropped
                return None
            try:
                shown = game.shown(before, game.parse(line[index].action or ""), after)
            except Exception as error:  # whatever a game says of actions that are no longer its own
                log.warning("%s nothing can be taken back: %s", session.about, error)
                return None
            if line[index].seat == seat:
                return None if shown is Shown.HIDDEN else _Step(index, self._asks(session, index, shown))
            if shown is not Shown.NOTHING:
                return None
            after = before
        return None

    @staticmethod
    def _asks(session: Session, index: int, shown: Shown) -> bool:
        """Return whether the others are to be asked before an action of the line is taken back.

        They are for all that has shown them something or let the next one act, unless nobody else is left.
        """
        turn = session.line[index]
        if all(one.apprentice for number, one in enumerate(session.seats) if number != turn.seat):
            return False
        ended = index < len(session.line) - 1 or turn.action in session.game.ends
        return ended or shown is not Shown.NOTHING

    async def _take_back(self, session: Session, seat: int, index: int) -> Session:
        """Take back an action of the line with all that came after it."""
        before = await self._state(session, session.line[index - 1].version)
        steps = len(session.line) - index
        within = steps == 1 and session.line[index].action not in session.game.ends
        code = UNDO if within else f"{UNDO}.{steps}"
        session = await self._save(session, seat, code, before, session.line[:index])
        return await self._schedule(session, played=True)

    async def concede(self, game: int, user: int) -> Session:
        """Leave a game for good: the apprentice plays the seat on. Without people the game ends.

        A host who leaves hands that on. Raises NotStarted or NotSeated.
        """
        async with self._sitting(game, user) as (session, seat):
            session = await self._settle(await self._seat(session, seat, apprentice=True, missed=0))
            return await self._consented(session)

    async def take_over(self, game: int, seat: int, person: Seat) -> Session:
        """Sit down on the seat of somebody who left, or come back to the own one.

        Raises NotStarted, AlreadySeated, TooManyGames, TakenOut, or SeatTaken: also for who left for good, or
        has seen the cards of another seat.
        """
        async with self._another_seat(person.user), self._live(game) as session:
            await self._require_not_barred(session, person.user)
            if session.is_lobby:
                raise NotStarted(f"game {game} has not started")
            if session.seat_of(person.user) is not None:
                raise AlreadySeated(f"user {person.user} sits in game {game}")
            if seat not in session.free:
                raise SeatTaken(f"seat {seat} of game {game} is not free")
            await self._require_no_other_seat(session, person.user, seat)
            left = [number for number, one in enumerate(session.seats) if one.user == person.user]
            if left and (left != [seat] or session.seats[seat].missed < MISSED_LIMIT):
                raise SeatTaken(f"user {person.user} has left game {game}")
            return await self._sit_down(session, seat, person)

    async def _sit_down(self, session: Session, seat: int, person: Seat) -> Session:
        # What was ordered for the seat was its last person's.
        session = await self._order(session, seat, None)
        session = await self._seat(session, seat, **_new_person(person))
        return await self._noted(await self._settle(session))

    async def _require_no_other_seat(self, session: Session, user: int, seat: int) -> None:
        """Raise SeatTaken for a person who has seen the cards of another seat, or was forgotten on this one.

        Who was forgotten has left for good.
        """
        sat = (await self._store.sat(session.id)).get(await self.mark(user))
        if sat not in (None, seat) or (sat == seat and session.seats[seat].user == NOBODY):
            raise SeatTaken(f"user {user} has sat on seat {sat} of game {session.id}")

    async def forget(self, user: int) -> list[int]:
        """Forget a person: they leave their live games, and are nobody in all others; which games changed.

        Nobody sits down meanwhile. What is being done in a game is finished first, and read anew after.
        """
        await self._recall()
        if self.absent_until(user) is not None:
            await self.set_absence(user, None)
        async with self._seating:
            live = [one.id for one in await self._store.live_of(user)]
            named = [one.id for one in self._cache.values() if _names(one.record, user)]
            async with AsyncExitStack() as held:
                # Otherwise what is being done in their games would be refused, for the games have changed.
                for game in sorted({*live, *named}):
                    await held.enter_async_context(self._locks.setdefault(game, asyncio.Lock()))
                await self._store.forget(user)
                for game in (*live, *named):
                    self._cache.pop(game, None)
            # What was being read meanwhile may name them still.
            under_way = [game for game, lock in self._locks.items() if lock.locked()]
            for game in {*under_way, *(one.id for one in self._cache.values() if _names(one.record, user))}:
                async with self._locks.setdefault(game, asyncio.Lock()):
                    self._cache.pop(game, None)
        for game in live:
            # What follows by itself is done: the apprentice plays, a game without people ends.
            with suppress(TableError):
                async with self._live(game) as session:
                    await self._consented(session)
        return live

    # The clock ----------------------------------------------------------------------------------

    async def beat(self, *, note: bool = False) -> bool:
        """Note that people can play now; time in which they could not counts against nobody.

        The first call of a process notes how long none was running; later ones find that it was stopped, or
        not connected, or that the computer was asleep, and return that messages show the time as it was
        before. The moment is written once a minute, and always with ``note``.
        """
        async with self._seeing:
            now, before = self.now(), self._seen
            last = await self._store.seen() if before is None else before
            missing = last is not None and now - last > (0 if before is None else self.gap)
            if missing:
                await self._store.add_outage((last or now, now))
            elif note or last is None or abs(now - self._written) >= BEAT:
                await self._store.see(now)
            else:
                self._seen = now
                return False
            self._seen = self._written = now
            self._outages = tuple(await self._store.outages())
        if missing:
            await self._reread_lobbies()
        return missing and before is not None

    async def _recall(self) -> None:
        """Read once while which clocks stood still."""
        if not self._recalled:
            self._people_key = await self._store.secret("people")
            self._absences = await self._store.absences(self.now() - 366 * DAY)
            self._outages = tuple(await self._store.outages())
            self._recalled = True

    def absent_until(self, user: int) -> float | None:
        """Return until when a person has said to be away, in epoch seconds; None for one who is not."""
        now = self.now()
        spans = self._absences.get(self._marked(user), ()) if self._absences else ()
        return next((end for start, end in spans if start <= now < end), None)

    def returns(self) -> tuple[list[int], float]:
        """Return the games in memory that show an absence which is over, and when the next one will be."""
        now = self.now()
        shown = [(one.id, until) for one in self._cache.values() for _, until in one.absent]
        over = sorted({game for game, until in shown if until <= now})
        return over, min((until for _, until in shown if until > now), default=math.inf)

    async def longest_absence(self, user: int) -> float:
        """Return until when a person may be away at most, in epoch seconds."""
        await self._recall()
        return longest_absence(self._absences.get(self._marked(user), ()), self.now())

    async def set_absence(self, user: int, until: float | None) -> list[int]:
        """Let a person be away until a moment, or for as long as they may, or be back; return their games.

        While they are away the clock of their turns stands still, in all their games. It changes nothing of
        a turn whose time is over.
        """
        await self._recall()
        now = self.now()
        mark, stop = self._marked(user), now
        if until is not None:
            stop = max(now, min(until, await self.longest_absence(user)))
        await self._store.add_absence(mark, (now, stop))
        before = [(start, min(end, now)) for start, end in self._absences.get(mark, ())]
        self._absences[mark] = tuple(one for one in (*before, (now, stop)) if one[1] > one[0])
        games = [record.id for record in await self._store.live_of(user)]
        for game in games:
            with suppress(TableError):
                async with self._locked(game) as session:
                    await self._schedule(session)
        self.alarm()
        return games

    async def _reread_lobbies(self) -> None:
        """Let go of the lobbies in memory: the time they are open for has changed."""
        for game in [session.id for session in self._cache.values() if session.is_lobby]:
            async with self._locks.setdefault(game, asyncio.Lock()):
                self._cache.pop(game, None)

    async def clock(self, game: int) -> tuple[Session, Due | None]:
        """Do what time asks for in a game now, and say what that was; of several things the last alone.

        What is to be sent for it is up to the caller. It is not asked for twice.
        """
        async with self._locked(game) as session:
            if session.finished:
                return session, None
            now = self.now()
            if session.is_lobby:
                if session.record.deadline is None or session.record.deadline > now:
                    return session, None
                return await self._change(session, finished=EXPIRED, deadline=None), Due.CLOSE
            past = [one for one in self._ahead_of(session) if one[0] <= now]
            if not past:
                return await self._schedule(session), None
            at, due = past[-1]
            if due is Due.MOVE_ON:
                return await self._pass_turn(session), due
            if due is Due.LAPSE:
                return await self._end_silent(session, LAPSED), due
            if due is Due.LOSE:
                return await self._change(session, finished=LOST, deadline=None), due
            if due is Due.SILENT:
                at = now  # the time until the end begins when people have been reminded
            return await self._schedule(await self._change(session, handled=at)), due

    async def move_on(self, game: int, user: int, version: int) -> Session:
        """End a turn whose time is over: the apprentice plays it. Raises NotSeated, Stale or NotYet."""
        # A press shows that people can play again, and may come before the loop has noted it.
        if self._seen is None or self.now() - self._seen > self.gap:
            await self.beat()
        async with self._playing(game, user, version) as (session, _):
            if session.paused is not None or session.deadline is None or self.now() < session.deadline:
                raise NotYet(f"the turn of game {game} has time until {session.deadline}")
            return await self._pass_turn(session)

    async def pause(self, game: int, user: int) -> Session:
        """Let a person want the game to be paused; it is as soon as everybody who sits there does.

        Consent is a person's, so a newcomer has given none. Raises NotStarted, NotSeated or NoTimeLimit.
        """
        async with self._sitting(game, user) as (session, _):
            if turn_length(session.record.options) is None:
                raise NoTimeLimit(f"the turns of game {game} have no limit")
            if session.paused is not None:
                return session
            return await self._pause(session, {*session.record.pausing, await self.mark(user)})

    async def _pause(self, session: Session, wanting: set[str]) -> Session:
        """Pause a game if everybody who sits there wants it; else keep the marks of those who do."""
        people = {await self.mark(one.user) for one in session.seats if not one.apprentice}
        if not people <= wanting:
            kept = tuple(sorted(wanting & people))
            return session if kept == session.record.pausing else await self._change(session, pausing=kept)
        now = self.now()
        pauses = (*session.pauses, (now, now + PAUSE))
        return await self._schedule(await self._change(session, pausing=(), pauses=pauses))

    async def go_on(self, game: int, user: int) -> Session:
        """End a pause, or the wish for one, for anybody who sits there. Raises NotStarted or NotSeated."""
        async with self._sitting(game, user) as (session, _):
            return await self._schedule(await self._end_pause(session))

    async def _end_pause(self, session: Session) -> Session:
        if session.paused is None and not session.record.pausing:
            return session
        now = self.now()
        pauses = tuple((start, min(end, now)) for start, end in session.pauses)
        return await self._change(session, pausing=(), pauses=pauses)

    async def tell(self, game: int) -> bool:
        """Whether people have yet to be told whose turn it is, or that the game was played out.

        From now on they have been.
        """
        async with self._locked(game) as session:
            over = session.record.finished == OVER
            newest = session.version if over else session.since
            if (session.to_move is None and not over) or session.record.told == newest:
                return False
            await self._change(session, told=newest)
            return True

    async def set_notice(self, game: int, message: int | None) -> Session:
        """Remember which message notified last."""
        async with self._locked(game) as session:
            return await self._change(session, notice=message)

    def _ahead_of(self, session: Session) -> list[tuple[float, Due]]:
        """What time asks for until the end of this turn, and what it has asked for and nobody has done."""
        length = turn_length(session.record.options)
        if session.to_move is None:
            return []
        if session.record.cut_off is not None:
            return [(after(session.record.cut_off, CUT_OFF_LIFE, session.stops), Due.LOSE)]
        if length is None:
            return [silence(session.moved, session.record.handled, session.stops)]
        return [
            (at, due)
            for at, due in moments(session.began, length, session.stops)
            if at > session.handled or due is Due.MOVE_ON
        ]

    async def _schedule(self, session: Session, *, played: bool = False) -> Session:
        """Have the deadline of a started game's row say when time next asks for something.

        Where a game was just ``played`` that has no limit, an earlier deadline is kept: the clock puts it
        right when it comes, and each move is one statement.
        """
        deadline = min((at for at, _ in self._ahead_of(session)), default=None)
        before = session.record.deadline
        if session.is_lobby or before == deadline:
            return session
        if played and turn_length(session.record.options) is None and (before or math.inf) <= (deadline or 0):
            return session
        session = await self._change(session, deadline=deadline)
        self.alarm()
        return session

    async def _pass_turn(self, session: Session) -> Session:
        """The apprentice plays this turn; who misses too many in a row has left, but may come back."""
        seat = session.to_move
        if seat is None:
            return await self._settle(session)
        since = session.since
        while session.to_move == seat and session.since == since:
            session = await self._apply(session, seat, self._advice(session, seat), APPRENTICE)
        missed = session.seats[seat].missed + 1
        session = await self._seat(session, seat, missed=missed, apprentice=missed >= MISSED_LIMIT)
        return await self._consented(await self._settle(session))

    async def _seat(self, session: Session, seat: int, **fields: Any) -> Session:
        """Change a seat; where nobody is left the game ends, and a host who left hands that on.

        A person who does not play it any more asks for nothing, and their consent counts no more.
        """
        seats, before = list(session.seats), session.seats[seat]
        seats[seat] = msgspec.structs.replace(before, **fields)
        changed: dict[str, Any] = {"seats": tuple(seats)}
        if seats[seat].apprentice or seats[seat].user != before.user:
            changed["asks"] = without(session.record.asks, before.user)
        if seat == session.to_move and seats[seat].user != before.user:
            changed["told"] = ANOTHERS
            # The turn goes on where it stood: the time for which its last person was away stays theirs.
            now = self.now()
            absences = [one for one in session.stops if one not in (*self._outages, *session.pauses)]
            stood = [(start, min(end, now)) for start, end in absences if start < now]
            changed["pauses"] = (*session.pauses, *stood)
        people = [one for one in seats if not one.apprentice]
        if seats[seat].user not in (before.user, NOBODY):
            changed["gone"] = {seat: before}
        if not people and session.to_move is not None:
            result = await self._early_result(session, seats)
            return await self._change(session, **changed, result=result, finished=ABANDONED, deadline=None)
        return await self._change(session, **changed, host=_host(session.record.host, people or seats))

    async def _present(self, session: Session, seat: int) -> Session:
        """Who plays, or has ordered what is done, begins to be counted anew."""
        return await self._seat(session, seat, missed=0) if session.seats[seat].missed else session

    # Orders ahead -------------------------------------------------------------------------------

    async def order(self, game: int, user: int, situation: str, codes: Sequence[str]) -> Session:
        """Leave an order for the own next turn, in the place of an older one; without codes none.

        The first that is possible when the turn comes is done; if none is, the person is asked as ever.
        Raises NotStarted, NotSeated, or OrderLapsed where the situation is another one already.
        """
        async with self._sitting(game, user) as (session, seat):
            if not codes and not self.ordered(session, seat):
                return session  # there is none to withdraw: it was carried out, or has lapsed
            possible = {session.game.code(one) for one in session.game.ahead(session.state, seat)}
            if situation != session.game.situation(session.state) or not possible.issuperset(codes):
                raise OrderLapsed(f"seat {seat} of game {game} cannot order {codes} in {situation}")
            return await self._order(session, seat, Ahead(situation, tuple(codes)) if codes else None)

    def ordered(self, session: Session, seat: int) -> tuple[str, ...]:
        """What a seat has ordered for the present situation: its own business."""
        order = session.orders.get(seat)
        if order is None or session.is_lobby or order.situation != session.game.situation(session.state):
            return ()
        return order.codes

    async def _order(self, session: Session, seat: int, order: Ahead | None) -> Session:
        await self._store.order(session.id, seat, order)
        orders = {number: one for number, one in session.orders.items() if number != seat}
        if order is not None:
            orders[seat] = order
        return self._keep(replace(session, orders=orders))

    # Asking each other --------------------------------------------------------------------------

    async def slip(self, session: Session, seat: int) -> int | None:
        """Return which turn of the line a seat can ask the others to let it take back; None if none.

        That is its newest one, where it may not take it back by itself.
        """
        step = await self._last_step(session, seat)
        return step.at if step is not None and step.asks else None

    async def ask_undo(self, game: int, user: int, version: int) -> Session:
        """Ask the others to let this person take back their newest action, and what came after it.

        Where nobody has to be asked it is done at once. Raises NotSeated, Stale, CannotUndo, or AlreadyAsked
        where the same question stands in a message.
        """
        async with self._playing(game, user, version) as (session, seat):
            step = await self._last_step(session, seat)
            if step is None:
                raise CannotUndo(f"seat {seat} has nothing to ask back in game {game}")
            if not step.asks:
                return await self._take_back(session, seat, step.at)
            return await self._ask(session, Ask(user, version=session.line[step.at].version))

    async def _ask(self, session: Session, ask: Ask) -> Session:
        """Ask, in the place of what this person has asked of that kind before."""
        if any(one.of == ask.of and one.message is not None for one in session.record.asks):
            raise AlreadyAsked(f"user {ask.user} has asked that in game {session.id}")
        if any(one.of == ask.of for one in session.record.asks):
            return session  # nobody could be told of it yet
        return await self._change(session, asks=(*without_kind(session.record.asks, ask), ask))

    async def answer_undo(self, game: int, user: int, version: int, asker: int, yes: bool) -> Session:
        """Allow or refuse what somebody asked, at that version, to take back. Who asked may withdraw it.

        Raises NotSeated, NotAsked, or NoAsk: also where the same person has asked for something else since.
        """
        async with self._sitting(game, user) as (session, _):
            ask = next((one for one in session.record.asks if one.user == asker and not one.friend), None)
            if ask is None or ask.version > version:
                raise NoAsk(f"user {asker} asks for nothing in game {game} at version {version}")
            if user == asker and yes:
                raise NotAsked(f"user {user} answers the own question in game {game}")
            rest = without_ask(session.record.asks, ask)
            if not yes:
                return await self._change(session, asks=rest)
            ask = msgspec.structs.replace(ask, allowed=(*ask.allowed, user))
            return await self._decide(await self._change(session, asks=(*rest, ask)), ask)

    async def _decide(self, session: Session, ask: Ask) -> Session:
        """Take back what was asked for, if everybody allows it. Raises NoAsk if that cannot be any more."""
        step = await self._asked_step(session, ask)
        if step is None:
            await self._change(session, asks=without_ask(session.record.asks, ask))
            raise NoAsk(f"what user {ask.user} asks for in game {session.id} cannot be any more")
        people = {one.user for one in session.seats if not one.apprentice}
        if not people.issubset({ask.user, *ask.allowed}):
            return session
        asker = session.sitting(ask.user)
        session = await self._take_back(session, asker, step.at)
        return await self._change(session, asks=tuple(o for o in session.record.asks if o.friend is not None))

    async def _asked_step(self, session: Session, ask: Ask) -> _Step | None:
        """Return what somebody asks to take back; None if that cannot be any more."""
        asker = session.seat_of(ask.user)
        step = None if asker is None else await self._last_step(session, asker)
        return step if step is not None and session.line[step.at].version == ask.version else None

    async def _consented(self, session: Session) -> Session:
        """Do what all who are left allow, for the person who had yet to answer has left: undo, or pause."""
        for ask in session.record.asks:
            if ask.friend is None and ask in session.record.asks and not session.finished:
                try:
                    session = await self._decide(session, ask)
                except NoAsk:
                    session = await self._load(session.id)
        if session.record.pausing and session.to_move is not None:
            session = await self._pause(session, {*session.record.pausing})
        return session

    async def ask_friend(self, game: int, user: int, friend: int) -> Session:
        """Ask a friend to sit down for this person.

        Raises NotStarted, NotSeated, AlreadySeated (also for a friend who has sat on another seat), TooSoon,
        RefusedBefore, or AlreadyAsked where the same question stands in a message.
        """
        async with self._sitting(game, user) as (session, seat):
            if any(one.user == friend for one in session.seats):
                raise AlreadySeated(f"user {friend} sits in game {game}")
            if (await self._store.sat(game)).get(await self.mark(friend), seat) != seat:
                raise AlreadySeated(f"user {friend} has sat in game {game}")
            ask = Ask(user, friend=friend)
            if all(one.of != ask.of for one in session.record.asks):
                await self._require_not_asked_lately(game, user, friend)
            return await self._ask(session, ask)

    async def _require_not_asked_lately(self, game: int, user: int, friend: int) -> None:
        mentions = await self._store.mentions(await self.mark(user), await self.mark(friend))
        if any(one.refused and one.game == game for one in mentions):
            raise RefusedBefore(f"user {friend} has refused user {user} in game {game}")
        last = max((one.at for one in mentions), default=-math.inf)
        if self.now() < last + ASKED_AGAIN:
            raise TooSoon(f"user {friend} was asked by user {user} a moment ago", last + ASKED_AGAIN)

    async def mention(self, game: int, user: int, people: Iterable[int]) -> list[int]:
        """Return those of the people whom a question of this person may mention now, which is kept.

        The same person is mentioned by the same one once in :data:`ASKED_AGAIN` seconds, in all games.
        """
        found: list[int] = []
        async with self._mentioning:
            for one in people:
                asker, asked = await self.mark(user), await self.mark(one)
                mentions = await self._store.mentions(asker, asked)
                if all(self.now() >= other.at + ASKED_AGAIN for other in mentions):
                    await self._store.add_mention(Mention(asker, asked, game, self.now()))
                    found.append(one)
        return found

    async def unask(self, game: int, ask: Ask, mentioned: Iterable[int] = ()) -> None:
        """Withdraw what a person has just asked, for nobody could be told of it."""
        for one in mentioned:
            await self._store.drop_mention(await self.mark(ask.user), await self.mark(one), game)
        async with self._locked(game) as session:
            await self._change(session, asks=without_ask(session.record.asks, ask))

    async def set_question(self, game: int, ask: Ask, message: int | None) -> Session:
        """Remember which message asks something; None for one that is gone."""
        async with self._locked(game) as session:
            if message is not None:
                await self.add_question(session, ask, message)
            asks = tuple(
                msgspec.structs.replace(one, message=message) if one.of == ask.of else one
                for one in session.record.asks
            )
            return await self._change(session, asks=asks)

    async def add_question(self, session: Session, ask: Ask, message: int) -> None:
        """Keep that a message asks something, so that it says so once it asks that no more."""
        seat, mark = session.seat_of(ask.user) or 0, await self.mark(ask.user)
        undo = ask.friend is None
        await self._store.add_question(
            Question(message, session.id, session.record.channel, mark, seat, undo)
        )

    async def drop_moot_asks(self, game: int) -> Session:
        """Drop what has been asked in a game and can no longer be."""
        async with self._locked(game) as session:
            asks = tuple([one for one in session.record.asks if await self._stands(session, one)])
            if asks == session.record.asks:
                return session
            return await self._change(session, asks=asks)

    async def _stands(self, session: Session, ask: Ask) -> bool:
        """Return whether what somebody asks could still be done."""
        if session.finished:
            return False
        if ask.friend is None:
            return await self._asked_step(session, ask) is not None
        return session.seat_of(ask.user) is not None and all(one.user != ask.friend for one in session.seats)

    async def answer_friend(self, game: int, asker: int, person: Seat, yes: bool) -> Session:
        """Sit down for somebody who asked for it, or do not; who asked may take it back as well.

        Raises NoAsk, NotAsked, AlreadySeated, SeatTaken, TakenOut or TooManyGames.
        """
        room = self._another_seat(person.user) if yes else nullcontext()
        async with room, self._live(game) as session:
            ask = next((one for one in session.record.asks if one.user == asker and one.friend), None)
            if ask is None:
                raise NoAsk(f"user {asker} asks for nothing in game {game}")
            if not (person.user == ask.friend or (person.user == asker and not yes)):
                raise NotAsked(f"user {asker} does not ask user {person.user} in game {game}")
            if not yes and ask.friend == person.user:
                mention = Mention(
                    await self.mark(asker), await self.mark(person.user), game, self.now(), True
                )
                await self._store.add_mention(mention)
            seat = session.seat_of(asker)
            if not yes or seat is None:
                session = await self._change(session, asks=without_ask(session.record.asks, ask))
                if yes:
                    raise NoAsk(f"user {asker} has no seat in game {game} any more")
                return session
            await self._require_not_barred(session, person.user)
            if any(one.user == person.user for one in session.seats):
                raise AlreadySeated(f"user {person.user} sits in game {game}")
            await self._require_no_other_seat(session, person.user, seat)
            return await self._sit_down(session, seat, person)

    # Looking back -------------------------------------------------------------------------------

    async def happened(self, session: Session, since: int) -> list[tuple[Turn, tuple[Any, ...]]]:
        """What the remaining turns after the first ``since`` of the line did: each with its events.

        It is worked out again from the stored actions, in an ended game from the set-up on. Where the
        rules have changed since, it tells as much as those of today can follow.
        """
        since = max(since, 1)
        told: list[tuple[Turn, tuple[Any, ...]]] = []
        if since >= len(session.line):
            return told
        game, version, first, data = session.game, session.line[since - 1].version, since, None
        state = self._states.get((session.id, version))
        if state is None:
            data = await self._store.state(session.id, version)
        if state is None and data is None:
            first, data = 1, await self._store.state(session.id, 0)
        try:
            state = game.decode(data or b"") if state is None else state
            for index, turn in enumerate(session.line[first:], first):
                state, events = game.apply(state, game.parse(turn.action or ""), turn.seat or 0)
                if index >= since:
                    told.append((turn, tuple(events)))
        except Exception as error:  # whatever a game says of actions and states that are no longer its own
            log.warning("%s its past can be told in part only: %s", session.about, error)
        return told

    async def view_at(self, session: Session, index: int, user: int | None) -> Any:
        """What a person, or the public, might know of a game after a turn of its line."""
        if session.finished:
            state = (await self.states(session))[index]
        else:
            state = await self._state(session, session.line[index].version)
        return session.game.view(state, None if user is None else session.seat_of(user))

    async def first_state(self, session: Session) -> Any:
        """The state of the set-up of an ended game, from which its line can be replayed.

        Raises NotOver while the game is live, for all its secrets are in it, and NotStarted.
        """
        if session.is_lobby:
            raise NotStarted(f"game {session.id} has not started")
        if not session.finished:
            raise NotOver(f"game {session.id} is not over")
        return await self._state(session, 0)

    async def states(self, session: Session) -> list[Any]:
        """All states of an ended game in order, the set-up first, as far as today's rules can follow.

        Raises as :meth:`first_state` does.
        """
        game, states = session.game, [await self.first_state(session)]
        try:
            for turn in session.line[1:]:
                state, _ = game.apply(states[-1], game.parse(turn.action or ""), turn.seat or 0)
                states.append(state)
        except Exception as error:  # whatever a game says of actions that are no longer its own
            log.warning("%s its past can be told in part only: %s", session.about, error)
        return states

    async def ended(self, channel: int) -> list[Session]:
        """The last games of a channel that were played to their end, the newest first."""
        return [await self.get(record.id) for record in await self._store.ended(channel)]

    # Results ------------------------------------------------------------------------------------

    async def standing(self, guild: int | None, sort: str, user: int) -> Standing | None:
        """Return what a person has come to in a server (the option ``guild`` of each game), or in all."""
        await self._record_all()
        return await self._store.standing(guild, sort, user)

    async def standings(self, guild: int | None, sort: str, limit: int) -> list[Standing]:
        """Return the first of a board of a server, or of all, the best first."""
        await self._record_all()
        return await self._store.standings(guild, sort, limit)

    async def best_tries(self, seed: str, guild: int | None, limit: int) -> list[Result]:
        """Return the best of the tries that count of the games from a seed, the best first."""
        await self._record_all()
        return await self._store.best_tries(seed, guild, limit)

    async def tries(self, seed: str, guild: int | None) -> int:
        """Return how many tries that count the board of a seed holds."""
        return await self._store.tries(seed, guild)

    async def tried(self, seed: str, user: int) -> Session | None:
        """Return the game that is a person's try that counts, also of one who was forgotten since; None
        without one. Raises UnreadableGame.
        """
        game = await self._store.tried(seed, await self.mark(user))
        return None if game is None else await self.get(game)

    async def counts(self, session: Session) -> bool:
        """Return whether a game counts as it stands: of those from a seed the first try, if it is in time."""
        return await self._counts(session, session.line[-1].at if session.finished else self.now())

    async def _counts(self, session: Session, ended: float) -> bool:
        options, line = session.record.options, session.line
        if options.get("seed") is None:
            return True
        in_time = bool(line) and session.game.in_time(options, line[0].at, ended)
        return in_time and await self._store.counts(session.id)

    async def _record_all(self) -> None:
        """Record the games that an older version left without a result. One that cannot be read has none."""
        for game in await self._store.unrecorded():
            with suppress(UnreadableGame):
                if result := await self._result(await self.get(game)):
                    await self._store.record(result)

    async def _result(self, session: Session) -> Result | None:
        """Return what a game that was played to its end has come to; None where it does not say."""
        try:
            facts = tuple(dict(one) for one in session.game.result(session.state))
        except Exception as error:  # whatever a game says of a state that is no longer its own
            log.warning("%s its result cannot be told: %r", session.about, error)
            return None
        # Whose last turn the apprentice played, because time was over, left.
        seats = [
            msgspec.structs.replace(one, apprentice=one.apprentice or one.missed > 0) for one in session.seats
        ]
        return await self._made_result(session, await self._beginners(session, seats), facts)

    async def _early_result(self, session: Session, seats: Sequence[Seat]) -> Result | None:
        """Return what a game that ends early counts for: who has left it. None if it counts for nobody."""
        people = await self._beginners(session, seats)
        if len(people) == 1:
            if all(turn.maker is not None or turn.seat is None for turn in session.line):
                return None  # nothing was played
            people = [msgspec.structs.replace(people[0], apprentice=True)]
        if not any(one.apprentice for one in people):
            return None
        return await self._made_result(session, people, ())

    async def _beginners(self, session: Session, seats: Sequence[Seat] | None = None) -> list[Seat]:
        """Return who began each seat; ``apprentice`` says that they left or gave it up."""
        gone = await self._store.gone(session.id)
        return [
            Seat(gone[number].user, gone[number].name, apprentice=True)
            if number in gone
            else msgspec.structs.replace(one, missed=0)
            for number, one in enumerate(session.seats if seats is None else seats)
        ]

    async def _made_result(
        self, session: Session, people: Sequence[Seat], facts: tuple[dict[str, Any], ...]
    ) -> Result:
        guild, at = session.record.options.get("guild"), session.line[-1].at
        return Result(session.id, guild, at, tuple(people), facts, await self._counts(session, at))

    # Inside the lock ----------------------------------------------------------------------------

    @asynccontextmanager
    async def _locked(self, game: int) -> AsyncGenerator[Session]:
        lock = self._locks.setdefault(game, asyncio.Lock())
        async with lock:
            yield await self._load(game)

    @asynccontextmanager
    async def _another_seat(self, user: int) -> AsyncGenerator[None]:
        """Around giving a person a seat, before any game's lock.

        One after the other, so that nobody sits down while being forgotten. Raises TooManyGames; the
        database holds to that by itself, where another process gives seats, too.
        """
        async with self._seating:
            if not await self._has_room(user):
                raise TooManyGames(f"user {user} plays in {MAX_SEATS} games")
            yield

    async def _has_room(self, user: int) -> bool:
        """Whether a person may play in one live game more."""
        live = await self._store.live_of(user)
        mine = [seat for record in live for seat in record.seats if seat.user == user and not seat.apprentice]
        return len(mine) < MAX_SEATS

    @asynccontextmanager
    async def _live(self, game: int) -> AsyncGenerator[Session]:
        async with self._locked(game) as session:
            if session.finished:
                raise GameOver(f"game {game} has ended")
            yield session

    @asynccontextmanager
    async def _lobby(self, game: int) -> AsyncGenerator[Session]:
        async with self._live(game) as session:
            if not session.is_lobby:
                raise AlreadyStarted(f"game {game} has started")
            yield session

    @asynccontextmanager
    async def _sitting(self, game: int, user: int) -> AsyncGenerator[tuple[Session, int]]:
        """A started game and the seat that a person plays in it."""
        async with self._live(game) as session:
            if session.is_lobby:
                raise NotStarted(f"game {game} has not started")
            yield session, session.sitting(user)

    @asynccontextmanager
    async def _playing(self, game: int, user: int, version: int) -> AsyncGenerator[tuple[Session, int]]:
        async with self._sitting(game, user) as (session, seat):
            if version != session.version:
                raise Stale(f"game {game} is at version {session.version}, not {version}")
            yield session, seat

    async def _settle(self, session: Session, acted: int | None = None) -> Session:
        """Do what follows by itself: the apprentice moves for whoever left, and a game played out ends.

        A seat that acted itself has missed nothing any more.

        What was done before stands, so a failure here is not the failure of that: it is logged, and the
        next one who asks for the game has it tried again.
        """
        try:
            if not session.finished and all(one.apprentice for one in session.seats):
                # Whoever was left has been forgotten.
                if session.is_lobby:
                    return await self._change(session, finished=CANCELLED, deadline=None)
                result = await self._early_result(session, session.seats)
                return await self._change(session, result=result, finished=ABANDONED, deadline=None)
            if acted is not None:
                session = await self._end_pause(await self._present(session, acted))
            while not (session.is_lobby or session.finished):
                seat = session.to_move
                if seat is None:
                    result = await self._result(session)
                    return await self._change(session, result=result, finished=OVER, deadline=None)
                if session.seats[seat].apprentice:
                    session = await self._apply(session, seat, self._advice(session, seat), APPRENTICE)
                    continue
                action = self._first_ordered(session, seat)
                if seat in session.orders:
                    session = await self._order(session, seat, None)
                if action is None:
                    break
                session = await self._apply(session, seat, action, ORDER)
                session = await self._present(session, seat)
            session = await self._schedule(session, played=True)
        except Exception:
            log.exception("%s could not go on", session.about)
            self._cache.pop(session.id, None)
        return session

    def _advice(self, session: Session, seat: int) -> Any:
        """What the apprentice would do on a seat, from what it may know."""
        game, state = session.game, session.state
        return game.choose(game.view(state, seat), game.legal(state, seat))

    def _first_ordered(self, session: Session, seat: int) -> Any:
        """The first thing of a seat's order that it may do now; None if there is none."""
        codes = self.ordered(session, seat)
        legal = (
            {session.game.code(one): one for one in session.game.legal(session.state, seat)} if codes else {}
        )
        return next((legal[code] for code in codes if code in legal), None)

    async def _apply(self, session: Session, seat: int, action: Any, maker: str | None = None) -> Session:
        state, _ = session.game.apply(session.state, action, seat)
        return await self._save(session, seat, session.game.code(action), state, session.line, maker)

    async def _save(
        self,
        session: Session,
        seat: int | None,
        action: str | None,
        state: Any,
        line: tuple[Turn, ...],
        maker: str | None = None,
    ) -> Session:
        """Keep a new version; only then does the cache know of it."""
        number = max(session.version + 1, 0 if session.is_lobby else session.record.floor)
        turn = Turn(number, seat, action, self.now(), maker)
        try:
            await self._store.save(session.id, turn, session.game.encode(state))
        except BaseException:  # whether it was saved may be unknown, after a cancellation for one
            self._cache.pop(session.id, None)
            raise
        if steps_back(turn):
            # The line ends with the turn whose state is back, under the version that holds it now.
            line = (*line[:-1], msgspec.structs.replace(line[-1], version=turn.version))
        else:
            line = (*line, turn)
        self._states[session.id, turn.version] = state
        while len(self._states) > STATES:
            self._states.popitem(last=False)
        before = session
        session = replace(session, version=turn.version, state=state, line=line)
        if session.to_move != before.to_move or _ends_turn(session.game, turn):
            session = replace(session, began=turn.at, since=turn.version)
        log.debug("%s seat=%s maker=%s action=%s", session.about, seat, maker or "person", action)
        self.saved(before, session)
        return self._keep(session)

    async def _change(
        self,
        session: Session,
        *,
        result: Result | None = None,
        gone: Mapping[int, Seat] | None = None,
        **fields: Any,
    ) -> Session:
        try:
            revision = session.record.revision
            await self._store.update(session.id, revision, result=result, gone=gone or {}, **fields)
        except BaseException:
            self._cache.pop(session.id, None)
            raise
        fields["revision"] = session.record.revision + 1
        before, session = session, replace(session, record=msgspec.structs.replace(session.record, **fields))
        if session.finished and not before.finished:
            log.info("%s ended=%s", session.about, session.record.finished)
            for turn in session.line:
                self._states.pop((session.id, turn.version), None)
        self.saved(before, session)
        return self._keep(session)

    # Loading ------------------------------------------------------------------------------------

    async def _load(self, game: int) -> Session:
        await self._recall()
        if game in self._cache:
            # Since it was last looked at, clocks may have stood still.
            return self._keep(self._cache[game])
        record = await self._store.find(game)
        if record is None:
            raise NoGame(f"there is no game {game}")
        # The process may have died between the last move and what follows from it.
        return await self._settle(self._keep(await self._read(record)))

    async def _read(self, record: Record) -> Session:
        kind = self._games.get(record.kind)
        if kind is None:
            raise await self._close(record, f"there is no game of the kind {record.kind}")
        try:
            turns = await self._store.turns(record.id)
            return await self._started(record, kind, turns) if turns else Session(record, kind)
        except DatabaseDamaged as error:
            raise await self._close(record, str(error)) from error
        except (TableError, StoreError):
            raise
        except Exception as error:  # whatever comes of a row that makes no sense
            raise await self._close(record, repr(error)) from error

    async def _started(self, record: Record, kind: Game, turns: Sequence[Turn]) -> Session:
        if len(record.seats) not in kind.people(record.options):
            raise ValueError(f"it has {len(record.seats)} seats")
        session = Session(record, kind, version=turns[-1].version, line=_line(turns))
        session = replace(session, state=await self._state(session, session.version))
        if session.finished:
            return session
        await self._note_who_sits(record)
        first = _first(kind, turns, session.to_move)
        try:
            orders = await self._store.orders(record.id)
        except msgspec.MsgspecError as error:
            log.warning("%s its orders cannot be read: %s", session.about, error)
            orders = {}
        return replace(session, began=first.at, since=first.version, orders=orders)

    async def _note_who_sits(self, record: Record) -> None:
        """Note who sits where in a started game, as far as that is not noted."""
        sat = await self._store.sat(record.id)
        for number, one in enumerate(record.seats):
            if one.user != NOBODY and (mark := await self.mark(one.user)) not in sat:
                await self._store.add_sat(record.id, mark, number)

    async def _noted(self, session: Session) -> Session:
        """Note who sits where after somebody has sat down; what fails is done when the game is read again."""
        try:
            if not session.finished:
                await self._note_who_sits(session.record)
        except BaseException as error:
            self._cache.pop(session.id, None)
            if not isinstance(error, StoreError):
                raise
            log.warning("%s who sits where is noted later: %s", session.about, error)
        return session

    async def _state(self, session: Session, version: int) -> Any:
        """The state of a version. A state that cannot be read closes its game."""
        state = await self._find_state(session, version)
        return await self._decoded(session, b"") if state is None else state

    async def _find_state(self, session: Session, version: int) -> Any:
        """The same, or None for a version that has none any more."""
        state = self._states.get((session.id, version))
        if state is None and (data := await self._store.state(session.id, version)) is not None:
            state = await self._decoded(session, data)
        return state

    async def _decoded(self, session: Session, data: bytes) -> Any:
        try:
            return session.game.decode(data)
        except Exception as error:  # whatever a game says of bytes that are no state of its own
            raise await self._close(session.record, str(error)) from error

    async def _close(self, record: Record, why: str) -> UnreadableGame:
        self._cache.pop(record.id, None)
        if record.finished is None:
            log.error(
                "%s cannot be read and has been closed: %s", _about(record.id, None, record.channel), why
            )
            await self._store.update(record.id, finished=UNREADABLE)
        return UnreadableGame(f"game {record.id} cannot be read and has been closed: {why}")

    def _keep(self, session: Session) -> Session:
        session = self._timed(session)
        self._cache[session.id] = session
        self._cache.move_to_end(session.id)
        if not session.finished:
            self._played_in[session.record.channel] = session.id
        while len(self._cache) > CACHED:
            self._cache.popitem(last=False)
        return session

    def _timed(self, session: Session) -> Session:
        """Let a session say which clocks stand still now."""
        known = {
            "stops": self._stops(session),
            "absent": self._absent(session),
            "paused": self._paused(session),
            "pausing": self._pausing(session),
        }
        same = all(getattr(session, name) == value for name, value in known.items())
        return session if same else replace(session, **known)

    def _paused(self, session: Session) -> float | None:
        now = self.now()
        return next((end for start, end in session.pauses if start <= now < end), None)

    def _pausing(self, session: Session) -> tuple[int, ...]:
        if session.to_move is None or not session.record.pausing:
            return ()
        marks = [None if one.apprentice else self._marked(one.user) for one in session.seats]
        return tuple(seat for seat, mark in enumerate(marks) if mark in session.record.pausing)

    def _absent(self, session: Session) -> tuple[tuple[int, float], ...]:
        """Return the seats whose people are away, and until when."""
        if session.is_lobby or session.finished or not self._absences:
            return ()
        until = {number: self.absent_until(one.user) for number, one in enumerate(session.seats)}
        return tuple(
            (seat, at) for seat, at in until.items() if at is not None and not session.seats[seat].apprentice
        )

    def _stops(self, session: Session) -> tuple[Span, ...]:
        """Return while the clock of a game's turn stands still or stood."""
        if session.to_move is None:
            return ()
        seat = session.seats[session.to_move]
        absences = self._absences.get(self._marked(seat.user), ()) if self._absences else ()
        return (
            *session.pauses,
            *(one for one in self._outages if one[1] > session.began),
            *(one for one in absences if one[1] > session.began),
        )


def _about(game: int | None, version: int | None, channel: int | None) -> str:
    """The one form of what is known of a game in the log: ``game=12 version=34 channel=56``."""
    known = {"game": game, "version": version, "channel": channel}
    return " ".join(f"{name}={'-' if value is None else value}" for name, value in known.items())


def _line(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """The turns that remain after undos. The last one carries the version that holds its state now."""
    line: list[Turn] = []
    for turn in turns:
        if steps := steps_back(turn):
            del line[-steps:]
            line[-1] = msgspec.structs.replace(line[-1], version=turn.version)
        else:
            line.append(turn)
    return tuple(line)


def _first(game: Game, turns: Sequence[Turn], to_move: int | None) -> Turn:
    """The version at which the turn began: the last one by another seat, or that ended a turn."""
    for turn in reversed(turns):
        if turn.seat != to_move or _ends_turn(game, turn):
            return turn
    return turns[0]


def _ends_turn(game: Game, turn: Turn) -> bool:
    """Whether another turn begins with a version; what others allowed to be taken back begins again."""
    return turn.action in game.ends or (turn.action or "").startswith(f"{UNDO}.")


def _names(record: Record, user: int) -> bool:
    """Return whether a game's row names a person."""
    asked = {one for ask in record.asks for one in (ask.user, ask.friend, *ask.allowed)}
    return user in asked or user == record.host or any(seat.user == user for seat in record.seats)


def _new_person(person: Seat) -> dict[str, Any]:
    return {"user": person.user, "name": person.name, "apprentice": False, "missed": 0}


def _host(host: int, people: Sequence[Seat]) -> int:
    """Who hosts among those who stay: the same person, or the first of them."""
    return host if any(seat.user == host for seat in people) else people[0].user
