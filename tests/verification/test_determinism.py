"""Whole runs give the same report: twice, in several processes, beside other modules, in any selection."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.verification.running import report, suite, without_seconds

pytestmark = pytest.mark.slow

ODD = "A, B, C = 12345, 99999, -777\nMANY = [" + ", ".join(str(n) for n in range(100, 900)) + "]\n"


def reported(folder: Path, *arguments: str) -> dict[str, Any]:
    """The report of a run without its times; the run passes, and calls nothing verified or proved."""
    path = folder / "report.json"
    done = suite("--report", str(path), *arguments, modules=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"\b(verified|proved|proven)\b", done.stdout + text, re.IGNORECASE) == []
    return without_seconds(report(path))


@pytest.fixture(scope="module")
def few_labels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of an ordinary run of one theorem."""
    return reported(tmp_path_factory.mktemp("few"), "-k", "few_labels")


def test_the_report_of_one_theorem(few_labels: dict[str, Any]) -> None:
    """So that the comparisons below compare something."""
    assert (few_labels["profile"], few_labels["seed"], few_labels["confirmed"]) == ("quick", 0, True)
    (entry,) = few_labels["theorems"]
    assert entry["name"] == "few_labels"
    assert entry["generated"]["holds"] == 100
    assert sum(entry["generated"]["constructions"].values()) == 100
    assert entry["scope"]["looked_at"] > 10_000


def test_twice(few_labels: dict[str, Any], tmp_path: Path) -> None:
    """The second time beside a module of odd constants, which Hypothesis would offer as numbers."""
    (tmp_path / "odd_constants.py").write_text(ODD, encoding="utf-8")
    assert reported(tmp_path, "-k", "few_labels", "-p", "odd_constants") == few_labels


def test_among_others_in_two_processes(few_labels: dict[str, Any], tmp_path: Path) -> None:
    entries = reported(tmp_path, "-k", "few_labels or extended_linear", "-n", "2")["theorems"]
    assert [entry["name"] for entry in entries] == ["extended_linear", "few_labels"]
    assert entries[1] == few_labels["theorems"][0]
