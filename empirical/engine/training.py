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

#: ``watch(apply, well)`` looks at the members between chunks: ``apply(function, *arguments)`` gives
#: ``function(networks, variant, *arguments)`` of every member on the host, and ``well`` (members,) says which have not
#: diverged.  What it returns goes into the metrics, and "similarity" into the progress bar too.
Apply = Callable[..., Any]
Watch = Callable[[Apply, np.ndarray], dict[str, float | list[float | None] | None]]

#: A loss that no network of these experiments has unless it runs away: in nats, or in squared units of order 1.
HOPELESS = 1e6


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
        """Members whose loss is not a finite number or is hopeless; they belong into no average."""
        return tuple(m for m, well in zip(self.ensemble.members, do_well(self.loss), strict=True) if not well)

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
        Checkpoints(folder.checkpoints / ensemble.name, program, bar.warn) as checkpoints,
    ):
        restored = checkpoints.restore()
        damaged = list(restored.damaged)
        fresh, chunk = restored.state is None, restored.chunk
        state = program.start() if restored.state is None else restored.state
        folder.forget_metrics_after(ensemble.name, -1 if fresh else chunk * ensemble.chunk)
        if not fresh and folder.last_step(ensemble.name) != chunk * ensemble.chunk:
            damaged.append(f"metrics.jsonl lacks lines of {ensemble.name} up to step {chunk * ensemble.chunk}")
            bar.warn(damaged[-1])
        bar.resumed_at(chunk * ensemble.chunk)
        saved, saved_at = -1 if fresh else chunk, time.monotonic()
        if fresh and watch is not None:
            everyone = np.ones(len(ensemble.members), dtype=bool)
            folder.add_metrics({"ensemble": ensemble.name, "step": 0, **watch(looked_at(state), everyone)})
        while chunk < ensemble.chunks:
            state = program.advance(state)
            losses = program.to_host(state.loss)
            chunk += 1
            step = chunk * ensemble.chunk
            look = watch is not None and (chunk % watch_every == 0 or chunk == ensemble.chunks)
            seen = watch(looked_at(state), do_well(losses)) if watch is not None and look else {}
            folder.add_metrics({"ensemble": ensemble.name, "step": step, "loss": finite(losses), **seen})
            bar.update(step, losses, seen.get("similarity"))
            asked = _anywhere(stopping.asked)
            if asked or chunk == ensemble.chunks or _anywhere(time.monotonic() - saved_at >= save_every):
                checkpoints.save(state, chunk)
                saved, saved_at = chunk, time.monotonic()
            if asked and chunk < ensemble.chunks:
                raise Interrupted(f"{ensemble.name} stopped after step {step} of {ensemble.steps}")
        checkpoints.keep_only(saved)
        if _anywhere(stopping.asked):
            raise Interrupted(f"{ensemble.name} is done, and the run stopped after it")
    return Trained(ensemble, program.to_host(state.loss), time.monotonic() - begun, program, state, tuple(damaged))


def do_well(losses: np.ndarray) -> np.ndarray:
    """Which members have not diverged (members,)."""
    return np.isfinite(losses) & (np.abs(losses) <= HOPELESS)


def finite(values: np.ndarray) -> list[float | None]:
    """Numbers for JSON: what is not finite becomes None."""
    return [float(v) if np.isfinite(v) else None for v in values]


def _anywhere(flag: bool) -> bool:
    """Does any process say so?  All must do the same, since they save together."""
    if jax.process_count() == 1:
        return flag
    from jax.experimental import multihost_utils

    return bool(np.any(multihost_utils.process_allgather(np.asarray(flag))))
