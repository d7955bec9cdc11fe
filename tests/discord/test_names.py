"""What people are called: the table follows the names that they go by, and shows some name for everybody."""

from __future__ import annotations

from typing import Any

import discord
import pytest
import simcord

from table.store import OVER
from tests.discord.conftest import World, answer, last, text_of
from tests.discord.table_talk import advice, open_solo, open_table, person_to_move, play_out, said, table_of


def call(world: World, person: simcord.MemberActor, name: str | None) -> None:
    """Let a person go by another name in the server."""
    world.env.backend.get_guild(world.guild.id).members[person.id].nick = name


async def shown(world: World, game: int) -> str:
    return text_of((await world.table_message(game))["components"])


@pytest.fixture
def renamings(world: World, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The changes of seats that are written."""
    written: list[dict[str, Any]] = []
    update = world.store.update

    async def watched(game: int, *args: Any, **fields: Any) -> Any:
        if "seats" in fields:
            written.append(fields)
        return await update(game, *args, **fields)

    monkeypatch.setattr(world.store, "update", watched)
    return written


async def test_a_press_brings_the_present_name_to_the_table(
    world: World, renamings: list[dict[str, Any]]
) -> None:
    session = await open_table(world, world.ann, world.ben, seed=3)
    renamings.clear()
    call(world, world.ann, "Hokusai")
    assert "Hokusai" not in await shown(world, session.id)
    await world.ann.click(await table_of(world, session.id), label="My table")
    assert "**Hokusai**" in await shown(world, session.id)
    assert "**ann**" not in await shown(world, session.id)
    assert len(renamings) == 1
    await world.ann.click(await table_of(world, session.id), label="My table")
    await world.ann.slash(world.channel, "kanagawa score")
    await world.dan.slash(world.channel, "kanagawa score")
    assert len(renamings) == 1, "nothing is written for a name that is the same"


@pytest.mark.parametrize("command", ["score", "hand", "log", "games", "notify", "help"])
async def test_a_command_brings_it_too_also_after_a_restart(world: World, command: str) -> None:
    session = await open_table(world, world.ann, world.ben, seed=3)
    await world.restart()
    call(world, world.ben, "Hiroshige")
    await world.ben.slash(world.channel, f"kanagawa {command}")
    assert "**Hiroshige**" in await shown(world, session.id)


async def test_a_lobby_follows(world: World) -> None:
    await world.ann.slash(world.channel, "kanagawa new")
    await world.ben.click(last(world.channel), label="Join")
    call(world, world.ann, "Hokusai")
    assert "sit at this table already" in said(await world.ann.click(last(world.channel), label="Join"))
    message = await world.message(world.channel.id, last(world.channel).id)
    assert "**Hokusai**" in text_of(message["components"])


async def test_the_result_has_the_name_of_the_end(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, seed=3)
    call(world, world.ann, "Hokusai")
    while person_to_move(world, session) is not world.ann:
        session = await world.client.table.act(session.id, world.ben.id, session.version, advice(session))
    await world.ann.slash(world.channel, "kanagawa hand")
    session = await play_out(world, await world.session())
    assert session.record.finished == OVER
    assert "**Hokusai**" in await shown(world, session.id)
    result = await world.store.result(session.id)
    assert result is not None
    assert {one.name for one in result.seats} == {"Hokusai", "ben"}


async def test_a_name_that_cannot_be_saved_stops_nobody(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from table.errors import DatabaseUnusable

    session = await open_table(world, world.ann, world.ben, seed=3)
    call(world, world.ann, "Hokusai")

    async def fails(*_: Any, **__: Any) -> None:
        raise DatabaseUnusable("full")

    monkeypatch.setattr(world.store, "update", fails)
    result = await world.ann.slash(world.channel, "kanagawa score")
    assert "**ann**" in answer(result).content
    assert session.id == (await world.session()).id


async def test_a_name_that_looks_empty_is_never_shown(world: World) -> None:
    """Somebody whose name cannot be seen goes by the name of their account."""
    call(world, world.ben, "\u3164\u2800")
    await world.ann.slash(world.channel, "kanagawa new")
    await world.ben.click(last(world.channel), label="Join")
    message = await world.message(world.channel.id, last(world.channel).id)
    assert "2. **ben**" in text_of(message["components"])


async def test_a_name_that_was_kept_and_looks_empty_reads_as_a_number(world: World) -> None:
    session = await open_solo(world)
    await world.client.table.keep_name(world.channel.id, world.ann.id, "\u3164")
    await world.client.publisher.publish(session.id)
    assert "**Player 1**" in await shown(world, session.id)


@pytest.mark.parametrize("kind", ["voice", "stage"])
async def test_a_thread_is_refused_where_none_can_be(world: World, kind: str) -> None:
    channel = getattr(world.guild, f"create_{kind}_channel")("talk")
    refused = said(await world.ann.slash(channel, "kanagawa new", thread=True))
    assert "cannot get a thread of its own" in refused
    assert "Leave out `thread`" in refused
    await world.ann.slash(channel, "kanagawa new", thread=False)
    assert (await world.session(channel)).is_lobby


async def test_an_announcement_channel_has_threads(world: World) -> None:
    channel = world.guild.create_news_channel("news")
    await world.ann.slash(channel, "kanagawa new", thread=True)
    assert (await world.session(channel)).record.options["thread"]
    found = await world.client.fetch_channel(channel.id)
    assert isinstance(found, discord.TextChannel)
    assert found.is_news()


async def test_looking_at_what_is_chosen_stores_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Any] = []
    prefer = world.store.prefer

    async def watched(user: int, preferences: Any) -> None:
        kept.append(preferences)
        await prefer(user, preferences)

    monkeypatch.setattr(world.store, "prefer", watched)
    assert "you get **a mention" in said(await world.ann.slash(world.channel, "kanagawa notify"))
    await world.ann.slash(world.channel, "kanagawa notify", how="mention")
    assert not kept, "that is how it is without a choice"
    await world.ann.slash(world.channel, "kanagawa notify", how="off")
    await world.ann.slash(world.channel, "kanagawa notify")
    assert len(kept) == 1
