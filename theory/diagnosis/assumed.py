"""The theorems of the softmax family on a pair of trained models: each assumption asked of the theory's own predicates.

A pair of trained models is too large for an instance with all its labels and contexts: its candidate sets alone are
millions of numbers.  So each predicate gets an instance on which it has the answer that it has on all: where it asks of
candidate sets and pairs, the contexts and labels of :meth:`Candidates.reduced`; where it asks of f, all contexts and
the labels of the pairs; where it asks of biases, one context and all labels.  Equal distributions are asked block by
block (:mod:`theory.diagnosis.distances`), and ``near`` by its own δ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from theory.assumptions import labels_joined
from theory.diagnosis.alignment import predicted_map
from theory.diagnosis.candidates import Candidates, relabelled, used
from theory.diagnosis.trained import TrainedModel
from theory.evidence import Evidence
from theory.log_probabilities import NearPair
from theory.models import AffinelyAlignedPair, AlignedPair, LabelPair, Model, ModelPair, full_candidate_sets
from theory.theorem import Assumption, Standing, Theorem

#: The instances that a pair of models makes.
PAIRS = (ModelPair, NearPair, AlignedPair, AffinelyAlignedPair)

#: Predicates that ask of f at all contexts, and of labels only through the pairs.
OF_CONTEXTS = ("left_spans", "star_spans", "star_spans_affinely", "aligned")

#: Predicates that ask of candidate sets, pairs, and of the matrices of the pairs.
OF_PAIRS = (
    "pairs_seen", "pairs_joined", "common_pairs", "chained", "linked", "labels_joined", "left_invertible",
    "right_invertible", "alignment_invertible",
)  # fmt: skip

#: Theorems that take the distance of the distributions in their stride.
QUANTITATIVE = ("logit_distance_bound", "stability")

#: ``labels_tied`` is asked of the whole pair up to this many entries in its system of conditions.
MOST_CONDITIONS = 4_000_000


@dataclass(frozen=True, slots=True)
class Assumed:
    """One assumption: ``answer`` is holds, fails, undecided or approximate, and ``number`` what decided it.

    *Approximate* stands where the theorem takes the size of the defect as its δ, so that it holds with the δ measured.
    """

    name: str
    statement: str
    answer: str
    number: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Examined:
    """One theorem: does it ``apply`` (None where an assumption is undecided), and what follows.

    ``pairs`` are the label pairs that it was asked with.
    """

    theorem: str
    standing: Standing
    assumptions: tuple[Assumed, ...]
    applies: bool | None
    consequence: str
    pairs: tuple[LabelPair, ...]

    @property
    def failing(self) -> tuple[str, ...]:
        return tuple(a.name for a in self.assumptions if a.answer == "fails")


@dataclass(slots=True)
class Instances:
    """The instances of one choice of label pairs, made when asked for.  ``pairs`` is empty where there are none."""

    prime: TrainedModel
    star: TrainedModel
    candidates: Candidates
    pairs: tuple[LabelPair, ...]
    made: dict[str, Any] = field(default_factory=dict)
    answers: dict[tuple[str, type], Evidence] = field(default_factory=dict)

    def of_pairs(self) -> ModelPair:
        if "pairs" not in self.made:
            contexts, labels, sets = self.candidates.reduced(self.pairs)
            self.made["pairs"] = self._pair(contexts, labels, sets)
        return self.made["pairs"]

    def of_contexts(self) -> ModelPair:
        if "contexts" not in self.made:
            labels = used(self.pairs) or [0, 1]
            sides = [model.as_model(labels=labels) for model in (self.prime, self.star)]
            self.made["contexts"] = ModelPair(sides[0], sides[1], full_candidate_sets(self.star.contexts, len(labels)))
        return self.made["contexts"]

    def of_labels(self) -> ModelPair:
        sets = full_candidate_sets(1, self.star.labels)
        sides = [model.as_model([0]) for model in (self.prime, self.star)]
        # The predicate compares biases exactly; one that is constant up to rounding is none.
        prime, star = (
            side if model.biased else Model(side.f, side.g)
            for side, model in zip(sides, (self.prime, self.star), strict=True)
        )
        return ModelPair(prime, star, sets)

    def whole(self) -> ModelPair:
        labels = self.star.labels
        sets: list[tuple[tuple[int, ...], ...]] = [()] * self.star.contexts
        for group in self.candidates.groups:
            for x in group.contexts:
                sets[x] = group.sets
        return self._pair(None, range(labels), tuple(sets))

    def _pair(self, contexts: Sequence[int] | None, labels: Sequence[int], sets: Any) -> ModelPair:
        sides = [model.as_model(contexts, labels) for model in (self.prime, self.star)]
        chosen = (relabelled(self.pairs, labels),) * len(sets) if self.pairs else ()
        return ModelPair(sides[0], sides[1], sets, chosen)

    def aligned(self, pair: ModelPair, kind: type) -> ModelPair | None:
        """The pair with the predicted alignment, where the theorem is about one; None where none is predicted."""
        if kind not in (AlignedPair, AffinelyAlignedPair):
            return pair
        if "alignment" not in self.made:
            self.made["alignment"] = predicted_map(self.star, self.prime, self.pairs) if self.pairs else None
        if self.made["alignment"] is None:
            return None
        parts = (pair.prime, pair.star, pair.candidate_sets, pair.label_pairs)
        A, c = self.made["alignment"]
        if kind is AlignedPair:
            return AlignedPair(*parts, alignment=A)
        return AffinelyAlignedPair(*parts, alignment=A, offset=c)


def ask(assumption: Assumption[Any], instances: Instances, kind: type) -> Evidence:
    """The theory's evidence for one assumption other than equal distributions and ``near``."""
    key = (assumption.name, kind)
    if key not in instances.answers:
        instances.answers[key] = _asked(assumption, instances, kind)
    return instances.answers[key]


def _asked(assumption: Assumption[Any], instances: Instances, kind: type) -> Evidence:
    name = assumption.name
    if name == "labels_tied":
        return _tied(assumption, instances, kind)
    if name == "no_bias":
        pair = instances.of_labels()
        kind = ModelPair  # A plays no part
    elif name in OF_CONTEXTS:
        pair = instances.of_contexts()
    elif name in OF_PAIRS:
        pair = instances.of_pairs()
    else:
        return Evidence(name, math.nan, "not asked of trained models")
    given = instances.aligned(pair, kind if name.startswith("align") else ModelPair)
    return _none_predicted(name) if given is None else assumption.evidence(given)


def _none_predicted(name: str) -> Evidence:
    return Evidence(name, math.inf, "no alignment is predicted, as no label pairs are invertible: missing maps")


def _tied(assumption: Assumption[Any], instances: Instances, kind: type) -> Evidence:
    """Where all labels are joined at every context nothing is missing; else the system is solved if it is small."""
    found = ask(labels_joined, instances, ModelPair)
    if found.holds:
        return found.named(assumption.name)
    contexts, labels, dim = instances.star.contexts, instances.star.labels, instances.star.dim
    if (contexts * labels) * (labels * (dim + 1)) > MOST_CONDITIONS:
        return Evidence(assumption.name, math.nan, "too many conditions to solve where labels are not all joined")
    return assumption.evidence(instances.whole())


def examine(
    theorem: Theorem[Any], instances: Instances, equal: Evidence, disagreement: float, delta: float, quantity: str
) -> Examined:
    """All assumptions of one theorem and what follows.  ``quantity`` says what the quantitative versions give."""
    assumptions = tuple(_one(a, theorem, instances, equal, disagreement, delta) for a in theorem.assumptions)
    failing = [a for a in assumptions if a.answer == "fails"]
    unsure = [a for a in assumptions if a.answer == "undecided"]
    applies = False if failing else (None if unsure else True)
    if theorem.standing is Standing.REFUTED:
        return Examined(
            theorem.name, theorem.standing, assumptions, False,
            f"nothing follows: refuted as stated, see {theorem.repaired_by}", instances.pairs,
        )  # fmt: skip
    if failing:
        said = "does not apply: " + "; ".join(f"{a.name} fails ({a.number})" for a in failing)
        names = {a.name for a in failing}
        if theorem.name in QUANTITATIVE and names == {"no_bias"} and quantity:
            said += f"; but it does with an offset c for the biases: {quantity}"
        elif "equal_distributions" in names and quantity:
            said += f"; the quantitative versions (logit_distance_bound, stability) do: {quantity}"
    elif unsure:
        said = "cannot tell: " + "; ".join(f"{a.name} is undecided ({a.number})" for a in unsure)
    elif theorem.name in QUANTITATIVE:
        said = f"applies: {quantity}"
    else:
        said = f"applies: {theorem.indeterminacy}"
    return Examined(theorem.name, theorem.standing, assumptions, applies, said, instances.pairs)


def _one(
    assumption: Assumption[Any], theorem: Theorem[Any], instances: Instances, equal: Evidence, disagreement: float,
    delta: float,
) -> Assumed:  # fmt: skip
    name = assumption.name
    if name == "equal_distributions":
        number = f"largest disagreement between logit differences {disagreement:.3g}"
        return Assumed(name, assumption.statement, equal.answer, number, equal)
    if name == "near":
        known = math.isfinite(delta)
        evidence = Evidence(name, delta if known else math.nan, "largest |log p' - log p*|", math.inf, math.inf)
        answer = "approximate" if known else "undecided"
        return Assumed(name, assumption.statement, answer, f"with δ = {delta:.3g}, as measured", evidence)
    evidence = ask(assumption, instances, theorem.instance_type)
    return Assumed(name, assumption.statement, evidence.answer, _number(evidence), evidence)


def _number(evidence: Evidence) -> str:
    values = evidence.witness.get("singular_values")
    if values is not None and len(values):
        if math.isinf(evidence.value) and values[-1] > 0:
            return f"{len(values)} dimensions, which are too few, the smallest singular value being {values[-1]:.3g}"
        return f"smallest singular value {values[-1]:.3g} of {len(values)}, {evidence.detail} {evidence.value:.2g}"
    return f"{evidence.detail} {float(evidence.value):.3g}" if not np.isnan(float(evidence.value)) else evidence.detail
