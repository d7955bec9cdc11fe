"""Moments as people type them: ``3 days``, ``Friday``, ``2026-12-24 18:00``. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from cogs import zones
from table.pace import DAY, HOUR

_UNITS = {"h": HOUR, "d": DAY, "w": 7 * DAY, "m": 30 * DAY}
_UNIT = {"hour": "h", "hr": "h", "day": "d", "week": "w", "month": "m"}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
#: What ends an absence, and what is suggested for one.
BACK = ("off", "back", "now", "none", "no")
SUGGESTED = ("1 day", "3 days", "1 week", "2 weeks", "4 weeks", "monday", "saturday")


def moment(typed: str, zone: str, now: float) -> float | None:
    """Return the moment to come that was typed, in epoch seconds; None where it means none, or several.

    A day means its beginning, by the clock of that zone.
    """
    text = re.sub(r"[\s,]+", " ", typed.split(" · ")[0].casefold()).strip()
    text = re.sub(r"^(away )?((until|till|til|to|for|on|in) )?(the )?", "", text)
    if (span := _span(text)) is not None:
        return now + span
    found = re.fullmatch(r"(.*?)(?: (?:at )?([0-9]{1,2}):([0-9]{2}))?", text)
    assert found
    day = _day(found[1], zones.local(zone, now))
    hour, minute = int(found[2] or 0), int(found[3] or 0)
    if day is None or hour > 23 or minute > 59:
        return None
    at = day.replace(hour=hour, minute=minute, second=0, microsecond=0).timestamp()
    return at if at > now else None


def suggestions(typed: str, zone: str, now: float) -> Sequence[tuple[str, float]]:
    """Return what to suggest for what was typed so far: each text with the moment that it means."""
    text = typed.split(" · ")[0].strip()
    offered = ([text] if text else []) + [one for one in SUGGESTED if text.casefold() in one]
    meant = [(one, moment(one, zone, now)) for one in dict.fromkeys(offered)]
    return [(one, at) for one, at in meant if at is not None]


def label(text: str, at: float, zone: str) -> str:
    """Return a text with the moment it means, as suggestions show it; :func:`moment` reads it back."""
    return f"{text[:40]} · {zones.local(zone, at):%a %Y-%m-%d %H:%M}"


def _span(text: str) -> float | None:
    found = re.fullmatch(r"([0-9]{1,4}|[a-z]+) ?([a-z]+)", text)
    if found is None:
        return None
    count = int(found[1]) if found[1].isdigit() else _NUMBERS.get(found[1], 0)
    unit = _UNIT.get(found[2].removesuffix("s"), found[2] if found[2] in _UNITS else "")
    return count * _UNITS[unit] if count and unit else None


def _day(text: str, today: datetime) -> datetime | None:
    """Return a time on the day that a text names, none for one that has passed in a year it names."""
    if text in ("tomorrow", "tmr"):
        return today + timedelta(days=1)
    if text == "next week":
        return today + timedelta(days=7 - today.weekday())
    if len(text) >= 3 and (days := [one for one in _DAYS if one.startswith(text)]):
        ahead = (_DAYS.index(days[0]) - today.weekday() - 1) % 7 + 1
        return today + timedelta(days=ahead)
    year, month, date = _date(text)
    if not month:
        return None
    try:
        day = today.replace(year=year or today.year, month=month, day=date)
        return day.replace(year=today.year + 1) if not year and day <= today else day
    except ValueError:
        return None


def _date(text: str) -> tuple[int, int, int]:
    """Return year, month and day of a date, the year 0 where none is given; zeros for what is none."""
    if found := re.fullmatch(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})", text):
        return int(found[1]), int(found[2]), int(found[3])
    if found := re.fullmatch(r"([0-9]{1,2})\. ?([0-9]{1,2})\.(?: ?([0-9]{4}))?", text):
        return int(found[3] or 0), int(found[2]), int(found[1])
    if found := re.fullmatch(r"([0-9]{1,2})(?:st|nd|rd|th|\.)?(?: of)? ([a-z]{3,})\.?(?: ([0-9]{4}))?", text):
        return int(found[3] or 0), _month(found[2]), int(found[1])
    if found := re.fullmatch(r"([a-z]{3,})\.? ([0-9]{1,2})(?:st|nd|rd|th)?(?: ([0-9]{4}))?", text):
        return int(found[3] or 0), _month(found[1]), int(found[2])
    return 0, 0, 0


def _month(name: str) -> int:
    return next((number for number, one in enumerate(_MONTHS, 1) if one.startswith(name)), 0)
