"""Rows about the alignment: how A is computed, what it aligns, and what of it is checked."""

from __future__ import annotations

from tests.mutants import mutations_biases as biased
from tests.mutants import mutations_bounds as bounds
from tests.mutants import mutations_extended as extended
from tests.mutants import mutations_few as few
from tests.mutants import mutations_labels as labels
from tests.mutants import mutations_pairs as p
from tests.mutants.mutant import (
    BIASED,
    BIASED_LABELS,
    BOUND,
    EXTENDED,
    FEW,
    GIVEN_A,
    LABELS,
    LINEAR,
    LINKED,
    NO_ALIGNMENT,
    NO_BOUND,
    NO_LABELS,
    NO_PAIRS,
    NORMS,
    ONE_MODEL,
    ONE_SIDED,
    STABLE,
    Mutant,
    on_three,
)
from tests.mutants.mutations import claiming, not_checked, with_assumptions, with_closed_form, with_conclusion

_BOUND_OF_F = "n/a: the bound is one for each context, and label differences have none"
_NOT_INVERTED = "n/a: nothing is asked of the other model's differences"
_ONES = "in the scope M = 1 and entries are -1, 0, 1: A is 1 or -1 wherever the labels of both models differ"
_NO_MATRIX = "n/a: A is claimed to exist, and no A is given"

ROWS: tuple[Mutant, ...] = (
    Mutant(
        "A transposed",
        "f' = Aᵀ f* in place of f' = A f*; labels: g' = A⁻¹ g* in place of g' = A⁻ᵀ g*",
        {
            **on_three(with_closed_form(p.transposed)),
            BIASED: with_closed_form(biased.transposed),
            LABELS: with_conclusion(labels.by_inverse),
            BIASED_LABELS: with_conclusion(labels.with_biases(labels.by_inverse)),
            EXTENDED: with_closed_form(extended.transposed),
            BOUND: with_conclusion(bounds.of_logits(error=bounds.transposed)),
            STABLE: with_conclusion(bounds.of_probabilities(error=bounds.transposed)),
            NORMS: "n/a: an orthogonal matrix is orthogonal when transposed",
            FEW: NO_ALIGNMENT,
        },
        survives=dict.fromkeys((BIASED, BIASED_LABELS), "in the scope M = 1, where A is a number"),
    ),
    Mutant(
        "L⁻¹ for L⁻ᵀ",
        "A = L'⁻¹ L*ᵀ in place of A = L'⁻ᵀ L*ᵀ; extended: G₀'ᵀ in place of G₀'⁺",
        {
            **on_three(with_closed_form(p.inverse_not_transposed)),
            BIASED: with_closed_form(biased.inverse_not_transposed),
            EXTENDED: with_closed_form(extended.not_inverted),
            BOUND: with_conclusion(bounds.of_logits(error=bounds.not_transposed)),
            STABLE: with_conclusion(bounds.of_probabilities(error=bounds.not_transposed)),
            LABELS: GIVEN_A,
            BIASED_LABELS: GIVEN_A,
            NORMS: NO_LABELS,
            FEW: NO_ALIGNMENT,
        },
        survives={BIASED: "in the scope M = 1, where L is a number"},
    ),
    Mutant(
        "roles of ' and * exchanged",
        "A = L*⁻ᵀ L'ᵀ in place of A = L'⁻ᵀ L*ᵀ; labels: g' = Aᵀ g*; extended: T = (G₀*⁺ G₀')ᵀ; bounds: f' - A f",
        {
            **on_three(with_closed_form(p.sides_exchanged)),
            BIASED: with_closed_form(biased.sides_exchanged),
            LABELS: with_conclusion(labels.by_transpose),
            BIASED_LABELS: with_conclusion(labels.with_biases(labels.by_transpose)),
            EXTENDED: with_closed_form(extended.wrong_side),
            BOUND: with_conclusion(bounds.of_logits(error=bounds.from_the_other_side)),
            STABLE: with_conclusion(bounds.of_probabilities(error=bounds.from_the_other_side)),
            NORMS: "n/a: an orthogonal matrix is orthogonal when inverted",
            FEW: NO_ALIGNMENT,
        },
        survives={BIASED_LABELS: _ONES},
    ),
    Mutant(
        "f and g swapped: alignment",
        "A applied to the label differences, L' = A L*, in place of the representations; labels: A⁻ᵀ applied to the "
        "representations; extended: T = F'⁺ F*; few labels: v orthogonal to the representations",
        {
            **on_three(with_closed_form(p.labels_aligned)),
            BIASED: with_closed_form(p.labels_aligned),
            LABELS: with_conclusion(labels.representations),
            BIASED_LABELS: with_conclusion(labels.representations),
            EXTENDED: with_closed_form(extended.map_of_labels),
            BOUND: _BOUND_OF_F,
            STABLE: _BOUND_OF_F,
            NORMS: NO_LABELS,
            FEW: with_conclusion(few.orthogonal_to_f),
        },
    ),
    Mutant(
        "f and g swapped: conclusion",
        "g' = B g* in place of f' = A f*",
        {
            **on_three(with_conclusion(p.about_g)),
            BIASED: with_conclusion(p.about_g),
            LABELS: "n/a: that the representations are aligned is an assumption",
            BIASED_LABELS: "n/a: that the representations are aligned is an assumption",
            EXTENDED: with_conclusion(extended.about_g),
            BOUND: _BOUND_OF_F,
            STABLE: _BOUND_OF_F,
            NORMS: NO_LABELS,
            FEW: NO_ALIGNMENT,
        },
    ),
    Mutant(
        "A for A⁻ᵀ on labels",
        "g' = A g* in place of g' = A⁻ᵀ g*; extended: labels go by T",
        {
            LABELS: with_conclusion(labels.by_a),
            BIASED_LABELS: with_conclusion(labels.with_biases(labels.by_a)),
            EXTENDED: with_closed_form(extended.labels_by_t),
        },
        "n/a: nothing is claimed about the representations of labels",
        survives={BIASED_LABELS: _ONES},
    ),
    Mutant(
        "a smaller class",
        "A is orthogonal in place of invertible; biases: linear in place of affine; norms: a signed permutation",
        {
            **on_three(with_conclusion(p.orthogonal)),
            BIASED: claiming("linear"),
            NORMS: claiming("signed_permutation"),
            LABELS: "n/a: the class is a shift, and the smaller one is the row 'offset dropped'",
            BIASED_LABELS: "n/a: the class is a shift, and the smaller one is the row 'offset dropped'",
            EXTENDED: "n/a: the smaller class is the row 'T of full rank'",
            BOUND: "n/a: a bound has no class of maps",
            STABLE: "n/a: a bound has no class of maps",
            FEW: NO_ALIGNMENT,
        },
    ),
    Mutant(
        "L' not checked",
        "L' need not be invertible",
        {
            **on_three(with_assumptions(left_invertible=not_checked)),
            BIASED: with_assumptions(left_invertible=not_checked),
            BOUND: NO_BOUND,
            STABLE: NO_BOUND,
            NORMS: NO_LABELS,
            FEW: ONE_MODEL,
        },
        NO_PAIRS,
    ),
    Mutant(
        "L* not checked",
        "L* need not be invertible",
        {
            LINEAR: with_assumptions(right_invertible=not_checked),
            ONE_SIDED: "n/a: L* is not asked to be invertible",
            LINKED: with_assumptions(right_invertible=not_checked),
            BIASED: with_assumptions(right_invertible=not_checked),
            BOUND: _NOT_INVERTED,
            STABLE: _NOT_INVERTED,
            NORMS: NO_LABELS,
            FEW: ONE_MODEL,
        },
        NO_PAIRS,
    ),
    Mutant(
        "alignment not checked",
        "the given A (and c), or for norms some matrix, need not relate the representations",
        {
            LABELS: with_assumptions(aligned=not_checked),
            BIASED_LABELS: with_assumptions(aligned=not_checked),
            NORMS: with_assumptions(aligned=not_checked),
            FEW: NO_ALIGNMENT,
        },
        "n/a: that the representations are related is the conclusion",
        survives=dict.fromkeys((LABELS, BIASED_LABELS), "the scope lists pairs with an A that relates them"),
    ),
    Mutant(
        "A not checked",
        "the given A need not be invertible",
        {
            LABELS: with_assumptions(alignment_invertible=not_checked),
            BIASED_LABELS: with_assumptions(alignment_invertible=not_checked),
            FEW: NO_ALIGNMENT,
        },
        _NO_MATRIX,
        aligned_only=dict.fromkeys(
            (LABELS, BIASED_LABELS), "the one construction with a singular A computes the second model from it"
        ),
    ),
)
