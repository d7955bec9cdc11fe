"""Every error the table raises.

::

    TableError                 what was asked for cannot be done; nothing has changed
    ├── NoGame                 there is no such game
    ├── NotStarted             the game is still a lobby
    ├── AlreadyStarted         the lobby has become a game
    ├── GameOver               the game has ended
    ├── NotOver                the game has not ended yet
    ├── PlayedAgain            its people play again already, or it ended too long ago for that
    ├── ChannelBusy            the channel has a live game already
    ├── TooManyGames           the person sits in as many live games as one may
    ├── GameFull               every seat is taken
    ├── AlreadySeated          the person has a seat in this game
    ├── NotSeated              the person has no seat in this game
    │   └── Away               the apprentice plays it on, and they may come back to it
    ├── NotYourMove            another seat is to act
    ├── NotHost                only the host may do this
    ├── TakenOut               the host has taken the person out of the lobby
    ├── TooFewPlayers          the game needs more people
    ├── Stale                  the game has moved on since what was clicked
    ├── NoTimeLimit            the turns of the game have no limit that could stand still
    ├── NotYet                 the turn's time is not over
    ├── SeatTaken              the seat is not free, or not for this person
    ├── AlreadyAsked           the same question waits to be answered
    ├── AlreadyTrying          the person's try that counts of this challenge goes on
    ├── TooSoon                the person was asked by the same one a moment ago
    ├── RefusedBefore          the person has refused that in this game
    ├── NoAsk                  what was asked is answered, or can no longer be
    ├── NotAsked               somebody else is asked
    ├── OrderLapsed            the situation an order is for has passed
    ├── CannotUndo             there is nothing this person may take back
    │   └── MustAsk            they may if the others allow it
    └── UnreadableGame         the stored game cannot be read; it is closed
    StoreError                 the database cannot be used
    ├── FolderMissing          the folder that should hold it does not exist
    ├── DatabaseInUse          another bot is running on it
    ├── DatabaseLocked         another program keeps it locked
    ├── DatabaseNewer          a newer version of this program has written it
    ├── DatabaseUnusable       damaged, no database, read-only, or the disk is full
    │   └── DatabaseDamaged    a part of it cannot be read
    └── NoBackup               no copy of it could be made

Each class has an ``id``, which is also the ID of its text in the catalogue.
"""

from __future__ import annotations

import math
from typing import ClassVar


class TableError(Exception):
    """What was asked for cannot be done; nothing has changed."""

    id: ClassVar[str] = "error-table"


class NoGame(TableError):
    """There is no game with this number."""

    id: ClassVar[str] = "error-no-game"


class NotStarted(TableError):
    """The game is still a lobby."""

    id: ClassVar[str] = "error-not-started"


class AlreadyStarted(TableError):
    """The lobby has become a game: nobody joins or leaves it any more."""

    id: ClassVar[str] = "error-already-started"


class GameOver(TableError):
    """The game has ended, whatever way."""

    id: ClassVar[str] = "error-game-over"


class NotOver(TableError):
    """The game has not ended yet, and what was asked for shows its secrets."""

    id: ClassVar[str] = "error-not-over"


class PlayedAgain(TableError):
    """Another game has come of this one already, or it ended too long ago to be played again."""

    id: ClassVar[str] = "error-played-again"


class ChannelBusy(TableError):
    """The channel has a live game or lobby already."""

    id: ClassVar[str] = "error-channel-busy"


class TooManyGames(TableError):
    """The person sits in as many live games and lobbies as one may."""

    id: ClassVar[str] = "error-too-many-games"


class GameFull(TableError):
    """Every seat is taken."""

    id: ClassVar[str] = "error-game-full"


class AlreadySeated(TableError):
    """The person has a seat in this game: nobody has two."""

    id: ClassVar[str] = "error-already-seated"


class NotSeated(TableError):
    """The person has no seat in this game, or has left it."""

    id: ClassVar[str] = "error-not-seated"


class Away(NotSeated):
    """The apprentice plays the person's seat on, who has missed too many turns and may come back."""

    id: ClassVar[str] = "error-away"


class NotYourMove(TableError):
    """Another seat is to act."""

    id: ClassVar[str] = "error-not-your-move"


class NotHost(TableError):
    """Only the host may do this."""

    id: ClassVar[str] = "error-not-host"


class TakenOut(TableError):
    """The host has taken the person out of this lobby, who does not sit down in its game any more."""

    id: ClassVar[str] = "error-taken-out"


class TooFewPlayers(TableError):
    """The game needs more people before it can start."""

    id: ClassVar[str] = "error-too-few-players"


class Stale(TableError):
    """The game has moved on since what was clicked was shown."""

    id: ClassVar[str] = "error-stale"


class NoTimeLimit(TableError):
    """The turns of the game have no limit, so there is no clock that could stand still."""

    id: ClassVar[str] = "error-no-time-limit"


class NotYet(TableError):
    """The time of the turn is not over: nobody may end it for whoever is to move."""

    id: ClassVar[str] = "error-not-yet"


class SeatTaken(TableError):
    """The seat is not free, or not for this person."""

    id: ClassVar[str] = "error-seat-taken"


class AlreadyAsked(TableError):
    """The person has asked the same, and waits to be answered."""

    id: ClassVar[str] = "error-already-asked"


class AlreadyTrying(TableError):
    """The person's try that counts of this challenge goes on; ``game`` is its ID."""

    id: ClassVar[str] = "error-already-trying"

    def __init__(self, message: str, game: int) -> None:
        super().__init__(message)
        self.game = game


class TooSoon(TableError):
    """The friend was mentioned in a question of this person a moment ago; ``again`` is when they may be."""

    id: ClassVar[str] = "error-too-soon"

    def __init__(self, message: str, again: float) -> None:
        super().__init__(message)
        self.values = {"when": f"<t:{math.ceil(again)}:R>"}


class RefusedBefore(TableError):
    """The friend has refused to sit down for this person in this game."""

    id: ClassVar[str] = "error-refused-before"


class NoAsk(TableError):
    """What was asked has been answered, or the answer can change nothing any more."""

    id: ClassVar[str] = "error-no-ask"


class NotAsked(TableError):
    """It is not this person who is asked; the question stands."""

    id: ClassVar[str] = "error-not-asked"


class OrderLapsed(TableError):
    """The situation that an order is given for has passed, or nothing can be ordered in it."""

    id: ClassVar[str] = "error-order-lapsed"


class CannotUndo(TableError):
    """There is nothing that this person may take back."""

    id: ClassVar[str] = "error-cannot-undo"


class MustAsk(CannotUndo):
    """This person may take back their newest step only if the others allow it."""

    id: ClassVar[str] = "error-must-ask"


class UnreadableGame(TableError):
    """What is stored of the game cannot be read any more; the game is closed."""

    id: ClassVar[str] = "error-unreadable-game"


class StoreError(Exception):
    """The database cannot be used, or refused to save; the message says why and what to do."""

    id: ClassVar[str] = "error-store"


class FolderMissing(StoreError):
    """The folder that should hold the database does not exist."""

    id: ClassVar[str] = "error-store-folder"


class DatabaseInUse(StoreError):
    """Another bot is running on this database."""

    id: ClassVar[str] = "error-store-in-use"


class DatabaseLocked(StoreError):
    """Another program has kept the database locked for longer than we wait."""

    id: ClassVar[str] = "error-store-locked"


class DatabaseNewer(StoreError):
    """A newer version of this program has written the database."""

    id: ClassVar[str] = "error-store-newer"


class DatabaseUnusable(StoreError):
    """The file is damaged, is no database or is read-only, or the disk is full."""

    id: ClassVar[str] = "error-store-unusable"


class DatabaseDamaged(DatabaseUnusable):
    """A part of the database cannot be read, or it is none at all; other parts may be whole."""


class NoBackup(StoreError):
    """No copy of the database was made, and nothing of it is left."""

    id: ClassVar[str] = "error-store-backup"
