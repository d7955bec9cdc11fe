"""Print halves as sprites, and a row of a Print as one strip of them.

>>> print_strip(["S1", "T07"], scale=2).size  # two halves of 120 x 150 units
(480, 300)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from kanagawa.cards import Landscape
from render.colours import shaded
from render.ink import Cache, fineness, on_paper, smooth
from render.scene import BLEED, HEIGHT, WIDTH, Spot, backdrop, figure, ground, spot, tint

#: The cache of the strips of Prints and of their layers.
SPRITES = Cache(16 << 20)
#: The cache of backdrops. A new card changes its neighbour's ground, which is redrawn on the same backdrop.
BACKDROPS = Cache(6 << 20)


class _Sprite(NamedTuple):
    """The two layers of a card: the ground, and the figure that is laid on top (:mod:`render.scene`)."""

    ground: Image.Image
    figure: Image.Image


def print_strip(
    cards: Sequence[str],
    *,
    first: int = 0,
    before: str | None = None,
    after: str | None = None,
    scale: float = 2,
) -> Image.Image:
    """Return consecutive cards of a Print, Start tiles included, as one landscape.

    ``first`` is the slot of the first card; the Start tile of a Print has slot 0. ``before`` and ``after``
    are the neighbours of the strip's ends, which lie in other rows. Each card is 120 x 150 units. The image
    is shared: do not draw on it.
    """
    key = ("strip", tuple(cards), first, before, after, scale)
    return SPRITES.get(key, lambda: _strip(cards, first, before, after, scale))


def print_half(card: str, *, scale: float = 2) -> Image.Image:
    """Return one Print half by itself, 120 x 150 units.

    It is part of a whole card, which is cached; nothing else would use its layers again.
    """
    return print_spot(spot(card, 0, None, None), scale)


def _strip(
    cards: Sequence[str], first: int, before: str | None, after: str | None, scale: float
) -> Image.Image:
    """Draw a strip; the arguments are those of :func:`print_strip`."""
    around = [before, *cards, after]
    spots = [spot(card, first + at, around[at], around[at + 2]) for at, card in enumerate(cards)]
    return _joined([_sprite(where, scale) for where in spots], spots[0].start, scale)


def print_spot(where: Spot, scale: float = 2) -> Image.Image:
    """Draw a Print half at its place, outside the caches."""
    layers = _Sprite(_ground(where, scale, backdrop(where, _fine(scale))), _figure(where, scale))
    return _joined([layers], where.start, scale)


def _joined(sprites: Sequence[_Sprite], start: float, scale: float) -> Image.Image:
    """Join cards to a strip: first all grounds, each fading into the next, then all figures.

    Only the grounds are dithered, because fades are there alone; figures have flat tones.
    """
    strip = Image.new("RGB", (round(len(sprites) * WIDTH * scale), round(HEIGHT * scale)))
    for at, sprite in enumerate(sprites):
        x = round((at * WIDTH - BLEED) * scale)
        strip.paste(sprite.ground, (x, 0), _fade_in(sprite.ground.size) if at else None)
    strip = shaded(strip)
    for at, sprite in enumerate(sprites):
        x = round((at * WIDTH - BLEED) * scale)
        if box := sprite.figure.getbbox():
            shown = sprite.figure.crop(box)
            strip.paste(shown, (x + box[0], box[1]), shown)
    return on_paper(strip, round(start * scale))


@lru_cache(maxsize=8)
def _fade_in(size: tuple[int, int]) -> Image.Image:
    """Return a mask of ``size`` pixels that fades a sprite in over its left border."""
    row = Image.new("L", (size[0], 1), 255)
    span = round(size[0] * 2 * BLEED / (WIDTH + 2 * BLEED))
    for x in range(span):
        row.putpixel((x, 0), round(255 * smooth((x + 0.5) / span)))
    return row.resize(size, Image.Resampling.NEAREST)


def _sprite(where: Spot, scale: float) -> _Sprite:
    """Return the two layers of a card, each BLEED units wider than the card on both sides.

    A figure on land does not depend on the neighbours, so a new neighbour changes the ground only.
    """
    alone = where if where.land is Landscape.OCEAN else where._replace(left=where.land, right=where.land)
    return _Sprite(
        SPRITES.get(("ground", where, scale), lambda: _ground(where, scale, _backdrop(where, scale))),
        SPRITES.get(("figure", alone, scale), lambda: _figure(alone, scale)),
    )


def _backdrop(where: Spot, scale: float) -> Image.Image:
    """Return the backdrop of a card, from the cache if it is there."""
    anywhere, k = where._replace(left=where.land, right=where.land), _fine(scale)
    return BACKDROPS.get((anywhere, k), lambda: backdrop(anywhere, k))


def _ground(where: Spot, scale: float, behind: Image.Image) -> Image.Image:
    """Draw the ground of a card on its backdrop."""
    k = _fine(scale)
    under = ground(where, k, behind)
    tint(where, under, k)
    return _reduced(under, scale)


def _figure(where: Spot, scale: float) -> Image.Image:
    """Draw the figure of a card."""
    # The colours are premultiplied while reducing, because transparent pixels would darken the edges.
    return _reduced(figure(where, _fine(scale)).convert("RGBa"), scale).convert("RGBA")


def _fine(scale: float) -> int:
    """Return the pixels per unit at which a layer is drawn before it is reduced."""
    return max(1, round(scale * fineness(scale)))


def _reduced(image: Image.Image, scale: float) -> Image.Image:
    """Reduce a layer to its final size."""
    size = (round((WIDTH + 2 * BLEED) * scale), round(HEIGHT * scale))
    small = image.reduce(fineness(scale))
    return small if small.size == size else image.resize(size, Image.Resampling.BOX)
