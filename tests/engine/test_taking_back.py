"""K2.7: what an action showed, proved on twins: two states that a viewer cannot tell apart before it.

Where it showed nothing nobody can tell them apart after it either, so taking it back leaves nothing known.
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
    """Everybody who looks on; Osahito is nobody."""
    return [None, *range(1 if state.mode is Mode.OSAHITO else len(state.players))]


def seen(state: State, action: actions.Action, viewer: int | None) -> Seen | None:
    """All that a viewer sees of an action; None where it cannot be done."""
    if state.to_move is None or action not in rules.legal(state, state.to_move):
        return None
    after, events = rules.apply(state, action)
    own = () if viewer is None else rules.legal(after, viewer)
    return rules.view(after, viewer), own, events


def told_apart(state: State, action: actions.Action, viewer: int | None, chance: random.Random) -> bool:
    """Whether an action tells a viewer which of some states it is that look the same before."""
    twins = [shuffled_secrets(state, viewer, chance) for _ in range(2)]
    assert all(rules.view(twin, viewer) == rules.view(state, viewer) for twin in twins)
    return any(seen(twin, action, viewer) != seen(state, action, viewer) for twin in twins)


@pytest.mark.parametrize(("mode", "seats"), GAMES)
def test_what_an_action_shows_is_what_tells_twins_apart(mode: Mode, seats: int) -> None:
    """K2.1, K2.7, O2, O3: both ways, for each viewer, in whole games."""
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
    # The other way round: what is said to show something does, but for cards that all could reckon out,
    # and for the end, which opens everything.
    for one in (Shown.OWN, Shown.HIDDEN):
        assert found[one, True] > max(15, 4 * found[one, False]), found


def test_done_against_osahito_where_cards_are_dealt() -> None:
    """O2: while the deck lasts he is dealt another card, which everybody sees."""
    state = do(solo("T01"), "take.1 studio.T01")
    assert _shown(state, "done") is Shown.HIDDEN


def test_done_against_osahito_where_no_card_is_dealt() -> None:
    """K2.7, O3: he takes a column that lay open, which shows nothing; a face-down card in it shows."""
    row_1 = solo("T01", "C02")
    open_column = do(replace(row_1, dealt=len(row_1.deck)), "take.1 studio.T01")
    assert _shown(open_column, "done") is Shown.NOTHING
    assert do(open_column, "done").phase is Phase.LAST
    row_2 = do(solo("T01", "C02", "T03", "C04"), "stay")
    face_down = do(replace(row_2, dealt=len(row_2.deck)), "take.1 studio.T01 studio.T03")
    assert _shown(face_down, "done") is Shown.HIDDEN


def test_the_end_shows_everything() -> None:
    """K5.6: the transcript of a game that is over holds the whole deck."""
    row_1 = solo("T01", "C02")
    last = do(replace(row_1, dealt=len(row_1.deck)), "take.1 studio.T01 done")
    assert _shown(last, "pass") is Shown.HIDDEN


def test_an_own_card_shows_where_it_was_secret_alone() -> None:
    """K2.7: a kept card that lay open in the School shows nothing more, in the Studio or painted."""
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
    """K3.5, K4.1: what is offered and declined follows from what lies open."""
    trees = Player(tile="S1", print=("T16", "T08"), studio=("T10", "A01"), unplaced=1, standing=(2,))
    at_work = turn(replace(trees, standing=(0,)) if action.startswith("move") else trees)
    if "tree" in action:
        at_work = replace(at_work, display=tuple(DIPLOMAS), offered=("tree-3",))
    assert _shown(at_work, action) is Shown.NOTHING


@pytest.mark.parametrize("taken", ["claim.tree-3", "claim.tree-4"])
def test_claims_show_nothing(taken: str) -> None:
    """O4: what Osahito makes of a Diploma that goes back follows from what lies open."""
    trees = Player(tile="S1", print=("T08", "T16"), diplomas=() if taken.endswith("3") else ("tree-3",))
    shown = rules.shown(at_work := solo_turn(trees), actions.parse(taken), at_work)
    assert shown is Shown.NOTHING


def _shown(state: State, action: str) -> Shown:
    return rules.shown(state, actions.parse(action), do(state, action))
