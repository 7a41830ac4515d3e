"""The co-occurrence graph against reachability by walking from label to label."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from theory.cooccurrence import components, connected, in_one_component, inside_one_set, unordered

LABELS = range(4)
SETS = [chosen for size in (2, 3) for chosen in combinations(LABELS, size)]

PAIRS = [(y, z) for y in LABELS for z in LABELS if y < z]


def reachable(sets: tuple[tuple[int, ...], ...], start: int) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        label = waiting.pop()
        for chosen in sets:
            if label in chosen:
                waiting += set(chosen) - seen
                seen |= set(chosen)
    return seen


def test_components_by_walking() -> None:
    for count in (1, 2, 3):
        for sets in product(SETS, repeat=count):
            parts = components(sets)
            assert sorted(y for part in parts for y in part) == sorted({y for chosen in sets for y in chosen})
            for part in parts:
                assert set(part) == reachable(sets, part[0])
                assert list(part) == sorted(part)
            assert list(parts) == sorted(parts)
            for pair in PAIRS:
                assert in_one_component(sets, pair) is (pair[1] in reachable(sets, pair[0]))
                assert in_one_component(sets, pair) is in_one_component(sets, (pair[1], pair[0]))
                assert inside_one_set(sets, pair) is any(set(pair) <= set(chosen) for chosen in sets)
                assert inside_one_set(sets, pair) is inside_one_set(sets, (pair[1], pair[0]))


@pytest.mark.parametrize(
    ("sets", "pair", "inside", "joined"),
    [
        (((0, 1, 2),), (0, 2), True, True),
        (((0, 1), (1, 2)), (0, 2), False, True),
        (((0, 1), (2, 3)), (0, 2), False, False),
        (((0, 1), (2, 3), (1, 2)), (3, 0), False, True),
        (((0, 1),), (0, 2), False, False),
        (((0, 1),), (2, 3), False, False),
    ],
)
def test_known_cases(sets: tuple[tuple[int, ...], ...], pair: tuple[int, int], inside: bool, joined: bool) -> None:
    assert inside_one_set(sets, pair) is inside
    assert in_one_component(sets, pair) is joined


def test_unordered_forgets_order_and_orientation_only() -> None:
    assert unordered(((2, 0), (1, 0))) == unordered(((0, 1), (0, 2))) == ((0, 1), (0, 2))
    assert unordered(((0, 1),)) != unordered(((0, 2),))
    assert unordered(((0, 1), (1, 0))) != unordered(((0, 1),))  # a repeated pair is another choice


def test_connected_keeps_isolated_vertices() -> None:
    assert connected(range(3), []) == ((0,), (1,), (2,))
    assert connected(range(4), [(0, 2), (3, 2)]) == ((0, 2, 3), (1,))
    assert connected([], []) == ()
