"""The same View gives the same bytes in every process, thread and order, and hidden cards change no byte."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image

import render
from kanagawa import rules
from kanagawa.cards import is_back
from kanagawa.state import Mode, Phase, View
from render.canvas import caches
from tests.render.games import game, grown, midgame, views

SCALE = 0.5
_ROOT = Path(render.__file__).parent.parent
_PROGRAM = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
import render
from tests.render.games import midgame, views
from tests.render.test_bytes import pictures
print(*(hashlib.sha256(one).hexdigest() for one in pictures()))
"""


def pictures() -> Iterator[bytes]:
    """Yield every kind of picture once, small."""
    view = midgame()
    own = next(one for one in views(3, 4) if one.seat is not None and one.players[one.seat].hand)
    yield render.school(view, scale=SCALE)
    yield render.wall(view, scale=SCALE)
    yield render.panel(view, 1, scale=SCALE)
    yield render.diplomas(view, scale=SCALE)
    yield render.hand(own, scale=SCALE)
    yield render.poster(views(3, 4)[-1], scale=SCALE)
    yield render.replay(views(3, 2)[:90:3], scale=SCALE)


def _forget() -> None:
    """Empty all caches of pictures."""
    for cache in caches():
        cache.clear()


def test_bytes_are_equal_across_processes() -> None:
    """A process with another seed for its hashes makes the same bytes."""
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    made = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(_ROOT)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=_ROOT,
    )
    assert made.stdout.split() == [hashlib.sha256(one).hexdigest() for one in pictures()]


def test_caches_change_no_byte() -> None:
    """A picture drawn with the caches equals the picture drawn without them."""
    warm = list(pictures())[:5]
    _forget()
    assert warm == list(pictures())[:5]


def test_threads_share_the_caches() -> None:
    """Threads that draw at the same time with empty caches all make the same bytes."""
    view = midgame()
    expected = render.wall(view, scale=SCALE), render.school(view, scale=SCALE)
    _forget()
    with ThreadPoolExecutor(4) as pool:
        walls = [pool.submit(render.wall, view, scale=SCALE) for _ in range(4)]
        schools = [pool.submit(render.school, view, scale=SCALE) for _ in range(4)]
    assert {one.result() for one in walls} == {expected[0]}
    assert {one.result() for one in schools} == {expected[1]}


def test_caches_have_a_bound() -> None:
    """The limits of all caches add up to at most 96 MiB, and no cache exceeds its own limit."""
    assert sum(cache.limit for cache in caches()) <= 96 << 20
    for at, view in enumerate(views(5, 4)[::12]):
        render.wall(view, scale=0.25 + at % 2 * 0.25)
    for cache in caches():
        assert cache.size <= cache.limit


def test_hidden_cards_leave_no_trace() -> None:
    """Two states that differ in a secret card give the public the same bytes (K2.7)."""
    state = next(
        one for one in game(3) if one.phase is Phase.TURN and any(player.secret for player in one.players)
    )
    seat = next(at for at, player in enumerate(state.players) if player.secret)
    player = state.players[seat]
    secret = player.secret[0]
    rest = state.deck[state.dealt :]
    other = next(card for card in rest if card[0] == secret[0])
    swap = {secret: other, other: secret}
    changed = replace(
        state,
        deck=tuple(swap.get(card, card) for card in state.deck),
        players=tuple(
            replace(
                one,
                hand=tuple(swap.get(card, card) for card in one.hand),
                secret=tuple(swap.get(card, card) for card in one.secret),
            )
            for one in state.players
        ),
    )
    for draw in (render.wall, render.school):
        assert draw(rules.view(state, None), scale=SCALE) == draw(rules.view(changed, None), scale=SCALE)
    assert any(is_back(card) for card in rules.view(state, None).players[seat].hand)


def test_a_hand_is_private() -> None:
    """A hand cannot be drawn from a public view (K2.7)."""
    with pytest.raises(ValueError, match="player alone"):
        render.hand(midgame(), scale=SCALE)


@pytest.mark.parametrize(
    ("mode", "seats"), [(Mode.TABLE, 2), (Mode.TABLE, 3), (Mode.TABLE, 4), (Mode.OSAHITO, 2)]
)
def test_every_phase_can_be_drawn(mode: Mode, seats: int) -> None:
    """All pictures can be drawn in all phases, as opaque PNGs of at most 4096 pixels a side at scale 2."""
    for view in (*views(8, seats, mode)[::25], views(8, seats, mode)[-1]):
        for data in _all_of(view):
            image = Image.open(BytesIO(data))
            assert (image.format, image.mode) == ("PNG", "P")
            assert "transparency" not in image.info
            assert max(image.size) * 2 / SCALE <= 4096


def _all_of(view: View) -> Iterator[bytes]:
    """Yield all pictures that a view has."""
    yield render.school(view, scale=SCALE)
    yield render.wall(view, view, scale=SCALE)
    yield render.diplomas(view, scale=SCALE)
    if view.seat is not None:
        yield render.hand(view, scale=SCALE)
    if view.phase is Phase.OVER:
        yield render.poster(view, scale=SCALE)


def test_the_largest_table_can_be_drawn() -> None:
    """A Print of 18, a Studio of 49, 8 Brushes, 7 Diplomas and a hand of 7 take less than 10 MiB."""
    view = grown(17, 48, 7)
    assert len(render.panel(view, 0, scale=2)) < 10 << 20
    assert len(render.wall(view, scale=SCALE)) < 10 << 20


def test_the_largest_tables_fit_a_message_at_the_largest_scale() -> None:
    """Two pictures and a transcript fit the 10 MiB that Discord takes, even at scale 4."""
    grew = grown(17, 48, 7)
    largest = replace(grew, players=grew.players[:1] * 2)
    ended = views(22, 4)[-1]
    for data in (
        render.wall(largest, scale=4),
        render.wall(ended, scale=4),
        render.poster(ended, scale=4),
        render.replay(views(22, 4), scale=4),
    ):
        assert len(data) <= render.LARGEST < (10 << 20) / 2 - 500_000


def test_a_too_large_picture_is_drawn_smaller(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A picture over the limit is drawn smaller, always with the same bytes; the log says so once a kind."""
    ended, shown = views(3, 4)[-1], views(3, 2)[:90:9]
    kinds: dict[str, Callable[[], bytes]] = {
        "school": lambda: render.school(ended, scale=1),
        "wall": lambda: render.wall(ended, scale=1),
        "panel": lambda: render.panel(ended, 1, scale=1),
        "diplomas": lambda: render.diplomas(ended, scale=1),
        "poster": lambda: render.poster(ended, scale=1),
        "replay": lambda: render.replay(shown, scale=1),
    }
    for kind, draw in kinds.items():
        whole = draw()
        with monkeypatch.context() as limited:
            limited.setattr(render, "LARGEST", len(whole) * 2 // 3)
            small = draw()
            assert len(small) <= render.LARGEST, kind
            assert small == draw()
            assert Image.open(BytesIO(small)).width < Image.open(BytesIO(whole)).width
        assert len([one for one in caplog.messages if one.startswith(f"a {kind} at 1 pixel")]) == 1
    caplog.clear()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell its memory")
def test_a_replay_takes_little_memory() -> None:
    """A process that draws the replay of a game of four at the usual size takes less than 250 MB."""
    program = (
        "import render; from kanagawa import rules; from tests.render.games import game; "
        "render.replay([rules.view(one, None) for one in game(22, 4)]); "
        "print(open('/proc/self/status').read())"
    )
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, cwd=_ROOT)
    peak = next(line for line in made.stdout.decode().splitlines() if line.startswith("VmHWM"))
    assert int(peak.split()[1]) < 250_000


def test_new_cards_have_a_mount() -> None:
    """Cards placed since an earlier view are marked; without such a view the last card of a Print is."""
    shown = views(3, 4)
    after = next(one for one in shown if one.players[0].print)
    assert render.panel(after, 0, shown[0], scale=SCALE) != render.panel(after, 0, after, scale=SCALE)
    assert render.panel(after, 0, scale=SCALE) != render.panel(after, 0, after, scale=SCALE)


def test_a_replay_fits_a_message() -> None:
    """A replay takes at most 20 seconds and 8 MiB, loops, and shows its last picture longest."""
    data = render.replay(views(3, 4)[::2], scale=1)
    film = Image.open(BytesIO(data))
    frames = getattr(film, "n_frames", 1)
    times: list[int] = []
    for frame in range(frames):
        film.seek(frame)
        times.append(film.info["duration"])
    assert film.format == "GIF"
    assert sum(times) <= 20_000
    assert times[-1] == max(times)
    assert film.info.get("loop") == 0
    assert len(data) <= 8 << 20


def test_a_replay_needs_views() -> None:
    """A replay without views raises ValueError."""
    with pytest.raises(ValueError, match="needs the views"):
        render.replay([], scale=1)
