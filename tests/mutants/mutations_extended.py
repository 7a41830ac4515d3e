"""Mistakes about extended-linear identifiability: in T = G₀'⁺ G₀*, in the projections and in the dimensions."""

from __future__ import annotations

from theory import decide
from theory.arithmetic import Matrix
from theory.arithmetic.projections import projection, pseudo_inverse
from theory.evidence import Evidence, all_of
from theory.indeterminacy import label_steps, seen_part
from theory.models import ModelPair


def _parts(pair: ModelPair) -> tuple[Matrix, Matrix, Matrix]:
    """G₀', G₀* and T."""
    ours, theirs = label_steps(pair.prime), label_steps(pair.star)
    return ours, theirs, pseudo_inverse(ours) @ theirs


def _with_map(T: Matrix, pair: ModelPair) -> Evidence:
    return decide.vanishes(seen_part(pair.prime) - seen_part(pair.star) @ T.T)


def projection_dropped(pair: ModelPair) -> Evidence:
    """f' = T f*."""
    return decide.vanishes(pair.prime.f - pair.star.f @ _parts(pair)[2].T)


def transposed(pair: ModelPair) -> Evidence:
    """P f' = Tᵀ P f*, where the dimensions allow it."""
    if pair.prime.dim != pair.star.dim:
        return decide.count_is_zero(0, "not claimed where the dimensions differ")
    return _with_map(_parts(pair)[2].T, pair)


def not_inverted(pair: ModelPair) -> Evidence:
    """T = G₀'ᵀ G₀*: a transpose where the pseudo-inverse belongs."""
    ours, theirs, _ = _parts(pair)
    return _with_map(ours.T @ theirs, pair)


def wrong_side(pair: ModelPair) -> Evidence:
    """T = (G₀*⁺ G₀')ᵀ: the map for the other direction, transposed."""
    ours, theirs, _ = _parts(pair)
    return _with_map((pseudo_inverse(theirs) @ ours).T, pair)


def map_of_labels(pair: ModelPair) -> Evidence:
    """T = F'⁺ F*, by which the labels go, for the representations."""
    return _with_map(pseudo_inverse(pair.prime.f) @ pair.star.f, pair)


def about_g(pair: ModelPair) -> Evidence:
    """The labels are related one to one by linear maps, not the representations."""
    ours, theirs, _ = _parts(pair)
    return all_of(decide.linear_map(theirs, ours), decide.linear_map(ours, theirs))


def of_vectors(pair: ModelPair) -> Evidence:
    """T = G'⁺ G* and projections on the span of g, the subtraction forgotten."""
    ours, theirs = pair.prime.g, pair.star.g
    T = pseudo_inverse(ours) @ theirs
    return decide.vanishes(pair.prime.f @ projection(ours) - pair.star.f @ projection(theirs) @ T.T)


def labels_on_g(pair: ModelPair) -> Evidence:
    """The projection of labels is on 𝓖, so g₀' = T⁺ᵀ g₀."""
    ours, theirs, T = _parts(pair)
    return decide.vanishes(ours - theirs @ pseudo_inverse(T))


def labels_on_w(pair: ModelPair) -> Evidence:
    """The projection of labels is on W = P_𝓕(𝓖)."""
    ours, theirs, T = _parts(pair)
    w_ours, w_theirs = (projection(g @ projection(model.f)) for model, g in ((pair.prime, ours), (pair.star, theirs)))
    return decide.vanishes(ours @ w_ours - theirs @ pseudo_inverse(T @ w_theirs))


def labels_by_t(pair: ModelPair) -> Evidence:
    """Labels go by T instead of its inverse transpose."""
    ours, theirs, T = _parts(pair)
    v_ours, v_theirs = projection(seen_part(pair.prime)), projection(seen_part(pair.star))
    return decide.vanishes(ours @ v_ours - theirs @ v_theirs @ T.T)


def span_of_f(pair: ModelPair) -> Evidence:
    """dim 𝓕 agrees, instead of r."""
    return decide.count_is_zero(abs(pair.prime.f.rank() - pair.star.f.rank()), "difference of dimensions")


def span_of_g(pair: ModelPair) -> Evidence:
    """dim 𝓖 agrees, instead of r."""
    ours, theirs, _ = _parts(pair)
    return decide.count_is_zero(abs(ours.rank() - theirs.rank()), "difference of dimensions")


def invertible_map(pair: ModelPair) -> Evidence:
    """f' = T f* for an invertible T."""
    return decide.invertible_linear_map(pair.star.f, pair.prime.f)
