"""Other states that a viewer cannot tell from a given one: what they may not know is dealt out anew."""

from __future__ import annotations

import random
from collections.abc import Mapping

from msgspec.structs import replace

from kanagawa.cards import FACE_UP, back
from kanagawa.state import Player, State


def hidden_cards(state: State, viewer: int | None) -> list[str]:
    """The cards before everybody's eyes of which a seat, or the public, knows the back alone."""
    hidden: list[str] = []
    for number, column in enumerate(state.columns):
        hidden += [card for row, card in enumerate(column or ()) if not FACE_UP[row][number]]
    for owner, player in enumerate(state.players):
        if owner != viewer:
            hidden += player.secret
    return hidden


def exchange(state: State, viewer: int | None, chance: random.Random) -> dict[str, str]:
    """For each card that a viewer may not know one to stand in its place, another if it can be.

    Backs are kept where they show.
    """
    hidden, rest = hidden_cards(state, viewer), list(state.deck[state.dealt :])
    pool = [*hidden, *rest]
    chance.shuffle(pool)

    def draw(like: str) -> str:
        fitting = [card for card in pool if back(card) == back(like)]
        drawn = next((card for card in fitting if card != like), like)
        pool.remove(drawn)
        return drawn

    fresh = {card: draw(card) for card in (*hidden, *rest[:1])}
    return fresh | dict(zip(rest[1:], pool, strict=True))


def exchanged(state: State, fresh: Mapping[str, str]) -> State:
    """The state with every card that is exchanged in the place of the one that it stands for."""

    def swap(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(fresh.get(card, card) for card in cards)

    def swapped(player: Player) -> Player:
        return replace(
            player,
            print=swap(player.print),
            studio=swap(player.studio),
            hand=swap(player.hand),
            secret=swap(player.secret),
        )

    return replace(
        state,
        deck=swap(state.deck),
        players=tuple(map(swapped, state.players)),
        columns=tuple(column and swap(column) for column in state.columns),
    )


def shuffled_secrets(state: State, viewer: int | None, chance: random.Random) -> State:
    """The state with everything that a viewer may not know dealt out anew."""
    return exchanged(state, exchange(state, viewer, chance))
