"""What the evidence supports, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import isnan

from theory.diagnosis.direction import Direction
from theory.diagnosis.distances import Distances
from theory.diagnosis.ranks import ModelSummary


class Support(Enum):
    """What the evidence supports.  The value is the wording used in the summary."""

    CONSISTENT = "consistent with linear equivalence"
    BOUNDED = "linear up to a bound"
    ONE_WAY = "linear one way, up to a bound"
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
    such a map, which only directions that labels do not see allow; an informative bound both ways, or one way; an
    answer that rounding hides; fitted maps no better than shuffled rows, on plenty of contexts; and else nothing can
    be told.
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
    kind, article = ("affine", "an") if directions[0].affine else ("linear", "a")
    sizes = "" if models[0].dim == models[1].dim else f" (dimensions {models[0].dim} and {models[1].dim})"
    exists = [d.map_exists.holds for d in directions]
    distributions = _distributions(distances)
    if all(exists):
        return Judgement(
            Support.CONSISTENT,
            f"an invertible {kind} map between the representations{sizes} exists up to rounding on all "
            f"{models[0].contexts} contexts; {distributions}",
        )
    free = "; ".join(filter(None, map(_free, models)))
    equal = distances.equal.holds if distances is not None else None
    if equal and False in exists:
        if free:
            reason = f"the distributions are equal up to rounding, but {free}, and there the representations differ"
        else:
            reason = (
                f"the distributions are equal up to rounding, but no {kind} map takes one representation to the other"
            )
        return Judgement(Support.NOT_EQUIVALENT, f"{reason}; {_fits(directions)}")
    hidden = " and ".join(d.hidden for d in directions if d.hidden)
    hides = f"rounding hides whether {article} {kind} map exists{': it may hide ' if hidden else ''}{hidden}"
    if equal:
        reason = f"{distributions}, {free or 'the labels are diverse'}, and {hides}"
        return Judgement(Support.CANNOT_TELL, f"{reason}; {_fits(directions)}")
    informative = [d for d in directions if d.best is not None and d.best.informative]
    said = "; ".join(_share(d) for d in informative)
    if len(informative) == len(directions):
        return Judgement(Support.BOUNDED, f"{said}; {distributions}")
    if informative:
        back = next(d for d in directions if d is not informative[0])
        return Judgement(Support.ONE_WAY, f"{said}; {_open(models, back)}; {distributions}")
    if hidden:
        return Judgement(Support.CANNOT_TELL, f"{hides}; {distributions}; {_fits(directions)}")
    if all(d.fitted.no_better for d in directions):
        reason = "the best affine maps do no better on held-out contexts than shuffled rows"
        scarce = next((d.fitted for d in directions if not d.fitted.plenty), None)
        support = Support.NOT_EQUIVALENT
        if scarce is not None:
            support = Support.CANNOT_TELL
            reason += (
                f", but {scarce.separate} {'groups' if scarce.separate < scarce.fit_on else 'contexts'} to fit on are "
                f"too few to tell that from a relation blurred by the error of the fit ({scarce.needed} are needed)"
            )
        return Judgement(support, f"{reason}: {_fits(directions)}; {distributions}")
    return Judgement(Support.CANNOT_TELL, f"{_silent(models, directions, free)}; {distributions}; {_fits(directions)}")


def _share(direction: Direction) -> str:
    best = direction.best
    assert best is not None  # only informative bounds are worded
    errs = f"errs by {best.relative_error:.2g} of its spread, at most by {best.relative_bound:.2g}"
    return f"f({direction.target}) predicted from f({direction.source}) {errs}"


def _open(models: tuple[ModelSummary, ModelSummary], direction: Direction) -> str:
    """Why one direction has no informative bound, where the other has."""
    source, target = (next(m for m in models if m.name == n) for n in (direction.source, direction.target))
    best = direction.best
    if target.f.rank > source.dim:
        most = f"at most {source.dim} of the {target.f.rank} dimensions of f({target.name})"
        why = f"f({source.name}) has dimension {source.dim}, so a map gives {most}"
    elif best is not None:
        why = f"its bound is vacuous, {best.relative_bound:.3g} times the spread of f({target.name})"
    elif free := _free(target):
        why = f"it has no bound: {free}"
    else:
        why = f"it has no bound: rounding does not decide whether the label differences of {target.name} are invertible"
    return f"the other way, from f({source.name}) to f({target.name}), is open: {why}"


def _fits(directions: tuple[Direction, Direction]) -> str:
    parts = [
        f"{d.source} to {d.target} {_r2(d.fitted.affine_r2)} (shuffled: at most {_r2(d.fitted.chance)})"
        + ("" if d.fitted.determined else ", too few contexts to fit on")
        for d in directions
    ]
    return "held-out R² of the fitted map " + ", ".join(parts)


def _r2(value: float) -> str:
    return "undefined" if isnan(value) else f"{value:.3f}"


def _distributions(distances: Distances | None) -> str:
    if distances is None:
        return "nothing is known of the distributions"
    if distances.equal.holds:
        return "the distributions are equal up to rounding"
    level = "differ" if distances.equal.holds is False else "may differ"
    return f"the distributions {level}, by a mean KL of {distances.kl_forward.mean():.3g} nats"


def _free(model: ModelSummary) -> str:
    """The directions that a model's labels do not see, in words; empty where they see all or are unknown."""
    ranks = model.label_differences
    if ranks is None or ranks.full:
        return ""
    few = f"K = {model.labels} labels are too few, and " if model.few_labels else ""
    return f"{few}the label differences of {model.name} see {ranks} dimensions, so the rest is free"


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
