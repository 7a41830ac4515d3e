"""Pairs of models whose representations are aligned, f' = A f*, for theorems about the representations of labels.

Most of them never use A: g' is solved for, label by label or from the label pairs, and A is read off the
representations at the end.  No diversity is needed, so there may be fewer labels than dimensions.  The last functions
move an aligned pair to one with biases, f' = A f* + c.
"""

from __future__ import annotations

from collections.abc import Callable

from theory import decide
from theory.arithmetic import Matrix, matrix_type
from theory.models import AffinelyAlignedPair, AlignedPair, CandidateSets, Model, ModelPair, full_candidate_sets
from theory.sizes import Size
from theory.strategies import biases, pairs, symmetries
from theory.strategies.layouts import candidate_sets, forest_of, placed, tree_edges
from theory.strategies.matrices import any_matrix, entries, invertible, of_rank, singular
from theory.strategies.pairs import solve_contexts, solve_label, with_candidate
from theory.strategies.source import Source, choice, shuffled


def spans(size: Size) -> bool:
    """Enough contexts for f* to span: n >= M."""
    return size.contexts >= size.dim


def spans_with_three_labels(size: Size) -> bool:
    """Enough contexts to span, and a label that two others do without: n >= M, K >= 3."""
    return spans(size) and size.labels >= 3


def spans_affinely(size: Size) -> bool:
    """Enough contexts for f* to span affinely: n >= M + 1."""
    return size.contexts > size.dim


def spans_affinely_with_three_labels(size: Size) -> bool:
    """Enough contexts to span affinely, and a label that two others do without: n >= M + 1, K >= 3."""
    return spans_affinely(size) and size.labels >= 3


def spanning(source: Source, size: Size, affine: bool) -> Matrix:
    """An f* of rank M, which needs n >= M; with ``affine`` rank[1 | F*] = M + 1, which needs n >= M + 1."""
    if not affine:
        return of_rank(source, size.contexts, size.dim, size.dim)
    f = of_rank(source, size.contexts - 1, size.dim, size.dim).above(matrix_type().zeros(1, size.dim))
    return f.take(rows=shuffled(source, range(size.contexts)))


def not_spanning(source: Source, size: Size) -> Matrix:
    """An f* of a rank below M."""
    most = min(size.contexts, size.dim - 1)
    return of_rank(source, size.contexts, size.dim, most - source.integer(0, most))


def _labels(source: Source, size: Size) -> Matrix:
    """g* (labels, dim): arbitrary, or of a rank drawn first; shrinks towards zeros."""
    if choice(source, (True, True, False)):
        return any_matrix(source, size.labels, size.dim)
    return of_rank(source, size.labels, size.dim, source.integer(0, min(size.labels, size.dim)))


def with_alignment(pair: ModelPair) -> AlignedPair:
    """The pair with an invertible A such that f' = A f*, solved for from the representations; f* determines it where
    it spans.  Raises ``ValueError`` when there is none."""
    found = decide.invertible_linear_map(pair.star.f, pair.prime.f)
    if not found.holds:
        raise ValueError(f"the representations are not aligned: {found.describe()}")
    return aligned_by(found.witness["A"], pair)


def aligned_by(alignment: Matrix, pair: ModelPair) -> AlignedPair:
    """The pair with the given A, right or wrong, and without label pairs."""
    return AlignedPair(pair.prime, pair.star, pair.candidate_sets, alignment=alignment)


def same_columns(source: Source, f: Matrix) -> Matrix:
    """A matrix of the shape and column space of ``f`` (contexts, dim): any basis of what is orthogonal to all w with
    w f = 0, spread over the columns."""
    basis = f.T.null_space().T.null_space()
    return basis @ of_rank(source, basis.shape[1], f.shape[1], basis.shape[1])


def tying_sets(source: Source, f: Matrix, affine: bool, labels: int) -> CandidateSets:
    """Candidate sets that tie the labels together as far as f (contexts, dim), or [1 | f], reaches.

    Either each context joins all labels, or each edge of one tree of labels is seen where f has full rank, and then
    no context need join all labels.
    """
    features = f.with_ones() if affine else f
    contexts = features.shape[0]
    everything = tuple(range(labels))
    if choice(source, (True, False)):
        return tuple(candidate_sets(source, (everything,), tree_edges(source, everything)) for _ in range(contexts))
    edges = [tuple(sorted(edge)) for edge in tree_edges(source, everything)]
    seen: list[list[tuple[int, ...]]] = [[] for _ in range(contexts)]
    for edge in edges:
        order = shuffled(source, range(contexts))
        for place in features.take(rows=order).T.echelon()[1]:
            seen[order[place]].append(edge)
    return tuple(tuple(sets) if sets else (choice(source, edges),) for sets in seen)


def solved_by_label(source: Source, size: Size, affine: bool = False) -> AlignedPair:
    """f*, g* drawn, F' another basis of the columns of F*, g' solved label by label.

    g* is arbitrary: there may be few labels, or none that differ.
    """
    return _by_label(source, size, spanning(source, size, affine), affine)


def solved_not_spanning(source: Source, size: Size, affine: bool = False) -> AlignedPair:
    """As :func:`solved_by_label` with an f* that does not span, so that g' has freedom, and one A of those that fit."""
    return _by_label(source, size, not_spanning(source, size), affine)


def _by_label(source: Source, size: Size, f_star: Matrix, affine: bool) -> AlignedPair:
    f_prime, g_star = same_columns(source, f_star), _labels(source, size)
    prime = Model(f_prime, _solved_labels(source, f_prime, f_star, g_star))
    prime = symmetries.translated(prime, entries(source, 1, size.dim)[0])
    sets = tying_sets(source, f_star, affine, size.labels)
    return with_alignment(symmetries.rearranged(source, ModelPair(prime, Model(f_star, g_star), sets)))


def _solved_labels(source: Source, f_prime: Matrix, f_star: Matrix, g_star: Matrix) -> Matrix:
    """A g' (labels, dim) with f'(x)·g'(y) = f*(x)·g*(y) at every context, solved for each label on its own."""
    g_prime = matrix_type().zeros(0, f_prime.shape[1])
    for y in range(g_star.shape[0]):
        g_prime = g_prime.above(solve_label(source, f_prime, f_star @ g_star.take(rows=[y]).T))
    return g_prime


def solved_by_context(source: Source, size: Size, affine: bool = False) -> AlignedPair:
    """f*, L* and L' drawn on M + 1 labels, f' solved context by context, g' of further labels solved for.

    Needs K >= M + 1.
    """
    dim = size.dim
    f = spanning(source, size, affine)
    layout = forest_of(tree_edges(source, tuple(range(dim + 1))), dim + 1)
    l_star, l_prime = invertible(source, dim), invertible(source, dim)
    f_prime = solve_contexts(l_prime, l_star, f)
    further = any_matrix(source, size.labels - dim - 1, dim)
    steps = _solved_labels(source, f_prime, f, further)
    g_star, g_prime = placed(source, layout, l_star), placed(source, layout, l_prime)
    root = [0] * further.shape[0]
    star = Model(f, g_star.above(g_star.take(rows=root) + further))
    prime = Model(f_prime, g_prime.above(g_prime.take(rows=root) + steps))
    sets = tying_sets(source, f, affine, size.labels)
    return with_alignment(symmetries.rearranged(source, ModelPair(prime, star, sets)))


def factored(source: Source, size: Size) -> AlignedPair:
    """A pair of :func:`theory.strategies.pairs.factored` after every symmetry.  Needs K >= M + 1 and n >= M."""
    return with_alignment(symmetries.transformed(source, pairs.factored(source, size)))


def aligned(source: Source, size: Size, affine: bool = False) -> AlignedPair:
    """f' = A f*, g' = A⁻ᵀ g* + c for a drawn A: tests the arithmetic only, and the theorem's converse."""
    star = Model(spanning(source, size, affine), _labels(source, size))
    alignment = invertible(source, size.dim)
    prime = symmetries.translated(symmetries.gauged(star, alignment), entries(source, 1, size.dim)[0])
    sets = tying_sets(source, star.f, affine, size.labels)
    return aligned_by(alignment, symmetries.rearranged(source, ModelPair(prime, star, sets)))


def moved_label(source: Source, size: Size, affine: bool = False) -> AlignedPair:
    """A pair of :func:`solved_by_label` with g' moved at one label, so that distributions differ."""
    pair = solved_by_label(source, size, affine)
    step = [[0] * size.dim for _ in range(size.labels)]
    step[source.integer(0, size.labels - 1)] = [
        choice(source, (1, -1, 2)),
        *(source.integer(-2, 2) for _ in range(size.dim - 1)),
    ]
    prime = Model(pair.prime.f, pair.prime.g + matrix_type().of(step))
    return aligned_by(pair.alignment, ModelPair(prime, pair.star, pair.candidate_sets))


def other_alignment(source: Source, size: Size, affine: bool = False) -> AlignedPair:
    """A pair of :func:`solved_by_label` with another invertible matrix than the one that relates f* and f'."""
    pair = solved_by_label(source, size, affine)
    other = invertible(source, size.dim)
    return aligned_by(other.scaled(2) if other == pair.alignment else other, pair)


def singular_alignment(source: Source, size: Size, affine: bool = False) -> AlignedPair:
    """f' = A f* with A singular, and g' free where f' does not look: its differences are no linear function of those
    of g*.  Full candidate sets."""
    dim, steps = size.dim, size.labels - 1
    kernel = matrix_type()
    f, alignment = spanning(source, size, affine), singular(source, dim)
    base = of_rank(source, steps, dim, min(steps - 1, dim))
    unseen = alignment.T.null_space().take(columns=[0]).T
    free = base.T.null_space().take(columns=[0])  # not a combination of the columns of the base
    g_prime = kernel.zeros(1, dim).above(base + free @ unseen)
    g_star = kernel.zeros(1, dim).above(base @ alignment)
    star = symmetries.translated(Model(f, g_star), entries(source, 1, dim)[0])
    prime = symmetries.translated(Model(f @ alignment.T, g_prime), entries(source, 1, dim)[0])
    pair = ModelPair(prime, star, full_candidate_sets(size.contexts, size.labels))
    return aligned_by(alignment, symmetries.rearranged(source, pair))


def loose_label(source: Source, size: Size, affine: bool = False) -> AlignedPair:
    """The last label is seen only where f* stays in a hyperplane, perhaps nowhere, and g' of it is solved for with the
    freedom that this leaves.  Needs K >= 3."""
    f, last = spanning(source, size, affine), size.labels - 1
    normal = of_rank(source, size.dim, 1, 1)
    seen = [x for x, row in enumerate((f @ normal).tolist()) if row[0] == 0 and choice(source, (True, True, False))]
    f_prime, g_star = same_columns(source, f), _labels(source, size)
    g_prime = _solved_labels(source, f_prime, f, g_star.take(rows=range(last)))
    step = f.take(rows=seen) @ g_star.take(rows=[last]).T
    g_prime = g_prime.above(solve_label(source, f_prime.take(rows=seen), step))
    prime = symmetries.translated(Model(f_prime, g_prime), entries(source, 1, size.dim)[0])
    sets = list(tying_sets(source, f, affine, last))
    for x in seen:
        sets[x] = with_candidate(sets[x], sets[x][0][0], last)
    return with_alignment(symmetries.rearranged(source, ModelPair(prime, Model(f, g_star), tuple(sets))))


def with_biases(source: Source, pair: AlignedPair) -> AffinelyAlignedPair:
    """The same distributions with biases: f' and f* are moved, each by a vector of its own, and the biases make up for
    it; both models also get a bias in common.  f' = A f* becomes f' = A f* + c."""
    by_prime, by_star = (matrix_type().of(entries(source, 1, model.dim, 2)) for model in (pair.prime, pair.star))
    common = any_matrix(source, pair.labels, 1)
    return AffinelyAlignedPair(
        biases.moved(pair.prime, by_prime, common),
        biases.moved(pair.star, by_star, common),
        pair.candidate_sets,
        alignment=pair.alignment,
        offset=by_prime.T - pair.alignment @ by_star.T,
    )


def lifted(build: Callable[[Source, Size, bool], AlignedPair]) -> Callable[[Source, Size], AffinelyAlignedPair]:
    """The construction that gives biases to what ``build`` builds, with f* spanning and labels tied affinely."""

    def built(source: Source, size: Size) -> AffinelyAlignedPair:
        return with_biases(source, build(source, size, True))

    return built


def factored_with_biases(source: Source, size: Size) -> AffinelyAlignedPair:
    """A pair of :func:`theory.strategies.biases.factored`, with A and c solved for from the representations."""
    pair = biases.factored(source, size)
    solved = pair.star.f.with_ones().solve(pair.prime.f)
    assert solved is not None  # the representations are related by an affine map
    return AffinelyAlignedPair(
        pair.prime,
        pair.star,
        pair.candidate_sets,
        alignment=solved.take(rows=range(1, size.dim + 1)).T,
        offset=solved.take(rows=[0]).T,
    )


def made_up_by_bias(source: Source, size: Size) -> AlignedPair:
    """Aligned representations, g' wrong along a direction in which every f* has entry 1, a bias b' making up for it.

    Full candidate sets; f* spans.  Needs n >= M.
    """
    dim, n = size.dim, size.contexts
    kernel = matrix_type()
    free = entries(source, n - dim, dim - 1, 2)
    affine = kernel.of([[1 - sum(row), *row] for row in free], columns=dim)  # rows that sum to 1, as those of 1 do
    frame = invertible(source, dim)
    inverse = frame.inverse()
    assert inverse is not None  # invertible by construction
    f_star = kernel.identity(dim).above(affine).take(rows=shuffled(source, range(n))) @ frame
    direction = inverse @ kernel.of([[1]] * dim)  # f* times it is 1 at every context
    wrong = kernel.of([[0], [choice(source, (1, -1, 2))], *([source.integer(-2, 2)] for _ in range(size.labels - 2))])
    g_star = _labels(source, size)
    alignment = invertible(source, dim)
    back = alignment.inverse()
    assert back is not None  # invertible by construction
    prime = Model(f_star @ alignment.T, (g_star + wrong @ direction.T) @ back, wrong.scaled(-1))
    pair = ModelPair(prime, Model(f_star, g_star), full_candidate_sets(n, size.labels))
    return aligned_by(alignment, pair)


def unequal_biases(source: Source, size: Size) -> AffinelyAlignedPair:
    """Aligned pairs, c = 0, that would be equal without biases: the bias of the first model differs at one label.

    Needs n >= M + 1.
    """
    pair = solved_by_label(source, size, True)
    bias = any_matrix(source, size.labels, 1)
    step = [[0] for _ in range(size.labels)]
    step[source.integer(0, size.labels - 1)] = [choice(source, (1, -1, 2))]
    return AffinelyAlignedPair(
        Model(pair.prime.f, pair.prime.g, bias + matrix_type().of(step)),
        Model(pair.star.f, pair.star.g, bias),
        pair.candidate_sets,
        alignment=pair.alignment,
        offset=matrix_type().zeros(size.dim, 1),
    )
