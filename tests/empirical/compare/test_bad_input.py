"""Bad input ends with exit code 2 and one line that says what is wrong, which value, and what to do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from empirical.__main__ import main
from tests.empirical.compare.pairs import equivalent, model, save, unbiased
from tests.verification.running import ROOT, run

STAR = model(rows=40, labels=8, dim=2)
PRIME = equivalent(STAR)


def with_nan(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    f = arrays["f"].copy()
    f[5, 1] = np.nan
    return {**arrays, "f": f}


def files(**of_names: dict[str, np.ndarray]) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        for name, arrays in of_names.items():
            save(folder / f"{name}.npz", arrays)

    return prepare


def with_text(name: str, text: str) -> Callable[[Path], None]:
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
CASES: list[tuple[str, Callable[[Path], None], str, tuple[str, ...]]] = [
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


@pytest.mark.parametrize(("prepare", "command", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_bad_input(
    prepare: Callable[[Path], None],
    command: str,
    said: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert main(["compare", *command.split()]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    for fragment in said:
        assert fragment in printed.err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--seed=-1", "'-1' is not a whole number from 0"),
        ("--seed=x", "'x' is not a whole number from 0"),
        ("--variance=0", "'0' is not a share above 0 and up to 1"),
        ("--variance=nan", "'nan' is not a share"),
        ("--resamples=3", "'3' is not a whole number from 20"),
        ("--colour", "unrecognized arguments: --colour"),
    ],
)
def test_bad_options(option: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["compare", "a.npz", "b.npz", option])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"), [(["compar"], "did you mean compare?"), ([], "name a command"), (["x"], "no command 'x'")]
)
def test_unknown_commands(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_an_unwritable_report_is_said_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    BOTH(tmp_path)
    monkeypatch.setattr("empirical.writing.os.access", lambda *_: False)  # root may write anywhere
    assert main(["compare", "a.npz", "b.npz", "--report", "r.json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "is not writable" in printed.err


def test_a_failed_write_leaves_the_old_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    files(a=unbiased(STAR), b=unbiased(PRIME))(tmp_path)
    (tmp_path / "r.json").write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("empirical.writing.os.replace", full)
    assert main(["compare", "a.npz:f=f", "b.npz:f=f", "--report", "r.json", "--resamples", "20"]) == 2
    assert "r.json could not be written: No space left on device" in capsys.readouterr().err
    assert (tmp_path / "r.json").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "b.npz", "r.json"]


def test_in_a_process_of_its_own_there_is_no_traceback(tmp_path: Path) -> None:
    done = run("-m", "empirical", "compare", "a.npz", "b.npz", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: a.npz: there is no such file\n"


def test_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("empirical.compare.command.compare", interrupt)
    assert main(["compare", "a.npz", "b.npz"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_a_reader_that_has_seen_enough(tmp_path: Path) -> None:
    BOTH(tmp_path)
    command = f"{sys.executable} -m empirical compare a.npz b.npz --resamples 20 | head -n 1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.stderr == ""
    assert done.stdout.startswith("A: a.npz")
