"""The picture of the School: columns on a mat, the deck on the left, the seats that choose on the right."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from PIL import Image

from kanagawa.cards import ROWS
from kanagawa.rules import MAX_SEATS
from kanagawa.state import Phase, View
from render import icons
from render.canvas import SPRITES, Board, Box, sprite
from render.ink import Colour, Pen, bokashi, chance, hexa, mix, wood
from render.lettering import text
from render.palette import GOLD, GOLD_LIGHT, KEY, PAPER_LIGHT, RED
from render.tiles import CARD_HEIGHT, CARD_WIDTH, card_back, whole_card

_TOP, _BOTTOM, _EDGE, _ACROSS, _DOWN = 44, 20, 16, 14, 11
_SIDE = 96  # the width on the left for the deck, and on the right for the crests
_DECK_SIZE = 0.62
_DRY = hexa("#7A5F2E")
#: The mat of as many columns as there may be, all full.
_WIDEST = 2 * _EDGE + 2 * _SIDE + MAX_SEATS * (CARD_WIDTH + _ACROSS) - _ACROSS + 20
_HIGHEST = _TOP + ROWS * (CARD_HEIGHT + _DOWN) - _DOWN + _BOTTOM
#: How much of the right edge of a mat its stitches need.
_STITCHED = 20
#: Pixels at the left of an image that Pillow may round otherwise than in the middle of a larger one.
_ROUNDED = 4


class Layout(NamedTuple):
    """The boxes of the School, in units.

    ``cards[k]`` are the boxes of the cards of column k + 1, or None if it has been taken; ``ghosts[k]`` is
    then the box of its outline. ``left`` is the number of cards left in the deck. ``queue`` and ``stayed``
    are the crests of the seats that have yet to choose and of those that stayed.
    """

    board: Box
    numbers: tuple[Box, ...]
    cards: tuple[tuple[Box, ...] | None, ...]
    ghosts: tuple[Box | None, ...]
    deck: Box
    left: Box
    queue: tuple[Box, ...]
    stayed: tuple[Box, ...]

    def parts(self) -> tuple[Box, ...]:
        """Return all boxes that must not overlap."""
        cards = tuple(box for column in self.cards if column for box in column)
        ghosts = tuple(box for box in self.ghosts if box)
        return (*self.numbers, *cards, *ghosts, self.deck, self.left, *self.queue, *self.stayed)


def layout(view: View) -> Layout:
    """Return the boxes of the School; the board is never taller than wide."""
    count = len(view.columns)
    rows = min(ROWS, max([1, view.row, *(len(column) for column in view.columns if column)]))
    high = _TOP + rows * (CARD_HEIGHT + _DOWN) - _DOWN + _BOTTOM
    block = count * (CARD_WIDTH + _ACROSS) - _ACROSS
    wide = max(2 * _EDGE + 2 * _SIDE + block + 20, high)
    start = (wide - block) / 2
    numbers, cards, ghosts = [], [], []
    for at, column in enumerate(view.columns):
        x = start + at * (CARD_WIDTH + _ACROSS)
        numbers.append(Box(x + CARD_WIDTH / 2 - 15, 9, 30, 30))
        places = tuple(
            Box(x, _TOP + row * (CARD_HEIGHT + _DOWN), CARD_WIDTH, CARD_HEIGHT) for row in range(rows)
        )
        cards.append(None if column is None else places[: len(column)])
        empty = column is None
        ghosts.append(Box(x, _TOP, CARD_WIDTH, places[-1].bottom - _TOP) if empty else None)
    middle_left, middle_right = start / 2 + 4, wide - start / 2 - 4
    deck_wide, deck_high = CARD_WIDTH * _DECK_SIZE, CARD_HEIGHT * _DECK_SIZE
    deck = Box(middle_left - deck_wide / 2, _TOP + 4, deck_wide + 5, deck_high + 5)
    left = Box(deck.x + deck_wide / 2 - 20, deck.bottom + 6, 40, 40)
    side = 46
    shown = len(view.queue) + len(view.stayed)
    step = min(side + 8, (high - _TOP - _BOTTOM) / max(1, shown))
    crests = [Box(middle_right - side / 2, _TOP + at * step, side, step - 4) for at in range(shown)]
    queue = len(view.queue)
    return Layout(
        Box(0, 0, wide, high),
        tuple(numbers),
        tuple(cards),
        tuple(ghosts),
        deck,
        left,
        tuple(crests[:queue]),
        tuple(crests[queue:]),
    )


def shown(view: View) -> Hashable:
    """Return the part of a view that the School shows, as the key for the cache."""
    return view.columns, view.row, view.deck, view.top, view.queue, view.stayed, view.phase


def draw(view: View, scale: float) -> Board:
    """Draw the School of a view."""
    places = layout(view)
    board = Board(places.board.w, places.board.h, scale, mat(places.board.w, places.board.h, scale))
    for at, (column, boxes) in enumerate(zip(view.columns, places.cards, strict=True)):
        taken = column is None
        _draw_number(board, places.numbers[at], at + 1, taken)
        if ghost := places.ghosts[at]:
            _draw_ghost(board, ghost)
        for seen, box in zip(column or (), boxes or (), strict=True):
            board.shadow(box)
            board.paste(whole_card(seen, scale), box.x, box.y)
    _draw_deck(board, view, places)
    _draw_seats(board, view, places)
    return board


def _draw_number(board: Board, box: Box, number: int, taken: bool) -> None:
    """Draw the number of a column on a disc, pale if the column has been taken."""

    def sign(pen: Pen) -> None:
        if taken:
            pen.ellipse(0, 0, 14, 14, _DRY, None)
            pen.ellipse(0, 0, 12.6, 12.6, hexa("#C9A968"), None)
        else:
            icons.disc(pen, 14.5)
        text(pen, 0, -0.2, str(number), "number", 23, _DRY if taken else KEY)

    x, y = box.x + box.w / 2, box.y + box.h / 2
    board.sign(("column", number, taken), x, y, 15, sign)


def _draw_ghost(board: Board, box: Box) -> None:
    """Draw the ghost of a column that has been taken: an outline with a dry brush."""
    board.paste(
        SPRITES.get(("ghost", box.w, box.h, board.scale), lambda: _ghost(box.w, box.h, board.scale)),
        box.x,
        box.y,
    )


def _ghost(width: float, height: float, scale: float) -> Image.Image:
    """Return a dashed frame on a faint shade, ``width`` by ``height`` units."""

    def dashes(pen: Pen) -> None:
        pen.rounded(0, 0, width, height, 6, (70, 50, 20, 44))  # type: ignore[arg-type]
        for x, y, right, down, length in (
            (6, 2, 1, 0, width - 12),
            (6, height - 2, 1, 0, width - 12),
            (2, 6, 0, 1, height - 12),
            (width - 2, 6, 0, 1, height - 12),
        ):
            at = 0.0
            step = int(length)
            while at < length - 2:
                dry = chance(step + int(at), 17)
                end = min(at + 7 + 5 * dry, length)
                pen.brush(
                    [
                        (x + right * at, y + down * at),
                        (x + right * (at + end) / 2 + (dry - 0.5), y + down * (at + end) / 2),
                        (x + right * end, y + down * end),
                    ],
                    1.1,
                    0.5,
                    _DRY,
                    1.9,
                )
                at = end + 5
        return

    return sprite(width, height, scale, dashes)


def _draw_deck(board: Board, view: View, places: Layout) -> None:
    """Draw the deck: the back of its top card on a pile, and the number of cards left."""
    box = places.deck
    wide, high = box.w - 5, box.h - 5
    size = (board.px(wide), board.px(high))
    if view.top is None:
        _draw_ghost(board, Box(box.x, box.y, wide, high))
    else:
        top = view.top
        pile = 1 if view.deck == 1 else 3
        for depth in range(pile - 1, -1, -1):
            at = Box(box.x + depth * 2.4, box.y + depth * 2.4, wide, high)
            if depth == pile - 1:
                board.shadow(at, 3)
            if depth:
                board.plate(at, PAPER_LIGHT, 3, KEY, 0.8)
            else:
                image = SPRITES.get(
                    ("small", top, size),
                    lambda: card_back(top, board.scale).resize(size, Image.Resampling.LANCZOS),
                )
                board.paste(image, at.x, at.y)
    x, y = places.left.x + places.left.w / 2, places.left.y + places.left.h / 2
    board.sign(("count", view.deck), x, y, 20, lambda pen: _count(pen, view.deck))


def _count(pen: Pen, number: int) -> None:
    """Draw a number on a paper slip."""
    pen.rounded(-18.6, -14, 38, 30, 5, KEY)
    pen.rounded(-19, -15, 38, 30, 5, KEY)
    pen.rounded(-17.6, -13.6, 35.2, 27.2, 4, PAPER_LIGHT)
    text(pen, 0, 0, str(number), "number", 24, KEY)


def _draw_seats(board: Board, view: View, places: Layout) -> None:
    """Draw the seats that have yet to choose, the first one lit; below, those that stayed, on cushions."""
    for at, (seat, box) in enumerate(zip(view.queue, places.queue, strict=True)):
        lit = at == 0 and view.phase is not Phase.OVER
        radius = min(box.h / 2.5, 19) * (1 if lit else 0.86)
        board.sign(
            ("seat", seat, lit),
            box.x + box.w / 2,
            box.y + box.h / 2,
            radius,
            lambda pen, s=seat, r=radius, on=lit: _seat(pen, s, r, on, False),
            reach=1.6,
        )
    for seat, box in zip(view.stayed, places.stayed, strict=True):
        radius = min(box.h / 2.5, 19) * 0.72
        board.sign(
            ("stayed", seat),
            box.x + box.w / 2,
            box.y + box.h / 2,
            radius,
            lambda pen, s=seat, r=radius: _seat(pen, s, r, False, True),
            reach=1.9,
        )


def _seat(pen: Pen, seat: int, radius: float, lit: bool, stayed: bool) -> None:
    """Draw the crest of a seat, with a gold ring if it is to act, on a cushion if it stayed."""
    r = radius
    if lit:
        pen.ellipse(0, 0, r * 1.42, r * 1.42, GOLD, KEY, 1.2)
        pen.ellipse(0, 0, r * 1.3, r * 1.3, GOLD_LIGHT, None)
    if stayed:
        for size, colour in ((1.0, KEY), (0.95, RED)):
            half = r * 1.55 * size
            pen.rounded(-half, r * 0.75, 2 * half, r * 0.62 * size, r * 0.3, colour)
        icons.crest(pen.at(0, -r * 0.2), seat, r)
        return
    icons.crest(pen, seat, r)


# ------------------------------------------------------------------------------------------- the mat


def mat(width: float, height: float, scale: float) -> Image.Image:
    """Draw a bamboo mat: slats with nodes, two rows of stitches, an indigo border with a gold hairline.

    Its slats are cut from those of the largest mat, which are cached unless they are too large; only
    its right edge is drawn anew.
    """
    wide, high = max(_WIDEST, width), max(_HIGHEST, height)
    if 4 * wide * high * scale**2 > SPRITES.limit / 4:
        wide, high = width, height
    # The cached slats are a little wider still: the stitches at their right edge must be on no mat.
    slats = SPRITES.get(("slats", wide, high, scale), lambda: weave_slats(0, wide + _STITCHED, high, scale))
    mat = slats.crop((0, 0, round(width * scale), round(height * scale)))
    left = round((width - _STITCHED) * scale)
    edge = weave_slats((left - _ROUNDED) / scale, width, height, scale)
    mat.paste(edge.crop((_ROUNDED, 0, edge.width, edge.height)), (left, 0))
    board = Pen(mat, scale)
    board.rounded(0, 0, width, height, 0, None, hexa("#22365A"), 6)
    board.rounded(6, 6, width - 12, height - 12, 0, None, GOLD, 1)
    return mat


def weave_slats(left: float, right: float, height: float, scale: float) -> Image.Image:
    """Draw the slats and stitches of a mat as wide as ``right``, from the x ``left`` on, without a border."""
    k = 2 * scale
    start = round(left * scale)
    image = Image.new("RGB", ((round(right * scale) - start) * 2, round(height * scale) * 2), hexa("#C9A55C"))
    pen = Pen(image, k, -left)
    tones = [hexa(one) for one in ("#D8B86F", "#CFAD62", "#DCC07C", "#C8A457")]
    slat, y, row = 8.5, 0.0, 0
    while y < height:
        tone = tones[int(chance(row, 3) * 3.99)]
        _slat(pen, row, y, slat, right, tone)
        y += slat
        row += 1
    for x in (13.0, right - 13):
        thread = hexa("#1C3558")
        pen.poly([(x - 1.3, 0), (x + 1.3, 0), (x + 1.3, height), (x - 1.3, height)], thread, None)
        for at in range(row):
            pen.line([(x - 2.4, at * slat), (x + 2.4, at * slat)], thread, 1.4)
    return wood(image.reduce(2), 14, start)


def _slat(pen: Pen, row: int, y: float, slat: float, width: float, tone: Colour) -> None:
    """Draw a slat of the mat, ``slat`` units high, with its nodes."""
    light, dark = mix(tone, (255, 245, 210), 0.45), mix(tone, hexa("#6B4A1E"), 0.42)
    high = round(pen.pixels(slat)) - 2
    wash = bokashi((pen.image.width, high), [(0, light), (0.35, tone), (1, dark)])
    pen.image.paste(wash, (0, round(pen.pixels(y))))
    pen.line([(0, y + slat - 0.5), (width, y + slat - 0.5)], hexa("#5B4220"), 0.5)
    x = chance(row, 9) * 150
    while x < width:
        pen.line([(x, y + 0.5), (x, y + slat - 1)], hexa("#7A5A28"), 0.5)
        pen.line([(x + 1, y + 0.5), (x + 1, y + slat - 1)], mix(tone, (255, 250, 225), 0.6), 0.5)
        x += 105 + 75 * chance(int(x), row)
