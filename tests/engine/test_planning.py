"""Plans for painting a card, compared with a search that tries all sequences of actions."""

from __future__ import annotations

import random

from msgspec.structs import replace

from kanagawa import rules
from kanagawa.actions import MoveBrush, Paint, PlaceBrush, code
from kanagawa.cards import CARDS
from kanagawa.planning import Lack, Plan, WhyNot, plan
from kanagawa.state import Phase, Player, State
from tests.engine.builders import table, turn, with_player


def cheapest(state: State, card: str) -> tuple[int, int] | None:
    """Return the fewest Arrows, and for these the fewest steps, after which a card can be painted.

    It tries all placings and moves of Brushes. Returns None if the card cannot be painted.
    """
    seen: dict[State, tuple[int, int]] = {state: (0, 0)}
    wave = [state]
    best: tuple[int, int] | None = None
    while wave:
        following: list[State] = []
        for now in wave:
            cost = seen[now]
            legal = rules.legal(now, 0)
            if any(isinstance(action, Paint) and action.card == card for action in legal):
                best = min(best or cost, cost)
            for action in legal:
                if not isinstance(action, PlaceBrush | MoveBrush):
                    continue
                after, _ = rules.apply(now, action)
                price = (cost[0] + isinstance(action, MoveBrush), cost[1] + 1)
                if after not in seen or price < seen[after]:
                    seen[after] = price
                    following.append(after)
        wave = following
    return best


def position(chance: random.Random) -> State:
    """Return a random turn with a small Studio and some Brushes spent."""
    cards = chance.sample(list(CARDS), 9)
    studio = tuple(cards[: chance.randint(0, 4)])
    with_landscape = [0, *(n for n, card in enumerate(studio, 1) if CARDS[card].studio_landscape)]
    standing = tuple(sorted(chance.sample(with_landscape, chance.randint(0, min(3, len(with_landscape))))))
    spent = tuple(place for place in standing if chance.random() < 0.4)
    player = Player(
        tile=chance.choice(["S1", "S2", "S3", "S4"]),
        studio=studio,
        hand=tuple(cards[6:]),
        unplaced=chance.randint(0, 2),
        standing=standing,
        spent=spent,
        arrows_used=chance.randint(0, 1),
    )
    return with_player(replace(table(2), phase=Phase.TURN, display=()), 0, player)


def test_plans_are_the_cheapest_there_are() -> None:
    """K3.2 to K3.5: every plan can be carried out and is the cheapest; without a plan no way exists."""
    chance, plans, refusals = random.Random(21), 0, 0
    for _ in range(250):
        state = position(chance)
        for card in state.players[0].hand:
            best, how = cheapest(state, card), plan(rules.view(state, 0), card)
            if isinstance(how, WhyNot):
                assert best is None
                refusals += 1
                continue
            assert best == (how.arrows, len(how.steps))
            now = state
            for step in how.steps:
                now, _ = rules.apply(now, step)
            rules.apply(now, how.paint)
            plans += 1
    assert min(plans, refusals) > 100


def test_a_brush_in_the_way_is_moved() -> None:
    """K3.4, K3.5: a spent Brush on the only forest is moved away, and a fresh one placed."""
    state = turn(Player(tile="S3", studio=("T07",), hand=("T13",), unplaced=1, standing=(0,), spent=(0,)))
    how = plan(rules.view(state, 0), "T13")
    assert isinstance(how, Plan)
    assert [code(step) for step in how.steps] == ["move.0.1", "place.0"]
    assert code(how.paint) == "print.T13.0"


def test_own_kind_before_joker() -> None:
    """K3.3: a Landscape of the card's own kind is used before a Joker, which stays free for others."""
    state = turn(Player(tile="S1", studio=("T18", "T10"), hand=("T13",), unplaced=1))
    how = plan(rules.view(state, 0), "T13")
    assert isinstance(how, Plan)
    assert [code(step) for step in how.steps] == ["place.2"]


def test_why_not() -> None:
    """K3.2 to K3.5: a refusal names what is lacking, how many are needed, and how many are there."""

    def why(player: Player) -> WhyNot:
        found = plan(rules.view(turn(player), 0), "T01")  # two forests
        assert isinstance(found, WhyNot)
        return found

    forests = ("T10", "C10")
    assert why(Player(tile="S1", studio=("T10",), unplaced=2)) == WhyNot(Lack.LANDSCAPES, 2, 1)
    assert why(Player(tile="S1", studio=forests, unplaced=1)) == WhyNot(Lack.BRUSHES, 2, 1)
    stuck = Player(tile="S1", studio=(*forests, "T04"), standing=(0, 3))
    assert why(stuck) == WhyNot(Lack.ARROWS, 2, 1)
    full = Player(tile="S3", studio=("T10",), standing=(0, 1), spent=(0, 1), unplaced=2)
    assert why(full) == WhyNot(Lack.ROOM, 1, 0)
