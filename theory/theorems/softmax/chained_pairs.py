"""A tempting repair that is false: chaining contexts by overlapping pair systems.

As ``pairs_may_depend_on_the_context``, and in addition the contexts are *chained*: join two contexts when one of
them sees the other's pairs inside its candidate sets; the resulting graph on contexts is connected.  One might hope
that the alignments of neighbouring contexts then agree.

*Refuted.*  A context that sees two pair systems forces their alignments to agree on its own f*(x) only.  With
M = 1, K = 3, n = 3 it is enough that f* vanishes at the context in between.  No representation need vanish: with
M = 2, K = 4, candidate sets {0,1,2}, {0,1,2,3}, {0,1,3}, f' = (1,1), (1,0), (1,1), g' = 0, e1, e2, (0,2) and
f* = (1,1), (1,0), (1,2), g* = 0, e1, e2, (0,1) have equal distributions and no A.

*Repaired* by ``linked_pairs``: the contexts that see both systems must have f* that spans.
"""

from __future__ import annotations

from theory import decide
from theory.assumptions import equal_distributions, left_invertible, no_bias, pairs_seen, right_invertible
from theory.cooccurrence import connected, inside_one_set
from theory.evidence import Evidence
from theory.models import Model, ModelPair
from theory.references import own
from theory.sizes import Size
from theory.strategies import pairs, systems
from theory.strategies.scope import choices_by_context
from theory.theorem import Assumption, Construction, Standing, Theorem, Worked


def decide_chained(pair: ModelPair) -> Evidence:
    """The graph on contexts, joined when one sees the other's pairs in candidate sets, is connected."""
    contexts = range(len(pair.label_pairs))
    joined = [
        (x, z)
        for x in contexts
        for z in contexts
        if x != z and all(inside_one_set(pair.candidate_sets[z], chosen) for chosen in pair.label_pairs[x])
    ]
    parts = connected(contexts, joined)
    return decide.count_is_zero(max(len(parts) - 1, 0), "breaks in the chain of contexts", parts=parts)


def conclusion(pair: ModelPair) -> Evidence:
    """There is one invertible A (M, M) with f'(x) = A f*(x) at every context x."""
    return decide.invertible_linear_map(pair.star.f, pair.prime.f)


def vanishing_between() -> ModelPair:
    """M = 1, K = 3, n = 3: f* = 1, 0, 1 and f' = 1, 0, 2; the middle context sees every label."""
    return ModelPair(
        Model.of(f=[[1], [0], [2]], g=[[0], [1], ["3/2"]]),
        Model.of(f=[[1], [0], [1]], g=[[0], [1], [2]]),
        (((0, 1),), ((0, 1, 2),), ((1, 2),)),
        (((1, 0),), ((1, 0),), ((2, 1),)),
    )


def not_spanning_between() -> ModelPair:
    """M = 2, K = 4, n = 3: no representation vanishes, and f* = e1 alone sees both systems."""
    return ModelPair(
        Model.of(f=[[1, 1], [1, 0], [1, 1]], g=[[0, 0], [1, 0], [0, 1], [0, 2]]),
        Model.of(f=[[1, 1], [1, 0], [1, 2]], g=[[0, 0], [1, 0], [0, 1], [0, 1]]),
        (((0, 1, 2),), ((0, 1, 2, 3),), ((0, 1, 3),)),
        (((1, 0), (2, 0)), ((1, 0), (2, 0)), ((1, 0), (3, 0))),
    )


THEOREM = Theorem(
    name="chained_pairs",
    title="Theorem 1 with chained pairs",
    reference=own("a tempting repair of the quantifier trap"),
    statement=(
        "If p' = p* on every candidate set of every context, at every context some M label pairs inside candidate sets "
        "have invertible L'(x) and L*(x), and the contexts are connected when joined if one sees the other's pairs, "
        "then f' = A f* with one invertible A."
    ),
    instance_type=ModelPair,
    assumptions=(
        no_bias, equal_distributions,
        pairs_seen,
        Assumption(
            "chained",
            "joining two contexts when one sees the other's pairs inside its candidate sets connects all contexts",
            decide_chained,
        ),
        left_invertible,
        right_invertible,
    ),
    conclusion=conclusion,
    indeterminacy="claimed linear; really one linear map for each linked group of contexts",
    standing=Standing.REFUTED,
    repaired_by="linked_pairs",
    constructions=(
        Construction("one context between, f* not spanning", systems.chained_systems_seen, fits=systems.chainable),
        Construction("solved context by context", pairs.solved, fits=pairs.diverse),
    ),
    sizes=(
        Size(1, 3, 3), Size(1, 4, 4), Size(2, 4, 3), Size(2, 4, 5), Size(3, 5, 4), Size(3, 6, 5), Size(4, 6, 6),
        Size(5, 7, 6), Size(6, 8, 7),
    ),
    scope=choices_by_context,
    witness=not_spanning_between,
    worked=(
        Worked(None, vanishing_between, "the smallest; f* vanishes at the context in between"),
        Worked(None, not_spanning_between, "M = 2, no representation vanishes"),
    ),
)  # fmt: skip
