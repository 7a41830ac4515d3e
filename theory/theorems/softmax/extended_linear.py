"""Extended-linear identifiability: what equal distributions determine without diversity, dimensions may differ.

Let two models have equal distributions, all labels being joined at every context (full candidate sets, or overlapping
ones).  Write g₀(y) = g(y) - g(y₀), F and G₀ for the matrices with rows f(x) and g₀(y), 𝓕 = span f(x), 𝓖 = span g₀(y),
P for orthogonal projections, V = P_𝓖(𝓕) and r = dim V = rank F G₀ᵀ.  Let T = G₀'⁺ G₀ (M' x M).  Then r' = r, and
- P_𝓖' f'(x) = T P_𝓖 f*(x) at every context, where T maps V bijectively onto V';
- P_V' g₀'(y) = T⁻ᵀ P_V g₀*(y) for every label, T⁻ᵀ being the transpose of the inverse V' -> V, extended by 0.  In
  orthonormal bases B of V, B' of V' it reads B'ᵀ g₀' = (B'ᵀ T B)⁻ᵀ Bᵀ g₀; without bases T⁻ᵀ = (T P_V)⁺ᵀ, rational.

*Proof.*  Equal distributions where all labels are joined say that the displaced logits agree, U = F' G₀'ᵀ = F* G₀*ᵀ.
G₀'⁺ G₀' is P_𝓖', so P_𝓖' f'(x) = G₀'⁺ G₀' f'(x) = G₀'⁺ u(x) = G₀'⁺ G₀* f*(x) = T P_𝓖 f*(x): T maps V onto V'.  For
v = P_𝓖 f*(x) moreover G₀' T v = G₀' f'(x) = G₀* v, and this on all of V.  G₀* is one to one on 𝓖, which holds V, so T
is one to one on V.  The same identity says P_V' g₀'(y)·T v = P_V g₀*(y)·v: the formula for labels.

*Tight.*  The two formulas give equal logits back, g₀'(y)·f'(x) = P_V' g₀'(y)·T P_𝓖 f*(x) = P_V g₀*(y)·P_𝓖 f*(x), so
what they leave open is free: f across 𝓖 (refuted: ``without_projection``), and g₀ across V, on 𝓖 as well wherever
r < dim 𝓖 (refuted: ``labels_without_projection``; the projection of labels is on V, not on 𝓖).

*Mirror.*  Logits do not tell f from g₀.  So with W = P_𝓕(𝓖) and F'⁺ F* for T the same holds with f and g₀ exchanged:
it is this theorem about the models with representations g₀(y) and labels 0, f(x).

*Needed.*  Without ``equal_distributions`` r and r' are unrelated, already at M = 1.  Without ``labels_joined`` logits
may differ by a constant between groups of labels that no context compares: M = 1, K = 3, n = 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from theory import decide
from theory.arithmetic.projections import pseudo_inverse
from theory.assumptions import equal_distributions, labels_joined, no_bias
from theory.evidence import Evidence
from theory.indeterminacy import EXTENDED_LINEAR, carried_where_seen, label_steps, related_where_seen
from theory.models import CandidateSets, Model, ModelPair, full_candidate_sets
from theory.references import marconato
from theory.sizes import Size
from theory.strategies import biases, displaced, pairs
from theory.strategies.scope import equal_models, small_models
from theory.theorem import Construction, Scope, Standing, Stronger, Theorem, Worked


def conclusion(pair: ModelPair) -> Evidence:
    """There is a linear T, bijective from V to V' (so r' = r), with P_𝓖' f'(x) = T P_𝓖 f*(x) at every context x."""
    return related_where_seen(pair.star, pair.prime)


def closed_form(pair: ModelPair) -> Evidence:
    """T = G₀'⁺ G₀* is such a map, and P_V' g₀'(y) = (T P_V)⁺ᵀ P_V g₀*(y) for every label y."""
    T = pseudo_inverse(label_steps(pair.prime)) @ label_steps(pair.star)
    return carried_where_seen(T, pair.star, pair.prime)


def without_projection(pair: ModelPair) -> Evidence:
    """f'(x) = T f*(x) for a linear T, invertible or not."""
    return decide.linear_map(pair.star.f, pair.prime.f)


def labels_without_projection(pair: ModelPair) -> Evidence:
    """g'(y) - g'(y₀) = S (g*(y) - g*(y₀)) for a linear S, invertible or not."""
    return decide.linear_map(label_steps(pair.star), label_steps(pair.prime))


def witness() -> ModelPair:
    """M = 1, M' = 2, K = 2, n = 1: f* = 1, g* = (0, 1) and f' = (1,5), g' = (0,0), (1,0): 5 is not seen."""
    return ModelPair(
        Model.of(f=[[1, 5]], g=[[0, 0], [1, 0]]),
        Model.of(f=[[1]], g=[[0], [1]]),
        full_candidate_sets(1, 2),
    )


def unseen_component() -> ModelPair:
    """M = 2, K = 2, n = 2: the same g = 0, e1; f* = (1,0), (2,0) and f' = (1,0), (2,1)."""
    g = [[0, 0], [1, 0]]
    return ModelPair(
        Model.of(f=[[1, 0], [2, 1]], g=g),
        Model.of(f=[[1, 0], [2, 0]], g=g),
        full_candidate_sets(2, 2),
    )


def free_label() -> ModelPair:
    """M = 2, K = 3, n = 1: the same f = e1; g* = 0, e1, 2 e1 and g' = 0, e1, (2,1), whose last entry f never meets."""
    return ModelPair(
        Model.of(f=[[1, 0]], g=[[0, 0], [1, 0], [2, 1]]),
        Model.of(f=[[1, 0]], g=[[0, 0], [1, 0], [2, 0]]),
        full_candidate_sets(1, 3),
    )


def apart() -> ModelPair:
    """M = 1, K = 3, n = 1, candidate set {0, 1}: f = 1 in both, g* = (0, 0, 0), g' = (0, 0, 1), so r = 0 and r' = 1."""
    return ModelPair(
        Model.of(f=[[1]], g=[[0], [0], [1]]),
        Model.of(f=[[1]], g=[[0], [0], [0]]),
        (((0, 1),),),
    )


def _scopes() -> Iterator[tuple[CandidateSets, int]]:
    for labels, contexts, dim in ((2, 1, 2), (2, 2, 2), (3, 1, 2), (3, 2, 1)):
        yield full_candidate_sets(contexts, labels), dim
    for sets in combinations_with_replacement((((0, 1), (1, 2)), ((0, 1), (0, 2))), 2):
        yield sets, 1


def _small() -> Iterator[ModelPair]:
    for sets, most in _scopes():
        labels = 1 + max(y for chosen in sets[0] for y in chosen)
        models = [model for dim in range(1, most + 1) for model in small_models(dim, labels, len(sets))]
        for prime, star in equal_models(models, sets):
            yield ModelPair(prime, star, sets)


THEOREM = Theorem(
    name="extended_linear",
    title="Extended-linear identifiability, no diversity",
    reference=marconato("the characterisation of models with equal distributions without diversity"),
    statement=(
        "If p' = p* where all labels are joined at every context, then with G0 the matrix of g(y) - g(y0), P the "
        "projection on its row space and V the span of the P f(x), T = G0'^+ G0* maps V bijectively onto V', "
        "P' f' = T P f*, and the projections of g0' on V' and of g0* on V are related by T^-T."
    ),
    instance_type=ModelPair,
    assumptions=(no_bias, equal_distributions, labels_joined),
    conclusion=conclusion,
    closed_form=closed_form,
    indeterminacy=str(EXTENDED_LINEAR),
    standing=Standing.ESTABLISHED,
    needs=("no_bias", "equal_distributions", "labels_joined"),
    constructions=(
        Construction("one matrix of logits factored twice", displaced.factored),
        Construction("solved context by context", displaced.solved),
        Construction("transformed by every symmetry", displaced.transformed),
        Construction("aligned by A", displaced.aligned, uses_alignment=True),
        Construction("logits moved by a matrix of rank one", displaced.unequal, violates="equal_distributions"),
        Construction("moved, a bias making up for it", biases.prime_moved_full, "no_bias", fits=pairs.diverse),
        Construction("groups of labels apart", displaced.unjoined, "labels_joined", fits=displaced.three_labels),
    ),
    sizes=(
        Size(1, 2, 1), Size(1, 3, 2), Size(2, 2, 2), Size(2, 3, 1), Size(2, 4, 3), Size(3, 3, 2), Size(3, 5, 4),
        Size(4, 4, 5), Size(4, 7, 6), Size(5, 6, 6), Size(5, 8, 7), Size(6, 5, 7), Size(6, 9, 8),
    ),
    scope=Scope(
        "every pair of models with equal distributions, entries in {-1, 0, 1}, up to symmetry: M, M' <= 2 for K = 2, "
        "n <= 2 and K = 3, n = 1; M = M' = 1 for K = 3, n = 2, with full and with overlapping candidate sets",
        _small,
    ),
    witness=witness,
    worked=(
        Worked("labels_joined", apart, "two groups of labels that the one context never compares"),
        Worked(None, unseen_component, "M = 2, no linear map relates the representations", "without_projection"),
        Worked(None, free_label, "M = 2, r = 1 < dim of the span of the labels", "labels_without_projection"),
    ),
    stronger=(
        Stronger("without_projection", "f' = T f* for a linear map T, no projection", without_projection),
        Stronger(
            "labels_without_projection",
            "g'(y) - g'(y0) = S (g*(y) - g*(y0)) for a linear map S, no projection on V",
            labels_without_projection,
        ),
    ),
)  # fmt: skip
