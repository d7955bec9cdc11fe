"""The apprentice plays legally, predictably, without hidden knowledge, and better than chance."""

from __future__ import annotations

import random

import pytest

from kanagawa import apprentice, rules
from kanagawa.scoring import winners
from kanagawa.state import Mode
from tests.engine.hidden import shuffled_secrets
from tests.engine.test_properties import GAMES


@pytest.mark.parametrize(("mode", "seats"), GAMES)
def test_plays_whole_games(mode: Mode, seats: int) -> None:
    """The apprentice always finds a legal action, its games end, and its Prints grow."""
    for seed in range(4):
        state, steps = rules.new(seed, seats, mode), 0
        while (seat := state.to_move) is not None:
            legal = rules.legal(state, seat)
            action = apprentice.choose(rules.view(state, seat), legal)
            assert action in legal
            assert action == apprentice.choose(rules.view(state, seat), legal)
            state, _ = rules.apply(state, action)
            steps += 1
        assert steps < 400
        assert len(state.players[0].print) >= 4


def test_sees_no_more_than_its_seat() -> None:
    """The apprentice acts the same in states that differ only in cards that its seat may not know (K2.7)."""
    chance = random.Random(2)
    state = rules.new(3, 4)
    while (seat := state.to_move) is not None:
        action = apprentice.choose(rules.view(state, seat), rules.legal(state, seat))
        other = shuffled_secrets(state, seat, chance)
        assert action == apprentice.choose(rules.view(other, seat), rules.legal(other, seat))
        state, _ = rules.apply(state, action)


def test_beats_random_play() -> None:
    """The apprentice wins at least 18 of 20 games against random play."""
    won = 0
    for seed in range(20):
        state, chance = rules.new(seed, 2), random.Random(seed)
        while (seat := state.to_move) is not None:
            legal = rules.legal(state, seat)
            if seat == seed % 2:
                action = apprentice.choose(rules.view(state, seat), legal)
            else:
                action = chance.choice(legal)
            state, _ = rules.apply(state, action)
        won += winners(state) == (seed % 2,)
    assert won >= 18
