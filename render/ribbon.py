"""The Season ribbon above the rows of a Print, which shows the runs and marks the one that scores (K5.5)."""

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
    """A run on the ribbon: positions ``start`` to ``end`` (exclusive) of the Print; 0 is the Start tile.

    ``scores`` is True for the run that scores, and ``length`` is then its length over all rows.
    """

    start: int
    end: int
    season: Season
    scores: bool
    length: int = 0


def shown_seasons(player: Player, score: Score) -> tuple[Season, ...]:
    """Return the Seasons of a Print, the tile's first, with STORM where a Storm token lies (K5.4)."""
    printed = seasons(player.tile, player.print)
    return tuple(Season.STORM if at in score.storms else one for at, one in enumerate(printed))


def pills(shown: tuple[Season, ...], score: Score) -> tuple[Pill, ...]:
    """Return the runs of a Print from left to right.

    The run that scores is the one of ``score``; other neighbours of one Season are joined. Osahito has no
    such run: in his Print every card of the Season that counts, and every Storm, is marked instead (O8 B).
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
    """Join neighbours of one Season between two positions.

    With ``storms_join`` a Storm joins the run on its left, or the one on its right if there is none.
    """
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
    """Return the ribbon over the positions ``first`` to ``last`` (exclusive), 120 x 22 units a card."""
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
    """Return the part of a run from ``start`` to ``end``, from the cache: a move changes one run only."""
    key = ("pill", shown, start > run.start, end < run.end, run.season, run.scores, run.length, scale)
    return SPRITES.get(
        key,
        lambda: sprite(
            (end - start) * _CELL, RIBBON_HEIGHT, scale, lambda pen: _draw_pill(pen, shown, run, start, end)
        ),
    )


def _draw_pill(pen: Pen, shown: tuple[Season, ...], run: Pill, start: int, end: int) -> None:
    """Draw a part of a run; the run that scores has a gold rim, and its length at its end."""
    height = RIBBON_HEIGHT - 3
    # A run that continues in another row has no round end on that side.
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
    """Draw one card's Season as sign and kanji; a Storm within a run of another Season is hatched."""
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
