"""Predictions are judged by intervals over seeds: confirmed, contradicted or inconclusive, and never by what is NaN."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from empirical.errors import InputError
from empirical.predictions import Outcome, Prediction, Sample, exit_code, judge


def prediction(sense: str = "at least", level: float = 0.9, over: str = "mean", premise: object = None) -> Prediction:
    return Prediction("p", "something", "a theorem", sense, level, over, premise)  # pyright: ignore[reportArgumentType]


def of_seeds(*values: float) -> Sample:
    return Sample({(i,): value for i, value in enumerate(values)})


def test_the_interval_of_single_seeds_is_the_t_interval() -> None:
    values = np.array([0.91, 0.95, 0.97, 0.93])
    half = stats.t.ppf(0.975, 3) * values.std(ddof=1) / 2
    assert of_seeds(*values).interval() == pytest.approx((values.mean() - half, values.mean() + half))


def test_pairs_count_as_their_seeds() -> None:
    """A value a + b of each pair: as pairs were they independent, the interval would be too short."""
    rng = np.random.default_rng(0)
    inside, naive = 0, 0
    for _ in range(300):
        own = rng.normal(size=6)
        pairs = {(a, b): float(own[a] + own[b]) for a, b in combinations(range(6), 2)}
        low, high = Sample(pairs).interval() or (math.nan, math.nan)
        inside += low <= 0 <= high
        values = np.array(list(pairs.values()))
        naive += abs(values.mean()) <= stats.t.ppf(0.975, 14) * values.std(ddof=1) / np.sqrt(15)
    assert inside >= 275
    assert naive < 240


@pytest.mark.parametrize(
    ("sense", "values", "outcome"),
    [
        ("at least", (0.95, 0.96, 0.95), Outcome.CONFIRMED),
        ("at least", (0.80, 0.81, 0.80), Outcome.CONTRADICTED),
        ("at least", (0.80, 0.99, 0.95), Outcome.INCONCLUSIVE),
        ("at most", (0.80, 0.81, 0.80), Outcome.CONFIRMED),
        ("at most", (0.95, 0.96, 0.95), Outcome.CONTRADICTED),
        ("at least", (0.95, 0.96), Outcome.INCONCLUSIVE),
        ("at least", (), Outcome.INCONCLUSIVE),
    ],
)
def test_outcomes(sense: str, values: tuple[float, ...], outcome: Outcome) -> None:
    assert judge(prediction(sense), {"p": of_seeds(*values)}).outcome is outcome


def test_every_value_counts() -> None:
    bound = prediction("at most", 1.0, "every")
    assert judge(bound, {"p": of_seeds(0.2, 1.0)}).outcome is Outcome.CONFIRMED
    judged = judge(bound, {"p": of_seeds(0.2, 1.01, 0.1)})
    assert (judged.outcome, judged.value) == (Outcome.CONTRADICTED, 1.01)


def test_without_its_premise_nothing_is_said() -> None:
    """Not even where the interval would confirm or contradict."""
    with_premise = prediction(premise=("gap", 0.01))
    for values in ((0.95, 0.96, 0.95), (0.1, 0.11, 0.1)):
        judged = judge(with_premise, {"p": of_seeds(*values), "gap": of_seeds(0.02, 0.03)})
        assert judged.outcome is Outcome.INCONCLUSIVE
        assert "the premise is not met: gap is 0.025, more than 0.01" in judged.reason
        assert "not measured" in judge(with_premise, {"p": of_seeds(*values)}).reason
    met = judge(with_premise, {"p": of_seeds(0.1, 0.11, 0.1), "gap": of_seeds(0.001)})
    assert met.outcome is Outcome.CONTRADICTED


def test_nan_is_refused() -> None:
    with pytest.raises(InputError, match="what was measured of 1 is nan"):
        of_seeds(0.9, math.nan)


@pytest.mark.parametrize("changes", [{"level": math.nan}, {"level": math.inf}, {"premise": ("q", math.nan)}])
def test_a_level_is_a_number(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="p: a level must be a finite number"):
        replace(prediction(), **changes)


def test_values_at_the_level_are_not_beside_it() -> None:
    """Rounding of their mean must not put an interval of no width on the wrong side."""
    for sense in ("at least", "at most"):
        for level in (0.95, 0.1, 1 / 3):
            at = {"p": of_seeds(level, level, level)}
            assert judge(replace(prediction(), sense=sense, level=level), at).outcome is Outcome.CONFIRMED
            off = level - 1e-9 if sense == "at least" else level + 1e-9
            beside = {"p": of_seeds(off, off, off)}
            assert judge(replace(prediction(), sense=sense, level=level), beside).outcome is Outcome.CONTRADICTED


def test_exit_codes() -> None:
    good, bad = judge(prediction(), {"p": of_seeds(1, 1, 1)}), judge(prediction(), {"p": of_seeds(0, 0, 0)})
    open_ = judge(prediction(), {})
    assert [exit_code(list(some)) for some in ([good], [good, bad, open_], [good, open_])] == [0, 1, 3]
