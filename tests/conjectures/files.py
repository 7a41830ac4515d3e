"""Theorem files as a researcher writes them: the examples of the documentation, and variants of them."""

from __future__ import annotations

from pathlib import Path

from tests.verification.running import ROOT

EXAMPLES = ROOT / "docs" / "examples"

#: The line of the true example that makes its examination take seconds.
SCOPE = "    scope=common_choices,  # every small pair of models, not only those that the constructions reach\n"
#: Where functions go.
BEFORE = "THEOREM = Theorem("


def variant(folder: Path, *changes: tuple[str, str], name: str = "mine", of: str = "linear_image") -> Path:
    """Write an example to ``folder`` under another name with the given replacements; return the path."""
    text = (EXAMPLES / f"{of}.py").read_text(encoding="utf-8").replace(of, name)
    if of == "linear_image":
        text = text.replace(SCOPE, "")
    for old, new in changes:
        assert old in text, f"{old!r} is not in the example"
        text = text.replace(old, new)
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def with_function(code: str) -> tuple[str, str]:
    """The change that puts a function before the theorem."""
    return BEFORE, f"{code.strip()}\n\n\n{BEFORE}"
