"""Try to break the bot, and count: ``python -m tests.stress [--seed N] [--short] [PART ...]``.

Prints a table of figures for each part, then what is broken; the exit code is 1 if anything is.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import random
import subprocess
import sys
import time

from tests import strict
from tests.stress.report import Report

#: The parts, each a module with ``run(chance, short)``, in the order in which they run.
PARTS = (
    "killed",
    "rivals",
    "faults",
    "secrecy",
    "strangers",
    "upgrades",
    "growth",
    "fairness",
    "pace",
    "load",
)


def main() -> int:
    """Run the parts and print what they found."""
    parser = argparse.ArgumentParser(prog="scripts/stress", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the same seed does the same things")
    parser.add_argument("--short", action="store_true", help="less of everything: under two minutes")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], metavar="PART", help=", ".join(PARTS))
    options = parser.parse_args()
    if len(options.parts) == 1:
        return _run(options.parts[0], options.seed, options.short)
    # Each in a process of its own, for they count memory, errors and tasks.
    command = [sys.executable, "-m", "tests.stress", "--seed", str(options.seed)]
    command += ["--short"] if options.short else []
    broken = [name for name in options.parts or PARTS if subprocess.call([*command, name])]
    print(f"broken: {', '.join(broken)}" if broken else "nothing is broken in any part")
    return 1 if broken else 0


def _run(name: str, seed: int, short: bool) -> int:
    # What is provoked is logged as it should be, and would bury the table.
    logging.disable(logging.CRITICAL)
    begin = time.perf_counter()
    run = importlib.import_module(f"tests.stress.{name}").run
    report: Report = run(random.Random(f"{seed} {name}"), short)
    report = report._replace(broken=[*report.broken, *dict.fromkeys(strict.refused)])
    _print(name, time.perf_counter() - begin, report)
    return 1 if report.broken else 0


def _print(name: str, seconds: float, report: Report) -> None:
    print(f"{name} ({seconds:.0f} s)")
    for what, figure in report.figures.items():
        print(f"    {what:58} {figure}")
    for one in report.broken:
        print(f"    BROKEN: {one}")
    print(flush=True)


if __name__ == "__main__":
    sys.exit(main())
