"""Views to draw: of games played by the apprentice or at random, and of the largest tables that can be."""

from __future__ import annotations

import random
from functools import lru_cache

from msgspec.structs import replace

from kanagawa import apprentice, rules
from kanagawa.cards import CARDS, DIPLOMAS, Category
from kanagawa.counts import count_studio
from kanagawa.state import Mode, Phase, Player, State, View


@lru_cache(maxsize=32)
def game(seed: int, seats: int = 4, mode: Mode = Mode.TABLE, at_random: bool = False) -> tuple[State, ...]:
    """Return all states of a game, from the first choice to the end."""
    state = rules.new(seed, seats, mode)
    chance = random.Random(seed)
    states = [state]
    while (seat := state.to_move) is not None:
        actions = rules.legal(state, seat)
        action = chance.choice(actions) if at_random else apprentice.choose(rules.view(state, seat), actions)
        state, _ = rules.apply(state, action, seat)
        states.append(state)
    return tuple(states)


def views(seed: int, seats: int, mode: Mode = Mode.TABLE, at_random: bool = False) -> tuple[View, ...]:
    """Return the views of a game, each as the seat to act sees it; the last one is public."""
    return tuple(rules.view(state, state.to_move) for state in game(seed, seats, mode, at_random))


def midgame(seats: int = 4, seed: int = 3) -> View:
    """Return the public view of a game in a turn in which the longest Print has eight cards."""
    return next(
        rules.view(state, None)
        for state in game(seed, seats)
        if state.phase is Phase.TURN and max(len(player.print) for player in state.players) == 8
    )


def grown(prints: int, studio: int, hand: int, diplomas: int = 7, brushes: int = 8) -> View:
    """Return a view in which seat 0 has this many cards, Diplomas and Brushes, even if the rules forbid it.

    ``prints`` and ``studio`` are numbers of cards without the Start tile.
    """
    ids = list(CARDS)
    cards = tuple(ids[at % len(ids)] for at in range(prints))
    tiles = tuple(ids[(prints + at) % len(ids)] for at in range(studio))
    best = [max((one.points, one.id) for one in DIPLOMAS.values() if one.category is c)[1] for c in Category]
    places = count_studio("S1", tiles).places[: brushes - 1]
    player = Player(
        tile="S1",
        print=cards,
        studio=tiles,
        hand=tuple(ids[(prints + studio + at) % len(ids)] for at in range(hand)),
        unplaced=brushes - len(places),
        standing=places,
        spent=places[:2],
        storms=3,
        diplomas=tuple(best[:diplomas]),
    )
    view = midgame()
    return replace(view, seat=0, players=(player, *view.players[1:]), grand_master=0, assistant=0)
