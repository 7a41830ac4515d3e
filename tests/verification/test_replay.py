"""Replaying certificates: all that are stored are accepted, and none is once anything in it is changed."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from theory.arithmetic import Matrix, exact_matrix
from theory.catalogue import catalogue, find
from theory.checking import check
from theory.evidence import Evidence
from theory.models import AlignedPair, Model, full_candidate_sets
from theory.records import fingerprint
from theory.verdict import Status
from verification.certificates import STORED, Certificate, issue, load
from verification.replay import Replay, replay

ALL = sorted(STORED.glob("*.json"))
ONE = load(STORED / "few_labels--without-few_labels.json")
TIGHT = load(STORED / "linear_identifiability--not-orthogonal.json")
#: For each theorem the largest of its certificates: the one with the most numbers to change.
LARGEST = [
    max((path for path in ALL if path.name.startswith(f"{name}--")), key=lambda path: path.stat().st_size)
    for name in catalogue()
]
Keys = tuple[Any, ...]


def replayed(certificate: Certificate) -> Replay:
    return replay(certificate, catalogue())


def resealed(certificate: Certificate) -> Certificate:
    """With the checksum that belongs to its content, as a careful forger would write it."""
    return replace(certificate, checksum=fingerprint(certificate.content()))


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_stored_certificates_are_accepted(path: Path) -> None:
    result = replayed(load(path))
    assert result.problems == ()
    assert result.accepted


# Every number -----------------------------------------------------------------------------------------------------


def numbers(data: Any, keys: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Every number in plain data, with the keys that lead to it and a larger number of the same kind."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from numbers(value, (*keys, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from numbers(value, (*keys, index))
    elif isinstance(data, int) and not isinstance(data, bool):
        yield keys, data + 1
    elif isinstance(data, str):
        try:
            yield keys, str(Fraction(data) + 1)
        except ValueError:
            return  # a word


def with_changed(certificate: Certificate, keys: Keys, value: Any) -> Certificate:
    """The certificate with one value of its instance or evidence changed, and its old checksum."""
    content = copy.deepcopy(certificate.content())
    part = content
    for key in keys[:-1]:
        part = part[key]
    assert part[keys[-1]] != value
    part[keys[-1]] = value
    return replace(certificate, instance=content["instance"], evidence=tuple(content["evidence"]))


@pytest.mark.parametrize("path", LARGEST, ids=lambda path: path.stem)
def test_every_changed_number_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even by one who writes a new checksum: each piece of evidence knows what it was computed on."""
    certificate = load(path)
    monkeypatch.setattr("verification.replay.digest", lambda theorem: certificate.digest)  # slow, and not asked here
    content = certificate.content()
    found = [*numbers({"instance": content["instance"]}), *numbers({"evidence": content["evidence"]})]
    kinds = {keys[0] for keys, _ in found}
    assert kinds == {"instance", "evidence"}
    assert len(found) >= 15
    for keys, value in found:
        told = "\n".join(replayed(resealed(with_changed(certificate, keys, value))).problems)
        assert "evidence '" in told or "the instance is not valid: " in told, f"{keys} -> {value}: {told}"


def test_a_changed_number_breaks_the_seal_too() -> None:
    forged = with_changed(ONE, ("evidence", 0, "value"), "2")
    assert replayed(forged).problems == (
        "evidence 'few_labels': value is '2', recomputed '1'",
        "changed after it was written: the content does not match the checksum",
    )


def test_a_number_that_changes_no_answer_is_named_too() -> None:
    """Any h outside the affine functions of f will do here; the evidence is of another instance all the same."""
    forged = resealed(with_changed(ONE, ("instance", "h", 1, 0), "1000"))
    assert replayed(forged).problems == (
        "evidence 'few_labels', 'h_not_affine', 'conclusion': recorded for another instance than the file's",
    )


@pytest.mark.parametrize(("name", "value"), [("seed", 1), ("note", "a better note"), ("versions", {"python": "4.0"})])
def test_what_is_not_computed_is_sealed(name: str, value: Any) -> None:
    forged = replace(ONE, **{name: value})
    assert replayed(forged).problems == ("changed after it was written: the content does not match the checksum",)


def test_a_changed_checksum_is_named() -> None:
    forged = replace(ONE, checksum="sha256:" + "0" * 64)
    assert replayed(forged).problems == ("changed after it was written: the content does not match the checksum",)


# Names ------------------------------------------------------------------------------------------------------------


def test_stale() -> None:
    problems = replayed(resealed(replace(ONE, digest="sha256:" + "0" * 64))).problems
    assert problems == (
        "stale: issued for another wording or code of few_labels; search again with pytest verification --certify",
    )


def test_stale_when_the_statement_changes() -> None:
    reworded = replace(find("few_labels"), statement="Something else.")
    problems = replay(ONE, {"few_labels": reworded}).problems
    assert [problem.partition(":")[0] for problem in problems] == ["stale"]


def test_unknown_theorem() -> None:
    problem = "unknown theorem 'fewer_labels'; if it is your own, name its file with --theorems"
    assert replayed(replace(ONE, theorem="fewer_labels")).problems == (problem,)


def test_unknown_assumption() -> None:
    problems = replayed(replace(ONE, dropped="many_labels")).problems
    assert problems == ("few_labels has no assumption 'many_labels'",)


def test_unknown_claim() -> None:
    problems = replayed(replace(TIGHT, claim="diagonal")).problems
    assert problems == ("linear_identifiability lists no stronger conclusion 'diagonal'",)


@pytest.mark.parametrize("claim", ["permutation_scaling", None])
def test_not_a_refutation_of_something_else(claim: str | None) -> None:
    """f' = 2 and f* = 1 are no orthogonal images of each other, which refutes nothing weaker."""
    problems = replayed(resealed(replace(TIGHT, claim=claim))).problems
    assert problems[0] == "not a counterexample: the recomputed verdict is HOLDS"
    assert "evidence 'orthogonal' belongs to no assumption or conclusion" in problems


@pytest.mark.parametrize("dropped", ["h_not_affine", None])
def test_not_a_counterexample_to_something_else(dropped: str | None) -> None:
    problems = replayed(resealed(replace(ONE, dropped=dropped))).problems
    assert problems[0] == "not a counterexample: the recomputed verdict is VACUOUS"


def test_another_theorem() -> None:
    """What is known of one theorem is not known of another, though its instance may fit."""
    certificate = load(STORED / "linear_identifiability--without-left_invertible.json")
    problems = replayed(resealed(replace(certificate, theorem="one_sided_diversity"))).problems
    assert problems[0].startswith("stale: ")


# Evidence ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", range(len(ONE.evidence)))
def test_evidence_removed(index: int) -> None:
    kept = ONE.evidence[:index] + ONE.evidence[index + 1 :]
    problems = replayed(resealed(replace(ONE, evidence=kept))).problems
    assert problems == (f"evidence {ONE.evidence[index]['name']!r} is missing",)


def test_evidence_added() -> None:
    more = (*ONE.evidence, {**ONE.evidence[0], "name": "another"})
    problems = replayed(resealed(replace(ONE, evidence=more))).problems
    assert problems == ("evidence 'another' belongs to no assumption or conclusion",)


def test_evidence_renamed() -> None:
    other = ({**ONE.evidence[0], "name": "another"}, *ONE.evidence[1:])
    problems = replayed(resealed(replace(ONE, evidence=other))).problems
    assert problems == (
        "evidence 'few_labels' is missing",
        "evidence 'another' belongs to no assumption or conclusion",
    )


@pytest.mark.parametrize(("key", "value"), [("holds", True), ("value", "7"), ("detail", "something"), ("of", "?")])
def test_evidence_changed(key: str, value: Any) -> None:
    other = ({**ONE.evidence[0], key: value}, *ONE.evidence[1:])
    problems = replayed(resealed(replace(ONE, evidence=other))).problems
    assert len(problems) == 1
    assert problems[0].startswith("evidence 'few_labels': ")


def test_evidence_given_twice() -> None:
    """A false piece before the true one of the same name would be read by people and compared by nobody."""
    false = {**ONE.evidence[0], "value": "77"}
    problems = replayed(resealed(replace(ONE, evidence=(false, *ONE.evidence)))).problems
    assert problems == ("evidence 'few_labels' is given twice",)


def test_evidence_with_something_extra() -> None:
    extra = ({**ONE.evidence[0], "margin": "77"}, *ONE.evidence[1:])
    problems = replayed(resealed(replace(ONE, evidence=extra))).problems
    assert problems == ("evidence 'few_labels': margin is '77', recomputed None",)


# Instances --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (("h",), [["1"]], "h has shape (1, 1): it must be (2, 1)"),
        (("h", 0, 0), 0.5, "FreeFunction.h: write every entry as a string such as '-3/4'"),
        (("h", 0, 0), 1, "FreeFunction.h: write every entry as a string such as '-3/4'"),
        (("h", 0, 0), "1/0", "'1/0' is not a rational number"),
        (("h", 0, 0), "nan", "'nan' is not a rational number"),
        (("model", "f"), [], "f is 0 x 0: a model needs at least one context"),
        (("model", "g", 0), ["0", "0"], "row 1 has 1 entries, row 0 has 2"),
        (("model",), None, "FreeFunction.model: expected the fields of Model, found None"),
        (("model", "c"), [], "FreeFunction.model: unknown field 'c'"),
    ],
)
def test_instances_that_are_none(keys: Keys, value: Any, message: str) -> None:
    content = copy.deepcopy(ONE.content())
    part = content["instance"]
    for key in keys[:-1]:
        part = part[key]
    part[keys[-1]] = value
    problems = replayed(resealed(replace(ONE, instance=content["instance"]))).problems
    assert len(problems) == 1
    assert problems[0].startswith("the instance is not valid: ")
    assert message in problems[0]


def test_a_certificate_of_two_things() -> None:
    problems = replayed(resealed(replace(TIGHT, dropped="left_invertible"))).problems
    assert problems == ("it drops 'left_invertible' and claims 'orthogonal': a certificate does one of them",)


# Floating point ---------------------------------------------------------------------------------------------------


def rounded() -> AlignedPair:
    """What rounding does: g' moved by 2^-30 along what f* sees only 2^-26 of.

    The distributions agree to rounding, the f* span to rounding, and yet g' is no longer g* moved by a constant.
    """
    tiny, little = 2.0**-26, 2.0**-30
    f = [[1.0, 1.0], [-1.0, -1.0], [1.0, 1.0 + tiny]]
    labels = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    moved = [*labels[:3], [1.0 + little, 1.0 - little]]
    prime, star = (Model.of(f, g, arithmetic="float") for g in (moved, labels))
    alignment = exact_matrix([[1, 0], [0, 1]], "float")
    return AlignedPair(prime, star, full_candidate_sets(3, 4), alignment=alignment)


def test_rounding_refutes_nothing_exact() -> None:
    """Recomputed it is a refutation, which is why a replay does not look: the theorem is about exact instances."""
    theorem, pair = find("label_representation"), rounded()
    verdict = check(theorem, pair)
    assert verdict.status is Status.REFUTED
    forged = resealed(issue(theorem, pair, verdict, note="", origin="search", seed=0, versions={}))
    assert replayed(forged).problems == (
        "its instance is in floating point: label_representation is about exact instances, and rounding refutes "
        "nothing of it",
    )


# Somebody's own code ----------------------------------------------------------------------------------------------


def raises(error: BaseException) -> Callable[[Any], Any]:
    def predicate(_: Any) -> Any:
        raise error

    return predicate


@pytest.mark.parametrize("error", [SystemExit(0), ZeroDivisionError("half"), GeneratorExit()], ids=repr)
def test_code_that_raises(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verification.replay.digest", lambda theorem: ONE.digest)
    theorem = replace(find("few_labels"), conclusion=raises(error))
    (problem,) = replay(ONE, {"few_labels": theorem}).problems
    assert problem.startswith(f"it cannot be recomputed: few_labels: conclusion raised {type(error).__name__}")


def forever(_: Any) -> Any:
    while True:
        pass


def with_an_endless_witness(_: Any) -> Evidence:
    return Evidence("", 1, "defect", find_witness=lambda: forever(None))


@pytest.mark.parametrize("conclusion", [forever, with_an_endless_witness])
def test_code_that_never_ends(conclusion: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verification.replay.digest", lambda theorem: ONE.digest)
    monkeypatch.setattr("verification.budget.BUDGET", 0.3)
    theorem = replace(find("few_labels"), conclusion=conclusion)
    (problem,) = replay(ONE, {"few_labels": theorem}).problems
    assert problem.startswith("it cannot be recomputed: few_labels: ")
    assert problem.endswith("took longer than the 0.3 s it is allowed: does it end?")


@dataclass(frozen=True)
class Picky:
    """An instance whose own check ends the program."""

    table: Matrix

    def __post_init__(self) -> None:
        sys.exit("no such instance")


def test_an_instance_that_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verification.replay.digest", lambda theorem: ONE.digest)
    theorem = replace(find("few_labels"), instance_type=Picky)
    certificate = resealed(replace(ONE, instance={"table": [["1"]]}))
    assert replay(certificate, {"few_labels": theorem}).problems == ("the instance is not valid: no such instance",)


def test_numbers_too_long_to_be_written() -> None:
    """Each is short enough to be read; their product is not to be written."""
    certificate = load(STORED / "linear_identifiability--without-common_pairs.json")
    content = copy.deepcopy(certificate.content())
    for model, part, row in (("prime", "f", 0), ("star", "f", 0), ("star", "g", 0), ("prime", "g", 1)):
        content["instance"][model][part][row][0] = "9" * 3999
    (problem,) = replayed(resealed(replace(certificate, instance=content["instance"]))).problems
    assert problem.startswith("it cannot be recomputed: Exceeds the limit ")
