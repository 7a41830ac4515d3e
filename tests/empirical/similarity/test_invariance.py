"""What each measure must not see, and what it must: on drawn sizes, signals and changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from empirical import similarity
from empirical.similarity import Invariance, canonical_correlations, principal_angles
from tests.empirical.similarity import references
from tests.empirical.similarity.judge import BEYOND, MEASURES, Array, Kind, change, properties

EVERY = pytest.mark.parametrize("measure", MEASURES)
FEW = settings(max_examples=12, derandomize=True, deadline=None, database=None)

GROUPS: dict[Kind, str] = {
    "linear": "any invertible affine map",
    "orthogonal": "rotations, reflections",
    "signs": "sign",
}


@dataclass(frozen=True)
class Pair:
    """Two sides with something in common, columns of unequal size and not about 0."""

    x: Array
    y: Array
    rng: np.random.Generator  # for the changes


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    """1 to 5 columns each, from a few more rows than are needed up to 60 more; the signal from none to nearly all."""
    wide, narrow = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    rows = 2 * max(wide, narrow) + 4 + draw(st.integers(0, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    signal = draw(st.sampled_from([0.0, 0.5, 0.99]))
    x = rng.standard_normal((rows, wide))
    y = signal * x @ rng.standard_normal((wide, narrow)) + (1 - signal) * rng.standard_normal((rows, narrow))
    x, y = (a * rng.uniform(0.3, 3, a.shape[1]) + 3 * rng.standard_normal(a.shape[1]) for a in (x, y))
    return Pair(x, y, rng)


@EVERY
@FEW
@given(pair=pairs())
def test_blind_to_its_group(measure: str, pair: Pair) -> None:
    """Each side changed alone, and both."""
    judged = MEASURES[measure]
    value = judged.ours(pair.x, pair.y)
    x, y = change(pair.rng, judged.x, pair.x), change(pair.rng, judged.y, pair.y)
    for a, b in ((x, pair.y), (pair.x, y), (x, y)):
        # An angle near 0 moves by what rounding moves the space, its cosine only by the square of that.
        assert judged.ours(a, b) == pytest.approx(value, abs=1e-9)


@EVERY
@FEW
@given(pair=pairs())
def test_bounds_symmetry_and_order_of_rows(measure: str, pair: Pair) -> None:
    judged = MEASURES[measure]
    value = judged.ours(pair.x, pair.y)
    highest = {"Procrustes distance": 2.0, "largest angle": np.pi / 2}.get(measure, 1.0)
    lowest = -1.0 if measure == "unbiased CKA" else 0.0
    assert lowest <= value <= highest
    order = pair.rng.permutation(len(pair.x))
    assert judged.ours(pair.x[order], pair.y[order]) == pytest.approx(value, abs=1e-10)
    if judged.symmetric:
        assert judged.ours(pair.y, pair.x) == pytest.approx(value, abs=1e-10)


@EVERY
@FEW
@given(pair=pairs())
def test_a_side_and_its_image(measure: str, pair: Pair) -> None:
    """x with itself, and with anything in its group: as alike as can be."""
    judged = MEASURES[measure]
    tolerance = 1e-7 if measure == "largest angle" else 1e-9
    for y in (pair.x, change(pair.rng, judged.x if judged.symmetric else "signs", pair.x)):
        assert judged.ours(pair.x, y) == pytest.approx(judged.itself, abs=tolerance)


@EVERY
@FEW
@given(pair=pairs())
def test_orthogonal_column_spaces_have_nothing_in_common(measure: str, pair: Pair) -> None:
    """y made orthogonal to x: 0, distance 2, a right angle.  Unbiased CKA is below 0."""
    q = np.asarray(references.orthonormal(references.centred(pair.x)), np.float64)
    y = pair.y - pair.y.mean(axis=0)
    y = change(pair.rng, "orthogonal", y + pair.rng.standard_normal(y.shape) - q @ (q.T @ y))
    y = y - q @ (q.T @ (y - y.mean(axis=0)))
    found = MEASURES[measure].ours(pair.x, y)
    if measure == "unbiased CKA":
        assert found < 0
    else:
        nothing = {"Procrustes distance": 2.0, "largest angle": np.pi / 2}.get(measure, 0.0)
        assert found == pytest.approx(nothing, abs=1e-7)


@FEW
@given(pair=pairs())
def test_angles_and_correlations_belong_together(pair: Pair) -> None:
    angles = principal_angles(pair.x, pair.y).values
    correlations = canonical_correlations(pair.x, pair.y).values
    assert np.cos(angles) == pytest.approx(correlations, abs=1e-9)
    assert list(angles) == sorted(angles)
    assert list(correlations) == sorted(correlations, reverse=True)


@EVERY
def test_sees_what_is_beyond_its_group(measure: str) -> None:
    """Witnesses: a change outside the group moves the value, and so does pairing the rows otherwise."""
    assert list(properties(measure, MEASURES[measure].ours)) == []
    assert MEASURES[measure].x in BEYOND


@pytest.mark.parametrize(
    ("measure", "function"),
    [
        ("mean CCA", similarity.mean_cca),
        ("SVCCA", similarity.svcca),
        ("PWCCA", similarity.pwcca),
        ("linear CKA", similarity.linear_cka),
        ("RV", similarity.rv),
        ("Procrustes distance", similarity.procrustes_distance),
        ("linear map", similarity.linear_map),
        ("largest angle", similarity.principal_angles),
    ],
)
def test_the_result_states_the_group_it_is_held_to(measure: str, function: object) -> None:
    """The statement that goes with the number names the changes tested here."""
    judged, rng = MEASURES[measure], np.random.default_rng(0)
    found = function(rng.standard_normal((30, 3)), rng.standard_normal((30, 3)))  # type: ignore[operator]
    assert isinstance(found.invariance, Invariance)
    for kind in (judged.x, judged.y):
        assert GROUPS[kind] in found.invariance.statement
