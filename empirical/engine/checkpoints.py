"""Checkpoints of an ensemble through Orbax: written atomically, checked by a digest, falling back to the one before.

While an ensemble trains, its newest two checkpoints are kept, so that a damaged one costs little; once it is done, one.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np
import orbax.checkpoint as ocp

from empirical.engine.program import Program, State
from empirical.errors import InputError

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Restored:
    """A state, the number of chunks that it has seen, and what had to be passed over to find it."""

    state: State
    chunk: int
    damaged: tuple[str, ...]


class Checkpoints:
    """The checkpoints of one ensemble in a folder of its own; a context manager."""

    def __init__(self, folder: Path, program: Program, tell: Callable[[str], None]) -> None:
        self.folder, self.program, self.tell = folder, program, tell
        self._open()

    def _open(self) -> None:
        options = ocp.CheckpointManagerOptions(
            max_to_keep=2, enable_async_checkpointing=False, step_format_fixed_length=8, create=True
        )
        self._manager = ocp.CheckpointManager(self.folder.absolute(), options=options)

    def __enter__(self) -> Checkpoints:
        return self

    def __exit__(self, *_: object) -> None:
        self._manager.close()

    def newest(self) -> int | None:
        """The number of chunks seen by the newest checkpoint, damaged or not."""
        return self._manager.latest_step()

    def save(self, state: State, chunk: int) -> None:
        """Write a checkpoint; the state is left as it is.  Raises ``InputError`` where it cannot be written."""
        record = {"schema": SCHEMA, "members": len(self.program.order), "digest": self._digest(state)}
        try:
            self._manager.save(
                chunk,
                args=ocp.args.Composite(state=ocp.args.StandardSave(_leaves(state)), record=ocp.args.JsonSave(record)),
                force=True,
            )
        except (OSError, ValueError) as error:
            raise InputError(
                f"the checkpoint could not be written to {self.folder}: {_first_line(error)}; make room there, then "
                "run again with --resume"
            ) from error

    def keep_only(self, chunk: int) -> None:
        """Delete all checkpoints but one."""
        for other in self._manager.all_steps():
            if other != chunk:
                self._manager.delete(other)

    def restore(self) -> Restored | None:
        """The newest checkpoint that is whole; None where there is none at all.

        What is damaged is told and deleted.  Raises ``InputError`` for a newer schema and for another number of
        members on the devices.
        """
        damaged: list[str] = []
        for chunk in sorted(self._manager.all_steps(), reverse=True):
            try:
                state = self._read(chunk)
            except InputError:
                raise
            # Orbax and TensorStore raise many types for one damaged file.
            except Exception as error:
                damaged.append(f"checkpoint {chunk} in {self.folder} is damaged ({_first_line(error)})")
                self.tell(f"{damaged[-1]}; falling back to the one before it")
                self._forget(chunk)
                continue
            return Restored(state, chunk, tuple(damaged))
        if damaged:
            self.tell(f"no checkpoint in {self.folder} is whole: starting again from step 0")
        return None

    def _forget(self, chunk: int) -> None:
        self._manager.delete(chunk)
        self._manager.close()
        self._open()

    def _read(self, chunk: int) -> State:
        read = self._manager.restore(chunk, args=ocp.args.Composite(record=ocp.args.JsonRestore()))
        record = dict(read["record"])
        if record["schema"] > SCHEMA:
            raise InputError(
                f"checkpoint {chunk} in {self.folder} has schema {record['schema']}, and this version reads up to "
                f"{SCHEMA}: resume with the version that wrote it"
            )
        if record["members"] != len(self.program.order):
            raise InputError(
                f"checkpoint {chunk} in {self.folder} holds {record['members']} members, padding included, and the "
                f"devices here ask for {len(self.program.order)}: resume on the number of devices it was made with"
            )
        shapes = self.program.shapes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of TensorStore about damaged files: the digest decides
            read = self._manager.restore(
                chunk, args=ocp.args.Composite(state=ocp.args.StandardRestore(_leaves(shapes)))
            )
        leaves = read["state"]
        state = jax.tree.unflatten(jax.tree.structure(shapes), [leaves[name] for name in sorted(leaves)])
        if self._digest(state) != record["digest"]:
            raise ValueError("its digest does not fit its arrays")
        return state

    def _digest(self, state: State) -> str:
        """SHA-256 of all arrays, from their bytes and shapes: the same on every process."""
        found = hashlib.sha256()
        for name, leaf in _leaves(self.program.gathered(state)).items():
            array = np.ascontiguousarray(leaf)
            found.update(json.dumps([name, list(array.shape), str(array.dtype)]).encode())
            found.update(array.tobytes())
        return found.hexdigest()


def _leaves(state: State) -> dict[str, Any]:
    """The arrays by a number that sorts as they lie: a file needs no knowledge of Optax' types."""
    return {f"{i:06}": leaf for i, leaf in enumerate(jax.tree.leaves(state))}


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
