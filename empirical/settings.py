"""Settings of experiments: fields with their help, and what a setting may be."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import field
from typing import Any

from empirical.errors import InputError

#: Numbers of steps and seeds of random numbers; rows of data; widths, labels and dimensions.
MOST, MOST_ROWS, MOST_WIDE = 2**31 - 1, 10**7, 2**14


def setting(default: Any, text: str) -> Any:
    """A field of a settings dataclass; ``run NAME --help`` shows the text."""
    return field(default=default, metadata={"help": text})


def at_least(settings: object, least: float, *names: str) -> None:
    """Each setting, or each entry of it where it is a tuple.  Raises ``InputError`` naming the value and the limit."""
    for name, value in _values(settings, names):
        if value < least:
            raise InputError(f"{name} is {value}; it must be {least} or more")


def at_most(settings: object, most: float, *names: str) -> None:
    """As :func:`at_least`, from above: sizes that no machine holds, or that no 32-bit number does."""
    for name, value in _values(settings, names):
        if value > most:
            raise InputError(f"{name} is {value}; it must be {most} or less")


def multiple_of(settings: object, unit: str, *names: str) -> None:
    """Each is a whole number of ``unit``, another setting."""
    size = getattr(settings, unit)
    for name, value in _values(settings, names):
        if value % size:
            near = max(round(value / size), 1) * size
            raise InputError(f"{name} is {value}; it must be a multiple of {unit}, {size}, such as {near}")


def distinct(settings: object, *names: str) -> None:
    """No value of a sweep twice."""
    for name in names:
        values = getattr(settings, name)
        twice = [value for i, value in enumerate(values) if value in values[:i]]
        if twice:
            raise InputError(f"{name} holds {twice[0]} twice")


def above_zero(settings: object, *names: str) -> None:
    """As :func:`at_least`; NaN and infinity are refused too."""
    for name, value in _values(settings, names):
        if not 0 < value < math.inf:
            raise InputError(f"{name} is {value}; it must be above 0 and finite")


def one_of(settings: object, name: str, known: Collection[str]) -> None:
    """Raises ``InputError`` with all that is known."""
    if getattr(settings, name) not in known:
        raise InputError(f"{name} is {getattr(settings, name)!r}; it is one of {', '.join(known)}")


def _values(settings: object, names: Iterable[str]) -> Iterable[tuple[str, Any]]:
    for name in names:
        value = getattr(settings, name)
        yield from ((name, entry) for entry in (value if isinstance(value, tuple) else (value,)))
