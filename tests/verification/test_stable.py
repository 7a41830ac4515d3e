"""The check *stable*: whatever rounding does, a true theorem is not refuted; and what fails says at which decade."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.verification.made_up import (
    STABLE,
    TINY,
    TRUE,
    between_its_levels,
    not_a_number,
    same_representations,
    transposed_closed_form,
)
from theory.arithmetic.floating import FloatMatrix
from theory.evidence import Evidence
from theory.models import Model, ModelPair
from theory.sizes import Size
from theory.strategies.source import Source
from theory.strategies.spectra import conditioned
from theory.theorem import Standing, Theorem
from theory.verdict import Status
from verification.examine import WELL_CONDITIONED, examine
from verification.generate import Tally
from verification.results import Result
from verification.stable import DECADES, stable

EACH = math.ceil(TINY.instances / len(DECADES))
EASY = EACH * (WELL_CONDITIONED + 1)


def failures(theorem: Theorem[Any], folder: Path) -> list[str]:
    """What an examination says about floating point, other checks left aside."""
    return [failure for failure in examined(theorem, folder).failures if "floating" in failure]


def examined(theorem: Theorem[Any], folder: Path) -> Result:
    return examine(theorem, TINY, seed=0, folder=folder)


def decade_of(failure: str) -> int:
    return int(failure.partition("condition number 1e")[2].partition(",")[0])


def statuses(tallies: dict[int, Tally], decades: range) -> set[Status]:
    return {status for decade in decades for status in tallies[decade].statuses}


# A true theorem ---------------------------------------------------------------------------------------------------


def test_a_true_theorem(tmp_path: Path) -> None:
    result = examined(STABLE, tmp_path)
    assert result.failures == ()
    assert list(result.floating) == [f"1e{decade}" for decade in DECADES]
    assert {counts.looked_at for counts in result.floating.values()} == {EACH}
    assert sum(counts.holds for counts in result.floating.values()) >= EASY
    assert sum(counts.refuted for counts in result.floating.values()) == 0
    ratios = [counts.ratios for counts in result.floating.values() if counts.ratios]
    assert all(0 <= found["median"] <= found["p90"] <= found["max"] <= 1 for found in ratios)
    assert max(found["max"] for found in ratios) > 0, "residuals of floating point are not all zero"
    assert result.generated.ratios == {}, "the exact instances are counted apart"


def test_a_theorem_without_floating_point_says_nothing(tmp_path: Path) -> None:
    assert stable(TRUE, TINY, seed=0) == {}
    assert examined(TRUE, tmp_path).floating == {}


def test_instances_are_drawn_from_the_seed() -> None:
    def ratios(seed: int) -> list[list[float]]:
        return [tally.ratios for tally in stable(STABLE, TINY, seed).values()]

    assert ratios(0) == ratios(0)
    assert ratios(0) != ratios(1)


def test_every_size_and_decade_is_asked_for() -> None:
    asked: list[tuple[Size, int]] = []
    drawn: list[tuple[int, ...]] = []

    def build(source: Source, size: Size, decade: int) -> ModelPair:
        asked.append((size, decade))
        drawn.append(tuple(source.integer(-99, 99) for _ in range(6)))
        return conditioned(source, size, decade)

    stable(replace(STABLE, spectra=build), TINY, seed=0)
    assert {decade for _, decade in asked} == set(range(13))
    for decade in DECADES:
        assert {size for size, at in asked if at == decade} == set(STABLE.sizes)
    assert len(set(drawn)) == len(drawn) == EACH * 13, "each has numbers of its own"


# Refuted ----------------------------------------------------------------------------------------------------------


def moved_from(decade: int) -> Callable[[Source, Size, int], ModelPair]:
    """Instances of one model twice, and from a decade on of one model whose f is doubled and whose g is halved."""

    def build(source: Source, size: Size, at: int) -> ModelPair:
        pair = conditioned(source, size, 0)
        if at < decade:
            return replace(pair, prime=pair.star)
        double, half = pair.star.f.scaled(2), pair.star.g.scaled(Fraction(1, 2))
        return replace(pair, prime=Model(double, half))

    return build


@pytest.mark.parametrize("decade", [0, 7, 12])
def test_refuted_from_some_decade_on(tmp_path: Path, decade: int) -> None:
    """One failure for each decade, with the size and all evidence; well-conditioned or not makes no difference."""
    theorem = replace(STABLE, spectra=moved_from(decade), conclusion=same_representations, closed_form=None)
    found = failures(theorem, tmp_path)
    assert [decade_of(failure) for failure in found] == list(range(decade, 13))
    start, *rest = found[0].splitlines()
    assert start == f"refuted in floating point at condition number 1e{decade}, {STABLE.sizes[0]}:"
    assert rest[0].startswith("made_up: REFUTED: ")
    assert rest[-1].startswith("  conclusion: fails (largest entry of the residual over its bound = ")


def test_a_wrong_formula_is_refuted_in_the_plane(tmp_path: Path) -> None:
    """Aᵀ for A, at the best condition number too."""
    found = failures(replace(STABLE, closed_form=transposed_closed_form), tmp_path)
    assert decade_of(found[0]) == 0
    assert f"1e0, {STABLE.sizes[2]}:" in found[0]


def by_a_bare_tolerance(pair: ModelPair) -> Evidence:
    """f' = A f*, where A is computed by inverting L', up to 1e-9 whatever the conditioning."""
    chosen = pair.label_pairs[0]
    if not pair.prime.f.exact:
        f_prime, f_star, l_prime, l_star = (
            matrix.value  # type: ignore[attr-defined]
            for matrix in (pair.prime.f, pair.star.f, pair.prime.differences(chosen), pair.star.differences(chosen))
        )
        residual = float(np.abs(f_prime - f_star @ (np.linalg.inv(l_prime).T @ l_star.T).T).max())
        return Evidence("", residual, "largest entry of f' - A f*", accept=1e-9, reject=1e-6)
    return TRUE.conclusion(pair)


def test_a_bare_tolerance_refutes_a_true_theorem(tmp_path: Path) -> None:
    """That is why bounds are derived: this one is fine until the condition number makes rounding larger than it."""
    found = failures(replace(STABLE, conclusion=by_a_bare_tolerance, closed_form=None), tmp_path)
    assert found, "the check must not trust a tolerance"
    assert min(map(decade_of, found)) > 2
    assert "largest entry of f' - A f*" in found[-1]


def test_refutations_of_a_refuted_statement_are_expected(tmp_path: Path) -> None:
    """As among the exact instances: they are counted, and no failure."""
    refuted = replace(STABLE, standing=Standing.REFUTED, repaired_by="extended_linear")
    theorem = replace(refuted, spectra=moved_from(0), conclusion=same_representations, closed_form=None)
    assert failures(theorem, tmp_path) == []
    assert examined(theorem, tmp_path).floating["1e0"].refuted == EACH


# Undecided --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decide", [not_a_number, between_its_levels])
def test_undecided_where_it_is_easy(tmp_path: Path, decide: Callable[[Any], Evidence]) -> None:
    theorem = replace(STABLE, conclusion=decide, closed_form=None)
    assert failures(theorem, tmp_path) == [
        f"{EASY} of {EASY} floating-point instances up to condition number 1e6 are undecided and 0 do not meet the "
        "assumptions; together at most 5% may be"
    ]


def unequal_from(decade: int) -> Callable[[Source, Size, int], ModelPair]:
    """Instances of other distributions from a decade on."""

    def build(source: Source, size: Size, at: int) -> ModelPair:
        pair = conditioned(source, size, 0)
        if at < decade:
            return pair
        labels = pair.star.g.value  # type: ignore[attr-defined]
        return replace(pair, prime=Model(pair.prime.f, FloatMatrix(labels + np.arange(len(labels))[:, None])))

    return build


def test_instances_that_miss_an_assumption_where_it_is_easy(tmp_path: Path) -> None:
    """Nearly all must: there rounding is no excuse."""
    assert failures(replace(STABLE, spectra=unequal_from(WELL_CONDITIONED)), tmp_path) == [
        f"0 of {EASY} floating-point instances up to condition number 1e6 are undecided and {EACH} do not meet the "
        "assumptions; together at most 5% may be"
    ]


def test_hard_instances_may_be_undecided_or_vacuous(tmp_path: Path) -> None:
    """Beyond 1e6 only a refutation counts."""
    theorem = replace(STABLE, spectra=unequal_from(WELL_CONDITIONED + 1))
    tallies = stable(theorem, TINY, seed=0)
    assert statuses(tallies, range(WELL_CONDITIONED + 1)) == {Status.HOLDS}
    assert statuses(tallies, range(WELL_CONDITIONED + 1, 13)) == {Status.VACUOUS}
    assert failures(theorem, tmp_path) == []
