"""What the log must not hold, even at its most talkative: tokens, and what Discord sends."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

import bot
from tests.discord.conftest import World, last
from tests.discord.table_talk import open_table, play_out

LIBRARIES = ("aiosqlite", "asyncio", "discord.http", "aiohttp", "PIL", "discord")


@pytest.fixture
def debug_log() -> Iterator[io.StringIO]:
    """The log as the program sets it up, at the level DEBUG."""
    root, written = logging.getLogger(), io.StringIO()
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in LIBRARIES}
    for one in handlers:
        root.removeHandler(one)
    bot.set_up_logging(bot.Settings(token="ab.cd.ef", log_level="DEBUG"))
    ours = root.handlers[0]
    assert isinstance(ours, logging.StreamHandler)
    ours.setStream(written)
    yield written
    root.removeHandler(ours)
    for one in handlers:
        root.addHandler(one)
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


async def test_a_played_game_leaves_no_token_and_no_name_in_the_log(
    world: World, debug_log: io.StringIO
) -> None:
    session = await play_out(world, await open_table(world, world.ann, world.ben))
    await world.ann.slash(world.channel, "kanagawa new")
    await world.ben.click(last(world.channel), label="Join")
    # Discord fails at an answer, and an error of its names what was asked of it.
    world.env.inject_error("POST", "/interactions/*/*/callback", status=500, code=0, times=20)
    await world.ann.slash(world.channel, "kanagawa rules")
    world.env.backend.faults.clear()
    log = debug_log.getvalue()
    assert f"game={session.id}" in log
    assert "action=take." in log, "it is the log of DEBUG"
    tokens = {one.token for one in world.env.backend.interactions.values()}
    assert len(tokens) > 3
    assert not [one for one in tokens if one in log]
    for sent in ("INTERACTION_CREATE", "global_name", "WebSocket", "cleo"):
        assert sent not in log


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("POST https://discord.com/api/v10/webhooks/12/aW50ZXJhY3Rpb246/messages/@original", "/messages/"),
        (
            "429 for https://discord.com/api/v10/interactions/12/aW50ZXJhY3Rpb246/callback now",
            "/callback now",
        ),
        ("url='https://discord.com/api/webhooks/12/aW50ZXJhY3Rpb246?wait=true'", "?wait=true"),
        (
            "a header with "
            + ".".join(("MTIzNDU2Nzg5MDEyMzQ1Njc4", "GabCde", "aW50ZXJhY3Rpb246" + 30 * "x")),
            "a header with [token]",
        ),
    ],
)
def test_tokens_in_addresses_are_blotted_out(line: str, kept: str) -> None:
    record = logging.LogRecord("a", logging.INFO, "f", 1, line, (), None)
    shown = bot.Redacted("").format(record)
    assert "aW50ZXJhY3Rpb246" not in shown
    assert "[token]" in shown
    assert kept in shown
