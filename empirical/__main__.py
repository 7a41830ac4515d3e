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
from collections.abc import Sequence

from empirical.errors import InputError

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
        print(__doc__)
        return 0
    if name not in COMMANDS:
        return _bad(_unknown(name))
    os.environ.pop("MPLBACKEND", None)  # figures go to files; a backend that is not there must not matter
    try:
        module = importlib.import_module(COMMANDS[name])
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in TRAINING:
            raise
        return _bad(f"{name} needs {error.name}, which is not installed: pip install '{EXTRA}'")
    except ValueError as error:  # JAX reads its variables when it is imported
        return _bad(f"a library could not be loaded: {error}")
    try:
        code = module.main(rest[:-1])
        sys.stdout.flush()
        return code
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
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        _print_nothing_more()
        return 0
    except OSError as error:
        _print_nothing_more()
        return _bad(f"output could not be written: {error.strerror or error}")


def _print_nothing_more() -> None:
    """What is still in the buffer goes nowhere, and no traceback at the end of Python speaks of it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, COMMANDS, n=1)
    what = f"there is no command {name!r}" if name else "name a command"
    return f"{what}; did you mean {near[0]}?" if near else f"{what}: {', '.join(COMMANDS)}"


def _bad(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
