"""Rehearsing a replay: what ``python -m verification replay`` will say of a certificate that is to be written.

A counterexample can be one that no replay can compute again: with a field that JSON does not hold, or a theorem file
that needs FLINT.  Whoever is handed such a certificate would take the counterexample for a forgery.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from theory.catalogue import catalogue
from theory.loading import BadTheorem, load_file
from theory.theorem import Theorem
from verification.budget import OutOfTime, limit
from verification.certificates import Certificate, UnreadableCertificate, parsed
from verification.independence import hidden
from verification.replay import replay


def rehearse(certificates: Sequence[Certificate], file: Path) -> dict[str, str]:
    """The first problem of each certificate that has one, by file name: the theorem's file is loaded anew, without
    FLINT and Hypothesis, and the certificates are read back from what would be written."""
    with hidden("flint", "hypothesis", "theory.arithmetic.exact"):
        try:
            with limit(f"{file}: loading it"), redirect_stdout(io.StringIO()):  # what it prints, it has printed
                theorem = load_file(file)
        except (BadTheorem, OutOfTime) as error:
            return {certificate.file_name: str(error) for certificate in certificates}
        found = {certificate.file_name: _problem(certificate, theorem) for certificate in certificates}
    return {name: problem for name, problem in found.items() if problem}


def _problem(certificate: Certificate, theorem: Theorem[Any]) -> str:
    try:
        problems = replay(
            parsed(certificate.text, certificate.file_name), {**catalogue(), theorem.name: theorem}
        ).problems
    except UnreadableCertificate as error:
        return str(error).removeprefix(f"{certificate.file_name}: ")
    return problems[0] if problems else ""
