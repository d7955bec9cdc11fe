"""What is typed means what is shown, or asks; and what is offered side by side reads differently."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from discord import ui
from hypothesis import given, settings
from hypothesis import strategies as st

import bot
from cogs import choices, souvenirs
from cogs.board import board
from cogs.choices import MAX_SUGGESTIONS, MAX_TEXT, Choice, listed, matching, suggestions
from cogs.controls import Control
from cogs.play import _columns, _diplomas, _seats
from cogs.texts import Words, folded
from cogs.workbench import Seen, Step, bench
from kanagawa import rules
from kanagawa.cards import CARDS
from kanagawa.state import Mode, State, View
from tests.discord.test_play_layouts import states

WORDS = Words("en", ("1", "ann", "ann", "take.1"))
LISTINGS = (choices.studio, choices.paintings, choices.brushes, _columns, _diplomas)
TABLES = [(2, Mode.TABLE), (3, Mode.TABLE), (4, Mode.TABLE), (2, Mode.OSAHITO)]
ORDERED = ("take.1",)
DEVANAGARI = str.maketrans("0123456789", "०१२३४५६७८९")


def turns(seed: int, every: int = 1) -> Iterator[tuple[State, View, Sequence[Any]]]:
    """Some states of a random game, as whoever is to move sees them."""
    seats, mode = TABLES[seed % len(TABLES)]
    for number, state in enumerate(states(seed, seats, mode, sensible=seed % 3 == 0)):
        if state.to_move is not None and number % every == seed % every:
            yield state, rules.view(state, state.to_move), rules.legal(state, state.to_move)


def check_typed(offered: Sequence[Choice]) -> None:
    """What each choice shows does that choice or asks, and never does another."""
    assert len({one.value for one in offered}) == len(offered)
    assert len({folded(one.shown) for one in offered}) == len(offered)
    for one in offered:
        assert len(one.shown) <= MAX_TEXT
        for typed in (one.number, one.full, one.shown, one.value):
            assert matching(offered, typed) == [one], (typed, one)
            assert matching(offered, f" {typed.upper() if typed != one.value else typed} ") == [one]
        for typed in (f"{one.number}.", f"#{one.number}", f"0{one.number}", one.number.translate(DEVANAGARI)):
            assert matching(offered, typed) == [one], (typed, one)
        for typed in (one.name, one.detail, one.label, *one.label.split(), *one.detail.split()):
            meant = matching(offered, typed)
            assert one in meant or len(meant) != 1 or typed in (meant[0].number, meant[0].name), (typed, one)
    if len(offered) <= MAX_SUGGESTIONS:
        shown = suggestions(offered, "")
        assert [one.value for one in shown] == [one.value for one in offered]
        lines = listed(offered).splitlines()
        assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("seed", range(240))
def test_what_is_shown_beside_a_choice_does_that_choice(seed: int) -> None:
    """Over whole random games: the number, the line in full, the suggestion's text and its value."""
    for _, view, legal in turns(seed, every=31):
        for listing in LISTINGS:
            check_typed(listing(WORDS, view, legal))


@pytest.mark.parametrize("seed", range(40))
def test_the_number_at_the_workbench_is_the_number_of_the_card(seed: int) -> None:
    for _, view, legal in turns(seed):
        hand = choices.viewer(view).hand
        for listing, kind in ((choices.studio, "studio"), (choices.paintings, "print")):
            offered = listing(WORDS, view, legal)
            for number, card in enumerate(hand, 1):
                meant = matching(offered, str(number))
                own = [one for one in offered if f"{kind}.{card}" in one.value]
                assert meant == own, "its one way, or all of its ways to be asked about"


def rows(layout: ui.LayoutView) -> Iterator[list[tuple[str, str]]]:
    """What each select shows, and what its buttons show, as a person reads it."""
    buttons: list[tuple[str, str]] = []
    for one in layout.walk_children():
        item = one.item if isinstance(one, Control) else None
        if isinstance(item, ui.Select):
            yield [(option.label, option.description or "") for option in item.options]
        elif isinstance(item, ui.Button):
            buttons.append((str(item.emoji), item.label or ""))
    yield buttons


@pytest.mark.parametrize("seed", range(40))
def test_rows_that_stand_beside_each_other_read_differently(seed: int) -> None:
    for state, view, legal in turns(seed, every=11):
        ahead = bot.KANAGAWA.ahead(state, view.seat or 0)
        seen = Seen(1, 1, view, legal, True, True, ahead, ORDERED, "1-1")
        brushes = [one.value for one in choices.brushes_to_move(WORDS, view, legal)]
        steps = [Step(), *(Step(name, page) for name in ("paint", "studio", *brushes) for page in range(3))]
        layouts = [bench(WORDS, seen, step, "", ()) for step in steps]
        layouts.append(board(WORDS, 1, 1, rules.view(state, None), legal, (), ()))
        for layout in layouts:
            for texts in rows(layout):
                assert len(set(texts)) == len(texts)
                assert all(len(part) <= MAX_TEXT for text in texts for part in text)


def test_cards_that_look_alike_are_told_apart() -> None:
    """Pairs of cards with one picture and one Studio half differ in what they want, and in their number."""
    pairs = [
        (one, two)
        for one in CARDS
        for two in CARDS
        if one < two and WORDS.halves(one) == WORDS.halves(two) and WORDS.wants(one) != WORDS.wants(two)
    ]
    assert pairs
    for pair in pairs:
        lines = [words_of_card(one) for one in pair]
        assert lines[0] != lines[1]


def words_of_card(card: str) -> str:
    return WORDS("studio-detail", studio=WORDS.studio_half(card), wants=WORDS.wants(card))


# Small lists -----------------------------------------------------------------------------------------

CASTLE = Choice("studio.B01", "1 · a castle in winter", "ocean", "1", "a castle in winter")
STORM = Choice("studio.T02", "2 · a storm over the sea", "wants 1 ocean", "2", "a storm over the sea")
DEER = Choice(
    "studio.A03", "12 · a deer in autumn", "wants 2 mountains, Harmony −2", "12", "a deer in autumn"
)
HAND = [CASTLE, STORM, DEER]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1", [CASTLE]),
        ("2", [STORM]),
        ("2.", [STORM]),
        ("#2", [STORM]),
        ("02", [STORM]),
        ("２", [STORM]),  # of full width
        ("٢", [STORM]),
        ("٠١٢", [DEER]),
        ("٢ sea", [STORM]),
        ("٣", []),
        ("2" * 6000, []),
        ("2" + "\u0301" * 32, [STORM]),
        ("\u0301" * 32, []),
        ("12", [DEER]),
        ("3", []),
        ("B01", []),
        ("b0", []),
        ("studio.B01", [CASTLE]),
        ("studio.B02", []),
        ("STUDIO.B01", []),
        ("castle", [CASTLE]),
        ("CASTLE, winter", [CASTLE]),
        ("cas", [CASTLE]),
        ("sea", [STORM]),
        ("ocean", [CASTLE, STORM]),
        ("harmony −2", [DEER]),
        ("harmony -2", [DEER]),
        ("harmony +2", []),
        ("a", [CASTLE, STORM, DEER]),
        ("", []),
        ("\u200b", []),
        ("·", []),
        (".", []),
        ("1 2", []),
        ("1, 2", []),
        ("in", [CASTLE, DEER]),
        ("deer 2", [DEER]),
        ("deer 1", []),
    ],
)
def test_typed_texts(typed: str, meant: list[Choice]) -> None:
    assert matching(HAND, typed) == meant


def test_whole_words_come_before_parts() -> None:
    offered = [Choice("a.1", "the sea", "", "1"), Choice("a.2", "a season", "", "2")]
    assert matching(offered, "sea") == offered[:1]
    assert matching(offered, "seas") == offered[1:]


def test_an_old_suggestion_never_means_another_choice() -> None:
    """The value of a move that is not possible any more shares its words with one that is."""
    back = Choice("move.3.2", "3-2 · move place 3 to place 2", "", "3-2", "move place 3 to place 2")
    assert matching([back], "move.2.3") == []
    assert matching([back], "place.2") == []
    assert matching([back], "move 2 3") == [back], "as a text it says so"
    assert matching([back], "3-2") == matching([back], "3→2".replace("→", "–")) == [back]
    assert matching([back], "3") == matching([back], "2") == [], "a number that is shown beside nothing"


def test_a_number_that_begins_several_asks() -> None:
    ways = [Choice(f"print.T01.{n}", f"1.{n} · Paint", f"from {n}", f"1.{n}", "Paint") for n in range(1, 12)]
    assert matching(ways, "1") == ways
    assert matching(ways, "1.1") == ways[:1]
    assert matching(ways, "1.11") == ways[10:]
    assert [one.value for one in suggestions(ways, "1.1")] == ["print.T01.1"]
    assert [one.value for one in suggestions(HAND, "1")] == ["studio.B01"]


def test_accents_need_not_be_typed_and_tell_apart_where_they_are() -> None:
    jose, josé = Choice("?seat.0", "1 · jose", number="1", name="jose"), _player(2, "José")
    assert matching([jose, josé], "José") == [josé]
    assert matching([jose, josé], "Jose") == [jose]
    assert matching([josé], "jose") == matching([josé], "JOSE\u0301") == [josé]
    assert matching([_player(1, "Bjørn"), josé], "bjorn") == [_player(1, "Bjørn")]
    assert matching([_player(1, "が")], "か") == [], "another sound"


def _player(number: int, name: str) -> Choice:
    return Choice(f"?seat.{number - 1}", f"{number} · {name}", "", str(number), name)


# Players and past games ------------------------------------------------------------------------------


def test_two_of_one_name_are_asked_about_and_told_apart() -> None:
    seats = _seats(WORDS, rules.view(rules.new(1, 4), None))
    check_typed(seats)
    assert matching(seats, "ann") == seats[1:3]
    assert listed(seats[1:3]) == "- 2 · 🟦 ann\n- 3 · 🍀 ann"
    assert matching(seats, "🟦 ann") == matching(seats, "2") == seats[1:2]


def test_a_person_who_is_called_like_a_number_or_a_value() -> None:
    public = rules.view(rules.new(1, 2), None)
    seats = _seats(Words("en", ("ann", "1")), public)
    assert matching(seats, "1") == seats, "the number of the one, the name of the other"
    assert matching(seats, "2") == seats[1:]
    seats = _seats(Words("en", ("?seat.1", "ben")), public)
    assert matching(seats, "?seat.1") == seats
    assert matching(seats, "?seat.0") == seats[:1]
    assert matching(seats, "?seat.9") == []


NAMES = st.one_of(
    st.sampled_from(("1", "2", "ann", "Ann", "ánn", "a", "?seat.1", "take.1", "", "\u3164", "2 · ben", "🔴")),
    st.text(max_size=40),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(NAMES, min_size=2, max_size=4))
def test_players_of_any_names_are_offered_differently(names: list[str]) -> None:
    seats = _seats(Words("en", names), rules.view(rules.new(1, len(names)), None))
    assert len({folded(one.shown) for one in seats}) == len(seats)
    for one in seats:
        for typed in (one.number, one.full, one.shown, one.value, one.name, one.also):
            assert matching(seats, typed) == [one] or len(matching(seats, typed)) != 1, typed
        assert matching(seats, one.shown) == [one] or one.shown in names


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 10**17), st.lists(NAMES, min_size=2, max_size=4)), max_size=25))
def test_past_games_are_offered_differently(games: list[tuple[int, list[str]]]) -> None:
    over = list({game: _game(game, names) for game, names in games}.values())
    offered = souvenirs._choices(over)
    assert len({one.shown for one in offered}) == len(offered)
    for one in offered:
        assert len(one.shown) <= MAX_TEXT
        for typed in (one.number, one.full, one.shown, one.value):
            assert matching(offered, typed) == [one] or len(matching(offered, typed)) != 1, typed


_OVER = {
    seats: rules.view(list(states(seats, seats, Mode.TABLE, sensible=True))[-1], None) for seats in (2, 3, 4)
}


def _game(game: int, names: list[str]) -> Any:
    record = SimpleNamespace(locale="en")
    people = tuple(SimpleNamespace(name=name) for name in names)
    return SimpleNamespace(id=game, record=record, seats=people, view=lambda _: _OVER[len(names)])


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=120), st.integers(0, 2**32))
def test_any_text_means_some_of_what_is_offered(typed: str, seed: int) -> None:
    chance = random.Random(seed)
    offered = chance.sample(HAND, chance.randint(0, 3))
    assert all(one in offered for one in matching(offered, typed))
    assert len(suggestions(offered, typed)) <= len(offered)
