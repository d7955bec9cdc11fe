"""``python -m kanagawa play|replay|legal``: games and transcripts at the command line.

Exit codes: 0 success; 1 the transcript breaks the rules; 2 the file is not a transcript or cannot be read, or
the command is not understood; 3 the result cannot be written; 130 interrupted; 141 the program that reads the
output has ended, as in ``| head``.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import msgspec

from kanagawa import actions, apprentice, rules, transcript
from kanagawa.errors import TranscriptError
from kanagawa.state import Mode, State

#: Exit codes, explained above.
DEVIATES, NO_TRANSCRIPT, NOT_WRITTEN, INTERRUPTED, READER_GONE = 1, 2, 3, 130, 141
#: The longest error message that is printed whole, in characters.
SAID = 1000
#: The longest seed that is accepted, in characters.
DIGITS = 100


class _Unwritten(Exception):
    """The standard output cannot be written to, for example because the disk is full."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code. Raises SystemExit where argparse does (help, bad usage)."""
    try:
        options = _options(arguments)
        options.run(options)
        _flush()
    except transcript.Deviation as error:
        return _say(f"the rules do not allow it: {error}", DEVIATES)
    except TranscriptError as error:
        return _say(f"not a transcript: {error}", NO_TRANSCRIPT)
    except BrokenPipeError:
        # Python flushes the output again when it ends, and that would fail a second time.
        _discard_output()
        return READER_GONE
    except _Unwritten as error:
        _discard_output()
        return _say(f"the result cannot be written: {error}", NOT_WRITTEN)
    except OSError as error:
        return _say(f"{error.filename}: {error.strerror}", NO_TRANSCRIPT)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _say(text: str, code: int) -> int:
    """Print an error, shortened, on the standard error and return ``code``.

    A standard error that cannot be written to is ignored: the caller still gets the exit code.
    """
    with suppress(OSError, ValueError):
        print(_short(text), file=sys.stderr, flush=True)
    return code


def _short(text: str) -> str:
    """Return a text with its middle left out where it is longer than ``SAID`` characters."""
    return text if len(text) <= SAID else f"{text[: SAID // 2]} … {text[-SAID // 2 :]}"


def _discard_output() -> None:
    """Send the rest of the standard output to nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _options(arguments: list[str] | None) -> argparse.Namespace:
    """Parse the command line; None stands for the arguments of the process."""
    try:
        return _parser().parse_args(arguments)
    except SystemExit:
        _flush()  # argparse may have printed its help to a reader that has gone
        raise


class _Parser(argparse.ArgumentParser):
    """A parser whose error messages are shortened, because they repeat the argument it refuses."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the shortened message, and exit with code 2."""
        super().error(_short(message))


def _parser() -> argparse.ArgumentParser:
    """Build the parser of the command line."""
    parser = _Parser(
        prog="python -m kanagawa", description="Play a game of Kanagawa, or replay a transcript."
    )
    commands = parser.add_subparsers(required=True)
    play = commands.add_parser("play", help="play a whole game and print its transcript")
    play.add_argument("--seed", type=_seed, required=True, metavar="NUMBER")
    play.add_argument("--players", type=int, choices=(2, 3, 4), default=3)
    play.add_argument("--solo", action="store_true", help="one player against Osahito")
    play.add_argument("--policy", choices=("random", "apprentice"), default="random")
    play.set_defaults(run=_play)
    replay = commands.add_parser("replay", help="replay a transcript and print its scores")
    replay.add_argument("file", type=Path, help="a transcript, or - for the standard input")
    replay.set_defaults(run=_replay)
    legal = commands.add_parser("legal", help="print the legal actions at the start and after each action")
    legal.add_argument("file", type=Path, help="a transcript, or - for the standard input")
    legal.set_defaults(run=_legal)
    return parser


def _seed(typed: str) -> int:
    """Parse a seed, a whole number. Raises ArgumentTypeError, which argparse turns into a message."""
    if len(typed) > DIGITS:
        raise argparse.ArgumentTypeError(f"longer than {DIGITS} digits")
    try:
        return int(typed)
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a whole number: {typed!a}") from None


def _play(options: argparse.Namespace) -> None:
    """Play a whole game by the chosen policy and print its transcript."""
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
    """Replay a transcript and print its scores and winners."""
    _print(msgspec.json.encode(transcript.replay(_transcript(options.file))))


def _legal(options: argparse.Namespace) -> None:
    """Print the legal actions before the first action and after each one."""
    for index, state in enumerate(transcript.states(_transcript(options.file))):
        _print(msgspec.json.encode(_line(index, state)))


def _transcript(file: Path) -> transcript.Transcript:
    """Read the transcript in a file, or on the standard input for ``-``.

    It reads at most one byte more than a transcript may have. Raises TranscriptError or OSError.
    """
    if str(file) == "-":
        if sys.stdin is None:
            raise TranscriptError("there is no standard input")
        return transcript.read(sys.stdin.buffer.read(transcript.LIMIT + 1))
    with file.open("rb") as opened:
        return transcript.read(opened.read(transcript.LIMIT + 1))


def _line(index: int, state: State) -> dict[str, object]:
    """Return what ``legal`` prints of the state after ``index`` actions."""
    return {"index": index, "seat": state.to_move, "legal": transcript.legal_codes(state)}


def _print(line: bytes) -> None:
    """Print one line. Raises BrokenPipeError where the reader has gone, else _Unwritten."""
    try:
        print(line.decode())
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _Unwritten(error.strerror) from error


def _flush() -> None:
    """Write out what is buffered. Raises BrokenPipeError where the reader has gone, else _Unwritten."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _Unwritten(error.strerror) from error


if __name__ == "__main__":
    sys.exit(main())
