"""The drawing core: a pen that draws in units, curves, brush strokes, washes, seeded noise, paper, a cache.

Pillow draws without antialiasing, so pictures are drawn several times too large (:func:`fineness`) and then
reduced once. Chance is an integer hash, so the same arguments give the same bytes everywhere. *Bokashi* is
the printers' word for a wash that fades from one colour to another.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from threading import Lock

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from render.palette import KEY, Colour, hexa, mix

__all__ = ["KEY", "Cache", "Colour", "Pen", "Point", "Points", "fineness", "hexa", "mix"]

Point = tuple[float, float]
Points = Sequence[Point]
Stops = Sequence[tuple[float, Colour]]


def fineness(scale: float) -> int:
    """Return how many times larger than the final picture everything is drawn: more for small pictures."""
    return 2 if scale >= 2 else 3


# Numbers ---------------------------------------------------------------------------------------------


def smooth(t: float) -> float:
    """Return the smoothstep of t: 0 for t <= 0, 1 for t >= 1, and a smooth curve between."""
    t = max(0.0, min(1.0, t))
    return t * t * (3 - 2 * t)


@lru_cache(maxsize=16384)
def chance(n: int, seed: int = 0) -> float:
    """Return a number in [0, 1] that looks random: an integer hash of n and the seed."""
    n = (n * 374761393 + seed * 668265263 + 1442695041) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFF) / 65535


def noise(x: float, seed: int = 0) -> float:
    """Return value noise in [0, 1]: a smooth curve through the ``chance`` of each whole number."""
    cell = math.floor(x)
    t = smooth(x - cell)
    return chance(cell, seed) * (1 - t) + chance(cell + 1, seed) * t


@lru_cache(maxsize=16384)
def hills(x: float, seed: int = 0) -> float:
    """Return the sum of three octaves of noise, in [0, 1]."""
    return noise(x, seed) * 0.6 + noise(x * 2.3, seed + 7) * 0.28 + noise(x * 5.1, seed + 13) * 0.12


# Curves ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _spline(points: tuple[Point, ...], closed: bool, steps: int) -> tuple[Point, ...]:
    """Return a Catmull-Rom curve, from the cache if it was asked for before."""
    ends = (points[-1], *points, points[0], points[1]) if closed else (points[0], *points, points[-1])
    curve: list[Point] = []
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for step in range(steps):
            t = step / steps
            t2, t3 = t * t, t * t * t
            curve.append(
                (
                    0.5 * (2 * bx + (cx - ax) * t + (2 * ax - 5 * bx + 4 * cx - dx) * t2
                           + (3 * bx - ax - 3 * cx + dx) * t3),
                    0.5 * (2 * by + (cy - ay) * t + (2 * ay - 5 * by + 4 * cy - dy) * t2
                           + (3 * by - ay - 3 * cy + dy) * t3),
                )
            )  # fmt: skip
    if not closed:
        curve.append(points[-1])
    return tuple(curve)


def spline(points: Points, closed: bool = False, steps: int = 7) -> list[Point]:
    """Return a smooth curve through the points (Catmull-Rom), with ``steps`` points between two of them."""
    if len(points) < 3:
        return list(points)
    # A long line is a contour of the ground, which is rarely drawn twice, so it is not kept in the cache.
    curve = _spline if len(points) <= 24 else _spline.__wrapped__
    return list(curve(tuple(points), closed, steps))


def bezier(start: Point, control: Point, end: Point, steps: int = 10) -> list[Point]:
    """Return a quadratic Bézier curve as ``steps`` + 1 points."""
    return [
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * control[0] + t * t * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * control[1] + t * t * end[1],
        )
        for t in (step / steps for step in range(steps + 1))
    ]


def circle(x: float, y: float, rx: float, ry: float, steps: int = 32) -> list[Point]:
    """Return an ellipse as ``steps`` points."""
    return [
        (x + rx * math.cos(math.tau * step / steps), y + ry * math.sin(math.tau * step / steps))
        for step in range(steps)
    ]


def star(x: float, y: float, radius: float) -> list[Point]:
    """Return a five-pointed star, one point up, which looks like a maple leaf from afar."""
    return [
        (x + math.cos(step * math.pi / 5 - 1.57) * reach, y + math.sin(step * math.pi / 5 - 1.57) * reach)
        for step in range(10)
        for reach in (radius if step % 2 == 0 else radius * 0.42,)
    ]


#: The largest width of a thin brush stroke, in units.
_THIN = 1.6

# The pen ---------------------------------------------------------------------------------------------


class Pen:
    """A pen that draws on an image in units, from an origin, at a scale, mirrored and turned.

    ``k`` is pixels per unit. Call :meth:`at` for a pen with another origin, scale or turn. Widths of lines
    are in units of the image and do not depend on the pen's scale, so small things keep a full outline.
    """

    def __init__(
        self,
        image: Image.Image,
        k: float,
        x: float = 0.0,
        y: float = 0.0,
        scale: float = 1.0,
        flip: int = 1,
        turn: float = 0.0,
    ) -> None:
        self.image, self.k, self.x, self.y, self.scale, self.flip, self.turn = (
            image,
            k,
            x,
            y,
            scale,
            flip,
            turn,
        )
        self.draw = ImageDraw.Draw(image)

    def at(self, x: float, y: float, scale: float = 1.0, *, flip: int = 1, turn: float = 0.0) -> Pen:
        """Return a pen with its origin at (x, y), mirrored if ``flip`` is -1, turned by radians."""
        px, py = self.place(x, y)
        return Pen(
            self.image,
            self.k,
            px / self.k,
            py / self.k,
            self.scale * scale,
            self.flip * flip,
            self.turn + self.flip * turn,
        )

    def pixels(self, units: float) -> float:
        """Convert a length to pixels of the image."""
        return units * self.k * self.scale

    def place(self, x: float, y: float) -> Point:
        """Convert a point to pixels of the image."""
        return self.places(((x, y),))[0]

    def places(self, points: Iterable[Point]) -> list[Point]:
        """Convert points to pixels of the image."""
        k, ox, oy = self.k, self.x * self.k, self.y * self.k
        sx, sy = self.scale * k * self.flip, self.scale * k
        if not self.turn:
            return [(ox + x * sx, oy + y * sy) for x, y in points]
        cos, sin, flip, s = math.cos(self.turn), math.sin(self.turn), self.flip, self.scale * k
        return [(ox + (x * flip * cos - y * sin) * s, oy + (x * flip * sin + y * cos) * s) for x, y in points]

    def _width(self, units: float) -> int:
        """Convert the width of a line to pixels, at least 1."""
        return max(1, round(units * self.k))

    def poly(
        self, points: Points, fill: Colour | None, outline: Colour | None = KEY, width: float = 1.0
    ) -> None:
        """Draw a polygon; ``fill`` or ``outline`` may be None."""
        placed = self.places(points)
        if fill is not None:
            self.draw.polygon(placed, fill=fill)
        if outline is not None:
            self.draw.line(placed + placed[:2], fill=outline, width=self._width(width), joint="curve")

    def smooth(
        self,
        points: Points,
        fill: Colour | None,
        outline: Colour | None = KEY,
        width: float = 1.0,
        steps: int = 7,
    ) -> None:
        """Draw a closed smooth shape through the points; see :func:`spline` for ``steps``."""
        self.poly(spline(points, True, steps), fill, outline, width)

    def line(self, points: Points, fill: Colour = KEY, width: float = 1.0) -> None:
        """Draw a line with round joints and ends."""
        placed, wide = self.places(points), self._width(width)
        self.draw.line(placed, fill=fill, width=wide, joint="curve")
        if wide > 3:
            r = wide / 2 - 0.5
            for x, y in (placed[0], placed[-1]):
                self.draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)

    def ellipse(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        fill: Colour | None,
        outline: Colour | None = KEY,
        width: float = 1.0,
    ) -> None:
        """Draw an ellipse; its outline is a larger ellipse below it, because Pillow's outlines are uneven."""
        if self.turn:
            self.poly(circle(x, y, rx, ry), fill, outline, width)
            return
        cx, cy = self.place(x, y)
        a, b = rx * self.scale * self.k, ry * self.scale * self.k
        if outline is not None:
            o = width * self.k / 2
            self.draw.ellipse((cx - a - o, cy - b - o, cx + a + o, cy + b + o), fill=outline)
            a, b = a - o, b - o
        if fill is not None:
            self.draw.ellipse((cx - a, cy - b, cx + a, cy + b), fill=fill)

    def brush(
        self, points: Points, start: float, end: float, fill: Colour = KEY, middle: float | None = None
    ) -> None:
        """Draw a tapered stroke along a smooth line; its widths are given at start, end and middle."""
        # A thin stroke looks as smooth with fewer points.
        curve = spline(points, steps=6 if max(start, end, middle or 0) > _THIN else 3)
        last = len(curve) - 1
        left: list[Point] = []
        right: list[Point] = []
        for i, (x, y) in enumerate(curve):
            (ax, ay), (bx, by) = curve[max(0, i - 1)], curve[min(last, i + 1)]
            dx, dy = bx - ax, by - ay
            length = math.hypot(dx, dy) or 1.0
            t = i / last
            if middle is None:
                wide = start + (end - start) * t
            elif t < 0.5:
                wide = start + (middle - start) * t * 2
            else:
                wide = middle + (end - middle) * (t * 2 - 1)
            nx, ny = dy / length * wide / 2, dx / length * wide / 2
            left.append((x - nx, y + ny))
            right.append((x + nx, y - ny))
        self.draw.polygon(self.places(left + right[::-1]), fill=fill)

    def lobes(
        self,
        lobes: Sequence[tuple[float, float, float, float]],
        dark: Colour,
        base: Colour,
        light: Colour | None,
        outline: Colour | None = KEY,
        width: float = 1.1,
    ) -> None:
        """Draw ellipses (x, y, rx, ry) as one cloud with a common outline: dark below, light above."""
        half = width / 2 / self.scale
        if outline is not None:
            for x, y, a, b in lobes:
                self.ellipse(x, y, a + half, b + half, outline, None)
        for x, y, a, b in lobes:
            self.ellipse(x, y, a - half, b - half, dark, None)
        for x, y, a, b in lobes:
            self.ellipse(x - 0.08 * a, y - 0.2 * b, a * 0.86 - half, b * 0.78 - half, base, None)
        if light is not None:
            tone = mix(base, light, 0.62)
            for x, y, a, b in lobes:
                self.ellipse(x - 0.16 * a, y - 0.44 * b, a * 0.56, b * 0.36, tone, None)

    def rounded(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        radius: float,
        fill: Colour | None,
        outline: Colour | None = None,
        width: float = 1.0,
    ) -> None:
        """Draw a rectangle with round corners; the outline lies inside it."""
        (x0, y0), (x1, y1) = self.place(x, y), self.place(x + w, y + h)
        self.draw.rounded_rectangle(
            (x0, y0, x1 - 1, y1 - 1),
            self.pixels(radius),
            fill=fill,
            outline=outline,
            width=self._width(width) if outline is not None else 0,
        )

    def gradient(
        self,
        points: Points,
        stops: Stops,
        outline: Colour | None = None,
        width: float = 1.0,
        alpha: int = 255,
    ) -> None:
        """Draw a polygon filled with a :func:`bokashi` wash from its top to its bottom."""
        placed = self.places(points)
        box = self._bounds(placed)
        if box is None:
            return
        x0, y0, x1, y1 = box
        mask = Image.new("L", (x1 - x0, y1 - y0))
        ImageDraw.Draw(mask).polygon([(x - x0, y - y0) for x, y in placed], fill=alpha)
        top = int(min(y for _, y in placed))
        bottom = int(max(y for _, y in placed)) + 1
        wash = bokashi((x1 - x0, bottom - top), stops).crop((0, y0 - top, x1 - x0, y1 - top))
        self.image.paste(wash, (x0, y0), mask)
        if outline is not None:
            self.draw.line(placed + placed[:2], fill=outline, width=self._width(width), joint="curve")

    def glaze(self, points: Points, fill: Colour, alpha: int, blur: float = 0.0) -> None:
        """Draw a translucent polygon (``alpha`` 0 to 255) whose edge is blurred over ``blur`` units."""
        placed = self.places(points)
        box = self._bounds(placed, int(blur * 3 * self.k) + 1)
        if box is None:
            return
        x0, y0, x1, y1 = box
        f = 4 if blur else 1  # a blurred mask looks the same if it is made at a quarter of the size
        mask = Image.new("L", ((x1 - x0) // f + 1, (y1 - y0) // f + 1))
        ImageDraw.Draw(mask).polygon([((x - x0) / f, (y - y0) / f) for x, y in placed], fill=alpha)
        if blur:
            mask = mask.filter(ImageFilter.GaussianBlur(blur * self.k / f))
            mask = mask.resize((x1 - x0, y1 - y0), Image.Resampling.BILINEAR)
        else:
            mask = mask.crop((0, 0, x1 - x0, y1 - y0))
        self.image.paste(fill, (x0, y0, x1, y1), mask)

    def _bounds(self, placed: Points, margin: int = 0) -> tuple[int, int, int, int] | None:
        """Return the box of pixels that the points and a margin cover, or None if it is outside the image."""
        xs, ys = [x for x, _ in placed], [y for _, y in placed]
        x0, y0 = max(0, int(min(xs)) - margin), max(0, int(min(ys)) - margin)
        x1 = min(self.image.width, int(max(xs)) + 1 + margin)
        y1 = min(self.image.height, int(max(ys)) + 1 + margin)
        return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


# Washes and textures ---------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _wash(height: int, stops: tuple[tuple[float, Colour], ...]) -> Image.Image:
    """Return one column of a wash, ``height`` pixels high."""
    count = 64
    tones = bytearray()
    for i in range(count):
        t = i / (count - 1)
        for (t0, c0), (t1, c1) in itertools.pairwise(stops):
            if t <= t1 or t1 == stops[-1][0]:
                tones += bytes(mix(c0, c1, smooth((t - t0) / max(1e-6, t1 - t0))))
                break
    strip = Image.frombytes("RGB", (1, count), bytes(tones))
    return strip.resize((1, height), Image.Resampling.BICUBIC)


def bokashi(size: tuple[int, int], stops: Stops) -> Image.Image:
    """Return a wash of ``size`` pixels that fades through the colours from top to bottom.

    ``stops`` are ``(height, colour)``; heights rise from 0 at the top to 1 at the bottom.
    """
    width, height = max(1, size[0]), max(1, size[1])
    return _wash(height, tuple(stops)).resize((width, height), Image.Resampling.NEAREST)


def speckle(size: tuple[int, int], sigma: float, seed: int) -> Image.Image:
    """Return seeded grey noise around 128 with the standard deviation ``sigma``."""
    count = size[0] * size[1]
    source = random.Random(seed)
    a, b, c = (Image.frombytes("L", size, source.randbytes(count)) for _ in range(3))
    mean = Image.blend(Image.blend(a, b, 0.5), c, 1 / 3)
    return mean.point([_byte(128 + (v - 127.5) * sigma / 42.6) for v in range(256)])


def _byte(value: float) -> int:
    """Round down to a whole number in 0 to 255."""
    return max(0, min(255, int(value)))


#: The size of the wood grain in pixels; it is so long that a row of cards does not repeat it.
GRAIN_WIDTH, GRAIN_HEIGHT = 4096, 560


@lru_cache(maxsize=1)
def _grain() -> Image.Image:
    """Return wood grain around 128: noise that is stretched along the board and bent in waves."""
    w, h = GRAIN_WIDTH, GRAIN_HEIGHT
    coarse = speckle((w // 420, h // 16), 110, 12).resize((w, h), Image.Resampling.BICUBIC)
    fine = speckle((w // 200, h // 5), 80, 11).resize((w, h), Image.Resampling.BICUBIC)
    grain = Image.blend(fine, coarse, 0.5)

    def sway(column: int, y: float) -> float:
        """Return how far the grain is shifted at a place, in pixels."""
        return 9 * math.sin(column * 0.55 + y * 0.012) + 5 * math.sin(column * 1.3 + y * 0.02)

    columns, rows = 96, 6
    mesh: list[tuple[tuple[int, int, int, int], tuple[float, ...]]] = []
    for c in range(columns):
        for r in range(rows):
            x0, x1 = int(c * w / columns), int((c + 1) * w / columns)
            y0, y1 = int(r * h / rows), int((r + 1) * h / rows)
            corners = ((x0, y0, c), (x0, y1, c), (x1, y1, c + 1), (x1, y0, c + 1))
            source = tuple(v for x, y, at in corners for v in (x, y + sway(at, y)))
            mesh.append(((x0, y0, x1, y1), source))
    return grain.transform(grain.size, Image.Transform.MESH, mesh, Image.Resampling.BILINEAR)


@lru_cache(maxsize=8)
def _grain_tone(depth: int) -> Image.Image:
    """Return the grain as a tone to multiply with, about ``depth`` levels deep."""
    return _grain().point([_byte(255 - depth * 0.5 + (v - 128) * depth / 90) for v in range(256)])


def wood(image: Image.Image, depth: int, at: int = 0) -> Image.Image:
    """Return the image with wood grain, ``depth`` levels deep, as if printed from a wooden block.

    ``at`` is the position of the image along the board in pixels, so that neighbours share one board.
    """
    tone = _laid_out(_grain_tone(depth), image.size, at)
    return ImageChops.multiply(image, Image.merge("RGB", (tone, tone, tone)))


@lru_cache(maxsize=1)
def _washi() -> Image.Image:
    """Return warm paper with its fibres, as a tone to multiply with."""
    w, h = 1536, 640
    sheet = speckle((w // 2, h // 2), 60, 13).filter(ImageFilter.GaussianBlur(0.8))
    sheet = sheet.resize((w, h), Image.Resampling.BILINEAR)
    sheet = sheet.point([_byte(252 + (v - 128) * 7 / 40) for v in range(256)])
    draw = ImageDraw.Draw(sheet)
    for i in range(w * h // 9000):
        x, y, angle = chance(i, 1) * w, chance(i, 2) * h, chance(i, 3) * math.tau
        length = 8 + 18 * chance(i, 4)
        fibre = [
            (x + math.cos(angle + j * 0.25) * length * j / 4, y + math.sin(angle + j * 0.25) * length * j / 4)
            for j in range(4)
        ]
        draw.line(fibre, fill=240 if chance(i, 5) < 0.7 else 255, width=1)
    warm = (
        list(range(256)),
        [int(v * 0.992) for v in range(256)],
        [int(v * 0.962) for v in range(256)],
    )
    return Image.merge("RGB", [sheet.point(table) for table in warm])


def on_paper(image: Image.Image, at: int = 0) -> Image.Image:
    """Return the image as pigment on Japanese paper, less saturated; ``at`` is as for :func:`wood`."""
    grey = image.convert("L").convert("RGB")
    image = Image.blend(grey, image, 0.94)
    return ImageChops.multiply(image, _laid_out(_washi(), image.size, at))


def _laid_out(texture: Image.Image, size: tuple[int, int], at: int) -> Image.Image:
    """Return a texture over ``size`` pixels, from ``at`` on; every second copy is mirrored to hide seams."""
    (width, height), (w, h) = size, texture.size
    first = at // w
    if height <= h and at + width <= (first + 1) * w and first % 2 == 0:
        return texture.crop((at - first * w, 0, at - first * w + width, height))
    laid = Image.new(texture.mode, size)
    for row in range(-(-height // h)):
        for column in range(first, (at + width - 1) // w + 1):
            laid.paste(*_copy(texture, column, row, at, size))
    return laid


def _copy(
    texture: Image.Image, column: int, row: int, at: int, size: tuple[int, int]
) -> tuple[Image.Image, tuple[int, int]]:
    """Return the visible part of one copy of a texture, and its position in pixels.

    Only the visible part is mirrored, because a whole texture is large.
    """
    (w, h), x, y = texture.size, column * texture.width - at, row * texture.height
    left, right, bottom = max(0, -x), min(w, size[0] - x), min(h, size[1] - y)
    box = (w - right if column % 2 else left, h - bottom if row % 2 else 0)
    part = texture.crop((*box, box[0] + right - left, box[1] + bottom))
    part = ImageOps.mirror(part) if column % 2 else part
    return ImageOps.flip(part) if row % 2 else part, (x + left, y)


# The cache of images ---------------------------------------------------------------------------------


class Cache:
    """A cache of images by key, at most ``limit`` bytes in all. Safe across threads.

    The least recently used images are dropped first. The images it returns are shared: never draw on them.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._images: OrderedDict[Hashable, Image.Image] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, draw: Callable[[], Image.Image]) -> Image.Image:
        """Return the image for a key; call ``draw`` and keep the result if it is not in the cache."""
        with self._lock:
            if key in self._images:
                self._images.move_to_end(key)
                return self._images[key]
        image = draw()
        with self._lock:
            if key not in self._images:
                self._images[key] = image
                self.size += _bytes(image)
                while self.size > self.limit:
                    _, dropped = self._images.popitem(last=False)
                    self.size -= _bytes(dropped)
        return image

    def clear(self) -> None:
        """Drop all images."""
        with self._lock:
            self._images.clear()
            self.size = 0


def _bytes(image: Image.Image) -> int:
    """Return the memory of an image in bytes; Pillow keeps a pixel in one (L, P) or four (RGB, RGBA)."""
    return image.width * image.height * (1 if image.mode in ("L", "P") else 4)
