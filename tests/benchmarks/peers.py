"""Other implementations of the similarity measures, one small function each, called as their documentation says.

``pip install linear-identifiability[peers]`` brings scikit-learn, statsmodels, pyrcca, cca-zoo, repsim and torch; the
others are on PyPI by the names in :data:`PEERS`.  Install ecco with ``--no-deps``: its similarity module needs NumPy
alone.  What is not installed is skipped.  Tried and not usable (November 2026): netrep, platonic-rep and anatome are
not on PyPI; ultimate-anatome 0.1.1 imports a package that it does not declare, and its ``cca`` starts with
``assert False``; mvlearn 0.5.0 fails with scikit-learn 1.9
and brings a package called ``tests``, which hides this one; platonic-universe 0.1.0 has no CCA or CKA;
similarity-repository 0.0.1 wraps research repositories that are not on PyPI.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import importlib.util
import io
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]

COMPONENTS = 10
"""How many components the SVCCA of those keeps that take a count, not a share of the variance."""


def _module(name: str) -> Any:
    """Imported only when asked for; ``Any``, since pyright cannot see what is not installed."""
    return importlib.import_module(name)


def scikit_learn(x: Array, y: Array) -> float:
    """``CCA``: power iteration, one component after the other."""
    k = min(x.shape[1], y.shape[1])
    model = _module("sklearn.cross_decomposition").CCA(n_components=k, scale=False, max_iter=1000)
    a, b = model.fit_transform(x, y)
    return float(np.mean([np.corrcoef(p, q)[0, 1] for p, q in zip(a.T, b.T, strict=True)]))


def statsmodels(x: Array, y: Array) -> float:
    """``CanCorr``: SVD of both; refuses a singular side."""
    return float(_module("statsmodels.multivariate.cancorr").CanCorr(y, x).cancorr.mean())


def pyrcca(x: Array, y: Array) -> float:
    """``CCA`` without kernel and regularisation.  Columns are centred here, as pyrcca does not."""
    k = min(x.shape[1], y.shape[1])
    model = _module("rcca").CCA(kernelcca=False, reg=0.0, numCC=k, verbose=False)
    return float(model.train([x - x.mean(axis=0), y - y.mean(axis=0)]).cancorrs.mean())


def cca_zoo(x: Array, y: Array) -> float:
    """``CCA``: its score on the rows that it was fitted on is the mean correlation."""
    k = min(x.shape[1], y.shape[1])
    return float(_module("cca_zoo.linear").CCA(n_components=k).fit([x, y]).score([x, y]))


def repsim_cca(x: Array, y: Array) -> float:
    """``cca`` with the summary "pillai", which in repsim is the mean correlation."""
    return float(_module("repsim").cca([x, y], "pillai")[0, 1])


def repsim_svcca(x: Array, y: Array) -> float:
    """``svcca``, documented to keep 99 % of the variance."""
    return float(_module("repsim").svcca([x, y], "pillai")[0, 1])


def repsim_pwcca(x: Array, y: Array) -> float:
    """``pwcca``, which is symmetric: the mean of the values with weights from either side."""
    return float(_module("repsim").pwcca([x, y])[0, 1])


def repsim_cka(x: Array, y: Array) -> float:
    """``cka`` with a linear kernel and Gretton's estimator (n x n)."""
    return float(_module("repsim").cka([x, y], "linear", "gretton")[0, 1])


def repsim_song(x: Array, y: Array) -> float:
    """``cka`` with a linear kernel and Song's estimator (n x n)."""
    return float(_module("repsim").cka([x, y], "linear", "song")[0, 1])


def _ecco(name: str) -> Any:
    """A module of ecco without its package's own imports, which want transformers."""
    spec = importlib.util.find_spec("ecco")
    if spec is None:
        raise ModuleNotFoundError("No module named 'ecco'")
    if "ecco" not in sys.modules:
        bare = types.ModuleType("ecco")
        bare.__path__ = list(spec.submodule_search_locations or ())
        bare.__spec__ = spec
        sys.modules["ecco"] = bare
    return importlib.import_module(f"ecco.{name}")


def ecco_cca(x: Array, y: Array) -> float:
    """The mean of all coefficients from the copy of google/svcca that ecco ships, with ecco's epsilon."""
    core = _ecco("svcca_lib.cca_core")
    return float(np.mean(core.get_cca_similarity(x.T, y.T, epsilon=1e-10, verbose=False)["cca_coef1"]))


def ecco_cca_as_called(x: Array, y: Array) -> float:
    """``analysis.cca``, which calls its result the average of all the coefficients."""
    return float(_ecco("analysis").cca(x.T, y.T))


def ecco_svcca(x: Array, y: Array) -> float:
    """``analysis.svcca`` with a number of components."""
    return float(_ecco("analysis").svcca(x.T, y.T, dims=COMPONENTS))


def ecco_pwcca(x: Array, y: Array) -> float:
    """``analysis.pwcca``."""
    return float(_ecco("analysis").pwcca(x.T, y.T))


def ecco_cka(x: Array, y: Array) -> float:
    """``analysis.cka``: from the columns' products."""
    return float(_ecco("analysis").cka(x.T, y.T))


def _tensors(x: Array, y: Array) -> tuple[Any, Any]:
    torch = _module("torch")
    return torch.tensor(x), torch.tensor(y)


def ckatorch(x: Array, y: Array) -> float:
    """``cka_base``, biased (n x n)."""
    return float(_module("ckatorch.core").cka_base(*_tensors(x, y)))


def ckatorch_unbiased(x: Array, y: Array) -> float:
    """``cka_base``, unbiased (n x n)."""
    return float(_module("ckatorch.core").cka_base(*_tensors(x, y), unbiased=True))


def pytorch_cka(x: Array, y: Array) -> float:
    """``cka_from_features``, unbiased (n x n), in the type of the input."""
    return float(_module("cka").cka_from_features(*_tensors(x, y)))


def torch_cka(x: Array, y: Array) -> float:
    """``CKA`` of two models that return their input, one batch; float32, as float64 raises.  Unbiased (n x n)."""
    torch = _module("torch")
    models = [torch.nn.Sequential(torch.nn.Identity()) for _ in range(2)]
    with contextlib.redirect_stderr(io.StringIO()):
        compared = _module("torch_cka").CKA(
            *models, model1_name="x", model2_name="y", model1_layers=["0"], model2_layers=["0"], device="cpu"
        )
        sets = [torch.utils.data.TensorDataset(t.float()) for t in _tensors(x, y)]
        compared.compare(*(torch.utils.data.DataLoader(s, batch_size=len(x)) for s in sets))
    return float(compared.export()["CKA"][0, 0])


def rsatoolbox(x: Array, y: Array) -> float:
    """Whitened cosine of the two dissimilarity matrices, which is linear CKA (Diedrichsen et al. 2020, recalled)."""
    dataset, rdm = _module("rsatoolbox.data").Dataset, _module("rsatoolbox.rdm")
    first, second = (rdm.calc_rdm(dataset(np.asarray(a, np.float64))) for a in (x, y))
    return float(rdm.compare(first, second, method="cosine_cov")[0, 0])


@dataclass(frozen=True)
class Peer:
    """One function of one package."""

    name: str
    distribution: str
    module: str
    measure: str  # by the names in similarity_accuracy.MEASURES
    call: Callable[[Array, Array], float]
    square: bool = False  # memory grows with rows x rows

    @property
    def installed(self) -> bool:
        """Whether the package can be found; that it works is found out by calling it."""
        return importlib.util.find_spec(self.module) is not None

    @property
    def version(self) -> str:
        """Of the distribution."""
        return importlib.metadata.version(self.distribution)


PEERS = (
    Peer("scikit-learn", "scikit-learn", "sklearn", "mean CCA", scikit_learn),
    Peer("statsmodels", "statsmodels", "statsmodels", "mean CCA", statsmodels),
    Peer("pyrcca", "pyrcca", "rcca", "mean CCA", pyrcca),
    Peer("cca-zoo", "cca-zoo", "cca_zoo", "mean CCA", cca_zoo),
    Peer("repsim", "repsim", "repsim", "mean CCA", repsim_cca, square=True),
    Peer("ecco (all coefficients)", "ecco", "ecco", "mean CCA", ecco_cca),
    Peer("ecco.analysis.cca", "ecco", "ecco", "mean CCA", ecco_cca_as_called),
    Peer("repsim", "repsim", "repsim", "SVCCA, 99 %", repsim_svcca, square=True),
    Peer("ecco", "ecco", "ecco", f"SVCCA, {COMPONENTS} components", ecco_svcca),
    Peer("repsim", "repsim", "repsim", "PWCCA, mean of both ways", repsim_pwcca, square=True),
    Peer("ecco", "ecco", "ecco", "PWCCA", ecco_pwcca),
    Peer("ecco", "ecco", "ecco", "linear CKA", ecco_cka),
    Peer("repsim (gretton)", "repsim", "repsim", "linear CKA", repsim_cka, square=True),
    Peer("ckatorch", "ckatorch", "ckatorch", "linear CKA", ckatorch, square=True),
    Peer("rsatoolbox", "rsatoolbox", "rsatoolbox", "linear CKA", rsatoolbox, square=True),
    Peer("repsim (song)", "repsim", "repsim", "unbiased CKA", repsim_song, square=True),
    Peer("ckatorch", "ckatorch", "ckatorch", "unbiased CKA", ckatorch_unbiased, square=True),
    Peer("pytorch-cka", "pytorch-cka", "cka", "unbiased CKA", pytorch_cka, square=True),
    Peer("torch-cka (float32)", "torch-cka", "torch_cka", "unbiased CKA", torch_cka, square=True),
)
