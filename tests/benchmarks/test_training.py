"""The benchmark of training compares like with like: all ways take the same steps and come equally far."""

from __future__ import annotations

import pytest

from empirical.engine import devices

devices.choose("cpu", 2)

from tests.benchmarks import training_speed as speed  # noqa: E402


def test_the_ways_come_equally_far() -> None:
    reached = {"engine": speed.engine(fresh=True, chunk=20)(0), "jitted": speed.jitted_step()(20)}
    assert reached["engine"] == pytest.approx(reached["jitted"], rel=0.35)  # a mean over 20 steps, and the last of them
    pytest.importorskip("torch")
    assert speed.torch_loop(1)(20) == pytest.approx(reached["jitted"], rel=0.5)  # other starts, other batches


def test_the_operations_of_a_step() -> None:
    """Three products a layer, but for the first, whose input needs no gradient; counted by hand."""
    forward = 10 * 128 + 128 * 128 + 128 * 128 + 128 * 4 + 4 * 18
    assert speed.products_of_a_step() == 2 * 512 * (3 * forward - 10 * 128)
