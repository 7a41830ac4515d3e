"""Each assumption of the softmax family on small instances worked by hand, holding and failing."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from theory import assumptions as a
from theory.models import Model, ModelPair, full_candidate_sets
from theory.theorem import Assumption
from theory.theorems.softmax.chained_pairs import decide_chained
from theory.theorems.softmax.linked_pairs import decide_linked

FULL = full_candidate_sets(2, 3)
AXES = [[0, 0], [1, 0], [0, 1]]
HALF = [["1/2", 0], [0, "1/2"]]
FIRST_TWO = (((0, 1),),) * 2
TWO_SETS = (((0, 1), (0, 2)),) * 2
LINKED: Assumption[ModelPair] = Assumption("linked", "", decide_linked)
CHAINED: Assumption[ModelPair] = Assumption("chained", "", decide_chained)


def plane(sets: Any = FULL, pairs: Any = (((1, 0), (2, 0)),) * 2, **changes: Any) -> ModelPair:
    """Two equal models in the plane, two contexts and three labels, with changes."""
    parts = {"f_prime": [[1, 0], [0, 1]], "g_prime": AXES, "f_star": [[1, 0], [0, 1]], "g_star": AXES} | changes
    return ModelPair(
        Model.of(parts["f_prime"], parts["g_prime"]), Model.of(parts["f_star"], parts["g_star"]), sets, pairs
    )


def line(sets: Any, pairs: Any, f_star: Any = None, labels: int = 3) -> ModelPair:
    """Two equal models on the line with g = 0, 1, 2, …; f* (and f') may be given."""
    f = [[1]] * len(sets) if f_star is None else f_star
    g = [[y] for y in range(labels)]
    return ModelPair(Model.of(f, g), Model.of(f, g), sets, pairs)


SEEN = (((0, 1, 2),), ((0, 1), (1, 2)))
SPLIT = (((0, 1, 2),), ((0, 1), (2, 3)))

CASES: list[tuple[str, Assumption[ModelPair], ModelPair, int | str]] = [
    ("equal models", a.equal_distributions, plane(), 0),
    ("shifted g", a.equal_distributions, plane(g_prime=[[5, 1], [6, 1], [5, 2]]), 0),
    ("half the f, twice the g", a.equal_distributions, plane(f_prime=HALF, g_prime=[[0, 0], [2, 0], [0, 2]]), 0),
    ("f' moved", a.equal_distributions, plane(f_prime=[[1, 0], [0, "5/2"]]), "3/2"),
    ("only where no set looks", a.equal_distributions, plane(FIRST_TWO, g_prime=[[0, 0], [1, 0], [7, 7]]), 0),
    ("in the second set", a.equal_distributions, plane(TWO_SETS, g_prime=[[0, 0], [1, 0], [0, 3]]), 2),
    ("pairs inside sets", a.pairs_seen, plane(), 0),
    ("a pair across two sets", a.pairs_seen, line(SEEN, (((2, 0),),) * 2), 1),
    ("a pair in no set", a.pairs_seen, line((((0, 1),),) * 3, (((2, 0),),) * 3), 3),
    ("no pairs chosen", a.pairs_seen, plane(pairs=()), 2),
    ("a path of sets", a.pairs_joined, line(SEEN, (((2, 0),),) * 2), 0),
    ("no path", a.pairs_joined, line(SPLIT, (((1, 0),), ((3, 0),)), labels=4), 1),
    ("no pairs chosen, joined", a.pairs_joined, plane(pairs=()), 2),
    ("the same pairs", a.common_pairs, plane(), 0),
    ("listed in another order", a.common_pairs, plane(pairs=(((1, 0), (2, 0)), ((0, 2), (1, 0)))), 0),
    ("other pairs", a.common_pairs, plane(pairs=(((1, 0), (2, 0)), ((1, 0), (2, 1)))), 1),
    ("a repeated pair", a.common_pairs, plane(pairs=(((1, 0), (2, 0)), ((1, 0), (1, 0)))), 1),
    ("axes", a.left_invertible, plane(), 0),
    ("g' on a line", a.left_invertible, plane(g_prime=[[0, 0], [1, 0], [2, 0]]), 1),
    ("g' in a point", a.left_invertible, plane(g_prime=[[3, 1]] * 3), 2),
    ("too few pairs", a.left_invertible, plane(pairs=(((1, 0),),) * 2), 1),
    ("too many pairs", a.left_invertible, plane(pairs=(((1, 0), (2, 0), (2, 1)),) * 2), 1),
    ("singular at the second context", a.left_invertible, plane(pairs=(((1, 0), (2, 0)), ((1, 0), (0, 1)))), 1),
    ("no pairs chosen, left", a.left_invertible, plane(pairs=()), 2),
    ("g* on a line does not matter", a.left_invertible, plane(g_star=[[0, 0], [1, 0], [2, 0]]), 0),
    ("axes of g*", a.right_invertible, plane(), 0),
    ("g* on a line", a.right_invertible, plane(g_star=[[0, 0], [1, 0], [2, 0]]), 1),
    ("g' on a line does not matter", a.right_invertible, plane(g_prime=[[0, 0], [1, 0], [2, 0]]), 0),
    ("f' spans", a.left_spans, plane(), 0),
    ("f' on a line", a.left_spans, plane(f_prime=[[1, 1], [2, 2]]), 1),
    ("f' zero", a.left_spans, plane(f_prime=[[0, 0], [0, 0]]), 2),
    ("f* on a line does not matter", a.left_spans, plane(f_star=[[0, 0], [0, 0]]), 0),
    ("one system", LINKED, line(SEEN, (((1, 0),),) * 2), 0),
    ("both seen by one context", LINKED, line(SEEN, (((1, 0),), ((2, 1),))), 0),
    ("both seen where f* = 0", LINKED, line((((0, 1, 2),), ((1, 2),)), (((1, 0),), ((2, 1),)), [[0], [1]]), 1),
    ("both seen by none", LINKED, line((((0, 1),), ((1, 2),)), (((1, 0),), ((2, 1),))), 1),
    ("three systems, one apart", LINKED,
     line((((0, 1, 2),), ((1, 2),), ((3, 4),)), (((1, 0),), ((2, 1),), ((4, 3),)), labels=5), 1),
    ("one sees the other's pairs", CHAINED, line((((0, 1, 2),), ((1, 2),)), (((1, 0),), ((2, 1),)), [[0], [1]]), 0),
    ("neither sees the other's", CHAINED, line((((0, 1),), ((1, 2),)), (((1, 0),), ((2, 1),))), 1),
    ("by a path only", CHAINED, line((((0, 1), (1, 2)), ((0, 2),)), (((1, 0),), ((2, 0),))), 1),
]  # fmt: skip


@pytest.mark.parametrize(("assumption", "pair", "value"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_by_hand(assumption: Assumption[ModelPair], pair: ModelPair, value: int | str) -> None:
    evidence = assumption.evidence(pair)
    assert evidence.name == assumption.name
    assert str(evidence.value) == str(value)
    assert evidence.exact
    assert evidence.holds is (str(value) == "0")
    assert evidence.describe()


def test_every_assumption_holds_and_fails_above() -> None:
    for assumption in {case[1].name for case in CASES}:
        values = {str(value) == "0" for _, used, _, value in CASES if used.name == assumption}
        assert values == {True, False}, assumption


def test_witness_of_unequal_distributions() -> None:
    pair = plane(f_prime=[[1, 0], [0, "5/2"]])
    witness = a.decide_equal_distributions(pair).witness
    assert witness == {"context": 1, "labels": (0, 2)}
    gap = [m.logits()[1, 2] - m.logits()[1, 0] for m in (pair.prime, pair.star)]
    assert str(gap[0] - gap[1]) == "3/2"


def test_witnesses_name_the_place() -> None:
    assert a.decide_pairs_seen(line(SEEN, (((2, 0),),) * 2)).witness == {"context": 1, "pair": (2, 0)}
    other = plane(pairs=(((1, 0), (2, 0)), ((1, 0), (2, 1))))
    assert a.decide_common_pairs(other).witness == {"contexts": (0, 1)}
    singular = plane(g_prime=[[0, 0], [1, 0], [2, 0]])
    null = a.decide_left_invertible(singular).witness["null_vector"]
    assert (singular.prime.differences(singular.label_pairs[0]) @ null).is_zero()
    assert not null.is_zero()


def test_order_and_orientation_of_pairs_do_not_matter() -> None:
    system = ((1, 0), (2, 0))
    for order in permutations(system):
        for flipped in (order, tuple((y, x) for x, y in order), (order[0], order[1][::-1])):
            pair = plane(pairs=(system, flipped))
            for assumption in (a.common_pairs, a.pairs_seen, a.left_invertible, a.right_invertible, LINKED):
                assert assumption.evidence(pair).holds, (assumption.name, flipped)


def test_left_and_right_are_mirror_images() -> None:
    for pair in (plane(), plane(g_prime=[[0, 0], [1, 0], [2, 0]]), plane(g_star=[[0, 0], [1, 0], [2, 0]])):
        assert a.decide_left_invertible(pair) == a.decide_right_invertible(pair.swapped())
