"""The characters in pictures: numerals and fixed kanji, from the bundled fonts only.

Pictures hold no words and no names: :func:`text` refuses a character that is not in :data:`GLYPHS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal

from PIL import ImageFont

from render.ink import Colour, Pen

Face = Literal["number", "ribbon", "brush"]

_FONTS = Path(__file__).parent / "fonts"
_FILES: Mapping[Face, str] = {
    "number": "AlegreyaSans-Black.ttf",
    "ribbon": "ShipporiMincho-kanji.ttf",
    "brush": "YujiSyuku-kanji.ttf",
}

#: Every character that a picture may show, by face; a test checks that the fonts have them.
GLYPHS: Mapping[Face, frozenset[str]] = {
    "number": frozenset("0123456789+−×/"),
    "ribbon": frozenset("春夏秋冬嵐"),
    "brush": frozenset("木人家動神奈川"),
}


@lru_cache(maxsize=128)
def font(face: Face, pixels: int) -> ImageFont.FreeTypeFont:
    """Return a bundled font at a size in pixels."""
    return ImageFont.truetype(_FONTS / _FILES[face], pixels, layout_engine=ImageFont.Layout.BASIC)


def text(
    pen: Pen,
    x: float,
    y: float,
    shown: str,
    face: Face,
    size: float,
    fill: Colour,
    *,
    align: Literal["l", "m", "r"] = "m",
    outline: tuple[float, Colour] | None = None,
) -> None:
    """Write numerals or kanji, ``size`` units high.

    The ink is centred on ``y``. ``align`` says whether it starts ("l"), is centred ("m") or ends ("r") at
    ``x``. ``outline`` is its width in units and its colour. Raises ValueError for a character that is not
    among the face's :data:`GLYPHS`.
    """
    if not GLYPHS[face].issuperset(shown):
        raise ValueError(f"a picture shows numerals and fixed kanji only, not {shown!r}")
    face_font = font(face, max(1, round(pen.pixels(size))))
    left, top, right, bottom = face_font.getbbox(shown, anchor="ls")
    x, y = pen.place(x, y)
    # Some numerals of the face reach below the baseline, so each text is centred by its own ink.
    x -= {"l": left, "m": (left + right) / 2, "r": right}[align]
    stroke, colour = outline or (0, None)
    pen.draw.text(
        (x, y - (top + bottom) / 2),
        shown,
        font=face_font,
        fill=fill,
        anchor="ls",
        stroke_width=round(pen.pixels(stroke)),
        stroke_fill=colour,
    )


def width(shown: str, face: Face, size: float) -> float:
    """Return the width of a text, in the same units as its ``size``."""
    return font(face, 200).getlength(shown) * size / 200
