"""Every error the engine raises.

::

    RuleError                  the rules say no; nothing has changed
    ├── NotYourTurn            another seat is to act
    ├── IllegalAction          the action is not among the legal ones
    ├── UnknownAction          the text is no action's code
    └── GameFinished           the game is over
    StateError                 stored bytes are no state this engine can read
    TranscriptError            the text is no transcript

Each class has an ``id``, which is also the ID of its text in the catalogue.
"""

from __future__ import annotations

from typing import ClassVar


class RuleError(Exception):
    """The rules forbid what was asked for; the state is unchanged."""

    id: ClassVar[str] = "error-rule"


class NotYourTurn(RuleError):
    """Another seat is to act."""

    id: ClassVar[str] = "error-not-your-turn"


class IllegalAction(RuleError):
    """The action exists but is not legal now."""

    id: ClassVar[str] = "error-illegal-action"


class UnknownAction(RuleError):
    """The text is the code of no action."""

    id: ClassVar[str] = "error-unknown-action"


class GameFinished(RuleError):
    """The game is over; no action is legal."""

    id: ClassVar[str] = "error-game-finished"


class StateError(Exception):
    """Bytes that should hold a state do not, or hold one of another format."""

    id: ClassVar[str] = "error-state"


class TranscriptError(Exception):
    """The text is not a transcript: no JSON, or a wrong format, mode, tile, deck or action pair."""

    id: ClassVar[str] = "error-transcript"
