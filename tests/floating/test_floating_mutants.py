"""In floating point mistaken formulas are told from rounding, and true theorems are never refuted.

A few instances a decade of the condition number; ``python -m tests.floating.by_decade`` takes 10,000.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.floating.by_decade import DECADES, FORMULAS, Decade, by_decade, differs, in_floats, markdown
from tests.mutants import mutations_pairs as mutations
from theory.arithmetic.floating import ACCEPT, REJECT
from theory.catalogue import find
from theory.sizes import Size
from theory.strategies.source import RandomSource
from theory.strategies.spectra import conditioned
from theory.verdict import Status

#: Instances a decade, and the decades in which mistakes must be seen.
EACH = 27
SEEN = 7


@pytest.fixture(scope="module")
def rows() -> list[Decade]:
    return by_decade(EACH * len(DECADES))


def test_theorems_in_floats() -> None:
    assert {theorem.name for theorem in in_floats()} == {
        "linear_identifiability",
        "one_sided_diversity",
        "linked_pairs",
    }


def test_the_truth_is_never_refuted(rows: list[Decade]) -> None:
    assert [row.decade for row in rows] == list(DECADES)
    for row in rows:
        assert row.true.total() == EACH
        assert row.true[Status.REFUTED] == 0, row.refutation and row.refutation.describe()
        assert row.worst <= REJECT


def test_the_truth_is_decided_while_the_condition_number_allows(rows: list[Decade]) -> None:
    """Undecided everywhere would refute nothing either."""
    for row in rows[:SEEN]:
        assert row.true[Status.HOLDS] >= 0.95 * EACH, row.decade
        assert row.true[Status.VACUOUS] == 0, row.decade
        assert row.worst <= ACCEPT, row.decade


@pytest.mark.parametrize("name", FORMULAS)
def test_mistakes_are_seen_up_to_a_million(name: str, rows: list[Decade]) -> None:
    counts: Counter[Status] = Counter()
    for row in rows[:SEEN]:
        counts += row.mutants[name]
    assert counts.total() > 100, "on the line A has no transpose of its own, but elsewhere it differs"
    assert counts[Status.REFUTED] >= 0.99 * counts.total(), counts


@pytest.mark.parametrize("name", FORMULAS)
def test_the_matrix_is_that_of_the_formula(name: str) -> None:
    """The formula is refuted exactly where f' is not the image of f* under the matrix by which mistakes are counted."""
    formula = FORMULAS[name]
    for seed in range(20):
        pair = conditioned(RandomSource(seed), Size(2 + seed % 3, 6, 5), 1)
        l_prime, l_star = (np.array(side.tolist()) for side in mutations.sides(pair))
        g_prime, g_star = (
            np.array(mutations.vectors(m, pair.label_pairs[0]).tolist()) for m in (pair.prime, pair.star)
        )
        f_prime, f_star = (np.array(model.f.tolist()) for model in (pair.prime, pair.star))
        assert differs(pair, formula)
        assert formula.decide(pair).holds is False
        if name != "g for differences" or np.linalg.matrix_rank(g_prime) == pair.dim:
            image = f_star @ formula.matrix(l_prime, l_star, g_prime, g_star).T
            assert np.abs(f_prime - image).max() > 1e-6 * np.abs(f_prime).max()


def test_what_is_no_mistake_is_not_counted() -> None:
    """With M = 1 transposing changes nothing; the other two mistakes still differ."""
    pair = conditioned(RandomSource(1), Size(1, 3, 4), 0)
    assert {name for name, formula in FORMULAS.items() if differs(pair, formula)} == {
        "g for differences",
        "' and * exchanged",
    }
    for name in ("A transposed", "L⁻¹ for L⁻ᵀ"):
        assert FORMULAS[name].decide(pair).holds is True


def test_rows_repeat_and_are_printed() -> None:
    one, other = (by_decade(2 * len(DECADES), [find("linked_pairs")]) for _ in range(2))
    assert one == other
    table = markdown(one).splitlines()
    assert len(table) == len(DECADES) + 2
    assert len({line.count("|") for line in table}) == 1
    assert table[2].startswith("| 1e0 | 2 | 100.0 | 0.0 | 0.0 | 0.0 | 0.")
