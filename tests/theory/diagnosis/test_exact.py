"""On small rational instances the diagnosis of their floats decides what the theory decides on the rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.theory.diagnosis.families import floats, trained, with_pairs
from tests.theory.diagnosis.mutate import caught, mutated
from theory import decide
from theory.arithmetic.floating import FloatMatrix
from theory.assumptions import decide_equal_distributions
from theory.catalogue import catalogue, find
from theory.diagnosis import Diagnosis, TrainedModel, alignment, assumed, diagnose, distances, ranks, run
from theory.diagnosis.assumed import PAIRS
from theory.diagnosis.candidates import Candidates, relabelled
from theory.indeterminacy import label_steps
from theory.log_probabilities import NearPair
from theory.models import AffinelyAlignedPair, AlignedPair, ModelPair, bias_differences, full_candidate_sets
from theory.sizes import Size
from theory.strategies import biases, displaced, nearby, pairs, systems
from theory.strategies.source import RandomSource
from theory.theorems.softmax.logit_distance_bound import logit_gaps, remainder, squared

SIZES = (Size(1, 2, 2), Size(1, 3, 4), Size(2, 3, 4), Size(2, 5, 6), Size(3, 4, 5), Size(3, 6, 7), Size(4, 7, 8))


def built(seed: int) -> list[ModelPair]:
    """One pair of each kind at each size: full and other candidate sets, diverse or not, equal or not, with biases."""
    found: list[ModelPair] = []
    for size in SIZES:
        source = RandomSource(seed)
        found += [
            pairs.solved(source, size),
            pairs.transformed(source, size),
            nearby.unrelated(source, size),
            biases.solved(source, size),
            biases.after(pairs.solved)(source, size),
            displaced.solved(source, size),
            displaced.factored(source, size),
            pairs.solved_with_singular_left(source, size),
            pairs.solved_with_singular_right(source, size),
        ]
        if systems.two_systems(size):
            found.append(systems.own_pairs_seen(source, size))
    return found


INSTANCES = [pair for seed in range(3) for pair in built(seed)]


def diagnosed(pair: ModelPair) -> Diagnosis:
    return diagnose(trained(pair.prime), trained(pair.star), candidate_sets=pair.candidate_sets)


@pytest.fixture(scope="module")
def found() -> list[tuple[ModelPair, Diagnosis]]:
    return [(pair, diagnosed(pair)) for pair in INSTANCES]


def test_ranks(found: list[tuple[ModelPair, Diagnosis]]) -> None:
    for pair, diagnosis in found:
        for model, summary in zip((pair.prime, pair.star), diagnosis.models, strict=True):
            assert summary.label_differences is not None
            assert summary.label_differences.undecided == 0
            assert summary.label_differences.rank == label_steps(model).rank()
            first = model.f.take(rows=[0] * (model.contexts - 1))
            assert summary.f.rank == (model.f.take(rows=range(1, model.contexts)) - first).rank()
            if summary.with_bias is not None:
                steps = [(y, 0) for y in range(1, model.labels)]
                assert summary.with_bias.rank == label_steps(model).beside(bias_differences(model, steps)).rank()


def test_a_rank_counts_centred_labels() -> None:
    """M independent labels have M - 1 independent differences; the uncentred rank would be M."""
    model = TrainedModel([[1.0, 0], [0, 1], [1, 1]], [[1.0, 0], [0, 1]])

    def check() -> None:
        ranked = run.summarise(model, "A", None).label_differences
        assert ranked is not None
        assert ranked.rank == 1

    check()
    with mutated(ranks, "labels = NumericalRank.of(centred(g))", "labels = NumericalRank.of(g)"):
        assert caught(check)


def test_numerical_rank_is_the_theory_s() -> None:
    """The counts are those that decide.rank_is_full gives for each rank."""
    rng = np.random.default_rng(0)
    for smallest in (1.0, 1e-8, 1e-13, 1e-15, 1e-16, 0.0):
        left, right = (np.linalg.qr(rng.standard_normal((size, 4)))[0] for size in (9, 4))
        matrix = FloatMatrix(left @ np.diag([3.0, 2.0, 1.0, smallest]) @ right.T)
        counted = ranks.NumericalRank.of(matrix)
        answers = [decide.rank_is_full(matrix, k).holds for k in range(1, 5)]
        assert counted.rank == answers.count(True)
        assert counted.undecided == answers.count(None)
        assert counted.full is answers[-1]


def exact_assumption(theorem: Any, assumption: Any, pair: ModelPair) -> bool | None:
    """The exact answer on the whole pair, with the map that the pairs give; None where it needs one and has none."""
    kind = theorem.instance_type
    instance: Any = pair
    if kind in (AlignedPair, AffinelyAlignedPair) and assumption.name in ("aligned", "alignment_invertible"):
        if not pair.label_pairs or decide.invertible(pair.prime.differences(pair.label_pairs[0])).holds is not True:
            return None
        chosen = pair.label_pairs[0]
        offset = bias_differences(pair.star, chosen) - bias_differences(pair.prime, chosen)
        solved = pair.prime.differences(chosen).T.solve(offset.beside(pair.star.differences(chosen).T))
        assert solved is not None
        A, c = solved.take(columns=range(1, solved.shape[1])), solved.take(columns=[0])
        parts = (pair.prime, pair.star, pair.candidate_sets, pair.label_pairs)
        instance = (
            AlignedPair(*parts, alignment=A)
            if kind is AlignedPair
            else AffinelyAlignedPair(*parts, alignment=A, offset=c)
        )
    return assumption.evidence(instance).holds


def test_every_assumption_is_decided_as_on_the_rationals(found: list[tuple[ModelPair, Diagnosis]]) -> None:
    asked: dict[tuple[str, bool], int] = {}
    undecided = 0
    for pair, diagnosis in found:
        assert {t.theorem for t in diagnosis.theorems} == {
            name for name, theorem in catalogue().items() if theorem.instance_type in PAIRS
        }
        for examined in diagnosis.theorems:
            theorem: Any = find(examined.theorem)
            exact = with_pairs(pair, examined.pairs)
            for assumption, answer in zip(theorem.assumptions, examined.assumptions, strict=True):
                if assumption.name == "near":
                    assert answer.answer in ("approximate", "undecided")
                    continue
                wanted = exact_assumption(theorem, assumption, exact)
                if wanted is None:
                    assert answer.answer == "fails"
                    continue
                if answer.answer == "undecided":
                    undecided += 1
                    continue
                assert answer.answer == ("holds" if wanted else "fails"), (
                    examined.theorem,
                    assumption.name,
                    answer,
                    exact,
                )
                asked[assumption.name, wanted] = asked.get((assumption.name, wanted), 0) + 1
    assert undecided <= 0.001 * sum(asked.values())  # where f' is 0, and rounding is all there is to compare
    # Both answers occur, but for what pairs chosen once for all contexts always have.
    always = {"common_pairs", "linked", "chained"}
    names = {name for name, _ in asked}
    assert always < names
    assert {name for name in names if (name, False) not in asked} <= always
    assert {name for name in names if (name, True) not in asked} == set()


def test_no_assumption_of_the_catalogue_is_unknown_here() -> None:
    known = {*assumed.OF_CONTEXTS, *assumed.OF_PAIRS, "no_bias", "labels_tied", "near", "equal_distributions"}
    for theorem in catalogue().values():
        if theorem.instance_type in PAIRS:
            assert {a.name for a in theorem.assumptions} <= known


def test_the_reduced_pair_answers_for_the_whole() -> None:
    """Sets and pairs: fewer contexts and labels, the same answers."""
    for pair in INSTANCES:
        candidates = Candidates.of(pair.candidate_sets, pair.contexts, pair.labels)
        for chosen in {pair.label_pairs[0] if pair.label_pairs else ((0, 1),), ((0, pair.labels - 1),)}:
            contexts, labels, sets = candidates.reduced(chosen)
            prime, star = (type(m)(m.f.take(contexts), m.g.take(labels)) for m in (pair.prime, pair.star))
            small = ModelPair(prime, star, sets, (relabelled(chosen, labels),) * len(contexts))
            whole = with_pairs(pair, chosen)
            for name, theorem in (
                ("pairs_seen", "linear_identifiability"), ("pairs_joined", "linked_pairs"),
                ("labels_joined", "extended_linear"), ("chained", "chained_pairs"),
            ):  # fmt: skip
                asks = next(a for a in find(theorem).assumptions if a.name == name)
                assert asks.evidence(small).holds is asks.evidence(whole).holds


def check_alignments() -> None:
    """A, c, error and bound agree with the exact ones, to 1e-12."""
    compared = 0
    for pair in INSTANCES[:40]:
        diagnosis = diagnosed(pair)
        for direction, exact in zip(diagnosis.directions, (pair, pair.swapped()), strict=True):
            if direction.predicted is None or direction.pairs is None:
                continue
            chosen = direction.pairs.pairs
            l, l_source = exact.star.differences(chosen), exact.prime.differences(chosen)
            offset = bias_differences(exact.prime, chosen) - bias_differences(exact.star, chosen)
            solved = l.T.solve(offset.beside(l_source.T))
            assert solved is not None
            wanted = floats(solved)
            found = np.column_stack([direction.predicted.c, direction.predicted.A])
            assert np.abs(found - wanted).max() <= 1e-12 * max(1, np.abs(wanted).max())
            given = with_pairs(exact, chosen)
            gaps = [float(total) ** 0.5 for total in squared(logit_gaps(given))]
            assert direction.predicted.gap == pytest.approx(gaps, rel=1e-10, abs=1e-10)
            if not direction.affine:
                left = remainder(given)
                assert left is not None
                norms = np.linalg.norm(floats(left), axis=1)
                assert direction.predicted.error == pytest.approx(norms, rel=1e-9, abs=1e-10)
            assert direction.predicted.violated == 0
            compared += 1
    assert compared > 40


def test_alignments() -> None:
    check_alignments()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("inverse.value, np.eye", "inverse.value.T, np.eye"),
        ("beta = beta - stepped(target", "beta = beta + stepped(target"),
        ("A, c = B @ g_source, B @ beta", "A, c = B @ g_source, B @ beta.scaled(-1)"),
        ("_logit_steps(target, first, second) - _logit", "_logit_steps(target, first, second) + _logit"),
    ],
)
def test_wrong_alignments_are_caught(old: str, new: str) -> None:
    with mutated(alignment, old, new):
        assert caught(check_alignments)


def test_stability_is_implied_by_the_measured_delta() -> None:
    """With δ as measured the assumption holds by the theory's own decision, and with half of it not."""
    for pair in INSTANCES[:30]:
        if any(model.bias is not None for model in (pair.prime, pair.star)):
            continue
        direction = diagnosed(pair).directions[1]
        if direction.pairs is None or direction.delta < 1e-9:
            continue
        given = with_pairs(pair, direction.pairs.pairs)
        near = next(a for a in find("stability").assumptions if a.name == "near")
        delta = Fraction(direction.delta)
        assert near.evidence(NearPair.of(given, delta * (1 + Fraction(1, 10**9)))).holds
        if pair.candidate_sets == full_candidate_sets(pair.contexts, pair.labels):
            assert not near.evidence(NearPair.of(given, delta / 2)).holds


def test_equal_distributions_block_by_block_is_the_theory_s_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answer and value as from one matrix of all logits."""
    for block in (1, 7, 10_000):
        monkeypatch.setattr(distances, "BLOCK", block)
        for pair in INSTANCES:
            sides = (trained(pair.prime), trained(pair.star))
            whole = decide_equal_distributions(ModelPair(sides[0].as_model(), sides[1].as_model(), pair.candidate_sets))
            found = distances.measure(*sides, Candidates.of(pair.candidate_sets, pair.contexts, pair.labels), {}).equal
            assert found.holds is whole.holds is decide_equal_distributions(pair).holds
            if not whole.holds:  # else both are rounding, which depends on the size of the products
                assert found.value == pytest.approx(whole.value, rel=1e-6)
