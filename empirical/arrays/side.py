"""One side of a comparison as it is written: ``FILE`` or ``FILE:f=NAME,g=NAME,bias=NAME,labels=NAME``."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from empirical.errors import InputError

ROLES = ("f", "g", "bias", "labels")
_WRITTEN = re.compile(rf"^(?P<path>.+?):(?P<names>(?:{'|'.join(ROLES)})=.*)$", re.DOTALL)
_COMMA = re.compile(rf",(?=(?:{'|'.join(ROLES)})=)")  # a name may hold commas itself
_OTHER_ROLE = re.compile(r"^(?P<path>.+?):(?P<role>\w+)=")


@dataclass(frozen=True, slots=True)
class Side:
    """A file, and which of its arrays play which role.

    ``names`` holds what was written after the colon.  Where nothing was written the arrays go by the names of their
    roles: f, and g and bias if they are there.
    """

    text: str
    path: Path
    names: Mapping[str, str]

    @classmethod
    def parse(cls, text: str) -> Side:
        """Read ``FILE[:f=NAME,g=NAME,bias=NAME,labels=NAME]``.

        Raises ``InputError`` for an unknown or repeated role, an empty name, or names without f.
        """
        match = _WRITTEN.match(text)
        if match is None:
            other = _OTHER_ROLE.match(text)
            if other is not None and not os.path.exists(text):
                raise InputError(f"{text}: {other['role']!r} names no role of an array: use {', '.join(ROLES)}")
            return cls(text, Path(text), {})
        names: dict[str, str] = {}
        for part in _COMMA.split(match["names"]):
            role, _, name = part.partition("=")
            if role in names:
                raise InputError(f"{text}: {role}= stands twice; name each array once")
            if not name:
                raise InputError(f"{text}: nothing stands after {role}=; write the name of an array of {match['path']}")
            names[role] = name
        if "f" not in names:
            raise InputError(f"{text}: f= is missing: where arrays are named, f must be among them, as in FILE:f=NAME")
        return cls(text, Path(match["path"]), names)

    def __str__(self) -> str:
        return self.text
