"""Alt texts: what a person would say of each picture, from what a View shows, at most 1024 characters.

The functions are named as the pictures in ``render`` are. Where not everything fits, the same is said
with fewer details, and only then cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from cogs.texts import Words, shorten
from kanagawa.cards import DIPLOMAS, START_TILES, Category
from kanagawa.counts import count_studio
from kanagawa.scoring import Score, score
from kanagawa.state import Mode, Player, View

#: Discord's limit for the description of a picture.
LIMIT = 1024
#: Tables of players that are kept as they were told: at a move one of a game's changes.
TOLD = 2048


def school(words: Words, view: View) -> str:
    """The School: its columns with their cards, and what is left of the deck (K1.7, K2.1)."""
    return _fitting(_school(words, view, name) for name in (words.whole, words.print_half, words.card))


def wall(words: Words, view: View, since: View | None = None) -> str:
    """Every player's Print and Studio, in seat order."""
    told = _players(words, view)
    return _fitting("\n".join(lines) for lines in (map(_panel, told), (full[0] for full in told)))


def panel(words: Words, view: View, seat: int) -> str:
    """One player's Print, Studio, Brushes, tokens and Diplomas."""
    return _panel(_players(words, view)[seat])


def poster(words: Words, view: View) -> str:
    """A finished game: each Print with its points."""
    return wall(words, view)


def replay(words: Words, view: View) -> str:
    """How the Prints of a finished game grew; ``view`` is its last one."""
    return _fitting([words("alt-replay", count=len(view.players))])


def hand(words: Words, view: View) -> str:
    """The viewer's cards in hand, numbered as in the picture. Raises ValueError for the public's view."""
    if view.seat is None:
        raise ValueError("the public has no hand")
    cards = view.players[view.seat].hand
    listed = " ".join(f"{number}. {words.whole(card)}." for number, card in enumerate(cards, 1))
    return _fitting([words("alt-hand", count=len(cards), cards=listed)])


def diplomas(words: Words, view: View) -> str:
    """The Diplomas: those on display by category, and who holds the others (K1.4)."""
    lines = [
        words("alt-diplomas", category=words.category(category), diplomas="; ".join(listed))
        for category in Category
        if (listed := [_worth(words, one) for one in view.display if DIPLOMAS[one].category is category])
    ]
    lines += [
        words("alt-held", who=words.plain(seat), diplomas="; ".join(words.wanted(one) for one in held))
        for seat, player in enumerate(view.players)
        if (held := player.diplomas)
    ]
    return _fitting(["\n".join(lines)])


def _fitting(tellings: Iterable[str]) -> str:
    """The first telling that is short enough; the beginning of the last one if none is."""
    told = ""
    for told in tellings:
        if len(told) <= LIMIT:
            return told
    return shorten(told, LIMIT)


def _school(words: Words, view: View, name: Callable[[str], str]) -> str:
    columns = [
        words(
            "alt-column",
            column=column,
            count=-1 if cards is None else len(cards),
            cards="; ".join(map(name, cards or ())),
        )
        for column, cards in enumerate(view.columns, 1)
    ]
    deck = words("alt-deck", count=view.deck, family=view.top or "none")
    return " ".join((words("alt-school", round=view.round, row=view.row), *columns, deck))


def _panel(full: tuple[str, str, str]) -> str:
    return _fitting(("\n".join(full), "\n".join(full[:2]), full[0]))


def _players(words: Words, view: View) -> list[tuple[str, str, str]]:
    """Each player's table in numbers, their Print and their Studio."""
    return [
        _player(words.locale, words.plain(seat), player, points, _holds(view, seat))
        for seat, (player, points) in enumerate(zip(view.players, score(view), strict=True))
    ]


@lru_cache(maxsize=TOLD)
def _player(locale: str, who: str, player: Player, points: Score, holds: str) -> tuple[str, str, str]:
    words = Words(locale)
    return _summary(words, who, player, points, holds), _print(words, player), _studio(words, player)


def _summary(words: Words, who: str, player: Player, points: Score, holds: str) -> str:
    """A player's table in one sentence of numbers."""
    studio = count_studio(player.tile, player.studio)
    return words(
        "alt-summary",
        who=who,
        cards=len(player.print),
        season=words.season(points.run_season),
        run=points.run_length,
        studio=len(player.studio),
        arrows=studio.arrows,
        hands=studio.hands,
        brushes=player.brushes,
        unplaced=player.unplaced,
        hand=len(player.hand),
        storms=player.storms,
        diplomas=len(player.diplomas),
        holds=holds,
        points=points.total,
    )


def _holds(view: View, seat: int) -> str:
    """Which of the two pieces a seat has: the Grand Master, the Assistant, both or none."""
    if view.mode is Mode.OSAHITO:
        return "none"
    held = (view.grand_master == seat, view.assistant == seat)
    return {(True, True): "both", (True, False): "master", (False, True): "assistant"}.get(held, "none")


def _print(words: Words, player: Player) -> str:
    tile = words("alt-tile", season=words.season(START_TILES[player.tile].season))
    return words("alt-print", cards="; ".join((tile, *map(words.subject, player.print))))


def _studio(words: Words, player: Player) -> str:
    places = [
        words(
            "alt-place",
            place=place,
            shown=words.landscape(START_TILES[player.tile].studio_landscape)
            if place == 0
            else words.studio_half(player.studio[place - 1]),
            brush=("spent" if place in player.spent else "fresh") if place in player.standing else "none",
        )
        for place in range(len(player.studio) + 1)
    ]
    held = "; ".join(words.wanted(diploma) for diploma in player.diplomas)
    return words("alt-studio", places="; ".join(places), diplomas=held, count=len(player.diplomas))


def _worth(words: Words, diploma: str) -> str:
    return words("alt-worth", wanted=words.wanted(diploma), points=DIPLOMAS[diploma].points)
