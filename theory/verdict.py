"""Verdicts: what the evidence on one instance says about a theorem.  Derived, never stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

from theory.display import table
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

    ``without`` names a dropped assumption, ``claim`` a stronger conclusion that was examined in place of the
    theorem's.  A brief check stops at the first assumption that is not met, and the conclusion is looked at only where
    all are, so there may be less evidence than assumptions.  A verdict has no truth value: VACUOUS is not success.
    """

    theorem: str
    assumptions: tuple[Evidence, ...]
    conclusion: tuple[Evidence, ...]
    without: str | None = None
    nontrivial: bool = True
    claim: str | None = None

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return self.assumptions + self.conclusion

    @property
    def status(self) -> Status:
        kept = [e.holds for e in self.assumptions if e.name != self.without]
        dropped = [e.holds for e in self.assumptions if e.name == self.without]
        concluded = [e.holds for e in self.conclusion]
        if False in kept or True in dropped or not self.nontrivial or not concluded:
            return Status.VACUOUS
        if self.without is not None and not dropped:
            return Status.VACUOUS  # nothing was dropped, so nothing shows that it is needed
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

    @property
    def about(self) -> str:
        """The theorem, and what was dropped or claimed."""
        dropped = f" without {self.without}" if self.without else f" claiming {self.claim}" if self.claim else ""
        return f"{self.theorem}{dropped}"

    def describe(self) -> str:
        """Several lines for people: the status, then one line for each piece of evidence."""
        lines = [f"{self.about}: {self.status.name}: {self.status.value}"]
        return "\n  ".join([*lines, *(e.describe() for e in self.evidence)])

    def __repr__(self) -> str:
        answers = ", ".join(f"{e.name} {e.answer}" for e in self.evidence)
        return f"<Verdict {self.about}: {self.status.name}; {answers}>"

    def _repr_html_(self) -> str:
        rows = [(e.name, e.answer, e.measured, e.shown) for e in self.evidence]
        head = ("", "answer", "decided by", "witness")
        return table(f"{self.about}: {self.status.name}", rows, head, self.status.value)
