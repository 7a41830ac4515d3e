"""The experiments there are, with their presets.

python -m empirical list
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from empirical.experiments import find, names


def main(arguments: Sequence[str] | None = None) -> int:
    argparse.ArgumentParser(prog="python -m empirical list", description="List the experiments.").parse_args(arguments)
    for name in names():
        experiment = find(name)
        print(f"{name}: {experiment.summary}")
        for key, preset in experiment.presets.items():
            print(f"  --preset {key:<8} {preset.seeds} seeds; {preset.cost}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
