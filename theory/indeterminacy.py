"""Indeterminacy classes: the maps up to which a representation is identified.

Each class samples an element, fits one exactly (or shows that none fits), tells membership, and knows the classes
that are next smaller.  A theorem is *tight* when every element of its class gives an equally valid model and each
next smaller class is refuted by a certificate.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from theory import decide
from theory.arithmetic import Matrix, matrix_type
from theory.arithmetic.projections import projection, pseudo_inverse
from theory.evidence import Evidence, all_of
from theory.models import Model
from theory.strategies.displaced import model_with
from theory.strategies.matrices import entries, invertible, orthogonal
from theory.strategies.source import Source, choice, shuffled
from theory.theorem import Instance, Stronger


@dataclass(frozen=True, slots=True)
class Element:
    """The map v -> A v + c with A (dim, dim) and c (dim, 1); c is None for a linear map."""

    A: Matrix
    c: Matrix | None = None

    def __call__(self, f: Matrix) -> Matrix:
        """Apply the map to every row of f (contexts, dim)."""
        image = f @ self.A.T
        if self.c is None:
            return image
        return image + type(f).of([[1]] * f.shape[0], columns=1) @ self.c.T


class Indeterminacy(ABC):
    """A class of maps of R^M.  ``smaller`` names the next smaller classes, each refuted where this one is tight."""

    name: ClassVar[str]
    statement: ClassVar[str]
    smaller: ClassVar[tuple[str, ...]]

    @abstractmethod
    def sample(self, source: Source, dim: int) -> Element:
        """An element of the class; shrinks to the identity."""

    @abstractmethod
    def fit(self, source: Matrix, target: Matrix) -> Evidence:
        """Is there an element of the class that maps every row of ``source`` (contexts, dim) to that of ``target``?"""

    @abstractmethod
    def contains(self, element: Element) -> Evidence:
        """Does the element belong to the class?"""

    def __str__(self) -> str:
        return f"{self.name.replace('_', ' ')}: {self.statement}"


def _no_shift(element: Element) -> Evidence:
    if element.c is None:
        return decide.count_is_zero(0, "nonzero shift")
    return decide.vanishes(element.c, "largest entry of the shift")


class Affine(Indeterminacy):
    name = "affine"
    statement = "v -> A v + c, A in GL(M), c in R^M"
    smaller = ("linear",)

    def sample(self, source: Source, dim: int) -> Element:
        shift = [[value] for value in entries(source, 1, dim, 2)[0]]
        return Element(invertible(source, dim), matrix_type().of(shift))

    def fit(self, source: Matrix, target: Matrix) -> Evidence:
        """Decided by rank[1 | F | F'] = rank[1 | F] = rank[1 | F'], for equal dimensions."""
        return decide.invertible_linear_map(source.with_ones(), target.with_ones())

    def contains(self, element: Element) -> Evidence:
        return decide.invertible(element.A)


class Linear(Indeterminacy):
    name = "linear"
    statement = "v -> A v, A in GL(M)"
    smaller = ("orthogonal", "permutation_scaling")

    def sample(self, source: Source, dim: int) -> Element:
        return Element(invertible(source, dim))

    def fit(self, source: Matrix, target: Matrix) -> Evidence:
        return decide.invertible_linear_map(source, target)

    def contains(self, element: Element) -> Evidence:
        return all_of(decide.invertible(element.A), _no_shift(element))


class Orthogonal(Indeterminacy):
    name = "orthogonal"
    statement = "v -> O v, O in O(M)"
    smaller = ("signed_permutation",)

    def sample(self, source: Source, dim: int) -> Element:
        return Element(orthogonal(source, dim))

    def fit(self, source: Matrix, target: Matrix) -> Evidence:
        """Decided by equal inner products: F' F'ᵀ = F Fᵀ, for equal dimensions (O itself need not be rational)."""
        unequal = abs(source.shape[1] - target.shape[1])
        return all_of(
            decide.count_is_zero(unequal, "difference of the dimensions"),
            decide.vanishes(target @ target.T - source @ source.T, "largest difference of inner products"),
        )

    def contains(self, element: Element) -> Evidence:
        gram = element.A.T @ element.A
        return all_of(
            _no_shift(element),
            decide.vanishes(gram - gram.identity(gram.shape[0]), "largest entry of AᵀA - 1"),
        )


class PermutationScaling(Indeterminacy):
    name = "permutation_scaling"
    statement = "v -> P D v, P a permutation, D diagonal and invertible"
    smaller = ("signed_permutation",)

    def sample(self, source: Source, dim: int) -> Element:
        return Element(_monomial(source, dim, (1, 2, -1, Fraction(1, 2), -3)))

    def fit(self, source: Matrix, target: Matrix) -> Evidence:
        """Decided by matching coordinates: the columns of F' are those of F up to order and nonzero factors."""
        return _matched(source, target, _direction)

    def contains(self, element: Element) -> Evidence:
        table = element.A.tolist()
        filled = [sum(entry != 0 for entry in line) for line in (*table, *element.A.T.tolist())]
        return all_of(
            _no_shift(element),
            decide.count_is_zero(sum(count != 1 for count in filled), "rows and columns without exactly one entry"),
        )


class SignedPermutation(Indeterminacy):
    name = "signed_permutation"
    statement = "v -> P D v, P a permutation, D diagonal with entries 1 and -1"
    smaller = ("identity",)

    def sample(self, source: Source, dim: int) -> Element:
        return Element(_monomial(source, dim, (1, -1)))

    def fit(self, source: Matrix, target: Matrix) -> Evidence:
        """Decided by matching coordinates: the columns of F' are those of F up to order and sign."""
        return _matched(source, target, _up_to_sign)

    def contains(self, element: Element) -> Evidence:
        return all_of(PermutationScaling().contains(element), Orthogonal().contains(element))


class Identity(Indeterminacy):
    name = "identity"
    statement = "v -> v"
    smaller = ()

    def sample(self, source: Source, dim: int) -> Element:
        return Element(matrix_type().identity(dim))

    def fit(self, source: Matrix, target: Matrix) -> Evidence:
        if source.shape != target.shape:
            return decide.count_is_zero(1, "different dimensions")
        return decide.vanishes(target - source, "largest entry of f' - f")

    def contains(self, element: Element) -> Evidence:
        return all_of(
            _no_shift(element),
            decide.vanishes(element.A - element.A.identity(element.A.shape[0]), "largest entry of A - 1"),
        )


CLASSES: dict[str, Indeterminacy] = {
    c.name: c for c in (Affine(), Linear(), Orthogonal(), PermutationScaling(), SignedPermutation(), Identity())
}


def smaller_than(
    kind: Indeterminacy, representations: Callable[[Instance], tuple[Matrix, Matrix]]
) -> tuple[Stronger[Instance], ...]:
    """The next smaller classes as stronger conclusions about an instance's two representations."""

    def stronger(name: str) -> Stronger[Instance]:
        smaller = CLASSES[name]

        def claimed(instance: Instance) -> Evidence:
            return smaller.fit(*representations(instance))

        return Stronger(name, f"the two representations differ by {smaller}", claimed)

    return tuple(stronger(name) for name in kind.smaller)


_Column = tuple[Fraction, ...]


def _monomial(source: Source, dim: int, factors: tuple[int | Fraction, ...]) -> Matrix:
    order = shuffled(source, range(dim))
    scales = [choice(source, factors) for _ in range(dim)]
    return matrix_type().of([[scales[i] if order[i] == j else 0 for j in range(dim)] for i in range(dim)])


def _direction(column: _Column) -> _Column:
    lead = next((entry for entry in column if entry != 0), Fraction(1))
    return tuple(entry / lead for entry in column)


def _up_to_sign(column: _Column) -> _Column:
    return max(column, tuple(-entry for entry in column))


def _matched(source: Matrix, target: Matrix, normal: Callable[[_Column], _Column]) -> Evidence:
    """Do the columns of both agree as multisets after ``normal``?  The value counts those without a partner."""
    left = [normal(tuple(column)) for column in source.T.tolist()]
    right = [normal(tuple(column)) for column in target.T.tolist()]
    unmatched = list(right)
    for column in left:
        if column in unmatched:
            unmatched.remove(column)
    missing = len(unmatched) + max(len(left) - len(right), 0)
    return decide.count_is_zero(missing, "coordinates without a partner")


# Without diversity: the part of a representation that its labels see -----------------------------------------------


def label_steps(model: Model) -> Matrix:
    """G₀ with the rows g(y) - g(0), y = 1 … K - 1: (labels - 1, dim).  Their span is 𝓖."""
    return model.differences([(y, 0) for y in range(1, model.labels)]).T


def seen_part(model: Model) -> Matrix:
    """P_𝓖 f(x), the part of each representation that label differences see: (contexts, dim).  Its span is V."""
    return model.f @ projection(label_steps(model))


def related_where_seen(star: Model, prime: Model) -> Evidence:
    """Is there a linear T, one to one on V, with P_𝓖' f'(x) = T P_𝓖 f(x) at every context?  Dimensions may differ.

    There is exactly when each side is a linear image of the other; then dim V' = dim V and T maps V onto V'.
    """
    ours, theirs = seen_part(prime), seen_part(star)
    return all_of(decide.linear_map(ours, theirs), decide.linear_map(theirs, ours))


def carried_where_seen(T: Matrix, star: Model, prime: Model) -> Evidence:
    """Does the given T (dim', dim) carry the seen part of ``star`` to that of ``prime``, and labels by its inverse?

    P_𝓖' f'(x) = T P_𝓖 f(x) at every context; T is one to one on V; and for labels P_V' g₀'(y) = (T P_V)⁺ᵀ P_V g₀(y),
    which in orthonormal bases B of V and B' of V' reads B'ᵀ g₀'(y) = (B'ᵀ T B)⁻ᵀ Bᵀ g₀(y).
    """
    ours, theirs = seen_part(prime), seen_part(star)
    on_v, on_v_prime = projection(theirs), projection(ours)
    backwards = pseudo_inverse(T @ on_v)  # the inverse of T from V' to V, and 0 across V'
    labels = label_steps(prime) @ on_v_prime - label_steps(star) @ on_v @ backwards
    return all_of(
        decide.rank_is_full(theirs @ T.T, theirs.rank(), "dimensions of V that T loses"),
        decide.vanishes(ours - theirs @ T.T, "largest entry of P f' - T P f"),
        decide.vanishes(labels, "largest entry of P g' - T^-T P g over V"),
    )


class ExtendedLinear:
    """The indeterminacy of a model whose labels need not be diverse, between models of any two dimensions.

    It is no :class:`Indeterminacy`.  Those are classes of maps of R^M applied to f alone; which part of f is
    determined here depends on the labels, the maps T go from one space to another, they act on g as well, and the
    components that no label difference sees follow no map at all.  So the same verbs act on whole models.
    """

    name: ClassVar[str] = "extended_linear"
    statement: ClassVar[str] = "P_𝓖 f -> T P_𝓖 f, T bijective from V to V'; f across 𝓖, and g across V, are free"
    smaller: ClassVar[tuple[str, ...]] = ("linear",)

    def sample(self, source: Source, model: Model, dim: int) -> Model:
        """A model of the given dimension with the distributions of ``model`` on any candidate sets."""
        return model_with(source, model.f @ label_steps(model).T, dim)

    def fit(self, star: Model, prime: Model) -> Evidence:
        """Is there a T of the class for the representations?  See :func:`related_where_seen`."""
        return related_where_seen(star, prime)

    def contains(self, T: Matrix, star: Model, prime: Model) -> Evidence:
        """Is T of the class, for representations and labels?  See :func:`carried_where_seen`."""
        return carried_where_seen(T, star, prime)

    def __str__(self) -> str:
        return f"{self.name.replace('_', ' ')}: {self.statement}"


EXTENDED_LINEAR = ExtendedLinear()
