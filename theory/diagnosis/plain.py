"""A diagnosis as plain numbers for JSON."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from theory.diagnosis.alignment import Alignment
from theory.diagnosis.assumed import Assumed, Examined
from theory.diagnosis.fitted import Fitted
from theory.diagnosis.ranks import ModelSummary, NumericalRank
from theory.evidence import Evidence

#: Properties that are written beside the fields.
DERIVED: dict[type, tuple[str, ...]] = {
    Alignment: (
        "violated", "largest_ratio", "median_slack", "relative_error", "relative_bound", "informative", "word",
    ),
    Fitted: ("determined", "plenty", "above_chance", "no_better"),
    NumericalRank: ("full",),
    ModelSummary: ("few_labels",),
}  # fmt: skip

#: Matrices; statements, which the catalogue has; and pairs, which stand beside the models.
LEFT_OUT: dict[type, tuple[str, ...]] = {
    Alignment: ("A", "c"),
    Fitted: ("A", "c", "A_linear"),
    Assumed: ("statement",),
    Examined: ("pairs",),
}


def plain(value: Any) -> Any:
    """Plain numbers, strings, lists and dicts.  Arrays over contexts become mean, max and the context of the max."""
    if isinstance(value, Evidence):
        return {"answer": value.answer, "value": plain(value.value), "detail": value.detail}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.ndarray):
        return {"mean": plain(value.mean()), "max": plain(value.max()), "at": int(value.argmax())}
    if is_dataclass(value):
        names = [f.name for f in fields(value) if f.name not in LEFT_OUT.get(type(value), ())]
        return {name: plain(getattr(value, name)) for name in (*names, *DERIVED.get(type(value), ()))}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, str, int)) or value is None:
        return value
    number = float(value)
    return number if math.isfinite(number) else None
