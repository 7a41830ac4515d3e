"""Our measures on the inputs of ``cases.py``, within the promised errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from empirical.errors import InputError
from empirical.similarity import (
    canonical_correlations,
    joint,
    linear_cka,
    mean_cca,
    principal_angles,
    procrustes_distance,
    pwcca,
    similarity_matrix,
    svcca,
)
from tests.empirical.similarity import references
from tests.empirical.similarity.cases import MAKERS, case, independent
from tests.empirical.similarity.judge import MEASURES, allowed

ALL = pytest.mark.parametrize("name", MAKERS)


@ALL
@pytest.mark.parametrize("measure", MEASURES)
def test_value(measure: str, name: str) -> None:
    """Against the reference; at a condition of 1e12 an error with its reason will do too."""
    each, judged = case(name), MEASURES[measure]
    try:
        value = judged.ours(each.x, each.y)
    except InputError:
        assert each.may_refuse
        return
    assert abs(value - judged.reference(each)) <= allowed(measure, each)


@ALL
def test_each_correlation_and_the_rank(name: str) -> None:
    """One correlation alone moves by up to the width times as much as their mean."""
    each = case(name)
    found = canonical_correlations(each.x, each.y)
    assert found.ranks is not None
    assert (found.ranks[0].value, found.ranks[1].value) == each.ranks
    assert np.max(np.abs(np.array(found.values) - each.correlations)) <= 16 * each.promised
    assert found.value == pytest.approx(np.mean(found.values), abs=1e-15)
    assert all(0.0 <= value <= 1.0 for value in found.values)


@ALL
def test_what_it_was_built_with(name: str) -> None:
    """The correlations of the construction, no reference between: off by what one rounding of the inputs moves too."""
    each = case(name)
    assert abs(mean_cca(each.x, each.y).value - float(each.built.mean())) <= each.promised + each.moved


def test_the_size_of_the_published_tables() -> None:
    """2,000 rows of 64 columns at the promised limit, a condition of 1e8."""
    each = case("condition 1e8", 2_000, 64)
    assert abs(mean_cca(each.x, each.y).value - float(each.built.mean())) < 1e-10


def test_small_angles_have_their_digits() -> None:
    """1e-7 to 1e-9 radians, where a cosine is 1 up to rounding; relative to them, 1e-5."""
    each = case("spaces 1e-7 apart")
    assert principal_angles(each.x, each.y).values == pytest.approx(np.sort(np.logspace(-7, -9, 16)), rel=1e-5)


@pytest.mark.parametrize("condition", ["condition 1e4", "condition 1e6", "condition 1e8"])
def test_rank_comes_with_its_margin(condition: str) -> None:
    """What is kept is far above the tolerance, and the condition is that of the scaled columns."""
    each = case(condition)
    a = each.x - each.x.mean(axis=0)
    s = np.linalg.svd(a / np.linalg.norm(a, axis=0), compute_uv=False)
    ranks = mean_cca(each.x, each.y).ranks
    assert ranks is not None
    assert ranks[0].condition == pytest.approx(s[0] / s[-1], rel=1e-3)
    assert ranks[0].smallest_kept > 100 * ranks[0].tolerance
    assert ranks[0].largest_dropped is None


def test_dropped_directions_are_shown() -> None:
    each = case("half the rank")
    found = mean_cca(each.x, each.y)
    assert found.ranks is not None
    assert found.ranks[0].largest_dropped is not None
    assert found.ranks[0].largest_dropped < found.ranks[0].tolerance < found.ranks[0].smallest_kept
    assert any("x has numerical rank 8 of 16" in warning for warning in found.warnings)


@pytest.mark.parametrize("name", ["well conditioned", "condition 1e8", "mean 1e8", "starts with one context"])
def test_however_the_rows_come(name: str, tmp_path: Path) -> None:
    """Files, lists of parts and small blocks give the same numbers."""
    each = case(name)
    np.save(tmp_path / "x.npy", each.x[:100])
    parts = [tmp_path / "x.npy", each.x[100:101], each.x[101:]]
    stored = np.lib.format.open_memmap(tmp_path / "y.npy", mode="w+", dtype=np.float64, shape=each.y.shape)
    stored[:] = each.y
    for both in (joint(parts, stored), joint(np.asfortranarray(each.x), each.y[:, ::-1][:, ::-1], rows_at_once=7)):
        assert abs(mean_cca(both).value - each.mean_cca) <= each.promised
        assert abs(linear_cka(both).value - references.linear_cka(each.x, each.y)) <= 1e-10


def test_single_precision_products_stay_near() -> None:
    """What "products" may cost: 1e-4, and at a condition where it would be more they are made anew."""
    for name in ("well conditioned", "condition 1e4", "condition 1e8", "mean 1e8"):
        each = case(name)
        both = joint(each.x, each.y, products="float32")
        assert abs(mean_cca(both).value - each.mean_cca) < 1e-4
        assert abs(linear_cka(both).value - references.linear_cka(each.x, each.y)) < 1e-5


def test_components_by_number() -> None:
    each = case("condition 1e4")
    for k in (1, 3, 9):
        right = references.svcca_components(each.x, each.y, (k, k))
        assert abs(svcca(each.x, each.y, components=k).value - right) < 1e-10


def test_many_models_at_once_are_the_pairs() -> None:
    """The matrix has the pairs' own values, and 1 (distance 0) on the diagonal."""
    a, b, c = case("well conditioned").x, case("condition 1e8").y, case("half the rank").x
    for measure, pair, itself in (
        ("mean CCA", mean_cca, 1),
        ("linear CKA", linear_cka, 1),
        ("PWCCA", pwcca, 1),
        ("Procrustes distance", procrustes_distance, 0),
    ):
        matrix = np.asarray(similarity_matrix([a, b, c], measure=measure))
        assert np.diagonal(matrix) == pytest.approx([itself] * 3, abs=1e-10)
        for i, j in ((0, 1), (0, 2), (1, 2), (1, 0)):
            assert matrix[i, j] == pytest.approx(pair((a, b, c)[i], (a, b, c)[j]).value, abs=1e-9)


def test_what_independent_sides_give() -> None:
    """E Σρ² = d₁d₂/(n − 1) for independent normal sides, and E R² = d₁/(n − 1); unbiased CKA is about 0."""
    rows, wide, narrow, tries = 60, 4, 3, 200
    sides = [independent(seed, rows, wide, narrow) for seed in range(tries)]
    squares = np.array([np.square(canonical_correlations(x, y).values).sum() for x, y in sides])
    explained = np.array([MEASURES["linear map"].ours(x, y) for x, y in sides])
    unbiased = np.array([linear_cka(x, y, unbiased=True).value for x, y in sides])
    for values, expected in ((squares, wide * narrow / 59), (explained, wide / 59), (unbiased, 0.0)):
        assert abs(values.mean() - expected) < 4 * values.std() / np.sqrt(tries)
    assert np.mean([linear_cka(x, y).value for x, y in sides]) > 0.02
