"""Train an experiment, judge its predictions, and leave a run folder.

python -m empirical run NAME [--preset P] [--seeds N] [--out DIR] [--resume] [--set KEY=VALUE ...]

Exit codes: 0 all predictions confirmed, 1 some contradicted, 2 bad input, 3 some inconclusive and none contradicted,
130 stopped by Ctrl-C or SIGTERM; what was trained is kept, and --resume goes on from there.
"""

from __future__ import annotations

import argparse
import dataclasses
import logging
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from empirical.errors import InputError
from empirical.experiments import find

if TYPE_CHECKING:
    from empirical.engine.devices import Processes

BAD_INPUT, INTERRUPTED = 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser()
    named = next((word for word in given if not word.startswith("-")), None)
    try:
        if named is not None and {"-h", "--help"} & set(given):
            print(parser.format_help())
            print(_about(named))
            return 0
        return _run(parser.parse_args(given))
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m empirical run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", metavar="NAME", help="an experiment; `run NAME --help` lists its presets and settings")
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
        if options.seeds < 2:
            raise InputError(f"--seeds {options.seeds}: take 2 or more; an interval needs 3, and 5 are better")
        seeds = options.seeds
    if not options.save_every >= 0:
        raise InputError(f"--save-every {options.save_every}: take a number of seconds, 0 or more")
    # Imported late: what is wrong above is said at once, and JAX takes its devices when it first computes.
    from empirical.commands.report import show
    from empirical.engine import Interrupted, RunFolder, devices
    from empirical.experiment import Run, perform
    from empirical.predictions import exit_code

    _quieten()
    devices.choose(options.platform, options.devices, _processes(options))
    first = devices.is_first()
    out = options.out or Path("runs") / f"{experiment.name}-{options.preset}"
    folder = RunFolder(out, writes=first)
    run = Run(settings, tuple(range(seeds)), folder, shown=not options.quiet and first, save_every=options.save_every)
    try:
        judged = perform(experiment, run, options.preset, options.resume)
    except Interrupted as stopped:
        if first:
            again = " ".join(["python -m empirical run", experiment.name, "--out", str(out), "--resume"])
            print(f"{stopped}; go on with: {again} (and the same settings)", file=sys.stderr)
        return INTERRUPTED
    if first:
        show([out])
        print(f"\nin {out}; figures and LaTeX rows: python -m empirical report {out}")
    return exit_code(judged)


def _changes(given: Sequence[str]) -> dict[str, str]:
    for change in given:
        if "=" not in change:
            raise InputError(f"--set {change!r}: write KEY=VALUE, such as --set steps=2000")
    return dict((key.strip(), value.strip()) for key, _, value in (change.partition("=") for change in given))


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


if __name__ == "__main__":
    sys.exit(main())
