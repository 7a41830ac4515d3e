"""The digest of a statement: what a certificate was issued for.

It covers names, statements and the code of the predicates: of the functions of this package or of the theorem's own
file that they call by name, of what they captured where they were made, and the constants they name.  Docstrings,
comments, formatting, references and constructions do not count: a counterexample stays one when they change.  Kernels
(:mod:`theory.arithmetic`) and the methods of instances do not count either; a replay computes with them again.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import FunctionType, ModuleType
from typing import Any

from theory.places import MODULE
from theory.theorem import Theorem


def digest(theorem: Theorem[Any]) -> str:
    """Return the SHA-256 of everything that defines what ``theorem`` says.

    Raises ``ValueError`` for a predicate whose source cannot be read, such as a lambda or a partial.
    """
    predicates: list[tuple[str, Callable[..., Any] | None]] = [(a.name, a.decide) for a in theorem.assumptions]
    predicates += [("conclusion", theorem.conclusion), ("closed_form", theorem.closed_form)]
    predicates += [("nontrivial", theorem.nontrivial)]
    predicates += [(stronger.name, stronger.conclusion) for stronger in theorem.stronger]
    parts: list[Any] = [theorem.name, theorem.statement, theorem.instance_type.__qualname__]
    parts += [[a.name, a.statement] for a in theorem.assumptions]
    parts += [[s.name, s.statement] for s in theorem.stronger]
    parts += [[name, code_of(predicate, theorem)] for name, predicate in predicates if predicate is not None]
    return "sha256:" + hashlib.sha256(repr(parts).encode()).hexdigest()


def code_of(predicate: Callable[..., Any], theorem: Theorem[Any]) -> list[tuple[str, Any]]:
    """Return the code of ``predicate`` and of everything it reaches by name, as nested tuples without docstrings."""
    own_file = getattr(theorem.conclusion, "__module__", "")
    if not isinstance(inspect.unwrap(predicate), FunctionType):
        raise ValueError(f"{predicate!r}: write predicates as named functions, whose code can be digested")
    waiting: list[Callable[..., Any]] = [predicate]
    seen: dict[tuple[str, str], Any] = {}
    while waiting:
        function = inspect.unwrap(waiting.pop())
        if not isinstance(function, FunctionType):
            continue
        captured = _captured(function)
        key = (f"{function.__module__}.{function.__qualname__}", repr(captured))
        if key in seen:
            continue
        tree = _parsed(function)
        seen[key] = (_plain(tree), *_constants(tree, function), *captured)
        called = [*_called(tree, function), *(cell for cell in _cells(function).values() if callable(cell))]
        waiting.extend(f for f in called if isinstance(f, FunctionType) and _counts(f, own_file))
    return [(key[0].rsplit(".", 1)[-1], seen[key]) for key in sorted(seen)]


def _counts(function: Callable[..., Any], own_file: str) -> bool:
    module = function.__module__ or ""
    return module == own_file or (module.startswith("theory.") and not module.startswith("theory.arithmetic"))


def _called(tree: ast.AST, function: FunctionType) -> Iterator[Callable[..., Any]]:
    """The functions that the code names, plainly or as an attribute of an imported module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found = function.__globals__.get(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found = getattr(function.__globals__.get(node.value.id), node.attr, None)
        else:
            continue
        found = inspect.unwrap(found) if callable(found) and not isinstance(found, type) else None
        if isinstance(found, FunctionType):
            yield found


def _constants(tree: ast.AST, function: FunctionType) -> list[tuple[str, str]]:
    """The constants that the code names, plainly or as an attribute of a module, with their values."""
    found: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found[node.id] = function.__globals__.get(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = function.__globals__.get(node.value.id)
            if isinstance(owner, ModuleType):
                found[f"{node.value.id}.{node.attr}"] = getattr(owner, node.attr, None)
    return [(name, _written(value)) for name, value in sorted(found.items()) if _simple(value)]


def _simple(value: Any, inside: tuple[int, ...] = ()) -> bool:
    """Numbers, strings, and tuples, lists, sets and records of them: what is written the same way everywhere.

    Nothing that holds itself is: ``inside`` are the identities of what holds this value.
    """
    if isinstance(value, (dict, tuple, list, set, frozenset)):
        items = [*value, *value.values()] if isinstance(value, dict) else value
        return id(value) not in inside and all(_simple(item, (*inside, id(value))) for item in items)
    return isinstance(value, (int, float, str, Fraction))


def _written(value: Any) -> str:
    """A simple value in words; the order of a set does not show."""
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(_written, value))) + "}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_written(key)}: {_written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}(" + ", ".join(map(_written, value)) + ")"
    return repr(value)


def _cells(function: FunctionType) -> dict[str, Any]:
    """What a function captured from the function that made it, by name."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in cells}


def _captured(function: FunctionType) -> list[tuple[str, str]]:
    """What a function captured, in words: the value of what is simple, the class or name of anything else."""
    return [
        (name, _written(value) if _simple(value) else getattr(value, "__qualname__", type(value).__qualname__))
        for name, value in sorted(_cells(function).items())
    ]


def _parsed(function: FunctionType) -> ast.AST:
    own = function.__module__.startswith(MODULE)  # of a file, whose name the caller says
    where = function.__qualname__ if own else f"{function.__module__}.{function.__qualname__}"
    if function.__name__ == "<lambda>":
        raise ValueError(f"{where}: write predicates as named functions; a lambda has no source of its own to digest")
    try:
        source = inspect.getsource(function)
        if source[:1].isspace():  # not dedented: a text inside it may begin in column 0
            return ast.Module(ast.parse(f"if True:\n{source}").body[0].body, [])  # type: ignore[attr-defined]
        return ast.parse(source)
    except OSError as error:
        raise ValueError(f"{where}: its source cannot be read, so the statement cannot be digested") from error


def _plain(node: Any) -> Any:
    """A syntax tree as nested tuples that are the same in every Python version: no docstrings, positions or empties."""
    if isinstance(node, ast.AST):
        kept: list[Any] = [type(node).__name__]
        for name, value in ast.iter_fields(node):
            if name in ("ctx", "type_comment", "kind", "type_params") or value is None or value == []:
                continue
            if name == "body" and isinstance(value, list) and isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                value = value[1:] if ast.get_docstring(node) is not None else value
            kept.append((name, _plain(value)))
        return tuple(kept)
    if isinstance(node, list):
        return tuple(_plain(item) for item in node)
    return repr(node)
