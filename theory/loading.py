"""Loading a theorem from somebody's own file, with errors for the person who wrote it."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from inspect import getsourcefile
from pathlib import Path
from types import ModuleType
from typing import Any

from theory.calling import from_outside
from theory.digest import digest
from theory.places import MODULE, line_in
from theory.theorem import Theorem

#: Packages of other people register theorems under this entry-point group, name = "module:THEOREM".
ENTRY_POINTS = "linear_identifiability.theorems"


class BadTheorem(ValueError):
    """A theorem could not be loaded: the message says from where, what is wrong and what to do."""


def load_file(path: Path | str) -> Theorem[Any]:
    """Return the ``THEOREM`` that the Python file at ``path`` defines.

    Raises :class:`BadTheorem` for a file that is missing, no Python file, does not parse, raises when it runs, or
    defines no theorem, or one whose name the catalogue has taken.
    """
    path = Path(path)
    module = _executed(path)
    if not hasattr(module, "THEOREM"):
        raise BadTheorem(
            f"{path}: it defines no THEOREM; end the file with THEOREM = Theorem(...), or start from "
            "`python -m theory new NAME`"
        )
    return _checked(module.THEOREM, str(path))


def load_entry_points() -> dict[str, Theorem[Any]]:
    """Return the theorems that installed packages register, by name; raises :class:`BadTheorem` naming the package."""
    found: dict[str, Theorem[Any]] = {}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        package = f" of {point.dist.name}" if point.dist is not None else ""
        where = f"entry point {point.name} = {point.value}{package}"
        try:
            theorem = point.load()
        except BaseException as error:
            if from_outside(error):
                raise
            raise BadTheorem(f"{where}: {type(error).__name__}: {error}; repair or uninstall that package") from error
        if _checked(theorem, where).name in found:
            raise BadTheorem(f"{where}: the name {theorem.name!r} is taken by another package's theorem")
        found[theorem.name] = theorem
    return found


def certificates_of(theorem: Theorem[Any]) -> Path:
    """Where a package keeps the certificates of a theorem that it registers: ``certificates`` beside its module."""
    return Path(getsourcefile(theorem.conclusion) or ".").parent / "certificates"


def _executed(path: Path) -> ModuleType:
    try:
        if path.is_dir():
            raise BadTheorem(f"{path} is a folder: name a Python file that defines THEOREM")
        if not path.is_file():
            raise BadTheorem(f"{path}: there is no such file; `python -m theory new NAME` writes one")
    except OSError as error:  # a name that is too long, a folder that nobody may look into
        raise BadTheorem(f"{path}: cannot be read: {error.strerror or error}") from None
    if path.suffix != ".py":
        raise BadTheorem(f"{path}: a theorem file is a Python file and ends in .py")
    name = _module_name(path)
    spec = spec_from_file_location(name, path)
    assert spec is not None  # a .py file always has one
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and inspect look their module up there
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)  # no __pycache__ beside somebody's file
    except SyntaxError as error:
        theirs = error.filename in (str(path), None)  # and not in something that the file imports
        where = f"{path}, line {error.lineno}" if theirs and error.lineno else f"{path}{line_in(path, error)}"
        raise BadTheorem(f"{where}: syntax error{'' if theirs else f' in {error.filename}'}: {error.msg}") from None
    except OSError as error:
        raise BadTheorem(f"{path}: cannot be read: {error}") from None
    except SystemExit:
        raise BadTheorem(
            f"{path}: it ends the program when it is loaded (sys.exit); it must only define THEOREM"
        ) from None
    except BaseException as error:
        if from_outside(error):
            raise
        raise BadTheorem(f"{path}{line_in(path, error)}: {type(error).__name__}: {error}") from error
    return module


def _module_name(path: Path) -> str:
    """The same for the same file, so that a second loading replaces the first, and another for another of its name."""
    name = again = f"{MODULE}{path.stem}"
    number = 1
    while again in sys.modules and Path(sys.modules[again].__file__ or "").absolute() != path.absolute():
        number += 1
        again = f"{name}_{number}"
    return again


def _checked(theorem: Any, where: str) -> Theorem[Any]:
    from theory.catalogue import catalogue

    if not isinstance(theorem, Theorem):
        raise BadTheorem(f"{where}: THEOREM is {theorem!r} ({type(theorem).__name__}); it must be a theory.Theorem")
    if theorem.name in catalogue():
        raise BadTheorem(f"{where}: the name {theorem.name!r} is taken by a theorem of the catalogue; choose another")
    try:
        digest(theorem)
    except (ValueError, RecursionError) as error:
        raise BadTheorem(f"{where}: {error}") from None
    return theorem
