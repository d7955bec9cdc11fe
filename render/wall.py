"""The wall: the panels of all seats in one picture."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from kanagawa.scoring import score
from kanagawa.state import Mode, View
from render import icons
from render.canvas import BOARDS, SPRITES, Board, Box, cloth, weave
from render.colours import reduced
from render.ink import Pen
from render.lettering import text
from render.palette import GOLD_LIGHT, PAPER_LIGHT
from render.panel import Facts, facts, layout, panel_image, seal_image

_GAP = 6
_SMALL = 0.5


class Slot(NamedTuple):
    """A panel on the wall: its box in units of the wall, its contents, and its size (1 is full size)."""

    box: Box
    shown: Facts
    size: float


class Layout(NamedTuple):
    """The boxes of the wall, of its panels, and of the table of scores if there is room for it."""

    board: Box
    slots: tuple[Slot, ...]
    scores: Box | None


def arrange(view: View, since: View | None = None) -> Layout:
    """Arrange two panels one above the other, three or four in quarters, in solo a large and a small one."""
    seats = len(view.players)
    solo = view.mode is Mode.OSAHITO
    small = seats > 2
    shown = [facts(view, seat, since, compact=small or (solo and seat == 1)) for seat in range(seats)]
    boxes = [layout(one).board for one in shown]
    if solo:
        return _large_and_small(shown, boxes)
    return _quarters(shown, boxes) if small else _stacked(shown, boxes)


def _stacked(shown: list[Facts], boxes: list[Box]) -> Layout:
    """Put the panels one above the other, at full size."""
    wide = max(box.w for box in boxes)
    slots: list[Slot] = []
    y = 0.0
    for one, box in zip(shown, boxes, strict=True):
        slots.append(Slot(Box((wide - box.w) / 2, y, box.w, box.h), one, 1))
        y += box.h + _GAP
    return Layout(Box(0, 0, wide, y - _GAP), tuple(slots), None)


def _large_and_small(shown: list[Facts], boxes: list[Box]) -> Layout:
    """Put the player's panel at full size above, Osahito's at half size below, beside the scores."""
    large, other = boxes
    small = Box(0, 0, other.w * _SMALL, other.h * _SMALL)
    slots = (
        Slot(large, shown[0], 1),
        Slot(Box(large.w - small.w, large.h + _GAP, small.w, small.h), shown[1], _SMALL),
    )
    scores = Box(0, large.h + _GAP, large.w - small.w - _GAP, small.h)
    return Layout(Box(0, 0, large.w, large.h + _GAP + small.h), slots, scores)


def _quarters(shown: list[Facts], boxes: list[Box]) -> Layout:
    """Put seats 0 and 1 above, 2 and 3 below; with three seats the scores fill the last quarter."""
    half = max(box.w for box in boxes) * _SMALL
    slots: list[Slot] = []
    y = 0.0
    for first in range(0, len(shown), 2):
        pair = range(first, min(first + 2, len(shown)))
        for column, seat in enumerate(pair):
            box = boxes[seat]
            x = column * (half + _GAP) + (half - box.w * _SMALL) / 2
            slots.append(Slot(Box(x, y, box.w * _SMALL, box.h * _SMALL), shown[seat], _SMALL))
        y += max(boxes[seat].h for seat in pair) * _SMALL + _GAP
    wide = 2 * half + _GAP
    free = slots[-1].box
    scores = Box(half + _GAP, free.y, half, free.h) if len(shown) == 3 else None
    return Layout(Box(0, 0, wide, y - _GAP), tuple(slots), scores)


def shown(view: View, since: View | None) -> Hashable:
    """Return the part of a view that the wall shows, as the key for the cache."""
    return tuple(facts(view, seat, since) for seat in range(len(view.players)))


def draw(view: View, since: View | None, scale: float) -> Board:
    """Draw the wall of a view, in the fixed colours."""
    places = arrange(view, since)
    wide, high = places.board.w, places.board.h
    ground = BOARDS.get(("ground", wide, high, scale), lambda: reduced(weave(wide, high, scale)))
    board = Board(wide, high, scale, ground)
    if places.scores:
        scored = Board(wide, high, scale, cloth(wide, high, scale))
        _draw_scores(scored, view, places.scores)
        board.image = reduced(scored.image)
    for slot in places.slots:
        board.paste(panel_image(slot.shown, scale * slot.size), slot.box.x, slot.box.y)
    return board


# ------------------------------------------------------------------------------------ the table of scores


def score_parts(view: View, seat: int) -> tuple[tuple[str, Callable[[Pen, float], None], int], ...]:
    """Return the parts of a seat's score (K5.5, O8), each as a name, a sign and the points."""
    points = score(view)[seat]
    osahito = view.mode is Mode.OSAHITO and seat == 1
    parts: list[tuple[str, Callable[[Pen, float], None], int]] = [
        ("print", icons.picture_sign, points.print),
        (
            f"run-{points.run_season}",
            lambda pen, radius: icons.run_sign(pen, points.run_season, radius),
            points.season,
        ),
        ("harmony", lambda pen, radius: icons.harmony_sign(pen, radius), points.harmony),
        ("scroll", icons.scroll_sign, points.diplomas),
    ]
    if osahito:
        parts.append(("hand-and-assistant", icons.hand_and_assistant, points.symbols))
    else:
        parts.append(("master", icons.grand_master_pawn, points.grand_master))
    return tuple(parts)


def _draw_scores(board: Board, view: View, box: Box) -> None:
    """Draw one line for each seat: its crest, the parts of its score and the total."""
    lines = len(view.players)
    high = min(76.0, (box.h - 12) / lines)
    top = box.y + (box.h - high * lines) / 2
    for seat in range(lines):
        draw_score_line(board, view, seat, Box(box.x + 8, top + seat * high, box.w - 16, high - 6))


def draw_score_line(board: Board, view: View, seat: int, box: Box, *, lit: bool = False) -> None:
    """Draw a seat's crest, the parts of its score and the seal with the total; ``lit`` adds a gold ring."""
    middle = box.y + box.h / 2
    side = min(box.h, box.w * 0.13)
    radius = side / 2.3
    x = box.x + radius * 1.2
    board.sign(("crest", seat), x, middle, radius, lambda pen: icons.crest(pen, seat, radius))
    parts = score_parts(view, seat)
    left = x + radius * 1.4
    step = (box.right - side - left - 2) / len(parts)
    size = min(step * 0.23, box.h * 0.4)
    for at, (name, draw_part, points) in enumerate(parts):
        x = left + at * step
        board.sign(("part", name), x + size * 1.1, middle, size, lambda pen, d=draw_part: d(pen, size))
        shown = str(points).replace("-", "−")
        text(board.pen(), x + size * 2.3, middle, shown, "number", size * 1.8, PAPER_LIGHT, align="l")
    total = score(view)[seat].total
    seal = SPRITES.get(("seal", total, side, board.scale), lambda: seal_image(total, side, board.scale))
    board.centre(seal, box.right - side / 2, middle)
    if lit:
        around = Box(box.right - side - 3, middle - side / 2 - 3, side + 6, side + 6)
        board.plate(around, None, 9, GOLD_LIGHT, 2.4)
