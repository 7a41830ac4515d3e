"""What is written comes back the same, in either arithmetic, and a file can only become the data it should be."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from theory.arithmetic import matrix_type
from theory.catalogue import catalogue, find
from theory.checking import check
from theory.models import Model, ModelPair, full_candidate_sets
from theory.records import canonical, evidence_record, fingerprint, record, restore
from theory.sizes import Size
from theory.strategies.source import RandomSource
from theory.strategies.spectra import conditioned

CONSTRUCTIONS = [
    pytest.param(theorem.instance_type, construction, size, id=f"{theorem.name}: {construction.name}")
    for theorem in catalogue().values()
    for construction in theorem.constructions
    for size in [next((size for size in theorem.sizes if construction.fits(size)), None)]
    if size is not None
]


@pytest.mark.parametrize("arithmetic", ["flint", "sympy"])
@pytest.mark.parametrize(("kind", "construction", "size"), CONSTRUCTIONS)
def test_instances_come_back(kind: type[Any], construction: Any, size: Any, arithmetic: str) -> None:
    for seed in range(5):
        instance = construction.build(RandomSource(seed), size)
        text = canonical(record(instance))
        back = restore(kind, json.loads(text), arithmetic)
        assert back == instance
        assert canonical(record(back)) == text


def test_bias_and_label_pairs_come_back() -> None:
    model = Model.of([["1/2"]], [[0], [1]], [3, 4])
    for pairs in ((), (((1, 0),),)):
        pair = ModelPair(model, Model.of([[1]], [[0], [1]]), full_candidate_sets(1, 2), pairs)
        assert restore(ModelPair, record(pair)) == pair


def test_restored_in_the_arithmetic_asked_for() -> None:
    pair = find("linked_pairs").witness()
    assert type(restore(ModelPair, record(pair), "sympy").star.f) is matrix_type("sympy")


@pytest.mark.parametrize("decade", [0, 12])
def test_floating_point_instances_come_back_bit_by_bit(decade: int) -> None:
    for seed in range(5):
        pair = conditioned(RandomSource(seed), Size(3, 5, 4), decade)
        data = json.loads(canonical(record(pair)))
        back = restore(ModelPair, data, "float")
        assert back == pair
        assert canonical(record(back)) == canonical(data)
        assert all(type(m) is matrix_type("float") for m in (back.prime.f, back.star.g))
        with pytest.raises(ValueError, match=r"ModelPair\.prime\.f: row 0, column 0: '.*' is not a rational number"):
            restore(ModelPair, data)


def test_computed_matrices_come_back_with_their_error() -> None:
    product = matrix_type("float").of([["1/3", "2/7"]]) @ matrix_type("float").of([["1/7"], ["-1/3"]])
    model = Model(product, matrix_type("float").of([[1], [2]]))
    back = restore(Model, json.loads(canonical(record(model))), "float")
    for part in ("value", "error", "size"):
        assert (getattr(back.f, part) == getattr(product, part)).all()


def test_rationals_are_no_floating_point_numbers() -> None:
    with pytest.raises(ValueError, match="is not a number in hexadecimal floating point"):
        restore(ModelPair, record(find("linked_pairs").witness()), "float")


def test_record_by_hand() -> None:
    assert record(Model.of([["1/2"], [-3]], [[0], [1]])) == {
        "f": [["1/2"], ["-3"]],
        "g": [["0"], ["1"]],
        "bias": None,
    }
    assert record({"a": (1, Fraction(2, 3), "text", None)}) == {"a": [1, "2/3", "text", None]}


@pytest.mark.parametrize("lossy", [float("inf"), [1, float("-inf")], {"a": float("nan")}, object(), {1, 2}])
def test_what_would_not_come_back_is_refused(lossy: object) -> None:
    with pytest.raises(TypeError, match=r"cannot write .* without loss"):
        record(lossy)


def changed(**changes: Any) -> dict[str, Any]:
    return record(find("linked_pairs").witness()) | changes


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "ModelPair: expected the fields of ModelPair, found []"),
        ({k: v for k, v in changed().items() if k != "star"}, "ModelPair: the field 'star' is missing"),
        (changed(more=1), "ModelPair: unknown field 'more'; the fields are prime, star, candidate_sets, label_pairs"),
        (changed(prime=3), "ModelPair.prime: expected the fields of Model, found 3"),
        (changed(prime={"f": 1, "g": [], "bias": None}), "ModelPair.prime.f: a matrix is a list of rows"),
        (changed(prime={"f": [[1]], "g": [["1"]], "bias": None}), "ModelPair.prime.f: write every entry as a string"),
        (changed(prime={"f": [["1/0"]], "g": [["1"]], "bias": None}), "ModelPair.prime.f: row 0, column 0: '1/0'"),
        (changed(candidate_sets=7), "ModelPair.candidate_sets: expected a list, found 7"),
        (changed(candidate_sets=[[["a"]]]), "ModelPair.candidate_sets[0][0][0]: expected int, found 'a'"),
        (changed(candidate_sets=[[[True, 1]]]), "ModelPair.candidate_sets[0][0][0]: expected int, found True"),
        (changed(label_pairs=[[[0, 1, 2]]]), "ModelPair.label_pairs[0][0]: expected 2 items, found 3"),
        (changed(candidate_sets=[[[0, 9]]]), "context 0: candidate set (0, 9) names label 9"),
    ],
)
def test_what_is_not_an_instance_is_refused(data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        restore(ModelPair, data)


def test_canonical_text_and_fingerprints() -> None:
    assert canonical({"b": [1, 2], "a": "é"}) == '{"a":"é","b":[1,2]}'
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    assert fingerprint([1]) != fingerprint(["1"])
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", fingerprint([]))
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(float("nan"))


@pytest.mark.parametrize("theorem", [pytest.param(theorem, id=name) for name, theorem in catalogue().items()])
def test_evidence_can_always_be_written(theorem: Any) -> None:
    instances = [theorem.witness(), *(worked.build() for worked in theorem.worked)]
    instances += [c.build(RandomSource(0), size) for size in theorem.sizes[:4] for c in theorem.usable(size)]
    for instance in instances:
        for evidence in check(theorem, instance).evidence:
            written = evidence_record(evidence)
            assert json.loads(canonical(written)) == written
            assert written["holds"] is evidence.holds


@dataclass(frozen=True)
class Flagged:
    """An instance with a flag."""

    flag: bool
    name: str | None


@dataclass(frozen=True)
class Either:
    """Two types: the text of a file does not say which of them it is."""

    either: int | Fraction


@dataclass(frozen=True)
class Listed:
    """A list can be changed, so it is no part of an instance that is stored."""

    items: list[int]


@dataclass(frozen=True)
class Unread:
    """Its field is of a class that is not there when the file runs."""

    table: "OnlyForTypeCheckers"  # noqa: F821, UP037  # type: ignore[name-defined]


def test_a_flag_comes_back() -> None:
    for made in (Flagged(True, None), Flagged(False, "a")):
        assert restore(Flagged, record(made), "sympy") == made
    with pytest.raises(ValueError, match=r"Flagged\.flag: expected bool, found 1"):
        restore(Flagged, {"flag": 1, "name": None}, "sympy")


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (
            Either(Fraction(1, 2)),
            r"Either.either: a field of type int \| fractions.Fraction cannot be read back; make it",
        ),
        (Either(1), r"Either.either: a field of type int \| fractions.Fraction cannot be read back"),
        (Listed([1]), r"Listed.items: a field of type list\[int\] cannot be read back"),
        (Unread(1), "Unread: the types of its fields cannot be read: name 'OnlyForTypeCheckers' is not defined"),
    ],
)
def test_fields_that_cannot_be_read_back(made: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        restore(type(made), record(made), "sympy")
