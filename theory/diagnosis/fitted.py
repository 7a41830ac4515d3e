"""The alignment that is fitted: least squares on one part of the contexts, judged on the other."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from theory.arithmetic.floating import Array
from theory.diagnosis.norms import unexplained
from theory.diagnosis.trained import Chosen, Numbers

#: Shuffles of the target's rows that say what chance does.
SHUFFLES = 99

#: Separate fitting contexts for each row of coefficients (a dimension of the source, or the offset) from which on a
#: relation that is there is not drowned by the error of the fit.
PLENTY = 10


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """f_target(x) ≈ A f_source(x), or A f_source(x) + c, fitted on ``fit_on`` contexts and judged on ``judged_on``.

    R² is 1 - residual squares / squares about the mean of the fitting contexts, over all coordinates together: 0 is
    what that mean does.  ``A`` and ``c`` are the affine fit, ``A_linear`` the fit without offset.  ``chance`` is the
    largest held-out affine R² of 99 shuffles of the target's rows (of whole groups where there are groups).
    ``separate`` counts the groups of the fitting contexts, or those contexts where there are no groups.
    """

    A_linear: Array
    A: Array
    c: Array
    linear_r2: float
    affine_r2: float
    chance: float
    fit_on: int
    judged_on: int
    separate: int

    @property
    def determined(self) -> bool:
        """Were there more fitting contexts than coefficients for one coordinate?"""
        return self.fit_on > self.A.shape[1] + 1

    @property
    def above_chance(self) -> bool:
        """Did the rows as they are paired do better than every shuffle?  Both may do worse than the mean."""
        return self.affine_r2 > self.chance

    @property
    def no_better(self) -> bool:
        """Did some shuffle do as well?  Where an R² is undefined (NaN) neither this nor ``above_chance`` is true."""
        return self.affine_r2 <= self.chance

    @property
    def needed(self) -> int:
        """Separate fitting contexts from which on "no better than shuffled rows" speaks against a relation."""
        return PLENTY * (self.A.shape[1] + 1)

    @property
    def plenty(self) -> bool:
        """Were there that many?"""
        return self.separate >= self.needed


def halves(contexts: int, share: float, seed: int, groups: Sequence[object] | None) -> Chosen:
    """Which contexts are held out, (contexts,) of bools: about ``share``, whole groups together.

    Raises ``ValueError`` when the share is not between 0 and 1, the groups do not fit, or one part would be empty.
    """
    if not 0 < share < 1:
        raise ValueError(f"held_out is {share}: give the share of contexts to judge on, above 0 and below 1")
    numbers = np.arange(contexts) if groups is None else _numbered(groups, contexts)
    order = np.random.default_rng(seed).permutation(numbers.max() + 1)
    sizes = np.bincount(numbers)[order]
    wanted = min(max(round(share * contexts), 1), contexts - 1)
    before = np.cumsum(sizes)
    count = int(np.argmin(np.abs(before - wanted))) + 1
    if count == len(order):
        count -= 1
    if count == 0:
        raise ValueError("all contexts are in one group: give two groups or more, or none")
    return np.isin(numbers, order[:count])


def _numbered(groups: Sequence[object], contexts: int) -> Numbers:
    """The number of each context's group, in the order of the groups where they have one, else of appearance."""
    given = groups.tolist() if isinstance(groups, np.ndarray) else list(groups)
    shape = groups.shape if isinstance(groups, np.ndarray) else (len(given),)
    if shape != (contexts,):
        raise ValueError(f"groups has shape {shape}: give one group for each of the {contexts} contexts")
    for x, group in enumerate(given):
        if isinstance(group, (float, np.floating)) and np.isnan(group):
            raise ValueError(f"groups: entry {x} is nan, which equals no group: name the group of every context")
        try:
            hash(group)
        except TypeError:
            raise ValueError(
                f"groups: entry {x} is {group!r}: give a number, a text or another hashable value for each context"
            ) from None
    named = list(dict.fromkeys(given))
    with suppress(TypeError):  # some have no order, such as None, or texts beside numbers
        named = sorted(named)  # pyright: ignore[reportArgumentType]
    place = {group: number for number, group in enumerate(named)}
    return np.array([place[group] for group in given], dtype=np.intp)


def fit(source: Array, target: Array, held_out: Chosen, seed: int, groups: Sequence[object] | None) -> Fitted:
    """Least squares from ``source`` (contexts, dim) to ``target`` (contexts, dim'); the minimal one where many fit."""
    kept = ~held_out
    linear = np.linalg.lstsq(source[kept], target[kept], rcond=None)[0]
    mean, target_mean = source[kept].mean(axis=0), target[kept].mean(axis=0)
    left, values, right = np.linalg.svd(source[kept] - mean, full_matrices=False)
    rank = int((values > max(source[kept].shape) * np.finfo(float).eps * values[0]).sum())
    solver = right[:rank].T / values[:rank] @ left[:, :rank].T
    tested = source[held_out] - mean

    def judged(rows: Array) -> tuple[float, Array]:
        fitted = solver @ (rows[kept] - rows[kept].mean(axis=0))
        return _r2(rows[held_out], tested @ fitted + rows[kept].mean(axis=0), rows[kept].mean(axis=0)), fitted

    affine_r2, fitted = judged(target)
    rng = np.random.default_rng([seed, 1])
    numbers = None if groups is None else _numbered(groups, len(target))
    shuffled = [judged(target[_shuffle(rng, len(target), numbers)])[0] for _ in range(SHUFFLES)]
    return Fitted(
        linear.T,
        fitted.T,
        target_mean - mean @ fitted,
        _r2(target[held_out], source[held_out] @ linear, target_mean),
        affine_r2,
        float(np.max(shuffled)),
        int(kept.sum()),
        int(held_out.sum()),
        int(kept.sum()) if numbers is None else len(np.unique(numbers[kept])),
    )


def _r2(target: Array, predicted: Array, mean: Array) -> float:
    return 1 - unexplained(target - predicted, target - mean)


def _shuffle(rng: np.random.Generator, contexts: int, numbers: Numbers | None) -> Numbers:
    """A new order of the rows.  Groups are put in a new order whole, so that dependent rows stay together."""
    if numbers is None:
        return rng.permutation(contexts)
    rank = rng.permutation(numbers.max() + 1)
    order = np.empty(contexts, dtype=np.intp)
    order[np.argsort(numbers, kind="stable")] = np.argsort(rank[numbers], kind="stable")
    return order
