"""The how-to, done as it says: each command gives what is shown, with the one edit that it shows in between."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.conjectures.pages import blocks
from tests.verification.running import ROOT

PAGE = "how-to/test-a-conjecture.md"
FILE = "my_conjecture.py"


def said(command: str, folder: Path) -> str:
    """What a shell prints for a command in which ``python`` and ``pytest`` are those of this run."""
    command = re.sub(r"^pytest\b", "python -m pytest -p no:cacheprovider", command)
    command = re.sub(r"^python\b", sys.executable, command)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "HYPOTHESIS"))}
    surroundings = {**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=surroundings, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def edit(diff: str, path: Path) -> None:
    """Put the lines with + in place of those with -, which must be there once."""
    old, new = (
        "".join(line[1:] for line in diff.splitlines(keepends=True) if line.startswith(sign)) for sign in ("-", "+")
    )
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new), encoding="utf-8")


def masked(text: str) -> str:
    """Without the version of SymPy, which is whichever is installed."""
    return re.sub(r"SymPy [0-9.]+ ", "SymPy ", text)


def test_the_how_to(tmp_path: Path) -> None:
    for language, block in blocks(PAGE, "console", "diff"):
        if language == "diff":
            edit(block, tmp_path / FILE)
            continue
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition("\n")
            assert masked(said(command, tmp_path)) == masked(shown), command
    assert len(list(tmp_path.glob("my_conjecture--without-*.json"))) == 5
