"""A run that was killed gives the bits of one that was not; damaged checkpoints are passed over and named."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import theory
from empirical.engine import Interrupted, RunFolder, train
from empirical.engine.run_folder import SCHEMA
from empirical.errors import InputError
from tests.empirical.engine.small import CONFIG, digest, small, watch

ROOT = Path(theory.__file__).parents[1]


def started(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.empirical.engine.small", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def done(process: subprocess.Popen[str]) -> dict[str, object]:
    """What it printed; where it fails or hangs, nothing of it is left running."""
    try:
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 0, err[-3000:]
    printed = [line for line in out.splitlines() if line.startswith("{")]
    return json.loads(printed[-1]) if printed else {}


def chunks_of(folder: Path) -> int:
    return len((folder / "metrics.jsonl").read_text().splitlines()) if (folder / "metrics.jsonl").exists() else 0


def begun(path: Path) -> RunFolder:
    folder = RunFolder(path)
    folder.begin(CONFIG, resume=(path / "config.json").exists())
    return folder


def trained(path: Path, **changes: object) -> str:
    folder = begun(path)
    return digest(train(small(**changes), folder, watch, watch_every=4, save_every=0.0), folder)  # pyright: ignore[reportArgumentType]


def test_killed_at_three_moments_and_resumed_gives_the_same_bits(tmp_path: Path) -> None:
    """Killed while it starts, trains or saves, whatever it is at: checkpoints come after every chunk here."""
    expected = trained(tmp_path / "whole")
    rng = np.random.default_rng(0)
    for wanted in (1, 8, 15):
        process = started(tmp_path / "killed", 2)
        while chunks_of(tmp_path / "killed") < wanted and process.poll() is None:
            time.sleep(0.002)
        time.sleep(float(rng.uniform(0, 0.05)))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL, "it was done before it was killed"
    assert trained(tmp_path / "killed") == expected
    assert len([p for p in (tmp_path / "killed/checkpoints/small").iterdir() if p.name.isdigit()]) == 1


def test_sigterm_leaves_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    expected = trained(tmp_path / "whole")
    folder = begun(tmp_path / "stopped")
    calls = 0

    def stop(apply: object, well: object) -> dict[str, object]:
        nonlocal calls
        calls += 1
        if calls == 4:
            os.kill(os.getpid(), signal.SIGTERM)
        return watch(apply, well)

    with pytest.raises(Interrupted, match="small stopped after step 120 of 240"):
        train(small(), folder, stop, watch_every=4)  # pyright: ignore[reportArgumentType]
    folder.close()
    assert trained(tmp_path / "stopped") == expected
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL  # left as it was


def damage(path: Path) -> None:
    """One changed byte in the middle of each file that holds arrays."""
    for file in path.glob("state/**/d/*"):
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 0xFF
        file.write_bytes(content)


def half_done(path: Path) -> RunFolder:
    """A run stopped after 16 of 24 chunks, with the checkpoints of the last two."""
    folder = begun(path)

    def stop(apply: object, well: object) -> dict[str, object]:
        if chunks_of(path) >= 16:
            os.kill(os.getpid(), signal.SIGTERM)
        return watch(apply, well)

    with pytest.raises(Interrupted):
        train(small(), folder, stop, watch_every=4, save_every=0.0)  # pyright: ignore[reportArgumentType]
    return folder


# Orbax leaves a coroutine behind when a file cannot be read.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_damaged_checkpoint_falls_back_to_the_one_before(tmp_path: Path) -> None:
    expected = trained(tmp_path / "whole")
    half_done(tmp_path / "damaged")
    kept = sorted(p for p in (tmp_path / "damaged/checkpoints/small").iterdir() if p.name.isdigit())
    assert len(kept) == 2
    damage(kept[1])
    folder = begun(tmp_path / "damaged")
    again = train(small(), folder, watch, watch_every=4, save_every=0.0)
    assert f"checkpoint {int(kept[1].name)} in" in again.damaged[0]
    assert "is damaged" in again.damaged[0]
    assert digest(again, folder) == expected


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_only_damaged_checkpoints_mean_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which is said though no progress is shown, and stands in what training returns."""
    expected = trained(tmp_path / "whole")
    half_done(tmp_path / "damaged")
    for path in (tmp_path / "damaged/checkpoints/small").iterdir():
        damage(path)
    folder = begun(tmp_path / "damaged")
    again = train(small(), folder, watch, watch_every=4, save_every=0.0, shown=False)
    assert digest(again, folder) == expected
    assert len(again.damaged) == 3
    assert "was whole: begun again from step 0" in again.damaged[2]
    assert all(said in capsys.readouterr().err for said in again.damaged[2:])


def test_a_torn_line_of_metrics_is_dropped(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.add_metrics({"ensemble": "small", "step": 10})
    folder.add_metrics({"ensemble": "small", "step": 20})
    with (tmp_path / "metrics.jsonl").open("a") as file:
        file.write('{"ensemble": "sma')
    assert [m["step"] for m in folder.metrics()] == [10, 20]
    folder.forget_metrics_after("small", 10)
    assert (tmp_path / "metrics.jsonl").read_text() == '{"ensemble": "small", "step": 10}\n'


@pytest.mark.parametrize("several", [False, True], ids=["four devices", "two processes"])
def test_on_four_devices_and_in_two_processes(tmp_path: Path, several: bool) -> None:
    """The same numbers as on one device, up to float32 rounding."""
    if several:
        place = ("localhost:" + str(free_port()), 2)
        parts = [started(tmp_path / "run", 1, *place, index) for index in range(2)]
        found = [done(part) for part in parts]
        values, members = found[0]["outputs"], 4
    else:
        values, members = done(started(tmp_path / "run", 4))["outputs"], 3
    from empirical.engine import devices

    folder = begun(tmp_path / "single")
    assert devices.mesh_for(members, 32, 1).devices.shape == (1, 1)
    from empirical.engine.program import Program
    from tests.empirical.engine.small import outputs

    program = Program(small(members), devices.mesh_for(members, 32, 1))
    state = program.start()
    for _ in range(24):
        state = program.advance(state)
    expected = program.apply(outputs)(state, np.ones((4, 3), np.float32))
    np.testing.assert_allclose(np.array(values), expected, rtol=1e-3, atol=1e-4)
    assert folder.path.exists()


def free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("localhost", 0))
        return found.getsockname()[1]


@pytest.mark.parametrize(
    ("spoil", "resume", "said"),
    [
        (lambda p: None, False, "holds a run already: continue it with --resume"),
        (lambda p: (p / "config.json").unlink(), True, "there is no run in .* to resume"),
        (lambda p: (p / "config.json").unlink(), False, "is not empty and holds no run"),
        (lambda p: edit(p, settings={"rate": 1.0}), True, "has rate 1.0, and this one 0.01"),
        (lambda p: edit(p, seeds=[0]), True, r"has seeds \[0\], and this one \[0, 1, 2\]"),
        (lambda p: edit(p, predictions=["another"]), True, "are others than this version makes"),
        (lambda p: edit(p, schema=SCHEMA + 1), True, f"has schema {SCHEMA + 1}, and this version reads up to {SCHEMA}"),
        (lambda p: (p / "config.json").write_text("{"), True, "is not JSON"),
        (lambda p: (p / "config.json").write_text("[]"), True, "has no schema"),
    ],
)
def test_folders_that_cannot_be_taken_up(tmp_path: Path, spoil: object, resume: bool, said: str) -> None:
    begun(tmp_path / "run")
    spoil(tmp_path / "run")  # pyright: ignore[reportCallIssue]
    with pytest.raises(InputError, match=said):
        RunFolder(tmp_path / "run").begin(CONFIG, resume)


def edit(path: Path, **changes: object) -> None:
    config = json.loads((path / "config.json").read_text())
    (path / "config.json").write_text(json.dumps({**config, **changes}))


def test_a_full_disk_is_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from empirical.engine import checkpoints

    folder = begun(tmp_path / "run")

    def full(*arguments: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoints.ocp.CheckpointManager, "save", full)
    with pytest.raises(InputError, match=r"checkpoint could not be written .*No space left.*--resume"):
        train(small(), folder)
    monkeypatch.undo()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        folder.add_metrics({"step": 1})


def test_a_checkpoint_of_another_number_of_devices(tmp_path: Path) -> None:
    trained(tmp_path / "run", steps=20)
    with pytest.raises(
        InputError, match="was made with members 4, padding included, and this run has 6, padding included"
    ):
        trained(tmp_path / "run", steps=20, seeds=5)


@pytest.mark.parametrize("changed", ["devices", "arrays"])
def test_a_checkpoint_made_with_something_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    """It is whole, and must be kept: resumed with what it was made with, it gives the same bits."""
    from empirical.engine import checkpoints

    honest = checkpoints.Checkpoints._made_for
    trained(tmp_path / "run", steps=20)
    before = sorted((tmp_path / "run/checkpoints/small").iterdir())
    with monkeypatch.context() as other:
        other.setattr(checkpoints.Checkpoints, "_made_for", lambda self: {**honest(self), changed: "else"})
        with pytest.raises(InputError, match=f"was made with {changed} .*, and this run has else: resume with what"):
            trained(tmp_path / "run", steps=20)
    assert sorted((tmp_path / "run/checkpoints/small").iterdir()) == before
    trained(tmp_path / "run", steps=20)


def test_a_newer_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from empirical.engine import checkpoints

    with monkeypatch.context() as later:
        later.setattr(checkpoints, "SCHEMA", 9)
        trained(tmp_path / "run", steps=20)
    with pytest.raises(InputError, match="has schema 9, and this version reads up to 1"):
        trained(tmp_path / "run", steps=20)


def test_metrics_that_are_missing_are_named(tmp_path: Path) -> None:
    half_done(tmp_path / "run")
    (tmp_path / "run/metrics.jsonl").unlink()
    again = train(small(), begun(tmp_path / "run"), watch, watch_every=4, save_every=0.0)
    (said,) = again.damaged
    assert said == "metrics.jsonl lacks lines of small up to step 160"


def test_two_at_work_in_one_folder(tmp_path: Path) -> None:
    first = begun(tmp_path / "run")
    with pytest.raises(InputError, match="another process is at work in"):
        begun(tmp_path / "run")
    first.close()
    begun(tmp_path / "run")


def test_asked_to_stop_in_the_last_chunk(tmp_path: Path) -> None:
    """The ensemble is done, and the run stops all the same: the next one must not begin."""

    def stop(apply: object, well: object) -> dict[str, object]:
        if chunks_of(tmp_path) == 24:  # with the line of step 0
            os.kill(os.getpid(), signal.SIGTERM)
        return watch(apply, well)

    folder = begun(tmp_path)
    with pytest.raises(Interrupted, match="small is done, and the run stopped after it"):
        train(small(), folder, stop, watch_every=1)  # pyright: ignore[reportArgumentType]
    assert chunks_of(tmp_path) == 25
    folder.close()
    trained(tmp_path)


def test_diverged_members_are_told_to_who_watches(tmp_path: Path) -> None:
    """Member 1 gets targets so large that its loss is hopeless; it is no number at all for member 2."""
    told: list[list[bool]] = []

    def watching(apply: object, well: np.ndarray) -> dict[str, object]:
        told.append(well.tolist())
        return {}

    scales = np.array([1, 1e5, np.nan], dtype=np.float32)
    after = train(small(variants=scales), begun(tmp_path), watching)  # pyright: ignore[reportArgumentType]
    assert told[0] == [True, True, True]  # nothing is trained yet
    assert all(one == [True, False, False] for one in told[1:])
    assert [member.seed for member in after.diverged] == [1, 2]
