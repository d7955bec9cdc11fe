"""The buttons and selects of a game, and the one spelling of their custom IDs.

``kg:<game>:<version>:<code>`` says what was pressed, at which state of which game. Neither number returns
after a backup was restored, so a button that outlived its game's past does nothing. The code is an action's
(``kanagawa.actions``), or begins with ``?`` and asks for something that is no move, such as ``?table``.
A select's code begins with ``?`` too, and what was chosen is in its value: codes joined by commas.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Self

import discord
from discord import ButtonStyle, SelectOption, ui

from cogs.choices import Choice, fit
from cogs.guard import Refusal, admitted
from table.table import Session

#: What a person can ask for that is no move.
MY_TABLE, BENCH, UNDO, CONCEDE = "?table", "?bench", "?undo", "?concede"
#: Wanting a pause, or agreeing to the one that the seats after a dot want; going on without one.
WANT_PAUSE, GO_ON = "?pause", "?goon"
#: Ending a turn whose time is over; taking over the seat whose number follows after a dot; coming back.
MOVE_ON, TAKE_OVER, BACK = "?moveon", "?over", "?back"
#: Asking the others to let a turn be taken back; their answers, a friend's answers to sitting down, each
#: with the ID of who asks after a dot; and playing again with the same people.
ASK, ALLOW, REFUSE, SIT, NOT_SIT, AGAIN = "?ask", "?allow", "?refuse", "?sit", "?notsit", "?again"
#: The code of selects, of which what was chosen is the point.
PICK = "?pick"

#: At most so many options in a select, buttons in a row, and characters on a button.
MAX_OPTIONS, ROW, MAX_LABEL = 25, 5, 80

_CUSTOM_ID = re.compile(r"kg:(?P<game>[0-9]{1,18}):(?P<version>[0-9]{1,9}):(?P<code>.{1,70})", re.DOTALL)

Row = ui.ActionRow[Any]


class Press(NamedTuple):
    """What was pressed. ``chosen`` is the code, or for a select the value that was chosen."""

    game: int
    version: int
    code: str
    chosen: str


def parse_custom_id(custom_id: str) -> Press | None:
    """What a custom ID of ours says, or None if it is none; of a select, nothing has been chosen yet."""
    found = _CUSTOM_ID.fullmatch(custom_id)
    if found is None:
        return None
    return Press(int(found["game"]), int(found["version"]), found["code"], found["code"])


def require_here(interaction: discord.Interaction[Any], session: Session) -> None:
    """Raise Refusal for a control of a game that is played in another channel.

    A lobby's message stays above the thread that its game has gone on in, and Discord gives that the
    message's ID.
    """
    message = interaction.message.id if interaction.message else None
    if session.record.channel not in (interaction.channel_id, message):
        raise Refusal("error-elsewhere")


class Lasting:
    """A control whose custom ID says all there is to know of it, so that it outlives a restart."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The control that was clicked, made anew: discord.py asks for it."""
        return cls(item)  # type: ignore[call-arg]

    def alike(self, interaction: discord.Interaction[Any]) -> int:
        """How many like it are served at a time: one where another would show the same, of moves two."""
        return 1

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Whether to do what was clicked: discord.py asks for it."""
        return await admitted(interaction, self.alike(interaction))


class Control(Lasting, ui.DynamicItem[ui.Button[Any] | ui.Select[Any]], template="(?s)kg:.*"):
    """Any button or select of a game, also of one sent before a restart.

    It only parses: what to do is up to :attr:`on_press`. A custom ID that begins like ours and is not
    parses to None, so that it is answered as well.
    """

    #: What is awaited with each press; set once, by the cog that plays.
    on_press: ClassVar[Callable[[discord.Interaction[Any], Press | None], Awaitable[None]]]

    def alike(self, interaction: discord.Interaction[Any]) -> int:
        press = self._press(interaction)
        return 1 if press and press.chosen.startswith((MY_TABLE, BENCH)) else 2

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await Control.on_press(interaction, self._press(interaction))

    def _press(self, interaction: discord.Interaction[Any]) -> Press | None:
        press = parse_custom_id(self.custom_id)
        chosen = (interaction.data or {}).get("values")
        return press._replace(chosen=str(chosen[0])) if press and chosen else press


class Panel:
    """Makes the controls that belong to one state of one game, which its version names."""

    def __init__(self, game: int, version: int) -> None:
        self._prefix = f"kg:{game}:{version}:"

    def button(
        self,
        code: str,
        label: str,
        *,
        style: ButtonStyle = ButtonStyle.secondary,
        emoji: str | None = None,
        disabled: bool = False,
    ) -> Control:
        """A button that does ``code``."""
        return Control(
            ui.Button(
                label=label[:MAX_LABEL],
                custom_id=self._prefix + code,
                style=style,
                emoji=emoji,
                disabled=disabled,
            )
        )

    def select(
        self, name: str, placeholder: str, choices: Sequence[Choice], *, page: int = 0, more: str = ""
    ) -> Row:
        """A select of choices, in a row of its own; ``name`` tells it from others of the message.

        Where the choices are too many for one select the last option, labelled ``more``, leads on to the
        next page and from the last back to the first; its value is ``?bench.<name>.<page>``.
        """
        shown = list(choices)
        if len(shown) > MAX_OPTIONS:
            size = MAX_OPTIONS - 1
            pages = -(-len(shown) // size)
            page %= pages
            shown = shown[page * size : (page + 1) * size]
            following = (page + 1) % pages
            shown.append(Choice(f"{BENCH}.{name}.{following}", more, f"{page + 1}/{pages}"))
        select: ui.Select[Any] = ui.Select(
            custom_id=f"{self._prefix}{PICK}.{name}",
            placeholder=fit(placeholder),
            options=[
                SelectOption(label=fit(one.label), value=one.value, description=fit(one.detail) or None)
                for one in shown
            ],
        )
        return Row(Control(select))


def rows(buttons: Iterable[Control]) -> Iterator[Row]:
    """The buttons in rows of five."""
    waiting = list(buttons)
    for start in range(0, len(waiting), ROW):
        yield Row(*waiting[start : start + ROW])


def picture(filename: str, alt: str) -> ui.MediaGallery[Any]:
    """One attached picture in a gallery of its own, so that it is shown whole, with its alt text."""
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{filename}", description=alt[:1024]))


def layout(*items: ui.Item[Any]) -> ui.LayoutView:
    """A message of these items that never times out."""
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    return view
