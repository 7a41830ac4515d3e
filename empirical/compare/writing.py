"""Writing a report in one step, and saying before anything is computed that it cannot be written."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from empirical.errors import InputError


def check_writable(path: Path) -> None:
    """Raise ``InputError`` where no file could be written to ``path``."""
    if path.is_dir():
        raise InputError(f"--report {path} is a folder: name a file")
    if not path.parent.is_dir():
        raise InputError(f"--report {path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"--report {path}: the folder {path.parent} is not writable")


def write_atomically(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path`` in one step.  On any failure the old file stays; ``InputError`` says why."""
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException as error:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)
        if isinstance(error, OSError):
            raise InputError(f"{path} could not be written: {error.strerror or error}") from error
        raise
