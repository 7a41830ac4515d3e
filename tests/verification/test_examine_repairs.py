"""Statements refuted as stated: confirmed only together with a repair that is established and holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import verification.examine
from tests.verification.made_up import FALSE, REFUTED, TINY, TRUE
from theory.catalogue import catalogue
from theory.models import ModelPair
from theory.theorem import Scope, Standing, Theorem
from verification.examine import examine
from verification.results import Result


def examined(theorem: Theorem[Any], folder: Path) -> Result:
    """The result of a small run that writes the certificates first."""
    return examine(theorem, TINY, seed=0, write=True, folder=folder)


def one_instance() -> Iterator[ModelPair]:
    return iter([TRUE.witness()])


def test_a_repair_that_is_not_there(tmp_path: Path) -> None:
    result = examined(replace(REFUTED, repaired_by="better_pairs"), tmp_path)
    assert result.failures == ("its repair 'better_pairs' is not an established theorem of the catalogue",)


@pytest.mark.parametrize("repair", [REFUTED, replace(TRUE, standing=Standing.CONJECTURE)])
def test_a_repair_that_is_not_established(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repair: Theorem[Any]
) -> None:
    known = {**catalogue(), "repair": replace(repair, name="repair")}
    monkeypatch.setattr(verification.examine, "catalogue", lambda: known)
    result = examined(replace(REFUTED, repaired_by="repair"), tmp_path)
    assert result.failures == ("its repair 'repair' is not an established theorem of the catalogue",)


@pytest.mark.parametrize("scope", [False, True], ids=["generated", "scope"])
def test_a_repair_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scope: bool) -> None:
    repair = replace(FALSE, name="repair")
    known = {**catalogue(), "repair": replace(repair, scope=Scope("one", one_instance)) if scope else repair}
    monkeypatch.setattr(verification.examine, "catalogue", lambda: known)
    result = examined(replace(REFUTED, repaired_by="repair"), tmp_path)
    beginnings = ["refuted at M = 1, K = 2, n = 1, shrunk to\n", "its witness is REFUTED:\n"]
    if scope:
        beginnings.insert(1, "refuted in the exhaustive scope by\n")
    assert len(result.failures) == len(beginnings)
    for failure, beginning in zip(result.failures, beginnings, strict=True):
        assert failure.startswith(f"its repair repair: {beginning}")


def test_a_refuted_statement_names_its_repair() -> None:
    """So there is no examining one that does not."""
    with pytest.raises(ValueError, match="name the repairing theorem exactly when the statement is refuted"):
        replace(REFUTED, repaired_by=None)
