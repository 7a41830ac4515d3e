"""The cases that must be told apart, and the words for them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.theory.diagnosis.families import Array, equal_to, noisy, random_model
from tests.theory.diagnosis.mutate import mutated
from theory.diagnosis import Diagnosis, Support, TrainedModel, assumed, diagnose
from theory.diagnosis.judged import judge

RNG = np.random.default_rng(7)
STAR = random_model(RNG, 60, 12, 4)
PRIME, A, _ = equal_to(STAR, RNG)


def said(diagnosis: Diagnosis, theorem: str) -> str:
    return next(t.consequence for t in diagnosis.theorems if t.theorem == theorem)


def applies(diagnosis: Diagnosis) -> set[str]:
    return {t.theorem for t in diagnosis.theorems if t.applies}


def shifted(model: TrainedModel, f: Array) -> TrainedModel:
    return TrainedModel(f, model.g, model.bias)


def test_equal_and_diverse() -> None:
    diagnosis = diagnose(PRIME, STAR)
    assert diagnosis.judgement.support is Support.CONSISTENT
    assert "exists up to rounding on all 60 contexts; the distributions are equal" in diagnosis.summary
    assert applies(diagnosis) == {
        "biased_label_representation", "biased_logits", "extended_linear", "label_representation",
        "linear_identifiability", "linked_pairs", "logit_distance_bound", "one_sided_diversity", "stability",
    }  # fmt: skip
    assert said(diagnosis, "linear_identifiability") == "applies: linear: every A in GL(M)"
    assert said(diagnosis, "chained_pairs") == "nothing follows: refuted as stated, see linked_pairs"
    assert diagnosis.directions[0].predicted is not None
    assert diagnosis.directions[0].predicted.relative_bound < 1e-12


def test_equal_with_biases_is_affine() -> None:
    rng = np.random.default_rng(1)
    star = random_model(rng, 60, 12, 4, biased=True)
    diagnosis = diagnose(equal_to(star, rng, biased=True)[0], star)
    assert diagnosis.judgement.support is Support.CONSISTENT
    assert "an invertible affine map" in diagnosis.summary
    assert applies(diagnosis) == {"biased_label_representation", "biased_logits"}
    assert "no_bias fails (models with a bias 2)" in said(diagnosis, "linear_identifiability")
    assert "it does with an offset c for the biases: ‖f(B) - (A f(A) + c)‖ <=" in said(
        diagnosis, "logit_distance_bound"
    )


def test_equal_in_float32() -> None:
    """A model saved as float32 is equal up to the rounding of float32, not of float64."""
    rng = np.random.default_rng(2)
    star = random_model(rng, 60, 12, 4)
    prime = equal_to(star, rng)[0]
    assert prime.g is not None
    rounded = [np.asarray(part, dtype=np.float32) for part in (prime.f, prime.g)]
    diagnosis = diagnose(TrainedModel(*rounded), star)
    assert diagnosis.judgement.support is Support.CONSISTENT
    assert "linear_identifiability" in applies(diagnosis)
    as_if_exact = diagnose(TrainedModel(*(part.astype(np.float64) for part in rounded)), star)
    assert "linear_identifiability" not in applies(as_if_exact)


def test_few_labels_leave_free_directions() -> None:
    rng = np.random.default_rng(3)
    star = random_model(rng, 60, 3, 4)
    assert star.g is not None
    across = np.linalg.svd(star.g - star.g.mean(axis=0))[2][2:]
    prime = shifted(star, star.f + rng.standard_normal((60, 2)) @ across)
    diagnosis = diagnose(prime, star)
    assert diagnosis.models[0].few_labels
    assert diagnosis.models[0].best is None
    assert diagnosis.judgement.support is Support.NOT_EQUIVALENT
    assert "K = 3 labels are too few, and the label differences of A see 2 of 4 dimensions" in diagnosis.summary
    assert applies(diagnosis) >= {"extended_linear"}
    assert "linear_identifiability" not in applies(diagnosis)
    # The same labels, and representations that agree: consistent, though labels do not ask for it.
    assert diagnose(star, star).judgement.support is Support.CONSISTENT
    # Distributions that differ: the free directions are why nothing can be told.
    apart = diagnose(noisy(prime, rng, 0.3), star)
    assert apart.judgement.support is Support.CANNOT_TELL
    assert "so the rest is free" in apart.summary


def test_duplicate_labels_and_directions_that_no_label_sees() -> None:
    """Twelve labels at four points of five dimensions: K > M, and yet rank 3."""
    rng = np.random.default_rng(4)
    g = np.repeat(rng.standard_normal((4, 5)), 3, axis=0)
    star = TrainedModel(rng.standard_normal((40, 5)), g)
    diagnosis = diagnose(noisy(star, rng, 0.0), star)
    ranked = diagnosis.models[1].label_differences
    assert ranked is not None
    assert (ranked.rank, ranked.undecided) == (3, 0)
    assert not diagnosis.models[1].few_labels
    assert "span 3 of M = 5" in diagnosis.models[1].no_pairs
    assert "contexts without label pairs 2" in said(diagnosis, "linear_identifiability")


def test_permuted_rows() -> None:
    rng = np.random.default_rng(5)
    star = random_model(rng, 120, 12, 4)
    prime = equal_to(star, rng)[0]
    diagnosis = diagnose(shifted(prime, prime.f[rng.permutation(120)]), star)
    assert diagnosis.judgement.support is Support.NOT_EQUIVALENT
    assert "no better on held-out contexts than shuffled rows" in diagnosis.summary
    assert diagnosis.distances is not None
    assert diagnosis.distances.equal.holds is False
    assert diagnosis.distances.kl_forward.mean() > 0.5
    for direction in diagnosis.directions:
        assert direction.fitted.affine_r2 < 0.1
        assert not direction.fitted.above_chance
    assert "equal_distributions fails (largest disagreement between logit differences" in said(
        diagnosis, "linear_identifiability"
    )
    assert "the quantitative versions (logit_distance_bound, stability) do: ‖f(A) - A f(B)‖ <=" in said(
        diagnosis, "linear_identifiability"
    )


def test_unrelated_arrays() -> None:
    rng = np.random.default_rng(6)
    diagnosis = diagnose(random_model(rng, 120, 12, 4), random_model(rng, 120, 12, 4))
    assert diagnosis.judgement.support is Support.NOT_EQUIVALENT


def test_close_distributions_give_an_informative_bound() -> None:
    diagnosis = diagnose(noisy(PRIME, np.random.default_rng(8), 1e-4), STAR)
    assert diagnosis.judgement.support is Support.BOUNDED
    assert "linear up to a bound: f(B) predicted from f(A) errs by" in diagnosis.summary
    assert "linear_identifiability" not in applies(diagnosis)
    assert {"logit_distance_bound", "stability"} <= applies(diagnosis)


def test_related_representations_with_a_vacuous_bound() -> None:
    assert PRIME.g is not None
    prime = TrainedModel(PRIME.f + 0.1 * np.random.default_rng(9).standard_normal((60, 4)), PRIME.g[::-1])
    diagnosis = diagnose(prime, STAR)
    assert diagnosis.judgement.support is Support.CANNOT_TELL
    assert "bound is vacuous" in diagnosis.summary


def test_labels_unknown() -> None:
    for prime, star, missing in (
        (TrainedModel(PRIME.f), STAR, "A"),
        (PRIME, TrainedModel(STAR.f), "B"),
        (TrainedModel(PRIME.f + 0.1 * RNG.standard_normal(PRIME.f.shape)), TrainedModel(STAR.f), "A and B"),
    ):
        diagnosis = diagnose(prime, star)
        assert diagnosis.distances is None
        assert diagnosis.theorems == ()
        assert all(d.predicted is d.from_all is None for d in diagnosis.directions)
        if missing == "A and B":
            assert diagnosis.judgement.support is Support.CANNOT_TELL
            assert f"theory says nothing without g, which is missing for {missing}" in diagnosis.summary
        else:
            assert "nothing is known of the distributions" in diagnosis.summary


def test_different_dimensions() -> None:
    """The same distributions from four dimensions and from six: theory maps the wider onto the narrower, not back."""
    rng = np.random.default_rng(10)
    assert STAR.g is not None
    wide = TrainedModel(
        np.column_stack([STAR.f, rng.standard_normal((60, 2))]), np.column_stack([STAR.g, np.zeros((12, 2))])
    )
    diagnosis = diagnose(wide, STAR, names=("wide", "narrow"))
    there, back = diagnosis.directions
    assert there.predicted is not None
    assert there.predicted.error.max() < 1e-12
    assert there.map_exists.holds is True
    assert back.predicted is None
    assert back.map_exists.holds is False
    assert diagnosis.judgement.support is Support.NOT_EQUIVALENT
    assert "wide see 4 of 6 dimensions" in diagnosis.summary
    assert "left_invertible fails" in said(diagnosis, "linear_identifiability")
    assert "extended_linear" in applies(diagnosis)


def test_too_few_contexts() -> None:
    rng = np.random.default_rng(11)
    diagnosis = diagnose(random_model(rng, 4, 12, 4), random_model(rng, 4, 12, 4))
    assert diagnosis.judgement.support is Support.CANNOT_TELL
    assert "4 contexts are too few" in diagnosis.summary


def test_a_violated_bound_is_reported() -> None:
    diagnosis = diagnose(PRIME, STAR)
    there, back = diagnosis.directions
    assert there.predicted is not None
    broken = replace(there.predicted, error=there.predicted.error + 1)
    verdict = judge(diagnosis.models, (replace(there, predicted=broken), back), diagnosis.distances)
    assert verdict.support is Support.CANNOT_TELL
    assert verdict.reason == "bound violated at 60 contexts: an error in the program or in its input"


def test_candidate_sets_decide_what_is_seen() -> None:
    """Equal on the sets that occur and apart elsewhere: the pairs are chosen where they are seen."""
    star = STAR
    assert PRIME.g is not None
    g = PRIME.g.copy()
    g[8:] += 1.0
    prime = TrainedModel(PRIME.f, g)
    sets = ((tuple(range(8)),),) * 60
    diagnosis = diagnose(prime, star, candidate_sets=sets)
    assert diagnosis.joint_pairs is not None
    assert max(max(pair) for pair in diagnosis.joint_pairs.pairs) < 8
    assert "linear_identifiability" in applies(diagnosis)
    assert "label_representation" not in applies(diagnosis)  # labels 8 to 11 occur nowhere
    assert diagnosis.judgement.support is Support.CONSISTENT
    assert diagnosis.directions[0].from_all is None
    full = diagnose(prime, star)
    assert full.distances is not None
    assert full.distances.equal.holds is False
    # Sets that hold no common four labels: pairs come from all labels, and are not seen.
    halves_ = ((tuple(range(3)),), (tuple(range(3, 12)),)) * 30
    unseen = diagnose(prime, star, candidate_sets=halves_)
    assert "pairs_seen fails" in said(unseen, "linear_identifiability")


def test_a_constant_bias_is_none() -> None:
    constant = TrainedModel(PRIME.f, PRIME.g, np.full(12, 3.0))
    assert not constant.biased
    diagnosis = diagnose(constant, STAR)
    assert "linear_identifiability" in applies(diagnosis)
    assert not diagnosis.directions[0].affine


def test_a_wrong_instance_is_caught() -> None:
    """Were spanning asked of the reduced contexts, f would seem not to span."""
    diagnosis = diagnose(PRIME, STAR)
    assert "one_sided_diversity" in applies(diagnosis)
    with (
        mutated(assumed, "elif name in OF_CONTEXTS:", 'elif name == "aligned":'),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(assumed, "OF_PAIRS", (*assumed.OF_PAIRS, "left_spans"))
        assert "one_sided_diversity" not in applies(diagnose(PRIME, STAR))


@pytest.mark.parametrize(("dtype", "apart"), [("f8", 2.0**-53), ("f4", 2.0**-24)])
def test_a_bias_that_is_constant_up_to_rounding_is_none(dtype: str, apart: float) -> None:
    """0.1 + 0.2 is not 0.3, by one unit in the last place; a thousand such units are a bias."""
    for units, biased in ((1, False), (1000, True)):
        bias = np.full(12, 0.3, dtype=dtype)
        bias[0] *= 1 + 2 * units * apart
        assert np.ptp(bias) > 0
        prime, star = (TrainedModel(model.f, model.g, bias) for model in (PRIME, STAR))
        assert prime.biased is biased
        diagnosis = diagnose(prime, star)
        assert ("linear_identifiability" in applies(diagnosis)) is not biased
        assert ("an invertible linear map" in diagnosis.summary) is not biased
        assert diagnosis.judgement.support is Support.CONSISTENT
