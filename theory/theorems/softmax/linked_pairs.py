"""The right repair of the quantifier trap: pair systems linked where f* spans.

Each context x chooses M label pairs, a *pair system*, whose labels are joined at x by paths of candidate sets, with
invertible L'(x) and L*(x).  Link two systems when the f*(x) of the contexts that see both span R^M; a context sees
a system when it joins the labels of each of its pairs.  If the graph of systems is connected, then f' = A f* with
one invertible A.

*Proof.*  Differences of logits add up along paths, so at every context that sees system s equal distributions give
f'(x) = A_s f*(x) with A_s = L'_s⁻ᵀ L*_sᵀ, invertible.  Where f* spans and two systems are both seen, A_s = A_t.
Connectedness makes all A_s one matrix, and every context sees the system it chose.

*Needed.*  Without ``linked`` this is the trap ``pairs_may_depend_on_the_context`` at M = 1, K = 3, n = 2.  Seeing by
paths is weaker than lying inside one candidate set, so the theorem covers more than the original condition.
"""

from __future__ import annotations

from theory import decide
from theory.assumptions import equal_distributions, left_invertible, no_bias, pairs_joined, right_invertible
from theory.cooccurrence import connected, in_one_component, unordered
from theory.evidence import Evidence
from theory.indeterminacy import CLASSES, smaller_than
from theory.models import LabelPair, Model, ModelPair, full_candidate_sets
from theory.references import own
from theory.sizes import Size
from theory.strategies import biases, pairs, systems, violations
from theory.strategies.scope import choices_by_context
from theory.strategies.spectra import conditioned
from theory.theorem import Assumption, Attained, Construction, Standing, Theorem
from theory.theorems.softmax.linear_identifiability import closed_form, residual


def sees(pair: ModelPair, context: int, system: tuple[LabelPair, ...]) -> bool:
    """Does the context join the labels of each pair of the system by paths of its candidate sets?"""
    return all(in_one_component(pair.candidate_sets[context], chosen) for chosen in system)


def decide_linked(pair: ModelPair) -> Evidence:
    """The graph of pair systems, linked when f* spans over the contexts that see both, is connected."""
    chosen = list(dict.fromkeys(unordered(pairs) for pairs in pair.label_pairs))
    links: list[tuple[int, int]] = []
    for s in range(len(chosen)):
        for t in range(s):
            both = [x for x in range(pair.contexts) if sees(pair, x, chosen[s]) and sees(pair, x, chosen[t])]
            if decide.rank_is_full(pair.star.f.take(rows=both), pair.dim).holds:
                links.append((s, t))
    parts = connected(range(len(chosen)), links)
    return decide.count_is_zero(max(len(parts) - 1, 0), "missing links between pair systems", parts=parts)


def conclusion(pair: ModelPair) -> Evidence:
    """There is one invertible A (M, M) with f'(x) = A f*(x) at every context x."""
    return decide.invertible_linear_map(
        pair.star.f, pair.prime.f, lambda: residual(pair), lambda: residual(pair.swapped())
    )


def witness() -> ModelPair:
    """M = 1, K = 2, n = 1: f' = 1, g' = (0, 2); f* = 2, g* = (0, 1).  One system is linked to nothing else."""
    return ModelPair(
        Model.of(f=[[1]], g=[[0], [2]]),
        Model.of(f=[[2]], g=[[0], [1]]),
        full_candidate_sets(1, 2),
        (((1, 0),),),
    )


THEOREM = Theorem(
    name="linked_pairs",
    title="Theorem 1 with linked pairs",
    reference=own("repair of the quantifier trap"),
    statement=(
        "If p' = p* on every candidate set of every context, every context joins the labels of M pairs of its own with "
        "invertible L'(x) and L*(x), and the pair systems are connected when linked if f* spans over the contexts that "
        "see both, then f' = A f* with one invertible A."
    ),
    instance_type=ModelPair,
    assumptions=(
        no_bias, equal_distributions,
        pairs_joined,
        Assumption(
            "linked",
            "linking two pair systems when the f* of the contexts that see both span R^M connects all systems",
            decide_linked,
        ),
        left_invertible,
        right_invertible,
    ),
    conclusion=conclusion,
    closed_form=closed_form,
    indeterminacy="linear: every A in GL(M)",
    standing=Standing.ESTABLISHED,
    needs=("no_bias", "equal_distributions", "pairs_joined", "linked", "left_invertible", "right_invertible"),
    constructions=(
        Construction("linked systems, solved label by label", systems.linked_systems, fits=systems.linkable),
        Construction("one system, solved context by context", pairs.solved, fits=pairs.diverse),
        Construction("linked systems after every symmetry", systems.linked_systems_transformed, fits=systems.linkable),
        Construction("one system, aligned by A", pairs.aligned, uses_alignment=True, fits=pairs.diverse),
        Construction("moved at one context", violations.unequal, "equal_distributions", fits=pairs.diverse),
        Construction("a pair in no candidate set", violations.unseen, "pairs_joined", fits=violations.has_twins),
        Construction("no context between the systems", systems.separate_systems, "linked", fits=systems.two_systems),
        Construction("f* not spanning between", systems.chained_systems, "linked", fits=systems.chainable),
        Construction("L' singular", pairs.solved_with_singular_left, "left_invertible", fits=pairs.diverse),
        Construction("L* singular", pairs.solved_with_singular_right, "right_invertible", fits=pairs.diverse),
        Construction("moved, a bias making up for it", biases.prime_moved, "no_bias", fits=pairs.diverse),
        Construction("differing in one candidate set", violations.unequal_in_one_set, "equal_distributions",
                     fits=pairs.diverse),
    ),
    sizes=(
        Size(1, 2, 1), Size(1, 3, 2), Size(1, 4, 4), Size(2, 4, 3), Size(2, 5, 6), Size(3, 5, 5), Size(3, 6, 7),
        Size(4, 6, 6), Size(4, 7, 9), Size(5, 7, 7), Size(6, 8, 8), Size(6, 8, 13),
    ),
    scope=choices_by_context,
    attained=Attained(CLASSES["linear"], pairs.attaining, pairs.representations),
    stronger=smaller_than(CLASSES["linear"], pairs.representations),
    spectra=conditioned,
    witness=witness,
)  # fmt: skip
