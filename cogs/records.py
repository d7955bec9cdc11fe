"""The statistics of a server and of all servers: what a person has come to, the boards, the challenges.

``table/standings.py`` says what a result counts for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from discord import app_commands

from cogs import challenges
from cogs.client import client_of
from cogs.group import command_text, kanagawa, option_text
from cogs.guard import Interaction, Refusal, delivery, tell, words_for
from cogs.texts import Words, words_of
from kanagawa.cards import Season
from table.errors import UnreadableGame
from table.standings import RANKED_GAMES, SOLO, TABLE, Standing
from table.store import OVER, Result
from table.table import Table

#: So many places of a leaderboard are shown.
PLACES = 15
SHOWN = ("mine", "leaderboard", "solo", challenges.DAY, challenges.WEEK)

_words = Words("en")


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
    table, user = client_of(interaction).table, interaction.user.id
    where = None if everywhere else guild
    if show == "mine":
        own = [await table.standing(where, sort, user) for sort in (TABLE, SOLO)]
        await tell(interaction, mine(words, *own))
        return
    sort = TABLE if show == "leaderboard" else SOLO
    best = await table.standings(where, sort, PLACES)
    await tell(interaction, board(words, show, best, await table.standing(where, sort, user)))


async def _share(interaction: Interaction, seeds: Sequence[str]) -> None:
    """Show everybody here what the person came to in the first of these challenges that they have played."""
    table, user = client_of(interaction).table, interaction.user.id
    for seed in seeds:
        session = await table.tried(seed, user)
        if session is None or session.record.finished != OVER:
            continue
        counts = await challenges.how_counted(table, session)
        card = challenges.card(words_of(session), seed, session.view(None), counts=counts)
        with delivery(session.about):
            await interaction.response.send_message(card)
        return
    raise Refusal("error-nothing-to-share")


async def _boards(interaction: Interaction, seeds: Sequence[str], everywhere: bool) -> str:
    """Return the boards of challenges, the first in any case and the others where somebody has played them.

    A server's board holds the people who have played in it, that challenge or any game.
    """
    table, guild = client_of(interaction).table, None if everywhere else interaction.guild_id
    boards: list[str] = []
    for seed in seeds:
        best = await table.best_tries(seed, guild, challenges.PLACES)
        own = await _own_try(table, seed, interaction.user.id)
        if best or not boards:
            tries, words = await table.tries(seed, guild), words_for(interaction)
            boards.append(challenges.board(words, seed, best, tries, own, everywhere=guild is None))
    return "\n".join(boards)


async def _own_try(table: Table, seed: str, user: int) -> Result | None:
    """Return the result of a person's try that counts; None before it has one."""
    try:
        session = await table.tried(seed, user)
    except UnreadableGame:
        return None
    result = None if session is None else await table.store.result(session.id)
    return result if result is not None and result.counts and result.facts else None


def mine(words: Words, table: Standing | None, solo: Standing | None) -> str:
    """Return what a person reads of themselves: the games of several people, then the solo ones."""
    sorts = {TABLE: table, SOLO: solo}
    blocks = [_block(words, sort, found) for sort, found in sorts.items() if found and found.games]
    return "\n".join((words("stats-head"), *(blocks or [words("stats-none")]), words("stats-counts")))


def _block(words: Words, sort: str, found: Standing) -> str:
    lines = [words("stats-games", sort=sort, games=found.games, wins=found.wins, left=found.gone)]
    sums, bests = found.figures.sums, found.figures.bests
    if found.best is not None:
        lines.append(words("stats-best", points=int(found.best), diplomas=int(sums.get("diplomas", 0))))
        run = bests.get("run")
        season = words.season(run.texts["run_season"]) if run and run.value else ""
        lines.append(words("stats-run", run=int(run.value) if run else 0, season=season))
    if favourite := _favourite(sums):
        lines.append(words("stats-season", season=words.season(favourite)))
    return "\n".join(lines)


def _favourite(sums: Mapping[str, float]) -> str | None:
    """Return the Season of which most cards were painted, Storms aside; of several the year's first."""
    painted = {one: sums.get(f"seasons.{one}", 0) for one in Season if one is not Season.STORM}
    season = max(painted, key=lambda one: painted[one])
    return season if painted[season] else None


def board(words: Words, show: str, best: Sequence[Standing], own: Standing | None) -> str:
    """Return a leaderboard with the person's own line, or that nobody is on it yet."""
    sort = TABLE if show == "leaderboard" else SOLO
    values = [one.value(sort) or 0.0 for one in best]
    lines = [
        _line(words, show, one, f"{1 + sum(other > value for other in values)}.")
        for one, value in zip(best, values, strict=True)
    ]
    if own is not None and own.value(sort) is not None and all(one.user != own.user for one in best):
        lines.append(_line(words, show, own, "…"))
    head = words(f"stats-{show}-head", least=RANKED_GAMES)
    return "\n".join((head, *(lines or [words("stats-nobody")])))


def _line(words: Words, show: str, one: Standing, place: str) -> str:
    solo = show == "solo"
    value = one.value(SOLO if solo else TABLE) or 0.0
    return words(
        f"stats-{show}-line",
        place=place,
        name=words.person(one.name),
        value=f"{value:.0f}" if solo else f"{value:.1f}",
        games=one.games if solo else one.rated,
    )
