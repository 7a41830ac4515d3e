"""Theorems as data: assumptions, conclusion, ways to build instances, and what is claimed about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from theory.calling import PredicateError, called, from_outside
from theory.display import table
from theory.evidence import Evidence
from theory.places import line_of
from theory.sizes import Size

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from theory.arithmetic import Matrix
    from theory.indeterminacy import Element, Indeterminacy
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

    def instance(self, source: Source, size: Size) -> Instance:
        """Build an instance; raises :class:`PredicateError` naming the construction when its code raises."""
        try:
            return self.build(source, size)
        except PredicateError:
            raise
        except BaseException as error:
            if from_outside(error) or type(error).__module__.startswith("hypothesis"):
                raise  # the latter is Hypothesis' own control flow
            raise PredicateError(
                f"the construction {self.name!r} raised {type(error).__name__} at {size}{line_of(error)}: {error}. A "
                "construction must build an instance at every size it `fits`"
            ) from error

    def fitting(self, size: Size) -> bool:
        """Can it build at this size?  Raises :class:`PredicateError` when ``fits`` raises."""
        what = f"`fits` of the construction {self.name!r}"
        return called(what, "It must answer at every size", self.fits, size)


@dataclass(frozen=True, slots=True)
class Worked(Generic[Instance]):
    """An instance worked by hand: a counterexample without one assumption, to a stronger conclusion (``claim``), or to
    the statement itself (both None)."""

    without: str | None
    build: Callable[[], Instance]
    note: str
    claim: str | None = None


@dataclass(frozen=True, slots=True)
class Stronger(Generic[Instance]):
    """A stronger conclusion that is refuted, so that the theorem's own is tight.

    For an indeterminacy class it is the next smaller class; for a bound it is the same bound never attained.
    ``statement`` says what is claimed in place of the conclusion.
    """

    name: str
    statement: str
    conclusion: Callable[[Instance], Evidence]


@dataclass(frozen=True, slots=True)
class Attained(Generic[Instance]):
    """The indeterminacy class of a theorem, with the means to show that all of it is attained.

    ``build`` makes an instance whose second representation is the given element's image of the first;
    ``representations`` returns both, (contexts, dim) each, the first one first.
    """

    indeterminacy: Indeterminacy
    build: Callable[[Source, Size, Element], Instance]
    representations: Callable[[Instance], tuple[Matrix, Matrix]]


@dataclass(frozen=True, slots=True)
class Scope(Generic[Instance]):
    """A finite scope that is checked exhaustively; ``description`` says of what it is all the instances."""

    description: str
    instances: Callable[[], Iterator[Instance]]


def _brief(value: object) -> str:
    """A value in a message: short, with its type."""
    shown = repr(value)
    return f"{shown if len(shown) <= 60 else shown[:60] + '…'} ({type(value).__name__})"


def _always(_: Any) -> bool:
    return True


#: What evidence is called that is about no assumption.
_TAKEN = ("conclusion", "closed_form")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem(Generic[Instance]):
    """A statement "assumptions imply conclusion" with everything needed to examine it.

    ``conclusion`` is what the theorem claims.  ``closed_form`` is the formula its proof gives, when there is one; it
    is examined only where every assumption holds, and must hold there too.  ``needs`` lists the assumptions claimed
    to be necessary.  ``witness`` builds the smallest instance that meets all assumptions together.  ``sizes`` is the
    ladder of generated sizes.  ``nontrivial`` keeps searches from instances that teach nothing.  ``repaired_by``
    names the theorem that replaces a statement refuted as stated.

    ``stronger`` lists stronger conclusions that are refuted, and ``attained`` shows that all of the indeterminacy is;
    both make the theorem tight.  ``spectra`` builds floating-point instances with condition numbers up to 10 to the
    given power, for a theorem that floating point can decide.
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
    stronger: tuple[Stronger[Instance], ...] = ()
    attained: Attained[Instance] | None = None
    spectra: Callable[[Source, Size, int], Instance] | None = None
    nontrivial: Callable[[Instance], bool] = _always
    repaired_by: str | None = None
    notes: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.isidentifier():
            raise ValueError(f"theorem name {self.name!r}: use letters, digits and underscores")
        self._check_types()
        self._check_names()
        broken = [c.violates for c in self.constructions if c.violates is not None]
        worked = [w.without for w in self.worked if w.without is not None]
        for claim in (w.claim for w in self.worked):
            if claim is not None:
                self.claimed(claim)
        for name in (*self.needs, *broken, *worked):
            self.assumed(name)
        if not self.sizes:
            raise ValueError(f"{self.name}: list at least one size, or nothing would be examined")
        if self.standing is not Standing.REFUTED and any(w.without is w.claim is None for w in self.worked):
            raise ValueError(f"{self.name}: a worked refutation of the statement contradicts its standing")
        if not any(c.violates is None for c in self.constructions):
            raise ValueError(f"{self.name}: no construction meets all assumptions, so nothing would be examined")
        if (self.standing is Standing.REFUTED) != (self.repaired_by is not None):
            raise ValueError(f"{self.name}: name the repairing theorem exactly when the statement is refuted as stated")

    def __repr__(self) -> str:
        return f"<Theorem {self.name}, {self.standing.value}: {self.title}>"

    def _repr_html_(self) -> str:
        rows = [(a.name, a.statement, "needed" if a.name in self.needs else "") for a in self.assumptions]
        note = f"{self.standing.value}; {self.indeterminacy}; {self.reference}"
        return table(f"{self.name}: {self.statement}", rows, ("assumption", "statement", ""), note)

    def _check_types(self) -> None:
        """What a theorem file is likely to get wrong; raises ``TypeError`` saying what is allowed."""
        holding = {"assumptions": Assumption, "constructions": Construction, "sizes": Size, "needs": str,
                   "worked": Worked, "stronger": Stronger}  # fmt: skip
        for field_, kind in holding.items():
            value = getattr(self, field_)
            wrong = [item for item in value if not isinstance(item, kind)] if isinstance(value, tuple) else [value]
            if wrong:
                raise TypeError(f"{self.name}: {field_} must be a tuple of {kind.__name__}, not {_brief(wrong[0])}")
        if not isinstance(self.standing, Standing):
            raise TypeError(f"{self.name}: standing must be a Standing, such as Standing.CONJECTURE, not "
                            f"{_brief(self.standing)}")  # fmt: skip
        if not isinstance(self.instance_type, type):
            raise TypeError(f"{self.name}: instance_type must be a class, not {_brief(self.instance_type)}")
        for field_ in ("conclusion", "witness", "nontrivial"):
            if not callable(getattr(self, field_)):
                raise TypeError(f"{self.name}: {field_} must be a function, not {_brief(getattr(self, field_))}")

    def _check_names(self) -> None:
        """Certificates are named after assumptions and stronger conclusions, and evidence is told apart by name."""
        kinds = {"assumptions": self.assumptions, "stronger conclusions": self.stronger}
        for kind, named in kinds.items():
            names = [item.name for item in named]
            for name in names:
                if not isinstance(name, str) or not name.isidentifier() or name in _TAKEN:
                    raise ValueError(
                        f"{self.name}: {name!r} cannot be the name of one of the {kind}: use letters, digits and "
                        f"underscores, and none of {', '.join(_TAKEN)}"
                    )
            if len(set(names)) < len(names):
                raise ValueError(f"{self.name}: two {kind} have the same name among {names}")
        both = {a.name for a in self.assumptions} & {s.name for s in self.stronger}
        if both:
            raise ValueError(f"{self.name}: {both.pop()!r} names an assumption and a stronger conclusion: rename one")
        for construction in self.constructions:
            if not isinstance(construction.name, str) or not construction.name.strip():
                raise ValueError(f"{self.name}: {construction.name!r} cannot name a construction: say how it builds")

    def assumed(self, name: str) -> None:
        """Raises ``ValueError`` naming the assumptions when there is none of that name."""
        names = [a.name for a in self.assumptions]
        if name not in names:
            raise ValueError(f"{self.name} has no assumption {name!r}; its assumptions are {', '.join(names)}")

    def claimed(self, name: str) -> Stronger[Instance]:
        """The stronger conclusion called ``name``; raises ``ValueError`` when there is none."""
        for stronger in self.stronger:
            if stronger.name == name:
                return stronger
        known = ", ".join(s.name for s in self.stronger) or "none"
        raise ValueError(f"{self.name} lists no stronger conclusion {name!r}; it lists {known}")

    def certifiable(self) -> list[tuple[str | None, str | None]]:
        """What must be refuted by a stored certificate, as (dropped assumption, stronger conclusion)."""
        wanted: list[tuple[str | None, str | None]] = [(name, None) for name in self.needs]
        wanted += [(None, stronger.name) for stronger in self.stronger]
        return wanted + ([(None, None)] if self.standing is Standing.REFUTED else [])

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
            self.assumed(without)
        return [
            c for c in (self.constructions if among is None else among) if c.violates == without and c.fitting(size)
        ]
