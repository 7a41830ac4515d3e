"""The measures of one pair: on all rows, and fitted on some rows and judged on others, with interval and chance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from empirical.arrays.container import Array
from empirical.compare.results import Options, Row
from empirical.errors import InputError
from empirical.similarity import (
    Joint,
    Measurement,
    Rank,
    bootstrap,
    canonical_correlations,
    held_out,
    permutation_test,
)
from empirical.similarity.groups import NO_CHANCE
from empirical.similarity.matrix import named

MEAN_CCA = "mean CCA"

#: Measures that fit nothing, so that no rows need to be held out: interval and chance are of their value on all rows.
UNFITTED = ("linear CKA",)

#: Operations that all permutations of one measure may take, some half a minute, and the fewest that tell p <= 0.05.
OPERATIONS, FEWEST = 5e11, 19


def maps(names: tuple[str, str]) -> tuple[str, str]:
    """What the rows of the two linear maps are called."""
    first, second = names
    return f"R² of {second} from {first}", f"R² of {first} from {second}"


def rows_of(
    both: Joint, names: tuple[str, str], groups: Array | None, options: Options
) -> tuple[tuple[Row, ...], tuple[Rank, Rank] | None]:
    """A row for each measure, and the numerical ranks of both sides where they could be decided."""
    there, back = maps(names)
    share = {"variance": options.variance}
    wanted: list[tuple[str, str, bool, dict[str, Any]]] = [
        (MEAN_CCA, "mean CCA", False, {}),
        (f"SVCCA, {options.variance:g} of variance", "SVCCA", False, share),
        (f"PWCCA, weights of {names[0]}", "PWCCA", False, {}),
        ("linear CKA, unbiased", "linear CKA", False, {"unbiased": True}),
        ("Procrustes distance", "Procrustes distance", False, {}),
        (there, "linear map", False, {}),
        (back, "linear map", True, {}),
    ]
    rows, ranks = [], None
    for title, measure, swapped, more in wanted:
        pair = both.pair(1, 0) if swapped else both
        row, found = _row(title, measure, pair, groups, options, more)
        rows.append(row)
        ranks = ranks or found
    return tuple(rows), ranks


def _row(
    title: str, measure: str, pair: Joint, groups: Array | None, options: Options, more: dict[str, Any]
) -> tuple[Row, tuple[Rank, Rank] | None]:
    """All that is known of one measure.  Refused on held-out rows only, it still has its value on all rows."""
    again: dict[str, Any] = {"seed": options.seed, "groups": groups, **more}
    try:
        whole = named(measure)(pair, **more)
    except InputError as error:
        return Row(title, refused=str(error)), None
    row = Row(
        title,
        whole.value,
        convention=whole.convention,
        invariance=whole.invariance.statement,
        values=whole.values,
        warnings=whole.warnings,
    )
    try:
        if measure in UNFITTED:
            sampled = bootstrap(pair, measure=measure, resamples=options.resamples, **again)
            try:
                shuffled = permutation_test(pair, measure=measure, resamples=_permutations(pair, options), **again)
            except InputError as error:
                shuffled = replace(sampled, warnings=(f"{NO_CHANCE}{error}",))
            return _resampled(row, sampled, shuffled), whole.ranks
        x, y = (pair.sources[pair.number(at)] for at in (0, 1))
        judged = held_out(x, y, measure, resamples=options.resamples, **again)
    except InputError as error:
        return replace(row, unjudged=str(error)), whole.ranks
    row = replace(row, held_out=judged.value, held_out_values=judged.values)
    return _resampled(row, judged, judged), whole.ranks


def _permutations(pair: Joint, options: Options) -> int:
    """As many as asked for, or fewer where each is a product of two large matrices."""
    return min(options.resamples, max(FEWEST, int(OPERATIONS / (2 * pair.rows * pair.dims[0] * pair.dims[1]))))


def _resampled(row: Row, interval: Measurement, chance: Measurement) -> Row:
    warnings = dict.fromkeys((*row.warnings, *interval.warnings, *chance.warnings))
    if interval.interval is not None:
        row = replace(row, low=interval.interval.low, high=interval.interval.high)
    if chance.chance is not None:
        row = replace(row, chance=chance.chance.level, p=chance.chance.p_value, permutations=chance.chance.resamples)
    return replace(row, warnings=tuple(warnings))


def spectrum(both: Joint, at: int) -> tuple[float, ...]:
    """The singular values of one centred side, falling, relative to the largest; from products, so to about 1e-8."""
    try:
        weights = both.side(at).weights
    except InputError:
        return ()
    covariance = both.block(at, at) * np.outer(weights, weights)
    values = np.sqrt(np.maximum(np.linalg.eigvalsh(covariance)[::-1], 0))
    return tuple((values / values[0]).tolist())


def chance_correlations(both: Joint, seed: int) -> tuple[float, ...]:
    """Canonical correlations on all rows when those of one side are permuted once; empty where they are refused."""
    order = np.random.default_rng([seed, 2]).permutation(both.rows)
    try:
        return canonical_correlations(both.permuted(order)).values
    except InputError:
        return ()
