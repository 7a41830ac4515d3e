"""The stored certificates: one for each claim, none for anything else, and none larger than it need be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.instances import size_of
from theory.catalogue import catalogue, find
from theory.checking import check
from theory.records import restore
from theory.sizes import Size
from theory.verdict import Status
from verification.certificates import STORED, Certificate, load

ALL = [load(path) for path in sorted(STORED.glob("*.json"))]
SEARCHED = [certificate for certificate in ALL if certificate.origin == "search"]
#: (M, K, n) of the smallest counterexample without an assumption, to a stronger conclusion ("not …"), or to the
#: statement, read off the proofs.  K = 2 labels are one pair, which every candidate set holds; to differ from context
#: to context takes n = 2; any two vectors are related by an affine map, so to break such a conclusion takes n = 2 too.
SMALLEST: dict[str, dict[str, tuple[int, int, int]]] = {
    "biased_label_representation": {
        "equal_distributions": (1, 2, 2),  # f* spans the line affinely with two contexts
        "aligned": (1, 2, 2),
        "alignment_invertible": (1, 2, 2),
        "labels_tied": (1, 3, 2),
        "star_spans_affinely": (1, 2, 1),
        "not no_shift": (1, 2, 2),
        "not same_bias": (1, 2, 2),
    },
    "biased_logits": {
        "equal_distributions": (1, 2, 2),
        "pairs_seen": (1, 3, 2),
        "common_pairs": (1, 3, 2),
        "left_invertible": (1, 2, 2),
        "right_invertible": (1, 2, 2),
        "not linear": (1, 2, 1),  # f* = 0 and f' = 1
    },
    "biased_logits_linear": {"refuted": (1, 2, 1)},
    "chained_pairs": {"refuted": (1, 3, 3)},  # one context between two others
    "extended_linear": {
        "no_bias": (1, 2, 1),
        "equal_distributions": (1, 2, 1),
        "labels_joined": (1, 3, 1),
        "not without_projection": (1, 2, 1),  # both labels equal: f is free
        "not labels_without_projection": (1, 2, 1),  # f = 0: g is free
    },
    "few_labels": {
        "few_labels": (1, 2, 2),  # h needs room outside the affine functions of f
        "h_not_affine": (2, 2, 1),  # K <= M, and there are 2 labels at least
    },
    "label_representation": {
        "no_bias": (1, 2, 1),
        "equal_distributions": (1, 2, 1),
        "aligned": (1, 2, 1),
        "alignment_invertible": (1, 2, 1),
        "labels_tied": (1, 3, 1),
        "star_spans": (1, 2, 1),
        "not no_shift": (1, 2, 1),
    },
    "label_representation_linear": {"refuted": (1, 2, 1)},
    "linear_identifiability": {
        "no_bias": (1, 2, 1),
        "equal_distributions": (1, 2, 1),
        "pairs_seen": (1, 3, 1),
        "common_pairs": (1, 3, 2),
        "left_invertible": (1, 2, 1),
        "right_invertible": (1, 2, 1),
        "not orthogonal": (1, 2, 1),
        "not permutation_scaling": (2, 3, 1),  # on the line there is no other map; M + 1 labels for diversity
    },
    "linked_pairs": {
        "no_bias": (1, 2, 1),
        "equal_distributions": (1, 2, 1),
        "pairs_joined": (1, 3, 1),
        "linked": (1, 3, 2),
        "left_invertible": (1, 2, 1),
        "right_invertible": (1, 2, 1),
        "not orthogonal": (1, 2, 1),
        "not permutation_scaling": (2, 3, 1),
    },
    "logit_distance_bound": {
        "no_bias": (1, 2, 1),
        "common_pairs": (1, 3, 2),
        "not never_attained": (1, 2, 1),
    },
    "one_sided_diversity": {
        "no_bias": (1, 2, 1),
        "equal_distributions": (1, 2, 1),
        "pairs_seen": (1, 3, 1),
        "common_pairs": (1, 3, 2),
        "left_invertible": (1, 2, 1),
        "left_spans": (1, 2, 1),
        "not orthogonal": (1, 2, 1),
        "not permutation_scaling": (2, 3, 2),  # f' spans the plane with two contexts
    },
    "pairs_may_depend_on_the_context": {"refuted": (1, 3, 2)},
    "stability": {
        "near": (1, 2, 1),
        "no_bias": (1, 2, 1),
        "pairs_seen": (1, 3, 1),
        "common_pairs": (1, 3, 2),
        "not never_attained": (1, 2, 1),
    },
    "unit_norm_orthogonal": {  # labels play no role: K = 2 stands for any number of them
        "aligned": (1, 2, 2),  # 1, 1 and 1, -1: one vector of unit length is an orthogonal image of another
        "left_unit_norms": (1, 2, 1),
        "right_unit_norms": (1, 2, 1),
        "quadric_rank": (2, 2, 2),  # on the line one context has the full rank of 1; two unit vectors have two angles
        "not signed_permutation": (2, 2, 3),  # M(M + 1) / 2 points
    },
}
PINNED = [(theorem, what) for theorem, sizes in SMALLEST.items() for what in sizes]


def named(dropped: str | None, claim: str | None) -> str:
    """What a certificate is about, as in the table above."""
    return dropped or (f"not {claim}" if claim else "refuted")


def claims() -> set[tuple[str, str]]:
    """What the catalogue says of its theorems that takes a counterexample to show."""
    return {(theorem.name, named(*about)) for theorem in catalogue().values() for about in theorem.certifiable()}


def about(certificate: Certificate) -> tuple[str, str]:
    return certificate.theorem, named(certificate.dropped, certificate.claim)


def size(certificate: Certificate) -> Size:
    return size_of(restore(find(certificate.theorem).instance_type, certificate.instance))


def test_the_table_covers_every_claim() -> None:
    assert set(PINNED) == claims()


@pytest.mark.parametrize(("theorem", "what"), PINNED, ids=[f"{theorem}-{what}" for theorem, what in PINNED])
def test_smallest(theorem: str, what: str) -> None:
    """What the search found is as small as the proof says a counterexample can be, and says so."""
    (found,) = [c for c in SEARCHED if about(c) == (theorem, what)]
    expected = Size(*SMALLEST[theorem][what])
    assert size(found) == expected
    assert found.note == f"smallest found by the ladder: {expected}"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, sizes in SMALLEST.items() if max(sizes.values()) > (1, 2, 1)])
def test_none_in_the_exhaustive_scope_is_smaller(name: str) -> None:
    """Not a matter of luck in the search: of all small instances none that is smaller is a counterexample."""
    theorem = find(name)
    assert theorem.scope is not None
    sizes = {(c.dropped, c.claim): size(c) for c in SEARCHED if c.theorem == name}
    largest = max(sizes.values())
    smaller = 0
    for instance in theorem.scope.instances():
        here = size_of(instance)
        if here >= largest:
            continue
        smaller += 1
        for (dropped, claim), pinned in sizes.items():
            if here < pinned:
                status = check(theorem, instance, without=dropped, claim=claim, brief=True).status
                assert status not in (Status.COUNTEREXAMPLE, Status.REFUTED), f"{named(dropped, claim)}: {instance}"
    assert smaller > 0


#: What rotates the plane exactly and is no permutation: (3/5, 4/5), and its images.
PYTHAGORAS = {Fraction(numerator, 25) for numerator in (7, 15, 20, 24)}


@pytest.mark.parametrize("certificate", SEARCHED, ids=lambda certificate: certificate.file_name)
def test_searched_numbers_are_small(certificate: Certificate) -> None:
    """Shrunk: a person checks it in the head.  (Worked examples are as their authors wrote them.)"""
    allowed = {Fraction(1, 2), *map(Fraction, (0, 1, 2))}
    if certificate.theorem == "unit_norm_orthogonal":
        allowed |= PYTHAGORAS
    assert {abs(Fraction(entry)) for entry in numbers(certificate.instance)} <= allowed


def numbers(data: Any) -> list[str]:
    """Every rational in recorded data."""
    if isinstance(data, str):
        return [data]
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, (list, tuple)) else ()
    return [number for part in parts for number in numbers(part)]


def test_every_claim_has_one_searched_certificate() -> None:
    assert {about(c) for c in SEARCHED} == claims()
    assert len(SEARCHED) == len(claims())


def test_every_worked_example_has_a_certificate() -> None:
    worked = {(t.name, w.without, w.claim, w.build.__name__, w.note) for t in catalogue().values() for w in t.worked}
    assert {(c.theorem, c.dropped, c.claim, c.origin, c.note) for c in ALL if c.origin != "search"} == worked


def test_nothing_else_is_stored() -> None:
    """A folder for certificates only: a stray one is of a theorem, an assumption or an example that is no more."""
    expected = {c.file_name for c in ALL}
    assert {path.name for path in STORED.iterdir()} == expected
    assert len(expected) == len(ALL)
    assert {c.theorem for c in ALL} <= set(catalogue())


def test_searches_say_their_seed() -> None:
    assert {c.seed for c in SEARCHED} == {0}
    assert {c.seed for c in ALL if c.origin != "search"} == {None}
