"""Pairs of models of the softmax family, and files of them."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

Model = dict[str, np.ndarray]


def model(rows: int = 120, labels: int = 12, dim: int = 3, seed: int = 0) -> Model:
    """A random model: f (rows, dim), g (labels, dim), bias (labels,)."""
    rng = np.random.default_rng(seed)
    return {"f": rng.normal(size=(rows, dim)), "g": rng.normal(size=(labels, dim)), "bias": rng.normal(size=labels)}


def unbiased(model: Model) -> Model:
    return {name: array for name, array in model.items() if name != "bias"}


def equivalent(star: Model, seed: int = 1) -> Model:
    """Another model with the same distributions: f' = A f*, g' = A⁻ᵀ g* + c; logits shift by f'·c, the same for all."""
    rng = np.random.default_rng(seed)
    dim = star["f"].shape[1]
    A, c = rng.normal(size=(dim, dim)) + 2 * np.eye(dim), rng.normal(size=dim)
    return {**star, "f": star["f"] @ A.T, "g": star["g"] @ np.linalg.inv(A) + c}


def permuted(model: Model, seed: int = 2) -> Model:
    """The same model with the rows of f in another order."""
    return {**model, "f": np.random.default_rng(seed).permutation(model["f"])}


def noisy(model: Model, size: float, seed: int = 3) -> Model:
    """The same model with noise on f, of ``size`` times its standard deviation."""
    rng = np.random.default_rng(seed)
    return {**model, "f": model["f"] + size * model["f"].std() * rng.normal(size=model["f"].shape)}


def save_bfloat16(path: Path, arrays: Model) -> str:
    """A .safetensors file of the arrays, rounded to the nearest bfloat16, ties to even."""
    header, content = {}, b""
    for name, array in arrays.items():
        bits = array.astype("<f4").view("<u4")
        rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2").tobytes()
        place = [len(content), len(content) + len(rounded)]
        header[name] = {"dtype": "BF16", "shape": list(array.shape), "data_offsets": place}
        content += rounded
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + content)
    return str(path)


def save(path: Path, arrays: Model) -> str:
    np.savez(path, **arrays)  # pyright: ignore[reportArgumentType]
    return str(path)
