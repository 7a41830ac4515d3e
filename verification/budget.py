"""Time budgets: a predicate or construction of a user's own that never ends must not hang the run."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from types import FrameType
from typing import Any

from theory.places import line_at, line_of
from theory.sizes import Size
from theory.strategies.source import Source
from theory.theorem import Construction, PredicateError, Theorem

#: Seconds for one instance of a theorem.
BUDGET = 10.0
#: Seconds for all instances of an exhaustive scope.
SCOPE_BUDGET = 120.0
_AGAIN = 0.01


class OutOfTime(BaseException):
    """Something took longer than its budget; the message says what and how long.

    Not an ``Exception``: Hypothesis would take it for a failure of the instance and run it again to shrink it.
    """


@contextmanager
def limit(what: str, seconds: float | None = None) -> Iterator[None]:
    """Raise :class:`OutOfTime` when the body runs longer than ``seconds``, or :data:`BUDGET`.

    Uses an interval timer, which exists on POSIX systems and in the main thread only; elsewhere there is no limit.
    May be nested.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    allowed = BUDGET if seconds is None else seconds

    def expired(_signal: int, frame: FrameType | None) -> None:
        if _swallows(frame):
            signal.setitimer(signal.ITIMER_REAL, _AGAIN, allowed)
            return
        raise OutOfTime(f"{what} took longer than the {allowed:g} s it is allowed{line_at(frame)}: does it end?")

    start = monotonic()
    before = signal.signal(signal.SIGALRM, expired)
    outer, _ = signal.setitimer(signal.ITIMER_REAL, allowed, allowed)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if outer:
            signal.setitimer(signal.ITIMER_REAL, max(outer - (monotonic() - start), 1e-6), outer)


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Let Ctrl-C through as ``KeyboardInterrupt`` even where it comes during a garbage collection, which drops it.

    Yields an event that is set once it came: what it interrupts can fail with an error of its own.
    """
    came = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    before = signal.getsignal(signal.SIGINT)

    def interrupted(_signal: int, frame: FrameType | None) -> None:
        if _swallows(frame):
            threading.Timer(_AGAIN, signal.raise_signal, [signal.SIGINT]).start()
            return
        came.set()
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, before)


def _swallows(frame: FrameType | None) -> bool:
    """Is this inside something whose exceptions Python drops: a finaliser, or what runs at a garbage collection?"""
    while frame is not None:
        if frame.f_code.co_name in ("__del__", "gc_callback"):
            return True
        frame = frame.f_back
    return False


def bounded(theorem: Theorem[Any], construction: Construction[Any]) -> Construction[Any]:
    """The same construction, held to a time limit and to the theorem's type of instances for each instance it builds.

    It raises :class:`OutOfTime` and :class:`PredicateError`.
    """

    def build(source: Source, size: Size) -> Any:
        with limit(f"{theorem.name}: the construction {construction.name!r}, at {size},"):
            instance = construction.build(source, size)
        if not isinstance(instance, theorem.instance_type):
            raise PredicateError(
                f"{theorem.name}: the construction {construction.name!r} built {type(instance).__name__} "
                f"{instance!r} at {size}; it must build a {theorem.instance_type.__name__}"
            )
        return instance

    return replace(construction, build=build)


def witness_of(theorem: Theorem[Any]) -> Any:
    """The theorem's witness, within a limit on time; raises :class:`PredicateError` when it raises or is none."""
    try:
        with limit(f"{theorem.name}: its witness"):
            witness = theorem.witness()
    except PredicateError:
        raise
    except Exception as error:
        raise PredicateError(
            f"{theorem.name}: its witness raised {type(error).__name__}{line_of(error)}: {error}. It must build one "
            "instance that meets all assumptions"
        ) from error
    if not isinstance(witness, theorem.instance_type):
        raise PredicateError(
            f"{theorem.name}: its witness is {type(witness).__name__} {witness!r}; it must be a "
            f"{theorem.instance_type.__name__}"
        )
    return witness
