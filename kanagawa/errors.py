"""Every error the engine raises.

::

    RuleError                  the rules forbid the action; nothing has changed
    ├── NotYourTurn            another seat is to act
    ├── IllegalAction          the action is not legal now
    ├── UnknownAction          the text is not the code of an action
    └── GameFinished           the game is over
    StateError                 stored bytes are not a state that this engine can read
    TranscriptError            the text is not a transcript

Each class has an ``id``, which is also the ID of its text in the catalogue of translations.
"""

from __future__ import annotations

from typing import ClassVar


class RuleError(Exception):
    """The rules forbid the action; the state is unchanged."""

    id: ClassVar[str] = "error-rule"


class NotYourTurn(RuleError):
    """Another seat is to act."""

    id: ClassVar[str] = "error-not-your-turn"


class IllegalAction(RuleError):
    """The action exists but is not legal now."""

    id: ClassVar[str] = "error-illegal-action"


class UnknownAction(RuleError):
    """The text is not the code of an action."""

    id: ClassVar[str] = "error-unknown-action"


class GameFinished(RuleError):
    """The game is over; no action is legal."""

    id: ClassVar[str] = "error-game-finished"


class StateError(Exception):
    """Stored bytes do not hold a state, or hold a state that this engine cannot continue."""

    id: ClassVar[str] = "error-state"


class TranscriptError(Exception):
    """The text is not a transcript: not JSON, or with a wrong format, mode, tile, deck or action pair."""

    id: ClassVar[str] = "error-transcript"
