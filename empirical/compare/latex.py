"""The table of measures as LaTeX rows, to paste into a tabular of six columns."""

from __future__ import annotations

import re

from empirical.compare.characters import visible
from empirical.compare.results import Comparison
from empirical.compare.table import HEADINGS, cells

_SPECIAL = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "²": "$^2$",
    "–": "--",
    "×": r"$\times$",
    "<": "$<$",
    ">": "$>$",
}


def as_latex(comparison: Comparison) -> str:
    """The rows of each pair and of each matrix.  Needs no package."""
    lines: list[str] = []
    for matrix in comparison.matrices:
        lines += [f"% {matrix.heading}", _row(["", *matrix.columns]), r"\hline"]
        for name, values in zip(matrix.rows, matrix.values, strict=True):
            lines.append(_row([name, *("–" if value is None else f"{value:.3f}" for value in values)]))
    for pair in comparison.pairs:
        lines += [f"% {' and '.join(pair.names)}", _row(HEADINGS), r"\hline"]
        lines += [_row(cells(row)) for row in pair.rows if not row.refused]
    return "\n".join([*lines, ""])


def _row(values: list[str] | tuple[str, ...]) -> str:
    return " & ".join(map(escaped, values)) + r" \\"


def escaped(text: str) -> str:
    """The text for LaTeX, in one line."""
    return re.sub("|".join(map(re.escape, _SPECIAL)), lambda found: _SPECIAL[found[0]], visible(text))
