"""Numbers of one pair of models: what does not exist is NaN, and neither keeps nor breaks a bound."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from empirical.agreement import agreement, worst
from empirical.pairs import compare, sample
from theory.diagnosis import TrainedModel, diagnose


def model(seed: int, labels: int, dim: int = 3) -> TrainedModel:
    rng = np.random.default_rng(seed)
    return TrainedModel(rng.normal(size=(80, dim)), rng.normal(size=(labels, dim)))


def test_a_bound_that_exists_is_counted() -> None:
    found = agreement(model(0, 8), model(1, 8))
    assert found.violated == 0
    assert found.bound_ratio == pytest.approx(1, abs=0.5)
    assert np.isfinite(found.alignment_ratio)


def test_with_too_few_labels_no_bound_is_kept() -> None:
    """K <= M: the pair must not stand among those on which the bound held."""
    found = agreement(model(0, 3), model(1, 3))
    assert np.isnan([found.violated, found.bound_ratio, found.alignment_ratio, found.sigma_min]).all()
    assert sample(compare({0: model(0, 3), 1: model(1, 3)}).all, lambda a: a.violated).values == {}


def test_the_worst_is_of_those_that_exist() -> None:
    assert worst([np.nan, 1.0, 2.0, np.nan]) == 2
    assert np.isnan(worst([np.nan]))
    assert np.isnan(worst([]))


def test_an_error_that_is_no_number_keeps_no_bound() -> None:
    predicted = diagnose(model(0, 8), model(1, 8)).directions[0].predicted
    assert predicted is not None
    assert predicted.violated == 0
    error = predicted.error.copy()
    error[:5] = np.nan
    assert replace(predicted, error=error).violated == 5
