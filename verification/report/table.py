"""The summary table, readable in a terminal and in a paper's appendix."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table

from verification.results import Replayed, Result

WIDEST = 400

LEGEND = (
    "holds on: of the generated instances, those that meet all assumptions and on which the conclusion holds.\n"
    "exhaustive: the same, of all instances of the theorem's small scope that meet all assumptions.\n"
    "floating: the same, of floating-point instances of condition number 1 to 1e12; on the others rounding hides the\n"
    "answer.\n"
    "worst ratio: largest error/bound of a conclusion; 'exact' where there is no bound to compare with.\n"
    "counterexample: the smallest stored one without that assumption, to a stronger conclusion ('not …') or to the\n"
    "statement as stated; replayed in this run."
)


def summary(results: Sequence[Result]) -> str:
    """Return the table of a run as text, as wide as it needs to be, with its legend."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for heading in ("theorem", "standing"):
        table.add_column(heading, no_wrap=True)
    for heading in ("holds on", "exhaustive", "floating", "undecided", "worst ratio"):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in ("counterexample", "decided"):
        table.add_column(heading, no_wrap=True)
    for result in results:
        table.add_row(
            result.name,
            result.standing if result.confirmed else "NOT CONFIRMED",
            f"{result.generated.holds:,} of {result.generated.looked_at:,}",
            "–" if result.scope is None else f"{result.scope.holds:,} of {result.scope.reached:,}",
            _floating(result),
            f"{result.generated.undecided:,}",
            _ratio(result),
            "",
            "",
        )
        for what, size, decided in _counterexamples(result):
            table.add_row(f"  {what}", "", "", "", "", "", "", size, decided)
    out = StringIO()
    Console(file=out, width=WIDEST, color_system=None, force_terminal=False, legacy_windows=False, _environ={}).print(
        table
    )
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "\n".join([*lines, "", LEGEND, _closing(results)])


def _floating(result: Result) -> str:
    counts = result.floating.values()
    return f"{sum(c.holds for c in counts):,} of {sum(c.looked_at for c in counts):,}" if counts else "–"


def _ratio(result: Result) -> str:
    """The largest error/bound met, in exact arithmetic or floating point."""
    if not result.generated.reached:
        return "–"
    found = [c.ratios["max"] for c in (result.generated, result.scope, *result.floating.values()) if c and c.ratios]
    return f"{max(found):.3g}" if found else "exact"


def _counterexamples(result: Result) -> list[tuple[str, str, str]]:
    """For each dropped assumption or stronger conclusion its smallest counterexample, in the theorem's order."""
    smallest: dict[str, Replayed] = {}
    for replayed in result.certificates:
        what = "as stated"
        if replayed.dropped or replayed.claim:
            what = f"without {replayed.dropped}" if replayed.dropped else f"not {replayed.claim}"
        best = smallest.get(what)
        if not replayed.problems and (best is None or _order(replayed) < _order(best)):
            smallest[what] = replayed
    return [(what, replayed.size, replayed.decided) for what, replayed in smallest.items()]


def _order(replayed: Replayed) -> tuple[int, ...]:
    return tuple(int(part.partition("=")[2] or 0) for part in replayed.size.split())


def _closing(results: Sequence[Result]) -> str:
    confirmed = sum(result.confirmed for result in results)
    generated = sum(result.generated.looked_at for result in results)
    exhaustive = sum(result.scope.looked_at for result in results if result.scope is not None)
    return (
        f"{confirmed} of {len(results)} standings confirmed on {generated:,} generated instances and "
        f"{exhaustive:,} instances looked at exhaustively. Evidence on these instances, not a proof."
    )
