"""What tests ask of an instance of any theorem: its size, and the same instance in another arithmetic."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from theory.arithmetic import Matrix, matrix_type
from theory.models import Model
from theory.sizes import Size
from theory.theorems.softmax.few_labels import FreeFunction
from theory.theorems.softmax.unit_norm_orthogonal import NormalisedPair


def size_of(instance: Any) -> Size:
    """The size of the starred model; where labels play no role K = 2 stands for any number of them."""
    if isinstance(instance, NormalisedPair):
        contexts, dim = instance.star.shape
        return Size(dim, 2, contexts)
    model: Model = instance.model if isinstance(instance, FreeFunction) else instance.star
    return Size(model.dim, model.labels, model.contexts)


def in_arithmetic(value: Any, arithmetic: str) -> Any:
    """The same instance (or model, or exact matrix) in another kernel; in ``"float"`` each entry is rounded once."""
    if isinstance(value, Matrix):
        return matrix_type(arithmetic).of(value.tolist(), columns=value.shape[1])
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(**{f.name: in_arithmetic(getattr(value, f.name), arithmetic) for f in fields(value)})
    return value
