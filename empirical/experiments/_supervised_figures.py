"""The figures of ``simulated_supervised``, from what was measured."""

from __future__ import annotations

import numpy as np

from empirical.data.causal import DIRECTIONS
from empirical.experiment import Figure, Findings, Run, Series


def training(run: Run) -> Figure:
    lines = [m for m in run.folder.metrics() if m["ensemble"] == "equal"]
    series = []
    for world in DIRECTIONS:
        seen = [m for m in lines if m.get(world) is not None]
        series.append(Series(world, [m["step"] for m in seen], [m[world] for m in seen]))
    return Figure("training", "m = r: R² of h from z while training", "step", "R² (in-sample)", series)


def against_m(found: Findings, r: int) -> Figure:
    series = []
    for world in DIRECTIONS:
        for name, label in (("r2", "h"), ("row", "part of h that the head reads")):
            tags = (f"{world}_below_r2", f"{world}_equal_r2", f"{world}_above_{name}")
            samples = [found.samples[tag] for tag in tags]
            line = Series.of(f"{world}, {label}", [r - 1, r, 2 * r], samples)
            series += [] if line is None else [line]
    return Figure("dimensions", f"R² from z against m, r = {r}", "m", "held-out R²", series)


def scatter(found: Findings) -> Figure:
    """h beside its best affine map of z: on the diagonal where it is affine."""
    z = found.arrays["generative/z"][:400].astype(np.float64)
    series = []
    for name, label in (("equal", "m = r"), ("below", "m = r - 1")):
        tags = [tag for tag in found.arrays if tag.startswith(f"{name}/generative/") and tag.endswith("/h")]
        if tags:
            h = found.arrays[tags[0]][:400, 0].astype(np.float64)
            h = (h - h.mean()) / max(h.std(), np.finfo(float).tiny)  # a first coordinate may be constant
            with_ones = np.column_stack([z, np.ones(len(z))])
            affine = with_ones @ np.linalg.lstsq(with_ones, h, rcond=None)[0]
            series.append(Series(label, affine.tolist(), h.tolist()))
    return Figure("affine", "Generative: first coordinate of h", "best affine map of z", "h", series, "scatter")
