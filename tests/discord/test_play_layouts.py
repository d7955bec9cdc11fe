"""The messages of playing keep Discord's limits and offer exactly what is legal, in every state of games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from discord import ui

import bot
from cogs import choices
from cogs.board import Seating, board, newest
from cogs.choices import MAX_SUGGESTIONS, Choice, matching, suggestions
from cogs.controls import BENCH, MAX_OPTIONS, Control, Panel, parse_custom_id
from cogs.play import _columns, _diplomas
from cogs.texts import Words
from cogs.workbench import Seen, Step, bench, pictures
from kanagawa import apprentice, rules
from kanagawa.actions import PASS, Claim, Decline, TakeDiploma, code, parse
from kanagawa.cards import Category
from kanagawa.state import Mode, State, View
from tests import strict

#: Every character of it is escaped: nothing is longer in Discord's text.
LONG = "_" * 40
WORDS = Words("en", [LONG] * 4)
CROWDED = Seating(1.8e9, True, (0, 1, 2, 3), True)
ORDERED = ("take.1", "take.2", "stay")
#: A version as long as any.
VERSION = 999_999_999
LISTINGS = (_columns, _diplomas, choices.studio, choices.paintings, choices.brushes)
SHOWN = [("school-1.png", "x" * 1024), ("wall-1.png", "y" * 1024)]


def states(seed: int, seats: int, mode: Mode, sensible: bool) -> Iterator[State]:
    """All states of one game, played by the apprentice or by chance."""
    state, chance = rules.new(seed, seats, mode), random.Random(seed)
    yield state
    while (seat := state.to_move) is not None:
        legal = rules.legal(state, seat)
        action = apprentice.choose(rules.view(state, seat), legal) if sensible else chance.choice(legal)
        state, _ = rules.apply(state, action)
        yield state


def check(layout: ui.LayoutView) -> list[Control]:
    """Check Discord's limits; the controls of the message."""
    payload = {"flags": strict.COMPONENTS_V2, "components": layout.to_components()}
    files = [strict.Upload(f"files[{number}]", name, 1) for number, (name, _) in enumerate(SHOWN)]
    strict.message(payload, files)
    assert layout.total_children_count <= 40
    assert layout.content_length() <= 4000
    controls = [one for one in layout.walk_children() if isinstance(one, Control)]
    ids = [one.custom_id for one in controls]
    assert len(set(ids)) == len(ids)
    for one in controls:
        assert len(one.custom_id) <= 100
        assert parse_custom_id(one.custom_id)
        if isinstance(one.item, ui.Select):
            values = [option.value for option in one.item.options]
            assert 1 <= len(values) <= MAX_OPTIONS
            assert len(set(values)) == len(values)
            for option in one.item.options:
                assert len(option.value) <= 100
                assert 0 < len(option.label) <= 100
                assert len(option.description or "") <= 100
        else:
            assert 0 < len(one.item.label or "") <= 80
    return controls


def offered(controls: list[Control]) -> Iterator[str]:
    """Everything that can be done by the controls, without what leads to another list."""
    for one in controls:
        if isinstance(one.item, ui.Select):
            yield from (option.value for option in one.item.options)
        elif not one.item.disabled:
            press = parse_custom_id(one.custom_id)
            assert press is not None
            yield press.code


@pytest.mark.parametrize(
    ("seats", "mode", "sensible"),
    [
        (2, Mode.TABLE, True),
        (4, Mode.TABLE, True),
        (3, Mode.TABLE, False),
        (2, Mode.OSAHITO, True),
        (2, Mode.OSAHITO, False),
    ],
)
def test_every_message_of_a_game_keeps_the_limits(seats: int, mode: Mode, sensible: bool) -> None:
    for state in states(11, seats, mode, sensible):
        if state.to_move is not None:
            legal = rules.legal(state, state.to_move)
            log = [f"{'z' * 200} {number}" for number in range(40)]
            view = rules.view(state, None)
            check(board(WORDS, 10**17, VERSION, view, legal, log, SHOWN, CROWDED, "c" * 100))
        for seat in range(seats if mode is Mode.TABLE else 1):
            view = rules.view(state, seat)
            legal = rules.legal(state, seat)
            seen = Seen(
                10**17, VERSION, view, legal, True, True, bot.KANAGAWA.ahead(state, seat), ORDERED, "1-1"
            )
            for step in (
                Step(),
                Step("display"),
                Step("new"),
                Step("1"),
                Step("paint", 1),
                Step("studio", 1),
            ):
                check(bench(WORDS, seen, step, "n" * 1060, SHOWN))
            for listing in LISTINGS:
                offers = suggestions(listing(WORDS, view, legal), "")
                assert len(offers) <= MAX_SUGGESTIONS
                answer = {"type": strict.SUGGESTIONS, "data": {"choices": [one.to_dict() for one in offers]}}
                strict.callback(answer, (), strict.Asked(strict.AUTOCOMPLETE, False))


@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.OSAHITO])
def test_the_workbench_offers_all_that_is_legal_and_nothing_else(mode: Mode) -> None:
    for state in states(5, 2, mode, sensible=False):
        if state.to_move is None:
            break
        view = rules.view(state, state.to_move)
        legal = {code(action) for action in rules.legal(state, state.to_move)}
        found = set(everything(Seen(1, 1, view, rules.legal(state, state.to_move), False)))
        assert {one for one in found if "," not in one} == legal
        for one in found - legal:  # plans: their steps are legal one after the other
            after = state
            for step in one.split(","):
                after, _ = rules.apply(after, parse(step))


def everything(seen: Seen) -> Iterator[str]:
    """All codes that can be reached from the first step of a workbench, by every list and page."""
    waiting, been = [Step()], set[Step]()
    while waiting:
        step = waiting.pop()
        been.add(step)
        for one in offered(check(bench(WORDS, seen, step, "", SHOWN))):
            if one.startswith(BENCH):
                if Step.parse(one) not in been:
                    waiting.append(Step.parse(one))
            else:
                yield one


def test_the_public_message_depends_on_nothing_hidden() -> None:
    """Law 3: two states that differ in a hidden hand give everybody the same message."""
    checked = 0
    for state in states(3, 3, Mode.TABLE, sensible=True):
        seat = state.to_move
        if seat is None or not state.players[seat].secret:
            continue
        other = swapped(state, seat)
        if other is None:
            continue
        checked += 1
        messages = [
            board(WORDS, 1, 1, rules.view(one, None), rules.legal(one, seat), (), SHOWN).to_components()
            for one in (state, other)
        ]
        assert messages[0] == messages[1]
    assert checked > 3


def swapped(state: State, seat: int) -> State | None:
    """The state with a secret card exchanged for one of the same back deeper in the deck."""
    from msgspec.structs import replace

    mine = state.players[seat].secret[0]
    deep = next((one for one in reversed(state.deck[state.dealt :]) if one[0] == mine[0]), None)
    if deep is None:
        return None
    change = {mine: deep, deep: mine}

    def changed(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(change.get(one, one) for one in cards)

    player = state.players[seat]
    player = replace(player, hand=changed(player.hand), secret=changed(player.secret))
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    return replace(state, deck=changed(state.deck), players=players)


# Small things ----------------------------------------------------------------------------------------


def test_a_long_list_is_paged_and_comes_round_again() -> None:
    many = [Choice(f"place.{number}", f"to {number}") for number in range(60)]
    seen: list[str] = []
    page = 0
    for _ in range(3):
        row = Panel(1, 1).select("new", "Where to?", many, page=page, more="More …")
        (control,) = row.children
        options: list[Any] = control.item.options  # type: ignore[attr-defined]
        assert len(options) <= MAX_OPTIONS
        seen += [one.value for one in options[:-1]]
        page = Step.parse(options[-1].value).page
    assert seen == [one.value for one in many]
    assert page == 0


def test_the_newest_lines_are_kept() -> None:
    assert newest(["a", "b"], 10) == "a\nb"
    assert newest(["aaaa", "bbbb", "cccc"], 11) == "…\nbbbb\ncccc"
    assert newest([], 10) == ""


@pytest.mark.parametrize("text", ["?bench", "?bench.x", "?bench.x.y", "?bench.x.²", "x", "?bench.a.b.c", ""])
def test_a_step_that_makes_no_sense_is_the_first(text: str) -> None:
    assert Step.parse(text) == Step()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("take.2", ["take.2"]),
        ("Take 2", ["take.2"]),
        ("monk", ["take.1", "take.2"]),
        ("winter MONK", ["take.1"]),
        ("", []),
        ("butterfly", []),
    ],
)
def test_what_is_typed_is_looked_for_in_what_is_offered(typed: str, meant: list[str]) -> None:
    offers = [Choice("take.1", "Take 1", "a monk in winter"), Choice("take.2", "Take 2", "a monk in autumn")]
    assert [one.value for one in matching(offers, typed)] == meant


def test_of_a_workbench_only_the_diplomas_show_no_own_picture() -> None:
    view: View = rules.view(rules.new(1, 2), 0)
    assert pictures(view, Step()) == [("panel", (0,))]
    assert pictures(view, Step("display")) == [("diplomas", ())]
    with pytest.raises(ValueError, match="no hand"):
        choices.viewer(rules.view(rules.new(1, 2), None))


def test_what_is_declined_is_named_as_one_or_as_many() -> None:
    """K4.1: one Diploma offered, and two of its group."""
    two = [TakeDiploma("tree-3"), TakeDiploma("tree-4"), Decline(Category.TREE)]
    assert "Decline this Diploma" in [one.name for one in choices.diplomas(WORDS, two[1:])]
    assert "Decline these tree Diplomas" in [one.name for one in choices.diplomas(WORDS, two)]
    assert "Take the Diploma: 3 trees: 3 points" in choices.diplomas(WORDS, two)[0].label


def test_alone_one_is_told_what_can_be_claimed_before_ending_the_game() -> None:
    """O4, O6: nobody offers a Diploma, and what is not claimed by the end is lost."""
    (said,) = choices.claimable(WORDS, [Claim("tree-3"), Claim("arrow-2"), PASS])
    assert "3 trees: 3 points" in said
    assert "2 Arrows: 1 point" in said
    assert choices.ends(WORDS, [Claim("tree-3"), PASS])[0].label == "End the game without claiming"
    assert choices.ends(WORDS, [PASS])[0].label == "End the game"
    assert choices.claimable(WORDS, [PASS]) == []
