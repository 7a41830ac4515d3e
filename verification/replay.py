"""Replaying certificates: every piece of evidence computed again, with SymPy, and compared with what is stored.

No Hypothesis, no randomness, and not the kernel that found the counterexample.

A counterexample in floating point is computed again in floating point, and only to a theorem that is about floating
point.  Another machine may round otherwise, so what must agree there is what was decided and by which levels, not the
last digit of each value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from theory.calling import from_outside
from theory.catalogue import catalogue
from theory.digest import digest
from theory.records import fingerprint, in_floats, record, restore
from theory.theorem import PredicateError, Theorem
from theory.verdict import Status
from verification.budget import OutOfTime, checked, limit, witness_of
from verification.certificates import Certificate, evidence_records


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay found: ``problems`` is empty when the certificate is accepted."""

    certificate: Certificate
    problems: tuple[str, ...]

    @property
    def accepted(self) -> bool:
        return not self.problems

    @property
    def exact(self) -> bool:
        """Was everything computed in rational arithmetic?  False for an instance in floating point."""
        return not in_floats(self.certificate.instance)


def replay(certificate: Certificate, theorems: Mapping[str, Theorem[Any]]) -> Replay:
    """Recompute a certificate from its instance alone and say everything that does not agree with it."""
    theorem = theorems.get(certificate.theorem)
    if theorem is None:
        problem = f"unknown theorem {certificate.theorem!r}; if it is your own, name its file with --theorems"
        return Replay(certificate, (problem,))
    names = [a.name for a in theorem.assumptions]
    if certificate.dropped is not None and certificate.dropped not in names:
        return Replay(certificate, (f"{theorem.name} has no assumption {certificate.dropped!r}",))
    if certificate.dropped is not None and certificate.claim is not None:
        problem = f"it drops {certificate.dropped!r} and claims {certificate.claim!r}: a certificate does one of them"
        return Replay(certificate, (problem,))
    if certificate.claim is not None and certificate.claim not in {s.name for s in theorem.stronger}:
        return Replay(certificate, (f"{theorem.name} lists no stronger conclusion {certificate.claim!r}",))
    problems: list[str] = []
    if certificate.digest != digest(theorem):
        again = "pytest verification --certify" if theorem.name in catalogue() else "python -m verification refute FILE"
        problems.append(f"stale: issued for another wording or code of {theorem.name}; search again with {again}")
    problems += _recomputed(certificate, theorem)
    if certificate.checksum != fingerprint(certificate.content()):
        problems.append("changed after it was written: the content does not match the checksum")
    return Replay(certificate, tuple(problems))


def _recomputed(certificate: Certificate, theorem: Theorem[Any]) -> list[str]:
    floats = in_floats(certificate.instance)
    try:
        if floats and not _about_floats(theorem):
            what = f"{theorem.name} is about exact instances, and rounding refutes nothing of it"
            return [f"its instance is in floating point: {what}"]
        with limit(f"{theorem.name}: the instance"):
            instance = restore(theorem.instance_type, certificate.instance, "float" if floats else "sympy")
    except (PredicateError, OutOfTime) as error:
        return [f"it cannot be recomputed: {error}"]
    except BaseException as error:  # the class of the instance may be somebody's own, and raise anything
        if from_outside(error):
            raise
        return [f"the instance is not valid: {str(error) or type(error).__name__}"]
    try:
        verdict = checked(theorem, instance, without=certificate.dropped, claim=certificate.claim)
        with limit(f"{theorem.name}: the witnesses of its evidence"):
            computed = evidence_records(instance, verdict)
    except (PredicateError, OutOfTime, TypeError, ValueError) as error:  # ValueError: a number too long to be written
        return [f"it cannot be recomputed: {error}"]
    problems: list[str] = []
    expected = Status.REFUTED if certificate.dropped is None else Status.COUNTEREXAMPLE
    if verdict.status is not expected:
        problems.append(f"not a counterexample: the recomputed verdict is {verdict.status.name}")
    return problems + _compared(certificate.evidence, computed)


def _about_floats(theorem: Theorem[Any]) -> bool:
    """Is it a statement about floating-point instances, as its own witness is one?"""
    try:
        return in_floats(record(witness_of(theorem)))
    except (PredicateError, TypeError, ValueError):  # such as an exact witness, which may need FLINT
        return False


def _compared(stored: Sequence[Mapping[str, Any]], computed: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line for each piece of evidence that differs; those that differ only in the instance share one."""
    found = {str(old.get("name")): old for old in stored}
    names = [str(old.get("name")) for old in stored]
    problems = [f"evidence {name!r} is given twice" for name in found if names.count(name) > 1]
    of_another: list[str] = []
    for fresh in computed:
        name = fresh["name"]
        old = found.pop(name, None)
        if old is None:
            problems.append(f"evidence {name!r} is missing")
            continue
        rounded = ("value", "detail", "witness") if "accept" in fresh else ()
        differing = [key for key in {**fresh, **old} if key not in rounded and old.get(key) != fresh.get(key)]
        shown = [f"{key} is {old.get(key)!r}, recomputed {fresh.get(key)!r}" for key in differing if key != "of"]
        if shown:
            problems.append(f"evidence {name!r}: " + "; ".join(shown))
        elif differing:
            of_another.append(name)
    if of_another:
        problems.append(f"evidence {', '.join(map(repr, of_another))}: recorded for another instance than the file's")
    problems += [f"evidence {name!r} belongs to no assumption or conclusion" for name in found]
    return problems
