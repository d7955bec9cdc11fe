"""Diplomas: which of them a player meets (K4.5 to K4.7) and which are offered (K4.1 to K4.3)."""

from __future__ import annotations

from collections.abc import Iterable

from kanagawa.cards import DIPLOMAS, Category, Diploma, Family
from kanagawa.counts import count_print, count_studio
from kanagawa.state import Player, State


def met(player: Player, diploma: Diploma, brushes: int) -> bool:
    """Return whether a player meets the demand of a Diploma (K4.5 to K4.7).

    ``brushes`` is the number of Brushes that counts for the player: owned ones, or printed ones for
    Osahito (O5).
    """
    match diploma.category:
        case Category.TREE:
            return count_print(player.print).trees >= diploma.count
        case Category.BUILDING:
            return _subjects(player, Family.BUILDING, diploma) >= diploma.count
        case Category.CHARACTER:
            return _subjects(player, Family.CHARACTER, diploma) >= diploma.count
        case Category.ANIMAL:
            painted = count_print(player.print).subjects[Family.ANIMAL]
            return all(animal in painted for animal in diploma.animals)
        case Category.BRUSH:
            return brushes >= diploma.count
        case Category.ARROW:
            return count_studio(player.tile, player.studio).arrows >= diploma.count
        case Category.LANDSCAPE:
            return count_studio(player.tile, player.studio).most_identical >= diploma.count


def _subjects(player: Player, family: Family, diploma: Diploma) -> int:
    """Return how many subjects count for a Diploma: different ones, or identical ones (K4.5)."""
    painted = count_print(player.print).subjects[family]
    return max(painted.values(), default=0) if diploma.same else len(painted)


def held(player: Player, category: Category) -> Diploma | None:
    """Return the Diploma that a player has in a category, or None; there is never more than one (K4.1)."""
    for diploma in map(DIPLOMAS.__getitem__, player.diplomas):
        if diploma.category is category:
            return diploma
    return None


def offered(state: State, player: Player) -> tuple[str, ...]:
    """Return the Diplomas that the player must now take or decline (K4.1), in the order of display.

    Only Diplomas on display are offered, so never one that another player holds (K4.3). The result may
    hold several of one category (K4.2).
    """
    closed = {DIPLOMAS[diploma].category for diploma in player.diplomas}
    return tuple(
        diploma
        for diploma in state.display
        if diploma not in player.declined
        and DIPLOMAS[diploma].category not in closed
        and met(player, DIPLOMAS[diploma], player.brushes)
    )


def on_display(diplomas: Iterable[str]) -> tuple[str, ...]:
    """Return Diplomas in the order of display: by category, then by rising points."""
    shown = set(diplomas)
    return tuple(diploma for diploma in DIPLOMAS if diploma in shown)
