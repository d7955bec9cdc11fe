"""K4: Diplomas: offering, taking, declining, bonuses, and the demands that a player meets."""

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

# Print halves of some cards: T01 has three trees, T13 two, T02 and T05 one; B01 and B03 are thatched houses,
# B02 is a pagoda, B05 a castle.


#: All Diplomas but those for Landscapes, which players meet so easily that they would disturb other tests.
OTHERS = tuple(one for one in DIPLOMAS if not one.startswith("landscape"))


def turn(player: Player, display: tuple[str, ...] = OTHERS, **changes: Any) -> State:
    """Return a state in the turn of seat 0, who is ``player``, with these Diplomas on display."""
    return builders.turn(player, display=display, **changes)


def ready(**changes: object) -> Player:
    """Return a player who can paint any card that shows one Landscape, with a Brush on a Joker."""
    fields: dict[str, object] = {"tile": "S1", "studio": ("T18",), "standing": (1,)}
    return Player(**(fields | changes))  # type: ignore[arg-type]


def test_offered_at_once_after_a_card() -> None:
    """K4.1: a Diploma is offered as soon as a placed card meets it, and nothing else is legal meanwhile."""
    state = do(turn(ready(print=("T13",), hand=("T02",))), "print.T02.1")
    assert state.offered == ("tree-3",)
    assert codes(state) == {"diploma.tree-3", "decline.tree"}


def test_taking_closes_the_category() -> None:
    """K4.1: taking a Diploma closes its category for the player."""
    state = do(turn(ready(print=("T13",), hand=("T02", "T05"))), "print.T02.1 diploma.tree-3")
    assert state.players[0].diplomas == ("tree-3",)
    assert "tree-3" not in state.display
    again = do(turn(ready(print=("T13", "T02"), hand=("T05",), diplomas=("tree-3",))), "print.T05.1")
    assert again.offered == ()


def test_declining_is_for_good() -> None:
    """K4.1: a declined Diploma is not offered again, but the next one of its category is."""
    state = do(turn(ready(print=("T13",), hand=("T02",))), "print.T02.1 decline.tree")
    assert state.players[0].declined == ("tree-3",)
    later = turn(ready(print=("T13", "T02"), hand=("T05",), declined=("tree-3",)))
    assert do(later, "print.T05.1").offered == ("tree-4",)


def test_declining_covers_all_offered_of_the_category() -> None:
    """K4.1: a player declines all offered Diplomas of a category together."""
    state = turn(Player(tile="S1", studio=("T18", "C14"), standing=(0, 1), unplaced=1, hand=("T14",)))
    state = do(state, "studio.T14")
    assert state.offered == ("brush-3", "brush-4")
    assert do(state, "decline.brush").players[0].declined == ("brush-3", "brush-4")


def test_each_category_is_decided_by_itself() -> None:
    """K4.1: a player decides on each category separately."""
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


def test_a_diploma_of_another_player_is_not_offered() -> None:
    """K4.3: a Diploma that another player holds is not offered, and so not declined."""
    state = without_display(turn(ready(print=("T13",), hand=("T02",))), "tree-3")
    state = with_player(state, 1, Player(tile="S2", diplomas=("tree-3",)))
    state = do(state, "print.T02.1")
    assert (state.offered, state.players[0].declined) == ((), ())


def test_brush_bonus_can_meet_a_brush_diploma() -> None:
    """K4.4: a Brush bonus comes at once and can meet a brush Diploma, which is then offered (K4.1)."""
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
    """K4.5: trees count by number; other Diplomas demand different, identical or named subjects."""
    assert met(Player(tile="S1", print=enough), DIPLOMAS[diploma], 2)
    assert not met(Player(tile="S1", print=short), DIPLOMAS[diploma], 2)


def test_brushes_and_arrows() -> None:
    """K4.6: all Brushes that a player owns count, and all Arrow symbols in the Studio with the tile's."""
    player = Player(tile="S1", studio=("T13", "C13"), unplaced=1, standing=(0, 1))
    assert met(player, DIPLOMAS["brush-3"], player.brushes)
    assert not met(player, DIPLOMAS["brush-4"], player.brushes)
    assert met(player, DIPLOMAS["arrow-3"], player.brushes)
    assert not met(Player(tile="S1", studio=("T13",)), DIPLOMAS["arrow-3"], 2)


def test_identical_landscapes_with_jokers() -> None:
    """K4.7: identical Landscapes in the Studio count, the tile's included; all Jokers count as that one."""
    oceans = Player(tile="S1", studio=("T18", "C18", "T07"))
    assert met(oceans, DIPLOMAS["landscape-4"], 2)
    mixed = Player(tile="S1", studio=("T18", "T01", "T04"))
    assert met(mixed, DIPLOMAS["landscape-2"], 2)
    assert not met(mixed, DIPLOMAS["landscape-3"], 2)


def test_a_diploma_once_held_stays() -> None:
    """K4.8: a player keeps a Diploma until the end of the game, whatever happens later."""
    for seed in range(5):
        state, chance = rules.new(seed, 3), random.Random(seed)
        while state.to_move is not None:
            before = state
            state, _ = rules.apply(state, chance.choice(rules.legal(state, state.to_move)))
            for old, new in zip(before.players, state.players, strict=True):
                assert new.diplomas[: len(old.diplomas)] == old.diplomas
