"""The components: Lesson cards, Start tiles, the School's squares and the Diplomas (K1).

Everything here is a constant. The table of cards is a text with one line for each card, so that it can be
compared with the printed cards; it is parsed once, at import.
"""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct


class Family(StrEnum):
    """The back of a Lesson card (K1.1). A card's ID begins with the family's first letter, as a capital."""

    TREE = "tree"
    CHARACTER = "character"
    BUILDING = "building"
    ANIMAL = "animal"


class Landscape(StrEnum):
    """A Landscape: a Brush stands on one, and a Print half demands some; a Joker serves as any (K3.3)."""

    FOREST = "forest"
    OCEAN = "ocean"
    MOUNTAIN = "mountain"
    PLAIN = "plain"
    JOKER = "joker"


class Season(StrEnum):
    """The Season of a Print half or a Start tile; a Storm counts as any (K5.4)."""

    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"
    WINTER = "winter"
    STORM = "storm"


class Symbol(StrEnum):
    """The symbol of a Studio half (K1.3)."""

    BRUSH = "brush"
    ARROW = "arrow"
    HAND = "hand"
    ASSISTANT = "assistant"


class Category(StrEnum):
    """The seven categories of Diplomas (K1.4), in the order in which they are shown."""

    TREE = "tree"
    BUILDING = "building"
    CHARACTER = "character"
    ANIMAL = "animal"
    BRUSH = "brush"
    ARROW = "arrow"
    LANDSCAPE = "landscape"


class Bonus(StrEnum):
    """The bonus that a player gets at once with a Diploma (K4.4)."""

    BRUSH = "brush"
    ASSISTANT = "assistant"
    STORM = "storm"


class Card(Struct, frozen=True, gc=False):
    """A Lesson card (K1.1 to K1.3): a Studio half and a Print half.

    ``print_count`` is how many of ``print_landscape`` the Print half demands (1 or 2). ``subject`` is
    the one subject of the Print half, or None; a tree card shows ``trees`` trees (0 to 3).
    """

    id: str
    family: Family
    studio_landscape: Landscape | None
    studio_symbol: Symbol | None
    studio_harmony: int
    print_landscape: Landscape
    print_count: int
    season: Season
    print_harmony: int
    subject: str | None
    trees: int


class StartTile(Struct, frozen=True, gc=False):
    """A Start tile (K1.5): the first Season of the Print and the first Landscape of the Studio.

    Each tile also shows one Arrow and two Brush symbols; the player gets these two Brushes with the tile.
    """

    id: str
    season: Season
    studio_landscape: Landscape


class Diploma(Struct, frozen=True, gc=False):
    """A Diploma (K1.4): its demand (K4.5 to K4.7), its points and its bonus (K4.4).

    ``count`` is how many things of its category it demands. An animal Diploma demands at least one of
    each subject in ``animals`` instead. ``same`` demands identical subjects in place of different ones.
    """

    id: str
    category: Category
    count: int
    points: int
    bonus: Bonus | None = None
    same: bool = False
    animals: tuple[str, ...] = ()


#: Symbols printed on every Start tile (K1.5).
TILE_BRUSHES = 2
TILE_ARROWS = 1

#: The supply (K1.5); it cannot run out.
BRUSH_SUPPLY = 15
STORM_SUPPLY = 3

_CARDS = """
T01  plain     -           0  |  forest 2    summer  0  tree       3
T02  plain     -           0  |  plain 1     summer  1  tree       1
T03  plain     assistant   0  |  mountain 1  summer  0  tree       1
T04  mountain  -           0  |  plain 2     autumn  0  tree       3
T05  mountain  -           0  |  mountain 1  autumn  1  tree       1
T06  mountain  -           0  |  ocean 1     autumn  0  tree       1
T07  ocean     -           0  |  ocean 1     winter  1  tree       1
T08  ocean     -           0  |  mountain 2  winter  0  tree       3
T09  ocean     -           0  |  forest 1    winter  0  tree       1
T10  forest    -           0  |  forest 1    spring  1  tree       1
T11  forest    -           0  |  ocean 2     spring  0  tree       3
T12  forest    assistant   0  |  plain 1     spring  0  tree       1
T13  -         arrow       0  |  forest 1    autumn  0  tree       2
T14  -         brush       0  |  ocean 1     spring  0  tree       2
T15  -         assistant   1  |  plain 1     storm   0  -          0
T16  -         assistant   1  |  plain 1     winter  0  tree       2
T17  -         hand        2  |  forest 1    storm   1  -          0
T18  joker     -          -2  |  mountain 1  summer  0  tree       1
C01  plain     -           0  |  forest 2    summer  1  warrior    0
C02  plain     -           0  |  plain 1     summer  0  warrior    0
C03  plain     assistant   0  |  mountain 1  summer  0  warrior    0
C04  mountain  -           0  |  mountain 1  autumn  0  peasant    0
C05  mountain  -           0  |  plain 2     autumn  1  peasant    0
C06  mountain  assistant   0  |  ocean 1     autumn  0  peasant    0
C07  ocean     -           0  |  mountain 2  winter  1  monk       0
C08  ocean     -           0  |  ocean 1     winter  0  monk       0
C09  ocean     assistant   0  |  forest 1    winter  0  monk       0
C10  forest    -           0  |  forest 1    spring  0  lady       0
C11  forest    -           0  |  ocean 2     spring  1  lady       0
C12  forest    assistant   0  |  plain 1     spring  0  lady       0
C13  -         arrow       0  |  forest 1    autumn  0  peasant    0
C14  -         brush       0  |  ocean 1     summer  0  warrior    0
C15  -         assistant   1  |  plain 1     spring  0  monk       0
C16  -         assistant   1  |  plain 1     storm   1  -          0
C17  -         hand        2  |  forest 1    storm   1  -          0
C18  joker     -          -2  |  mountain 1  winter  0  -          0
B01  plain     -           0  |  plain 1     summer  1  thatched   0
B02  plain     -           0  |  forest 2    summer  0  pagoda     0
B03  plain     assistant   0  |  mountain 1  summer  0  thatched   0
B04  mountain  -           0  |  plain 2     autumn  0  tiled      0
B05  mountain  -           0  |  mountain 1  autumn  1  castle     0
B06  mountain  assistant   0  |  ocean 1     autumn  0  castle     0
B07  ocean     -           0  |  ocean 1     winter  1  round      0
B08  ocean     -           0  |  mountain 2  winter  0  tiled      0
B09  ocean     assistant   0  |  forest 1    winter  0  round      0
B10  forest    -           0  |  forest 1    spring  1  temple     0
B11  forest    -           0  |  ocean 2     spring  0  pagoda     0
B12  forest    assistant   0  |  plain 1     spring  0  temple     0
B13  -         arrow       0  |  forest 1    autumn  0  castle     0
B14  -         brush       0  |  ocean 1     summer  0  thatched   0
B15  -         assistant   1  |  plain 1     winter  0  round      0
B16  -         assistant   1  |  ocean 1     storm   1  -          0
B17  -         hand        2  |  mountain 1  storm   1  -          0
B18  joker     -          -2  |  mountain 1  spring  0  -          0
A01  forest    -           0  |  forest 1    spring  0  boar       0
A02  forest    -           0  |  ocean 2     spring  1  boar       0
A03  forest    -           0  |  plain 1     spring  0  boar       0
A04  -         brush       0  |  ocean 1     summer  1  boar       0
A05  -         assistant   1  |  plain 1     autumn  0  -          0
A06  -         hand        2  |  mountain 1  storm   1  -          0
A07  ocean     assistant   0  |  forest 1    winter  0  crane      0
A08  -         arrow       0  |  forest 1    spring  0  deer       0
A09  joker     -          -2  |  mountain 1  winter  0  -          0
A10  mountain  assistant   0  |  ocean 1     autumn  0  deer       0
A11  -         assistant   1  |  ocean 1     storm   0  -          0
A12  mountain  -           0  |  mountain 1  autumn  0  deer       0
A13  plain     -           0  |  forest 2    summer  1  butterfly  0
A14  ocean     -           0  |  ocean 1     winter  0  crane      0
A15  ocean     -           0  |  mountain 2  winter  1  crane      0
A16  mountain  -           0  |  plain 2     autumn  1  deer       0
A17  plain     -           0  |  plain 1     summer  0  butterfly  0
A18  plain     -           0  |  mountain 1  summer  0  butterfly  0
"""


def _card(line: str) -> Card:
    """Parse one line of the table: ID and Studio half, a bar, the Print half."""
    studio, _, print_half = line.partition("|")
    card_id, studio_land, symbol, studio_harmony = studio.split()
    print_land, count, season, print_harmony, subject, trees = print_half.split()
    return Card(
        id=card_id,
        family=next(family for family in Family if family[0].upper() == card_id[0]),
        studio_landscape=None if studio_land == "-" else Landscape(studio_land),
        studio_symbol=None if symbol == "-" else Symbol(symbol),
        studio_harmony=int(studio_harmony),
        print_landscape=Landscape(print_land),
        print_count=int(count),
        season=Season(season),
        print_harmony=int(print_harmony),
        subject=None if subject == "-" else subject,
        trees=int(trees),
    )


#: The 72 Lesson cards by ID.
CARDS = MappingProxyType({card.id: card for card in map(_card, _CARDS.strip().splitlines())})

#: The four Start tiles by ID.
START_TILES = MappingProxyType(
    {
        tile.id: tile
        for tile in (
            StartTile("S1", Season.SUMMER, Landscape.OCEAN),
            StartTile("S2", Season.AUTUMN, Landscape.MOUNTAIN),
            StartTile("S3", Season.WINTER, Landscape.FOREST),
            StartTile("S4", Season.SPRING, Landscape.PLAIN),
        )
    }
)

#: The School's squares (K1.7), row by row, column 1 first: True where a card lies face up.
FACE_UP = (
    (True, True, False, True),
    (True, False, True, True),
    (False, True, True, False),
)
ROWS = len(FACE_UP)

#: The 19 Diplomas by ID, in the order of display: by category, then by rising points.
DIPLOMAS = MappingProxyType(
    {
        diploma.id: diploma
        for diploma in (
            Diploma("tree-3", Category.TREE, 3, 3),
            Diploma("tree-4", Category.TREE, 4, 4, Bonus.STORM),
            Diploma("tree-5", Category.TREE, 5, 7, Bonus.ASSISTANT),
            Diploma("building-2", Category.BUILDING, 2, 3),
            Diploma("building-3", Category.BUILDING, 3, 4, Bonus.STORM),
            Diploma("building-4", Category.BUILDING, 4, 7, Bonus.ASSISTANT),
            Diploma("character-2", Category.CHARACTER, 2, 3),
            Diploma("character-3", Category.CHARACTER, 3, 4, Bonus.STORM),
            Diploma("character-3-same", Category.CHARACTER, 3, 9, same=True),
            Diploma("animal-boar-deer", Category.ANIMAL, 2, 3, Bonus.BRUSH, animals=("boar", "deer")),
            Diploma(
                "animal-crane-butterfly",
                Category.ANIMAL,
                2,
                4,
                Bonus.BRUSH,
                animals=("crane", "butterfly"),
            ),
            Diploma(
                "animal-boar-butterfly-deer",
                Category.ANIMAL,
                3,
                7,
                Bonus.ASSISTANT,
                animals=("boar", "butterfly", "deer"),
            ),
            Diploma("brush-3", Category.BRUSH, 3, 1, Bonus.ASSISTANT),
            Diploma("brush-4", Category.BRUSH, 4, 3),
            Diploma("arrow-2", Category.ARROW, 2, 1, Bonus.ASSISTANT),
            Diploma("arrow-3", Category.ARROW, 3, 3),
            Diploma("landscape-2", Category.LANDSCAPE, 2, 2),
            Diploma("landscape-3", Category.LANDSCAPE, 3, 3, Bonus.BRUSH),
            Diploma("landscape-4", Category.LANDSCAPE, 4, 5, Bonus.ASSISTANT),
        )
    }
)

#: The family of each back. A view shows a back as one letter, the first of the card's ID (K2.7).
BACKS = MappingProxyType({family[0].upper(): family for family in Family})


def back(card: str) -> str:
    """Return the back of a card, the first letter of its ID, which is public (K2.7). A back gives itself."""
    return card[0]


def is_back(seen: str) -> bool:
    """Return whether a card in a view shows its back only (``T``) and not its front (``T08``)."""
    return seen in BACKS
