"""What the evidence supports, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from theory.diagnosis.direction import Direction
from theory.diagnosis.distances import Distances
from theory.diagnosis.ranks import ModelSummary


class Support(Enum):
    """What the evidence supports.  The value is the wording used in the summary."""

    CONSISTENT = "consistent with linear equivalence"
    BOUNDED = "linear up to a bound"
    NOT_EQUIVALENT = "not linearly equivalent"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The support and the reason, which names the numbers that decided."""

    support: Support
    reason: str

    def __str__(self) -> str:
        return f"{self.support.value}: {self.reason}"


def judge(
    models: tuple[ModelSummary, ModelSummary], directions: tuple[Direction, Direction], distances: Distances | None
) -> Judgement:
    """The first of these that applies decides.

    A bound violated or too few contexts; an invertible map that exists up to rounding; equal distributions without
    such a map, which only directions that labels do not see allow; an informative bound; fitted maps no better than
    shuffled rows; and else nothing can be told.
    """
    held = [d for d in directions if d.predicted is not None or d.from_all is not None]
    broken = [a.words for d in held for a in (d.predicted, d.from_all) if a is not None and a.violated]
    if broken:
        return Judgement(Support.CANNOT_TELL, broken[0])
    if not all(d.told for d in directions):
        return Judgement(
            Support.CANNOT_TELL,
            f"{models[0].contexts} contexts are too few: there any two representations are linearly related",
        )
    kind = "affine" if directions[0].affine else "linear"
    sizes = "" if models[0].dim == models[1].dim else f" (dimensions {models[0].dim} and {models[1].dim})"
    exists = [d.map_exists.holds for d in directions]
    distributions = _distributions(distances)
    if all(exists):
        return Judgement(
            Support.CONSISTENT,
            f"an invertible {kind} map between the representations{sizes} exists up to rounding on all "
            f"{models[0].contexts} contexts; {distributions}",
        )
    free = _free(models)
    equal = distances.equal.holds if distances is not None else None
    if equal and False in exists:
        if free:
            reason = f"the distributions are equal up to rounding, but {free}, and there the representations differ"
        else:
            reason = (
                f"the distributions are equal up to rounding, but no {kind} map takes one representation to the other"
            )
        return Judgement(Support.NOT_EQUIVALENT, f"{reason}; {_fits(directions)}")
    if equal:
        reason = f"{distributions}, {free or 'the labels are diverse'}, and rounding hides whether a {kind} map exists"
        return Judgement(Support.CANNOT_TELL, f"{reason}; {_fits(directions)}")
    informative = [d for d in directions if d.best is not None and d.best.informative]
    if informative:
        said = "; ".join(_share(d) for d in informative)
        return Judgement(Support.BOUNDED, f"{said}; {distributions}")
    if all(d.fitted.determined and not d.fitted.above_chance for d in directions):
        return Judgement(
            Support.NOT_EQUIVALENT,
            f"the best {kind} maps do no better on held-out contexts than shuffled rows: {_fits(directions)}; "
            f"{distributions}",
        )
    return Judgement(Support.CANNOT_TELL, f"{_silent(models, directions, free)}; {distributions}; {_fits(directions)}")


def _share(direction: Direction) -> str:
    best = direction.best
    assert best is not None  # only informative bounds are worded
    errs = f"errs by {best.relative_error:.2g} of its spread, at most by {best.relative_bound:.2g}"
    return f"f({direction.target}) predicted from f({direction.source}) {errs}"


def _fits(directions: tuple[Direction, Direction]) -> str:
    parts = [
        f"{d.source} to {d.target} {d.fitted.affine_r2:.3f} (shuffled: at most {d.fitted.chance:.3f})"
        + ("" if d.fitted.determined else ", too few contexts to fit on")
        for d in directions
    ]
    return "held-out R² of the fitted map " + ", ".join(parts)


def _distributions(distances: Distances | None) -> str:
    if distances is None:
        return "nothing is known of the distributions"
    if distances.equal.holds:
        return "the distributions are equal up to rounding"
    level = "differ" if distances.equal.holds is False else "may differ"
    return f"the distributions {level}, by a mean KL of {distances.kl_forward.mean():.3g} nats"


def _free(models: tuple[ModelSummary, ModelSummary]) -> str:
    """The directions that labels do not see, in words; empty where they see all."""
    said: list[str] = []
    for model in models:
        ranks = model.label_differences
        if ranks is None or ranks.full:
            continue
        few = f"K = {model.labels} labels are too few, and " if model.few_labels else ""
        said.append(f"{few}the label differences of {model.name} see {ranks} dimensions, so the rest is free")
    return "; ".join(said)


def _silent(models: tuple[ModelSummary, ModelSummary], directions: tuple[Direction, Direction], free: str) -> str:
    missing = [m.name for m in models if m.label_differences is None]
    if missing:
        return f"theory says nothing without g, which is missing for {' and '.join(missing)}: only similarity is left"
    if free:
        return free
    bounds = ", ".join(
        f"{d.source} to {d.target} {d.best.relative_bound:.3g}" for d in directions if d.best is not None
    )
    if not bounds:
        return "rounding does not decide whether the label differences are invertible, so theory gives no bound"
    return f"theory's bound is vacuous (times the spread of f: {bounds})"
