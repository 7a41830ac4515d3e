"""``simulated_classification``: train every ensemble, compare its members, and fill in samples, rows and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from empirical.agreement import Agreement, worst
from empirical.data.simulated import radial, teacher
from empirical.engine import Trained
from empirical.engine.training import Apply, Watch
from empirical.experiment import Figure, Findings, Run, Series, varies
from empirical.experiments._classification_students import radial_students, represent, students, table_of
from empirical.pairs import Compared, compare, sample
from empirical.predictions import Key, Sample
from empirical.similarity import linear_map, mean_cca
from theory.diagnosis import TrainedModel

if TYPE_CHECKING:
    from empirical.experiments.simulated_classification import Settings

Point = Mapping[str, int]
#: Rows and pairs that the progress bar looks at.
WATCHED_ROWS, WATCHED_PAIRS = 1024, 3


def measure(run: Run) -> Findings:
    """Train everything, then compare on rows that no one trained on."""
    s: Settings = run.settings
    found = Findings()
    taught = teacher(s.teacher_seed, s.inputs, s.teacher_width, s.teacher_depth, s.dim, s.teacher_gain)
    x = jax.random.normal(jax.random.key(3), (s.rows, s.inputs))
    f_star = np.asarray(taught(x))
    found.arrays["teacher/f"] = f_star
    found.notes.append(f"linear R² of the teacher's f from x: {linear_map(np.asarray(x), f_star).value:.3f}")

    def trained_on(name: str, points: tuple[Point, ...] = ({},), **options: int) -> dict[int, Compared]:
        """Train an ensemble and compare at each of its points; by the value of the point, 0 where it has none."""
        watch = watching(x, f_star) if name == "main" else None
        trained = run.train(students(run, name, taught, points, **options), watch)
        by_point = {}
        for point in points:
            labels = point.get("labels", s.labels)
            star = TrainedModel(f_star, table_of(s, labels))
            by_point[next(iter(point.values()), 0)] = _compared(found, trained, point, x, labels, star)
        if name == "main":
            before = compare(models_at(found, trained, {}, x, s.labels, untrained=True))
            found.samples["untrained"] = before.cca
        return by_point

    main = trained_on("main")[0]
    found.samples |= {
        "gap": main.gap,
        "students_cca": main.cca,
        "students_r2": sample(main.between, lambda a: a.r2),
        "teacher_cca": sample(main.with_teacher, lambda a: a.cca),
        "teacher_r2": sample(main.with_teacher, lambda a: a.r2),
        "permuted": sample(main.between, lambda a: a.permuted),
    }
    found.figures.append(training_curve(run, "main"))
    found.figures.append(overlay(found, "main", f"K = {s.labels}, M = {s.dim}"))
    if s.budgets:
        by_steps = {budget: trained_on(f"steps-{budget}", steps=budget)[0] for budget in s.budgets}
        found.figures.append(swept("steps", "steps, each with its own schedule", {**by_steps, s.steps: main}))
    if s.labels_swept:
        points = tuple({"labels": count} for count in s.labels_swept)
        by_labels = trained_on("labels", points, steps=s.sweep_steps)
        for count, compared in by_labels.items():
            found.samples |= labels_samples(count, s.dim, compared)
        found.figures.append(swept("labels", "number of labels K", by_labels))
        found.figures.append(spectrum(by_labels))
    if s.widths:
        widths = sorted({*s.widths, s.width})
        by_width = {w: trained_on(f"width-{w}", steps=s.sweep_steps, width=w)[0] for w in widths}
        found.samples["wider"] = more(by_width[widths[-1]].cca, by_width[widths[0]].cca)
        found.figures.append(swept("width", "width of the hidden layers", by_width))
    if s.examples:
        by_size = trained_on("examples", tuple({"examples": n} for n in s.examples), steps=s.sweep_steps)
        found.samples["more_data"] = more(by_size[max(by_size)].cca, by_size[min(by_size)].cca)
        found.figures.append(swept("examples", "training examples", by_size))
    if s.radial_labels:
        _radial(run, found)
    return found


def _radial(run: Run, found: Findings) -> None:
    s: Settings = run.settings
    x, _ = radial(jax.random.key(4), s.rows)
    trained = run.train(radial_students(run))
    by_labels = {}
    for count in s.radial_labels:
        point = {"labels": count}
        by_labels[count] = _compared(found, trained, point, x, count)
        found.samples[f"radial_{count}"] = by_labels[count].cca
    found.figures.append(swept("radial", "number of labels K, radial data", by_labels))
    most = max(s.radial_labels)
    found.figures.append(overlay(found, f"radial/labels-{most}", f"Radial data, K = {most}"))


def models_at(
    found: Findings, trained: Trained, point: Point, x: jax.Array, labels: int, *, untrained: bool = False
) -> dict[int, TrainedModel]:
    """The members at one point by seed, without those that diverged or whose f is constant."""
    f, g = trained.apply(represent, x, untrained=untrained)
    return {
        member.seed: TrainedModel(f[i], g[i, :labels])
        for i, member in enumerate(trained.ensemble.members)
        if member.point == point and member not in trained.diverged and found.keep(trained.ensemble.name, member, f[i])
    }


def _compared(
    found: Findings, trained: Trained, point: Point, x: jax.Array, labels: int, star: TrainedModel | None = None
) -> Compared:
    """Compare at one point; note a row of numbers, what holds for every pair, and the representations."""
    name = "/".join([trained.ensemble.name, *(f"{key}-{value}" for key, value in point.items())])
    models = models_at(found, trained, point, x, labels)
    for seed, model in models.items():
        assert model.g is not None
        found.arrays |= {f"{name}/{seed}/f": model.f.astype(np.float32), f"{name}/{seed}/g": model.g.astype(np.float32)}
    compared = compare(models, star)
    found.rows.append(row(name, compared))
    for quantity, of in (("bound", lambda a: a.violated), ("alignment", lambda a: a.alignment_ratio)):
        every = sample(compared.all, of).values
        before = found.samples.get(quantity, Sample({})).values
        found.samples[quantity] = Sample({**before, **{(name, *seeds): value for seeds, value in every.items()}})
    return compared


def row(name: str, compared: Compared) -> dict[str, Any]:
    """The means of one point, or the worst where that is what counts."""

    def mean(pairs: Mapping[Key, Agreement], of: Callable[[Agreement], float]) -> float:
        return sample(pairs, of).mean

    every = compared.all.values()
    return {
        "point": name,
        "seeds": len(sample(compared.all, lambda a: a.cca).seeds),
        "gap": compared.gap.mean,
        "cca": compared.cca.mean,
        "r2": mean(compared.between, lambda a: a.r2),
        "teacher_cca": mean(compared.with_teacher, lambda a: a.cca),
        "teacher_r2": mean(compared.with_teacher, lambda a: a.r2),
        "smallest_correlation": mean(compared.between, lambda a: min(a.correlations)),
        "sigma_min": -worst(-a.sigma_min for a in every),
        "condition": worst(a.condition for a in every),
        "error": mean(compared.all, lambda a: a.error),
        "bound": mean(compared.all, lambda a: a.bound),
        "largest_error_over_bound": worst(a.bound_ratio for a in every),
        "alignment_over_bound": worst(a.alignment_ratio for a in every),
    }


def labels_samples(count: int, dim: int, compared: Compared) -> dict[str, Sample]:
    """What the predictions about K = ``count`` labels are judged by."""
    found = {f"gap_labels_{count}": compared.gap}
    if count > dim:
        return {**found, f"labels_{count}": compared.cca}
    free = dim - count + 1
    found[f"free_{count}"] = sample(compared.between, lambda a: float(np.mean(sorted(a.correlations)[:free])))
    found[f"seen_{count}"] = sample(compared.between, lambda a: sorted(a.correlations)[free])
    return found


def more(after: Sample, before: Sample) -> Sample:
    """The difference, seeds by seeds."""
    both = after.values.keys() & before.values.keys()
    return Sample({seeds: after.values[seeds] - before.values[seeds] for seeds in sorted(both)})


def watching(x: jax.Array, f_star: np.ndarray) -> Watch:
    """For the progress bar and the curve against steps: mean CCA (in-sample) of a few students, and to the teacher."""
    few, f_few = x[:WATCHED_ROWS], f_star[:WATCHED_ROWS]

    def watch(apply: Apply, well: np.ndarray) -> dict[str, Any]:
        f, _ = apply(represent, few)
        usable = [one for one, fine in zip(f, well, strict=True) if fine and varies(one)]
        pairs = list(pairwise(usable))[:WATCHED_PAIRS]
        between, to_teacher = [mean_cca(a, b).value for a, b in pairs], [mean_cca(a, f_few).value for a in usable]
        return {
            "similarity": float(np.mean(between)) if between else None,
            "teacher_similarity": float(np.mean(to_teacher)) if to_teacher else None,
        }

    return watch


# Figures --------------------------------------------------------------------------------------------------------------


def training_curve(run: Run, name: str) -> Figure:
    lines = [m for m in run.folder.metrics() if m["ensemble"] == name and m.get("similarity") is not None]
    steps = [m["step"] for m in lines]
    series = [
        Series("two students", steps, [m["similarity"] for m in lines]),
        Series("student and teacher", steps, [m["teacher_similarity"] for m in lines]),
    ]
    return Figure("training", "Similarity while training", "step", "mean CCA (in-sample)", series)


def swept(name: str, x: str, by_value: Mapping[int, Compared]) -> Figure:
    """Held-out similarity between students, with its interval, and to the teacher where there is one."""
    values = sorted(by_value)
    students = [by_value[v].cca for v in values]
    taught = [sample(by_value[v].with_teacher, lambda a: a.cca) for v in values]
    lines = Series.of("two students", values, students), Series.of("student and teacher", values, taught)
    series = [line for line in lines if line is not None]
    return Figure(name, f"Similarity against {x}", x, "held-out mean CCA", series, log_x=True)


def spectrum(by_labels: Mapping[int, Compared]) -> Figure:
    """Canonical correlations by rank for each K: of two students, min(K - 1, M) should be about 1."""
    series = []
    for count, compared in sorted(by_labels.items()):
        ranked = [sorted(pair.correlations, reverse=True) for pair in compared.between.values()]
        ranks = range(1, len(ranked[0]) + 1) if ranked else range(0)
        by_rank = [
            Sample({seeds: one[i - 1] for seeds, one in zip(compared.between, ranked, strict=True)}) for i in ranks
        ]
        line = Series.of(f"K = {count}", list(ranks), by_rank)
        series += [line] if line is not None else []
    title = "Canonical correlations of two students, largest first"
    return Figure("spectrum", title, "rank", "held-out correlation", series)


def overlay(found: Findings, point: str, title: str) -> Figure:
    """f of one student, and that of another after the fitted affine map: points that coincide where it is linear."""
    names = sorted(name for name in found.arrays if name.startswith(f"{point}/") and name.endswith("/f"))
    series = []
    if len(names) > 1:
        target, source = (found.arrays[name].astype(np.float64) for name in names[:2])
        half = len(source) // 2  # the map is fitted on these rows, and shown on others
        with_ones = np.column_stack([source, np.ones(len(source))])
        image = with_ones @ np.linalg.lstsq(with_ones[:half], target[:half], rcond=None)[0]
        shown = slice(half, half + 500)
        both = (("f*", target), ("A f' + c", image))
        series = [Series(label, points[shown, 0].tolist(), points[shown, 1].tolist()) for label, points in both]
    name = f"overlay-{point.replace('/', '-')}"
    return Figure(name, f"{title}: f* and A f' + c of two students", "dimension 1", "dimension 2", series, "scatter")
