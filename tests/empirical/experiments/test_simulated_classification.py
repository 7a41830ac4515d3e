"""The experiment itself: it runs, its predictions can fail, and what it is asked wrongly is said."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from empirical.agreement import held_out_correlations
from empirical.commands import list as list_command
from empirical.commands import report, run
from empirical.data.simulated import teacher_labels
from empirical.errors import InputError
from empirical.experiments import _classification_measured as measured
from empirical.experiments.simulated_classification import Settings
from theory.diagnosis import TrainedModel

NAME, CCA = "simulated_classification", "students_cca"
#: Without sweeps: only the main students, in seconds.
SHORT = {
    "width": 64, "steps": 1200, "batch": 384, "rate": 0.01, "pool": 16384, "rows": 512, "labels_swept": "",
    "widths": "", "examples": "", "radial_labels": "", "inputs": 4, "dim": 2, "labels": 5,
}  # fmt: skip


def ran(out: Path, *further: str, preset: str = "smoke", **changes: object) -> int:
    settings = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    return run.main([NAME, "--preset", preset, "--out", str(out), "--quiet", *further, *settings])


def outcomes(out: Path) -> dict[str, str]:
    return {p["name"]: p["outcome"] for p in json.loads((out / "outcome.json").read_text())["predictions"]}


def test_smoke_contradicts_nothing_and_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(tmp_path / "run") in (0, 3)
    found = outcomes(tmp_path / "run")
    assert "CONTRADICTED" not in found.values()
    named = ("students_cca", "students_r2", "teacher_cca", "teacher_r2", "bound", "alignment", "permuted", "untrained")
    assert {name: found[name] for name in named} == dict.fromkeys(named, "CONFIRMED")
    capsys.readouterr()
    assert report.main([str(tmp_path / "run"), "--out", str(tmp_path / "report")]) == 0
    shown = capsys.readouterr().out
    assert "students_cca" in shown
    assert "labels/labels-5" in shown
    kinds = {path.suffix for path in (tmp_path / "report").iterdir()}
    assert kinds == {".json", ".tex", ".png", ".svg"}
    rows = (tmp_path / "report/report.tex").read_text().splitlines()
    assert all(row.count(" & ") == 5 for row in rows if not row.startswith("%"))
    with np.load(tmp_path / "run/representations.npz") as arrays:
        assert arrays["main/0/f"].shape == (1024, 4)
    written = {path.name for path in (tmp_path / "run").iterdir()}
    assert written == {"config.json", "metrics.jsonl", "checkpoints", "representations.npz", "outcome.json"}


def bent(models: dict[int, TrainedModel]) -> dict[int, TrainedModel]:
    """Sabotage: each seed's f is put through another bend, while its probabilities are still said to be the same."""
    out = {}
    for seed, model in models.items():
        out[seed] = TrainedModel(np.sin((3 + seed) * model.f), model.g)
    return out


def test_sabotage_is_contradicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bent representations contradict linearity, an A of another pair the bound, and unshuffled rows the baseline."""
    honest_at, honest_compare = measured.models_at, measured.compare

    def bent_at(*arguments: object, untrained: bool = False) -> dict[int, TrainedModel]:
        return bent(honest_at(*arguments, untrained=untrained))  # pyright: ignore[reportArgumentType]

    def sabotaged(models: object, star: object = None) -> object:
        from dataclasses import replace

        made = honest_compare(models, star)  # pyright: ignore[reportArgumentType]

        def spoil(pairs: object) -> dict[object, object]:
            return {
                key: replace(one, kl=1e-4, violated=3, alignment_ratio=2.0, permuted=0.5)
                for key, one in pairs.items()  # pyright: ignore[reportAttributeAccessIssue]
            }

        return replace(made, between=spoil(made.between), with_teacher=spoil(made.with_teacher))  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(measured, "models_at", bent_at)
    monkeypatch.setattr(measured, "compare", sabotaged)
    assert ran(tmp_path / "run", **SHORT) == 1
    found = outcomes(tmp_path / "run")
    named = ("students_cca", "students_r2", "teacher_cca", "teacher_r2", "bound", "alignment", "permuted")
    assert {name: found[name] for name in named} == dict.fromkeys(named, "CONTRADICTED")


def test_too_few_labels_contradict_linearity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a setting that is refused otherwise: K = M labels.  Optimal students are then not linearly related."""
    with pytest.raises(InputError, match=r"labels is 2; it must be dim \+ 1 = 3 or more"):
        Settings(labels=2, dim=2)
    monkeypatch.setattr(Settings, "__post_init__", lambda self: None)
    code = ran(tmp_path / "run", "--seeds", "6", **{**SHORT, "labels": 2})
    (cca,) = (p for p in json.loads((tmp_path / "run/outcome.json").read_text())["predictions"] if p["name"] == CCA)
    assert (code, cca["outcome"]) == (1, "CONTRADICTED"), cca["reason"]


@pytest.mark.parametrize(
    ("labels", "rank"), [(2, 1), (3, 2), (4, 3), (5, 4), (18, 4)]
)  # fmt: skip
def test_a_teacher_shows_as_many_directions_as_its_labels_allow(labels: int, rank: int) -> None:
    table = teacher_labels(0, labels, 4, 1.5)
    np.testing.assert_allclose(table.mean(axis=0), 0, atol=1e-12)
    values = np.linalg.svd(table, compute_uv=False)
    np.testing.assert_allclose(values[:rank], 1.5 * np.sqrt(labels))
    np.testing.assert_allclose(values[rank:], 0, atol=1e-12)


def test_held_out_correlations_are_invariant_and_near_zero_by_chance() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2000, 3))
    y = x @ rng.normal(size=(3, 3)) + 4
    np.testing.assert_allclose(held_out_correlations(x, y), 1, atol=1e-9)
    assert abs(held_out_correlations(x, rng.permutation(y)).mean()) < 0.06
    in_sample = np.linalg.svd(np.linalg.qr(x[:8] - x[:8].mean(0))[0].T @ np.linalg.qr(rng.normal(size=(8, 3)))[0])[1]
    assert in_sample.mean() > 0.3  # what in-sample correlations of few rows would say of nothing


def test_no_gpu_where_one_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([NAME, "--platform", "gpu", "--quiet"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: no GPU was found")
    assert len(err.splitlines()) == 1


def test_members_that_run_away_are_left_out_of_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = ran(tmp_path / "run", activation="leaky_relu", **{**SHORT, "rate": 1e8, "steps": 100, "sweep_steps": 100})
    outcome = json.loads((tmp_path / "run/outcome.json").read_text())
    assert outcome["diverged"] == ["main: seed 0", "main: seed 1", "main: seed 2"]
    trained = {p["name"]: p["outcome"] for p in outcome["predictions"] if p["name"] != "untrained"}
    assert set(trained.values()) == {"INCONCLUSIVE"}
    (curve,) = (figure for figure in outcome["figures"] if figure["name"] == "training")
    assert [series["x"] for series in curve["series"]] == [[0], [0]]  # before the first step alone
    assert code == 3
    assert "left out of every number, as it diverged or collapsed: main: seed 0" in capsys.readouterr().out


def test_what_to_type_after_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole command, with all of its settings."""

    def stopped(*_: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(measured, "students", stopped)
    given = ["--preset", "smoke", NAME, "--out", str(tmp_path / "a run"), "--set", "steps=500", "--quiet"]
    assert run.main(given) == 130
    said = capsys.readouterr().err
    again = f"python -m empirical run --preset smoke {NAME} --out '{tmp_path}/a run' --set steps=500 --quiet --resume"
    assert said == f"interrupted; if training had begun, go on with: {again}\n"


def test_help_and_list_name_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--preset", "smoke", NAME, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "labels=18" in shown
    assert "students_cca" in shown
    assert list_command.main([]) == 0
    assert f"{NAME}: students of a teacher" in capsys.readouterr().out
