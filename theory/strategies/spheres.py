"""Rational points on the unit sphere, with or without a second central quadric through them.

A central quadric is {v : vᵀ S v = c}.  The sphere is the only one through the points exactly when the products
f_i f_j, i <= j, of their coordinates have rank M(M+1)/2.  Points of that rank are built one coordinate at a time.
Points of a lower rank are put on a hinge, two planes that meet: the product of the planes is a quadric through them.
"""

from __future__ import annotations

from fractions import Fraction

from theory.arithmetic import Matrix, matrix_type
from theory.sizes import Size
from theory.strategies.matrices import any_matrix, entries, invertible, orthogonal, unit_vector
from theory.strategies.source import Source, choice, shuffled

Direction = tuple[Fraction, Fraction]

#: Rational directions in the plane, no two of them on one line through 0.
DIRECTIONS: tuple[Direction, ...] = (
    (Fraction(1), Fraction(0)),
    (Fraction(0), Fraction(1)),
    (Fraction(3, 5), Fraction(4, 5)),
    (Fraction(4, 5), Fraction(-3, 5)),
    (Fraction(5, 13), Fraction(12, 13)),
)
OBLIQUE = DIRECTIONS[2:]


def products_of(dim: int) -> int:
    """M(M+1)/2, the number of products f_i f_j with i <= j."""
    return dim * (dim + 1) // 2


def enough_points(size: Size) -> bool:
    """n >= M(M+1)/2.  Labels play no role: K = 2 stands for any number of them."""
    return size.labels == 2 and size.contexts >= products_of(size.dim)


def enough_and_two(size: Size) -> bool:
    """n >= M(M+1)/2 and at least two points."""
    return enough_points(size) and size.contexts >= 2


def room_for_a_hinge(size: Size) -> bool:
    """M >= 2, any number of points."""
    return size.labels == 2 and size.dim >= 2


def rigid(source: Source, points: int, dim: int) -> Matrix:
    """Unit vectors (points, dim) through which no central quadric but the sphere passes.  Needs n >= M(M+1)/2.

    For k = 1 … M there are k unit vectors in the first k coordinates that span them and whose k-th entry is not zero.
    By induction a quadric through these and all earlier ones is f_k (w·f), so w is orthogonal to k spanning vectors.
    Further points are arbitrary, repeated or opposite; then signs, orders and the frame are drawn.
    """
    found: list[list[Fraction]] = []
    for k in range(dim):
        found.append([Fraction(int(i == k)) for i in range(dim)])
        for j in range(k):
            c, s = choice(source, OBLIQUE)
            within = [c * entry for entry in unit_vector(source, j + 1, even=True)]
            found.append([*within, *[Fraction(0)] * (k - j - 1), s, *[Fraction(0)] * (dim - k - 1)])
    kept = list(found)
    for _ in range(points - len(kept)):
        found.append(unit_vector(source, dim) if choice(source, (True, True, False)) else choice(source, kept))
    signed = [[choice(source, (1, -1)) * entry for entry in point] for point in found]
    return matrix_type().of(shuffled(source, signed)) @ orthogonal(source, dim)


def two_frames(source: Source, size: Size) -> tuple[Matrix, Matrix]:
    """The same coordinates in two orthonormal frames drawn independently: neither side is computed from the other."""
    shape = rigid(source, size.contexts, size.dim)
    return shape @ orthogonal(source, size.dim), shape @ orthogonal(source, size.dim)


def placed(source: Source, size: Size) -> tuple[Matrix, Matrix]:
    """M points that span are placed with their inner products, and each other f'(x) is solved for from its own."""
    prime, star = two_frames(source, size)
    marks = star.T.echelon()[1]
    solved = prime.take(rows=marks).solve(star.take(rows=marks) @ star.T)
    assert solved is not None  # the marks are linearly independent
    return solved.T, star


def mirrored(source: Source, size: Size) -> tuple[Matrix, Matrix]:
    """f' is f* after one to three reflections, each made on each point: v - 2 (v·w) / (w·w) w."""
    star = rigid(source, size.contexts, size.dim)
    rows = star.tolist()
    for mirror in entries(source, source.integer(1, 3), size.dim, 2):
        w = mirror if any(mirror) else [1] * size.dim
        steps = [Fraction(2 * sum(v * x for v, x in zip(row, w, strict=True))) / sum(x * x for x in w) for row in rows]
        rows = [[v - step * x for v, x in zip(row, w, strict=True)] for row, step in zip(rows, steps, strict=True)]
    return matrix_type().of(rows), star


def rotated(source: Source, size: Size) -> tuple[Matrix, Matrix]:
    """f' = A f* for a Cayley transform A: tests the arithmetic only."""
    star = rigid(source, size.contexts, size.dim)
    return star @ orthogonal(source, size.dim).T, star


def moved(source: Source, size: Size) -> tuple[Matrix, Matrix]:
    """Unit vectors that no linear map relates: one f'(x) is moved, the others span and fix A.  Needs two points."""
    prime, star = two_frames(source, size)
    rows = prime.tolist()
    x = source.integer(0, size.contexts - 1)
    signs = [-1 if entry != 0 and choice(source, (True, False)) else 1 for entry in rows[x]]
    signs = signs if -1 in signs else [-1] * size.dim
    rows[x] = [sign * entry for sign, entry in zip(signs, rows[x], strict=True)]
    return matrix_type().of(rows), star


def left_off(source: Source, size: Size) -> tuple[Matrix, Matrix]:
    """f* on the sphere and f' = A f* for any A that is not orthogonal, so that some f'(x) is not on it."""
    return _stretched(source, size, any_matrix(source, size.dim, size.dim))


def right_off(source: Source, size: Size) -> tuple[Matrix, Matrix]:
    """The mirror image for an invertible A: f' on the sphere, some f*(x) not, and the same rank of products."""
    star, prime = _stretched(source, size, invertible(source, size.dim))
    return prime, star


def _stretched(source: Source, size: Size, A: Matrix) -> tuple[Matrix, Matrix]:
    points = rigid(source, size.contexts, size.dim)
    orthogonal_after_all = (A.T @ A - A.identity(size.dim)).is_zero()
    return points @ (A.scaled(2) if orthogonal_after_all else A).T, points


def hinged(source: Source, size: Size) -> tuple[Matrix, Matrix]:
    """Unit vectors on two planes that meet in M - 2 dimensions, and the same after the planes are turned about there.

    The points are (v p, w) with (v, w) a unit vector, v != 0, and p one of two directions of a plane; turning replaces
    these two by others.  A linear map does that; it is orthogonal only where the angle between the planes stays.
    """
    before = shuffled(source, DIRECTIONS)[:2]
    after = [choice(source, (q, *DIRECTIONS)) for q in (DIRECTIONS[0], DIRECTIONS[2])]
    closed: list[list[Fraction]] = []
    opened: list[list[Fraction]] = []
    for x in range(size.contexts):
        side = x if x < 2 else source.integer(0, 1)
        *w, v = unit_vector(source, size.dim - 1, even=True)
        closed.append([*(v * entry for entry in before[side]), *w])
        opened.append([*(v * entry for entry in after[side]), *w])
    of = matrix_type().of
    return of(opened) @ orthogonal(source, size.dim), of(closed) @ orthogonal(source, size.dim)
