"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update`` writes playthroughs and golden pictures anew; look at the difference."""
    parser.addoption("--update", action="store_true", help="write the expected texts and pictures anew")
