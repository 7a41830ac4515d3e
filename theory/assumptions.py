"""The assumptions of the softmax family: equal distributions and the diversity condition, in named parts.

Diversity (Roeder, Metz and Kingma, ICML 2021): there are M label pairs (y_A, y_B), the same at every context, each
inside a candidate set of positive probability at every context, whose difference matrices L' and L* are both
invertible.  The pairs are part of the instance, so the condition splits into parts that can be dropped one by one.
"""

from __future__ import annotations

from theory import decide
from theory.arithmetic import Matrix
from theory.cooccurrence import components, in_one_component, inside_one_set, unordered
from theory.evidence import Evidence, all_of
from theory.models import CandidateSets, LabelPair, Model, ModelPair
from theory.theorem import Assumption

Unseen = tuple[int, LabelPair]


def decide_equal_distributions(pair: ModelPair) -> Evidence:
    """p'(y | x, S) = p*(y | x, S) for every y in every candidate set S of every context x.

    The normaliser cancels from ratios of probabilities, so this says that within each candidate set both models
    have the same logit differences: logits' - logits* is constant there.  The value is the largest disagreement.
    """
    excess = pair.prime.logits() - pair.star.logits()
    return decide.constant_on(excess, pair.candidate_sets, "largest disagreement between logit differences")


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
    if not pair.label_pairs:
        return decide.count_is_zero(pair.contexts, "contexts without label pairs")
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
    """The vectors f'(x) span the representation space of both models: rank F' = M' = M."""
    return decide.rank_is_full(pair.prime.f, max(pair.prime.dim, pair.star.dim))


left_spans: Assumption[ModelPair] = Assumption(
    "left_spans",
    "the representations f'(x) of all contexts span R^M, M the dimension of both models",
    decide_left_spans,
)


def decide_labels_joined(pair: ModelPair) -> Evidence:
    """At every context all labels are joined by paths of candidate sets.  The value counts the missing joins."""
    alone = tuple((y,) for y in range(pair.labels))
    parts = [components((*alone, *sets)) for sets in pair.candidate_sets]
    apart = [x for x, found in enumerate(parts) if len(found) > 1]
    witness = {"context": apart[0], "labels": (parts[apart[0]][0][0], parts[apart[0]][1][0])} if apart else {}
    return decide.count_is_zero(sum(len(found) - 1 for found in parts), "missing joins between labels", **witness)


labels_joined: Assumption[ModelPair] = Assumption(
    "labels_joined",
    "at every context all labels are joined by a path of candidate sets of positive probability, as where each is full",
    decide_labels_joined,
)


def decide_star_spans(pair: ModelPair) -> Evidence:
    """The vectors f*(x) span the whole representation space: rank F* = M."""
    return decide.rank_is_full(pair.star.f, pair.star.dim)


star_spans: Assumption[ModelPair] = Assumption(
    "star_spans", "the representations f*(x) of all contexts span R^M", decide_star_spans
)


def decide_tied(features: Matrix, candidate_sets: CandidateSets, labels: int) -> Evidence:
    """Do the candidate sets tie the labels together as far as the ``features`` (contexts, dim) reach, as full ones do?

    The conditions v(x)·(d(y) - d(z)) = 0, for labels y, z joined by candidate sets at context x, leave only d that
    are constant on the span of the features: their rank is (labels - 1) rank(features).  The value counts the missing
    conditions.  Where every context joins all labels nothing is missing.
    """
    ties: list[tuple[int, LabelPair]] = [
        (x, (part[0], y)) for x, sets in enumerate(candidate_sets) for part in components(tuple(sets)) for y in part[1:]
    ]
    detail = "missing conditions on the label differences"
    if len(ties) == len(candidate_sets) * (labels - 1):
        return decide.count_is_zero(0, detail)
    kernel = type(features)
    at = features.take(rows=[x for x, _ in ties])
    conditions = kernel.zeros(len(ties), 0)
    for y in range(1, labels):  # d(0) may be 0, since only differences enter
        sign = [(y == pair[1]) - (y == pair[0]) for _, pair in ties]
        signs = kernel.of([[sign[i] if i == j else 0 for j in range(len(ties))] for i in range(len(ties))])
        conditions = conditions.beside(signs @ at)
    return decide.count_is_zero((labels - 1) * features.rank() - conditions.rank(), detail)


def decide_labels_tied(pair: ModelPair) -> Evidence:
    """The candidate sets tie the labels together as far as f* reaches; see :func:`decide_tied`."""
    return decide_tied(pair.star.f, pair.candidate_sets, pair.labels)


def decide_no_bias(pair: ModelPair) -> Evidence:
    """Neither model has a bias, or only a constant one, which no distribution shows.

    The value counts the models whose bias differs between labels.
    """
    biased = [
        name
        for name, model in (("prime", pair.prime), ("star", pair.star))
        if model.bias is not None and len({row[0] for row in model.bias.tolist()}) > 1
    ]
    return decide.count_is_zero(len(biased), "models with a bias", models=tuple(biased))


no_bias: Assumption[ModelPair] = Assumption(
    "no_bias",
    "both models are of the canonical family: their logits are f(x)·g(y), without a bias that differs between labels",
    decide_no_bias,
)
