"""With biases a linear relation is too much to ask: "f' = A f*" is false.

Read Theorem 1 as a statement about logits f(x)·g(y) + b(y), as the usual classifier with nn.Linear has them, without
changing its conclusion: under the assumptions of ``biased_logits``, which are those of ``linear_identifiability``,
there is a matrix A, here even a singular one would do, with f'(x) = A f*(x) at every context.

*Refuted*, by M = 1, K = 2, n = 2: g' = g* = (0, 1), b* = (0, 1), b' = 0, f* = (1, 2) and f' = (2, 3).  Both models have
the logit differences 2 and 3, and f' = f* + 1.  A zero representation does with one context: f* = 0, f' = 1.  As
f' = A f* + c, a matrix exists exactly when c = 0 or the ones vector lies in the column space of F* (with 1 = F* u it is
A + c uᵀ, which may be singular).  So the refuting instances are those with c != 0 whose F* has no constant column
combination: in practice all with n > M.

*Repaired* by ``biased_logits``: the relation is affine, with the offset c = L'⁻ᵀ (Δb* - Δb').
"""

from __future__ import annotations

from theory import decide
from theory.evidence import Evidence
from theory.models import Model, ModelPair, full_candidate_sets
from theory.references import own
from theory.sizes import Size
from theory.strategies import biases, pairs
from theory.strategies.label_scopes import biased_pairs
from theory.theorem import Construction, Standing, Theorem, Worked
from theory.theorems.softmax import biased_logits


def conclusion(pair: ModelPair) -> Evidence:
    """There is a matrix A (M, M), invertible or not, with f'(x) = A f*(x) at every context x."""
    return decide.linear_map(pair.star.f, pair.prime.f)


def absorbed_bias() -> ModelPair:
    """M = 1, K = 2, n = 2: g' = g* = (0, 1); b* = (0, 1), b' = 0; f* = (1, 2), f' = (2, 3)."""
    return ModelPair(
        Model.of(f=[[2], [3]], g=[[0], [1]]),
        Model.of(f=[[1], [2]], g=[[0], [1]], bias=[0, 1]),
        full_candidate_sets(2, 2),
        (((1, 0),),) * 2,
    )


def zero_representation() -> ModelPair:
    """M = 1, K = 2, n = 1: g' = g* = (0, 1); b* = (0, 1), b' = 0; f* = 0, f' = 1."""
    return ModelPair(
        Model.of(f=[[1]], g=[[0], [1]]),
        Model.of(f=[[0]], g=[[0], [1]], bias=[0, 1]),
        full_candidate_sets(1, 2),
        (((1, 0),),),
    )


THEOREM = Theorem(
    name="biased_logits_linear",
    title="Theorem 1 with biases and no offset",
    reference=own("Theorem 1 applied to logits with a bias as it stands"),
    statement=(
        "If p' = p* on every candidate set of every context for logits f·g + b, and M common label pairs inside "
        "candidate sets have invertible difference matrices L' and L*, then f' = A f* for a matrix A."
    ),
    instance_type=ModelPair,
    assumptions=biased_logits.THEOREM.assumptions,
    conclusion=conclusion,
    indeterminacy="claimed linear; really affine",
    standing=Standing.REFUTED,
    repaired_by="biased_logits",
    constructions=(
        Construction("solved context by context, with biases", biases.solved, fits=pairs.diverse),
        Construction("factored at other pivots", biases.factored, fits=biases.diverse_and_spans_affinely),
        Construction("transformed by every symmetry", biases.after(pairs.transformed), fits=pairs.diverse),
    ),
    sizes=(
        Size(1, 2, 1), Size(1, 2, 2), Size(1, 3, 3), Size(2, 3, 3), Size(2, 5, 5), Size(3, 4, 4), Size(3, 6, 5),
        Size(4, 7, 6), Size(5, 8, 7), Size(6, 9, 8),
    ),
    scope=biased_pairs,
    witness=absorbed_bias,
    worked=(
        Worked(None, absorbed_bias, "the bias of one model is absorbed in f of the other"),
        Worked(None, zero_representation, "one context, where f* is zero"),
    ),
)  # fmt: skip
