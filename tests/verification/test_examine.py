"""Examining made-up theorems: what is confirmed, what is not, and what the failure says.  Certificates: elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import verification.examine
from tests.verification.made_up import (
    FALSE,
    REFUTED,
    TINY,
    TRUE,
    assuming,
    bad_witness,
    between_its_levels,
    decide_first_positive,
    not_a_number,
    same_representations,
    transposed_closed_form,
)
from theory.evidence import Evidence
from theory.models import ModelPair
from theory.sizes import Size
from theory.strategies.source import Source
from theory.theorem import Assumption, Construction, Scope, Standing, Theorem
from theory.verdict import Status
from verification.examine import examine
from verification.generate import Tally
from verification.results import Result
from verification.search import search


def examined(theorem: Theorem[Any], folder: Path) -> Result:
    """The result of a small run that writes the certificates first."""
    return examine(theorem, TINY, seed=0, write=True, folder=folder)


# Confirmed --------------------------------------------------------------------------------------------------------


def test_a_true_theorem(tmp_path: Path) -> None:
    result = examined(replace(TRUE, needs=("left_invertible", "right_invertible")), tmp_path)
    assert result.failures == ()
    assert result.confirmed
    assert result.standing == "established"
    assert result.generated.holds == result.generated.looked_at > 20
    assert result.generated.ratios == {}
    assert (result.floating, result.elements) == ({}, 0), "nothing is said about either"
    assert [replayed.dropped for replayed in result.certificates] == ["left_invertible", "right_invertible"]
    assert {replayed.size for replayed in result.certificates} == {"M=1 K=2 n=1"}
    assert {replayed.decided for replayed in result.certificates} == {"exactly, SymPy"}
    assert result.sizes == ("M = 1, K = 2, n = 1: 14", "M = 1, K = 3, n = 2: 13", "M = 2, K = 3, n = 2: 13")


def test_instances_that_repeat_are_told_apart(tmp_path: Path) -> None:
    """Four draws, all of them the witness: one instance, however often it is looked at."""

    def always_the_same(source: Source, size: Size) -> ModelPair:
        source.integer(0, 3)
        return TRUE.witness()

    same = replace(TRUE, constructions=(Construction("same", always_the_same),), sizes=TRUE.sizes[:1])
    counted = examined(same, tmp_path).generated
    assert (counted.looked_at, counted.distinct) == (4, 1)
    assert counted.constructions == {"same": 4}


def test_a_conjecture_that_is_not_falsified(tmp_path: Path) -> None:
    result = examined(replace(TRUE, standing=Standing.CONJECTURE), tmp_path)
    assert result.failures == ()
    assert result.standing == "conjecture"


def test_a_statement_refuted_as_stated(tmp_path: Path) -> None:
    result = examined(REFUTED, tmp_path)
    assert result.failures == ()
    assert result.standing == "refuted as stated"
    assert result.generated.refuted > 0, "refutations are expected, and counted"
    assert [replayed.dropped for replayed in result.certificates] == [None]


def test_a_result_does_not_change(tmp_path: Path) -> None:
    first = examined(TRUE, tmp_path)
    verification.examine._generated.cache_clear()
    assert replace(examined(TRUE, tmp_path), seconds=first.seconds) == first


# Refuted ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("standing", [Standing.ESTABLISHED, Standing.CONJECTURE])
def test_a_false_theorem(tmp_path: Path, standing: Standing) -> None:
    """The failure shows the smallest instance, its size, and every piece of evidence."""
    result = examined(replace(FALSE, standing=standing), tmp_path)
    assert not result.confirmed
    assert len(result.failures) == 2
    generated, witness = result.failures
    assert generated.startswith("refuted at M = 1, K = 2, n = 1, shrunk to\nModelPair(prime=Model(f=")
    assert "\nmade_up: REFUTED: the assumptions hold on this instance and the conclusion fails" in generated
    assert "\n  conclusion: fails (largest entry of the residual = " in generated
    assert len(re.findall(r"\n  [a-z_]+: holds \(", generated)) == len(FALSE.assumptions)
    assert witness.startswith("its witness is REFUTED:\nmade_up: REFUTED")


def test_false_only_in_the_plane(tmp_path: Path) -> None:
    """Aᵀ for A is right on the line: the first size at which it is wrong is the one that is reported."""
    result = examined(replace(TRUE, closed_form=transposed_closed_form), tmp_path)
    assert len(result.failures) == 1
    assert result.failures[0].startswith("refuted at M = 2, K = 3, n = 2, shrunk to\n")
    assert "\n  closed_form: fails (" in result.failures[0]


def test_a_refutation_is_not_hidden_by_starvation(tmp_path: Path) -> None:
    starved = assuming(Assumption("first_positive", "the first entry of f' is positive", decide_first_positive))
    result = examined(replace(starved, conclusion=same_representations, closed_form=None), tmp_path)
    assert result.failures[0].startswith("refuted at M = 1, K = 2, n = 1, shrunk to\n")


# Starved and undecided --------------------------------------------------------------------------------------------


def test_starved(tmp_path: Path) -> None:
    """Half of what is generated fails an assumption, so the theorem is hardly examined."""
    starved = assuming(Assumption("first_positive", "the first entry of f' is positive", decide_first_positive))
    result = examined(starved, tmp_path)
    assert len(result.failures) == 1
    reached, looked_at = result.generated.reached, result.generated.looked_at
    assert 0 < reached < looked_at
    assert result.failures == (
        f"only {reached} of {looked_at} generated instances reach the conclusion; at least 90% must",
    )


@pytest.mark.parametrize("decide", [not_a_number, between_its_levels])
def test_undecided_assumption(tmp_path: Path, decide: Callable[[Any], Evidence]) -> None:
    result = examined(assuming(Assumption("doubtful", "nobody knows", decide)), tmp_path)
    looked_at = result.generated.looked_at
    assert result.generated.undecided == looked_at
    assert result.failures[:2] == (
        f"only 0 of {looked_at} generated instances reach the conclusion; at least 90% must",
        f"{looked_at} of {looked_at} generated instances are undecided; at most 5% may be",
    )
    assert result.failures[2].startswith("its witness does not meet the assumptions: doubtful: undecided (")


@pytest.mark.parametrize("decide", [not_a_number, between_its_levels])
def test_undecided_conclusion(tmp_path: Path, decide: Callable[[Any], Evidence]) -> None:
    result = examined(replace(TRUE, conclusion=decide, closed_form=None), tmp_path)
    looked_at = result.generated.looked_at
    assert f"{looked_at} of {looked_at} generated instances are undecided; at most 5% may be" in result.failures
    assert result.failures[-1].startswith("its witness is UNDECIDED:\n")


@pytest.mark.parametrize(
    ("counts", "messages"),
    [
        ({Status.HOLDS: 90, Status.VACUOUS: 10}, []),
        ({Status.HOLDS: 89, Status.VACUOUS: 11}, ["only 89 of 100"]),
        ({Status.HOLDS: 95, Status.UNDECIDED: 5}, []),
        ({Status.HOLDS: 94, Status.UNDECIDED: 6}, ["6 of 100 generated instances are undecided"]),
        ({Status.HOLDS: 80, Status.VACUOUS: 14, Status.UNDECIDED: 6}, ["only 80 of 100", "6 of 100"]),
        ({}, ["only 0 of 0"]),
    ],
)
def test_where_the_lines_are(counts: dict[Status, int], messages: list[str]) -> None:
    """90 % must reach the conclusion and 5 % may be undecided; nothing at all is not enough."""
    failures = verification.examine._failures_of_generated(TRUE, Tally(statuses=Counter(counts)))
    assert len(failures) == len(messages)
    assert all(failure.startswith(message) for failure, message in zip(failures, messages, strict=True))


# Exhaustive scopes ------------------------------------------------------------------------------------------------


def scoped(theorem: Theorem[Any], *instances: ModelPair) -> Theorem[Any]:
    def these() -> Iterator[ModelPair]:
        return iter(instances)

    return replace(theorem, scope=Scope("these", these))


def test_scope_is_counted(tmp_path: Path) -> None:
    result = examined(scoped(TRUE, TRUE.witness(), bad_witness(), TRUE.witness()), tmp_path)
    assert result.failures == ()
    assert result.scope is not None
    assert (result.scope.looked_at, result.scope.holds, result.scope.vacuous) == (3, 2, 1)
    assert result.scope_description == "these"


def test_refuted_in_its_scope_only(tmp_path: Path) -> None:
    """As where the generated sizes are too small to refute: here nothing is generated in the plane."""
    false = replace(TRUE, closed_form=transposed_closed_form)
    found = search(false, sizes=TRUE.sizes[2:])
    assert found is not None
    result = examined(scoped(replace(false, sizes=TRUE.sizes[:2]), found.instance), tmp_path)
    assert len(result.failures) == 1
    assert result.failures[0].startswith("refuted in the exhaustive scope by\nModelPair(")
    assert "\n  closed_form: fails (" in result.failures[0]


@pytest.mark.parametrize("instances", [(), (bad_witness(),)], ids=["empty", "all vacuous"])
def test_a_scope_that_decides_nothing(tmp_path: Path, instances: tuple[ModelPair, ...]) -> None:
    result = examined(scoped(TRUE, *instances), tmp_path)
    assert result.failures == (
        f"the exhaustive scope decides nothing: 0 of {len(instances)} instances reach the conclusion, 0 are undecided",
    )


# Witnesses --------------------------------------------------------------------------------------------------------


def test_a_witness_that_meets_too_little(tmp_path: Path) -> None:
    """Its assumptions could be empty together: nothing shows that they are not."""
    result = examined(replace(TRUE, witness=bad_witness), tmp_path)
    assert len(result.failures) == 1
    assert re.match(
        r"its witness does not meet the assumptions: left_invertible: fails \(.*; right_invertible: fails \(",
        result.failures[0],
    )


@pytest.mark.parametrize("theorem", [TRUE, REFUTED], ids=["established", "refuted"])
def test_a_witness_that_does_not_bite(tmp_path: Path, theorem: Theorem[Any]) -> None:
    result = examine(replace(theorem, nontrivial=only_beyond_the_line), TINY, seed=0, folder=tmp_path)
    assert any(failure.startswith("its witness is VACUOUS:\n") for failure in result.failures)


def only_beyond_the_line(pair: ModelPair) -> bool:
    """M = 1 teaches nothing."""
    return pair.dim > 1
