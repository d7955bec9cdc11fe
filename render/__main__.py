"""``python -m render sheet FOLDER [NAME …]`` draws contact sheets, on which all of the art can be looked at.

``python -m render palette`` chooses the 256 colours of all pictures anew from the art as it is drawn now.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import product
from pathlib import Path

from PIL import Image

from kanagawa.cards import CARDS, START_TILES, Card, Landscape, Season
from render.card import print_half, print_spot, print_strip
from render.scene import spot
from render.sheets import SHEETS, grid
from render.swatches import write

LANDS = tuple(land for land in Landscape if land is not Landscape.JOKER)


def prints_sheet() -> Image.Image:
    """Draw the Print halves of the Start tiles and of all 72 cards."""
    return grid([print_half(card, scale=1) for card in (*START_TILES, *CARDS)], 12)


def subjects_sheet() -> Image.Image:
    """Draw every subject in every Season and Landscape, one subject in each row; one row has no subject."""
    shown = {(card.subject, card.trees): card for card in CARDS.values()}
    return grid(
        [
            print_spot(
                spot(card.id, 0, None, None)._replace(season=season, land=land, left=land, right=land), 1
            )
            for card in sorted(shown.values(), key=lambda card: (card.subject or "", card.trees))
            for season, land in product(Season, LANDS)
        ],
        len(Season) * len(LANDS),
    )


def pairs_sheet() -> Image.Image:
    """Draw all pairs of Landscapes side by side, with different Seasons."""

    def first(land: Landscape, season: Season) -> Card:
        """Return the first card with this Landscape and Season on its Print half."""
        return next(one for one in CARDS.values() if (one.print_landscape, one.season) == (land, season))

    return grid(
        [
            print_strip([first(a, Season.SPRING).id, first(b, Season.WINTER).id], scale=1, first=at)
            for at, (a, b) in enumerate(product(LANDS, LANDS))
        ],
        len(LANDS),
    )


#: The function that draws each sheet, by the sheet's name.
ALL: dict[str, Callable[[], Image.Image]] = {
    "prints": prints_sheet,
    "subjects": subjects_sheet,
    "pairs": pairs_sheet,
    **SHEETS,
}


def main(arguments: list[str] | None = None) -> None:
    """Run one command: draw sheets into a folder, or choose the palette. Raises SystemExit for bad usage."""
    parser = argparse.ArgumentParser(prog="python -m render")
    commands = parser.add_subparsers(required=True, dest="command")
    commands.add_parser("palette", help="choose the 256 colours of all pictures anew from the art")
    sheet = commands.add_parser("sheet", help="draw contact sheets")
    sheet.add_argument("folder", type=Path, help="where the PNG files go; it is made if needed")
    sheet.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="the sheets to draw (all, if none is named): " + ", ".join(ALL),
    )
    options = parser.parse_args(arguments)
    if options.command == "palette":
        write([draw() for draw in ALL.values()])
        return
    if unknown := set(options.names) - set(ALL):
        parser.error(f"there is no sheet called {', '.join(sorted(unknown))}")
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or ALL:
        file = options.folder / f"{name}.png"
        ALL[name]().save(file)
        print(file)


if __name__ == "__main__":
    main()
