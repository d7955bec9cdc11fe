"""The replay of a game: an animated GIF in which the scrolls unroll card by card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import SEEK_END, BytesIO
from typing import NamedTuple

from PIL import Image, ImageChops
from PIL.GifImagePlugin import getdata

from kanagawa.scoring import score, winners
from kanagawa.state import View
from render import icons
from render.canvas import Board, Box, cloth, sprite
from render.card import print_strip
from render.colours import reduced
from render.ink import Pen
from render.palette import GOLD_LIGHT
from render.poster import CELL, SIZE, Line, draw_mount, draw_title, layout
from render.tiles import mark_print

#: The longest replay and the time of its last picture, in milliseconds.
LONGEST, LAST = 19_000, 4_000
_STEPS = 3  # frames in which a card appears
_CARD = 570  # milliseconds for a card, or less if there are many cards
_HEAD, _TITLE = 0, 50
_SIDE = 104  # units on the left of the scrolls for crest and score


#: A part of a frame, and the position of its upper left corner in pixels.
Patch = tuple[Image.Image, tuple[int, int]]


class Growth(NamedTuple):
    """The growth of a Print by one card.

    ``cards`` is the number of cards of the seat's Print after it, the tile included; ``totals`` are the
    scores of all seats then.
    """

    seat: int
    cards: int
    totals: tuple[int, ...]


def growths(views: Sequence[View]) -> tuple[Growth, ...]:
    """Return the painted cards in order, from the views of a game, oldest first."""
    seen = [1] * len(views[0].players)
    found: list[Growth] = []
    for view in views:
        totals = None
        for seat, player in enumerate(view.players):
            while seen[seat] < 1 + len(player.print):
                seen[seat] += 1
                totals = totals or tuple(one.total for one in score(view))
                found.append(Growth(seat, seen[seat], totals))
    return tuple(found)


def draw(views: Sequence[View], scale: float) -> bytes:
    """Draw the GIF of a game from its views, oldest first; the last view must have the complete Prints.

    It plays for at most 20 seconds and loops. Raises ValueError if there are no views.
    """
    if not views:
        raise ValueError("a replay needs the views of a game")
    steps = growths(views)
    each = min(_CARD, (LONGEST - LAST) // max(1, len(steps)))
    film = _Film(views, scale)
    out = BytesIO()
    film.frame.save(out, "GIF", loop=0, duration=max(700, each), optimize=False, interlace=0)
    out.seek(-1, SEEK_END)  # overwrite the byte that ends a GIF
    # Frames are written one by one, because Pillow would keep all of them in memory: 500 MB for four players.
    for (part, corner), lasting in _patches(film, views, steps, each):
        out.write(b"".join(getdata(part, corner, duration=lasting)))
    out.write(b";")
    return out.getvalue()


class _Film:
    """The frames of a replay: each step redraws a part of one canvas and returns that part.

    ``board`` is the canvas in full colours, ``frame`` the same in the fixed colours, ``ground`` the canvas
    without scrolls and scores.
    """

    def __init__(self, views: Sequence[View], scale: float) -> None:
        self.last = views[-1]
        order = tuple(range(len(self.last.players)))
        self.places = layout(self.last, order, head=_HEAD, title=_TITLE)
        wide, high = self.places.board.w + _SIDE, self.places.board.h
        self.lines = tuple(
            line._replace(picture=line.picture._replace(x=line.picture.x + _SIDE))
            for line in self.places.lines
        )
        self.board = Board(wide, high, scale, cloth(wide, high, scale))
        title = self.places.title
        draw_title(self.board, title._replace(x=(wide - title.w) / 2))
        self.ground = self.board.image.copy()
        first = score(views[0])
        self.sides = {line.seat: (first[line.seat].total, False) for line in self.lines}
        for line in self.lines:
            self._unroll(line, 1)
            self._side(line, first[line.seat].total, False)
        self.frame = reduced(self.board.image)

    def _restore(self, box: Box) -> None:
        """Clear a box of the canvas."""
        corners = self._corners(box)
        self.board.image.paste(self.ground.crop(corners), corners[:2])

    def _corners(self, box: Box) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of a box in pixels, within the canvas."""
        px, (width, height) = self.board.px, self.board.image.size
        return max(0, px(box.x)), max(0, px(box.y)), min(width, px(box.right)), min(height, px(box.bottom))

    def _unroll(self, line: Line, cards: int, part: float = 1) -> None:
        """Draw a scroll with ``cards`` cards, the last of which is visible over ``part`` of its width."""
        player = self.last.players[line.seat]
        length = (cards - 1 + part) * CELL
        self._restore(line.scroll)
        draw_mount(self.board, line, length)
        strip = print_strip((player.tile, *player.print)[:cards], scale=self.board.scale * SIZE)
        shown = strip.crop((0, 0, min(strip.width, self.board.px(length)), strip.height))
        self.board.paste(shown, line.picture.x, line.picture.y)
        whole = cards if part == 1 else cards - 1
        mark_print(self.board, (player.tile, *player.print)[:whole], line.picture.x, line.picture.y, SIZE)

    def _side(self, line: Line, total: int, best: bool) -> None:
        """Draw the crest and the score of a seat on the left of its scroll."""
        box = self.side_box(line)
        self._restore(box)
        plate = sprite(
            box.w, box.h, self.board.scale, lambda pen: _side_plate(pen, box, line.seat, total, best)
        )
        self.board.paste(plate, box.x, box.y)

    def side_box(self, line: Line) -> Box:
        """Return the box of a seat's crest and score."""
        return Box(12, line.picture.y + 4, _SIDE - 4, line.picture.h - 8)

    def step(self, growth: Growth, part: float) -> Patch:
        """Draw ``part`` (0 to 1) of a new card and return what has changed."""
        line = next(one for one in self.lines if one.seat == growth.seat)
        self._unroll(line, growth.cards, part)
        # The card before the new one changes at its edge; everything left of it stays as it is.
        start = line.picture.x + (growth.cards - 2) * CELL
        end = line.picture.x + (growth.cards - 1 + part) * CELL + line.scroll.x + line.scroll.w
        end -= line.picture.right
        return self._update(Box(start, line.scroll.y, end - start, line.scroll.h))

    def scores(self, totals: tuple[int, ...], best: tuple[int, ...]) -> Patch:
        """Draw new scores, by seat, and return what has changed; the seats in ``best`` get a gold ring."""
        for line in self.lines:
            now = (totals[line.seat], line.seat in best)
            if self.sides.get(line.seat) != now:
                self.sides[line.seat] = now
                self._side(line, *now)
        boxes = [self.side_box(line) for line in self.lines]
        right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
        return self._update(Box(boxes[0].x, boxes[0].y, right - boxes[0].x, bottom - boxes[0].y))

    def _update(self, box: Box) -> Patch:
        """Reduce a box of the canvas to the fixed colours, copy it to the frame, return the changed part."""
        x, y, right, bottom = self._corners(box)
        now = reduced(self.board.image.crop((x, y, right, bottom)))
        before = self.frame.crop((x, y, right, bottom))
        changed = ImageChops.subtract_modulo(now, before).getbbox() or (0, 0, 1, 1)
        self.frame.paste(now, (x, y))
        return now.crop(changed), (x + changed[0], y + changed[1])


def _side_plate(pen: Pen, box: Box, seat: int, total: int, best: bool) -> None:
    """Draw the crest of a seat and its score, with a gold ring if it is among the best."""
    middle = box.h / 2
    icons.crest(pen.at(24, middle), seat, 19)
    if best:
        pen.rounded(49, middle - 23.5, 47, 47, 8, GOLD_LIGHT)
    icons.seal(pen.at(51, middle - 21.5), total, 43)


def _patches(
    film: _Film, views: Sequence[View], steps: tuple[Growth, ...], each: int
) -> Iterator[tuple[Patch, int]]:
    """Yield what changes from frame to frame, and how long each frame is shown, in milliseconds.

    ``each`` is the time for one card.
    """
    totals: tuple[int, ...] = ()
    short = each // (_STEPS + 1) // 10 * 10
    for growth in steps:
        rest = each - _STEPS * short
        for part in range(1, _STEPS):
            yield film.step(growth, part / _STEPS), short
        if growth.totals == totals:
            yield film.step(growth, 1), short + rest
            continue
        # The scores change in a frame of their own, because one part that covers both would be much larger.
        yield film.step(growth, 1), short
        yield film.scores(growth.totals, ()), rest
        totals = growth.totals
    final = tuple(one.total for one in score(views[-1]))
    yield film.scores(final, winners(views[-1])), LAST
