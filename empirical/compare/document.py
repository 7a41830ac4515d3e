"""The comparison as data: every number with all its digits, what it was computed from, and with which versions."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from empirical.arrays import LoadedModel, NamedArray
from empirical.compare.numbers import plain
from empirical.compare.results import Comparison, PairResult
from theory.versions import versions

SCHEMA = "linear-identifiability/compare/1"
PACKAGES = ("linear-identifiability", "numpy", "scipy", "safetensors", "h5py")


def document(comparison: Comparison) -> dict[str, Any]:
    """The report as plain data, without NaN or infinities; equal runs give equal documents."""
    return plain(
        {
            "schema": SCHEMA,
            "versions": versions(PACKAGES),
            "sides": comparison.sides,
            "inputs": inputs(comparison),
            "options": asdict(comparison.options),
            "rows": comparison.models[0].rows,
            "groups": comparison.group_count,
            "notes": comparison.notes,
            "matrices": [asdict(matrix) for matrix in comparison.matrices],
            "pairs": [_pair(pair) for pair in comparison.pairs],
            "sentence": comparison.sentence,
        }
    )


def as_json(comparison: Comparison) -> str:
    return json.dumps(document(comparison), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def inputs(comparison: Comparison) -> list[dict[str, Any]]:
    """The arrays of each model with the file they came from, and its SHA-256."""
    sums = {path: sha256(path) for path in dict.fromkeys(model.path for model in comparison.models)}
    return [_input(model, sums[model.path]) for model in comparison.models]


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _input(model: LoadedModel, digest: str) -> dict[str, Any]:
    arrays = {role: _array(getattr(model, role)) for role in ("f", "g", "bias")}
    return {"letter": model.letter, "file": str(model.path), "sha256": digest, **arrays}


def _array(array: NamedArray | None) -> dict[str, Any] | None:
    if array is None:
        return None
    shapes = {"stored_shape": array.stored_shape, "shape": array.values.shape}
    return {"name": array.name, "dtype": array.stored_dtype, **shapes}


def _pair(pair: PairResult) -> dict[str, Any]:
    return {
        "names": pair.names,
        "measures": [asdict(row) for row in pair.rows],
        "ranks": None if pair.ranks is None else [asdict(rank) for rank in pair.ranks],
        "singular_values": pair.spectra,
        "chance_correlations": pair.chance_correlations,
        "diagnosis": None if pair.diagnosis is None else pair.diagnosis.to_json(),
        "undiagnosed": pair.undiagnosed,
        "sentence": pair.sentence,
    }
