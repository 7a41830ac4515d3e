"""The one pass over the rows: exact means and products, whatever the offset, the scale and the order."""

from __future__ import annotations

import numpy as np
import pytest

from empirical.errors import InputError
from empirical.similarity import joint
from empirical.similarity import moments as module


def reference(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means and centred products in long double."""
    wide = x.astype(np.longdouble)
    mean = wide.mean(axis=0)
    return mean, (wide - mean).T @ (wide - mean)


def relative(gram: np.ndarray, exact: np.ndarray) -> float:
    """The largest error of an entry, relative to the norms of its two columns."""
    norms = np.sqrt(np.diagonal(exact))
    return float((np.abs(gram - exact) / np.outer(norms, norms)).max())


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e8])
def test_products_are_those_of_the_centred_columns(offset: float) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((3000, 7)) + offset, rng.standard_normal((3000, 4)) - offset
    both = joint(x, y, rows_at_once=256).moments
    mean, gram = reference(np.hstack([x, y]))
    assert relative(both.gram, gram) < 1e-14
    np.testing.assert_allclose(both.means, mean.astype(float), rtol=1e-15, atol=1e-15)
    assert np.array_equal(both.gram, both.gram.T)
    assert np.all(both.units == 1)


def test_without_the_pilot_an_offset_would_cost_all_digits() -> None:
    x = np.random.default_rng(2).standard_normal((3000, 5)) + 1e8
    naive = x.T @ x - len(x) * np.outer(x.mean(axis=0), x.mean(axis=0))
    assert relative(naive, reference(x)[1]) > 1e-3


def test_a_pilot_far_off_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    x = rng.standard_normal((4000, 3)) + 1e6
    reads = []
    blocks = module.blocks
    monkeypatch.setattr(module, "blocks", lambda *given: reads.append(1) or blocks(*given))
    monkeypatch.setattr(module, "_pilot", lambda sources, products: (np.zeros(3), np.ones(3)))
    assert relative(joint(x).moments.gram, reference(x)[1]) < 1e-14
    assert len(reads) == 2


def test_the_usual_data_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []
    blocks = module.blocks
    monkeypatch.setattr(module, "blocks", lambda *given: reads.append(1) or blocks(*given))
    joint(np.random.default_rng(4).standard_normal((4000, 3)) * 5 + 100)
    assert len(reads) == 1


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_squares_neither_overflow_nor_underflow(size: float) -> None:
    x = np.random.default_rng(5).standard_normal((500, 3))
    scaled = joint(x * [1.0, size, 1.0]).moments
    norms = np.sqrt(np.diagonal(scaled.gram))
    exact = reference(x)[1].astype(float)
    assert np.all(np.log2(scaled.units) == np.round(np.log2(scaled.units)))
    assert relative(scaled.gram / norms[:, None] / norms * np.outer(*[np.sqrt(np.diagonal(exact))] * 2), exact) < 1e-13


def test_float32_input_is_summed_in_float64() -> None:
    x = (np.random.default_rng(6).standard_normal((5000, 6)) + 100).astype(np.float32)
    exact = reference(x)[1]
    assert relative(joint(x).moments.gram, exact) < 1e-14
    fast = joint(x, products="float32", rows_at_once=500).moments
    assert 1e-12 < relative(fast.gram, exact) < 2e-6
    assert fast.gram.dtype == np.float64


def test_float32_products_of_float64_rows() -> None:
    x = np.random.default_rng(7).standard_normal((5000, 6)) * 1e30 + 1e33
    fast = joint(x, products="float32").moments
    assert relative(fast.gram / np.outer(fast.units, fast.units), reference(x)[1]) < 2e-6


def test_new_pairings_need_only_the_cross_products() -> None:
    rng = np.random.default_rng(8)
    x, y = rng.standard_normal((400, 3)) + 50, rng.standard_normal((400, 2))
    order = rng.permutation(400)
    once, anew = joint(x, y).permuted(order).moments.gram, joint(x, y[order]).moments.gram
    np.testing.assert_allclose(once, anew, atol=1e-11)


def test_a_column_of_too_wide_a_range_is_refused() -> None:
    x = np.random.default_rng(9).standard_normal((4000, 2))
    x[1000, 1] = 1e300  # not among the rows the units are chosen by
    with pytest.raises(InputError, match="squares of column 1 leave the range"):
        joint(x)
