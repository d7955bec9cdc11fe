"""The statistics of a server: what a person has played, and the leaderboard.

Results of games of several people, and of solo games, are counted apart. A game counts when it was played
to its end; for a person whose seat the apprentice played on it counts as left, and in the rating as lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from discord import app_commands
from openskill.models import PlackettLuce, PlackettLuceRating

from cogs import challenges
from cogs.client import client_of
from cogs.group import command_text, kanagawa, option_text
from cogs.guard import Interaction, Refusal, delivery, tell, words_for
from cogs.texts import Words, words_of
from kanagawa.cards import Season
from table.store import NOBODY, Result, Seat

#: Rated games that a person needs for a place on the leaderboard.
RANKED_GAMES = 5
#: So many places of a leaderboard are shown.
PLACES = 15
SHOWN = ("mine", "leaderboard", "solo", challenges.DAY, challenges.WEEK)

_words = Words("en")


# Counting --------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What a person has done in games of one sort."""

    games: int = 0
    left: int = 0
    wins: int = 0
    best: int = 0
    run: int = 0
    run_season: str = ""
    diplomas: int = 0
    seasons: Counter[str] = field(default_factory=Counter[str])

    @property
    def favourite(self) -> str | None:
        """The Season of which most cards were painted, Storms aside; of several the year's first."""
        year = [season for season in Season if season is not Season.STORM and self.seasons[season]]
        return max(year, key=lambda season: self.seasons[season], default=None)


def is_solo(result: Result) -> bool:
    """Whether a result is of a game against Osahito, who has facts but is nobody's seat."""
    return len(result.facts) > len(result.seats)


def tally(results: Iterable[Result], user: int) -> Tally:
    """What a person has done in these games."""
    found = Tally()
    for result in results:
        for seat, facts in _seated(result):
            if seat.user != user:
                continue
            if seat.apprentice:
                found.left += 1
                continue
            first = found.games == 0
            found.games += 1
            found.wins += bool(facts["won"])
            found.best = facts["points"] if first else max(found.best, facts["points"])
            if facts["run"] > found.run:
                found.run, found.run_season = facts["run"], facts["run_season"]
            found.diplomas += facts["diplomas"]
            found.seasons.update(facts["seasons"])
    return found


def _seated(result: Result) -> Iterator[tuple[Seat, dict[str, Any]]]:
    """The people of a game, each with what they came to."""
    return zip(result.seats, result.facts, strict=False)


@dataclass(frozen=True)
class Place:
    """A place on a leaderboard: a person, how many games they played, and by what they are ranked."""

    user: int
    name: str
    games: int
    value: float


def leaderboard(results: Iterable[Result]) -> list[Place]:
    """The people by rating, best first: those of at least :data:`RANKED_GAMES` games of several people.

    The rating is OpenSkill's conservative estimate, mu - 3 sigma. Whoever left a game is last in it.
    """
    model = PlackettLuce()
    ratings: dict[int, PlackettLuceRating] = {}
    games: Counter[int] = Counter()
    names: dict[int, str] = {}
    for result in results:
        if is_solo(result) or len(result.seats) < 2:
            continue
        # Former players count for the others, each as a new one.
        teams = [[ratings.get(seat.user) or model.rating()] for seat in result.seats]
        rated = model.rate(teams, ranks=_ranks(result))
        for seat, (rating,) in zip(result.seats, rated, strict=True):
            if seat.user == NOBODY:
                continue
            ratings[seat.user], names[seat.user] = rating, seat.name
            games[seat.user] += 1
    places = [
        Place(user, names[user], games[user], rating.ordinal())
        for user, rating in ratings.items()
        if games[user] >= RANKED_GAMES
    ]
    return _ordered(places)


def _ranks(result: Result) -> list[float]:
    """The rank of each seat by points, 0 the best, equal for equal points; last for who left."""
    points = [None if seat.apprentice else facts["points"] for seat, facts in _seated(result)]
    stayed = [one for one in points if one is not None]
    return [float(len(points) if one is None else sum(other > one for other in stayed)) for one in points]


def solo_board(results: Iterable[Result]) -> list[Place]:
    """The people by their best score against Osahito, best first."""
    solo = [result for result in results if is_solo(result)]
    names = {seat.user: seat.name for result in solo for seat in result.seats if seat.user != NOBODY}
    tallies = {user: tally(solo, user) for user in names}
    return _ordered(
        Place(user, names[user], found.games, found.best) for user, found in tallies.items() if found.games
    )


def _ordered(places: Iterable[Place]) -> list[Place]:
    return sorted(places, key=lambda one: (-one.value, -one.games, one.user))


# The command -----------------------------------------------------------------------------------------


@kanagawa.command(name="stats", description=command_text("stats"))
@app_commands.describe(
    show=option_text("stats", "show"),
    seed=option_text("stats", "seed"),
    everywhere=option_text("stats", "everywhere"),
    share=option_text("stats", "share"),
)
@app_commands.choices(
    show=[app_commands.Choice(name=_words(f"stats-show-{one}"), value=one) for one in SHOWN]
)
async def stats(
    interaction: Interaction,
    show: str = "mine",
    seed: app_commands.Range[str, 1, 24] | None = None,
    everywhere: bool = False,
    share: bool = False,
) -> None:
    """Show a person's own statistics in this server, who leads it, or the board of a solo challenge.

    In a DM own statistics are of all games, and boards of all servers. What a person came to in a challenge
    can be shown to everybody instead.
    """
    words, guild = words_for(interaction), interaction.guild_id
    if seed is not None or show in (challenges.DAY, challenges.WEEK):
        table = client_of(interaction).table
        if seed is None:
            named = [challenges.current(show, table.now()), challenges.former(show, table.now())]
        else:
            named = [challenges.of_word(seed)]
        if share:
            await _share(interaction, named)
        else:
            await tell(interaction, await _boards(interaction, named, everywhere))
        return
    if share:
        raise Refusal("error-nothing-to-share")
    if show != "mine" and (guild is None or everywhere):
        raise Refusal("error-only-in-server")
    results = await client_of(interaction).table.results(None if everywhere else guild)
    if show == "mine":
        await tell(interaction, mine(words, results, interaction.user.id))
    else:
        places = leaderboard(results) if show == "leaderboard" else solo_board(results)
        await tell(interaction, board(words, show, places))


async def _share(interaction: Interaction, seeds: Sequence[str]) -> None:
    """Show everybody here what the person came to in the first of these challenges that they have played."""
    table, user = client_of(interaction).table, interaction.user.id
    for seed in seeds:
        for own in [one.game for one in await table.attempts(seed) if one.seats[0].user == user]:
            session = await table.get(own)
            card = challenges.card(words_of(session), seed, session.view(None), counts=True)
            with delivery(session.about):
                await interaction.response.send_message(card)
            return
    raise Refusal("error-nothing-to-share")


async def _boards(interaction: Interaction, seeds: Sequence[str], everywhere: bool) -> str:
    """The boards of challenges, the first in any case and the others where somebody has played them.

    A server's board holds those who have played in it, that challenge or any game.
    """
    table, guild = client_of(interaction).table, interaction.guild_id
    known: set[int] | None = None
    if guild is not None and not everywhere:
        known = {seat.user for result in await table.results(guild) for seat in result.seats} - {NOBODY}
    boards: list[str] = []
    for seed in seeds:
        tries = [one for one in await table.attempts(seed) if known is None or one.seats[0].user in known]
        if tries or not boards:
            boards.append(challenges.board(words_for(interaction), seed, tries, everywhere=known is None))
    return "\n".join(boards)


def mine(words: Words, results: Sequence[Result], user: int) -> str:
    """What a person reads of themselves: the games of several people, then the solo ones."""
    sorts = {
        "table": tally((one for one in results if not is_solo(one)), user),
        "solo": tally((one for one in results if is_solo(one)), user),
    }
    blocks = [_block(words, sort, found) for sort, found in sorts.items() if found.games or found.left]
    return "\n".join((words("stats-head"), *(blocks or [words("stats-none")])))


def _block(words: Words, sort: str, found: Tally) -> str:
    counted = {"sort": sort, "games": found.games, "wins": found.wins, "left": found.left}
    lines = [words("stats-games", **counted)]
    if found.games:
        lines.append(words("stats-best", points=found.best, diplomas=found.diplomas))
        season = words.season(found.run_season) if found.run else ""
        lines.append(words("stats-run", run=found.run, season=season))
    if found.favourite:
        lines.append(words("stats-season", season=words.season(found.favourite)))
    return "\n".join(lines)


def board(words: Words, show: str, places: Sequence[Place]) -> str:
    """A leaderboard, or that nobody is on it yet."""
    head = words(f"stats-{show}-head", least=RANKED_GAMES)
    lines = [
        words(
            f"stats-{show}-line",
            place=1 + sum(other.value > one.value for other in places),
            name=words.person(one.name),
            value=f"{one.value:.1f}" if show == "leaderboard" else f"{one.value:.0f}",
            games=one.games,
        )
        for one in places[:PLACES]
    ]
    return "\n".join((head, *(lines or [words("stats-nobody")])))
