"""Posting the message of a game so that it is there once, whenever the process dies or the connection breaks.

That a post is under way is kept before it is sent. What is left of an earlier try is looked for in the
channel before anything is posted again, and at the next start.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import AsyncGenerator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import discord

from cogs.controls import parse_custom_id
from cogs.notice import UNREACHABLE
from table.errors import StoreError
from table.store import Posting
from table.table import Session, Table

log = logging.getLogger(__name__)

#: So many messages since an earlier try are looked through for what became of it.
LOOKED_THROUGH = 200
#: Seconds by which the clocks of this computer and of Discord may differ.
CLOCKS = 60.0


class Postings:
    """Posts the messages of games, and finds those whose number was never kept."""

    def __init__(self, client: discord.Client, table: Table) -> None:
        self._client = client
        self._table = table
        self._sending: set[int] = set()

    async def begin(self, session: Session) -> Posting:
        """Keep that a message of a game is about to be posted; the first try of it counts."""
        nonce = str(secrets.randbits(63))
        posting = Posting(session.id, session.record.channel, nonce, self._table.now())
        await self._table.store.begin_posting(posting)
        return await self._table.store.posting(session.id) or posting

    async def send(self, session: Session, **content: Any) -> discord.Message:
        """Post a message of a game and remember it. With the nonce Discord posts it once."""
        self._sending.add(session.id)
        try:
            posting = await self.begin(session)
            message = await self._channel(posting).send(**content, nonce=posting.nonce)  # type: ignore[arg-type]
            try:
                await self._table.set_message(session.id, message.id)
            except StoreError:  # nobody would know of it, and the next try posts it again
                await self._delete(session, posting, message.id)
                with suppress(StoreError):
                    await self._table.store.end_posting(session.id)
                raise
            return message
        finally:
            self._sending.discard(session.id)

    async def left_over(self) -> list[int]:
        """The games of which an earlier process was posting a message when it ended."""
        return [one.game for one in await self._table.store.postings() if one.game not in self._sending]

    async def find(self, session: Session) -> discord.Message | None:
        """The message that an earlier try posted, if there was one; it is the game's from now on.

        If it was posted more than once the newest one counts, and the others are deleted. Raises what goes
        wrong between us and Discord, but for channels whose messages the bot may not read.
        """
        posting = await self._table.store.posting(session.id)
        if posting is None:
            return None
        strays = [one async for one in self._strays(session, posting)]
        kept = strays.pop() if strays and posting.channel == session.record.channel else None
        for one in strays:
            await self._delete(session, posting, one.id)
        if kept is not None:
            log.info("%s message=%s was posted by an earlier try", session.about, kept.id)
            await self._table.set_message(session.id, kept.id)
        await self._table.store.end_posting(session.id)
        return kept

    async def _strays(self, session: Session, posting: Posting) -> AsyncGenerator[discord.Message]:
        since = discord.Object(discord.utils.time_snowflake(datetime.fromtimestamp(posting.at - CLOCKS, UTC)))
        history = self._channel(posting).history(limit=LOOKED_THROUGH, after=since, oldest_first=True)
        try:
            async for one in history:
                if one.id != session.record.message and self._is_ours(one, session.id):
                    yield one
        except discord.Forbidden as error:
            log.info("%s its earlier messages cannot be read: %s", session.about, error)

    def _is_ours(self, message: discord.Message, game: int) -> bool:
        """Whether a message is one of a game's tables or lobbies; questions are no such messages."""
        ours = self._client.user is not None and message.author.id == self._client.user.id
        if not (ours and message.flags.components_v2):
            return False
        view = discord.ui.LayoutView.from_message(message)
        return any(_game_of(str(getattr(one, "custom_id", ""))) == game for one in view.walk_children())

    def _channel(self, posting: Posting) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(posting.channel)

    async def _delete(self, session: Session, posting: Posting, message: int) -> None:
        try:
            await self._channel(posting).get_partial_message(message).delete()
        except UNREACHABLE as error:
            log.info("%s message=%s was not deleted: %s", session.about, message, error)


def _game_of(custom_id: str) -> int | None:
    """The game that a button of a table or of a lobby belongs to."""
    if press := parse_custom_id(custom_id):
        return press.game
    lobby = re.match(r"kglobby:([0-9]{1,18}):", custom_id)
    return int(lobby[1]) if lobby else None
