"""The state of a game, and what one viewer may know of it (K2.7).

All values are frozen and made of tuples, so they can be shared, hashed and compared. Seats are
numbered from 0; columns of the School from 1; places of a Studio from 0, the Start tile's.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

import msgspec
from msgspec import Struct

from kanagawa.cards import CARDS, DIPLOMAS, START_TILES
from kanagawa.errors import StateError


class Mode(StrEnum):
    """What is played: the game for 2 to 4, or the solo game against Osahito."""

    TABLE = "table"
    OSAHITO = "osahito"


class Phase(StrEnum):
    """What the seat to act is asked for."""

    CHOICE = "choice"  # stay, or take a column (K2.2)
    TURN = "turn"  # place cards and Brushes; decide what is offered (K3, K4)
    LAST = "last"  # solo: the last decision (O6)
    OVER = "over"  # nothing: the game is finished (K5)


class Shown(IntEnum):
    """What an action let any viewer at all know that they did not know before (K2.7)."""

    NOTHING = 0
    OWN = 1  # a card that its maker alone knew, and placed on purpose
    HIDDEN = 2  # a card that was dealt, a face-down card that was taken, what Osahito placed


class Player(Struct, frozen=True):
    """What lies before one player.

    ``print`` and ``studio`` hold card IDs in the order of placing, without the Start tile. ``standing``
    are the places, ascending, on which a Brush stands; ``spent`` those of them whose Brush has painted
    in this turn (K3.4). ``secret`` names the cards in ``hand`` whose front nobody else has seen (K2.7).
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
    """All of a game, hidden things included. Only ``rules.view`` shows it to anybody.

    ``deck`` is the whole deck in the order of dealing, of which ``dealt`` cards have been dealt.
    ``columns[k - 1]`` holds column k's cards from row 1 on, or None when it has been taken.
    ``queue`` are the seats that have yet to choose in this choice phase, the one to act first;
    ``stayed`` those that have chosen to stay in it; ``alone`` tells that the phase began with one seat.
    ``offered`` are the Diplomas the seat to act must decide on (K4.1).
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
    """What one viewer may know of a game: a State with everything hidden left out.

    A card shows as its ID, or as its back where the viewer may not know the front (``cards.is_back``):
    face-down cards of the School for everybody, secret cards in a hand for all but its owner. Of the
    deck there are ``deck`` cards left, the next one's back being ``top`` (None when it is empty).
    ``seat`` is the viewer, or None for the public.
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
    """The state as JSON, for the store; :func:`decode` reads it back."""
    return _encoder.encode(state)


def decode(data: bytes) -> State:
    """The state that was encoded. Raises StateError for anything this engine cannot go on with."""
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
            "somebody is named who does not play, or nobody is to act in a game that is not over"
        )
    return state


def _holds_together(state: State) -> bool:
    """Whether what a state names is there, and somebody is to act until the game is over."""
    named = {*state.queue, *state.stayed, state.grand_master, state.assistant}
    return (
        named <= set(range(len(state.players)))
        and 0 <= state.dealt <= len(state.deck)
        and bool(state.queue) == (state.phase is not Phase.OVER)
    )


_ALL_CARDS = frozenset(CARDS)
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(State)
