"""The places where games are played: what is shown there at the start, and what ends when one is gone."""

from __future__ import annotations

import logging
from collections.abc import Awaitable

import discord

from cogs.client import Client
from cogs.guard import under_way
from cogs.lobby import show_newest
from cogs.online import CONNECTION_LOST
from cogs.reach import MISSING_ACCESS, gone, is_gone
from table.errors import StoreError, TableError
from table.pace import DAY
from table.store import Record

log = logging.getLogger(__name__)


class Places:
    """Follows the servers and channels of a client's games."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._table = client.table

    async def on_shard_ready(self, shard: int) -> None:
        """Show the games of a shard that has been connected: discord.py calls this."""
        client = self._client
        client.connected = True
        servers = sum(one.shard_id == shard for one in client.guilds)
        said = "connected as %s, shard %s of %s, in %s servers"
        log.info(said, client.user, shard + 1, client.shard_count, servers)
        with under_way(client):
            # First, for messages show until when a turn has time.
            await self._table.beat()
            client.pace.wake()
            await self.show_all(shard)

    async def show_all(self, shard: int | None = None) -> None:
        """Let every lobby and table, of one shard or of all, show its newest version.

        The process may have ended before it could. Games whose server or channel is gone meanwhile end, for
        nobody could see them.
        """
        await self._end_left_servers(shard)
        client = self._client
        for game in await client.publisher.postings.left_over():
            await self._apart(game, self._adopt(game))
        async for record in self._table.each_live():
            if shard is None or self._shard(record) == shard:
                await self._apart(record.id, self._show(record))
        for game in await client.publisher.questions.asking():
            await self._apart(game, client.publisher.questions.settle(game))
        # A game that was just played out is live no more, and yet to be shown and told of.
        for game in await self._table.store.untold(self._table.now() - DAY):
            await self._apart(game, client.publisher.publish(game))

    async def _apart(self, game: int, work: Awaitable[object]) -> None:
        """Wait for what is done for one game. What goes wrong there stops no other game."""
        try:
            await work
        except (TableError, StoreError, *CONNECTION_LOST) as error:
            log.warning("%s not shown: %s", self._table.about(game), error)
        except Exception:
            log.exception("%s not shown", self._table.about(game))

    async def _adopt(self, game: int) -> None:
        """Find what an earlier process was posting as it ended, and let it show how its game stands."""
        await self._client.publisher.adopt(game)
        await show_newest(self._client, game)

    async def _show(self, record: Record) -> None:
        if not await show_newest(self._client, record.id):
            await self._lose_if_gone(record)

    def _shard(self, record: Record) -> int:
        """Return the shard that hears of a game's place; direct messages are the first one's."""
        return ((record.options.get("guild") or 0) >> 22) % (self._client.shard_count or 1)

    async def left(self, server: int) -> None:
        """End the games of a server that the bot is not in any more."""
        for game in await self._table.lose_server(server):
            log.info("%s its server has removed the bot", self._table.about(game))

    async def changed(self, server: int) -> None:
        """Look whether the games of a server that were out of reach can be shown again."""
        for record in await self._table.live_in(server):
            if record.cut_off is not None:
                await self._client.publisher.publish(record.id)

    async def deleted(self, channel: discord.abc.GuildChannel) -> None:
        """End the games of a channel that was deleted, and of its threads.

        Discord tells nothing of a thread that was archived: whether it is there has to be asked.
        """
        await self._table.lose(channel.id)
        for record in await self._table.live_in(channel.guild.id):
            if channel.guild.get_channel_or_thread(record.channel) is None:
                await self._lose_if_gone(record)

    async def _lose_if_gone(self, record: Record) -> None:
        if await is_gone(self._client, record.channel, record.options.get("guild")):
            await self._table.lose(record.channel)

    async def _end_left_servers(self, shard: int | None) -> None:
        """End the games of servers that the bot left while it was not connected.

        A server with an outage is still among those that Discord lists. That one is missing there is not
        enough: Discord is asked for it by itself. Where it says of every server that the bot has left it,
        this may be the token of another bot; that is certain not to be so only if the database knows its own.
        """
        live = self._table.each_live()
        played_in = {one.options.get("guild") or 0 async for one in live if shard in (None, self._shard(one))}
        known, servers = {one.id for one in self._client.guilds}, played_in - {0}
        left = [server for server in servers - known if await self._is_left(server)]
        store = self._table.store
        if len(left) == len(servers) > 0 and await store.application() is None:
            log.warning("Discord knows the bot in none of the %s servers of its games; they wait", len(left))
            return
        if self._client.application_id is not None:
            await store.keep_application(self._client.application_id)
        for server in left:
            await self.left(server)

    async def _is_left(self, server: int) -> bool:
        try:
            await self._client.fetch_guild(server, with_counts=False)
        except discord.HTTPException as error:
            return gone(error) or error.code == MISSING_ACCESS
        except CONNECTION_LOST as error:
            log.warning("whether the bot is in server %s cannot be seen: %s", server, error)
        return False
