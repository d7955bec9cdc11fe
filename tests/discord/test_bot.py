"""Settings, starting and stopping: what whoever runs the bot meets."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import discord
import pytest
import simcord
import yarl
from aiohttp import web
from discord.http import Route

import bot
from bot import NAMES, Redacted, Settings, SetupFailure, read_settings
from cogs import local, online
from cogs.client import Client
from table.pace import BEAT
from table.store import Seat, SQLiteStore, open_store
from tests.discord.conftest import TINY, buttons_of, last
from tests.discord.table_talk import said

HERE = Path(bot.__file__).parent
TOKEN = "MTIzNDU2.secret-token.of_a_bot"


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    root, library = logging.getLogger(), logging.getLogger("discord")
    before = root.level, root.handlers[:], library.level
    yield
    root.setLevel(before[0])
    root.handlers[:] = before[1]
    library.setLevel(before[2])


# Settings -------------------------------------------------------------------------------------------


def test_the_example_holds_every_setting_with_its_default() -> None:
    example = HERE / ".env.example"
    assert read_settings({}, example) == Settings()
    lines = [line.partition("=")[0] for line in example.read_text().splitlines() if "=" in line]
    assert [line for line in lines if not line.startswith("#")] == list(NAMES.values())
    assert set(NAMES) == set(Settings.__dataclass_fields__)


def test_the_environment_goes_before_the_file_and_the_file_before_the_default(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(f"# a comment\n\nDISCORD_TOKEN='{TOKEN}'\nKANAGAWA_LOCAL_PORT = 9000\nodd line\n")
    settings = read_settings({"KANAGAWA_LOCAL_PORT": "9001", "KANAGAWA_DATA": str(tmp_path)}, file)
    assert settings == Settings(token=TOKEN, data=tmp_path, local_port=9001)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISCORD_TOKEN", "two words"),
        ("DISCORD_TOKEN", "zero\u200bwidth"),
        ("KANAGAWA_LOG_LEVEL", "LOUD"),
        ("KANAGAWA_PICTURE_SCALE", "huge"),
        ("KANAGAWA_PICTURE_SCALE", "0"),
        ("KANAGAWA_PICTURE_SCALE", "nan"),
        ("KANAGAWA_LOCAL_PORT", "65536"),
        ("KANAGAWA_LOCAL_PORT", "web"),
        ("KANAGAWA_LOCAL_PORT", "0 # any"),
        ("KANAGAWA_METRICS_PORT", "-1"),
        ("KANAGAWA_LOCAL_PORT", "9" * 400),
    ],
)
def test_a_value_that_cannot_be_is_refused_without_quoting_a_token(
    tmp_path: Path, name: str, value: str
) -> None:
    with pytest.raises(SetupFailure, match=" is wrong: ") as refused:
        read_settings({name: value, "KANAGAWA_DATA": str(tmp_path)}, tmp_path / ".env")
    assert name != "DISCORD_TOKEN" or value not in str(refused.value)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"\xff\xfe", ".env cannot be read"),
        (b"KANAGAWA_DATA=~nobody-at-all", "KANAGAWA_DATA is wrong"),
        (b"KANAGAWA_LOCAL_PROT=9000", "no setting, KANAGAWA_LOCAL_PROT"),
        (b"export KANAGAWA_LOCAL_PORT=9000", "no setting, KANAGAWA_LOCAL_PORT"),
        (f"DISCORD_TOKEN: {TOKEN}=".encode(), "no setting, DISCORD_TOKEN"),
    ],
)
def test_what_cannot_be_read_is_said_without_a_traceback_that_quotes_it(
    tmp_path: Path, line: bytes, reason: str
) -> None:
    file = tmp_path / ".env"
    file.write_bytes(f"DISCORD_TOKEN={TOKEN}\n".encode() + line)
    with pytest.raises(SetupFailure, match=reason) as refused:
        read_settings({}, file)
    assert TOKEN not in "".join(traceback.format_exception(refused.value))


def test_the_token_is_in_no_log_line_no_traceback_and_no_repr() -> None:
    assert TOKEN not in repr(Settings(token=TOKEN))
    try:
        raise ValueError(f"a header with {TOKEN}")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "%s", (TOKEN,), sys.exc_info())
    line = Redacted(TOKEN).format(record)
    assert TOKEN not in line
    assert line.count("[token]") >= 2
    assert "a header with" in Redacted("").format(record)


# Starting where it cannot ---------------------------------------------------------------------------


def start(monkeypatch: pytest.MonkeyPatch, data: Path, *arguments: str, token: str = "") -> int:
    """``python bot.py`` in this process, with settings of its own."""
    monkeypatch.setattr(bot, "HERE", data)
    monkeypatch.setattr(os, "environ", {"KANAGAWA_DATA": str(data), "DISCORD_TOKEN": token})
    return bot.main(arguments)


def test_a_missing_data_folder_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(monkeypatch, tmp_path / "unmounted") == 1
    assert "there is no data folder" in capsys.readouterr().err
    assert not (tmp_path / "unmounted").exists()


def test_a_newer_database_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = sqlite3.connect(tmp_path / bot.LOCAL_DATABASE)
    database.execute("PRAGMA user_version = 999")
    database.close()
    assert start(monkeypatch, tmp_path) == 1
    assert "newer than this program" in capsys.readouterr().err


def test_a_damaged_database_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / bot.LOCAL_DATABASE).write_bytes(b"no database at all" * 100)
    assert start(monkeypatch, tmp_path) == 1
    assert "the database cannot be used" in capsys.readouterr().err


def test_registering_without_a_token_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(monkeypatch, tmp_path, "sync") == 1
    assert "set DISCORD_TOKEN" in capsys.readouterr().err


def test_the_program_opens_the_local_table_keeps_a_second_one_out_and_stops_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {
        **{name: value for name, value in os.environ.items() if name not in NAMES.values()},
        "KANAGAWA_DATA": str(tmp_path),
        "KANAGAWA_LOCAL_PORT": "0",
        "PYTHONUNBUFFERED": "1",
    }
    command = [sys.executable, str(HERE / "bot.py")]
    with subprocess.Popen(
        command, cwd=HERE, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as first:
        assert first.stdout is not None
        assert first.stderr is not None
        greeting = ""
        while "Ctrl+C" not in greeting and (line := first.stdout.readline()):
            greeting += line
        assert "http://127.0.0.1:" in greeting, first.stderr.read()
        assert "/kanagawa new" in greeting
        assert start(monkeypatch, tmp_path) == 1
        assert "the database is in use" in capsys.readouterr().err
        first.send_signal(signal.SIGTERM)
        assert first.wait(30) == 0
        assert "Traceback" not in first.stderr.read()


# Backups --------------------------------------------------------------------------------------------


async def test_a_backup_goes_to_a_new_file_or_says_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(monkeypatch, tmp_path, "backup") == 1
    assert "no backup was made: there is no database" in capsys.readouterr().err
    async with open_store(tmp_path / bot.DATABASE):
        assert start(monkeypatch, tmp_path, "backup") == 0
        [made] = tmp_path.glob("kanagawa-????????T??????Z.sqlite3")
        assert str(made) in capsys.readouterr().out
        assert start(monkeypatch, tmp_path, "backup", str(tmp_path / "mine.sqlite3")) == 0
        assert start(monkeypatch, tmp_path, "backup", str(tmp_path / "mine.sqlite3")) == 1
        assert "there already" in capsys.readouterr().err
    async with open_store(made) as store:
        assert await store.live() == []


# The local table ------------------------------------------------------------------------------------


async def sitting(store: SQLiteStore, executor: ThreadPoolExecutor, *, deed: str) -> tuple[int, list[str]]:
    """One opening of the local table: its channel's ID, and what its last message lets one do."""
    client = bot.build(store, executor, TINY)
    env = simcord.Env(client, settle_timeout=30)
    await env.start()
    try:
        with env.time_context():
            channel, people = await local.open_world(env, client)
            if deed == "open":
                await people[0].slash(channel, "kanagawa new")
            elif deed == "start":
                await people[1].click(last(channel), label="Join")
                await people[0].click(last(channel), label="Start")
            games = await client.table.live()
            shown = games[0].message
            assert shown is not None
            components: Any = (await client.http.get_message(channel.id, shown)).get("components", [])
            return channel.id, list(buttons_of(components))
    finally:
        await env.shutdown()


async def test_the_local_table_finds_its_games_again_when_it_is_opened_anew(
    store: SQLiteStore, executor: ThreadPoolExecutor
) -> None:
    channel, offered = await sitting(store, executor, deed="open")
    assert "Join" in offered
    again, offered = await sitting(store, executor, deed="start")
    assert again == channel
    assert "Join" not in offered
    again, offered_again = await sitting(store, executor, deed="look")
    assert again == channel
    assert offered_again == offered


async def test_steps_of_a_turn_in_quick_succession_are_answered_at_the_local_table(
    store: SQLiteStore, executor: ThreadPoolExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[str] = []

    async def serve(client: Client, port: int, data: Path) -> None:
        async with simcord.run(client, settle_timeout=5) as world:
            channel, people = await local.open_world(world, client)
            await people[0].slash(channel, "kanagawa solo")
            await people[0].slash(channel, "kanagawa take", column="1")
            for _ in range(2):
                answers.append(said(await people[0].slash(channel, "kanagawa studio", card="1")))
                answers.append(said(await people[0].slash(channel, "kanagawa undo")))

    monkeypatch.setattr(local, "serve", serve)
    await bot.local_table(Settings(data=tmp_path, picture_scale=TINY), store, executor)
    assert ["into the Studio" in answers[0], "Taken back" in answers[1]] == [True, True]
    assert answers[2:] == answers[:2]


# Discord, in the shape of a server on the loopback interface ----------------------------------------


#: What Discord says of a bot's user and of its application, in one.
USER = {"id": "7", "username": "bot", "discriminator": "0", "avatar": None}
IDENTITY = USER | {
    "name": "bot",
    "description": "",
    "icon": None,
    "owner": USER,
    "bot_public": True,
    "bot_require_code_grant": False,
    "verify_key": "",
}


def _json(body: Any, *, status: int = 200) -> web.Response:
    # discord.py reads JSON only where the type is this to the letter.
    return web.Response(body=json.dumps(body), status=status, headers={"Content-Type": "application/json"})


@asynccontextmanager
async def discord_server(
    monkeypatch: pytest.MonkeyPatch, *, accepts: bool = True, barred: int | None = None
) -> AsyncIterator[list[tuple[str, str, Any]]]:
    """Discord's API as far as logging in and registering go; yields the requests that come in.

    Its gateway refuses every connection. With ``barred`` a page of HTML of that status is all there is.
    """
    asked: list[tuple[str, str, Any]] = []

    async def answer(request: web.Request) -> web.Response:
        body = await request.json() if request.can_read_body else None
        asked.append((request.method, request.path, body))
        if barred:
            return web.Response(status=barred, text="<html>banned</html>", headers={"Retry-After": "421"})
        if not accepts:
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        if request.path.endswith("/commands"):
            return _json([])
        if request.path.endswith("/gateway/bot"):
            limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
            return _json({"url": str(gateway), "shards": 1, "session_start_limit": limit})
        return _json(IDENTITY)

    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        gateway = yarl.URL(f"ws://127.0.0.1:{unused.getsockname()[1]}/")
    port = runner.addresses[0][1]
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{port}")
    try:
        yield asked
    finally:
        await runner.cleanup()


async def test_a_token_that_discord_refuses_is_said_and_not_shown(
    store: SQLiteStore,
    executor: ThreadPoolExecutor,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings = Settings(token=TOKEN)
    async with discord_server(monkeypatch, accepts=False):
        with pytest.raises(SetupFailure, match="does not accept the token") as refused:
            await bot.on_discord(settings, store, executor)
        with pytest.raises(SetupFailure, match="does not accept the token"):
            await bot.sync(settings, None)
    assert TOKEN not in f"{refused.value}{caplog.text}"


async def test_a_gateway_that_refuses_is_tried_again_and_starting_registers_nothing(
    store: SQLiteStore,
    executor: ThreadPoolExecutor,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    delays: list[float] = []
    tried_thrice = asyncio.Event()
    really_sleep = asyncio.sleep

    async def sleep(delay: float, *_: Any) -> None:
        if delay > online.LONGEST_DELAY or delay == BEAT:
            await really_sleep(delay)  # that of the clock, which is not meant
        if delay >= online.FIRST_DELAY:
            delays.append(delay)
            if len(delays) == 3:
                tried_thrice.set()
                await really_sleep(3600)
        await really_sleep(0)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    async with discord_server(monkeypatch) as asked:
        running = asyncio.create_task(bot.on_discord(Settings(token=TOKEN), store, executor))
        await asyncio.wait_for(tried_thrice.wait(), 30)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert delays == sorted(delays)
    assert delays[0] < delays[2] <= online.LONGEST_DELAY
    assert "no connection to Discord" in caplog.text
    assert TOKEN not in caplog.text
    assert not [path for method, path, _ in asked if method != "GET"]


@pytest.mark.parametrize("status", [403, 429])
async def test_a_ban_of_this_address_is_said_in_words_and_waited_for(
    status: int,
    store: SQLiteStore,
    executor: ThreadPoolExecutor,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with discord_server(monkeypatch, barred=status) as asked:
        running = asyncio.create_task(bot.on_discord(Settings(token=TOKEN), store, executor))
        async with asyncio.timeout(30):
            while "the next try" not in caplog.text:  # noqa: ASYNC110 (the log tells nobody)
                await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert f"HTTP {status}: Discord takes no requests from this computer's address" in caplog.text
    assert "the next try is in 421 s" in caplog.text
    assert "<html>" not in caplog.text
    assert len(asked) == 1


async def test_a_stop_is_heeded_although_connecting_misses_it(
    store: SQLiteStore, executor: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()

    async def start(client: discord.Client, token: str) -> None:
        with suppress(asyncio.CancelledError):
            begun.set()
            await asyncio.sleep(3600)
        await asyncio.sleep(3600)

    monkeypatch.setattr(discord.Client, "start", start)
    running = asyncio.create_task(bot.on_discord(Settings(token=TOKEN), store, executor))
    await asyncio.wait_for(begun.wait(), 30)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(running, 30)


@pytest.mark.parametrize("guild", [None, 42])
async def test_registering_sends_the_one_group_to_everywhere_or_to_one_server(
    guild: int | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with discord_server(monkeypatch) as asked:
        await bot.sync(Settings(token=TOKEN), guild)
    [(path, body)] = [(path, body) for method, path, body in asked if method == "PUT"]
    assert path == "/applications/7/commands" if guild is None else "/applications/7/guilds/42/commands"
    [group] = body
    assert group["name"] == "kanagawa"
    assert {"new", "solo", "take", "help"} <= {one["name"] for one in group["options"]}
    assert len(group["options"]) <= 25
    assert "registered" in capsys.readouterr().out


def test_the_group_declares_where_it_works(store: SQLiteStore, executor: ThreadPoolExecutor) -> None:
    client = bot.build(store, executor, TINY)
    [group] = [one.to_dict(client.tree) for one in client.tree.get_commands()]
    assert sorted(group["contexts"]) == [0, 1], "servers and direct messages"
    assert group["integration_types"] == [0], "installed by servers"
    assert client.intents == discord.Intents(guilds=True), "nothing privileged"
    assert not client.intents.members
    assert not client.intents.message_content


async def test_a_restart_lets_every_table_show_its_newest_version(
    store: SQLiteStore, executor: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = bot.build(store, executor, TINY)
    opened = [
        await client.table.open(bot.KIND, channel, Seat(1, "ann"), {"mode": "osahito"}) for channel in (5, 6)
    ]
    for session in opened:
        await client.table.start(session.id, 1)
    shown: list[int] = []

    async def publish(game: int, **_: Any) -> bool:
        shown.append(game)
        return True

    monkeypatch.setattr(client.publisher, "publish", publish)
    await bot.publish_all(client)
    assert shown == [session.id for session in opened]


# The files -------------------------------------------------------------------------------------------


async def test_a_start_without_the_token_leaves_the_database_of_the_bot_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    async def look(settings: Settings, *_: Any) -> None:
        opened.append(settings.token)

    monkeypatch.setattr(bot, "local_table", look)
    monkeypatch.setattr(bot, "on_discord", look)
    async with open_store(tmp_path / bot.DATABASE) as store:
        await bot.run(Settings(data=tmp_path))
        assert await store.live() == []
    assert (tmp_path / bot.LOCAL_DATABASE).is_file()
    await bot.run(Settings(token="ab.cd.ef", data=tmp_path))
    assert opened == ["", "ab.cd.ef"]


async def test_a_check_says_whether_the_database_is_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_store(tmp_path / bot.DATABASE):
        assert start(monkeypatch, tmp_path, "check") == 0
    assert "whole" in capsys.readouterr().out
    (tmp_path / bot.DATABASE).write_bytes(b"no database at all" * 100)
    assert start(monkeypatch, tmp_path, "check") == 1
    assert "not a database" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="Windows knows no such rights")
def test_the_folder_that_the_bot_makes_is_closed_to_others(tmp_path: Path) -> None:
    older = tmp_path / "older"
    older.mkdir(mode=0o755)
    for folder in (tmp_path / "new", older):
        bot.make_folder(folder)
        assert folder.stat().st_mode & 0o777 == 0o700
