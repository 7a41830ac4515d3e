"""Settings of experiments: fields with their help, and what a setting may be."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import field
from typing import Any

from empirical.errors import InputError


def setting(default: Any, text: str) -> Any:
    """A field of a settings dataclass; ``run NAME --help`` shows the text."""
    return field(default=default, metadata={"help": text})


def at_least(settings: object, least: float, *names: str) -> None:
    """Each setting, or each entry of it where it is a tuple.  Raises ``InputError`` naming the value and the limit."""
    for name, value in _values(settings, names):
        if value < least:
            raise InputError(f"{name} is {value}; it must be {least} or more")


def above_zero(settings: object, *names: str) -> None:
    """As :func:`at_least`; NaN is refused too."""
    for name, value in _values(settings, names):
        if not value > 0:
            raise InputError(f"{name} is {value}; it must be above 0")


def one_of(settings: object, name: str, known: Collection[str]) -> None:
    """Raises ``InputError`` with all that is known."""
    if getattr(settings, name) not in known:
        raise InputError(f"{name} is {getattr(settings, name)!r}; it is one of {', '.join(known)}")


def _values(settings: object, names: Iterable[str]) -> Iterable[tuple[str, Any]]:
    for name in names:
        value = getattr(settings, name)
        yield from ((name, entry) for entry in (value if isinstance(value, tuple) else (value,)))
