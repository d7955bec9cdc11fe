"""The number of legal sequences of actions from a seed to a depth: any change of legality changes it."""

from __future__ import annotations

import pytest

from kanagawa import rules
from kanagawa.state import Mode, State


def count(state: State, depth: int) -> int:
    """Return the number of legal sequences of ``depth`` actions; a game that ends sooner counts as one."""
    if depth == 0 or state.to_move is None:
        return 1
    return sum(
        count(rules.apply(state, action)[0], depth - 1) for action in rules.legal(state, state.to_move)
    )


@pytest.mark.parametrize(
    ("seed", "mode", "seats", "counts"),
    [
        (1, Mode.TABLE, 2, [3, 7, 14, 30, 69, 139, 283, 695, 1740, 3996, 9774, 26490]),
        (2, Mode.TABLE, 3, [4, 10, 22, 59, 134, 323, 778, 1887, 4660, 11395, 29210]),
        (3, Mode.TABLE, 4, [5, 13, 29, 73, 203, 511, 1285, 3233, 8006, 20104]),
        (4, Mode.OSAHITO, 2, [3, 7, 18, 56, 183, 610, 2115, 7258, 24637]),
        (5, Mode.OSAHITO, 2, [3, 7, 18, 51, 146, 453, 1464, 5038, 18696]),
    ],
)
def test_move_counts(seed: int, mode: Mode, seats: int, counts: list[int]) -> None:
    """K2 to K4, O: the numbers of legal sequences of 1, 2, 3, … actions stay as they are."""
    state = rules.new(seed, seats, mode)
    assert [count(state, depth) for depth in range(1, len(counts) + 1)] == counts
