"""The experiments there are, with their presets.

python -m empirical list
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from empirical.experiments import find, names
from theory.terminal import say


def main(arguments: Sequence[str] | None = None) -> int:
    argparse.ArgumentParser(prog="python -m empirical list", description="List the experiments.").parse_args(arguments)
    lines: list[str] = []
    for name in names():
        experiment = find(name)
        lines.append(f"{name}: {experiment.summary}")
        lines += [f"  --preset {key:<8} {p.seeds} seeds; {p.cost}" for key, p in experiment.presets.items()]
    say("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
