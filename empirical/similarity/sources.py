"""Where rows come from: arrays, memory maps and files, checked once and read in blocks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from empirical.errors import InputError

Part: TypeAlias = np.ndarray | str | os.PathLike[str]
SourceLike: TypeAlias = Part | Sequence[Part]


class Source:
    """The rows of one representation, in order: one or several 2-D arrays, maybe a selection of their rows.

    ``eps`` is that of the coarsest type among the parts, or the one given, of the type they were stored in before they
    were widened.
    """

    __slots__ = ("columns", "eps", "labels", "name", "order", "parts", "rows", "starts")

    def __init__(
        self, parts: list[np.ndarray], labels: list[str], name: str, order: np.ndarray | None = None, eps: float = 0.0
    ) -> None:
        self.parts, self.labels, self.name, self.order = parts, labels, name, order
        self.starts = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
        self.rows = int(self.starts[-1]) if order is None else len(order)
        self.columns = int(parts[0].shape[1])
        # Of mixed precisions the coarser one decides how far the last digits can be trusted.
        self.eps = max(eps, *(float(np.finfo(part.dtype).eps) for part in parts))

    def take(self, order: np.ndarray) -> Source:
        """The rows ``order`` (integers, repeats allowed) of this source, not copied."""
        chosen = order if self.order is None else self.order[order]
        return Source(self.parts, self.labels, self.name, chosen, self.eps)

    def pieces(self, first: int, last: int) -> Iterator[tuple[slice | np.ndarray, np.ndarray]]:
        """Yield rows ``first`` to ``last`` as (where they belong among these, their values)."""
        if self.order is None:
            for start, part in zip(self.starts[:-1], self.parts, strict=True):
                low, high = max(first, start), min(last, start + len(part))
                if low < high:
                    yield slice(low - first, high - first), part[low - start : high - start]
            return
        wanted = self.order[first:last]
        owner = np.searchsorted(self.starts, wanted, side="right") - 1
        for number in np.unique(owner):
            here = np.flatnonzero(owner == number)
            yield here, self.parts[number][wanted[here] - self.starts[number]]

    def place(self, row: int) -> str:
        """How to name row ``row`` in a message; rows count from 0."""
        row = row if self.order is None else int(self.order[row])
        if len(self.parts) == 1 and not self.labels[0]:
            return f"row {row}"
        number = int(np.searchsorted(self.starts, row, side="right") - 1)
        return f"row {row} (row {row - self.starts[number]} of {self.labels[number] or f'array {number}'})"

    def refuse_non_finite(self) -> None:
        """Raise `InputError` naming the first value that is not finite, if there is one."""
        step = max(1, 2**20 // self.columns)
        for first in range(0, self.rows, step):
            for where, values in self.pieces(first, min(self.rows, first + step)):
                bad = np.argwhere(~np.isfinite(values))
                if len(bad):
                    row, column = (int(index) for index in bad[0])
                    at = where.start + row if isinstance(where, slice) else int(where[row])
                    raise InputError(
                        f"{self.name}: {self.place(first + at)}, column {column} is {values[row, column]}: "
                        "only finite numbers can be compared; drop that row from every side, or repair it"
                    )


def _part(value: object, name: str) -> tuple[np.ndarray, str]:
    label = ""
    if isinstance(value, (str, os.PathLike)):
        label = os.fspath(value)  # type: ignore[assignment]
        path = Path(label)
        if path.suffix != ".npy":
            raise InputError(f"{name}: {label}: only .npy files are read here; save the array with numpy.save")
        try:
            value = np.load(path, mmap_mode="r", allow_pickle=False)
        except FileNotFoundError:
            raise InputError(f"{name}: {label}: there is no such file") from None
        except (OSError, ValueError, EOFError) as error:
            raise InputError(f"{name}: {label}: not a readable .npy file of numbers ({error})") from None
    what = f"{name} ({label})" if label else name
    if isinstance(value, np.ma.MaskedArray):
        raise InputError(f"{what}: a masked array; drop the masked rows from every side and pass a plain array")
    if not isinstance(value, np.ndarray):
        raise InputError(f"{what}: {type(value).__name__} is neither an array nor a path; convert with numpy.asarray")
    array = value
    if array.dtype.kind == "c":
        raise InputError(f"{what}: complex numbers; pass real and imaginary parts as separate columns")
    if array.dtype.kind != "f" or array.dtype.itemsize not in (4, 8):
        raise InputError(f"{what}: {array.dtype} values; convert to float64 or float32 with .astype, on purpose")
    if array.ndim != 2:
        raise InputError(f"{what}: {array.ndim}-D, shape {array.shape}; it takes (rows, columns): reshape first")
    if 0 in array.shape:
        raise InputError(f"{what}: empty, shape {array.shape}; at least one row and one column are needed")
    return array, label


def source(value: SourceLike | Source, name: str, eps: float = 0.0) -> Source:
    """Check one source and open its files; ``name`` is what messages call it.

    ``eps`` is that of the type the numbers were stored in, where that was coarser than the type they have now.

    Raises:
        InputError: not a 2-D float32 or float64 array, unreadable file, or parts of unequal width.
    """
    if isinstance(value, Source):
        return value
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    if not values:
        raise InputError(f"{name}: an empty list; pass at least one array or path")
    parts, labels = zip(*(_part(part, name) for part in values), strict=True)
    widths = {part.shape[1] for part in parts}
    if len(widths) > 1:
        raise InputError(f"{name}: its parts have {sorted(widths)} columns; rows of one source need the same columns")
    return Source(list(parts), list(labels), name, eps=eps)


def paired(values: Sequence[SourceLike | Source]) -> tuple[Source, ...]:
    """Check several sources whose rows are the same observations."""
    if not values:
        raise InputError("no source was given; pass at least one array or path")
    names = ("x", "y") if len(values) == 2 else tuple(f"source {number}" for number in range(1, len(values) + 1))
    sources = tuple(source(value, name) for value, name in zip(values, names, strict=True))
    rows = [one.rows for one in sources]
    if len(set(rows)) > 1:
        raise InputError(
            "row i of one side must be the same observation as row i of the other, but the sides have "
            + ", ".join(f"{one.rows} ({one.name})" for one in sources)
            + " rows"
        )
    return sources
