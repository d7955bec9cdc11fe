"""What strangers send: odd words, names and bytes, and mutations of what is right. All chance is given."""

from __future__ import annotations

import random
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from functools import cache

#: Whatever is typed with this in it must not come back.
ECHO = "zq8x"

#: Markdown, mentions, and what other programs stumble over.
MARKS = (
    "**bold**",
    "__u__ *i* ~~s~~ ||hidden||",
    "`code` ```block```",
    "@everyone",
    "@here",
    "<@1>",
    "<@!1000>",
    "<@&1>",
    "<#1>",
    "</kanagawa new:9>",
    "<t:0:R>",
    "<:a:1> :smile:",
    "[link](https://example.invalid)",
    "https://example.invalid",
    "# title",
    "> quote",
    "-# small",
    "- item",
    "1. item",
    "\u202eRTL\u2066",
    "\u200b\u200d\ufeff",
    "Z" + "\u0351\u036b\u0343\u036a" * 8,
    "👩‍👩‍👧‍👦" * 4,
    "🎨" * 32,
    "\\",
    "\0",
    "\r\n\t\v",
    "{ $who } {0} %s %(x)s",
    "'; DROP TABLE games; --",
    "../../../etc/passwd",
    "١٢٣ ۴ ५ ９ ² ½",
    "ﷺ",
    "NaN Infinity -0 1e400",
)

#: Whole numbers about which something is odd; those that Discord lets through are below 2**53.
NUMBERS = (-(2**53), -(2**31), -1, 0, 1, 2, 3, 24, 25, 36, 37, 99, 2**31, 2**32, 2**53)


@cache
def characters() -> dict[str, list[str]]:
    """The characters of every Unicode category, at most 500 of each."""
    found: dict[str, list[str]] = defaultdict(list)
    for code in range(sys.maxunicode + 1):
        one = chr(code)
        listed = found[unicodedata.category(one)]
        if len(listed) < 500:
            listed.append(one)
    return dict(found)


@cache
def _groups(surrogates: bool) -> list[list[str]]:
    return [listed for name, listed in characters().items() if surrogates or name != "Cs"]


def text(chance: random.Random, longest: int = 40, *, surrogates: bool = False) -> str:
    """Any text: characters of one category or of all, marks, or one thing very often."""
    groups = _groups(surrogates)
    kind = chance.random()
    if kind < 0.3:
        made = chance.choice(MARKS)
    elif kind < 0.5:
        made = "".join(chance.choices(chance.choice(groups), k=chance.randint(0, longest)))
    elif kind < 0.8:
        made = "".join(chance.choice(chance.choice(groups)) for _ in range(chance.randint(0, 12)))
    elif kind < 0.97:
        made = chance.choice(MARKS) + chance.choice(MARKS)
    else:
        made = chance.choice(("9", "a", " ", "٣", ".", ":", ",", "🎨", "-")) * longest
    return made[:longest]


def name(chance: random.Random, number: int) -> str:
    """What somebody might be called: at most 32 characters, with something by which it is found again."""
    odd = text(chance, 28)
    mark = f"q{number}z"
    return (mark + odd if chance.random() < 0.5 else odd[:19] + mark)[:32]


def mutated(chance: random.Random, right: str, *, surrogates: bool = False) -> str:
    """Something right with a little wrong about it; now and then right still."""
    at = chance.randint(0, len(right))
    match chance.randrange(7):
        case 0:
            return right
        case 1:
            return right[:at] + right[at + 1 :]
        case 2:
            return right[:at] + text(chance, 3, surrogates=surrogates) + right[at:]
        case 3:
            return right[:at] + chance.choice("0123456789.:?+,") + right[at + 1 :]
        case 4:
            return right + right[-at:] if at else right * 2
        case 5:
            return right.swapcase() if at % 2 else f" {right}"
        case _:
            return right.replace(chance.choice("0123456789.:?"), text(chance, 2, surrogates=surrogates))


def bytes_of(chance: random.Random, right: Sequence[bytes]) -> bytes:
    """Any bytes: some of what is right, cut, spliced or spoilt, or nothing of the kind."""
    whole = chance.choice(right)
    at, to = sorted((chance.randint(0, len(whole)), chance.randint(0, len(whole))))
    match chance.randrange(7):
        case 0:
            return chance.randbytes(chance.randint(0, 200))
        case 1:
            return whole[:at]
        case 2:
            return whole[:at] + chance.randbytes(chance.randint(1, 4)) + whole[at + 1 :]
        case 3:
            return whole[:at] + chance.choice(right)[at:]
        case 4:
            return whole[:at] + whole[to:]
        case 5:
            words = (
                b"null",
                b"-1",
                b"1e999",
                b"[]",
                b"{}",
                b'""',
                b"true",
                b"9" * 5000,
                b'"\\ud800"',
                b"NaN",
            )
            return whole[:at].rpartition(b":")[0] + b":" + chance.choice(words) + whole[to:]
        case _:
            return chance.choice((b"[", b'{"a":', b"\xff\xfe", b"\0")) * chance.choice((1, 500, 20_000))
