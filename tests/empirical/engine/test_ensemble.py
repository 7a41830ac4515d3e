"""Members train as they would alone, on any mesh, and what is wrong is said."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from empirical.engine import RunFolder, devices, train
from empirical.engine.program import Program
from empirical.errors import InputError
from tests.empirical.engine.small import CONFIG, outputs, small

X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)


def run_folder(path: Path) -> RunFolder:
    folder = RunFolder(path / "run")
    folder.begin(CONFIG, resume=False)
    return folder


def trained_on(mesh: jax.sharding.Mesh, chunks: int = 3, **changes: object) -> np.ndarray:
    program = Program(small(steps=30, **changes), mesh)
    state = program.start()
    for _ in range(chunks):
        state = program.advance(state)
    return program.apply(outputs)(state, X)


def mesh(members: int, batch: int) -> jax.sharding.Mesh:
    chosen = np.array(jax.devices()[: members * batch]).reshape(members, batch)
    return jax.sharding.Mesh(chosen, ("members", "batch"))


def test_a_member_trains_as_it_would_by_plain_optax_steps() -> None:
    """One member written out: the same draws, gradients and updates, without vmap, scan or shard_map."""
    ensemble = small(steps=20)
    member, variant = 1, 1.5
    key = ensemble.key_of(ensemble.members[member])
    networks = ensemble.build(key)
    state = ensemble.optimiser.init(networks)
    for step in range(20):
        pool = ensemble.pool(ensemble.pool_key(jnp.int32(step // 10)))
        drawn, inside = jax.random.split(jax.random.fold_in(jax.random.fold_in(key, 1), step))
        rows = jax.random.randint(drawn, (ensemble.batch,), 0, 256)
        batch = jax.tree.map(lambda leaf, rows=rows: leaf[rows], pool)
        gradient = jax.grad(lambda n, batch=batch, inside=inside: ensemble.loss(n, batch, variant, inside))(networks)
        updates, state = ensemble.optimiser.update(gradient, state, networks)
        networks = optax.apply_updates(networks, updates)
    np.testing.assert_allclose(trained_on(mesh(1, 1), 2)[member], networks(X), rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize(("members", "batch"), [(2, 1), (1, 2)])
def test_the_mesh_does_not_matter(members: int, batch: int) -> None:
    """Three members on two rows are padded; two batch columns average their gradients."""
    np.testing.assert_allclose(trained_on(mesh(members, batch)), trained_on(mesh(1, 1)), rtol=2e-4, atol=2e-5)


def test_a_mesh_that_forgot_the_average_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jax.lax, "pmean", lambda value, axis: value)
    assert np.abs(trained_on(mesh(1, 2)) - trained_on(mesh(1, 1))).max() > 1e-3


def test_seeds_differ_and_equal_seeds_start_equal() -> None:
    first, second, _ = trained_on(mesh(1, 1), 0)
    assert np.abs(first - second).max() > 0.1
    np.testing.assert_array_equal(first, trained_on(mesh(1, 1), 0, data_seed=5)[0])
    assert np.abs(trained_on(mesh(1, 1), 1) - trained_on(mesh(1, 1), 1, data_seed=5)).max() > 1e-4


def test_a_data_set_is_not_refreshed_and_only_usable_rows_are_drawn() -> None:
    def loss(networks: object, rows: tuple[jax.Array, jax.Array], variant: object, key: jax.Array) -> jax.Array:
        return rows[0][:, 0].max() + 0 * networks(rows[0]).sum()  # pyright: ignore[reportCallIssue]

    program = Program(small(steps=20, loss=loss, fresh=False, usable=(1, 1, 256)), mesh(1, 1))
    one = program.advance(program.start())
    seen = program.to_host(one.loss)
    again = program.to_host(program.advance(one).loss)
    x = np.asarray(small().pool(small().pool_key(jnp.int32(0)))[0])
    np.testing.assert_allclose(seen[:2], x[0, 0], rtol=1e-6)
    np.testing.assert_allclose(again[:2], x[0, 0], rtol=1e-6)  # a fresh pool would have another first row
    assert seen[2] > x[0, 0]


def test_all_is_compiled_once() -> None:
    program = Program(small(), devices.mesh_for(3, 32))
    state = program.start()
    for _ in range(3):
        state = program.advance(state)
    assert program._advance._cache_size() == 1


def test_a_diverged_member_is_named_and_leaves_the_others_alone(tmp_path: Path) -> None:
    scales = np.array([1, np.inf, 2], dtype=np.float32)
    trained = train(small(steps=20, variants=scales), run_folder(tmp_path))
    assert [str(member) for member in trained.diverged] == ["seed 1"]
    sound = train(small(steps=20, variants=np.array([1, 1.5, 2], np.float32)), run_folder(tmp_path / "b"))
    np.testing.assert_array_equal(trained.apply(outputs, X)[[0, 2]], sound.apply(outputs, X)[[0, 2]])
    assert trained.ensemble.steps == 20
    lines = RunFolder(tmp_path / "run").metrics()
    assert lines[-1]["loss"][1] is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"members": ()}, "small has no members: give at least one seed"),
        ({"steps": 25}, "25 steps are not a whole number of chunks of 10; take 20 steps"),
        ({"batch": 0}, "batch is 0; it must be 1 or more"),
        ({"usable": (1,)}, "1 numbers of usable rows for 3 members"),
    ],
)
def test_impossible_sizes(changes: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        small(**changes)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("devices_", "members", "batch", "shape"),
    [(1, 5, 8, (1, 1)), (2, 5, 8, (2, 1)), (2, 1, 8, (1, 2)), (2, 1, 7, (1, 1))],
)
def test_members_take_devices_first(devices_: int, members: int, batch: int, shape: tuple[int, int]) -> None:
    assert devices.mesh_for(members, batch, devices_).devices.shape == shape


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tpu9",), "there is no platform 'tpu9': use auto, cpu, gpu"),
        (("cpu", 0), "0 devices: there must be 1 to 256"),
        (("gpu",), "no GPU was found .*leave --platform out"),
    ],
)
def test_devices_that_are_not_there(arguments: tuple[object, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        devices.choose(*arguments)  # pyright: ignore[reportArgumentType]


def test_two_numbers_of_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
    with pytest.raises(InputError, match="XLA_FLAGS sets a number of CPU devices too: leave out one"):
        devices.choose("cpu", 2)


def test_a_process_of_no_place() -> None:
    with pytest.raises(InputError, match="process 2 of 2: the index runs from 0 to 1"):
        devices.Processes("localhost:1", 2, 2)
