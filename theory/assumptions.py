"""The assumptions of the softmax family: equal distributions and the diversity condition, in named parts.

Diversity (Roeder, Metz and Kingma, ICML 2021): there are M label pairs (y_A, y_B), the same at every context, each
inside a candidate set of positive probability at every context, whose difference matrices L' and L* are both
invertible.  The pairs are part of the instance, so the condition splits into parts that can be dropped one by one.
"""

from __future__ import annotations

from theory import decide
from theory.cooccurrence import in_one_component, inside_one_set, unordered
from theory.evidence import Evidence, all_of
from theory.models import LabelPair, Model, ModelPair
from theory.theorem import Assumption

Unseen = tuple[int, LabelPair]


def decide_equal_distributions(pair: ModelPair) -> Evidence:
    """p'(y | x, S) = p*(y | x, S) for every y in every candidate set S of every context x.

    The normaliser cancels from ratios of probabilities, so this says that within each candidate set both models
    have the same logit differences: logits' - logits* is constant there.  The value is the largest disagreement.
    """
    excess = pair.prime.logits() - pair.star.logits()
    worst, where = 0, None
    for x, sets in enumerate(pair.candidate_sets):
        for chosen in sets:
            first = excess[x, chosen[0]]
            for y in chosen[1:]:
                gap = excess[x, y] - first
                size = -gap if gap < 0 else gap
                if size > worst:
                    worst, where = size, (x, chosen[0], y)
    detail = "largest disagreement between logit differences"
    if where is None:
        return decide.count_is_zero(0, detail)
    x, base, y = where
    value = abs(excess.tolist()[x][y] - excess.tolist()[x][base])
    return Evidence("", value, detail, find_witness=lambda: {"context": x, "labels": (base, y)})


def decide_pairs_seen(pair: ModelPair) -> Evidence:
    """Each chosen label pair lies inside a candidate set of positive probability at its context."""
    unseen: list[Unseen] = [
        (x, chosen)
        for x, pairs in enumerate(pair.label_pairs)
        for chosen in pairs
        if not inside_one_set(pair.candidate_sets[x], chosen)
    ]
    return _none_unseen(pair, unseen)


def decide_pairs_joined(pair: ModelPair) -> Evidence:
    """The labels of each chosen pair are joined by a path of candidate sets at its context."""
    unseen: list[Unseen] = [
        (x, chosen)
        for x, pairs in enumerate(pair.label_pairs)
        for chosen in pairs
        if not in_one_component(pair.candidate_sets[x], chosen)
    ]
    return _none_unseen(pair, unseen)


def _none_unseen(pair: ModelPair, unseen: list[Unseen]) -> Evidence:
    if not pair.label_pairs:
        return decide.count_is_zero(pair.contexts, "contexts without label pairs")
    witness = {"context": unseen[0][0], "pair": unseen[0][1]} if unseen else {}
    return decide.count_is_zero(len(unseen), "unseen label pairs", **witness)


def decide_common_pairs(pair: ModelPair) -> Evidence:
    """The chosen label pairs are the same at every context, in whatever order they are listed."""
    systems = [unordered(pairs) for pairs in pair.label_pairs]
    different = [x for x, system in enumerate(systems) if system != systems[0]]
    witness = {"contexts": (0, different[0])} if different else {}
    return decide.count_is_zero(len(different), "contexts with other pairs than context 0", **witness)


def decide_differences_invertible(model: Model, pair: ModelPair) -> Evidence:
    """At every context the difference matrix L of the model, for the pairs chosen there, is invertible."""
    if not pair.label_pairs:
        return decide.count_is_zero(pair.contexts, "contexts without label pairs")
    systems = dict.fromkeys(pair.label_pairs)
    return all_of(*(decide.invertible(model.differences(pairs)) for pairs in systems))


equal_distributions: Assumption[ModelPair] = Assumption(
    "equal_distributions",
    "p'(y|x,S) = p*(y|x,S) at every context x, on every candidate set S of positive probability",
    decide_equal_distributions,
)
pairs_seen: Assumption[ModelPair] = Assumption(
    "pairs_seen",
    "each label pair chosen at a context lies inside a candidate set of positive probability there",
    decide_pairs_seen,
)
common_pairs: Assumption[ModelPair] = Assumption(
    "common_pairs",
    "the chosen label pairs are the same at every context",
    decide_common_pairs,
)


def decide_left_invertible(pair: ModelPair) -> Evidence:
    """L' = [g'(y_A) - g'(y_B)] is invertible, for the pairs of each context."""
    return decide_differences_invertible(pair.prime, pair)


def decide_right_invertible(pair: ModelPair) -> Evidence:
    """L* = [g*(y_A) - g*(y_B)] is invertible, for the pairs of each context."""
    return decide_differences_invertible(pair.star, pair)


left_invertible: Assumption[ModelPair] = Assumption(
    "left_invertible",
    "the difference matrix L' = [g'(y_A) - g'(y_B)] of the chosen pairs is invertible",
    decide_left_invertible,
)
right_invertible: Assumption[ModelPair] = Assumption(
    "right_invertible",
    "the difference matrix L* = [g*(y_A) - g*(y_B)] of the chosen pairs is invertible",
    decide_right_invertible,
)

pairs_joined: Assumption[ModelPair] = Assumption(
    "pairs_joined",
    "the labels of each pair chosen at a context are joined by a path of candidate sets of positive probability there",
    decide_pairs_joined,
)


def decide_left_spans(pair: ModelPair) -> Evidence:
    """The vectors f'(x) span the whole representation space: rank F' = M."""
    return decide.rank_is_full(pair.prime.f, pair.prime.dim)


left_spans: Assumption[ModelPair] = Assumption(
    "left_spans", "the representations f'(x) of all contexts span R^M", decide_left_spans
)
