"""Names of arrays and files with characters that move a cursor, break a row, or are no text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from empirical.__main__ import main
from empirical.compare.characters import visible, writable
from empirical.compare.latex import as_latex
from empirical.compare.results import Options
from empirical.compare.run import compare
from tests.empirical.compare.pairs import model, save
from tests.verification.running import ROOT

F = model()["f"]
STRANGE = {"x\x1b[31m": F, "x\nsecond line": F @ np.diag([1.0, 2.0, 3.0]), "x$\\bad$": F, "y": F}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f² × layer.1", "f² × layer.1"),
        ("a\x1b[1m", "a\\x1b[1m"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\u202eabc", "\\u202eabc"),
        ("bad\udcff", "bad\\udcff"),
        ("層", "層"),
    ],
)
def test_what_cannot_be_seen_is_escaped(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_only_what_cannot_be_written_is_escaped_in_data() -> None:
    assert writable("a\x1b\n\udcffb") == "a\x1b\n\\udcffb"


def test_layers_of_strange_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path / "a.npz", STRANGE)
    reports = [tmp_path / f"r.{ending}" for ending in ("json", "html", "png", "tex")]
    sides = [f"{path}:f=x*", f"{path}:f=[y]"]
    assert main(["compare", *sides, *(f"--report={report}" for report in reports)]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "\\x1b[31m" in printed
    page = reports[1].read_text()
    assert "\x1b" not in page
    assert "x\\x1b[31m" in page
    assert json.loads(reports[0].read_text())["inputs"][0]["f"]["name"] in STRANGE
    assert reports[2].stat().st_size > 1000


def test_arrays_of_strange_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path / "a.npz", STRANGE)
    assert main(["compare", f"{path}:f=x\x1b[31m", f"{path}:f=x\nsecond line", "--resamples=20"]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "f (x\\x1b[31m) 120" in " ".join(printed.split())
    assert "f (x\\nsecond line) 120" in " ".join(printed.split())


def test_a_name_of_two_lines_is_one_latex_row(tmp_path: Path) -> None:
    path = save(tmp_path / "a.npz", STRANGE)
    lines = as_latex(compare([f"{path}:f=x*", f"{path}:f=[y]"], Options())).splitlines()
    assert all(line.endswith((r" \\", r"\hline")) or line.startswith("%") for line in lines)
    assert any(r"x\textbackslash{}nsecond line & " in line for line in lines)


def test_an_error_shows_control_characters_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path / "a.npz", {"x\x1b[31m": F})
    assert main(["compare", f"{path}:f=nothing", f"{path}:f=f"]) == 2
    error = capsys.readouterr().err
    assert "\x1b" not in error
    assert "x\\x1b[31m" in error


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no names of files that are no text")
def test_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    save(tmp_path / "a.npz", {"f": F})
    os.rename(tmp_path / "a.npz", os.fsencode(tmp_path) + b"/bad\xff.npz")
    save(tmp_path / "b.npz", {"f": F})
    reports = [f"--report=r.{ending}".encode() for ending in ("json", "html", "png", "tex")]
    done = subprocess.run(
        [sys.executable, "-m", "empirical", "compare", b"bad\xff.npz", b"b.npz", b"--resamples=20", *reports],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert {path.suffix for path in tmp_path.glob("r.*")} == {".json", ".html", ".png", ".tex"}
    assert json.loads((tmp_path / "r.json").read_text())["inputs"][0]["file"] == "bad\\udcff.npz"
    assert "bad\\udcff.npz" in (tmp_path / "r.html").read_text()
