"""A store that forgets: the second implementation of the protocol, to keep its suite honest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from table.errors import ChannelBusy, Stale, TooManyGames
from table.pace import Span
from table.standings import EVERYWHERE, Standing, counted
from table.store import (
    LISTED,
    MAX_SEATS,
    NOBODY,
    OVER,
    SECRET_BYTES,
    UNREADABLE,
    Ahead,
    Held,
    Mention,
    Overdue,
    Posting,
    Preferences,
    Question,
    Record,
    Result,
    Seat,
    Turn,
)


@dataclass
class Boards:
    """All standings and boards, made anew from everything that was recorded, in order."""

    standings: dict[tuple[int, str, int], Standing] = field(default_factory=dict)
    placed: dict[int, set[int]] = field(default_factory=dict)

    def known(self, scope: int) -> set[int]:
        return {user for of, _, user in self.standings if of == scope}


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
        self.owner_bot: int | None = None
        self.seen_at: float | None = None
        self.lost: list[Span] = []
        self.absent: dict[str, tuple[Span, ...]] = {}
        self.tries_of: dict[tuple[str, str], int] = {}
        #: Whose try each game was, and how much of the history came before it.
        self.owner: dict[int, tuple[int, int]] = {}
        self.given_up: dict[int, dict[int, Seat]] = {}
        self.ending: dict[tuple[int, int], int] = {}
        #: Results and people who were forgotten, in order.
        self.history: list[Result | int] = []
        self.seated: dict[int, dict[str, int]] = {}
        self.asking: dict[int, Question] = {}
        self.mentioned: dict[tuple[str, str, int], Mention] = {}

    async def create(self, record: Record) -> int:
        if await self.live(record.channel):
            raise ChannelBusy(f"channel {record.channel} has a live game")
        await self._require_room(record.seats)
        game = len(self.games) + 1
        self.games[game] = msgspec.structs.replace(record, id=game)
        self.saved[game] = []
        return game

    async def update(
        self,
        game: int,
        revision: int | None = None,
        *,
        result: Result | None = None,
        gone: Mapping[int, Seat] = {},
        **fields: Any,
    ) -> None:
        before = self.games[game]
        if revision not in (None, before.revision):
            raise Stale(f"game {game} is of revision {before.revision}")
        await self._require_room(fields.get("seats", ()), before.seats)
        if fields.get("message", before.message) != before.message:
            self.posts.pop(game, None)
        for seat, one in gone.items():
            self.given_up.setdefault(game, {}).setdefault(seat, Seat(one.user, one.name))
        if result is not None:
            await self.record(result)
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
        before = [(start, min(stop, absence[0])) for start, stop in self.absent.get(person, ())]
        self.absent[person] = tuple(one for one in sorted((*before, absence)) if one[1] > one[0])

    async def absences(self, since: float) -> dict[str, tuple[Span, ...]]:
        return {
            person: kept
            for person, spans in self.absent.items()
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

    async def gone(self, game: int) -> dict[int, Seat]:
        return self.given_up.get(game, {})

    async def agree_to_end(self, game: int, user: int, version: int) -> None:
        self.ending[game, user] = version

    async def would_end(self, game: int, version: int) -> list[int]:
        return sorted(user for (of, user), at in self.ending.items() if (of, at) == (game, version))

    async def record(self, result: Result) -> None:
        if result.game not in self.recorded:
            self.recorded[result.game] = result
            self.history.append(result)

    async def unrecorded(self) -> list[int]:
        return []

    async def result(self, game: int) -> Result | None:
        return self.recorded.get(game)

    async def standing(self, guild: int | None, sort: str, user: int) -> Standing | None:
        return self.boards().standings.get((guild or EVERYWHERE, sort, user))

    async def standings(self, guild: int | None, sort: str, limit: int) -> list[Standing]:
        found = [
            (value, one)
            for (scope, of, _), one in self.boards().standings.items()
            if (scope, of) == (guild or EVERYWHERE, sort) and (value := one.value(sort)) is not None
        ]
        return [one for _, one in sorted(found, key=lambda it: (-it[0], -it[1].games, it[1].user))][:limit]

    def boards(self) -> Boards:
        """Count everything from the beginning."""
        boards = Boards()
        owner = {game: user for game, (user, _) in self.owner.items()}
        for number, event in enumerate(self.history):
            if isinstance(event, int):
                boards.standings = {key: one for key, one in boards.standings.items() if key[2] != event}
                for game, (user, after) in self.owner.items():
                    if user == event and after <= number:
                        owner[game] = -game
                continue
            for scope in {EVERYWHERE, event.guild or EVERYWHERE}:
                here = {
                    key[2]: one for key, one in boards.standings.items() if key[:2] == (scope, event.sort)
                }
                after = counted(event.played, here) if event.counts else {}
                for one in event.seats:
                    if one.user != NOBODY and one.user not in after and one.user not in here:
                        after[one.user] = Standing(one.user, one.name)
                for user, one in after.items():
                    boards.standings[scope, event.sort, user] = one
            self._place(boards, event, owner)
        return boards

    def _place(self, boards: Boards, newest: Result, owner: Mapping[int, int]) -> None:
        """Put every try that counts on the boards of those who are known there by now."""
        recorded = [one for one in self.history[: self.history.index(newest) + 1] if not isinstance(one, int)]
        for one in recorded:
            if one.counts and one.facts and one.game in owner:
                for scope in {EVERYWHERE, *(of for of, _, _ in boards.standings)}:
                    if scope == EVERYWHERE or owner[one.game] in boards.known(scope):
                        boards.placed.setdefault(scope, set()).add(one.game)

    async def untold(self, since: float) -> list[int]:
        ended = [(one, self.saved[game][-1][0]) for game, one in self.games.items() if one.finished == OVER]
        return [one.id for one, turn in ended if turn.at >= since and turn.version != one.told]

    async def secret(self, name: str) -> bytes:
        return self.secrets.setdefault(name, name.encode().ljust(SECRET_BYTES, b"."))

    async def application(self) -> int | None:
        return self.owner_bot

    async def keep_application(self, application: int) -> None:
        self.owner_bot = self.owner_bot or application

    async def attempt(self, seed: str, user: int, mark: str, game: int) -> int:
        first = self.tries_of.get((seed, mark))
        if first is None or not self.saved[first]:
            self.owner.pop(first or 0, None)
            self.tries_of[seed, mark], self.owner[game] = game, (user, len(self.history))
        return self.tries_of[seed, mark]

    async def tried(self, seed: str, mark: str) -> int | None:
        return self.tries_of.get((seed, mark))

    async def counts(self, game: int) -> bool:
        return game in self.tries_of.values()

    async def tries(self, seed: str, guild: int | None) -> int:
        return len(await self.best_tries(seed, guild, len(self.games)))

    async def best_tries(self, seed: str, guild: int | None, limit: int) -> list[Result]:
        placed = self.boards().placed.get(guild or EVERYWHERE, set())
        found = [
            self.recorded[game] for (of, _), game in self.tries_of.items() if of == seed and game in placed
        ]
        return sorted(found, key=lambda one: (-one.facts[0]["points"], one.game))[:limit]

    async def add_sat(self, game: int, mark: str, seat: int) -> None:
        self.seated.setdefault(game, {}).setdefault(mark, seat)

    async def sat(self, game: int) -> dict[str, int]:
        live = self.games[game].finished is None
        return dict(self.seated.get(game, {})) if live else {}

    async def add_question(self, question: Question) -> None:
        self.asking[question.message] = question

    async def drop_question(self, message: int) -> None:
        self.asking.pop(message, None)

    async def questions(self, game: int | None = None) -> list[Question]:
        return [one for _, one in sorted(self.asking.items()) if game in (None, one.game)]

    async def add_mention(self, mention: Mention) -> None:
        self.mentioned[mention.asker, mention.asked, mention.game] = mention

    async def drop_mention(self, asker: str, asked: str, game: int) -> None:
        self.mentioned.pop((asker, asked, game), None)

    async def mentions(self, asker: str, asked: str) -> list[Mention]:
        return [one for one in self.mentioned.values() if (one.asker, one.asked) == (asker, asked)]

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
        self.history.append(user)
        self.ending = {key: at for key, at in self.ending.items() if key[1] != user}
        for seats in self.given_up.values():
            seats.update({n: Seat(NOBODY, "") for n, one in seats.items() if one.user == user})
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
