"""How a theorem is mutated: one piece replaced, the rest as it stands.

A mutation of the closed form leaves the rest of the theorem alone, so the formula alone must be caught.  A mutation
that weakens an assumption drops the closed form: what must be caught is the conclusion, not a missing inverse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from theory import decide
from theory.evidence import Evidence
from theory.theorem import Theorem

Mutate = Callable[[Theorem[Any]], Theorem[Any]]
Decide = Callable[[Any], Evidence]


def with_closed_form(decider: Decide) -> Mutate:
    """Only the formula of the proof is replaced."""
    return lambda theorem: replace(theorem, closed_form=decider)


def with_conclusion(decider: Decide) -> Mutate:
    """Only the conclusion is replaced."""
    return lambda theorem: replace(theorem, conclusion=decider, closed_form=None)


def with_assumptions(**deciders: Decide) -> Mutate:
    """The named assumptions keep their names and are decided otherwise; the closed form goes."""

    def mutate(theorem: Theorem[Any]) -> Theorem[Any]:
        unknown = set(deciders) - {assumption.name for assumption in theorem.assumptions}
        assert not unknown, f"{theorem.name} has no assumption {unknown}"
        changed = tuple(replace(a, decide=deciders.get(a.name, a.decide)) for a in theorem.assumptions)
        return replace(theorem, assumptions=changed, closed_form=None)

    return mutate


def with_assumptions_and_formula(**deciders: Decide) -> Mutate:
    """As :func:`with_assumptions`, where only the formula tells the mistake: it is kept."""
    mutate = with_assumptions(**deciders)
    return lambda theorem: replace(mutate(theorem), closed_form=theorem.closed_form)


def claiming(name: str) -> Mutate:
    """One of the theorem's stronger conclusions in place of its own."""
    return lambda theorem: replace(theorem, conclusion=theorem.claimed(name).conclusion, closed_form=None)


def not_checked(_: Any) -> Evidence:
    """The assumption is forgotten: it holds of everything."""
    return decide.count_is_zero(0, "not checked")
