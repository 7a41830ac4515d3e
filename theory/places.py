"""Where in somebody's own theorem file something happened, for messages that name the line."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

#: Names of modules made from theorem files start like this.
MODULE = "theorem_file_"


def line_of(error: BaseException) -> str:
    """``" (my_theorem.py, line 7)"`` for the last line of a theorem file that an error passed through, or ``""``."""
    return _last(traceback.walk_tb(error.__traceback__))


def line_at(frame: FrameType | None) -> str:
    """The same for what ``frame`` runs now."""
    return _last(reversed(list(traceback.walk_stack(frame))))


def line_in(path: Path, error: BaseException) -> str:
    """``", line 7"`` for the last line of the file at ``path`` that an error passed through, or ``""``."""
    lines = [n for frame, n in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == str(path)]
    return f", line {lines[-1]}" if lines else ""


def _last(frames: Iterable[tuple[FrameType, int]]) -> str:
    found = ""
    for frame, line in frames:
        if str(frame.f_globals.get("__name__", "")).startswith(MODULE):
            found = f" ({Path(frame.f_code.co_filename).name}, line {line})"
    return found
