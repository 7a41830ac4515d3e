"""The part about g of Theorem 1 without its offset: "g' = B g*" is false.

Read like the part about f, Theorem 1 would say of the labels that g'(y) = B g*(y) for some matrix B, under the
assumptions of ``label_representation``: equal distributions, f' = A f* with A invertible, spanning f*, labels tied
together by the candidate sets.  Here B may even be singular, and need not be A⁻ᵀ.

*Refuted*, smallest at M = 1, K = 2, n = 1: f' = f* = 1, g* = (0, 1), g' = (1, 2).  A translation of g changes no
distribution, and no linear map takes 0 to 1.  Diversity does not help: the difference of the two labels is 1 in both
models.  As g' = A⁻ᵀ g* + c, a matrix B exists exactly when c = 0 or the ones vector lies in the column space of G*
(with 1 = G* u it is B = A⁻ᵀ + c uᵀ, which may be singular): so the refuting instances are those with c != 0 whose
G* has no constant column combination.  The statement is refuted *as restated here*; the paper's own wording was not at
hand.

*Repaired* by ``label_representation``: equality of differences, or equality up to one shift.
"""

from __future__ import annotations

from theory import decide
from theory.evidence import Evidence
from theory.models import AlignedPair, Model, ModelPair, full_candidate_sets
from theory.references import roeder
from theory.sizes import Size
from theory.strategies import labels, pairs
from theory.strategies.label_scopes import aligned_pairs
from theory.theorem import Construction, Standing, Theorem, Worked
from theory.theorems.softmax import label_representation


def conclusion(pair: AlignedPair) -> Evidence:
    """There is a matrix B (M, M), invertible or not, with g'(y) = B g*(y) for every label y."""
    return decide.linear_map(pair.star.g, pair.prime.g)


def moved_by_one() -> AlignedPair:
    """M = 1, K = 2, n = 1: f' = f* = 1, g* = (0, 1), g' = (1, 2), A = 1."""
    pair = ModelPair(
        Model.of(f=[[1]], g=[[1], [2]]),
        Model.of(f=[[1]], g=[[0], [1]]),
        full_candidate_sets(1, 2),
    )
    return labels.with_alignment(pair)


def moved_in_the_plane() -> AlignedPair:
    """M = 2, K = 4, n = 2, A = 1: f' = f* = e1, e2; g* = e1, e2, -e1, -e2, which sum to zero, and g' = g* + (1,1)."""
    f = [[1, 0], [0, 1]]
    pair = ModelPair(
        Model.of(f=f, g=[[2, 1], [1, 2], [0, 1], [1, 0]]),
        Model.of(f=f, g=[[1, 0], [0, 1], [-1, 0], [0, -1]]),
        full_candidate_sets(2, 4),
    )
    return labels.with_alignment(pair)


THEOREM = Theorem(
    name="label_representation_linear",
    title="Theorem 1 for the labels, without an offset",
    reference=roeder("Theorem 1, the part about g, with g' = B g* and no offset"),
    statement=(
        "If p' = p* on every candidate set of every context, f' = A f* with A invertible, the f*(x) span R^M and the "
        "candidate sets tie the labels together, then g' = B g* for a matrix B."
    ),
    instance_type=AlignedPair,
    assumptions=label_representation.THEOREM.assumptions,
    conclusion=conclusion,
    indeterminacy="claimed linear; really A^-T and one shift",
    standing=Standing.REFUTED,
    repaired_by="label_representation",
    constructions=(
        Construction("solved label by label", labels.solved_by_label, fits=labels.spans),
        Construction("solved context by context", labels.solved_by_context, fits=pairs.spannable),
        Construction("factored at other pivots", labels.factored, fits=pairs.spannable),
        Construction("aligned by A", labels.aligned, uses_alignment=True, fits=labels.spans),
    ),
    sizes=(
        Size(1, 2, 1), Size(1, 3, 2), Size(2, 2, 2), Size(2, 3, 4), Size(2, 5, 3), Size(3, 4, 4), Size(3, 6, 5),
        Size(4, 7, 6), Size(5, 8, 7), Size(6, 9, 8),
    ),
    scope=aligned_pairs,
    witness=moved_by_one,
    worked=(
        Worked(None, moved_by_one, "the smallest; no linear map takes 0 to 1"),
        Worked(None, moved_in_the_plane, "M = 2, four labels that sum to zero, moved"),
    ),
)  # fmt: skip
