"""Solo challenges: games against Osahito that are dealt alike for everybody, and one try each that counts.

A challenge is named by the ``seed`` of its games: ``day 2026-11-30``, ``week 2026-W49``, or ``word`` and a
word that somebody chose. Days and weeks are those of UTC. Pure.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime

from cogs.guard import Refusal
from cogs.texts import CRESTS, Words, escaped_name, visible
from kanagawa.cards import Season
from kanagawa.counts import seasons
from kanagawa.scoring import score, winners
from kanagawa.state import View
from table.store import Result
from table.table import Session

DAY, WEEK, WORD = "day", "week", "word"
#: The longest word that can be typed.
WORD_LENGTH = 24
#: Those of a day.
SECONDS = 86400.0
#: So many places of a board are shown.
PLACES = 10

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
    """The challenge of a word, however it is written. Raises Refusal for one of nothing visible."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", typed).casefold())
    word = visible(folded.replace("`", " "))
    if not word:
        raise Refusal("error-seed-word")
    return f"{WORD} {word}"


def is_running(seed: str, now: float) -> bool:
    """Whether others may still try a challenge; a word's never ends."""
    kind, _, _ = seed.partition(" ")
    return kind == WORD or seed == current(kind, now)


def keeps_secret(session: Session, now: float) -> bool:
    """Whether a game's cards are to be kept from those who may try its challenge yet."""
    seed = session.record.options.get("seed")
    return seed is not None and is_running(seed, now)


def require_told(session: Session, user: int, now: float) -> None:
    """Raise Refusal for a game that is over, of whose cards nobody but its player may hear yet."""
    if session.finished and keeps_secret(session, now) and all(seat.user != user for seat in session.seats):
        raise Refusal("error-challenge-runs")


def name(words: Words, seed: str) -> str:
    """A challenge in words, for Discord's text."""
    kind, _, what = seed.partition(" ")
    return words("challenge-name", kind=kind, what=escaped_name(what))


def card(words: Words, seed: str, view: View, *, counts: bool) -> str:
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
        counts="yes" if counts else "no",
        seasons="".join(SIGNS[Season(one)] for one in seasons(me.tile, me.print)),
    )
    return "\n".join(f"> {line}" for line in text.splitlines())


def board(words: Words, seed: str, tries: Iterable[Result], *, everywhere: bool) -> str:
    """The board of a challenge, the best first: of all servers, or of one."""
    shown = sorted(tries, key=lambda one: -one.facts[0]["points"])
    where = "everywhere" if everywhere else "server"
    lines = [words("challenge-head", name=name(words, seed), where=where, tries=len(shown))]
    for one in shown[:PLACES]:
        points = one.facts[0]["points"]
        lines.append(
            words(
                "challenge-line",
                place=1 + sum(other.facts[0]["points"] > points for other in shown),
                name=words.person(one.seats[0].name),
                points=points,
                osahito=one.facts[1]["points"],
                won="yes" if one.facts[0]["won"] else "no",
            )
        )
    return "\n".join(lines if shown else [*lines, words("stats-nobody")])
