"""What the boards share: boxes, sprites and their cache, shadows, the indigo ground, PNG bytes.

Boards are laid out in units and drawn at ``scale`` pixels to the unit; 2 is the shipping size.
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
    """A rectangle in units: its upper left corner, its width and height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """The x of its right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The y of its lower edge."""
        return self.y + self.h

    def meets(self, other: Box) -> bool:
        """Whether the two overlap; edges may touch."""
        return (
            self.x < other.right - 1e-6
            and other.x < self.right - 1e-6
            and self.y < other.bottom - 1e-6
            and other.y < self.bottom - 1e-6
        )

    def holds(self, other: Box) -> bool:
        """Whether the other lies within this one."""
        return (
            other.x >= self.x - 1e-6
            and other.y >= self.y - 1e-6
            and other.right <= self.right + 1e-6
            and other.bottom <= self.bottom + 1e-6
        )


#: How hard a PNG is compressed, of 9.
LEVEL = 2
#: Signs, tiles, cards and ribbons.
SPRITES = Cache(20 << 20)
#: Whole panels and grounds.
BOARDS = Cache(32 << 20)


def caches() -> tuple[Cache | Written, ...]:
    """All that keeps pictures; their limits together bound its memory."""
    return SPRITES, BOARDS, CARDS, BACKDROPS, PICTURES


def sprite(
    width: float, height: float, scale: float, draw: Callable[[Pen], object], ground: Colour | None = None
) -> Image.Image:
    """An image of so many units, drawn finer and reduced: opaque on a ground, else transparent."""
    fine = fineness(scale)
    size = (max(1, round(width * scale)) * fine, max(1, round(height * scale)) * fine)
    image = Image.new("RGBA", size) if ground is None else Image.new("RGB", size, ground)
    draw(Pen(image, scale * fine))
    if ground is not None:
        return image.reduce(fine)
    # Premultiplied, lest what is transparent darken the edges.
    return image.convert("RGBa").reduce(fine).convert("RGBA")


def sign(
    key: Hashable, radius: float, scale: float, draw: Callable[[Pen], object], reach: float = 1.4
) -> Image.Image:
    """A sign drawn round the middle of a square of ``reach`` times its radius, kept under its key."""
    side = 2 * radius * reach
    return SPRITES.get(
        ("sign", key, radius, scale),
        lambda: sprite(side, side, scale, lambda pen: draw(pen.at(side / 2, side / 2))),
    )


class Board:
    """A picture being put together from sprites, measured in units."""

    def __init__(self, width: float, height: float, scale: float, ground: Image.Image) -> None:
        self.scale = scale
        self.image = ground.copy()
        self.draw = ImageDraw.Draw(self.image)
        self.box = Box(0, 0, width, height)

    def px(self, units: float) -> int:
        """Units as whole pixels."""
        return round(units * self.scale)

    def pen(self) -> Pen:
        """A pen over the whole board, without supersampling: for numerals."""
        return Pen(self.image, self.scale)

    def paste(self, image: Image.Image, x: float, y: float) -> None:
        """Lay an image with its upper left corner at (x, y)."""
        self.image.paste(image, (self.px(x), self.px(y)), image if image.mode == "RGBA" else None)

    def centre(self, image: Image.Image, x: float, y: float) -> None:
        """Lay an image with its middle at (x, y)."""
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
        """Lay a sign with its middle at (x, y)."""
        self.centre(sign(key, radius, self.scale, draw, reach), x, y)

    def plate(
        self,
        box: Box,
        fill: Colour | None,
        radius: float = 0,
        outline: Colour | None = None,
        width: float = 1,
    ) -> None:
        """Fill a box, with rounded corners and an outline inside it."""
        x, y = self.px(box.x), self.px(box.y)
        corners = (x, y, max(x, self.px(box.right) - 1), max(y, self.px(box.bottom) - 1))
        line = max(1, self.px(width)) if outline else 0
        self.draw.rounded_rectangle(corners, self.px(radius), fill=fill, outline=outline, width=line)

    def shadow(
        self, box: Box, radius: float = 5, blur: float = 3.5, drop: float = 3, depth: int = 150
    ) -> None:
        """Darken the ground under a box, softly, towards the lower right."""
        width, height, edge = self.px(box.w), self.px(box.h), self.px(blur * 3)
        mask = SPRITES.get(
            ("shadow", width, height, radius, blur, depth, self.scale),
            lambda: _shadow(width, height, self.px(radius), max(1, self.px(blur)), edge, depth),
        )
        at = (self.px(box.x) - edge + self.px(1), self.px(box.y) - edge + self.px(drop))
        self.image.paste((12, 10, 14), at, mask)


def _shadow(width: int, height: int, radius: int, blur: int, edge: int, depth: int) -> Image.Image:
    """A blurred mask, worked out at a quarter of the size."""
    full = (width + 2 * edge, height + 2 * edge)
    mask = Image.new("L", (max(1, full[0] // 4), max(1, full[1] // 4)))
    inner = (edge / 4, edge / 4, (edge + width) / 4, (edge + height) / 4)
    ImageDraw.Draw(mask).rounded_rectangle(inner, radius / 4, fill=depth)
    return mask.filter(ImageFilter.GaussianBlur(blur / 4)).resize(full, Image.Resampling.BILINEAR)


def rounded(width: int, height: int, radius: int) -> Image.Image:
    """A mask of pixels with rounded corners."""

    def draw() -> Image.Image:
        mask = Image.new("L", (width * 4, height * 4))
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, width * 4 - 1, height * 4 - 1), radius * 4, fill=255)
        return mask.reduce(4)

    return SPRITES.get(("rounded", width, height, radius), draw)


def cloth(width: float, height: float, scale: float, base: Colour = INDIGO) -> Image.Image:
    """Indigo-dyed cloth, kept: see :func:`weave`."""
    return BOARDS.get(("cloth", width, height, scale, base), lambda: weave(width, height, scale, base))


def weave(width: float, height: float, scale: float, base: Colour = INDIGO) -> Image.Image:
    """Indigo-dyed cloth with a faint pattern of waves; quiet, so that the PNG stays small."""
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
    """One repeat of the wave pattern: overlapping scales of three rings each."""
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
    """The PNG bytes of an image in the fixed colours.

    Level 1 saves a fiftieth of the time and costs 4 % of the bytes; level 4 saves 8 % and costs a quarter.
    """
    out = BytesIO()
    (image if image.mode == "P" else reduced(image)).save(out, "PNG", compress_level=LEVEL)
    return out.getvalue()


class Written:
    """Finished pictures as bytes, by what they show; the oldest dropped beyond ``limit`` bytes.

    Most moves change one picture of a table and leave the others as they were, and everybody at the
    table looks at the same ones. Safe across threads.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, draw: Callable[[], Image.Image]) -> bytes:
        """The PNG of what the key shows, drawn and written if it is not kept."""
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
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.size = 0


PICTURES = Written(8 << 20)
