"""``python -m verification replay CERTIFICATE…``: re-check counterexamples with SymPy, FLINT and Hypothesis blocked.

Exit codes: 0 every certificate accepted, 1 some rejected, 2 bad input (a file that is not a certificate).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

ACCEPTED, REJECTED, BAD_INPUT = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m verification", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("replay", help="re-check certificates without the software that found them")
    command.add_argument("certificates", nargs="+", type=Path, metavar="CERTIFICATE")
    options = parser.parse_args(arguments)
    return _replay(options.certificates)


def _replay(paths: Sequence[Path]) -> int:
    from verification.independence import block

    block("flint", "hypothesis")
    from theory.arithmetic.symbolic import kernel
    from theory.catalogue import catalogue
    from verification.certificates import UnreadableCertificate, load
    from verification.replay import replay

    accepted = rejected = unreadable = 0
    for path in paths:
        try:
            result = replay(load(path), catalogue())
        except UnreadableCertificate as error:
            print(f"refused   {error}", file=sys.stderr)
            unreadable += 1
            continue
        accepted, rejected = accepted + result.accepted, rejected + (not result.accepted)
        print(f"{'accepted' if result.accepted else 'rejected'}  {path}")
        for problem in result.problems:
            print(f"          {problem}")
    print(f"{accepted} accepted, {rejected} rejected, {unreadable} refused; {kernel()}, FLINT and Hypothesis blocked")
    return BAD_INPUT if unreadable else REJECTED if rejected else ACCEPTED


if __name__ == "__main__":
    sys.exit(main())
