"""How alike two representations of the same rows are: measures that say what they computed, or refuse."""

from empirical.similarity.canonical import canonical_correlations, mean_cca, principal_angles, pwcca, svcca
from empirical.similarity.held_out import held_out
from empirical.similarity.joint import Joint, joint
from empirical.similarity.kernels import linear_cka, procrustes_distance, rv
from empirical.similarity.linear import linear_map
from empirical.similarity.matrix import similarity_matrix
from empirical.similarity.resampling import bootstrap, permutation_test
from empirical.similarity.results import Chance, Interval, Invariance, Measurement, Rank

__all__ = [
    "Chance",
    "Interval",
    "Invariance",
    "Joint",
    "Measurement",
    "Rank",
    "bootstrap",
    "canonical_correlations",
    "held_out",
    "joint",
    "linear_cka",
    "linear_map",
    "mean_cca",
    "permutation_test",
    "principal_angles",
    "procrustes_distance",
    "pwcca",
    "rv",
    "similarity_matrix",
    "svcca",
]
