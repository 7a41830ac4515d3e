"""What a diagnosis prints: rows, text, HTML, plain numbers."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

from tests.theory.diagnosis.families import equal_to, noisy, random_model
from theory.diagnosis import TrainedModel, diagnose

RNG = np.random.default_rng(0)
STAR = random_model(RNG, 40, 9, 3, biased=True)
DIAGNOSIS = diagnose(noisy(equal_to(STAR, RNG, biased=True)[0], RNG, 0.01), STAR, names=("first", "<second>"))


def test_rows() -> None:
    rows = DIAGNOSIS.rows()
    sections = list(dict.fromkeys(row.section for row in rows))
    assert sections == [
        "model first", "model <second>", "distributions", "first to <second>", "<second> to first", "theorems",
    ]  # fmt: skip
    assert all(all(isinstance(cell, str) for cell in row) for row in rows)
    assert {row.quantity for row in rows if row.section == "theorems"} == {t.theorem for t in DIAGNOSIS.theorems}
    predicted = [(row.quantity, row.value) for row in rows if row.quantity.startswith("predicted")]
    assert predicted == [("predicted A f + c", "from 3 pairs"), ("predicted A f + c", "from all 9 labels")] * 2
    after = [later.quantity for row, later in pairwise(rows) if row.quantity == "predicted A f + c"]
    assert after == ["  held-out R²"] * 4
    # No number stands in a quantity, where a narrow table would break the line around it.
    assert not [row.quantity for row in rows if any(character.isdecimal() for character in row.quantity)]
    assert [row.value for row in rows if row.quantity == "exact affine map"] == ["does not exist"] * 2
    assert len({(row.section, row.quantity, row.source) for row in rows}) == len(rows)


def test_text() -> None:
    text = DIAGNOSIS.table()
    assert text.startswith(f"{DIAGNOSIS.summary}\n\nmodel first\n")
    for row in DIAGNOSIS.rows():
        assert row.value in text
    assert repr(DIAGNOSIS) == f"<Diagnosis {DIAGNOSIS.summary}>"
    assert "\n" not in DIAGNOSIS.summary


def test_html_is_escaped() -> None:
    html = DIAGNOSIS._repr_html_()
    assert "&lt;second&gt;" in html
    assert "<second>" not in html
    assert "<td>spread of f</td>" in html


def test_json() -> None:
    plain = json.loads(json.dumps(DIAGNOSIS.to_json(), allow_nan=False))
    assert plain["summary"] == DIAGNOSIS.summary
    assert plain["judgement"]["support"] == DIAGNOSIS.judgement.support.value
    assert DIAGNOSIS.distances is not None
    forward = DIAGNOSIS.distances.kl_forward
    assert plain["distances"]["kl_forward"] == {
        "mean": float(forward.mean()),
        "max": float(forward.max()),
        "at": int(forward.argmax()),
    }
    predicted = DIAGNOSIS.directions[0].predicted
    assert predicted is not None
    assert plain["directions"][0]["predicted"]["relative_bound"] == predicted.relative_bound
    assert plain["directions"][0]["predicted"]["word"] == predicted.word
    assert plain["models"][0]["label_differences"]["full"] is True
    assert plain["theorems"][0]["assumptions"][0]["answer"] in ("holds", "fails", "undecided", "approximate")
    without = diagnose(TrainedModel(STAR.f), STAR).to_json()
    assert without["distances"] is None
    assert without["directions"][0]["delta"] is None


def test_the_same_twice() -> None:
    sides = (noisy(STAR, np.random.default_rng(1), 0.1), STAR)
    assert diagnose(*sides, seed=3).to_json() == diagnose(*sides, seed=3).to_json()
    assert diagnose(*sides, seed=3).to_json() != diagnose(*sides, seed=4).to_json()


def test_theory_alone_needs_no_numpy() -> None:
    code = "import sys, theory; print('numpy' in sys.modules, 'theory.diagnosis' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_the_example_of_the_page() -> None:
    page = Path(__file__).parents[3] / "docs" / "explanation" / "diagnosis.md"
    results = doctest.testfile(str(page), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
