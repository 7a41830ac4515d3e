"""The catalogue in the terminal, and a new theorem file.

python -m theory list         every theorem with its standing
python -m theory show NAME    one theorem: statement, reference, assumptions, standing, certificates, BibTeX
python -m theory new NAME     write NAME.py, a commented theorem file that runs

The catalogue includes what installed packages register.  Exit codes: 0 done, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from theory.catalogue import catalogue, find
from theory.loading import BadTheorem, load_entry_points
from theory.references import bibtex
from theory.template import TEMPLATE
from theory.terminal import Unwritable, any_encoding, say
from theory.theorem import Theorem

DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m theory", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="every theorem with its standing")
    command = commands.add_parser("show", help="one theorem in full")
    command.add_argument("name", metavar="NAME")
    command = commands.add_parser("new", help="write NAME.py, a commented theorem file that runs")
    command.add_argument("name", metavar="NAME", help="letters, digits and underscores")
    any_encoding()
    options = parser.parse_args(arguments)
    try:
        if options.command == "list":
            say(_listed())
        elif options.command == "show":
            say(_shown(_found(options.name)))
        else:
            say(_written(options.name))
    except (BadTheorem, _Refused, Unwritable) as error:
        print(f"error: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    return DONE


class _Refused(Exception):
    """Bad input; the message says what and what to do."""


def _listed() -> str:
    every = {**catalogue(), **load_entry_points()}
    width = max(map(len, every)) + 2
    return "\n".join(f"{t.name:<{width}}{t.standing.value:<20}{t.title}" for t in every.values())


def _found(name: str) -> Theorem[Any]:
    registered = {} if name in catalogue() else load_entry_points()
    try:
        return registered.get(name) or find(name)
    except KeyError as error:
        raise _Refused(error.args[0]) from None


def _shown(theorem: Theorem[Any]) -> str:
    lines = [f"{theorem.name}: {theorem.title}", f"  {theorem.statement}", "", f"standing: {theorem.standing.value}"]
    if theorem.repaired_by:
        lines.append(f"repaired by: {theorem.repaired_by}")
    lines += [f"reference: {theorem.reference}", f"indeterminacy: {theorem.indeterminacy}", "", "assumptions:"]
    for assumption in theorem.assumptions:
        needed = "needed" if assumption.name in theorem.needs else "no counterexample without it is claimed"
        lines.append(f"  {assumption.name}: {assumption.statement} ({needed})")
    if theorem.stronger:
        lines += ["", "stronger conclusions that are refuted:"]
        lines += [f"  {stronger.name}: {stronger.statement}" for stronger in theorem.stronger]
    certificates = _certificates(theorem.name)
    if certificates:
        lines += ["", "certificates:", *(f"  {line}" for line in certificates)]
    return "\n".join([*lines, "", bibtex(theorem.reference)])


def _certificates(name: str) -> list[str]:
    """The stored certificates of a theorem, read as data from the verification package where it is installed."""
    spec = find_spec("verification")
    folders = [] if spec is None else [Path(place) / "certificates" for place in spec.submodule_search_locations or ()]
    found: list[str] = []
    for path in sorted(path for folder in folders for path in folder.glob(f"{name}--*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        found.append(f"{path.name}: {data['note']}")
    return found


def _written(name: str) -> str:
    if not name.isidentifier():
        raise _Refused(f"{name!r} cannot name a theorem: use letters, digits and underscores, such as my_theorem")
    if name in catalogue():
        raise _Refused(f"the name {name!r} is taken by a theorem of the catalogue; choose another")
    path = Path(f"{name}.py")
    try:
        if path.exists():
            raise _Refused(f"there is a {path} already, which is left as it is; choose another name")
        if find_spec(name) is not None:
            raise _Refused(f"{name!r} is a Python module, which {path} would hide; choose another name")
        with path.open("x", encoding="utf-8") as file:  # never overwrites
            file.write(TEMPLATE.replace("my_theorem", name))
    except OSError as error:
        raise _Refused(f"{path} could not be written in {Path.cwd()}: {error.strerror or error}") from None
    return f"wrote {path}; try: python -m verification refute {path}"


if __name__ == "__main__":
    sys.exit(main())
