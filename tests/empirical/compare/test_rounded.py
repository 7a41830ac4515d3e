"""Arrays stored as float16 or bfloat16: what their rounding leaves is neither rank nor difference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from empirical.compare.results import Comparison, Options
from empirical.compare.run import compare
from tests.empirical.compare.pairs import Model, equivalent, model, save, save_bfloat16, unbiased

QUICK = Options(resamples=99)
A = np.array([[2.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0]])


def save_float16(path: Path, arrays: Model) -> str:
    return save(path, {name: array.astype(">f2") for name, array in arrays.items()})


Writer = Callable[[Path, Model], str]
HALVES = pytest.mark.parametrize(
    ("write", "ending"), [(save_float16, "npz"), (save_bfloat16, "safetensors")], ids=["float16", "bfloat16"]
)


def compared(folder: Path, write: Writer, ending: str, *models: Model) -> Comparison:
    paths = [write(folder / f"{i}.{ending}", arrays) for i, arrays in enumerate(models)]
    return compare(paths, QUICK)


@HALVES
def test_dependent_columns_are_no_rank(write: Writer, ending: str, tmp_path: Path) -> None:
    f = np.random.default_rng(0).normal(size=(300, 2))
    f = np.column_stack([f, f @ [0.3, 0.7]])
    comparison = compared(tmp_path, write, ending, {"f": f}, {"f": f @ A})
    (pair,) = comparison.pairs
    assert pair.ranks is not None
    assert [rank.value for rank in pair.ranks] == [2, 2]
    assert "consistent with linear equivalence" in comparison.sentence


@HALVES
def test_exact_equivalents_differ_by_no_more_than_rounding(write: Writer, ending: str, tmp_path: Path) -> None:
    f = np.random.default_rng(1).normal(size=(300, 3))
    comparison = compared(tmp_path, write, ending, {"f": f}, {"f": f @ A})
    assert "consistent with linear equivalence" in comparison.sentence
    assert "of its spread, which rounding to " in comparison.sentence
    assert any("may be rounding" in note for note in comparison.notes)
    wide = [{"f": np.random.default_rng(1).normal(size=(300, 3)) @ B} for B in (np.eye(3), A)]
    wide[1]["f"] += 0.1 * np.random.default_rng(2).normal(size=(300, 3))
    assert "short of linear equivalence" in compared(tmp_path, write, ending, *wide).sentence


@HALVES
def test_the_diagnosis_knows_the_type(write: Writer, ending: str, tmp_path: Path) -> None:
    """Exact equivalents are not said to differ, and g with a dependent column has no full rank."""
    star = unbiased(model(dim=3))
    (pair,) = compared(tmp_path, write, ending, star, equivalent(star)).pairs
    assert pair.diagnosis is not None
    assert "the distributions differ" not in pair.sentence
    narrow = {**star, "g": np.column_stack([star["g"][:, :2], star["g"][:, :2] @ [0.3, 0.7]])}
    (pair,) = compared(tmp_path, write, ending, narrow, narrow).pairs
    assert pair.diagnosis is not None
    for summary in pair.diagnosis.models:
        assert summary.label_differences is not None
        assert summary.label_differences.rank == 2


def test_more_precise_types_are_as_they_were(tmp_path: Path) -> None:
    star = unbiased(model(dim=3))
    for dtype in (np.float32, np.float64):
        single = {name: array.astype(dtype) for name, array in star.items()}
        comparison = compared(tmp_path, save, "npz", single, single)
        assert [one.f.eps for one in comparison.models] == [np.finfo(dtype).eps] * 2
        assert not any("may be rounding" in note for note in comparison.notes)
