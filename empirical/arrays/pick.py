"""Which arrays of a file a written name means: the name itself, NAME.T for its transpose, or a pattern."""

from __future__ import annotations

import difflib
import fnmatch
import re
from collections.abc import Sequence
from dataclasses import dataclass

from empirical.arrays.container import Container
from empirical.arrays.side import Side
from empirical.errors import InputError

_PATTERN = re.compile(r"[*?\[]")
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Choice:
    """The names of arrays, whether to transpose them, and whether a pattern chose them."""

    names: tuple[str, ...]
    turned: bool = False
    by_pattern: bool = False


def choose(container: Container, text: str, side: Side) -> Choice:
    """What ``text`` means among the arrays of a file; those of a pattern in natural order, layer.2 before layer.10.

    An array whose whole name is ``text`` comes first, so that a name may hold ``*`` or end in ``.T``.  Raises
    ``InputError`` for an unknown name, with the nearest ones, and for a pattern that matches nothing.
    """
    names = container.names
    if text in names:
        return Choice((text,))
    stem, turned = text.removesuffix(".T"), text.endswith(".T")
    if stem in names:
        return Choice((stem,), turned)
    if _PATTERN.search(stem):
        found = tuple(sorted((name for name in names if fnmatch.fnmatchcase(name, stem)), key=natural))
        if not found:
            raise InputError(f"{side}: the pattern {stem!r} matches none of its arrays: it has {_some(names)}")
        return Choice(found, turned, by_pattern=True)
    near = difflib.get_close_matches(stem, names, n=3, cutoff=0.5) if len(stem) > 1 else []
    if near:
        raise InputError(f"{side.path} has no array {stem!r}: did you mean {' or '.join(near)}?")
    raise InputError(
        f"{side.path} has no array {stem!r}: it has {_some(names)}; say which one to take, as in {side.path}:f=NAME"
    )


def _some(names: Sequence[str]) -> str:
    if not names:
        return "no arrays"
    ordered = sorted(names, key=natural)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(ordered[:_SHOWN]) + more


def natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts numbers within names by their size."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
