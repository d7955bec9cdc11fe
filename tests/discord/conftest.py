"""A simulated Discord with the real bot in it, over a real database in a temporary folder."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
import simcord
from discord.http import Route
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.http.client import FakeHTTPClient, FakeWebhookAdapter

import bot
import cogs.publish
from cogs.client import Client
from table.store import SQLiteStore, open_store
from table.table import Session
from tests import strict
from tests.stress.stand_in import failure, path_of

#: Pixels to the unit: small pictures are drawn and uploaded quickly.
TINY = 0.5


@dataclass
class World:
    """A guild with a channel and four people; ``client`` is the bot as it runs now."""

    env: simcord.Env
    store: SQLiteStore
    executor: ThreadPoolExecutor
    client: Client
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    ann: simcord.MemberActor
    ben: simcord.MemberActor
    cleo: simcord.MemberActor
    dan: simcord.MemberActor

    @property
    def people(self) -> tuple[simcord.MemberActor, ...]:
        return self.ann, self.ben, self.cleo, self.dan

    async def restart(self) -> None:
        """Start the bot anew: nothing but the database and what Discord shows outlives it."""
        self.client = bot.build(self.store, self.executor, TINY, lambda: self.env.now().timestamp(), pause=0)
        await self.env.restart_bot(self.client)

    async def session(self, channel: simcord.ChannelHandle | None = None) -> Session:
        """The live game of a channel."""
        return await self.client.table.at((channel or self.channel).id)

    async def table_message(self, game: int) -> dict[str, Any]:
        """The message that shows a game, as Discord has it."""
        session = await self.client.table.get(game)
        assert session.record.message is not None
        return await self.message(session.record.channel, session.record.message)

    async def message(self, channel: int, message: int) -> dict[str, Any]:
        """A message as Discord has it."""
        return dict(await self.client.http.get_message(channel, message))


class _Standing:
    """What the simulated Discord knows that a request does not say."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def standing(self, path: Sequence[str]) -> Mapping[str, Any] | None:
        """The message that a request edits, or of a callback the one that was clicked."""
        match path:
            case ["channels", channel, "messages", message]:
                return self._message(int(channel), int(message))
            case ["interactions", number, *_]:
                done = self._backend.interactions[int(number)]
                return self._message(done.channel_id, done.source_message_id)
            case ["webhooks", _, token, "messages", message]:
                done = self._backend.interaction_by_token(token)
                number = done.message_id if message == "@original" else int(message)
                return self._message(done.channel_id, number)
            case _:
                return None

    def _message(self, channel: int, message: int | None) -> Mapping[str, Any] | None:
        try:
            return vars(self._backend.get_message(channel, message or 0))
        except BackendError:
            return None

    def asked(self, path: Sequence[str]) -> strict.Asked:
        """The interaction that a callback answers."""
        done = self._backend.interactions[int(path[1])]
        return strict.Asked(done.type, done.responded)


@pytest.fixture(autouse=True)
def _as_strict_as_discord(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulated Discord refuses whatever the real one would."""
    for kind in (FakeHTTPClient, FakeWebhookAdapter):
        monkeypatch.setattr(kind, "request", _strictly(kind.request))


def _strictly(request: Any) -> Any:
    async def strictly(self: Any, route: Route, *args: Any, **body: Any) -> Any:
        fields = body.get("form") or body.get("multipart") or ()
        said = [json.loads(one["value"]) for one in fields if one["name"] == "payload_json"]
        payload = said[0] if said else body.get("json") or body.get("payload") or {}
        try:
            strict.request(
                _Standing(self.backend), route.method, path_of(route), payload, strict.uploads(fields)
            )
        except strict.Refused as error:
            raise failure(400, 50035, str(error)) from error
        return await request(self, route, *args, **body)

    return strictly


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[SQLiteStore]:
    async with open_store(tmp_path / bot.DATABASE) as store:
        yield store


@pytest.fixture
def executor():
    with ThreadPoolExecutor(max_workers=1) as executor:
        yield executor


@pytest_asyncio.fixture
async def env(
    store: SQLiteStore,
    executor: ThreadPoolExecutor,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[simcord.Env]:
    """The simulated Discord, by itself: SimCord's pytest plugin looks for it and sets its clock.

    What the bot did not foresee fails the test; one that provokes such a thing looks at ``errors`` or
    clears the log.
    """
    # Longer than the simulation waits for the bot to settle: a test that means it sets its own.
    monkeypatch.setattr(cogs.publish, "RETRIES", (3600.0,))
    client = bot.build(store, executor, TINY, lambda: env.now().timestamp(), pause=0)
    env = simcord.Env(client, settle_timeout=30)
    await env.start()
    try:
        yield env
    finally:
        await env.shutdown()
    logged = [one.getMessage() for one in caplog.get_records("call") if one.levelno >= logging.ERROR]
    assert not env.errors_since(env._errors_acknowledged)
    assert not logged, logged


@pytest_asyncio.fixture
async def world(store: SQLiteStore, executor: ThreadPoolExecutor, env: simcord.Env) -> World:
    client = env.bot
    assert isinstance(client, Client)
    guild = env.create_guild("Hokusai's school")
    channel = guild.create_text_channel("kanagawa")
    people = [guild.add_member(env.create_user(name)) for name in ("ann", "ben", "cleo", "dan")]
    await client.tree.sync()
    return World(env, store, executor, client, guild, channel, *people)


@pytest.fixture
def files_in_components(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that components show are named in these alone, as by Discord; the simulation lists them too."""
    payload: Any = serializers.message_payload

    def message_payload(backend: Any, message: Any, **options: Any) -> Any:
        shown = files_shown(message.components).values()
        listed = [one for one in message.attachments if one["id"] not in shown]
        return {**payload(backend, message, **options), "attachments": listed}

    monkeypatch.setattr(serializers, "message_payload", message_payload)


def files_shown(components: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The files that the galleries among components show: their IDs by name."""
    found: dict[str, str] = {}
    for one in components:
        for item in one.get("items", []):
            found[item["media"]["url"].rsplit("/", 1)[-1]] = item["media"]["attachment_id"]
        found |= files_shown(one.get("components", []))
    return found


def text_of(components: list[dict[str, Any]]) -> str:
    """All text that the components of a message show, in order."""
    found: list[str] = []
    for one in components:
        if "content" in one:
            found.append(one["content"])
        found.append(text_of(one.get("components", [])))
    return "\n".join(filter(None, found))


def buttons_of(components: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The buttons among the components of a message, by label."""
    found: dict[str, dict[str, Any]] = {}
    for one in components:
        if one.get("type") == 2:
            found[one["label"]] = one
        found |= buttons_of(one.get("components", []))
    return found


def answer(result: simcord.InteractionResult) -> simcord.ResponseMessage:
    """The message that answered an interaction, at once or after an announcement; it must be there."""
    said = [one for one in (result.response, *result.followups) if one is not None]
    assert said, "not answered"
    return said[-1]


def last(channel: simcord.ChannelHandle) -> discord.Message:
    """The last message of a channel that everybody sees; it must be there."""
    message = channel.last_message
    assert message is not None, "nothing in the channel"
    return message
