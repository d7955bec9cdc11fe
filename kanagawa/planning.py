"""How to paint a card now: which Brushes to place and move first, or why it is impossible (K3.2 to K3.5).

A Brush is *fresh* if it has not painted in this turn, and *spent* if it has (K3.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from heapq import heappop, heappush
from typing import NamedTuple

from msgspec import Struct

from kanagawa.actions import MoveBrush, Paint, PlaceBrush
from kanagawa.cards import CARDS, Landscape
from kanagawa.counts import StudioCount, count_studio
from kanagawa.state import Player, View


class Plan(Struct, frozen=True):
    """A way to paint a card: do the steps in order, then paint."""

    steps: tuple[PlaceBrush | MoveBrush, ...]
    paint: Paint

    @property
    def arrows(self) -> int:
        """The number of Arrows that the steps use."""
        return sum(isinstance(step, MoveBrush) for step in self.steps)


class Lack(StrEnum):
    """The reason why a card cannot be painted."""

    LANDSCAPES = "landscapes"  # the Studio has too few Landscapes of the kind that the card demands
    BRUSHES = "brushes"  # too few Brushes are fresh
    ARROWS = "arrows"  # too few Arrows are left in this turn
    ROOM = "room"  # a Brush stands in the way, and no empty Landscape is there to move it to


class WhyNot(Struct, frozen=True):
    """Why a card cannot be painted: it needs ``needed`` of what ``lack`` names, and ``present`` are there."""

    lack: Lack
    needed: int
    present: int


class _Table(NamedTuple):
    """The number of places of each sort, of unplaced Brushes and of Arrows: one node of the search.

    A place serves for the card or does not (``other_``); it is empty, or holds a fresh or a spent Brush.
    Places of one sort are interchangeable, so the search counts them instead of naming them.
    """

    empty: int
    fresh: int
    spent: int
    other_empty: int
    other_fresh: int
    other_spent: int
    unplaced: int
    arrows: int


_EMPTY = ("empty", "other_empty")
_HELD = ("fresh", "spent", "other_fresh", "other_spent")
_Step = tuple[str, str]  # where a Brush comes from ("unplaced" or a sort of place), and the sort it goes to


def plan(view: View, card: str) -> Plan | WhyNot:
    """Return how the viewer can paint a card now, or why not.

    The plan uses as few Arrows as possible, and among those plans the fewest steps. It uses Landscapes of
    the card's own kind before Jokers. The card need not be in hand. Raises ValueError for the public view.
    """
    if view.seat is None:
        raise ValueError("the public has no Studio to paint from")
    player = view.players[view.seat]
    studio = count_studio(player.tile, player.studio)
    demand = CARDS[card]
    serving = studio.fits[demand.print_landscape]
    fresh = player.brushes - len(player.spent)
    arrows = studio.arrows - player.arrows_used
    if len(serving) < demand.print_count:
        return WhyNot(Lack.LANDSCAPES, demand.print_count, len(serving))
    if fresh < demand.print_count:
        return WhyNot(Lack.BRUSHES, demand.print_count, fresh)
    # Each Brush demanded needs at most two moves: one to bring it, one to clear its place. So the search
    # may use that many Arrows; if it uses more than there are, the answer says how many are needed.
    enough = max(arrows, 2 * demand.print_count)
    steps = _search(_table(player, studio, serving, enough), demand.print_count)
    if steps is None:
        return WhyNot(Lack.ROOM, 1, 0)
    used = sum(source != "unplaced" for source, _ in steps)
    if used > arrows:
        return WhyNot(Lack.ARROWS, used, arrows)
    return _carry_out(player, studio, serving, steps, card)


def _table(player: Player, studio: StudioCount, serving: tuple[int, ...], arrows: int) -> _Table:
    """Return the first node of the search. ``serving`` are the places that serve for the card."""
    standing, spent, good = {*player.standing}, {*player.spent}, {*serving}
    other = {*studio.places} - good
    return _Table(
        empty=len(good - standing),
        fresh=len(good & standing - spent),
        spent=len(good & spent),
        other_empty=len(other - standing),
        other_fresh=len(other & standing - spent),
        other_spent=len(other & spent),
        unplaced=player.unplaced,
        arrows=arrows,
    )


def _search(start: _Table, count: int) -> list[_Step] | None:
    """Return the cheapest steps after which ``count`` fresh Brushes stand on serving places, or None.

    The cost is the number of Arrows, then the number of steps. This is Dijkstra's search.
    """
    queue: list[tuple[int, int, _Table, list[_Step]]] = [(0, 0, start, [])]
    seen: set[_Table] = set()
    while queue:
        arrows, length, table, steps = heappop(queue)
        if table.fresh >= count:
            return steps
        if table in seen:
            continue
        seen.add(table)
        for step, after in _steps(table):
            cost = arrows + (step[0] != "unplaced")
            heappush(queue, (cost, length + 1, after, [*steps, step]))
    return None


def _steps(table: _Table) -> Iterator[tuple[_Step, _Table]]:
    """Yield every placing and moving of a Brush (K3.5), each with the table after it."""
    for target in _EMPTY:
        if not getattr(table, target):
            continue
        side = "other_" if target == "other_empty" else ""
        if table.unplaced:
            yield ("unplaced", target), _shift(table, "unplaced", target, side + "fresh")
        for source in _HELD if table.arrows else ():
            if getattr(table, source):
                kind = source.removeprefix("other_")
                left = "other_empty" if source.startswith("other_") else "empty"
                after = _shift(table, source, target, side + kind)
                after = after._replace(arrows=table.arrows - 1)
                yield (source, target), after._replace(**{left: getattr(after, left) + 1})


def _shift(table: _Table, source: str, target: str, result: str) -> _Table:
    """Return the table after a Brush went from ``source`` to an empty ``target``, now a ``result``."""
    table = table._replace(**{source: getattr(table, source) - 1})
    table = table._replace(**{target: getattr(table, target) - 1})
    return table._replace(**{result: getattr(table, result) + 1})


def _carry_out(
    player: Player, studio: StudioCount, serving: tuple[int, ...], steps: list[_Step], card: str
) -> Plan:
    """Return the plan with real places in place of sorts: the card's own kind first, then by number."""
    held = {place: place in player.spent for place in player.standing}  # True if its Brush is spent

    def rank(place: int) -> tuple[bool, int]:
        """Return the sort key of a place: Jokers last, then by number."""
        return studio.landscapes[place] is Landscape.JOKER, place

    def places(sort: str) -> list[int]:
        """Return the places that are of a sort now, the best first."""
        side = sort.startswith("other_")
        kind = sort.removeprefix("other_")
        ranked = sorted((place for place in studio.places if (place not in serving) == side), key=rank)
        if kind == "empty":
            return [place for place in ranked if place not in held]
        return [place for place in ranked if held.get(place) is (kind == "spent")]

    done: list[PlaceBrush | MoveBrush] = []
    for source, target in steps:
        goal = places(target)[0]
        if source == "unplaced":
            held[goal] = False
            done.append(PlaceBrush(goal))
        else:
            origin = places(source)[0]
            held[goal] = held.pop(origin)
            done.append(MoveBrush(origin, goal))
    ready = places("fresh")[: CARDS[card].print_count]
    return Plan(steps=tuple(done), paint=Paint(card, tuple(sorted(ready))))
