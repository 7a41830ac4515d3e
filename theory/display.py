"""Results in notebooks: small HTML tables with everything escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table(title: str, rows: Iterable[Sequence[object]], head: Sequence[str] = (), note: str = "") -> str:
    """One table; ``head`` names the columns, ``note`` stands under it."""
    parts = [f"<p><b>{escape(title)}</b></p>", "<table>"]
    if head:
        parts.append("<tr>" + "".join(f"<th>{escape(name)}</th>" for name in head) + "</tr>")
    parts += ["<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows]
    parts.append("</table>")
    if note:
        parts.append(f"<p>{escape(note)}</p>")
    return "".join(parts)
