"""What an array must be before anything is computed from it: floating point, not empty, finite, of the right shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from empirical.arrays.container import Array, Stored
from empirical.errors import InputError

_NOT_REAL = {
    "i": "integers",
    "u": "integers",
    "b": "truth values",
    "c": "complex numbers",
    "O": "Python objects",
    "S": "text",
    "U": "text",
    "M": "dates",
    "m": "durations",
    "V": "records",
}
_CHUNK = 1 << 22  # numbers looked at together: 32 MB of float64


def floating(stored: Stored, what: str) -> tuple[Array, str]:
    """The array as float32 or float64 in this machine's byte order, and a remark ("" for none) where that changed it.

    A float32 or float64 array of this machine's byte order is returned as it is, memory map or not.  float16 and
    bfloat16 become float32, which is exact; longer types are rounded to float64.  Raises ``InputError`` for others.
    """
    values, dtype = stored.values, stored.values.dtype
    if dtype.kind != "f":
        kind = _NOT_REAL.get(dtype.kind, "no numbers")
        raise InputError(f"{what} holds {kind} ({stored.dtype}): it must be floating-point, such as float32 or float64")
    if stored.dtype == "bfloat16":
        return values, f"{what} is bfloat16, read as float32: relative differences below 0.4 % may be rounding"
    if dtype.itemsize == 2:
        remark = f"{what} is float16, read as float32: relative differences below 0.05 % may be rounding"
        return values.astype(np.float32), remark
    if dtype.itemsize > 8:
        return values.astype(np.float64), f"{what} is {dtype}, rounded to float64"
    if not dtype.isnative:
        return values.astype(dtype.newbyteorder("=")), f"{what} was stored in the other byte order"
    return values, ""


def matrix(values: Array, what: str, axes: str) -> Array:
    """The same array; ``InputError`` where it has not two axes or is empty."""
    if values.ndim != 2:
        raise InputError(f"{what} has shape {values.shape}: it must have two axes, {axes}{_reshape(values)}")
    if 0 in values.shape:
        raise InputError(f"{what} is empty: its shape is {values.shape}, which is {axes}")
    return values


def _reshape(values: Array) -> str:
    if values.ndim == 1:
        return f"; one column is .reshape({values.size}, 1)"
    if values.ndim > 2:
        return "; bring each observation into one row, as .reshape(len(f), -1) does"
    return ""


def finite(values: Array, what: str) -> None:
    """Raise ``InputError`` with row and column where a value is NaN or infinite.  A memory map is read in pieces."""
    table = values.reshape(len(values), -1) if values.ndim == 1 else values
    columns_first = table.ndim == 2 and table.flags.f_contiguous and not table.flags.c_contiguous
    pieces = table.T if columns_first else table
    step = max(1, _CHUNK // max(1, pieces.shape[1]))
    for start in range(0, len(pieces), step):
        piece: np.ndarray[Any, np.dtype[Any]] = np.asarray(pieces[start : start + step])
        good = np.isfinite(piece)
        if good.all():
            continue
        outer, inner = (int(i) for i in np.argwhere(~good)[0])
        value = piece[outer, inner]
        row, column = (inner, start + outer) if columns_first else (start + outer, inner)
        where = f"row {row}" if values.ndim == 1 else f"row {row}, column {column}"
        raise InputError(
            f"{what} is {'NaN' if np.isnan(value) else 'infinite'} at {where} (counted from 0): "
            "leave such a row out on every side, or find out why it is there"
        )
