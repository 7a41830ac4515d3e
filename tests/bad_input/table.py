"""Runs every row of bad input and writes what was said into docs/reference/bad-input.md.

python -m tests.bad_input.table            print the page
python -m tests.bad_input.table --write    write it
python -m tests.bad_input.table --check    exit with 1 where the page is not what it would write
"""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from tests.bad_input.every import ROWS
from tests.bad_input.rows import Row
from tests.verification.running import ROOT, run

PAGE = ROOT / "docs" / "reference" / "bad-input.md"
#: Seconds that one instance may take here; 10 outside of these tests.
SECONDS = 1.0
#: A plugin that makes a run of pytest cheap; two seconds, since its first instance waits for Hypothesis.
_PLUGIN = f"""
import verification.budget
from verification.profiles import PROFILES, Profile

verification.budget.BUDGET = {2 * SECONDS}
PROFILES["quick"] = Profile("quick", instances=12, max_dim=2, seed=0)
"""
_IMPORTS = (
    "from theory import Model, ModelPair, Size, check, find\n"
    "from theory.arithmetic import exact_matrix\n"
    "from verification.search import search\n"
)


@dataclass(frozen=True)
class Said:
    """What a row did: exit code or exception, all it printed, the message as documented, and the files it changed."""

    row: Row
    code: int | str
    output: str
    message: str
    changed: tuple[str, ...] = ()


def run_all(rows: Iterable[Row], folder: Path) -> list[Said]:
    """Run rows in folders of their own below ``folder``: processes side by side, and the rest in this one."""
    with ThreadPoolExecutor(2) as pool:
        waiting: list[tuple[Row, Path, Future[Said] | None]] = []
        for k, row in enumerate(rows):
            place = folder / str(k)
            place.mkdir()
            row.prepare(place)
            waiting.append((row, place, pool.submit(_in_a_process, row, place) if _needs_a_process(row) else None))
        return [_here(row, place) if future is None else future.result() for row, place, future in waiting]


def _needs_a_process(row: Row) -> bool:
    """Pytest has one; a replay blocks what this process has loaded; JAX takes its devices once."""
    return (row.command.startswith(("pytest", "verification replay")) or row.apart) and not row.is_python


def _in_a_process(row: Row, folder: Path) -> Said:
    arguments = shlex.split(row.command)
    if arguments[0] == "pytest":
        (folder / "short.py").write_text(_PLUGIN, encoding="utf-8")
        arguments[1:1] = ["-p", "short", "-q", "-p", "no:cacheprovider"]
    done = run("-m", *arguments, cwd=folder, path=folder)
    return _said(row, folder, done.returncode, done.stdout, done.stderr)


def _here(row: Row, folder: Path) -> Said:
    out, err = io.StringIO(), io.StringIO()
    before = _files(folder)
    with (
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch("verification.budget.BUDGET", SECONDS),
    ):
        code = _raised(row.command, err) if row.is_python else _main(shlex.split(row.command))
    changed = tuple(str(path) for path in sorted(before.items() ^ _files(folder).items()))
    return replace(_said(row, folder, code, out.getvalue(), err.getvalue()), changed=changed)


def _files(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def _raised(source: str, err: io.StringIO) -> str:
    try:
        exec(_IMPORTS + source, {})
    except Exception as error:
        text = error.args[0] if isinstance(error, KeyError) else error
        err.write(f"{type(error).__name__}: {text}\n")
        return type(error).__name__
    return "nothing"


def _main(arguments: list[str]) -> int:
    from empirical.__main__ import main as empirical
    from theory.__main__ import main as theory
    from verification.__main__ import main as verification

    try:
        commands = {"theory": theory, "verification": verification, "empirical": empirical}
        return commands[arguments[0]](arguments[1:])
    except SystemExit as left:  # argparse
        return int(left.code or 0)


def _said(row: Row, folder: Path, code: int | str, out: str, err: str) -> Said:
    out, err = (text.replace(f"{folder}/", "").replace(str(folder), ".") for text in (out, err))
    return Said(row, code, out + err, _message(row, out, err))


def _message(row: Row, out: str, err: str) -> str:
    """What a person reads: the errors, else what pytest says of the failure, else the last lines printed."""
    lines = [line for line in err.splitlines() if line and not line.startswith(("usage:", " "))]
    if row.command.startswith("pytest"):
        lines = _of_pytest(out, err)
    elif not lines:
        lines = [line for line in out.splitlines() if line.strip()]
        lines = [line for line in lines if "FLINT and Hypothesis blocked" not in line]
    text = "\n".join(line.removeprefix("ERROR: ").rstrip() for line in lines)
    return re.sub(r"(?<=\(choose from )[^)]*", lambda found: found[0].replace("'", ""), text)  # as from Python 3.12 on


def _of_pytest(out: str, err: str) -> list[str]:
    wanted = [line for line in err.splitlines() if line and not line.startswith(("ERROR: usage", " "))]
    if wanted:
        return wanted
    failed = re.search(r"^_+ test_theorem\[.*?\] _+\n(.*?)^=+ ", out, re.MULTILINE | re.DOTALL)
    if failed:
        return [line for line in failed[1].splitlines() if line]
    trouble = [line for line in out.splitlines() if "could not be written" in line]
    return trouble or [re.sub(r" in [0-9.]+s", "", out.splitlines()[-1])]


HEAD = f"""# What is said about bad input

Everything that people get wrong is to be one message: what is wrong, which value, what is allowed, and what to do. None
of these shows a traceback, and reading a certificate or an instance never runs code. This page is written by
`python -m tests.bad_input.table --write`, which runs each of the {len(ROWS)} cases; a test compares it with what is
said now. For a call from Python the table names the exception in place of the [exit code](exit-codes.md). One instance
may take 10 seconds, and {SECONDS:g} or {2 * SECONDS:g} in these runs.
"""


def page(found: list[Said]) -> str:
    """The page in Markdown, one table a section."""
    parts = [HEAD]
    for section in dict.fromkeys(said.row.section for said in found):
        parts.append(f"## {section}\n")
        parts.append("| what is wrong | tried as | exit code | what is said |\n| --- | --- | --- | --- |")
        parts += [_line(said) for said in found if said.row.section == section]
        parts.append("")
    return "\n".join(parts)


def _line(said: Said) -> str:
    row = said.row
    tried = row.command if row.is_python else (row.shown or row.command)
    tried = tried if row.is_python or tried.startswith("pytest") else f"python -m {tried}"
    message = "<br>".join(_code(line) for line in said.message.splitlines())
    return f"| {row.case} | {_code(tried)} | {said.code} | {message} |"


def _code(text: str) -> str:
    """Text as code in a cell of a table."""
    text = text.strip().replace("|", "\\|")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def main(arguments: list[str]) -> int:
    with TemporaryDirectory() as folder:
        text = page(run_all(ROWS, Path(folder)))
    if "--write" in arguments:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(text, encoding="utf-8")
    elif "--check" in arguments:
        same = PAGE.read_text(encoding="utf-8") == text
        print(f"{PAGE.relative_to(ROOT)} is {'up to date' if same else 'old: write it with --write'}")
        return 0 if same else 1
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
