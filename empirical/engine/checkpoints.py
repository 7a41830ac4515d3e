"""Checkpoints of an ensemble through Orbax: written atomically, checked by a digest, falling back to the one before.

While an ensemble trains, its newest two checkpoints are kept, so that a damaged one costs little; once it is done, one.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections import Counter
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
    """A state, None where no checkpoint is whole; the chunks it has seen; what had to be passed over to find it."""

    state: State | None
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
        record = {"schema": SCHEMA, **self._made_for(), "digest": self._digest(state)}
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

    def restore(self) -> Restored:
        """The newest checkpoint that is whole.

        What is damaged is told and deleted.  Raises ``InputError`` for what is whole and does not fit: a newer schema,
        other devices, or arrays of other shapes or types.
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
                del error
                continue
            return Restored(state, chunk, tuple(damaged))
        if damaged:
            damaged.append(f"no checkpoint in {self.folder} was whole: begun again from step 0")
            self.tell(damaged[-1])
        return Restored(None, 0, tuple(damaged))

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
        for name, ours in self._made_for().items():
            if record.get(name) != ours:
                raise InputError(
                    f"checkpoint {chunk} in {self.folder} was made with {name} {record.get(name)}, and this run has "
                    f"{ours}: resume with what it was made with, or the numbers would be others"
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

    def _made_for(self) -> dict[str, str]:
        """What the bits of a run depend on besides its configuration."""
        mesh, device = self.program.mesh, self.program.mesh.devices.flat[0]
        arrays = Counter(str(leaf.dtype) for leaf in jax.tree.leaves(self.program.shapes()))
        return {
            "members": f"{len(self.program.order)}, padding included",
            "devices": f"{mesh.shape['members']} x {mesh.shape['batch']} {device.device_kind}",
            "arrays": ", ".join(f"{count} of {dtype}" for dtype, count in sorted(arrays.items())),
        }

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
