"""The 256 colours of all pictures, and how a picture is reduced to them.

Woodblock prints have few colours, and a PNG of one byte a pixel is a third as large as one of three and
written five times as fast. The palette is one for all pictures and is kept in ``colours.png``, so that a
picture's colours tell nothing of what it does not show; ``python -m render palette`` chooses it anew from
all of the art (:mod:`render.swatches`).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageChops

PALETTE = Path(__file__).parent / "colours.png"
#: How far, in levels, the pattern moves a colour up or down, and the size of the pattern in pixels.
DEPTH, REPEAT = 6, 4
#: The order in which the pixels of the pattern change colour: Bayer's matrix.
_ORDER = ((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5))


@lru_cache(maxsize=1)
def palette() -> Image.Image:
    """The palette, as an image that has it."""
    with Image.open(PALETTE) as swatches:
        swatches.load()
        return swatches


def reduced(image: Image.Image) -> Image.Image:
    """The image in the fixed colours, each pixel in the nearest one; it is not dithered here."""
    return image.quantize(palette=palette(), dither=Image.Dither.NONE)


def shaded(image: Image.Image) -> Image.Image:
    """The image with a fine pattern over it, so that its fades show no bands in the fixed colours.

    The pattern differs between red, green and blue, so that it changes hues more than lightness.
    """
    return ImageChops.add(image, _pattern(image.size), 1, -128)


@lru_cache(maxsize=4)
def _pattern(size: tuple[int, int]) -> Image.Image:
    """The pattern about 128, over an image of a size."""
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
    return round(128 + DEPTH * ((order + 0.5) / 8 - 1))
