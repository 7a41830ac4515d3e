"""False from M = 3 on: more than M labels, no three on a line, tell apart all directions.

On the line and in the plane they do.  In space four labels can lie in one plane, and nothing sees across it.

    python -m verification refute no_three_on_a_line.py  exit code 1: a counterexample at M = 3, K = 4, n = 1
"""

from itertools import combinations, product

from theory import (
    Assumption,
    Construction,
    Evidence,
    Model,
    ModelPair,
    Reference,
    Size,
    Standing,
    Theorem,
    decide,
    full_candidate_sets,
)
from theory.arithmetic import exact_matrix
from theory.assumptions import equal_distributions, no_bias
from theory.strategies import displaced
from theory.strategies.matrices import any_matrix, invertible
from theory.strategies.source import Source, choice, shuffled


def decide_full_sets(pair: ModelPair) -> Evidence:
    """Every label is a candidate at every context."""
    full = full_candidate_sets(pair.contexts, pair.labels)
    return decide.true_or_false(pair.candidate_sets == full, "contexts with other candidate sets")


def decide_enough_labels(pair: ModelPair) -> Evidence:
    """K > M.  The value counts the labels that are missing."""
    return decide.count_is_zero(max(pair.dim + 1 - pair.labels, 0), "missing labels")


def decide_no_three_on_a_line(pair: ModelPair) -> Evidence:
    """No two g*(y) are equal and no three lie on a line.  The value counts the pairs and triples that do."""
    twos = [(a, b) for a, b in combinations(range(pair.labels), 2) if pair.star.differences([(a, b)]).rank() < 1]
    threes = [
        (a, b, c)
        for a, b, c in combinations(range(pair.labels), 3)
        if pair.star.differences([(a, b), (a, c)]).rank() < 2
    ]
    return decide.count_is_zero(len(twos) + len(threes), "pairs and triples on a line", labels=tuple(twos + threes))


def conclusion(pair: ModelPair) -> Evidence:
    """There is a matrix B with f*(x) = B f'(x) at every context x: nothing of f* is lost in f'."""
    return decide.linear_map(pair.prime.f, pair.star.f)


def fits(size: Size) -> bool:
    """K > M; on the line three labels are always on a line, so K = 2 there."""
    return size.labels > size.dim and (size.dim > 1 or size.labels == 2)


def on_a_paraboloid(source: Source, size: Size) -> ModelPair:
    """g* on the graph of the strictly convex u -> ‖u‖², where no three points are on a line.

    f* is arbitrary, or only what no difference of labels sees.  The other model is any with the same logits, up to a
    shift at each context.
    """
    if size.dim == 1:
        g = [[0], [1]]
    elif size.dim == 2:
        g = [[i, i * i] for i in shuffled(source, range(9))[: size.labels]]
    else:
        side = choice(source, (2, 3)) if size.labels <= 4 else 3
        chosen = shuffled(source, list(product(range(side), repeat=2)))[: size.labels]
        g = [[i, j, *[0] * (size.dim - 3), i * i + j * j] for i, j in chosen]
    g_star = exact_matrix(g) @ invertible(source, size.dim)
    steps = g_star.take(rows=range(1, size.labels)) - g_star.take(rows=[0] * (size.labels - 1))
    f_star = any_matrix(source, size.contexts, size.dim)
    unseen = steps.null_space()
    if unseen.shape[1] > 0 and choice(source, (True, False)):
        f_star = any_matrix(source, size.contexts, unseen.shape[1]) @ unseen.T
    prime = displaced.model_with(source, f_star @ steps.T, size.dim)
    return ModelPair(prime, Model(f_star, g_star), full_candidate_sets(size.contexts, size.labels))


def witness() -> ModelPair:
    """M = 1, K = 2, n = 1: f' = f* = 1 and g' = g* = 0, 1."""
    model = Model.of(f=[[1]], g=[[0], [1]])
    return ModelPair(model, model, full_candidate_sets(1, 2))


THEOREM = Theorem(
    name="no_three_on_a_line",
    title="More than M labels, no three on a line, are diverse",
    reference=Reference("an example of this documentation", "conjecture", "true for M = 1 and 2, false for M = 3"),
    statement=(
        "If p' = p* with full candidate sets, and K > M labels have vectors g* no three of which lie on a line, then "
        "f* = B f' for some matrix B."
    ),
    instance_type=ModelPair,
    assumptions=(
        no_bias,
        equal_distributions,
        Assumption("full_sets", "every label is a candidate at every context", decide_full_sets),
        Assumption("enough_labels", "there are more labels than dimensions, K > M", decide_enough_labels),
        Assumption("no_three_on_a_line", "no two g*(y) are equal and no three on a line", decide_no_three_on_a_line),
    ),
    conclusion=conclusion,
    constructions=(Construction("labels on a paraboloid", on_a_paraboloid, fits=fits),),
    sizes=(Size(2, 3, 3), Size(3, 4, 4), Size(3, 5, 5)),
    witness=witness,
    indeterminacy="linear, not necessarily invertible",
    standing=Standing.CONJECTURE,
)
