"""The score with its breakdown, at any time of a game (K5.4 to K5.6, O8, O9)."""

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
    """One seat's points (K5.5), or Osahito's (O8), whose ``symbols`` is part E.

    ``storms`` are the positions in the Print on which the Storm tokens lie, and the run that scores
    is ``run_length`` cards from position ``run_start``, all counting as ``run_season`` (STORM where
    nothing but Storms is in it). Position 0 is the Start tile. Osahito has no run and lays no token:
    ``run_season`` is his most frequent Season (O8 B), ``run_length`` 0.
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
    """An unbroken run of one Season, and the Storm tokens laid for it (K5.4)."""

    start: int
    length: int
    season: Season
    storms: tuple[int, ...]


def score(game: State | View) -> tuple[Score, ...]:
    """Each seat's score as it would be if the game ended now; the Grand Master's points included."""
    if game.mode is Mode.OSAHITO:
        player, osahito = game.players
        return _player_score(player, grand_master=True), _osahito_score(osahito)
    return tuple(
        _player_score(player, grand_master=seat == game.grand_master)
        for seat, player in enumerate(game.players)
    )


def winners(game: State | View) -> tuple[int, ...]:
    """The seats with the most points, ascending: a tie is a shared victory (K5.6, O9)."""
    totals = [one.total for one in score(game)]
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))


def _player_score(player: Player, *, grand_master: bool) -> Score:
    """K5.5."""
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
    """O8: the parts A (print), B (season), C (harmony), D (diplomas) and E (symbols)."""
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
    studio = count_studio(player.tile, player.studio)
    return studio.harmony + count_print(player.print).harmony


def _diploma_points(player: Player) -> int:
    return sum(DIPLOMAS[diploma].points for diploma in player.diplomas)


@lru_cache(maxsize=4096)
def best_run(shown: tuple[Season, ...], tokens: int) -> Run:
    """The longest run once the Storm tokens lie where they score most (K5.4, K5.5).

    Each token lies on a card of its own. Of the layings that give the longest run the leftmost is
    taken, and of the runs it gives the leftmost.
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
    """From each position the longest stretch of each Season, and where it needs a Storm token.

    Yields start, end (exclusive), the Season and the positions that need one of the ``tokens``.
    """
    # Storms fit every Season, so they are tried as a Season of their own only where there is no other.
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
    """All tokens laid: those that are needed, the others as far left as possible."""
    spare = (at for at in range(len(needed) + tokens) if at not in needed)
    return tuple(sorted((*needed, *(next(spare) for _ in range(tokens - len(needed))))))
