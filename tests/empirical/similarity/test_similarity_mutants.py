"""Would it be noticed?  Every wrong formula of ``mutants.py``, and faults planted in the package itself."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from empirical.similarity import Joint, Rank, canonical, kernels, moments, whitening
from tests.empirical.similarity.judge import MEASURES, answers, broken, properties
from tests.empirical.similarity.mutants import MUTANTS

joint = importlib.import_module("empirical.similarity.joint")  # in the package the name is the function's


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_formula_is_caught(name: str) -> None:
    """By a known answer or by an invariance."""
    measure, formula = MUTANTS[name]
    assert next(answers(measure, formula), None) or list(properties(measure, formula))


def test_the_right_formulas_are_not() -> None:
    """The same judge finds nothing wrong with ours, so what catches the mutants is not mere strictness."""
    for measure, judged in MEASURES.items():
        assert broken(measure, judged.ours) == []


def _rank_is_full(singular: np.ndarray, tolerance: np.ndarray, columns: int, name: str, **_: Any) -> Rank:
    return Rank(len(singular), columns, float(tolerance[-1]), float(singular[-1]), None, float(1 / singular[-1]))


def _no_noise(rows: int, columns: int, eps: float, norms: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    return np.zeros(columns)


def _mean_left_in(sources: Any, products: Any, wanted: int | None = None) -> moments.Moments:
    found = moments.accumulate(sources, products, wanted)
    shift = found.means * found.units
    return replace(found, gram=found.gram + found.rows * np.outer(shift, shift))


def _cross_unwhitened(self: whitening.Whitened) -> np.ndarray:
    return self.pair.block(0, 1)


def _weights_dropped(pair: Joint, first: int, second: int) -> np.ndarray:
    return pair.block(first, second) / np.sqrt(len(pair.side(first).live) * len(pair.side(second).live))


def _hsic_with_its_diagonal(pair: Joint) -> tuple[float, float, float]:
    return tuple(float((kernels.weighted(pair, a, b) ** 2).sum()) for a, b in ((0, 1), (0, 0), (1, 1)))  # type: ignore[return-value]


_project = whitening.Whitened.project


def _project_unweighted(self: whitening.Whitened, onto: int, of: int) -> np.ndarray:
    return _project(self, onto, of) / self.pair.side(of, self.centred).weights


PLANTED: dict[str, tuple[list[tuple[Any, str, Any]], str]] = {
    "rank always full": ([(whitening, "decide", _rank_is_full)], "mean CCA"),
    "rounding of the input forgotten": ([(joint, "input_noise", _no_noise)], "mean CCA"),
    "rank tolerance far too large": ([(whitening, "MARGIN", 1e8)], "mean CCA"),
    "correction for the mean left out": ([(joint, "accumulate", _mean_left_in)], "mean CCA"),
    "cross product not whitened": ([(whitening.Whitened, "cross", _cross_unwhitened)], "mean CCA"),
    "correlations squared": ([(canonical, "unit_interval", lambda v, _: np.square(v))], "mean CCA"),
    "column norms forgotten in CKA": ([(kernels, "weighted", _weights_dropped)], "linear CKA"),
    "column norms forgotten in Procrustes": ([(kernels, "weighted", _weights_dropped)], "Procrustes distance"),
    "diagonal kept in unbiased CKA": ([(kernels, "hsic", _hsic_with_its_diagonal)], "unbiased CKA"),
    "column norms forgotten in PWCCA": ([(whitening.Whitened, "project", _project_unweighted)], "PWCCA"),
    "column norms forgotten in the map": ([(whitening.Whitened, "project", _project_unweighted)], "linear map"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the package's own code; stopping with an error where none is due counts as caught."""
    patches, measure = PLANTED[name]
    for owner, attribute, value in patches:
        assert hasattr(owner, attribute)
        monkeypatch.setattr(owner, attribute, value)
    try:
        found = broken(measure, MEASURES[measure].ours)
    except RuntimeError as error:  # which is how the package says that a mistake in it was noticed
        found = [str(error)]
    assert found
