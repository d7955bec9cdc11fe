"""The Season ribbon above the rows of a Print: which run scores, and where the Storm tokens lie."""

from __future__ import annotations

from typing import NamedTuple

from PIL import Image

from kanagawa.cards import Season
from kanagawa.counts import seasons
from kanagawa.scoring import Score
from kanagawa.state import Player
from render import icons
from render.canvas import SPRITES, sprite
from render.ink import Pen, hexa, mix
from render.lettering import text
from render.palette import GOLD_LIGHT, KEY, PAPER_LIGHT, SEASONS

RIBBON_HEIGHT = 22
_CELL = 120
_BEST = hexa("#F2C14E")


class Pill(NamedTuple):
    """A stretch of the ribbon: positions ``start`` to ``end`` (exclusive) of the Print, 0 the Start tile.

    ``scores`` tells that it is the run that counts; ``length`` is its length over all rows.
    """

    start: int
    end: int
    season: Season
    scores: bool
    length: int = 0


def shown_seasons(player: Player, score: Score) -> tuple[Season, ...]:
    """The Seasons of a Print, tile first, Storms where the tokens lie (K5.4)."""
    printed = seasons(player.tile, player.print)
    return tuple(Season.STORM if at in score.storms else one for at, one in enumerate(printed))


def pills(shown: tuple[Season, ...], score: Score) -> tuple[Pill, ...]:
    """The Print as runs, left to right; the scoring run as the score tells it, the rest joined by eye.

    Where no run scores (Osahito's Print), every card of the counted Season, and every Storm, is marked.
    """
    if not score.run_length:
        plain = _joined(shown, 0, len(shown), storms_join=False)
        return tuple(one._replace(scores=one.season in (score.run_season, Season.STORM)) for one in plain)
    start, end = score.run_start, score.run_start + score.run_length
    best = Pill(start, end, score.run_season, True, score.run_length)
    return (
        *_joined(shown, 0, start, storms_join=True),
        best,
        *_joined(shown, end, len(shown), storms_join=True),
    )


def _joined(shown: tuple[Season, ...], start: int, end: int, *, storms_join: bool) -> list[Pill]:
    """Neighbours of one Season as one pill; a Storm joins what is left of it, else what is right."""
    found: list[Pill] = []
    for at in range(start, end):
        season = shown[at]
        last = found[-1] if found else None
        if last and (season is last.season or (storms_join and Season.STORM in (season, last.season))):
            kept = season if last.season is Season.STORM else last.season
            found[-1] = Pill(last.start, at + 1, kept, False)
        else:
            found.append(Pill(at, at + 1, season, False))
    return found


def ribbon(
    shown: tuple[Season, ...], runs: tuple[Pill, ...], first: int, last: int, scale: float
) -> Image.Image:
    """The ribbon over the positions ``first`` to ``last`` (exclusive), 120 units a card, 22 high."""
    wide, high = round((last - first) * _CELL * scale), round(RIBBON_HEIGHT * scale)
    strip = Image.new("RGBA", (wide, high))
    for run in runs:
        start, end = max(run.start, first), min(run.end, last)
        if start < end:
            strip.paste(
                _pill(shown[start:end], run, start, end, scale), (round((start - first) * _CELL * scale), 0)
            )
    return strip


def _pill(shown: tuple[Season, ...], run: Pill, start: int, end: int, scale: float) -> Image.Image:
    """What of a run lies in one row, kept: a move changes one run and leaves the others."""
    key = ("pill", shown, start > run.start, end < run.end, run.season, run.scores, run.length, scale)
    return SPRITES.get(
        key,
        lambda: sprite(
            (end - start) * _CELL, RIBBON_HEIGHT, scale, lambda pen: _draw_pill(pen, shown, run, start, end)
        ),
    )


def _draw_pill(pen: Pen, shown: tuple[Season, ...], run: Pill, start: int, end: int) -> None:
    height = RIBBON_HEIGHT - 3
    # A run that goes on in another row runs out of the picture on that side.
    left = 1.5 if start == run.start else -12
    right = (end - start) * _CELL - (1.5 if end == run.end else -12)
    colour = SEASONS[run.season].seal
    rim = 2.2 if run.scores else 1
    pen.rounded(left, 1, right - left, height, height / 2, _BEST if run.scores else KEY)
    pen.rounded(left + rim, 1 + rim, right - left - 2 * rim, height - 2 * rim, height / 2 - rim, colour)
    for at, season in enumerate(shown):
        x = at * _CELL + _CELL / 2
        if at:
            pen.line([(x - 60, 4.5), (x - 60, height - 2.5)], mix(colour, PAPER_LIGHT, 0.5), 1)
        _mark(pen, x, season, run)
    if run.scores and run.length and end == run.end:
        label = f"×{run.length}"
        text(pen, right - 9, 10.5, label, "number", 15, GOLD_LIGHT, align="r", outline=(0.9, KEY))


def _mark(pen: Pen, x: float, season: Season, run: Pill) -> None:
    """One card's Season: its sign and its kanji; a Storm within a run of another Season is hatched."""
    colour, middle = SEASONS[season].seal, RIBBON_HEIGHT / 2 - 0.5
    if season is Season.STORM and run.season is not Season.STORM:
        stripe = mix(SEASONS[run.season].seal, colour, 0.8)
        for at in range(-5, 6):
            pen.line([(x + at * 8 - 4, 16.6), (x + at * 8 + 4, 4.4)], stripe, 2.6)
        pen.ellipse(x, middle, 9.2, 9.2, colour, PAPER_LIGHT, 0.8)
        icons.SEASON[season](pen.at(x, middle, 0.74), PAPER_LIGHT, colour)
        return
    icons.SEASON[season](pen.at(x - 11, middle, 0.82), PAPER_LIGHT, colour)
    text(pen, x + 11, middle, icons.SEASON_KANJI[season], "ribbon", 15, PAPER_LIGHT)
