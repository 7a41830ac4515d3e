"""What a run reports: the table as it looks, and results that come back from JSON the same."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.verification.made_up import STABLE, TIGHT, TINY, not_a_number
from tests.verification.results import ALL, CLEAN, EXACT, FLOATING, INEXACT, counted
from tests.verification.running import report
from theory.catalogue import catalogue
from theory.evidence import Evidence
from verification.examine import _quantiles, examine
from verification.report.document import document, write
from verification.report.table import LEGEND, summary
from verification.results import SCHEMA, Result
from verification.versions import PACKAGES, versions

# ruff: noqa: E501 (the table is wider than a line of code)
TABLE = """\
theorem               standing                  holds on      exhaustive        floating  undecided  worst ratio  counterexample  decided
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
exact_theorem         established             100 of 100  2,000 of 2,000               –          0        exact
  without spanning                                                                                                M=2 K=3 n=3     exactly, SymPy
  without invertible                                                                                              M=9 K=30 n=1    exactly, SymPy
  not orthogonal                                                                                                  M=2 n=3         exactly, SymPy
failed                NOT CONFIRMED           100 of 100  2,000 of 2,000               –          0        exact
floating              established             100 of 100  2,000 of 2,000  1,016 of 1,023          0        0.938
inexact               conjecture         9,876 of 10,000               –               –        101       0.0312
refuted               refuted as stated        60 of 100  2,000 of 2,000               –          0        exact
  as stated                                                                                                       M=1 K=3 n=2     exactly, SymPy
"""

CLOSING = (
    "4 of 5 standings confirmed on 10,400 generated instances and 49,380 instances looked at exhaustively. "
    "Evidence on these instances, not a proof."
)


def test_table() -> None:
    """As it looks: for each dropped assumption the smallest accepted counterexample, 10 being larger than 9."""
    assert summary(ALL) == "\n".join([TABLE, LEGEND, CLOSING])


def test_table_of_nothing() -> None:
    lines = summary([]).splitlines()
    assert lines[0].split()[:2] == ["theorem", "standing"]
    assert lines[-1].startswith("0 of 0 standings confirmed on 0 generated instances and 0 instances looked at")


def test_long_names_are_not_cut() -> None:
    name = "a_theorem_with_a_very_long_name" * 5
    assert summary([replace(EXACT, name=name)]).splitlines()[2].startswith(f"{name}  established ")


@pytest.mark.parametrize(
    "surroundings",
    [
        {"COLUMNS": "40"},
        {"NO_COLOR": "1"},
        {"FORCE_COLOR": "1"},
        {"TERM": "dumb"},
        {"FORCE_COLOR": "1", "TERM": "dumb"},
    ],
    ids=lambda surroundings: " ".join(surroundings),
)
def test_table_looks_the_same_everywhere(monkeypatch: pytest.MonkeyPatch, surroundings: dict[str, str]) -> None:
    """Neither the terminal nor what is set for other programs shows: no column is cut, no colour codes appear."""
    plain = summary(ALL)
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    assert summary(ALL) == plain


def test_worst_ratio_of_a_theorem_that_was_never_decided() -> None:
    """Where no conclusion was looked at, none was decided in rational arithmetic."""
    starved = replace(EXACT, generated=replace(CLEAN, holds=0, vacuous=100), scope=None, failures=("starved",))
    assert summary([starved]).splitlines()[2].split()[-1] == "–"


@pytest.mark.parametrize("where", ["generated", "scope", "floating"])
def test_worst_ratio_is_the_largest_of_all(where: str) -> None:
    """Wherever it was met, an error larger than its bound shows."""
    worst = counted(100, 0, 0, 0, 0.1, 0.2, 7.5)
    result = replace(FLOATING, **{where: {**FLOATING.floating, "1e3": worst} if where == "floating" else worst})
    assert summary([result]).splitlines()[2].split()[-1] == "7.5"


@pytest.mark.parametrize("ratios", [[0.5], [0.2, 0.1], [0.3, 0.1, 0.2], [k / 100 for k in range(100, 0, -1)]], ids=len)
def test_quantiles_are_values_that_occurred(ratios: list[float]) -> None:
    """At least half of all values are up to the median, nine of ten up to the 90 % quantile; none is invented."""
    found = _quantiles(ratios)
    assert list(found) == ["median", "p90", "max"]
    assert set(found.values()) <= set(ratios)
    for name, share in (("median", 0.5), ("p90", 0.9), ("max", 1.0)):
        assert sum(ratio <= found[name] for ratio in ratios) >= share * len(ratios)
        assert sum(ratio >= found[name] for ratio in ratios) >= (1 - share) * len(ratios) - 1e-9
    assert found["max"] == max(ratios)


def test_quantiles_of_nothing() -> None:
    assert _quantiles([]) == {}


# JSON -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("result", ALL, ids=lambda result: result.name)
def test_results_come_back_the_same(result: Result) -> None:
    data = json.loads(json.dumps(result.to_json()))
    assert data["confirmed"] is result.confirmed
    assert Result.from_json(data) == result


def test_a_real_result_comes_back_the_same(tmp_path: Path) -> None:
    small = replace(STABLE, attained=TIGHT.attained, stronger=TIGHT.stronger[:1], needs=("left_invertible",))
    result = examine(small, TINY, seed=0, write=True, folder=tmp_path)
    assert [(replayed.dropped, replayed.claim) for replayed in result.certificates] == [
        ("left_invertible", None),
        (None, "orthogonal"),
    ]
    assert result.elements > 0
    assert any(counts.ratios for counts in result.floating.values())
    assert Result.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_document() -> None:
    data = document(ALL, "quick", 7)
    assert list(data) == ["schema", "profile", "seed", "versions", "confirmed", "theorems", "seconds"]
    assert (data["schema"], data["profile"], data["seed"]) == (SCHEMA, "quick", 7)
    assert data["confirmed"] is False
    assert document([EXACT, INEXACT], "quick", 7)["confirmed"] is True
    names = [entry["name"] for entry in data["theorems"]]
    assert names == ["exact_theorem", "failed", "floating", "inexact", "refuted"]
    assert data["seconds"] == 7.5


def test_written_report(tmp_path: Path) -> None:
    write(tmp_path / "report.json", ALL, "quick", 7)
    assert report(tmp_path / "report.json") == json.loads(json.dumps(document(ALL, "quick", 7)))
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def infinite(_: Any) -> Evidence:
    """An error beyond all bounds: the worst there is, but JSON has no word for it."""
    return Evidence("", math.inf, "a defect", accept=1, reject=2)


@pytest.mark.parametrize("conclusion", [not_a_number, infinite])
def test_odd_numbers_can_be_reported(tmp_path: Path, conclusion: Callable[[Any], Evidence]) -> None:
    """Their theorem is not confirmed, exact or in floating point; the report of the whole run is not lost over it."""
    theorem = replace(STABLE, conclusion=conclusion, closed_form=None)
    result = examine(theorem, TINY, seed=0, folder=tmp_path)
    assert not result.confirmed
    assert result.generated.ratios == {}
    assert not re.search(r"\b(nan|inf)\b", summary([result]))
    write(tmp_path / "report.json", [result], "quick", 7)
    assert report(tmp_path / "report.json")["confirmed"] is False


# Words ------------------------------------------------------------------------------------------------------------


def test_nothing_is_called_proved() -> None:
    """Nor verified: there is evidence on instances, and a proof is the paper's."""
    texts = [summary(ALL), json.dumps(document(ALL, "quick", 7))]
    texts += [f"{t.title} {t.statement} {t.standing.value} {t.indeterminacy} {t.notes}" for t in catalogue().values()]
    texts += [note.note for t in catalogue().values() for note in t.worked]
    found = [word for text in texts for word in re.findall(r"\b(verified|proved|proven|verifies|proves)\b", text, re.I)]
    assert found == []


def test_versions_say_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verification.versions.PACKAGES", (*PACKAGES, "no-such-distribution"))
    found = versions()
    assert list(found) == ["python", *PACKAGES, "no-such-distribution"]
    assert found["no-such-distribution"] == "not installed"
    assert found["sympy"] != "not installed"
