"""The status of a verdict, for every combination of three-valued evidence, against the definition in words."""

from __future__ import annotations

import math
from itertools import product

import pytest

from theory.evidence import Evidence
from theory.verdict import Status, Verdict

VALUES = {True: 0, False: 1, None: math.nan}


def evidence(name: str, holds: bool | None) -> Evidence:
    return Evidence(name, VALUES[holds], "defect")


def expected(kept: list[bool | None], dropped: bool | None, concluded: list[bool | None], drops: bool) -> Status:
    """The words of theory/verdict.py: for or against only when everything needed for it is decided."""
    if not all(k is not False for k in kept) or (drops and dropped is True):
        return Status.VACUOUS
    if any(k is None for k in kept) or (drops and dropped is None):
        return Status.UNDECIDED
    if any(c is False for c in concluded):
        return Status.COUNTEREXAMPLE if drops else Status.REFUTED
    if any(c is None for c in concluded):
        return Status.UNDECIDED
    return Status.VACUOUS if drops else Status.HOLDS


@pytest.mark.parametrize("nontrivial", [True, False])
@pytest.mark.parametrize("drops", [True, False])
def test_truth_table(drops: bool, nontrivial: bool) -> None:
    seen: set[Status] = set()
    for first, second, third, closed in product(VALUES, VALUES, VALUES, (True, False, None, "absent")):
        concluded = [third] if closed == "absent" else [third, closed]
        verdict = Verdict(
            "t",
            (evidence("a", first), evidence("b", second)),
            tuple(evidence("conclusion", c) for c in concluded),  # type: ignore[arg-type]
            without="b" if drops else None,
            nontrivial=nontrivial,
        )
        kept = [first] if drops else [first, second]
        wanted = expected(kept, second, concluded, drops) if nontrivial else Status.VACUOUS  # type: ignore[arg-type]
        assert verdict.status is wanted, (first, second, concluded)
        seen.add(verdict.status)
    against = Status.COUNTEREXAMPLE if drops else Status.REFUTED
    everything = {Status.VACUOUS, Status.UNDECIDED, against} | (set() if drops else {Status.HOLDS})
    assert seen == (everything if nontrivial else {Status.VACUOUS})


def test_stopping_early_is_vacuous() -> None:
    assert Verdict("t", (evidence("a", False),), ()).status is Status.VACUOUS
    assert Verdict("t", (evidence("a", True), evidence("b", True)), (), without="b").status is Status.VACUOUS


def test_nan_is_neither_for_nor_against() -> None:
    for doubtful in (0, 1):
        parts = [evidence("a", True), evidence("conclusion", False)]
        parts[doubtful] = evidence(parts[doubtful].name, None)
        verdict = Verdict("t", (parts[0],), (parts[1],))
        assert verdict.status is Status.UNDECIDED
        assert verdict.undecided == (parts[doubtful],)


def test_infinity_fails() -> None:
    verdict = Verdict("t", (evidence("a", True),), (Evidence("conclusion", math.inf, "gap", 1e-9, 1e-3),))
    assert verdict.status is Status.REFUTED
    assert verdict.undecided == ()


def test_evidence_is_assumptions_then_conclusions() -> None:
    parts = [evidence("a", True), evidence("conclusion", True), evidence("closed_form", False)]
    assert Verdict("t", (parts[0],), tuple(parts[1:])).evidence == tuple(parts)


@pytest.mark.parametrize("holds", [True, False, None])
def test_a_verdict_is_not_a_truth_value(holds: bool | None) -> None:
    verdict = Verdict("t", (evidence("a", holds),), (evidence("conclusion", True),))
    with pytest.raises(TypeError, match=r"a Verdict is not true or false.*status with Status\.HOLDS"):
        bool(verdict)


def test_describe_names_everything_that_was_decided() -> None:
    verdict = Verdict("t", (evidence("a", True), evidence("b", False)), (evidence("conclusion", False),), without="b")
    lines = verdict.describe().splitlines()
    assert lines[0] == f"t without b: COUNTEREXAMPLE: {Status.COUNTEREXAMPLE.value}"
    assert lines[1:] == [
        "  a: holds (defect = 0, exactly)",
        "  b: fails (defect = 1, exactly)",
        "  conclusion: fails (defect = 1, exactly)",
    ]


def test_every_status_explains_itself() -> None:
    assert len({status.value for status in Status}) == len(Status) == 5
    assert all(len(status.value.split()) > 5 for status in Status)
