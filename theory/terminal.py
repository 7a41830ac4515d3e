"""Printing what a command found, in any terminal: the exit code is to say what was found, not what the terminal is."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper


class Unwritable(Exception):
    """Standard output takes no more, because a disk is full or it is closed; the message says so."""


def any_encoding() -> None:
    """Let a terminal that has no letter such as × show it as ``\\xd7`` instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Print a line, also where the reader, such as `head`, has seen enough; raises :class:`Unwritable`."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _give_up()
    except (OSError, ValueError) as error:  # ValueError: somebody's file has closed it
        _give_up()
        reason = getattr(error, "strerror", None) or error
        raise Unwritable(f"what was found could not be written to standard output: {reason}") from None


def _give_up() -> None:
    """Send what is left to nowhere, or Python says at its end that it could not be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
