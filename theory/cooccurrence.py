"""Which labels occur together: the graph whose edges are pairs of labels inside one candidate set.

Two models with equal distributions on a candidate set have equal logit differences inside it, and differences add
up along paths.  So at a context the equal differences reach exactly as far as the components of this graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from theory.models import CandidateSet, LabelPair


def inside_one_set(sets: Sequence[CandidateSet], pair: LabelPair) -> bool:
    """Do both labels of ``pair`` lie in one of the candidate sets?"""
    return any(pair[0] in chosen and pair[1] in chosen for chosen in sets)


def in_one_component(sets: Sequence[CandidateSet], pair: LabelPair) -> bool:
    """Are the labels of ``pair`` joined by a path of candidate sets?"""
    return any(pair[0] in part and pair[1] in part for part in components(tuple(sets)))


@lru_cache(maxsize=4096)
def unordered(pairs: tuple[LabelPair, ...]) -> tuple[LabelPair, ...]:
    """The same label pairs in a fixed order and orientation, so that equal choices compare equal."""
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))


@lru_cache(maxsize=4096)
def components(groups: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Merge overlapping groups (candidate sets, or edges of any graph) into the connected components they span."""
    merged: list[set[int]] = []
    for group in groups:
        joined = set(group)
        apart: list[set[int]] = []
        for part in merged:
            if part & joined:
                joined |= part
            else:
                apart.append(part)
        merged = [*apart, joined]
    return tuple(sorted(tuple(sorted(part)) for part in merged))


def connected(vertices: Iterable[int], edges: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """The connected components of a graph, isolated vertices included."""
    return components((*((v,) for v in vertices), *edges))
