"""The actions of a player as values, and the text code of each (``code`` and ``parse``).

Every action has exactly one code. A code is short, plain ASCII and never changes, because buttons, the store
and transcripts hold codes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec import Struct

from kanagawa.cards import CARDS, DIPLOMAS, FACE_UP, Category
from kanagawa.errors import UnknownAction


class Stay(Struct, frozen=True, gc=False, tag="stay"):
    """Stay in school and wait for another row (K2.2)."""


class Take(Struct, frozen=True, gc=False, tag="take"):
    """Take a whole column, by its number from 1, and leave school (K2.2)."""

    column: int


class PutInStudio(Struct, frozen=True, gc=False, tag="studio"):
    """Put a card in the Studio (K3.1)."""

    card: str


class Paint(Struct, frozen=True, tag="print"):
    """Paint a card: append it to the Print with the Brushes on these places of the Studio (K3.2).

    ``places`` is ascending and has as many places as the card shows Landscapes: 1 or 2.
    """

    card: str
    places: tuple[int, ...]


class PlaceBrush(Struct, frozen=True, gc=False, tag="place"):
    """Put an unplaced Brush on an empty Landscape (K3.5)."""

    place: int


class MoveBrush(Struct, frozen=True, gc=False, tag="move"):
    """Move a Brush from one place to another, empty Landscape; this uses one Arrow (K3.5)."""

    source: int
    target: int


class TakeDiploma(Struct, frozen=True, gc=False, tag="diploma"):
    """Take a Diploma that is offered (K4.1)."""

    diploma: str


class Decline(Struct, frozen=True, gc=False, tag="decline"):
    """Decline for good all Diplomas of one category that are offered (K4.1)."""

    category: Category


class Claim(Struct, frozen=True, gc=False, tag="claim"):
    """Solo: claim a Diploma, or upgrade to it (O4)."""

    diploma: str


class Pass(Struct, frozen=True, gc=False, tag="pass"):
    """Solo: claim nothing more in the last decision (O6)."""


class Done(Struct, frozen=True, gc=False, tag="done"):
    """End the turn; the cards not placed are kept in hand (K3.6)."""


Action = (
    Stay | Take | PutInStudio | Paint | PlaceBrush | MoveBrush | TakeDiploma | Decline | Claim | Pass | Done
)

STAY, DONE, PASS = Stay(), Done(), Pass()


def code(action: Action) -> str:
    """Return the code of an action, such as ``print.T08.2+5``; :func:`parse` reads it back."""
    match action:
        case Stay():
            return "stay"
        case Done():
            return "done"
        case Pass():
            return "pass"
        case Take(column):
            return f"take.{column}"
        case PutInStudio(card):
            return f"studio.{card}"
        case Paint(card, places):
            return f"print.{card}.{'+'.join(map(str, places))}"
        case PlaceBrush(place):
            return f"place.{place}"
        case MoveBrush(source, target):
            return f"move.{source}.{target}"
        case TakeDiploma(diploma):
            return f"diploma.{diploma}"
        case Decline(category):
            return f"decline.{category}"
        case Claim(diploma):
            return f"claim.{diploma}"


# [0-9] and not \d: \d also matches the digits of other scripts, which would give an action two codes.
_NUMBER = r"(0|[1-9][0-9]?)"
_CARD = "(" + "|".join(CARDS) + ")"
_DIPLOMA = "(" + "|".join(DIPLOMAS) + ")"
_SPELLINGS: tuple[tuple[re.Pattern[str], Callable[..., Action]], ...] = (
    (re.compile("stay"), Stay),
    (re.compile("done"), Done),
    (re.compile("pass"), Pass),
    (re.compile(rf"take\.([1-{len(FACE_UP[0])}])"), lambda *found: Take(*map(int, found))),
    (re.compile(rf"studio\.{_CARD}"), PutInStudio),
    (re.compile(rf"print\.{_CARD}\.{_NUMBER}(?:\+{_NUMBER})?"), lambda *found: _paint(*found)),
    (re.compile(rf"place\.{_NUMBER}"), lambda *found: PlaceBrush(*map(int, found))),
    (re.compile(rf"move\.{_NUMBER}\.{_NUMBER}"), lambda *found: MoveBrush(*map(int, found))),
    (re.compile(rf"diploma\.{_DIPLOMA}"), TakeDiploma),
    (re.compile(rf"decline\.({'|'.join(Category)})"), lambda *found: Decline(Category(*found))),
    (re.compile(rf"claim\.{_DIPLOMA}"), Claim),
)


def _paint(card: str, first: str, second: str | None) -> Paint:
    """Build a Paint from the parts of its code. Raises UnknownAction if the places do not suit the card."""
    places = (int(first),) if second is None else (int(first), int(second))
    if len(places) != CARDS[card].print_count or sorted(set(places)) != list(places):
        raise UnknownAction(f"{card} is painted from {CARDS[card].print_count} rising places")
    return Paint(card, places)


def parse(text: str) -> Action:
    """Return the action with this code.

    Raises :class:`UnknownAction` for a text that is not exactly the code of some action. It does not ask
    whether the action is legal: ``rules.legal`` does.
    """
    for pattern, build in _SPELLINGS:
        if found := pattern.fullmatch(text):
            return build(*found.groups())
    raise UnknownAction(f"not an action: {text[:80]!r}")


def _interned(build: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``build`` with a cache, because ``rules.legal`` makes the same few thousand actions again."""
    return lru_cache(maxsize=8192)(build)


put_in_studio: Callable[[str], PutInStudio] = _interned(PutInStudio)
paint: Callable[[str, tuple[int, ...]], Paint] = _interned(Paint)
place_brush: Callable[[int], PlaceBrush] = _interned(PlaceBrush)
move_brush: Callable[[int, int], MoveBrush] = _interned(MoveBrush)
