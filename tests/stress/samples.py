"""What is right, for making what is wrong of it; it needs nothing but the engine."""

from __future__ import annotations

import random

from kanagawa import actions, apprentice, rules, state, transcript
from kanagawa.state import Mode


class Samples:
    """What is right: the codes, states and transcripts of some games, from which what is wrong is made."""

    def __init__(self, chance: random.Random) -> None:
        self.codes: set[str] = set()
        self.states: list[bytes] = []
        self.transcripts: list[bytes] = []
        for people, mode in ((2, Mode.TABLE), (4, Mode.TABLE), (2, Mode.OSAHITO)):
            self._play(rules.new(chance.randrange(1000), people, mode))
        self.spelled = sorted(self.codes)
        self.custom_ids = [f"kg:{number}:{number}:{code}" for number, code in enumerate(self.spelled)]

    def _play(self, start: state.State) -> None:
        position, played = start, list[tuple[int, str]]()
        while (seat := position.to_move) is not None:
            legal = rules.legal(position, seat)
            self.codes.update(map(actions.code, legal))
            chosen = apprentice.choose(rules.view(position, seat), legal)
            played.append((seat, actions.code(chosen)))
            position, _ = rules.apply(position, chosen)
            if len(played) % 20 == 1:
                self.states.append(state.encode(position))
        self.states.append(state.encode(position))
        self.transcripts.append(transcript.write(start, played, position))
