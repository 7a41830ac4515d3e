"""Definitions and theorems of linear identifiability as checkable predicates.

A theorem is data: assumptions, a conclusion, ways to build instances.  Checking one instance gives a verdict::

    >>> from theory import Status, check, find
    >>> theorem = find("linear_identifiability")
    >>> check(theorem, theorem.witness()).status is Status.HOLDS
    True
"""

from __future__ import annotations

from theory import decide
from theory.catalogue import find
from theory.checking import check
from theory.evidence import Evidence
from theory.models import Model, ModelPair, full_candidate_sets
from theory.sizes import Size
from theory.theorem import Assumption, Construction, Reference, Scope, Standing, Theorem, Worked
from theory.verdict import Status, Verdict

__all__ = [
    "Assumption",
    "Construction",
    "Evidence",
    "Model",
    "ModelPair",
    "Reference",
    "Scope",
    "Size",
    "Standing",
    "Status",
    "Theorem",
    "Verdict",
    "Worked",
    "check",
    "decide",
    "find",
    "full_candidate_sets",
]
