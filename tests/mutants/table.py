"""The table mutant × theorem: which mistake must be caught on which theorem, and the instance that catches it.

``python -m tests.mutants.table`` prints it in full and ``--compact`` one line a mutant; the documentation renders
:func:`mutant_table`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tests.mutants import rows_alignment, rows_own, rows_sets
from tests.mutants.mutant import Mutant
from tests.mutants.pools import POOLS, Kill, kill
from theory.catalogue import catalogue, find

MUTANTS: tuple[Mutant, ...] = (*rows_alignment.ROWS, *rows_sets.ROWS, *rows_own.ROWS)


@dataclass(frozen=True)
class Row:
    """One line of the table.  ``instance`` kills the mutant, or is empty and ``note`` says why there is none."""

    mutant: str
    mistake: str
    theorem: str
    pool: str
    size: str
    instance: str
    note: str

    def __str__(self) -> str:
        return " | ".join(filter(None, (self.mutant, self.theorem, self.pool, self.size, self.instance, self.note)))


@cache
def killed(mutant: Mutant, theorem: str, where: str) -> Kill | None:
    """The smallest instance found in the pool ``where`` that kills the mutant; None when nothing there does."""
    mutate = mutant.cell(theorem)
    assert not isinstance(mutate, str), f"{mutant.name} does not apply to {theorem}"
    return kill(mutate(find(theorem)), where)


def applicable() -> Iterator[tuple[Mutant, str]]:
    """Every cell of the table with a mutant in it."""
    for mutant in MUTANTS:
        for theorem in catalogue():
            if not isinstance(mutant.cell(theorem), str):
                yield mutant, theorem


def mutant_table() -> list[Row]:
    """Every mutant with every theorem: the killing instance in each pool, or why there is none.  No cell is blank."""
    rows: list[Row] = []
    for mutant in MUTANTS:
        for theorem in catalogue():
            cell = mutant.cell(theorem)
            if isinstance(cell, str):
                rows.append(Row(mutant.name, mutant.mistake, theorem, "", "", "", cell))
                continue
            for where in POOLS:
                rows.append(_row(mutant, theorem, where))
    return rows


def _row(mutant: Mutant, theorem: str, where: str) -> Row:
    found = killed(mutant, theorem, where)
    if found is None:
        reason = mutant.survival(theorem, where) or "UNEXPECTED"
        return Row(mutant.name, mutant.mistake, theorem, where, "", "", f"survives: {reason}")
    return Row(mutant.name, mutant.mistake, theorem, where, str(found.size), str(found), "")


def compact_table() -> list[str]:
    """A Markdown line for each mutant: where it applies, the (M, K, n) that kill it in the three pools, – for none."""
    lines = ["| mutant | theorem: M.K.n of the killing instance (all constructions / without A / scope) |", "|---|---|"]
    for mutant in MUTANTS:
        cells: list[str] = []
        for theorem in catalogue():
            if not isinstance(mutant.cell(theorem), str):
                found = [killed(mutant, theorem, where) for where in POOLS]
                sizes = [f"{k.size.dim}.{k.size.labels}.{k.size.contexts}" if k else "–" for k in found]
                cells.append(f"{theorem} {' / '.join(sizes)}")
        lines.append(f"| {mutant.name} | {'; '.join(cells)} |")
    return lines


def main() -> None:
    for line in compact_table() if "--compact" in sys.argv else mutant_table():
        print(line)


if __name__ == "__main__":
    main()
