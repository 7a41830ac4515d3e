"""The comparison as one figure: spectra, canonical correlations, bound against error, f itself where it has M = 2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from empirical.compare.characters import visible
from empirical.compare.results import Comparison, Matrix, PairResult
from empirical.compare.sides import titles

FIRST, SECOND, GREY = "#2b6cb0", "#c05621", "#777777"
MOST_POINTS = 3000  # of a scatter plot
MOST_WRITTEN = 12  # rows and columns of a matrix with its numbers written in

Panel = Callable[[Axes], None]


def as_png(comparison: Comparison) -> bytes:
    """The figure as a PNG file.  Drawn without a display, and without matplotlib's global state."""
    panels = _panels(comparison)
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(5.6 * columns, 4.2 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for panel, place in zip(panels, axes, strict=False):
        panel(place)
    for place in axes[len(panels) :]:
        place.set_visible(False)
    content = BytesIO()
    figure.savefig(content, format="png", dpi=130, metadata={"Software": None})
    return content.getvalue()


def _panels(comparison: Comparison) -> list[Panel]:
    panels: list[Panel] = [partial(_heat, matrix=matrix) for matrix in comparison.matrices if matrix.computed]
    if len(comparison.pairs) == 1:
        (pair,) = comparison.pairs
        panels.append(partial(_spectra, pair=pair))
        if _correlations(pair):
            panels.append(partial(_canonical, pair=pair))
        panels += [partial(_bounds, error=error, bound=bound, label=label) for label, error, bound in _bound_data(pair)]
        if all(model.dim == 2 for model in comparison.models):
            panels.append(partial(_overlay, comparison=comparison))
    if not panels:
        panels.append(partial(_words, comparison=comparison))
    return panels


def _heat(axes: Axes, matrix: Matrix) -> None:
    values = np.array([[np.nan if value is None else value for value in row] for row in matrix.values])
    image = axes.imshow(values, vmin=0, vmax=1, cmap="viridis", aspect="auto")
    axes.set_xticks(range(len(matrix.columns)), _labels(matrix.columns), rotation=45, ha="right")
    axes.set_yticks(range(len(matrix.rows)), _labels(matrix.rows))
    if max(values.shape) <= MOST_WRITTEN:
        for (i, j), value in np.ndenumerate(values):
            if np.isfinite(value):
                axes.text(j, i, f"{value:.2f}", ha="center", va="center", color="white" if value < 0.6 else "black")
    axes.set_title(matrix.heading.partition(";")[0])
    assert axes.figure is not None
    axes.figure.colorbar(image, ax=axes)


def _labels(names: Sequence[str]) -> list[str]:
    """Short names of layers; a dollar sign in them starts no formula."""
    return [visible(name).replace("$", r"\$") for name in titles(names)]


def _spectra(axes: Axes, pair: PairResult) -> None:
    for name, values, colour in zip(pair.names, pair.spectra, (FIRST, SECOND), strict=True):
        if values:
            places = range(1, len(values) + 1)
            axes.semilogy(places, np.maximum(values, 1e-17), ".-", color=colour, label=name, linewidth=1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(title="Singular values of centred f", xlabel="number", ylabel="relative to the largest")
    axes.legend(frameon=False)


def _correlations(pair: PairResult) -> tuple[float, ...]:
    return next((row.values for row in pair.rows if row.measure == "mean CCA" and row.values), ())


def _canonical(axes: Axes, pair: PairResult) -> None:
    values = _correlations(pair)
    axes.plot(range(1, len(values) + 1), values, ".-", color=FIRST, linewidth=1, label="all rows")
    if pair.chance_correlations:
        chance = pair.chance_correlations
        axes.plot(range(1, len(chance) + 1), chance, "-", color=GREY, linewidth=1, label="rows permuted")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(title="Canonical correlations", xlabel="number", ylim=(0, 1.02))
    axes.legend(frameon=False)


def _bound_data(pair: PairResult) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """For each direction of the diagnosis: its name, and error and bound of each row under theory's best alignment.

    The bound has the allowance for rounding in it: without, rounding alone would seem to break a bound of nearly 0.
    """
    if pair.diagnosis is None:
        return []
    found = []
    for direction in pair.diagnosis.directions:
        alignment = direction.best or direction.predicted or direction.from_all
        if alignment is not None:
            label = f"{direction.source} to {direction.target}, {alignment.differences}"
            found.append((label, alignment.error, alignment.bound + alignment.allowance))
    return found


def _bounds(axes: Axes, error: np.ndarray, bound: np.ndarray, label: str) -> None:
    keep = (error > 0) & (bound > 0)
    if keep.any():
        step = max(1, int(keep.sum()) // MOST_POINTS)
        axes.loglog(bound[keep][::step], error[keep][::step], ".", color=FIRST, markersize=3, alpha=0.5)
        ends = [min(error[keep].min(), bound[keep].min()), max(error[keep].max(), bound[keep].max())]
        axes.loglog(ends, ends, "-", color=GREY, linewidth=1, label="error = bound")
        axes.legend(frameon=False)
    else:
        axes.text(0.5, 0.5, "error and bound are 0", ha="center", transform=axes.transAxes)
    axes.set(title=f"Alignment of {label}", xlabel="bound of each row, with rounding", ylabel="error of each row")


def _overlay(axes: Axes, comparison: Comparison) -> None:
    """f of the first model, and the affine image of the other's that is nearest to it on all rows."""
    first, second = (np.asarray(model.f.values, dtype=float) for model in comparison.models)
    design = np.column_stack([second - second.mean(axis=0), np.ones(len(second))])
    image = design @ np.linalg.lstsq(design, first, rcond=None)[0]
    step = max(1, len(first) // MOST_POINTS)
    names = [model.letter for model in comparison.models]
    axes.plot(*first[::step].T, "o", color=FIRST, markersize=4, mfc="none", label=names[0])
    axes.plot(*image[::step].T, ".", color=SECOND, markersize=3, label=f"{names[1]}, affinely mapped")
    axes.set(title="f, row by row")
    axes.legend(frameon=False)


def _words(axes: Axes, comparison: Comparison) -> None:
    axes.set_axis_off()
    axes.text(0.5, 0.5, visible(comparison.sentence), ha="center", va="center", wrap=True, parse_math=False)
