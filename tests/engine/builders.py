"""Positions for the tests: games with a chosen deck, and turns with a chosen hand."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from kanagawa import actions, rules
from kanagawa.cards import CARDS
from kanagawa.events import Event
from kanagawa.state import Mode, Phase, Player, State

SPRING, SUMMER, AUTUMN, WINTER = "S4", "S1", "S2", "S3"


def deck(*first: str) -> list[str]:
    """Return a whole deck in which these cards are dealt first."""
    return [*first, *(card for card in CARDS if card not in first)]


def table(seats: int = 3, *, first: int = 0, cards: tuple[str, ...] = ()) -> State:
    """Return a game for 2 to 4 at its first choice; the Start tiles are S1, S2, … by seat."""
    return rules.set_up(Mode.TABLE, ["S1", "S2", "S3", "S4"][:seats], deck(*cards), first)


def solo(*cards: str) -> State:
    """Return a game against Osahito at its first choice; the player has tile S1, Osahito S2."""
    return rules.set_up(Mode.OSAHITO, ["S1", "S2"], deck(*cards), 0)


def do(state: State, codes: str) -> State:
    """Return the state after these actions, each by the seat to move; codes are separated by spaces."""
    return told(state, codes)[0]


def told(state: State, codes: str) -> tuple[State, list[Event]]:
    """Return the state after these actions, as for :func:`do`, and all their events."""
    events: list[Event] = []
    for code in codes.split():
        state, happened = rules.apply(state, actions.parse(code))
        events += happened
    return state, events


def codes(state: State) -> set[str]:
    """Return the codes of all legal actions of the seat to move."""
    seat = state.to_move
    return set() if seat is None else {actions.code(action) for action in rules.legal(state, seat)}


def turn(player: Player, *, seats: int = 2, **changes: Any) -> State:
    """Return a state in the turn of seat 0, who is ``player``; the other seats have yet to choose.

    ``changes`` are fields of the state. No Diploma is on display unless ``display`` says so.
    """
    return with_player(replace(table(seats), **{"phase": Phase.TURN, "display": (), **changes}), 0, player)


def solo_turn(player: Player, osahito: Player | None = None, **changes: Any) -> State:
    """Return a state in the player's turn of a game against Osahito; ``changes`` are fields of the state."""
    state = with_player(replace(solo(), **{"phase": Phase.TURN, **changes}), 0, player)
    return state if osahito is None else with_player(state, 1, osahito)


def with_player(state: State, seat: int, player: Player) -> State:
    """Return the state with another player at a seat."""
    players = list(state.players)
    players[seat] = player
    return replace(state, players=tuple(players))


def without_display(state: State, *diplomas: str) -> State:
    """Return the state without these Diplomas on display."""
    return replace(state, display=tuple(one for one in state.display if one not in diplomas))
