"""What the evidence supports, in one plain sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from empirical.compare.measures import MEAN_CCA, maps
from empirical.compare.numbers import short
from empirical.compare.results import Matrix, PairResult, Row

if TYPE_CHECKING:
    from theory.diagnosis import Diagnosis

#: A share of held-out variance that a map leaves unexplained and that counts as none: a relative error of 1e-4.
NOTHING_LEFT = 1e-8
#: A p-value at which the pairing of the rows is told from a random one.
LEVEL = 0.05


def about_pair(names: tuple[str, str], rows: Sequence[Row], count: int, diagnosis: Diagnosis | None) -> str:
    """One sentence; the diagnosis speaks where there is one, since it knows the labels."""
    if diagnosis is not None:
        return diagnosis.summary
    return similarity(names, rows, count)


def similarity(names: tuple[str, str], rows: Sequence[Row], count: int) -> str:
    """What the held-out measures of f say by themselves."""
    first, second = names
    found = {row.measure: row for row in rows}
    there, back = (found[name] for name in maps(names))
    cca = found[MEAN_CCA]
    who = f"{first} and {second}"
    if there.held_out is None or back.held_out is None:
        reason = there.refused or back.refused or "no map could be judged on held-out rows"
        return f"{who}: cannot tell from {count:,} rows: {reason}."
    left = {second: 1 - there.held_out, first: 1 - back.held_out}
    exact = [name for name, share in left.items() if share <= NOTHING_LEFT]
    if len(exact) == 2:
        return (
            f"{who}: consistent with linear equivalence: on held-out rows an affine map of either representation gives "
            f"the other{_up_to(max(left.values()))}."
        )
    if exact:
        other = first if exact[0] == second else second
        return (
            f"{who}: not linearly equivalent: on held-out rows f of {exact[0]} is an affine image of f of {other}, but "
            f"only {_part(1 - left[other])} of the variance of f of {other} is one of f of {exact[0]}."
        )
    judged = [row for row in (cca, there, back) if row.p is not None]
    if judged and (judged[0].p or 0) > LEVEL:
        return (
            f"{who}: no similarity above chance on {count:,} rows: {_shown(judged[0])}; the best affine maps explain "
            f"{_part(1 - left[second])} of {second} and {_part(1 - left[first])} of {first} on held-out rows."
        )
    seen = f"{_shown(judged[0])}; " if judged else ""
    return (
        f"{who}: alike above chance, short of linear equivalence: {seen}on held-out rows the best affine maps explain "
        f"{_part(1 - left[second])} of the variance of {second} and {_part(1 - left[first])} of that of {first}."
    )


def about_many(pairs: Sequence[PairResult]) -> str:
    """How many pairs are what, by the first words of their own sentences."""
    kinds: dict[str, list[str]] = {}
    for pair in pairs:
        kind = pair.sentence.partition(": ")[2].partition(":")[0]
        kinds.setdefault(kind, []).append("–".join(pair.names))
    said = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in kinds.items())
    return f"Of {len(pairs)} pairs, {said}."


def about_layers(matrices: Sequence[Matrix], count: int) -> str:
    """The most similar layers of the first two sides, and that a matrix is not of held-out rows."""
    matrix = next(matrix for matrix in matrices if matrix.computed)
    found = [(value, i, j) for i, row in enumerate(matrix.values) for j, value in enumerate(row) if value is not None]
    value, i, j = max(found, key=lambda cell: cell[0])
    first, second = f"{matrix.rows[i]} of {matrix.sides[0]}", f"{matrix.columns[j]} of {matrix.sides[1]}"
    return (
        f"By {matrix.measure} on all {count:,} rows the layers most alike are {first} and {second}: {short(value)}, "
        f"and {short(matrix.chance[i][j])} with permuted rows; compare these two by themselves for held-out values."
    )


def _shown(row: Row) -> str:
    return f"held-out {row.measure} {short(row.held_out)}, chance {short(row.chance)}, p = {short(row.p)}"


def _up_to(share: float) -> str:
    """What an unexplained share of the variance leaves of the spread; float64 rounds about 1e-16 of the share away."""
    return " up to rounding" if share <= 1e-15 else f", up to {share**0.5:.0e} of its spread"


def _part(share: float) -> str:
    return short(share) if share > 0 else "none"
