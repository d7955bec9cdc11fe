"""Everything that reads what strangers write, with any input: it returns, or raises what it should."""

from __future__ import annotations

import contextlib
import io
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import bot
from cogs import choices, orders
from cogs.choices import Choice
from cogs.controls import parse_custom_id
from cogs.guard import Refusal
from cogs.notice import parse_quiet
from cogs.texts import NAME_LENGTH, clean_name, escaped_name
from cogs.workbench import Step
from kanagawa import __main__ as program
from kanagawa import actions, state, transcript
from kanagawa.errors import StateError, TranscriptError, UnknownAction
from tests.stress import oddities
from tests.stress.samples import Samples

#: One input to one reader, made by chance; it raises AssertionError for what is wrong.
Trial = Callable[[random.Random], None]


def trials(samples: Samples, folder: Path) -> dict[str, tuple[int, Trial]]:
    """The readers by name, each with how often it has its turn."""

    offered = [Choice(code, f"Take {code}", "a detail") for code in samples.spelled[:60]]

    def code(chance: random.Random) -> str:
        if chance.random() < 0.3:
            return oddities.text(chance, 90, surrogates=True)
        return oddities.mutated(chance, chance.choice(samples.spelled), surrogates=True)

    def parse(chance: random.Random) -> None:
        given = code(chance)
        with contextlib.suppress(UnknownAction):
            assert actions.code(actions.parse(given)) == given, "an action has two spellings"

    def decode(chance: random.Random) -> None:
        with contextlib.suppress(StateError):
            state.decode(oddities.bytes_of(chance, samples.states))

    def read(chance: random.Random) -> None:
        with contextlib.suppress(TranscriptError, transcript.Deviation):
            transcript.replay(transcript.read(oddities.bytes_of(chance, samples.transcripts)))

    def run(chance: random.Random) -> None:
        file = folder / "given.json"
        file.write_bytes(oddities.bytes_of(chance, samples.transcripts))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert program.main([chance.choice(("replay", "legal")), str(file)]) in (0, 1, 2)

    def custom_id(chance: random.Random) -> None:
        parse_custom_id(oddities.mutated(chance, chance.choice(samples.custom_ids), surrogates=True))

    def step(chance: random.Random) -> None:
        found = Step.parse(oddities.mutated(chance, "?bench.paint.3", surrogates=True))
        assert Step.parse(str(found)) in (found, Step()), "a step has two spellings"

    def order(chance: random.Random) -> None:
        situation, ordered = orders.read(
            oddities.mutated(chance, "?order.3-2.take.1"), ("stay", code(chance))
        )
        assert len(ordered) <= 3, situation

    def matching(chance: random.Random) -> None:
        choices.matching(offered, code(chance))

    def quiet(chance: random.Random) -> None:
        wanted = chance.choice(("22-7", "22:30-07:00", "off", "0–24"))
        long = oddities.text(chance, 6000) + "-7"
        with contextlib.suppress(Refusal):
            hours = parse_quiet(long if chance.random() < 0.2 else oddities.mutated(chance, wanted))
            assert hours is None or all(0 <= one < 24 * 60 for one in hours)

    def name(chance: random.Random) -> None:
        raw = oddities.text(chance, 200, surrogates=True)
        clean, escaped = clean_name(raw), escaped_name(raw)
        fine = 0 < len(clean) <= NAME_LENGTH and clean.isprintable()
        assert fine, f"the name {raw!a} is not clean"
        for mark in ("@everyone", "@here"):
            assert mark not in escaped, f"{mark} in the name {raw!a}"
        bare = escaped.replace("\\\\", "")
        for mark in "*_~`|<>[]()#:":
            assert bare.count(mark) == bare.count(f"\\{mark}"), f"{mark} in the name {raw!a}"

    def settings(chance: random.Random) -> None:
        file = folder / ".env"
        line = chance.choice(list(bot.NAMES.values())) + "=" + oddities.text(chance, 5000)
        file.write_bytes(line.encode() if chance.random() < 0.7 else line.encode() + chance.randbytes(3))
        numbers = chance.choice(("1", "2.5", "nan", "-inf", "٢", "9" * 5000, oddities.text(chance)))
        given = {
            "KANAGAWA_DATA": chance.choice(("~", "~nobody-at-all", "/nowhere", "\0", oddities.text(chance))),
            chance.choice(list(bot.NAMES.values())): numbers,
        }
        given = {key: value for key, value in given.items() if value.strip()}
        given.setdefault("KANAGAWA_DATA", str(folder))  # or the default folder would be made
        with contextlib.suppress(bot.SetupFailure):
            bot.read_settings(given, file)

    return {
        "parse of an action": (300, parse),
        "decode of a state": (80, decode),
        "transcripts": (25, read),
        "python -m kanagawa": (4, run),
        "custom IDs": (185, custom_id),
        "steps of the workbench": (80, step),
        "orders": (80, order),
        "what is typed for a choice": (60, matching),
        "quiet hours": (80, quiet),
        "names": (100, name),
        "settings": (6, settings),
    }


def attempt(chance: random.Random, count: int) -> tuple[Counter[str], list[str]]:
    """Give the readers so many inputs; how many each got, and what was wrong."""
    tried, broken = Counter[str](), dict[str, str]()
    with tempfile.TemporaryDirectory() as folder:
        readers = trials(Samples(chance), Path(folder))
        total = sum(weight for weight, _ in readers.values())
        for what, (weight, trial) in readers.items():
            for _ in range(count * weight // total + 1):
                tried[what] += 1
                try:
                    trial(chance)
                except Exception as error:
                    broken.setdefault(f"{what} {type(error).__name__}", f"{what}: {error!r}"[:300])
    return tried, list(broken.values())
