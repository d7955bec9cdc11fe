"""A seat's panel: crest, Diplomas, tokens and score at the top, the Print below, the Studio at the bottom."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from PIL import Image

from kanagawa.cards import CARDS, START_TILES
from kanagawa.counts import count_studio
from kanagawa.rules import FULL_PRINT
from kanagawa.scoring import Score, score
from kanagawa.state import Mode, Phase, Player, View
from render import icons
from render.canvas import BOARDS, SPRITES, Board, Box, cloth, sprite
from render.card import print_strip
from render.colours import reduced
from render.ink import Pen, bezier, hexa, hills, mix, wood
from render.lettering import text, width
from render.palette import GOLD_LIGHT, INDIGO, KEY, PAPER_LIGHT
from render.ribbon import RIBBON_HEIGHT, pills, ribbon, shown_seasons
from render.scene import HORIZON, ridge
from render.tiles import (
    CARD_HEIGHT,
    CARD_WIDTH,
    SLIP_HEIGHT,
    SLIP_WIDTH,
    diploma_slip,
    mark_print,
    studio_half,
    whole_card,
)

MARGIN, CELL, PRINT_HEIGHT, ROW_GAP = 18, 120, 150, 9
_TRAY = hexa("#5B3D2A")
_PEAKS = (3, 8)  # the slots of the Print at which a peak is sketched on the bare silk
_SILK = mix(INDIGO, (150, 160, 170), 0.2)
_LIT = hexa("#F2C14E")
_FEWEST_FREE = 2  # the least number of free cells at the end of the Print that a hand needs


class Facts(NamedTuple):
    """Everything that a panel shows of one seat; equal facts give the same picture.

    ``lit`` is True if the seat is to act. ``grand_master`` and ``assistant`` say whether the seat holds
    them. ``new_print`` and ``new_studio`` are the numbers of cards to mark as new, from the end.
    ``compact`` asks for a higher header, because the panel will be shown small.
    """

    seat: int
    player: Player
    score: Score
    lit: bool
    solo: bool
    grand_master: bool
    assistant: bool
    new_print: int
    new_studio: int
    compact: bool


def facts(view: View, seat: int, since: View | None = None, *, compact: bool = False) -> Facts:
    """Return the facts for the panel of a seat.

    Cards placed since the earlier view ``since`` are new; without ``since``, the last card of the Print is.
    """
    player = view.players[seat]
    before = since.players[seat] if since else None
    solo = view.mode is Mode.OSAHITO
    over = view.phase is Phase.OVER
    return Facts(
        seat=seat,
        player=player,
        score=score(view)[seat],
        lit=not over and view.to_move == seat,
        solo=solo,
        grand_master=not solo and view.grand_master == seat,
        assistant=not solo and view.assistant == seat,
        new_print=len(player.print) - len(before.print) if before else min(1, len(player.print)),
        new_studio=len(player.studio) - len(before.studio) if before else 0,
        compact=compact,
    )


class Layout(NamedTuple):
    """The boxes of a panel, in units.

    ``prints`` and ``studio`` begin with the Start tile. ``empty`` are the free cells of the Print, and
    ``per_row`` is its number of cells in a row.
    """

    board: Box
    crest: Box
    diplomas: tuple[Box, ...]
    tokens: tuple[Box, ...]
    seal: Box
    ribbons: tuple[Box, ...]
    prints: tuple[Box, ...]
    empty: tuple[Box, ...]
    hand: tuple[Box, ...]
    studio: tuple[Box, ...]
    per_row: int

    def parts(self) -> tuple[Box, ...]:
        """Return all boxes that must not overlap. The cards of a hand may overlap, so they count as one."""
        hand = self.hand
        span = (Box(hand[0].x, hand[0].y, hand[-1].right - hand[0].x, hand[0].h),) if hand else ()
        return (
            self.crest,
            *self.diplomas,
            *self.tokens,
            self.seal,
            *self.ribbons,
            *self.prints,
            *span,
            *self.studio,
        )


class _Token(NamedTuple):
    """A sign in the header and the number beside it ("" for a pawn)."""

    name: str
    draw: Callable[[Pen, float], None]
    shown: str

    def width(self, size: float) -> float:
        """Return the width in units; at ``size`` 1 a sign is 34 units wide."""
        return (36 + (width(self.shown, "number", 27) + 4 if self.shown else 0)) * size


def _tokens(shown: Facts) -> list[_Token]:
    """Return the signs of the header from left to right; only Brushes and Arrows are shown even for 0."""
    player = shown.player
    studio = count_studio(player.tile, player.studio)
    osahito = shown.solo and shown.seat == 1
    tokens: list[_Token] = []
    if osahito:
        tokens.append(_Token("brushes", _symbol_of("brush"), str(studio.brushes)))
        tokens.append(_Token("arrows", _symbol_of("arrow"), str(studio.arrows)))
    else:
        tokens.append(_Token("shelf", _shelf, str(player.unplaced)))
        left = studio.arrows - player.arrows_used
        tokens.append(_Token("arrows", _symbol_of("arrow"), f"{left}/{studio.arrows}"))
    if studio.hands:
        tokens.append(_Token("hands", _symbol_of("hand"), str(studio.hands)))
    if osahito and studio.assistants:
        tokens.append(_Token("assistants", _symbol_of("assistant"), str(studio.assistants)))
    if player.storms:
        tokens.append(_Token("storms", lambda pen, r: icons.storm_token(pen, r), str(player.storms)))
    if player.hand:
        tokens.append(_Token("cards", lambda pen, r: icons.cards_sign(pen, r * 1.1), str(len(player.hand))))
    if shown.assistant:
        tokens.append(_Token("assistant", lambda pen, r: icons.assistant_pawn(pen, r * 1.08), ""))
    if shown.grand_master:
        tokens.append(_Token("master", lambda pen, r: icons.grand_master_pawn(pen, r * 1.08), ""))
    return tokens


def _symbol_of(name: str) -> Callable[[Pen, float], None]:
    """Return the function that draws a symbol at a radius."""
    symbol = next(one for one in icons.SYMBOL if one == name)
    return lambda pen, radius: icons.symbol_sign(pen, symbol, radius)


def _shelf(pen: Pen, radius: float) -> None:
    """Draw a Brush on a shelf, the sign of Brushes not yet placed."""
    r = radius
    pen.rounded(-r * 1.04, r * 0.62, r * 2.08, r * 0.4, r * 0.12, KEY)
    pen.rounded(-r * 0.98, r * 0.68, r * 1.96, r * 0.28, r * 0.1, hexa("#A9764A"))
    icons.brush_pot(pen.at(0, r * 0.66, r / 21))


def grid(cards: int, hand: bool) -> tuple[int, int]:
    """Return the cards in a row and the rows of a Print of ``cards`` cards, the tile included.

    ``hand`` says whether a hand needs room in the last row.
    """
    needed = cards + (_FEWEST_FREE if hand else 0)
    fitting = ((across, down) for across, down in ((6, 2), (7, 2), (8, 2), (7, 3)) if across * down >= needed)
    return next(fitting)


def studio_grid(tiles: int) -> tuple[int, int]:
    """Return the tiles in a row and the rows of a Studio: one row for up to 9, two for up to 18 …"""
    rows = 1 if tiles <= 9 else 2 if tiles <= 18 else 3 if tiles <= 30 else 4 if tiles <= 44 else 5
    return max(6, math.ceil(tiles / rows)), rows


def layout(shown: Facts) -> Layout:
    """Return the boxes of a panel."""
    player = shown.player
    cards = 1 + len(player.print)
    per_row, rows = grid(cards, bool(player.hand))
    inner = per_row * CELL
    board_width = inner + 2 * MARGIN
    head = 84 if shown.compact else 64
    crest, diplomas, tokens, seal = _header(shown, board_width, head)
    prints, empty, ribbons = [], [], []
    for row in range(rows):
        y = head + row * (RIBBON_HEIGHT + PRINT_HEIGHT + ROW_GAP)
        count = max(0, min(per_row, cards - row * per_row))
        if count:
            ribbons.append(Box(MARGIN, y, count * CELL, RIBBON_HEIGHT - 2))
        for column in range(per_row):
            box = Box(MARGIN + column * CELL, y + RIBBON_HEIGHT + 3, CELL, PRINT_HEIGHT)
            (prints if column < count else empty).append(box)
    foot = head + rows * (RIBBON_HEIGHT + PRINT_HEIGHT + ROW_GAP) + 6
    studio, bottom = _studio(1 + len(player.studio), inner, foot)
    hand = _hand(len(player.hand), [box for box in empty if box.y == empty[-1].y] if empty else [])
    return Layout(
        Box(0, 0, board_width, bottom + 14),
        crest,
        diplomas,
        tokens,
        seal,
        tuple(ribbons),
        tuple(prints),
        tuple(empty),
        hand,
        studio,
        per_row,
    )


def _header(
    shown: Facts, board_width: float, head: float
) -> tuple[Box, tuple[Box, ...], tuple[Box, ...], Box]:
    """Return the boxes of crest, Diplomas, tokens and seal; many Diplomas or tokens make them smaller."""
    side = head - 10
    crest = Box(MARGIN - 2, 5, side, side)
    seal = Box(board_width - MARGIN + 2 - side, 5, side, side)
    tokens = _tokens(shown)
    held = len(shown.player.diplomas)
    room = seal.x - crest.right - 16
    slip = SLIP_WIDTH * (head - 14) / SLIP_HEIGHT
    wanted = sum(token.width(1) for token in tokens) + 6 * len(tokens)
    size = max(0.7, min((head - 18) / 40, (room - held * (slip * 0.86 + 2)) / wanted))
    right = seal.x - 8
    boxes: list[Box] = []
    for token in reversed(tokens):
        wide = token.width(size)
        boxes.append(Box(right - wide, 5 + (side - 36 * size) / 2, wide, 36 * size))
        right -= wide + 6 * size
    left = crest.right + 8
    slip = min(slip, (right - left) / held - 2) if held else slip
    high = slip * SLIP_HEIGHT / SLIP_WIDTH
    slips = tuple(Box(left + at * (slip + 2), 5 + (side - high) / 2, slip, high) for at in range(held))
    return crest, slips, tuple(reversed(boxes)), seal


def _studio(tiles: int, inner: float, top: float) -> tuple[tuple[Box, ...], float]:
    """Return the boxes of the tiles of a Studio, and the y of its lower edge; ``inner`` is its width."""
    across, rows = studio_grid(tiles)
    wide = (inner - (across - 1) * 3) / across
    high = min(66.0, max(wide * 0.55, {1: 58.0, 2: 52.0}.get(rows, 38.0)))
    boxes = tuple(
        Box(MARGIN + at % across * (wide + 3), top + at // across * (high + 3), wide, high)
        for at in range(tiles)
    )
    return boxes, top + rows * (high + 3)


def _hand(count: int, free: list[Box]) -> tuple[Box, ...]:
    """Return the boxes of ``count`` cards in hand, which overlap if needed, at the right end of ``free``."""
    if not count:
        return ()
    right, room = free[-1].right, len(free) * CELL - 14
    high = PRINT_HEIGHT - 4
    wide = high * CARD_WIDTH / CARD_HEIGHT
    step = min(wide + 4, (room - wide) / (count - 1)) if count > 1 else 0
    left = right - wide - step * (count - 1) - 2
    return tuple(Box(left + at * step, free[0].y + 2, wide, high) for at in range(count))


# ------------------------------------------------------------------------------------------ drawing


def panel_image(shown: Facts, scale: float) -> Image.Image:
    """Return the panel of these facts in the fixed colours, from the cache if it was drawn before."""
    return BOARDS.get(("panel", shown, scale), lambda: reduced(draw(shown, scale).image))


def draw(shown: Facts, scale: float) -> Board:
    """Draw the panel of these facts."""
    places = layout(shown)
    board = Board(places.board.w, places.board.h, scale, cloth(places.board.w, places.board.h, scale))
    if shown.lit:
        for inset, colour in ((0.0, _LIT), (4.0, GOLD_LIGHT), (5.2, KEY)):
            box = Box(inset, inset, places.board.w - 2 * inset, places.board.h - 2 * inset)
            board.plate(box, None, 6 if inset else 0, colour, 4.4 if not inset else 1.2)
    else:
        board.plate(places.board, None, 0, mix(INDIGO, KEY, 0.6), 2)
    _draw_header(board, shown, places)
    _draw_print(board, shown, places)
    _draw_hand(board, shown.player, places)
    _draw_studio(board, shown, places)
    return board


def _draw_header(board: Board, shown: Facts, places: Layout) -> None:
    """Draw crest, Diplomas, tokens with their numbers, and the seal with the score."""
    crest, seal = places.crest, places.seal
    board.sign(
        ("crest", shown.seat),
        crest.x + crest.w / 2,
        crest.y + crest.h / 2,
        crest.w / 2.3,
        lambda pen: icons.crest(pen, shown.seat, crest.w / 2.3),
    )
    for diploma, box in zip(shown.player.diplomas, places.diplomas, strict=True):
        board.paste(diploma_slip(diploma, board.scale, box.w), box.x, box.y)
    pen = board.pen()
    for token, box in zip(_tokens(shown), places.tokens, strict=True):
        radius = box.h / 2.2
        middle = box.y + box.h / 2
        x = box.x + box.h / 2
        board.sign(("token", token.name), x, middle, radius, lambda pen, t=token, r=radius: t.draw(pen, r))
        if token.shown:
            size = 27 * box.h / 36
            text(pen, x + box.h / 2 + 3, middle, token.shown, "number", size, PAPER_LIGHT, align="l")
    total = shown.score.total
    board.centre(
        SPRITES.get(("seal", total, seal.w, board.scale), lambda: seal_image(total, seal.w, board.scale)),
        seal.x + seal.w / 2,
        seal.y + seal.h / 2,
    )


def seal_image(total: int, size: float, scale: float) -> Image.Image:
    """Return the red seal with a score, ``size`` units wide and high."""
    return sprite(size, size, scale, lambda pen: icons.seal(pen, total, size))


def _draw_print(board: Board, shown: Facts, places: Layout) -> None:
    """Draw the rows of the Print in their mounts, with ribbons, Storm tokens and marks."""
    cards = (shown.player.tile, *shown.player.print)
    seasons = shown_seasons(shown.player, shown.score)
    runs = pills(seasons, shown.score)
    _draw_empty(board, shown, places)
    for first in range(0, len(cards), places.per_row):
        last = min(first + places.per_row, len(cards))
        box = places.prints[first]
        mount = Box(box.x - 4, box.y - 4, (last - first) * CELL + 8, PRINT_HEIGHT + 8)
        board.plate(mount, PAPER_LIGHT, 0, KEY, 1)
        strip = print_row(cards, first, last, board.scale)
        board.paste(strip, box.x, box.y)
        mark_print(board, cards[first:last], box.x, box.y)
        board.plate(
            Box(box.x - 0.5, box.y - 0.5, (last - first) * CELL + 1, PRINT_HEIGHT + 1), None, 0, KEY, 1
        )
        board.paste(ribbon(seasons, runs, first, last, board.scale), box.x, box.y - RIBBON_HEIGHT - 3)
    for at in range(len(cards) - shown.new_print, len(cards)):
        _draw_mount(board, places.prints[at])
    if shown.score.run_length:
        for at in shown.score.storms:
            box = places.prints[at]
            board.sign("storm", box.x + 15, box.y + 15, 11, lambda pen: icons.storm_token(pen, 11))


def print_row(cards: tuple[str, ...], first: int, last: int, scale: float) -> Image.Image:
    """Return the cards ``first`` to ``last`` (exclusive) of a Print, which fade into those of other rows."""
    before = cards[first - 1] if first else None
    after = cards[last] if last < len(cards) else None
    return print_strip(cards[first:last], first=first, before=before, after=after, scale=scale)


def _draw_empty(board: Board, shown: Facts, places: Layout) -> None:
    """Draw the free cells of the Print as bare silk with a sketch and a number on each.

    The ridges of the sketch continue those of the painted part. Number 11 is golden, because that card ends
    the game (K5.1). Cells under the hand stay empty.
    """
    cards = 1 + len(shown.player.print)
    end = places.per_row * -(-(FULL_PRINT + 1) // places.per_row)
    for first in range(0, end, places.per_row):
        here = range(max(first, cards), min(first + places.per_row, FULL_PRINT + 1))
        boxes = [places.empty[at - cards] for at in here]
        covered = [at for at, box in enumerate(boxes) if any(box.meets(card) for card in places.hand)]
        count = min(covered, default=len(boxes))
        if not count:
            continue
        silk = SPRITES.get(
            ("silk", first, places.per_row, board.scale),
            lambda start=first: sprite(
                places.per_row * CELL,
                PRINT_HEIGHT,
                board.scale,
                lambda pen: _silk(pen, start, places.per_row),
                _SILK,
            ),
        )
        left = board.px((here[0] - first) * CELL)
        board.paste(silk.crop((left, 0, left + board.px(count * CELL), silk.height)), boxes[0].x, boxes[0].y)


def _silk(pen: Pen, first: int, count: int) -> None:
    """Draw bare silk over ``count`` cells of the Print, from slot ``first`` on."""
    wide = count * CELL
    frame = [(0, 0), (wide, 0), (wide, PRINT_HEIGHT), (0, PRINT_HEIGHT)]
    pen.gradient(frame, [(0, mix(_SILK, INDIGO, 0.55)), (0.5, _SILK), (1, mix(_SILK, INDIGO, 0.4))])
    sketch = mix(_SILK, PAPER_LIGHT, 0.2)
    start = first * CELL
    for seed, height, base in ((21, 17, HORIZON - 3), (44, 9, HORIZON - 1)):
        line = [(float(x), ridge(start + x, seed, height, base)) for x in range(0, wide + 1, 3)]
        pen.line(line, sketch, 0.8)
    pen.line([(0, HORIZON), (wide, HORIZON)], sketch, 0.9)
    for at in _PEAKS:
        x = at * CELL - start
        pen.line(bezier((x - 78, HORIZON), (x - 18, 58), (x - 7, 20)), sketch, 1)
        pen.line(bezier((x + 7, 20), (x + 18, 58), (x + 78, HORIZON)), sketch, 1)
        pen.line([(x - 7, 20), (x - 2, 18.6), (x + 3, 20), (x + 7, 20)], sketch, 1)
        pen.line(
            [(x - 15, 41), (x - 8, 35), (x - 3, 43), (x + 3, 36), (x + 8, 43), (x + 15, 41)], sketch, 0.8
        )
    ground = [(float(x), 116 - 12 * hills((start + x) / 90, 5)) for x in range(0, wide + 1, 4)]
    pen.line(ground, sketch, 1)
    for at in range(count):
        number = first + at
        if at:
            for y in range(4, PRINT_HEIGHT, 9):
                pen.line([(at * CELL, y), (at * CELL, y + 4)], sketch, 0.8)
        if not 0 < number <= FULL_PRINT:
            continue
        colour = _LIT if number == FULL_PRINT else mix(_SILK, PAPER_LIGHT, 0.36)
        text(pen, (at + 0.5) * CELL, 42, str(number), "number", 36, colour)
    pen.poly(frame, None, mix(_SILK, KEY, 0.6), 2)


def _draw_mount(board: Board, box: Box) -> None:
    """Draw the gold mount of a card that has just been placed."""
    board.plate(box, None, 0, _LIT, 2.6)
    inner = Box(box.x + 2.6, box.y + 2.6, box.w - 5.2, box.h - 5.2)
    board.plate(inner, None, 0, KEY, 0.7)


def _draw_hand(board: Board, player: Player, places: Layout) -> None:
    """Draw the cards in hand, small."""
    for seen, box in zip(player.hand, places.hand, strict=True):
        board.shadow(box, 3)
        small = (board.px(box.w), board.px(box.h))
        image = SPRITES.get(
            ("small", seen, small),
            lambda seen=seen, small=small: whole_card(seen, board.scale).resize(
                small, Image.Resampling.LANCZOS
            ),
        )
        board.paste(image, box.x, box.y)


def _draw_studio(board: Board, shown: Facts, places: Layout) -> None:
    """Draw the tray with the tiles, the numbers of the places, and the Brushes that stand on them."""
    player = shown.player
    first, end = places.studio[0], places.studio[-1].bottom
    tray = Box(first.x - 4, first.y - 4, places.per_row * CELL + 8, end - first.y + 8)
    board.paste(
        SPRITES.get(("tray", tray.w, tray.h, board.scale), lambda: _tray(tray, board.scale)), tray.x, tray.y
    )
    for place, (card, box) in enumerate(zip((player.tile, *player.studio), places.studio, strict=True)):
        number = place if _landscape(card) and not (shown.solo and shown.seat == 1) else None
        stand = None
        if place in player.standing:
            stand = "spent" if place in player.spent else "fresh"
        image = studio_half(card, board.scale, width=box.w, height=box.h, place=number, stand=stand)
        board.paste(image, box.x, box.y)
        if place > len(player.studio) - shown.new_studio:
            board.plate(box, None, 4, _LIT, 2.2)


def _tray(box: Box, scale: float) -> Image.Image:
    """Draw the tray of dark wood."""
    tray = wood(Image.new("RGB", (round(box.w * scale), round(box.h * scale)), _TRAY), 36)
    Pen(tray, scale).rounded(0, 0, box.w, box.h, 0, None, KEY, 1)
    return tray


def _landscape(card: str) -> bool:
    """Return whether the Studio half of a card or Start tile has a Landscape."""
    return card in START_TILES or CARDS[card].studio_landscape is not None
