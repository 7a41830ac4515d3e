"""Figures of runs, from the data in ``outcome.json``: the same figure as PNG and SVG."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from empirical.writing import write_atomically


def draw(folder: Path, name: str, outcome: dict[str, Any]) -> list[Path]:
    """Write every figure that has something to show as ``name``-figure, and return the files."""
    written: list[Path] = []
    for figure in outcome["figures"]:
        if not any(series["x"] for series in figure["series"]):
            continue
        fig = Figure(figsize=(5.5, 3.8), layout="constrained")  # needs no screen, and no global state of pyplot
        _fill(fig.subplots(), figure)
        for kind in ("png", "svg"):
            buffer = io.BytesIO()
            fig.savefig(buffer, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
            path = folder / f"{name}-{figure['name']}.{kind}"
            write_atomically(path, buffer.getvalue())
            written.append(path)
    return written


def _fill(axes: Axes, figure: dict[str, Any]) -> None:
    scatter = figure["kind"] == "scatter"
    for i, series in enumerate(figure["series"]):
        if scatter:
            axes.scatter(series["x"], series["y"], s=14 if i == 0 else 5, alpha=0.6, label=series["label"])
            continue
        (line,) = axes.plot(series["x"], series["y"], marker="o", markersize=3.5, label=series["label"])
        ends = [e for e in zip(series["x"], series["low"], series["high"], strict=False) if None not in e]
        if ends:
            axes.vlines([e[0] for e in ends], [e[1] for e in ends], [e[2] for e in ends], color=line.get_color(), lw=1)
    if figure["log_x"]:
        axes.set_xscale("log")
        values = sorted({x for series in figure["series"] for x in series["x"]})
        axes.set_xticks(values, labels=[f"{value:g}" for value in values])
        axes.minorticks_off()
    elif not scatter and all(x == int(x) for series in figure["series"] for x in series["x"]):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if not scatter:
        top = max((y for s in figure["series"] for y in (*s["y"], *(h for h in s["high"] if h is not None))), default=1)
        axes.set_ylim(top=max(1.02, min(top, 1.3)))
        axes.axhline(1, color="0.8", lw=0.8, zorder=0)
    axes.set(title=figure["title"], xlabel=figure["x"], ylabel=figure["y"])
    axes.legend(frameon=False)
