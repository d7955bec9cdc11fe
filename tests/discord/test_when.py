"""Moments as people type them, by the clock of their own zone."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from cogs import when

ZONE = "Europe/Berlin"


def there(*parts: int) -> float:
    return datetime(*parts, tzinfo=ZoneInfo(ZONE)).timestamp()  # type: ignore[arg-type, misc]


#: A Tuesday.
NOW = there(2026, 12, 1, 13)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3 days", (2026, 12, 4, 13)), ("a week", (2026, 12, 8, 13)), ("2w", (2026, 12, 15, 13)),
        ("12 hours", (2026, 12, 2, 1)), ("1 month", (2026, 12, 31, 13)), ("For Two Days", (2026, 12, 3, 13)),
        ("until Friday", (2026, 12, 4)), ("fri 18:00", (2026, 12, 4, 18)), ("tuesday", (2026, 12, 8)),
        ("tomorrow", (2026, 12, 2)), ("next week", (2026, 12, 7)), ("2026-12-24", (2026, 12, 24)),
        ("24.12.", (2026, 12, 24)), ("24 December", (2026, 12, 24)), ("Dec 24th, 2026", (2026, 12, 24)),
        ("24.12.2026 at 18:30", (2026, 12, 24, 18, 30)), ("1 nov", (2027, 11, 1)),
        ("Monday · Mon 2026-12-07 00:00", (2026, 12, 7)),
    ],
)  # fmt: skip
def test_a_moment_is_understood_as_typed(typed: str, meant: tuple[int, ...]) -> None:
    assert when.moment(typed, ZONE, NOW) == there(*meant)


@pytest.mark.parametrize(
    "typed",
    ["", "soon", "3", "0 days", "-3 days", "2025-01-01", "31 feb", "5/6", "12:00", "fri 25:00", "99999 days",
     "9" * 5000, "٣ days", "m", "mo", "next friday"],
)  # fmt: skip
def test_what_is_no_moment_to_come_or_can_be_several_is_none(typed: str) -> None:
    assert when.moment(typed, ZONE, NOW) is None


def test_every_suggestion_sent_as_its_own_text_means_what_it_shows() -> None:
    for typed in ("", "3", "week", "fri", "24 dec", "2 w"):
        for text, at in when.suggestions(typed, ZONE, NOW):
            assert when.moment(when.label(text, at, ZONE), ZONE, NOW) == at
            assert at > NOW
