"""The legal actions grouped as a person thinks of them: which card, where, with which Brush.

A :class:`Choice` is offered by a select, a button or an autocomplete alike; its value is the code of the
action, or the codes of several, in order, joined by commas. Nothing here decides what is legal: the lists
are cut from what ``rules.legal`` says, and a planned painting begins with a legal step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cogs.texts import Words
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
)
from kanagawa.cards import DIPLOMAS, Category
from kanagawa.planning import Plan, plan
from kanagawa.state import Player, View

#: The longest label and description of a select's option, and label of an autocompleted choice.
MAX_TEXT = 100


class Choice(NamedTuple):
    """One thing a person can choose: the codes it stands for, what it is called, and what it means."""

    value: str
    label: str
    detail: str = ""


def codes(actions: Iterable[Action]) -> str:
    """The value of a choice that stands for these actions, in order."""
    return ",".join(map(code, actions))


def columns(words: Words, view: View, legal: Iterable[Action]) -> list[Choice]:
    """Staying, and each column with the cards that lie in it (K2.2)."""
    found: list[Choice] = []
    for action in legal:
        match action:
            case Stay():
                found.append(_choice(action, words("stay"), words("stay-detail")))
            case Take(column):
                cards = view.columns[column - 1] or ()
                label = words("take", column=column)
                found.append(_choice(action, label, _column(words, cards)))
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
    planned: list[Choice] = []
    others: list[Choice] = []
    for card, direct in ways.items():
        best = plan(view, card)
        if not isinstance(best, Plan):
            continue
        first: tuple[Action, ...] = (*best.steps, best.paint)
        if first[0] not in legal:  # it could be painted, were it the time for it
            continue
        planned.append(_painting(words, me, card, first))
        others += [_painting(words, me, card, way) for way in direct if way != first]
    return planned + others


def _painting(words: Words, me: Player, card: str, steps: tuple[Action, ...]) -> Choice:
    return Choice(
        codes(steps),
        fit(words("paint", card=words.card(card))),
        fit(", ".join(describe(words, me, step) for step in steps)),
    )


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
    """Which card may go to the Studio (K3.1), and what it brings there."""
    return [
        _choice(action, words("studio", card=words.card(action.card)), words.studio_half(action.card))
        for action in legal
        if isinstance(action, PutInStudio)
    ]


def brushes(words: Words, view: View, legal: Iterable[Action]) -> list[Choice]:
    """Every placing and moving of a Brush (K3.5), up to two hundred: for a filter, not for a list."""
    me = viewer(view)
    return [
        Choice(code(action), fit(describe(words, me, action)))
        for action in legal
        if isinstance(action, PlaceBrush | MoveBrush)
    ]


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
                label = fit(words("brush-from", place=words.place(me, source)))
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
                found.append(_choice(action, words("brush-to", place=words.place(me, place))))
            case MoveBrush(source, place) if brush == str(source):
                found.append(_choice(action, words("brush-to", place=words.place(me, place))))
            case _:
                pass
    return found


def diplomas(words: Words, legal: Sequence[Action]) -> list[Choice]:
    """The Diplomas to decide on: to take or decline (K4.1), or in solo to claim (O4)."""
    found: list[Choice] = []
    for action in legal:
        match action:
            case TakeDiploma(diploma):
                found.append(_choice(action, words("diploma-take", diploma=words.diploma(diploma))))
            case Claim(diploma):
                found.append(_choice(action, words("diploma-claim", diploma=words.diploma(diploma))))
            case Decline(category):
                count = sum(isinstance(one, TakeDiploma) and _category(one) is category for one in legal)
                text = words("diploma-decline", category=words.category(category), count=count)
                found.append(_choice(action, text))
            case _:
                pass
    return found


def _category(action: TakeDiploma) -> Category:
    return DIPLOMAS[action.diploma].category


def claimable(words: Words, legal: Iterable[Action]) -> list[str]:
    """Solo: a line that says which Diplomas can be claimed now (O4); nobody offers them."""
    claims = [words.diploma(one.diploma) for one in legal if isinstance(one, Claim)]
    return [words("claimable", diplomas=" · ".join(claims))] if claims else []


def ends(words: Words, legal: Iterable[Action]) -> list[Choice]:
    """Solo: to claim nothing more in the last decision (O6)."""
    label = words("pass", claimable=sum(isinstance(one, Claim) for one in legal))
    return [_choice(action, label) for action in legal if isinstance(action, Pass)]


def only(choices: Iterable[Choice], kind: str) -> list[Choice]:
    """Those choices whose code begins with this word, such as ``claim``."""
    return [choice for choice in choices if choice.value.split(".", 1)[0] == kind]


def matching(choices: Iterable[Choice], typed: str) -> list[Choice]:
    """The choices that what a person typed can mean.

    The value itself, or the label in full, means that one alone; else every word typed must be in the
    label or the detail.
    """
    choices = list(choices)
    wanted = typed.strip().casefold()
    exact = [one for one in choices if wanted in (one.value.casefold(), one.label.casefold())]
    if exact:
        return exact[:1]
    return [
        one
        for one in choices
        if all(word in f"{one.label} {one.detail} {one.value}".casefold() for word in wanted.split())
    ]


def viewer(view: View) -> Player:
    """The player whose view it is. Raises ValueError for the public's."""
    if view.seat is None:
        raise ValueError("the public has no hand")
    return view.players[view.seat]


def fit(text: str) -> str:
    """The text, shortened with an ellipsis where Discord would refuse it."""
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def _choice(action: Action, label: str, detail: str = "") -> Choice:
    return Choice(code(action), fit(label), fit(detail))
