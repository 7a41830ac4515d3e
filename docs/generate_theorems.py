"""Write ``docs/theorems.md`` from the catalogue and the stored certificates.

    python docs/generate_theorems.py            write the page
    python docs/generate_theorems.py --check    exit with 1 when the page is not what would be written

The page says what the code says: change a theorem's file, not the page.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

from theory.catalogue import catalogue
from theory.theorem import Construction, Theorem

PAGE = Path(__file__).with_name("theorems.md")
CERTIFICATES = Path(__file__).parents[1] / "verification" / "certificates"

HEAD = """\
# Theorems

<!-- Written by docs/generate_theorems.py from the theorem files. Change those, then run it again. -->

What the catalogue holds. A standing is what is known of a statement; what a run adds to it, and what it does not, is
said in [what a result means](explanation/what-a-result-means.md). *Needed* is an assumption without which a stored
counterexample breaks the conclusion. A *stronger conclusion* is refuted by a stored counterexample too, so that the
theorem's own is tight; *attained* is a class of maps of which every sampled element gave an instance.

*Notation.* A model gives p(y|x,S) = exp(f(x)·g(y)) / Σ exp(f(x)·g(y')), the sum over y' in the candidate set S, with
f(x) and g(y) in R^M. Two models f', g' and f\\*, g\\* share their contexts, labels and candidate sets. L is the
matrix whose columns are the differences g(y_A) - g(y_B) of the chosen label pairs, F has the f(x) as rows, and [1 | F]
is F with a column of ones before it. Where there are biases the exponent is f(x)·g(y) + b(y). Sizes are (M, K, n): M
dimensions, K labels, n contexts; theorems about representations alone make no use of K.

† marks a construction that computes one model from the other through the alignment A: it tests the arithmetic, not the
theorem.
"""


def page(theorems: Iterable[Theorem[Any]]) -> str:
    """Return the whole page as Markdown."""
    theorems = list(theorems)
    rows = [
        f"| [{t.name}](#{t.name}) | {t.standing.value} | {prose(t.indeterminacy)} | "
        f"{', '.join(f'`{s.name}`' for s in t.stronger) or '–'} |"
        for t in theorems
    ]
    head = ["| theorem | standing | indeterminacy | stronger conclusions, refuted |", "| --- | --- | --- | --- |"]
    return "\n\n".join([HEAD.rstrip(), "\n".join([*head, *rows]), *map(section, theorems)]) + "\n"


def section(theorem: Theorem[Any]) -> str:
    """Return what the page says about one theorem."""
    parts = [f"## {theorem.name}", f"{prose(theorem.title)}. Standing: **{theorem.standing.value}**."]
    parts += [f"> {prose(theorem.statement)}", *blocks(sys.modules[theorem.conclusion.__module__].__doc__)]
    return "\n\n".join([*parts, "\n".join(facts(theorem))])


def facts(theorem: Theorem[Any]) -> Iterator[str]:
    """Yield the lines of the list below the mathematics."""
    yield f"- **Reference**: {prose(str(theorem.reference))}."
    yield "- **Assumptions**:"
    for assumption in theorem.assumptions:
        needed = " (needed)" if assumption.name in theorem.needs else ""
        yield f"  - `{assumption.name}`{needed}: {prose(assumption.statement)}."
    yield f"- **Conclusion**: {joined(theorem.conclusion.__doc__)}"
    if theorem.closed_form is not None:
        yield f"- **Closed form**: {joined(theorem.closed_form.__doc__)}"
    yield f"- **Indeterminacy**: {prose(theorem.indeterminacy)}."
    if theorem.attained is not None:
        yield f"- **Attained**, by elements sampled in each run: {prose(str(theorem.attained.indeterminacy))}."
    if theorem.stronger:
        yield "- **Stronger conclusions, refuted**:"
        yield from (f"  - `{stronger.name}`: {prose(stronger.statement)}." for stronger in theorem.stronger)
    if theorem.repaired_by is not None:
        yield f"- **Repaired by**: {linked(theorem.repaired_by)}."
    yield "- **Stored counterexamples**:"
    yield from (f"  - {line}" for line in certificates(theorem))
    yield "- **Constructions that meet all assumptions**: " + constructions(theorem, broken=False) + "."
    if any(c.violates for c in theorem.constructions):
        yield "- **Constructions that break one assumption**: " + constructions(theorem, broken=True) + "."
    sizes = [f"({size.dim}, {size.labels}, {size.contexts})" for size in theorem.sizes]
    yield f"- **Sizes of generated instances**: {', '.join(sizes)}."
    if theorem.spectra is not None:
        yield f"- **Floating-point instances**: {joined(theorem.spectra.__doc__)}"
    if theorem.scope is not None:
        yield f"- **Exhaustive scope**: {prose(theorem.scope.description)}."


def constructions(theorem: Theorem[Any], broken: bool) -> str:
    """The names of the constructions that break an assumption, or of those that do not, each with its marks."""

    def shown(construction: Construction[Any]) -> str:
        mark = " †" if construction.uses_alignment else ""
        breaks = f" (breaks `{construction.violates}`)" if construction.violates else ""
        return prose(construction.name) + mark + breaks

    return "; ".join(shown(c) for c in theorem.constructions if (c.violates is not None) is broken)


def certificates(theorem: Theorem[Any]) -> list[str]:
    """One line for each stored certificate: by what it refutes, and then by size."""
    order = {about: place for place, about in enumerate(theorem.certifiable())}
    found: list[tuple[Any, ...]] = []
    for path in sorted(CERTIFICATES.glob(f"{theorem.name}--*.json")):
        data = json.loads(path.read_text("utf-8"))
        dropped, claim = data["dropped"], data["claim"]
        what = f"without `{dropped}`" if dropped else f"to `{claim}`" if claim else "to the statement"
        origin = "found by search" if data["origin"] == "search" else f"worked by hand: {prose(data['note'])}"
        size = size_of(data["instance"])
        shown = ", ".join(f"{letter} = {number}" for letter, number in size.items())
        line = f"{what}, at {shown}, {origin}: `{path.name}`"
        found.append((order.get((dropped, claim), len(order)), tuple(size.values()), path.name, line))
    return [line for *_, line in sorted(found)]


def size_of(instance: dict[str, Any]) -> dict[str, int]:
    """M, K and n of a recorded instance, read off the last model in it, or M and n off its last representations."""
    models = [part for part in instance.values() if isinstance(part, dict) and {"f", "g"} <= part.keys()]
    if models:
        return {"M": len(models[-1]["f"][0]), "K": len(models[-1]["g"]), "n": len(models[-1]["f"])}
    matrix = [part for part in instance.values() if isinstance(part, list) and part and isinstance(part[0], list)][-1]
    return {"M": len(matrix[0]), "n": len(matrix)}


def blocks(docstring: str | None) -> Iterator[str]:
    """The paragraphs of a docstring as Markdown: formulas set apart keep their lines, and so do lists."""
    for block in cleandoc(docstring or "").split("\n\n"):
        lines = [line for line in block.splitlines() if line.strip()]
        if lines and all(line.startswith("    ") for line in lines):
            yield "\n".join(["```text", *(line[4:] for line in lines), "```"])
        elif lines:
            text, *items = re.split(r"\n- ", "\n".join(lines))
            yield _line(text)
            if items:
                yield "\n".join(f"- {_line(item)}" for item in items)


def joined(docstring: str | None) -> str:
    """A docstring as one line of Markdown."""
    return _line(cleandoc(docstring or ""))


def _line(text: str) -> str:
    return prose(" ".join(text.split()))


def prose(text: str) -> str:
    """Plain text as Markdown: the star of f* and its like is no emphasis, and the name of a theorem is a link."""
    pieces = text.split("``")  # code at the odd places
    return "".join(linked(piece) if i % 2 else _escaped(piece) for i, piece in enumerate(pieces))


def linked(name: str) -> str:
    return f"[`{name}`](#{name})" if name in catalogue() else f"`{name}`"


def _escaped(text: str) -> str:
    pieces = re.split(r"(?<![^\s(])\*(?=\w)([^*]+)\*(?!\w)", text)  # emphasis at the odd places
    plain = [re.sub(r"\*|(?<!\w)_", r"\\\g<0>", piece) for piece in pieces]
    return "".join(f"*{piece}*" if i % 2 else piece for i, piece in enumerate(plain))


def main() -> int:
    parser = argparse.ArgumentParser(description="Write docs/theorems.md from the catalogue.")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    check: bool = parser.parse_args().check
    wanted = page(catalogue().values())
    if not check:
        PAGE.write_text(wanted, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text("utf-8") != wanted:
        print(f"{PAGE.name} is out of date: run python docs/generate_theorems.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
