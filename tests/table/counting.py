"""A tiny game for the tests of the table: seats count up together, and who reaches the goal ends it.

A turn is one or more of ``add.1`` and ``add.2``, which may be taken back, and then ``pass``, which may not.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from table.game import Game, Options, Shown


class Refused(Exception):
    """The game's own error."""


class Count(msgspec.Struct, frozen=True):
    """How far the counting is; ``seed`` is what nobody may see."""

    seed: int
    seats: int
    goal: int
    total: int = 0
    seat: int = 0
    added: bool = False


def new(seed: int, seats: int, options: Options) -> Count:
    return Count(seed % 1000, seats, options.get("goal", 10))


def to_move(state: Count) -> int | None:
    return state.seat if state.total < state.goal else None


def legal(state: Count, seat: int) -> Sequence[str]:
    if to_move(state) != seat:
        return ()
    return ("add.1", "add.2", "pass") if state.added else ("add.1", "add.2")


def apply(state: Count, action: str, seat: int) -> tuple[Count, Sequence[str]]:
    if action not in legal(state, seat):
        raise Refused(f"{action} by seat {seat}")
    if action == "pass":
        following = (state.seat + 1) % state.seats
        return msgspec.structs.replace(state, seat=following, added=False), (f"{seat} passed",)
    total = state.total + int(action[-1])
    return msgspec.structs.replace(state, total=total, added=True), (f"{seat} counted to {total}",)


def view(state: Count, seat: int | None) -> tuple[int | None, int, bool]:
    return seat, state.total, state.added


def parse(text: str) -> str:
    if text not in ("add.1", "add.2", "pass"):
        raise Refused(f"no action: {text}")
    return text


def choose(view: tuple[int | None, int, bool], legal: Sequence[str]) -> str:
    """The apprentice adds 1 and passes."""
    return "pass" if view[2] else "add.1"


COUNTING = Game(
    kind="counting",
    people=lambda options: range(options.get("least", 2), 4),
    new=new,
    to_move=to_move,
    legal=legal,
    apply=apply,
    view=view,
    code=str,
    parse=parse,
    encode=msgspec.json.encode,
    decode=msgspec.json.Decoder(Count).decode,
    shown=lambda before, action, after: Shown.HIDDEN if action == "pass" else Shown.NOTHING,
    choose=choose,
)
