"""The speed of the pictures, compared with writing the same pixels as PNG and with a browser's screenshot.

    python benchmarks/render.py [--runs N]

It draws a game of four in which the longest Print has eight cards. Each picture is drawn in four ways:

- cold: with empty caches;
- one move: after the picture of the position before was drawn;
- warm: with all parts in the caches, so that only the file is written;
- again: with the finished bytes in the cache.

It prints the medians of the CPU times, and their ratios to the time of writing the same pixels as PNG,
level 1.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PIL import Image

import render
from kanagawa import apprentice, rules
from kanagawa.actions import Paint
from kanagawa.state import View
from render.canvas import PICTURES, caches

CARDS = 8
MEBI = 1 << 20


def position(seed: int = 3) -> tuple[View, View, int]:
    """Return the public views before and after the first Print gets its eighth card, and its seat."""
    state = rules.new(seed, 4)
    while (seat := state.to_move) is not None:
        before = state
        action = apprentice.choose(rules.view(state, seat), rules.legal(state, seat))
        state, _ = rules.apply(state, action, seat)
        if isinstance(action, Paint) and len(state.players[seat].print) == CARDS:
            return rules.view(before, None), rules.view(state, None), seat
    raise SystemExit("no Print of this game reaches eight cards: choose another seed")


def forget() -> None:
    """Empty all caches of pictures; textures and fonts stay."""
    for cache in caches():
        cache.clear()


def timed(work: Callable[[], object]) -> float:
    """Return the CPU seconds of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def encoding(data: bytes) -> float:
    """Return the CPU seconds for writing the pixels of a PNG as truecolour PNG, level 1."""
    image = Image.open(BytesIO(data)).convert("RGB")
    return timed(lambda: image.save(BytesIO(), "PNG", compress_level=1))


def measure(name: str, draw: Callable[[View], bytes], before: View, after: View, runs: int) -> None:
    """Print one line: the cost of a picture cold, after one move, warm and again."""
    cold: list[float] = []
    moved: list[float] = []
    warm: list[float] = []
    again: list[float] = []
    plain: list[float] = []
    data = draw(after)
    for _ in range(runs):
        forget()
        draw(before)
        moved.append(timed(lambda: draw(after)))
        again.append(timed(lambda: draw(after)))
        PICTURES.clear()
        warm.append(timed(lambda: draw(after)))
        plain.append(encoding(data))
    for _ in range(max(3, runs // 4)):
        forget()
        cold.append(timed(lambda: draw(after)))
    base = median(plain)
    width, height = Image.open(BytesIO(data)).size
    ratios = "   ".join(
        f"{label} {median(times) * 1000:6.0f} ms = {median(times) / base:4.2f}"
        for label, times in (("cold", cold), ("one move", moved), ("warm", warm), ("again", again))
    )
    size = f"{width:4} x {height:4}  {len(data) / 1e6:5.2f} MB"
    print(f"{name:9} {size}  PNG alone {base * 1000:4.0f} ms   {ratios}")


def move_by_move(moves: int, seed: int = 3) -> tuple[float, float]:
    """Draw the School and the wall after each of the last moves of a game of four.

    Returns the CPU seconds for this, and those for writing the pixels of the pictures that changed as PNG.
    """
    state, views = rules.new(seed, 4), list[View]()
    while (seat := state.to_move) is not None:
        state, _ = rules.apply(
            state, apprentice.choose(rules.view(state, seat), rules.legal(state, seat)), seat
        )
        views.append(rules.view(state, None))
    forget()
    shown = {draw(views[-moves - 1]) for draw in (render.school, render.wall)}
    taken = alone = 0.0
    for view in views[-moves:]:
        for draw in (render.school, render.wall):
            start = time.process_time()
            data = draw(view)
            taken += time.process_time() - start
            if data not in shown:
                alone += encoding(data)
                shown.add(data)
    return taken, alone


def first_picture() -> float:
    """Return the CPU seconds of a new process from its start to its first wall."""
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[1]); import render; from kanagawa import rules; "
        "render.wall(rules.view(rules.new(3, 4), None)); print(time.process_time())"
    )
    root = str(Path(__file__).resolve().parent.parent)
    made = subprocess.run([sys.executable, "-c", code, root], capture_output=True, text=True, check=True)
    return float(made.stdout)


def browser(width: int, height: int, runs: int = 3) -> float | None:
    """Return the seconds that a headless browser needs for a screenshot of this size, or None without one."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        page, shot = Path(folder) / "page.html", Path(folder) / "page.png"
        cells = "".join(
            f"<div style='width:120px;height:150px;background:linear-gradient(hsl({at * 9},60%,60%),#fff)'>"
            "</div>"
            for at in range(40)
        )
        page.write_text(
            f"<body style='margin:0;display:flex;flex-wrap:wrap;gap:4px;background:#17243c'>{cells}"
        )
        times: list[float] = []
        for _ in range(runs):
            start = time.perf_counter()
            command = [
                chromium,
                "--headless",
                "--disable-gpu",
                "--no-sandbox",
                f"--user-data-dir={folder}/profile",
                f"--screenshot={shot}",
                f"--window-size={width},{height}",
                page.as_uri(),
            ]
            made = subprocess.run(command, capture_output=True, timeout=120, check=False)
            if made.returncode or not shot.exists():
                return None
            times.append(time.perf_counter() - start)
    return median(times)


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=15, help="the number of runs of each measurement (15)")
    runs = parser.parse_args().runs
    before, after, seat = position()
    print(f"Pillow {Image.__version__}, {os.cpu_count()} processors; CPU time, ratios to PNG level 1 alone")
    pictures: dict[str, Callable[[View], bytes]] = {
        "wall": render.wall,
        "panel": lambda view: render.panel(view, seat),
        "school": render.school,
        "diplomas": render.diplomas,
    }
    for name, draw in pictures.items():
        measure(name, draw, before, after, runs)
    taken, alone = move_by_move(moves := 4 * runs)
    each = f"{taken / moves * 1000:.0f} ms a move = {taken / alone:4.2f} (aim 0.6)"
    print(f"the last {moves} moves of a game: {each}")
    kept = sum(cache.size for cache in caches())
    limit = sum(cache.limit for cache in caches())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"kept {kept / MEBI:.0f} MiB of at most {limit / MEBI:.0f}; peak memory {peak:.0f} MiB")
    print(f"first picture of a fresh process: {first_picture():.2f} s of CPU")
    width, height = Image.open(BytesIO(render.wall(after))).size
    shot = browser(width, height)
    if shot is None:
        print("no headless browser made a screenshot")
    else:
        print(f"a headless browser's screenshot of a page of {width} x {height}: {shot:.2f} s")


if __name__ == "__main__":
    main()
