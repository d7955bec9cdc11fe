"""At the size on a phone, every kind of eye can tell the signs of a group apart, also in grey."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
from PIL import Image, ImageChops, ImageStat

from kanagawa.cards import Category, Family, Landscape, Season
from render import icons
from render.canvas import sprite
from render.palette import INDIGO, PAPER_LIGHT, RED, SEASONS
from render.sheets import GROUPS, sign_image
from render.vision import KINDS, contrast, seen, simulate

#: The width of a sign on a phone in pixels: 50 units with margin, on a panel of 756 units that is 550 wide.
PHONE = 36


def _difference(one: Image.Image, other: Image.Image) -> float:
    """Return the root mean square of the differences of two images of one size, 0 to 255."""
    stat = ImageStat.Stat(ImageChops.difference(one, other))
    return (sum(value * value for value in stat.rms) / len(stat.rms)) ** 0.5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("group", GROUPS)
def test_signs_are_told_apart(group: str, kind: str) -> None:
    """Any two signs of a group differ clearly for every kind of eye."""
    apart({name: sign_image(draw, PHONE) for name, draw in GROUPS[group].items()}, kind)


def apart(signs: Mapping[str, Image.Image], kind: str) -> None:
    """Assert that any two of these images differ clearly for a kind of eye."""
    images = {name: simulate(image, kind) for name, image in signs.items()}
    for (one, first), (other, second) in itertools.combinations(images.items(), 2):
        least = 12 if {one, other} == {"+1", "+2"} else 24
        assert _difference(first, second) > least, (one, other)


_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)


def _shape(sign: icons.Sign) -> Image.Image:
    """Draw a sign in white on black, as large as a phone shows it on a disc of radius 20."""
    return sprite(24, 24, PHONE / 24, lambda pen: sign(pen.at(12, 12), _WHITE, _BLACK), _BLACK).convert("L")


@pytest.mark.parametrize("signs", [icons.SEASON, icons.LANDSCAPE, icons.FAMILY, icons.CATEGORY, icons.ANIMAL])
def test_signs_differ_in_shape(signs: Mapping[str, icons.Sign]) -> None:
    """Any two signs differ in shape alone, by a mean of more than 25 levels of 255."""
    for one, other in itertools.combinations(signs, 2):
        difference = ImageChops.difference(_shape(signs[one]), _shape(signs[other]))
        assert ImageStat.Stat(difference).mean[0] > 25, (one, other)


def test_frames_differ_in_shape() -> None:
    """Any two frames of Landscapes differ in shape, and so do any two frames of crests."""
    landscapes = [[(x * 0.4, y * 0.4) for x, y in icons.landscape_frame(one, 20)] for one in Landscape]
    crests = [icons.crest_frame(seat, 9) for seat in range(4)]
    for outlines in (landscapes, crests):
        shapes = [_shape(lambda pen, ink, _, o=outline: pen.poly(o, ink, None)) for outline in outlines]
        for one, other in itertools.combinations(shapes, 2):
            assert ImageStat.Stat(ImageChops.difference(one, other)).mean[0] > 8


@pytest.mark.parametrize("kind", KINDS)
def test_signs_stand_out_from_their_ground(kind: str) -> None:
    """The contrast of ink and ground is at least 2.4 : 1 for signs and 4.5 : 1 for numbers."""
    pairs = {
        **{f"season {one}": (PAPER_LIGHT, SEASONS[one].seal) for one in Season},
        **{f"category {one}": (PAPER_LIGHT, icons.CATEGORY_COLOUR[one]) for one in Category},
        **{f"family {one}": (PAPER_LIGHT, icons.FAMILY_COLOUR[one]) for one in Family if one != "building"},
        **{
            f"landscape {one}": (icons.LANDSCAPE_INK[one], PAPER_LIGHT)
            for one in Landscape
            if one is not Landscape.JOKER
        },
        **{f"crest {seat}": (PAPER_LIGHT, colour) for seat, colour in enumerate(icons.SEAT_COLOURS)},
    }
    for name, (ink, ground) in pairs.items():
        assert contrast(seen(ink, kind), seen(ground, kind)) >= 2.4, name
    for ink, ground in ((PAPER_LIGHT, RED), (PAPER_LIGHT, INDIGO)):
        assert contrast(seen(ink, kind), seen(ground, kind)) >= 4.5


def test_grey_is_grey_and_full_is_full() -> None:
    """The simulation keeps greys, removes all colour for "grey", and changes nothing for "full"."""
    for kind in KINDS:
        grey = seen((128, 128, 128), kind)
        assert max(abs(value - 128) for value in grey) <= 1, kind
    red, green, blue = seen((200, 40, 90), "grey")
    assert red == green == blue
    assert seen((200, 40, 90), "full") == (200, 40, 90)
