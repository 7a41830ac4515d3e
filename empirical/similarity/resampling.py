"""Intervals and chance levels of in-sample measures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from empirical.errors import InputError
from empirical.similarity.groups import NO_CHANCE, by_size, group_rows, movable, positive, share
from empirical.similarity.held_out import counts
from empirical.similarity.joint import Joint, pair_of
from empirical.similarity.kernels import hsic, weighted
from empirical.similarity.matrix import MEASURES, Measure, name_of
from empirical.similarity.moments import blocks, rows_at_once
from empirical.similarity.results import Chance, Interval, Measurement
from empirical.similarity.sources import Source, SourceLike

Side = SourceLike | Source

DISTANCES = ("Procrustes distance", "largest principal angle")
"""Measures that are small for similar sides."""


def bootstrap(
    x: Side | Joint,
    y: Side | None = None,
    measure: str | Measure = "linear CKA",
    *,
    seed: int = 0,
    groups: object = None,
    level: float = 0.95,
    resamples: int = 999,
    **options: object,
) -> Measurement:
    """Linear CKA or RV with an interval for its value in the population the rows were drawn from.

    Resampling rows and computing CKA anew would count each repeated row as similar to itself on both sides. So the
    rows' influences are resampled instead (what adding a row changes, to first order, a row's product with itself left
    out), about the unbiased estimate. In simulations 95 % intervals covered 90 to 95 % of the time at 60 rows, 93 to
    94 % at 400, and 96 to 99 % for unrelated sides. The interval is the same for biased and unbiased CKA: the biased
    value may lie above it.

    Args:
        x: (rows, d1), or a `Joint` of both sides.
        y: (rows, d2).
        measure: ``"linear CKA"`` or ``"RV"``, or the function.
        seed: of the resamples.
        groups: a label for each row; groups are resampled whole, and n counts groups.
        level: of the interval.
        resamples: bootstrap samples.
        options: ``unbiased`` of linear CKA.

    Raises:
        InputError: a measure that fits directions, maps or rotations (see `held_out`); fewer than 10 groups.
    """
    name = name_of(measure)
    level, resamples = share(level), positive(resamples)
    if name not in ("linear CKA", "RV"):
        raise InputError(
            f"{name} is fitted to the rows, and repeated rows would make it look better than it is; use held_out"
        )
    pair = pair_of(x, y)
    members = group_rows(groups, pair.rows)
    if len(members) < 10:
        raise InputError(f"{len(members)} {'rows' if groups is None else 'groups'} to resample; at least 10 are needed")
    plain = MEASURES[name](pair, **options)
    xy, xx, yy = hsic(pair)
    centre = xy / np.sqrt(xx * yy)
    influence = _influence(pair)
    sums = influence if groups is None else np.array([influence[one].sum() for one in members])
    rng = np.random.default_rng(seed)
    size = len(sums)
    samples = np.concatenate([counts(rng, np.full(len(part), size), size) @ sums for part in _parts(resamples, size)])
    samples += centre - sums.sum()
    low, high = np.clip(np.quantile(samples, [(1 - level) / 2, (1 + level) / 2]), -1, 1)
    warnings = plain.warnings
    if not low <= plain.value <= high:
        warnings += (f"the value lies outside its interval: it is biased upward; without bias it is {centre:.3g}",)
    what = "rows" if groups is None else "groups of rows"
    method = f"percentile bootstrap of the influences of {what} about the unbiased estimate"
    return replace(plain, interval=Interval(float(low), float(high), level, resamples, method), warnings=warnings)


def permutation_test(
    x: Side | Joint,
    y: Side | None = None,
    measure: str | Measure = "linear CKA",
    *,
    seed: int = 0,
    groups: object = None,
    resamples: int = 199,
    **options: object,
) -> Measurement:
    """An in-sample measure with its chance level: the same measure with the rows of y permuted.

    Each permutation costs one more product of x and y, and a refit of what the measure fits; `held_out` needs neither.

    Args:
        x: (rows, d1), or a `Joint` of both sides.
        y: (rows, d2).
        measure: by name, or the function.
        seed: of the permutations.
        groups: a label for each row; a permutation exchanges whole groups of equal size, the rows in each in order.
        resamples: permutations.
        options: of the measure.

    Raises:
        InputError: as the measure; too few groups of equal size to permute, or less than half of the rows in them.
    """
    name, resamples = name_of(measure), positive(resamples)
    pair = pair_of(x, y)
    stacks = by_size(group_rows(groups, pair.rows))
    enough, warnings = movable(stacks, resamples)
    if not enough:
        raise InputError(warnings[0].removeprefix(NO_CHANCE))
    plain = MEASURES[name](pair, **options)
    rng = np.random.default_rng(seed)
    values = np.empty(resamples)
    for number in range(resamples):
        order = np.empty(pair.rows, dtype=np.int64)
        for stack in stacks:
            order[stack] = stack[rng.permutation(len(stack))]
        values[number] = MEASURES[name](pair.permuted(order), **options).value
    sign = -1.0 if name in DISTANCES else 1.0
    extreme = int((sign * values >= sign * plain.value - 1e-12).sum())
    what = "rows" if groups is None else "groups of rows of equal size"
    chance = Chance(float(values.mean()), (1 + extreme) / (1 + resamples), resamples, f"{what} of y permuted")
    return replace(plain, chance=chance, warnings=plain.warnings + warnings)


def _influence(pair: Joint) -> np.ndarray:
    """The influence of each row on CKA, (rows,), summing to about 0: n times the first-order effect of its weight."""
    products = [weighted(pair, a, b) for a, b in ((0, 1), (0, 0), (1, 1))]
    sources = [pair.sources[pair.number(at)] for at in (0, 1)]
    columns = np.concatenate([pair.columns(at) for at in (0, 1)])
    sides = [pair.side(at) for at in (0, 1)]
    scales = [side.weights / np.linalg.norm(side.weights) / side.norms for side in sides]
    live = [sides[0].live - pair.columns(0)[0], sides[1].live - pair.columns(1)[0] + pair.dims[0]]
    rows = []
    for z in blocks(sources, pair.moments.means[columns], pair.moments.units[columns], rows_at_once(sources)):
        a, b = z[:, live[0]] * scales[0], z[:, live[1]] * scales[1]
        k, l = (a * a).sum(axis=1), (b * b).sum(axis=1)
        xy = ((a @ products[0]) * b).sum(axis=1) - k * l
        rows.append(
            np.stack([xy, ((a @ products[1]) * a).sum(axis=1) - k * k, ((b @ products[2]) * b).sum(axis=1) - l * l])
        )
    xy, xx, yy = np.concatenate(rows, axis=1)
    # The ratio of sums has its own value, so that the influences sum to 0.
    theta = xy.sum() / np.sqrt(xx.sum() * yy.sum())
    return 2 * xy / np.sqrt(xx.sum() * yy.sum()) - theta * (xx / xx.sum() + yy / yy.sum())


def _parts(resamples: int, size: int) -> list[range]:
    """The resamples in runs whose counts take at most 16 MB."""
    step = max(1, 2**21 // size)
    return [range(first, min(resamples, first + step)) for first in range(0, resamples, step)]
