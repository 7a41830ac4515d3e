"""Imports point one way: theory knows of no other layer, and empirical knows nothing of verification.

Read from the syntax of the files and from what a fresh interpreter has loaded, so that a late import in a function
counts as well.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import theory

ROOT = Path(theory.__file__).parents[1]
#: What a layer may not import, at any place in its files.
FORBIDDEN = {
    "theory": {"verification", "empirical", "tests", "pytest", "_pytest", "jax", "jaxlib", "matplotlib", "rich"},
    "verification": {"empirical", "tests", "jax", "jaxlib"},
    "empirical": {"verification", "tests"},
}
HEAVY = ("hypothesis", "sympy", "flint", "numpy", "scipy", "mpmath", "matplotlib", "pytest", "jax")


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """The top-level packages a file imports, with the lines; relative imports stay inside the layer."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").split(".")[0], node.lineno
        elif isinstance(node, ast.Call) and imports_by_name(node):
            yield str(ast.literal_eval(node.args[0])).split(".")[0], node.lineno


def imports_by_name(call: ast.Call) -> bool:
    function = ast.unparse(call.func).rsplit(".", 1)[-1]
    return function in ("import_module", "__import__") and isinstance((call.args or [None])[0], ast.Constant)


@pytest.mark.parametrize("layer", FORBIDDEN)
def test_layers(layer: str) -> None:
    for path in sorted((ROOT / layer).rglob("*.py")):
        for name, line in imported(path):
            assert name not in FORBIDDEN[layer], f"{path.relative_to(ROOT)}:{line} imports {name}"


def test_hypothesis_is_imported_late_in_theory() -> None:
    """Only inside functions or for type checkers: certificates replay without Hypothesis."""
    for path in sorted((ROOT / "theory").rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            names = {n for stmt in [node] if isinstance(stmt, (ast.Import, ast.ImportFrom)) for n in named(stmt)}
            assert not names & {"hypothesis", "sympy"}, path


def named(node: ast.Import | ast.ImportFrom) -> set[str]:
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").split(".")[0]}
    return {alias.name.split(".")[0] for alias in node.names}


def test_no_theorem_file_imports_a_kernel() -> None:
    """Theorems ask theory.decide: which arithmetic runs is not theirs to know."""
    for path in sorted((ROOT / "theory" / "theorems").rglob("*.py")):
        assert not {name for name, _ in imported(path)} & {"flint", "sympy", "numpy"}, path


def loaded(code: str) -> set[str]:
    """The heavy packages that a fresh interpreter has loaded after running ``code``."""
    report = f"{code}\nimport sys\nprint(*(name for name in {HEAVY!r} if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", report], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


BUILD = "from theory.catalogue import find\nfrom theory.strategies.source import RandomSource\n"
BUILD += "t = find('linear_identifiability')\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import theory", set()),
        ("from theory.catalogue import catalogue\ncatalogue()", set()),
        ("import theory.arithmetic, theory.decide, theory.strategies.pairs", set()),
        (BUILD + "t.witness()", {"flint"}),
        (BUILD + "t.constructions[0].build(RandomSource(0), t.sizes[3])", {"flint"}),
        ("from theory.models import Model\nModel.of([[1]], [[0], [1]], arithmetic='sympy')", {"sympy", "mpmath"}),
        (BUILD + "t.instances(t.sizes[0])", {"hypothesis"}),
    ],
    ids=["import", "catalogue", "modules", "witness", "construction", "replay kernel", "strategy"],
)
def test_what_a_fresh_interpreter_loads(code: str, expected: set[str]) -> None:
    found = loaded(code)
    assert found >= expected
    optional = {"flint", "numpy"} if "sympy" in expected else set()  # what SymPy itself may pick up
    assert found - expected <= optional
