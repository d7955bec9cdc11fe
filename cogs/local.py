"""The local table: a simulated Discord in the browser, for who has no token."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from cogs.client import Client
from cogs.lobby import post_lobby

#: The people of the local table.
PEOPLE = ("ann", "ben", "cleo", "dan")

WELCOME = """
The local table is open: a Discord of your own, in the browser, without a network or a token.

    {url}

Type /kanagawa new in the channel, choose it from the list above what you type (Enter), and send it with
the arrow (or Enter again). Then choose another person under "viewing as", press Join as ben, cleo or dan,
and Start as ann. Or play alone: /kanagawa solo. Never played? /kanagawa rules.
(The page shows this one channel: a game with a thread of its own would be out of sight.)
Games are kept in {data}. Ctrl+C closes the table.
"""


class CannotOpen(Exception):
    """The local table cannot open; the message says why and what to do."""


async def serve(client: Client, port: int, data: Path) -> None:
    """Serve a simulated Discord on the loopback interface until it is closed in the browser or here.

    ``data`` is the folder of the database. Raises CannotOpen.
    """
    # What discord.py says of connections and intents has no meaning here.
    logging.getLogger("discord").setLevel(logging.ERROR)
    try:
        import simcord
    except ImportError as error:
        raise CannotOpen('the local table needs one package more: pip install ".[local]"') from error
    # A picture can take longer than the five seconds that the simulation waits by itself.
    async with simcord.run(client, check_errors=False, settle_timeout=60) as world:
        channel, people = await open_world(world, client)
        try:
            preview = world.preview(channel, viewers=people, layout="channel", port=port)
            async with preview:
                print(WELCOME.format(url=preview.url, data=data), flush=True)
                await preview.wait_closed()
        except simcord.SetupError as error:
            raise CannotOpen(f"the local table cannot open: {error}; see KANAGAWA_LOCAL_PORT") from error


async def open_world(world: Any, client: Client) -> tuple[Any, list[Any]]:
    """Make the server, its channel and its people, and put the games of earlier sittings on the table.

    Everything is made in the same order each time, so it gets the same IDs and the games find their
    channel again; their messages were of another world and are forgotten.
    """
    assert client.user is not None
    await client.user.edit(username="Kanagawa")
    guild = world.create_guild("Hokusai's school")
    channel = guild.create_text_channel("kanagawa")
    people = [guild.add_member(world.create_user(name)) for name in PEOPLE]
    await client.tree.sync()
    # Its clock begins at the same moment each time, as the IDs do, and then shows what ours does.
    world.backend.advance_clock(max(client.table.now() - world.now().timestamp(), 0.0))
    for record in await client.table.live():
        session = await client.table.set_message(record.id, None)
        if session.is_lobby:
            await post_lobby(client, session)
        else:
            await client.publisher.publish(record.id, anew=True)
    return channel, people
