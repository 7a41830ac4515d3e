"""The representation of the labels in models with biases: g, and the biases, once f is aligned by an affine map.

Let two models with logits f(x)·g(y) + b(y) have equal distributions, and let an invertible A and a c with
f'(x) = A f*(x) + c at every context be given.  Let the f*(x) span R^M *affinely*, rank[1 | F*] = M + 1, and let the
candidate sets tie the labels together.  Then for all labels y, y0

    g'(y) - g'(y0) = A⁻ᵀ (g*(y) - g*(y0)),
    b'(y) - b'(y0) = b*(y) - b*(y0) - c·(g'(y) - g'(y0)):

g is identified up to one shift and b up to one constant, once A and c are given.

*Proof.*  A model with biases is one without, with (1, f) and (b, g) in R^(M+1); f' = A f* + c becomes the invertible
map (1, v) -> (1, A v + c).  Apply ``label_representation``.

*Tied.*  The conditions (1, f*(x))·(d(y) - d(z)) = 0, for labels y, z joined by candidate sets at x, have rank
(K - 1) rank[1 | F*]; it is enough that every context joins all labels.  As there, nothing weaker will do.

*Tight.*  A bias is not identified by itself: every c is attained, and with it b' = b* - c·g' up to a constant.

*Needed.*  Linear spanning is not enough: M = 1, K = 2, n = 1, f* = f' = 1, g* = (0, 1), b* = 0, g' = (0, 2) and
b' = (0, -1) have equal distributions and A = 1, c = 0.
"""

from __future__ import annotations

from theory import decide
from theory.arithmetic import Matrix, matrix_type
from theory.assumptions import decide_equal_distributions, decide_tied
from theory.evidence import Evidence, all_of
from theory.indeterminacy import label_steps
from theory.models import AffinelyAlignedPair, Model, bias_differences, full_candidate_sets
from theory.references import own
from theory.sizes import Size
from theory.strategies import biases, labels
from theory.strategies.label_scopes import affinely_aligned_pairs
from theory.theorem import Assumption, Construction, Standing, Stronger, Theorem, Worked
from theory.theorems.softmax import label_representation
from theory.theorems.softmax.label_representation import decide_alignment_invertible


def decide_affinely_aligned(pair: AffinelyAlignedPair) -> Evidence:
    """f'(x) = A f*(x) + c at every context, with the A and c of the instance."""
    image = pair.star.f.with_ones() @ pair.offset.beside(pair.alignment).T
    return decide.vanishes(pair.prime.f - image, "largest entry of f' - (A f* + c)")


def decide_star_spans_affinely(pair: AffinelyAlignedPair) -> Evidence:
    """The f*(x) lie in no hyperplane, through the origin or not: rank[1 | F*] = M + 1."""
    return decide.rank_is_full(pair.star.f.with_ones(), pair.star.dim + 1)


def decide_labels_tied(pair: AffinelyAlignedPair) -> Evidence:
    """The candidate sets tie the labels together as far as (1, f*) reaches."""
    return decide_tied(pair.star.f.with_ones(), pair.candidate_sets, pair.labels)


def bias_steps(model: Model) -> Matrix:
    """b(y) - b(0) for y = 1 … K-1: (labels - 1, 1)."""
    return bias_differences(model, [(y, 0) for y in range(1, model.labels)])


def same_bias(pair: AffinelyAlignedPair) -> Evidence:
    """The biases of both models are equal up to a constant."""
    return decide.vanishes(bias_steps(pair.prime) - bias_steps(pair.star), "largest difference of the biases")


def biases_compensate(pair: AffinelyAlignedPair) -> Evidence:
    """b'(y) - b'(0) = b*(y) - b*(0) - c·(g'(y) - g'(0)) for every label y."""
    expected = bias_steps(pair.star) - label_steps(pair.prime) @ pair.offset
    return decide.vanishes(bias_steps(pair.prime) - expected, "largest entry of b' - (b* - c·g'), from label 0")


def conclusion(pair: AffinelyAlignedPair) -> Evidence:
    """The differences of g' are A⁻ᵀ times those of g*, and the biases make up for c."""
    return all_of(label_representation.conclusion(pair), biases_compensate(pair))


def _aligned(
    f_prime: list[list[int]], g_prime: list[list[int]], b_prime: list[int], f_star: list[list[int]],
    g_star: list[list[int]], b_star: list[int], c: int,
) -> AffinelyAlignedPair:  # fmt: skip
    """On the line, with full candidate sets, A = 1 and the given c."""
    prime, star = Model.of(f_prime, g_prime, b_prime), Model.of(f_star, g_star, b_star)
    kernel = matrix_type()
    sets = full_candidate_sets(star.contexts, star.labels)
    return AffinelyAlignedPair(prime, star, sets, alignment=kernel.of([[1]]), offset=kernel.of([[c]]))


def witness() -> AffinelyAlignedPair:
    """M = 1, K = 2, n = 2: f' = (1, 2), g' = (3, 4), b' = 0; f* = (0, 1), g* = (0, 1), b* = (0, 1); A = 1, c = 1."""
    return _aligned([[1], [2]], [[3], [4]], [0, 0], [[0], [1]], [[0], [1]], [0, 1], 1)


def spanning_only_linearly() -> AffinelyAlignedPair:
    """M = 1, K = 2, n = 1: f' = f* = 1, g* = (0, 1), b* = 0, g' = (0, 2), b' = (0, -1); A = 1, c = 0."""
    return _aligned([[1]], [[0], [2]], [0, -1], [[1]], [[0], [1]], [0, 0], 0)


THEOREM = Theorem(
    name="biased_label_representation",
    title="Label representations with biases",
    reference=own("Theorem 1, the part about g, for logits with a bias"),
    statement=(
        "If p' = p* on every candidate set of every context for logits f·g + b, f' = A f* + c with A invertible, the "
        "f*(x) span R^M affinely and the candidate sets tie the labels together, then g'(y) - g'(y0) = "
        "A^-T (g*(y) - g*(y0)) and b'(y) - b'(y0) = b*(y) - b*(y0) - c·(g'(y) - g'(y0)) for all labels y, y0."
    ),
    instance_type=AffinelyAlignedPair,
    assumptions=(
        Assumption(
            "equal_distributions",
            "p'(y|x,S) = p*(y|x,S) at every context x, on every candidate set S of positive probability",
            decide_equal_distributions,
        ),
        Assumption("aligned", "f'(x) = A f*(x) + c at every context x, with A and c given", decide_affinely_aligned),
        Assumption("alignment_invertible", "A is invertible", decide_alignment_invertible),
        Assumption(
            "star_spans_affinely",
            "the representations f*(x) span R^M affinely: rank[1 | F*] = M + 1",
            decide_star_spans_affinely,
        ),
        Assumption(
            "labels_tied",
            "the candidate sets tie the labels together: the conditions (1, f*(x))·(d(y) - d(z)) = 0, for y, z joined "
            "by candidate sets at x, have rank (K - 1) rank[1 | F*], as with full candidate sets",
            decide_labels_tied,
        ),
    ),
    conclusion=conclusion,
    indeterminacy="one shift of g, one constant of b, and c·g' moved between b and f",
    standing=Standing.ESTABLISHED,
    needs=("equal_distributions", "aligned", "alignment_invertible", "star_spans_affinely", "labels_tied"),
    stronger=(
        Stronger("no_shift", "g'(y) = A^-T g*(y), with no shift", label_representation.no_shift),
        Stronger("same_bias", "b'(y) - b'(y0) = b*(y) - b*(y0): the biases are identified", same_bias),
    ),
    constructions=(
        Construction("solved label by label", labels.lifted(labels.solved_by_label), fits=labels.spans_affinely),
        Construction("solved context by context", labels.lifted(labels.solved_by_context),
                     fits=biases.diverse_and_spans_affinely),
        Construction("factored at other pivots", labels.factored_with_biases, fits=biases.diverse_and_spans_affinely),
        Construction("aligned by A and c", labels.lifted(labels.aligned), uses_alignment=True,
                     fits=labels.spans_affinely),
        Construction("equal but for the biases", labels.unequal_biases, "equal_distributions",
                     fits=labels.spans_affinely),
        Construction("moved at one label", labels.lifted(labels.moved_label), "equal_distributions",
                     fits=labels.spans_affinely),
        Construction("another matrix", labels.lifted(labels.other_alignment), "aligned", fits=labels.spans_affinely),
        Construction("A singular", labels.lifted(labels.singular_alignment), "alignment_invertible",
                     uses_alignment=True, fits=labels.spans_affinely),
        Construction("f* not spanning", labels.lifted(labels.solved_not_spanning), "star_spans_affinely"),
        Construction("a loose label", labels.lifted(labels.loose_label), "labels_tied",
                     fits=labels.spans_affinely_with_three_labels),
    ),
    sizes=(
        Size(1, 2, 2), Size(1, 3, 3), Size(2, 2, 3), Size(2, 3, 4), Size(2, 5, 3), Size(3, 2, 4), Size(3, 4, 5),
        Size(3, 6, 6), Size(4, 3, 5), Size(4, 7, 6), Size(5, 8, 7), Size(6, 4, 7), Size(6, 9, 8),
    ),
    scope=affinely_aligned_pairs,
    witness=witness,
    worked=(Worked("star_spans_affinely", spanning_only_linearly, "n = 1: f* spans the line, but not affinely"),),
)  # fmt: skip
