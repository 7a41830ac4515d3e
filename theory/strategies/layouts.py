"""Label layouts: which labels the chosen pairs join, where the vectors g(y) stand, and who is a candidate where.

A layout is a forest on the labels with M edges, the label pairs.  Any M vectors, put as differences along the
edges, determine g on the forest up to one translation for each tree.
"""

from __future__ import annotations

from dataclasses import dataclass

from theory.arithmetic import Matrix, matrix_type
from theory.models import CandidateSet, LabelPair
from theory.strategies.source import Source, choice


@dataclass(frozen=True, slots=True)
class Forest:
    """``edges`` are the label pairs; ``trees`` the label sets they join; ``paths`` (labels, edges) has in row y the
    signed edges on the way from the root of y's tree to y, so that g(y) - g(root) = paths[y] Lᵀ."""

    edges: tuple[LabelPair, ...]
    trees: tuple[tuple[int, ...], ...]
    paths: tuple[tuple[int, ...], ...]

    @property
    def labels(self) -> int:
        return len(self.paths)


def tree_edges(source: Source, labels: tuple[int, ...]) -> tuple[LabelPair, ...]:
    """A spanning tree of the given labels, each edge in either orientation; shrinks to a star from the first."""
    edges: list[LabelPair] = []
    for i in range(1, len(labels)):
        parent = labels[source.integer(0, i - 1)]
        edges.append((labels[i], parent) if source.integer(0, 1) == 0 else (parent, labels[i]))
    return tuple(edges)


def forest(source: Source, edges: int, labels: int) -> Forest:
    """A forest with the given number of edges on at most ``labels`` labels, numbered from 0; shrinks to one tree."""
    count = 1 + source.integer(0, min(edges, labels - edges) - 1)
    lengths = [1] * count
    for _ in range(edges - count):
        lengths[source.integer(0, count - 1)] += 1
    pairs: list[LabelPair] = []
    trees: list[tuple[int, ...]] = []
    start = 0
    for length in lengths:
        tree = tuple(range(start, start + length + 1))
        trees.append(tree)
        pairs.extend(tree_edges(source, tree))
        start += length + 1
    return Forest(tuple(pairs), tuple(trees), _paths(tuple(pairs), start))


def forest_of(edges: tuple[LabelPair, ...], labels: int) -> Forest:
    """The one tree with the given edges on labels 0 to ``labels`` - 1, later labels attached to earlier ones."""
    return Forest(edges, (tuple(range(labels)),), _paths(edges, labels))


def _paths(edges: tuple[LabelPair, ...], labels: int) -> tuple[tuple[int, ...], ...]:
    rows = [[0] * len(edges) for _ in range(labels)]
    for e, (a, b) in enumerate(edges):  # in each edge the larger label is the new one, attached to an earlier label
        new, old, sign = (a, b, 1) if a > b else (b, a, -1)
        rows[new] = list(rows[old])
        rows[new][e] += sign
    return tuple(map(tuple, rows))


def placed(source: Source, layout: Forest, differences: Matrix) -> Matrix:
    """g on the labels of the layout, (labels, dim), with the columns of ``differences`` (dim, edges) along the edges.

    Each tree is translated on its own.
    """
    kernel = matrix_type()
    dim = differences.shape[0]
    roots = [[source.integer(-2, 2) for _ in range(dim)] for _ in layout.trees]
    root_of = [next(t for t, tree in enumerate(layout.trees) if y in tree) for y in range(layout.labels)]
    return kernel.of([list(row) for row in layout.paths], columns=len(layout.edges)) @ differences.T + kernel.of(
        [roots[t] for t in root_of], columns=dim
    )


def candidate_sets(
    source: Source, trees: tuple[tuple[int, ...], ...], edges: tuple[LabelPair, ...]
) -> tuple[CandidateSet, ...]:
    """Candidate sets at one context that see every edge: each tree as one set, or overlapping sets of two labels."""
    if choice(source, (True, True, False)):
        return trees
    return tuple(tuple(sorted(edge)) for edge in edges)
