"""Held-out values, their intervals and chance levels: right on average, and as often as they say."""

from __future__ import annotations

import re
import sys
from dataclasses import replace

import numpy as np
import pytest

from empirical import similarity as s
from empirical.errors import InputError
from empirical.similarity.fits import Correlation, Distance, Explained, Fit
from empirical.similarity.joint import Joint

MODULE = sys.modules["empirical.similarity.held_out"]
FITTED = ("mean CCA", "SVCCA", "PWCCA", "linear map", "Procrustes distance")
RHO = np.array([0.9, 0.6, 0.2])
MIX_X = np.random.default_rng(100).standard_normal((3, 3))
MIX_Y = np.random.default_rng(101).standard_normal((4, 4))


def draw(rng: np.random.Generator, rows: int, rho: np.ndarray = RHO) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian sides with canonical correlations ``rho``."""
    z, w = rng.standard_normal((rows, 3)), rng.standard_normal((rows, 4))
    w[:, :3] = rho * z + np.sqrt(1 - rho**2) * w[:, :3]
    return z @ MIX_X, w @ MIX_Y


def covariances(rho: np.ndarray = RHO) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    cross = np.zeros((3, 4))
    np.fill_diagonal(cross, rho)
    return MIX_X.T @ MIX_X, MIX_X.T @ cross @ MIX_Y, MIX_Y.T @ MIX_Y


def true_value(model: Fit, pair: Joint) -> float:
    """What a fit is worth on new rows, from the covariances the rows are drawn with; their means are 0."""
    xx, xy, yy = covariances()
    a = model.left
    if isinstance(model, Correlation):
        b = model.right
        scale = np.sqrt(np.einsum("ik,ij,jk->k", a, xx, a) * np.einsum("ik,ij,jk->k", b, yy, b))
        return float(model.weights @ (np.einsum("ik,ij,jk->k", a, xy, b) / scale))
    b = np.diag(model.right)
    mean_p, mean_t = -pair.moments.means[:3] @ a, -pair.moments.means[3:] @ b
    p2 = np.trace(a.T @ xx @ a) + mean_p @ mean_p
    t2 = np.trace(b.T @ yy @ b) + mean_t @ mean_t
    pt = np.trace(a.T @ xy @ b) + mean_p @ mean_t
    return float(1 - (p2 + t2 - 2 * pt) / t2 if isinstance(model, Explained) else 2 - 2 * pt / np.sqrt(p2 * t2))


def test_held_out_values_step_by_step() -> None:
    x, y = draw(np.random.default_rng(14), 200)
    x, y = x * [1.0, 5.0, 0.2] + 3, y * [0.1, 1.0, 2.0, 3.0] - 1
    order = np.random.default_rng(7).permutation(200)
    (x0, x1), (y0, y1) = ((z[order[:100]], z[order[100:]]) for z in (x, y))
    means = x0.mean(axis=0), y0.mean(axis=0)
    x0, x1, y0, y1 = x0 - means[0], x1 - means[0], y0 - means[1], y1 - means[1]

    def correlations(kx: np.ndarray, ky: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        (qx, rx), (qy, ry) = np.linalg.qr(x0 @ kx), np.linalg.qr(y0 @ ky)
        u, _, vt = np.linalg.svd(qx.T @ qy, full_matrices=False)
        p, q = x1 @ kx @ np.linalg.solve(rx, u), y1 @ ky @ np.linalg.solve(ry, vt.T)
        weights = np.abs((qx @ u).T @ x0).sum(axis=1)
        return np.array([np.corrcoef(p[:, i], q[:, i])[0, 1] for i in range(p.shape[1])]), weights / weights.sum()

    def held(measure: str, **options: int) -> s.Measurement:
        return s.held_out(x, y, measure, seed=7, resamples=19, **options)

    values, weights = correlations(np.eye(3), np.eye(4))
    np.testing.assert_allclose(held("mean CCA").values, values, atol=1e-12)
    assert held("mean CCA").value == pytest.approx(values.mean(), abs=1e-12)
    assert held("PWCCA").value == pytest.approx(weights @ values, abs=1e-12)
    assert abs(weights @ values - values.mean()) > 1e-3
    leading = [np.linalg.svd(z, full_matrices=False)[2][:2].T for z in (x0, y0)]
    np.testing.assert_allclose(held("SVCCA", components=2).values, correlations(*leading)[0], atol=1e-12)
    residual = y1 - x1 @ np.linalg.lstsq(x0, y0)[0]
    assert held("linear map").value == pytest.approx(1 - (residual**2).sum() / (y1**2).sum(), abs=1e-12)
    u, _, vt = np.linalg.svd(x0.T @ y0, full_matrices=False)
    product = (x1 @ u @ vt * y1).sum() / np.linalg.norm(x1 @ u @ vt) / np.linalg.norm(y1)
    assert held("Procrustes distance").value == pytest.approx(2 - 2 * product, abs=1e-12)


@pytest.mark.parametrize("measure", FITTED)
def test_held_out_intervals_cover_as_often_as_they_say(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[tuple[Fit, Joint]] = []
    fit = MODULE.fit

    def recorded(pair: Joint, name: str, options: dict[str, object]) -> Fit:
        fits.append((fit(pair, name, options), pair))
        return fits[-1][0]

    monkeypatch.setattr(MODULE, "fit", recorded)
    covered, bias = [], []
    for seed in range(150):
        x, y = draw(np.random.default_rng(seed), 240)
        fits.clear()
        result = s.held_out(x, y, measure, seed=seed, resamples=199)
        assert result.interval is not None
        truth = true_value(*fits[0])
        covered.append(result.interval.low <= truth <= result.interval.high)
        bias.append(result.value - truth)
    assert 0.88 <= np.mean(covered) <= 0.995
    assert abs(np.mean(bias)) < 4 * np.std(bias) / np.sqrt(len(bias)) + 0.005


@pytest.mark.parametrize("rho", [RHO, np.zeros(3), np.full(3, 0.99)])
def test_bootstrap_intervals_of_cka_cover_as_often_as_they_say(rho: np.ndarray) -> None:
    xx, xy, yy = covariances(rho)
    truth = (xy**2).sum() / np.sqrt((xx**2).sum() * (yy**2).sum())
    covered = []
    for seed in range(150):
        x, y = draw(np.random.default_rng(seed), 120, rho)
        interval = s.bootstrap(x, y, seed=seed, resamples=199).interval
        assert interval is not None
        covered.append(interval.low <= truth <= interval.high)
    assert 0.88 <= np.mean(covered) <= 0.995


def test_resampling_rows_outright_would_be_biased() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((60, 20)), rng.standard_normal((60, 20))
    repeated = []
    for _ in range(50):
        rows = rng.integers(60, size=60)
        repeated.append(s.linear_cka(x[rows], y[rows]).value)
    result = s.bootstrap(x, y)
    assert result.interval is not None
    assert np.quantile(repeated, 0.025) > result.value > result.interval.high
    assert "biased upward" in result.warnings[-1]
    assert result.interval.low < 0 < result.interval.high


def test_the_interval_is_that_of_the_population_whatever_the_estimate() -> None:
    x, y = draw(np.random.default_rng(2), 100)
    intervals = [s.bootstrap(x, y, "linear CKA", unbiased=unbiased).interval for unbiased in (True, False)]
    assert intervals[0] == intervals[1] == s.bootstrap(x, y, s.rv).interval
    itself = s.bootstrap(x, x).interval
    assert itself is not None
    assert itself.low == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("measure", FITTED)
def test_p_values_of_unrelated_sides_are_uniform(measure: str) -> None:
    p, levels = [], []
    for seed in range(150):
        x, y = draw(np.random.default_rng(seed), 40, np.zeros(3))
        chance = s.held_out(x, y, measure, seed=seed, resamples=39).chance
        assert chance is not None
        p.append(chance.p_value)
        levels.append(chance.level)
    # Kolmogorov's distance from uniform on 1/40, …, 1: its 0.1 % point for 150 values is 0.16.
    grid = np.arange(1, 41) / 40
    assert max(abs(np.mean(np.array(p)[:, None] <= grid, axis=0) - grid)) < 0.16
    if measure in ("mean CCA", "SVCCA", "PWCCA"):
        assert abs(np.mean(levels)) < 0.02


@pytest.mark.parametrize("measure", FITTED)
def test_related_sides_are_above_chance(measure: str) -> None:
    result = s.held_out(*draw(np.random.default_rng(3), 300), measure, resamples=199)
    assert result.chance is not None
    assert result.chance.p_value == 1 / 200
    assert (result.value < result.chance.level) == (measure == "Procrustes distance")
    assert len(result.values) == {"linear map": 2, "Procrustes distance": 1}.get(measure, 3)


def test_in_sample_values_of_unrelated_sides_are_their_chance_level() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.standard_normal((60, 12)), rng.standard_normal((60, 10))
    for measure in ("mean CCA", "linear CKA", "linear map", "Procrustes distance", "largest principal angle", "SVCCA"):
        result = s.permutation_test(x, y, measure, resamples=39)
        assert result.chance is not None
        assert abs(result.value - result.chance.level) < 0.25 * result.chance.level
        assert result.chance.p_value > 0.02
        related = s.permutation_test(x, np.hstack([x[:, :5], y[:, :5]]), measure, resamples=39)
        assert related.chance is not None
        assert related.chance.p_value == 1 / 40 or measure == "largest principal angle"
    held = s.held_out(x, y, resamples=39)
    assert abs(held.value) < 0.2 < s.mean_cca(x, y).value


def test_permuting_rows_is_permuting_rows() -> None:
    x, y = draw(np.random.default_rng(5), 50)
    values = []
    rng = np.random.default_rng(9)
    for _ in range(19):
        values.append(s.linear_cka(x, y[rng.permutation(50)]).value)
    chance = s.permutation_test(x, y, seed=9, resamples=19).chance
    assert chance is not None
    assert chance.level == pytest.approx(np.mean(values), abs=1e-13)


@pytest.mark.parametrize("kind", [Correlation, Explained, Distance])
def test_a_score_of_another_pairing_needs_no_refit(kind: type[Fit]) -> None:
    rng = np.random.default_rng(6)
    p, t = rng.standard_normal((30, 3)) + 1, rng.standard_normal((30, 3)) * 2 - 1
    model = kind(np.eye(3), np.ones(3), np.array([0.5, 0.3, 0.2]))
    constant, factor = model.paired(model.statistics(p, t).sum(axis=0))
    for order in (np.arange(30), rng.permutation(30)):
        direct = model.score(model.statistics(p, t[order]).sum(axis=0))
        assert constant + ((p * factor) * t[order]).sum() == pytest.approx(float(direct), abs=1e-12)


def test_scores_are_the_usual_ones() -> None:
    rng = np.random.default_rng(7)
    p, t = rng.standard_normal((30, 2)) + 5, rng.standard_normal((30, 2))
    model = Correlation(np.eye(2), np.ones(2), np.array([0.25, 0.75]))
    sums = model.statistics(p, t).sum(axis=0)
    expected = [np.corrcoef(p[:, i], t[:, i])[0, 1] for i in range(2)]
    np.testing.assert_allclose(model.parts(sums), expected, atol=1e-13)
    assert float(model.score(sums)) == pytest.approx(0.25 * expected[0] + 0.75 * expected[1])
    flat = replace(model)
    assert float(flat.score(flat.statistics(np.ones((5, 2)), t[:5]).sum(axis=0))) == 0


def test_a_held_out_fit_knows_nothing_of_the_judged_rows() -> None:
    rng = np.random.default_rng(8)
    x, y = rng.standard_normal((60, 10)), rng.standard_normal((60, 10))
    assert s.held_out(x, y, "linear map").value < 0 < s.linear_map(x, y).value


def test_groups_stay_together() -> None:
    rng = np.random.default_rng(10)
    groups = np.repeat(np.arange(60), 5)
    z = rng.standard_normal((60, 2))[groups]
    x, y = z + 0.01 * rng.standard_normal((300, 2)), rng.standard_normal((60, 2))[groups] + 0.01
    shuffled = rng.permutation(300)
    whole = s.held_out(x, y, groups=groups, resamples=199)
    assert whole.rows == 150
    assert whole == s.held_out(x, y, groups=[f"g{g:03}" for g in groups], resamples=199)
    rows = s.held_out(x, y, resamples=199)
    assert whole.interval is not None
    assert rows.interval is not None
    # Rows of a group say the same thing five times: alone, they seem to be 5 times as many.
    assert whole.interval.high - whole.interval.low > 1.5 * (rows.interval.high - rows.interval.low)
    assert whole.chance is not None
    assert rows.chance is not None
    assert whole.chance.p_value > 0.01
    moved = s.bootstrap(x[shuffled], y[shuffled], groups=groups[shuffled])
    stayed = s.bootstrap(x, y, groups=groups)
    assert moved.interval is not None
    assert stayed.interval is not None
    assert moved.interval.low == pytest.approx(stayed.interval.low, abs=1e-12)


def test_groups_of_their_own_size_have_no_chance_level() -> None:
    x, y = draw(np.random.default_rng(11), 820)
    groups = np.repeat(np.arange(40), np.arange(1, 41))
    result = s.held_out(x, y, groups=groups, resamples=19)
    assert result.chance is None
    assert "no chance level" in result.warnings[0]


def test_groups_that_cannot_change_places_leave_no_chance_level() -> None:
    """30 groups of 3 rows, and 42 of their own size with most of the rows: they would keep their partners."""
    groups = np.repeat(np.arange(72), [3] * 30 + list(range(20, 62)))
    rng = np.random.default_rng(0)
    x = rng.standard_normal((len(groups), 3))
    y = x + 0.5 * rng.standard_normal(x.shape)
    result = s.held_out(x, y, groups=groups)
    assert result.chance is None
    assert result.interval is not None
    assert re.match(r"no chance level: only \d+ of \d+ rows \(\d%\) are in groups", result.warnings[0])
    with pytest.raises(InputError, match=r"^only 90 of 1791 rows \(5%\) are in groups that another one of equal size"):
        s.permutation_test(x, y, groups=groups)


def test_a_few_rows_that_cannot_change_places_are_named() -> None:
    groups = np.repeat(np.arange(61), [5] * 60 + [60])
    rng = np.random.default_rng(0)
    x = rng.standard_normal((len(groups), 3))
    result = s.permutation_test(x, x + rng.standard_normal(x.shape), groups=groups)
    assert result.chance is not None
    assert "the chance level is too high: 300 of 360 rows (83%) are in groups" in result.warnings[-1]
    judged = [s.held_out(x, x, groups=groups, seed=seed).warnings for seed in range(6)]
    assert any("the chance level is too high" in " ".join(warnings) for warnings in judged)
    assert not all("the chance level is too high" in " ".join(warnings) for warnings in judged)


def test_the_seed_decides_everything() -> None:
    x, y = draw(np.random.default_rng(12), 100)
    for judge in (s.held_out, s.bootstrap, s.permutation_test):
        first, again, other = (judge(x, y, seed=seed, resamples=39) for seed in (1, 1, 2))
        assert first == again
        assert first != other


def test_blocks_of_judged_rows_do_not_change_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = draw(np.random.default_rng(13), 400)
    whole = s.held_out(x, y)
    monkeypatch.setattr(MODULE, "BLOCK", 30)
    parts = s.held_out(x, y)
    assert parts.value == pytest.approx(whole.value, abs=1e-13)
    assert whole.interval is not None
    assert parts.interval is not None
    assert parts.interval.low == pytest.approx(whole.interval.low, abs=0.01)
    assert whole.chance is not None
    assert parts.chance is not None
    assert parts.chance.level == pytest.approx(whole.chance.level, abs=0.02)


@pytest.mark.parametrize("widths", [(20, 8), (8, 20), (8, 8)])
def test_held_out_distance_of_other_widths(widths: tuple[int, int]) -> None:
    """The same both ways, and near the value on all rows: where x is wider, none of it may be lost."""
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(4000, 8))
    x, y = (shared @ rng.normal(size=(8, d)) + rng.normal(size=(4000, d)) for d in widths)
    x[:, 0] = 1.0  # a constant column is no dimension
    value = s.held_out(x, y, "Procrustes distance").value
    assert value == pytest.approx(s.held_out(y, x, "Procrustes distance").value, abs=1e-12)
    assert value == pytest.approx(s.procrustes_distance(x, y).value, abs=0.03)
