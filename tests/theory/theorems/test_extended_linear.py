"""Extended-linear identifiability: known dimensions of the subspaces, and the formula in orthonormal bases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.mutants.mutations_extended import labels_on_g, labels_on_w
from theory.arithmetic import Matrix, matrix_type
from theory.arithmetic.projections import projection, pseudo_inverse, rank_factors
from theory.assumptions import decide_labels_joined
from theory.checking import check
from theory.indeterminacy import EXTENDED_LINEAR, label_steps, seen_part
from theory.models import Model, ModelPair, full_candidate_sets
from theory.sizes import Size, ladder
from theory.strategies import displaced
from theory.strategies.matrices import any_matrix, invertible, of_rank
from theory.strategies.source import RandomSource
from theory.strategies.symmetries import gauged, translated
from theory.theorem import Construction
from theory.theorems.softmax.extended_linear import THEOREM, apart, free_label, unseen_component
from theory.verdict import Status

SIZES = [*ladder(3), *THEOREM.sizes[-6:]]


def array(matrix: Matrix) -> np.ndarray[Any, Any]:
    return np.array(matrix.tolist(), dtype=float).reshape(matrix.shape)


def probabilities(model: Model, labels: tuple[int, ...]) -> np.ndarray[Any, Any]:
    logits = array(model.logits())[:, list(labels)]
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


# Exact linear algebra ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arithmetic", ["flint", "sympy"])
@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_pseudo_inverse_and_projection(arithmetic: str, rank: int) -> None:
    """The four Penrose equations, which have one solution, and P = A⁺ A."""
    for seed in range(4):
        A = matrix_type(arithmetic).of(of_rank(RandomSource(seed), 4, 3, rank).tolist(), columns=3)
        inverse, P = pseudo_inverse(A), projection(A)
        assert inverse.shape == (3, 4)
        assert A @ inverse @ A == A
        assert inverse @ A @ inverse == inverse
        assert A @ inverse == (A @ inverse).T
        assert inverse @ A == (inverse @ A).T == P == P @ P
        assert P.rank() == rank
        left, right = rank_factors(A)
        assert left.shape[1] == right.shape[0] == rank
        np.testing.assert_allclose(array(inverse), np.linalg.pinv(array(A)), atol=1e-9)


# Worked by hand ----------------------------------------------------------------------------------------------------


def test_worked_instances_have_equal_probabilities() -> None:
    """Compared with floating softmax: 1/(1+e), 1/(1+e²) and so on, whatever the unseen components are."""
    pair = unseen_component()
    expected = [[1 / (1 + np.e), np.e / (1 + np.e)], [1 / (1 + np.e**2), np.e**2 / (1 + np.e**2)]]
    for model in (pair.prime, pair.star):
        np.testing.assert_allclose(probabilities(model, (0, 1)), expected)
    pair = free_label()
    np.testing.assert_allclose(probabilities(pair.prime, (0, 1, 2)), probabilities(pair.star, (0, 1, 2)))
    pair = apart()
    np.testing.assert_allclose(probabilities(pair.prime, (0, 1)), probabilities(pair.star, (0, 1)))
    assert not np.allclose(probabilities(pair.prime, (0, 2)), probabilities(pair.star, (0, 2)))


def test_what_is_seen_of_the_worked_instances() -> None:
    of = matrix_type().of
    pair = unseen_component()
    for one in (pair, pair.swapped()):
        assert seen_part(one.prime) == of([[1, 0], [2, 0]])
        assert check(THEOREM, one).status is Status.HOLDS
    assert check(THEOREM, pair, claim="without_projection").status is Status.REFUTED
    pair = free_label()
    assert seen_part(pair.prime) == seen_part(pair.star) == of([[1, 0]])
    assert label_steps(pair.prime) @ projection(seen_part(pair.prime)) == of([[1, 0], [2, 0]])
    assert check(THEOREM, apart(), without="labels_joined").status is Status.COUNTEREXAMPLE


@pytest.mark.parametrize(
    ("sets", "labels", "missing"),
    [
        (((0, 1, 2),), 3, 0),
        (((0, 1), (1, 2)), 3, 0),
        (((0, 1),), 3, 1),
        (((0, 1), (2, 3)), 4, 1),
        (((0, 1),), 5, 3),
    ],
)
def test_labels_joined(sets: tuple[tuple[int, ...], ...], labels: int, missing: int) -> None:
    model = Model.of(f=[[1], [1]], g=[[0]] * labels)
    evidence = decide_labels_joined(ModelPair(model, model, (sets, (tuple(range(labels)),))))
    assert evidence.value == missing
    assert evidence.witness == ({"context": 0, "labels": (0, 2)} if missing else {})


# Known dimensions of 𝓕, 𝓖 and V ------------------------------------------------------------------------------------


def with_dimensions(seed: int, displaced_logits: Matrix, dim: int, hidden: int, spare: int) -> Model:
    """f = [C | P | 0], g - g(0) = [Rᵀ | 0 | Q] with P and Q of full rank: dim 𝓕 = r + hidden, dim 𝓖 = r + spare."""
    source = RandomSource(seed)
    left, right = rank_factors(displaced_logits)
    (n, k), rank = displaced_logits.shape, left.shape[1]
    zeros = matrix_type().zeros
    rest = dim - rank - hidden - spare
    beyond, further = left.T.null_space(), right.null_space()
    beyond = beyond @ of_rank(source, n - rank, hidden, hidden) + left @ any_matrix(source, rank, hidden)
    further = further @ of_rank(source, k - rank, spare, spare) + right.T @ any_matrix(source, rank, spare)
    f = left.beside(beyond).beside(zeros(n, spare + rest))
    steps = right.T.beside(zeros(k, hidden)).beside(further).beside(zeros(k, rest))
    return translated(gauged(Model(f, zeros(1, dim).above(steps)), invertible(source, dim)), [1] * dim)


#: (M', M), the dimensions of 𝓕 and 𝓖 of each model beyond r = 3, and whether V = W.
DIMENSIONS = [
    pytest.param((7, 5), ((2, 2), (1, 1)), id="M = 5 and 7, spans of 4 and of 5"),
    pytest.param((5, 7), ((1, 0), (0, 3)), id="M = 7 and 5, spans of 3 to 6"),
    pytest.param((5, 5), ((1, 1), (1, 1)), id="M = 5, spans of 4"),
    pytest.param((5, 5), ((0, 0), (0, 0)), id="M = 5, spans of 3"),
    pytest.param((5, 7), ((0, 0), (0, 0)), id="M = 7 and 5, spans of 3"),
]


@pytest.mark.parametrize(("dims", "beyond"), DIMENSIONS)
def test_known_dimensions(dims: tuple[int, int], beyond: tuple[tuple[int, int], tuple[int, int]]) -> None:
    for seed in range(6):
        logits, same = of_rank(RandomSource(seed), 8, 8, 3), []
        prime, star = (
            with_dimensions(seed + 10 * i, logits, dim, *b) for i, (dim, b) in enumerate(zip(dims, beyond, strict=True))
        )
        for model, dim, (hidden, spare) in zip((prime, star), dims, beyond, strict=True):
            assert (model.dim, model.f.rank(), label_steps(model).rank()) == (dim, 3 + hidden, 3 + spare)
            assert seen_part(model).rank() == 3
            V, W = projection(seen_part(model)), projection(label_steps(model) @ projection(model.f))
            same.append(V == W)
            assert same[-1] is (3 + hidden + spare == dim)
        pair = ModelPair(prime, star, full_candidate_sets(8, 9))
        verdict = check(THEOREM, pair)
        assert verdict.status is Status.HOLDS, verdict.describe()
        in_orthonormal_bases(pair)
        assert labels_on_w(pair).holds is all(same), "a mix-up of V and W shows only where they differ"
        assert labels_on_g(pair).holds is (beyond == ((0, 0), (0, 0)))
        assert check(THEOREM, mirrored(pair)).status is Status.HOLDS


def in_orthonormal_bases(pair: ModelPair) -> None:
    """The paper's form in floats: B'ᵀ g₀' = (B'ᵀ T B)⁻ᵀ Bᵀ g₀ and B'ᵀ f' = (B'ᵀ T B) Bᵀ f."""
    G_prime, G_star = array(label_steps(pair.prime)), array(label_steps(pair.star))
    T = np.linalg.pinv(G_prime, rcond=1e-10) @ G_star
    V_prime, V = (
        np.linalg.svd(array(m.f) @ np.linalg.pinv(G, rcond=1e-10) @ G)[2][:3].T
        for m, G in ((pair.prime, G_prime), (pair.star, G_star))
    )
    inner = V_prime.T @ T @ V
    labels, predicted = G_prime @ V_prime, G_star @ V @ np.linalg.inv(inner)
    np.testing.assert_allclose(labels, predicted, atol=1e-6 * (1 + np.abs(labels).max()))
    seen, mapped = array(pair.prime.f) @ V_prime, array(pair.star.f) @ V @ inner.T
    np.testing.assert_allclose(seen, mapped, atol=1e-6 * (1 + np.abs(seen).max()))


def mirrored(pair: ModelPair) -> ModelPair:
    """f and g₀ exchanged: representations g₀(y), labels 0 and the f(x)."""

    def exchanged(model: Model) -> Model:
        return Model(label_steps(model), model.f.zeros(1, model.dim).above(model.f))

    return ModelPair(
        exchanged(pair.prime), exchanged(pair.star), full_candidate_sets(pair.labels - 1, pair.contexts + 1)
    )


def test_mirror_statement() -> None:
    for size in THEOREM.sizes:
        for seed in range(3):
            pair = displaced.factored(RandomSource(seed), size)
            assert check(THEOREM, mirrored(pair)).status is Status.HOLDS


# The class ---------------------------------------------------------------------------------------------------------


def test_every_model_of_the_class_is_equally_valid() -> None:
    """Sampled partners of any dimension have the same probabilities, and T = G₀'⁺ G₀* is of the class; 2 T is not."""
    for size in THEOREM.sizes:
        for seed in range(3):
            source = RandomSource(seed)
            star = displaced.factored(source, size).star
            for dim in (star.f.rank() + 1, size.dim, size.dim + 2):
                prime = EXTENDED_LINEAR.sample(source, star, dim)
                assert prime.dim == dim
                both = tuple(range(size.labels))
                np.testing.assert_allclose(probabilities(prime, both), probabilities(star, both), atol=1e-9)
                T = pseudo_inverse(label_steps(prime)) @ label_steps(star)
                assert EXTENDED_LINEAR.fit(star, prime).holds
                assert EXTENDED_LINEAR.contains(T, star, prime).holds
                assert EXTENDED_LINEAR.contains(T.scaled(2), star, prime).holds is (seen_part(star).rank() == 0)
    with pytest.raises(ValueError, match="need as many dimensions"):
        EXTENDED_LINEAR.sample(RandomSource(0), Model.of([[1, 0], [0, 1]], [[0, 0], [1, 0], [0, 1]]), 1)
    assert str(EXTENDED_LINEAR).startswith("extended linear: ")


# Constructions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("construction", [pytest.param(c, id=c.name) for c in THEOREM.constructions])
def test_promise(construction: Construction[ModelPair]) -> None:
    met: set[Any] = set()
    for size in filter(construction.fits, SIZES):
        for seed in range(7):
            pair = construction.build(RandomSource(seed), size)
            assert Size(pair.star.dim, pair.labels, pair.contexts) == size
            broken = [a.name for a in THEOREM.assumptions if not a.evidence(pair).holds]
            assert broken == ([construction.violates] if construction.violates else []), (size, seed)
            status = check(THEOREM, pair, without=construction.violates).status
            assert status is Status.HOLDS or construction.violates is not None
            met |= {status, ("wider", np.sign(pair.prime.dim - pair.star.dim)), ("rank", seen_part(pair.star).rank())}
            met.add(("sets", len(pair.candidate_sets[0]) > 1))
    if construction.violates != "no_bias":  # that one is built from full diversity and full candidate sets
        assert {("rank", 0), ("rank", 1), ("rank", 2), ("rank", 3), ("sets", True), ("sets", False)} <= met
        assert construction.uses_alignment or {("wider", -1), ("wider", 0), ("wider", 1)} <= met
    assert (Status.COUNTEREXAMPLE in met) is (construction.violates is not None)
