"""True formulas and mistaken ones in floating point, by decade of the condition number of the difference matrices.

``python -m tests.floating.by_decade [N]`` prints a Markdown table for N instances in all (10,000 unless given).  Up to
which condition number a mistake is told from rounding is what the table shows; a true theorem must never be refuted.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tests.mutants import mutations_pairs as mutations
from tests.mutants.mutations import Decide
from theory.catalogue import catalogue
from theory.checking import check
from theory.models import ModelPair
from theory.strategies.source import RandomSource
from theory.theorem import Theorem
from theory.verdict import Status, Verdict

DECADES = tuple(range(13))
#: A mutant whose matrix is the true one up to this, relative to its norm, is no mistake on that instance.
SAME = 1e-6

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class Formula:
    """A mistaken closed form, and its matrix A from L', L* and the vectors G', G* of the first labels of the pairs."""

    decide: Decide
    matrix: Callable[[Array, Array, Array, Array], Array]


def _true_matrix(l_prime: Array, l_star: Array) -> Array:
    return np.linalg.solve(l_prime.T, l_star.T)


FORMULAS: dict[str, Formula] = {
    "A transposed": Formula(mutations.transposed, lambda l, s, g, h: _true_matrix(l, s).T),
    "L⁻¹ for L⁻ᵀ": Formula(mutations.inverse_not_transposed, lambda l, s, g, h: np.linalg.solve(l, s.T)),
    "g for differences": Formula(mutations.by_vectors, lambda l, s, g, h: np.linalg.solve(g.T, h.T)),
    "' and * exchanged": Formula(mutations.sides_exchanged, lambda l, s, g, h: np.linalg.solve(s.T, l.T)),
}


@dataclass
class Decade:
    """What the instances of one decade said.  ``worst`` is the largest error/bound of the true formula.

    ``mutants`` counts each mistaken formula on the instances where its matrix is another.
    """

    decade: int
    true: Counter[Status] = field(default_factory=Counter)
    worst: float = 0.0
    mutants: dict[str, Counter[Status]] = field(default_factory=lambda: {name: Counter() for name in FORMULAS})
    refutation: Verdict | None = None


def in_floats() -> list[Theorem[Any]]:
    """The theorems that floating point decides."""
    return [theorem for theorem in catalogue().values() if theorem.spectra is not None]


def by_decade(instances: int, theorems: Sequence[Theorem[Any]] | None = None) -> list[Decade]:
    """Spread ``instances`` evenly over the decades, in each over the theorems and their sizes; the same each time."""
    chosen = in_floats() if theorems is None else theorems
    return [_examined(decade, max(instances // len(DECADES), 1), chosen) for decade in DECADES]


def _examined(decade: int, instances: int, theorems: Sequence[Theorem[Any]]) -> Decade:
    found = Decade(decade)
    for k in range(instances):
        theorem = theorems[k % len(theorems)]
        size = theorem.sizes[k // len(theorems) % len(theorem.sizes)]
        assert theorem.spectra is not None
        pair = theorem.spectra(RandomSource(100_000 * decade + k), size, decade)
        verdict = check(theorem, pair)
        found.true[verdict.status] += 1
        if verdict.status is Status.REFUTED and found.refutation is None:
            found.refutation = verdict
        values = [float(e.value) for e in verdict.conclusion if e.name == "closed_form"]
        found.worst = max([found.worst, *(value for value in values if np.isfinite(value))])
        for name, formula in FORMULAS.items():
            if differs(pair, formula):
                mutated = replace(theorem, closed_form=formula.decide)
                found.mutants[name][check(mutated, pair).status] += 1
    return found


def differs(pair: ModelPair, formula: Formula) -> bool:
    """Is the matrix of the mistaken formula another than the true one?  Where it cannot be computed it is."""
    l_prime, l_star = (np.array(side.tolist()) for side in mutations.sides(pair))
    g_prime, g_star = (np.array(mutations.vectors(m, pair.label_pairs[0]).tolist()) for m in (pair.prime, pair.star))
    true = _true_matrix(l_prime, l_star)
    try:
        mistaken = formula.matrix(l_prime, l_star, g_prime, g_star)
    except np.linalg.LinAlgError:
        return True
    return bool(np.linalg.norm(mistaken - true) > SAME * np.linalg.norm(true))


def markdown(rows: Sequence[Decade]) -> str:
    """The table: shares in percent, of all instances for the truth and of those where it differs for each mistake."""
    heads = ["cond", "n", "true: holds", "undecided", "vacuous", "refuted", "worst error/bound"]
    heads += [f"{name}: n, refuted / undecided" for name in FORMULAS]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for row in rows:
        total = row.true.total()
        cells = [f"1e{row.decade}", str(total)]
        shown = (Status.HOLDS, Status.UNDECIDED, Status.VACUOUS, Status.REFUTED)
        cells += [_percent(row.true[status], total) for status in shown]
        cells.append(f"{row.worst:.2f}")
        for counts in row.mutants.values():
            n = counts.total()
            shares = " / ".join(_percent(counts[status], n) for status in (Status.REFUTED, Status.UNDECIDED))
            cells.append(f"{n}, {shares}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.1f}" if total else "–"


def main() -> None:
    instances = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    rows = by_decade(instances)
    print(markdown(rows))
    for row in rows:
        if row.refutation is not None:
            print(f"\nA true theorem is refuted at 1e{row.decade}:\n{row.refutation.describe()}")


if __name__ == "__main__":
    main()
