"""Solo challenges: games against Osahito that are dealt alike for everybody, and one try each that counts.

A challenge is named by the ``seed`` of its games: ``day 2026-11-30``, ``week 2026-W49``, or ``word`` and a
word that somebody chose. Days and weeks are those of UTC.

A try at a day or a week counts if it begins within that time and is finished within a limit. Once the last
such try is over, anybody may see the cards. A word can be tried for ever, so its cards are shown only to
people whose own try is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from cogs.guard import Refusal
from cogs.texts import CRESTS, Words, escaped_name, folded
from kanagawa.cards import Season
from kanagawa.counts import seasons
from kanagawa.scoring import score, winners
from kanagawa.state import View
from table.errors import UnreadableGame
from table.store import Result
from table.table import Session, Table

DAY, WEEK, WORD = "day", "week", "word"
#: The longest word that can be typed.
WORD_LENGTH = 24
#: Those of a day.
SECONDS = 86400.0
#: So many places of a board are shown.
PLACES = 10
#: Seconds from the beginning of a try until it no longer counts.
LIMITS = {DAY: SECONDS, WEEK: 3 * SECONDS}

SIGNS = {
    Season.SPRING: "🌸",
    Season.SUMMER: "☀️",
    Season.AUTUMN: "🍁",
    Season.WINTER: "❄️",
    Season.STORM: "⛈️",
}


def current(kind: str, now: float) -> str:
    """The challenge of the day or of the week at a time in epoch seconds."""
    today = datetime.fromtimestamp(now, UTC)
    return f"{kind} {today:%G-W%V}" if kind == WEEK else f"{kind} {today:%Y-%m-%d}"


def former(kind: str, now: float) -> str:
    """The challenge before the current one."""
    return current(kind, now - (7 if kind == WEEK else 1) * SECONDS)


def of_word(typed: str) -> str:
    """Return the challenge of a word, however it is written. Raises Refusal for one of nothing visible.

    What looks alike is one word, as far as Unicode tells. Challenges that were begun under a spelling of
    before stay what they are called: their games go on, and what they came to is kept.
    """
    word = folded(folded(typed).replace("`", " "))
    if not word:
        raise Refusal("error-seed-word")
    return f"{WORD} {word}"


def closes(seed: str) -> float | None:
    """Return when a challenge's day or week ends, in epoch seconds; None for a word, which has no end."""
    kind, _, when = seed.partition(" ")
    try:
        if kind == DAY:
            return (datetime.strptime(when, "%Y-%m-%d").replace(tzinfo=UTC) + timedelta(days=1)).timestamp()
        if kind == WEEK:
            monday = datetime.strptime(f"{when}-1", "%G-W%V-%u").replace(tzinfo=UTC)
            return (monday + timedelta(days=7)).timestamp()
    except ValueError:
        pass
    return None


def counts_until(seed: str, began: float) -> float | None:
    """Return until when a try must be finished to count; None for a word's, which has no limit."""
    limit = LIMITS.get(seed.partition(" ")[0])
    return None if limit is None or closes(seed) is None else began + limit


def in_time(seed: str, began: float, now: float) -> bool:
    """Return whether a try that began at one time counts, or would, if it is finished at another."""
    end, until = closes(seed), counts_until(seed, began)
    return end is None or until is None or (began < end and now <= until)


def opens(seed: str) -> float | None:
    """Return from when on anybody may see the cards of a challenge; None for never."""
    end = closes(seed)
    return None if end is None else counts_until(seed, end)


def keeps_secret(seed: str | None, now: float) -> bool:
    """Return whether a challenge's cards are still to be kept from people who could try it."""
    if seed is None:
        return False
    opening = opens(seed)
    return opening is None or now < opening


async def require_told(table: Table, session: Session, user: int) -> None:
    """Raise Refusal for a game whose cards this person may not see yet: their own try is not over."""
    seed, now = session.record.options.get("seed"), table.now()
    if seed is None or not keeps_secret(seed, now):
        return
    if not session.finished and session.seat_of(user) is not None:
        return
    try:
        own = await table.tried(seed, user)
    except UnreadableGame:
        return  # it is closed by that, so it cannot be finished any more
    if own is None or own.is_lobby or (not own.finished and in_time(seed, own.line[0].at, now)):
        opening = opens(seed)
        raise Refusal("error-challenge-runs", opens="never" if opening is None else f"<t:{int(opening)}:f>")


def name(words: Words, seed: str) -> str:
    """A challenge in words, for Discord's text."""
    kind, _, what = seed.partition(" ")
    return words("challenge-name", kind=kind, what=escaped_name(what))


async def how_counted(table: Table, session: Session) -> str:
    """Return whether a try counts: ``yes``, ``late``, or ``no`` for one after the first."""
    if await table.counts(session):
        return "yes"
    return "late" if await table.store.counts(session.id) else "no"


def card(words: Words, seed: str, view: View, *, counts: str) -> str:
    """What a person can show others of a game that is over: the points and the Seasons, and no card."""
    own, osahito = (points.total for points in score(view))
    me = view.players[0]
    text = words(
        "challenge-card",
        name=name(words, seed),
        crest=CRESTS[0],
        points=own,
        osahito=osahito,
        won="yes" if winners(view) == (0,) else "no",
        counts=counts,
        seasons="".join(SIGNS[Season(one)] for one in seasons(me.tile, me.print)),
    )
    return "\n".join(f"> {line}" for line in text.splitlines())


def board(
    words: Words, seed: str, best: Sequence[Result], tries: int, own: Result | None, *, everywhere: bool
) -> str:
    """Return the board of a challenge, of all servers or of one: its best tries, and the person's own."""
    where = "everywhere" if everywhere else "server"
    lines = [words("challenge-head", name=name(words, seed), where=where, tries=tries)]
    for one in best:
        points = one.facts[0]["points"]
        place = 1 + sum(other.facts[0]["points"] > points for other in best)
        lines.append(_board_line(words, one, f"{place}."))
    if own is not None and all(one.game != own.game for one in best):
        lines.append(_board_line(words, own, "…"))
    return "\n".join(lines if len(lines) > 1 else [*lines, words("stats-nobody")])


def _board_line(words: Words, one: Result, place: str) -> str:
    return words(
        "challenge-line",
        place=place,
        name=words.person(one.seats[0].name),
        points=one.facts[0]["points"],
        osahito=one.facts[1]["points"],
        won="yes" if one.facts[0]["won"] else "no",
    )
