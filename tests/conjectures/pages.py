"""The code blocks of a page of the documentation."""

from __future__ import annotations

import re

from tests.verification.running import ROOT


def blocks(page: str, *languages: str) -> list[tuple[str, str]]:
    """(language, text) of the fenced blocks in the given languages of ``docs/<page>``, in order."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [(language, block) for language, block in found if language in languages]
