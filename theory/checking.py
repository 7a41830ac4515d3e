"""Examining a theorem on one instance: each assumption and the conclusion asked, and the verdict that follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from theory.calling import PredicateError, called
from theory.evidence import Evidence
from theory.theorem import Instance, Theorem
from theory.verdict import Verdict


def _asked(theorem: str, name: str, question: Callable[[Any], Any], instance: Any) -> Evidence:
    """The evidence of one predicate; raises :class:`PredicateError` saying which one failed and how."""
    rule = "A predicate must answer on every valid instance: return Evidence that fails instead"
    answer = called(f"{theorem}: {name}", rule, question, instance, predicate=name)
    if not isinstance(answer, Evidence):
        raise PredicateError(
            f"{theorem}: {name} returned {answer!r} ({type(answer).__name__}), not Evidence; "
            "use the functions of theory.decide",
            name,
        )
    return answer.named(name)


def _bites(theorem: Theorem[Any], instance: Any) -> bool:
    return called(f"{theorem.name}: nontrivial", "It must answer on every instance", theorem.nontrivial, instance)


def check(
    theorem: Theorem[Instance],
    instance: Instance,
    without: str | None = None,
    claim: str | None = None,
    brief: bool = False,
) -> Verdict:
    """Examine ``theorem`` on one instance, all evidence included.

    ``without`` drops one assumption: the verdict is then COUNTEREXAMPLE when that assumption fails, all others hold
    and the conclusion fails.  ``claim`` puts one of the theorem's stronger conclusions in place of its own.  The
    conclusion is looked at only when the assumptions in force are met; ``brief`` stops at the first assumption that is
    not.  Raises ``ValueError`` for an unknown assumption or claim and ``TypeError`` for an instance of another type.
    """
    if not isinstance(instance, theorem.instance_type):
        raise TypeError(
            f"{theorem.name} is about {theorem.instance_type.__name__} instances, not {type(instance).__name__}"
        )
    if without is not None:
        theorem.assumed(without)
    assumptions: list[Evidence] = []
    met = True
    for assumption in theorem.assumptions:
        evidence = _asked(theorem.name, assumption.name, assumption.decide, instance)
        assumptions.append(evidence)
        met = met and (evidence.holds is (assumption.name != without) or evidence.holds is None)
        if brief and not met:
            break
    conclusion: list[Evidence] = []
    if claim is not None:
        stronger = theorem.claimed(claim)
        if met:
            conclusion.append(_asked(theorem.name, claim, stronger.conclusion, instance))
    elif met:
        conclusion.append(_asked(theorem.name, "conclusion", theorem.conclusion, instance))
        if without is None and theorem.closed_form is not None and all(e.holds for e in assumptions):
            conclusion.append(_asked(theorem.name, "closed_form", theorem.closed_form, instance))
    nontrivial = _bites(theorem, instance)
    return Verdict(theorem.name, tuple(assumptions), tuple(conclusion), without, nontrivial, claim)
