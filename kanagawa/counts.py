"""What a Print and a Studio hold, counted from the printed cards (K1.2, K1.3, K1.5).

The counts are functions of the cards alone, so they are worked out once per row of cards and kept, with
a bound: the rules ask for them at every step, and most steps leave both rows as they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from kanagawa.cards import (
    CARDS,
    START_TILES,
    TILE_ARROWS,
    TILE_BRUSHES,
    Family,
    Landscape,
    Season,
    Symbol,
)


class StudioCount(Struct, frozen=True):
    """A Studio, the Start tile included.

    ``landscapes[place]`` is the Landscape of a place or None. ``places`` are those with a Landscape,
    ascending, and ``fits[landscape]`` those of them that serve as it, Jokers included (K3.3). The
    other fields count printed symbols and add up the Harmony.
    """

    landscapes: tuple[Landscape | None, ...]
    places: tuple[int, ...]
    fits: Mapping[Landscape, tuple[int, ...]]
    brushes: int
    arrows: int
    hands: int
    assistants: int
    harmony: int

    @property
    def most_identical(self) -> int:
        """The most identical Landscapes, all Jokers counted with them (K4.7)."""
        return max(len(places) for places in self.fits.values())


class PrintCount(Struct, frozen=True):
    """A Print without its Start tile: its subjects by family (trees by number) and its Harmony."""

    trees: int
    subjects: Mapping[Family, Counter[str]]
    harmony: int


@lru_cache(maxsize=4096)
def count_studio(tile: str, studio: tuple[str, ...]) -> StudioCount:
    """Count a Studio: its Start tile and the cards placed in it, by ID."""
    cards = [CARDS[card] for card in studio]
    landscapes = (START_TILES[tile].studio_landscape, *(card.studio_landscape for card in cards))
    symbols = [card.studio_symbol for card in cards]
    return StudioCount(
        landscapes=landscapes,
        places=tuple(place for place, found in enumerate(landscapes) if found is not None),
        fits={
            wanted: tuple(
                place for place, found in enumerate(landscapes) if found in (wanted, Landscape.JOKER)
            )
            for wanted in Landscape
            if wanted is not Landscape.JOKER
        },
        brushes=TILE_BRUSHES + symbols.count(Symbol.BRUSH),
        arrows=TILE_ARROWS + symbols.count(Symbol.ARROW),
        hands=symbols.count(Symbol.HAND),
        assistants=symbols.count(Symbol.ASSISTANT),
        harmony=sum(card.studio_harmony for card in cards),
    )


@lru_cache(maxsize=4096)
def count_print(cards: tuple[str, ...]) -> PrintCount:
    """Count a Print: the cards painted in it, by ID, without the Start tile."""
    subjects: dict[Family, Counter[str]] = {family: Counter() for family in Family}
    trees = harmony = 0
    for card in map(CARDS.__getitem__, cards):
        trees += card.trees
        harmony += card.print_harmony
        if card.subject is not None:
            subjects[card.family][card.subject] += 1
    return PrintCount(trees=trees, subjects=subjects, harmony=harmony)


def seasons(tile: str, cards: tuple[str, ...]) -> tuple[Season, ...]:
    """The Seasons of a Print from left to right, the Start tile's first (K5.5)."""
    return (START_TILES[tile].season, *(CARDS[card].season for card in cards))
