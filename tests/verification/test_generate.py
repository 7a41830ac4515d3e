"""Generating: what is counted, what is shrunk, and that the instances depend on the seed and on nothing else."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import seed as seeded
from hypothesis import strategies as st

from tests.verification.made_up import FALSE, REFUTED, TINY, TRUE, half_of_its_bound, not_a_number
from theory.catalogue import catalogue, find
from theory.evidence import Evidence
from theory.records import fingerprint, record
from theory.sizes import Size
from theory.theorem import PredicateError, Scope, Theorem
from theory.verdict import Status
from verification.generate import Tally, exhaust, generate, quiet_settings
from verification.profiles import Profile

FEW = Profile("few", instances=24, max_dim=3, seed=0)


def drawn(theorem: Theorem[Any], seed: int = 0) -> str:
    """The fingerprint of every instance that is generated for a theorem, in order."""
    seen: list[Any] = []

    def bites(instance: Any) -> bool:
        seen.append(record(instance))
        return True

    generate(replace(theorem, nontrivial=bites), FEW.shares(theorem), seed, shrink=False)
    assert len(seen) >= 20
    return fingerprint(seen)


def load(path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Load a file as a module that stays loaded until the end of the test."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)


@pytest.mark.parametrize("name", list(catalogue()))
def test_instances_depend_on_the_seed_only(name: str) -> None:
    first = drawn(find(name))
    random.seed(5)
    assert drawn(find(name)) == first
    assert drawn(find(name), seed=1) != first


def test_instances_do_not_depend_on_loaded_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hypothesis offers the constants of local modules as integers; ours are out of their range.

    The control shows that it did find these constants: where integers are not bounded, some are drawn.  (It looks
    at modules of at most 1024 constants.)
    """
    before = {name: drawn(theorem) for name, theorem in catalogue().items()}
    odd = [12345, 99999, -777, *range(-120, 121), *range(10_000_000, 10_000_700)]
    (tmp_path / "odd_constants.py").write_text(f"ODD = {odd}\n", encoding="utf-8")
    load(tmp_path / "odd_constants.py", "odd_constants", monkeypatch)
    integers: list[int] = []

    @seeded(0)
    @quiet_settings(500)
    @given(st.integers())
    def control(value: int) -> None:
        integers.append(value)

    control()
    assert set(integers) & set(range(10_000_000, 10_000_700)), "the constants were not even looked at"
    assert {name: drawn(theorem) for name, theorem in catalogue().items()} == before


# Counting ---------------------------------------------------------------------------------------------------------


def test_a_true_theorem_is_counted() -> None:
    tally = generate(TRUE, TINY.shares(TRUE), seed=0, shrink=True)
    assert tally.statuses == Counter({Status.HOLDS: tally.looked_at})
    assert tally.reached == tally.looked_at == tally.constructions.total()
    assert set(tally.constructions) == {c.name for c in TRUE.constructions if c.violates is None}
    assert tally.refutation is None
    assert tally.ratios == []
    assert 10 < len(tally.different) <= tally.looked_at


def test_a_refutation_stops_the_run_and_is_shrunk() -> None:
    tally = generate(FALSE, TINY.shares(FALSE), seed=0, shrink=True)
    assert tally.refutation is not None
    size, pair, verdict = tally.refutation
    assert size == Size(1, 2, 1)
    assert (pair.dim, pair.labels, pair.contexts) == (1, 2, 1)
    assert verdict.status is Status.REFUTED
    entries = [
        entry for model in (pair.prime, pair.star) for row in (model.f.tolist() + model.g.tolist()) for entry in row
    ]
    assert sum(map(abs, entries)) <= 5, "shrunk"
    assert tally.statuses[Status.REFUTED] == 1, "shrinking is not counted"


@pytest.mark.parametrize("seed", range(5))
def test_every_seed_shrinks_to_the_same(seed: int) -> None:
    expected = generate(FALSE, TINY.shares(FALSE), seed=99, shrink=True).refutation
    found = generate(FALSE, TINY.shares(FALSE), seed=seed, shrink=True).refutation
    assert found is not None
    assert expected is not None
    assert fingerprint(record(found[1])) == fingerprint(record(expected[1]))


def test_expected_refutations_are_counted() -> None:
    tally = generate(REFUTED, TINY.shares(REFUTED), seed=0, shrink=False)
    assert tally.statuses[Status.REFUTED] > 5
    assert tally.looked_at > 30
    assert tally.refutation is not None
    assert tally.refutation[0] == Size(1, 2, 1), "the first, at the smallest size"


def test_sizes_without_instances_are_passed_over() -> None:
    tally = generate(TRUE, [(Size(1, 2, 1), 0), (Size(2, 3, 2), 5)], seed=0, shrink=True)
    assert 0 < tally.looked_at <= 5


def test_a_ladder_that_no_construction_climbs_is_an_error() -> None:
    with pytest.raises(ValueError, match="made_up: no construction fits M = 2, K = 2, n = 1, which is on its ladder"):
        generate(TRUE, [(Size(2, 2, 1), 5)], seed=0, shrink=True)


def test_predicates_that_fail_are_errors() -> None:
    """Not refutations: a broken predicate says nothing about the theorem."""

    def broken(_: Any) -> Evidence:
        raise ZeroDivisionError("in the predicate")

    with pytest.raises(PredicateError, match="made_up: conclusion raised ZeroDivisionError: in the predicate"):
        generate(replace(TRUE, conclusion=broken), TINY.shares(TRUE), seed=0, shrink=True)


def test_ratios_are_error_over_bound() -> None:
    """As the legend of the table says: 0.5e-9 of the 1e-9 that are accepted is one half."""
    inexact = replace(TRUE, conclusion=half_of_its_bound, closed_form=None)
    tally = generate(inexact, TINY.shares(inexact), seed=0, shrink=True)
    assert tally.ratios == [pytest.approx(0.5)] * tally.looked_at


@pytest.mark.parametrize("conclusions", [(not_a_number, half_of_its_bound), (half_of_its_bound, not_a_number)])
def test_ratios_do_not_depend_on_the_order(conclusions: tuple[Callable[[Any], Evidence], ...]) -> None:
    """One conclusion that is not a number neither hides the others nor takes their place."""
    turns = iter(range(1000))
    mixed = replace(TRUE, conclusion=lambda pair: conclusions[min(next(turns), 1)](pair), closed_form=None)
    tally = generate(mixed, [(Size(1, 2, 1), 10)], seed=0, shrink=True)
    assert tally.statuses[Status.UNDECIDED] in (1, tally.looked_at - 1)
    assert tally.ratios == [pytest.approx(0.5)] * tally.statuses[Status.HOLDS]


# Exhaustive scopes ------------------------------------------------------------------------------------------------


def test_no_scope() -> None:
    assert exhaust(TRUE) is None


def test_every_instance_of_the_scope_is_looked_at() -> None:
    far = find("linear_identifiability").worked[0].build()
    scoped: Callable[[], Any] = lambda: iter([TRUE.witness(), far, TRUE.witness()])  # noqa: E731
    tally = exhaust(replace(FALSE, scope=Scope("three", scoped)))
    assert tally is not None
    assert tally.statuses == Counter({Status.REFUTED: 2, Status.VACUOUS: 1})
    assert tally.refutation is not None
    assert tally.refutation[0] is None


@pytest.mark.parametrize("yielded", [None, 3, "instance"])
def test_a_scope_of_something_else(yielded: Any) -> None:
    """None does not end it."""
    scope = Scope("three", lambda: iter([TRUE.witness(), yielded, TRUE.witness()]))
    with pytest.raises(PredicateError, match=f"exhaustive scope yielded .*{yielded!r}; it must yield a ModelPair"):
        exhaust(replace(TRUE, scope=scope))


def test_instances_of_one_hash_are_different() -> None:
    """hash(-1) == hash(-2), and a list has none."""
    tally = Tally()
    for instance in (-1, -2, -1, [1], [1], [2]):
        tally.drew("made up", instance)
    assert len(tally.different) == 4
    assert tally.constructions == {"made up": 6}


def test_the_size_of_a_refutation_is_its_own() -> None:
    """Also where a construction builds another size than it is asked for."""

    def larger(source: Any, _: Size) -> Any:
        return FALSE.constructions[0].build(source, Size(2, 3, 2))

    ignoring = replace(FALSE, constructions=(replace(FALSE.constructions[0], build=larger),))
    found = generate(ignoring, [(Size(1, 2, 1), 40)], seed=0, shrink=True).refutation
    assert found is not None
    assert found[0] == Size(2, 3, 2)
