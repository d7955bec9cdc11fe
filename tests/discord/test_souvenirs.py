"""What remains of a finished game: at its end, and by command afterwards."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from cogs.keepsakes import KEEPSAKES, keepsakes
from kanagawa import transcript
from tests.discord.conftest import World, answer
from tests.discord.table_talk import open_solo, open_table, play_out


async def test_keepsakes(world: World) -> None:
    """A poster, an animated replay, and a transcript that replays to the same scores."""
    session = await play_out(world, await open_table(world, world.ann, world.ben, seed=5))
    client = world.client
    poster, replay, text = await keepsakes(client.table, client.publisher.easel, session, *KEEPSAKES)
    assert Image.open(BytesIO(poster.data)).format == "PNG"
    film = Image.open(BytesIO(replay.data))
    assert film.format == "GIF"
    assert getattr(film, "n_frames", 1) > 10
    assert transcript.replay(transcript.read(text.data)) == transcript.result(session.state)
    assert "ann" in poster.alt
    assert all(one.alt for one in (replay, text))


@pytest.mark.parametrize("kind", ["poster", "replay"])
async def test_past_games_by_command(world: World, kind: str) -> None:
    """The last game, or one that is named, is posted for all to see."""
    await play_out(world, await open_solo(world, seed=2))
    await play_out(world, await open_table(world, world.ann, world.ben, seed=6))
    result = await world.dan.slash(world.channel, f"kanagawa {kind}")
    assert not result.ephemeral
    message = await world.message(world.channel.id, world.channel.last_message.id)  # type: ignore[union-attr]
    assert [one["filename"].split("-")[0] for one in message["attachments"]] == [kind]
    assert "ben" in str(message["components"])
    listed = await world.dan.autocomplete(world.channel, f"kanagawa {kind}", "game", "")
    assert len(listed) == 2
    assert "ben" in listed[0]["name"]
    await world.dan.slash(world.channel, f"kanagawa {kind}", game="2")
    message = await world.message(world.channel.id, world.channel.last_message.id)  # type: ignore[union-attr]
    assert "Osahito" in str(message["components"])


@pytest.mark.parametrize("typed", [None, "7", "x" * 90])
async def test_no_such_past_game(world: World, typed: str | None) -> None:
    """Where there is no such game, that is said to whoever asked."""
    session = await open_table(world, world.ann, world.ben, seed=7)
    options = {} if typed is None else {"game": typed}
    result = await world.dan.slash(world.channel, "kanagawa poster", **options)
    assert result.ephemeral
    assert "No game has been played to its end" in answer(result).content
    await play_out(world, session)
    if typed is not None:
        result = await world.dan.slash(world.channel, "kanagawa poster", game=typed)
        refused = answer(result).content
        assert "Say which game" in refused
        assert "- 1 · " in refused
