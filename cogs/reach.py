"""What Discord's refusals say about the place of a game."""

from __future__ import annotations

import logging

import discord

from cogs.online import CONNECTION_LOST

log = logging.getLogger(__name__)

#: Discord's codes for a channel or a server that is not there: it never comes back under its ID.
UNKNOWN_CHANNEL, UNKNOWN_SERVER = 10003, 10004
#: The bot may not see the place: it was removed from the server, or a permission is missing.
MISSING_ACCESS = 50001
#: A thread that is archived or locked, in which only its moderators write.
THREAD_ARCHIVED, THREAD_LOCKED = 50083, 160005


def gone(error: BaseException) -> bool:
    """Return whether an error says that the place is gone for good."""
    return isinstance(error, discord.NotFound) and error.code in (UNKNOWN_CHANNEL, UNKNOWN_SERVER)


def barred(error: BaseException) -> bool:
    """Return whether an error says that the bot may not write in the place, which a person can change.

    That is any 403 that has a code of Discord's: a permission is missing (50001, 50013), the person takes no
    direct messages (50007, 50278). One without a code comes from what stands before Discord: an outage.
    """
    if not isinstance(error, discord.HTTPException):
        return False
    return (error.status == 403 and error.code != 0) or error.code in (THREAD_ARCHIVED, THREAD_LOCKED)


async def is_gone(client: discord.Client, channel: int, server: int | None) -> bool:
    """Ask Discord whether a channel is gone for good, of a server that the bot is in and that has no outage.

    One wrong answer alone must not end a game. Direct messages are never gone.
    """
    known = None if server is None else client.get_guild(server)
    if known is None or known.unavailable:
        return False
    try:
        await client.fetch_channel(channel)
    except discord.HTTPException as error:
        return gone(error)
    except CONNECTION_LOST as error:
        log.warning("whether channel %s is there cannot be seen: %s", channel, error)
    return False
