"""K2.7: tests of ``rules.shown`` with *twins*: states that look the same to a viewer before an action.

If an action shows nothing, twins look the same after it too. Then an undo leaves nobody with new knowledge.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from kanagawa import actions, rules
from kanagawa.cards import DIPLOMAS
from kanagawa.events import Event
from kanagawa.state import Mode, Phase, Player, Shown, State, View
from tests.engine.builders import do, solo, solo_turn, table, turn, with_player
from tests.engine.hidden import shuffled_secrets
from tests.engine.test_properties import GAMES, random_game

Seen = tuple[View, tuple[actions.Action, ...], tuple[Event, ...]]


def viewers(state: State) -> list[int | None]:
    """Return all viewers of a game: the public (None) and each seat but Osahito's."""
    return [None, *range(1 if state.mode is Mode.OSAHITO else len(state.players))]


def seen(state: State, action: actions.Action, viewer: int | None) -> Seen | None:
    """Return everything that a viewer sees of an action, or None if the action is not legal."""
    if state.to_move is None or action not in rules.legal(state, state.to_move):
        return None
    after, events = rules.apply(state, action)
    own = () if viewer is None else rules.legal(after, viewer)
    return rules.view(after, viewer), own, events


def told_apart(state: State, action: actions.Action, viewer: int | None, chance: random.Random) -> bool:
    """Return whether a viewer can tell a state from its twins after an action."""
    twins = [shuffled_secrets(state, viewer, chance) for _ in range(2)]
    assert all(rules.view(twin, viewer) == rules.view(state, viewer) for twin in twins)
    return any(seen(twin, action, viewer) != seen(state, action, viewer) for twin in twins)


@pytest.mark.parametrize(("mode", "seats"), GAMES)
def test_an_action_shows_cards_if_and_only_if_twins_differ(mode: Mode, seats: int) -> None:
    """K2.1, K2.7, O2, O3: in whole games, ``shown`` agrees with what each viewer can tell from twins."""
    chance, found = random.Random(seats), Counter[tuple[Shown, bool]]()
    for seed in range(10):
        for state, played in random_game(seed, mode, seats)[:-1]:
            assert state.to_move is not None
            assert played is not None
            action = chance.choice([played, chance.choice(rules.legal(state, state.to_move))])
            shown = rules.shown(state, action, rules.apply(state, action)[0])
            others = [one for one in viewers(state) if one != state.to_move]
            apart = any(told_apart(state, action, one, chance) for one in others)
            itself = told_apart(state, action, state.to_move, chance)
            found[shown, apart or itself] += 1
            if shown is Shown.NOTHING:
                assert not apart, actions.code(action)
            if shown is not Shown.HIDDEN:
                assert not itself, actions.code(action)
    assert found[Shown.NOTHING, False] > 200
    # Conversely, an action that is said to show a card mostly does. Exceptions are cards that everybody could
    # work out, and the end of the game, which makes everything public.
    for one in (Shown.OWN, Shown.HIDDEN):
        assert found[one, True] > max(15, 4 * found[one, False]), found


def test_done_against_osahito_where_cards_are_dealt() -> None:
    """O2: ``done`` shows a card, because Osahito is then dealt another one while the deck lasts."""
    state = do(solo("T01"), "take.1 studio.T01")
    assert _shown(state, "done") is Shown.HIDDEN


def test_done_against_osahito_where_no_card_is_dealt() -> None:
    """K2.7, O3: if Osahito takes a column without a face-down card, ``done`` shows nothing; else it does."""
    row_1 = solo("T01", "C02")
    open_column = do(replace(row_1, dealt=len(row_1.deck)), "take.1 studio.T01")
    assert _shown(open_column, "done") is Shown.NOTHING
    assert do(open_column, "done").phase is Phase.LAST
    row_2 = do(solo("T01", "C02", "T03", "C04"), "stay")
    face_down = do(replace(row_2, dealt=len(row_2.deck)), "take.1 studio.T01 studio.T03")
    assert _shown(face_down, "done") is Shown.HIDDEN


def test_the_end_shows_everything() -> None:
    """K5.6: the last action shows everything, because the public transcript holds the whole deck."""
    row_1 = solo("T01", "C02")
    last = do(replace(row_1, dealt=len(row_1.deck)), "take.1 studio.T01 done")
    assert _shown(last, "pass") is Shown.HIDDEN


def test_placing_a_card_shows_it_only_if_it_was_secret() -> None:
    """K2.7: placing or painting a card shows it if it was secret, and nothing if it lay face up before."""
    state = table(2, cards=("T01", "T02", "C03", "C04"))
    state = do(state, "stay stay")
    assert _shown(state, "take.1") is Shown.NOTHING
    assert _shown(state, "take.2") is Shown.HIDDEN
    taken = do(state, "take.2")
    assert (_shown(taken, "studio.T02"), _shown(taken, "studio.C04")) == (Shown.NOTHING, Shown.OWN)
    player = replace(taken.players[0], studio=("T10", "A10"), standing=(1, 2), hand=("C04", "T02"))
    able = with_player(taken, 0, player)
    paintings = [one for one in rules.legal(able, 0) if isinstance(one, actions.Paint)]
    assert {one.card for one in paintings}
    for one in paintings:
        expected = Shown.OWN if one.card == "C04" else Shown.NOTHING
        assert _shown(able, actions.code(one)) is expected


@pytest.mark.parametrize("action", ["place.0", "move.0.1", "diploma.tree-3", "decline.tree"])
def test_brushes_and_diplomas_show_nothing(action: str) -> None:
    """K3.5, K4.1: Brushes and decisions on Diplomas show nothing: they depend on public cards only."""
    trees = Player(tile="S1", print=("T16", "T08"), studio=("T10", "A01"), unplaced=1, standing=(2,))
    at_work = turn(replace(trees, standing=(0,)) if action.startswith("move") else trees)
    if "tree" in action:
        at_work = replace(at_work, display=tuple(DIPLOMAS), offered=("tree-3",))
    assert _shown(at_work, action) is Shown.NOTHING


@pytest.mark.parametrize("taken", ["claim.tree-3", "claim.tree-4"])
def test_claims_show_nothing(taken: str) -> None:
    """O4: a claim shows nothing, because Osahito's answer depends on public cards only."""
    trees = Player(tile="S1", print=("T08", "T16"), diplomas=() if taken.endswith("3") else ("tree-3",))
    assert _shown(solo_turn(trees), taken) is Shown.NOTHING


def _shown(state: State, action: str) -> Shown:
    """Return what an action in a state shows to anybody."""
    return rules.shown(state, actions.parse(action), do(state, action))
