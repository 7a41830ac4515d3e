"""Files, memory maps and several parts: the same numbers, without holding the rows."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from empirical import similarity as s
from empirical.similarity import factors, moments


@pytest.fixture
def pair() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    x = rng.standard_normal((5000, 8)) + 7
    return x, (x[:, :3] + rng.standard_normal((5000, 3))).astype(np.float32)


def everything(x: object, y: object) -> list[float]:
    """Numbers from every kind of pass."""
    held = s.held_out(x, y, "PWCCA", resamples=19)  # type: ignore[arg-type]
    assert held.interval is not None
    both = s.joint(x, y)  # type: ignore[arg-type]
    return [
        s.mean_cca(both).value,
        s.linear_cka(both, unbiased=True).value,
        s.principal_angles(both).value,
        s.linear_map(both, affine=False).value,
        held.value,
        held.interval.low,
    ]


def test_parts_files_and_maps_give_the_same_bits(pair: tuple[np.ndarray, np.ndarray], tmp_path: Path) -> None:
    x, y = pair
    expected = everything(x, y)
    files = []
    for number, part in enumerate(np.split(x, [1, 1700, 3333])):
        np.save(tmp_path / f"x{number}.npy", part)
        files.append(tmp_path / f"x{number}.npy")
    np.save(tmp_path / "y.npy", y)
    mapped = np.load(tmp_path / "y.npy", mmap_mode="r")
    assert everything(files, mapped) == expected
    assert everything([x[:1234], str(files[0]), x[1235:]], tmp_path / "y.npy") != expected  # another first row there
    assert everything([x[:1234], x[1234:]], str(tmp_path / "y.npy")) == expected
    np.save(tmp_path / "columns.npy", np.asfortranarray(x))
    assert everything(tmp_path / "columns.npy", y) == expected


def test_block_sizes_change_only_the_last_digits(
    pair: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = everything(*pair)
    monkeypatch.setattr(moments, "SCRATCH", 8 * 11 * 300)
    np.testing.assert_allclose(everything(*pair), expected, rtol=1e-12)
    values = [s.mean_cca(s.joint(*pair, rows_at_once=rows)).value for rows in (1, 77, 4999)]
    np.testing.assert_allclose(values, expected[0], rtol=1e-12)


def test_rows_are_taken_in_any_order(pair: tuple[np.ndarray, np.ndarray]) -> None:
    from empirical.similarity.sources import source

    parts = source([pair[0][:10], pair[0][10:]], "x")
    order = np.array([3, 4999, 0, 11, 10, 3])
    taken = parts.take(order)
    got = np.empty((6, 8))
    for where, values in taken.pieces(0, 6):
        got[where] = values
    np.testing.assert_array_equal(got, pair[0][order])
    np.testing.assert_array_equal(next(taken.take(np.array([1])).pieces(0, 1))[1], pair[0][[4999]])


def test_the_memory_needed_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    rows, columns = 60_000, 128
    rng = np.random.default_rng(2)
    for name in ("x", "y"):
        block = rng.standard_normal((rows // 10, columns))
        out = np.lib.format.open_memmap(tmp_path / f"{name}.npy", mode="w+", dtype=np.float64, shape=(rows, columns))
        for first in range(0, rows, len(block)):
            out[first : first + len(block)] = block + 0.1 * first / rows
        del out
    sides = tmp_path / "x.npy", tmp_path / "y.npy"
    tracemalloc.start()
    try:
        both = s.joint(*sides)
        s.mean_cca(both)
        s.linear_cka(both, unbiased=True)
        factors.triangle(both.sources, both.moments, True)
        _, peak = tracemalloc.get_traced_memory()
        assert peak < 40e6 < rows * columns * 8  # each side has 61 MB
        tracemalloc.reset_peak()
        s.held_out(*sides, "linear map", resamples=199)
        assert tracemalloc.get_traced_memory()[1] < 90e6
    finally:
        tracemalloc.stop()


def test_changed_precision_of_a_part_counts(pair: tuple[np.ndarray, np.ndarray]) -> None:
    from empirical.similarity.sources import source

    assert source([pair[0][:10], pair[0][10:].astype(np.float32)], "x").eps == np.finfo(np.float32).eps
    assert source(pair[0], "x").eps == np.finfo(np.float64).eps
    assert source(pair[0], "x", 2.0**-7).take(np.arange(5)).eps == 2.0**-7
