"""The representation g of the labels, once f is aligned: Roeder, Metz and Kingma, Theorem 1, the part about g.

Let two models have equal distributions, and let an invertible A with f'(x) = A f*(x) at every context be given.  Let
the f*(x) span R^M, and let the candidate sets *tie the labels together*, as full ones do.  Then

    g'(y) - g'(y0) = A⁻ᵀ (g*(y) - g*(y0))    for all labels y, y0:

g is identified up to one shift, g' = A⁻ᵀ g* + c, and its matrix is tied to A.  No diversity is needed.

*Proof.*  Put d(y) = Aᵀ g'(y) - g*(y).  Equal distributions give f*(x)·(d(y) - d(y0)) = 0 for labels y, y0 that
candidate sets join at x, and the f*(x) span: where the labels are tied together d is constant.

*Tied.*  The conditions f*(x)·(d(y) - d(y0)) = 0 leave only d that are constant on the span of the f*(x): their rank is
(K - 1) rank F*.  It is enough that every context joins all labels.  It is also enough that all labels are connected
when two are linked if the f* of the contexts that join them span.  Neither is necessary: in the plane six pairs of four
labels, each seen at one context of its own, tie them together.  Given the other assumptions, tied and spanning
together are also *necessary*: a d that meets the conditions and is not constant makes g' = A⁻ᵀ (g* + d) a
counterexample.

*Tight.*  Every shift is attained: translating g changes no distribution.  The claim without it is
``label_representation_linear``.

*Needed.*  Without ``star_spans``, M = 1, f' = f* = 0 and any g.  Without ``labels_tied`` a third label that occurs
nowhere.  Without ``alignment_invertible``, M = 1, f* = 1, A = 0, g* = (0, 0) and any g'; what remains true is
Aᵀ (g'(y) - g'(y0)) = g*(y) - g*(y0).  (So A is invertible by itself where the differences of g*, or the f'(x), span.)
Without ``aligned`` A is any matrix, and says nothing about the models.
"""

from __future__ import annotations

from theory import decide
from theory.assumptions import (
    decide_equal_distributions,
    decide_labels_tied,
    decide_no_bias,
    decide_star_spans,
    no_bias,
)
from theory.evidence import Evidence, all_of
from theory.indeterminacy import label_steps
from theory.models import AlignedPair, Model, ModelPair, full_candidate_sets
from theory.references import roeder
from theory.sizes import Size
from theory.strategies import labels, pairs
from theory.strategies.label_scopes import aligned_pairs
from theory.theorem import Assumption, Construction, Standing, Stronger, Theorem, Worked


def decide_aligned(pair: AlignedPair) -> Evidence:
    """f'(x) = A f*(x) at every context, with the A of the instance.  The value is the largest entry of f' - A f*."""
    return decide.vanishes(pair.prime.f - pair.star.f @ pair.alignment.T, "largest entry of f' - A f*")


def decide_alignment_invertible(pair: AlignedPair) -> Evidence:
    """A is square and invertible."""
    return decide.invertible(pair.alignment)


def conclusion(pair: AlignedPair) -> Evidence:
    """A is invertible, and g'(y) - g'(0) = A⁻ᵀ (g*(y) - g*(0)) for every label y.

    Where A is singular there is no A⁻ᵀ.  What is then said first is whether the differences of g' are a linear
    function of those of g* at all.
    """
    prime, star = label_steps(pair.prime), label_steps(pair.star)
    if decide_alignment_invertible(pair).holds is not True:
        return all_of(decide.linear_map(star, prime), decide_alignment_invertible(pair))
    image = pair.alignment.T.solve(star.T)
    assert image is not None  # A is invertible
    return decide.vanishes(prime - image.T, "largest entry of the difference of g' and A⁻ᵀ g*, both from label 0")


def no_shift(pair: AlignedPair) -> Evidence:
    """g'(y) = A⁻ᵀ g*(y), with no shift."""
    return decide.vanishes(pair.prime.g @ pair.alignment - pair.star.g, "largest entry of Aᵀ g' - g*")


def witness() -> AlignedPair:
    """M = 1, K = 2, n = 1: f' = 2, g' = (1, 2); f* = 1, g* = (0, 2); A = 2, so c = 1."""
    pair = ModelPair(
        Model.of(f=[[2]], g=[[1], [2]]),
        Model.of(f=[[1]], g=[[0], [2]]),
        full_candidate_sets(1, 2),
    )
    return labels.with_alignment(pair)


def not_spanning() -> AlignedPair:
    """M = 1, K = 2, n = 1: f' = f* = 0, g' = (0, 0), g* = (0, 1), A = 1."""
    pair = ModelPair(Model.of(f=[[0]], g=[[0], [0]]), Model.of(f=[[0]], g=[[0], [1]]), full_candidate_sets(1, 2))
    return labels.with_alignment(pair)


def not_tied() -> AlignedPair:
    """M = 2, K = 3, n = 2, A = 1: f' = f* = e1, e2; the first context joins all labels, the second labels 0 and 1 only;
    g' = 0, e1, e1 + e2 and g* = 0, e1, e1."""
    f = [[1, 0], [0, 1]]
    pair = ModelPair(
        Model.of(f=f, g=[[0, 0], [1, 0], [1, 1]]),
        Model.of(f=f, g=[[0, 0], [1, 0], [1, 0]]),
        (((0, 1, 2),), ((0, 1),)),
    )
    return labels.with_alignment(pair)


THEOREM = Theorem(
    name="label_representation",
    title="Theorem 1 for the labels",
    reference=roeder("Theorem 1, the part about g, with its offset"),
    statement=(
        "If p' = p* on every candidate set of every context, f' = A f* with A invertible, the f*(x) span R^M and the "
        "candidate sets tie the labels together, then g'(y) - g'(y0) = A^-T (g*(y) - g*(y0)) for all labels y, y0."
    ),
    instance_type=AlignedPair,
    assumptions=(
        Assumption(no_bias.name, no_bias.statement, decide_no_bias),
        Assumption(
            "equal_distributions",
            "p'(y|x,S) = p*(y|x,S) at every context x, on every candidate set S of positive probability",
            decide_equal_distributions,
        ),
        Assumption("aligned", "f'(x) = A f*(x) at every context x, with the A of the instance", decide_aligned),
        Assumption("alignment_invertible", "A is invertible", decide_alignment_invertible),
        Assumption("star_spans", "the representations f*(x) of all contexts span R^M", decide_star_spans),
        Assumption(
            "labels_tied",
            "the candidate sets tie the labels together: the conditions f*(x)·(d(y) - d(z)) = 0, for y, z joined by "
            "candidate sets at x, have rank (K - 1) rank F*, as with full candidate sets",
            decide_labels_tied,
        ),
    ),
    conclusion=conclusion,
    indeterminacy="one shift: g' = A^-T g* + c, every c in R^M",
    standing=Standing.ESTABLISHED,
    needs=("no_bias", "equal_distributions", "aligned", "alignment_invertible", "star_spans", "labels_tied"),
    stronger=(Stronger("no_shift", "g'(y) = A^-T g*(y), with no shift", no_shift),),
    constructions=(
        Construction("solved label by label", labels.solved_by_label, fits=labels.spans),
        Construction("solved context by context", labels.solved_by_context, fits=pairs.spannable),
        Construction("factored at other pivots", labels.factored, fits=pairs.spannable),
        Construction("aligned by A", labels.aligned, uses_alignment=True, fits=labels.spans),
        Construction("moved at one label", labels.moved_label, "equal_distributions", fits=labels.spans),
        Construction("a bias making up for wrong labels", labels.made_up_by_bias, "no_bias", fits=labels.spans),
        Construction("another matrix", labels.other_alignment, "aligned", fits=labels.spans),
        Construction("A singular", labels.singular_alignment, "alignment_invertible", uses_alignment=True,
                     fits=labels.spans),
        Construction("f* not spanning", labels.solved_not_spanning, "star_spans"),
        Construction("a loose label", labels.loose_label, "labels_tied", fits=labels.spans_with_three_labels),
    ),
    sizes=(
        Size(1, 2, 1), Size(1, 3, 2), Size(2, 2, 2), Size(2, 3, 4), Size(2, 5, 3), Size(3, 2, 3), Size(3, 4, 4),
        Size(3, 6, 5), Size(4, 3, 4), Size(4, 7, 6), Size(5, 8, 7), Size(6, 4, 6), Size(6, 9, 8),
    ),
    scope=aligned_pairs,
    witness=witness,
    worked=(
        Worked("star_spans", not_spanning, "f' = f* = 0, and the labels differ in one model only"),
        Worked("labels_tied", not_tied, "all labels are joined at a context, but not where f* = e2"),
    ),
)  # fmt: skip
