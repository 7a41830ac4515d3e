"""Train an experiment, judge its predictions, and leave a run folder.

python -m empirical run NAME [--preset P] [--seeds N] [--out DIR] [--resume] [--set KEY=VALUE ...]

Exit codes: 0 all predictions confirmed, 1 some contradicted, 2 bad input, 3 some inconclusive and none contradicted,
130 stopped by Ctrl-C or SIGTERM; what was trained is kept, and the same command with --resume goes on from there.
"""

from __future__ import annotations

import argparse
import dataclasses
import logging
import shlex
import signal
import sys
import threading
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from empirical.errors import InputError
from empirical.experiments import find
from theory.terminal import say

if TYPE_CHECKING:
    from empirical.engine.devices import Processes

BAD_INPUT, INTERRUPTED = 2, 130
MOST_SEEDS = 4096


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser()
    options = parser.parse_args(given)
    before = _on_sigterm(_interrupt)
    try:
        if options.help:
            say(parser.format_help() + (f"\n{_about(options.name)}" if options.name else ""))
            return 0
        if options.name is None:
            raise InputError("name an experiment; `python -m empirical list` shows them")
        return _run(options)
    except (InputError, MemoryError) as error:
        print(f"error: {_said(error)}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt as stopped:
        again = shlex.join(["python", "-m", "empirical", "run", *given, *([] if options.resume else ["--resume"])])
        print(f"{str(stopped) or 'interrupted'}; if training had begun, go on with: {again}", file=sys.stderr)
        return INTERRUPTED
    finally:
        _on_sigterm(before)


def _on_sigterm(handler: Any) -> Any:
    """Set what SIGTERM does, and return what it did.  Other threads than the main one may not."""
    if threading.current_thread() is threading.main_thread():
        return signal.signal(signal.SIGTERM, handler)
    return None


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _said(error: Exception) -> str:
    return f"there is not enough memory ({error})" if isinstance(error, MemoryError) else str(error)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m empirical run",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,  # --help says what the named experiment has, wherever the name stands
    )
    about = "an experiment; `run NAME --help` lists its presets and settings"
    parser.add_argument("name", metavar="NAME", nargs="?", help=about)
    parser.add_argument("-h", "--help", action="store_true", help="show this, and what the experiment has")
    parser.add_argument("--preset", default="laptop", help="sizes: smoke, laptop or paper (default: laptop)")
    parser.add_argument("--seeds", type=int, metavar="N", help="number of seeds; the preset's own if left out")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the run folder (default: runs/NAME-PRESET)")
    parser.add_argument("--resume", action="store_true", help="go on with the run in the folder")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting; repeatable")
    parser.add_argument("--platform", default="auto", help="auto, cpu or gpu (default: auto)")
    parser.add_argument("--devices", type=int, metavar="N", help="CPU devices, one a core if left out")
    parser.add_argument("--save-every", type=float, default=20.0, metavar="S", help="seconds between checkpoints (20)")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    several = parser.add_argument_group("several processes, which share the run folder")
    several.add_argument("--coordinator", metavar="HOST:PORT", help="where process 0 listens")
    several.add_argument("--processes", type=int, metavar="N", help="how many there are")
    several.add_argument("--process", type=int, metavar="I", help="which one this is, from 0")
    return parser


def _about(name: str) -> str:
    experiment = find(name)
    defaults = experiment.settings()
    lines = [f"{experiment.name}: {experiment.summary}", "", "presets:"]
    lines += [f"  {key:<8} {preset.seeds} seeds; {preset.cost}" for key, preset in experiment.presets.items()]
    lines += ["", "settings, with their values in the preset laptop:"]
    for one in dataclasses.fields(experiment.settings):
        value = getattr(defaults, one.name)
        shown = ",".join(map(str, value)) if isinstance(value, tuple) else value
        lines.append(f"  {f'{one.name}={shown}':<40} {one.metadata['help']}")
    lines += ["", "predictions, with the default settings:"]
    lines += [f"  {p.name:<14} {p.sense} {p.level:g}: {p.statement}" for p in experiment.predictions(defaults)]
    return "\n".join(lines)


def _run(options: argparse.Namespace) -> int:
    experiment = find(options.name)
    settings, seeds = experiment.configured(options.preset, _changes(options.set))
    if options.seeds is not None:
        if not 2 <= options.seeds <= MOST_SEEDS:
            raise InputError(f"--seeds {options.seeds}: take 2 to {MOST_SEEDS}; an interval needs 3, and 5 are better")
        seeds = options.seeds
    if not options.save_every >= 0:
        raise InputError(f"--save-every {options.save_every}: take a number of seconds, 0 or more")
    # Imported late: what is wrong above is said at once, and JAX takes its devices when it first computes.
    import jax

    from empirical.commands.report import show
    from empirical.engine import Interrupted, RunFolder, devices
    from empirical.experiment import Run, perform
    from empirical.predictions import exit_code
    from empirical.reporting import checked

    _quieten()
    devices.choose(options.platform, options.devices, _processes(options))
    first = devices.is_first()
    out = options.out or Path("runs") / f"{experiment.name}-{options.preset}"
    folder = RunFolder(out, writes=first)
    run = Run(settings, tuple(range(seeds)), folder, shown=not options.quiet and first, save_every=options.save_every)
    try:
        judged = perform(experiment, run, options.preset, options.resume)
    except Interrupted as stopped:
        raise KeyboardInterrupt(str(stopped)) from None
    except jax.errors.JaxRuntimeError as error:
        if "RESOURCE_EXHAUSTED" not in str(error):
            raise
        raise MemoryError(str(error).splitlines()[0]) from None
    if first:
        show([checked.read(out)], f"\nin {out}; figures and LaTeX rows: python -m empirical report {out}")
    return exit_code(judged)


def _changes(given: Sequence[str]) -> dict[str, str]:
    for change in given:
        if "=" not in change:
            raise InputError(f"--set {change!r}: write KEY=VALUE, such as --set steps=2000")
    changes: dict[str, str] = {}
    for key, _, value in (change.partition("=") for change in given):
        if key.strip() in changes:
            raise InputError(f"--set {key.strip()} is given twice")
        changes[key.strip()] = value.strip()
    return changes


def _processes(options: argparse.Namespace) -> Processes | None:
    from empirical.engine.devices import Processes

    given = (options.coordinator, options.processes, options.process)
    if all(value is None for value in given):
        return None
    if any(value is None for value in given):
        raise InputError("--coordinator, --processes and --process go together: give all three or none")
    return Processes(*given)


def _quieten() -> None:
    """Orbax and JAX tell much that a reader of results can do nothing about."""
    logging.getLogger("absl").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore", module=r"(orbax|jax|etils)\b.*")
    others = sys.unraisablehook

    def heard(what: Any) -> None:
        # TensorStore goes on reading a damaged file after Orbax has given up on it, and complains once for each array.
        if str(what.exc_value) != "Event loop is closed":
            others(what)

    sys.unraisablehook = heard


if __name__ == "__main__":
    sys.exit(main())
