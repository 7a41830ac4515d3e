"""Stability: numbers by hand, log-probabilities from their definition, what the constructions promise, the mutants."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.theory.theorems.pools import broken_promises, constructed, kill, pool, probabilities, size_of
from theory import decide, log_probabilities
from theory.arithmetic import balls, matrix_type
from theory.arithmetic.definite import pivots
from theory.checking import check
from theory.evidence import Evidence
from theory.log_probabilities import NearPair, furthest, rational_shift
from theory.models import Model, ModelPair, full_candidate_sets
from theory.records import record, restore
from theory.sizes import Size
from theory.strategies import near_pairs
from theory.strategies.source import RandomSource
from theory.theorem import Construction, Theorem
from theory.theorems.softmax import logit_distance_bound as bound
from theory.theorems.softmax.stability import (
    THEOREM,
    conclusion,
    decide_near,
    exchanged_in_the_plane,
    exchanged_on_the_line,
    half_the_tolerance,
)
from theory.verdict import Status


def measured(pair: ModelPair) -> float:
    """max |log p' - log p*| over the labels of the pairs, from the definition of the probabilities."""
    found = [0.0]
    for x, chosen in enumerate(pair.label_pairs):
        for candidates in pair.candidate_sets[x]:
            ours, theirs = (
                dict(zip(candidates, probabilities(m, x, candidates), strict=True)) for m in (pair.prime, pair.star)
            )
            found += [
                abs(math.log(ours[y]) - math.log(theirs[y]))
                for a, b in chosen
                if a in candidates and b in candidates
                for y in (a, b)
            ]
    return max(found)


# By hand -----------------------------------------------------------------------------------------------------------


def test_exchanged() -> None:
    """p'(1) = p*(0) = e/(1 + e): the log-probabilities are 1 apart, and ‖f' - A f*‖ = 2."""
    pair = exchanged_on_the_line()
    assert probabilities(pair.prime, 0, (0, 1))[1] == pytest.approx(math.e / (1 + math.e))
    assert probabilities(pair.star, 0, (0, 1))[0] == pytest.approx(math.e / (1 + math.e))
    assert measured(pair) == pytest.approx(1)
    plane = exchanged_in_the_plane()
    assert measured(plane) == pytest.approx(1)
    assert bound.remainder(plane.swapped()) == matrix_type().of([[2, 2]])
    for attained in (pair, plane):
        assert check(THEOREM, attained).status is Status.HOLDS
        assert conclusion(attained).ratio == pytest.approx(1)
        assert check(THEOREM, attained, claim="never_attained").status is Status.REFUTED
    assert check(THEOREM, half_the_tolerance(), without="near").status is Status.COUNTEREXAMPLE


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
def test_the_irrational_extremal_family(dim: int) -> None:
    """K = M + 1, L' = 1, p*(y0) = 2/3, the rest equal; p' half there and twice elsewhere: δ = log 2, equality."""
    p_star = np.r_[2 / 3, np.full(dim, 1 / 3 / dim)]
    p_prime = np.r_[1 / 3, np.full(dim, 2 / 3 / dim)]
    assert p_prime.sum() == pytest.approx(1)
    f_star, f_prime = (np.log(p[1:] / p[0]) for p in (p_star, p_prime))  # with g(y0) = 0 and g(y_i) = e_i
    delta = np.abs(np.log(p_prime / p_star)).max()
    assert delta == pytest.approx(math.log(2))
    assert np.linalg.norm(f_prime - f_star) == pytest.approx(2 * delta * math.sqrt(dim))


def test_near_the_irrational_extremal_family() -> None:
    """M = 2, K = 3: logits of * rounded to thousandths, δ just above log 2: error/bound within a permille of 1."""
    g = [[0, 0], [1, 0], [0, 1]]
    log_four = Fraction(1386, 1000)
    pair = ModelPair(
        Model.of([[0, 0]], g),
        Model.of([[-log_four, -log_four]], g),
        full_candidate_sets(1, 3),
        (((1, 0), (2, 0)),),
    )
    near = NearPair.of(pair, Fraction(694, 1000))
    assert check(THEOREM, near).status is Status.HOLDS
    assert 0.998 < (conclusion(near).ratio or 0) < 1
    assert decide_near(NearPair.of(pair, Fraction(693, 1000))).holds is False


def test_against_probabilities() -> None:
    """Both answers, and the furthest log-probability, as the definition gives them in floating point."""
    answers = {True: 0, False: 0}
    for _, pair in constructed(THEOREM.name)[::5]:
        found = measured(pair)
        enclosed = furthest(pair)
        assert float(enclosed.low) - 1e-9 <= found <= float(enclosed.high) + 1e-9
        assert enclosed.high - enclosed.low < Fraction(1, 10**12)
        if abs(found - float(pair.delta)) > 1e-9:
            assert decide_near(pair).holds is (found < pair.delta)
            answers[found < pair.delta] += 1
    assert min(answers.values()) > 20


def test_equality_is_decided_where_it_is_rational() -> None:
    assert rational_shift([Fraction(1), Fraction(5)], [Fraction(3), Fraction(-1)]) == 2
    assert rational_shift([Fraction(1), Fraction(5)], [Fraction(3), Fraction(0)]) is None
    pair = exchanged_on_the_line()
    assert decide_near(pair).holds is True
    assert decide_near(replace(pair, delta=1 - Fraction(1, 10**50))).holds is False


def test_close_calls_take_more_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    """|log p' - log p*| = log((1 + e)/2) against its own decimals: undecided only where precision is withheld."""
    g = [[0], [1]]
    pair = ModelPair(Model.of([[1]], g), Model.of([[0]], g), full_candidate_sets(1, 2), (((1, 0),),))
    places = 10**60
    gap = furthest(pair, precision=400)
    below = NearPair.of(pair, Fraction(math.floor(gap.low * places), places))
    above = NearPair.of(pair, Fraction(math.ceil(gap.high * places), places))
    assert [decide_near(p).holds for p in (below, above)] == [False, True]
    assert [decide_near(restore(NearPair, record(p), "sympy")).holds for p in (below, above)] == [False, True]
    monkeypatch.setattr(balls, "PRECISIONS", (64, 128))
    assert decide_near(below).holds is None
    assert check(THEOREM, below).status is Status.UNDECIDED


def test_records_come_back() -> None:
    pair = near_pairs.unrelated(RandomSource(3), Size(2, 4, 3))
    data = record(pair)
    assert data["delta"] == str(pair.delta)
    assert restore(NearPair, data) == pair
    with pytest.raises(ValueError, match=r"NearPair\.delta: '1/0' is not a rational number"):
        restore(NearPair, {**data, "delta": "1/0"})
    with pytest.raises(ValueError, match=r"NearPair\.delta: expected Fraction, found 0\.5"):
        restore(NearPair, {**data, "delta": 0.5})
    with pytest.raises(ValueError, match="delta is -1"):
        NearPair.of(pair, -1)


def test_replays_agree() -> None:
    for seed in range(3):
        for build in (near_pairs.unrelated, near_pairs.exchanged, near_pairs.too_far):
            pair = build(RandomSource(seed), Size(3, 5, 2))
            other = restore(NearPair, record(pair), "sympy")
            assert log_probabilities.balls_for(other.prime.f) is balls.IntervalBalls
            assert [e.value for e in check(THEOREM, other).evidence] == [e.value for e in check(THEOREM, pair).evidence]


# Constructions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("construction", THEOREM.constructions, ids=lambda c: c.name)
def test_promise(construction: Construction[NearPair]) -> None:
    assert broken_promises(THEOREM, construction) == []


def test_exchanged_attains_the_bound() -> None:
    for size in (
        Size(1, 2, 1),
        Size(2, 4, 3),
        Size(3, 4, 2),
        Size(3, 6, 2),
        Size(4, 6, 2),
        Size(5, 6, 1),
        Size(6, 8, 2),
    ):
        for seed in range(5):
            pair = near_pairs.exchanged(RandomSource(seed), size)
            assert conclusion(pair).ratio == pytest.approx(1)
            assert check(THEOREM, pair, claim="never_attained").status is Status.REFUTED


def test_opposed_all_but_attains_it() -> None:
    for dim in (1, 2, 3, 4):
        for seed in range(5):
            pair = near_pairs.opposed(RandomSource(seed), Size(dim, dim + 1, 2))
            assert 0.99 < (conclusion(pair).ratio or 0) < 1 + 1e-9


def test_constructions_vary() -> None:
    built = [near_pairs.unrelated(RandomSource(seed), Size(3, 6, 2)) for seed in range(40)]
    assert {pair.prime.dim for pair in built} == {2, 3}
    assert any(decide_near(replace(pair, delta=pair.delta * Fraction(9, 10))).holds is False for pair in built)
    deltas = [near_pairs.shaken(RandomSource(seed), Size(2, 4, 2)).delta for seed in range(60)]
    assert any(delta == 0 for delta in deltas)
    assert any(0 < delta <= Fraction(1, 10) for delta in deltas)


# Mutants -----------------------------------------------------------------------------------------------------------


def claiming(budget: Callable[[int, Fraction], Fraction]) -> Theorem[NearPair]:
    """Another squared radius, of M and δ, in place of 4 M δ²."""

    def mutated(pair: NearPair) -> Evidence:
        left_over = bound.remainder(pair.swapped())
        assert left_over is not None
        budgets = [budget(len(chosen), pair.delta) for chosen in pair.label_pairs]
        return decide.within_sigma_min(bound.differences(pair.swapped()), left_over, budgets)

    return replace(THEOREM, conclusion=mutated, closed_form=None)


def with_largest_singular_value(pair: NearPair) -> Evidence:
    left_over = bound.remainder(pair.swapped())
    assert left_over is not None
    beyond = 0
    for l, row in zip(bound.differences(pair.swapped()), left_over.tolist(), strict=True):
        square = sum(v * v for v in row)
        if square:
            level = l.identity(l.shape[0]).scaled(4 * l.shape[1] * pair.delta**2 / square)
            beyond += pivots(level - l @ l.T) is None
    return decide.count_is_zero(beyond, "rows beyond the bound")


def of_first_labels(pair: NearPair) -> Evidence:
    """The log-probabilities are compared on the first label of each pair only."""
    found = 0
    for compared in log_probabilities.compared_on_pairs(pair):
        firsts = {a for a, _ in pair.label_pairs[compared.context]}
        gaps = log_probabilities.gaps(compared, balls.ArbBalls(256))
        found += sum(
            y in firsts and gap.at_most(pair.delta) is False for y, gap in zip(compared.labels, gaps, strict=True)
        )
    return decide.count_is_zero(found, "first labels further apart than delta")


def with_near(decider: Callable[[NearPair], Evidence]) -> Theorem[NearPair]:
    assumptions = tuple(replace(a, decide=decider) if a.name == "near" else a for a in THEOREM.assumptions)
    return replace(THEOREM, assumptions=assumptions, closed_form=None)


MUTANTS: dict[str, tuple[Theorem[NearPair], Size]] = {
    "factor 2 dropped": (claiming(lambda m, delta: m * delta**2), Size(1, 2, 1)),
    "√M dropped": (claiming(lambda m, delta: 4 * delta**2), Size(2, 3, 1)),
    "δ halved": (claiming(lambda m, delta: 4 * m * (delta / 2) ** 2), Size(1, 2, 1)),
    "constant 1.999": (claiming(lambda m, delta: m * (Fraction(1999, 1000) * delta) ** 2), Size(1, 2, 1)),
    "σ_max for σ_min": (replace(THEOREM, conclusion=with_largest_singular_value, closed_form=None), Size(2, 3, 1)),
    "one label of each pair compared": (with_near(of_first_labels), Size(1, 2, 1)),
}


@pytest.mark.parametrize("honest", [False, True], ids=["all constructions", "without alignment, and the scope"])
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_die(name: str, honest: bool) -> None:
    mutant, smallest = MUTANTS[name]
    dead = kill(mutant, honest)
    assert dead is not None
    assert size_of(dead) == smallest
    assert check(THEOREM, dead).status is not Status.REFUTED


@pytest.mark.parametrize("honest", [False, True], ids=["all constructions", "without alignment, and the scope"])
def test_truth_survives(honest: bool) -> None:
    statuses = [check(THEOREM, instance, brief=True).status for instance in pool(THEOREM.name, honest)]
    assert not {Status.REFUTED, Status.UNDECIDED} & set(statuses)
    assert statuses.count(Status.HOLDS) > 300
