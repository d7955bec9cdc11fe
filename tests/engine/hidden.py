"""States that look the same to a viewer: all cards that the viewer may not know are exchanged."""

from __future__ import annotations

import random
from collections.abc import Mapping

from msgspec.structs import replace

from kanagawa.cards import FACE_UP, back
from kanagawa.state import Player, State


def hidden_cards(state: State, viewer: int | None) -> list[str]:
    """Return the cards on the table and in hands of which a seat, or the public, knows only the back."""
    hidden: list[str] = []
    for number, column in enumerate(state.columns):
        hidden += [card for row, card in enumerate(column or ()) if not FACE_UP[row][number]]
    for owner, player in enumerate(state.players):
        if owner != viewer:
            hidden += player.secret
    return hidden


def exchange(state: State, viewer: int | None, chance: random.Random) -> dict[str, str]:
    """Return for each card that a viewer may not know the card that takes its place, if possible another one.

    A card whose back is visible is exchanged for one with the same back.
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
    """Return the state with each card exchanged as ``fresh`` says."""

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
    """Return the state with all cards that a viewer may not know exchanged at random."""
    return exchanged(state, exchange(state, viewer, chance))
