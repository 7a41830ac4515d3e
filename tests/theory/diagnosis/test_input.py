"""Bad arrays are refused in words: which array, where, what is allowed."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from theory.diagnosis import TrainedModel, diagnose
from theory.diagnosis.fitted import halves

F = np.arange(12.0).reshape(6, 2) ** 2
G = np.arange(10.0).reshape(5, 2) ** 2
GOOD = TrainedModel(F, G)


def holed(values: np.ndarray, at: tuple[int, ...], hole: float) -> np.ndarray:
    copy = values.copy()
    copy[at] = hole
    return copy


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((F[0], G), r"f has shape \(2,\): give an array of shape \(contexts, dim\)"),
        ((F, G[None]), r"g has shape \(1, 5, 2\): give an array of shape \(labels, dim\)"),
        ((F, G, np.zeros((5, 1))), r"bias has shape \(5, 1\): give an array of shape \(labels,\)"),
        ((holed(F, (3, 1), np.nan), G), "f: row 3, column 1 is nan: every entry must be a finite number"),
        ((F, holed(G, (4, 0), np.inf)), "g: row 4, column 0 is inf"),
        ((F, G, holed(np.zeros(5), (2,), -np.inf)), "bias: entry 2 is -inf"),
        ((F, G.T), "g has dimension 5.*must be transposed"),
        ((F, G[:1]), r"g has 1 label\(s\): a softmax needs 2 or more"),
        ((F, G, np.zeros(4)), r"the bias has shape \(4,\) and g has 5 labels"),
        ((F, None, np.zeros(5)), "there is a bias but no g"),
        ((F[:1], G), r"f has shape \(1, 2\): give \(contexts, dim\), two contexts or more"),
        ((F[:, :0], G[:, :0]), r"f has shape \(6, 0\)"),
        ((F.astype(complex), G), "f holds complex128: give real numbers"),
        ((F.astype(str), G), "f holds <U"),
        ((np.ma.masked_greater(F, 50.0), G), "f is a masked array: leave out the contexts or labels that have masked"),
        ((F, list(np.ma.masked_greater(G, 50.0))), "g is a masked array"),
        ((F, G, np.ma.masked_equal(np.zeros(5), 1)), "bias is a masked array"),
        ((F * 1e200, G), r"f: row 5, column 1 is 1.21e\+202 in size, the largest: it must lie between 1e-130 and 1e"),
        ((F, G * 1e-200), "g: row 4, column 1 is 8.1e-199 in size"),
        ((F, G, np.full(5, 1e131)), r"bias: entry 0 is 1e\+131 in size"),
        ((F * 1e100, G * 1e100), r"their largest entries are 1.21e\+102 and 8.1e\+101, whose product is 9.8e\+203"),
    ],
)
def test_a_model(given: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainedModel(*given)


@pytest.mark.parametrize(
    ("other", "options", "message"),
    [
        (TrainedModel(F[:5], G), {}, "A has 6 contexts and B has 5: row i of both f must be the same input"),
        (TrainedModel(F, G[:4]), {}, "A has 5 labels and B has 4: row y of both g must be the same label"),
        (GOOD, {"names": ("A", "A")}, "give two different names"),
        (GOOD, {"held_out": 0.0}, "held_out is 0.0: give the share of contexts to judge on"),
        (GOOD, {"held_out": 1.0}, "held_out is 1.0"),
        (GOOD, {"held_out": float("nan")}, "held_out is nan"),
        (GOOD, {"groups": [1, 2]}, r"groups has shape \(2,\): give one group for each of the 6 contexts"),
        (GOOD, {"groups": [1] * 6}, "all contexts are in one group"),
        (GOOD, {"groups": [None] * 6}, "all contexts are in one group"),
        (GOOD, {"groups": np.zeros((6, 2))}, r"groups has shape \(6, 2\): give one group for each of the 6 contexts"),
        (GOOD, {"groups": [1.0, float("nan")] * 3}, "groups: entry 1 is nan"),
        (GOOD, {"groups": [1, 2, [3]] * 2}, r"groups: entry 2 is \[3\]: give a number, a text or another hashable"),
        (GOOD, {"candidate_sets": (((0, 9),),) * 6}, "names label 9, but the labels are 0 to 4"),
        (GOOD, {"candidate_sets": (((0, 1),),) * 5}, "candidate sets for 5 contexts"),
        (TrainedModel(F), {"candidate_sets": (((0, 1),),) * 6}, "candidate sets but not the g of both"),
    ],
)
def test_a_pair(other: TrainedModel, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        diagnose(GOOD, other, **options)


def test_models_of_sizes_too_far_apart() -> None:
    with pytest.raises(ValueError, match=r"f are 1.21e\+102 in A and 1.21e-98 in B: their ratio must lie between"):
        diagnose(TrainedModel(F * 1e100), TrainedModel(F * 1e-100))


@pytest.mark.parametrize("order", [[0, 1, 2], [None, "a", 1], ["b", "c", "a"], [(0, 1), (0, 2), (1,)]])
def test_groups_are_any_hashable_values(order: list[Any]) -> None:
    tested = halves(30, 0.5, 0, [order[i // 10] for i in range(30)])
    assert {int(tested[10 * k : 10 * k + 10].sum()) for k in range(3)} == {0, 10}


def test_groups_of_different_types_stay_apart() -> None:
    """1 and "1" are two groups: as one array they would be one."""
    assert 0 < halves(6, 0.5, 0, [1, "1"] * 3).sum() < 6


def test_arrays_are_copied_and_kept_from_writing() -> None:
    f = F.copy()
    model = TrainedModel(f, G)
    f[0, 0] = 7
    assert model.f[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        model.f[0, 0] = 7


@pytest.mark.parametrize(
    ("dtype", "roundoff"), [("f4", 2.0**-24), ("f8", 2.0**-53), ("f2", 2.0**-11), ("i8", 2.0**-53)]
)
def test_the_rounding_of_the_type(dtype: str, roundoff: float) -> None:
    model = TrainedModel(F.astype(dtype), G)
    assert model.roundoff == {"f": roundoff, "g": 2.0**-53}
    assert model.f.dtype == np.float64


@pytest.mark.parametrize(
    "pair",
    [
        (TrainedModel(np.zeros((6, 2)), G), GOOD),
        (TrainedModel(F, np.zeros((5, 2))), GOOD),
        (TrainedModel(np.zeros((6, 2)), np.zeros((5, 2))), TrainedModel(np.zeros((6, 2)), np.zeros((5, 2)))),
        (TrainedModel(np.ones((6, 3)), np.ones((5, 3))), GOOD),
        (TrainedModel(F * 1e-126, G * 1e126), GOOD),
        (TrainedModel(F[:2], G), TrainedModel(F[:2], G)),
    ],
)
def test_degenerate_arrays_are_answered(pair: tuple[TrainedModel, TrainedModel]) -> None:
    diagnosis = diagnose(*pair)
    assert diagnosis.table()
    assert json.dumps(diagnosis.to_json(), allow_nan=False)
    assert all(a.violated == 0 for d in diagnosis.directions for a in (d.predicted, d.from_all) if a is not None)
