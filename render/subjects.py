"""The subjects of the Print halves: trees, buildings, people, animals.

Each subject stands with its feet at (0, 0); y grows downwards, in units. A thing has two or three flat tones,
its shade on the right, and an outline of one colour. Each subject can be known by its silhouette alone. The
private function of a subject draws it; ``snow`` says whether snow lies on it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from kanagawa.cards import Season
from render.ink import Pen, Point, Points, bezier, chance, circle, spline, star
from render.palette import GOLD, KEY, PAPER_LIGHT, RED, SEASONS, SNOW, VERMILION, WHITE, Colour, hexa, mix

SKIN, SKIN_SHADE, HAIR = hexa("#F1D3AC"), hexa("#D9A878"), hexa("#1B1E28")
TANNED, TANNED_SHADE, POWDERED = hexa("#E2B07E"), hexa("#B98557"), hexa("#FDF4EA")
BLUSH = hexa("#EFA58F")
SNOW_SHADE = hexa("#BFCDD8")
TILE, TILE_DARK = hexa("#6F8496"), hexa("#3A4C60")
WALL, PLASTER = hexa("#F4EAD2"), hexa("#FBF6E8")
WOOD, WOOD_DARK, STONE = hexa("#8A5A3A"), hexa("#4E3226"), hexa("#A9A498")
BARK, BARK_DARK = hexa("#6B4A3A"), hexa("#3A2A28")

#: The scale of each subject in its scene.
SCALE: Mapping[str, float] = {
    "tree": 1.12,
    "warrior": 1.1,
    "peasant": 1.1,
    "monk": 1.1,
    "lady": 1.1,
    "thatched": 1.34,
    "pagoda": 1.2,
    "tiled": 1.34,
    "castle": 1.26,
    "round": 1.26,
    "temple": 1.34,
    "boar": 1.3,
    "deer": 1.13,
    "crane": 1.13,
    "butterfly": 1.13,
}


def draw(pen: Pen, subject: str, season: Season, *, trees: int = 0, seed: int = 0) -> None:
    """Draw a subject as it looks in a Season.

    ``trees`` is the number of trees, 1 to 3, if the subject is ``"tree"``; ``seed`` varies them.
    """
    if subject == "tree":
        _trees(pen, season, trees, seed)
    else:
        _SUBJECTS[subject](pen, season is Season.WINTER)


# Parts -----------------------------------------------------------------------------------------------


def _limb(
    pen: Pen, points: Points, start: float, end: float, fill: Colour, *, middle: float | None = None
) -> None:
    """Draw a tapered stroke with an outline and round ends; the widths are without the outline."""
    for border, colour in ((1.1, KEY), (0.0, fill)):
        pen.brush(points, start + 2 * border, end + 2 * border, colour, middle and middle + 2 * border)
        for (x, y), wide in ((points[0], start), (points[-1], end)):
            pen.ellipse(x, y, wide / 2 + border, wide / 2 + border, colour, None)


def _post(pen: Pen, foot: Point, head: Point, width: float, fill: Colour, border: float = 0.7) -> None:
    """Draw a straight post with an outline ``border`` units wide."""
    pen.line([foot, head], KEY, width + 2 * border)
    pen.line([foot, head], fill, width)


def _box(
    pen: Pen, left: float, right: float, low: float, high: float, fill: Colour, outline: float = 0.0
) -> None:
    """Draw a rectangle between two x and two y, with an outline of this width, or none for 0."""
    corners = [(left, low), (right, low), (right, high), (left, high)]
    pen.poly(corners, fill, KEY if outline else None, outline)


def _drift(pen: Pen, points: Points) -> None:
    """Draw a smooth patch of snow, shaded below."""
    pen.smooth([(x + 0.2, y + 1.1) for x, y in points], SNOW_SHADE, None)
    pen.smooth(points, SNOW, None)


# Trees -----------------------------------------------------------------------------------------------

# The places of one, two or three trees: x, y, scale. The middle one of three stands further back.
_BROADLEAF: Mapping[int, list[tuple[float, float, float]]] = {
    1: [(0, 2, 1.24)],
    2: [(-24, 0, 0.9), (23, 3, 0.98)],
    3: [(0, -4, 0.82), (-31, 1, 0.68), (31, 3, 0.7)],
}
_PINES: Mapping[int, list[tuple[float, float, float]]] = {
    1: [(0, 2, 1.2)],
    2: [(-25, 0, 0.86), (24, 3, 0.92)],
    3: [(1, -4, 0.78), (-32, 1, 0.66), (33, 3, 0.68)],
}
# Pines bent by the wind reach to the right, so their feet are further left.
_BENT_PINES = {
    count: [(x - 8 * scale, y, scale) for x, y, scale in places] for count, places in _PINES.items()
}


def stands(season: Season, trees: int) -> list[tuple[float, float]]:
    """Return the feet of one, two or three trees, before the subject is scaled."""
    return [(x, y) for x, y, _ in _groves(season)[trees]]


def _groves(season: Season) -> Mapping[int, list[tuple[float, float, float]]]:
    """Return the places of one, two or three trees in a Season, each as x, y and scale."""
    match season:
        case Season.WINTER:
            return _PINES
        case Season.STORM:
            return _BENT_PINES
        case _:
            return _BROADLEAF


def _trees(pen: Pen, season: Season, count: int, seed: int) -> None:
    """Draw ``count`` trees: pines in winter and storms, else trees with leaves."""
    pines = season in (Season.WINTER, Season.STORM)
    for x, y, scale in _groves(season)[count]:
        (_pine if pines else _broadleaf)(pen.at(x, y, scale), season, seed + int(x))


def _trunk(pen: Pen, line: list[Point]) -> None:
    """Draw a trunk that widens towards its roots, shaded on the right."""
    pen.poly([(-7.7, 2), (-3.5, -5), (4.6, -5), (8.5, 2)], KEY, None)
    pen.brush(line, 8.4, 2.6, KEY)
    pen.poly([(-5.2, 1.2), (-2.3, -5), (3.4, -5), (6, 1.2)], BARK, None)
    pen.brush(line, 6.3, 1.4, BARK)
    pen.brush([(x + 1.6, y) for x, y in line[:-1]], 2.3, 0.8, BARK_DARK)


def _broadleaf(pen: Pen, season: Season, seed: int) -> None:
    """Draw a tree with a round crown: blossom in spring, green in summer, star-shaped leaves in autumn."""
    dark, middle, light = SEASONS[season].leaf
    lean = (chance(seed, 3) - 0.5) * 6
    _trunk(pen, [(1, 1), (-1, -14), (lean, -30), (lean * 1.4, -44)])
    for x, y in ((-13, -36), (13, -38), (-7, -48), (8, -50)):
        bough = [(lean * 0.5, -22), (x * 0.5 + lean * 0.4, (y - 22) / 2 - 2), (x, y)]
        pen.brush(bough, 4.4, 1.6, KEY)
        pen.brush(bough, 2.8, 0.8, BARK)
    # Dark leaves fill the gaps of the crown, so that no sky shows through it.
    pen.ellipse(lean * 0.5, -47, 17, 11, mix(dark, KEY, 0.3), None)
    crown = [
        (
            x + lean * 0.5 + (chance(i, seed) - 0.5) * 3,
            y + (chance(i, seed + 5) - 0.5) * 2.4,
            a * (0.92 + 0.2 * chance(i, seed + 2)),
            b,
        )
        for i, (x, y, a, b) in enumerate(_CROWN)
    ]
    pen.lobes(crown, dark, middle, None, width=1.5)
    for x, y, a, b in crown:
        if y < -44:
            pen.ellipse(x - a * 0.15, y - b * 0.42, a * 0.55, b * 0.36, mix(middle, light, 0.7), None)
        hollow = [(x - a * 0.7, y + b * 0.25), (x, y + b * 0.72), (x + a * 0.7, y + b * 0.25)]
        pen.brush(hollow, 0.3, 0.3, mix(dark, KEY, 0.25), middle=1.1)
    for i in range(30):
        x, y, a, b = crown[i % len(crown)]
        angle, reach = chance(i, seed + 9) * math.tau, 0.75 * math.sqrt(chance(i, seed + 11))
        _leaf(pen, season, i, x + math.cos(angle) * a * reach, y + math.sin(angle) * b * reach)


_CROWN = (
    (-19.0, -37.0, 7.5, 6.0), (-10.0, -35.0, 7.0, 5.5), (11.0, -36.0, 7.0, 5.5), (20.0, -39.0, 7.5, 6.0),
    (-16.0, -45.0, 8.0, 6.5), (17.0, -47.0, 8.0, 6.5), (0.0, -42.0, 9.0, 7.0), (-9.0, -53.0, 8.5, 7.0),
    (10.0, -55.0, 8.0, 6.8), (-1.0, -51.0, 8.0, 7.0), (1.0, -61.0, 8.5, 6.5),
)  # fmt: skip


def _leaf(pen: Pen, season: Season, i: int, x: float, y: float) -> None:
    """Draw leaf number ``i`` of a crown: a petal, a star or a green tick; numbers vary the colour."""
    if season is Season.SPRING:
        pen.ellipse(x, y, 1.15, 1.15, hexa("#FFF4F0") if i % 3 else hexa("#C2526B"), None)
    elif season is Season.AUTUMN:
        pen.poly(star(x, y, 2.4), hexa("#F6B252") if i % 2 else hexa("#7E1F1B"), None)
    else:
        tick = [(x - 1.6, y + 0.8), (x, y - 0.6), (x + 1.6, y + 0.8)]
        pen.line(tick, SEASONS[season].leaf[0] if i % 2 else hexa("#A9CC78"), 0.7)


def _pine(pen: Pen, season: Season, seed: int) -> None:
    """Draw a pine: plates of needles on a winding trunk, with snow in winter, bent to one side in a storm."""
    storm = season is Season.STORM
    bend = 9.0 if storm else 0.0
    trunk = [(0.0, 1.0), (3 - bend * 0.2, -13.0), (-3 + bend * 0.3, -28.0)]
    trunk += [(3 + bend * 0.9, -44.0), (1 + bend * 1.7, -60.0)]
    plates = [
        (
            x + bend * (0.4 - y / 60) + (abs(x) * 0.15 if storm else 0),
            y + (2 if storm else 0),
            a * (1.05 if storm else 1),
            b * (0.9 if storm else 1),
        )
        for x, y, a, b in (
            (-13, -30, 12, 5), (14, -37, 12.5, 5.2), (-10, -45, 12.5, 5.4), (9, -53, 11, 5),
            (-1, -63, 10, 5.4),
        )
    ]  # fmt: skip
    for x, y, _, _ in plates:
        root = _at_height(trunk, y + 7)
        _limb(pen, [(root, y + 7), ((root + x) / 2, y + 3.4), (x, y)], 2.0, 1.0, BARK)
    _trunk(pen, trunk)
    for plate in plates:
        _needles(pen, season, *plate)


def _at_height(line: Points, height: float) -> float:
    """Return the x of a rising line at a height, given as y."""
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        if by <= height:
            return ax + (bx - ax) * (ay - height) / (ay - by)
    return line[-1][0]


def _needles(pen: Pen, season: Season, x: float, y: float, a: float, b: float) -> None:
    """Draw one plate of a pine. In a storm it has a pale rim, because its ground is as dark as it is."""
    dark, middle, light = SEASONS[season].leaf
    plate = [
        (x - a * 0.55, y + 0.6, a * 0.55, b * 0.8),
        (x + a * 0.55, y + 0.6, a * 0.55, b * 0.8),
        (x, y - b * 0.25, a * 0.62, b),
    ]
    if season is Season.WINTER:
        pen.lobes(plate, dark, dark, None, width=1.4)
        snow = [(px - 0.2, py - pb * 0.42, pa * 0.9, pb * 0.62) for px, py, pa, pb in plate]
        pen.lobes(snow, hexa("#C6D3DB"), WHITE, None, width=1.0)
        return
    rim = [(px, py - 0.9, pa + 1.1, pb + 0.9) for px, py, pa, pb in plate]
    pen.lobes(rim, mix(light, WHITE, 0.45), mix(light, WHITE, 0.45), None, None)
    pen.lobes(plate, dark, middle, mix(light, WHITE, 0.2), width=1.4)
    for i in range(7):
        at = x - a * 0.9 + a * 1.8 * i / 6
        pen.line([(at, y + 1), (at + 2.5, y - 2.6)], dark, 0.6)


# Buildings -------------------------------------------------------------------------------------------


class _Roof(NamedTuple):
    """The measures of a roof that is symmetric around x = 0, in units."""

    #: The y of the eaves in the middle, and of the ridge.
    base: float
    top: float
    #: The widths of the eaves and of the ridge.
    wide: float
    ridge: float
    #: The rise of the ends of the eaves, and the thickness of the eaves.
    lift: float
    eave: float
    #: The number of columns of tiles.
    rows: int
    #: Whether a beam lies on the ridge.
    capped: bool = False


def _roof(pen: Pen, roof: _Roof, fill: Colour, dark: Colour, snow: bool, outline: float = 1.2) -> None:
    """Draw a roof with tiles and eaves; its sides curve inward and its eaves rise at the ends."""
    a, b = roof.ridge / 2, roof.wide / 2
    base, top, height = roof.base, roof.top, roof.base - roof.top
    eaves = bezier((-b, base - roof.lift), (0, base + roof.lift * 0.75), (b, base - roof.lift), 12)

    def slope(t: float, depth: float) -> Point:
        """Return a point of the roof: ``t`` from left (0) to right (1), ``depth`` from ridge to eaves."""
        start, end = (2 * a * t - a, top), _between(eaves, t)
        control = (start[0] + (end[0] - start[0]) * 0.3, base - height * 0.23)
        return _quadratic(start, control, end, depth)

    left, right = [slope(0, i / 9) for i in range(10)], [slope(1, 1 - i / 9) for i in range(10)]
    pen.poly([(x, y + roof.eave) for x, y in eaves] + eaves[::-1], mix(fill, dark, 0.9), KEY, outline)
    pen.poly(left + eaves[1:] + right[1:], fill, None)
    pen.poly([(a * 0.1, top), *eaves[6:], *right[1:]], mix(fill, dark, 0.45), None)
    for i in range(1, roof.rows):
        pen.line([slope(i / roof.rows, 0.05 + 0.19 * step) for step in range(6)], dark, 0.75)
    if snow:
        _roof_snow(pen, slope, max(4, 2 * round(roof.wide / 12)))
    pen.poly(left + eaves[1:] + right[1:], None, KEY, outline)
    if roof.capped:
        beam = [(-a - 1.5, top - 2.4), (a + 1.5, top - 2.4), (a + 0.6, top + 0.6), (-a - 0.6, top + 0.6)]
        pen.poly(beam, SNOW if snow else dark, KEY, 0.9)


def _quadratic(start: Point, control: Point, end: Point, t: float) -> Point:
    """Return the point at t (0 to 1) of a quadratic Bézier curve."""
    u = 1 - t
    return (
        u * u * start[0] + 2 * t * u * control[0] + t * t * end[0],
        u * u * start[1] + 2 * t * u * control[1] + t * t * end[1],
    )


def _between(line: Points, t: float) -> Point:
    """Return the point at t (0 to 1) of a line, all of whose stretches count as equally long."""
    at = t * (len(line) - 1)
    i = min(int(at), len(line) - 2)
    (ax, ay), (bx, by) = line[i], line[i + 1]
    return ax + (bx - ax) * (at - i), ay + (by - ay) * (at - i)


def _roof_snow(pen: Pen, slope: Callable[[float, float], Point], waves: int) -> None:
    """Draw snow from the ridge down, its lower edge in ``waves``; ``slope`` gives the points of the roof."""
    depths = [0.9 if i in (0, waves) else 0.56 if i % 2 else 0.78 for i in range(waves + 1)]
    for thick, colour in ((0.1, SNOW_SHADE), (0.0, SNOW)):
        hem = spline([slope(i / waves, min(1.0, depth + thick)) for i, depth in enumerate(depths)])
        edge = (depths[0] + thick) / 6
        left = [slope(0, min(1.0, edge * i)) for i in range(7)]
        right = [slope(1, min(1.0, edge * i)) for i in range(6, -1, -1)]
        pen.poly(left + hem + right, colour, None)


def _thatched(pen: Pen, snow: bool) -> None:
    """Draw a farmhouse under a thatched roof like a straw hat, 62 units wide."""
    _box(pen, -21, 21, 0, -20, WALL, 1.2)
    _box(pen, 4, 21, 0, -20, mix(WALL, WOOD, 0.25))
    _box(pen, -9, 4, 0, -15, WOOD_DARK, 1)
    pen.line([(-2.5, 0), (-2.5, -15)], WOOD, 0.8)
    _box(pen, 9, 17, -6, -14, hexa("#FFF6DC"), 0.9)
    for i in (1, 2, 3):
        pen.line([(9 + i * 2, -6), (9 + i * 2, -14)], KEY, 0.6)
    for x in (-21, 21, -13):
        pen.line([(x, 0), (x, -20)], WOOD_DARK, 1.6)
    straw, shade = hexa("#D9B466"), hexa("#96702F")
    roof = [
        (-31, -16), (-27, -22), (-19, -36), (-10, -50), (0, -52), (10, -50), (19, -36), (27, -22),
        (31, -16), (22, -13.5), (0, -12.5), (-22, -13.5),
    ]  # fmt: skip
    pen.poly([(x, y + 2) for x, y in roof], KEY, KEY, 1)
    pen.smooth(roof, straw, None)
    pen.poly(
        [(4, -51), (10, -50), (19, -36), (27, -22), (31, -16), (22, -13.5), (8, -12.8)],
        mix(straw, shade, 0.5),
        None,
    )
    for i in range(-9, 10):
        for begin, end in ((0.08 + 0.05 * chance(i, 2), 0.42), (0.5, 0.72 + 0.1 * chance(i, 3)), (0.8, 0.97)):
            pen.line([(i * (1.1 + 2.1 * t**1.15), -49 + 35 * t) for t in (begin, end)], shade, 0.65)
    if snow:
        hem = [(24, -26), (15, -30), (8, -25), (0, -31), (-8, -26), (-16, -31), (-24, -26)]
        _drift(pen, [(-19, -36), (-10, -50), (0, -53), (10, -50), (19, -36), *hem])
    pen.smooth(roof, None, KEY, 1.4)
    pen.poly([(-12, -53), (12, -53), (13.5, -48.5), (-13.5, -48.5)], shade if not snow else SNOW, KEY, 1.1)
    for x in (-8, -2.5, 2.5, 8):
        pen.line([(x - 2, -54.5), (x + 2, -47.5)], KEY, 1.1)


def _pagoda(pen: Pen, snow: bool) -> None:
    """Draw a red pagoda: four roofs, each smaller than the one below, and a ringed finial."""
    pen.poly([(-17, 0), (17, 0), (15, -4), (-15, -4)], STONE, KEY, 1.1)
    y = -4
    for eaves, wide in ((46, 20), (40, 17), (34, 14), (28, 11)):
        _box(pen, -wide / 2 - 1, wide / 2 + 1, y, y - 9, VERMILION, 1.1)
        _box(pen, wide * 0.12, wide / 2 + 1, y, y - 9, hexa("#8E2A20"))
        _box(pen, -wide * 0.16, wide * 0.16, y, y - 6.5, hexa("#F0D9A0"), 0.8)
        roof = _Roof(base=y - 7.5, wide=eaves, top=y - 14.5, ridge=wide * 0.9, lift=3.2, rows=6, eave=1.6)
        _roof(pen, roof, TILE, TILE_DARK, snow, 1.15)
        y -= 14
    pen.poly([(-3, y - 1), (3, y - 1), (1, y - 3.5), (-1, y - 3.5)], GOLD, KEY, 0.9)
    pen.line([(0, y - 3), (0, y - 15)], KEY, 1.8)
    for i in range(4):
        pen.line([(-2.6 + i * 0.4, y - 4.5 - i * 2.2), (2.6 - i * 0.4, y - 4.5 - i * 2.2)], GOLD, 1.3)
    pen.ellipse(0, y - 15.5, 1.8, 1.8, GOLD, KEY, 0.8)


def _tiled(pen: Pen, snow: bool) -> None:
    """Draw a town house of two storeys with a blue curtain and two wide, low roofs."""
    _box(pen, -26, 26, 0, -15, WOOD, 1.2)
    for i in range(13):
        pen.line([(-26 + i * 4.3, 0), (-26 + i * 4.3, -12)], WOOD_DARK, 0.8)
    _box(pen, -5, 7, 0, -12, hexa("#274A6E"), 1)
    for x in (-1, 3):
        pen.line([(x, -1), (x, -12)], KEY, 0.7)
    pen.ellipse(1, -7, 2.3, 2.3, PAPER_LIGHT, None)
    lower = _Roof(base=-13, wide=64, top=-21, ridge=46, lift=1.4, rows=12, eave=1.8)
    _roof(pen, lower, TILE, TILE_DARK, snow)
    _box(pen, -20, 20, -20, -33, WALL, 1.2)
    _box(pen, 7, 20, -20, -33, mix(WALL, TILE, 0.3))
    for x in (-15, -2, 9):
        _box(pen, x, x + 7, -23, -30, WOOD_DARK, 0.8)
        for i in (1, 2, 3):
            pen.line([(x + i * 1.7, -23), (x + i * 1.7, -30)], GOLD, 0.5)
    upper = _Roof(base=-31, wide=58, top=-46, ridge=34, lift=1.6, rows=11, eave=2.2, capped=True)
    _roof(pen, upper, TILE, TILE_DARK, snow)


def _castle(pen: Pen, snow: bool) -> None:
    """Draw a white castle on a stone base, with a front gable and gold fish on the ridge."""
    pen.poly([(-28, 0), (28, 0), (21, -14), (-21, -14)], hexa("#9C9A94"), KEY, 1.3)
    pen.poly([(4, 0), (28, 0), (21, -14), (6, -14)], hexa("#77777A"), None)
    for course, (y, half) in enumerate(((-4.5, 25), (-9.3, 22.5))):
        pen.line([(-half, y), (half, y)], KEY, 0.8)
        for x in range(-20 + course * 4, 22, 9):
            pen.line([(x, y), (x + 0.8, y + 4.6)], KEY, 0.7)
    slate = hexa("#567F8C")
    _castle_storey(pen, -14, 20, 13)
    lower = _Roof(base=-25, wide=54, top=-33, ridge=30, lift=2.6, rows=9, eave=1.8)
    _roof(pen, lower, slate, TILE_DARK, snow)
    pen.poly([(-9, -25.4), (9, -25.4), (0, -35)], PLASTER, KEY, 1.2)
    pen.line([(-11, -25), (0, -36.5), (11, -25)], TILE_DARK, 2.2)
    _castle_storey(pen, -33, 13.5, 11)
    middle = _Roof(base=-42, wide=40, top=-49, ridge=20, lift=2.4, rows=7, eave=1.7)
    _roof(pen, middle, slate, TILE_DARK, snow)
    _castle_storey(pen, -49, 8.5, 8)
    upper = _Roof(base=-55.5, wide=30, top=-65, ridge=12, lift=2.4, rows=5, eave=1.6, capped=True)
    _roof(pen, upper, slate, TILE_DARK, snow)
    for f in (1, -1):
        q = pen.at(0, 0, 1, flip=f)
        q.brush([(6.5, -66.5), (8.6, -69.5), (7.2, -73)], 3.4, 0.8, KEY)
        q.brush([(6.5, -66.8), (8.3, -69.5), (7.2, -72.2)], 2, 0.5, GOLD)


def _castle_storey(pen: Pen, low: float, half: float, height: float) -> None:
    """Draw white walls, twice ``half`` wide, with dark loopholes."""
    _box(pen, -half, half, low, low - height, PLASTER, 1.2)
    _box(pen, half * 0.35, half, low, low - height, hexa("#C9CCCC"))
    for i in range(int(half / 4)):
        _box(pen, -half + 4 + i * 8, -half + 6.4 + i * 8, low - 2.5, low - height + 3, KEY)


def _round_pavilion(pen: Pen, snow: bool) -> None:
    """Draw a round pavilion: red posts under a green roof like a tent, with a gold ball."""
    pen.ellipse(0, -2, 26, 5, STONE, KEY, 1.2)
    pen.ellipse(0, -4.5, 23, 4.4, hexa("#CFC8B4"), KEY, 1)
    _box(pen, -16, 16, -4, -26, hexa("#3E5A4E"))
    _box(pen, -15, 15, -4, -22, hexa("#F3DFA8"))
    _box(pen, 4, 15, -4, -22, hexa("#D7B56C"))
    for i in range(7):
        pen.line([(-15 + i * 5, -6), (-15 + i * 5, -22)], hexa("#B98B46"), 0.6)
    pen.smooth([(-21, -10), (0, -6.4), (21, -10), (21, -6.5), (0, -2.6), (-21, -6.5)], VERMILION, KEY, 1.0)
    for x in (-19, -9.5, 0, 9.5, 19):
        _post(pen, (x, -5 - 1.4 * (1 - abs(x) / 19)), (x, -27), 2.2, VERMILION)
    copper, shade = hexa("#4F8C7C"), hexa("#23544E")
    eaves = bezier((-33, -27), (0, -16), (33, -27), 12)

    def slope(t: float, depth: float) -> Point:
        end = _between(eaves, t)
        return _quadratic((0, -58), (end[0] * 0.28, -36), end, depth)

    left, right = [slope(0, i / 10) for i in range(11)], [slope(1, 1 - i / 10) for i in range(11)]
    pen.poly([(x, y + 2.4) for x, y in eaves] + eaves[::-1], shade, KEY, 1.2)
    pen.poly(left + eaves + right, copper, None)
    pen.poly([(0, -58), *eaves[7:], *right], mix(copper, shade, 0.5), None)
    for i in range(1, 12):
        pen.line([slope(i / 12, 0.08 + 0.184 * step) for step in range(6)], shade, 0.8)
    if snow:
        _roof_snow(pen, slope, 10)
    pen.poly(left + eaves + right, None, KEY, 1.3)
    pen.ellipse(0, -60.5, 3.4, 3.4, GOLD, KEY, 1.1)
    pen.poly([(-1.6, -63), (1.6, -63), (0, -68)], GOLD, KEY, 0.9)


def _temple(pen: Pen, snow: bool) -> None:
    """Draw a temple with sweeping, horned eaves, red pillars and a curved porch."""
    _box(pen, -28, 28, 0, -5, STONE, 1.1)
    _box(pen, -25, 25, -5, -25, hexa("#F2E2BE"), 1.1)
    _box(pen, 6, 25, -5, -25, hexa("#D8BC8C"))
    _box(pen, -7, 7, -5, -20, hexa("#3A2420"), 1)
    for x in (-23, -12, 12, 23):
        _post(pen, (x, -4), (x, -25), 3, VERMILION)
    _box(pen, -25, 25, -22, -25.5, VERMILION, 1)
    for step in range(4):
        half, y = 9 + step * 1.1, -4 + step * 1.3
        _box(pen, -half, half, y + 1, y - 0.4, hexa("#D8D2C2"), 0.7)
    shingle, shade = hexa("#7A4A34"), hexa("#3F2620")
    roof = _Roof(base=-24, wide=72, top=-41, ridge=38, lift=6, rows=13, eave=2.6)
    _roof(pen, roof, shingle, shade, snow, 1.3)
    upper = [(-19, -40), (19, -40), (13, -52), (-13, -52)]
    pen.poly(upper, SNOW if snow else shingle, KEY, 1.2)
    pen.poly(
        [(4, -40.6), (18, -40.6), (12.4, -52), (3, -52)],
        mix(SNOW, SNOW_SHADE, 0.55) if snow else mix(shingle, shade, 0.45),
        None,
    )
    for i in range(-3, 4) if not snow else ():
        pen.line([(i * 5.6, -40), (i * 4, -52)], shade, 0.7)
    for f in (1, -1):
        pen.at(0, 0, 1, flip=f).brush([(13, -53), (18, -55), (19.4, -60)], 5.4, 2.4, KEY)
        pen.at(0, 0, 1, flip=f).brush([(14, -53), (18, -55), (19, -59)], 3.6, 1.2, shade)
    pen.poly([(-16, -55), (16, -55), (14.5, -51), (-14.5, -51)], shade, KEY, 1)
    if snow:
        _drift(pen, [(-15, -54.6), (-8, -56.6), (0, -55.8), (8, -56.6), (15, -54.6), (8, -53.8), (-8, -53.8)])
        gable = [(-14, -25.4), (-8.6, -29.4), (0, -36), (8.6, -29.4), (14, -25.4)]
        pen.brush(gable, 1.6, 1.6, KEY, middle=5.4)
        pen.brush(gable, 0.6, 0.6, SNOW, middle=3.4)
    porch = [(-14, -24.5), (-9, -28), (0, -35), (9, -28), (14, -24.5), (7, -24), (0, -27.5), (-7, -24)]
    pen.smooth(porch, shade, KEY, 1.1)
    pen.ellipse(0, -28.6, 1.8, 1.8, GOLD, None)


# People ----------------------------------------------------------------------------------------------


def _face(pen: Pen, x: float, y: float, radius: float, skin: Colour, shade: Colour) -> None:
    """Draw a face without eyes and mouth, which each person's own function adds."""
    pen.ellipse(x, y, radius, radius * 1.1, skin, KEY, 1.1)
    pen.brush(
        [(x + radius * 0.5, y - radius * 0.7), (x + radius * 0.8, y), (x + radius * 0.3, y + radius * 0.85)],
        0.2,
        0.2,
        shade,
        middle=1.5,
    )


def _eyes(pen: Pen, x: float, y: float, apart: float, size: float = 0.85) -> None:
    """Draw two open eyes."""
    for side in (-apart, apart):
        pen.ellipse(x + side, y, size, size * 1.1, HAIR, None)


def _warrior(pen: Pen, snow: bool) -> None:
    """Draw a warrior in armour with horned helmet, square shoulder plates, spear and two swords."""
    armour, helmet = hexa("#2B4A78"), hexa("#172C50")
    hakama, hakama_shade = hexa("#4F6F8C"), hexa("#2A4460")
    _post(pen, (21, 2), (18, -74), 1.3, WOOD, 0.65)
    pen.poly([(16.4, -73), (19.4, -73), (17.6, -85)], hexa("#E9EEF0"), KEY, 1)
    pen.line([(15, -72), (21, -72.4)], RED, 2.2)
    _limb(pen, [(-5, -28), (-17, -20), (-27, -9)], 3, 1.8, RED)
    _limb(pen, [(-5, -31), (-16, -26), (-26, -19)], 2.6, 1.6, hexa("#4A4A57"))
    pen.poly([(-18, 0), (-2, 0), (0, -6), (2, 0), (18, 0), (10, -30), (-10, -30)], hakama, KEY, 1.4)
    pen.poly([(2, 0), (18, 0), (10, -30), (1, -30)], hakama_shade, None)
    for x0, x1 in ((-6, -12), (-3, -6), (3, 6), (6, 12)):
        pen.line([(x0, -28), (x1, -1)], KEY, 0.8)
    pen.poly([(-18, 0), (-2, 0), (0, -6), (2, 0), (18, 0), (10, -30), (-10, -30)], None, KEY, 1.4)
    pen.poly([(-11, -29), (11, -29), (13, -48), (-13, -48)], armour, KEY, 1.2)
    for y in (-32, -36, -40, -44):
        pen.line([(-11.5, y), (11.5, y)], GOLD, 0.8)
    pen.poly([(-5, -48), (5, -48), (0, -38)], PAPER_LIGHT, KEY, 0.9)
    for f in (1, -1):
        q = pen.at(0, 0, 1, flip=f)
        q.poly([(8, -49), (20, -47), (23, -34), (13, -33)], RED if f > 0 else mix(RED, KEY, 0.25), KEY, 1.3)
        for i in range(3):
            q.line([(9.5 + i * 1.2, -45 + i * 3.6), (20.5 + i * 0.8, -43.5 + i * 3.4)], GOLD, 0.8)
    pen.ellipse(18.6, -33, 3.1, 3.1, SKIN, KEY, 1)
    _limb(pen, [(-9, -32.5), (-3.5, -36)], 2, 2.4, GOLD)
    pen.ellipse(-10.6, -31.4, 2.9, 2.9, SKIN, KEY, 1)
    if snow:
        shoulder = [(8, -49.6), (14, -50.4), (20.4, -47.8), (20.6, -45.4), (14, -47), (10, -46)]
        for f in (1, -1):
            _drift(pen.at(0, 0, 1, flip=f), shoulder)
    _warrior_head(pen, helmet, snow)


def _warrior_head(pen: Pen, helmet: Colour, snow: bool) -> None:
    """Stern brows and a moustache under a helmet with gold horns."""
    _face(pen, 0, -52.4, 6, SKIN, SKIN_SHADE)
    _eyes(pen, 0, -52.2, 2.5)
    for f in (1, -1):
        q = pen.at(0, 0, 1, flip=f)
        q.line([(0.9, -53.2), (4.6, -55)], HAIR, 1.1)
        q.brush([(0, -50), (2.4, -50.1), (4.6, -47.8)], 1.7, 0.5, HAIR)
        q.poly([(8, -52.5), (10.4, -46), (5.6, -48)], helmet, KEY, 1)
    pen.line([(-1.1, -48.2), (1.1, -48.2)], RED, 0.8)
    pen.smooth([(-9.5, -54.5), (-8, -62), (0, -66.5), (8, -62), (9.5, -54.5), (0, -57.6)], helmet, KEY, 1.2)
    pen.brush([(-6.6, -58.5), (-5, -62.4), (-1.4, -64.4)], 0.8, 0.6, mix(helmet, WHITE, 0.4), middle=1.6)
    pen.line([(-11, -54), (0, -57.2), (11, -54)], hexa("#6B7E98"), 2)
    if snow:
        _drift(
            pen, [(-7.4, -61), (-4, -65), (0, -67.4), (4, -65), (7.4, -61), (3, -63), (0, -61.8), (-3, -63)]
        )
    for f in (1, -1):
        q = pen.at(0, 0, 1, flip=f)
        q.brush([(0.5, -59.5), (8, -65), (10.5, -77)], 4.2, 1.2, KEY)
        q.brush([(0.5, -59.8), (7.6, -65), (10.3, -75.5)], 2.6, 0.6, GOLD)
    pen.ellipse(0, -60, 2.4, 2.4, GOLD, KEY, 0.9)


def _peasant(pen: Pen, snow: bool) -> None:
    """Draw a peasant in a cone hat, two baskets on a pole."""
    cloth, cloth_shade = hexa("#5C7F9A"), hexa("#34536E")
    straw, straw_shade = hexa("#DDB867"), hexa("#9A7431")
    for x in (-5, 6):
        pen.brush([(x * 0.8, -20), (x + 0.4, -9), (x, 0)], 6, 4, KEY)
        pen.brush([(x * 0.8, -20), (x + 0.4, -9), (x, -0.8)], 4, 2.4, TANNED)
        pen.poly([(x - 4, 1), (x + 3, 1), (x + 2.6, -1.6), (x - 2.6, -1.6)], straw_shade, KEY, 0.9)
    pen.poly([(-10, -17), (11, -17), (11, -44), (-10, -44)], cloth, KEY, 1.3)
    pen.poly([(2, -17), (11, -17), (11, -44), (3, -44)], cloth_shade, None)
    pen.poly([(-10, -27), (11, -27), (11, -31), (-10, -31)], hexa("#C98D3F"), KEY, 1)
    for x, y in ((-6, -38), (-2, -35), (-6, -22), (0, -21), (-2, -41)):
        pen.ellipse(x, y, 1, 1, PAPER_LIGHT, None)
    pen.poly([(-3.5, -44), (4.5, -44), (0.5, -36)], TANNED, KEY, 0.9)
    pen.brush([(-36, -41), (0, -46.5), (36, -41)], 2.4, 2.4, KEY, middle=4.2)
    pen.brush([(-35, -41.2), (0, -46.5), (35, -41.2)], 1.2, 1.2, hexa("#B98A4C"), middle=2.4)
    for f in (1, -1):
        q = pen.at(0, 0, 1, flip=f)
        _basket(q, straw, straw_shade, snow)
        _limb(q, [(9, -41), (14, -37), (15, -42)], 4.2, 3, cloth if f < 0 else cloth_shade)
        q.ellipse(15, -44.4, 2.6, 2.4, TANNED, KEY, 0.9)
    _peasant_head(pen, straw, straw_shade, snow)


def _basket(pen: Pen, straw: Colour, straw_shade: Colour, snow: bool) -> None:
    """Draw a basket of cabbages on two cords from the right end of the pole."""
    for x in (25, 40):
        pen.line([(33, -42), (x + 0.5, -22)], KEY, 0.9)
    pen.poly([(23, -23), (42, -23), (39, -9), (26, -9)], straw, KEY, 1.3)
    pen.poly([(33, -23), (42, -23), (39, -9), (33, -9)], straw_shade, None)
    for i in range(3):
        pen.line([(24 + i * 0.8, -19.5 + i * 3.6), (41 - i * 0.8, -19.5 + i * 3.6)], KEY, 0.7)
    pen.lobes(
        [(27, -24, 4, 3.4), (33, -26, 5, 4), (38.5, -24, 4, 3.4)],
        hexa("#5A7A3C"),
        hexa("#7E9F4C"),
        hexa("#B4C878"),
        width=1,
    )
    if snow:
        _drift(pen, [(24, -25.4), (28, -28), (33, -30), (38, -28), (41.6, -25.4), (33, -26)])


def _peasant_head(pen: Pen, straw: Colour, straw_shade: Colour, snow: bool) -> None:
    """Draw a tanned face with stubble under a cone hat."""
    _face(pen, 0.5, -46.4, 5.8, TANNED, TANNED_SHADE)
    _eyes(pen, 0.5, -46.9, 2.5)
    for side in (-2.6, 2.6):
        pen.line([(0.5 + side - 1.3, -48.7), (0.5 + side + 1.3, -48.7)], HAIR, 0.9)
        pen.ellipse(0.5 + side * 1.3, -44.9, 1.1, 0.7, mix(TANNED, RED, 0.35), None)
    pen.line(bezier((-1.7, -43.7), (0.5, -42.3), (2.7, -43.7), 6), hexa("#7A2E24"), 0.9)
    for i in range(7):  # stubble
        x = -2.4 + i * 0.97
        y = -41.5 + abs(i - 3) ** 2 * 0.17
        pen.line([(x, y), (x, y + 0.7)], mix(TANNED_SHADE, KEY, 0.45), 0.5)
    hat = (
        bezier((-20, -48.5), (-6, -56), (0.5, -65), 8)
        + bezier((0.5, -65), (7, -56), (21, -48.5), 8)
        + bezier((21, -48.5), (0.5, -52.5), (-20, -48.5), 8)
    )
    pen.poly(hat, straw, KEY, 1.4)
    pen.poly([(0.5, -65), *bezier((0.5, -65), (7, -56), (21, -48.5), 8), (8, -50.3)], straw_shade, None)
    for i in range(-4, 5):
        pen.line([(0.5, -63), (0.5 + i * 4.2, -50.4 + abs(i) * 0.3)], KEY, 0.6)
    if snow:
        hem = [(12, -53.4), (7, -54.6), (3, -52.6), (-2, -55), (-7, -52.8), (-11, -53.6)]
        _drift(pen, [(0.5, -66), (7, -57.6), *hem, (-6, -57.6)])
    pen.poly(hat, None, KEY, 1.4)


def _monk(pen: Pen, snow: bool) -> None:
    """Draw a bald monk with a bowl, beads and a ring staff."""
    robe, robe_shade, stole = hexa("#DE9A35"), hexa("#A8651F"), hexa("#5A3A5E")
    _post(pen, (20, 2), (19, -66), 1.4, WOOD)
    ring = circle(19, -71, 5.6, 6.6, 24)
    pen.poly(ring, None, KEY, 3.4)
    pen.poly(ring, None, GOLD, 1.8)
    for x in (15, 23):
        pen.ellipse(x, -64, 2.1, 2.1, GOLD, KEY, 0.8)
    body = [(-19, 0), (-16, -22), (-11, -44), (-4, -48), (6, -48), (12, -44), (15, -22), (18, 0), (0, 1.5)]
    pen.smooth(body, robe, KEY, 1.4)
    pen.poly([(6, -46), (12, -44), (15, -22), (17.4, -1), (7, 0.8)], robe_shade, None)
    for a, b in (((-6, -30), (-12, -1)), ((0, -26), (-2, 0)), ((6, -28), (8, 0))):
        pen.line([a, b], robe_shade if a[0] < 6 else KEY, 1)
    pen.smooth(body, None, KEY, 1.4)
    pen.poly([(-12, -43), (-5, -48), (14, -20), (14.5, -10), (8, -12)], stole, KEY, 1.2)
    pen.line([(-8.5, -44.5), (12, -15)], hexa("#8E6A90"), 0.9)
    pen.smooth([(-10, -40), (-21, -28), (-20, -18), (-8, -24), (-4, -32)], robe, KEY, 1.3)
    pen.ellipse(-9, -27.5, 3.4, 2.8, SKIN, KEY, 1)
    pen.smooth([(-16, -31), (-4, -31), (-6, -25), (-14, -25)], KEY, KEY, 1)
    pen.smooth([(10, -42), (22, -34), (22, -26), (14, -26), (6, -34)], robe_shade, KEY, 1.3)
    pen.ellipse(19.3, -33, 3.2, 3.2, SKIN, KEY, 1)
    _monk_head(pen)
    if snow:
        _drift(pen, [(-13, -43.6), (-10, -47), (-5, -49), (-4, -46), (-8, -43.4)])
        _drift(pen, [(7, -48.4), (12, -46.4), (17.4, -40.6), (16, -38.4), (12, -43), (8, -44.6)])
    for i in range(9):
        a = math.pi * (0.1 + 0.8 * i / 8)
        pen.ellipse(1 + math.cos(a) * 8.5, -46 + math.sin(a) * 8, 1.5, 1.5, hexa("#5B2E22"), KEY, 0.5)


def _monk_head(pen: Pen) -> None:
    """Draw a round bald head, the eyes closed, with a smile."""
    for x in (-7.4, 9.4):
        pen.ellipse(x, -54, 1.9, 3.2, SKIN, KEY, 1.1)
    pen.ellipse(1, -56, 8.4, 9, SKIN, KEY, 1.4)
    pen.brush([(5.6, -62), (7.8, -56), (4.8, -49.4)], 0.2, 0.2, SKIN_SHADE, middle=2.4)
    pen.ellipse(-1.8, -61, 3, 2, hexa("#FBE8CC"), None)
    for side in (-3.4, 3.4):
        pen.line(bezier((1 + side - 1.9, -56.2), (1 + side, -54.2), (1 + side + 1.9, -56.2), 6), KEY, 1.0)
        pen.line(
            bezier((1 + side - 2.1, -58.6), (1 + side, -60), (1 + side + 2.1, -58.6), 6),
            mix(SKIN_SHADE, KEY, 0.3),
            0.8,
        )
        pen.ellipse(1 + side * 1.35, -52.8, 1.3, 0.9, BLUSH, None)
    pen.line(bezier((-0.9, -51.6), (1, -50.2), (2.9, -51.6), 6), RED, 1.0)


def _lady(pen: Pen, snow: bool) -> None:
    """Draw a lady in a flowered kimono under a parasol."""
    kimono, kimono_shade, sash = hexa("#C9483F"), hexa("#8A2A33"), hexa("#23446E")
    _parasol(pen.at(13, -60, 1, turn=0.16), snow)
    body = [
        (-4, -42), (6, -42), (9, -30), (8, -18), (13, -6), (26, 1), (6, 2.5), (-10, 1.5), (-11, -14),
        (-8, -28),
    ]  # fmt: skip
    pen.smooth(body, kimono, KEY, 1.4)
    pen.smooth(
        [(2, -40), (6, -42), (9, -30), (8, -18), (13, -6), (26, 1), (8, 2), (4, -16)], kimono_shade, None
    )
    for x, y in ((-7, -6), (-3, -12), (-6, -18), (1, -4), (8, -3), (15, -0.6), (-1, -21)):
        for petal_x, petal_y in circle(x, y, 1.25, 1.25, 5):
            pen.ellipse(petal_x, petal_y, 0.85, 0.85, hexa("#FBE3DA"), None)
        pen.ellipse(x, y, 0.6, 0.6, GOLD, None)
    pen.line(spline([(-3, -24), (-5, -10), (-6, 1)]), KEY, 0.9)
    pen.smooth(body, None, KEY, 1.4)
    pen.poly([(-8.6, -25), (9, -25), (8.6, -34), (-6.6, -34)], sash, KEY, 1.2)
    pen.line([(-8, -29.5), (9, -29.5)], GOLD, 1.3)
    pen.lobes([(12, -33, 5, 5.4), (14, -25.5, 5, 5.4)], hexa("#152C4A"), sash, hexa("#4C7AA8"), width=1.2)
    pen.ellipse(9.5, -29.4, 2.4, 2.4, GOLD, KEY, 0.8)
    pen.smooth([(-5, -42), (-13, -34), (-17, -21), (-9, -19), (-3, -32)], kimono, KEY, 1.3)
    pen.line([(-16.4, -20.6), (-9.6, -19)], PAPER_LIGHT, 2)
    pen.smooth([(4, -39.6), (7, -43.6), (11, -42.6), (14, -37), (9, -34.6)], kimono_shade, KEY, 1.2)
    pen.ellipse(8.8, -44.4, 2.3, 2.2, POWDERED, KEY, 0.9)
    pen.poly([(-3.5, -41.6), (4, -41.6), (0, -34.5)], PAPER_LIGHT, KEY, 0.9)
    _lady_head(pen)


def _parasol(pen: Pen, snow: bool) -> None:
    """Draw a parasol of oiled paper with red ribs, upright round its hub."""
    pen.line([(0, 0), (-5, 38)], KEY, 2.2)
    canopy = bezier((-27, 3), (-19, -17), (0, -20), 8) + bezier((0, -20), (19, -17), (27, 3), 8)
    rim: list[Point] = []
    for i in range(6):
        x0, x1 = 27 - i * 9, 18 - i * 9
        rim += bezier((x0, 3), ((x0 + x1) / 2, -0.8), (x1, 3), 4)
    pen.poly(canopy + rim, hexa("#F3D48A"), KEY, 1.4)
    pen.poly([(0, -20), *bezier((0, -20), (19, -17), (27, 3), 8), (18, 3), (9, 2.4)], hexa("#D9A24E"), None)
    for x in (-18, -9, 0, 9, 18):
        pen.line(bezier((0, -19.4), (x * 0.85, -12), (x, 2.6), 6), RED, 1.0)
    pen.line(bezier((-25.5, -1.5), (0, -10), (25.5, -1.5), 10), RED, 2.2)
    pen.poly(canopy + rim, None, KEY, 1.4)
    pen.line([(0, -20), (0, -24)], KEY, 2)
    if snow:
        hem = [(15, -10.6), (9, -12.4), (3, -9.4), (-3, -11.6), (-9, -9), (-15, -11.4), (-19, -9.6)]
        _drift(pen, [(-12, -16), (0, -20.8), (12, -16), *hem])


def _lady_head(pen: Pen) -> None:
    """Draw a white face with small red lips under a high coiffure with pins."""
    shine = hexa("#3A4560")
    pen.lobes([(1, -54, 7.6, 6.2), (5.6, -49.6, 3.6, 4.6), (2, -61.4, 4.6, 3.8)], HAIR, HAIR, shine, width=1)
    pen.smooth(
        [(-5.6, -51), (-4.6, -46.6), (-0.6, -43.6), (3.6, -45.6), (5, -51), (0, -55.4)], POWDERED, KEY, 1.1
    )
    pen.smooth(
        [(-6.4, -51), (-6.4, -55.6), (0, -58.6), (6.6, -55), (6, -49.4), (4, -52.6), (0, -54.2), (-4, -53.4)],
        HAIR,
        None,
    )
    pen.brush([(-4.6, -55.4), (-1, -57.2), (3.6, -56)], 0.3, 0.3, shine, middle=1.2)
    for x in (-3.2, 1.4):
        pen.line(bezier((x - 1.1, -49.8), (x, -50.6), (x + 1.2, -49.6), 5), KEY, 0.9)
        pen.ellipse(x, -49.4, 0.55, 0.6, HAIR, None)
        pen.ellipse(x, -52.1, 0.8, 0.45, shine, None)
        pen.ellipse(x * 1.25 - 0.2, -47.4, 0.9, 0.6, hexa("#F4C3B6"), None)
    pen.ellipse(-1.1, -45.8, 1.0, 0.8, hexa("#C4202B"), None)
    pen.line([(-5.4, -63), (10, -59.4)], KEY, 2.2)
    pen.line([(-5.4, -63), (10, -59.4)], GOLD, 1.2)
    pen.ellipse(-5.4, -63, 1.9, 1.9, RED, KEY, 0.7)
    for x, y in ((6.6, -57), (8.2, -55), (5.4, -54.6)):
        pen.ellipse(x, y, 1.3, 1.3, hexa("#F0AFB8"), None)


# Animals ---------------------------------------------------------------------------------------------


def _boar(pen: Pen, snow: bool) -> None:
    """Draw a boar: a hump of bristles with a tusk."""
    hide, hide_shade, hide_light = hexa("#6E4B39"), hexa("#3F2A26"), hexa("#9C7350")
    _trotter(pen, [(-9, -14), (-7.4, -6), (-6.6, 0), (-1.6, 0), (-1.2, -6), (1, -14)], hide_shade)
    _trotter(pen, [(21, -16), (24.4, -7), (25, 0), (29.6, 0), (29.4, -7), (28, -16)], hide_shade)
    _limb(pen, [(26, -27), (33, -27), (34.6, -18)], 1.6, 0.8, hide_shade)
    pen.brush([(33.8, -20), (36, -16.6), (34.6, -12.6)], 1.4, 0.5, KEY, middle=3.6)
    back = spline([(-23, -32), (-18, -38), (-4, -42), (12, -39), (24, -31)])
    for i, (x, y) in enumerate(back[:-2:2]):
        tall = 4.4 + 3.6 * math.sin(math.pi * min(1, i / 12)) - 2.2 * chance(i, 6)
        pen.poly([(x - 2.4, y + 4), (x + 2.6, y + 4), (x + 2.8, y - tall)], hide_shade, KEY, 0.9)
    body = [
        (-40, -13), (-37, -21), (-27, -29), (-18, -38), (-4, -42), (12, -39), (25, -31),
        (29, -20), (25, -11), (12, -8), (-4, -9), (-18, -9), (-29, -9), (-38, -9),
    ]  # fmt: skip
    pen.smooth(body, hide, KEY, 1.5)
    belly = [(-18, -14), (-4, -13), (12, -14), (27, -20), (25, -11), (12, -8), (-4, -9), (-18, -9)]
    pen.smooth([*belly, (-29, -9.6)], hide_shade, None)
    pen.smooth([(-16, -36), (-4, -40), (10, -37), (8, -34), (-6, -35)], hide_light, None)
    for i in range(18):
        x, y = -13 + 2.2 * i, -25 - 6 * chance(i, 4) + (i - 8) * 0.1
        pen.brush([(x, y), (x + 1.6, y + 1.8), (x + 3.4, y + 5)], 0.3, 0.3, hide_shade, middle=1.1)
    pen.smooth(body, None, KEY, 1.5)
    _trotter(pen, [(-22, -16), (-19.4, -7), (-19, 0), (-12.6, 0), (-12.4, -7), (-8.6, -16)], hide)
    _trotter(pen, [(8, -19), (13, -8), (13.4, 0), (19.8, 0), (20.4, -8), (25, -19)], hide)
    pen.line(bezier((8, -19), (9.4, -26), (16, -28.6), 6), hide_shade, 1.1)
    for i in range(4):  # bristles on the cheek
        pen.brush([(-23 + i * 1.4, -21 + i * 2.6), (-19 + i * 1.4, -19.6 + i * 2.4)], 1.4, 0.4, hide_light)
    pen.smooth([(-22.6, -31), (-21, -40), (-18.6, -41.4), (-14, -33), (-17, -30.4)], hide_shade, KEY, 1.2)
    pen.smooth([(-20.4, -33), (-19.4, -38), (-16.6, -33)], hexa("#B9806C"), None)
    pen.ellipse(-27.5, -22.5, 1.8, 1.8, PAPER_LIGHT, KEY, 0.8)
    pen.ellipse(-27.8, -22.3, 0.9, 0.9, KEY, None)
    pen.line([(-30.4, -25), (-25.6, -25.6)], KEY, 1.2)
    pen.smooth([(-41, -17), (-37.5, -18.5), (-36.4, -11), (-40.6, -9.4)], hexa("#C48A78"), KEY, 1.1)
    pen.ellipse(-39.5, -13.5, 0.8, 1.2, KEY, None)
    pen.brush([(-32.6, -11.4), (-37, -13), (-36, -20.6)], 4.6, 1, KEY)
    pen.brush([(-33, -11.6), (-36.4, -13), (-35.8, -19)], 2.8, 0.6, PAPER_LIGHT)


def _trotter(pen: Pen, leg: Points, fill: Colour) -> None:
    """Draw a leg of a boar with a dark hoof; its outline ``leg`` begins and ends at the body."""
    pen.poly(leg, fill, None)
    (ax, ay), (bx, by) = leg[2], leg[3]
    pen.poly([(ax, ay - 2.6), (ax - 0.4, ay), (bx + 0.4, by), (bx, by - 2.6)], HAIR, None)
    pen.line(leg, KEY, 1.3)


def _deer(pen: Pen, snow: bool) -> None:
    """Draw a spotted deer with antlers."""
    coat, coat_shade, belly = hexa("#C98A4B"), hexa("#8A5529"), hexa("#F3E3C2")
    for x0, x1, x2 in ((-10, -8, -11), (15, 19, 16)):
        pen.brush([(x0, -26), (x1, -13), (x2, 0)], 6, 2.8, KEY)
        pen.brush([(x0, -26), (x1, -13), (x2, -0.8)], 4, 1.4, coat_shade)
    for x0, x1, x2 in ((-14, -15, -16), (20, 24, 22)):
        pen.brush([(x0, -26), (x1, -13), (x2, 0)], 7, 3.2, KEY)
        pen.brush([(x0, -26), (x1, -13), (x2, -0.8)], 4.8, 1.6, coat)
        pen.brush([(x1 * 0.3 + x2 * 0.7, -4), (x2, 0)], 3.2, 3.6, KEY)
    body = [
        (-19, -30), (-20, -42), (-25, -54), (-22, -58), (-15, -55), (-10, -43), (4, -41.5), (18, -42),
        (26, -36), (26, -26), (18, -21.5), (2, -21), (-12, -22),
    ]  # fmt: skip
    pen.smooth(body, coat, KEY, 1.5)
    pen.smooth(
        [(-14, -26), (0, -25.5), (16, -27), (25, -32), (24, -26), (16, -22), (0, -21.5), (-12, -22.5)],
        belly,
        None,
    )
    pen.smooth([(-21, -44), (-18.6, -36), (-19, -30), (-15, -26), (-13, -34), (-17, -44)], belly, None)
    pen.smooth(body, None, KEY, 1.5)
    spots = [
        (-4, -36), (2, -38), (8, -36), (14, -38), (20, -35.5), (-1, -32), (5, -33), (11, -32), (17, -32.5),
    ]  # fmt: skip
    for x, y in spots:
        pen.ellipse(x, y, 1.5, 1.2, PAPER_LIGHT, None)
    pen.smooth([(25, -36), (29, -40), (31, -34), (27, -30)], PAPER_LIGHT, KEY, 1.1)
    _deer_head(pen, coat, belly)


def _deer_head(pen: Pen, coat: Colour, pale: Colour) -> None:
    """Draw the head of a deer with its antlers."""
    pen.smooth(
        [(-36, -54), (-33, -59), (-24, -63), (-17, -60), (-17, -54), (-24, -52), (-33, -51.4)], coat, KEY, 1.3
    )
    pen.ellipse(-35.4, -54.4, 1.6, 1.7, KEY, None)
    pen.smooth([(-34, -52), (-26, -53), (-24, -52), (-33, -51.2)], pale, None)
    pen.smooth([(-18, -61), (-9, -66), (-11, -60), (-16, -57)], coat, KEY, 1.1)
    pen.ellipse(-26, -58, 1.4, 1.5, KEY, None)
    pen.ellipse(-26.4, -58.5, 0.5, 0.5, WHITE, None)
    horn = hexa("#6B4630")
    for dx, f in ((-24, -1), (-19.5, 1)):
        beam = [(dx, -62), (dx + f * 1.4, -69), (dx + f * 6.6, -76), (dx + f * 5, -86)]
        _limb(pen, [(dx + f * 3, -71.4), (dx + f * 6, -71.6), (dx + f * 10, -75)], 1.1, 0.3, horn)
        _limb(pen, [(dx + f * 6.4, -77.4), (dx + f * 10, -79.6), (dx + f * 11.4, -84)], 1.1, 0.3, horn)
        _limb(pen, beam, 1.8, 0.4, horn)


def _crane(pen: Pen, snow: bool) -> None:
    """Draw a crane with a red crown, one wing raised."""
    white, shade, slate = hexa("#FDFBF4"), hexa("#C9D2D6"), hexa("#5A6474")
    _limb(pen, [(7, -24), (14.6, -16.6), (6, -12.4)], 0.5, 0.3, slate)
    _limb(pen, [(2, -24), (3.6, -12), (0, 0)], 0.6, 0.4, slate)
    for toe in (-5.4, -1.4, 4.4):
        pen.line([(0, -0.4), (toe, 1.2)], KEY, 1.6)
    tail = [(14, -36), (26, -31), (35, -19), (29, -19.4), (25, -14), (20.6, -18.6), (15, -16.4), (10, -24)]
    pen.smooth(tail, HAIR, KEY, 1.2)
    for a, b in (((17, -29), (28, -21)), ((14, -26), (23, -18)), ((12, -24), (17, -18))):
        pen.line([a, b], slate, 0.9)
    neck = [(-5, -34.5), (-12, -37), (-18.6, -44), (-17, -55), (-21, -64), (-25, -68.6)]
    body = [(-15, -36), (-8, -43), (6, -43), (20, -36), (24, -28), (12, -23), (-4, -23), (-13, -28)]
    # Body and neck share one outline: both are drawn in its colour first, then both in white.
    pen.smooth(body, KEY, KEY, 2.6)
    pen.brush(neck, 12, 4.8, KEY)
    pen.smooth(body, white, None)
    pen.brush(neck, 9.4, 2.4, white)
    pen.smooth(
        [(-9, -28), (2, -26.6), (14, -28.6), (22, -31), (22, -27), (12, -23.8), (-4, -23.8)], shade, None
    )
    pen.brush(
        [(-13.4, -41), (-16.6, -47), (-15.6, -54), (-19.4, -62), (-23, -66)], 0.8, 1.8, HAIR, middle=4.2
    )
    _raised_wing(pen, white, shade)
    pen.ellipse(-25, -69, 4.4, 4, white, KEY, 1.3)
    pen.smooth([(-28, -71), (-25, -74.4), (-21.2, -71), (-25, -70.2)], hexa("#D1352B"), KEY, 0.9)
    pen.poly([(-28.6, -70.2), (-41, -66), (-28, -66.8)], hexa("#C9A24A"), KEY, 1)
    pen.ellipse(-26, -69, 0.9, 0.9, KEY, None)


def _raised_wing(pen: Pen, white: Colour, shade: Colour) -> None:
    """Draw a wing spread upwards: black fingers behind, two rows of white feathers before them."""
    for root, tip in (
        ((23, -52), (35.6, -58)), ((22, -57), (38, -65)), ((21, -62), (38.6, -72)),
        ((19, -66), (37, -78.6)), ((16, -67), (32.6, -83)),
    ):  # fmt: skip
        bend = ((root[0] + tip[0]) / 2 + 0.6, (root[1] + tip[1]) / 2 + 1.4)
        _limb(pen, [root, bend, tip], 4.6, 0.6, HAIR)
    wing = [
        (-2, -40), (3, -55), (13, -68), (24, -75.6), (26.4, -71), (29, -68.4), (28.4, -64), (30, -60.4),
        (27.6, -57), (27.6, -53), (24, -50.4), (20.6, -43.6), (10, -36), (2, -35),
    ]  # fmt: skip
    pen.smooth(wing, white, KEY, 1.4)
    for a, b in (
        ((7, -41), (25, -53)),
        ((8, -45), (26.6, -60)),
        ((8, -49.6), (25.4, -67)),
        ((7, -54), (20, -70)),
    ):
        pen.brush([a, b], 2.2, 0.8, shade)
        pen.line([((a[0] * 2 + b[0]) / 3 + 1, (a[1] * 2 + b[1]) / 3 - 1.4), b], KEY, 0.6)


def _butterfly(pen: Pen, snow: bool) -> None:
    """Draw a butterfly over a peony."""
    for x, lean in ((-6, 1), (5, -1), (0, 1)):
        _limb(pen, [(x * 0.5, 1), (x, -9), (x + lean * 2, -17)], 1.4, 1, hexa("#4F7A42"))
    pen.smooth([(0, -6), (-12, -13), (-20, -9), (-10, -4)], hexa("#5E8C4A"), KEY, 1)
    pen.smooth([(1, -5), (12, -12), (21, -7), (10, -3)], hexa("#47763E"), KEY, 1)
    pen.lobes(
        [(-7, -19, 6, 5), (7, -19, 6, 5), (0, -23, 6.5, 5.4), (0, -17, 6, 5)],
        hexa("#B85A78"),
        hexa("#E08CA2"),
        hexa("#F7C6CF"),
        width=1.2,
    )
    pen.ellipse(0, -19.5, 2.2, 2, GOLD, None)
    q = pen.at(0, -51, 1.08, turn=0.22)
    amber, amber_shade, pale = hexa("#E59A2E"), hexa("#B4551F"), hexa("#F8D57A")
    for f in (1, -1):
        w = q.at(0, 0, 1, flip=f)
        lo = [(1, 2), (10, 3), (20, 9), (21, 19), (13, 24), (5, 15)]
        w.smooth(lo, hexa("#2B3550"), KEY, 1.5)
        w.smooth([(3, 4), (10, 5), (17, 10), (17.5, 17), (13, 19.5), (6, 13)], hexa("#3C74A8"), None)
        w.ellipse(14, 15, 2.4, 2.4, pale, KEY, 0.8)
        up = [(1, 0), (5, -13), (18, -25), (31, -25), (32, -13), (24, -1), (10, 4)]
        w.smooth(up, hexa("#2B3550"), KEY, 1.6)
        w.smooth(
            [(3, -1), (7, -11), (17, -20), (26, -20.5), (27, -12), (20, -3), (9, 1.5)],
            amber if f > 0 else mix(amber, amber_shade, 0.35),
            None,
        )
        w.smooth([(4, -2), (8, -9), (15, -14), (17, -9), (11, -2)], pale, None)
        for a in ((20, -20), (26, -13), (19, -4)):
            w.line([(4, -2), a], hexa("#2B3550"), 1.1)
        for x, y in ((24, -22.5), (28.6, -19), (29.4, -13), (26.4, -7.4)):
            w.ellipse(x, y, 1.3, 1.3, PAPER_LIGHT, None)
    q.smooth([(-2, -8), (0, -10), (2, -8), (1.8, 10), (0, 15), (-1.8, 10)], HAIR, KEY, 1)
    for f in (1, -1):
        q.at(0, 0, 1, flip=f).line(spline([(0.6, -9), (4, -17), (9, -21)]), KEY, 1.2)
        q.at(0, 0, 1, flip=f).ellipse(9, -21, 1.2, 1.2, KEY, None)


_SUBJECTS: Mapping[str, Callable[[Pen, bool], None]] = {
    "warrior": _warrior,
    "peasant": _peasant,
    "monk": _monk,
    "lady": _lady,
    "thatched": _thatched,
    "pagoda": _pagoda,
    "tiled": _tiled,
    "castle": _castle,
    "round": _round_pavilion,
    "temple": _temple,
    "boar": _boar,
    "deer": _deer,
    "crane": _crane,
    "butterfly": _butterfly,
}
