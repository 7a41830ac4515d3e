"""One file an experiment; a file here that has an ``EXPERIMENT`` is found, not listed."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from empirical.errors import InputError

if TYPE_CHECKING:
    from empirical.experiment import Experiment


def names() -> list[str]:
    """The experiments there are; files whose name begins with an underscore are none."""
    return sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))


def find(name: str) -> Experiment:
    """An experiment by name.  Raises ``InputError`` with the nearest name when there is none."""
    if name not in names():
        from empirical.experiment import unknown

        raise InputError(unknown("experiment", name, dict.fromkeys(names())))
    return import_module(f"{__name__}.{name}").EXPERIMENT
