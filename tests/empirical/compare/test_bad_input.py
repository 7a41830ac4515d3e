"""Bad input that needs more than a row of ``tests/bad_input``: disks, processes, pipes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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


def test_a_reader_that_has_seen_enough(tmp_path: Path) -> None:
    BOTH(tmp_path)
    command = f"{sys.executable} -m empirical compare a.npz b.npz --resamples 20 | head -n 1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.stderr == ""
    assert done.stdout.startswith("A: a.npz")
