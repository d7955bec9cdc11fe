"""The suite reads as the rulebook: the docstring of some test begins with each rule number."""

from __future__ import annotations

import ast
import re
from pathlib import Path

LAST = {"K1": 7, "K2": 7, "K3": 7, "K4": 8, "K5": 6}
RULES = {f"{chapter}.{number}" for chapter, last in LAST.items() for number in range(1, last + 1)}
RULES |= {f"O{number}" for number in range(1, 10)}


def test_every_rule_has_a_test() -> None:
    """Each of K1.1 to K5.6 and O1 to O9 stands before the colon in the docstring of a test."""
    named: set[str] = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                head = (ast.get_docstring(node) or "").partition(":")[0]
                named |= set(re.findall(r"K\d\.\d|O\d", head))
    assert named >= RULES
