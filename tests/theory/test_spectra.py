"""Floating-point instances: the spectrum is the one asked for, and distributions are equal up to rounding."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.theory.sources import NearestToZero, Recording
from theory.arithmetic.floating import FloatMatrix, U
from theory.assumptions import decide_common_pairs, decide_equal_distributions, decide_no_bias, decide_pairs_seen
from theory.catalogue import catalogue
from theory.models import ModelPair
from theory.sizes import Size
from theory.strategies.source import LARGEST, RandomSource
from theory.strategies.spectra import KINDS, conditioned, generator, spectrum, with_spectrum

SIZES = [Size(1, 2, 1), Size(2, 3, 4), Size(2, 6, 3), Size(3, 5, 5), Size(5, 8, 7)]
DECADES = range(13)


def conditions(pair: ModelPair) -> tuple[float, float]:
    """The condition numbers of L' and L*."""
    sides = (model.differences(pair.label_pairs[0]) for model in (pair.prime, pair.star))
    prime, star = (float(np.linalg.cond(np.array(side.tolist()))) for side in sides)
    return prime, star


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1, 2, 5])
def test_spectrum(kind: str, size: int) -> None:
    for decade in DECADES:
        values = spectrum(kind, size, 10.0**decade)
        assert values.shape == (size,)
        assert (np.diff(values) <= 0).all()
        assert values[0] == 1
        if size > 1:
            assert values[0] / values[-1] == pytest.approx(10.0**decade)


def test_kinds_of_spectra() -> None:
    assert spectrum("one tiny", 4, 1000) == pytest.approx([1, 1, 1, 1e-3])
    assert spectrum("one large", 4, 1000) == pytest.approx([1, 1e-3, 1e-3, 1e-3])
    assert spectrum("graded", 4, 1000) == pytest.approx([1, 0.1, 0.01, 1e-3])
    with pytest.raises(ValueError, match="unknown kind of spectrum 'flat': choose one of one tiny, graded, one large"):
        spectrum("flat", 2, 10)


def test_matrices_have_the_spectrum() -> None:
    rng = np.random.default_rng(0)
    for size in (1, 2, 5):
        for decade in DECADES:
            values = spectrum("graded", size, 10.0**decade)
            found = np.linalg.svd(with_spectrum(rng, values), compute_uv=False)
            assert np.abs(found - values).max() <= 20 * size * U


def test_the_larger_condition_number_is_the_decade() -> None:
    larger: Counter[bool] = Counter()
    smaller: set[int] = set()
    for decade in DECADES:
        for seed in range(30):
            pair = conditioned(RandomSource(seed), SIZES[1 + seed % (len(SIZES) - 1)], decade)
            prime, star = conditions(pair)
            assert max(prime, star) == pytest.approx(10.0**decade, rel=1e-2)
            larger[prime > star] += decade > 0
            smaller.add(round(np.log10(min(prime, star))))
    assert min(larger.values()) > 100, "either side may be the ill-conditioned one"
    assert smaller >= set(range(11))


def test_distributions_are_equal_up_to_rounding() -> None:
    """Within candidate sets the logit differences agree to a few roundings of the terms they are made of."""
    for decade in DECADES:
        for seed in range(20):
            size = SIZES[seed % len(SIZES)]
            pair = conditioned(RandomSource(100 + seed), size, decade)
            logits = [np.array(model.logits().tolist()) for model in (pair.prime, pair.star)]
            terms = [np.abs(np.array(m.f.tolist())) @ np.abs(np.array(m.g.tolist())).T for m in (pair.prime, pair.star)]
            for x, sets in enumerate(pair.candidate_sets):
                for chosen in map(list, sets):
                    ours, theirs = (table[x, chosen] - table[x, chosen[0]] for table in logits)
                    scale = sum(term[x, chosen].max() for term in terms)
                    assert np.abs(ours - theirs).max() <= 100 * size.dim * U * scale


def test_what_the_theorems_ask_for_is_never_found_to_fail() -> None:
    for decade in DECADES:
        answers: Counter[Any] = Counter()
        for seed in range(20):
            pair = conditioned(RandomSource(seed), SIZES[seed % len(SIZES)], decade)
            assert decide_pairs_seen(pair).holds
            assert decide_common_pairs(pair).holds
            assert decide_no_bias(pair).holds
            answers[decide_equal_distributions(pair).holds] += 1
        assert answers[False] == 0
        assert answers[True] > 15 or decade > 6


def test_instances_are_of_the_size_asked_for_and_of_every_kind() -> None:
    built = [conditioned(RandomSource(seed), Size(3, 6, 4), 2) for seed in range(100)]
    assert all((p.dim, p.prime.dim, p.labels, p.contexts) == (3, 3, 6, 4) for p in built)
    assert all(isinstance(p.prime.f, FloatMatrix) for p in built)
    assert {len(p.candidate_sets[0]) for p in built} == {1, 2, 3}, "trees of labels, from one to M"
    sizes = [np.abs(p.star.g.value).max() for p in built]
    assert min(sizes) < 0.01
    assert max(sizes) > 100, "scales from a thousandth to a thousand"


def test_draws_are_small_and_repeatable() -> None:
    for size in SIZES:
        sources = [Recording(3), Recording(3)]
        first, second = (conditioned(source, size, 12) for source in sources)
        assert first == second
        assert sources[0].asked == sources[1].asked
        assert all(-LARGEST <= low <= high <= LARGEST for low, high in sources[0].asked)
        simplest = conditioned(NearestToZero(), size, 12)
        assert simplest == conditioned(NearestToZero(), size, 12)
    assert len({conditioned(RandomSource(seed), SIZES[1], 3) for seed in range(30)}) == 30
    draws = [generator(RandomSource(seed)).standard_normal() for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def test_who_builds_them() -> None:
    users = {name for name, theorem in catalogue().items() if theorem.spectra is conditioned}
    assert users == {"linear_identifiability", "one_sided_diversity", "linked_pairs"}
    assert all(theorem.spectra in (None, conditioned) for theorem in catalogue().values())
