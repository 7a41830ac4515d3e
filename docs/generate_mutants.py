"""Write ``docs/explanation/mutants.md`` from the table of mutants in ``tests/mutants``.

python docs/generate_mutants.py            write the page; takes about a minute
python docs/generate_mutants.py --check    exit with 1 when the page is not what would be written
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the tests are not installed

from generate_theorems import prose  # noqa: E402

from tests.mutants.pools import ALL, HONEST, POOLS, SCOPE  # noqa: E402
from tests.mutants.table import Row, mutant_table  # noqa: E402

PAGE = ROOT / "docs" / "explanation" / "mutants.md"

HEAD = f"""\
# Mistakes that are caught

<!-- Written by docs/generate_mutants.py from tests/mutants. Change that, then run it again. -->

A suite that passes says little until it is known to fail. So each theorem is also stated wrongly on purpose, and some
instance must refute it: then the mutant *dies*. For each mutant and each theorem that it applies to the instance is
looked for in three places.

- *{ALL}*: small instances from everything that the theorem's constructions build, M up to 2. Those that break
  an assumption on purpose are among them, as a weakened assumption shows only there.
- *{HONEST}*: the same but for the constructions that compute one model from the other through A.
- *{SCOPE}*: every instance of the theorem's small scope.

The tables give (M, K, n) of the first instance met that refutes; small ones are tried first, and `survives` says that
none does, for the reason below. Theorems that are refuted as stated are not mutated. Below each table is one of the
instances in full; `python -m tests.mutants.table` prints all. The theorem itself is never refuted by these instances.
All of this is tested: `pytest tests/mutants`.
"""


def page(rows: Iterable[Row]) -> str:
    """Return the whole page as Markdown."""
    by_mutant = [(name, list(group)) for name, group in groupby(rows, key=lambda row: row.mutant)]
    return "\n\n".join([HEAD.rstrip(), overview(by_mutant), *(section(*mutant) for mutant in by_mutant)]) + "\n"


def overview(by_mutant: list[tuple[str, list[Row]]]) -> str:
    """A line for each mutant: the mistake, and on how many theorems it is caught."""
    lines = ["| mutant | the mistake | caught on |", "| --- | --- | --- |"]
    for name, rows in by_mutant:
        caught = dict.fromkeys(row.theorem for row in rows if row.instance)
        shown = next(iter(caught)) if len(caught) == 1 else f"{len(caught)} theorems"
        lines.append(f"| {_cell(name)} | {_cell(rows[0].mistake)} | {shown} |")
    cells = {(name, row.theorem) for name, rows in by_mutant for row in rows if row.pool}
    killed = [row for _, rows in by_mutant for row in rows if row.instance]
    counts = ", ".join(f"{sum(row.pool == pool for row in killed)} among {pool}" for pool in POOLS)
    total = f"{len(by_mutant)} mutants, {len(cells)} times a mutant and a theorem that it applies to; killed {counts}."
    return "\n".join(lines) + "\n\n" + total.replace(f"among {SCOPE}", f"in the {SCOPE}")


def section(name: str, rows: list[Row]) -> str:
    """What the page says about one mutant."""
    parts = [f"## {prose(name)}", _sentence(rows[0].mistake), table(rows)]
    shown = min((row for row in rows if row.instance), key=_cost, default=None)
    if shown is not None:
        parts.append(f"On `{shown.theorem}`, {shown.pool}:\n\n```text\n{shown.instance}\n```")
    notes = list(reasons(rows))
    return "\n\n".join([*parts, "\n".join(notes)] if notes else parts)


def table(rows: list[Row]) -> str:
    """The theorems that the mutant applies to, with the size of the killing instance in each pool."""
    found = {(row.theorem, row.pool): row for row in rows if row.pool}
    lines = [f"| theorem | {' | '.join(POOLS)} |", "| --- " * (len(POOLS) + 1) + "|"]
    for theorem in dict.fromkeys(theorem for theorem, _ in found):
        sizes = (found[theorem, pool].size for pool in POOLS)
        lines.append(f"| `{theorem}` | " + " | ".join(_short(size) if size else "survives" for size in sizes) + " |")
    return "\n".join(lines)


def reasons(rows: list[Row]) -> Iterator[str]:
    """One line for each reason why no instance kills the mutant, with the theorems it holds for."""
    said: dict[str, list[str]] = {}
    for row in rows:
        if row.note and not row.note.startswith("n/a: refuted"):
            said.setdefault(row.note, []).append(f"`{row.theorem}`")
    for note, theorems in said.items():
        kind, _, reason = note.partition(": ")
        what = "Nothing to mutate in" if kind == "n/a" else "Survives on"
        yield f"- {what} {', '.join(dict.fromkeys(theorems))}: {prose(reason)}."


def _cost(row: Row) -> tuple[bool, int]:
    """Instances without alignment first, then the shortest."""
    return row.pool != HONEST, len(row.instance)


def _short(size: str) -> str:
    return "(" + ", ".join(part.partition(" = ")[2] for part in size.split(", ")) + ")"


def _sentence(text: str) -> str:
    shown = prose(text)
    return f"{shown[0].upper()}{shown[1:]}." if shown[0].islower() and shown[1].islower() else f"{shown}."


def _cell(text: str) -> str:
    return prose(text).replace("|", "\\|")


def main() -> int:
    parser = argparse.ArgumentParser(description="Write docs/explanation/mutants.md from the table of mutants.")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    check: bool = parser.parse_args().check
    wanted = page(mutant_table())
    if not check:
        PAGE.write_text(wanted, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text("utf-8") != wanted:
        print(f"{PAGE.name} is out of date: run python docs/generate_mutants.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
