"""Models and pairs: what they compute, by hand, and what they refuse, with the message."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from theory.arithmetic import Matrix, matrix_type
from theory.models import Model, ModelPair, full_candidate_sets

FLINT = matrix_type()
F, G = [[1, 2], [0, "1/2"]], [[0, 0], [1, 0], [2, -1]]


def model(f: Any = F, g: Any = G, bias: Any = None) -> Model:
    return Model.of(f, g, bias)


def pair(**changes: Any) -> ModelPair:
    valid: dict[str, Any] = {
        "prime": model(),
        "star": model(),
        "candidate_sets": full_candidate_sets(2, 3),
        "label_pairs": (((1, 0), (2, 0)),) * 2,
    }
    return ModelPair(**(valid | changes))


def table(matrix: Matrix) -> list[list[str]]:
    return [[str(entry) for entry in row] for row in matrix.tolist()]


def test_logits_by_hand() -> None:
    assert table(model().logits()) == [["0", "1", "0"], ["0", "0", "-1/2"]]
    assert table(model(bias=[1, 0, 5]).logits()) == [["1", "1", "5"], ["1", "0", "9/2"]]


def test_differences_are_columns() -> None:
    assert table(model().differences([(1, 0), (2, 1)])) == [["1", "1"], ["0", "-1"]]
    assert table(model().differences([(0, 1)])) == [["-1"], ["0"]]
    assert model().differences([]).shape == (2, 0)


def test_sizes() -> None:
    assert (model().contexts, model().labels, model().dim) == (2, 3, 2)
    wide = ModelPair(model(), Model.of([[1], [2]], [[0], [1], [2]]), full_candidate_sets(2, 3))
    assert (wide.contexts, wide.labels, wide.dim) == (2, 3, 1)


@pytest.mark.parametrize("arithmetic", ["flint", "sympy"])
def test_of_builds_in_the_arithmetic_asked_for(arithmetic: str) -> None:
    built = Model.of(F, G, [1, 2, 3], arithmetic=arithmetic)
    assert all(type(m) is matrix_type(arithmetic) for m in (built.f, built.g, built.bias, built.logits()))
    assert built == Model.of(F, G, [1, 2, 3])
    assert built.logits() == Model.of(F, G, [1, 2, 3]).logits()


@pytest.mark.parametrize(
    ("f", "g", "bias", "message"),
    [
        (
            [[1, 2]],
            [[1], [2]],
            None,
            "f has dimension 2 but g has dimension 1: f is (contexts, dim), g is (labels, dim)",
        ),
        ([], [], None, "f is 0 x 0: a model needs at least one context and one dimension"),
        ([[]], [[], []], None, "f is 1 x 0: a model needs at least one context and one dimension"),
        ([[1]], [[1]], None, "g has 1 label(s): a softmax needs at least 2"),
        ([[1]], [[1], [2]], [1], "bias has shape (1, 1), but there are 2 labels: it must be (2, 1)"),
        ([[1]], [[1], [2]], [1, 2, 3], "bias has shape (3, 1), but there are 2 labels"),
        ([[1], [2, 3]], [[1], [2]], None, "row 1 has 2 entries, row 0 has 1"),
        ([["1/0"]], [[1], [2]], None, "row 0, column 0: '1/0' is not a rational number"),
    ],
)
def test_models_that_cannot_be(f: Any, g: Any, bias: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Model.of(f, g, bias)


def test_bias_is_a_column() -> None:
    with pytest.raises(ValueError, match=re.escape("bias has shape (1, 2)")):
        Model(FLINT.of([[1]]), FLINT.of([[1], [2]]), FLINT.of([[1, 2]]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"star": model(f=[[1, 2]])}, "the models have 2 and 1 contexts: a pair shares its contexts"),
        ({"star": model(g=[[0, 0], [1, 0]])}, "the models have 3 and 2 labels: a pair shares its labels"),
        ({"candidate_sets": full_candidate_sets(1, 3)}, "there are candidate sets for 1 contexts, but f has 2"),
        ({"candidate_sets": (((0, 1),), ())}, "context 1 has no candidate set: list those of positive probability"),
        ({"candidate_sets": (((0, 1),), ((2,),))}, "context 1: candidate set (2,) must hold at least 2 labels"),
        (
            {"candidate_sets": (((0, 1, 0),),) * 2},
            "context 0: candidate set (0, 1, 0) must hold at least 2 labels, each",
        ),
        ({"candidate_sets": (((0, 3),),) * 2}, "candidate set (0, 3) names label 3, but the labels are 0 to 2"),
        ({"candidate_sets": (((0, -1),),) * 2}, "candidate set (0, -1) names label -1, but the labels are 0 to 2"),
        ({"label_pairs": (((1, 0),),)}, "there are label pairs for 1 contexts, but f has 2"),
        ({"label_pairs": (((1, 0),), ())}, "context 1 has no label pair"),
        ({"label_pairs": (((1, 1),),) * 2}, "context 0: (1, 1) is not a pair of two different labels"),
        ({"label_pairs": (((0, 1, 2),),) * 2}, "context 0: (0, 1, 2) is not a pair of two different labels"),
        ({"label_pairs": (((1, 0),), ((0, 3),))}, "context 1: label pair (0, 3) names label 3"),
    ],
)
def test_pairs_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        pair(**changes)
    with pytest.raises(ValueError, match=re.escape(message)):  # also when the answer is remembered
        pair(**changes)


def test_label_pairs_may_be_left_out() -> None:
    assert pair(label_pairs=()).label_pairs == ()


def test_swapped_exchanges_the_models_only() -> None:
    one = pair(prime=model(f=[[1, 1], [2, 2]]))
    assert (one.swapped().prime, one.swapped().star) == (one.star, one.prime)
    assert one.swapped().swapped() == one
    assert replace(one.swapped(), prime=one.prime, star=one.star) == one


def test_full_candidate_sets() -> None:
    assert full_candidate_sets(2, 3) == (((0, 1, 2),), ((0, 1, 2),))


def test_equality_does_not_depend_on_the_kernel() -> None:
    exact, symbolic = pair(), pair(prime=Model.of(F, G, arithmetic="sympy"))
    assert exact == symbolic
    assert hash(exact) == hash(symbolic)


def test_instances_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        model().f = FLINT.of([[1]])  # type: ignore[misc]
