"""The digest of a statement changes with what it says, and with nothing else."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import theory
from theory import decide
from theory.arithmetic import Matrix
from theory.catalogue import catalogue, find
from theory.digest import digest
from theory.evidence import Evidence
from theory.indeterminacy import CLASSES, smaller_than
from theory.models import ModelPair
from theory.strategies import pairs

LINEAR = find("linear_identifiability")


def other_conclusion(pair: Any) -> Evidence:
    """Another claim."""
    return decide.linear_map(pair.star.f, pair.prime.f)


def test_every_theorem_has_its_own_digest() -> None:
    digests = {digest(theorem) for theorem in catalogue().values()}
    assert len(digests) == len(catalogue())
    assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", text) for text in digests)


def test_digest_is_the_same_in_another_process() -> None:
    code = "from theory.catalogue import find\nfrom theory.digest import digest\nprint(digest(find('linked_pairs')))"
    root = Path(theory.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest(find("linked_pairs"))


@pytest.mark.parametrize(
    "changes",
    [
        {"statement": "Another statement."},
        {"conclusion": other_conclusion},
        {"closed_form": None},
        {"nontrivial": other_conclusion},
        {"assumptions": LINEAR.assumptions[::-1]},
        {"assumptions": tuple(replace(a, statement=a.statement + "!") for a in LINEAR.assumptions)},
        {"assumptions": tuple(replace(a, decide=other_conclusion) for a in LINEAR.assumptions)},
    ],
    ids=["statement", "conclusion", "closed form", "nontrivial", "order", "wording", "deciders"],
)
def test_what_a_theorem_says_counts(changes: dict[str, Any]) -> None:
    assert digest(replace(LINEAR, **changes)) != digest(LINEAR)


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "Another title"},
        {"notes": "a note"},
        {"sizes": LINEAR.sizes[:1]},
        {"constructions": LINEAR.constructions[:5]},
        {"worked": (), "needs": ()},
        {"attained": None},
        {"spectra": None},
        {"scope": None},
        {"reference": find("few_labels").reference},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_surrounds_it_does_not(changes: dict[str, Any]) -> None:
    assert digest(replace(LINEAR, **changes)) == digest(LINEAR)


def test_predicates_are_named_functions() -> None:
    with pytest.raises(ValueError, match="write predicates as named functions; a lambda has no source"):
        digest(replace(LINEAR, conclusion=lambda pair: other_conclusion(pair)))


def test_a_predicate_without_code_of_its_own_is_refused() -> None:
    partial = functools.partial(decide.linear_map, find("few_labels").witness().h)
    with pytest.raises(ValueError, match="write predicates as named functions, whose code can be digested"):
        digest(replace(LINEAR, conclusion=partial))


def always(_: Any) -> Evidence:
    return decide.count_is_zero(0, "always")


def never(_: Any) -> Evidence:
    return decide.count_is_zero(1, "never")


def asking(inner: Callable[[Any], Evidence]) -> Callable[[Any], Evidence]:
    def decider(instance: Any) -> Evidence:
        return inner(instance)

    return decider


def of_labels(pair: ModelPair) -> tuple[Matrix, Matrix]:
    """g* and g'."""
    return pair.star.g, pair.prime.g


def deciding(value: int) -> Callable[[Any], Evidence]:
    def decider(_: Any) -> Evidence:
        return decide.count_is_zero(value, "whatever was asked for")

    return decider


def test_what_a_predicate_carries_with_it_counts() -> None:
    """Functions of one text that captured other numbers, or other functions, decide differently."""
    numbers = {digest(replace(LINEAR, conclusion=deciding(value))) for value in (0, 1, 1)}
    assert len(numbers) == 2
    functions = {digest(replace(LINEAR, conclusion=asking(inner))) for inner in (always, never, always)}
    assert len(functions) == 2


def test_stronger_conclusions_count() -> None:
    """They are closures of one text over a class and over what reads the representations off an instance."""
    variants = [
        smaller_than(CLASSES["linear"], pairs.representations),
        smaller_than(CLASSES["affine"], pairs.representations),
        smaller_than(CLASSES["linear"], of_labels),
        (),
    ]
    digests = [digest(replace(LINEAR, stronger=stronger)) for stronger in variants]
    assert digests[0] == digest(LINEAR)
    assert len(set(digests)) == len(variants)
    renamed = tuple(replace(LINEAR.stronger[0], conclusion=s.conclusion) for s in LINEAR.stronger)
    one, other = (digest(replace(LINEAR, stronger=(s,))) for s in renamed)
    assert one != other, "one name and statement, another class captured"


def with_a_text(column: int) -> Any:
    def predicate(pair: ModelPair) -> Evidence:
        text = """
column zero
"""
        return decide.count_is_zero(len(text) - column, "letters")

    return predicate


def test_a_text_in_column_zero_of_a_function_inside_a_function() -> None:
    assert digest(replace(LINEAR, conclusion=with_a_text(1))) != digest(replace(LINEAR, conclusion=with_a_text(2)))


HOLDS_ITSELF: list[Any] = [1]
HOLDS_ITSELF.append(HOLDS_ITSELF)


def with_a_cycle(pair: ModelPair) -> Evidence:
    """It names a list that holds itself, which no digest could write."""
    return decide.count_is_zero(len(HOLDS_ITSELF), "items")


def test_a_constant_that_holds_itself() -> None:
    assert digest(replace(LINEAR, conclusion=with_a_cycle)).startswith("sha256:")
