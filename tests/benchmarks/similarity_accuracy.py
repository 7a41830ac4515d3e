"""Each implementation of each similarity measure on inputs with known answers.

python -m tests.benchmarks.similarity_accuracy                                     print the page
python -m tests.benchmarks.similarity_accuracy --write docs/similarity-accuracy.md

Peers that are not installed are left out; see ``peers.py``.  Takes some minutes, most of them in the references.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from empirical.similarity import linear_cka, mean_cca, pwcca, svcca
from tests.benchmarks import report
from tests.benchmarks.peers import COMPONENTS, PEERS, Array, Peer
from tests.empirical.similarity import references
from tests.empirical.similarity.cases import MAKERS, Case, case, independent

OURS = "this package"
RIGHT = 1e-3
"""Beyond this absolute error an answer counts as wrong; iterative methods are not blamed for their tolerance."""

Numbers = Callable[[Array, Array], float]


@dataclass(frozen=True)
class Measure:
    """A measure, ours and the reference's."""

    ours: Numbers
    reference: Callable[[Case], float]


MEASURES = {
    "mean CCA": Measure(lambda x, y: mean_cca(x, y).value, lambda c: c.mean_cca),
    "SVCCA, 99 %": Measure(lambda x, y: svcca(x, y).value, lambda c: references.svcca(c.x, c.y)),
    f"SVCCA, {COMPONENTS} components": Measure(
        lambda x, y: svcca(x, y, components=COMPONENTS).value,
        # Of fewer directions than that there is no such number.
        lambda c: (
            references.svcca_components(c.x, c.y, (COMPONENTS, COMPONENTS)) if min(c.ranks) >= COMPONENTS else math.nan
        ),
    ),
    "PWCCA": Measure(lambda x, y: pwcca(x, y).value, lambda c: references.pwcca(c.x, c.y, c.ranks)),
    "PWCCA, mean of both ways": Measure(
        lambda x, y: (pwcca(x, y).value + pwcca(y, x).value) / 2,
        lambda c: (references.pwcca(c.x, c.y, c.ranks) + references.pwcca(c.y, c.x, (c.ranks[1], c.ranks[0]))) / 2,
    ),
    "linear CKA": Measure(lambda x, y: linear_cka(x, y).value, lambda c: references.linear_cka(c.x, c.y)),
    "unbiased CKA": Measure(
        lambda x, y: linear_cka(x, y, unbiased=True).value, lambda c: references.unbiased_cka(c.x, c.y)
    ),
}

NOTES = {
    "mean CCA": "ecco.analysis.cca says that it averages all coefficients; it averages those that make up about 98 % "
    "of their sum (compare the formula of that name in `tests/empirical/similarity/mutants.py`).",
    "SVCCA, 99 %": "repsim's value is its mean CCA: nothing is truncated.",
    "PWCCA": "ecco has google/svcca's formula, in which the canonical directions are not whitened before the weights "
    "are taken; `test_notes.py` has it in five lines.",
    "unbiased CKA": "repsim names its estimator after Song et al. but on no input gives their estimate; by which "
    "convention it differs is not documented.",
}
"""What is known of the reason."""

VOID = {
    "independent, 130 rows of 64 and 64 columns": independent(1, 130, 64, 64),
    "independent, 100 rows of 64 and 64 columns": independent(1, 100, 64, 64),
    "independent, 50 rows of 64 and 64 columns": independent(1, 50, 64, 64),
    "one column, the same value in every row": (np.full((100, 1), 0.1), independent(2, 100, 1, 4)[1]),
    "a NaN": (np.where(np.arange(400).reshape(100, 4) == 7, np.nan, 1.0) * independent(3, 100, 4, 4)[0],) * 2,
}


@dataclass(frozen=True)
class Outcome:
    """What came of one call: a number, or none and why; and whether a warning came with it."""

    value: float | None
    reason: str = ""
    warned: bool = False


def outcome(call: Numbers, x: Array, y: Array) -> Outcome:
    """Call it.  An exception is no wrong answer, nor is NaN.  Warnings about deprecated syntax do not count."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = call(x.copy(), y.copy())
        except Exception as error:  # whatever a peer raises
            return Outcome(None, f"{type(error).__name__}: {error}")
    warned = any(not issubclass(w.category, (DeprecationWarning, FutureWarning)) for w in caught)
    return Outcome(value, warned=warned) if math.isfinite(value) else Outcome(None, "NaN")


def cell(found: Outcome, truth: float) -> str:
    """The absolute error, in bold if it is large and nothing says so."""
    if found.value is None:
        return "NaN" if found.reason == "NaN" else "raises"
    error = abs(found.value - truth)
    text = "0" if error == 0 else f"{error:.0e}".replace("e-0", "e-").replace("e+0", "e")
    if error <= RIGHT:
        return text
    return f"{text}, warns" if found.warned else f"**{text}**"


def implementations(measure: str, peers: Sequence[Peer]) -> dict[str, Numbers]:
    """Ours first."""
    return {OURS: MEASURES[measure].ours} | {p.name: p.call for p in peers if p.measure == measure}


def section(measure: str, cases: Sequence[Case], peers: Sequence[Peer]) -> str:
    """The table of one measure with its sums; who has no number to show is named below it."""
    truths = {each.name: MEASURES[measure].reference(each) for each in cases}
    defined = [each for each in cases if math.isfinite(truths[each.name])]
    columns: dict[str, list[str]] = {}
    below: list[str] = []
    for name, call in implementations(measure, peers).items():
        found = [outcome(call, each.x, each.y) for each in defined]
        if all(one.value is None for one in found):
            below.append(f"{name} gives no number on any of them: {found[0].reason[:200]}")
            continue
        cells = [cell(one, truths[each.name]) for one, each in zip(found, defined, strict=True)]
        wrong = sum("**" in text for text in cells)
        none = sum(one.value is None or "warns" in text for one, text in zip(found, cells, strict=True))
        columns[name] = [*cells, f"{len(cells) - wrong - none} / {wrong} / {none}"]
    firsts = [[each.name, f"{truths[each.name]:.6f}"] for each in defined]
    firsts.append(["right / silently wrong / raises, NaN or warns", ""])
    notes = [NOTES[measure]] if peers and measure in NOTES else []
    rows = [[*first, *cells] for first, *cells in zip(firsts, *columns.values(), strict=True)]
    return "\n\n".join([f"## {measure}", report.table(["input", "true value", *columns], rows), *below, *notes])


def void_section(peers: Sequence[Peer]) -> str:
    """What each says about inputs on which mean CCA says nothing."""
    calls = implementations("mean CCA", peers)
    rows, said = [], []
    for name, (x, y) in VOID.items():
        found = {who: outcome(call, x, y) for who, call in calls.items()}
        rows.append([name, *(_shown(one) for one in found.values())])
        ours = found[OURS]
        said.append(f"- {name}: {ours.reason if ours.value is None else '; '.join(mean_cca(x, y).warnings)}")
    return "\n\n".join(
        [
            "## Inputs that carry no evidence (mean CCA)",
            "The first has more rows than both widths together, so the number exists: it is what independent noise "
            "gives at that size. The others have no answer worth the name.",
            report.table(["input", *calls], rows),
            f"What {OURS} says:",
            "\n".join(said),
        ]
    )


def _shown(found: Outcome) -> str:
    if found.value is None:
        return "NaN" if found.reason == "NaN" else "raises"
    return f"{found.value:.3f}, warns" if found.warned else f"{found.value:.3f}"


HEAD = """\
# Accuracy of the similarity measures

<!-- Written by `python -m tests.benchmarks.similarity_accuracy --write docs/similarity-accuracy.md`. -->

Absolute errors on inputs with {rows:,} rows and {columns} columns whose canonical correlations are known by
construction, in float64 unless the row says float32. Each side is an orthonormal basis times an invertible map of the
named condition; the reference is Gram-Schmidt in {digits}-bit long double on the inputs as rounded, with the rank that
they were built with.

**Bold**: off by more than {right:g} with neither an error nor a warning. *raises*: an error instead of a number.
*warns*: off, with a Python warning. Each package is called as its documentation says and held to the convention that it
documents; `tests/benchmarks/peers.py` has the calls, and says what could not be installed.

{machine}. {versions}."""


def page(rows: int, columns: int, peers: Sequence[Peer]) -> str:
    """The whole page."""
    cases = [case(name, rows, columns) for name in MAKERS]
    head = HEAD.format(
        rows=rows,
        columns=columns,
        digits=np.finfo(np.longdouble).nmant + 1,
        right=RIGHT,
        machine=report.machine(),
        versions=report.versions(["numpy", "scipy", *dict.fromkeys(p.distribution for p in peers)]),
    )
    return "\n\n".join([head, *(section(m, cases, peers) for m in MEASURES), void_section(peers)]) + "\n"


def main() -> None:
    """Print or write the page."""
    parser = argparse.ArgumentParser(description="Write the table of errors of each similarity implementation.")
    parser.add_argument("--write", metavar="PATH", help="write the page there instead of printing it")
    parser.add_argument("--rows", type=int, default=1_000)
    parser.add_argument("--columns", type=int, default=32)
    options = parser.parse_args()
    report.publish(page(options.rows, options.columns, [p for p in PEERS if p.installed]), options.write)


if __name__ == "__main__":
    main()
