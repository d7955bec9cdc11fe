"""The tools that all boards share: boxes, sprites and their caches, shadows, the indigo ground, PNG bytes.

A *board* is one whole picture, such as the School. Boards are laid out in units and drawn at ``scale`` pixels
per unit. A *sprite* is a small image that is drawn once, kept, and pasted wherever it is needed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from io import BytesIO
from threading import Lock
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFilter

from render.card import BACKDROPS
from render.card import SPRITES as CARDS
from render.colours import reduced
from render.ink import Cache, Colour, Pen, fineness, mix
from render.palette import INDIGO


class Box(NamedTuple):
    """A rectangle in units: its upper left corner (x, y), its width and its height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """The x of the right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The y of the lower edge."""
        return self.y + self.h

    def meets(self, other: Box) -> bool:
        """Return whether the two boxes overlap; touching edges do not count."""
        return (
            self.x < other.right - 1e-6
            and other.x < self.right - 1e-6
            and self.y < other.bottom - 1e-6
            and other.y < self.bottom - 1e-6
        )

    def holds(self, other: Box) -> bool:
        """Return whether the other box lies within this one."""
        return (
            other.x >= self.x - 1e-6
            and other.y >= self.y - 1e-6
            and other.right <= self.right + 1e-6
            and other.bottom <= self.bottom + 1e-6
        )


#: The compression level of PNG files, 0 to 9; see :func:`png`.
LEVEL = 2
#: The cache of signs, tiles, ribbons, the slats of all mats and all whole cards of a deck.
SPRITES = Cache(46 << 20)
#: The cache of whole panels and cloths.
BOARDS = Cache(20 << 20)


def caches() -> tuple[Cache | Written, ...]:
    """Return all caches of pictures; the sum of their limits bounds the memory for pictures."""
    return SPRITES, BOARDS, CARDS, BACKDROPS, PICTURES


def sprite(
    width: float, height: float, scale: float, draw: Callable[[Pen], object], ground: Colour | None = None
) -> Image.Image:
    """Return a new image of ``width`` by ``height`` units, drawn by ``draw``.

    It is opaque if a colour ``ground`` is given, else transparent. It is drawn larger and then reduced, which
    smooths its edges.
    """
    fine = fineness(scale)
    size = (max(1, round(width * scale)) * fine, max(1, round(height * scale)) * fine)
    image = Image.new("RGBA", size) if ground is None else Image.new("RGB", size, ground)
    draw(Pen(image, scale * fine))
    if ground is not None:
        return image.reduce(fine)
    # The colours are premultiplied while reducing, because transparent pixels would darken the edges.
    return image.convert("RGBa").reduce(fine).convert("RGBA")


def sign(
    key: Hashable, radius: float, scale: float, draw: Callable[[Pen], object], reach: float = 1.4
) -> Image.Image:
    """Return a sign from the cache, drawn now if needed, as a transparent square.

    ``draw`` draws it around the origin with this ``radius``; half the side of the square is ``radius *
    reach``, so that shadows and rims fit in. ``key`` tells signs apart.
    """
    side = 2 * radius * reach
    return SPRITES.get(
        ("sign", key, radius, scale),
        lambda: sprite(side, side, scale, lambda pen: draw(pen.at(side / 2, side / 2))),
    )


class Board:
    """A picture that is put together from sprites; its methods take units."""

    def __init__(self, width: float, height: float, scale: float, ground: Image.Image) -> None:
        self.scale = scale
        self.image = ground.copy()
        self.draw = ImageDraw.Draw(self.image)
        self.box = Box(0, 0, width, height)

    def px(self, units: float) -> int:
        """Convert units to whole pixels."""
        return round(units * self.scale)

    def pen(self) -> Pen:
        """Return a pen on the board itself, for numerals: other shapes would have rough edges."""
        return Pen(self.image, self.scale)

    def paste(self, image: Image.Image, x: float, y: float) -> None:
        """Paste an image with its upper left corner at (x, y)."""
        self.image.paste(image, (self.px(x), self.px(y)), image if image.mode == "RGBA" else None)

    def centre(self, image: Image.Image, x: float, y: float) -> None:
        """Paste an image with its middle at (x, y)."""
        at = (self.px(x) - image.width // 2, self.px(y) - image.height // 2)
        self.image.paste(image, at, image if image.mode == "RGBA" else None)

    def sign(
        self,
        key: Hashable,
        x: float,
        y: float,
        radius: float,
        draw: Callable[[Pen], object],
        reach: float = 1.4,
    ) -> None:
        """Paste a sign with its middle at (x, y); the other arguments are those of :func:`sign`."""
        self.centre(sign(key, radius, self.scale, draw, reach), x, y)

    def plate(
        self,
        box: Box,
        fill: Colour | None,
        radius: float = 0,
        outline: Colour | None = None,
        width: float = 1,
    ) -> None:
        """Fill a box with a colour, with rounded corners and an outline inside its edge; all in units."""
        x, y = self.px(box.x), self.px(box.y)
        corners = (x, y, max(x, self.px(box.right) - 1), max(y, self.px(box.bottom) - 1))
        line = max(1, self.px(width)) if outline else 0
        self.draw.rounded_rectangle(corners, self.px(radius), fill=fill, outline=outline, width=line)

    def shadow(
        self, box: Box, radius: float = 5, blur: float = 3.5, drop: float = 3, depth: int = 150
    ) -> None:
        """Draw a soft shadow of a box, ``drop`` units below it, at most ``depth`` (0 to 255) dark."""
        width, height, edge = self.px(box.w), self.px(box.h), self.px(blur * 3)
        mask = SPRITES.get(
            ("shadow", width, height, radius, blur, depth, self.scale),
            lambda: _shadow(width, height, self.px(radius), max(1, self.px(blur)), edge, depth),
        )
        at = (self.px(box.x) - edge + self.px(1), self.px(box.y) - edge + self.px(drop))
        self.image.paste((12, 10, 14), at, mask)


def _shadow(width: int, height: int, radius: int, blur: int, edge: int, depth: int) -> Image.Image:
    """Return the blurred mask of a shadow; it is blurred at a quarter of the size, which is faster."""
    full = (width + 2 * edge, height + 2 * edge)
    mask = Image.new("L", (max(1, full[0] // 4), max(1, full[1] // 4)))
    inner = (edge / 4, edge / 4, (edge + width) / 4, (edge + height) / 4)
    ImageDraw.Draw(mask).rounded_rectangle(inner, radius / 4, fill=depth)
    return mask.filter(ImageFilter.GaussianBlur(blur / 4)).resize(full, Image.Resampling.BILINEAR)


def rounded(width: int, height: int, radius: int) -> Image.Image:
    """Return a mask of ``width`` by ``height`` pixels with rounded corners."""

    def draw() -> Image.Image:
        mask = Image.new("L", (width * 4, height * 4))
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, width * 4 - 1, height * 4 - 1), radius * 4, fill=255)
        return mask.reduce(4)

    return SPRITES.get(("rounded", width, height, radius), draw)


def cloth(width: float, height: float, scale: float, base: Colour = INDIGO) -> Image.Image:
    """Return indigo cloth from the cache, woven now if needed: see :func:`weave`."""
    return BOARDS.get(("cloth", width, height, scale, base), lambda: weave(width, height, scale, base))


def weave(width: float, height: float, scale: float, base: Colour = INDIGO) -> Image.Image:
    """Draw indigo cloth with a faint pattern of waves, which repeats so that the PNG stays small."""
    wave = round(15 * scale) or 1
    tile = sprite(2 * wave, wave, 1, lambda pen: _waves(pen, wave, base), base)
    image = Image.new("RGB", (round(width * scale), round(height * scale)))
    for x in range(0, image.width, tile.width):
        image.paste(tile, (x, 0))
    row = image.crop((0, 0, image.width, tile.height))
    for y in range(tile.height, image.height, tile.height):
        image.paste(row, (0, y))
    return image


def _waves(pen: Pen, wave: float, base: Colour) -> None:
    """Draw one repeat of the wave pattern: overlapping scales of three rings each."""
    line = mix(base, (120, 150, 190), 0.17)
    for row in range(-1, 5):
        for column in range(-1, 3):
            x = column * 2 * wave + (wave if row % 2 else 0)
            y = row * wave / 2 + wave / 2
            for size in (1, 0.7, 0.4):
                pen.ellipse(x, y, wave * size, wave * size, line, None)
                inner = max(0.2, wave * size - max(0.9, wave / 22))
                pen.ellipse(x, y, inner, inner, base, None)


def png(image: Image.Image) -> bytes:
    """Return the PNG bytes of an image in the fixed colours.

    The level is 2: level 1 takes 2 % less time but 4 % more bytes, level 4 takes 8 % fewer bytes but 25 %
    more time.
    """
    out = BytesIO()
    (image if image.mode == "P" else reduced(image)).save(out, "PNG", compress_level=LEVEL)
    return out.getvalue()


class Written:
    """A cache of finished pictures as PNG bytes, at most ``limit`` bytes in all. Safe across threads.

    The least recently used pictures are dropped first. The cache pays because most moves change only one
    picture of a table, and all players look at the same pictures.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, draw: Callable[[], Image.Image]) -> bytes:
        """Return the PNG for a key; call ``draw`` and keep the result if it is not in the cache."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        data = png(draw())
        with self._lock:
            if key not in self._kept:
                self._kept[key] = data
                self.size += len(data)
                while self.size > self.limit:
                    self.size -= len(self._kept.popitem(last=False)[1])
        return data

    def clear(self) -> None:
        """Drop all pictures."""
        with self._lock:
            self._kept.clear()
            self.size = 0


#: The cache of finished pictures, used by the functions of :mod:`render`.
PICTURES = Written(8 << 20)
