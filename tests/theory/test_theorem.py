"""The form of a theorem, and what examining one instance looks at."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest

from theory import decide
from theory.calling import OutOfTime
from theory.catalogue import find
from theory.checking import check
from theory.evidence import Evidence
from theory.models import ModelPair
from theory.sizes import Size, ladder
from theory.strategies.source import RandomSource
from theory.theorem import Assumption, Construction, PredicateError, Standing, Stronger, Theorem, Worked
from theory.verdict import Status

LINEAR = find("linear_identifiability")


def always(_: Any) -> Evidence:
    return decide.count_is_zero(0, "always")


def never(_: Any) -> Evidence:
    return decide.count_is_zero(1, "never")


def doubtful(_: Any) -> Evidence:
    return Evidence("", math.nan, "not a number")


def exploding(_: Any) -> Evidence:
    raise AssertionError("this must not be looked at")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "not an identifier"}, "theorem name 'not an identifier': use letters, digits and underscores"),
        ({"name": ""}, "theorem name ''"),
        ({"assumptions": LINEAR.assumptions * 2}, "linear_identifiability: two assumptions have the same name among"),
        ({"needs": ("typo",)}, "has no assumption 'typo'; its assumptions are no_bias, equal_distributions"),
        ({"assumptions": LINEAR.assumptions[2:], "needs": ()}, "has no assumption 'equal_distributions'"),
        ({"worked": (Worked("typo", LINEAR.witness, ""),)}, "has no assumption 'typo'"),
        ({"constructions": ()}, "linear_identifiability: no construction meets all assumptions"),
        ({"constructions": LINEAR.constructions[4:]}, "no construction meets all assumptions, so nothing would be"),
        ({"worked": (Worked(None, LINEAR.witness, ""),)}, "a worked refutation of the statement contradicts"),
        ({"worked": (Worked(None, LINEAR.witness, "", "typo"),)},
         "lists no stronger conclusion 'typo'; it lists orthogonal, permutation_scaling"),
        ({"stronger": (), "worked": (Worked(None, LINEAR.witness, "", "orthogonal"),)},
         "lists no stronger conclusion 'orthogonal'; it lists none"),
        ({"standing": Standing.REFUTED}, "name the repairing theorem exactly when the statement is refuted as stated"),
        ({"repaired_by": "linked_pairs"}, "name the repairing theorem exactly when the statement is refuted"),
    ],
)  # fmt: skip
def test_theorems_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        replace(LINEAR, **changes)


def toy(assumptions: dict[str, Any], conclusion: Any, **changes: Any) -> Theorem[ModelPair]:
    """A theorem about any pair, with predicates that answer as told."""
    named = tuple(Assumption(name, name, decide) for name, decide in assumptions.items())
    kept = tuple(c for c in LINEAR.constructions if c.violates is None)
    blank: dict[str, Any] = {"needs": (), "worked": (), "constructions": kept, "closed_form": None}
    return replace(LINEAR, assumptions=named, conclusion=conclusion, **(blank | changes))


@pytest.mark.parametrize(
    ("a", "b", "conclusion", "without", "status"),
    [
        (always, always, always, None, Status.HOLDS),
        (always, always, never, None, Status.REFUTED),
        (always, always, doubtful, None, Status.UNDECIDED),
        (always, doubtful, never, None, Status.UNDECIDED),
        (always, never, exploding, None, Status.VACUOUS),
        (doubtful, never, exploding, None, Status.VACUOUS),
        (always, never, never, "b", Status.COUNTEREXAMPLE),
        (always, never, always, "b", Status.VACUOUS),
        (always, never, doubtful, "b", Status.UNDECIDED),
        (always, always, exploding, "b", Status.VACUOUS),
        (never, never, exploding, "b", Status.VACUOUS),
        (always, doubtful, never, "b", Status.UNDECIDED),
    ],
)
@pytest.mark.parametrize("brief", [False, True])
def test_check(a: Any, b: Any, conclusion: Any, without: str | None, status: Status, brief: bool) -> None:
    theorem = toy({"a": a, "b": b}, conclusion)
    assert check(theorem, LINEAR.witness(), without=without, brief=brief).status is status


def test_all_assumptions_are_looked_at_unless_brief() -> None:
    theorem = toy({"a": never, "b": always, "c": never}, exploding)
    assert [e.name for e in check(theorem, LINEAR.witness()).assumptions] == ["a", "b", "c"]
    assert [e.name for e in check(theorem, LINEAR.witness(), brief=True).assumptions] == ["a"]


def test_closed_form_counts_only_where_every_assumption_holds() -> None:
    theorem = toy({"a": always, "b": always}, always, closed_form=never)
    verdict = check(theorem, LINEAR.witness())
    assert verdict.status is Status.REFUTED
    assert [e.name for e in verdict.conclusion] == ["conclusion", "closed_form"]
    for broken in (never, doubtful):
        elsewhere = toy({"a": always, "b": broken}, never, closed_form=exploding)
        for without in (None, "b"):
            check(elsewhere, LINEAR.witness(), without=without)


CLAIMS = {
    "true": Stronger("true", "what always holds", always),
    "false": Stronger("false", "what never holds", never),
    "nan": Stronger("nan", "what is not told", doubtful),
}


@pytest.mark.parametrize(
    ("claim", "status"), [("true", Status.HOLDS), ("false", Status.REFUTED), ("nan", Status.UNDECIDED)]
)
def test_a_claim_stands_in_place_of_the_conclusion(claim: str, status: Status) -> None:
    theorem = toy({"a": always}, exploding, closed_form=exploding, stronger=tuple(CLAIMS.values()))
    verdict = check(theorem, LINEAR.witness(), claim=claim)
    assert verdict.status is status
    assert [e.name for e in verdict.conclusion] == [claim]
    assert verdict.describe().startswith(f"linear_identifiability claiming {claim}: {status.name}")


def test_a_claim_is_asked_only_where_the_assumptions_hold() -> None:
    stronger = Stronger("late", "what must not be looked at", exploding)
    theorem = toy({"a": never}, always, stronger=(stronger,))
    verdict = check(theorem, LINEAR.witness(), claim="late")
    assert verdict.status is Status.VACUOUS
    assert verdict.conclusion == ()
    with pytest.raises(ValueError, match="linear_identifiability lists no stronger conclusion 'typo'; it lists late"):
        check(theorem, LINEAR.witness(), claim="typo")


def test_what_certificates_must_refute() -> None:
    theorem = toy({"a": always, "b": always}, always, needs=("b",), stronger=tuple(CLAIMS.values())[:2])
    assert theorem.certifiable() == [("b", None), (None, "true"), (None, "false")]
    refuted = toy({"a": always}, always, standing=Standing.REFUTED, repaired_by="linked_pairs", stronger=())
    assert refuted.certifiable() == [(None, None)]


def raising(_: Any) -> Evidence:
    raise ZeroDivisionError("one half of nothing")


def no_evidence(_: Any) -> Any:
    return True


@pytest.mark.parametrize("brief", [False, True])
@pytest.mark.parametrize(
    ("predicate", "message"),
    [
        (raising, r"raised ZeroDivisionError.*: one half of nothing\. A predicate must answer on every valid instance"),
        (no_evidence, r"returned True \(bool\), not Evidence; use the functions of theory\.decide"),
    ],
)
def test_predicates_are_total(predicate: Any, message: str, brief: bool) -> None:
    """Whichever predicate it is, the error names it."""
    stronger = (Stronger("claimed", "what cannot be asked", predicate),)
    for name, theorem, claim in (
        ("b", toy({"a": always, "b": predicate}, always), None),
        ("conclusion", toy({"a": always}, predicate), None),
        ("closed_form", toy({"a": always}, always, closed_form=predicate), None),
        ("claimed", toy({"a": always}, always, stronger=stronger), "claimed"),
    ):
        with pytest.raises(PredicateError, match=f"linear_identifiability: {name} {message}"):
            check(theorem, LINEAR.witness(), claim=claim, brief=brief)


def test_trivial_instances_are_vacuous() -> None:
    theorem = toy({"a": always}, never, nontrivial=lambda _: False)
    assert check(theorem, LINEAR.witness()).status is Status.VACUOUS


def test_check_refuses_other_instances_and_assumptions() -> None:
    message = "linear_identifiability is about ModelPair instances, not FreeFunction"
    with pytest.raises(TypeError, match=message):
        check(LINEAR, find("few_labels").witness())
    with pytest.raises(ValueError, match="linear_identifiability has no assumption 'typo'"):
        check(LINEAR, LINEAR.witness(), without="typo")


def test_instances_need_a_construction_that_fits() -> None:
    with pytest.raises(ValueError, match=r"no construction without 'pairs_seen' fits M = 1, K = 2, n = 1"):
        LINEAR.instances(Size(1, 2, 1), without="pairs_seen")
    with pytest.raises(ValueError, match="has no assumption 'typo'"):
        LINEAR.instances(Size(1, 2, 1), without="typo")


@pytest.mark.parametrize("wrong", [(0, 2, 1), (1, 1, 1), (1, 2, 0)])
def test_smallest_size(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="the smallest size is dim 1, labels 2, contexts 1"):
        Size(*wrong)


def test_ladder_climbs() -> None:
    rungs = list(ladder(3))
    assert rungs == sorted(set(rungs))
    assert rungs[0] == Size(1, 2, 1)
    assert len(rungs) == 3 * 4 + 4 * 5 + 5 * 6
    assert str(rungs[0]) == "M = 1, K = 2, n = 1"


class Odd(BaseException):
    """Neither an Exception nor anything that ends a run from outside."""


@pytest.mark.parametrize("error", [SystemExit(0), GeneratorExit(), Odd("odd")], ids=repr)
def test_what_is_no_exception_counts_as_raised(error: BaseException) -> None:
    """``sys.exit(0)`` in a predicate would end the run as if nothing had been found."""

    def raises(*_: Any) -> Any:
        raise error

    name = type(error).__name__
    with pytest.raises(PredicateError, match=f"conclusion raised {name}"):
        check(toy({"a": always}, raises), LINEAR.witness())
    with pytest.raises(PredicateError, match=f"a raised {name}") as caught:
        check(toy({"a": raises}, always), LINEAR.witness())
    assert caught.value.predicate == "a"
    with pytest.raises(PredicateError, match=f"nontrivial raised {name}"):
        check(toy({"a": always}, always, nontrivial=raises), LINEAR.witness())
    with pytest.raises(PredicateError, match=f"the construction 'odd' raised {name} at M = 1"):
        Construction("odd", raises).instance(RandomSource(0), Size(1, 2, 1))
    with pytest.raises(PredicateError, match=f"`fits` of the construction 'odd' raised {name}"):
        Construction("odd", LINEAR.constructions[0].build, fits=raises).fitting(Size(1, 2, 1))


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OutOfTime("late")], ids=repr)
def test_what_comes_from_outside_goes_through(error: BaseException) -> None:
    def raises(_: Any) -> Any:
        raise error

    with pytest.raises(type(error)):
        check(toy({"a": always}, raises), LINEAR.witness())


@pytest.mark.parametrize("name", ["", "rank/full", "/../../escaped", "two words", "conclusion", "closed_form", 3])
def test_names_that_files_and_evidence_cannot_have(name: Any) -> None:
    with pytest.raises(ValueError, match="cannot be the name of one of the assumptions: use letters, digits and"):
        toy({name: always}, always)
    with pytest.raises(ValueError, match="cannot be the name of one of the stronger conclusions"):
        toy({"a": always}, always, stronger=(Stronger(name, "more", always),))


def test_names_that_are_taken() -> None:
    with pytest.raises(ValueError, match="two stronger conclusions have the same name"):
        toy({"a": always}, always, stronger=(Stronger("b", "more", always),) * 2)
    with pytest.raises(ValueError, match="'a' names an assumption and a stronger conclusion"):
        toy({"a": always}, always, stronger=(Stronger("a", "more", always),))
    with pytest.raises(ValueError, match="' ' cannot name a construction"):
        replace(LINEAR, constructions=(replace(LINEAR.constructions[0], name=" "), *LINEAR.constructions))
