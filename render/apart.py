"""``python -m render.apart SCALE``: draw a replay in a process of its own, at the lowest priority.

A replay takes seconds of a processor and about a hundred megabytes. This process takes them only while
nobody else needs the processor, and gives the memory back when it ends. It reads the views as MessagePack and
writes the GIF.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import msgspec

import render
from kanagawa.state import View


def main() -> None:
    """Read the views from standard input and write the replay to standard output."""
    with suppress(AttributeError, OSError):  # Windows has no such priorities
        os.nice(19)
    views = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=list[View])
    sys.stdout.buffer.write(render.replay(views, scale=float(sys.argv[1])))


if __name__ == "__main__":
    main()
