"""What a game offers to the table: a record of functions, so that the table knows no rule.

A second game beside the first is one more package and one more record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the table plays it. States, actions, events and views are the game's own values.

    ``persons`` is the fewest and the most people that play it; seats that nobody can take, such as a
    solo opponent's, come behind theirs and never move.
    """

    kind: str
    persons: tuple[int, int]
    #: From a seed, the number of people and the options to the first state.
    new: Callable[[int, int, Mapping[str, str]], Any]
    #: The seat to act, or None when the game is over.
    to_move: Callable[[Any], int | None]
    legal: Callable[[Any, int], Sequence[Any]]
    #: From a state, an action and the seat that acts to the next state and what happened.
    apply: Callable[[Any, Any, int], tuple[Any, Sequence[Any]]]
    #: What a seat, or the public (None), may know.
    view: Callable[[Any, int | None], Any]
    code: Callable[[Any], str]
    parse: Callable[[str], Any]
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]
    #: Whether the action that was applied to a state may be taken back.
    undoable: Callable[[Any, Any], bool]
    #: What the computer player does, from its view and the legal actions.
    choose: Callable[[Any, Sequence[Any]], Any]
    #: What ``decode`` raises where bytes are no state.
    unreadable: type[Exception]
