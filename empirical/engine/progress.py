"""What is shown while an ensemble trains: a bar with loss, similarity and time left, or lines where no one looks.

All goes to the standard error stream.
"""

from __future__ import annotations

import math
import sys
import time
from types import TracebackType

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from empirical.engine import devices

#: Seconds between two lines where the stream is no terminal.
APART = 15.0


class Bar:
    """The progress of one ensemble; silent unless ``shown``."""

    def __init__(self, name: str, steps: int, shown: bool) -> None:
        self.name, self.steps, self.shown = name, steps, shown
        self.console = Console(file=sys.stderr)
        self.live = shown and self.console.is_terminal
        self.rich = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("loss {task.fields[loss]}  similarity {task.fields[similarity]}"),
            TimeRemainingColumn(compact=True),
            console=self.console,
            transient=True,
            disable=not self.live,
        )
        self.task = self.rich.add_task(name, total=steps, loss="–", similarity="–")
        self.started, self.first, self.last = time.monotonic(), 0, -math.inf
        self.similarity = "–"

    def __enter__(self) -> Bar:
        self.rich.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.rich.stop()

    def say(self, message: str) -> None:
        """One line, above the bar."""
        if self.shown:
            self.console.print(message, markup=False, highlight=False, soft_wrap=True)

    def warn(self, message: str) -> None:
        """One line, whether progress is shown or not; from the first process alone."""
        if devices.is_first():
            self.console.print(message, markup=False, highlight=False, soft_wrap=True)

    def resumed_at(self, step: int) -> None:
        self.first = step
        self.rich.update(self.task, completed=step)

    def update(self, step: int, losses: np.ndarray, similarity: object) -> None:
        """``losses`` (members,): the mean of those that are finite is shown."""
        known = losses[np.isfinite(losses)]
        loss = float(known.mean()) if known.size else math.nan
        if isinstance(similarity, float):
            self.similarity = f"{similarity:.4f}"
        self.rich.update(self.task, completed=step, loss=f"{loss:.3g}", similarity=self.similarity)
        now = time.monotonic()
        if self.shown and not self.live and (now - self.last > APART or step == self.steps):
            self.last = now
            left = (now - self.started) / max(step - self.first, 1) * (self.steps - step)
            self.say(
                f"{self.name}: step {step} of {self.steps}, loss {loss:.3g}, similarity {self.similarity}, "
                f"{left:.0f} s left"
            )
