"""``python -m kanagawa play|replay|legal``: games and transcripts at the command line."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import msgspec

from kanagawa import actions, apprentice, rules, transcript
from kanagawa.errors import TranscriptError
from kanagawa.state import Mode, State

#: Exit codes: the rules do not allow what the file says; the file is no transcript.
DEVIATES, NO_TRANSCRIPT = 1, 2


def main(arguments: list[str] | None = None) -> int:
    """Run one of the commands; the exit code says what became of it."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except transcript.Deviation as error:
        print(f"the rules do not allow it: {error}", file=sys.stderr)
        return DEVIATES
    except TranscriptError as error:
        print(f"not a transcript: {error}", file=sys.stderr)
        return NO_TRANSCRIPT
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return NO_TRANSCRIPT
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m kanagawa", description=__doc__)
    commands = parser.add_subparsers(required=True)
    play = commands.add_parser("play", help="play a whole game and print its transcript")
    play.add_argument("--seed", type=int, required=True)
    play.add_argument("--players", type=int, choices=(2, 3, 4), default=3)
    play.add_argument("--solo", action="store_true", help="one player against Osahito")
    play.add_argument("--policy", choices=("random", "apprentice"), default="random")
    play.set_defaults(run=_play)
    replay = commands.add_parser("replay", help="replay a transcript and print its scores")
    replay.add_argument("file", type=Path)
    replay.set_defaults(run=_replay)
    legal = commands.add_parser("legal", help="print the legal actions after each prefix")
    legal.add_argument("file", type=Path)
    legal.set_defaults(run=_legal)
    return parser


def _play(options: argparse.Namespace) -> None:
    mode = Mode.OSAHITO if options.solo else Mode.TABLE
    start = state = rules.new(options.seed, 2 if options.solo else options.players, mode)
    chance = random.Random(options.seed)
    played: list[tuple[int, str]] = []
    while (seat := state.to_move) is not None:
        legal = rules.legal(state, seat)
        if options.policy == "apprentice":
            action = apprentice.choose(rules.view(state, seat), legal)
        else:
            action = chance.choice(legal)
        played.append((seat, actions.code(action)))
        state, _ = rules.apply(state, action)
    _print(transcript.write(start, played, state))


def _replay(options: argparse.Namespace) -> None:
    _print(msgspec.json.encode(transcript.replay(_transcript(options.file))))


def _legal(options: argparse.Namespace) -> None:
    for index, state in enumerate(transcript.states(_transcript(options.file))):
        _print(msgspec.json.encode(_line(index, state)))


def _transcript(file: Path) -> transcript.Transcript:
    """The transcript in a file, of which no more is read than one may have."""
    with file.open("rb") as opened:
        return transcript.read(opened.read(transcript.LIMIT + 1))


def _line(index: int, state: State) -> dict[str, object]:
    return {"index": index, "seat": state.to_move, "legal": transcript.legal_codes(state)}


def _print(line: bytes) -> None:
    print(line.decode())


if __name__ == "__main__":
    sys.exit(main())
