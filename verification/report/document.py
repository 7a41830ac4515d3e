"""The JSON report of a run: everything the table is made of, and what was used to make it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from theory.files import write_atomically
from verification.results import SCHEMA, Result
from verification.versions import versions


def document(results: Sequence[Result], profile: str, seed: int) -> dict[str, Any]:
    """Return the report as plain data.  Only the keys called ``seconds`` differ between equal runs."""
    return {
        "schema": SCHEMA,
        "profile": profile,
        "seed": seed,
        "versions": versions(),
        "confirmed": all(result.confirmed for result in results),
        "theorems": [result.to_json() for result in results],
        "seconds": sum(result.seconds for result in results),
    }


def write(path: Path, results: Sequence[Result], profile: str, seed: int) -> None:
    """Write the report atomically; an older report stays if writing fails.  Raises ``OSError``."""
    text = json.dumps(document(results, profile, seed), indent=2, ensure_ascii=False, allow_nan=False)
    write_atomically(path, text + "\n")
