"""What each part of the stress reports: figures, and what should not have been."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Report(NamedTuple):
    """Figures by what they count, in order, and in words whatever is broken: nothing is success."""

    figures: Mapping[str, object]
    broken: Sequence[str] = ()
