"""The public message: the School, the wall, what just happened, whose turn it is, and the buttons.

Pure: from what everybody may know to a layout. Drawing and sending are the business of ``publish``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from discord import ButtonStyle, ui

from cogs import choices
from cogs.controls import (
    AGAIN,
    BACK,
    GO_ON,
    MOVE_ON,
    MY_TABLE,
    TAKE_OVER,
    WANT_PAUSE,
    Control,
    Panel,
    Row,
    layout,
    picture,
    rows,
)
from cogs.texts import CRESTS, Words
from kanagawa.actions import Action, Claim, Pass, Stay, Take
from kanagawa.cards import ROWS
from kanagawa.scoring import Score, score, winners
from kanagawa.state import Phase, View

#: The seats' colours, those of their crests in the text.
COLOURS = (0xDD2E44, 0x55ACEE, 0x78B159, 0xAA8ED6)

#: Of the 4000 characters of text that a message may hold, so many tell what happened.
LOG_LENGTH = 1800

_PARTS = ("print", "season", "harmony", "diplomas", "grand_master", "symbols")


class Seating(NamedTuple):
    """Until when the turn has time (epoch seconds), whether that is over, which seats are free, and whether
    somebody may come back to one of them."""

    deadline: float | None = None
    late: bool = False
    free: tuple[int, ...] = ()
    away: bool = False
    #: Which seats' people are away on purpose, and until when.
    absent: tuple[tuple[int, float], ...] = ()
    #: Until when the game is paused, and which seats' people want it to be.
    paused: float | None = None
    pausing: tuple[int, ...] = ()


#: A game without a limit in which everybody sits.
NOBODY_LEFT = Seating()


def _seated(words: Words, seating: Seating) -> Iterator[str]:
    if seating.paused is not None:
        yield words("turn-paused", until=f"<t:{int(seating.paused)}:f>")
    elif seating.pausing:
        yield words("turn-pausing", who=words.both(seating.pausing))
    if seating.deadline is not None:
        until = f"<t:{int(seating.deadline)}:R>"
        yield words("turn-deadline", until=until, late="yes" if seating.late else "no")
    for seat in seating.free:
        yield words("seat-free", who=words.seat(seat))
    for seat, until in seating.absent:
        yield words("seat-absent", who=words.seat(seat), until=f"<t:{int(until)}:f>")


def _seat_buttons(words: Words, seating: Seating, panel: Panel) -> Iterator[Control]:
    """In rows of their own, apart from what is played with."""
    if seating.paused is not None:
        yield panel.button(GO_ON, words("button-go-on"), emoji="▶️")
    elif seating.pausing:
        seats = "".join(map(str, seating.pausing))
        yield panel.button(f"{WANT_PAUSE}.{seats}", words("button-pause-agree"), emoji="⏸️")
        yield panel.button(GO_ON, words("button-pause-refuse"), emoji="✖️")
    if seating.late:
        yield panel.button(MOVE_ON, words("button-move-on"), emoji="⏭️")
    for seat in seating.free:
        label = words("button-take-over", who=f"{CRESTS[seat]} {words.plain(seat)}")
        yield panel.button(f"{TAKE_OVER}.{seat}", label, emoji="🪑")
    if seating.away:
        yield panel.button(BACK, words("button-back-again"), emoji="👋")


def board(
    words: Words,
    game: int,
    version: int,
    view: View,
    legal: Sequence[Action],
    happened: Sequence[str],
    shown: Sequence[tuple[str, str]],
    seating: Seating = NOBODY_LEFT,
    challenge: str = "",
) -> ui.LayoutView:
    """The message for a state of a game.

    ``view`` is the public's, ``legal`` the actions of whoever is to move, ``happened`` lines that tell
    what happened, oldest first, and ``shown`` the file name and the alt text of each picture. ``challenge``
    names the solo challenge that is played.
    """
    to_move = view.to_move
    assert to_move is not None
    box = ui.Container[Any](accent_colour=COLOURS[to_move])
    box.add_item(ui.TextDisplay(words("board-title", round=view.round, deck=view.deck)))
    for filename, alt in shown:
        box.add_item(picture(filename, alt))
    who = people(words, view)
    box.add_item(ui.TextDisplay(f"{who} · {challenge}" if challenge else who))
    if log := newest(happened, LOG_LENGTH):
        box.add_item(ui.TextDisplay(log))
    asked = (turn(words, view), *choices.claimable(words, legal), *_seated(words, seating))
    box.add_item(ui.TextDisplay("\n".join(asked)))
    panel = Panel(game, version)
    for row in _controls(words, view, legal, panel):
        box.add_item(row)
    for row in rows(_seat_buttons(words, seating, panel)):
        box.add_item(row)
    return layout(box)


def final(
    words: Words,
    view: View,
    shown: Sequence[tuple[str, str]],
    panel: Panel | None = None,
    card: str = "",
) -> ui.LayoutView:
    """The message for a game that is over: the winners, the scores, what remains of it.

    ``shown`` are its pictures and its transcript, ``card`` what a challenge has come to; with a panel it
    has a button to play again.
    """
    box = ui.Container[Any](accent_colour=COLOURS[winners(view)[0]])
    box.add_item(ui.TextDisplay(f"{words('board-title-over')}\n{result(words, view)}"))
    if card:
        box.add_item(ui.TextDisplay(card))
    for filename, alt in shown:
        file = ui.File[Any](f"attachment://{filename}") if filename.endswith(".json") else None
        box.add_item(file or picture(filename, alt))
    if panel is not None:
        box.add_item(Row(panel.button(AGAIN, words("button-again"), emoji="🔁")))
    return layout(box)


def ended(words: Words, view: View, reason: str, shown: Sequence[tuple[str, str]]) -> ui.LayoutView:
    """The message for a game that ended before its end: why, and the points so far."""
    box = ui.Container[Any]()
    box.add_item(ui.TextDisplay(words("board-title-over")))
    for filename, alt in shown:
        box.add_item(picture(filename, alt))
    box.add_item(ui.TextDisplay(f"{words('board-ended', reason=reason)}\n{breakdown(words, view)}"))
    return layout(box)


def people(words: Words, view: View) -> str:
    """Whose crest is which, for the pictures show no names."""
    return words("board-people", people=" · ".join(map(words.seat, range(len(view.players)))))


def turn(words: Words, view: View) -> str:
    """Whose turn it is, what is asked of them, and who chooses after them.

    That nobody may stay is known of a last row, an empty deck and whoever is alone (K2.4, K2.5, K5.2).
    """
    seat = view.to_move
    assert seat is not None
    who = words.seat(seat)
    if view.offered:
        return words("turn-diplomas", who=who)
    match view.phase:
        case Phase.CHOICE:
            must = view.row == ROWS or not view.deck or view.alone
            asked = words("turn-take" if must else "turn-choice", who=who)
        case Phase.TURN:
            asked = words("turn-place", who=who, cards=len(view.players[seat].hand))
        case _:
            asked = words("turn-last", who=who)
    if waiting := view.queue[1:]:
        return f"{asked}\n{words('turn-next', who=words.both(waiting))}"
    return asked


def result(words: Words, view: View) -> str:
    """The winners, and every score with its breakdown, the best first."""
    best = winners(view)
    head = words("result-won" if len(best) == 1 else "result-shared", who=words.both(best))
    return f"{head}\n{breakdown(words, view)}"


def breakdown(words: Words, view: View) -> str:
    """Each seat's points as they are now, the best first (K5.5, O8)."""
    scores = score(view)
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat].total, seat))
    return "\n".join(_line(words, seat, scores[seat]) for seat in order)


def _line(words: Words, seat: int, points: Score) -> str:
    optional = ("grand_master", "symbols")
    parts = [
        words(f"score-{part.replace('_', '-')}", points=getattr(points, part))
        for part in _PARTS
        if part not in optional or getattr(points, part)
    ]
    return words("score-line", who=words.seat(seat), total=points.total, parts=" · ".join(parts))


def newest(lines: Sequence[str], limit: int) -> str:
    """The last lines that fit into so many characters; what was left out shows as an ellipsis."""
    kept: list[str] = []
    room = limit
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            kept.append("…")
            break
        kept.append(line)
    return "\n".join(reversed(kept))


def choice_buttons(words: Words, view: View, legal: Sequence[Action], panel: Panel) -> Iterator[Control]:
    """Stay and one button for each column, as far as they are legal; in solo's last decision Pass."""
    for one in choices.columns(words, view, legal):
        style = ButtonStyle.secondary if one.value == "stay" else ButtonStyle.primary
        yield panel.button(one.value, one.label, style=style)
    unclaimed = bool(choices.claimable(words, legal))
    for one in choices.ends(words, legal):
        style = ButtonStyle.danger if unclaimed else ButtonStyle.success
        yield panel.button(one.value, one.label, style=style)


def offers_moves(legal: Sequence[Action]) -> bool:
    """Whether the public message offers moves; while cards are placed, only the workbench does."""
    return any(isinstance(one, Stay | Take | Claim | Pass) for one in legal)


def _controls(words: Words, view: View, legal: Sequence[Action], panel: Panel) -> Iterator[Row]:
    yield from rows(choice_buttons(words, view, legal, panel))
    if claims := choices.only(choices.diplomas(words, legal), "claim"):
        yield panel.select("claim", words("pick-claim"), claims)
    yield Row(panel.button(MY_TABLE, words("button-my-table"), emoji="🖌️"))
