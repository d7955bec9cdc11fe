"""The README says what there is: commands, settings, files, permissions."""

from __future__ import annotations

import re
from pathlib import Path

import discord

import bot
from cogs import local
from cogs.group import kanagawa
from cogs.permissions import NEEDED, NEEDED_FOR_THREAD, NEEDED_IN_THREAD
from cogs.texts import Words

HERE = Path(bot.__file__).parent
README = (HERE / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (HERE / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_command_is_in_the_table_of_the_readme_with_its_words_and_none_more() -> None:
    documented = re.findall(r"^\| `/(kanagawa [a-z]+)` \| (.+) \|$", README, re.MULTILINE)
    there = {(one.qualified_name, one.description) for one in kanagawa.walk_commands()}
    assert set(documented) == there
    assert len(documented) == len(there)


def test_no_command_is_mentioned_that_there_is_not() -> None:
    there = {one.qualified_name for one in kanagawa.walk_commands()}
    catalogue = (HERE / "locales" / "en.ftl").read_text(encoding="utf-8")
    for text in (README, CONTRIBUTING, catalogue, local.WELCOME):
        assert set(re.findall(r"/(kanagawa [a-z]+)\b", text)) <= there


def test_every_setting_is_in_the_readme_with_its_default() -> None:
    documented = dict(re.findall(r"^\| `([A-Z_]+)` \|(?: `([^`]*)`)? \|", README, re.MULTILINE))
    example = (HERE / ".env.example").read_text(encoding="utf-8")
    defaults = dict(re.findall(r"^([A-Z_]+)=(.*)$", example, re.MULTILINE))
    assert documented == defaults


def test_every_permission_that_a_game_needs_is_named() -> None:
    words = Words("en")
    named = README.replace("\n   ", " ").replace("View Channels", "View Channel")
    for permission in {*NEEDED, *NEEDED_IN_THREAD, *NEEDED_FOR_THREAD}:
        assert permission in discord.Permissions.VALID_FLAGS
        assert words("permission", permission=permission).strip("*") in named


def test_every_file_and_folder_mentioned_is_there() -> None:
    mentioned = set(
        re.findall(r"[`(]((?:kanagawa|table|render|cogs|locales|scripts|tests|requirements)/[\w./]*)", README)
    )
    mentioned |= set(
        re.findall(r"`((?:kanagawa|table|render|cogs|locales|scripts|tests|\.ci)/[\w./]*)`", CONTRIBUTING)
    )
    assert len(mentioned) > 10
    missing = [one for one in mentioned if not (HERE / one).exists()]
    assert not missing
