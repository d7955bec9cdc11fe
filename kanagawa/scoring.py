"""The score and its parts, at any time of a game (K5.4 to K5.6, O8, O9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from kanagawa.cards import DIPLOMAS, Bonus, Season
from kanagawa.counts import count_print, count_studio, seasons
from kanagawa.state import Mode, Player, State, View

GRAND_MASTER_POINTS = 2


class Score(Struct, frozen=True):
    """The points of one seat (K5.5), or of Osahito (O8); only he has points for ``symbols``.

    ``storms`` are the positions in the Print that carry a Storm token. The run that scores begins at
    position ``run_start`` and has ``run_length`` cards of ``run_season``, which is STORM if the run holds
    only Storms. Position 0 is the Start tile. Osahito has no run and lays no token: his ``run_season`` is
    his most frequent Season (O8 B), and his ``run_length`` is 0.
    """

    print: int
    season: int
    harmony: int
    diplomas: int
    grand_master: int = 0
    symbols: int = 0
    run_start: int = 0
    run_length: int = 0
    run_season: Season = Season.STORM
    storms: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """The sum of the points."""
        return self.print + self.season + self.harmony + self.diplomas + self.grand_master + self.symbols


class Run(Struct, frozen=True):
    """An unbroken run of one Season, and the positions of the Storm tokens (K5.4)."""

    start: int
    length: int
    season: Season
    storms: tuple[int, ...]


def score(game: State | View) -> tuple[Score, ...]:
    """Return the score of each seat if the game ended now, the Grand Master's points included (K5.5, O8)."""
    if game.mode is Mode.OSAHITO:
        player, osahito = game.players
        return _player_score(player, grand_master=True), _osahito_score(osahito)
    return tuple(
        _player_score(player, grand_master=seat == game.grand_master)
        for seat, player in enumerate(game.players)
    )


def winners(game: State | View) -> tuple[int, ...]:
    """Return the seats with the most points, ascending; several seats share a victory (K5.6, O9)."""
    totals = [one.total for one in score(game)]
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))


def _player_score(player: Player, *, grand_master: bool) -> Score:
    """Return the score of a player who is not Osahito (K5.5)."""
    run = best_run(seasons(player.tile, player.print), player.storms)
    return Score(
        print=1 + len(player.print),
        season=run.length,
        harmony=_harmony(player),
        diplomas=_diploma_points(player),
        grand_master=GRAND_MASTER_POINTS if grand_master else 0,
        run_start=run.start,
        run_length=run.length,
        run_season=run.season,
        storms=run.storms,
    )


def _osahito_score(osahito: Player) -> Score:
    """Return Osahito's score: A (print), B (season), C (harmony), D (diplomas) and E (symbols) of O8."""
    shown = seasons(osahito.tile, osahito.print)
    frequent, most = Counter(one for one in shown if one is not Season.STORM).most_common(1)[0]
    studio = count_studio(osahito.tile, osahito.studio)
    assistants = sum(DIPLOMAS[one].bonus is Bonus.ASSISTANT for one in osahito.diplomas)
    return Score(
        print=len(shown),
        season=most + shown.count(Season.STORM) + osahito.storms,
        harmony=_harmony(osahito),
        diplomas=_diploma_points(osahito),
        symbols=studio.hands + studio.assistants + assistants,
        run_season=frequent,
    )


def _harmony(player: Player) -> int:
    """Return the Harmony of the Print and the Studio together (K5.5)."""
    studio = count_studio(player.tile, player.studio)
    return studio.harmony + count_print(player.print).harmony


def _diploma_points(player: Player) -> int:
    """Return the points of a player's Diplomas (K5.5)."""
    return sum(DIPLOMAS[diploma].points for diploma in player.diplomas)


@lru_cache(maxsize=4096)
def best_run(shown: tuple[Season, ...], tokens: int) -> Run:
    """Return the longest run of one Season with the Storm tokens laid where they score most (K5.4, K5.5).

    ``shown`` are the Seasons of the Print from left to right. No card carries two tokens. If several
    layings give the longest run, the leftmost laying is taken, and then the leftmost run.
    """
    tokens = min(tokens, len(shown))
    longest = max(end - start for start, end, _, _ in _windows(shown, tokens))
    storms = min(
        _laid(needed, tokens) for start, end, _, needed in _windows(shown, tokens) if end - start == longest
    )
    final = tuple(Season.STORM if at in storms else one for at, one in enumerate(shown))
    start, end, _, _ = max(_windows(final, 0), key=lambda window: window[1] - window[0])
    season = next((one for one in final[start:end] if one is not Season.STORM), Season.STORM)
    return Run(start=start, length=end - start, season=season, storms=storms)


def _windows(shown: tuple[Season, ...], tokens: int) -> Iterator[tuple[int, int, Season, tuple[int, ...]]]:
    """Yield from each position the longest run of each Season that the ``tokens`` allow.

    Each is its start, its end (exclusive), the Season and the positions that need a Storm token.
    """
    # A Storm fits every Season, so STORM itself is tried only if the Print holds nothing but Storms.
    wanted = tuple(dict.fromkeys(one for one in shown if one is not Season.STORM)) or (Season.STORM,)
    for start in range(len(shown)):
        for season in wanted:
            needed: tuple[int, ...] = ()
            end = start
            for end in range(start, len(shown) + 1):
                if end == len(shown):
                    break
                if shown[end] is not season and shown[end] is not Season.STORM:
                    if len(needed) == tokens:
                        break
                    needed += (end,)
            yield start, end, season, needed


def _laid(needed: tuple[int, ...], tokens: int) -> tuple[int, ...]:
    """Return the positions of all tokens, ascending: the needed ones, the rest as far left as possible."""
    spare = (at for at in range(len(needed) + tokens) if at not in needed)
    return tuple(sorted((*needed, *(next(spare) for _ in range(tokens - len(needed))))))
