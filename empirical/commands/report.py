"""Show what runs found: a table of predictions with their outcomes, figures, JSON and LaTeX rows.

python -m empirical report DIR [DIR ...] [--out FOLDER]

Reads the run folders only; nothing is trained.  Judges the samples of each run anew, and refuses a run whose files do
not agree.  Writes report.json, report.tex and the figures (PNG and SVG) into FOLDER, by default the folder report/
inside the first run.  Exit codes: 0 done, 2 bad input.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from empirical.errors import InputError
from empirical.reporting import checked, tables
from empirical.writing import write_atomically
from theory.terminal import any_encoding, say

BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m empirical report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="DIR", help="run folders")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the files go")
    options = parser.parse_args(arguments)
    try:
        outcomes = [checked.read(run) for run in _distinct(options.runs)]
        written = _write(outcomes, options.out or options.runs[0] / "report")
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return BAD_INPUT
    show(outcomes, "\n".join(["", "written:", *(f"  {path}" for path in written)]))
    return 0


def show(outcomes: Sequence[dict[str, Any]], last: str) -> None:
    """Print the tables of some outcomes, and a last line.  No error where a reader such as `head` has seen enough."""
    terminal = Console()
    # A file has no width; a narrow default would fold every cell.  Rich itself is not to write: `say` knows what to do
    # where the stream breaks.
    width = terminal.width if terminal.is_terminal else 200
    text = io.StringIO()
    console = Console(file=text, width=width, force_terminal=terminal.is_terminal)
    for outcome in outcomes:
        console.print(tables.predictions(outcome))
        console.print(tables.points(outcome))
        for remark in tables.remarks(outcome):
            console.print(remark, markup=False, highlight=False, soft_wrap=True)
    console.print(last, markup=False, highlight=False, soft_wrap=True)
    any_encoding()
    say(text.getvalue().removesuffix("\n"))


def _distinct(runs: Sequence[Path]) -> Sequence[Path]:
    for i, run in enumerate(runs):
        if run.resolve() in [other.resolve() for other in runs[:i]]:
            raise InputError(f"{run} is named twice")
    return runs


def _write(outcomes: Sequence[dict[str, Any]], out: Path) -> list[Path]:
    from empirical.reporting import figures

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {out} cannot be made: {error.strerror or error}") from error
    written = [out / "report.json", out / "report.tex"]
    write_atomically(written[0], (json.dumps(list(outcomes), indent=1, ensure_ascii=False) + "\n").encode())
    write_atomically(written[1], "\n".join(map(tables.latex, outcomes)).encode())
    names = [outcome["experiment"] for outcome in outcomes]
    for number, (name, outcome) in enumerate(zip(names, outcomes, strict=True), start=1):
        written += figures.draw(out, name if names.count(name) == 1 else f"{name}-{number}", outcome)
    return written


if __name__ == "__main__":
    sys.exit(main())
