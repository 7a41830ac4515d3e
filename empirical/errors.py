"""The one error of what a user hands in."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input: what was wrong, which value, what is allowed.  Commands turn it into exit code 2."""
