"""The how-to, done as it says: each command gives what is shown, where a line … stands for any lines.

To write what the commands give now into the page: ``python -m tests.empirical.compare.test_how_to``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.conjectures.pages import blocks
from tests.verification.running import ROOT

PAGE = "how-to/compare-two-models.md"
STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
KEPT = 14  # lines of a long output that are shown before the … and the last sentence


@cache
def said(command: str, folder: Path) -> str:
    """What a shell prints for a command in which ``python`` is that of this run."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    surroundings = {"PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=surroundings, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def matches(shown: str, printed: str) -> bool:
    parts = [re.escape(part) for part in re.split(r"^…\n", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*".join(parts), printed) is not None


def steps() -> list[tuple[str, str]]:
    return [step for _, block in blocks(PAGE, "console") for step in STEP.findall(block)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the commands are run, with the example of the page."""
    place = tmp_path_factory.mktemp("how-to")
    _prepare(place)
    return place


def _prepare(place: Path) -> None:
    ((_, example),) = blocks(PAGE, "python")
    (place / "example.py").write_text(example, encoding="utf-8")
    said("python example.py", place)


@pytest.mark.parametrize(("command", "shown"), steps(), ids=[command for command, _ in steps()])
def test_the_command_gives_what_is_shown(command: str, shown: str, folder: Path) -> None:
    printed = said(command, folder)
    assert matches(shown, printed), printed


def test_the_page_has_commands_and_all_reports_are_written(folder: Path) -> None:
    assert len(steps()) >= 7
    said(next(command for command, _ in steps() if "--report" in command), folder)
    assert {path.suffix for path in folder.glob("r.*")} == {".json", ".html", ".png", ".tex"}


def test_a_line_of_dots_stands_for_any_lines_and_nothing_else() -> None:
    assert matches("a\n…\nd\n", "a\nb\nc\nd\n")
    assert matches("a.\n", "a.\n")
    assert not matches("a.\n", "ab\n")
    assert not matches("a\n…\nd\n", "a\nb\nc\n")


def _shortened(printed: str) -> str:
    lines = printed.splitlines(keepends=True)
    if len(lines) <= 2 * KEPT:
        return printed
    last = len(lines) - 1 - lines[::-1].index("\n")
    return "".join([*lines[:KEPT], "…\n", *lines[last + 1 :]])


def _rewrite() -> None:
    path = ROOT / "docs" / PAGE
    with TemporaryDirectory() as name:
        _prepare(Path(name))

        def step(found: re.Match[str]) -> str:
            return f"$ {found[1]}\n{_shortened(said(found[1], Path(name)))}"

        def block(found: re.Match[str]) -> str:
            return "```console\n" + STEP.sub(step, found[1]) + "```\n"

        text = re.sub(r"^```console\n(.*?)^```\n", block, path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _rewrite()
