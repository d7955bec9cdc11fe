"""Time zones as people type them."""

from __future__ import annotations

import pytest

from cogs import zones

#: A moment in January and one in July, in epoch seconds.
WINTER, SUMMER = 1767225600.0, 1782864000.0


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"),
        ("EUROPE BERLIN", "Europe/Berlin"),
        ("berlin", "Europe/Berlin"), (" Berlin, Germany", "Europe/Berlin"), ("New_York", "America/New_York"),
        ("são paulo", "America/Sao_Paulo"), ("ZÜRICH", "Europe/Zurich"), ("st. john's", "America/St_Johns"),
        ("port au prince", "America/Port-au-Prince"), ("buenos aires", "America/Argentina/Buenos_Aires"),
        ("Munich", "Europe/Berlin"), ("San Francisco", "America/Los_Angeles"), ("us/eastern", "US/Eastern"),
        ("louisville", "America/Kentucky/Louisville"), ("japan", "Japan"),
        ("UTC", "UTC"), ("gmt", "UTC"), ("Z", "UTC"), ("UTC+0", "UTC"), ("GMT-0", "UTC"),
        ("UTC+2", "UTC+02:00"), ("gmt+2", "UTC+02:00"), ("GMT-5", "UTC-05:00"), ("+02:00", "UTC+02:00"),
        ("+2", "UTC+02:00"), ("-0330", "UTC-03:30"), ("utc + 5:30", "UTC+05:30"), ("UTC−3", "UTC-03:00"),
        ("utc+5.5", "UTC+05:30"), ("UTC+14", "UTC+14:00"), ("UTC+02:00 · 14:05", "UTC+02:00"),
        ("CET", "Europe/Berlin"), ("cest", "Europe/Berlin"), ("EST", "America/New_York"),
        ("PDT", "America/Los_Angeles"),
        ("jst", "Asia/Tokyo"), ("Europe/Berlin · 14:05", "Europe/Berlin"),
    ],
)  # fmt: skip
def test_a_zone_is_understood_as_people_mean_it(typed: str, zone: str) -> None:
    assert zones.meant(typed, WINTER) == [zone]
    assert zones.tz(zone) is not None


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "Mars/Olympus",
        "UTC+15",
        "UTC-13",
        "+2:75",
        "UTC2",
        "🙂",
        "+",
        "9" * 5000,
        "localtime",
        "Factory",
    ],
)
def test_what_is_no_zone_means_none(typed: str) -> None:
    assert zones.meant(typed, WINTER) == []


@pytest.mark.parametrize("typed", ["CST", "ist", "MST", "BST", "AEST", "acst", "AST"])
def test_letters_that_people_of_several_places_use_mean_several_zones(typed: str) -> None:
    found = zones.meant(typed, WINTER)
    assert len(found) > 1
    assert all(zones.tz(one) is not None for one in found)


def test_an_offset_has_the_sign_that_people_give_it_and_no_summer_time() -> None:
    for now in (WINTER, SUMMER):
        assert zones.label("UTC+02:00", now).endswith(" · 02:00")
    assert [zones.label("Europe/Berlin", now) for now in (WINTER, SUMMER)] == [
        "Europe/Berlin · 01:00",
        "Europe/Berlin · 02:00",
    ]


def test_every_zone_that_letters_and_cities_stand_for_is_known() -> None:
    meant = {one for several in zones.ABBREVIATIONS.values() for one in several} | set(zones.CITIES.values())
    assert meant <= set(zones.all_zones())


def test_every_suggestion_sent_as_its_own_text_means_that_zone() -> None:
    for typed in ("", "ber", "america", "gmt+2", "cst", "ist"):
        for one in zones.suggested(typed, WINTER)[:25]:
            assert zones.meant(zones.label(one, WINTER), WINTER) == [one]
            assert zones.meant(one, WINTER) == [one]


def test_no_name_is_suggested_that_turns_the_sign_round() -> None:
    assert not [one for one in zones.suggested("gmt", WINTER) if one.startswith("Etc/")]
    assert zones.suggested("gmt+2", WINTER) == ["UTC+02:00"]


@pytest.mark.parametrize(
    "stored", ["", "UTC+24:00", "UTC-99:99", "Europe", "../UTC", "x" * 5000, "\ud800", "\0"]
)
def test_a_stored_zone_that_makes_no_sense_is_unknown(stored: str) -> None:
    assert zones.tz(stored) is None
    assert zones.label(stored, WINTER).endswith("00:00")
