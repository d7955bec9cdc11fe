"""What happened, as public facts and without prose: enough to word a log in any language.

Events are for everybody: a card nobody may know yet stands in them as its back (K2.7), and so does a
face-down card that its taker alone has seen.
"""

from __future__ import annotations

from msgspec import Struct

from kanagawa.cards import Category


class Dealt(Struct, frozen=True, tag="dealt"):
    """A row was dealt (K2.1): ``(column, card or back)`` for each card, left to right."""

    round: int
    row: int
    cards: tuple[tuple[int, str], ...]


class Stayed(Struct, frozen=True, tag="stayed"):
    """A seat stays in school (K2.2)."""

    seat: int


class Took(Struct, frozen=True, tag="took"):
    """A seat took a column, with its cards as everybody saw them, from row 1 on (K2.2)."""

    seat: int
    column: int
    cards: tuple[str, ...]


class PutInto(Struct, frozen=True, tag="studio"):
    """A card went to the Studio, to this place (K3.1)."""

    seat: int
    card: str
    place: int


class Painted(Struct, frozen=True, tag="painted"):
    """A card was painted from these places; Osahito needs none (K3.2, O3)."""

    seat: int
    card: str
    places: tuple[int, ...]


class BrushGained(Struct, frozen=True, tag="brush"):
    """A Brush came, from a card or a Diploma (K3.1, K4.4)."""

    seat: int


class StormGained(Struct, frozen=True, tag="storm"):
    """A Storm token came with a Diploma (K4.4)."""

    seat: int


class AssistantTaken(Struct, frozen=True, tag="assistant"):
    """The Assistant changed hands (K3.1, K4.4)."""

    seat: int
    previous: int


class BrushPlaced(Struct, frozen=True, tag="placed"):
    """An unplaced Brush was put on a Landscape (K3.5)."""

    seat: int
    place: int


class BrushMoved(Struct, frozen=True, tag="moved"):
    """A Brush moved for an Arrow (K3.5)."""

    seat: int
    source: int
    target: int


class DiplomaTaken(Struct, frozen=True, tag="diploma"):
    """A Diploma was taken; ``returned`` is the worse one that went back for it (K4.1, O4, O5)."""

    seat: int
    diploma: str
    returned: str | None = None


class DiplomasDeclined(Struct, frozen=True, tag="declined"):
    """All Diplomas offered of a category were declined for good (K4.1)."""

    seat: int
    category: Category
    diplomas: tuple[str, ...]


class TurnEnded(Struct, frozen=True, tag="done"):
    """A turn ended with this many cards kept in hand (K3.6)."""

    seat: int
    kept: int


class GrandMasterPassed(Struct, frozen=True, tag="grand_master"):
    """The holder of the Assistant took the Grand Master (K2.6)."""

    seat: int
    previous: int


class RoundEnded(Struct, frozen=True, tag="round"):
    """All have left school (K2.6)."""

    round: int


class LastDecision(Struct, frozen=True, tag="last"):
    """Solo: the last round is over and the last decision is due (O6)."""


class GameEnded(Struct, frozen=True, tag="ended"):
    """The game is over (K5): each seat's total and the winners, ascending."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]


Event = (
    Dealt
    | Stayed
    | Took
    | PutInto
    | Painted
    | BrushGained
    | StormGained
    | AssistantTaken
    | BrushPlaced
    | BrushMoved
    | DiplomaTaken
    | DiplomasDeclined
    | TurnEnded
    | GrandMasterPassed
    | RoundEnded
    | LastDecision
    | GameEnded
)
