"""Arrays in a ``.safetensors`` file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from empirical.arrays.container import Array, Stored, truncated
from empirical.errors import InputError

_NUMPY = {"F64": "float64", "F32": "float32", "F16": "float16"} | {
    f"{kind}{bits}": f"{name}{bits}" for kind, name in (("I", "int"), ("U", "uint")) for bits in (8, 16, 32, 64)
}


class SafetensorsFile:
    """A ``.safetensors`` file, whose header and length are checked as it is opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with safe_open(path, framework="numpy") as file:
                self.names = tuple(file.keys())
        except SafetensorError as error:
            raise truncated(path, str(error)) from error

    def read(self, name: str) -> Stored:
        with safe_open(self.path, framework="numpy") as file:
            kind = file.get_slice(name).get_dtype()
            if kind in _NUMPY:
                return Stored(file.get_tensor(name), _NUMPY[kind])
        if kind == "BF16":
            return Stored(self._bfloat16(name), "bfloat16")
        raise InputError(f"{name!r} in {self.path} is of type {kind}: save it as F64, F32, F16 or BF16")

    def _bfloat16(self, name: str) -> Array:
        """bfloat16 as float32, exactly: its 16 bits are the upper half of a float32, and NumPy has no such type."""
        with self.path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            entry = json.loads(file.read(length))[name]
            start, end = entry["data_offsets"]
            file.seek(8 + length + start)
            halves = np.frombuffer(file.read(end - start), "<u2")
        return (halves.astype(np.uint32) << 16).view(np.float32).reshape(entry["shape"])
