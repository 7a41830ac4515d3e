"""What people get wrong in ``python -m empirical``: comparing models, training, and reports."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.bad_input.rows import Prepare, Row
from tests.empirical.compare.pairs import equivalent, model, save

STAR = model(rows=40, labels=8, dim=2)
PRIME = equivalent(STAR)


def with_nan(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    f = arrays["f"].copy()
    f[5, 1] = np.nan
    return {**arrays, "f": f}


def files(**of_names: dict[str, np.ndarray]) -> Prepare:
    def prepare(folder: Path) -> None:
        for name, arrays in of_names.items():
            save(folder / f"{name}.npz", arrays)

    return prepare


def with_text(name: str, text: str) -> Prepare:
    def prepare(folder: Path) -> None:
        files(a=STAR, b=PRIME)(folder)
        (folder / name).write_text(text)

    return prepare


def cut(folder: Path) -> None:
    files(a=STAR, b=PRIME)(folder)
    (folder / "b.npz").write_bytes((folder / "a.npz").read_bytes()[:-20])


def with_folder(folder: Path) -> None:
    files(a=STAR, b=PRIME)(folder)
    (folder / "r.json").mkdir()


BOTH = files(a=STAR, b=PRIME)
FEW = {"f": STAR["f"][:3]}
_COMPARED: list[tuple[str, Prepare, str, tuple[str, ...]]] = [
    ("one side", BOTH, "a.npz", ("name two sides or more",)),
    ("rows that differ", files(a=STAR, b={**PRIME, "f": PRIME["f"][:30]}), "a.npz b.npz",
     ("f of A (a.npz, 'f') has 40 rows", "f of B (b.npz, 'f') has 30", "must come from the same input")),
    ("few rows", files(a=FEW, b=FEW), "a.npz b.npz", ("rows", "at least")),
    ("one row", files(a={"f": STAR["f"][:1]}, b={"f": STAR["f"][:1]}), "a.npz b.npz", ("1 row", "at least 2")),
    ("NaN", files(a=STAR, b=with_nan(PRIME)), "a.npz b.npz", ("f of B", "is NaN at row 5, column 1")),
    ("integers", files(a=STAR, b={"f": np.ones((40, 2), int)}), "a.npz b.npz", ("f of B", "holds integers (int64)")),
    ("empty", files(a=STAR, b={"f": np.ones((0, 2))}), "a.npz b.npz", ("f of B", "is empty: its shape is (0, 2)")),
    ("no variance", files(a={"f": STAR["f"]}, b={"f": np.ones((40, 2))}), "a.npz b.npz", ("f of B", "constant")),
    ("unknown array", BOTH, "a.npz:f=ff a.npz:f=f", ("a.npz has no array 'ff'", "did you mean f")),
    ("empty pattern", BOTH, "a.npz:f=layer.* b.npz", ("the pattern 'layer.*' matches none", "bias, f, g")),
    ("one file twice", BOTH, "a.npz ./a.npz", ("a.npz stands for two sides", "f=NAME1")),
    ("g of another dimension", files(a=STAR, b={**PRIME, "g": np.ones((8, 5))}), "a.npz b.npz",
     ("g of B", "8 x 5 and f has 2 columns")),
    ("labels that differ", files(a=STAR, b={"f": PRIME["f"], "g": PRIME["g"][:7]}), "a.npz b.npz",
     ("A has 8 labels and B has 7",)),
    ("cut file", cut, "a.npz b.npz", ("b.npz is cut off or damaged",)),
    ("missing file", BOTH, "a.npz c.npz", ("c.npz: there is no such file",)),
    ("folder", with_folder, "a.npz r.json", ("r.json is a folder",)),
    ("unknown ending", with_text("b.csv", "1,2"), "a.npz b.csv", ("ending '.csv'", ".npy, .npz, .safetensors")),
    ("report of unknown ending", BOTH, "a.npz b.npz --report r.pdf", ("--report r.pdf", ".json, .html, .png, .tex")),
    ("report without ending", BOTH, "a.npz b.npz --report r", ("--report r has no ending",)),
    ("report that is a folder", with_folder, "a.npz b.npz --report r.json", ("--report r.json is a folder",)),
    ("report in no folder", BOTH, "a.npz b.npz --report no/r.json", ("there is no folder no",)),
    ("label twice", with_text("n.txt", "a\nb\nc\nd\ne\nf\ng\ng\n"),
     "a.npz b.npz --label-names n.txt --label-names n.txt",
     ("label name 'g' of A stands twice, at 6 and 7",)),
    ("label missing", with_text("n.tsv", "".join(f"{i}\t{i if i else 9}\n" for i in range(8))),
     "a.npz b.npz --label-names n.tsv", ("missing from B: '0'",)),
    ("label names of one side", with_text("n.txt", "a\nb\nc\nd\ne\nf\ng\nh\n"), "a.npz b.npz --label-names n.txt",
     ("line 1: 1 columns for 2 sides",)),
    ("label names without g", files(a={"f": STAR["f"]}, b=PRIME), "a.npz b.npz --label-names n --label-names n",
     ("n: there is no such file",)),
    ("groups of another length", with_text("k.txt", "1\n2\n"), "a.npz b.npz --groups k.txt",
     ("--groups k.txt: shape (2,), but there are 40 rows",)),
    ("unknown groups", BOTH, "a.npz b.npz --groups k", ("neither an array of a.npz, b.npz nor a file",)),
]  # fmt: skip

_OPTIONS = [
    ("a seed below 0", "--seed=-1", "'-1' is not a whole number from 0"),
    ("a seed that is no number", "--seed=x", "'x' is not a whole number from 0"),
    ("no share of the variance", "--variance=0", "'0' is not a share above 0 and up to 1"),
    ("NaN for a share", "--variance=nan", "'nan' is not a share"),
    ("too few resamples", "--resamples=3", "'3' is not a whole number from 20"),
    ("an unknown option", "--colour", "unrecognized arguments: --colour"),
]

_NAME = "simulated_classification"
_RUN = [
    ("unknown experiment", "simulated_clasification", "there is no experiment 'simulated_clasification'; did you mean"),
    ("unknown preset", f"{_NAME} --preset labtop", "there is no preset 'labtop'; did you mean laptop?"),
    ("unknown setting", f"{_NAME} --set step=3", f"no setting of {_NAME} 'step'; did you mean steps?"),
    ("a setting without a value", f"{_NAME} --set steps", "--set 'steps': write KEY=VALUE"),
    ("a word for a number", f"{_NAME} --set steps=many", "cannot be read: give a whole number, such as steps=8000"),
    ("NaN", f"{_NAME} --set rate=nan", "rate='nan' cannot be read: give a finite number"),
    ("a sweep written wrongly", f"{_NAME} --set widths=8.5", "give whole numbers with commas, such as widths=8,32"),
    ("one label", f"{_NAME} --set labels_swept=1,5", "labels_swept is 1; it must be 2 or more"),
    ("labels that are too few", f"{_NAME} --set labels=4", "labels is 4; it must be dim + 1 = 5 or more"),
    ("a value of a sweep twice", f"{_NAME} --set labels_swept=5,5", "labels_swept holds 5 twice"),
    ("a width that is there already", f"{_NAME} --set widths=128", "widths holds 128, the width of the main students"),
    ("part of a chunk", f"{_NAME} --set steps=149", "steps is 149; it must be a multiple of chunk, 100, such as 100"),
    ("too many steps", f"{_NAME} --set steps=9999999999", "steps is 9999999999; it must be 2147483647 or less"),
    ("more rows than fit", f"{_NAME} --set rows=400000000", "rows is 400000000; it must be 10000000 or less"),
    ("a seed below 0", f"{_NAME} --set teacher_seed=-1", "teacher_seed is -1; it must be 0 or more"),
    ("more directions than the teacher has", f"{_NAME} --set dim=40 --set labels=50", "has 32 units only"),
    ("a setting twice", f"{_NAME} --set steps=100 --set steps=200", "--set steps is given twice"),
    ("an infinite rate", f"{_NAME} --set rate=1e400", "rate='1e400' cannot be read: give a finite number"),
    ("no experiment", "", "name an experiment; `python -m empirical list` shows them"),
    ("a rate below 0", f"{_NAME} --set rate=-1", "rate is -1.0; it must be above 0"),
    ("unknown activation", f"{_NAME} --set activation=relu", "activation is 'relu'; it is one of tanh, gelu"),
    ("more examples than data", f"{_NAME} --set examples=99999", "examples holds 99999, more than the pool of 32768"),
    ("one seed", f"{_NAME} --seeds 1", "--seeds 1: take 2 to 4096"),
    ("NaN seconds", f"{_NAME} --save-every nan", "--save-every nan: take a number of seconds, 0 or more"),
    ("a part of several processes", f"{_NAME} --coordinator localhost:1", "go together: give all three or none"),
]
_RUN_IN_A_PROCESS = [
    ("nothing to resume", f"{_NAME} --resume --out none", "there is no run in none to resume"),
    ("a folder of something else", f"{_NAME} --out .", "is not empty and holds no run"),
    ("a file for a folder", f"{_NAME} --out a.npz", "a.npz is a file: choose another --out"),
    ("a coordinator without a port", f"{_NAME} --coordinator here --processes 1 --process 0", "write HOST:PORT"),
    ("more devices than there can be", f"{_NAME} --devices 3000", "3000 devices: there must be 1 to 256"),
]
_REPORT = [
    ("no such folder", "none", "there is no folder none"),
    ("a folder without a run", ".", "holds no run"),
    ("a run that is not finished", "begun", "is not finished: go on with --resume"),
    ("a run twice", "begun ./begun", "begun is named twice"),
    ("something else", "other", "is not what a run writes"),
]


def _begun(folder: Path) -> None:
    (folder / "begun").mkdir()
    (folder / "begun" / "config.json").write_text("{}")
    (folder / "other").mkdir()
    for name in ("config.json", "outcome.json"):
        (folder / "other" / name).write_text('{"schema": 1}')


ROWS = [
    *(Row("Comparing models", case, f"empirical compare {command}", 2, said, prepare)
      for case, prepare, command, said in _COMPARED),
    *(Row("Comparing models", case, f"empirical compare a.npz b.npz {option}", 2, (said,), BOTH)
      for case, option, said in _OPTIONS),
    Row("Training", "unknown command", "empirical compar", 2, ("did you mean compare?",)),
    *(Row("Training", case, f"empirical run {command} --quiet", 2, (said,), shown=f"empirical run {command}")
      for case, command, said in _RUN),
    *(Row("Training", case, f"empirical run {command} --quiet", 2, (said,), BOTH, f"empirical run {command}", True)
      for case, command, said in _RUN_IN_A_PROCESS),
    *(Row("Training", f"report of {case}", f"empirical report {folder}", 2, (said,), _begun)
      for case, folder, said in _REPORT),
]  # fmt: skip
