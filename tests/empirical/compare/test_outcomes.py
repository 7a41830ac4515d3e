"""What is said of pairs whose answer is known: equal up to a map, related, unrelated, and beyond theory's reach."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from empirical.compare.results import Comparison, Options, Row
from empirical.compare.run import compare
from empirical.compare.sentences import similarity
from empirical.errors import InputError
from tests.empirical.compare.pairs import Model, equivalent, model, noisy, permuted, save, unbiased

QUICK = Options(resamples=99)


def compared(folder: Path, *models: Model, options: Options = QUICK, names: str = "") -> Comparison:
    paths = [save(folder / f"{i}.npz", arrays) for i, arrays in enumerate(models)]
    return compare([f"{path}{names}" for path in paths], options)


def row(comparison: Comparison, measure: str) -> Row:
    (pair,) = comparison.pairs
    (found,) = (row for row in pair.rows if row.measure == measure)
    return found


@pytest.mark.parametrize("dim", [2, 3, 5])
def test_equal_distributions_are_consistent_with_linear_equivalence(dim: int, tmp_path: Path) -> None:
    star = unbiased(model(dim=dim))
    comparison = compared(tmp_path, star, equivalent(star))
    (pair,) = comparison.pairs
    assert "consistent with linear equivalence" in comparison.sentence
    assert "the distributions are equal up to rounding" in comparison.sentence
    for measure in ("mean CCA", "R² of A from B", "R² of B from A"):
        assert row(comparison, measure).value == pytest.approx(1, abs=1e-12)
        assert row(comparison, measure).held_out == pytest.approx(1, abs=1e-12)
        assert row(comparison, measure).p == pytest.approx(0.01)
    assert pair.diagnosis is not None
    for direction in pair.diagnosis.directions:
        assert direction.best is not None
        assert direction.best.violated == 0
        assert direction.best.relative_error < 1e-13


def test_a_rotation_is_seen_by_cka_and_another_map_is_not(tmp_path: Path) -> None:
    f = model()["f"]
    turned = compared(tmp_path, {"f": f}, {"f": f @ np.linalg.qr(np.arange(9.0).reshape(3, 3) ** 2 + np.eye(3))[0]})
    stretched = compared(tmp_path, {"f": f}, {"f": f * [1, 5, 25]})
    assert row(turned, "linear CKA, unbiased").value == pytest.approx(1, abs=1e-12)
    assert (row(stretched, "linear CKA, unbiased").value or 1) < 0.8
    assert row(stretched, "mean CCA").value == pytest.approx(1, abs=1e-12)


def test_permuted_rows_are_not_above_chance(tmp_path: Path) -> None:
    star = unbiased(model())
    comparison = compared(tmp_path, star, permuted(star), names=":f=f")
    assert "no similarity above chance" in comparison.sentence
    found = row(comparison, "mean CCA")
    assert found.p is not None
    assert found.p > 0.05
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.high


def test_unrelated_models_with_g_are_not_equivalent(tmp_path: Path) -> None:
    comparison = compared(tmp_path, unbiased(model()), unbiased(model(seed=9)))
    assert "not linearly equivalent" in comparison.sentence
    assert "no better on held-out contexts than shuffled rows" in comparison.sentence


def test_noise_leaves_similarity_above_chance(tmp_path: Path) -> None:
    star = unbiased(model())
    comparison = compared(tmp_path, star, noisy(star, 0.5), names=":f=f")
    assert "alike above chance, short of linear equivalence" in comparison.sentence
    explained = row(comparison, "R² of A from B").held_out
    assert explained == pytest.approx(1 / 1.25, abs=0.06)  # 1 / (1 + 0.5²)


def test_fewer_labels_than_dimensions(tmp_path: Path) -> None:
    """Equal distributions, and f differs in a direction that no label difference sees."""
    star = unbiased(model(labels=3, dim=4))
    differences = star["g"][1:] - star["g"][0]
    free = np.linalg.svd(differences)[2][-1]
    rng = np.random.default_rng(5)
    f = star["f"] - np.outer(star["f"] @ free, free) + np.outer(rng.normal(size=len(star["f"])), free)
    comparison = compared(tmp_path, star, {**star, "f": f})
    assert "not linearly equivalent: the distributions are equal up to rounding, but K = 3 labels are too few" in (
        comparison.sentence
    )
    (pair,) = comparison.pairs
    assert pair.diagnosis is not None
    applies = {theorem.theorem for theorem in pair.diagnosis.theorems if theorem.applies}
    assert "linear_identifiability" not in applies


def test_one_side_holds_the_other(tmp_path: Path) -> None:
    f = model(dim=4)["f"]
    comparison = compared(tmp_path, {"f": f}, {"f": f[:, :2]})
    assert "f of B is an affine image of f of A" in comparison.sentence
    assert "not linearly equivalent" in comparison.sentence


def test_labels_in_another_order_are_put_right_by_their_names(tmp_path: Path) -> None:
    star = unbiased(model())
    other = equivalent(star)
    order = np.random.default_rng(0).permutation(12)
    (tmp_path / "names.tsv").write_text("".join(f"{i}\t{j}\n" for i, j in enumerate(order)))
    shuffled = {**other, "g": other["g"][order]}
    named = compared(
        tmp_path, star, shuffled, options=Options(resamples=99, label_names=(str(tmp_path / "names.tsv"),))
    )
    assert "the distributions are equal up to rounding" in named.sentence
    assert "the distributions differ" in str(compared(tmp_path, star, shuffled).pairs[0].diagnosis)


def test_a_refused_measure_is_a_row_with_its_reason(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    f = rng.normal(size=(30, 20))
    comparison = compared(tmp_path, {"f": f}, {"f": f + rng.normal(size=(30, 20))})
    refused = row(comparison, "mean CCA")
    assert "30 rows are too few" in refused.refused
    assert "at least 42 rows are needed" in refused.refused
    assert refused.value is None
    assert row(comparison, "linear CKA, unbiased").value is not None
    assert "cannot tell from 30 rows" in comparison.sentence


def test_groups_are_kept_together(tmp_path: Path) -> None:
    """Eight copies of each row: a map learnt on one copy fits the others, unless copies stay together."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 40, 15))
    copies = [{"f": np.repeat(f, 8, axis=0), "k": np.repeat(np.arange(40), 8)} for f in (x, y)]
    apart = compared(tmp_path, *copies)
    together = compared(tmp_path, *copies, options=Options(resamples=99, groups="k"))
    assert together.group_count == 40
    assert (row(apart, "R² of B from A").held_out or 0) > 0.2
    assert (row(together, "R² of B from A").held_out or 0) < 0
    assert "no similarity above chance" in together.sentence or "cannot tell" in together.sentence


def test_float32_and_float64_files_agree(tmp_path: Path) -> None:
    star = unbiased(model())
    other = noisy(star, 0.5)
    double = compared(tmp_path, star, other)
    single = compared(tmp_path, *({n: a.astype(np.float32) for n, a in m.items()} for m in (star, other)))
    for one, two in zip(double.pairs[0].rows, single.pairs[0].rows, strict=True):
        assert one.value == pytest.approx(two.value, abs=1e-5)
        assert one.held_out == pytest.approx(two.held_out, abs=1e-5)


def test_the_seed_draws_another_half(tmp_path: Path) -> None:
    models = unbiased(model()), unbiased(noisy(model(), 0.5))
    first, again, other = (compared(tmp_path, *models, options=Options(s, resamples=99)) for s in (0, 0, 1))
    assert row(first, "mean CCA") == row(again, "mean CCA")
    assert row(first, "mean CCA").value == row(other, "mean CCA").value
    assert row(first, "mean CCA").held_out != row(other, "mean CCA").held_out


def test_the_variance_is_that_of_svcca(tmp_path: Path) -> None:
    models = [{"f": m["f"] * [3, 2, 1]} for m in (model(), noisy(model(), 0.1))]
    half = compared(tmp_path, *models, options=Options(variance=0.5, resamples=99))
    assert "1 and 1" in row(half, "SVCCA, 0.5 of variance").convention


# The sentence by itself -------------------------------------------------------------------------------------------


def rows(cca: float, there: float, back: float, p: float) -> list[Row]:
    return [
        Row("mean CCA", cca, cca, chance=0.0, p=p, held_out_values=(1.0, cca)),
        Row("R² of B from A", there, there, chance=-1.0, p=p),
        Row("R² of A from B", back, back, chance=-1.0, p=p),
    ]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (rows(1.0, 1.0, 1.0, 0.01), "consistent with linear equivalence"),
        (rows(1.0, 1 - 1e-9, 1 - 1e-12, 0.01), "up to 3e-05 of its spread"),
        (rows(0.999, 0.9999, 0.9999, 0.01), "short of linear equivalence"),
        (rows(0.25, 1.0, 1.0, 0.01), "but the smallest held-out canonical correlation is 0.250."),
        (rows(1 - 2e-7, 1.0, 1.0, 0.01), "but the smallest held-out canonical correlation is 1 - 2e-07."),
        (rows(1 - 2e-9, 1.0, 1.0, 0.01), "consistent with linear equivalence"),
        (rows(1.0, 1.0, 0.5, 0.01), "f of B is an affine image of f of A"),
        (rows(1.0, 0.5, 1.0, 0.01), "f of A is an affine image of f of B"),
        (
            rows(0.5, 0.5, 1.0, 0.01),
            "the large directions of f of A are affine images of f of B (the smallest held-out",
        ),
        (rows(0.1, -0.2, -0.3, 0.2), "no similarity above chance"),
        (rows(0.1, -0.2, 0.3, 0.04), "explain none of the variance of B and 0.300 of that of A"),
        ([Row("mean CCA"), Row("R² of B from A", refused="too few"), Row("R² of A from B")], "cannot tell"),
    ],
)
def test_the_sentence(found: list[Row], said: str) -> None:
    sentence = similarity(("A", "B"), found, 100)
    assert said in sentence
    assert sentence.endswith(".")


def test_canonical_correlations_that_are_refused_leave_it_open() -> None:
    found = [Row("mean CCA", 1.0, unjudged="too few rows"), *rows(1.0, 1.0, 1.0, 0.01)[1:]]
    assert "cannot tell from 100 rows: the large directions are affine images" in similarity(("A", "B"), found, 100)


def test_unrelated_columns_of_little_variance_are_not_equivalent(tmp_path: Path) -> None:
    """A map explains all but 1e-16 of the variance, and nothing of the fourth column."""
    rng = np.random.default_rng(0)
    f = rng.normal(size=(300, 3))
    sides = [{"f": np.column_stack([f, 1e-8 * rng.normal(size=300)])} for _ in range(2)]
    comparison = compared(tmp_path, *sides)
    assert row(comparison, "R² of B from A").held_out == pytest.approx(1, abs=1e-12)
    smallest = min(row(comparison, "mean CCA").held_out_values)
    assert abs(smallest) < 0.3
    assert "alike above chance, short of linear equivalence" in comparison.sentence
    assert f"smallest held-out canonical correlation is {smallest:.3f}" in comparison.sentence


def test_a_column_of_little_variance_on_one_side_only(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    f = rng.normal(size=(300, 3))
    comparison = compared(tmp_path, {"f": np.column_stack([f, 1e-8 * rng.normal(size=300)])}, {"f": f})
    assert "short of linear equivalence" in comparison.sentence
    assert "f of A has rank 4 and f of B has rank 3" in comparison.sentence


def test_without_a_chance_level_nothing_is_above_chance(tmp_path: Path) -> None:
    """Groups of 1 to 24 rows, each of its own size: none can change places with another."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(24), np.arange(1, 25))
    sides = [{"f": rng.normal(size=(300, 3)), "k": groups} for _ in range(2)]
    comparison = compared(tmp_path, *sides, options=Options(resamples=99, groups="k"))
    assert row(comparison, "mean CCA").p is None
    said = "cannot tell from 300 rows whether they are alike above chance: no chance level: only 0 of "
    assert said in comparison.sentence
    cka = row(comparison, "linear CKA, unbiased")
    assert cka.p is None
    assert cka.low is not None
    assert cka.warnings[-1].startswith("no chance level: only 0 of 300 rows")


def test_small_p_values_are_shown(tmp_path: Path) -> None:
    star = unbiased(model())
    comparison = compared(tmp_path, star, noisy(star, 0.5), names=":f=f", options=Options(resamples=9999))
    assert "p = 0.0001;" in comparison.sentence


def test_too_little_memory_for_the_resamples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError("Unable to allocate 9 GiB")

    monkeypatch.setattr("empirical.compare.run.rows_of", full)
    star = unbiased(model())
    with pytest.raises(InputError, match=r"Unable to allocate 9 GiB\) for --resamples 500000: give fewer"):
        compared(tmp_path, star, star, options=Options(resamples=500_000))
    with pytest.raises(MemoryError):
        compared(tmp_path, star, star, options=Options(resamples=99))
