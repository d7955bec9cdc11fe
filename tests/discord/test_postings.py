"""A game has one message with live buttons, whenever the process dies or the connection breaks."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

import bot
from cogs import postings
from cogs.client import Client
from table.table import Session
from tests.stress.crowd import Blank, Here, Sitting, sitting
from tests.stress.players import versions
from tests.stress.stand_in import EPHEMERAL, PEOPLE, Discord, Person, controls, failure

ANN, BEN = PEOPLE, PEOPLE + 1


def live(far: Discord, channel: int) -> list[int]:
    """The messages of a channel that have buttons of a table or of a lobby, oldest first."""
    return sorted(
        int(one["id"])
        for one in far.messages.values()
        if int(one["channel_id"]) == channel and not one["flags"] & EPHEMERAL
        if any(str(control["custom_id"]).startswith("kg") for control in controls(one["components"]))
    )


@asynccontextmanager
async def dies_before_keeping(world: Sitting, monkeypatch: Any) -> AsyncIterator[None]:
    """What is posted meanwhile reaches Discord, and then the process is as good as dead."""

    over = asyncio.Event()

    async def dead(*_: Any) -> None:
        await over.wait()
        raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(world.table, "set_message", dead)
        yield
        await asyncio.sleep(0.1)
    over.set()
    await asyncio.sleep(0)


@asynccontextmanager
async def another(world: Sitting) -> AsyncIterator[tuple[Discord, Client]]:
    """The next process, on the same database and the same Discord."""
    far = world.far.again(world.far.clock)
    client = bot.build(world.table.store, Here(), 0.5, world.far.clock)
    client.publisher.easel = Blank()
    await far.connect(client)
    try:
        await client.places.show_all()
        yield far, client
    finally:
        await client.close()


async def playing(world: Sitting, channel: int) -> Session:
    await world.far.command(ANN, channel, "solo").over()
    return await world.table.at(channel)


async def test_a_first_table_that_strayed_is_taken_for_the_games(monkeypatch: Any) -> None:
    async with sitting(random.Random(1)) as world:
        channel = world.far.channels[0]
        async with dies_before_keeping(world, monkeypatch):
            world.far.command(ANN, channel, "solo")
        (strayed,) = live(world.far, channel)
        async with another(world) as (far, client):
            assert live(far, channel) == [strayed]
            session = await client.table.at(channel)
            assert session.record.message == strayed
            await far.press(ANN, far.messages[strayed], far.shows(far.messages[strayed], "Stay")).over()
            assert versions(far.messages[strayed]["components"]) == {(session.id, 1)}
            assert await client.table.store.postings() == []


async def test_a_table_posted_anew_that_strayed_leaves_one_with_buttons(monkeypatch: Any) -> None:
    async with sitting(random.Random(1)) as world:
        channel = world.far.channels[0]
        session = await playing(world, channel)
        async with dies_before_keeping(world, monkeypatch):
            world.far.command(ANN, channel, "table")
        first, strayed = live(world.far, channel)
        assert session.record.message == first
        async with another(world) as (far, client):
            assert live(far, channel) == [strayed]
            assert (await client.table.at(channel)).record.message == strayed


async def test_a_lobby_that_strayed_is_taken_for_the_games(monkeypatch: Any) -> None:
    async with sitting(random.Random(1)) as world:
        channel = world.far.channels[0]
        async with dies_before_keeping(world, monkeypatch):
            world.far.command(ANN, channel, "new")
        (strayed,) = live(world.far, channel)
        async with another(world) as (far, client):
            assert live(far, channel) == [strayed]
            await far.press(BEN, far.messages[strayed], far.shows(far.messages[strayed], "Join")).over()
            assert len((await client.table.at(channel)).seats) == 2


async def test_a_lobby_posted_anew_that_strayed_leaves_one_with_buttons(monkeypatch: Any) -> None:
    async with sitting(random.Random(1)) as world:
        channel = world.far.channels[0]
        await world.far.command(ANN, channel, "new").over()
        async with dies_before_keeping(world, monkeypatch):
            world.far.command(ANN, channel, "table")
        assert len(live(world.far, channel)) == 2
        async with another(world) as (far, client):
            (left,) = live(far, channel)
            assert (await client.table.at(channel)).record.message == left


async def test_a_post_that_never_arrived_is_posted(monkeypatch: Any) -> None:
    async with sitting(random.Random(1)) as world:
        channel = world.far.channels[0]

        async def dead(*_: Any, **content: Any) -> None:
            raise asyncio.CancelledError

        with monkeypatch.context() as patch:
            patch.setattr(bot.discord.PartialMessageable, "send", dead)
            world.far.command(ANN, channel, "solo")
            await asyncio.sleep(0.1)
        assert live(world.far, channel) == []
        async with another(world) as (far, _):
            assert len(live(far, channel)) == 1


async def test_a_post_whose_answer_is_lost_is_found_by_the_next_try() -> None:
    """Also where Discord takes the second post for the first, which it shows by then in an older version."""
    async with sitting(random.Random(1)) as world:
        channel, answer, lost = world.far.channels[0], world.far.answer, 1

        async def losing(method: str, path: str, body: Any) -> Any:
            nonlocal lost
            done = await answer(method, path, body)
            if lost and (method, path) == ("POST", f"/channels/{channel}/messages"):
                lost -= 1
                raise aiohttp.ServerDisconnectedError
            return done

        world.client.publisher.delays = (0.01,)
        world.far.answer = losing  # type: ignore[method-assign]
        session = await playing(world, channel)
        await asyncio.sleep(0.2)
        (posted,) = live(world.far, channel)
        assert (await world.table.get(session.id)).record.message == posted
        assert not lost


async def test_a_second_post_that_discord_takes_for_the_first_shows_the_newest_version(
    monkeypatch: Any,
) -> None:
    """Where an earlier try cannot be looked for, the nonce alone keeps it from being posted twice."""
    async with sitting(random.Random(1)) as world:
        channel, publisher = world.far.channels[0], world.client.publisher
        async with dies_before_keeping(world, monkeypatch):
            waiting = world.far.command(ANN, channel, "solo")
        await waiting.over()
        (record,) = await world.table.live()
        await world.table.act(record.id, ANN, 0, "stay")

        def fault(method: str, path: str) -> None:
            if (method, path) == ("GET", f"/channels/{channel}/messages"):
                raise failure(403, 50001)

        world.far.fault = fault

        async def kept(_: int) -> None:
            """Keep the nonce."""

        with monkeypatch.context() as patch:
            patch.setattr(world.table.store, "end_posting", kept)
            async with asyncio.timeout(5):
                assert await publisher.publish(record.id)
        (posted,) = live(world.far, channel)
        assert versions(world.far.messages[posted]["components"]) == {(record.id, 1)}


async def test_questions_and_the_messages_of_other_games_are_nobodys_table(monkeypatch: Any) -> None:
    async with sitting(random.Random(1)) as world:
        channel = world.far.channels[0]
        session = await playing(world, channel)
        before = live(world.far, channel)
        other = await playing(world, world.far.channels[1])
        # Another game's table in the same channel, and text with a button of this one.
        message = world.far.messages[other.record.message or 0]
        message["channel_id"] = str(channel)
        world.far._posted[channel].append(int(message["id"]))
        await world.far.command(ANN, channel, "concede", friend=Person(BEN)).over()
        await world.table.store.begin_posting(
            postings.Posting(session.id, channel, "8", world.far.clock() - 5)
        )
        async with another(world) as (far, client):
            assert set(before) < set(live(far, channel))
            assert int(message["id"]) in far.messages
            assert (await client.table.get(session.id)).record.message == session.record.message


async def test_a_look_that_fails_is_made_good_by_the_next_post(monkeypatch: Any) -> None:
    """Discord is out of order as the bot starts; the strayed table is found once it is shown."""
    async with sitting(random.Random(1)) as world:
        channel = world.far.channels[0]
        async with dies_before_keeping(world, monkeypatch):
            world.far.command(ANN, channel, "solo")
        (strayed,) = live(world.far, channel)

        def fault(method: str, path: str) -> None:
            if method != "POST" and path.startswith("/channels"):
                raise failure(500)

        world.far.fault = fault
        far = world.far.again(world.far.clock)
        far.fault = fault
        client = bot.build(world.table.store, Here(), 0.5, world.far.clock)
        client.publisher.easel, client.publisher.delays = Blank(), ()
        await far.connect(client)
        await client.places.show_all()
        assert live(far, channel) == [strayed], "nothing is posted as long as that is unknown"
        far.fault = lambda method, path: None
        (record,) = await client.table.live()
        assert await client.publisher.publish(record.id)
        assert live(far, channel) == [strayed]
        await client.close()
