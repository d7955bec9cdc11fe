"""Strangers: whatever they send, they are answered in words, nothing breaks, nobody is pinged."""

from __future__ import annotations

import asyncio
import random
from concurrent.futures import Future, ThreadPoolExecutor

from tests.stress import crowd, fuzz, parsers, tokens
from tests.stress.report import Report
from tests.stress.twins import drawn_from

#: Inputs to the parsers and whole interactions in the long and the short form, and seconds of fuzzing each.
LONG, SHORT = (990_000, 10_000, 25), (20_000, 200, 1)


def run(chance: random.Random, short: bool) -> Report:
    """Send everything; the fuzzing goes on beside it."""
    reads, interactions, seconds = SHORT if short else LONG
    with ThreadPoolExecutor(1) as beside:
        seed = chance.randrange(1, 2**31)
        targets = fuzz.TARGETS if fuzz.installed() else ()
        fuzzed = {one: beside.submit(fuzz.fuzz, one, seconds, seed) for one in targets}
        tried, broken = parsers.attempt(chance, reads)
        findings = crowd.Findings()
        with crowd.listening() as ear, crowd.counting(findings):
            asyncio.run(_whole(chance, interactions, findings, ear))
        answers, leaks = tokens.logins()
        refused, quoted = tokens.odd(chance, 100 if short else 2000)
        executions = {one: done.result() for one, done in fuzzed.items()}
    counts = findings.counts
    figures: dict[str, object] = {
        "inputs in all": f"{sum(tried.values()) + counts['interactions'] + refused:,}",
        **{f"inputs to: {what}": f"{count:,}" for what, count in tried.items()},
        "interactions (commands, options, buttons, selects)": f"{counts['interactions']:,}",
        "messages looked at": f"{counts['messages']:,}",
        **{f"refused: {one}": f"{count:,}" for one, count in sorted(findings.refusals.items())},
        **{what: counts[what] for what in ("pings", "tracebacks", "incidents", "unescaped", "echoed")},
        "games changed by strangers": counts["games changed by strangers"],
        f"floods of {crowd.FLOOD}, each answered once": counts["floods"],
        "seats held by who wants them all": counts["seats"],
        "logins that fail, with the token in nothing written": answers - len(leaks),
        "odd tokens refused": refused,
        **_fuzzing(fuzzed, executions),
    }
    return Report(
        figures, [*broken, *findings.broken, *leaks, *quoted, *(why for _, why in executions.values() if why)]
    )


async def _whole(chance: random.Random, count: int, findings: crowd.Findings, ear: crowd.Ear) -> None:
    with drawn_from(chance):
        await crowd.interactions(chance, count, findings, ear)
        await crowd.floods(chance, findings)
        await crowd.hoarders(chance, findings)


def _fuzzing(
    fuzzed: dict[str, Future[tuple[int, str]]], executions: dict[str, tuple[int, str]]
) -> dict[str, object]:
    if not fuzzed:
        return {"executions of the fuzzer": "atheris is not installed here"}
    return {f"executions of the fuzzer: {one}": f"{runs:,}" for one, (runs, _) in executions.items()}
