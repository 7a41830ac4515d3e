"""What the evidence supports, in one plain sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from empirical.compare.measures import MEAN_CCA, maps
from empirical.compare.numbers import p_value, short
from empirical.compare.results import Matrix, PairResult, Row
from empirical.similarity.groups import NO_CHANCE
from empirical.similarity.rank import MARGIN

if TYPE_CHECKING:
    from empirical.arrays import NamedArray
    from empirical.similarity import Rank
    from theory.diagnosis import Diagnosis

#: A share of held-out variance that a map leaves unexplained and that counts as none: a relative error of 1e-4.
NOTHING_LEFT = 1e-8
#: How many times the eps of its type rounding may have moved a map's error, where that is more.
ROUNDINGS = 4
#: A p-value at which the pairing of the rows is told from a random one.
LEVEL = 0.05


def about_pair(
    names: tuple[str, str],
    rows: Sequence[Row],
    count: int,
    diagnosis: Diagnosis | None,
    ranks: tuple[Rank, Rank] | None,
    coarsest: NamedArray,
) -> str:
    """One sentence; the diagnosis speaks where there is one, since it knows the labels."""
    if diagnosis is not None:
        return diagnosis.summary
    return similarity(names, rows, count, ranks, coarsest)


def similarity(
    names: tuple[str, str],
    rows: Sequence[Row],
    count: int,
    ranks: tuple[Rank, Rank] | None = None,
    coarsest: NamedArray | None = None,
) -> str:
    """What the held-out measures of f say by themselves; ``coarsest`` is the f that was stored with least precision.

    A map explains the variance of all directions together, so one with little of it can be missed: linear equivalence
    needs equal ranks and canonical correlations of 1, too.
    """
    first, second = names
    found = {row.measure: row for row in rows}
    there, back = (found[name] for name in maps(names))
    cca = found[MEAN_CCA]
    who = f"{first} and {second}"
    if there.held_out is None or back.held_out is None:
        reason = there.refused or back.refused or "no map could be judged on held-out rows"
        return f"{who}: cannot tell from {count:,} rows: {reason}."
    left = {second: 1 - there.held_out, first: 1 - back.held_out}
    exact = [name for name, share in left.items() if share <= _nothing_left(coarsest)]
    short_of = _short_of(cca, names, ranks, exact)
    if len(exact) == 2 and cca.held_out is None:
        return (
            f"{who}: cannot tell from {count:,} rows: the large directions are affine images of one another on "
            f"held-out rows, but no canonical correlations could be judged there: {cca.refused or cca.unjudged}."
        )
    if len(exact) == 2 and short_of:
        return (
            f"{who}: alike above chance, short of linear equivalence: on held-out rows the large directions are affine "
            f"images of one another, but {short_of}."
        )
    if len(exact) == 2:
        return (
            f"{who}: consistent with linear equivalence: on held-out rows an affine map of either representation gives "
            f"the other{_up_to(max(left.values()), coarsest)}."
        )
    if exact:
        other = first if exact[0] == second else second
        image = f"f of {exact[0]} is an affine image of f of {other}"
        if short_of:
            image = f"the large directions of f of {exact[0]} are affine images of f of {other} ({short_of})"
        return (
            f"{who}: not linearly equivalent: on held-out rows {image}, but only {_part(1 - left[other])} of the "
            f"variance of f of {other} is one of f of {exact[0]}."
        )
    explained = (
        f"the best affine maps explain {_part(1 - left[second])} of the variance of {second} and "
        f"{_part(1 - left[first])} of that of {first}"
    )
    judged = [row for row in (cca, there, back) if row.p is not None]
    if not judged:
        return (
            f"{who}: cannot tell from {count:,} rows whether they are alike above chance: "
            f"{_no_chance((cca, there, back))}; on held-out rows {explained}."
        )
    if (judged[0].p or 0) > LEVEL:
        return (
            f"{who}: no similarity above chance on {count:,} rows: {_shown(judged[0])}; on held-out rows {explained}."
        )
    return f"{who}: alike above chance, short of linear equivalence: {_shown(judged[0])}; on held-out rows {explained}."


def _nothing_left(coarsest: NamedArray | None) -> float:
    """The share of the variance that counts as none: more where float16 or bfloat16 rounded away more than that."""
    return NOTHING_LEFT if coarsest is None else max(NOTHING_LEFT, (ROUNDINGS * coarsest.eps) ** 2)


def _short_of(cca: Row, names: tuple[str, str], ranks: tuple[Rank, Rank] | None, images: Sequence[str]) -> str:
    """Why the ``images``, which maps explain wholly, are none of the other side in all directions; "" if they are."""
    if ranks is not None:
        rank_of = dict(zip(names, ranks, strict=True))
        for name in images:
            (other,) = (one for one in names if one != name)
            if rank_of[name].value > rank_of[other].value:
                return f"f of {name} has rank {rank_of[name].value} and f of {other} has rank {rank_of[other].value}"
    if not cca.held_out_values:
        return "no canonical correlations could be judged"
    smallest = min(cca.held_out_values)
    # What rounding, of the stored numbers and of the arithmetic, is in the smallest direction that was kept.
    rounding = sum((rank.tolerance / MARGIN / rank.smallest_kept) ** 2 for rank in ranks or ())
    if 1 - smallest <= max(NOTHING_LEFT, rounding):
        return ""
    shown = short(smallest)
    return f"the smallest held-out canonical correlation is {f'1 - {1 - smallest:.0e}' if shown == '1.000' else shown}"


def about_many(pairs: Sequence[PairResult]) -> str:
    """How many pairs are what, by the first words of their own sentences."""
    kinds: dict[str, list[str]] = {}
    for pair in pairs:
        kind = pair.sentence.partition(": ")[2].partition(":")[0]
        kinds.setdefault(kind, []).append("–".join(pair.names))
    said = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in kinds.items())
    return f"Of {len(pairs)} pairs, {said}."


def about_layers(matrices: Sequence[Matrix], count: int) -> str:
    """The most similar layers of the first two sides, and that a matrix is not of held-out rows.

    Wide layers are alike by chance alone, so the most similar are those with the most above chance, as a share of what
    there can be above it.
    """
    matrix = next(matrix for matrix in matrices if matrix.computed)
    found = [
        ((value - chance) / (1 - chance), value, chance, i, j)
        for i, (row, by_chance) in enumerate(zip(matrix.values, matrix.chance, strict=True))
        for j, (value, chance) in enumerate(zip(row, by_chance, strict=True))
        if value is not None and chance is not None and chance < 1
    ]
    if not found:
        return f"By {matrix.measure} on all {count:,} rows no layers can be told from chance."
    _, value, chance, i, j = max(found, key=lambda cell: cell[0])
    first, second = f"{matrix.rows[i]} of {matrix.sides[0]}", f"{matrix.columns[j]} of {matrix.sides[1]}"
    return (
        f"By {matrix.measure} above chance on all {count:,} rows, (value - chance) / (1 - chance), the layers most "
        f"alike are {first} and {second}: {short(value)}, and {short(chance)} with permuted rows; compare these two by "
        "themselves for held-out values."
    )


def _no_chance(rows: Sequence[Row]) -> str:
    """The reason that a measure gives for having no chance level."""
    given = (warning for row in rows for warning in row.warnings if warning.startswith(NO_CHANCE))
    return next(given, f"{NO_CHANCE}none was computed")


def _shown(row: Row) -> str:
    return f"held-out {row.measure} {short(row.held_out)}, chance {short(row.chance)}, p = {p_value(row.p)}"


def _up_to(share: float, coarsest: NamedArray | None) -> str:
    """What an unexplained share of the variance leaves of the spread; float64 rounds about 1e-16 of the share away."""
    if share <= 1e-15:
        return " up to rounding"
    rounding = ""
    if coarsest is not None and share > NOTHING_LEFT:
        rounding = f", which rounding to {coarsest.stored_dtype} may leave"
    return f", up to {share**0.5:.0e} of its spread{rounding}"


def _part(share: float) -> str:
    return short(share) if share > 0 else "none"
