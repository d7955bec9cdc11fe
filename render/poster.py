"""The poster of a finished game: every Print as one scroll, with its seat's crest and parts of the score."""

from __future__ import annotations

from typing import NamedTuple

from PIL import Image

from kanagawa.scoring import score, winners
from kanagawa.state import View
from render import icons
from render.canvas import SPRITES, Board, Box, cloth, sprite
from render.card import print_strip
from render.ink import Colour, Pen, hexa, mix
from render.lettering import text
from render.palette import GOLD, GOLD_LIGHT, INDIGO, KEY, PAPER_LIGHT, RED
from render.ribbon import RIBBON_HEIGHT, pills, ribbon, shown_seasons
from render.tiles import mark_print
from render.wall import draw_score_line

#: The size of a Print on the poster, compared with one on a panel.
SIZE = 0.5
CELL, HEIGHT = 120 * SIZE, 150 * SIZE
_EDGE, _TITLE, _HEAD, _BROCADE, _ROD, _GAP = 22, 58, 46, 6, 10, 16
_FEWEST = 8  # cards that a poster is at least wide, because short games would make it too narrow


class Line(NamedTuple):
    """The boxes of one seat, from top to bottom: the line of its score, the ribbon, the picture."""

    seat: int
    head: Box
    ribbon: Box
    picture: Box

    @property
    def scroll(self) -> Box:
        """The box of the whole scroll: the picture with its brocade and its rods."""
        picture = self.picture
        return Box(
            picture.x - 4 - _ROD,
            picture.y - _BROCADE - 4,
            picture.w + 2 * (4 + _ROD),
            picture.h + 2 * (_BROCADE + 4),
        )


class Layout(NamedTuple):
    """The boxes of the poster, in units."""

    board: Box
    title: Box
    lines: tuple[Line, ...]

    def parts(self) -> tuple[Box, ...]:
        """Return all boxes that must not overlap."""
        lines = tuple(box for line in self.lines for box in (line.head, line.ribbon, line.scroll))
        return (self.title, *lines)


def layout(view: View, order: tuple[int, ...], *, head: float = _HEAD, title: float = _TITLE) -> Layout:
    """Return the boxes of a poster; ``order`` are the seats from top to bottom.

    ``head`` and ``title`` are the heights in units of a line of score and of the title.
    """
    longest = max(_FEWEST, *(1 + len(player.print) for player in view.players))
    wide = 2 * (_EDGE + _ROD + 4) + longest * CELL
    left = _EDGE + _ROD + 4
    y = title + 4
    lines: list[Line] = []
    for seat in order:
        cards = 1 + len(view.players[seat].print)
        head_box = Box(_EDGE, y, wide - 2 * _EDGE, head)
        ribbon_box = Box(left, head_box.bottom + 2, cards * CELL, RIBBON_HEIGHT * SIZE)
        picture = Box(left, ribbon_box.bottom + _BROCADE + 5, cards * CELL, HEIGHT)
        lines.append(Line(seat, head_box, ribbon_box, picture))
        y = picture.bottom + _BROCADE + 4 + _GAP
    middle = Box(wide / 2 - 90, 10, 180, max(0, title - 12))
    return Layout(Box(0, 0, wide, y - _GAP + _EDGE), middle, tuple(lines))


def draw(view: View, scale: float) -> Board:
    """Draw the poster of a view, the best score on top; the winners' seals have a gold ring."""
    order = tuple(sorted(range(len(view.players)), key=lambda seat: (-score(view)[seat].total, seat)))
    places = layout(view, order)
    board = Board(places.board.w, places.board.h, scale, cloth(places.board.w, places.board.h, scale))
    board.plate(places.board, None, 0, mix(GOLD, KEY, 0.3), 2)
    draw_title(board, places.title)
    best = winners(view)
    for line in places.lines:
        draw_score_line(board, view, line.seat, line.head, lit=line.seat in best)
        draw_scroll(board, view, line, len(view.players[line.seat].print) + 1)
        _draw_ribbon(board, view, line)
    return board


def draw_title(board: Board, box: Box) -> None:
    """Draw the name of the game in brush kanji, on a red slip."""

    def slip() -> Image.Image:
        return sprite(box.w, box.h, board.scale, lambda pen: _title(pen, box.w, box.h))

    board.paste(SPRITES.get(("title", box.w, box.h, board.scale), slip), box.x, box.y)


def _title(pen: Pen, width: float, height: float) -> None:
    """Draw the slip with the name of the game, ``width`` by ``height`` units."""
    pen.rounded(0, 0, width, height, 3, KEY)
    pen.rounded(1.2, 1.2, width - 2.4, height - 2.4, 2.4, RED)
    pen.rounded(3.6, 3.6, width - 7.2, height - 7.2, 1.6, PAPER_LIGHT)
    pen.rounded(4.6, 4.6, width - 9.2, height - 9.2, 1.4, RED)
    for at, kanji in enumerate("神奈川"):
        text(pen, width * (0.2 + 0.3 * at), height / 2, kanji, "brush", height * 0.74, PAPER_LIGHT)


def draw_scroll(board: Board, view: View, line: Line, cards: int) -> None:
    """Draw a scroll with the first ``cards`` cards of a Print, the tile included."""
    player = view.players[line.seat]
    shown = (player.tile, *player.print)[:cards]
    draw_mount(board, line, cards * CELL)
    board.paste(print_strip(shown, scale=board.scale * SIZE), line.picture.x, line.picture.y)
    mark_print(board, shown, line.picture.x, line.picture.y, SIZE)


def draw_mount(board: Board, line: Line, unrolled: float) -> None:
    """Draw brocade, paper edge and rods of a scroll of which ``unrolled`` units are open."""
    picture = line.picture
    brocade = mix(icons.SEAT_COLOURS[line.seat], INDIGO, 0.45)
    cloth_box = Box(picture.x - 4, picture.y - _BROCADE - 2, unrolled + 8, picture.h + 2 * _BROCADE + 4)
    board.plate(cloth_box, brocade, 0, KEY, 1)
    board.plate(Box(picture.x - 2, picture.y - 2, unrolled + 4, picture.h + 4), PAPER_LIGHT)
    for x in (picture.x - 4 - _ROD, picture.x + unrolled + 4):
        draw_rod(board, x, line.scroll)


def draw_rod(board: Board, x: float, scroll: Box) -> None:
    """Draw a rod of dark wood with gold knobs, its left edge at x."""

    def make() -> Image.Image:
        return sprite(_ROD, scroll.h, board.scale, lambda pen: _rod(pen, scroll.h))

    board.paste(SPRITES.get(("rod", scroll.h, board.scale), make), x, scroll.y)


def _rod(pen: Pen, height: float) -> None:
    """Draw a rod, ``height`` units long."""
    wood: Colour = hexa("#6B3F2A")
    pen.rounded(1.4, 0, _ROD - 2.8, height, 2.4, KEY)
    pen.rounded(2.2, 0.8, _ROD - 4.4, height - 1.6, 2, GOLD)
    pen.rounded(0, 5.6, _ROD, height - 11.2, 2, KEY)
    pen.rounded(1, 6.6, _ROD - 2, height - 13.2, 1.4, wood)
    pen.rounded(2.2, 7.4, 1.8, height - 14.8, 0.9, mix(wood, GOLD_LIGHT, 0.5))


def _draw_ribbon(board: Board, view: View, line: Line) -> None:
    """Draw the Season ribbon of a seat, and its Storm tokens on the picture."""
    player, points = view.players[line.seat], score(view)[line.seat]
    seasons = shown_seasons(player, points)
    strip = ribbon(seasons, pills(seasons, points), 0, len(seasons), board.scale * SIZE)
    board.paste(strip, line.ribbon.x, line.ribbon.y)
    if points.run_length:
        for at in points.storms:
            x, y = line.picture.x + at * CELL + 8, line.picture.y + 8
            board.sign("storm", x, y, 6, lambda pen: icons.storm_token(pen, 6))
