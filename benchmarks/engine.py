"""The speed of the engine in random games, compared with python-chess in the same run.

    python benchmarks/engine.py [seconds]

``seconds`` is the time of each round (2). Rounds of both alternate, so that a machine that gets slower slows
both. It prints the medians of all rounds.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import chess

sys.path.insert(0, str(Path(__file__).parent.parent))

from kanagawa import rules
from kanagawa.state import Mode

ROUNDS = 7
GAMES = [(Mode.TABLE, 2), (Mode.TABLE, 3), (Mode.TABLE, 4), (Mode.OSAHITO, 2)]


def kanagawa_game(seed: int) -> int:
    """Play a random game of Kanagawa and return the number of actions."""
    chance = random.Random(seed)
    mode, seats = GAMES[seed % len(GAMES)]
    state, actions = rules.new(seed, seats, mode), 0
    while (seat := state.to_move) is not None:
        state, _ = rules.apply(state, chance.choice(rules.legal(state, seat)))
        actions += 1
    return actions


def chess_game(seed: int) -> int:
    """Play a random game of chess and return the number of plies."""
    chance, board, plies = random.Random(seed), chess.Board(), 0
    while not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
        plies += 1
    return plies


def rate(play: Callable[[int], int], seed: int, seconds: float) -> float:
    """Play whole games for about ``seconds`` and return the moves per second."""
    moves, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        moves += play(seed)
        seed += 1
    return moves / spent


def main() -> None:
    """Measure the speeds and print them with their ratio."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    ours: list[float] = []
    theirs: list[float] = []
    for round_ in range(ROUNDS):
        ours.append(rate(kanagawa_game, 1000 * round_, seconds))
        theirs.append(rate(chess_game, 1000 * round_, seconds))
    print(f"kanagawa      {median(ours):10,.0f} actions a second")
    print(f"python-chess  {median(theirs):10,.0f} plies a second")
    print(f"ratio         {median(a / b for a, b in zip(ours, theirs, strict=True)):10.2f}")


if __name__ == "__main__":
    main()
