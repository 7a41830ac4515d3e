"""The file that ``python -m theory new NAME`` writes."""

TEMPLATE = '''"""my_theorem: say here what you claim, in one sentence, and why you believe it.

    python -m verification refute my_theorem.py
    pytest --pyargs verification --theorems my_theorem.py

As it stands the claim is false: run the first line to see a counterexample.  Then make it yours from the top down.
"""

from theory import Construction, Evidence, ModelPair, Reference, Size, Standing, Theorem, decide
from theory.assumptions import common_pairs, equal_distributions, left_invertible, no_bias, pairs_seen
from theory.strategies import pairs
from theory.theorems.softmax.linear_identifiability import witness

# An instance is a pair of models f', g' (pair.prime) and f*, g* (pair.star) on the same contexts and labels:
#   pair.star.f             (contexts, dim)   one representation a row
#   pair.star.g             (labels, dim)
#   pair.candidate_sets[x]  the candidate sets of positive probability at context x
#   pair.label_pairs[x]     the label pairs chosen at context x for the diversity condition
# Predicates return Evidence: ask the functions of theory.decide, such as linear_map, invertible_linear_map, vanishes,
# invertible, rank_is_full.


def conclusion(pair: ModelPair) -> Evidence:
    """There is an invertible matrix A with f'(x) = A f*(x) at every context x."""
    return decide.invertible_linear_map(pair.star.f, pair.prime.f)


THEOREM = Theorem(
    name="my_theorem",
    title="A conjecture of mine",
    reference=Reference("me", "conjecture", "unpublished"),
    statement="If p' = p* and the difference matrix L' is invertible, then f' = A f* for an invertible matrix A.",
    instance_type=ModelPair,
    # What you assume.  theory/assumptions.py has the usual ones; Assumption(name, statement, predicate) is your own.
    assumptions=(no_bias, equal_distributions, pairs_seen, common_pairs, left_invertible),
    conclusion=conclusion,
    # How instances are built.  Each construction meets all your assumptions, as nothing is filtered, and should not
    # assume your conclusion.  theory/strategies/ has more: pairs.py, displaced.py, biases.py, systems.py.
    constructions=(
        Construction("L* singular", pairs.solved_with_singular_right, fits=pairs.diverse),
        Construction("solved context by context", pairs.solved, fits=pairs.diverse),
        Construction("transformed by every symmetry", pairs.transformed, fits=pairs.diverse),
    ),
    # Sizes M, K, n for pytest; `refute` climbs all small ones first, and then these.
    sizes=(Size(dim=1, labels=2, contexts=1), Size(dim=2, labels=4, contexts=3), Size(dim=4, labels=6, contexts=6)),
    # One instance that meets all assumptions, so that the statement is not about nothing.
    witness=witness,
    indeterminacy="linear",
    standing=Standing.CONJECTURE,
)
'''
