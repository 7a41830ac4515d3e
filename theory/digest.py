"""The digest of a statement: what a certificate was issued for.

It covers names, statements and the code of the predicates, and of the functions of this package or of the theorem's
own file that they call by name.  Docstrings, comments, formatting, references and constructions do not count: a
counterexample stays one when they change.  Kernels (:mod:`theory.arithmetic`) do not count either, since a replay
computes everything again.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import textwrap
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import FunctionType
from typing import Any

from theory.theorem import Theorem


def digest(theorem: Theorem[Any]) -> str:
    """Return the SHA-256 of everything that defines what ``theorem`` says.

    Raises ``ValueError`` for a predicate whose source cannot be read, such as a lambda.
    """
    predicates: list[tuple[str, Callable[..., Any] | None]] = [(a.name, a.decide) for a in theorem.assumptions]
    predicates += [("conclusion", theorem.conclusion), ("closed_form", theorem.closed_form)]
    predicates += [("nontrivial", theorem.nontrivial)]
    parts: list[Any] = [theorem.name, theorem.statement, theorem.instance_type.__qualname__]
    parts += [[a.name, a.statement] for a in theorem.assumptions]
    parts += [[name, code_of(predicate, theorem)] for name, predicate in predicates if predicate is not None]
    return "sha256:" + hashlib.sha256(repr(parts).encode()).hexdigest()


def code_of(predicate: Callable[..., Any], theorem: Theorem[Any]) -> list[tuple[str, Any]]:
    """Return the code of ``predicate`` and of everything it reaches by name, as nested tuples without docstrings."""
    own_file = getattr(theorem.conclusion, "__module__", "")
    waiting: list[Callable[..., Any]] = [predicate]
    seen: dict[str, Any] = {}
    while waiting:
        function = inspect.unwrap(waiting.pop())
        key = f"{function.__module__}.{function.__qualname__}"
        if key in seen or not isinstance(function, FunctionType):
            continue
        tree = _parsed(function)
        seen[key] = (_plain(tree), *_constants(tree, function))
        waiting.extend(f for f in _called(tree, function) if _counts(f, own_file))
    return [(key.rsplit(".", 1)[-1], seen[key]) for key in sorted(seen)]


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
    """The module-level numbers and strings that the code names, with their values."""
    names = sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)})
    found = [(name, function.__globals__.get(name)) for name in names]
    return [(name, repr(value)) for name, value in found if isinstance(value, (int, float, str, Fraction, tuple))]


def _parsed(function: FunctionType) -> ast.AST:
    where = f"{function.__module__}.{function.__qualname__}"
    if function.__name__ == "<lambda>":
        raise ValueError(f"{where}: write predicates as named functions; a lambda has no source of its own to digest")
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
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
