"""The symmetries under which the theorems of the family are invariant, applied to pairs of models."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from theory.arithmetic import Matrix, Scalar
from theory.models import Model, ModelPair
from theory.strategies.matrices import entries, invertible
from theory.strategies.source import Source, choice, shuffled


def gauged(model: Model, gauge: Matrix) -> Model:
    """The same distributions in other coordinates: f(x) becomes B f(x) and g(y) becomes B⁻ᵀ g(y).

    Raises ``ValueError`` when B (dim, dim) is singular.
    """
    inverse = gauge.inverse()
    if inverse is None:
        raise ValueError("a gauge must be invertible")
    return Model(model.f @ gauge.T, model.g @ inverse, model.bias)


def translated(model: Model, shift: Sequence[Scalar]) -> Model:
    """The same distributions with every g(y) moved by one vector (dim,)."""
    return Model(model.f, model.g + type(model.g).of([list(shift)] * model.labels), model.bias)


def relabelled(pair: ModelPair, order: Sequence[int]) -> ModelPair:
    """The same pair with the labels listed in another order: new label k is old label ``order[k]``."""
    new = {old: k for k, old in enumerate(order)}

    def moved(model: Model) -> Model:
        return Model(model.f, model.g.take(rows=order), model.bias and model.bias.take(rows=order))

    return ModelPair(
        moved(pair.prime),
        moved(pair.star),
        tuple(tuple(tuple(sorted(new[y] for y in chosen)) for chosen in sets) for sets in pair.candidate_sets),
        tuple(tuple((new[a], new[b]) for a, b in pairs) for pairs in pair.label_pairs),
    )


def reordered(pair: ModelPair, order: Sequence[int]) -> ModelPair:
    """The same pair with the contexts listed in another order."""

    def moved(model: Model) -> Model:
        return Model(model.f.take(rows=order), model.g, model.bias)

    return ModelPair(
        moved(pair.prime),
        moved(pair.star),
        tuple(pair.candidate_sets[x] for x in order),
        tuple(pair.label_pairs[x] for x in order) if pair.label_pairs else (),
    )


def rearranged(source: Source, pair: ModelPair) -> ModelPair:
    """Labels and contexts in another order; shrinks to the given order."""
    pair = relabelled(pair, shuffled(source, range(pair.labels)))
    return reordered(pair, shuffled(source, range(pair.contexts)))


def transformed(source: Source, pair: ModelPair) -> ModelPair:
    """Every symmetry at once: a gauge, a rescaling and a translation of each model, and new orders.

    The two models are transformed independently of each other.
    """
    models: list[Model] = []
    for model in (pair.prime, pair.star):
        gauge = invertible(source, model.dim).scaled(choice(source, (1, 2, Fraction(-1, 3))))
        models.append(translated(gauged(model, gauge), entries(source, 1, model.dim)[0]))
    return rearranged(source, ModelPair(models[0], models[1], pair.candidate_sets, pair.label_pairs))
