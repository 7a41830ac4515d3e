"""Rows about what only some theorems have: biases and offsets, projections, norms, bounds."""

from __future__ import annotations

from fractions import Fraction

from tests.mutants import mutations_biases as biased
from tests.mutants import mutations_bounds as bounds
from tests.mutants import mutations_extended as extended
from tests.mutants import mutations_labels as labels
from tests.mutants import mutations_norms as norms
from tests.mutants import mutations_pairs as p
from tests.mutants.mutant import (
    BIASED,
    BIASED_LABELS,
    BOUND,
    EXTENDED,
    FEW,
    LABELS,
    LINEAR,
    LINKED,
    NORMS,
    ONE_SIDED,
    STABLE,
    Cell,
    Mutant,
    on_three,
)
from tests.mutants.mutations import (
    claiming,
    not_checked,
    with_assumptions,
    with_assumptions_and_formula,
    with_closed_form,
    with_conclusion,
)

_UNBIASED = "the scope lists models without biases only"
_NO_OFFSET = "n/a: no offset occurs"
_NO_PROJECTION = "n/a: no projection occurs"
_NO_NORM = "n/a: nothing is asked of norms, and A need not be orthogonal"
_NO_BOUND_CLAIMED = "n/a: no inequality is claimed"


def bound(within: bounds.Within) -> dict[str, Cell]:
    """One mistake about the size of the bound."""
    return {
        BOUND: with_conclusion(bounds.of_logits(within)),
        STABLE: with_conclusion(bounds.of_probabilities(within)),
    }


ROWS: tuple[Mutant, ...] = (
    Mutant(
        "bias ignored",
        "models may have biases, which a theorem without biases never looks at; with biases: equality of f·g alone",
        {
            **on_three(with_assumptions(no_bias=not_checked)),
            **dict.fromkeys((LABELS, EXTENDED, BOUND, STABLE), with_assumptions(no_bias=not_checked)),
            BIASED: with_assumptions_and_formula(equal_distributions=p.equal_without_bias),
            BIASED_LABELS: with_assumptions(equal_distributions=p.equal_without_bias),
            NORMS: "n/a: it is about representations alone, whatever the labels and biases",
            FEW: "n/a: both models have the bias of the one given, which cancels",
        },
        survives={
            **dict.fromkeys((LINEAR, ONE_SIDED, LINKED, LABELS, EXTENDED, BOUND, STABLE), _UNBIASED),
            **dict.fromkeys((BIASED, BIASED_LABELS), "the scope lists only pairs whose distributions are equal"),
        },
    ),
    Mutant(
        "offset dropped",
        "f' = A f* in place of f' = A f* + c; labels: g' = A⁻ᵀ g* in place of equal differences",
        {BIASED: claiming("linear"), LABELS: claiming("no_shift"), BIASED_LABELS: claiming("no_shift")},
        _NO_OFFSET,
    ),
    Mutant(
        "offset dropped in the formula",
        "c = 0 in place of c = L'⁻ᵀ (Δb* - Δb'); labels: the biases are equal, in place of b' = b* - c·g'",
        {BIASED: with_closed_form(biased.no_offset), BIASED_LABELS: claiming("same_bias")},
        "n/a: no offset occurs in a formula",
    ),
    Mutant(
        "sign of the offset flipped",
        "c = L'⁻ᵀ (Δb' - Δb*); labels: b' = b* + c·g'",
        {BIASED: with_closed_form(biased.sign_flipped), BIASED_LABELS: with_conclusion(labels.sign_flipped)},
        "n/a: no offset occurs in a formula",
    ),
    Mutant(
        "one model's share of the offset forgotten",
        "c = L'⁻ᵀ Δb*; labels: b' = b* - c·g* in place of c·g'",
        {BIASED: with_closed_form(biased.one_bias), BIASED_LABELS: with_conclusion(labels.labels_of_star)},
        "n/a: no offset occurs in a formula",
    ),
    Mutant(
        "projection dropped",
        "f' = T f* in place of P f' = T P f*",
        {EXTENDED: with_closed_form(extended.projection_dropped)},
        _NO_PROJECTION,
    ),
    Mutant(
        "projection of labels dropped",
        "labels are projected on 𝓖, where they lie, in place of V",
        {EXTENDED: with_closed_form(extended.labels_on_g)},
        _NO_PROJECTION,
    ),
    Mutant(
        "projection on W for V",
        "labels are projected on P_𝓕(𝓖) in place of P_𝓖(𝓕)",
        {EXTENDED: with_closed_form(extended.labels_on_w)},
        _NO_PROJECTION,
    ),
    Mutant(
        "dim of the span of f for r",
        "the spans of f' and f* have one dimension, in place of the spans of their projections",
        {EXTENDED: with_conclusion(extended.span_of_f)},
        "n/a: no dimensions of spans are compared",
    ),
    Mutant(
        "dim of the span of g for r",
        "the spans of the differences of g' and g* have one dimension",
        {EXTENDED: with_conclusion(extended.span_of_g)},
        "n/a: no dimensions of spans are compared",
    ),
    Mutant(
        "T of full rank",
        "f' = T f* for an invertible T, as with diversity",
        {EXTENDED: with_conclusion(extended.invertible_map)},
        "n/a: it is what the theorem claims, or no map of representations is claimed",
    ),
    Mutant(
        "A not orthogonal accepted",
        "one point fewer suffices: products of rank M(M+1)/2 - 1, where a map that is not orthogonal can keep norms",
        {NORMS: with_assumptions(quadric_rank=norms.one_below)},
        _NO_NORM,
    ),
    Mutant(
        "points counted",
        "there are M(M+1)/2 points, whatever the rank of their products",
        {NORMS: with_assumptions(quadric_rank=norms.enough_points)},
        _NO_NORM,
    ),
    Mutant(
        "norms of f' not checked",
        "f' may have any norms",
        {NORMS: with_assumptions(left_unit_norms=not_checked)},
        _NO_NORM,
    ),
    Mutant(
        "norms of f* not checked",
        "f* may have any norms",
        {NORMS: with_assumptions(right_unit_norms=not_checked)},
        _NO_NORM,
    ),
    Mutant("bound too small by a factor 2", "half the bound", bound(bounds.share(Fraction(1, 4))), _NO_BOUND_CLAIMED),
    Mutant(
        "bound too small by a permille",
        "999/1000 of the square of the bound",
        bound(bounds.share(Fraction(999, 1000))),
        _NO_BOUND_CLAIMED,
    ),
    Mutant("σ_max for σ_min", "the largest singular value", bound(bounds.largest_singular_value), _NO_BOUND_CLAIMED),
    Mutant("Frobenius norm for σ_min", "‖L‖_F in place of σ_min(L)", bound(bounds.frobenius), _NO_BOUND_CLAIMED),
    Mutant(
        "√M dropped",
        "2δ in place of 2δ√M",
        {
            STABLE: with_conclusion(bounds.of_probabilities(bounds.without_dimension)),
            BOUND: "n/a: M does not occur in the bound",
        },
        _NO_BOUND_CLAIMED,
    ),
)
