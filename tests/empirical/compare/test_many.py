"""Many models, and layers chosen by a pattern: matrices, and a short table for each pair of models."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from empirical.__main__ import main
from empirical.compare.results import Matrix, Options
from empirical.compare.run import compare
from empirical.compare.sentences import about_layers
from empirical.compare.sides import titles
from tests.empirical.compare.pairs import equivalent, model, save, unbiased

PNG = b"\x89PNG\r\n\x1a\n"


def test_many_models_give_matrices_and_short_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    star = unbiased(model())
    models = star, equivalent(star), unbiased(model(seed=9))
    paths = [save(tmp_path / f"{i}.npz", arrays) for i, arrays in enumerate(models)]
    reports = [f"--report={tmp_path / f'r.{ending}'}" for ending in ("json", "html", "png", "tex")]
    assert main(["compare", *paths, "--resamples=20", *reports]) == 0
    data = json.loads((tmp_path / "r.json").read_text())
    cca, cka = data["matrices"]
    assert (cca["measure"], cka["measure"]) == ("mean CCA", "linear CKA")
    assert cca["values"][0][1] == pytest.approx(1, abs=1e-12)
    assert cca["values"][0][2] < 0.5
    assert cca["values"][0][2] == pytest.approx(cca["values"][2][0], abs=1e-14)
    assert cca["values"][0][2] == pytest.approx(data["pairs"][1]["measures"][0]["value"], abs=1e-14)
    assert cca["chance"][0][0] is None
    assert cca["chance"][0][1] < 0.5
    assert [pair["names"] for pair in data["pairs"]] == [["A", "B"], ["A", "C"], ["B", "C"]]
    assert data["sentence"] == (
        "Of 3 pairs, consistent with linear equivalence: A–B; not linearly equivalent: A–C, B–C."
    )
    printed = capsys.readouterr().out
    assert printed.count("mean CCA") == 4
    assert "theorems" not in printed
    assert (tmp_path / "r.png").read_bytes().startswith(PNG)


def test_layers_are_compared_layer_by_layer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    layers = {f"layer.{i}.out": rng.normal(size=(100, 3)) for i in range(12)}
    other = {f"block{i}": layers[f"layer.{i}.out"] @ rng.normal(size=(3, 3)) for i in (2, 10)}
    first, second = save(tmp_path / "a.npz", layers), save(tmp_path / "b.npz", other)
    report = tmp_path / "r.json"
    assert main(["compare", f"{first}:f=layer.*", f"{second}:f=block*", f"--report={report}"]) == 0
    data = json.loads(report.read_text())
    matrix = data["matrices"][0]
    assert matrix["rows"] == [f"layer.{i}.out" for i in range(12)]
    assert matrix["columns"] == ["block2", "block10"]
    values = np.array(matrix["values"])
    assert values.argmax(axis=0).tolist() == [2, 10]
    np.testing.assert_allclose(values.max(axis=0), 1, atol=1e-12)
    assert len(data["inputs"]) == 14
    printed = capsys.readouterr().out
    assert "A: 12 layer(s) of" in printed
    assert "mean CCA, A (rows) and B (columns); rows permuted: 0." in printed
    assert "layers most alike are layer.2.out of A and block2 of B: 1.000" in " ".join(printed.split())


def test_names_are_shown_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Square brackets are markup to the library that draws the tables."""
    rng = np.random.default_rng(0)
    path = save(tmp_path / "a.npz", {name: rng.normal(size=(50, 3)) for name in ("x[bold]1", "y[/red]2", "z")})
    assert main(["compare", f"{path}:f=[xy]*", f"{path}:f=z"]) == 0
    printed = capsys.readouterr().out
    assert "\nx[bold]1  0." in printed
    assert "\ny[/red]2  0." in printed


def test_a_layer_that_is_refused_leaves_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    arrays = {"l1": rng.normal(size=(50, 3)), "l2": np.ones((50, 3)), "m": rng.normal(size=(50, 3))}
    path = save(tmp_path / "a.npz", arrays)
    report = tmp_path / "r.json"
    assert main(["compare", f"{path}:f=l*", f"{path}:f=m", f"--report={report}"]) == 0
    values = json.loads(report.read_text())["matrices"][0]["values"]
    assert values[1] == [None]
    assert values[0][0] > 0
    assert "f of A, l2: all 3 columns are constant" in " ".join(capsys.readouterr().out.split())


def test_wide_layers_of_noise_are_not_the_most_alike(tmp_path: Path) -> None:
    """Of 140 columns each, noise has a mean CCA of 0.7 on 300 rows, more than the narrow pair that is related."""
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(300, 4))
    sides = [
        {"l.1": rng.normal(size=(300, 140)), "l.2": shared + noise * rng.normal(size=(300, 4))} for noise in (0, 1.6)
    ]
    paths = [f"{save(tmp_path / f'{i}.npz', arrays)}:f=l.*" for i, arrays in enumerate(sides)]
    comparison = compare(paths, Options())
    values = np.array(comparison.matrices[0].values, dtype=float)
    assert values[0, 0] > values[1, 1]
    assert "(value - chance) / (1 - chance)" in comparison.sentence
    assert f"the layers most alike are l.2 of A and l.2 of B: {values[1, 1]:.3f}, and 0." in comparison.sentence


def test_what_is_above_chance_is_a_share_of_what_can_be() -> None:
    """By value the first pair, by the difference from chance the second, by the share of what is left the third."""
    values, chance = ((0.95, 0.8, 0.90, None),), ((0.90, 0.1, 0.3, 0.0),)
    matrix = Matrix("mean CCA", ("A", "B"), ("l",), ("1", "2", "3", "4"), values, chance)
    assert "alike are l of A and 3 of B: 0.900, and 0.300 with permuted rows" in about_layers([matrix], 100)
    unknown = Matrix("mean CCA", ("A", "B"), ("l",), ("1",), ((0.5,),), ((None,),))
    assert "no layers can be told from chance" in about_layers([unknown], 100)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["layer.1", "layer.2", "layer.10"], ["1", "2", "10"]),
        (["layer.1", "layer.10", "layer.11"], ["1", "10", "11"]),
        (["h.0.mlp", "h.1.mlp"], ["0", "1"]),
        (["a1", "b1"], ["a1", "b1"]),
        (["conv", "conv2"], ["conv", "conv2"]),
        (["only"], ["only"]),
    ],
)
def test_short_names_of_layers(names: list[str], expected: list[str]) -> None:
    assert titles(names) == expected
