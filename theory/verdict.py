"""Verdicts: what the evidence on one instance says about a theorem.  Derived, never stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

from theory.evidence import Evidence


class Status(Enum):
    """The five things an instance can say.  The value is the explanation shown to people."""

    HOLDS = "the assumptions hold on this instance and so does the conclusion"
    REFUTED = "the assumptions hold on this instance and the conclusion fails: the statement is false as encoded"
    COUNTEREXAMPLE = (
        "without the dropped assumption, all others hold and the conclusion fails: the assumption is needed"
    )
    VACUOUS = "this instance says nothing: an assumption is not met, or the instance does not bite"
    UNDECIDED = "a value lies between its two levels, or is not a number: neither for nor against"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Evidence for every assumption and conclusion that was looked at, and the status that follows.

    ``without`` names a dropped assumption.  A brief check stops at the first assumption that is not met, and the
    conclusion is looked at only where all are, so there may be less evidence than assumptions.  A verdict has no
    truth value: VACUOUS is not success.
    """

    theorem: str
    assumptions: tuple[Evidence, ...]
    conclusion: tuple[Evidence, ...]
    without: str | None = None
    nontrivial: bool = True

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return self.assumptions + self.conclusion

    @property
    def status(self) -> Status:
        kept = [e.holds for e in self.assumptions if e.name != self.without]
        dropped = [e.holds for e in self.assumptions if e.name == self.without]
        if False in kept or True in dropped or not self.nontrivial:
            return Status.VACUOUS
        concluded = [e.holds for e in self.conclusion]
        if None in kept or None in dropped or (False not in concluded and None in concluded):
            return Status.UNDECIDED
        if self.without is None:
            return Status.REFUTED if False in concluded else Status.HOLDS
        return Status.COUNTEREXAMPLE if False in concluded else Status.VACUOUS

    @property
    def undecided(self) -> tuple[Evidence, ...]:
        """The evidence that is neither for nor against."""
        return tuple(e for e in self.evidence if e.holds is None)

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a Verdict is not true or false: VACUOUS and UNDECIDED are neither. Compare .status with Status.HOLDS"
        )

    def describe(self) -> str:
        """Several lines for people: the status, then one line for each piece of evidence."""
        dropped = f" without {self.without}" if self.without else ""
        lines = [f"{self.theorem}{dropped}: {self.status.name}: {self.status.value}"]
        return "\n  ".join([*lines, *(e.describe() for e in self.evidence)])
