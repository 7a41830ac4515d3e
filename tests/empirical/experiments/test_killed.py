"""The whole command, killed three times and resumed: the same run as one that was left alone, bit for bit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import theory

ROOT = Path(theory.__file__).parents[1]
#: Two ensembles, so that a kill can come in the first, between them, or in the second.
SETTINGS = {
    "width": 32, "steps": 1000, "batch": 128, "rate": 0.01, "pool": 2048, "rows": 256, "labels_swept": "",
    "widths": "", "examples": "64,512", "sweep_steps": 1000, "radial_labels": "", "inputs": 4, "dim": 2, "labels": 5,
    "chunk": 25,
}  # fmt: skip
CHUNKS = 80


def started(out: Path, *further: str) -> subprocess.Popen[bytes]:
    settings = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
    return subprocess.Popen(
        [sys.executable, "-m", "empirical", "run", "simulated_classification", "--preset", "smoke", "--quiet",
         "--devices", "2", "--save-every", "0", "--out", str(out), *further, *settings],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip


def finished(process: subprocess.Popen[bytes]) -> None:
    try:
        _, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode in (0, 1, 3), err.decode()[-3000:]


def chunks_of(out: Path) -> int:
    return len((out / "metrics.jsonl").read_text().splitlines()) if (out / "metrics.jsonl").exists() else 0


def left(out: Path) -> tuple[dict[str, object], dict[str, np.ndarray], str]:
    """The outcome without what may differ, the arrays, and the metrics."""
    outcome = json.loads((out / "outcome.json").read_text())
    for name in ("seconds", "damaged"):
        del outcome[name]
    with np.load(out / "representations.npz") as arrays:
        return outcome, dict(arrays), (out / "metrics.jsonl").read_text()


def test_killed_at_three_moments_and_resumed(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    uninterrupted = started(whole)
    finished(uninterrupted)
    rng = np.random.default_rng(0)
    for wanted in sorted(rng.integers(1, CHUNKS - 5, size=3)):
        process = started(killed, *(["--resume"] if killed.exists() else []))
        while chunks_of(killed) < wanted and process.poll() is None:
            time.sleep(0.002)
        time.sleep(float(rng.uniform(0, 0.05)))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL, "it was done before it was killed"
    finished(started(killed, "--resume"))
    (outcome, arrays, metrics), (expected, representations, lines) = left(killed), left(whole)
    assert outcome == expected
    assert metrics == lines
    assert arrays.keys() == representations.keys()
    assert all(np.array_equal(arrays[name], value) for name, value in representations.items())
