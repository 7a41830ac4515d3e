"""The ensembles of ``simulated_classification``: their networks, losses and data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from empirical.data.simulated import Teacher, Variants, radial, teacher_labels, variants
from empirical.engine import Ensemble
from empirical.experiment import Run, members_of
from empirical.networks import ACTIVATIONS, MLP, Classifier

if TYPE_CHECKING:
    from empirical.experiments.simulated_classification import Settings

AFAR = -1e9  # the logit of a label that is not there


def _optimiser(settings: Settings, steps: int) -> optax.GradientTransformation:
    """Adam; the rate rises over 5 % of the steps and falls to 0 along a cosine."""
    return optax.adam(optax.warmup_cosine_decay_schedule(0.0, settings.rate, max(steps // 20, 1), max(steps, 2)))


def _classifier(inputs: int, width: int, depth: int, dim: int, labels: int, activation: str) -> Callable[..., Any]:
    def build(key: jax.Array) -> Classifier:
        for_f, for_g = jax.random.split(key)
        f = MLP(for_f, (inputs, *(width,) * depth, dim), ACTIVATIONS[activation])
        # A small g: with a large one some seeds lose a direction of f early, and do not find it again.
        return Classifier(f, 0.3 * jax.random.normal(for_g, (labels, dim)))

    return build


def represent(networks: Classifier, variant: Any, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """f (rows, dim) and g (labels, dim) of one member."""
    return networks.f(x), networks.g


def students(
    run: Run,
    name: str,
    taught: Teacher,
    points: Sequence[Mapping[str, int]] = ({},),
    steps: int | None = None,
    width: int | None = None,
) -> Ensemble:
    """Every seed at every point; a point may set "labels" (another teacher's g) and "examples" (a finite data set)."""
    s: Settings = run.settings
    members = members_of(run.seeds, points)
    per_member = variants([table_of(s, m.point.get("labels", s.labels)) for m in members])
    finite = "examples" in members[0].point
    draws = s.targets == "labels"

    def pool(key: jax.Array) -> tuple[jax.Array, jax.Array]:
        x = jax.random.normal(key, (s.pool, s.inputs))
        return x, taught(x)

    def loss(networks: Classifier, rows: Any, variant: Variants, key: jax.Array) -> jax.Array:
        x, f = rows
        wanted = jax.nn.log_softmax(jnp.where(variant.present, f @ variant.g.T, AFAR))
        found = jax.nn.log_softmax(jnp.where(variant.present, networks(x), AFAR))
        if draws:
            drawn = jax.random.categorical(key, wanted)
            return -jnp.take_along_axis(found, drawn[:, None], axis=1).mean()
        return (jnp.exp(wanted) * (wanted - found)).sum(axis=1).mean()  # CE - H, of which H is constant

    total = steps or s.steps
    return Ensemble(
        name=name,
        members=members,
        build=_classifier(s.inputs, width or s.width, s.depth, s.dim, per_member.g.shape[1], s.activation),
        pool=pool,
        loss=loss,
        optimiser=_optimiser(s, total),
        steps=total,
        batch=s.batch,
        chunk=s.chunk,
        fresh=not finite,
        variants=per_member,
        usable=tuple(m.point["examples"] for m in members) if finite else None,
    )


def table_of(settings: Settings, labels: int) -> np.ndarray:
    """g* (labels, dim) of the teacher with that many labels."""
    return teacher_labels(settings.teacher_seed, labels, settings.dim, settings.label_scale)


def radial_students(run: Run) -> Ensemble:
    s: Settings = run.settings
    members = members_of(run.seeds, [{"labels": count} for count in s.radial_labels])
    counts = np.array([m.point["labels"] for m in members], dtype=np.int32)

    def loss(networks: Classifier, rows: Any, labels: jax.Array, key: jax.Array) -> jax.Array:
        x, share = rows
        wanted = jnp.minimum((share * labels).astype(jnp.int32), labels - 1)
        logits = jnp.where(jnp.arange(counts.max()) < labels, networks(x), AFAR)
        return optax.softmax_cross_entropy_with_integer_labels(logits, wanted).mean()

    total = s.radial_steps
    return Ensemble(
        name="radial",
        members=members,
        build=_classifier(2, s.radial_width, 3, 2, int(counts.max()), "leaky_relu"),
        pool=lambda key: radial(key, s.pool),
        loss=loss,
        optimiser=_optimiser(s, total),
        steps=total,
        batch=s.batch,
        chunk=s.chunk,
        variants=counts,
    )
