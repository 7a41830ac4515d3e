"""Indeterminacy classes: what they sample, what they fit and what they contain agree."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from tests.theory.points import spanning
from tests.theory.sources import NearestToZero
from theory.arithmetic import matrix_type
from theory.indeterminacy import CLASSES, Element, Indeterminacy
from theory.strategies.matrices import entries, representation
from theory.strategies.source import RandomSource

of = matrix_type().of
SEEDS = range(12)
DIMS = (1, 2, 3, 4)
KINDS = [pytest.param(kind, id=name) for name, kind in CLASSES.items()]
TURN = of([["3/5", "-4/5"], ["4/5", "3/5"]])


def elements(dim: int) -> list[tuple[str, Element]]:
    return [(name, kind.sample(RandomSource(seed), dim)) for name, kind in CLASSES.items() for seed in SEEDS]


# Samples -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_samples_are_members(kind: Indeterminacy) -> None:
    for dim in DIMS:
        for source in (NearestToZero(), *map(RandomSource, SEEDS)):
            element = kind.sample(source, dim)
            evidence = kind.contains(element)
            assert evidence.holds is True
            assert evidence.exact
            assert element.A.shape == (dim, dim)
            assert element.A.inverse() is not None, "every class is one of invertible maps"
    assert kind.contains(Element(of([[0]]))).holds is False
    simplest = kind.sample(NearestToZero(), 3)
    assert simplest(of([[1, 2, 3]])) == of([[1, 2, 3]]), "draws shrink to the identity"


def test_samples_vary() -> None:
    for name, kind in CLASSES.items():
        drawn = {(e.A, e.c) for e in (kind.sample(RandomSource(seed), 3) for seed in range(40))}
        assert len(drawn) == 1 if name == "identity" else len(drawn) > 15, name


def test_orthogonal_samples_are_orthogonal_to_the_last_digit() -> None:
    mixed = 0
    for dim in DIMS:
        for seed in range(40):
            A = CLASSES["orthogonal"].sample(RandomSource(seed), dim).A
            assert A.T @ A == A @ A.T == A.identity(dim)
            mixed += any(0 < abs(entry) < 1 for row in A.tolist() for entry in row)
    assert mixed > 60, "not only signed permutations"


def test_what_an_element_does() -> None:
    f = of([[1, 0], [0, 1], [2, 3]])
    assert Element(TURN)(f) == of([["3/5", "4/5"], ["-4/5", "3/5"], ["-6/5", "17/5"]])
    moved = Element(of([[0, 2], [1, 0]]), of([[1], [-1]]))
    assert moved(f) == of([[1, 0], [3, -1], [7, 1]])


# Fits --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_sampled_image_is_fitted(kind: Indeterminacy) -> None:
    """Whatever the rank of the representation, one context included."""
    for dim in DIMS:
        for seed in SEEDS:
            source = RandomSource(seed)
            f = representation(source, source.integer(1, dim + 3), dim)
            evidence = kind.fit(f, kind.sample(source, dim)(f))
            assert evidence.holds is True, (dim, seed)
            assert evidence.exact
            assert evidence.describe()


@pytest.mark.parametrize("kind", KINDS)
def test_fitting_is_belonging_where_the_points_span(kind: Indeterminacy) -> None:
    """On points that span affinely the map is determined: it is fitted exactly when it is a member."""
    answers: set[bool | None] = set()
    for dim in (1, 2, 3):
        for seed, (_, element) in enumerate(elements(dim)):
            f = spanning(seed, dim)
            holds = kind.fit(f, element(f)).holds
            assert holds is kind.contains(element).holds
            answers.add(holds)
    assert answers == ({True} if kind.name == "affine" else {True, False})


@pytest.mark.parametrize("kind", [k for k in KINDS if k.values[0].name in ("affine", "linear")])
def test_the_fitted_map_is_the_witness(kind: Indeterminacy) -> None:
    for seed in SEEDS:
        f, element = spanning(seed, 3), kind.sample(RandomSource(seed), 3)
        A = kind.fit(f, element(f)).witness["A"]
        if kind.name == "affine":
            assert element.c is not None
            assert A.take(rows=[1, 2, 3]) == element.c.beside(element.A)
        else:
            assert A == element.A


@pytest.mark.parametrize("kind", KINDS)
def test_perturbed_images_are_refused(kind: Indeterminacy) -> None:
    """One entry moved by 10^-30, at a context that the others do not determine."""
    tiny = Fraction(1, 10**30)
    for dim in DIMS:
        for seed in SEEDS:
            f = spanning(seed, dim)
            image = kind.sample(RandomSource(seed), dim)(f)
            affine = f.with_ones()
            free = [x for x in range(dim + 2) if affine.take(rows=[z for z in range(dim + 2) if z != x]).rank() > dim]
            assert free, "dim + 2 points have one affine relation, and some point takes part in it"
            step = of([[tiny if (x, k) == (free[0], seed % dim) else 0 for k in range(dim)] for x in range(dim + 2)])
            moved = kind.fit(f, image + step)
            assert moved.holds is False, (dim, seed)
            assert moved.exact


@pytest.mark.parametrize("kind", KINDS)
def test_dimensions_must_agree(kind: Indeterminacy) -> None:
    for f in (of([[1, 2], [3, 5], [1, 1]]), matrix_type().zeros(3, 2)):
        wider = f.beside(matrix_type().zeros(3, 1))
        assert kind.fit(f, wider).holds is False
        assert kind.fit(wider, f).holds is False


@pytest.mark.parametrize("kind", KINDS)
def test_both_kernels_fit_alike(kind: Indeterminacy) -> None:
    symbolic = matrix_type("sympy").of
    for seed, (_, element) in enumerate(elements(2)[::5]):
        f = representation(RandomSource(seed), 3, 2)
        fits = [kind.fit(f, element(f)), kind.fit(symbolic(f.tolist()), symbolic(element(f).tolist()))]
        assert fits[0] == fits[1]


@pytest.mark.parametrize("name", ["permutation_scaling", "signed_permutation"])
def test_matching_against_every_permutation(name: str) -> None:
    """Small matrices with zero, equal and parallel columns, where a greedy matching could go wrong."""
    factors = None if name == "permutation_scaling" else (Fraction(1), Fraction(-1))
    answers = {True: 0, False: 0}
    for seed in range(400):
        source = RandomSource(seed)
        f = of(entries(source, 2, 3, 1))
        target = of(entries(source, 2, 3, 1)) if seed % 2 else CLASSES[name].sample(source, 3)(f)
        if seed % 4 == 0:
            target = target + of([[0, 0, 0], [0, 0, 1]])
        columns, images = f.T.tolist(), target.T.tolist()
        expected = any(
            all(multiple(a, images[i], factors) for i, a in enumerate(order)) for order in permutations(columns)
        )
        assert CLASSES[name].fit(f, target).holds is expected
        answers[expected] += 1
    assert min(answers.values()) > 40


def multiple(column: list[Fraction], image: list[Fraction], factors: tuple[Fraction, ...] | None) -> bool:
    """Is the image the column times one of the factors (None: any that is not zero)?"""
    if factors is None:
        lead = next((k for k, entry in enumerate(column) if entry != 0), None)
        if lead is None:
            return not any(image)
        if image[lead] == 0:
            return False
        factors = (image[lead] / column[lead],)
    return any([factor * entry for entry in column] == image for factor in factors)


@pytest.mark.parametrize(
    ("A", "c", "members"),
    [
        ([[1, 0], [0, 1]], None, set(CLASSES)),
        ([[0, -1], [1, 0]], None, set(CLASSES) - {"identity"}),
        ([[0, 2], [1, 0]], None, {"affine", "linear", "permutation_scaling"}),
        (TURN.tolist(), None, {"affine", "linear", "orthogonal"}),
        ([[1, 1], [0, 1]], None, {"affine", "linear"}),
        ([[1, 0], [0, 1]], [[0], [0]], set(CLASSES)),
        ([[1, 0], [0, 1]], [[1], [0]], {"affine"}),
        ([[1, 1], [1, 1]], None, set()),
    ],
)
def test_known_members(A: list[list[int]], c: list[list[int]] | None, members: set[str]) -> None:
    element = Element(of(A), None if c is None else of(c))
    assert {name for name, kind in CLASSES.items() if kind.contains(element).holds} == members
