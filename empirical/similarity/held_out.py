"""Fit on one half of the rows, judge on the other, with an interval and a chance level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from empirical.errors import InputError
from empirical.similarity.fits import Distance, Fit, fit
from empirical.similarity.groups import by_size, group_rows, movable, positive, share
from empirical.similarity.joint import Joint, joint
from empirical.similarity.matrix import Measure, name_of
from empirical.similarity.moments import blocks
from empirical.similarity.results import Chance, Interval, Invariance, Measurement
from empirical.similarity.sources import Source, SourceLike, paired

Side = SourceLike | Source

LEAST = 10
"""Groups (rows) that must be left to judge on."""

BLOCK = 2048
"""Groups projected at once; permutations exchange groups within such blocks, whose members are drawn at random."""

SCRATCH = 16 * 2**20
"""Bytes of one side's projections at once."""

INVARIANCE = {
    "linear map": Invariance.INVERTIBLE_X,
    "mean CCA": Invariance.INVERTIBLE_LINEAR,
    "PWCCA": Invariance.INVERTIBLE_Y,
}


def held_out(
    x: Side,
    y: Side,
    measure: str | Measure = "mean CCA",
    *,
    seed: int = 0,
    groups: object = None,
    level: float = 0.95,
    resamples: int = 999,
    **options: object,
) -> Measurement:
    """Fit ``measure`` on a random half of the rows and judge the fit on the other half.

    - mean CCA, SVCCA, PWCCA: canonical directions of the first half, correlations of the second (mean, weighted as in
      the measure; signed, so about 0 for unrelated sides). ``values`` are the correlations.
    - linear map: R² of y from x about the mean of the first half; may be negative. ``values`` are R² of y from x and of
      x from y; for an interval of the latter exchange x and y.
    - Procrustes distance: the rotation of the first half, squared distance of the second.

    The interval is a percentile bootstrap over the judged rows, the fit held fixed: it is about the value that this fit
    has on new rows, and no fitted row is counted twice. The chance level permutes the pairing of the judged rows, the
    fit held fixed; without a relation each pairing is as likely as the one seen, so p is exact.

    Args:
        x: (rows, d1) float64 or float32, or files, as for `joint`.
        y: (rows, d2).
        measure: by name, or the function: ``"mean CCA"`` or ``mean_cca``.
        seed: of the split and the resamples; the same seed gives the same result.
        groups: a label for each row. Rows of one group stay on one side, and are resampled and permuted together (a
            permutation exchanges groups of equal size). Use it for rows that are not independent. Where less than half
            of the judged rows are in groups that can be exchanged there is no chance level; a warning says so.
        level: of the interval.
        resamples: bootstrap samples, and permutations.
        options: ``variance`` or ``components`` of SVCCA.

    Raises:
        InputError: as the measure, on half of the rows; fewer than 10 groups to judge on.
    """
    name = name_of(measure)
    level, resamples = share(level), positive(resamples)
    sources = paired((x, y))
    all_groups = group_rows(groups, sources[0].rows)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(all_groups))
    half = (len(order) + 1) // 2
    if len(order) - half < LEAST:
        what = "rows" if groups is None else "groups"
        raise InputError(f"{len(order)} {what} leave {len(order) - half} to judge on; at least {2 * LEAST} are needed")
    train = np.sort(np.concatenate([all_groups[at] for at in order[:half]]))
    if isinstance(all_groups, np.ndarray):
        test = by_size(all_groups[order[half:]])
    else:
        test = by_size([all_groups[at] for at in order[half:]])
    fitted_on = joint(*(one.take(train) for one in sources))
    try:
        model = fit(fitted_on, name, options)
    except InputError as error:
        raise InputError(f"in the half to fit on ({len(train)} rows): {error}") from None
    judged = _Judged(sources, fitted_on, model, test)
    sums, samples = judged.resample(rng, resamples)
    value = float(model.score(sums))
    _refuse_nan(value)
    low, high = np.quantile(model.score(samples), [(1 - level) / 2, (1 + level) / 2])
    parts = model.parts(sums)
    if name == "linear map":
        back = fitted_on.pair(1, 0)
        reverse = fit(back, name, options)
        there = _Judged(sources[::-1], back, reverse, test)
        parts = np.append(parts, reverse.score(there.total()))
    what = "rows" if groups is None else "groups of rows"
    chance = None
    enough, warnings = movable(test, resamples)
    if enough:
        level_of_chance, p = judged.chance(rng, sums, resamples)
        chance = Chance(level_of_chance, p, resamples, f"pairing of the judged {what} permuted, the fit held fixed")
    rows = sum(stack.size for stack in test)
    if len(order) - half < 50:
        warnings += (f"only {len(order) - half} {what} to judge on: the interval is rough",)
    return Measurement(
        measure=f"held-out {name}",
        value=value,
        rows=rows,
        dims=(sources[0].columns, sources[1].columns),
        convention=(
            f"fitted on {len(train)} random rows, judged on the other {rows} (seed {seed}); "
            + _SCORE[type(model).__name__]
        ),
        invariance=INVARIANCE.get(name, Invariance.ORTHOGONAL_AND_SCALE),
        values=tuple(parts.tolist()),
        warnings=warnings,
        interval=Interval(
            float(low), float(high), level, resamples, f"percentile bootstrap over judged {what}, fit fixed"
        ),
        chance=chance,
    )


_SCORE = {
    "Correlation": "signed correlations of the fitted pairs of directions, averaged with fitted weights",
    "Explained": "R² of y from x with intercept, all columns together, about the means of the fit",
    "Distance": "2 - 2 <X Q, Y> / (|X| |Y|), Q the fitted rotation, columns centred by the means of the fit",
}


@dataclass(frozen=True, slots=True)
class _Judged:
    """The rows to judge on, in stacks (groups, size), and what was fitted elsewhere."""

    sources: tuple[Source, ...]
    fitted_on: Joint
    model: Fit
    stacks: list[np.ndarray]

    def _projections(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield both projections, (groups, size, k), of as many groups as fit in memory."""
        pair = self.fitted_on
        columns = np.concatenate([pair.columns(0), pair.columns(1)])
        centre, units = pair.moments.means[columns], pair.moments.units[columns]
        rest = pair.moments.rest[columns]
        width = max(self.model.left.shape[1], len(centre))
        for stack in self.stacks:
            size = stack.shape[1]
            step = max(2, min(BLOCK, SCRATCH // (8 * size * width)))
            for number in range(0, len(stack), step):
                groups = stack[number : number + step]
                chosen = [one.take(groups.ravel()) for one in self.sources]
                z = next(blocks(chosen, centre, units, groups.size))
                z -= rest
                if not np.all(np.isfinite(z)):
                    for one in chosen:
                        one.refuse_non_finite()
                p, t = self.model.project(z[:, : chosen[0].columns], z[:, chosen[0].columns :])
                yield p.reshape(*groups.shape, -1), t.reshape(*groups.shape, -1)

    def _statistics(self) -> Iterator[np.ndarray]:
        """Yield the statistics summed over the rows of each group, (groups, s)."""
        for p, t in self._projections():
            flat = self.model.statistics(p.reshape(-1, p.shape[2]), t.reshape(-1, t.shape[2]))
            yield flat.reshape(p.shape[0], p.shape[1], -1).sum(axis=1)

    def total(self) -> np.ndarray:
        """The statistics summed over all judged rows."""
        return np.sum([one.sum(axis=0) for one in self._statistics()], axis=0)

    def resample(self, rng: np.random.Generator, resamples: int) -> tuple[np.ndarray, np.ndarray]:
        """The sums, and those of bootstrap samples of the groups (resamples, s)."""
        sums: Any = 0.0
        samples: Any = 0.0
        left = np.full(resamples, sum(len(stack) for stack in self.stacks))
        groups_left = int(left[0])
        for statistics in self._statistics():
            size = len(statistics)
            # How many of the draws fall into this block, then which of its groups they are: one multinomial in steps.
            drawn = rng.binomial(left, min(1.0, size / groups_left))
            left, groups_left = left - drawn, groups_left - size
            sums = sums + statistics.sum(axis=0)
            samples = samples + counts(rng, drawn, size) @ statistics
        return sums, samples

    def chance(self, rng: np.random.Generator, sums: np.ndarray, resamples: int) -> tuple[float, float]:
        """The mean over permutations, and p: the share of pairings at least as similar as the one seen."""
        constant, factor = self.model.paired(sums)
        total = np.full(resamples, constant)
        seen = constant
        for p, t in self._projections():
            size = len(p)
            products = (p * factor).reshape(size, -1) @ t.reshape(size, -1).T
            here = np.arange(size)
            seen += float(np.trace(products))
            order = rng.permuted(np.broadcast_to(here, (resamples, size)), axis=1)
            total += products[here, order].sum(axis=1)
        sign = -1.0 if isinstance(self.model, Distance) else 1.0
        # Compared with the value as these sums give it; a permutation that changes nothing must count as equal.
        extreme = int((sign * total >= sign * seen - 1e-12 * max(1.0, abs(seen))).sum())
        return float(total.mean()), (1 + extreme) / (1 + resamples)


def counts(rng: np.random.Generator, drawn: np.ndarray, size: int) -> np.ndarray:
    """How often each of ``size`` groups is drawn in each resample of ``drawn`` draws, (resamples, size)."""
    which = rng.integers(size, size=int(drawn.sum())) + np.repeat(np.arange(len(drawn)) * size, drawn)
    return np.bincount(which, minlength=len(drawn) * size).reshape(len(drawn), size).astype(np.float64)


def _refuse_nan(value: float) -> None:
    if not np.isfinite(value):
        raise InputError("the judged rows have no variance in what was fitted; more rows, or another seed, are needed")
