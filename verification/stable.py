"""The check *stable*: a theorem examined in floating point, by decade of the condition number.

Instances have a chosen spectrum; they are decided by error/bound with two levels.  A true theorem is never refuted,
whatever the conditioning: where rounding drowns the answer it must be "undecided".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from theory.sizes import Size
from theory.strategies.source import RandomSource, Source
from theory.theorem import Theorem
from verification.budget import built, checked, reproducible
from verification.generate import Tally
from verification.profiles import Profile, seed_for

DECADES = tuple(range(13))


def stable(theorem: Theorem[Any], profile: Profile, seed: int) -> dict[int, Tally]:
    """Examine ``theorem`` on the profile's number of floating-point instances, spread evenly over the decades.

    Empty for a theorem without floating-point instances.
    """
    build = theorem.spectra
    if build is None:
        return {}
    sizes = profile.sizes(theorem)
    each = math.ceil(profile.instances / len(DECADES))
    return {decade: _at_decade(theorem, build, decade, sizes, each, seed) for decade in DECADES}


def _at_decade(
    theorem: Theorem[Any],
    build: Callable[[Source, Size, int], Any],
    decade: int,
    sizes: list[Size],
    instances: int,
    seed: int,
) -> Tally:
    tally = Tally()
    for i in range(instances):
        size = sizes[i % len(sizes)]
        drawing = seed_for(seed, theorem.name, "stable", decade, i)
        rule = "It must build a floating-point instance at every size and decade"
        with reproducible(drawing):
            instance = built(theorem, "its spectra", rule, build, RandomSource(drawing), size, decade)
        verdict = checked(theorem, instance)
        tally.count(verdict)
        if verdict.status.name == "REFUTED" and tally.refutation is None:
            tally.refutation = (size, instance, verdict)
    return tally
