"""Calling somebody's own code: whatever it raises becomes one error that says whose code it was, what and where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from theory.places import line_of

Answer = TypeVar("Answer")


class OutOfTime(BaseException):
    """Something took longer than its budget; the message says what and how long.

    Not an ``Exception``: Hypothesis would take it for a failure of the instance and run it again to shrink it.
    """


class PredicateError(Exception):
    """The code of a theorem raised, or returned something else than it must; a predicate must be total.

    ``predicate`` names the assumption or conclusion that it was, "" for other code such as a construction.
    """

    def __init__(self, message: str, predicate: str = "") -> None:
        super().__init__(message)
        self.predicate = predicate


def from_outside(error: BaseException) -> bool:
    """Is it Ctrl-C or a limit on time, and nothing that the code did by itself, such as ``sys.exit``?"""
    return isinstance(error, (KeyboardInterrupt, OutOfTime))


def called(what: str, rule: str, function: Callable[..., Answer], *arguments: Any, predicate: str = "") -> Answer:
    """The answer of ``function``; raises :class:`PredicateError` saying what raised, where, and the rule it broke.

    ``SystemExit`` and its like count too: they would end the run as if nothing had been found.
    """
    try:
        return function(*arguments)
    except PredicateError:
        raise
    except BaseException as error:
        if from_outside(error):
            raise
        raised = f"{what} raised {type(error).__name__}{line_of(error)}: {error}. {rule}"
        raise PredicateError(raised, predicate) from error
