"""Drawing: who comes first, what is drawn once, and what is kept."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cogs.easel import Easel, Rank, Slots
from cogs.keepsakes import keepsakes
from cogs.shelf import Shelf
from tests.discord.conftest import TINY, World
from tests.discord.table_talk import open_solo, open_table, play_out, table_of
from tests.stress.crowd import Slow, sitting
from tests.stress.players import versions
from tests.stress.stand_in import PEOPLE

# Who comes first -------------------------------------------------------------------------------------


@asynccontextmanager
async def waiting(slots: Slots, *asked: tuple[Rank, object]) -> AsyncIterator[list[tuple[Rank, object]]]:
    """All of these ask in this order while the slots are taken; they are noted as they are admitted."""
    admitted: list[tuple[Rank, object]] = []

    async def drawing(rank: Rank, owner: object) -> None:
        async with slots.take(rank, owner):
            admitted.append((rank, owner))
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as tasks, slots.take(Rank.TABLE, "first"):
        for rank, owner in asked:
            tasks.create_task(drawing(rank, owner))
        await asyncio.sleep(0)
        yield admitted


async def test_tables_come_before_looks_and_looks_before_replays() -> None:
    async with waiting(
        Slots(1), (Rank.KEEPSAKE, "a"), (Rank.PRIVATE, "b"), (Rank.PRIVATE, "c"), (Rank.TABLE, "d")
    ) as admitted:
        assert not admitted
    assert [owner for _, owner in admitted] == ["d", "b", "c", "a"]


async def test_further_drawings_of_one_person_wait_behind_everybody_elses() -> None:
    asked = [(Rank.PRIVATE, "greedy")] * 5 + [(Rank.PRIVATE, "b"), (Rank.PRIVATE, "c")]
    async with waiting(Slots(1), *asked) as admitted:
        pass
    assert [owner for _, owner in admitted] == ["greedy", "b", "c", *["greedy"] * 4]


async def test_one_person_has_one_drawing_of_a_kind_under_way() -> None:
    slots, most = Slots(3), 0
    inside: list[object] = []

    async def drawing(owner: object) -> None:
        nonlocal most
        async with slots.take(Rank.PRIVATE, owner):
            inside.append(owner)
            most = max(most, inside.count("greedy"))
            await asyncio.sleep(0.001)
            inside.remove(owner)

    await asyncio.gather(*(drawing("greedy") for _ in range(20)), drawing("other"))
    assert most == 1
    assert slots.free == 3


async def test_who_stops_waiting_gives_the_place_to_others() -> None:
    slots = Slots(1)
    async with slots.take(Rank.TABLE, "a"):
        late = asyncio.create_task(slots.take(Rank.TABLE, "b").__aenter__())
        await asyncio.sleep(0)
        late.cancel()
        await asyncio.gather(late, return_exceptions=True)
    async with asyncio.timeout(1), slots.take(Rank.TABLE, "c"):
        assert slots.free == 0
    assert slots.free == 1


# What is drawn once ----------------------------------------------------------------------------------


class Counting(Easel):
    """Counts what is drawn to be kept."""

    replays = posters = 0

    async def _draw_apart(self, views: Sequence[Any]) -> bytes:
        self.replays += 1
        await asyncio.sleep(0.01)
        return b"GIF89a"

    def _draw(self, kind: str, shown: Any, args: tuple[Any, ...]) -> bytes:
        self.posters += kind == "poster"
        return super()._draw(kind, shown, args)


async def test_a_replay_is_made_once_and_kept_also_after_a_restart(world: World, tmp_path: Path) -> None:
    session = await play_out(world, await open_solo(world, seed=2))
    table, shelf = world.client.table, Shelf(tmp_path / "pictures")
    easel = Counting(world.executor, TINY, shelf)
    kinds = ("poster", "replay")
    await asyncio.gather(*(keepsakes(table, easel, session, *kinds, owner=one) for one in range(10)))
    assert (easel.replays, easel.posters) == (1, 1), "who asks for the same meanwhile waits for it"
    again = Counting(world.executor, TINY, shelf)
    made = await keepsakes(table, again, session, *kinds, owner=1)
    assert [one.filename.partition("-")[0] for one in made] == ["poster", "replay"]
    assert (again.replays, again.posters) == (0, 0)
    other = Counting(world.executor, TINY * 1.5, shelf)
    await keepsakes(table, other, session, "replay", owner=1)
    assert other.replays == 1, "another size is another picture"


async def test_who_stops_waiting_for_a_replay_does_not_stop_it_for_others(world: World) -> None:
    session = await play_out(world, await open_solo(world, seed=2))
    easel = Counting(world.executor, TINY)
    first, second = (
        asyncio.create_task(keepsakes(world.client.table, easel, session, "replay", owner=one))
        for one in range(2)
    )
    await asyncio.sleep(0.005)
    first.cancel()
    assert len(await second) == 1
    assert easel.replays == 1


async def test_the_process_that_draws_a_replay_says_why_it_cannot(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    session = await play_out(world, await open_solo(world, seed=2))
    easel = Easel(world.executor)
    easel._scale = "large"  # type: ignore[assignment]
    assert await keepsakes(world.client.table, easel, session, "replay", owner=1) == []
    assert "could not convert string to float" in caplog.text
    caplog.clear()


async def test_a_finished_table_is_shown_before_its_replay_is_drawn(world: World) -> None:
    drawn, hold = asyncio.Event(), asyncio.Event()

    class Slow(Easel):
        async def _draw_apart(self, views: Sequence[Any]) -> bytes:
            drawn.set()
            await hold.wait()
            return await super()._draw_apart(views)

    session = await open_table(world, world.ann, world.ben, seed=5)
    world.client.publisher.easel = Slow(world.executor, TINY)
    playing = asyncio.create_task(play_out(world, session))
    await drawn.wait()
    shown = (await table_of(world, session.id)).attachments
    assert [one.filename.split("-")[0] for one in shown] == ["poster", "kanagawa"]
    hold.set()
    await playing
    shown = (await table_of(world, session.id)).attachments
    assert [one.filename.split("-")[0] for one in shown] == ["poster", "replay", "kanagawa"]
    film = Image.open(BytesIO(await shown[1].read()))
    assert film.format == "GIF"


# The shelf -------------------------------------------------------------------------------------------


def test_the_shelf_keeps_what_was_used_last(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "pictures", room=25)
    for number, name in enumerate(("a", "b", "c")):
        shelf.put(name, b"0123456789")
        if (file := tmp_path / "pictures" / name).exists():
            os.utime(file, (number, number))
    assert shelf.get("a") is None, "the oldest went"
    assert shelf.get("b") == b"0123456789"  # used now, so the next one to go is c
    shelf.put("d", b"0123456789")
    assert [shelf.get(name) is not None for name in "bcd"] == [True, False, True]
    shelf.put("e", bytes(26))
    assert shelf.get("e") is None, "what does not fit at all is not kept"
    assert shelf.get("b") is not None


def test_the_shelf_is_its_owners_alone(tmp_path: Path) -> None:
    Shelf(tmp_path / "pictures").put("a", b"")
    assert (tmp_path / "pictures").stat().st_mode & 0o077 == 0
    assert (tmp_path / "pictures" / "a").stat().st_mode & 0o077 == 0


def test_a_shelf_that_cannot_be_written_costs_only_time(tmp_path: Path, caplog: Any) -> None:
    shelf = Shelf(tmp_path / "missing" / "pictures")
    shelf.put("a", b"")
    assert shelf.get("a") is None
    assert "is not kept" in caplog.text


# One person's requests -------------------------------------------------------------------------------


async def test_one_persons_many_looks_take_one_upload_and_hold_up_no_table() -> None:
    """However slowly they are uploaded: ben's table is shown, and ann's looks follow one after the other."""
    async with sitting(random.Random(1), Slow) as world:
        far, most, hold = world.far, 0, asyncio.Event()
        channel, others = far.channels[:2]
        for one, user in ((channel, PEOPLE), (others, PEOPLE + 1)):
            await far.command(user, one, "solo").over()
        sending = 0
        answer = far.answer

        async def slowly(method: str, path: str, body: Any) -> Any:
            nonlocal sending, most
            if method != "PATCH" or not path.startswith("/webhooks"):
                return await answer(method, path, body)
            sending += 1
            most = max(most, sending)
            await hold.wait()
            sending -= 1
            return await answer(method, path, body)

        far.answer = slowly  # type: ignore[method-assign]
        looks = [far.command(PEOPLE, channel, "look", round=number) for number in range(2, 22)]
        looks += [far.command(PEOPLE, channel, kind) for kind in ("look", "hand")]
        await asyncio.sleep(0.1)
        (game,) = [one.id for one in await world.table.live() if one.channel == others]
        message = far.messages[(await world.table.get(game)).record.message or 0]
        async with asyncio.timeout(5):
            await far.press(PEOPLE + 1, message, far.shows(message, "Stay")).over()
        assert list(versions(message["components"])) == [(game, 1)], "the table shows what was done"
        hold.set()
        await asyncio.gather(*(one.over() for one in looks))
        assert all(not one.loading for one in looks)
        assert most == 1
