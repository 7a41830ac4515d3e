"""Re-check certificates, or examine a conjecture of your own.

python -m verification replay CERTIFICATE…    re-check counterexamples with SymPy; FLINT and Hypothesis are blocked
python -m verification refute FILE            look for a counterexample to the THEOREM that FILE defines

Exit codes: 0 accepted, or not falsified; 1 a certificate is rejected, or a counterexample was found; 2 bad input;
3 no witness meets the assumptions, or too few instances do; 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from theory.terminal import Unwritable, any_encoding, say

ACCEPTED, REJECTED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m verification", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("replay", help="re-check certificates without the software that found them")
    command.add_argument("certificates", nargs="+", type=Path, metavar="CERTIFICATE")
    command.add_argument(
        "--theorems", action="append", type=Path, default=[], metavar="FILE", help="a file that defines the theorem"
    )
    command = commands.add_parser("refute", help="look for a counterexample to a conjecture")
    command.add_argument("file", type=Path, metavar="FILE", help="a Python file that defines THEOREM")
    command.add_argument("--instances", type=_positive, default=1000, metavar="N", help="how many (default 1000)")
    command.add_argument("--seed", type=_whole, default=0, metavar="S", help="of the search (default 0)")
    command.add_argument(
        "--certificates", type=Path, metavar="DIR", help="where to write certificates (default: beside FILE)"
    )
    any_encoding()
    options = parser.parse_args(arguments)
    try:
        if options.command == "replay":
            return _replay(options.certificates, options.theorems)
        from verification.budget import interruptible

        with interruptible() as interrupted:
            code = _refute(options.file, options.instances, options.seed, options.certificates, interrupted.is_set)
            if interrupted.is_set():  # and swallowed on its way here
                raise KeyboardInterrupt
            return code
    except Unwritable as error:
        return _bad(str(error))
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number, such as 1000")
    return int(text)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, such as 0") from None


def _replay(paths: Sequence[Path], files: Sequence[Path]) -> int:
    from verification.independence import block

    block("flint", "hypothesis")
    from theory.arithmetic.symbolic import kernel
    from theory.catalogue import catalogue
    from theory.loading import BadTheorem, load_entry_points, load_file
    from verification.budget import OutOfTime, limit
    from verification.certificates import UnreadableCertificate, load
    from verification.replay import replay

    try:
        with limit("loading the theorems"):
            theorems = {**catalogue(), **load_entry_points(), **{t.name: t for t in map(load_file, files)}}
    except (BadTheorem, OutOfTime) as error:
        return _bad(str(error))
    accepted = rejected = unreadable = 0
    for path in paths:
        try:
            result = replay(load(path), theorems)
        except UnreadableCertificate as error:
            print(f"refused   {error}", file=sys.stderr)
            unreadable += 1
            continue
        accepted, rejected = accepted + result.accepted, rejected + (not result.accepted)
        how = "" if result.exact else "  (in floating point)"
        say(f"{'accepted' if result.accepted else 'rejected'}  {path}{how}")
        for problem in result.problems:
            say(f"          {problem}")
    say(f"{accepted} accepted, {rejected} rejected, {unreadable} refused; {kernel()}, FLINT and Hypothesis blocked")
    return BAD_INPUT if unreadable else REJECTED if rejected else ACCEPTED


def _refute(file: Path, instances: int, seed: int, folder: Path | None, interrupted: Callable[[], bool]) -> int:
    from theory.files import check_folder
    from theory.loading import BadTheorem, load_file
    from theory.places import line_in
    from theory.theorem import PredicateError
    from verification.budget import OutOfTime, limit
    from verification.refute import COUNTEREXAMPLE, refute, stale_ones

    where = file.parent if folder is None else folder
    try:
        check_folder(where)
    except OSError as error:
        return _bad(f"certificates cannot be written to {where}: {error}; name a folder with --certificates")
    _warn_once()
    try:
        with limit(f"{file}: loading it"):
            theorem = load_file(file)
        report = refute(theorem, instances, seed)
    except (BadTheorem, PredicateError, OutOfTime) as error:
        if interrupted():
            raise KeyboardInterrupt from error
        return _bad(str(error))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: it would end the run as if nothing had been found
        if interrupted():
            raise KeyboardInterrupt from error
        line = line_in(file, error)
        whose = "its own code" if line else "no code of this file, but of the suite or what it uses,"
        return _bad(f"{file}{line}: {whose} raised {type(error).__name__}: {error}")
    report.rehearse(file)
    try:
        paths = [certificate.save(where) for certificate in report.certificates]
    except OSError as error:
        say(report.text)
        return _bad(f"the certificate could not be written to {where}: {error.strerror or error}")
    if len(paths) == 1:
        report.add("", f"certificate: {paths[0]}")
    elif paths:
        report.add("", f"{len(paths)} certificates written to {where}{os.sep}")
    if paths:
        every = _quoted(paths[0]) if len(paths) == 1 else f"{_quoted(where / theorem.name)}--*.json"
        report.add(f"re-check with: python -m verification replay {every} --theorems {_quoted(file)}")
    if report.code != COUNTEREXAMPLE:
        report.add(*(f"no certificate {name}: {problem}" for name, problem in report.uncertified.items()))
    report.add(*(f"note: {path} is about an earlier wording: delete it" for path in stale_ones(theorem, where)))
    say(report.text)
    if report.code == COUNTEREXAMPLE and report.uncertified:
        return _bad(
            f"no certificate was written, since no replay would accept it: {'; '.join(report.uncertified.values())}"
        )
    return report.code


def _warn_once() -> None:
    """Show each warning of somebody's code once, and not again for each instance."""
    show, shown = warnings.showwarning, set[str]()

    def first(message: Warning | str, category: type[Warning], filename: str, lineno: int, *more: Any) -> None:
        key = f"{filename}:{lineno}: {category.__name__}: {message}"
        if key not in shown:
            shown.add(key)
            show(message, category, filename, lineno, *more)

    warnings.showwarning = first


def _quoted(path: Path) -> str:
    """A path as a shell takes it."""
    return shlex.quote(str(path))


def _bad(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return BAD_INPUT


if __name__ == "__main__":
    with ExitStack() as stack:
        home = os.devnull  # where a full disk has no room for a folder, nothing is stored
        with suppress(OSError):
            home = stack.enter_context(TemporaryDirectory(prefix="hypothesis-", ignore_cleanup_errors=True))
        os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", home)  # no .hypothesis beside somebody's file
        code = main()
    sys.exit(code)
