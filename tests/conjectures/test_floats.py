"""Instances in floating point: written without loss, pasted without loss, refuted, certified and replayed as such."""

from __future__ import annotations

import json
import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conjectures.files import variant
from tests.verification.running import run
from theory.arithmetic import Matrix, exact_matrix
from theory.arithmetic.floating import FloatMatrix
from theory.evidence import Evidence
from theory.models import Model, ModelPair, full_candidate_sets
from theory.paste import pasted
from theory.records import canonical, evidence_record, in_floats, record, restore
from theory.sizes import Size
from theory.strategies.source import RandomSource
from theory.strategies.spectra import conditioned
from verification.__main__ import main

ODD = (0.1, -0.0, 1 / 3, 5e-324, -sys.float_info.max, sys.float_info.min, 2.0**-1060, 1e300)


@dataclass(frozen=True, slots=True)
class Distances:
    """An instance with a matrix and a number."""

    table: Matrix
    largest: float


def floats(matrix: Any) -> tuple[list[Any], ...]:
    """All bits of a floating-point matrix."""
    return tuple([value.hex() for value in part.ravel().tolist()] for part in (matrix.value, matrix.error, matrix.size))


def same(a: ModelPair, b: ModelPair) -> bool:
    models = [(a.prime, b.prime), (a.star, b.star)]
    return a == b and all(floats(x.f) == floats(y.f) and floats(x.g) == floats(y.g) for x, y in models)


def examples() -> list[ModelPair]:
    pairs = [conditioned(RandomSource(seed), Size(3, 5, 4), decade) for seed, decade in ((0, 0), (1, 4), (2, 12))]
    odd = Model(FloatMatrix(np.array([ODD])), FloatMatrix(np.array([ODD, ODD[::-1]])))
    pairs.append(ModelPair(odd, odd, full_candidate_sets(1, 2)))
    first = pairs[1]
    computed = Model(first.prime.f @ first.prime.g.T @ first.prime.g, first.prime.g.scaled(3))
    return [*pairs, ModelPair(computed, first.star, first.candidate_sets)]


@pytest.mark.parametrize("pair", examples(), ids=["easy", "1e4", "1e12", "odd numbers", "computed"])
def test_lossless(pair: ModelPair) -> None:
    text = canonical(record(pair))
    assert in_floats(json.loads(text))
    back = restore(ModelPair, json.loads(text), "float")
    assert same(back, pair)
    assert canonical(record(back)) == text
    names: dict[str, Any] = {}
    exec(pasted(pair), names)
    assert same(names["instance"], pair)


def test_a_number_in_an_instance() -> None:
    for value in ODD:
        made = Distances(FloatMatrix(np.array([[value]])), value)
        back = restore(Distances, json.loads(canonical(record(made))), "float")
        assert back.largest.hex() == value.hex()
        names: dict[str, Any] = {"Distances": Distances}
        exec("\n".join(line for line in pasted(made).splitlines() if "test_floats" not in line), names)
        assert names["instance"].largest.hex() == value.hex()


def test_exact_instances_are_not_in_floats() -> None:
    pair = ModelPair(*[Model.of([["1/2"]], [[0], [1]])] * 2, full_candidate_sets(1, 2))
    assert not in_floats(record(pair))
    assert in_floats(record(Distances(exact_matrix([[1]]), 0.5)))


X = "0x1.8000000000000p+0"


@pytest.mark.parametrize(
    ("table", "largest", "message"),
    [
        ([["1/2"]], X, "Distances.table, row 0: '1/2' is not a number in hexadecimal floating point such as '0x1.8"),
        ([["0x1p99999"]], X, "Distances.table, row 0: '0x1p99999' is not a number in hexadecimal"),
        ([["0x1.0p+9999"]], X, "Distances.table, row 0: '0x1.0p+9999' is not a number in hexadecimal"),
        ([["nan"]], X, "Distances.table, row 0: 'nan' is not a number in hexadecimal"),
        ([[1.5]], X, "Distances.table, row 0: 1.5 is not a number in hexadecimal"),
        ([[X], [X, X]], X, "Distances.table: the rows must be equally long"),
        (7, X, "Distances.table: a matrix is a list of rows, found 7"),
        ({"value": [[X]], "error": [[X]]}, X, "Distances.table: a computed matrix has value, error, size, not value,"),
        ({"value": [[X]], "error": [[X]], "size": [[X, X]]}, X, "Distances.table: value, error, size must be of one"),
        ({"value": [[X]], "error": [["-" + X]], "size": [[X]]}, X, "Distances.table: an error or a size is never neg"),
        ([[X]], 1.5, "Distances.largest: 1.5 is not a number in hexadecimal"),
        ([[X]], "1.5", "Distances.largest: '1.5' is not a number in hexadecimal"),
    ],
)  # fmt: skip
def test_what_is_not_a_float_is_refused(table: Any, largest: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        restore(Distances, {"table": table, "largest": largest}, "float")


def test_hexadecimal_is_no_rational() -> None:
    with pytest.raises(ValueError, match=re.escape(f"'{X}' is not a rational number")):
        restore(Distances, {"table": [[X]], "largest": X}, "sympy")


def test_evidence_in_floating_point_says_its_levels() -> None:
    evidence = Evidence("e", 0.1, "d", accept=1.0, reject=100.0, find_witness=lambda: {"values": (0.5, 2.0)})
    assert evidence_record(evidence) == {
        "name": "e",
        "holds": True,
        "value": "0.1",
        "accept": "1.0",
        "reject": "100.0",
        "detail": "d",
        "witness": {"values": ["0x1.0000000000000p-1", "0x1.0000000000000p+1"]},
    }
    assert "accept" not in evidence_record(Evidence("e", 0, "d"))
    assert evidence_record(Evidence("e", math.nan, "d", accept=1, reject=2))["value"] == "nan"


def no_longer(folder: Path) -> Path:
    """The false claim that f' is never longer than f*."""
    longer = ("left, right = l_prime.singular_values()[-1] * ours, l_star.singular_values()[0] * theirs",
              "left, right = ours, theirs")  # fmt: skip
    return variant(folder, longer, of="norm_bound", name="no_longer")


def test_a_counterexample_in_floating_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Found, pasted, certified; replayed in floating point, which it says; and rejected where it was changed."""
    path = no_longer(tmp_path)
    assert main(["refute", str(path), "--instances", "100"]) == 1
    out = capsys.readouterr().out
    assert "refuted by a counterexample at M = 1, K = 2, n = 1" in out
    assert 'arithmetic="float"' in out
    assert "  decided in floating point, by error bounds\n" in out
    certificate = tmp_path / "no_longer--refuted.json"
    done = run("-m", "verification", "replay", certificate.name, "--theorems", path.name, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[0] == f"accepted  {certificate.name}  (in floating point)"
    data = json.loads(certificate.read_text())
    data["instance"]["prime"]["f"] = [["0x1.0000000000000p-9"]]
    certificate.write_text(json.dumps(data))
    done = run("-m", "verification", "replay", certificate.name, "--theorems", path.name, cwd=tmp_path)
    assert done.returncode == 1
    assert "rejected  no_longer--refuted.json  (in floating point)\n          not a counterexample: " in done.stdout
    assert "changed after it was written" in done.stdout


def test_the_last_digit_of_a_rounded_value_may_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On another machine it does; what was decided may not, and a changed file still has another checksum."""
    from theory.loading import load_file
    from verification.certificates import load
    from verification.replay import replay

    path = no_longer(tmp_path)
    main(["refute", str(path), "--instances", "100"])
    capsys.readouterr()
    certificate = tmp_path / "no_longer--refuted.json"
    theorems = {"no_longer": load_file(path)}
    text = certificate.read_text()
    value = next(e["value"] for e in json.loads(text)["evidence"] if e["name"] == "conclusion")
    certificate.write_text(text.replace(f'"value": "{value}"', f'"value": "{float(value) * 1.001}"'))
    assert replay(load(certificate), theorems).problems == (
        "changed after it was written: the content does not match the checksum",
    )
    assert text.count('"holds": false') == 1
    certificate.write_text(text.replace('"holds": false', '"holds": true'))
    assert "evidence 'conclusion': holds is True, recomputed False" in replay(load(certificate), theorems).problems


def test_pytest_says_in_floating_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = variant(tmp_path, of="norm_bound")
    assert main(["refute", str(path), "--instances", "100"]) == 0
    assert "can the conclusion be stronger?" not in capsys.readouterr().out, "no bound says which class fits"
    arguments = ("--pyargs", "verification", "--theorems", path.name, "-q", "-p", "no:cacheprovider")
    done = run("-m", "pytest", *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert re.search(r"\n  without common_pairs +M=1 K=3 n=2 +in floating point\n", done.stdout)
