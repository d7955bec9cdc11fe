"""The table first, everything else beside it: what hangs or fails holds up nothing that matters.

Over the stand-in for Discord, in which each request can be made to hang by itself.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from cogs.easel import Rank
from kanagawa import apprentice
from kanagawa.actions import code
from table.table import Session
from tests.stress.crowd import Sitting, sitting
from tests.stress.players import versions
from tests.stress.stand_in import PEOPLE, Interaction, controls, failure

ANN, BEN, STRANGER = PEOPLE, PEOPLE + 1, PEOPLE + 3
#: Seconds for what takes none unless it waits for what hangs.
PATIENCE = 5


@asynccontextmanager
async def table() -> AsyncIterator[tuple[Sitting, Session]]:
    """A started game of ann and ben, shown."""
    async with sitting(random.Random(1)) as world:
        channel = world.far.channels[0]
        lobby = await world.far.command(ANN, channel, "new").over()
        message = world.far.messages[lobby.response or 0]
        await world.far.press(BEN, message, world.far.shows(message, "Join")).over()
        await world.far.press(ANN, message, world.far.shows(message, "Start")).over()
        await asyncio.sleep(0)
        yield world, await world.table.at(channel)


def mover(session: Session) -> int:
    assert session.to_move is not None
    return session.seats[session.to_move].user


def shown(world: Sitting, session: Session) -> int:
    """The version that the table's message shows."""
    ((_, version),) = versions(world.far.messages[session.record.message or 0]["components"])
    return version


def shows(world: Sitting, session: Session, version: int) -> bool:
    return shown(world, session) == version


def click(world: Sitting, session: Session, label: str, user: int | None = None) -> Interaction:
    message = world.far.messages[session.record.message or 0]
    return world.far.press(user or mover(session), message, world.far.shows(message, label))


@asynccontextmanager
async def hanging(world: Sitting, hangs: Callable[[str, str], bool]) -> AsyncIterator[asyncio.Event]:
    """While it lasts, such requests get no answer until the event is set."""
    answer, go_on = world.far.answer, asyncio.Event()

    async def slowly(method: str, path: str, body: Any) -> Any:
        if hangs(method, path):
            await go_on.wait()
        return await answer(method, path, body)

    world.far.answer = slowly  # type: ignore[method-assign]
    try:
        yield go_on
    finally:
        go_on.set()
        del world.far.answer


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not happened():  # noqa: ASYNC110 (it is the bot that makes it happen)
            await asyncio.sleep(0.005)


async def test_the_table_does_not_wait_for_the_movers_private_picture() -> None:
    async with table() as (world, session):
        async with hanging(world, lambda method, path: path.startswith("/webhooks")):
            done = click(world, session, "Take 1")
            await until(lambda: shown(world, session) == 1)
            assert not done.said
        await done.over()
        assert done.seen, "the private answer came later"


async def test_the_private_answer_does_not_wait_for_the_table() -> None:
    async with table() as (world, session):
        async with hanging(world, lambda method, path: (method, path[:9]) == ("PATCH", "/channels")):
            done = click(world, session, "Take 1")
            await until(lambda: any(versions(one["components"]) for one in done.seen))
            assert shown(world, session) == 0
        await done.over()
        assert shown(world, session) == 1


async def test_a_private_answer_that_fails_keeps_nobody_from_the_table() -> None:
    async with table() as (world, session):

        def fault(method: str, path: str) -> None:
            if path.startswith("/webhooks"):
                raise failure(500)

        world.far.fault = fault
        await click(world, session, "Take 1").over()
        assert shown(world, session) == 1


async def test_a_refusal_is_said_at_once_and_an_old_table_is_renewed_beside_it() -> None:
    async with table() as (world, session):
        await world.table.act(session.id, mover(session), 0, "stay")
        async with hanging(world, lambda method, path: (method, path[:9]) == ("PATCH", "/channels")):
            done = click(world, session, "Take 1")
            await until(lambda: bool(done.said))
            assert shown(world, session) == 0
        await done.over()
        assert shown(world, session) == 1


async def test_tables_that_one_person_starts_are_drawn_one_after_the_other(monkeypatch: Any) -> None:
    async with sitting(random.Random(1)) as world:
        slots, owners = world.client.publisher.easel.render_slots, set[object]()
        take = slots.take

        def noted(rank: Rank, owner: Any) -> Any:
            if rank is Rank.TABLE:
                owners.add(owner)
            return take(rank, owner)

        monkeypatch.setattr(slots, "take", noted)
        for channel in world.far.channels[:3]:
            await world.far.command(ANN, channel, "solo").over()
        assert owners == {ANN}


async def test_what_decorates_holds_up_no_table() -> None:
    """Neither the look below the message, nor notices sent and removed."""
    decorates = {("GET", "messages"), ("POST", "messages"), ("DELETE", "")}

    def hangs(method: str, path: str) -> bool:
        parts = path.strip("/").split("/")
        return parts[0] == "channels" and (method == "DELETE" or (method, parts[-1]) in decorates)

    async with table() as (world, session), hanging(world, hangs):
        pressed = []
        for version in (1, 2):
            pressed.append(click(world, session, "Stay"))
            await until(partial(shows, world, session, version))
            session = await world.table.get(session.id)
    await asyncio.gather(*(one.over() for one in pressed))


async def test_what_decorates_fails_no_table() -> None:
    def fault(method: str, path: str) -> None:
        if method in ("GET", "DELETE") or (method == "POST" and path.startswith("/channels")):
            raise failure(500)

    async with table() as (world, session):
        world.far.fault = fault
        await click(world, session, "Stay").over()
        session = await world.table.get(session.id)
        await click(world, session, "Stay").over()
        assert shown(world, session) == 2


async def test_a_plain_move_takes_four_requests() -> None:
    """Ann stays: the click is acknowledged, the table is edited, the old notice goes and ben is told.

    Nobody is asked what lies below the message once that has been looked at a few times.
    """
    async with table() as (world, session):
        counted: Counter[str] = Counter()
        moves = 0
        while moves < 12:
            world.sent.clear()
            wanted, seat = advice(session), session.to_move
            if wanted in ("stay", "take.1", "take.2", "take.3"):
                label = "Stay" if wanted == "stay" else f"Take {wanted[-1]}"
                await click(world, session, label).over()
                after = await world.table.get(session.id)
                if wanted == "stay" and seat != after.to_move:
                    counted.update(one.method for one in world.sent)
                    moves += 1
            else:
                await world.table.act(session.id, mover(session), session.version, wanted)
                await world.client.publisher.publish(session.id)
            session = await world.table.get(session.id)
        assert counted["PATCH"] == moves
        assert counted["POST"] <= 2 * moves
        assert counted["DELETE"] <= moves
        assert counted["GET"] <= 3


def advice(session: Session) -> str:
    assert session.to_move is not None
    legal = session.game.legal(session.state, session.to_move)
    if any(code(one) == "stay" for one in legal):
        return "stay"
    return code(apprentice.choose(session.view(mover(session)), legal))


# Bursts ----------------------------------------------------------------------------------------------


async def placing(world: Sitting, session: Session) -> Session:
    """Let somebody take three cards, and show that."""
    while advice(session) == "stay":
        await world.table.act(session.id, mover(session), session.version, "stay")
        session = await world.table.get(session.id)
    await world.table.act(session.id, mover(session), session.version, "take.1")
    await world.client.publisher.publish(session.id)
    return await world.table.get(session.id)


async def step(world: Sitting, session: Session) -> Session:
    """Do the next thing of a turn, but for its end."""
    assert session.to_move is not None
    codes = [code(one) for one in session.game.legal(session.state, session.to_move)]
    wanted = next(one for one in codes if one.startswith(("studio", "decline")))
    await world.table.act(session.id, mover(session), session.version, wanted)
    assert await world.client.publisher.publish(session.id)
    return await world.table.get(session.id)


async def burst(work: Callable[[Sitting, Session], Awaitable[None]], pause: float) -> None:
    """Somebody has three cards to place, and places the first two at once."""
    async with table() as (world, session):
        world.client.publisher.pause = pause
        session = await placing(world, session)
        taken = session.version
        assert shown(world, session) == taken
        session = await step(world, session)
        assert shown(world, session) == taken + 1, "the first step is shown at once"
        session = await step(world, session)
        assert shown(world, session) == taken + 1, "the second waits"
        await work(world, session)


async def test_the_steps_of_a_turn_are_shown_after_a_pause() -> None:
    async def wait(world: Sitting, session: Session) -> None:
        session = await step(world, session)
        edits = len(world.sent)
        await until(lambda: shown(world, session) == session.version)
        await asyncio.sleep(0.3)
        assert sum(one.method == "PATCH" for one in world.sent[edits:]) == 1, "both in one edit"

    await burst(wait, 0.2)


async def test_the_end_of_a_turn_is_shown_at_once() -> None:
    async def end(world: Sitting, session: Session) -> None:
        seat = session.to_move
        while session.to_move == seat:
            await world.table.act(session.id, mover(session), session.version, advice(session))
            session = await world.table.get(session.id)
        await world.client.publisher.publish(session.id)
        assert shown(world, session) == session.version

    await burst(end, 60)


async def test_the_end_of_a_game_is_shown_at_once() -> None:
    async def end(world: Sitting, session: Session) -> None:
        await world.table.cancel(session.id, STRANGER, moderator=True)
        await world.client.publisher.publish(session.id)
        message = world.far.messages[session.record.message or 0]
        assert not list(controls(message["components"]))

    await burst(end, 60)


async def test_a_bot_that_stops_shows_what_waits() -> None:
    async def stop(world: Sitting, session: Session) -> None:
        async with asyncio.timeout(PATIENCE):
            await world.client.close()
        assert shown(world, session) == session.version

    await burst(stop, 60)
