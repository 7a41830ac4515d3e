"""Arrays in a ``.npz`` archive; pickles are never loaded."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

import numpy as np

from empirical.arrays.container import Stored, truncated
from empirical.arrays.npy import read_header
from empirical.errors import InputError

_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError)


class NpzFile:
    """A ``.npz`` file: each member is an array, called as the member is without ``.npy``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with zipfile.ZipFile(path) as archive:
                members = archive.namelist()
        except _DAMAGED as error:
            raise truncated(path, f"not a whole archive ({error})") from error
        self.names = tuple(member.removesuffix(".npy") for member in members if member.endswith(".npy"))

    def read(self, name: str) -> Stored:
        what = f"{name!r} in {self.path}"
        try:
            with zipfile.ZipFile(self.path) as archive:
                member = archive.getinfo(f"{name}.npy")
                with archive.open(member) as file:
                    header = read_header(file, self.path, what)
                # Before it is loaded: a wrong header may ask for more memory than there is.
                if header.size != member.file_size:
                    raise truncated(self.path, f"{name!r} has {member.file_size:,} of {header.size:,} bytes")
                with archive.open(member) as file:
                    values = np.lib.format.read_array(file, allow_pickle=False)
        except InputError:
            raise
        except _DAMAGED as error:
            raise truncated(self.path, f"{name!r}: {error}") from error
        return Stored(values, str(values.dtype))
