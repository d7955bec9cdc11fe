"""K3: placing cards in the Studio and the Print, Brushes and Arrows, keeping cards."""

from __future__ import annotations

from kanagawa import rules
from kanagawa.actions import parse
from kanagawa.state import Player, Shown, State
from tests.engine.builders import codes, do, table, told, turn


def painter(**changes: object) -> Player:
    """Return a player with an ocean (place 0), forests (1, 2), a mountain (3) and a Joker (4)."""
    fields: dict[str, object] = {"tile": "S1", "studio": ("T10", "C10", "T04", "T18"), "unplaced": 0}
    return Player(**(fields | changes))  # type: ignore[arg-type]


def starting(state_codes: set[str], prefix: str) -> set[str]:
    """Return the codes that begin with a prefix."""
    return {code for code in state_codes if code.startswith(prefix)}


def test_the_studio_takes_any_card() -> None:
    """K3.1: any card may go to the Studio; a Brush symbol gives a Brush."""
    state = turn(Player(tile="S1", hand=("T14", "B08"), unplaced=0))
    assert starting(codes(state), "studio") == {"studio.T14", "studio.B08"}
    after = do(state, "studio.T14")
    assert after.players[0].studio == ("T14",)
    assert after.players[0].unplaced == 1


def test_assistant_is_taken_at_once() -> None:
    """K3.1: an Assistant symbol takes the Assistant at once from the player who has it."""
    state, events = told(turn(Player(tile="S1", hand=("T03",)), assistant=1), "studio.T03")
    assert state.assistant == 0
    assert "AssistantTaken" in {type(event).__name__ for event in events}


def test_a_new_landscape_and_a_new_arrow_work_at_once() -> None:
    """K3, K3.1: a new Landscape and a new Arrow can be used at once, for the next card too."""
    state = do(turn(Player(tile="S1", hand=("T10", "T13"), unplaced=1)), "studio.T10 place.1")
    assert "print.T13.1" in codes(state)
    state = do(turn(Player(tile="S1", hand=("T13",), studio=("T10",), standing=(0,), arrows_used=1)), "")
    assert not starting(codes(state), "move")
    assert "move.0.1" in codes(do(state, "studio.T13"))


def test_painting_appends_to_the_print() -> None:
    """K3.2: a painted card goes to the right end; it needs a painting Brush for each Landscape it shows."""
    state = turn(painter(hand=("T09", "T01"), standing=(1, 2), print=("T02",)))
    assert starting(codes(state), "print") == {"print.T09.1", "print.T09.2", "print.T01.1+2"}
    assert do(state, "print.T09.2").players[0].print == ("T02", "T09")


def test_two_of_a_landscape_need_two_brushes() -> None:
    """K3.2: a card with two forests needs two Brushes on two forests."""
    assert not starting(codes(turn(painter(hand=("T01",), standing=(1, 3)))), "print")
    assert "print.T01.1+2" in codes(turn(painter(hand=("T01",), standing=(1, 2))))


def test_a_landscape_carries_one_brush() -> None:
    """K3.3: a Landscape carries at most one Brush."""
    state = turn(painter(hand=("T09",), standing=(1,), unplaced=1))
    assert starting(codes(state), "place") == {"place.0", "place.2", "place.3", "place.4"}


def test_joker_serves_as_any_landscape() -> None:
    """K3.3: a Joker serves as any Landscape, chosen anew each time it is painted."""
    state = turn(painter(hand=("T09", "T02"), standing=(4,)))
    assert starting(codes(state), "print") == {"print.T09.4", "print.T02.4"}
    assert "print.T01.1+4" in codes(turn(painter(hand=("T01",), standing=(1, 4))))


def test_a_brush_paints_once_a_turn() -> None:
    """K3.4: a Brush paints at most once a turn, also if it moves after it has painted."""
    state = do(turn(painter(hand=("T09", "T13"), standing=(1,))), "print.T09.1")
    assert not starting(codes(state), "print")
    moved = do(state, "move.1.2")
    assert moved.players[0].spent == (2,)
    assert not starting(codes(moved), "print")


def test_a_landscape_may_be_painted_again_by_another_brush() -> None:
    """K3.4: another Brush may paint a Landscape again in the same turn."""
    state = turn(painter(hand=("T09", "T13"), standing=(1,), unplaced=1))
    state = do(state, "print.T09.1 move.1.0 place.1")
    assert "print.T13.1" in codes(state)


def test_brushes_are_fresh_again_next_turn() -> None:
    """K3.4, K3.5: after the turn Brushes can paint and Arrows can be used again."""
    state = do(turn(painter(hand=("T09",), standing=(1,))), "print.T09.1 move.1.2 done")
    assert (state.players[0].spent, state.players[0].arrows_used) == ((), 0)


def test_placing_is_free_and_moving_costs_an_arrow() -> None:
    """K3.5: an unplaced Brush goes free to any empty Landscape; a move uses an Arrow, each once a turn."""
    state = do(turn(painter(hand=("T09",), unplaced=2)), "place.3 place.0")
    assert starting(codes(state), "move") == {f"move.{a}.{b}" for a in (0, 3) for b in (1, 2, 4)}
    assert not starting(codes(state), "place")
    assert not starting(codes(do(state, "move.3.1")), "move")


def test_several_arrows_may_move_the_same_brush() -> None:
    """K3.5: several Arrows may move the same Brush."""
    state = turn(painter(studio=("T10", "C10", "T13"), hand=("T09",), standing=(0,)))
    state = do(state, "move.0.1 move.1.2")
    assert state.players[0].standing == (2,)
    assert not starting(codes(state), "move")


def test_a_brush_symbol_or_nothing_is_no_landscape() -> None:
    """K3.5: a Brush can only stand on a Landscape."""
    state = turn(Player(tile="S1", studio=("T14", "T15"), hand=("T01",), unplaced=1))
    assert starting(codes(state), "place") == {"place.0"}


def test_hands_keep_cards() -> None:
    """K3.6: a turn may end with one card in hand for each Hand in the Studio; a Hand just placed counts."""
    state = turn(Player(tile="S1", hand=("T17", "T01")))
    assert "done" not in codes(state)
    assert "done" in codes(do(state, "studio.T17"))


def test_kept_cards_can_be_placed_or_kept_again() -> None:
    """K3.6: kept cards count as cards left, and can be placed or kept again in any later turn."""
    state = turn(Player(tile="S1", studio=("T17",), hand=("T01", "T02")))
    assert "done" not in codes(state)
    kept = do(state, "studio.T02 done")
    assert kept.players[0].hand == ("T01",)
    assert do(state, "studio.T01 studio.T02").players[0].studio == ("T17", "T01", "T02")


def test_cards_and_brushes_only_in_a_turn() -> None:
    """K3: cards and Brushes are placed only in a turn, after a column has been taken."""
    assert codes(table(2)) == {"stay", "take.1", "take.2"}


def test_a_placed_card_never_moves() -> None:
    """K3.7: a placed card never moves; no action does it."""
    state = turn(painter(print=("T02",), standing=(1,)))
    later = do(state, "move.1.2 done")
    assert (later.players[0].studio, later.players[0].print) == (state.players[0].studio, ("T02",))
    assert all(code.split(".")[0] in {"move", "done"} for code in codes(state))


def test_which_actions_show_cards() -> None:
    """K3, K2.7: an action shows nothing, or the player's own secret card, or a card new to the player too."""
    state = table(4, cards=("T01", "T02", "C03", "T04"))
    assert _shown(state, "take.1") is Shown.NOTHING
    assert _shown(state, "take.3") is Shown.HIDDEN, "it lay face down"
    assert _shown(state, "stay") is Shown.NOTHING, "three others are still to choose"
    at_work = do(state, "take.1")
    assert _shown(at_work, "studio.T01") is Shown.NOTHING
    assert _shown(do(at_work, "studio.T01"), "done") is Shown.NOTHING
    assert _shown(do(state, "take.3"), "studio.C03") is Shown.OWN
    assert _shown(do(state, "stay stay stay"), "stay") is Shown.HIDDEN, "the next row is dealt"


def _shown(state: State, action: str) -> Shown:
    """Return what an action in a state shows to anybody."""
    return rules.shown(state, parse(action), do(state, action))
