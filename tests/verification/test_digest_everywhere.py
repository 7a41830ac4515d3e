"""Digests are the same in every supported Python, so certificates do not go stale when Python is updated."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.verification.running import ROOT, run
from theory.catalogue import catalogue
from theory.digest import digest
from verification.certificates import STORED, load

DIGESTS = f"""
import json, sys
sys.path.insert(0, {str(ROOT)!r})
from theory.catalogue import catalogue
from theory.digest import digest
third_party = sorted({{"flint", "hypothesis", "numpy", "sympy"}} & set(sys.modules))
print(json.dumps([list(sys.version_info[:2]), third_party, {{n: digest(t) for n, t in catalogue().items()}}]))
"""


def interpreter(version: str) -> Path:
    """An interpreter of this version installed by pyenv; skips the test where there is none."""
    found = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    if not found:
        pytest.skip(f"there is no Python {version} under ~/.pyenv/versions")
    return found[-1]


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_same_digests_in_every_python(version: str) -> None:
    """With the standard library only: ``-I -S`` leaves out what is installed."""
    command = [str(interpreter(version)), "-I", "-S", "-B", "-c", DIGESTS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    used, third_party, digests = json.loads(done.stdout)
    assert used == [int(part) for part in version.split(".")]
    assert third_party == []
    assert digests == {name: digest(theorem) for name, theorem in catalogue().items()}


def test_same_digests_in_every_process() -> None:
    """Whatever the order of sets happens to be: here it is one, in this process another."""
    done = run("-c", DIGESTS, env={"PYTHONHASHSEED": "1"})
    assert done.returncode == 0, done.stderr
    _, _, digests = json.loads(done.stdout)
    assert digests == {name: digest(theorem) for name, theorem in catalogue().items()}


def test_stored_certificates_are_for_these_statements() -> None:
    stored = {(certificate.theorem, certificate.digest) for certificate in map(load, STORED.glob("*.json"))}
    assert stored == {(name, digest(theorem)) for name, theorem in catalogue().items()}
