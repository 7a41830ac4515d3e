"""The models of one side: f, and g and bias where they are there, checked and the right way round."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from empirical.arrays.checks import finite, floating, matrix
from empirical.arrays.container import Array, Container, open_container
from empirical.arrays.pick import choose
from empirical.arrays.side import Side
from empirical.errors import InputError

#: Of a type with 8 bits of precision, the first one implied.
BFLOAT16_EPS = 2.0**-7


@dataclass(frozen=True, slots=True, eq=False)
class NamedArray:
    """An array that was read: native float32 or float64, with the shape and the type that it has in the file."""

    name: str
    stored_shape: tuple[int, ...]
    stored_dtype: str
    values: Array

    @property
    def eps(self) -> float:
        """That of the type in the file, or of the type it was read as where that is coarser."""
        stored = BFLOAT16_EPS if self.stored_dtype == "bfloat16" else float(np.finfo(np.dtype(self.stored_dtype)).eps)
        return max(stored, float(np.finfo(self.values.dtype).eps))


@dataclass(frozen=True, slots=True, eq=False)
class LoadedModel:
    """One model: f (rows, dim), and where they are there g (labels, dim), bias (labels,) and the names of the labels.

    ``letter`` is what its side is called in a report; ``layered`` says that f is one of the layers of a pattern.
    """

    letter: str
    path: Path
    f: NamedArray
    g: NamedArray | None = None
    bias: NamedArray | None = None
    labels: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    layered: bool = False

    @property
    def rows(self) -> int:
        return self.f.values.shape[0]

    @property
    def dim(self) -> int:
        return self.f.values.shape[1]


def load(side: Side, letter: str) -> tuple[LoadedModel, ...]:
    """The model of a side, or one for each layer where its f is a pattern.

    Raises ``InputError`` for a file or an array that cannot be used, an unknown name, a pattern that matches nothing,
    and a g that does not go with f or could be either way round.
    """
    container = open_container(side.path)
    written = side.names or {role: role for role in ("f", "g", "bias") if role == "f" or role in container.names}
    chosen = choose(container, written["f"], side)
    fs = [_floats(container, name, f"f of {letter}", "(rows, dimensions)", chosen.turned) for name in chosen.names]
    if chosen.by_pattern:
        for role in ("g", "bias", "labels"):
            if role in side.names:
                raise InputError(
                    f"{side}: {role} belongs to one f, and f={written['f']} is a pattern: leave {role} out"
                )
        return tuple(LoadedModel(letter, side.path, f, notes=notes, layered=True) for f, notes in fs)
    f, notes = fs[0]
    if "g" not in written:
        for role in ("bias", "labels"):
            if role in side.names:
                raise InputError(f"{side}: {role} goes with g, which is not named: add g=NAME, or leave {role} out")
        unused = (f"bias of {letter} is not used: there is no g",) if "bias" in written else ()
        return (LoadedModel(letter, side.path, f, notes=notes + unused),)
    g, more = _label_vectors(container, written["g"], side, f, letter)
    notes += more
    bias = None
    if "bias" in written:
        bias, more = _bias(container, written["bias"], side, g, letter)
        notes += more
    labels = None
    if "labels" in written:
        labels = read_names(container, written["labels"], side)
        check_labels(labels, g, letter, str(side))
    return (LoadedModel(letter, side.path, f, g, bias, labels, notes),)


def _floats(
    container: Container, name: str, role: str, axes: str, turned: bool = False
) -> tuple[NamedArray, tuple[str, ...]]:
    """A matrix of finite floating-point numbers, and remarks on how it was read."""
    stored = container.read(name)
    what = f"{role} ({container.path}, {name!r})"
    values, remark = floating(stored, what)
    finite(matrix(values, what, axes), what)
    kept = NamedArray(name, stored.values.shape, stored.dtype, values.T if turned else values)
    return kept, (remark,) if remark else ()


def _label_vectors(
    container: Container, text: str, side: Side, f: NamedArray, letter: str
) -> tuple[NamedArray, tuple[str, ...]]:
    """g as (labels, dim): turned round where only that fits f and nobody said otherwise."""
    chosen = choose(container, text, side)
    if chosen.by_pattern:
        raise InputError(f"{side}: g={text} is a pattern: g is one array")
    name, dim = chosen.names[0], f.values.shape[1]
    g, notes = _floats(container, name, f"g of {letter}", "(labels, dimensions)", chosen.turned)
    first, second = g.values.shape
    if first == second == dim and not chosen.turned:
        if "g" not in side.names:
            raise InputError(
                f"g of {letter} ({side.path}, {name!r}) is {first} x {second} and f has {dim} columns, so it could be "
                f"either way round: write g={name} if its rows are the labels, g={name}.T if its columns are, as in "
                f"{side.path}:f={f.name},g={name}.T"
            )
        notes += (f"g of {letter} is square: its rows are taken for the labels (g={name}.T takes its columns)",)
    elif second != dim and first == dim and not chosen.turned:
        notes += (f"g of {letter} is {first:,} x {second:,} in the file: its columns are taken for the labels",)
        g = NamedArray(g.name, g.stored_shape, g.stored_dtype, g.values.T)
    elif second != dim:
        way = f"{name}.T is" if chosen.turned else f"{name!r} is"
        raise InputError(
            f"g of {letter} ({side.path}) does not go with f: {way} {first:,} x {second:,} and f has {dim:,} columns; "
            f"g is (labels, dimensions) with the dimensions of f, or g={name}.T for a transposed one"
        )
    if g.values.shape[0] < 2:
        raise InputError(f"g of {letter} ({side.path}, {name!r}) has 1 label: a softmax needs at least 2")
    return g, notes


def _bias(
    container: Container, text: str, side: Side, g: NamedArray, letter: str
) -> tuple[NamedArray, tuple[str, ...]]:
    """bias as (labels,)."""
    chosen = choose(container, text, side)
    if chosen.by_pattern:
        raise InputError(f"{side}: bias={text} is a pattern: bias is one array")
    name, labels = chosen.names[0], g.values.shape[0]
    stored = container.read(name)
    what = f"bias of {letter} ({side.path}, {name!r})"
    values, remark = floating(stored, what)
    if stored.values.shape not in ((labels,), (labels, 1), (1, labels)):
        raise InputError(
            f"{what} has shape {stored.values.shape}: it needs one value for each of the {labels:,} labels"
        )
    flat = values.reshape(-1)
    finite(flat, what)
    return NamedArray(name, stored.values.shape, stored.dtype, flat), (remark,) if remark else ()


def read_names(container: Container, text: str, side: Side) -> tuple[str, ...]:
    """A one-dimensional array of text or integers, as text.  Raises ``InputError`` for any other."""
    name = choose(container, text, side).names[0]
    values = container.read(name).values
    if values.ndim != 1 or values.dtype.kind not in "USiu":
        raise InputError(
            f"{name!r} in {side.path} has shape {values.shape} and type {values.dtype}: "
            "names are one axis of text or integers"
        )
    try:
        if values.dtype.kind == "S":
            values = np.char.decode(values, "utf-8")
        return tuple(str(value) for value in values)
    except (UnicodeDecodeError, ValueError, SystemError) as error:  # the last of a number beyond Unicode
        raise InputError(f"{name!r} in {side.path} is not text in UTF-8: {error}") from error


def check_labels(labels: tuple[str, ...], g: NamedArray, letter: str, where: str) -> None:
    """Raise ``InputError`` unless there is one name for each row of g, each once."""
    count = g.values.shape[0]
    if len(labels) != count:
        raise InputError(f"{where}: {len(labels):,} label names, but g of {letter} has {count:,} labels")
    first: dict[str, int] = {}
    for i, label in enumerate(labels):
        if label in first:
            raise InputError(
                f"{where}: the label name {label!r} of {letter} stands twice, at {first[label]} and {i} (counted from "
                "0): each label has a name of its own"
            )
        first[label] = i
