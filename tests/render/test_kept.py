"""What is kept between pictures: as much as fits, and the same to the pixel as what is drawn anew."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from kanagawa.cards import CARDS
from render.ink import Cache
from render.school import mat, weave_slats
from render.tiles import whole_card


def test_all_cards_of_a_deck_are_kept_at_the_size_that_is_shown() -> None:
    first = [whole_card(card, 2) for card in CARDS]
    again = [whole_card(card, 2) for card in CARDS]
    assert all(one is other for one, other in zip(first, again, strict=True))


def test_pictures_in_few_colours_take_as_much_room_as_they_have_pixels() -> None:
    cache = Cache(1000)
    cache.get("one", lambda: Image.new("P", (30, 10)))
    assert cache.size == 300


@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("size", [(512, 288), (654, 523), (758, 758), (796, 523)])
def test_a_mat_that_is_cut_from_a_larger_one_shows_no_seam(size: tuple[int, int], scale: int) -> None:
    """But for the border, which both get afterwards."""
    width, height = size
    inner = (8 * scale, 8 * scale, (width - 8) * scale, (height - 8) * scale)
    whole = weave_slats(0, width, height, scale).crop(inner)
    assert ImageChops.difference(mat(width, height, scale).crop(inner), whole).getbbox() is None
