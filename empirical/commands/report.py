"""Show what runs found: a table of predictions with their outcomes, figures, JSON and LaTeX rows.

python -m empirical report DIR [DIR ...] [--out FOLDER]

Reads the run folders only; nothing is trained.  Writes report.json, report.tex and the figures (PNG and SVG) into
FOLDER, by default the folder report/ inside the first run.  Exit codes: 0 done, 2 bad input.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from empirical.engine.run_folder import RunFolder
from empirical.errors import InputError
from empirical.reporting import tables
from empirical.writing import write_atomically

BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m empirical report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="DIR", help="run folders")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the files go")
    options = parser.parse_args(arguments)
    try:
        outcomes = show(options.runs)
        _write(outcomes, options.out or options.runs[0] / "report")
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return BAD_INPUT
    return 0


def show(runs: Sequence[Path]) -> list[dict[str, Any]]:
    """Print the tables of some runs, and return their outcomes.  Raises ``InputError`` for what is no finished run."""
    outcomes = [_outcome(run) for run in runs]
    console = Console()
    if not console.is_terminal:
        console.width = 200  # a file has no width; a narrow default would fold every cell
    for outcome in outcomes:
        console.print(tables.predictions(outcome))
        console.print(tables.points(outcome))
        for remark in tables.remarks(outcome):
            console.print(remark, markup=False, highlight=False, soft_wrap=True)
    return outcomes


def _outcome(run: Path) -> dict[str, Any]:
    if not run.is_dir():
        raise InputError(f"there is no folder {run}: name a run folder, such as runs/simulated_classification-laptop")
    if not (run / "outcome.json").exists():
        unfinished = (run / "config.json").exists()
        raise InputError(
            f"the run in {run} is not finished: go on with --resume" if unfinished else f"{run} holds no run"
        )
    return RunFolder(run).read_json("outcome.json")


def _write(outcomes: Sequence[dict[str, Any]], out: Path) -> None:
    from empirical.reporting import figures

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {out} cannot be made: {error.strerror or error}") from error
    written = [out / "report.json", out / "report.tex"]
    write_atomically(written[0], (json.dumps(list(outcomes), indent=1, ensure_ascii=False) + "\n").encode())
    write_atomically(written[1], "\n".join(map(tables.latex, outcomes)).encode())
    for outcome in outcomes:
        written += figures.draw(out, outcome)
    print("\n".join(["", "written:", *(f"  {path}" for path in written)]))


if __name__ == "__main__":
    sys.exit(main())
