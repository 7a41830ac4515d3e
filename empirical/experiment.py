"""What an experiment is: settings, presets, predictions and a function that trains and measures; and how it is run."""

from __future__ import annotations

import dataclasses
import difflib
import math
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from empirical.engine import Ensemble, Member, RunFolder, Trained, train
from empirical.engine.run_folder import SCHEMA
from empirical.engine.training import Watch
from empirical.errors import InputError
from empirical.predictions import Judged, Prediction, Sample, judge
from theory.versions import versions


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings that differ from the defaults, the number of seeds, and what a run costs, on named hardware."""

    seeds: int
    cost: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a figure: y over x, with an interval where there is one."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()

    @classmethod
    def of(cls, label: str, x: Sequence[float], samples: Sequence[Sample]) -> Series | None:
        """The means of samples with their intervals; None where something was not measured at one of the points."""
        if not all(one.values for one in samples):
            return None
        ends = [one.interval() or (None, None) for one in samples]
        return cls(label, x, [one.mean for one in samples], [low for low, _ in ends], [high for _, high in ends])


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as data.  ``kind`` "lines" draws the series; "scatter" draws each series as points (x, y)."""

    name: str
    title: str
    x: str
    y: str
    series: Sequence[Series]
    kind: str = "lines"
    log_x: bool = False


@dataclass(slots=True)
class Findings:
    """What an experiment measured: samples by the name of the prediction or premise, rows, figures and arrays."""

    samples: dict[str, Sample] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    collapsed: list[str] = field(default_factory=list)

    def keep(self, ensemble: str, member: Member, representation: np.ndarray) -> bool:
        """Can this representation (rows, dims) be measured?  Notes the member where it is constant."""
        if varies(representation):
            return True
        said = f"{ensemble}: {member}: its representation is constant"
        if said not in self.collapsed:
            self.collapsed.append(said)
        return False


def varies(representation: np.ndarray) -> bool:
    """Is it finite, and not constant up to float32 rounding?  Of a constant nothing can be measured."""
    if not np.isfinite(representation).all():
        return False
    return bool(np.ptp(representation, axis=0).max() > 1e-6 * np.abs(representation).max())


@dataclass(slots=True)
class Run:
    """A run in progress, as an experiment sees it."""

    settings: Any
    seeds: tuple[int, ...]
    folder: RunFolder
    shown: bool = False
    save_every: float = 20.0
    diverged: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    def train(self, ensemble: Ensemble, watch: Watch | None = None, watch_every: int = 10) -> Trained:
        """Train an ensemble, and note who diverged."""
        trained = train(ensemble, self.folder, watch, watch_every, self.save_every, self.shown)
        self.diverged += [f"{ensemble.name}: {member}" for member in trained.diverged]
        self.damaged += trained.damaged
        return trained


@dataclass(frozen=True, slots=True)
class Experiment:
    """``settings`` is a frozen dataclass; the help of each setting is in its field's metadata.

    ``predictions(settings)`` are written into the run folder before training; ``measure(run)`` trains and measures.
    """

    name: str
    summary: str
    settings: type
    presets: Mapping[str, Preset]
    predictions: Callable[[Any], tuple[Prediction, ...]]
    measure: Callable[[Run], Findings]

    def configured(self, preset: str, changes: Mapping[str, str]) -> tuple[Any, int]:
        """The settings of a preset with changes, and its number of seeds.  Raises ``InputError`` for unknown names."""
        if preset not in self.presets:
            raise InputError(unknown("preset", preset, self.presets))
        kept = dict(self.presets[preset].settings)
        fields = {f.name: f for f in dataclasses.fields(self.settings)}
        for key, text in changes.items():
            if key not in fields:
                raise InputError(unknown(f"setting of {self.name}", key, fields))
            kept[key] = _read(key, text, fields[key].default)
        return self.settings(**kept), self.presets[preset].seeds


def unknown(what: str, name: str, known: Mapping[str, Any]) -> str:
    """A message for a name that does not exist, with the nearest that does."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"there is no {what} {name!r}" + (f"; did you mean {near[0]}?" if near else f": {', '.join(known)}")


def _read(key: str, text: str, default: object) -> object:
    """A setting from text, of the type of its default; tuples are written with commas, and "" is the empty one."""
    try:
        if isinstance(default, tuple):
            return tuple(int(part) for part in text.split(",") if part.strip())
        if isinstance(default, int):
            return int(text)
        if isinstance(default, float) and not math.isfinite(float(text)):
            raise ValueError
        return float(text) if isinstance(default, float) else text
    except ValueError:
        wanted = {tuple: "whole numbers with commas", int: "a whole number"}.get(type(default), "a finite number")
        raise InputError(f"{key}={text!r} cannot be read: give {wanted}, such as {key}={_written(default)}") from None


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def perform(experiment: Experiment, run: Run, preset: str, resume: bool) -> list[Judged]:
    """Write the predictions down, train, measure, judge, and leave everything in the run folder."""
    predictions = experiment.predictions(run.settings)
    config = {
        "experiment": experiment.name,
        "preset": preset,
        "settings": dataclasses.asdict(run.settings),
        "seeds": list(run.seeds),
        "predictions": [dataclasses.asdict(p) for p in predictions],
        "versions": versions(("linear-identifiability", "jax", "equinox", "optax", "orbax-checkpoint", "numpy")),
        "machine": platform.platform(),
    }
    run.folder.begin(config, resume)
    try:
        begun = time.monotonic()
        findings = experiment.measure(run)
        findings.notes += _other_versions(config, run.folder.read_json("config.json"))
        judged = [judge(prediction, findings.samples) for prediction in predictions]
        run.folder.write_arrays("representations.npz", findings.arrays)
        run.folder.write_json("outcome.json", outcome(experiment, run, findings, judged, time.monotonic() - begun))
    finally:
        run.folder.close()
    return judged


def _other_versions(now: Mapping[str, Any], begun: Mapping[str, Any]) -> list[str]:
    """What a run was begun with, where that is not what it ends with: the bits may then be others."""
    changed = [
        f"{name} {begun.get('versions', {}).get(name)} (now {version})"
        for name, version in now["versions"].items()
        if begun.get("versions", {}).get(name) != version
    ]
    return [f"begun with {', '.join(changed)}"] if changed else []


def outcome(
    experiment: Experiment, run: Run, findings: Findings, judged: Sequence[Judged], seconds: float
) -> dict[str, Any]:
    """The content of ``outcome.json``.  Only ``seconds``, ``damaged`` and ``devices`` may differ between equal runs."""
    import jax

    return {
        "schema": SCHEMA,
        "experiment": experiment.name,
        "predictions": [
            {
                **dataclasses.asdict(one.prediction),
                "outcome": one.outcome.value,
                "value": one.value,
                "interval": one.interval,
                "seeds": one.seeds,
                "values": one.values,
                "reason": one.reason,
            }
            for one in judged
        ],
        "samples": {
            name: [[list(seeds), value] for seeds, value in sample.values.items()]
            for name, sample in findings.samples.items()
        },
        "rows": [{k: _plain(v) for k, v in row.items()} for row in findings.rows],
        "figures": [dataclasses.asdict(figure) for figure in findings.figures],
        "notes": findings.notes,
        "diverged": run.diverged + findings.collapsed,
        "damaged": run.damaged,
        "devices": [str(device) for device in jax.devices()],
        "seconds": seconds,
    }


def _plain(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def members_of(seeds: Sequence[int], points: Sequence[Mapping[str, int]] = ({},)) -> tuple[Member, ...]:
    """Every seed at every point of a sweep."""
    return tuple(Member(seed, point) for point in points for seed in seeds)
