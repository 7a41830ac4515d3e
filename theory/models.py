"""Models of the canonical discriminative family, and pairs of them.

Roeder, Metz and Kingma (ICML 2021, eq. 1): a context x, a label y and a candidate set S of labels drawn from
p_D(S | x) give p(y | x, S) = exp(f(x)·g(y)) / sum over y' in S of exp(f(x)·g(y')).  On finitely many contexts and
labels a model is two matrices, and equality of two models' distributions is a statement about differences of
logits, so it is decided over the rationals without an exponential.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from theory.arithmetic import Matrix, Rows, matrix_type

CandidateSet = tuple[int, ...]
LabelPair = tuple[int, int]
#: For each context its candidate sets: those of positive probability under p_D(S | x).
CandidateSets = tuple[tuple[CandidateSet, ...], ...]
#: For each context its label pairs (y_A, y_B).
LabelPairs = tuple[tuple[LabelPair, ...], ...]


@dataclass(frozen=True, slots=True)
class Model:
    """One model: representations f (contexts, dim), g (labels, dim) and an optional bias (labels, 1).

    Raises ``ValueError`` when the shapes do not fit or there are fewer than two labels.
    """

    f: Matrix
    g: Matrix
    bias: Matrix | None = None

    def __post_init__(self) -> None:
        for name in ("f", "g", "bias"):
            self._check_matrix(name, getattr(self, name))
        (contexts, dim), (labels, label_dim) = self.f.shape, self.g.shape
        if contexts < 1 or dim < 1:
            raise ValueError(f"f is {contexts} x {dim}: a model needs at least one context and one dimension")
        if dim != label_dim:
            raise ValueError(
                f"f has dimension {dim} but g has dimension {label_dim}: f is (contexts, dim), g is (labels, dim)"
            )
        if labels < 2:
            raise ValueError(f"g has {labels} label(s): a softmax needs at least 2")
        if self.bias is not None and self.bias.shape != (labels, 1):
            raise ValueError(
                f"bias has shape {self.bias.shape}, but there are {labels} labels: it must be ({labels}, 1)"
            )

    def _check_matrix(self, name: str, value: object) -> None:
        if name == "bias" and value is None:
            return
        if not isinstance(value, Matrix):
            raise TypeError(f"{name} is {value!r} ({type(value).__name__}), not a Matrix: Model.of takes nested lists")
        if type(value) is not type(self.f):
            raise TypeError(
                f"f is a {type(self.f).__name__} and {name} is a {type(value).__name__}: use one arithmetic"
            )

    @classmethod
    def of(cls, f: Rows, g: Rows, bias: Sequence[int] | None = None, arithmetic: str = "flint") -> Model:
        """Build a model from nested lists of integers, Fractions or strings such as ``"3/5"``."""
        kernel = matrix_type(arithmetic)
        column = None if bias is None else kernel.of([[b] for b in bias], columns=1)
        return cls(kernel.of(f), kernel.of(g), column)

    @property
    def contexts(self) -> int:
        return self.f.shape[0]

    @property
    def labels(self) -> int:
        return self.g.shape[0]

    @property
    def dim(self) -> int:
        return self.f.shape[1]

    def logits(self) -> Matrix:
        """f(x)·g(y) + b(y) as a (contexts, labels) matrix."""
        products = self.f @ self.g.T
        if self.bias is None:
            return products
        ones = type(self.f).of([[1]] * self.contexts)
        return products + ones @ self.bias.T

    def differences(self, pairs: Sequence[LabelPair]) -> Matrix:
        """L, whose columns are g(y_A) - g(y_B) for the given label pairs: (dim, pairs)."""
        first = self.g.take(rows=[a for a, _ in pairs])
        return (first - self.g.take(rows=[b for _, b in pairs])).T


def full_candidate_sets(contexts: int, labels: int) -> CandidateSets:
    """Every label is a candidate at every context, as in K-way classification."""
    return ((tuple(range(labels)),),) * contexts


@dataclass(frozen=True, slots=True)
class ModelPair:
    """Two models f', g' (``prime``) and f*, g* (``star``) on the same contexts, labels and candidate sets.

    Their dimensions may differ.  ``candidate_sets[x]`` lists the candidate sets of positive probability at context
    x.  ``label_pairs[x]`` lists the label pairs chosen at context x for the diversity condition, or is empty for
    theorems that choose none.  The choice is part of the instance: "if there are pairs with P, then C" says the
    same as "for all pairs, if P then C".

    Raises ``ValueError`` when the models do not match, a candidate set has fewer than two labels or an unknown one.
    """

    prime: Model
    star: Model
    candidate_sets: CandidateSets
    label_pairs: LabelPairs = ()

    def __post_init__(self) -> None:
        for what in ("contexts", "labels"):
            ours, theirs = getattr(self.prime, what), getattr(self.star, what)
            if ours != theirs:
                raise ValueError(f"the models have {ours} and {theirs} {what}: a pair shares its {what}")
        try:
            hash((self.candidate_sets, self.label_pairs))
        except TypeError:
            raise ValueError(
                "candidate sets and label pairs are tuples of tuples, such as (((0, 1), (1, 2)),)"
            ) from None
        _check_nested("candidate sets", self.candidate_sets, "(((0, 1, 2),), ((0, 1), (1, 2)))")
        _check_nested("label pairs", self.label_pairs, "(((1, 0), (2, 0)), ((1, 0), (2, 0)))")
        _check_candidate_sets(self.candidate_sets, self.contexts, self.labels)
        if self.label_pairs:
            _check_label_pairs(self.label_pairs, self.contexts, self.labels)

    @property
    def contexts(self) -> int:
        return self.star.contexts

    @property
    def labels(self) -> int:
        return self.star.labels

    @property
    def dim(self) -> int:
        """The representation dimension M of the starred model."""
        return self.star.dim

    def swapped(self) -> ModelPair:
        """The same pair with the roles of f', g' and f*, g* exchanged."""
        return ModelPair(self.star, self.prime, self.candidate_sets, self.label_pairs)


@lru_cache(maxsize=4096)
def _check_nested(what: str, value: object, example: str) -> None:
    """Tuples of tuples of tuples of label numbers: contexts, then sets or pairs, then labels."""
    if type(value) is tuple and all(
        type(context) is tuple and all(type(part) is tuple and all(type(y) is int for y in part) for part in context)
        for context in value
    ):
        return  # as it nearly always is; the search for what is wrong is slower
    wrong = next(_misplaced(value, 3), None)
    if wrong is not None:
        raise ValueError(
            f"{what}: {wrong[0]!r} stands where there should be {wrong[1]}; write a tuple of tuples of label numbers "
            f"for each context, such as {example} for two contexts"
        )


def _misplaced(value: object, depth: int) -> Iterator[tuple[object, str]]:
    """What is no tuple within ``depth`` levels, or no label number below them, with what should be there."""
    if depth == 0:
        if not isinstance(value, int) or isinstance(value, bool):
            yield value, "a label number"
    elif not isinstance(value, tuple):
        yield value, "a tuple"
    else:
        for item in value:
            yield from _misplaced(item, depth - 1)


@lru_cache(maxsize=4096)
def _check_candidate_sets(candidate_sets: CandidateSets, contexts: int, labels: int) -> None:
    if len(candidate_sets) != contexts:
        raise ValueError(f"there are candidate sets for {len(candidate_sets)} contexts, but f has {contexts}")
    for x, sets in enumerate(candidate_sets):
        if not sets:
            raise ValueError(f"context {x} has no candidate set: list those of positive probability")
        for chosen in sets:
            if len(set(chosen)) < 2 or len(set(chosen)) < len(chosen):
                raise ValueError(f"context {x}: candidate set {chosen} must hold at least 2 labels, each once")
            _check_labels(chosen, labels, f"context {x}: candidate set {chosen}")


@lru_cache(maxsize=4096)
def _check_label_pairs(label_pairs: LabelPairs, contexts: int, labels: int) -> None:
    if len(label_pairs) != contexts:
        raise ValueError(f"there are label pairs for {len(label_pairs)} contexts, but f has {contexts}")
    for x, pairs in enumerate(label_pairs):
        if not pairs:
            raise ValueError(f"context {x} has no label pair")
        for pair in pairs:
            if len(pair) != 2 or pair[0] == pair[1]:
                raise ValueError(f"context {x}: {pair} is not a pair of two different labels")
            _check_labels(pair, labels, f"context {x}: label pair {pair}")


def _check_labels(chosen: Iterable[int], labels: int, where: str) -> None:
    unknown = [y for y in chosen if not 0 <= y < labels]
    if unknown:
        raise ValueError(f"{where} names label {unknown[0]}, but the labels are 0 to {labels - 1}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedPair(ModelPair):
    """Two models, and the matrix A (dim', dim) by which their representations are said to be related, f' = A f*.

    That it relates them is an assumption of the theorems, not a condition of the instance.  Raises ``ValueError``
    when A does not fit the dimensions.
    """

    alignment: Matrix

    def __post_init__(self) -> None:
        ModelPair.__post_init__(self)
        if self.alignment.shape != (self.prime.dim, self.star.dim):
            raise ValueError(
                f"the alignment has shape {self.alignment.shape}: it maps f* to f', so it must be "
                f"({self.prime.dim}, {self.star.dim})"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class AffinelyAlignedPair(AlignedPair):
    """As :class:`AlignedPair` with an offset c (dim', 1): the representations are said to obey f' = A f* + c."""

    offset: Matrix

    def __post_init__(self) -> None:
        AlignedPair.__post_init__(self)
        if self.offset.shape != (self.prime.dim, 1):
            raise ValueError(f"the offset has shape {self.offset.shape}: it must be ({self.prime.dim}, 1)")


def bias_of(model: Model) -> Matrix:
    """The bias of a model as a (labels, 1) matrix: zeros where it has none."""
    return type(model.f).zeros(model.labels, 1) if model.bias is None else model.bias


def bias_differences(model: Model, pairs: Sequence[LabelPair]) -> Matrix:
    """b(y_A) - b(y_B) for the given label pairs: (pairs, 1), zeros where the model has no bias."""
    bias = bias_of(model)
    return bias.take(rows=[a for a, _ in pairs]) - bias.take(rows=[b for _, b in pairs])
