"""Predicates that cannot be digested, because their source does not say all that they mean."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.verification.made_up import TRUE, always
from theory import decide
from theory.digest import digest
from theory.evidence import Evidence


def with_level(level: int, _: Any) -> Evidence:
    """To be used with its level filled in."""
    return decide.count_is_zero(level, "level")


class Deciding:
    """Predicates that are no plain functions."""

    def __init__(self, level: int) -> None:
        self.level = level

    def method(self, _: Any) -> Evidence:
        return decide.count_is_zero(self.level, "level")

    def __call__(self, _: Any) -> Evidence:
        return decide.count_is_zero(self.level, "level")


def test_lambdas_are_refused() -> None:
    with pytest.raises(ValueError, match="write predicates as named functions; a lambda has no source of its own"):
        digest(replace(TRUE, conclusion=lambda pair: always(pair)))


def test_functions_without_a_source_are_refused() -> None:
    namespace: dict[str, Any] = {"__name__": "nowhere"}
    exec("def predicate(pair):\n    return None\n", namespace)  # as a person would at the prompt
    with pytest.raises(ValueError, match=r"nowhere\.predicate: its source cannot be read, so the statement cannot"):
        digest(replace(TRUE, conclusion=namespace["predicate"]))


def enclosing(level: int) -> Callable[[Any], Evidence]:
    """A predicate that means something else for each level, with the same source."""

    def inner(_: Any) -> Evidence:
        return decide.count_is_zero(level, "level")

    return inner


@pytest.mark.parametrize(
    "make",
    [enclosing, lambda level: functools.partial(with_level, level), Deciding, lambda level: Deciding(level).method],
    ids=["closure", "partial", "callable object", "method"],
)
def test_predicates_that_hold_values_are_refused_or_told_apart(make: Callable[[int], Any]) -> None:
    """Their source does not say what they mean: two theorems must not have one digest."""
    try:
        digests = {digest(replace(TRUE, closed_form=make(level))) for level in (0, 1)}
    except ValueError:
        return
    assert len(digests) == 2
