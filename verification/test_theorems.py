"""One test for each theorem: is its standing confirmed?

The theorems are those of the catalogue, or those of ``--theorems FILE.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from verification.plugin import theorems_of
from verification.results import Result


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test id for each theorem of this run."""
    metafunc.parametrize("name", list(theorems_of(metafunc.config)))


def test_theorem(name: str, standing_of: Callable[[str], Result]) -> None:
    """*established*: all checks pass; *refuted as stated*: the refutation replays and the repair holds."""
    result = standing_of(name)
    if result.failures:
        pytest.fail(f"{name} is not confirmed as {result.standing}:\n" + "\n".join(result.failures), pytrace=False)
