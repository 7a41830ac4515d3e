"""What ``refute`` says where nothing was found is not more than what was looked at, and the same again."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from tests.conjectures.files import variant, with_function
from tests.conjectures.test_refute import Said, refute
from theory.loading import load_file
from verification.budget import reproducible
from verification.search import widely

FALSE = ("decide.linear_map", "decide.invertible_linear_map")
#: Leave the one construction that transforms by a map, as the claim says.
ONLY = [
    ('Construction("L* singular", pairs.solved_with_singular_right, fits=pairs.diverse),', ""),
    ('Construction("solved context by context", pairs.solved, fits=pairs.diverse),', ""),
]


def scoped(function: str) -> list[tuple[str, str]]:
    """The changes that give the example a scope."""
    head = "from theory import Model, Scope, full_candidate_sets\n\n\n"
    return [with_function(head + function), ("    witness=", '    scope=Scope("these", these),\n    witness=')]


def test_constructions_that_assume_the_claim(tmp_path: Path, capsys: Said) -> None:
    """Those of the catalogue refute it, and it is said which did."""
    code, out, _ = refute(variant(tmp_path, FALSE, *ONLY), capsys)
    assert code == 1
    assert "refuted by a counterexample at M = 1, K = 2, n = 1" in out
    assert "  none of its own constructions builds one; this one is of the catalogue's, L* singular" in out
    assert (tmp_path / "mine--refuted.json").exists()


def test_instances_of_the_catalogue_are_counted_apart(tmp_path: Path, capsys: Said) -> None:
    """They need not meet the assumptions, so they do not starve the theorem."""
    code, out, _ = refute(variant(tmp_path), capsys)
    assert code == 0
    assert "not falsified on 120 instances (120 different): the conclusion holds on the 120 that meet" in out
    decided = re.search(
        r"\n  nor on ([0-9,]+) instances of the catalogue's constructions that meet the assumptions\n", out
    )
    assert decided
    assert int(decided[1].replace(",", "")) > 50


RAISES = ("    return decide.linear", "    if pair.prime.differences(pair.label_pairs[0]).inverse() is None:\n"
          "        raise ValueError('singular')\n    return decide.linear")  # fmt: skip


def test_an_assumption_without_which_the_conclusion_raises(tmp_path: Path, capsys: Said) -> None:
    """It is needed, or at least nothing shows that it is not."""
    path = variant(tmp_path, RAISES)
    code, out, _ = refute(path, capsys)
    assert code == 0
    said = re.search(
        r"\n  left_invertible: not decided: the conclusion raised on ([0-9,]+) instances without it \(", out
    )
    assert said
    assert "mine: conclusion raised ValueError (mine.py, line " in out
    assert "perhaps unused" not in out
    found = widely(load_file(path), "left_invertible", tries=20)
    assert (found.found, found.decided) == (None, 0)
    assert found.raised > 100


SINGULAR = """
def these():
    yield witness()
    for _ in range({count}):
        model = Model.of(f=[[{f}]], g=[[0], [1]])
        yield ModelPair(model, model, full_candidate_sets(1, 2), (((1, 0),),))
"""
NAN = ("    return decide.linear_map(pair.star.f, pair.prime.f)",
       "    value = float('nan') if pair.star.f[0, 0] == 777 else 0.0\n"
       "    return Evidence('', value, 'defect', accept=1, reject=2)")  # fmt: skip


def test_a_scope_that_is_mostly_undecided(tmp_path: Path, capsys: Said) -> None:
    path = variant(tmp_path, *scoped(SINGULAR.format(count=99, f=777)), NAN)
    _, out, _ = refute(path, capsys)
    assert "exhaustive: holds on 1 of 100 instances that meet the assumptions, undecided on 99: these" in out
    assert "holds on all" not in out


def test_a_scope_of_nothing(tmp_path: Path, capsys: Said) -> None:
    code, out, _ = refute(variant(tmp_path, *scoped("def these():\n    return iter(())")), capsys)
    assert code == 0
    assert "  no evidence from the exhaustive scope: none of its 0 instances reaches the conclusion\n" in out
    assert "  exhaustive: " not in out


def test_a_scope_that_yields_none(tmp_path: Path, capsys: Said) -> None:
    """It is not over then: what comes after it would refute the claim."""
    function = "def these():\n    yield witness()\n    yield None\n"
    code, _, err = refute(variant(tmp_path, *scoped(function)), capsys)
    assert code == 2
    assert err == "error: mine: its exhaustive scope yielded NoneType None; it must yield a ModelPair\n"


LUCK = """
import random

import numpy as np

from theory import Model


def lucky(source, size):
    rows = [[random.randint(-300, 300) + int(np.random.randint(5))] * size.dim for _ in range(size.contexts)]
    model = Model.of(f=rows, g=[[i] * size.dim for i in range(size.labels)])
    return ModelPair(model, model, (((0, 1),),) * size.contexts, (((1, 0),),) * size.contexts)


def not_divisible(pair: ModelPair) -> Evidence:
    first = int(pair.star.f.tolist()[0][0])
    return decide.count_is_zero(int(pair.dim == 1 and first % {modulus} == {modulus} // 2), "remainder")
"""


@pytest.mark.filterwarnings("ignore:Do not use the `random` module")
@pytest.mark.parametrize("modulus", [97, 10**6])
def test_constructions_that_draw_elsewhere(modulus: int, tmp_path: Path, capsys: Said) -> None:
    """From Python's or NumPy's own generator: the run is still the same again, and the instances differ."""
    assumed = "assumptions=(no_bias, equal_distributions, pairs_seen, common_pairs, left_invertible)"
    changes = [
        with_function(LUCK.format(modulus=modulus)),
        ("conclusion=conclusion", "conclusion=not_divisible"),
        (assumed, "assumptions=(no_bias,)"),
        *((f"{name}, fits=pairs.diverse", "lucky") for name in ("pairs.solved_with_singular_right", "pairs.solved",
                                                               "pairs.transformed")),
    ]  # fmt: skip
    path = variant(tmp_path, *changes)
    random.seed(1)
    first = refute(path, capsys)
    random.seed(2)
    assert refute(path, capsys) == first
    assert first[2] == ""
    if modulus > 1000:
        assert "120 instances (1" in first[1], "not one instance a hundred times"


def test_generators_are_left_as_they_were() -> None:
    random.seed(5)
    expected = random.random()
    random.seed(5)
    with reproducible(3):
        inside = random.random(), np.random.random()  # noqa: NPY002
    assert random.random() == expected
    with reproducible(3):
        assert (random.random(), np.random.random()) == inside  # noqa: NPY002


# What has no certificate ------------------------------------------------------------------------------------------

MINE = """
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from theory import Construction, Evidence, Reference, Size, Standing, Theorem, decide
from theory.arithmetic import Matrix, exact_matrix

if TYPE_CHECKING:
    from theory.arithmetic import Matrix as Unseen


@dataclass(frozen=True)
class Mine:
    table: "{table}"
    more: "{more}"


class Plain:
    def __init__(self, table, more):
        self.table = table


def build(source, size):
    return {kind}(exact_matrix([[source.integer(-2, 2)]]), {value})


def witness():
    return {kind}(exact_matrix([[0]]), {value})


def conclusion(mine) -> Evidence:
    {body}


THEOREM = Theorem(
    name="mine", title="t", reference=Reference("a", "b", "c"), statement="s", instance_type={kind}, assumptions=(),
    conclusion=conclusion, constructions=(Construction("b", build),), sizes=(Size(1, 2, 1),), witness=witness,
    indeterminacy="none", standing=Standing.CONJECTURE,
)
"""
FIELDS = {
    "table": "Matrix",
    "more": "bool",
    "kind": "Mine",
    "value": "True",
    "body": "return decide.vanishes(mine.table)",
}


def of(**changes: str) -> str:
    return MINE.format(**{**FIELDS, **changes})


def test_an_instance_of_ones_own_class(tmp_path: Path, capsys: Said) -> None:
    (tmp_path / "mine.py").write_text(of())
    code, out, err = refute(tmp_path / "mine.py", capsys)
    assert (code, err) == (1, "")
    assert "certificate: " in out


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (of(more="int | Fraction", value="Fraction(1, 2)"), "Mine.more: a field of type int | fractions.Fraction can"),
        (of(more="list[int]", value="[1]"), "Mine.more: a field of type list[int] cannot be read back"),
        (of(table="Unseen"), "the types of its fields cannot be read: name 'Unseen' is not defined"),
        (of(kind="Plain"), "cannot write <"),
        (of(body="import numpy as np\n    return decide.count_is_zero(int(mine.table[0, 0] != 0), 'd', k=np.int64(3))"),
         "cannot write np.int64(3) (int64) without loss"),
        (of(body="return decide.vanishes(mine.table - exact_matrix([[0]]))"), "conclusion raised ModuleNotFoundError"),
        (of() + "\nBASE = exact_matrix([[1]])\n", "ModuleNotFoundError: theory.arithmetic.exact is blocked: a replay"),
        (of() + "\nimport hypothesis\n", "ModuleNotFoundError: hypothesis is blocked: a replay must not need it"),
    ],
    ids=["union", "list", "unseen type", "no dataclass", "witness", "FLINT in it", "FLINT at its top", "Hypothesis"],
)  # fmt: skip
def test_a_counterexample_that_no_replay_would_accept(text: str, why: str, tmp_path: Path, capsys: Said) -> None:
    """It is shown, and no certificate is written that whoever gets it would take for a forgery."""
    (tmp_path / "mine.py").write_text(text)
    code, out, err = refute(tmp_path / "mine.py", capsys)
    assert code == 2
    assert "refuted by a counterexample at M = 1, K = 2, n = 1" in out
    assert "  conclusion: fails (" in out
    assert err.startswith("error: no certificate was written, since no replay would accept it: ")
    assert why in err
    assert err.count("\n") == 1
    assert not list(tmp_path.glob("*.json"))


def test_what_is_needed_may_have_no_certificate(tmp_path: Path, capsys: Said) -> None:
    """The statement is not falsified all the same."""
    base = with_function("from theory import Model\n\nBASE = Model.of(f=[[1]], g=[[0], [1]])")
    code, out, _ = refute(variant(tmp_path, base), capsys)
    assert code == 0
    assert out.count("\nno certificate mine--without-") == 5
    assert "re-check with" not in out
    assert not list(tmp_path.glob("*.json"))
