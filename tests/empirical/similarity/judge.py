"""What an implementation of a measure must do: the known answers, and the invariances; for ours and for wrong ones.

An implementation is a function of (x, y) that returns a number.  ``test_accuracy.py`` and ``test_invariance.py`` hold
ours to this; ``test_similarity_mutants.py`` asks whether it would notice a wrong formula.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from empirical import similarity
from empirical.errors import InputError
from tests.empirical.similarity import references
from tests.empirical.similarity.cases import MAKERS, Case, case

Array = NDArray[np.floating]
Function = Callable[[Array, Array], float]
Kind = Literal["linear", "orthogonal", "signs", "bent"]


@dataclass(frozen=True)
class Judged:
    """A measure: ours, the reference, the changes of x and of y that it must not see, its value of x with itself."""

    ours: Function
    reference: Callable[[Case], float]
    x: Kind
    y: Kind
    itself: float
    symmetric: bool = True


MEASURES = {
    "mean CCA": Judged(lambda x, y: similarity.mean_cca(x, y).value, lambda c: c.mean_cca, "linear", "linear", 1),
    "SVCCA": Judged(
        lambda x, y: similarity.svcca(x, y).value, lambda c: references.svcca(c.x, c.y), "orthogonal", "orthogonal", 1
    ),
    "PWCCA": Judged(
        lambda x, y: similarity.pwcca(x, y).value,
        lambda c: references.pwcca(c.x, c.y, c.ranks),
        "signs",
        "linear",
        1,
        symmetric=False,
    ),
    "linear CKA": Judged(
        lambda x, y: similarity.linear_cka(x, y).value,
        lambda c: references.linear_cka(c.x, c.y),
        "orthogonal",
        "orthogonal",
        1,
    ),
    "unbiased CKA": Judged(
        lambda x, y: similarity.linear_cka(x, y, unbiased=True).value,
        lambda c: references.unbiased_cka(c.x, c.y),
        "orthogonal",
        "orthogonal",
        1,
    ),
    "RV": Judged(
        lambda x, y: similarity.rv(x, y).value,
        lambda c: references.linear_cka(c.x, c.y),
        "orthogonal",
        "orthogonal",
        1,
    ),
    "Procrustes distance": Judged(
        lambda x, y: similarity.procrustes_distance(x, y).value,
        lambda c: references.procrustes(c.x, c.y),
        "orthogonal",
        "orthogonal",
        0,
    ),
    "linear map": Judged(
        lambda x, y: similarity.linear_map(x, y).value,
        lambda c: references.linear_map(c.x, c.y, c.ranks),
        "linear",
        "orthogonal",
        1,
        symmetric=False,
    ),
    "largest angle": Judged(
        lambda x, y: similarity.principal_angles(x, y).value,
        lambda c: float(references.principal_angles(c.x, c.y, c.ranks).max()),
        "linear",
        "linear",
        0,
    ),
}


def allowed(measure: str, each: Case) -> float:
    """The absolute error allowed.

    The promise is about the mean of the correlations.  One correlation alone, or a weight that depends on the
    canonical directions, moves by about the width times as much under rounding, and the largest angle is one alone.
    Unbiased CKA takes out the diagonal of the kernels, and with it nearly all there is where one row is far away: in
    float64 eight digits are left.
    """
    if measure == "unbiased CKA" and each.name == "first row 1e6 away":
        return 1e-7
    return each.promised * (each.x.shape[1] if measure in {"PWCCA", "largest angle"} else 1)


def change(rng: np.random.Generator, kind: Kind, x: Array) -> Array:
    """``x`` after a random map of this kind and a shift of all rows."""
    d = x.shape[1]
    turn, stretch = np.linalg.qr(rng.standard_normal((d, d)))[0], rng.permutation(np.logspace(-1, 1, d))
    shift, scale = 5 * rng.standard_normal(d), float(rng.uniform(0.1, 10.0))
    if kind == "linear":
        return x @ (turn * stretch @ np.linalg.qr(rng.standard_normal((d, d)))[0]) + shift
    if kind == "orthogonal":
        return scale * x @ turn + shift
    if kind == "signs":
        return scale * x[:, rng.permutation(d)] * rng.choice([-1.0, 1.0], d) + shift
    return np.exp(x / np.abs(x).max())


BEYOND: dict[Kind, Kind] = {"linear": "bent", "orthogonal": "linear", "signs": "orthogonal"}
"""A change that a measure with this invariance must see."""


def answers(measure: str, f: Function) -> Iterator[str]:
    """The cases on which ``f`` is wrong: off by more than allowed, no number, or an error where none is due."""
    for name in MAKERS:
        each = case(name)
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                value = f(each.x, each.y)
        except InputError:
            if not each.may_refuse:
                yield name
            continue
        except (np.linalg.LinAlgError, ZeroDivisionError):
            yield name
            continue
        if not (math.isfinite(value) and abs(value - MEASURES[measure].reference(each)) <= allowed(measure, each)):
            yield name


def properties(measure: str, f: Function) -> Iterator[str]:
    """The properties that ``f`` breaks on one pair of 60 rows, 4 and 3 columns, each with one of little variance."""
    judged, rng = MEASURES[measure], np.random.default_rng(8)
    x = rng.standard_normal((60, 4)) * [3.0, 1.0, 0.5, 0.2]
    y = (np.tanh(x[:, :3]) + 0.7 * rng.standard_normal((60, 3))) * [2.0, 1.0, 0.1]
    value = f(x, y)
    order = rng.permutation(60)
    held = {
        "x with itself": abs(f(x, x) - judged.itself) < 1e-7,
        "x changed": abs(f(change(rng, judged.x, x), y) - value) < 1e-9,
        "y changed": abs(f(x, change(rng, judged.y, y)) - value) < 1e-9,
        "x changed too much": max(abs(f(change(rng, BEYOND[judged.x], x), y) - value) for _ in range(3)) > 1e-3,
        "y changed too much": max(abs(f(x, change(rng, BEYOND[judged.y], y)) - value) for _ in range(3)) > 1e-3,
        "rows in another order": abs(f(x[order], y[order]) - value) < 1e-9,
        "rows of one side in another order": abs(f(x[order], y) - value) > 1e-3,
        "sides exchanged": (abs(f(y, x) - value) < 1e-9) is judged.symmetric,
    }
    yield from (name for name, holds in held.items() if not holds)


def broken(measure: str, f: Function) -> list[str]:
    """All that ``f`` gets wrong; empty for a right implementation."""
    return [*answers(measure, f), *properties(measure, f)]
