"""The options of the plugin: what is refused before the run, and what happens when a report fails at its end."""

from __future__ import annotations

import os
import re
from pathlib import Path
from subprocess import CompletedProcess
from types import SimpleNamespace
from typing import Any

import pytest

from tests.verification.running import cheap, report, suite, without_seconds
from verification.plugin import PROPERTY, _check_writable, _seed_of

#: Plugins that break the writing of the report, as a disk does that fills up during a run.
FULL_DISK = """
import errno, os

replace = os.replace

def full(source, target):
    if str(target).endswith("report.json"):
        raise OSError(errno.ENOSPC, "No space left on device")
    return replace(source, target)

os.replace = full
"""


def refused(done: CompletedProcess[str], message: str) -> None:
    """Exit code 4 with one message, before anything ran, and no traceback."""
    output = f"{done.stdout}{done.stderr}"
    assert done.returncode == 4, output
    assert f"ERROR: {message}\n" in output
    assert "Traceback" not in output
    assert "INTERNALERROR" not in output
    assert "passed" not in output


def test_report_in_a_folder_that_is_missing(tmp_path: Path) -> None:
    folder = tmp_path / "missing"
    path = folder / "report.json"
    refused(suite("--report", str(path)), f"--report {path}: there is no folder {folder}; create it first")
    assert not folder.exists()


def test_report_that_is_a_folder(tmp_path: Path) -> None:
    refused(
        suite("--report", str(tmp_path)),
        f"--report {tmp_path} is a folder: name a file, such as {tmp_path / 'report.json'}",
    )


def test_report_in_a_folder_that_is_not_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here and not in a process of its own, since some run tests as root, to whom every folder is writable."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(pytest.UsageError, match=re.escape(f"the folder {tmp_path} is not writable")):
        _check_writable(tmp_path / "report.json")
    monkeypatch.undo()
    _check_writable(tmp_path / "report.json")
    assert list(tmp_path.iterdir()) == []


def test_a_seed_that_is_no_number() -> None:
    refused(suite("--hypothesis-seed=abc"), "--hypothesis-seed=abc: the seed must be an integer")
    for seed in ("1.5", ""):
        with pytest.raises(pytest.UsageError, match=f"^--hypothesis-seed={seed}: the seed must be an integer$"):
            _seed_of(config(seed=seed))


def test_a_profile_that_nobody_knows() -> None:
    message = "--hypothesis-profile=fast: there is no such profile; this suite has quick, thorough"
    refused(suite("--hypothesis-profile=fast"), message)


def test_a_report_that_fails_at_the_end(tmp_path: Path) -> None:
    """The run is shown, the old report stays, and the exit code says that the new one is missing."""
    path = tmp_path / "report.json"
    path.write_text("old\n", encoding="utf-8")
    (tmp_path / "full_disk.py").write_text(FULL_DISK, encoding="utf-8")
    done = cheap(tmp_path, "-p", "full_disk", "-k", "few_labels", "--report", str(path))
    assert done.returncode == 4, done.stdout + done.stderr
    assert f"the report could not be written, an older {path} is unchanged: [Errno 28] No space left" in done.stdout
    assert "1 of 1 standings confirmed" in done.stdout
    assert "report written to" not in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert path.read_text(encoding="utf-8") == "old\n"
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".report")]


def test_a_report_replaces_an_older_one(tmp_path: Path) -> None:
    """And says what can be repeated: quick is the default, from seed 0."""
    path = tmp_path / "report.json"
    path.write_text("old\n" * 10_000, encoding="utf-8")
    done = cheap(tmp_path, "-k", "few_labels", "--report", str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"report written to {path}\n" in done.stdout
    assert "profile quick, seed 0 (repeat with --hypothesis-seed=0)\n" in done.stdout
    assert [entry["name"] for entry in report(path)["theorems"]] == ["few_labels"]


def seed_shown(output: str) -> int:
    found = re.search(r"^profile thorough, seed (\d+) \(repeat with --hypothesis-seed=\1\)$", output, re.MULTILINE)
    assert found, output
    return int(found[1])


@pytest.mark.slow
def test_a_fresh_seed_repeats(tmp_path: Path) -> None:
    """Also in two processes: both examine their theorems from the seed that is shown."""
    arguments = ("--hypothesis-profile", "thorough", "-k", "few_labels or extended_linear", "--report")
    first = cheap(tmp_path, "-n", "2", *arguments, str(tmp_path / "first.json"))
    seed = seed_shown(first.stdout)
    again = cheap(tmp_path, f"--hypothesis-seed={seed}", *arguments, str(tmp_path / "again.json"))
    assert seed_shown(again.stdout) == seed
    found = {name: without_seconds(report(tmp_path / f"{name}.json")) for name in ("first", "again")}
    assert found["again"] == found["first"]
    assert found["first"]["seed"] == seed
    assert len(found["first"]["theorems"]) == 2


def config(workerinput: dict[str, Any] | None = None, **options: str) -> Any:
    """As much of pytest's configuration as the seed depends on."""
    given = {f"--hypothesis-{name}": value for name, value in options.items()}
    found: dict[str, Any] = {"getoption": lambda name, default=None: given.get(name, default)}
    return SimpleNamespace(**found, **({} if workerinput is None else {"workerinput": workerinput}))


def test_only_thorough_takes_a_fresh_seed() -> None:
    assert len({_seed_of(config(profile="thorough")) for _ in range(20)}) > 1
    assert {_seed_of(config()), _seed_of(config(profile="quick")), _seed_of(config(profile="mine"))} == {0}
    assert {_seed_of(config(profile="thorough", seed="-3")), _seed_of(config(seed="-3"))} == {-3}


def test_workers_take_the_seed_of_the_run() -> None:
    assert _seed_of(config(workerinput={PROPERTY: 5}, profile="thorough")) == 5


def test_a_profile_of_the_users_own(tmp_path: Path) -> None:
    """Registered with Hypothesis elsewhere: its number of examples is the number of instances."""
    (tmp_path / "mine.py").write_text(
        "from hypothesis import settings\nsettings.register_profile('mine', max_examples=9)\n", encoding="utf-8"
    )
    done = cheap(tmp_path, "-p", "mine", "--hypothesis-profile", "mine", "-k", "few_labels")
    assert "profile mine, seed 0 (" in done.stdout
    assert " 9 of 9 " in done.stdout
