"""``simulated_supervised``: train every ensemble, measure its members, and fill in samples, rows and figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from empirical.data.causal import DIRECTIONS, WORLDS, triangle, worlds
from empirical.engine import Trained
from empirical.engine.training import Apply, Watch
from empirical.experiment import Findings, Run, varies
from empirical.experiments._supervised_figures import against_m, scatter, training
from empirical.experiments._supervised_students import Point, data, point, represent, students, triangle_students
from empirical.predictions import Sample
from empirical.similarity import linear_map
from empirical.supervised.measures import Measured, held_out_r2, measured
from empirical.supervised.pointwise import best_affine_encoder, best_encoder, squared_residual

if TYPE_CHECKING:
    from empirical.experiments.simulated_supervised import Settings

#: Key of the rows that all is measured on.
HELD_OUT = 7
Quantity = Callable[[Measured], float]


def measure(run: Run) -> Findings:
    """Compute the best that can be reached, train everything, then measure on rows that no one trained on."""
    s: Settings = run.settings
    found = Findings()
    z, x, logs = (np.asarray(part) for part in jax.jit(lambda key: data(s, key, s.rows))(jax.random.key(HELD_OUT)))
    found.arrays |= {f"{name}/z": z[:, i] for i, name in enumerate(WORLDS)}
    r = _worlds(found, s, z, x)
    measured_at = _Measuring(found, z, x, logs)

    equal = run.train(students(run, "equal", r, [point(w) for w in WORLDS]), _watching(z, x))
    for world in WORLDS:
        after = measured_at(equal, point(world))
        before = measured_at(equal, point(world), untrained=True)
        found.samples |= {
            f"{world}_equal_gap": _sample(after, lambda a: a.gap),
            f"{world}_equal_r2": _sample(after, lambda a: a.linear),
            f"{world}_equal_back": _sample(after, lambda a: a.back),
            f"{world}_equal_permuted": _sample(after, lambda a: a.permuted),
            f"{world}_equal_untrained": _sample(before, lambda a: a.linear),
        }
    features = measured_at.of_features(equal, worlds(s.latents, s.data_seed)[2])
    from_z = found.samples["curved_equal_r2"].values
    found.samples["curved_equal_features"] = Sample({k: v - from_z[k] for k, v in features.values.items()})

    both = [point(w, energy=e) for w in DIRECTIONS for e in (False, True)]
    above = run.train(students(run, "above", 2 * r, both))
    for world in DIRECTIONS:
        for energy, name in ((False, "above"), (True, "energy")):
            after = measured_at(above, point(world, energy=energy))
            found.samples |= {
                f"{world}_{name}_gap": _sample(after, lambda a: a.gap),
                f"{world}_{name}_row": _sample(after, lambda a: a.row),
                f"{world}_{name}_free": _sample(after, lambda a: a.free),
                f"{world}_{name}_r2": _sample(after, lambda a: a.linear),
            }

    both = [point(w, squared=e) for w in DIRECTIONS for e in (False, True)]
    below = run.train(students(run, "below", r - 1, both))
    for i, world in enumerate(DIRECTIONS):
        _below(found, s, world, measured_at, below, logs[:, i], z[:, i])

    _triangle(run, found)
    found.samples["bound"] = Sample({(name, seed): one.violated for name, seed, one in measured_at.all})
    found.figures += [training(run), against_m(found, r), scatter(found)]
    return found


class _Measuring:
    """Measures members on the common rows, and keeps a row of numbers and the representations of each point."""

    def __init__(self, found: Findings, z: np.ndarray, x: np.ndarray, logs: np.ndarray) -> None:
        self.found, self.z, self.x, self.logs = found, z, x, logs
        self.all: list[tuple[str, int, Measured]] = []

    def members(self, trained: Trained, at: Point, untrained: bool = False) -> dict[int, tuple[np.ndarray, ...]]:
        """h, W and beta by seed, without those that diverged or whose h is constant."""
        h, W, beta = trained.apply(represent, self.x, untrained=untrained)
        return {
            member.seed: (h[i], W[i], beta[i])
            for i, member in enumerate(trained.ensemble.members)
            if member.point == at
            and member not in trained.diverged
            and self.found.keep(trained.ensemble.name, member, h[i])
        }

    def __call__(
        self, trained: Trained, at: Point, *, untrained: bool = False, rows: int | None = None
    ) -> dict[int, Measured]:
        """By seed; on the first ``rows`` only, in which case nothing is kept, nor is it of what is untrained."""
        world = at["world"]
        kept = slice(rows)
        made = {
            seed: measured(h[kept], W, beta, self.z[kept, world], self.logs[kept, world])
            for seed, (h, W, beta) in self.members(trained, at, untrained).items()
        }
        if not untrained and rows is None:
            name = "/".join([trained.ensemble.name, _name(at)])
            self.found.rows.append(_row(name, made))
            self.all += [(name, seed, one) for seed, one in made.items()]
            for seed, (h, W, beta) in self.members(trained, at).items():
                self.found.arrays |= {f"{name}/{seed}/h": h, f"{name}/{seed}/W": W, f"{name}/{seed}/beta": beta}
        return made

    def of_features(self, trained: Trained, world: Any) -> Sample:
        """R² of h from q(z), which the labels are linear in."""
        at = point(world.name)
        q = np.asarray(world.features(self.z[:, at["world"]]), dtype=np.float64)
        return Sample({(s,): held_out_r2(q, _doubles(h)) for s, (h, _, _) in self.members(trained, at).items()})


def _below(
    found: Findings, s: Settings, world: str, measured_at: _Measuring, below: Trained, logs: np.ndarray, z: np.ndarray
) -> None:
    """m < r: the gaps beside the least of any encoder and of affine ones, on the same rows, and the squared control."""
    m = s.latents - 1
    after, squared = (measured_at(below, point(world, squared=q)) for q in (False, True))
    few = measured_at(below, point(world), rows=s.oracle_rows)
    p = np.exp(_doubles(logs[: s.oracle_rows]))
    p /= p.sum(axis=1, keepdims=True)
    free = best_encoder(p, m, starts=s.oracle_starts)
    affine = best_affine_encoder(p, _doubles(z[: s.oracle_rows]), m, starts=s.oracle_starts)
    centred = _doubles(logs) - logs.mean(axis=1, keepdims=True, dtype=np.float64)
    least = squared_residual(centred, m)
    linear = found.samples[f"{world}_equal_r2"].values
    found.samples |= {
        f"{world}_below_gap": _sample(after, lambda a: a.gap),
        f"{world}_below_least": _sample(few, lambda a: a.gap / free.gap),
        f"{world}_below_affine": _sample(few, lambda a: a.gap / affine.gap),
        f"{world}_below_r2": _sample(after, lambda a: a.linear),
        f"{world}_below_less": Sample({(k,): linear[(k,)] - a.linear for k, a in after.items() if (k,) in linear}),
        f"{world}_squared_excess": _sample(squared, lambda a: a.error / least - 1),
        f"{world}_squared_r2": _sample(squared, lambda a: a.linear),
    }
    found.notes.append(
        f"{world}, m = {m}, {len(p)} rows, {s.oracle_starts} starts: least CE - H found of any encoder {free.gap:.6f}, "
        f"of affine ones {affine.gap:.6f}; R² of the best h from z {held_out_r2(_doubles(z[: len(p)]), free.h):.4f}"
    )


def _triangle(run: Run, found: Findings) -> None:
    """One dimension on the 49 points, for which the least gaps are known; two, which are enough, for comparison."""
    z, p = triangle()
    for m in (2, 1):
        trained = run.train(triangle_students(run, m))
        h, W, beta = trained.apply(represent, np.float32(z[:, None]))
        kept = {
            member.seed: i
            for i, member in enumerate(trained.ensemble.members)
            if member not in trained.diverged and found.keep(trained.ensemble.name, member, h[i])
        }
        made = {seed: measured(h[i], W[i], beta[i], z, np.log(p)) for seed, i in kept.items()}
        found.rows.append(_row(trained.ensemble.name, made))
        found.arrays |= {f"{trained.ensemble.name}/{seed}/h": h[i] for seed, i in kept.items()}
        gap = _sample(made, lambda a: a.gap)
        if m == 2:
            found.samples["triangle_equal_gap"] = gap
            continue
        found.samples |= {"triangle_least": gap, "triangle_affine": gap}
        found.samples["triangle_r2"] = Sample({(s,): linear_map(z, _doubles(h[i])).value for s, i in kept.items()})


def _worlds(found: Findings, s: Settings, z: np.ndarray, x: np.ndarray) -> int:
    """Note what the data are like; the rank r, the same in all worlds."""
    ranks = set()
    for i, world in enumerate(worlds(s.latents, s.data_seed)):
        ranks.add(world.rank)
        found.notes.append(
            f"{world.name}: {len(world.a)} classes, rank of P theta {world.rank} (exact), "
            f"R² of z from x {held_out_r2(_doubles(x[:, i]), _doubles(z[:, i])):.3f}"
        )
    (r,) = ranks
    return r


def _doubles(array: np.ndarray) -> np.ndarray:
    return np.asarray(array, dtype=np.float64)


def _sample(made: dict[int, Measured], quantity: Quantity) -> Sample:
    return Sample({(seed,): float(quantity(one)) for seed, one in made.items()})


def _name(at: Point) -> str:
    extra = [name for name in ("squared", "energy") if at[name]]
    return "-".join([WORLDS[at["world"]], *extra])


def _row(name: str, made: dict[int, Measured]) -> dict[str, Any]:
    """The means over seeds at one point."""
    row: dict[str, Any] = {"point": name, "seeds": len(made)}
    for key in ("gap", "error", "linear", "row", "back", "null", "free", "used"):
        row[key] = float(np.mean([getattr(one, key) for one in made.values()])) if made else np.nan
    row["rank"] = sorted({one.rank for one in made.values()})
    row["sigma_min"] = min((one.singular[one.rank - 1] for one in made.values()), default=np.nan)
    return row


def _watching(z: np.ndarray, x: np.ndarray) -> Watch:
    """For the bar and the curve: in-sample R² of h from z in the two directions, the mean over seeds."""
    few = slice(1024)

    def watch(apply: Apply, well: np.ndarray) -> dict[str, Any]:
        h, _, _ = apply(represent, x[few])
        seeds = len(h) // len(WORLDS)  # points come one after another, each with every seed
        r2 = {}
        for i, world in enumerate(DIRECTIONS):
            of_world = slice(i * seeds, (i + 1) * seeds)
            usable = [one for one, fine in zip(h[of_world], well[of_world], strict=True) if fine and varies(one)]
            values = [linear_map(z[few, i], one).value for one in usable]
            r2[world] = float(np.mean(values)) if values else None
        known = [value for value in r2.values() if value is not None]
        return {"similarity": float(np.mean(known)) if known else None, **r2}

    return watch
