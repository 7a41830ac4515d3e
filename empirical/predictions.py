"""Predictions as data: written before training, and judged by an interval over seeds.

A prediction says that a quantity is at least, or at most, a level.  Two kinds of quantity:

- a *mean* over seeds, or over pairs of seeds.  It is CONFIRMED when its whole interval lies on the predicted side,
  CONTRADICTED when it lies on the other, and INCONCLUSIVE when the interval holds the level;
- *every* value: a bound, say.  One value on the wrong side contradicts it.

A prediction may have a premise, as theorems do: a second quantity that must be at most a level.  Where it is not met,
the theorem says nothing, and the outcome is INCONCLUSIVE whatever was measured.  What was not measured is INCONCLUSIVE.

*The interval* is the jackknife over seeds (Tukey 1958; recalled): all values that a seed takes part in are left out
at a time.  Pairs that share a seed are not independent, so n seeds count as n, never as their n(n-1)/2 pairs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np
from scipy import stats

from empirical.errors import InputError

LEVEL = 0.95  # of all intervals


class Outcome(Enum):
    CONFIRMED = "CONFIRMED"
    CONTRADICTED = "CONTRADICTED"
    INCONCLUSIVE = "INCONCLUSIVE"


@dataclass(frozen=True, slots=True)
class Prediction:
    """``name`` is "at least" or "at most" (``sense``) a ``level``; ``over`` is "mean" or "every".

    ``source`` names the theorem it comes from, or says why it is expected.  ``premise`` is a quantity and the level
    that it must not exceed.
    """

    name: str
    statement: str
    source: str
    sense: str
    level: float
    over: str = "mean"
    premise: tuple[str, float] | None = None

    def __post_init__(self) -> None:
        if self.sense not in ("at least", "at most") or self.over not in ("mean", "every"):
            raise ValueError(f"{self.name}: sense {self.sense!r}, over {self.over!r}")
        if not all(math.isfinite(level) for level in (self.level, *(self.premise or ("", 0.0))[1:])):
            raise ValueError(f"{self.name}: a level must be a finite number")


Key = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """Measured values by the seeds that took part in each: ``{(3,): 0.98}``, or ``{(3, 4): 0.97}`` for a pair.

    A key may hold the name of a point of a sweep as well, where seeds repeat from point to point.
    """

    values: Mapping[Key, float]

    def __post_init__(self) -> None:
        for key, value in self.values.items():
            if not math.isfinite(value):
                at = ", ".join(map(str, key))
                raise InputError(f"what was measured of {at} is {value}; diverged members must be left out first")

    @property
    def seeds(self) -> tuple[int, ...]:
        return tuple(sorted({part for key in self.values for part in key if isinstance(part, int)}))

    @property
    def mean(self) -> float:
        return float(np.mean(list(self.values.values()))) if self.values else math.nan

    def interval(self) -> tuple[float, float] | None:
        """The interval of the mean; None for fewer than three seeds, and where leaving one out leaves nothing."""
        seeds = self.seeds
        without = [[v for key, v in self.values.items() if seed not in key] for seed in seeds]
        if len(seeds) < 3 or not all(without):
            return None
        count = len(seeds)
        pseudo = count * self.mean - (count - 1) * np.array([np.mean(kept) for kept in without])
        half = stats.t.ppf((1 + LEVEL) / 2, count - 1) * pseudo.std(ddof=1) / math.sqrt(count)
        return float(self.mean - half), float(self.mean + half)


@dataclass(frozen=True, slots=True)
class Judged:
    """A prediction with what was measured.  ``value`` is the mean, or for "every" the value nearest to failing."""

    prediction: Prediction
    outcome: Outcome
    value: float | None
    interval: tuple[float, float] | None
    seeds: int
    values: int
    reason: str


def judge(prediction: Prediction, samples: Mapping[str, Sample]) -> Judged:
    """Judge a prediction by the sample of its name, and its premise by the sample of that name."""
    sample = samples.get(prediction.name, Sample({}))
    least = prediction.sense == "at least"
    if not sample.values:
        return Judged(prediction, Outcome.INCONCLUSIVE, None, None, 0, 0, "nothing was measured")
    if prediction.over == "every":
        value = (min if least else max)(sample.values.values())
        interval = (min(sample.values.values()), max(sample.values.values()))
        fine = value >= prediction.level if least else value <= prediction.level
        outcome = Outcome.CONFIRMED if fine else Outcome.CONTRADICTED
        reason = f"all {len(sample.values)} values lie in [{interval[0]:.4g}, {interval[1]:.4g}]"
    else:
        value, interval = sample.mean, sample.interval()
        outcome, reason = _by_interval(prediction.level, least, interval, len(sample.seeds))
    if (unmet := _unmet(prediction, samples)) is not None:
        outcome, reason = Outcome.INCONCLUSIVE, unmet
    return Judged(prediction, outcome, value, interval, len(sample.seeds), len(sample.values), reason)


def _by_interval(level: float, least: bool, interval: tuple[float, float] | None, seeds: int) -> tuple[Outcome, str]:
    if interval is None:
        return Outcome.INCONCLUSIVE, f"{seeds} seeds give no interval: train 3 or more, 5 or better"
    low, high = interval
    said = f"{LEVEL:.0%} interval [{low:.4g}, {high:.4g}] over {seeds} seeds"
    rounding = 1e-12 * max(1.0, abs(level))  # of a mean and an interval of values that are all at the level
    if low >= level - rounding if least else high <= level + rounding:
        return Outcome.CONFIRMED, said
    if high < level if least else low > level:
        return Outcome.CONTRADICTED, said
    return Outcome.INCONCLUSIVE, f"{said} holds the level"


def _unmet(prediction: Prediction, samples: Mapping[str, Sample]) -> str | None:
    if prediction.premise is None:
        return None
    name, level = prediction.premise
    premise = samples.get(name, Sample({}))
    if not premise.values:
        return f"the premise {name} was not measured"
    if not premise.mean <= level:
        return f"the premise is not met: {name} is {premise.mean:.3g}, more than {level:.3g}"
    return None


def exit_code(judged: list[Judged]) -> int:
    """0 all confirmed, 1 some contradicted, 3 none contradicted but some inconclusive."""
    outcomes = {one.outcome for one in judged}
    return 1 if Outcome.CONTRADICTED in outcomes else 3 if Outcome.INCONCLUSIVE in outcomes else 0
