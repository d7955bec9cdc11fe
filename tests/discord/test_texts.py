"""Every text is there, is used, fits where Discord shows it, and shows names as names."""

from __future__ import annotations

import ast
import random
import re
import sys
import unicodedata
from pathlib import Path
from typing import get_args

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Junk, Message, VariableReference
from fluent.syntax.visitor import Visitor
from hypothesis import given, settings
from hypothesis import strategies as st

import bot
from cogs import alt, guide, texts
from cogs.group import kanagawa
from cogs.texts import (
    CRESTS,
    LOCALES,
    NAME_LENGTH,
    Words,
    clean_name,
    escaped_name,
    folded,
    unaccented,
    visible,
)
from kanagawa import apprentice, errors, rules
from kanagawa.cards import CARDS, DIPLOMAS
from kanagawa.events import Event
from kanagawa.state import Mode
from table import errors as table_errors

ROOT = Path(bot.__file__).parent
SOURCES = [*(ROOT / "cogs").glob("*.py"), ROOT / "bot.py"]
NAMES = ("ann", "ben", "cleo", "dan")
WORDS = Words("en", NAMES)


def catalogue(locale: str = "en") -> dict[str, Message]:
    resource = FluentParser().parse((LOCALES / f"{locale}.ftl").read_text(encoding="utf-8"))
    junk = [entry.content for entry in resource.body if isinstance(entry, Junk)]
    assert not junk, f"not readable: {junk}"
    messages = [entry for entry in resource.body if isinstance(entry, Message)]
    assert len({one.id.name for one in messages}) == len(messages), "an ID stands there twice"
    return {one.id.name: one for one in messages}


class Variables(Visitor):
    """The names of the values that a text wants."""

    def __init__(self, message: Message) -> None:
        self.found: set[str] = set()
        self.visit(message)

    def visit_VariableReference(self, node: VariableReference) -> None:  # noqa: N802 (the name is its API)
        self.found.add(node.id.name)


def calls() -> list[tuple[str, ast.Call]]:
    """Every call that asks the catalogue for a text: the ID, or a pattern for it, and the call."""
    found: list[tuple[str, ast.Call]] = []
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and _asks(node.func):
                for pattern in _patterns(node.args[0]):
                    found.append((pattern, node))
    return found


def _asks(function: ast.expr) -> bool:
    match function:
        case ast.Name(id="words" | "_words" | "self" | "Refusal"):
            return True
        case ast.Call(func=ast.Name(id="words_for" | "Words")):
            return True
        case _:
            return False


def _patterns(argument: ast.expr) -> list[str]:
    match argument:
        case ast.Constant(value=str(text)):
            return [re.escape(text)]
        case ast.JoinedStr(values=parts):
            return [
                "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else "[^ ]+" for p in parts)
            ]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_patterns(body), *_patterns(orelse)]
        case _:
            return []


def every_error() -> list[type]:
    families = (errors.RuleError, errors.StateError, table_errors.TableError, table_errors.StoreError)
    found = list(families)
    for family in found:
        found += family.__subclasses__()
    return found


def test_every_text_asked_for_is_there() -> None:
    known = catalogue()
    missing = [pattern for pattern, _ in calls() if not any(re.fullmatch(pattern, name) for name in known)]
    assert not missing


def test_every_call_gives_the_values_that_its_text_wants() -> None:
    known = catalogue()
    patterns = {pattern for pattern, _ in calls()}
    by_name = {name for name in known if re.escape(name) in patterns}
    lacking: list[str] = []
    for pattern, call in calls():
        if any(keyword.arg is None for keyword in call.keywords):
            continue  # values passed on from elsewhere: events and refusals, which have tests of their own
        given = {keyword.arg for keyword in call.keywords}
        for name in known:
            if name in by_name and pattern != re.escape(name):
                continue  # such as score-line, which is no part of the score
            if re.fullmatch(pattern, name) and (wanted := Variables(known[name]).found - given):
                lacking.append(f"{name} wants {sorted(wanted)}, line {call.lineno}")
    assert not lacking


def test_no_text_is_there_for_nothing() -> None:
    patterns = {pattern for pattern, _ in calls()}
    constants = {
        node.value
        for source in SOURCES
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    used = constants | {error.id for error in every_error()}
    used |= {f"option-{one.name}-{name}" for one in kanagawa.walk_commands() for name in options(one)}
    unused = [
        name
        for name in catalogue()
        if name not in used and not any(re.fullmatch(pattern, name) for pattern in patterns)
    ]
    assert not unused


def options(command) -> list[str]:
    return [parameter.name for parameter in getattr(command, "parameters", ())]


@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.__name__)
def test_every_error_has_a_text(error: type) -> None:
    assert error.id in catalogue()
    assert WORDS(error.id)


def games():
    """The states of some whole games with what happened before each, solo games included."""
    for seed, seats, mode in (
        (1, 2, Mode.TABLE),
        (2, 3, Mode.TABLE),
        (3, 4, Mode.TABLE),
        (4, 2, Mode.OSAHITO),
    ):
        for random_play in (True, False):
            chance = random.Random(seed)
            state = rules.new(seed, seats, mode)
            while (seat := state.to_move) is not None:
                legal = rules.legal(state, seat)
                view = rules.view(state, seat)
                action = chance.choice(legal) if random_play else apprentice.choose(view, legal)
                state, events = rules.apply(state, action)
                yield state, seat, events


def test_every_event_has_a_text_that_reads_as_one_line(caplog: pytest.LogCaptureFixture) -> None:
    words = Words("en", ("ann", "ben", "cleo", "dan"))
    seen: set[type] = set()
    for state, _, events in games():
        for event in events:
            line = words.event(event, state.players)
            assert re.fullmatch(r"[^\n{]+", line)
            seen.add(type(event))
    assert seen == set(get_args(Event))
    assert not caplog.records


def test_alt_texts_fit_for_every_state_of_whole_games(caplog: pytest.LogCaptureFixture) -> None:
    for number, (state, seat, _) in enumerate(games()):
        if number % 7:
            continue
        view = rules.view(state, seat)
        told = [alt.school(WORDS, view), alt.wall(WORDS, view), alt.hand(WORDS, view)]
        told += [alt.diplomas(WORDS, view), *(alt.panel(WORDS, view, s) for s in range(len(view.players)))]
        assert all(0 < len(one) <= alt.LIMIT for one in told)
    assert not caplog.records


def test_an_alt_text_is_the_same_for_states_that_differ_only_in_what_is_hidden() -> None:
    state = rules.new(5, 3)
    hidden = state.deck[state.dealt :]
    swapped = next(
        (a, b) for a in range(len(hidden)) for b in range(a + 1, len(hidden)) if hidden[a][0] == hidden[b][0]
    )
    other = list(hidden)
    a, b = swapped
    other[a], other[b] = other[b], other[a]
    import msgspec

    twin = msgspec.structs.replace(state, deck=(*state.deck[: state.dealt], *other))
    for seat in (None, 0, 1, 2):
        one, two = rules.view(state, seat), rules.view(twin, seat)
        assert alt.school(WORDS, one) == alt.school(WORDS, two)


def test_the_hand_of_the_public_has_no_alt_text() -> None:
    with pytest.raises(ValueError, match="no hand"):
        alt.hand(WORDS, rules.view(rules.new(1), None))


def test_cards_and_diplomas_fit_into_the_labels_of_options() -> None:
    assert max(len(WORDS.card(card)) for card in CARDS) <= 40
    assert max(len(WORDS.print_half(card)) for card in CARDS) <= 80
    assert max(len(WORDS.whole(card)) for card in CARDS) <= 100
    assert max(len(WORDS.diploma(diploma)) for diploma in DIPLOMAS) <= 60
    assert len({WORDS.diploma(diploma) for diploma in DIPLOMAS}) == len(DIPLOMAS)


def test_labels_and_descriptions_fit_where_discord_shows_them() -> None:
    known = catalogue()
    for name in known:
        if Variables(known[name]).found:
            continue
        limit = 100 if name.startswith(("command-", "option-")) else None
        limit = 80 if name.startswith(("lobby-", "button-", "rules-")) and "label" in name else limit
        if limit:
            assert len(WORDS(name)) <= limit, name
    for code in ("join", "leave", "start", "cancel", "cancel-yes", "end-yes"):
        assert len(WORDS(f"lobby-{code}")) <= 80
    for name in [name for name in known if name.startswith("button-")]:
        assert len(WORDS(name, **dict.fromkeys(Variables(known[name]).found, 99))) <= 80


def test_the_pages_of_the_rules_and_of_help_are_short_enough_for_a_phone() -> None:
    pages = [
        guide.page_text(WORDS, book, page, guide.Facts("1.0", 1.0, 2, 3))
        for book in guide.BOOKS
        for page in range(len(guide.BOOKS[book]))
    ]
    assert all(300 < len(page) <= 1100 for page in pages), [len(page) for page in pages]


def test_help_tells_of_every_command_once() -> None:
    told = [command for page in guide.BOOKS["help"] for command in guide.COMMANDS[page]]
    assert sorted(told) == sorted(one.name for one in kanagawa.commands)


def test_every_language_has_the_same_texts_with_the_same_values() -> None:
    english = {name: Variables(one).found for name, one in catalogue().items()}
    for file in LOCALES.glob("*.ftl"):
        assert {name: Variables(one).found for name, one in catalogue(file.stem).items()} == english


def test_a_locale_without_a_catalogue_reads_english() -> None:
    assert texts.language("en-GB") == "en"
    assert texts.language("xx") == "en"
    assert texts.language("../../etc") == "en"


def test_an_unknown_text_is_an_error() -> None:
    with pytest.raises(LookupError):
        WORDS("no-such-text")


def test_the_seats_have_their_crests_and_the_last_of_solo_is_osahito() -> None:
    words = Words("en", ["ann"])
    assert words.seat(0) == f"{CRESTS[0]} **ann**"
    assert words.seat(1) == f"{CRESTS[1]} **Osahito**"
    assert Words("en", NAMES).both([0, 1, 2]).endswith("and 🍀 **cleo**")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("ann", "ann"),
        ("**bold**", r"\*\*bold\*\*"),
        ("a_b`c~d|e", r"a\_b\`c\~d\|e"),
        ("[x](http://y)", r"\[x\]\(http\://y\)"),
        ("<@123>", "\\<@123\\>"),
        ("two\nlines\t.", "two lines ."),
        ("\u202eevil\u200b", "evil"),
        ("\u200b\u2060", "?"),
        ("", "?"),
        ("x" * 60, "x" * (NAME_LENGTH - 1) + "…"),
    ],
)
def test_names_are_cleaned_escaped_and_shortened(raw: str, shown: str) -> None:
    assert escaped_name(raw) == shown


EMPTY = (
    "\u3164",
    "\u2800\u2800",
    "\u115f",
    "\u1160",
    "\uffa0",
    "\u200b\u200d\u2060",
    "\ufe0f",
    "\U000e0100",
    "\U000e0041\U000e007f",
    "\u202e\u2066",
    "\u0301\u20dd",
    "\u00a0\u3000",
    "\u180e\u180b",
    "\u17b4",
    "\U0001d159",
    "\ufffc",
    "\ue000",
    "\u061c",
    "\u034f",
    "\u3164\u0301\u2800",
)


@pytest.mark.parametrize("raw", EMPTY)
def test_a_name_that_looks_empty_reads_as_the_players_number(raw: str) -> None:
    words = Words("en", ("ann", raw))
    assert visible(raw) == ""
    assert words.seat(1) == f"{CRESTS[1]} **Player 2**"
    assert words.plain(1) == "Player 2"
    assert words.person(raw) == "A player without a name"
    assert words.person(raw, 3) == "Player 3"
    assert words.person("") == "a former player"


@given(st.text(max_size=12))
def test_every_name_has_something_to_be_seen(raw: str) -> None:
    for shown in (Words("en", (raw,)).plain(0), clean_name(raw)):
        assert any(unicodedata.category(one)[0] not in "CMZ" for one in shown)
        assert not {*shown} & {*"".join(EMPTY)} - {*"\ufe0f\U000e0100\u0301\u20dd"}


def test_emoji_in_names_keep_their_form() -> None:
    assert clean_name("❤\ufe0f ann") == "❤\ufe0f ann"


@settings(max_examples=2000)
@given(st.text())
def test_folding_once_is_enough(raw: str) -> None:
    assert folded(folded(raw)) == folded(raw)
    simple = unaccented(folded(raw))
    assert unaccented(simple) == simple


@pytest.mark.parametrize("unseen", ["\ue000", "\u3164", "\u200d", "\u0378", "\u2064"])
def test_what_is_left_when_the_unseen_is_gone_is_folded_too(unseen: str) -> None:
    assert folded(f"e{unseen}\u0301") == folded("É") == "é"


def test_folding_each_character_once_is_enough() -> None:
    for point in range(sys.maxunicode + 1):
        raw = chr(point)
        assert folded(folded(raw)) == folded(raw), hex(point)
        if not visible(raw) and not raw.isspace():
            assert folded(f"a{raw}") == folded("a") or unicodedata.category(raw)[0] == "M", hex(point)


@settings(max_examples=500)
@given(
    st.text(max_size=20), st.sampled_from(("\u200d", "\u200c", "\ufe0f", "\u3164", "\u00ad", "\U000e0020"))
)
def test_what_cannot_be_seen_makes_no_difference(raw: str, unseen: str) -> None:
    spaced = unseen.join(["", *raw, ""])
    assert folded(spaced) == folded(raw)
    assert folded(unicodedata.normalize("NFD", raw)) == folded(raw)


@given(st.text(max_size=80))
def test_no_name_breaks_a_line_or_pings_anybody(raw: str) -> None:
    shown = escaped_name(raw)
    assert re.fullmatch(r"[^\n]+", shown)
    assert not re.search(r"<@|<#|@everyone|@here|(?<!\\)[*_`~|]", shown)
    assert len(clean_name(raw)) <= NAME_LENGTH


def test_values_are_not_wrapped_in_isolating_marks() -> None:
    assert "\u2068" not in WORDS("list", first="a", last="b")
