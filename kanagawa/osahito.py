"""The solo game against Osahito (O1 to O6): his automatic move, and the player's claims.

``scoring`` counts his points (O8), and ``rules`` ends the game (O7).
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from kanagawa.cards import CARDS, DIPLOMAS, ROWS, Bonus, Category, Diploma, Landscape
from kanagawa.counts import count_studio
from kanagawa.diplomas import held, met, on_display
from kanagawa.events import DiplomaTaken, Event, Painted, PutInto, StormGained, Took
from kanagawa.state import Phase, Player, State

#: The seats of the player and of Osahito.
PLAYER, SEAT = 0, 1

#: ``rules.give``, passed in because ``rules`` imports this module.
Give = Callable[[State, int, Bonus | None, list[Event]], State]


def take(
    state: State,
    shown_column: Callable[[tuple[str, ...], int], tuple[str, ...]],
    events: list[Event],
) -> State:
    """Make Osahito's move: take the remaining column, place its cards, take Diplomas (O2, O3, O5).

    ``shown_column`` is ``rules.shown_column``. Appends what happens to ``events``.
    """
    number, column = next(
        (number, column) for number, column in enumerate(state.columns, 1) if column is not None
    )
    events.append(Took(SEAT, number, shown_column(column, number)))
    player = state.players[SEAT]
    for row, card in enumerate(column, 1):
        if _goes_to_print(card, row):
            player = replace(player, print=(*player.print, card))
            events.append(Painted(SEAT, card, places=()))
        else:
            player = replace(player, studio=(*player.studio, card))
            events.append(PutInto(SEAT, card, place=len(player.studio)))
    state = replace(
        state,
        columns=(None,) * len(state.columns),
        players=(state.players[PLAYER], player),
        phase=Phase.CHOICE,
    )
    for category in Category:
        state = _consider(state, [one for one in state.display if DIPLOMAS[one].category is category], events)
    return state


def _goes_to_print(card: str, row: int) -> bool:
    """Return whether a card from this row of the School goes to Osahito's Print, not his Studio (O3)."""
    if row < ROWS:
        return CARDS[card].studio_symbol is None
    return CARDS[card].studio_landscape is Landscape.JOKER


def _consider(state: State, displayed: list[str], events: list[Event]) -> State:
    """Let Osahito take the best Diploma that he meets, if it is better than his own (O5).

    ``displayed`` are Diplomas of one category. He counts printed symbols only. Of all bonuses he gets and
    returns Storm tokens only.
    """
    osahito = state.players[SEAT]
    brushes = count_studio(osahito.tile, osahito.studio).brushes
    able = [one for one in displayed if met(osahito, DIPLOMAS[one], brushes)]
    if not able:
        return state
    best = max(map(DIPLOMAS.__getitem__, able), key=lambda diploma: diploma.points)
    old = held(osahito, best.category)
    if old is not None and old.points >= best.points:
        return state
    events.append(DiplomaTaken(SEAT, best.id, returned=old.id if old else None))
    if best.bonus is Bonus.STORM:
        events.append(StormGained(SEAT))
    storms = (best.bonus is Bonus.STORM) - (old is not None and old.bonus is Bonus.STORM)
    osahito = replace(_exchanged(osahito, old, best), storms=osahito.storms + storms)
    return replace(
        state,
        players=(state.players[PLAYER], osahito),
        display=_displayed(state, old, best),
    )


def claimable(state: State) -> tuple[str, ...]:
    """Return the Diplomas that the player may claim now, or upgrade to, in the order of display (O4)."""
    player = state.players[PLAYER]

    def able(diploma: Diploma) -> bool:
        """Return whether the player meets it and has none, or a worse one that can go back."""
        old = held(player, diploma.category)
        if old is not None and (old.points >= diploma.points or not _returnable(player, old)):
            return False
        return met(player, diploma, player.brushes)

    return tuple(one for one in state.display if able(DIPLOMAS[one]))


def _returnable(player: Player, diploma: Diploma) -> bool:
    """Return whether the player can give back what came with a Diploma (O4).

    A Storm token can always go back. A Brush can go back only if the player has an unplaced one.
    """
    return diploma.bonus is not Bonus.BRUSH or player.unplaced > 0


def claim(state: State, diploma: str, give: Give, events: list[Event]) -> State:
    """Claim a Diploma for the player, who gives back a worse one of the category first (O4).

    The old Diploma goes back with its bonus, then the new one comes with its own, then Osahito may take
    the old one. Appends what happens to ``events``.
    """
    best = DIPLOMAS[diploma]
    player = state.players[PLAYER]
    old = held(player, best.category)
    if old is not None and old.bonus is Bonus.BRUSH:
        player = replace(player, unplaced=player.unplaced - 1)
    if old is not None and old.bonus is Bonus.STORM:
        player = replace(player, storms=player.storms - 1)
    events.append(DiplomaTaken(PLAYER, diploma, returned=old.id if old else None))
    state = replace(
        state,
        players=(_exchanged(player, old, best), state.players[SEAT]),
        display=_displayed(state, old, best),
    )
    state = give(state, PLAYER, best.bonus, events)
    return state if old is None else _consider(state, [old.id], events)


def _exchanged(player: Player, old: Diploma | None, new: Diploma) -> Player:
    """Return the player with the new Diploma in place of the old one."""
    kept = tuple(one for one in player.diplomas if old is None or one != old.id)
    return replace(player, diplomas=(*kept, new.id))


def _displayed(state: State, old: Diploma | None, new: Diploma) -> tuple[str, ...]:
    """Return the display after the new Diploma has been taken and the old one put back."""
    back = () if old is None else (old.id,)
    return on_display((*(one for one in state.display if one != new.id), *back))
