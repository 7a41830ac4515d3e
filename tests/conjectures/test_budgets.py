"""What never ends is stopped and named: in a search, in a count, under pytest, wherever it is."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.conjectures.files import SCOPE, variant, with_function
from tests.verification.running import run
from theory.strategies.source import RandomSource
from theory.theorem import PredicateError
from verification import budget
from verification.__main__ import main
from verification.budget import OutOfTime, bounded, limit, witness_of

FOREVER = "while True:\n        pass\n"


def looping(function: str, scope: str = "") -> list[tuple[str, str]]:
    """The changes that put a function into the example, and a scope."""
    changes = [with_function(function)]
    return [*changes, ("    witness=", f"    {scope}\n    witness=")] if scope else changes


#: What loops, how it is changed, and what the message names.
CASES = {
    "conclusion": (
        [("    return decide.linear_map", f"    {FOREVER}    return decide.linear_map")],
        "mine: a predicate, on one instance, took longer than the 0.5 s it is allowed (mine.py, line 15): does it end?",
    ),
    "conclusion from M = 3 on": (
        [("    return decide.linear_map", "    while pair.dim > 2:\n        pass\n    return decide.linear_map")],
        "mine: a predicate, on one instance, took longer than the 0.5 s it is allowed (mine.py, line 15): does it end?",
    ),
    "construction": (
        [with_function(f"def slow(source, size):\n    {FOREVER}"), ("pairs.transformed,", "slow,")],
        "mine: the construction 'transformed by every symmetry', at M = 1, K = 2, n = 1, took longer than the 0.5 s it "
        "is allowed (mine.py, line ",
    ),
    "witness": (
        [with_function(f"def slow():\n    {FOREVER}"), ("witness=witness", "witness=slow")],
        "mine: its witness took longer than the 0.5 s it is allowed (mine.py, line ",
    ),
    "file": (
        [("THEOREM = ", "while True:\n    pass\nTHEOREM = ")],
        "mine.py: loading it took longer than the 0.5 s it is allowed (mine.py, line ",
    ),
    "scope that never begins": (
        looping(f"from theory import Scope\n\n\ndef slow():\n    {FOREVER}", 'scope=Scope("all", slow),'),
        "mine: its exhaustive scope",
    ),
    "fits": (
        [
            with_function(f"def slow(size):\n    {FOREVER}"),
            ("pairs.transformed, fits=pairs.diverse", "pairs.transformed, fits=slow"),
        ],
        "mine: `fits` of its constructions",
    ),
    "scope that says nothing": (
        looping(f"from theory import Scope\n\n\ndef slow():\n    {FOREVER}    yield", 'scope=Scope("all", slow),'),
        "mine: its exhaustive scope",
    ),
}


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "BUDGET", 0.5)
    monkeypatch.setattr(budget, "SCOPE_BUDGET", 1.0)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("case", CASES)
def test_refute(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    changes, message = CASES[case]
    variant(tmp_path, *changes)
    monkeypatch.chdir(tmp_path)
    assert main(["refute", "mine.py", "--instances", "200"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"error: {message}")
    assert said.err.endswith(": does it end?\n")
    assert said.err.count("\n") == 1


#: Two seconds, since the first instance in a process of its own waits for Hypothesis.
PLUGIN = "import verification.budget\n\nverification.budget.BUDGET = 2.0\nverification.budget.SCOPE_BUDGET = 2.0\n"


@pytest.mark.parametrize("case", [case for case in CASES if "from M" not in case])
def test_pytest(case: str, tmp_path: Path) -> None:
    """One message, and not what it came from."""
    changes, message = CASES[case]
    variant(tmp_path, *changes)
    (tmp_path / "short.py").write_text(PLUGIN)
    arguments = ("-p", "short", "--pyargs", "verification", "--theorems", "mine.py", "-q", "-p", "no:cacheprovider")
    done = run("-m", "pytest", *arguments, cwd=tmp_path, path=tmp_path)
    output = done.stdout + done.stderr
    assert done.returncode == (4 if case == "file" else 1), output
    assert output.count("does it end?") >= 1  # in CI the summary repeats it in full
    assert message.split(", at M")[0].replace("0.5 s", "2 s") in output
    assert "Traceback" not in output
    assert "During handling" not in output


def test_spectra_under_pytest(tmp_path: Path) -> None:
    """Floating-point instances are built under pytest only."""
    variant(tmp_path, *looping(f"def slow(source, size, decade):\n    {FOREVER}", "spectra=slow,"))
    (tmp_path / "short.py").write_text(PLUGIN)
    arguments = ("-p", "short", "--pyargs", "verification", "--theorems", "mine.py", "-q", "-p", "no:cacheprovider")
    done = run("-m", "pytest", *arguments, cwd=tmp_path, path=tmp_path)
    assert done.returncode == 1
    assert "mine: its spectra took longer than the 2 s it is allowed (mine.py, line " in done.stdout


@pytest.mark.usefixtures("short")
def test_a_witness_of_evidence_without_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The counterexample was found, so it is shown; it has no certificate, as none could be computed again."""
    endless = with_function(
        f"""
from dataclasses import replace


def slow():
    {FOREVER}

def endless(pair: ModelPair) -> Evidence:
    return replace(decide.invertible_linear_map(pair.star.f, pair.prime.f), find_witness=slow)
"""
    )
    path = variant(tmp_path, endless, ("conclusion=conclusion", "conclusion=endless"))
    assert main(["refute", str(path), "--instances", "100"]) == 2
    said = capsys.readouterr()
    assert "refuted by a counterexample at M = 1, K = 2, n = 1" in said.out
    assert "Model.of(f=[[0]]" in said.out
    assert "  conclusion: fails (not shown in full: mine: the witness of 'conclusion' took longer than" in said.out
    assert said.err.startswith(
        "error: no certificate was written, since no replay would accept it: mine: the witnesses"
    )
    assert not list(tmp_path.glob("*.json"))


@pytest.mark.usefixtures("short")
def test_a_scope_without_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is left after its time and not called exhaustive."""
    function = "from theory import Scope\n\n\ndef endless():\n    while True:\n        yield witness()"
    path = variant(tmp_path, *looping(function, 'scope=Scope("every pair", endless),'))
    assert main(["refute", str(path), "--instances", "100"]) == 0
    out = capsys.readouterr().out
    assert "  not exhaustive: the scope did not end within the time; " in out
    assert "  exhaustive: " not in out


def nested() -> None:
    with limit("outer", 0.3):
        while True:
            with limit("inner", 5):
                time.sleep(0.01)


def test_limits_are_nested() -> None:
    """The outer one counts on while an inner one runs, and no alarm is left over."""
    with pytest.raises(OutOfTime, match=r"^outer took longer than the 0.3 s it is allowed: does it end\?$"):
        nested()
    with limit("nothing", 0.2):
        pass
    time.sleep(0.4)


class Slow:
    """Its finaliser takes longer than what it is allowed."""

    def __del__(self) -> None:
        time.sleep(0.3)


def drops_something_slow() -> None:
    with limit("outside", 0.1):
        Slow()
        while True:
            pass


def test_out_of_time_is_not_lost_in_a_finaliser() -> None:
    """What a finaliser raises is dropped by Python, so the limit waits until it has ended."""
    with pytest.raises(OutOfTime, match="outside"):
        drops_something_slow()


def test_instances_of_another_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = variant(tmp_path, with_function("def none(source, size):\n    return None"), ("pairs.transformed,", "none,"))
    assert main(["refute", str(path)]) == 2
    assert capsys.readouterr().err == (
        "error: mine: the construction 'transformed by every symmetry' built NoneType None at M = 1, K = 2, n = 1; it "
        "must build a ModelPair\n"
    )


def test_guards_raise_for_their_callers(tmp_path: Path) -> None:
    from theory.loading import load_file

    fails = with_function("def fails(*_):\n    return 1 / 0")
    theorem = load_file(
        variant(tmp_path, fails, ("pairs.transformed,", "fails,"), ("witness=witness", "witness=fails"))
    )
    with pytest.raises(PredicateError, match=r"^mine: its witness raised ZeroDivisionError \(mine.py, line \d+\): "):
        witness_of(theorem)
    with pytest.raises(PredicateError, match=r"^the construction 'transformed .*' raised ZeroDivisionError at M = 1, "):
        bounded(theorem, theorem.constructions[-1]).instance(RandomSource(0), theorem.sizes[0])
    assert bounded(theorem, theorem.constructions[0]).instance(RandomSource(0), theorem.sizes[0]).dim == 1


def test_the_example_has_a_scope_to_leave_out() -> None:
    assert "scope=" in SCOPE
