"""Both simulations of Discord are as strict as it is, and tell of attachments as it does."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import discord
import pytest

from table.pace import DAY
from tests import strict
from tests.discord.conftest import World
from tests.stress.crowd import Sitting, sitting
from tests.stress.stand_in import EPHEMERAL, PEOPLE, controls, failure, told

ANN, BEN = PEOPLE, PEOPLE + 1


def refusals(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was refused, which is no failure of the test."""
    noted = list(strict.refused)
    strict.refused.clear()
    caplog.clear()
    return noted


async def test_the_simulated_discord_refuses_what_discord_would(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    channel = world.client.get_partial_messageable(world.channel.id)
    sent = await channel.send("a", allowed_mentions=discord.AllowedMentions.none())
    for send in (channel.send, sent.edit):
        with pytest.raises(discord.HTTPException, match="no timestamp") as refused:
            await send(content="<t:soon>")
        assert (refused.value.status, refused.value.code) == (400, 50035)
    assert len(refusals(caplog)) == 2


async def test_the_stand_in_refuses_what_discord_would(caplog: pytest.LogCaptureFixture) -> None:
    async with sitting(random.Random(1)) as world:
        channel = world.client.get_partial_messageable(world.far.channels[0])
        sent = await channel.send("a")
        for send in (channel.send, sent.edit):
            with pytest.raises(discord.HTTPException, match="no timestamp") as refused:
                await send(content="<t:soon>")
            assert (refused.value.status, refused.value.code) == (400, 50035)
    assert len(refusals(caplog)) == 2


async def test_the_stand_in_knows_a_token_for_a_quarter_of_an_hour() -> None:
    async with sitting(random.Random(1)) as world:
        done = await world.far.command(ANN, world.far.channels[0], "help").over()
        path = f"/webhooks/2/t{done.id}"
        await world.far.answer("POST", path, {"payload": {"content": "a"}})
        world.ahead += 15 * 60 + 1
        with pytest.raises(discord.HTTPException, match="expired"):
            await world.far.answer("POST", path, {"payload": {"content": "a"}})


async def test_in_the_stand_in_nothing_follows_before_the_first_answer() -> None:
    async with sitting(random.Random(1)) as world:
        done = world.far.command(ANN, world.far.channels[0], "help")
        with pytest.raises(discord.NotFound):
            await world.far.answer("POST", f"/webhooks/2/t{done.id}", {"payload": {"content": "a"}})
        await done.over()


async def test_in_the_stand_in_an_announced_answer_is_seen_by_whom_it_was_announced_to() -> None:
    async with sitting(random.Random(1)) as world:
        for announced, answered in ((0, EPHEMERAL), (EPHEMERAL, 0)):
            done = await world.far.command(ANN, world.far.channels[0], "gone").over()
            done.loading, done.flags = True, announced
            payload = {"content": "a", "flags": answered}
            sent = await world.far.answer("POST", f"/webhooks/2/t{done.id}", {"payload": payload})
            assert sent["flags"] == announced


async def test_the_stand_in_lets_nothing_be_edited_in_an_archived_thread_until_somebody_writes() -> None:
    async with sitting(random.Random(1)) as world:
        number = world.far.channels[0]
        thread = world.client.get_partial_messageable(number)
        sent = await thread.send("a")
        await world.far.answer("PATCH", f"/channels/{number}", {"json": {"archived": True}})
        with pytest.raises(discord.HTTPException) as refused:
            await sent.edit(content="b")
        assert refused.value.code == 50083
        await thread.send("c")
        await sent.edit(content="b")


# What is attached ------------------------------------------------------------------------------------


async def started(world: Sitting) -> tuple[int, Mapping[str, Any]]:
    """A game of two people, and its message."""
    channel = world.far.channels[0]
    await world.far.command(ANN, channel, "new").over()
    for user, label in ((BEN, "Join"), (ANN, "Start")):
        message = await table(world)
        await world.far.press(user, message, world.far.shows(message, label)).over()
    return (await world.table.at(channel)).id, await table(world)


async def table(world: Sitting) -> Mapping[str, Any]:
    session = await world.table.at(world.far.channels[0])
    return world.far.messages[session.record.message or 0]


async def take(world: Sitting, game: int) -> None:
    """Let whoever is to move take a column; the pictures of these games are all alike."""
    session = await world.table.get(game)
    assert session.to_move is not None
    await world.table.act(game, session.seats[session.to_move].user, session.version, "take.1")
    assert await world.client.publisher.publish(game)


@pytest.mark.parametrize("forgotten", [False, True])
async def test_a_picture_that_stays_is_kept_though_discord_does_not_list_it(forgotten: bool) -> None:
    async with sitting(random.Random(1)) as world:
        game, message = await started(world)
        before = [one["id"] for one in message["attachments"]]
        assert len(before) == 2
        assert told(message)["attachments"] == []
        if forgotten:
            world.client.publisher._shown.clear()
        world.sent.clear()
        await take(world, game)
        assert [one["id"] for one in (await table(world))["attachments"]] == before
        assert not any(one.files for one in world.sent)


async def test_a_private_table_keeps_its_pictures_as_well() -> None:
    async with sitting(random.Random(1)) as world:
        _, message = await started(world)
        opened = await world.far.press(ANN, message, world.far.shows(message, "My table")).over()
        bench = world.far.messages[int(opened.seen[-1]["id"])]
        before = [one["id"] for one in bench["attachments"]]
        world.sent.clear()
        await world.far.press(ANN, bench, world.far.shows(bench, "Refresh")).over()
        assert before
        assert [one["id"] for one in bench["attachments"]] == before
        assert not any(one.files for one in world.sent)


async def test_an_announced_table_keeps_nothing_of_the_private_message_that_asked_for_it() -> None:
    async with sitting(random.Random(1)) as world:
        _, message = await started(world)
        mine = world.far.shows(message, "My table")
        opened = await world.far.press(ANN, message, mine).over()
        bench = world.far.messages[int(opened.seen[-1]["id"])]
        forged = {**bench, "components": message["components"]}
        again = await world.far.press(ANN, forged, mine).over()
        assert again.seen[-1]["id"] != bench["id"]
        assert world.far.messages[int(again.seen[-1]["id"])]["attachments"]


async def test_a_picture_that_cannot_be_kept_is_sent_again() -> None:
    async with sitting(random.Random(1)) as world:
        game, message = await started(world)
        failed = 0

        def fault(method: str, path: str) -> None:
            nonlocal failed
            if method == "PATCH" and not failed:
                failed = 1
                raise failure(400, 50035, "what was to be kept is gone")

        world.far.fault = fault
        world.sent.clear()
        await take(world, game)
        assert failed
        assert [len(one.files) for one in world.sent if one.method == "PATCH"] == [0, 2]
        assert (await table(world))["id"] == message["id"]


async def test_a_buried_table_loses_its_buttons_and_keeps_its_pictures() -> None:
    async with sitting(random.Random(1)) as world:
        game, old = await started(world)
        pictures = list(old["attachments"])
        world.ahead += DAY + 1
        await take(world, game)
        assert (await table(world))["id"] != old["id"]
        assert not list(controls(old["components"]))
        assert old["attachments"] == pictures
