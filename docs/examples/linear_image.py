"""True: where L' is invertible, f' is a linear image of f*, whatever L* is.

python -m verification refute linear_image.py        exit code 0: not falsified
"""

from theory import Construction, Evidence, ModelPair, Reference, Size, Standing, Theorem, decide
from theory.assumptions import common_pairs, equal_distributions, left_invertible, no_bias, pairs_seen
from theory.strategies import pairs
from theory.strategies.scope import common_choices
from theory.theorems.softmax.linear_identifiability import witness


def conclusion(pair: ModelPair) -> Evidence:
    """There is a matrix A, invertible or not, with f'(x) = A f*(x) at every context x."""
    return decide.linear_map(pair.star.f, pair.prime.f)


THEOREM = Theorem(
    name="linear_image",
    title="Diversity of one model gives a linear map in one direction",
    reference=Reference("an example of this documentation", "lemma", "from L'ᵀ f' = L*ᵀ f* multiply by L'⁻ᵀ"),
    statement=(
        "If p' = p*, and M label pairs, the same at every context and inside candidate sets, have an invertible "
        "difference matrix L', then f' = A f* for some matrix A."
    ),
    instance_type=ModelPair,
    assumptions=(no_bias, equal_distributions, pairs_seen, common_pairs, left_invertible),
    conclusion=conclusion,
    constructions=(
        Construction("L* singular", pairs.solved_with_singular_right, fits=pairs.diverse),
        Construction("solved context by context", pairs.solved, fits=pairs.diverse),
        Construction("transformed by every symmetry", pairs.transformed, fits=pairs.diverse),
    ),
    sizes=(Size(1, 2, 1), Size(2, 3, 3), Size(3, 5, 4), Size(4, 6, 6)),
    scope=common_choices,  # every small pair of models, not only those that the constructions reach
    witness=witness,
    indeterminacy="linear, not necessarily invertible",
    standing=Standing.CONJECTURE,
)
