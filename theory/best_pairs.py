"""Which label pairs to use: M pairs whose difference matrix L is far from singular, for one model or for two at once.

``logit_distance_bound`` and ``stability`` hold for every choice of M pairs with an invertible L, and are the stronger
the larger σ_min(L) is.  All K(K-1)/2 differences compete: QR with column pivoting picks one by one, at the price of
one update of the residual distances between labels for each; then pairs are exchanged while σ_min grows.

For two models the same pairs must do for both.  They always exist where the label differences of each model span R^M:
as long as fewer than M pairs are chosen, "g(y) - g(z) lies in the span of the chosen differences" is for each model an
equivalence of labels with two classes or more, and two such equivalences never cover all pairs of labels.  So some pair
lies outside both spans, and no choice leads into a dead end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from theory.arithmetic import Matrix
from theory.models import LabelPair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    Array = np.ndarray[Any, np.dtype[np.float64]]

#: Labels that compete; of more, those that QR with column pivoting prefers do.
MOST_LABELS = 512
#: Differences that compete in one exchange.
MOST_DIFFERENCES = 4000
#: Exchanges tried at once, the most for one choice, and the most in all, times M³.
AT_ONCE, MOST_TRIED, MOST_WORK = 24, 400, 200_000_000
#: Up to this M the exchanges begin from several choices.
SEVERAL_STARTS = 16


@dataclass(frozen=True, slots=True)
class BestPairs:
    """The chosen label pairs, with σ_min and the condition number of L for each model."""

    pairs: tuple[LabelPair, ...]
    sigma_min: tuple[float, ...]
    condition: tuple[float, ...]

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self.pairs[:6])) + (", …" if len(self.pairs) > 6 else "")
        sides = "; ".join(
            f"σ_min {s:.3g}, condition {c:.3g}" for s, c in zip(self.sigma_min, self.condition, strict=True)
        )
        return f"BestPairs({len(self.pairs)} label pairs: {shown}; {sides})"


def best_pairs(g: Matrix | ArrayLike, other: Matrix | ArrayLike | None = None) -> BestPairs:
    """Choose M label pairs (y_A, y_B) whose difference matrix L = [g(y_A) - g(y_B)] has a large σ_min.

    ``g`` (labels, dim) is a matrix of this package or an array of floats.  With ``other`` (labels, dim) the same pairs
    serve both models, and the smaller σ_min, each in units of its model's spread of labels, is made large.  Never worse
    than the first M independent differences to label 0.  For rational matrices the ranks are decided exactly.

    Raises ``ValueError`` when the label differences of a model do not span R^M, saying how many dimensions they span,
    and when the shapes do not fit or an entry is not finite.
    """
    import numpy as np

    given = [g] if other is None else [g, other]
    values = [_floats(side) for side in given]
    _check(given, values)
    labels, dim = values[0].shape
    centred = [side - side.mean(axis=0) for side in values]
    sides = [side / np.linalg.norm(side) * np.sqrt(labels) for side in centred]
    competing = _competing(sides)
    starts = [_pivoted(sides, competing)]
    naive = _first_independent(sides, [(y, 0) for y in range(1, labels)])
    if len(sides) > 1 and dim <= SEVERAL_STARTS:
        starts += [_pivoted([side], competing) for side in sides]
    improved = [_improved(sides, start, competing) for start in starts]
    if len(naive) == dim:
        improved += [_improved(sides, naive, competing) if dim <= SEVERAL_STARTS else naive]
    chosen = max(improved, key=lambda pairs: _worst(sides, [pairs])[0])
    if any(_rank(side, chosen) < dim for side in given):  # too close to singular for floats to tell
        chosen = _exactly_independent(given)
    spectra = [np.linalg.svd(_columns(side, chosen), compute_uv=False) for side in values]
    with np.errstate(divide="ignore"):
        condition = tuple(float(np.divide(s[0], s[-1])) for s in spectra)
    return BestPairs(tuple(chosen), tuple(float(s[-1]) for s in spectra), condition)


def _rank(side: Matrix | ArrayLike, pairs: Sequence[LabelPair]) -> int:
    """The rank of the differences: exact for rationals, numerical for floats."""
    import numpy as np

    if isinstance(side, Matrix) and side.exact:
        return (side.take(rows=[a for a, _ in pairs]) - side.take(rows=[b for _, b in pairs])).rank()
    return int(np.linalg.matrix_rank(_columns(_floats(side), pairs)))


def _floats(side: Matrix | ArrayLike) -> Array:
    import numpy as np

    if isinstance(side, Matrix):
        return np.array([[float(entry) for entry in row] for row in side.tolist()])
    return np.asarray(side, dtype=np.float64)


def _check(given: Sequence[Matrix | ArrayLike], values: Sequence[Array]) -> None:
    import numpy as np

    for side in values:
        if side.ndim != 2 or not np.isfinite(side).all():
            raise ValueError(f"g must be a finite (labels, dim) matrix; this one has shape {side.shape}")
        if side.shape != values[0].shape:
            raise ValueError(f"both models need the same labels and dimension, not {values[0].shape} and {side.shape}")
    labels, dim = values[0].shape
    if labels < dim + 1:
        raise ValueError(
            f"{labels} labels have at most {labels - 1} independent differences; M = {dim} takes {dim + 1}"
        )
    for name, side in zip(("g", "the other g"), given, strict=False):
        rank = _rank(side, [(y, 0) for y in range(1, labels)])
        if rank < dim:
            raise ValueError(
                f"the label differences of {name} span {rank} of M = {dim} dimensions, so no M label pairs have an "
                f"invertible L: {dim - rank} missing"
            )


def _columns(side: Array, pairs: Sequence[LabelPair]) -> Array:
    first, second = zip(*pairs, strict=True)
    return (side[list(first)] - side[list(second)]).T


def _worst(sides: Sequence[Array], choices: Sequence[Sequence[LabelPair]]) -> Array:
    """For each choice of pairs the smaller σ_min of the sides."""
    import numpy as np

    smallest = [
        np.linalg.svd(np.stack([_columns(side, c) for c in choices]), compute_uv=False)[:, -1] for side in sides
    ]
    return np.min(smallest, axis=0)


def _competing(sides: Sequence[Array]) -> list[int]:
    """The labels that compete: all, or those that rounds of QR with column pivoting prefer, from each side in turn."""
    import numpy as np
    from scipy.linalg import qr

    labels, dim = sides[0].shape
    most = max(MOST_LABELS, 2 * (dim + 1))
    if labels <= most:
        return list(range(labels))
    chosen: dict[int, None] = {}
    while len(chosen) < most:
        for side in sides:
            rest = np.array([y for y in range(labels) if y not in chosen])
            furthest = rest[np.argmax(np.linalg.norm(side[rest], axis=1))]
            factors: Any = qr((side[rest] - side[furthest]).T, mode="r", pivoting=True)
            order = factors[1]
            chosen |= dict.fromkeys([int(furthest), *(int(y) for y in rest[order[:dim]])])
    return list(chosen)


def _pivoted(sides: Sequence[Array], competing: Sequence[int]) -> list[LabelPair]:
    """M pairs by QR with column pivoting on all differences: the next pair has the largest residual, on the worse side.

    The squared residual distances of labels fall by (p_y - p_z)² when the direction q is taken, p = residuals · q.
    """
    import numpy as np

    residuals = [side[list(competing)] for side in sides]
    distances = [_squared_distances(r) for r in residuals]
    level = [d.max() for d in distances]
    chosen: list[LabelPair] = []
    for _ in range(sides[0].shape[1]):
        smaller = np.minimum.reduce(distances)
        a, b = np.unravel_index(int(np.argmax(smaller)), smaller.shape)
        chosen.append((competing[int(a)], competing[int(b)]))
        for i, residual in enumerate(residuals):
            step = residual[a] - residual[b]
            length = np.linalg.norm(step)
            if length == 0:
                continue
            along = residual @ (step / length)
            residuals[i] = residual - np.outer(along, step / length)
            distances[i] -= np.square(along[:, None] - along[None, :])
            if distances[i].max() < 1e-6 * level[i]:  # the subtractions have cancelled: start from the residuals again
                distances[i] = _squared_distances(residuals[i])
                level[i] = distances[i].max()
    return chosen


def _squared_distances(points: Array) -> Array:
    import numpy as np

    norms = np.square(points).sum(axis=1)
    return norms[:, None] + norms[None, :] - 2 * points @ points.T


def _first_independent(sides: Sequence[Array], candidates: Sequence[LabelPair]) -> list[LabelPair]:
    """The first of the candidates that are independent on every side."""
    import numpy as np

    chosen: list[LabelPair] = []
    bases = [np.zeros((side.shape[1], 0)) for side in sides]
    for pair in candidates:
        if len(chosen) == sides[0].shape[1]:
            break
        steps = [side[pair[0]] - side[pair[1]] for side in sides]
        rests = [step - basis @ (basis.T @ step) for step, basis in zip(steps, bases, strict=True)]
        if all(np.linalg.norm(r) > 1e-9 * np.linalg.norm(s) for r, s in zip(rests, steps, strict=True)):
            chosen.append(pair)
            bases = [np.linalg.qr(_columns(side, chosen))[0] for side in sides]
    return chosen


def _improved(sides: Sequence[Array], start: Sequence[LabelPair], competing: Sequence[int]) -> list[LabelPair]:
    """Exchange one pair at a time while the smaller σ_min grows: the best of the first few promising that help."""
    chosen = list(start)
    value = float(_worst(sides, [chosen])[0])
    left = max(4 * AT_ONCE, MOST_WORK // len(chosen) ** 3)
    trials = _exchanges(sides, chosen, competing)
    while trials and left > 0:
        few, trials, left = trials[:AT_ONCE], trials[AT_ONCE:], left - AT_ONCE
        values = _worst(sides, few)
        best = int(values.argmax())
        if values[best] > value * (1 + 1e-6):
            chosen, value = list(few[best]), float(values[best])
            trials = _exchanges(sides, chosen, competing)
    return chosen


def _exchanges(sides: Sequence[Array], chosen: Sequence[LabelPair], competing: Sequence[int]) -> list[list[LabelPair]]:
    """The most promising exchanges of one pair, by the Frobenius norm of the new L⁻¹ on the worse side.

    With B = L⁻¹, H = B Bᵀ and β = B c, putting c in place of column j gives
    ‖L⁻¹‖² = tr H - 2 (H β)_j / β_j + (1 + ‖β‖²) H_jj / β_j².
    """
    import numpy as np

    worse = min(sides, key=lambda side: np.linalg.svd(_columns(side, chosen), compute_uv=False)[-1])
    least = np.linalg.svd(_columns(worse, chosen))[0][:, -1]
    heights = worse[list(competing)] @ least
    first, second = np.triu_indices(len(competing), 1)
    if len(first) > MOST_DIFFERENCES:
        gap = np.abs(heights[first] - heights[second])
        kept = np.sort(np.argpartition(gap, -MOST_DIFFERENCES)[-MOST_DIFFERENCES:])
        first, second = first[kept], second[kept]
    cost = np.zeros((len(chosen), len(first)))
    for side in sides:
        l = _columns(side, chosen)
        if np.linalg.matrix_rank(l) < len(chosen):
            return []
        inverse = np.linalg.inv(l)
        gram = inverse @ inverse.T
        points = side[list(competing)] @ inverse.T
        beta = (points[first] - points[second]).T
        with np.errstate(divide="ignore", invalid="ignore"):
            new = np.trace(gram) - 2 * (gram @ beta) / beta
            new += (1 + np.square(beta).sum(axis=0)) * np.diag(gram)[:, None] / np.square(beta)
        cost = np.fmax(cost, np.where(np.abs(beta) > 1e-9, new, np.inf))
    order = np.argsort(cost, axis=None, kind="stable")[:MOST_TRIED]
    trials: list[list[LabelPair]] = []
    for place in order:
        j, c = np.unravel_index(place, cost.shape)
        if np.isfinite(cost[j, c]):
            new_pair = (competing[int(first[c])], competing[int(second[c])])
            trials.append([new_pair if k == j else pair for k, pair in enumerate(chosen)])
    return trials


def _exactly_independent(given: Sequence[Matrix | ArrayLike]) -> list[LabelPair]:
    """The first pairs that are independent on every side; floats stand for the rationals they are."""
    from fractions import Fraction

    from theory.arithmetic import matrix_type

    sides = [
        side
        if isinstance(side, Matrix) and side.exact
        else matrix_type().of([[Fraction(entry) for entry in row] for row in _floats(side).tolist()])
        for side in given
    ]
    labels, dim = sides[0].shape
    chosen: list[LabelPair] = []
    for pair in combinations(range(labels), 2):
        if len(chosen) < dim and all(_rank(side, [*chosen, pair]) > len(chosen) for side in sides):
            chosen.append(pair)
    return chosen
