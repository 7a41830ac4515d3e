"""The numerical rank is decided with a margin, or refused."""

from __future__ import annotations

import numpy as np
import pytest

from empirical.errors import InputError
from empirical.similarity import canonical_correlations
from empirical.similarity.rank import GAP, MARGIN, arithmetic_noise, decide
from empirical.similarity.sources import source


def spectrum(rng: np.random.Generator, rows: int, values: np.ndarray) -> np.ndarray:
    """Centred columns of unit norm with singular values in the ratios of ``values``, nearly."""
    q = np.linalg.qr(rng.standard_normal((rows, len(values))))[0]
    q = np.linalg.qr(q - q.mean(axis=0))[0]
    return q * values @ np.linalg.qr(rng.standard_normal((len(values), len(values))))[0]


def test_beyond_the_margin_nothing_is_asked() -> None:
    tolerance = np.full(3, 1e-13)
    rank = decide(np.array([1.0, 1e-3, 1e-16]), tolerance, 3, "x")
    assert (rank.value, rank.smallest_kept, rank.largest_dropped, rank.condition) == (2, 1e-3, 1e-16, 1e3)
    assert decide(np.array([1.0, 1e-3, 1e-12]), tolerance, 3, "x").value == 3


def test_one_clear_gap_decides_within_the_margin() -> None:
    tolerance = np.full(4, 1e-13)
    assert decide(np.array([1.0, 0.5, 9e-14, 5e-14]), tolerance, 4, "x").value == 2
    assert decide(np.array([1.0, 0.5, 2e-13, 1e-17]), tolerance, 4, "x").value == 3


@pytest.mark.parametrize("singular", [[1.0, 2e-13, 9e-14], [1.0, 0.5, 4e-13]])
def test_otherwise_it_is_refused(singular: list[float]) -> None:
    values = np.array(singular)
    with pytest.raises(InputError, match=r"its rank cannot be decided: singular value \d of \d"):
        decide(values, np.full(len(values), 1e-13), len(values), "x")


def test_a_true_condition_of_1e12_is_above_the_tolerance() -> None:
    for rows, columns in ((50_000, 768), (2_000, 64)):
        assert MARGIN * MARGIN * (arithmetic_noise(rows, columns) + np.finfo(float).eps) < 1e-12


@pytest.mark.parametrize("condition", [1e3, 1e6, 1e9, 1e12])
def test_full_rank_is_kept_up_to_condition_1e12(condition: float) -> None:
    rng = np.random.default_rng(1)
    x = spectrum(rng, 500, np.logspace(0, -np.log10(condition), 8))
    x_rank, y_rank = canonical_correlations(x, rng.standard_normal((500, 3))).ranks or (None, None)
    assert x_rank is not None
    assert y_rank is not None
    assert (x_rank.value, y_rank.value, x_rank.largest_dropped) == (8, 3, None)
    # Scaling the columns changes the condition somewhat.
    assert condition / 5 < x_rank.condition < condition * 5
    assert x_rank.smallest_kept > MARGIN * x_rank.tolerance


def test_rounding_is_not_rank() -> None:
    rng = np.random.default_rng(2)
    z = rng.standard_normal((400, 5))
    x = z @ rng.standard_normal((5, 12))
    result = canonical_correlations(x, z[:, :2])
    assert result.ranks is not None
    assert result.ranks[0].value == 5
    assert (result.ranks[0].largest_dropped or 1) < result.ranks[0].tolerance
    assert "numerical rank 5 of 12" in result.warnings[-1]
    np.testing.assert_allclose(result.values, [1, 1], atol=1e-13)


def test_rounding_to_float32_is_not_rank() -> None:
    rng = np.random.default_rng(3)
    z = rng.standard_normal((400, 5))
    x = (z @ rng.standard_normal((5, 12))).astype(np.float32)
    result = canonical_correlations(x, z[:, :2] + rng.standard_normal((400, 2)))
    assert result.ranks is not None
    assert result.ranks[0].value == 5
    # The same numbers in float64 are data: nothing says that their last digits are noise.
    wide = canonical_correlations(x.astype(np.float64), z[:, :2] + rng.standard_normal((400, 2)))
    assert wide.ranks is not None
    assert wide.ranks[0].value == 12


@pytest.mark.parametrize("eps", [2.0**-10, 2.0**-7], ids=["float16", "bfloat16"])
def test_the_rounding_of_what_was_widened_is_not_rank(eps: float) -> None:
    rng = np.random.default_rng(3)
    z = rng.standard_normal((400, 3))
    exact = np.column_stack([z, z @ [0.3, 0.7, 0.2]])
    size = np.exp2(np.floor(np.log2(np.abs(exact))))
    x = np.round(exact / (size * eps)) * size * eps  # to as many bits as the type has
    x_rank, y_rank = canonical_correlations(source(x, "x", eps), source(z, "y", eps)).ranks or (None, None)
    assert x_rank is not None
    assert y_rank is not None
    assert (x_rank.value, y_rank.value) == (3, 3)
    forgotten = canonical_correlations(x, z).ranks
    assert forgotten is not None
    assert forgotten[0].value == 4


def test_half_precision_keeps_what_is_well_above_its_rounding() -> None:
    """A condition of 10 is within MARGIN² of bfloat16's rounding, and no gap tells: the known rounding decides."""
    rng = np.random.default_rng(4)
    x = spectrum(rng, 400, np.logspace(0, -1, 8))
    rank = (canonical_correlations(source(x, "x", 2.0**-7), x[:, :2]).ranks or [None])[0]
    assert rank is not None
    assert rank.value == 8
    assert rank.smallest_kept < MARGIN * rank.tolerance


def test_an_offset_takes_digits_from_the_rank() -> None:
    rng = np.random.default_rng(4)
    z = rng.standard_normal((400, 3))
    x = np.hstack([z, z[:, :1] + z[:, 1:2]]) + 1e8  # the sum is one only up to 1e-8
    result = canonical_correlations(x, rng.standard_normal((400, 2)))
    assert result.ranks is not None
    assert result.ranks[0].value == 3


def test_an_offset_of_one_column_does_not_drop_directions_of_others() -> None:
    rng = np.random.default_rng(5)
    x = np.hstack([spectrum(rng, 400, np.array([1.0, 1e-3, 1e-9])), rng.standard_normal((400, 1)) + 1e7])
    result = canonical_correlations(x, rng.standard_normal((400, 2)))
    assert result.ranks is not None
    assert result.ranks[0].value == 4


def test_in_the_grey_zone_it_refuses_and_names_the_value() -> None:
    rng = np.random.default_rng(6)
    x = spectrum(rng, 400, np.array([1.0, 1.0, 1.0, 2e-14]))
    with pytest.raises(InputError, match=r"x: its rank cannot be decided: singular value 4 of 4 is [1-9]\.\de-14"):
        canonical_correlations(x, rng.standard_normal((400, 2)))


def test_constant_columns_are_dropped_and_reported() -> None:
    rng = np.random.default_rng(7)
    x = np.hstack([rng.standard_normal((400, 3)), np.full((400, 1), 0.1), np.full((400, 1), -1e9)])
    result = canonical_correlations(x, x[:, :2])
    assert result.ranks is not None
    assert (result.ranks[0].value, result.ranks[0].columns, result.ranks[0].largest_dropped) == (3, 5, 0.0)
    np.testing.assert_allclose(result.values, [1, 1], atol=1e-14)


def test_the_gap_is_wider_than_the_margin() -> None:
    assert GAP >= MARGIN**2
