"""The diagnosis of two trained models: everything computed once, in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from theory.best_pairs import BestPairs
from theory.catalogue import catalogue
from theory.diagnosis.alignment import from_all_labels, from_pairs
from theory.diagnosis.assumed import PAIRS, Examined, Instances, examine
from theory.diagnosis.candidates import Candidates, used
from theory.diagnosis.diagnosis import Diagnosis
from theory.diagnosis.direction import Direction, direct
from theory.diagnosis.distances import Distances, measure
from theory.diagnosis.fitted import fit, halves
from theory.diagnosis.judged import judge
from theory.diagnosis.ranks import ModelSummary, chosen_pairs, summarise
from theory.diagnosis.trained import LARGEST, SMALLEST, TrainedModel
from theory.models import CandidateSets, ModelPair


def diagnose(
    prime: TrainedModel,
    star: TrainedModel,
    *,
    candidate_sets: CandidateSets | None = None,
    held_out: float = 0.5,
    seed: int = 0,
    groups: Sequence[object] | None = None,
    names: tuple[str, str] = ("A", "B"),
) -> Diagnosis:
    """What theory says about two trained models on the same contexts and labels; dimensions may differ.

    ``prime`` plays f', g' and ``star`` f*, g* in every theorem; ``names`` are theirs.  ``candidate_sets`` lists, for
    each context, the sets of labels that the softmax runs over (None: all labels, as in classification).  Maps are
    fitted on a share 1 - ``held_out`` of the contexts and judged on the rest; ``groups`` (contexts,) names
    contexts that belong together and are not split.  ``seed`` draws the split and the shuffles.

    Without g in either model only the representations are compared.  Raises ``ValueError`` when the models have other
    contexts or labels, or arrays of sizes too far apart, and for candidate sets, groups or a share that do not fit.
    """
    _check(prime, star, names)
    known = prime.g is not None and star.g is not None
    if candidate_sets is not None and not known:
        raise ValueError("there are candidate sets but not the g of both models: give both, or leave the sets out")
    if candidate_sets is not None:
        ModelPair(prime.as_model(), star.as_model(), candidate_sets)  # raises where they do not fit
    candidates = Candidates.of(candidate_sets, prime.contexts, prime.labels) if known else None
    among = candidates.common() if candidates else None
    models = (summarise(prime, names[0], among), summarise(star, names[1], among))
    joint = chosen_pairs([prime.g, star.g], among)[0] if prime.g is not None and star.g is not None else None

    distances = None
    if candidates is not None:
        chosen = {"joint": joint, "prime": models[0].best, "star": models[1].best}
        watch = {name: used(best.pairs) for name, best in chosen.items() if best is not None}
        distances = measure(prime, star, candidates, watch)

    tested = halves(prime.contexts, held_out, seed, groups)
    directions: list[Direction] = []
    for names_, sides, summary, role in (
        (names, (prime, star), models[1], "star"),
        (names[::-1], (star, prime), models[0], "prime"),
    ):
        pairs = summary.best if distances is not None else None
        predicted = from_pairs(*sides, pairs.pairs, tested) if pairs is not None else None
        from_all = None
        if distances is not None and summary.label_differences is not None:
            from_all = from_all_labels(*sides, distances, summary.label_differences.rank, tested)
        fitted = fit(sides[0].f, sides[1].f, tested, seed, groups)
        delta = _delta(distances, role)
        directions.append(direct((names_[0], names_[1]), sides, pairs, (predicted, from_all), fitted, delta))
    both = (directions[0], directions[1])
    theorems = () if candidates is None or distances is None else _theorems(
        prime, star, candidates, distances, joint, models, both
    )  # fmt: skip
    return Diagnosis(names, models, distances, both, theorems, judge(models, both, distances), joint)


def _check(prime: TrainedModel, star: TrainedModel, names: tuple[str, str]) -> None:
    if len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"names is {names!r}: give two different names, one for each model")
    if prime.contexts != star.contexts:
        raise ValueError(
            f"{names[0]} has {prime.contexts} contexts and {names[1]} has {star.contexts}: row i of both f must be the "
            "same input"
        )
    if prime.g is not None and star.g is not None and prime.labels != star.labels:
        raise ValueError(
            f"{names[0]} has {prime.labels} labels and {names[1]} has {star.labels}: row y of both g must be the same "
            "label"
        )
    for name in ("f", "g"):
        arrays = [getattr(model, name) for model in (prime, star)]
        sizes = [float(np.abs(array).max()) for array in arrays if array is not None]
        # The maps between the models are about as large as this ratio.
        if len(sizes) == 2 and all(sizes) and not SMALLEST <= sizes[0] / sizes[1] <= LARGEST:
            raise ValueError(
                f"the largest entries of {name} are {sizes[0]:.3g} in {names[0]} and {sizes[1]:.3g} in {names[1]}: "
                f"their ratio must lie between {SMALLEST:g} and {LARGEST:g}; rescale one model by a power of two"
            )


def _delta(distances: Distances | None, role: str) -> float:
    if distances is None or role not in distances.watched:
        return float("nan")
    return float(np.max(distances.watched[role]))


def _theorems(
    prime: TrainedModel,
    star: TrainedModel,
    candidates: Candidates,
    distances: Distances,
    joint: BestPairs | None,
    models: tuple[ModelSummary, ModelSummary],
    directions: tuple[Direction, Direction],
) -> tuple[Examined, ...]:
    """Every theorem about a pair of models, each with pairs that suit what it inverts.

    Pairs good for both models where there are any; else those of the model whose matrix the theorem inverts.
    """
    roles: dict[str, BestPairs | None] = {"joint": joint, "prime": models[0].best, "star": models[1].best}
    made: dict[str, Instances] = {}
    found: list[Examined] = []
    disagreement = float(distances.disagreement.max())
    for theorem in catalogue().values():
        if theorem.instance_type not in PAIRS:
            continue
        asked = {a.name for a in theorem.assumptions}
        wanted = {name for name in ("left_invertible", "right_invertible") if name in asked}
        order = ["joint", "star", "prime"] if wanted == {"right_invertible"} else ["joint", "prime", "star"]
        if len(wanted) == 1:
            order = order[1:]  # one side is inverted: its own pairs are better than those for both
        role = next((name for name in order if roles[name] is not None), "none")
        if role not in made:
            best = roles.get(role)
            made[role] = Instances(prime, star, candidates, best.pairs if best else ())
        delta = _delta(distances, role)
        into_star = wanted == {"right_invertible"}
        quantity = _quantity(directions[0] if into_star else directions[1], theorem.name)
        found.append(examine(theorem, made[role], distances.equal, disagreement, delta, quantity))
    return tuple(found)


def _quantity(direction: Direction, theorem: str) -> str:
    """What the bound says in one direction; empty where there is none."""
    predicted = direction.predicted
    if predicted is None:
        return ""
    image = f"A f({direction.source})"
    said = f"‖f({direction.target}) - {f'({image} + c)' if direction.affine else image}‖ <= "
    if theorem == "stability":
        return f"{said}{direction.stability_bound:.3g}"
    return f"{said}{np.max(predicted.bound):.3g} ({predicted.word})"
