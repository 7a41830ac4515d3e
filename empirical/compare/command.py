"""``python -m empirical compare``: how far the representations of two or more models are linearly equivalent."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from empirical.compare.characters import visible
from empirical.compare.results import Options
from empirical.compare.run import compare
from empirical.compare.table import rendered
from empirical.errors import InputError
from empirical.writing import check_writable, write_atomically
from theory.terminal import any_encoding, say

if TYPE_CHECKING:
    from empirical.compare.results import Comparison

DESCRIPTION = """\
Compare the representations of two or more models on the same inputs.

Each side is FILE or FILE:f=NAME,g=NAME,bias=NAME,labels=NAME, and FILE ends in .npy, .npz, .safetensors, .h5 or .hdf5.
f is (rows, dimensions), and row i of every side must come from the same input i. g, the label vectors, is (labels,
dimensions); bias is (labels,). Without names the arrays f, g and bias are taken; NAME.T is the transpose of NAME. Where
all sides have g, theory says what the distances between the distributions imply for f. A pattern, such as
FILE:f='layer.*', compares every layer of one side with every layer of the others.
"""

MOST_RESAMPLES = 10**6  # beyond, they alone take gigabytes

EPILOGUE = """\
Exit codes: 0 compared, whatever the outcome; 2 bad input; 130 interrupted.
"""


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code.  Raises ``InputError`` for bad input."""
    options = _parser().parse_args(arguments)
    try:
        comparison = _compared(options)
    except InputError as error:
        raise InputError(visible(str(error))) from error
    _say(comparison)  # last: a reader that has seen enough, or a full disk, loses no report
    return 0


def _compared(options: argparse.Namespace) -> Comparison:
    """The comparison, its reports written."""
    if len(options.sides) < 2:
        raise InputError("name two sides or more, such as: compare first.npz second.npz")
    writers = [_writer(path) for path in options.report]
    targets = [check_writable(path) for path in options.report]
    names = tuple(str(path) for path in options.label_names)
    chosen = Options(options.seed, options.variance, options.resamples, options.groups, names)
    comparison = compare(options.sides, chosen)
    for target, write in zip(targets, writers, strict=True):
        write_atomically(target, write(comparison))
    return comparison


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m empirical compare",
        description=DESCRIPTION,
        epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sides", nargs="+", metavar="SIDE", help="FILE or FILE:f=NAME,g=NAME,bias=NAME,labels=NAME")
    parser.add_argument(
        "--report",
        action="append",
        type=Path,
        default=[],
        metavar="FILE",
        help=f"write the comparison to FILE, which ends in {', '.join(_WRITERS)}; may be given several times",
    )
    parser.add_argument(
        "--label-names",
        action="append",
        type=Path,
        default=[],
        metavar="FILE",
        help="the labels in the order of g, one a line: once for each side, or once with tab-separated columns",
    )
    parser.add_argument(
        "--groups",
        default="",
        metavar="NAME_OR_FILE",
        help="the group of each row, from an array of a side's file, a .npy file or a text file of one a line; rows of "
        "one group are never split between the rows that are fitted and those that are held out",
    )
    parser.add_argument("--seed", type=_whole, default=0, metavar="S", help="of the halves and resamples (default 0)")
    parser.add_argument(
        "--variance", type=_share, default=0.99, metavar="V", help="the share of variance that SVCCA keeps (0.99)"
    )
    parser.add_argument(
        "--resamples", type=_resamples, default=499, metavar="N", help="bootstrap resamples and permutations (499)"
    )
    return parser


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0, such as 0")
    return int(text)


def _resamples(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:9]) < 20:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 20, such as 1000")
    if len(text) > 9 or int(text) > MOST_RESAMPLES:
        raise argparse.ArgumentTypeError(f"{text!r} is more than {MOST_RESAMPLES}, the most that are drawn")
    return int(text)


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share above 0 and up to 1, such as 0.99")
    return value


def _say(comparison: Comparison) -> None:
    any_encoding()
    say(rendered(comparison, Console(soft_wrap=False, legacy_windows=False)).removesuffix("\n"))


def _as_json(comparison: Comparison) -> bytes:
    from empirical.compare.document import as_json

    return as_json(comparison).encode("utf-8")


def _as_html(comparison: Comparison) -> bytes:
    from empirical.compare.page import as_html

    return as_html(comparison).encode("utf-8")


def _as_png(comparison: Comparison) -> bytes:
    from empirical.compare.figures import as_png

    return as_png(comparison)


def _as_latex(comparison: Comparison) -> bytes:
    from empirical.compare.latex import as_latex

    return as_latex(comparison).encode("utf-8")


#: How a report is written, by the ending of its file.  Each imports what only it needs.
_WRITERS: dict[str, Callable[[Comparison], bytes]] = {
    ".json": _as_json,
    ".html": _as_html,
    ".png": _as_png,
    ".tex": _as_latex,
}


def _writer(path: Path) -> Callable[[Comparison], bytes]:
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        ending = f"the ending {path.suffix!r}" if path.suffix else "no ending"
        raise InputError(f"--report {path} has {ending}: a report ends in {', '.join(_WRITERS)}")
    return writer
