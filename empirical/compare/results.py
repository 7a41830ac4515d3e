"""What a comparison found: numbers and sentences, before any of it is written out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from empirical.arrays import LoadedModel
from empirical.compare.numbers import short

if TYPE_CHECKING:
    from empirical.similarity import Rank
    from theory.diagnosis import Diagnosis


@dataclass(frozen=True, slots=True)
class Row:
    """One measure of one pair: on all rows, and fitted on some rows and judged on others.

    ``value`` is on all rows; ``held_out`` on held-out rows with the interval from ``low`` to ``high``; ``chance`` what
    held-out rows give when the pairing is permuted, and ``p`` how often that reaches ``held_out`` in ``permutations``.
    ``values`` and ``held_out_values`` are their parts, such as all canonical correlations.
    A measure that was ``refused`` has its reason there and no numbers; one that was not judged on held-out rows has it
    in ``unjudged``.  None stands for a number that is not there.
    """

    measure: str
    value: float | None = None
    held_out: float | None = None
    low: float | None = None
    high: float | None = None
    chance: float | None = None
    p: float | None = None
    permutations: int | None = None
    convention: str = ""
    invariance: str = ""
    values: tuple[float, ...] = ()
    held_out_values: tuple[float, ...] = ()
    warnings: tuple[str, ...] = ()
    refused: str = ""
    unjudged: str = ""

    @property
    def judged(self) -> bool:
        """Is there a value that can be told from chance, or an interval?"""
        return self.held_out is not None or self.low is not None


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two models compared.  ``undiagnosed`` is why there is no diagnosis where there is none."""

    names: tuple[str, str]
    rows: tuple[Row, ...]
    ranks: tuple[Rank, Rank] | None
    spectra: tuple[tuple[float, ...], tuple[float, ...]]
    chance_correlations: tuple[float, ...]
    diagnosis: Diagnosis | None
    undiagnosed: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """A measure of each of some models or layers (rows) with each of others (columns), on all rows of the data.

    ``sides`` are those of the layers, or empty where models are compared.  ``chance`` is the same with the rows of
    one side permuted once.  None stands where it was refused, and ``refused`` is the first reason.
    """

    measure: str
    sides: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    chance: tuple[tuple[float | None, ...], ...]
    refused: str = ""

    @property
    def heading(self) -> str:
        """What is compared, and the range of what chance gives."""
        of = f", {self.sides[0]} (rows) and {self.sides[1]} (columns)" if self.sides else ""
        found = [value for row in self.chance for value in row if value is not None]
        chance = f"; rows permuted: {short(min(found))} to {short(max(found))}" if found else ""
        return f"{self.measure}{of}{chance}"

    @property
    def computed(self) -> bool:
        return any(value is not None for row in self.values for value in row)


@dataclass(frozen=True, slots=True)
class Options:
    """What the user chose."""

    seed: int = 0
    variance: float = 0.99
    resamples: int = 499
    groups: str = ""
    label_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that a report shows."""

    sides: tuple[str, ...]
    models: tuple[LoadedModel, ...]
    options: Options
    group_count: int | None
    matrices: tuple[Matrix, ...] = ()
    pairs: tuple[PairResult, ...] = ()
    notes: tuple[str, ...] = ()
    sentence: str = ""
