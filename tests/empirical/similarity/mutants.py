"""Wrong formulas, each a mistake that is made in practice, a few lines each.

They are written apart from the package, so that what catches them is the known answers and the invariances in
``judge.py``, and not a difference between two programs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]
Function = Callable[[Array, Array], float]


def centred(x: Array) -> Array:
    return np.asarray(x, np.float64) - np.asarray(x, np.float64).mean(axis=0)


def basis(x: Array, cut: float = 1e-13) -> Array:
    """Left singular vectors of the centred, column-scaled matrix: right up to a condition of about 1e12."""
    a = centred(x)
    length = np.linalg.norm(a, axis=0)
    live = length > 1e-12 * np.abs(x).max(axis=0)
    u, s, _ = np.linalg.svd(a[:, live] / length[live], full_matrices=False)
    return u[:, s > cut * s[0]]


def rho(x: Array, y: Array) -> Array:
    return np.linalg.svd(basis(x).T @ basis(y), compute_uv=False)


def root_inverse(m: Array, ridge: float = 0.0) -> Array:
    values, vectors = np.linalg.eigh(m)
    return (vectors / np.sqrt(values + ridge)) @ vectors.T


def gram(x: Array, y: Array, ridge: float = 0.0, dtype: type = np.float64) -> Array:
    a, b = centred(x).astype(dtype), centred(y).astype(dtype)
    n = len(x)
    whitened = root_inverse(a.T @ a / n, ridge) @ (a.T @ b / n) @ root_inverse(b.T @ b / n, ridge)
    return np.linalg.svd(whitened, compute_uv=False)


def qr(x: Array, y: Array) -> Array:
    return np.linalg.svd(np.linalg.qr(centred(x))[0].T @ np.linalg.qr(centred(y))[0], compute_uv=False)


def uncentred(x: Array, y: Array) -> float:
    q_x, q_y = np.linalg.qr(np.asarray(x, np.float64))[0], np.linalg.qr(np.asarray(y, np.float64))[0]
    return float(np.linalg.svd(q_x.T @ q_y, compute_uv=False).mean())


def unwhitened(x: Array, y: Array) -> float:
    a, b = centred(x), centred(y)
    return float(np.linalg.svd(a.T @ b, compute_uv=False).mean() / (np.linalg.norm(a, 2) * np.linalg.norm(b, 2)))


def one_side_whitened(x: Array, y: Array) -> float:
    b = centred(y)
    return float(np.linalg.svd(basis(x).T @ b, compute_uv=False).mean() / np.linalg.norm(b, 2))


def leading(x: Array, count: Callable[[Array], int], a: Array | None = None) -> Array:
    u, s, _ = np.linalg.svd(centred(x) if a is None else a, full_matrices=False)
    return u[:, : count(s)]


def share(s: Array, wanted: float) -> int:
    return int(np.argmax(np.cumsum(s) / s.sum() >= wanted)) + 1


def svcca(count: Callable[[Array], int]) -> Function:
    return lambda x, y: float(np.linalg.svd(leading(x, count).T @ leading(y, count), compute_uv=False).mean())


def svcca_by_width(x: Array, y: Array) -> float:
    u, v = (leading(a, lambda s: share(s * s, 0.99)) for a in (x, y))
    return float(np.linalg.svd(u.T @ v, compute_uv=False).sum() / min(x.shape[1], y.shape[1]))


def svcca_uncentred(x: Array, y: Array) -> float:
    u, v = (leading(a, lambda s: share(s * s, 0.99), np.asarray(a, np.float64)) for a in (x, y))
    return float(np.linalg.svd(u.T @ v, compute_uv=False).mean())


def pwcca(weigh: Callable[[Array, Array, Array, Array], Array]) -> Function:
    def weighted(x: Array, y: Array) -> float:
        q_x, q_y = basis(x), basis(y)
        u, s, vt = np.linalg.svd(q_x.T @ q_y, full_matrices=False)
        w = weigh(q_x @ u, q_y @ vt.T, centred(x), centred(y))
        return float(w @ s / w.sum())

    return weighted


def pwcca_without_whitening(x: Array, y: Array) -> float:
    """The canonical directions are applied to the columns as they are, not to whitened ones."""
    a, b = centred(x), centred(y)
    whitened = root_inverse(a.T @ a) @ (a.T @ b) @ root_inverse(b.T @ b)
    u, s, _ = np.linalg.svd(whitened, full_matrices=False)
    w = np.abs(np.linalg.qr(a @ u)[0].T @ a).sum(axis=1)
    return float(w @ s / w.sum())


def cka(prepare: Callable[[Array], Array], power: float = 0.5) -> Function:
    def aligned(x: Array, y: Array) -> float:
        a, b = prepare(np.asarray(x, np.float64)), prepare(np.asarray(y, np.float64))
        both = np.linalg.norm(a.T @ a) ** 2 * np.linalg.norm(b.T @ b) ** 2
        return float(np.linalg.norm(a.T @ b) ** 2 / both**power)

    return aligned


def kernel_cka(dtype: type = np.float64, *, unbiased: bool = True, last: int = 2) -> Function:
    """By n x n kernels of the columns as they are, in the given type; ``last``: n − 2 or n − 1 in Song's last term."""

    def hsic(k: Array, l: Array) -> float:
        n = len(k)
        if not unbiased:
            h = np.eye(n, dtype=dtype) - dtype(1 / n)
            return float(((h @ k @ h) * (h @ l @ h)).sum())
        rows = k.sum(axis=0) @ l.sum(axis=0)
        return float((k * l).sum() + k.sum() * l.sum() / ((n - 1) * (n - 2)) - 2 * rows / (n - last))

    def aligned(x: Array, y: Array) -> float:
        k, l = (a.astype(dtype) @ a.astype(dtype).T for a in (x, y))
        if unbiased:
            np.fill_diagonal(k, 0)
            np.fill_diagonal(l, 0)
        return float(hsic(k, l) / np.sqrt(hsic(k, k) * hsic(l, l)))

    return aligned


def nuclear(x: Array, y: Array) -> float:
    a, b = centred(x), centred(y)
    return float(np.linalg.norm(a.T @ b, "nuc") / (np.linalg.norm(a) * np.linalg.norm(b)))


def procrustes_unscaled(x: Array, y: Array) -> float:
    a, b = centred(x), centred(y)
    return float((a * a).sum() + (b * b).sum() - 2 * np.linalg.norm(a.T @ b, "nuc"))


def procrustes_no_rotation(x: Array, y: Array) -> float:
    k = min(x.shape[1], y.shape[1])
    a, b = centred(x), centred(y)
    return float(2 - 2 * np.trace(a[:, :k].T @ b[:, :k]) / (np.linalg.norm(a) * np.linalg.norm(b)))


def fitted(x: Array, y: Array) -> Array:
    q = basis(x)
    return q @ (q.T @ centred(y))


def through_origin(x: Array, y: Array) -> float:
    a, b = np.asarray(x, np.float64), np.asarray(y, np.float64)
    rest = b - a @ np.linalg.lstsq(a, b, rcond=None)[0]
    return float(1 - (rest * rest).sum() / (centred(b) ** 2).sum())


def column_mean_of_r2(x: Array, y: Array) -> float:
    b = centred(y)
    rest = ((b - fitted(x, y)) ** 2).sum(axis=0)
    return float(np.mean(1 - rest / (b * b).sum(axis=0)))


def normal_equations(x: Array, y: Array) -> float:
    """R² as explained over total variance, from an inverted Gram matrix: nothing keeps it below 1."""
    a, b = centred(x), centred(y)
    explained = np.trace(b.T @ a @ np.linalg.inv(a.T @ a) @ (a.T @ b))
    return float(explained / (b * b).sum())


def angle_from_cosine(x: Array, y: Array) -> float:
    return float(np.arccos(np.clip(rho(x, y), 0, 1)).max())


MUTANTS: dict[str, tuple[str, Function]] = {
    "not centred": ("mean CCA", uncentred),
    "not whitened": ("mean CCA", unwhitened),
    "whitened on one side": ("mean CCA", one_side_whitened),
    "square root forgotten": ("mean CCA", lambda x, y: float((rho(x, y) ** 2).mean())),
    "sine for cosine": ("mean CCA", lambda x, y: float(np.sqrt(np.clip(1 - rho(x, y) ** 2, 0, 1)).mean())),
    "divided by the larger width": ("mean CCA", lambda x, y: float(rho(x, y).sum() / max(x.shape[1], y.shape[1]))),
    "divided by the width of x": ("mean CCA", lambda x, y: float(rho(x, y).sum() / x.shape[1])),
    "the largest for the mean": ("mean CCA", lambda x, y: float(rho(x, y).max())),
    "those that make 98 % of the sum": ("mean CCA", lambda x, y: float(rho(x, y)[: share(rho(x, y), 0.98)].mean())),
    "inverted Gram matrices": ("mean CCA", lambda x, y: float(gram(x, y).mean())),
    "a fixed ridge": ("mean CCA", lambda x, y: float(gram(x, y, ridge=1e-6).mean())),
    "float32 products": ("mean CCA", lambda x, y: float(gram(x, y, dtype=np.float32).mean())),
    "QR without a rank": ("mean CCA", lambda x, y: float(qr(x, y).mean())),
    "rank cut at 1e-5": (
        "mean CCA",
        lambda x, y: float(np.linalg.svd(basis(x, 1e-5).T @ basis(y, 1e-5), compute_uv=False).mean()),
    ),
    "SVCCA not truncated": ("SVCCA", lambda x, y: float(rho(x, y).mean())),
    "SVCCA of one component": ("SVCCA", svcca(lambda _: 1)),
    "share of singular values": ("SVCCA", svcca(lambda s: share(s, 0.99))),
    "one component short": ("SVCCA", svcca(lambda s: max(1, share(s * s, 0.99) - 1))),
    "SVCCA divided by the width": ("SVCCA", svcca_by_width),
    "SVCCA not centred": ("SVCCA", svcca_uncentred),
    "weights from y": ("PWCCA", pwcca(lambda h, g, a, b: np.abs(g.T @ b).sum(axis=1))),
    "weights squared": ("PWCCA", pwcca(lambda h, g, a, b: ((h.T @ a) ** 2).sum(axis=1))),
    "weights without absolute value": ("PWCCA", pwcca(lambda h, g, a, b: (h.T @ a).sum(axis=1))),
    "no weights": ("PWCCA", pwcca(lambda h, g, a, b: np.ones(h.shape[1]))),
    "PWCCA directions not whitened": ("PWCCA", pwcca_without_whitening),
    "CKA not centred": ("linear CKA", cka(lambda a: a)),
    "CKA centred by the grand mean": ("linear CKA", cka(lambda a: a - a.mean())),
    "CKA of rows centred": ("linear CKA", cka(lambda a: a - a.mean(axis=1, keepdims=True))),
    "denominator not rooted": ("linear CKA", cka(centred, power=1.0)),
    "nuclear for Frobenius": ("linear CKA", nuclear),
    "unbiased for biased": ("linear CKA", kernel_cka()),
    "biased for unbiased": ("unbiased CKA", cka(centred)),
    "n − 1 for n − 2": ("unbiased CKA", kernel_cka(last=1)),
    "kernels not centred": ("unbiased CKA", kernel_cka()),
    "kernels in float32": ("unbiased CKA", kernel_cka(np.float32)),
    "not scaled": ("Procrustes distance", procrustes_unscaled),
    "not rotated": ("Procrustes distance", procrustes_no_rotation),
    "half of it": ("Procrustes distance", lambda x, y: 1 - nuclear(x, y)),
    "its root": ("Procrustes distance", lambda x, y: float(np.sqrt(max(0.0, 2 - 2 * nuclear(x, y))))),
    "map transposed": ("linear map", lambda x, y: float((fitted(y, x) ** 2).sum() / (centred(x) ** 2).sum())),
    "no intercept": ("linear map", through_origin),
    "mean over columns": ("linear map", column_mean_of_r2),
    "normal equations": ("linear map", normal_equations),
    "smallest for largest": ("largest angle", lambda x, y: float(np.arccos(np.clip(rho(x, y), 0, 1)).min())),
    "cosine for angle": ("largest angle", lambda x, y: float(rho(x, y).min())),
}
"""Name: the measure that it would pass for, and the formula."""
