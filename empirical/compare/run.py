"""The comparison itself: measures on all rows and on held-out rows, matrices of many models, and the diagnosis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from empirical.arrays import LoadedModel
from empirical.arrays.container import Array
from empirical.compare.measures import chance_correlations, rows_of, spectrum
from empirical.compare.results import Comparison, Matrix, Options, PairResult
from empirical.compare.sentences import about_layers, about_many, about_pair
from empirical.compare.sides import read
from empirical.errors import InputError
from empirical.similarity import Joint, joint
from empirical.similarity.matrix import named
from empirical.similarity.sources import source

if TYPE_CHECKING:
    from theory.diagnosis import Diagnosis, TrainedModel

PairOf = Callable[[int, int], Joint]

#: Columns of all models together up to which they are read at once: the square of it is kept, 0.8 GB.
MOST_COLUMNS = 10_000

#: What a matrix of many models or layers shows: what any invertible map leaves, and what only rotations leave.
OF_MANY = ("mean CCA", "linear CKA")


def compare(sides: Sequence[str], options: Options) -> Comparison:
    """Compare the models of two sides or more.

    Raises ``InputError`` for bad input, and where no measure could be computed from any pair.
    """
    models, groups = read(sides, options)
    notes = [_pairing(models)]
    notes += dict.fromkeys(note for model in models for note in model.notes)
    pair_of = _reader(models)
    base = (tuple(sides), tuple(models), options, None if groups is None else int(groups.max()) + 1)
    if any(model.layered for model in models):
        matrices = _blocks(models, pair_of, options.seed)
        _refuse_nothing(matrices)
        return Comparison(*base, matrices, (), tuple(notes), about_layers(matrices, models[0].rows))
    matrices = _square(models, pair_of, options.seed) if len(models) > 2 else ()
    pairs = tuple(
        _pair((models[i], models[j]), pair_of(i, j), groups, options) for i, j in combinations(range(len(models)), 2)
    )
    for pair in pairs:
        if not any(row.judged for row in pair.rows):
            reason = pair.rows[0].refused or pair.rows[0].unjudged
            raise InputError(f"nothing can be told from chance of {' and '.join(pair.names)}: {reason}")
    sentence = pairs[0].sentence if len(pairs) == 1 else about_many(pairs)
    return Comparison(*base, matrices, pairs, tuple(notes), sentence)


def _reader(models: Sequence[LoadedModel]) -> PairOf:
    """Pairs of f: from one pass over all, or, where that would keep too much, from one pass for each pair."""
    sources = [source(model.f.values, f"f of {_title(model)}", model.f.eps) for model in models]
    if sum(model.dim for model in models) <= MOST_COLUMNS:
        return joint(*sources).pair
    return lambda i, j: joint(sources[i], sources[j])


def _title(model: LoadedModel) -> str:
    return f"{model.letter}, {model.f.name}" if model.layered else model.letter


def _pairing(models: Sequence[LoadedModel]) -> str:
    said = f"rows are paired by their position: row i of each of the {models[0].rows:,} is taken for the same input"
    if sum(model.g is not None for model in models) > 1 and all(model.labels is None for model in models):
        said += "; labels too"
    return said


# Many models ------------------------------------------------------------------------------------------------------


def _square(models: Sequence[LoadedModel], pair_of: PairOf, seed: int) -> tuple[Matrix, ...]:
    names = [model.letter for model in models]
    whole = range(len(models))
    return tuple(_matrix(measure, (), (names, whole), (names, whole), pair_of, seed) for measure in OF_MANY)


def _blocks(models: Sequence[LoadedModel], pair_of: PairOf, seed: int) -> tuple[Matrix, ...]:
    """The layers of each side against those of each other side."""
    found: list[Matrix] = []
    for sides in combinations(dict.fromkeys(model.letter for model in models), 2):
        places = [[i for i, model in enumerate(models) if model.letter == letter] for letter in sides]
        first, second = (([models[i].f.name for i in these], these) for these in places)
        found += [_matrix(measure, sides, first, second, pair_of, seed) for measure in OF_MANY]
    return tuple(found)


def _matrix(
    measure: str,
    sides: tuple[str, ...],
    rows: tuple[Sequence[str], Sequence[int]],
    columns: tuple[Sequence[str], Sequence[int]],
    pair_of: PairOf,
    seed: int,
) -> Matrix:
    """``rows`` and ``columns`` are names and places.  A measure that is refused once may be there elsewhere."""
    compute, refused = named(measure), ""
    rng = np.random.default_rng([seed, 3])
    values: list[list[float | None]] = [[None] * len(columns[1]) for _ in rows[1]]
    chance: list[list[float | None]] = [[None] * len(columns[1]) for _ in rows[1]]
    for (a, i), (b, j) in product(enumerate(rows[1]), enumerate(columns[1])):
        pair = pair_of(i, j)
        try:
            values[a][b] = compute(pair).value
            if i != j:
                chance[a][b] = compute(pair.permuted(rng.permutation(pair.rows))).value
        except InputError as error:
            refused = refused or str(error)
    return Matrix(
        measure, sides, tuple(rows[0]), tuple(columns[0]), tuple(map(tuple, values)), tuple(map(tuple, chance)), refused
    )


def _refuse_nothing(matrices: Sequence[Matrix]) -> None:
    if not any(matrix.computed for matrix in matrices):
        raise InputError(f"nothing can be computed: {matrices[0].refused}")


# Two models -------------------------------------------------------------------------------------------------------


def _pair(models: tuple[LoadedModel, LoadedModel], both: Joint, groups: Array | None, options: Options) -> PairResult:
    names = (models[0].letter, models[1].letter)
    try:
        rows, ranks = rows_of(both, names, groups, options)
    except MemoryError as error:
        if options.resamples <= both.rows:
            raise
        raise InputError(
            f"there is not enough memory ({error}) for --resamples {options.resamples}: give fewer"
        ) from error
    diagnosis, undiagnosed = _diagnosed(models, groups, options)
    return PairResult(
        names,
        rows,
        ranks,
        (spectrum(both, 0), spectrum(both, 1)),
        chance_correlations(both, options.seed),
        diagnosis,
        undiagnosed,
        about_pair(names, rows, both.rows, diagnosis, ranks, max((one.f for one in models), key=lambda f: f.eps)),
    )


def _diagnosed(
    models: tuple[LoadedModel, LoadedModel], groups: Array | None, options: Options
) -> tuple[Diagnosis | None, str]:
    missing = [model.letter for model in models if model.g is None]
    if missing:
        return None, f"theory needs g, and {' and '.join(missing)} {'has' if len(missing) == 1 else 'have'} none"
    from theory.diagnosis import diagnose

    first, second = (_trained(model) for model in models)
    together = None if groups is None else groups.tolist()
    try:
        found = diagnose(first, second, seed=options.seed, groups=together, names=(models[0].letter, models[1].letter))
    except ValueError as error:
        return None, str(error)
    return found, ""


def _trained(model: LoadedModel) -> TrainedModel:
    from theory.diagnosis import TrainedModel

    assert model.g is not None
    arrays = {"f": model.f, "g": model.g} | ({} if model.bias is None else {"bias": model.bias})
    # float16 and bfloat16 were widened; their own rounding is what ranks and equalities are to be insensitive to.
    roundoff = {role: array.eps / 2 for role, array in arrays.items()}
    return TrainedModel(**{role: array.values for role, array in arrays.items()}, roundoff=roundoff)
