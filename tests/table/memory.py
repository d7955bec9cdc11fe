"""A store that forgets: the second implementation of the protocol, to keep its suite honest."""

from __future__ import annotations

from typing import Any

import msgspec

from table.errors import ChannelBusy, Stale, TooManyGames
from table.pace import Span
from table.store import (
    LISTED,
    MAX_SEATS,
    NOBODY,
    OVER,
    SECRET_BYTES,
    UNREADABLE,
    Ahead,
    Held,
    Overdue,
    Posting,
    Preferences,
    Record,
    Result,
    Seat,
    Turn,
)


class MemoryStore:
    """Games in dictionaries."""

    def __init__(self) -> None:
        self.games: dict[int, Record] = {}
        self.saved: dict[int, list[tuple[Turn, bytes | None]]] = {}
        self.ahead: dict[tuple[int, int], Ahead] = {}
        self.preferred: dict[int, Preferences] = {}
        self.waiting: dict[tuple[int, int], Held] = {}
        self.posts: dict[int, Posting] = {}
        self.recorded: dict[int, Result] = {}
        self.secrets: dict[str, bytes] = {}
        self.seen_at: float | None = None
        self.lost: list[Span] = []
        self.gone: dict[str, tuple[Span, ...]] = {}
        self.tried: dict[tuple[str, int], int] = {}

    async def create(self, record: Record) -> int:
        if await self.live(record.channel):
            raise ChannelBusy(f"channel {record.channel} has a live game")
        await self._require_room(record.seats)
        game = len(self.games) + 1
        self.games[game] = msgspec.structs.replace(record, id=game)
        self.saved[game] = []
        return game

    async def update(self, game: int, revision: int | None = None, **fields: Any) -> None:
        before = self.games[game]
        if revision not in (None, before.revision):
            raise Stale(f"game {game} is of revision {before.revision}")
        await self._require_room(fields.get("seats", ()), before.seats)
        if fields.get("message", before.message) != before.message:
            self.posts.pop(game, None)
        self.games[game] = msgspec.structs.replace(before, **fields, revision=before.revision + 1)
        if fields.get("finished") not in (None, UNREADABLE):
            turns = self.saved[game]
            turns[1:-1] = [(turn, None) for turn, _ in turns[1:-1]]

    async def find(self, game: int) -> Record | None:
        return self.games.get(game)

    async def live(self, channel: int | None = None) -> list[Record]:
        live = [record for record in self.games.values() if record.finished is None]
        return [record for record in live if channel in (None, record.channel)]

    async def live_in(self, server: int) -> list[Record]:
        return [record for record in await self.live() if record.options.get("guild") == server]

    async def live_of(self, user: int) -> list[Record]:
        return [one for one in await self.live() if any(seat.user == user for seat in one.seats)]

    async def live_after(self, game: int, count: int) -> list[Record]:
        return [one for one in await self.live() if one.id > game][:count]

    async def count_live(self) -> int:
        return len(await self.live())

    async def _require_room(self, seats: tuple[Seat, ...], before: tuple[Seat, ...] = ()) -> None:
        old = {seat.user for seat in before if not seat.apprentice}
        for seat in seats:
            if seat.user not in old and not seat.apprentice:
                live = [one.seats for one in await self.live_of(seat.user)]
                if (
                    sum(any(o.user == seat.user and not o.apprentice for o in one) for one in live)
                    >= MAX_SEATS
                ):
                    raise TooManyGames(f"user {seat.user} plays in {MAX_SEATS} games")

    async def ended(self, channel: int) -> list[Record]:
        ended = [one for one in self.games.values() if (one.channel, one.finished) == (channel, OVER)]
        return ended[: -LISTED - 1 : -1]

    async def save(self, game: int, turn: Turn, state: bytes) -> None:
        if any(turn.version == other.version for other, _ in self.saved[game]):
            raise Stale(f"game {game} has a version {turn.version}")
        self.saved[game].append((turn, state))

    async def turns(self, game: int) -> list[Turn]:
        return [turn for turn, _ in self.saved.get(game, [])]

    async def state(self, game: int, version: int) -> bytes | None:
        return next((state for turn, state in self.saved.get(game, []) if turn.version == version), None)

    async def due(self, now: float) -> list[Overdue]:
        live = [one for one in await self.live() if one.deadline is not None and one.deadline <= now]
        live.sort(key=lambda one: (one.deadline, one.id))
        return [Overdue(one.id, one.options.get("guild") or one.channel) for one in live]

    async def seen(self) -> float | None:
        return self.seen_at

    async def see(self, at: float) -> None:
        self.lost = [(start, min(stop, at)) for start, stop in self.lost]
        self.seen_at = at

    async def add_outage(self, outage: Span) -> None:
        start, stop = outage
        for one in await self.live():
            if not self.saved[one.id] and one.deadline is not None and one.deadline > start:
                await self.update(one.id, deadline=one.deadline + stop - start)
        self.lost.append(outage)
        self.seen_at = stop

    async def outages(self) -> list[Span]:
        return sorted(one for one in self.lost if one[1] > one[0])

    async def next_due(self, after: float) -> float | None:
        deadlines = [one.deadline for one in await self.live() if one.deadline is not None]
        moments = [*deadlines, *(one.due for one in self.waiting.values())]
        return min((one for one in moments if one > after), default=None)

    async def add_absence(self, person: str, absence: Span) -> None:
        before = [(start, min(stop, absence[0])) for start, stop in self.gone.get(person, ())]
        self.gone[person] = tuple(one for one in sorted((*before, absence)) if one[1] > one[0])

    async def absences(self, since: float) -> dict[str, tuple[Span, ...]]:
        return {
            person: kept
            for person, spans in self.gone.items()
            if (kept := tuple(one for one in spans if one[1] > since))
        }

    async def order(self, game: int, seat: int, order: Ahead | None) -> None:
        self.ahead.pop((game, seat), None)
        if order is not None:
            self.ahead[game, seat] = order

    async def orders(self, game: int) -> dict[int, Ahead]:
        return {seat: order for (of, seat), order in self.ahead.items() if of == game}

    async def prefer(self, user: int, preferences: Preferences | None) -> None:
        self.preferred.pop(user, None)
        if preferences is not None:
            self.preferred[user] = preferences

    async def preferences(self, user: int) -> Preferences:
        return self.preferred.get(user, Preferences())

    async def begin_posting(self, posting: Posting) -> None:
        self.posts.setdefault(posting.game, posting)

    async def posting(self, game: int) -> Posting | None:
        return self.posts.get(game)

    async def postings(self) -> list[Posting]:
        return [self.posts[game] for game in sorted(self.posts)]

    async def end_posting(self, game: int) -> None:
        self.posts.pop(game, None)

    async def hold(self, held: Held) -> None:
        self.waiting[held.game, held.user] = held

    async def release(self, game: int, user: int) -> None:
        self.waiting.pop((game, user), None)

    async def held(self, now: float) -> list[Held]:
        return sorted((one for one in self.waiting.values() if one.due <= now), key=lambda one: one.due)

    async def record(self, result: Result) -> None:
        self.recorded.setdefault(result.game, result)

    async def unrecorded(self) -> list[int]:
        return [
            game for game, one in self.games.items() if one.finished == OVER and game not in self.recorded
        ]

    async def untold(self, since: float) -> list[int]:
        ended = [(one, self.saved[game][-1][0]) for game, one in self.games.items() if one.finished == OVER]
        return [one.id for one, turn in ended if turn.at >= since and turn.version != one.told]

    async def results(self, guild: int | None = None) -> list[Result]:
        found = [one for one in self.recorded.values() if guild in (None, one.guild)]
        return sorted(found, key=lambda one: (one.at, one.game))

    async def secret(self, name: str) -> bytes:
        return self.secrets.setdefault(name, name.encode().ljust(SECRET_BYTES, b"."))

    async def attempt(self, seed: str, user: int, game: int) -> int:
        first = self.tried.setdefault((seed, user), game)
        if not self.saved[first]:
            self.tried[seed, user] = game
        return self.tried[seed, user]

    async def attempts(self, seed: str) -> list[Result]:
        games = [game for (of, _), game in self.tried.items() if of == seed]
        return [one for one in await self.results() if one.game in games]

    async def counts(self, game: int) -> bool:
        return game in self.tried.values()

    async def forget(self, user: int) -> None:
        for game, one in self.games.items():
            asked = (*(ask.friend for ask in one.asks), *(ask.user for ask in one.asks))
            if user in (one.host, *(seat.user for seat in one.seats), *asked):
                seats = self._left(one, user)
                host = one.host
                if host == user:
                    playing = [seat.user for seat in seats if not seat.apprentice and not one.finished]
                    host = (playing or [NOBODY])[0]
                self.games[game] = msgspec.structs.replace(
                    one, seats=seats, host=host, asks=(), revision=one.revision + 1
                )
        for game, one in self.recorded.items():
            self.recorded[game] = msgspec.structs.replace(one, seats=_without(one.seats, user))
        self.tried = {(of, -game if who == user else who): game for (of, who), game in self.tried.items()}
        self.preferred.pop(user, None)
        self.waiting = {key: one for key, one in self.waiting.items() if one.user != user}

    def _left(self, record: Record, user: int) -> tuple[Seat, ...]:
        """The seats of a game that a person leaves for good."""
        if record.finished is not None:
            return _without(record.seats, user)
        if not self.saved[record.id]:
            return tuple(one for one in record.seats if one.user != user)
        nobody = Seat(NOBODY, "", apprentice=True)
        return tuple(nobody if one.user == user else one for one in record.seats)

    async def close(self) -> None:
        """There is nothing to let go of."""


def _without(seats: tuple[Seat, ...], user: int) -> tuple[Seat, ...]:
    """The seats with nobody in the place of a person."""
    return tuple(
        msgspec.structs.replace(one, user=NOBODY, name="") if one.user == user else one for one in seats
    )
