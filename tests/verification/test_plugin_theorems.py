"""Theorems of one's own under pytest: ``--theorems FILE.py``, and where their certificates are."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.verification.running import report, suite
from theory.catalogue import catalogue
from theory.loading import BadTheorem, load_file
from verification.certificates import STORED
from verification.plugin import theorems_of

#: A theorem file; made of one that is there, so that it is short.
OWN = """
from dataclasses import replace
from theory.catalogue import find
from theory.theorem import Standing

THEOREM = replace(
    find("linear_identifiability"), name={name!r}, standing=Standing.CONJECTURE, scope=None, worked=(), attained=None,
    stronger=(), spectra=None, needs=("left_invertible",), sizes=find("linear_identifiability").sizes[:2],
)
"""


def written(folder: Path, name: str, text: str = OWN) -> Path:
    path = folder / f"{name}.py"
    path.write_text(text.replace("{name!r}", repr(name)), encoding="utf-8")
    return path


def config(folder: Path, **options: Any) -> Any:
    """As much of pytest's configuration as the choice of theorems depends on."""
    return SimpleNamespace(
        stash=pytest.Stash(),
        getoption=lambda name, default=None: options.get(name.removeprefix("--"), default),
        invocation_params=SimpleNamespace(dir=folder),
    )


def test_a_run_about_ones_own_theorems(tmp_path: Path) -> None:
    """These and no others are examined, from any folder; certificates are written where it is said."""
    files = [written(tmp_path, name) for name in ("own_one", "own_two")]
    options = [option for file in files for option in ("--theorems", str(file))]
    found = tmp_path / "found"
    done = suite(*options, "--certify", f"--certificates={found}", f"--report={tmp_path / 'report.json'}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 of 2 standings confirmed" in done.stdout
    entries = report(tmp_path / "report.json")["theorems"]
    assert [(entry["name"], entry["standing"]) for entry in entries] == [
        ("own_one", "conjecture"),
        ("own_two", "conjecture"),
    ]
    names = [f"{file.stem}--without-left_invertible.json" for file in files]
    assert sorted(path.name for path in found.iterdir()) == names


def test_certificates_are_beside_the_file_unless_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    file = written(tmp_path / "deeper", "own")
    ((name, (theorem, folder)),) = theorems_of(config(tmp_path, theorems=[file.relative_to(tmp_path)])).items()
    assert (name, theorem.name, folder) == ("own", "own", file.parent)
    ((_, folder),) = theorems_of(config(tmp_path, theorems=[file], certificates=Path("elsewhere"))).values()
    assert folder == Path("elsewhere")


def test_without_a_file_it_is_the_catalogue(tmp_path: Path) -> None:
    found = theorems_of(config(tmp_path, theorems=[]))
    assert list(found) == list(catalogue())
    assert {folder for _, folder in found.values()} == {STORED}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("few_labels", OWN, "few_labels.py: the name 'few_labels' is taken by a theorem of the catalogue"),
        ("empty", "", "empty.py: it defines no THEOREM"),
        ("broken", "THEOREM = 1 / 0\n", "broken.py, line 1: ZeroDivisionError: division by zero"),
        ("typo", "THEOREM = Theorem(\n", "typo.py, line 1: syntax error: "),
    ],
)
def test_a_file_that_is_no_theorem(tmp_path: Path, name: str, text: str, message: str) -> None:
    """A message for the person who wrote it, before anything runs."""
    with pytest.raises(pytest.UsageError) as raised:
        theorems_of(config(tmp_path, theorems=[written(tmp_path, name, text)]))
    assert message in str(raised.value)


def test_one_name_in_two_files(tmp_path: Path) -> None:
    one = written(tmp_path, "own")
    (tmp_path / "again").mkdir()
    other = written(tmp_path / "again", "own")
    with pytest.raises(pytest.UsageError, match="the name 'own' is used by two files of --theorems"):
        theorems_of(config(tmp_path, theorems=[one, other]))


def test_a_bad_file_ends_the_run_with_one_message(tmp_path: Path) -> None:
    done = suite("--theorems", str(tmp_path / "missing.py"))
    output = done.stdout + done.stderr
    assert done.returncode == 4, output
    assert f"ERROR: {tmp_path / 'missing.py'}: there is no such file" in output
    assert "Traceback" not in output
    assert "INTERNALERROR" not in output


def test_a_theorem_without_a_result_is_not_confirmed(tmp_path: Path) -> None:
    """One whose code raises, or is skipped, is in the table and in the report, which is not the other one's alone."""
    fails = (
        OWN + "\n\ndef conclusion(pair):\n    {does}\n\n\nTHEOREM = replace(THEOREM, conclusion=conclusion, needs=())\n"
    )
    bodies = {"raising": "1 / 0", "skipping": "import pytest; pytest.skip('later')", "leaving": "raise SystemExit(0)"}
    files = [written(tmp_path, "fine", OWN.replace('needs=("left_invertible",)', "needs=()"))]
    files += [written(tmp_path, name, fails.replace("{does}", does)) for name, does in bodies.items()]
    options = [option for file in files for option in ("--theorems", str(file))]
    done = suite(*options, f"--report={tmp_path / 'report.json'}")
    assert done.returncode == 1
    assert "1 of 4 standings confirmed" in done.stdout
    data = report(tmp_path / "report.json")
    assert data["confirmed"] is False
    said = {entry["name"]: entry["failures"] for entry in data["theorems"]}
    assert list(said) == ["fine", "leaving", "raising", "skipping"]
    assert said.pop("fine") == []
    for name, error in (("raising", "ZeroDivisionError"), ("skipping", "Skipped"), ("leaving", "SystemExit")):
        assert said[name][0].startswith(f"{name}: conclusion raised {error} ({name}.py, line ")


def test_two_files_of_one_name(tmp_path: Path) -> None:
    """In two folders: each has its own module, so that their classes and functions are not mixed up."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.py").write_text(OWN.replace("{name!r}", repr(name)) + f"\nWHO = {name!r}\n")
    first, second = (load_file(tmp_path / name / "same.py") for name in ("one", "two"))
    assert (first.name, second.name) == ("one", "two")
    modules = {sys.modules[name].WHO: name for name in list(sys.modules) if name.startswith("theorem_file_same")}
    assert len(set(modules.values())) == 2
    load_file(tmp_path / "one" / "same.py")
    assert sys.modules[modules["one"]].WHO == "one", "a file that is loaded again replaces itself"
    assert len([name for name in sys.modules if name.startswith("theorem_file_same")]) == 2


@pytest.mark.parametrize("option", ["--theorems={}.py", "--report={}.json", "--certificates={}"])
def test_names_that_are_too_long(option: str) -> None:
    done = suite(option.format("a" * 300))
    assert done.returncode == 4
    assert "File name too long" in done.stdout + done.stderr
    assert "INTERNALERROR" not in done.stdout + done.stderr


def test_a_file_that_cannot_be_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a folder that nobody may look into."""

    def refused(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_dir", refused)
    with pytest.raises(BadTheorem, match=r"mine\.py: cannot be read: Permission denied$"):
        load_file(tmp_path / "mine.py")


def test_a_file_that_is_skipped(tmp_path: Path) -> None:
    """``importorskip`` in it raises what is no Exception."""
    (tmp_path / "mine.py").write_text("import pytest\npytest.importorskip('nowhere_at_all')\n")
    with pytest.raises(BadTheorem, match=r"mine\.py, line 2: Skipped: could not import 'nowhere_at_all'"):
        load_file(tmp_path / "mine.py")
