"""A row of the table: one mistake, with a mutation of each theorem or the reason why there is nothing to mutate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.mutants.mutations import Mutate
from tests.mutants.pools import HONEST, SCOPE
from theory.catalogue import find
from theory.theorem import Standing

#: A mutation, or the reason why the theorem has nothing to mutate there.
Cell = Mutate | str

LINEAR, ONE_SIDED, LINKED = "linear_identifiability", "one_sided_diversity", "linked_pairs"
BIASED, LABELS, BIASED_LABELS = "biased_logits", "label_representation", "biased_label_representation"
EXTENDED, BOUND, STABLE = "extended_linear", "logit_distance_bound", "stability"
NORMS, FEW = "unit_norm_orthogonal", "few_labels"

NO_ALIGNMENT = "n/a: no alignment occurs"
ONE_MODEL = "n/a: it is about one model, without candidate sets or chosen pairs"
NO_LABELS = "n/a: it is about representations alone, whatever the labels"
NO_PAIRS = "n/a: no label pairs are chosen"
NO_BOUND = "n/a: where L is singular no bound is claimed, so nothing can be refuted there"
ANY_DISTRIBUTIONS = "n/a: it is about logits, whatever the distributions and candidate sets"
GIVEN_A = "n/a: A is part of the instance and not computed from label pairs"


@dataclass(frozen=True, eq=False)
class Mutant:
    """A mistake, with the cell of each theorem that is not refuted already.

    ``elsewhere`` is the reason that goes for every theorem not listed.  ``survives`` gives, for a theorem, the reason
    why no instance of the exhaustive scope can kill the mutant; ``aligned_only`` why no construction can that does not
    use the alignment.
    """

    name: str
    mistake: str
    cells: Mapping[str, Cell]
    elsewhere: str = ""
    survives: Mapping[str, str] = field(default_factory=dict)
    aligned_only: Mapping[str, str] = field(default_factory=dict)

    def cell(self, theorem: str) -> Cell:
        """Raises ``KeyError`` for a theorem that the table does not speak of."""
        if find(theorem).standing is Standing.REFUTED:
            return f"n/a: refuted; see {find(theorem).repaired_by}"
        if theorem not in self.cells and self.elsewhere:
            return self.elsewhere
        return self.cells[theorem]

    def survival(self, theorem: str, where: str) -> str | None:
        """Why the mutant survives a pool, where the table says that it does."""
        reasons = {SCOPE: self.survives, HONEST: self.aligned_only}.get(where, {})
        return reasons.get(theorem)


def on_three(cell: Cell) -> dict[str, Cell]:
    """One cell for the three theorems that claim f' = A f* of two models without biases."""
    return dict.fromkeys((LINEAR, ONE_SIDED, LINKED), cell)
