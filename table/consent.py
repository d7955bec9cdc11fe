"""What people of a game ask each other: which of the questions remain when something happens."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from table.store import UNDO, Ask, Turn


def without_ask(asks: Iterable[Ask], ask: Ask) -> tuple[Ask, ...]:
    """Return the questions but one."""
    return tuple(one for one in asks if one.of != ask.of)


def without_kind(asks: Iterable[Ask], ask: Ask) -> tuple[Ask, ...]:
    """Return the questions but those of the same person and kind: each person asks one of a kind."""
    return tuple(one for one in asks if one.user != ask.user or (one.friend is None) != (ask.friend is None))


def without(asks: Iterable[Ask], user: int) -> tuple[Ask, ...]:
    """Return the questions without those of a person who left, and without their consent to others'."""
    return tuple(
        msgspec.structs.replace(one, allowed=tuple(other for other in one.allowed if other != user))
        for one in asks
        if one.user != user
    )


def steps_back(turn: Turn) -> int:
    """Return how many turns of the line a turn took back: 0 or 1, or with the others' consent several."""
    word, _, steps = (turn.action or "").partition(".")
    return int(steps or 1) if word == UNDO else 0
