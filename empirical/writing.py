"""Writing results in one step, and saying before anything is computed that a report cannot be written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from empirical.errors import InputError
from theory import files

#: What a temporary file's name has more than that of the file: a dot at both ends and eight characters.
_MORE = 10


def check_writable(path: Path) -> Path:
    """The file that is written for ``path``: where that is a link to a file, or to none yet, what it leads to.

    Raises ``InputError`` where no file could be written, and where what is there is no regular file.
    """
    try:
        there = path.stat()
    except FileNotFoundError:
        there = None
    except OSError as error:
        raise InputError(f"--report {path}: {error.strerror or error}") from error
    if there is not None and stat.S_ISDIR(there.st_mode):
        raise InputError(f"--report {path} is a folder: name a file")
    if there is not None and not stat.S_ISREG(there.st_mode):
        raise InputError(f"--report {path} is there and no regular file: name another file")
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    if not target.parent.is_dir():
        raise InputError(f"--report {path}: there is no folder {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise InputError(f"--report {path}: the folder {target.parent} is not writable")
    longest = os.pathconf(target.parent, "PC_NAME_MAX") - _MORE
    if len(os.fsencode(target.name)) > longest:
        raise InputError(f"--report {path}: the name is too long: at most {longest} bytes")
    return target


def write_atomically(path: Path, content: bytes) -> None:
    """As ``theory.files.write_atomically``; ``InputError`` says why it cannot be written."""
    try:
        files.write_atomically(path, content)
    except OSError as error:
        raise InputError(f"{path} could not be written: {error.strerror or error}") from error
