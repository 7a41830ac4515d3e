"""Rows about what is compared and seen: label pairs, candidate sets, distributions, and spanning representations."""

from __future__ import annotations

from tests.mutants import mutations_bounds as bounds
from tests.mutants import mutations_extended as extended
from tests.mutants import mutations_few as few
from tests.mutants import mutations_labels as labels
from tests.mutants import mutations_norms as norms
from tests.mutants import mutations_pairs as p
from tests.mutants.mutant import (
    ANY_DISTRIBUTIONS,
    BIASED,
    BIASED_LABELS,
    BOUND,
    EXTENDED,
    FEW,
    LABELS,
    LINEAR,
    LINKED,
    NO_BOUND,
    NO_LABELS,
    NO_PAIRS,
    NORMS,
    ONE_MODEL,
    ONE_SIDED,
    STABLE,
    Cell,
    Mutant,
)
from tests.mutants.mutations import Mutate, not_checked, with_assumptions, with_closed_form, with_conclusion

_ONLY_EQUAL = "the scope lists only pairs with equal distributions, so it cannot show what a weaker equality lets in"
_ALWAYS_JOINED = "in the scope the candidate sets of a context overlap, so labels that occur are joined"
_NEAR = "the scope lists only pairs with a δ that holds, so it cannot show what a weaker comparison lets in"
_ZERO_WHERE_FREE = "where f* does not span, the A that the scope takes is zero on what is free, and so singular"
_FULL = "the scope has full candidate sets only"
_ALL_JOINED = "in the scope every context joins all labels"
_SHIFT = "n/a: a label in place of a difference is the row 'offset dropped'"
_NO_SPAN = "n/a: no representation is asked to span"
_ONE_CONTEXT = "the scope has one context only"


def seen(pairs_seen: Mutate, pairs_joined: Mutate, labels_tied: Mutate, labels_joined: Mutate) -> dict[str, Cell]:
    """One mistake about what candidate sets show, by the assumption that asks for it."""
    return {
        **dict.fromkeys((LINEAR, ONE_SIDED, BIASED, STABLE), pairs_seen),
        LINKED: pairs_joined,
        **dict.fromkeys((LABELS, BIASED_LABELS), labels_tied),
        EXTENDED: labels_joined,
        BOUND: ANY_DISTRIBUTIONS,
        NORMS: NO_LABELS,
        FEW: ONE_MODEL,
    }


def equality(on_pairs: Mutate, near: Mutate) -> dict[str, Cell]:
    """One mistake about the comparison of distributions, which for ``stability`` are near each other."""
    return {
        **dict.fromkeys((LINEAR, ONE_SIDED, LINKED, BIASED, LABELS, BIASED_LABELS, EXTENDED), on_pairs),
        STABLE: near,
        BOUND: ANY_DISTRIBUTIONS,
        NORMS: NO_LABELS,
        FEW: ONE_MODEL,
    }


ROWS: tuple[Mutant, ...] = (
    Mutant(
        "g for differences",
        "[g(y_A)] in place of [g(y_A) - g(y_B)]; bounds: logits or probabilities of y_A alone; few labels: rank and "
        "null space of g",
        {
            LINEAR: with_assumptions(left_invertible=p.left_vectors, right_invertible=p.right_vectors),
            ONE_SIDED: with_assumptions(left_invertible=p.left_vectors),
            LINKED: with_assumptions(left_invertible=p.left_vectors, right_invertible=p.right_vectors),
            BIASED: with_assumptions(left_invertible=p.left_vectors, right_invertible=p.right_vectors),
            LABELS: _SHIFT,
            BIASED_LABELS: _SHIFT,
            EXTENDED: with_closed_form(extended.of_vectors),
            BOUND: with_conclusion(bounds.of_one_label),
            STABLE: with_assumptions(near=bounds.near_at_first_labels),
            NORMS: NO_LABELS,
            FEW: with_conclusion(few.of_vectors),
        },
        survives={
            **dict.fromkeys((FEW, EXTENDED), "in the scope g(0) = 0, where g and its differences span the same"),
            BIASED: "in the scope g(0) = 0 and candidate sets are full: where g(y_A) is not 0 the pair (y_A, 0) does",
            STABLE: _NEAR,
        },
    ),
    Mutant(
        "candidate set ignored: pairs unseen",
        "nothing is asked of the candidate sets that the chosen pairs, or all labels, lie in",
        seen(
            with_assumptions(pairs_seen=not_checked),
            with_assumptions(pairs_joined=not_checked),
            with_assumptions(labels_tied=not_checked),
            with_assumptions(labels_joined=not_checked),
        ),
        survives={**dict.fromkeys((BIASED, BIASED_LABELS, STABLE), _FULL), EXTENDED: _ALL_JOINED},
    ),
    Mutant(
        "candidate set ignored: first context only",
        "the chosen pairs, or all labels, are looked for at the first context only",
        seen(
            with_assumptions(pairs_seen=p.seen_at_first),
            with_assumptions(pairs_joined=p.joined_at_first),
            with_assumptions(labels_tied=p.all_joined_at_first),
            with_assumptions(labels_joined=p.all_joined_at_first),
        ),
        survives={**dict.fromkeys((BIASED, BIASED_LABELS, STABLE), _FULL), EXTENDED: _ALL_JOINED},
    ),
    Mutant(
        "candidate set ignored: which of them",
        "labels occur at the context (where they are to be tied together: at some context), in whatever candidate sets",
        seen(
            with_assumptions(pairs_seen=p.seen_anywhere),
            with_assumptions(pairs_joined=p.seen_anywhere),
            with_assumptions(labels_tied=p.all_occur),
            with_assumptions(labels_joined=p.all_occur_at_each),
        ),
        survives={
            **dict.fromkeys((LINEAR, ONE_SIDED, LINKED), _ALWAYS_JOINED),
            **dict.fromkeys((BIASED, BIASED_LABELS, STABLE), _FULL),
            EXTENDED: _ALL_JOINED,
        },
    ),
    Mutant(
        "candidate set ignored: equality",
        "distributions are compared on the first candidate set of each context only",
        equality(
            with_assumptions(equal_distributions=p.equal_on_first_set),
            with_assumptions(near=bounds.near_on_first_set),
        ),
        survives={
            **dict.fromkeys((LINEAR, ONE_SIDED, LINKED, BIASED, LABELS, BIASED_LABELS, EXTENDED), _ONLY_EQUAL),
            STABLE: _FULL,
        },
    ),
    Mutant(
        "distributions not compared",
        "the distributions need not be equal, or near each other",
        equality(with_assumptions(equal_distributions=not_checked), with_assumptions(near=not_checked)),
        survives={
            **dict.fromkeys((LINEAR, ONE_SIDED, LINKED, BIASED, LABELS, BIASED_LABELS, EXTENDED), _ONLY_EQUAL),
            STABLE: _NEAR,
        },
    ),
    Mutant(
        "one pair dropped",
        "M - 1 pairs are enough; few labels: no M - 1 independent differences",
        {
            LINEAR: with_assumptions(left_invertible=p.left_one_fewer, right_invertible=p.right_one_fewer),
            ONE_SIDED: with_assumptions(left_invertible=p.left_one_fewer),
            LINKED: with_assumptions(left_invertible=p.left_one_fewer, right_invertible=p.right_one_fewer),
            BIASED: with_assumptions(left_invertible=p.left_one_fewer, right_invertible=p.right_one_fewer),
            BOUND: NO_BOUND,
            STABLE: NO_BOUND,
            NORMS: NO_LABELS,
            FEW: with_conclusion(few.one_pair_fewer),
        },
        NO_PAIRS,
    ),
    Mutant(
        "pairs chosen by context",
        "contexts may choose different pairs; linked pairs: links between them are not asked for",
        {
            **dict.fromkeys((LINEAR, ONE_SIDED, BIASED, BOUND, STABLE), with_assumptions(common_pairs=not_checked)),
            LINKED: with_assumptions(linked=not_checked),
            NORMS: NO_LABELS,
            FEW: ONE_MODEL,
        },
        NO_PAIRS,
        survives={
            BIASED: "the scope chooses the label pairs once for all contexts",
            **dict.fromkeys((BOUND, STABLE), _ONE_CONTEXT),
        },
    ),
    Mutant(
        "spanning not checked",
        "f' or f* need not span; linked pairs: f* need not span where systems are linked; norms: nothing is asked of "
        "the points; few labels: nothing is asked of h",
        {
            ONE_SIDED: with_assumptions(left_spans=not_checked),
            LINKED: with_assumptions(linked=p.linked_without_spanning),
            LABELS: with_assumptions(star_spans=not_checked),
            BIASED_LABELS: with_assumptions(star_spans_affinely=not_checked),
            NORMS: with_assumptions(quadric_rank=not_checked),
            FEW: with_assumptions(h_not_affine=not_checked),
        },
        _NO_SPAN,
        survives={
            LINKED: "in the plane the scope has M + 1 labels, where all systems give one A; on the line it takes a "
            "third context, between two where f* differs from 0, and the scope has two",
            **dict.fromkeys((LABELS, BIASED_LABELS), _ZERO_WHERE_FREE),
        },
    ),
    Mutant(
        "spanning of the wrong kind",
        "rank F* = M in place of rank[1 | F*] = M + 1, or of rank M(M+1)/2 of the products; few labels: h is not "
        "linear in f, in place of not affine",
        {
            BIASED_LABELS: with_assumptions(star_spans_affinely=labels.linear_spanning),
            NORMS: with_assumptions(quadric_rank=norms.spans),
            FEW: with_assumptions(h_not_affine=few.not_linear),
        },
        "n/a: no representation is asked to span more than linearly",
        survives={BIASED_LABELS: _ZERO_WHERE_FREE},
    ),
    Mutant(
        "one label more",
        "few labels: K <= M + 1 is taken for few",
        {FEW: with_assumptions(few_labels=few.one_label_more)},
        "n/a: the number of labels is not bounded from above",
    ),
)
