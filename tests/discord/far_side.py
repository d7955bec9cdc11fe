"""A Discord on the loopback interface for the real program: HTTP, compressed gateways, one direct message.

It holds as much as one person's game against Osahito needs, and names files as Discord does, in the
components that show them. What the program sends has gone over a socket.
"""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections.abc import Mapping
from itertools import count
from typing import Any

from aiohttp import web

TOKEN = "MTIzNDU2.loopback-token.of_a_bot"
PERSON, CHANNEL, BOT = "1001", "2001", "7"
COMMAND, COMPONENT = 2, 3
_HELLO, _IDENTIFY, _HEARTBEAT, _HEARTBEAT_ACK = 10, 2, 1, 11
_SELF = {"id": BOT, "username": "bot", "discriminator": "0", "avatar": None}
_USER = {"id": PERSON, "username": "ann", "discriminator": "0", "avatar": None, "global_name": None}
_APPLICATION = {
    "name": "bot",
    "description": "",
    "icon": None,
    "owner": _USER,
    "bot_public": True,
    "bot_require_code_grant": False,
    "verify_key": "",
    "flags": 0,
}
_EPOCH = 1_420_070_400_000


class FarSide:
    """The server. ``identified`` counts the sessions that it has begun."""

    def __init__(self) -> None:
        self.messages: dict[str, dict[str, Any]] = {}
        self.identified = 0
        #: How many shards are advised; which have identified, each with how many there are, in order.
        self.shards, self.seen = 1, list[list[int]]()
        #: The servers that each shard is told of, and with which code the next gateways close: before they
        #: say hello, or once the bot has identified.
        self.servers: dict[int, list[str]] = {}
        self.closing_first, self.closing = list[int](), list[int]()
        #: How often no more sessions may be begun, and for how many milliseconds.
        self.spent, self.reset_after = 0, 100
        #: While it is not set, edits wait; ``editing`` is set as soon as one does.
        self.open, self.editing = asyncio.Event(), asyncio.Event()
        self.open.set()
        #: While it is not set, posts are done and not answered; ``posted`` is set as soon as one is done.
        self.answering, self.posted = asyncio.Event(), asyncio.Event()
        self.answering.set()
        self._ids = count()
        self._runner: web.AppRunner | None = None
        self._send: Any = None
        self._socket: Any = None

    async def __aenter__(self) -> FarSide:
        app = web.Application(client_max_size=1 << 25)
        app.router.add_get("/gateway", self._gateway)
        app.router.add_route("*", "/api/{tail:.*}", self._answer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        self.open.set()
        self.answering.set()
        await self._runner.cleanup()

    @property
    def port(self) -> int:
        assert self._runner is not None
        return int(self._runner.addresses[0][1])

    def _id(self) -> str:
        return str((int(time.time() * 1000) - _EPOCH << 22) + next(self._ids))

    # The gateway --------------------------------------------------------------------------------

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        assert request.query["compress"] == "zlib-stream"
        socket, stream = web.WebSocketResponse(), zlib.compressobj()
        await socket.prepare(request)

        async def send(op: int, data: Any, name: str | None = None, number: int | None = None) -> None:
            event = json.dumps({"op": op, "d": data, "t": name, "s": number})
            await socket.send_bytes(stream.compress(event.encode()) + stream.flush(zlib.Z_SYNC_FLUSH))

        if self.closing_first:
            await socket.close(code=self.closing_first.pop(0))
            return socket
        await send(_HELLO, {"heartbeat_interval": 10_000})
        async for message in socket:
            said = json.loads(message.data)
            op = said["op"]
            if op == _HEARTBEAT:
                await send(_HEARTBEAT_ACK, None)
            elif op == _IDENTIFY:
                shard = said["d"]["shard"]
                self.seen.append(shard)
                if self.closing:
                    await socket.close(code=self.closing.pop(0))
                    return socket
                guilds = [{"id": one, "unavailable": True} for one in self.servers.get(shard[0], ())]
                ready = {
                    "user": _SELF,
                    "guilds": guilds,
                    "session_id": "s",
                    "resume_gateway_url": f"ws://127.0.0.1:{self.port}/gateway",
                    "shard": shard,
                }
                await send(0, ready, "READY", 1)
                self._send, self._socket = send, socket
                self.identified += 1
        return socket

    async def close(self, code: int) -> None:
        """Close the newest gateway."""
        await self._socket.close(code=code)

    async def event(self, name: str, data: Mapping[str, Any]) -> None:
        """Tell the bot what happened."""
        await self._send(0, data, name, next(self._ids) + 2)

    async def _interaction(self, kind: int, data: Mapping[str, Any], **more: Any) -> None:
        number = self._id()
        payload = {
            "id": number,
            "application_id": BOT,
            "type": kind,
            "token": f"token{number}",
            "version": 1,
            "data": data,
            "channel": {"id": CHANNEL, "type": 1},
            "channel_id": CHANNEL,
            "user": _USER,
            "locale": "en-US",
            "context": 1,
            "attachment_size_limit": 10_485_760,
            **more,
        }
        await self.event("INTERACTION_CREATE", payload)

    async def command(self, name: str) -> None:
        """The person sends ``/kanagawa NAME``."""
        options = [{"name": name, "type": 1, "options": []}]
        await self._interaction(COMMAND, {"id": "9", "name": "kanagawa", "type": 1, "options": options})

    async def press(self) -> None:
        """The person does the first thing that the newest message offers."""
        for message in reversed(self.messages.values()):
            for one in _controls(message["components"]):
                values = [option["value"] for option in one.get("options", ())]
                code = (values or [one["custom_id"].split(":", 3)[3]])[0]
                if not code.startswith("?"):
                    chosen = {"values": [code]} if values else {}
                    data = {"custom_id": one["custom_id"], "component_type": one["type"], **chosen}
                    await self._interaction(COMPONENT, data, message=_told(message))
                    return
        raise AssertionError("nothing is offered")

    # HTTP ---------------------------------------------------------------------------------------

    async def _answer(self, request: web.Request) -> web.Response:
        payload, files = await _sent(request)
        match request.method, request.path.split("/")[2:]:
            case "GET", ["users", "@me"]:
                return _json(_SELF)
            case "GET", ["oauth2", "applications", "@me"]:
                return _json({**_SELF, **_APPLICATION})
            case "GET", ["gateway", "bot"]:
                return self._advice()
            case "POST", ["interactions", number, _, "callback"]:
                return _json({"interaction": {"id": number, "type": COMMAND}})
            case "GET", ["channels", _, "messages"]:
                after = int(request.query.get("after", 0))
                public = [one for one in self.messages.values() if not one["flags"] & 64]
                return _json([_told(one) for one in reversed(public) if int(one["id"]) > after])
            case "GET", ["channels", _, "messages", message]:
                return _json(_told(self.messages[message]))
            case "POST", ["channels", _, "messages"]:
                made = self._shown(self._id(), payload, files)
                self.posted.set()
                await self.answering.wait()
                return made
            case "POST", ["webhooks", *_]:
                return self._shown(self._id(), payload, files)
            case "PATCH", ["webhooks", *_]:
                private = [one for one, message in self.messages.items() if message["flags"] & 64]
                return self._shown(private[-1], payload, files)
            case "PATCH", ["channels", _, "messages", message]:
                self.editing.set()
                await self.open.wait()
                if request.transport is None:
                    return web.Response()  # who sent it has been killed
                return self._shown(message, payload, files)
            case method, path:
                raise AssertionError(f"not known: {method} {path}")

    def _advice(self) -> web.Response:
        """How many shards the bot is to open, and how many sessions it may begin yet."""
        self.spent -= 1
        limit = {
            "total": 1000,
            "remaining": 0 if self.spent >= 0 else 1000,
            "reset_after": self.reset_after,
            "max_concurrency": 1,
        }
        url = f"ws://127.0.0.1:{self.port}/gateway"
        return _json({"url": url, "shards": self.shards, "session_start_limit": limit})

    def _shown(self, number: str, payload: Mapping[str, Any], files: Mapping[str, int]) -> web.Response:
        """Put a payload into a message, new or edited, and answer with that."""
        message = self.messages.setdefault(number, {"id": number, "files": {}, "flags": 0})
        kept = {one: name for one, name in message["files"].items() if name not in files}
        listed = {str(one["id"]): one["filename"] for one in payload.get("attachments", ())}
        message["files"] = {
            one if one in kept else self._id(): name
            for one, name in listed.items()
            if one in kept or name in files
        }
        assert sorted(message["files"].values()) == sorted(listed.values()), "a file that is not there"
        message["flags"] |= payload.get("flags", 0)
        urls = {name: (one, f"https://cdn.invalid/{one}/{name}") for one, name in message["files"].items()}
        message["components"] = [_placed(one, urls) for one in payload.get("components", ())]
        return _json(_told(message))

    def tables(self) -> list[str]:
        """The public messages that have buttons."""
        public = [one for one, message in self.messages.items() if not message["flags"] & 64]
        return [one for one in public if _controls(self.messages[one]["components"])]

    def version(self) -> int:
        """The newest version of the game that its public message shows; -1 where there is none."""
        shown = [
            int(one["custom_id"].split(":")[2])
            for message in self.messages.values()
            if not message["flags"] & 64
            for one in _controls(message["components"])
        ]
        return max(shown, default=-1)


async def _sent(request: web.Request) -> tuple[dict[str, Any], dict[str, int]]:
    """The JSON of a request, and the files beside it: their sizes by name."""
    if request.content_type != "multipart/form-data":
        return (await request.json() if request.can_read_body else {}), {}
    payload, files = {}, dict[str, int]()
    async for part in await request.multipart():
        assert not isinstance(part, list)
        data: bytes = await part.read()  # type: ignore[union-attr]
        if part.name == "payload_json":  # type: ignore[union-attr]
            payload = json.loads(data)
        else:
            files[str(part.filename)] = len(data)  # type: ignore[union-attr]
    return payload, files


def _json(body: Any) -> web.Response:
    # discord.py reads JSON only where the type is this to the letter.
    return web.Response(body=json.dumps(body), headers={"Content-Type": "application/json"})


def _told(message: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: value for name, value in message.items() if name != "files"}
    rest = {"type": 0, "content": "", "timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None}
    lists = {name: [] for name in ("attachments", "embeds", "mentions", "mention_roles")}
    flat = {"channel_id": CHANNEL, "author": _SELF, "pinned": False, "tts": False, "mention_everyone": False}
    return {**rest, **lists, **flat, **told}


def _placed(component: Mapping[str, Any], urls: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """A component with the files that it shows."""
    made = dict(component)
    if "components" in made:
        made["components"] = [_placed(one, urls) for one in made["components"]]
    for item in made.get("items", ()):
        number, url = urls[item["media"]["url"].removeprefix("attachment://")]
        item["media"] = {"url": url, "proxy_url": url, "attachment_id": number}
    return made


def _controls(components: Any) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    for one in components:
        found += [one] if "custom_id" in one and not one.get("disabled") else []
        found += _controls(one.get("components", ()))
    return found
