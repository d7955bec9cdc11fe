"""Transcripts: a game as one JSON object that any program can read and replay.

    {"format": "kanagawa-transcript/1", "mode": "table", "first": 0, "start_tiles": ["S2", "S4"],
     "deck": ["T01", ...], "actions": [[0, "stay"], [1, "take.2"], ...], "scores": [...], "winners": [0]}

``scores`` and ``winners`` are present when the game is finished. A transcript holds the whole deck, so nobody
may see the transcript of an unfinished game.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, cast

import msgspec

from kanagawa import actions, rules
from kanagawa.cards import CARDS, START_TILES
from kanagawa.errors import RuleError, TranscriptError
from kanagawa.scoring import score, winners
from kanagawa.state import Mode, Phase, State

FORMAT = "kanagawa-transcript/1"
#: The largest transcript that is read, in bytes; a whole game has some thousands.
LIMIT = 1_000_000


class Transcript(msgspec.Struct, frozen=True):
    """A game as read from a text: its first state and its actions, each as ``(seat, code)``.

    ``claimed`` holds the ``scores`` and ``winners`` that the text gives, not yet compared with the game.
    """

    start: State
    actions: tuple[tuple[int, str], ...]
    claimed: Mapping[str, Any]


class Deviation(Exception):
    """A transcript breaks the rules. The message names the action's index, seat and code, and the reason.

    If the scores or winners differ, ``index`` is the number of actions.
    """

    def __init__(self, index: int, why: str, seat: int | None = None, code: str | None = None) -> None:
        super().__init__(
            f"action {index}: {why}"
            if code is None
            else f"action {index}, seat {_short(seat)}, {_short(code)}: {why}"
        )


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxlong = _SHORT.maxother = 80
_SHORT.maxdict = _SHORT.maxlist = 8


def _short(value: Any) -> str:
    """Return a value of a transcript as ASCII for a message; a long or deeply nested one is shortened."""
    return _SHORT.repr(value).encode("ascii", "backslashreplace").decode()


def read(data: bytes) -> Transcript:
    """Read a transcript in UTF-8, UTF-16 or UTF-32, with or without a byte order mark. It is not played.

    Raises TranscriptError if the data is not a transcript.
    """
    _expect(len(data) <= LIMIT, f"longer than {LIMIT} bytes")
    try:
        # Python's own reader and not msgspec's, because a code may be any JSON string, also a lone surrogate.
        text = data.decode(json.detect_encoding(data))
        raw = json.loads(text, parse_constant=_no_number)
    except (RecursionError, ValueError) as error:
        raise TranscriptError(f"not JSON: {error}") from error
    if not isinstance(raw, dict):
        raise TranscriptError("not a JSON object")
    found = cast("dict[str, Any]", raw)
    _expect(found.get("format") == FORMAT, f"the format is not {FORMAT}")
    _expect(found.get("mode") in list(Mode), "the mode is neither table nor osahito")
    mode = Mode(found["mode"])
    tiles = _names(found, "start_tiles", START_TILES)
    seats = len(tiles)
    _expect(rules.MIN_SEATS <= seats <= rules.MAX_SEATS, "there are not 2 to 4 Start tiles")
    _expect(mode is Mode.TABLE or seats == rules.MIN_SEATS, "osahito has two Start tiles")
    deck = _names(found, "deck", CARDS)
    _expect(len(deck) == len(CARDS), f"the deck has {len(deck)} cards and not {len(CARDS)}")
    first = found.get("first")
    _expect(
        type(first) is int and 0 <= first < (seats if mode is Mode.TABLE else 1),
        "first is not a seat that can begin",
    )
    return Transcript(
        start=rules.set_up(mode, tiles, deck, cast("int", first)),
        actions=tuple(_pairs(found.get("actions"))),
        claimed={key: found[key] for key in ("scores", "winners") if key in found},
    )


def _no_number(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python would read but JSON does not have."""
    raise ValueError(f"{name} is no number in JSON")


def _expect(condition: bool, otherwise: str) -> None:
    """Raise TranscriptError with the message ``otherwise`` unless the condition holds."""
    if not condition:
        raise TranscriptError(otherwise)


def _names(found: Mapping[str, Any], key: str, known: Mapping[str, object]) -> list[str]:
    """Return the list of names under a key. Raises TranscriptError if one is unknown or there twice."""
    names = found.get(key)
    _expect(isinstance(names, list), f"{key} is not a list")
    listed = cast("list[Any]", names)
    _expect(all(isinstance(name, str) and name in known for name in listed), f"{key} has an unknown name")
    _expect(len({*listed}) == len(listed), f"{key} has a name twice")
    return listed


def _pairs(listed: object) -> Iterator[tuple[int, str]]:
    """Yield each action as ``(seat, code)``. Raises TranscriptError if one is not such a pair."""
    _expect(isinstance(listed, list), "actions is not a list")
    for at, pair in enumerate(cast("list[Any]", listed)):
        match pair:
            case [seat, str(code)] if type(seat) is int:
                yield seat, code
            case _:
                raise TranscriptError(f"action {at} is not a pair of a seat and a code")


def states(transcript: Transcript) -> Iterator[State]:
    """Yield the first state and the state after each action. Raises Deviation at an illegal action."""
    state = transcript.start
    yield state
    for index, (seat, code) in enumerate(transcript.actions):
        try:
            state, _ = rules.apply(state, actions.parse(code), seat)
        except RuleError as error:
            raise Deviation(index, str(error), seat, code) from error
        yield state


def replay(transcript: Transcript) -> dict[str, Any]:
    """Play a transcript to its end and return its :func:`result`.

    Raises Deviation at an action that is not legal. Raises it also if the text gives scores or winners
    that differ from those of the game, or gives them for a game that is not over.
    """
    *_, last = states(transcript)
    played = result(last)
    for key, claimed in transcript.claimed.items():
        if key not in played:
            raise Deviation(len(transcript.actions), f"{key} are given, but the game is not over")
        if not _agrees(claimed, played[key]):
            raise Deviation(len(transcript.actions), f"{key} are {played[key]}, not {_short(claimed)}")
    return played


def _agrees(claimed: Any, played: Any) -> bool:
    """Return whether a value of a transcript equals the value played, type included; ignore extra keys."""
    if type(claimed) is not type(played):
        return False
    match played:
        case list():
            pairs = cast("list[Any]", played)
            return len(claimed) == len(pairs) and all(map(_agrees, claimed, pairs))
        case dict():
            known = cast("dict[str, Any]", played)
            return all(key in claimed and _agrees(claimed[key], one) for key, one in known.items())
        case _:
            return claimed == played


def result(state: State) -> dict[str, Any]:
    """Return the scores and winners as a transcript holds them, or ``{}`` if the game is not over."""
    if state.phase is not Phase.OVER:
        return {}
    fields = ["print", "season", "harmony", "diplomas"]
    scores: list[dict[str, int]] = []
    for seat, one in enumerate(score(state)):
        osahito = state.mode is Mode.OSAHITO and seat == 1
        last = "symbols" if osahito else "grand_master"
        scores.append({key: getattr(one, key) for key in (*fields, last, "total")})
    return {"scores": scores, "winners": list(winners(state))}


def write(start: State, played: Iterable[tuple[int, str]], end: State) -> bytes:
    """Return the transcript of a game as JSON.

    It needs the first state ``start``, the actions as ``(seat, code)`` and the newest state ``end``.
    """
    setting = {
        "format": FORMAT,
        "mode": start.mode,
        "first": start.grand_master,
        "start_tiles": [player.tile for player in start.players],
        "deck": start.deck,
        "actions": list(played),
    }
    return msgspec.json.encode(setting | result(end))


def legal_codes(state: State) -> Sequence[str]:
    """Return the codes of all legal actions of the seat to move, sorted; none if the game is over."""
    seat = state.to_move
    return () if seat is None else sorted(map(actions.code, rules.legal(state, seat)))
