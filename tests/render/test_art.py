"""A Print is one landscape: any two cards meet without a step, a seam or a trace of each other's figures."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from statistics import quantiles

import pytest
from PIL import Image, ImageChops, ImageStat

from kanagawa.cards import CARDS, START_TILES, Season
from render.__main__ import ALL, main
from render.card import print_strip
from render.scene import BLEED, WIDTH, figure, ground, spot

EVERY = (*START_TILES, *CARDS)


def test_the_contour_goes_on_from_every_card_to_every_other() -> None:
    """Two neighbours draw the ground at the same height in the whole strip that they share."""
    for slot, (left, right) in enumerate(product(EVERY, CARDS)):
        west, east = spot(left, slot % 7, None, right), spot(right, slot % 7 + 1, left, None)
        for x in (-BLEED, -7, 0, 11, BLEED):
            assert west.level(WIDTH + x) == pytest.approx(east.level(x))


def steps(strip: Image.Image) -> list[float]:
    """Return the mean difference of each column of pixels from the one before."""
    grey = strip.convert("L")
    shifted = ImageChops.difference(
        grey.crop((1, 0, grey.width, grey.height)), grey.crop((0, 0, grey.width - 1, grey.height))
    )
    row = shifted.resize((shifted.width, 1), Image.Resampling.BOX)
    return [float(row.getpixel((x, 0))) for x in range(row.width)]  # type: ignore[arg-type]


def test_a_border_is_no_step() -> None:
    """Columns of pixels at a border differ no more from each other than columns inside the cards."""
    chance = random.Random(6)
    for _ in range(60):
        pair = chance.sample(list(CARDS), 2)
        found = steps(print_strip(pair, scale=1, first=chance.randint(0, 9)))
        at_border = found[WIDTH - 3 : WIDTH + 3]
        usual = quantiles(found[:WIDTH] + found[WIDTH:], n=20)[-1]
        assert max(at_border) <= usual + 2.5, pair


def test_nothing_of_a_figure_shines_through_at_a_border() -> None:
    """A figure is opaque, so that it cannot show through another; only rain is translucent."""
    for card in chance_cards(24):
        where = spot(card, 3, None, None)
        if where.season is Season.STORM:
            continue
        alpha = figure(where, 3).getchannel("A")
        assert set(alpha.histogram()[1:255]) == {0}, card


def chance_cards(count: int) -> list[str]:
    """Return some cards, always the same."""
    return random.Random(7).sample(list(CARDS), count)


def test_the_grounds_of_one_season_are_the_same_in_the_strip_they_share() -> None:
    """Two neighbours of one Season draw the same ground in the strip that they share."""
    plains = [card for card in CARDS.values() if (card.print_landscape, card.season) == ("plain", "summer")]
    left, right = plains[0].id, plains[1].id
    west, east = ground(spot(left, 2, None, right), 3), ground(spot(right, 3, left, None), 3)
    shared = 2 * BLEED * 3
    a, b = (
        west.crop((west.width - shared, 0, west.width, west.height)),
        east.crop((0, 0, shared, east.height)),
    )
    difference = ImageStat.Stat(ImageChops.difference(a, b)).mean
    assert max(difference) < 4


def test_a_card_looks_the_same_wherever_it_lies() -> None:
    """A card's figure is the same, byte for byte, at any slot of a Print."""
    for card in ("T10", "C03", "B12", "A15", "A05"):
        figures = []
        for slot in (1, 8):
            where = spot(card, slot, None, None)
            figures.append(figure(where, 2).tobytes())
        assert figures[0] == figures[1]


def test_sheets_by_command(tmp_path: Path) -> None:
    """The command draws the contact sheets that are named, and knows all others."""
    main(["sheet", str(tmp_path), "crests", "pairs"])
    assert sorted(file.stem for file in tmp_path.iterdir()) == ["crests", "pairs"]
    assert {"prints", "subjects", "pairs", "cards", "studio", "diplomas", "backs", "vision"} <= set(ALL)
