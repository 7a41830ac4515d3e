"""Theorems that another installed package registers: listed, shown, examined, replayed; and where it is broken.

The package is a folder on the module path with the metadata that an installer would write.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.conjectures.files import variant
from tests.verification.running import run

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path) -> Install:
    """Install the distribution ``theirs`` with a module that defines a theorem; return the folder for the path."""

    def installed(points: str = "their_theorem = their_theorem:THEOREM", **modules: str) -> Path:
        folder = tmp_path / "site"
        info = folder / "theirs-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[linear_identifiability.theorems]\n{points}\n")
        variant(folder, name="their_theorem")
        for name, text in modules.items():
            (folder / f"{name}.py").write_text(text)
        return folder

    return installed


def pytest_of(folder: Path, *arguments: str) -> CompletedProcess[str]:
    return run(
        "-m", "pytest", "--pyargs", "verification", "-q", "-p", "no:cacheprovider", *arguments,
        cwd=folder.parent, path=folder,
    )  # fmt: skip


def test_listed_and_shown(install: Install) -> None:
    folder = install()
    done = run("-m", "theory", "list", cwd=folder.parent, path=folder)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].split()[:2] == ["their_theorem", "conjecture"]
    done = run("-m", "theory", "show", "their_theorem", cwd=folder.parent, path=folder)
    assert done.returncode == 0
    assert done.stdout.startswith("their_theorem: Diversity of one model")


def test_examined_with_the_catalogue(install: Install) -> None:
    folder = install()
    done = pytest_of(folder, "-k", "their_theorem")
    assert done.returncode == 0, done.stdout
    assert "\ntheir_theorem  conjecture  100 of 100 " in done.stdout
    done = pytest_of(folder, "--collect-only")
    assert "test_theorem[linear_identifiability]" in done.stdout
    assert "test_theorem[their_theorem]" in done.stdout


def test_certificates_beside_their_module(install: Install) -> None:
    folder = install()
    done = run("-m", "verification", "refute", "their_theorem.py", "--certificates", "certificates", cwd=folder)
    assert done.returncode == 0
    done = pytest_of(folder, "-k", "their_theorem")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("\n  without ") == 5
    written = sorted(str(path) for path in (folder / "certificates").iterdir())
    done = run("-m", "verification", "replay", *written, cwd=folder.parent, path=folder)
    assert done.returncode == 0, done.stdout
    assert "5 accepted, 0 rejected" in done.stdout


BROKEN = {
    "raises": (
        "broken = broken:THEOREM",
        {"broken": "1 / 0"},
        "entry point broken = broken:THEOREM of theirs: ZeroDivisionError: division by zero; repair or uninstall that "
        "package",
    ),
    "missing": (
        "broken = nowhere:THEOREM",
        {},
        "entry point broken = nowhere:THEOREM of theirs: ModuleNotFoundError: No module named 'nowhere'; repair or",
    ),
    "no theorem": (
        "broken = broken:THEOREM",
        {"broken": "THEOREM = 3"},
        "entry point broken = broken:THEOREM of theirs: THEOREM is 3 (int); it must be a theory.Theorem",
    ),
    "a name of the catalogue": (
        "broken = theory.theorems.softmax.few_labels:THEOREM",
        {},
        "of theirs: the name 'few_labels' is taken by a theorem of the catalogue; choose another",
    ),
    "a name twice": (
        "a = their_theorem:THEOREM\nb = their_theorem:THEOREM",
        {},
        "entry point b = their_theorem:THEOREM of theirs: the name 'their_theorem' is taken by another package",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_package_is_named(case: str, install: Install) -> None:
    points, modules, message = BROKEN[case]
    folder = install(points, **modules)
    done = run("-m", "theory", "list", cwd=folder.parent, path=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    done = pytest_of(folder)
    assert done.returncode == 4
    assert message in done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_a_broken_package_does_not_matter_to_a_file_of_ones_own(install: Install) -> None:
    folder = install("broken = nowhere:THEOREM")
    variant(folder.parent)
    done = pytest_of(folder, "--theorems", "mine.py")
    assert done.returncode == 0, done.stdout + done.stderr
