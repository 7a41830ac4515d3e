"""The documentation says what the code says: its pages, the table in the README, versions, links and wording.

Of the table only the rows of a few cheap theorems are computed again, with the names and the order of all.  Floating
point depends on the machine's linear algebra, and what is drawn on the version of Hypothesis: neither is compared
where it may differ.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from theory.catalogue import catalogue, find
from theory.theorem import Standing, Theorem
from verification.examine import examine
from verification.profiles import PROFILES
from verification.report.table import summary

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted(page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts)]
CHEAP = ("biased_logits_linear", "few_labels", "linked_pairs")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

HOLDS_ON, FLOATING, WORST_RATIO = 2, 4, 6  # the columns that may differ elsewhere


def names(pages: list[Path]) -> list[str]:
    return [page.relative_to(ROOT).as_posix() for page in pages]


# Generated pages ------------------------------------------------------------------------------------------------


def test_the_page_of_the_theorems_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate_theorems.py"), "--check"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# The table in the README ----------------------------------------------------------------------------------------


def table_of(text: str) -> list[list[str]]:
    """The rows of a table as lists of cells, without the heading, the rule and the legend."""
    lines = text[text.index("theorem ") :].split("\n\n")[0].splitlines()[2:]
    return [re.split(r"\s{2,}", line.strip()) for line in lines]


def rows_of(table: list[list[str]], name: str) -> list[list[str]]:
    """The row of a theorem and those of its counterexamples below it."""
    start = next(i for i, row in enumerate(table) if row[0] == name)
    further = next((i for i, row in enumerate(table) if i > start and row[0] in catalogue()), len(table))
    return table[start:further]


@pytest.fixture(scope="module")
def printed() -> list[list[str]]:
    """The table that the README shows."""
    text = README.read_text("utf-8")
    return table_of(text[text.index("<!-- table: begin -->") : text.index("<!-- table: end -->")])


def titles(theorem: Theorem[Any]) -> list[str]:
    """The first cells of a theorem's rows."""
    about = {(None, None): "as stated"}
    return [theorem.name] + [
        about.get((dropped, claim)) or (f"without {dropped}" if dropped else f"not {claim}")
        for dropped, claim in theorem.certifiable()
    ]


def test_the_table_has_all_theorems_with_all_their_counterexamples(printed: list[list[str]]) -> None:
    expected = list(chain.from_iterable(map(titles, catalogue().values())))
    assert [row[0] for row in printed] == expected
    assert [row[1] for row in printed if row[0] in catalogue()] == [t.standing.value for t in catalogue().values()]


def pinned() -> str:
    (pin,) = (tool for tool in PYPROJECT["dependency-groups"]["dev"] if tool.startswith("hypothesis=="))
    return pin.partition("==")[2]


def masked(name: str, row: list[str]) -> list[str]:
    """A theorem's row without what may differ between machines and versions of Hypothesis."""
    theorem = find(name)
    hidden: set[int] = set()
    if theorem.spectra is not None:
        hidden |= {FLOATING, WORST_RATIO}
    if theorem.standing is Standing.REFUTED and version("hypothesis") != pinned():
        hidden |= {HOLDS_ON}
    return ["*" if i in hidden else cell for i, cell in enumerate(row)]


@pytest.mark.parametrize("name", CHEAP)
def test_the_table_shows_what_a_run_finds(name: str, printed: list[list[str]]) -> None:
    computed = rows_of(table_of(summary([examine(find(name), PROFILES["quick"], seed=0)])), name)
    shown = rows_of(printed, name)
    assert masked(name, shown[0]) == masked(name, computed[0])
    assert shown[1:] == computed[1:]


def test_the_table_says_how_much_was_looked_at() -> None:
    everything, instances = len(catalogue()), len(catalogue()) * PROFILES["quick"].instances
    closing = f"{everything} of {everything} standings confirmed on {instances:,} generated instances and "
    assert closing in README.read_text("utf-8")


# Versions -------------------------------------------------------------------------------------------------------


def test_the_citation_names_the_version_of_the_package() -> None:
    (cited,) = re.findall(r"^version: *(\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), flags=re.MULTILINE)
    assert cited == PYPROJECT["project"]["version"]


# Links ----------------------------------------------------------------------------------------------------------

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def broken_links(page: Path, text: str) -> list[str]:
    """The local files that a page links to and that are not there."""
    targets = (target.partition("#")[0] for target in LINK.findall(FENCED.sub("", text)))
    return [t for t in targets if t and "://" not in t and not (page.parent / t).exists()]


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page, page.read_text("utf-8")) == []


def test_a_broken_link_is_found() -> None:
    text = (
        "[a](README.md) [b](docs/index.md#top) [c](https://example.org/x.md) [d](nowhere.md#top)\n```\n[e](no.md)\n```"
    )
    assert broken_links(README, text) == ["nowhere.md"]


# Wording --------------------------------------------------------------------------------------------------------

TOO_MUCH = re.compile(r"\b(verified|verifies|proved|proven|proves|guarantee[sd]?)\b", re.IGNORECASE)
NOT_CLAIMS = (
    FENCED,
    re.compile(r"`[^`\n]*`"),  # names and commands
    re.compile(r'"[^"\n]*"'),  # words that are talked about
    re.compile(r"^\*Proof\.\*.*$", re.MULTILINE),  # the mathematics of a theorem
    re.compile(r"^\|[^|\n]*(\|[^|\n]*)?\| (verified, proved|true) \|$", re.MULTILINE),  # what not to say
)


def claims_too_much(text: str) -> list[str]:
    """The lines that say more of a run than a run can show: it gives evidence on finitely many instances."""
    for allowed in NOT_CLAIMS:
        text = allowed.sub("", text)
    return [line for line in text.splitlines() if TOO_MUCH.search(line)]


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_nothing_is_said_to_be_proved_by_a_run(page: Path) -> None:
    assert claims_too_much(page.read_text("utf-8")) == []


def test_too_much_is_found_and_a_proof_is_not() -> None:
    assert claims_too_much("The theorem was verified.\nIt is proved\non all instances.") != []
    assert claims_too_much("*Proof.* This proves it.") == []
    assert claims_too_much('Never say "verified" of a theorem; `make verify` gives evidence, not a proof.') == []
    assert claims_too_much("| holds on 10 of 10 | verified, proved |") == []
    assert len(claims_too_much("| holds on 10 of 10 | verified |")) == 1
