"""With K <= M labels diversity is impossible, and representations that no affine map relates share their distributions.

Let a model f, g have K <= M labels, and let h be a function of the context outside the affine functions of f,
h not in col[1 | F].  Then (i) the label differences have rank at most K - 1 < M, so no choice of M label pairs has
an invertible difference matrix; and (ii) for any v != 0 orthogonal to all label differences, f'(x) = f(x) + h(x) v
with the same g has the same distribution at every context, and f' is not an affine function of f.

*Proof.*  (i) All differences lie in the span of the K - 1 vectors g(y) - g(y0).  (ii) f'(x)·(g(y) - g(y0)) does not
see h(x) v; and f' = A f + c at all contexts would make h(x) v, hence h, an affine function of f.

*When there is such an h.*  Exactly when n > rank[1 | F]; n >= M + 2 contexts always suffice.  For "not linear" in
place of "not affine", exactly when n > rank F.

*Sharp.*  K = M + 1 labels with affinely independent g(y) have M independent differences, and then no v exists.  A
10-class network with a wider penultimate layer is outside ``linear_identifiability``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from theory import decide
from theory.arithmetic import Matrix, matrix_type
from theory.evidence import Evidence, all_of
from theory.models import Model
from theory.references import own
from theory.sizes import Size
from theory.strategies.layouts import forest, placed
from theory.strategies.matrices import any_matrix, entries, invertible, of_rank
from theory.strategies.scope import small_models
from theory.strategies.source import Source
from theory.theorem import Assumption, Construction, Scope, Standing, Theorem, Worked


@dataclass(frozen=True, slots=True)
class FreeFunction:
    """A model and a function h of the context, (contexts, 1).  Raises ``ValueError`` when the contexts do not match."""

    model: Model
    h: Matrix

    def __post_init__(self) -> None:
        if self.h.shape != (self.model.contexts, 1):
            raise ValueError(f"h has shape {self.h.shape}: it must be ({self.model.contexts}, 1), one value a context")


def all_differences(model: Model) -> Matrix:
    """g(y) - g(0) for y = 1 … K-1 as columns: (dim, labels - 1)."""
    return model.differences([(y, 0) for y in range(1, model.labels)])


def decide_few_labels(instance: FreeFunction) -> Evidence:
    """K <= M.  The value counts the labels beyond M."""
    return decide.count_is_zero(max(instance.model.labels - instance.model.dim, 0), "labels beyond M")


def decide_not_affine(instance: FreeFunction) -> Evidence:
    """h is not in col[1 | F]."""
    return decide.no_affine_map(instance.model.f, instance.h)


def conclusion(instance: FreeFunction) -> Evidence:
    """Differences of rank below M, and for each v of a basis of what is orthogonal to all differences a partner
    f + h v with equal distributions that no affine map relates to f.

    Whether h v is affine in f depends on h only, so a basis stands for every v.
    """
    model = instance.model
    differences = all_differences(model)
    diverse = int(differences.rank() >= model.dim)
    not_diverse = decide.count_is_zero(diverse, "M label pairs with an invertible difference matrix exist")
    free = differences.T.null_space()
    if free.shape[1] == 0:
        return not_diverse
    evidence = [not_diverse]
    for k in range(free.shape[1]):
        partner = model.f + instance.h @ free.take(columns=[k]).T
        evidence.append(
            decide.vanishes((partner - model.f) @ differences, "largest disagreement between logit differences")
        )
        evidence.append(decide.no_affine_map(model.f, partner))
    return all_of(*evidence)


def witness() -> FreeFunction:
    """M = 2, K = 2, n = 2: g = 0, e1; f = (1,0), (1,0), h = (0,1), so that f' = (1,0), (1,1)."""
    return FreeFunction(Model.of(f=[[1, 0], [1, 0]], g=[[0, 0], [1, 0]]), matrix_type().of([[0], [1]]))


def boundary() -> FreeFunction:
    """M = 2, K = 3, n = 4: three labels with affinely independent g = 0, e1, e2, and f spanning affinely."""
    model = Model.of(f=[[0, 0], [1, 0], [0, 1], [1, 1]], g=[[0, 0], [1, 0], [0, 1]])
    return FreeFunction(model, matrix_type().of([[0], [0], [0], [1]]))


def _outside(source: Source, f: Matrix) -> Matrix:
    """An h (contexts, 1) outside col[1 | F]: arbitrary, moved along a vector orthogonal to col[1 | F] if need be."""
    h = matrix_type().of(entries(source, f.shape[0], 1), columns=1)
    normal = f.with_ones().T.null_space().take(columns=[0])
    return h if (normal.T @ h)[0, 0] != 0 else h + normal


def _representation(source: Source, size: Size) -> Matrix:
    """An f with rank[1 | F] < n: of a rank that leaves room for h.  Needs n >= 2."""
    return of_rank(source, size.contexts, size.dim, source.integer(0, min(size.contexts - 2, size.dim)))


def few(source: Source, size: Size) -> FreeFunction:
    """K <= M labels anywhere, f of any rank that leaves room, h outside its affine functions.  Needs n >= 2."""
    f = _representation(source, size)
    return FreeFunction(Model(f, any_matrix(source, size.labels, size.dim)), _outside(source, f))


def few_independent(source: Source, size: Size) -> FreeFunction:
    """As :func:`few` with linearly independent g(y): g has rank K, its differences still only K - 1."""
    f = _representation(source, size)
    return FreeFunction(Model(f, of_rank(source, size.labels, size.dim, size.labels)), _outside(source, f))


def many(source: Source, size: Size) -> FreeFunction:
    """K >= M + 1 labels with M independent differences: nothing is free."""
    layout = forest(source, size.dim, size.labels)
    g = placed(source, layout, invertible(source, size.dim))
    g = g.above(any_matrix(source, size.labels - layout.labels, size.dim))
    f = _representation(source, size)
    return FreeFunction(Model(f, g), _outside(source, f))


def inside(source: Source, size: Size) -> FreeFunction:
    """K <= M labels and an affine h: the partner is an affine image of f."""
    f = any_matrix(source, size.contexts, size.dim)
    h = f.with_ones() @ any_matrix(source, size.dim + 1, 1)
    return FreeFunction(Model(f, any_matrix(source, size.labels, size.dim)), h)


def _few(size: Size) -> bool:
    return size.labels <= size.dim


def _few_with_room(size: Size) -> bool:
    return _few(size) and size.contexts >= 2


def _many_with_room(size: Size) -> bool:
    return size.labels > size.dim and size.contexts >= 2


def _small() -> Iterator[FreeFunction]:
    for dim, contexts in product((1, 2), (1, 2, 3)):
        for model in small_models(dim, 2, contexts):
            for h in product((-1, 0, 1), repeat=contexts):
                yield FreeFunction(model, matrix_type().of([[value] for value in h]))


THEOREM = Theorem(
    name="few_labels",
    title="Few labels",
    reference=own("the boundary K = M + 1 of the diversity condition"),
    statement=(
        "If K <= M, then no M label pairs have an invertible difference matrix; and for every function h of the "
        "context that is not affine in f, f' = f + h v with v orthogonal to all label differences has the same "
        "distributions and is not an affine function of f."
    ),
    instance_type=FreeFunction,
    assumptions=(
        Assumption("few_labels", "there are at most as many labels as dimensions, K <= M", decide_few_labels),
        Assumption("h_not_affine", "h is not an affine function of f: h is not in col[1 | F]", decide_not_affine),
    ),
    conclusion=conclusion,
    indeterminacy="not even affine: f(x) + h(x) v for every function h",
    standing=Standing.ESTABLISHED,
    needs=("few_labels", "h_not_affine"),
    constructions=(
        Construction("labels anywhere", few, fits=_few_with_room),
        Construction("labels linearly independent", few_independent, fits=_few_with_room),
        Construction("M + 1 labels or more, diverse", many, violates="few_labels", fits=_many_with_room),
        Construction("h affine in f", inside, violates="h_not_affine", fits=_few),
    ),
    sizes=(
        Size(2, 2, 2), Size(2, 2, 4), Size(3, 2, 3), Size(3, 3, 5), Size(3, 3, 2), Size(4, 3, 6), Size(4, 4, 6),
        Size(5, 4, 7), Size(6, 5, 8), Size(6, 6, 8),
    ),
    scope=Scope(
        "every model and h with entries in {-1, 0, 1} and g(0) = 0, M <= 2, K = 2, n <= 3, up to symmetry", _small
    ),
    witness=witness,
    worked=(Worked("few_labels", boundary, "K = M + 1 = 3 labels in the plane are diverse"),),
)  # fmt: skip
