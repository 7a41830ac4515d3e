"""The check *tight*: the indeterminacy is exactly what is claimed, no more and no less.

Every sampled element of the class gives an equally valid model; the next smaller classes must be among the theorem's
stronger conclusions, which certificates refute.
"""

from __future__ import annotations

from typing import Any

from theory.sizes import Size
from theory.strategies.source import RandomSource
from theory.theorem import Attained, Theorem
from theory.verdict import Status
from verification.budget import built, checked, described, reproducible
from verification.profiles import Profile, seed_for

ELEMENTS_A_SIZE = 5


def tight(theorem: Theorem[Any], profile: Profile, seed: int) -> tuple[int, list[str]]:
    """Return how many sampled elements were attained, and what is not as claimed (empty when all is)."""
    attained = theorem.attained
    if attained is None:
        return 0, []
    missing = set(attained.indeterminacy.smaller) - {stronger.name for stronger in theorem.stronger}
    failures = [f"the smaller class {name!r} is not among its stronger conclusions" for name in sorted(missing)]
    count = 0
    for size in profile.sizes(theorem):
        for k in range(ELEMENTS_A_SIZE):
            problem = _problem(theorem, attained, size, seed_for(seed, theorem.name, "tight", size, k))
            if problem:
                failures.append(f"at {size}: {problem}")
                break
            count += 1
    return count, failures


def _problem(theorem: Theorem[Any], attained: Attained[Any], size: Size, seed: int) -> str:
    source = RandomSource(seed)
    kind = attained.indeterminacy
    element = kind.sample(source, size.dim)
    if kind.contains(element).holds is not True:
        return f"the sampled element {element} is not in its own class {kind.name}"
    rule = "It must build an instance for every element"
    with reproducible(seed):
        instance = built(theorem, "the instance that attains an element", rule, attained.build, source, size, element)
    verdict = checked(theorem, instance)
    if verdict.status is not Status.HOLDS:
        return f"the element {element} of {kind.name} gives no valid model:\n{described(verdict)}"
    first, second = attained.representations(instance)
    if element(first) != second or kind.fit(first, second).holds is not True:
        return f"the instance built for {element} does not have it between its representations"
    return ""
