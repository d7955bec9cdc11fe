"""The events of a game: public facts without prose, from which a log can be written in any language.

Everybody may see an event. A card whose front is not public, even if its taker knows it, stands in an event
as its back (K2.7).
"""

from __future__ import annotations

from msgspec import Struct

from kanagawa.cards import Category


class Dealt(Struct, frozen=True, tag="dealt"):
    """A row was dealt (K2.1).

    ``cards`` holds ``(column, card or back)`` for each card, from left to right.
    """

    round: int
    row: int
    cards: tuple[tuple[int, str], ...]


class Stayed(Struct, frozen=True, tag="stayed"):
    """A seat chose to stay in school (K2.2)."""

    seat: int


class Took(Struct, frozen=True, tag="took"):
    """A seat took a column (K2.2). ``cards`` are its cards or backs as they lay in School, row 1 first."""

    seat: int
    column: int
    cards: tuple[str, ...]


class PutInto(Struct, frozen=True, tag="studio"):
    """A card was put in the Studio, on this place (K3.1)."""

    seat: int
    card: str
    place: int


class Painted(Struct, frozen=True, tag="painted"):
    """A card was painted with the Brushes on these places; Osahito needs no Brush (K3.2, O3)."""

    seat: int
    card: str
    places: tuple[int, ...]


class BrushGained(Struct, frozen=True, tag="brush"):
    """A seat got a Brush from a card or a Diploma (K3.1, K4.4)."""

    seat: int


class StormGained(Struct, frozen=True, tag="storm"):
    """A seat got a Storm token with a Diploma (K4.4)."""

    seat: int


class AssistantTaken(Struct, frozen=True, tag="assistant"):
    """A seat took the Assistant from the ``previous`` seat (K3.1, K4.4)."""

    seat: int
    previous: int


class BrushPlaced(Struct, frozen=True, tag="placed"):
    """An unplaced Brush was put on a Landscape (K3.5)."""

    seat: int
    place: int


class BrushMoved(Struct, frozen=True, tag="moved"):
    """A Brush was moved with an Arrow (K3.5)."""

    seat: int
    source: int
    target: int


class DiplomaTaken(Struct, frozen=True, tag="diploma"):
    """A Diploma was taken. ``returned`` is the worse one that was given back for it (K4.1, O4, O5)."""

    seat: int
    diploma: str
    returned: str | None = None


class DiplomasDeclined(Struct, frozen=True, tag="declined"):
    """A seat declined for good all Diplomas of a category that were offered (K4.1)."""

    seat: int
    category: Category
    diplomas: tuple[str, ...]


class TurnEnded(Struct, frozen=True, tag="done"):
    """A turn ended with this many cards kept in hand (K3.6)."""

    seat: int
    kept: int


class GrandMasterPassed(Struct, frozen=True, tag="grand_master"):
    """The holder of the Assistant took the Grand Master from the ``previous`` seat (K2.6)."""

    seat: int
    previous: int


class RoundEnded(Struct, frozen=True, tag="round"):
    """A round ended, because all players have left school (K2.6)."""

    round: int


class LastDecision(Struct, frozen=True, tag="last"):
    """Solo: the last round is over, and the player has one last decision (O6)."""


class GameEnded(Struct, frozen=True, tag="ended"):
    """The game is over (K5). ``totals`` are the points by seat, ``winners`` the winning seats, ascending."""

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
