"""What a setting may be, with the value and the limit in the message."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from empirical.errors import InputError
from empirical.settings import above_zero, at_least, one_of, setting


@dataclass(frozen=True)
class Some:
    steps: int = setting(3, "steps")
    widths: tuple[int, ...] = setting((4, 0), "widths")
    rate: float = setting(0.0, "rate")
    unit: str = setting("relu", "unit")


def test_what_is_allowed_passes() -> None:
    at_least(Some(), 0, "steps", "widths", "rate")
    above_zero(Some(), "steps")
    one_of(Some(), "unit", ("tanh", "relu"))


def test_what_is_not_is_named() -> None:
    with pytest.raises(InputError, match="widths is 0; it must be 1 or more"):
        at_least(Some(), 1, "steps", "widths")
    with pytest.raises(InputError, match=r"rate is 0\.0; it must be above 0"):
        above_zero(Some(), "steps", "rate")
    with pytest.raises(InputError, match="rate is nan; it must be above 0"):
        above_zero(Some(rate=float("nan")), "rate")
    with pytest.raises(InputError, match="unit is 'relu'; it is one of tanh, gelu"):
        one_of(Some(), "unit", ("tanh", "gelu"))
