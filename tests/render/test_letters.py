"""Pictures hold only numerals and fixed kanji, and the bundled fonts have all of them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import pytest
from PIL import Image, ImageDraw

import render
from kanagawa.state import View
from render.ink import Pen
from render.lettering import GLYPHS, Face, font, text
from tests.render.games import game, midgame, views

_FONTS = Path(render.__file__).parent / "fonts"


@pytest.mark.parametrize("face", get_args(Face))
def test_every_glyph_is_in_its_font(face: Face) -> None:
    """Each glyph is drawn as itself, not as nothing or as the sign for a missing glyph."""
    missing = _drawn(face, "\ufffe")
    for glyph in GLYPHS[face]:
        drawn = _drawn(face, glyph)
        assert drawn.getbbox() is not None, glyph
        assert drawn.tobytes() != missing.tobytes(), glyph


def _drawn(face: Face, glyph: str) -> Image.Image:
    """Draw a glyph in white on black."""
    image = Image.new("L", (60, 60))
    ImageDraw.Draw(image).text((4, 4), glyph, fill=255, font=font(face, 40))
    return image


def test_fonts_come_with_their_licences() -> None:
    """The text of the SIL Open Font License lies beside each font."""
    texts = [path.read_text(encoding="utf-8") for path in _FONTS.glob("OFL-*.txt")]
    assert len(list(_FONTS.glob("*.ttf"))) == len(texts) == 3
    assert all("SIL OPEN FONT LICENSE" in one for one in texts)


@pytest.mark.parametrize("shown", ["ann", "１", "7 ", "<", "森", "\u202e1", "Ⅳ", "٣"])
def test_no_other_text_can_be_written(shown: str) -> None:
    """Words, names and digits of other scripts are refused in every face."""
    pen = Pen(Image.new("RGB", (60, 60)), 2)
    for face in get_args(Face):
        with pytest.raises(ValueError, match="numerals and fixed kanji"):
            text(pen, 10, 10, shown, face, 12, (0, 0, 0))


def test_letters_are_written_in_one_place() -> None:
    """Only the module ``lettering`` calls Pillow's drawing of text."""
    folder = Path(render.__file__).parent
    callers = {
        path.name
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in {"text", "multiline_text", "truetype", "load_default"}
    }
    assert callers == {"lettering.py"}


def test_pictures_take_views_and_numbers_alone() -> None:
    """The functions of ``render`` take only views and numbers, so no name can get into a picture."""
    for name in render.__all__:
        hints = inspect.signature(getattr(render, name), eval_str=True).parameters
        kinds = {hint.annotation for hint in hints.values()}
        assert kinds <= {View, View | None, int, float, Sequence[View]}, name


def test_everything_written_is_a_known_glyph(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text that Pillow writes in the pictures of a game consists of known glyphs."""
    written: set[str] = set()
    plain = ImageDraw.ImageDraw.text

    def listening(self: ImageDraw.ImageDraw, xy: object, shown: str, *args: object, **more: object) -> None:
        written.add(shown)
        plain(self, xy, shown, *args, **more)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", listening)
    # No other test draws at this scale, so nothing comes from the caches.
    view = midgame()
    render.wall(view, scale=0.31)
    render.school(view, scale=0.31)
    render.diplomas(view, scale=0.31)
    render.hand(next(one for one in views(3, 4) if one.seat is not None), scale=0.31)
    render.poster(views(3, 4)[-1], scale=0.31)
    assert written
    everything = frozenset().union(*GLYPHS.values())
    assert {glyph for shown in written for glyph in shown} <= everything
    assert game(3)[-1].to_move is None
