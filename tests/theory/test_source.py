"""Where numbers come from: the seeded source repeats itself, and Hypothesis shrinks to the simplest draw."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest
from hypothesis import strategies

from tests.theory.sources import NearestToZero
from theory.catalogue import catalogue
from theory.strategies.source import LARGEST, HypothesisSource, RandomSource, choice, shuffled
from theory.theorem import Theorem

#: No database and no clock: the same search every time.
QUIET = hypothesis.settings(database=None, derandomize=True, deadline=None, max_examples=30)


def test_a_seed_is_a_sequence() -> None:
    draws = [
        [source.integer(-9, 9) for _ in range(50)] for source in (RandomSource(3), RandomSource(3), RandomSource(4))
    ]
    assert draws[0] == draws[1] != draws[2]
    assert set(draws[0]) <= set(range(-9, 10))


@pytest.mark.parametrize("limits", [(-LARGEST - 1, 0), (0, LARGEST + 1), (1, 0)])
def test_large_draws_are_refused(limits: tuple[int, int]) -> None:
    message = r"draw integers within ±99, not from .* to .*: larger draws would not be stable"
    with pytest.raises(ValueError, match=message):
        RandomSource(0).integer(*limits)


@pytest.mark.parametrize("limits", [(-LARGEST - 1, 0), (0, LARGEST + 1), (1, 0)])
def test_hypothesis_refuses_them_too(limits: tuple[int, int]) -> None:
    @QUIET
    @hypothesis.given(strategies.data())
    def draw(data: Any) -> None:
        HypothesisSource(data.draw).integer(*limits)

    with pytest.raises(ValueError, match="draw integers within ±99"):
        draw()


def test_simplest_choices() -> None:
    assert choice(NearestToZero(), "abc") == "a"
    assert choice(RandomSource(0), "a") == "a"
    assert shuffled(NearestToZero(), range(4)) == [0, 1, 2, 3]
    assert shuffled(RandomSource(0), []) == []


#: One theorem for each kind of instance.
KINDS = {theorem.instance_type: theorem for theorem in catalogue().values()}.values()


@pytest.mark.parametrize("theorem", [pytest.param(theorem, id=theorem.name) for theorem in KINDS])
def test_a_search_repeats_itself(theorem: Theorem[Any]) -> None:
    """Found and shrunk in the same way each time; what is reported today is reported tomorrow."""
    size = next(size for size in theorem.sizes if theorem.usable(size))
    first, second = (hypothesis.find(theorem.instances(size), lambda _: True, settings=QUIET) for _ in range(2))
    assert first == second
    assert all(assumption.evidence(first).holds for assumption in theorem.assumptions)


@pytest.mark.parametrize("theorem", [pytest.param(theorem, id=name) for name, theorem in catalogue().items()])
def test_instances_meet_the_assumptions(theorem: Theorem[Any]) -> None:
    seen: list[Any] = []

    @QUIET
    @hypothesis.given(theorem.instances(theorem.sizes[-1]))
    def collect(instance: Any) -> None:
        assert all(assumption.evidence(instance).holds for assumption in theorem.assumptions)
        seen.append(instance)

    collect()
    assert len(set(seen)) > 15
