"""The plugin in other people's runs, where it is installed but not meant: silent, cheap and out of the way."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.verification.running import run

LOADED = """
import sys

def test_loaded():
    heavy = {"hypothesis", "theory", "flint", "sympy", "numpy", "scipy", "rich", "matplotlib", "jax", "secrets"}
    found = {name.partition(".")[0] for name in sys.modules} & heavy
    assert found <= {"secrets"}, found
    assert {name for name in sys.modules if name.startswith("verification")} == {"verification", "verification.plugin"}
"""


def pytest_in(folder: Path, source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest on one test file in a folder that has nothing to do with this project."""
    (folder / "test_theirs.py").write_text(source, encoding="utf-8")
    quiet = ("-p", "no:cacheprovider", "-p", "no:benchmark", "-p", "no:jaxtyping")  # those of others load NumPy
    return run("-m", "pytest", "-q", *quiet, *arguments, cwd=folder)


def test_silent_and_cheap(tmp_path: Path) -> None:
    """And nothing is left behind."""
    done = pytest_in(tmp_path, LOADED)
    assert done.returncode == 0, done.stdout
    assert "linear identifiability" not in done.stdout
    assert done.stdout.splitlines()[0].startswith(".")
    assert done.stderr == ""
    assert [path.name for path in tmp_path.iterdir()] == ["test_theirs.py"]


def test_silent_in_several_processes(tmp_path: Path) -> None:
    done = pytest_in(tmp_path, "def test_a(): pass\ndef test_b(): pass\n", "-n", "1")
    assert done.returncode == 0, done.stdout
    assert "linear identifiability" not in done.stdout


def test_named_in_the_help_only(tmp_path: Path) -> None:
    done = run("-m", "pytest", "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "\nlinear identifiability:\n" in done.stdout
    for option in ("--certify", "--theorems=FILE.py", "--certificates=DIR", "--report=FILE.json"):
        assert option in done.stdout.replace(f"{option.partition('=')[0]} ", f"{option.partition('=')[0]}=")


def test_their_profiles_and_seeds_are_theirs(tmp_path: Path) -> None:
    """Our names are common: a project that registers a profile "thorough" must get its own; and its seed is any text.

    Asked for a report, a run that passes must write one or say that it did not.
    """
    (tmp_path / "conftest.py").write_text(
        "from hypothesis import settings\nsettings.register_profile('thorough', max_examples=7)\n", encoding="utf-8"
    )
    done = pytest_in(
        tmp_path,
        "from hypothesis import settings\ndef test_mine():\n    assert settings.default.max_examples == 7\n",
        "--hypothesis-profile=thorough",
        "--hypothesis-seed=abc",
        "--report=out.json",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "out.json").exists()
    assert "no theorem was examined, so no report was written to out.json" in done.stdout
