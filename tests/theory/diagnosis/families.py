"""Pairs of models as arrays: rational instances of the theory, and random ones in floating point."""

from __future__ import annotations

from typing import Any

import numpy as np

from theory.arithmetic import Matrix
from theory.diagnosis import TrainedModel
from theory.models import Model, ModelPair

Array = np.ndarray[Any, np.dtype[np.floating[Any]]]


def floats(matrix: Matrix) -> Array:
    return np.array([[float(entry) for entry in row] for row in matrix.tolist()])


def trained(model: Model) -> TrainedModel:
    """The model of the theory, its entries rounded to float64."""
    return TrainedModel(floats(model.f), floats(model.g), None if model.bias is None else floats(model.bias)[:, 0])


def with_pairs(pair: ModelPair, pairs: tuple[tuple[int, int], ...]) -> ModelPair:
    """The same pair of models with other label pairs, the same at every context."""
    return ModelPair(pair.prime, pair.star, pair.candidate_sets, (pairs,) * pair.contexts if pairs else ())


def random_model(rng: np.random.Generator, contexts: int, labels: int, dim: int, biased: bool = False) -> TrainedModel:
    f, g = rng.standard_normal((contexts, dim)), rng.standard_normal((labels, dim))
    return TrainedModel(f, g, rng.standard_normal(labels) if biased else None)


def equal_to(model: TrainedModel, rng: np.random.Generator, biased: bool = False) -> tuple[TrainedModel, Array, Array]:
    """A model with the same distributions, f' = A f* + c, with A and c; c is 0 without ``biased``."""
    assert model.g is not None
    A = np.linalg.qr(rng.standard_normal((model.dim, model.dim)))[0] @ np.diag(rng.uniform(0.5, 2, model.dim))
    c = rng.standard_normal(model.dim) if biased else np.zeros(model.dim)
    inverse = np.linalg.inv(A)
    g = model.g @ inverse + rng.standard_normal(model.dim)
    bias = model.biases() - (model.g @ inverse) @ c if biased or model.bias is not None else None
    # A shift of g adds the same to every logit of a context.
    return TrainedModel(model.f @ A.T + c, g, bias), A, c


def noisy(model: TrainedModel, rng: np.random.Generator, size: float) -> TrainedModel:
    """The model with everything moved by normal noise of the given size."""
    assert model.g is not None

    def moved(values: Array) -> Array:
        return values + size * rng.standard_normal(values.shape)

    return TrainedModel(moved(model.f), moved(model.g), None if model.bias is None else moved(model.bias))
