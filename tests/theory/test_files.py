"""Writing atomically: a reader sees the old file or the new one, and a failed write leaves the old one."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any, NoReturn

import pytest

from theory.files import write_atomically


def full_disk(*_: Any, **__: Any) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


def interrupted(*_: Any, **__: Any) -> NoReturn:
    raise KeyboardInterrupt


def names(folder: Path) -> list[str]:
    """Everything in a folder, hidden files too."""
    return sorted(os.listdir(folder))


def test_writes_utf_8_into_a_new_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deeper" / "file.json"
    write_atomically(path, "ℝ → ℝ\n")
    assert path.read_bytes() == "ℝ → ℝ\n".encode()
    assert names(path.parent) == ["file.json"]


def test_replaces_the_old_text_whole(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    write_atomically(path, "a long old text\n" * 1000)
    write_atomically(path, "short\n")
    assert path.read_text(encoding="utf-8") == "short\n"
    assert names(tmp_path) == ["file.json"]


def test_others_may_read_it(tmp_path: Path) -> None:
    """Temporary files are private; what they become is not."""
    path = tmp_path / "file.json"
    write_atomically(path, "text\n")
    assert path.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("step", ["replace", "fsync", "chmod"])
@pytest.mark.parametrize(("fail", "error"), [(full_disk, OSError), (interrupted, KeyboardInterrupt)])
def test_a_failing_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, fail: Any, error: type[BaseException]
) -> None:
    path = tmp_path / "file.json"
    path.write_text("old\n", encoding="utf-8")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(error):
        write_atomically(path, "new\n")
    monkeypatch.undo()
    assert path.read_text(encoding="utf-8") == "old\n"
    assert names(tmp_path) == ["file.json"]


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_a_failing_first_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    monkeypatch.setattr(os, step, full_disk)
    with pytest.raises(OSError, match="No space left on device"):
        write_atomically(tmp_path / "file.json", "new\n")
    monkeypatch.undo()
    assert names(tmp_path) == []


def test_text_that_cannot_be_encoded_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text("old\n", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "half of a pair: \ud800\n")
    assert path.read_text(encoding="utf-8") == "old\n"
    assert names(tmp_path) == ["file.json"]


def test_the_new_text_is_on_disk_before_it_takes_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """fsync before replace: after a power cut the name must not point at an empty file."""
    done: list[str] = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (done.append("fsync"), fsync(handle))[1])
    monkeypatch.setattr(os, "replace", lambda *paths: (done.append("replace"), replace(*paths))[1])
    write_atomically(tmp_path / "file.json", "text\n")
    assert done == ["fsync", "replace"]
