"""The comparison as text, for a terminal of 80 columns or more and for files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from empirical.arrays import LoadedModel, NamedArray
from empirical.compare.characters import visible
from empirical.compare.measures import MEAN_CCA, maps
from empirical.compare.numbers import interval, short, small
from empirical.compare.results import Comparison, Matrix, PairResult, Row
from empirical.compare.sides import titles

if TYPE_CHECKING:
    from theory.diagnosis import Diagnosis

NARROWEST, WIDEST = 80, 120
HEADINGS = ("measure", "all rows", "held out", "95 % interval", "chance", "p")
#: The widest column of quantities, beside which their values fit into 80 columns.
QUANTITY = 32

#: Theorems that say something of models that meet their assumptions only nearly.
QUANTITATIVE = ("logit_distance_bound", "stability")
LEGEND = (
    "all rows: fitted and judged on the same rows. held out: fitted on half of the rows, judged on the others, with "
    "its bootstrap interval. chance: the judged rows of one side permuted, the fit as it is, so that an R² falls below "
    "0. p: how often that reaches the held-out value."
)


def rendered(comparison: Comparison, console: Console) -> str:
    """The comparison as text; its last line is the sentence on what the evidence supports."""
    console.width = min(max(console.width, NARROWEST), WIDEST)
    with console.capture() as captured:
        for renderable in _parts(comparison):
            console.print(renderable, highlight=False, overflow="fold", crop=False)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"


def cells(row: Row) -> tuple[str, ...]:
    """The row under ``HEADINGS``, as text."""
    return (
        row.measure,
        short(row.value),
        short(row.held_out),
        interval(row.low, row.high),
        short(row.chance),
        "–" if row.p is None else f"{row.p:.2g}",
    )


def ranks(pair: PairResult) -> list[str]:
    """The numerical ranks of both sides, where they could be decided."""
    lines = []
    for name, rank in zip(pair.names, pair.ranks or (), strict=False):
        gap = "" if rank.largest_dropped is None else f", largest dropped {small(rank.largest_dropped)}"
        lines.append(
            f"rank of {name}: {rank.value} of {rank.columns}; smallest singular value kept {small(rank.smallest_kept)}"
            f"{gap} of the largest"
        )
    return lines


def warnings(pair: PairResult, rows: Sequence[Row]) -> list[str]:
    """The warnings of some measures of a pair, each once."""
    warned: dict[str, list[str]] = {}
    for row in rows:
        for warning in (*row.warnings, *([f"not judged on held-out rows: {row.unjudged}"] if row.unjudged else [])):
            warned.setdefault(warning, []).append(row.measure)
    lines = [f"warning ({', '.join(measures)}): {warning}" for warning, measures in warned.items()]
    return [*lines, *([f"no diagnosis: {pair.undiagnosed}"] if pair.undiagnosed else [])]


def _whole(pair: PairResult) -> list[RenderableType]:
    """All that was found of a pair."""
    parts = [_rows(pair.rows), *map(_text, [*ranks(pair), *warnings(pair, pair.rows)])]
    return parts if pair.diagnosis is None else [*parts, "", *_diagnosed(pair.diagnosis)]


def _short(pair: PairResult) -> list[RenderableType]:
    """One of many pairs: the measures that any invertible map leaves as they are, or nearly, and its sentence."""
    rows = [row for row in pair.rows if row.measure in (MEAN_CCA, *maps(pair.names))]
    return [_rows(rows), *map(_text, warnings(pair, rows)), _text(pair.sentence)]


def _parts(comparison: Comparison) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for letter in dict.fromkeys(model.letter for model in comparison.models):
        parts.append(_text(_side([model for model in comparison.models if model.letter == letter])))
    parts += [_text(note, style="dim") for note in comparison.notes]
    for matrix in comparison.matrices:
        parts += ["", _text(matrix.heading, style="bold"), _matrix(matrix)]
    many = len(comparison.pairs) > 1
    if many:
        parts += ["", *map(_text, dict.fromkeys(line for pair in comparison.pairs for line in ranks(pair)))]
    for pair in comparison.pairs:
        parts += ["", *(_short(pair) if many else _whole(pair))]
    if comparison.pairs:
        parts += ["", Text(LEGEND, style="dim")]
    return [*parts, "", _text(comparison.sentence, style="bold")]


def _side(models: Sequence[LoadedModel]) -> str:
    """One line on a side: its model, or how many layers it has."""
    first, last = models[0], models[-1]
    if not first.layered:
        return described(first)
    return f"{first.letter}: {len(models)} layer(s) of {first.path}, {first.f.name} to {last.f.name}"


def described(model: LoadedModel) -> str:
    """One line on a model: its letter, its file and its arrays."""
    arrays = {"f": model.f, "g": model.g, "bias": model.bias}
    shown = ", ".join(f"{role} {_shape(role, array)}" for role, array in arrays.items() if array is not None)
    return f"{model.letter}: {model.path}, {shown}"


def _shape(role: str, array: NamedArray) -> str:
    name = "" if array.name == role else f"({array.name}) "
    return f"{name}{' × '.join(f'{n:,}' for n in array.values.shape)} {array.stored_dtype}"


def _text(text: str, style: str = "") -> Text:
    return Text(visible(text), style)


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))


def _rows(rows: Sequence[Row]) -> RenderableType:
    table = _table()
    shown = [(row.measure, *["–"] * (len(HEADINGS) - 1)) if row.refused else cells(row) for row in rows]
    table.add_column(HEADINGS[0], overflow="fold")  # it gives way, a number is never cut
    for heading in HEADINGS[1:]:
        table.add_column(heading, justify="right", no_wrap=True)
    for line in shown:
        table.add_row(*line)
    refused = [f"{row.measure} is not computed: {row.refused}" for row in rows if row.refused]
    if not refused:
        return table
    grid = Table.grid()
    grid.add_row(table)
    grid.add_row(Padding(Text("\n".join(map(visible, refused))), (1, 0, 0, 0)))
    return grid


def _diagnosed(diagnosis: Diagnosis) -> list[RenderableType]:
    """Quantities and values, section by section, and each theorem in a line; all the rest is in the other reports."""
    parts: list[RenderableType] = []
    for section, members in groupby(diagnosis.rows(), key=lambda row: row.section):
        if section == "theorems":
            continue
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(max_width=QUANTITY)
        table.add_column()
        for row in members:
            name = row.quantity.lstrip()
            indent = 2 + len(row.quantity) - len(name)
            table.add_row(Padding(Text(name), (0, 0, 0, indent)), Text(f"{row.value} {row.unit}".rstrip()))
        parts += [Text(section, style="bold"), table, ""]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for theorem in diagnosis.theorems:
        if theorem.standing.value == "established":
            fails = f"does not apply: {', '.join(theorem.failing)} fail{'s' if len(theorem.failing) == 1 else ''}"
            brief = theorem.failing and theorem.theorem not in QUANTITATIVE
            table.add_row(f"  {theorem.theorem}", Text(fails if brief else theorem.consequence))
    return [*parts, Text("theorems", style="bold"), table] if diagnosis.theorems else parts


def _matrix(matrix: Matrix) -> RenderableType:
    """The matrix, in as many blocks of columns as a terminal of 80 columns needs."""
    rows, columns = (list(map(visible, titles(names))) for names in (matrix.rows, matrix.columns))
    shown = [list(map(short, values)) for values in matrix.values]
    width = max(6, *map(len, columns)) + 1
    at_once = max(1, (NARROWEST - max(map(len, rows)) - 1) // width)
    grid = Table.grid()
    for start in range(0, len(columns), at_once):
        table = _table()
        table.add_column("", overflow="fold")
        for name in columns[start : start + at_once]:
            table.add_column(Text(name), justify="right", overflow="fold")
        for name, line in zip(rows, shown, strict=True):
            table.add_row(Text(name), *line[start : start + at_once])
        grid.add_row(table)
    if matrix.refused:
        grid.add_row(_text(f"– is not computed: {matrix.refused}"))
    return grid
