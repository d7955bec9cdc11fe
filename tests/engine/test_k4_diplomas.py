"""K4: Diplomas: when they are offered, taking, declining, bonuses, what meets them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kanagawa import rules
from kanagawa.cards import DIPLOMAS
from kanagawa.diplomas import met
from kanagawa.state import Player, State
from tests.engine import builders
from tests.engine.builders import codes, do, told, with_player, without_display

# Print cards: T01 three trees, T13 two, T02 T05 one; B01 B03 thatched, B02 pagoda, B05 castle.


#: Landscape Diplomas are met too easily to be shown where others are tested.
OTHERS = tuple(one for one in DIPLOMAS if not one.startswith("landscape"))


def turn(player: Player, display: tuple[str, ...] = OTHERS, **changes: Any) -> State:
    return builders.turn(player, display=display, **changes)


def ready(**changes: object) -> Player:
    """A player who can paint any single-Landscape card: a Joker with a Brush on it."""
    fields: dict[str, object] = {"tile": "S1", "studio": ("T18",), "standing": (1,)}
    return Player(**(fields | changes))  # type: ignore[arg-type]


def test_offered_at_once_after_a_card() -> None:
    """K4.1: looked at after each placed card; nothing else is legal while Diplomas are offered."""
    state = do(turn(ready(print=("T13",), hand=("T02",))), "print.T02.1")
    assert state.offered == ("tree-3",)
    assert codes(state) == {"diploma.tree-3", "decline.tree"}


def test_taking_closes_the_category() -> None:
    """K4.1: taking one closes the category."""
    state = do(turn(ready(print=("T13",), hand=("T02", "T05"))), "print.T02.1 diploma.tree-3")
    assert state.players[0].diplomas == ("tree-3",)
    assert "tree-3" not in state.display
    again = do(turn(ready(print=("T13", "T02"), hand=("T05",), diplomas=("tree-3",))), "print.T05.1")
    assert again.offered == ()


def test_declining_is_for_good() -> None:
    """K4.1: what was declined is not offered again; the next one of the category is."""
    state = do(turn(ready(print=("T13",), hand=("T02",))), "print.T02.1 decline.tree")
    assert state.players[0].declined == ("tree-3",)
    later = turn(ready(print=("T13", "T02"), hand=("T05",), declined=("tree-3",)))
    assert do(later, "print.T05.1").offered == ("tree-4",)


def test_declining_covers_all_offered_of_the_category() -> None:
    """K4.1: declining declines all offered of that category."""
    state = turn(Player(tile="S1", studio=("T18", "C14"), standing=(0, 1), unplaced=1, hand=("T14",)))
    state = do(state, "studio.T14")
    assert state.offered == ("brush-3", "brush-4")
    assert do(state, "decline.brush").players[0].declined == ("brush-3", "brush-4")


def test_each_category_is_decided_by_itself() -> None:
    """K4.1: each category is decided by itself."""
    player = Player(tile="S1", studio=("T07",), standing=(0, 1), hand=("T08", "T14"))
    state = do(turn(player, tuple(DIPLOMAS)), "studio.T08")
    assert state.offered == ("landscape-2", "landscape-3")
    state = do(
        turn(ready(print=("T13", "B02"), hand=("T02",), studio=("T18", "T14"), unplaced=2)), "print.T02.1"
    )
    assert {DIPLOMAS[one].category for one in state.offered} == {"tree", "brush"}
    state = do(state, "decline.brush")
    assert state.offered == ("tree-3",)
    assert codes(do(state, "diploma.tree-3")) > {"done"}


def test_several_at_once_may_be_taken_directly() -> None:
    """K4.2: when one step meets several of a category, any of them may be taken."""
    state = turn(Player(tile="S1", studio=("T07", "T08"), hand=("T09",)), tuple(DIPLOMAS))
    state = do(state, "studio.T09")
    assert codes(state) >= {"diploma.landscape-2", "diploma.landscape-3", "diploma.landscape-4"}
    assert do(state, "diploma.landscape-4").players[0].diplomas == ("landscape-4",)


def test_what_another_holds_is_not_offered() -> None:
    """K4.3: a Diploma that another player holds is not offered, and so not declined."""
    state = without_display(turn(ready(print=("T13",), hand=("T02",))), "tree-3")
    state = with_player(state, 1, Player(tile="S2", diplomas=("tree-3",)))
    state = do(state, "print.T02.1")
    assert (state.offered, state.players[0].declined) == ((), ())


def test_brush_bonus_can_meet_a_brush_diploma() -> None:
    """K4.4: a Brush comes at once, and can meet a brush Diploma; then it is looked at again (K4.1)."""
    player = Player(tile="S1", studio=("T18",), standing=(1,), unplaced=1, print=("A01",), hand=("A12",))
    state = do(turn(player), "print.A12.1")
    assert state.offered == ("animal-boar-deer",)
    state = do(state, "diploma.animal-boar-deer")
    assert state.players[0].unplaced == 2
    assert state.offered == ("brush-3",)


def test_assistant_and_storm_bonuses() -> None:
    """K4.4: the Assistant and Storm tokens come at once."""
    player = ready(print=("T13", "T02"), hand=("T05",), declined=("tree-3",))
    state = do(turn(player), "print.T05.1 diploma.tree-4")
    assert state.players[0].storms == 1
    player = Player(tile="S1", hand=("T13",))
    state, events = told(turn(player, assistant=1), "studio.T13 diploma.arrow-2")
    assert state.assistant == 0
    assert type(events[-1]).__name__ == "AssistantTaken"


@pytest.mark.parametrize(
    ("diploma", "enough", "short"),
    [
        ("tree-3", ("T01",), ("T13",)),
        ("tree-5", ("T01", "T13"), ("T01", "T02")),
        ("building-2", ("B01", "B02"), ("B01", "B03")),
        ("building-4", ("B01", "B02", "B04", "B05"), ("B01", "B02", "B04", "B08")),
        ("character-3", ("C01", "C04", "C07"), ("C01", "C04", "C05")),
        ("character-3-same", ("C01", "C02", "C03"), ("C01", "C02", "C04")),
        ("animal-boar-deer", ("A01", "A08"), ("A01", "A02")),
        ("animal-crane-butterfly", ("A07", "A13"), ("A07", "A01")),
        ("animal-boar-butterfly-deer", ("A01", "A13", "A08"), ("A01", "A13", "A07")),
    ],
)
def test_subjects(diploma: str, enough: tuple[str, ...], short: tuple[str, ...]) -> None:
    """K4.5: trees by number; different and identical subjects; at least one of each animal named."""
    assert met(Player(tile="S1", print=enough), DIPLOMAS[diploma], 2)
    assert not met(Player(tile="S1", print=short), DIPLOMAS[diploma], 2)


def test_brushes_and_arrows() -> None:
    """K4.6: Brushes owned, however they came; Arrow symbols in the Studio, the tile's included."""
    player = Player(tile="S1", studio=("T13", "C13"), unplaced=1, standing=(0, 1))
    assert met(player, DIPLOMAS["brush-3"], player.brushes)
    assert not met(player, DIPLOMAS["brush-4"], player.brushes)
    assert met(player, DIPLOMAS["arrow-3"], player.brushes)
    assert not met(Player(tile="S1", studio=("T13",)), DIPLOMAS["arrow-3"], 2)


def test_identical_landscapes_with_jokers() -> None:
    """K4.7: identical Landscapes, the tile's included; Jokers count as any, all as the same."""
    oceans = Player(tile="S1", studio=("T18", "C18", "T07"))
    assert met(oceans, DIPLOMAS["landscape-4"], 2)
    mixed = Player(tile="S1", studio=("T18", "T01", "T04"))
    assert met(mixed, DIPLOMAS["landscape-2"], 2)
    assert not met(mixed, DIPLOMAS["landscape-3"], 2)


def test_a_diploma_once_held_stays() -> None:
    """K4.8: a Diploma stays, whatever happens later: nothing takes it away over whole games."""
    for seed in range(5):
        state, chance = rules.new(seed, 3), random.Random(seed)
        while state.to_move is not None:
            before = state
            state, _ = rules.apply(state, chance.choice(rules.legal(state, state.to_move)))
            for old, new in zip(before.players, state.players, strict=True):
                assert new.diplomas[: len(old.diplomas)] == old.diplomas
