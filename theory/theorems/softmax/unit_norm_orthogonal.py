"""Normalised representations: a linear relation is an orthogonal one, once there are points enough.

Let f'(x) = A f*(x) for some matrix A (M x M), and let ‖f'(x)‖ = ‖f*(x)‖ = 1 at every context x.  If the unit sphere
is the only central quadric {v : vᵀ S v = c} through the points f*(x), then A is orthogonal.  For unit vectors that
condition says that the products f_i(x) f_j(x), i <= j, form a matrix of rank M(M+1)/2.

*Proof.*  f*ᵀ (AᵀA - 1) f* = ‖f'‖² - ‖f*‖² = 0 at every context.  That is a linear equation for the M(M+1)/2 entries
of a symmetric matrix, with the products as coefficients; their rank leaves only AᵀA - 1 = 0.  The points span R^M
(on a plane f_M = 0 all products with f_M vanish), so A is the only matrix with f' = A f*.  Only ‖f'‖ = ‖f*‖ is used.

*Tight.*  Every orthogonal A is attained.  "Up to order and signs of the coordinates" is refuted.

*Sharp.*  The condition is on f* alone and cannot be weakened for f* that span: where S != 0 has f*ᵀ S f* = 0 at every
context, A = (1 + t S)^(1/2) is not orthogonal for small t > 0 and keeps every norm.  So M(M+1)/2 points in general
position suffice, 3, 6, 10 for M = 2, 3, 4, where f and -f count once, and fewer never do.  One point fewer, exactly:
e_i and (3/5) e_i + (4/5) e_j for all i < j except (1, 2), with A the identity but for its second column
(3/5, 4/5, 0, …): all these points lie on f_1 f_2 = 0.

*Needed.*  Each assumption is: without ``aligned`` unit vectors are just moved about, without a norm A = 2 does, all at
M = 1; without ``quadric_rank`` two points in the plane, e1, e2 -> e1, (3/5, 4/5).  (M = 1 has full rank always.)
The conclusion is decided as the existence of an orthogonal map, so it fails only where *no* linear map is orthogonal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

from theory import decide
from theory.arithmetic import Matrix, matrix_type
from theory.evidence import Evidence
from theory.indeterminacy import CLASSES, Element, smaller_than
from theory.references import own
from theory.sizes import Size
from theory.strategies import spheres
from theory.strategies.source import Source
from theory.theorem import Assumption, Attained, Construction, Scope, Standing, Theorem, Worked


@dataclass(frozen=True, slots=True)
class NormalisedPair:
    """Representations f' (``prime``) and f* (``star``), both (contexts, dim).

    Raises ``ValueError`` when the shapes differ or there is no context or no dimension.
    """

    prime: Matrix
    star: Matrix

    def __post_init__(self) -> None:
        if self.prime.shape != self.star.shape:
            raise ValueError(f"f' is {self.prime.shape} and f* is {self.star.shape}: both are (contexts, dim)")
        if min(self.star.shape) < 1:
            raise ValueError(f"f* has shape {self.star.shape}: at least one context and one dimension are needed")

    @property
    def dim(self) -> int:
        return self.star.shape[1]


def decide_aligned(pair: NormalisedPair) -> Evidence:
    """f'(x) = A f*(x) at every context for some A (M, M)."""
    return decide.linear_map(pair.star, pair.prime)


def excess_norms(f: Matrix) -> Matrix:
    """‖f(x)‖² - 1, (contexts, 1)."""
    return type(f).of([[sum(entry * entry for entry in row) - 1] for row in f.tolist()])


def decide_left_unit_norms(pair: NormalisedPair) -> Evidence:
    """‖f'(x)‖ = 1 at every context.  The value is the largest difference of a squared norm from 1."""
    return decide.vanishes(excess_norms(pair.prime), "largest difference of a squared norm from 1")


def decide_right_unit_norms(pair: NormalisedPair) -> Evidence:
    """‖f*(x)‖ = 1 at every context."""
    return decide.vanishes(excess_norms(pair.star), "largest difference of a squared norm from 1")


def coordinate_products(f: Matrix) -> Matrix:
    """f_i(x) f_j(x) for i <= j: (contexts, M(M+1)/2), the coefficients of fᵀ S f for symmetric S."""
    dim = f.shape[1]
    return type(f).of([[row[i] * row[j] for i in range(dim) for j in range(i, dim)] for row in f.tolist()])


def decide_quadric_rank(pair: NormalisedPair) -> Evidence:
    """The products of the coordinates of f* have rank M(M+1)/2.  The witness of a failure is a quadric fᵀ S f = 0."""
    products = coordinate_products(pair.star)
    return decide.rank_is_full(products, products.shape[1])


def conclusion(pair: NormalisedPair) -> Evidence:
    """There is an orthogonal A with f'(x) = A f*(x) at every context: all inner products agree."""
    gap = pair.prime @ pair.prime.T - pair.star @ pair.star.T
    return decide.vanishes(gap, "largest difference of inner products")


def closed_form(pair: NormalisedPair) -> Evidence:
    """The A that solves f' = A f* has AᵀA = 1."""
    solved = pair.star.solve(pair.prime)
    if solved is None:
        return decide_aligned(pair)
    return decide.vanishes(solved @ solved.T - solved.identity(pair.dim), "largest entry of AᵀA - 1")


def representations(pair: NormalisedPair) -> tuple[Matrix, Matrix]:
    """f* and f', (contexts, dim) each."""
    return pair.star, pair.prime


def attaining(source: Source, size: Size, element: Element) -> NormalisedPair:
    """Unit vectors f* of full rank of products, and their images under the given element."""
    star = spheres.rigid(source, size.contexts, size.dim)
    return NormalisedPair(element(star), star)


def witness() -> NormalisedPair:
    """M = 1, n = 1: f' = -1, f* = 1."""
    return NormalisedPair(matrix_type().of([[-1]]), matrix_type().of([[1]]))


def one_point_fewer(dim: int) -> NormalisedPair:
    """e_i and (3/5) e_i + (4/5) e_j, i < j, except (1, 2): M(M+1)/2 - 1 points; A = 1 with second column (3/5, 4/5)."""
    rows = [[Fraction(int(i == k)) for i in range(dim)] for k in range(dim)]
    for i, j in combinations(range(dim), 2):
        if (i, j) != (0, 1):
            rows.append([Fraction(3, 5) * a + Fraction(4, 5) * b for a, b in zip(rows[i], rows[j], strict=True)])
    A = [[Fraction(int(i == j)) for j in range(dim)] for i in range(dim)]
    A[0][1], A[1][1] = Fraction(3, 5), Fraction(4, 5)
    star = matrix_type().of(rows)
    return NormalisedPair(star @ matrix_type().of(A).T, star)


def one_point_fewer_in_the_plane() -> NormalisedPair:
    """M = 2, n = 2: f* = e1, e2 and f' = e1, (3/5, 4/5)."""
    return one_point_fewer(2)


def one_point_fewer_in_space() -> NormalisedPair:
    """M = 3, n = 5: f* = e1, e2, e3, (3/5, 0, 4/5), (0, 3/5, 4/5); A keeps e1, e3 and sends e2 to (3/5, 4/5, 0)."""
    return one_point_fewer(3)


def one_point_fewer_in_four() -> NormalisedPair:
    """M = 4, n = 9: the four e_i and five of the six (3/5) e_i + (4/5) e_j; A sends e2 to (3/5, 4/5, 0, 0)."""
    return one_point_fewer(4)


def pairs_of(build: Callable[[Source, Size], tuple[Matrix, Matrix]]) -> Callable[[Source, Size], NormalisedPair]:
    """The construction whose instances are the (f', f*) that ``build`` returns."""

    def built(source: Source, size: Size) -> NormalisedPair:
        return NormalisedPair(*build(source, size))

    return built


_HALF_CIRCLE = ((1, 0), (0, 1), ("3/5", "4/5"), ("4/5", "3/5"), ("3/5", "-4/5"), ("4/5", "-3/5"))


def _small() -> Iterator[NormalisedPair]:
    for dim, most in ((1, 2), (2, 3)):
        half = [matrix_type().of([point]) for point in (((1,), (2,)) if dim == 1 else _HALF_CIRCLE)]
        every = [sign for point in half for sign in (point, point.scaled(-1))]
        for n in range(1, most + 1):
            stars = [_stacked(rows) for rows in combinations_with_replacement(half, n)]
            for prime in map(_stacked, product(every, repeat=n)):
                yield from (NormalisedPair(prime, star) for star in stars)


def _stacked(rows: tuple[Matrix, ...]) -> Matrix:
    first, *others = rows
    for row in others:
        first = first.above(row)
    return first


THEOREM = Theorem(
    name="unit_norm_orthogonal",
    title="Normalised representations: A is orthogonal",
    reference=own("the linear relation of normalised representations"),
    statement=(
        "If f' = A f* for a matrix A, all f'(x) and f*(x) have norm 1, and the unit sphere is the only central quadric "
        "through the f*(x), that is, the products f_i f_j, i <= j, of the coordinates of f* have rank M(M+1)/2, "
        "then A is orthogonal."
    ),
    instance_type=NormalisedPair,
    assumptions=(
        Assumption("aligned", "f'(x) = A f*(x) at every context x, for some matrix A (M x M)", decide_aligned),
        Assumption("left_unit_norms", "f'(x) has norm 1 at every context x", decide_left_unit_norms),
        Assumption("right_unit_norms", "f*(x) has norm 1 at every context x", decide_right_unit_norms),
        Assumption(
            "quadric_rank", "the products f*_i(x) f*_j(x), i <= j, have rank M(M+1)/2 over the contexts",
            decide_quadric_rank,
        ),
    ),
    conclusion=conclusion,
    closed_form=closed_form,
    indeterminacy=str(CLASSES["orthogonal"]),
    standing=Standing.ESTABLISHED,
    needs=("aligned", "left_unit_norms", "right_unit_norms", "quadric_rank"),
    constructions=(
        Construction("two frames", pairs_of(spheres.two_frames), fits=spheres.enough_points),
        Construction("placed by inner products", pairs_of(spheres.placed), fits=spheres.enough_points),
        Construction(
            "reflected point by point", pairs_of(spheres.mirrored), uses_alignment=True, fits=spheres.enough_points
        ),
        Construction("rotated by A", pairs_of(spheres.rotated), uses_alignment=True, fits=spheres.enough_points),
        Construction("one f' moved", pairs_of(spheres.moved), "aligned", fits=spheres.enough_and_two),
        Construction("f' off the sphere", pairs_of(spheres.left_off), "left_unit_norms", fits=spheres.enough_points),
        Construction("f* off the sphere", pairs_of(spheres.right_off), "right_unit_norms", fits=spheres.enough_points),
        Construction("planes on a hinge", pairs_of(spheres.hinged), "quadric_rank", fits=spheres.room_for_a_hinge),
    ),
    sizes=(
        Size(1, 2, 1), Size(1, 2, 2), Size(2, 2, 3), Size(2, 2, 5), Size(3, 2, 6), Size(3, 2, 8), Size(4, 2, 10),
        Size(4, 2, 12), Size(5, 2, 15), Size(6, 2, 21), Size(6, 2, 23),
    ),
    scope=Scope(
        "every pair of up to three vectors among ±e1, ±e2, (±3/5, ±4/5), (±4/5, ±3/5) in the plane, and of up to two "
        "among ±1, ±2 on the line, up to the order of contexts and a common sign at each",
        _small,
    ),
    witness=witness,
    worked=(
        Worked("quadric_rank", one_point_fewer_in_the_plane, "M = 2, 2 points where 3 suffice"),
        Worked("quadric_rank", one_point_fewer_in_space, "M = 3, 5 points where 6 suffice"),
        Worked("quadric_rank", one_point_fewer_in_four, "M = 4, 9 points where 10 suffice"),
    ),
    attained=Attained(CLASSES["orthogonal"], attaining, representations),
    stronger=smaller_than(CLASSES["orthogonal"], representations),
)  # fmt: skip
