"""Files of named arrays: one reader for each format, behind one small protocol."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from empirical.errors import InputError

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """An array as NumPy sees it, and the type it has in the file (bfloat16 is none of NumPy's)."""

    values: Array
    dtype: str


class Container(Protocol):
    """A file that holds named arrays."""

    @property
    def path(self) -> Path: ...

    @property
    def names(self) -> Sequence[str]:
        """The names of its arrays, in the file's order."""
        ...

    def read(self, name: str) -> Stored:
        """The array of that name, which is one of ``names``.  Raises ``InputError`` where it cannot be read."""
        ...


def open_container(path: Path) -> Container:
    """The reader for a file, chosen by its ending.

    Raises ``InputError`` where there is no such file, it is a folder, it cannot be read, it is cut off or no file of
    its kind, or its ending is not one of ``ENDINGS``.
    """
    reader = _readers().get(path.suffix.lower())
    folder = os.path.isdir(path)  # unlike Path.is_dir it raises nothing, such as of a name that is too long
    if reader is None and not folder:
        ending = f"the ending {path.suffix!r}" if path.suffix else "no ending"
        raise InputError(f"{path} has {ending}: arrays are read from {', '.join(ENDINGS)} files")
    if folder:
        raise InputError(f"{path} is a folder: name a file in it that ends in {', '.join(ENDINGS)}")
    if not exists(path):
        raise InputError(f"{path}: there is no such file{_near_file(path)}")
    if not os.access(path, os.R_OK):
        raise InputError(f"{path} cannot be read: permission denied")
    assert reader is not None
    try:
        return reader(path)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


ENDINGS = (".npy", ".npz", ".safetensors", ".h5", ".hdf5")


def exists(path: Path) -> bool:
    """Is there such a file?  Raises ``InputError`` where that cannot be told, as of a name that is too long."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    return True


def _readers() -> dict[str, Callable[[Path], Container]]:
    from empirical.arrays.hdf5 import Hdf5File
    from empirical.arrays.npy import NpyFile
    from empirical.arrays.npz import NpzFile
    from empirical.arrays.safetensors import SafetensorsFile

    return dict(zip(ENDINGS, (NpyFile, NpzFile, SafetensorsFile, Hdf5File, Hdf5File), strict=True))


def _near_file(path: Path) -> str:
    """A remark on a file beside it whose name is nearly the same."""
    try:
        beside = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    near = difflib.get_close_matches(path.name, beside, n=1, cutoff=0.75)
    return f"; did you mean {path.parent / near[0]}?" if near else ""


def truncated(path: Path, detail: str) -> InputError:
    """The error for a file that ends too early or is damaged."""
    return InputError(f"{path} is cut off or damaged: {detail}; copy or write it again")
