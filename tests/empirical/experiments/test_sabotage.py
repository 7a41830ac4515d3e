"""Every prediction can be contradicted: experiments whose students are made up, so that each claim about them is false.

Nothing is trained here.  Where a theorem forbids what a claim is contradicted by (optimal students that are not
linearly related, say), the measured numbers are made up too: so would a mistake in the program look.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from empirical.data.simulated import teacher
from empirical.engine import Ensemble, Member, RunFolder
from empirical.experiment import Experiment, Run, perform
from empirical.experiments import _classification_measured, _supervised_measured, simulated_supervised
from empirical.experiments import simulated_classification as classification
from empirical.pairs import Compared
from empirical.supervised.measures import Measured

#: ``student(ensemble, member, x, untrained)``: the arrays of one member.
Student = Callable[[Ensemble, Member, Any, bool], tuple[np.ndarray, ...]]


@dataclass
class MadeUp:
    """Stands for trained members."""

    ensemble: Ensemble
    student: Student
    diverged: tuple[Member, ...] = ()

    def apply(self, function: object, x: Any, untrained: bool = False) -> tuple[np.ndarray, ...]:
        made = [self.student(self.ensemble, member, x, untrained) for member in self.ensemble.members]
        return tuple(np.stack(part) for part in zip(*made, strict=True))


def contradicted(
    patch: pytest.MonkeyPatch, path: Path, experiment: Experiment, settings: Any, student: Student
) -> set[str]:
    """The predictions that a run with such students contradicts."""
    patch.setattr(Run, "train", lambda self, ensemble, *_: MadeUp(ensemble, student))
    judged = perform(experiment, Run(settings, (0, 1, 2, 3), RunFolder(path / "run")), "made up", resume=False)
    return {one.prediction.name for one in judged if one.outcome.value == "CONTRADICTED"}


# simulated_classification ---------------------------------------------------------------------------------------------

FEW = classification.Settings(
    labels=6, rows=256, labels_swept=(3, 5), widths=(8,), budgets=(), examples=(64, 4096), radial_labels=(4,)
)


def seen(x: Any) -> np.ndarray:
    """What a student of the teacher, or of the radial data, should represent (rows, dim)."""
    s = FEW
    if x.shape[1] == 2:
        return np.asarray(x, dtype=np.float64)
    return np.asarray(teacher(s.teacher_seed, s.inputs, s.teacher_width, s.teacher_depth, s.dim, s.teacher_gain)(x))


def linear(ensemble: Ensemble, member: Member, x: Any, untrained: bool) -> tuple[np.ndarray, ...]:
    """f = A f*, in every direction, whatever the labels say; trained or not."""
    f, rng = seen(x), np.random.default_rng(member.seed)
    A = rng.normal(size=(f.shape[1],) * 2)
    most = ensemble.build(_key()).g.shape[0]  # members with fewer labels have rows that nothing reads
    table = _classification_measured.table_of(FEW, member.point.get("labels", FEW.labels))[:, : f.shape[1]]
    g = np.zeros((most, f.shape[1]))
    g[: len(table)] = table
    return f @ A.T, g @ np.linalg.inv(A)


def bent(ensemble: Ensemble, member: Member, x: Any, untrained: bool) -> tuple[np.ndarray, ...]:
    """f bent otherwise for each seed."""
    f, g = linear(ensemble, member, x, untrained)
    return np.sin((2 + member.seed) * f), g


def better_if_small(ensemble: Ensemble, member: Member, x: Any, untrained: bool) -> tuple[np.ndarray, ...]:
    """The narrow network and the fewest examples are linear, all else is bent."""
    small = ensemble.name == "width-8" or member.point.get("examples") == min(FEW.examples)
    return (linear if small else bent)(ensemble, member, x, untrained)


def _key() -> Any:
    import jax

    return jax.random.key(0)


def spoiled(compare: Callable[..., Compared], **numbers: float) -> Callable[..., Compared]:
    """``compare``, with numbers of every pair made up."""

    def made_up(*arguments: Any) -> Compared:
        made = compare(*arguments)

        def spoil(pairs: Mapping[Any, Any]) -> dict[Any, Any]:
            return {key: replace(one, **numbers) for key, one in pairs.items()}

        return Compared(spoil(made.between), spoil(made.with_teacher))

    return made_up


def test_every_prediction_about_classification(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(name: str, student: Student) -> set[str]:
        return contradicted(monkeypatch, tmp_path / name, classification.EXPERIMENT, FEW, student)

    all_linear = told("linear", linear)
    assert all_linear == {"untrained", "free_3", "radial_4"}
    assert told("small", better_if_small) >= {"wider", "more_data"}

    honest = _classification_measured.compare
    monkeypatch.setattr(_classification_measured, "compare", spoiled(honest, kl=1e-4))
    not_linear = told("bent", bent)
    assert not_linear == {
        "students_cca", "students_r2", "teacher_cca", "teacher_r2", "seen_3", "labels_5",
        *(not_linear & {"bound", "alignment"}),
    }  # fmt: skip

    wrong = spoiled(honest, violated=1, alignment_ratio=1.1, permuted=0.1)
    monkeypatch.setattr(_classification_measured, "compare", wrong)
    at_fault = told("wrong", linear) - all_linear
    assert at_fault == {"bound", "alignment", "permuted"}

    claimed = {one.name for one in classification.predictions(FEW)}
    assert all_linear | not_linear | at_fault | {"wider", "more_data"} == claimed


def test_a_constant_representation_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One seed has collapsed, in float32 rounding; nothing of it is measured, and it is named."""

    def student(ensemble: Ensemble, member: Member, x: Any, untrained: bool) -> tuple[np.ndarray, ...]:
        f, g = linear(ensemble, member, x, untrained)
        return (3 + 1e-8 * f if member.seed == 1 and not untrained else f), g

    monkeypatch.setattr(Run, "train", lambda self, ensemble, *_: MadeUp(ensemble, student))
    run = Run(
        replace(FEW, labels_swept=(), widths=(), examples=(), radial_labels=()), (0, 1, 2, 3), RunFolder(tmp_path)
    )
    found = _classification_measured.measure(run)
    assert found.collapsed == ["main: seed 1: its representation is constant"]
    assert found.samples["students_cca"].seeds == (0, 2, 3)
    assert not [name for name in found.arrays if name.startswith("main/1/")]


# simulated_supervised -------------------------------------------------------------------------------------------------

SMALL = simulated_supervised.Settings(rows=256, oracle_rows=64, oracle_starts=2)
NOT_AFFINE = Measured(
    gap=0.0, error=0.0, linear=0.3, row=0.3, back=0.3, permuted=0.3, null=0.5, free=0.5, violated=1, used=0.5,
    rank=2, singular=(1.0, 1.0, 1.0),
)  # fmt: skip
AFFINE = replace(NOT_AFFINE, linear=1.0, row=1.0, back=1.0, permuted=0.0, null=0.0, free=0.0, violated=0)


def some(ensemble: Ensemble, member: Member, x: Any, untrained: bool) -> tuple[np.ndarray, ...]:
    """h of m dimensions is affine in x; what is measured of it is made up, but on the triangle, where x is z."""
    networks = ensemble.build(_key())
    classes, m = networks.W.shape
    rows = np.asarray(x, dtype=np.float64)
    rows = rows[:, member.point["world"]] if rows.ndim == 3 else rows
    rng = np.random.default_rng(member.seed)
    return rows @ rng.normal(size=(rows.shape[1], m)), rng.normal(size=(classes, m)), np.zeros(classes)


def test_every_prediction_about_supervised_encoders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(name: str, one: Measured, few: Measured | None = None) -> set[str]:
        def made_up(h: np.ndarray, W: np.ndarray, beta: np.ndarray, z: np.ndarray, logs: np.ndarray) -> Measured:
            return few if few is not None and h.shape[1] < z.shape[1] else one

        monkeypatch.setattr(_supervised_measured, "measured", made_up)
        experiment = simulated_supervised.EXPERIMENT
        return contradicted(monkeypatch, tmp_path / name, experiment, SMALL, some)

    both = ("generative_", "discriminative_")
    bent_at_the_optimum = told("bent", NOT_AFFINE)
    assert bent_at_the_optimum >= {
        "bound", "triangle_least",
        *(w + of for w in both for of in (
            "equal_r2", "equal_back", "equal_permuted", "above_row", "energy_free", "energy_r2", "below_gap",
            "below_least", "below_less", "squared_r2",
        )),
    }  # fmt: skip
    affine_at_the_optimum = told("affine", AFFINE)
    assert affine_at_the_optimum >= {
        "curved_equal_r2", "curved_equal_features", "triangle_r2",
        *(w + of for w in both for of in ("above_free", "below_r2", "equal_untrained")),
    }  # fmt: skip
    far_from_it = told("far", AFFINE, few=replace(AFFINE, gap=1.0))
    assert far_from_it >= {"triangle_affine", *(w + "below_affine" for w in both)}

    claimed = {one.name for one in simulated_supervised.predictions(SMALL)}
    assert bent_at_the_optimum | affine_at_the_optimum | far_from_it == claimed
