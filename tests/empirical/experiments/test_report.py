"""What `report` shows is what the samples of the run give; and what it does with readers and disks that fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from empirical.commands import report
from empirical.engine import RunFolder
from empirical.experiment import Experiment, Figure, Findings, Preset, Run, Series, perform
from empirical.experiments.simulated_classification import Settings
from empirical.predictions import Prediction, Sample
from empirical.reporting import tables
from tests.verification.running import ROOT


def measure(run: Run) -> Findings:
    return Findings(
        samples={"high": Sample({(0,): 0.9954, (1,): 0.9956, (2,): 0.9952}), "low": Sample({(0, 1): 0.25})},
        rows=[{"point": "main", "seeds": 3, "cca": 0.9954}],
        figures=[Figure("curve", "a title", "x", "y", [Series("one", [1, 2], [0.5, 0.75])])],
    )


EXPERIMENT = Experiment(
    "made_up",
    "nothing is trained",
    Settings,
    {"smoke": Preset(3, "nothing")},
    lambda settings: (
        Prediction("high", "CCA < 1 & R² of 50 % of {x}", "a theorem", "at least", 0.99),
        Prediction("low", "something_else", "a bound", "at most", 0, "every"),
    ),
    measure,
)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    perform(EXPERIMENT, Run(Settings(), (0, 1, 2), RunFolder(tmp_path / "run")), "smoke", resume=False)
    return tmp_path / "run"


def change(name: str, by: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def apply(run: Path) -> None:
        content = json.loads((run / name).read_text())
        by(content)
        (run / name).write_text(json.dumps(content))

    return apply


def test_an_honest_run_is_shown(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report.main([str(made)]) == 0
    shown = capsys.readouterr().out
    assert "CONTRADICTED" in shown
    assert "range [0.2500, 0.2500]" in shown
    assert (made / "report/made_up-curve.png").exists()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (change("outcome.json", lambda o: o["predictions"][1].update(outcome="CONFIRMED")),
         "low is said to be CONFIRMED, and its samples give CONTRADICTED"),
        (change("outcome.json", lambda o: o["predictions"][0].update(value=0.9999)), "high is said to be CONFIRMED"),
        (change("outcome.json", lambda o: o["samples"].update(low=[[[0, 1], -1.0]])), "low is said to be CONTRADICTED"),
        (change("outcome.json", lambda o: o["predictions"][0].update(level=0.5)), "others than those in config.json"),
        (change("config.json", lambda c: c["predictions"][0].update(level=0.5)), "others than those in config.json"),
        (change("config.json", lambda c: c.update(experiment="another")), "config.json of 'another'"),
        (change("outcome.json", lambda o: o.update(seconds=float("nan"))), "is not JSON (NaN is no number)"),
        (change("outcome.json", lambda o: o.update(rows=[{}])), "is not what a run writes"),
        (change("outcome.json", lambda o: o["figures"][0].pop("series")), "is not what a run writes"),
        (change("outcome.json", lambda o: o["predictions"][0].update(sense="about")), "is not what a run writes"),
        (lambda run: (run / "outcome.json").write_text("[" * 100_000), "is not JSON"),
    ],
)  # fmt: skip
def test_altered_files_are_refused(
    made: Path, spoil: Callable[[Path], object], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(made)
    assert report.main([str(made)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert said in printed.err
    assert not (made / "report").exists()


def test_two_runs_of_one_experiment_keep_their_figures(made: Path, tmp_path: Path) -> None:
    perform(EXPERIMENT, Run(Settings(), (0, 1, 2), RunFolder(tmp_path / "again")), "smoke", resume=False)
    assert report.main([str(made), str(tmp_path / "again"), "--out", str(tmp_path / "both")]) == 0
    written = {path.name for path in (tmp_path / "both").iterdir()}
    assert {"made_up-1-curve.png", "made_up-2-curve.png", "made_up-1-curve.svg", "made_up-2-curve.svg"} <= written
    assert len(json.loads((tmp_path / "both/report.json").read_text())) == 2


def test_latex_rows_are_escaped(made: Path) -> None:
    first, second = tables.latex(json.loads((made / "outcome.json").read_text())).splitlines()[1:]
    assert first.startswith(r"high & CCA $<$ 1 \& R$^2$ of 50 \% of \{x\} at least 0.99 & 0.9954 & [")
    assert second.startswith(r"low & something\_else at most 0 & 0.2500 & range [")


@pytest.mark.parametrize(("rest", "code", "err"), [("| head -n 1", 0, ""), ("> /dev/full", 2, "No space left")])
def test_readers_and_disks_that_fail(made: Path, rest: str, code: int, err: str) -> None:
    command = f"set -o pipefail; {sys.executable} -m empirical report {made} {rest}"
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["/bin/bash", "-c", command], env=surroundings, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert err in done.stderr
    assert "Traceback" not in done.stderr
    assert (made / "report/report.tex").exists()  # files come first
