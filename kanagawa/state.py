"""The state of a game, and the view of it: the part that one viewer may know (K2.7).

All values are frozen and made of tuples, so they can be shared, hashed and compared. Seats are numbered from
0, columns and rows of the School from 1. A place of a Studio is a number: the Start tile has 0, the first
card put in the Studio 1, and so on. Cards, tiles and Diplomas are named by their IDs (``cards``).
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

import msgspec
from msgspec import Struct

from kanagawa.cards import CARDS, DIPLOMAS, START_TILES
from kanagawa.errors import StateError


class Mode(StrEnum):
    """The kind of game: the game for 2 to 4, or the solo game against Osahito."""

    TABLE = "table"
    OSAHITO = "osahito"


class Phase(StrEnum):
    """The kind of decision that the seat to act must make."""

    CHOICE = "choice"  # stay, or take a column (K2.2)
    TURN = "turn"  # place cards and Brushes; decide what is offered (K3, K4)
    LAST = "last"  # solo: the last decision (O6)
    OVER = "over"  # nothing: the game is finished (K5)


class Shown(IntEnum):
    """The news in an action for any viewer: which hidden card it showed (K2.7). It decides about undo."""

    NOTHING = 0
    OWN = 1  # a card that only the acting player knew, and has now placed for all to see
    HIDDEN = 2  # a card that the acting player did not know either: dealt, taken face down, placed by Osahito


class Player(Struct, frozen=True):
    """The things of one player.

    ``print`` and ``studio`` hold card IDs in the order of placing, without the Start tile ``tile``.
    ``secret`` are the cards in ``hand`` whose front nobody else has seen (K2.7).

    ``unplaced`` is the number of Brushes not yet placed. ``standing`` are the places on which a Brush
    stands, ascending, and ``spent`` those whose Brush has painted in this turn (K3.4). ``arrows_used`` is
    the number of Arrows used in this turn (K3.5).

    ``storms`` is the number of Storm tokens. ``diplomas`` are held, ``declined`` were declined for good.
    """

    tile: str
    print: tuple[str, ...] = ()
    studio: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    unplaced: int = 0
    standing: tuple[int, ...] = ()
    spent: tuple[int, ...] = ()
    arrows_used: int = 0
    storms: int = 0
    diplomas: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()

    @property
    def brushes(self) -> int:
        """Brushes owned, placed or not (K4.6)."""
        return self.unplaced + len(self.standing)


class State(Struct, frozen=True):
    """A whole game, hidden things included. Viewers get a ``View`` of it, which ``rules.view`` makes.

    ``deck`` is the whole deck in the order of dealing; its first ``dealt`` cards have been dealt.
    ``columns[k - 1]`` holds the cards of column k from row 1 on, or None if it has been taken. ``row`` is
    the last row that was dealt. ``queue`` is the seat to act, followed by the seats that have yet to choose
    in this choice phase. ``stayed`` are the seats that chose to stay in it. ``alone`` is True if the phase
    began with one seat (K2.5). ``grand_master`` and ``assistant`` are the seats that hold them. ``display``
    are the Diplomas that nobody holds; ``offered`` are those that the seat to act must decide on now
    (K4.1).
    """

    mode: Mode
    deck: tuple[str, ...]
    players: tuple[Player, ...]
    dealt: int = 0
    round: int = 0
    row: int = 0
    columns: tuple[tuple[str, ...] | None, ...] = ()
    phase: Phase = Phase.CHOICE
    queue: tuple[int, ...] = ()
    stayed: tuple[int, ...] = ()
    alone: bool = False
    grand_master: int = 0
    assistant: int = 0
    display: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()

    @property
    def to_move(self) -> int | None:
        """The seat to act, or None when the game is over."""
        return self.queue[0] if self.queue else None


class View(Struct, frozen=True):
    """The part of a game that one viewer may know; the fields are those of ``State`` if not named here.

    ``seat`` is the viewer, or None for the public. A card is its ID, or its back if the viewer may not
    know the front (``cards.is_back``): a face-down card of the School for everybody, a secret card in a
    hand for everybody but its owner. ``deck`` is the number of cards left in the deck. ``top`` is the back
    of the next card, or None if the deck is empty.
    """

    mode: Mode
    seat: int | None
    players: tuple[Player, ...]
    deck: int
    top: str | None
    round: int
    row: int
    columns: tuple[tuple[str, ...] | None, ...]
    phase: Phase
    queue: tuple[int, ...]
    stayed: tuple[int, ...]
    alone: bool
    grand_master: int
    assistant: int
    display: tuple[str, ...]
    offered: tuple[str, ...]

    @property
    def to_move(self) -> int | None:
        """The seat to act, or None when the game is over."""
        return self.queue[0] if self.queue else None


def encode(state: State) -> bytes:
    """Return the state as JSON, for the store; :func:`decode` reads it back."""
    return _encoder.encode(state)


def decode(data: bytes) -> State:
    """Return the state that was encoded. Raises StateError for bytes that this engine cannot continue."""
    try:
        state = _decoder.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise StateError(f"not a state: {error}") from error
    for player in state.players:
        cards = {*player.print, *player.studio, *player.hand}
        if not (player.tile in START_TILES and cards <= _ALL_CARDS and DIPLOMAS.keys() >= {*player.diplomas}):
            raise StateError("a player has a card, a tile or a Diploma that this game does not have")
    if sorted(state.deck) != sorted(CARDS) or not DIPLOMAS.keys() >= {*state.display, *state.offered}:
        raise StateError("the deck or the display is not that of this game")
    if not _holds_together(state):
        raise StateError(
            "the state names a seat that does not exist, or has no seat to act before the game is over"
        )
    return state


def _holds_together(state: State) -> bool:
    """Return whether all seats named exist, ``dealt`` fits the deck, and a seat is to act until the end."""
    named = {*state.queue, *state.stayed, state.grand_master, state.assistant}
    return (
        named <= set(range(len(state.players)))
        and 0 <= state.dealt <= len(state.deck)
        and bool(state.queue) == (state.phase is not Phase.OVER)
    )


_ALL_CARDS = frozenset(CARDS)
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(State)
