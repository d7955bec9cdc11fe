"""Golden pictures: a small stored picture of every kind, compared with a tolerance.

``pytest tests/render/test_golden.py --update`` writes them anew; look at the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

import render
from kanagawa.state import Mode, Phase
from render import sheets
from tests.render.games import grown, midgame, views

_FOLDER = Path(__file__).parent / "golden"
_SCALE = 0.5
#: The largest mean difference in levels, and the largest share of pixels that differ by FAR levels or more.
#: Another processor may round differently; a change of the art exceeds these limits by far.
MEAN, SHARE, FAR = 1.5, 0.01, 40


def _school() -> bytes:
    dealt = (one for one in views(3, 4) if one.phase is Phase.CHOICE and one.row == 2 and None in one.columns)
    return render.school(next(dealt), scale=_SCALE)


def _hand() -> bytes:
    held = (one for one in views(3, 4) if one.seat is not None and len(one.players[one.seat].hand) > 1)
    return render.hand(next(held), scale=_SCALE)


def _diplomas() -> bytes:
    offered = (one for one in views(3, 4) if one.offered and sum(len(p.diplomas) for p in one.players) > 3)
    return render.diplomas(next(offered), scale=_SCALE)


def _signs() -> bytes:
    out = BytesIO()
    sheets.signs_sheet(32).save(out, "PNG")
    return out.getvalue()


GOLDEN: dict[str, Callable[[], bytes]] = {
    "school": _school,
    "wall": lambda: render.wall(midgame(), scale=_SCALE),
    "solo": lambda: render.wall(views(4, 2, Mode.OSAHITO)[70], scale=_SCALE),
    "panel": lambda: render.panel(grown(9, 12, 3), 0, scale=_SCALE),
    "hand": _hand,
    "diplomas": _diplomas,
    "poster": lambda: render.poster(views(3, 4)[-1], scale=_SCALE),
    "signs": _signs,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_pictures_are_as_they_were(name: str, request: pytest.FixtureRequest) -> None:
    """Each kind of picture looks like the stored one."""
    data = GOLDEN[name]()
    path = _FOLDER / f"{name}.png"
    if request.config.getoption("--update"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    kept, now = Image.open(path).convert("RGB"), Image.open(BytesIO(data)).convert("RGB")
    assert now.size == kept.size
    difference = ImageChops.difference(kept, now).convert("L")
    mean = ImageStat.Stat(difference).mean[0]
    far = sum(difference.histogram()[FAR:]) / (now.width * now.height)
    assert mean <= MEAN
    assert far <= SHARE


def test_no_golden_picture_is_left_over() -> None:
    """Every stored picture is compared with a kind of picture."""
    assert {path.stem for path in _FOLDER.glob("*.png")} == set(GOLDEN)
