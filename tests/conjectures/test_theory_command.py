"""``python -m theory list``, ``show`` and ``new``."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verification.running import ROOT, run
from theory.__main__ import main
from theory.catalogue import catalogue
from verification.certificates import STORED

Said = pytest.CaptureFixture[str]


def test_list(capsys: Said) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(catalogue())
    for line, theorem in zip(lines, catalogue().values(), strict=True):
        assert theorem.standing.value in line
        assert line.endswith(f" {theorem.title}")


@pytest.mark.parametrize("name", catalogue())
def test_show(name: str, capsys: Said) -> None:
    assert main(["show", name]) == 0
    shown, theorem = capsys.readouterr().out, catalogue()[name]
    for part in (theorem.title, theorem.statement, theorem.standing.value, str(theorem.reference)):
        assert part in shown
    assert f"indeterminacy: {theorem.indeterminacy}" in shown
    for assumption in theorem.assumptions:
        needed = assumption.name in theorem.needs
        assert f"  {assumption.name}: {assumption.statement} ({'needed' if needed else 'no counter'}" in shown
    for stronger in theorem.stronger:
        assert f"  {stronger.name}: " in shown
    for path in STORED.glob(f"{name}--*.json"):
        assert f"  {path.name}: " in shown
    assert "\n@" in shown
    assert (f"repaired by: {theorem.repaired_by}" in shown) is (theorem.repaired_by is not None)


def test_new_writes_a_file_that_runs(tmp_path: Path) -> None:
    """False as it stands; with the one edit that its how-to shows it is not falsified, and has certificates."""
    done = run("-m", "theory", "new", "my_theorem", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "wrote my_theorem.py; try: python -m verification refute my_theorem.py\n"
    done = run("-m", "verification", "refute", "my_theorem.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "refuted by a counterexample at M = 1, K = 2, n = 1" in done.stdout
    path = tmp_path / "my_theorem.py"
    text = path.read_text(encoding="utf-8")
    assert text.count("invertible_linear_map(") == 1
    path.write_text(text.replace("invertible_linear_map(", "linear_map("), encoding="utf-8")
    done = run("-m", "verification", "refute", "my_theorem.py", cwd=tmp_path)
    assert done.returncode == 0
    assert "note: my_theorem--refuted.json is about an earlier wording: delete it" in done.stdout
    (tmp_path / "my_theorem--refuted.json").unlink()
    done = run("-m", "pytest", "--pyargs", "verification", "--theorems", "my_theorem.py", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("\n  without ") == 5


def test_the_new_file_has_the_name_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "another_name"]) == 0
    assert "wrote another_name.py" in capsys.readouterr().out
    text = (tmp_path / "another_name.py").read_text(encoding="utf-8")
    assert "my_theorem" not in text
    assert 'name="another_name"' in text
    assert "--theorems another_name.py" in text


def test_new_keeps_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("mine")
    assert main(["new", "mine"]) == 2
    assert capsys.readouterr().err == "error: there is a mine.py already, which is left as it is; choose another name\n"
    assert Path("mine.py").read_text() == "mine"


def test_new_in_a_folder_that_is_not_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    """Not by permissions, since some run tests as root, to whom every folder is writable."""
    monkeypatch.chdir(tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert main(["new", "mine"]) == 2
    assert capsys.readouterr().err == f"error: mine.py could not be written in {tmp_path}: Permission denied\n"


def test_a_reader_that_has_seen_enough() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "theory", "list"], cwd=ROOT, stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")
