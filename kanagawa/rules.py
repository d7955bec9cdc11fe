"""The rules of the game: set-up, legal actions, what each action does, and who may see what (K1 to K5).

``legal`` alone decides which actions are legal, and ``apply`` refuses all others. ``view`` alone hides
things. The rules of the solo game that differ are in ``osahito``.

Each private function for one action (``_stay``, ``_take`` …) takes the state, the seat that acts, the action
and the list of events. It appends its events to that list and returns the new state. It trusts that the
action is legal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from kanagawa import diplomas, osahito
from kanagawa.actions import (
    DONE,
    PASS,
    STAY,
    Action,
    Claim,
    Decline,
    Done,
    MoveBrush,
    Paint,
    Pass,
    PlaceBrush,
    PutInStudio,
    Stay,
    Take,
    TakeDiploma,
    code,
    move_brush,
    paint,
    place_brush,
    put_in_studio,
)
from kanagawa.cards import (
    CARDS,
    DIPLOMAS,
    FACE_UP,
    ROWS,
    START_TILES,
    TILE_BRUSHES,
    Bonus,
    Symbol,
    back,
)
from kanagawa.counts import count_studio
from kanagawa.errors import GameFinished, IllegalAction, NotYourTurn
from kanagawa.events import (
    AssistantTaken,
    BrushGained,
    BrushMoved,
    BrushPlaced,
    Dealt,
    DiplomasDeclined,
    DiplomaTaken,
    Event,
    GameEnded,
    GrandMasterPassed,
    LastDecision,
    Painted,
    PutInto,
    RoundEnded,
    Stayed,
    StormGained,
    Took,
    TurnEnded,
)
from kanagawa.scoring import score, winners
from kanagawa.state import Mode, Phase, Player, Shown, State, View

#: The number of Lesson cards in a Print that makes this round the last one (K5.1).
FULL_PRINT = 11

MIN_SEATS, MAX_SEATS = 2, len(FACE_UP[0])


# Setting up (K1) -------------------------------------------------------------------------------------


def new(seed: int | str, seats: int = 3, mode: Mode = Mode.TABLE) -> State:
    """Return a new game; the seed decides the deck, the Start tiles and the first player (K1.5, K1.6).

    ``seats`` is 2 to 4; in a game against Osahito it is 2, his own included. The same arguments give the
    same game on every machine. Raises ValueError for another number of seats.
    """
    if not MIN_SEATS <= seats <= MAX_SEATS or (mode is Mode.OSAHITO and seats != 2):
        raise ValueError(f"a game has {MIN_SEATS} to {MAX_SEATS} seats, against Osahito 2; not {seats}")
    # Python promises the same numbers in later versions for random() only, not for shuffle() or choice().
    chance = random.Random(seed)
    deck = sorted(CARDS, key=lambda _: chance.random())
    tiles = sorted(START_TILES, key=lambda _: chance.random())[:seats]
    first = 0 if mode is Mode.OSAHITO else int(chance.random() * seats)
    return set_up(mode, tiles, deck, first)


def set_up(mode: Mode, tiles: Iterable[str], deck: Iterable[str], first: int) -> State:
    """Return the game that begins with these Start tiles by seat, deck and first player (K1.5, K1.6)."""
    players = [Player(tile=tile, unplaced=TILE_BRUSHES) for tile in tiles]
    if mode is Mode.OSAHITO:
        players[osahito.SEAT] = replace(players[osahito.SEAT], unplaced=0)  # O1
    state = State(
        mode=mode,
        deck=tuple(deck),
        players=tuple(players),
        grand_master=first,
        assistant=first,
        display=tuple(DIPLOMAS),
    )
    return _next_round(state, [])


# The round (K2) --------------------------------------------------------------------------------------


def _next_round(state: State, events: list[Event]) -> State:
    """Begin a round: empty the School, deal row 1; the Grand Master's holder chooses first (K2.1, K2.2)."""
    seats = len(state.players)
    in_school = 1 if state.mode is Mode.OSAHITO else seats
    order = tuple((state.grand_master + step) % seats for step in range(in_school))
    state = replace(state, round=state.round + 1, row=0, columns=((),) * seats, phase=Phase.CHOICE, stayed=())
    return _next_row(state, order, events)


def _next_row(state: State, order: tuple[int, ...], events: list[Event]) -> State:
    """Deal the next row and begin a choice phase of the seats in ``order`` (K2.3)."""
    state = deal_row(state, events)
    alone = len(order) == 1 and state.mode is Mode.TABLE
    return replace(state, queue=order, stayed=(), alone=alone)


def deal_row(state: State, events: list[Event]) -> State:
    """Deal one card to each remaining column, from the left, as long as the deck lasts (K2.1, K5.2).

    Appends the event Dealt to ``events``.
    """
    columns, dealt, shown = list(state.columns), state.dealt, list[tuple[int, str]]()
    for index, column in enumerate(columns):
        if column is not None and dealt < len(state.deck):
            card = state.deck[dealt]
            columns[index] = (*column, card)
            shown.append((index + 1, card if FACE_UP[state.row][index] else back(card)))
            dealt += 1
    events.append(Dealt(round=state.round, row=state.row + 1, cards=tuple(shown)))
    return replace(state, columns=tuple(columns), dealt=dealt, row=state.row + 1)


def shown_column(column: tuple[str, ...], number: int) -> tuple[str, ...]:
    """Return a column as it lies in the School: IDs of face-up cards, backs of the others (K1.7, K2.7).

    ``number`` is the column's number, from 1.
    """
    return tuple(card if FACE_UP[row][number - 1] else back(card) for row, card in enumerate(column))


def _may_stay(state: State) -> bool:
    """Return whether the seat to act may stay: row 1 or 2, not alone, cards left (K2.4, K2.5, K5.2)."""
    return state.row < ROWS and state.dealt < len(state.deck) and not state.alone


def _stay(state: State, seat: int, action: Stay, events: list[Event]) -> State:
    """Stay in school; the next seat chooses, or the next row is dealt (K2.2). Osahito stays as well (O2)."""
    events.append(Stayed(seat))
    if state.mode is Mode.OSAHITO:
        events.append(Stayed(osahito.SEAT))
    state = replace(state, queue=state.queue[1:], stayed=(*state.stayed, seat))
    return state if state.queue else _next_row(state, state.stayed, events)


def _take(state: State, seat: int, action: Take, events: list[Event]) -> State:
    """Take a column's cards into the hand; face-down ones become secret there (K2.2, K2.7)."""
    column = state.columns[action.column - 1]
    assert column is not None
    shown = shown_column(column, action.column)
    player = state.players[seat]
    player = replace(
        player,
        hand=player.hand + column,
        secret=player.secret + tuple(card for card in column if card not in shown),
    )
    columns = tuple(None if number == action.column else one for number, one in enumerate(state.columns, 1))
    events.append(Took(seat, action.column, shown))
    return replace(state, columns=columns, players=_with(state.players, seat, player), phase=Phase.TURN)


def _done(state: State, seat: int, action: Done, events: list[Event]) -> State:
    """End the turn; then the next seat chooses, or a row is dealt, or the round ends (K3.6, K2.2, K2.3)."""
    player = replace(state.players[seat], spent=(), arrows_used=0)
    events.append(TurnEnded(seat, kept=len(player.hand)))
    state = replace(
        state,
        players=_with(state.players, seat, player),
        queue=state.queue[1:],
        phase=Phase.CHOICE,
    )
    if state.mode is Mode.OSAHITO:
        if _may_stay(state):
            events.append(Stayed(osahito.SEAT))
            state = deal_row(state, events)
        state = osahito.take(state, shown_column, events)
    elif state.queue:
        return state
    elif state.stayed:
        return _next_row(state, state.stayed, events)
    return _end_round(state, events)


def _end_round(state: State, events: list[Event]) -> State:
    """End the round: pass the Grand Master, then begin a new round or end the game (K2.6, K5.1 to K5.3)."""
    events.append(RoundEnded(state.round))
    if state.assistant != state.grand_master:
        events.append(GrandMasterPassed(state.assistant, previous=state.grand_master))
        state = replace(state, grand_master=state.assistant)
    full = any(len(player.print) >= FULL_PRINT for player in state.players)
    if not full and state.dealt < len(state.deck):
        return _next_round(state, events)
    if state.mode is Mode.OSAHITO:
        events.append(LastDecision())
        return replace(state, phase=Phase.LAST, queue=(0,))
    return _end(state, events)


def _pass(state: State, seat: int, action: Pass, events: list[Event]) -> State:
    """End the game after the last decision of a solo game (O6)."""
    return _end(state, events)


def _end(state: State, events: list[Event]) -> State:
    """End the game and announce totals and winners (K5.6)."""
    state = replace(state, phase=Phase.OVER, queue=())
    totals = tuple(one.total for one in score(state))
    events.append(GameEnded(totals, winners(state)))
    return state


# Placing cards and Brushes (K3) ----------------------------------------------------------------------


def _put_in_studio(state: State, seat: int, action: PutInStudio, events: list[Event]) -> State:
    """Put a card in the Studio; a Brush symbol brings a Brush, an Assistant takes the Assistant (K3.1)."""
    player = _without(state.players[seat], action.card)
    player = replace(player, studio=(*player.studio, action.card))
    state = replace(state, players=_with(state.players, seat, player))
    events.append(PutInto(seat, action.card, place=len(player.studio)))
    match CARDS[action.card].studio_symbol:
        case Symbol.BRUSH:
            state = give(state, seat, Bonus.BRUSH, events)
        case Symbol.ASSISTANT:
            state = give(state, seat, Bonus.ASSISTANT, events)
        case _:
            pass
    return _look(state, seat)


def _paint(state: State, seat: int, action: Paint, events: list[Event]) -> State:
    """Append a card to the Print; its Brushes are spent for this turn (K3.2 to K3.4)."""
    player = _without(state.players[seat], action.card)
    player = replace(
        player,
        print=(*player.print, action.card),
        spent=tuple(sorted(player.spent + action.places)),
    )
    events.append(Painted(seat, action.card, action.places))
    return _look(replace(state, players=_with(state.players, seat, player)), seat)


def _place_brush(state: State, seat: int, action: PlaceBrush, events: list[Event]) -> State:
    """Put an unplaced Brush on an empty Landscape; this is free (K3.5)."""
    player = state.players[seat]
    player = replace(
        player,
        unplaced=player.unplaced - 1,
        standing=tuple(sorted((*player.standing, action.place))),
    )
    events.append(BrushPlaced(seat, action.place))
    return replace(state, players=_with(state.players, seat, player))


def _move_brush(state: State, seat: int, action: MoveBrush, events: list[Event]) -> State:
    """Move a Brush with an Arrow; a spent Brush stays spent (K3.4, K3.5)."""

    def moved(places: tuple[int, ...]) -> tuple[int, ...]:
        """Return the places with the Brush's old place exchanged for its new one."""
        return tuple(sorted(action.target if one == action.source else one for one in places))

    player = state.players[seat]
    player = replace(
        player,
        standing=moved(player.standing),
        spent=moved(player.spent),
        arrows_used=player.arrows_used + 1,
    )
    events.append(BrushMoved(seat, action.source, action.target))
    return replace(state, players=_with(state.players, seat, player))


def _placements(player: Player) -> list[Action]:
    """Return the legal actions of K3: place a card, place or move a Brush, end the turn."""
    studio = count_studio(player.tile, player.studio)
    ready = [place for place in player.standing if place not in player.spent]  # K3.4
    empty = [place for place in studio.places if place not in player.standing]  # K3.3
    actions: list[Action] = []
    for card in player.hand:
        actions.append(put_in_studio(card))  # K3.1
        demand = CARDS[card]
        fitting = studio.fits[demand.print_landscape]
        able = [place for place in ready if place in fitting]
        if demand.print_count == 1:  # K3.2
            actions += [paint(card, (place,)) for place in able]
        else:
            actions += [
                paint(card, (first, second)) for at, first in enumerate(able) for second in able[at + 1 :]
            ]
    if player.unplaced:  # K3.5
        actions += [place_brush(place) for place in empty]
    if player.arrows_used < studio.arrows:  # K3.5
        actions += [move_brush(source, target) for source in player.standing for target in empty]
    if len(player.hand) <= studio.hands:  # K3.6
        actions.append(DONE)
    return actions


# Diplomas (K4) ---------------------------------------------------------------------------------------


def _look(state: State, seat: int) -> State:
    """Offer the Diplomas that the player now meets, after a card or a Diploma (K4.1); none in solo (O4)."""
    if state.mode is Mode.OSAHITO:
        return state
    return replace(state, offered=diplomas.offered(state, state.players[seat]))


def _take_diploma(state: State, seat: int, action: TakeDiploma, events: list[Event]) -> State:
    """Take a Diploma and its bonus, then offer the Diplomas that this meets (K4.1, K4.4)."""
    player = state.players[seat]
    player = replace(player, diplomas=(*player.diplomas, action.diploma))
    events.append(DiplomaTaken(seat, action.diploma))
    state = replace(
        state,
        players=_with(state.players, seat, player),
        display=tuple(one for one in state.display if one != action.diploma),
    )
    return _look(give(state, seat, DIPLOMAS[action.diploma].bonus, events), seat)


def _decline(state: State, seat: int, action: Decline, events: list[Event]) -> State:
    """Decline for good all Diplomas of a category that are offered (K4.1)."""
    declined = tuple(one for one in state.offered if DIPLOMAS[one].category is action.category)
    player = state.players[seat]
    player = replace(player, declined=player.declined + declined)
    events.append(DiplomasDeclined(seat, action.category, declined))
    return replace(
        state,
        players=_with(state.players, seat, player),
        offered=tuple(one for one in state.offered if one not in declined),
    )


def give(state: State, seat: int, bonus: Bonus | None, events: list[Event]) -> State:
    """Give a seat the bonus of a symbol or a Diploma (K3.1, K4.4). In solo the Assistant is not used (O1).

    Appends what happens to ``events``.
    """
    player = state.players[seat]
    match bonus:
        case Bonus.BRUSH:
            events.append(BrushGained(seat))
            player = replace(player, unplaced=player.unplaced + 1)
        case Bonus.STORM:
            events.append(StormGained(seat))
            player = replace(player, storms=player.storms + 1)
        case Bonus.ASSISTANT:
            if state.mode is Mode.TABLE and state.assistant != seat:
                events.append(AssistantTaken(seat, previous=state.assistant))
                return replace(state, assistant=seat)
            return state
        case None:
            return state
    return replace(state, players=_with(state.players, seat, player))


def _claim(state: State, seat: int, action: Claim, events: list[Event]) -> State:
    """Claim a Diploma in a solo game (O4)."""
    return osahito.claim(state, action.diploma, give, events)


# Legal actions and applying them ---------------------------------------------------------------------

# The last answer of legal(), kept because apply() asks for the same state again right after it.
_last: tuple[State, tuple[Action, ...]] | None = None


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Return all legal actions of a seat; none if another seat is to act or the game is over."""
    global _last
    if state.to_move != seat:
        return ()
    if _last is None or _last[0] is not state:
        _last = state, tuple(_legal(state, state.players[seat]))
    return _last[1]


def _legal(state: State, player: Player) -> list[Action]:
    """Return all legal actions of the player to move (K2.2, K3, K4.1, O4, O6)."""
    if state.offered:  # K4.1: nothing else is legal meanwhile
        categories = dict.fromkeys(DIPLOMAS[one].category for one in state.offered)
        return [*map(TakeDiploma, state.offered), *map(Decline, categories)]
    actions: list[Action] = []
    match state.phase:
        case Phase.CHOICE:
            if _may_stay(state):
                actions.append(STAY)
            actions += [Take(number) for number, column in enumerate(state.columns, 1) if column is not None]
        case Phase.TURN:
            actions += _placements(player)
        case Phase.LAST:
            actions.append(PASS)
        case Phase.OVER:
            pass
    if state.mode is Mode.OSAHITO:
        actions += map(Claim, osahito.claimable(state))
    return actions


_DO: dict[type, Callable[[State, int, Any, list[Event]], State]] = {
    Stay: _stay,
    Take: _take,
    PutInStudio: _put_in_studio,
    Paint: _paint,
    PlaceBrush: _place_brush,
    MoveBrush: _move_brush,
    TakeDiploma: _take_diploma,
    Decline: _decline,
    Claim: _claim,
    Pass: _pass,
    Done: _done,
}


def apply(state: State, action: Action, seat: int | None = None) -> tuple[State, tuple[Event, ...]]:
    """Return the state after an action, and the events.

    ``seat`` is the seat that acts; None stands for the seat to move. Raises GameFinished, NotYourTurn or
    IllegalAction. The given state never changes.
    """
    to_move = state.to_move
    if to_move is None:
        raise GameFinished("the game is over")
    if seat is not None and seat != to_move:
        raise NotYourTurn(f"seat {to_move} is to act, not seat {seat}")
    if action not in legal(state, to_move):
        raise IllegalAction(f"{code(action)} is not legal now")
    events: list[Event] = []
    state = _DO[type(action)](state, to_move, action, events)
    return state, tuple(events)


def shown(before: State, action: Action, after: State) -> Shown:
    """Return which hidden card an action showed to anybody (K2.1, K2.7).

    ``before`` and ``after`` are the states before and after it. A row that is dealt shows cards, and so does
    a face-down card that is taken. The end of the game shows everything, because the transcript is public
    then. Everybody can work out all other effects of an action.
    """
    if after.dealt != before.dealt or after.phase is Phase.OVER:
        return Shown.HIDDEN
    taken = (
        (number, column)
        for number, (column, left) in enumerate(zip(before.columns, after.columns, strict=True), 1)
        if column is not None and left is None
    )
    if any(shown_column(column, number) != column for number, column in taken):
        return Shown.HIDDEN  # the player took it and saw it, or Osahito took it and placed it (O3)
    match action:
        case PutInStudio(card) | Paint(card) if before.to_move is not None:
            return Shown.OWN if card in before.players[before.to_move].secret else Shown.NOTHING
        case _:
            return Shown.NOTHING


# Who may see what (K2.7) -----------------------------------------------------------------------------


def view(state: State, seat: int | None) -> View:
    """Return the part of a game that a seat may know, or the public for None (K2.7).

    Nothing else in the program hides things.
    """
    return View(
        mode=state.mode,
        seat=seat,
        players=tuple(
            player if owner == seat else _public(player) for owner, player in enumerate(state.players)
        ),
        deck=len(state.deck) - state.dealt,
        top=back(state.deck[state.dealt]) if state.dealt < len(state.deck) else None,
        round=state.round,
        row=state.row,
        columns=tuple(
            None if column is None else shown_column(column, number)
            for number, column in enumerate(state.columns, 1)
        ),
        phase=state.phase,
        queue=state.queue,
        stayed=state.stayed,
        alone=state.alone,
        grand_master=state.grand_master,
        assistant=state.assistant,
        display=state.display,
        offered=state.offered,
    )


def _public(player: Player) -> Player:
    """Return a player as others see them: secret cards of the hand as backs."""
    hand = tuple(back(card) if card in player.secret else card for card in player.hand)
    return replace(player, hand=hand, secret=())


# Small helpers ---------------------------------------------------------------------------------------


def _with(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    """Return the players with another one at ``seat``."""
    return (*players[:seat], player, *players[seat + 1 :])


def _without(player: Player, card: str) -> Player:
    """Return the player without a card in the hand; a placed card is no longer secret (K2.7)."""
    return replace(
        player,
        hand=tuple(one for one in player.hand if one != card),
        secret=tuple(one for one in player.secret if one != card),
    )
