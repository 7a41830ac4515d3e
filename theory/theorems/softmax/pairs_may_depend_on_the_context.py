"""The quantifier trap: the label pairs of the diversity condition may not depend on the context.

Restatements of the condition say that "for any given x" one can choose M label pairs with invertible difference
matrices.  Read literally, each context may choose pairs of its own: equal distributions, every chosen pair inside
a candidate set of its context, L'(x) and L*(x) invertible at every context x.  The conclusion f' = A f* with one
invertible A then fails, although each context has an A of its own.

*Refuted*, smallest at M = 1, K = 3, n = 2 with candidate sets {0, 1} and {1, 2}: f' = (1, 2), g' = (0, 1, 3/2) and
f* = (1, 1), g* = (0, 1, 2).  In general K = M + 2 labels are least: with M + 1 labels on which both models have
M independent differences, every choice of M independent pairs spans the same differences.  The statement is refuted
*as restated here*; the original paper's quantifiers could not be read.

*Repaired* by ``linked_pairs``; the tempting repair ``chained_pairs`` is not enough.
"""

from __future__ import annotations

from theory import decide
from theory.assumptions import equal_distributions, left_invertible, no_bias, pairs_seen, right_invertible
from theory.evidence import Evidence
from theory.models import Model, ModelPair
from theory.references import roeder
from theory.sizes import Size
from theory.strategies import pairs, systems
from theory.strategies.scope import choices_by_context
from theory.theorem import Construction, Standing, Theorem, Worked


def conclusion(pair: ModelPair) -> Evidence:
    """There is one invertible A (M, M) with f'(x) = A f*(x) at every context x."""
    return decide.invertible_linear_map(pair.star.f, pair.prime.f)


def on_the_line() -> ModelPair:
    """M = 1, K = 3, n = 2, candidate sets {0, 1} and {1, 2}; the two contexts need A = 1 and A = 2."""
    return ModelPair(
        Model.of(f=[[1], [2]], g=[[0], [1], ["3/2"]]),
        Model.of(f=[[1], [1]], g=[[0], [1], [2]]),
        (((0, 1),), ((1, 2),)),
        (((1, 0),), ((2, 1),)),
    )


def in_the_plane() -> ModelPair:
    """M = 2, K = 4, n = 2, candidate sets {0, 1, 2} and {1, 2, 3}; f* is the same at both contexts, f' is not."""
    return ModelPair(
        Model.of(f=[[1, 1], [2, 1]], g=[[1, 0], [0, 0], [0, 1], ["1/2", 1]]),
        Model.of(f=[[1, 1], [1, 1]], g=[[1, 0], [0, 0], [0, 1], [1, 1]]),
        (((0, 1, 2),), ((1, 2, 3),)),
        (((0, 1), (2, 1)), ((2, 1), (3, 1))),
    )


THEOREM = Theorem(
    name="pairs_may_depend_on_the_context",
    title="Theorem 1 with pairs chosen at each context",
    reference=roeder("Theorem 1 with the diversity condition read as 'for any given x one can choose M pairs'"),
    statement=(
        "If p' = p* on every candidate set of every context, and at every context some M label pairs inside candidate "
        "sets have invertible difference matrices L'(x) and L*(x), then f' = A f* with one invertible A."
    ),
    instance_type=ModelPair,
    assumptions=(no_bias, equal_distributions, pairs_seen, left_invertible, right_invertible),
    conclusion=conclusion,
    indeterminacy="claimed linear; really one linear map for each linked group of contexts",
    standing=Standing.REFUTED,
    repaired_by="linked_pairs",
    constructions=(
        Construction("own pairs at each context", systems.own_pairs_seen, fits=systems.two_systems),
        Construction("solved context by context", pairs.solved, fits=pairs.diverse),
    ),
    sizes=(
        Size(1, 3, 2), Size(1, 4, 3), Size(2, 4, 2), Size(2, 4, 4), Size(2, 5, 3), Size(3, 5, 4), Size(3, 6, 5),
        Size(4, 6, 5), Size(5, 7, 6), Size(6, 8, 7),
    ),
    scope=choices_by_context,
    witness=on_the_line,
    worked=(
        Worked(None, on_the_line, "the smallest, K = M + 2"),
        Worked(None, in_the_plane, "M = 2, the same f* at both contexts"),
    ),
)  # fmt: skip
