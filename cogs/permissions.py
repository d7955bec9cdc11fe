"""What the bot may do in a channel, checked when a game opens there."""

from __future__ import annotations

import discord

from cogs.guard import Interaction, Refusal, tell, words_for

#: What a game needs, in the order in which a server's settings list it.
NEEDED = ("view_channel", "send_messages", "embed_links", "attach_files", "read_message_history")
#: In a thread messages need another permission.
NEEDED_IN_THREAD = tuple("send_messages_in_threads" if one == "send_messages" else one for one in NEEDED)
#: A game that gets a thread of its own needs these beside.
NEEDED_FOR_THREAD = ("create_public_threads", "send_messages_in_threads")


def missing_permissions(interaction: Interaction, *, thread: bool = False) -> list[str]:
    """The permissions that the bot lacks where the interaction happened; none in a DM.

    With ``thread`` those for making a thread there are among them.
    """
    if interaction.guild_id is None:
        return []
    needed = NEEDED_IN_THREAD if isinstance(interaction.channel, discord.Thread) else NEEDED
    granted = interaction.app_permissions
    return [one for one in (*needed, *(NEEDED_FOR_THREAD if thread else ())) if not getattr(granted, one)]


def _named(interaction: Interaction, missing: list[str]) -> str:
    words = words_for(interaction)
    return words.listed([words("permission", permission=one) for one in missing])


def require_permissions(interaction: Interaction, *, thread: bool = False) -> None:
    """Refuse, naming what is missing, where the bot could not show and keep a table."""
    known = {one.id for one in interaction.client.guilds}
    # Who has been told of no server at all cannot say that this one is not among them.
    if interaction.guild_id is not None and known and interaction.guild_id not in known:
        raise Refusal("error-not-a-member")
    if missing := missing_permissions(interaction, thread=thread):
        raise Refusal("error-missing-permissions", permissions=_named(interaction, missing))


async def not_shown(interaction: Interaction) -> None:
    """Say that what was done counts although the table could not be shown, and what is missing for it."""
    words = words_for(interaction)
    if missing := missing_permissions(interaction):
        await tell(interaction, words("not-shown-permissions", permissions=_named(interaction, missing)))
    else:
        await tell(interaction, words("not-shown"))
