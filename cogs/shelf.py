"""A folder of pictures that are made once: posters and replays.

They show crests and numerals, never a person, so there is nothing in it to forget. Whoever removes the
folder loses nothing but time, for each picture can be drawn again.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from tempfile import NamedTemporaryFile

log = logging.getLogger(__name__)

#: The bytes that a shelf holds: some dozens of replays.
ROOM = 128 << 20


class Shelf:
    """Keeps pictures in a folder: those used last, up to so many bytes.

    A disk that is full or cannot be written costs time only; the log says so.
    """

    def __init__(self, folder: Path, room: int = ROOM) -> None:
        self._folder = folder
        self._room = room

    def get(self, name: str) -> bytes | None:
        """Return what is kept under a name, or None."""
        file = self._folder / name
        try:
            data = file.read_bytes()
            os.utime(file)  # so that what was used last is dropped last
        except OSError:
            return None
        return data

    def put(self, name: str, data: bytes) -> None:
        """Keep a picture under a name; the file appears only when it is whole."""
        if len(data) > self._room:
            return
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            with NamedTemporaryFile(dir=self._folder, prefix=".", delete=False) as file:
                try:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                    file.close()
                    Path(file.name).replace(self._folder / name)
                except BaseException:
                    Path(file.name).unlink(missing_ok=True)
                    raise
            self._make_room()
        except OSError as error:
            log.warning("the picture %s is not kept: %s", name, error)

    def _make_room(self) -> None:
        """Remove what was used longest ago until the rest fits."""
        files = [(file.stat().st_mtime, file.stat().st_size, file) for file in self._folder.iterdir()]
        left = sum(size for _, size, _ in files)
        for _, size, file in sorted(files):
            if left <= self._room:
                return
            file.unlink(missing_ok=True)
            left -= size
