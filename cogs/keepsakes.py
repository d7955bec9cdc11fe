"""What remains of a game that is over: its poster, its replay, its transcript."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from cogs import challenges
from cogs.easel import Easel, Picture, filename
from cogs.texts import words_of
from kanagawa import transcript
from kanagawa.state import View
from table.table import Session, Table

#: What remains of a finished game, in the order in which its message shows it.
KEEPSAKES = ("poster", "replay", "transcript")


def shown_keepsakes(session: Session, now: float) -> tuple[str, ...]:
    """Those of the :data:`KEEPSAKES` that may be shown where a game was played.

    While others may try a challenge yet, nobody gets its deck; and its pictures are for a direct message.
    """
    if not challenges.keeps_secret(session.record.options.get("seed"), now):
        return KEEPSAKES
    return () if hides_pictures(session, now) else ("poster", "replay")


def hides_pictures(session: Session, now: float) -> bool:
    """Return whether others in the channel could still try the challenge that was played there."""
    options = session.record.options
    return bool(options.get("guild")) and challenges.keeps_secret(options.get("seed"), now)


async def keepsakes(
    table: Table, easel: Easel, session: Session, *kinds: str, owner: Hashable = None
) -> list[Picture]:
    """What remains of a finished game: those of the :data:`KEEPSAKES` that are asked for.

    ``owner`` asks for them; without one they are for the game's own message. A picture that cannot be drawn
    is left out.
    """
    words = words_of(session)
    kept: list[Picture] = []

    async def views() -> Sequence[View]:
        return [session.game.view(state, None) for state in await table.states(session)]

    if "poster" in kinds:
        kept += await easel.poster(session, words, owner)
    if "replay" in kinds:
        kept += await easel.replay(session, words, views, owner)
    if "transcript" in kinds:
        played = [(turn.seat or 0, turn.action or "") for turn in session.line[1:]]
        text = transcript.write(await table.first_state(session), played, session.state)
        kept.append(Picture(filename("kanagawa", "json", text), words("alt-transcript"), text))
    return kept
