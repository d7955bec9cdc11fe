"""The clock of a game: how long a turn may take, and when something is due. Pure; times are epoch seconds.

A turn lasts from when a seat is to move until another one is, or until it has ended one and has the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0

#: Seconds for a turn at each pace; None is without a limit.
PACES: Mapping[str, float | None] = {
    "live": 10 * MINUTE,
    "day": DAY,
    "three-days": 3 * DAY,
    "week": 7 * DAY,
    "none": None,
}
#: Seconds after which a lobby that nobody started closes, and for which it is its host's alone to start it.
LOBBY_LIFE, HOST_LIFE = DAY, HOUR
#: At most so many seconds of any so many does a person's absence stop the clock of their turns.
ABSENCE, ABSENCE_WITHIN = 30 * DAY, 90 * DAY
#: Seconds for which a game is paused unless it goes on earlier.
PAUSE = 30 * DAY
#: Seconds between two signs of life of a running bot. A longer silence than GAP means that it was not running
#: or not connected, so that nobody could play.
BEAT, GAP = MINUTE, 3 * MINUTE
#: Seconds for which a game that is over can be played again with the same people.
AGAIN_LIFE = DAY
#: After so many turns in a row that others had to end, a seat is free for others.
MISSED_LIMIT = 3
#: In a game without a limit for its turns: seconds without a move after which its people are reminded, and
#: seconds after that until it ends.
SILENCE, LAST_CALL = 7 * DAY, 23 * DAY
#: Seconds for which a game waits whose place the bot cannot reach.
CUT_OFF_LIFE = 14 * DAY


class Due(StrEnum):
    """What the clock can ask for, in the order in which it does during a turn."""

    REMIND = "remind"
    LATE = "late"
    MOVE_ON = "move-on"
    CLOSE = "close"
    #: A game without a limit: its people are reminded, and later it ends.
    SILENT = "silent"
    LAPSE = "lapse"
    #: A game whose place has been out of reach for too long ends.
    LOSE = "lose"


def turn_length(options: Mapping[str, Any]) -> float | None:
    """Seconds for a turn of a game opened with these options, or None without a limit."""
    return PACES.get(str(options.get("pace")))


#: From a moment to another one, in epoch seconds.
Span = tuple[float, float]


def after(began: float, seconds: float, stops: Iterable[Span] = ()) -> float:
    """Return when so many seconds have run since a moment, on a clock that stands still during the stops."""
    at, stood = began + seconds, began
    for start, end in sorted(stops):
        if start >= at:
            break
        start = max(start, stood)
        if end > start:
            at += end - start
            stood = end
    return at


def moments(began: float, length: float, stops: Iterable[Span] = ()) -> tuple[tuple[float, Due], ...]:
    """Return when a turn that began then is half over, over, and over twice; and what is due at each.

    Time that lies in ``stops`` does not count.
    """
    stops = tuple(stops)
    return (
        (after(began, length / 2, stops), Due.REMIND),
        (after(began, length, stops), Due.LATE),
        (after(began, 2 * length, stops), Due.MOVE_ON),
    )


def silence(moved: float, reminded: float, stops: Iterable[Span] = ()) -> tuple[float, Due]:
    """Return when a game without a limit is due next, and for what: people are reminded before it ends.

    ``moved`` is when the newest move was made, ``reminded`` when people were reminded last. Time that lies in
    ``stops`` does not count.
    """
    stops = tuple(stops)
    silent = after(moved, SILENCE, stops)
    if reminded < silent:
        return silent, Due.SILENT
    return after(reminded, LAST_CALL, stops), Due.LAPSE


def longest_absence(absences: Iterable[Span], now: float) -> float:
    """Return until when a person may be away from now on, who was away in these spans."""
    since = now - ABSENCE_WITHIN
    had = sum(max(0.0, min(end, now) - max(start, since)) for start, end in absences)
    return now + max(0.0, ABSENCE - had)
