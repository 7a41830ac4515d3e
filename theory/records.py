"""Lossless JSON for instances and evidence: rationals as strings, indices as integers, nothing executed on reading.

An instance is a frozen dataclass whose fields are matrices, rationals, label indices in nested tuples, or such
dataclasses.
Its record is read back by following the types of the fields, so a file can only ever become the data it should be.

Floating-point numbers are written in hexadecimal (``"0x1.8p+0"``), which loses no bit.  A matrix of them that is data
is its rows; one that was computed, and so carries an error of its own, is its ``value``, ``error`` and ``size``.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from theory.arithmetic import Matrix, matrix_type, rational
from theory.evidence import Evidence

Instance = TypeVar("Instance")

#: What ``float.hex`` writes for a finite number.
_HEX = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}")
#: The parts of a floating-point matrix that was computed.
_PARTS = ("value", "error", "size")


def record(value: Any) -> Any:
    """Return ``value`` as plain JSON data: matrices as rows of strings, Fractions as strings, tuples as lists.

    Raises ``TypeError`` for anything that would not come back the same, NaN and infinity among them.
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return float.hex(value)
    if isinstance(value, Matrix):
        return _entries(value) if value.exact else _floats(value)
    if isinstance(value, (tuple, list)):
        return [record(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): record(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: record(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"cannot write {value!r} ({type(value).__name__}) without loss")


def _entries(matrix: Matrix) -> list[list[str]]:
    return [[entry.hex() if isinstance(entry, float) else str(entry) for entry in row] for row in matrix.tolist()]


def _floats(matrix: Any) -> Any:
    """The rows of a floating-point matrix, or its value, error and size where these do not follow from the rows."""
    data = type(matrix)(matrix.value)
    if (data.error == matrix.error).all() and (data.size == matrix.size).all():
        return _entries(matrix)
    return {part: _entries(type(matrix)(getattr(matrix, part))) for part in _PARTS}


def evidence_record(evidence: Evidence) -> dict[str, Any]:
    """Return everything about one piece of evidence, its witness included, as plain JSON data.

    Evidence in floating point says by which levels it was judged; exact evidence has none.
    """
    levels = {} if evidence.exact else {"accept": str(evidence.accept), "reject": str(evidence.reject)}
    return {
        "name": evidence.name,
        "holds": evidence.holds,
        "value": str(evidence.value),
        **levels,
        "detail": evidence.detail,
        "witness": record(evidence.witness),
    }


def in_floats(data: Any) -> bool:
    """Does a record hold a number in hexadecimal floating point?"""
    if isinstance(data, Mapping):
        return any(map(in_floats, data.values()))
    if isinstance(data, (list, tuple)):
        return any(map(in_floats, data))
    return isinstance(data, str) and _HEX.fullmatch(data) is not None


def restore(kind: type[Instance], data: Any, arithmetic: str = "flint") -> Instance:
    """Return the instance of type ``kind`` that ``data`` records, its matrices in the given arithmetic.

    Raises ``ValueError`` naming the field that is missing, unknown or malformed; errors of the instance's own
    construction (shapes, labels) are passed on.
    """
    return _restored(kind, data, arithmetic, kind.__name__)


def _restored(kind: Any, data: Any, arithmetic: str, where: str) -> Any:
    if isinstance(kind, type) and issubclass(kind, Matrix):
        return _matrix(data, arithmetic, where)
    if is_dataclass(kind) and isinstance(kind, type):
        return _dataclass(kind, data, arithmetic, where)
    if get_origin(kind) in (Union, types.UnionType):
        options = [option for option in get_args(kind) if option is not types.NoneType]
        if len(options) == 1:
            return None if data is None else _restored(options[0], data, arithmetic, where)
    if get_origin(kind) is tuple:
        return _tuple(kind, data, arithmetic, where)
    if kind in (int, str, bool) and type(data) is kind:
        return data
    if kind is Fraction and isinstance(data, str):
        return _rational(data, where)
    if kind is float:
        return _float(data, where)
    if kind not in (int, str, bool, Fraction):
        named = kind if get_args(kind) else getattr(kind, "__name__", kind)
        raise ValueError(
            f"{where}: a field of type {named} cannot be read back; "
            "make it a matrix, a Fraction, int, float, str or bool, a tuple of such, a dataclass, or one of them | None"
        )
    raise ValueError(f"{where}: expected {kind.__name__}, found {data!r}")


def _rational(data: str, where: str) -> Fraction:
    try:
        return rational(data)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def _float(data: Any, where: str) -> float:
    if isinstance(data, str) and _HEX.fullmatch(data):
        try:
            return float.fromhex(data)
        except OverflowError:
            pass
    raise ValueError(f"{where}: {data!r} is not a number in hexadecimal floating point such as '0x1.8000000000000p+0'")


def _matrix(data: Any, arithmetic: str, where: str) -> Matrix:
    if arithmetic == "float":
        return _float_matrix(data, where)
    if not isinstance(data, list) or not all(isinstance(row, list) for row in data):
        raise ValueError(f"{where}: a matrix is a list of rows of rationals, found {data!r}")
    if not all(isinstance(entry, str) for row in data for entry in row):
        raise ValueError(f"{where}: write every entry as a string such as '-3/4'")
    try:
        return matrix_type(arithmetic).of(data)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from error


def _float_matrix(data: Any, where: str) -> Matrix:
    from theory.arithmetic.floating import FloatMatrix

    if not isinstance(data, dict):
        return FloatMatrix(_float_rows(data, where))
    if sorted(data) != sorted(_PARTS):
        raise ValueError(f"{where}: a computed matrix has {', '.join(_PARTS)}, not {', '.join(map(str, data))}")
    parts = {part: _float_rows(data[part], f"{where}.{part}") for part in _PARTS}
    if len({part.shape for part in parts.values()}) > 1:
        raise ValueError(f"{where}: {', '.join(_PARTS)} must be of one shape")
    if (parts["error"] < 0).any() or (parts["size"] < 0).any():
        raise ValueError(f"{where}: an error or a size is never negative")
    return FloatMatrix(**parts)


def _float_rows(data: Any, where: str) -> Any:
    """Rows of hexadecimal numbers as a NumPy array."""
    import numpy as np

    if not isinstance(data, list) or not data or not all(isinstance(row, list) for row in data):
        raise ValueError(f"{where}: a matrix is a list of rows, found {data!r}")
    if len({len(row) for row in data}) > 1:
        raise ValueError(f"{where}: the rows must be equally long")
    return np.array([[_float(entry, f"{where}, row {i}") for entry in row] for i, row in enumerate(data)])


def _dataclass(kind: type[Any], data: Any, arithmetic: str, where: str) -> Any:
    if not isinstance(data, dict):
        raise ValueError(f"{where}: expected the fields of {kind.__name__}, found {data!r}")
    try:
        hints = get_type_hints(kind)
    except (NameError, AttributeError, TypeError) as error:
        raise ValueError(
            f"{where}: the types of its fields cannot be read: {error}; import them where the file runs, not only "
            "`if TYPE_CHECKING`"
        ) from None
    names = [field.name for field in fields(kind)]
    for name in names:
        if name not in data:
            raise ValueError(f"{where}: the field {name!r} is missing")
    for name in data:
        if name not in names:
            raise ValueError(f"{where}: unknown field {name!r}; the fields are {', '.join(names)}")
    return kind(**{name: _restored(hints[name], data[name], arithmetic, f"{where}.{name}") for name in names})


def _tuple(kind: Any, data: Any, arithmetic: str, where: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise ValueError(f"{where}: expected a list, found {data!r}")
    inner = get_args(kind)
    if len(inner) == 2 and inner[1] is Ellipsis:
        return tuple(_restored(inner[0], item, arithmetic, f"{where}[{i}]") for i, item in enumerate(data))
    if len(inner) != len(data):
        raise ValueError(f"{where}: expected {len(inner)} items, found {len(data)}")
    return tuple(
        _restored(k, item, arithmetic, f"{where}[{i}]") for i, (k, item) in enumerate(zip(inner, data, strict=True))
    )


def canonical(data: Any) -> str:
    """Return JSON text that is the same for equal data: sorted keys, no spaces, no NaN."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def fingerprint(data: Any) -> str:
    """Return the SHA-256 of the canonical JSON of plain data."""
    return "sha256:" + hashlib.sha256(canonical(data).encode()).hexdigest()
