"""The 256 colours of all pictures, and the reduction of a picture to them.

Woodblock prints have few colours. A PNG with one byte a pixel is a third as large as one with three, and it
is written five times as fast. All pictures share one palette, kept in ``colours.png``: a palette made for
one picture could betray hidden things. ``python -m render palette`` chooses it anew from all of the art
(:mod:`render.swatches`).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageChops

PALETTE = Path(__file__).parent / "colours.png"
#: The largest change of a colour by the dither pattern, in levels of 0 to 255, and its side in pixels.
DEPTH, REPEAT = 6, 4
#: The order in which the pixels of the pattern change colour (Bayer's matrix).
_ORDER = ((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5))


@lru_cache(maxsize=1)
def palette() -> Image.Image:
    """Return an image whose palette is the fixed one, as Pillow wants it."""
    with Image.open(PALETTE) as swatches:
        swatches.load()
        return swatches


def reduced(image: Image.Image) -> Image.Image:
    """Return the image with each pixel in the nearest fixed colour, without dithering."""
    return image.quantize(palette=palette(), dither=Image.Dither.NONE)


def shaded(image: Image.Image) -> Image.Image:
    """Return the image with a fine dither pattern added, so that fades show no bands once reduced.

    The pattern differs between red, green and blue, because a change of hue is seen less than one of
    lightness.
    """
    return ImageChops.add(image, _pattern(image.size), 1, -128)


@lru_cache(maxsize=4)
def _pattern(size: tuple[int, int]) -> Image.Image:
    """Return the dither pattern over ``size`` pixels; 128 stands for no change."""
    tile = Image.new("RGB", (REPEAT, REPEAT))
    for y in range(REPEAT):
        for x in range(REPEAT):
            red, blue = _ORDER[y][x], _ORDER[(y + 1) % REPEAT][(x + 2) % REPEAT]
            tile.putpixel((x, y), (_level(red), _level(15 - red), _level(blue)))
    laid = Image.new("RGB", size)
    for x in range(0, size[0], REPEAT):
        laid.paste(tile, (x, 0))
    row = laid.crop((0, 0, size[0], REPEAT))
    for y in range(REPEAT, size[1], REPEAT):
        laid.paste(row, (0, y))
    return laid


def _level(order: int) -> int:
    """Return the value of a pixel of the pattern from its order, 0 to 15."""
    return round(128 + DEPTH * ((order + 0.5) / 8 - 1))
