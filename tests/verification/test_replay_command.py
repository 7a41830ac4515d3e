"""``python -m verification replay``, run as people run it: its exit codes, its messages, and where it works."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conjectures.files import EXAMPLES
from tests.verification.running import ROOT, run
from theory.catalogue import catalogue
from theory.loading import load_file
from verification.__main__ import main
from verification.certificates import STORED
from verification.search import certify

ALL = sorted(STORED.glob("*.json"))
ONE = STORED / "few_labels--without-few_labels.json"
SUMMARY = r"{}; SymPy [\d.]+ on python integers, FLINT and Hypothesis blocked\n"
#: A theorem of somebody's own.
OWN = """
from dataclasses import replace
from theory.catalogue import find

THEOREM = replace(find("few_labels"), name="fewer_labels", needs=("few_labels",), worked=())
"""


def replay(*arguments: Path | str, **options: Any) -> tuple[int, str, str]:
    """Exit code, what was printed, and what was printed as an error."""
    done = run("-m", "verification", "replay", *map(str, arguments), **options)
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with certificates of all kinds: one with a changed number, one cut in half, odd ones, and one's own."""
    folder = tmp_path_factory.mktemp("certificates")
    text = ONE.read_text(encoding="utf-8")
    data = json.loads(text)
    data["instance"]["h"][0][0] = "7"
    files = {
        "changed": json.dumps(data),
        "truncated": text[:500],
        "nan": text.replace('"seed": 0', '"seed": NaN'),
        "digits": text.replace('"seed": 0', f'"seed": {"1" * 5000}'),
    }
    for name, content in files.items():
        (folder / f"{name}.json").write_text(content, encoding="utf-8")
    (folder / "own.py").write_text(OWN, encoding="utf-8")
    (certificate,) = certify(load_file(folder / "own.py"))
    certificate.save(folder).rename(folder / "own.json")
    return folder


def test_all_stored_certificates_are_accepted() -> None:
    code, out, errors = replay(*ALL)
    assert code == 0
    lines = out.splitlines(keepends=True)
    assert lines[:-1] == [f"accepted  {path}\n" for path in ALL]
    assert re.fullmatch(SUMMARY.format(f"{len(ALL)} accepted, 0 rejected, 0 refused"), lines[-1])
    assert errors == ""


def test_a_rejected_certificate(folder: Path) -> None:
    """Also one of a theorem that nobody defines here."""
    changed, own = folder / "changed.json", folder / "own.json"
    code, out, errors = replay(ONE, changed, own)
    assert code == 1
    assert f"accepted  {ONE}\nrejected  {changed}\n          evidence " in out
    assert "          changed after it was written: the content does not match the checksum\n" in out
    assert (
        f"rejected  {own}\n          unknown theorem 'fewer_labels'; if it is your own, name its file with --theorems\n"
        in out
    )
    assert "1 accepted, 2 rejected, 0 refused" in out
    assert errors == ""


def test_files_that_are_no_certificates(folder: Path) -> None:
    """Bad input outweighs a rejection.  The others are replayed all the same.

    All of it on Python's integers even where the surroundings ask for FLINT's; SymPy would warn that it is not there.
    """
    changed, truncated, nan, digits = (folder / f"{name}.json" for name in ("changed", "truncated", "nan", "digits"))
    missing = folder / "none.json"
    code, out, errors = replay(
        truncated, changed, missing, folder, nan, digits, ONE, env={"SYMPY_GROUND_TYPES": "flint"}
    )
    assert code == 2
    assert f"accepted  {ONE}\n" in out
    assert re.fullmatch(SUMMARY.format("1 accepted, 1 rejected, 5 refused"), out.splitlines(keepends=True)[-1])
    refused = errors.splitlines()
    beginnings = [
        f"refused   {truncated}: truncated or not the JSON of a certificate: ",
        f"refused   {missing}: there is no such file",
        f"refused   {folder}: cannot be read: ",
        f"refused   {nan}: ",
        f"refused   {digits}: ",
    ]
    assert len(refused) == len(beginnings), "nothing else, and no warning"
    for line, beginning in zip(refused, beginnings, strict=True):
        assert line.startswith(beginning)


def test_a_theorem_of_ones_own_from_another_folder(folder: Path, tmp_path: Path) -> None:
    """With relative paths, which are shown as they were given."""
    for name in ("own.py", "own.json"):
        shutil.copy(folder / name, tmp_path / name)
    code, out, errors = replay("own.json", "--theorems", "own.py", cwd=tmp_path)
    assert code == 0, out + errors
    assert out.startswith("accepted  own.json\n1 accepted, ")


def test_the_command_blocks_what_it_says() -> None:
    """In the process that replayed, neither can be imported."""
    source = f"""
from importlib import import_module
from verification.__main__ import main

print(main(["replay", {str(ONE)!r}]))
for name in ("flint", "hypothesis"):
    try:
        import_module(name)
    except ModuleNotFoundError as error:
        print(error)
"""
    done = run("-c", source)
    assert done.stdout.splitlines()[-3:] == [
        "0",
        "flint is blocked: a replay must not need it",
        "hypothesis is blocked: a replay must not need it",
    ]


# Usage: in this process, since nothing is replayed ----------------------------------------------------------------


def exit_code(arguments: list[str]) -> int | str | None:
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    return raised.value.code


@pytest.mark.parametrize(
    "arguments",
    [[], ["replay"], ["verify", str(ONE)], ["replay", "--fast", str(ONE)], ["replay", str(ONE), "--theorems"]],
    ids=lambda words: " ".join(words),
)
def test_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(arguments) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith("usage: python -m verification")


def test_help_says_what_the_exit_codes_mean(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["--help"]) == 0
    said = " ".join(capsys.readouterr().out.split()).partition("Exit codes: ")[2]
    meanings = [
        "0 accepted, or not falsified; ",
        "1 a certificate is rejected",
        "2 bad input; ",
        "3 no witness ",
    ]
    assert [meaning for meaning in meanings if meaning not in said] == []


def in_a_shell(command: str, folder: Path, **surroundings: str) -> subprocess.CompletedProcess[str]:
    """A command in which ``python`` is that of this run."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))}
    return subprocess.run(
        ["/bin/sh", "-c", command.replace("python", sys.executable, 1)],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), **surroundings},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


@pytest.mark.parametrize(
    "command", [f"verification replay {ONE}", "theory list", "verification refute up_to_rotation.py"]
)
def test_an_output_that_takes_nothing(command: str, tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "up_to_rotation.py", tmp_path)
    done = in_a_shell(f"python -m {command} > /dev/full", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: what was found could not be written to standard output: No space left on device\n"


def test_a_disk_that_is_full_from_the_start(tmp_path: Path) -> None:
    """No file can be written anywhere: a replay needs none, and a counterexample is shown."""
    shutil.copy(EXAMPLES / "up_to_rotation.py", tmp_path)
    done = in_a_shell(f"ulimit -f 0; exec python -m verification replay {ONE}", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = in_a_shell("ulimit -f 0; exec python -m verification refute up_to_rotation.py", tmp_path)
    assert done.returncode == 2
    assert "refuted by a counterexample" in done.stdout
    assert done.stderr.startswith("error: the certificate could not be written to .: ")


@pytest.mark.parametrize(
    "surroundings",
    [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"},
     {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
    ids=["ascii", "latin-1", "POSIX"],
)  # fmt: skip
def test_a_terminal_without_the_letters(surroundings: dict[str, str], tmp_path: Path) -> None:
    name = next(name for name, theorem in catalogue().items() if any(ord(letter) > 255 for letter in theorem.statement))
    done = in_a_shell(f"python -m theory show {name}", tmp_path, **surroundings)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u" in done.stdout


@pytest.mark.parametrize(
    "command",
    ["theory new {}", "verification refute {}.py", f"verification replay {ONE} --theorems {{}}.py",
     "verification refute up_to_rotation.py --certificates {}", "verification replay {}.json"],
)  # fmt: skip
def test_names_that_are_too_long(command: str, tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "up_to_rotation.py", tmp_path)
    done = run("-m", *command.format("a" * 300).split(), cwd=tmp_path)
    assert done.returncode == 2
    assert "File name too long" in done.stderr
    assert "Traceback" not in done.stderr
