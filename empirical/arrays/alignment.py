"""What makes the sides comparable: the same rows, the same labels in one order; and groups of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from empirical.arrays.container import Array, exists, open_container
from empirical.arrays.loading import LoadedModel, NamedArray, check_labels, read_names
from empirical.arrays.side import Side
from empirical.errors import InputError


def check_rows(models: Sequence[LoadedModel]) -> None:
    """Raise ``InputError`` unless all models have equally many rows."""
    first = models[0]
    for model in models[1:]:
        if model.rows != first.rows:
            raise InputError(
                f"f of {first.letter} ({first.path}, {first.f.name!r}) has {first.rows:,} rows and f of {model.letter} "
                f"({model.path}, {model.f.name!r}) has {model.rows:,}: row i of each must come from the same input i"
            )


def name_files(paths: Sequence[Path], sides: int) -> list[tuple[str, ...]]:
    """The label names of each side: from one text file a side, or one file with a tab-separated column for each side.

    Raises ``InputError`` where a file cannot be read or the columns do not match the sides.
    """
    if len(paths) not in (1, sides):
        raise InputError(
            f"--label-names is given {len(paths)} times for {sides} sides: give it once for each side, in their order, "
            "or once with a file that has a tab-separated column for each side"
        )
    if len(paths) == sides:
        return [tuple(_lines(path)) for path in paths]
    rows = [line.split("\t") for line in _lines(paths[0])]
    for number, row in enumerate(rows, start=1):
        if len(row) != sides:
            raise InputError(
                f"{paths[0]}, line {number}: {len(row)} columns for {sides} sides: write the names of the sides beside "
                "one another with a tab between, or give --label-names once for each side"
            )
    return [tuple(column) for column in zip(*rows, strict=True)]


def _lines(path: Path) -> list[str]:
    """The lines of a text file.  A name may be blank or hold spaces, so lines are taken as they are.

    A byte order mark at the start, as some editors write, belongs to no name.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not text in UTF-8: {error.reason} at byte {error.start}") from error
    if lines[-1] == "":
        lines.pop()
    if not lines:
        raise InputError(f"{path} is empty: write one name a line")
    return [line.removesuffix("\r") for line in lines]


def with_label_names(models: Sequence[LoadedModel], names: Sequence[tuple[str, ...]]) -> list[LoadedModel]:
    """The models with these names of their labels.  Raises ``InputError`` for a wrong number, or a name twice."""
    named: list[LoadedModel] = []
    for model, labels in zip(models, names, strict=True):
        if model.g is None:
            raise InputError(
                f"label names are given, but {model.letter} ({model.path}) has no g: leave --label-names out"
            )
        check_labels(labels, model.g, model.letter, "--label-names")
        named.append(replace(model, labels=labels))
    return named


def align_labels(models: Sequence[LoadedModel]) -> list[LoadedModel]:
    """The models with the labels of all in the order of the first.

    Without names the labels are paired by their position.  Raises ``InputError`` where the labels differ.
    """
    with_g = [model for model in models if model.g is not None]
    if len({model.labels is None for model in with_g}) == 2:
        unnamed = next(model for model in with_g if model.labels is None)
        raise InputError(f"the labels of {unnamed.letter} have no names, those of another side have: name all or none")
    if len(with_g) < 2:
        return list(models)
    first = with_g[0]
    return [model if model.g is None or model is first else _aligned(model, first) for model in models]


def _aligned(model: LoadedModel, first: LoadedModel) -> LoadedModel:
    assert model.g is not None
    assert first.g is not None
    if model.labels is None or first.labels is None:
        ours, theirs = first.g.values.shape[0], model.g.values.shape[0]
        if ours != theirs:
            raise InputError(
                f"{first.letter} has {ours:,} labels and {model.letter} has {theirs:,}: "
                "both models must have the same labels"
            )
        return model
    place = {label: i for i, label in enumerate(model.labels)}
    _same_names(first, model)
    order = np.array([place[label] for label in first.labels])
    moved = int(np.count_nonzero(order != np.arange(len(order))))
    note = f"labels of {model.letter} are put into the order of {first.letter}: {moved:,} of {len(order):,} moved"
    return replace(
        model,
        g=_taken(model.g, order),
        bias=None if model.bias is None else _taken(model.bias, order),
        labels=first.labels,
        notes=(*model.notes, note),
    )


def _same_names(first: LoadedModel, model: LoadedModel) -> None:
    ours, theirs = first.labels or (), model.labels or ()
    for has, lacks, names in ((first, model, set(ours) - set(theirs)), (model, first, set(theirs) - set(ours))):
        if names:
            shown = ", ".join(repr(name) for name in sorted(names)[:5]) + (", …" if len(names) > 5 else "")
            raise InputError(
                f"{len(names):,} label(s) of {has.letter} are missing from {lacks.letter}: {shown}; both models must "
                "have the same labels: leave the others out of g, of bias and of the names"
            )


def _taken(array: NamedArray, order: Array) -> NamedArray:
    return replace(array, values=array.values[order])


def groups_of(text: str, sides: Sequence[Side], rows: int) -> Array:
    """The group of each row, as integers (rows,), from the array of that name in a side's file, or from a file.

    A file is ``.npy``, or text with one group a line.  Where several sides have the array, it must be the same.
    Raises ``InputError`` where there is none, or it does not fit the rows.
    """
    found = _from_sides(text, sides)
    values = np.array(found) if found else _from_file(Path(text), sides)
    if values.shape != (rows,):
        raise InputError(f"--groups {text}: shape {values.shape}, but there are {rows:,} rows: one group for each row")
    labels, codes = np.unique(values, return_inverse=True)
    if len(labels) < 2:
        raise InputError(f"--groups {text}: all rows are of one group: at least 2 are needed to hold rows out")
    return codes


def _from_sides(text: str, sides: Sequence[Side]) -> tuple[str, ...]:
    found: tuple[str, ...] = ()
    for path in dict.fromkeys(side.path for side in sides):
        container = open_container(path)
        if path.suffix.lower() == ".npy" or text not in container.names:
            continue
        here = read_names(container, text, Side(str(path), path, {}))
        if found and here != found:
            raise InputError(f"--groups {text}: the files of the sides hold different groups of that name")
        found = here
    return found


def _from_file(path: Path, sides: Sequence[Side]) -> Array:
    if not exists(path):
        files = ", ".join(dict.fromkeys(str(side.path) for side in sides))
        raise InputError(f"--groups {path}: neither an array of {files} nor a file")
    if path.suffix.lower() != ".npy":
        return np.array(_lines(path))
    values = open_container(path).read("f").values
    if values.dtype.kind not in "USiu":
        raise InputError(f"--groups {path}: type {values.dtype}: groups are integers or text")
    return np.asarray(values)
