"""Outcomes of runs as tables for the terminal, and as rows for LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

COLOURS = {"CONFIRMED": "green", "CONTRADICTED": "bold red", "INCONCLUSIVE": "yellow"}
#: Columns of the table of points: key, heading.
POINTS = (
    ("gap", "CE - H"),
    ("cca", "CCA"),
    ("r2", "R²"),
    ("teacher_cca", "CCA, teacher"),
    ("teacher_r2", "R², teacher"),
    ("smallest_correlation", "smallest corr."),
    ("linear", "R², h from z"),
    ("row", "R², part read"),
    ("back", "R², z from h"),
    ("free", "free share"),
    ("sigma_min", "σ_min(L)"),
    ("condition", "cond(L)"),
    ("error", "error"),
    ("bound", "bound"),
    ("largest_error_over_bound", "worst error/bound"),
    ("alignment_over_bound", "A off/bound"),
)


def number(value: float | None) -> str:
    if value is None:
        return "–"
    if value == 0:
        return "0"
    return f"{value:.4f}" if 1e-3 <= abs(value) < 100 else f"{value:.2e}"


def interval(ends: Sequence[float] | None) -> str:
    return "–" if ends is None else f"[{number(ends[0])}, {number(ends[1])}]"


def predictions(outcome: dict[str, Any]) -> Table:
    """Every prediction with what was measured and its outcome."""
    table = Table(box=box.SIMPLE_HEAD, title=outcome["experiment"], title_justify="left")
    for heading in ("prediction", "claim", "measured", "95 % interval", "seeds", "outcome", "source"):
        table.add_column(heading, overflow="fold", justify="right" if heading in ("measured", "seeds") else "left")
    for one in outcome["predictions"]:
        said = Text(one["outcome"], style=COLOURS[one["outcome"]])
        claim = f"{one['statement']} {one['sense']} {one['level']:g}"
        ends = ("range " if one["over"] == "every" else "") + interval(one["interval"])
        table.add_row(one["name"], claim, number(one["value"]), ends, str(one["seeds"]), said, one["source"])
    return table


def points(outcome: dict[str, Any]) -> Table:
    """Every point of every sweep: how far from the optimum, how similar, and what theory allows."""
    shown = [(key, heading) for key, heading in POINTS if any(row.get(key) is not None for row in outcome["rows"])]
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("point", overflow="fold")
    for _, heading in shown:
        table.add_column(heading, justify="right")
    for row in outcome["rows"]:
        table.add_row(row["point"], *(number(row.get(key)) for key, _ in shown))
    return table


def remarks(outcome: dict[str, Any]) -> list[str]:
    """All that a reader must know besides: why something is open, who diverged, what was damaged."""
    said = [f"{p['name']}: {p['reason']}" for p in outcome["predictions"] if p["outcome"] != "CONFIRMED"]
    said += outcome["notes"]
    said += [f"left out of every number, as it diverged or collapsed: {member}" for member in outcome["diverged"]]
    return said + outcome["damaged"]


_SPECIAL = {
    "\\": r"\textbackslash{}", "_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$", "{": r"\{", "}": r"\}",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": "$<$", ">": "$>$", "≥": r"$\ge$", "≤": r"$\le$",
    "²": "$^2$", "–": "--",
}  # fmt: skip


def latex(outcome: dict[str, Any]) -> str:
    """Rows for a ``tabular`` of six columns: prediction, claim, measured, interval, seeds, outcome.

    Of a prediction about every value there is no interval; the column then holds the range, and says so.
    """

    def escaped(text: str) -> str:
        text = text.replace(">=", "≥").replace("<=", "≤")
        return "".join(_SPECIAL.get(letter, letter) for letter in text)

    lines = [rf"% {outcome['experiment']}: prediction & claim & measured & 95\% interval or range & seeds & outcome \\"]
    for one in outcome["predictions"]:
        cells = (
            one["name"],
            f"{one['statement']} {one['sense']} {one['level']:g}",
            number(one["value"]),
            ("range " if one["over"] == "every" else "") + interval(one["interval"]),
            str(one["seeds"]),
            one["outcome"].lower(),
        )
        lines.append(" & ".join(map(escaped, cells)) + r" \\")
    return "\n".join(lines) + "\n"
