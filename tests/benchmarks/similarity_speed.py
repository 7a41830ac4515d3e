"""Seconds and memory of each implementation of each similarity measure, at three sizes.

python -m tests.benchmarks.similarity_speed                                     print the page
python -m tests.benchmarks.similarity_speed --write docs/similarity-speed.md    both take about 8 minutes
python -m tests.benchmarks.similarity_speed --sizes s m --measures "mean CCA"   a part of it

Each call is made in a process of its own, which is stopped after the guard (--guard, 30 seconds by default), with the
threads that its BLAS takes by itself.  Peers that are not installed are left out; see ``peers.py``.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.benchmarks import report
from tests.benchmarks.peers import PEERS
from tests.benchmarks.sizes import FLOOR, MEASURES, OURS, SIZES, Implementation, floor, inputs

DTYPES = {"float64": np.float64, "float32": np.float32}
MEMORY = 14 * 2**30
"""Bytes of address space that a process may take."""

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Taken:
    """The median time of a call and the memory beyond the inputs, or why there is none."""

    seconds: float | None
    extra: int = 0
    reason: str = ""
    least: float = 0.0  # of the calls: what the size after it is judged by, as a busy machine only adds


def _resident() -> tuple[int, int]:
    """Bytes of memory now, and at most so far."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    now, most = (int(fields[key].split()[0]) * 1024 for key in ("VmRSS", "VmHWM"))
    return now, most


def measure_here(measure: str, name: str, size: str, dtype: str, patience: float) -> dict[str, object]:
    """In this process: calls until the next would exceed the patience, 1 to 9 of them; their median, and memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    call = floor if name == FLOOR else next(each.call for each in MEASURES[measure] if each.name == name)
    call(*inputs(SIZES["tiny"], DTYPES[dtype]))  # imports, and the threads
    x, y = inputs(SIZES[size], DTYPES[dtype])
    time.sleep(0.5)  # the BLAS threads that made the inputs stay awake for a while, whoever needs the cores
    Path("/proc/self/clear_refs").write_text("5")  # the most so far is counted from here
    before, _ = _resident()
    times: list[float] = []
    extra = 0
    while not times or (len(times) < 9 and sum(times) * (1 + 1 / len(times)) < patience):
        start = time.perf_counter()
        call(x, y)
        times.append(time.perf_counter() - start)
        extra = extra or max(0, _resident()[1] - before)
    return {"seconds": statistics.median(times), "least": min(times), "extra": extra}


def measure_apart(measure: str, name: str, size: str, dtype: str, guard: float) -> Taken:
    """In a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.similarity_speed"]
    command += ["--here", measure, name, size, dtype, str(guard / 6)]
    try:
        # Making the inputs and importing come before the call.
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=guard + 15)
    except subprocess.TimeoutExpired:
        return Taken(None, reason=f"> {guard:.0f}")
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["killed"])[-1]
        return Taken(None, reason="out of memory" if "emory" in last or done.returncode < 0 else f"raises: {last}")
    found = json.loads(done.stdout.strip().splitlines()[-1])
    return Taken(found["seconds"], found["extra"], least=found["least"])


def rows_of(
    measure: str, implementations: list[Implementation], sizes: list[str], guard: float, runs: int
) -> tuple[list[list[str]], list[str]]:
    """The lines of one measure's table, and what is said below it: float64 at every size, float32 at the largest."""
    rows, below = [], []
    for each in implementations:
        cells: list[str] = []
        last = Taken(0.0)
        for before, size in zip([sizes[0], *sizes[:-1]], sizes, strict=True):
            last = _next(
                last,
                SIZES[size].work(each.square) / SIZES[before].work(each.square),
                measure,
                each,
                size,
                "float64",
                guard,
                runs,
            )
            cells.append(_time(last))
        single = _next(last, 1.0, measure, each, sizes[-1], "float32", guard, runs)
        rows.append([each.name, *cells, _time(single), "" if last.seconds is None else f"{last.extra / 2**20:.0f}"])
        if last.reason.startswith("raises"):
            below.append(f"{each.name} {last.reason[:160]}")
    return rows, below


def _next(
    last: Taken, grown: float, measure: str, each: Implementation, size: str, dtype: str, guard: float, runs: int
) -> Taken:
    """The next cell of a row; not tried where the one before says that it cannot be had."""
    if last.seconds is None:
        return last
    if each.square and SIZES[size].rows > 10_000:
        return Taken(None, reason=f"n x n: {SIZES[size].rows ** 2 * 8 / 1e9:.0f} GB")
    if last.least * grown > guard:
        return Taken(None, reason=f"> {guard:.0f}")
    found = [measure_apart(measure, each.name, size, dtype, guard) for _ in range(runs)]
    none = [one for one in found if one.seconds is None]
    return none[0] if none else sorted(found, key=lambda one: one.seconds or 0.0)[len(found) // 2]


def _time(taken: Taken) -> str:
    return taken.reason.partition(":")[0] if taken.seconds is None else f"{taken.seconds:.2g}"


HEAD = """\
# Speed of the similarity measures

<!-- Written by `python -m tests.benchmarks.similarity_speed --write docs/similarity-speed.md`. -->

Seconds of one call, the median of up to 9 in a process of its own{runs}; sizes
{sizes}. The floor is the three cross products that any method
needs which reads the data once. Memory is what a call took at its highest beyond the inputs
({inputs} MiB at {largest}, float64). *> {guard:.0f}*: takes longer, or is expected to from the size before; *n x n*:
needs kernels of rows by rows. {ours} returns ranks, a convention and warnings with each number, and computes in float64
from float32 too. Absolute times belong to the machine; compare within a table.

{machine}. {versions}.
"""


def page(sizes: list[str], measures: list[str], guard: float, runs: int) -> str:
    """The whole page."""
    largest = SIZES[sizes[-1]]
    head = HEAD.format(
        runs=f" and of {runs} processes" if runs > 1 else "",
        sizes=", ".join(f"{name} = {SIZES[name].rows:,} x {SIZES[name].columns}" for name in sizes),
        inputs=2 * 8 * largest.rows * largest.columns // 2**20,
        largest=sizes[-1],
        guard=guard,
        ours=OURS.capitalize(),
        machine=report.machine(),
        versions=report.versions(
            ["numpy", "scipy", *dict.fromkeys(peer.distribution for peer in PEERS if peer.installed)]
        ),
    )
    titles = [f"{size} float64" for size in sizes]
    titles += [f"{sizes[-1]} float32", f"extra MiB at {sizes[-1]} float64"]
    parts = [head.rstrip()]
    chosen = {FLOOR: [Implementation(FLOOR, floor)]} | {measure: MEASURES[measure] for measure in measures}
    for measure, implementations in chosen.items():
        rows, below = rows_of(measure, implementations, sizes, guard, runs)
        print(f"{measure}: done", file=sys.stderr)
        parts += [f"## {measure[0].upper()}{measure[1:]}", report.table(["", *titles], rows), *below]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Print or write the page, or measure one thing for it."""
    parser = argparse.ArgumentParser(description="Write the table of times and memory of each similarity measure.")
    parser.add_argument("--write", metavar="PATH", help="write the page there instead of printing it")
    parser.add_argument("--sizes", nargs="+", choices=list(SIZES), default=["s", "m", "l"], help="rising")
    parser.add_argument("--measures", nargs="+", choices=list(MEASURES), default=[m for m in MEASURES if MEASURES[m]])
    parser.add_argument("--guard", type=float, default=30.0, help="seconds after which a process is stopped")
    parser.add_argument("--runs", type=int, default=1, help="processes for each number; their median is shown")
    parser.add_argument("--here", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        measure, name, size, dtype, patience = options.here
        print(json.dumps(measure_here(measure, name, size, dtype, float(patience))))
        return
    report.publish(page(options.sizes, options.measures, options.guard, options.runs), options.write)


if __name__ == "__main__":
    main()
