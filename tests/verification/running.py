"""Running commands of the product in processes of their own, as people run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

#: A pytest plugin that makes a run of the suite cheap: few instances, no exhaustive scope.  The rest is real.
CHEAP = """
import verification.examine
from verification.profiles import PROFILES, Profile

PROFILES["quick"] = Profile("quick", instances=12, max_dim=3, seed=0)
PROFILES["thorough"] = Profile("thorough", instances=40, max_dim=3, seed=None)
verification.examine.exhaust = lambda theorem: None
"""


def run(
    *arguments: str, cwd: Path = ROOT, path: Path | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``python *arguments`` with this interpreter, on this checkout; ``path`` is put on its module path too."""
    surroundings = {**os.environ, "COLUMNS": "120", **(env or {})}
    for name in [name for name in surroundings if name.startswith(("PYTEST_", "HYPOTHESIS", "SYMPY_GROUND"))]:
        if name not in (env or {}):
            del surroundings[name]
    surroundings["PYTHONPATH"] = os.pathsep.join(map(str, [ROOT] if path is None else [path, ROOT]))
    return subprocess.run(
        [sys.executable, "-B", *arguments], cwd=cwd, env=surroundings, capture_output=True, text=True, check=False
    )


def suite(*arguments: str, modules: Path | None = None) -> subprocess.CompletedProcess[str]:
    """``pytest verification`` with these arguments; ``modules`` is a folder of further plugins (``-p name``)."""
    return run("-m", "pytest", "verification", "-q", "-p", "no:cacheprovider", *arguments, path=modules)


def cheap(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """:func:`suite` made cheap by a plugin that is written to ``folder``."""
    (folder / "cheap.py").write_text(CHEAP)
    return suite("-p", "cheap", *arguments, modules=folder)


def report(path: Path) -> dict[str, Any]:
    """The JSON report at ``path``, refusing what JSON has no word for."""

    def refuse(constant: str) -> Any:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)


def without_seconds(data: Any) -> Any:
    """``data`` without the only keys that may differ between equal runs."""
    if isinstance(data, dict):
        return {key: without_seconds(value) for key, value in data.items() if key != "seconds"}
    if isinstance(data, list):
        return [without_seconds(item) for item in data]
    return data
