"""What the pages of measurements have in common: the machine, the versions, a Markdown table, and writing a file."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from threadpoolctl import threadpool_info


def machine() -> str:
    """Processor, cores, memory, system and BLAS."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    blas = sorted({f"{lib['internal_api']} {lib['version']}" for lib in threadpool_info() if lib["user_api"] == "blas"})
    cores = len(os.sched_getaffinity(0))
    return f"{model}, {cores} cores, {pages:.0f} GiB, {platform.system()}, BLAS: {', '.join(blas)}"


def versions(distributions: Sequence[str]) -> str:
    """CPython and the installed ones of these."""
    found = [f"CPython {platform.python_version()}"]
    for name in distributions:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; a bar inside a cell is escaped."""
    lines = [list(head), ["---"] * len(head), *map(list, rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def publish(text: str, path: str | None) -> None:
    """Print the page, or put it at ``path`` in one step."""
    if path is None:
        sys.stdout.write(text)
        return
    target = Path(path)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, target)
