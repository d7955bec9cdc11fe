"""The colours of the art. Each Season has a whole set of colours, so that it is seen without its sign."""

from __future__ import annotations

from typing import NamedTuple

from kanagawa.cards import Season

Colour = tuple[int, int, int]


def hexa(text: str) -> Colour:
    """Parse a colour written ``#RRGGBB``."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mix(a: Colour, b: Colour, t: float) -> Colour:
    """Return the colour between a (``t`` = 0) and b (``t`` = 1)."""
    return (
        round(a[0] + (b[0] - a[0]) * t),
        round(a[1] + (b[1] - a[1]) * t),
        round(a[2] + (b[2] - a[2]) * t),
    )


#: The colour of every outline: indigo-black, named after the key block of woodblock printing.
KEY = hexa("#1B2234")
PAPER, PAPER_LIGHT = hexa("#F3E8D0"), hexa("#FAF3E2")
RED, VERMILION = hexa("#B8372C"), hexa("#C4452F")
GOLD, GOLD_LIGHT, GOLD_RUN = hexa("#D6A23A"), hexa("#F4CF6A"), hexa("#F2C14E")
SNOW, FOAM = hexa("#FBFAF4"), hexa("#FDFCF4")
INDIGO = hexa("#17243C")
WHITE = hexa("#FFFFFF")


class Tones(NamedTuple):
    """The colours of a Season: sky and ground from top to bottom, all others from dark to light."""

    sky: tuple[Colour, Colour, Colour]
    far: Colour
    near: Colour
    water: tuple[Colour, Colour]
    ground: tuple[Colour, Colour, Colour]
    leaf: tuple[Colour, Colour, Colour]
    cedar: tuple[Colour, Colour]
    mist: Colour
    peak: Colour
    rock: tuple[Colour, Colour]
    seal: Colour


def _tones(line: str) -> Tones:
    """Parse a Season's 20 colours: sky, far, near, water, ground, leaf, cedar, mist, peak, rock, seal."""
    c = [hexa(f"#{word}") for word in line.split()]
    return Tones(
        sky=(c[0], c[1], c[2]),
        far=c[3],
        near=c[4],
        water=(c[5], c[6]),
        ground=(c[7], c[8], c[9]),
        leaf=(c[10], c[11], c[12]),
        cedar=(c[13], c[14]),
        mist=c[15],
        peak=c[16],
        rock=(c[18], c[17]),
        seal=c[19],
    )


SEASONS = {
    Season.SPRING: _tones(
        "E08E98 F6CFC6 FCEBDB  B7A9BC 8FA3A8  3F7E9C A9CBCB  A9BC62 7E9C4E 5E7F45"
        "  D77F93 F0AFB8 FBD9DA  55795A A8BE9A  FBEADF  6F86A6  7E7B6C 4D4F4C  D9768A"
    ),
    Season.SUMMER: _tones(
        "0F4374 4F93BE DDEBDD  7FA9BE 4F8495  0E3F70 6FB0C6  6FA257 45803F 2C5F38"
        "  225337 3F7F45 7DB05A  1F5440 8FB896  EAF1E2  2C5C86  7E7B6C 4D4F4C  1F7A4C"
    ),
    Season.AUTUMN: _tones(
        "C4482C EDA552 F9E2AE  C79A7C A4705C  2E5E80 C4C4A4  D9AE58 B98439 8C5E2C"
        "  9B2A20 D1482B EE8A3C  5E5A34 C9A866  FAE7BE  8C4A3C  8E7458 574436  C8552B"
    ),
    Season.WINTER: _tones(
        "5E7288 A6B8C2 E3E6E1  B4C1C8 8498A4  254B6E 9DB8C4  FAF8F0 D5DEE2 AEBFCA"
        "  2F4E4C 47695F 6E8C7C  3F5A60 D5DEE0  F3F3EE  8FA4B4  8B98A3 55636F  6E86A0"
    ),
    Season.STORM: _tones(
        "161C2B 3E4A5C 8B969A  5A6675 46525F  12263F 5C7280  6C7A58 4A5A48 33423B"
        "  1D3F38 3B6654 6E9472  2A433F 8C9A96  A9B2B2  2F3A4A  4C5560 2B333E  333B4D"
    ),
}
