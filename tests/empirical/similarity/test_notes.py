"""Faults that were seen in other implementations: the faulty formula is wrong on such an input, and ours is not.

The formulas are those of ``mutants.py`` or are written here, from descriptions of what the packages do; they are not
the packages' code, whose answers are in ``docs/similarity-accuracy.md``.  The inputs with which the numbers of those
reports were found are not known, so what is tested is the fact (wrong by how much, above 1, not a number), never the
number reported.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from empirical.errors import InputError
from empirical.similarity import canonical_correlations, linear_cka, linear_map, mean_cca, pwcca, svcca
from tests.empirical.similarity import mutants, references
from tests.empirical.similarity.cases import case, independent
from tests.empirical.similarity.mutants import MUTANTS, Array, Function

REFUSALS = (np.linalg.LinAlgError, InputError)


def quiet(f: Function, x: Array, y: Array) -> float:
    """The value, or NaN where the formula breaks down."""
    with np.errstate(all="ignore"):
        try:
            return f(x, y)
        except np.linalg.LinAlgError:
            return math.nan


def eigenvalue_cut(x: Array, y: Array, cut: float = 1e-10) -> float:
    """Whitening by the eigenvalues of the Gram matrix above a cut, relative to the largest; columns as they are."""
    roots = []
    for a in (mutants.centred(x), mutants.centred(y)):
        values, vectors = np.linalg.eigh(a.T @ a)
        live = values > cut * values[-1]
        roots.append(a @ (vectors[:, live] / np.sqrt(values[live])))
    return float(np.linalg.svd(roots[0].T @ roots[1], compute_uv=False).mean())


def relative_ridge(x: Array, y: Array) -> float:
    """A ridge of 1e-10 of the largest variance: harmless where all columns are alike."""
    a, b = (m / np.linalg.norm(m, 2) * np.sqrt(len(m)) for m in (mutants.centred(x), mutants.centred(y)))
    return float(mutants.gram(a, b, ridge=1e-10).mean())


SINGULAR = ("half the rank", "both of low rank", "each column twice", "a constant column")
CELLS: list[tuple[Function, str, tuple[str, ...]]] = [
    (MUTANTS["inverted Gram matrices"][1], "Gram", ("condition 1e8", "condition 1e12", *SINGULAR)),
    (MUTANTS["a fixed ridge"][1], "ridge", ("condition 1e6", "condition 1e8", "condition 1e12", "all times 1e-6")),
    (MUTANTS["a fixed ridge"][1], "ridge", ("columns in units 1 … 1e-8",)),
    (relative_ridge, "relative ridge", ("condition 1e6", "condition 1e8", "condition 1e12")),
    (relative_ridge, "relative ridge", ("columns in units 1 … 1e-8",)),
    (eigenvalue_cut, "cut", ("condition 1e6", "condition 1e8", "condition 1e12", "columns in units 1 … 1e-8")),
    (MUTANTS["QR without a rank"][1], "QR", SINGULAR),
    (MUTANTS["float32 products"][1], "float32", ("float32, condition 1e4",)),
    (MUTANTS["divided by the larger width"][1], "divisor", ("twice as many columns",)),
]


@pytest.mark.parametrize(
    ("formula", "name"),
    [pytest.param(f, name, id=f"{label}, {name}") for f, label, names in CELLS for name in names],
)
def test_bold_and_failing_cells_of_mean_cca(formula: Function, name: str) -> None:
    """Off by more than 1e-4, or no number at all."""
    each = case(name)
    wrong = quiet(formula, each.x, each.y)
    assert not abs(wrong - each.mean_cca) < 1e-4
    try:
        assert abs(mean_cca(each.x, each.y).value - each.mean_cca) <= each.promised
    except InputError:
        assert each.may_refuse


@pytest.mark.parametrize(
    ("formula", "name"),
    [
        (MUTANTS["inverted Gram matrices"][1], "well conditioned"),
        (MUTANTS["a fixed ridge"][1], "well conditioned"),
        (relative_ridge, "well conditioned"),
        (eigenvalue_cut, "half the rank"),
        (MUTANTS["QR without a rank"][1], "condition 1e8"),
        (MUTANTS["float32 products"][1], "well conditioned"),
    ],
)
def test_the_faulty_formulas_are_right_on_easy_inputs(formula: Function, name: str) -> None:
    """Which is why the faults go unnoticed; and these formulas are wrong for the reason given, not by a slip here."""
    each = case(name)
    assert quiet(formula, each.x, each.y) == pytest.approx(each.mean_cca, abs=1e-5)


def test_correlations_above_one() -> None:
    """Inverted Gram matrices give correlations above 1 on singular sides; ours stay within [0, 1]."""
    each = case("condition 1e8")
    rng = np.random.default_rng(0)
    largest = []
    for _ in range(20):
        x = each.x @ np.linalg.qr(rng.standard_normal((16, 16)))[0]
        with np.errstate(all="ignore"):
            largest.append(np.nanmax(mutants.gram(x, x), initial=0.0))
        assert max(canonical_correlations(x, x).values) <= 1.0
    assert max(largest) > 1 + 1e-6


class TestSvcca:
    """One name, several meanings."""

    def test_one_component_is_not_the_measure(self) -> None:
        """As in ReSi's, where it reports far too little or too much."""
        each = case("twice as many columns")
        one = MUTANTS["SVCCA of one component"][1](each.x, each.y)
        right = references.svcca(each.x, each.y)
        assert abs(one - right) > 0.05
        assert abs(svcca(each.x, each.y).value - right) < 1e-10

    def test_no_truncation_is_mean_cca(self) -> None:
        """As in repsim's."""
        each = case("condition 1e4")
        untruncated = MUTANTS["SVCCA not truncated"][1](each.x, each.y)
        assert untruncated == pytest.approx(each.mean_cca, abs=1e-8)
        assert abs(untruncated - svcca(each.x, each.y).value) > 0.01
        assert svcca(each.x, each.y, variance=1 - 1e-12).value == pytest.approx(each.mean_cca, abs=1e-8)

    def test_divided_by_the_wrong_width(self) -> None:
        """As in deep-reps': the number of columns for the number of components kept."""
        each = case("condition 1e4")
        assert mutants.svcca_by_width(each.x, each.x) < 0.8
        assert svcca(each.x, each.x).value == pytest.approx(1, abs=1e-12)

    @pytest.mark.parametrize("name", ["well conditioned", "condition 1e8", "half the rank", "mean 1e8"])
    def test_of_a_side_with_itself_is_one(self, name: str) -> None:
        """And the same at every call.  As in platonic-rep's, an unseeded random range finder gives neither."""
        x = case(name).x
        assert svcca(x, x).value == pytest.approx(1, abs=1e-10)
        assert svcca(x, x).value == svcca(x, x).value

        def sketched(seed: int) -> Array:
            ranges = mutants.centred(x) @ np.random.default_rng(seed).standard_normal((16, 5))
            return np.linalg.qr(ranges)[0]

        if name == "well conditioned":
            assert np.linalg.svd(sketched(1).T @ sketched(2), compute_uv=False).mean() < 0.9

    def test_the_result_says_which(self) -> None:
        """Five conventions, five numbers on one input; ours is named in the result."""
        each = case("condition 1e4")
        names = ("SVCCA not truncated", "SVCCA of one component", "share of singular values", "one component short")
        found = [MUTANTS[name][1](each.x, each.y) for name in (*names, "SVCCA divided by the width")]
        ours = svcca(each.x, each.y)
        assert np.min(np.diff(np.sort([*found, ours.value]))) > 1e-3
        assert "0.99" in ours.convention
        assert "eigenvalues" in ours.convention
        kept = references.kept(each.x, 0.99), references.kept(each.y, 0.99)
        assert f"{kept[0]} and {kept[1]}" in ours.convention
        assert "3 components" in svcca(each.x, each.y, components=3).convention


class TestPwcca:
    def test_without_whitening_the_weights_are_wrong(self) -> None:
        """As in google/svcca's, and what copied it: the fault is hidden where the columns are white already."""
        formula = MUTANTS["PWCCA directions not whitened"][1]
        each = case("condition 1e4")
        x, y = (np.asarray(references.orthonormal(references.centred(a)), np.float64) for a in (each.x, each.y))
        assert formula(x, y) == pytest.approx(references.pwcca(x, y), abs=1e-6)
        right = references.pwcca(each.x, each.y)
        assert abs(formula(each.x, each.y) - right) > 1e-2
        assert abs(pwcca(each.x, each.y).value - right) < 1e-9

    def test_unequal_widths(self) -> None:
        """Both ways round, as the weights come from one side."""
        each = case("twice as many columns")
        for x, y in ((each.x, each.y), (each.y, each.x)):
            assert pwcca(x, y).value == pytest.approx(references.pwcca(x, y), abs=1e-10)
        assert abs(pwcca(each.x, each.y).value - pwcca(each.y, each.x).value) > 1e-4

    def test_is_not_svcca(self) -> None:
        """As in a package where both names give one number."""
        each = case("condition 1e4")
        assert abs(pwcca(each.x, each.y).value - svcca(each.x, each.y).value) > 1e-3


class TestCka:
    @pytest.mark.parametrize("unbiased", [False, True])
    def test_large_column_means(self, unbiased: bool) -> None:
        """Kernels of columns that are not centred lose all digits at a mean of 1e8: below 0, 0 and 1 were reported."""
        each = case("mean 1e8")
        right = (references.unbiased_cka if unbiased else references.linear_cka)(each.x, each.y)
        wrong = quiet(mutants.kernel_cka(unbiased=unbiased), each.x, each.y)
        assert not abs(wrong - right) < 1e-2
        assert abs(linear_cka(each.x, each.y, unbiased=unbiased).value - right) < 1e-10

    def test_single_precision_kernels(self) -> None:
        """Clipped to [0, 1], they give 1 or 0 with no sign that anything is wrong.  Ours computes in float64."""
        x, y = (a.astype(np.float32) + np.float32(1e4) for a in independent(3, 400, 8, 8))
        right = references.unbiased_cka(x, y)
        wrong = np.clip(quiet(mutants.kernel_cka(np.float32), x, y), 0, 1)
        assert not abs(wrong - right) < 0.05
        assert abs(linear_cka(x, y, unbiased=True).value - right) < 1e-10

    def test_any_mix_of_precisions(self) -> None:
        """float64 is not refused, and one side may be float32."""
        each = case("float32, mean 1e3")
        x, y = each.x, each.y.astype(np.float64)
        for a, b in ((x, y), (x.astype(np.float64), each.y), (x.astype(np.float64), y)):
            assert linear_cka(a, b).value == pytest.approx(references.linear_cka(x, y), abs=1e-12)
            assert abs(mean_cca(a, b).value - each.mean_cca) < 1e-10

    def test_biased_and_unbiased_differ(self) -> None:
        """The bias is about sqrt(d₁d₂)/n for sides with nothing in common; each is right by its own n x n formula."""
        x, y = independent(4, 300, 30, 30)
        biased, unbiased = linear_cka(x, y), linear_cka(x, y, unbiased=True)
        assert biased.value == pytest.approx(references.kernel_cka(x, y), abs=1e-12)
        assert unbiased.value == pytest.approx(references.unbiased_cka(x, y), abs=1e-12)
        assert biased.value - unbiased.value > 0.05
        assert biased.convention != unbiased.convention


class TestFewRows:
    def test_fewer_rows_than_columns(self) -> None:
        """QR of noise gives 1; ours says how many rows are needed."""
        x, y = independent(5, 20, 32, 32)
        assert mutants.qr(x, y).mean() == pytest.approx(1, abs=1e-6)
        with pytest.raises(InputError, match="66 rows are needed"):
            mean_cca(x, y)
        with pytest.raises(InputError, match=r"34 rows are needed|rows are too few"):
            linear_map(x, y)

    def test_fewer_rows_than_both_widths(self) -> None:
        """Independent noise, 30 rows of 16 and 14 columns: the number exists, and says nothing."""
        x, y = independent(6, 30, 16, 14)
        assert mutants.qr(x, y).mean() > 0.6
        with pytest.raises(InputError, match="at least 32 rows are needed"):
            mean_cca(x, y)
        with pytest.raises(InputError, match="at least 32 rows are needed"):
            pwcca(x, y)

    def test_just_enough_rows_come_with_a_warning(self) -> None:
        x, y = independent(7, 32, 16, 14)
        found = mean_cca(x, y)
        assert found.value > 0.6
        assert any("32 rows for 30 fitted directions" in warning for warning in found.warnings)
        plenty = independent(7, 400, 16, 14)
        assert mean_cca(*plenty).warnings == ()


class TestLinearMap:
    def test_r_squared_above_one(self) -> None:
        """As in ReSi's: from inverted Gram matrices, at a condition of 1e12."""
        each = case("condition 1e12")
        y = np.asarray(references.orthonormal(references.centred(each.x)), np.float64)  # all of it explained
        rng = np.random.default_rng(1)
        turned = [each.x @ np.linalg.qr(rng.standard_normal((16, 16)))[0] for _ in range(20)]
        assert np.nanmax([quiet(mutants.normal_equations, x, y) for x in turned]) > 1.05
        for x in turned[:5]:
            try:
                found = linear_map(x, y).value
            except InputError:
                continue
            assert 0.999 < found <= 1


def test_columns_that_are_not_centred() -> None:
    """As in pyrcca: two unrelated sides with a mean each share the constant direction."""
    x, y = independent(8, 500, 1, 1)
    x, y = x + 10, y + 10
    assert mutants.uncentred(x, y) > 0.97
    assert mean_cca(x, y).value == pytest.approx(abs(np.corrcoef(x[:, 0], y[:, 0])[0, 1]), abs=1e-12)
    assert mean_cca(x, y).value < 0.2


def test_conditioning_sets_the_attainable_error() -> None:
    """Rounding the inputs once moves the answer by more the worse the condition is, whatever the method."""
    moved = [case(name).moved for name in ("condition 1e4", "condition 1e8", "condition 1e12")]
    assert moved[0] < 1e-14 < moved[1] < 1e-10 < moved[2] < 1e-6


def test_an_invertible_map_cannot_be_told_from_nothing_in_common_in_sample() -> None:
    """With few rows both are near 1 in-sample; on rows that were not fitted only the map is left."""
    from empirical.similarity import held_out

    rng = np.random.default_rng(9)
    x, noise = independent(9, 60, 12, 12)
    mapped = x @ rng.standard_normal((12, 12))
    assert mean_cca(x, mapped).value == pytest.approx(1, abs=1e-9)
    assert mean_cca(x, noise).value > 0.4
    same, other = held_out(x, mapped, "mean CCA"), held_out(x, noise, "mean CCA")
    assert same.value == pytest.approx(1, abs=1e-6)
    assert other.value < 0.3
    assert same.chance is not None
    assert other.chance is not None
    assert same.chance.p_value < 0.02 < other.chance.p_value


@pytest.mark.parametrize("far", [1.0, 1e2, 1e4, 1e5])
def test_unbiased_cka_says_what_rounding_may_do_to_it(far: float) -> None:
    """One far row holds nearly all the variance, and the unbiased HSIC takes nearly all of it away again."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 5))
    x[0] *= far
    y = x @ rng.normal(size=(5, 4)) + rng.normal(size=(200, 4))
    found = linear_cka(x, y, unbiased=True)
    kernels = []
    for side in (x, y):
        side = np.asarray(side - side.mean(axis=0), dtype=np.longdouble)
        kernel = side @ side.T
        np.fill_diagonal(kernel, 0)
        kernels.append(kernel)

    def hsic(K: np.ndarray, L: np.ndarray) -> np.longdouble:
        n = np.longdouble(len(K))
        return (K * L).sum() + K.sum() * L.sum() / (n - 1) / (n - 2) - 2 / (n - 2) * (K.sum(axis=0) @ L.sum(axis=0))

    K, L = kernels
    error = abs(float(hsic(K, L) / np.sqrt(hsic(K, K) * hsic(L, L))) - found.value)
    if far < 1e3:
        assert error < 1e-10
        assert not found.warnings
    else:
        (said,) = found.warnings
        assert error < float(said.rsplit(" ", 1)[1])
