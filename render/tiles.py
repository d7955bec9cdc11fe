"""Studio halves, card backs, whole cards and the scrolls of the Diplomas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from PIL import Image

from kanagawa.cards import (
    BACKS,
    CARDS,
    DIPLOMAS,
    START_TILES,
    Card,
    Category,
    Diploma,
    Family,
    Landscape,
    Symbol,
    is_back,
)
from render import icons
from render.canvas import SPRITES, Board, Box, rounded, sprite
from render.card import print_half
from render.ink import Colour, Pen, fineness, hexa, mix, wood
from render.lettering import text
from render.palette import GOLD_LIGHT, KEY, PAPER_LIGHT

#: A whole card in units: a border of 3 round a Print half of 120 x 150 and a Studio half of 120 x 66.
CARD_WIDTH, CARD_HEIGHT = 126, 224
STUDIO_WIDTH, STUDIO_HEIGHT = 120, 66
_BORDER, _DIVIDER, _PRINT_HEIGHT = 3, 2, 150

Stand = Literal["fresh", "spent"]
"""A Brush that stands on a Landscape: it can still paint in this turn ("fresh") or has painted (K3.4)."""


# ------------------------------------------------------------------------------------- Studio halves


class _Printed(NamedTuple):
    """The printed contents of a Studio half."""

    landscape: Landscape | None
    symbols: tuple[Symbol, ...]
    harmony: int


def _printed(card: str) -> _Printed:
    """Return the printed contents of the Studio half of a card or a Start tile."""
    if tile := START_TILES.get(card):
        return _Printed(tile.studio_landscape, (Symbol.BRUSH, Symbol.BRUSH, Symbol.ARROW), 0)
    half = CARDS[card]
    symbols = () if half.studio_symbol is None else (half.studio_symbol,)
    return _Printed(half.studio_landscape, symbols, half.studio_harmony)


def studio_half(
    card: str,
    scale: float,
    *,
    width: float = STUDIO_WIDTH,
    height: float = STUDIO_HEIGHT,
    place: int | None = None,
    stand: Stand | None = None,
) -> Image.Image:
    """Return the Studio half of a card or a Start tile, with rounded corners, ``width`` by ``height`` units.

    ``place`` is printed under the Landscape: players name a place by this number. ``stand`` is the Brush on
    it, if any. A narrow tile stacks its signs to keep them large. The image is shared: do not draw on it.
    """
    return SPRITES.get(
        ("studio", card, width, height, place, stand, scale),
        lambda: _draw_studio_half(card, scale, width, height, place, stand),
    )


def _draw_studio_half(
    card: str, scale: float, width: float, height: float, place: int | None, stand: Stand | None
) -> Image.Image:
    """Draw a Studio half."""
    fine = fineness(scale)
    # All tiles of one size have the same wooden ground, so it is drawn once.
    bench = SPRITES.get(("bench", width, height, scale), lambda: _bench(width, height, scale))
    half = bench.copy()
    pen = Pen(half, scale * fine)
    _signs(pen, _printed(card), width, height, place, stand)
    pen.rounded(0, 0, width, height, 4, None, KEY, 1.2)
    half = half.reduce(fine)
    half.putalpha(rounded(half.width, half.height, round(4 * scale)))
    return half


def _bench(width: float, height: float, scale: float) -> Image.Image:
    """Draw the ground of a tile, a workbench of pale wood, at the size before reduction."""
    fine = fineness(scale)
    size = (max(1, round(width * scale)) * fine, max(1, round(height * scale)) * fine)
    pen = Pen(Image.new("RGB", size, KEY), scale * fine)
    tatami = [(0, 0), (width, 0), (width, height), (0, height)]
    pen.gradient(tatami, [(0, hexa("#EDDDB6")), (0.7, hexa("#E0CA97")), (1, hexa("#B9975C"))])
    for at in range(int(width / 3.6) + 1):
        pen.line([(at * 3.6, 0), (at * 3.6, height)], hexa("#D8C08C"), 0.35)
    edge = height * 0.13
    pen.poly(
        [(0, height - edge), (width, height - edge), (width, height), (0, height)], hexa("#8A5F3C"), None
    )
    pen.line([(0, height - edge), (width, height - edge)], KEY, 1)
    return wood(pen.image, 18)


def _signs(
    pen: Pen, printed: _Printed, width: float, height: float, place: int | None, stand: Stand | None
) -> None:
    """Draw the Landscape on the left, symbols and Harmony on its right, or in the middle if there is none."""
    unit = height / STUDIO_HEIGHT
    middle = height * 0.435
    others: list[Symbol | int] = [*printed.symbols, *([printed.harmony] if printed.harmony else [])]
    left = width / 2
    if printed.landscape is not None:
        radius = 24 * unit
        if others:
            left = min(33 * unit, radius * 1.18 + 2.5)
        icons.landscape_sign(pen.at(left, middle), printed.landscape, radius)
        free = width - left - radius * 1.1
        _beside(pen, others, left + radius * 1.1, free, height)
        if stand:
            icons.brush_pot(pen.at(left + 12 * unit, height - 3.5 * unit, 1.2 * unit), spent=stand == "spent")
        if place is not None:
            _place_number(pen, place, left - (13 * unit if stand else 0), height)
        return
    radius = min(21 * unit, width / (2.3 * len(others)))
    for at, sign in enumerate(others):
        x = width / 2 + (at - (len(others) - 1) / 2) * radius * 2.24
        _sign(pen.at(x, middle), sign, radius)


def _beside(pen: Pen, others: list[Symbol | int], x: float, free: float, height: float) -> None:
    """Draw the symbols right of a Landscape: one large, or the Start tile's three in a cluster or column.

    ``x`` is where the free space begins, ``free`` its width, ``height`` that of the tile.
    """
    if len(others) == 1:
        radius = max(min(21 * height / STUDIO_HEIGHT, free / 2 - 4), 12.5 * height / STUDIO_HEIGHT)
        _sign(pen.at(x + max(free / 2, free - radius - 2.5), height * 0.435), others[0], radius)
        return
    if free > height * 0.8:
        radius = height * 0.2
        spots = ((0.3, 0.235), (0.3, 0.645), (0.72, 0.44))
    else:
        radius = height * 0.148
        spots = ((0.55, 0.165), (0.55, 0.485), (0.55, 0.805))
    for (across, down), sign in zip(spots, others, strict=False):
        _sign(pen.at(x + min(free * across, free - radius - 1.5), height * down), sign, radius)


def _sign(pen: Pen, sign: Symbol | int, radius: float) -> None:
    """Draw a symbol, or the Harmony if ``sign`` is a number."""
    if isinstance(sign, Symbol):
        icons.symbol_sign(pen, sign, radius)
    else:
        icons.harmony(pen, sign, radius * 0.95)


def _place_number(pen: Pen, place: int, x: float, height: float) -> None:
    """Draw the number of a place on a dark plate below its Landscape."""
    size = 12.5
    half = 6.8 if place < 10 else 9.4
    pen.rounded(x - half, height - 13.6, 2 * half, 12.8, 6, KEY)
    text(pen, x, height - 7.4, str(place), "number", size, PAPER_LIGHT)


# ------------------------------------------------------------------------------------------- backs


def card_back(back: str, scale: float) -> Image.Image:
    """Return the back of a Lesson card by its letter: colour, pattern, emblem and kanji (K2.7)."""
    family = BACKS[back]

    def draw() -> Image.Image:
        image = sprite(CARD_WIDTH, CARD_HEIGHT, scale, lambda pen: _back(pen, family), PAPER_LIGHT)
        image.putalpha(rounded(image.width, image.height, round(5 * scale)))
        return image

    return SPRITES.get(("back", back, scale), draw)


def _back(pen: Pen, family: Family) -> None:
    """Draw the back of a family's cards."""
    width, height = CARD_WIDTH - 2 * _BORDER, CARD_HEIGHT - 2 * _BORDER
    colour = icons.FAMILY_COLOUR[family]
    inner = Image.new("RGB", (round(pen.pixels(width)), round(pen.pixels(height))))
    field = Pen(inner, pen.pixels(1))
    frame = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    field.gradient(frame, [(0, mix(colour, KEY, 0.38)), (0.5, colour), (1, mix(colour, KEY, 0.48))])
    _PATTERNS[family](field, colour)
    field.poly(frame, None, KEY, 1.2)
    inset = [(5.0, 5.0), (width - 5, 5.0), (width - 5, height - 5), (5.0, height - 5)]
    field.poly(inset, None, mix(colour, PAPER_LIGHT, 0.55), 1.2)
    plate = mix(colour, KEY, 0.5 if family is Family.BUILDING else 0.28)
    emblem = field.at(width / 2, height / 2)
    emblem.ellipse(1.2, 2.4, 39, 39, KEY, None)
    emblem.ellipse(0, 0, 39, 39, plate, KEY, 1.6)
    emblem.ellipse(0, 0, 35.4, 35.4, PAPER_LIGHT, None)
    emblem.ellipse(0, 0, 33.8, 33.8, plate, None)
    icons.FAMILY[family](emblem.at(0, 0, 2.5), PAPER_LIGHT, plate)
    for y in (30, height - 30):
        text(field, width / 2, y, icons.FAMILY_KANJI[family], "brush", 30, PAPER_LIGHT, outline=(1.2, plate))
    pen.image.paste(inner, (round(pen.pixels(_BORDER)), round(pen.pixels(_BORDER))))


def _hemp_leaf(field: Pen, colour: Colour) -> None:
    """Draw the pattern asanoha (hemp leaves): six-pointed stars of thin lines."""
    line = mix(colour, PAPER_LIGHT, 0.34)
    step = 12
    for row in range(-1, 14):
        for column in range(-1, 8):
            x, y = column * step * 1.732 + (step * 0.866 if row % 2 else 0), row * step * 1.5
            for at in range(6):
                angle = at * math.tau / 6 + math.pi / 2
                field.line([(x, y), (x + math.cos(angle) * step, y + math.sin(angle) * step)], line, 0.8)
                edge = angle + math.tau / 12
                near = (x + math.cos(edge) * step * 0.577, y + math.sin(edge) * step * 0.577)
                for corner in (angle, angle + math.tau / 6):
                    tip = (x + math.cos(corner) * step, y + math.sin(corner) * step)
                    field.line([near, tip], line, 0.55)


def _arrow_feathers(field: Pen, colour: Colour) -> None:
    """Draw the pattern yagasuri (arrow feathers): columns of fletchings."""
    light, dark = mix(colour, PAPER_LIGHT, 0.2), mix(colour, KEY, 0.3)
    for column in range(-1, 10):
        for row in range(-2, 12):
            x, y = column * 14, row * 22 + (11 if column % 2 else 0)
            for side, shade in ((0, light), (7, mix(light, colour, 0.45))):
                near, far = (y, y + 7) if side == 0 else (y + 7, y)
                field.poly(
                    [(x + side, near), (x + side + 7, far), (x + side + 7, far + 11), (x + side, near + 11)],
                    shade,
                    None,
                )
        field.line([(column * 14 + 7, 0), (column * 14 + 7, CARD_HEIGHT)], dark, 0.6)


def _check(field: Pen, colour: Colour) -> None:
    """Draw the pattern ichimatsu (a check of squares)."""
    for row in range(16):
        for column in range(9):
            if (row + column) % 2:
                x, y = column * 15 - 7.5, row * 15 - 7.5
                field.poly([(x, y), (x + 15, y), (x + 15, y + 15), (x, y + 15)], mix(colour, KEY, 0.3), None)


def _scale_waves(field: Pen, colour: Colour) -> None:
    """Draw the pattern seigaiha (waves): overlapping fans."""
    line, ground = mix(colour, PAPER_LIGHT, 0.38), mix(colour, KEY, 0.14)
    radius = 12
    for row in range(-1, 40):
        for column in range(-1, 7):
            x, y = column * 2 * radius + (radius if row % 2 else 0), row * radius * 0.5
            for size in (1, 0.68, 0.36):
                field.ellipse(x, y, radius * size, radius * size, line, None)
                field.ellipse(x, y, radius * size - 0.95, radius * size - 0.95, ground, None)


_PATTERNS = {
    Family.TREE: _hemp_leaf,
    Family.CHARACTER: _arrow_feathers,
    Family.BUILDING: _check,
    Family.ANIMAL: _scale_waves,
}


# -------------------------------------------------------------------------------------- whole cards


def whole_card(seen: str, scale: float) -> Image.Image:
    """Return a card as a view shows it: its front with both halves, or its back; 126 by 224 units.

    On the front the Print half shows its Season in the upper left corner, the Landscapes it demands below
    that, and its Harmony in the upper right corner. The image is shared: do not draw on it.
    """
    if is_back(seen):
        return card_back(seen, scale)
    return SPRITES.get(("card", seen, scale), lambda: _front(CARDS[seen], scale))


def _front(card: Card, scale: float) -> Image.Image:
    """Draw the front of a card: Print half, Studio half and the signs on the Print half."""
    image = Image.new("RGB", (round(CARD_WIDTH * scale), round(CARD_HEIGHT * scale)), PAPER_LIGHT)
    top = round(_BORDER * scale)
    image.paste(print_half(card.id, scale=scale), (top, top))
    below = round((_BORDER + _PRINT_HEIGHT + _DIVIDER) * scale)
    # The halves are not kept beside the card.
    studio = _draw_studio_half(card.id, scale, STUDIO_WIDTH, STUDIO_HEIGHT, None, None)
    image.paste(studio, (top, below), studio)
    signs = sprite(STUDIO_WIDTH, _PRINT_HEIGHT, scale, lambda pen: _demands(pen, card))
    image.paste(signs, (top, top), signs)
    image.putalpha(rounded(image.width, image.height, round(5 * scale)))
    return image


def _demands(pen: Pen, card: Card) -> None:
    """Draw the signs on a Print half: Season, demanded Landscapes and Harmony."""
    icons.season_seal(pen.at(15, 15), card.season, 12)
    for at in range(card.print_count):
        icons.landscape_sign(pen.at(15, 43 + at * 27), card.print_landscape, 10.8, tinted=False)
    if card.print_harmony:
        icons.harmony(pen.at(104, 15), card.print_harmony, 12.5)
    pen.rounded(0, 0, STUDIO_WIDTH, _PRINT_HEIGHT, 0.5, None, KEY, 1.1)


def mark_print(board: Board, cards: Sequence[str], x: float, y: float, size: float = 1) -> None:
    """Draw the Harmony of each card and a notch at each border on a strip of a Print at (x, y).

    ``size`` is that of the strip, 1 for cards 120 units wide.
    """
    width, height = STUDIO_WIDTH * size, _PRINT_HEIGHT * size
    for at, card in enumerate(cards):
        left = x + at * width
        if at:
            for top in (y, y + height - 9 * size):
                board.plate(Box(left - 0.5 * size, top, size, 9 * size), PAPER_LIGHT)
        if card in CARDS and (value := CARDS[card].print_harmony):
            radius = 12.5 * size
            board.sign(
                ("harmony", value),
                left + 104 * size,
                y + 15 * size,
                radius,
                lambda pen, v=value, r=radius: icons.harmony(pen, v, r),
            )


# ----------------------------------------------------------------------------------------- Diplomas

SCROLL_WIDTH, SCROLL_HEIGHT = 96, 150
SLIP_WIDTH, SLIP_HEIGHT = 34, 46


def diploma_slip(diploma: str, scale: float, width: float = SLIP_WIDTH) -> Image.Image:
    """Return a small Diploma, as a player holds it: category and points, ``width`` units wide, 34 : 46."""
    held = DIPLOMAS[diploma]
    size = width / SLIP_WIDTH

    def draw(pen: Pen) -> None:
        colour = icons.CATEGORY_COLOUR[held.category]
        slip = pen.at(0, 0, size)
        slip.rounded(2, 3, 30, 40, 1, KEY)
        slip.rounded(3.2, 4, 27.6, 38, 0.6, PAPER_LIGHT)
        slip.rounded(5, 6.4, 24, 17.6, 0.6, colour)
        icons.CATEGORY[held.category](slip.at(17, 15.2, 0.74), PAPER_LIGHT, colour)
        text(slip, 17, 33, str(held.points), "number", 18, KEY)
        for y in (1, 40):
            slip.rounded(0, y, 34, 5, 2, KEY)
            slip.rounded(1, y + 0.9, 32, 3.2, 1.4, colour)

    return SPRITES.get(
        ("slip", diploma, width, scale), lambda: sprite(width, SLIP_HEIGHT * size, scale, draw)
    )


def diploma_scroll(diploma: str, scale: float) -> Image.Image:
    """Return a Diploma on display, 96 by 150 units: its demand above, its points and its bonus below."""
    shown = DIPLOMAS[diploma]
    return SPRITES.get(
        ("scroll", diploma, scale),
        lambda: sprite(SCROLL_WIDTH, SCROLL_HEIGHT, scale, lambda pen: _scroll(pen, shown)),
    )


def _scroll(pen: Pen, shown: Diploma) -> None:
    """Draw a Diploma as a hanging scroll."""
    colour = icons.CATEGORY_COLOUR[shown.category]
    pen.rounded(5, 8, SCROLL_WIDTH - 10, SCROLL_HEIGHT - 14, 1, KEY)
    pen.rounded(6.4, 8, SCROLL_WIDTH - 12.8, SCROLL_HEIGHT - 14, 0.6, PAPER_LIGHT)
    pen.gradient(
        [(10, 17), (86, 17), (86, 96), (10, 96)],
        [(0, mix(colour, KEY, 0.12)), (1, mix(colour, PAPER_LIGHT, 0.1))],
    )
    pen.poly([(10, 17), (86, 17), (86, 96), (10, 96)], None, KEY, 1.1)
    _asked(pen, shown, colour)
    points_x = 48 if shown.bonus is None else 30
    text(pen, points_x, 118, str(shown.points), "number", 40, KEY)
    if shown.bonus is not None:
        icons.bonus_sign(pen.at(67, 118), shown.bonus, 16)
    for y in (3, SCROLL_HEIGHT - 14):
        pen.rounded(0, y, SCROLL_WIDTH, 11, 5, KEY)
        pen.rounded(1.4, y + 1.4, SCROLL_WIDTH - 2.8, 8.2, 4, mix(colour, KEY, 0.1))
        pen.rounded(4, y + 2.6, SCROLL_WIDTH - 8, 2, 1, mix(colour, PAPER_LIGHT, 0.45))


_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((29, 50), (67, 50)),
    3: ((48, 39), (28, 72), (68, 72)),
    4: ((29, 38), (67, 38), (29, 74), (67, 74)),
    5: ((23, 39), (48, 39), (73, 39), (35, 74), (61, 74)),
}
_SIZES = {2: 1.7, 3: 1.5, 4: 1.45, 5: 1.16}


def _asked(pen: Pen, shown: Diploma, colour: Colour) -> None:
    """Draw the demand of a Diploma as signs; a sign between them says "different" or "identical"."""
    if shown.category is Category.ANIMAL:
        for (x, y), animal in zip(_SPOTS[shown.count], shown.animals, strict=True):
            icons.ANIMAL[animal](pen.at(x, y + 2, _SIZES[shown.count]), PAPER_LIGHT, colour)
        return
    spots = _SPOTS[shown.count]
    for x, y in spots:
        if shown.category is Category.LANDSCAPE:
            icons.landscape_sign(pen.at(x, y), Landscape.JOKER, 8.2 * _SIZES[shown.count])
        else:
            icons.CATEGORY[shown.category](pen.at(x, y, _SIZES[shown.count]), PAPER_LIGHT, colour)
    if shown.category in (Category.BUILDING, Category.CHARACTER, Category.LANDSCAPE):
        same = shown.same or shown.category is Category.LANDSCAPE
        _compare(pen.at(48, 84 if shown.count == 2 else 57), same)


def _compare(pen: Pen, same: bool) -> None:
    """Draw an equals sign on a gold disc, struck through for "different"."""
    pen.ellipse(0, 0, 8.6, 8.6, GOLD_LIGHT, KEY, 1.1)
    for y in (-2, 2):
        pen.line([(-4.4, y), (4.4, y)], KEY, 1.7)
    if not same:
        pen.line([(-2.6, 5.4), (2.6, -5.4)], KEY, 1.7)
