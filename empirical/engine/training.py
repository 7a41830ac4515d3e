"""Train an ensemble to its last step: from the start, or from the newest whole checkpoint of its run folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from empirical.engine import devices
from empirical.engine.checkpoints import Checkpoints
from empirical.engine.ensemble import Ensemble, Member
from empirical.engine.interrupts import Stopping
from empirical.engine.program import Program, State
from empirical.engine.progress import Bar
from empirical.engine.run_folder import RunFolder

#: ``watch(apply)`` looks at the members between chunks: ``apply(function, *arguments)`` gives
#: ``function(networks, variant, *arguments)`` of every member on the host.  What it returns goes into the metrics, and
#: "similarity" into the progress bar too.
Apply = Callable[..., Any]
Watch = Callable[[Apply], dict[str, float | list[float | None] | None]]


class Interrupted(Exception):
    """Training stopped because it was asked to, and can be resumed."""


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """Members after training.  ``loss`` (members,) is the mean over the last chunk; ``seconds`` are this process's."""

    ensemble: Ensemble
    loss: np.ndarray
    seconds: float
    program: Program
    state: State
    damaged: tuple[str, ...]

    @property
    def diverged(self) -> tuple[Member, ...]:
        """Members whose loss is not a finite number; they belong into no average."""
        return tuple(m for m, loss in zip(self.ensemble.members, self.loss, strict=True) if not np.isfinite(loss))

    def apply(self, function: Callable[..., Any], *arguments: Any, untrained: bool = False) -> Any:
        """``function(networks, variant, *arguments)`` of every member: NumPy arrays (members, …)."""
        return self.program.apply(function)(self.program.start() if untrained else self.state, *arguments)


def train(
    ensemble: Ensemble,
    folder: RunFolder,
    watch: Watch | None = None,
    watch_every: int = 10,
    save_every: float = 20.0,
    shown: bool = False,
) -> Trained:
    """Train what is left to train, and leave one checkpoint in the folder, of the last step.

    ``watch`` is asked every ``watch_every`` chunks and after the last; ``save_every`` is in seconds.  On Ctrl-C or
    SIGTERM a checkpoint is written at the end of the chunk and ``Interrupted`` raised.  A resumed run gives the bits of
    an uninterrupted one on the same machine with the same number of devices: every chunk is a function of the state
    before it and of its number alone.
    """
    mesh = devices.mesh_for(len(ensemble.members), ensemble.batch)
    program = Program(ensemble, mesh)
    begun = time.monotonic()
    shown = shown and devices.is_first()

    def looked_at(state: State) -> Apply:
        return lambda function, *arguments: program.apply(function)(state, *arguments)

    with (
        Stopping() as stopping,
        Bar(ensemble.name, ensemble.steps, shown) as bar,
        Checkpoints(folder.checkpoints / ensemble.name, program, bar.say) as checkpoints,
    ):
        restored = checkpoints.restore()
        state, chunk = (restored.state, restored.chunk) if restored else (program.start(), 0)
        folder.forget_metrics_after(ensemble.name, chunk * ensemble.chunk if restored else -1)
        bar.resumed_at(chunk * ensemble.chunk)
        saved, saved_at = chunk if restored else -1, time.monotonic()
        if restored is None and watch is not None:
            folder.add_metrics({"ensemble": ensemble.name, "step": 0, **watch(looked_at(state))})
        while chunk < ensemble.chunks:
            state = program.advance(state)
            losses = program.to_host(state.loss)
            chunk += 1
            step = chunk * ensemble.chunk
            seen = watch(looked_at(state)) if watch and (chunk % watch_every == 0 or chunk == ensemble.chunks) else {}
            folder.add_metrics({"ensemble": ensemble.name, "step": step, "loss": finite(losses), **seen})
            bar.update(step, losses, seen.get("similarity"))
            asked = _anywhere(stopping.asked)
            if asked or chunk == ensemble.chunks or _anywhere(time.monotonic() - saved_at >= save_every):
                checkpoints.save(state, chunk)
                saved, saved_at = chunk, time.monotonic()
            if asked and chunk < ensemble.chunks:
                raise Interrupted(f"{ensemble.name} stopped after step {step} of {ensemble.steps}")
        checkpoints.keep_only(saved)
    damaged = restored.damaged if restored else ()
    return Trained(ensemble, program.to_host(state.loss), time.monotonic() - begun, program, state, damaged)


def finite(values: np.ndarray) -> list[float | None]:
    """Numbers for JSON: what is not finite becomes None."""
    return [float(v) if np.isfinite(v) else None for v in values]


def _anywhere(flag: bool) -> bool:
    """Does any process say so?  All must do the same, since they save together."""
    if jax.process_count() == 1:
        return flag
    from jax.experimental import multihost_utils

    return bool(np.any(multihost_utils.process_allgather(np.asarray(flag))))
