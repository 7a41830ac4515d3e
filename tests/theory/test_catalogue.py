"""The catalogue finds every theorem, and each one keeps to the form: stated, sourced, with a proof or a refutation."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from theory import catalogue as module
from theory.catalogue import catalogue, find
from theory.checking import check
from theory.models import AlignedPair, ModelPair
from theory.theorem import Standing, Theorem, Worked
from theory.verdict import Status

NAMES = [
    "biased_label_representation",
    "biased_logits",
    "biased_logits_linear",
    "chained_pairs",
    "extended_linear",
    "few_labels",
    "label_representation",
    "label_representation_linear",
    "linear_identifiability",
    "linked_pairs",
    "logit_distance_bound",
    "one_sided_diversity",
    "pairs_may_depend_on_the_context",
    "stability",
    "unit_norm_orthogonal",
]
THEOREMS = [pytest.param(theorem, id=name) for name, theorem in catalogue().items()]
ON_PAIRS = [
    pytest.param(theorem, id=name)
    for name, theorem in catalogue().items()
    if issubclass(theorem.instance_type, ModelPair)
    and not issubclass(theorem.instance_type, AlignedPair)  # A has the shape that the dimensions ask for
    and theorem.standing is Standing.ESTABLISHED
]
#: These relate representations of any two dimensions.
ANY_DIMENSIONS = ("extended_linear", "logit_distance_bound", "stability")
WORKED = [
    pytest.param(theorem, worked, id=f"{name}: {worked.note}")
    for name, theorem in catalogue().items()
    for worked in theorem.worked
]


def module_of(theorem: Theorem[Any]) -> ModuleType:
    return importlib.import_module(theorem.conclusion.__module__)


def test_discovered_names() -> None:
    """Theorems may be added; none of these may disappear."""
    assert set(catalogue()) >= set(NAMES)
    assert all(name == theorem.name for name, theorem in catalogue().items())
    files = {path.stem for path in Path(module.theorems.__path__[0]).rglob("*.py")} - {"__init__"}
    assert {theorem.name for theorem in catalogue().values()} <= files


def test_catalogue_is_built_once() -> None:
    assert catalogue() is catalogue()


@pytest.mark.parametrize("theorem", THEOREMS)
def test_docstring_carries_the_mathematics(theorem: Theorem[Any]) -> None:
    text = module_of(theorem).__doc__ or ""
    assert len(text.split()) > 60
    wanted = "*Refuted" if theorem.standing is Standing.REFUTED else "*Proof"
    assert wanted in text
    if theorem.repaired_by is not None:
        assert theorem.repaired_by in text


@pytest.mark.parametrize("theorem", THEOREMS)
def test_wording(theorem: Theorem[Any]) -> None:
    """A finite run shows that a statement held there: it is never called verified or proved."""
    texts = [theorem.title, theorem.statement, theorem.indeterminacy, theorem.notes, str(theorem.reference)]
    texts += [assumption.statement for assumption in theorem.assumptions]
    texts += [worked.note for worked in theorem.worked] + [construction.name for construction in theorem.constructions]
    texts += [theorem.scope.description] if theorem.scope is not None else []
    for text in texts:
        assert not re.search(r"\b(verif(y|ied|ies)|prov(e|ed|en|es))\b", text, re.IGNORECASE), text
    assert theorem.statement.endswith(".")
    assert len(theorem.statement.split()) > 10
    assert theorem.title
    assert theorem.indeterminacy


@pytest.mark.parametrize("theorem", THEOREMS)
def test_reference_says_what_was_read(theorem: Theorem[Any]) -> None:
    reference = theorem.reference
    assert reference.citation
    assert reference.number
    assert reference.version
    assert str(reference) == f"{reference.citation}, {reference.number} ({reference.version})"


@pytest.mark.parametrize("theorem", THEOREMS)
def test_witness_meets_all_assumptions(theorem: Theorem[Any]) -> None:
    verdict = check(theorem, theorem.witness())
    assert all(evidence.holds for evidence in verdict.assumptions), verdict.describe()
    allowed = {Status.HOLDS, Status.REFUTED} if theorem.standing is Standing.REFUTED else {Status.HOLDS}
    assert verdict.status in allowed
    assert all(evidence.exact for evidence in verdict.evidence)


@pytest.mark.parametrize(("theorem", "worked"), WORKED)
def test_worked_counterexamples(theorem: Theorem[Any], worked: Worked[Any]) -> None:
    verdict = check(theorem, worked.build(), without=worked.without, claim=worked.claim)
    assert verdict.status is (Status.REFUTED if worked.without is None else Status.COUNTEREXAMPLE), verdict.describe()
    assert worked.without is None or worked.claim is None
    assert worked.build.__doc__, "a worked instance says in its docstring which numbers it has"


@pytest.mark.parametrize("theorem", THEOREMS)
def test_what_is_refuted_comes_with_its_refutation(theorem: Theorem[Any]) -> None:
    against = [worked for worked in theorem.worked if worked.without is worked.claim is None]
    assert bool(against) is (theorem.standing is Standing.REFUTED)
    if theorem.repaired_by is not None:
        assert find(theorem.repaired_by).standing is Standing.ESTABLISHED


@pytest.mark.parametrize("theorem", THEOREMS)
def test_refuting_instances_do_not_refute_the_repair(theorem: Theorem[Any]) -> None:
    """A repair asks for more, and the instance says nothing about it, or claims less, and it holds there."""
    if theorem.repaired_by is not None:
        for worked in theorem.worked:
            verdict = check(find(theorem.repaired_by), worked.build())
            assert verdict.status in (Status.VACUOUS, Status.HOLDS), verdict.describe()


@pytest.mark.parametrize("theorem", ON_PAIRS)
def test_pairs_of_different_dimensions_refute_nothing(theorem: Theorem[Any]) -> None:
    """A model pair may have two dimensions: where A is (M, M) an assumption must then fail, since none can exist."""
    pair = theorem.witness()
    wide = pair.star.f.beside(type(pair.star.f).zeros(pair.contexts, 1))
    labels = pair.star.g.beside(type(pair.star.g).zeros(pair.labels, 1))
    star = type(pair.star)(wide, labels)
    for one, other in ((pair.prime, star), (star, pair.prime)):
        verdict = check(theorem, replace(pair, prime=one, star=other))
        allowed = (Status.VACUOUS, Status.HOLDS) if theorem.name in ANY_DIMENSIONS else (Status.VACUOUS,)
        assert verdict.status in allowed, verdict.describe()


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("linear_identifability", "did you mean linear_identifiability"),
        ("linked_pair", "did you mean linked_pairs"),
        ("zzz", "there are biased_label_representation, biased_logits, "),
    ],
)
def test_find_suggests(asked: str, hint: str) -> None:
    with pytest.raises(KeyError, match=f"there is no theorem '{asked}'; {hint}"):
        find(asked)


def test_find_finds() -> None:
    for name, theorem in catalogue().items():
        assert find(name) is theorem


def discover(monkeypatch: pytest.MonkeyPatch, folder: Path, **files: str) -> dict[str, Theorem[Any]]:
    """The catalogue over a folder of its own.  Each folder is a package of another name, so nothing is remembered."""
    package = f"theorems_{folder.name.replace('-', '_')}"
    (folder / package).mkdir()
    for name, text in {"__init__": "", **files}.items():
        (folder / package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(module, "theorems", importlib.import_module(package))
    return catalogue.__wrapped__()


TEMPLATE = (
    "from dataclasses import replace\nfrom theory.catalogue import find\nTHEOREM = replace(find('{}'), name='{}')"
)


def test_modules_without_a_theorem_are_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    catalogue()
    found = discover(monkeypatch, tmp_path, helper="", mine=TEMPLATE.format("linked_pairs", "mine"))
    assert list(found) == ["mine"]


def test_theorems_are_named_like_their_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    catalogue()
    with pytest.raises(ValueError, match=r"\.mine: THEOREM must be a Theorem named 'mine', like its file"):
        discover(monkeypatch, tmp_path, mine=TEMPLATE.format("linked_pairs", "other"))


def test_theorem_must_be_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="THEOREM must be a Theorem named 'mine'"):
        discover(monkeypatch, tmp_path, mine="THEOREM = 1")


def test_a_repair_must_be_established(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    catalogue()
    with pytest.raises(ValueError, match="mine: its repair 'linked_pairs' is not an established theorem"):
        discover(monkeypatch, tmp_path, mine=TEMPLATE.format("chained_pairs", "mine"))
