"""K2: the round: dealing, staying, taking, the Grand Master, and secret cards."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kanagawa import rules
from kanagawa.actions import Stay, Take
from kanagawa.cards import CARDS
from kanagawa.errors import IllegalAction, NotYourTurn
from kanagawa.state import Phase, Player
from tests.engine.builders import codes, do, table, told, turn


def test_dealing() -> None:
    """K2.1: the Grand Master deals one card into each column, left to right, face up or down by square."""
    state = table(4, cards=("T01", "T02", "T03", "T04"))
    assert state.columns == (("T01",), ("T02",), ("T03",), ("T04",))
    assert rules.view(state, 0).columns == (("T01",), ("T02",), ("T",), ("T04",))


def test_squares_face_up_and_face_down() -> None:
    """K1.7, K2.1: the square decides on each row whether its card lies face up or face down."""
    rows = ("T01", "T02", "T03", "T04"), ("C01", "C02", "C03", "C04"), ("B01", "B02", "B03", "B04")
    state = do(table(4, cards=(*rows[0], *rows[1], *rows[2])), "stay " * 8)
    assert rules.view(state, 0).columns == (
        ("T01", "C01", "B"),
        ("T02", "C", "B02"),
        ("T", "C03", "B03"),
        ("T04", "C04", "B"),
    )


def test_columns_keep_their_numbers() -> None:
    """K2.1: columns keep their numbers when others are taken."""
    state = do(table(3, cards=("T01", "T02", "T03")), "take.1 studio.T01 done")
    assert codes(state) == {"stay", "take.2", "take.3"}


def test_choosing_goes_clockwise_from_the_grand_master() -> None:
    """K2.2: each player stays or takes a whole column, clockwise from the Grand Master."""
    state = table(3, first=1)
    assert state.queue == (1, 2, 0)
    assert codes(state) == {"stay", "take.1", "take.2", "take.3"}
    with pytest.raises(NotYourTurn):
        rules.apply(state, Stay(), seat=0)


def test_a_player_who_leaves_places_the_cards_at_once() -> None:
    """K2.2: a player who takes a column places its cards before the next player chooses."""
    state = do(table(3, cards=("T01", "T02", "T03")), "take.2")
    assert state.phase is Phase.TURN
    assert state.to_move == 0
    assert codes(state) == {"studio.T02", "place.0"}
    state = do(state, "studio.T02 done")
    assert (state.phase, state.to_move) == (Phase.CHOICE, 1)


def test_next_row_for_those_who_stayed() -> None:
    """K2.3: the next row goes to the remaining columns; the remaining players choose in the same order."""
    state = do(
        table(3, first=2, cards=("T01", "T02", "T03", "T04", "T05")), "stay take.2 studio.T02 done stay"
    )
    assert state.columns == (("T01", "T04"), None, ("T03", "T05"))
    assert (state.row, state.queue) == (2, (2, 1))


def test_every_choice_phase_goes_on_from_the_grand_master() -> None:
    """K2.2, K2.3: players who stayed choose clockwise from the Grand Master, also when others left since."""
    state = do(table(3, first=2, cards=("T01", "T02", "T03")), "stay stay take.2 studio.T02 done")
    assert (state.row, state.queue) == (2, (2, 0))


def test_third_row() -> None:
    """K2.4: on the third row every player must take a column."""
    state = do(table(2), "stay stay stay stay")
    assert state.row == 3
    assert codes(state) == {"take.1", "take.2"}


def test_alone_at_the_start_of_a_phase() -> None:
    """K2.5: a player who is alone at the start of a choice phase must take."""
    state = do(table(2, cards=("T01", "T02", "T03")), "stay take.1 studio.T01 done")
    assert (state.row, state.queue) == (2, (0,))
    assert codes(state) == {"take.2"}


def test_alone_in_the_middle_of_a_phase() -> None:
    """K2.5: a player who becomes alone during a phase may stay for one more card and must then take."""
    state = do(table(2, cards=("T01", "T02", "T03")), "take.1 studio.T01 done")
    assert codes(state) == {"stay", "take.2"}
    state = do(state, "stay")
    assert state.columns == (None, ("T02", "T03"))
    assert codes(state) == {"take.2"}


def test_grand_master_follows_the_assistant() -> None:
    """K2.6: when all have left, the holder of the Assistant takes the Grand Master; the next round begins."""
    state = table(2, cards=("T03", "T02", "T04", "T05"))
    state, events = told(state, "take.2 studio.T02 done take.1 studio.T03 done")
    assert state.assistant == state.grand_master == 1
    assert state.queue == (1, 0)
    assert [type(event).__name__ for event in events[-3:]] == ["RoundEnded", "GrandMasterPassed", "Dealt"]


def test_assistant_stays_where_it_is() -> None:
    """K2.6: if nobody took the Assistant, the Grand Master stays too."""
    state = do(table(2, first=1, cards=("T01", "T02")), "take.1 studio.T01 done take.2 studio.T02 done")
    assert state.grand_master == 1
    assert state.round == 2


def test_backs_are_public() -> None:
    """K2.7: everybody sees the backs of face-down cards and of the deck's top card, nobody the fronts."""
    state = table(4, cards=("T01", "T02", "C03", "T04", "B05"))
    for viewer in (None, 0, 1, 2, 3):
        seen = rules.view(state, viewer)
        assert seen.columns[2] == ("C",)
        assert seen.top == "B"
        assert seen.deck == 68


def test_front_is_known_to_its_taker_alone() -> None:
    """K2.7: only its taker knows the front of a face-down card, until it is placed."""
    state, events = told(table(4, cards=("T01", "T02", "C03", "T04")), "take.3")
    assert rules.view(state, 0).players[0].hand == ("C03",)
    assert rules.view(state, 1).players[0].hand == ("C",)
    assert events[0].cards == ("C",)  # type: ignore[union-attr]
    placed = do(state, "studio.C03")
    assert rules.view(placed, None).players[0].studio == ("C03",)


def test_face_up_cards_stay_public_in_the_hand() -> None:
    """K2.7: everybody knows the cards of a taken column that lay face up, and every card that is placed."""
    state = do(table(4, cards=("T01", "T02", "T03", "T04", "C01", "C02")), "stay " * 4 + "take.2")
    for viewer in (None, 1, 2, 3):
        assert rules.view(state, viewer).players[0].hand == ("T02", "C")
    assert rules.view(state, 0).players[0].hand == ("T02", "C02")
    assert do(state, "studio.C02").players[0].secret == ()


def test_kept_cards() -> None:
    """K2.7: the front of a kept card is public if it lay face up; else only its owner knows it."""
    state = turn(Player(tile="S1", studio=("T17", "C17"), hand=("T01", "C03"), secret=("C03",)))
    state = do(state, "done")
    assert rules.view(state, 0).players[0].hand == ("T01", "C03")
    assert rules.view(state, 1).players[0].hand == ("T01", "C")
    assert rules.view(state, None).players[0].hand == ("T01", "C")


def test_views_hide_hidden_cards() -> None:
    """K2.7: states that differ only in hidden cards give the same view and the same legal actions."""
    state = table(4, cards=("T01", "T02", "C03", "T04"))
    other = replace(
        state,
        deck=tuple("C04" if card == "C03" else "C03" if card == "C04" else card for card in state.deck),
        columns=(("T01",), ("T02",), ("C04",), ("T04",)),
    )
    assert set(other.deck) == set(CARDS)
    for viewer in (None, 0, 1, 2, 3):
        assert rules.view(state, viewer) == rules.view(other, viewer)
    assert rules.legal(state, 0) == rules.legal(other, 0)


def test_illegal_actions_change_nothing() -> None:
    """K2.2: a column that does not exist cannot be taken."""
    state = table(2)
    with pytest.raises(IllegalAction):
        rules.apply(state, Take(3))
