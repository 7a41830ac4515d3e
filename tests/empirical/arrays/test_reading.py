"""Every format gives the same numbers, whatever the precision, byte order or layout they are stored in."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from safetensors.numpy import save_file

from empirical.arrays import LoadedModel, Side, load

F = np.random.default_rng(0).normal(size=(7, 3))
G = np.random.default_rng(1).normal(size=(5, 3))
BIAS = np.random.default_rng(2).normal(size=5)
ALL = {"f": F, "g": G, "bias": BIAS}


def hdf5(path: Path, arrays: dict[str, np.ndarray]) -> None:
    with h5py.File(path, "w") as file:
        for name, array in arrays.items():
            file[name] = array


def safetensors(path: Path, arrays: dict[str, np.ndarray]) -> None:
    save_file(arrays, path)


def npz(path: Path, arrays: dict[str, np.ndarray]) -> None:
    np.savez(path, **arrays)  # pyright: ignore[reportArgumentType]


def compressed(path: Path, arrays: dict[str, np.ndarray]) -> None:
    np.savez_compressed(path, **arrays)  # pyright: ignore[reportArgumentType]


Writer = Callable[[Path, dict[str, np.ndarray]], None]
FORMATS = [("a.npz", npz), ("b.npz", compressed), ("a.safetensors", safetensors), ("a.h5", hdf5), ("a.hdf5", hdf5)]


def one(text: str | Path) -> LoadedModel:
    (model,) = load(Side.parse(str(text)), "A")
    return model


@pytest.mark.parametrize(("name", "write"), FORMATS, ids=[f"{name}" for name, _ in FORMATS])
def test_each_format_gives_what_was_stored(name: str, write: Writer, tmp_path: Path) -> None:
    write(tmp_path / name, ALL)
    model = one(tmp_path / name)
    assert model.g is not None
    assert model.bias is not None
    np.testing.assert_array_equal(model.f.values, F)
    np.testing.assert_array_equal(model.g.values, G)
    np.testing.assert_array_equal(model.bias.values, BIAS)
    assert model.notes == ()
    assert (model.rows, model.dim, model.f.stored_dtype) == (7, 3, "float64")


@pytest.mark.parametrize(("name", "write"), FORMATS, ids=[f"{name}" for name, _ in FORMATS])
def test_other_names_are_chosen(name: str, write: Writer, tmp_path: Path) -> None:
    write(tmp_path / name, {"enc, last": F, "head.weight": G, "head.bias": BIAS, "g": G * 2})
    model = one(f"{tmp_path / name}:f=enc, last,g=head.weight,bias=head.bias")
    assert model.g is not None
    assert model.bias is not None
    np.testing.assert_array_equal(model.g.values, G)
    np.testing.assert_array_equal(model.bias.values, BIAS)


def test_where_names_are_written_only_those_are_read(tmp_path: Path) -> None:
    npz(tmp_path / "a.npz", ALL)
    assert one(f"{tmp_path / 'a.npz'}:f=f").g is None


@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray], ids=["C", "Fortran"])
@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", ">f4"])
def test_npy_in_any_byte_order_and_layout(dtype: str, layout: Callable[..., np.ndarray], tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", layout(F.astype(dtype)))
    values = one(tmp_path / "a.npy").f.values
    np.testing.assert_array_equal(values, F.astype(dtype[1:]))
    assert values.dtype.isnative


def test_npy_is_memory_mapped(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", F)
    assert isinstance(one(tmp_path / "a.npy").f.values, np.memmap)


def test_half_precision_becomes_float32_with_a_remark(tmp_path: Path) -> None:
    half = F.astype(np.float16)
    for name, write in FORMATS:
        write(tmp_path / name, {"f": half})
        model = one(tmp_path / name)
        np.testing.assert_array_equal(model.f.values, half.astype(np.float32))
        assert model.f.values.dtype == np.float32
        assert "float16, read as float32" in model.notes[0]


def test_bfloat16_is_read_exactly(tmp_path: Path) -> None:
    # 1, -2, the largest and the smallest normal number, a subnormal one and 1 + 2^-7, by their bits.
    bits = np.array([[0x3F80, 0xC000], [0x7F7F, 0x0080], [0x0001, 0x3F81]], dtype="<u2")
    largest = float.fromhex("0x1.fep127")
    expected = [[1.0, -2.0], [largest, 2.0**-126], [2.0**-133, 1 + 2.0**-7]]
    header = {
        "other": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]},
        "f": {"dtype": "BF16", "shape": [3, 2], "data_offsets": [4, 16]},
    }
    text = json.dumps(header).encode()
    content = struct.pack("<Q", len(text)) + text + struct.pack("<f", 9.0) + bits.tobytes()
    (tmp_path / "a.safetensors").write_bytes(content)
    model = one(tmp_path / "a.safetensors")
    assert model.f.values.tolist() == expected
    assert model.f.stored_dtype == "bfloat16"
    assert "bfloat16, read as float32" in model.notes[0]


def test_a_long_double_is_rounded_with_a_remark(tmp_path: Path) -> None:
    if np.dtype(np.longdouble).itemsize == 8:
        pytest.skip("long double is float64 here")
    npz(tmp_path / "a.npz", {"f": F.astype(np.longdouble)})
    assert "rounded to float64" in one(tmp_path / "a.npz").notes[0]


# Which way round g is ---------------------------------------------------------------------------------------------


def test_a_transposed_g_is_recognised_where_only_that_fits(tmp_path: Path) -> None:
    npz(tmp_path / "a.npz", {**ALL, "g": G.T})
    model = one(tmp_path / "a.npz")
    assert model.g is not None
    np.testing.assert_array_equal(model.g.values, G)
    assert "5 in the file: its columns are taken for the labels" in model.notes[0]


def test_a_square_g_is_as_it_is_written(tmp_path: Path) -> None:
    square = G[:3]
    npz(tmp_path / "a.npz", {"f": F, "g": square})
    rows, columns = one(f"{tmp_path / 'a.npz'}:f=f,g=g"), one(f"{tmp_path / 'a.npz'}:f=f,g=g.T")
    assert rows.g is not None
    assert columns.g is not None
    np.testing.assert_array_equal(rows.g.values, square)
    np.testing.assert_array_equal(columns.g.values, square.T)
    assert "square" in rows.notes[0]
    assert columns.notes == ()


def test_an_array_whose_name_ends_in_t_is_not_transposed(tmp_path: Path) -> None:
    npz(tmp_path / "a.npz", {"f.T": F, "f": F[:, :2]})
    np.testing.assert_array_equal(one(f"{tmp_path / 'a.npz'}:f=f.T").f.values, F)


def test_f_can_be_turned_too(tmp_path: Path) -> None:
    npz(tmp_path / "a.npz", {"f": F.T})
    np.testing.assert_array_equal(one(f"{tmp_path / 'a.npz'}:f=f.T").f.values, F)


@pytest.mark.parametrize("shape", [(5,), (5, 1), (1, 5)])
def test_a_bias_is_one_value_a_label(shape: tuple[int, ...], tmp_path: Path) -> None:
    npz(tmp_path / "a.npz", {**ALL, "bias": BIAS.reshape(shape)})
    model = one(tmp_path / "a.npz")
    assert model.bias is not None
    np.testing.assert_array_equal(model.bias.values, BIAS)


def test_a_bias_without_g_is_left_out_with_a_remark(tmp_path: Path) -> None:
    npz(tmp_path / "a.npz", {"f": F, "bias": BIAS})
    model = one(tmp_path / "a.npz")
    assert model.bias is None
    assert model.notes == ("bias of A is not used: there is no g",)


# Layers -----------------------------------------------------------------------------------------------------------


def test_a_pattern_gives_its_layers_in_natural_order(tmp_path: Path) -> None:
    npz(tmp_path / "a.npz", {f"layer.{i}": F + i for i in (10, 2, 1)} | {"head": F})
    models = load(Side.parse(f"{tmp_path / 'a.npz'}:f=layer.*"), "B")
    assert [model.f.name for model in models] == ["layer.1", "layer.2", "layer.10"]
    assert all(model.layered for model in models)
    np.testing.assert_array_equal(models[2].f.values, F + 10)


def test_a_whole_name_is_no_pattern(tmp_path: Path) -> None:
    npz(tmp_path / "a.npz", {"blocks[1]": F, "blocks1": F + 1})
    model = one(f"{tmp_path / 'a.npz'}:f=blocks[1]")
    np.testing.assert_array_equal(model.f.values, F)
    assert not model.layered
