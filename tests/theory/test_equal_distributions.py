"""Equality of distributions, decided over the rationals, against probabilities; and what cannot change it.

The decision never takes an exponential.  Here the probabilities of the canonical discriminative family are computed
in floating point from their definition, and must agree exactly when the decision says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from theory.arithmetic import matrix_type
from theory.assumptions import decide_equal_distributions
from theory.catalogue import find
from theory.evidence import Evidence
from theory.models import Model, ModelPair
from theory.sizes import Size
from theory.strategies import pairs, systems, violations
from theory.strategies.matrices import any_matrix, entries, invertible
from theory.strategies.source import RandomSource, Source
from theory.strategies.symmetries import gauged, rearranged, relabelled, reordered, transformed, translated

SIZES = [Size(1, 3, 2), Size(2, 4, 3), Size(3, 5, 4)]
BUILDERS = [
    pairs.solved, pairs.factored, pairs.transformed, pairs.aligned, pairs.solved_with_singular_right,
    violations.unequal, violations.unseen, systems.own_pairs_seen, systems.chained_systems,
]  # fmt: skip


def unrelated(source: Source, size: Size) -> ModelPair:
    """The candidate sets of a pair with equal distributions, with g' of another."""
    pair = pairs.solved(source, size)
    g = pair.prime.g + any_matrix(source, size.labels, size.dim, 1)
    return ModelPair(Model(pair.prime.f, g), pair.star, pair.candidate_sets, pair.label_pairs)


def instances() -> list[ModelPair]:
    built: list[ModelPair] = []
    for size in SIZES:
        for build in (*BUILDERS, unrelated):
            if build is systems.chained_systems and size.contexts < 3:
                continue
            built += [build(RandomSource(seed), size) for seed in range(6)]
    return built


def log_probabilities(model: Model, context: int, candidates: tuple[int, ...]) -> list[float]:
    """log p(y | x, S) for y in S, from the definition."""
    f = [float(v) for v in model.f.tolist()[context]]
    logits = []
    for y in candidates:
        logit = math.fsum(a * float(b) for a, b in zip(f, model.g.tolist()[y], strict=True))
        logits.append(logit + (0 if model.bias is None else float(model.bias.tolist()[y][0])))
    top = max(logits)
    normaliser = top + math.log(math.fsum(math.exp(logit - top) for logit in logits))
    return [logit - normaliser for logit in logits]


def probabilities_agree(pair: ModelPair) -> bool:
    return all(
        math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
        for x, sets in enumerate(pair.candidate_sets)
        for chosen in sets
        for ours, theirs in zip(
            log_probabilities(pair.prime, x, chosen), log_probabilities(pair.star, x, chosen), strict=True
        )
    )


def test_against_probabilities() -> None:
    answers = {True: 0, False: 0}
    for pair in instances():
        decided = decide_equal_distributions(pair).holds
        assert decided is probabilities_agree(pair), pair
        answers[bool(decided)] += 1
    assert min(answers.values()) > 20


def test_value_is_the_largest_disagreement() -> None:
    for pair in instances():
        gaps = [[0]] + [
            [abs(p - q - (s - t)) for y in chosen for z in chosen for p, q, s, t in [_entries(pair, x, y, z)]]
            for x, sets in enumerate(pair.candidate_sets)
            for chosen in sets
        ]
        value = decide_equal_distributions(pair).value
        largest = max(map(max, gaps))
        assert largest / 2 <= value <= largest  # compared with one label of the set, so within a factor of two
        assert (value == 0) is (largest == 0)


def _entries(pair: ModelPair, x: int, y: int, z: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    ours, theirs = pair.prime.logits().tolist(), pair.star.logits().tolist()
    return ours[x][y], ours[x][z], theirs[x][y], theirs[x][z]


def test_bias_counts() -> None:
    f, g, sets = [[1], [2]], [[0], [1]], (((0, 1),),) * 2
    plain, shifted, tilted = Model.of(f, g), Model.of(f, g, [4, 4]), Model.of(f, g, [0, 1])
    assert decide_equal_distributions(ModelPair(plain, shifted, sets)).holds is True
    assert decide_equal_distributions(ModelPair(plain, tilted, sets)).value == 1
    absorbed = Model.of([[2], [3]], g)  # the bias absorbed in f, as in the affine refutation
    assert decide_equal_distributions(ModelPair(absorbed, tilted, sets)).holds is True
    assert probabilities_agree(ModelPair(absorbed, tilted, sets))


def each_model(change: Callable[[Source, Model], Model]) -> Callable[[Source, ModelPair], ModelPair]:
    def changed(source: Source, pair: ModelPair) -> ModelPair:
        return ModelPair(change(source, pair.prime), change(source, pair.star), pair.candidate_sets, pair.label_pairs)

    return changed


SYMMETRIES: dict[str, Callable[[Source, ModelPair], ModelPair]] = {
    "gauge": each_model(lambda source, model: gauged(model, invertible(source, model.dim))),
    "rescaling": each_model(lambda source, model: gauged(model, invertible(source, model.dim).scaled(Fraction(-2, 3)))),
    "translation": each_model(lambda source, model: translated(model, entries(source, 1, model.dim)[0])),
    "labels": lambda source, pair: relabelled(pair, sorted(range(pair.labels), key=lambda y: (y * 7 + 3) % 5)),
    "contexts": lambda source, pair: reordered(pair, range(pair.contexts)[::-1]),
    "both orders": rearranged,
    "everything": transformed,
    "exchange": lambda source, pair: pair.swapped(),
}
MIRROR = {"left_invertible": "right_invertible", "right_invertible": "left_invertible"}


def held(name: str, pair: ModelPair) -> dict[str, bool | None]:
    theorem = find(name)
    answers = {assumption.name: assumption.evidence(pair).holds for assumption in theorem.assumptions}
    return answers | {"conclusion": theorem.conclusion(pair).holds}


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("name", ["linear_identifiability", "one_sided_diversity", "linked_pairs", "chained_pairs"])
def test_symmetries_change_no_answer(name: str, symmetry: str) -> None:
    for seed, pair in enumerate(instances()):
        changed = SYMMETRIES[symmetry](RandomSource(seed), pair)
        before, after = held(name, pair), held(name, changed)
        if symmetry == "exchange":
            after = {MIRROR.get(key, key): holds for key, holds in after.items()}
            for one_sided in ("left_spans", "linked"):  # about one of the two models only
                before.pop(one_sided, None)
                after.pop(one_sided, None)
            if name == "one_sided_diversity":
                before.pop("left_invertible")
                after.pop("right_invertible")
        assert before == after, pair


def test_a_gauge_must_be_invertible() -> None:
    with pytest.raises(ValueError, match="a gauge must be invertible"):
        gauged(Model.of([[1]], [[0], [1]]), matrix_type().of([[0]]))


def test_equal_evidence_both_kernels() -> None:
    pair = violations.unequal(RandomSource(1), Size(2, 4, 3))
    prime, star = (Model.of(m.f.tolist(), m.g.tolist(), arithmetic="sympy") for m in (pair.prime, pair.star))
    symbolic = ModelPair(prime, star, pair.candidate_sets)
    decided: list[Evidence] = [decide_equal_distributions(pair), decide_equal_distributions(symbolic)]
    assert decided[0] == decided[1]
    assert decided[0].witness == decided[1].witness
