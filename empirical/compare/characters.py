"""Names from files and command lines as they can be shown: nothing in them moves a cursor or cannot be written."""

from __future__ import annotations

import unicodedata

#: Control characters, those that turn the direction of text, halves of surrogate pairs, and ends of lines.
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def visible(text: str) -> str:
    """The text with each character that cannot be seen written as Python escapes it, such as ``\\x1b``."""
    if text.isprintable():
        return text
    return "".join(_escaped(one) if unicodedata.category(one) in _UNSEEN else one for one in text)


def writable(text: str) -> str:
    """The text as UTF-8 can hold it: half a surrogate pair, a byte of a file's name that is no text, is escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _escaped(one: str) -> str:
    return one.encode("unicode_escape").decode("ascii")
