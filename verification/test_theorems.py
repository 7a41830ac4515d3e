"""One test for each theorem of the catalogue: is its standing confirmed?"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from theory.catalogue import catalogue
from verification.results import Result


@pytest.mark.parametrize("name", list(catalogue()))
def test_theorem(name: str, standing_of: Callable[[str], Result]) -> None:
    """*established*: all checks pass; *refuted as stated*: the refutation replays and the repair holds."""
    result = standing_of(name)
    if result.failures:
        pytest.fail(f"{name} is not confirmed as {result.standing}:\n" + "\n".join(result.failures), pytrace=False)
