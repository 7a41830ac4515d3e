"""Decisions in floating point: they hold, fail or are undecided where they should, and never contradict exact ones."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.instances import in_arithmetic
from tests.theory.points import spanning
from theory import decide
from theory.arithmetic import exact_matrix, matrix_type
from theory.arithmetic.floating import ACCEPT, RANK_ACCEPT, RANK_REJECT, REJECT, FloatMatrix, U
from theory.catalogue import catalogue
from theory.checking import check
from theory.evidence import Evidence
from theory.indeterminacy import CLASSES
from theory.sizes import ladder
from theory.strategies.matrices import any_matrix, invertible, of_rank
from theory.strategies.source import RandomSource
from theory.theorem import Theorem
from theory.verdict import Status

IN_FLOATS = [pytest.param(t, id=name) for name, t in catalogue().items() if t.spectra is not None]


def carrying(shares: list[list[float]], bound: float = 1e-12, size: float = 1.0) -> FloatMatrix:
    """A residual whose entries are the given multiples of their bound."""
    table = np.array(shares) * bound
    return FloatMatrix(table, np.full(table.shape, bound), np.full(table.shape, size))


@pytest.mark.parametrize(
    ("shares", "holds"),
    [
        ([[0.0, 0.0]], True),
        ([[0.5, -0.9]], True),
        ([[ACCEPT, 0.0]], True),
        ([[0.0, -1.5]], None),
        ([[REJECT * 0.99, 0.1]], None),
        ([[0.1, 0.2], [0.3, -REJECT * 1.01]], False),
    ],
)
def test_vanishes(shares: list[list[float]], holds: bool | None) -> None:
    evidence = decide.vanishes(carrying(shares), "gap")
    assert evidence.holds is holds
    assert (evidence.accept, evidence.reject) == (ACCEPT, REJECT)
    assert not evidence.exact
    assert evidence.value == pytest.approx(np.abs(shares).max())


def test_a_residual_without_a_bound_must_be_zero() -> None:
    nothing = np.zeros((1, 1))
    assert decide.vanishes(FloatMatrix(nothing, nothing)).holds is True
    assert decide.vanishes(FloatMatrix(np.array([[1e-300]]), nothing)).holds is False
    assert decide.vanishes(FloatMatrix.zeros(0, 3)).holds is True


@pytest.mark.parametrize(("size", "holds"), [(1e-9, True), (1.1e-10, True), (0.9e-10, None), (1e-13, None)])
def test_agreement_says_nothing_where_the_bound_is_as_large_as_the_data(size: float, holds: bool | None) -> None:
    """A bound of 10^-12 that may be exceeded 100 times tells data of size 10^-10 from nothing at all."""
    for share in (0.0, 0.5, 50.0):
        evidence = decide.vanishes(carrying([[share]], size=size))
        assert evidence.holds is (holds if share <= ACCEPT else None)
        assert ("says nothing" in evidence.detail) is (holds is None)
    assert decide.vanishes(carrying([[2 * REJECT]], size=size)).holds is False, "a failure is one whatever the data"


@pytest.mark.parametrize(
    ("least", "holds"),
    [(1.0, True), (2.1e-15 / RANK_ACCEPT, True), (5e-15, None), (0.5e-15 / RANK_REJECT, False), (0.0, False)],
)
def test_rank_is_full(least: float, holds: bool | None) -> None:
    """The error of the entries is 10^-15 in the norm, and the singular values 1 and ``least``."""
    matrix = FloatMatrix(np.diag([1.0, least]), np.diag([1e-15, 0.0]))
    evidence = decide.rank_is_full(matrix, 2)
    assert evidence.holds is holds
    assert evidence.witness["singular_values"] == pytest.approx((1.0, least))
    assert decide.rank_is_full(matrix, 1).holds is True
    assert decide.rank_is_full(matrix, 0).holds is True
    assert decide.rank_is_full(matrix, 3).holds is False, "there are only two columns"
    assert decide.invertible(matrix).holds is holds
    assert decide.invertible(matrix.take(rows=[0])).holds is False, "not square"


def exact_and_float(question: Any, *matrices: Any) -> tuple[Evidence, Evidence]:
    return question(*matrices), question(*(in_arithmetic(m, "float") for m in matrices))


def test_linear_maps() -> None:
    """A point moved by 10^-3, or by one part in 10^10, is no image; moved by a rounding it still is one."""
    answers: Counter[Any] = Counter()
    for seed in range(60):
        source = RandomSource(seed)
        f = of_rank(source, 6, 3, source.integer(1, 3))
        image = f @ invertible(source, 3) @ any_matrix(source, 3, 2)
        fs, ft = (in_arithmetic(m, "float") for m in (f, image))
        size = np.abs(ft.value).max()
        for name, step in (("none", 0.0), ("rounding", U * size), ("ten digits", 1e-10 * size), ("large", 1e-3)):
            moved = FloatMatrix(ft.value + step * np.eye(6, 2, k=-4))
            answers[name, decide.linear_map(fs, moved).holds] += 1
    assert answers["none", False] == answers["rounding", False] == 0
    assert answers["none", True] > 40
    assert answers["ten digits", True] == answers["large", True] == 0
    assert answers["large", False] > 40


def test_the_bound_of_a_closed_form_judges_the_best_fit() -> None:
    """Where the formula vanishes it is the map; where it does not, its bound judges the best fit."""
    f = FloatMatrix(np.array([[1.0], [2.0], [3.0]]))
    image = FloatMatrix(2 * f.value + np.array([[1e-9], [0.0], [0.0]]))

    def judged(share: float, bound: float) -> bool | None:
        return decide.linear_map(f, image, lambda: carrying([[share]] * 3, bound)).holds

    assert decide.linear_map(f, image).holds is False
    assert judged(0.5, 1e-13) is True
    assert judged(50.0, 1e-13) is None
    assert judged(1000.0, 1e-13) is False
    assert judged(1000.0, 1e-8) is True, "the best fit is within the bound, though the formula is not"
    assert decide.linear_map(f, image, lambda: None).holds is False, "no formula: only the rounding of the data"


def test_constant_on() -> None:
    values = FloatMatrix(np.array([[1.0, 1.0, 5.0], [2.0, 2.0 + 4 * U, 2.5]]))
    assert decide.constant_on(values, (((0, 1),), ((0, 1),)), "gap").holds is True
    assert decide.constant_on(values, (((0, 1),), ((0, 2),)), "gap").holds is False
    assert decide.constant_on(values, (((0, 1), (1, 2)), ((0, 1),)), "gap").holds is False
    drifted = FloatMatrix(np.array([[1.0, 1.0 + 40 * U]]))
    assert decide.constant_on(drifted, (((0, 1),),), "gap").holds is None
    vague = FloatMatrix(values.value, np.full((2, 3), 0.5))
    assert decide.constant_on(vague, (((0, 1),), ((0, 1),)), "gap").holds is None, "says nothing"


QUESTIONS = {
    "linear_map": decide.linear_map,
    "invertible_linear_map": decide.invertible_linear_map,
    "affine_map": decide.affine_map,
    "no_affine_map": decide.no_affine_map,
    "linear class": CLASSES["linear"].fit,
    "affine class": CLASSES["affine"].fit,
    "orthogonal class": CLASSES["orthogonal"].fit,
    "identity": CLASSES["identity"].fit,
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_rounded_data_never_contradicts(question: str) -> None:
    """The same answer as on the exact data, or none."""
    answers: Counter[Any] = Counter()
    for seed in range(250):
        source = RandomSource(seed)
        f = spanning(seed, 2) if seed % 3 else of_rank(source, 4, 2, source.integer(0, 2))
        shift = exact_matrix([["1/3", "-2/7"]] * f.shape[0]).scaled(source.integer(0, 1))
        target = f @ invertible(source, 2) + shift if seed % 2 else any_matrix(source, *f.shape)
        target = f if seed % 10 == 0 else target
        exact, rounded = exact_and_float(QUESTIONS[question], f, target)
        assert rounded.holds in (exact.holds, None), (seed, exact.describe(), rounded.describe())
        answers[rounded.holds] += 1
    assert answers[True] > 10
    assert answers[False] > 10


@pytest.mark.parametrize("question", ["invertible_linear_map", "linear class", "affine class", "orthogonal class"])
def test_dimensions_must_agree(question: str) -> None:
    """f and [f | 0] are linear images of each other, but not by an invertible matrix: they are not of one size."""
    f = spanning(0, 2)
    wider = f.beside(matrix_type().zeros(f.shape[0], 1))
    for source, target in ((f, wider), (wider, f)):
        exact, rounded = exact_and_float(QUESTIONS[question], source, target)
        assert exact.holds is False
        assert rounded.holds is not True


def test_no_map_is_not_what_cannot_be_told() -> None:
    """Where rounding leaves it open whether an affine map exists, it is open whether none does."""
    source, target = FloatMatrix.of([[-3], [-4]]), FloatMatrix.of([[1], [1]])
    exists, none = decide.affine_map(source, target), decide.no_affine_map(source, target)
    assert exists.holds is None
    assert none.holds is None


@pytest.mark.parametrize("theorem", IN_FLOATS)
def test_exact_instances_rounded_are_judged_alike(theorem: Theorem[Any]) -> None:
    """Every assumption, the conclusion, the closed form and the status: the exact answer, or undecided."""
    statuses: Counter[Status] = Counter()
    for size in [*list(ladder(2))[::2], *theorem.sizes]:
        for construction in theorem.constructions:
            for seed in range(3 if construction.fits(size) else 0):
                instance = construction.build(RandomSource(seed), size)
                exact, rounded = check(theorem, instance), check(theorem, in_arithmetic(instance, "float"))
                answers = {e.name: e.holds for e in exact.evidence}
                for evidence in rounded.evidence:
                    allowed = (answers.get(evidence.name), None)
                    assert evidence.holds in allowed, (construction.name, size, seed, evidence.describe())
                assert rounded.status in (exact.status, Status.UNDECIDED)
                statuses[rounded.status] += 1
    assert statuses[Status.HOLDS] > 150
    assert statuses[Status.UNDECIDED] < statuses.total() / 20
