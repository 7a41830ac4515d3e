"""The result of :func:`theory.diagnosis.diagnose`: everything found, as rows, text, HTML and plain numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from theory.best_pairs import BestPairs
from theory.diagnosis import rows as told
from theory.diagnosis.assumed import Examined
from theory.diagnosis.direction import Direction
from theory.diagnosis.distances import Distances
from theory.diagnosis.judged import Judgement
from theory.diagnosis.plain import plain
from theory.diagnosis.ranks import ModelSummary
from theory.display import table


@dataclass(frozen=True, slots=True, eq=False)
class Diagnosis:
    """What was found on two trained models, called ``names``; f', g' are the first's, f*, g* the second's.

    ``distances`` and ``theorems`` are None and empty where a g is missing.  ``directions`` are first to second and
    second to first.  ``joint_pairs`` are M label pairs that serve both models, where the dimensions are equal.
    """

    names: tuple[str, str]
    models: tuple[ModelSummary, ModelSummary]
    distances: Distances | None
    directions: tuple[Direction, Direction]
    theorems: tuple[Examined, ...]
    judgement: Judgement
    joint_pairs: BestPairs | None

    @property
    def summary(self) -> str:
        """One sentence on what the evidence supports."""
        return f"{self.names[0]} and {self.names[1]}: {self.judgement}."

    def rows(self) -> list[told.Row]:
        """Every number as (section, quantity, value, unit, computed from)."""
        return told.rows(self.models, self.distances, self.directions, self.theorems)

    def table(self) -> str:
        """Plain text: the summary, then a section for models, distributions, each direction and the theorems."""
        return told.text(self.summary, self.rows())

    def to_json(self) -> dict[str, Any]:
        """Plain numbers, strings, lists and dicts; arrays over contexts as mean, max and where; no matrices.

        What is not a finite number is None.
        """
        return {"summary": self.summary, **plain(self)}

    def __repr__(self) -> str:
        return f"<Diagnosis {self.summary}>"

    def _repr_html_(self) -> str:
        head = ("", "quantity", "value", "unit", "computed from")
        return table(self.summary, [tuple(row) for row in self.rows()], head)
