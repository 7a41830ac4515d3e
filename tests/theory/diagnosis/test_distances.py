"""The distances of two distributions, against the formulas written out: in blocks, with candidate sets, and mutants."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.theory.diagnosis.families import Array, equal_to, noisy, random_model
from tests.theory.diagnosis.mutate import caught, mutated
from theory.diagnosis import Distances, TrainedModel, diagnose, distances
from theory.diagnosis.distances import divergence
from theory.models import CandidateSets


def log_softmax(model: TrainedModel, x: int, chosen: tuple[int, ...]) -> Array:
    assert model.g is not None
    u = [float(model.f[x] @ model.g[y] + model.biases()[y]) for y in chosen]
    top = max(u)
    return np.array(u) - top - math.log(math.fsum(math.exp(v - top) for v in u))


def measured(prime: TrainedModel, star: TrainedModel, sets: CandidateSets | None) -> Distances:
    found = diagnose(prime, star, candidate_sets=sets).distances
    assert found is not None
    return found


def check(prime: TrainedModel, star: TrainedModel, sets: CandidateSets | None) -> None:
    found = measured(prime, star, sets)
    for x in range(prime.contexts):
        every = (tuple(range(prime.labels)),) if sets is None else sets[x]
        logs = [(log_softmax(prime, x, s), log_softmax(star, x, s)) for s in every]
        kl = [(float(np.exp(p) @ (p - q)), float(np.exp(q) @ (q - p))) for p, q in logs]
        gaps = [p - q for p, q in logs]
        assert found.kl_forward[x] == pytest.approx(np.mean([a for a, _ in kl]), rel=1e-9, abs=1e-14)
        assert found.kl_backward[x] == pytest.approx(np.mean([b for _, b in kl]), rel=1e-9, abs=1e-14)
        assert found.log_ratio[x] == pytest.approx(max(np.abs(gap).max() for gap in gaps), rel=1e-9)
        # log p differs from the logits by a constant, so its differences are theirs.
        centred = np.sqrt(np.mean([np.square(gap - gap.mean()).mean() for gap in gaps]))
        assert found.centred[x] == pytest.approx(centred, rel=1e-9)
        assert found.disagreement[x] == pytest.approx(max(np.ptp(gap) for gap in gaps), rel=1e-9)
        if found.excess is not None:
            assert found.excess[x] == pytest.approx(centred * np.sqrt(prime.labels), rel=1e-9)


def sets_for(rng: np.random.Generator, contexts: int, labels: int) -> CandidateSets:
    """One or two sets of two labels or more at each context, in any order."""

    def one() -> tuple[int, ...]:
        return tuple(int(y) for y in rng.permutation(labels)[: int(rng.integers(2, labels + 1))])

    return tuple(tuple(one() for _ in range(int(rng.integers(1, 3)))) for _ in range(contexts))


def check_many(count: int = 12) -> None:
    rng = np.random.default_rng(0)
    for k in range(count):
        star = random_model(rng, 9, 7, 3, biased=bool(k % 2))
        prime = random_model(rng, 9, 7, 2, biased=k % 3 == 0) if k % 2 else noisy(star, rng, 0.1)
        check(prime, star, None)
        check(prime, star, sets_for(rng, 9, 7))


def test_against_the_formulas() -> None:
    check_many()


@pytest.mark.parametrize("block", [1, 10, 100])
def test_blocks_change_nothing(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distances, "BLOCK", block)
    check_many(4)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("forward[rows] += divergence(log_p, log_q)", "forward[rows] += divergence(log_q, log_p)"),
        ("left = centred_rows(excess.value)", "left = excess.value"),
        ("axis=1, keepdims=True))\n\n\ndef _logits", "axis=0, keepdims=True))\n\n\ndef _logits"),
        ("np.ptp(excess.value, axis=1)", "np.abs(excess.value).max(axis=1)"),
        ("gap.max(axis=1))\n", "(log_p - log_q).max(axis=1))\n"),
        ("np.where(small, near, p * gap - p + np.exp(log_q))", "np.where(small, near, p * gap)"),
        ("np.square(left).mean(axis=1)", "np.square(left).sum(axis=1)"),
        ("whole = chosen == tuple(range(prime.labels))", "whole = True"),
        (") / len(group.sets)\n                backward", ")\n                backward"),
    ],
)
def test_wrong_distances_are_caught(old: str, new: str) -> None:
    with mutated(distances, old, new):
        assert caught(check_many)


def test_close_distributions_do_not_cancel() -> None:
    """KL of p moved by ε is ε² p (1 - p) / 2 to second order, down to where p log(p / q) is rounding only."""
    for eps in (1e-3, 1e-6, 1e-9):
        u, v = np.array([[0.0, 0.4]]), np.array([[0.0, 0.4 + eps]])
        logs = [w - np.log(np.exp(w).sum(axis=1, keepdims=True)) for w in (u, v)]
        p = 1 / (1 + math.exp(-0.4))
        assert divergence(*logs)[0] == pytest.approx(eps**2 * p * (1 - p) / 2, rel=max(eps, 1e-6))
        assert divergence(logs[0], logs[0])[0] == 0


def test_far_distributions_stay_finite() -> None:
    star = TrainedModel([[1.0], [2.0]], [[0.0], [2000.0]])
    prime = TrainedModel([[1.0], [2.0]], [[0.0], [-2000.0]])
    found = measured(prime, star, None)
    assert found.kl_forward == pytest.approx([2000, 4000])
    assert found.log_ratio == pytest.approx([2000, 4000])


def test_symmetries_that_no_distribution_shows() -> None:
    """f' = A f* + c, a shift of g and the bias that makes up for c: all distances are rounding."""
    rng = np.random.default_rng(1)
    for biased in (False, True):
        star = random_model(rng, 20, 9, 4, biased)
        found = measured(equal_to(star, rng, biased)[0], star, None)
        assert found.equal.holds
        assert found.kl_forward.max() < 1e-25
        assert max(found.log_ratio.max(), found.centred.max(), found.disagreement.max()) < 1e-12
