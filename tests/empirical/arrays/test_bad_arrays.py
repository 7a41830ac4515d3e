"""Each way in which a file or an array is unusable is said with its place, its value and what to do."""

from __future__ import annotations

import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from safetensors.numpy import save_file

from empirical.arrays import Side, load
from empirical.errors import InputError

F = np.random.default_rng(0).normal(size=(7, 3))
G = np.random.default_rng(1).normal(size=(5, 3))


class Trap:
    """Leaves a file behind where it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return os.mkdir, (str(self.path),)


def changed(row: int, column: int, value: float) -> np.ndarray:
    array = F.copy()
    array[row, column] = value
    return array


def npz(name: str = "a.npz", **arrays: np.ndarray) -> Callable[[Path], None]:
    return lambda folder: np.savez(folder / name, **arrays)  # pyright: ignore[reportArgumentType]


def npy(array: np.ndarray) -> Callable[[Path], None]:
    return lambda folder: np.save(folder / "a.npy", array)


def cut(write: Callable[[Path], None], name: str, off: int) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        write(folder)
        path = folder / name
        path.write_bytes(path.read_bytes()[:-off])

    return prepare


def flipped(write: Callable[[Path], None], name: str, at: int) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        write(folder)
        content = bytearray((folder / name).read_bytes())
        content[at] ^= 0xFF
        (folder / name).write_bytes(content)

    return prepare


def bytes_as(name: str, content: bytes) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return prepare


def safetensors(folder: Path) -> None:
    save_file({"f": F}, folder / "a.safetensors")


def hdf5(folder: Path) -> None:
    with h5py.File(folder / "a.h5", "w") as file:
        file["model/f"] = F
        file["words"] = ["x", "y"]


def no_text(folder: Path) -> None:
    """Names of labels that are bytes, and no text in UTF-8."""
    names = [b"a", b"\xff", b"c", b"d", b"e"]
    np.savez(folder / "a.npz", f=F, g=G, n=np.array(names), u=np.array([0x110000] * 5, "<u4").view("<U1"))
    with h5py.File(folder / "a.h5", "w") as file:
        file["f"], file["g"] = F, G
        file.create_dataset("n", data=names, dtype=h5py.string_dtype())


def shaped(shape: str) -> Callable[[Path], None]:
    """A header with another shape."""
    return header(b"(7, 3), }", f"{shape}, }}".encode())


def header(old: bytes, new: bytes) -> Callable[[Path], None]:
    """A header of the same length with something else in it."""

    def prepare(folder: Path) -> None:
        npy(F)(folder)
        first, _, rest = (folder / "a.npy").read_bytes().partition(b"\n")
        changed = first.rstrip().replace(old, new)
        assert changed != first.rstrip()
        (folder / "a.npy").write_bytes(changed.ljust(len(first)) + b"\n" + rest)

    return prepare


def huge(folder: Path) -> None:
    """A header that asks for more memory than any machine has, in an archive of a few bytes."""
    np.save(folder / "small.npy", np.ones((1, 1)))
    content = (folder / "small.npy").read_bytes().replace(b"(1, 1), }         ", b"(9999999999, 9), }")
    (folder / "f.npy").write_bytes(content)
    with zipfile.ZipFile(folder / "a.npz", "w") as archive:
        archive.write(folder / "f.npy", "f.npy")


def nothing(folder: Path) -> None:
    """No file at all."""


CASES: list[tuple[str, Callable[[Path], None], str, tuple[str, ...]]] = [
    ("missing file", nothing, "a.npz", ("a.npz: there is no such file",)),
    ("nearly that file", npz("model_a.npz", f=F), "model-a.npz", ("no such file; did you mean", "model_a.npz?")),
    ("folder", lambda folder: (folder / "d.npz").mkdir(), "d.npz", ("is a folder", ".npy, .npz, .safetensors, .h5")),
    ("unknown ending", bytes_as("a.mat", b"x"), "a.mat", ("ending '.mat'", ".npy, .npz, .safetensors, .h5, .hdf5")),
    ("no ending", bytes_as("a", b"x"), "a", ("has no ending",)),
    ("cut npy", cut(npy(F), "a.npy", 30), "a.npy", ("is cut off or damaged", "266 of 296 bytes")),
    ("empty npy", bytes_as("a.npy", b""), "a.npy", ("is cut off or damaged", "does not start as NumPy's format does")),
    ("other npy", bytes_as("a.npy", b"PK text"), "a.npy", ("is cut off or damaged",)),
    ("cut npz", cut(npz(f=F), "a.npz", 10), "a.npz", ("is cut off or damaged", "not a whole archive")),
    ("damaged npz", flipped(npz(f=F), "a.npz", 230), "a.npz", ("is cut off or damaged: 'f'", "CRC")),
    ("negative shape", shaped("(-7, -3)"), "a.npy", ("is cut off or damaged", "its shape is (-7, -3)")),
    ("a truth value in a shape", shaped("(True, 3)"), "a.npy", ("is cut off or damaged", "its shape is (True, 3)")),
    ("text in a shape", shaped("('7', 3)"), "a.npy", ("is cut off or damaged",)),
    ("a header of other keys", header(b"'descr'", b"1"), "a.npy", ("is cut off or damaged",)),
    ("a header without its end", header(b"}", b""), "a.npy", ("is cut off or damaged",)),
    ("labels of other bytes", no_text, "a.npz:f=f,g=g,labels=n", ("'n' in a.npz is not text in UTF-8", "0xff")),
    ("labels beyond Unicode", no_text, "a.npz:f=f,g=g,labels=u", ("'u' in a.npz is not text in UTF-8",)),
    ("labels of other bytes, h5", no_text, "a.h5:f=f,g=g,labels=n", ("'n' in a.h5 is not text in UTF-8",)),
    ("a long name", nothing, "x" * 5000 + ".npz", ("cannot be read: File name too long",)),
    ("a long name with roles", nothing, "x" * 5000 + ":w=f", ("'w' names no role",)),
    ("boasting npz", huge, "a.npz", ("is cut off or damaged: 'f' has",)),
    ("cut safetensors", cut(safetensors, "a.safetensors", 5), "a.safetensors", ("is cut off or damaged",)),
    ("empty safetensors", bytes_as("a.safetensors", b""), "a.safetensors", ("is cut off or damaged",)),
    ("cut h5", cut(hdf5, "a.h5", 500), "a.h5", ("is cut off or damaged", "truncated file")),
    ("no h5", bytes_as("a.h5", b"text"), "a.h5", ("is cut off or damaged", "signature")),
    ("no f", npz(x=F, y=F), "a.npz", ("has no array 'f'", "it has x, y", "a.npz:f=NAME")),
    ("nearly f", npz(layer_1=F), "a.npz:f=layr_1", ("has no array 'layr_1': did you mean layer_1?",)),
    ("group of h5", hdf5, "a.h5:f=model", ("has no array 'model': did you mean model/f?",)),
    ("empty pattern", npz(layer_1=F), "a.npz:f=block*", ("pattern 'block*' matches none", "it has layer_1")),
    ("pattern with g", npz(l1=F, g=G), "a.npz:f=l*,g=g", ("g belongs to one f", "leave g out")),
    ("pattern as g", npz(f=F, g=G), "a.npz:f=f,g=*", ("g=* is a pattern",)),
    ("unknown role", npz(f=F), "a.npz:w=f", ("'w' names no role", "f, g, bias, labels")),
    ("no name", npz(f=F), "a.npz:f=", ("nothing stands after f=",)),
    ("role twice", npz(f=F), "a.npz:f=f,f=f", ("f= stands twice",)),
    ("names without f", npz(f=F, g=G), "a.npz:g=g", ("f= is missing",)),
    ("bias without g", npz(f=F, b=G[:, 0]), "a.npz:f=f,bias=b", ("bias goes with g",)),
    ("labels without g", npz(f=F, b=G[:, 0]), "a.npz:f=f,labels=b", ("labels goes with g",)),
    ("NaN", npz(f=changed(4, 2, np.nan)), "a.npz", ("f of A", "is NaN at row 4, column 2 (counted from 0)")),
    ("infinity", npz(f=changed(6, 0, -np.inf)), "a.npz", ("is infinite at row 6, column 0",)),
    ("NaN by columns", npy(np.asfortranarray(changed(4, 2, np.nan))), "a.npy", ("is NaN at row 4, column 2",)),
    ("NaN in g", npz(f=F, g=G * [[1, 1, np.nan]]), "a.npz", ("g of A", "is NaN at row 0, column 2")),
    ("NaN in bias", npz(f=F, g=G, bias=np.array([1, 2, np.nan, 4, 5])), "a.npz", ("bias of A", "is NaN at row 2 (")),
    ("integers", npz(f=np.ones((7, 3), int)), "a.npz", ("holds integers (int64)", "must be floating-point")),
    ("truth values", npz(f=F > 0), "a.npz", ("holds truth values (bool)",)),
    ("complex", npz(f=F + 1j), "a.npz", ("holds complex numbers (complex128)",)),
    ("text", hdf5, "a.h5:f=words", ("holds text",)),
    ("no rows", npz(f=F[:0]), "a.npz", ("is empty: its shape is (0, 3)",)),
    ("no rows in npy", npy(F[:0]), "a.npy", ("is empty: its shape is (0, 3)",)),
    ("no columns", npz(f=F[:, :0]), "a.npz", ("is empty: its shape is (7, 0)",)),
    ("one axis", npz(f=F[:, 0]), "a.npz", ("has shape (7,)", "two axes, (rows, dimensions)", ".reshape(7, 1)")),
    ("three axes", npz(f=F[:, :, None]), "a.npz", ("has shape (7, 3, 1)", ".reshape(len(f), -1)")),
    ("g of other dim", npz(f=F, g=np.ones((5, 4))), "a.npz", ("'g' is 5 x 4", "f has 3 columns", "g=g.T")),
    ("g.T of other dim", npz(f=F, g=G), "a.npz:f=f,g=g.T", ("g.T is 3 x 5 and f has 3 columns",)),
    ("square g", npz(f=F, g=G[:3]), "a.npz", ("either way round", "write g=g if its rows", "g=g.T if its columns")),
    ("one label", npz(f=F, g=G[:1]), "a.npz", ("has 1 label: a softmax needs at least 2",)),
    ("bias of other labels", npz(f=F, g=G, bias=np.ones(4)), "a.npz", ("bias of A", "(4,)", "5 labels")),
    ("labels of two axes", npz(f=F, g=G), "a.npz:f=f,g=g,labels=g", ("names are one axis of text or integers",)),
    ("too few labels", npz(f=F, g=G, n=np.arange(4)), "a.npz:f=f,g=g,labels=n", ("4 label names", "has 5 labels")),
    ("label twice", npz(f=F, g=G, n=np.array(list("abcab"))), "a.npz:f=f,g=g,labels=n", ("'a' of A", "at 0 and 3")),
]  # fmt: skip


@pytest.mark.parametrize(("prepare", "side", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_it_is_said_what_is_wrong(
    prepare: Callable[[Path], None], side: str, said: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)
    with pytest.raises(InputError) as error:
        load(Side.parse(side), "A")
    for fragment in said:
        assert fragment in str(error.value)


@pytest.mark.parametrize("name", ["a.npy", "a.npz"])
def test_pickles_are_never_loaded(name: str, tmp_path: Path) -> None:
    trap = np.array([Trap(tmp_path / "sprung")], dtype=object)
    if name == "a.npy":
        np.save(tmp_path / name, trap, allow_pickle=True)
    else:
        np.savez(tmp_path / name, f=trap)
    with pytest.raises(InputError, match=r"Python objects \(pickled\), which are never loaded"):
        load(Side.parse(str(tmp_path / name)), "A")
    assert not (tmp_path / "sprung").exists()
    np.load(tmp_path / name, allow_pickle=True)["f" if name == "a.npz" else ...]
    assert (tmp_path / "sprung").exists(), "the trap does not work"


def test_a_bare_pickle_is_never_loaded(tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    with pytest.raises(InputError, match="does not start as NumPy's format does"):
        load(Side.parse(str(tmp_path / "a.npy")), "A")
    assert not (tmp_path / "sprung").exists()
