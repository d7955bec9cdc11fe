"""Fuzzing guided by coverage, with atheris: ``python -m tests.stress.fuzz TARGET SECONDS [SEED]``.

What a target raises beside its documented errors ends the process with a report and another exit code.
"""

from __future__ import annotations

import importlib.util
import random
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

TARGETS = ("parse", "decode", "transcript")


def installed() -> bool:
    """Whether there is an atheris for this Python and system."""
    return importlib.util.find_spec("atheris") is not None


def fuzz(target: str, seconds: int, seed: int) -> tuple[int, str]:
    """Fuzz in a process of its own, for atheris does not come back: the executions, and what broke."""
    here = Path(__file__).parents[2]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.stress.fuzz", target, str(seconds), str(seed), folder]
        done = subprocess.run(command, cwd=here, capture_output=True, text=True, errors="replace")
    runs = re.findall(r"Done (\d+) runs", done.stderr)
    wrong = "" if done.returncode == 0 and runs else f"{target}: {done.stdout[-500:]}{done.stderr[-200:]}"
    return int(runs[-1]) if runs else 0, wrong


def main(target: str, seconds: str, seed: str, folder: str) -> None:
    """Fuzz one target in this process until the time is over, from a few inputs that are right."""
    import atheris  # type: ignore[import-not-found]

    with atheris.instrument_imports(include=["kanagawa", "json"]):  # type: ignore
        from kanagawa import actions, state, transcript
        from kanagawa.errors import StateError, TranscriptError, UnknownAction
        from tests.stress.samples import Samples

    def try_parse(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        with suppress(UnknownAction):
            assert actions.code(actions.parse(text)) == text

    def try_decode(data: bytes) -> None:
        with suppress(StateError):
            state.decode(data)

    def try_transcript(data: bytes) -> None:
        with suppress(TranscriptError, transcript.Deviation):
            transcript.replay(transcript.read(data))

    samples = Samples(random.Random(seed))
    inputs, trial = {
        "parse": ([one.encode() for one in samples.spelled], try_parse),
        "decode": (samples.states, try_decode),
        "transcript": (samples.transcripts, try_transcript),
    }[target]
    for number, one in enumerate(inputs[:200]):
        Path(folder, str(number)).write_bytes(one)
    limits = [f"-max_total_time={seconds}", f"-seed={seed}", "-max_len=20000", f"-artifact_prefix={folder}/"]
    atheris.Setup([sys.argv[0], *limits, folder], trial)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
