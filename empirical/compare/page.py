"""The comparison as one self-contained HTML page."""

from __future__ import annotations

import base64
from dataclasses import asdict
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from empirical.compare import table
from empirical.compare.characters import visible
from empirical.compare.document import PACKAGES, inputs
from empirical.compare.figures import as_png
from empirical.compare.numbers import short
from empirical.compare.results import Comparison, PairResult
from theory.versions import versions


def as_html(comparison: Comparison) -> str:
    """The page, with its figures inside it.  Names from files are escaped."""
    environment = Environment(
        loader=PackageLoader("empirical.compare", "."), autoescape=True, undefined=StrictUndefined, finalize=_shown
    )
    sides = dict.fromkeys(model.letter for model in comparison.models)
    rows = [row for pair in comparison.pairs for row in pair.rows if row.convention]
    return environment.get_template("page.html").render(
        title=f"Comparison of {' and '.join(sides)}",
        sentence=comparison.sentence,
        inputs=inputs(comparison),
        notes=[*comparison.notes, *([table.LEGEND] if comparison.pairs else [])],
        headings=table.HEADINGS,
        matrices=[
            {**asdict(matrix), "heading": matrix.heading, "cells": [list(map(short, row)) for row in matrix.values]}
            for matrix in comparison.matrices
        ],
        pairs=[_pair(pair) for pair in comparison.pairs],
        conventions=list(dict.fromkeys((row.measure, row.convention, row.invariance) for row in rows)),
        figures=[base64.b64encode(as_png(comparison)).decode("ascii")],
        versions=versions(PACKAGES),
        options={name: value for name, value in asdict(comparison.options).items() if value not in ("", ())},
    )


def _shown(value: object) -> object:
    """Text line by line without what cannot be seen."""
    return "\n".join(map(visible, value.split("\n"))) if isinstance(value, str) else value


def _pair(pair: PairResult) -> dict[str, Any]:
    return {
        "names": pair.names,
        "sentence": pair.sentence,
        "rows": [{"measure": row.measure, "refused": row.refused, "cells": table.cells(row)} for row in pair.rows],
        "remarks": [*table.ranks(pair), *table.warnings(pair, pair.rows)],
        "diagnosis": None if pair.diagnosis is None else pair.diagnosis.table(),
    }
