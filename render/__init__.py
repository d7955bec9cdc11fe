"""The pictures of a game: each a pure function of a View, as PNG bytes.

Nothing but the View is shown, so nothing hidden can leave, and the same View gives the same bytes in
every process. Pictures hold numerals, signs and fixed kanji, never a word or a name: a seat is known by
its crest, red, blue, green and violet in the order of the seats. ``scale`` is the pixels to the unit: 2
for what is shown, 1 or 0.5 where small is enough. All pictures have the same 256 colours. All functions
may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Sequence

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


def school(view: View, *, scale: float = 2) -> bytes:
    """The School: numbered columns, taken ones as ghosts, the deck, and who chooses next (K1.7, K2)."""
    key = ("school", _school.shown(view), scale)
    return PICTURES.get(key, lambda: _school.draw(view, scale).image)


def wall(view: View, since: View | None = None, *, scale: float = 2) -> bytes:
    """The panels of all seats: two one above the other, three or four in quarters, solo large and small.

    Cards placed since the view ``since`` stand in a gold mount; without it, the last card of each Print.
    """
    key = ("wall", _wall.shown(view, since), scale)
    return PICTURES.get(key, lambda: _wall.draw(view, since, scale).image)


def panel(view: View, seat: int, since: View | None = None, *, scale: float = 2) -> bytes:
    """One seat's panel: Print with its Season ribbon, Studio, Brushes, tokens, Diplomas, hand and score.

    ``since`` is as for :func:`wall`. Raises IndexError for a seat that does not play.
    """
    shown = facts(view, seat, since)
    return PICTURES.get(("panel", shown, scale), lambda: panel_image(shown, scale))


def hand(view: View, *, scale: float = 2) -> bytes:
    """The cards in the viewer's hand, whole, numbered from 1. Raises ValueError for a public view."""
    return PICTURES.get(("hand", _hand.shown(view), scale), lambda: _hand.draw(view, scale).image)


def diplomas(view: View, *, scale: float = 2) -> bytes:
    """All 19 Diplomas: those on display, those taken with the owner's crest, offered and declined ones."""
    key = ("diplomas", _diplomas.shown(view), scale)
    return PICTURES.get(key, lambda: _diplomas.draw(view, scale).image)


def poster(view: View, *, scale: float = 2) -> bytes:
    """A finished game: each Print as one scroll, best score first, with its crest and its score's parts."""
    return png(_poster.draw(view, scale).image)


def replay(views: Sequence[View], *, scale: float = 2) -> bytes:
    """A game as an animated GIF: the scrolls unroll card by card.

    ``views`` are the public views of the game, oldest first; at most 20 seconds and 8 MiB at scale 2.
    Raises ValueError without views.
    """
    return _replay.draw(views, scale)
