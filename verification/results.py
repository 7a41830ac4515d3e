"""Results: what one run says about one theorem, as plain data that survives processes and goes into the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

SCHEMA = "linear-identifiability/report/1"


@dataclass(frozen=True, slots=True)
class Counted:
    """How many instances were looked at, how many met every assumption, and what they said.

    ``worst_ratio`` is the largest error/bound of a conclusion, or None where every decision was exact.
    """

    looked_at: int
    holds: int
    refuted: int
    vacuous: int
    undecided: int
    worst_ratio: float | None
    constructions: Mapping[str, int]

    @property
    def reached(self) -> int:
        return self.holds + self.refuted


@dataclass(frozen=True, slots=True)
class Replayed:
    """One stored certificate and what its replay found; ``dropped`` is None for a refutation of the statement."""

    dropped: str | None
    file: str
    origin: str
    size: str
    decided: str
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """Everything one run found about one theorem; ``failures`` is empty when its standing is confirmed."""

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
    certificates: tuple[Replayed, ...]
    repaired_by: str | None
    failures: tuple[str, ...]
    seconds: float

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
        fields["scope"] = None if data["scope"] is None else Counted(**data["scope"])
        fields["certificates"] = tuple(
            Replayed(**{**c, "problems": tuple(c["problems"])}) for c in data["certificates"]
        )
        for name in ("sizes", "failures"):
            fields[name] = tuple(data[name])
        return cls(**fields)
