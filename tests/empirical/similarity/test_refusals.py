"""Bad input is refused with what was wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from empirical import similarity as s
from empirical.errors import InputError

X = np.random.default_rng(0).standard_normal((60, 4))
Y = np.random.default_rng(1).standard_normal((60, 3))
MEASURES = (s.mean_cca, s.svcca, s.pwcca, s.linear_cka, s.rv, s.procrustes_distance, s.linear_map, s.principal_angles)


def spoiled(value: float, row: int = 41, column: int = 2) -> np.ndarray:
    x = X.copy()
    x[row, column] = value
    return x


BAD: dict[str, tuple[object, object, str]] = {
    "nan": (spoiled(np.nan), Y, "x: row 41, column 2 is nan"),
    "inf": (X, np.vstack([Y[:-1], np.full((1, 3), -np.inf)]), "y: row 59, column 0 is -inf"),
    "nan in a part": ([X[:40], spoiled(np.nan)[40:]], Y, r"x: row 41 \(row 1 of array 1\), column 2 is nan"),
    "constant": (np.full((60, 2), 0.1), Y, "x: all 2 columns are constant: there is no variance"),
    "integers": (X.astype(np.int64), Y, "x: int64 values; convert to float64 or float32"),
    "bool": (X > 0, Y, "x: bool values; convert"),
    "half": (X.astype(np.float16), Y, "x: float16 values; convert"),
    "objects": (X.astype(object), Y, "x: object values; convert"),
    "complex": (X + 1j, Y, "x: complex numbers; pass real and imaginary parts as separate columns"),
    "1-D": (X[:, 0], Y, r"x: 1-D, shape \(60,\); it takes \(rows, columns\)"),
    "3-D": (X[None], Y, r"x: 3-D, shape \(1, 60, 4\)"),
    "empty": (X[:0], Y[:0], r"x: empty, shape \(0, 4\)"),
    "no columns": (X[:, :0], Y, r"x: empty, shape \(60, 0\)"),
    "one row": (X[:1], Y[:1], "there is 1 row"),
    "unequal rows": (X, Y[:59], r"60 \(x\), 59 \(y\) rows"),
    "unequal parts": ([X, X[:, :3]], Y, r"x: its parts have \[3, 4\] columns"),
    "no parts": ([], Y, "x: an empty list"),
    "a list of numbers": ([[1.0, 2.0]], Y, "x: list is neither an array nor a path; convert with numpy.asarray"),
    "masked": (np.ma.masked_invalid(X), Y, "x: a masked array; drop the masked rows"),
    "no file": ("nowhere.npy", Y, "x: nowhere.npy: there is no such file"),
    "another file": ("rows.csv", Y, r"x: rows.csv: only .npy files are read here"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_refuses(measure: Callable[..., s.Measurement], name: str) -> None:
    x, y, message = BAD[name]
    with pytest.raises(InputError, match=message):
        measure(x, y)


@pytest.mark.parametrize("name", [name for name in BAD if name != "one row"])
def test_so_do_the_resampling_ones(name: str) -> None:
    x, y, message = BAD[name]
    for judge in (s.held_out, s.bootstrap, s.permutation_test):
        with pytest.raises(InputError, match=message):
            judge(x, y)  # type: ignore[operator]


@pytest.mark.parametrize("measure", [s.mean_cca, s.pwcca, s.principal_angles])
def test_void_correlations_are_refused(measure: Callable[..., s.Measurement]) -> None:
    for rows, needed in ((8, 9), (5, 9), (3, 9)):
        with pytest.raises(InputError, match=f"{rows} rows are too few.*at least {needed} rows are needed"):
            measure(X[:rows], Y[:rows])
    assert measure(X[:9], Y[:9]).warnings[0].startswith("9 rows for 7 fitted directions")
    assert measure(np.tile(X, (5, 1)), np.tile(Y, (5, 1))).warnings == ()


def test_without_the_refusal_noise_would_score_1() -> None:
    qx, qy = (np.linalg.qr(side[:7] - side[:7].mean(axis=0))[0] for side in (X, Y))
    assert np.linalg.svd(qx.T @ qy, compute_uv=False)[0] > 0.9999


def test_a_map_with_too_few_rows_is_void() -> None:
    with pytest.raises(InputError, match="5 rows are too few: a map from 4 directions fits any y exactly; at least 6"):
        s.linear_map(X[:5], Y[:5])
    assert 0 <= s.linear_map(X[:6], Y[:6]).value < 1
    with pytest.raises(InputError, match=r"4 rows are too few.*at least 5"):
        s.linear_map(X[:4], Y[:4], affine=False)


def test_wide_sides_have_a_cka_and_a_distance() -> None:
    x, y = X[:12] @ np.ones((4, 30)) + np.tile(Y[:12], 10), np.hstack([Y[:12]] * 9)
    for measure in (s.linear_cka, s.rv, s.procrustes_distance):
        result = measure(x, y)
        assert np.isfinite(result.value)
        assert result.warnings[0].startswith("12 rows for 57 columns: ")
    assert abs(s.linear_cka(x, y, unbiased=True).value) <= 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: s.mean_cca(X), "y is missing"),
        (lambda: s.mean_cca(s.joint(X, Y), Y), "leave it out when x is a Joint"),
        (lambda: s.mean_cca(s.joint(X, Y, X)), r"has 3 sources; choose two with .pair\(i, j\)"),
        (lambda: s.joint(), "no source was given"),
        (lambda: s.joint(X, products="float16"), "products = 'float16': either 'float64' or 'float32'"),  # type: ignore[arg-type]
        (lambda: s.joint(X, rows_at_once=0), "rows_at_once = 0: at least 1"),
        (lambda: s.svcca(X, Y, variance=1.5), "variance = 1.5: a share"),
        (lambda: s.svcca(X, Y, variance=float("nan")), "variance = nan: a share"),
        (lambda: s.svcca(X, Y, components=0), "components = 0: a whole number"),
        (lambda: s.svcca(X, Y, components=4), "components = 4: y has 3 columns that vary"),
        (lambda: s.svcca(X, Y, components=2, variance=0.9), "variance or components, not both"),
        (lambda: s.svcca(X[:, [0, 1, 0]], Y, components=3), "components = 3: x has numerical rank 2"),
        (lambda: s.svcca(X[:5], Y[:5], components=2), "5 rows are too few for 2 and 2 components: at least 6"),
        (lambda: s.linear_cka(X[:3], Y[:3], unbiased=True), "3 rows: the unbiased HSIC"),
        (lambda: s.similarity_matrix([X, Y], "CKA"), "measure = 'CKA': one of mean CCA, SVCCA"),
        (lambda: s.held_out(X, Y, "linear CKA"), "CKA and RV fit nothing: use bootstrap"),
        (lambda: s.held_out(X, Y, components=2), "mean CCA does not take components here"),
        (lambda: s.held_out(X[:18], Y[:18]), "18 rows leave 9 to judge on; at least 20"),
        (lambda: s.held_out(X, Y, level=95), "level = 95: a number between 0 and 1"),
        (lambda: s.held_out(X, Y, resamples=0), "resamples = 0: a whole number of at least 19"),
        (lambda: s.held_out(X, Y, groups=[1, 2]), r"groups: shape \(2,\); one label for each of the 60 rows"),
        (lambda: s.held_out(X, Y, groups=np.full(60, np.nan)), "groups: a label is not finite"),
        (
            lambda: s.held_out(np.tile(X, 10), X @ np.ones((4, 40)) + np.tile(Y[:, :1], 40), groups=np.arange(60) // 3),
            None,
        ),
        (lambda: s.bootstrap(X, Y, "mean CCA"), "mean CCA is fitted to the rows.*use held_out"),
        (lambda: s.bootstrap(X[:9], Y[:9]), "9 rows to resample; at least 10"),
        (lambda: s.permutation_test(X, Y, groups=np.arange(60) // 30), "allow too few permutations for 199"),
        (lambda: s.permutation_test(X, Y, "nothing"), "measure = 'nothing': one of"),
    ],
)
def test_wrong_calls_are_refused(call: Callable[[], object], message: str | None) -> None:
    if message is None:
        call()
        return
    with pytest.raises(InputError, match=message):
        call()


def test_the_half_that_is_fitted_must_be_enough() -> None:
    with pytest.raises(InputError, match=r"in the half to fit on \(10 rows\): 10 rows are too few.* at least 14 rows"):
        s.held_out(np.hstack([X, X**2])[:20], np.hstack([Y, Y**2])[:20, :4])


def test_a_broken_file(tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(b"not numpy at all")
    with pytest.raises(InputError, match=r"x.npy: not a readable .npy file"):
        s.joint(tmp_path / "x.npy")
    np.save(tmp_path / "o.npy", np.array([[{}]]), allow_pickle=True)
    with pytest.raises(InputError, match=r"o.npy: not a readable .npy file"):
        s.joint(tmp_path / "o.npy")
    bad = X.copy()
    bad[7, 1] = np.nan
    np.save(tmp_path / "bad.npy", bad)
    with pytest.raises(InputError, match=r"row 67 \(row 7 of .*bad.npy\), column 1 is nan"):
        s.joint([X, tmp_path / "bad.npy"])  # type: ignore[list-item]


def test_a_value_out_of_range_is_our_mistake_not_a_result() -> None:
    from empirical.similarity.checks import unit_interval

    assert unit_interval(np.array([1 + 1e-15, -1e-15]), 1e-14).tolist() == [1.0, 0.0]
    for value in (1 + 1e-13, -1e-13, np.nan):
        with pytest.raises(RuntimeError, match="a mistake here"):
            unit_interval(value, 1e-14)
