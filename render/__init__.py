"""The pictures of a game: each is a pure function of a View and returns bytes, PNG unless it says GIF.

A picture shows nothing but its View, so hidden things cannot leave, and the same View gives the same bytes in
every process. Pictures hold numerals, signs and fixed kanji, never a word or a name. A seat is shown by its
crest: red, blue, green and violet in the order of the seats.

Layouts are measured in units; ``scale`` is pixels per unit, 2 for the pictures of a message. All pictures
use the same 256 colours. A picture of more than ``LARGEST`` bytes is drawn smaller. All functions are safe
to call from any thread.
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

#: The largest picture in bytes. Discord takes 10 MiB, and a message may hold two pictures and a transcript.
LARGEST = 4 << 20
#: The smallest scale that a too large picture is drawn at, in pixels per unit.
SMALLEST = 0.25


def _fitting(kind: str, scale: float, draw: Callable[[float], bytes]) -> bytes:
    """Return the picture at this scale, or at a smaller one if it would exceed ``LARGEST`` bytes.

    ``draw`` makes the picture at a scale; ``kind`` names it in the log.
    """
    wanted = scale
    while len(data := draw(scale)) > LARGEST and scale > SMALLEST:
        scale = max(SMALLEST, 0.9 * scale * (LARGEST / len(data)) ** 0.5)
    if scale < wanted:
        _warn(kind, wanted)
    return data


def _kept(kind: str, shown: Hashable, scale: float, draw: Callable[[float], Image.Image]) -> bytes:
    """Return a picture as PNG, from the cache if the same things were drawn before.

    ``shown`` is everything that the picture shows: pictures with equal ``shown`` are the same.
    """
    return _fitting(kind, scale, lambda size: PICTURES.get((kind, shown, size), lambda: draw(size)))


@lru_cache(maxsize=64)  # so that each kind and scale is logged once
def _warn(kind: str, scale: float) -> None:
    """Log that a kind of picture does not fit a message at the scale that was asked for."""
    log.warning("a %s at %g pixels per unit is too large for Discord; it is drawn smaller", kind, scale)


def school(view: View, *, scale: float = 2) -> bytes:
    """Draw the School: numbered columns, the deck, and the seats in order of choice (K1.7, K2)."""
    return _kept("school", _school.shown(view), scale, lambda size: _school.draw(view, size).image)


def wall(view: View, since: View | None = None, *, scale: float = 2) -> bytes:
    """Draw the panels of all seats in one picture.

    Two panels stand one above the other, three or four in quarters; in solo Osahito's is small. The cards
    placed since the earlier view ``since`` have a gold mount; without ``since``, the last card of each Print.
    """
    return _kept("wall", _wall.shown(view, since), scale, lambda size: _wall.draw(view, since, size).image)


def panel(view: View, seat: int, since: View | None = None, *, scale: float = 2) -> bytes:
    """Draw one seat's panel: Print with Season ribbon, Studio, Brushes, tokens, Diplomas, hand and score.

    ``since`` is as for :func:`wall`. Raises IndexError for a seat that does not exist.
    """
    shown = facts(view, seat, since)
    return _kept("panel", shown, scale, lambda size: panel_image(shown, size))


def hand(view: View, *, scale: float = 2) -> bytes:
    """Draw the cards in the viewer's hand, whole, numbered from 1. Raises ValueError for a public view."""
    return _kept("hand", _hand.shown(view), scale, lambda size: _hand.draw(view, size).image)


def diplomas(view: View, *, scale: float = 2) -> bytes:
    """Draw all 19 Diplomas; taken ones carry the owner's crest, offered and declined ones are marked."""
    return _kept("diplomas", _diplomas.shown(view), scale, lambda size: _diplomas.draw(view, size).image)


def poster(view: View, *, scale: float = 2) -> bytes:
    """Draw a finished game: each Print as one scroll, best score first, with crest and parts of the score."""
    return _fitting("poster", scale, lambda size: png(_poster.draw(view, size).image))


def replay(views: Sequence[View], *, scale: float = 2) -> bytes:
    """Draw a game as an animated GIF of at most 20 seconds, in which the scrolls unroll card by card.

    ``views`` are the public views of the game, oldest first. Raises ValueError if there are none.
    """
    return _fitting("replay", scale, lambda size: _replay.draw(views, size))
