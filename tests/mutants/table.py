"""The table mutant × theorem: which mistake must be caught on which theorem, and the instance that catches it.

``python -m tests.mutants.table`` prints it; the documentation renders :func:`mutant_table`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from tests.mutants import mutations as m
from tests.mutants.mutations import Mutate, with_assumptions, with_closed_form, with_conclusion
from tests.mutants.pools import POOLS, SCOPE, Kill, kill
from theory.catalogue import catalogue, find
from theory.theorem import Standing

#: A mutation, or the reason why the theorem has nothing to mutate there.
Cell = Mutate | str

LINEAR, ONE_SIDED, LINKED, FEW = "linear_identifiability", "one_sided_diversity", "linked_pairs", "few_labels"
NO_ALIGNMENT = "n/a: no alignment occurs"
ONE_MODEL = "n/a: it is about one model, without candidate sets or chosen pairs"


@dataclass(frozen=True, eq=False)
class Mutant:
    """A mistake, with the cell of each theorem that is not refuted already.

    ``survives`` gives, for a theorem, the reason why no instance of the exhaustive scope can kill the mutant.
    """

    name: str
    mistake: str
    cells: Mapping[str, Cell]
    survives: Mapping[str, str] = field(default_factory=dict)

    def cell(self, theorem: str) -> Cell:
        """Raises ``KeyError`` for a theorem that the table does not speak of."""
        if find(theorem).standing is Standing.REFUTED:
            return f"n/a: refuted; see {find(theorem).repaired_by}"
        return self.cells[theorem]


def on_pairs(mutate: Mutate, few: Cell) -> dict[str, Cell]:
    """One mutation for the three theorems on pairs of models."""
    return {LINEAR: mutate, ONE_SIDED: mutate, LINKED: mutate, FEW: few}


def on_three(reason: str) -> dict[str, str]:
    return dict.fromkeys((LINEAR, ONE_SIDED, LINKED), reason)


_ONLY_EQUAL = "the scope lists only pairs with equal distributions, so it cannot show what a weaker equality lets in"
_ALWAYS_JOINED = "in the scope the candidate sets of a context overlap, so labels that occur are joined"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "A transposed",
        "f' = Aᵀ f* in place of f' = A f*",
        on_pairs(with_closed_form(m.transposed), NO_ALIGNMENT),
    ),
    Mutant(
        "L⁻¹ for L⁻ᵀ",
        "A = L'⁻¹ L*ᵀ in place of A = L'⁻ᵀ L*ᵀ",
        on_pairs(with_closed_form(m.inverse_not_transposed), NO_ALIGNMENT),
    ),
    Mutant(
        "f and g swapped: alignment",
        "A applied to the label differences, L' = A L*, in place of the representations; few labels: v orthogonal to "
        "the representations in place of the label differences",
        on_pairs(with_closed_form(m.labels_aligned), with_conclusion(m.few_orthogonal_to_f)),
    ),
    Mutant(
        "f and g swapped: conclusion",
        "g' = B g* in place of f' = A f*",
        on_pairs(with_conclusion(m.about_g), NO_ALIGNMENT),
    ),
    Mutant(
        "g for differences",
        "[g(y_A)] in place of [g(y_A) - g(y_B)]; few labels: rank and null space of g",
        {
            LINEAR: with_assumptions(left_invertible=m.left_vectors, right_invertible=m.right_vectors),
            ONE_SIDED: with_assumptions(left_invertible=m.left_vectors),
            LINKED: with_assumptions(left_invertible=m.left_vectors, right_invertible=m.right_vectors),
            FEW: with_conclusion(m.few_vectors),
        },
        survives={FEW: "in the scope g(0) = 0, where g and its differences span the same"},
    ),
    Mutant(
        "candidate set ignored: pairs unseen",
        "nothing is asked of the candidate sets that the chosen pairs lie in",
        {
            LINEAR: with_assumptions(pairs_seen=m.not_checked),
            ONE_SIDED: with_assumptions(pairs_seen=m.not_checked),
            LINKED: with_assumptions(pairs_joined=m.not_checked),
            FEW: ONE_MODEL,
        },
    ),
    Mutant(
        "candidate set ignored: first context only",
        "the chosen pairs are looked for at the first context only",
        {
            LINEAR: with_assumptions(pairs_seen=m.seen_at_first),
            ONE_SIDED: with_assumptions(pairs_seen=m.seen_at_first),
            LINKED: with_assumptions(pairs_joined=m.joined_at_first),
            FEW: ONE_MODEL,
        },
    ),
    Mutant(
        "candidate set ignored: which of them",
        "both labels of a pair occur at the context, in whatever candidate sets",
        {
            LINEAR: with_assumptions(pairs_seen=m.seen_anywhere),
            ONE_SIDED: with_assumptions(pairs_seen=m.seen_anywhere),
            LINKED: with_assumptions(pairs_joined=m.seen_anywhere),
            FEW: ONE_MODEL,
        },
        survives=on_three(_ALWAYS_JOINED),
    ),
    Mutant(
        "candidate set ignored: equality",
        "distributions are compared on the first candidate set of each context only",
        on_pairs(with_assumptions(equal_distributions=m.equal_on_first_set), ONE_MODEL),
        survives=on_three(_ONLY_EQUAL),
    ),
    Mutant(
        "one pair dropped",
        "M - 1 pairs are enough; few labels: no M - 1 independent differences",
        {
            LINEAR: with_assumptions(left_invertible=m.left_one_fewer, right_invertible=m.right_one_fewer),
            ONE_SIDED: with_assumptions(left_invertible=m.left_one_fewer),
            LINKED: with_assumptions(left_invertible=m.left_one_fewer, right_invertible=m.right_one_fewer),
            FEW: with_conclusion(m.few_one_pair_fewer),
        },
    ),
    Mutant(
        "pairs chosen by context",
        "contexts may choose different pairs; linked pairs: links between them are not asked for",
        {
            LINEAR: with_assumptions(common_pairs=m.not_checked),
            ONE_SIDED: with_assumptions(common_pairs=m.not_checked),
            LINKED: with_assumptions(linked=m.not_checked),
            FEW: ONE_MODEL,
        },
    ),
    Mutant(
        "L' not checked",
        "L' need not be invertible",
        on_pairs(with_assumptions(left_invertible=m.not_checked), ONE_MODEL),
    ),
    Mutant(
        "L* not checked",
        "L* need not be invertible",
        {
            LINEAR: with_assumptions(right_invertible=m.not_checked),
            ONE_SIDED: "n/a: L* is not asked to be invertible",
            LINKED: with_assumptions(right_invertible=m.not_checked),
            FEW: ONE_MODEL,
        },
    ),
    Mutant(
        "spanning not checked",
        "f' need not span; linked pairs: f* need not span where systems are linked; few labels: h is not linear in f, "
        "in place of not affine",
        {
            LINEAR: "n/a: no representation is asked to span",
            ONE_SIDED: with_assumptions(left_spans=m.not_checked),
            LINKED: with_assumptions(linked=m.linked_without_spanning),
            FEW: with_assumptions(h_not_affine=m.not_linear),
        },
        survives={
            LINKED: "in the plane the scope has M + 1 labels, where all systems give one A; on the line it takes a "
            "third context, between two where f* differs from 0, and the scope has two"
        },
    ),
    Mutant(
        "one label more",
        "few labels: K <= M + 1 is taken for few",
        {
            **on_three("n/a: the number of labels is not bounded from above"),
            FEW: with_assumptions(few_labels=m.one_label_more),
        },
    ),
)


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
        reason = mutant.survives.get(theorem) if where == SCOPE else None
        return Row(mutant.name, mutant.mistake, theorem, where, "", "", f"survives: {reason or 'UNEXPECTED'}")
    return Row(mutant.name, mutant.mistake, theorem, where, str(found.size), str(found), "")


def main() -> None:
    for row in mutant_table():
        print(" | ".join(filter(None, (row.mutant, row.theorem, row.pool, row.size, row.instance, row.note))))


if __name__ == "__main__":
    main()
