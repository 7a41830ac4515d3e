"""Arrays in NumPy's own format, memory-mapped so that a big one streams; pickles are never loaded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any

import numpy as np

from empirical.arrays.container import Stored, truncated
from empirical.errors import InputError


@dataclass(frozen=True, slots=True)
class Header:
    """What stands before the numbers of an array, and how many bytes it takes with them."""

    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[Any]
    offset: int
    size: int


def read_header(file: IO[bytes], path: Path, what: str) -> Header:
    """The header at the start of ``file``.

    Raises ``InputError`` where there is none, or the array holds Python objects: those are stored as pickles, which
    can run code.
    """
    try:
        version = np.lib.format.read_magic(file)
        readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        if version not in readers:
            raise InputError(f"{what} is in version {version[0]}.{version[1]} of NumPy's format; save it again")
        shape, fortran, dtype = readers[version](file)
    except InputError:
        raise
    except (ValueError, TypeError, EOFError, SyntaxError, TokenError) as error:
        raise truncated(path, f"{what} does not start as NumPy's format does") from error
    if any(type(size) is not int or size < 0 for size in shape):  # True is an int, too
        raise truncated(path, f"{what} says that its shape is {shape}")
    if dtype.hasobject:
        raise InputError(
            f"{what} holds Python objects (pickled), which are never loaded: save it as float64 or float32"
        )
    offset = file.tell()
    return Header(shape, fortran, dtype, offset, offset + math.prod(shape) * dtype.itemsize)


class NpyFile:
    """A ``.npy`` file: one array, which is f."""

    names = ("f",)

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            self._header = read_header(file, path, str(path))
        there = path.stat().st_size
        if there < self._header.size:
            raise truncated(path, f"it has {there:,} of {self._header.size:,} bytes")

    def read(self, name: str) -> Stored:
        header = self._header
        if 0 in header.shape:  # which cannot be mapped
            return Stored(np.empty(header.shape, header.dtype), str(header.dtype))
        order = "F" if header.fortran else "C"
        values = np.memmap(self.path, header.dtype, "r", header.offset, header.shape, order)
        return Stored(values, str(header.dtype))
