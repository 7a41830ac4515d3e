"""All pairs of the members of one point of a sweep, and each member with a teacher where there is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from empirical.agreement import Agreement, agreement
from empirical.predictions import Key, Sample
from theory.diagnosis import TrainedModel

Quantity = Callable[[Agreement], float]


@dataclass(frozen=True, slots=True)
class Compared:
    """``between`` two seeds, and of each seed ``with_teacher``, whose ``kl`` is KL(teacher || student) = CE - H."""

    between: Mapping[Key, Agreement]
    with_teacher: Mapping[Key, Agreement]

    @property
    def all(self) -> dict[Key, Agreement]:
        """Every pair; a seed alone stands for it and the teacher."""
        return {**self.between, **self.with_teacher}

    @property
    def gap(self) -> Sample:
        """CE - H of each seed, in nats."""
        return sample(self.with_teacher, lambda a: a.kl)

    @property
    def cca(self) -> Sample:
        """Held-out mean CCA of two seeds."""
        return sample(self.between, lambda a: a.cca)


def sample(pairs: Mapping[Key, Agreement], quantity: Quantity) -> Sample:
    """A quantity of every pair, without those for which it does not exist (NaN)."""
    values = {seeds: float(quantity(one)) for seeds, one in pairs.items()}
    return Sample({seeds: value for seeds, value in values.items() if not np.isnan(value)})


def compare(models: Mapping[int, TrainedModel], teacher: TrainedModel | None = None) -> Compared:
    """Compare the models of several seeds, on the same rows and labels."""
    names = {seed: f"seed {seed}" for seed in models}
    between: dict[Key, Agreement] = {
        (a, b): agreement(models[a], models[b], (names[a], names[b])) for a, b in combinations(models, 2)
    }
    with_teacher: dict[Key, Agreement] = (
        {} if teacher is None else {(s,): agreement(teacher, m, ("teacher", names[s])) for s, m in models.items()}
    )
    return Compared(between, with_teacher)
