"""Time zones as people type them: names in any case, cities, offsets such as ``UTC+2``, abbreviations.

A zone is stored by its name: one of the tz database, or ``UTC+05:30`` for a fixed offset.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from table.pace import DAY

#: What abbreviations mean; several zones where people of several places use the same letters.
ABBREVIATIONS: Mapping[str, tuple[str, ...]] = {
    "utc": ("UTC",),
    "gmt": ("UTC",),
    "z": ("UTC",),
    "zulu": ("UTC",),
    "wet": ("Europe/Lisbon",),
    "west": ("Europe/Lisbon",),
    "bst": ("Europe/London", "Asia/Dhaka"),
    "cet": ("Europe/Berlin",),
    "cest": ("Europe/Berlin",),
    "mez": ("Europe/Berlin",),
    "mesz": ("Europe/Berlin",),
    "eet": ("Europe/Helsinki",),
    "eest": ("Europe/Helsinki",),
    "msk": ("Europe/Moscow",),
    "trt": ("Europe/Istanbul",),
    "gst": ("Asia/Dubai",),
    "pkt": ("Asia/Karachi",),
    "ist": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
    "npt": ("Asia/Kathmandu",),
    "ict": ("Asia/Bangkok",),
    "wib": ("Asia/Jakarta",),
    "sgt": ("Asia/Singapore",),
    "hkt": ("Asia/Hong_Kong",),
    "pht": ("Asia/Manila",),
    "jst": ("Asia/Tokyo",),
    "kst": ("Asia/Seoul",),
    "awst": ("Australia/Perth",),
    "acst": ("Australia/Adelaide", "Australia/Darwin"),
    "acdt": ("Australia/Adelaide",),
    "aest": ("Australia/Sydney", "Australia/Brisbane"),
    "aedt": ("Australia/Sydney",),
    "nzst": ("Pacific/Auckland",),
    "nzdt": ("Pacific/Auckland",),
    "hst": ("Pacific/Honolulu",),
    "akst": ("America/Anchorage",),
    "akdt": ("America/Anchorage",),
    "pst": ("America/Los_Angeles",),
    "pdt": ("America/Los_Angeles",),
    "pt": ("America/Los_Angeles",),
    "mst": ("America/Denver", "America/Phoenix"),
    "mdt": ("America/Denver",),
    "mt": ("America/Denver",),
    "cst": ("America/Chicago", "Asia/Shanghai"),
    "cdt": ("America/Chicago",),
    "ct": ("America/Chicago",),
    "est": ("America/New_York",),
    "edt": ("America/New_York",),
    "et": ("America/New_York",),
    "ast": ("America/Halifax", "Asia/Riyadh"),
    "adt": ("America/Halifax",),
    "nst": ("America/St_Johns",),
    "ndt": ("America/St_Johns",),
    "brt": ("America/Sao_Paulo",),
    "art": ("America/Argentina/Buenos_Aires",),
    "clt": ("America/Santiago",),
    "cat": ("Africa/Maputo",),
    "eat": ("Africa/Nairobi",),
    "wat": ("Africa/Lagos",),
    "sast": ("Africa/Johannesburg",),
}

#: Large cities that give no zone its name.
CITIES: Mapping[str, str] = {
    **dict.fromkeys(
        ("atlanta", "baltimore", "boston", "cleveland", "miami", "nyc", "orlando", "philadelphia"),
        "America/New_York",
    ),
    **dict.fromkeys(("pittsburgh", "tampa", "washington", "washingtondc"), "America/New_York"),
    **dict.fromkeys(
        ("austin", "dallas", "houston", "minneapolis", "neworleans", "sanantonio"), "America/Chicago"
    ),
    **dict.fromkeys(("albuquerque", "saltlakecity"), "America/Denver"),
    **dict.fromkeys(
        ("la", "lasvegas", "portland", "sandiego", "sanfrancisco", "sanjose", "seattle"),
        "America/Los_Angeles",
    ),
    **dict.fromkeys(("montreal", "ottawa", "quebec"), "America/Toronto"),
    "calgary": "America/Edmonton",
    **dict.fromkeys(("brasilia", "rio", "riodejaneiro"), "America/Sao_Paulo"),
    **dict.fromkeys(
        ("cologne", "dresden", "dusseldorf", "frankfurt", "hamburg", "hannover", "koln", "leipzig"),
        "Europe/Berlin",
    ),
    **dict.fromkeys(("munchen", "munich", "nuremberg", "stuttgart"), "Europe/Berlin"),
    **dict.fromkeys(("graz", "salzburg", "wien"), "Europe/Vienna"),
    **dict.fromkeys(("basel", "bern", "geneva"), "Europe/Zurich"),
    **dict.fromkeys(("bordeaux", "lille", "lyon", "marseille", "nice", "toulouse"), "Europe/Paris"),
    **dict.fromkeys(("barcelona", "seville", "valencia"), "Europe/Madrid"),
    **dict.fromkeys(("florence", "milan", "naples", "turin", "venice"), "Europe/Rome"),
    **dict.fromkeys(("antwerp", "ghent"), "Europe/Brussels"),
    **dict.fromkeys(("rotterdam", "thehague", "utrecht"), "Europe/Amsterdam"),
    **dict.fromkeys(("birmingham", "bristol", "cardiff", "edinburgh", "glasgow"), "Europe/London"),
    **dict.fromkeys(("leeds", "liverpool", "manchester"), "Europe/London"),
    **dict.fromkeys(("gothenburg", "malmo"), "Europe/Stockholm"),
    **dict.fromkeys(("gdansk", "krakow", "wroclaw"), "Europe/Warsaw"),
    "porto": "Europe/Lisbon",
    "saintpetersburg": "Europe/Moscow",
    "kiev": "Europe/Kyiv",
    "ankara": "Europe/Istanbul",
    **dict.fromkeys(("beijing", "guangzhou", "shenzhen"), "Asia/Shanghai"),
    **dict.fromkeys(("kyoto", "osaka", "sapporo", "yokohama"), "Asia/Tokyo"),
    **dict.fromkeys(
        ("bangalore", "bengaluru", "chennai", "delhi", "hyderabad", "mumbai", "newdelhi"), "Asia/Kolkata"
    ),
    "hanoi": "Asia/Ho_Chi_Minh",
    "busan": "Asia/Seoul",
    "telaviv": "Asia/Jerusalem",
    "abudhabi": "Asia/Dubai",
    "islamabad": "Asia/Karachi",
    "wellington": "Pacific/Auckland",
    "canberra": "Australia/Sydney",
    "capetown": "Africa/Johannesburg",
}

_OFFSET = re.compile(r"(?:utc|gmt|z)?([+-])([0-9]{1,2})(?::?([0-9]{2})|\.(5|50|25|75))?(?:h|hours)?")
_MINUTES = {"5": 30, "50": 30, "25": 15, "75": 45}
#: The furthest that any place is from UTC, in minutes to the west and to the east.
_WEST, _EAST = -12 * 60, 14 * 60
#: Zones of the tz database that are no place, or the one of the bot's own computer.
_NOWHERE = {"Factory", "localtime"}
#: Zones of the tz database that its users know by other names, or with their signs turned round.
_LEGACY = ("Etc/", "SystemV/", "posix/", "right/")


def tz(name: str) -> tzinfo | None:
    """Return the zone of a stored name, or None where nobody knows it any more."""
    try:
        if (fixed := re.fullmatch(r"UTC([+-])([0-9]{2}):([0-9]{2})", name)) is not None:
            minutes = int(fixed[2]) * 60 + int(fixed[3])
            return timezone(timedelta(minutes=-minutes if fixed[1] == "-" else minutes))
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return None


def local(name: str, now: float) -> datetime:
    """Return what a clock shows in a zone at a moment in epoch seconds; UTC where the zone is unknown."""
    return datetime.fromtimestamp(now, UTC).astimezone(tz(name) or UTC)


def meant(typed: str, now: float) -> list[str]:
    """Return the zones that a person can mean by what they typed, none where it means nothing.

    Zones between which no clock will differ in the year after ``now`` count as one.
    """
    text = _plain(_without_time(typed))
    if (fixed := _offset(text)) is not None:
        return [fixed]
    letters = _letters(text)
    if text in ABBREVIATIONS:
        return list(ABBREVIATIONS[text])
    for one in all_zones():
        if one.casefold() == text.replace(" ", "_"):
            return [one]
    if not letters or re.search("[0-9+]", text):
        return []
    for wanted in dict.fromkeys((letters, _letters(text.split(",")[0]))):
        if wanted in CITIES:
            return [CITIES[wanted]]
        if found := [one for one in named_zones() if wanted in _names(one)]:
            return _distinct(found, now)
    return []


def suggested(typed: str, now: float) -> list[str]:
    """Return the zones to suggest for what has been typed so far, the likeliest first."""
    text = _plain(_without_time(typed))
    letters = _letters(text)
    containing = [
        one for one in named_zones() if letters in _letters(one.casefold()) and bool(letters) == bool(text)
    ]
    return list(dict.fromkeys([*meant(typed, now), *containing]))


def label(name: str, now: float) -> str:
    """Return a zone with the time it is there, as suggestions show it; :func:`meant` reads it back."""
    return f"{name} · {local(name, now):%H:%M}"


@cache
def all_zones() -> Sequence[str]:
    """Return the names of all zones; they lie in hundreds of files, too many to be read at each letter."""
    return sorted(available_timezones() - _NOWHERE)


@cache
def named_zones() -> Sequence[str]:
    """Return the zones that are named after places."""
    return [one for one in all_zones() if "/" in one and not one.startswith(_LEGACY)]


def _without_time(typed: str) -> str:
    return typed.split(" · ")[0]


def _plain(typed: str) -> str:
    """Return a text in small letters without accents and with one kind of blank and of dash."""
    text = "".join(one for one in unicodedata.normalize("NFKD", typed) if not unicodedata.combining(one))
    text = re.sub("[\u2010-\u2015\u2212]", "-", text.replace("ß", "ss"))
    return re.sub(r"[\s_]+", " ", text).strip().casefold()


def _letters(text: str) -> str:
    return re.sub("[^a-z]", "", text)


def _offset(text: str) -> str | None:
    found = _OFFSET.fullmatch(text.replace(" ", ""))
    if found is None:
        return None
    sign, hours, minutes, part = found.groups()
    beyond = int(minutes or _MINUTES.get(part or "", 0))
    total = (int(hours) * 60 + beyond) * (-1 if sign == "-" else 1)
    if beyond > 59 or not _WEST <= total <= _EAST:
        return None
    return "UTC" if total == 0 else f"UTC{sign}{abs(total) // 60:02}:{abs(total) % 60:02}"


@cache
def _names(zone: str) -> frozenset[str]:
    """Return what a zone can be called: its whole name, its city, and its city with what stands before."""
    parts = zone.casefold().split("/")
    return frozenset(_letters("".join(parts[start:])) for start in range(len(parts)))


def _distinct(zones: Iterable[str], now: float) -> list[str]:
    """Return one of all zones that have the same time all year."""
    first: dict[tuple[timedelta | None, ...], str] = {}
    for one in zones:
        year = tuple(local(one, now + week * 7 * DAY).utcoffset() for week in range(53))
        first.setdefault(year, one)
    return list(first.values())
