"""Every mistake in the table is caught, on an instance small enough to be read, and the truth never is.

A suite that passes says little until it is known to fail: here each theorem is stated wrongly in turn, and some
instance must refute it, among all constructions, among those that never use the alignment, and in the exhaustive
scope (or the table says why the scope holds no such instance).  ``pytest tests/mutants -s`` prints the table.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.instances import in_arithmetic
from tests.mutants import mutations_biases, mutations_bounds
from tests.mutants import mutations_labels as labels
from tests.mutants.mutant import BIASED, BIASED_LABELS, BOUND, LABELS, STABLE, Mutant
from tests.mutants.mutations import Mutate, with_closed_form, with_conclusion
from tests.mutants.pools import ALL, HONEST, POOLS, SCOPE, Kill, kill, pool, shown
from tests.mutants.table import MUTANTS, Row, applicable, killed, mutant_table
from theory.catalogue import catalogue, find
from theory.checking import check
from theory.evidence import Evidence
from theory.strategies.scope import common_choices
from theory.theorem import PredicateError, Standing
from theory.verdict import Status

CELLS = [pytest.param(mutant, theorem, id=f"{mutant.name}-{theorem}") for mutant, theorem in applicable()]
ESTABLISHED = [name for name, theorem in catalogue().items() if theorem.standing is Standing.ESTABLISHED]


@pytest.mark.parametrize("where", POOLS)
@pytest.mark.parametrize(("mutant", "theorem"), CELLS)
def test_mutant_dies(mutant: Mutant, theorem: str, where: str) -> None:
    found = killed(mutant, theorem, where)
    reason = mutant.survival(theorem, where)
    if reason is not None:
        assert found is None, f"the table says that it survives ({reason}), but {found} kills it"
        return
    assert found is not None, f"{theorem} stated with {mutant.mistake!r} survives {where}: the mistake goes unnoticed"
    check_kill(mutant, theorem, found, ("flint", "sympy") if where == HONEST else ("flint",))


def check_kill(mutant: Mutant, theorem: str, dead: Kill, arithmetics: tuple[str, ...]) -> None:
    """The instance refutes the mutant and not the theorem, in each arithmetic."""
    mutate = mutant.cell(theorem)
    assert not isinstance(mutate, str)
    for arithmetic in arithmetics:
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
        verdict = check(theorem, found.instance, brief=True)
        told = verdict.status not in (Status.REFUTED, Status.UNDECIDED)
        assert told, f"{shown(found.instance)} [{found.origin}]\n{verdict.describe()}"
        held += verdict.status is Status.HOLDS
    assert held > 50


UNMUTATED: list[tuple[str, Mutate]] = [
    (BIASED, with_closed_form(mutations_biases.formula())),
    (LABELS, with_conclusion(labels.labels_by(labels.inverse_transposed))),
    (BIASED_LABELS, with_conclusion(labels.with_biases(labels.labels_by(labels.inverse_transposed)))),
    (BIASED_LABELS, with_conclusion(labels.biases_by(-1, of_star=False))),
    (BOUND, with_conclusion(mutations_bounds.of_logits())),
    (STABLE, with_conclusion(mutations_bounds.of_probabilities())),
]


@pytest.mark.parametrize(("name", "mutate"), UNMUTATED, ids=[f"{i}-{name}" for i, (name, _) in enumerate(UNMUTATED)])
def test_what_builds_mutants_is_true_where_nothing_is_mutated(name: str, mutate: Mutate) -> None:
    """So a mutant dies of its mistake, and not of the way in which it is written."""
    assert kill(mutate(find(name)), ALL) is None


def test_the_larger_scope_holds_the_smaller() -> None:
    """The pool of the theorems with common pairs leaves out nothing of their own scope."""
    theorem = find("linear_identifiability")
    larger = [found.instance for found in pool(theorem, SCOPE)]
    met = (x for x in common_choices.instances() if all(a.decide(x).holds for a in theorem.assumptions))
    smaller = list(met)
    assert len(larger) == len(smaller)
    assert Counter(x for x in larger if x.dim == 1) == Counter(x for x in smaller if x.dim == 1)


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
        honest = [row for row in rows if (row.mutant, row.pool) == (mutant.name, HONEST)]
        assert mutant.aligned_only or any(row.instance for row in honest), mutant.name
        assert {*mutant.survives, *mutant.aligned_only} <= set(mutant.cells)
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def print_table(rows: list[Row]) -> None:
    print()
    for row in rows:
        print(row)


def test_refuted_theorems_point_to_their_repair() -> None:
    for theorem in catalogue().values():
        if theorem.standing is Standing.REFUTED:
            assert {mutant.cell(theorem.name) for mutant in MUTANTS} == {f"n/a: refuted; see {theorem.repaired_by}"}


def test_a_mutant_that_raises_is_not_dead() -> None:
    """An error in a mutated predicate is an error of the test, never a kill."""

    def raising(_: object) -> Evidence:
        raise ZeroDivisionError("a mutant that cannot be decided")

    theorem = find("linear_identifiability")
    with pytest.raises(PredicateError, match=r"conclusion raised ZeroDivisionError.*: a mutant that cannot be decided"):
        kill(with_conclusion(raising)(theorem), HONEST)
