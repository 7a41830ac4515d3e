"""The folder of a run: ``config.json metrics.jsonl checkpoints/ representations.npz outcome.json``.

All but the metrics is written in one step, and the metrics line by line; a line that a kill tore is dropped on resume.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from empirical.errors import InputError
from empirical.writing import write_atomically

SCHEMA = 1
#: What must not change between a run and its resumption; predictions are those of before training.
KEPT = ("experiment", "settings", "seeds", "predictions")


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


class RunFolder:
    """One run on disk.  ``writes`` is False on all processes but the first: they read, and write nothing."""

    def __init__(self, path: Path, writes: bool = True) -> None:
        self.path, self.writes = path, writes
        self._handle: int | None = None  # holds the lock

    @property
    def checkpoints(self) -> Path:
        return self.path / "checkpoints"

    def begin(self, config: Mapping[str, Any], resume: bool) -> None:
        """Make the folder, or take it up again.

        Raises ``InputError`` when it exists and is not to be resumed, when there is nothing to resume, when the run
        in it has another configuration or a newer schema, when another process is at work in it, and when it cannot be
        written.
        """
        try:
            self._begin(config, resume)
        except OSError as error:
            raise InputError(f"the folder {self.path} cannot be used: {error.strerror or error}") from error

    def _begin(self, config: Mapping[str, Any], resume: bool) -> None:
        exists = (self.path / "config.json").exists()
        if resume and not exists:
            raise InputError(f"there is no run in {self.path} to resume: leave --resume out, or name its folder")
        if exists and not resume:
            raise InputError(f"{self.path} holds a run already: continue it with --resume, or choose another --out")
        if exists:
            self._lock()
            self._check_same(config)
        elif self.writes:
            if self.path.exists() and not self.path.is_dir():
                raise InputError(f"{self.path} is a file: choose another --out")
            if self.path.exists() and any(self.path.iterdir()):
                raise InputError(f"{self.path} is not empty and holds no run: choose another --out")
            self.checkpoints.mkdir(parents=True, exist_ok=True)
            self._lock()
            self.write_json("config.json", {"schema": SCHEMA, **config})

    def _lock(self) -> None:
        """Keep others from writing into the folder as long as this process lives."""
        if not self.writes or self._handle is not None:
            return
        handle = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise InputError(
                f"another process is at work in {self.path}: wait for it, or choose another --out"
            ) from None
        except OSError:  # some network disks have no locks
            os.close(handle)
            return
        self._handle = handle

    def close(self) -> None:
        """Let others write into the folder."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __del__(self) -> None:
        self.close()

    def _check_same(self, config: Mapping[str, Any]) -> None:
        stored = self.read_json("config.json")
        for name in KEPT:
            ours, theirs = json.loads(json.dumps(config.get(name))), stored.get(name)
            if ours == theirs:
                continue
            if name == "predictions":
                raise InputError(
                    f"the predictions in {self.path / 'config.json'} are others than this version makes: resume with "
                    "the version that wrote them"
                )
            if isinstance(ours, dict) and isinstance(theirs, dict):
                key = next(k for k in sorted({*ours, *theirs}) if ours.get(k) != theirs.get(k))
                name, ours, theirs = key, ours.get(key), theirs.get(key)
            raise InputError(
                f"the run in {self.path} has {name} {theirs!r}, and this one {ours!r}: resume with the same settings, "
                "or choose another --out"
            )

    def read_json(self, name: str) -> dict[str, Any]:
        """A JSON file of the run.  Raises ``InputError`` when it is missing, is not JSON or has a newer schema."""
        path = self.path / name
        try:
            read = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path} is not JSON ({error}): the run is damaged") from error
        if not isinstance(read, dict) or not isinstance(read.get("schema"), int):
            raise InputError(f"{path} has no schema: it was not written by a run")
        if read["schema"] > SCHEMA:
            raise InputError(
                f"{path} has schema {read['schema']}, and this version reads up to {SCHEMA}: use a newer version"
            )
        return read

    def write_json(self, name: str, content: Mapping[str, Any]) -> None:
        if self.writes:
            text = json.dumps(content, indent=1, allow_nan=False, ensure_ascii=False)
            write_atomically(self.path / name, f"{text}\n".encode())

    def write_arrays(self, name: str, arrays: Mapping[str, np.ndarray]) -> None:
        if self.writes:
            buffer = io.BytesIO()
            np.savez(buffer, **dict(arrays))  # pyright: ignore[reportArgumentType]  # NumPy's stub takes no mapping
            write_atomically(self.path / name, buffer.getvalue())

    def arrays(self, name: str = "representations.npz") -> dict[str, np.ndarray]:
        """All arrays of a file.  Raises ``InputError`` when it is missing or damaged."""
        path = self.path / name
        try:
            with np.load(path, allow_pickle=False) as read:
                return dict(read)
        except Exception as error:  # zipfile, zlib, NumPy and the system each have their own
            raise InputError(f"{path} cannot be read ({error}): the run is unfinished or damaged") from error

    # Metrics --------------------------------------------------------------------------------------------------------

    def add_metrics(self, line: Mapping[str, Any]) -> None:
        """Append one line.  What is not a finite number must come as None."""
        if not self.writes:
            return
        try:
            with (self.path / "metrics.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, allow_nan=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(f"{self.path / 'metrics.jsonl'} cannot be written: {error.strerror or error}") from error

    def metrics(self) -> list[dict[str, Any]]:
        """All whole lines, oldest first."""
        path = self.path / "metrics.jsonl"
        if not path.exists():
            return []
        found: list[dict[str, Any]] = []
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                read = json.loads(line)
                found.append({**read, "ensemble": str(read["ensemble"]), "step": int(read["step"])})
            except (ValueError, TypeError, KeyError):
                break  # torn by a kill; what follows it cannot be newer
        return found

    def last_step(self, ensemble: str) -> int | None:
        """The step of the newest line of an ensemble."""
        return max((line["step"] for line in self.metrics() if line["ensemble"] == ensemble), default=None)

    def forget_metrics_after(self, ensemble: str, step: int) -> None:
        """Drop the lines of an ensemble beyond the step that training goes on from, and a torn last line."""
        if self.writes and (self.path / "metrics.jsonl").exists():
            kept = [m for m in self.metrics() if m["ensemble"] != ensemble or m["step"] <= step]
            content = "".join(json.dumps(line) + "\n" for line in kept)
            write_atomically(self.path / "metrics.jsonl", content.encode())
