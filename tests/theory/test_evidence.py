"""Evidence has three values, and a number that is not one must support neither side."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from theory.arithmetic import exact_matrix
from theory.calling import PredicateError
from theory.evidence import Evidence, all_of

NAN, INF = math.nan, math.inf

HOLDS = Evidence("holds", 0, "defect")
FAILS = Evidence("fails", 2, "defect")
UNDECIDED = Evidence("undecided", NAN, "defect")


@pytest.mark.parametrize(
    ("value", "accept", "reject", "holds"),
    [
        (0, 0, 0, True),
        (Fraction(0), 0, 0, True),
        (1, 0, 0, False),
        (Fraction(1, 10**40), 0, 0, False),  # exact: no defect is small enough
        (0.0, 0, 0, True),
        (1e-300, 0, 0, False),
        (1e-12, 1e-9, 1e-3, True),
        (1e-9, 1e-9, 1e-3, True),  # the accept level itself accepts
        (1e-6, 1e-9, 1e-3, None),
        (1e-3, 1e-9, 1e-3, None),  # the reject level itself does not reject
        (math.nextafter(1e-3, 1), 1e-9, 1e-3, False),
        (Fraction(1, 3), Fraction(1, 3), Fraction(1, 2), True),
        (INF, 0, 0, False),
        (INF, 1e-9, 1e-3, False),
        (INF, 1e-9, 1e300, False),
        (NAN, 0, 0, None),
        (NAN, 1e-9, 1e-3, None),
        (NAN, 1e-9, INF, None),
    ],
)
def test_three_values(value: Fraction | float, accept: float, reject: float, holds: bool | None) -> None:
    assert Evidence("e", value, "d", accept=accept, reject=reject).holds is holds


def test_exact_evidence_is_never_undecided() -> None:
    for numerator in range(-3, 4):
        evidence = Evidence("e", Fraction(abs(numerator), 3), "d")
        assert evidence.exact
        assert evidence.holds is (numerator == 0)


@pytest.mark.parametrize(
    ("evidence", "exact"),
    [
        (Evidence("e", 0, "d"), True),
        (Evidence("e", Fraction(1, 2), "d"), True),
        (Evidence("e", 0.0, "d"), False),
        (Evidence("e", 0, "d", accept=1e-9, reject=1e-9), False),
        (Evidence("e", 0, "d", reject=1), False),
        (Evidence("e", NAN, "d"), False),
    ],
)
def test_exact(evidence: Evidence, exact: bool) -> None:
    assert evidence.exact is exact


@pytest.mark.parametrize(("accept", "reject"), [(2, 1), (NAN, 1), (0, NAN), (NAN, NAN), (0, -1), (INF, 1)])
def test_levels_are_ordered(accept: float, reject: float) -> None:
    with pytest.raises(ValueError, match=r"evidence 'e': accept \(.*\) must not exceed reject \(.*\)"):
        Evidence("e", 0, "d", accept=accept, reject=reject)


@pytest.mark.parametrize(
    ("value", "accept", "reject", "margin"),
    [
        (0, 0, 0, 0.0),
        (3, 0, 0, INF),
        (0.5, 1, 4, 0.5),  # holds: compared with accept
        (2, 1, 4, 0.5),  # undecided: compared with reject
        (8, 1, 4, 2.0),  # fails: compared with reject
        (Fraction(1, 2), Fraction(2), Fraction(2), 0.25),
        (0.5, 0, 2, 0.25),
        (INF, 1, 4, INF),
    ],
)
def test_margin(value: Fraction | float, accept: float, reject: float, margin: float) -> None:
    assert Evidence("e", value, "d", accept=accept, reject=reject).margin == margin


def test_margin_of_nan_is_nan() -> None:
    assert math.isnan(Evidence("e", NAN, "d").margin)
    assert math.isnan(Evidence("e", NAN, "d", accept=1, reject=2).margin)


def test_all_of_takes_the_first_failure_then_the_first_doubt() -> None:
    for parts in product((HOLDS, FAILS, UNDECIDED), repeat=3):
        values = [part.holds for part in parts]
        expected = False if False in values else None if None in values else True
        chosen = all_of(*parts)
        assert chosen.holds is expected
        assert chosen is (parts[-1] if expected else parts[values.index(expected)])


def test_all_of_does_not_depend_on_the_order() -> None:
    assert {all_of(*order).holds for order in permutations((HOLDS, UNDECIDED, FAILS))} == {False}
    assert {all_of(*order).holds for order in permutations((HOLDS, UNDECIDED, HOLDS))} == {None}


def test_all_of_renames_only_when_asked() -> None:
    assert all_of(HOLDS, FAILS).name == "fails"
    assert all_of(HOLDS, FAILS, name="both").name == "both"
    assert all_of(HOLDS, name="one") == Evidence("one", 0, "defect")


def test_all_of_nothing_is_no_evidence() -> None:
    with pytest.raises(ValueError, match="all_of needs at least one piece of evidence"):
        all_of()


@pytest.mark.parametrize("ratio", [None, 0.0, 0.999, 1e9, INF, NAN])
def test_the_ratio_decides_nothing(ratio: float | None) -> None:
    """It reports how much of a bound was used; what was decided stands in the value."""
    for value, holds in ((0, True), (1, False)):
        evidence = Evidence("e", value, "rows beyond the bound", ratio=ratio)
        assert evidence.holds is holds
        assert evidence.exact
        kept = evidence.named("other").ratio
        assert kept is ratio
        assert "exactly" in evidence.describe()


def test_witness_is_found_only_when_asked_for() -> None:
    calls: list[int] = []

    def find() -> dict[str, int]:
        calls.append(1)
        return {"row": 3}

    evidence = Evidence("e", 1, "d", find_witness=find).named("other")
    assert (evidence.holds, evidence.margin, evidence.name, calls) == (False, INF, "other", [])
    assert evidence.witness == {"row": 3}
    assert len(calls) == 1
    assert evidence == Evidence("other", 1, "d")  # the witness is no part of equality


def test_describe_is_one_readable_line() -> None:
    evidence = Evidence("left", Fraction(1, 2), "gap", find_witness=lambda: {"labels": (0, [1, Fraction(2, 3)])})
    assert evidence.describe() == "left: fails (gap = 1/2, exactly; labels = (0, (1, 2/3)))"
    assert Evidence("e", 0, "gap").describe() == "e: holds (gap = 0, exactly)"
    doubtful = Evidence("e", NAN, "gap", accept=1e-9, reject=1e-3).describe()
    assert doubtful == "e: undecided (gap = nan, accept 1e-09, reject 0.001)"


@pytest.mark.parametrize("evidence", [HOLDS, FAILS, UNDECIDED])
def test_it_has_no_truth_value(evidence: Evidence) -> None:
    """``a and b`` would be ``b``, whatever ``a`` says."""
    with pytest.raises(TypeError, match=r"Evidence is not true or false, .*: join pieces with decide.all_of"):
        bool(evidence)


def test_a_number_of_numpy_is_exact_only_where_it_is_an_integer() -> None:
    assert Evidence("e", np.int64(0), "d").exact  # type: ignore[arg-type]
    assert Evidence("e", exact_matrix([["1/2"]])[0, 0], "d").exact, "FLINT's own"
    for kind in (np.float16, np.float32, np.float64):
        assert not Evidence("e", kind(0), "d").exact  # type: ignore[arg-type]
    assert math.isnan(Evidence("e", np.float32("nan"), "d").margin)  # type: ignore[arg-type]


def test_a_witness_that_raises_says_whose_it_is() -> None:
    with pytest.raises(PredicateError, match=r"^the witness of 'e' raised SystemExit: 0\. "):
        _ = Evidence("e", 0, "d", find_witness=lambda: sys.exit(0)).witness
