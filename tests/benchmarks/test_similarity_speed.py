"""What the similarity measures cost, beside other implementations and the floor of three cross products.

``pytest tests/benchmarks/test_similarity_speed.py --benchmark-enable -k size_s`` times 2,000 x 64, ``-k size_m``
10,000 x 256 and ``-k size_l`` 50,000 x 768; without the flag each runs once, on tiny inputs.  What would take more than
a minute is skipped, and says so.  ``similarity_speed.py`` writes the table with memory.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.sizes import FLOOR, MEASURES, OURS, SIZES, Implementation, expected, floor, inputs

GUARD = 60.0
ROUNDS = {"tiny": 1, "s": 20, "m": 5, "l": 3}
CASES = [
    pytest.param(each, id=f"{measure}, {each.name}", marks=pytest.mark.benchmark(group=measure))
    for measure, implementations in MEASURES.items()
    for each in [Implementation(FLOOR, floor), *implementations]
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The sizes: all of them only where times are wanted."""
    enabled = metafunc.config.getoption("benchmark_enable", False)
    metafunc.parametrize("size", ["s", "m", "l"] if enabled else ["tiny"], ids="size_{}".format)
    metafunc.parametrize("dtype", [np.float64, np.float32] if enabled else [np.float64], ids=lambda t: t.__name__)


@pytest.mark.parametrize("implementation", CASES)
def test_time(benchmark: BenchmarkFixture, implementation: Implementation, size: str, dtype: type) -> None:
    """Ours must give a number; a peer that cannot is skipped with what it says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            seconds = expected(implementation, size, GUARD)
            if seconds > GUARD or (implementation.square and SIZES[size].rows > 10_000):
                pytest.skip(f"would take about {seconds:.0f} s, or memory for {SIZES[size].rows:,} x rows numbers")
            x, y = inputs(SIZES[size], dtype)
            benchmark.pedantic(implementation.call, (x, y), rounds=ROUNDS[size], iterations=1)
        except Exception as error:
            if implementation.name.startswith((OURS, FLOOR)):
                raise
            pytest.skip(f"{type(error).__name__}: {str(error)[:100]}")
