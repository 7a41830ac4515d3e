"""The bound holds on random pairs, with biases and for any dimensions, and wrong bounds do not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from tests.theory.diagnosis.families import equal_to, noisy, random_model
from tests.theory.diagnosis.mutate import caught, mutated
from theory.diagnosis import Diagnosis, TrainedModel, alignment, diagnose
from theory.diagnosis.alignment import Alignment


def random_pairs(count: int, seed: int) -> Iterator[tuple[TrainedModel, TrainedModel]]:
    """Pairs with noise from 1e-12 to 10, with and without biases; and unrelated ones, mostly of unequal dimensions."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        dim = int(rng.integers(1, 7))
        contexts, labels = int(rng.integers(dim + 2, 25)), int(rng.integers(2, 2 * dim + 6))
        biased = bool(rng.integers(2))
        star = random_model(rng, contexts, labels, dim, biased)
        if k % 3 == 2:
            other = int(rng.integers(1, 7))
            yield random_model(rng, contexts, labels, other, bool(rng.integers(2))), star
        else:
            yield noisy(equal_to(star, rng, biased)[0], rng, 10.0 ** rng.uniform(-12, 1)), star


def alignments(diagnosis: Diagnosis) -> list[Alignment]:
    return [a for d in diagnosis.directions for a in (d.predicted, d.from_all) if a is not None]


def check_bounds(count: int = 200) -> None:
    judged = informative = 0
    for prime, star in random_pairs(count, seed=0):
        for found in alignments(diagnose(prime, star)):
            assert found.violated == 0
            assert "violated" not in found.words
            assert not found.largest_ratio > 1.05
            assert (found.allowance >= 0).all()
            assert found.word == ("informative" if found.relative_bound < 1 else "vacuous")
            if found.informative and found.seen == found.dim:
                # What an informative bound promises: an R² on all contexts above 0.
                assert found.relative_error <= found.relative_bound < 1
            judged += 1
            informative += found.informative
    assert judged > 3 * count
    assert informative > judged / 4


def test_bounds_hold() -> None:
    check_bounds()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sigma = float(values[rank - 1])", "sigma = float(values[0])"),  # σ_max for σ_min
        ("bound = norm / sigma", "bound = norm / np.sqrt(target.dim) / sigma"),
        ("inverse.value, np.eye", "inverse.value.T, np.eye"),
        ("beta = beta - stepped(target", "beta = beta + stepped(target"),
        ("(source.biases() - target.biases())", "(target.biases() - source.biases())"),
        ("(distances.excess, distances.excess_error)", "(distances.centred, distances.excess_error)"),
        ('"g", stored=True)) for model in (target, source)', '"g", stored=True)) for model in (source, target)'),
        ("else right[:rank].T @ right[:rank]", "else np.eye(target.dim)"),
    ],
)
def test_wrong_bounds_are_caught(old: str, new: str) -> None:
    def check() -> None:
        try:
            check_bounds(60)
        except ValueError:  # shapes that do not fit say so, too
            raise AssertionError from None

    with mutated(alignment, old, new):
        assert caught(check)


def test_the_bound_is_attained() -> None:
    """M = 2, K = 3: L = [[3, -8], [4, 6]]/5 has singular values 1 and 2; the error (3, 4)/5 is the bound 1/1."""
    prime = TrainedModel([[1.0, 0], [0, 0]], [[0.0, 0], [1, 0], [0, 1]])
    star = TrainedModel([[1.2, 1.6], [0, 0]], [[0.0, 0], [0.6, 0.8], [-1.6, 1.2]])
    found = alignment.from_pairs(prime, star, ((1, 0), (2, 0)), np.array([True, False]))
    assert found is not None
    assert found.sigma_min == pytest.approx(1)
    assert (found.error[0], found.bound[0], found.largest_ratio) == pytest.approx((1, 1, 1))
    assert found.violated == 0


def test_ill_conditioned_labels() -> None:
    """σ_min falls, the bound grows and the allowance with it; it is never violated, and a singular L gives no bound."""
    rng = np.random.default_rng(1)
    bounds = []
    for decade in range(0, 20, 2):
        star = random_model(rng, 30, 12, 4)
        assert star.g is not None
        star = TrainedModel(star.f, star.g @ np.diag([1, 1, 1, 10.0**-decade]))
        prime = noisy(star, rng, 1e-3)
        diagnosis = diagnose(prime, star)
        assert all(found.violated == 0 for found in alignments(diagnosis))
        ranked = diagnosis.models[1].label_differences
        assert ranked is not None
        if decade <= 12 or decade == 18:
            assert ranked.full is (decade <= 12)
        predicted = diagnosis.directions[0].predicted
        bounds.append(np.inf if predicted is None else predicted.relative_bound)
    assert bounds[0] < 1 < bounds[2]
    assert all(b > 10 * a for a, b in pairwise(bounds[:7]))


def test_exactly_equal_distributions() -> None:
    rng = np.random.default_rng(2)
    for biased in (False, True):
        star = random_model(rng, 40, 20, 5, biased)
        prime, A, c = equal_to(star, rng, biased)
        diagnosis = diagnose(prime, star)
        back = diagnosis.directions[1]
        for found in (back.predicted, back.from_all):
            assert found is not None
            assert pytest.approx(A, abs=1e-11) == found.A
            assert found.c == pytest.approx(c, abs=1e-11)
            assert found.error.max() < 1e-12
            assert found.held_out_r2 == pytest.approx(1)
        assert pytest.approx(A, abs=1e-11) == back.fitted.A
        assert back.fitted.c == pytest.approx(c, abs=1e-11)
        assert max(*back.difference, *back.difference_from_all) < 1e-11


def test_labels_that_do_not_span_are_judged_where_they_are_seen() -> None:
    """K <= M: f* is predicted on the span of the label differences, whatever it does across."""
    rng = np.random.default_rng(3)
    star = random_model(rng, 30, 3, 4)
    assert star.g is not None
    across = np.linalg.svd(star.g - star.g.mean(axis=0))[2][2:]
    prime = TrainedModel(star.f + rng.standard_normal((30, 2)) @ across, star.g)
    for direction in diagnose(prime, star).directions:
        assert direction.predicted is None
        assert direction.best is None
        assert direction.from_all is not None
        assert (direction.from_all.seen, direction.from_all.dim) == (2, 4)
        assert direction.from_all.error.max() < 1e-12
        assert direction.from_all.violated == 0
