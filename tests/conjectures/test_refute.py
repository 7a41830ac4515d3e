"""What ``python -m verification refute`` says of conjectures of every kind, run in this process."""

from __future__ import annotations

import errno
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conjectures.files import EXAMPLES, SCOPE, variant, with_function
from tests.verification.running import ROOT, run
from verification.__main__ import main

Said = pytest.CaptureFixture[str]


def refute(path: Path, capsys: Said, *options: str) -> tuple[int, str, str]:
    """The exit code, and what was printed to both streams."""
    code = main(["refute", str(path), "--instances", "120", *options])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_an_unused_assumption_is_named(tmp_path: Path, capsys: Said) -> None:
    """The conclusion needs L' only, and L* is assumed invertible as well."""
    changes = [
        ("left_invertible, no_bias, pairs_seen", "left_invertible, no_bias, pairs_seen, right_invertible"),
        ("common_pairs, left_invertible)", "common_pairs, left_invertible, right_invertible)"),
        ('Construction("L* singular", pairs.solved_with_singular_right, fits=pairs.diverse),', ""),
    ]
    code, out, _ = refute(variant(tmp_path, *changes), capsys)
    assert code == 0
    assert "\n  right_invertible: no counterexample without it was found\n  perhaps unused: right_invertible\n" in out
    assert "\n  linear: not falsified, it holds on 200\n" in out
    assert "\n  orthogonal: refuted, it fails on " in out
    assert "if it claims less, perhaps strengthen it to: linear (evidence on these instances only)" in out
    assert not (tmp_path / "mine--without-right_invertible.json").exists()
    assert (tmp_path / "mine--without-left_invertible.json").exists()


def test_stronger_conclusions_that_a_theorem_lists(tmp_path: Path, capsys: Said) -> None:
    """Those are searched for and certified, in place of all classes."""
    listed = with_function(
        """
from theory.theorem import Stronger


def always(pair: ModelPair) -> Evidence:
    return decide.count_is_zero(0, "nothing")


def square(pair: ModelPair) -> Evidence:
    return decide.invertible_linear_map(pair.star.f, pair.prime.f)
"""
    )
    stronger = 'stronger=(Stronger("square", "A is invertible", square), Stronger("free", "nothing", always)),'
    code, out, _ = refute(variant(tmp_path, listed, ("    witness=", f"    {stronger}\n    witness=")), capsys)
    assert code == 0
    assert "can the conclusion be stronger?  the stronger conclusions that it lists, on " in out
    assert "\n  square: refuted, a counterexample to it at M = 1, K = 2, n = 1: mine--not-square.json\n" in out
    assert "\n  free: not falsified, it holds on 200\n  perhaps strengthen the conclusion to: free (evidence" in out
    assert json.loads((tmp_path / "mine--not-square.json").read_text())["claim"] == "square"
    assert "affine" not in out


def test_a_theorem_that_shares_nothing(tmp_path: Path, capsys: Said) -> None:
    changes = [
        ("assumptions=(no_bias, equal_distributions, pairs_seen, common_pairs, left_invertible)", "assumptions=()"),
        ("return decide.linear_map(pair.star.f, pair.prime.f)", 'return decide.count_is_zero(0, "nothing")'),
    ]
    code, out, _ = refute(variant(tmp_path, *changes), capsys)
    assert code == 0
    assert "no theorem of the catalogue shares an assumption with it" in out
    assert "the conclusion holds on the 120 that meet the assumptions (100%)" in out


def test_a_standing_is_not_believed(tmp_path: Path, capsys: Said) -> None:
    code, out, _ = refute(variant(tmp_path, ("Standing.CONJECTURE", "Standing.ESTABLISHED")), capsys)
    assert code == 0
    assert "(its standing is declared as established; here it was examined as a conjecture)" in out


def test_a_starved_theorem(tmp_path: Path, capsys: Said) -> None:
    """Two thirds of the instances do not meet the assumptions, and which one they miss is said."""
    changes = [
        ("common_pairs, left_invertible)", "common_pairs, left_invertible, right_invertible)"),
        ("left_invertible, no_bias,", "left_invertible, right_invertible, no_bias,"),
        ("pairs.transformed,", "pairs.solved_with_singular_right,"),
    ]
    code, out, _ = refute(variant(tmp_path, *changes), capsys)
    assert code == 3
    assert "starved: the conclusion was decided on only " in out
    assert "\n  right_invertible fails first on " in out
    assert "build instances that meet the assumptions (see `constructions`) instead of hoping for them" in out
    assert not list(tmp_path.glob("*.json"))


def test_a_witness_that_is_none_although_there_are_some(tmp_path: Path, capsys: Said) -> None:
    bad = with_function(
        """
from theory import Model, full_candidate_sets


def singular() -> ModelPair:
    model = Model.of(f=[[1]], g=[[0], [0]])
    return ModelPair(model, model, full_candidate_sets(1, 2), (((1, 0),),))
"""
    )
    code, out, _ = refute(variant(tmp_path, bad, ("witness=witness", "witness=singular")), capsys)
    assert code == 3
    assert "no witness: the instance that the theorem gives as its witness is none" in out
    assert "120 of 120 other instances meet the assumptions: take one of those" in out
    assert "    left_invertible: fails (missing dimensions = 1, exactly; " in out


FAR = """
from theory import Model, full_candidate_sets


def far_away() -> ModelPair:
    prime, star = Model.of(f=[[2000]], g=[[0], [1]]), Model.of(f=[[1]], g=[[0], [2000]])
    return ModelPair(prime, star, full_candidate_sets(1, 2), (((1, 0),),))


def not_far_away(pair: ModelPair) -> Evidence:
    largest = max(abs(entry) for row in pair.prime.f.tolist() for entry in row)
    return decide.count_is_zero(int(largest == 2000), "an entry is 2000")


def one_instance():
    yield far_away()
"""
NOT_FAR = ("conclusion=conclusion", "conclusion=not_far_away")


def test_a_witness_that_is_a_counterexample(tmp_path: Path, capsys: Said) -> None:
    """No search finds it."""
    changes = [with_function(FAR), NOT_FAR, ("witness=witness", "witness=far_away")]
    code, out, _ = refute(variant(tmp_path, *changes), capsys)
    assert code == 1
    assert "refuted by a counterexample at M = 1, K = 2, n = 1" in out
    assert "Model.of(f=[[2000]]" in out
    assert (tmp_path / "mine--refuted.json").exists()


def test_a_counterexample_in_the_exhaustive_scope(tmp_path: Path, capsys: Said) -> None:
    """No search finds it, and the witness is another."""
    scope = ("    witness=", '    scope=Scope("one instance", one_instance),\n    witness=')
    changes = [with_function(FAR + "\n\nfrom theory import Scope\n"), NOT_FAR, scope]
    code, out, _ = refute(variant(tmp_path, *changes), capsys)
    assert code == 1
    assert "refuted by a counterexample at M = 1, K = 2, n = 1" in out
    assert "Model.of(f=[[2000]]" in out


def test_nondefault_options(tmp_path: Path, capsys: Said) -> None:
    path, folder = variant(tmp_path), tmp_path / "more" / "certificates"
    code, out, _ = refute(path, capsys, "--seed", "7", "--certificates", str(folder))
    assert code == 0
    assert "not falsified on 120 instances" in out
    assert "  seed 7; " in out
    assert f"\n5 certificates written to {folder}{os.sep}\n" in out
    assert len(list(folder.iterdir())) == 5
    assert not list(tmp_path.glob("*.json"))
    assert json.loads((folder / "mine--without-no_bias.json").read_text())["seed"] == 7


def test_the_same_run_says_the_same(tmp_path: Path, capsys: Said) -> None:
    path = variant(tmp_path)
    first, again = refute(path, capsys), refute(path, capsys)
    assert first == again


def test_certificates_of_an_earlier_wording(tmp_path: Path, capsys: Said) -> None:
    """A conjecture is refuted, then changed: the old certificate is no longer about it, and this is said."""
    code, _, _ = refute(variant(tmp_path, ("decide.linear_map", "decide.invertible_linear_map")), capsys)
    assert code == 1
    path = variant(tmp_path)
    code, out, _ = refute(path, capsys)
    old = tmp_path / "mine--refuted.json"
    assert code == 0
    assert f"\nnote: {old} is about an earlier wording: delete it\n" in out
    arguments = ("--theorems", str(path), "-q", "-p", "no:cacheprovider")
    done = run("-m", "pytest", "--pyargs", "verification", *arguments, cwd=tmp_path)
    assert done.returncode == 1
    assert "mine--refuted.json: it refutes an earlier wording of mine, not this one: delete it" in done.stdout
    old.unlink()
    assert "note: " not in refute(path, capsys)[1]
    done = run("-m", "pytest", "--pyargs", "verification", *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_needed_assumptions_with_certificates_under_pytest(tmp_path: Path) -> None:
    """--certify searches with the constructions of the whole catalogue where the file has none that break it."""
    needs = 'needs=("no_bias", "left_invertible"),'
    variant(tmp_path, ("    witness=", f"    {needs}\n    witness="))
    arguments = ("-m", "pytest", "--pyargs", "verification", "--theorems", "mine.py", "-q", "-p", "no:cacheprovider")
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 1
    assert (
        "no fresh certificate shows that 'no_bias' is needed; search with --certify (certificates are in "
        in done.stdout
    )
    done = run(*arguments, "--certify", "--certificates", "certificates", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    done = run(*arguments, "--certificates", "certificates", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "\n  without left_invertible " in done.stdout
    assert sorted(path.name for path in (tmp_path / "certificates").iterdir()) == [
        "mine--without-left_invertible.json",
        "mine--without-no_bias.json",
    ]


def test_a_disk_that_fills_while_the_certificate_is_written(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counterexample is shown all the same, the older certificate stays, and no half of one is left."""
    old = tmp_path / "mine--refuted.json"
    old.write_text("old")

    def full(_source: object, _target: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    path = variant(tmp_path, ("decide.linear_map", "decide.invertible_linear_map"))
    code, out, err = refute(path, capsys)
    assert code == 2
    assert "refuted by a counterexample at M = 1, K = 2, n = 1" in out
    assert err == f"error: the certificate could not be written to {tmp_path}: No space left on device\n"
    assert old.read_text() == "old"
    assert sorted(found.name for found in tmp_path.iterdir()) == ["mine--refuted.json", "mine.py"]


def test_warnings_are_shown_once(tmp_path: Path) -> None:
    noisy = ("    return decide.linear_map", "    warnings.warn('odd', stacklevel=1)\n    return decide.linear_map")
    variant(tmp_path, noisy, ("from theory import", "import warnings\n\nfrom theory import"))
    done = run("-m", "verification", "refute", "mine.py", "--instances", "60", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.count("UserWarning: odd") == 1


@pytest.mark.parametrize("attempt", range(3))
def test_interrupted(attempt: int, tmp_path: Path) -> None:
    """Ctrl-C gives one line and exit code 130, also in the middle of a garbage collection, as often happens."""
    variant(tmp_path, ("    return decide.linear", "    open('started', 'w').close()\n    return decide.linear"))
    with subprocess.Popen(
        [sys.executable, "-m", "verification", "refute", "mine.py", "--instances", "100000"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        while not (tmp_path / "started").exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, "", "interrupted\n")


def test_a_reader_that_has_seen_enough(tmp_path: Path) -> None:
    """As with ``| head -1``: no traceback, and the exit code is still that of the result."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "verification", "refute", str(EXAMPLES / "up_to_rotation.py"), "--certificates", "."],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (1, "")
    assert [path.name for path in tmp_path.iterdir()] == ["up_to_rotation--refuted.json"]


def test_variants_are_of_the_example() -> None:
    assert SCOPE in (EXAMPLES / "linear_image.py").read_text(encoding="utf-8")


def test_what_an_interruption_broke_is_not_blamed(tmp_path: Path) -> None:
    """Code that is interrupted may fail with an error of its own, which then hides the interruption."""
    breaks = (
        "    try:\n        signal.raise_signal(signal.SIGINT)\n    finally:\n        raise AssertionError\n"
        "    return decide.linear"
    )
    variant(
        tmp_path, ("    return decide.linear", breaks), ("from theory import", "import signal\n\nfrom theory import")
    )
    done = run("-m", "verification", "refute", "mine.py", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_a_path_with_a_space(tmp_path: Path, capsys: Said) -> None:
    """The line to copy is one that a shell takes."""
    folder = tmp_path / "my folder"
    folder.mkdir()
    code, out, _ = refute(variant(folder, ("decide.linear_map", "decide.invertible_linear_map")), capsys)
    assert code == 1
    shown = next(line for line in out.splitlines() if line.startswith("re-check with: python "))
    arguments = shlex.split(shown.removeprefix("re-check with: python "))
    assert arguments[-1] == str(folder / "mine.py")
    assert run(*arguments).returncode == 0
