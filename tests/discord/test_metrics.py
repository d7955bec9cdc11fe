"""What is seen from outside: the figures, where they are served, and the form of the log's lines."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from prometheus_client import REGISTRY

import bot
import render
from cogs import metrics
from table.store import SQLiteStore
from tests.discord.conftest import World, last
from tests.discord.table_talk import open_table, person_to_move, press_raw, table_of

EDIT = ("PATCH", "/channels/*/messages/*")
ABOUT = re.compile(r"game=(\d+|-) version=(-?\d+|-) channel=(\d+|-) ")


def figure(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"kanagawa_{name}", labels) or 0


async def figures(serving: metrics.Serving) -> str:
    def read() -> str:
        with urlopen(f"http://127.0.0.1:{serving.port}/metrics") as answer:
            return answer.read().decode()

    return await asyncio.to_thread(read)


async def test_games_moves_pictures_and_errors_are_counted(world: World) -> None:
    def now() -> list[float]:
        return [
            figure("games_started_total"),
            figure("moves_total", maker="person"),
            figure("moves_total", maker="apprentice"),
            figure("errors_total", id="error-turn-of"),
            figure("games_ended_total", how="abandoned"),
        ]

    before, drawn = now(), figure("render_seconds_count", picture="wall")
    shown = figure("published_total", result="shown")
    session = await open_table(world, world.ann, world.ben)
    assert figure("render_seconds_count", picture="wall") == drawn + 1
    assert figure("published_total", result="shown") == shown + 1
    waiting = next(one for one in (world.ann, world.ben) if one is not person_to_move(world, session))
    await waiting.click(await table_of(world, session.id), label="Take 1")
    await person_to_move(world, session).click(await table_of(world, session.id), label="Take 1")
    placing = person_to_move(world, session)
    for one in sorted((world.ann, world.ben), key=lambda one: one is not placing):
        await world.client.table.concede(session.id, one.id)
    session = await world.client.table.get(session.id)
    apprentice = sum(one.maker == "apprentice" for one in session.line)
    assert apprentice > 0
    assert now() == [a + b for a, b in zip(before, [1, 1, apprentice, 1, 1], strict=True)]


async def test_an_undo_is_no_move_of_a_person(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    person = person_to_move(world, session)
    moves, undone = figure("moves_total", maker="person"), figure("moves_total", maker="undo")
    await world.client.table.act(session.id, person.id, 0, "take.1")
    await world.client.table.undo(session.id, person.id, 1)
    assert figure("moves_total", maker="person") == moves + 1
    assert figure("moves_total", maker="undo") == undone + 1


async def test_a_table_that_is_not_shown_and_a_picture_that_is_not_drawn_are_counted(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    session = await open_table(world, world.ann, world.ben)
    failed, drawn = figure("published_total", result="failed"), figure("errors_total", id="not-drawn")
    monkeypatch.setattr(render, "wall", None)
    world.env.inject_error(*EDIT, status=500, times=None)
    await world.client.table.act(session.id, person_to_move(world, session).id, 0, "take.1")
    assert not await world.client.publisher.publish(session.id)
    assert figure("published_total", result="failed") == failed + 1
    assert figure("errors_total", id="not-drawn") == drawn + 1
    caplog.clear()


async def test_the_figures_are_served_on_the_loopback_interface_and_end_with_the_bot(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "LOOK", 0.01)
    monkeypatch.setattr(metrics, "LOOKS", 2)
    looked = figure("loop_lag_seconds_count")
    await world.ann.slash(world.channel, "kanagawa new")
    async with metrics.Serving(0, world.store) as serving:
        assert serving._server.server_address[0] == "127.0.0.1"
        await world.ben.click(last(world.channel), label="Join")  # the clock that never ends is no obstacle
        await asyncio.sleep(0.1)
        assert "kanagawa_games 1.0" in await figures(serving)
    assert figure("loop_lag_seconds_count") > looked
    with pytest.raises(URLError):
        await figures(serving)


async def test_nothing_is_served_without_a_port(store: SQLiteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "Serving", None)
    async with bot._metrics(None, store):
        pass


def test_a_port_in_use_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setenv("KANAGAWA_DATA", str(tmp_path))
        monkeypatch.setenv("KANAGAWA_METRICS_PORT", str(other.getsockname()[1]))
        monkeypatch.setattr(bot, "set_up_logging", lambda settings: None)
        assert bot.main([]) == 1
    assert "the metrics cannot be served" in capsys.readouterr().err


async def test_every_line_of_the_log_about_a_game_names_it_in_one_form(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "cogs")
    caplog.set_level(logging.DEBUG, "table")
    session = await open_table(world, world.ann, world.ben)
    person, message = person_to_move(world, session), await world.table_message(session.id)
    monkeypatch.setattr(render, "wall", None)
    world.env.inject_error("POST", "/interactions/*/callback", status=500, times=None)
    world.env.inject_error(*EDIT, status=500, times=None)
    await press_raw(world, person, message, f"kg:{session.id}:0:take.1")
    world.env.backend.faults.clear()

    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(world.client.table, "act", broken)
    await press_raw(world, person, message, f"kg:{session.id}:0:take.2")
    await world.client.table.cancel(session.id, 0, moderator=True)
    lines = [one.getMessage() for one in caplog.records if one.name.startswith(("table.", "cogs."))]
    caplog.clear()
    assert all(ABOUT.match(line) for line in lines), lines
    head = f"game={session.id} version=1 channel={world.channel.id} "
    seat = session.to_move
    for told in (
        f"seat={seat} maker=person action=take.1",
        "an answer was not delivered",
        "the picture wall cannot be drawn",
        "not shown",
        "incident=",
        "ended=cancelled",
    ):
        assert any(line.startswith(head + told) for line in lines), (told, lines)
