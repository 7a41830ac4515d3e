"""A replay runs without the software that found the counterexample: it is really not there, not just unused."""

from __future__ import annotations

import math
import sys
from typing import Any

import flint
import hypothesis
import pytest

from tests.verification.running import run
from theory.catalogue import catalogue
from verification.certificates import STORED, load
from verification.independence import Blocked, block
from verification.replay import replay

BLOCKED = """
import sys
from verification.independence import block

block("flint", "hypothesis")

for name in ("flint", "flint.types.fmpq", "hypothesis", "hypothesis.strategies"):
    try:
        __import__(name)
    except ModuleNotFoundError as error:
        print(name, "->", error)
    else:
        raise SystemExit(f"{name} could be imported")

from theory.arithmetic import matrix_type
from theory.arithmetic.symbolic import kernel
from theory.catalogue import catalogue
from verification.certificates import STORED, load
from verification.replay import replay

one_of_each = {certificate.theorem: certificate for certificate in map(load, sorted(STORED.glob("*.json")))}
assert one_of_each.keys() == catalogue().keys()


def replayed(names):
    return [problem for name in names for problem in replay(one_of_each[name], catalogue()).problems]


def loaded():
    heavy = {"flint", "hypothesis", "numpy", "pytest", "scipy"}
    return sorted({name.partition(".")[0] for name in sys.modules} & heavy)


print("problems:", replayed(one_of_each.keys() - {"logit_distance_bound", "stability"}), "loaded:", loaded())
print("problems:", replayed(["logit_distance_bound", "stability"]), "loaded besides:", set(loaded()) - {"numpy"})

try:
    matrix_type("flint")
except ModuleNotFoundError as error:
    print("exact ->", error)

from sympy.external.gmpy import GROUND_TYPES
print("ground types:", GROUND_TYPES, "|", kernel().partition(" on ")[2])
"""

EXPECTED = """\
flint -> flint is blocked: a replay must not need it
flint.types.fmpq -> flint is blocked: a replay must not need it
hypothesis -> hypothesis is blocked: a replay must not need it
hypothesis.strategies -> hypothesis is blocked: a replay must not need it
problems: [] loaded: []
problems: [] loaded besides: set()
exact -> flint is blocked: a replay must not need it
ground types: python | python integers
"""


def test_replay_with_flint_and_hypothesis_blocked() -> None:
    """One certificate of each theorem.  Bounds load NumPy for the share of the bound, of which no decision is made."""
    done = run("-c", BLOCKED, env={"SYMPY_GROUND_TYPES": "flint"})
    assert done.returncode == 0, done.stderr
    assert done.stdout == EXPECTED


def test_shares_of_a_bound_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are floats from another library: whatever they say, each certificate about a bound replays all the same."""
    asked: list[float] = []

    def share(*_: Any) -> float:
        asked.append(math.nan)
        return math.nan

    monkeypatch.setattr("theory.decide._largest_share", share)
    for path in [*STORED.glob("logit_distance_bound--*.json"), *STORED.glob("stability--*.json")]:
        certificate = load(path)
        monkeypatch.setattr("verification.replay.digest", lambda theorem, known=certificate.digest: known)
        assert replay(certificate, catalogue()).problems == ()
    assert asked


def test_blocking_too_late_is_an_error() -> None:
    assert flint.__name__ in sys.modules
    assert hypothesis.__name__ in sys.modules
    finders = list(sys.meta_path)
    with pytest.raises(RuntimeError, match="flint, hypothesis already loaded: block modules before importing"):
        block("flint", "json5_is_not_here", "hypothesis")
    assert sys.meta_path == finders, "nothing is blocked by half"


def test_only_what_is_named_is_blocked() -> None:
    finder = Blocked(["flint"])
    assert finder.find_spec("flintlock") is None
    assert finder.find_spec("json") is None
    assert finder.find_spec("other.flint") is None
    with pytest.raises(ModuleNotFoundError, match=r"flint\.types is blocked"):
        finder.find_spec("flint.types")
