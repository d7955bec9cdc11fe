"""O: the solo game against Osahito."""

from __future__ import annotations

from msgspec.structs import replace

from kanagawa.cards import CARDS, Season
from kanagawa.counts import count_studio
from kanagawa.scoring import score, winners
from kanagawa.state import Phase, Player, State
from tests.engine.builders import codes, do, solo, solo_turn, told, with_player, without_display


def last_decision(player: Player, osahito: Player | None = None) -> State:
    return solo_turn(player, osahito, phase=Phase.LAST)


def test_no_brush_no_grand_master_no_assistant() -> None:
    """O1: Osahito has a Start tile and never a Brush; the player is always first and has the 2 points."""
    state = solo("T03", "C02", "T01")
    assert state.players[1] == Player(tile="S2")
    assert score(state)[0].grand_master == 2
    state, events = told(state, "take.1 studio.T03 done")
    assert (state.grand_master, state.assistant, state.to_move) == (0, 0, 0)
    assert not {"AssistantTaken", "GrandMasterPassed"} & {type(event).__name__ for event in events}


def test_osahito_takes_what_is_left() -> None:
    """O2: he stays as long as he can: 2, 3 or 3 cards when the player takes after row 1, 2 or 3."""
    cards = ("T01", "T02", "T04", "T05", "T06", "T07", "T08")

    def osahitos_cards(codes_: str) -> int:
        state = do(solo(*cards), codes_)
        mine = " ".join(f"studio.{card}" for card in state.players[0].hand) + " done"
        osahito = do(state, mine).players[1]
        return len(osahito.print) + len(osahito.studio)

    assert osahitos_cards("take.1") == 2
    assert osahitos_cards("stay take.1") == 3
    assert osahitos_cards("stay stay take.1") == 3


def test_osahito_must_take_when_the_deck_is_empty() -> None:
    """O2, K5.2: without a deck he cannot stay, and may get an empty column."""
    state = replace(solo(), columns=(("T01",), ()), dealt=len(CARDS))
    state = do(state, "take.1 studio.T01 done")
    assert (state.players[1].print, state.players[1].studio) == ((), ())
    assert state.phase is Phase.LAST


def test_where_his_cards_go() -> None:
    """O3: rows 1 and 2 to his Print unless they show a symbol; row 3 to his Studio unless a Joker."""
    state = do(solo("T01", "T14", "T02", "T04", "C01", "T18"), "stay stay take.1")
    state = do(state, "studio.T01 studio.T02 studio.C01 done")
    assert state.players[1].print == ("T04", "T18")
    assert state.players[1].studio == ("T14",)
    state = do(solo("T01", "B02", "T02", "T15", "C01", "T05"), "stay stay take.1")
    osahito = do(state, "studio.T01 studio.T02 studio.C01 done").players[1]
    assert (osahito.print, osahito.studio) == (("B02",), ("T15", "T05"))


def test_every_symbol_goes_to_his_studio() -> None:
    """O3: on rows 1 and 2 a Hand or an Arrow keeps a card from his Print, a Joker does not."""

    def osahito(first: str, second: str) -> Player:
        state = do(solo("T01", first, "T02", second), "stay take.1 studio.T01 studio.T02 done")
        return state.players[1]

    hand = osahito("T17", "T18")
    assert (hand.print[:1], hand.studio[:1]) == (("T18",), ("T17",))
    arrow = osahito("C18", "T13")
    assert (arrow.print[:1], arrow.studio[:1]) == (("C18",), ("T13",))


def test_claims_are_open_at_every_decision() -> None:
    """O4: nothing is offered; the player may claim what is met at a choice, in a turn, and at the end."""
    player = Player(tile="S1", print=("T01",), unplaced=2)
    assert {"claim.tree-3", "stay"} < codes(with_player(solo(), 0, player))
    assert codes(solo_turn(player)) == {"claim.tree-3", "place.0", "done"}
    assert codes(last_decision(player)) == {"claim.tree-3", "pass"}
    assert do(solo_turn(player), "claim.tree-3").players[0].diplomas == ("tree-3",)


def test_a_claim_brings_the_bonus_at_once() -> None:
    """O4: a Diploma that is claimed comes with its bonus, a Storm token or a Brush."""
    state = solo_turn(Player(tile="S1", print=("T01", "T02", "A01", "A08"), unplaced=1))
    assert do(state, "claim.tree-4").players[0].storms == 1
    assert do(state, "claim.animal-boar-deer").players[0].unplaced == 2


def test_upgrading_returns_the_storm_token() -> None:
    """O4: an upgrade first gives the old Diploma back with its Storm token, then brings the new bonus."""
    player = Player(tile="S1", print=("T01", "T13"), diplomas=("tree-4",), storms=1)
    state = without_display(solo_turn(player), "tree-4")
    assert "claim.tree-3" not in codes(state)  # worse
    state = do(state, "claim.tree-5")
    assert (state.players[0].diplomas, state.players[0].storms) == (("tree-5",), 0)
    assert "tree-4" in state.display


def test_upgrading_needs_an_unplaced_brush() -> None:
    """O4: a Diploma that brought a Brush goes back with any one unplaced Brush, or not at all."""
    player = Player(
        tile="S1", print=("A01", "A08", "A13"), diplomas=("animal-boar-deer",), standing=(0,), unplaced=0
    )
    state = without_display(solo_turn(player), "animal-boar-deer")
    assert "claim.animal-boar-butterfly-deer" not in codes(state)
    able = with_player(state, 0, replace(player, unplaced=1))
    after = do(able, "claim.animal-boar-butterfly-deer")
    assert after.players[0].unplaced == 0


def test_the_old_brush_goes_back_before_the_new_one_comes() -> None:
    """O4: the old Diploma goes back first: the Brush that the new one brings cannot pay for it."""
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


def test_osahito_considers_nothing_but_what_is_returned() -> None:
    """O4: at a claim he considers the Diploma that went back and no other; without one, nothing."""
    player, osahito = Player(tile="S1", print=("T01", "T13")), Player(tile="S2", print=("T04", "T05"))
    state = solo_turn(player, osahito)
    assert do(state, "claim.tree-5").players[1].diplomas == ()
    state = with_player(without_display(state, "tree-3"), 0, replace(player, diplomas=("tree-3",)))
    state = do(state, "claim.tree-5")
    assert state.players[1].diplomas == ("tree-3",)
    assert "tree-4" in state.display


def test_osahito_considers_what_is_returned() -> None:
    """O4: he takes the returned Diploma if he meets it and it is better; what he gives back stays."""
    player = Player(tile="S1", print=("T01", "T13"), diplomas=("tree-4",), storms=1)
    osahito = Player(tile="S2", print=("T04", "T05"), diplomas=("tree-3",))
    state = without_display(solo_turn(player, osahito), "tree-3", "tree-4")
    state = do(state, "claim.tree-5")
    assert (state.players[1].diplomas, state.players[1].storms) == (("tree-4",), 1)
    assert "tree-3" in state.display
    assert "claim.tree-3" not in codes(state)


def test_osahito_takes_the_best_of_each_category() -> None:
    """O5: at the end of his move he takes the best Diploma he meets, if better; the old one goes back."""
    osahito = Player(tile="S2", print=("T04",), diplomas=("tree-3",))
    state = solo_turn(Player(tile="S1"), osahito, columns=(None, ("T02", "T01")), row=2, dealt=len(CARDS))
    state, _ = told(without_display(state, "tree-3"), "done")
    assert state.players[1].print == ("T04", "T02", "T01")
    assert state.players[1].diplomas == ("tree-5",)
    assert "tree-3" in state.display


def test_osahito_returns_the_storm_token() -> None:
    """O5: the Diploma that he gives back for a better one takes its Storm token along."""
    osahito = Player(tile="S2", print=("T04", "T05"), diplomas=("tree-4",), storms=1)
    state = solo_turn(Player(tile="S1"), osahito, columns=(None, ("T02",)), dealt=len(CARDS))
    state = do(without_display(state, "tree-4"), "done")
    assert (state.players[1].diplomas, state.players[1].storms) == (("tree-5",), 0)
    assert "tree-4" in state.display


def test_osahito_takes_diplomas_after_an_empty_column() -> None:
    """O5: an empty column is a move too: he takes what he meets, and nothing worse than what he has."""
    osahito = Player(tile="S2", print=("T04",))
    state = without_display(
        solo_turn(Player(tile="S1"), osahito, columns=(None, ()), dealt=len(CARDS)), "tree-5"
    )
    assert do(state, "done").players[1].diplomas == ("tree-3",)
    state = with_player(state, 1, replace(osahito, diplomas=("tree-5",)))
    assert do(state, "done").players[1].diplomas == ("tree-5",)


def test_osahito_counts_printed_symbols() -> None:
    """O5: printed symbols only, the tile's 2 Brushes, 1 Arrow and 1 Landscape included; no Brush comes."""
    state = solo_turn(Player(tile="S1"), columns=(None, ("T14",)), row=1, dealt=len(CARDS))
    osahito = do(state, "done").players[1]
    assert count_studio(osahito.tile, osahito.studio).brushes == 3
    assert osahito.diplomas == ("brush-3",)
    assert osahito.brushes == 0


def test_osahito_never_takes_the_players() -> None:
    """O5: he never takes the player's Diploma, and an empty column is a move as well."""
    state = solo_turn(
        Player(tile="S1", diplomas=("tree-3",)), Player(tile="S2", print=("T04",)), columns=(None, ()), row=1,
        dealt=len(CARDS),
    )  # fmt: skip
    state = do(without_display(state, "tree-3"), "done")
    assert state.players[1].diplomas == ()


def test_last_decision() -> None:
    """O6: after the last round one last decision, also when nothing can be claimed; then it is over."""
    state = solo_turn(Player(tile="S1"), columns=(None, ()), row=1, dealt=len(CARDS))
    state = do(state, "done")
    assert codes(state) == {"pass"}
    assert do(state, "pass").phase is Phase.OVER


def test_his_eleven_cards_end_the_game() -> None:
    """O7: the game ends as ever; 11 cards in his Print count too."""
    eleven = ("T02", "T05", "T06", "T07", "T09", "T10", "T12", "B01", "B03", "B05", "B06")
    state = solo_turn(Player(tile="S1"), Player(tile="S2", print=eleven), columns=(None, ("C01",)), row=1)
    assert do(state, "done").phase is Phase.LAST


def test_osahitos_score() -> None:
    """O8: Print, most frequent Season and Storms, Harmony, Diplomas, Hands and Assistants."""
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
    """O8: of the symbols in his Studio only Hands and Assistants count."""
    osahito = Player(tile="S2", studio=("T13", "T14"))
    assert score(with_player(solo(), 1, osahito))[1].symbols == 0


def test_the_winner() -> None:
    """O9: more points than Osahito win; equal is shared."""
    state = solo()
    assert [one.total for one in score(state)] == [4, 2]
    assert winners(state) == (0,)
    even = with_player(state, 1, Player(tile="S2", print=("T05",)))
    assert [one.total for one in score(even)] == [4, 5]
    assert winners(even) == (1,)
    assert winners(with_player(state, 1, Player(tile="S2", print=("T06",)))) == (0, 1)
