"""What a game must offer to be played at the table: a record of functions, built where the parts meet.

States, actions, views and events are the game's own values; the table stores and passes them on without
looking inside. Seats are numbered from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

State = Any
Action = Any
View = Any
Event = Any

#: What a game was opened with, such as ``{"mode": "table"}``: anything JSON can say.
Options = Mapping[str, Any]


class Shown(IntEnum):
    """What an action let anybody at all know that they did not know before: decides what may be undone."""

    #: Nothing.
    NOTHING = 0
    #: Only what its maker alone knew, and showed on purpose.
    OWN = 1
    #: Something else, such as a card that was dealt. Nobody can unsee it.
    HIDDEN = 2


@dataclass(frozen=True, slots=True)
class Game:
    """The functions of one kind of game. All are pure: the same arguments give the same result.

    ``apply`` and ``parse`` raise the game's own errors, which the table passes on; whatever ``decode``
    raises makes the game unreadable.
    """

    #: Its name in the store: short, and never changed.
    kind: str
    #: How many people can play with these options: ``range(2, 5)`` for 2 to 4.
    people: Callable[[Options], range]
    #: ``new(seed, seats, options)``: the first state for so many people, who sit at seats 0 to seats - 1.
    new: Callable[[int, int, Options], State]
    #: The seat to act, or None when the game is over.
    to_move: Callable[[State], int | None]
    #: ``legal(state, seat)``: all actions open to a seat now.
    legal: Callable[[State, int], Sequence[Action]]
    #: ``apply(state, action, seat)``: the next state, and what happened.
    apply: Callable[[State, Action, int], tuple[State, Sequence[Event]]]
    #: ``view(state, seat)``: what a seat, or the public (None), may know.
    view: Callable[[State, int | None], View]
    #: An action's one spelling, never ``undo``, and the action that a text spells.
    code: Callable[[Action], str]
    parse: Callable[[str], Action]
    #: A state as bytes for the store, and back.
    encode: Callable[[State], bytes]
    decode: Callable[[bytes], State]
    #: ``choose(view, legal)``: the apprentice's action for a seat whose person has left.
    choose: Callable[[View, Sequence[Action]], Action]
    #: ``shown(before, action, after)``: what the action that led from one state to another showed.
    shown: Callable[[State, Action, State], Shown] = lambda before, action, after: Shown.HIDDEN
    #: What a seat that waits for its turn may order ahead; empty for one that has nothing to choose.
    ahead: Callable[[State, int], Sequence[Action]] = lambda state, seat: ()
    #: Codes of the actions that end a turn, also where the same seat has the next one.
    ends: Collection[str] = ()
    #: A name for the situation that orders are given for; they lapse when it changes.
    situation: Callable[[State], str] = lambda state: ""
    #: What a game that is over has come to: a record for each seat, of anything JSON can say.
    result: Callable[[State], Sequence[Mapping[str, Any]]] = lambda state: ()
    #: ``in_time(options, began, ended)``: whether tries at the option ``seed`` counted while it was played.
    in_time: Callable[[Options, float, float], bool] = lambda options, began, ended: True
