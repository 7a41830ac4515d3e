"""Searching: what is found is found again, and what is not there is not found."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from tests.verification.made_up import FALSE, NOT_NEEDED, REFUTED, TIGHT, TRUE, always, far_away, not_far_away
from theory.catalogue import find
from theory.models import Model, ModelPair
from theory.records import fingerprint, record
from theory.sizes import Size
from theory.theorem import Assumption, Construction, Worked
from theory.verdict import Status
from verification.certificates import STORED, Certificate, load
from verification.search import certify, search, search_widely

SMALLEST = Size(1, 2, 1)
#: Called refuted, though it holds; built at one size, or searches for a refutation would climb the whole ladder.
HOLDING = replace(
    REFUTED,
    conclusion=TRUE.conclusion,
    constructions=(Construction("smallest", TRUE.constructions[0].build, fits=lambda size: size == SMALLEST),),
)


def without_versions(certificate: Certificate) -> dict[str, Any]:
    """The content apart from the software that happens to be installed."""
    return {key: value for key, value in certificate.content().items() if key != "versions"}


@pytest.mark.parametrize("name", ["few_labels", "extended_linear", "stability"])
def test_finds_what_is_stored(name: str) -> None:
    """To the letter: searching again changes no certificate.  (All theorems would take half a minute.)"""
    found = {certificate.file_name: without_versions(certificate) for certificate in certify(find(name))}
    assert found == {path.name: without_versions(load(path)) for path in STORED.glob(f"{name}--*.json")}


@pytest.mark.parametrize(
    ("name", "without"), [("linear_identifiability", "common_pairs"), ("few_labels", "few_labels")]
)
def test_finds_the_same_twice(name: str, without: str) -> None:
    first, second = (search(find(name), without) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.size == second.size
    assert fingerprint(record(first.instance)) == fingerprint(record(second.instance))


def test_a_refutation_of_the_statement() -> None:
    found = search(FALSE)
    assert found is not None
    assert found.size == SMALLEST
    assert found.verdict.status is Status.REFUTED
    assert found.verdict.without is None


def test_a_counterexample_without_an_assumption() -> None:
    found = search(TRUE, "left_invertible")
    assert found is not None
    assert found.size == SMALLEST
    assert found.verdict.status is Status.COUNTEREXAMPLE
    assert found.verdict.without == "left_invertible"


def test_another_seed_finds_one_too() -> None:
    assert all(search(TRUE, "right_invertible", seed=seed) for seed in (1, 2, 3))


def test_sizes_are_climbed_in_the_given_order() -> None:
    found = search(FALSE, sizes=[Size(2, 3, 2), SMALLEST])
    assert found is not None
    assert found.size == Size(2, 3, 2)


def test_a_true_statement_is_not_refuted() -> None:
    assert search(TRUE, sizes=[SMALLEST, Size(2, 3, 2)], tries=50) is None


def test_what_is_not_needed_is_not_found() -> None:
    assert search(NOT_NEEDED, "first_positive", tries=50) is None


def test_without_a_construction_nothing_is_found() -> None:
    """No construction breaks it, so there is nothing to look at."""
    more = replace(TRUE, assumptions=(*TRUE.assumptions, Assumption("always", "always", always)))
    assert search(more, "always") is None


def test_instances_that_teach_nothing_are_passed_over() -> None:
    assert search(replace(FALSE, nontrivial=never), sizes=[SMALLEST], tries=50) is None


def never(_: Any) -> bool:
    """No instance bites."""
    return False


def test_a_refutation_of_a_stronger_conclusion() -> None:
    found = search(TIGHT, claim="orthogonal")
    assert found is not None
    assert found.size == SMALLEST
    assert (found.verdict.status, found.verdict.claim) == (Status.REFUTED, "orthogonal")


def test_a_stronger_conclusion_that_takes_the_plane() -> None:
    """On the line every invertible map is a permutation and a scaling."""
    assert search(TIGHT, claim="permutation_scaling", sizes=[SMALLEST], tries=50) is None
    found = search(TIGHT, claim="permutation_scaling", sizes=[SMALLEST, Size(2, 3, 1)], tries=50)
    assert found is not None
    assert found.size == Size(2, 3, 1)


def test_unknown_claim() -> None:
    with pytest.raises(ValueError, match="made_up lists no stronger conclusion 'typo'; it lists orthogonal, perm"):
        search(TIGHT, claim="typo")


@pytest.mark.parametrize("without", ["typo", ""])
def test_unknown_assumption(without: str) -> None:
    with pytest.raises(ValueError, match="made_up has no assumption"):
        search(TRUE, without)


# Certificates -----------------------------------------------------------------------------------------------------


def test_certify_says_what_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before it has looked at the instances of other theorems too.  (With fewer tries: that takes long.)"""
    monkeypatch.setattr("verification.search.search_widely", partial(search_widely, tries=3))
    with pytest.raises(LookupError, match="made_up: the search found no counterexample without 'first_positive'"):
        list(certify(NOT_NEEDED))


def test_certify_says_when_nothing_refutes() -> None:
    with pytest.raises(LookupError, match="made_up: the search found no counterexample to the statement"):
        list(certify(HOLDING))


@pytest.mark.parametrize(
    ("without", "status"), [("left_invertible", "VACUOUS"), (None, "HOLDS")], ids=["needed", "refuted"]
)
def test_certify_says_which_worked_example_is_none(without: str | None, status: str) -> None:
    """The witness meets everything, so it is a counterexample to nothing."""
    theorem = TRUE if without else HOLDING
    claimed = replace(theorem, worked=(Worked(without, TRUE.witness, "no counterexample"),))
    with pytest.raises(ValueError, match=f"made_up: the worked example witness is {status}"):
        list(certify(claimed))


def test_certify_names_files_by_origin() -> None:
    doubled = Worked(None, twice_as_long, "by hand", claim="orthogonal")
    claimed = replace(
        REFUTED,
        needs=("left_invertible",),
        stronger=TIGHT.stronger[:1],
        worked=(Worked(None, TRUE.witness, "by hand"), doubled),
    )
    assert [(c.file_name, c.dropped, c.claim, c.seed) for c in certify(claimed)] == [
        ("made_up--without-left_invertible.json", "left_invertible", None, 0),
        ("made_up--not-orthogonal.json", None, "orthogonal", 0),
        ("made_up--refuted.json", None, None, 0),
        ("made_up--refuted--witness.json", None, None, None),
        ("made_up--not-orthogonal--twice_as_long.json", None, "orthogonal", None),
    ]


def twice_as_long() -> ModelPair:
    """M = 1: f' = 2 and f* = 1."""
    return replace(far_away(), prime=Model.of([[2]], [[0], [1]]), star=Model.of([[1]], [[0], [2]]))


def test_a_worked_example_stands_in_for_a_search_that_finds_nothing() -> None:
    """Some counterexamples are out of reach of the constructions: then one by hand is enough."""
    far = replace(HOLDING, conclusion=not_far_away, worked=(Worked(None, far_away, "by hand"),))
    assert [c.file_name for c in certify(far)] == ["made_up--refuted--far_away.json"]
