"""The apprentice, a simple computer player: it takes over the seat of a player who has left the table.

It decides from the view of its seat alone. It paints when it can, continues its run of one Season, takes good
Diplomas, and puts Landscapes and Brushes into its Studio first. All worths below are in points of the score.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from kanagawa.actions import (
    DONE,
    PASS,
    STAY,
    Action,
    Claim,
    Decline,
    Take,
    TakeDiploma,
    put_in_studio,
)
from kanagawa.cards import CARDS, DIPLOMAS, ROWS, Landscape, Season, Symbol, is_back
from kanagawa.counts import count_studio, seasons
from kanagawa.diplomas import held, met
from kanagawa.planning import Plan, plan
from kanagawa.scoring import best_run
from kanagawa.state import Mode, Phase, Player, View

#: The worth of a card whose front is not known.
_UNKNOWN = 1.4
#: The least worth of a column for which it leaves school, by row; in row 3 it must leave (K2.4).
_GOOD_COLUMN = (2.6, 3.6, 0.0)


def choose(view: View, legal: Iterable[Action]) -> Action:
    """Return one of the legal actions of the seat whose view this is.

    The same view always gives the same choice. A game that it plays ends, because each of its turns ends:
    every move of a Brush uses an Arrow, and Arrows run out.
    """
    actions = tuple(legal)
    if claims := [action for action in actions if isinstance(action, Claim)]:
        return max(claims, key=lambda claim: DIPLOMAS[claim.diploma].points)
    if offers := [action for action in actions if isinstance(action, TakeDiploma)]:
        return _decide(view, max(offers, key=lambda offer: DIPLOMAS[offer.diploma].points), actions)
    match view.phase:
        case Phase.CHOICE:
            return _choose_column(view, actions)
        case Phase.TURN:
            return _place(view)
        case Phase.LAST | Phase.OVER:
            return PASS


def _me(view: View) -> Player:
    """Return the player whose view this is."""
    assert view.seat is not None
    return view.players[view.seat]


def _decide(view: View, best: TakeDiploma, actions: tuple[Action, ...]) -> Action:
    """Return the taking of the best Diploma offered, or its decline if a far better one is near.

    A Diploma is declined only early (fewer than 5 cards painted) and only if one that asks for one more
    brings at least 3 points more.
    """
    diploma = DIPLOMAS[best.diploma]
    near = any(
        better.category is diploma.category
        and better.points >= diploma.points + 3
        and better.count == diploma.count + 1
        for better in map(DIPLOMAS.__getitem__, view.display)
    )
    decline = Decline(diploma.category)
    if near and diploma.points < 3 and len(_me(view).print) < 5 and decline in actions:
        return decline
    return best


def _choose_column(view: View, actions: tuple[Action, ...]) -> Action:
    """Return the taking of the column that is worth most, or a stay if none is good enough for the row."""
    takes = [action for action in actions if isinstance(action, Take)]
    worth = {action: _column_worth(view, view.columns[action.column - 1] or ()) for action in takes}
    best = max(takes, key=lambda action: worth[action])
    if STAY in actions and worth[best] < _GOOD_COLUMN[min(view.row, ROWS) - 1]:
        return STAY
    return best


def _column_worth(view: View, cards: tuple[str, ...]) -> float:
    """Return the sum of the worths of a column's cards, each counted as the better of its two halves."""
    return sum(
        _UNKNOWN if is_back(card) else max(_print_worth(view, card), _studio_worth(view, card, ()))
        for card in cards
    )


def _place(view: View) -> Action:
    """Return the next action of a turn: paint, prepare to paint, fill the Studio, or end the turn.

    A card that is worth little anywhere is kept in hand if there is a Hand for it (K3.6).
    """
    player = _me(view)
    hands = count_studio(player.tile, player.studio).hands
    painted: list[tuple[float, str, Plan]] = []
    for card in player.hand:
        how = plan(view, card)
        if isinstance(how, Plan):
            painted.append((_print_worth(view, card) - 0.2 * how.arrows, card, how))
    painted.sort(key=lambda one: one[0], reverse=True)
    stored = sorted(((_studio_worth(view, card, player.hand), card) for card in player.hand), reverse=True)
    # A very useful card goes to the Studio first, because other cards may be painted with its help.
    if stored and stored[0][0] > 2 and (not painted or stored[0][1] != painted[0][1]):
        return put_in_studio(stored[0][1])
    for worth, card, how in painted:
        if worth >= _studio_worth(view, card, player.hand):
            return how.steps[0] if how.steps else how.paint
    if not player.hand or (len(player.hand) <= hands and stored[0][0] < 1):
        return DONE
    return put_in_studio(stored[0][1])


def _print_worth(view: View, card_id: str) -> float:
    """Return the worth of painting a card: the card, its Harmony, a longer run and new Diplomas."""
    player, card = _me(view), CARDS[card_id]
    after = replace(player, print=(*player.print, card_id))
    run = best_run(seasons(player.tile, player.print), player.storms).length
    grown = best_run(seasons(after.tile, after.print), after.storms).length - run
    last = seasons(player.tile, player.print)[-1]
    follows = 0.3 if Season.STORM in (card.season, last) or card.season is last else 0.0
    return 1 + card.print_harmony + grown + follows + _diploma_worth(view, after)


def _diploma_worth(view: View, after: Player) -> float:
    """Return the points of the Diplomas that the player would meet as ``after``, in open categories."""
    gained: dict[str, float] = {}
    before = _me(view)
    for diploma in map(DIPLOMAS.__getitem__, view.display):
        own = held(before, diploma.category)
        points = diploma.points - (own.points if own else 0)
        open_to = diploma.id not in before.declined and (own is None or view.mode is Mode.OSAHITO)
        if open_to and points > 0 and met(after, diploma, after.brushes):
            gained[diploma.category] = max(points, gained.get(diploma.category, 0))
    return sum(gained.values())


def _studio_worth(view: View, card_id: str, hand: tuple[str, ...]) -> float:
    """Return the worth of a card in the Studio, which is more while Landscapes and Brushes are few.

    ``hand`` are the cards that its Landscape may help to paint.
    """
    player, card = _me(view), CARDS[card_id]
    studio = count_studio(player.tile, player.studio)
    worth = float(card.studio_harmony)
    if card.studio_landscape is not None:
        new = card.studio_landscape not in studio.landscapes
        joker = card.studio_landscape is Landscape.JOKER
        worth += (2.6 if joker else 1.6 if new else 0.7) * max(0.3, 1 - len(studio.places) / 9)
        worth += 0.6 * sum(_opens(view, card.studio_landscape, other) for other in hand if other != card_id)
    match card.studio_symbol:
        case Symbol.BRUSH:
            worth += 2.4 if player.brushes < 4 else 0.8
        case Symbol.ARROW:
            worth += 1.4 if studio.arrows < 3 else 0.3
        case Symbol.HAND:
            worth += 0.2
        case Symbol.ASSISTANT:
            worth += 1.0 if view.mode is Mode.TABLE and view.assistant != view.seat else 0.1
        case None:
            pass
    after = replace(player, studio=(*player.studio, card_id))
    late = len(player.print) >= 9
    return worth * (0.5 if late else 1.0) + 0.5 * _diploma_worth(view, after)


def _opens(view: View, landscape: Landscape, card_id: str) -> bool:
    """Return whether a card in hand has too few Landscapes to be painted, and this one would serve it."""
    player, card = _me(view), CARDS[card_id]
    serving = count_studio(player.tile, player.studio).fits[card.print_landscape]
    return landscape in (card.print_landscape, Landscape.JOKER) and len(serving) < card.print_count
