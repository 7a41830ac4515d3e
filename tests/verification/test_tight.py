"""The check *tight*: a class that is not all attained, or not the smallest, is a failure that says where and why."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.verification.made_up import TIGHT, TINY, TRUE, same_representations
from theory.arithmetic import Matrix, matrix_type
from theory.indeterminacy import CLASSES, Element, Indeterminacy, Linear
from theory.models import Model, ModelPair
from theory.sizes import Size
from theory.strategies import pairs
from theory.strategies.source import Source
from theory.theorem import Attained, Construction, Stronger, Theorem
from verification.examine import examine
from verification.results import Result
from verification.tight import ELEMENTS_A_SIZE, tight

LINE, WIDE, PLANE = (f"at {size}: " for size in TIGHT.sizes)


def attaining(build: Any, kind: Indeterminacy = CLASSES["linear"], representations: Any = None) -> Theorem[ModelPair]:
    """The tight theorem with another way to build instances, another class, or another reading of instances."""
    return replace(TIGHT, attained=Attained(kind, build, representations or pairs.representations))


def test_all_of_the_class_is_attained() -> None:
    assert tight(TIGHT, TINY, seed=0) == (ELEMENTS_A_SIZE * len(TIGHT.sizes), [])


def test_a_theorem_without_a_class_says_nothing() -> None:
    assert tight(replace(TIGHT, attained=None), TINY, seed=0) == (0, [])


def test_elements_are_drawn_from_the_seed() -> None:
    def drawn(seed: int) -> list[Element]:
        seen: list[Element] = []

        def build(source: Source, size: Size, element: Element) -> ModelPair:
            seen.append(element)
            return pairs.attaining(source, size, element)

        tight(attaining(build), TINY, seed)
        return seen

    assert drawn(0) == drawn(0)
    assert drawn(0) != drawn(1)
    assert len(set(map(repr, drawn(0)))) > ELEMENTS_A_SIZE, "not all the identity"


# Not attained -----------------------------------------------------------------------------------------------------


def moved_without_its_labels(source: Source, size: Size, element: Element) -> ModelPair:
    """f' = A f* with g' = g*: another distribution, unless A is the identity."""
    pair = pairs.attaining(source, size, element)
    return replace(pair, prime=Model(pair.prime.f, pair.star.g))


def transposed(source: Source, size: Size, element: Element) -> ModelPair:
    """Aᵀ in place of A: the same on the line."""
    return pairs.attaining(source, size, Element(element.A.T))


def swapped(pair: ModelPair) -> tuple[Matrix, Matrix]:
    """f' and f*, in the wrong order."""
    return pair.prime.f, pair.star.f


class Singular(Linear):
    """Its samples are all singular."""

    def sample(self, source: Source, dim: int) -> Element:
        return Element(matrix_type().zeros(dim, dim))


def test_elements_that_give_no_valid_model() -> None:
    """The failure shows the element, and which assumption its instance breaks."""
    _, failures = tight(attaining(moved_without_its_labels), TINY, seed=0)
    assert [re.match(r"at [^:]*: ", failure)[0] for failure in failures] == [LINE, WIDE, PLANE]  # type: ignore[index]
    start, first, *rest = failures[0].splitlines()
    assert re.fullmatch(LINE + r"the element Element\(A=.*, c=None\) of linear gives no valid model:", start)
    assert first.startswith("made_up: VACUOUS: ")
    assert any(line.startswith("  equal_distributions: fails (") for line in rest)


def test_elements_that_refute_the_theorem() -> None:
    """Its class is larger than its conclusion allows."""
    count, failures = tight(replace(TIGHT, conclusion=same_representations, closed_form=None), TINY, seed=0)
    assert count < ELEMENTS_A_SIZE * len(TIGHT.sizes)
    assert re.match(LINE + r"the element .* of linear gives no valid model:\nmade_up: REFUTED: ", failures[0])
    assert "\n  conclusion: fails (largest entry of the residual = " in failures[0]


def test_not_attained_in_the_plane_only() -> None:
    """One failure for the size at which it fails; the elements of the other sizes are counted."""
    count, failures = tight(attaining(transposed), TINY, seed=0)
    assert 2 * ELEMENTS_A_SIZE <= count < 3 * ELEMENTS_A_SIZE
    assert len(failures) == 1
    assert re.fullmatch(
        PLANE + r"the instance built for Element\(.*\) does not have it between its representations", failures[0]
    )


@pytest.mark.parametrize(
    "theorem",
    [attaining(pairs.attaining, CLASSES["affine"]), attaining(pairs.attaining, representations=swapped)],
    ids=["a class with shifts, instances without", "representations in the wrong order"],
)
def test_instances_of_another_element(theorem: Theorem[Any]) -> None:
    assert any("does not have it between its representations" in failure for failure in tight(theorem, TINY, 0)[1])


def test_samples_outside_their_own_class() -> None:
    count, failures = tight(attaining(pairs.attaining, Singular()), TINY, seed=0)
    assert count == 0
    assert failures[0] == LINE + "the sampled element Element(A=[[0]], c=None) is not in its own class linear"


# Not the smallest -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [0, 1], ids=["orthogonal", "permutation_scaling"])
def test_a_smaller_class_that_is_not_refuted(kept: int) -> None:
    missing = TIGHT.stronger[1 - kept].name
    count, failures = tight(replace(TIGHT, stronger=TIGHT.stronger[kept : kept + 1]), TINY, seed=0)
    assert failures == [f"the smaller class {missing!r} is not among its stronger conclusions"]
    assert count == ELEMENTS_A_SIZE * len(TIGHT.sizes), "the elements are sampled all the same"


def test_both_smaller_classes_are_named() -> None:
    _, failures = tight(replace(TIGHT, stronger=()), TINY, seed=0)
    assert [failure.split("'")[1] for failure in failures] == ["orthogonal", "permutation_scaling"]


# In an examination ------------------------------------------------------------------------------------------------


def examined(theorem: Theorem[Any], folder: Path, write: bool = True) -> Result:
    return examine(theorem, TINY, seed=0, write=write, folder=folder)


@pytest.fixture
def small() -> Theorem[ModelPair]:
    """Of the smaller classes of the tight theorem it claims one, which is refuted already on the line."""
    return replace(TIGHT, sizes=TIGHT.sizes[:1], stronger=TIGHT.stronger[:1], attained=None)


def test_a_stronger_conclusion_is_refuted_by_a_certificate(small: Theorem[ModelPair], tmp_path: Path) -> None:
    result = examined(small, tmp_path)
    assert result.failures == ()
    (replayed,) = result.certificates
    assert (replayed.dropped, replayed.claim, replayed.file) == (None, "orthogonal", "made_up--not-orthogonal.json")
    assert replayed.size == "M=1 K=2 n=1"


def test_a_stronger_conclusion_without_a_certificate(small: Theorem[ModelPair], tmp_path: Path) -> None:
    (failure,) = examined(small, tmp_path, write=False).failures
    assert failure.startswith("no fresh certificate refutes orthogonal; search with")


def test_a_stronger_conclusion_that_holds(tmp_path: Path) -> None:
    """Then the theorem says less than it could: no search refutes it, and that is named."""
    no_less = Stronger("as_strong", "the same", TRUE.conclusion)
    smallest = Construction("smallest", pairs.solved, fits=lambda size: size == TRUE.sizes[0])
    theorem = replace(TRUE, stronger=(no_less,), constructions=(smallest,), sizes=TRUE.sizes[:1])
    failures = examined(theorem, tmp_path).failures
    assert failures[0] == "made_up: the search found no counterexample to as_strong"
    assert failures[1].startswith("no fresh certificate refutes as_strong; ")


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        (lambda theorem: replace(theorem, stronger=()), "the smaller class 'orthogonal' is not among its stronger"),
        (lambda theorem: attaining(moved_without_its_labels), LINE + "the element "),
    ],
    ids=["not the smallest", "not attained"],
)
def test_what_is_not_tight_is_not_confirmed(
    tmp_path: Path, change: Callable[[Theorem[Any]], Theorem[Any]], failure: str
) -> None:
    result = examined(change(TIGHT), tmp_path, write=False)
    assert not result.confirmed
    assert any(found.startswith(failure) for found in result.failures)


def test_attained_elements_are_reported(tmp_path: Path) -> None:
    assert examined(TIGHT, tmp_path, write=False).elements == ELEMENTS_A_SIZE * len(TIGHT.sizes)
