"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import strict


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update`` writes playthroughs and golden pictures anew; look at the difference."""
    parser.addoption("--update", action="store_true", help="write the expected texts and pictures anew")


@pytest.fixture(autouse=True)
def _nothing_refused() -> Iterator[None]:
    """What Discord would have refused of what a test sent fails the test."""
    strict.refused.clear()
    yield
    assert not strict.refused
