"""Time budgets: a predicate or construction of a user's own that never ends must not hang the run."""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from types import FrameType
from typing import Any

from theory.calling import OutOfTime, PredicateError, called
from theory.checking import check
from theory.evidence import Evidence
from theory.places import line_at
from theory.sizes import Size
from theory.strategies.source import Source
from theory.theorem import Construction, Scope, Theorem
from theory.verdict import Verdict

#: Seconds for one instance of a theorem.
BUDGET = 10.0
#: Seconds for all instances of an exhaustive scope.
SCOPE_BUDGET = 120.0
_AGAIN = 0.01


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
    """Is this inside something whose exceptions Python drops: a finaliser, or what runs at a garbage collection or when
    something weakly referenced goes?"""
    while frame is not None:
        module = frame.f_globals.get("__name__")
        if frame.f_code.co_name in ("__del__", "gc_callback") or module in ("weakref", "_weakrefset"):
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
        return _instance(theorem, instance, f"the construction {construction.name!r} built", "build", f" at {size}")

    return replace(construction, build=build)


def usable(theorem: Theorem[Any], size: Size, without: str | None = None) -> list[Construction[Any]]:
    """As :meth:`Theorem.usable`, within a limit on time."""
    with limit(f"{theorem.name}: `fits` of its constructions, at {size},"):
        return theorem.usable(size, without)


def fitting(theorem: Theorem[Any], among: Sequence[Construction[Any]], size: Size) -> list[Construction[Any]]:
    """Those constructions that can build at this size, whatever they break, within a limit on time."""
    with limit(f"{theorem.name}: `fits` of its constructions, at {size},"):
        return [construction for construction in among if construction.fitting(size)]


def witness_of(theorem: Theorem[Any]) -> Any:
    """The theorem's witness, within a limit on time; raises :class:`PredicateError` when it raises or is none."""
    return built(theorem, "its witness", "It must build one instance that meets all assumptions", theorem.witness)


def built(theorem: Theorem[Any], what: str, rule: str, build: Callable[..., Any], *arguments: Any) -> Any:
    """An instance that code of the theorem builds, within a limit on time; raises :class:`PredicateError` when the
    code raises or builds something else."""
    with limit(f"{theorem.name}: {what}"):
        instance = called(f"{theorem.name}: {what}", rule, build, *arguments)
    return _instance(theorem, instance, f"{what} is", "be")


def scope_of(theorem: Theorem[Any], scope: Scope[Any]) -> Iterator[Any]:
    """The instances of an exhaustive scope, each within a limit on time; raises as :func:`built` does."""
    what, rule, end = "its exhaustive scope", "It must yield every instance and end", object()
    with limit(f"{theorem.name}: {what}, before its first instance,"):
        waiting = called(f"{theorem.name}: {what}", rule, lambda: iter(scope.instances()))
    while True:
        with limit(f"{theorem.name}: {what}, on one instance,"):
            instance = called(f"{theorem.name}: {what}", rule, next, waiting, end)
        if instance is end:  # and not None, which somebody's scope can yield
            return
        yield _instance(theorem, instance, f"{what} yielded", "yield")


def _instance(theorem: Theorem[Any], instance: Any, came: str, must: str, where: str = "") -> Any:
    if not isinstance(instance, theorem.instance_type):
        raise PredicateError(
            f"{theorem.name}: {came} {type(instance).__name__} {instance!r}{where}; it must {must} a "
            f"{theorem.instance_type.__name__}"
        )
    return instance


def checked(
    theorem: Theorem[Any], instance: Any, without: str | None = None, claim: str | None = None, brief: bool = False
) -> Verdict:
    """As :func:`theory.checking.check`, within a limit on time."""
    with limit(f"{theorem.name}: a predicate, on one instance,"):
        return check(theorem, instance, without=without, claim=claim, brief=brief)


def described(verdict: Verdict) -> str:
    """As :meth:`Verdict.describe`, with what is wrong in place of a witness that raises or does not end."""
    head = f"{verdict.about}: {verdict.status.name}: {verdict.status.value}"
    return "\n  ".join([head, *(described_one(verdict.theorem, evidence) for evidence in verdict.evidence)])


def described_one(theorem: str, evidence: Evidence) -> str:
    """One line for a piece of evidence; its witness is computed now, by code that may be somebody's own."""
    try:
        with limit(f"{theorem}: the witness of {evidence.name!r}"):
            return evidence.describe()
    except (PredicateError, OutOfTime, ValueError) as error:  # ValueError: a number too long to be written
        return f"{evidence.name}: {evidence.answer} (not shown in full: {error})"


@contextmanager
def reproducible(seed: int) -> Iterator[None]:
    """Seed the generators that a construction may use besides its source, and leave them as they were.

    Hypothesis does so by itself for what it draws.
    """
    from numpy import random as numpys

    before = random.getstate(), numpys.get_state()  # noqa: NPY002 - theirs, whatever they use
    random.seed(seed)
    numpys.seed(seed % 2**32)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(before[0])
        numpys.set_state(before[1])  # noqa: NPY002
