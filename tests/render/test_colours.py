"""All pictures use the same 256 colours, whatever they show, and look as if they had more."""

from __future__ import annotations

import itertools
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

import render
from kanagawa import rules
from kanagawa.cards import CARDS, Season
from render import icons, swatches
from render.card import print_strip
from render.colours import palette, reduced
from render.palette import GOLD, GOLD_LIGHT, INDIGO, KEY, PAPER_LIGHT, RED, SEASONS, Colour
from render.replay import draw as draw_replay
from render.scene import BLEED, HEIGHT, WIDTH
from render.sheets import GROUPS, sign_image
from render.vision import KINDS
from tests.render.games import game, views
from tests.render.test_bytes import pictures
from tests.render.test_eyes import PHONE, apart

#: The largest wall of four seats at the end of a game, in bytes.
WALL = 500_000
#: The largest error of a fade, in levels of 0 to 255; without dithering it would be 4.2.
OFF = 3.8


def test_every_picture_has_the_one_palette() -> None:
    """All pictures have one palette, because a palette made for one picture could betray hidden cards."""
    fixed = palette().getpalette()
    for data in list(pictures())[:-1]:
        image = Image.open(BytesIO(data))
        assert image.format == "PNG"
        assert image.mode == "P"
        assert image.getpalette() == fixed
    film = Image.open(BytesIO(draw_replay(views(3, 2)[:90:30], 0.5)))
    assert film.convert("RGB").getcolors(256) is not None


def _flat(colour: Colour) -> Colour:
    """Return the fixed colour that takes the place of a colour."""
    pixel = reduced(Image.new("RGB", (1, 1), colour)).convert("RGB").getpixel((0, 0))
    assert isinstance(pixel, tuple)
    return int(pixel[0]), int(pixel[1]), int(pixel[2])


def test_inks_are_kept() -> None:
    """The colours of large areas are kept nearly exactly, those of signs with a small error."""
    for ink in (KEY, INDIGO, PAPER_LIGHT, GOLD, GOLD_LIGHT, RED):
        assert max(abs(a - b) for a, b in zip(_flat(ink), ink, strict=True)) <= 1
    signs = [*icons.SEAT_COLOURS, *icons.CATEGORY_COLOUR.values(), *icons.FAMILY_COLOUR.values()]
    for ink in (*signs, *icons.LANDSCAPE_INK.values(), *(one.seal for one in SEASONS.values())):
        assert max(abs(a - b) for a, b in zip(_flat(ink), ink, strict=True)) <= 18, ink


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("group", GROUPS)
def test_signs_are_told_apart_in_the_fixed_colours(group: str, kind: str) -> None:
    """Any two signs of a group differ clearly in the fixed colours at the size on a phone."""
    images = {name: reduced(sign_image(draw, PHONE)).convert("RGB") for name, draw in GROUPS[group].items()}
    apart(images, kind)


def test_fades_show_no_bands() -> None:
    """Averaged over 6 x 6 pixels, each fade between two Seasons is close to the fade as it was drawn."""
    cards = {season: next(one.id for one in CARDS.values() if one.season is season) for season in Season}
    fade = (2 * (WIDTH - 2 * BLEED), 0, 2 * (WIDTH + 2 * BLEED), 2 * HEIGHT)
    for west, east in itertools.permutations(Season, 2):
        drawn = print_strip([cards[west], cards[east]], scale=2).crop(fade)
        shown = reduced(drawn).convert("RGB")
        difference = ImageStat.Stat(ImageChops.difference(drawn.reduce(6), shown.reduce(6)))
        assert sum(difference.rms) / 3 < OFF, (west, east, difference.rms)


def test_the_palette_can_be_chosen_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command chooses the same palette each time, with the inks of the art in it."""
    monkeypatch.setattr(swatches, "_boards", tuple)
    monkeypatch.setattr(swatches, "_FADES", 1)
    kept: list[bytes] = []
    for at in range(2):
        monkeypatch.setattr(swatches, "PALETTE", tmp_path / f"{at}.png")
        swatches.write([Image.new("RGB", (40, 40), GOLD)])
        with Image.open(swatches.PALETTE) as chosen:
            colours = chosen.convert("RGB").getcolors(256) or []
        assert len(colours) > 200
        assert GOLD in [colour for _, colour in colours]
        kept.append(swatches.PALETTE.read_bytes())
    assert kept[0] == kept[1]


def test_a_wall_at_the_end_of_a_game_is_small() -> None:
    """The wall of four at the end of a game takes at most half a megabyte, because phones load it often."""
    for seed in (3, 15):
        assert len(render.wall(rules.view(game(seed)[-1], None))) <= WALL
