"""The legal actions grouped as a person thinks of them: which card, where, with which Brush.

A :class:`Choice` is offered by a select, a button or an autocomplete alike; its value is the code of the
action, or the codes of several, in order, joined by commas. Nothing here decides what is legal: the lists
are cut from what ``rules.legal`` says, and a planned painting begins with a legal step.

What is typed is compared with what is shown. So that nothing reads like its neighbour, each choice that can
be typed shows a number: a card's is that of My table, a place's that of the picture.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from discord import app_commands

from cogs.texts import WORDED, Words, folded, unaccented
from kanagawa.actions import (
    Action,
    Claim,
    Decline,
    MoveBrush,
    Paint,
    Pass,
    PlaceBrush,
    PutInStudio,
    Stay,
    Take,
    TakeDiploma,
    code,
    parse,
)
from kanagawa.cards import DIPLOMAS, Category
from kanagawa.errors import UnknownAction
from kanagawa.planning import Plan, plan
from kanagawa.state import Player, View

#: The longest label and description of a select's option, and label of an autocompleted choice.
MAX_TEXT = 100
#: Discord shows so many autocompleted choices; a question which one is meant lists no more.
MAX_SUGGESTIONS = 25
#: At most so many characters list what can be meant.
LISTED = 1500


class Choice(NamedTuple):
    """One thing a person can choose: the codes it stands for, what it is called, and what it means.

    ``number`` is the number that the label shows, such as ``3`` or ``2-5``; ``name`` is the label without it,
    and ``also`` another name that a person may type.
    """

    value: str
    label: str
    detail: str = ""
    number: str = ""
    name: str = ""
    also: str = ""

    @property
    def full(self) -> str:
        """Label and detail, uncut."""
        return f"{self.label} · {self.detail}" if self.detail else self.label

    @property
    def shown(self) -> str:
        """The choice on one line, as a suggestion shows it."""
        return fit(self.full)


def numbered(words: Words, number: str, value: str, name: str, detail: str = "", also: str = "") -> Choice:
    """A choice whose label begins with its number."""
    return Choice(value, words("numbered", number=number, name=name), detail, number, name, also)


def codes(actions: Iterable[Action]) -> str:
    """The value of a choice that stands for these actions, in order."""
    return ",".join(map(code, actions))


def columns(words: Words, view: View, legal: Iterable[Action]) -> list[Choice]:
    """Staying, and each column with the cards that lie in it (K2.2)."""
    found: list[Choice] = []
    for action in legal:
        match action:
            case Stay():
                found.append(Choice(code(action), words("stay"), words("stay-detail")))
            case Take(column):
                cards = view.columns[column - 1] or ()
                label = words("take", column=column)
                detail = _column(words, cards)
                found.append(Choice(code(action), label, detail, str(column), label))
            case _:
                pass
    return found


def _column(words: Words, cards: tuple[str, ...]) -> str:
    """What lies in a column: both halves of each card, or where that is too long what it shows."""
    if not cards:
        return words("column-empty")
    halves = ", ".join(words.halves(card) for card in cards)
    return halves if len(halves) <= MAX_TEXT else ", ".join(words.card(card) for card in cards)


def paintings(words: Words, view: View, legal: Iterable[Action]) -> list[Choice]:
    """What can be painted now (K3.2): for each card in hand the plan first, then every other way.

    A plan may place and move Brushes before it paints; its choice stands for all those actions.
    """
    me, legal = viewer(view), tuple(legal)
    ways: dict[str, list[tuple[Action, ...]]] = {card: [] for card in me.hand}
    for action in legal:
        if isinstance(action, Paint):
            ways[action.card].append((action,))
    planned: list[tuple[str, tuple[Action, ...]]] = []
    others: list[tuple[str, tuple[Action, ...]]] = []
    for card, direct in ways.items():
        best = plan(view, card)
        if not isinstance(best, Plan):
            continue
        first: tuple[Action, ...] = (*best.steps, best.paint)
        if first[0] not in legal:  # it could be painted, were it the time for it
            continue
        planned.append((card, first))
        others += [(card, way) for way in direct if way != first]
    return _paintings(words, me, planned + others)


def _paintings(words: Words, me: Player, ways: Sequence[tuple[str, tuple[Action, ...]]]) -> list[Choice]:
    """The ways to paint: ``2`` numbers the one way to paint card 2, ``2.1`` the first of several."""
    several, seen = Counter(card for card, _ in ways), Counter[str]()
    alike = Counter(map(words.card, me.hand))
    found: list[Choice] = []
    for card, steps in ways:
        seen[card] += 1
        number = _number(me, card) if several[card] == 1 else f"{_number(me, card)}.{seen[card]}"
        shown = words.card(card) if alike[words.card(card)] == 1 else words.print_half(card)
        detail = ", ".join(describe(words, me, step) for step in steps)
        found.append(numbered(words, number, codes(steps), words("paint", card=shown), detail))
    return found


def _number(me: Player, card: str) -> str:
    """The number that a card in hand has at the workbench."""
    return str(me.hand.index(card) + 1)


def describe(words: Words, me: Player, step: Action) -> str:
    """A step of a plan in words: place a Brush, move one, paint from these places."""
    match step:
        case PlaceBrush(place):
            return words("step-place", place=words.place(me, place))
        case MoveBrush(source, target):
            return words("step-move", source=words.place(me, source), target=words.place(me, target))
        case Paint(_, places):
            return words("step-paint", places=" + ".join(words.place(me, one) for one in places))
        case _:
            raise ValueError(f"no step of a plan: {step!r}")


def studio(words: Words, view: View, legal: Iterable[Action]) -> list[Choice]:
    """Which card may go to the Studio (K3.1), what it brings there, and what painting it would want."""
    me = viewer(view)
    found: list[Choice] = []
    for action in legal:
        if isinstance(action, PutInStudio):
            card = action.card
            name = words("studio", card=words.card(card))
            detail = words("studio-detail", studio=words.studio_half(card), wants=words.wants(card))
            found.append(numbered(words, _number(me, card), code(action), name, detail))
    return found


def brushes(words: Words, view: View, legal: Iterable[Action]) -> list[Choice]:
    """Every placing and moving of a Brush (K3.5), up to two hundred: for a filter, not for a list.

    They are numbered by their places, as the picture numbers these: ``3``, or ``2-3`` for a move.
    """
    me = viewer(view)
    found: list[Choice] = []
    for action in legal:
        match action:
            case PlaceBrush(place):
                number = str(place)
            case MoveBrush(source, target):
                number = f"{source}-{target}"
            case _:
                continue
        found.append(numbered(words, number, code(action), describe(words, me, action)))
    return found


def brushes_to_move(words: Words, view: View, legal: Iterable[Action]) -> list[Choice]:
    """Which Brush can be placed or moved (K3.5); the value is its place, or ``new`` for an unplaced one."""
    me = viewer(view)
    found: dict[str, Choice] = {}
    for action in legal:
        match action:
            case PlaceBrush():
                detail = words("brush-new-detail", count=me.unplaced)
                found["new"] = Choice("new", words("brush-new"), detail)
            case MoveBrush(source):
                painted = "brush-painted" if source in me.spent else "brush-fresh"
                label = words("brush-from", place=words.place(me, source))
                found[str(source)] = Choice(str(source), label, words(painted))
            case _:
                pass
    return list(found.values())


def targets(words: Words, view: View, legal: Iterable[Action], brush: str) -> list[Choice]:
    """Where one Brush can go: ``brush`` is what :func:`brushes_to_move` gave as its value."""
    me = viewer(view)
    found: list[Choice] = []
    for action in legal:
        match action:
            case PlaceBrush(place) if brush == "new":
                found.append(Choice(code(action), words("brush-to", place=words.place(me, place))))
            case MoveBrush(source, place) if brush == str(source):
                found.append(Choice(code(action), words("brush-to", place=words.place(me, place))))
            case _:
                pass
    return found


def diplomas(words: Words, legal: Sequence[Action]) -> list[Choice]:
    """The Diplomas to take (K4.1), or in solo to claim (O4), and then those to decline."""
    takes: list[tuple[Action, str]] = []
    declines: list[tuple[Action, str]] = []
    for action in legal:
        match action:
            case TakeDiploma(diploma):
                takes.append((action, words("diploma-take", diploma=words.diploma(diploma))))
            case Claim(diploma):
                takes.append((action, words("diploma-claim", diploma=words.diploma(diploma))))
            case Decline(category):
                count = sum(isinstance(one, TakeDiploma) and _category(one) is category for one in legal)
                text = words("diploma-decline", category=words.category(category), count=count)
                declines.append((action, text))
            case _:
                pass
    return [
        numbered(words, str(number), code(action), name)
        for number, (action, name) in enumerate(takes + declines, 1)
    ]


def _category(action: TakeDiploma) -> Category:
    return DIPLOMAS[action.diploma].category


def claimable(words: Words, legal: Iterable[Action]) -> list[str]:
    """Solo: a line that says which Diplomas can be claimed now (O4); nobody offers them."""
    claims = [words.diploma(one.diploma) for one in legal if isinstance(one, Claim)]
    return [words("claimable", diplomas=" · ".join(claims))] if claims else []


def ends(words: Words, legal: Iterable[Action]) -> list[Choice]:
    """Solo: to claim nothing more in the last decision (O6)."""
    label = words("pass", claimable=sum(isinstance(one, Claim) for one in legal))
    return [Choice(code(action), label) for action in legal if isinstance(action, Pass)]


def only(choices: Iterable[Choice], kind: str) -> list[Choice]:
    """Those choices whose code begins with this word, such as ``claim``."""
    return [choice for choice in choices if choice.value.split(".", 1)[0] == kind]


# What is typed --------------------------------------------------------------------------------------

_NUMBER = r"[+-]?\d+(?:[.-]\d+)*(?!\w)"
_TOKEN = re.compile(rf"{_NUMBER}|\w+")
_LEADING_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")


def matching(choices: Iterable[Choice], typed: str) -> list[Choice]:
    """What a typed text can mean: one choice where it is sure, several to be asked about, or none.

    A value, a number, a name, and a line in full are looked for first. A number alone means nothing but
    the number that is shown. Other texts mean the choices that show all of their words, or else parts.
    """
    choices, typed = list(choices), typed.strip()
    wanted = _read(typed)
    tokens = _tokens(wanted)
    number = _LEADING_ZEROS.sub("", tokens[0]) if tokens and _are_numbers(tokens[:1]) else ""
    alone = len(tokens) == 1 and number
    found = [
        one
        for one in choices
        if typed == one.value or (wanted and wanted in _spellings(one)) or (alone and number == one.number)
    ]
    if found or not tokens or _is_value(typed):
        return found
    if _are_numbers(tokens):
        begun = [one for one in choices if one.number.replace("-", ".").split(".")[0] == number]
        return begun if alone and len(begun) > 1 else []
    for whole in (True, False):
        for simple in (_as_it_is, unaccented):
            searched = _tokens(simple(wanted))
            if found := [one for one in choices if _says(simple(_read(one.full)), searched, whole=whole)]:
                return found
    return []


def suggestions(choices: Iterable[Choice], typed: str) -> list[app_commands.Choice[str]]:
    """What Discord is to suggest while a person types: all before anything is typed."""
    choices, wanted = list(choices), _read(typed)
    found = matching(choices, typed) if wanted else choices
    if not found and _are_numbers([wanted]):
        found = [one for one in choices if one.number.startswith(wanted)]
    return [app_commands.Choice(name=one.shown, value=one.value) for one in found[:MAX_SUGGESTIONS]]


def listed(choices: Iterable[Choice], escape: Callable[[str], str] = str) -> str:
    """The choices line by line, for the question which one is meant."""
    lines: list[str] = []
    room = LISTED
    for number, one in enumerate(choices):
        line = f"- {escape(one.shown)}"
        room -= len(line) + 1
        if room < 0 or number == MAX_SUGGESTIONS:
            lines.append("…")
            break
        lines.append(line)
    return "\n".join(lines)


def _spellings(choice: Choice) -> set[str]:
    """All that a person can copy from what shows a choice."""
    texts = (choice.label, fit(choice.label), choice.full, choice.shown)
    return {_read(one) for one in (*texts, choice.number, choice.name, choice.also) if one}


@lru_cache(maxsize=WORDED)
def _read(text: str) -> str:
    """Return a text folded, with the digits of any script as those that are shown."""
    return _OTHER_DIGIT.sub(lambda one: str(unicodedata.decimal(one[0])), folded(text))


def _tokens(text: str) -> list[str]:
    """The words, numbers and pictographs of a folded text."""
    return [*_TOKEN.findall(text), *(one for one in text if unicodedata.category(one) == "So")]


def _are_numbers(tokens: Sequence[str]) -> bool:
    return all(re.fullmatch(_NUMBER, one) for one in tokens)


def _says(text: str, wanted: Sequence[str], *, whole: bool) -> bool:
    """Whether a text says all that is wanted, in whole words or in parts; numbers are always whole."""
    there = set(_tokens(text))
    return all(one in there or (not whole and not _are_numbers([one]) and one in text) for one in wanted)


def _as_it_is(text: str) -> str:
    return text


def _is_value(typed: str) -> bool:
    """Whether this is the value of something that is, or was, suggested: it is never looked for in texts."""
    if typed.startswith("?"):
        return True
    try:
        return "." in typed and bool([parse(one) for one in typed.split(",")])
    except UnknownAction:
        return False


def viewer(view: View) -> Player:
    """The player whose view it is. Raises ValueError for the public's."""
    if view.seat is None:
        raise ValueError("the public has no hand")
    return view.players[view.seat]


def fit(text: str) -> str:
    """The text, shortened with an ellipsis where Discord would refuse it."""
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
