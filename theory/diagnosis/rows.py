"""A diagnosis as rows of a table: what it is, its value, its unit, and what it was computed from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import isnan
from typing import NamedTuple

from theory.arithmetic.floating import Array
from theory.best_pairs import BestPairs
from theory.diagnosis.alignment import Alignment
from theory.diagnosis.assumed import Examined
from theory.diagnosis.direction import Direction
from theory.diagnosis.distances import Distances
from theory.diagnosis.ranks import ModelSummary


class Row(NamedTuple):
    """One line of the table.  All are strings for people."""

    section: str
    quantity: str
    value: str
    unit: str
    source: str


def rows(
    models: Sequence[ModelSummary],
    distances: Distances | None,
    directions: Sequence[Direction],
    theorems: Sequence[Examined],
) -> list[Row]:
    """All rows, section by section."""
    found = [row for model in models for row in _model(model)]
    if distances is not None:
        found += _distances(distances)
    found += [row for direction in directions for row in _direction(direction)]
    for theorem in theorems:
        answers = ", ".join(f"{a.name} {a.answer}" for a in theorem.assumptions)
        found.append(Row("theorems", theorem.theorem, theorem.consequence, "", answers))
    return found


def text(summary: str, found: Sequence[Row]) -> str:
    """Plain text in aligned columns; long values are on the line of their quantity."""
    lines = [summary]
    for section, members in groupby(found, key=lambda row: row.section):
        kept = list(members)
        width = max(len(row.quantity) for row in kept)
        lines += ["", section]
        for row in kept:
            value = f"{row.value} {row.unit}".rstrip()
            source = f"  [{row.source}]" if row.source else ""
            lines.append(f"  {row.quantity:<{width}}  {value}{source}")
    return "\n".join(lines)


def _number(value: float) -> str:
    return f"{value:.4g}"


def _over_contexts(values: Array) -> str:
    return f"mean {_number(float(values.mean()))}, max {_number(float(values.max()))}"


def _model(model: ModelSummary) -> Iterator[Row]:
    section = f"model {model.name}"
    bias = ", biased" if model.biased else ""
    yield Row(section, "size", f"{model.contexts} contexts, {model.labels} labels, M = {model.dim}{bias}", "", "shapes")
    yield Row(
        section, "spread of f", _number(model.spread), "", "in units of f; root mean square distance from the mean"
    )
    yield Row(section, "rank of f", str(model.f), "", f"f, centred; margin {model.f.margin:.2g}")
    ranks = model.label_differences
    if ranks is None:
        yield Row(section, "labels", "g is missing", "", "")
        return
    source = f"g, centred; tolerance {ranks.tolerance:.2g}, margin {ranks.margin:.2g}"
    yield Row(section, "rank of label differences", str(ranks), "", source)
    sigma = f"σ_min {_number(ranks.sigma_min)}, σ_max {_number(ranks.sigma_max)}"
    yield Row(section, "all label differences", sigma, "in units of g", "g, centred")
    if model.with_bias is not None:
        yield Row(section, "rank with the bias", str(model.with_bias), "", "[g | bias], centred")
    if model.few_labels:
        said = f"K = {model.labels} <= M = {model.dim}: no M label pairs can be diverse"
        yield Row(section, "few labels", said, "", "theorem few_labels")
    value = _pairs(model.best) if model.best is not None else f"none: {model.no_pairs}"
    yield Row(section, "best M label pairs", value, "in units of g" if model.best else "", "best_pairs")


def _pairs(best: BestPairs) -> str:
    return f"{len(best.pairs)} pairs, σ_min {_number(best.sigma_min[0])}, condition {_number(best.condition[0])}"


def _distances(found: Distances) -> Iterator[Row]:
    section = "distributions"
    yield Row(section, "KL(p' || p*)", _over_contexts(found.kl_forward), "nats", "logits, per context")
    yield Row(section, "KL(p* || p')", _over_contexts(found.kl_backward), "nats", "logits, per context")
    yield Row(section, "largest |log p'/p*|", _over_contexts(found.log_ratio), "nats", "logits, over labels")
    yield Row(
        section, "centred logit distance", _over_contexts(found.centred), "logits", "root mean square over labels"
    )
    yield Row(section, "largest disagreement", _over_contexts(found.disagreement), "logits", "logit differences")
    value = float(found.equal.value)
    said = found.equal.detail if isnan(value) else f"{found.equal.detail} {value:.3g}"
    yield Row(section, "equal", found.equal.answer, "", said)


def _direction(found: Direction) -> Iterator[Row]:
    section = f"{found.source} to {found.target}"
    offset = " + c" if found.affine else ""
    fitted = found.fitted
    kind = "affine" if found.affine else "linear"
    answer = {True: "exists", False: "does not exist", None: "undecided"}[found.map_exists.holds]
    said = answer if found.told else f"{answer}, as on so few contexts it must"
    if found.hidden:
        said = f"{answer}: rounding may hide {found.hidden}"
    yield Row(section, f"exact {kind} map", said, "", "all contexts, up to rounding")
    parts = f"{fitted.fit_on} contexts, judged on {fitted.judged_on}"
    yield Row(section, "fitted, linear: held-out R²", _number(fitted.linear_r2), "", parts)
    yield Row(section, "fitted, affine: held-out R²", _number(fitted.affine_r2), "", parts)
    yield Row(section, "shuffled: held-out R²", f"at most {_number(fitted.chance)}", "", "99 shuffles of the rows")
    for alignment, apart in ((found.predicted, found.difference), (found.from_all, found.difference_from_all)):
        if alignment is not None:
            yield from _alignment(section, alignment, offset, apart)
    if found.predicted is None and found.from_all is None:
        yield Row(section, "predicted", "nothing: no label differences to predict from", "", "")
        return
    if found.predicted is not None:
        said = f"{_number(found.stability_bound)} with δ = {_number(found.delta)} nats"
        yield Row(section, "stability: error at most", said, f"in units of f({found.target})", "2 δ √M / σ_min")


def _alignment(section: str, found: Alignment, offset: str, apart: tuple[float, float]) -> Iterator[Row]:
    source = found.differences
    seen = "" if found.seen == found.dim else f"of the {found.seen} of {found.dim} dimensions seen"
    yield Row(section, f"predicted A f{offset}", f"from {source}", "", f"A = G⁺ G', G: {source}")
    yield Row(section, "  held-out R²", _number(found.held_out_r2), seen, source)
    yield Row(section, "  Δu along them", _over_contexts(found.gap), "logits (norm)", source)
    yield Row(section, "  error", _over_contexts(found.error), "in units of f", source)
    yield Row(section, "  bound", _over_contexts(found.bound), "in units of f", f"‖Δu‖ / {_number(found.sigma_min)}")
    relative = f"error {_number(found.relative_error)}, bound {_number(found.relative_bound)}"
    yield Row(section, "  over the spread", relative, "root mean squares", found.words)
    used = f"largest {_number(found.largest_ratio)}, median slack {_number(found.median_slack)}"
    if isnan(found.largest_ratio):
        used = "nothing above rounding"
    difference = f"{_number(apart[0])} as matrices, {_number(apart[1])} on the contexts"
    yield Row(section, "  difference from fitted", difference, "of the fitted", f"{source}, Frobenius norms")
    rounding = f"rounding allows {_number(float(found.allowance.max()))} more"
    yield Row(section, "  error / bound", used, "", rounding)
