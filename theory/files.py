"""Writing files so that a reader never sees half of one, and an old file outlives a failed write."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write to ``path`` in one step, text in UTF-8, and make its folder where that is missing.

    On any failure the old file stays as it was and the error is raised.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def check_folder(folder: Path) -> None:
    """Say before anything is computed that a file cannot be written into ``folder``, which need not exist yet.

    Raises ``OSError`` saying why.
    """
    existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not existing.is_dir():
        raise NotADirectoryError(f"{existing} is not a folder")
    if not os.access(existing, os.W_OK):
        raise PermissionError(f"{existing} is not writable")
