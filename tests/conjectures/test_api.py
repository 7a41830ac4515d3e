"""The Python interface: its page says what happens, results show themselves well, and nothing heavy is loaded early."""

from __future__ import annotations

import doctest
import subprocess
import sys
from html.parser import HTMLParser

import pytest

import verification
from tests.conjectures.pages import blocks
from tests.verification.running import ROOT
from theory import Evidence, check, find
from verification.search import search

PAGE = "reference/api.md"


def test_the_page_says_what_happens() -> None:
    """Its blocks are one session."""
    names: dict[str, object] = {}
    found = blocks(PAGE, "pycon")
    assert len(found) >= 6
    for k, (_, block) in enumerate(found):
        test = doctest.DocTestParser().get_doctest(block, names, f"block {k}", PAGE, None)
        assert test.examples
        said: list[str] = []
        doctest.DocTestRunner().run(test, out=said.append, clear_globs=False)
        assert not said, "".join(said)
        names = test.globs


def test_a_package_that_registers_theorems_is_told_the_right_group() -> None:
    from theory.loading import ENTRY_POINTS

    ((_, block),) = blocks(PAGE, "toml")
    assert f'[project.entry-points."{ENTRY_POINTS}"]' in block


class Checked(HTMLParser):
    """Knows which elements are open, so that each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def results() -> list[object]:
    theorem = find("linear_identifiability")
    verdict = check(theorem, theorem.witness())
    dropped = check(theorem, theorem.witness(), without="left_invertible")
    found = search(theorem, without="left_invertible")
    return [theorem, verdict, dropped, *verdict.evidence, found, Evidence("a<b", 0, "<script>")]


@pytest.mark.parametrize("result", results(), ids=lambda result: type(result).__name__)
def test_results_show_themselves(result: object) -> None:
    text = repr(result)
    assert text.startswith(f"<{type(result).__name__} ")
    assert "\n" not in text
    assert len(text) < 600
    html = result._repr_html_()  # type: ignore[attr-defined]
    parser = Checked()
    parser.feed(html)
    parser.close()
    assert not parser.open
    assert "<table>" in html
    assert "<script>" not in html


def test_what_is_shown() -> None:
    theorem = find("linear_identifiability")
    assert repr(theorem) == "<Theorem linear_identifiability, established: Roeder et al. Theorem 1, f>"
    verdict = check(theorem, theorem.witness(), without="pairs_seen")
    assert repr(verdict).startswith("<Verdict linear_identifiability without pairs_seen: VACUOUS; no_bias holds, ")
    for name in theorem.needs:
        assert name in theorem._repr_html_()
    found = search(theorem, without="left_invertible")
    assert found is not None
    assert repr(found).startswith(
        "<Found a counterexample to linear_identifiability without left_invertible at M = 1, K = 2, n = 1: ModelPair("
    )


def test_search_is_a_function_of_the_package_and_a_module() -> None:
    theorem = find("few_labels")
    found, again = verification.search(theorem, without="few_labels"), search(theorem, without="few_labels")
    assert found == again is not None
    with pytest.raises(ValueError, match="few_labels has no assumption 'diversity'"):
        verification.search(theorem, without="diversity")
    with pytest.raises(AttributeError, match="module 'verification' has no attribute 'prove'"):
        _ = verification.prove


@pytest.mark.parametrize(
    "code",
    [
        "import verification",
        "import verification, theory\ntheory.find('stability')",
        "import verification.certificates, verification.replay, theory.loading, theory.paste",
    ],
)
def test_nothing_heavy_is_loaded_early(code: str) -> None:
    names = "('hypothesis', 'flint', 'sympy', 'numpy', 'pytest')"
    report = f"{code}\nimport sys\nprint([name for name in {names} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", report], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    "first", ["from verification import search", "import verification.search\nfrom verification import search"]
)
def test_search_whichever_is_imported_first(first: str) -> None:
    call = f"{first}\nfrom theory import find\nprint(search(find('few_labels'), without='few_labels').size)"
    done = subprocess.run([sys.executable, "-c", call], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("M = ")
