"""How far the log-probabilities of two models are apart: decided by ball arithmetic, exactly where they are rational.

On a candidate set S, log p'(y) - log p*(y) = (logit' - logit*)(y) - D with D = log Σ_S exp logit' - log Σ_S exp logit*.
D is rational exactly where the logits' on S are those of * in some order, all shifted by D: exponentials of different
rationals are linearly independent (Lindemann and Weierstrass).  Elsewhere the difference never equals a rational, so
growing precision tells on which side of one it lies.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from theory.arithmetic.balls import Balls, Interval, balls_for, settled
from theory.evidence import Evidence
from theory.models import ModelPair


@dataclass(frozen=True, slots=True, kw_only=True)
class NearPair(ModelPair):
    """Two models and ``delta`` >= 0 (else ``ValueError``), how far apart their log-probabilities are said to be."""

    delta: Fraction

    def __post_init__(self) -> None:
        ModelPair.__post_init__(self)
        if self.delta < 0:
            raise ValueError(f"delta is {self.delta}: it bounds an absolute value, so it must not be negative")

    @classmethod
    def of(cls, pair: ModelPair, delta: Fraction | int) -> NearPair:
        return cls(pair.prime, pair.star, pair.candidate_sets, pair.label_pairs, delta=Fraction(delta))


@dataclass(frozen=True, slots=True)
class Compared:
    """The logits of both models on one candidate set of one context, and which of its labels to compare."""

    context: int
    candidates: tuple[int, ...]
    labels: tuple[int, ...]
    prime: tuple[Fraction, ...]
    star: tuple[Fraction, ...]


def rational_shift(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction | None:
    """The one number by which the values of ``second``, in some order, are shifted to give ``first``; else None."""
    shifts = {a - b for a, b in zip(sorted(first), sorted(second), strict=True)}
    return shifts.pop() if len(shifts) == 1 else None


def gaps(compared: Compared, balls: Balls) -> list[Interval]:
    """|log p'(y) - log p*(y)| for each of the labels to compare."""
    shift = rational_shift(compared.prime, compared.star)
    if shift is None:
        normaliser = balls.log_sum_exp(compared.prime) - balls.log_sum_exp(compared.star)
    else:
        normaliser = Interval.exactly(shift)
    at = [compared.candidates.index(y) for y in compared.labels]
    return [abs(Interval.exactly(compared.prime[i] - compared.star[i]) - normaliser) for i in at]


def compared_on_pairs(pair: ModelPair) -> Iterator[Compared]:
    """Every candidate set of every context with the labels of the chosen pairs inside it, where there are any."""
    prime, star = pair.prime.logits().tolist(), pair.star.logits().tolist()
    for x, chosen in enumerate(pair.label_pairs):
        for candidates in pair.candidate_sets[x]:
            labels = sorted({y for a, b in chosen if a in candidates and b in candidates for y in (a, b)})
            if labels:
                logits = (tuple(table[x][y] for y in candidates) for table in (prime, star))
                yield Compared(x, candidates, tuple(labels), *logits)


def log_probabilities_within(pair: ModelPair, delta: Fraction) -> Evidence:
    """Is |log p'(y|x,S) - log p*(y|x,S)| <= ``delta`` for the labels of each pair chosen at x inside S?

    The value counts the (x, S, y) where it is not, or is not a number where none is surely beyond and some cannot be
    told apart from ``delta`` at the largest precision.
    """
    kernel = balls_for(pair.prime.f)
    beyond: list[tuple[int, int]] = []
    untold = 0
    for compared in compared_on_pairs(pair):
        answers = settled(kernel, lambda balls, compared=compared: _all_told(gaps(compared, balls), delta))
        if answers is None:
            untold += 1
            continue
        beyond += [(compared.context, y) for y, within in zip(compared.labels, answers, strict=True) if not within]
    detail = "log-probabilities further apart than delta"
    if untold and not beyond:
        return Evidence("", math.nan, detail)
    witness = {"context": beyond[0][0], "label": beyond[0][1]} if beyond else {}
    return Evidence("", len(beyond), detail, find_witness=lambda: witness)


def _all_told(gaps: Sequence[Interval], delta: Fraction) -> list[bool] | None:
    answers = [gap.at_most(delta) for gap in gaps]
    return None if None in answers else [answer is True for answer in answers]


def furthest(pair: ModelPair, precision: int = 64) -> Interval:
    """An interval that holds the largest |log p'(y|x,S) - log p*(y|x,S)| over the labels of the pairs; 0 for none."""
    balls = balls_for(pair.prime.f)(precision)
    found = [Interval.exactly(0), *(gap for compared in compared_on_pairs(pair) for gap in gaps(compared, balls))]
    return Interval(max(gap.low for gap in found), max(gap.high for gap in found))
