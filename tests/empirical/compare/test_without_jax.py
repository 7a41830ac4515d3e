"""Comparing works where JAX cannot be imported, and imports neither it nor what it does not need."""

from __future__ import annotations

from pathlib import Path

from tests.empirical.compare.pairs import equivalent, model, save, unbiased
from tests.verification.running import run

BLOCKED = """
import sys
from importlib.abc import MetaPathFinder

NAMES = {names}

class Blocker(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in NAMES:
            raise ModuleNotFoundError(f"{{name}} is blocked", name=name)

sys.meta_path.insert(0, Blocker())
from empirical.__main__ import main
code = main({arguments})
print(sorted({{name.partition(".")[0] for name in sys.modules}} & {{*NAMES, "matplotlib", "jinja2", "pytest"}}))
sys.exit(code)
"""

TRAINING = ("jax", "jaxlib", "equinox", "optax", "orbax", "pooch", "verification", "hypothesis")


def blocked(folder: Path, *arguments: str) -> str:
    star = unbiased(model(rows=60))
    save(folder / "a.npz", star)
    save(folder / "b.npz", equivalent(star))
    code = BLOCKED.format(names=TRAINING, arguments=["compare", "a.npz", "b.npz", "--resamples=20", *arguments])
    done = run("-c", code, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_without_jax(tmp_path: Path) -> None:
    printed = blocked(tmp_path)
    assert "consistent with linear equivalence" in printed
    assert printed.splitlines()[-1] == "[]"


def test_reports_without_jax(tmp_path: Path) -> None:
    reports = [f"--report=r.{ending}" for ending in ("json", "html", "png", "tex")]
    assert blocked(tmp_path, *reports).splitlines()[-1] == "['jinja2', 'matplotlib']"
    assert {path.suffix for path in tmp_path.glob("r.*")} == {".json", ".html", ".png", ".tex"}


def test_a_command_that_trains_says_what_is_missing(tmp_path: Path) -> None:
    done = run("-c", BLOCKED.format(names=TRAINING, arguments=["run", "nothing"]), cwd=tmp_path)
    assert done.returncode == 2
    assert "run needs " in done.stderr
    assert "which is not installed: pip install 'linear-identifiability[empirical]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_blocker_blocks(tmp_path: Path) -> None:
    code = BLOCKED.format(names=("numpy",), arguments=["compare", "a.npz", "b.npz"])
    done = run("-c", code, cwd=tmp_path)
    assert "numpy is blocked" in done.stderr
