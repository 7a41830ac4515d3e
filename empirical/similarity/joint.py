"""Paired sources read once: what every measure is computed from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np

from empirical.errors import InputError
from empirical.similarity import factors
from empirical.similarity.moments import Moments, Products, accumulate, cross_products
from empirical.similarity.rank import input_noise
from empirical.similarity.sources import Source, SourceLike, paired

T = TypeVar("T")
Key: TypeAlias = tuple[str | int | bool, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One source's columns: which vary (``live``), their norms, their relative weights and their rounding ``noise``.

    ``norms`` are of the columns times the units of the moments; ``weights`` are the true norms over the largest.
    """

    source: Source
    live: np.ndarray  # positions among the columns of all sources
    norms: np.ndarray
    weights: np.ndarray
    noise: np.ndarray


class Joint:
    """Means and centred cross products of k >= 1 sources, from one pass; see `joint`.

    Whatever a measure derives from them (whitened sides, QR factors) is kept, so the second measure of a pair, and the
    second pair of a model, cost little.
    """

    def __init__(
        self, sources: tuple[Source, ...], moments: Moments, products: Products, cache: dict[Key, object] | None = None
    ) -> None:
        self.sources, self.moments = sources, moments
        self.products: Products = products
        self._cache: dict[Key, object] = {} if cache is None else cache
        self._which = tuple(range(len(sources)))

    @property
    def rows(self) -> int:
        """The number of paired rows."""
        return self.moments.rows

    @property
    def dims(self) -> tuple[int, ...]:
        """The number of columns of each source."""
        return tuple(self.sources[at].columns for at in self._which)

    def __len__(self) -> int:
        return len(self._which)

    def pair(self, first: int, second: int) -> Joint:
        """Sources ``first`` and ``second`` alone; nothing is read or computed again."""
        view = Joint(self.sources, self.moments, self.products, self._cache)
        view._which = (self._which[first], self._which[second])
        return view

    def whole(self) -> Joint:
        """All sources this is a view of."""
        return Joint(self.sources, self.moments, self.products, self._cache)

    def permuted(self, order: np.ndarray) -> Joint:
        """Two sources, row i of the first against row ``order[i]`` of the second; only their product is made anew."""
        x, y = (self.sources[at] for at in self._which)
        sources = (x, y.take(order))
        columns = np.concatenate([self.columns(0), self.columns(1)])
        base = Moments(
            self.rows,
            self.moments.means[columns],
            self.moments.rest[columns],
            self.moments.gram[np.ix_(columns, columns)],
            self.moments.units[columns],
        )
        cross = cross_products(sources, base, x.columns)
        base.gram[: x.columns, x.columns :] = cross
        base.gram[x.columns :, : x.columns] = cross.T
        # Permuting the rows of one side changes neither side by itself.
        same = (
            {}
            if self._which != (0, 1)
            else {k: v for k, v in self._cache.items() if k[0] in ("side", "first", "eigen")}
        )
        return Joint(sources, base, self.products, same)

    def once(self, key: Key, compute: Callable[[], T]) -> T:
        """``compute()``, kept under ``key``."""
        if key not in self._cache:
            self._cache[key] = compute()
        return self._cache[key]  # type: ignore[return-value]

    def number(self, at: int) -> int:
        """Which of all the sources is number ``at`` here: two views of one source share what is kept of it."""
        return self._which[at]

    def columns(self, at: int) -> np.ndarray:
        """Positions of the columns of source ``at`` among those of all sources."""
        number = self._which[at]
        first = sum(one.columns for one in self.sources[:number])
        return np.arange(first, first + self.sources[number].columns)

    def side(self, at: int, centred: bool = True) -> Side:
        """The columns of source ``at`` that vary (that are not 0, if not ``centred``).

        Raises:
            InputError: none does.
        """
        return self.once(("side", self._which[at], centred), lambda: self._side(at, centred))

    def _side(self, at: int, centred: bool) -> Side:
        source, columns = self.sources[self._which[at]], self.columns(at)
        means = self.moments.means[columns] * self.moments.units[columns]
        spread = np.maximum(np.diagonal(self.moments.gram)[columns], 0)
        whole = spread + self.rows * means**2
        # A column counts as constant when its spread is what rounding its mean once per row would give.
        live = spread > (source.eps * np.sqrt(self.rows) * np.abs(means)) ** 2 if centred else whole > 0
        if not live.any():
            which = "the only column is" if source.columns == 1 else f"all {source.columns} columns are"
            what = f"{which} {'constant' if centred else '0'}"
            raise InputError(f"{source.name}: {what}: there is no variance to compare")
        norms = np.sqrt((spread if centred else whole)[live])
        with np.errstate(under="ignore"):
            logs = np.log2(norms) - np.log2(self.moments.units[columns][live])
            weights = np.exp2(logs - logs.max())
        if np.all(self.moments.units[columns] == 1):
            weights = norms / norms.max()
        noise = input_noise(self.rows, len(norms), source.eps, norms, np.sqrt(whole[live]))
        return Side(source, columns[live], norms, weights, noise)

    def block(self, first: int, second: int, centred: bool = True) -> np.ndarray:
        """Inner products of the live columns of two sources, scaled to unit norm; shape (live, live)."""
        a, b = self.side(first, centred), self.side(second, centred)
        block = self.moments.gram[np.ix_(a.live, b.live)]
        if not centred:
            scaled = self.moments.means * self.moments.units
            block += self.rows * np.outer(scaled[a.live], scaled[b.live])
        block /= a.norms[:, None]
        block /= b.norms
        return block

    def triangle(self, centred: bool = True) -> np.ndarray:
        """R of a QR factorisation of all columns side by side: a second pass, made when the products are not enough."""
        return self.once(("triangle", centred), lambda: factors.triangle(self.sources, self.moments, centred))


def joint(*sources: SourceLike | Source, products: Products = "float64", rows_at_once: int | None = None) -> Joint:
    """Read one or more paired sources once and return what the measures need.

    Args:
        sources: each (rows, columns), float64 or float32: an array, a memory map, the path of a ``.npy`` file, or a
            list of those whose rows follow one another. Row i of each is the same observation. They may be read again
            later, so they must not change meanwhile.
        products: ``"float64"``, or ``"float32"`` to multiply in single precision (about twice as fast; sums over blocks
            of rows stay in float64). That adds about 1e-6 to CKA, RV and Procrustes, and up to 1e-4 to the others;
            where the condition of the columns would make it more, the data are read again in float64.
        rows_at_once: rows held in memory; by default as many as fill 24 MB. Another number changes the last digits.

    Raises:
        InputError: a source that cannot be read, unequal rows, NaN or infinity (with row and column).
    """
    if products not in ("float64", "float32"):
        raise InputError(f"products = {products!r}: either 'float64' or 'float32'")
    checked = paired(sources)
    if checked[0].rows < 2:
        raise InputError("there is 1 row: at least 2 paired rows are needed to speak of variance")
    return Joint(checked, accumulate(checked, products, rows_at_once), products)


def pair_of(x: SourceLike | Source | Joint, y: SourceLike | Source | None) -> Joint:
    """The `Joint` of what a measure was called with: two sources, or one `Joint` of two."""
    if isinstance(x, Joint):
        if y is not None:
            raise InputError("y: leave it out when x is a Joint, which holds both sides")
        if len(x) != 2:
            raise InputError(f"this Joint has {len(x)} sources; choose two with .pair(i, j)")
        return x
    if y is None:
        raise InputError("y is missing: pass two sources, or one Joint of two")
    return joint(x, y)
