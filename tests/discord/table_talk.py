"""People at a table: they click what they see, or type it, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import discord
import simcord
from simcord.interactions import base_payload

from cogs.choices import MAX_SUGGESTIONS
from cogs.lobby import KIND
from kanagawa import apprentice
from kanagawa.actions import code
from kanagawa.state import Mode
from table.store import Seat
from table.table import Session
from tests.discord.conftest import World, text_of

Result = simcord.InteractionResult


async def open_table(world: World, *people: simcord.MemberActor, seed: int = 1) -> Session:
    """A started game of these people in the world's channel; the first is its host."""
    host, *others = people
    await host.slash(world.channel, "kanagawa new")
    lobby = world.channel.last_message
    assert lobby
    for one in others:
        await one.click(lobby, label="Join")
    session = await world.session()
    await world.client.table.start(session.id, host.id, seed)
    await world.client.publisher.publish(session.id)
    return await world.session()


async def open_solo(world: World, seed: int = 1) -> Session:
    """A started game of ann against Osahito."""
    table = world.client.table
    host = Seat(world.ann.id, world.ann.name)
    session = await table.open(KIND, world.channel.id, host, {"mode": Mode.OSAHITO.value})
    await table.start(session.id, world.ann.id, seed)
    await world.client.publisher.publish(session.id)
    return await world.session()


def person_to_move(world: World, session: Session) -> simcord.MemberActor:
    """Whoever is to act."""
    assert session.to_move is not None
    user = session.seats[session.to_move].user
    return next(one for one in world.people if one.id == user)


def advice(session: Session) -> str:
    """What the apprentice would do for whoever is to act, as a code."""
    seat = session.to_move
    assert seat is not None
    action = apprentice.choose(
        session.view(session.seats[seat].user), session.game.legal(session.state, seat)
    )
    return code(action)


async def play_out(world: World, session: Session) -> Session:
    """Play a game to its end as the apprentice would, and show it with its replay."""
    while session.to_move is not None:
        user = session.seats[session.to_move].user
        session = await world.client.table.act(session.id, user, session.version, advice(session))
    await world.client.publisher.publish(session.id)
    await replay_added(world)
    return session


async def replay_added(world: World) -> None:
    """Wait until what is made beside the tables is there, such as a replay."""
    await asyncio.gather(*world.client.publisher._beside)


async def table_of(world: World, game: int) -> discord.Message:
    """The message that shows a game, as everybody sees it now."""
    session = await world.client.table.get(game)
    assert session.record.message is not None
    channel = world.client.get_partial_messageable(session.record.channel)
    return await channel.fetch_message(session.record.message)


def controls(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The buttons and selects among components, at any depth."""
    for one in components:
        if "custom_id" in one:
            yield one
        yield from controls(one.get("components", []))


class Hands:
    """One person's fingers: they click at the public table, and at their workbench once it is there."""

    def __init__(self, world: World, person: simcord.MemberActor, game: int) -> None:
        self.world = world
        self.person = person
        self.game = game
        self.bench: simcord.ResponseMessage | None = None
        self.read: list[str] = []

    async def do(self, wanted: str) -> None:
        """Do what a code says, or the plan that begins with it, by the controls that are there."""
        kind = wanted.split(".")[0]
        if kind in ("stay", "take", "claim", "pass"):
            public = await table_of(self.world, self.game)
            raw = await self.world.table_message(self.game)
            result = await self._use(public, raw["components"], kind, wanted)
            opened = [one for one in result.followups if one.components]
            self.bench = opened[-1] if opened else self.bench
            return
        if self.bench is None:
            await self.open_bench()
        assert self.bench is not None
        if kind in ("place", "move"):
            plan = next((one for one in self._values("paint") if one.split(",")[0] == wanted), None)
            if plan is not None:
                await self._pick("paint", plan)
                return
            brush = "new" if kind == "place" else wanted.split(".")[1]
            await self._pick("brush", f"?bench.{brush}.0")
            await self._pick(brush, wanted)
        else:
            result = await self._use(self.bench, self.bench.components, kind, wanted)
            self._seen(result)

    async def open_bench(self) -> None:
        """Press "My table" at the public message."""
        result = await self.person.click(await table_of(self.world, self.game), label="My table")
        self._seen(result)

    def _values(self, name: str) -> list[str]:
        assert self.bench is not None
        return [
            option["value"]
            for one in controls(self.bench.components)
            if one["custom_id"].endswith(f"?pick.{name}")
            for option in one["options"]
        ]

    async def _pick(self, name: str, value: str) -> None:
        assert self.bench is not None
        select = next(
            one for one in controls(self.bench.components) if one["custom_id"].endswith(f"?pick.{name}")
        )
        while value not in [one["value"] for one in select["options"]]:  # on to the next page
            more = select["options"][-1]["value"]
            assert more.startswith("?bench."), f"{value} is not offered"
            self._seen(await self.person.select(self.bench, [more], custom_id=select["custom_id"]))
            select = next(
                one for one in controls(self.bench.components) if one["custom_id"].endswith(f"?pick.{name}")
            )
        self._seen(await self.person.select(self.bench, [value], custom_id=select["custom_id"]))

    async def _use(self, message: Any, components: list[dict[str, Any]], kind: str, wanted: str) -> Result:
        """Press the button, or choose the option, that does what is wanted."""
        name = {"studio": "studio", "print": "paint", "claim": "claim"}.get(kind)
        for one in controls(components):
            if name is None and one["custom_id"].endswith(f":{wanted}"):
                return await self.person.click(message, custom_id=one["custom_id"])
            if name is not None and one["custom_id"].endswith(f"?pick.{name}"):
                return await self.person.select(message, [wanted], custom_id=one["custom_id"])
        raise AssertionError(f"nothing does {wanted}: {[one['custom_id'] for one in controls(components)]}")

    def _seen(self, result: Result) -> None:
        shown = result.response
        assert shown is not None
        assert shown.ephemeral
        self.bench = shown
        self.read.append(text_of(shown.components))


async def type_it(world: World, person: simcord.MemberActor, wanted: str) -> Result:
    """Do what a code says by its slash command, choosing what is suggested while typing."""
    kind = wanted.split(".")[0]
    command, option = {
        "stay": ("stay", None),
        "done": ("done", None),
        "pass": ("done", None),
        "take": ("take", "column"),
        "studio": ("studio", "card"),
        "print": ("print", "card"),
        "place": ("brush", "move"),
        "move": ("brush", "move"),
        "diploma": ("diploma", "choice"),
        "decline": ("diploma", "choice"),
        "claim": ("diploma", "choice"),
    }[kind]
    if option is None:
        return await person.slash(world.channel, f"kanagawa {command}")
    suggested = await person.autocomplete(world.channel, f"kanagawa {command}", option, wanted)
    assert 0 < len(suggested) <= MAX_SUGGESTIONS, (wanted, suggested)
    assert all(0 < len(one["name"]) <= 100 for one in suggested)
    value = next(one["value"] for one in suggested if one["value"] == wanted)
    return await person.slash(world.channel, f"kanagawa {command}", **{option: value})


async def press_raw(
    world: World, person: Any, raw: dict[str, Any], custom_id: str, *, value: str | None = None
) -> Result:
    """Press what stood in a message when it was ``raw``: an older state, or a forged one."""
    record = emit_press(world, person, raw, custom_id, value)
    await world.env.settle()
    return simcord.InteractionResult(world.env, record)


def emit_press(
    world: World, person: Any, raw: dict[str, Any], custom_id: str, value: str | None = None
) -> Any:
    """Send a press without waiting for what comes of it; two of them arrive at once."""
    channel = int(raw["channel_id"])
    select = {"component_type": 3, "values": [value]} if value else {"component_type": 2}
    guild = getattr(person, "guild", None)
    record, payload = base_payload(
        world.env.backend,
        type=3,
        channel_id=channel,
        guild_id=guild.id if guild else None,
        user_id=person.id,
        data={"custom_id": custom_id, **select},
    )
    payload["message"] = raw
    record.source_message_id = int(raw["id"])
    world.env.backend.emit("INTERACTION_CREATE", payload)
    return record


def said(result: Result) -> str:
    """Everything a person was told in private in answer to one click or command."""
    told = [one for one in (result.response, *result.followups) if one is not None and one.ephemeral]
    return "\n".join(f"{one.content}\n{text_of(one.components)}" for one in told)
