"""K1: components and set-up, and the totals that the data must have."""

from __future__ import annotations

from collections import Counter

import pytest

from kanagawa import rules
from kanagawa.cards import (
    BRUSH_SUPPLY,
    CARDS,
    DIPLOMAS,
    FACE_UP,
    START_TILES,
    STORM_SUPPLY,
    Bonus,
    Category,
    Family,
    Landscape,
    Season,
    Symbol,
)
from kanagawa.counts import count_studio
from kanagawa.state import Mode

ALL = list(CARDS.values())


def test_families() -> None:
    """K1.1: there are 72 Lesson cards, 18 for each of four backs."""
    assert len(CARDS) == 72
    assert Counter(card.family for card in ALL) == dict.fromkeys(Family, 18)


@pytest.mark.parametrize("seats", [1, 5])
def test_number_of_players(seats: int) -> None:
    """K1.1: a game has 2 to 4 players."""
    with pytest.raises(ValueError, match="2 to 4"):
        rules.new(1, seats)


def test_print_halves() -> None:
    """K1.2: a Print half demands 1 or 2 of one Landscape and shows at most one subject, or trees."""
    for card in ALL:
        assert card.print_count in (1, 2)
        assert card.print_landscape is not Landscape.JOKER
        assert card.print_harmony in (0, 1)
        assert (card.family is Family.TREE) or card.trees == 0
        assert (card.subject == "tree") == (card.trees > 0)
    assert sum(card.trees for card in ALL) == 27
    by_landscape = Counter(card.print_landscape for card in ALL)
    assert by_landscape == {land: 18 for land in Landscape if land is not Landscape.JOKER}
    demanded = Counter(land for card in ALL for land in [card.print_landscape] * card.print_count)
    assert demanded == {land: 22 for land in Landscape if land is not Landscape.JOKER}


def test_seasons() -> None:
    """K1.2: each family has 4 cards of each Season and 2 Storms; no Storm card has a subject."""
    for family in Family:
        seasons = Counter(card.season for card in ALL if card.family is family)
        assert seasons == {season: 2 if season is Season.STORM else 4 for season in Season}
    assert all(card.subject is None for card in ALL if card.season is Season.STORM)
    assert sum(card.season is Season.STORM for card in ALL) == 8


def test_studio_halves() -> None:
    """K1.3: Studio halves show each Landscape 12 times, Brush, Arrow, Hand, Joker 4 times, Assistant 20."""
    landscapes = Counter(card.studio_landscape for card in ALL if card.studio_landscape)
    assert landscapes == {land: 4 if land is Landscape.JOKER else 12 for land in Landscape}
    symbols = Counter(card.studio_symbol for card in ALL if card.studio_symbol)
    assert symbols == {Symbol.BRUSH: 4, Symbol.ARROW: 4, Symbol.HAND: 4, Symbol.ASSISTANT: 20}
    assert {card.studio_harmony for card in ALL} == {2, 1, 0, -2}


def test_diplomas() -> None:
    """K1.4: there are 19 Diplomas in 7 categories, all on display at first."""
    assert len(DIPLOMAS) == 19
    assert {diploma.category for diploma in DIPLOMAS.values()} == set(Category)
    assert rules.new(1).display == tuple(DIPLOMAS)


def test_points_and_bonuses_of_the_diplomas() -> None:
    """K1.4: each Diploma exists once, with its own points and bonus."""
    printed = {diploma.id: (diploma.points, diploma.bonus) for diploma in DIPLOMAS.values()}
    assert printed == {
        "tree-3": (3, None),
        "tree-4": (4, Bonus.STORM),
        "tree-5": (7, Bonus.ASSISTANT),
        "building-2": (3, None),
        "building-3": (4, Bonus.STORM),
        "building-4": (7, Bonus.ASSISTANT),
        "character-2": (3, None),
        "character-3": (4, Bonus.STORM),
        "character-3-same": (9, None),
        "animal-boar-deer": (3, Bonus.BRUSH),
        "animal-crane-butterfly": (4, Bonus.BRUSH),
        "animal-boar-butterfly-deer": (7, Bonus.ASSISTANT),
        "brush-3": (1, Bonus.ASSISTANT),
        "brush-4": (3, None),
        "arrow-2": (1, Bonus.ASSISTANT),
        "arrow-3": (3, None),
        "landscape-2": (2, None),
        "landscape-3": (3, Bonus.BRUSH),
        "landscape-4": (5, Bonus.ASSISTANT),
    }


def test_start_tiles_and_supply() -> None:
    """K1.5: each player gets a different Start tile and two Brushes; the supply cannot run out."""
    state = rules.new(7, 4)
    assert {player.tile for player in state.players} == set(START_TILES)
    assert all(player.unplaced == 2 and not player.standing for player in state.players)
    tile = count_studio("S1", ())
    assert (tile.arrows, tile.brushes, tile.landscapes) == (1, 2, (Landscape.OCEAN,))
    bonuses = Counter(diploma.bonus for diploma in DIPLOMAS.values())
    brush_cards = sum(card.studio_symbol is Symbol.BRUSH for card in ALL)
    assert 4 * 2 + brush_cards + bonuses[Bonus.BRUSH] == BRUSH_SUPPLY
    assert bonuses[Bonus.STORM] == STORM_SUPPLY


def test_first_player() -> None:
    """K1.6: the first player is drawn at random and has Grand Master and Assistant; turns go clockwise."""
    firsts = Counter(rules.new(seed, 3).grand_master for seed in range(90))
    assert set(firsts) == {0, 1, 2}
    assert min(firsts.values()) > 15
    state = next(state for state in map(rules.new, range(99)) if state.grand_master == 1)
    assert state.assistant == 1
    assert state.queue == (1, 2, 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_school(seats: int) -> None:
    """K1.7: the School has 3 rows and 4 columns; P players use columns 1 to P."""
    assert [len(row) for row in FACE_UP] == [4, 4, 4]
    assert len(rules.new(3, seats).columns) == seats


def test_a_seed_is_a_game() -> None:
    """K1.5, K1.6: the same seed gives the same deck, tiles and first player; another seed gives others."""
    assert rules.new(5, 3) == rules.new(5, 3)
    assert rules.new(5, 3).deck != rules.new(6, 3).deck
    assert rules.new("osahito", 2, Mode.OSAHITO).grand_master == 0
