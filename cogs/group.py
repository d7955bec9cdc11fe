"""The one command group, ``/kanagawa``; every module of this package adds its commands to it.

The texts are the catalogue's, so a command is declared with the words of what it does::

    @kanagawa.command(name="stay", description=command_text("stay"))
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import wraps
from inspect import signature
from typing import Any

import discord
from discord import app_commands

from cogs.guard import Interaction, guard
from cogs.texts import Words

#: Where a game can live: channels and threads of a guild, and the DM with the bot. Not in group DMs and
#: not where only the user has installed the bot: there it could neither read nor edit its own table.
CONTEXTS = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
INSTALLS = app_commands.AppInstallationType(guild=True, user=False)

_words = Words("en")


def command_text(command: str) -> str:
    """What a command does, for its description; at most 100 characters."""
    return _words(f"command-{command}")


def option_text(command: str, option: str) -> str:
    """What an option of a command is for; at most 100 characters."""
    return _words(f"option-{command}-{option}")


Callback = Callable[..., Coroutine[Any, Any, None]]


class GuardedGroup(app_commands.Group):
    """A group whose commands run inside the guard: what they refuse is answered, and is no error."""

    def command(self, **options: Any) -> Callable[[Callback], app_commands.Command[Any, ..., None]]:
        """Make a command of a coroutine, as in discord.py."""

        def register(callback: Callback) -> app_commands.Command[Any, ..., None]:
            @wraps(callback)
            async def guarded(interaction: Interaction, /, **given: Any) -> None:
                if not all(_fits(one, given.get(one.name)) for one in command.parameters):
                    raise app_commands.CommandSignatureMismatch(command)
                async with guard(interaction):
                    await callback(interaction, **given)

            # Spelled in the callback's module, and read by discord.py in this one.
            guarded.__signature__ = signature(callback, eval_str=True)  # type: ignore[attr-defined]
            command = super(GuardedGroup, self).command(**options)(guarded)
            return command

        return register


_TYPES: Mapping[discord.AppCommandOptionType, type | tuple[type, ...]] = {
    discord.AppCommandOptionType.string: str,
    discord.AppCommandOptionType.integer: int,
    discord.AppCommandOptionType.boolean: bool,
    discord.AppCommandOptionType.user: (discord.User, discord.Member),
}


def _fits(parameter: app_commands.Parameter, given: Any) -> bool:
    """Whether what was given for an option can have been chosen with the commands of this version."""
    if given is None:
        return not parameter.required
    if not isinstance(given, _TYPES[parameter.type]):
        return False
    if parameter.choices:
        return given in [one.value for one in parameter.choices]
    size: Any = len(given) if isinstance(given, str) else given
    least, most = parameter.min_value, parameter.max_value
    return (least is None or least <= size) and (most is None or size <= most)


kanagawa = GuardedGroup(
    name="kanagawa",
    description=command_text("kanagawa"),
    allowed_contexts=CONTEXTS,
    allowed_installs=INSTALLS,
)
