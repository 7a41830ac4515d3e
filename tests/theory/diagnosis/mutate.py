"""Wrong variants of the diagnosis: its source with one piece exchanged, run in place of the right one."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

from theory.diagnosis import run


@contextmanager
def mutated(module: ModuleType, old: str, new: str) -> Iterator[None]:
    """``diagnose`` with every function it takes from ``module`` replaced by one from the altered source."""
    source = inspect.getsource(module)
    assert source.count(old) >= 1, f"{module.__name__} no longer holds {old!r}: state the mutant anew"
    wrong = ModuleType(f"{module.__name__}_mutant")
    sys.modules[wrong.__name__] = wrong  # dataclasses look their module up
    try:
        exec(compile(source.replace(old, new), f"<mutant of {module.__name__}>", "exec"), wrong.__dict__)
        with pytest.MonkeyPatch.context() as patch:
            for name, value in vars(run).copy().items():
                if inspect.isfunction(value) and value.__module__ == module.__name__:
                    patch.setattr(run, name, getattr(wrong, name))
            yield
    finally:
        del sys.modules[wrong.__name__]


def caught(check: Callable[[], Any]) -> bool:
    """Does the check fail by an assertion?"""
    try:
        check()
    except AssertionError:
        return True
    return False
