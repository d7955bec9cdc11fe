"""The signs of the game: Seasons, Landscapes, symbols, Harmony, families, tokens, crests, seals.

Signs of one group differ in their shape, not only in colour, so that every eye can tell them apart. A sign is
drawn around the pen's origin and fits a circle of radius 10 units, a token one of radius 20.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from kanagawa.cards import Bonus, Category, Family, Landscape, Season, Symbol
from render.ink import Colour, Pen, Point, bezier, hexa, mix, spline
from render.lettering import text
from render.palette import GOLD, GOLD_LIGHT, KEY, PAPER_LIGHT, RED, SEASONS

Sign = Callable[[Pen, Colour, Colour], None]
"""A function that draws a sign in one colour; it takes a pen, that colour and the colour of the ground."""

SKIN, SKIN_SHADE, HAIR, WOOD = hexa("#F1D3AC"), hexa("#D9A878"), hexa("#1B1E28"), hexa("#C9974C")
DRY = hexa("#B9A888")

LANDSCAPE_INK: Mapping[Landscape, Colour] = {
    Landscape.FOREST: hexa("#2F6B46"),
    Landscape.OCEAN: hexa("#1F5C92"),
    Landscape.MOUNTAIN: hexa("#6A4C7E"),
    Landscape.PLAIN: hexa("#B07A1E"),
}

#: The colour of each seat's crest; the message shows the same four as coloured squares.
SEAT_COLOURS: tuple[Colour, ...] = (hexa("#D2333F"), hexa("#3E8FD8"), hexa("#62A33C"), hexa("#9561C9"))


def circle(radius: float, points: int = 32, turn: float = 0.0, stretch: float = 1.0) -> list[Point]:
    """Return the corners of a regular polygon around the origin, which is a circle if there are many."""
    step = 2 * math.pi / points
    return [
        (math.cos(at * step + turn) * radius, math.sin(at * step + turn) * radius * stretch)
        for at in range(points)
    ]


# ------------------------------------------------------------------------------------------- Seasons


def _spring(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw a cherry blossom: five notched petals."""
    petal = [
        (0, 0),
        (-3.6, -4.5),
        (-3.2, -8.4),
        (-1, -9.6),
        (0, -8),
        (1, -9.6),
        (3.2, -8.4),
        (3.6, -4.5),
    ]
    for at in range(5):
        pen.at(0, 0, turn=at * math.tau / 5).smooth(petal, ink, None)
    for at in range(5):
        pen.at(0, 0, turn=(at + 0.5) * math.tau / 5).line([(0, -1), (0, -6)], ground, 0.9)
    pen.ellipse(0, 0, 2, 2, ground, None)


def _summer(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw the sun with eight rays."""
    pen.ellipse(0, 0, 5, 5, ink, None)
    for at in range(8):
        pen.at(0, 0, turn=at * math.tau / 8).poly([(-1.7, -6.4), (1.7, -6.4), (0, -10.2)], ink, None)


def _autumn(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw a maple leaf."""
    tips = [(-90, 11), (-38, 10.2), (8, 9.2), (50, 6)]
    half: list[Point] = []
    for at, (angle, reach) in enumerate(tips):
        heading, spread = math.radians(angle), math.radians(13)
        for turn, length in ((-spread, 0.66), (0, 1), (spread, 0.66)):
            half.append(
                (math.cos(heading + turn) * reach * length, math.sin(heading + turn) * reach * length)
            )
        if at < len(tips) - 1:
            between = math.radians((angle + tips[at + 1][0]) / 2)
            half.append((math.cos(between) * 4, math.sin(between) * 4))
    half = [point for point in half if point[0] >= -0.1] + [(1, 4)]
    pen.poly(half + [(-x, y) for x, y in half][::-1], ink, None)
    pen.line([(0, 3), (0, 10.4)], ink, 1.7)
    for angle in (-90, -38, 8, -142, 172):
        heading = math.radians(angle)
        pen.line([(0, 2), (math.cos(heading) * 6.4, math.sin(heading) * 6.4)], ground, 0.6)


def _winter(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw a snow crystal with six arms."""
    for at in range(6):
        arm = pen.at(0, 0, turn=at * math.tau / 6)
        arm.line([(0, 0), (0, -9.4)], ink, 1.9)
        arm.line([(-2.7, -8.4), (0, -5.6), (2.7, -8.4)], ink, 1.5)


def _storm(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw a bolt."""
    bolt = [(2.5, -10), (-6, 1.2), (-0.8, 1.2), (-3.4, 10), (6.2, -2.4), (1, -2.4), (5, -10)]
    pen.poly(bolt, ink, None)


SEASON: Mapping[Season, Sign] = {
    Season.SPRING: _spring,
    Season.SUMMER: _summer,
    Season.AUTUMN: _autumn,
    Season.WINTER: _winter,
    Season.STORM: _storm,
}
SEASON_KANJI: Mapping[Season, str] = {
    Season.SPRING: "春",
    Season.SUMMER: "夏",
    Season.AUTUMN: "秋",
    Season.WINTER: "冬",
    Season.STORM: "嵐",
}


def season_seal(pen: Pen, season: Season, radius: float = 11) -> None:
    """Draw the sign of a Season in paper white on a disc of its colour."""
    disc(pen, radius, SEASONS[season].seal)
    SEASON[season](pen.at(0, 0, radius / 13.4), PAPER_LIGHT, SEASONS[season].seal)


def storm_token(pen: Pen, radius: float = 11) -> None:
    """Draw a Storm token: a gold bolt on a dark disc with a gold, toothed rim (K5.4)."""
    teeth = [
        point
        for at in range(16)
        for point in (circle(radius * 1.12, 32)[2 * at], circle(radius * 0.96, 32)[2 * at + 1])
    ]
    pen.poly([(x + 0.6, y + 1) for x, y in teeth], KEY, None)
    pen.poly(teeth, GOLD_LIGHT, KEY, 1.1)
    pen.ellipse(0, 0, radius * 0.82, radius * 0.82, SEASONS[Season.STORM].seal, KEY, 0.9)
    _storm(pen.at(0, 0, radius / 14), GOLD_LIGHT, KEY)


def disc(pen: Pen, radius: float, fill: Colour = PAPER_LIGHT) -> None:
    """Draw a round plate with its shadow on the lower right."""
    pen.ellipse(radius * 0.04, radius * 0.07, radius, radius, KEY, None)
    pen.ellipse(0, 0, radius, radius, fill, KEY, max(1.1, radius * 0.06))


# ---------------------------------------------------------------------------------------- Landscapes


def _forest(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw three conifers."""
    for x, y, scale in ((-5.4, 8, 0.8), (5.4, 8, 0.8), (0, 9, 1.08)):
        tree = pen.at(x, y, scale)
        tree.line([(0, 0), (0, -3)], ink, 1.7)
        for foot, width in ((-3, 5.6), (-7.6, 4.6), (-12, 3.4)):
            tree.poly([(-width, foot), (width, foot), (0, foot - 6)], ink, ground, 0.5)


def _ocean(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw three lines of waves."""
    for y in (-5, 1, 7):
        crest = [(-9.5 + at * 19 / 6, y + (1.5 if at % 2 == 0 else -2.2)) for at in range(7)]
        pen.line(spline(crest), ink, 0.5 + 1.15 * pen.scale)


def _mountain(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw the peak with its cap of snow."""
    slopes = bezier((-10, 8), (-4, 2), (-1.6, -9)) + bezier((1.6, -9), (4, 2), (10, 8))
    pen.poly(slopes, ink, None)
    cap = [(-1.6, -9), (1.6, -9), (3.4, -2.4), (1.6, -0.4), (0, -3.4), (-1.8, -0.2), (-3.6, -2.2)]
    pen.poly(cap, ground, None)


def _plain(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw tufts of grass over two furrows: fans of blades, never a trunk."""
    for x, y, scale in ((-6.2, 3.4, 0.8), (6.2, 3.4, 0.8), (0, 3.8, 1.12)):
        tuft = pen.at(x, y, scale)
        for tip_x, tip_y in ((-5.2, -6.0), (-2.6, -10.0), (0.0, -12.0), (2.6, -10.0), (5.2, -6.0)):
            tuft.brush(
                [(tip_x * 0.15, 0), (tip_x * 0.45, tip_y * 0.6), (tip_x, tip_y)], 2.3 * scale, 0.5, ink
            )
    for x, y in ((-9.8, 5), (-7, 9)):
        pen.line([(x, y), (9.8, y)], ink, 0.4 + 0.9 * pen.scale)


LANDSCAPE: Mapping[Landscape, Sign] = {
    Landscape.FOREST: _forest,
    Landscape.OCEAN: _ocean,
    Landscape.MOUNTAIN: _mountain,
    Landscape.PLAIN: _plain,
}


def landscape_frame(landscape: Landscape, radius: float) -> list[Point]:
    """Return the outline of a Landscape's sign: gable, circle, trapezoid, square, or the Joker's diamond."""
    r = radius
    match landscape:
        case Landscape.FOREST:
            return [(-r, r), (-r, -r * 0.45), (0, -r * 1.12), (r, -r * 0.45), (r, r)]
        case Landscape.OCEAN:
            return circle(r * 1.1, 40)
        case Landscape.MOUNTAIN:
            return [(-r * 1.18, r * 0.9), (-r * 0.62, -r), (r * 0.62, -r), (r * 1.18, r * 0.9)]
        case Landscape.PLAIN:
            return [
                (-r * 1.05, -r * 0.85),
                (r * 1.05, -r * 0.85),
                (r * 1.05, r * 0.85),
                (-r * 1.05, r * 0.85),
            ]
        case Landscape.JOKER:
            return circle(r * 1.16, 4)


def landscape_sign(pen: Pen, landscape: Landscape, radius: float = 25, *, tinted: bool = True) -> None:
    """Draw a Landscape in its frame, tinted with its colour or on plain paper; a Joker shows all four."""
    frame = landscape_frame(landscape, radius)
    pen.poly([(x + radius * 0.04, y + radius * 0.065) for x, y in frame], KEY, None)
    line = max(1.1, radius * 0.064)
    if landscape is Landscape.JOKER:
        pen.poly(frame, PAPER_LIGHT, KEY, line)
        half = radius * 0.58
        for x, y in ((-half, half), (half, half)):
            pen.line([(-x, -y), (x, y)], KEY, line * 0.7)
        quarters = (Landscape.MOUNTAIN, Landscape.OCEAN, Landscape.PLAIN, Landscape.FOREST)
        for (x, y), one in zip(((0, -half), (half, 0), (0, half), (-half, 0)), quarters, strict=True):
            LANDSCAPE[one](pen.at(x, y, radius * 0.0265), LANDSCAPE_INK[one], PAPER_LIGHT)
        return
    ink = LANDSCAPE_INK[landscape]
    if tinted:
        pen.gradient(frame, [(0, mix(ink, PAPER_LIGHT, 0.6)), (1, mix(ink, PAPER_LIGHT, 0.88))])
    else:
        pen.poly(frame, PAPER_LIGHT, None)
    pen.poly(frame, None, KEY, line)
    LANDSCAPE[landscape](pen.at(0, radius * 0.03, radius / 13.3), ink, PAPER_LIGHT)


# ------------------------------------------------------------------------------------------- symbols


def _brush(pen: Pen) -> None:
    """Draw a slanted brush."""
    tool = pen.at(0, 0, turn=0.62)
    tool.poly([(-1.9, -14), (1.9, -14), (2.1, 4), (-2.1, 4)], WOOD, KEY, 1)
    tool.poly([(-2.6, 3), (2.6, 3), (2.6, 6), (-2.6, 6)], RED, KEY, 0.9)
    tool.smooth([(-2.9, 6), (2.9, 6), (3.1, 9.8), (0, 16), (-3.1, 9.8)], KEY, KEY, 0.8)


def _arrow(pen: Pen) -> None:
    """Draw two opposed arrows."""
    head = [(-11, -2.1), (4, -2.1), (4, -6), (12, 0), (4, 6), (4, 2.1), (-11, 2.1)]
    pen.at(0, -4.8).poly(head, LANDSCAPE_INK[Landscape.OCEAN], KEY, 1)
    pen.at(0, 4.8, flip=-1).poly(head, RED, KEY, 1)


def _hand(pen: Pen) -> None:
    """Draw an open palm with a blue cuff."""
    pen.smooth([(-6.5, 12), (-7.6, 3), (-7, -3), (7, -3), (7.6, 3), (6, 12)], SKIN, KEY, 1.1)
    for x, tip in ((-5.6, -9.4), (-1.9, -12.6), (1.9, -12.2), (5.6, -9)):
        pen.line([(x, 0), (x, tip)], KEY, 4.2)
        pen.line([(x, 1), (x, tip)], SKIN, 2.5)
    pen.line([(7, 5), (12, -1)], KEY, 4.6)
    pen.line([(6, 6), (12, -1)], SKIN, 2.8)
    pen.line([(-4, 4), (1, 6.4), (5, 4)], SKIN_SHADE, 0.9)
    pen.poly([(-7.4, 14.5), (7, 14.5), (7, 10.5), (-7.4, 10.5)], hexa("#23446E"), KEY, 1)


def _assistant(pen: Pen) -> None:
    """Draw a youth in green with a topknot."""
    robe = [(-10.5, 13), (-7.6, -1), (-3, -4), (3, -4), (7.6, -1), (10.5, 13)]
    pen.poly(spline(robe), hexa("#3B7A4C"), KEY, 1.2)
    pen.poly([(-3, -4), (3, -4), (0, 4)], PAPER_LIGHT, KEY, 0.8)
    pen.ellipse(0, -8.4, 5.4, 5.6, SKIN, KEY, 1.1)
    hair = [(-5.6, -9), (-4.6, -14), (0, -15), (4.6, -14), (5.6, -9), (3, -11.6), (-3, -11.6)]
    pen.smooth(hair, HAIR, KEY, 0.7)
    pen.ellipse(0, -15.8, 2.3, 2, HAIR, None)
    for x in (-1.8, 1.8):
        pen.line([(x - 0.8, -8), (x + 0.8, -8)], KEY, 0.8)


SYMBOL: Mapping[Symbol, Callable[[Pen], None]] = {
    Symbol.BRUSH: _brush,
    Symbol.ARROW: _arrow,
    Symbol.HAND: _hand,
    Symbol.ASSISTANT: _assistant,
}


def symbol_sign(pen: Pen, symbol: Symbol, radius: float = 20) -> None:
    """Draw a symbol of a Studio half on a paper disc."""
    disc(pen, radius)
    SYMBOL[symbol](pen.at(0, 0, radius / 19.5))


def harmony(pen: Pen, value: int, radius: float = 11) -> None:
    """Draw a Harmony: a gold chrysanthemum if it is positive, a dark octagon on a red cross if negative."""
    r = radius
    if value > 0:
        for size, fill in ((0.27, KEY), (0.2, GOLD)):
            for x, y in circle(r * 0.82, 12):
                pen.ellipse(x, y, r * size, r * size, fill, None)
        pen.ellipse(0, 0, r * 0.84, r * 0.84, GOLD_LIGHT, KEY, 0.9)
        text(pen, 0, -r * 0.03, f"+{value}", "number", r * 1.06, KEY)
        return
    for width, fill in ((0.44, KEY), (0.26, RED)):
        for side in (1, -1):
            pen.line([(-r * 0.92 * side, r * 0.92), (r * 0.92 * side, -r * 0.92)], fill, r * width)
    pen.poly(circle(r * 0.98, 8, 0.393), PAPER_LIGHT, None)
    pen.poly(circle(r * 0.87, 8, 0.393), hexa("#4A2027"), None)
    text(pen, 0, -r * 0.03, f"−{-value}", "number", r * 1.06, PAPER_LIGHT)


# -------------------------------------------------------------------------------------------- Brushes

_POT = [(-8, -17), (-10.4, -9), (-8.4, -1), (0, 0.6), (8.4, -1), (10.4, -9), (8, -17)]


def brush_pot(pen: Pen, *, spent: bool = False) -> None:
    """Draw a player's Brush as a jar with three brushes, its foot at the origin, 20 by 40 units.

    A spent Brush (K3.4) looks dry: the jar is cracked, the bristles are splayed and pale.
    """
    for x, turn, colour in ((-4, -0.26, KEY), (4, 0.24, RED), (0, -0.02, hexa("#1F5C92"))):
        stick = pen.at(x, -16, turn=turn)
        stick.poly(
            [(-1.2, 2), (1.2, 2), (1.1, -12), (-1.1, -12)], DRY if spent else hexa("#D6A55A"), KEY, 0.8
        )
        if spent:
            for tip in (-3.4, -1.2, 1.2, 3.4):
                stick.line([(tip * 0.3, -12), (tip, -20)], KEY, 1.9)
            for tip in (-3.4, -1.2, 1.2, 3.4):
                stick.line([(tip * 0.3, -12), (tip, -19.6)], hexa("#E9DFC6"), 0.9)
        else:
            stick.poly([(-1.6, -11.4), (1.6, -11.4), (1.6, -13.6), (-1.6, -13.6)], RED, KEY, 0.6)
            bristles = [(-2.1, -13.6), (2.1, -13.6), (2.3, -16.6), (0, -21.5), (-2.3, -16.6)]
            stick.smooth(bristles, colour, KEY, 0.8)
    glaze, shade = (hexa("#A39A8A"), hexa("#7C7468")) if spent else (hexa("#F4F1E6"), hexa("#C6D0D4"))
    pen.smooth(_POT, glaze, KEY, 1.4)
    pen.smooth([(2, -17), (8, -17), (10.4, -9), (8.4, -1), (1, 0.4), (5, -8)], shade, None)
    if spent:
        pen.line([(-3, -15), (-5, -10.5), (-2.6, -7.4), (-4.2, -2)], KEY, 0.9)
        pen.line([(-2.6, -7.4), (1.4, -5)], KEY, 0.8)
    else:
        pen.poly([(-9.6, -12), (9.6, -12), (10.2, -6.4), (-10.2, -6.4)], hexa("#1F4F86"), None)
        for x in (-6.4, -2.2, 2.2, 6.4):
            pen.line(spline([(x - 2, -7.6), (x, -10.6), (x + 2, -7.6)]), PAPER_LIGHT, 0.9)
    pen.smooth(_POT, None, KEY, 1.4)
    pen.ellipse(0, -17, 8.2, 2, hexa("#3A3A44"), KEY, 1.1)


# ------------------------------------------------------------------------------------------- families


def _tree(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw a pine: three plates on a bent trunk."""
    for x, y, wide, high in ((-4, 1.8, 6, 2.3), (4, -2.6, 6, 2.3), (-0.6, -7.4, 5.6, 2.8)):
        pen.ellipse(x, y, wide, high, ink, None)
    pen.brush([(2, 10.4), (-0.6, 5), (1.2, -2), (-0.6, -8)], 4, 1.6, ink)


def _person(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw a traveller under a wide hat."""
    pen.poly(spline([(-7.4, 10), (-6, 1), (-2.6, -2.4), (2.6, -2.4), (6, 1), (7.4, 10)]), ink, None)
    pen.line([(0, -1.6), (-2.4, 3.4), (-2.8, 9.6)], ground, 1)
    pen.ellipse(0, -4.2, 3.1, 3.2, ink, ground, 0.7)
    pen.poly(bezier((-9, -4.2), (-3, -7), (0, -11)) + bezier((0, -11), (3, -7), (9, -4.2)), ink, ground, 0.7)


def _house(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw a house with a swept roof and a door."""
    pen.poly([(-6.8, -1), (6.8, -1), (6.8, 9), (-6.8, 9)], ink, None)
    pen.poly([(-2, 2.6), (2, 2.6), (2, 9), (-2, 9)], ground, None)
    eaves = bezier((-11, 0.6), (-4, -1.5), (-3, -7)) + bezier((3, -7), (4, -1.5), (11, 0.6))
    pen.poly(eaves, ink, ground, 0.8)
    pen.poly([(-4.6, -9.4), (4.6, -9.4), (4, -6.6), (-4, -6.6)], ink, None)


def _animal(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw a butterfly."""
    for side in (1, -1):
        wing = pen.at(0, 0, flip=side)
        wing.smooth([(0.6, 0.4), (4, -7.6), (9.6, -9.4), (10.4, -2), (6, 1.6)], ink, None)
        wing.smooth([(0.6, 1), (6, 2), (8.4, 7), (3.4, 8.4)], ink, None)
        wing.ellipse(6.6, -4.8, 1.5, 1.5, ground, None)
        wing.line([(0.4, -5), (2.6, -9.6)], ink, 0.9)
    pen.line([(0, -5), (0, 8)], ground, 2.8)
    pen.line([(0, -5), (0, 8)], ink, 1.5)


def _boar(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw a boar: a hump with bristles, a snout and a tusk."""
    mane = [(-6, -3)]
    for at in range(7):
        mane += [(-5.4 + at * 1.9, -8.6 + abs(at - 2.6) * 0.5), (-4.6 + at * 1.9, -5.6 + abs(at - 2.6) * 0.4)]
    pen.poly([*mane, (8, 0), (-4, 0)], ink, None)
    pen.smooth(
        [
            (-10.6, 2.6),
            (-9.6, -0.6),
            (-6, -3.6),
            (-2, -6),
            (5, -5),
            (9.6, -0.6),
            (9, 5),
            (3, 5.6),
            (-6, 5),
            (-10, 5.2),
        ],
        ink,
        None,
    )
    for x in (-5.6, -2.4, 4, 7.2):
        pen.line([(x, 4), (x, 8.6)], ink, 2.2)
    pen.ellipse(-6.6, -0.6, 0.9, 0.9, ground, None)
    pen.line([(-8.6, 4), (-8.2, 1.4)], ground, 1.1)


def _deer(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw a deer with its antlers."""
    pen.smooth(
        [(-4, 1.8), (-4.6, -3), (-2.4, -3.6), (0.6, -0.4), (7.6, -0.8), (8.6, 2.6), (6.6, 4.6), (-2, 4.6)],
        ink,
        None,
    )
    pen.smooth([(-9.4, -2.8), (-7.8, -4.8), (-4.4, -5.6), (-2, -4.4), (-3, -1.2), (-6, -2)], ink, None)
    for x, foot in ((-2.8, -3.4), (-0.4, 0.2), (5.2, 5), (7.6, 8.2)):
        pen.brush([(x, 3), ((x + foot) / 2, 6.4), (foot, 10.4)], 2, 1.3, ink)
    for tines in (
        ((-4.6, -5), (-6, -8), (-5.2, -10.8)),
        ((-3.2, -5), (-0.6, -7.4), (-0.2, -10.8)),
        ((-1, -7), (1.4, -8)),
        ((-5.8, -7.6), (-8, -8.8)),
    ):
        pen.line(list(tines), ink, 1.2)
    for x, y in ((1.4, 1.4), (4, 0.8), (3.2, 3), (6, 2.4)):
        pen.ellipse(x, y, 0.7, 0.7, ground, None)


def _crane(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw a crane with a raised wing, on one leg."""
    pen.brush([(-1.6, 0.6), (-4.8, -2), (-3.8, -5.4), (-6, -7.8)], 2.6, 1.7, ink)
    pen.ellipse(-6.2, -7.8, 1.7, 1.6, ink, None)
    pen.poly([(-7.2, -8.6), (-11, -6.8), (-7, -6.8)], ink, None)
    pen.smooth([(-3.4, 0), (-1, -2), (4, -1), (8.6, 4.2), (3, 4), (-2, 3.4)], ink, None)
    pen.smooth([(-1.4, -1), (0.6, -5.4), (4.4, -8.8), (9, -11), (9, -7), (6.6, -3), (2.6, 1)], ink, None)
    for tip in ((8.4, -7.6), (6.6, -4)):
        pen.line([(1.6, -1.6), tip], ground, 0.8)
    pen.line([(0.8, 3), (1.4, 6.4), (0.4, 10.4)], ink, 1.3)
    pen.line([(2.6, 3), (4.6, 5.6), (1.8, 7)], ink, 1.1)
    pen.line([(-1.6, 10.4), (2, 10.4)], ink, 1.1)


#: The animals that Diplomas name (K4.5).
ANIMAL: Mapping[str, Sign] = {"boar": _boar, "deer": _deer, "crane": _crane, "butterfly": _animal}

FAMILY: Mapping[Family, Sign] = {
    Family.TREE: _tree,
    Family.CHARACTER: _person,
    Family.BUILDING: _house,
    Family.ANIMAL: _animal,
}
FAMILY_COLOUR: Mapping[Family, Colour] = {
    Family.TREE: hexa("#2F6B46"),
    Family.CHARACTER: hexa("#A9352B"),
    Family.BUILDING: hexa("#C8962E"),
    Family.ANIMAL: hexa("#24558A"),
}
FAMILY_KANJI: Mapping[Family, str] = {
    Family.TREE: "木",
    Family.CHARACTER: "人",
    Family.BUILDING: "家",
    Family.ANIMAL: "動",
}


# ---------------------------------------------------------------------------------- Diploma categories


def _brush_plain(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw the brush in one colour, upright, with a slanting tip."""
    tool = pen.at(0, 0, 0.66, turn=0.62)
    tool.poly([(-2, -15), (2, -15), (2.2, 3), (-2.2, 3)], ink, None)
    tool.poly([(-3.4, 4.6), (3.4, 4.6), (3.4, 7), (-3.4, 7)], ink, None)
    tool.smooth([(-3.6, 8.4), (3.6, 8.4), (3.8, 11), (0, 18), (-3.8, 11)], ink, None)


def _arrow_plain(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw the two arrows in one colour."""
    head = [(-11, -2.1), (4, -2.1), (4, -6.4), (12, 0), (4, 6.4), (4, 2.1), (-11, 2.1)]
    pen.at(0, -4.4, 0.8).poly(head, ink, None)
    pen.at(0, 4.4, 0.8, flip=-1).poly(head, ink, None)


def _landscapes(pen: Pen, ink: Colour, ground: Colour) -> None:
    """Draw the Joker's diamond, cut in four."""
    pen.poly(circle(10.4, 4), ink, None)
    for side in (1, -1):
        pen.line([(-5.2 * side, -5.2), (5.2 * side, 5.2)], ground, 1.7)


CATEGORY: Mapping[Category, Sign] = {
    Category.TREE: _tree,
    Category.BUILDING: _house,
    Category.CHARACTER: _person,
    Category.ANIMAL: _animal,
    Category.BRUSH: _brush_plain,
    Category.ARROW: _arrow_plain,
    Category.LANDSCAPE: _landscapes,
}
CATEGORY_COLOUR: Mapping[Category, Colour] = {
    Category.TREE: hexa("#2F6B46"),
    Category.BUILDING: hexa("#B5831F"),
    Category.CHARACTER: hexa("#A9352B"),
    Category.ANIMAL: hexa("#24558A"),
    Category.BRUSH: hexa("#3B3B45"),
    Category.ARROW: hexa("#C65F7A"),
    Category.LANDSCAPE: hexa("#6A4C7E"),
}


# -------------------------------------------------------------------------------------------- tokens


def _grand_master(pen: Pen) -> None:
    """Draw an old master with a tall cap and a white beard."""
    robe = [(-11, 13), (-8.4, -1), (-3, -4), (3, -4), (8.4, -1), (11, 13)]
    pen.poly(spline(robe), hexa("#5B3F7A"), KEY, 1.2)
    pen.line([(-6, 12), (0, 3), (6, 12)], GOLD_LIGHT, 1.3)
    pen.ellipse(0, -7, 5.2, 5.6, SKIN, KEY, 1.1)
    cap = [(-5.6, -8.6), (-5.2, -14.4), (-2, -17.6), (3, -16.4), (5.4, -13.4), (5.6, -8.6)]
    pen.poly(spline(cap), HAIR, KEY, 0.8)
    pen.smooth([(-4.4, -5.6), (0, -4.2), (4.4, -5.6), (3, 1.5), (0, 7), (-3, 1.5)], PAPER_LIGHT, KEY, 1)
    for x in (-2, 2):
        pen.line([(x - 1, -7.2), (x + 1, -7.2)], KEY, 0.8)


def grand_master_pawn(pen: Pen, radius: float = 20) -> None:
    """Draw the Grand Master on an eight-sided gold plate."""
    pen.poly([(x + 0.8, y + 1.4) for x, y in circle(radius * 1.06, 8, math.pi / 8)], KEY, None)
    pen.poly(circle(radius * 1.06, 8, math.pi / 8), GOLD_LIGHT, KEY, max(1.1, radius * 0.06))
    _grand_master(pen.at(0, radius * 0.06, radius / 19.5))


def assistant_pawn(pen: Pen, radius: float = 20) -> None:
    """Draw the Assistant's pawn on a standing tablet, which tells it from the Assistant symbol."""
    r = radius
    plate = [
        (-r * 0.88, r),
        (-r * 0.88, -r * 0.5),
        (-r * 0.4, -r * 1.04),
        (r * 0.4, -r * 1.04),
        (r * 0.88, -r * 0.5),
        (r * 0.88, r),
    ]
    pen.poly([(x + 0.8, y + 1.4) for x, y in plate], KEY, None)
    pen.poly(plate, hexa("#CFE3C0"), KEY, max(1.1, r * 0.06))
    _assistant(pen.at(0, r * 0.18, r / 19.5))


def cards_sign(pen: Pen, radius: float = 20) -> None:
    """Draw three fanned cards, the sign for the number of cards in hand."""
    for turn, x, colour in (
        (-0.4, -7.5, hexa("#24558A")),
        (0.4, 7.5, hexa("#2F6B46")),
        (0, 0, hexa("#A9352B")),
    ):
        card = pen.at(x * radius / 20, abs(x) * radius / 60, radius / 20, turn=turn)
        card.poly([(-8, -14), (8, -14), (8, 14), (-8, 14)], PAPER_LIGHT, KEY, 1.2)
        card.poly([(-5.6, -11.6), (5.6, -11.6), (5.6, 11.6), (-5.6, 11.6)], colour, None)
    pen.ellipse(0, 0, radius * 0.16, radius * 0.16, PAPER_LIGHT, None)


def scroll_sign(pen: Pen, radius: float = 20) -> None:
    """Draw a hanging scroll, the sign for the points of the Diplomas."""
    sheet = pen.at(0, 0, radius / 20)
    sheet.poly([(-9, -13), (9, -13), (9, 13), (-9, 13)], PAPER_LIGHT, KEY, 1.3)
    sheet.poly([(-6, -9), (6, -9), (6, 0), (-6, 0)], CATEGORY_COLOUR[Category.CHARACTER], None)
    for y in (4, 7.4):
        sheet.line([(-5.4, y), (5.4, y)], KEY, 1.1)
    for y in (-15, 12):
        sheet.poly([(-13, y), (13, y), (13, y + 4), (-13, y + 4)], GOLD, KEY, 1.2)


def picture_sign(pen: Pen, radius: float = 20) -> None:
    """Draw a small picture of the peak, the sign for the points of the Print's cards."""
    leaf = pen.at(0, 0, radius / 20)
    leaf.poly([(-13, -14), (13, -14), (13, 14), (-13, 14)], PAPER_LIGHT, KEY, 1.3)
    leaf.poly([(-10.4, -11.4), (10.4, -11.4), (10.4, 11.4), (-10.4, 11.4)], hexa("#F4C9BE"), None)
    leaf.ellipse(-5.4, -5.6, 3, 3, RED, None)
    slopes = bezier((-10.4, 8), (0, 4), (1.6, -6)) + bezier((3.6, -6), (5, 4), (10.4, 7))
    leaf.poly([*slopes, (10.4, 11.4), (-10.4, 11.4)], hexa("#44648C"), None)
    leaf.poly([(1.6, -6), (3.6, -6), (5, -1.4), (3.2, -2.4), (2.2, -0.6), (0.4, -1.2)], PAPER_LIGHT, None)


def run_sign(pen: Pen, season: Season, radius: float = 20) -> None:
    """Draw a piece of the Season ribbon, the sign for the points of the run."""
    strip = pen.at(0, 0, radius / 20)
    strip.poly([(-17, -9), (17, -9), (13, 0), (17, 9), (-17, 9), (-13, 0)], GOLD_LIGHT, KEY, 1.2)
    strip.poly(
        [(-13, -6.4), (12.6, -6.4), (9.8, 0), (12.6, 6.4), (-13, 6.4), (-10.2, 0)], SEASONS[season].seal, None
    )
    SEASON[season](strip.at(0, 0, 0.62), PAPER_LIGHT, SEASONS[season].seal)


def bonus_sign(pen: Pen, bonus: Bonus, radius: float = 20) -> None:
    """Draw the bonus of a Diploma (K4.4): a Brush, the Assistant or a Storm token."""
    match bonus:
        case Bonus.BRUSH:
            disc(pen, radius)
            brush_pot(pen.at(0, radius * 0.66, radius / 27))
        case Bonus.ASSISTANT:
            assistant_pawn(pen, radius * 0.96)
        case Bonus.STORM:
            storm_token(pen, radius * 0.98)


# -------------------------------------------------------------------------------------------- crests


def _three_commas(pen: Pen, ink: Colour) -> None:
    """Draw three whirling commas."""
    for at in range(3):
        comma = pen.at(0, 0, turn=at * math.tau / 3)
        comma.ellipse(0, -4.4, 3.5, 3.5, ink, None)
        comma.brush([(2.2, -3.8), (5.6, -5.6), (8.4, -2.8), (8.9, 1.6)], 5.4, 0.7, ink)


def _three_shells(pen: Pen, ink: Colour) -> None:
    """Draw three shells of a tortoise, each with its inner ring."""
    for x, y in ((0, -4.5), (-3.9, 2.25), (3.9, 2.25)):
        shell = pen.at(x, y)
        shell.poly(circle(4.1, 6, math.pi / 6), ink, None)
        shell.ellipse(0, 0, 1.5, 1.5, KEY, None)


def _four_diamonds(pen: Pen, ink: Colour) -> None:
    """Draw four diamonds in a diamond."""
    for x, y in ((0, -4.1), (4.7, 0), (0, 4.1), (-4.7, 0)):
        pen.poly([(x, y - 3.6), (x + 4.1, y), (x, y + 3.6), (x - 4.1, y)], ink, None)


def _four_petals(pen: Pen, ink: Colour) -> None:
    """Draw four heart-shaped leaves of wood sorrel round a bead."""
    leaf = [
        (0, -1.8),
        (-3.2, -4.4),
        (-4.7, -7.2),
        (-2.6, -9.6),
        (0, -8.2),
        (2.6, -9.6),
        (4.7, -7.2),
        (3.2, -4.4),
    ]
    for at in range(4):
        pen.at(0, 0, turn=(at + 0.5) * math.tau / 4).smooth(leaf, ink, None)
    pen.ellipse(0, 0, 1.9, 1.9, ink, None)


def crest_frame(seat: int, radius: float) -> list[Point]:
    """Return the outline of a seat's crest: circle, hexagon, diamond, square with cut corners."""
    r = radius
    match seat:
        case 0:
            return circle(r, 40)
        case 1:
            return circle(r * 1.06, 6, math.pi / 6)
        case 2:
            return circle(r * 1.2, 4, stretch=0.92)
        case _:
            side, cut = r * 0.92, r * 0.6
            return [
                (-side, -cut),
                (-cut, -side),
                (cut, -side),
                (side, -cut),
                (side, cut),
                (cut, side),
                (-cut, side),
                (-side, cut),
            ]


_EMBLEMS = (_three_commas, _three_shells, _four_diamonds, _four_petals)
_EMBLEM_SIZE = (0.9, 1.0, 0.92, 0.92)


def crest(pen: Pen, seat: int, radius: float = 20) -> None:
    """Draw the crest of a seat, which has its own frame, emblem and colour."""
    colour = SEAT_COLOURS[seat]
    r = radius
    pen.poly([(x + r * 0.04, y + r * 0.07) for x, y in crest_frame(seat, r)], KEY, None)
    pen.poly(crest_frame(seat, r), PAPER_LIGHT, KEY, max(1.1, r * 0.06))
    pen.poly(crest_frame(seat, r * 0.86), colour, None)
    _EMBLEMS[seat](pen.at(0, 0, r * 0.075 * _EMBLEM_SIZE[seat]), PAPER_LIGHT)


def seal(pen: Pen, number: int, size: float = 52) -> None:
    """Draw the red seal with a score, its upper left corner at the origin, ``size`` units wide and high."""
    s = size / 52
    pen.rounded(1.4 * s, 2.2 * s, 50 * s, 50 * s, 7 * s, KEY)
    pen.rounded(1 * s, 1 * s, 50 * s, 50 * s, 7 * s, RED)
    for inset, colour in ((4.2, PAPER_LIGHT), (5.6, RED)):
        pen.rounded(inset * s, inset * s, size - 2 * inset * s, size - 2 * inset * s, 4.4 * s, colour)
    text(
        pen,
        size / 2,
        size / 2 - 0.8 * s,
        str(number).replace("-", "−"),
        "number",
        (32 if 0 <= number < 100 else 25) * s,
        PAPER_LIGHT,
    )


def harmony_sign(pen: Pen, radius: float = 20) -> None:
    """Draw the gold chrysanthemum without a number, the sign for the points of Harmony."""
    r = radius
    for size, fill in ((0.27, KEY), (0.2, GOLD)):
        for x, y in circle(r * 0.82, 12):
            pen.ellipse(x, y, r * size, r * size, fill, None)
    pen.ellipse(0, 0, r * 0.84, r * 0.84, GOLD_LIGHT, KEY, 0.9)
    for x, y in circle(r * 0.44, 6):
        pen.ellipse(x, y, r * 0.17, r * 0.17, GOLD, None)
    pen.ellipse(0, 0, r * 0.2, r * 0.2, KEY, None)


def hand_and_assistant(pen: Pen, radius: float = 20) -> None:
    """Draw a Hand and an Assistant that overlap, the sign for Osahito's points for both (O8 E)."""
    symbol_sign(pen.at(-radius * 0.42, -radius * 0.3), Symbol.HAND, radius * 0.68)
    symbol_sign(pen.at(radius * 0.42, radius * 0.3), Symbol.ASSISTANT, radius * 0.68)
