"""Arrays in an HDF5 file."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

from empirical.arrays.container import Stored, truncated
from empirical.errors import InputError


class Hdf5File:
    """An HDF5 file: its data sets, called by their paths, such as ``model/f``.  Links are not followed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        names: list[str] = []
        try:
            with h5py.File(path, "r") as file:
                file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        except (OSError, RuntimeError) as error:
            raise truncated(path, str(error)) from error
        self.names = tuple(names)

    def read(self, name: str) -> Stored:
        try:
            with h5py.File(self.path, "r") as file:
                data = file[name]
                assert isinstance(data, h5py.Dataset)
                text = h5py.check_string_dtype(data.dtype) is not None
                values = np.asarray(data.asstr()[()], dtype=np.str_) if text else np.asarray(data[()])
                return Stored(values, str(data.dtype))
        except UnicodeDecodeError as error:
            raise InputError(f"{name!r} in {self.path} is not text in UTF-8: {error.reason}") from error
        except (OSError, RuntimeError) as error:
            raise truncated(self.path, f"{name!r}: {error}") from error
