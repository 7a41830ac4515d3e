"""The commands that write the pages of measurements, on small inputs and without peers."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks import report, similarity_accuracy, similarity_speed
from tests.benchmarks.peers import Peer
from tests.benchmarks.similarity_accuracy import OURS, Outcome, cell, outcome, page
from tests.benchmarks.sizes import FLOOR
from tests.empirical.similarity.cases import MAKERS


def test_accuracy_page() -> None:
    """A line for each input and measure, none of ours wrong, and a peer that is wrong stands out."""
    constant = Peer("always a half", "numpy", "numpy", "mean CCA", lambda x, y: 0.5)
    text = page(300, 16, [constant])
    assert "python -m tests.benchmarks.similarity_accuracy" in text
    for name in MAKERS:
        assert f"| {name} |" in text
    sums = [line.split("|")[3].strip() for line in text.splitlines() if line.startswith("| right / silently wrong")]
    assert len(sums) == len(similarity_accuracy.MEASURES)
    assert all(one.split(" / ")[1:] == ["0", "0"] for one in sums)
    one_column = next(line for line in text.splitlines() if line.startswith("| one column against many"))
    assert "**5e-1**" in one_column or "**4e-1**" in one_column
    assert "at least 130 rows are needed" in text


def test_cells() -> None:
    """Right, wrong, wrong with a warning, no number."""
    assert cell(Outcome(0.5), 0.5) == "0"
    assert cell(Outcome(0.5 + 2e-9), 0.5) == "2e-9"
    assert cell(Outcome(0.7), 0.5) == "**2e-1**"
    assert cell(Outcome(0.7, warned=True), 0.5) == "2e-1, warns"
    zeros = np.zeros((2, 2))
    assert cell(outcome(lambda x, y: math.nan, zeros, zeros), 0.5) == "NaN"
    assert cell(outcome(lambda x, y: 1 / 0, zeros, zeros), 0.5) == "raises"


def test_speed_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours and the floor have a time in a process of their own; what takes too long, or too much memory, says so."""
    for name in (OURS, FLOOR):
        taken = similarity_speed.measure_apart("linear CKA", name, "tiny", "float64", 30.0)
        assert taken.seconds is not None
        assert 0 < taken.seconds < 30
    monkeypatch.setitem(similarity_speed.MEASURES, "made up", [similarity_speed.Implementation("x", max, square=True)])
    for seconds, lines in (
        (0.1, [f"| {FLOOR} | 0.1 | 0.1 | 0.1 | 0.1 | 1 |", "| x | 0.1 | 0.1 | n x n | n x n |  |"]),
        (1.0, [f"| {FLOOR} | 1 | > 30 | > 30 | > 30 |  |"]),  # 80 times the work comes next
    ):
        taken = similarity_speed.Taken(seconds, 2**20, least=seconds)
        monkeypatch.setattr(similarity_speed, "measure_apart", lambda *_, taken=taken: taken)
        text = similarity_speed.page(["s", "m", "l"], ["made up"], 30.0, 1)
        assert all(line in text for line in lines)


def test_a_page_replaces_the_old_one_in_one_step(tmp_path: Path) -> None:
    target = tmp_path / "page.md"
    target.write_text("old")
    report.publish("new | page\n", str(target))
    assert target.read_text() == "new | page\n"
    assert [path.name for path in tmp_path.iterdir()] == ["page.md"]
    assert report.table(["a"], [["b|c"]]).endswith("| b\\|c |")
