"""From what was written on the command line to models that can be compared row by row and label by label."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from empirical.arrays import (
    LoadedModel,
    Side,
    align_labels,
    check_rows,
    groups_of,
    load,
    name_files,
    with_label_names,
)
from empirical.arrays.container import Array
from empirical.compare.results import Options
from empirical.errors import InputError

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def read(texts: Sequence[str], options: Options) -> tuple[list[LoadedModel], Array | None]:
    """The models of all sides, and the group of each row where groups are asked for.

    Raises ``InputError`` for whatever cannot be read or does not go together.
    """
    if len(texts) > len(LETTERS):
        raise InputError(f"{len(texts)} sides: at most {len(LETTERS)} can be compared at once")
    sides = [Side.parse(text) for text in texts]
    _refuse_the_same(sides)
    loaded = [load(side, letter) for side, letter in zip(sides, LETTERS, strict=False)]
    models = [model for layers in loaded for model in layers]
    check_rows(models)
    if options.label_names:
        if any(model.layered for model in models):
            raise InputError("--label-names is about g, which layers do not have: leave it out")
        models = with_label_names(models, name_files([Path(name) for name in options.label_names], len(sides)))
    models = align_labels(models)
    groups = groups_of(options.groups, sides, models[0].rows) if options.groups else None
    return models, groups


def _refuse_the_same(sides: Sequence[Side]) -> None:
    """A file that is named twice, without saying which arrays, would be compared with itself."""
    seen: dict[str, Side] = {}
    for side in sides:
        if side.names:
            continue
        key = os.path.realpath(side.path)
        if key in seen and side.path.suffix.lower() == ".npy":
            raise InputError(f"{side.path} stands for two sides, and a .npy file holds one array: name two files")
        if key in seen:
            raise InputError(
                f"{side.path} stands for two sides: say which of its arrays belong to which, as in {side.path}:f=NAME1 "
                f"{side.path}:f=NAME2"
            )
        seen[key] = side


def titles(names: Sequence[str]) -> list[str]:
    """Short names of layers: the parts of their names that differ, unless that leaves nothing of one."""
    if len(names) < 2:
        return list(names)
    start = re.sub(r"\d+$", "", _common_start(names))
    end = re.sub(r"^\d+", "", _common_start([name[::-1] for name in names])[::-1])
    short = [name[len(start) : len(name) - len(end)] for name in names]
    return short if all(short) else list(names)


def _common_start(names: Sequence[str]) -> str:
    length = 0
    while all(len(name) > length and name[length] == names[0][length] for name in names):
        length += 1
    return names[0][:length]
