"""Writing results in one step, and saying before anything is computed that a report cannot be written."""

from __future__ import annotations

import os
from pathlib import Path

from empirical.errors import InputError
from theory import files


def check_writable(path: Path) -> None:
    """Raise ``InputError`` where no file could be written to ``path``."""
    if path.is_dir():
        raise InputError(f"--report {path} is a folder: name a file")
    if not path.parent.is_dir():
        raise InputError(f"--report {path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"--report {path}: the folder {path.parent} is not writable")


def write_atomically(path: Path, content: bytes) -> None:
    """As ``theory.files.write_atomically``; ``InputError`` says why it cannot be written."""
    try:
        files.write_atomically(path, content)
    except OSError as error:
        raise InputError(f"{path} could not be written: {error.strerror or error}") from error
