"""What import-linter cannot say of the rooms: which modules alone are allowed, and what bot.py imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "kanagawa"


def imported(tree: ast.AST) -> Iterator[str]:
    """The top-level modules that a module imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0] if node.level == 0 else ENGINE.name


@pytest.mark.parametrize("path", sorted(ENGINE.rglob("*.py")), ids=lambda path: path.name)
def test_the_engine_imports_the_standard_library_and_msgspec_alone(path: Path) -> None:
    found = set(imported(ast.parse(path.read_text("utf-8"))))
    assert found <= {*sys.stdlib_module_names, "msgspec", ENGINE.name}


def test_bot_py_leaves_pictures_to_render_and_the_database_to_the_store() -> None:
    found = set(imported(ast.parse((ROOT / "bot.py").read_text("utf-8"))))
    assert found.isdisjoint({"PIL", "aiosqlite", "sqlite3"})
    assert {"kanagawa", "table", "cogs"} <= found
