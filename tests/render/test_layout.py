"""No parts of a picture overlap or leave it, and pictures have a shape that a chat shows large."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from kanagawa.state import Mode, View
from render.canvas import Box
from render.diplomas import layout as diplomas_layout
from render.hand import layout as hand_layout
from render.panel import facts
from render.panel import layout as panel_layout
from render.poster import layout as poster_layout
from render.replay import growths
from render.school import layout as school_layout
from render.wall import arrange
from tests.render.games import grown, midgame, views

_GAMES = [
    (seed, seats, mode, at_random)
    for seed in (1, 2)
    for seats, mode in ((2, Mode.TABLE), (3, Mode.TABLE), (4, Mode.TABLE), (2, Mode.OSAHITO))
    for at_random in (False, True)
]
LONGEST_SIDE = 4096


def _apart(parts: Iterable[Box], board: Box) -> None:
    """Assert that all parts lie on the board and do not overlap."""
    parts = list(parts)
    for part in parts:
        assert board.holds(part), part
        assert part.w > 0
        assert part.h > 0
    for one, other in itertools.combinations(parts, 2):
        assert not one.meets(other), (one, other)


def _every(shown: tuple[View, ...], step: int) -> Iterable[View]:
    """Return every step-th view and the last one."""
    return (*shown[::step], shown[-1])


@pytest.mark.parametrize(("seed", "seats", "mode", "at_random"), _GAMES)
def test_nothing_overlaps_in_any_game(seed: int, seats: int, mode: Mode, at_random: bool) -> None:
    """The parts of every board lie apart at any time of a game."""
    for view in _every(views(seed, seats, mode, at_random), 5):
        places = school_layout(view)
        _apart(places.parts(), places.board)
        assert places.board.h <= places.board.w
        for seat in range(len(view.players)):
            for compact in (False, True):
                shown = panel_layout(facts(view, seat, compact=compact))
                _apart(shown.parts(), shown.board)
                assert len(shown.prints) == 1 + len(view.players[seat].print)
                assert len(shown.studio) == 1 + len(view.players[seat].studio)
        whole = arrange(view)
        boxes = [slot.box for slot in whole.slots] + ([whole.scores] if whole.scores else [])
        _apart(boxes, whole.board)
        assert 2 * max(whole.board.w, whole.board.h) <= LONGEST_SIDE
        if view.seat is not None:
            held = hand_layout(len(view.players[view.seat].hand))
            _apart(held.parts(), held.board)
        scrolls = poster_layout(view, tuple(range(len(view.players))))
        _apart(scrolls.parts(), scrolls.board)


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("cards_in_hand", range(8))
@pytest.mark.parametrize(
    ("prints", "studio"), [(0, 0), (5, 8), (6, 9), (11, 17), (13, 17), (17, 17), (17, 48)]
)
def test_long_games_fit(prints: int, studio: int, cards_in_hand: int, compact: bool) -> None:
    """A panel has room for a Print of 18, a Studio of 49, 8 Brushes, 7 Diplomas and a hand of 7."""
    shown = panel_layout(facts(grown(prints, studio, cards_in_hand), 0, compact=compact))
    _apart(shown.parts(), shown.board)
    assert len(shown.diplomas) == 7
    assert len(shown.hand) == cards_in_hand
    assert 2 * max(shown.board.w, shown.board.h) <= LONGEST_SIDE
    if studio <= 17:
        assert 1.15 <= shown.board.w / shown.board.h <= 1.9


def test_signs_of_a_long_studio_stay_large() -> None:
    """In a Studio of 18 a tile is at least 50 x 33 pixels if the panel is shown 550 pixels wide."""
    shown = panel_layout(facts(grown(11, 17, 0), 0))
    smallest = min(shown.studio, key=lambda box: box.w)
    assert smallest.w * 550 / shown.board.w >= 50
    assert smallest.h * 550 / shown.board.w >= 33


@pytest.mark.parametrize("columns", [2, 3, 4])
@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_the_school_is_no_taller_than_wide(columns: int, rows: int) -> None:
    """The School is no taller than wide for any number of rows, with any column taken."""
    dealt = tuple(("T01", "C", "A05")[:rows] for _ in range(columns))
    view = midgame(seats=columns)
    for taken in (None, *range(columns)):
        left = tuple(None if at == taken else column for at, column in enumerate(dealt))
        places = school_layout(replace(view, columns=left, row=rows))
        _apart(places.parts(), places.board)
        assert places.board.h <= places.board.w


def test_all_diplomas_hang_in_seven_columns() -> None:
    """The 19 Diplomas hang apart in seven columns (K1.4)."""
    places = diplomas_layout()
    _apart(places.parts(), places.board)
    assert len(places.scrolls) == 19
    assert len({box.x for box in places.scrolls.values()}) == 7
    assert 1.2 <= places.board.w / places.board.h <= 1.8


def test_a_hand_of_seven_fits() -> None:
    """The picture of a hand has room for seven whole cards."""
    places = hand_layout(7)
    _apart(places.parts(), places.board)
    assert len(places.cards) == 7


def test_the_longest_poster_keeps_within_the_side() -> None:
    """A poster with a Print of 18 as one scroll is at most 4096 pixels wide and high at scale 2."""
    view = grown(17, 5, 0)
    places = poster_layout(view, (0, 1, 2, 3))
    assert 2 * max(places.board.w, places.board.h) <= LONGEST_SIDE


def test_a_replay_shows_each_card_once() -> None:
    """A replay shows every card of every Print once."""
    shown = views(2, 3)
    steps = growths(shown)
    assert len(steps) == sum(len(player.print) for player in shown[-1].players)
    assert sorted((step.seat, step.cards) for step in steps) == sorted(
        (seat, at + 2) for seat, player in enumerate(shown[-1].players) for at in range(len(player.print))
    )
