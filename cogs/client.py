"""The Discord client as the rest of this package knows it, with the table and all that serves its games."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import discord

from cogs.group import kanagawa
from cogs.guard import GuardedTree, Interaction, finish, under_way
from cogs.online import CannotConnect, Sharded
from cogs.pace import Pace
from cogs.publish import Publisher
from table.errors import StoreError, TableError
from table.table import Table

if TYPE_CHECKING:
    from cogs.places import Places

#: Guilds and their channels suffice: nobody's messages are read, no list of members is asked for.
INTENTS = discord.Intents(guilds=True)


class Client(Sharded):
    """The bot: it answers the commands of the group and the buttons of ``dynamic_items``."""

    publisher: Publisher
    pace: Pace
    places: Places

    def __init__(self, table: Table, version: str, *dynamic_items: type[discord.ui.DynamicItem[Any]]) -> None:
        super().__init__(intents=INTENTS, allowed_mentions=discord.AllowedMentions.none())
        self.table = table
        #: The program's version, and since when it is connected, in epoch seconds.
        self.version, self.started = version, 0.0
        self.tree = GuardedTree(self)
        self.tree.add_command(kanagawa)
        self._dynamic_items = dynamic_items

    async def setup_hook(self) -> None:
        """Get ready to connect. Raises CannotConnect for the token of another bot than the database's."""
        own = await self.table.store.application()
        if own not in (None, self.application_id):
            raise CannotConnect(
                f"the database belongs to the bot with the application ID {own}, and the token in"
                f" DISCORD_TOKEN is that of {self.application_id}; use the token of the same bot,"
                " or another folder (KANAGAWA_DATA)"
            )
        self.add_dynamic_items(*self._dynamic_items)
        self.started = self.table.now()
        self.pace.start()

    async def show(self, game: int) -> None:
        """Let a lobby, or the table that it has become, show how it stands."""
        from cogs.lobby import show_newest

        with suppress(TableError, StoreError):
            await show_newest(self, game)

    def reachable(self) -> bool:
        """Return whether every shard is connected, so that nobody's press is lost."""
        shards = self.shards.values()
        return self.is_ready() and bool(shards) and not any(shard.is_closed() for shard in shards)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        with under_way(self):
            await self.places.left(guild.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        with under_way(self):
            await self.places.deleted(channel)

    async def on_guild_channel_update(self, _: object, channel: discord.abc.GuildChannel) -> None:
        with under_way(self):
            await self.places.changed(channel.guild.id)

    async def on_guild_role_update(self, _: object, role: discord.Role) -> None:
        with under_way(self):
            await self.places.changed(role.guild.id)

    async def on_member_update(self, _: object, member: discord.Member) -> None:
        # Discord tells of the bot's own roles alone, for it asks for no list of members.
        with under_way(self):
            await self.places.changed(member.guild.id)

    async def on_thread_update(self, _: object, thread: discord.Thread) -> None:
        with under_way(self):
            await self.places.changed(thread.guild.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self.table.lose(payload.thread_id)

    async def close(self) -> None:
        self.pace.stop()
        await self.publisher.flush()
        await finish(self)
        await self.pace.stopped()
        await self.publisher.stop()
        await super().close()


def client_of(interaction: Interaction) -> Client:
    """The client an interaction came to."""
    client = interaction.client
    assert isinstance(client, Client)
    return client
