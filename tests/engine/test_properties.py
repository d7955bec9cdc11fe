"""Properties of every game, tested on random games and random states."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from kanagawa import actions, rules, transcript
from kanagawa.cards import (
    BRUSH_SUPPLY,
    CARDS,
    DIPLOMAS,
    FACE_UP,
    STORM_SUPPLY,
    Category,
    is_back,
)
from kanagawa.errors import GameFinished, IllegalAction, StateError
from kanagawa.events import (
    BrushGained,
    BrushMoved,
    BrushPlaced,
    DiplomaTaken,
    Event,
    GameEnded,
    GrandMasterPassed,
    Painted,
    PutInto,
    StormGained,
    Took,
)
from kanagawa.scoring import score
from kanagawa.state import Mode, Phase, Player, State, decode, encode
from tests.engine.hidden import hidden_cards, shuffled_secrets

GAMES = [(Mode.TABLE, 2), (Mode.TABLE, 3), (Mode.TABLE, 4), (Mode.OSAHITO, 2)]


def random_game(seed: int, mode: Mode, seats: int) -> list[tuple[State, actions.Action | None]]:
    """Return every state of a random game with the action taken in it; the last state has None."""
    state, chance = rules.new(seed, seats, mode), random.Random(seed)
    line: list[tuple[State, actions.Action | None]] = []
    while (seat := state.to_move) is not None:
        action = chance.choice(rules.legal(state, seat))
        line.append((state, action))
        state, _ = rules.apply(state, action)
    return [*line, (state, None)]


def every_action(state: State) -> list[actions.Action]:
    """Return many actions for the seat to move, legal or not: all kinds, for its cards and some others."""
    assert state.to_move is not None
    player = state.players[state.to_move]
    places = range(len(player.studio) + 2)
    cards = [*player.hand, "T01", "A18"]
    return [
        actions.STAY,
        actions.DONE,
        actions.PASS,
        *(actions.Take(column) for column in range(1, 5)),
        *map(actions.PutInStudio, cards),
        *(actions.Paint(card, (place,)) for card in cards for place in places),
        *(actions.Paint(card, pair) for card in cards for pair in combinations(places, 2)),
        *map(actions.PlaceBrush, places),
        *(actions.MoveBrush(a, b) for a in places for b in places),
        *map(actions.TakeDiploma, DIPLOMAS),
        *map(actions.Decline, Category),
        *map(actions.Claim, DIPLOMAS),
    ]


class AnyGame(RuleBasedStateMachine):
    """A game in which hypothesis chooses the actions; the invariants are checked after each."""

    state: State

    @initialize(seed=st.integers(0, 2**32), game=st.sampled_from(GAMES))
    def begin(self, seed: int, game: tuple[Mode, int]) -> None:
        """Begin a game of any kind."""
        self.state = rules.new(seed, game[1], game[0])

    @precondition(lambda self: self.state.to_move is not None)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        """Do any legal action."""
        assert self.state.to_move is not None
        legal = rules.legal(self.state, self.state.to_move)
        self.state, _ = rules.apply(self.state, data.draw(st.sampled_from(legal)))

    @precondition(lambda self: self.state.to_move is not None)
    @rule()
    def refuse_all_else(self) -> None:
        """Every action that is not legal is refused."""
        assert self.state.to_move is not None
        legal = rules.legal(self.state, self.state.to_move)
        for action in every_action(self.state):
            if action not in legal:
                with pytest.raises(IllegalAction):
                    rules.apply(self.state, action)

    @precondition(lambda self: self.state.to_move is None)
    @rule(action=st.sampled_from([actions.STAY, actions.DONE, actions.PASS, actions.Take(1)]))
    def nothing_more_after_the_end(self, action: actions.Action) -> None:
        """Every action is refused after the end."""
        with pytest.raises(GameFinished):
            rules.apply(self.state, action)

    @invariant()
    def cards_are_conserved(self) -> None:
        """Each card is in one place only: in the School, with a player, or in the deck."""
        state = self.state
        lying = [card for column in state.columns if column for card in column]
        owned = [card for player in state.players for card in (*player.print, *player.studio, *player.hand)]
        assert sorted([*lying, *owned, *state.deck[state.dealt :]]) == sorted(CARDS)

    @invariant()
    def tokens_are_conserved(self) -> None:
        """Brushes and Storm tokens stay within the supply; each Diploma is on display or held by one seat."""
        players = self.state.players
        assert sum(player.brushes for player in players) <= BRUSH_SUPPLY
        assert sum(player.storms for player in players) <= STORM_SUPPLY
        taken = [one for player in players for one in player.diplomas]
        assert sorted([*self.state.display, *taken]) == sorted(DIPLOMAS)
        for player in players:
            categories = [DIPLOMAS[one].category for one in player.diplomas]
            assert len(categories) == len(set(categories))
            assert set(player.spent) <= set(player.standing)
            assert len(set(player.standing)) == len(player.standing)

    @invariant()
    def somebody_can_act_until_the_end(self) -> None:
        """The seat to move has a legal action until the game is over; no other seat has one."""
        state = self.state
        if state.phase is Phase.OVER:
            assert state.to_move is None
        else:
            assert state.to_move is not None
            assert rules.legal(state, state.to_move)
        for seat in range(len(state.players)):
            if seat != state.to_move:
                assert rules.legal(state, seat) == ()

    @invariant()
    def state_is_read_back(self) -> None:
        """A state that is encoded and decoded is the same."""
        assert decode(encode(self.state)) == self.state


TestAnyGame = AnyGame.TestCase
TestAnyGame.settings = settings(
    max_examples=30,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),  # type: ignore[arg-type] (its metaclass omits deprecated members)
)


@pytest.mark.parametrize(("mode", "seats"), GAMES)
def test_every_legal_action_applies_and_has_one_spelling(mode: Mode, seats: int) -> None:
    """In random games ``apply`` accepts all legal actions, and ``parse`` reads back each ``code``."""
    for seed in range(3):
        for state, _ in random_game(seed, mode, seats)[::7]:
            if state.to_move is None:
                continue
            legal = rules.legal(state, state.to_move)
            assert len(set(legal)) == len(legal)
            for action in legal:
                after, events = rules.apply(state, action)
                assert after != state
                assert events
                assert actions.parse(actions.code(action)) == action


@given(st.text(max_size=20) | st.from_regex(r"[a-z]+(\.[A-Z0-9+a-z-]{1,4}){0,3}", fullmatch=True))
@settings(max_examples=300, deadline=None)
def test_a_text_is_an_action_only_in_its_one_spelling(text: str) -> None:
    """If ``parse`` accepts a text, ``code`` writes exactly that text again."""
    try:
        action = actions.parse(text)
    except actions.UnknownAction:
        return
    assert actions.code(action) == text


@pytest.mark.parametrize(
    "text",
    ["take.0", "take.5", "take.01", "take.1 ", "print.T08.5+2", "print.T08.2", "print.T02.1+2", "place.٣",
     "place.007", "studio.t01", "decline.", "claim.tree", "STAY", "move.1", "print.T08.2+2", "stay\n"],
)  # fmt: skip
def test_other_spellings_are_refused(text: str) -> None:
    """Each action has exactly one code: without leading zeros, foreign digits or another order of places."""
    with pytest.raises(actions.UnknownAction):
        actions.parse(text)


@pytest.mark.parametrize(("mode", "seats"), GAMES)
def test_a_view_tells_nothing_that_is_hidden(mode: Mode, seats: int) -> None:
    """K2.7: states that differ only in cards hidden from a viewer give the same view and legal actions."""
    chance, changed = random.Random(4), 0
    for seed in range(4):
        for state, _ in random_game(seed, mode, seats)[::5]:
            for viewer in (None, *range(seats)):
                other = shuffled_secrets(state, viewer, chance)
                changed += other != state
                assert rules.view(other, viewer) == rules.view(state, viewer)
                if viewer is not None:
                    assert rules.legal(other, viewer) == rules.legal(state, viewer)
    assert changed > 100


def test_a_view_has_no_card_that_its_viewer_may_not_know() -> None:
    """K2.7: the bytes of a view hold no ID of a card that its viewer may not know."""
    for state, _ in random_game(8, Mode.TABLE, 4)[::3]:
        for viewer in (None, 0, 1, 2, 3):
            bytes_ = msgspec.json.encode(rules.view(state, viewer)).decode()
            hidden = {*state.deck[state.dealt :], *hidden_cards(state, viewer)}
            assert not [card for card in hidden if f'"{card}"' in bytes_]


def derived(seats: int, mode: Mode, tiles: list[str], events: list[Event]) -> list[Player]:
    """Return the players as they can be worked out from the events alone."""
    players = [
        Player(tile=tile, unplaced=0 if mode is Mode.OSAHITO and seat else 2)
        for seat, tile in enumerate(tiles)
    ]

    def change(seat: int, **fields: Any) -> None:
        """Change some fields of a player."""
        players[seat] = replace(players[seat], **fields)

    for event in events:
        match event:
            case Painted(seat, card):
                change(seat, print=(*players[seat].print, card))
            case PutInto(seat, card):
                change(seat, studio=(*players[seat].studio, card))
            case BrushGained(seat):
                change(seat, unplaced=players[seat].unplaced + 1)
            case StormGained(seat):
                change(seat, storms=players[seat].storms + 1)
            case BrushPlaced(seat, place):
                change(seat, unplaced=players[seat].unplaced - 1, standing=(*players[seat].standing, place))
            case BrushMoved(seat, source, target):
                standing = tuple(target if one == source else one for one in players[seat].standing)
                change(seat, standing=standing)
            case DiplomaTaken(seat, diploma, returned):
                kept = tuple(one for one in players[seat].diplomas if one != returned)
                change(seat, diplomas=(*kept, diploma))
                bonus = DIPLOMAS[returned].bonus if returned else None
                if bonus == "storm":
                    change(seat, storms=players[seat].storms - 1)
                if bonus == "brush" and players[seat].unplaced:
                    change(seat, unplaced=players[seat].unplaced - 1)
            case _:
                pass
    return players


@pytest.mark.parametrize(("mode", "seats"), GAMES)
def test_events_tell_the_whole_game(mode: Mode, seats: int) -> None:
    """The events are enough to work out the score, and they show no hidden card (K2.7)."""
    for seed in range(6):
        line = random_game(seed, mode, seats)
        events: list[Event] = []
        for state, action in line[:-1]:
            assert action is not None
            _, happened = rules.apply(state, action)
            events += happened
            for event in happened:
                if isinstance(event, Took):
                    number, column = event.column, event.cards
                    assert all(is_back(card) != FACE_UP[row][number - 1] for row, card in enumerate(column))
        end, first = line[-1][0], line[0][0]
        players = derived(seats, mode, [player.tile for player in end.players], events)
        passed = [event.seat for event in events if isinstance(event, GrandMasterPassed)]
        told = replace(
            first, players=tuple(players), grand_master=passed[-1] if passed else first.grand_master
        )
        assert score(told) == score(end)
        assert events[-1] == GameEnded(tuple(one.total for one in score(end)), events[-1].winners)  # type: ignore[union-attr]


@pytest.mark.parametrize(("mode", "seats"), GAMES)
def test_transcripts_round_trip(mode: Mode, seats: int) -> None:
    """A game that is written as a transcript, read and replayed has the same start and scores."""
    line = random_game(11, mode, seats)
    played = [(state.to_move or 0, actions.code(action)) for state, action in line if action is not None]
    text = transcript.write(line[0][0], played, line[-1][0])
    read = transcript.read(text)
    assert read.start == line[0][0]
    assert transcript.replay(read) == transcript.result(line[-1][0]) != {}


@given(st.binary(max_size=60))
@settings(max_examples=200, deadline=None)
def test_other_bytes_are_no_state(data: bytes) -> None:
    """``decode`` raises StateError, and no other error, for bytes that are not a state."""
    with pytest.raises(StateError):
        decode(data)


def test_a_state_of_another_game_is_refused() -> None:
    """``decode`` refuses a state with cards, tiles or Diplomas that do not exist."""
    good = encode(rules.new(1))
    for old, new in ((b'"T01"', b'"Z01"'), (b'"S1"', b'"S9"'), (b'"tree-3"', b'"tree-9"')):
        assert old in good
        with pytest.raises(StateError):
            decode(good.replace(old, new))


def test_a_state_that_contradicts_itself_is_refused() -> None:
    """``decode`` refuses a state that names a missing seat, or that has no seat to act before the end."""
    good = decode(encode(rules.new(1)))
    for wrong in ({"queue": ()}, {"queue": (9,)}, {"stayed": (-1,)}, {"assistant": 7}, {"dealt": 99}):
        with pytest.raises(StateError):
            decode(encode(msgspec.structs.replace(good, **wrong)))
