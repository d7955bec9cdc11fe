"""What a player can do, as values, and each action's one spelling (``code`` and ``parse``).

A code is short, plain ASCII and stable: it stands in buttons, in the store and in transcripts.
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
    """Paint a card: append it to the Print with the Brushes on these places, ascending (K3.2)."""

    card: str
    places: tuple[int, ...]


class PlaceBrush(Struct, frozen=True, gc=False, tag="place"):
    """Put an unplaced Brush on an empty Landscape (K3.5)."""

    place: int


class MoveBrush(Struct, frozen=True, gc=False, tag="move"):
    """Move a Brush to another empty Landscape, for an Arrow (K3.5)."""

    source: int
    target: int


class TakeDiploma(Struct, frozen=True, gc=False, tag="diploma"):
    """Take a Diploma that is offered (K4.1)."""

    diploma: str


class Decline(Struct, frozen=True, gc=False, tag="decline"):
    """Decline, for good, all Diplomas offered of a category (K4.1)."""

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
    """The text of an action, such as ``print.T08.2+5``; :func:`parse` reads it back."""
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


# Written with [0-9], for \d would let the digits of other scripts in and give an action two spellings.
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
    places = (int(first),) if second is None else (int(first), int(second))
    if len(places) != CARDS[card].print_count or sorted(set(places)) != list(places):
        raise UnknownAction(f"{card} is painted from {CARDS[card].print_count} rising places")
    return Paint(card, places)


def parse(text: str) -> Action:
    """The action that a code spells.

    Raises :class:`UnknownAction` for anything that is not exactly the spelling of some action; whether
    the action is legal is another question, answered by ``rules.legal``.
    """
    for pattern, build in _SPELLINGS:
        if found := pattern.fullmatch(text):
            return build(*found.groups())
    raise UnknownAction(f"not an action: {text[:80]!r}")


# The same few thousand values are offered again and again: each is made once.
def _interned(build: Callable[..., Any]) -> Callable[..., Any]:
    return lru_cache(maxsize=8192)(build)


put_in_studio: Callable[[str], PutInStudio] = _interned(PutInStudio)
paint: Callable[[str, tuple[int, ...]], Paint] = _interned(Paint)
place_brush: Callable[[int], PlaceBrush] = _interned(PlaceBrush)
move_brush: Callable[[int, int], MoveBrush] = _interned(MoveBrush)
