"""An instance as Python source that can be pasted into a file or a session."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from theory.arithmetic import Matrix
from theory.models import Model
from theory.places import MODULE

_WIDTH = 100


def pasted(instance: Any, name: str = "instance") -> str:
    """The imports that a reader needs, and an assignment of the instance to ``name``.

    Raises ``TypeError`` where :func:`source_of` does.
    """
    source = f"{name} = {source_of(instance)}"
    names: defaultdict[str, set[str]] = defaultdict(set)
    for module, imported in _imported(instance):
        names[module].add(imported)
    lines = [f"from {module} import {', '.join(sorted(names[module]))}" for module in sorted(names)]
    return "\n".join([*lines, "", source])


def source_of(value: Any, indent: int = 0) -> str:
    """Return Python source whose value equals ``value``: instances, models, matrices, tuples and numbers.

    Raises ``TypeError`` for anything else.
    """
    if isinstance(value, Model) and not _computed(value):
        parts = [f"f={_rows(value.f)}", f"g={_rows(value.g)}"]
        if value.bias is not None:
            parts.append("bias=[" + ", ".join(_entry(row[0]) for row in value.bias.tolist()) + "]")
        if not value.f.exact:
            parts.append('arithmetic="float"')
        return _call("Model.of", parts, indent)
    if isinstance(value, Matrix):
        return _matrix(value, indent)
    if is_dataclass(value) and not isinstance(value, type):
        parts = [f"{field.name}={source_of(getattr(value, field.name), indent + 4)}" for field in fields(value)]
        return _call(type(value).__name__, parts, indent)
    if isinstance(value, tuple):
        inner = ", ".join(source_of(item, indent) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, Fraction):
        return f"Fraction({value.numerator}, {value.denominator})"
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(float(value) if isinstance(value, float) else value)
    raise TypeError(f"cannot write {value!r} ({type(value).__name__}) as source")


def _imported(value: Any) -> Iterator[tuple[str, str]]:
    """The (module, name) pairs that the source of a value refers to."""
    if isinstance(value, Model) and not _computed(value):
        yield "theory", "Model"
    elif isinstance(value, Matrix):
        yield ("numpy", "array") if _computed(value) else ("theory.arithmetic", "exact_matrix")
        if _computed(value):
            yield "theory.arithmetic.floating", "FloatMatrix"
    elif isinstance(value, Fraction):
        yield "fractions", "Fraction"
    elif isinstance(value, tuple):
        for item in value:
            yield from _imported(item)
    elif is_dataclass(value) and not isinstance(value, type):
        yield _module_of(type(value)), type(value).__name__
        for field in fields(value):
            yield from _imported(getattr(value, field.name))


def _module_of(kind: type[Any]) -> str:
    """Where a class is imported from; for one of a theorem file, the name of that file."""
    if kind.__module__.startswith(MODULE):
        return Path(sys.modules[kind.__module__].__file__ or kind.__module__).stem
    return "theory" if getattr(sys.modules["theory"], kind.__name__, None) is kind else kind.__module__


def _computed(value: Any) -> bool:
    """Is it a floating-point matrix, or a model of one, that carries an error beyond the rounding of its entries?"""
    if isinstance(value, Model):
        return any(map(_computed, (value.f, value.g, value.bias)))
    if not isinstance(value, Matrix) or value.exact:
        return False
    made: Any = value
    data = type(made)(made.value)
    return not ((data.error == made.error).all() and (data.size == made.size).all())


def _matrix(matrix: Any, indent: int) -> str:
    if not _computed(matrix):
        return f"exact_matrix({_rows(matrix)})" if matrix.exact else f'exact_matrix({_rows(matrix)}, "float")'
    parts = [f"{name}=array({_rows(type(matrix)(getattr(matrix, name)))})" for name in ("value", "error", "size")]
    return _call("FloatMatrix", parts, indent)


def _call(name: str, parts: list[str], indent: int) -> str:
    line = f"{name}({', '.join(parts)})"
    if "\n" not in line and indent + len(line) <= _WIDTH:
        return line
    pad = " " * (indent + 4)
    return f"{name}(\n" + "".join(f"{pad}{part},\n" for part in parts) + " " * indent + ")"


def _rows(matrix: Matrix) -> str:
    return "[" + ", ".join("[" + ", ".join(map(_entry, row)) + "]" for row in matrix.tolist()) + "]"


def _entry(entry: Any) -> str:
    """An integer as it is, another rational as a string that Model.of and exact_matrix read back, a float in full."""
    if isinstance(entry, float):
        return repr(entry)
    return str(entry) if Fraction(entry).denominator == 1 else f'"{entry}"'
