"""Each measure against its definition written out, and wrong variants of it that differ."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

from empirical import similarity as s

N = 300


@pytest.fixture(scope="module")
def pair() -> tuple[np.ndarray, np.ndarray]:
    """Sides that share five directions, with offsets and unequal scales."""
    rng = np.random.default_rng(1)
    z = rng.standard_normal((N, 5))
    x = np.hstack([z, rng.standard_normal((N, 4))]) @ rng.standard_normal((9, 9)) + 30
    x[:, 0] += 20 * z[:, 0]
    y = (np.hstack([z + 0.5 * rng.standard_normal((N, 5)), rng.standard_normal((N, 2))]) * np.arange(1, 8)) - 20
    return x, y


def centred(x: np.ndarray) -> np.ndarray:
    return x - x.mean(axis=0)


def correlations(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    qx, qy = np.linalg.qr(centred(x))[0], np.linalg.qr(centred(y))[0]
    return np.linalg.svd(qx.T @ qy, compute_uv=False)


def test_canonical_correlations(pair: tuple[np.ndarray, np.ndarray]) -> None:
    result = s.canonical_correlations(*pair)
    np.testing.assert_allclose(result.values, correlations(*pair), atol=1e-13)
    assert result.value == pytest.approx(np.mean(result.values), abs=1e-15)
    assert s.mean_cca(s.joint(*pair)) == result
    assert (result.rows, result.dims, result.invariance) == (N, (9, 7), s.Invariance.INVERTIBLE_LINEAR)


def test_without_centring_the_offset_would_count(pair: tuple[np.ndarray, np.ndarray]) -> None:
    qx, qy = np.linalg.qr(pair[0])[0], np.linalg.qr(pair[1])[0]
    assert abs(np.linalg.svd(qx.T @ qy, compute_uv=False).mean() - s.mean_cca(*pair).value) > 1e-3


@pytest.mark.parametrize("condition", [10.0, 1e4, 1e7])
def test_all_three_ways_to_whiten_agree(pair: tuple[np.ndarray, np.ndarray], condition: float) -> None:
    rng = np.random.default_rng(2)
    u, v = (np.linalg.qr(rng.standard_normal((9, 9)))[0] for _ in range(2))
    white = np.linalg.qr(centred(pair[0]))[0]
    x = white @ (u * np.logspace(0, -np.log10(condition), 9)) @ v
    result = s.canonical_correlations(x, pair[1])
    way = {10.0: "cross products in", 1e4: "refined", 1e7: "QR"}[condition]
    assert way in result.convention
    np.testing.assert_allclose(result.values, correlations(*pair), atol=1e-14 * condition + 1e-13)
    # What else is computed from the same coordinates.
    explained = np.linalg.norm(white.T @ centred(pair[1])) ** 2 / np.linalg.norm(centred(pair[1])) ** 2
    assert s.linear_map(x, pair[1]).value == pytest.approx(explained, abs=1e-14 * condition + 1e-13)
    back = np.linalg.norm(np.linalg.qr(centred(pair[1]))[0].T @ centred(x)) ** 2 / np.linalg.norm(centred(x)) ** 2
    assert s.linear_map(pair[1], x).value == pytest.approx(back, abs=1e-13)
    left, rho, _ = np.linalg.svd(white.T @ np.linalg.qr(centred(pair[1]))[0], full_matrices=False)
    weights = np.abs((white @ left).T @ centred(x)).sum(axis=1)
    assert s.pwcca(x, pair[1]).value == pytest.approx(weights @ rho / weights.sum(), abs=1e-14 * condition + 1e-13)
    shifted = x + 0.3 * np.abs(x).max(axis=0)
    residual = pair[1] - shifted @ np.linalg.lstsq(shifted, pair[1], rcond=1e-15)[0]
    explained = 1 - (np.linalg.norm(residual) / np.linalg.norm(pair[1])) ** 2
    assert s.linear_map(shifted, pair[1], affine=False).value == pytest.approx(explained, abs=1e-13 * condition)
    held = s.held_out(x, pair[1], resamples=19)
    plain = s.held_out(pair[0], pair[1], resamples=19)
    np.testing.assert_allclose(held.values, plain.values, atol=1e-12 * condition)


def test_pwcca_weighs_by_the_columns_of_x(pair: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = (centred(side) for side in pair)
    (qx, rx), qy = np.linalg.qr(x), np.linalg.qr(y)[0]
    left, rho, _ = np.linalg.svd(qx.T @ qy, full_matrices=False)
    h = qx @ left
    weights = np.abs(h.T @ x).sum(axis=1)
    expected = (weights * rho).sum() / weights.sum()
    assert s.pwcca(*pair).value == pytest.approx(expected, abs=1e-13)
    # Wrong variants: coefficients for variates, no weights, weights from the other side.
    unwhitened = np.abs((rx.T @ left).T @ x.T).sum(axis=1)
    assert abs((unwhitened * rho).sum() / unwhitened.sum() - expected) > 1e-3
    assert abs(rho.mean() - expected) > 1e-3
    assert abs(s.pwcca(pair[1], pair[0]).value - expected) > 1e-3


def test_svcca(pair: tuple[np.ndarray, np.ndarray]) -> None:
    def leading(x: np.ndarray, share: float) -> np.ndarray:
        u, d, _ = np.linalg.svd(centred(x), full_matrices=False)
        return u[:, : int(np.argmax(np.cumsum(d**2) >= share * (d**2).sum())) + 1]

    for share in (0.6, 0.9, 0.99):
        u, v = leading(pair[0], share), leading(pair[1], share)
        result = s.svcca(*pair, variance=share)
        np.testing.assert_allclose(result.values, np.linalg.svd(u.T @ v, compute_uv=False), atol=1e-12)
        assert f"{u.shape[1]} and {v.shape[1]}" in result.convention
    assert len(s.svcca(*pair, components=3).values) == 3
    # Shares of singular values instead of variance keep another number.
    d = np.linalg.svd(centred(pair[0]), compute_uv=False)
    assert int(np.argmax(np.cumsum(d) >= 0.9 * d.sum())) + 1 != leading(pair[0], 0.9).shape[1]


def test_svcca_of_all_components_is_mean_cca(pair: tuple[np.ndarray, np.ndarray]) -> None:
    assert s.svcca(*pair, variance=1.0).value == pytest.approx(s.mean_cca(*pair).value, abs=1e-12)
    # Components too small for the products: from QR.
    x, y = pair[0][:, :7] @ np.diag(np.logspace(0, -8, 7)), pair[1]
    np.testing.assert_allclose(s.svcca(x, y, components=7).values, correlations(pair[0][:, :7], y), atol=1e-12)


def test_svcca_says_when_the_cut_is_arbitrary() -> None:
    q = np.linalg.qr(centred(np.random.default_rng(3).standard_normal((50, 4))))[0]
    assert "not determined: eigenvalues 2 and 3" in s.svcca(q, q, components=2).warnings[-1]


def test_biased_cka_is_rv_and_the_kernel_formula(pair: tuple[np.ndarray, np.ndarray]) -> None:
    k, l = (centred(side) @ centred(side).T for side in pair)
    expected = (k * l).sum() / np.sqrt((k * k).sum() * (l * l).sum())
    assert s.linear_cka(*pair).value == pytest.approx(expected, abs=1e-13)
    assert s.rv(*pair).value == s.linear_cka(*pair).value


def hsic(k: np.ndarray, l: np.ndarray) -> float:
    """The unbiased HSIC as its authors write it."""
    n = len(k)
    k, l = k - np.diag(np.diag(k)), l - np.diag(np.diag(l))
    return float(
        (np.trace(k @ l) + k.sum() * l.sum() / ((n - 1) * (n - 2)) - 2 / (n - 2) * (k.sum(axis=0) @ l.sum(axis=0)))
        / (n * (n - 3))
    )


@pytest.mark.parametrize("rows", [4, 7, N])
def test_unbiased_cka_without_the_kernel_matrices(pair: tuple[np.ndarray, np.ndarray], rows: int) -> None:
    x, y = pair[0][:rows], pair[1][:rows]
    k, l = x @ x.T, y @ y.T
    expected = hsic(k, l) / np.sqrt(hsic(k, k) * hsic(l, l))
    assert s.linear_cka(x, y, unbiased=True).value == pytest.approx(expected, abs=1e-11)
    # The diagonal left in, as in the biased estimate, is another number.
    assert abs(s.linear_cka(x, y).value - expected) > 1e-4


def test_unbiased_cka_of_unrelated_sides_is_about_0() -> None:
    values = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        pair = s.joint(rng.standard_normal((30, 20)), rng.standard_normal((30, 25)))
        values.append((s.linear_cka(pair, unbiased=True).value, s.linear_cka(pair).value))
    unbiased, biased = np.array(values).T
    assert abs(unbiased.mean()) < 4 * unbiased.std() / np.sqrt(40)
    assert biased.mean() > 0.3
    assert 0.5 < unbiased.std() / (np.sqrt(2) / 30) < 2  # a count of pairs of rows


def test_procrustes(pair: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = (centred(side) / np.linalg.norm(centred(side)) for side in pair)
    y = np.hstack([y, np.zeros((N, 2))])
    q, total = scipy.linalg.orthogonal_procrustes(y, x)
    result = s.procrustes_distance(*pair)
    assert result.value == pytest.approx(np.linalg.norm(x - y @ q) ** 2, abs=1e-13)
    assert result.value == pytest.approx(2 - 2 * total, abs=1e-13)
    rotation = np.linalg.qr(np.random.default_rng(4).standard_normal((9, 9)))[0]
    assert s.procrustes_distance(pair[0], 5 * pair[0] @ rotation + 1).value < 1e-13


@pytest.mark.parametrize("affine", [True, False])
def test_linear_map(pair: tuple[np.ndarray, np.ndarray], affine: bool) -> None:
    x, y = pair
    design = np.hstack([x, np.ones((N, 1))]) if affine else x
    residual = y - design @ np.linalg.lstsq(design, y)[0]
    total = centred(y) if affine else y
    expected = 1 - np.linalg.norm(residual) ** 2 / np.linalg.norm(total) ** 2
    result = s.linear_map(x, y, affine=affine)
    assert result.value == pytest.approx(expected, abs=1e-13)
    assert abs(s.linear_map(x, y, affine=not affine).value - expected) > 1e-3
    assert abs(s.linear_map(y, x, affine=affine).value - expected) > 1e-3


def test_a_map_needs_no_rank_of_y() -> None:
    rng = np.random.default_rng(5)
    x = rng.standard_normal((100, 3))
    y = np.hstack([x, x * (1 + 1e-13)])
    assert s.linear_map(x, y).value == pytest.approx(1, abs=1e-13)


def test_principal_angles(pair: tuple[np.ndarray, np.ndarray]) -> None:
    expected = np.sort(scipy.linalg.subspace_angles(centred(pair[0]), centred(pair[1])))
    result = s.principal_angles(*pair)
    np.testing.assert_allclose(result.values, expected, atol=1e-13)
    np.testing.assert_allclose(np.cos(result.values), s.canonical_correlations(*pair).values, atol=1e-13)
    assert result.value == max(result.values)


def test_small_angles_keep_their_digits() -> None:
    rng = np.random.default_rng(6)
    q = np.linalg.qr(centred(rng.standard_normal((200, 6))))[0]
    angles = np.array([1e-12, 1e-9, 1e-6])
    x, y = q[:, :3], q[:, :3] * np.cos(angles) + q[:, 3:] * np.sin(angles)
    np.testing.assert_allclose(s.principal_angles(x, y).values, angles, rtol=1e-3, atol=1e-15)
    # The arc cosine of the correlations knows none of them.
    cosines = np.array(s.canonical_correlations(x, y).values)
    assert np.abs(np.arccos(cosines) - angles).max() > 1e-9


def test_symmetric_measures_are_symmetric(pair: tuple[np.ndarray, np.ndarray]) -> None:
    for measure in (s.mean_cca, s.svcca, s.linear_cka, s.rv, s.procrustes_distance, s.principal_angles):
        assert measure(*pair).value == pytest.approx(measure(*pair[::-1]).value, abs=1e-14)


def test_all_pairs_of_several_models(pair: tuple[np.ndarray, np.ndarray]) -> None:
    sides = [pair[0], pair[1], pair[0][:, :4] * 1e5]
    for measure, function in (("mean CCA", s.mean_cca), ("PWCCA", s.pwcca), ("linear CKA", s.linear_cka)):
        values = s.similarity_matrix(sides, measure)
        for i, x in enumerate(sides):
            for j, y in enumerate(sides):
                assert values[i, j] == pytest.approx(function(x, y).value, abs=1e-12)
    both = s.joint(*sides)
    assert s.mean_cca(both.pair(0, 2)).dims == (9, 4)
    assert np.array_equal(s.similarity_matrix(both, "RV"), s.similarity_matrix(sides, "RV"))


def test_several_models_one_of_them_ill_conditioned(pair: tuple[np.ndarray, np.ndarray]) -> None:
    for power in (-4, -8):
        bad = pair[0] @ np.diag(np.logspace(0, power, 9)) @ np.linalg.qr(np.ones((9, 9)) + np.eye(9))[0]
        sides = [pair[0][:, :5], bad, pair[1]]
        values = s.similarity_matrix(sides)
        for i, x in enumerate(sides):
            for j, y in enumerate(sides):
                assert values[i, j] == pytest.approx(correlations(x, y).mean(), abs=1e-7)


@pytest.mark.parametrize("power", [-2, -5])
def test_a_rounded_mean_is_not_taken_for_a_direction(power: int) -> None:
    rng = np.random.default_rng(8)
    rotation = np.linalg.qr(np.ones((5, 5)) + np.eye(5))[0]
    x = rng.standard_normal((400, 5)) * np.logspace(0, power, 5) @ rotation + 1e8
    y = x.astype(np.longdouble) - 1e8
    y = (y - y.mean(axis=0)).astype(np.float64)  # the same, exactly, without the offset
    noise = y[:, :2] + rng.standard_normal((400, 2))
    for measure in (s.canonical_correlations, s.linear_map):
        assert measure(x, noise).value == pytest.approx(measure(y, noise).value, abs=1e-11)
    u, v = (s.held_out(side, noise, "linear map", resamples=19) for side in (x, y))
    assert u.value == pytest.approx(v.value, abs=1e-9)


def test_float32_products_are_good_to_what_is_said(pair: tuple[np.ndarray, np.ndarray]) -> None:
    fast, slow = s.joint(*pair, products="float32"), s.joint(*pair)
    assert abs(s.linear_cka(fast).value - s.linear_cka(slow).value) < 1e-6
    assert abs(s.procrustes_distance(fast).value - s.procrustes_distance(slow).value) < 2e-6
    assert abs(s.mean_cca(fast).value - s.mean_cca(slow).value) < 1e-4
    assert "float32" in s.linear_cka(fast).convention
    # Too ill-conditioned for them: refined in float64, or from QR.
    for power, way in ((-2, "refined"), (-7, "QR")):
        x = np.linalg.qr(centred(pair[0]))[0] * np.logspace(0, power, 9) @ np.linalg.qr(np.ones((9, 9)) + np.eye(9))[0]
        result = s.mean_cca(s.joint(x, pair[1], products="float32"))
        assert way in result.convention
        assert result.value == pytest.approx(correlations(x, pair[1]).mean(), abs=1e-8)


def test_angles_of_one_column_with_many() -> None:
    rng = np.random.default_rng(7)
    x, y = rng.standard_normal((50, 6)), rng.standard_normal((50, 1))
    for sides in ((x, y), (y, x), (x[:, :1], y)):
        expected = scipy.linalg.subspace_angles(*(centred(side) for side in sides))
        np.testing.assert_allclose(s.principal_angles(*sides).values, expected, atol=1e-13)
