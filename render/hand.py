"""The picture of a player's hand: whole cards, numbered from 1."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from kanagawa.state import View
from render import icons
from render.canvas import Board, Box, cloth
from render.ink import Pen
from render.lettering import text
from render.palette import KEY
from render.tiles import CARD_HEIGHT, CARD_WIDTH, whole_card

_EDGE, _ACROSS, _DOWN, _TOP = 22, 16, 30, 34
_IN_A_ROW = 4


class Layout(NamedTuple):
    """The boxes of the cards, of their numbers and of the board, in units."""

    board: Box
    cards: tuple[Box, ...]
    numbers: tuple[Box, ...]

    def parts(self) -> tuple[Box, ...]:
        """Return all boxes that must not overlap."""
        return (*self.cards, *self.numbers)


def layout(count: int) -> Layout:
    """Return the boxes for ``count`` cards, at most four in a row."""
    across = max(3, min(_IN_A_ROW, count))
    rows = max(1, -(-count // across))
    wide = 2 * _EDGE + across * (CARD_WIDTH + _ACROSS) - _ACROSS
    high = _TOP + rows * (CARD_HEIGHT + _DOWN) - _DOWN + _EDGE
    cards: list[Box] = []
    for row in range(rows):
        here = min(across, count - row * across)
        start = (wide - here * (CARD_WIDTH + _ACROSS) + _ACROSS) / 2
        cards += [
            Box(
                start + at * (CARD_WIDTH + _ACROSS),
                _TOP + row * (CARD_HEIGHT + _DOWN),
                CARD_WIDTH,
                CARD_HEIGHT,
            )
            for at in range(here)
        ]
    numbers = tuple(Box(box.x + CARD_WIDTH / 2 - 13, box.y - 28, 26, 26) for box in cards)
    return Layout(Box(0, 0, wide, high), tuple(cards), numbers)


def shown(view: View) -> Hashable:
    """Return the part of a view that the picture shows, as the key for the cache.

    Raises ValueError for a public view.
    """
    if view.seat is None:
        raise ValueError("a hand is shown to its player alone")
    return view.seat, view.players[view.seat].hand


def draw(view: View, scale: float) -> Board:
    """Draw the hand of the viewer, or their crest if it is empty. Raises ValueError for a public view."""
    if view.seat is None:
        raise ValueError("a hand is shown to its player alone")
    hand = view.players[view.seat].hand
    places = layout(len(hand))
    board = Board(places.board.w, places.board.h, scale, cloth(places.board.w, places.board.h, scale))
    for at, (seen, box) in enumerate(zip(hand, places.cards, strict=True)):
        board.shadow(box)
        board.paste(whole_card(seen, scale), box.x, box.y)
        number = places.numbers[at]
        middle = (number.x + 13, number.y + 13)
        board.sign(("hand", at), *middle, 13, lambda pen, n=at + 1: _number(pen, n))
    if not hand:
        seat = view.seat
        middle = (places.board.w / 2, places.board.h / 2)
        board.sign(("crest", seat), *middle, 60, lambda pen: icons.crest(pen, seat, 60))
    return board


def _number(pen: Pen, number: int) -> None:
    """Draw the number of a card on a disc."""
    icons.disc(pen, 12.4)
    text(pen, 0, 0, str(number), "number", 20, KEY)
