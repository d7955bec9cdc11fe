"""The rules of the game: setting up, what is legal, what an action does, who may see what (K1 to K5).

``legal`` is the only place where legality is written; ``apply`` refuses everything else. What the solo
game does otherwise is in ``osahito``.
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

#: A Print with so many Lesson cards, the Start tile not counted, makes this the last round (K5.1).
FULL_PRINT = 11

MIN_SEATS, MAX_SEATS = 2, len(FACE_UP[0])


# Setting up (K1) -------------------------------------------------------------------------------------


def new(seed: int | str, seats: int = 3, mode: Mode = Mode.TABLE) -> State:
    """A new game: the deck, the Start tiles and the first player are drawn from the seed (K1.5, K1.6).

    ``seats`` is 2 to 4; in a game against Osahito it is 2, Osahito's included. The same arguments
    give the same game on every machine. Raises ValueError for another number of seats.
    """
    if not MIN_SEATS <= seats <= MAX_SEATS or (mode is Mode.OSAHITO and seats != 2):
        raise ValueError(f"a game has {MIN_SEATS} to {MAX_SEATS} seats, against Osahito 2; not {seats}")
    # Of the generator's methods random() alone promises the same numbers in later versions of Python.
    chance = random.Random(seed)
    deck = sorted(CARDS, key=lambda _: chance.random())
    tiles = sorted(START_TILES, key=lambda _: chance.random())[:seats]
    first = 0 if mode is Mode.OSAHITO else int(chance.random() * seats)
    return set_up(mode, tiles, deck, first)


def set_up(mode: Mode, tiles: Iterable[str], deck: Iterable[str], first: int) -> State:
    """The game that begins with these Start tiles by seat, this deck and this first player (K1.5, K1.6)."""
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
    """K2.1, K2.2: an empty School, then row 1; the Grand Master's holder chooses first."""
    seats = len(state.players)
    in_school = 1 if state.mode is Mode.OSAHITO else seats
    order = tuple((state.grand_master + step) % seats for step in range(in_school))
    state = replace(state, round=state.round + 1, row=0, columns=((),) * seats, phase=Phase.CHOICE, stayed=())
    return _next_row(state, order, events)


def _next_row(state: State, order: tuple[int, ...], events: list[Event]) -> State:
    """K2.3: deal the next row, then those in ``order`` choose."""
    state = deal_row(state, events)
    alone = len(order) == 1 and state.mode is Mode.TABLE
    return replace(state, queue=order, stayed=(), alone=alone)


def deal_row(state: State, events: list[Event]) -> State:
    """K2.1, K5.2: one card to each remaining column from the left, as long as the deck lasts."""
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
    """A column as it lies in the School: the cards face up, the backs of the others (K1.7, K2.7)."""
    return tuple(card if FACE_UP[row][number - 1] else back(card) for row, card in enumerate(column))


def _may_stay(state: State) -> bool:
    """K2.4, K2.5, K5.2."""
    return state.row < ROWS and state.dealt < len(state.deck) and not state.alone


def _stay(state: State, seat: int, action: Stay, events: list[Event]) -> State:
    """K2.2: wait for another row; the next seat chooses. In solo Osahito stays as well (O2)."""
    events.append(Stayed(seat))
    if state.mode is Mode.OSAHITO:
        events.append(Stayed(osahito.SEAT))
    state = replace(state, queue=state.queue[1:], stayed=(*state.stayed, seat))
    return state if state.queue else _next_row(state, state.stayed, events)


def _take(state: State, seat: int, action: Take, events: list[Event]) -> State:
    """K2.2, K2.7: the column's cards come to the hand; the fronts of those face down to it alone."""
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
    """K3.6: the turn ends; the next seat in school chooses, or a row is dealt, or the round ends."""
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
    """K2.6, K5.1 to K5.3: the Grand Master passes; then a new round, or the end."""
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
    """O6: the last decision is made."""
    return _end(state, events)


def _end(state: State, events: list[Event]) -> State:
    """K5.6."""
    state = replace(state, phase=Phase.OVER, queue=())
    totals = tuple(one.total for one in score(state))
    events.append(GameEnded(totals, winners(state)))
    return state


# Placing cards and Brushes (K3) ----------------------------------------------------------------------


def _put_in_studio(state: State, seat: int, action: PutInStudio, events: list[Event]) -> State:
    """K3.1: a new place; a Brush symbol brings a Brush, an Assistant takes the Assistant."""
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
    """K3.2 to K3.4: the card goes to the right end of the Print; its Brushes are spent for this turn."""
    player = _without(state.players[seat], action.card)
    player = replace(
        player,
        print=(*player.print, action.card),
        spent=tuple(sorted(player.spent + action.places)),
    )
    events.append(Painted(seat, action.card, action.places))
    return _look(replace(state, players=_with(state.players, seat, player)), seat)


def _place_brush(state: State, seat: int, action: PlaceBrush, events: list[Event]) -> State:
    """K3.5: an unplaced Brush goes on an empty Landscape, free."""
    player = state.players[seat]
    player = replace(
        player,
        unplaced=player.unplaced - 1,
        standing=tuple(sorted((*player.standing, action.place))),
    )
    events.append(BrushPlaced(seat, action.place))
    return replace(state, players=_with(state.players, seat, player))


def _move_brush(state: State, seat: int, action: MoveBrush, events: list[Event]) -> State:
    """K3.4, K3.5: a Brush moves for an Arrow; that it has painted goes with it."""

    def moved(places: tuple[int, ...]) -> tuple[int, ...]:
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
    """All of K3 that is open to a player in a turn: cards, Brushes, the end of the turn."""
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
    """K4.1: after a card, and after a Diploma, see which Diplomas are to be decided on."""
    if state.mode is Mode.OSAHITO:  # O4
        return state
    return replace(state, offered=diplomas.offered(state, state.players[seat]))


def _take_diploma(state: State, seat: int, action: TakeDiploma, events: list[Event]) -> State:
    """K4.1, K4.4: the Diploma is taken, its bonus comes at once, then the player looks again."""
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
    """K4.1: all offered of the category are declined, for good."""
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
    """K3.1, K4.4: what a symbol or a Diploma brings at once. In solo the Assistant is not used (O1)."""
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
    """O4."""
    return osahito.claim(state, action.diploma, give, events)


# What is legal, and doing it -------------------------------------------------------------------------

# The last answer of legal(), kept because apply() asks the same question of the same state again.
_last: tuple[State, tuple[Action, ...]] | None = None


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """All actions open to a seat now; none when another is to act or the game is over."""
    global _last
    if state.to_move != seat:
        return ()
    if _last is None or _last[0] is not state:
        _last = state, tuple(_legal(state, state.players[seat]))
    return _last[1]


def _legal(state: State, player: Player) -> list[Action]:
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
    """The state after an action, and what happened.

    ``seat`` is who acts; None stands for the seat to move. Raises GameFinished, NotYourTurn or
    IllegalAction, and then nothing has changed.
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
    """Return what the action that led from one state to the other showed to anybody (K2.1, K2.7).

    All else that an action changes follows from what everybody knew. The end of the game opens everything.
    """
    if after.dealt != before.dealt or after.phase is Phase.OVER:
        return Shown.HIDDEN
    taken = (
        (number, column)
        for number, (column, left) in enumerate(zip(before.columns, after.columns, strict=True), 1)
        if column is not None and left is None
    )
    if any(shown_column(column, number) != column for number, column in taken):
        return Shown.HIDDEN  # by the player, or by Osahito, who places it at once (O3)
    match action:
        case PutInStudio(card) | Paint(card) if before.to_move is not None:
            return Shown.OWN if card in before.players[before.to_move].secret else Shown.NOTHING
        case _:
            return Shown.NOTHING


# Who may see what (K2.7) -----------------------------------------------------------------------------


def view(state: State, seat: int | None) -> View:
    """What a seat, or the public (None), may know of a game (K2.7).

    This is the one place where things are hidden.
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
    hand = tuple(back(card) if card in player.secret else card for card in player.hand)
    return replace(player, hand=hand, secret=())


# Small helpers ---------------------------------------------------------------------------------------


def _with(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    return (*players[:seat], player, *players[seat + 1 :])


def _without(player: Player, card: str) -> Player:
    """The player once a card has left the hand; a placed card is public (K2.7)."""
    return replace(
        player,
        hand=tuple(one for one in player.hand if one != card),
        secret=tuple(one for one in player.secret if one != card),
    )
