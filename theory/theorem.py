"""Theorems as data: assumptions, conclusion, ways to build instances, and what is claimed about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from theory.evidence import Evidence
from theory.sizes import Size
from theory.verdict import Verdict

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from theory.strategies.source import Source

Instance = TypeVar("Instance")


class Standing(Enum):
    """What is known about a statement.  The value is the wording used in tables."""

    ESTABLISHED = "established"
    REFUTED = "refuted as stated"
    CONJECTURE = "conjecture"


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a statement comes from.  ``version`` says which text was read, or that none was."""

    citation: str
    number: str
    version: str

    def __str__(self) -> str:
        return f"{self.citation}, {self.number} ({self.version})"


@dataclass(frozen=True, slots=True)
class Assumption(Generic[Instance]):
    """A named hypothesis.  ``decide`` is total on valid instances and draws no random number."""

    name: str
    statement: str
    decide: Callable[[Instance], Evidence]

    def evidence(self, instance: Instance) -> Evidence:
        return self.decide(instance).named(self.name)


@dataclass(frozen=True, slots=True)
class Construction(Generic[Instance]):
    """One way to build instances: valid by construction, nothing filtered.

    ``violates`` names the assumption that it breaks on purpose (all others hold), or is None when all hold.
    ``uses_alignment`` is True when the second model is computed from the first through the map A whose existence is
    the conclusion; such a construction tests arithmetic rather than the theorem.  ``fits`` says at which sizes it
    can build.
    """

    name: str
    build: Callable[[Source, Size], Instance]
    violates: str | None = None
    uses_alignment: bool = False
    fits: Callable[[Size], bool] = lambda size: True


@dataclass(frozen=True, slots=True)
class Worked(Generic[Instance]):
    """An instance worked by hand: a counterexample without one assumption, or (``without=None``) to the statement."""

    without: str | None
    build: Callable[[], Instance]
    note: str


@dataclass(frozen=True, slots=True)
class Scope(Generic[Instance]):
    """A finite scope that is checked exhaustively; ``description`` says of what it is all the instances."""

    description: str
    instances: Callable[[], Iterator[Instance]]


def _always(_: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem(Generic[Instance]):
    """A statement "assumptions imply conclusion" with everything needed to examine it.

    ``conclusion`` is what the theorem claims.  ``closed_form`` is the formula its proof gives, when there is one; it
    is examined only where every assumption holds, and must hold there too.  ``needs`` lists the assumptions claimed
    to be necessary.  ``witness`` builds the smallest instance that meets all assumptions together.  ``sizes`` is the
    ladder of generated sizes.  ``nontrivial`` keeps searches from instances that teach nothing.  ``repaired_by``
    names the theorem that replaces a statement refuted as stated.
    """

    name: str
    title: str
    reference: Reference
    statement: str
    instance_type: type[Instance]
    assumptions: tuple[Assumption[Instance], ...]
    conclusion: Callable[[Instance], Evidence]
    constructions: tuple[Construction[Instance], ...]
    sizes: tuple[Size, ...]
    witness: Callable[[], Instance]
    standing: Standing
    indeterminacy: str
    closed_form: Callable[[Instance], Evidence] | None = None
    needs: tuple[str, ...] = ()
    scope: Scope[Instance] | None = None
    worked: tuple[Worked[Instance], ...] = ()
    nontrivial: Callable[[Instance], bool] = _always
    repaired_by: str | None = None
    notes: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        names = [a.name for a in self.assumptions]
        if not self.name.isidentifier():
            raise ValueError(f"theorem name {self.name!r}: use letters, digits and underscores")
        if len(set(names)) < len(names):
            raise ValueError(f"{self.name}: two assumptions have the same name among {names}")
        broken = [c.violates for c in self.constructions if c.violates is not None]
        worked = [w.without for w in self.worked if w.without is not None]
        for name in (*self.needs, *broken, *worked):
            self._check_assumption(name)
        if not any(c.violates is None for c in self.constructions):
            raise ValueError(f"{self.name}: no construction meets all assumptions, so nothing would be examined")
        if (self.standing is Standing.REFUTED) != (self.repaired_by is not None):
            raise ValueError(f"{self.name}: name the repairing theorem exactly when the statement is refuted as stated")

    def _check_assumption(self, name: str) -> None:
        names = [a.name for a in self.assumptions]
        if name not in names:
            raise ValueError(f"{self.name} has no assumption {name!r}; its assumptions are {', '.join(names)}")

    def instances(
        self,
        size: Size,
        without: str | None = None,
        among: Sequence[Construction[Instance]] | None = None,
    ) -> SearchStrategy[Instance]:
        """A Hypothesis strategy for instances of one size, from this theorem's constructions.

        Generates instances that meet every assumption except ``without``; shrinks towards the first construction
        and towards zero.  ``among`` restricts the constructions.  Raises ``ValueError`` when none fits.
        """
        from theory.strategies.source import built_by

        usable = self.usable(size, without, among)
        if not usable:
            raise ValueError(f"{self.name}: no construction without {without!r} fits {size}")
        return built_by(usable, size).map(lambda named: named[1])

    def usable(
        self, size: Size, without: str | None = None, among: Sequence[Construction[Instance]] | None = None
    ) -> list[Construction[Instance]]:
        """The constructions that break exactly the assumption ``without`` and can build at this size."""
        if without is not None:
            self._check_assumption(without)
        return [c for c in (self.constructions if among is None else among) if c.violates == without and c.fits(size)]


def check(theorem: Theorem[Instance], instance: Instance, without: str | None = None, brief: bool = False) -> Verdict:
    """Examine ``theorem`` on one instance, all evidence included.

    ``without`` drops one assumption: the verdict is then COUNTEREXAMPLE when that assumption fails, all others hold
    and the conclusion fails.  The conclusion is looked at only when the assumptions in force are met; ``brief``
    stops at the first assumption that is not.  Raises ``ValueError`` for an unknown assumption and ``TypeError``
    for an instance of another type.
    """
    if not isinstance(instance, theorem.instance_type):
        raise TypeError(
            f"{theorem.name} is about {theorem.instance_type.__name__} instances, not {type(instance).__name__}"
        )
    if without is not None:
        theorem._check_assumption(without)
    assumptions: list[Evidence] = []
    met = True
    for assumption in theorem.assumptions:
        evidence = assumption.evidence(instance)
        assumptions.append(evidence)
        met = met and (evidence.holds is (assumption.name != without) or evidence.holds is None)
        if brief and not met:
            break
    conclusion: list[Evidence] = []
    if met:
        conclusion.append(theorem.conclusion(instance).named("conclusion"))
        if without is None and theorem.closed_form is not None and all(e.holds for e in assumptions):
            conclusion.append(theorem.closed_form(instance).named("closed_form"))
    return Verdict(theorem.name, tuple(assumptions), tuple(conclusion), without, theorem.nontrivial(instance))
