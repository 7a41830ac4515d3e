"""Compare trained models, and train the experiments' own.

python -m empirical compare A B     how far the representations of two models are linearly equivalent
python -m empirical list            the experiments and their presets
python -m empirical run NAME        train an experiment and judge its predictions
python -m empirical report DIR      show what runs found

Each command says more with --help.  Exit codes: 0 done, 2 bad input, 130 interrupted; `run` also has 1 and 3.
"""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Callable, Sequence

from empirical.errors import InputError
from theory.terminal import Unwritable, say

#: Each command and the module whose ``main(arguments) -> int`` it is.  A module is imported only to run its command:
#: `compare` works where JAX is not installed.
COMMANDS = {
    "compare": "empirical.compare.command",
    "list": "empirical.commands.list",
    "run": "empirical.commands.run",
    "report": "empirical.commands.report",
}

#: What only training needs, and what brings it.
TRAINING = ("jax", "jaxlib", "equinox", "optax", "orbax", "pooch")
EXTRA = "linear-identifiability[empirical]"

BAD_INPUT, INTERRUPTED = 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    name, *rest = [*(sys.argv[1:] if arguments is None else arguments), ""]
    if name in ("-h", "--help"):
        say(__doc__ or "")
        return 0
    if name not in COMMANDS:
        return _bad(_unknown(name))
    os.environ.pop("MPLBACKEND", None)  # figures go to files; a backend that is not there must not matter
    try:
        return _command(name)(rest[:-1])
    except InputError as error:
        return _bad(str(error))
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in TRAINING:
            raise
        return _bad(f"{name} needs {error.name}, which is not installed: pip install '{EXTRA}'")
    except MemoryError as error:
        return _bad(f"there is not enough memory ({error}); give fewer rows or columns at once")
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except Unwritable as error:
        return _bad(str(error))


def _command(name: str) -> Callable[[Sequence[str]], int]:
    try:
        return importlib.import_module(COMMANDS[name]).main
    except ValueError as error:  # JAX reads its variables when it is imported
        raise InputError(f"a library could not be loaded: {error}") from error


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, COMMANDS, n=1)
    what = f"there is no command {name!r}" if name else "name a command"
    return f"{what}; did you mean {near[0]}?" if near else f"{what}: {', '.join(COMMANDS)}"


def _bad(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
