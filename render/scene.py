"""The drawing of one Print half as two layers: the *ground*, which its neighbours continue, and the *figure*.

A Print is one landscape without borders. So everything that meets a border (ridges, water, mist, the
contour of the ground) depends only on the global x, which counts units over the whole Print, row after row,
or on the two neighbouring Landscapes. Both neighbours then draw the same there. Each ground is drawn
:data:`BLEED` units too wide on both sides and fades into the next one in that strip. The figure is
everything that belongs to one card alone. It is laid on top after all grounds have been joined, so that no
figure shines through another card.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw

from kanagawa.cards import CARDS, START_TILES, Landscape, Season
from render import subjects
from render.ink import Pen, Point, bezier, bokashi, chance, circle, hills, noise, smooth, spline, star, wood
from render.lettering import text
from render.palette import (
    FOAM,
    GOLD_LIGHT,
    KEY,
    PAPER_LIGHT,
    RED,
    SEASONS,
    SNOW,
    WHITE,
    Colour,
    Tones,
    hexa,
    mix,
)

WIDTH, HEIGHT = 120, 150
#: The width that a ground is drawn beyond its card on each side, in units.
BLEED = 19
#: The y of the line between sky and water, and of a subject's feet.
HORIZON = 78
FEET, FEET_ON_ROCK = 131, 128

_LEVEL = {Landscape.FOREST: 104, Landscape.PLAIN: 100, Landscape.MOUNTAIN: 103, Landscape.OCEAN: 154}
_CENTRE = {Landscape.FOREST: 111, Landscape.PLAIN: 91, Landscape.MOUNTAIN: 110, Landscape.OCEAN: 162}
_SPAN = range(-BLEED - 2, WIDTH + BLEED + 3, 2)
_LEFT, _RIGHT, _BELOW = -BLEED - 2, WIDTH + BLEED + 2, HEIGHT + 2

_WET = (Season.SPRING, Season.SUMMER, Season.STORM)


class Spot(NamedTuple):
    """A card at its place in a Print.

    ``slot`` is its position; the Start tile has 0. ``left`` and ``right`` are the Landscapes of its
    neighbours, or its own where it has no neighbour. ``amount`` is how many Landscapes it demands, 1 or 2.
    """

    card: str
    season: Season
    land: Landscape
    amount: int
    subject: str | None
    trees: int
    slot: int
    left: Landscape
    right: Landscape

    @property
    def tones(self) -> Tones:
        """The colours of the card's Season."""
        return SEASONS[self.season]

    @property
    def seed(self) -> int:
        """The seed of the card's own details, which depends on its ID only."""
        return sum(ord(letter) * 31**at for at, letter in enumerate(self.card)) % 9973

    @property
    def start(self) -> int:
        """The global x of the card's left border."""
        return self.slot * WIDTH

    def level(self, x: float) -> float:
        """Return the y of the ground's contour at a local x; both neighbours of a border get the same."""
        west, east = (_LEVEL[self.left] + _LEVEL[self.land]) / 2, (_LEVEL[self.right] + _LEVEL[self.land]) / 2
        centre, half = _CENTRE[self.land], WIDTH / 2 - BLEED
        if x < WIDTH / 2:
            base = west + (centre - west) * smooth((x - BLEED) / half)
        else:
            base = centre + (east - centre) * smooth((x - WIDTH / 2) / half)
        at = self.start + x
        return base + 5 * (hills(at / 46, 5) - 0.5) + 1.2 * (noise(at / 7, 9) - 0.5)


def landscape(card: str) -> Landscape:
    """Return the Landscape of a card's Print half, or of a Start tile."""
    return START_TILES[card].studio_landscape if card in START_TILES else CARDS[card].print_landscape


def spot(card: str, slot: int, left: str | None, right: str | None) -> Spot:
    """Return a card or Start tile at a slot, with the cards left and right of it, if any."""
    land = landscape(card)
    west, east = (land if other is None else landscape(other) for other in (left, right))
    if card in START_TILES:
        return Spot(card, START_TILES[card].season, land, 1, None, 0, slot, west, east)
    shown = CARDS[card]
    return Spot(card, shown.season, land, shown.print_count, shown.subject, shown.trees, slot, west, east)


# The ground ------------------------------------------------------------------------------------------


def backdrop(where: Spot, k: int) -> Image.Image:
    """Draw the part of a ground that does not depend on neighbours: sky, ridges, bay, mists, cedars."""
    image = Image.new("RGB", ((WIDTH + 2 * BLEED) * k, HEIGHT * k))
    pen = Pen(image, k, BLEED)
    _sky(pen, where)
    _sun(pen, where)
    _ridges(pen, where)
    _peaks(pen, where)
    _bay(pen, where)
    _mists(pen, where)
    if where.land is Landscape.FOREST:
        _cedars(pen, where)
    return image


def ground(where: Spot, k: int, behind: Image.Image | None = None) -> Image.Image:
    """Draw the ground of a card at ``k`` pixels per unit, BLEED units too wide on both sides.

    ``behind`` is its :func:`backdrop`; it is drawn now if it is not given.
    """
    image = backdrop(where, k) if behind is None else behind.copy()
    pen = Pen(image, k, BLEED)
    _land(pen, where)
    if where.land is Landscape.PLAIN:
        _paddies(pen, where)
    pen.line(_contour(where), KEY, 1.25)
    _grass(pen, where)
    return image


def _sky(pen: Pen, where: Spot) -> None:
    """Draw the sky with wood grain, which is strongest in storms."""
    k, (top, middle, low) = int(pen.k), where.tones.sky
    size = (pen.image.width, HORIZON * k)
    sky = bokashi(size, [(0, top), (0.16, mix(top, middle, 0.35)), (0.42, middle), (1, low)])
    depth = {Season.STORM: 36, Season.SUMMER: 18}.get(where.season, 12)
    pen.image.paste(wood(sky, depth, (where.start - BLEED) * k), (0, 0))


def _sun(pen: Pen, where: Spot) -> None:
    """Draw a sun or moon on Start tiles and on cards without a subject, except in storms."""
    if where.subject or where.trees or where.season is Season.STORM:
        return
    if where.card in START_TILES:
        x, y, r = 36, 40, 14
    else:
        x, y, r = 101, 24 + 8 * chance(where.seed, 6), 9.5
    colour = {
        Season.SPRING: hexa("#E4604A"),
        Season.SUMMER: hexa("#E2543A"),
        Season.AUTUMN: hexa("#FBF0D2"),
        Season.WINTER: hexa("#F8F4E6"),
    }[where.season]
    pen.glaze(circle(x, y, r * 1.5, r * 1.5), mix(colour, where.tones.sky[2], 0.4), 90, blur=3)
    pen.ellipse(x, y, r, r, colour, None)


def ridge(at: float, seed: int, height: float, base: float) -> float:
    """Return the y of a far ridge at a global x."""
    return base - height * hills(at / 70, seed) - height * 0.35 * abs(noise(at / 23, seed + 3) - 0.5)


def _ridges(pen: Pen, where: Spot) -> None:
    """Draw two far ridges along the horizon."""
    tones = where.tones
    for colour, seed, height, base, foot, ink in (
        (tones.far, 21, 17, HORIZON - 3, HORIZON + 2, 0.28),
        (tones.near, 44, 9, HORIZON - 1, HORIZON + 5, 0.4),
    ):
        line = [(float(x), ridge(where.start + x, seed, height, base)) for x in _SPAN]
        pen.gradient([*line, (_RIGHT, foot), (_LEFT, foot)], [(0, colour), (1, mix(colour, tones.mist, 0.7))])
        pen.line(line, mix(colour, KEY, ink), 0.75)


def _peaks(pen: Pen, where: Spot) -> None:
    """Draw one peak, or two for two mountains, if the card demands mountains."""
    if where.land is not Landscape.MOUNTAIN:
        return
    seed, base = where.seed, HORIZON + 2
    empty = not where.subject and not where.trees
    if where.card in START_TILES:
        _peak(pen, where, 40, base, 104, 58, seed)  # beside the title
    elif empty and where.season is not Season.STORM:
        _peak(pen, where, 72 - 10 * chance(seed, 3), base, 134, 58 + 10 * chance(seed, 4), seed)
    elif empty:
        _peak(pen, where, 56, base, 128, 69, seed)
    elif where.amount == 1:
        _peak(pen, where, 60 + (chance(seed) - 0.5) * 14, base, 122, 58, seed)
    else:
        _peak(pen, where, 35, base, 84, 42, seed + 1)
        _peak(pen, where, 80, base, 98, 59, seed)


def _peak(pen: Pen, where: Spot, x: float, base: float, width: float, height: float, seed: int) -> None:
    """Draw a concave mountain with a shaded side, a zigzag of snow, and its foot in the mist."""
    deep, top = where.tones.peak, base - height
    pale = mix(deep, where.tones.mist, 0.82)
    left = bezier(
        (x - width / 2, base), (x - width * 0.13, base - height * 0.36), (x - width * 0.05, top + 0.5), 12
    )
    right = bezier(
        (x + width * 0.055, top), (x + width * 0.14, base - height * 0.34), (x + width / 2, base), 12
    )
    rim = [(x - width * 0.015, top + 1.3), (x + width * 0.02, top + 0.7)]
    pen.gradient(left + rim + right, [(0, deep), (0.45, mix(deep, pale, 0.3)), (1, pale)])
    shaded = [
        (x + width * 0.01, top + 1),
        *right,
        (x + width * 0.2, base),
        (x + width * 0.06, base - height * 0.3),
    ]
    shaded += [(x + width * 0.09, base - height * 0.45), (x + width * 0.02, base - height * 0.62)]
    pen.gradient(shaded, [(0, mix(deep, KEY, 0.4)), (0.5, mix(deep, pale, 0.2)), (1, pale)])
    _snow_cap(pen, where, x, top, width, height, left, right, rim, seed)
    pen.line(left[3:] + rim + right[:-3], mix(KEY, deep, 0.25), 1.25)
    for i in range(5):
        at = x + (chance(i, seed + 4) - 0.5) * width * 0.36
        y = top + height * (0.5 + 0.18 * chance(i, seed + 2))
        fold = [(at, y), (at + (at - x) * 0.18, y + height * 0.13), (at + (at - x) * 0.4, y + height * 0.24)]
        pen.brush(fold, 1.3, 0.3, mix(deep, KEY, 0.45))


def _snow_cap(
    pen: Pen,
    where: Spot,
    x: float,
    top: float,
    width: float,
    height: float,
    left: list[Point],
    right: list[Point],
    rim: list[Point],
    seed: int,
) -> None:
    """Draw the snow on a peak with a zigzag edge; ``left``, ``rim`` and ``right`` are the peak's outline."""
    snow = SNOW if where.season is not Season.STORM else hexa("#D5DAD8")
    line = top + height * 0.34 * (1.25 if where.season is Season.WINTER else 1)
    x0 = min(right, key=lambda point: abs(point[1] - line))[0]
    x1 = min(left, key=lambda point: abs(point[1] - line))[0]
    fingers = 7
    edge = [(x0, line)]
    for i in range(1, fingers):
        drop = height * 0.13 * (1 if i % 2 else -0.5) * (0.6 + 0.8 * chance(i, seed))
        edge.append((x0 + (x1 - x0) * i / fingers, line + drop))
    edge.append((x1, line))
    cap_left = [point for point in left if point[1] <= line]
    cap_right = [point for point in right if point[1] <= line]
    pen.poly(cap_left + rim + cap_right + edge, snow, None)
    shade = [rim[1], *cap_right, *edge[:3], (x + width * 0.015, top + height * 0.14)]
    pen.poly(shade, mix(snow, where.tones.peak, 0.35), None)
    pen.line(edge, mix(where.tones.peak, KEY, 0.5), 0.6)


def _bay(pen: Pen, where: Spot) -> None:
    """Draw water from the horizon to the shore: dark far away, pale in the middle, with ripples."""
    k, (deep, pale) = int(pen.k), where.tones.water
    size = (pen.image.width, (HEIGHT - HORIZON) * k)
    wash = bokashi(size, [(0, deep), (0.1, deep), (0.5, pale), (1, mix(pale, deep, 0.85))])
    pen.image.paste(wash, (0, HORIZON * k))
    pen.line([(_LEFT, HORIZON), (_RIGHT, HORIZON)], mix(deep, KEY, 0.5), 0.9)
    near, far = mix(deep, pale, 0.25), mix(pale, WHITE, 0.45)
    rows = 15 if where.land is Landscape.OCEAN else 9
    for row in range(rows):
        y = HORIZON + 2 + row * 4.6 + row * row * 0.12
        first = (where.start - BLEED) // 26 - 1
        for cell in range(first, first + 9):
            weight = chance(cell, 60 + row)
            if weight > 0.55:
                x, length = cell * 26 + chance(cell, 90 + row) * 18 - where.start, 7 + 13 * weight
                _stroke(pen, x, y, length, far if row < 5 else near)


@lru_cache(maxsize=256)
def _mist_mask(length: int, thick: int, alpha: int) -> Image.Image:
    """Return three capsules as one mask, which fades towards the bottom; in one mask no overlap shows."""
    size = (round(length * 1.24), round(thick * 3))
    mask = Image.new("L", size)
    draw = ImageDraw.Draw(mask)
    for dx, dy, share in ((0, 0, 1.0), (0.24, -0.82, 0.5), (-0.16, 0.82, 0.56)):
        cx, cy, half = size[0] / 2 + dx * length, size[1] / 2 + dy * thick, share * length / 2
        box = (cx - half, cy - thick / 2, cx + half, cy + thick / 2)
        draw.rounded_rectangle(box, radius=thick / 2, fill=255)
    fade = Image.linear_gradient("L").resize(size)
    table = [int(alpha * (1 - 0.55 * smooth((v - 90) / 165))) for v in range(256)]
    return ImageChops.multiply(mask, fade.point(table))


def _mist(pen: Pen, x: float, y: float, length: float, thick: float, colour: Colour, alpha: int) -> None:
    """Draw a band of mist as in woodblock prints: flat, with round ends, in steps."""
    mask = _mist_mask(round(length * pen.k), round(thick * pen.k), alpha)
    cx, cy = pen.place(x, y)
    pen.image.paste(colour, (int(cx - mask.width / 2), int(cy - mask.height / 2)), mask)


def _mists(pen: Pen, where: Spot) -> None:
    """Draw bands of mist at places that depend on the global x."""
    tones = where.tones
    first = (where.start - BLEED) // 90 - 1
    for cell in range(first, first + 5):
        x, length = cell * 90 + chance(cell, 71) * 50 - where.start, 84 + 8 * int(7 * chance(cell, 72))
        _mist(pen, x, HORIZON + 5 + 4 * chance(cell, 73), length, 3.8, tones.mist, 190)
        if chance(cell, 75) > 0.35 and where.season is not Season.STORM:
            high = 70 + 8 * int(5 * chance(cell, 76))
            y = 33 + 16 * chance(cell, 74)
            _mist(pen, x + 40, y, high, 4, mix(tones.sky[2], tones.mist, 0.5), 150)


def _cedars(pen: Pen, where: Spot) -> None:
    """Draw rows of cedars in the mist, one row for each forest that the card demands; a storm bends them."""
    rows = ((HORIZON + 18, 30, 13, 9),) if where.amount == 1 else (
        (HORIZON + 13, 27, 9.5, 12),
        (HORIZON + 23, 38, 12.5, 9),
    )  # fmt: skip
    winter = where.season is Season.WINTER
    dark, pale = where.tones.cedar
    outline = mix(KEY, pale if winter else dark, 0.45 if winter else 0.35)
    for row, (base, tall, wide, count) in enumerate(rows):
        behind = row < len(rows) - 1
        tone = mix(dark, pale, (0.22 if behind else 0) + (0.42 if winter else 0))
        for i in range(count):
            x = 3 + (WIDTH - 6) * (i + 0.5) / count + (chance(i, where.seed + row) - 0.5) * 5
            small = 0.5 + 0.5 * smooth(min(x, WIDTH - x) / 34)
            if where.amount == 1 and abs(x - 60) < 15 and (where.subject or where.trees):
                small *= 0.86
            size = small * (0.8 + 0.4 * chance(i, where.seed + row + 1))
            y = base + 3 + (chance(i, where.seed + 3) - 0.5) * 3
            _cedar(pen, where, x, y, tall * size, wide * (0.75 + 0.25 * small), tone, outline)
    _mist(pen, 60, HORIZON + 25, 94, 6, where.tones.mist, 215)


def _cedar(
    pen: Pen, where: Spot, x: float, y: float, tall: float, wide: float, tone: Colour, outline: Colour
) -> None:
    """Draw a cedar with its foot at (x, y), with snow in winter, bent in a storm."""
    tiers, pale = 6, where.tones.cedar[1]
    bend = tall * 0.22 if where.season is Season.STORM else 0.0

    def lean(t: float) -> float:  # the wind bends the top (t = 0) and not the foot (t = 1)
        return -bend * (1 - t) ** 1.6

    left: list[Point] = []
    right: list[Point] = []
    for tier in range(tiers + 1):
        t = tier / tiers
        reach = wide * (0.12 + 0.88 * t**0.85) * 0.5
        level = y - tall + tall * t
        left.append((x + lean(t) - reach, level))
        right.append((x + lean(t) + reach, level))
        if tier < tiers:
            left.append((x + lean(t) - reach * 0.62, level - 0.2))
            right.append((x + lean(t) + reach * 0.62, level - 0.2))
    pen.line([(x, y + 4), (x, y - 4)], outline, 2.2)
    shape = [(x + lean(0), y - tall - 3), *left, (x, y + 1), *right[::-1]]
    pen.gradient(shape, [(0, tone), (0.55, mix(tone, pale, 0.25)), (1, pale)], outline, 1.0)
    for tier in range(1, tiers):
        t = tier / tiers
        reach, level = wide * t * 0.3, y - tall + tall * t
        cut = [(x + lean(t) - reach * 0.7, level + 1), (x + lean(t) - reach * 0.1, level - 1.2)]
        pen.line(cut, mix(tone, KEY, 0.35), 0.6)
    if where.season is Season.WINTER:
        for tier in range(1, tiers + 1):
            t = tier / tiers
            reach, level = wide * (0.12 + 0.88 * t**0.85) * 0.5, y - tall + tall * t
            pen.brush([(x - reach, level), (x - reach * 0.3, level - 3.6), (x, level - 5)], 1.8, 0.6, SNOW)


@lru_cache(maxsize=64)
def _levels(where: Spot) -> dict[int, float]:
    """Return the y of the ground's contour at every x of the span."""
    return {x: where.level(x) for x in _SPAN}


def _contour(where: Spot) -> list[Point]:
    """Return the ground's contour as a smooth line."""
    return spline([(float(x), y) for x, y in _levels(where).items()], steps=3)


def _land(pen: Pen, where: Spot) -> None:
    """Draw the ground below its contour, with a darker second wave."""
    light, middle, dark = where.tones.ground
    pen.gradient(
        [*_contour(where), (_RIGHT, _BELOW), (_LEFT, _BELOW)], [(0, light), (0.45, middle), (1, dark)]
    )
    winter = where.season is Season.WINTER
    depth, roll, length, share = (9, 3, 15, 0.55) if winter else (10, 5, 19, 0.75)
    second = [
        (float(x), y + depth + roll * hills((where.start + x) / length, 3)) for x, y in _levels(where).items()
    ]
    pen.gradient([*second, (_RIGHT, _BELOW), (_LEFT, _BELOW)], [(0, mix(light, middle, share)), (1, dark)])


def _paddies(pen: Pen, where: Spot) -> None:
    """Draw terraces along the contour: three for one plain, five for two.

    Every second terrace is flooded in a wet Season.
    """
    tones, season, depth = where.tones, where.season, 30
    bands = 3 if where.amount == 1 else 5
    light, middle, dark = tones.ground
    xs, levels = range(_LEFT, _RIGHT + 1, 4), _levels(where)

    def edge(share: float) -> list[Point]:
        return spline([(float(x), levels[x] + depth * share) for x in xs], steps=2)

    for band in range(bands):
        odd = band % 2
        if season is Season.AUTUMN:
            colour = mix(hexa("#E8C25A"), hexa("#C79339"), 0.2 if odd else 0.9)
        elif season in _WET and odd == (where.amount == 1):
            colour = mix(tones.water[1], tones.mist, 0.35)
        else:
            colour = mix(light, middle, 0.15 if odd else 0.85)
        lower = edge((band + 1) / bands)
        pen.poly(edge(band / bands) + lower[::-1], colour, None)
        pen.line(lower, mix(dark, KEY, 0.35), 0.8)
        _rice(pen, where, band, bands, depth)


def _rice(pen: Pen, where: Spot, band: int, bands: int, depth: float) -> None:
    """Draw rice plants along a terrace, number ``band`` of ``bands``; winter has only a few."""
    dark = where.tones.ground[2]
    ink = hexa("#7E4E1F") if where.season is Season.AUTUMN else mix(dark, KEY, 0.1)
    step = 6
    first = (where.start - BLEED) // step - 1
    for cell in range(first, first + (WIDTH + 2 * BLEED) // step + 3):
        if where.season is Season.WINTER and cell % 3:
            continue
        x = cell * step + (band % 2) * 3 - where.start
        y = where.level(x) + depth * (band + 0.5) / bands + 2
        for dx in (-1.1, 0.1, 1.3):
            pen.line([(x, y), (x + dx, y - 3.4)], ink, 0.6)


def _grass(pen: Pen, where: Spot) -> None:
    """Draw tufts along the contour and strokes on the ground, at places that depend on the global x."""
    if where.land is Landscape.OCEAN:
        return
    dark = where.tones.ground[2]
    tuft, stroke = mix(dark, KEY, 0.4), mix(dark, KEY, 0.25)
    first = (where.start - BLEED) // 8 - 1
    for cell in range(first, first + 23):
        x = cell * 8 + chance(cell, 31) * 6 - where.start
        y = where.level(x)
        if chance(cell, 32) > 0.45 and y < 132:
            for dx in (-1.6, 0.0, 1.6):
                _blade(pen, x, y + 1.5, x + dx, y - 3.2 + abs(dx) * 0.4, tuft)
        if chance(cell, 34) > 0.5 and where.land is not Landscape.PLAIN:
            low = y + 12 + chance(cell, 33) * 22
            _stroke(pen, x - 4, low, 8, stroke)


def _blade(pen: Pen, x: float, y: float, tip_x: float, tip_y: float, colour: Colour) -> None:
    """Draw a blade of grass as a triangle, which is fast: there are hundreds."""
    pen.poly([(x - 0.55, y), (tip_x, tip_y), (x + 0.55, y)], colour, None)


def _stroke(pen: Pen, x: float, y: float, length: float, colour: Colour) -> None:
    """Draw a flat stroke, thicker in the middle, from few points, which is fast: there are hundreds."""
    crown = y - 1.0
    outline = [(x, y), (x + length * 0.3, crown - 0.3), (x + length * 0.7, crown - 0.3), (x + length, y)]
    pen.poly([*outline, (x + length * 0.65, crown + 0.7), (x + length * 0.35, crown + 0.7)], colour, None)


# The figure ------------------------------------------------------------------------------------------


def tint(where: Spot, under: Image.Image, k: int) -> None:
    """Draw on the ground what lies behind the figure: halo and shade of a subject, or a thunderstorm."""
    back = Pen(under, k, BLEED)
    if where.subject or where.trees:
        _halo(back, where)
    elif where.season is Season.STORM and where.card not in START_TILES:
        _tempest(back, where)


def figure(where: Spot, k: int) -> Image.Image:
    """Draw everything that belongs to this card alone, as RGBA, as large as the ground.

    It is rock and waves, the subject or something in its place, and the weather. Only waves depend on the
    neighbours.
    """
    image = Image.new("RGBA", ((WIDTH + 2 * BLEED) * k, HEIGHT * k))
    pen = Pen(image, k, BLEED)
    if where.land is Landscape.OCEAN:
        _islet(pen, where)
    _flowers(pen, where)
    if where.subject or where.trees:
        _subject(pen, where)
    elif where.card not in START_TILES:
        _unpeopled(pen, where)
    if where.land is Landscape.OCEAN:
        _front_waves(pen, where)
    _weather(pen, where)
    if where.card in START_TILES:  # after the weather, because a flake on a kanji would change the character
        _cartouche(pen, where)
    return image


def _unpeopled(pen: Pen, where: Spot) -> None:
    """Draw something in place of a subject on a card without one."""
    if where.season is Season.STORM:
        _STORMS[where.land](pen, where)
        return
    _geese(pen, where)
    if where.land is Landscape.PLAIN:
        _sheaves(pen, where)
    else:
        _irises(pen, where)


def _islet(pen: Pen, where: Spot) -> None:
    """Draw a rock in the sea with grass on top, and behind it a wave for each ocean that the card demands."""
    tones, winter = where.tones, where.season is Season.WINTER
    dark, light = tones.rock
    if where.amount == 2:
        _wave(pen.at(34, 111, 0.64), tones)
        _wave(pen.at(86, 111, 0.64, flip=-1), tones)
    elif not (where.season is Season.STORM and not where.subject):
        _wave(pen.at(80, 111, 0.68, flip=-1), tones)
    if where.season is Season.STORM and not where.subject and not where.trees:
        return
    if where.card in START_TILES:
        _boat(pen.at(56, 122))
        return
    rock = [(12, 152), (15, 143), (22, 141), (26, 133), (36, 130), (42, 126.5), (60, 125.5)]
    rock += [(78, 126.5), (86, 130.5), (94, 132), (98, 140), (105, 143), (109, 152)]
    pen.poly(rock, light, None)
    for shade in (
        [(26, 133), (36, 130), (33, 140), (24, 152), (15, 152), (22, 141)],
        [(60, 133), (72, 131), (70, 142), (58, 152), (52, 152)],
        [(86, 130.5), (94, 132), (98, 140), (90, 152), (82, 152)],
    ):
        pen.poly(shade, dark, None)
    for crack in (
        [(36, 130), (33, 140), (24, 152)],
        [(42, 127), (46, 140), (42, 151)],
        [(72, 130), (70, 142), (60, 152)],
        [(86, 130.5), (82, 142), (84, 152)],
    ):
        pen.brush(crack, 1.4, 0.5, KEY)
    top = [(24, 134.5), (36, 129), (42, 125.5), (60, 124.5), (78, 125.5), (87, 129.5), (95, 133)]
    top += [(84, 132), (76, 134), (66, 131.5), (54, 134), (44, 131.5), (34, 134)]
    grass = SNOW if winter else tones.ground[0]
    pen.smooth(top, grass, None if winter else mix(tones.ground[2], KEY, 0.4), 0.8)
    pen.line(rock, KEY, 1.4)


def _front_waves(pen: Pen, where: Spot) -> None:
    """Draw small waves before the rock; between two oceans both cards draw one on their border."""
    tones = where.tones
    _wave(pen.at(29, 149, 0.36), tones)
    _wave(pen.at(91, 149, 0.36, flip=-1), tones)
    for x, other in ((0, where.left), (WIDTH, where.right)):
        if other is Landscape.OCEAN:
            _wave(pen.at(x, 150, 0.4), tones)


def _wave(pen: Pen, tones: Tones) -> None:
    """Draw a wave like a claw, 88 units wide and 56 high, its crest to the right."""
    deep, light = tones.water[0], mix(tones.water[1], WHITE, 0.25)
    body = [(-44, 14), (-36, 2), (-26, -9), (-14, -19), (0, -25), (13, -24), (21, -17), (22, -9), (17, -12)]
    body += [(10, -12), (5, -6), (6, 2), (14, 8), (30, 12), (44, 14)]
    outline = spline(body, True)
    # The foot has the colour of the bay and no outline, so that the wave seems to rise from the water.
    pen.gradient(outline, [(0, deep), (0.6, deep), (1, mix(tones.water[1], deep, 0.3))])
    pen.line(outline[4:-18], KEY, 1.3)
    for i in range(5):
        stripe = [
            (-38 + i * 8, 12),
            (-27 + i * 6.4, -3 + i * 1.2),
            (-13 + i * 4, -13 + i * 2.4),
            (i * 1.6, -18 + i * 2.6),
        ]
        pen.brush(stripe, 2.6 - 0.3 * i, 0.7, light if i % 2 == 0 else mix(deep, light, 0.5))
    foam = [(-15, -20, 3.6, 3), (-8, -24, 4.4, 3.8), (0, -27, 5, 4.4), (8, -27, 5, 4.4), (15, -24, 4.6, 4.2)]
    foam += [(20.5, -19, 4, 4), (22.5, -12.5, 3, 3.4), (17, -11, 2.6, 2.6), (11, -12, 2.4, 2.2)]
    pen.lobes(foam, hexa("#C4D8DC"), FOAM, None)
    for i in range(8):
        r = 0.9 + 0.6 * chance(i, 3)
        x, y = 14 + 16 * chance(i, 8), -30 + 26 * chance(i, 9)
        pen.ellipse(x, y, r, r, FOAM, KEY if i % 3 == 0 else None, 0.5)


def _flowers(pen: Pen, where: Spot) -> None:
    """Draw small things of the Season on the ground: flowers, leaves, grass."""
    if where.land is Landscape.OCEAN or where.season is Season.WINTER:
        return
    dark, seed = where.tones.ground[2], where.seed
    for i in range(16):
        x, y = 6 + chance(i, seed + 40) * (WIDTH - 12), 120 + chance(i, seed + 41) * 27
        match where.season:
            case Season.SPRING:
                pen.ellipse(x, y, 1.3, 1.1, hexa("#FBE9E4") if i % 3 else hexa("#F0C64E"), None)
            case Season.AUTUMN:
                pen.poly(star(x, y, 2), hexa("#B23A1E") if i % 2 else hexa("#E8862E"), None)
            case Season.SUMMER if i % 2:
                for dx in (-2.4, 0.0, 2.4):
                    _blade(pen, x, y, x + dx, y - 6 + abs(dx), dark)
            case Season.STORM if i % 2:
                for dx in (-1.0, 1.0, 3.0):
                    _blade(pen, x, y, x - dx - 3, y - 5 + abs(dx), mix(dark, KEY, 0.3))
            case _:
                pass


class _Stand(NamedTuple):
    """The position and size of a subject, and its feet, each as x, y and half the width."""

    name: str
    x: float
    y: float
    size: float
    feet: list[tuple[float, float, float]]


def _stand(where: Spot) -> _Stand:
    """Return where and how large the subject of a card is drawn."""
    name = "tree" if where.trees else where.subject or ""
    x, y = 60.0, float(FEET_ON_ROCK if where.land is Landscape.OCEAN else FEET)
    size = subjects.SCALE[name]
    tuft = 17.0
    if where.trees > 1 and where.land is Landscape.OCEAN:
        # The rock is small and lower at its sides, so the trees are smaller, lower, and with less grass.
        size, y, tuft = 0.92 if where.trees == 3 else size, y + 3, 9.0
    feet = [(x, y, 30.0)]
    if where.trees:
        feet = [(x + dx * size, y + dy * size, tuft) for dx, dy in subjects.stands(where.season, where.trees)]
    return _Stand(name, x, y, size, feet)


def _halo(back: Pen, where: Spot) -> None:
    """Draw a faint halo behind the subject and its shade on the ground."""
    stand, ocean = _stand(where), where.land is Landscape.OCEAN
    tall = 44 if stand.name == "boar" else 60
    glow = mix(where.tones.mist, WHITE, 0.2)
    middle = (FEET_ON_ROCK if ocean else FEET) - tall * 0.52
    alpha = 105 if where.season is Season.STORM else 62
    back.glaze(circle(stand.x, middle, 34, tall * 0.5, 24), glow, alpha, blur=6.5)
    for at, low, half in () if ocean else stand.feet:
        back.glaze(circle(at, low + 1, half, 3.2, 24), mix(where.tones.ground[2], KEY, 0.45), 120)


def _subject(pen: Pen, where: Spot) -> None:
    """Draw the subject, with grass or snow before its feet."""
    stand = _stand(where)
    feet = pen.at(stand.x, stand.y, stand.size)
    subjects.draw(feet, stand.name, where.season, trees=where.trees, seed=where.seed)
    for at, low, half in stand.feet:
        _over_feet(pen, where, at, low, half)


def _over_feet(pen: Pen, where: Spot, x: float, y: float, half: float) -> None:
    """Draw grass or snow before the feet of a subject; ``half`` is half the width."""
    if where.season is Season.WINTER:
        drift = [
            (x - half, y + 4),
            (x - half * 0.5, y + 1.6),
            (x, y + 2.6),
            (x + half * 0.5, y + 1.4),
            (x + half, y + 4),
        ]
        pen.smooth([*drift, (x, y + 5.4)], SNOW, None)
        return
    tuft = mix(where.tones.ground[2], KEY, 0.25)
    count = round(half / 4.5)
    for i in range(count):
        at = x - half + 2 * half * (i + 0.5) / count + 3 * (chance(i, where.seed) - 0.5)
        for dx in (-2.0, 0.0, 2.0):
            _blade(pen, at, y + 3, at + dx, y - 1.4, tuft)


def _cartouche(pen: Pen, where: Spot) -> None:
    """Draw the title of the scroll: a red slip with 神奈川."""
    pen.poly([(82, 15), (104, 15), (104, 85), (82, 85)], hexa("#C9493A"), KEY, 1.3)
    pen.poly([(84.4, 17.4), (101.6, 17.4), (101.6, 82.6), (84.4, 82.6)], None, PAPER_LIGHT, 0.8)
    for i, sign in enumerate("神奈川"):
        text(pen, 93, 29 + i * 21, sign, "brush", 19, PAPER_LIGHT)


def _boat(pen: Pen) -> None:
    """Draw the fishing boat with two oarsmen on the Start tile of the ocean."""
    hull = [(-40, -7), (-30, 3), (-8, 8), (18, 7), (34, 0), (44, -12), (30, -5), (8, -1), (-16, -1)]
    pen.smooth(hull, hexa("#C79A5B"), KEY, 1.4)
    pen.brush([(-34, -1), (-6, 5), (22, 3), (38, -6)], 0.8, 0.8, hexa("#8A5A3A"), middle=2)
    for x, robe in ((-14, hexa("#24558A")), (10, hexa("#A9352B"))):
        pen.smooth([(x - 6, 0), (x - 5, -9), (x, -14), (x + 5, -9), (x + 7, 0)], robe, KEY, 1.1)
        pen.ellipse(x, -17, 3.6, 3.8, hexa("#F1D3AC"), KEY, 1.0)
        pen.smooth([(x - 7, -18.5), (x, -25), (x + 7, -18.5), (x, -19.5)], hexa("#DDB867"), KEY, 1.0)
        pen.line([(x + 3, -8), (x + 16, 12)], KEY, 2.0)
        pen.line([(x + 3, -8), (x + 16, 12)], hexa("#B98A4C"), 0.9)


def _geese(pen: Pen, where: Spot) -> None:
    """Draw geese that fly across the sky, for cards without a subject."""
    ink = mix(KEY, where.tones.sky[0], 0.1)
    for i in range(6):
        x, y = 8 + i * 5.2, 20 + 4.6 * abs(i - 2) + 1.5 * chance(i, where.seed)
        size = 0.72 + 0.2 * chance(i, where.seed + 1)
        pen.brush([(x - 6 * size, y - 2.6), (x - 2.4 * size, y - 3.2), (x, y)], 0.4, 1.5, ink)
        pen.brush([(x, y), (x + 2.6 * size, y - 3.6), (x + 6.4 * size, y - 2.4)], 1.5, 0.4, ink)
        pen.brush([(x - 1.2, y + 0.6), (x + 1.6, y + 0.2), (x + 4.2, y - 0.6)], 1.8, 0.8, ink)


def _irises(pen: Pen, where: Spot) -> None:
    """Draw irises, or frosted stalks in winter, in the foreground of cards without a subject."""
    winter = where.season is Season.WINTER
    leaf = mix(where.tones.ground[2], KEY, 0.45 if winter else 0.3)
    for i in range(11):
        x, y = (
            12 + 96 * (i + 0.5) / 11 + 6 * (chance(i, where.seed + 90) - 0.5),
            146 + 4 * chance(i, where.seed + 91),
        )
        tall = 15 + 15 * chance(i, where.seed + 92)
        for dx in (-6.0, -2.5, 3.0, 6.5):
            pen.brush([(x, y), (x + dx * 0.4, y - tall * 0.6), (x + dx, y - tall * 0.9)], 2.2, 0.4, KEY)
            pen.brush([(x, y), (x + dx * 0.4, y - tall * 0.6), (x + dx, y - tall * 0.9)], 1.3, 0.3, leaf)
        bloom = pen.at(x, y - tall, 0.8 + 0.3 * chance(i, where.seed + 93))
        bloom.line([(0, 0), (0, tall * 0.5)], leaf, 1.0)
        petals = [(-3.4, 1.2, 3.2, 2.0), (3.4, 1.2, 3.2, 2.0), (0, -2.4, 2.4, 3.4)]
        if winter:
            bloom.lobes(petals, hexa("#B9C6CF"), SNOW, None, width=0.9)
        else:
            bloom.lobes(petals, hexa("#3F3F8C"), hexa("#6A63B8"), hexa("#B9AEE6"), width=0.9)
            bloom.ellipse(0, 1.0, 1.1, 0.9, hexa("#F2C14E"), None)


def _sheaves(pen: Pen, where: Spot) -> None:
    """Draw sheaves of rice, for a plain without a subject."""
    straw, shade = hexa("#E3BC62"), hexa("#A9762F")
    for x, y, size in ((30, 124, 0.8), (88, 126, 0.86), (58, 133, 1.15)):
        sheaf = pen.at(x, y, size)
        sheaf.glaze(circle(0, 1, 17, 2.8, 24), KEY, 70)
        shape = [
            (-15, 1),
            (-9, -14),
            (-4, -22),
            (-11, -33),
            (0, -38),
            (11, -33),
            (4, -22),
            (9, -14),
            (15, 1),
            (0, 3),
        ]
        sheaf.smooth(shape, straw, KEY, 1.3)
        sheaf.smooth([(2, 2), (4, -20), (9, -31), (11, -33), (4, -22), (9, -14), (15, 1)], shade, None)
        for i in range(-4, 5):
            sheaf.line([(i * 0.8, -22), (i * 3.1, 0)], shade, 0.7)
            sheaf.line([(i * 0.7, -24), (i * 2.2, -35)], shade, 0.7)
        sheaf.poly([(-5, -20.5), (5, -20.5), (5, -24.5), (-5, -24.5)], RED, KEY, 0.9)


# Storms without a subject ----------------------------------------------------------------------------


def _lightning(back: Pen, x: float, y: float, length: float, seed: int) -> None:
    """Draw a branching bolt with its glow on the sky."""
    points: list[Point] = [(x, y)]
    steps = 7
    for i in range(1, steps + 1):
        px, py = points[-1]
        points.append((px + (chance(i, seed) - 0.42) * 15, py + length / steps))
    back.glaze(
        [(px - 7, py) for px, py in points] + [(px + 7, py) for px, py in points[::-1]],
        GOLD_LIGHT,
        120,
        blur=5,
    )
    for at in (2, 4):
        bx, by = points[at]
        side = 1 if at == 2 else -1
        branch = [(bx, by), (bx + side * 7, by + 5), (bx + side * 9, by + 11), (bx + side * 16, by + 17)]
        back.brush(branch, 1.6, 0.3, hexa("#FFF3C4"))
    back.line(points, hexa("#F1D27A"), 2.0)
    back.line(points, hexa("#FFFDF0"), 1.1)


def _clouds(back: Pen, where: Spot, y: float) -> None:
    """Draw thunderclouds, darker below, inside the card."""
    dark, light = where.tones.sky[0], where.tones.sky[1]
    rolls = [
        (24 + i * 14.5, y + 5 * (chance(i, where.seed + 60) - 0.5), 12 + 4 * chance(i, where.seed + 61), 8.5)
        for i in range(6)
    ]
    back.lobes(
        rolls, mix(dark, KEY, 0.3), mix(dark, light, 0.55), mix(light, WHITE, 0.25), mix(KEY, light, 0.3), 1.0
    )


def _tempest(back: Pen, where: Spot) -> None:
    """Draw clouds and lightning at places that suit the Landscape; the ocean has no clouds."""
    seed = where.seed
    match where.land:
        case Landscape.OCEAN:
            _lightning(back, 101, 4, 62, seed + 5)
        case Landscape.MOUNTAIN:
            _clouds(back, where, 58)
            _lightning(back, 16 + 12 * chance(seed, 7), 62, 32, seed + 2)
            _lightning(back, 88 + 14 * chance(seed, 8), 58, 38, seed + 9)
        case Landscape.PLAIN:
            _clouds(back, where, 26)
            _lightning(back, 30 + 70 * chance(seed, 7), 32, 52, seed + 4)
        case _:
            _clouds(back, where, 20)
            _lightning(back, 34 + 56 * chance(seed, 7), 26, 60, seed + 1)


def _storm_ocean(pen: Pen, where: Spot) -> None:
    """Draw a great wave that is about to break."""
    _great_wave(pen)
    _great_foam(pen)
    for i in range(26):
        r = 0.7 + 1.1 * chance(i, 3)
        x, y = 84 + 30 * chance(i, where.seed), 36 + 44 * chance(i, where.seed + 1)
        pen.ellipse(x, y, r, r, FOAM, KEY if i % 4 == 0 else None, 0.5)
    _wave(pen.at(97, 143, 0.5, flip=-1), where.tones)


def _great_wave(pen: Pen) -> None:
    """Draw the body of the great wave with its stripes."""
    deep, middle, pale = hexa("#16355C"), hexa("#2E628F"), hexa("#A9C4CE")
    body = [
        (2, 152),
        (4, 128),
        (8, 104),
        (16, 76),
        (30, 52),
        (50, 37),
        (72, 34),
        (88, 42),
        (94, 56),
        (86, 53),
    ]
    body += [(77, 56), (70, 64), (68, 78), (73, 96), (82, 112), (92, 126), (101, 138), (106, 152)]
    pen.smooth(body, deep, KEY, 1.6)
    for i in range(7):
        t = i / 6
        stripe = [
            (8 + 14 * t, 150),
            (14 + 15 * t, 112 + 5 * t),
            (27 + 15 * t, 78 + 10 * t),
            (48 + 10 * t, 52 + 9 * t),
            (70 + 2 * t, 44 + 7 * t),
        ]
        pen.brush(stripe, 3.6 - 1.6 * t, 1.0, pale if i % 2 == 0 else middle)
    for i in range(4):
        x = 62 + i * 13
        pen.brush(
            [(x, 150), (x - 4, 130 + i * 2), (x - 16 + i * 2, 108 + i * 4)],
            2.4,
            0.8,
            pale if i % 2 else middle,
        )


def _great_foam(pen: Pen) -> None:
    """Draw the foam on the crest of the great wave, with its claws."""
    ridge = [(16, 72), (26, 56), (38, 44), (52, 36), (66, 32), (80, 34), (91, 41), (97, 52)]
    crest = [
        (
            x + 5 * (chance(i, 51) - 0.5) + 3 * (i % 2),
            y + 4 * (chance(i, 52) - 0.5),
            3.2 + 4.6 * chance(i, 53) + 0.03 * x,
            3.0 + 4.0 * chance(i, 54) + 0.02 * x,
        )
        for i, (x, y) in enumerate(spline(ridge, steps=3))
    ]
    crest += [
        (89, 58, 4.4, 4.6),
        (80, 58, 3.8, 4.0),
        (73, 62, 3.2, 3.4),
        (60, 40, 5.2, 3.6),
        (74, 40, 6.2, 4.2),
        (46, 46, 4.4, 3.4),
    ]
    for i in range(8):
        t = i / 7
        x, y = 72 + 20 * t, 62 - 9 * math.sin(t * 2.2)
        claw = [(x, y), (x + 3.4, y + 3.2), (x + 2.2, y + 7.5 - 2 * t)]
        pen.brush(claw, 4.4, 0.6, KEY)
        pen.brush(claw, 3.0, 0.3, FOAM)
    pen.lobes(crest, hexa("#BFD3D9"), FOAM, WHITE, width=1.3)


def _storm_mountain(pen: Pen, where: Spot) -> None:
    """Draw few reeds below the mountain's summit."""
    _reeds(pen, where, 9, 0.7)


def _storm_plain(pen: Pen, where: Spot) -> None:
    """Draw reeds that the wind bends, and leaves that it carries."""
    _reeds(pen, where, 17, 1.2)
    for i in range(9):
        x, y = 16 + 92 * chance(i, where.seed + 70), 48 + 40 * chance(i, where.seed + 71)
        leaf = pen.at(x, y, 1, turn=-0.5 + chance(i, 72))
        leaf.smooth([(-4, 0), (0, -1.8), (4, 0), (0, 1.8)], hexa("#C9B26A"), KEY, 0.7)


def _storm_forest(pen: Pen, where: Spot) -> None:
    """Draw reeds before the bent cedars."""
    _reeds(pen, where, 8, 0.75)


def _reeds(pen: Pen, where: Spot, count: int, size: float) -> None:
    """Draw ``count`` stalks of pampas grass with pale plumes, bent by the wind."""
    dark = mix(where.tones.ground[2], KEY, 0.35)
    for i in range(count):
        x = 26 + 82 * (i + 0.5) / count + 4 * chance(i, where.seed + 80)
        y = 140 + 7 * chance(i, where.seed + 81)
        tall = size * (26 + 16 * chance(i, where.seed + 82))
        tip = (max(6.0, x - tall * 0.75), y - tall * 0.62)
        stem = [(x, y), (x - tall * 0.2, y - tall * 0.5), tip]
        pen.brush(stem, 2.4, 1.0, KEY)
        pen.brush(stem, 1.1, 0.5, mix(dark, hexa("#8FA06A"), 0.6))
        plume = [
            tip,
            (tip[0] - tall * 0.12, tip[1] + 0.5),
            (max(3.0, tip[0] - tall * 0.3), tip[1] + tall * 0.08),
        ]
        pen.brush(plume, 3.6 * size, 1.0, KEY, middle=4.6 * size)
        pen.brush(plume, 2.2 * size, 0.6, hexa("#D9D3BC"), middle=3.2 * size)


_STORMS: dict[Landscape, Callable[[Pen, Spot], None]] = {
    Landscape.OCEAN: _storm_ocean,
    Landscape.MOUNTAIN: _storm_mountain,
    Landscape.PLAIN: _storm_plain,
    Landscape.FOREST: _storm_forest,
}


# Weather ---------------------------------------------------------------------------------------------


def _weather(pen: Pen, where: Spot) -> None:
    """Draw rain, snow, petals, leaves or gulls over everything else."""
    seed = where.seed
    match where.season:
        case Season.STORM:
            rain = Image.new("RGBA", pen.image.size)
            _rain(rain, where, int(pen.k))
            pen.image.alpha_composite(_feathered(rain, int(pen.k)))
        case Season.WINTER:
            for i in range(36):
                x, y, r = chance(i, seed) * WIDTH, chance(i, seed + 1) * 128, 0.7 + 0.9 * chance(i, seed + 2)
                pen.ellipse(x, y, r, r, WHITE, None)
        case Season.SPRING:
            for i in range(18):
                x, y = chance(i, seed) * WIDTH, 14 + chance(i, seed + 1) * 120
                petal = pen.at(x, y, turn=chance(i, seed + 2) * 3)
                petal.ellipse(0, 0, 1.7, 0.95, hexa("#F4A9B4") if i % 2 else hexa("#FFE9E6"), None)
        case Season.AUTUMN:
            for i in range(12):
                x, y = chance(i, seed) * WIDTH, 12 + chance(i, seed + 1) * 122
                pen.poly(star(x, y, 2.3), hexa("#C8401F") if i % 2 else hexa("#EFA23A"), None)
        case Season.SUMMER:
            for i in range(3):
                x, y = 10 + chance(i, seed) * 30, 14 + chance(i, seed + 1) * 22
                pen.brush([(x - 4, y - 1.4), (x - 1.6, y - 2.4), (x, y)], 0.4, 1.3, KEY)
                pen.brush([(x, y), (x + 2, y - 2.8), (x + 4.6, y - 2)], 1.3, 0.4, KEY)


def _rain(image: Image.Image, where: Spot, k: int) -> None:
    """Draw slanted rain in two layers, at places that depend on the global x."""
    draw = ImageDraw.Draw(image)
    for layer, alpha in ((0, 100), (1, 175)):
        first = (where.start - BLEED) // 7 - 6
        for cell in range(first, first + 34):
            x = cell * 7 + chance(cell, 200 + layer) * 7 - where.start + BLEED
            y, length = -10 + chance(cell, 210 + layer) * 130, 26 + 34 * chance(cell, 220 + layer)
            drop = [
                (x, y),
                (x + 0.55, y),
                (x - length * 0.34 + 0.45, y + length),
                (x - length * 0.34, y + length),
            ]
            draw.polygon([(px * k, py * k) for px, py in drop], fill=(221, 228, 228, alpha))


@lru_cache(maxsize=8)
def _feather(k: int) -> Image.Image:
    """Return a mask that is full in the middle and fades out over both borders."""
    row = Image.new("L", (WIDTH + 2 * BLEED, 1))
    for x in range(row.width):
        inside = min(x + 0.5, row.width - x - 0.5)
        row.putpixel((x, 0), round(255 * smooth(inside / (2 * BLEED))))
    return row.resize((row.width * k, HEIGHT * k), Image.Resampling.BILINEAR)


def _feathered(image: Image.Image, k: int) -> Image.Image:
    """Fade an image out over both borders."""
    image.putalpha(ImageChops.multiply(image.getchannel("A"), _feather(k)))
    return image
