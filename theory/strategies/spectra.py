"""Floating-point pairs of models with a chosen spectrum: how well conditioned the difference matrices are is drawn.

Entrywise random matrices are either singular or well conditioned.  Here the singular values come first, of a named
kind and condition number, and the matrix after them.  NumPy loads on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from theory.models import CandidateSets, Model, ModelPair
from theory.sizes import Size
from theory.strategies.layouts import forest
from theory.strategies.source import Source, choice

if TYPE_CHECKING:
    import numpy as np

    from theory.arithmetic.floating import Array

#: Kinds of spectra: all equal but the smallest, evenly graded, one large and the rest small.
KINDS = ("one tiny", "graded", "one large")


def generator(source: Source) -> np.random.Generator:
    """A NumPy generator seeded by draws of the source; shrinks towards one fixed seed."""
    import numpy as np

    return np.random.default_rng([source.integer(0, 99) for _ in range(4)])


def spectrum(kind: str, size: int, condition: float) -> Array:
    """``size`` singular values from 1 down to 1 / ``condition``, of a named kind.  Raises ``ValueError`` for others."""
    import numpy as np

    if size == 1:
        return np.ones(1)
    if kind == "graded":
        return np.logspace(0, -np.log10(condition), size)
    if kind == "one tiny":
        return np.r_[np.ones(size - 1), 1 / condition]
    if kind == "one large":
        return np.r_[1.0, np.full(size - 1, 1 / condition)]
    raise ValueError(f"unknown kind of spectrum {kind!r}: choose one of {', '.join(KINDS)}")


def with_spectrum(rng: np.random.Generator, values: Array) -> Array:
    """A square matrix with the given singular values and random singular vectors."""
    import numpy as np

    size = len(values)
    left, right = (np.linalg.qr(rng.standard_normal((size, size)))[0] for _ in range(2))
    return np.asarray(left @ np.diag(values) @ right.T)


def conditioned(source: Source, size: Size, decade: int) -> ModelPair:
    """Equal distributions up to rounding; the larger of cond(L') and cond(L*) is 10**``decade``, the other is drawn.

    f' is solved from L'ᵀ f' = L*ᵀ f*, in double precision; labels beyond the pairs are not candidates.
    """
    import numpy as np

    rng = generator(source)
    layout = forest(source, size.dim, size.labels)
    smaller = source.integer(0, decade)
    decades = (decade, smaller) if choice(source, (True, False)) else (smaller, decade)
    scale = 10.0 ** source.integer(-3, 3)
    l_prime, l_star = (with_spectrum(rng, spectrum(choice(source, KINDS), size.dim, 10.0**d)) for d in decades)
    l_star *= scale
    f_star = rng.standard_normal((size.contexts, size.dim))
    if choice(source, (True, True, False)):
        f_star = f_star @ with_spectrum(rng, spectrum("graded", size.dim, 10.0 ** source.integer(0, 3)))
    f_prime = np.linalg.solve(l_prime.T, l_star.T @ f_star.T).T
    paths = np.zeros((size.labels, size.dim))
    paths[: layout.labels] = np.array(layout.paths)
    tree_of = np.zeros(size.labels, dtype=int)
    for t, tree in enumerate(layout.trees):
        tree_of[list(tree)] = t

    def labels(differences: Array) -> Array:
        roots = np.abs(differences).max() * rng.standard_normal((len(layout.trees), size.dim))
        return np.asarray(paths @ differences.T + roots[tree_of])

    sets: CandidateSets = (layout.trees,) * size.contexts
    return ModelPair(
        _model(f_prime, labels(l_prime)), _model(f_star, labels(l_star)), sets, (layout.edges,) * size.contexts
    )


def _model(f: Array, g: Array) -> Model:
    from theory.arithmetic.floating import FloatMatrix

    return Model(FloatMatrix(f), FloatMatrix(g))
