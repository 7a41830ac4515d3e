"""Results written by hand, one for each way a line of the table can look."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from verification.results import Counted, Replayed, Result


def counted(holds: int, refuted: int = 0, vacuous: int = 0, undecided: int = 0, *ratios: float) -> Counted:
    """Counts of so many instances, and quantiles of error/bound where there is one."""
    looked_at = holds + refuted + vacuous + undecided
    quantiles = dict(zip(("median", "p90", "max"), ratios, strict=bool(ratios)))
    return Counted(looked_at, holds, refuted, vacuous, undecided, quantiles, distinct=looked_at, constructions={})


def replayed(
    dropped: str | None, size: str, origin: str = "search", *problems: str, claim: str | None = None
) -> Replayed:
    """A replayed certificate, accepted unless there are problems."""
    return Replayed(dropped, claim, f"file-{dropped}-{origin}.json", origin, size, "exactly, SymPy", problems)


CLEAN = replace(counted(100), distinct=97, constructions={"a": 60, "b": 40})
SCOPE = counted(2_000, vacuous=10_345)


def result(name: str, **changes: Any) -> Result:
    """A confirmed theorem."""
    fields: dict[str, Any] = {
        "name": name,
        "title": "A title",
        "reference": "Somebody, Theorem 1 (read)",
        "statement": "If A then f' = A f*.",
        "standing": "established",
        "digest": "sha256:0",
        "sizes": ("M = 1, K = 2, n = 1: 50", "M = 2, K = 3, n = 2: 50"),
        "generated": CLEAN,
        "scope": SCOPE,
        "scope_description": "everything small",
        "floating": {},
        "elements": 0,
        "certificates": (),
        "repaired_by": None,
        "failures": (),
        "seconds": 1.5,
    }
    return Result(**{**fields, **changes})


EXACT = result(
    "exact_theorem",
    certificates=(
        replayed("spanning", "M=2 K=3 n=4", "by_hand"),
        replayed("spanning", "M=2 K=3 n=3"),
        replayed("spanning", "M=1 K=2 n=1", "broken", "stale"),
        replayed("invertible", "M=10 K=2 n=1"),
        replayed("invertible", "M=9 K=30 n=1", "by_hand"),
        replayed(None, "M=2 n=3", claim="orthogonal"),
    ),
    elements=60,
)
INEXACT = result(
    "inexact",
    generated=counted(9_876, 0, 23, 101, 0.001, 0.0025, 0.03125),
    scope=None,
    scope_description="",
    standing="conjecture",
)
REFUTED = result(
    "refuted",
    standing="refuted as stated",
    generated=counted(60, refuted=40),
    certificates=(replayed(None, "M=1 K=3 n=2"),),
    repaired_by="exact_theorem",
)
FAILED = result("failed", failures=("refuted at M = 1", "no fresh certificate"), scope=SCOPE)
FLOATING = result(
    "floating",
    floating={
        "1e0": counted(8, 0, 0, 0, 0.125, 0.25, 0.5),
        "1e1": counted(8),
        "1e12": counted(1_000, 0, 2, 5, 0.5, 0.75, 0.9375),
    },
    generated=counted(100, 0, 0, 0, 0.25, 0.5, 0.75),
)
ALL = [EXACT, FAILED, FLOATING, INEXACT, REFUTED]
