"""Every error of the table and its store.

::

    TableError               the table says no; nothing has changed
    ├── NoGame               there is no such game, or none here
    ├── GameOver             the game has ended
    ├── NotStarted           the game is still a lobby
    ├── AlreadyStarted       the game is no lobby any more
    ├── NotSeated            the person sits at no seat of this game
    ├── NotYourMove          another seat is to act
    ├── Stale                the table has moved on since what was clicked was shown
    ├── CannotUndo           nothing that may be taken back
    ├── ChannelBusy          the channel has a live game already
    ├── GameFull             every seat is taken
    ├── AlreadySeated        the person sits in this game already
    ├── NotHost              only the host may do that
    ├── TooFewPlayers        the game needs more people to start
    ├── TooManyGames         the person holds as many open games as one may
    └── UnreadableGame       the stored game cannot be read; it has been closed
    StoreError               the database cannot be used
    ├── NoFolder             its folder does not exist or cannot be written
    ├── InUse                another process has it open
    ├── Newer                it was written by a newer version
    ├── NotADatabase         the file is no database, or a damaged one
    └── SaveFailed           a write failed; the move does not count

Each class has an ``id``, which is also the ID of its text in the catalogue. ``VersionTaken`` is no
answer to a person: the store raises it to the table, which makes it Stale.
"""

from __future__ import annotations

from typing import ClassVar


class TableError(Exception):
    """The table refuses; nothing has changed."""

    id: ClassVar[str] = "error-table"


class NoGame(TableError):
    """There is no such game, or none in this channel."""

    id: ClassVar[str] = "error-no-game"


class GameOver(TableError):
    """The game has ended, so it takes no action."""

    id: ClassVar[str] = "error-game-over"


class NotStarted(TableError):
    """The game is still a lobby."""

    id: ClassVar[str] = "error-not-started"


class AlreadyStarted(TableError):
    """The game is no lobby any more."""

    id: ClassVar[str] = "error-already-started"


class NotSeated(TableError):
    """The person sits at no seat of this game."""

    id: ClassVar[str] = "error-not-seated"


class NotYourMove(TableError):
    """Another seat is to act."""

    id: ClassVar[str] = "error-not-your-move"


class Stale(TableError):
    """The table has moved on since what was clicked was shown."""

    id: ClassVar[str] = "error-stale"


class CannotUndo(TableError):
    """There is nothing of this person's that may be taken back."""

    id: ClassVar[str] = "error-cannot-undo"


class ChannelBusy(TableError):
    """The channel has a live game already."""

    id: ClassVar[str] = "error-channel-busy"


class GameFull(TableError):
    """Every seat is taken."""

    id: ClassVar[str] = "error-game-full"


class AlreadySeated(TableError):
    """The person sits in this game already."""

    id: ClassVar[str] = "error-already-seated"


class NotHost(TableError):
    """Only the host may do that."""

    id: ClassVar[str] = "error-not-host"


class TooFewPlayers(TableError):
    """The game needs more people to start."""

    id: ClassVar[str] = "error-too-few-players"


class TooManyGames(TableError):
    """The person holds as many open games as one may."""

    id: ClassVar[str] = "error-too-many-games"


class UnreadableGame(TableError):
    """The stored game cannot be read; it has been closed."""

    id: ClassVar[str] = "error-unreadable-game"


class StoreError(Exception):
    """The database cannot be used."""

    id: ClassVar[str] = "error-store"


class NoFolder(StoreError):
    """The database's folder does not exist or cannot be written."""

    id: ClassVar[str] = "error-store-folder"


class InUse(StoreError):
    """Another process has the database open."""

    id: ClassVar[str] = "error-store-in-use"


class Newer(StoreError):
    """The database was written by a newer version of this program."""

    id: ClassVar[str] = "error-store-newer"


class NotADatabase(StoreError):
    """The file is no database, or a damaged one."""

    id: ClassVar[str] = "error-store-damaged"


class SaveFailed(StoreError):
    """A write failed, so what was asked for has not happened."""

    id: ClassVar[str] = "error-store-save"


class VersionTaken(Exception):
    """The store holds this version of the game already."""
