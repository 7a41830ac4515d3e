"""Reading what a run found, and judging it anew: an outcome that its own samples do not give is not shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from empirical.engine.run_folder import RunFolder
from empirical.errors import InputError
from empirical.predictions import Judged, Prediction, Sample, judge


def read(run: Path) -> dict[str, Any]:
    """``outcome.json`` of a finished run.

    Raises ``InputError`` for what is no run or not finished, and where the outcomes are not those that the predictions
    in ``config.json`` and the samples give.
    """
    if not run.is_dir():
        raise InputError(f"there is no folder {run}: name a run folder, such as runs/simulated_classification-laptop")
    if not (run / "outcome.json").exists():
        unfinished = (run / "config.json").exists()
        raise InputError(
            f"the run in {run} is not finished: go on with --resume" if unfinished else f"{run} holds no run"
        )
    folder = RunFolder(run, writes=False)
    outcome, config = folder.read_json("outcome.json"), folder.read_json("config.json")
    try:
        wrong = _disagreement(outcome, config)
    except (KeyError, TypeError, ValueError, AttributeError) as error:  # whatever else a file may hold
        raise InputError(f"{run / 'outcome.json'} is not what a run writes ({error!r})") from error
    if wrong:
        raise InputError(f"{run}: {wrong}; the files were changed after the run, or are of two runs")
    return outcome


def _disagreement(outcome: Mapping[str, Any], config: Mapping[str, Any]) -> str | None:
    """What outcome and configuration do not agree on; None where they do."""
    if outcome["experiment"] != config["experiment"]:
        return f"outcome.json is of {outcome['experiment']!r} and config.json of {config['experiment']!r}"
    _check_shape(outcome)
    stored = [_prediction(one) for one in config["predictions"]]
    if stored != [_prediction(one) for one in outcome["predictions"]]:
        return "the predictions in outcome.json are others than those in config.json, written before training"
    samples = {name: Sample({tuple(key): value for key, value in pairs}) for name, pairs in outcome["samples"].items()}
    for prediction, said in zip(stored, outcome["predictions"], strict=True):
        found = judge(prediction, samples)
        if not _same(found, said):
            return f"{prediction.name} is said to be {said['outcome']}, and its samples give {found.outcome.value}"
    return None


def _check_shape(outcome: Mapping[str, Any]) -> None:
    """Raises ``KeyError`` or ``TypeError`` where something is missing that tables and figures are made of."""
    for row in outcome["rows"]:
        row["point"].encode()
    for figure in outcome["figures"]:
        for name in ("name", "title", "x", "y", "kind", "log_x"):
            figure[name]
        for series in figure["series"]:
            for name in ("x", "y", "low", "high"):
                [None if value is None else float(value) for value in series[name]]
            series["label"].encode()
    for name in ("notes", "diverged", "damaged"):
        "".join(outcome[name])


def _prediction(fields: Mapping[str, Any]) -> Prediction:
    premise = fields["premise"]
    names = ("name", "statement", "source", "sense", "level", "over")
    return Prediction(*(fields[name] for name in names), premise=None if premise is None else tuple(premise))


def _same(found: Judged, said: Mapping[str, Any]) -> bool:
    def near(a: float | None, b: float | None) -> bool:
        # Sums may round otherwise with another NumPy.
        return a == b or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12))

    ends, told = found.interval or (None, None), said["interval"] or (None, None)
    return (
        found.outcome.value == said["outcome"]
        and near(found.value, said["value"])
        and all(near(a, b) for a, b in zip(ends, told, strict=True))
        and (found.seeds, found.values) == (said["seeds"], said["values"])
    )
