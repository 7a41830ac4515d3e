"""Examining with stored certificates: claims without one, and files that are stale, foreign or no certificates."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.verification.made_up import NOT_NEEDED, REFUTED, TINY, TRUE, far_away, not_far_away
from theory.catalogue import find
from theory.checking import check
from theory.theorem import Theorem, Worked
from verification.certificates import STORED, issue
from verification.examine import examine
from verification.results import Result
from verification.search import certify, search_widely

NEEDY: Theorem[Any] = replace(TRUE, needs=("left_invertible", "right_invertible"))
LEFT = "made_up--without-left_invertible.json"


def examined(theorem: Theorem[Any], folder: Path, write: bool = False) -> Result:
    return examine(theorem, TINY, seed=0, write=write, folder=folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the certificates of the true theorem."""
    for certificate in certify(NEEDY):
        certificate.save(tmp_path / "stored")
    return tmp_path / "stored"


def test_certificates_are_replayed(folder: Path) -> None:
    result = examined(NEEDY, folder)
    assert result.failures == ()
    assert [(r.dropped, r.file, r.origin, r.problems) for r in result.certificates] == [
        ("left_invertible", LEFT, "search", ()),
        ("right_invertible", "made_up--without-right_invertible.json", "search", ()),
    ]


def test_writing_needs_no_folder(tmp_path: Path) -> None:
    assert examined(NEEDY, tmp_path / "new" / "folder", write=True).failures == ()


def test_without_writing_nothing_is_written(tmp_path: Path) -> None:
    examined(NEEDY, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_claim_without_a_certificate(folder: Path) -> None:
    (folder / LEFT).unlink()
    (failure,) = examined(NEEDY, folder).failures
    assert failure.startswith("no fresh certificate shows that 'left_invertible' is needed; search with")
    assert "--certify" in failure
    assert folder.name in failure


def test_a_refutation_without_a_certificate(tmp_path: Path) -> None:
    (failure,) = examined(REFUTED, tmp_path).failures
    assert failure.startswith("no fresh certificate refutes the statement; search with")


def test_a_claim_that_no_search_supports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written or not, it is named."""
    monkeypatch.setattr("verification.search.search_widely", partial(search_widely, tries=3))
    failures = examined(NOT_NEEDED, tmp_path, write=True).failures
    assert failures[0] == "made_up: the search found no counterexample without 'first_positive'; is it needed?"
    assert "no fresh certificate shows that 'first_positive' is needed" in failures[-1]


def test_a_worked_example_that_is_none(tmp_path: Path) -> None:
    claimed = replace(TRUE, worked=(Worked("left_invertible", TRUE.witness, "no counterexample"),))
    assert examined(claimed, tmp_path, write=True).failures == ("made_up: the worked example witness is VACUOUS",)


def test_stale_certificates(folder: Path) -> None:
    failures = examined(replace(NEEDY, statement="In other words."), folder).failures
    stale = "stale: issued for another wording or code of made_up; search again with python -m verification refute FILE"
    assert failures[:2] == (f"{LEFT}: {stale}", f"made_up--without-right_invertible.json: {stale}")
    assert [failure.partition(";")[0] for failure in failures[2:]] == [
        "no fresh certificate shows that 'left_invertible' is needed",
        "no fresh certificate shows that 'right_invertible' is needed",
    ]


def test_stale_certificates_are_replaced_by_writing(folder: Path) -> None:
    assert examined(replace(NEEDY, statement="In other words."), folder, write=True).failures == ()


def test_a_changed_number(folder: Path) -> None:
    data = json.loads((folder / LEFT).read_text(encoding="utf-8"))
    data["instance"]["star"]["f"][0][0] = "17"
    (folder / LEFT).write_text(json.dumps(data), encoding="utf-8")
    failures = examined(NEEDY, folder).failures
    assert all(failure.startswith((f"{LEFT}: ", "no fresh certificate shows that 'left_")) for failure in failures)
    assert any("evidence '" in failure for failure in failures)


def test_a_truncated_certificate(folder: Path) -> None:
    (folder / LEFT).write_text((folder / LEFT).read_text(encoding="utf-8")[:300], encoding="utf-8")
    result = examined(NEEDY, folder)
    assert len(result.failures) == 2
    assert result.failures[0].startswith(f"{LEFT}: truncated or not the JSON of a certificate: ")
    assert result.failures[1].startswith("no fresh certificate shows that 'left_invertible' is needed")
    assert [r.origin for r in result.certificates if r.problems] == ["unreadable"]


@pytest.mark.parametrize("f", [[], 3, None, [[]], [3]], ids=repr)
def test_a_malformed_instance_is_a_failure(folder: Path, f: Any) -> None:
    """Named like any other that does not replay; not an error that hides all else about the theorem."""
    data = json.loads((folder / LEFT).read_text(encoding="utf-8"))
    data["instance"]["star"]["f"] = f
    (folder / LEFT).write_text(json.dumps(data), encoding="utf-8")
    failures = examined(NEEDY, folder).failures
    assert failures[0].startswith(f"{LEFT}: the instance is not valid: ")


def test_a_certificate_of_another_theorem(folder: Path) -> None:
    """A counterexample to something else shows nothing here, whatever the file is called."""
    (folder / LEFT).unlink()
    shutil.copy(STORED / "linear_identifiability--without-left_invertible.json", folder / LEFT)
    failures = examined(NEEDY, folder).failures
    assert failures[0] == f"{LEFT}: it is about linear_identifiability, not about made_up"
    assert "no fresh certificate shows that 'left_invertible' is needed" in failures[-1]


def test_certificates_of_other_theorems_are_left_alone(folder: Path) -> None:
    """Also of one whose name begins like this one's."""
    shutil.copy(STORED / "few_labels--without-few_labels.json", folder)
    longer = replace(NEEDY, name="made_up_again")
    for certificate in certify(longer):
        certificate.save(folder)
    assert len(examined(NEEDY, folder).certificates) == 2
    assert len(examined(longer, folder).certificates) == 2


def test_a_stored_refutation_of_an_established_theorem(tmp_path: Path) -> None:
    """It replays, so the theorem is false, though no generated instance shows it: that cannot be confirmed."""
    theorem = replace(TRUE, conclusion=not_far_away, closed_form=None, sizes=TRUE.sizes[:1])
    verdict = check(theorem, far_away())
    issue(theorem, far_away(), verdict, note="far", origin="far_away", seed=None, versions={}).save(tmp_path)
    result = examined(theorem, tmp_path)
    assert result.generated.refuted == 0
    assert result.failures == (
        "made_up--refuted--far_away.json refutes the statement itself, which contradicts its standing, established",
    )


def test_catalogue_theorems_find_their_stored_certificates() -> None:
    theorem = replace(find("few_labels"), scope=None)
    result = examine(theorem, TINY, seed=0)
    assert result.failures == ()
    assert [replayed.dropped for replayed in result.certificates] == ["few_labels", "few_labels", "h_not_affine"]
