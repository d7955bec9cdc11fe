"""O: the solo game against Osahito."""

from __future__ import annotations

from msgspec.structs import replace

from kanagawa.cards import CARDS, Season
from kanagawa.counts import count_studio
from kanagawa.scoring import score, winners
from kanagawa.state import Phase, Player, State
from tests.engine.builders import codes, do, solo, solo_turn, told, with_player, without_display


def last_decision(player: Player, osahito: Player | None = None) -> State:
    """Return the last decision of a solo game (O6)."""
    return solo_turn(player, osahito, phase=Phase.LAST)


def test_no_brush_no_grand_master_no_assistant() -> None:
    """O1: Osahito gets a Start tile and no Brush; the player is always first and has the Grand Master's 2."""
    state = solo("T03", "C02", "T01")
    assert state.players[1] == Player(tile="S2")
    assert score(state)[0].grand_master == 2
    state, events = told(state, "take.1 studio.T03 done")
    assert (state.grand_master, state.assistant, state.to_move) == (0, 0, 0)
    assert not {"AssistantTaken", "GrandMasterPassed"} & {type(event).__name__ for event in events}


def test_osahito_takes_the_last_column() -> None:
    """O2: Osahito stays while he can; he gets 2, 3 or 3 cards if the player takes after row 1, 2 or 3."""
    cards = ("T01", "T02", "T04", "T05", "T06", "T07", "T08")

    def osahitos_cards(codes_: str) -> int:
        """Return how many cards Osahito has after these actions and the player's turn."""
        state = do(solo(*cards), codes_)
        mine = " ".join(f"studio.{card}" for card in state.players[0].hand) + " done"
        osahito = do(state, mine).players[1]
        return len(osahito.print) + len(osahito.studio)

    assert osahitos_cards("take.1") == 2
    assert osahitos_cards("stay take.1") == 3
    assert osahitos_cards("stay stay take.1") == 3


def test_osahito_must_take_when_the_deck_is_empty() -> None:
    """O2, K5.2: Osahito cannot stay when the deck is empty, and may get an empty column."""
    state = replace(solo(), columns=(("T01",), ()), dealt=len(CARDS))
    state = do(state, "take.1 studio.T01 done")
    assert (state.players[1].print, state.players[1].studio) == ((), ())
    assert state.phase is Phase.LAST


def test_where_his_cards_go() -> None:
    """O3: Osahito's cards of rows 1 and 2 go to his Print, unless they have a symbol; row 3 to his Studio."""
    state = do(solo("T01", "T14", "T02", "T04", "C01", "T18"), "stay stay take.1")
    state = do(state, "studio.T01 studio.T02 studio.C01 done")
    assert state.players[1].print == ("T04", "T18")
    assert state.players[1].studio == ("T14",)
    state = do(solo("T01", "B02", "T02", "T15", "C01", "T05"), "stay stay take.1")
    osahito = do(state, "studio.T01 studio.T02 studio.C01 done").players[1]
    assert (osahito.print, osahito.studio) == (("B02",), ("T15", "T05"))


def test_every_symbol_goes_to_his_studio() -> None:
    """O3: a card of row 1 or 2 with a Hand or an Arrow goes to his Studio, one with a Joker to his Print."""

    def osahito(first: str, second: str) -> Player:
        """Return Osahito after he got these two cards from rows 1 and 2."""
        state = do(solo("T01", first, "T02", second), "stay take.1 studio.T01 studio.T02 done")
        return state.players[1]

    hand = osahito("T17", "T18")
    assert (hand.print[:1], hand.studio[:1]) == (("T18",), ("T17",))
    arrow = osahito("C18", "T13")
    assert (arrow.print[:1], arrow.studio[:1]) == (("C18",), ("T13",))


def test_claims_are_open_at_every_decision() -> None:
    """O4: no Diploma is offered; the player may claim one at a choice, in a turn and in the last decision."""
    player = Player(tile="S1", print=("T01",), unplaced=2)
    assert {"claim.tree-3", "stay"} < codes(with_player(solo(), 0, player))
    assert codes(solo_turn(player)) == {"claim.tree-3", "place.0", "done"}
    assert codes(last_decision(player)) == {"claim.tree-3", "pass"}
    assert do(solo_turn(player), "claim.tree-3").players[0].diplomas == ("tree-3",)


def test_a_claim_brings_the_bonus_at_once() -> None:
    """O4: a claimed Diploma brings its bonus at once, here a Storm token and a Brush."""
    state = solo_turn(Player(tile="S1", print=("T01", "T02", "A01", "A08"), unplaced=1))
    assert do(state, "claim.tree-4").players[0].storms == 1
    assert do(state, "claim.animal-boar-deer").players[0].unplaced == 2


def test_upgrading_returns_the_storm_token() -> None:
    """O4: at an upgrade the old Diploma goes back with its Storm token before the new bonus comes."""
    player = Player(tile="S1", print=("T01", "T13"), diplomas=("tree-4",), storms=1)
    state = without_display(solo_turn(player), "tree-4")
    assert "claim.tree-3" not in codes(state)  # worse
    state = do(state, "claim.tree-5")
    assert (state.players[0].diplomas, state.players[0].storms) == (("tree-5",), 0)
    assert "tree-4" in state.display


def test_upgrading_needs_an_unplaced_brush() -> None:
    """O4: a Diploma that brought a Brush can only go back together with an unplaced Brush."""
    player = Player(
        tile="S1", print=("A01", "A08", "A13"), diplomas=("animal-boar-deer",), standing=(0,), unplaced=0
    )
    state = without_display(solo_turn(player), "animal-boar-deer")
    assert "claim.animal-boar-butterfly-deer" not in codes(state)
    able = with_player(state, 0, replace(player, unplaced=1))
    after = do(able, "claim.animal-boar-butterfly-deer")
    assert after.players[0].unplaced == 0


def test_the_old_brush_goes_back_before_the_new_one_comes() -> None:
    """O4: the Brush of the new Diploma cannot go back with the old one, because the old one goes first."""
    player = Player(
        tile="S1",
        print=("A01", "A08", "A07", "A13"),
        diplomas=("animal-boar-deer",),
        standing=(0,),
        unplaced=0,
    )
    state = without_display(solo_turn(player), "animal-boar-deer")
    assert "claim.animal-crane-butterfly" not in codes(state)
    able = with_player(state, 0, replace(player, unplaced=1))
    assert do(able, "claim.animal-crane-butterfly").players[0].unplaced == 1


def test_osahito_considers_only_the_returned_diploma() -> None:
    """O4: after a claim Osahito considers only the Diploma that went back; if none went back, none."""
    player, osahito = Player(tile="S1", print=("T01", "T13")), Player(tile="S2", print=("T04", "T05"))
    state = solo_turn(player, osahito)
    assert do(state, "claim.tree-5").players[1].diplomas == ()
    state = with_player(without_display(state, "tree-3"), 0, replace(player, diplomas=("tree-3",)))
    state = do(state, "claim.tree-5")
    assert state.players[1].diplomas == ("tree-3",)
    assert "tree-4" in state.display


def test_osahito_takes_a_better_returned_diploma() -> None:
    """O4: Osahito takes the returned Diploma if he meets it and it is better, and gives back his old one."""
    player = Player(tile="S1", print=("T01", "T13"), diplomas=("tree-4",), storms=1)
    osahito = Player(tile="S2", print=("T04", "T05"), diplomas=("tree-3",))
    state = without_display(solo_turn(player, osahito), "tree-3", "tree-4")
    state = do(state, "claim.tree-5")
    assert (state.players[1].diplomas, state.players[1].storms) == (("tree-4",), 1)
    assert "tree-3" in state.display
    assert "claim.tree-3" not in codes(state)


def test_osahito_takes_the_best_of_each_category() -> None:
    """O5: at the end of his move Osahito takes the best Diploma he meets, if it is better than his own."""
    osahito = Player(tile="S2", print=("T04",), diplomas=("tree-3",))
    state = solo_turn(Player(tile="S1"), osahito, columns=(None, ("T02", "T01")), row=2, dealt=len(CARDS))
    state, _ = told(without_display(state, "tree-3"), "done")
    assert state.players[1].print == ("T04", "T02", "T01")
    assert state.players[1].diplomas == ("tree-5",)
    assert "tree-3" in state.display


def test_osahito_returns_the_storm_token() -> None:
    """O5: Osahito gives the Storm token back with the old Diploma."""
    osahito = Player(tile="S2", print=("T04", "T05"), diplomas=("tree-4",), storms=1)
    state = solo_turn(Player(tile="S1"), osahito, columns=(None, ("T02",)), dealt=len(CARDS))
    state = do(without_display(state, "tree-4"), "done")
    assert (state.players[1].diplomas, state.players[1].storms) == (("tree-5",), 0)
    assert "tree-4" in state.display


def test_osahito_takes_diplomas_after_an_empty_column() -> None:
    """O5: Osahito takes Diplomas also after an empty column, and never one worse than his own."""
    osahito = Player(tile="S2", print=("T04",))
    state = without_display(
        solo_turn(Player(tile="S1"), osahito, columns=(None, ()), dealt=len(CARDS)), "tree-5"
    )
    assert do(state, "done").players[1].diplomas == ("tree-3",)
    state = with_player(state, 1, replace(osahito, diplomas=("tree-5",)))
    assert do(state, "done").players[1].diplomas == ("tree-5",)


def test_osahito_counts_printed_symbols() -> None:
    """O5: Osahito counts printed symbols only, the tile's 2 Brushes included, and gets no Brush."""
    state = solo_turn(Player(tile="S1"), columns=(None, ("T14",)), row=1, dealt=len(CARDS))
    osahito = do(state, "done").players[1]
    assert count_studio(osahito.tile, osahito.studio).brushes == 3
    assert osahito.diplomas == ("brush-3",)
    assert osahito.brushes == 0


def test_osahito_never_takes_the_players_diploma() -> None:
    """O5: Osahito never takes a Diploma that the player holds."""
    state = solo_turn(
        Player(tile="S1", diplomas=("tree-3",)), Player(tile="S2", print=("T04",)), columns=(None, ()), row=1,
        dealt=len(CARDS),
    )  # fmt: skip
    state = do(without_display(state, "tree-3"), "done")
    assert state.players[1].diplomas == ()


def test_last_decision() -> None:
    """O6: after the last round comes one last decision, even with nothing to claim; then the game ends."""
    state = solo_turn(Player(tile="S1"), columns=(None, ()), row=1, dealt=len(CARDS))
    state = do(state, "done")
    assert codes(state) == {"pass"}
    assert do(state, "pass").phase is Phase.OVER


def test_his_eleven_cards_end_the_game() -> None:
    """O7: the game ends as in K5; 11 cards in Osahito's Print end it too."""
    eleven = ("T02", "T05", "T06", "T07", "T09", "T10", "T12", "B01", "B03", "B05", "B06")
    state = solo_turn(Player(tile="S1"), Player(tile="S2", print=eleven), columns=(None, ("C01",)), row=1)
    assert do(state, "done").phase is Phase.LAST


def test_osahitos_score() -> None:
    """O8: Osahito scores Print, most frequent Season with Storms, Harmony, Diplomas, Hands and Assistants."""
    osahito = Player(
        tile="S2",
        print=("T02", "T05", "T15", "B02", "T06"),  # summer, autumn, Storm, summer, autumn
        studio=("T17", "T03", "T18"),  # a Hand, an Assistant, a Joker
        diplomas=("building-3", "tree-5"),
        storms=1,
    )
    his = score(with_player(solo(), 1, osahito))[1]
    assert (his.print, his.season, his.harmony, his.diplomas, his.symbols) == (6, 5, 2, 11, 3)
    assert his.run_season is Season.AUTUMN
    assert his.total == 27


def test_his_arrows_and_brushes_score_nothing() -> None:
    """O8: Arrows and Brushes in Osahito's Studio score nothing."""
    osahito = Player(tile="S2", studio=("T13", "T14"))
    assert score(with_player(solo(), 1, osahito))[1].symbols == 0


def test_the_winner() -> None:
    """O9: the player wins with more points than Osahito; equal points are a shared victory."""
    state = solo()
    assert [one.total for one in score(state)] == [4, 2]
    assert winners(state) == (0,)
    even = with_player(state, 1, Player(tile="S2", print=("T05",)))
    assert [one.total for one in score(even)] == [4, 5]
    assert winners(even) == (1,)
    assert winners(with_player(state, 1, Player(tile="S2", print=("T06",)))) == (0, 1)
