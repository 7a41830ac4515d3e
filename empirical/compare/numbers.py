"""Numbers as people and as programs read them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from empirical.compare.characters import writable

#: Decimals beyond which a value counts as 1 for people; programs read the JSON.
MOST_DIGITS = 6


def short(value: float | None, digits: int = 3) -> str:
    """At most ``digits`` decimals, more where a value below 1 would be rounded to 1; – where there is no number."""
    if value is None:
        return "–"
    if abs(value) >= 1e4:
        return f"{value:.1e}"
    text = f"{value:.{digits}f}"
    while abs(value) < 1 and abs(float(text)) == 1 and digits < MOST_DIGITS:
        digits += 1
        text = f"{value:.{digits}f}"
    if abs(float(text)) == 1:
        return f"{float(text):.3f}"
    return text.lstrip("-") if float(text) == 0 else text


def interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{short(low)} to {short(high)}"


def p_value(p: float | None) -> str:
    """Three decimals, and below 0.001 as many as show one digit: a p-value is never 0."""
    if p is None:
        return "–"
    return f"{p:.3f}" if p >= 0.001 else np.format_float_positional(float(f"{p:.0e}"), trim="-")


def small(value: float) -> str:
    """Three significant digits of a number of any size."""
    return f"{value:.3g}"


def plain(value: Any) -> Any:
    """Data that JSON can hold with every digit: arrays as lists, and null for what is no finite number."""
    if isinstance(value, dict):
        return {writable(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
