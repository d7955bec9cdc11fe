"""Whole games as readable texts, which show the effect of any change of the rules.

``pytest tests/engine/test_playthroughs.py --update`` writes them anew; read the difference before you
commit it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from kanagawa import actions, apprentice, rules
from kanagawa.scoring import score, winners
from kanagawa.state import Mode, Phase, State

FOLDER = Path(__file__).parent / "playthroughs"
GAMES = [
    ("two-random", 1, Mode.TABLE, 2, "random"),
    ("three-random", 2, Mode.TABLE, 3, "random"),
    ("four-random", 3, Mode.TABLE, 4, "random"),
    ("solo-random", 4, Mode.OSAHITO, 2, "random"),
    ("two-apprentices", 5, Mode.TABLE, 2, "apprentice"),
    ("three-apprentices", 6, Mode.TABLE, 3, "apprentice"),
    ("four-apprentices", 7, Mode.TABLE, 4, "apprentice"),
    ("solo-apprentice", 8, Mode.OSAHITO, 2, "apprentice"),
    ("solo-apprentice-again", 9, Mode.OSAHITO, 2, "apprentice"),
    ("two-until-the-deck-ends", 10, Mode.TABLE, 2, "studio"),
    ("four-until-the-deck-ends", 11, Mode.TABLE, 4, "studio"),
    ("solo-claims", 12, Mode.OSAHITO, 2, "claims"),
]


def choose(policy: str, state: State, chance: random.Random) -> actions.Action:
    """Return a legal action by a policy.

    Policies are "random", "apprentice", "studio" (never paints) and "claims" (claims and paints if possible).
    """
    assert state.to_move is not None
    legal = rules.legal(state, state.to_move)
    if policy == "apprentice":
        return apprentice.choose(rules.view(state, state.to_move), legal)
    if policy == "studio":
        calm = [one for one in legal if not isinstance(one, actions.Paint | actions.MoveBrush)]
        return chance.choice(calm or list(legal))
    if policy == "claims":
        eager = [one for one in legal if isinstance(one, actions.Claim | actions.Paint)]
        return chance.choice(eager or list(legal))
    return chance.choice(legal)


def told(state: State, policy: str, seed: int) -> Iterator[str]:
    """Yield the lines of a game: the board at each round, each action with its events, the final score."""
    chance = random.Random(seed)
    yield f"{state.mode}, first seat {state.grand_master}, tiles {[one.tile for one in state.players]}"
    shown = 0
    while (seat := state.to_move) is not None:
        if state.phase is Phase.CHOICE and state.round != shown:
            shown = state.round
            yield from board(state)
        action = choose(policy, state, chance)
        state, events = rules.apply(state, action)
        yield f"{seat} {actions.code(action)}: " + "; ".join(map(event_line, events))
    yield from board(state)
    for seat, one in enumerate(score(state)):
        parts = f"{one.print}+{one.season}+{one.harmony}+{one.diplomas}+{one.grand_master}+{one.symbols}"
        yield f"seat {seat}: {parts} = {one.total}"
    yield f"winners {winners(state)}"


def board(state: State) -> Iterator[str]:
    """Yield the lines of a board: the School, and two lines for each seat."""
    yield ""
    yield f"round {state.round}, {len(state.deck) - state.dealt} in the deck, school {state.columns}"
    for seat, player in enumerate(state.players):
        yield f"  {seat} print {' '.join(player.print)} | studio {' '.join(player.studio)}"
        yield (
            f"    hand {' '.join(player.hand)} | brushes {player.unplaced}+{list(player.standing)}"
            f" | {' '.join(player.diplomas)} | declined {' '.join(player.declined)} | storms {player.storms}"
        )
    yield ""


def event_line(event: object) -> str:
    """Return an event as its name and its values."""
    fields = " ".join(str(value) for value in msgspec.structs.astuple(event))  # type: ignore[arg-type]
    return f"{type(event).__name__} {fields}"


@pytest.mark.parametrize(("name", "seed", "mode", "seats", "policy"), GAMES)
def test_playthrough(
    name: str, seed: int, mode: Mode, seats: int, policy: str, request: pytest.FixtureRequest
) -> None:
    """The game equals its stored text, line by line."""
    lines = list(told(rules.new(seed, seats, mode), policy, seed))
    file = FOLDER / f"{name}.txt"
    if request.config.getoption("--update"):
        file.write_text("\n".join(lines) + "\n")
    assert file.read_text().splitlines() == lines
