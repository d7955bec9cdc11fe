"""A stand-in for Discord beneath discord.py: it parses what the bot sends, keeps it, and answers at once.

The bot runs unmodified over it, without a network and without a gateway: what people do is handed to
discord.py as the gateway would hand it, and every request ends in :meth:`Discord.answer`. It knows only what
the bot uses of Discord. Faults are injected by ``fault``, and ``heard`` is told all that leaves the process.
What Discord would refuse is refused: ``tests/strict.py`` says what that is.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import aiohttp
import discord
from discord.http import HTTPClient, Route
from discord.utils import snowflake_time
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from tests import strict

GUILD, BOT = 1, 2
#: People and channels have their IDs from here on.
PEOPLE, CHANNELS = 1_000, 1_000_000
_ALL = str(discord.Permissions.all().value)
_EPOCH = 1_420_070_400_000
#: Kinds of interactions, and of what answers them.
COMMAND, COMPONENT, AUTOCOMPLETE = 2, 3, 4
MESSAGE, THINKING, SILENT, EDIT, SUGGESTIONS = 4, 5, 6, 7, 8
EPHEMERAL = 64
#: Seconds for which an interaction can be answered.
TOKEN_LASTS = 15 * 60


class Person(int):
    """The ID of a person, as the value of a command's option."""


@dataclass
class Request:
    """One request of the bot: what it asked of Discord, and with which files."""

    method: str
    path: str
    payload: dict[str, Any]
    files: tuple[bytes, ...] = ()
    #: The interaction it answers, where it does.
    interaction: Interaction | None = None
    #: What the files are called.
    uploads: tuple[strict.Upload, ...] = ()


@dataclass(eq=False)
class Interaction:
    """Something a person did, and what they were answered.

    ``seen`` are the messages the person got or saw changed by it, ``suggested`` what autocompletion gave.
    """

    id: int
    user: int
    channel: int
    kind: int
    source: int | None = None
    response: int | None = None
    #: Whether an answer is announced and waited for, and the flags of that.
    loading: bool = False
    flags: int = 0
    seen: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    suggested: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: list[asyncio.Task[Any]] = field(default_factory=list[asyncio.Task[Any]])

    async def over(self) -> Interaction:
        """Wait until the bot has done all that it does for this."""
        await asyncio.gather(*self.tasks, return_exceptions=True)
        return self

    @property
    def said(self) -> str:
        """All text of the private answers."""
        return "\n".join(text_of(one) for one in self.seen if one["flags"] & EPHEMERAL)


class Discord:
    """The simulated side: one server with as many channels as are named, everybody may do everything."""

    def __init__(self, channels: int = 1, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.channels = [CHANNELS + number for number in range(channels)]
        #: With all attachments; Discord tells only of those that no component shows.
        self.messages: dict[int, dict[str, Any]] = {}
        self._archived: set[int] = set()
        self._posted: dict[int, list[int]] = {}
        #: The messages that were posted with a nonce: a second one with it is not posted.
        self._nonces: dict[tuple[int, str], int] = {}
        #: Direct messages: a channel for each person, by their ID.
        self.direct: dict[int, int] = {}
        self.names: dict[int, str] = {}
        #: Raises what Discord shall answer in the place of doing what is asked.
        self.fault: Callable[[str, str], None] = lambda method, path: None
        self.heard: Callable[[Request], None] = lambda request: None
        self.permissions = _ALL
        self.locale = "en-US"
        self._interactions: dict[str, Interaction] = {}
        #: How many IDs were given to what is public, and to what is private.
        self._counters = [0, 0]
        self._client: discord.Client | None = None
        self._acting: Interaction | None = None

    def again(self, clock: Callable[[], float]) -> Discord:
        """The same server once more as it stands, with another clock and for another bot."""
        other = Discord(0, clock)
        other.channels = list(self.channels)
        other.messages = {number: _copy(message) for number, message in self.messages.items()}
        other._archived = set(self._archived)
        other._posted = {channel: list(posted) for channel, posted in self._posted.items()}
        other.direct, other.names = dict(self.direct), dict(self.names)
        other.permissions, other.locale = self.permissions, self.locale
        other._counters = list(self._counters)
        return other

    # The bot's side -----------------------------------------------------------------------------

    async def connect(self, client: discord.Client, token: str = "token") -> None:
        """Let a client log in here, and nowhere else. It is not asked to connect to a gateway."""
        http = _HTTP(self)
        client.http = http
        client._connection.http = http
        async_context.set(_Webhooks(self))
        asyncio.get_running_loop().set_task_factory(self._task)
        self._client = client
        await client.login(token)
        client._connection.parse_guild_create(self._guild())  # type: ignore[arg-type]

    def _task(self, loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:
        """Begin a task; what discord.py begins for an interaction belongs to that."""
        task = asyncio.Task(work, loop=loop, **options)
        if self._acting is not None:
            self._acting.tasks.append(task)
        return task

    def snowflake(self, *, private: bool = False) -> int:
        """A new ID, made now. Public ones are the same whatever is answered in private beside them."""
        self._counters[private] += 1
        number = 2 * self._counters[private] + private
        return (int(self.clock() * 1000) - _EPOCH << 22) + number % (1 << 22)

    async def answer(self, method: str, path: str, body: Mapping[str, Any]) -> Any:
        """What Discord does and says for one request."""
        uploads = strict.uploads(body.get("form") or body.get("multipart") or ())
        payload, files = await _sent(body)
        request = Request(method, path, payload, files, self._interaction(path), uploads)
        self.heard(request)
        self.fault(method, path)
        try:
            strict.request(self, method, path, payload, uploads)
        except strict.Refused as error:
            raise failure(400, 50035, str(error)) from error
        parts = path.strip("/").split("/")
        match method, parts:
            case "GET", ["users", "@me"]:
                return _user(BOT, "Kanagawa", bot=True)
            case "GET", ["users", user]:
                return self._person(int(user))
            case "GET", ["oauth2", "applications", "@me"]:
                return _application()
            case "POST", ["users", "@me", "channels"]:
                return self._direct(int(request.payload["recipient_id"]))
            case "POST", ["channels", channel, "messages"]:
                return self._post(int(channel), request)
            case "GET", ["channels", channel, "messages"]:
                return self._history(int(channel), body.get("params") or {})
            case "GET", ["channels", _, "messages", message]:
                return told(self._message(int(message)))
            case "PATCH", ["channels", channel, "messages", message]:
                if int(channel) in self._archived:
                    raise failure(400, 50083)
                return self._edit(self._message(int(message)), request)
            case "DELETE", ["channels", _, "messages", message]:
                self._message(int(message))
                del self.messages[int(message)]
                return None
            case "POST", ["channels", channel, "messages", message, "threads"]:
                return self._thread(int(channel), request, int(message))
            case "POST", ["channels", channel, "threads"]:
                return self._thread(int(channel), request, self.snowflake())
            case "GET", ["channels", channel]:
                return {"id": channel, "type": 0, "guild_id": str(GUILD), "name": "kanagawa", "position": 0}
            case "PATCH", ["channels", channel]:
                if request.payload.get("archived"):
                    self._archived.add(int(channel))
                return {"id": channel, "type": 11, "guild_id": str(GUILD), **request.payload}
            case "POST", ["interactions", _, _, "callback"]:
                return self._callback(request)
            case "POST", ["webhooks", _, _]:
                return self._followup(request)
            case (("PATCH" | "GET" | "DELETE"), ["webhooks", _, _, "messages", "@original"]):
                return self._original(method, request)
            case _:
                raise AssertionError(f"the stand-in does not know {method} {path}")

    def standing(self, path: Sequence[str]) -> dict[str, Any] | None:
        """The message that a request edits, or of a callback the one that was clicked: for ``strict``."""
        match path:
            case ["channels", _, "messages", message]:
                return self.messages.get(int(message))
            case ["interactions", _, token, "callback"]:
                return self.messages.get(self._interactions[token].source or 0)
            case ["webhooks", _, token, "messages", _] if token in self._interactions:
                done = self._interactions[token]
                blank = {"flags": done.flags} if done.loading else None
                return blank or self.messages.get(done.response or 0)
            case _:
                return None

    def asked(self, path: Sequence[str]) -> strict.Asked:
        """The interaction that a callback answers: for ``strict``."""
        done = self._interactions[path[2]]
        return strict.Asked(done.kind, done.answered.is_set())

    def _post(self, channel: int, request: Request) -> dict[str, Any]:
        self._archived.discard(channel)
        nonce = request.payload.get("nonce") if request.payload.get("enforce_nonce") else None
        if nonce is not None and (posted := self.messages.get(self._nonces.get((channel, nonce), 0))):
            return told(posted)
        message = _blank(self.snowflake(private=request.interaction is not None), channel, self.clock())
        self.messages[int(message["id"])] = message
        if nonce is not None:
            self._nonces[channel, nonce] = int(message["id"])
        self._posted.setdefault(channel, []).append(int(message["id"]))
        return self._edit(message, request)

    def _edit(self, message: dict[str, Any], request: Request) -> dict[str, Any]:
        """Put a payload into a message, as sending and editing do."""
        payload = request.payload
        kept = {one["id"]: one for one in message["attachments"]}
        if "attachments" in payload or request.files:
            message["attachments"] = [
                kept.get(str(one["id"])) or self._attachment(message, one["filename"], request)
                for one in payload.get("attachments", ())
            ]
        message["flags"] |= payload.get("flags") or 0
        message["content"] = payload.get("content", message["content"]) or ""
        if "components" in payload:
            files = {f"attachment://{one['filename']}": one for one in message["attachments"]}
            message["components"] = [_resolved(one, files) for one in payload["components"] or ()]
        return told(message)

    def _attachment(self, message: Mapping[str, Any], name: str, request: Request) -> dict[str, Any]:
        number = self.snowflake(private=request.interaction is not None)
        url = f"https://cdn.invalid/attachments/{message['channel_id']}/{number}/{name}"
        size = sum(map(len, request.files))
        return {"id": str(number), "filename": name, "url": url, "proxy_url": url, "size": size}

    def _message(self, message: int) -> dict[str, Any]:
        if message not in self.messages:
            raise failure(404, 10008)
        return self.messages[message]

    def _history(self, channel: int, params: Mapping[str, Any]) -> list[dict[str, Any]]:
        after, limit = int(params.get("after") or 0), int(params.get("limit") or 50)
        self._posted[channel] = [one for one in self._posted.get(channel, ()) if one in self.messages]
        found = [self.messages[one] for one in self._posted[channel] if one > after]
        return [told(one) for one in found if not one["flags"] & EPHEMERAL][:limit]

    def _direct(self, user: int) -> dict[str, Any]:
        channel = self.direct.setdefault(user, self.snowflake())
        return {"id": str(channel), "type": 1, "recipients": [self._person(user)]}

    def _thread(self, parent: int, request: Request, number: int) -> dict[str, Any]:
        self.channels.append(number)
        return {
            **_channel(number, request.payload["name"], kind=11),
            "parent_id": str(parent),
            "owner_id": str(BOT),
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 10080,
                "archive_timestamp": "2026-01-01T00:00:00+00:00",
            },
            "message_count": 0,
            "member_count": 1,
        }

    # Answers to interactions --------------------------------------------------------------------

    def _interaction(self, path: str) -> Interaction | None:
        parts = path.strip("/").split("/")
        if parts[0] not in ("interactions", "webhooks"):
            return None
        done = self._interactions.get(parts[2])
        if done is not None and self.clock() - snowflake_time(done.id).timestamp() > TOKEN_LASTS:
            raise failure(401, 50027, "the token has expired")
        return done

    def _callback(self, request: Request) -> dict[str, Any]:
        done, kind = request.interaction, request.payload["type"]
        assert done is not None
        data = request.payload.get("data") or {}
        answer = replace(request, payload=data)
        if kind == MESSAGE:
            self._told(done, answer)
        elif kind == THINKING:
            done.loading, done.flags = True, data.get("flags", 0)
        elif kind == SUGGESTIONS:
            done.suggested = data["choices"]
        elif kind == EDIT and done.source is not None:
            done.response = done.source
            done.seen.append(self._edit(self._message(done.source), answer))
        elif kind == SILENT:
            done.response = done.source
        done.answered.set()
        said = {"id": str(done.id), "type": 2, "response_message_id": str(done.response or done.id)}
        if kind not in (MESSAGE, EDIT) or not done.seen:
            return {"interaction": said}
        return {"interaction": said, "resource": {"type": kind, "message": done.seen[-1]}}

    def _followup(self, request: Request) -> dict[str, Any]:
        assert request.interaction is not None
        if not request.interaction.answered.is_set():
            raise failure(404, 10015, "nothing follows before the first answer")
        return self._told(request.interaction, request)

    def _told(self, done: Interaction, request: Request) -> dict[str, Any]:
        """Post an answer. One that was announced is seen by those who saw that, whatever it says itself."""
        if done.loading:
            flags = request.payload.get("flags") or 0
            request.payload["flags"] = flags & ~EPHEMERAL | done.flags
        message = self._post(done.channel, request)
        done.response = done.response or int(message["id"])
        done.seen.append(message)
        done.loading = False
        return message

    def _original(self, method: str, request: Request) -> dict[str, Any] | None:
        done = request.interaction
        assert done is not None
        if done.loading and method == "DELETE":
            done.loading = False
            return None
        if done.loading:
            return self._told(done, request)
        if done.response is None:
            raise failure(404, 10015)
        if method == "GET":
            return told(self._message(done.response))
        if method == "DELETE":
            del self.messages[done.response]
            return None
        message = self._edit(self._message(done.response), request)
        done.seen.append(message)
        return message

    # People -------------------------------------------------------------------------------------

    def press(
        self,
        user: int,
        message: Mapping[str, Any],
        custom_id: str,
        value: str | None = None,
        *,
        guild: bool = True,
    ) -> Interaction:
        """A person presses a button, or chooses a value in a select, of a message."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2 if value is None else 3}
        if value is not None:
            data["values"] = [value]
        done = self._begin(COMPONENT, user, int(message["channel_id"]), int(message["id"]))
        self._emit(done, data, guild=guild, message=told(message))
        return done

    def command(
        self, user: int, channel: int, name: str, *, guild: bool = True, typing: str = "", **options: Any
    ) -> Interaction:
        """A person sends ``/kanagawa NAME`` with options; while ``typing`` one, it is autocompleted."""
        kinds = {bool: 5, int: 4, str: 3, float: 10, Person: 6}
        given = [
            {"name": key, "type": kinds[type(value)], "value": _given(value), "focused": key == typing}
            for key, value in options.items()
        ]
        subcommand = {"name": name, "type": 1, "options": given}
        people = [value for value in options.values() if isinstance(value, Person)]
        users = {str(int(one)): self._person(one) for one in people}
        resolved: dict[str, Any] = {"users": users} if users else {}
        if users and guild:
            resolved["members"] = {one: self._member() for one in users}
        data = {"id": "9", "name": "kanagawa", "type": 1, "options": [subcommand], "resolved": resolved}
        done = self._begin(AUTOCOMPLETE if typing else COMMAND, user, channel, None)
        self._emit(done, data, guild=guild)
        return done

    def _member(self) -> dict[str, Any]:
        """A member as an option names one: without the person, with what they may do in the channel."""
        since = "2020-01-01T00:00:00+00:00"
        return {"roles": [], "joined_at": since, "flags": 0, "permissions": self.permissions}

    def shows(self, message: Mapping[str, Any], label: str) -> str:
        """The custom ID of the button or select of a message that has a label or a placeholder."""
        for one in controls(message["components"]):
            if label in (one.get("label"), one.get("placeholder")):
                return str(one["custom_id"])
        raise LookupError(
            f"no {label!r} among {[one.get('label') for one in controls(message['components'])]}"
        )

    def _begin(self, kind: int, user: int, channel: int, source: int | None) -> Interaction:
        done = Interaction(self.snowflake(), user, channel, kind, source)
        self._interactions[f"t{done.id}"] = done
        return done

    def forget(self, done: Interaction) -> None:
        """Let go of an interaction and of the private messages that it made: its token has expired."""
        self._interactions.pop(f"t{done.id}", None)
        for one in done.seen:
            if one["flags"] & EPHEMERAL:
                self.messages.pop(int(one["id"]), None)

    def _emit(self, done: Interaction, data: Mapping[str, Any], *, guild: bool, **more: Any) -> None:
        assert self._client is not None
        user = self._person(done.user)
        place: dict[str, Any] = {"user": user, "context": 1}
        if guild:
            member = {
                "user": user,
                "roles": [],
                "joined_at": None,
                "permissions": self.permissions,
                "flags": 0,
            }
            place = {"member": member, "context": 0, "guild_id": str(GUILD), "guild_locale": self.locale}
        payload: dict[str, Any] = {
            "id": str(done.id),
            "application_id": str(BOT),
            "type": done.kind,
            "token": f"t{done.id}",
            "version": 1,
            "data": data,
            "channel_id": str(done.channel),
            "channel": _channel(done.channel, "kanagawa") if guild else {"id": str(done.channel), "type": 1},
            "locale": self.locale,
            "entitlements": [],
            "authorizing_integration_owners": {},
            "app_permissions": self.permissions,
            "attachment_size_limit": 10_485_760,
            **place,
            **more,
        }
        self._acting = done
        try:
            self._client._connection.parse_interaction_create(payload)  # type: ignore[arg-type]
        finally:
            self._acting = None

    def _person(self, user: int) -> dict[str, Any]:
        return _user(user, self.names.get(user, f"person{user}"))

    def _guild(self) -> dict[str, Any]:
        return {
            "id": str(GUILD),
            "name": "Hokusai's school",
            "owner_id": str(PEOPLE),
            "roles": [
                {
                    "id": str(GUILD),
                    "name": "@everyone",
                    "permissions": _ALL,
                    "position": 0,
                    "color": 0,
                    "colors": {"primary_color": 0},
                    "hoist": False,
                    "managed": False,
                    "mentionable": False,
                    "flags": 0,
                }
            ],
            "emojis": [],
            "features": [],
            "channels": [_channel(one, "kanagawa") for one in self.channels],
            "threads": [],
            "members": [],
            "member_count": 5,
            "preferred_locale": "en-US",
            "premium_tier": 0,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "system_channel_flags": 0,
            "premium_progress_bar_enabled": False,
        }


class _HTTP(HTTPClient):
    """discord.py's own client, but for what goes over the wire."""

    def __init__(self, far_side: Discord) -> None:
        super().__init__(asyncio.get_running_loop())
        self._far_side = far_side
        self._HTTPClient__session = None  # type: ignore[assignment]

    async def static_login(self, token: str) -> Any:
        self.token = token
        return await self.request(Route("GET", "/users/@me"))

    async def request(self, route: Route, **body: Any) -> Any:
        return await self._far_side.answer(route.method, path_of(route), body)

    async def close(self) -> None:
        """There is no connection to close."""


class _Webhooks(AsyncWebhookAdapter):
    """The same for answers to interactions, which discord.py sends past its client."""

    def __init__(self, far_side: Discord) -> None:
        super().__init__()
        self._far_side = far_side

    async def request(self, route: Route, session: Any, **body: Any) -> Any:
        return await self._far_side.answer(route.method, path_of(route), body)


def failure(status: int, code: int = 0, text: str = "a fault on purpose") -> discord.HTTPException:
    """What discord.py raises when Discord answers like that."""
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    kind = discord.DiscordServerError if status >= 500 else kind
    response: Any = SimpleNamespace(status=status, reason=text)
    return kind(response, {"code": code, "message": text})


def controls(components: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The buttons and selects among components, at any depth."""
    for one in components:
        if "custom_id" in one:
            yield one
        yield from controls(one.get("components", ()))


def text_of(message: Mapping[str, Any]) -> str:
    """All text that a message, or a component, shows."""
    own = [str(message.get("content") or "")]
    return "\n".join(filter(None, own + [text_of(one) for one in message.get("components", ())]))


def path_of(route: Route) -> str:
    """Where a request goes, below the root of the API."""
    return unquote(route.url.removeprefix(Route.BASE))


async def _sent(body: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[bytes, ...]]:
    """The JSON and the files of a request, out of the bytes that would have gone over the wire."""
    fields = body.get("form") or body.get("multipart")
    if not fields:
        found = body.get("json") or body.get("payload")
        return (_copy(found) if found else {}), ()
    form = aiohttp.FormData(quote_fields=False)
    for one in fields:
        form.add_field(**one)
    writer: Any = form()
    parts = dict(_parts(await writer.as_bytes(), writer.boundary))
    return json.loads(parts.pop("payload_json")), tuple(parts.values())


def _parts(data: bytes, boundary: str) -> Iterator[tuple[str, bytes]]:
    """The parts of a multipart body by their names."""
    mark = f"\r\n--{boundary}".encode()
    start = len(mark)
    while (end := data.find(mark, start)) >= 0:
        begin = data.index(b"\r\n\r\n", start) + 4
        yield data[start:begin].split(b'name="', 1)[1].split(b'"', 1)[0].decode(), data[begin:end]
        start = end + len(mark) + 2


def _given(value: object) -> object:
    """The value of an option as Discord sends it."""
    return str(int(value)) if isinstance(value, Person) else value


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))


def told(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message as Discord tells of it: an attachment that a component shows is in that one alone."""
    made = _copy(message)
    shown = {media.get("attachment_id") for media in _media(made["components"])}
    made["attachments"] = [one for one in made["attachments"] if one["id"] not in shown]
    return made


def _media(components: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for one in strict.walk(components):
        yield from (item["media"] for item in one.get("items", ()))
        if "file" in one:
            yield one["file"]


def _resolved(component: dict[str, Any], files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A component with its attached files named by where they are."""
    made = dict(component)
    if "components" in made:
        made["components"] = [_resolved(one, files) for one in made["components"]]
    if "items" in made:
        made["items"] = [{**one, "media": _placed(one["media"], files)} for one in made["items"]]
    if isinstance(made.get("file"), dict):
        made["file"] = _placed(made["file"], files)
    return made


def _placed(media: Mapping[str, Any], files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    found = files.get(str(media["url"]))
    if found is None:
        return dict(media)
    return {"url": found["url"], "proxy_url": found["url"], "attachment_id": found["id"]}


def _blank(number: int, channel: int, now: float) -> dict[str, Any]:
    return {
        "id": str(number),
        "channel_id": str(channel),
        "author": _user(BOT, "Kanagawa", bot=True),
        "content": "",
        "timestamp": "2026-01-01T00:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "components": [],
        "pinned": False,
        "type": 0,
        "flags": 0,
    }


def _user(number: int, name: str, *, bot: bool = False) -> dict[str, Any]:
    return {
        "id": str(number),
        "username": name,
        "global_name": name,
        "discriminator": "0",
        "avatar": None,
        "bot": bot,
    }


def _channel(number: int, name: str, kind: int = 0) -> dict[str, Any]:
    return {
        "id": str(number),
        "guild_id": str(GUILD),
        "type": kind,
        "name": name,
        "position": 0,
        "permission_overwrites": [],
        "permissions": _ALL,
        "nsfw": False,
    }


def _application() -> dict[str, Any]:
    return {
        "id": str(BOT),
        "name": "Kanagawa",
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "",
        "flags": 0,
        "summary": "",
        "owner": _user(BOT + 1, "owner"),
        "team": None,
    }
