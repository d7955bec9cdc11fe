"""Contact sheets of the parts of the boards, on which all of them can be looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PIL import Image

from kanagawa.cards import (
    BACKS,
    CARDS,
    DIPLOMAS,
    START_TILES,
    Bonus,
    Category,
    Family,
    Landscape,
    Season,
    Symbol,
)
from render import icons
from render.canvas import sprite
from render.ink import Pen
from render.palette import INDIGO, PAPER_LIGHT
from render.tiles import card_back, diploma_scroll, diploma_slip, studio_half, whole_card
from render.vision import KINDS, simulate

Sign = Callable[[Pen], object]

#: Groups of signs that players must not confuse; each is drawn around the origin, radius 20 units.
GROUPS: dict[str, dict[str, Sign]] = {
    "seasons": {one: lambda pen, s=one: icons.season_seal(pen, s, 20) for one in Season},
    "landscapes": {one: lambda pen, s=one: icons.landscape_sign(pen, s, 17.5) for one in Landscape},
    "symbols": {one: lambda pen, s=one: icons.symbol_sign(pen, s, 20) for one in Symbol},
    "harmony": {f"{one:+}": lambda pen, v=one: icons.harmony(pen, v, 19) for one in (1, 2, -2)},
    "families": {
        one: lambda pen, f=one: _on_disc(pen, icons.FAMILY_COLOUR[f], icons.FAMILY[f]) for one in Family
    },
    "categories": {
        one: lambda pen, c=one: _on_disc(pen, icons.CATEGORY_COLOUR[c], icons.CATEGORY[c]) for one in Category
    },
    "animals": {
        one: lambda pen, a=one: _on_disc(pen, icons.CATEGORY_COLOUR[Category.ANIMAL], icons.ANIMAL[a])
        for one in icons.ANIMAL
    },
    "crests": {f"seat {one}": lambda pen, s=one: icons.crest(pen, s, 18) for one in range(4)},
    "tokens": {
        "assistant": lambda pen: icons.assistant_pawn(pen, 18),
        "master": lambda pen: icons.grand_master_pawn(pen, 18),
        "storm": lambda pen: icons.storm_token(pen, 18),
        "brush": lambda pen: icons.bonus_sign(pen, Bonus.BRUSH, 19),
        "cards": lambda pen: icons.cards_sign(pen, 20),
        "scroll": lambda pen: icons.scroll_sign(pen, 20),
        "picture": lambda pen: icons.picture_sign(pen, 20),
        "run": lambda pen: icons.run_sign(pen, Season.AUTUMN, 20),
        "harmony": lambda pen: icons.harmony_sign(pen, 19),
        "hands": lambda pen: icons.hand_and_assistant(pen, 20),
    },
    "brushes": {
        "fresh": lambda pen: icons.brush_pot(pen.at(0, 18)),
        "spent": lambda pen: icons.brush_pot(pen.at(0, 18), spent=True),
    },
}


def _on_disc(pen: Pen, colour: tuple[int, int, int], draw: icons.Sign) -> None:
    """Draw a sign in paper white on a disc of a colour."""
    icons.disc(pen, 20, colour)
    draw(pen.at(0, 0, 1.52), PAPER_LIGHT, colour)


def sign_image(draw: Sign, pixels: int) -> Image.Image:
    """Draw a sign of a group on indigo, ``pixels`` wide and high; its radius is 0.4 of that."""
    scale = pixels / 50
    return sprite(50, 50, scale, lambda pen: draw(pen.at(25, 25)), INDIGO).resize((pixels, pixels))


def grid(images: Sequence[Image.Image], across: int, gap: int = 8) -> Image.Image:
    """Arrange images in rows of ``across`` on indigo; cells are as large as the largest image."""
    wide, high = max(one.width for one in images), max(one.height for one in images)
    down = -(-len(images) // across)
    sheet = Image.new("RGB", (across * (wide + gap) + gap, down * (high + gap) + gap), INDIGO)
    for at, one in enumerate(images):
        x, y = gap + at % across * (wide + gap), gap + at // across * (high + gap)
        sheet.paste(one, (x, y), one if one.mode == "RGBA" else None)
    return sheet


def cards_sheet(scale: float = 1) -> Image.Image:
    """Draw all 72 Lesson cards, one family in each row."""
    return grid([whole_card(card, scale) for card in CARDS], 18)


def studio_sheet(scale: float = 2) -> Image.Image:
    """Draw all Studio halves that differ, and the Start tiles', four ways each.

    These are wide and narrow, each without a Brush and with one: fresh on the wide, spent on the narrow.
    """
    halves = {
        (card.studio_landscape, card.studio_symbol, card.studio_harmony): card.id for card in CARDS.values()
    }
    images: list[Image.Image] = []
    for at, card in enumerate((*START_TILES, *halves.values())):
        place = at if card in START_TILES or CARDS[card].studio_landscape else None
        images.append(studio_half(card, scale, place=place))
        images.append(studio_half(card, scale, place=place, stand="fresh" if place is not None else None))
        images.append(studio_half(card, scale, width=77, height=52, place=place))
        images.append(
            studio_half(
                card, scale, width=77, height=52, place=place, stand="spent" if place is not None else None
            )
        )
    return grid(images, 8)


def backs_sheet(scale: float = 2) -> Image.Image:
    """Draw the four backs."""
    return grid([card_back(back, scale) for back in BACKS], 4)


def diplomas_sheet(scale: float = 2) -> Image.Image:
    """Draw the 19 Diplomas as they are displayed, and as they are held."""
    shown = [diploma_scroll(one, scale) for one in DIPLOMAS]
    return grid([*shown, *(diploma_slip(one, scale) for one in DIPLOMAS)], 10)


def signs_sheet(pixels: int = 96) -> Image.Image:
    """Draw every sign, large and as small as on a phone, one group in each row."""
    return _rows(lambda draw: [sign_image(draw, pixels), sign_image(draw, pixels // 4)])


def crests_sheet(scale: float = 4) -> Image.Image:
    """Draw the four crests."""
    draw = [lambda pen, s=seat: icons.crest(pen.at(60, 60), s, 48) for seat in range(4)]
    return grid([sprite(120, 120, scale, one) for one in draw], 4)


def vision_sheet(pixels: int = 40) -> Image.Image:
    """Draw every sign at the size on a phone, as each kind of eye sees it (:mod:`render.vision`)."""
    return _rows(lambda draw: [simulate(sign_image(draw, pixels), kind) for kind in KINDS])


def _rows(variants: Callable[[Sign], list[Image.Image]]) -> Image.Image:
    """Arrange one row for each group, with the variants of each sign side by side."""
    rows = [[one for draw in group.values() for one in variants(draw)] for group in GROUPS.values()]
    high = max(one.height for row in rows for one in row) + 6
    wide = max(sum(one.width + 4 for one in row) for row in rows) + 8
    sheet = Image.new("RGB", (wide, high * len(rows) + 6), INDIGO)
    for down, row in enumerate(rows):
        x = 6
        for one in row:
            sheet.paste(one, (x, down * high + 6))
            x += one.width + 4
    return sheet


#: The sheets of this module, by the names that ``python -m render sheet`` knows.
SHEETS: dict[str, Callable[[], Image.Image]] = {
    "cards": cards_sheet,
    "studio": studio_sheet,
    "backs": backs_sheet,
    "diplomas": diplomas_sheet,
    "signs": signs_sheet,
    "crests": crests_sheet,
    "vision": vision_sheet,
}
