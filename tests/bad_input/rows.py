"""Everything that people get wrong, as data: what it is, how it is run, and what must be said about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.conjectures.files import BEFORE, variant, with_function
from tests.verification.running import ROOT

Prepare = Callable[[Path], object]
Change = tuple[str, str]

CERTIFICATE = "linear_identifiability--without-common_pairs.json"


@dataclass(frozen=True)
class Row:
    """One case.  ``code`` is the exit code, or the name of the exception of a Python call.

    ``command`` is Python source for a case of the API, else what follows ``python -m``.  ``said`` are fragments that
    the message must hold: what is wrong, which value, what is allowed.  ``shown`` is the command as documented, where
    it differs.  ``apart`` asks for a process of its own.
    """

    section: str
    case: str
    command: str
    code: int | str
    said: tuple[str, ...]
    prepare: Prepare = lambda folder: None
    shown: str = ""
    apart: bool = False

    @property
    def is_python(self) -> bool:
        return isinstance(self.code, str)


# Models and pairs -------------------------------------------------------------------------------------------------

_MODEL = "m = Model.of(f=[[1], [2]], g=[[0], [1]])"
_FULL = "(((0, 1),), ((0, 1),))"


def _python(case: str, source: str, error: str, *said: str) -> Row:
    return Row("Models and pairs of models", case, source, error, said)


_INSTANCES = [
    _python("dimensions that differ", "Model.of(f=[[1, 2]], g=[[0], [1]])", "ValueError",
            "f has dimension 2 but g has dimension 1", "f is (contexts, dim), g is (labels, dim)"),
    _python("no context", "Model.of(f=[], g=[[0], [1]])", "ValueError", "f is 0 x 0", "at least one context"),
    _python("one label, K < 2", "Model.of(f=[[1]], g=[[0]])", "ValueError", "g has 1 label", "needs at least 2"),
    _python("a bias for too few labels", "Model.of(f=[[1]], g=[[0], [1]], bias=[1])", "ValueError",
            "bias has shape (1, 1)", "there are 2 labels", "it must be (2, 1)"),
    _python("rows of unequal length", "Model.of(f=[[1, 2], [3]], g=[[0, 1], [1, 1]])", "ValueError",
            "row 1 has 1 entries, row 0 has 2", "equally long"),
    _python("a list that is no matrix", "Model.of(f=[1, 2], g=[[0], [1]])", "TypeError",
            "a matrix is a list of rows", "row 0 is 1"),
    _python("a number that is no matrix", "Model.of(f=5, g=[[0], [1]])", "TypeError",
            "a matrix is a list of rows, not 5"),
    _python("lists where a matrix belongs", "Model([[1]], [[0], [1]])", "TypeError",
            "f is [[1]] (list), not a Matrix", "Model.of takes nested lists"),
    _python("NaN", "Model.of(f=[[float('nan')]], g=[[0], [1]])", "TypeError",
            "row 0, column 0", "not nan (float)", "integers, Fractions and strings such as '-3/4'"),
    _python("infinity", "Model.of(f=[[1]], g=[[0], [float('inf')]])", "TypeError",
            "row 1, column 0", "not inf (float)"),
    _python("NaN as a word", "Model.of(f=[['nan']], g=[[0], [1]])", "ValueError",
            "row 0, column 0: 'nan' is not a rational number", "write it as '3', '-3/4' or '0.75'"),
    _python("NaN in floating point", "Model.of(f=[[float('nan')]], g=[[0], [1]], arithmetic='float')", "ValueError",
            "row 0, column 0 is nan", "finite"),
    _python("infinity in floating point", "Model.of(f=[[1]], g=[[0], [float('inf')]], arithmetic='float')",
            "ValueError", "row 1, column 0 is inf", "finite"),
    _python("a word in floating point", "Model.of(f=[['one']], g=[[0], [1]], arithmetic='float')", "ValueError",
            "row 0, column 0: 'one' is not a number", "write it as 0.75, '3/4'"),
    _python("a float in exact arithmetic", "Model.of(f=[[0.5]], g=[[0], [1]])", "TypeError",
            "not 0.5 (float)", "write Fraction(1, 2) or '1/2'"),
    _python("an unknown arithmetic", "Model.of(f=[[1]], g=[[0], [1]], arithmetic='double')", "ValueError",
            "unknown arithmetic 'double'", "choose one of flint, sympy, float"),
    _python("two arithmetics in one model", "Model(exact_matrix([[1]]), exact_matrix([[0], [1]], 'sympy'))",
            "TypeError", "f is a RationalMatrix and g is a SymbolicMatrix", "use one arithmetic"),
    _python("models on different contexts",
            f"{_MODEL}; ModelPair(m, Model.of(f=[[1]], g=[[0], [1]]), {_FULL})", "ValueError",
            "the models have 2 and 1 contexts"),
    _python("models on different labels",
            f"{_MODEL}; ModelPair(m, Model.of(f=[[1], [2]], g=[[0], [1], [2]]), {_FULL})", "ValueError",
            "the models have 2 and 3 labels"),
    _python("an unknown label in a candidate set", f"{_MODEL}; ModelPair(m, m, (((0, 1),), ((0, 2),)))", "ValueError",
            "context 1: candidate set (0, 2) names label 2", "the labels are 0 to 1"),
    _python("a candidate set of one label", f"{_MODEL}; ModelPair(m, m, (((0, 1),), ((0,),)))", "ValueError",
            "context 1: candidate set (0,)", "at least 2 labels"),
    _python("a label twice in a candidate set", f"{_MODEL}; ModelPair(m, m, (((0, 1),), ((1, 1),)))", "ValueError",
            "context 1: candidate set (1, 1)", "each once"),
    _python("no candidate set at a context", f"{_MODEL}; ModelPair(m, m, (((0, 1),), ()))", "ValueError",
            "context 1 has no candidate set"),
    _python("candidate sets for too few contexts", f"{_MODEL}; ModelPair(m, m, (((0, 1),),))", "ValueError",
            "candidate sets for 1 contexts, but f has 2"),
    _python("candidate sets as lists", f"{_MODEL}; ModelPair(m, m, [[[0, 1]], [[0, 1]]])", "ValueError",
            "candidate sets and label pairs are tuples of tuples"),
    _python("candidate sets that are not nested", f"{_MODEL}; ModelPair(m, m, ((0, 1), (0, 1)))", "ValueError",
            "candidate sets: 0 stands where there should be a tuple", "such as (((0, 1, 2),), ((0, 1), (1, 2)))"),
    _python("labels that are words", f"{_MODEL}; ModelPair(m, m, ((('a', 'b'),), ((0, 1),)))", "ValueError",
            "candidate sets: 'a' stands where there should be a label number"),
    _python("a label pair of one label", f"{_MODEL}; ModelPair(m, m, {_FULL}, (((1, 0),), ((1, 1),)))", "ValueError",
            "context 1: (1, 1) is not a pair of two different labels"),
    _python("an unknown label in a pair", f"{_MODEL}; ModelPair(m, m, {_FULL}, (((1, 0),), ((1, 7),)))", "ValueError",
            "context 1: label pair (1, 7) names label 7", "the labels are 0 to 1"),
    _python("a size below the smallest", "Size(dim=0, labels=2, contexts=1)", "ValueError",
            "M = 0", "the smallest size is dim 1, labels 2, contexts 1"),
    _python("an instance of another theorem", "check(find('few_labels'), find('stability').witness())", "TypeError",
            "few_labels is about FreeFunction instances, not NearPair"),
    _python("an unknown assumption", "t = find('few_labels'); check(t, t.witness(), without='diversity')", "ValueError",
            "few_labels has no assumption 'diversity'", "its assumptions are few_labels, h_not_affine"),
    _python("an unknown stronger conclusion", "search(find('linear_identifiability'), claim='unitary')", "ValueError",
            "lists no stronger conclusion 'unitary'", "it lists orthogonal, permutation_scaling"),
    _python("an unknown theorem", "find('linear_identifiabilty')", "KeyError",
            "there is no theorem 'linear_identifiabilty'", "did you mean linear_identifiability"),
    _python("a verdict taken for true or false", "t = find('few_labels'); bool(check(t, t.witness()))", "TypeError",
            "a Verdict is not true or false", "Compare .status with Status.HOLDS"),
]  # fmt: skip


# Theorem files ----------------------------------------------------------------------------------------------------


def _file(case: str, changes: list[Change], *said: str, code: int = 2) -> Row:
    return Row("Theorem files", case, "verification refute mine.py", code, said, lambda f: variant(f, *changes))


def _text(case: str, content: str | bytes, *said: str, name: str = "mine.py") -> Row:
    data = content.encode() if isinstance(content, str) else content
    command = f"verification refute {name}"
    return Row("Theorem files", case, command, 2, said, lambda f: (f / name).write_bytes(data))


_RETURN = "    return decide.linear_map"
_TRANSFORMED = "pairs.transformed,"
_FAILS = with_function("def fails(*_):\n    return 1 / 0")
_NONE = with_function("def none(*_):\n    return None")
_LOOPS = with_function("def loops(*_):\n    while True:\n        pass")
_NEVER = with_function(
    "from theory import Assumption\n\n\ndef never(pair):\n    return decide.count_is_zero(1, 'never')"
)
_ASSUMED = "assumptions=(no_bias, equal_distributions, pairs_seen, common_pairs, left_invertible)"
_SIZES = "sizes=(Size(1, 2, 1), Size(2, 3, 3), Size(3, 5, 4), Size(4, 6, 6)),"

_FILES = [
    Row("Theorem files", "no such file", "verification refute mine.py", 2, ("mine.py: there is no such file",)),
    Row("Theorem files", "a folder", "verification refute folder", 2, ("folder is a folder: name a Python file",),
        lambda f: (f / "folder").mkdir()),
    _text("not a Python file", "", "mine.txt: a theorem file is a Python file and ends in .py", name="mine.txt"),
    _text("a syntax error", "x = 1\nTHEOREM = Theorem(\n", "mine.py, line 2: syntax error: '(' was never closed"),
    _text("no text", b"\xff\xfe", "mine.py, line 1: syntax error: (unicode error)"),
    _text("a module that is not there", "import nowhere\n", "mine.py, line 1: ModuleNotFoundError: No module named"),
    _text("code that raises", "x = 1\nx / 0\n", "mine.py, line 2: ZeroDivisionError: division by zero"),
    _text("code that ends the program", "import sys\nsys.exit()\n", "it ends the program when it is loaded"),
    _text("code that raises what is no Exception", "raise GeneratorExit('later')\n",
          "mine.py, line 1: GeneratorExit: later"),
    _text("no THEOREM", "x = 1\n", "mine.py: it defines no THEOREM", "end the file with THEOREM = Theorem(...)"),
    _text("a THEOREM that is none", "THEOREM = 3\n", "THEOREM is 3 (int)", "must be a theory.Theorem"),
    _file("a name of the catalogue", [('name="mine"', 'name="stability"')],
          "the name 'stability' is taken by a theorem of the catalogue", "choose another"),
    _file("a name with a space", [('name="mine"', 'name="my theorem"')],
          "theorem name 'my theorem'", "use letters, digits and underscores"),
    _file("an assumption that is only a name", [(_ASSUMED, 'assumptions=("no_bias",)')],
          "assumptions must be a tuple of Assumption, not 'no_bias' (str)"),
    _file("assumptions in a list", [(_ASSUMED, "assumptions=[no_bias]")], "assumptions must be a tuple of Assumption"),
    _file("two assumptions of one name", [(_ASSUMED, "assumptions=(no_bias, no_bias)")],
          "two assumptions have the same name among ['no_bias', 'no_bias']"),
    _file("an assumption whose name is a path",
          [_NEVER, ("left_invertible)", 'left_invertible, Assumption("../mine", "never", never))')],
          "mine: '../mine' cannot be the name of one of the assumptions", "use letters, digits and underscores"),
    _file("an assumption called conclusion",
          [_NEVER, ("left_invertible)", 'left_invertible, Assumption("conclusion", "never", never))')],
          "mine: 'conclusion' cannot be the name of one of the assumptions", "none of conclusion, closed_form"),
    _file("an unknown needed assumption", [("    witness=", '    needs=("diversity",),\n    witness=')],
          "mine has no assumption 'diversity'", "its assumptions are no_bias, equal_distributions"),
    _file("no size", [(_SIZES, "sizes=(),")], "mine: list at least one size"),
    _file("sizes that are numbers", [(_SIZES, "sizes=(1, 2),")], "mine: sizes must be a tuple of Size, not 1 (int)"),
    _file("a standing that is a word", [("standing=Standing.CONJECTURE", 'standing="conjecture"')],
          "mine: standing must be a Standing, such as Standing.CONJECTURE, not 'conjecture' (str)"),
    _file("a field that is missing", [("    witness=witness,\n", "")],
          "missing 1 required keyword-only argument: 'witness'"),
    _file("a predicate that is a lambda", [("conclusion=conclusion", "conclusion=lambda pair: None")],
          "write predicates as named functions"),
    _file("no construction at any size", [("fits=pairs.diverse", "fits=lambda size: False")],
          "none of its constructions builds at any size", "see `fits`"),
    _file("a construction that raises", [_FAILS, (_TRANSFORMED, "fails,")],
          "the construction 'transformed by every symmetry' raised ZeroDivisionError at M = 1, K = 2, n = 1 (mine.py, ",
          "must build an instance at every size it `fits`"),
    _file("a construction of something else", [_NONE, (_TRANSFORMED, "none,")],
          "the construction 'transformed by every symmetry' built NoneType None at M = 1", "must build a ModelPair"),
    _file("a construction that never ends", [_LOOPS, (_TRANSFORMED, "loops,")],
          "the construction 'transformed by every symmetry', at M = 1, K = 2, n = 1, took longer than", "does it end?"),
    _file("a construction of a bad instance",
          [with_function("from theory import Model\n\n\ndef bad(*_):\n    return Model.of(f=[[1]], g=[[0]])"),
           (_TRANSFORMED, "bad,")],
          "raised ValueError at M = 1", "g has 1 label(s): a softmax needs at least 2"),
    _file("a conclusion that raises", [(_RETURN, "    1 / 0\n" + _RETURN)],
          "mine: conclusion raised ZeroDivisionError (mine.py, line 15): division by zero",
          "return Evidence that fails instead"),
    _file("a conclusion that ends the program", [(_RETURN, "    raise SystemExit(0)\n" + _RETURN)],
          "mine: conclusion raised SystemExit (mine.py, line 15): 0", "return Evidence that fails instead"),
    _file("a conclusion that joins evidence with `and`",
          [(_RETURN, "    return decide.count_is_zero(0, 'a') and decide.count_is_zero(0, 'b')\n" + _RETURN)],
          "mine: conclusion raised TypeError (mine.py, line 15): Evidence is not true or false", "decide.all_of(…)"),
    _file("true_or_false of NaN", [(_RETURN, "    return decide.true_or_false(float('nan'), 'fact')\n" + _RETURN)],
          "mine: conclusion raised TypeError (mine.py, line 15): true_or_false takes True or False, not nan (float)"),
    _file("true_or_false of evidence",
          [(_RETURN, "    return decide.true_or_false(decide.count_is_zero(1, 'fact'), 'fact')\n" + _RETURN)],
          "true_or_false takes True or False, not <Evidence fails (fact = 1, exactly)> (Evidence)"),
    _file("a conclusion that answers True", [(_RETURN, "    return True\n" + _RETURN)],
          "mine: conclusion returned True (bool), not Evidence", "use the functions of theory.decide"),
    _file("a conclusion that never ends", [(_RETURN, "    while True:\n        pass\n" + _RETURN)],
          "mine: a predicate, on one instance, took longer than", "(mine.py, line 15): does it end?"),
    _file("a predicate of an assumption that raises",
          [(BEFORE, "from theory import Assumption\n\n\ndef fails(pair):\n    return 1 / 0\n\n\n" + BEFORE),
           (_ASSUMED, 'assumptions=(Assumption("odd", "it is odd", fails),)')],
          "mine: odd raised ZeroDivisionError"),
    _file("a witness that raises", [_FAILS, ("witness=witness", "witness=fails")],
          "mine: its witness raised ZeroDivisionError (mine.py, line",
          "must build one instance that meets all assumptions"),
    _file("a witness of something else", [_NONE, ("witness=witness", "witness=none")],
          "mine: its witness is NoneType None", "must be a ModelPair"),
    _file("a witness that is no function", [("witness=witness", "witness=witness()")],
          "mine: witness must be a function, not ModelPair("),
    _file("a file that never ends", [(BEFORE, "while True:\n    pass\n\n" + BEFORE)],
          "mine.py: loading it took longer than", "does it end?"),
    _file("a scope that raises",
          [with_function("from theory import Scope\n\n\ndef fails():\n    yield 1 / 0"),
           ("    witness=", '    scope=Scope("all", fails),\n    witness=')],
          "mine: its exhaustive scope raised ZeroDivisionError (mine.py, line", "It must yield every instance and end"),
    _file("a scope that yields something else",
          [with_function("from theory import Scope\n\n\ndef none():\n    yield None"),
           ("    witness=", '    scope=Scope("all", none),\n    witness=')],
          "mine: its exhaustive scope yielded NoneType None", "it must yield a ModelPair"),
    _file("a scope that never begins",
          [with_function("from theory import Scope\n\n\ndef never():\n    while True:\n        pass"),
           ("    witness=", '    scope=Scope("all", never),\n    witness=')],
          "mine: its exhaustive scope, before its first instance, took longer than", "does it end?"),
    _file("a `fits` that never ends", [_LOOPS, (f"{_TRANSFORMED} fits=pairs.diverse", f"{_TRANSFORMED} fits=loops")],
          "mine: `fits` of its constructions, at M = 1, K = 2, n = 1, took longer than", "does it end?"),
    _file("a `fits` that raises", [_FAILS, (f"{_TRANSFORMED} fits=pairs.diverse", f"{_TRANSFORMED} fits=fails")],
          "`fits` of the construction 'transformed by every symmetry' raised ZeroDivisionError", "at every size"),
    _file("contradictory assumptions",
          [_NEVER, ("left_invertible)", 'left_invertible, Assumption("never", "never", never))')],
          "no witness: nothing shows that the assumptions can hold together", "never: fails (never = 1, exactly)",
          code=3),
]  # fmt: skip


# Options ----------------------------------------------------------------------------------------------------------


def _option(case: str, command: str, *said: str, prepare: Prepare = variant) -> Row:
    return Row("Options and names", case, command, 2, said, prepare)


_OPTIONS = [
    _option("no instance", "verification refute mine.py --instances 0",
            "--instances: '0' is not a positive whole number"),
    _option("a number of instances in words", "verification refute mine.py --instances many",
            "'many' is not a positive whole number, such as 1000"),
    _option("a seed in words", "verification refute mine.py --seed lucky", "--seed: 'lucky' is not a whole number"),
    _option("an unknown option", "verification refute mine.py --fast", "unrecognized arguments: --fast"),
    _option("an unknown command", "verification prove mine.py", "invalid choice: 'prove'", "replay"),
    _option("no file", "verification refute", "the following arguments are required: FILE"),
    _option("certificates into a file", "verification refute mine.py --certificates mine.py",
            "certificates cannot be written to mine.py: mine.py is not a folder", "name a folder with --certificates"),
    _option("certificates below a file", "verification refute mine.py --certificates mine.py/more",
            "certificates cannot be written to mine.py/more"),
    _option("an unknown theorem", "theory show linear", "there is no theorem 'linear'", "did you mean"),
    _option("a name that is none", "theory new my-theorem", "'my-theorem' cannot name a theorem",
            "use letters, digits and underscores"),
    _option("a new theorem with a taken name", "theory new stability", "the name 'stability' is taken",
            "choose another"),
    _option("a new theorem that would hide a module", "theory new numpy", "'numpy' is a Python module",
            "choose another"),
    _option("a new theorem where there is one", "theory new mine", "there is a mine.py already", "choose another name"),
]  # fmt: skip


# Certificates -----------------------------------------------------------------------------------------------------


def stored() -> dict[str, Any]:
    """A certificate of the catalogue, as data."""
    return json.loads((ROOT / "verification" / "certificates" / CERTIFICATE).read_text(encoding="utf-8"))


def _changed(**changes: Any) -> Prepare:
    """Write the stored certificate as ``it.json`` with some fields changed; None removes one."""

    def prepare(folder: Path) -> None:
        data = stored()
        for name, value in changes.items():
            if value is None:
                del data[name]
            else:
                data[name] = value(data[name]) if callable(value) else value
        (folder / "it.json").write_text(json.dumps(data), encoding="utf-8")

    return prepare


def _issued_for(**changes: Any) -> Prepare:
    """As an honest certificate of something else, with a checksum that fits."""

    def prepare(folder: Path) -> None:
        from verification.certificates import Certificate

        data = stored()
        certificate = replace(Certificate(**{**data, "evidence": tuple(data["evidence"])}), **changes)
        certificate.save(folder).rename(folder / "it.json")

    return prepare


def _instance(change: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def changed(instance: dict[str, Any]) -> dict[str, Any]:
        change(instance)
        return instance

    return changed


def _with_long_numbers(instance: dict[str, Any]) -> None:
    for model, part, row in (("prime", "f", 0), ("star", "f", 0), ("star", "g", 0), ("prime", "g", 1)):
        instance[model][part][row][0] = "9" * 3999


def _written(content: str | bytes) -> Prepare:
    data = content.encode() if isinstance(content, str) else content
    return lambda folder: (folder / "it.json").write_bytes(data)


def _truncated(folder: Path) -> None:
    (folder / "it.json").write_text(json.dumps(stored())[:300], encoding="utf-8")


def _certificate(case: str, code: int, prepare: Prepare, *said: str) -> Row:
    return Row("Certificates", case, "verification replay it.json", code, said, prepare)


_CERTIFICATES = [
    _certificate("no such file", 2, lambda f: None, "it.json: there is no such file"),
    _certificate("a folder", 2, lambda f: (f / "it.json").mkdir(), "it.json: cannot be read"),
    _certificate("no text", 2, _written(b"\xff\xfe\x00"), "it.json: cannot be read"),
    _certificate("truncated", 2, _truncated, "it.json: truncated or not the JSON of a certificate"),
    _certificate("other JSON", 2, _written("[1, 2]"), "it.json: not a certificate: it has no schema"),
    _certificate("code in place of data", 2, _written("__import__('os').system('true')"),
                 "it.json: truncated or not the JSON of a certificate"),
    _certificate("of another version", 2, _changed(schema="linear-identifiability/certificate/99"),
                 "unknown schema 'linear-identifiability/certificate/99'", "this version reads"),
    _certificate("a field is missing", 2, _changed(evidence=None), "the field 'evidence' is missing"),
    _certificate("a field of another type", 2, _changed(theorem=7), "theorem is 7, which is not of the right type"),
    _certificate("a number that is none", 2, _written('{"schema": NaN}'), "NaN is not a number of JSON"),
    _certificate("tampered: a number changed", 1,
                 _changed(instance=_instance(lambda i: i["prime"].update(f=[["1"], ["1"]]))),
                 "rejected  it.json", "not a counterexample: the recomputed verdict is",
                 "changed after it was written: the content does not match the checksum"),
    _certificate("tampered: an answer changed", 1,
                 _changed(evidence=lambda e: [{**part, "holds": True} for part in e]),
                 "rejected  it.json", "evidence 'common_pairs': holds is True, recomputed False"),
    _certificate("tampered: the note changed", 1, _changed(note="another"),
                 "changed after it was written: the content does not match the checksum"),
    _certificate("stale", 1, _issued_for(digest="sha256:0"),
                 "stale: issued for another wording or code of linear_identifiability", "search again"),
    _certificate("of an unknown theorem", 1, _issued_for(theorem="unheard_of"), "unknown theorem 'unheard_of'"),
    _certificate("of an unknown assumption", 1, _issued_for(dropped="diversity"),
                 "linear_identifiability has no assumption 'diversity'"),
    _certificate("of two things", 1,
                 _issued_for(theorem="linear_identifiability", claim="orthogonal"),
                 "it drops 'common_pairs' and claims 'orthogonal': a certificate does one of them"),
    _certificate("an exact theorem in floating point", 1,
                 _changed(instance=_instance(lambda i: i["prime"].update(f=[["0x1.0p+0"], ["0x1.0p+0"]]))),
                 "its instance is in floating point: linear_identifiability is about exact instances"),
    _certificate("an instance with numbers of thousands of digits", 1,
                 _changed(instance=_instance(_with_long_numbers)),
                 "it cannot be recomputed: Exceeds the limit"),
    _certificate("an instance with an unknown label", 1,
                 _changed(instance=_instance(lambda i: i.update(candidate_sets=[[[0, 9]], [[0, 2]]]))),
                 "the instance is not valid: context 0: candidate set (0, 9) names label 9, but the labels are 0 to 2"),
    _certificate("an instance with an entry that is no number", 1,
                 _changed(instance=_instance(lambda i: i["prime"].update(f=[["__import__('os')"], ["1"]]))),
                 "the instance is not valid: ModelPair.prime.f: row 0, column 0", "is not a rational number"),
    Row("Certificates", "a theorem file that is missing", f"verification replay {CERTIFICATE} --theorems mine.py", 2,
        ("mine.py: there is no such file",)),
]  # fmt: skip


# Under pytest -----------------------------------------------------------------------------------------------------

_MINE = "pytest --pyargs verification --theorems mine.py"


def _under_pytest(case: str, code: int, *said: str, more: str = "", prepare: Prepare = variant) -> Row:
    return Row("Under pytest", case, f"{_MINE} {more}".strip(), code, said, prepare)


def _changing(*changes: Change) -> Prepare:
    return lambda folder: variant(folder, *changes)


def _with_certificate(prepare: Prepare) -> Prepare:
    def both(folder: Path) -> None:
        variant(folder)
        prepare(folder)
        (folder / "it.json").rename(folder / "mine--without-common_pairs.json")

    return both


def _twice(folder: Path) -> None:
    (folder / "again.py").write_text(variant(folder).read_text(encoding="utf-8"), encoding="utf-8")


def _full_disk(folder: Path) -> None:
    variant(folder)
    (folder / "report.json").write_text("old", encoding="utf-8")
    (folder / "full_disk.py").write_text(
        "import errno\nimport os\n\nreplace = os.replace\n\n\ndef full(source, target):\n"
        "    if str(target).endswith('report.json'):\n"
        "        raise OSError(errno.ENOSPC, 'No space left on device')\n"
        "    return replace(source, target)\n\n\nos.replace = full\n",
        encoding="utf-8",
    )


_PYTEST = [
    _under_pytest("no such file", 4, "mine.py: there is no such file", prepare=lambda f: None),
    _under_pytest("a syntax error", 4, "mine.py, line 1: syntax error: invalid syntax",
                  prepare=lambda f: (f / "mine.py").write_text("THEOREM = = 1\n")),
    _under_pytest("no THEOREM", 4, "mine.py: it defines no THEOREM",
                  prepare=lambda f: (f / "mine.py").write_text("x = 1\n")),
    _under_pytest("a name of the catalogue", 4, "the name 'stability' is taken by a theorem of the catalogue",
                  prepare=_changing(('name="mine"', 'name="stability"'))),
    _under_pytest("a name in two files", 4, "again.py: the name 'mine' is used by two files of --theorems",
                  more="--theorems again.py", prepare=_twice),
    _under_pytest("a conclusion that raises", 1, "mine: conclusion raised ZeroDivisionError (mine.py, line 15)",
                  prepare=_changing((_RETURN, "    1 / 0\n" + _RETURN))),
    _under_pytest("a construction that raises", 1, "the construction 'transformed by every symmetry' raised",
                  prepare=_changing(_FAILS, (_TRANSFORMED, "fails,"))),
    _under_pytest("a witness that raises", 1, "mine: its witness raised ZeroDivisionError (mine.py, line",
                  prepare=_changing(_FAILS, ("witness=witness", "witness=fails"))),
    _under_pytest("a conclusion that never ends", 1, "mine: a predicate, on one instance, took longer than",
                  prepare=_changing((_RETURN, "    while True:\n        pass\n" + _RETURN))),
    _under_pytest("an unreadable certificate", 1, "mine--without-common_pairs.json: truncated or not the JSON",
                  prepare=_with_certificate(_truncated)),
    _under_pytest("a certificate of another theorem", 1, "mine--without-common_pairs.json: it is about",
                  prepare=_with_certificate(_changed(note="another"))),
    _under_pytest("nothing selected", 5, "1 deselected", more="-k nothing"),
    _under_pytest("an unknown profile", 4, "--hypothesis-profile=slow: there is no such profile",
                  "this suite has quick, thorough", more="--hypothesis-profile slow"),
    _under_pytest("a seed in words", 4, "--hypothesis-seed=lucky: the seed must be an integer",
                  more="--hypothesis-seed lucky"),
    _under_pytest("an unknown option", 4, "unrecognized arguments: --fast", more="--fast"),
    _under_pytest("a report in no folder", 4, "--report no/report.json: there is no folder no", "create it first",
                  more="--report no/report.json"),
    _under_pytest("a report that is a folder", 4, "--report . is a folder: name a file", more="--report ."),
    _under_pytest("a construction that ends the program", 1, "the construction 'transformed by every symmetry' raised "
                  "SystemExit at M = 1",
                  prepare=_changing(with_function("def ends(*_):\n    raise SystemExit(0)"), (_TRANSFORMED, "ends,"))),
    _under_pytest("certificates in no folder", 4, "--certificates no: there is no such folder", "--certify makes one",
                  more="--certificates no"),
    _under_pytest("certificates in a file", 4, "--certificates mine.py: mine.py is not a folder",
                  more="--certificates mine.py --certify"),
    Row("Under pytest", "a disk that fills while the report is written", f"{_MINE} -p full_disk --report report.json",
        4, ("the report could not be written, an older report.json is unchanged", "No space left on device"),
        _full_disk, shown=f"{_MINE} --report report.json"),
]  # fmt: skip

ROWS = [*_INSTANCES, *_FILES, *_OPTIONS, *_CERTIFICATES, *_PYTEST]
