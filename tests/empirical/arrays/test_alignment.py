"""Labels in another order are put right by their names; rows and groups must fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from empirical.arrays import LoadedModel, Side, align_labels, check_rows, groups_of, load, name_files, with_label_names
from empirical.errors import InputError

F = np.random.default_rng(0).normal(size=(6, 2))
G = np.random.default_rng(1).normal(size=(4, 2))
BIAS = np.array([1.0, 2.0, 3.0, 4.0])
ORDER = [2, 0, 3, 1]
NAMES = ["a", "b", "c", "d"]


@pytest.fixture
def sides(tmp_path: Path) -> list[Side]:
    """Two files with the same model, whose labels stand in another order in the second."""
    np.savez(tmp_path / "a.npz", f=F, g=G, bias=BIAS, n=np.array(NAMES), k=np.array([0, 0, 1, 1, 2, 2]))
    shuffled = np.array(NAMES)[ORDER]
    np.savez(tmp_path / "b.npz", f=F, g=G[ORDER], bias=BIAS[ORDER], n=shuffled, k=np.array([0, 0, 1, 1, 2, 3]))
    return [Side.parse(str(tmp_path / name)) for name in ("a.npz", "b.npz")]


def loaded(sides: list[Side], names: str = "") -> list[LoadedModel]:
    return [load(Side.parse(f"{side}{names}"), letter)[0] for side, letter in zip(sides, "AB", strict=True)]


def check_aligned(models: list[LoadedModel]) -> None:
    first, second = models
    assert first.g is not None
    assert second.g is not None
    assert second.bias is not None
    np.testing.assert_array_equal(second.g.values, G)
    np.testing.assert_array_equal(second.bias.values, BIAS)
    assert second.notes == ("labels of B are put into the order of A: 4 of 4 moved",)
    assert first.notes == ()


def test_names_in_the_files_align(sides: list[Side]) -> None:
    check_aligned(align_labels(loaded(sides, ":f=f,g=g,bias=bias,labels=n")))


def test_a_file_of_names_for_each_side(sides: list[Side], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\nb\nc\nd\n")
    (tmp_path / "b.txt").write_text("c\r\na\r\nd\r\nb")
    names = name_files([tmp_path / "a.txt", tmp_path / "b.txt"], 2)
    check_aligned(align_labels(with_label_names(loaded(sides), names)))


def test_a_byte_order_mark_belongs_to_no_name(sides: list[Side], tmp_path: Path) -> None:
    (tmp_path / "names.tsv").write_text("\ufeffa\tc\nb\ta\nc\td\nd\tb\n", encoding="utf-8")
    assert name_files([tmp_path / "names.tsv"], 2)[0] == ("a", "b", "c", "d")
    (tmp_path / "groups.txt").write_text("\ufeff1\n1\n1\n2\n2\n2\n", encoding="utf-8")
    assert groups_of(str(tmp_path / "groups.txt"), sides, 6).tolist() == [0, 0, 0, 1, 1, 1]


def test_groups_of_a_name_that_is_too_long(sides: list[Side]) -> None:
    with pytest.raises(InputError, match="cannot be read: File name too long"):
        groups_of("k" * 5000, sides, 6)


def test_one_file_with_a_column_for_each_side(sides: list[Side], tmp_path: Path) -> None:
    (tmp_path / "names.tsv").write_text("a\tc\nb\ta\nc\td\nd\tb\n")
    check_aligned(align_labels(with_label_names(loaded(sides), name_files([tmp_path / "names.tsv"], 2))))


def test_without_names_labels_are_paired_by_position(sides: list[Side]) -> None:
    second = align_labels(loaded(sides))[1]
    assert second.g is not None
    np.testing.assert_array_equal(second.g.values, G[ORDER])


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (["a\nb\nc\nd", "a\nb\nc\nc"], "label name 'c' of B stands twice, at 2 and 3"),
        (["a\nb\nc\nd", "a\nb\nc\ne"], r"1 label\(s\) of A are missing from B: 'd'"),
        (["a\nb\nc\nd", "a\nb\nc"], "3 label names, but g of B has 4 labels"),
        (["a\tb\nc\td\ne\tf\ng"], "line 4: 1 columns for 2 sides"),
        (["", "a\nb\nc\nd"], "is empty: write one name a line"),
        (["a", "b", "c"], "given 3 times for 2 sides"),
    ],
)
def test_bad_names(files: list[str], said: str, sides: list[Side], tmp_path: Path) -> None:
    paths = [tmp_path / f"{i}.txt" for i in range(len(files))]
    for path, text in zip(paths, files, strict=True):
        path.write_text(text)
    with pytest.raises(InputError, match=said):
        align_labels(with_label_names(loaded(sides), name_files(paths, 2)))


def test_a_file_of_names_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        name_files([tmp_path / "no.txt"], 2)
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="is not text in UTF-8"):
        name_files([tmp_path / "b.txt"], 2)


def test_names_of_one_side_only(sides: list[Side]) -> None:
    models = [load(Side.parse(f"{sides[0]}:f=f,g=g,labels=n"), "A")[0], load(sides[1], "B")[0]]
    with pytest.raises(InputError, match="the labels of B have no names"):
        align_labels(models)


def test_other_numbers_of_labels_and_of_rows(tmp_path: Path, sides: list[Side]) -> None:
    np.savez(tmp_path / "c.npz", f=F[:5], g=G[:3])
    models = [load(sides[0], "A")[0], load(Side.parse(str(tmp_path / "c.npz")), "B")[0]]
    with pytest.raises(InputError, match="A has 4 labels and B has 3"):
        align_labels(models)
    with pytest.raises(InputError, match=r"has 6 rows and f of B .* has 5: row i of each must come from the same"):
        check_rows(models)


def test_groups_by_name_and_from_files(sides: list[Side], tmp_path: Path) -> None:
    (tmp_path / "groups.txt").write_text("x\nx\ny\ny\nz\nz\n")
    np.save(tmp_path / "groups.npy", np.array([7, 7, 8, 8, 9, 9]))
    expected = [0, 0, 1, 1, 2, 2]
    assert groups_of("k", sides[:1], 6).tolist() == expected
    assert groups_of(str(tmp_path / "groups.txt"), sides, 6).tolist() == expected
    assert groups_of(str(tmp_path / "groups.npy"), sides, 6).tolist() == expected


@pytest.mark.parametrize(
    ("text", "rows", "said"),
    [
        ("k", 6, "hold different groups of that name"),
        ("nowhere", 6, "neither an array of .* nor a file"),
        ("f", 6, "one axis of text or integers"),
        ("n", 6, "hold different groups"),
        ("few.txt", 6, r"shape \(2,\), but there are 6 rows"),
        ("same.txt", 2, "all rows are of one group"),
    ],
)
def test_bad_groups(
    text: str, rows: int, said: str, sides: list[Side], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.txt").write_text("x\ny\n")
    (tmp_path / "same.txt").write_text("x\nx\n")
    with pytest.raises(InputError, match=said):
        groups_of(text, sides, rows)
