"""My table: what one person sees in private, and the workbench where cards and Brushes are placed.

Pure: from a person's View and legal actions to the rows of a private message. The message is of the same
kind as the public one, for there a picture shows at full width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from discord import ButtonStyle, ui

from cogs import board, choices, orders
from cogs.controls import ASK, BENCH, UNDO, WANT_PAUSE, Control, Panel, Row, layout, picture, rows
from cogs.texts import Words
from kanagawa.actions import DONE, STAY, Action, TakeDiploma
from kanagawa.cards import CARDS, DIPLOMAS, Category
from kanagawa.counts import count_studio
from kanagawa.planning import Plan, WhyNot, plan
from kanagawa.state import Phase, View

#: How many characters of text tell what just happened.
NEWS_LENGTH = 1000


class Step(NamedTuple):
    """Where a person is at the workbench: which list is open, of which Brush, at which page.

    Spelled ``?bench.LIST.PAGE`` in custom IDs: nothing is remembered between two clicks.
    """

    open: str = ""
    page: int = 0

    @classmethod
    def parse(cls, text: str) -> Step:
        """The step a code or a select's value spells; the first step for anything else."""
        parts = text.split(".")
        if parts[0] != BENCH or len(parts) != 3 or not parts[2].isascii() or not parts[2].isdigit():
            return cls()
        return cls(parts[1], int(parts[2][:3]))

    def __str__(self) -> str:
        return f"{BENCH}.{self.open}.{self.page}"


class Seen(NamedTuple):
    """What the workbench is made from."""

    game: int
    version: int
    view: View
    legal: Sequence[Action]
    #: Whether the person may take back the last step by themselves.
    undoable: bool
    #: Whether they can ask the others to let them take it back.
    slip: bool = False
    #: What may be ordered ahead, what is ordered, and for which situation.
    ahead: Sequence[Action] = ()
    ordered: Sequence[str] = ()
    situation: str = ""
    #: Whether the person can ask for a pause of the game.
    pausable: bool = False


def pictures(view: View, step: Step) -> list[tuple[str, tuple[Any, ...]]]:
    """Which pictures a person needs here: the kinds of drawing with what they take beside the view."""
    assert view.seat is not None
    if step.open == DISPLAY:
        return [("diplomas", ())]
    hand = [("hand", ())] if view.players[view.seat].hand else []
    return [("panel", (view.seat,)), *hand]


#: Lists of the workbench that are no select of their own: the Diplomas on display.
DISPLAY = "display"
#: The list of targets of an unplaced Brush; that of a standing one is named by its place.
NEW_BRUSH = "new"


def bench(words: Words, seen: Seen, step: Step, note: str, shown: Sequence[tuple[str, str]]) -> ui.LayoutView:
    """The private message: news, pictures, the cards, and what can be done now.

    ``note`` tells what the last click did, ``shown`` are file name and alt text of the pictures.
    """
    view, legal = seen.view, seen.legal
    seat = view.seat
    assert seat is not None
    panel = Panel(seen.game, seen.version)
    box = ui.Container[Any](accent_colour=board.COLOURS[seat])
    if note:
        box.add_item(ui.TextDisplay(note))
    for filename, alt in shown:
        box.add_item(picture(filename, alt))
    told = _on_display(words, view) if step.open == DISPLAY else _situation(words, view, legal)
    box.add_item(ui.TextDisplay("\n".join(told)))
    if seen.slip and not step.open:
        box.add_item(ui.TextDisplay(words("bench-ask")))
    if seen.ordered:
        box.add_item(ui.TextDisplay(orders.told(words, view, seen.ordered)))
    for row in _controls(words, seen, step, panel):
        box.add_item(row)
    return layout(box)


def _situation(words: Words, view: View, legal: Sequence[Action]) -> Iterator[str]:
    """Whose turn it is, what the person holds, and for each card whether it can be painted."""
    me = choices.viewer(view)
    mine = view.to_move == view.seat
    if view.to_move is None:
        yield board.result(words, view)
        return
    if not mine:
        before = view.queue.index(view.seat) - 1 if view.seat in view.queue else -1
        yield words("bench-waiting", who=words.seat(view.to_move), before=before)
    elif view.offered:
        yield from _question(words, view, legal)
        return
    elif view.phase is Phase.TURN:
        yield words("bench-turn", cards=len(me.hand))
    elif view.phase is Phase.CHOICE:
        yield words("bench-choice", stay="yes" if STAY in legal else "no")
        for number, column in enumerate(view.columns, 1):
            if column is not None:
                cards = "; ".join(map(words.whole, column)) or words("column-empty")
                yield words("bench-column", column=number, cards=cards)
    else:
        yield words("bench-last")
    yield from choices.claimable(words, legal)
    studio = count_studio(me.tile, me.studio)
    yield words(
        "bench-means",
        unplaced=me.unplaced,
        standing=len(me.standing),
        arrows=studio.arrows - me.arrows_used,
        hands=studio.hands,
    )
    for number, card in enumerate(me.hand, 1):
        yield _card_line(words, view, number, card)
    if mine and view.phase is Phase.TURN and len(me.hand) > studio.hands:
        yield words("bench-too-many", keep=studio.hands, over=len(me.hand) - studio.hands)


def _on_display(words: Words, view: View) -> Iterator[str]:
    """What each Diploma on display asks for, by category (K1.4)."""
    for category in Category:
        if listed := [words.diploma(one) for one in view.display if DIPLOMAS[one].category is category]:
            yield words("bench-display", category=words.category(category), diplomas=" · ".join(listed))


def _card_line(words: Words, view: View, number: int, card: str) -> str:
    found = plan(view, card)
    how = _why_not(words, card, found) if isinstance(found, WhyNot) else _how(words, view, found)
    return words("bench-card", number=number, card=words.card(card), studio=words.studio_half(card), how=how)


def _how(words: Words, view: View, found: Plan) -> str:
    if not found.steps:
        return words("bench-ready")
    me = choices.viewer(view)
    return words("bench-plan", steps=", ".join(choices.describe(words, me, one) for one in found.steps))


def _why_not(words: Words, card: str, why: WhyNot) -> str:
    return words(
        f"lack-{why.lack}",
        needed=why.needed,
        present=why.present,
        landscape=words.landscape(CARDS[card].print_landscape, why.needed),
    )


def _question(words: Words, view: View, legal: Sequence[Action]) -> Iterator[str]:
    """The Diplomas offered: what each gives, and that declining is for good (K4.1)."""
    yield words("bench-offer")
    offered = [one for one in legal if isinstance(one, TakeDiploma)]
    for number, one in enumerate(offered, 1):
        yield words("bench-offer-line", number=number, diploma=words.diploma(one.diploma))
    yield words("bench-offer-declining")


# Controls --------------------------------------------------------------------------------------------


def _controls(words: Words, seen: Seen, step: Step, panel: Panel) -> Iterator[Row]:
    view, legal = seen.view, seen.legal
    if step.open == DISPLAY:
        yield Row(panel.button(str(Step()), words("button-back"), emoji="↩️"))
        return
    brush = choices.targets(words, view, legal, step.open) if step.open else []
    if brush:
        yield panel.select(step.open, words("pick-target"), brush, page=step.page, more=words("more"))
        yield Row(panel.button(str(Step()), words("button-back"), emoji="↩️"))
        return
    yield from _selects(words, seen, step, panel)
    if more := orders.offered(words, seen.view, seen.ahead, seen.ordered, seen.situation):
        yield panel.select("order", words("pick-order-next" if seen.ordered else "pick-order"), more)
    yield from rows(_buttons(words, seen, panel))


def _selects(words: Words, seen: Seen, step: Step, panel: Panel) -> Iterator[Row]:
    view, legal = seen.view, seen.legal
    if not legal:
        return
    brushes = [
        one._replace(value=str(Step(one.value))) for one in choices.brushes_to_move(words, view, legal)
    ]
    for name, offered in (
        ("paint", choices.paintings(words, view, legal)),
        ("studio", choices.studio(words, view, legal)),
        ("brush", brushes),
        ("claim", choices.only(choices.diplomas(words, legal), "claim")),
    ):
        if offered:
            page = step.page if step.open == name else 0
            yield panel.select(name, words(f"pick-{name}"), offered, page=page, more=words("more"))


def _buttons(words: Words, seen: Seen, panel: Panel) -> Iterator[Control]:
    view, legal = seen.view, seen.legal
    yield from board.choice_buttons(words, view, legal, panel)
    for one in choices.diplomas(words, legal):
        kind = one.value.split(".", 1)[0]
        if kind == "diploma":
            yield panel.button(one.value, one.name, style=ButtonStyle.success, emoji="🏅")
        elif kind == "decline":
            yield panel.button(one.value, one.name, style=ButtonStyle.danger)
    if view.phase is Phase.TURN and legal and not view.offered:
        may = DONE in legal
        kept = len(choices.viewer(view).hand) if may else 0
        label = words("button-done", kept=kept)
        yield panel.button("done", label, style=ButtonStyle.success, emoji="✅", disabled=not may)
    if seen.undoable:
        yield panel.button(UNDO, words("button-undo"), emoji="↩️")
    if seen.slip:
        yield panel.button(ASK, words("button-ask"), emoji="🙏")
    if seen.ordered:
        yield panel.button(orders.spelled(seen.situation), words("button-withdraw"), emoji="✖️")
    if seen.pausable:
        yield panel.button(WANT_PAUSE, words("button-pause"), emoji="⏸️")
    yield panel.button(str(Step(DISPLAY)), words("button-display"), emoji="🏅")
    yield panel.button(str(Step()), words("button-refresh"), emoji="🔄")
