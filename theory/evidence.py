"""Evidence: one decided question, with the number that decided it and a witness that anyone can re-check."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, NoReturn, Self

from theory.calling import called
from theory.display import table


def _nothing() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What decided one assumption or one conclusion on one instance.

    ``value`` measures the defect: 0 is perfect.  The question *holds* when ``value <= accept``, *fails* when
    ``value > reject`` (infinity included), and is *undecided* in between.  Exact evidence has
    ``accept = reject = 0`` and an integer or Fraction as its value, so it is never undecided.  NaN is always
    undecided: it supports neither a theorem nor a counterexample.  Evidence has no truth value: ``a and b`` would be
    ``b``, whatever ``a`` says; :func:`all_of` joins pieces.

    ``ratio`` is error/bound as a float, for reports of slack, where the question is whether a bound holds; it does not
    decide anything.

    ``witness`` makes the answer re-checkable: the map A that was found, or the vector that shows there is none.  It
    is computed when asked for, since most evidence is only counted.
    """

    name: str
    value: Fraction | int | float
    detail: str
    accept: Fraction | int | float = 0
    reject: Fraction | int | float = 0
    ratio: float | None = None
    find_witness: Callable[[], Mapping[str, Any]] = field(default=_nothing, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError(f"evidence {self.name!r}: a defect is never negative, but the value is {self.value}")
        if not self.accept <= self.reject:
            raise ValueError(f"evidence {self.name!r}: accept ({self.accept}) must not exceed reject ({self.reject})")

    @property
    def exact(self) -> bool:
        """True when the value is rational and no tolerance is involved."""
        rational = isinstance(self.value, Rational) or not isinstance(self.value, Real)  # FLINT's are not registered
        return rational and self.accept == self.reject == 0

    @property
    def holds(self) -> bool | None:
        """True, False, or None for undecided."""
        if self.value <= self.accept:
            return True
        if self.value > self.reject:
            return False
        return None

    @property
    def margin(self) -> float:
        """How far from the level that decided: ``value / accept`` where it holds, ``value / reject`` elsewhere.

        0 for exact evidence that holds and infinity for exact evidence that fails.
        """
        level = self.accept if self.holds else self.reject
        if self.value != self.value:
            return math.nan
        if level == 0:
            return 0.0 if self.value == 0 else math.inf
        return float(self.value) / float(level)

    @property
    def witness(self) -> Mapping[str, Any]:
        """Matrices, rationals and indices that let a reader re-check the answer by hand.

        Raises :class:`theory.calling.PredicateError` where finding it raises.
        """
        return called(f"the witness of {self.name!r}", "It must be found wherever it is decided", self.find_witness)

    def named(self, name: str) -> Self:
        return replace(self, name=name)

    @property
    def answer(self) -> str:
        """``holds`` in a word."""
        return {True: "holds", False: "fails", None: "undecided"}[self.holds]

    @property
    def measured(self) -> str:
        """The value with what it counts and the levels it was compared with."""
        levels = "exactly" if self.exact else f"accept {self.accept}, reject {self.reject}"
        return f"{self.detail} = {self.value}, {levels}"

    @property
    def shown(self) -> str:
        """The witness in words; empty where there is none."""
        return "; ".join(f"{key} = {_shown(value)}" for key, value in self.witness.items())

    def describe(self) -> str:
        """One line for people: what was decided, how, and the witness."""
        shown = self.shown
        return f"{self.name}: {self.answer} ({self.measured}{'; ' if shown else ''}{shown})"

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "Evidence is not true or false, since it may be undecided: join pieces with decide.all_of(…), or compare "
            ".holds with True, False or None"
        )

    def __repr__(self) -> str:
        return f"<Evidence {self.name}{': ' if self.name else ''}{self.answer} ({self.measured})>"

    def _repr_html_(self) -> str:
        return table(self.name, [(self.answer, self.measured, self.shown)])


def _shown(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(map(_shown, value)) + ")"
    return str(value)


def all_of(*parts: Evidence, name: str = "") -> Evidence:
    """Return the part that decides a conjunction: the first that fails, else the first undecided, else the last.

    Raises ``ValueError`` without parts: an empty conjunction would hold for no reason.
    """
    if not parts:
        raise ValueError("all_of needs at least one piece of evidence: a claim about nothing is not evidence")
    for wanted in (False, None):
        for part in parts:
            if part.holds is wanted:
                return part.named(name) if name else part
    return parts[-1].named(name) if name else parts[-1]
