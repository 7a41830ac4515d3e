"""A trained model as arrays, checked, and as matrices of the theory with the rounding of the arrays they came as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from theory.arithmetic.floating import Array, FloatMatrix, U
from theory.models import Model

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

#: Which contexts are meant, (contexts,) of bools; and numbers of contexts or groups.
Chosen = np.ndarray[Any, np.dtype[np.bool_]]
Numbers = np.ndarray[Any, np.dtype[np.intp]]

#: Units in the last place, of the largest entry, by which the entries of a bias that is constant up to rounding differ.
LAST_PLACES = 4

#: How small and how large the largest entry of an array may be, and with it the logits: their squares, which norms and
#: spreads are made of, stay within float64 with room for sums and for the rounding errors, 1e-16 of the entries.
SMALLEST, LARGEST = 1e-130, 1e130


@dataclass(frozen=True, slots=True, eq=False)
class TrainedModel:
    """One model: f (contexts, dim), g (labels, dim) or None where only f is known, and a bias (labels,) or None.

    All are kept as float64 and never written to; ``roundoff`` keeps the unit roundoff of the type each came as, by
    name; give it for arrays that were widened from a type of fewer digits.  Raises ``ValueError`` naming the array, and
    the row and column of the first entry that is NaN or infinite; for masked arrays; and where the largest entry of an
    array, or of f times that of g, is outside 1e-130 to 1e130.
    """

    f: Array
    g: Array | None
    bias: Array | None
    roundoff: dict[str, float] = field(repr=False)

    def __init__(
        self,
        f: ArrayLike,
        g: ArrayLike | None = None,
        bias: ArrayLike | None = None,
        *,
        roundoff: Mapping[str, float] | None = None,
    ) -> None:
        given = {"f": (f, 2), "g": (g, 2), "bias": (bias, 1)}
        kept = {name: None if value is None else _array(name, value, axes) for name, (value, axes) in given.items()}
        for name, found in kept.items():
            object.__setattr__(self, name, None if found is None else found[0])
        of_types = {name: found[1] for name, found in kept.items() if found is not None}
        object.__setattr__(self, "roundoff", of_types | {k: v for k, v in (roundoff or {}).items() if k in of_types})
        self._check()

    def _check(self) -> None:
        if self.f.shape[0] < 2 or self.f.shape[1] < 1:
            raise ValueError(f"f has shape {self.f.shape}: give (contexts, dim), two contexts or more")
        if self.g is None:
            if self.bias is not None:
                raise ValueError("there is a bias but no g: give both, or leave the bias out")
            return
        if self.g.shape[1] != self.f.shape[1]:
            raise ValueError(
                f"f has dimension {self.f.shape[1]} and g has dimension {self.g.shape[1]}: give f (contexts, dim) and "
                "g (labels, dim); a weight of shape (dim, labels) must be transposed"
            )
        if self.g.shape[0] < 2:
            raise ValueError(f"g has {self.g.shape[0]} label(s): a softmax needs 2 or more")
        if self.bias is not None and self.bias.shape != self.g.shape[:1]:
            raise ValueError(
                f"the bias has shape {self.bias.shape} and g has {self.g.shape[0]} labels: give one bias a label"
            )
        parts = float(np.abs(self.f).max()), float(np.abs(self.g).max())
        logit = parts[0] * parts[1]
        if all(parts) and not SMALLEST <= logit <= LARGEST:
            raise ValueError(
                f"f and g: their largest entries are {parts[0]:.3g} and {parts[1]:.3g}, whose product is {logit:.3g}: "
                f"it must lie between {SMALLEST:g} and {LARGEST:g}, as logits do; multiply f or g by a power of two"
            )

    @property
    def contexts(self) -> int:
        return self.f.shape[0]

    @property
    def dim(self) -> int:
        return self.f.shape[1]

    @property
    def labels(self) -> int:
        """The number of labels; 0 where g is unknown."""
        return 0 if self.g is None else self.g.shape[0]

    @property
    def biased(self) -> bool:
        """Has it a bias that differs between labels, beyond rounding?  A constant one changes no distribution."""
        if self.bias is None:
            return False
        last_place = 2 * self.roundoff["bias"] * float(np.abs(self.bias).max())
        return bool(np.ptp(self.bias) > LAST_PLACES * last_place)

    def biases(self) -> Array:
        """The bias, zeros where there is none: (labels,)."""
        return np.zeros(self.labels) if self.bias is None else self.bias

    def matrix(self, name: str, stored: bool = False) -> FloatMatrix:
        """f, g or the bias (as a column) with its error: the rounding of its type, or none where ``stored``.

        As ``stored`` the arrays are the model.  Otherwise they stand for numbers that were rounded once to their type,
        which is what a rank or an equality is to be insensitive to.
        """
        value = getattr(self, name)
        table = value[:, None] if value.ndim == 1 else value
        return FloatMatrix(table, (0.0 if stored else self.roundoff[name]) * np.abs(table))

    def as_model(
        self, contexts: Sequence[int] | None = None, labels: Sequence[int] | None = None, stored: bool = False
    ) -> Model:
        """The model of the theory on the given contexts and labels (all where None).  Needs g."""
        parts = [self.matrix("f", stored).take(rows=contexts), self.matrix("g", stored).take(rows=labels)]
        bias = None if self.bias is None else self.matrix("bias", stored).take(rows=labels)
        return Model(parts[0], parts[1], bias)


def _array(name: str, value: Any, axes: int) -> tuple[Array, float]:
    """The value as a read-only float64 array, with the unit roundoff of the type that it came as."""
    rows = value if isinstance(value, (list, tuple)) else ()
    if any(isinstance(part, np.ma.MaskedArray) for part in (value, *rows)):
        raise ValueError(
            f"{name} is a masked array: leave out the contexts or labels that have masked entries, in all arrays, and "
            "give plain arrays"
        )
    given = np.asarray(value)
    if given.dtype.kind not in "fiu":
        raise ValueError(f"{name} holds {given.dtype}: give real numbers, as float32 or float64")
    if given.ndim != axes:
        wanted = {"f": "(contexts, dim)", "g": "(labels, dim)", "bias": "(labels,)"}[name]
        raise ValueError(f"{name} has shape {given.shape}: give an array of shape {wanted}")
    kept = np.array(given, dtype=np.float64, order="C")
    if not np.isfinite(kept).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(kept))[0])
        raise ValueError(f"{name}: {_place(where)} is {kept[where]}: every entry must be a finite number")
    size = float(np.abs(kept).max()) if kept.size else 0.0
    if size and not SMALLEST <= size <= LARGEST:
        place = _place(np.unravel_index(int(np.abs(kept).argmax()), kept.shape))
        raise ValueError(
            f"{name}: {place} is {size:.3g} in size, the largest: it must lie between {SMALLEST:g} and {LARGEST:g}; "
            "rescale by a power of two (f by one and g by its inverse leave the logits as they are)"
        )
    kept.flags.writeable = False
    return kept, max(U, float(np.finfo(given.dtype).eps) / 2) if given.dtype.kind == "f" else U


def _place(where: Sequence[np.intp | int]) -> str:
    return f"row {where[0]}, column {where[1]}" if len(where) == 2 else f"entry {where[0]}"


def centred(matrix: FloatMatrix) -> FloatMatrix:
    """The rows minus their mean, with the error of the mean: n roundings of the mean size, and its data's."""
    value, rows = matrix.value, matrix.shape[0]
    mean_error = matrix.error.mean(axis=0) + rows * U * np.abs(value).mean(axis=0)
    left = value - value.mean(axis=0)
    return FloatMatrix(left, matrix.error + mean_error + U * np.abs(left), np.abs(value))
