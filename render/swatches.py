"""The choice of the fixed palette from all of the art: cards, signs, boards and the fades between Seasons.

First, the colours that fill most of the art (*inks*) are kept exactly. Then median cut and k-means choose
the other colours from the frequency of each colour. A frequency counts less than in proportion, because a
small red sun matters beside a large sky. The fades count several times, because they are a small part of a
Print and the first to show bands. The same art always gives the same palette.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

from PIL import Image

from kanagawa import apprentice, rules
from kanagawa.cards import CARDS, Season
from kanagawa.state import View
from render.card import print_strip
from render.colours import PALETTE
from render.diplomas import draw as draw_diplomas
from render.hand import draw as draw_hand
from render.palette import Colour
from render.panel import draw as draw_panel
from render.panel import facts
from render.poster import draw as draw_poster
from render.scene import BLEED, HEIGHT, WIDTH
from render.school import draw as draw_school

_GAMES, _FADES, _TIMES, _ROUNDS = (3, 7, 11), 6, 10, 4
#: The number of inks that are kept exactly, and the least square of the distance between two of them.
_INKS, _APART = 48, 60
#: A colour of n pixels counts n to this power; a colour of at most ``_LEAST`` pixels does not count.
_POWER, _LEAST = 0.7, 20
_SIZE = 1024  # the width of the picture that is given to median cut, in pixels


def choose(sheets: Sequence[Image.Image]) -> Image.Image:
    """Choose the palette for these contact sheets, the boards and the fades.

    Returns an image of 16 by 16 pixels, one for each colour.
    """
    inks, seen = Counter[Colour](), Counter[Colour]()
    for image in (*sheets, *_boards()):
        for colour, count in _colours(image):
            inks[colour] += round(1e9 * count / (image.width * image.height))
            seen[_coarse(colour)] += count
    for fade in _fades():
        for colour, count in _colours(fade):
            seen[_coarse(colour)] += count * _TIMES
    kept = _kept(inks)
    others = 256 - len(kept)
    found = _weighted(seen).quantize(others, Image.Quantize.MEDIANCUT, kmeans=_ROUNDS).getpalette() or []
    swatches = Image.new("P", (16, 16))
    swatches.putpalette([*found[: 3 * others], *(level for ink in kept for level in ink)])
    swatches.putdata(range(256))
    return swatches


def write(sheets: Sequence[Image.Image]) -> None:
    """Choose the palette and write it to the file from which all pictures take it."""
    choose(sheets).save(PALETTE)


def _colours(image: Image.Image) -> Iterator[tuple[Colour, int]]:
    """Yield each colour of an image and the number of its pixels."""
    for count, colour in image.convert("RGB").getcolors(image.width * image.height) or ():
        assert isinstance(colour, tuple)
        yield (int(colour[0]), int(colour[1]), int(colour[2])), count


def _coarse(colour: Colour) -> Colour:
    """Round a colour to 64 levels; finer differences do not change the choice."""
    return colour[0] & 0xFC | 2, colour[1] & 0xFC | 2, colour[2] & 0xFC | 2


def _kept(inks: Counter[Colour]) -> list[Colour]:
    """Return the inks that cover most; of nearly equal colours only the most frequent is an ink."""
    kept: list[Colour] = []
    for ink, _ in sorted(inks.items(), key=lambda one: (-one[1], one[0])):
        if all(sum((a - b) ** 2 for a, b in zip(ink, other, strict=True)) >= _APART for other in kept):
            kept.append(ink)
        if len(kept) == _INKS:
            break
    return kept


def _weighted(seen: Counter[Colour]) -> Image.Image:
    """Return a picture that shows each colour as often as it counts, for median cut."""
    counting = {colour: count**_POWER for colour, count in sorted(seen.items()) if count > _LEAST}
    unit = sum(counting.values()) / _SIZE**2
    pixels = b"".join(bytes(colour) * max(1, round(count / unit)) for colour, count in counting.items())
    rows = len(pixels) // (3 * _SIZE)
    return Image.frombytes("RGB", (_SIZE, rows), pixels[: 3 * _SIZE * rows])


def _fades() -> Iterator[Image.Image]:
    """Yield for each pair of Seasons a row of borders between cards of them, on different Landscapes."""
    cards = {season: [one.id for one in CARDS.values() if one.season is season] for season in Season}
    for slot, (west, east) in enumerate(permutations(Season, 2)):
        row = Image.new("RGB", (_FADES * 4 * BLEED, HEIGHT))
        for at in range(_FADES):
            left, right = (
                cards[one][(slot * step + at) % len(cards[one])] for one, step in ((west, 3), (east, 5))
            )
            strip = print_strip([left, right], first=slot % 7, scale=1)
            row.paste(strip.crop((WIDTH - 2 * BLEED, 0, WIDTH + 2 * BLEED, HEIGHT)), (at * 4 * BLEED, 0))
        yield row


def _boards() -> Iterator[Image.Image]:
    """Yield the boards of some games: early, late and at the end."""
    for seed in _GAMES:
        shown = _views(seed)
        for view in (shown[len(shown) // 3], shown[2 * len(shown) // 3], shown[-1]):
            yield from (draw_panel(facts(view, seat), 1).image for seat in range(4))
            yield draw_school(view, 2).image
            yield draw_diplomas(view, 1).image
        yield draw_hand(
            next(one for one in shown if one.seat is not None and one.players[one.seat].hand), 1
        ).image
        yield draw_poster(shown[-1], 1).image


def _views(seed: int) -> list[View]:
    """Return the views of a game of four: each as the seat to act sees it, and at the end the public one."""
    state, shown = rules.new(seed, 4), list[View]()
    while (seat := state.to_move) is not None:
        shown.append(rules.view(state, seat))
        state, _ = rules.apply(state, apprentice.choose(shown[-1], rules.legal(state, seat)), seat)
    return [*shown, rules.view(state, None)]
