"""Questions about instances of any type: how large, and in which arithmetic."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from theory.arithmetic import Matrix
from theory.sizes import Size


def size_of(instance: Any) -> Size | None:
    """The size of an instance that says what its dim, labels and contexts are; None for another."""
    try:
        return Size(instance.dim, instance.labels, instance.contexts)
    except (AttributeError, TypeError, ValueError):
        return None


def exact(instance: Any) -> bool:
    """Are all matrices of an instance exact?"""
    return instance.exact if isinstance(instance, Matrix) else all(map(exact, _parts(instance).values()))


def in_floating_point(instance: Any) -> Any:
    """The same instance with its matrices rounded to floating point."""
    if isinstance(instance, Matrix):
        from theory.arithmetic.floating import FloatMatrix

        return FloatMatrix.of(instance.tolist(), columns=instance.shape[1])
    parts = _parts(instance)
    return replace(instance, **{name: in_floating_point(part) for name, part in parts.items()}) if parts else instance


def _parts(instance: Any) -> dict[str, Any]:
    """The fields of a dataclass; nothing for anything else."""
    return {field.name: getattr(instance, field.name) for field in fields(instance)} if is_dataclass(instance) else {}
