"""The digest of a statement: unchanged by what does not change its meaning, changed by what may."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.verification.made_up import TRUE
from theory import decide
from theory.digest import digest
from theory.theorem import Theorem

SOURCE = '''\
"""A theorem file."""

from dataclasses import replace
from theory import decide
from theory.catalogue import find
from theory.theorem import Assumption, Reference

#: How much is too much.
LIMIT = 3
OTHERS = [3]
BY_NAME = {"limit": 3}
CHOSEN = frozenset({3})


def size(pair):
    """A helper."""
    return pair.dim + 1


def decide_small(pair):
    """The dimension is small."""
    # A comment.
    return decide.count_is_zero(int(size(pair) > LIMIT), "too large")


def decide_other(pair):
    """Constants of other kinds."""
    return decide.count_is_zero(OTHERS[0] + BY_NAME["limit"] + len(CHOSEN), "others")


def decide_unused(pair):
    """In no assumption yet."""
    return decide.count_is_zero(0, "nothing")


def conclusion(pair):
    """There is a map."""
    return decide.linear_map(pair.star.f, pair.prime.f)


def closed_form(pair):
    """It is the identity."""
    return decide.vanishes(pair.prime.f - pair.star.f)


def bites(pair):
    """Not everything is 0."""
    return not pair.star.f.is_zero()


SMALL = Assumption("small", "M is small", decide_small)
OTHER = Assumption("other", "others", decide_other)
BASE = find("linear_identifiability")
THEOREM = replace(
    BASE,
    name="toy",
    title="A toy",
    reference=Reference("Somebody", "1", "read"),
    statement="If M is small then f' = A f*.",
    assumptions=(SMALL, OTHER),
    needs=(),
    worked=(),
    conclusion=conclusion,
    closed_form=None,
    notes="",
    constructions=BASE.constructions[:1],
)
'''

SAME = {
    "docstring of a predicate": ('"""The dimension is small."""', '"""Rewritten\n\n    at length."""'),
    "no docstring": ('    """The dimension is small."""\n', ""),
    "docstring of a helper": ('"""A helper."""', '"""A better helper."""'),
    "docstring of the file": ('"""A theorem file."""', '"""Another text."""'),
    "comment": ("    # A comment.\n", ""),
    "line breaks": ('(int(size(pair) > LIMIT), "too large")', '(\n  int(size(pair) > LIMIT),\n  "too large",\n )'),
    "quotes and parentheses": ('int(size(pair) > LIMIT), "too large"', "int((size(pair)) > (LIMIT)), 'too large'"),
    "order in the file": ("LIMIT = 3\nOTHERS = [3]\n", "OTHERS = [3]\n\nLIMIT = 3\n"),
    "reference": ('Reference("Somebody", "1", "read")', 'Reference("Somebody else", "2", "not read")'),
    "title": ('"A toy"', '"The toy"'),
    "notes": ('notes=""', 'notes="new"'),
    "constructions": ("BASE.constructions[:1]", "BASE.constructions[:2]"),
    "scope": ("needs=()", "needs=(), scope=None"),
    "code that nothing calls": ('decide.count_is_zero(0, "nothing")', 'decide.count_is_zero(1, "something")'),
}  # fmt: skip

DIFFERENT = {
    "statement": ("If M is small then", "If M is not large, then"),
    "name": ('name="toy"', 'name="toys"'),
    "statement of an assumption": ('"M is small", decide_small', '"M is at most 2", decide_small'),
    "name of an assumption": ('Assumption("small"', 'Assumption("little"'),
    "order of assumptions": ("(SMALL, OTHER)", "(OTHER, SMALL)"),
    "an assumption more": ("(SMALL, OTHER)", '(SMALL, OTHER, Assumption("more", "nothing", decide_unused))'),
    "an assumption less": ("(SMALL, OTHER)", "(SMALL,)"),
    "another predicate": ('"M is small", decide_small', '"M is small", decide_unused'),
    "code of a predicate": ("size(pair) > LIMIT", "size(pair) >= LIMIT"),
    "text of a predicate": ('"too large"', '"larger than it may be"'),
    "code of a helper": ("pair.dim + 1", "pair.dim + 2"),
    "constant": ("LIMIT = 3", "LIMIT = 4"),
    "kind of a constant": ("LIMIT = 3", "LIMIT = 3.0"),
    "list": ("OTHERS = [3]", "OTHERS = [4]"),
    "record": ('{"limit": 3}', '{"limit": 4}'),
    "set": ("frozenset({3})", "frozenset({3, 4})"),
    "conclusion": ("decide.linear_map(pair.star.f", "decide.affine_map(pair.star.f"),
    "sides of the conclusion": ("(pair.star.f, pair.prime.f)", "(pair.prime.f, pair.star.f)"),
    "closed form": ("closed_form=None", "closed_form=closed_form"),
    "nontrivial": ('notes=""', "nontrivial=bites"),
}

Load = Callable[[str], Theorem[Any]]


@pytest.fixture
def loaded(tmp_path: Path) -> Load:
    """A function that makes a theorem of source text: each time another file, of a module with the same name."""
    numbers = count()

    def load_source(source: str) -> Theorem[Any]:
        path = tmp_path / str(next(numbers)) / "toy.py"
        path.parent.mkdir()
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("toy", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.THEOREM

    return load_source


def edited(old: str, new: str) -> str:
    assert SOURCE.count(old) == 1, old
    return SOURCE.replace(old, new)


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=list(SAME))
def test_unchanged_by(loaded: Load, old: str, new: str) -> None:
    assert digest(loaded(edited(old, new))) == digest(loaded(SOURCE))


@pytest.mark.parametrize(("old", "new"), DIFFERENT.values(), ids=list(DIFFERENT))
def test_changed_by(loaded: Load, old: str, new: str) -> None:
    assert digest(loaded(edited(old, new))) != digest(loaded(SOURCE))


def test_changed_by_a_function_of_the_package(loaded: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the predicates call by name counts, wherever in the package it is."""
    before = digest(loaded(SOURCE))
    monkeypatch.setattr(decide, "count_is_zero", decide.true_or_false)
    assert digest(loaded(SOURCE)) != before


@pytest.mark.parametrize(
    "named", ["from theory.strategies.source import LARGEST", "from theory.strategies import source"]
)
def test_changed_by_a_constant_of_the_package(loaded: Load, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    """Named plainly or as an attribute of its module, as functions are."""
    source = edited("LIMIT = 3\n", f"{named}\n").replace("> LIMIT", f"> {named.rpartition(' ')[2]}")
    source = source.replace("> source", "> source.LARGEST")
    before = digest(loaded(source))
    monkeypatch.setattr("theory.strategies.source.LARGEST", 98)
    assert digest(loaded(source)) != before


def test_the_same_each_time(loaded: Load) -> None:
    """Also where a constant has no text of its own: an address in memory is another in each run."""
    source = edited("LIMIT = 3", "LIMIT = 3\nCHECKS = (digest_of_nothing,)").replace("pair.dim + 1", "CHECKS[0](pair)")
    source = source.replace("LIMIT = 3", "def digest_of_nothing(pair):\n    return pair.dim\n\n\nLIMIT = 3", 1)
    assert digest(loaded(source)) == digest(loaded(source))


def test_names_the_hash() -> None:
    assert digest(TRUE).startswith("sha256:")
    assert len(digest(TRUE)) == len("sha256:") + 64
