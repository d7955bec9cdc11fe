"""What meets a Diploma (K4.5 to K4.7) and which are to be decided on (K4.1 to K4.3)."""

from __future__ import annotations

from collections.abc import Iterable

from kanagawa.cards import DIPLOMAS, Category, Diploma, Family
from kanagawa.counts import count_print, count_studio
from kanagawa.state import Player, State


def met(player: Player, diploma: Diploma, brushes: int) -> bool:
    """Whether a player with so many ``brushes`` has what a Diploma asks for (K4.5 to K4.7)."""
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
    """Different subjects of a family, or the most of one subject (K4.5)."""
    painted = count_print(player.print).subjects[family]
    return max(painted.values(), default=0) if diploma.same else len(painted)


def held(player: Player, category: Category) -> Diploma | None:
    """The Diploma a player has in a category, or None; there is never more than one (K4.1)."""
    for diploma in map(DIPLOMAS.__getitem__, player.diplomas):
        if diploma.category is category:
            return diploma
    return None


def offered(state: State, player: Player) -> tuple[str, ...]:
    """The Diplomas the player must now take or decline (K4.1), in the order of display.

    They are on display, so nobody holds them (K4.3); several of a category may be met at once (K4.2).
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
    """Diplomas in the order in which they are displayed: by category, then by rising points."""
    shown = set(diplomas)
    return tuple(diploma for diploma in DIPLOMAS if diploma in shown)
