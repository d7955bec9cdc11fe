"""The contents of a Print and of a Studio, counted from the printed cards (K1.2, K1.3, K1.5).

The rules need these counts at every step, and most steps change neither row of cards. So the counts of a row
are kept in a cache of limited size.
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
    """The contents of a Studio, its Start tile included.

    ``landscapes[place]`` is the Landscape of a place, or None. ``places`` are the places that have one,
    ascending. ``fits[landscape]`` are the places that serve as that Landscape, Jokers included (K3.3).
    ``harmony`` is the sum of the Harmony; the other fields are numbers of printed symbols.
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
        """The size of the largest set of identical Landscapes, all Jokers counted as that one (K4.7)."""
        return max(len(places) for places in self.fits.values())


class PrintCount(Struct, frozen=True):
    """The contents of a Print without its Start tile.

    ``trees`` is the number of trees, ``subjects`` how often each family shows each subject, ``harmony``
    the sum of the Harmony.
    """

    trees: int
    subjects: Mapping[Family, Counter[str]]
    harmony: int


@lru_cache(maxsize=4096)
def count_studio(tile: str, studio: tuple[str, ...]) -> StudioCount:
    """Count a Studio, given the IDs of its Start tile and of the cards placed in it, in order."""
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
    """Count a Print, given the IDs of the cards painted in it, without the Start tile."""
    subjects: dict[Family, Counter[str]] = {family: Counter() for family in Family}
    trees = harmony = 0
    for card in map(CARDS.__getitem__, cards):
        trees += card.trees
        harmony += card.print_harmony
        if card.subject is not None:
            subjects[card.family][card.subject] += 1
    return PrintCount(trees=trees, subjects=subjects, harmony=harmony)


def seasons(tile: str, cards: tuple[str, ...]) -> tuple[Season, ...]:
    """Return the Seasons of a Print from left to right, the Start tile's first (K5.5)."""
    return (START_TILES[tile].season, *(CARDS[card].season for card in cards))
