"""The five examples of the documentation: each says what it should, from a folder outside the repository."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from tests.conjectures.files import EXAMPLES
from tests.verification.running import run
from theory.checking import check
from theory.loading import load_file
from theory.records import in_floats, restore
from theory.verdict import Status

#: What refute prints and returns, and what pytest returns: true, false, false from M = 3 on, about nothing, floats.
EXPECTED = {
    "linear_image": (
        0,
        [
            "not falsified on 1,000 instances (1,000 different): the conclusion holds on the 1,000 that meet the "
            "assumptions (100%)",
            "  seed 0; 46 sizes: M 1 to 4, K 2 to 6, n 1 to 6",
            "  exhaustive: holds on all 11,084 of 41,668 instances that meet the assumptions: every pair of models",
            "  this is evidence on these instances, not a proof",
            "  left_invertible: needed, a counterexample without it at M = 1, K = 2, n = 1: ",
            "  linear: refuted, it fails on ",
            "  none of these classes relates them on all of these instances",
            "nearest theorem of the catalogue: linear_identifiability (shares common_pairs, ",
        ],
        0,
    ),
    "up_to_rotation": (
        1,
        [
            "refuted by a counterexample at M = 1, K = 2, n = 1, the smallest size at which one was found:",
            "  conclusion: fails (largest difference of inner products = ",
            "certificate: up_to_rotation--refuted.json",
        ],
        1,
    ),
    "no_three_on_a_line": (
        1,
        [
            "refuted by a counterexample at M = 3, K = 4, n = 1, the smallest size at which one was found:",
            "  no_three_on_a_line: holds (pairs and triples on a line = 0, exactly; labels = ())",
            "  conclusion: fails (directions not determined = 1, exactly; relation = [[1]])",
            "certificate: no_three_on_a_line--refuted.json",
        ],
        1,
    ),
    "few_and_diverse": (
        3,
        [
            "no witness: nothing shows that the assumptions can hold together, so nothing was tested",
            "  none of 1,000 instances meets them all",
            "  few_labels fails first on 1,000 of them",
            "    few_labels: fails (labels beyond M = 1, exactly)",
        ],
        1,
    ),
    "norm_bound": (
        0,
        [
            "not falsified on 1,000 instances (1,000 different)",
            "  undecided in floating point on 0: neither for nor against",
            "  no exhaustive scope is declared (see `scope`)",
            "  common_pairs: needed, a counterexample without it at M = 1, K = 3, n = 2: norm_bound--",
        ],
        0,
    ),
}
#: The smallest size at which there is a counterexample, as (M, K, n): K > M is assumed where labels are not on a line.
SMALLEST = {"up_to_rotation": (1, 2, 1), "no_three_on_a_line": (3, 4, 1)}


@dataclass(frozen=True)
class Refuted:
    """One run of refute on a copy of an example in a folder of its own."""

    folder: Path
    file: str
    done: CompletedProcess[str]

    def certificate(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def refuted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Refuted]:
    """Run refute once for each example, when it is asked for."""
    runs: dict[str, Refuted] = {}

    def of(name: str) -> Refuted:
        if name not in runs:
            folder = tmp_path_factory.mktemp(name)
            shutil.copy(EXAMPLES / f"{name}.py", folder)
            runs[name] = Refuted(folder, f"{name}.py", run("-m", "verification", "refute", f"{name}.py", cwd=folder))
        return runs[name]

    return of


def test_each_example_is_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_refute(name: str, refuted: Callable[[str], Refuted]) -> None:
    code, lines, _ = EXPECTED[name]
    done = refuted(name).done
    assert done.returncode == code, done.stdout + done.stderr
    assert done.stderr == ""
    printed = done.stdout.splitlines()
    for line in lines:
        assert any(found.startswith(line) for found in printed), f"{line!r} is not in\n{done.stdout}"


@pytest.mark.parametrize("name", EXPECTED)
def test_certificates_are_all_that_is_written(name: str, refuted: Callable[[str], Refuted]) -> None:
    left = [path.name for path in refuted(name).folder.iterdir()]
    assert [other for other in left if not (other.startswith(f"{name}--") and other.endswith(".json"))] == [
        f"{name}.py"
    ]


@pytest.mark.parametrize("name", EXPECTED)
def test_nothing_is_claimed_beyond_the_instances(name: str, refuted: Callable[[str], Refuted]) -> None:
    words = refuted(name).done.stdout.lower()
    assert "verified" not in words
    assert "proved" not in words
    assert ("not a proof" in words) is (EXPECTED[name][0] == 0)


@pytest.mark.parametrize("name", SMALLEST)
def test_the_counterexample_is_of_the_smallest_size(name: str, refuted: Callable[[str], Refuted]) -> None:
    result = refuted(name)
    theorem = load_file(result.folder / result.file)
    instance = restore(theorem.instance_type, result.certificate(f"{name}--refuted.json")["instance"])
    assert (instance.dim, instance.labels, instance.contexts) == SMALLEST[name]
    assert check(theorem, instance).status is Status.REFUTED


@pytest.mark.parametrize("name", SMALLEST)
def test_the_pasted_instance_is_the_instance(name: str, refuted: Callable[[str], Refuted]) -> None:
    result = refuted(name)
    printed = result.done.stdout
    block = printed.partition("at which one was found:\n\n")[2].partition("\n\n  no_bias")[0]
    pasted: dict[str, Any] = {}
    exec("\n".join(line.removeprefix("    ") for line in block.splitlines()), pasted)
    theorem = load_file(result.folder / result.file)
    assert pasted["instance"] == restore(theorem.instance_type, result.certificate(f"{name}--refuted.json")["instance"])


@pytest.mark.parametrize("name", [name for name in EXPECTED if name != "few_and_diverse"])
def test_certificates_replay(name: str, refuted: Callable[[str], Refuted]) -> None:
    result = refuted(name)
    written = sorted(path.name for path in result.folder.glob(f"{name}--*.json"))
    assert len(written) == {"linear_image": 5, "norm_bound": 4}.get(name, 1)
    done = run("-m", "verification", "replay", *written, "--theorems", result.file, cwd=result.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(written)} accepted, 0 rejected, 0 refused" in done.stdout
    floats = [in_floats(result.certificate(path)["instance"]) for path in written]
    assert done.stdout.count("(in floating point)") == sum(floats)
    assert all(floats) is (name == "norm_bound")


def test_a_certificate_needs_its_theorem(refuted: Callable[[str], Refuted]) -> None:
    result = refuted("up_to_rotation")
    done = run("-m", "verification", "replay", "up_to_rotation--refuted.json", cwd=result.folder)
    assert done.returncode == 1
    assert "unknown theorem 'up_to_rotation'" in done.stdout


@pytest.mark.parametrize("name", EXPECTED)
def test_pytest(name: str, tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / f"{name}.py", tmp_path)
    arguments = ("--pyargs", "verification", "--theorems", f"{name}.py", "-q", "-p", "no:cacheprovider")
    done = run("-m", "pytest", *arguments, cwd=tmp_path)
    assert done.returncode == EXPECTED[name][2], done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert f"\n{name} " in done.stdout
    assert not list(tmp_path.glob("*.json")), "certificates are written when asked for only"


def test_pytest_in_the_clone() -> None:
    """With this repository's own settings, under which a warning is an error."""
    done = run("-m", "pytest", "verification", "--theorems", "docs/examples/norm_bound.py", "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 of 1 standings confirmed" in done.stdout
