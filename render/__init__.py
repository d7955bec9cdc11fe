"""The pictures of a game: each a pure function of a View, as PNG bytes.

Nothing but the View is shown, so nothing hidden can leave, and the same View gives the same bytes in
every process. Pictures hold numerals, signs and fixed kanji, never a word or a name: a seat is known by
its crest, red, blue, green and violet in the order of the seats. ``scale`` is the pixels to the unit: 2
for what is shown, 1 or 0.5 where small is enough. All pictures have the same 256 colours. One that
would be larger than a message may hold is drawn smaller. All functions may be called from any thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache

from PIL import Image

from kanagawa.state import View
from render import diplomas as _diplomas
from render import hand as _hand
from render import poster as _poster
from render import replay as _replay
from render import school as _school
from render import wall as _wall
from render.canvas import PICTURES, png
from render.panel import facts, panel_image

__all__ = ["diplomas", "hand", "panel", "poster", "replay", "school", "wall"]

log = logging.getLogger(__name__)

#: The most bytes of a picture. Discord takes 10 MiB, and a message may hold two pictures and a transcript.
LARGEST = 4 << 20
#: Nothing is drawn smaller than this, in pixels to the unit.
SMALLEST = 0.25


def _fitting(kind: str, scale: float, draw: Callable[[float], bytes]) -> bytes:
    """The picture at this scale, or at the first smaller one at which it is not too large."""
    wanted = scale
    while len(data := draw(scale)) > LARGEST and scale > SMALLEST:
        scale = max(SMALLEST, 0.9 * scale * (LARGEST / len(data)) ** 0.5)
    if scale < wanted:
        _warn(kind, wanted)
    return data


def _kept(kind: str, shown: Hashable, scale: float, draw: Callable[[float], Image.Image]) -> bytes:
    """The picture of what is shown, from those that are kept or drawn now."""
    return _fitting(kind, scale, lambda size: PICTURES.get((kind, shown, size), lambda: draw(size)))


@lru_cache(maxsize=64)  # once of a kind
def _warn(kind: str, scale: float) -> None:
    log.warning(
        "a %s at %g pixels to the unit would be too large for Discord: it is drawn smaller", kind, scale
    )


def school(view: View, *, scale: float = 2) -> bytes:
    """The School: numbered columns, taken ones as ghosts, the deck, and who chooses next (K1.7, K2)."""
    return _kept("school", _school.shown(view), scale, lambda size: _school.draw(view, size).image)


def wall(view: View, since: View | None = None, *, scale: float = 2) -> bytes:
    """The panels of all seats: two one above the other, three or four in quarters, solo large and small.

    Cards placed since the view ``since`` stand in a gold mount; without it, the last card of each Print.
    """
    return _kept("wall", _wall.shown(view, since), scale, lambda size: _wall.draw(view, since, size).image)


def panel(view: View, seat: int, since: View | None = None, *, scale: float = 2) -> bytes:
    """One seat's panel: Print with its Season ribbon, Studio, Brushes, tokens, Diplomas, hand and score.

    ``since`` is as for :func:`wall`. Raises IndexError for a seat that does not play.
    """
    shown = facts(view, seat, since)
    return _kept("panel", shown, scale, lambda size: panel_image(shown, size))


def hand(view: View, *, scale: float = 2) -> bytes:
    """The cards in the viewer's hand, whole, numbered from 1. Raises ValueError for a public view."""
    return _kept("hand", _hand.shown(view), scale, lambda size: _hand.draw(view, size).image)


def diplomas(view: View, *, scale: float = 2) -> bytes:
    """All 19 Diplomas: those on display, those taken with the owner's crest, offered and declined ones."""
    return _kept("diplomas", _diplomas.shown(view), scale, lambda size: _diplomas.draw(view, size).image)


def poster(view: View, *, scale: float = 2) -> bytes:
    """A finished game: each Print as one scroll, best score first, with its crest and its score's parts."""
    return _fitting("poster", scale, lambda size: png(_poster.draw(view, size).image))


def replay(views: Sequence[View], *, scale: float = 2) -> bytes:
    """A game as an animated GIF: the scrolls unroll card by card.

    ``views`` are the public views of the game, oldest first; at most 20 seconds.
    Raises ValueError without views.
    """
    return _fitting("replay", scale, lambda size: _replay.draw(views, size))
