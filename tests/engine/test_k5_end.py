"""K5: the end of the game and the score."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kanagawa.cards import CARDS, Season
from kanagawa.scoring import best_run, score, winners
from kanagawa.state import Phase, Player, State
from tests.engine.builders import codes, do, table, turn, with_player

ELEVEN = ("T02", "T05", "T06", "T07", "T09", "T10", "T12", "B01", "B03", "B05", "B06")


def near_the_end(left: int, seats: int = 2) -> State:
    """Return the first choice of a round, with ``left`` cards in the deck."""
    return replace(table(seats), dealt=len(CARDS) - left, display=())


def test_a_print_of_eleven_ends_the_round() -> None:
    """K5.1: the game ends after a complete round in which a Print has 11 cards without the tile."""
    state = turn(Player(tile="S1", print=ELEVEN, hand=()))
    after = do(state, "done")
    assert after.phase is Phase.CHOICE  # the round is not complete
    end = do(replace(after, columns=(None, ("T01",))), "take.2 studio.T01 done")
    assert end.phase is Phase.OVER
    ten = do(replace(turn(Player(tile="S1", print=ELEVEN[:10])), columns=(None, ("T01",))), "done")
    assert do(ten, "take.2 studio.T01 done").round == 2


def test_the_last_round_is_played_to_its_end() -> None:
    """K5.1: the round in which a Print reaches 11 is completed; players who stayed get further rows."""
    columns = (None, ("T01",), ("T02",))
    full = Player(tile="S1", print=ELEVEN)
    state = do(turn(full, seats=3, queue=(0,), stayed=(1, 2), columns=columns), "done")
    assert (state.row, state.queue) == (2, (1, 2))
    assert codes(state) == {"stay", "take.2", "take.3"}


def test_eleven_is_no_maximum() -> None:
    """K5.1: 11 is no maximum; a Print can get longer."""
    state = turn(Player(tile="S1", studio=("T18",), standing=(1,), print=ELEVEN, hand=("A03",)))
    assert "print.A03.1" in codes(state)


def test_last_card_of_the_deck() -> None:
    """K5.2: when a row has emptied the deck, nobody may stay, and the game ends after the round."""
    state = near_the_end(1)
    state = do(state, "stay stay")  # the second row takes the last card
    assert [len(column or ()) for column in state.columns] == [2, 1]
    assert codes(state) == {"take.1", "take.2"}
    state = do(state, "take.2")
    state = do(state, " ".join(f"studio.{card}" for card in state.players[0].hand) + " done take.1")
    state = do(state, " ".join(f"studio.{card}" for card in state.players[1].hand) + " done")
    assert state.phase is Phase.OVER


def test_last_card_of_the_deck_in_a_full_row() -> None:
    """K5.2: nobody may stay, either, if the last card of the deck has just filled the row."""
    state = do(near_the_end(2), "stay stay")
    assert [len(column or ()) for column in state.columns] == [2, 2]
    assert codes(state) == {"take.1", "take.2"}


def test_an_empty_column_gives_a_turn() -> None:
    """K5.2: a short or empty column may be taken although a longer one is there; it gives a turn."""
    state = replace(table(2), columns=(("T01",), ()), dealt=len(CARDS))
    assert codes(state) == {"take.1", "take.2"}
    state = do(state, "take.2")
    assert (state.phase, codes(state)) == (Phase.TURN, {"place.0", "done"})


def test_a_first_row_that_cannot_be_filled() -> None:
    """K5.2: a row that cannot be filled is filled from the left."""
    state = replace(table(3), dealt=len(CARDS) - 2, columns=(None, None, ("T01",)), queue=(0,))
    state = do(state, "take.3 studio.T01 done")
    assert [len(column or ()) for column in state.columns] == [1, 1, 0]
    assert codes(state) == {"take.1", "take.2", "take.3"}


def test_grand_master_passes_before_scoring() -> None:
    """K5.3: the Grand Master passes to the holder of the Assistant before scoring."""
    state = turn(Player(tile="S1", print=ELEVEN), assistant=1, columns=(None, None), queue=(0,))
    end = do(state, "done")
    assert end.phase is Phase.OVER
    assert [one.grand_master for one in score(end)] == [0, 2]


def seasons(letters: str) -> tuple[Season, ...]:
    """Return Seasons by letter: p spring, u summer, a autumn, w winter, T Storm."""
    by_letter = {"p": Season.SPRING, "u": Season.SUMMER, "a": Season.AUTUMN, "w": Season.WINTER}
    return tuple(by_letter.get(letter, Season.STORM) for letter in letters)


@pytest.mark.parametrize(
    ("print_half", "tokens", "storms", "start", "length"),
    [
        ("wuuwwawTpuwu", 1, (5,), 3, 5),  # the photographed game
        ("ppp", 0, (), 0, 3),
        ("pupup", 1, (1,), 0, 3),
        ("pupup", 2, (1, 3), 0, 5),
        ("pTp", 0, (), 0, 3),
        ("aTTu", 0, (), 0, 3),
        ("ppp", 1, (0,), 0, 3),  # a token that brings nothing lies leftmost
        ("pu", 3, (0, 1), 0, 2),
        ("upp", 1, (0,), 0, 3),  # the Start tile may carry one
    ],
)
def test_storm_tokens(print_half: str, tokens: int, storms: tuple[int, ...], start: int, length: int) -> None:
    """K5.4: Storm tokens lie where they score most, or leftmost of equals; a Storm counts as any Season."""
    run = best_run(seasons(print_half), tokens)
    assert (run.storms, run.start, run.length) == (storms, start, length)


def test_points() -> None:
    """K5.5: the Print's cards, the longest run, Harmony, Diplomas and the Grand Master (2) give points."""
    player = Player(
        tile="S4", print=("T10", "T12", "T02"), studio=("T18", "T15"), diplomas=("tree-3", "brush-3")
    )
    state = with_player(table(2, first=0), 0, player)
    mine = score(state)[0]
    assert (mine.print, mine.season, mine.harmony, mine.diplomas, mine.grand_master) == (4, 3, 1, 4, 2)
    assert mine.total == 14


def test_harmony_can_be_negative() -> None:
    """K5.5: the Harmony can be negative."""
    state = with_player(table(2), 0, Player(tile="S1", studio=("T18", "C18")))
    assert score(state)[0].harmony == -4


def test_a_tie_is_a_shared_victory() -> None:
    """K5.6: most points win, a tie is a shared victory, and cards in hand count nothing."""
    ahead = with_player(table(3, first=2), 0, Player(tile="S1", print=("T06",), hand=("T10", "B05")))
    assert [one.total for one in score(ahead)] == [3, 2, 4]
    assert winners(ahead) == (2,)
    tied = with_player(ahead, 1, Player(tile="S1", print=("T02",)))
    assert [one.total for one in score(tied)] == [3, 5, 4]
    assert winners(with_player(tied, 0, Player(tile="S1", print=("T02",)))) == (0, 1)


def test_the_photographed_game() -> None:
    """K5.4, K5.5: the worked example scores 12 + 5 + 5 + 17 = 39, and 41 with the Grand Master's 2."""
    player = Player(
        tile="S3",
        print=("B02", "B01", "T08", "T16", "B13", "T07", "A06", "B12", "A18", "C18", "C03"),
        # These are a Joker, a Brush, a Hand, ocean + Assistant, an Assistant, an ocean, mountain + Assistant,
        # a Brush, an Assistant, a Brush, plain + Assistant, an Arrow.
        studio=("T18", "T14", "T17", "A07", "T15", "T09", "A10", "C14", "C15", "B14", "B03", "C13"),
        storms=1,
        diplomas=("tree-5", "arrow-2", "building-3", "brush-4", "landscape-2"),
    )
    state = with_player(table(2, first=1), 0, player)
    mine = score(state)[0]
    assert (mine.print, mine.season, mine.harmony, mine.diplomas) == (12, 5, 5, 17)
    assert mine.total == 39
    assert player.print[mine.storms[0] - 1] == "B13"
    assert score(replace(state, grand_master=0))[0].total == 41
