"""Results: what one run says about one theorem, as plain data that survives processes and goes into the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from theory.digest import digest
from theory.theorem import Theorem

SCHEMA = "linear-identifiability/report/2"


@dataclass(frozen=True, slots=True)
class Counted:
    """How many instances were looked at, how many met every assumption, and what they said.

    ``ratios`` are the median, the 90 % quantile and the maximum of error/bound over the conclusions that have a bound;
    empty where there is none.  ``distinct`` counts the generated instances that differ from one another (0 where
    nothing was drawn: all instances of an exhaustive scope differ).
    """

    looked_at: int
    holds: int
    refuted: int
    vacuous: int
    undecided: int
    ratios: Mapping[str, float]
    distinct: int
    constructions: Mapping[str, int]

    @property
    def reached(self) -> int:
        return self.holds + self.refuted


@dataclass(frozen=True, slots=True)
class Replayed:
    """One stored certificate and what its replay found: of a counterexample without ``dropped``, to the stronger
    conclusion ``claim``, or (both None) to the statement."""

    dropped: str | None
    claim: str | None
    file: str
    origin: str
    size: str
    decided: str
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """Everything one run found about one theorem; ``failures`` is empty when its standing is confirmed.

    ``floating`` holds the counts of the check *stable* by decade of the condition number ("1e0" to "1e12").
    ``elements`` counts the sampled elements of the indeterminacy class that were attained (check *tight*).
    """

    name: str
    title: str
    reference: str
    statement: str
    standing: str
    digest: str
    sizes: tuple[str, ...]
    generated: Counted
    scope: Counted | None
    scope_description: str
    floating: Mapping[str, Counted]
    elements: int
    certificates: tuple[Replayed, ...]
    repaired_by: str | None
    failures: tuple[str, ...]
    seconds: float

    @classmethod
    def without(cls, theorem: Theorem[Any], trouble: str) -> Result:
        """What is said of a theorem that could not be examined: nothing was looked at, and ``trouble`` is why."""
        nothing = Counted(0, 0, 0, 0, 0, ratios={}, distinct=0, constructions={})
        return cls(
            name=theorem.name,
            title=theorem.title,
            reference=str(theorem.reference),
            statement=theorem.statement,
            standing=theorem.standing.value,
            digest=digest(theorem),
            sizes=(),
            generated=nothing,
            scope=None,
            scope_description=theorem.scope.description if theorem.scope else "",
            floating={},
            elements=0,
            certificates=(),
            repaired_by=theorem.repaired_by,
            failures=(trouble,),
            seconds=0.0,
        )

    @property
    def confirmed(self) -> bool:
        return not self.failures

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "confirmed": self.confirmed}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """Read back what :meth:`to_json` wrote."""
        fields = {key: value for key, value in data.items() if key != "confirmed"}
        fields["generated"] = Counted(**data["generated"])
        fields["floating"] = {decade: Counted(**counted) for decade, counted in data["floating"].items()}
        fields["scope"] = None if data["scope"] is None else Counted(**data["scope"])
        fields["certificates"] = tuple(
            Replayed(**{**c, "problems": tuple(c["problems"])}) for c in data["certificates"]
        )
        for name in ("sizes", "failures"):
            fields[name] = tuple(data[name])
        return cls(**fields)
