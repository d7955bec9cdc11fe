"""What a result counts for: ratings, statistics and boards, kept as results arrive. Pure.

- A game of several people that is played to its end counts for the people who sat at its start. OpenSkill
  rates them, once among the games of the server and once among those of all servers.
- A person *left* a game if they conceded, handed their seat to somebody else, or let the apprentice play
  their last turn because the time was over. They are last in it, whatever the seat comes to, and its points
  are not theirs. The person who sat down for them neither wins nor loses.
- A game of several people ends without a result when all who are seated agree, or when a moderator ends it
  who never sat in it. After an agreement, those who had left before have lost against those who had not.
- A game that ends because nobody has moved for long was left by the person whose move it waited for.
- A game whose place is gone, or was out of reach for too long, counts for nobody.
- A game alone counts, too. If its person cancels or concedes it after their first move, they left it.
- Of a challenge, the first try that a person begins counts, if they finish it in time. No other try does.

This module knows no game: ``points`` and ``won`` are read from a game's facts, every other number in them is
added up, and its best is kept. It cannot know of two accounts that one person has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from openskill.models import PlackettLuce, PlackettLuceRating

#: Nobody sits where a person sat who was forgotten.
NOBODY = 0
TABLE, SOLO = "table", "solo"
#: The scope of all servers and direct messages; a server's scope is its ID.
EVERYWHERE = 0
#: Rated games that a person needs for a place on the leaderboard.
RANKED_GAMES = 5

_MODEL = PlackettLuce()


class Best(msgspec.Struct, frozen=True):
    """The largest that a number has been, and the texts that were told beside it."""

    value: float
    texts: dict[str, str] = {}


class Figures(msgspec.Struct, frozen=True):
    """What the facts of a person's games add up to by name, and the best of each."""

    sums: dict[str, float] = {}
    bests: dict[str, Best] = {}


class Standing(msgspec.Struct, frozen=True):
    """What a person has come to in one scope, in games of one sort.

    ``games`` are those that count, ``gone`` those of them that the person left; ``rated`` are the games
    behind the rating ``mu`` and ``sigma``.
    """

    user: int
    name: str
    games: int = 0
    gone: int = 0
    wins: int = 0
    best: float | None = None
    rated: int = 0
    mu: float | None = None
    sigma: float | None = None
    figures: Figures = Figures()

    def value(self, sort: str) -> float | None:
        """Return what a board ranks by: alone the best score, else mu - 3 sigma. None without a place."""
        if sort == SOLO:
            return self.best
        if self.rated < RANKED_GAMES or self.mu is None or self.sigma is None:
            return None
        return self.mu - 3 * self.sigma


class Played(msgspec.Struct, frozen=True):
    """How a seat ended for the person who began it; without facts the game was not played to its end."""

    user: int
    name: str
    left: bool
    facts: Mapping[str, Any] | None = None


def counted(played: Sequence[Played], before: Mapping[int, Standing]) -> dict[int, Standing]:
    """Return the standings of a game's people after it, from those before it, by person."""
    after = {
        one.user: _counted(one, before.get(one.user) or Standing(one.user, one.name))
        for one in played
        if one.user != NOBODY
    }
    for user, (mu, sigma) in _rated(played, before):
        after[user] = msgspec.structs.replace(after[user], mu=mu, sigma=sigma, rated=after[user].rated + 1)
    return after


def _counted(one: Played, before: Standing) -> Standing:
    """Return a person's standing with a game more, its rating aside."""
    if one.left:
        return msgspec.structs.replace(before, name=one.name, games=before.games + 1, gone=before.gone + 1)
    if one.facts is None:
        return msgspec.structs.replace(before, name=one.name)
    points = one.facts["points"]
    return msgspec.structs.replace(
        before,
        name=one.name,
        games=before.games + 1,
        wins=before.wins + bool(one.facts.get("won")),
        best=points if before.best is None else max(points, before.best),
        figures=_added(before.figures, one.facts),
    )


def _added(figures: Figures, facts: Mapping[str, Any]) -> Figures:
    """Return the figures with the facts of one game more."""
    sums, bests = dict(figures.sums), dict(figures.bests)
    texts = {name: fact for name, fact in facts.items() if isinstance(fact, str)}
    for name, number in _numbers(facts):
        sums[name] = sums.get(name, 0) + number
        if name not in bests or number > bests[name].value:
            bests[name] = Best(number, texts)
    return Figures(sums, bests)


def _numbers(facts: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, float]]:
    """Yield each number among facts by its name, one inside another fact as ``fact.name``."""
    for name, fact in facts.items():
        if isinstance(fact, Mapping):
            yield from _numbers(fact, f"{within}{name}.")  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(fact, int | float) and not isinstance(fact, bool):
            yield f"{within}{name}", fact


def _rated(
    played: Sequence[Played], before: Mapping[int, Standing]
) -> Iterator[tuple[int, tuple[float, float]]]:
    """Yield the new rating of each person, if anything tells them apart or says that they are equal."""
    unfinished = all(one.facts is None for one in played)
    if len(played) < 2 or (len({one.left for one in played}) == 1 and (unfinished or played[0].left)):
        return
    # A former player counts for the others, each time as a new one.
    teams = [[_rating(before.get(one.user))] for one in played]
    for one, (rating,) in zip(played, _MODEL.rate(teams, ranks=_ranks(played)), strict=True):
        if one.user != NOBODY:
            yield one.user, (rating.mu, rating.sigma)


def _rating(standing: Standing | None) -> PlackettLuceRating:
    if standing is None or standing.mu is None or standing.sigma is None:
        return _MODEL.rating()
    return _MODEL.rating(mu=standing.mu, sigma=standing.sigma)


def _ranks(played: Sequence[Played]) -> list[float]:
    """Return the rank of each seat by points, 0 the best, equal for equal points; last for who left."""
    stayed = [_points(one) for one in played if not one.left]
    return [
        float(len(played) if one.left else sum(other > _points(one) for other in stayed)) for one in played
    ]


def _points(one: Played) -> float:
    return 0 if one.facts is None else one.facts["points"]
