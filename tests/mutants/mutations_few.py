"""Mistakes about few labels: which vectors the free direction is orthogonal to, and how many labels are few."""

from __future__ import annotations

from theory import decide
from theory.arithmetic import Matrix
from theory.evidence import Evidence, all_of
from theory.theorems.softmax.few_labels import FreeFunction, all_differences


def _few_labels(rank: Matrix, wanted: int, free: Matrix, instance: FreeFunction) -> Evidence:
    """The conclusion of ``few_labels`` with other matrices in it; ``free`` (dim, any) are the directions v."""
    model = instance.model
    not_diverse = decide.count_is_zero(int(rank.rank() >= wanted), "too many independent differences")
    if free.shape[1] == 0:
        return not_diverse
    partner = model.f + instance.h @ free.take(columns=[0]).T
    same = decide.vanishes((partner - model.f) @ all_differences(model))
    return all_of(not_diverse, same, decide.no_affine_map(model.f, partner))


def orthogonal_to_f(instance: FreeFunction) -> Evidence:
    """v orthogonal to all f(x) instead of all label differences."""
    differences = all_differences(instance.model)
    return _few_labels(differences, instance.model.dim, instance.model.f.null_space(), instance)


def of_vectors(instance: FreeFunction) -> Evidence:
    """Rank and null space of g instead of its differences."""
    return _few_labels(instance.model.g, instance.model.dim, instance.model.g.null_space(), instance)


def one_pair_fewer(instance: FreeFunction) -> Evidence:
    """No M - 1 independent differences either."""
    differences = all_differences(instance.model)
    return _few_labels(differences, instance.model.dim - 1, differences.T.null_space(), instance)


def one_label_more(instance: FreeFunction) -> Evidence:
    """K <= M + 1 is taken for few."""
    return decide.count_is_zero(max(instance.model.labels - instance.model.dim - 1, 0), "labels beyond M + 1")


def not_linear(instance: FreeFunction) -> Evidence:
    """h is not a linear function of f, where it must not be an affine one."""
    found = decide.linear_map(instance.model.f, instance.h)
    return decide.count_is_zero(int(bool(found.holds)), "a linear map exists")
