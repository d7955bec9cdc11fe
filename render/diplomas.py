"""The picture of all 19 Diplomas: one column for each of the seven categories, points rising downwards."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from PIL import Image, ImageEnhance

from kanagawa.cards import DIPLOMAS, Category
from kanagawa.state import View
from render import icons
from render.canvas import SPRITES, Board, Box, cloth
from render.ink import Pen, hexa, mix
from render.palette import GOLD_LIGHT, INDIGO, KEY, PAPER_LIGHT, RED
from render.tiles import SCROLL_HEIGHT, SCROLL_WIDTH, diploma_scroll

_EDGE, _ACROSS, _DOWN = 16, 9, 10


class Layout(NamedTuple):
    """The box of each Diploma by its ID, and of the board, in units."""

    board: Box
    scrolls: dict[str, Box]

    def parts(self) -> tuple[Box, ...]:
        """Return all boxes that must not overlap."""
        return tuple(self.scrolls.values())


def layout() -> Layout:
    """Return the boxes of the Diplomas, which are always the same."""
    scrolls: dict[str, Box] = {}
    deepest = 0
    for column, category in enumerate(Category):
        held = [one.id for one in DIPLOMAS.values() if one.category is category]
        deepest = max(deepest, len(held))
        for row, diploma in enumerate(held):
            x, y = _EDGE + column * (SCROLL_WIDTH + _ACROSS), _EDGE + row * (SCROLL_HEIGHT + _DOWN)
            scrolls[diploma] = Box(x, y, SCROLL_WIDTH, SCROLL_HEIGHT)
    wide = 2 * _EDGE + len(Category) * (SCROLL_WIDTH + _ACROSS) - _ACROSS
    high = 2 * _EDGE + deepest * (SCROLL_HEIGHT + _DOWN) - _DOWN
    return Layout(Box(0, 0, wide, high), scrolls)


def shown(view: View) -> Hashable:
    """Return the part of a view that the picture shows, as the key for the cache."""
    declined = () if view.seat is None else view.players[view.seat].declined
    return tuple(player.diplomas for player in view.players), view.offered, declined


def draw(view: View, scale: float) -> Board:
    """Draw the Diplomas of a view.

    A taken Diploma is dim and carries the crest of its owner; an offered one has a gold border; one that the
    viewer has declined (K4.1) is crossed out.
    """
    places = layout()
    board = Board(places.board.w, places.board.h, scale, cloth(places.board.w, places.board.h, scale))
    declined = () if view.seat is None else view.players[view.seat].declined
    owners = {diploma: seat for seat, player in enumerate(view.players) for diploma in player.diplomas}
    for diploma, box in places.scrolls.items():
        owner = owners.get(diploma)
        if diploma in view.offered:
            glow = Box(box.x - 4, box.y - 1, box.w + 8, box.h + 2)
            board.plate(glow, GOLD_LIGHT, 8, hexa("#B5831F"), 1.4)
        dim = owner is not None or diploma in declined
        board.paste(_dimmed(diploma, scale) if dim else diploma_scroll(diploma, scale), box.x, box.y)
        middle = (box.x + box.w / 2, box.y + 57)
        if owner is not None:
            board.sign(("crest", owner), *middle, 33, lambda pen, seat=owner: icons.crest(pen, seat, 33))
        elif dim:
            board.sign("declined", *middle, 30, _cross)
    return board


def _dimmed(diploma: str, scale: float) -> Image.Image:
    """Return the dimmed scroll of a Diploma that the viewer can no longer take."""

    def make() -> Image.Image:
        scroll = diploma_scroll(diploma, scale)
        grey = ImageEnhance.Color(scroll.convert("RGB")).enhance(0.45)
        dark = Image.blend(grey, Image.new("RGB", scroll.size, mix(INDIGO, (90, 105, 130), 0.3)), 0.6)
        dark.putalpha(scroll.getchannel("A"))
        return dark

    return SPRITES.get(("dim", diploma, scale), make)


def _cross(pen: Pen) -> None:
    """Draw a red cross with a pale edge."""
    for width, colour in ((11, KEY), (8.6, PAPER_LIGHT), (6, RED)):
        for side in (1, -1):
            pen.line([(-20 * side, -20), (20 * side, 20)], colour, width)
