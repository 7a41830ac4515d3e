"""Every row of bad input: its exit code, its message and no traceback; and the page that documents them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.bad_input.every import ROWS
from tests.bad_input.rows import Row
from tests.bad_input.table import PAGE, Said, page, run_all


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bad_input")


@pytest.fixture(scope="module")
def said(folder: Path) -> list[Said]:
    """All rows, run once, each in a folder with its number."""
    return run_all(ROWS, folder)


@pytest.mark.parametrize("row", [pytest.param(row, id=f"{row.section}: {row.case}") for row in ROWS])
def test_row(row: Row, said: list[Said]) -> None:
    found = said[ROWS.index(row)]
    assert found.code == row.code, found.output
    for fragment in row.said:
        assert fragment in found.message, found.message
    assert "Traceback" not in found.output
    assert "INTERNALERROR" not in found.output
    assert not re.search(r'File ".*", line', found.output)


@pytest.mark.parametrize(
    "row", [row for row in ROWS if not row.is_python], ids=lambda row: f"{row.section}: {row.case}"
)
def test_one_message(row: Row, said: list[Said]) -> None:
    """Errors are one line; what pytest and a replay find may be several, one a problem."""
    found = said[ROWS.index(row)]
    if row.code in (2, 4):
        assert found.message.count("\n") == 0, found.message


def test_comparing_and_training_leave_files_alone(said: list[Said]) -> None:
    for found in said:
        if found.row.command.startswith("empirical"):
            assert found.changed == (), found.row.case
            assert found.output.startswith(("error: ", "usage: ")), found.output


def test_there_are_enough_and_no_two_are_the_same() -> None:
    assert len(ROWS) >= 40
    assert not [case for case, count in Counter((row.section, row.case) for row in ROWS).items() if count > 1]
    assert all(row.said for row in ROWS)


def test_the_page_is_what_is_said(said: list[Said]) -> None:
    """Write it again with: python -m tests.bad_input.table --write"""
    assert PAGE.read_text(encoding="utf-8") == page(said)


@pytest.mark.usefixtures("said")
def test_the_old_report_stays(folder: Path) -> None:
    place = folder / str(next(k for k, row in enumerate(ROWS) if "disk" in row.case))
    assert (place / "report.json").read_text() == "old"
    assert not list(place.glob(".report*"))


def test_certificates_are_data() -> None:
    """No module that reads one names what could run the text of a file."""
    import theory.records
    import verification.certificates

    for module in (theory.records, verification.certificates):
        tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
        named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        named |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        named |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        running = {"eval", "exec", "compile", "__import__", "pickle", "marshal", "shelve", "importlib", "subprocess"}
        assert not named & running
