"""Bad input that needs more than a row of ``tests/bad_input``: disks, processes, pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from empirical.__main__ import main
from tests.bad_input.empirical_rows import BOTH, PRIME, STAR, files
from tests.empirical.compare.pairs import unbiased
from tests.verification.running import ROOT, run


@pytest.mark.parametrize(
    ("arguments", "said"), [(["compar"], "did you mean compare?"), ([], "name a command"), (["x"], "no command 'x'")]
)
def test_unknown_commands(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_an_unwritable_report_is_said_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    BOTH(tmp_path)
    monkeypatch.setattr("empirical.writing.os.access", lambda *_: False)  # root may write anywhere
    assert main(["compare", "a.npz", "b.npz", "--report", "r.json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "is not writable" in printed.err


def test_a_failed_write_leaves_the_old_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    files(a=unbiased(STAR), b=unbiased(PRIME))(tmp_path)
    (tmp_path / "r.json").write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("empirical.writing.os.replace", full)
    assert main(["compare", "a.npz:f=f", "b.npz:f=f", "--report", "r.json", "--resamples", "20"]) == 2
    assert "r.json could not be written: No space left on device" in capsys.readouterr().err
    assert (tmp_path / "r.json").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "b.npz", "r.json"]


def test_in_a_process_of_its_own_there_is_no_traceback(tmp_path: Path) -> None:
    done = run("-m", "empirical", "compare", "a.npz", "b.npz", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: a.npz: there is no such file\n"


def test_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("empirical.compare.command.compare", interrupt)
    assert main(["compare", "a.npz", "b.npz"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run ``python -m empirical compare`` as a shell does, with its pipes."""
    line = f"{sys.executable} -m empirical compare {command}"
    return subprocess.run(
        ["/bin/bash", "-c", f"set -o pipefail; {line}"],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_reader_that_has_seen_enough_loses_no_report(tmp_path: Path) -> None:
    BOTH(tmp_path)
    done = shell("a.npz b.npz --resamples 20 --report r.json --report r.tex | head -n 1", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("A: a.npz")
    assert done.stdout.count("\n") == 1
    assert json.loads((tmp_path / "r.json").read_text())["pairs"]
    assert (tmp_path / "r.tex").exists()


def test_a_reader_that_reads_nothing(tmp_path: Path) -> None:
    BOTH(tmp_path)
    done = shell("a.npz b.npz --resamples 20 --report r.json | true", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "r.json").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_one_line_and_loses_no_report(tmp_path: Path) -> None:
    BOTH(tmp_path)
    done = shell("a.npz b.npz --resamples 20 --report r.json > /dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr == "error: what was found could not be written to standard output: No space left on device\n"
    assert (tmp_path / "r.json").exists()


# What a report may replace ----------------------------------------------------------------------------------------


def test_a_report_replaces_no_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    BOTH(tmp_path)
    os.mkfifo(tmp_path / "r.json")
    command = ["compare", str(tmp_path / "a.npz"), str(tmp_path / "b.npz"), f"--report={tmp_path / 'r.json'}"]
    assert main(command) == 2
    assert "is there and no regular file: name another file" in capsys.readouterr().err
    assert (tmp_path / "r.json").is_fifo()


@pytest.mark.parametrize("there", [True, False])
def test_a_report_goes_where_a_link_leads(there: bool, tmp_path: Path) -> None:
    BOTH(tmp_path)
    (tmp_path / "else").mkdir()
    if there:
        (tmp_path / "else" / "real.json").write_text("old")
    (tmp_path / "r.json").symlink_to(tmp_path / "else" / "real.json")
    sides = [f"{tmp_path / name}:f=f" for name in ("a.npz", "b.npz")]
    assert main(["compare", *sides, "--resamples=20", f"--report={tmp_path / 'r.json'}"]) == 0
    assert (tmp_path / "r.json").is_symlink()
    assert json.loads((tmp_path / "else" / "real.json").read_text())["pairs"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x" * 5000 + ".json", "File name too long"),
        ("x" * 243 + ".json", "the name is too long: at most 245 bytes"),
        ("x" * 5000 + "/r.json", "File name too long"),
        ("r.json/r.json", "Not a directory"),
        ("loop.json", "Too many levels of symbolic links"),
    ],
)
def test_a_report_that_cannot_be_there_is_said_at_once(
    name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    BOTH(tmp_path)
    (tmp_path / "r.json").write_text("")
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    assert main(["compare", str(tmp_path / "a.npz"), str(tmp_path / "b.npz"), f"--report={tmp_path / name}"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err


@pytest.mark.parametrize("option", ["--groups=" + "x" * 5000, "--label-names=" + "x" * 5000])
def test_an_option_that_is_too_long_for_a_file(option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    BOTH(tmp_path)
    names = ["--label-names=n"] if "label" in option else []
    assert main(["compare", str(tmp_path / "a.npz"), str(tmp_path / "b.npz"), option, *names]) == 2
    assert "cannot be read: File name too long" in capsys.readouterr().err


def test_a_npy_file_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "a.npy", np.ones((9, 2)))
    assert main(["compare", str(tmp_path / "a.npy"), str(tmp_path / "a.npy")]) == 2
    error = capsys.readouterr().err
    assert "a .npy file holds one array: name two files" in error
    assert "NAME1" not in error


@pytest.mark.parametrize("number", ["1000001", "9" * 5000])
def test_too_many_resamples(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["compare", "a.npz", "b.npz", f"--resamples={number}"])
    assert f"--resamples: '{number}' is more than 1000000" in capsys.readouterr().err
