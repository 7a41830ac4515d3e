"""Every mistake in the table is caught, on an instance small enough to be read, and the truth never is.

A suite that passes says little until it is known to fail: here each theorem is stated wrongly in turn, and some
instance must refute it, among all constructions, among those that never use the alignment, and in the exhaustive
scope (or the table says why the scope holds no such instance).  ``pytest tests/mutants -s`` prints the table.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.mutants.mutations import with_conclusion
from tests.mutants.pools import HONEST, POOLS, SCOPE, Kill, in_arithmetic, kill, pool, shown
from tests.mutants.table import MUTANTS, Mutant, Row, applicable, killed, mutant_table
from theory.catalogue import catalogue, find
from theory.evidence import Evidence
from theory.strategies.scope import common_choices
from theory.theorem import Standing, check
from theory.verdict import Status

CELLS = [pytest.param(mutant, theorem, id=f"{mutant.name}-{theorem}") for mutant, theorem in applicable()]
ESTABLISHED = [name for name, theorem in catalogue().items() if theorem.standing is Standing.ESTABLISHED]


def survives(mutant: Mutant, theorem: str, where: str) -> bool:
    """Does the table say that this pool cannot kill the mutant?"""
    return where == SCOPE and theorem in mutant.survives


@pytest.mark.parametrize("where", POOLS)
@pytest.mark.parametrize(("mutant", "theorem"), CELLS)
def test_mutant_dies(mutant: Mutant, theorem: str, where: str) -> None:
    found = killed(mutant, theorem, where)
    if survives(mutant, theorem, where):
        assert found is None, f"the table says that it survives ({mutant.survives[theorem]}), but {found} kills it"
        return
    assert found is not None, f"{theorem} stated with {mutant.mistake!r} survives {where}: the mistake goes unnoticed"
    check_kill(mutant, theorem, found)


def check_kill(mutant: Mutant, theorem: str, dead: Kill) -> None:
    """The instance refutes the mutant and not the theorem, in both arithmetics."""
    mutate = mutant.cell(theorem)
    assert not isinstance(mutate, str)
    for arithmetic in ("flint", "sympy"):
        instance = in_arithmetic(dead.found.instance, arithmetic)
        assert instance == dead.found.instance
        wrong, right = check(mutate(find(theorem)), instance), check(find(theorem), instance)
        assert wrong.status is Status.REFUTED, f"{mutant.name}: {dead}\n{wrong.describe()}"
        assert right.status in (Status.HOLDS, Status.VACUOUS), f"{mutant.name}: {dead}\n{right.describe()}"
        assert all(evidence.exact for evidence in wrong.evidence)


@pytest.mark.parametrize("where", POOLS)
@pytest.mark.parametrize("name", ESTABLISHED)
def test_truth_survives(name: str, where: str) -> None:
    """The same pools never refute the theorem itself, and bite on it often enough."""
    theorem, held = find(name), 0
    for found in pool(theorem, where):
        verdict = check(theorem, found.instance)
        assert verdict.status is not Status.REFUTED, f"{shown(found.instance)} [{found.origin}]\n{verdict.describe()}"
        held += verdict.status is Status.HOLDS
    assert held > 50


def test_the_larger_scope_holds_the_smaller() -> None:
    """The pool of the theorems with common pairs leaves out nothing of their own scope."""
    larger = Counter(found.instance for found in pool(find("linear_identifiability"), SCOPE))
    smaller = Counter(
        instance
        for instance in common_choices.instances()
        if all(a.evidence(instance).holds for a in find("linear_identifiability").assumptions)
    )
    assert larger == smaller


def test_no_cell_is_blank() -> None:
    """Every mutant meets every theorem: it dies in each pool, or the table says why not."""
    rows = mutant_table()
    print_table(rows)
    assert {(row.mutant, row.theorem) for row in rows} == {(m.name, t) for m in MUTANTS for t in catalogue()}
    for row in rows:
        assert bool(row.instance) is bool(row.size) is not bool(row.note), row
        assert row.instance or row.note.startswith(("n/a: ", "survives: ")), row
        assert row.instance or len(row.note) > 15, row
    for mutant in MUTANTS:
        assert any(row.instance for row in rows if (row.mutant, row.pool) == (mutant.name, HONEST)), mutant.name
        assert set(mutant.survives) <= set(mutant.cells)
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def print_table(rows: list[Row]) -> None:
    print()
    for row in rows:
        print(" | ".join(filter(None, (row.mutant, row.theorem, row.pool, row.size, row.instance, row.note))))


def test_refuted_theorems_point_to_their_repair() -> None:
    for theorem in catalogue().values():
        if theorem.standing is Standing.REFUTED:
            assert {mutant.cell(theorem.name) for mutant in MUTANTS} == {f"n/a: refuted; see {theorem.repaired_by}"}


def test_a_mutant_that_raises_is_not_dead() -> None:
    """An error in a mutated predicate is an error of the test, never a kill."""

    def raising(_: object) -> Evidence:
        raise ZeroDivisionError("a mutant that cannot be decided")

    theorem = find("linear_identifiability")
    with pytest.raises(ZeroDivisionError):
        kill(with_conclusion(raising)(theorem), HONEST)
