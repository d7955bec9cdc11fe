"""Orders ahead: what a waiting player's own turn shall begin with. Private: only My table tells of them."""

from __future__ import annotations

from collections.abc import Sequence

from cogs import choices
from cogs.choices import Choice
from cogs.texts import Words
from kanagawa.actions import STAY, Action, code, parse
from kanagawa.state import View

#: The code of an order is ``?order.<situation>.<code>``: that code comes after what was ordered before;
#: without a code the order is withdrawn.
ORDER = "?order"


def spelled(situation: str, code: str = "") -> str:
    """The code with which one more choice is ordered, or all are withdrawn."""
    return f"{ORDER}.{situation}.{code}"


def read(spelling: str, ordered: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The situation, and the order that results where this was ordered before."""
    _, situation, code = (*spelling.split(".", 2), "", "")[:3]
    return situation, (*(one for one in ordered if one != code), code) if code else ()


def offered(
    words: Words, view: View, possible: Sequence[Action], ordered: Sequence[str], situation: str
) -> list[Choice]:
    """What can be ordered, or ordered next where the choices before it are gone."""
    # Staying is never gone, so nothing comes after it.
    found = [] if code(STAY) in ordered else choices.columns(words, view, possible)
    return [one._replace(value=spelled(situation, one.value)) for one in found if one.value not in ordered]


def told(words: Words, view: View, ordered: Sequence[str]) -> str:
    """An order in words: "Take 2, else stay, else ask me"."""
    labels = [one.label for one in choices.columns(words, view, [parse(code) for code in ordered])]
    return words("order-given", order=f"{words('order-else')} ".join(labels))
